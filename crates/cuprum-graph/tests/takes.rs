//! Reads at positions that are pending where a program ends. They are all threads', so this is a process of its own.

mod recorder;

use std::sync::{Arc, Barrier};

use cuprum_core::DType;
use cuprum_graph::{DeferredCheck, View, run_takes, take};
use recorder::Bench;

#[test]
fn those_of_a_thread_that_is_still_there_run_too() {
    let (recorded, looked) = (Barrier::new(2), Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let bench = Bench::new();
            let (table, positions) = (bench.array(&[10], DType::F64), bench.array(&[3], DType::I64));
            let taken = take(&table, &positions, &DeferredCheck::new(7, Arc::new(()))).unwrap().unwrap();
            assert!(taken.storage().is_pending());
            recorded.wait();
            looked.wait();
            assert!(!taken.storage().is_pending());
        });
        recorded.wait();
        let outcome = run_takes();
        looked.wait();
        outcome.unwrap();
    });
}

#[test]
fn takes_keep_no_more_positions_alive_than_pending_work_may() {
    let bench = Bench::with_pinned_limit(16 << 20);
    let table = bench.array(&[10], DType::F64);
    let taken: Vec<View> = (0..64)
        .map(|number| {
            let positions = bench.array(&[1 << 17], DType::I64);
            take(&table, &positions, &DeferredCheck::new(number, Arc::new(()))).unwrap().unwrap()
        })
        .collect();
    // Positions of a megabyte each. What is pending is looked at when as many have come again as there were before.
    let pending = taken.iter().filter(|view| view.storage().is_pending()).count();
    assert!(pending <= 48, "{pending} of 64 are pending");
}
