//! The threads that faer works on: rayon pools of their own sizes, new after a fork; and work that is waited for.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use cuprum_core::memory::{OutOfMemory, catch, try_with_capacity, with_capacity};
use cuprum_core::{Error, Result};
use cuprum_threads::interrupt::Watch;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Multiplications from which a factorisation that sums in parts has several of them.
const PARTS_MIN_PRODUCTS: usize = 96 * 96 * 96;
/// How many parts such a factorisation has, whatever the number of threads: its sums, and with them every bit, are the same
/// on all machines. More parts cost more than they save on few threads.
const PART_COUNT: usize = 4;
/// How long a caller waits between two questions whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Address space that a thread takes besides: its stack, and the heap that the system's allocator gives it.
const THREAD_ADDRESS_BYTES: usize = 72 << 20;

type Pools = Vec<(u32, usize, Arc<ThreadPool>)>;

/// A pool for each number of threads that was asked for, with the process it belongs to.
static POOLS: Mutex<Pools> = Mutex::new(Vec::new());

/// Calls `body` in a pool of `threads` threads, with the parallelism that faer may use where it changes no sum.
pub(crate) fn with_threads<R: Send>(threads: usize, body: impl FnOnce(Par) -> R + Send) -> R {
    called_once(body, |body| match if threads > 1 { pool(threads).ok() } else { None } {
        Some(pool) => pool.install(|| body(Par::rayon(threads))),
        None => {
            // The caller alone gives the same bits.
            prepare_products();
            body(Par::Seq)
        }
    })
}

/// Hands `body` to `run` by its address, so that there is one copy of it however many places `run` calls it in; it calls it once.
fn called_once<R: Send>(
    body: impl FnOnce(Par) -> R + Send,
    run: impl FnOnce(&mut (dyn FnMut(Par) + Send)),
) -> R {
    let (mut body, mut result) = (Some(body), None);
    run(&mut |par| result = body.take().map(|body| body(par)));
    result.expect("the work was called")
}

/// Calls `body` in a pool of `threads` threads, with the parallelism that faer may use for this many multiplications.
pub(crate) fn in_parts<R: Send>(
    multiplications: usize,
    threads: usize,
    body: impl FnOnce(Par) -> R + Send,
) -> R {
    called_once(body, |body| {
        if multiplications < PARTS_MIN_PRODUCTS {
            prepare_products();
            return body(Par::Seq);
        }
        let pool = pool(threads).unwrap_or_else(|failed| resume_unwind(Box::new(failed)));
        pool.install(|| body(Par::rayon(PART_COUNT)));
    })
}

/// Runs work on a thread of the pool, on memory of its own that comes back with the result. A user who wants to stop does not
/// wait for its end: it goes on by itself, and its memory goes when it is done. Later work has other threads.
///
/// ```
/// let (memory, sum) = cuprum_lapack::run_apart(1, vec![1, 2], |v: &mut Vec<i32>| v.iter().sum::<i32>()).unwrap();
/// assert_eq!((memory, sum), (vec![1, 2], 3));
/// ```
pub fn run_apart<S: Send + 'static, R: Send + 'static>(
    threads: usize,
    mut memory: S,
    work: impl FnOnce(&mut S) -> R + Send + 'static,
) -> Result<(S, R)> {
    let pool = pool(threads).ok();
    // What comes back lies beside the channel: the channel itself is the same for all results.
    let result = Arc::new(Mutex::new(None));
    let (sender, receiver) = sync_channel::<()>(1);
    let (held, place) = (pool.clone(), result.clone());
    // One type of job for all work.
    let job: Box<dyn FnOnce() + Send> = Box::new(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut memory)));
        *place.lock().unwrap_or_else(|e| e.into_inner()) = Some((memory, outcome));
        drop(place);
        // Nobody may be waiting any more.
        let _ = sender.send(());
        drop(held);
    });
    match &pool {
        Some(pool) => {
            pool.spawn(job);
            wait_for(&receiver, pool)?;
        }
        None => job(),
    }
    let found = result.lock().unwrap_or_else(|e| e.into_inner()).take();
    match found {
        Some((memory, Ok(result))) => Ok((memory, result)),
        Some((_, Err(panic))) => resume_unwind(panic),
        None => Err(ended_without_a_result()),
    }
}

/// Waits until work on the pool says that it is done, or the user wants to stop: then later work has another pool.
fn wait_for(done: &Receiver<()>, pool: &Arc<ThreadPool>) -> Result<()> {
    let watch = Watch::start();
    loop {
        match done.recv_timeout(POLL_INTERVAL) {
            Ok(()) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if !watch.wants_stop() => {}
            Err(RecvTimeoutError::Timeout) => {
                lock().retain(|(.., other)| !Arc::ptr_eq(other, pool));
                return Err(Error::Interrupted);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(ended_without_a_result()),
        }
    }
}

fn ended_without_a_result() -> Error {
    Error::device("a thread of the linear algebra ended without a result")
}

fn lock() -> MutexGuard<'static, Pools> {
    POOLS.lock().unwrap_or_else(|e| e.into_inner())
}

