//! Which storages code outside can write: consumers of buffers and DLPack, holders of raw pointers, and the
//! owners of memory that was imported without a copy.
//!
//! Deferred work that reads such a storage would see later writes, so the gate computes it at once. The common case
//! is that nothing is exported: then one relaxed load answers.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use cuprum::kernel::expose;
use cuprum::{Array, Result};
use cuprum_graph::{DeviceKind, Storage, mark_written, writable_buffer};

static COUNT: AtomicUsize = AtomicUsize::new(0);
static EXPORTED: Mutex<Option<HashMap<usize, ExportEntry>>> = Mutex::new(None);

struct ExportEntry {
    storage: Weak<Storage>,
    memory: Range<usize>,
    holders: usize,
}

/// Whether anything is exported at all.
#[inline]
pub fn any() -> bool {
    COUNT.load(Ordering::Relaxed) != 0
}

/// Whether code outside can write the array's storage.
pub fn is_exported(array: &Array) -> bool {
    let key = Arc::as_ptr(array.view().storage()) as usize;
    lock().as_ref().is_some_and(|map| map.contains_key(&key))
}

/// Counts one more holder of the array's memory, after running whatever is pending on it; gives its address.
pub fn add(array: &Array) -> Result<usize> {
    let buffer = writable_buffer(array.view())?;
    // From here on it may be written unseen, beside the elements too.
    mark_written(buffer.address(), buffer.bytes());
    match array.device().kind() {
        // Kernels on the CPU may come by this address and no other way.
        DeviceKind::Cpu => expose(&buffer, array.is_writeable()),
        // Other libraries expect that work on it is submitted.
        DeviceKind::Cuda(_) => cuprum_cuda::expose(&buffer)?,
    }
    let storage = array.view().storage();
    let mut guard = lock();
    let map = guard.get_or_insert_default();
    map.retain(|_, entry| entry.storage.strong_count() > 0);
    let entry = map.entry(Arc::as_ptr(storage) as usize);
    let memory = buffer.address()..buffer.address() + buffer.bytes();
    entry.or_insert_with(|| ExportEntry { storage: Arc::downgrade(storage), memory, holders: 0 }).holders +=
        1;
    COUNT.store(map.len(), Ordering::Relaxed);
    Ok(buffer.address() + array.layout().offset)
}

/// The memory of the exported array that an address lies in.
pub fn memory_at(address: usize) -> Option<Range<usize>> {
    let guard = lock();
    let holds = |entry: &&ExportEntry| entry.storage.strong_count() > 0 && entry.memory.contains(&address);
    guard.as_ref()?.values().find(holds).map(|entry| entry.memory.clone())
}

/// Counts one holder less.
pub fn remove(array: &Array) {
    let mut guard = lock();
    let Some(map) = guard.as_mut() else { return };
    let key = Arc::as_ptr(array.view().storage()) as usize;
    if let Some(entry) = map.get_mut(&key) {
        entry.holders -= 1;
        if entry.holders == 0 {
            map.remove(&key);
        }
    }
    COUNT.store(map.len(), Ordering::Relaxed);
}

fn lock() -> MutexGuard<'static, Option<HashMap<usize, ExportEntry>>> {
    EXPORTED.lock().unwrap_or_else(|e| e.into_inner())
}
