//! How deep the machine's stack of the calling thread may become.

use std::cell::Cell;

/// What is left below the limit: for a frame of the largest size, and what it calls.
const SPARE: usize = 256 << 10;
/// What is used at most where the stack's end is not known, or far away.
const MOST: usize = 4 << 20;
const UNKNOWN: usize = 256 << 10;

thread_local! {
    /// The lowest address of the thread's stack; 0 until it was asked for, 1 where it is not known.
    static END: Cell<usize> = const { Cell::new(0) };
}

/// The lowest stack pointer that a function of a kernel may have on this thread.
pub(crate) fn limit() -> usize {
    let here = 0u8;
    let here = std::ptr::from_ref(&here) as usize;
    let end = END.with(|end| {
        if end.get() == 0 {
            end.set(stack_end().unwrap_or(1));
        }
        end.get()
    });
    if end <= 1 || end > here {
        return here.saturating_sub(UNKNOWN);
    }
    (end + SPARE).max(here.saturating_sub(MOST))
}

#[cfg(target_os = "linux")]
fn stack_end() -> Option<usize> {
    // SAFETY: an attribute object of zeros is filled in by the call, and destroyed where that succeeded.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let mut start = std::ptr::null_mut();
        let mut bytes = 0;
        let known = libc::pthread_attr_getstack(&attributes, &mut start, &mut bytes) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        known.then_some(start as usize)
    }
}

#[cfg(target_os = "macos")]
fn stack_end() -> Option<usize> {
    // SAFETY: both calls only read the calling thread's description.
    unsafe {
        let thread = libc::pthread_self();
        let top = libc::pthread_get_stackaddr_np(thread) as usize;
        top.checked_sub(libc::pthread_get_stacksize_np(thread))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn stack_end() -> Option<usize> {
    None
}
