//! cuFFT: Fourier transforms.

use std::ffi::c_int;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::library::{candidates, suited};
use super::{Library, functions};

/// A stream or a device address.
type Word = usize;
/// Lengths of a plan's axes.
type Lengths = *mut i64;

functions! {
    /// cuFFT's functions.
    Cufft {
        cufftGetProperty(c_int, *mut c_int);
        cufftCreate(*mut c_int);
        cufftDestroy(c_int);
        cufftSetAutoAllocation(c_int, c_int);
        cufftSetWorkArea(c_int, Word);
        cufftSetStream(c_int, Word);
        cufftXtMakePlanMany(
            c_int, c_int, Lengths, Lengths, i64, i64, c_int, Lengths, i64, i64, c_int, i64, *mut usize, c_int,
        );
        cufftXtExec(c_int, Word, Word, c_int);
    }
}

fn places() -> Vec<PathBuf> {
    candidates("cufft", &suited(12, 11), "CUPRUM_LIBCUFFT")
}

/// cuFFT, loaded once; an error says how to install it.
pub fn cufft() -> Result<&'static Cufft, String> {
    static CUFFT: OnceLock<Result<Cufft, String>> = OnceLock::new();
    let load = || {
        let library = Library::open(&places()).ok_or(
            "cuFFT was not found: pip install nvidia-cufft (CUDA 13) or nvidia-cufft-cu12 (CUDA 12), or set \
             CUDA_HOME to a toolkit",
        )?;
        Cufft::load(library)
    };
    CUFFT.get_or_init(load).as_ref().map_err(Clone::clone)
}
