//! Inverse hyperbolic sine, cosine and tangent.

use super::log::{log1p_of_sum, log1p_or_log};
use super::real::{Real, fast_two_sum, polynomial};
use super::{Arccosh, Arcsinh, Arctanh, ElementaryFunction};

/// `log(1 + z + z_tail)`, or `log(2 x)` where `x` is so large that the two agree.
#[inline(always)]
fn log1p_or_double<T: Real>(z: T, z_tail: T, x: T) -> T {
    let value = log1p_or_log(z, z_tail, x, T::ONE);
    if x < T::INFINITY { value } else { x }
}

/// `asinh(a) = log1p(z + z_tail)` with `z = a + (sqrt(1 + a^2) - 1)`.
#[inline(always)]
fn arcsinh_parts<T: Real>(a: T) -> (T, T) {
    let square = a * a;
    fast_two_sum(a, square / (T::ONE + (square + T::ONE).sqrt()))
}

impl<T: Real> ElementaryFunction<T> for Arcsinh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (z, z_tail) = arcsinh_parts(x.abs());
        log1p_of_sum(z, z_tail).copysign(x)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.abs().is_from_to(T::ZERO, T::LARGE)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let (z, z_tail) = arcsinh_parts(x.abs());
        log1p_or_double(z, z_tail, x.abs()).copysign(x)
    }
}

/// `acosh(x) = log1p(z + z_tail)` with `z = (x - 1) + sqrt(x^2 - 1)`.
#[inline(always)]
fn arccosh_parts<T: Real>(x: T) -> (T, T) {
    let t = x - T::ONE;
    let t_error = (x - t) - T::ONE;
    let (z, z_error) = fast_two_sum(x.fma(x, -T::ONE).sqrt(), t);
    (z, z_error + t_error)
}

impl<T: Real> ElementaryFunction<T> for Arccosh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (z, z_tail) = arccosh_parts(x);
        log1p_of_sum(z, z_tail)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.is_from_to(T::ONE, T::LARGE)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let (z, z_tail) = arccosh_parts(x);
        let value = log1p_or_double(z, z_tail, x);
        if x < T::ONE { T::NAN } else { value }
    }
}

impl<T: Real> ElementaryFunction<T> for Arctanh {
    #[inline(always)]
    fn fast(x: T) -> T {
        let a = x.abs();
        // (1 + a) / (1 - a) = m / g for a power of two g; then atanh(a) = atanh((m - 1) / (m + 1)) - log(g) / 2.
        let (sum, difference) = (T::ONE + a, T::ONE - a);
        let (g, k) = sum.inverse_ratio_power(difference);
        // Near one the difference is exact, while 1 + g would not be; elsewhere it is the other way round.
        let near_one = difference < T::QUARTER;
        let numerator = if near_one { g.fma(sum, -difference) } else { a.fma(T::ONE + g, g - T::ONE) };
        let denominator = if near_one { g.fma(sum, difference) } else { a.fma(g - T::ONE, T::ONE + g) };
        let inverse = T::ONE / denominator;
        let s = numerator * inverse;
        let remainder = (-s).fma(denominator, numerator);
        let z = s * s;
        let half_k = T::HALF * k;
        let low = remainder.fma(inverse, half_k * T::LN_2.1);
        let tail = (s * z).fma(polynomial(z, T::ATANH), low);
        let (high, error) = fast_two_sum(half_k * T::LN_2.0, s);
        let value = (high + (error + tail)).copysign(x);
        let edge = if a == T::ONE { T::INFINITY.copysign(x) } else { T::NAN };
        if a < T::ONE { value } else { edge }
    }
}
