//! The pool: blocks by size class. Small blocks are pieces of slabs, large ones come from the driver one by one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, MemoryPool};

use super::is_gone;
use crate::check::{check, cuda};
use crate::context::{Gpu, current_stream};
use crate::device::device;

/// Every block begins at, and is counted in, multiples of this.
const UNIT: usize = 512;
/// Blocks of at most this size are pieces of slabs.
const SMALL: usize = 1 << 20;
/// The size of a slab, or eight of its pieces where those are large.
const SLAB: usize = 2 << 20;
const OUT_OF_MEMORY: i32 = 2;

/// Memory of one GPU, counted and limited.
pub struct Pool {
    gpu: &'static Gpu,
    keeps: bool,
    /// Blocks have exactly the size that was asked for.
    exact: bool,
    /// The memory is a graph's, whose launches use what is free by now: none of it goes before the graph.
    recorded: bool,
    used: AtomicUsize,
    limit: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Free blocks by the stream that used them last and their class.
    free: HashMap<(usize, usize), Vec<Piece>, BuildHasherDefault<NumberHash>>,
    /// Slabs by their number; where one is gone, the next is put.
    slabs: Vec<Option<Slab>>,
    /// Bytes held from the driver.
    total: usize,
}

impl State {
    fn slab(&mut self, number: usize) -> &mut Slab {
        self.slabs[number].as_mut().expect("a piece's slab exists")
    }

    /// Keeps a slab; gives its number.
    fn add_slab(&mut self, slab: Slab) -> usize {
        let gone = self.slabs.iter().position(Option::is_none);
        let number = gone.unwrap_or_else(|| {
            self.slabs.push(None);
            self.slabs.len() - 1
        });
        self.slabs[number] = Some(slab);
        number
    }
}

/// A quick hash of the few numbers that blocks are found by, at every allocation.
#[derive(Default)]
struct NumberHash(u64);

impl Hasher for NumberHash {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(byte.into()));
    }
    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0.rotate_left(29) ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        // The table takes its place from the lower bits, and those of a product are the poorest.
        self.0 ^ self.0 >> 32
    }
}

/// A free block.
#[derive(Clone, Copy)]
struct Piece {
    address: usize,
    /// The slab it is a piece of; `None` for memory of its own.
    slab: Option<usize>,
}

struct Slab {
    address: usize,
    bytes: usize,
    pieces: usize,
    free: usize,
}

impl Slab {
    /// Whether a piece of it is in use.
    fn is_used(&self) -> bool {
        self.free < self.pieces
    }
}

/// A block in use; it goes back to its pool when dropped.
pub(crate) struct Allocation {
    pool: Arc<Pool>,
    piece: Piece,
    class: usize,
    counted: usize,
    stream: AtomicUsize,
}

impl Allocation {
    /// Notes a use in a stream, and gives the one of the last use.
    pub(crate) fn used_in(&self, stream: usize) -> usize {
        self.stream.swap(stream, Ordering::AcqRel)
    }

    /// Whether it is a block of this pool's.
    pub(crate) fn is_of(&self, pool: &Arc<Pool>) -> bool {
        Arc::ptr_eq(&self.pool, pool)
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.pool.used.fetch_sub(self.counted, Ordering::Relaxed);
        let stream = *self.stream.get_mut();
        let stream = if stream != 0 && is_gone(stream) { 0 } else { stream };
        self.pool.give_back(self.piece, self.class, stream);
    }
}

/// The size that a block of so many bytes really has: eight classes to every power of two, sixteen for large ones.
fn class_of(bytes: usize) -> usize {
    let bytes = bytes.max(1).next_multiple_of(UNIT);
    if bytes <= 8 * UNIT {
        return bytes;
    }
    let power = 1usize << (usize::BITS - 1 - (bytes - 1).leading_zeros());
    bytes.next_multiple_of(if power >= SLAB << 3 { power / 16 } else { power / 8 })
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.recorded = false;
        self.free_all();
    }
}

