//! Eigenvalues and vectors of Hermitian matrices: faer's divide and conquer on a scaled matrix, checked, with Jacobi's
//! method behind it.

use cuprum_core::Result;
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{MatMut, MatRef};

use crate::svd::Vectors;
use crate::{MatrixElement, Outcome, checks, jacobi, pool, qr, scale, stack, zeros};

/// Decomposes a Hermitian matrix of order `n`, of which the lower triangle is read, and which is overwritten:
/// `A = V diag(w) V^H`, `w` rising. What lies above the diagonal, and the imaginary part of the diagonal, is not read.
///
/// ```
/// use cuprum_lapack::{Outcome, eigh::eigh};
/// let mut w = [0.0; 2];
/// assert_eq!(eigh(&mut [0.0, 1e-200, f64::NAN, 0.0], 2, &mut w, None, 1).unwrap(), Outcome::Converged);
/// assert!((w[0] / 1e-200 + 1.0f64).abs() < 1e-15 && (w[1] / 1e-200 - 1.0).abs() < 1e-15);
/// ```
pub fn eigh<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [T::RealElement],
    vectors: Option<&mut [T]>,
    threads: usize,
) -> Result<Outcome> {
    T::eigh(a, n, w, vectors, threads)
}

pub(crate) fn eigh_any<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [T::RealElement],
    vectors: Option<&mut [T]>,
    threads: usize,
) -> Result<Outcome> {
    if n == 0 {
        return Ok(Outcome::Converged);
    }
    for j in 0..n {
        a[j * n..][..j].fill(T::ZERO);
        a[j + j * n] = T::from_real(a[j + j * n].re());
    }
    let Some(exponent) = scale::normalize(a) else { return Ok(Outcome::Failed) };
    let outcome = scaled(a, n, w, vectors, threads)?;
    scale::multiply(w, exponent);
    Ok(outcome)
}

fn scaled<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [T::RealElement],
    vectors: Option<&mut [T]>,
    threads: usize,
) -> Result<Outcome> {
    match vectors {
        Some(v) => {
            if divide(a, n, w, Some(v), threads)? && checks::eigh_holds(a, n, w, v) {
                return Ok(Outcome::Converged);
            }
            rotate(a, n, w, Some(v), threads)
        }
        None => {
            if divide(a, n, w, None, threads)? && checks::eigenvalues_fit(a, n, w) {
                return Ok(Outcome::Converged);
            }
            rotate(a, n, w, None, threads)
        }
    }
}

/// faer's method; `false` where it did not end.
fn divide<T: MatrixElement>(
    a: &[T],
    n: usize,
    w: &mut [T::RealElement],
    vectors: Option<&mut [T]>,
    threads: usize,
) -> Result<bool> {
    let matrix = MatRef::from_column_major_slice(a, n, n);
    let mut values = zeros::<T>(n)?;
    let wanted = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let ended = pool::in_parts(n * n * n, threads, |par| {
        let need = self_adjoint_evd_scratch::<T>(n, wanted, par, Default::default());
        let mut memory = stack(need);
        let v = vectors.map(|v| MatMut::from_column_major_slice_mut(v, n, n));
        let into = DiagMut::from_slice_mut(&mut values);
        self_adjoint_evd(matrix, into, v, par, MemStack::new(&mut memory), Default::default()).is_ok()
    });
    for (to, from) in w.iter_mut().zip(&values) {
        *to = from.re();
    }
    Ok(ended && w.iter().all(|x| x.finite()) && w.windows(2).all(|w| w[0] <= w[1]))
}

/// Jacobi's method on `A + c I`, which is positive: its singular values less `c` are the eigenvalues.
fn rotate<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [T::RealElement],
    vectors: Option<&mut [T]>,
    threads: usize,
) -> Result<Outcome> {
    for j in 0..n {
        for i in 0..j {
            a[i + j * n] = a[j + i * n].conjugate();
        }
    }
    let shift = qr::norm(a);
    for i in 0..n {
        a[i + i * n] += T::from_real(shift);
    }
    let (mut left, mut right) = (zeros(n * n)?, zeros(n * n)?);
    let outcome =
        jacobi::svd(a, n, n, w, Some(Vectors { u: &mut left, v: &mut right, full: true }), threads)?;
    w.reverse();
    for x in w.iter_mut() {
        *x -= shift;
    }
    if let Some(vectors) = vectors {
        for (to, from) in vectors.chunks_exact_mut(n).zip(right.chunks_exact(n).rev()) {
            to.copy_from_slice(from);
        }
    }
    Ok(outcome)
}
