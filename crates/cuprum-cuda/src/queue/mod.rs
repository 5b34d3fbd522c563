//! Launches of loops, submitted several at a time.
//!
//! A single launch costs the host several microseconds. Repeated launches of the default stream are queued here and submitted
//! together as a CUDA graph, which is built once for a sequence of kernels and gets new arguments each time. Any other call to
//! the driver submits the queue first (`check::cuda`), so that the driver sees the same calls in the same order as without a
//! queue. `CUPRUM_GRAPHS=0` switches it off; `always` queues every launch that can be queued, for tests.

mod batch;
mod repetition;
mod replay;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use cuprum_core::Result;
use smallvec::SmallVec;

use crate::capture;
use crate::check::{check, cuda, cuda_unordered, remember};
use crate::context::Gpu;
use crate::launch::{Launch, launch_now};
use crate::sys::Driver;

use batch::Batch;
use repetition::{RepetitionDetector, RunPlace};
use replay::Replay;

/// A sequence of at least this many launches is submitted when its first kernel is launched again.
const MIN_LAUNCHES: usize = 8;
/// A sequence is submitted when it has this many launches.
const MAX_LAUNCHES: usize = 32;
/// How long launches of a tight loop may be queued; where they wait longer, the loop is not tight.
const MAX_AGE: Duration = Duration::from_micros(250);
/// The occurrence of a sequence at which it becomes a graph. To build one takes the driver some 20 microseconds; each submission
/// saves as many.
const GRAPH_FROM: u32 = 2;
/// Shorter sequences are launched one by one: between calls of libraries, a graph starts later than a launch.
const GRAPH_MIN_LAUNCHES: usize = 4;
/// How many sequences are remembered.
const MAX_SEQUENCES: usize = 128;
/// The only stream whose launches wait: no other library can begin to record it.
const DEFAULT_STREAM: usize = 0;
const NOT_READY: i32 = 600;

static QUEUE: Mutex<Option<Queue>> = Mutex::new(None);
/// Whether launches are queued.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the host has waited for a GPU since the last launch.
static HOST_WAITED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether launches of the call that this thread makes are submitted at once.
    static DIRECT: Cell<bool> = const { Cell::new(false) };
}

/// Which launches are queued.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueueMode {
    None,
    Loops,
    Always,
}

fn mode() -> QueueMode {
    static MODE: OnceLock<QueueMode> = OnceLock::new();
    *MODE.get_or_init(|| match std::env::var("CUPRUM_GRAPHS").as_deref() {
        Ok("0") => QueueMode::None,
        Ok("always") => QueueMode::Always,
        _ => QueueMode::Loops,
    })
}

/// Begins a call to the device, whose launches may be queued.
#[inline]
pub(crate) fn begin_call() {
    DIRECT.set(false);
}

/// Submits all further launches of the thread's current call at once: it uses memory that other code may read without asking
/// us, or a library with launches of its own.
#[inline]
pub(crate) fn stay_direct() {
    DIRECT.set(true);
}

/// Notes that the host waits for a GPU, which is idle afterwards.
#[inline]
pub(crate) fn note_host_wait() {
    HOST_WAITED.store(true, Ordering::Relaxed);
}

/// Whether there are queued launches.
#[inline]
pub(crate) fn is_waiting() -> bool {
    WAITING.load(Ordering::Acquire)
}

/// Submits the queued launches.
#[cold]
pub(crate) fn flush() -> Result<()> {
    let mut queue = lock();
    let queue = queue.get_or_insert_default();
    queue.note_cut();
    queue.flush()
}

/// Launches one of our kernels, at once or together with those that follow.
///
/// # Safety
/// As for [`launch_now`]; the GPU's context is the current one.
pub(crate) unsafe fn submit(gpu: &'static Gpu, stream: usize, launch: &Launch<'_>) -> Result<()> {
    let mode = mode();
    let is_queued =
        mode != QueueMode::None && stream == DEFAULT_STREAM && !DIRECT.get() && !capture::is_under_way();
    if is_queued {
        // SAFETY: the caller's promise.
        return unsafe { lock().get_or_insert_default().take(gpu, mode, launch) };
    }
    // SAFETY: the caller's promise. What waits is submitted before it.
    unsafe { launch_now(cuda()?, stream, launch) }
}