/// The pool of that many threads, or of one where the system gives no more.
fn pool(threads: usize) -> std::result::Result<Arc<ThreadPool>, OutOfMemory> {
    let threads = threads.max(1);
    let process = std::process::id();
    let mut pools = lock();
    for at in (0..pools.len()).rev() {
        if pools[at].0 != process {
            // The threads of a parent process are not here to be told that they are not needed.
            std::mem::forget(pools.swap_remove(at));
        }
    }
    if let Some((.., pool)) = pools.iter().find(|(_, size, _)| *size == threads) {
        return Ok(pool.clone());
    }
    let made = new_pool(threads).or_else(|failed| if threads > 1 { new_pool(1) } else { Err(failed) })?;
    let made = Arc::new(made);
    if made.current_num_threads() == threads {
        pools.push((process, threads, made.clone()));
    }
    Ok(made)
}

/// A pool whose threads have what they multiply in.
fn new_pool(threads: usize) -> std::result::Result<ThreadPool, OutOfMemory> {
    let failed = OutOfMemory { bytes: threads * (workspace() + THREAD_ADDRESS_BYTES) };
    // Asked for before threads are there, which take their time to end.
    drop(try_with_capacity::<u8>(failed.bytes).map_err(|_| failed)?);
    let name = |i: usize| format!("cuprum-lapack-{i}");
    let made = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().map_err(|_| failed)?;
    let prepare = || {
        prepare_products();
        Ok(())
    };
    let ready = made.broadcast(|_| catch(prepare).is_ok());
    if ready.into_iter().all(|ready| ready) { Ok(made) } else { Err(failed) }
}

/// Lets faer's product take, on this thread, the memory that it packs operands into. It keeps some for each thread, and ends
/// the process where there is none: here that much is asked for first, and a failed request unwinds.
pub(crate) fn prepare_products() {
    thread_local! {
        static IS_WARM: Cell<bool> = const { Cell::new(false) };
    }
    if IS_WARM.get() {
        return;
    }
    // One thread at a time: what was asked for by one is not to be taken by another.
    static WARM_UP: Mutex<()> = Mutex::new(());
    let _turn = WARM_UP.lock().unwrap_or_else(|e| e.into_inner());
    drop(with_capacity::<u8>(workspace()));
    // The smallest product that is packed. Miri takes a thousand times as long.
    const SIDE: usize = if cfg!(miri) { 4 } else { 24 };
    let (a, mut c) = ([0.0f64; SIDE * SIDE], [0.0f64; SIDE * SIDE]);
    let a = MatRef::from_column_major_slice(&a, SIDE, SIDE);
    let c = MatMut::from_column_major_slice_mut(&mut c, SIDE, SIDE);
    matmul(c, Accum::Replace, a, a, 1.0, Par::Seq);
    IS_WARM.set(true);
}

/// Bytes that faer's product keeps for a thread: twice the last-level cache.
fn workspace() -> usize {
    use std::sync::OnceLock;
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        // Some room beside it for what else is asked for meanwhile.
        2 * last_level_cache().max(1 << 20) + (1 << 20)
    })
}

/// The third-level cache as faer's product counts it: every core's share, for all cores.
fn last_level_cache() -> usize {
    let cpus = Path::new("/sys/devices/system/cpu");
    let read = |index: usize, name: &str| {
        let text = std::fs::read_to_string(cpus.join(format!("cpu0/cache/index{index}/{name}"))).ok()?;
        Some(text.trim().to_string())
    };
    let size = |index: usize| read(index, "size")?.strip_suffix('K')?.parse::<usize>().ok().map(|k| k << 10);
    let Some(second) = size(2) else { return all_third_level_caches().max(32 << 20) };
    let Some(third) = size(3) else { return 4 * second };
    let is_cpu = |name: &str| name.strip_prefix("cpu").is_some_and(|n| n.parse::<usize>().is_ok());
    let names = std::fs::read_dir(cpus).into_iter().flatten().flatten();
    let cores = names.filter(|entry| entry.file_name().to_str().is_some_and(is_cpu)).count().max(1);
    let sharing = read(3, "shared_cpu_list").map_or(1, |list| cpus_in(&list)).max(1);
    (third / sharing * cores).max(4 * second)
}

/// How many CPUs a list such as `0-3,8` names.
fn cpus_in(list: &str) -> usize {
    let ends = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
    };
    list.split(',').filter_map(ends).sum()
}

/// AMD's processors count the caches of all cores together.
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe, reason = "later versions of Rust declare the instruction safe")]
fn all_third_level_caches() -> usize {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every 64-bit processor has the instruction; leaves that it does not know are not asked for.
    let (vendor, most) = unsafe { (__cpuid(0), __cpuid(0x8000_0000).eax) };
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    if !is_amd || most < 0x8000_0006 {
        return 0;
    }
    // SAFETY: as above.
    let edx = unsafe { __cpuid(0x8000_0006) }.edx;
    (edx >> 18) as usize * (512 << 10)
}

#[cfg(not(target_arch = "x86_64"))]
fn all_third_level_caches() -> usize {
    0
}
