//! CUDA's driver API, `libcuda`.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Library, functions};

/// Handles (contexts, streams, events, modules, functions, graphs) and device addresses are all one word.
type Word = usize;

/// The IPC handle of memory or of an event, by which other processes open it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct IpcHandle(pub [u8; 64]);

functions! {
    /// The driver's functions.
    Driver {
        cuInit(c_uint);
        cuDriverGetVersion(*mut c_int);
        cuDeviceGet(*mut c_int, c_int);
        cuDeviceGetCount(*mut c_int);
        cuDeviceGetName(*mut c_char, c_int, c_int);
        cuDeviceGetAttribute(*mut c_int, c_int, c_int);
        cuDeviceTotalMem_v2(*mut usize, c_int);
        cuDeviceGetUuid_v2(*mut [u8; 16], c_int);
        cuDeviceGetPCIBusId(*mut c_char, c_int, c_int);
        cuDeviceCanAccessPeer(*mut c_int, c_int, c_int);
        cuDevicePrimaryCtxRetain(*mut Word, c_int);
        cuCtxSetCurrent(Word);
        cuCtxGetCurrent(*mut Word);
        cuCtxSynchronize();
        cuCtxEnablePeerAccess(Word, c_uint);
        cuCtxDisablePeerAccess(Word);
        cuCtxGetLimit(*mut usize, c_int);
        cuCtxSetLimit(c_int, usize);
        cuCtxGetStreamPriorityRange(*mut c_int, *mut c_int);
        cuMemGetInfo_v2(*mut usize, *mut usize);
        cuMemAlloc_v2(*mut Word, usize);
        cuMemAllocManaged(*mut Word, usize, c_uint);
        cuMemAllocAsync(*mut Word, usize, Word);
        cuMemAllocFromPoolAsync(*mut Word, usize, Word, Word);
        cuMemFreeAsync(Word, Word);
        cuMemPoolCreate(*mut Word, *const c_void);
        cuMemPoolDestroy(Word);
        cuMemPoolGetAttribute(Word, c_int, *mut c_void);
        cuMemPoolSetAttribute(Word, c_int, *mut c_void);
        cuMemPoolTrimTo(Word, usize);
        cuDeviceGetDefaultMemPool(*mut Word, c_int);
        cuDeviceGetMemPool(*mut Word, c_int);
        cuDeviceSetMemPool(c_int, Word);
        cuMemPrefetchAsync(Word, usize, c_int, Word);
        cuMemAdvise(Word, usize, c_int, c_int);
        cuIpcGetMemHandle(*mut IpcHandle, Word);
        cuIpcOpenMemHandle_v2(*mut Word, IpcHandle, c_uint);
        cuIpcCloseMemHandle(Word);
        cuIpcGetEventHandle(*mut IpcHandle, Word);
        cuIpcOpenEventHandle(*mut Word, IpcHandle);
        cuArray3DCreate_v2(*mut Word, *const c_void);
        cuArrayDestroy(Word);
        cuTexObjectCreate(*mut u64, *const c_void, *const c_void, *const c_void);
        cuTexObjectDestroy(u64);
        cuSurfObjectCreate(*mut u64, *const c_void);
        cuSurfObjectDestroy(u64);
        cuMemcpy3DAsync_v2(*const c_void, Word);
        cuMemFree_v2(Word);
        cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
        cuMemFreeHost(*mut c_void);
        cuMemHostRegister_v2(*mut c_void, usize, c_uint);
        cuMemHostUnregister(*mut c_void);
        cuMemcpyAsync(Word, Word, usize, Word);
        cuMemcpyHtoDAsync_v2(Word, *const c_void, usize, Word);
        cuMemcpyDtoHAsync_v2(*mut c_void, Word, usize, Word);
        cuMemcpyDtoDAsync_v2(Word, Word, usize, Word);
        cuMemcpyPeerAsync(Word, Word, Word, Word, usize, Word);
        cuMemsetD8Async(Word, u8, usize, Word);
        cuMemsetD32Async(Word, c_uint, usize, Word);
        cuStreamCreateWithPriority(*mut Word, c_uint, c_int);
        cuStreamDestroy_v2(Word);
        cuStreamSynchronize(Word);
        cuStreamQuery(Word);
        cuStreamWaitEvent(Word, Word, c_uint);
        cuStreamGetPriority(Word, *mut c_int);
        cuStreamIsCapturing(Word, *mut c_int);
        cuStreamBeginCapture_v2(Word, c_int);
        cuStreamEndCapture(Word, *mut Word);
        cuThreadExchangeStreamCaptureMode(*mut c_int);
        cuGraphCreate(*mut Word, c_uint);
        cuGraphAddKernelNode_v2(*mut Word, Word, *const Word, usize, *const c_void);
        cuGraphExecKernelNodeSetParams_v2(Word, Word, *const c_void);
        cuGraphInstantiateWithFlags(*mut Word, Word, u64);
        cuGraphLaunch(Word, Word);
        cuGraphUpload(Word, Word);
        cuGraphDestroy(Word);
        cuGraphDebugDotPrint(Word, *const c_char, c_uint);
        cuGraphExecDestroy(Word);
        cuLaunchHostFunc(Word, unsafe extern "C" fn(*mut c_void), *mut c_void);
        cuEventCreate(*mut Word, c_uint);
        cuEventRecord(Word, Word);
        cuEventQuery(Word);
        cuEventSynchronize(Word);
        cuEventElapsedTime(*mut f32, Word, Word);
        cuEventDestroy_v2(Word);
        cuModuleLoadData(*mut Word, *const c_void);
        cuModuleUnload(Word);
        cuLinkCreate_v2(c_uint, *mut c_uint, *mut *mut c_void, *mut Word);
        cuLinkAddData_v2(
            Word, c_uint, *mut c_void, usize, *const c_char, c_uint, *mut c_uint, *mut *mut c_void,
        );
        cuLinkAddFile_v2(Word, c_uint, *const c_char, c_uint, *mut c_uint, *mut *mut c_void);
        cuLinkComplete(Word, *mut *mut c_void, *mut usize);
        cuLinkDestroy(Word);
        cuModuleGetFunction(*mut Word, Word, *const c_char);
        cuModuleGetGlobal_v2(*mut Word, *mut usize, Word, *const c_char);
        cuFuncGetAttribute(*mut c_int, c_int, Word);
        cuFuncSetAttribute(Word, c_int, c_int);
        cuLaunchKernel(
            Word, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Word, *mut *mut c_void, *mut *mut c_void,
        );
        cuLaunchCooperativeKernel(
            Word, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Word, *mut *mut c_void,
        );
        cuOccupancyMaxActiveBlocksPerMultiprocessor(*mut c_int, Word, c_int, usize);
        cuGetErrorName(c_int, *mut *const c_char);
        cuGetErrorString(c_int, *mut *const c_char);
        cuPointerGetAttribute(*mut c_void, c_int, Word);
        cuPointerGetAttributes(c_uint, *mut c_int, *mut *mut c_void, Word);
        cuProfilerStart();
        cuProfilerStop();
    }
}

