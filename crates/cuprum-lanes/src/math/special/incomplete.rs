//! Incomplete gamma and beta functions, their inverses, and the distributions that stand on them.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::erf::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// log1p(x) - x.
    fn log1p_less(x: f64) -> f64 {
        if abs(x) > 0.35 {
            return log1p(x) - x;
        }
        // log1p(x) = 2 atanh(r), r = x / (2 + x); x = 2 r + r x.
        let r = x / (2.0 + x);
        let z = r * r;
        let mut sum = 0.0;
        let mut power = z;
        let mut k = 3.0;
        while k < 35.0 {
            let term = power / k;
            sum += term;
            if term < 1e-18 {
                break;
            }
            power *= z;
            k += 2.0;
        }
        return r * (2.0 * sum - x);
    }

    /// x^a exp(-x) / gamma(a + 1).
    fn gamma_density(a: f64, x: f64) -> f64 {
        if a < 8.0 {
            if x > 700.0 || x < 1e-30 {
                return exp(a * log(x) - x - lgamma_positive(a + 1.0));
            }
            return pow(x, a) * exp(-x) * rgamma(a + 1.0);
        }
        let scale = 0.3989422804014327 / sqrt(a) * exp(-stirling_rest(a));
        let part = (x - a) / a;
        if a > 1e5 && abs(part) < 0.35 {
            let low = fma(-part, a, x - a) / a;
            let exponent = a * log1p_less(part);
            let value = exp(exponent);
            return scale * fma(-value * a * (part / (1.0 + part)), low, value);
        }
        let (x_high, x_low) = log_parts(x);
        let (a_high, a_low) = log_parts(a);
        let difference = x_high - a_high;
        let whole = x_high - difference;
        let low = ((whole - a_high) + (x_high - (difference + whole))) + (x_low - a_low);
        let product = a * difference;
        let product_low = fma(a, difference, -product) + a * low;
        let distance = x - a;
        let back = x - distance;
        let distance_low = (back - a) + (x - (distance + back));
        let exponent = product - distance;
        let spread = product - exponent;
        let rest = ((spread - distance) + (product - (exponent + spread))) + (product_low - distance_low);
        let value = exp(exponent);
        return scale * fma(value, rest, value);
    }

    /// P(a, x) by its series, which converges quickly for x below a.
    fn gamma_series(a: f64, x: f64) -> f64 {
        let mut sum = 1.0;
        let mut term = 1.0;
        let mut n = a;
        let mut i = 0;
        while i < 20000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
            i += 1;
        }
        return sum * gamma_density(a, x);
    }

    /// Q(a, x) by its continued fraction, for x above a.
    fn gamma_fraction(a: f64, x: f64) -> f64 {
        let mut b = x + 1.0 - a;
        let mut c = 1e300;
        let mut d = 1.0 / b;
        let mut h = d;
        let mut i = 1.0;
        while i < 20000.0 {
            let factor = -i * (i - a);
            b += 2.0;
            d = fma(factor, d, b);
            d = if abs(d) < 1e-300 { 1e-300 } else { d };
            c = b + factor / c;
            c = if abs(c) < 1e-300 { 1e-300 } else { c };
            d = 1.0 / d;
            let step = c * d;
            h *= step;
            if abs(step - 1.0) < 2e-16 {
                break;
            }
            i += 1.0;
        }
        return a * gamma_density(a, x) * h;
    }

    /// Q(a, x) for x up to about one, where 1 - P(a, x) may cancel.
    fn gamma_complement_series(a: f64, x: f64) -> f64 {
        let mut sum = 0.0;
        let mut term = 1.0;
        let mut n = 1.0;
        while n < 200.0 {
            term *= -x / n;
            let part = term / (a + n);
            sum += part;
            if abs(part) < 1e-17 * abs(sum) {
                break;
            }
            n += 1.0;
        }
        let t = a * log(x);
        let log_gamma = if a < 0.5 { lgamma_1p(a) } else { lgamma_positive(1.0 + a) };
        return -expm1(t - log_gamma) - exp(t - log_gamma) * a * sum;
    }

    /// The uniform expansion of Temme for large a and x near it: Q(a, x), or P(a, x) for a negative side.
    fn gamma_uniform(a: f64, x: f64, side: f64) -> f64 {
        let part = (x - a) / a;
        let half_square = -log1p_less(part);
        let eta = copysign(sqrt(2.0 * half_square), part);
        let mut sum = 0.0;
        let mut scale = 1.0;
        for k in 0..8 {
            let mut inner = 0.0;
            for n in (0..20).rev() {
                inner = fma(inner, eta, TEMME[k * 20 + n]);
            }
            sum += inner * scale;
            scale /= a;
        }
        let tail = sum * exp(-a * half_square) * 0.3989422804014327 / sqrt(a);
        return 0.5 * erfc(side * eta * sqrt(0.5 * a)) + side * tail;
    }

    /// Whether the uniform expansion serves.
    fn is_near_mean(a: f64, x: f64) -> bool {
        return a > 200.0 && abs(x - a) < 0.3 * a;
    }

    /// The regularized lower incomplete gamma function.
    fn gammainc(a: f64, x: f64) -> f64 {
        if is_nan(a) || is_nan(x) || x < 0.0 || a < 0.0 {
            return NAN;
        }
        if a == 0.0 {
            return if x > 0.0 { 1.0 } else { NAN };
        }
        if x == 0.0 {
            return 0.0;
        }
        if a == INF {
            return if x == INF { NAN } else { 0.0 };
        }
        if x == INF {
            return 1.0;
        }
        if is_near_mean(a, x) {
            return gamma_uniform(a, x, -1.0);
        }
        if x > 1.0 && x > a {
            return 1.0 - gammaincc(a, x);
        }
        return gamma_series(a, x);
    }

    /// The regularized upper incomplete gamma function.
    fn gammaincc(a: f64, x: f64) -> f64 {
        if is_nan(a) || is_nan(x) || x < 0.0 || a < 0.0 {
            return NAN;
        }
        if a == 0.0 {
            return if x > 0.0 { 0.0 } else { NAN };
        }
        if x == 0.0 {
            return 1.0;
        }
        if a == INF {
            return if x == INF { NAN } else { 1.0 };
        }
        if x == INF {
            return 0.0;
        }
        if is_near_mean(a, x) {
            return gamma_uniform(a, x, 1.0);
        }
        if x > 1.1 {
            return if x < a { 1.0 - gamma_series(a, x) } else { gamma_fraction(a, x) };
        }
        if x <= 0.5 {
            return if -0.4 / log(x) < a { 1.0 - gamma_series(a, x) } else { gamma_complement_series(a, x) };
        }
        return if x * 1.1 < a { 1.0 - gamma_series(a, x) } else { gamma_complement_series(a, x) };
    }

    /// The x at which P(a, x) is p and Q(a, x) is q.
    fn gamma_inverse(a: f64, p: f64, q: f64) -> f64 {
        let small = log(p) + lgamma_positive(a + 1.0);
        let mut x = exp(small / a);
        if a > 0.3 && (a > 4.0 || p > 0.1) {
            // Wilson and Hilferty: the cube root is nearly normal.
            let z = if p < q { ndtri(p) } else { -ndtri(q) };
            let w = 1.0 / (9.0 * a);
            let root = 1.0 - w + z * sqrt(w);
            if root > 0.2 {
                x = a * root * root * root;
            } else if x > a {
                x = 0.5 * a;
            }
        } else if q < 0.5 && a < 1.0 {
            x = -log(q) - lgamma_positive(a);
            x = if x > 1.0 { x + (a - 1.0) * log(x) } else { 0.7 };
        }
        if x <= 0.0 {
            return 0.0;
        }
        let mut low = 0.0;
        let mut high = INF;
        let mut i = 0;
        while i < 200 {
            let value = if p < q { gammainc(a, x) } else { gammaincc(a, x) };
            let miss = if p < q { value - p } else { q - value };
            if miss == 0.0 {
                return x;
            }
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let slope = a / x * gamma_density(a, x);
            let mut next = 0.0;
            let target = if p < q { p } else { q };
            if slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target) {
                // Far off: by logarithms, which are nearly straight, the lower one in log(x).
                let ratio = (log(value) - log(target)) * (value / slope);
                next = if p < q { x * exp(-ratio / x) } else { x + ratio };
            } else if slope > 0.0 {
                let step = miss / slope;
                let bend = 0.5 * step * ((a - 1.0) / x - 1.0);
                next = x - (if bend < 0.5 && bend > -0.5 { step / (1.0 - bend) } else { step });
            }
            if !(next > low && next < high) {
                if high == INF {
                    next = 2.0 * x + 1.0;
                } else if low == 0.0 {
                    next = high * 1e-3;
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

    /// The inverse of gammainc in its second argument.
    fn gammaincinv(a: f64, p: f64) -> f64 {
        if is_nan(a) || is_nan(p) || a < 0.0 || p < 0.0 || p > 1.0 {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return if p == 0.0 { 0.0 } else { INF };
        }
        return if a == 0.0 || a == INF { NAN } else { gamma_inverse(a, p, 1.0 - p) };
    }

    /// The inverse of gammaincc in its second argument.
    fn gammainccinv(a: f64, q: f64) -> f64 {
        if is_nan(a) || is_nan(q) || a < 0.0 || q < 0.0 || q > 1.0 {
            return NAN;
        }
        if q == 0.0 || q == 1.0 {
            return if q == 1.0 { 0.0 } else { INF };
        }
        return if a == 0.0 || a == INF { NAN } else { gamma_inverse(a, 1.0 - q, q) };
    }

    /// A sum, and what its rounding lost.
    fn sum_of(a: f64, b: f64) -> (f64, f64) {
        let sum = a + b;
        let part = sum - a;
        return (sum, (a - (sum - part)) + (b - part));
    }

    /// x^a y^b / beta(a, b) for x + y = 1.
    fn beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
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
            if sum > 1e6 && abs(first) < 0.35 && abs(second) < 0.35 {
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
                low = error + (left_low + right_low);
            }
            let value = exp(exponent);
            return scale * fma(value, low, value) * exp(rest);
        }
        if a + b < 100.0 && x > 1e-200 && y > 1e-200 && a > 1e-200 && b > 1e-200 {
            let value = pow(x, a) * pow(y, b) / beta(a, b);
            if value > 1e-290 {
                return value;
            }
        }
        let log_y = if x < 0.5 { log1p(-x) } else { log(y) };
        let log_x = if y < 0.5 { log1p(-y) } else { log(x) };
        return exp(a * log_x + b * log_y - betaln(a, b));
    }

    /// The continued fraction of the incomplete beta function, for x up to about a / (a + b).
    fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
        let sum = a + b;
        let mut c = 1.0;
        let mut d = 1.0 - sum * x / (a + 1.0);
        d = if abs(d) < 1e-300 { 1e-300 } else { d };
        d = 1.0 / d;
        let mut h = d;
        let mut m = 1.0;
        while m < 3000000.0 {
            let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
            d = fma(even, d, 1.0);
            d = if abs(d) < 1e-300 { 1e-300 } else { d };
            c = 1.0 + even / c;
            c = if abs(c) < 1e-300 { 1e-300 } else { c };
            d = 1.0 / d;
            h *= c * d;
            let odd = -(a + m) * (sum + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
            d = fma(odd, d, 1.0);
            d = if abs(d) < 1e-300 { 1e-300 } else { d };
            c = 1.0 + odd / c;
            c = if abs(c) < 1e-300 { 1e-300 } else { c };
            d = 1.0 / d;
            let step = c * d;
            h *= step;
            if abs(step - 1.0) < 2e-16 {
                break;
            }
            m += 1.0;
        }
        return if m < 3000000.0 { h } else { NAN };
    }

    /// The incomplete beta function of a small x by its series.
    fn beta_series(a: f64, b: f64, x: f64) -> f64 {
        let mut term = 1.0;
        let mut sum = 0.0;
        let mut n = 1.0;
        while n < 5000.0 {
            term *= (n - b) / n * x;
            let part = term / (a + n);
            sum += part;
            if abs(part) < 1e-17 * abs(1.0 / a + sum) {
                break;
            }
            n += 1.0;
        }
        let factor = fma(a, sum, 1.0);
        if a + b < 100.0 && x > 1e-200 && a > 1e-200 && b > 1e-200 {
            let value = pow(x, a) / (a * beta(a, b));
            if value > 1e-290 {
                return value * factor;
            }
        }
        return exp(a * log(x) - betaln(a, b) - log(a)) * factor;
    }

    /// The regularized incomplete beta function for x on its own side of the mean, x + y = 1.
    fn beta_lower(a: f64, b: f64, x: f64, y: f64) -> f64 {
        if (b * x <= 1.0 && x <= 0.95) || x < 1e-10 {
            return beta_series(a, b, x);
        }
        return beta_density(a, b, x, y) / a * beta_fraction(a, b, x);
    }

    /// The regularized incomplete beta function at x, or its complement, x + y = 1.
    fn beta_regularized(a: f64, b: f64, x: f64, y: f64, complement: bool) -> f64 {
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
        let direct = (b * x <= 1.0 && x <= 0.95) || x * (a + b + 2.0) <= a + 1.0;
        if direct {
            let value = beta_lower(a, b, x, y);
            if complement && value > 0.9 && a < 1e-3 && a < 1e-3 * b {
                return beta_upper_small(a, b, x, y);
            }
            return if complement { 1.0 - value } else { value };
        }
        let value = beta_lower(b, a, y, x);
        if !complement && value > 0.9 && b < 1e-3 && b < 1e-3 * a {
            return beta_upper_small(b, a, y, x);
        }
        return if complement { value } else { 1.0 - value };
    }

    /// One less the regularized incomplete beta function of a small a, x + y = 1.
    fn beta_upper_small(a: f64, b: f64, x: f64, y: f64) -> f64 {
        if x > 0.05 && y <= 0.95 {
            return beta_series(b, a, y);
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
        // log(a beta(a, b)): the difference of the logarithms by derivatives in its middle.
        let middle = b + 0.5 * a;
        let difference = a * (psi(middle) - a * a / 12.0 * zeta_sum(3.0, middle));
        let exponent = a * log(x) - (lgamma_1p(a) - difference);
        return -expm1(exponent) - exp(exponent) * a * sum;
    }

    /// The regularized incomplete beta function.
    fn betainc(a: f64, b: f64, x: f64) -> f64 {
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
        return beta_regularized(a, b, x, 1.0 - x, false);
    }

    /// One less the regularized incomplete beta function.
    fn betaincc(a: f64, b: f64, x: f64) -> f64 {
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
        return beta_regularized(a, b, x, 1.0 - x, true);
    }

    /// The x up to 1/2 at which the incomplete beta function is p and its complement q.
    fn beta_inverse_low(a: f64, b: f64, p: f64, q: f64) -> f64 {
        let mut low = 0.0;
        let mut high = 0.5;
        let mut x = exp((log(p) + log(a) + betaln(a, b)) / a);
        if a > 1.0 && b > 1.0 {
            // The normal distribution's place, by mean and variance.
            let sum = a + b;
            let z = if p < q { ndtri(p) } else { -ndtri(q) };
            let deviation = sqrt(a * b / (sum + 1.0)) / sum;
            let guess = a / sum + z * deviation;
            x = if guess > 0.1 * a / sum { guess } else { x };
        }
        if !(x > 0.0) {
            return 0.0;
        }
        x = if x < 0.5 { x } else { 0.49 };
        let mut i = 0;
        while i < 300 {
            let y = 1.0 - x;
            let value = beta_regularized(a, b, x, y, !(p < q));
            let miss = if p < q { value - p } else { q - value };
            if miss == 0.0 {
                return x;
            }
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let slope = beta_density(a, b, x, y) / (x * y);
            let mut next = -1.0;
            let target = if p < q { p } else { q };
            if slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target) {
                let ratio = (log(value) - log(target)) * (value / slope);
                next = if p < q { x * exp(-ratio / x) } else { x + ratio };
            } else if slope > 0.0 {
                let step = miss / slope;
                let bend = 0.5 * step * ((a - 1.0) / x - (b - 1.0) / y);
                next = x - (if bend < 0.5 && bend > -0.5 { step / (1.0 - bend) } else { step });
            }
            if !(next > low && next < high) {
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

    /// The x and 1 - x at which the incomplete beta function is p and its complement q.
    fn beta_inverse(a: f64, b: f64, p: f64, q: f64) -> (f64, f64) {
        let is_low = if p < q { p <= beta_regularized(a, b, 0.5, 0.5, false) } else { q >= beta_regularized(a, b, 0.5, 0.5, true) };
        if is_low {
            let x = beta_inverse_low(a, b, p, q);
            return (x, 1.0 - x);
        }
        let y = beta_inverse_low(b, a, q, p);
        return (1.0 - y, y);
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

    /// The parts a x / (b + a x) and b / (b + a x) of the distribution of F.
    fn f_place(a: f64, b: f64, x: f64) -> (f64, f64) {
        let ratio = a / b * x;
        if ratio < 1.0 {
            return (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
        }
        let inverse = b / a / x;
        return (1.0 / (1.0 + inverse), inverse / (1.0 + inverse));
    }

    /// The distribution function of F.
    fn fdtr(a: f64, b: f64, x: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == INF || b == INF {
            return NAN;
        }
        if x == 0.0 || x == INF {
            return if x == 0.0 { 0.0 } else { 1.0 };
        }
        let (place, rest) = f_place(a, b, x);
        return beta_regularized(0.5 * a, 0.5 * b, place, rest, false);
    }

    /// One less the distribution function of F.
    fn fdtrc(a: f64, b: f64, x: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == INF || b == INF {
            return NAN;
        }
        if x == 0.0 || x == INF {
            return if x == 0.0 { 1.0 } else { 0.0 };
        }
        let (place, rest) = f_place(a, b, x);
        return beta_regularized(0.5 * a, 0.5 * b, place, rest, true);
    }

    /// The inverse of fdtr in its third argument.
    fn fdtri(a: f64, b: f64, p: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(p >= 0.0) || p > 1.0 || a == INF || b == INF {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return if p == 0.0 { 0.0 } else { INF };
        }
        let (x, y) = beta_inverse(0.5 * a, 0.5 * b, p, 1.0 - p);
        return b / a * (x / y);
    }

    /// The distribution function of Student's t.
    fn stdtr(df: f64, t: f64) -> f64 {
        if is_nan(df) || is_nan(t) || df <= 0.0 {
            return NAN;
        }
        if df == INF {
            return ndtr(t);
        }
        if abs(t) == INF {
            return if t < 0.0 { 0.0 } else { 1.0 };
        }
        let square = t * t;
        let sum = df + square;
        if square == 0.0 || 0.5 * df == 0.0 {
            return 0.5;
        }
        let tail = if square == INF { 0.0 } else { 0.5 * beta_regularized(0.5 * df, 0.5, df / sum, square / sum, false) };
        return if t < 0.0 { tail } else { 1.0 - tail };
    }

    /// The inverse of stdtr in its second argument.
    fn stdtrit(df: f64, p: f64) -> f64 {
        if !(df > 0.0) || !(p >= 0.0) || p > 1.0 {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return if p == 0.0 { -INF } else { INF };
        }
        if df > 1e20 {
            return ndtri(p);
        }
        if p > 0.25 && p < 0.75 {
            if p == 0.5 {
                return 0.0;
            }
            let (near, far) = beta_inverse(0.5, 0.5 * df, abs(1.0 - 2.0 * p), 1.0 - abs(1.0 - 2.0 * p));
            let middle = sqrt(df * near / far);
            return if p < 0.5 { -middle } else { middle };
        }
        let q = if p < 0.5 { 2.0 * p } else { 2.0 * (1.0 - p) };
        let (x, y) = beta_inverse(0.5 * df, 0.5, q, 1.0 - q);
        let value = sqrt(df * (y / x));
        return if p < 0.5 { -value } else { value };
    }
}

lanes! {
    gammainc(a, b);
    gammaincc(a, b);
    gammaincinv(a, b);
    gammainccinv(a, b);
    betainc(a, b, c);
    betaincc(a, b, c);
    betaincinv(a, b, c);
    betainccinv(a, b, c);
    fdtr(a, b, c);
    fdtrc(a, b, c);
    fdtri(a, b, c);
    stdtr(a, b);
    stdtrit(a, b);
}
