//! Linear algebra on host memory: LU, Cholesky, QR, singular values and eigenvalues of one matrix at a time.
//!
//! Matrices are slices in column-major order without gaps. What users compare with LAPACK's output (pivots, signs of
//! R, packed reflectors) follows LAPACK; it is blocked by recursion on faer's matrix product. Singular values and
//! eigenvalues are faer's, with what faer leaves out: scaling, balancing, a check of the result and a second method
//! where the check fails. Batches and layouts are the caller's affair.

mod balance;
mod checks;
pub mod cholesky;
mod compiled;
pub mod eig;
pub mod eigh;
mod element;
mod gemm;
mod jacobi;
pub mod lu;
mod pool;
pub mod qr;
mod scale;
mod schur;
mod simd;
pub mod svd;
pub mod triangular;

pub use element::{MatrixElement, RealElement};
pub use pool::run_apart;

use std::panic::resume_unwind;

use cuprum_core::Result;
use cuprum_core::memory::{OutOfMemory, faults, try_filled};
use faer::dyn_stack::{MemBuffer, StackReq};

/// Whether an iteration came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// The result is there.
    Converged,
    /// It is not: the input is not finite, or the iteration did not end.
    Failed,
}

/// Memory for `len` elements, all zero, or an error.
pub(crate) fn zeros<T: MatrixElement>(len: usize) -> Result<Vec<T>> {
    try_filled(len, T::ZERO)
}

/// Memory that faer's algorithms work in; unwinds where there is none.
pub(crate) fn stack(need: StackReq) -> MemBuffer {
    let failed = OutOfMemory { bytes: need.size_bytes() };
    if faults::strikes() {
        resume_unwind(Box::new(failed));
    }
    MemBuffer::try_new(need).unwrap_or_else(|_| resume_unwind(Box::new(failed)))
}
