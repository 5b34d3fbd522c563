//! Reads at positions that are pending where a program ends. They are all threads', so this is a process of its own.

mod recorder;

use std::sync::{Arc, Barrier};

use cuprum_core::DType;
use cuprum_graph::{DeferredCheck, run_takes, take};
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
