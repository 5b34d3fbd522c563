//! Checks that cost little: a decomposition is multiplied with one vector of signs, or its invariants are compared.
//!
//! An iteration that fails without saying so is off by far more than rounding, in at least one vector; a vector of
//! signs meets every one of them.

use cuprum_core::memory::{collected, filled};
use num_complex::Complex;

use crate::qr::{dot, norm};
use crate::{MatrixElement, RealElement, simd};

/// How far from exact a result may be, in units of rounding error times the order.
const TOLERANCE: f64 = 64.0;

/// Signs that look random and are always the same.
pub(crate) fn signs<T: MatrixElement>(n: usize) -> Vec<T> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    collected((0..n).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if state & 1 == 0 { T::ONE } else { -T::ONE }
    }))
}

/// `A x` for a column-major matrix of `m` rows.
fn times<T: MatrixElement>(a: &[T], m: usize, x: &[T]) -> Vec<T> {
    let mut y = filled(m, T::ZERO);
    for (column, &factor) in a.chunks_exact(m.max(1)).zip(x) {
        simd::run(|| {
            for (sum, &element) in y.iter_mut().zip(column) {
                *sum += element * factor;
            }
        });
    }
    y
}

/// `A^H x`.
fn adjoint_times<T: MatrixElement>(a: &[T], m: usize, x: &[T]) -> Vec<T> {
    collected(a.chunks_exact(m.max(1)).map(|column| simd::run(|| dot(column, x))))
}

fn distance<T: MatrixElement>(x: &[T], y: &[T]) -> T::RealElement {
    let difference: Vec<T> = collected(x.iter().zip(y).map(|(&a, &b)| a - b));
    norm(&difference)
}

/// The error that rounding may leave in a product of order `n` with a vector of length `size`.
pub(crate) fn allowed<P: RealElement>(n: usize, size: P) -> P {
    size * P::EPSILON * P::nearest(TOLERANCE * (n as f64 + 8.0))
}

/// Whether the columns of an `m`-rowed matrix are orthonormal, as one vector sees it.
fn is_orthonormal<T: MatrixElement>(q: &[T], m: usize, x: &[T]) -> bool {
    let back = adjoint_times(q, m, &times(q, m, x));
    distance(&back, x) <= allowed(m, norm(x))
}

/// Whether `A = U diag(s) V^H` and U, V are orthonormal.
pub(crate) fn svd_holds<T: MatrixElement>(
    a: &[T],
    m: usize,
    n: usize,
    s: &[T::RealElement],
    u: &[T],
    v: &[T],
) -> bool {
    let x = signs::<T>(n);
    let scaled: Vec<T> = collected(adjoint_times(v, n, &x).iter().zip(s).map(|(y, &s)| y.times(s)));
    let error = distance(&times(a, m, &x), &times(&u[..m * n], m, &scaled));
    error <= allowed(m, norm(&x) * s[0])
        && is_orthonormal(v, n, &x)
        && is_orthonormal(u, m, &signs::<T>(u.len() / m))
}

/// Whether `A V = V diag(w)` and V is orthonormal, A being Hermitian with its lower triangle given.
pub(crate) fn eigh_holds<T: MatrixElement>(a: &[T], n: usize, w: &[T::RealElement], v: &[T]) -> bool {
    let x = signs::<T>(n);
    let vx = times(v, n, &x);
    let mut left = filled(n, T::ZERO);
    for (j, column) in a.chunks_exact(n).enumerate() {
        let (factor, below) = (vx[j], &column[j + 1..]);
        left[j] += T::from_real(column[j].re()) * factor + simd::run(|| dot(below, &vx[j + 1..]));
        simd::run(|| {
            for (sum, &element) in left[j + 1..].iter_mut().zip(below) {
                *sum += element * factor;
            }
        });
    }
    let scaled: Vec<T> = collected(x.iter().zip(w).map(|(y, &w)| y.times(w)));
    let size = w.iter().fold(T::RealElement::ZERO, |most, w| if w.size1() > most { w.size1() } else { most });
    distance(&left, &times(v, n, &scaled)) <= allowed(n, norm(&x) * size) && is_orthonormal(v, n, &x)
}

/// Whether the squares of values add up to those of the elements.
pub(crate) fn values_fit<T: MatrixElement>(a: &[T], s: &[T::RealElement]) -> bool {
    let (whole, sum) = (norm(a), norm(s));
    (whole - sum).size1() <= allowed(s.len(), whole)
}

/// As [`values_fit`] for a Hermitian matrix with its lower triangle given; and they add up to the trace.
pub(crate) fn eigenvalues_fit<T: MatrixElement>(a: &[T], n: usize, w: &[T::RealElement]) -> bool {
    let mut squares = 0.0;
    let mut trace = 0.0;
    for (j, column) in a.chunks_exact(n).enumerate() {
        let (diagonal, below) = (column[j].re().to_f64(), norm(&column[j + 1..]).to_f64());
        squares += diagonal * diagonal + 2.0 * below * below;
        trace += diagonal;
    }
    let (size, sum) = (norm(w).to_f64(), w.iter().map(|w| w.to_f64()).sum::<f64>());
    let slack = T::RealElement::EPSILON.to_f64() * TOLERANCE * (n as f64 + 8.0) * squares.sqrt();
    (squares.sqrt() - size).abs() <= slack && (trace - sum).abs() <= slack * (n as f64).sqrt()
}

/// Whether `A V = V diag(w)` for columns of length one.
pub(crate) fn eig_holds<T: MatrixElement>(
    a: &[T],
    n: usize,
    w: &[Complex<T::RealElement>],
    v: &[Complex<T::RealElement>],
) -> bool
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    let x = signs::<Complex<T::RealElement>>(n);
    let vx = times(v, n, &x);
    let mut left = filled(n, Complex::<T::RealElement>::ZERO);
    for (column, &factor) in a.chunks_exact(n).zip(&vx) {
        for (sum, &element) in left.iter_mut().zip(column) {
            *sum += Complex::from_reals(element.re(), element.im()) * factor;
        }
    }
    let scaled: Vec<_> = collected(x.iter().zip(w).map(|(&x, &w)| x * w));
    distance(&left, &times(v, n, &scaled)) <= allowed(n, norm(&x) * norm(a))
}

/// Whether `A v = w v`, within `limit`.
pub(crate) fn eigenvector_holds<T: MatrixElement>(
    a: &[T],
    n: usize,
    w: Complex<T::RealElement>,
    v: &[Complex<T::RealElement>],
    limit: T::RealElement,
) -> bool
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    let mut left: Vec<_> = collected(v.iter().map(|&x| -(x * w)));
    for (column, &factor) in a.chunks_exact(n).zip(v) {
        simd::run(|| {
            for (sum, &element) in left.iter_mut().zip(column) {
                *sum += Complex::from_reals(element.re(), element.im()) * factor;
            }
        });
    }
    norm(&left) <= limit && (norm(v) - T::RealElement::ONE).size1() <= T::RealElement::HALF
}

/// Whether eigenvalues add up to the trace.
pub(crate) fn trace_fits<T: MatrixElement>(a: &[T], n: usize, w: &[Complex<T::RealElement>]) -> bool
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    let trace = (0..n).fold(T::ZERO, |sum, i| sum + a[i + i * n]);
    let sum = w.iter().fold(Complex::<T::RealElement>::ZERO, |sum, &w| sum + w);
    let difference = Complex::from_reals(trace.re(), trace.im()) - sum;
    difference.modulus() <= allowed(n, norm(a) * T::RealElement::nearest((n as f64).sqrt()))
}
