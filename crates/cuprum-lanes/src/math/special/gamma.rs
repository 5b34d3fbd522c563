//! The gamma function, its logarithm, inverse and derivatives.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const PI_LOW: f64 = 1.2246467991473532e-16;
const HALF_LOG_TAU: f64 = 0.9189385332046727;
const HALF_LOG_TAU_LOW: f64 = 3.878294158067242e-17;
/// From 2^52 on every number is whole.
const WHOLE: f64 = 4503599627370496.0;
/// The products of the whole numbers up to each, from zero on.
const FACTORIALS: [f64; 23] = [
    1.0,
    1.0,
    2.0,
    6.0,
    24.0,
    120.0,
    720.0,
    5040.0,
    40320.0,
    362880.0,
    3628800.0,
    39916800.0,
    479001600.0,
    6227020800.0,
    87178291200.0,
    1307674368000.0,
    20922789888000.0,
    355687428096000.0,
    6402373705728000.0,
    121645100408832000.0,
    2432902008176640000.0,
    51090942171709440000.0,
    1124000727777607680000.0,
];
/// The root of digamma, and one less, in two parts.
const DIGAMMA_ROOT: f64 = 1.4616321449683622;
const DIGAMMA_ROOT_LOW: f64 = 9.549995429965697e-17;
const DIGAMMA_ROOT_LESS_1: f64 = 0.46163214496836236;
const DIGAMMA_ROOT_LESS_1_LOW: f64 = -1.5522348162858677e-17;

