//! Memory and callbacks by plain addresses and handles, as CUDA's own runtime gives them to programs.

use std::ffi::c_void;

use cuprum_core::{Error, Result};

use crate::check::{check, cuda};
use crate::context::Gpu;

/// Which GPU the memory at an address belongs to; the first one for the null address.
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

/// Copies bytes from one address to another, of the host or of a GPU, in a stream's order.
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

/// Sets bytes on a GPU to a value, in a stream's order.
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

/// Calls a function on the host when the stream's work so far is done. It must not call CUDA.
pub fn call_after(gpu: &Gpu, stream: usize, function: Box<dyn FnOnce() + Send>) -> Result<()> {
    unsafe extern "C" fn call(context: *mut c_void) {
        // SAFETY: the box that was made for this one call.
        let function = unsafe { Box::from_raw(context.cast::<Box<dyn FnOnce() + Send>>()) };
        // A panic must not cross the driver.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
    }
    gpu.enter()?;
    let context = Box::into_raw(Box::new(function));
    // SAFETY: the driver calls the function once with this context.
    let code = unsafe { (cuda()?.cuLaunchHostFunc)(stream, call, context.cast()) };
    if code != 0 {
        // SAFETY: the driver has refused: nobody else will free the box.
        drop(unsafe { Box::from_raw(context) });
    }
    check(code, "cuLaunchHostFunc")
}

/// Switches a profiler that is attached on or off.
pub fn profile(gpu: &Gpu, on: bool) -> Result<()> {
    gpu.enter()?;
    let cuda = cuda()?;
    // SAFETY: takes nothing.
    let code = unsafe { if on { (cuda.cuProfilerStart)() } else { (cuda.cuProfilerStop)() } };
    check(code, "cuProfilerStart")
}
