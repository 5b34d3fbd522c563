//! The register of pending results: all of it can be run at once, and the oldest runs when pending work alone keeps
//! too much memory alive. The register holds nothing alive; what is dropped unread is the affair of `unread.rs`.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use cuprum_core::{Error, Result};

use crate::storage::is_alive;
use crate::sync::{AtomicBool, AtomicUsize, Mutex, MutexGuard, Ordering, per_thread, shared};
use crate::{DeviceRef, NodeArg, Storage, View, unread};

/// Memory that pending work keeps alive is watched from this size on.
const WATCHED_MIN_BYTES: usize = 1 << 20;
/// How many results a thread notes without taking the lock.
const NOTES_MAX: usize = 32;
/// How many results the register holds before it looks which of them are still pending.
const PRUNED_AT: usize = 64;

/// What one thread has noted and not handed over, oldest first.
struct ThreadNotes {
    storages: Vec<Weak<Storage>>,
    /// Bytes of large inputs, and the results that read them.
    bytes: usize,
    readers: usize,
}

/// What all threads have handed over.
struct Register {
    storages: Vec<Weak<Storage>>,
    prune_at: usize,
    /// Bytes of large inputs, and the results that read them, since it was last checked what pending work keeps alive.
    bytes: usize,
    readers: usize,
    /// How many results were pending at the last check; the next one comes when as many more are noted.
    looked_at: usize,
}

/// Storages that were inspected, to be dropped outside the lock: the last reference to one may run code of users
/// that records again.
type DropAfterUnlock = Vec<Arc<Storage>>;

per_thread! {
    static NOTES: RefCell<ThreadNotes> = { RefCell::new(ThreadNotes { storages: Vec::new(), bytes: 0, readers: 0 }) }
}

shared! {
    static REGISTER: Mutex<Register> =
        Mutex::new(Register { storages: Vec::new(), prune_at: PRUNED_AT, bytes: 0, readers: 0, looked_at: 0 });
    static DUE: AtomicBool = AtomicBool::new(false);
    /// Bytes of arrays that are made from nothing (zeros, ranges) recorded since everything was last run.
    static MADE: AtomicUsize = AtomicUsize::new(0);
}

impl ThreadNotes {
    /// Gives the notes to the register, and returns whether it is time to check what pending work keeps alive.
    fn hand_over(&mut self, limit: usize) -> DropAfterUnlock {
        let mut register = lock();
        register.storages.append(&mut self.storages);
        register.bytes += std::mem::take(&mut self.bytes);
        register.readers += std::mem::take(&mut self.readers);
        if register.exceeds(limit) {
            DUE.store(true, Ordering::Relaxed);
        }
        if register.storages.len() < register.prune_at {
            return Vec::new();
        }
        register.prune()
    }
}

/// A thread that ends leaves what it recorded to the others. Loom drops what is a thread's after it has told others of its
/// end, maybe after the register.
#[cfg(not(loom))]
impl Drop for ThreadNotes {
    fn drop(&mut self) {
        self.hand_over(usize::MAX);
    }
}

impl Register {
    /// Whether enough bytes were added since the last check of what pending work keeps alive.
    fn exceeds(&self, limit: usize) -> bool {
        self.bytes > limit && self.readers >= self.looked_at
    }

    /// Forgets what is no longer pending.
    fn prune(&mut self) -> DropAfterUnlock {
        let mut looked = Vec::new();
        self.storages.retain(|weak| {
            let Some(storage) = Some(weak).filter(|weak| is_alive(weak)).and_then(Weak::upgrade) else {
                return false;
            };
            let pending = storage.is_pending();
            looked.push(storage);
            pending
        });
        self.prune_at = PRUNED_AT.max(2 * self.storages.len());
        looked
    }
}

fn lock() -> MutexGuard<'static, Register> {
    REGISTER.lock().unwrap_or_else(|e| e.into_inner())
}

/// Notes a new pending result that reads these views.
pub(crate) fn note<'a>(storage: &Arc<Storage>, inputs: impl Iterator<Item = &'a View>) {
    let bytes: usize = inputs.map(|view| view.storage.bytes()).filter(|b| *b >= WATCHED_MIN_BYTES).sum();
    let noted = NOTES.try_with(|notes| {
        let mut notes = notes.borrow_mut();
        // The last result is often used and dropped by now; its memory is still warm.
        while notes.storages.last().is_some_and(|weak| !is_alive(weak)) {
            notes.storages.pop();
        }
        notes.storages.push(Arc::downgrade(storage));
        if bytes > 0 {
            notes.bytes += bytes;
            notes.readers += 1;
        }
        if notes.storages.len() < NOTES_MAX && bytes == 0 {
            return Vec::new();
        }
        if notes.storages.len() >= NOTES_MAX {
            // Most results have been used and dropped by now.
            notes.storages.retain(is_alive);
        }
        let full = notes.storages.len() > NOTES_MAX / 2 || notes.readers >= NOTES_MAX;
        let limit = storage.device().pinned_limit();
        if full || notes.bytes > limit / 8 { notes.hand_over(limit) } else { Vec::new() }
    });
    if noted.is_err() {
        // A thread that is ending has no notes of its own any more.
        lock().storages.push(Arc::downgrade(storage));
    }
}

/// Gives what this thread has noted to the register, where all threads see it. Where pending work keeps more than `limit` bytes
/// alive, the next recording runs some of it.
pub(crate) fn hand_over(limit: usize) {
    let _ = NOTES.try_with(|notes| notes.borrow_mut().hand_over(limit));
}

