//! cuSOLVER: factorisations, eigenvalues and singular values.

use std::ffi::{c_int, c_schar};
use std::path::PathBuf;
use std::sync::OnceLock;

use super::library::{candidates, suited};
use super::{Library, families, functions};

/// A handle, a device address, or that of working memory on the host.
type Word = usize;
/// The sizes of working memory on the device and on the host.
type Bytes = *mut usize;

functions! {
    /// cuSOLVER's functions that take any element type.
    Cusolver {
        cusolverGetProperty(c_int, *mut c_int);
        cusolverDnCreate(*mut Word);
        cusolverDnSetStream(Word, Word);
        cusolverDnCreateParams(*mut Word);
        cusolverDnCreateSyevjInfo(*mut Word);
        cusolverDnCreateGesvdjInfo(*mut Word);
        cusolverDnXgetrf_bufferSize(Word, Word, i64, i64, c_int, Word, i64, c_int, Bytes, Bytes);
        cusolverDnXgetrf(
            Word, Word, i64, i64, c_int, Word, i64, Word, c_int, Word, usize, Word, usize, Word,
        );
        cusolverDnXgetrs(Word, Word, c_int, i64, i64, c_int, Word, i64, Word, c_int, Word, i64, Word);
        cusolverDnXpotrf_bufferSize(Word, Word, c_int, i64, c_int, Word, i64, c_int, Bytes, Bytes);
        cusolverDnXpotrf(Word, Word, c_int, i64, c_int, Word, i64, c_int, Word, usize, Word, usize, Word);
        cusolverDnXgeqrf_bufferSize(
            Word, Word, i64, i64, c_int, Word, i64, c_int, Word, c_int, Bytes, Bytes,
        );
        cusolverDnXgeqrf(
            Word, Word, i64, i64, c_int, Word, i64, c_int, Word, c_int, Word, usize, Word, usize, Word,
        );
        cusolverDnXsyevd_bufferSize(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Bytes, Bytes,
        );
        cusolverDnXsyevd(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Word, usize, Word, usize, Word,
        );
        cusolverDnXgesvd_bufferSize(
            Word, Word, c_schar, c_schar, i64, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64,
            c_int, Bytes, Bytes,
        );
        cusolverDnXgesvd(
            Word, Word, c_schar, c_schar, i64, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64,
            c_int, Word, usize, Word, usize, Word,
        );
        cusolverDnXgesvdp_bufferSize(
            Word, Word, c_int, c_int, i64, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64,
            c_int, Bytes, Bytes,
        );
        cusolverDnXgesvdp(
            Word, Word, c_int, c_int, i64, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64,
            c_int, Word, usize, Word, usize, Word, *mut f64,
        );
    }
}

functions! {
    /// Eigenvalues of general matrices: since CUDA 12.6.
    CusolverGeev {
        cusolverDnXgeev_bufferSize(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64, c_int,
            Bytes, Bytes,
        );
        cusolverDnXgeev(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Word, i64, c_int, Word, i64, c_int,
            Word, usize, Word, usize, Word,
        );
    }
}

functions! {
    /// Eigenvalues of many Hermitian matrices: since CUDA 12.6.
    CusolverSyevBatched {
        cusolverDnXsyevBatched_bufferSize(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Bytes, Bytes, i64,
        );
        cusolverDnXsyevBatched(
            Word, Word, c_int, c_int, i64, c_int, Word, i64, c_int, Word, c_int, Word, usize, Word, usize, Word, i64,
        );
    }
}

families! {
    /// cuSOLVER's functions that come once for each element type.
    CusolverTyped {
        potrf_batched(Word, c_int, c_int, Word, c_int, Word, c_int)
            = "cusolverDn" ["S" "D" "C" "Z"] "potrfBatched";
        orgqr_buffer(Word, c_int, c_int, c_int, Word, c_int, Word, *mut c_int)
            = "cusolverDn" ["Sor" "Dor" "Cun" "Zun"] "gqr_bufferSize";
        orgqr(Word, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word)
            = "cusolverDn" ["Sor" "Dor" "Cun" "Zun"] "gqr";
        syevj_batched_buffer(Word, c_int, c_int, c_int, Word, c_int, Word, *mut c_int, Word, c_int)
            = "cusolverDn" ["Ssy" "Dsy" "Che" "Zhe"] "evjBatched_bufferSize";
        syevj_batched(Word, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word, Word, c_int)
            = "cusolverDn" ["Ssy" "Dsy" "Che" "Zhe"] "evjBatched";
        gesvdj_buffer(
            Word, c_int, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word, c_int, *mut c_int, Word,
        ) = "cusolverDn" ["S" "D" "C" "Z"] "gesvdj_bufferSize";
        gesvdj(
            Word, c_int, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word, c_int, Word, c_int, Word, Word,
        ) = "cusolverDn" ["S" "D" "C" "Z"] "gesvdj";
        gesvdj_batched_buffer(
            Word, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word, c_int, *mut c_int, Word, c_int,
        ) = "cusolverDn" ["S" "D" "C" "Z"] "gesvdjBatched_bufferSize";
        gesvdj_batched(
            Word, c_int, c_int, c_int, Word, c_int, Word, Word, c_int, Word, c_int, Word, c_int, Word, Word, c_int,
        ) = "cusolverDn" ["S" "D" "C" "Z"] "gesvdjBatched";
    }
}

/// cuSOLVER's functions; those of later versions may be missing.
pub struct CusolverTables {
    /// Functions that take any element type.
    pub any: Cusolver,
    /// Functions that come once for each element type.
    pub typed: CusolverTyped,
    /// Eigenvalues of general matrices.
    pub geev: Option<CusolverGeev>,
    /// Eigenvalues of many Hermitian matrices.
    pub syev_batched: Option<CusolverSyevBatched>,
}

fn places() -> Vec<PathBuf> {
    candidates("cusolver", &suited(12, 11), "CUPRUM_LIBCUSOLVER")
}

/// cuSOLVER, loaded once; an error says how to install it.
pub fn cusolver() -> Result<&'static CusolverTables, String> {
    static CUSOLVER: OnceLock<Result<CusolverTables, String>> = OnceLock::new();
    let load = || {
        let library = Library::open(&places()).ok_or(
            "cuSOLVER was not found: pip install nvidia-cusolver (CUDA 13) or nvidia-cusolver-cu12 (CUDA 12), or set \
             CUDA_HOME to a toolkit",
        )?;
        Ok(CusolverTables {
            typed: CusolverTyped::load(&library)?,
            geev: CusolverGeev::load(library.clone()).ok(),
            syev_batched: CusolverSyevBatched::load(library.clone()).ok(),
            any: Cusolver::load(library)?,
        })
    };
    CUSOLVER.get_or_init(load).as_ref().map_err(Clone::clone)
}
