//! Worker threads: tasks of fixed size are handed out by number, in order or in order within parts; the caller works too.
//!
//! A caller never waits for a worker that has not begun: waking a thread can take longer than the work. What it has to
//! wait for is only the task that a worker is in when no more are left.

pub mod faults;
pub mod fork;
pub mod interrupt;
#[cfg(all(test, loom))]
mod models;
mod sync;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use cuprum_core::{Error, Result};

use interrupt::Watch;
use sync::{AtomicUsize, Condvar, MAX_SPINS, Mutex, MutexGuard, Ordering, spin_loop};

/// How long a caller waits for its workers between two questions whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes that must be there for a worker to begin: its stack, and some of its own.
const WORKER_BYTES: usize = 8 << 20;

/// How many threads work: `CUPRUM_THREADS`, or all that the machine offers.
///
/// ```
/// assert!(cuprum_threads::thread_count() >= 1);
/// ```
pub fn thread_count() -> usize {
    static THREAD_COUNT: OnceLock<usize> = OnceLock::new();
    *THREAD_COUNT.get_or_init(|| {
        let asked = std::env::var("CUPRUM_THREADS").ok().and_then(|s| s.parse().ok()).filter(|n| *n > 0);
        asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
    })
}

/// Has every worker that begins from now on call `touch` before it takes part in any work.
///
/// A thread registers a thread-local value that has something to drop with the C library when it first touches it, and the
/// C library ends the process where there is no memory for that. A worker that begins has some, or is not begun. So crates whose
/// tasks use such values have workers touch them there.
///
/// ```
/// use std::cell::RefCell;
/// thread_local! {
///     static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
/// }
/// cuprum_threads::at_worker_start(|| SCRATCH.with(|_| {}));
/// ```
pub fn at_worker_start(touch: fn()) {
    FIRST_CALLS.lock().unwrap_or_else(|e| e.into_inner()).push(touch);
}

/// What workers call when they begin.
static FIRST_CALLS: std::sync::Mutex<Vec<fn()>> = std::sync::Mutex::new(Vec::new());

/// Runs `body(0)` to `body(tasks - 1)`, each begun in that order, on several threads where `parallel` says that it
/// pays. A stop that the user asks for is an error, after the tasks that were begun.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let sum = AtomicUsize::new(0);
/// cuprum_threads::run_tasks(10, true, &|task| {
///     sum.fetch_add(task, Ordering::Relaxed);
/// }).unwrap();
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub fn run_tasks(tasks: usize, parallel: bool, body: &(dyn Fn(usize) + Sync)) -> Result<()> {
    let watch = Watch::start();
    let threads = if parallel { thread_count().min(tasks) } else { 1 };
    if share(threads, tasks, body, || watch.wants_stop()) { Ok(()) } else { Err(Error::Interrupted) }
}

/// Runs `body(0)` to `body(tasks - 1)` as [`run_tasks`] does, for tasks that walk through memory side by side: each thread
/// begins with tasks of its own that lie together, the same ones in every call, and takes others' when it has none left.
/// Memory then sees one long walk a thread, and a thread finds in its cache what it left there.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let sum = AtomicUsize::new(0);
/// cuprum_threads::run_spread(10, true, &|task| {
///     sum.fetch_add(task, Ordering::Relaxed);
/// }).unwrap();
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub fn run_spread(tasks: usize, parallel: bool, body: &(dyn Fn(usize) + Sync)) -> Result<()> {
    let watch = Watch::start();
    let threads = if parallel { thread_count().min(tasks) } else { 1 };
    let ended = run_parts(threads, tasks, threads.min(MAX_PARTS), body, || watch.wants_stop());
    if ended { Ok(()) } else { Err(Error::Interrupted) }
}

/// Runs the tasks on the calling thread and up to `threads - 1` workers; `wants_stop` is asked on the calling thread
/// between tasks, and while it waits for the workers' last ones. Says whether all tasks ran and nobody wanted to stop. A panic in a task comes out here.
///
/// ```
/// assert!(cuprum_threads::share(2, 10, &|_| {}, || false));
/// ```
pub fn share(
    threads: usize,
    tasks: usize,
    body: &(dyn Fn(usize) + Sync),
    wants_stop: impl Fn() -> bool,
) -> bool {
    run_parts(threads, tasks, 1, body, wants_stop)
}

