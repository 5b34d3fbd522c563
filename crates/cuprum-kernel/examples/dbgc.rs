use cuprum_kernel::cuda::{Options, compile};
fn main() {
    let mut ok = 0;
    let mut n = 0;
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name).unwrap();
        n += 1;
        let t = std::time::Instant::now();
        match compile(&text, &Options { name: name.clone(), ..Options::default() }) {
            Ok(_) => ok += 1,
            Err(e) => println!("== {name}\n{e}"),
        }
        let e = t.elapsed().as_millis();
        if e > 50 {
            println!("SLOW {name} {e}");
        }
    }
    println!("{ok} of {n}");
}
