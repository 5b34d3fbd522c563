//! Files that are mapped into memory and become shorter while arrays lie in them: what reads beyond the new end raises, and the
//! process goes on.
//!
//! The system sends such a read the signal SIGBUS. Its handler puts zeros where the file was and notes that, the gate raises the error at the
//! end of the call, and takes the zeros away again: the next read raises too. Addresses outside the maps that are watched
//! go to the handler that was there before.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Whether something was read that is lost, and no call has raised it yet.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a call has to raise [`error`].
#[inline]
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// The error of what was lost since this was last asked; `None` where another call has raised it.
#[cold]
pub fn error() -> Option<PyErr> {
    if !LOST.swap(false, Ordering::AcqRel) {
        return None;
    }
    system::forget_zeros().map(|path| {
        PyValueError::new_err(format!("{path:?} was truncated while it was read: what it held there is lost"))
    })
}

/// A map that is watched from now on, until `end` is called or this goes.
#[pyclass(frozen, module = "cuprum._core")]
struct WatchedMap {
    range: Option<system::Watched>,
}

#[pymethods]
impl WatchedMap {
    #[new]
    fn new(address: usize, bytes: usize, path: String) -> WatchedMap {
        WatchedMap { range: system::watch(address, bytes, path) }
    }

    /// Stop: the map is about to go.
    fn end(&self) {
        if let Some(range) = &self.range {
            range.end();
        }
    }
}

impl Drop for WatchedMap {
    fn drop(&mut self) {
        self.end();
    }
}

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<WatchedMap>()
}

#[cfg(target_os = "linux")]
mod system {
    use std::mem::{transmute, zeroed};
    use std::ptr::{null, null_mut};
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use libc::{c_int, c_void, siginfo_t};

    /// A range of addresses as the handler sees it. None is ever freed; one whose map is gone has no bytes, and is used again.
    struct Range {
        start: AtomicUsize,
        bytes: AtomicUsize,
        /// From where on there are zeros; `usize::MAX` where there are none.
        zeros: AtomicUsize,
        next: *const Range,
    }

    // SAFETY: `next` does not change, and leads to a range that lives for ever.
    unsafe impl Sync for Range {}

