//! Host memory: pools with limits. Large blocks are kept and used again, since fresh pages cost more than the
//! arithmetic on them.

#[cfg(all(test, loom))]
mod models;
mod system;

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use cuprum_core::memory::faults;
use cuprum_core::{Error, Result};
use cuprum_graph::{
    AllocateFunction, Allocator, BlockInfo, Buffer, DeviceKind, EventKind, MemoryPool, MemoryStage,
    forget_unread, has_memory_hooks, replaced_allocator, report_memory, tell_memory_hook,
};

use crate::device;
use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, const_fn};

/// Blocks of at least this size go back to the pool.
const POOLED_MIN_BYTES: usize = 64 << 10;
/// Blocks of at least this size are aligned for, and offered, huge pages.
const HUGE_PAGES_MIN_BYTES: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// Vector loads and streaming stores want whole cache lines.
const CACHE_LINE: usize = 64;

/// Each thread keeps a few blocks of each size up to this one: small arrays come and go.
const SMALL_MAX_BYTES: usize = 4 << 10;
const MAX_KEPT_OF_A_SIZE: usize = 32;
/// Of the smallest ones more are kept: a list of an array's elements has one for each.
const MAX_KEPT_BYTES_OF_A_SIZE: usize = 16 << 10;

thread_local! {
    static SMALL_BLOCKS: RefCell<SmallBlocks> = const { RefCell::new(SmallBlocks([const { Vec::new() }; SMALL_MAX_BYTES / CACHE_LINE])) };
}

/// Touches what a thread keeps of small blocks.
pub(crate) fn touch_small_blocks() {
    SMALL_BLOCKS.with(|_| {});
}

/// The pool that arrays come from unless another allocator is set.
#[cfg(not(loom))]
static DEFAULT: Pool = Pool::new(true);
#[cfg(loom)]
loom::lazy_static! {
    static ref DEFAULT: Pool = Pool::new(true);
}

/// Memory for arrays, counted and limited. Freed blocks are kept for later.
///
/// ```
/// use std::sync::Arc;
///
/// use cuprum_graph::MemoryPool;
///
/// let pool = Arc::new(cuprum_cpu::Pool::new(true));
/// let buffer = pool.clone().provide(1 << 20).unwrap();
/// assert_eq!((pool.used(), pool.free_bytes()), (1 << 20, 0));
/// drop(buffer);
/// assert_eq!((pool.used(), pool.free_blocks()), (0, 1));
/// pool.set_limit(Some(1 << 20));
/// assert!(pool.provide(2 << 20).is_err());
/// ```
pub struct Pool {
    used: AtomicUsize,
    /// Bytes allowed; `usize::MAX` stands for the machine's memory.
    limit: AtomicUsize,
    free: Mutex<Free>,
    keeps: bool,
    /// A function of the user's that gives the memory, instead of the system.
    source: Option<AllocateFunction>,
}

struct Free {
    blocks: BTreeMap<usize, Vec<MemoryBlock>>,
    bytes: usize,
}

/// Memory of its own, not yet tied to an array.
struct MemoryBlock {
    pointer: NonNull<u8>,
    size: usize,
    /// What a function of the user's gave; `None` for the system's memory.
    given: Option<Box<Buffer>>,
}

// SAFETY: a block is owned memory; whoever holds it may use it from any thread.
unsafe impl Send for MemoryBlock {}
// SAFETY: a shared block only hands out its address.
unsafe impl Sync for MemoryBlock {}

impl MemoryBlock {
    #[inline]
    fn address(&self) -> usize {
        self.given.as_ref().map_or(self.pointer.as_ptr() as usize, |buffer| buffer.address())
    }
}

/// One thread's free small blocks, by size in cache lines.
struct SmallBlocks([Vec<MemoryBlock>; SMALL_MAX_BYTES / CACHE_LINE]);

impl Drop for SmallBlocks {
    fn drop(&mut self) {
        self.0.iter_mut().flat_map(std::mem::take).for_each(release);
    }
}

/// A block in use; it goes back to its pool, or to the system, when dropped.
struct Allocation {
    block: Option<MemoryBlock>,
    /// `None` is the default pool.
    pool: Option<Arc<Pool>>,
}

/// The machine's memory in bytes.
///
/// ```
/// assert!(cuprum_cpu::total_memory() > 0);
/// ```
pub fn total_memory() -> usize {
    static TOTAL: OnceLock<usize> = OnceLock::new();
    *TOTAL.get_or_init(|| system::total_memory().unwrap_or(1 << 40))
}

