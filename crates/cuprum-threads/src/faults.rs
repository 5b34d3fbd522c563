//! Faults for tests: the n-th task from now on panics, whichever thread it runs on.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Tasks until one panics; 0 where none does.
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// Lets the `n`-th task from now on panic, once; 0 lets none. Gives how many were left of the last setting.
///
/// ```standalone_crate
/// use cuprum_threads::{faults::fail_task, run_tasks};
/// fail_task(2);
/// assert!(std::panic::catch_unwind(|| run_tasks(3, true, &|_| {})).is_err());
/// assert!(run_tasks(3, true, &|_| {}).is_ok());
/// ```
pub fn fail_task(n: usize) -> usize {
    LEFT.swap(n, Ordering::Relaxed)
}

/// Runs a task, or panics in its place.
#[inline]
pub(crate) fn run(body: &(dyn Fn(usize) + Sync), task: usize) {
    if LEFT.load(Ordering::Relaxed) != 0 {
        count();
    }
    body(task);
}

#[cold]
fn count() {
    let less_one = |left: usize| left.checked_sub(1);
    let struck = LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less_one) == Ok(1);
    assert!(!struck, "a task that was made to fail");
}
