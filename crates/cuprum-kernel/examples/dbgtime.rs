use cuprum_kernel::{
    SourceMap, headers,
    parse::parse,
    preprocess::{Options, preprocess},
};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    for name in &args {
        let text = std::fs::read_to_string(name).unwrap();
        let preludes = headers::prelude(&text);
        let options = Options { headers: &headers::Own, preludes: &preludes, ..Options::default() };
        let mut best = (u128::MAX, u128::MAX, 0);
        for _ in 0..300 {
            let mut sources = SourceMap::default();
            let t = std::time::Instant::now();
            let p = preprocess(&mut sources, name, &text, &options);
            let a = t.elapsed().as_micros();
            let n = p.tokens.len();
            drop(p);
            let mut sources = SourceMap::default();
            let t = std::time::Instant::now();
            let _u = parse(&mut sources, name, &text, &options);
            let b = t.elapsed().as_micros();
            best = (best.0.min(a), best.1.min(b), n);
        }
        println!(
            "{name}: {} bytes, {} tokens: preprocess {} us, all {} us",
            text.len(),
            best.2,
            best.0,
            best.1
        );
    }
}
