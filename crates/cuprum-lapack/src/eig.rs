//! Eigenvalues and right eigenvectors of general matrices: scaled, balanced, faer's Schur form, checked.

use cuprum_core::Result;
use cuprum_core::memory::collected;
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{ComputeEigenvectors, evd_cplx, evd_real, evd_scratch};
use faer::traits::RealField;
use faer::{MatMut, MatRef, Par};
use num_complex::Complex;

use crate::balance::balance;
use crate::svd::{Vectors, svd_any};
use crate::{MatrixElement, Outcome, RealElement, checks, pool, qr, scale, schur, stack, zeros};

/// Eigenvalues of a matrix of order `n`, which is overwritten, and its eigenvectors: columns of length one whose largest
/// element is real where the matrix or the eigenvalue is complex, as LAPACK's `geev` gives them.
///
/// ```
/// use cuprum_lapack::{Outcome, eig::eig};
/// use num_complex::Complex;
/// let mut w = [Complex::default(); 2];
/// assert_eq!(eig(&mut [0.0, 1.0, -1.0, 0.0], 2, &mut w, None, 1).unwrap(), Outcome::Converged);
/// assert_eq!(w, [Complex::new(0.0, 1.0), Complex::new(0.0, -1.0)]);
/// ```
pub fn eig<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [Complex<T::RealElement>],
    vectors: Option<&mut [Complex<T::RealElement>]>,
    threads: usize,
) -> Result<Outcome> {
    T::eig(a, n, w, vectors, threads)
}

pub(crate) fn eig_any<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    w: &mut [Complex<T::RealElement>],
    mut vectors: Option<&mut [Complex<T::RealElement>]>,
    threads: usize,
) -> Result<Outcome>
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    if n == 0 {
        return Ok(Outcome::Converged);
    }
    let Some(exponent) = scale::normalize(a) else { return Ok(Outcome::Failed) };
    let balance = balance(a, n);
    let ended = pool::in_parts(n * n * n, threads, |par| T::eigen(a, n, w, vectors.as_deref_mut(), par))?;
    let finite = ended && w.iter().all(|w| w.finite());
    let holds = finite
        && match vectors {
            Some(v) => {
                normalize(v, n);
                let holds = checks::eig_holds(a, n, w, v) || {
                    repair(a, n, w, v, threads)?;
                    checks::eig_holds(a, n, w, v)
                };
                balance.undo(v, n);
                normalize(v, n);
                holds
            }
            None => checks::trace_fits(a, n, w),
        };
    scale::multiply(w, exponent);
    Ok(if holds { Outcome::Converged } else { Outcome::Failed })
}

/// Brings columns to length one; of a complex one the largest element becomes real.
fn normalize<P: RealElement>(v: &mut [Complex<P>], n: usize)
where
    Complex<P>: MatrixElement<RealElement = P>,
{
    for column in v.chunks_exact_mut(n) {
        let length = qr::norm(column);
        if length == P::ZERO {
            continue;
        }
        for x in column.iter_mut() {
            *x = Complex { re: x.re / length, im: x.im / length };
        }
        if column.iter().all(|x| x.im == P::ZERO) {
            continue;
        }
        let largest = column
            .iter()
            .fold(Complex::<P>::ZERO, |most, &x| if x.modulus() > most.modulus() { x } else { most });
        let phase = largest.conjugate().over(Complex::from_real(largest.modulus()));
        let size = largest.modulus();
        for x in column.iter_mut() {
            *x = if *x == largest { Complex::from_real(size) } else { *x * phase };
        }
    }
}

/// Finds anew the eigenvectors that do not hold: where eigenvalues coincide or elements are far apart in size, they are
/// lost to a division by zero or by too little. Each is a vector that `A - w I` takes closest to zero.
fn repair<T: MatrixElement>(
    a: &[T],
    n: usize,
    w: &[Complex<T::RealElement>],
    v: &mut [Complex<T::RealElement>],
    threads: usize,
) -> Result<()>
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    let limit = checks::allowed(n, qr::norm(a));
    let mut s = zeros::<T::RealElement>(n)?;
    let (mut u, mut basis) = (zeros(n * n)?, zeros::<Complex<T::RealElement>>(n * n)?);
    // The eigenvalue whose vectors are in `basis`, and how many of them were given out.
    let mut held: Option<(Complex<T::RealElement>, usize)> = None;
    for j in 0..n {
        if checks::eigenvector_holds(a, n, w[j], &v[j * n..][..n], limit) {
            continue;
        }
        if !T::IS_COMPLEX && j > 0 && w[j].im != T::RealElement::ZERO && w[j] == w[j - 1].conjugate() {
            for i in 0..n {
                v[i + j * n] = v[i + (j - 1) * n].conjugate();
            }
            continue;
        }
        let given = match held {
            Some((value, given)) if value == w[j] => given,
            _ => {
                let mut shifted: Vec<_> = collected(a.iter().map(|x| Complex::from_reals(x.re(), x.im())));
                (0..n).for_each(|i| shifted[i + i * n] -= w[j]);
                let vectors = Vectors { u: &mut u, v: &mut basis, full: true };
                if svd_any(&mut shifted, (n, n), &mut s, Some(vectors), threads)? == Outcome::Failed {
                    return Ok(());
                }
                0
            }
        };
        // Of a defective eigenvalue there are fewer vectors than it has places: the last one fills them.
        let found = s.iter().filter(|&&s| s <= limit).count().max(1);
        let from = n - 1 - given.min(found - 1);
        v[j * n..][..n].copy_from_slice(&basis[from * n..][..n]);
        held = Some((w[j], given + 1));
        let column = &mut v[j * n..][..n];
        normalize(column, n);
        if !T::IS_COMPLEX && w[j].im == T::RealElement::ZERO {
            column.iter_mut().for_each(|x| x.im = T::RealElement::ZERO);
            normalize(column, n);
        }
    }
    Ok(())
}

