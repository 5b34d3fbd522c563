//! Recording work into graphs: which streams record, and what must live as long as a graph because its launches read it:
//! memory, bytes of the host, plans, functions.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::thread::ThreadId;

use cuprum_core::{Error, Result};
use cuprum_graph::DeferredCheck;

use crate::check::{check, cuda, cuda_unordered};
use crate::context::Gpu;
use crate::device::device;
use crate::faults;
use crate::memory::{Allocation, PinnedBlock, Pool};

/// `CU_STREAM_CAPTURE_MODE_RELAXED`.
const RELAXED: i32 = 2;
/// The least size of a block for bytes of the host.
const HOST_BLOCK_MIN_BYTES: usize = 64 << 10;
/// Handles up to this one name the default streams, which record nothing.
const LAST_DEFAULT_STREAM: usize = 2;

/// What a graph needs as long as it can be launched.
#[derive(Default)]
pub(crate) struct GraphResources {
    things: Vec<Arc<dyn Any + Send + Sync>>,
    /// The blocks of memory that the work uses, by where they are noted: each launch is a use of those that are still there.
    uses: HashMap<usize, Weak<dyn Any + Send + Sync>>,
    /// The checks of positions that the work makes.
    pub(crate) checks: Vec<DeferredCheck>,
    blocks: Vec<PinnedBlock>,
    /// Bytes of the last block that are taken.
    taken: usize,
}

impl GraphResources {
    /// The blocks of memory that the work uses and that are still there.
    pub(crate) fn used(&self) -> impl Iterator<Item = Arc<dyn Any + Send + Sync>> {
        self.uses.values().filter_map(Weak::upgrade)
    }
}

/// A recording under way.
struct Capture {
    stream: usize,
    thread: ThreadId,
    /// The driver's mode of captures that the thread had before.
    mode: i32,
    pool: Arc<Pool>,
    kept: GraphResources,
}

static CAPTURES: Mutex<Vec<Capture>> = Mutex::new(Vec::new());
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
/// Whether any stream ever recorded.
static EVER: AtomicBool = AtomicBool::new(false);

fn captures() -> MutexGuard<'static, Vec<Capture>> {
    CAPTURES.lock().unwrap_or_else(|e| e.into_inner())
}

/// Whether a graph was ever recorded.
pub(crate) fn was_capturing() -> bool {
    EVER.load(Ordering::Acquire)
}

/// Whether a graph is being recorded.
#[inline]
pub(crate) fn is_under_way() -> bool {
    UNDER_WAY.load(Ordering::Acquire) != 0
}

/// What a stream does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CaptureRole {
    Runs,
    /// It records: one of our calls began the capture.
    Records,
    /// It waited for a stream that records, and now records into the same graph.
    Joined,
}

/// # Safety
/// The stream is alive.
unsafe fn role(stream: usize) -> CaptureRole {
    if UNDER_WAY.load(Ordering::Acquire) == 0 || stream <= LAST_DEFAULT_STREAM {
        return CaptureRole::Runs;
    }
    if captures().iter().any(|capture| capture.stream == stream) {
        return CaptureRole::Records;
    }
    const ACTIVE: i32 = 1;
    let mut status = 0;
    // SAFETY: writes one number; the caller vouches for the stream.
    let code = cuda_unordered().map(|cuda| unsafe { (cuda.cuStreamIsCapturing)(stream, &mut status) });
    if code == Ok(0) && status == ACTIVE { CaptureRole::Joined } else { CaptureRole::Runs }
}

/// Whether the stream records a graph.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn is_capturing(stream: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { role(stream) != CaptureRole::Runs }
}

/// An error where the stream records a graph: the host cannot wait for what it records, and the driver would give the
/// recording up.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn check_can_end(stream: usize, op: &'static str) -> Result<()> {
    // SAFETY: the caller's promise.
    if unsafe { is_capturing(stream) } { Err(Error::Recording { op: op.into() }) } else { Ok(()) }
}

/// Whether work of one stream can wait for work of the other: both run, or both record the same graph.
///
/// # Safety
/// Both streams are alive.
pub(crate) unsafe fn can_wait(stream: usize, first: usize) -> bool {
    // SAFETY: the caller's promise.
    match unsafe { (role(stream), role(first)) } {
        (CaptureRole::Runs, CaptureRole::Runs) => true,
        (CaptureRole::Runs, _) | (_, CaptureRole::Runs) | (CaptureRole::Records, CaptureRole::Records) => {
            false
        }
        (CaptureRole::Joined, _) | (_, CaptureRole::Joined) => true,
    }
}

/// Lets the calling thread ask for memory while a graph is recorded anywhere; gives the mode that it had.
pub(crate) fn exchange_mode(mode: i32) -> Result<i32> {
    let mut mode = mode;
    // SAFETY: reads and writes one number.
    let code = unsafe { (cuda()?.cuThreadExchangeStreamCaptureMode)(&mut mode) };
    check(code, "cuThreadExchangeStreamCaptureMode").map(|()| mode)
}

/// Lets the calling thread load code while a graph is recorded in any mode.
pub(crate) fn allow_this_thread() {
    // Where the driver refuses, loading says why.
    let _ = exchange_mode(RELAXED);
}

