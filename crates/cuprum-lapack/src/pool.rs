//! The threads that faer works on: a rayon pool of its own size, new after a fork.

use std::sync::Mutex;

use faer::Par;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, with the process it belongs to and how many threads it has. Pools live for ever.
static POOL: Mutex<Option<(u32, usize, &'static ThreadPool)>> = Mutex::new(None);

/// Calls `body` where `threads` threads can be had, with how faer is to use them.
pub(crate) fn with_threads<R: Send>(threads: usize, body: impl FnOnce(Par) -> R + Send) -> R {
    match pool(threads) {
        Some(pool) => pool.install(|| body(Par::rayon(threads))),
        None => body(Par::Seq),
    }
}

fn pool(threads: usize) -> Option<&'static ThreadPool> {
    if threads < 2 {
        return None;
    }
    let mut kept = POOL.lock().unwrap_or_else(|e| e.into_inner());
    let process = std::process::id();
    match *kept {
        Some((owner, size, pool)) if owner == process && size == threads => Some(pool),
        _ => {
            let name = |i: usize| format!("cuprum-lapack-{i}");
            let made = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?;
            let made: &'static ThreadPool = Box::leak(Box::new(made));
            *kept = Some((process, threads, made));
            Some(made)
        }
    }
}
