//! GPUs of this machine and their contexts. The primary context is used, as by every other library in the process.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

use cuprum_core::{Error, Result};

use crate::check::{check, cuda, cuda_unordered};
use crate::faults;
use crate::queue::note_host_wait;

/// One GPU: its context and what it can do.
pub struct Gpu {
    /// Its ordinal among the machine's GPUs.
    pub ordinal: usize,
    /// The handle of the primary context.
    pub context: usize,
    /// The name.
    pub name: String,
    /// Compute capability, as in (9, 0).
    pub capability: (u32, u32),
    /// How many multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of memory in all.
    pub memory: usize,
    /// Bytes of shared memory that a block may ask for.
    pub shared_memory: u32,
    handle: c_int,
}

/// The number of GPUs; zero without a driver.
///
/// ```
/// let _ = cuprum_cuda::gpu_count();
/// ```
pub fn gpu_count() -> usize {
    // Counted once: a forked child may not ask, and should hear that rather than that there are none.
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let Ok(cuda) = cuda() else { return 0 };
        let mut count = 0;
        // SAFETY: writes one integer.
        if unsafe { (cuda.cuDeviceGetCount)(&mut count) } == 0 { count.max(0) as usize } else { 0 }
    })
}

/// The version of CUDA that the driver supports, as 13000 for 13.0.
pub fn driver_version() -> Result<i32> {
    let mut version = 0;
    // SAFETY: writes one integer.
    check(unsafe { (cuda_unordered()?.cuDriverGetVersion)(&mut version) }, "cuDriverGetVersion")?;
    Ok(version)
}

/// GPUs beyond these are not seen.
pub(crate) const MAX_GPUS: usize = 64;

static GPUS: [OnceLock<Result<Gpu>>; MAX_GPUS] = [const { OnceLock::new() }; MAX_GPUS];

/// The GPU of this number; its context is made when it is first asked for.
pub fn gpu(ordinal: usize) -> Result<&'static Gpu> {
    cuda_unordered()?;
    let count = gpu_count();
    if ordinal >= count.min(MAX_GPUS) {
        let message = format!("there is no GPU {ordinal}: this machine has {count}");
        return Err(Error::value("Device", message));
    }
    GPUS[ordinal].get_or_init(|| Gpu::open(ordinal)).as_ref().map_err(Clone::clone)
}

/// The GPUs whose contexts were made.
pub(crate) fn opened_gpus() -> impl Iterator<Item = &'static Gpu> {
    GPUS.iter().filter_map(|gpu| gpu.get()?.as_ref().ok())
}