/// What is known of a sequence of launches.
enum Sequence {
    /// How often it came.
    Seen(u32),
    Graph(Replay),
    /// The driver makes no graph of it.
    Refused,
}

#[derive(Default)]
struct Queue {
    /// The GPU of the queued launches.
    gpu: Option<&'static Gpu>,
    batch: Batch,
    /// When the first of them was queued.
    began: Option<Instant>,
    repetition: RepetitionDetector,
    sequences: HashMap<SmallVec<[usize; MAX_LAUNCHES]>, Sequence>,
    submissions: u64,
    /// The runs that the first launches of the batch end.
    first_runs: SmallVec<[RunPlace; GRAPH_MIN_LAUNCHES]>,
}

fn lock() -> MutexGuard<'static, Option<Queue>> {
    QUEUE.lock().unwrap_or_else(|e| e.into_inner())
}

impl Queue {
    /// Queues a launch, or submits it at once.
    ///
    /// # Safety
    /// As for [`submit`].
    unsafe fn take(&mut self, gpu: &'static Gpu, mode: QueueMode, launch: &Launch<'_>) -> Result<()> {
        if HOST_WAITED.load(Ordering::Relaxed) {
            HOST_WAITED.store(false, Ordering::Relaxed);
            self.repetition.waited();
        }
        let function = launch.kernel.function;
        let run = self.repetition.note(function);
        let mut waits = run.is_some() || mode == QueueMode::Always;
        let now = if waits { Some(Instant::now()) } else { None };
        let begins_anew = self.batch.functions().next() == Some(function);
        if self.gpu.is_some_and(|of| of.ordinal != gpu.ordinal) || !waits {
            self.flush()?;
        } else if self.batch.len() >= MAX_LAUNCHES || (self.batch.len() >= MIN_LAUNCHES && begins_anew) {
            self.flush_full()?;
        } else if mode == QueueMode::Loops
            && self.began.zip(now).is_some_and(|(began, now)| now - began > MAX_AGE)
        {
            self.repetition.pause();
            self.flush()?;
            waits = false;
        }
        if !waits {
            // SAFETY: the caller's promise; what waited is submitted.
            return unsafe { launch_now(cuda_unordered()?, DEFAULT_STREAM, launch) };
        }
        self.gpu = Some(gpu);
        self.batch.push(launch);
        self.first_runs.extend(run.filter(|_| self.batch.len() <= GRAPH_MIN_LAUNCHES));
        self.began = self.began.or(now);
        WAITING.store(true, Ordering::Release);
        Ok(())
    }

    /// Notes that another driver call cuts a sequence short. After few launches, queueing did not pay.
    fn note_cut(&mut self) {
        if self.batch.len() < GRAPH_MIN_LAUNCHES {
            self.first_runs.iter().for_each(|&run| self.repetition.cut(run));
        }
    }

    /// Submits a whole sequence. If the GPU is still busy with the last one, the GPU is the bottleneck, and launches should be
    /// submitted early.
    fn flush_full(&mut self) -> Result<()> {
        // SAFETY: the default stream is always there; the GPU's context is the current one.
        let busy = unsafe { (cuda_unordered()?.cuStreamQuery)(DEFAULT_STREAM) } == NOT_READY;
        if busy {
            self.repetition.pause();
        } else {
            self.repetition.go_on();
        }
        self.flush()
    }

