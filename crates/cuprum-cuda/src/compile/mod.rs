//! CUDA C to machine code: NVRTC, with the results kept on disk.

mod background;
pub(crate) mod cache;
pub(crate) mod nvrtc;
mod ptx_repair;
mod sha256;

use std::ffi::{CString, c_void};

use cuprum_core::{Error, Result};

use crate::check::{check, cuda};
use crate::context::{Gpu, driver_version};

pub use background::finish_compiling;
pub(crate) use background::run as run_aside;
pub use cache::folder as cache_folder;
pub use nvrtc::{compile, quick_options, version as compiler_version};

/// A kernel that can be launched. Kernels are never unloaded.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    pub(crate) function: usize,
    pub(crate) name: &'static str,
}

/// Machine code on a GPU.
pub struct Module {
    handle: usize,
}

/// The code of a text for a GPU: from the disk where it was compiled before, else compiled now.
pub fn load(gpu: &Gpu, source: &str) -> Result<Module> {
    if let Some(module) = load_cached(gpu, source)? {
        return Ok(module);
    }
    let code = compile(source, &nvrtc::target_for(gpu.capability)?, &[])?;
    let module = Module::new(gpu, &code).map_err(explained)?;
    cache::write(&cache::identity(&target(gpu))?, source, &code);
    Ok(module)
}

/// The code of a text that was compiled before and is kept on disk.
pub fn load_cached(gpu: &Gpu, source: &str) -> Result<Option<Module>> {
    let Some(code) = cache::read(&cache::identity(&target(gpu))?, source) else { return Ok(None) };
    // Code that the driver refuses is compiled anew.
    Ok(Module::new(gpu, &code).ok())
}

/// Loads the compiler on a thread of its own where no kernel is kept on disk: it will be needed soon, and takes longer
/// to load than a context takes to be made.
pub(crate) fn wake() {
    static WOKEN: std::sync::Once = std::sync::Once::new();
    if cache::is_empty() {
        WOKEN.call_once(|| {
            // A fault shows when something is compiled.
            background::run(|| drop(compile("extern \"C\" __global__ void nothing() {}", "sm_80", &[])));
        });
    }
}

fn target(gpu: &Gpu) -> String {
    format!("sm_{}{}", gpu.capability.0, gpu.capability.1)
}

/// The error of a driver that does not take what was compiled just now, with the reason where that is its age.
fn explained(error: Error) -> Error {
    match (compiler_version(), driver_version()) {
        (Ok((major, minor)), Ok(driver)) if major > driver / 1000 => Error::device(format!(
            "{error}; NVRTC is of CUDA {major}.{minor}, the driver of CUDA {}.{}: pip install 'cuprum[cuda{}]', or a newer \
             driver",
            driver / 1000,
            driver % 1000 / 10,
            driver / 1000
        )),
        _ => error,
    }
}

impl Module {
    /// Loads machine code onto a GPU.
    pub fn new(gpu: &Gpu, code: &[u8]) -> Result<Module> {
        gpu.enter()?;
        let mut handle = 0;
        // SAFETY: the driver reads the code, whose end it knows from its headers; PTX ends in a NUL.
        let loaded = unsafe { (cuda()?.cuModuleLoadData)(&mut handle, code.as_ptr().cast::<c_void>()) };
        check(loaded, "cuModuleLoadData")?;
        Ok(Module { handle })
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &'static str) -> Result<Kernel> {
        let c_name = CString::new(name).map_err(|_| Error::device("a kernel's name holds a NUL"))?;
        let mut function = 0;
        // SAFETY: the module is loaded, the name is a C string, one handle is written.
        let code = unsafe { (cuda()?.cuModuleGetFunction)(&mut function, self.handle, c_name.as_ptr()) };
        check(code, "cuModuleGetFunction")?;
        Ok(Kernel { function, name })
    }
}

/// How many blocks of so many threads of a loaded function one multiprocessor runs at a time; none where they do not fit.
///
/// # Safety
/// The function is loaded.
pub(crate) unsafe fn blocks_per_multiprocessor(function: usize, threads: u32, shared: u32) -> Result<u32> {
    let mut blocks = 0;
    // SAFETY: the caller vouches for the function; one number is written.
    let code = unsafe {
        (cuda()?.cuOccupancyMaxActiveBlocksPerMultiprocessor)(
            &mut blocks,
            function,
            threads as i32,
            shared as usize,
        )
    };
    check(code, "cuOccupancyMaxActiveBlocksPerMultiprocessor")?;
    Ok(blocks.max(0) as u32)
}