fn run_parts(
    threads: usize,
    tasks: usize,
    parts: usize,
    body: &(dyn Fn(usize) + Sync),
    wants_stop: impl Fn() -> bool,
) -> bool {
    if threads < 2 || tasks < 2 {
        for task in 0..tasks {
            if task > 0 && wants_stop() {
                return false;
            }
            faults::run(body, task);
        }
        return true;
    }
    pool().run(Job::new(threads, tasks, parts, body), wants_stop)
}

/// Into how many parts tasks are cut at most; with more threads, some begin in the same part.
const MAX_PARTS: usize = if cfg!(loom) { 2 } else { 16 };

/// The number of the next task of a part, in a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Next(AtomicUsize);

/// Tasks to be done, on the stack of the thread that called; workers see it only between `publish` and `retire`.
struct Job<'a> {
    next: [Next; MAX_PARTS],
    /// Tasks are handed out in order within each of so many parts.
    parts: usize,
    tasks: usize,
    /// How many more workers may join.
    helpers: AtomicUsize,
    /// Workers inside; changed under the queue's lock only, read without it.
    inside: AtomicUsize,
    body: &'a (dyn Fn(usize) + Sync),
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Job<'a> {
    fn new(threads: usize, tasks: usize, parts: usize, body: &'a (dyn Fn(usize) + Sync)) -> Job<'a> {
        let job = Job {
            next: Default::default(),
            parts,
            tasks,
            helpers: AtomicUsize::new(threads.saturating_sub(1)),
            inside: AtomicUsize::new(0),
            body,
            panic: Mutex::new(None),
        };
        for part in 1..parts {
            job.next[part].0.store(job.end(part - 1), Ordering::Relaxed);
        }
        job
    }

    /// The tasks of a part lie before this one.
    fn end(&self, part: usize) -> usize {
        self.tasks * (part + 1) / self.parts
    }

    /// The number of the next task of the part that thread `who` begins with, or else of another part.
    fn take(&self, who: usize) -> Option<usize> {
        (0..self.parts).map(|k| (who + k) % self.parts).find_map(|part| {
            let (next, end) = (&self.next[part].0, self.end(part));
            if next.load(Ordering::Relaxed) >= end {
                return None;
            }
            let task = next.fetch_add(1, Ordering::Relaxed);
            (task < end).then_some(task)
        })
    }

    /// Hands out no more tasks; says whether there were any left.
    fn stop(&self) -> bool {
        let mut left = false;
        for part in 0..self.parts {
            let end = self.end(part);
            left |= self.next[part].0.swap(end, Ordering::Relaxed) < end;
        }
        left
    }

    fn has_tasks(&self) -> bool {
        (0..self.parts).any(|part| self.next[part].0.load(Ordering::Relaxed) < self.end(part))
    }

    /// A worker's part.
    fn help(&self, who: usize) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            while let Some(task) = self.take(who) {
                faults::run(self.body, task);
            }
        }));
        if let Err(panic) = outcome {
            self.stop();
            *self.panic.lock().unwrap_or_else(|e| e.into_inner()) = Some(panic);
        }
    }
}