impl Gpu {
    fn open(ordinal: usize) -> Result<Gpu> {
        let cuda = cuda()?;
        let mut handle = 0;
        let mut context = 0;
        let mut memory = 0;
        let mut name: [c_char; 256] = [0; 256];
        // SAFETY: each call writes one value, the name into an array of the length that is passed.
        unsafe {
            check((cuda.cuDeviceGet)(&mut handle, ordinal as c_int), "cuDeviceGet")?;
            check((cuda.cuDevicePrimaryCtxRetain)(&mut context, handle), "cuDevicePrimaryCtxRetain")?;
            check((cuda.cuDeviceTotalMem_v2)(&mut memory, handle), "cuDeviceTotalMem")?;
            check((cuda.cuDeviceGetName)(name.as_mut_ptr(), 255, handle), "cuDeviceGetName")?;
        }
        // SAFETY: the name is a C string in an array that is one longer than the driver was told.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        let mut gpu = Gpu {
            ordinal,
            context,
            name,
            capability: (0, 0),
            multiprocessors: 1,
            memory,
            shared_memory: 0,
            handle,
        };
        gpu.capability = (gpu.attribute(75)? as u32, gpu.attribute(76)? as u32);
        gpu.multiprocessors = gpu.attribute(16)?.max(1) as u32;
        gpu.shared_memory = gpu.attribute(97)?.max(0) as u32;
        Ok(gpu)
    }

    /// The driver's own number of the device.
    pub(crate) fn handle(&self) -> c_int {
        self.handle
    }

    /// A device attribute by its number (`CUdevice_attribute`).
    pub fn attribute(&self, attribute: i32) -> Result<i32> {
        let mut value = 0;
        // SAFETY: writes one integer.
        let code = unsafe { (cuda_unordered()?.cuDeviceGetAttribute)(&mut value, attribute, self.handle) };
        check(code, "cuDeviceGetAttribute")?;
        Ok(value)
    }

    /// The address on the PCI bus, as in `0000:3b:00.0`.
    pub fn pci_bus_id(&self) -> Result<String> {
        let mut text: [c_char; 64] = [0; 64];
        // SAFETY: writes a C string of at most 63 characters.
        let code = unsafe { (cuda()?.cuDeviceGetPCIBusId)(text.as_mut_ptr(), 63, self.handle) };
        check(code, "cuDeviceGetPCIBusId")?;
        // SAFETY: a C string, as above.
        Ok(unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned())
    }

    /// The GPU's UUID.
    pub fn uuid(&self) -> Result<[u8; 16]> {
        let mut uuid = [0; 16];
        // SAFETY: writes sixteen bytes.
        check(unsafe { (cuda()?.cuDeviceGetUuid_v2)(&mut uuid, self.handle) }, "cuDeviceGetUuid")?;
        Ok(uuid)
    }

    /// Whether this GPU can read another one's memory.
    pub fn can_access(&self, peer: &Gpu) -> Result<bool> {
        let mut can = 0;
        // SAFETY: writes one integer.
        let code = unsafe { (cuda()?.cuDeviceCanAccessPeer)(&mut can, self.handle, peer.handle) };
        check(code, "cuDeviceCanAccessPeer")?;
        Ok(can != 0)
    }

    /// Makes the context the calling thread's current one. Other libraries may have set theirs in between.
    #[inline]
    pub fn enter(&self) -> Result<()> {
        let cuda = cuda_unordered()?;
        let mut current = 0;
        // SAFETY: reads and sets the thread's current context; this one is never destroyed.
        unsafe {
            check((cuda.cuCtxGetCurrent)(&mut current), "cuCtxGetCurrent")?;
            if current != self.context {
                check((cuda.cuCtxSetCurrent)(self.context), "cuCtxSetCurrent")?;
            }
        }
        Ok(())
    }

    /// Free and total bytes of memory, as the driver counts them.
    pub fn memory_info(&self) -> Result<(usize, usize)> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: writes two numbers.
        check(unsafe { (cuda()?.cuMemGetInfo_v2)(&mut free, &mut total) }, "cuMemGetInfo")?;
        Ok((free, total))
    }

    /// Waits for all work of the context; an error of that work is returned.
    pub fn synchronize(&self) -> Result<()> {
        self.wait()?;
        faults::raise(self)
    }

    /// Waits for all work of the context.
    pub(crate) fn wait(&self) -> Result<()> {
        self.enter()?;
        note_host_wait();
        // SAFETY: takes nothing.
        check(unsafe { (cuda()?.cuCtxSynchronize)() }, "cuCtxSynchronize")
    }
}

thread_local! {
    /// The stream that this thread works in, for each GPU; 0 is the default stream.
    static STREAMS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The stream that the calling thread works in on a GPU.
#[inline]
pub fn current_stream(ordinal: usize) -> usize {
    STREAMS.try_with(|s| s.borrow().get(ordinal).copied().unwrap_or(0)).unwrap_or(0)
}

/// Sets the stream that the calling thread works in on a GPU, and gives the one before.
///
/// # Safety
/// The handle is that of a stream of the GPU, alive as long as it is set.
///
/// ```compile_fail,E0133
/// cuprum_cuda::set_current_stream(0, 0x7f00);
/// ```
pub unsafe fn set_current_stream(ordinal: usize, stream: usize) -> usize {
    STREAMS
        .try_with(|streams| {
            let mut streams = streams.borrow_mut();
            if streams.len() <= ordinal {
                streams.resize(ordinal + 1, 0);
            }
            std::mem::replace(&mut streams[ordinal], stream)
        })
        .unwrap_or(0)
}
