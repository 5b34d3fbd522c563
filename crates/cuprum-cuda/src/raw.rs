//! Memory and callbacks by plain addresses and handles, in the manner of CUDA's runtime API.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use cuprum_core::{Error, Result};

use crate::capture::{is_capturing, keep_for_graph};
use crate::check::{check, cuda};
use crate::context::Gpu;

/// `CU_DEVICE_CPU`.
const HOST: i32 = -1;

/// The ordinal of the GPU that the memory at an address belongs to; 0 for the null address.
pub fn owner_of(address: usize) -> Result<usize> {
    const ORDINAL: i32 = 9;
    if address == 0 {
        return Ok(0);
    }
    let mut ordinal = -1i32;
    // SAFETY: writes one number; an address that the driver does not know is an error code.
    let code = unsafe { (cuda()?.cuPointerGetAttribute)((&raw mut ordinal).cast(), ORDINAL, address) };
    match usize::try_from(ordinal) {
        Ok(ordinal) if code == 0 => Ok(ordinal),
        _ => Err(Error::value("array", format!("{address:#x} is no address on a GPU"))),
    }
}

/// Copies bytes between addresses of the host or of GPUs, in a stream.
///
/// # Safety
/// Both ranges exist and stay until the copy is done.
pub unsafe fn copy_async(gpu: &Gpu, to: usize, from: usize, bytes: usize, stream: usize) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    gpu.enter()?;
    // SAFETY: the caller vouches for the ranges.
    check(unsafe { (cuda()?.cuMemcpyAsync)(to, from, bytes, stream) }, "cuMemcpyAsync")
}

/// Sets bytes on a GPU to a value, in a stream.
///
/// # Safety
/// The range exists and stays until the work is done.
pub unsafe fn set_async(gpu: &Gpu, address: usize, value: u8, bytes: usize, stream: usize) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    gpu.enter()?;
    // SAFETY: the caller vouches for the range.
    check(unsafe { (cuda()?.cuMemsetD8Async)(address, value, bytes, stream) }, "cuMemsetD8Async")
}

/// A function for [`call_after`]. Its argument says whether this is the last call.
pub type HostFunction = Box<dyn FnMut(bool) + Send>;

/// Calls a function on the host when the stream's work so far is done: once, or at every launch of the graph that the stream
/// records. It must not call CUDA.
///
/// # Safety
/// The handle is that of a stream of the GPU that is alive.
///
/// ```compile_fail,E0133
/// fn guess(gpu: &cuprum_cuda::Gpu) {
///     cuprum_cuda::call_after(gpu, 0x7f00, Box::new(|_| ())).unwrap();
/// }
/// ```
pub unsafe fn call_after(gpu: &Gpu, stream: usize, function: HostFunction) -> Result<()> {
    type Shared = Mutex<HostFunction>;
    // A panic must not cross the driver.
    fn call(function: &Shared, last: bool) {
        let mut function = function.lock().unwrap_or_else(|e| e.into_inner());
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| function(last)));
    }
    unsafe extern "C" fn call_again(context: *mut c_void) {
        // SAFETY: the graph that calls keeps the function.
        call(unsafe { &*context.cast::<Shared>() }, false);
    }
    unsafe extern "C" fn call_once(context: *mut c_void) {
        // SAFETY: the box that was made for this one call.
        let function = unsafe { Box::from_raw(context.cast::<Shared>()) };
        call(&function, true);
    }
    gpu.enter()?;
    let function: Shared = Mutex::new(function);
    // SAFETY: the caller vouches for the stream.
    if unsafe { is_capturing(stream) } {
        let function = Arc::new(function);
        let context = (&raw const *function).cast_mut();
        // SAFETY: the caller vouches for the stream; the graph keeps the function as long as it can be launched, and drops it
        // after its last call.
        let code = unsafe { (cuda()?.cuLaunchHostFunc)(stream, call_again, context.cast()) };
        // SAFETY: as above.
        unsafe { keep_for_graph(stream, function) };
        return check(code, "cuLaunchHostFunc");
    }
    let context = Box::into_raw(Box::new(function));
    // SAFETY: the caller vouches for the stream; the driver calls the function once with this context.
    let code = unsafe { (cuda()?.cuLaunchHostFunc)(stream, call_once, context.cast()) };
    if code != 0 {
        // SAFETY: the driver has refused: nobody else will free the box.
        drop(unsafe { Box::from_raw(context) });
    }
    check(code, "cuLaunchHostFunc")
}

/// Starts or stops an attached profiler: `cuProfilerStart`, `cuProfilerStop`.
pub fn profile(gpu: &Gpu, on: bool) -> Result<()> {
    gpu.enter()?;
    let cuda = cuda()?;
    // SAFETY: takes nothing.
    let code = unsafe { if on { (cuda.cuProfilerStart)() } else { (cuda.cuProfilerStop)() } };
    check(code, "cuProfilerStart")
}

