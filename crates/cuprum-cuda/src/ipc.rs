//! Memory and events shared between processes (CUDA IPC): one process exports a handle, others open it.

use cuprum_core::Result;

use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::stream::Event;
use crate::sys::IpcHandle;

/// The IPC handle of the driver's allocation that an address lies in, and the address's offset in it.
///
/// # Safety
/// The address is one of the GPU's.
pub unsafe fn memory_handle(gpu: &Gpu, address: usize) -> Result<([u8; 64], usize)> {
    const RANGE_START: i32 = 11;
    gpu.enter()?;
    let mut handle = IpcHandle([0; 64]);
    // SAFETY: writes sixty-four bytes.
    check(unsafe { (cuda()?.cuIpcGetMemHandle)(&mut handle, address) }, "cuIpcGetMemHandle")?;
    let mut begin = 0usize;
    // SAFETY: the attribute is one address.
    let code = unsafe { (cuda()?.cuPointerGetAttribute)((&raw mut begin).cast(), RANGE_START, address) };
    check(code, "cuPointerGetAttribute")?;
    Ok((handle.0, address - begin))
}

/// Opens another process's allocation and returns its address in this process, valid until [`close_memory`]; flags
/// are CUDA's.
pub fn open_memory(gpu: &Gpu, handle: [u8; 64], flags: u32) -> Result<usize> {
    gpu.enter()?;
    let mut address = 0;
    // SAFETY: writes one address; the driver refuses a handle that is none.
    let code = unsafe { (cuda()?.cuIpcOpenMemHandle_v2)(&mut address, IpcHandle(handle), flags) };
    check(code, "cuIpcOpenMemHandle").map(|()| address)
}

/// Closes another process's allocation.
///
/// # Safety
/// Nobody in this process uses it any more.
pub unsafe fn close_memory(gpu: &Gpu, address: usize) -> Result<()> {
    gpu.enter()?;
    // SAFETY: the driver refuses an address that was not opened; the caller vouches that it is not in use.
    check(unsafe { (cuda()?.cuIpcCloseMemHandle)(address) }, "cuIpcCloseMemHandle")
}

/// The IPC handle of an event of [`Event::for_processes`].
pub fn event_handle(event: &Event) -> Result<[u8; 64]> {
    event.gpu().enter()?;
    let mut handle = IpcHandle([0; 64]);
    // SAFETY: writes sixty-four bytes; the event is alive.
    check(unsafe { (cuda()?.cuIpcGetEventHandle)(&mut handle, event.handle()) }, "cuIpcGetEventHandle")?;
    Ok(handle.0)
}

/// Opens another process's event.
pub fn open_event(gpu: &'static Gpu, handle: [u8; 64]) -> Result<Event> {
    gpu.enter()?;
    let mut event = 0;
    // SAFETY: writes one handle; the driver refuses what is none.
    let code = unsafe { (cuda()?.cuIpcOpenEventHandle)(&mut event, IpcHandle(handle)) };
    // SAFETY: the driver has made this event for us.
    check(code, "cuIpcOpenEventHandle").map(|()| unsafe { Event::from_handle(gpu, event) })
}
