//! CUDA's memory pools by their handles, and stream-ordered allocation.

use cuprum_core::Result;

use crate::check::{check, cuda};
use crate::context::Gpu;

/// `CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT`: the bytes that a pool has from the driver.
pub(super) const RESERVED: i32 = 5;
/// `CU_MEMPOOL_ATTR_USED_MEM_CURRENT`: the bytes in use.
pub(super) const USED: i32 = 7;
/// Attributes up to this one are numbers of 32 bits.
const LAST_32_BIT: i32 = 3;

/// `CUmemPoolProps`, as CUDA lays it out.
#[repr(C)]
struct Properties {
    kind: i32,
    handles: i32,
    place: i32,
    device: i32,
    security: usize,
    most: usize,
    reserved: [u8; 56],
}

/// The handle of a GPU's default memory pool.
pub fn default_pool_handle(gpu: &Gpu) -> Result<usize> {
    let mut handle = 0;
    // SAFETY: writes one handle.
    let code = unsafe { (cuda()?.cuDeviceGetDefaultMemPool)(&mut handle, gpu.handle()) };
    check(code, "cuDeviceGetDefaultMemPool").map(|()| handle)
}

/// The handle of a GPU's current memory pool, which stream-ordered allocations come from.
pub fn current_pool_handle(gpu: &Gpu) -> Result<usize> {
    let mut handle = 0;
    // SAFETY: writes one handle.
    check(unsafe { (cuda()?.cuDeviceGetMemPool)(&mut handle, gpu.handle()) }, "cuDeviceGetMemPool")
        .map(|()| handle)
}

/// Sets a GPU's current memory pool.
///
/// # Safety
/// The handle is a pool's.
pub unsafe fn set_current_pool(gpu: &Gpu, handle: usize) -> Result<()> {
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda()?.cuDeviceSetMemPool)(gpu.handle(), handle) }, "cuDeviceSetMemPool")
}

/// Creates a pool. The numbers are those of `CUmemPoolProps`: the kinds of allocations and of IPC handles, the kind
/// of place and its ordinal. `most` is the pool's largest size in bytes, 0 for no limit.
pub fn create_pool(gpu: &Gpu, [kind, handles, place, device]: [i32; 4], most: usize) -> Result<usize> {
    gpu.enter()?;
    let properties = Properties { kind, handles, place, device, security: 0, most, reserved: [0; 56] };
    let mut handle = 0;
    // SAFETY: reads the properties, writes one handle.
    let code = unsafe { (cuda()?.cuMemPoolCreate)(&mut handle, (&raw const properties).cast()) };
    check(code, "cuMemPoolCreate").map(|()| handle)
}

/// Destroys a pool.
///
/// # Safety
/// The handle is a pool's that nobody uses any more.
pub unsafe fn destroy_pool(handle: usize) -> Result<()> {
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda()?.cuMemPoolDestroy)(handle) }, "cuMemPoolDestroy")
}

/// An attribute of a pool by its number (`CUmemPool_attribute`).
///
/// # Safety
/// The handle is a pool's.
pub unsafe fn pool_attribute(handle: usize, which: i32) -> Result<u64> {
    // Long enough for either kind of number, and little-endian: the short ones are its first half.
    let mut value = 0u64;
    // SAFETY: writes one number of at most 64 bits; the caller vouches for the handle.
    let code = unsafe { (cuda()?.cuMemPoolGetAttribute)(handle, which, (&raw mut value).cast()) };
    check(code, "cuMemPoolGetAttribute").map(|()| value)
}

/// Sets an attribute of a pool.
///
/// # Safety
/// The handle is a pool's.
pub unsafe fn set_pool_attribute(handle: usize, which: i32, value: u64) -> Result<()> {
    let (mut short, mut long) = (value as u32, value);
    let place = if which <= LAST_32_BIT { (&raw mut short).cast() } else { (&raw mut long).cast() };
    // SAFETY: reads a number of the attribute's size; the caller vouches for the handle.
    check(unsafe { (cuda()?.cuMemPoolSetAttribute)(handle, which, place) }, "cuMemPoolSetAttribute")
}

/// Waits for the work so far, then returns unused memory of a pool to the driver; at least `least` bytes are kept.
///
/// # Safety
/// The handle is a pool's.
pub unsafe fn trim_pool(gpu: &Gpu, handle: usize, least: usize) -> Result<()> {
    gpu.enter()?;
    let cuda = cuda()?;
    // SAFETY: takes nothing.
    check(unsafe { (cuda.cuCtxSynchronize)() }, "cuCtxSynchronize")?;
    // SAFETY: the caller vouches for the handle.
    check(unsafe { (cuda.cuMemPoolTrimTo)(handle, least) }, "cuMemPoolTrimTo")
}

/// Allocates memory in the order of a stream, from a pool or from the current one.
///
/// # Safety
/// The pool and the stream are handles of the GPU's.
pub unsafe fn allocate_ordered(gpu: &Gpu, pool: Option<usize>, bytes: usize, stream: usize) -> Result<usize> {
    gpu.enter()?;
    let cuda = cuda()?;
    let mut address = 0;
    // SAFETY: writes one address; the caller vouches for the handles.
    let code = unsafe {
        match pool {
            Some(pool) => (cuda.cuMemAllocFromPoolAsync)(&mut address, bytes, pool, stream),
            None => (cuda.cuMemAllocAsync)(&mut address, bytes, stream),
        }
    };
    check(code, "cuMemAllocAsync").map(|()| address)
}

/// Frees memory of [`allocate_ordered`] in the order of a stream.
///
/// # Safety
/// The memory came from there, and nobody uses it after that work.
pub unsafe fn free_ordered(gpu: &Gpu, address: usize, stream: usize) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller vouches for the memory.
    check(unsafe { (cuda()?.cuMemFreeAsync)(address, stream) }, "cuMemFreeAsync")
}
