//! Forks while other threads compute: a fork waits until no other thread is inside a call of the library.
//!
//! A child process has the forking thread alone. A lock that another thread held would stay locked in it for ever, and
//! what that thread was writing would stay half-written. So every call that other threads can overlap with a fork is
//! counted ([`enter`]); a fork holds new calls back ([`close`]), waits for those that run ([`no_other_inside`]) and lets them in
//! again afterwards ([`reopen`], in the child [`reopen_in_child`]). Then no lock is held, whichever it is, and every result is
//! either complete or not begun. Nothing here locks, since a lock of its own would need the same care.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use cuprum_core::{Error, Result};

/// How long threads sleep between two looks while a fork is under way.
const FORK_POLL_INTERVAL: Duration = Duration::from_micros(100);

/// Threads inside a call.
static THREADS_INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Whether a thread is about to fork.
static FORKING: AtomicBool = AtomicBool::new(false);
/// Whether this process was forked while another thread was inside a call: its locks and results are lost.
static FORKED_INSIDE_CALL: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Calls that the thread is inside of, one within the other.
    static CALL_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A thread's stay inside a call; it ends when this is dropped, on the same thread.
#[must_use]
pub struct CallGuard(PhantomData<*const ()>);

/// Begins a call; waits while another thread forks, unless the thread is inside a call already.
///
/// ```
/// let call = cuprum_threads::fork::enter();
/// drop(call);
/// ```
pub fn enter() -> CallGuard {
    if is_inside() {
        return hold();
    }
    loop {
        while FORKING.load(Ordering::SeqCst) {
            std::thread::sleep(FORK_POLL_INTERVAL);
        }
        let call = hold();
        if !FORKING.load(Ordering::SeqCst) {
            return call;
        }
        drop(call);
    }
}

/// Begins a call without waiting for a fork: for whoever may hold a lock already, and calls back into a program that can let
/// another thread fork. A fork that has not looked for the last time waits for it.
///
/// ```
/// let call = cuprum_threads::fork::hold();
/// drop(call);
/// ```
pub fn hold() -> CallGuard {
    let depth = CALL_DEPTH.get();
    if depth == 0 {
        THREADS_INSIDE.fetch_add(1, Ordering::SeqCst);
    }
    CALL_DEPTH.set(depth + 1);
    CallGuard(PhantomData)
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        leave();
    }
}

/// Ends a call whose guard was forgotten, on the thread that began it.
///
/// ```
/// std::mem::forget(cuprum_threads::fork::enter());
/// cuprum_threads::fork::leave();
/// ```
pub fn leave() {
    let depth = CALL_DEPTH.get().saturating_sub(1);
    if CALL_DEPTH.replace(depth) == 1 {
        THREADS_INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Holds new calls back, once no other thread is forking.
///
/// ```
/// use cuprum_threads::fork;
/// fork::close();
/// while !fork::no_other_inside() {
///     fork::pause();
/// }
/// fork::reopen();
/// ```
pub fn close() {
    while FORKING.swap(true, Ordering::SeqCst) {
        pause();
    }
}

/// Whether no other thread is inside a call.
///
/// ```
/// assert!(cuprum_threads::fork::no_other_inside());
/// ```
pub fn no_other_inside() -> bool {
    THREADS_INSIDE.load(Ordering::SeqCst) == usize::from(is_inside())
}

/// Whether the calling thread is inside a call, which goes on in the child.
///
/// ```
/// assert!(!cuprum_threads::fork::is_inside());
/// ```
pub fn is_inside() -> bool {
    CALL_DEPTH.get() > 0
}

/// Sleeps a little.
///
/// ```
/// cuprum_threads::fork::pause();
/// ```
pub fn pause() {
    std::thread::sleep(FORK_POLL_INTERVAL);
}

/// Lets calls in again, after a fork or without one.
///
/// ```
/// cuprum_threads::fork::close();
/// cuprum_threads::fork::reopen();
/// ```
pub fn reopen() {
    FORKING.store(false, Ordering::SeqCst);
}

/// The same in the child, whose other threads are gone; `none_inside` says whether none of them was inside a call.
///
/// ```
/// // In the child of a fork:
/// cuprum_threads::fork::close();
/// cuprum_threads::fork::reopen_in_child(true);
/// assert!(cuprum_threads::fork::check().is_ok());
/// ```
pub fn reopen_in_child(none_inside: bool) {
    THREADS_INSIDE.store(usize::from(is_inside()), Ordering::SeqCst);
    if !none_inside {
        FORKED_INSIDE_CALL.store(true, Ordering::SeqCst);
    }
    FORKING.store(false, Ordering::SeqCst);
}

/// An error in a child that was forked while another thread was inside a call.
///
/// ```
/// assert!(cuprum_threads::fork::check().is_ok());
/// ```
#[inline]
pub fn check() -> Result<()> {
    if FORKED_INSIDE_CALL.load(Ordering::Relaxed) { Err(broken()) } else { Ok(()) }
}

#[cold]
fn broken() -> Error {
    Error::device(
        "this process was forked while another thread was inside a call that did not end: arrays cannot be used in it; \
         fork before such work begins, or start the process with the spawn method \
         (multiprocessing.set_start_method(\"spawn\"))",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test: the state is the process's.
    #[test]
    fn a_fork_waits_for_calls_and_calls_wait_for_a_fork() {
        let outer = enter();
        let inner = enter();
        assert!(no_other_inside(), "a call of the forking thread's own does not count");
        drop(inner);
        assert_eq!(CALL_DEPTH.get(), 1);
        drop(outer);

        let (begun, entered, ended) =
            (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let call = enter();
                begun.store(true, Ordering::SeqCst);
                while !ended.load(Ordering::SeqCst) {
                    pause();
                }
                drop(enter());
                drop(call);
            });
            while !begun.load(Ordering::SeqCst) {
                pause();
            }
            close();
            assert!(!no_other_inside());
            scope.spawn(|| {
                let _call = enter();
                entered.store(true, Ordering::SeqCst);
            });
            ended.store(true, Ordering::SeqCst);
            while !no_other_inside() {
                pause();
            }
            assert!(!entered.load(Ordering::SeqCst), "new calls wait");
            reopen();
        });
        assert!(entered.load(Ordering::SeqCst) && no_other_inside());
    }
}
