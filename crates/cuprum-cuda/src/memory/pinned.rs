//! Page-locked host memory, which a GPU copies from and to directly.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, DeviceKind, MemoryPool};

use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::exit::is_given_up;

/// A block of page-locked host memory.
pub struct PinnedBlock {
    address: *mut c_void,
    bytes: usize,
}

// SAFETY: owned host memory; whoever holds it may use it from any thread.
unsafe impl Send for PinnedBlock {}
// SAFETY: a shared block only hands out its address.
unsafe impl Sync for PinnedBlock {}

impl PinnedBlock {
    /// A block of so many bytes, usable by every GPU.
    pub fn new(gpu: &Gpu, bytes: usize) -> Result<PinnedBlock> {
        const PORTABLE: u32 = 1;
        gpu.enter()?;
        let mut address = std::ptr::null_mut();
        // SAFETY: writes one address.
        match unsafe { (cuda()?.cuMemHostAlloc)(&mut address, bytes.max(1), PORTABLE) } {
            2 => Err(Error::Memory { asked: bytes, used: 0, limit: None }),
            code => check(code, "cuMemHostAlloc").map(|()| PinnedBlock { address, bytes }),
        }
    }

    /// Its address.
    pub fn address(&self) -> usize {
        self.address as usize
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for PinnedBlock {
    fn drop(&mut self) {
        if is_given_up() {
            return;
        }
        if let Ok(cuda) = cuda() {
            // SAFETY: the block came from the driver and nobody holds it.
            unsafe { (cuda.cuMemFreeHost)(self.address) };
        }
    }
}

/// Page-locked memory that is kept for reuse: the driver takes long to lock pages.
pub struct PinnedPool {
    gpu: &'static Gpu,
    keeps: bool,
    used: AtomicUsize,
    limit: AtomicUsize,
    /// Free blocks by their size, a power of two.
    free: Mutex<HashMap<usize, Vec<PinnedBlock>>>,
}

/// A block in use; it goes back to its pool when dropped.
struct PinnedAllocation {
    pool: Arc<PinnedPool>,
    block: Option<PinnedBlock>,
}

impl Drop for PinnedAllocation {
    fn drop(&mut self) {
        let Some(block) = self.block.take() else { return };
        self.pool.used.fetch_sub(block.bytes, Ordering::Relaxed);
        if self.pool.keeps {
            self.pool.lock().entry(block.bytes).or_default().push(block);
        }
    }
}

impl PinnedPool {
    /// A new pool; without `keeps`, freed blocks go back to the driver at once.
    pub fn new(gpu: &'static Gpu, keeps: bool) -> Arc<PinnedPool> {
        let (used, limit) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        Arc::new(PinnedPool { gpu, keeps, used, limit, free: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Vec<PinnedBlock>>> {
        self.free.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl MemoryPool for PinnedPool {
    fn provide(self: Arc<Self>, bytes: usize) -> Result<Buffer> {
        const MIN_BYTES: usize = 512;
        let size = bytes.max(MIN_BYTES).next_power_of_two();
        let (used, limit) = (self.used(), self.allowed());
        if size > limit.saturating_sub(used) {
            return Err(Error::Memory { asked: bytes, used, limit: Some(limit) });
        }
        let kept = self.lock().get_mut(&size).and_then(Vec::pop);
        let block = match kept {
            Some(block) => block,
            None => PinnedBlock::new(self.gpu, size)?,
        };
        self.used.fetch_add(size, Ordering::Relaxed);
        let address = block.address();
        let keeper = Arc::new(PinnedAllocation { pool: self, block: Some(block) });
        // SAFETY: the block is the host's, has at least as many bytes, and goes back when the keeper goes.
        Ok(unsafe { Buffer::new(DeviceKind::Cpu, address, bytes, keeper) })
    }

    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn free_bytes(&self) -> usize {
        self.lock().iter().map(|(size, blocks)| size * blocks.len()).sum()
    }

    fn free_blocks(&self) -> usize {
        self.lock().values().map(Vec::len).sum()
    }

    fn free_all(&self) {
        let blocks = std::mem::take(&mut *self.lock());
        // Outside the lock: the driver takes its time.
        drop(blocks);
    }

    fn limit(&self) -> Option<usize> {
        Some(self.allowed()).filter(|limit| *limit != usize::MAX)
    }

    fn set_limit(&self, limit: Option<usize>) {
        self.limit.store(limit.unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    fn allowed(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }
}
