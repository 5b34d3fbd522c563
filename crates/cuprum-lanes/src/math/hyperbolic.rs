//! Hyperbolic sine, cosine and tangent.

use super::coefficients::{double, single};
use super::exp::reduce;
use super::real::{Real, fast_two_sum, polynomial};
use super::{Cosh, ElementaryFunction, Sinh, Tanh};

/// `2^k / 2`, `2^-k / 2`, and `r` as a sum of two parts and rounded, for `x = k ln(2) + r` from zero up to
/// [`Real::SINH_NORMAL`].
///
/// `sinh(x) = A cosh(r) + B sinh(r)` and `cosh(x) = B cosh(r) + A sinh(r)`, where `A, B = (2^k -+ 2^-k) / 2`.
#[inline(always)]
fn parts<T: Real>(x: T) -> (T, T, (T, T), T) {
    let (n, k) = x.nearest(T::LOG2_E.0);
    let high = (-n).fma(T::LN_2.0, x);
    let low = -n * T::LN_2.1;
    (T::power_of_two(k, 1), T::inverse_power_of_two(k, 1), (high, low), high + low)
}

/// `sinh(r) - r + low`.
#[inline(always)]
fn sinh_tail<T: Real>(r: T, low: T) -> T {
    let z = r * r;
    (r * z).fma(polynomial(z, T::SINH), low)
}

/// `constant + slope * r + rest` with the rounding error of the first sum carried into `rest`.
#[inline(always)]
fn sum_of<T: Real>(constant: T, slope: T, r: T, rest: T) -> T {
    let sum = slope.fma(r, constant);
    let error = slope.fma(r, constant - sum);
    sum + (error + rest)
}

/// `e^x / 2` of an `x` that is not below [`Real::SINH_NORMAL`], which is then both functions.
#[inline(always)]
fn half_exp<T: Real>(x: T) -> T {
    let x = if x > T::SINH_LIMIT { T::SINH_LIMIT } else { x };
    let (k, r, tail) = reduce(x);
    // A quarter of the power is finite wherever the result is.
    let quarter = T::power_of_two(k, 2);
    let rest = (r * r).fma(polynomial(r, T::EXP), tail);
    T::TWO * sum_of(quarter, quarter, r, quarter * rest)
}

impl<T: Real> ElementaryFunction<T> for Sinh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (growing, falling, (high, low), r) = parts(x.abs());
        let (a, a_error) = fast_two_sum(growing, -falling);
        let b = growing + falling;
        let z = r * r;
        let cosh_tail = z * polynomial(z, T::COSH);
        let rest = a.fma(cosh_tail, b.fma(sinh_tail(r, low), a_error));
        sum_of(a, b, high, rest).copysign(x)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.abs().is_from_to(T::ZERO, T::SINH_NORMAL)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let far = half_exp(x.abs()).copysign(x);
        if x.abs() < T::SINH_NORMAL { Self::fast(x) } else { far }
    }
}

impl<T: Real> ElementaryFunction<T> for Cosh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (growing, falling, (high, low), r) = parts(x.abs());
        let a = growing - falling;
        let (b, b_error) = fast_two_sum(growing, falling);
        let z = r * r;
        // What the rounding of r lost counts here, and not in the sine, whose other errors are larger.
        let cosh_tail = z.fma(polynomial(z, T::COSH), r * ((high - r) + low));
        let rest = b.fma(cosh_tail, a.fma(sinh_tail(r, low), b_error));
        sum_of(b, a, high, rest)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.abs().is_from_to(T::ZERO, T::SINH_NORMAL)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let far = half_exp(x.abs());
        if x.abs() < T::SINH_NORMAL { Self::fast(x) } else { far }
    }
}

impl ElementaryFunction<f64> for Tanh {
    #[inline(always)]
    fn fast(x: f64) -> f64 {
        /// From where on the value is one; and, below that, from where on the power of two stops growing, so that adding or
        /// subtracting one stays exact.
        const LIMITS: (f64, f64) = (19.1, 18.0);
        /// How far the interval of the reduction is moved up.
        const LIFT: f64 = 0.0051;
        let a = if x.abs() > LIMITS.0 { LIMITS.0 } else { x.abs() };
        // a = k ln(2)/2 + u + tail with u from -0.1682 to 0.1784, and larger where k stops growing: it counts little there.
        let below = a - LIFT;
        let below = if below > LIMITS.1 { LIMITS.1 } else { below };
        let (n, k) = below.nearest(2.0 * f64::LOG2_E.0);
        let high = (-n).mul_add(0.5 * f64::LN_2.0, a);
        let u = (-n).mul_add(0.5 * f64::LN_2.1, high);
        let tail = (-n).mul_add(0.5 * f64::LN_2.1, high - u);
        let z = u * u;
        let t = u + (u * z).mul_add(polynomial(z, &double::TANH), tail);
        // tanh(a) = (A + B t) / (B + A t) for A, B = 2^k -+ 1, both exact, and t = tanh(u + tail). For k = 1 and t above
        // -1/6 the numerator is not below 1/2: there and everywhere the errors of both sums come out exactly.
        let scale = f64::power_of_two(k, 0);
        let (less, more) = (scale - 1.0, scale + 1.0);
        let numerator = more.mul_add(t, less);
        let denominator = less.mul_add(t, more);
        let numerator_error = more.mul_add(t, less - numerator);
        let denominator_error = less.mul_add(t, more - denominator);
        let inverse = 1.0 / denominator;
        let q = numerator * inverse;
        let missing = (-q).mul_add(denominator_error, (-q).mul_add(denominator, numerator) + numerator_error);
        missing.mul_add(inverse, q).copysign(x)
    }
}

impl ElementaryFunction<f32> for Tanh {
    /// A series up to 0.8, and `1 - 2 / (exp(2a) + 1)` above, where the errors of the exponential count little.
    #[inline(always)]
    fn fast(x: f32) -> f32 {
        let size = x.abs();
        let z = size * size;
        let near = (size * z).mul_add(polynomial(z, &single::TANH), size);
        // a = k ln(2) / 2 + r.
        let a = if size > 10.0 { 10.0 } else { size };
        let (n, k) = a.nearest(2.0 * f32::LOG2_E.0);
        let r = (-n).mul_add(0.5 * f32::LN_2.1, (-n).mul_add(0.5 * f32::LN_2.0, a));
        let exp = polynomial(r, &single::EXP_DOUBLE);
        let far = (1.0 / exp.mul_add(f32::power_of_two(k, 0), 1.0)).mul_add(-2.0, 1.0);
        (if size > 0.8 { far } else { near }).copysign(x)
    }
}
