//! Libraries that this crate never computes with, found for programs that do: cuSPARSE and NCCL.

use std::ffi::c_int;
use std::sync::OnceLock;

use super::library::{candidates, suited};
use super::{Library, functions};

functions! {
    /// The function of cuSPARSE that is called: its version.
    Cusparse {
        cusparseGetProperty(c_int, *mut c_int);
    }
}

functions! {
    /// The function of NCCL that is called: its version.
    Nccl {
        ncclGetVersion(*mut c_int);
    }
}

/// cuSPARSE, loaded once; an error says how to install it.
pub fn cusparse() -> Result<&'static Cusparse, String> {
    static FOUND: OnceLock<Result<Cusparse, String>> = OnceLock::new();
    let load = || {
        // CUDA 13 and 12 have the same major version of it.
        let places = candidates("cusparse", &[12], "CUPRUM_LIBCUSPARSE");
        let library = Library::open(&places).ok_or(
            "cuSPARSE was not found: pip install nvidia-cusparse (CUDA 13) or nvidia-cusparse-cu12 (CUDA 12), or set \
             CUDA_HOME to a toolkit",
        )?;
        Cusparse::load(library)
    };
    FOUND.get_or_init(load).as_ref().map_err(Clone::clone)
}

/// NCCL, loaded once; an error says how to install it.
pub fn nccl() -> Result<&'static Nccl, String> {
    static FOUND: OnceLock<Result<Nccl, String>> = OnceLock::new();
    let load = || {
        let places = candidates("nccl", &[2], "CUPRUM_LIBNCCL");
        let [suited, _] = suited(13, 12);
        let library = Library::open(&places)
            .ok_or_else(|| format!("NCCL was not found: pip install nvidia-nccl-cu{suited}"))?;
        Nccl::load(library)
    };
    FOUND.get_or_init(load).as_ref().map_err(Clone::clone)
}