    static FIRST: AtomicPtr<Range> = AtomicPtr::new(null_mut());
    /// The ranges with the paths of their files.
    static PATHS: Mutex<Vec<(&'static Range, String)>> = Mutex::new(Vec::new());
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    /// The handler before ours, and its flags.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
    static BEFORE_FLAGS: AtomicUsize = AtomicUsize::new(0);
    /// Whether a fault of others was handed on: what is raised after that is that handler's own end.
    static HANDED_ON: AtomicBool = AtomicBool::new(false);

    /// A range that is watched.
    pub struct Watched(&'static Range);

    impl Watched {
        pub fn end(&self) {
            let mut paths = lock();
            if paths.iter().any(|(range, _)| std::ptr::eq(*range, self.0)) {
                self.0.bytes.store(0, Ordering::Release);
                paths.retain(|(range, _)| !std::ptr::eq(*range, self.0));
            }
        }
    }

    fn lock() -> MutexGuard<'static, Vec<(&'static Range, String)>> {
        PATHS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ranges() -> impl Iterator<Item = &'static Range> {
        let mut at: *const Range = FIRST.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: a range of the list, or null.
            let range: &'static Range = unsafe { at.as_ref() }?;
            at = range.next;
            Some(range)
        })
    }

    pub fn watch(address: usize, bytes: usize, path: String) -> Option<Watched> {
        let mut paths = lock();
        install()?;
        let free = ranges().find(|range| !paths.iter().any(|(used, _)| std::ptr::eq(*used, *range)));
        let range = free.unwrap_or_else(|| {
            let next: *const Range = FIRST.load(Ordering::Acquire);
            let made = Range {
                start: AtomicUsize::new(0),
                bytes: AtomicUsize::new(0),
                zeros: AtomicUsize::new(usize::MAX),
                next,
            };
            let made: &'static Range = Box::leak(Box::new(made));
            FIRST.store(std::ptr::from_ref(made).cast_mut(), Ordering::Release);
            made
        });
        range.zeros.store(usize::MAX, Ordering::Relaxed);
        range.start.store(address, Ordering::Relaxed);
        range.bytes.store(bytes, Ordering::Release);
        paths.push((range, path));
        Some(Watched(range))
    }

    /// Takes the zeros away, so that their addresses fault again; gives the path of a file that they stood for.
    pub fn forget_zeros() -> Option<String> {
        let paths = lock();
        let mut found = None;
        for (range, path) in paths.iter() {
            let first = range.zeros.swap(usize::MAX, Ordering::AcqRel);
            if first == usize::MAX {
                continue;
            }
            found.get_or_insert_with(|| path.clone());
            let end = range.start.load(Ordering::Relaxed) + range.bytes.load(Ordering::Relaxed);
            // SAFETY: an empty file of our own over pages of a map that is watched, where the handler has put zeros: each
            // access to it faults, as one to the file's lost pages did.
            unsafe {
                let nothing = libc::memfd_create(c"cuprum".as_ptr(), libc::MFD_CLOEXEC);
                if nothing >= 0 {
                    let rights = libc::PROT_READ;
                    let flags = libc::MAP_FIXED | libc::MAP_SHARED;
                    libc::mmap(first as *mut c_void, end - first, rights, flags, nothing, 0);
                    libc::close(nothing);
                }
            }
        }
        found
    }

    /// Makes our handler the one that is called first.
    fn install() -> Option<()> {
        // SAFETY: a question for a number, and questions about a signal's handler, into memory of their size.
        unsafe {
            PAGE.store(usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).ok()?, Ordering::Relaxed);
            let mut now: libc::sigaction = zeroed();
            if libc::sigaction(libc::SIGBUS, null(), &raw mut now) != 0 {
                return None;
            }
            let ours = on_fault as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            if now.sa_sigaction == ours {
                return Some(());
            }
            BEFORE.store(now.sa_sigaction, Ordering::Relaxed);
            BEFORE_FLAGS.store(now.sa_flags as usize, Ordering::Relaxed);
            let mut wanted: libc::sigaction = zeroed();
            wanted.sa_sigaction = ours;
            wanted.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut wanted.sa_mask);
            (libc::sigaction(libc::SIGBUS, &raw const wanted, null_mut()) == 0).then_some(())
        }
    }

    /// Calls only what a handler may call, and `mmap`, which is a call of the system and nothing else.
    extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        // SAFETY: the system hands a handler the facts of its signal; `errno` is this thread's.
        let (code, address, errno) =
            unsafe { ((*info).si_code, (*info).si_addr() as usize, *libc::__errno_location()) };
        let is_fault = code > 0;
        if is_fault && put_zeros(address) {
            // SAFETY: as above.
            unsafe { *libc::__errno_location() = errno };
            return;
        }
        let before = BEFORE.load(Ordering::Relaxed);
        let is_end = !is_fault && HANDED_ON.load(Ordering::Relaxed);
        if before == libc::SIG_DFL || before == libc::SIG_IGN || is_end {
            // SAFETY: the default handler ends the process: the instruction faults again, or the signal is sent again.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if !is_fault {
                    libc::raise(signal);
                }
            }
            return;
        }
        HANDED_ON.store(true, Ordering::Relaxed);
        let takes_facts = BEFORE_FLAGS.load(Ordering::Relaxed) & libc::SA_SIGINFO as usize != 0;
        // SAFETY: the handler that was there before, of the kind that its flags say.
        unsafe {
            if takes_facts {
                let call: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = transmute(before);
                call(signal, info, context);
            } else {
                let call: extern "C" fn(c_int) = transmute(before);
                call(signal);
            }
        }
    }

    /// Puts zeros from the page of an address to the end of its map, if it is watched: where one page of a file is gone, all behind it are.
    fn put_zeros(address: usize) -> bool {
        let page = address & !(PAGE.load(Ordering::Relaxed) - 1);
        for range in ranges() {
            let (start, bytes) = (range.start.load(Ordering::Acquire), range.bytes.load(Ordering::Acquire));
            if address < start || address - start >= bytes {
                continue;
            }
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: pages of a map that is watched, which lives; those of its file are gone.
            let made = unsafe { libc::mmap(page as *mut c_void, start + bytes - page, rights, flags, -1, 0) };
            if made == libc::MAP_FAILED {
                return false;
            }
            range.zeros.fetch_min(page, Ordering::AcqRel);
            super::LOST.store(true, Ordering::Release);
            return true;
        }
        false
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Nothing is watched here.
    pub struct Watched;

    impl Watched {
        pub fn end(&self) {}
    }

    pub fn watch(_address: usize, _bytes: usize, _path: String) -> Option<Watched> {
        None
    }

    pub fn forget_zeros() -> Option<String> {
        None
    }
}
