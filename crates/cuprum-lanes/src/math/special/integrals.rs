//! Integrals of elementary functions: exponential, sine, cosine and Fresnel's integrals, Dawson's and the dilogarithm.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const EULER: f64 = 0.5772156649015329;
const PI: f64 = 3.141592653589793;
/// The first zero of the cosine integral in two parts, and what its inverse is more than 1.6220455832492229.
const CI_ZERO: f64 = 0.6165054856207163;
const CI_ZERO_LOW: f64 = -4.209920321433186e-17;
const CI_ZERO_INVERSE_LOW: f64 = -8.354850171457824e-17;

plain_functions! {
    /// The dilogarithm of 1 - x for x from 1e-290 to 1e290.
    fn plain_spence(x: f64) -> f64 {
        let is_far = x > 2.0;
        let z = if is_far { plain_inverse(x) } else { x };
        let is_low = z < 0.5;
        let middle = if is_low { 1.0 - z } else { z };
        let u = -plain_log(middle);
        let square = u * u;
        let near = fma(u * square, poly(square, &SPENCE), fma(-0.25 * u, u, u));
        let logarithm = plain_log(x);
        // The sum of pi^2/6 and a product, less what is near, with what the roundings lose.
        let other = if is_far { -logarithm } else { logarithm };
        let product = other * u;
        let sum = 1.6449340668482264 + product;
        let rest = sum - near;
        let lost = ((1.6449340668482264 - sum) + product) + ((sum - rest) - near);
        let low = rest + (lost + (fma(other, u, -product) + 3.0363e-17));
        return if is_far { -0.5 * logarithm * logarithm - low } else if is_low { low } else { 0.0 + near };
    }

    /// Whether spence takes another way.
    fn spence_is_rare(x: f64) -> bool {
        return !(x > 1e-290 && x < 1e290);
    }

    /// The two parts of the sine and cosine integrals from 4 on, which stand beside cosine and sine.
    fn sici_parts(x: f64) -> (f64, f64) {
        let t = fma(16.0, plain_inverse(x + 4.0), -1.0);
        let inverse = plain_inverse(x);
        return (poly(t, &SICI_F) * inverse, poly(t, &SICI_G) * inverse * inverse);
    }

    /// The sine integral up to 1e5.
    fn plain_si(x: f64) -> f64 {
        let a = abs(x);
        let is_near = a < 4.0;
        let near = x * poly(fma(0.125 * a, a, -1.0), &SI);
        let b = if is_near { 4.0 } else { a };
        let (f, g) = sici_parts(b);
        let far = copysign(1.5707963267948966 - fma(f, plain_cos(b), g * plain_sin(b)), x);
        return if is_near { near } else { far };
    }

    /// The cosine integral of the absolute value, from 1e-290 to 1e5.
    fn plain_ci(x: f64) -> f64 {
        let a = abs(x);
        // With the logarithm of a over the first zero, of which the quotient is not rounded.
        let ratio = a * 1.6220455832492229;
        let lost = fma(a, 1.6220455832492229, -ratio) + a * CI_ZERO_INVERSE_LOW;
        let logarithm = plain_log_rest(ratio, plain_quotient(lost, ratio));
        let first = fma(((a - CI_ZERO) - CI_ZERO_LOW) * (a + CI_ZERO), poly(fma(a * 0.32, a, -1.0), &CI_1), logarithm);
        let second = ((a - 3.3841804225511862) - 1.972125462363411e-16) * poly((a - 3.25) * 1.3333333333333333, &CI_2);
        let b = if a < 4.0 { 4.0 } else { a };
        let (f, g) = sici_parts(b);
        let far = fma(f, plain_sin(b), -g * plain_cos(b));
        return if a < 2.5 { first } else if a < 4.0 { second } else { far };
    }

    /// Whether the sine and cosine integrals take another way.
    fn sici_is_rare(x: f64) -> bool {
        return !(abs(x) > 1e-290 && abs(x) < 1e5);
    }

    /// Sine and cosine of pi x^2 / 2 over pi x, and these over pi x^2, times the two parts of Fresnel's integrals, for x from 1.6 on.
    fn fresnel_parts(x: f64) -> (f64, f64, f64, f64) {
        let square = x * x;
        let t = fma(10.12, plain_inverse(square + 2.5), -1.0);
        let inverse = plain_inverse(x);
        let scale = 0.3183098861837907 * inverse;
        let f = poly(t, &FRESNEL_F) * scale;
        let g = poly(t, &FRESNEL_G) * (scale * scale) * inverse;
        let turn = 0.5 * square;
        let angle = PI * (turn - 2.0 * rint(0.5 * turn));
        let low = 1.5707963267948966 * fma(x, x, -square);
        let s = plain_sin(angle);
        let c = plain_cos(angle);
        return (f, g, fma(low, c, s), fma(-low, s, c));
    }

    /// Fresnel's sine integral up to 1e8.
    fn plain_fresnel_s(x: f64) -> f64 {
        let a = abs(x);
        let is_near = a < 1.6;
        let z = a * a;
        let near = x * z * poly(fma(z * 0.30517578125, z, -1.0), &FRESNEL_S);
        let (f, g, s, c) = fresnel_parts(if is_near { 1.6 } else { a });
        return if is_near { near } else { copysign(0.5 - fma(f, c, g * s), x) };
    }

    /// Fresnel's cosine integral up to 1e8.
    fn plain_fresnel_c(x: f64) -> f64 {
        let a = abs(x);
        let is_near = a < 1.6;
        let z = a * a;
        let near = x * poly(fma(z * 0.30517578125, z, -1.0), &FRESNEL_C);
        let (f, g, s, c) = fresnel_parts(if is_near { 1.6 } else { a });
        return if is_near { near } else { copysign(0.5 + fma(f, s, -g * c), x) };
    }

    /// Whether Fresnel's integrals take another way.
    fn fresnel_is_rare(x: f64) -> bool {
        return !(abs(x) < 1e8);
    }
}

