//! Worker threads: tasks of fixed size are handed out by number; the caller works too.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use cuprum_core::{Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::Watch;

static POOL: Mutex<Option<Arc<ThreadPool>>> = Mutex::new(None);
static FORKED: AtomicBool = AtomicBool::new(false);

/// How many threads work: `CUPRUM_THREADS`, or all that the machine offers.
///
/// ```
/// assert!(cuprum_cpu::thread_count() >= 1);
/// ```
pub fn thread_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let asked = std::env::var("CUPRUM_THREADS").ok().and_then(|s| s.parse().ok()).filter(|n| *n > 0);
        asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
    })
}

extern "C" fn after_fork_in_child() {
    FORKED.store(true, Ordering::SeqCst);
}

/// The pool; a child process after `fork` has none of its parent's threads and gets a new one.
pub(crate) fn pool() -> Arc<ThreadPool> {
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    if FORKED.swap(false, Ordering::SeqCst) {
        // The parent's threads do not exist here: dropping the pool would wait for them.
        std::mem::forget(pool.take());
    }
    pool.get_or_insert_with(|| {
        static WATCH_FORKS: OnceLock<()> = OnceLock::new();
        // SAFETY: the handler only stores to an atomic, which is allowed in a forked child.
        WATCH_FORKS.get_or_init(|| unsafe {
            libc::pthread_atfork(None, None, Some(after_fork_in_child));
        });
        let builder =
            ThreadPoolBuilder::new().num_threads(thread_count()).thread_name(|i| format!("cuprum-{i}"));
        Arc::new(builder.build().expect("worker threads can be started"))
    })
    .clone()
}

/// Runs `body(0)` to `body(tasks - 1)`, on several threads where `parallel` says that it pays.
pub(crate) fn run_tasks(tasks: usize, parallel: bool, body: &(dyn Fn(usize) + Sync)) -> Result<()> {
    let watch = Watch::start();
    let threads = thread_count().min(tasks);
    if !parallel || threads < 2 {
        for task in 0..tasks {
            if task > 0 && watch.wants_stop() {
                return Err(Error::Interrupted);
            }
            body(task);
        }
        return Ok(());
    }
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let work = || {
        while !stopped.load(Ordering::Relaxed) {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return;
            }
            body(task);
        }
    };
    pool().in_place_scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| work());
        }
        while !stopped.load(Ordering::Relaxed) {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return;
            }
            body(task);
            if watch.wants_stop() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    if stopped.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Pointers that tasks share; each task touches elements of its own.
#[derive(Clone, Copy)]
pub(crate) struct Shared(pub *mut u8);

// SAFETY: tasks derive disjoint ranges from the pointer; the memory outlives `run_tasks`, which waits for them all.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// The pointer; a method, so that closures capture the wrapper whole.
    #[inline]
    pub(crate) fn get(self) -> *mut u8 {
        self.0
    }
}