/// Bytes in use and bytes allowed in the pool that this thread's arrays come from.
pub(crate) fn current_use() -> (usize, usize) {
    match replaced_allocator(device()) {
        Some(Allocator::Pool(pool)) => (pool.used(), pool.allowed()),
        Some(Allocator::Default) | None => (DEFAULT.used(), DEFAULT.allowed()),
    }
}

/// Memory for `bytes` bytes, uninitialised, aligned to a cache line.
pub(crate) fn allocate(bytes: usize) -> Result<Buffer> {
    match obtained(bytes) {
        // Results that can no longer be read keep memory alive: they are dropped first.
        Err(Error::Memory { .. }) if forget_unread() => obtained(bytes),
        outcome => outcome,
    }
}

fn obtained(bytes: usize) -> Result<Buffer> {
    match replaced_allocator(device()) {
        Some(Allocator::Pool(pool)) => pool.provide(bytes)?.checked(DeviceKind::Cpu, bytes),
        Some(Allocator::Default) | None => DEFAULT.buffer(bytes, None),
    }
}

/// The default pool as one among others.
pub(crate) struct DefaultPool;

impl MemoryPool for DefaultPool {
    fn provide(self: Arc<Self>, bytes: usize) -> Result<Buffer> {
        DEFAULT.buffer(bytes, None)
    }

    fn used(&self) -> usize {
        DEFAULT.used()
    }

    fn free_bytes(&self) -> usize {
        DEFAULT.free_bytes()
    }

    fn free_blocks(&self) -> usize {
        DEFAULT.free_blocks()
    }

    fn free_all(&self) {
        DEFAULT.free_all();
    }

    fn limit(&self) -> Option<usize> {
        DEFAULT.limit()
    }

    fn set_limit(&self, limit: Option<usize>) {
        DEFAULT.set_limit(limit);
    }

    fn allowed(&self) -> usize {
        DEFAULT.allowed()
    }
}

impl MemoryPool for Pool {
    fn provide(self: Arc<Self>, bytes: usize) -> Result<Buffer> {
        self.buffer(bytes, Some(self.clone()))
    }

    #[inline]
    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn free_bytes(&self) -> usize {
        self.lock().bytes
    }

    fn free_blocks(&self) -> usize {
        self.lock().blocks.values().map(Vec::len).sum()
    }

    fn free_all(&self) {
        let blocks = {
            let mut free = self.lock();
            free.bytes = 0;
            std::mem::take(&mut free.blocks)
        };
        blocks.into_values().flatten().for_each(release);
    }

    fn limit(&self) -> Option<usize> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|&limit| limit != usize::MAX)
    }

    fn set_limit(&self, limit: Option<usize>) {
        self.limit.store(limit.unwrap_or(usize::MAX), Ordering::Relaxed);
        self.fit();
    }

    #[inline]
    fn allowed(&self) -> usize {
        self.limit.load(Ordering::Relaxed).min(total_memory())
    }
}

impl Pool {
    const_fn! {
        /// An empty pool without a limit. One that does not `keep` gives blocks back to the system at once.
        pub fn new(keeps: bool) -> Pool {
            Pool {
                used: AtomicUsize::new(0),
                limit: AtomicUsize::new(usize::MAX),
                free: Mutex::new(Free { blocks: BTreeMap::new(), bytes: 0 }),
                keeps,
                source: None,
            }
        }
    }

    /// A pool whose memory a function of the user's gives. Where it keeps none, each block is asked for as it is.
    pub(crate) fn over(source: AllocateFunction, keeps: bool) -> Pool {
        let mut pool = Pool::new(keeps);
        pool.source = Some(source);
        pool
    }

    fn buffer(&self, bytes: usize, owner: Option<Arc<Pool>>) -> Result<Buffer> {
        if has_memory_hooks() && (self.keeps || self.source.is_some()) {
            return self.told_buffer(bytes, owner);
        }
        self.buffer_if_idle(bytes, owner)
    }

    /// [`Pool::buffer`], of which hooks are told.
    #[cold]
    fn told_buffer(&self, bytes: usize, owner: Option<Arc<Pool>>) -> Result<Buffer> {
        let mut news = BlockInfo {
            device: DeviceKind::Cpu,
            asked: bytes,
            size: self.size_for(bytes),
            address: 0,
            id: 0,
        };
        tell_memory_hook(MemoryStage::BeforeMalloc, news)?;
        let is_new = !self.has_kept(news.size);
        if is_new {
            tell_memory_hook(MemoryStage::BeforeAlloc, news)?;
        }
        let buffer = self.buffer_if_idle(bytes, owner)?;
        news.address = buffer.address();
        if is_new {
            tell_memory_hook(MemoryStage::AfterAlloc, news)?;
        }
        if let Some(allocation) = buffer.keeper().downcast_ref::<Allocation>() {
            news = allocation.news(news.asked);
        }
        tell_memory_hook(MemoryStage::AfterMalloc, news)?;
        Ok(buffer)
    }