functions! {
    /// x exp(x) E1(x) for x from 1/2 on.
    fn exp1_scaled(x: f64) -> f64 {
        if x < 1.0 {
            return poly(4.0 * x - 3.0, &E1_1);
        }
        if x < 2.0 {
            return poly(2.0 * x - 3.0, &E1_2);
        }
        if x < 5.0 {
            return poly((x - 3.5) / 1.5, &E1_3);
        }
        return poly(10.0 / x - 1.0, &E1_4);
    }

    /// The sum of -(-x)^k / (k k!) over k from one on.
    fn entire_exponential(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        let mut k = 2.0;
        while k < 60.0 {
            term *= -x / k;
            sum += term / k;
            if abs(term) < 1e-18 * abs(sum) {
                break;
            }
            k += 1.0;
        }
        return sum;
    }

    /// The exponential integral E1.
    fn exp1(x: f64) -> f64 {
        if is_nan(x) {
            return x;
        }
        if x <= 0.0 {
            return if x == 0.0 { INF } else { NAN };
        }
        if x < 0.5 {
            return -log(x) + (entire_exponential(x) - EULER);
        }
        return if x > 745.0 { 0.0 } else { exp1_scaled(x) * exp(-x) / x };
    }

    /// x exp(-x) Ei(x) for x from 2 on.
    fn expi_scaled(x: f64) -> f64 {
        if x < 5.0 {
            return poly((x - 3.5) / 1.5, &EI_2);
        }
        if x < 10.0 {
            return poly(0.4 * x - 3.0, &EI_3);
        }
        if x < 20.0 {
            return poly(0.2 * x - 3.0, &EI_4);
        }
        if x < 50.0 {
            return poly((x - 35.0) / 15.0, &EI_5);
        }
        let mut sum = 1.0;
        let mut k = 45.0;
        while k >= 1.0 {
            sum = fma(sum, k / x, 1.0);
            k -= 1.0;
        }
        return sum;
    }

    /// The exponential integral Ei.
    fn expi(x: f64) -> f64 {
        if is_nan(x) || x == INF {
            return x;
        }
        if x <= 0.0 {
            return if x == 0.0 { -INF } else { -exp1(-x) };
        }
        if x < 2.0 {
            let near = (x - 0.3725074107813666) - 1.3140183414386028e-17;
            let logarithm = if abs(near) < 0.1 { log1p(near / 0.3725074107813666) } else { log(x) - log(0.3725074107813666) };
            return fma(near, poly(x - 1.0, &EI_1), logarithm);
        }
        if x > 717.0 {
            return INF;
        }
        if x < 700.0 {
            return exp(x) * expi_scaled(x) / x;
        }
        let half = exp(0.5 * x);
        return half * (expi_scaled(x) / x) * half;
    }

    /// The exponential integral of whole order n.
    fn expn(order: f64, x: f64) -> f64 {
        let n = trunc(order);
        if is_nan(n) || is_nan(x) || n < 0.0 || x < 0.0 || n == INF {
            return NAN;
        }
        if x == INF || x > 745.0 {
            return 0.0;
        }
        if x == 0.0 {
            return if n < 2.0 { INF } else { 1.0 / (n - 1.0) };
        }
        if n == 0.0 {
            return exp(-x) / x;
        }
        if n == 1.0 {
            return exp1(x);
        }
        if x > 1.0 || n > 5000.0 {
            // The continued fraction, from its end.
            let mut tail = 0.0;
            let mut i = rint(25.0 + 90.0 / (x + 0.1 * n));
            while i >= 1.0 {
                tail = i * (n - 1.0 + i) / (x + n + 2.0 * i - tail);
                i -= 1.0;
            }
            let h = 1.0 / (x + n - tail);
            return h * exp(-x);
        }
        // The series, whose term of order n - 1 has a logarithm in it.
        let before = n - 1.0;
        let mut sum = 1.0 / before;
        let mut factor = 1.0;
        let mut i = 1.0;
        while i < 10000.0 {
            factor *= -x / i;
            let mut term = 0.0;
            if i == before {
                term = factor * (psi(n) - log(x));
            } else {
                term = -factor / (i - before);
            }
            sum += term;
            if abs(term) < 1e-17 * abs(sum) && i > before {
                break;
            }
            i += 1.0;
        }
        return sum;
    }

    /// The sine integral.
    fn sici_si(x: f64) -> f64 {
        if abs(x) < 1e5 {
            return plain_si(x);
        }
        if abs(x) > 1e17 {
            return copysign(1.5707963267948966, x);
        }
        if is_nan(x) {
            return x;
        }
        let (f, g) = sici_parts(abs(x));
        return copysign(1.5707963267948966 - fma(f, cos(abs(x)), g * sin(abs(x))), x);
    }

    /// The cosine integral of the absolute value.
    fn sici_ci(x: f64) -> f64 {
        let a = abs(x);
        if !sici_is_rare(x) {
            return plain_ci(x);
        }
        if a < 1.0 {
            return if a == 0.0 { -INF } else { log(a) + EULER };
        }
        if a == INF {
            return if x > 0.0 { 0.0 } else { NAN };
        }
        if is_nan(x) {
            return x;
        }
        let (f, g) = sici_parts(a);
        return fma(f, sin(a), -g * cos(a));
    }

    /// The hyperbolic sine integral.
    fn shichi_shi(x: f64) -> f64 {
        let a = abs(x);
        if a < 3.0 {
            let z = x * x;
            let mut term = 1.0;
            let mut sum = 1.0;
            let mut k = 3.0;
            while k < 60.0 {
                term *= z / (k * (k - 1.0));
                sum += term / k;
                if term < 1e-18 {
                    break;
                }
                k += 2.0;
            }
            return x * sum;
        }
        return copysign(0.5 * (expi(a) + exp1(a)), x);
    }

    /// The hyperbolic cosine integral of the absolute value.
    fn shichi_chi(x: f64) -> f64 {
        let a = abs(x);
        if a == 0.0 {
            return -INF;
        }
        if a < 1.0 {
            let z = a * a;
            let mut term = 1.0;
            let mut sum = 0.0;
            let mut k = 2.0;
            while k < 60.0 {
                term *= z / (k * (k - 1.0));
                sum += term / k;
                if term < 1e-18 {
                    break;
                }
                k += 2.0;
            }
            return (log(a) + EULER) + sum;
        }
        return 0.5 * (expi(a) - exp1(a));
    }

    /// The dilogarithm of 1 - x.
    fn spence(x: f64) -> f64 {
        if is_nan(x) || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            return 1.6449340668482264;
        }
        if x == INF {
            return -INF;
        }
        if x > 2.0 {
            let l = log(x);
            return -0.5 * l * l - spence_low(1.0 / x);
        }
        return if x < 0.5 { spence_low(x) } else { 0.0 + spence_middle(x) };
    }

    /// The same for x up to 1/2.
    fn spence_low(x: f64) -> f64 {
        return 1.6449340668482264 - log(x) * log1p(-x) - spence_middle(1.0 - x);
    }

    /// The same for x from 1/2 to 2.
    fn spence_middle(x: f64) -> f64 {
        let u = -log1p(x - 1.0);
        let z = u * u;
        return fma(u * z, poly(z, &SPENCE), fma(-0.25 * u, u, u));
    }

    /// Dawson's integral.
    fn dawsn(x: f64) -> f64 {
        let a = abs(x);
        if a < 1.0 {
            return x * horner(fma(2.0 * a, a, -1.0), &DAWSON_1);
        }
        if a < 2.0 {
            return horner(fma(2.0, a, -3.0), &DAWSON_2) / x;
        }
        if a < 4.0 {
            return horner(a - 3.0, &DAWSON_3) / x;
        }
        if a < 7.0 {
            return horner((a - 5.5) / 1.5, &DAWSON_4) / x;
        }
        let w = 1.0 / x;
        return horner(fma(98.0 * w, w, -1.0), &DAWSON_5) / x;
    }

    /// The error function of an imaginary argument, without its factor i.
    fn erfi(x: f64) -> f64 {
        if abs(x) > 26.7 {
            return if is_nan(x) { x } else { copysign(INF, x) };
        }
        if x == 0.0 {
            return x;
        }
        let square = x * x;
        let value = exp(square);
        if value == INF {
            return copysign(INF, x);
        }
        let part = dawsn(x);
        let scaled = 1.1283791670955126 * part;
        let low = fma(1.1283791670955126, part, -scaled) + 1.533545961316588e-17 * part;
        return fma(value, scaled, value * fma(scaled, fma(x, x, -square), low));
    }

    /// Fresnel's sine integral.
    fn fresnel_s(x: f64) -> f64 {
        if fresnel_is_rare(x) {
            return if is_nan(x) { x } else { copysign(0.5, x) };
        }
        return plain_fresnel_s(x);
    }

    /// Fresnel's cosine integral.
    fn fresnel_c(x: f64) -> f64 {
        if fresnel_is_rare(x) {
            return if is_nan(x) { x } else { copysign(0.5, x) };
        }
        return plain_fresnel_c(x);
    }
}

lanes! {
    exp1(a);
    expi(a);
    expn(a, b);
    sici_si(a) by plain_si unless sici_is_rare;
    sici_ci(a) by plain_ci unless sici_is_rare;
    shichi_shi(a);
    shichi_chi(a);
    spence(a) by plain_spence unless spence_is_rare;
    dawsn(a);
    erfi(a);
    fresnel_s(a) by plain_fresnel_s unless fresnel_is_rare;
    fresnel_c(a) by plain_fresnel_c unless fresnel_is_rare;
}
