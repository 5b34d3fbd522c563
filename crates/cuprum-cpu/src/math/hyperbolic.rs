//! Hyperbolic sine, cosine and tangent.

use super::exp::{half_expm1, reduce};
use super::real::{Real, fast_two_sum, polynomial};
use super::{Cosh, Function, Sinh, Tanh};

/// `2^k / 4`, `2^-k / 4`, `r`, `sinh(r) - r` and `cosh(r) - 1` for `x = k ln(2) + r >= 0`.
///
/// `sinh(x) = A cosh(r) + B sinh(r)` and `cosh(x) = B cosh(r) + A sinh(r)`, where `A, B = (2^k -+ 2^-k) / 2` are
/// made from the halves given here, which are finite wherever the result is.
#[inline(always)]
fn parts<T: Real>(x: T) -> (T, T, T, T, T) {
    let x = if x > T::SINH_LIMIT { T::SINH_LIMIT } else { x };
    let (k, r, tail) = reduce(x);
    // Past the saturation 2^-k is lost beside 2^k, and it must be left off before its exponent runs out.
    let falling = if x > T::SATURATION { T::ZERO } else { T::inverse_power_of_two(k, 2) };
    let z = r * r;
    let sinh_tail = (r * z).fma(polynomial(z, T::SINH), tail);
    let cosh_tail = z.fma(polynomial(z, T::COSH), r * tail);
    (T::power_of_two(k, 2), falling, r, sinh_tail, cosh_tail)
}

/// `2 * (constant + slope * r + rest)` with the rounding error of the first sum carried into `rest`.
#[inline(always)]
fn doubled_sum<T: Real>(constant: T, slope: T, r: T, rest: T) -> T {
    let sum = slope.fma(r, constant);
    let error = slope.fma(r, constant - sum);
    T::TWO * (sum + (error + rest))
}

impl<T: Real> Function<T> for Sinh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (growing, falling, r, sinh_tail, cosh_tail) = parts(x.abs());
        let (a, a_error) = fast_two_sum(growing, -falling);
        let b = growing + falling;
        let rest = a.fma(cosh_tail, b.fma(sinh_tail, a_error));
        let value = doubled_sum(a, b, r, rest).copysign(x);
        if x.abs() < T::TINY { x } else { value }
    }
}

impl<T: Real> Function<T> for Cosh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (growing, falling, r, sinh_tail, cosh_tail) = parts(x.abs());
        let a = growing - falling;
        let (b, b_error) = fast_two_sum(growing, falling);
        let rest = b.fma(cosh_tail, a.fma(sinh_tail, b_error));
        doubled_sum(b, a, r, rest)
    }
}

impl<T: Real> Function<T> for Tanh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let a = if x.abs() > T::SATURATION { T::SATURATION } else { x.abs() };
        // tanh(a) = h / (1 + h) for h = expm1(2a) / 2; the inverse of the denominator is one less the quotient.
        let (sum, rest, _) = half_expm1(a + a);
        let (h, h_tail) = fast_two_sum(sum, rest);
        let above_one = h > T::ONE;
        let larger = if above_one { h } else { T::ONE };
        let smaller = if above_one { T::ONE } else { h };
        let (d, d_error) = fast_two_sum(larger, smaller);
        let q = h / d;
        let inverse = T::ONE - q;
        let missing = (-q).fma(d_error, h_tail * inverse);
        missing.fma(inverse, q).copysign(x)
    }
}
