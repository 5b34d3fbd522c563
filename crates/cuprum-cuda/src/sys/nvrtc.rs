//! NVRTC: the compiler as a library.

use std::ffi::{c_char, c_int};
use std::path::PathBuf;
use std::sync::OnceLock;

use super::library::{candidates, suited};
use super::{Library, functions};

type Program = usize;

functions! {
    /// The compiler's functions.
    Nvrtc {
        nvrtcVersion(*mut c_int, *mut c_int);
        nvrtcCreateProgram(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char);
        nvrtcDestroyProgram(*mut Program);
        nvrtcCompileProgram(Program, c_int, *const *const c_char);
        nvrtcGetCUBINSize(Program, *mut usize);
        nvrtcGetCUBIN(Program, *mut c_char);
        nvrtcGetPTXSize(Program, *mut usize);
        nvrtcGetPTX(Program, *mut c_char);
        nvrtcGetProgramLogSize(Program, *mut usize);
        nvrtcGetProgramLog(Program, *mut c_char);
        nvrtcAddNameExpression(Program, *const c_char);
        nvrtcGetLoweredName(Program, *const c_char, *mut *const c_char);
    }
}

fn places() -> Vec<PathBuf> {
    candidates("nvrtc", &suited(13, 12), "CUPRUM_LIBNVRTC")
}

/// The compiler, loaded once; an error says how to install it.
pub fn nvrtc() -> Result<&'static Nvrtc, String> {
    static NVRTC: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let load = || {
        let library = Library::open(&places()).ok_or(
            "NVRTC, CUDA's run-time compiler, was not found: pip install nvidia-cuda-nvrtc (CUDA 13) or \
             nvidia-cuda-nvrtc-cu12 (CUDA 12), or set CUDA_HOME to a toolkit",
        )?;
        Nvrtc::load(library)
    };
    NVRTC.get_or_init(load).as_ref().map_err(Clone::clone)
}

impl Nvrtc {
    /// The compute capabilities that it compiles for, as 90 for 9.0, ascending; empty if this version cannot list
    /// them.
    pub fn capabilities(&self) -> Vec<c_int> {
        let mut known = Vec::new();
        let (count, all) = ("nvrtcGetNumSupportedArchs\0", "nvrtcGetSupportedArchs\0");
        if let (Ok(count), Ok(all)) = (self.library.symbol(count), self.library.symbol(all)) {
            type SizeFunction = unsafe extern "C" fn(*mut c_int) -> c_int;
            let mut length = 0;
            // SAFETY: the library documents both functions so: one writes a number, the other so many.
            unsafe {
                let [count, all] =
                    [count, all].map(|f| std::mem::transmute::<*mut libc::c_void, SizeFunction>(f));
                if count(&mut length) == 0 && length > 0 {
                    known.resize(length as usize, 0);
                    if all(known.as_mut_ptr()) != 0 {
                        known.clear();
                    }
                }
            }
        }
        known
    }
}

/// The identity of the compiler without loading it, which takes long: the file that it would be loaded from, with the
/// version in its name. `None` if only the system's loader can find it.
pub fn nvrtc_identity() -> Option<String> {
    static IDENTITY: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let path = places().into_iter().find(|p| p.is_absolute() && p.exists())?.canonicalize().ok()?;
        let size = path.metadata().ok()?.len();
        Some(format!("{}:{size}", path.file_name()?.to_string_lossy()))
    };
    IDENTITY.get_or_init(find).clone()
}
