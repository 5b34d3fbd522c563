//! The error function, its complement and inverses, and the normal distribution.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

/// What the constant of ERFCX lost by its rounding.
const ERFCX_LOW: f64 = 4.483959243452834e-17;
const SQRT_HALF: f64 = 0.7071067811865476;
const SQRT_HALF_LOW: f64 = -4.833646656726457e-17;
const SQRT_2: f64 = 1.4142135623730951;
/// What takes -log(1 - x^2) from zero to log(64) to two.
const ERFINV_SCALE: f64 = 0.4808983469629878;

functions! {
    /// exp(x^2) erfc(x) for x from zero on.
    fn erfcx_positive(x: f64) -> f64 {
        if x > 1e15 {
            return 0.5641895835477563 / x;
        }
        let value = horner((x - 3.75) / (x + 3.75), &ERFCX);
        // The quotient by x + 1, the sum not rounded, nor the constant of the polynomial.
        let sum = x + 1.0;
        let part = sum - x;
        let error = (x - (sum - part)) + (1.0 - part);
        let inverse = 1.0 / sum;
        let quotient = value * inverse;
        return fma((fma(-quotient, sum, value) + ERFCX_LOW) - quotient * error, inverse, quotient);
    }

    /// exp(-x^2), the square not rounded.
    fn exp_minus_square(x: f64) -> f64 {
        let square = x * x;
        let value = exp(-square);
        return if square > 800.0 { 0.0 } else { fma(-fma(x, x, -square), value, value) };
    }

    /// The error function.
    fn erf(x: f64) -> f64 {
        let a = abs(x);
        if a < 1.0 {
            return x * horner(fma(2.0 * x, x, -1.0), &ERF);
        }
        // Beyond 6 it is one; what is taken from one may be short of some digits.
        let b = if a > 6.0 { 6.0 } else { a };
        return copysign(1.0 - exp(-fma(b, b, poly((b - 3.5) * 0.4, &ERFC_LOG))), x);
    }

    /// One less the error function.
    fn erfc(x: f64) -> f64 {
        if x > -1.0 && x <= 0.5 {
            return 1.0 - x * poly(fma(2.0 * x, x, -1.0), &ERF);
        }
        let a = if abs(x) > 28.0 { 28.0 } else { abs(x) };
        let tail = exp_minus_square(a) * erfcx_positive(a);
        return if x < 0.0 { 2.0 - tail } else { tail };
    }

    /// exp(x^2) erfc(x).
    fn erfcx(x: f64) -> f64 {
        if x >= 0.0 || is_nan(x) {
            return erfcx_positive(x);
        }
        if x < -26.7 {
            return INF;
        }
        let square = x * x;
        let value = 2.0 * exp(square);
        return if value == INF { value } else { fma(fma(x, x, -square), value, value) - erfcx_positive(-x) };
    }

    /// The distribution function of the normal distribution.
    fn ndtr(x: f64) -> f64 {
        if abs(x) < 0.5 {
            let y = x * SQRT_HALF;
            return 0.5 + 0.5 * (y * poly(fma(x, x, -1.0), &ERF));
        }
        let tail = normal_tail(abs(x));
        return if x > 0.0 { 1.0 - tail } else { tail };
    }

    /// The normal distribution's chance of more than x, for x above zero.
    fn normal_tail(x: f64) -> f64 {
        if x > 39.0 {
            return 0.0;
        }
        let square = x * x;
        let value = exp(-0.5 * square);
        let z = x * SQRT_HALF;
        let z_low = fma(x, SQRT_HALF, -z) + x * SQRT_HALF_LOW;
        let scaled = erfcx_positive(z);
        let product = 0.5 * (value * scaled);
        // Derivatives: of the exponential by the square's error, of erfcx by the product's.
        let shift = 2.0 * fma(z, scaled, -0.5641895835477563) * z_low;
        return fma(product, -0.5 * fma(x, x, -square), product) + 0.5 * value * shift;
    }

    /// The logarithm of the normal distribution function.
    fn log_ndtr(x: f64) -> f64 {
        if x > -1.0 {
            let t = if x > 0.0 { normal_tail(x) } else { 0.5 * erfc(x * SQRT_HALF) };
            return if x > 5.0 { -fma(t * t, fma(t, 0.3333333333333333, 0.5), t) } else { log1p(-t) };
        }
        return log(0.5 * erfcx_positive(-x * SQRT_HALF)) - 0.5 * x * x;
    }

    /// The inverse of erfc for a q from zero to 1/126.
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

    /// The inverse of erf over x, for 1 - x^2 from 1/64 to one.
    fn erfinv_over(rest: f64) -> f64 {
        let w = -log(rest);
        return fma(w, poly(fma(w, ERFINV_SCALE, -1.0), &ERFINV), 0.886226925452758);
    }

    /// The inverse of erf.
    fn erfinv(x: f64) -> f64 {
        let rest = (1.0 - x) * (1.0 + x);
        if rest > 0.015625 {
            return x * erfinv_over(rest);
        }
        return if is_nan(x) { x } else { copysign_or_nan(erfcinv_tail(1.0 - abs(x)), x) };
    }

    /// A magnitude with a sign; what is not a number stays so.
    fn copysign_or_nan(magnitude: f64, sign: f64) -> f64 {
        return if is_nan(magnitude) { magnitude } else { copysign(magnitude, sign) };
    }

    /// The inverse of erfc.
    fn erfcinv(x: f64) -> f64 {
        let rest = x * (2.0 - x);
        if rest > 0.015625 {
            return -((x - 1.0) * erfinv_over(rest));
        }
        if x < 1.0 {
            return erfcinv_tail(x);
        }
        return if is_nan(x) { x } else { -erfcinv_tail(2.0 - x) };
    }

    /// The inverse of the normal distribution function.
    fn ndtri(p: f64) -> f64 {
        let rest = 4.0 * p * (1.0 - p);
        if rest > 0.015625 {
            let x = 2.0 * p - 1.0;
            let scaled = SQRT_2 * x;
            let value = erfinv_over(rest);
            return fma(scaled, value, fma(SQRT_2, x, -scaled) * value);
        }
        if is_nan(p) {
            return p;
        }
        let tail = SQRT_2 * erfcinv_tail(2.0 * (if p < 0.5 { p } else { 1.0 - p }));
        return if p < 0.5 { -tail } else { tail };
    }
}

lanes! {
    erf(a);
    erfc(a);
    erfcx(a);
    erfinv(a);
    erfcinv(a);
    ndtr(a);
    log_ndtr(a);
    ndtri(a);
}
