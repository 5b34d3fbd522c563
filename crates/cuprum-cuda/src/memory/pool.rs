//! The pool of device memory, by size class. Small blocks are pieces of slabs, large ones come from the driver one by
//! one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_core::{Error, Result};
use cuprum_graph::{
    BlockInfo, Buffer, DeviceKind, EventKind, MemoryPool, MemorySource, MemoryStage, has_memory_hooks,
    is_listening, report_memory, tell_memory_hook,
};

use super::is_gone;
use super::source::PoolSource;
use crate::context::{Gpu, current_stream};
use crate::device::device;

/// Every block begins at, and is counted in, multiples of this.
const UNIT_BYTES: usize = 512;
/// Blocks of at most this size are pieces of slabs.
const SLAB_PIECE_MAX_BYTES: usize = 1 << 20;
/// The size of a slab, or eight of its pieces where those are large.
const SLAB_BYTES: usize = 2 << 20;

/// Memory of one GPU, counted and limited.
pub struct Pool {
    gpu: &'static Gpu,
    keeps: bool,
    /// Blocks have exactly the size that was asked for.
    exact: bool,
    /// The memory is a graph's, whose launches use what is free by now: none of it goes before the graph.
    recorded: bool,
    /// Hooks are told of it.
    told: bool,
    source: PoolSource,
    used: AtomicUsize,
    limit: AtomicUsize,
    state: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    /// Free blocks by the stream that used them last and their class.
    free: HashMap<(usize, usize), Vec<Piece>, BuildHasherDefault<NumberHash>>,
    /// Slabs by their number; where one is gone, the next is put.
    slabs: Vec<Option<Slab>>,
    /// Bytes held from the driver.
    total: usize,
}

impl PoolState {
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
        // The hash table uses the low bits, which are the least mixed ones of a product.
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
    /// Whether code outside knows where it is.
    outside: AtomicBool,
}

impl Allocation {
    /// Notes a use in a stream, and gives the one of the last use.
    pub(crate) fn used_in(&self, stream: usize) -> usize {
        self.stream.swap(stream, Ordering::AcqRel)
    }

    /// Whether code outside may read it without asking us.
    #[inline]
    pub(crate) fn is_outside(&self) -> bool {
        self.outside.load(Ordering::Relaxed)
    }

    pub(crate) fn set_outside(&self) {
        self.outside.store(true, Ordering::Relaxed);
    }

    /// The addresses of all of it, also what nobody has asked for.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.piece.address..self.piece.address + self.class
    }

    /// Whether it is a block of this pool's.
    pub(crate) fn is_of(&self, pool: &Arc<Pool>) -> bool {
        Arc::ptr_eq(&self.pool, pool)
    }
}

impl Allocation {
    fn info(&self, asked: usize) -> BlockInfo {
        let id = std::ptr::from_ref(self) as usize;
        BlockInfo { asked, size: self.class, address: self.piece.address, id, ..self.pool.info() }
    }

    /// Tells a profiler of it.
    fn report(&self, kind: EventKind) {
        report_memory(kind, DeviceKind::Cuda(self.pool.gpu.ordinal), self.piece.address, self.class);
    }

    /// Tells hooks that the block is freed; a hook cannot prevent it.
    #[cold]
    fn tell(&self, stage: MemoryStage) {
        let _ = tell_memory_hook(stage, self.info(0));
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let is_told = has_memory_hooks() && self.pool.told;
        if is_told {
            self.tell(MemoryStage::BeforeFree);
        }
        self.report(EventKind::Free);
        self.pool.used.fetch_sub(self.counted, Ordering::Relaxed);
        let stream = *self.stream.get_mut();
        let stream = if stream != 0 && is_gone(stream) { 0 } else { stream };
        // SAFETY: the allocation ends here; the stream was alive when it was used, and is not gone since.
        unsafe { self.pool.give_back(self.piece, self.class, stream) };
        if is_told {
            self.tell(MemoryStage::AfterFree);
        }
    }
}