/// Everything pending that this thread recorded or that others have handed over, each thread's oldest first.
fn all() -> Vec<Weak<Storage>> {
    hand_over(usize::MAX);
    let mut register = lock();
    let looked = register.prune();
    let found = register.storages.clone();
    drop(register);
    drop(looked);
    found
}

/// Runs all pending work, for a wait: results that are still referenced, and those that were dropped unread since the last
/// wait. Other threads' last few results may not be among it: they hand over what they record in batches.
///
/// Work that fails stays pending; the others run, and the first error is returned.
///
/// ```
/// cuprum_graph::run_pending().unwrap();
/// ```
pub fn run_pending() -> Result<()> {
    unread::run_all()?;
    // What memory hooks have recorded and dropped meanwhile is no work of the program's.
    run_referenced()
}

/// Runs results that are still referenced and forgets those that were dropped unread: memory is then as if nothing were deferred.
///
/// ```
/// cuprum_graph::run_referenced().unwrap();
/// ```
pub fn run_referenced() -> Result<()> {
    unread::forget_unread();
    run_held()
}

/// Runs all pending work whose results are still referenced.
fn run_held() -> Result<()> {
    let found = all();
    MADE.store(0, Ordering::Relaxed);
    let mut outcome = Ok(());
    // The newest first: what it reads runs fused with it, and an interior result without references is never stored.
    for weak in found.iter().rev() {
        let Some(storage) = weak.upgrade().filter(|storage| !storage.is_unread()) else { continue };
        match storage.force() {
            Ok(_) => {}
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) => outcome = outcome.and(Err(error)),
        }
    }
    outcome
}

/// Runs pending reads at positions, which may find one out of bounds: the mistake is reported where a program ends, even if it
/// never looked at the elements. Those of all threads are among it.
///
/// ```
/// cuprum_graph::run_takes().unwrap();
/// ```
pub fn run_takes() -> Result<()> {
    let mut outcome = Ok(());
    for storage in all().iter().filter_map(Weak::upgrade) {
        if storage.node().is_some_and(|node| node.is_take()) {
            outcome = outcome.and(storage.run());
        }
    }
    outcome
}

/// Whether [`relieve`] has something to do before more is recorded.
#[inline]
pub(crate) fn is_due() -> bool {
    DUE.load(Ordering::Relaxed)
}

/// Asks for a call of [`relieve`] before more is recorded.
pub(crate) fn set_due() {
    DUE.store(true, Ordering::Relaxed);
}

/// Runs unread results that are due, and the oldest pending work if the memory that only pending work keeps alive exceeds
/// the device's limit.
pub(crate) fn relieve(device: DeviceRef) -> Result<()> {
    DUE.store(false, Ordering::Relaxed);
    unread::run_due()?;
    let limit = device.pinned_limit();
    if !lock().exceeds(limit) {
        return Ok(());
    }
    let suspects = all();
    {
        let mut register = lock();
        (register.bytes, register.readers, register.looked_at) = (0, 0, suspects.len());
    }
    let live: Vec<Arc<Storage>> = suspects.iter().filter_map(Weak::upgrade).collect();
    let mut pinned: usize = live.iter().map(pinned_bytes).sum();
    for storage in &live {
        if pinned <= limit {
            break;
        }
        let bytes = pinned_bytes(storage);
        if bytes > 0 {
            match storage.run() {
                // Its result is never read, so its failure is not reported.
                Err(error) if error == Error::Interrupted || !storage.is_unread() => return Err(error),
                _ => pinned -= bytes,
            }
        }
    }
    Ok(())
}

/// Bytes of ready inputs that nothing but this storage's pending node holds.
fn pinned_bytes(storage: &Arc<Storage>) -> usize {
    let Some(node) = storage.node() else { return 0 };
    node.args
        .iter()
        .filter_map(|arg| match arg {
            NodeArg::View(v) if !v.storage.is_pending() && Arc::strong_count(&v.storage) == 1 => {
                Some(v.storage.bytes())
            }
            _ => None,
        })
        .sum()
}

/// Whether a result of so many bytes, computed from these views, could ever be stored. If it is no larger than one of
/// them, that was checked when the view's storage was recorded.
#[inline]
pub(crate) fn fits_beside<'a>(
    device: DeviceRef,
    bytes: usize,
    mut inputs: impl Iterator<Item = &'a View>,
) -> bool {
    bytes < WATCHED_MIN_BYTES || inputs.any(|view| view.storage.bytes() >= bytes) || fits(device, bytes)
}

/// Whether a result of so many bytes could ever be stored. What fuses away needs no memory, so only a result that is
/// larger than all memory together is refused when it is recorded.
#[inline]
pub(crate) fn fits(device: DeviceRef, bytes: usize) -> bool {
    bytes < WATCHED_MIN_BYTES || bytes <= device.memory_limit()
}

/// An error unless a result of so many bytes could be stored. Arrays that are made from nothing are asked for to have
/// their memory: they fail at the call, after other pending work has run and freed what it held.
pub(crate) fn check_room(device: DeviceRef, bytes: usize, from_nothing: bool) -> Result<()> {
    let fail = || {
        let limit = Some(device.memory_limit());
        Err(Error::Memory { asked: bytes, used: device.memory_used(), limit })
    };
    if !fits(device, bytes) {
        return fail();
    }
    if bytes < WATCHED_MIN_BYTES || !from_nothing {
        return Ok(());
    }
    let room = || device.memory_limit().saturating_sub(device.memory_used());
    if bytes.saturating_add(MADE.load(Ordering::Relaxed)) > room() {
        run_referenced()?;
        if bytes > room() {
            return fail();
        }
    }
    MADE.fetch_add(bytes, Ordering::Relaxed);
    Ok(())
}
