//! Launches of loops, submitted several at a time.
//!
//! A launch by itself costs the host several microseconds. Launches of the default stream that come again and again wait here, and
//! are submitted together as a graph of the driver's, which is made once for a sequence of kernels and has new arguments
//! each time. Whatever else is asked of the driver submits them first (`check::cuda`), so that the driver sees the same
//! calls in the same order as without a queue. `CUPRUM_GRAPHS=1` switches it on; `always` queues every launch that can
//! be, as tests do.

mod batch;
mod replay;
mod rhythm;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use cuprum_core::Result;
use smallvec::SmallVec;

use crate::capture;
use crate::check::{check, cuda, cuda_beside_work, remember};
use crate::context::Gpu;
use crate::launch::{Launch, launch_now};
use crate::sys::Driver;

use batch::Batch;
use replay::Replay;
use rhythm::Rhythm;

/// A sequence is submitted where it would begin anew, once it has so many launches.
const MIN_LAUNCHES: usize = 8;
/// A sequence is submitted when it has so many launches.
const MAX_LAUNCHES: usize = 32;
/// Launches that wait longer are no tight loop's.
const MAX_AGE: Duration = Duration::from_micros(250);
/// A sequence becomes a graph, which takes the driver some 20 microseconds and saves as many with each submission, when it comes
/// for this time.
const GRAPH_FROM: u32 = 2;
/// Sequences of fewer launches are launched as they are: beside the work of libraries, a graph begins later than a launch.
const FEW_LAUNCHES: usize = 4;
/// So many sequences in a row that others have cut short are no sequences.
const MAX_CUTS: u32 = 4;
/// How many sequences are remembered.
const MAX_SEQUENCES: usize = 128;
/// The only stream whose launches wait: no other library can begin to record it.
const DEFAULT_STREAM: usize = 0;
const NOT_READY: i32 = 600;

static QUEUE: Mutex<Option<Queue>> = Mutex::new(None);
/// Whether launches wait.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the host has waited for a GPU since the last launch.
static HOST_WAITED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether launches of the call that this thread makes are submitted at once.
    static DIRECT: Cell<bool> = const { Cell::new(false) };
}

/// Which launches wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueueMode {
    None,
    Loops,
    Always,
}

fn mode() -> QueueMode {
    static MODE: OnceLock<QueueMode> = OnceLock::new();
    *MODE.get_or_init(|| match std::env::var("CUPRUM_GRAPHS").as_deref() {
        Ok("1") => QueueMode::Loops,
        Ok("always") => QueueMode::Always,
        _ => QueueMode::None,
    })
}

/// Begins a call of the device's, whose launches may wait.
#[inline]
pub(crate) fn begin_call() {
    DIRECT.set(false);
}

/// The launches of the call that the thread makes do not wait from here on: it uses memory that code outside knows of, and may
/// look at without asking us, or a library that launches by itself.
#[inline]
pub(crate) fn stay_direct() {
    DIRECT.set(true);
}

/// Notes that the host waits for a GPU: what comes next finds it idle.
#[inline]
pub(crate) fn note_host_wait() {
    HOST_WAITED.store(true, Ordering::Relaxed);
}

/// Whether launches wait to be submitted.
#[inline]
pub(crate) fn is_waiting() -> bool {
    WAITING.load(Ordering::Acquire)
}

/// Submits the launches that wait.
#[cold]
pub(crate) fn flush() -> Result<()> {
    let mut queue = lock();
    let queue = queue.get_or_insert_default();
    queue.note_cut();
    queue.flush()
}

/// Launches a kernel of ours, now or with those that follow it.
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
    /// The GPU of the launches that wait.
    gpu: Option<&'static Gpu>,
    batch: Batch,
    /// When the first of them came.
    began: Option<Instant>,
    rhythm: Rhythm,
    sequences: HashMap<SmallVec<[usize; MAX_LAUNCHES]>, Sequence>,
    submissions: u64,
    /// How many sequences in a row were cut short.
    cuts: u32,
}

fn lock() -> MutexGuard<'static, Option<Queue>> {
    QUEUE.lock().unwrap_or_else(|e| e.into_inner())
}

impl Queue {
    /// Takes a launch, and submits it at once where it should not wait.
    ///
    /// # Safety
    /// As for [`submit`].
    unsafe fn take(&mut self, gpu: &'static Gpu, mode: QueueMode, launch: &Launch<'_>) -> Result<()> {
        if HOST_WAITED.load(Ordering::Relaxed) {
            HOST_WAITED.store(false, Ordering::Relaxed);
            self.rhythm.waited();
        }
        let function = launch.kernel.function;
        let mut waits = self.rhythm.note(function) || mode == QueueMode::Always;
        let now = if waits { Some(Instant::now()) } else { None };
        let begins_anew = self.batch.functions().next() == Some(function);
        if self.gpu.is_some_and(|of| of.ordinal != gpu.ordinal) || !waits {
            self.flush()?;
        } else if self.batch.len() >= MAX_LAUNCHES || (self.batch.len() >= MIN_LAUNCHES && begins_anew) {
            self.flush_full()?;
        } else if mode == QueueMode::Loops
            && self.began.zip(now).is_some_and(|(began, now)| now - began > MAX_AGE)
        {
            self.rhythm.pause();
            self.flush()?;
            waits = false;
        }
        if !waits {
            // SAFETY: the caller's promise; what waited is submitted.
            return unsafe { launch_now(cuda_beside_work()?, DEFAULT_STREAM, launch) };
        }
        self.gpu = Some(gpu);
        self.batch.push(launch);
        self.began = self.began.or(now);
        WAITING.store(true, Ordering::Release);
        Ok(())
    }

    /// Notes that the driver is asked for something else before a sequence is full. Where that comes after a few launches, and
    /// again and again, waiting brings nothing.
    fn note_cut(&mut self) {
        if self.batch.len() >= FEW_LAUNCHES {
            self.cuts = 0;
            return;
        }
        self.cuts += 1;
        if self.cuts == MAX_CUTS {
            self.cuts = 0;
            self.rhythm.pause();
        }
    }

    /// Submits a whole sequence. Where the GPU still works on the last one, it is the GPU that takes the time, and launches
    /// are better there early.
    fn flush_full(&mut self) -> Result<()> {
        // SAFETY: the default stream is always there; the GPU's context is the current one.
        let busy = unsafe { (cuda_beside_work()?.cuStreamQuery)(DEFAULT_STREAM) } == NOT_READY;
        if busy {
            self.rhythm.pause();
        } else {
            self.rhythm.go_on();
        }
        self.flush()
    }

    /// Submits all that waits. Launches that the driver refuses go on waiting, with those behind them.
    fn flush(&mut self) -> Result<()> {
        let Some(gpu) = self.gpu.filter(|_| !self.batch.is_empty()) else { return Ok(()) };
        let driver = cuda_beside_work()?;
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

    /// Submits the launches as a graph; `false` where there is none for them, and nothing was submitted.
    fn submit_as_graph(&mut self, driver: &'static Driver) -> bool {
        if self.batch.len() < FEW_LAUNCHES && mode() != QueueMode::Always {
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
            // Launched one by one, they say what is wrong.
            if let Sequence::Graph(replay) = std::mem::replace(sequence, Sequence::Refused) {
                replay.destroy(driver);
            }
            return false;
        }
        self.batch.forget(self.batch.len());
        true
    }

    /// Forgets the sequences that are no graphs, or the graph that was not submitted for longest.
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