/// A job in the queue, its lifetime forgotten: `share` takes it out, and waits for the workers inside, before it returns.
struct QueuedJob(*const Job<'static>);

// SAFETY: a job is shared between threads by design: atomics, a mutex, and a body that is `Sync`.
unsafe impl Send for QueuedJob {}

#[derive(Default)]
struct WorkerPool {
    queue: Mutex<Vec<QueuedJob>>,
    /// Counts publications, so that a spinning worker sees them without the lock.
    epoch: AtomicUsize,
    work: Condvar,
    left: Condvar,
}

impl WorkerPool {
    fn lock(&self) -> MutexGuard<'_, Vec<QueuedJob>> {
        self.queue.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Does a job's tasks with the workers' help; says whether all of them ran and nobody wanted to stop.
    fn run(&self, job: Job<'_>, wants_stop: impl Fn() -> bool) -> bool {
        self.publish(&job);
        let mut stopped = false;
        let own = catch_unwind(AssertUnwindSafe(|| {
            while let Some(task) = job.take(0) {
                faults::run(job.body, task);
                if wants_stop() {
                    stopped = job.stop();
                    break;
                }
            }
        }));
        if own.is_err() {
            job.stop();
        }
        let ended = own.is_err() || stopped;
        stopped |= self.retire(&job, || !ended && wants_stop());
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        if let Some(panic) = job.panic.into_inner().unwrap_or_else(|e| e.into_inner()) {
            resume_unwind(panic);
        }
        !stopped
    }

    fn publish(&self, job: &Job<'_>) {
        let mut queue = self.lock();
        queue.push(QueuedJob(std::ptr::from_ref(job).cast()));
        self.wake(queue);
    }

    /// Counts a publication and wakes the workers. Under the lock: a worker that has seen the old count holds it until it
    /// sleeps, and would sleep through a count and a call that come in between.
    fn wake(&self, queue: MutexGuard<'_, Vec<QueuedJob>>) {
        self.epoch.fetch_add(1, Ordering::Release);
        drop(queue);
        self.work.notify_all();
    }

    /// Takes the job out of the queue and waits for the workers inside it; says whether `wants_stop`, which is asked
    /// meanwhile, said so: their tasks may look for that.
    fn retire(&self, job: &Job<'_>, wants_stop: impl Fn() -> bool) -> bool {
        self.lock().retain(|entry| !std::ptr::addr_eq(entry.0, std::ptr::from_ref(job)));
        for _ in 0..MAX_SPINS {
            if job.inside.load(Ordering::Acquire) == 0 {
                return false;
            }
            spin_loop();
        }
        let mut queue = self.lock();
        let mut stopped = false;
        while job.inside.load(Ordering::Relaxed) > 0 {
            let (held, waited) =
                self.left.wait_timeout(queue, POLL_INTERVAL).unwrap_or_else(|e| e.into_inner());
            queue = held;
            if waited.timed_out() && !stopped {
                // Whoever is asked may start work of its own, so not under the lock.
                drop(queue);
                stopped = wants_stop();
                queue = self.lock();
            }
        }
        stopped
    }

    /// A job that has tasks and room, entered.
    fn enter(queue: &[QueuedJob]) -> Option<*const Job<'static>> {
        for entry in queue.iter() {
            // SAFETY: a job in the queue is alive: `retire` takes it out first.
            let job = unsafe { &*entry.0 };
            if job.has_tasks() && job.helpers.load(Ordering::Relaxed) > 0 {
                job.helpers.fetch_sub(1, Ordering::Relaxed);
                job.inside.fetch_add(1, Ordering::Relaxed);
                return Some(entry.0);
            }
        }
        None
    }

    /// The life of the worker of that number.
    fn serve(&self, who: usize) {
        loop {
            let seen = self.epoch.load(Ordering::Acquire);
            if !self.help(who) {
                self.sleep(seen);
            }
        }
    }

    /// A worker's part in a job that has room for it; says whether there was one.
    fn help(&self, who: usize) -> bool {
        let Some(job) = WorkerPool::enter(&self.lock()) else { return false };
        // SAFETY: the worker is counted inside the job, which keeps it alive until it is counted out.
        let job = unsafe { &*job };
        job.help(who);
        let _queue = self.lock();
        // The last that this worker does with the job: its caller may be gone from here on.
        job.inside.fetch_sub(1, Ordering::Release);
        self.left.notify_all();
        true
    }

    /// Waits for a publication after the one of this number.
    fn sleep(&self, seen: usize) {
        if (0..MAX_SPINS).any(|_| {
            spin_loop();
            self.epoch.load(Ordering::Acquire) != seen
        }) {
            return;
        }
        let queue = self.lock();
        if self.epoch.load(Ordering::Acquire) == seen {
            drop(self.work.wait(queue));
        }
    }
}

static POOL: std::sync::Mutex<Option<&'static WorkerPool>> = std::sync::Mutex::new(None);
static FORKED: AtomicBool = AtomicBool::new(false);

/// Has a forked child know that it is one, from now on; systems without `fork` have no such children.
fn watch_forks() {
    #[cfg(unix)]
    {
        extern "C" fn after_fork_in_child() {
            FORKED.store(true, Ordering::SeqCst);
        }
        // SAFETY: the handler only stores to an atomic, which is allowed in a forked child.
        unsafe { libc::pthread_atfork(None, None, Some(after_fork_in_child)) };
    }
}

/// The pool; a child process after `fork` has none of its parent's threads and gets a new one. Pools live for ever.
fn pool() -> &'static WorkerPool {
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    if FORKED.swap(false, Ordering::SeqCst) {
        *pool = None;
    }
    pool.get_or_insert_with(|| {
        static WATCH_FORKS: OnceLock<()> = OnceLock::new();
        WATCH_FORKS.get_or_init(watch_forks);
        let pool: &'static WorkerPool = Box::leak(Box::default());
        for worker in 1..thread_count() {
            // A thread that begins without room for its thread-local data ends the process: the system gives it no error.
            if !has_room_for_a_worker() {
                break;
            }
            let (began, has_begun) = sync_channel::<()>(1);
            let named = std::thread::Builder::new().name(format!("cuprum-{worker}"));
            let started = named.spawn(move || {
                FIRST_CALLS.lock().unwrap_or_else(|e| e.into_inner()).iter().for_each(|touch| touch());
                let _ = began.send(());
                pool.serve(worker)
            });
            // Without a worker there is less help, and the same result.
            if started.is_err() {
                break;
            }
            // Its thread-local data are there when it says so. Until then nobody here takes the memory that was asked for.
            let _ = has_begun.recv();
        }
        pool
    })
}

