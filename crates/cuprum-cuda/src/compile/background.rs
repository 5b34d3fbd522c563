//! Compiling on background threads. A process that ends waits for them: the compiler and the driver are taken down at
//! exit, and must not be at work then.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, Once};

use crate::capture::allow_this_thread;

static AT_WORK: Mutex<usize> = Mutex::new(0);
static DONE: Condvar = Condvar::new();
/// The process that the threads belong to.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// One thread's work, counted as long as it lives.
struct Counted;

impl Counted {
    fn begin() -> Counted {
        *AT_WORK.lock().unwrap_or_else(|e| e.into_inner()) += 1;
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        *AT_WORK.lock().unwrap_or_else(|e| e.into_inner()) -= 1;
        DONE.notify_all();
    }
}

/// Runs `work` on a thread of its own.
pub(crate) fn run(work: impl FnOnce() + Send + 'static) {
    static REGISTERED: Once = Once::new();
    wait_at_exit(&REGISTERED);
    let counted = Counted::begin();
    std::thread::spawn(move || {
        let _counted = counted;
        allow_this_thread();
        work();
    });
}

/// Has the process wait at its end, ahead of all that is taken down by libraries loaded so far. To be called again after
/// a library was loaded: what is registered last runs first.
pub(super) fn wait_at_exit(once: &Once) {
    extern "C" fn wait() {
        finish_compiling();
    }
    PROCESS.store(std::process::id(), Ordering::Relaxed);
    // SAFETY: the function takes nothing and lives as long as the process; it is registered once for each `once`.
    once.call_once(|| unsafe {
        libc::atexit(wait);
    });
}

/// Waits for kernels that are being compiled on background threads. To be called before the process begins to end: a
/// library that is still being loaded then is taken down in the middle of its work.
///
/// ```
/// cuprum_cuda::finish_compiling();
/// ```
pub fn finish_compiling() {
    if PROCESS.load(Ordering::Relaxed) != std::process::id() {
        // After a fork, the threads belong to the parent process.
        return;
    }
    let mut at_work = AT_WORK.lock().unwrap_or_else(|e| e.into_inner());
    while *at_work > 0 {
        at_work = DONE.wait(at_work).unwrap_or_else(|e| e.into_inner());
    }
}
