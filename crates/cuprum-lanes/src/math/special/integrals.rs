//! Integrals of elementary functions: exponential, sine, cosine and Fresnel's integrals, Dawson's and the dilogarithm.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const EULER: f64 = 0.5772156649015329;

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

    /// The two parts of the sine and cosine integrals beyond 4: x f(x) and x^2 g(x).
    fn sici_parts(x: f64) -> (f64, f64) {
        let w = 1.0 / (x * x);
        if x < 8.0 {
            let t = (w - 0.0390625) / 0.0234375;
            return (poly(t, &SICI_F_1), poly(t, &SICI_G_1));
        }
        let t = fma(128.0, w, -1.0);
        return (poly(t, &SICI_F_2), poly(t, &SICI_G_2));
    }

    /// The sine integral.
    fn sici_si(x: f64) -> f64 {
        let a = abs(x);
        if a < 4.0 {
            return x * poly(fma(0.125 * a, a, -1.0), &SI);
        }
        if a > 1e17 {
            return copysign(1.5707963267948966, x);
        }
        if is_nan(x) {
            return x;
        }
        let (f, g) = sici_parts(a);
        return copysign(1.5707963267948966 - (f * cos(a) + g / a * sin(a)) / a, x);
    }

    /// The cosine integral of the absolute value.
    fn sici_ci(x: f64) -> f64 {
        let a = abs(x);
        if a == 0.0 {
            return -INF;
        }
        if a < 2.5 {
            let near = (a - 0.6165054856207163) - -4.209920321433186e-17;
            let logarithm = if abs(near) < 0.2 { log1p(near / 0.6165054856207163) } else { log(a) - log(0.6165054856207163) };
            return fma(near * (a + 0.6165054856207163), poly(fma(a * 0.32, a, -1.0), &CI_1), logarithm);
        }
        if a < 4.0 {
            return ((a - 3.3841804225511862) - 1.972125462363411e-16) * poly((a - 3.25) / 0.75, &CI_2);
        }
        if a == INF {
            return if x > 0.0 { 0.0 } else { NAN };
        }
        if is_nan(x) {
            return x;
        }
        let (f, g) = sici_parts(a);
        return (f * sin(a) - g / a * cos(a)) / a;
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

    /// pi x f(x) and pi^2 x^3 g(x) of Fresnel's integrals for x from 1.6 on.
    fn fresnel_parts(x: f64) -> (f64, f64) {
        let z = 1.0 / (x * x);
        let w = z * z;
        if w < 0.037037037037037035 {
            let t = fma(54.0, w, -1.0);
            return (poly(t, &FRESNEL_F_1), poly(t, &FRESNEL_G_1));
        }
        let t = (w - 0.09544159544159544) / 0.0584045584045584;
        return (poly(t, &FRESNEL_F_2), poly(t, &FRESNEL_G_2));
    }

    /// Sine and cosine of pi x^2 / 2.
    fn turn_of_square(x: f64) -> (f64, f64) {
        let square = x * x;
        let low = 1.5707963267948966 * fma(x, x, -square);
        let s = sinpi(0.5 * square);
        let c = cospi(0.5 * square);
        return (fma(low, c, s), fma(-low, s, c));
    }

    /// Fresnel's sine integral.
    fn fresnel_s(x: f64) -> f64 {
        let a = abs(x);
        if a < 1.6 {
            let z = a * a;
            return x * z * poly(fma(z * 0.30517578125, z, -1.0), &FRESNEL_S);
        }
        if is_nan(x) {
            return x;
        }
        if a > 1e8 {
            return copysign(0.5, x);
        }
        let (f, g) = fresnel_parts(a);
        let (s, c) = turn_of_square(a);
        let scale = 0.3183098861837907 / a;
        return copysign(0.5 - scale * fma(f, c, g * s * scale / a), x);
    }

    /// Fresnel's cosine integral.
    fn fresnel_c(x: f64) -> f64 {
        let a = abs(x);
        if a < 1.6 {
            let z = a * a;
            return x * poly(fma(z * 0.30517578125, z, -1.0), &FRESNEL_C);
        }
        if is_nan(x) {
            return x;
        }
        if a > 1e8 {
            return copysign(0.5, x);
        }
        let (f, g) = fresnel_parts(a);
        let (s, c) = turn_of_square(a);
        let scale = 0.3183098861837907 / a;
        return copysign(0.5 + scale * fma(f, s, -g * c * scale / a), x);
    }
}

lanes! {
    exp1(a);
    expi(a);
    expn(a, b);
    sici_si(a);
    sici_ci(a);
    shichi_shi(a);
    shichi_chi(a);
    spence(a) by plain_spence unless spence_is_rare;
    dawsn(a);
    erfi(a);
    fresnel_s(a);
    fresnel_c(a);
}