/// Begins to record a stream's work. All work so far is done first. Until [`end`], memory for work in this stream comes from a
/// pool of the graph's own, so that nothing else ever uses what the graph writes when it is launched.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn begin(gpu: &'static Gpu, stream: usize, mode: i32) -> Result<()> {
    let device = device(gpu.ordinal)?;
    // What is made and filled when it is first used would be filled by a launch only.
    device.tickets(stream)?;
    faults::of(device)?.renew(&device.session()?)?;
    gpu.synchronize()?;
    // SAFETY: the caller vouches for the stream.
    check(unsafe { (cuda()?.cuStreamBeginCapture_v2)(stream, mode) }, "cuStreamBeginCapture")?;
    // Arrays need memory while they are recorded, which the other modes forbid this thread to ask for.
    let mode = exchange_mode(RELAXED)?;
    let pool = Pool::of_graph(gpu);
    let kept = GraphResources { things: vec![pool.clone()], ..GraphResources::default() };
    let mut captures = captures();
    captures.push(Capture { stream, thread: std::thread::current().id(), mode, pool, kept });
    UNDER_WAY.store(captures.len(), Ordering::Release);
    EVER.store(true, Ordering::Release);
    Ok(())
}

/// Ends what [`begin`] began, before the driver is told; `None` where the stream does not record.
pub(crate) fn end(stream: usize) -> Option<GraphResources> {
    let mut captures = captures();
    let place = captures.iter().position(|capture| capture.stream == stream)?;
    let capture = captures.swap_remove(place);
    UNDER_WAY.store(captures.len(), Ordering::Release);
    drop(captures);
    if capture.thread == std::thread::current().id() {
        // The driver gave this mode: setting it again does not fail.
        let _ = exchange_mode(capture.mode);
    }
    let mut kept = capture.kept;
    // What only the work itself used lies in the graph's own pool.
    kept.uses.retain(|_, block| block.strong_count() > 0);
    Some(kept)
}

/// Runs `act` on the recording that `stream` takes part in; `None` where there is none.
///
/// # Safety
/// The stream is alive.
unsafe fn with_capture<T>(stream: usize, act: impl FnOnce(&mut Capture) -> T) -> Option<T> {
    // SAFETY: the caller's promise.
    if !unsafe { is_capturing(stream) } {
        return None;
    }
    let me = std::thread::current().id();
    let mut captures = captures();
    let own = captures.iter().position(|capture| capture.stream == stream);
    let of_thread = || captures.iter().position(|capture| capture.thread == me);
    let place = own.or_else(of_thread).or_else(|| captures.len().checked_sub(1))?;
    Some(act(&mut captures[place]))
}

/// The pool that memory for work in a stream comes from, where it records a graph.
///
/// # Safety
/// The stream is alive.
#[inline]
pub(crate) unsafe fn pool(stream: usize) -> Option<Arc<Pool>> {
    if UNDER_WAY.load(Ordering::Acquire) == 0 {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { with_capture(stream, |capture| capture.pool.clone()) }
}

/// Keeps something alive as long as the graph that `stream` records; `false` if it records none.
///
/// # Safety
/// The stream is alive.
///
/// ```
/// let memory = std::sync::Arc::new([0u8; 16]);
/// // SAFETY: the default stream is always alive.
/// assert!(!unsafe { cuprum_cuda::keep_for_graph(0, memory) });
/// ```
///
/// ```compile_fail,E0133
/// fn guess(memory: std::sync::Arc<[u8; 16]>) -> bool {
///     cuprum_cuda::keep_for_graph(0x7f00, memory)
/// }
/// ```
pub unsafe fn keep_for_graph(stream: usize, thing: Arc<dyn Any + Send + Sync>) -> bool {
    // SAFETY: the caller's promise.
    unsafe { with_capture(stream, |capture| capture.kept.things.push(thing)) }.is_some()
}

/// Notes that recorded work uses a block of memory; a block that is not the graph's own is kept as long as the graph. Does
/// nothing if the stream does not record.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn note_use(stream: usize, block: &Arc<dyn Any + Send + Sync>, allocation: &Allocation) {
    let note = |capture: &mut Capture| {
        let place = Arc::as_ptr(block).cast::<()>() as usize;
        let known = capture.kept.uses.insert(place, Arc::downgrade(block)).is_some();
        if !known && !allocation.is_of(&capture.pool) {
            capture.kept.things.push(block.clone());
        }
    };
    // SAFETY: the caller's promise.
    unsafe { with_capture(stream, note) };
}

/// Keeps the number of a check as long as the graph that `stream` records; `false` where it records none.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn keep_check(stream: usize, mark: &DeferredCheck) -> bool {
    // SAFETY: the caller's promise.
    unsafe { with_capture(stream, |capture| capture.kept.checks.push(mark.clone())) }.is_some()
}

/// Page-locked memory that holds a copy of the bytes as long as the graph that `stream` records: a recorded copy reads it at
/// every launch. `None` where the stream records none.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn keep_bytes(gpu: &Gpu, stream: usize, bytes: &[u8]) -> Result<Option<usize>> {
    const LINE: usize = 64;
    let keep = |kept: &mut GraphResources| {
        let room = kept.blocks.last().map_or(0, |block| block.bytes() - kept.taken);
        if bytes.len() > room {
            kept.blocks.push(PinnedBlock::new(gpu, bytes.len().max(HOST_BLOCK_MIN_BYTES))?);
            kept.taken = 0;
        }
        let block = kept.blocks.last().expect("one was just made where there was none");
        let address = block.address() + kept.taken;
        // SAFETY: the block has so much room from there on, and nobody else has it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        kept.taken = (kept.taken + bytes.len().next_multiple_of(LINE)).min(block.bytes());
        Ok(address)
    };
    // SAFETY: the caller's promise.
    unsafe { with_capture(stream, |capture| keep(&mut capture.kept)) }.transpose()
}
