//! Incomplete beta functions and their inverses.

#[allow(unused_imports)]
use super::beta::*;
#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::erf::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::incomplete_gamma::*;
#[allow(unused_imports)]
use super::zeta::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

plain_functions! {
    /// A sum, and what its rounding lost.
    fn sum_of(a: f64, b: f64) -> (f64, f64) {
        let sum = a + b;
        let part = sum - a;
        return (sum, (a - (sum - part)) + (b - part));
    }

    /// Whether the density takes another way, or none.
    fn beta_density_is_rare(a: f64, b: f64, x: f64, y: f64) -> bool {
        return !(a > 1e-100 && b > 1e-100 && a + b < 3000.0 && x > 1e-290 && y > 1e-290 && x <= 1.0 && y <= 1.0);
    }

    /// 1 / beta(a, b) of such numbers as a factor and an exponent in two parts.
    fn beta_norm(a: f64, b: f64) -> (f64, f64, f64) {
        let (left, left_high, left_low) = rgamma_parts(a);
        let (right, right_high, right_low) = rgamma_parts(b);
        let (above, above_high, above_low) = gamma_parts(a + b);
        let (norm, norm_low) = beta_norm_exponent(a, b, left_high, right_high, above_high, above_low - (left_low + right_low));
        return (left * above * right, norm, norm_low);
    }

    /// The exponent of that from those of the gamma functions.
    fn beta_norm_exponent(a: f64, b: f64, left: f64, right: f64, above: f64, low: f64) -> (f64, f64) {
        let (sum, lost) = sum_of(a, b);
        let (gammas, gammas_low) = sum_of(left, right);
        let (rest, rest_low) = sum_of(above, -gammas);
        // Some digits of the derivative are enough beside what the sum lost.
        let slope = plain_log(sum + 0.5) - plain_inverse(sum);
        return (rest, fma(slope, lost, low + (rest_low - gammas_low)));
    }

    /// x^a y^b / beta(a, b) of such numbers, given beta_norm: one exponential of all logarithms, in two parts.
    fn beta_density_by(a: f64, b: f64, x: f64, y: f64, factor: f64, norm: f64, norm_low: f64) -> f64 {
        let (x_high, x_low) = log_parts(x);
        let (y_high, y_low) = log_parts(y);
        let first = a * x_high;
        let second = b * y_high;
        let lows = fma(a, x_low, fma(a, x_high, -first)) + fma(b, y_low, fma(b, y_high, -second));
        let (both, both_low) = sum_of(first, second);
        let (exponent, low) = sum_of(both, norm);
        // What is missing to x + y = 1 belongs to the larger one, which was rounded more and which one less is exact.
        let missing = if x < y { (1.0 - y) - x } else { (1.0 - x) - y };
        let more = plain_quotient((if x < y { b } else { a }) * missing, if x < y { y } else { x });
        let all_low = ((lows + norm_low) + more) + (both_low + low);
        let is_some = exponent > -790.0;
        let value = exp_sum(if is_some { exponent } else { -790.0 }, if is_some { all_low } else { 0.0 }) * factor;
        return if is_some { value } else { 0.0 };
    }

    /// x^a y^b / beta(a, b) of such numbers, x + y = 1.
    fn beta_density_near(a: f64, b: f64, x: f64, y: f64) -> f64 {
        let (factor, norm, low) = beta_norm(a, b);
        return beta_density_by(a, b, x, y, factor, norm, low);
    }

    /// The density of such numbers, some number where it takes another way.
    fn plain_beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
        let is_rare = beta_density_is_rare(a, b, x, y);
        return beta_density_near(if is_rare { 1.0 } else { a }, if is_rare { 1.0 } else { b }, if is_rare { 0.5 } else { x }, if is_rare { 0.5 } else { y });
    }

    /// The same at x and 1 - x.
    fn betainc_density(a: f64, b: f64, x: f64) -> f64 {
        return plain_beta_density(a, b, x, 1.0 - x);
    }
}

