//! Memory that only pending work keeps alive: when it grows past a limit, the oldest work runs.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use cuprum_core::Result;

use crate::{DeviceRef, Source, Storage, View};

/// Arrays smaller than this are not worth watching.
const LARGE: usize = 1 << 20;

struct Watch {
    /// Pending results that read large arrays, oldest first.
    pending: Vec<Weak<Storage>>,
    /// Bytes that have come under watch since the last look.
    noted: usize,
    /// How many were pending after the last look; the next one waits until there are twice as many.
    looked_at: usize,
}

/// What one thread has noted and not yet handed over: recording takes no lock for it.
struct Notes {
    pending: Vec<Weak<Storage>>,
    bytes: usize,
}

/// How many results a thread notes before it hands them over.
const NOTES_KEPT: usize = 32;

thread_local! {
    static NOTES: RefCell<Notes> = const { RefCell::new(Notes { pending: Vec::new(), bytes: 0 }) };
}

static DUE: AtomicBool = AtomicBool::new(false);
static WATCH: Mutex<Watch> = Mutex::new(Watch { pending: Vec::new(), noted: 0, looked_at: 0 });

/// Notes a new pending result that reads these views.
pub(crate) fn note<'a>(storage: &Arc<Storage>, inputs: impl Iterator<Item = &'a View>) {
    let bytes: usize = inputs.map(|view| view.storage.bytes()).filter(|b| *b >= LARGE).sum();
    if bytes == 0 {
        return;
    }
    let limit = storage.device().pinned_limit();
    // A thread that is ending does without.
    let _ = NOTES.try_with(|notes| {
        let mut notes = notes.borrow_mut();
        notes.pending.push(Arc::downgrade(storage));
        notes.bytes += bytes;
        if notes.pending.len() >= NOTES_KEPT || notes.bytes > limit / 8 {
            hand_over(&mut notes, limit);
        }
    });
}

/// Puts a thread's notes under watch, and says when it is time to look at what is kept alive.
fn hand_over(notes: &mut Notes, limit: usize) {
    let mut watch = WATCH.lock().unwrap_or_else(|e| e.into_inner());
    watch.pending.append(&mut notes.pending);
    watch.noted += std::mem::take(&mut notes.bytes);
    if watch.noted > limit && watch.pending.len() >= 2 * watch.looked_at {
        DUE.store(true, Ordering::Relaxed);
    }
}

/// Whether enough large arrays have come under watch to look at them.
#[inline]
pub(crate) fn is_due() -> bool {
    DUE.load(Ordering::Relaxed)
}

/// Runs old work where what pending work alone keeps alive exceeds the device's limit.
pub(crate) fn relieve(device: DeviceRef) -> Result<()> {
    let suspects = {
        let mut watch = WATCH.lock().unwrap_or_else(|e| e.into_inner());
        DUE.store(false, Ordering::Relaxed);
        watch.pending.retain(|w| w.upgrade().is_some_and(|s| s.is_pending()));
        watch.noted = 0;
        watch.looked_at = watch.pending.len();
        watch.pending.clone()
    };
    run_until_below(&suspects, device.pinned_limit())
}

fn run_until_below(suspects: &[Weak<Storage>], limit: usize) -> Result<()> {
    let live: Vec<Arc<Storage>> = suspects.iter().filter_map(Weak::upgrade).collect();
    let mut pinned: usize = live.iter().map(pinned_bytes).sum();
    for storage in &live {
        if pinned <= limit {
            break;
        }
        let bytes = pinned_bytes(storage);
        if bytes > 0 {
            storage.force()?;
            pinned -= bytes;
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
            Source::View(v) if !v.storage.is_pending() && Arc::strong_count(&v.storage) == 1 => {
                Some(v.storage.bytes())
            }
            _ => None,
        })
        .sum()
}
