use cuprum_kernel::{SourceMap, parse::parse, preprocess::Options};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&name).unwrap();
    let mut sources = SourceMap::default();
    let t = std::time::Instant::now();
    let (unit, diagnostics) = parse(&mut sources, &name, &text, &Options::default());
    let e = t.elapsed();
    for d in &diagnostics {
        println!("{}", d.render(&sources));
    }
    println!("{} declarations {:?}", unit.declarations.len(), e);
    if std::env::args().nth(2).is_some() {
        println!("{:#?}", unit.declarations);
    }
}