    /// The size of the block for so many bytes.
    #[inline]
    fn size_for(&self, bytes: usize) -> usize {
        if self.source.is_some() && !self.keeps { bytes } else { rounded(bytes) }
    }

    /// Whether a block of this size is kept for reuse.
    fn has_kept(&self, size: usize) -> bool {
        if self.shares_small(size) {
            return SMALL_BLOCKS
                .try_with(|small| !small.borrow().0[size / CACHE_LINE - 1].is_empty())
                .unwrap_or(false);
        }
        self.lock().blocks.range(size..=size + size / 8).next().is_some()
    }

    /// Whether blocks of this size are kept by threads, for all pools.
    #[inline]
    fn shares_small(&self, size: usize) -> bool {
        size <= SMALL_MAX_BYTES && self.source.is_none()
    }

    /// Whether blocks of this size are kept by the pool.
    #[inline]
    fn pools(&self, size: usize) -> bool {
        size >= POOLED_MIN_BYTES || self.source.is_some()
    }

    fn buffer_if_idle(&self, bytes: usize, owner: Option<Arc<Pool>>) -> Result<Buffer> {
        let mut size = self.size_for(bytes);
        let left = self.limit.load(Ordering::Relaxed).saturating_sub(self.used());
        if size > left && bytes <= left {
            // Close to the limit no more is taken than is needed.
            size = bytes.max(1).next_multiple_of(CACHE_LINE);
        }
        // A request that is refused is never counted: another one at the same time would find less room.
        let strikes = faults::strikes();
        let counted = |used| (!strikes && self.has_room(size, used)).then(|| used + size);
        let refused = |used| Error::Memory { asked: bytes, used, limit: Some(self.allowed()) };
        let used = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted).map_err(refused)?;
        let block = match self.obtain(size).and_then(|block| block.ok_or_else(|| refused(used))) {
            Ok(block) => block,
            Err(error) => {
                // A failed request leaves no trace.
                self.used.fetch_sub(size, Ordering::Relaxed);
                return Err(error);
            }
        };
        if block.size > size {
            self.used.fetch_add(block.size - size, Ordering::Relaxed);
        }
        let address = block.address();
        report_memory(EventKind::Allocate, DeviceKind::Cpu, address, block.size);
        let keeper: Arc<dyn Any + Send + Sync> = Arc::new(Allocation { block: Some(block), pool: owner });
        // SAFETY: the block has at least as many bytes, and goes back when the keeper goes.
        Ok(unsafe { Buffer::new(DeviceKind::Cpu, address, bytes, keeper) })
    }

    /// Whether `size` bytes may be used beside those that are; small blocks need not ask for the machine's memory.
    #[inline]
    fn has_room(&self, size: usize, used: usize) -> bool {
        size <= self.limit.load(Ordering::Relaxed).saturating_sub(used)
            && (size <= SMALL_MAX_BYTES || size <= total_memory().saturating_sub(used))
    }

    /// A block kept for reuse, or a fresh one; free blocks go back to the system where they stand in its way.
    fn obtain(&self, size: usize) -> Result<Option<MemoryBlock>> {
        if self.shares_small(size) {
            let kept = SMALL_BLOCKS.try_with(|small| small.borrow_mut().0[size / CACHE_LINE - 1].pop());
            if let Some(block) = kept.ok().flatten() {
                return Ok(Some(block));
            }
        } else if self.pools(size) {
            if let Some(block) = self.reuse(size) {
                return Ok(Some(block));
            }
            self.fit();
        }
        if let Some(function) = &self.source {
            return match ask(function, size) {
                Err(Error::Memory { .. }) => {
                    self.free_all();
                    ask(function, size)
                }
                asked => asked,
            };
        }
        Ok(acquire(size).or_else(|| {
            self.free_all();
            DEFAULT.free_all();
            acquire(size)
        }))
    }

    /// Gives the free blocks back where they and what is used, requests under way included, pass the limit.
    fn fit(&self) {
        if self.limit().is_some_and(|limit| self.used() + self.free_bytes() > limit) {
            self.free_all();
        }
    }

    /// A free block that is large enough and wastes less than an eighth.
    fn reuse(&self, size: usize) -> Option<MemoryBlock> {
        let mut free = self.lock();
        let (&found, blocks) = free.blocks.range_mut(size..=size + size / 8).next()?;
        // The caller has reserved `size`; a limit holds for the whole block.
        if self.used() + (found - size) > self.allowed() {
            return None;
        }
        let block = blocks.pop();
        if blocks.is_empty() {
            free.blocks.remove(&found);
        }
        free.bytes -= found;
        block
    }

    /// Takes a block back: kept where that is worth it, else given to the system.
    fn take_back(&self, block: MemoryBlock) {
        self.used.fetch_sub(block.size, Ordering::Relaxed);
        if self.shares_small(block.size) {
            return keep_small(block);
        }
        if !self.pools(block.size) || !self.keeps {
            return release(block);
        }
        let mut free = self.lock();
        let bytes = free.bytes + block.size;
        if bytes > total_memory() / 4 || self.limit().is_some_and(|limit| self.used() + bytes > limit) {
            drop(free);
            return release(block);
        }
        free.bytes = bytes;
        free.blocks.entry(block.size).or_default().push(block);
    }

    fn lock(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.free_all();
    }
}

