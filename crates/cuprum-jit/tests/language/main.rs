//! The language, by what it computes: each text writes numbers, and g++ has written the same ones.
//!
//! `name.txt` holds the bits of `out` as g++ 12 makes them from `name.cu` (`-std=c++20 -fwrapv -ffp-contract=off`, with
//! CUDA's words defined away), a line a number. One thread runs each text; what threads do together is tested elsewhere.

use cuprum_jit::{CheckMode, CompiledModule, Extent, Launch};
use cuprum_kernel::cuda::{Options, compile};

const COUNT: usize = 512;

fn run(text: &str, check: Option<CheckMode>) -> Vec<u64> {
    let compiled = compile(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(cuprum_kernel::ir::verify(&compiled.module), Vec::<String>::new());
    let program = CompiledModule::new(compiled.module).unwrap_or_else(|error| panic!("{}", error.message));
    let mut out = vec![0u64; COUNT];
    let start = out.as_mut_ptr() as usize;
    let params = (start as u64).to_le_bytes();
    let extents = [Some(Extent { start, bytes: 8 * COUNT, writable: true })];
    let launch = Launch {
        timeout: Some(std::time::Duration::from_secs(60)),
        check,
        ..Launch::new([1, 1, 1], [1, 1, 1], &params, &extents)
    };
    let kernel = program.kernel("test").expect("the text has a kernel `test`");
    // SAFETY: the extent is the array's, which outlives the launch.
    if let Err(fault) = unsafe { kernel.launch(&launch) } {
        panic!("{}", fault.render(program.sources()));
    }
    out
}

fn check(text: &str, expected: &str) {
    let computed = run(text, None);
    let everything = CheckMode { races: true, uninitialised: true, divergence: true, order: None };
    assert_eq!(run(text, Some(everything)), computed, "the checking mode changes nothing");
    let expected: Vec<u64> =
        expected.lines().map(|line| u64::from_str_radix(line, 16).expect("a line is 16 digits")).collect();
    let statements: Vec<&str> = text.lines().filter(|line| line.contains("out[k++]")).collect();
    for (at, (ours, theirs)) in computed.iter().zip(&expected).enumerate() {
        assert_eq!(
            ours,
            theirs,
            "number {at}: {:?} is not {:?}; near `{}`",
            f64::from_bits(*ours),
            f64::from_bits(*theirs),
            statements.get(at).copied().unwrap_or("").trim()
        );
    }
    assert!(computed[expected.len()..].iter().all(|bits| *bits == 0), "there are more numbers than expected");
}

#[test]
fn arithmetic_promotions_and_control_flow() {
    check(include_str!("arithmetic.cu"), include_str!("arithmetic.txt"));
}

#[test]
fn structs_references_and_lifetimes() {
    check(include_str!("structs.cu"), include_str!("structs.txt"));
}

#[test]
fn templates_overloads_and_lambdas() {
    check(include_str!("templates.cu"), include_str!("templates.txt"));
}

#[test]
fn idioms_of_programs() {
    check(include_str!("idioms.cu"), include_str!("idioms.txt"));
}

#[test]
fn depths_of_the_language() {
    check(include_str!("depths.cu"), include_str!("depths.txt"));
}

#[test]
fn pointers_to_functions() {
    check(include_str!("pointers.cu"), include_str!("pointers.txt"));
}