    /// Submits all queued launches. One that the driver refuses stays in the queue, with those behind it.
    fn flush(&mut self) -> Result<()> {
        let Some(gpu) = self.gpu.filter(|_| !self.batch.is_empty()) else { return Ok(()) };
        let driver = cuda_unordered()?;
        let mut current = 0;
        // The default streams of all GPUs have one handle: the current context says which is meant.
        // SAFETY: reads and sets the thread's current context; the GPU's is never destroyed.
        unsafe {
            check((driver.cuCtxGetCurrent)(&mut current), "cuCtxGetCurrent")?;
            if current != gpu.context {
                check((driver.cuCtxSetCurrent)(gpu.context), "cuCtxSetCurrent")?;
            }
        }
        let outcome = self.submit_batch(driver);
        if current != gpu.context {
            // SAFETY: the context that was current before.
            check(unsafe { (driver.cuCtxSetCurrent)(current) }, "cuCtxSetCurrent")?;
        }
        if self.batch.is_empty() {
            self.began = None;
            self.first_runs.clear();
            WAITING.store(false, Ordering::Release);
        }
        outcome
    }

    fn submit_batch(&mut self, driver: &'static Driver) -> Result<()> {
        self.submissions += 1;
        if self.submit_as_graph(driver) {
            return Ok(());
        }
        for number in 0..self.batch.len() {
            let (kernel, geometry) = (self.batch.kernel(number), self.batch.geometry(number));
            let mut arguments = self.batch.arguments(number);
            // SAFETY: the arguments are those of a launch whose caller vouched for them; memory that was freed since then
            // has not been used by anybody else, who would have had to ask the driver or to wait here, too.
            let code = unsafe { driver.launch(kernel, geometry, DEFAULT_STREAM, &mut arguments) };
            if let Err(error) = check(code, kernel.name) {
                self.batch.forget(number);
                return Err(error);
            }
        }
        self.batch.forget(self.batch.len());
        Ok(())
    }

    /// Submits the launches as a graph; `false`, and nothing submitted, if there is no graph for them.
    fn submit_as_graph(&mut self, driver: &'static Driver) -> bool {
        if self.batch.len() < GRAPH_MIN_LAUNCHES && mode() != QueueMode::Always {
            return false;
        }
        let key: SmallVec<[usize; MAX_LAUNCHES]> = self.batch.functions().collect();
        if self.sequences.len() >= MAX_SEQUENCES && !self.sequences.contains_key(&key) {
            self.forget_oldest(driver);
        }
        let sequence = self.sequences.entry(key).or_insert(Sequence::Seen(0));
        if let Sequence::Seen(times) = sequence {
            *times += 1;
            if *times >= GRAPH_FROM || mode() == QueueMode::Always {
                *sequence = Replay::new(driver, &self.batch).map_or(Sequence::Refused, Sequence::Graph);
            }
        }
        let Sequence::Graph(replay) = sequence else { return false };
        replay.when = self.submissions;
        for number in 0..self.batch.len() {
            remember(self.batch.kernel(number).name);
        }
        // SAFETY: as for single launches.
        if unsafe { replay.submit(driver, &mut self.batch, DEFAULT_STREAM) }.is_err() {
            // Launched one by one, the failing launch is named.
            if let Sequence::Graph(replay) = std::mem::replace(sequence, Sequence::Refused) {
                replay.destroy(driver);
            }
            return false;
        }
        self.batch.forget(self.batch.len());
        true
    }

    /// Forgets the sequences without a graph, or else the least recently submitted graph.
    fn forget_oldest(&mut self, driver: &'static Driver) {
        let before = self.sequences.len();
        self.sequences.retain(|_, sequence| matches!(sequence, Sequence::Graph(_)));
        let when = |sequence: &Sequence| match sequence {
            Sequence::Graph(replay) => replay.when,
            _ => 0,
        };
        if self.sequences.len() < before {
            return;
        }
        let oldest =
            self.sequences.iter().min_by_key(|(_, sequence)| when(sequence)).map(|(key, _)| key.clone());
        if let Some(Sequence::Graph(replay)) = oldest.and_then(|key| self.sequences.remove(&key)) {
            replay.destroy(driver);
        }
    }
}
