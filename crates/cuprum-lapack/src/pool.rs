//! The threads that faer works on: rayon pools of their own sizes, new after a fork.

use std::sync::Mutex;

use faer::Par;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Multiplications from which a factorisation that sums in parts has several of them.
const LARGE: usize = 96 * 96 * 96;
/// How many parts such a factorisation has, whatever the number of threads: its sums, and with them every bit, are the same
/// on all machines. More parts cost more than they save on few threads.
const PARTS: usize = 4;

/// A pool for each number of threads that was asked for, with the process it belongs to. Pools live for ever.
static POOLS: Mutex<Vec<(u32, usize, &'static ThreadPool)>> = Mutex::new(Vec::new());

/// Calls `body` where `threads` threads can be had, with how faer is to use them where that changes no sum.
pub(crate) fn with_threads<R: Send>(threads: usize, body: impl FnOnce(Par) -> R + Send) -> R {
    match pool(threads, threads > 1) {
        Some(pool) => pool.install(|| body(Par::rayon(threads))),
        None => body(Par::Seq),
    }
}

/// Calls `body` where `threads` threads can be had, with how faer is to use them for sums over so many multiplications.
pub(crate) fn in_parts<R: Send>(
    multiplications: usize,
    threads: usize,
    body: impl FnOnce(Par) -> R + Send,
) -> R {
    match pool(threads, multiplications >= LARGE) {
        Some(pool) => pool.install(|| body(Par::rayon(PARTS))),
        None => body(Par::Seq),
    }
}

fn pool(threads: usize, wanted: bool) -> Option<&'static ThreadPool> {
    if !wanted {
        return None;
    }
    let mut pools = POOLS.lock().unwrap_or_else(|e| e.into_inner());
    let process = std::process::id();
    pools.retain(|(owner, ..)| *owner == process);
    if let Some((.., pool)) = pools.iter().find(|(_, size, _)| *size == threads) {
        return Some(pool);
    }
    let name = |i: usize| format!("cuprum-lapack-{i}");
    let made = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?;
    let made: &'static ThreadPool = Box::leak(Box::new(made));
    pools.push((process, threads, made));
    Some(made)
}
