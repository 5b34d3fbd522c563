//! The error function, its complement and inverses, and the normal distribution.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const SQRT_HALF: f64 = 0.7071067811865476;
const SQRT_2: f64 = 1.4142135623730951;
/// The least of 1 - x^2 at which -log(1 - x^2) is up to 6.25.
const ERFINV_LEAST: f64 = 0.0019304541362277093;

plain_functions! {
    /// exp(x^2) erfc(x) for x from zero to 1e15, and what part of it is to be added.
    fn erfcx_parts(x: f64) -> (f64, f64) {
        let sum = x + 4.0;
        let inverse = plain_inverse(sum);
        // (x - 4) / (x + 4), the sums not rounded.
        let near = fma(-8.0, inverse, 1.0);
        let t = fma(fma(-4.0, near + 1.0, fma(-near, x, x)), inverse, near);
        let error = fma((sum - 4.0) - x, inverse, fma(-inverse, sum, 1.0));
        return (horner(t, &ERFCX) * inverse, error);
    }

    /// exp(x^2) erfc(x) for x from zero to 1e15.
    fn erfcx_positive(x: f64) -> f64 {
        let (value, error) = erfcx_parts(x);
        return fma(value, error, value);
    }

    /// The normal distribution's chance of more than x, times exp(x^2/2), for x from zero to 1e15, likewise.
    fn normal_parts(x: f64) -> (f64, f64) {
        let sum = x + 6.0;
        let inverse = plain_inverse(sum);
        let near = fma(-12.0, inverse, 1.0);
        let t = fma(fma(-6.0, near + 1.0, fma(-near, x, x)), inverse, near);
        let error = fma((sum - 6.0) - x, inverse, fma(-inverse, sum, 1.0));
        return (horner(t, &NORMAL_TAIL) * inverse, error);
    }

    /// exp(-x^2), the square not rounded, for x from zero to 28.
    fn exp_minus_square_near(x: f64) -> f64 {
        let square = x * x;
        return exp_sum(-square, -fma(x, x, -square));
    }

    /// No argument of functions without branches.
    fn never(_x: f64) -> bool {
        return false;
    }

    /// The error function.
    fn erf(x: f64) -> f64 {
        let a = abs(x);
        let near = x * horner(x * x, &ERF);
        // Beyond 5.93 it is one; what is taken from one may be short of some digits.
        let b = if a > 5.93 { 5.93 } else { a };
        let far = copysign(1.0 - quick_exp(-horner(b, &ERFC_LOG)), x);
        return if a < 1.25 { near } else { far };
    }

    /// One less the error function.
    fn erfc(x: f64) -> f64 {
        let a = if abs(x) > 28.0 { 28.0 } else { abs(x) };
        let square = a * a;
        let (scaled, error) = erfcx_parts(a);
        let tail = exp_sum(-square, error - fma(a, a, -square)) * scaled;
        return if x < 0.0 { 2.0 - tail } else { tail };
    }

    /// The distribution function of the normal distribution.
    fn ndtr(x: f64) -> f64 {
        let tail = normal_tail(abs(x));
        return if x > 0.0 { 1.0 - tail } else { tail };
    }

    /// The normal distribution's chance of more than x, for x from zero on.
    fn normal_tail(x: f64) -> f64 {
        let a = if x > 39.0 { 39.0 } else { x };
        let square = a * a;
        let (scaled, error) = normal_parts(a);
        return exp_sum(-0.5 * square, fma(-0.5, fma(a, a, -square), error)) * scaled;
    }

    /// The logarithm of the normal distribution function from -1e15 to 37. One logarithm serves all.
    fn plain_log_ndtr(x: f64) -> f64 {
        let a = abs(x);
        let b = if a > 39.0 { 39.0 } else { a };
        let square = b * b;
        let (scaled, error) = normal_parts(a);
        let factor = exp_sum(-0.5 * square, fma(-0.5, fma(b, b, -square), error));
        let tail = factor * scaled;
        let tail_low = fma(factor, scaled, -tail);
        let rest = 1.0 - tail;
        let logged = if x < -1.0 { scaled } else if x < 0.0 { tail } else { rest };
        let lost = plain_quotient(if x < 0.0 { tail_low } else { ((1.0 - rest) - tail) - tail_low }, logged);
        let value = plain_log_rest(logged, if x < -1.0 { error } else { lost });
        return if x < -1.0 { fma(-0.5 * x, x, value) } else { value };
    }

    /// Whether log_ndtr takes another way.
    fn log_ndtr_is_rare(x: f64) -> bool {
        return !(x > -1e15 && x < 37.0);
    }

    /// The inverse of erf over x, for 1 - x^2 from 0.00194 to one.
    fn erfinv_over(rest: f64) -> f64 {
        let w = -quick_log(rest);
        return fma(w, even_odd(fma(w, 0.32, -1.0), &ERFINV), 0.886226925452758);
    }

    /// The inverse of erf, but near one.
    fn plain_erfinv(x: f64) -> f64 {
        return x * erfinv_over((1.0 - x) * (1.0 + x));
    }

    /// Whether erfinv takes its argument for near one, or none.
    fn erfinv_is_rare(x: f64) -> bool {
        return !((1.0 - x) * (1.0 + x) > ERFINV_LEAST);
    }

    /// The inverse of erfc, but near zero and two.
    fn plain_erfcinv(x: f64) -> f64 {
        return -((x - 1.0) * erfinv_over(x * (2.0 - x)));
    }

    /// Whether erfcinv takes its argument for near zero or two, or none.
    fn erfcinv_is_rare(x: f64) -> bool {
        return !(x * (2.0 - x) > ERFINV_LEAST);
    }

    /// The inverse of the normal distribution function, but near zero and one.
    fn plain_ndtri(p: f64) -> f64 {
        let x = 2.0 * p - 1.0;
        let scaled = SQRT_2 * x;
        let value = erfinv_over(4.0 * p * (1.0 - p));
        return fma(scaled, value, fma(SQRT_2, x, -scaled) * value);
    }

    /// Whether ndtri takes its argument for near zero or one, or none.
    fn ndtri_is_rare(p: f64) -> bool {
        return !(4.0 * p * (1.0 - p) > ERFINV_LEAST);
    }
}

