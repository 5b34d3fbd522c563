//! How deep the machine's stack of the calling thread may become, and a stack of its own for work that needs more.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::time::Duration;

/// What is left below the limit: for a frame of the largest size, and what it calls.
const STACK_RESERVE: usize = 256 << 10;
/// What is used at most where the stack's end is not known, or far away.
const MAX_STACK_USE: usize = 4 << 20;
const UNKNOWN: usize = 256 << 10;
/// What must be left for a kernel to be compiled or launched on this thread.
const MIN_STACK_LEFT: usize = 1 << 20;
/// The stack of a thread that is made for it.
const LAUNCH_STACK: usize = 8 << 20;
/// How long a caller waits for that thread between two questions whether to stop.
const WAIT: Duration = Duration::from_millis(20);

thread_local! {
    /// The lowest address of the thread's stack; 0 until it was asked for, 1 where it is not known.
    static END: Cell<usize> = const { Cell::new(0) };
}

/// The lowest stack pointer that a function of a kernel may have on this thread.
pub(crate) fn limit() -> usize {
    match place() {
        (here, Some(end)) => (end + STACK_RESERVE).max(here.saturating_sub(MAX_STACK_USE)),
        (here, None) => here.saturating_sub(UNKNOWN),
    }
}

/// Whether this thread has enough stack left to compile or launch a kernel.
pub(crate) fn has_room() -> bool {
    let (here, end) = place();
    end.is_none_or(|end| here - end >= MIN_STACK_LEFT)
}

/// Does `work` on a thread with a stack of its own; `meanwhile` is called on this one now and then.
///
/// # Errors
/// There is no memory for the thread.
pub(crate) fn on_own_thread<T: Send>(
    work: impl FnOnce() -> T + Send,
    meanwhile: impl Fn(),
) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let caller = std::thread::current();
        let builder = std::thread::Builder::new().name("cuprum kernel".to_owned()).stack_size(LAUNCH_STACK);
        let thread = builder.spawn_scoped(scope, move || {
            let result = work();
            caller.unpark();
            result
        })?;
        while !thread.is_finished() {
            std::thread::park_timeout(WAIT);
            meanwhile();
        }
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// About where the stack pointer is, and the lowest address of the stack where that is known.
fn place() -> (usize, Option<usize>) {
    let here = 0u8;
    let here = std::ptr::from_ref(&here) as usize;
    let end = END.with(|end| {
        if end.get() == 0 {
            end.set(stack_end().unwrap_or(1));
        }
        end.get()
    });
    (here, (1 < end && end <= here).then_some(end))
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