/// Whether the system has addresses for one more worker. The allocator is not asked: what it keeps for this thread is of no
/// use to a new one, whose first allocations may be mappings of their own.
#[cfg(all(unix, not(miri)))]
fn has_room_for_a_worker() -> bool {
    let how = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping at an address of the system's choice.
    let room = unsafe { libc::mmap(std::ptr::null_mut(), WORKER_BYTES, libc::PROT_NONE, how, -1, 0) };
    // SAFETY: the mapping is the one just made, and nobody else knows it.
    room != libc::MAP_FAILED && unsafe { libc::munmap(room, WORKER_BYTES) } == 0
}

/// Whether there is memory for one more worker.
#[cfg(any(not(unix), miri))]
fn has_room_for_a_worker() -> bool {
    cuprum_core::memory::try_with_capacity::<u8>(WORKER_BYTES).is_ok()
}

/// Pointers that tasks share; each task touches elements of its own.
#[derive(Clone, Copy)]
pub struct Shared(pub *mut u8);

// SAFETY: tasks derive disjoint ranges from the pointer; the memory outlives `run_tasks`, which waits for them all.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// The pointer; a method, so that closures capture the wrapper whole.
    #[inline]
    pub fn get(self) -> *mut u8 {
        self.0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Miri takes a thousand times as long.
    const TASKS: usize = if cfg!(miri) { 200 } else { 100_000 };

    fn counts(tasks: usize) -> Vec<AtomicUsize> {
        (0..tasks).map(|_| AtomicUsize::new(0)).collect()
    }

    #[test]
    fn every_task_runs_once_for_several_callers_at_a_time() {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for tasks in [0, 1, 2, 7, 1000] {
                        let seen = counts(tasks);
                        let body = |task: usize| {
                            seen[task].fetch_add(1, Ordering::Relaxed);
                        };
                        assert!(share(4, tasks, &body, || false));
                        assert!(seen.iter().all(|count| count.load(Ordering::Relaxed) == 1));
                    }
                });
            }
        });
    }

    #[test]
    fn a_stop_ends_after_the_tasks_that_were_begun() {
        let seen = counts(TASKS);
        let body = |task: usize| {
            seen[task].fetch_add(1, Ordering::Relaxed);
            std::thread::yield_now();
        };
        assert!(!share(2, seen.len(), &body, || true));
        let begun = seen.iter().take_while(|count| count.load(Ordering::Relaxed) == 1).count();
        assert!(begun < seen.len());
        assert!(seen[begun..].iter().all(|count| count.load(Ordering::Relaxed) == 0), "tasks begin in order");
    }

    #[test]
    fn spread_tasks_run_once_each_and_begin_in_order_within_parts() {
        for (threads, tasks) in [(1, 5), (2, 2), (2, 7), (3, 1000), (40, 41), (40, 5)] {
            let seen = counts(tasks);
            let body = |task: usize| {
                seen[task].fetch_add(1, Ordering::Relaxed);
            };
            assert!(run_parts(threads, tasks, threads.min(MAX_PARTS), &body, || false));
            assert!(
                seen.iter().all(|count| count.load(Ordering::Relaxed) == 1),
                "{threads} threads, {tasks} tasks"
            );
        }
        let seen = counts(TASKS);
        let body = |task: usize| {
            seen[task].fetch_add(1, Ordering::Relaxed);
            std::thread::yield_now();
        };
        assert!(!run_parts(2, seen.len(), 2, &body, || true));
        for part in seen.chunks(TASKS / 2) {
            let begun = part.iter().take_while(|count| count.load(Ordering::Relaxed) == 1).count();
            assert!(begun < part.len());
            assert!(part[begun..].iter().all(|count| count.load(Ordering::Relaxed) == 0));
        }
    }

    #[test]
    fn a_panic_comes_out_and_the_pool_goes_on() {
        for _ in 0..20 {
            let body = |task: usize| assert!(task != 50, "the fiftieth task");
            let outcome = catch_unwind(AssertUnwindSafe(|| share(2, 100, &body, || false)));
            assert!(outcome.is_err());
            assert!(share(2, 100, &|_| {}, || false));
        }
    }
}
