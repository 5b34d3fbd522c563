//! Models of the pool: loom runs each of them once for every order of its threads' steps (`make test-loom`). Tasks write
//! cells that loom watches: a task that ran twice, or whose result its caller could not see yet, fails the model.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::AtomicBool;

use super::*;

/// Runs a model with so many switches between threads at most that no thread asks for.
fn explore(switches: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(model);
}

/// Numbers that tasks write, each its own.
struct Cells(Vec<UnsafeCell<usize>>);

// SAFETY: each task touches a cell of its own, which is what the models find out.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(count: usize) -> Cells {
        Cells((0..count).map(|_| UnsafeCell::new(0)).collect())
    }

    fn count(&self, task: usize) {
        // SAFETY: loom fails the model where another thread is at the cell.
        self.0[task].with_mut(|cell| unsafe { *cell += 1 });
    }

    fn counts(&self) -> Vec<usize> {
        // SAFETY: as above.
        self.0.iter().map(|cell| cell.with(|cell| unsafe { *cell })).collect()
    }
}

/// A pool with workers that serve until the last caller has gone.
fn with_workers(workers: usize, callers: impl FnOnce(&Arc<WorkerPool>)) {
    let pool = Arc::new(WorkerPool::default());
    let ended = Arc::new(AtomicBool::new(false));
    let serving: Vec<_> = (1..=workers)
        .map(|who| {
            let (pool, ended) = (pool.clone(), ended.clone());
            loom::thread::spawn(move || {
                loop {
                    let seen = pool.epoch.load(Ordering::Acquire);
                    if ended.load(Ordering::Acquire) {
                        return;
                    }
                    if !pool.help(who) {
                        pool.sleep(seen);
                    }
                }
            })
        })
        .collect();
    callers(&pool);
    // A worker that slept through this would never end, which loom takes for a deadlock.
    ended.store(true, Ordering::Release);
    pool.wake(pool.lock());
    for thread in serving {
        thread.join().unwrap();
    }
}

#[test]
fn every_task_runs_once_and_its_result_is_seen() {
    for parts in [1, 2] {
        explore(3, move || {
            with_workers(1, |pool| {
                let cells = Cells::new(3);
                assert!(pool.run(Job::new(2, 3, parts, &|task| cells.count(task)), || false));
                assert_eq!(cells.counts(), [1, 1, 1]);
            });
        });
    }
}

#[test]
fn two_workers_share_a_job() {
    explore(2, || {
        with_workers(2, |pool| {
            let cells = Cells::new(2);
            assert!(pool.run(Job::new(3, 2, 1, &|task| cells.count(task)), || false));
            assert_eq!(cells.counts(), [1, 1]);
        });
    });
}

#[test]
fn two_callers_share_a_worker() {
    explore(2, || {
        with_workers(1, |pool| {
            let call = |pool: &WorkerPool| {
                let cells = Cells::new(2);
                assert!(pool.run(Job::new(2, 2, 1, &|task| cells.count(task)), || false));
                assert_eq!(cells.counts(), [1, 1]);
            };
            let other = pool.clone();
            let second = loom::thread::spawn(move || call(&other));
            call(pool);
            second.join().unwrap();
        });
    });
}

#[test]
fn a_stop_leaves_tasks_whole_or_not_begun() {
    explore(3, || {
        with_workers(1, |pool| {
            let cells = Cells::new(3);
            pool.run(Job::new(2, 3, 1, &|task| cells.count(task)), || true);
            let counts = cells.counts();
            assert!(counts[0] == 1 && counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
        });
    });
}

#[test]
fn a_panic_comes_out_after_the_workers_have_left() {
    explore(2, || {
        with_workers(1, |pool| {
            let cells = Cells::new(2);
            let body = |task: usize| {
                cells.count(task);
                if task == 1 {
                    resume_unwind(Box::new("the second task"));
                }
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| pool.run(Job::new(2, 2, 1, &body), || false)));
            assert!(outcome.is_err());
            assert_eq!(cells.counts(), [1, 1]);
        });
    });
}
