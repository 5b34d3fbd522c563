//! Where a pool's memory comes from and goes back to: the driver, managed memory, CUDA's own pools, a function.

use std::collections::HashMap;
use std::sync::Mutex;

use cuprum_core::{Error, Result};
use cuprum_graph::{AllocateFunction, Buffer, DeviceKind};

use super::ordered;
use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::exit::is_given_up;

const OUT_OF_MEMORY: i32 = 2;
/// `CU_MEM_ATTACH_GLOBAL`: every stream may use it.
const GLOBAL: u32 = 1;

/// Where memory comes from. The GPU's context is the thread's current one in every call.
pub(super) enum PoolSource {
    Driver,
    /// Memory that host and GPUs share, and that moves to where it is used.
    Managed,
    /// One of CUDA's own pools, by its handle: memory comes and goes in the order of a stream.
    Ordered(usize),
    /// A function of the user's, and the buffers that it has returned, by address.
    Function(AllocateFunction, Mutex<HashMap<usize, Buffer>>),
}

impl PoolSource {
    pub(super) fn function(function: AllocateFunction) -> PoolSource {
        PoolSource::Function(function, Mutex::default())
    }

    pub(super) fn is_function(&self) -> bool {
        matches!(self, PoolSource::Function(..))
    }

    pub(super) fn is_driver(&self) -> bool {
        matches!(self, PoolSource::Driver)
    }

    /// New memory; `None`: there is no more.
    ///
    /// # Safety
    /// The stream is alive.
    pub(super) unsafe fn get(&self, bytes: usize, stream: usize) -> Result<Option<usize>> {
        let mut address = 0;
        let (code, name) = match self {
            // SAFETY: writes one address.
            PoolSource::Driver => (unsafe { (cuda()?.cuMemAlloc_v2)(&mut address, bytes) }, "cuMemAlloc"),
            PoolSource::Managed => {
                // SAFETY: writes one address.
                (unsafe { (cuda()?.cuMemAllocManaged)(&mut address, bytes, GLOBAL) }, "cuMemAllocManaged")
            }
            PoolSource::Ordered(pool) => {
                // SAFETY: writes one address; the pool's owner keeps it, and the caller vouches for the stream.
                let code = unsafe { (cuda()?.cuMemAllocFromPoolAsync)(&mut address, bytes, *pool, stream) };
                (code, "cuMemAllocFromPoolAsync")
            }
            PoolSource::Function(function, given) => {
                let buffer = function(bytes)?;
                if buffer.bytes() < bytes || !matches!(buffer.device(), DeviceKind::Cuda(_)) {
                    return Err(Error::device("an allocator gave memory of the host, or too little of it"));
                }
                let address = buffer.address();
                given.lock().unwrap_or_else(|e| e.into_inner()).insert(address, buffer);
                return Ok(Some(address));
            }
        };
        if code == OUT_OF_MEMORY { Ok(None) } else { check(code, name).map(|()| Some(address)) }
    }

    /// Gives memory back; where streams order it, after the work of the one that used it last.
    ///
    /// # Safety
    /// The memory came from [`PoolSource::get`] and nobody holds it. The stream is alive, or the default one.
    pub(super) unsafe fn give(&self, address: usize, stream: usize) {
        let Ok(cuda) = cuda() else { return };
        if is_given_up() {
            return;
        }
        match self {
            // SAFETY: the caller's promise.
            PoolSource::Driver | PoolSource::Managed => unsafe { (cuda.cuMemFree_v2)(address) },
            // SAFETY: the caller's promise.
            PoolSource::Ordered(_) => unsafe { (cuda.cuMemFreeAsync)(address, stream) },
            PoolSource::Function(_, given) => {
                let buffer = given.lock().unwrap_or_else(|e| e.into_inner()).remove(&address);
                // Outside the lock: it may run code of the user's.
                drop(buffer);
                0
            }
        };
    }

    /// Bytes that one of CUDA's own pools keeps for later; `None` where the pool above it keeps them.
    pub(super) fn kept(&self) -> Option<usize> {
        let PoolSource::Ordered(pool) = self else { return None };
        // SAFETY: the pool's owner keeps it.
        let amount = |which| unsafe { ordered::pool_attribute(*pool, which) }.unwrap_or(0);
        Some(amount(ordered::RESERVED).saturating_sub(amount(ordered::USED)) as usize)
    }

    /// Lets one of CUDA's own pools give back what it keeps.
    pub(super) fn trim(&self, gpu: &Gpu) {
        if let PoolSource::Ordered(pool) = self {
            // Where the driver refuses, it keeps what it has.
            // SAFETY: the pool's owner keeps it.
            let _ = unsafe { ordered::trim_pool(gpu, *pool, 0) };
        }
    }
}