plain_functions! {
    /// (x - 1/2) log(x) - x in two parts, for x from 2 to 200.
    fn stirling_exponent(x: f64) -> (f64, f64) {
        let (log_high, log_low) = log_parts(x);
        let a = x - 0.5;
        let product = a * log_high;
        let sum = product - x;
        return (sum, fma(a, log_low, fma(a, log_high, -product)) + ((product - sum) - x));
    }

    /// The inverse of the gamma function for x from zero to 3, but for a factor of x - 1 where x is at least 2, by which it
    /// is to be divided.
    fn rgamma_near(x: f64) -> f64 {
        let t = if x < 1.0 { x } else if x < 2.0 { x - 1.0 } else { x - 2.0 };
        let value = horner(fma(2.0, t, -1.0), &RGAMMA_NEAR);
        return if x < 1.0 { x * value } else { value };
    }

    /// The gamma function from 1e-290 to 3.
    fn gamma_to_3(x: f64) -> f64 {
        return plain_quotient(if x < 2.0 { 1.0 } else { x - 1.0 }, rgamma_near(x));
    }

    /// The gamma function from 3 to 171.7.
    fn gamma_from_3(x: f64) -> f64 {
        let (high, low) = stirling_exponent(x);
        return exp_sum(high, low) * horner(fma(6.0, plain_inverse(x), -1.0), &GAMMA_FAR);
    }

    /// The gamma function from 1e-290 to 171.7.
    fn plain_gamma(x: f64) -> f64 {
        let near = gamma_to_3(if x < 3.0 { x } else { 2.5 });
        let far = gamma_from_3(if x < 3.0 { 3.0 } else { x });
        return if x < 3.0 { near } else { far };
    }

    /// Whether rgamma takes another way.
    fn rgamma_is_rare(x: f64) -> bool {
        return !(x > 1e-290 && x < 171.7);
    }

    /// Whether gamma takes another way: at whole numbers, too, where it is one.
    fn gamma_is_rare(x: f64) -> bool {
        return !(x > 1e-290 && x < 171.7) || (x <= 23.0 && (x + WHOLE) - WHOLE == x);
    }

    /// The inverse of the gamma function from 1e-290 to 3.
    fn rgamma_to_3(x: f64) -> f64 {
        return plain_quotient(rgamma_near(x), if x < 2.0 { 1.0 } else { x - 1.0 });
    }

    /// The inverse of the gamma function from 3 to 171.7.
    fn rgamma_from_3(x: f64) -> f64 {
        let (high, low) = stirling_exponent(x);
        return exp_sum(-high, -low) * horner(fma(6.0, plain_inverse(x), -1.0), &RGAMMA_FAR);
    }

    /// The inverse of the gamma function from 1e-290 to 171.7.
    fn plain_rgamma(x: f64) -> f64 {
        let near = rgamma_to_3(if x < 3.0 { x } else { 2.5 });
        let far = rgamma_from_3(if x < 3.0 { 3.0 } else { x });
        return if x < 3.0 { near } else { far };
    }

    /// log(gamma(1 + x)) for x from -1/4 to 3/2.
    fn lgamma_1p(x: f64) -> f64 {
        let value = even_odd((x - 0.625) * 1.1428571428571428, &LGAMMA_NEAR);
        let product = x * (x - 1.0);
        return fma(product, value, fma(x, x - 1.0, -product) * value);
    }

    /// log(gamma(x)) from 3.5 to 1e290, given log(x) - 1.
    fn lgamma_far(x: f64, logarithm: f64) -> f64 {
        let inverse = plain_inverse(x);
        let rest = poly(fma(24.5 * inverse, inverse, -1.0), &LGAMMA_FAR) * inverse;
        return fma(x - 0.5, logarithm, (HALF_LOG_TAU - 0.5) + rest);
    }

    /// The product of a number in two parts and another one.
    fn times(high: f64, low: f64, other: f64, other_low: f64) -> (f64, f64) {
        let product = high * other;
        let error = fma(high, other, -product) + fma(high, other_low, low * other);
        let sum = product + error;
        return (sum, (product - sum) + error);
    }

    /// |sin(pi x)|.
    fn sinpi_size(x: f64) -> f64 {
        let r = x - rint(x);
        return abs(r) * horner(r * r, &SINPI);
    }

    /// log(gamma(x)) from 1e-290 to 1e290. One logarithm serves all.
    fn plain_gammaln(x: f64) -> f64 {
        let is_far = x >= 3.5;
        let logged = if x < 0.75 { x } else if x < 2.5 { 1.0 } else if x < 3.5 { x - 1.0 } else { x };
        let logarithm = plain_log_plus(logged, if is_far { -1.0 } else { 0.0 });
        let far = lgamma_far(if is_far { x } else { 3.5 }, logarithm);
        let t = if x < 0.75 { x } else if x < 2.5 { x - 1.0 } else { x - 2.0 };
        let near = lgamma_1p(if is_far { 0.0 } else { t });
        return if is_far { far } else if x < 0.75 { near - logarithm } else { near + logarithm };
    }

    /// Whether gammaln and digamma take another way.
    fn gammaln_is_rare(x: f64) -> bool {
        return !(x > 1e-290 && x < 1e290);
    }

    /// digamma(x) from 1e-290 to 2.5, given 1/x.
    fn psi_near(x: f64, inverse: f64) -> f64 {
        let below = (x - DIGAMMA_ROOT_LESS_1) - DIGAMMA_ROOT_LESS_1_LOW;
        let above = (x - DIGAMMA_ROOT) - DIGAMMA_ROOT_LOW;
        let t = if x < 1.0 { below } else { above };
        let near = t * even_odd((t - 0.3) * 1.25, &DIGAMMA_NEAR);
        return if x < 1.0 { near - inverse } else { near };
    }

    /// digamma(x) from 2.5 to 1e290, given 1/x.
    fn psi_far(x: f64, inverse: f64) -> f64 {
        let w = inverse * inverse;
        return plain_log(x) - fma(w, poly(fma(12.5, w, -1.0), &DIGAMMA_FAR), 0.5 * inverse);
    }

    /// digamma(x) from 1e-290 to 1e290.
    fn plain_psi(x: f64) -> f64 {
        let inverse = plain_inverse(x);
        let near = psi_near(x, inverse);
        let far = psi_far(if x < 2.5 { 2.5 } else { x }, if x < 2.5 { 0.4 } else { inverse });
        return if x < 2.5 { near } else { far };
    }
}

