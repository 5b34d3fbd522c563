//! Memory that was handed out without a value, byte by byte: what is still uninitialised.
//!
//! The checking mode of kernels asks for it. While it is off nothing is noted here, and a write costs one look at a
//! counter.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use crate::Buffer;

/// How many pieces are noted.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// By the first address; pieces that are alive do not overlap.
static PIECES: Mutex<BTreeMap<usize, Arc<UninitMap>>> = Mutex::new(BTreeMap::new());

/// A piece of memory and which of its bytes are uninitialised.
pub struct UninitMap {
    start: usize,
    bytes: usize,
    /// How many bytes are left.
    left: AtomicUsize,
    /// A bit for each byte, set until it is written.
    bits: Box<[AtomicU64]>,
    keeper: Weak<dyn Any + Send + Sync>,
}

impl UninitMap {
    /// Its first address.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The first of `bytes` bytes at an address that is uninitialised.
    pub fn first(&self, address: usize, bytes: usize) -> Option<usize> {
        let (begin, end) = self.within(address, bytes)?;
        if self.left.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let found = parts(begin, end).find_map(|(word, mask)| {
            let set = self.bits[word].load(Ordering::Relaxed) & mask;
            (set != 0).then(|| word * 64 + set.trailing_zeros() as usize)
        });
        found.map(|at| self.start + at)
    }

    /// Notes that bytes are written.
    pub fn write(&self, address: usize, bytes: usize) {
        let Some((begin, end)) = self.within(address, bytes) else { return };
        for (word, mask) in parts(begin, end) {
            let before = self.bits[word].fetch_and(!mask, Ordering::Relaxed);
            self.left.fetch_sub((before & mask).count_ones() as usize, Ordering::Relaxed);
        }
    }

    /// The part of a range that lies in the piece.
    fn within(&self, address: usize, bytes: usize) -> Option<(usize, usize)> {
        let begin = address.max(self.start);
        let end = address.saturating_add(bytes).min(self.start + self.bytes);
        (begin < end).then(|| (begin - self.start, end - self.start))
    }

    fn matters(&self) -> bool {
        self.left.load(Ordering::Relaxed) > 0 && self.keeper.strong_count() > 0
    }
}

/// The words that hold the bits of a range, each with the range's part of it.
fn parts(begin: usize, end: usize) -> impl Iterator<Item = (usize, u64)> {
    (begin / 64..end.div_ceil(64)).map(move |word| {
        let (low, high) = (begin.max(word * 64) - word * 64, end.min(word * 64 + 64) - word * 64);
        (word, (u64::MAX << low) & (u64::MAX >> (64 - high)))
    })
}

fn lock() -> MutexGuard<'static, BTreeMap<usize, Arc<UninitMap>>> {
    PIECES.lock().unwrap_or_else(|e| e.into_inner())
}

/// Notes that a buffer, which was just allocated, is uninitialised.
///
/// ```
/// use std::sync::Arc;
/// use cuprum_graph::{Buffer, DeviceKind, hand_out, mark_written, uninit_maps};
/// // SAFETY: nothing is read or written at the address.
/// let buffer = unsafe { Buffer::new(DeviceKind::Cpu, 0x40, 8, Arc::new(())) };
/// hand_out(&buffer);
/// mark_written(0x40, 2);
/// let piece = uninit_maps().into_iter().find(|piece| piece.first(0x40, 8).is_some()).unwrap();
/// assert_eq!(piece.first(0x41, 4), Some(0x42));
/// drop(buffer);
/// assert!(uninit_maps().iter().all(|piece| piece.first(0x40, 8).is_none()));
/// ```
pub fn hand_out(buffer: &Buffer) {
    let (start, bytes) = (buffer.address(), buffer.bytes());
    if bytes == 0 {
        return;
    }
    let mut bits: Vec<AtomicU64> = Vec::new();
    bits.resize_with(bytes.div_ceil(64), || AtomicU64::new(u64::MAX));
    let piece = UninitMap {
        start,
        bytes,
        left: AtomicUsize::new(bytes),
        bits: bits.into_boxed_slice(),
        keeper: Arc::downgrade(buffer.whole().keeper()),
    };
    let mut pieces = lock();
    // What was there before is gone, or it could not have been handed out again.
    pieces.retain(|_, known| known.matters() && known.within(start, bytes).is_none());
    pieces.insert(start, Arc::new(piece));
    COUNT.store(pieces.len(), Ordering::Relaxed);
}

/// Notes that bytes were written, or that code which reports no writes may write them from now on.
#[inline]
pub fn mark_written(address: usize, bytes: usize) {
    if COUNT.load(Ordering::Relaxed) > 0 {
        note_write(address, bytes);
    }
}

#[cold]
fn note_write(address: usize, bytes: usize) {
    let mut pieces = lock();
    let end = address.saturating_add(bytes);
    let reached = pieces.range(..end).rev().take_while(|(_, piece)| piece.start + piece.bytes > address);
    let mut emptied = Vec::new();
    for (&start, piece) in reached {
        piece.write(address, bytes);
        if !piece.matters() {
            emptied.push(start);
        }
    }
    for start in emptied {
        pieces.remove(&start);
    }
    COUNT.store(pieces.len(), Ordering::Relaxed);
}

/// The pieces that hold uninitialised bytes.
pub fn uninit_maps() -> Vec<Arc<UninitMap>> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    lock().values().filter(|piece| piece.matters()).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(bytes: usize) -> UninitMap {
        let bits = (0..bytes.div_ceil(64)).map(|_| AtomicU64::new(u64::MAX)).collect();
        let keeper: Weak<()> = Weak::new();
        UninitMap { start: 1000, bytes, left: AtomicUsize::new(bytes), bits, keeper }
    }

    #[test]
    fn bytes_are_unwritten_until_they_are_written() {
        let piece = piece(200);
        assert_eq!(piece.first(1000, 200), Some(1000));
        assert_eq!(piece.first(1199, 50), Some(1199));
        assert_eq!(piece.first(900, 100), None);
        assert_eq!(piece.first(1200, 1), None);
        piece.write(990, 20);
        assert_eq!(piece.first(1000, 10), None);
        assert_eq!(piece.first(1000, 11), Some(1010));
        piece.write(1010, 130);
        piece.write(1100, 64);
        assert_eq!(piece.first(1000, 200), Some(1164));
        assert_eq!(piece.left.load(Ordering::Relaxed), 36);
        piece.write(0, 10_000);
        assert_eq!(piece.first(1000, 200), None);
        assert_eq!(piece.left.load(Ordering::Relaxed), 0);
    }
}
