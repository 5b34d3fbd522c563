//! The last line against running out of memory: a reserve that small requests fall back on.
//!
//! Memory whose size depends on data is asked for by `cuprum_core::memory` and the pools, and a refusal is an error. What is
//! left are small requests for lists of operands, plans and messages, which Rust answers by ending the process where the
//! system refuses. Some address space is kept free for them: the first refused request gives it back to the system and is
//! tried again, so that the call under way comes to its end or to its error, and the gate keeps a new reserve afterwards.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Bytes that are kept free.
const RESERVE_BYTES: usize = 8 << 20;
/// Requests up to this size may use them; larger ones have a caller that deals with a refusal.
const MAX_SERVED_BYTES: usize = 256 << 10;

static HELD: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static IS_SPENT: AtomicBool = AtomicBool::new(true);

/// The system's allocator with a reserve.
pub struct Reserved;

#[global_allocator]
static ALLOCATOR: Reserved = Reserved;

// SAFETY: memory is the system allocator's, asked for by its own rules; the reserve is address space that nobody is given.
unsafe impl GlobalAlloc for Reserved {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        again_if_refused(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        again_if_refused(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; a refused request leaves the memory as it is.
        again_if_refused(size, || unsafe { System.realloc(pointer, layout, size) })
    }
}

#[inline]
fn again_if_refused(size: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    let given = request();
    if given.is_null() && size <= MAX_SERVED_BYTES && spend() { request() } else { given }
}

/// Gives the reserve back to the system; false where there is none.
#[cold]
fn spend() -> bool {
    let held = HELD.swap(null_mut(), Ordering::AcqRel);
    if held.is_null() {
        return false;
    }
    // SAFETY: the reserve came from `room::take`, and nobody uses it.
    unsafe { room::give_back(held) };
    IS_SPENT.store(true, Ordering::Release);
    true
}

/// Keeps a reserve where there is none and the system has room for it.
#[inline]
pub fn keep() {
    if IS_SPENT.load(Ordering::Relaxed) {
        keep_new();
    }
}

#[cold]
fn keep_new() {
    let Some(held) = room::take() else { return };
    if HELD.compare_exchange(null_mut(), held, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
        IS_SPENT.store(false, Ordering::Release);
    } else {
        // SAFETY: as above; another thread keeps one already.
        unsafe { room::give_back(held) };
    }
}

/// Address space, which Unix limits, and which costs no memory.
#[cfg(unix)]
mod room {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    use super::RESERVE_BYTES;

    pub fn take() -> Option<*mut c_void> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the system's choice, which is never read or written.
        let held = unsafe { libc::mmap(null_mut(), RESERVE_BYTES, libc::PROT_NONE, flags, -1, 0) };
        (held != libc::MAP_FAILED).then_some(held)
    }

    /// # Safety
    /// `held` came from [`take`], and nobody uses it.
    pub unsafe fn give_back(held: *mut c_void) {
        // SAFETY: the reserve was mapped with this size.
        unsafe { libc::munmap(held, RESERVE_BYTES) };
    }
}

/// A block of the heap: elsewhere what is limited is memory that was promised, used or not.
#[cfg(not(unix))]
mod room {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ffi::c_void;

    use super::RESERVE_BYTES;

    const LAYOUT: Layout = match Layout::from_size_align(RESERVE_BYTES, 16) {
        Ok(layout) => layout,
        Err(_) => panic!("the reserve has a layout"),
    };

    pub fn take() -> Option<*mut c_void> {
        // SAFETY: the size is not zero.
        let held = unsafe { System.alloc(LAYOUT) };
        (!held.is_null()).then_some(held.cast())
    }

    /// # Safety
    /// `held` came from [`take`], and nobody uses it.
    pub unsafe fn give_back(held: *mut c_void) {
        // SAFETY: the block was made with this layout.
        unsafe { System.dealloc(held.cast(), LAYOUT) };
    }
}
