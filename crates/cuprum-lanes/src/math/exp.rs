//! Exponentials: `exp`, `exp2`, `expm1`, and the reduction of their argument that the hyperbolic functions share.

use super::real::{Real, fast_two_sum, polynomial};
use super::{ElementaryFunction, Exp, Exp2, Expm1};

/// `min(x, upper)` and `max(x, lower)` in the form that keeps a NaN and compiles to one instruction each.
#[inline(always)]
pub(super) fn clamp<T: Real>(x: T, (upper, lower): (T, T)) -> T {
    let x = if x > upper { upper } else { x };
    if x < lower { lower } else { x }
}

/// `x = k * ln(2) + r + tail` with `|r| <= ln(2) / 2`; returns `(k, r, tail)`.
#[inline(always)]
pub(super) fn reduce<T: Real>(x: T) -> (T::Bits, T, T) {
    let (n, k) = x.nearest(T::LOG2_E.0);
    // The first part of ln(2) is short enough for this difference to be exact.
    let high = (-n).fma(T::LN_2.0, x);
    let r = (-n).fma(T::LN_2.1, high);
    let tail = (-n).fma(T::LN_2.1, high - r);
    (k, r, tail)
}

/// `exp(r + tail)` for a reduced argument.
#[inline(always)]
fn exp_reduced<T: Real>(r: T, tail: T) -> T {
    T::ONE + (r + (r * r).fma(polynomial(r, T::EXP), tail))
}

/// `exp(r + tail)` for a reduced argument, as a value and what its rounding lost. The tail may be some units in the
/// last place of `r`: its product with the value is not left out.
#[inline(always)]
fn exp_reduced_parts<T: Real>(r: T, tail: T) -> (T, T) {
    let (high, low) = fast_two_sum(r, r * r * polynomial(r, T::EXP));
    let (sum, error) = fast_two_sum(T::ONE, high);
    (sum, tail.fma(sum, error + low))
}

/// `exp(x + error)`, for a small error, as a value and what its rounding lost.
#[inline(always)]
pub(super) fn exp_parts<T: Real>(x: T, error: T) -> (T, T) {
    let (k, r, tail) = reduce(clamp(x, T::EXP_LIMITS));
    let (high, low) = exp_reduced_parts(r, tail + error);
    (high.scale(k), low.scale(k))
}

/// The same for `exp2`.
#[inline(always)]
pub(super) fn exp2_parts<T: Real>(x: T, error: T) -> (T, T) {
    let x = clamp(x, T::EXP2_LIMITS);
    let (n, k) = x.nearest(T::ONE);
    let fraction = x - n;
    let r = fraction * T::LN_2_FULL.0;
    let tail = fraction.fma(T::LN_2_FULL.1, fraction.fma(T::LN_2_FULL.0, -r));
    let (high, low) = exp_reduced_parts(r, error.fma(T::LN_2_FULL.0, tail));
    (high.scale(k), low.scale(k))
}

/// `e^x` for an `x` between its limits.
#[inline(always)]
pub(super) fn plain_exp(x: f64) -> f64 {
    let (k, r, tail) = reduce(x);
    exp_reduced(r, tail).scale(k)
}

/// `exp(x + low)` for an `x` from -800 to 800 and a `low` up to some of its units in the last place.
#[inline(always)]
pub(super) fn exp_sum(x: f64, low: f64) -> f64 {
    let (n, k) = x.nearest(f64::LOG2_E.0);
    let r = (-n).mul_add(f64::LN_2.0, x) + (-n).mul_add(f64::LN_2.1, low);
    r.mul_add(r.mul_add(polynomial(r, f64::EXP), 1.0), 1.0).scale(k)
}

/// `e^x` for an `x` from -700 to 700, with an error of some 1e-16 and `|x|` times 1e-16 more: for what is added to something larger.
#[inline(always)]
pub(super) fn quick_exp(x: f64) -> f64 {
    let (n, k) = x.nearest(f64::LOG2_E.0);
    let r = (-n).mul_add(f64::LN_2_FULL.0, x);
    let value = r.mul_add(r.mul_add(polynomial(r, f64::EXP), 1.0), 1.0);
    f64::from_bits(value.to_bits().wrapping_add(k << 52))
}

impl<T: Real> ElementaryFunction<T> for Exp {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (k, r, tail) = reduce(clamp(x, T::EXP_LIMITS));
        exp_reduced(r, tail).scale(k)
    }
}

/// `x` as `(value, k)`: `2^x = value * 2^k`.
#[inline(always)]
fn exp2_apart<T: Real>(x: T) -> (T, T::Bits) {
    let (n, k) = x.nearest(T::ONE);
    let fraction = x - n;
    (fraction.fma(polynomial(fraction, T::EXP2), T::ONE), k)
}

impl<T: Real> ElementaryFunction<T> for Exp2 {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (value, k) = exp2_apart(x);
        value.scale_normal(k)
    }
    /// Where the power may not be normal.
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.abs().is_from_to(T::ZERO, T::EXP2_NORMAL)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let (value, k) = exp2_apart(clamp(x, T::EXP2_LIMITS));
        value.scale(k)
    }
}

/// `expm1(x) / 2` as an unevaluated sum, but for the rounding error of the difference `scale - 1/2`; returns the
/// sum and that scale, `2^k / 2`. The halves keep it finite up to the overflow of `expm1`.
#[inline(always)]
pub(super) fn half_expm1<T: Real>(x: T) -> (T, T, T) {
    let (k, r, tail) = reduce(x);
    let scale = T::power_of_two(k, 1);
    let rest = (r * r).fma(polynomial(r, T::EXPM1), r.fma(tail, tail));
    let (sum, error) = fast_two_sum(scale - T::HALF, scale * r);
    (sum, scale.fma(rest, error), scale)
}

impl<T: Real> ElementaryFunction<T> for Expm1 {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (sum, rest, scale) = half_expm1(clamp(x, (T::EXP_LIMITS.0, -T::SATURATION)));
        let (_, error) = fast_two_sum(scale, -T::HALF);
        let value = T::TWO * (sum + (rest + error));
        // The half of a subnormal number would not be exact, and the reduction loses the sign of a zero.
        if x.abs() < T::TINY { x } else { value }
    }
}
