//! Cholesky factorisation: halved until a block is small.

use faer::{Accum, MatMut, Par};

use crate::gemm::{BlockStructure, GemmOperand, multiply};
use crate::triangular::solve_in_place;
use crate::{MatrixElement, RealElement, pool, simd};

/// The order of a block that is factored column by column.
const UNBLOCKED_MAX: usize = 16;

/// Factors a Hermitian matrix of order `n` in place, `A = L L^H`, reading and writing the lower triangle and putting
/// zeros above it; `false` where the matrix is not positive definite. NaN in, NaN out.
///
/// ```
/// let mut a = [4.0, 2.0, f64::NAN, 5.0];
/// assert!(cuprum_lapack::cholesky::factor(&mut a, 2, 1));
/// assert_eq!(a, [2.0, 1.0, 0.0, 2.0]);
/// assert!(!cuprum_lapack::cholesky::factor(&mut [-1.0], 1, 1));
/// ```
pub fn factor<T: MatrixElement>(a: &mut [T], n: usize, threads: usize) -> bool {
    T::cholesky_factor(a, n, threads)
}

pub(crate) fn factor_any<T: MatrixElement>(a: &mut [T], n: usize, threads: usize) -> bool {
    let definite = match n {
        0 => true,
        n if n <= UNBLOCKED_MAX => factor_leaf(MatMut::from_column_major_slice_mut(a, n, n)),
        n => {
            let matrix = MatMut::from_column_major_slice_mut(a, n, n);
            pool::with_threads(threads, |par| factor_block(matrix, par))
        }
    };
    if definite {
        for (j, column) in a.chunks_exact_mut(n.max(1)).enumerate() {
            column[..j].fill(T::ZERO);
        }
    }
    definite
}

fn factor_block<T: MatrixElement>(a: MatMut<'_, T>, par: Par) -> bool {
    let n = a.nrows();
    if n <= UNBLOCKED_MAX {
        return factor_leaf(a);
    }
    let half = (n / 2).next_multiple_of(UNBLOCKED_MAX);
    let (mut first, _, mut below, mut second) = a.split_at_mut(half, half);
    if !factor_block(first.as_mut(), par) {
        return false;
    }
    // X L^H = B is conj(L) X^T = B^T.
    solve_in_place(first.as_ref(), true, true, false, below.as_mut().transpose_mut(), par);
    let lower = BlockStructure::TriangularLower;
    let (left, right) = (GemmOperand::plain(below.as_ref()), GemmOperand::adjoint(below.as_ref()));
    multiply(second.as_mut(), lower, Accum::Add, -T::ONE, left, right, par);
    factor_block(second, par)
}

fn factor_leaf<T: MatrixElement>(mut a: MatMut<'_, T>) -> bool {
    let n = a.nrows();
    let mut block = [T::ZERO; UNBLOCKED_MAX * UNBLOCKED_MAX];
    for j in 0..n {
        for i in j..n {
            block[i + j * UNBLOCKED_MAX] = a[(i, j)];
        }
    }
    let definite = simd::run(|| {
        for j in 0..n {
            let (done, rest) = block.split_at_mut(j * UNBLOCKED_MAX);
            let column = &mut rest[..UNBLOCKED_MAX];
            for other in done.chunks_exact(UNBLOCKED_MAX) {
                let factor = other[j].conjugate();
                for (x, &y) in column.iter_mut().zip(other) {
                    *x -= y * factor;
                }
            }
            let pivot = column[j].re();
            // A NaN goes on into the result, as it does in NumPy's LAPACK.
            if pivot <= T::RealElement::ZERO {
                return false;
            }
            let root = pivot.root();
            column[j] = T::from_real(root);
            for x in &mut column[j + 1..n] {
                *x = T::from_reals(x.re() / root, x.im() / root);
            }
        }
        true
    });
    for j in 0..n {
        for i in j..n {
            a[(i, j)] = block[i + j * UNBLOCKED_MAX];
        }
    }
    definite
}
