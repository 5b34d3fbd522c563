//! The beta function, its logarithm, binomial coefficients and rising factorials.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const HALF_LOG_TAU: f64 = 0.9189385332046727;
/// From 2^52 on every number is whole.
const WHOLE: f64 = 4503599627370496.0;

plain_functions! {
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

    /// The binomial coefficient of n from 1e-6 to 98 and a k that is not whole: of a k beyond n by the reflection of the gamma
    /// function that has a negative argument.
    fn plain_binom(n: f64, k: f64) -> f64 {
        let is_beyond = k > n;
        let distance = k - n;
        // What the difference lost.
        let part = distance - k;
        let lost = (k - (distance - part)) - (n + part);
        let value = plain_beta(if is_beyond { distance } else { (1.0 + n) - k }, 1.0 + (if is_beyond { n } else { k }));
        let r = (distance - rint(distance)) + lost;
        let sine = r * horner(r * r, &SINPI) * 0.3183098861837907;
        let half = 0.5 * rint(distance);
        let turned = if rint(half) == half { sine } else { -sine };
        return if is_beyond { turned * value } else { plain_quotient(plain_inverse(n + 1.0), value) };
    }

    /// gamma(a + m) / gamma(a) of numbers above zero, the sum, which is below 100, not rounded. One exponential serves both.
    fn plain_poch(a: f64, m: f64) -> f64 {
        let sum = a + m;
        let part = sum - a;
        let error = (a - (sum - part)) + (m - part);
        let (above, above_high, above_low) = gamma_parts(sum);
        let (below, below_high, below_low) = rgamma_parts(a);
        let exponent = above_high - below_high;
        let taken = above_high - exponent;
        let lost = (above_high - (exponent + taken)) + (taken - below_high);
        // Some digits of the derivative are enough beside the error.
        let slope = plain_log(sum + 0.5) - plain_inverse(sum);
        return exp_sum(exponent, fma(slope, error, (above_low - below_low) + lost)) * (above * below);
    }

    /// Whether poch takes another way: of a whole m, too.
    fn poch_is_rare(a: f64, m: f64) -> bool {
        return !(a > 1e-100 && m > 1e-100 && a + m < 100.0) || (m + WHOLE) - WHOLE == m;
    }

    /// Whether binom takes another way.
    fn binom_is_rare(n: f64, k: f64) -> bool {
        return !(n > 1e-6 && n < 98.0 && k > 0.0 && k < 98.0 && k != n) || (k + WHOLE) - WHOLE == k;
    }
}

functions! {
    /// gamma_parts of one element.
    fn gamma_parts_alone(x: f64) -> (f64, f64, f64) {
        if x < 3.0 {
            return (gamma_to_3(x), 0.0, 0.0);
        }
        let (high, low) = stirling_exponent(x);
        return (horner(fma(6.0, plain_inverse(x), -1.0), &GAMMA_FAR), high, low);
    }

    /// rgamma_parts of one element.
    fn rgamma_parts_alone(x: f64) -> (f64, f64, f64) {
        if x < 3.0 {
            return (rgamma_to_3(x), 0.0, 0.0);
        }
        let (high, low) = stirling_exponent(x);
        return (horner(fma(6.0, plain_inverse(x), -1.0), &RGAMMA_FAR), high, low);
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
        if a == -INF || b == -INF {
            return INF;
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
        if a == -INF || b == -INF {
            return INF;
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
        if abs(a) < 100.0 && abs(b) < 100.0 && abs(a) > 1e-300 && abs(b) > 1e-300 {
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
        if k > 1e8 * abs(n) && k > 1e-8 {
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
        if !poch_is_rare(a, m) {
            return plain_poch(a, m);
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
}

lanes! {
    beta(a, b) by plain_beta unless beta_is_rare;
    betaln(a, b) by plain_betaln unless betaln_is_rare;
    binom(a, b) by plain_binom unless binom_is_rare;
    poch(a, b) by plain_poch unless poch_is_rare;
}
