//! The heap of kernels on the CPU: what `malloc`, `free`, `new` and `delete` use.
//!
//! One arena serves all kernels of the process, as one heap serves a GPU's context. It is made when a kernel first asks
//! for memory and stays, so that an access of freed memory never leaves the process's own. Each allocation is a range of
//! its own to the checks of accesses.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use crate::launch::Extent;

/// CUDA's own first limit.
const DEFAULT_LIMIT: usize = 8 << 20;
/// What addresses are multiples of.
const ALIGNMENT: usize = 16;

struct Heap {
    limit: usize,
    /// Where the arena begins; 0 while there is none.
    start: usize,
    /// Free ranges by their starts: their bytes.
    free: BTreeMap<usize, usize>,
    /// Allocations by their starts: the bytes that were asked for.
    used: BTreeMap<usize, usize>,
}

static HEAP: Mutex<Heap> =
    Mutex::new(Heap { limit: DEFAULT_LIMIT, start: 0, free: BTreeMap::new(), used: BTreeMap::new() });

fn lock() -> MutexGuard<'static, Heap> {
    HEAP.lock().unwrap_or_else(|e| e.into_inner())
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(ALIGNMENT), 4096).ok()
}

/// The bytes that kernels may allocate in all.
///
/// ```
/// assert!(cuprum_jit::heap::limit() > 0);
/// ```
pub fn limit() -> usize {
    lock().limit
}

/// Sets how many bytes kernels may allocate in all; false where kernels hold memory of the heap.
///
/// ```
/// let before = cuprum_jit::heap::limit();
/// assert!(cuprum_jit::heap::set_limit(1 << 20));
/// assert!(cuprum_jit::heap::set_limit(before));
/// ```
pub fn set_limit(bytes: usize) -> bool {
    let mut heap = lock();
    if !heap.used.is_empty() {
        return false;
    }
    if heap.start != 0
        && let Some(layout) = layout(heap.limit)
    {
        // SAFETY: the arena was made with the limit's layout, and nothing of it is in use.
        unsafe { dealloc(heap.start as *mut u8, layout) };
        heap.start = 0;
    }
    heap.limit = bytes;
    true
}

fn rounded(bytes: usize) -> Option<usize> {
    bytes.max(1).checked_next_multiple_of(ALIGNMENT)
}

/// The address of new memory; 0 where the heap has no more.
pub(crate) fn allocate(bytes: usize) -> usize {
    let mut heap = lock();
    if heap.start == 0 {
        let limit = heap.limit;
        let Some(layout) = layout(limit) else { return 0 };
        // SAFETY: the layout has a size.
        let start = unsafe { alloc_zeroed(layout) } as usize;
        if start == 0 {
            return 0;
        }
        heap.start = start;
        heap.free = BTreeMap::from([(start, limit)]);
    }
    let Some(size) = rounded(bytes) else { return 0 };
    let Some((&start, &room)) = heap.free.iter().find(|(_, room)| **room >= size) else { return 0 };
    heap.free.remove(&start);
    if room > size {
        heap.free.insert(start + size, room - size);
    }
    heap.used.insert(start, bytes);
    start
}

/// Gives memory back; false where it is no allocation.
pub(crate) fn release(address: usize) -> bool {
    let mut heap = lock();
    let Some(bytes) = heap.used.remove(&address) else { return false };
    let mut start = address;
    let mut size = rounded(bytes).unwrap_or(0);
    if let Some((&before, &room)) = heap.free.range(..address).next_back()
        && before + room == address
    {
        heap.free.remove(&before);
        (start, size) = (before, size + room);
    }
    if let Some(room) = heap.free.remove(&(start + size)) {
        size += room;
    }
    heap.free.insert(start, size);
    true
}

/// The allocation that holds an address.
pub(crate) fn find(address: usize) -> Option<Extent> {
    let heap = lock();
    if address.wrapping_sub(heap.start) >= heap.limit || heap.start == 0 {
        return None;
    }
    let (&start, &bytes) = heap.used.range(..=address).next_back()?;
    (address - start < bytes).then_some(Extent { start, bytes, writable: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_whole() {
        let first = allocate(100);
        let second = allocate(1);
        assert_eq!(first % ALIGNMENT, 0);
        assert_eq!(find(first + 99).map(|e| (e.start, e.bytes)), Some((first, 100)));
        assert!(find(first + 100).is_none(), "beyond what was asked for");
        assert!(!set_limit(1 << 20), "it is in use");
        assert!(release(first) && !release(first), "freed once");
        assert!(find(first).is_none());
        assert!(release(second));
        assert_eq!(allocate(limit() + 1), 0);
        let all = allocate(limit());
        assert!(all != 0 && allocate(1) == 0);
        assert!(release(all));
    }
}
