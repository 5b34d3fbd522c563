//! The gamma function and what is made of it: logarithm, inverse, digamma, beta, binomial coefficients, zeta.

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
/// The root of digamma, and one less, in two parts.
const DIGAMMA_ROOT: f64 = 1.4616321449683622;
const DIGAMMA_ROOT_LOW: f64 = 9.549995429965697e-17;
const DIGAMMA_ROOT_LESS_1: f64 = 0.46163214496836236;
const DIGAMMA_ROOT_LESS_1_LOW: f64 = -1.5522348162858677e-17;

/// B(2j) / (2j)! for j from 1 on.
const BERNOULLI: [f64; 12] = [
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-5,
    -8.267195767195768e-7,
    2.08767569878681e-8,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812525e-19,
];

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
        return !(x > 1e-290 && x < 171.7) || (x + WHOLE) - WHOLE == x;
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

    /// The gamma function as a factor and the exponent of another one in two parts.
    fn gamma_parts(x: f64) -> (f64, f64, f64) {
        let is_near = x < 3.0;
        let near = gamma_to_3(if is_near { x } else { 2.5 });
        let b = if is_near { 3.0 } else { x };
        let (high, low) = stirling_exponent(b);
        let far = horner(fma(6.0, plain_inverse(b), -1.0), &GAMMA_FAR);
        return (if is_near { near } else { far }, if is_near { 0.0 } else { high }, if is_near { 0.0 } else { low });
    }

    /// The inverse of the gamma function, likewise; the exponent is to be subtracted.
    fn rgamma_parts(x: f64) -> (f64, f64, f64) {
        let is_near = x < 3.0;
        let near = rgamma_to_3(if is_near { x } else { 2.5 });
        let b = if is_near { 3.0 } else { x };
        let (high, low) = stirling_exponent(b);
        let far = horner(fma(6.0, plain_inverse(b), -1.0), &RGAMMA_FAR);
        return (if is_near { near } else { far }, if is_near { 0.0 } else { high }, if is_near { 0.0 } else { low });
    }

    /// gamma(a) gamma(b) / gamma(a + b) of numbers from 1e-100 on whose sum is below 100, the sum not rounded. One
    /// exponential serves all of them.
    fn plain_beta(a: f64, b: f64) -> f64 {
        let sum = a + b;
        let part = sum - a;
        let error = (a - (sum - part)) + (b - part);
        let (left, left_high, left_low) = gamma_parts(a);
        let (right, right_high, right_low) = gamma_parts(b);
        let (below, below_high, below_low) = rgamma_parts(sum);
        let both = left_high + right_high;
        let both_part = both - left_high;
        let both_error = (left_high - (both - both_part)) + (right_high - both_part);
        let exponent = both - below_high;
        let taken = both - exponent;
        let exponent_error = (both - (exponent + taken)) + (taken - below_high);
        // Some digits of the derivative are enough beside the error.
        let slope = plain_log(sum + 0.5) - plain_inverse(sum);
        let low = ((left_low + right_low) - below_low) + (both_error + exponent_error);
        return exp_sum(exponent, fma(-slope, error, low)) * (left * below * right);
    }

    /// Whether beta takes another way: of whole numbers, too.
    fn beta_is_rare(a: f64, b: f64) -> bool {
        return !(a > 1e-100 && b > 1e-100 && a + b < 100.0) || ((a + WHOLE) - WHOLE == a && (b + WHOLE) - WHOLE == b);
    }

    /// log(beta(a, b)) of the same numbers.
    fn plain_betaln(a: f64, b: f64) -> f64 {
        return plain_log(plain_beta(a, b));
    }

    /// Whether betaln takes another way.
    fn betaln_is_rare(a: f64, b: f64) -> bool {
        return !(a > 1e-100 && b > 1e-100 && a < 30.0 && b < 30.0);
    }

    /// The binomial coefficient of n from 1e-6 to 98 and a k below n that is not whole.
    fn plain_binom(n: f64, k: f64) -> f64 {
        return plain_quotient(plain_inverse(n + 1.0), plain_beta((1.0 + n) - k, 1.0 + k));
    }

    /// Whether binom takes another way.
    fn binom_is_rare(n: f64, k: f64) -> bool {
        return !(n > 1e-6 && n < 98.0 && k > 0.0 && k < n) || (k + WHOLE) - WHOLE == k;
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

    /// The product of a number in two parts and another one.
    fn times(high: f64, low: f64, other: f64, other_low: f64) -> (f64, f64) {
        let product = high * other;
        let error = fma(high, other, -product) + fma(high, other_low, low * other);
        let sum = product + error;
        return (sum, (product - sum) + error);
    }

    /// Of an x between -30 and 2: the gamma function of x + n between 2 and 3, and the product of what lies between them in
    /// two parts, to divide by.
    fn gamma_near(x: f64) -> (f64, f64, f64) {
        let mut high = 1.0;
        let mut low = 0.0;
        let mut y = x;
        let mut k = 0.0;
        while y < 2.0 {
            let error = (x - y) + k;
            let (h, l) = times(high, low, y, error);
            high = h;
            low = l;
            k += 1.0;
            y = x + k;
        }
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
            if x > 23.0 {
                return if x < 171.7 { gamma_from_3(x) } else { INF };
            }
            let mut product = 1.0;
            let mut factor = 2.0;
            while factor < x {
                product *= factor;
                factor += 1.0;
            }
            return product;
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

    /// log(|gamma(x)|) of any number.
    fn gammaln_anywhere(x: f64) -> f64 {
        if x <= 0.0 && floor(x) == x {
            return INF;
        }
        let value = lgamma_positive(abs(x));
        if x < 0.0 {
            return if x > -1e-100 { value } else { log(PI / abs(x * sinpi(x))) - value };
        }
        return value;
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
        return (psi_positive(-x) - 1.0 / x) - PI * cospi(x) / sinpi(x);
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

    /// log(beta(a, b)) for a from zero to b.
    fn betaln_ordered(a: f64, b: f64) -> f64 {
        if a >= 8.0 {
            let h = a / b;
            let sum = a + b;
            let rest = stirling_rest(a) + stirling_rest(b) - stirling_rest(sum);
            let first = -(a - 0.5) * log1p(b / a);
            let second = -b * log1p(h);
            return ((first + second) + (HALF_LOG_TAU - 0.5 * log(b))) + rest;
        }
        if b >= 8.0 {
            let rest = stirling_rest(b) - stirling_rest(a + b);
            let ratio = a - (b - 0.5) * log1p(a / b) - a * log(a + b);
            return lgamma_positive(a) + (ratio + rest);
        }
        if a < 1e-300 {
            return -log(a);
        }
        return log(gamma(a) * (gamma(b) * rgamma(a + b)));
    }

    /// log(|beta(a, b)|).
    fn betaln(a: f64, b: f64) -> f64 {
        if a > 0.0 && b > 0.0 {
            if a == INF || b == INF {
                return if a == b { NAN } else { -INF };
            }
            return if a < b { betaln_ordered(a, b) } else { betaln_ordered(b, a) };
        }
        if is_nan(a) || is_nan(b) {
            return NAN;
        }
        // At a pole of one gamma function the other may have one too.
        if a <= 0.0 && floor(a) == a {
            return if floor(b) == b && 1.0 - a - b > 0.0 { betaln_ordered_any(1.0 - a - b, b) } else { INF };
        }
        if b <= 0.0 && floor(b) == b {
            return if floor(a) == a && 1.0 - a - b > 0.0 { betaln_ordered_any(1.0 - a - b, a) } else { INF };
        }
        if b > 1e6 && abs(a) < 0.5 * b {
            return gammaln(a) - log_poch_large(b, a);
        }
        if a > 1e6 && abs(b) < 0.5 * a {
            return gammaln(b) - log_poch_large(a, b);
        }
        return gammaln(a) + (gammaln(b) - gammaln(a + b));
    }

    /// log(gamma(a + m) / gamma(a)) for a large beside m.
    fn log_poch_large(a: f64, m: f64) -> f64 {
        let end = a + m;
        return fma(end - 0.5, log1p(m / a), m * (log(a) - 1.0)) + (stirling_rest(end) - stirling_rest(a));
    }

    /// log(beta(a, b)) of numbers above zero in any order, infinite where one is not.
    fn betaln_ordered_any(a: f64, b: f64) -> f64 {
        if a <= 0.0 || b <= 0.0 {
            return INF;
        }
        return if a < b { betaln_ordered(a, b) } else { betaln_ordered(b, a) };
    }

    /// gamma(a) gamma(b) / gamma(a + b) of numbers of moderate size, the sum not rounded.
    fn beta_near(a: f64, b: f64) -> f64 {
        let sum = a + b;
        let part = sum - a;
        let error = (a - (sum - part)) + (b - part);
        let value = gamma(a) * rgamma(sum) * gamma(b);
        return if error == 0.0 { value } else { fma(-value * psi(sum), error, value) };
    }

    /// gamma(a) gamma(b) / gamma(a + b).
    fn beta(a: f64, b: f64) -> f64 {
        if a > 0.0 && b > 0.0 {
            if a + b < 100.0 && a > 1e-100 && b > 1e-100 {
                return beta_near(a, b);
            }
            return exp(betaln(a, b));
        }
        if is_nan(a) || is_nan(b) {
            return NAN;
        }
        if a <= 0.0 && floor(a) == a {
            if floor(b) == b && 1.0 - a - b > 0.0 && b > 0.0 {
                let sign = if 2.0 * floor(0.5 * b) == b { 1.0 } else { -1.0 };
                return sign * exp(betaln_ordered_any(1.0 - a - b, b));
            }
            return INF;
        }
        if b <= 0.0 && floor(b) == b {
            if floor(a) == a && 1.0 - a - b > 0.0 && a > 0.0 {
                let sign = if 2.0 * floor(0.5 * a) == a { 1.0 } else { -1.0 };
                return sign * exp(betaln_ordered_any(1.0 - a - b, a));
            }
            return INF;
        }
        if a + b <= 0.0 && floor(a + b) == a + b {
            return 0.0;
        }
        if abs(a) < 100.0 && abs(b) < 100.0 {
            return beta_near(a, b);
        }
        return gammasgn(a) * gammasgn(b) * gammasgn(a + b) * exp(betaln(a, b));
    }

    /// The binomial coefficient of real n and k.
    fn binom(n: f64, k: f64) -> f64 {
        if is_nan(n) || is_nan(k) || (n < 0.0 && floor(n) == n) {
            return NAN;
        }
        if floor(k) == k && (abs(n) > 1e-8 || n == 0.0) {
            let mut count = k;
            if floor(n) == n && k > 0.5 * n && n > 0.0 {
                count = n - k;
            }
            if count >= 0.0 && count < 20.0 {
                let mut above = 1.0;
                let mut below = 1.0;
                let mut i = 1.0;
                while i <= count {
                    above *= n - count + i;
                    below *= i;
                    if abs(above) > 1e50 {
                        above /= below;
                        below = 1.0;
                    }
                    i += 1.0;
                }
                return above / below;
            }
        }
        if n >= 1e10 * k && k > 0.0 {
            return exp(-betaln(1.0 + n - k, 1.0 + k) - log(n + 1.0));
        }
        if k > 1e8 * abs(n) {
            // gamma(1 + n) sin(pi (k - n)) / (pi k^(1 + n)), with the next term.
            let mut value = gamma(1.0 + n) / abs(k) + gamma(1.0 + n) * n / (2.0 * k * k);
            value /= PI * pow(abs(k), n);
            let whole = floor(k);
            let mut d = k - n;
            let mut sign = 1.0;
            if abs(whole - k) < 1e-300 {
                d = -n;
                sign = if 2.0 * floor(0.5 * whole) == whole { 1.0 } else { -1.0 };
            }
            return value * sinpi(d) * sign;
        }
        if n < -1e6 && abs(k) < -0.5 * n {
            // By the reflection of both gamma functions.
            let turn = cospi(k) - sinpi(k) * cospi(n) / sinpi(n);
            return turn * rgamma(k + 1.0) * exp(log_poch_large(-n, k));
        }
        return 1.0 / (n + 1.0) / beta(1.0 + n - k, 1.0 + k);
    }

    /// gamma(a + m) / gamma(a).
    fn poch(a: f64, m: f64) -> f64 {
        if is_nan(a) || is_nan(m) {
            return NAN;
        }
        if m == 0.0 {
            return 1.0;
        }
        if floor(m) == m && abs(m) <= 30.0 {
            let mut value = 1.0;
            let mut k = 0.0;
            while k < m {
                value *= a + k;
                k += 1.0;
            }
            while k > m {
                k -= 1.0;
                value /= a + k;
            }
            return value;
        }
        let end = a + m;
        if end <= 0.0 && floor(end) == end && !(a <= 0.0 && floor(a) == a) {
            return INF;
        }
        if a <= 0.0 && floor(a) == a {
            if end > 0.0 || floor(end) != end {
                return 0.0;
            }
            let whole = floor(abs(m));
            let sign = if 2.0 * floor(0.5 * whole) == whole { 1.0 } else { -1.0 };
            return sign * exp(lgamma_positive(1.0 - a) - lgamma_positive(1.0 - end));
        }
        if abs(a) < 100.0 && abs(end) < 100.0 {
            let part = end - a;
            let error = (a - (end - part)) + (m - part);
            let value = gamma(end) * rgamma(a);
            return if error == 0.0 { value } else { fma(value * psi(end), error, value) };
        }
        if a > 1e6 && abs(m) < 0.5 * a {
            return exp(log_poch_large(a, m));
        }
        if a >= 8.0 && end >= 8.0 {
            let (end_high, end_low) = stirling(end);
            let (a_high, a_low) = stirling(a);
            let difference = end_high - a_high;
            let value = exp(difference);
            return if value == INF { value } else { fma(value, end_low - a_low, value) };
        }
        return gammasgn(end) * gammasgn(a) * exp(gammaln(end) - gammaln(a));
    }

    /// The sum of (q + k)^-x over k from 0 on, by Euler and Maclaurin; continued to the left of x = 1.
    fn zeta_sum(x: f64, q: f64) -> f64 {
        let mut sum = 0.0;
        let mut a = q;
        while a < 12.0 || a < x + 10.0 {
            let term = pow(a, -x);
            sum += term;
            if (abs(term) < 1e-17 * abs(sum) || term == 0.0) && a > 0.0 {
                return sum;
            }
            a += 1.0;
        }
        let power = pow(a, -x);
        let mut factor = x / a;
        let mut rest = a / (x - 1.0) + 0.5;
        let mut k = 0.0;
        for j in 0..12 {
            let term = BERNOULLI[j] * factor;
            rest += term;
            if abs(term) < 1e-18 * abs(rest) {
                break;
            }
            factor *= (x + k + 1.0) * (x + k + 2.0) / (a * a);
            k += 2.0;
        }
        return fma(power, rest, sum);
    }

    /// The zeta function of Hurwitz for x above 1.
    fn zeta(x: f64, q: f64) -> f64 {
        if is_nan(x) || is_nan(q) {
            return NAN;
        }
        if x == 1.0 {
            return INF;
        }
        if x < 1.0 {
            return NAN;
        }
        if q <= 0.0 {
            if q == floor(q) {
                return INF;
            }
            if x != floor(x) {
                return NAN;
            }
            if q < -1e5 {
                return NAN;
            }
        }
        if x == INF {
            return if q > 1.0 { 0.0 } else if q == 1.0 { 1.0 } else { INF };
        }
        if q > 1e8 {
            return (1.0 / (x - 1.0) + 1.0 / (2.0 * q)) * pow(q, 1.0 - x);
        }
        return zeta_sum(x, q);
    }

    /// The zeta function of Riemann from -1 on.
    fn zeta_right(x: f64) -> f64 {
        if x < 7.0 {
            return horner(fma(0.25, x, -0.75), &ZETA_1) + 1.0 / (x - 1.0);
        }
        if x < 35.0 {
            let rest = if x < 15.0 { horner(fma(0.25, x, -2.75), &ZETA_2) } else { horner(fma(0.1, x, -2.5), &ZETA_3) };
            return fma(exp2(-x), rest, 1.0);
        }
        return if x > 60.0 { 1.0 } else { 1.0 + exp2(-x) };
    }

    /// The zeta function of Riemann.
    fn riemann_zeta(x: f64) -> f64 {
        if x == INF {
            return 1.0;
        }
        if is_nan(x) || x == -INF {
            return NAN;
        }
        if x == 1.0 {
            return INF;
        }
        if x >= -0.01 {
            return zeta_right(x);
        }
        if 2.0 * floor(0.5 * x) == x {
            return 0.0;
        }
        // The reflection; the power and the gamma function are taken by halves, so that neither overflows alone.
        let y = 1.0 - x;
        let value = 2.0 * sinpi(0.5 * x) * zeta_right(y);
        if y < 150.0 {
            return value * gamma(y) * pow(6.283185307179586, -y);
        }
        let (high, low) = stirling(y);
        let root = exp(0.5 * (high + low)) * pow(6.283185307179586, -0.5 * y);
        return value * root * root;
    }

    /// The zeta function of Riemann, less one.
    fn zetac(x: f64) -> f64 {
        if x > 1.0 {
            if x < 2.0 {
                return (horner(fma(0.25, x, -0.75), &ZETA_1) - 1.0) + 1.0 / (x - 1.0);
            }
            if x < 7.0 {
                return exp2(-x) * (if x < 4.0 { horner(x - 3.0, &ZETA_LESS_1) } else { horner((x - 5.5) * 0.6666666666666666, &ZETA_LESS_2) });
            }
            if x < 35.0 {
                return exp2(-x) * (if x < 15.0 { horner(fma(0.25, x, -2.75), &ZETA_2) } else { horner(fma(0.1, x, -2.5), &ZETA_3) });
            }
            return if x > 1080.0 { 0.0 } else { zeta_sum(x, 2.0) };
        }
        if x == 1.0 {
            return INF;
        }
        return riemann_zeta(x) - 1.0;
    }
}

lanes! {
    gamma(a) by plain_gamma unless gamma_is_rare;
    rgamma(a) by plain_rgamma unless rgamma_is_rare;
    gammaln(a) by plain_gammaln unless gammaln_is_rare;
    loggamma(a);
    gammasgn(a);
    psi(a) by plain_psi unless gammaln_is_rare;
    beta(a, b) by plain_beta unless beta_is_rare;
    betaln(a, b) by plain_betaln unless betaln_is_rare;
    binom(a, b) by plain_binom unless binom_is_rare;
    poch(a, b);
    zeta(a, b);
    riemann_zeta(a);
    zetac(a);
}
