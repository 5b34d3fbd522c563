//! Host memory: large blocks are kept and used again, since fresh pages cost more than the arithmetic on them.

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use cuprum_core::{Error, Result};
use cuprum_graph::Buffer;

/// Blocks of at least this size go back to the pool.
const POOLED: usize = 64 << 10;
/// Blocks of at least this size are aligned for, and offered, huge pages.
const HUGE: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// Vector loads and streaming stores want whole cache lines.
const LINE: usize = 64;

/// Blocks of at most this size are kept by each thread, a few of each size: small arrays come and go.
const SMALL: usize = 4 << 10;
const SMALL_KEPT: usize = 32;

thread_local! {
    static SMALL_BLOCKS: RefCell<SmallBlocks> = const { RefCell::new(SmallBlocks([const { Vec::new() }; SMALL / LINE])) };
}

static USED: AtomicUsize = AtomicUsize::new(0);
static POOL: Mutex<Pool> = Mutex::new(Pool { free: BTreeMap::new(), bytes: 0 });

struct Pool {
    free: BTreeMap<usize, Vec<Block>>,
    bytes: usize,
}

/// Memory of its own, not yet tied to an array.
struct Block {
    pointer: NonNull<u8>,
    size: usize,
}

// SAFETY: a block is owned memory; whoever holds it may use it from any thread.
unsafe impl Send for Block {}
// SAFETY: a shared block only hands out its address.
unsafe impl Sync for Block {}

/// One thread's free small blocks, by size in cache lines.
struct SmallBlocks([Vec<Block>; SMALL / LINE]);

impl Drop for SmallBlocks {
    fn drop(&mut self) {
        self.0.iter_mut().flat_map(std::mem::take).for_each(release);
    }
}

/// A block in use; it goes back to the pool, or to the system, when dropped.
struct Allocation {
    block: Option<Block>,
}

/// Bytes of host memory that arrays use, and that the pool keeps for later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolUse {
    /// Bytes in arrays.
    pub used: usize,
    /// Bytes kept free.
    pub free: usize,
}

/// The state of the pool.
///
/// ```
/// let _ = cuprum_cpu::pool_use().used;
/// ```
pub fn pool_use() -> PoolUse {
    PoolUse { used: USED.load(Ordering::Relaxed), free: lock().bytes }
}

/// Gives all free blocks back to the system.
///
/// ```
/// cuprum_cpu::free_pool();
/// assert_eq!(cuprum_cpu::pool_use().free, 0);
/// ```
pub fn free_pool() {
    let free = {
        let mut pool = lock();
        pool.bytes = 0;
        std::mem::take(&mut pool.free)
    };
    free.into_values().flatten().for_each(release);
}

/// The machine's memory in bytes.
pub(crate) fn total_memory() -> usize {
    static TOTAL: OnceLock<usize> = OnceLock::new();
    *TOTAL.get_or_init(|| {
        let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = info.lines().find(|l| l.starts_with("MemTotal:")).unwrap_or("");
        let kilobytes = line.split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok());
        kilobytes.map_or(1 << 40, |k| k * 1024)
    })
}

/// Memory for `bytes` bytes, uninitialised, aligned to a cache line.
pub(crate) fn allocate(bytes: usize) -> Result<Buffer> {
    let size = rounded(bytes);
    let used = USED.load(Ordering::Relaxed);
    let fail =
        || Error::Memory { asked: bytes, used: USED.load(Ordering::Relaxed), limit: Some(total_memory()) };
    if size > total_memory().saturating_sub(used) {
        return Err(fail());
    }
    let block = match size {
        0..=SMALL => {
            SMALL_BLOCKS.try_with(|small| small.borrow_mut().0[size / LINE - 1].pop()).ok().flatten()
        }
        POOLED.. => reuse(size),
        _ => None,
    };
    let block = match block {
        Some(block) => block,
        None => acquire(size)
            .or_else(|| {
                free_pool();
                acquire(size)
            })
            .ok_or_else(fail)?,
    };
    USED.fetch_add(block.size, Ordering::Relaxed);
    let address = block.pointer.as_ptr() as usize;
    let keeper: Arc<dyn Any + Send + Sync> = Arc::new(Allocation { block: Some(block) });
    Ok(Buffer::new(address, bytes, keeper))
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let Some(block) = self.block.take() else { return };
        USED.fetch_sub(block.size, Ordering::Relaxed);
        if block.size <= SMALL {
            return keep_small(block);
        }
        if block.size < POOLED {
            return release(block);
        }
        let mut pool = lock();
        if pool.bytes + block.size > total_memory() / 4 {
            drop(pool);
            return release(block);
        }
        pool.bytes += block.size;
        pool.free.entry(block.size).or_default().push(block);
    }
}

fn keep_small(block: Block) {
    let mut block = Some(block);
    let kept = SMALL_BLOCKS.try_with(|small| {
        let places = &mut small.borrow_mut().0;
        let class = block.as_ref().map_or(0, |b| b.size / LINE - 1);
        if places[class].len() < SMALL_KEPT {
            places[class].extend(block.take());
        }
    });
    // A thread that is ending has no place for blocks any more.
    if kept.is_err() || block.is_some() {
        block.into_iter().for_each(release);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(|e| e.into_inner())
}

/// Sizes are rounded so that arrays of nearly the same size share blocks.
fn rounded(bytes: usize) -> usize {
    let step = match bytes {
        0..POOLED => LINE,
        POOLED..HUGE => 16 << 10,
        _ => HUGE_PAGE,
    };
    bytes.max(1).checked_next_multiple_of(step).unwrap_or(usize::MAX)
}

/// A free block that is large enough and wastes less than an eighth.
fn reuse(size: usize) -> Option<Block> {
    let mut pool = lock();
    let (&found, blocks) = pool.free.range_mut(size..=size + size / 8).next()?;
    let block = blocks.pop();
    if blocks.is_empty() {
        pool.free.remove(&found);
    }
    pool.bytes -= found;
    block
}

fn layout_of(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, if size >= HUGE { HUGE_PAGE } else { LINE }).ok()
}

fn acquire(size: usize) -> Option<Block> {
    let layout = layout_of(size)?;
    // SAFETY: the size is at least one byte.
    let pointer = NonNull::new(unsafe { alloc(layout) })?;
    if size >= HUGE {
        // SAFETY: advice on memory just obtained; a refusal changes nothing.
        unsafe { libc::madvise(pointer.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
    }
    Some(Block { pointer, size })
}

fn release(block: Block) {
    let layout = layout_of(block.size).expect("the block was made with this layout");
    // SAFETY: the block came from `acquire` with the same layout and nobody uses it any more.
    unsafe { dealloc(block.pointer.as_ptr(), layout) };
}
