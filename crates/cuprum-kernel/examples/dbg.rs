use cuprum_kernel::{SourceMap, headers, parse::parse, preprocess::Options};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dump = args.iter().any(|a| a == "-d");
    for name in args.iter().filter(|a| *a != "-d") {
        let text = std::fs::read_to_string(name).unwrap();
        let mut sources = SourceMap::default();
        let t = std::time::Instant::now();
        let preludes = headers::prelude(&text);
        let (unit, diagnostics) = parse(
            &mut sources,
            name,
            &text,
            &Options { headers: &headers::Own, preludes: &preludes, ..Options::default() },
        );
        let e = t.elapsed();
        if !diagnostics.is_empty() {
            println!("== {name}");
        }
        for d in &diagnostics {
            println!("{}", d.render(&sources));
        }
        if args.len() < 4 {
            println!("{} declarations {:?}", unit.declarations.len(), e);
        }
        if dump {
            println!("{:#?}", unit.declarations.last());
        }
    }
}
