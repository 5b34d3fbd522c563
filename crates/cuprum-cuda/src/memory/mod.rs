//! Memory of a GPU: pools that keep what is freed, by size class and by the stream that used it last.
//!
//! Work in one stream runs in order, so memory may be given out again in the stream that used it last while that use
//! is still under way. A use in another stream waits for the last one first ([`touch`]).

mod ordered;
mod pinned;
mod pool;
mod source;

use std::any::Any;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use cuprum_core::Result;
use cuprum_graph::Buffer;

use crate::capture::{can_wait, note_use};
use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::queue::stay_direct;
use crate::stream::Event;

pub use ordered::{
    allocate_ordered, create_pool, current_pool_handle, default_pool_handle, destroy_pool, free_ordered,
    pool_attribute, set_current_pool, set_pool_attribute, trim_pool,
};
pub use pinned::{PinnedBlock, PinnedPool};
pub(crate) use pool::Allocation;
pub use pool::Pool;

/// Whether any stream but the default one was ever made: until then nobody has to wait.
static STREAMS: AtomicBool = AtomicBool::new(false);
/// Streams that are gone; all of their work is done.
static GONE: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

/// Notes that a stream other than the default one exists (again, perhaps: the driver gives handles out anew).
pub(crate) fn stream_made(stream: usize) {
    STREAMS.store(true, Ordering::Release);
    if let Some(gone) = GONE.lock().unwrap_or_else(|e| e.into_inner()).as_mut() {
        gone.remove(&stream);
    }
}

/// Waits for a stream that is about to be destroyed, after which memory that it used last is anybody's.
///
/// # Safety
/// The stream is alive.
pub(crate) unsafe fn forget_stream(gpu: &'static Gpu, stream: usize) {
    let wait = || {
        gpu.enter()?;
        // SAFETY: the caller vouches for the stream.
        check(unsafe { (cuda()?.cuStreamSynchronize)(stream) }, "cuStreamSynchronize")
    };
    // A fault of its work shows at the next call that waits.
    let _ = wait();
    GONE.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default().insert(stream);
}

fn is_gone(stream: usize) -> bool {
    GONE.lock().unwrap_or_else(|e| e.into_inner()).as_ref().is_some_and(|gone| gone.contains(&stream))
}

/// Whether there is, or was, any stream but the default one.
#[inline]
pub(crate) fn has_streams() -> bool {
    STREAMS.load(Ordering::Acquire)
}

/// Makes `stream` wait for the last use of a buffer in another stream, and notes that `stream` uses it now.
///
/// # Safety
/// The handle is that of a stream of the GPU that is alive, and stays so until [`forget_stream`] where it is one of ours.
///
/// ```compile_fail,E0133
/// fn guess(gpu: &'static cuprum_cuda::Gpu, buffer: &cuprum_graph::Buffer) {
///     cuprum_cuda::touch(gpu, buffer, 0x7f00).unwrap();
/// }
/// ```
#[inline]
pub unsafe fn touch(gpu: &'static Gpu, buffer: &Buffer, stream: usize) -> Result<()> {
    // A buffer may be a part of another one.
    let block = buffer.whole().keeper();
    if block.downcast_ref::<Allocation>().is_none_or(Allocation::is_outside) {
        stay_direct();
    }
    if !has_streams() {
        return Ok(());
    }
    // SAFETY: the caller vouches for the stream.
    unsafe { touch_block(gpu, block, stream) }
}

/// Notes that code outside this library knows a buffer's address and may use it in stream order at any time. Launches
/// that use the buffer are no longer queued from now on, and those that are queued are submitted.
///
/// ```
/// let device = cuprum_cuda::device(0);
/// if let Ok(buffer) = device.and_then(|device| device.pool().allocate(16)) {
///     cuprum_cuda::expose(&buffer).unwrap();
/// }
/// ```
pub fn expose(buffer: &Buffer) -> Result<()> {
    if let Some(allocation) = buffer.whole().keeper().downcast_ref::<Allocation>() {
        allocation.set_outside();
    }
    cuda().map(|_| ())
}

/// The block of one of our pools that a buffer lies in, with what it has been rounded up by; `None` for memory of others.
///
/// ```
/// let device = cuprum_cuda::device(0);
/// if let Ok(buffer) = device.and_then(|device| device.pool().allocate(16)) {
///     assert_eq!(cuprum_cuda::block_of(&buffer).unwrap().len(), 512);
/// }
/// ```
pub fn block_of(buffer: &Buffer) -> Option<std::ops::Range<usize>> {
    buffer.whole().keeper().downcast_ref::<Allocation>().map(Allocation::range)
}

/// [`touch`], for what keeps a buffer's memory.
///
/// # Safety
/// As [`touch`].
pub(crate) unsafe fn touch_block(
    gpu: &'static Gpu,
    block: &Arc<dyn Any + Send + Sync>,
    stream: usize,
) -> Result<()> {
    let Some(allocation) = block.downcast_ref::<Allocation>() else { return Ok(()) };
    // SAFETY: the caller's promise.
    unsafe { note_use(stream, block, allocation) };
    let last = allocation.used_in(stream);
    // Recorded work cannot wait for work outside its graph, all of which was done when it began, nor the other way round.
    // SAFETY: the caller vouches for the one stream; the other is not gone, and its user vouched for it.
    if last == stream || is_gone(last) || !unsafe { can_wait(stream, last) } {
        return Ok(());
    }
    static MARK: OnceLock<Mutex<Vec<Option<Event>>>> = OnceLock::new();
    let mut marks = MARK.get_or_init(Default::default).lock().unwrap_or_else(|e| e.into_inner());
    if marks.len() <= gpu.ordinal {
        marks.resize_with(gpu.ordinal + 1, || None);
    }
    let mark = match &mut marks[gpu.ordinal] {
        Some(mark) => mark,
        empty => empty.insert(Event::new(gpu, false, false)?),
    };
    // SAFETY: streams that are gone were sorted out above.
    unsafe { mark.record(last)? };
    // SAFETY: both handles are alive; the wait is for what was recorded just now, so the event is free again after.
    check(unsafe { (cuda()?.cuStreamWaitEvent)(stream, mark.handle(), 0) }, "cuStreamWaitEvent")
}