/// What the driver knows of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerFacts {
    /// `cudaMemoryType`: 0 where the driver does not know it, 1 the host's, 2 a GPU's, 3 managed.
    pub kind: u32,
    /// The ordinal of the GPU, -2 for none.
    pub device: i32,
    /// Its address on GPUs, 0 for none.
    pub device_pointer: usize,
    /// Its address on the host, 0 for none.
    pub host_pointer: usize,
}

/// What the driver knows of an address.
pub fn pointer_facts(address: usize) -> Result<PointerFacts> {
    const ATTRIBUTES: [i32; 5] = [2, 3, 4, 8, 9];
    const MANAGED: u32 = 3;
    let mut facts = PointerFacts { kind: 0, device: -2, device_pointer: 0, host_pointer: 0 };
    let mut is_managed = 0u32;
    let mut which = ATTRIBUTES;
    let mut places: [*mut c_void; 5] = [
        (&raw mut facts.kind).cast(),
        (&raw mut facts.device_pointer).cast(),
        (&raw mut facts.host_pointer).cast(),
        (&raw mut is_managed).cast(),
        (&raw mut facts.device).cast(),
    ];
    // SAFETY: each place has the size of its attribute; what is not known of an address is zero.
    let code =
        unsafe { (cuda()?.cuPointerGetAttributes)(5, which.as_mut_ptr(), places.as_mut_ptr(), address) };
    check(code, "cuPointerGetAttributes")?;
    if is_managed & 1 != 0 {
        facts.kind = MANAGED;
    }
    Ok(facts)
}

/// Page-locks existing host memory, so that GPUs can copy from and to it directly; flags are those of
/// `cudaHostRegister`.
///
/// # Safety
/// The range exists until [`unregister_host`].
pub unsafe fn register_host(gpu: &Gpu, address: usize, bytes: usize, flags: u32) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller vouches for the range.
    check(
        unsafe { (cuda()?.cuMemHostRegister_v2)(address as *mut c_void, bytes, flags) },
        "cuMemHostRegister",
    )
}

/// Undoes [`register_host`].
///
/// # Safety
/// No work of a GPU uses the memory any more. The driver refuses an address that was not registered.
pub unsafe fn unregister_host(gpu: &Gpu, address: usize) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the caller's promise.
    check(unsafe { (cuda()?.cuMemHostUnregister)(address as *mut c_void) }, "cuMemHostUnregister")
}

/// Enables or disables access of a GPU's kernels to the memory of another GPU.
pub fn set_peer_access(gpu: &Gpu, peer: &Gpu, on: bool) -> Result<()> {
    gpu.enter()?;
    let cuda = cuda()?;
    // SAFETY: the peer's context is never destroyed.
    unsafe {
        if on {
            check((cuda.cuCtxEnablePeerAccess)(peer.context, 0), "cuCtxEnablePeerAccess")
        } else {
            check((cuda.cuCtxDisablePeerAccess)(peer.context), "cuCtxDisablePeerAccess")
        }
    }
}

/// One of a GPU's limits, by its number in CUDA (`CUlimit`).
pub fn limit(gpu: &Gpu, which: i32) -> Result<usize> {
    gpu.enter()?;
    let mut value = 0;
    // SAFETY: writes one number.
    check(unsafe { (cuda()?.cuCtxGetLimit)(&mut value, which) }, "cuCtxGetLimit").map(|()| value)
}

/// Sets one of a GPU's limits, by its number in CUDA (`CUlimit`).
pub fn set_limit(gpu: &Gpu, which: i32, value: usize) -> Result<()> {
    gpu.enter()?;
    // SAFETY: takes numbers alone.
    check(unsafe { (cuda()?.cuCtxSetLimit)(which, value) }, "cuCtxSetLimit")
}

/// Prefetches managed memory to a GPU, or to the host for `None`, in a stream.
///
/// # Safety
/// The range is managed memory.
pub unsafe fn prefetch(
    gpu: &Gpu,
    address: usize,
    bytes: usize,
    to: Option<&Gpu>,
    stream: usize,
) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the driver refuses what is no managed memory.
    let code = unsafe { (cuda()?.cuMemPrefetchAsync)(address, bytes, to.map_or(HOST, Gpu::handle), stream) };
    check(code, "cuMemPrefetchAsync")
}

/// Advises the driver how managed memory will be used: `advice` is a `CUmem_advise`, `None` stands for the host.
///
/// # Safety
/// The range is managed memory.
pub unsafe fn advise(gpu: &Gpu, address: usize, bytes: usize, advice: i32, by: Option<&Gpu>) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the driver refuses what is no managed memory.
    check(
        unsafe { (cuda()?.cuMemAdvise)(address, bytes, advice, by.map_or(HOST, Gpu::handle)) },
        "cuMemAdvise",
    )
}
