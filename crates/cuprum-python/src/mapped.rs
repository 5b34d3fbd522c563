//! Files that are mapped into memory and become shorter while arrays lie in them: what reads beyond the new end raises, and the
//! process goes on.
//!
//! The system sends such a read the signal SIGBUS. Its handler puts zeros where the file was and counts that (`cuprum_core::loss`).
//! Each call that was under way raises, since zeros may be what its work has read; the first one that ends takes the zeros away
//! again, so that the next read raises too. Addresses outside the maps that are watched go to the handler that was there before.

use cuprum::{Error, Result};
use cuprum_core::loss;
use pyo3::prelude::*;

/// An error if memory was lost that a call may have read, where `loss::settled` said `before` when it began.
#[inline]
pub fn check(before: usize) -> Result<()> {
    if loss::is_intact(before) { Ok(()) } else { Err(error()) }
}

#[cold]
fn error() -> Error {
    let lost = loss::count();
    let (path, are_zeros_gone) = system::forget_zeros();
    // Where zeros stay, every call raises: they are not to be read as what the file held.
    if are_zeros_gone {
        loss::settle(lost);
    }
    Error::value(
        "mapped file",
        format!("{path:?} was truncated while it was read: what it held there is lost"),
    )
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
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use cuprum_core::loss;
    use libc::{c_int, c_void, siginfo_t};

    /// A range of addresses as the handler sees it. None is ever freed; one whose map is gone has no bytes, and is used again.
    struct Range {
        start: AtomicUsize,
        bytes: AtomicUsize,
        /// From where on there are zeros; `usize::MAX` where there are none.
        zeros: AtomicUsize,
        next: *const Range,
    }

    struct Maps {
        /// The ranges with the paths of their files.
        watched: Vec<(&'static Range, String)>,
        /// The file that was found to be shorter last.
        lost: String,
    }

    // SAFETY: `next` does not change, and leads to a range that lives for ever.
    unsafe impl Sync for Range {}

    static FIRST: AtomicPtr<Range> = AtomicPtr::new(null_mut());
    static MAPS: Mutex<Maps> = Mutex::new(Maps { watched: Vec::new(), lost: String::new() });
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    /// The handler before ours, and its flags.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
    static BEFORE_FLAGS: AtomicUsize = AtomicUsize::new(0);
    /// The thread that is in the handler before ours: where that one calls us in turn, nobody takes the signal.
    static HANDING_ON: AtomicI32 = AtomicI32::new(0);
    /// Whether that handler has raised the signal again, to end the process: where it had put ours back, it would be asked for ever.
    static IS_END: AtomicBool = AtomicBool::new(false);

    /// A range that is watched.
    pub struct Watched(&'static Range);

    impl Watched {
        pub fn end(&self) {
            let mut maps = lock();
            let Some(at) = maps.watched.iter().position(|(range, _)| std::ptr::eq(*range, self.0)) else {
                return;
            };
            self.0.bytes.store(0, Ordering::Release);
            let (range, path) = maps.watched.swap_remove(at);
            if range.zeros.swap(usize::MAX, Ordering::AcqRel) != usize::MAX {
                maps.lost = path;
            }
        }
    }

    fn lock() -> MutexGuard<'static, Maps> {
        MAPS.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut maps = lock();
        install()?;
        let free = ranges().find(|range| !maps.watched.iter().any(|(used, _)| std::ptr::eq(*used, *range)));
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
        maps.watched.push((range, path));
        Some(Watched(range))
    }

    /// Takes the zeros away, so that their addresses fault again. The path of the file that was found to be shorter last, and
    /// whether no zeros are left.
    pub fn forget_zeros() -> (String, bool) {
        let mut maps = lock();
        let Maps { watched, lost } = &mut *maps;
        let mut are_gone = true;
        for (range, path) in watched.iter() {
            let first = range.zeros.swap(usize::MAX, Ordering::AcqRel);
            if first == usize::MAX {
                continue;
            }
            lost.clone_from(path);
            let end = range.start.load(Ordering::Relaxed) + range.bytes.load(Ordering::Relaxed);
            if !map_nothing(first, end - first) {
                range.zeros.fetch_min(first, Ordering::AcqRel);
                are_gone = false;
            }
        }
        (lost.clone(), are_gone)
    }

    /// Puts an empty file of our own over pages of a watched map where the handler has put zeros: each access to it faults, as
    /// one to the file's lost pages did. False where the system refuses.
    fn map_nothing(address: usize, bytes: usize) -> bool {
        // SAFETY: calls of the system; nobody but those who read lost pages, or write to them, uses these addresses.
        unsafe {
            let nothing = libc::memfd_create(c"cuprum".as_ptr(), libc::MFD_CLOEXEC);
            if nothing < 0 {
                return false;
            }
            // A map that may be written: a write has to fault like a read, not to break a rule.
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_FIXED | libc::MAP_SHARED;
            let made = libc::mmap(address as *mut c_void, bytes, rights, flags, nothing, 0);
            libc::close(nothing);
            made != libc::MAP_FAILED
        }
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
        if before == libc::SIG_IGN && !is_fault {
            return;
        }
        // SAFETY: a question for the thread's number.
        let thread = unsafe { libc::syscall(libc::SYS_gettid) } as i32;
        let is_end = !is_fault && IS_END.load(Ordering::Relaxed);
        let is_asked_back = HANDING_ON.load(Ordering::Relaxed) == thread;
        if before == libc::SIG_DFL || before == libc::SIG_IGN || is_end || is_asked_back {
            // SAFETY: the default handler ends the process: the instruction faults again, or the signal is sent again.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if !is_fault {
                    libc::raise(signal);
                }
            }
            return;
        }
        let takes_facts = BEFORE_FLAGS.load(Ordering::Relaxed) & libc::SA_SIGINFO as usize != 0;
        HANDING_ON.store(thread, Ordering::Relaxed);
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
        HANDING_ON.store(0, Ordering::Relaxed);
        // SAFETY: a question, into memory of its size. The signal is blocked while we are here.
        let has_raised = unsafe {
            let mut pending: libc::sigset_t = zeroed();
            libc::sigpending(&raw mut pending) == 0 && libc::sigismember(&raw const pending, signal) == 1
        };
        IS_END.store(has_raised, Ordering::Relaxed);
    }

    /// Puts zeros from the page of an address to the end of its map, if it is watched: where one page of a file is gone, all
    /// behind it are.
    fn put_zeros(address: usize) -> bool {
        let page = address & !(PAGE.load(Ordering::Relaxed) - 1);
        for range in ranges() {
            let (start, bytes) = (range.start.load(Ordering::Acquire), range.bytes.load(Ordering::Acquire));
            if address < start || address - start >= bytes {
                continue;
            }
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            loss::begin();
            // SAFETY: pages of a map that is watched, which lives; those of its file are gone.
            let made = unsafe { libc::mmap(page as *mut c_void, start + bytes - page, rights, flags, -1, 0) };
            if made != libc::MAP_FAILED {
                range.zeros.fetch_min(page, Ordering::AcqRel);
            }
            loss::end();
            return made != libc::MAP_FAILED;
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

    pub fn forget_zeros() -> (String, bool) {
        (String::new(), true)
    }
}