static FORKED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
extern "C" fn after_fork_in_child() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Whether this process was forked after the driver had been initialised: then no function of the driver works.
#[inline]
pub fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();

/// The driver, if it is loaded already.
#[inline]
pub fn loaded_driver() -> Option<&'static Driver> {
    DRIVER.get()?.as_ref().ok()
}

/// The driver, loaded and initialised once; an error says what is missing.
pub fn driver() -> Result<&'static Driver, String> {
    DRIVER.get_or_init(load).as_ref().map_err(Clone::clone)
}

#[cfg(unix)]
const DRIVER_NAMES: &[&str] =
    &["libcuda.so.1", "libcuda.so", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"];
#[cfg(windows)]
const DRIVER_NAMES: &[&str] = &["nvcuda.dll"];

fn load() -> Result<Driver, String> {
    let named = std::env::var_os("CUPRUM_LIBCUDA").filter(|v| !v.is_empty()).map(PathBuf::from);
    let candidates: Vec<PathBuf> = named.into_iter().chain(DRIVER_NAMES.iter().map(PathBuf::from)).collect();
    let library = Library::open(&candidates).ok_or_else(|| {
        format!("no NVIDIA driver was found ({}): install the driver of your GPU", DRIVER_NAMES[0])
    })?;
    let driver = Driver::load(library)?;
    // SAFETY: the handler only stores to an atomic, which is allowed in a forked child.
    #[cfg(unix)]
    unsafe {
        libc::pthread_atfork(None, None, Some(after_fork_in_child));
    }
    // SAFETY: cuInit takes no memory of ours.
    match unsafe { (driver.cuInit)(0) } {
        0 => Ok(driver),
        100 => Err("the NVIDIA driver found no GPU".into()),
        code => Err(format!("the NVIDIA driver could not start: cuInit returned {code}")),
    }
}