functions! {
    /// beta_norm of one element: each gamma function takes its own way alone.
    fn beta_norm_alone(a: f64, b: f64) -> (f64, f64, f64) {
        let (left, left_high, left_low) = rgamma_parts_alone(a);
        let (right, right_high, right_low) = rgamma_parts_alone(b);
        let (above, above_high, above_low) = gamma_parts_alone(a + b);
        let (norm, norm_low) = beta_norm_exponent(a, b, left_high, right_high, above_high, above_low - (left_low + right_low));
        return (left * above * right, norm, norm_low);
    }

    /// x^a y^b / beta(a, b) for x + y = 1.
    fn beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
        if !beta_density_is_rare(a, b, x, y) {
            let (factor, norm, norm_low) = beta_norm_alone(a, b);
            return beta_density_by(a, b, x, y, factor, norm, norm_low);
        }
        if a >= 8.0 && b >= 8.0 {
            // Relative to the largest value, where x = a / (a + b): the logarithms are small there.
            let sum = a + b;
            let shift = fma(x, sum, -a);
            let first = shift / a;
            let second = -shift / b;
            let scale = sqrt(a / sum * b / 6.283185307179586);
            let rest = stirling_rest(sum) - stirling_rest(a) - stirling_rest(b);
            let mut exponent = 0.0;
            let mut low = 0.0;
            let is_first_near = abs(first) < 0.35;
            let is_second_near = abs(second) < 0.35;
            // Where one parameter is small beside the other, x or y alone does not tell how far it is from the other's mean.
            let is_near = (is_first_near || a < 1e3) && (is_second_near || b < 1e3) && (is_first_near || is_second_near);
            if sum > 1e6 && is_near {
                exponent = a * log1p_less(first) + b * log1p_less(second);
            } else {
                let (x_high, x_low) = log_parts(x);
                let (y_high, y_low) = log_parts(y);
                let (s_high, s_low) = log_parts(sum);
                let (a_high, a_low) = log_parts(a);
                let (b_high, b_low) = log_parts(b);
                let (x_part, x_rest) = sum_of(x_high, s_high);
                let (at_x, x_more) = sum_of(x_part, -a_high);
                let (y_part, y_rest) = sum_of(y_high, s_high);
                let (at_y, y_more) = sum_of(y_part, -b_high);
                let left = a * at_x;
                let right = b * at_y;
                let (whole, error) = sum_of(left, right);
                let left_low = fma(a, at_x, -left) + a * ((x_rest + x_more) + ((x_low + s_low) - a_low));
                let right_low = fma(b, at_y, -right) + b * ((y_rest + y_more) + ((y_low + s_low) - b_low));
                exponent = whole;
                // What is missing to x + y = 1 belongs to the larger one.
                let less = if x < y { (1.0 - y) - x } else { (1.0 - x) - y };
                let missing = (if x < y { b } else { a }) * less / (if x < y { y } else { x });
                low = error + (left_low + right_low) + missing;
            }
            let value = exp(exponent);
            return scale * fma(value, low, value) * exp(rest);
        }
        let log_y = if x < 0.5 { log1p(-x) } else { log(y) };
        let log_x = if y < 0.5 { log1p(-y) } else { log(x) };
        return exp(a * log_x + b * log_y - betaln(a, b));
    }

    /// The continued fraction of the incomplete beta function over the density, x + y = 1, for x up to about a / (a + b), where
    /// its terms are positive: numerators and denominators upwards.
    fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
        let sum = a + b;
        let first = a * y;
        let second = b * x;
        let shift = ((first - second) + (fma(a, y, -first) - fma(b, x, -second))) + 1.0;
        let slope = 1.0 + y;
        let mut inverse = 1.0 / (a + 1.0);
        let mut above = a * shift * inverse;
        let mut below = 1.0;
        let mut above_last = 1.0;
        let mut below_last = 0.0;
        let mut was_close = false;
        let mut m = 1.0;
        while m < 3000000.0 {
            let before = m - 1.0;
            let part = m * (b - m) * x * inverse;
            let numerator = (a + before) * inverse * (sum + before) * (x * part);
            inverse = 1.0 / (a + 2.0 * m + 1.0);
            let denominator = (m + part) + (a + m) * inverse * fma(m, slope, shift);
            let next_above = fma(denominator, above, numerator * above_last);
            let next_below = fma(denominator, below, numerator * below_last);
            above_last = above;
            below_last = below;
            above = next_above;
            below = next_below;
            // Where b is nearly whole, one step changes little, and those that follow it more.
            let cross = above * below_last;
            let is_close = abs(cross - above_last * below) <= 4e-16 * abs(cross);
            if is_close && was_close {
                break;
            }
            was_close = is_close;
            if abs(above) > 1e100 {
                above *= 1e-100;
                below *= 1e-100;
                above_last *= 1e-100;
                below_last *= 1e-100;
            }
            m += 1.0;
        }
        return if m < 3000000.0 { below / above } else { NAN };
    }

    /// The sum of x^n (a + b) ... (a + b + n - 1) / ((a + 1) ... (a + n)) for an x at which it ends soon.
    fn beta_sum(a: f64, b: f64, x: f64) -> f64 {
        let mut sum = 1.0;
        let mut term = 1.0;
        let mut above = a + b;
        let mut below = a + 1.0;
        let mut n = 0.0;
        while n < 1000.0 {
            term *= above * x / below;
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
            above += 1.0;
            below += 1.0;
            n += 1.0;
        }
        return sum;
    }

    /// The regularized incomplete beta function for x on its own side of the mean, x + y = 1, given the density.
    fn beta_lower(a: f64, b: f64, x: f64, y: f64, density: f64) -> f64 {
        if (a + b) * x < 0.2 * (a + 1.0) && x < 0.2 {
            return density / a * beta_sum(a, b, x);
        }
        return density * beta_fraction(a, b, x, y);
    }

    /// The regularized incomplete beta function at x, or its complement, x + y = 1, given plain_beta_density.
    fn beta_regularized_plain(a: f64, b: f64, x: f64, y: f64, density: f64, complement: bool) -> f64 {
        return beta_regularized_from(a, b, x, y, if beta_density_is_rare(a, b, x, y) { beta_density(a, b, x, y) } else { density }, complement);
    }

    /// The same, given the density.
    fn beta_regularized_from(a: f64, b: f64, x: f64, y: f64, density: f64, complement: bool) -> f64 {
        if a < 1e-100 && b < 1e-100 {
            // All is at both ends.
            return (if complement { a } else { b }) / (a + b);
        }
        if (if complement { b } else { a }) < 1e-280 {
            // What lies beyond x is less than a rounding.
            return 1.0;
        }
        if b > 1e10 && b > 1e10 * a {
            let place = -(b + 0.5 * (a - 1.0)) * log1p(-x);
            return if complement { gammaincc(a, place) } else { gammainc(a, place) };
        }
        if a > 1e10 && a > 1e10 * b {
            let place = -(a + 0.5 * (b - 1.0)) * log1p(-y);
            return if complement { gammainc(b, place) } else { gammaincc(b, place) };
        }
        if a > 1e13 && b > 1e13 {
            let sum = a + b;
            let shift = fma(x, sum, -a);
            // Rounded quotients may lie beyond the ends.
            let left = if shift < -a { -1.0 } else { shift / a };
            let right = if shift > b { -1.0 } else { -shift / b };
            let square = -2.0 * (a * log1p_less(left) + b * log1p_less(right));
            let place = copysign(if square > 0.0 { sqrt(square) } else { 0.0 }, shift);
            return ndtr(if complement { -place } else { place });
        }
        // Of small parameters either side is computed by itself, wherever the other one is nearly all.
        let is_left = x * (a + b + 2.0) <= a + 1.0;
        let small = if complement { a } else { b };
        let place = if complement { y } else { x };
        let is_either = small < 1.0 && place <= (if small < 0.3 { 0.99 } else { 0.95 });
        if (is_either && !complement) || (!is_either && is_left) {
            let value = beta_lower(a, b, x, y, density);
            if complement && value > 0.9 && a < 0.3 && a < 0.2 * b {
                return beta_upper_small(a, b, x, y);
            }
            return if complement { 1.0 - value } else { value };
        }
        let value = beta_lower(b, a, y, x, density);
        if !complement && value > 0.9 && b < 0.3 && b < 0.2 * a {
            return beta_upper_small(b, a, y, x);
        }
        return if complement { value } else { 1.0 - value };
    }

    /// One less the regularized incomplete beta function of an a that is small, beside b too, x + y = 1.
    fn beta_upper_small(a: f64, b: f64, x: f64, y: f64) -> f64 {
        if x > 0.5 {
            return beta_lower(b, a, y, x, beta_density(a, b, x, y));
        }
        let mut term = 1.0;
        let mut sum = 0.0;
        let mut n = 1.0;
        while n < 5000.0 {
            term *= (n - b) / n * x;
            let part = term / (a + n);
            sum += part;
            if abs(part) < 1e-17 * abs(sum) {
                break;
            }
            n += 1.0;
        }
        // log(a beta(a, b)): the difference of the logarithms by derivatives in its middle, where digamma is close to the
        // logarithm, which takes most of that of x away.
        let half = 0.5 * a;
        let middle = b + half;
        let is_far = middle > 10.0;
        let mut slope = if is_far { log(x * middle) } else { log(x) + psi(middle) };
        if is_far {
            let inverse = 1.0 / middle;
            let w = inverse * inverse;
            slope -= fma(w, poly(fma(12.5, w, -1.0), &DIGAMMA_FAR), 0.5 * inverse);
        }
        let ratio = half / middle;
        let mut power = ratio * ratio;
        let mut k = 3.0;
        while power > 1e-17 && k < 30.0 {
            power = pow(half, k - 1.0);
            slope -= power * zeta_sum(k, middle) / k;
            power *= pow(middle, 1.0 - k);
            k += 2.0;
        }
        let exponent = fma(a, slope, -lgamma_1p(a));
        return -expm1(exponent) - exp(exponent) * a * sum;
    }

    /// The regularized incomplete beta function.
    fn betainc(a: f64, b: f64, x: f64) -> f64 {
        return betainc_from(a, b, x, betainc_density(a, b, x));
    }

    /// The same, given betainc_density.
    fn betainc_from(a: f64, b: f64, x: f64, density: f64) -> f64 {
        if !(a >= 0.0) || !(b >= 0.0) || !(x >= 0.0) || x > 1.0 {
            return NAN;
        }
        if a == 0.0 || b == INF {
            return if (a == 0.0 && b == 0.0) || (a == INF && b == INF) { NAN } else if x > 0.0 { 1.0 } else { 0.0 };
        }
        if b == 0.0 || a == INF {
            return if x < 1.0 { 0.0 } else { 1.0 };
        }
        if x == 0.0 || x == 1.0 {
            return x;
        }
        return beta_regularized_plain(a, b, x, 1.0 - x, density, false);
    }

    /// One less the regularized incomplete beta function.
    fn betaincc(a: f64, b: f64, x: f64) -> f64 {
        return betaincc_from(a, b, x, betainc_density(a, b, x));
    }

    /// The same, given betainc_density.
    fn betaincc_from(a: f64, b: f64, x: f64, density: f64) -> f64 {
        if !(a >= 0.0) || !(b >= 0.0) || !(x >= 0.0) || x > 1.0 {
            return NAN;
        }
        if a == 0.0 || b == INF {
            return if (a == 0.0 && b == 0.0) || (a == INF && b == INF) { NAN } else if x > 0.0 { 0.0 } else { 1.0 };
        }
        if b == 0.0 || a == INF {
            return if x < 1.0 { 1.0 } else { 0.0 };
        }
        if x == 0.0 || x == 1.0 {
            return 1.0 - x;
        }
        return beta_regularized_plain(a, b, x, 1.0 - x, density, true);
    }

    /// A first x and 1 - x for the inverse of the incomplete beta function.
    fn beta_guess(a: f64, b: f64, p: f64, q: f64) -> (f64, f64) {
        if a >= 1.0 && b >= 1.0 {
            // By Carter's approximation of the distribution's logarithm of odds.
            let z = if p < q { ndtri(p) } else { -ndtri(q) };
            let left = 1.0 / (2.0 * a - 1.0);
            let right = 1.0 / (2.0 * b - 1.0);
            let slope = (z * z - 3.0) / 6.0;
            let h = 2.0 / (left + right);
            let inner = h + slope;
            if inner > 0.0 && z * z < 40.0 {
                let w = -z * sqrt(inner) / h - (right - left) * (slope + 0.8333333333333334 - 2.0 / (3.0 * h));
                let odds = b / a * exp(2.0 * w);
                if odds > 1e-30 && odds < 1e30 {
                    return (1.0 / (1.0 + odds), odds / (1.0 + odds));
                }
            }
        }
        // By the powers that the density has at both ends.
        let sum = a + b;
        let left = exp(a * log(a / sum)) / a;
        let right = exp(b * log(b / sum)) / b;
        let whole = left + right;
        if p * whole < left {
            let x = exp(log(a * whole * p) / a);
            return (x, 1.0 - x);
        }
        let y = exp(log(b * whole * q) / b);
        return (1.0 - y, y);
    }

    /// The x below 3/4 at which the incomplete beta function is p and its complement q, from a first guess; 3/4 where it is
    /// larger.
    fn beta_inverse_low(a: f64, b: f64, p: f64, q: f64, guess: f64) -> f64 {
        let mut low = 0.0;
        let mut high = 0.75;
        let mut x = guess;
        if !(x > 0.0) {
            x = exp((log(p) + log(a) + betaln(a, b)) / a);
            if !(x > 0.0) {
                return 0.0;
            }
        }
        x = if x < 0.7 { x } else { 0.7 };
        let (factor, norm, norm_low) = beta_norm_alone(a, b);
        let mut i = 0;
        while i < 300 {
            let y = 1.0 - x;
            let density = if beta_density_is_rare(a, b, x, y) { beta_density(a, b, x, y) } else { beta_density_by(a, b, x, y, factor, norm, norm_low) };
            let value = beta_regularized_from(a, b, x, y, density, !(p < q));
            let miss = if p < q { value - p } else { q - value };
            if miss == 0.0 {
                return x;
            }
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let slope = density / (x * y);
            let mut next = -1.0;
            let mut left = INF;
            let target = if p < q { p } else { q };
            if slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target) {
                let ratio = (log(value) - log(target)) * (value / slope);
                next = if p < q { x * exp(-ratio / x) } else { x + ratio };
            } else if slope > 0.0 {
                // A step by the first three derivatives of the logarithm of the slope, in parts of x; it leaves such a part.
                let part = miss / (slope * x);
                let odds = x / y;
                let bent = (a - 1.0) - (b - 1.0) * odds;
                let turned = -(a - 1.0) - (b - 1.0) * odds * odds;
                let twisted = 2.0 * ((a - 1.0) - (b - 1.0) * odds * odds * odds);
                let second = 0.5 * bent;
                let third = (bent * bent + turned) / 6.0;
                let fourth = (bent * (bent * bent + 3.0 * turned) + twisted) / 24.0;
                let bend = second * part;
                let curl = third * part * part;
                if bend < 0.25 && bend > -0.25 && curl < 0.25 && curl > -0.25 {
                    next = x - x * (part * (1.0 - bend) / ((1.0 - 2.0 * bend) + curl));
                    let square = part * part;
                    left = square * square * (abs(second) * (second * second + 2.0 * abs(third)) + abs(fourth));
                } else if bend < 0.5 && bend > -0.5 {
                    next = x - x * (part / (1.0 - bend));
                    left = abs(part * part * part) * (abs(third) + second * second);
                } else {
                    next = x - x * part;
                }
            }
            if left <= 2e-17 && next > 0.0 {
                return next;
            }
            if !(next > low && next < high) {
                if next >= high && high == 0.75 && low > 0.7 {
                    return 0.75;
                }
                if low == 0.0 {
                    next = if i < 40 { high * 0.125 } else { high * 1e-12 };
                } else {
                    next = if high > 4.0 * low { sqrt(low) * sqrt(high) } else { 0.5 * (low + high) };
                }
            }
            let moved = abs(next - x);
            x = next;
            if moved <= 4e-16 * x || x == 0.0 {
                return x;
            }
            i += 1;
        }
        return x;
    }

    /// The x and 1 - x at which the incomplete beta function is p and its complement q, from a first guess of both.
    fn beta_inverse_from(a: f64, b: f64, p: f64, q: f64, x_guess: f64, y_guess: f64) -> (f64, f64) {
        if a == b && p == q {
            return (0.5, 0.5);
        }
        if x_guess < y_guess {
            let x = beta_inverse_low(a, b, p, q, x_guess);
            if x < 0.7 {
                return (x, 1.0 - x);
            }
        }
        let y = beta_inverse_low(b, a, q, p, y_guess);
        if y < 0.7 {
            return (1.0 - y, y);
        }
        let x = beta_inverse_low(a, b, p, q, x_guess);
        return (x, 1.0 - x);
    }

    /// The x and 1 - x at which the incomplete beta function is p and its complement q.
    fn beta_inverse(a: f64, b: f64, p: f64, q: f64) -> (f64, f64) {
        let (x, y) = beta_guess(a, b, p, q);
        return beta_inverse_from(a, b, p, q, x, y);
    }

    /// The inverse of betainc in its third argument.
    fn betaincinv(a: f64, b: f64, p: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(p >= 0.0) || p > 1.0 || a == INF || b == INF {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return p;
        }
        let (x, _y) = beta_inverse(a, b, p, 1.0 - p);
        return x;
    }

    /// The inverse of betaincc in its third argument.
    fn betainccinv(a: f64, b: f64, q: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(q >= 0.0) || q > 1.0 || a == INF || b == INF {
            return NAN;
        }
        if q == 0.0 || q == 1.0 {
            return 1.0 - q;
        }
        let (x, _y) = beta_inverse(a, b, 1.0 - q, q);
        return x;
    }
}

lanes! {
    betainc(a, b, c) by betainc_from of betainc_density;
    betaincc(a, b, c) by betaincc_from of betainc_density;
    betaincinv(a, b, c);
    betainccinv(a, b, c);
}
