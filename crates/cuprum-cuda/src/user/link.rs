//! Linking: code whose kernels launch others is joined with CUDA's device runtime by the driver's linker.

use std::ffi::{c_char, c_void};
use std::path::PathBuf;

use cuprum_core::{Error, Result};

use super::build::c_string;
use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::sys::search_folders;

/// The option by which NVRTC makes code that can be linked.
pub(super) const RELOCATABLE: &str = "--relocatable-device-code=true";

/// The linker's kinds of input: `CU_JIT_INPUT_CUBIN`, `_PTX`, `_LIBRARY`.
const CUBIN: u32 = 0;
const PTX: u32 = 1;
const LIBRARY: u32 = 4;
/// `CU_JIT_ERROR_LOG_BUFFER` and its size.
const LOG_OPTIONS: [u32; 2] = [5, 6];
const LOG_BYTES: usize = 8192;

#[cfg(windows)]
const DEVICE_RUNTIME: &str = "cudadevrt.lib";
#[cfg(not(windows))]
const DEVICE_RUNTIME: &str = "libcudadevrt.a";

/// Whether the user has asked for code that can be linked.
pub(super) fn asks_for_linking(options: &[String]) -> bool {
    let of_one = |option: &String| {
        let option = option.trim();
        matches!(option, "-dc" | "--device-c")
            || ["-rdc=", "--relocatable-device-code="].iter().any(|name| {
                option.strip_prefix(name).is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
            })
    };
    options.iter().any(of_one)
}

/// CUDA's device runtime: the toolkit's, or that of NVIDIA's wheels.
fn device_runtime() -> Option<PathBuf> {
    let named = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let toolkits = named.chain(["/usr/local/cuda".into(), "/opt/cuda".into()]);
    let mut folders = Vec::new();
    for folder in search_folders() {
        folders.extend(
            ["cu13/lib", "cu13/lib/x64", "cuda_runtime/lib", "cuda_runtime/lib/x64"]
                .map(|inner| folder.join("nvidia").join(inner)),
        );
    }
    for root in toolkits {
        folders.extend(
            ["lib64", "lib", "lib/x64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]
                .map(|inner| root.join(inner)),
        );
    }
    folders.push("/usr/lib/x86_64-linux-gnu".into());
    folders.into_iter().map(|folder| folder.join(DEVICE_RUNTIME)).find(|path| path.is_file())
}

/// Links relocatable code with the device runtime; gives a cubin.
///
/// An error says what is missing: the device runtime is a file of CUDA's, not of the driver's.
pub(super) fn link(gpu: &Gpu, code: &[u8]) -> Result<Vec<u8>> {
    gpu.enter()?;
    let runtime = device_runtime();
    let mut log = vec![0u8; LOG_BYTES];
    let mut options = LOG_OPTIONS;
    let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG_BYTES as *mut c_void];
    let mut linker = Linker { state: 0 };
    // SAFETY: two options with their values, which live until the state is destroyed; one handle is written.
    let made =
        unsafe { (cuda()?.cuLinkCreate_v2)(2, options.as_mut_ptr(), values.as_mut_ptr(), &mut linker.state) };
    check(made, "cuLinkCreate")?;
    let linked = linker.add(code, runtime.as_ref()).and_then(|()| linker.complete());
    // The buffer is written by the driver until here.
    drop(linker);
    linked.map_err(|error| {
        let said = String::from_utf8_lossy(&log);
        let said = said.trim_end_matches('\0').trim();
        let missing = match runtime {
            Some(path) => format!("; linked with {}", path.display()),
            None => format!(
                "; kernels that launch kernels need CUDA's device runtime, {DEVICE_RUNTIME}: pip install \
                 nvidia-cuda-runtime (nvidia-cuda-runtime-cu12 for CUDA 12), or set CUDA_PATH to a toolkit"
            ),
        };
        Error::device(format!("the kernels' code could not be linked: {error}: {said}{missing}"))
    })
}

/// A state of the driver's linker, destroyed when dropped.
struct Linker {
    state: usize,
}

impl Linker {
    fn add(&self, code: &[u8], runtime: Option<&PathBuf>) -> Result<()> {
        let kind = if code.starts_with(b"\x7fELF") { CUBIN } else { PTX };
        // SAFETY: the state is alive; the driver copies the code, whose length it is told, and reads no options.
        let added = unsafe {
            (cuda()?.cuLinkAddData_v2)(
                self.state,
                kind,
                code.as_ptr().cast_mut().cast::<c_void>(),
                code.len(),
                c"kernels".as_ptr(),
                0,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            )
        };
        check(added, "cuLinkAddData")?;
        let Some(path) = runtime else { return Ok(()) };
        let path = c_string(&path.to_string_lossy(), "device runtime's path")?;
        let path: *const c_char = path.as_ptr();
        // SAFETY: the state is alive, the path is a C string, and no options are read.
        let added = unsafe {
            (cuda()?.cuLinkAddFile_v2)(
                self.state,
                LIBRARY,
                path,
                0,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            )
        };
        check(added, "cuLinkAddFile")
    }

    fn complete(&self) -> Result<Vec<u8>> {
        let (mut code, mut bytes): (*mut c_void, usize) = (std::ptr::null_mut(), 0);
        // SAFETY: the state is alive; a pointer and a length are written.
        check(unsafe { (cuda()?.cuLinkComplete)(self.state, &mut code, &mut bytes) }, "cuLinkComplete")?;
        // SAFETY: the driver's own memory of so many bytes, which lives as long as the state.
        Ok(unsafe { std::slice::from_raw_parts(code.cast::<u8>(), bytes) }.to_vec())
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        if let Ok(driver) = cuda()
            && self.state != 0
        {
            // SAFETY: the state is ours, and nothing of it is used any more.
            unsafe { (driver.cuLinkDestroy)(self.state) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::asks_for_linking;

    #[test]
    fn every_spelling_of_the_option_asks_for_linking() {
        let asks = |option: &str| asks_for_linking(&[option.to_string()]);
        assert!(asks("-rdc=true") && asks("--relocatable-device-code=true") && asks("-dc"));
        assert!(!asks("-rdc=false") && !asks("-DN=1") && !asks_for_linking(&[]));
    }
}