/// The size that a block of so many bytes really has: eight classes to every power of two, sixteen for large ones.
fn class_of(bytes: usize) -> usize {
    let bytes = bytes.max(1).next_multiple_of(UNIT_BYTES);
    if bytes <= 8 * UNIT_BYTES {
        return bytes;
    }
    let power = 1usize << (usize::BITS - 1 - (bytes - 1).leading_zeros());
    bytes.next_multiple_of(if power >= SLAB_BYTES << 3 { power / 16 } else { power / 8 })
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: the pool took these blocks from its source, and nobody has them.
            unused(&mut self.lock()).into_iter().for_each(|address| unsafe { self.source.give(address, 0) });
        }
    }
}

impl Pool {
    /// A new pool of the driver's memory that nobody is told of; one that does not keep blocks gives them back at once.
    ///
    /// With `CUPRUM_MEMORY=exact` none does, and blocks are not rounded up: a sanitizer then sees every access that lies
    /// beyond an array, and every use of memory that was given back.
    pub fn new(gpu: &'static Gpu, keeps: bool) -> Arc<Pool> {
        Pool::with_source(gpu, keeps, false, PoolSource::Driver)
    }

    /// A new pool for arrays.
    pub(crate) fn of(gpu: &'static Gpu, keeps: bool, source: MemorySource) -> Arc<Pool> {
        let source = match source {
            MemorySource::Device => PoolSource::Driver,
            MemorySource::Managed => PoolSource::Managed,
            MemorySource::Function(function) => PoolSource::function(function),
        };
        Pool::with_source(gpu, keeps, false, source)
    }

    /// A pool for arrays of memory from one of CUDA's own pools, by its handle; blocks go back to it in the order of
    /// streams.
    ///
    /// # Safety
    /// The handle is that of a pool of the GPU's memory, which lives as long as this and all that comes from it.
    ///
    /// ```compile_fail,E0133
    /// fn guess(gpu: &'static cuprum_cuda::Gpu) {
    ///     cuprum_cuda::Pool::ordered(gpu, 0x7f00);
    /// }
    /// ```
    pub unsafe fn ordered(gpu: &'static Gpu, handle: usize) -> Arc<Pool> {
        Pool::with_source(gpu, false, false, PoolSource::Ordered(handle))
    }

    /// A new pool for the memory that a graph uses, kept whole until the graph is gone.
    pub(crate) fn of_graph(gpu: &'static Gpu) -> Arc<Pool> {
        Pool::with_source(gpu, true, true, PoolSource::Driver)
    }

    fn with_source(gpu: &'static Gpu, keeps: bool, recorded: bool, source: PoolSource) -> Arc<Pool> {
        let wish = || std::env::var_os("CUPRUM_MEMORY").is_some_and(|wish| wish == "exact");
        // A function is asked for what its user would ask for.
        let exact = (!recorded && wish()) || (source.is_function() && !keeps);
        let told = keeps || !source.is_driver();
        let (used, limit) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let keeps = keeps && !exact;
        Arc::new(Pool { gpu, keeps, exact, recorded, told, source, used, limit, state: Mutex::default() })
    }

    fn info(&self) -> BlockInfo {
        BlockInfo { device: DeviceKind::Cuda(self.gpu.ordinal), asked: 0, size: 0, address: 0, id: 0 }
    }

    /// Bytes held from the driver, in use or kept for later.
    pub fn total(&self) -> usize {
        self.lock().total
    }

    /// The GPU that the memory is on.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Allocates uninitialised memory, for use in the thread's stream.
    #[inline]
    pub fn allocate(self: &Arc<Pool>, bytes: usize) -> Result<Buffer> {
        let buffer = if has_memory_hooks() && self.told {
            self.allocate_told(bytes)
        } else {
            self.allocate_untold(bytes)
        }?;
        if is_listening()
            && let Some(allocation) = buffer.keeper().downcast_ref::<Allocation>()
        {
            allocation.report(EventKind::Allocate);
        }
        Ok(buffer)
    }

