//! Page-locked memory of the host, which the GPU copies from and to by itself.

use std::ffi::c_void;

use cuprum_core::{Error, Result};

use crate::check::{check, cuda};
use crate::context::Gpu;

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

    /// Where it is.
    pub fn address(&self) -> usize {
        self.address as usize
    }

    /// How large it is.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for PinnedBlock {
    fn drop(&mut self) {
        if let Ok(cuda) = cuda() {
            // SAFETY: the block came from the driver and nobody holds it.
            unsafe { (cuda.cuMemFreeHost)(self.address) };
        }
    }
}
