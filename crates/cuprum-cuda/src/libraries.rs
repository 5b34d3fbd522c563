//! Facts about CUDA's libraries: where they were found and in which version, or how to install them.

use std::ffi::c_int;
use std::path::PathBuf;

use crate::compile::compiler_version;
use crate::context::driver_version;
use crate::sys::{Library, cublas, cufft, cusolver, cusparse, driver, nccl, nvrtc};

/// One of CUDA's libraries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryFacts {
    /// Its name.
    pub name: &'static str,
    /// Its version and file, or how to install it.
    pub found: Result<(String, PathBuf), String>,
}

/// The driver, the libraries that this crate calls, and cuSPARSE and NCCL, which programs call themselves. Those that
/// are not loaded yet are loaded.
///
/// ```
/// for library in cuprum_cuda::libraries() {
///     match library.found {
///         Ok((version, path)) => println!("{} {version}: {}", library.name, path.display()),
///         Err(missing) => println!("{}: {missing}", library.name),
///     }
/// }
/// ```
pub fn libraries() -> Vec<LibraryFacts> {
    let driver = driver().and_then(|driver| {
        let version = driver_version().map_err(|error| error.to_string())?;
        Ok((format!("{}.{}", version / 1000, version % 1000 / 10), driver.library.file()))
    });
    let nvrtc = nvrtc().and_then(|nvrtc| {
        let (major, minor) = compiler_version().map_err(|error| error.to_string())?;
        Ok((format!("{major}.{minor}"), nvrtc.library.file()))
    });
    let cublas = cublas().map(|(any, _)| described(&any.library, any.cublasGetProperty));
    let cufft = cufft().map(|any| described(&any.library, any.cufftGetProperty));
    let cusolver = cusolver().map(|tables| described(&tables.any.library, tables.any.cusolverGetProperty));
    let cusparse = cusparse().map(|any| described(&any.library, any.cusparseGetProperty));
    let nccl = nccl().map(|any| {
        let mut version = 0;
        // SAFETY: writes one integer.
        let code = unsafe { (any.ncclGetVersion)(&mut version) };
        let text = format!("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
        (if code == 0 { text } else { "?".into() }, any.library.file())
    });
    let found = [
        ("driver", driver),
        ("NVRTC", nvrtc),
        ("cuBLAS", cublas),
        ("cuFFT", cufft),
        ("cuSOLVER", cusolver),
        ("cuSPARSE", cusparse),
        ("NCCL", nccl),
    ];
    found.into_iter().map(|(name, found)| LibraryFacts { name, found }).collect()
}

/// The version by a library's `GetProperty`, and the file.
fn described(
    library: &Library,
    property: unsafe extern "C" fn(c_int, *mut c_int) -> i32,
) -> (String, PathBuf) {
    let part = |which: c_int| {
        let mut value = 0;
        // SAFETY: writes one integer.
        let code = unsafe { property(which, &mut value) };
        if code == 0 { value.to_string() } else { "?".into() }
    };
    (format!("{}.{}.{}", part(0), part(1), part(2)), library.file())
}

#[cfg(test)]
mod tests {
    use super::libraries;

    #[test]
    fn what_is_missing_comes_with_its_command() {
        for library in libraries() {
            match library.found {
                Ok((version, path)) => {
                    println!("{} {version}: {}", library.name, path.display());
                    assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{version}");
                    assert!(path.to_string_lossy().contains(".so"));
                }
                // A driver may be there without a GPU.
                Err(message) => {
                    let told = message.contains("install") || library.name == "driver";
                    assert!(told, "{}: {message}", library.name);
                }
            }
        }
    }
}
