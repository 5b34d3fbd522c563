//! Singular values and vectors: faer's divide and conquer on a scaled matrix, checked, with Jacobi's method behind it.

use cuprum_core::{Result, svd_starts_with_qr};
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::svd::{ComputeSvdVectors, svd as faer_svd, svd_scratch};
use faer::{MatMut, MatRef};

use crate::{MatrixElement, Outcome, checks, jacobi, pool, qr, scale, stack, zeros};

/// Which vectors are wanted, and where they go: columns of U and of V (not of its conjugate transpose).
#[derive(Debug)]
pub struct Vectors<'a, T> {
    /// U: `m` rows, `m` columns or the first `min(m, n)` of them.
    pub u: &'a mut [T],
    /// V: `n` rows, `n` columns or the first `min(m, n)` of them.
    pub v: &'a mut [T],
    /// Square matrices, completed to bases.
    pub full: bool,
}

/// Decomposes an `m` by `n` matrix, which is overwritten: `A = U diag(s) V^H`, `s` falling.
///
/// ```
/// use cuprum_lapack::{Outcome, svd::svd};
/// let mut s = [0.0; 2];
/// assert_eq!(svd(&mut [3e200, 0.0, 0.0, 4e200], 2, 2, &mut s, None, 1).unwrap(), Outcome::Converged);
/// assert!((s[0] / 4e200 - 1.0f64).abs() < 1e-15 && (s[1] / 3e200 - 1.0).abs() < 1e-15);
/// ```
pub fn svd<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    s: &mut [T::RealElement],
    vectors: Option<Vectors<'_, T>>,
    threads: usize,
) -> Result<Outcome> {
    T::svd(a, (m, n), s, vectors, threads)
}

pub(crate) fn svd_any<T: MatrixElement>(
    a: &mut [T],
    (m, n): (usize, usize),
    s: &mut [T::RealElement],
    vectors: Option<Vectors<'_, T>>,
    threads: usize,
) -> Result<Outcome> {
    if m.min(n) == 0 {
        if let Some(Vectors { u, v, .. }) = vectors {
            identity(u, m);
            identity(v, n);
        }
        return Ok(Outcome::Converged);
    }
    let Some(exponent) = scale::normalize(a) else { return Ok(Outcome::Failed) };
    let outcome = if m < n {
        // A^H = V S U^H
        let mut adjoint = zeros(m * n)?;
        for j in 0..n {
            for i in 0..m {
                adjoint[j + i * n] = a[i + j * m].conjugate();
            }
        }
        let turned = vectors.map(|Vectors { u, v, full }| Vectors { u: v, v: u, full });
        tall(&mut adjoint, n, m, s, turned, threads)?
    } else {
        tall(a, m, n, s, vectors, threads)?
    };
    scale::multiply(s, exponent);
    Ok(outcome)
}

fn identity<T: MatrixElement>(x: &mut [T], n: usize) {
    x.fill(T::ZERO);
    for (j, column) in x.chunks_exact_mut(n.max(1)).enumerate() {
        column[j] = T::ONE;
    }
}

/// At least as many rows as columns, finite, of moderate size.
fn tall<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    s: &mut [T::RealElement],
    vectors: Option<Vectors<'_, T>>,
    threads: usize,
) -> Result<Outcome> {
    if !svd_starts_with_qr(m, n) {
        return squarish(a, m, n, s, vectors, threads);
    }
    let factored = qr::factor(a, m, n, threads)?;
    let mut r = zeros(n * n)?;
    for j in 0..n {
        r[j * n..=j * n + j].copy_from_slice(&a[j * m..=j * m + j]);
    }
    let Some(Vectors { u, v, .. }) = vectors else {
        return squarish(&mut r, n, n, s, None, threads);
    };
    let mut inner = zeros(n * n)?;
    let outcome = squarish(&mut r, n, n, s, Some(Vectors { u: &mut inner, v, full: true }), threads)?;
    let columns = u.len() / m;
    u.fill(T::ZERO);
    for j in 0..n {
        u[j * m..j * m + n].copy_from_slice(&inner[j * n..][..n]);
    }
    for j in n..columns {
        u[j + j * m] = T::ONE;
    }
    factored.apply(a, MatMut::from_column_major_slice_mut(u, m, columns), false, threads)?;
    Ok(outcome)
}

fn squarish<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    s: &mut [T::RealElement],
    vectors: Option<Vectors<'_, T>>,
    threads: usize,
) -> Result<Outcome> {
    let Some(Vectors { u, v, full }) = vectors else {
        if divide(a, m, n, s, None, threads)? && checks::values_fit(a, s) {
            return Ok(Outcome::Converged);
        }
        return jacobi::svd(a, m, n, s, None, threads);
    };
    let columns = if full { m } else { n };
    let pair = (MatMut::from_column_major_slice_mut(u, m, columns), &mut *v);
    if divide(a, m, n, s, Some(pair), threads)? && checks::svd_holds(a, m, n, s, u, v) {
        return Ok(Outcome::Converged);
    }
    jacobi::svd(a, m, n, s, Some(Vectors { u, v, full }), threads)
}

/// faer's method; `false` where it did not end.
fn divide<T: MatrixElement>(
    a: &[T],
    m: usize,
    n: usize,
    s: &mut [T::RealElement],
    vectors: Option<(MatMut<'_, T>, &mut [T])>,
    threads: usize,
) -> Result<bool> {
    let matrix = MatRef::from_column_major_slice(a, m, n);
    let mut values = zeros::<T>(n)?;
    let wanted = match &vectors {
        None => (ComputeSvdVectors::No, ComputeSvdVectors::No),
        Some((u, _)) if u.ncols() == m => (ComputeSvdVectors::Full, ComputeSvdVectors::Full),
        Some(_) => (ComputeSvdVectors::Thin, ComputeSvdVectors::Thin),
    };
    let ended = pool::in_parts(m * n * n, threads, |par| {
        let need = svd_scratch::<T>(m, n, wanted.0, wanted.1, par, Default::default());
        let mut memory = stack(need);
        let (u, v) = match vectors {
            Some((u, v)) => (Some(u), Some(MatMut::from_column_major_slice_mut(v, n, n))),
            None => (None, None),
        };
        let into = DiagMut::from_slice_mut(&mut values);
        faer_svd(matrix, into, u, v, par, MemStack::new(&mut memory), Default::default()).is_ok()
    });
    for (to, from) in s.iter_mut().zip(&values) {
        *to = from.re();
    }
    Ok(ended && s.iter().all(|x| *x >= T::RealElement::ZERO) && s.windows(2).all(|w| w[0] >= w[1]))
}