functions! {
    /// The sine of pi x, x from zero to 1/4.
    fn sinpi_near(x: f64) -> f64 {
        let angle = PI * x;
        return fma(fma(PI, x, -angle) + PI_LOW * x, fma(-0.5 * angle, angle, 1.0), sin(angle));
    }

    /// The cosine of pi x, x from zero to 1/4.
    fn cospi_near(x: f64) -> f64 {
        let angle = PI * x;
        return fma(fma(PI, x, -angle) + PI_LOW * x, -angle, cos(angle));
    }

    /// The sine of pi x.
    fn sinpi(x: f64) -> f64 {
        let r = x - 2.0 * rint(0.5 * x);
        let a = abs(r);
        let folded = if a > 0.5 { 1.0 - a } else { a };
        let value = if folded > 0.25 { cospi_near(0.5 - folded) } else { sinpi_near(folded) };
        return if a == 0.0 || a == 1.0 { copysign(0.0, x) } else { copysign(value, r) };
    }

    /// The cosine of pi x.
    fn cospi(x: f64) -> f64 {
        let a = abs(x - 2.0 * rint(0.5 * x));
        let folded = if a > 0.5 { 1.0 - a } else { a };
        let value = if folded > 0.25 { sinpi_near(0.5 - folded) } else { cospi_near(folded) };
        return if a > 0.5 { -value } else { value };
    }

    /// Of an x from -30 on: x + n, not below `least` and less than one more, and the product of what lies between them in two
    /// parts.
    fn product_up_to(x: f64, least: f64) -> (f64, f64, f64) {
        let mut high = 1.0;
        let mut low = 0.0;
        let mut y = x;
        let mut k = 0.0;
        while y < least {
            let error = (x - y) + k;
            let (h, l) = times(high, low, y, error);
            high = h;
            low = l;
            k += 1.0;
            y = x + k;
        }
        return (y, high, low);
    }

    /// Of an x between -30 and 2: the gamma function of x + n between 2 and 3, and the product of what lies between them in
    /// two parts, to divide by.
    fn gamma_near(x: f64) -> (f64, f64, f64) {
        let (y, high, low) = product_up_to(x, 2.0);
        return (horner(2.0 * y - 5.0, &GAMMA), high, low);
    }

    /// x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2) for x from 8 on, divided by x.
    fn stirling_rest(x: f64) -> f64 {
        let inverse = 1.0 / x;
        return poly(fma(128.0 * inverse, inverse, -1.0), &STIRLING) * inverse;
    }

    /// log(gamma(x)) in two parts for x from 8 on.
    fn stirling(x: f64) -> (f64, f64) {
        let (log_high, log_low) = log_parts(x);
        let a = x - 0.5;
        let p = a * log_high;
        let p_low = fma(a, log_high, -p) + a * log_low;
        let s = p - x;
        let s_low = (p - s) - x;
        let t = s + HALF_LOG_TAU;
        let t_low = (s - t) + HALF_LOG_TAU;
        let rest = stirling_rest(x);
        let low = ((p_low + s_low) + (t_low + HALF_LOG_TAU_LOW)) + rest;
        let sum = t + low;
        return (sum, (t - sum) + low);
    }

    /// The gamma function of any number.
    fn gamma_anywhere(x: f64) -> f64 {
        if x > 0.0 {
            if x < 1.0 {
                return 1.0 / x;
            }
            return if x > 23.0 { INF } else { FACTORIALS[(x as usize) - 1] };
        }
        if x > -20.0 {
            if x == 0.0 {
                return copysign(INF, x);
            }
            if floor(x) == x {
                return NAN;
            }
            if abs(x) < 1e-100 {
                return 1.0 / x;
            }
            let (value, high, low) = gamma_near(x);
            let quotient = value / high;
            return if abs(quotient) == INF { quotient } else { fma(-quotient / high, low, quotient) };
        }
        if is_nan(x) || floor(x) == x {
            return NAN;
        }
        if x < -190.0 {
            let half = floor(0.5 * floor(x));
            return if 2.0 * half == floor(x) { 0.0 } else { -0.0 };
        }
        // Gamma(x) Gamma(-x) = -pi / (x sin(pi x)).
        let (high, low) = stirling(-x);
        if high < 700.0 {
            return -PI / (x * sinpi(x)) * exp_sum(-high, -low);
        }
        let inverse = exp(-0.5 * high);
        let value = -PI / (x * sinpi(x)) * inverse;
        return fma(value, -low, value) * inverse;
    }

    /// The gamma function.
    fn gamma(x: f64) -> f64 {
        if gamma_is_rare(x) {
            return gamma_anywhere(x);
        }
        return if x < 3.0 { gamma_to_3(x) } else { gamma_from_3(x) };
    }

    /// The inverse of the gamma function at any number.
    fn rgamma_anywhere(x: f64) -> f64 {
        if x > 0.0 {
            if x < 1.0 || x > 190.0 {
                return if x < 1.0 { x } else { 0.0 };
            }
            let (high, low) = stirling(x);
            let value = exp(-high);
            return fma(value, -low, value);
        }
        if x > -20.0 {
            if x == 0.0 {
                return x;
            }
            if floor(x) == x {
                return 0.0;
            }
            let (value, high, low) = gamma_near(x);
            let quotient = high / value;
            return quotient + low / value;
        }
        if is_nan(x) {
            return x;
        }
        if floor(x) == x {
            return 0.0;
        }
        if x < -185.0 {
            let half = floor(0.5 * floor(x));
            return if 2.0 * half == floor(x) { INF } else { -INF };
        }
        let (high, low) = stirling(-x);
        if high < 700.0 {
            return -x * sinpi(x) / PI * exp_sum(high, low);
        }
        let root = exp(0.5 * high);
        let value = -x * sinpi(x) / PI * root;
        return fma(value, low, value) * root;
    }

    /// The inverse of the gamma function.
    fn rgamma(x: f64) -> f64 {
        if rgamma_is_rare(x) {
            return rgamma_anywhere(x);
        }
        return if x < 3.0 { rgamma_to_3(x) } else { rgamma_from_3(x) };
    }

    /// log(gamma(x)) for x above zero.
    fn lgamma_positive(x: f64) -> f64 {
        if gammaln_is_rare(x) {
            return if x < 1.0 { -log(x) } else { x * (log(x) - 1.0) };
        }
        if x >= 3.5 {
            return lgamma_far(x, plain_log_plus(x, -1.0));
        }
        if x >= 2.5 {
            return lgamma_1p(x - 2.0) + plain_log_plus(x - 1.0, 0.0);
        }
        return if x < 0.75 { lgamma_1p(x) - plain_log_plus(x, 0.0) } else { lgamma_1p(x - 1.0) + 0.0 };
    }

    /// log(|gamma(x)|) near one of its zeros, for x from -16.5 to -3, or no number where x is not near one.
    fn gammaln_near_zero(x: f64) -> f64 {
        let pole = rint(x);
        let row = -2.0 * pole - (if x > pole { 7.0 } else { 6.0 });
        let at = (row as usize) * 13;
        let distance = (x - LGAMMA_ZEROS[at]) - LGAMMA_ZEROS[at + 1];
        let place = LGAMMA_ZEROS[at + 2];
        if !(abs(distance) < 0.03) {
            return NAN;
        }
        let mut sum = 0.0;
        for k in (0..10).rev() {
            sum = fma(sum, distance, LGAMMA_ZEROS[at + 3 + k]);
        }
        // Close to the pole the distance from it is better known than that from the zero.
        let part = distance / place;
        return fma(distance, sum, if part < -0.5 { -log(abs(x - pole) / abs(place)) } else { -log1p(part) });
    }

    /// log(|gamma(x)|) for x from -30 to -1e-100: the logarithm of gamma is small where the product ends, from one to two.
    fn gammaln_by_product(x: f64) -> f64 {
        let (y, high, low) = product_up_to(x, 1.0);
        return lgamma_1p(y - 1.0) - plain_log_rest(abs(high), low / high);
    }

    /// log(|gamma(x)|) of any number.
    fn gammaln_anywhere(x: f64) -> f64 {
        if x < -1e-100 && x > -1e100 {
            return gammaln_left(x);
        }
        if x <= 0.0 && floor(x) == x {
            return if x == -INF { x } else { INF };
        }
        return lgamma_positive(abs(x));
    }

    /// log(|gamma(x)|) for x from -1e100 to -1e-100, by the reflection: gamma(x) gamma(-x) = -pi / (x sin(pi x)).
    fn gammaln_left(x: f64) -> f64 {
        let size = sinpi_size(x) * -x;
        if size == 0.0 {
            return INF;
        }
        if x < -2.38 && x > -2.81 {
            let first = (x - -2.4570247382208006) - -3.7075610815513266e-17;
            let second = (x - -2.7476826467274127) - 9.055340329338315e-17;
            return first * second * horner(fma(4.0, x, 10.36), &LGAMMA_LEFT);
        }
        let mirrored = plain_gammaln(-x);
        let value = -plain_log(size * 0.3183098861837907) - mirrored;
        // Beside a zero little is left of both.
        if x < -3.0 && x > -16.5 && abs(value) < 0.5 * mirrored {
            let near = gammaln_near_zero(x);
            if !is_nan(near) {
                return near;
            }
        }
        return if x < -2.0 && x > -4.15 && abs(value) < 1.0 { gammaln_by_product(x) } else { value };
    }

    /// log(|gamma(x)|).
    fn gammaln(x: f64) -> f64 {
        if gammaln_is_rare(x) {
            return gammaln_anywhere(x);
        }
        return lgamma_positive(x);
    }

    /// log(gamma(x)) where it is real.
    fn loggamma(x: f64) -> f64 {
        if x < 0.0 {
            return NAN;
        }
        return gammaln(x);
    }

    /// The sign of the gamma function.
    fn gammasgn(x: f64) -> f64 {
        if is_nan(x) {
            return x;
        }
        if x > 0.0 {
            return 1.0;
        }
        if x == 0.0 {
            return copysign(1.0, x);
        }
        if floor(x) == x {
            return NAN;
        }
        let whole = floor(x);
        return if 2.0 * floor(0.5 * whole) == whole { 1.0 } else { -1.0 };
    }

    /// The derivative of log(gamma(x)) at any number.
    fn psi_anywhere(x: f64) -> f64 {
        if x <= 0.0 && floor(x) == x {
            return if x == 0.0 { copysign(INF, -x) } else { NAN };
        }
        if abs(x) < 1e-20 {
            return -1.0 / x - 0.5772156649015329;
        }
        if !(abs(x) < 1e290) {
            return if x < 0.0 { NAN } else { log(x) };
        }
        if x > -21.0 {
            let near = psi_near_zero(x);
            if !is_nan(near) {
                return near;
            }
        }
        return psi_1p(-x) - pi_cotpi(x);
    }

    /// pi cot(pi x) where x is no whole number.
    fn pi_cotpi(x: f64) -> f64 {
        let r = x - rint(x);
        let a = abs(r);
        if a <= 0.35 {
            return fma(-r, horner(r * r, &COTPI), 1.0 / r);
        }
        let s = 0.5 - a;
        return copysign(s, r) * horner(s * s, &TANPI);
    }

    /// digamma(1 + x) for x above zero.
    fn psi_1p(x: f64) -> f64 {
        if x < 1.5 {
            let t = (x - DIGAMMA_ROOT_LESS_1) - DIGAMMA_ROOT_LESS_1_LOW;
            return t * even_odd((t - 0.3) * 1.25, &DIGAMMA_NEAR);
        }
        let inverse = 1.0 / x;
        if x < 2.5 {
            return psi_near(x, inverse) + inverse;
        }
        let w = inverse * inverse;
        return plain_log(x) - fma(w, poly(fma(12.5, w, -1.0), &DIGAMMA_FAR), -0.5 * inverse);
    }

    /// digamma(x) near its zero between two poles, for x from -21 to zero, or no number where x is not near one: the distance
    /// times the slope of the chord, which is that of the poles' own parts and little more.
    fn psi_near_zero(x: f64) -> f64 {
        let pole = floor(x);
        let at = ((-1.0 - pole) as usize) * 19;
        let zero = DIGAMMA_ZEROS[at];
        let low = DIGAMMA_ZEROS[at + 1];
        let distance = (x - zero) - low;
        if !(abs(distance) < 0.25) {
            return NAN;
        }
        let t = 4.0 * distance;
        let mut sum = 0.0;
        for k in (0..17).rev() {
            sum = fma(sum, t, DIGAMMA_ZEROS[at + 2 + k]);
        }
        let next = pole + 1.0;
        let left = 1.0 / ((x - pole) * ((zero - pole) + low));
        let right = 1.0 / ((x - next) * ((zero - next) + low));
        return distance * ((left + right) + sum);
    }

    /// digamma(x) from 1e-290 to 1e290.
    fn psi_positive(x: f64) -> f64 {
        let inverse = 1.0 / x;
        return if x < 2.5 { psi_near(x, inverse) } else { psi_far(x, inverse) };
    }

    /// The derivative of log(gamma(x)).
    fn psi(x: f64) -> f64 {
        if gammaln_is_rare(x) {
            return psi_anywhere(x);
        }
        return psi_positive(x);
    }
}

lanes! {
    gamma(a) by plain_gamma unless gamma_is_rare;
    rgamma(a) by plain_rgamma unless rgamma_is_rare;
    gammaln(a) by plain_gammaln unless gammaln_is_rare;
    loggamma(a) by plain_gammaln unless gammaln_is_rare;
    gammasgn(a);
    psi(a) by plain_psi unless gammaln_is_rare;
}
