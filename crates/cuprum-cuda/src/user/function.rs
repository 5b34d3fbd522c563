//! A kernel of a user's module: its attributes and its launch.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use cuprum_core::Result;
use cuprum_graph::Buffer;

use super::module::UserModule;
use crate::check::{check, cuda, remember};
use crate::compile::blocks_per_multiprocessor;
use crate::context::current_stream;
use crate::memory::touch;
use crate::stream::resolve_stream;

/// What a launch may ask for without an attribute.
const DEFAULT_MAX_SHARED: u32 = 48 << 10;
const MAX_DYNAMIC_SHARED: i32 = 8;

/// Attributes of a kernel, by CUDA's number, with the names that programs know them by.
const ATTRIBUTES: [(&str, i32); 10] = [
    ("max_threads_per_block", 0),
    ("shared_size_bytes", 1),
    ("const_size_bytes", 2),
    ("local_size_bytes", 3),
    ("num_regs", 4),
    ("ptx_version", 5),
    ("binary_version", 6),
    ("cache_mode_ca", 7),
    ("max_dynamic_shared_size_bytes", MAX_DYNAMIC_SHARED),
    ("preferred_shared_memory_carveout", 9),
];

/// The names of a kernel's attributes, and whether they can be set.
pub fn function_attributes() -> impl Iterator<Item = (&'static str, bool)> {
    ATTRIBUTES.iter().map(|(name, number)| (*name, *number >= MAX_DYNAMIC_SHARED))
}

/// A kernel of a user's module.
pub struct UserFunction {
    module: Arc<UserModule>,
    function: usize,
    name: &'static str,
    /// How much dynamic shared memory a launch may ask for.
    allowed: AtomicU32,
}

/// How a kernel is launched.
#[derive(Clone, Copy, Debug)]
pub struct LaunchShape {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Whether the grid may synchronise: a cooperative launch.
    pub cooperative: bool,
}

impl UserFunction {
    pub(super) fn new(module: Arc<UserModule>, function: usize, name: &'static str) -> UserFunction {
        UserFunction { module, function, name, allowed: AtomicU32::new(DEFAULT_MAX_SHARED) }
    }

    /// The module that it is part of.
    pub fn module(&self) -> &Arc<UserModule> {
        &self.module
    }

    /// The driver's handle.
    pub fn handle(&self) -> usize {
        self.function
    }

    /// An attribute by its name; `None` if there is none of that name.
    pub fn attribute(&self, name: &str) -> Option<Result<i32>> {
        let number = number(name)?;
        let get = || {
            self.module.gpu().enter()?;
            let mut value = 0;
            // SAFETY: the function is loaded, one number is written.
            let code = unsafe { (cuda()?.cuFuncGetAttribute)(&mut value, number, self.function) };
            check(code, "cuFuncGetAttribute")?;
            Ok(value)
        };
        Some(get())
    }

    /// Sets an attribute by its name; `None` for names that cannot be set.
    pub fn set_attribute(&self, name: &str, value: i32) -> Option<Result<()>> {
        let number = number(name).filter(|number| *number >= MAX_DYNAMIC_SHARED)?;
        Some(self.set(number, value))
    }

    fn set(&self, number: i32, value: i32) -> Result<()> {
        self.module.gpu().enter()?;
        // SAFETY: the function is loaded.
        check(unsafe { (cuda()?.cuFuncSetAttribute)(self.function, number, value) }, "cuFuncSetAttribute")?;
        if number == MAX_DYNAMIC_SHARED {
            self.allowed.store(value.max(0) as u32, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The sizes of the kernel's parameters, where the driver can say them (CUDA 12.4 and later).
    pub fn parameter_sizes(&self) -> Result<Option<Vec<usize>>> {
        // The driver's answer behind the last parameter.
        const INVALID_VALUE: i32 = 1;
        let Some(get) = parameter_info() else { return Ok(None) };
        self.module.gpu().enter()?;
        let mut sizes = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is loaded, two numbers are written.
            let code = unsafe { get(self.function, sizes.len(), &mut offset, &mut size) };
            if code == INVALID_VALUE {
                return Ok(Some(sizes));
            }
            check(code, "cuFuncGetParamInfo")?;
            sizes.push(size);
        }
    }

    /// How many blocks of so many threads run on the whole GPU at a time: what a cooperative launch may ask for.
    pub fn resident_blocks(&self, threads: u32, shared: u32) -> Result<u64> {
        let gpu = self.module.gpu();
        gpu.enter()?;
        // SAFETY: the function's module is loaded while this lives.
        let blocks = unsafe { blocks_per_multiprocessor(self.function, threads, shared) }?;
        Ok(u64::from(blocks) * u64::from(gpu.multiprocessors))
    }

    /// Launches the kernel in a stream, the thread's own where none is given. `starts` are the parameters' offsets in
    /// `params`; the stream waits for the last use of `buffers` elsewhere first. What the kernel does to memory is the
    /// business of who wrote it.
    ///
    /// # Safety
    /// The parameters are as many as the kernel takes and of its types, each at its start; the stream is alive. The kernel accesses
    /// memory that it may use only.
    pub unsafe fn launch(
        &self,
        shape: LaunchShape,
        stream: Option<usize>,
        params: &[u8],
        starts: &[u32],
        buffers: &[Buffer],
    ) -> Result<()> {
        let gpu = self.module.gpu();
        gpu.enter()?;
        let stream = match stream {
            Some(handle) => resolve_stream(gpu.ordinal, handle)?,
            None => current_stream(gpu.ordinal),
        };
        for buffer in buffers {
            // SAFETY: the thread's stream, or one that the caller vouches for.
            unsafe { touch(gpu, buffer, stream)? };
        }
        if shape.shared > self.allowed.load(Ordering::Relaxed) {
            self.set(MAX_DYNAMIC_SHARED, shape.shared as i32)?;
        }
        let base = params.as_ptr();
        let mut pointers: smallvec::SmallVec<[*mut c_void; 24]> = smallvec::SmallVec::new();
        // SAFETY: every start lies in the parameters.
        pointers.extend(starts.iter().map(|&at| unsafe { base.add(at as usize) }.cast_mut().cast()));
        remember(self.name);
        let cuda = cuda()?;
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        let arguments = pointers.as_mut_ptr();
        // SAFETY: the kernel is loaded; its parameters, which the driver copies, outlive the call. What the kernel does
        // to memory is the business of whoever wrote it and of the addresses passed.
        let code = unsafe {
            if shape.cooperative {
                (cuda.cuLaunchCooperativeKernel)(
                    self.function,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    shape.shared,
                    stream,
                    arguments,
                )
            } else {
                (cuda.cuLaunchKernel)(
                    self.function,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    shape.shared,
                    stream,
                    arguments,
                    std::ptr::null_mut(),
                )
            }
        };
        check(code, self.name)
    }
}

fn number(name: &str) -> Option<i32> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

type ParameterInfo = unsafe extern "C" fn(usize, usize, *mut usize, *mut usize) -> i32;

/// `cuFuncGetParamInfo`, which older drivers do not have.
fn parameter_info() -> Option<ParameterInfo> {
    static FOUND: OnceLock<Option<ParameterInfo>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let address = cuda().ok()?.library.symbol("cuFuncGetParamInfo\0").ok()?;
        // SAFETY: the driver documents the function of this name with these arguments and an int result.
        Some(unsafe { std::mem::transmute::<*mut c_void, ParameterInfo>(address) })
    })
}
