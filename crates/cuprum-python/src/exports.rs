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
    /// The block of a GPU's pool that the memory begins: what is behind it is nobody's.
    block: Option<Range<usize>>,
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
    let block = match array.device().kind() {
        // Kernels on the CPU may come by this address and no other way.
        DeviceKind::Cpu => {
            expose(&buffer, array.is_writeable());
            None
        }
        // Other libraries expect that work on it is submitted.
        DeviceKind::Cuda(_) => {
            cuprum_cuda::expose(&buffer)?;
            cuprum_cuda::block_of(&buffer)
        }
    };
    let storage = array.view().storage();
    let mut guard = lock();
    let map = guard.get_or_insert_default();
    map.retain(|_, entry| entry.storage.strong_count() > 0);
    let entry = map.entry(Arc::as_ptr(storage) as usize);
    let memory = buffer.address()..buffer.address() + buffer.bytes();
    let storage = Arc::downgrade(storage);
    entry.or_insert_with(|| ExportEntry { storage, memory, block, holders: 0 }).holders += 1;
    COUNT.store(map.len(), Ordering::Relaxed);
    Ok(buffer.address() + array.layout().offset)
}

/// Whether a range reaches into a block of a GPU's pool that holds an exported array, and lies within no exported array.
pub fn leaves_its_array(range: &Range<usize>) -> bool {
    let guard = lock();
    let Some(map) = guard.as_ref() else { return false };
    let mut is_in_block = false;
    for entry in map.values().filter(|entry| entry.storage.strong_count() > 0) {
        if entry.memory.start <= range.start && range.end <= entry.memory.end {
            return false;
        }
        let meets = |block: &Range<usize>| range.start < block.end && block.start < range.end;
        is_in_block |= entry.block.as_ref().is_some_and(meets);
    }
    is_in_block
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