    /// [`Pool::allocate`], of which hooks are told.
    #[cold]
    fn allocate_told(self: &Arc<Pool>, bytes: usize) -> Result<Buffer> {
        let class = self.class(bytes);
        let mut info = BlockInfo { asked: bytes, size: class, ..self.info() };
        tell_memory_hook(MemoryStage::BeforeMalloc, info)?;
        let stream = current_stream(self.gpu.ordinal);
        let has_kept = self.lock().free.get(&(stream, class)).is_some_and(|kept| !kept.is_empty());
        // Where another thread takes or frees a block meanwhile, the pool may do otherwise than it says.
        let new = (!has_kept).then(|| BlockInfo { size: self.bytes_for(class), ..info });
        if let Some(new) = new {
            tell_memory_hook(MemoryStage::BeforeAlloc, new)?;
        }
        let buffer = self.allocate_untold(bytes)?;
        if let Some(new) = new {
            // The first piece of a slab begins where the slab does.
            tell_memory_hook(MemoryStage::AfterAlloc, BlockInfo { address: buffer.address(), ..new })?;
        }
        if let Some(allocation) = buffer.keeper().downcast_ref::<Allocation>() {
            info = allocation.info(bytes);
        }
        tell_memory_hook(MemoryStage::AfterMalloc, info)?;
        Ok(buffer)
    }

    /// The size of the block for so many bytes.
    #[inline]
    fn class(&self, bytes: usize) -> usize {
        if self.exact { bytes.max(1) } else { class_of(bytes) }
    }

    /// The bytes to ask for where no block of a class is kept: one block, or a slab of them.
    fn bytes_for(&self, class: usize) -> usize {
        if class <= SLAB_PIECE_MAX_BYTES && self.keeps {
            SLAB_BYTES.max(8 * class) / class * class
        } else {
            class
        }
    }