functions! {
    /// exp(-x^2), the square not rounded.
    fn exp_minus_square(x: f64) -> f64 {
        return if abs(x) > 28.0 { 0.0 } else { exp_minus_square_near(x) };
    }

    /// exp(x^2) erfc(x).
    fn erfcx(x: f64) -> f64 {
        if x > 1e15 {
            return 0.5641895835477563 / x;
        }
        let value = erfcx_positive(abs(x));
        if x < 0.0 {
            if x < -26.7 {
                return INF;
            }
            let square = x * x;
            return 2.0 * exp_sum(square, fma(x, x, -square)) - value;
        }
        return value;
    }

    /// The logarithm of the normal distribution function.
    fn log_ndtr(x: f64) -> f64 {
        if log_ndtr_is_rare(x) {
            return if x > 0.0 { -normal_tail(x) } else { -0.5 * x * x };
        }
        return plain_log_ndtr(x);
    }

    /// The inverse of erfc for a q from zero to 1/1000.
    fn erfcinv_tail(q: f64) -> f64 {
        if q <= 0.0 {
            return if q == 0.0 { INF } else { NAN };
        }
        let r = sqrt(-log(q));
        if r < 5.0 {
            return r * poly((r - 3.5625) * 0.6956521739130435, &ERFCINV_2);
        }
        if r < 12.0 {
            return r * poly((r - 8.5) * 0.2857142857142857, &ERFCINV_3);
        }
        return r * poly((r - 20.0) * 0.125, &ERFCINV_4);
    }

    /// The inverse of erf.
    fn erfinv(x: f64) -> f64 {
        if erfinv_is_rare(x) {
            return if is_nan(x) { x } else { copysign_or_nan(erfcinv_tail(1.0 - abs(x)), x) };
        }
        return plain_erfinv(x);
    }

    /// A magnitude with a sign; what is not a number stays so.
    fn copysign_or_nan(magnitude: f64, sign: f64) -> f64 {
        return if is_nan(magnitude) { magnitude } else { copysign(magnitude, sign) };
    }

    /// The inverse of erfc.
    fn erfcinv(x: f64) -> f64 {
        if erfcinv_is_rare(x) {
            if x < 1.0 {
                return erfcinv_tail(x);
            }
            return if is_nan(x) { x } else { -erfcinv_tail(2.0 - x) };
        }
        return plain_erfcinv(x);
    }

    /// The inverse of the normal distribution function.
    fn ndtri(p: f64) -> f64 {
        if ndtri_is_rare(p) {
            if is_nan(p) {
                return p;
            }
            let tail = SQRT_2 * erfcinv_tail(2.0 * (if p < 0.5 { p } else { 1.0 - p }));
            return if p < 0.5 { -tail } else { tail };
        }
        return plain_ndtri(p);
    }
}

lanes! {
    erf(a) by erf unless never;
    erfc(a) by erfc unless never;
    erfcx(a);
    erfinv(a) by plain_erfinv unless erfinv_is_rare;
    erfcinv(a) by plain_erfcinv unless erfcinv_is_rare;
    ndtr(a) by ndtr unless never;
    log_ndtr(a) by plain_log_ndtr unless log_ndtr_is_rare;
    ndtri(a) by plain_ndtri unless ndtri_is_rare;
}
