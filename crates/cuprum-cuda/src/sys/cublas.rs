//! cuBLAS: products, triangular systems, and factorisations of many small matrices.

use std::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

use super::library::{candidates, suited};
use super::{Library, families, functions};

/// A handle or a device address.
type Word = usize;
/// A number on the host.
type Scalar = *const c_void;

functions! {
    /// cuBLAS's functions that take any element type.
    Cublas {
        cublasCreate_v2(*mut Word);
        cublasGetProperty(c_int, *mut c_int);
        cublasSetStream_v2(Word, Word);
        cublasSetWorkspace_v2(Word, Word, usize);
        cublasSetMathMode(Word, c_int);
        cublasSetPointerMode_v2(Word, c_int);
        cublasGemmEx_64(
            Word, c_int, c_int, i64, i64, i64, Scalar, Word, c_int, i64, Word, c_int, i64, Scalar, Word, c_int, i64,
            c_int, c_int,
        );
        cublasGemmStridedBatchedEx_64(
            Word, c_int, c_int, i64, i64, i64, Scalar, Word, c_int, i64, i64, Word, c_int, i64, i64, Scalar, Word,
            c_int, i64, i64, i64, c_int, c_int,
        );
        cublasGemmBatchedEx_64(
            Word, c_int, c_int, i64, i64, i64, Scalar, Word, c_int, i64, Word, c_int, i64, Scalar, Word, c_int, i64,
            i64, c_int, c_int,
        );
        cublasDotEx_64(Word, i64, Word, c_int, i64, Word, c_int, i64, Word, c_int, c_int);
    }
}

families! {
    /// cuBLAS's functions that come once for each element type.
    CublasTyped {
        gemv(Word, c_int, i64, i64, Scalar, Word, i64, Word, i64, Scalar, Word, i64)
            = "cublas" ["S" "D" "C" "Z"] "gemv_v2_64";
        trsm(Word, c_int, c_int, c_int, c_int, i64, i64, Scalar, Word, i64, Word, i64)
            = "cublas" ["S" "D" "C" "Z"] "trsm_v2_64";
        trsm_batched(Word, c_int, c_int, c_int, c_int, i64, i64, Scalar, Word, i64, Word, i64, i64)
            = "cublas" ["S" "D" "C" "Z"] "trsmBatched_64";
        getrf_batched(Word, c_int, Word, c_int, Word, Word, c_int) = "cublas" ["S" "D" "C" "Z"] "getrfBatched";
        getrs_batched(Word, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, *mut c_int, c_int)
            = "cublas" ["S" "D" "C" "Z"] "getrsBatched";
    }
}

fn places() -> Vec<PathBuf> {
    candidates("cublas", &suited(13, 12), "CUPRUM_LIBCUBLAS")
}

/// cuBLAS, loaded once; an error says how to install it.
pub fn cublas() -> Result<&'static (Cublas, CublasTyped), String> {
    static CUBLAS: OnceLock<Result<(Cublas, CublasTyped), String>> = OnceLock::new();
    let load = || {
        let library = Library::open(&places()).ok_or(
            "cuBLAS was not found: pip install nvidia-cublas (CUDA 13) or nvidia-cublas-cu12 (CUDA 12), or set \
             CUDA_HOME to a toolkit",
        )?;
        let typed = CublasTyped::load(&library)?;
        Ok((Cublas::load(library)?, typed))
    };
    CUBLAS.get_or_init(load).as_ref().map_err(Clone::clone)
}
