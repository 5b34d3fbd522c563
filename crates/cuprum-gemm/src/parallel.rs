//! Threads and scratch memory for the products: a loop over tasks, and a buffer that each thread keeps.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr::NonNull;

use cuprum_core::memory::{OutOfMemory, faults};
use cuprum_threads::interrupt::Watch;

/// Calls `task` with `0..tasks`, in any order, on the calling thread and up to `threads - 1` workers. False where the user
/// asked to stop before the last.
#[must_use]
pub(super) fn parallel(threads: usize, tasks: usize, task: &(dyn Fn(usize) + Sync)) -> bool {
    if tasks == 1 {
        task(0);
        return true;
    }
    let watch = Watch::start();
    cuprum_threads::share(threads, tasks, task, || watch.wants_stop())
}

/// A pointer that tasks share; each task writes a part of its own.
pub(super) struct SharedPointer<T>(pub *mut T);

// SAFETY: whoever dereferences it keeps to a part of its own.
unsafe impl<T> Sync for SharedPointer<T> {}

impl<T> SharedPointer<T> {
    /// The pointer, taken through the shared value so that a closure captures that and not the bare pointer.
    #[inline]
    pub(super) fn get(&self) -> *mut T {
        self.0
    }
}

/// Page-aligned memory.
struct PageBuffer {
    at: NonNull<u8>,
    layout: Layout,
}

impl PageBuffer {
    fn new(bytes: usize) -> PageBuffer {
        let layout = Layout::from_size_align(bytes.next_multiple_of(4096), 4096).expect("scratch of a block");
        let failed = OutOfMemory { bytes: layout.size() };
        if faults::strikes() {
            resume_unwind(Box::new(failed));
        }
        // SAFETY: the size is not zero, `bytes` not being zero.
        match NonNull::new(unsafe { alloc(layout) }) {
            Some(at) => PageBuffer { at, layout },
            None => resume_unwind(Box::new(failed)),
        }
    }
}

impl Drop for PageBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(self.at.as_ptr(), self.layout) }
    }
}

/// Bytes of scratch memory that a thread keeps at most.
const MAX_KEPT_BYTES: usize = 32 << 20;

thread_local! {
    /// Kept between calls: fresh pages would cost more than packing a middling matrix into them.
    static SCRATCH: Cell<Option<PageBuffer>> = const { Cell::new(None) };
}

/// Touches the memory that a thread keeps for products: what is dropped when it ends is known from then on.
///
/// ```
/// cuprum_gemm::touch_scratch();
/// ```
pub fn touch_scratch() {
    SCRATCH.with(|_| {});
}

/// Calls `body` with `bytes` bytes of uninitialised, page-aligned memory that nobody else uses meanwhile.
#[inline]
pub(super) fn with_scratch<T>(bytes: usize, body: impl FnOnce(*mut u8) -> T) -> T {
    let buffer = (bytes > 0).then(|| match SCRATCH.take() {
        Some(buffer) if buffer.layout.size() >= bytes => buffer,
        _ => PageBuffer::new(bytes),
    });
    // Called in one place, so that there is one copy of it.
    let result = body(buffer.as_ref().map_or(std::ptr::dangling_mut(), |buffer| buffer.at.as_ptr()));
    if let Some(buffer) = buffer.filter(|buffer| buffer.layout.size() <= MAX_KEPT_BYTES) {
        SCRATCH.set(Some(buffer));
    }
    result
}