    fn allocate_untold(self: &Arc<Pool>, bytes: usize) -> Result<Buffer> {
        let counted = bytes.max(1).next_multiple_of(UNIT_BYTES);
        let limit = self.limit.load(Ordering::Relaxed);
        let refused = |used| {
            let limit = if limit == usize::MAX { self.gpu.memory } else { limit };
            Error::Memory { asked: bytes, used, limit: Some(limit) }
        };
        // A request that is refused is never counted: another one at the same time would find less room.
        let within = |used: usize| used.checked_add(counted).filter(|&all| all <= limit);
        let used = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).map_err(refused)?;
        let class = self.class(bytes);
        let stream = current_stream(self.gpu.ordinal);
        // SAFETY: a thread's current stream is alive.
        let taken = unsafe { self.take(class, stream) };
        let piece = match taken.and_then(|piece| piece.ok_or_else(|| refused(used))) {
            Ok(piece) => piece,
            Err(error) => {
                self.used.fetch_sub(counted, Ordering::Relaxed);
                return Err(error);
            }
        };
        let (pool, stream) = (self.clone(), AtomicUsize::new(stream));
        // The host reads managed memory as its own, and a user's function knows what it gave.
        let outside = AtomicBool::new(!self.source.is_driver());
        let allocation = Allocation { pool, piece, class, counted, stream, outside };
        let device = DeviceKind::Cuda(self.gpu.ordinal);
        // SAFETY: the piece has at least as many bytes, and goes back when the allocation goes.
        Ok(unsafe { Buffer::new(device, piece.address, bytes, Arc::new(allocation)) })
    }

    /// A block of a class: a free one of the stream's, or a new one. `None`: the GPU has no more.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn take(&self, class: usize, stream: usize) -> Result<Option<Piece>> {
        let mut state = self.lock();
        if let Some(piece) = state.free.get_mut(&(stream, class)).and_then(Vec::pop) {
            if let Some(slab) = piece.slab {
                state.slab(slab).free -= 1;
            }
            return Ok(Some(piece));
        }
        let bytes = self.bytes_for(class);
        // Asked for outside the lock: the driver takes its time, and a function of the user's may need this pool.
        state.total += bytes;
        let is_over = state.total > self.limit.load(Ordering::Relaxed);
        drop(state);
        // SAFETY: the caller's promise.
        let asked = unsafe { self.ask(bytes, stream, is_over) };
        let mut state = self.lock();
        let Ok(Some(address)) = asked else {
            state.total -= bytes;
            return asked.map(|_| None);
        };
        if bytes == class {
            return Ok(Some(Piece { address, slab: None }));
        }
        let pieces = bytes / class;
        let slab = state.add_slab(Slab { address, bytes, pieces, free: pieces - 1 });
        let list = state.free.entry((stream, class)).or_default();
        list.extend((1..pieces).rev().map(|i| Piece { address: address + i * class, slab: Some(slab) }));
        Ok(Some(Piece { address, slab: Some(slab) }))
    }

    /// New memory; where there is none, or too much is kept, what is kept is freed first.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn ask(&self, bytes: usize, stream: usize, is_over: bool) -> Result<Option<usize>> {
        self.gpu.enter()?;
        if is_over {
            self.free_all();
        }
        // SAFETY: the caller vouches for the stream.
        match unsafe { self.source.get(bytes, stream) } {
            Ok(None) if self.recorded => device(self.gpu.ordinal)?.pool().free_all(),
            Ok(None) => self.free_all(),
            Err(Error::Memory { .. }) => self.free_all(),
            asked => return asked,
        }
        // SAFETY: as above.
        unsafe { self.source.get(bytes, stream) }
    }

    /// # Safety
    /// The piece is one of the pool's that nobody has any more. The stream is alive, or the default one.
    unsafe fn give_back(&self, piece: Piece, class: usize, stream: usize) {
        let mut state = self.lock();
        if !self.keeps {
            state.total -= class;
            drop(state);
            if self.gpu.enter().is_ok() {
                // SAFETY: the piece is a whole block of the source's where blocks are not kept, and its allocation has ended.
                unsafe { self.source.give(piece.address, stream) };
            }
            return;
        }
        if let Some(slab) = piece.slab {
            state.slab(slab).free += 1;
        }
        state.free.entry((stream, class)).or_default().push(piece);
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
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
        self.source.kept().unwrap_or_else(|| self.total().saturating_sub(self.used()))
    }

    fn free_blocks(&self) -> usize {
        self.lock().free.values().map(Vec::len).sum()
    }

    /// Every block that is no piece, and every slab that is free whole.
    fn free_all(&self) {
        if !self.recorded && self.gpu.enter().is_ok() {
            let unused = unused(&mut self.lock());
            // The driver waits for work on memory before it takes it back.
            // SAFETY: the pool took these blocks from its source, and nobody has them.
            unused.into_iter().for_each(|address| unsafe { self.source.give(address, 0) });
            self.source.trim(self.gpu);
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

/// Takes out of the pool what is not in use: the addresses that go back to where they came from.
fn unused(state: &mut PoolState) -> Vec<usize> {
    let PoolState { free, slabs, total, .. } = state;
    let mut gone = Vec::new();
    for (&(_, class), pieces) in free.iter_mut() {
        pieces.retain(|piece| match piece.slab {
            Some(slab) => slabs[slab].as_ref().is_some_and(Slab::is_used),
            None => {
                gone.push(piece.address);
                *total -= class;
                false
            }
        });
    }
    for slab in slabs {
        if let Some(unused) = slab.take_if(|slab| !slab.is_used()) {
            gone.push(unused.address);
            *total -= unused.bytes;
        }
    }
    free.retain(|_, pieces| !pieces.is_empty());
    gone
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
