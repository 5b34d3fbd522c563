//! Hyperbolic sine, cosine and tangent.

use super::exp::reduce;
use super::real::{Real, fast_two_sum, polynomial};
use super::{Cosh, ElementaryFunction, Sinh, Tanh};

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

impl<T: Real> ElementaryFunction<T> for Sinh {
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

impl<T: Real> ElementaryFunction<T> for Cosh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (growing, falling, r, sinh_tail, cosh_tail) = parts(x.abs());
        let a = growing - falling;
        let (b, b_error) = fast_two_sum(growing, falling);
        let rest = b.fma(cosh_tail, a.fma(sinh_tail, b_error));
        doubled_sum(b, a, r, rest)
    }
}

impl<T: Real> ElementaryFunction<T> for Tanh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let a = if x.abs() > T::TANH_LIMITS.0 { T::TANH_LIMITS.0 } else { x.abs() };
        // a = k ln(2)/2 + u + tail with u from -0.1682 to 0.1784, and larger where k stops growing: it counts little there.
        let below = a - T::TANH_LIFT;
        let below = if below > T::TANH_LIMITS.1 { T::TANH_LIMITS.1 } else { below };
        let (n, k) = below.nearest(T::TWO * T::LOG2_E.0);
        let high = (-n).fma(T::HALF * T::LN_2.0, a);
        let u = (-n).fma(T::HALF * T::LN_2.1, high);
        let tail = (-n).fma(T::HALF * T::LN_2.1, high - u);
        let z = u * u;
        let t = u + (u * z).fma(polynomial(z, T::TANH), tail);
        // tanh(a) = (A + B t) / (B + A t) for A, B = 2^k -+ 1, both exact, and t = tanh(u + tail). For k = 1 and t above
        // -1/6 the numerator is not below 1/2: there and everywhere the errors of both sums come out exactly.
        let scale = T::power_of_two(k, 0);
        let (less, more) = (scale - T::ONE, scale + T::ONE);
        let numerator = more.fma(t, less);
        let denominator = less.fma(t, more);
        let numerator_error = more.fma(t, less - numerator);
        let denominator_error = less.fma(t, more - denominator);
        let inverse = T::ONE / denominator;
        let q = numerator * inverse;
        let missing = (-q).fma(denominator_error, (-q).fma(denominator, numerator) + numerator_error);
        missing.fma(inverse, q).copysign(x)
    }
}
