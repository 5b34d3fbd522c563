//! Logarithms: `log`, `log2`, `log10`, `log1p`, and the kernels that the inverse hyperbolic functions and
//! `logaddexp` share.

use super::coefficients::single;
use super::real::{Real, polynomial, two_sum};
use super::{ElementaryFunction, Log, Log1p, Log2, Log10};

/// The values of a logarithm where it is not a finite number; `value` elsewhere.
#[inline(always)]
fn with_edges<T: Real>(x: T, value: T) -> T {
    let value = if x == T::INFINITY { x } else { value };
    let outside = if x == T::ZERO { -T::INFINITY } else { T::NAN };
    if x > T::ZERO { value } else { outside }
}

/// Whether a logarithm is asked for of anything but a positive, finite and normal number.
#[inline(always)]
fn is_unusual<T: Real>(x: T) -> bool {
    !x.is_from_to(T::MIN_POSITIVE, T::INFINITY)
}

/// `log(1 + f) - f` for `|f|` below `sqrt(2) - 1`, plus `addend`.
///
/// With `s = f / (2 + f)`, `log(1 + f) = 2 atanh(s)`, and `2s = f - s*f`: the series in `s*s` is then only a
/// correction to `f - f*f/2`, whose square need not be rounded.
#[inline(always)]
pub(super) fn tail<T: Real>(f: T, addend: T) -> T {
    let half = T::HALF * f;
    let s = f / (T::TWO + f);
    let z = s * s;
    (-half).fma(f, s.fma(z.fma(polynomial(z, T::LOG), half * f), addend))
}

/// `k * ln(2) + log(1 + f + f_tail)`, where `f_tail` is at most the rounding error of `f`.
#[inline(always)]
fn combine<T: Real>(k: T, f: T, f_tail: T) -> T {
    k.fma(T::LN_2_FULL.0, f + tail(f, k.fma(T::LN_2_FULL.1, f_tail)))
}

impl<T: Real> ElementaryFunction<T> for Log {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (m, k) = x.split_normal();
        combine(k, m - T::ONE, T::ZERO)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        is_unusual(x)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let (m, k) = x.split();
        with_edges(x, combine(k, m - T::ONE, T::ZERO))
    }
}

/// `log(x)` of a positive, finite and normal `x`.
#[inline(always)]
pub(super) fn plain_log(x: f64) -> f64 {
    plain_log_rest(x, 0.0)
}

/// `log(x) + rest` of a positive, finite and normal `x` and a rest as small as the rounding error of `x`.
#[inline(always)]
pub(super) fn plain_log_rest(x: f64, rest: f64) -> f64 {
    let (m, k) = x.split_normal();
    combine(k, m - 1.0, rest)
}

/// `log(x)` of a positive, finite and normal `x`, with an error of some units in the last place of one or of the result: for what is
/// added to something larger.
#[inline(always)]
pub(super) fn quick_log(x: f64) -> f64 {
    let (m, k) = x.split_normal();
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    k.mul_add(f64::LN_2_FULL.0, (s * z).mul_add(polynomial(z, f64::LOG), s + s))
}

/// `log(x) + addend` of a positive, finite and normal `x`, for an addend that is a small whole number: rounded last where
/// most of the logarithm is lost beside it.
#[inline(always)]
pub(super) fn plain_log_plus(x: f64, addend: f64) -> f64 {
    let (m, k) = x.split_normal();
    let f = m - 1.0;
    k.mul_add(f64::LN_2.0, addend) + (f + tail(f, k * f64::LN_2.1))
}

/// For `x = m * 2^k`, `scale * log(x) = k * scale * ln(2) + scale * log(m)` for a scale and its product with `ln(2)` in two parts.
#[inline(always)]
fn scaled_log((m, k): (f64, f64), scale: (f64, f64), scaled_ln_2: (f64, f64)) -> f64 {
    let f = m - 1.0;
    let low = tail(f, 0.0).mul_add(scale.0, f.mul_add(scale.1, k * scaled_ln_2.1));
    // The sum with k is exact where the logarithm of m cancels most of it.
    k.mul_add(scaled_ln_2.0, f.mul_add(scale.0, low))
}

/// `log2(m) + k` in `f32`, by a polynomial of `m - 1`: shorter than a division.
#[inline(always)]
fn short_log2((m, k): (f32, f32)) -> f32 {
    let f = m - 1.0;
    let low = f * f.mul_add(polynomial(f, &single::LOG2_TAIL), f32::LOG2_E.1);
    f.mul_add(f32::LOG2_E.0, low) + k
}