impl Pool {
    /// A new pool; one that does not keep blocks gives them back to the driver at once.
    ///
    /// With `CUPRUM_MEMORY=exact` none does, and blocks are not rounded up: a sanitizer then sees every access that lies
    /// beyond an array, and every use of memory that was given back.
    pub fn new(gpu: &'static Gpu, keeps: bool) -> Arc<Pool> {
        let exact = std::env::var_os("CUPRUM_MEMORY").is_some_and(|wish| wish == "exact");
        Pool::made(gpu, keeps && !exact, exact, false)
    }

    /// A new pool for the memory that a graph uses, kept whole until the graph is gone.
    pub(crate) fn of_graph(gpu: &'static Gpu) -> Arc<Pool> {
        Pool::made(gpu, true, false, true)
    }

    fn made(gpu: &'static Gpu, keeps: bool, exact: bool, recorded: bool) -> Arc<Pool> {
        let (used, limit) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        Arc::new(Pool { gpu, keeps, exact, recorded, used, limit, state: Mutex::default() })
    }

    /// Bytes held from the driver, in use or kept for later.
    pub fn total(&self) -> usize {
        self.lock().total
    }

    /// The GPU that the memory is on.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Memory for so many bytes, uninitialised, for use in the thread's stream.
    pub fn allocate(self: &Arc<Pool>, bytes: usize) -> Result<Buffer> {
        let counted = bytes.max(1).next_multiple_of(UNIT);
        let before = self.used.fetch_add(counted, Ordering::Relaxed);
        let limit = self.limit.load(Ordering::Relaxed);
        let refuse = || {
            self.used.fetch_sub(counted, Ordering::Relaxed);
            let limit = if limit == usize::MAX { self.gpu.memory } else { limit };
            Error::Memory { asked: bytes, used: before, limit: Some(limit) }
        };
        if before.saturating_add(counted) > limit {
            return Err(refuse());
        }
        let class = if self.exact { bytes.max(1) } else { class_of(bytes) };
        let stream = current_stream(self.gpu.ordinal);
        let piece = match self.take(class, stream) {
            Ok(Some(piece)) => piece,
            Ok(None) => return Err(refuse()),
            Err(error) => {
                self.used.fetch_sub(counted, Ordering::Relaxed);
                return Err(error);
            }
        };
        let allocation =
            Allocation { pool: self.clone(), piece, class, counted, stream: AtomicUsize::new(stream) };
        Ok(Buffer::new(piece.address, bytes, Arc::new(allocation)))
    }

    /// A block of a class: a free one of the stream's, or a new one. `None`: the GPU has no more.
    fn take(&self, class: usize, stream: usize) -> Result<Option<Piece>> {
        let mut state = self.lock();
        if let Some(piece) = state.free.get_mut(&(stream, class)).and_then(Vec::pop) {
            if let Some(slab) = piece.slab {
                state.slab(slab).free -= 1;
            }
            return Ok(Some(piece));
        }
        let bytes = if class <= SMALL && self.keeps { SLAB.max(8 * class) / class * class } else { class };
        let Some(address) = self.ask_driver(&mut state, bytes)? else { return Ok(None) };
        if bytes == class {
            return Ok(Some(Piece { address, slab: None }));
        }
        let pieces = bytes / class;
        let slab = state.add_slab(Slab { address, bytes, pieces, free: pieces - 1 });
        let list = state.free.entry((stream, class)).or_default();
        list.extend((1..pieces).rev().map(|i| Piece { address: address + i * class, slab: Some(slab) }));
        Ok(Some(Piece { address, slab: Some(slab) }))
    }

