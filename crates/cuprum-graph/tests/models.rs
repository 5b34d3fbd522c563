//! Models of the registers of pending and of unread results: loom runs each of them once for every order of its threads'
//! steps at their locks and flags (`make test-loom`).

#![cfg(loom)]

mod recorder;

use cuprum_core::{DType, Op};
use cuprum_graph::{View, note_dropped, run_pending, run_referenced};
use loom::model::Builder;
use loom::thread;
use recorder::Bench;

/// Runs a model with at most this many preemptions. It has a thread of its own: loom's
/// first one ends after the registers are gone.
fn explore(switches: usize, model: fn()) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(move || thread::spawn(model).join().unwrap());
}

/// So many results a thread notes without a lock; then it hands them over.
const HANDED_OVER: usize = 32;

fn record(bench: &Bench, count: usize) -> Vec<View> {
    let leaf = bench.array(&[4], DType::F64);
    (0..count).map(|_| bench.map(Op::Exp, &[&leaf])).collect()
}

fn are_pending(results: &[View]) -> bool {
    results.iter().any(|result| result.storage().is_pending())
}

/// As when an array is dropped.
fn discard(results: Vec<View>) {
    for result in results {
        let storage = result.storage().clone();
        drop(result);
        note_dropped(&storage);
    }
}

#[test]
fn what_a_thread_has_handed_over_runs_at_the_wait_of_another() {
    explore(2, || {
        let other = thread::spawn(|| record(&Bench::new(), HANDED_OVER + 1));
        let own = record(&Bench::new(), 1);
        run_pending().unwrap();
        assert!(!are_pending(&own), "a thread's own results run at its wait");
        let theirs = other.join().unwrap();
        run_pending().unwrap();
        assert!(!are_pending(&theirs[..HANDED_OVER]), "no note is lost");
    });
}

#[test]
fn threads_that_hand_over_at_once_lose_nothing() {
    explore(2, || {
        let both: Vec<_> = (0..2)
            .map(|_| {
                thread::spawn(|| {
                    let results = record(&Bench::new(), HANDED_OVER);
                    run_referenced().unwrap();
                    assert!(!are_pending(&results));
                })
            })
            .collect();
        for thread in both {
            thread.join().unwrap();
        }
    });
}

#[test]
fn what_is_dropped_unread_runs_once_or_is_forgotten() {
    explore(3, || {
        let bench: &'static Bench = Box::leak(Box::new(Bench::new()));
        let other = thread::spawn(move || discard(record(bench, 1)));
        run_pending().unwrap();
        other.join().unwrap();
        run_pending().unwrap();
        let first = bench.programs();
        assert!(first.len() <= 1, "{first:?}");
        discard(record(bench, 1));
        run_pending().unwrap();
        let second = bench.programs();
        assert_eq!(second.len(), 1, "it runs at the next wait: {first:?} {second:?}");
    });
}
