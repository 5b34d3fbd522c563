//! The passes change nothing that a function does: random functions are run by a small evaluator before and after.

mod arrays;
mod evaluate;
mod generate;
mod lockstep;
#[path = "../random/mod.rs"]
mod random;
mod rewrites;
mod shuffles;
mod threads;
mod waiting;

use cuprum_kernel::ir::{verify, verify_function};
use cuprum_kernel::passes;

#[test]
fn random_functions_do_the_same_before_and_after() {
    let rounds =
        std::env::var("CUPRUM_PASSES_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1500);
    let first = std::env::var("CUPRUM_PASSES_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut compared = 0;
    for seed in first..first + rounds {
        let (module, kernel) = generate::module(seed);
        assert_eq!(verify(&module), Vec::<String>::new(), "seed {seed}\n{module}");
        let prepared = passes::prepare(&module, kernel).expect("small functions are prepared");
        let faults = verify_function(&module, &prepared.kernel);
        assert!(faults.is_empty(), "seed {seed}: {faults:?}\n{module}\n{}", prepared.kernel);

        let mut changed = module.clone();
        changed.functions[kernel.index()] = prepared.kernel.clone();
        for (id, function) in prepared.callees {
            changed.functions[id.index()] = function;
        }
        for input in 0..3 {
            let before = evaluate::run(&module, kernel, input);
            // A read that nobody looks at may go, and the fault that it would be with it.
            if matches!(before.end, Err("out of bounds" | "too long" | "too deep")) {
                continue;
            }
            let after = evaluate::run(&changed, kernel, input);
            compared += 1;
            assert!(
                before == after,
                "seed {seed}, input {input}: {before:?}\n and then {after:?}\n{module}\nbecame\n{}",
                changed.functions[kernel.index()]
            );
        }
    }
    assert!(compared > rounds, "only {compared} runs of {rounds} functions came to an end");
}

fn size(function: &cuprum_kernel::ir::Function) -> usize {
    function.blocks.iter().map(|block| block.insts.len()).sum()
}

#[test]
fn what_was_prepared_can_be_prepared_again() {
    for seed in 1..200 {
        let (module, kernel) = generate::module(seed);
        let once = passes::prepare(&module, kernel).expect("prepared").kernel;
        let mut again = once.clone();
        passes::simplify(&mut again);
        assert!(size(&again) <= size(&once), "seed {seed}");
    }
}