    /// New memory; where there is none, what is kept is let go of first.
    fn ask_driver(&self, state: &mut State, bytes: usize) -> Result<Option<usize>> {
        self.gpu.enter()?;
        if state.total.saturating_add(bytes) > self.limit.load(Ordering::Relaxed) && !self.recorded {
            free_all(state);
        }
        for again in [false, true] {
            if again && self.recorded {
                device(self.gpu.ordinal)?.pool().free_all();
            } else if again {
                free_all(state);
            }
            let mut address = 0;
            // SAFETY: writes one address.
            match unsafe { (cuda()?.cuMemAlloc_v2)(&mut address, bytes) } {
                0 => {
                    state.total += bytes;
                    return Ok(Some(address));
                }
                OUT_OF_MEMORY => {}
                code => check(code, "cuMemAlloc")?,
            }
        }
        Ok(None)
    }

    fn give_back(&self, piece: Piece, class: usize, stream: usize) {
        let mut state = self.lock();
        if !self.keeps {
            state.total -= class;
            release(self.gpu, piece.address);
            return;
        }
        if let Some(slab) = piece.slab {
            state.slab(slab).free += 1;
        }
        state.free.entry((stream, class)).or_default().push(piece);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl MemoryPool for Pool {
    fn provide(self: Arc<Self>, bytes: usize) -> Result<Buffer> {
        Pool::allocate(&self, bytes)
    }

    /// Each block is rounded up to 512.
    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn free_bytes(&self) -> usize {
        self.total().saturating_sub(self.used())
    }

    fn free_blocks(&self) -> usize {
        self.lock().free.values().map(Vec::len).sum()
    }

    /// Every block that is no piece, and every slab that is free whole.
    fn free_all(&self) {
        if !self.recorded && self.gpu.enter().is_ok() {
            free_all(&mut self.lock());
        }
    }

    fn limit(&self) -> Option<usize> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|limit| *limit != usize::MAX)
    }

    /// What is kept for later goes where it and what is used pass the limit.
    fn set_limit(&self, limit: Option<usize>) {
        self.limit.store(limit.unwrap_or(usize::MAX), Ordering::Relaxed);
        if limit.is_some_and(|limit| self.total() > limit) {
            self.free_all();
        }
    }

    fn allowed(&self) -> usize {
        self.limit().unwrap_or(self.gpu.memory)
    }
}

/// The driver waits for work on memory before it takes it back.
fn free_all(state: &mut State) {
    let Ok(cuda) = cuda() else { return };
    let State { free, slabs, total, .. } = state;
    for (&(_, class), pieces) in free.iter_mut() {
        pieces.retain(|piece| match piece.slab {
            Some(slab) => slabs[slab].as_ref().is_some_and(Slab::is_used),
            None => {
                // SAFETY: the block came from the driver and nobody holds it.
                unsafe { (cuda.cuMemFree_v2)(piece.address) };
                *total -= class;
                false
            }
        });
    }
    for slab in slabs {
        if let Some(unused) = slab.take_if(|slab| !slab.is_used()) {
            // SAFETY: as above; none of its pieces is in use or kept any more.
            unsafe { (cuda.cuMemFree_v2)(unused.address) };
            *total -= unused.bytes;
        }
    }
    free.retain(|_, pieces| !pieces.is_empty());
}

fn release(gpu: &Gpu, address: usize) {
    if let (Ok(()), Ok(cuda)) = (gpu.enter(), cuda()) {
        // SAFETY: the block came from the driver and nobody holds it.
        unsafe { (cuda.cuMemFree_v2)(address) };
    }
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn classes_hold_what_is_asked_for_and_little_more() {
        for bytes in (0..40).flat_map(|p| [(1usize << p) - 1, 1 << p, (1 << p) + 1, 3 << p]) {
            let class = class_of(bytes);
            assert!(class >= bytes && class.is_multiple_of(512), "{bytes}");
            assert!(class <= bytes.max(1).next_multiple_of(512) * 9 / 8 + 512, "{bytes} took {class}");
            assert_eq!(class_of(class), class);
        }
    }
}
