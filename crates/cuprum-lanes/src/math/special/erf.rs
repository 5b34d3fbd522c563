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
            return x * poly(fma(2.0 * x, x, -1.0), &ERF);
        }
        if a > 6.0 {
            return if is_nan(x) { x } else { copysign(1.0, x) };
        }
        return copysign(1.0 - exp_minus_square(a) * erfcx_positive(a), x);
    }

    /// One less the error function.
    fn erfc(x: f64) -> f64 {
        if x > 0.5 {
            if x > 28.0 {
                return 0.0;
            }
            return exp_minus_square(x) * erfcx_positive(x);
        }
        if x > -1.0 {
            return 1.0 - x * poly(fma(2.0 * x, x, -1.0), &ERF);
        }
        if x < -6.0 {
            return 2.0;
        }
        return 2.0 - exp_minus_square(x) * erfcx_positive(-x);
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
        if x > -0.5 {
            if x < 0.5 {
                let y = x * SQRT_HALF;
                return 0.5 + 0.5 * (y * poly(fma(x, x, -1.0), &ERF));
            }
            return 1.0 - normal_tail(x);
        }
        return normal_tail(-x);
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
        if x > 5.0 {
            let t = normal_tail(x);
            return -fma(t * t, fma(t, 0.3333333333333333, 0.5), t);
        }
        if x > -1.0 {
            let tail = if x > 0.0 { normal_tail(x) } else { 0.5 * erfc(x * SQRT_HALF) };
            return log1p(-tail);
        }
        return log(0.5 * erfcx_positive(-x * SQRT_HALF)) - 0.5 * x * x;
    }

    /// The inverse of erfc for a q from zero to 1/4.
    fn erfcinv_tail(q: f64) -> f64 {
        if q <= 0.0 {
            return if q == 0.0 { INF } else { NAN };
        }
        let r = sqrt(-log(q));
        if r < 2.25 {
            return r * poly(fma(r, 1.7777777777777777, -3.0), &ERFCINV_1);
        }
        if r < 5.0 {
            return r * poly((r - 3.625) / 1.375, &ERFCINV_2);
        }
        if r < 12.0 {
            return r * poly((r - 8.5) / 3.5, &ERFCINV_3);
        }
        return r * poly((r - 20.0) * 0.125, &ERFCINV_4);
    }

    /// The inverse of erf for |x| up to 3/4.
    fn erfinv_near(x: f64) -> f64 {
        return x * poly(fma(x * x, 3.5555555555555554, -1.0), &ERFINV);
    }

    /// The inverse of erf.
    fn erfinv(x: f64) -> f64 {
        let a = abs(x);
        if a <= 0.75 {
            return erfinv_near(x);
        }
        return if is_nan(x) { x } else { copysign_or_nan(erfcinv_tail(1.0 - a), x) };
    }

    /// A magnitude with a sign; what is not a number stays so.
    fn copysign_or_nan(magnitude: f64, sign: f64) -> f64 {
        return if is_nan(magnitude) { magnitude } else { copysign(magnitude, sign) };
    }

    /// The inverse of erfc.
    fn erfcinv(x: f64) -> f64 {
        if x < 0.25 {
            return erfcinv_tail(x);
        }
        if x <= 1.75 {
            return -erfinv_near(x - 1.0);
        }
        return if is_nan(x) { x } else { -erfcinv_tail(2.0 - x) };
    }

    /// The inverse of the normal distribution function.
    fn ndtri(p: f64) -> f64 {
        if p < 0.125 {
            return -SQRT_2 * erfcinv_tail(2.0 * p);
        }
        if p <= 0.875 {
            return SQRT_2 * erfinv_near(2.0 * p - 1.0);
        }
        return if is_nan(p) { p } else { SQRT_2 * erfcinv_tail(2.0 * (1.0 - p)) };
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