impl Allocation {
    fn pool(&self) -> &Pool {
        self.pool.as_deref().unwrap_or(&DEFAULT)
    }

    fn news(&self, asked: usize) -> BlockInfo {
        let (address, size) = self.block.as_ref().map_or((0, 0), |block| (block.address(), block.size));
        BlockInfo { device: DeviceKind::Cpu, asked, size, address, id: std::ptr::from_ref(self) as usize }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let told = has_memory_hooks() && (self.pool().keeps || self.pool().source.is_some());
        let news = told.then(|| self.news(0));
        if let Some(news) = news {
            // Nothing can stop memory from going.
            let _ = tell_memory_hook(MemoryStage::BeforeFree, news);
        }
        let Some(block) = self.block.take() else { return };
        report_memory(EventKind::Free, DeviceKind::Cpu, block.address(), block.size);
        self.pool().take_back(block);
        if let Some(news) = news {
            let _ = tell_memory_hook(MemoryStage::AfterFree, news);
        }
    }
}

/// A block from a function of the user's.
fn ask(function: &AllocateFunction, size: usize) -> Result<Option<MemoryBlock>> {
    let buffer = function(size)?.checked(DeviceKind::Cpu, size)?;
    // What has no elements may lie nowhere.
    let pointer = NonNull::new(buffer.address() as *mut u8).unwrap_or(NonNull::dangling());
    Ok(Some(MemoryBlock { pointer, size, given: Some(Box::new(buffer)) }))
}

fn keep_small(block: MemoryBlock) {
    let mut block = Some(block);
    let kept = SMALL_BLOCKS.try_with(|small| {
        let places = &mut small.borrow_mut().0;
        let class = block.as_ref().map_or(0, |b| b.size / CACHE_LINE - 1);
        if places[class].len() < MAX_KEPT_OF_A_SIZE.max(MAX_KEPT_BYTES_OF_A_SIZE / ((class + 1) * CACHE_LINE))
        {
            places[class].extend(block.take());
        }
    });
    // A thread that is ending has no place for blocks any more.
    if kept.is_err() || block.is_some() {
        block.into_iter().for_each(release);
    }
}

/// Sizes are rounded so that arrays of nearly the same size share blocks.
fn rounded(bytes: usize) -> usize {
    let step = match bytes {
        0..POOLED_MIN_BYTES => CACHE_LINE,
        POOLED_MIN_BYTES..HUGE_PAGES_MIN_BYTES => 16 << 10,
        _ => HUGE_PAGE,
    };
    // Far beyond any memory, and still small enough to be added up.
    bytes.max(1).checked_next_multiple_of(step).unwrap_or(usize::MAX).min(usize::MAX / 4)
}

fn layout_of(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, if size >= HUGE_PAGES_MIN_BYTES { HUGE_PAGE } else { CACHE_LINE }).ok()
}

fn acquire(size: usize) -> Option<MemoryBlock> {
    let layout = layout_of(size)?;
    // SAFETY: the size is at least one byte.
    let pointer = NonNull::new(unsafe { alloc(layout) })?;
    if size >= HUGE_PAGES_MIN_BYTES {
        // SAFETY: memory just obtained, of this size.
        unsafe { system::advise_huge_pages(pointer, size) };
    }
    Some(MemoryBlock { pointer, size, given: None })
}

fn release(block: MemoryBlock) {
    if block.given.is_some() {
        return;
    }
    let layout = layout_of(block.size).expect("the block was made with this layout");
    // SAFETY: the block came from `acquire` with the same layout and nobody uses it any more.
    unsafe { dealloc(block.pointer.as_ptr(), layout) };
}