/// The same to base 10.
#[inline(always)]
fn short_log10((m, k): (f32, f32)) -> f32 {
    let f = m - 1.0;
    let slope = f.mul_add(polynomial(f, &single::LOG10_TAIL), f32::LOG10_E.1);
    let low = f.mul_add(slope, k * f32::LOG10_2.1);
    k.mul_add(f32::LOG10_2.0, f.mul_add(f32::LOG10_E.0, low))
}

#[inline(always)]
fn long_log2(parts: (f64, f64)) -> f64 {
    scaled_log(parts, f64::LOG2_E, (1.0, 0.0))
}

#[inline(always)]
fn long_log10(parts: (f64, f64)) -> f64 {
    scaled_log(parts, f64::LOG10_E, f64::LOG10_2)
}

/// A logarithm from the parts of its argument. `of_parts!(Log2, f32, short_log2)` expands to
/// `impl ElementaryFunction<f32> for Log2`, whose `fast` is `short_log2(x.split_normal())`.
macro_rules! of_parts {
    ($function:ident, $float:ident, $log:ident) => {
        impl ElementaryFunction<$float> for $function {
            #[inline(always)]
            fn fast(x: $float) -> $float {
                $log(x.split_normal())
            }
            #[inline(always)]
            fn rare(x: $float) -> bool {
                is_unusual(x)
            }
            #[inline(always)]
            fn slow(x: $float) -> $float {
                with_edges(x, $log(x.split()))
            }
        }
    };
}

of_parts!(Log2, f32, short_log2);
of_parts!(Log2, f64, long_log2);
of_parts!(Log10, f32, short_log10);
of_parts!(Log10, f64, long_log10);

/// `log1p(z + z_tail)`, or, where `x` is so large that only its logarithm counts, `log(x) + more * ln(2)`.
///
/// `z` is above -1, and `z_tail` at most its rounding error.
#[inline(always)]
pub(super) fn log1p_or_log<T: Real>(z: T, z_tail: T, x: T, more: T) -> T {
    let large = x > T::LARGE;
    // The quarter keeps the largest floats in reach of `exponent`.
    let z = if large { T::QUARTER * x } else { z };
    let more = if large { more + T::TWO } else { T::ZERO };
    let (k, f, f_tail) = one_plus(z, z_tail);
    let f_tail = if large { T::ZERO } else { f_tail };
    combine(k + more, f, (-f).fma(f_tail, f_tail))
}

/// `1 + z + z_tail = 2^k (1 + f + f_tail)`: the sum with one only serves to find `k`, and a small `z` is kept whole.
#[inline(always)]
fn one_plus<T: Real>(z: T, z_tail: T) -> (T, T, T) {
    let (k, inverse) = (T::ONE + z).exponent();
    let f = z.fma(inverse, inverse - T::ONE);
    (k, f, z_tail.fma(inverse, z.fma(inverse, (inverse - T::ONE) - f)))
}

/// `log1p(z + z_tail)` for a `z` above -1 that is not large.
#[inline(always)]
pub(super) fn log1p_of_sum<T: Real>(z: T, z_tail: T) -> T {
    let (k, f, f_tail) = one_plus(z, z_tail);
    combine(k, f, (-f).fma(f_tail, f_tail))
}

/// `addend + log2(1 + z + z_tail)` for a `z` from zero to one, rounded little more than once.
#[inline(always)]
pub(super) fn add_log2_of_1p<T: Real>(addend: T, z: T, z_tail: T) -> T {
    let (k, f, f_tail) = one_plus(z, z_tail);
    let rest = tail(f, (-f).fma(f_tail, f_tail));
    let product = f * T::LOG2_E.0;
    let lost = f.fma(T::LOG2_E.0, -product);
    let (whole, error) = two_sum(addend, k);
    let (sum, more) = two_sum(whole, product);
    let low = rest.fma(T::LOG2_E.0, f.fma(T::LOG2_E.1, lost)) + (error + more);
    // Infinite addends have no errors.
    if low.abs() <= T::INFINITY { sum + low } else { sum }
}

impl<T: Real> ElementaryFunction<T> for Log1p {
    #[inline(always)]
    fn fast(x: T) -> T {
        // Both have the same sign always; the steps lose that of a zero.
        log1p_of_sum(x, T::ZERO).copysign(x)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !(T::ONE + x).is_from_to(T::MIN_POSITIVE, T::LARGE)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        with_edges(T::ONE + x, log1p_or_log(x, T::ZERO, x, T::ZERO)).copysign(x)
    }
}
