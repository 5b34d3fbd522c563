use cuprum_kernel::{SourceMap, parse::parse, preprocess::Options};
fn main() {
    let kb: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    std::thread::Builder::new()
        .stack_size(kb << 10)
        .spawn(|| {
            for (open, close) in [
                ("(", ")"),
                ("-(", ")"),
                ("f(", ")"),
                ("a[", "]"),
                ("{", "}"),
                ("[]{return ", ";}()"),
                ("a||a&&a|a^a&a==a<a<<a+a*(", ")"),
                ("x<int, ", ">()"),
                ("(int[", "])1"),
                ("decltype(", ")()"),
                ("sizeof(int(*)[", "])"),
            ] {
                let text = format!(
                    "template<class T, int N> int x(); int y = {}1{};",
                    open.repeat(3000),
                    close.repeat(3000)
                );
                let mut s = SourceMap::default();
                parse(&mut s, "k", &text, &Options::default());
            }
            for (open, close) in [
                ("{", "}"),
                ("if (a) ", ""),
                ("for(;;) ", ""),
                ("struct A { void f() {", "} };"),
                ("do ", "while(1);"),
            ] {
                let text = format!("void f() {{ {};{} }}", open.repeat(3000), close.repeat(3000));
                let mut s = SourceMap::default();
                parse(&mut s, "k", &text, &Options::default());
            }
        })
        .unwrap()
        .join()
        .unwrap();
}
