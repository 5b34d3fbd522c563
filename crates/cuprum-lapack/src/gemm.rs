//! Matrix products for the factorisations: faer's, with threads only where they pay.

use faer::linalg::matmul::{matmul_with_conj, triangular};
use faer::{Accum, Conj, MatMut, MatRef, Par};
pub(crate) use triangular::BlockStructure;

use crate::MatrixElement;

/// Multiplications below which one thread is faster than several.
const PARALLEL_MIN: usize = 1 << 19;

/// An operand: a matrix, its conjugate where so said, and which part of it counts.
#[derive(Clone, Copy)]
pub(crate) struct GemmOperand<'a, T> {
    matrix: MatRef<'a, T>,
    conj: Conj,
    part: BlockStructure,
}

impl<'a, T: MatrixElement> GemmOperand<'a, T> {
    /// The matrix as it is.
    pub(crate) fn plain(matrix: MatRef<'a, T>) -> Self {
        GemmOperand { matrix, conj: Conj::No, part: BlockStructure::Rectangular }
    }

    /// The conjugate transpose.
    pub(crate) fn adjoint(matrix: MatRef<'a, T>) -> Self {
        GemmOperand { matrix: matrix.transpose(), conj: Conj::Yes, part: BlockStructure::Rectangular }
    }

    /// The matrix or its conjugate.
    pub(crate) fn conjugated(matrix: MatRef<'a, T>, conjugate: bool) -> Self {
        GemmOperand { conj: if conjugate { Conj::Yes } else { Conj::No }, ..GemmOperand::plain(matrix) }
    }

    /// Only a part of it, the rest taken as zero.
    pub(crate) fn only(self, part: BlockStructure) -> Self {
        GemmOperand { part, ..self }
    }
}

/// `out = alpha * a @ b`, or `out += ...`, in the part of `out` that is named.
pub(crate) fn multiply<T: MatrixElement>(
    out: MatMut<'_, T>,
    out_part: BlockStructure,
    accumulate: Accum,
    alpha: T,
    a: GemmOperand<'_, T>,
    b: GemmOperand<'_, T>,
    par: Par,
) {
    let (m, n, k) = (out.nrows(), out.ncols(), a.matrix.ncols());
    if m == 0 || n == 0 {
        return;
    }
    let par = if m * n * k < PARALLEL_MIN { Par::Seq } else { par };
    let rectangular = |part: BlockStructure| matches!(part, BlockStructure::Rectangular);
    if rectangular(out_part) && rectangular(a.part) && rectangular(b.part) {
        matmul_with_conj(out, accumulate, a.matrix, a.conj, b.matrix, b.conj, alpha, par);
    } else {
        triangular::matmul_with_conj(
            out, out_part, accumulate, a.matrix, a.part, a.conj, b.matrix, b.part, b.conj, alpha, par,
        );
    }
}

/// `out -= a @ b`.
pub(crate) fn subtract<T: MatrixElement>(
    out: MatMut<'_, T>,
    a: GemmOperand<'_, T>,
    b: GemmOperand<'_, T>,
    par: Par,
) {
    multiply(out, BlockStructure::Rectangular, Accum::Add, -T::ONE, a, b, par);
}
