//! Texts that nobody would write: mutated kernels, tokens thrown together, deep nesting, macros that explode. The front
//! end ends each of them with a tree or a message: no panic, no overrun of the stack, no hanging.
//!
//! The inputs follow from a seed. `CUPRUM_FUZZ=n` runs n times as many; a failure names its seed, which
//! `CUPRUM_FUZZ_SEED` starts from.

mod compile;
#[path = "../random/mod.rs"]
mod random;
mod texts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use cuprum_kernel::SourceMap;
use cuprum_kernel::parse::parse;
use cuprum_kernel::preprocess::Options;

use random::Random;
use texts::{boundary, corpus, macros, mutated, nested, soup};

/// Parses a text.
fn parsed(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let (_, diagnostics) = parse(&mut sources, "kernel.cu", text, &Options::default());
    diagnostics.iter().map(|diagnostic| diagnostic.render(&sources).len()).sum::<usize>();
    None
}

/// Runs `read` on the texts that `make` makes. It returns a message where it did what it must not; it may not panic, and
/// not take long.
fn run(
    name: &str,
    count: usize,
    read: fn(&str) -> Option<String>,
    make: impl Fn(&mut Random) -> String + Send + 'static,
) {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|n| n.parse::<u64>().ok());
    let times = number("CUPRUM_FUZZ").unwrap_or(1);
    let first = number("CUPRUM_FUZZ_SEED").unwrap_or(0);
    let name = name.to_string();
    // Without optimisation parsing takes more stack than a test's own thread has.
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(move || {
        let mut offences = 0;
        for seed in first..first + count as u64 * times {
            let text = make(&mut Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)));
            let start = Instant::now();
            let mut offence =
                catch_unwind(AssertUnwindSafe(|| read(&text))).unwrap_or(Some("panics".to_string()));
            // The limits are of tokens and nodes; this is for what they might have missed, on a machine however loaded.
            if start.elapsed() > Duration::from_secs(30) {
                offence = Some(format!("takes {:?}", start.elapsed()));
            }
            if let Some(offence) = offence {
                eprintln!(
                    "{name}, seed {seed}: {offence}\n{}\n",
                    &text[..boundary(&text, text.len().min(4000))]
                );
                offences += 1;
            }
        }
        assert_eq!(offences, 0, "{name}");
    });
    thread.expect("a thread").join().expect("no offence");
}

#[test]
fn mutated_kernels_end_well() {
    let corpus = corpus();
    run("mutated", 1500, parsed, move |random| mutated(random, &corpus));
}

#[test]
fn tokens_thrown_together_end_well() {
    run("soup", 4000, parsed, soup);
}

#[test]
fn deep_nesting_ends_well() {
    run("nested", 300, parsed, nested);
}

#[test]
fn exploding_macros_end_well() {
    run("macros", 200, parsed, macros);
}

#[test]
fn changed_kernels_are_made_or_refused() {
    let kernels = compile::kernels();
    run("changed", 300, compile::offence, move |random| compile::changed(random, &kernels));
}

#[test]
fn kernels_with_other_texts_in_them_are_made_or_refused() {
    let kernels = compile::kernels();
    run("mixed", 150, compile::offence, move |random| mutated(random, &kernels));
}

#[test]
fn nested_texts_are_made_or_refused() {
    run("nested", 60, compile::offence, nested);
}