/// The eigenvalues of a real matrix, and its eigenvectors, not normalised.
pub(crate) fn real_eigen<P: RealElement + RealField>(
    a: &[P],
    n: usize,
    values: &mut [Complex<P>],
    vectors: Option<&mut [Complex<P>]>,
    par: Par,
) -> Result<bool> {
    let wanted = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let (mut re, mut im) = (zeros::<P>(n)?, zeros::<P>(n)?);
    let mut packed = zeros::<P>(if vectors.is_some() { n * n } else { 0 })?;
    let need = evd_scratch::<P>(n, ComputeEigenvectors::No, wanted, par, Default::default());
    let mut memory = stack(need);
    let ended = evd_real(
        MatRef::from_column_major_slice(a, n, n),
        DiagMut::from_slice_mut(&mut re),
        DiagMut::from_slice_mut(&mut im),
        None,
        vectors.is_some().then(|| MatMut::from_column_major_slice_mut(&mut packed, n, n)),
        par,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .is_ok();
    for (value, (&re, &im)) in values.iter_mut().zip(re.iter().zip(&im)) {
        *value = Complex { re, im };
    }
    if let (true, Some(vectors)) = (ended, vectors) {
        unpack(&packed, n, &im, vectors);
    }
    Ok(ended)
}

/// A pair of conjugate eigenvectors is stored as one real and one imaginary column.
fn unpack<P: RealElement>(packed: &[P], n: usize, im: &[P], vectors: &mut [Complex<P>]) {
    let mut j = 0;
    while j < n {
        let pair = im[j] != P::ZERO && j + 1 < n;
        for i in 0..n {
            let re = packed[i + j * n];
            let im = if pair { packed[i + (j + 1) * n] } else { P::ZERO };
            vectors[i + j * n] = Complex { re, im };
            if pair {
                vectors[i + (j + 1) * n] = Complex { re, im: -im };
            }
        }
        j += if pair { 2 } else { 1 };
    }
}

/// Complex matrices up to this order are not worth a blocked iteration.
const UNBLOCKED_MAX: usize = 75;

/// Whether there are elements off the diagonal whose squares would vanish beside the largest: faer's complex rotations
/// made of them are not rotations.
fn is_graded<T: MatrixElement>(a: &[T], n: usize) -> bool {
    let Some(most) = scale::largest(a) else { return false };
    let least = most.times_power_of_two(
        (T::RealElement::TINY.exponent() / 8).min(T::RealElement::EPSILON.exponent() - 8),
    );
    a.iter().enumerate().any(|(at, x)| x.size1() < least && *x != T::ZERO && at % n != at / n)
}

/// The eigenvalues of a complex matrix, and its eigenvectors, not normalised.
pub(crate) fn complex_eigen<P: RealElement + RealField>(
    a: &[Complex<P>],
    n: usize,
    values: &mut [Complex<P>],
    vectors: Option<&mut [Complex<P>]>,
    par: Par,
) -> Result<bool>
where
    Complex<P>: MatrixElement<RealElement = P>,
{
    if n <= UNBLOCKED_MAX || is_graded(a, n) {
        return Ok(schur::eigen(a, n, values, vectors));
    }
    let wanted = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let need = evd_scratch::<Complex<P>>(n, ComputeEigenvectors::No, wanted, par, Default::default());
    let mut memory = stack(need);
    let ended = evd_cplx(
        MatRef::from_column_major_slice(a, n, n),
        DiagMut::from_slice_mut(values),
        None,
        vectors.map(|v| MatMut::from_column_major_slice_mut(v, n, n)),
        par,
        MemStack::new(&mut memory),
        Default::default(),
    );
    Ok(ended.is_ok())
}
