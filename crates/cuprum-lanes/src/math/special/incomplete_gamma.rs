//! Incomplete gamma functions and their inverses.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::erf::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

plain_functions! {
    /// 1 / gamma(a + 1) for a from zero to 3.
    fn density_factor_to_3(a: f64) -> f64 {
        let t = if a < 1.0 { a } else if a < 2.0 { a - 1.0 } else { a - 2.0 };
        let divisor = if a < 1.0 { 1.0 } else if a < 2.0 { a } else { a * (a - 1.0) };
        return plain_quotient(horner(fma(2.0, t, -1.0), &RGAMMA_NEAR), divisor);
    }

    /// The same from 3 on, but for the exponential of stirling_exponent.
    fn density_factor_from_3(a: f64) -> f64 {
        let inverse = plain_inverse(a);
        return even_odd(fma(6.0, inverse, -1.0), &RGAMMA_FAR) * inverse;
    }

    /// factor x^a exp(-x - high - low): one exponential of all logarithms, in two parts.
    fn density_of_logarithms(a: f64, x: f64, high: f64, low: f64, factor: f64) -> f64 {
        let (x_high, x_low) = log_parts(x);
        let product = a * x_high;
        let exponent = product - x;
        let taken = product - exponent;
        let rest = fma(a, x_low, fma(a, x_high, -product)) + ((product - (exponent + taken)) + (taken - x));
        let sum = exponent - high;
        let part = exponent - sum;
        let sum_low = (rest - low) + ((exponent - (sum + part)) + (part - high));
        let is_some = sum > -790.0;
        let value = exp_sum(if is_some { sum } else { -790.0 }, if is_some { sum_low } else { 0.0 }) * factor;
        return if is_some { value } else { 0.0 };
    }

    /// Whether the density takes another way, or none.
    fn density_is_rare(a: f64, x: f64) -> bool {
        return !(a > 0.0 && a < 1e5 && x > 1e-290 && x < 1e290);
    }

    /// gamma_density without branches, some number where it takes another way.
    fn plain_gamma_density(a: f64, x: f64) -> f64 {
        let is_rare = density_is_rare(a, x);
        let is_near = a < 3.0;
        let near = density_factor_to_3(if is_near { a } else { 2.5 });
        let b = if is_near || is_rare { 3.0 } else { a };
        let (high, low) = stirling_exponent(b);
        let far = density_factor_from_3(b);
        let place = if is_rare { 1.0 } else { x };
        let order = if is_rare { 1.0 } else { a };
        return density_of_logarithms(order, place, if is_near { 0.0 } else { high }, if is_near { 0.0 } else { low }, if is_near { near } else { far });
    }
}

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
        if a < 1e5 && x > 1e-290 {
            if a < 3.0 {
                return density_of_logarithms(a, x, 0.0, 0.0, density_factor_to_3(a));
            }
            let (high, low) = stirling_exponent(a);
            return density_of_logarithms(a, x, high, low, density_factor_from_3(a));
        }
        if a < 8.0 {
            return exp(a * log(x) - x - lgamma_positive(a + 1.0));
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
        if exponent < -800.0 {
            return 0.0;
        }
        let spread = product - exponent;
        let rest = ((spread - distance) + (product - (exponent + spread))) + (product_low - distance_low);
        let value = exp(exponent);
        return scale * fma(value, rest, value);
    }

    /// P(a, x) over the density by its series, which converges quickly for x below a.
    fn gamma_series(a: f64, x: f64) -> f64 {
        let mut sum = 1.0;
        let mut term = 1.0;
        let mut n = a;
        let mut i = 0;
        if a < 1e50 {
            // Four terms by one division.
            let square = x * x;
            while i < 5000 {
                let first = n + 1.0;
                let second = n + 2.0;
                let third = n + 3.0;
                n += 4.0;
                let pair = third * n;
                let scale = x / (first * second * pair);
                let ahead = fma(second, pair, x * fma(x, n + x, pair));
                sum = fma(term, scale * ahead, sum);
                term *= scale * x * square;
                if term < 1e-17 * sum {
                    break;
                }
                i += 1;
            }
            return sum;
        }
        while i < 20000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
            i += 1;
        }
        return sum;
    }

    /// Q(a, x) over the density by its continued fraction, for x above a: numerators and denominators upwards.
    fn gamma_fraction(a: f64, x: f64) -> f64 {
        let mut b = x + 1.0 - a;
        let mut above = 1.0;
        let mut below = b;
        let mut above_last = 0.0;
        let mut below_last = 1.0;
        let mut was_close = false;
        let mut i = 1.0;
        while i < 20000.0 {
            let first = i * (a - i);
            b += 2.0;
            above_last = fma(b, above, first * above_last);
            below_last = fma(b, below, first * below_last);
            i += 1.0;
            let second = i * (a - i);
            b += 2.0;
            above = fma(b, above_last, second * above);
            below = fma(b, below_last, second * below);
            i += 1.0;
            let cross = above * below_last;
            // Near a whole a one step changes little, and those that follow it more.
            let is_close = abs(cross - above_last * below) <= 4e-16 * abs(cross);
            if is_close && was_close {
                break;
            }
            was_close = is_close;
            if abs(below) > 1e140 {
                above *= 1e-140;
                below *= 1e-140;
                above_last *= 1e-140;
                below_last *= 1e-140;
            }
        }
        return a * (above / below);
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
        return gammainc_from(a, x, plain_gamma_density(a, x));
    }

    /// The same, given plain_gamma_density.
    fn gammainc_from(a: f64, x: f64, density: f64) -> f64 {
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
        return gamma_lower(a, x, if density_is_rare(a, x) { gamma_density(a, x) } else { density });
    }

    /// P(a, x), not near the mean of a large a, given the density.
    fn gamma_lower(a: f64, x: f64, density: f64) -> f64 {
        if x > 1.0 && x > a {
            return 1.0 - gamma_upper(a, x, density);
        }
        return gamma_series(a, x) * density;
    }

    /// The regularized upper incomplete gamma function.
    fn gammaincc(a: f64, x: f64) -> f64 {
        return gammaincc_from(a, x, plain_gamma_density(a, x));
    }

    /// The same, given plain_gamma_density.
    fn gammaincc_from(a: f64, x: f64, density: f64) -> f64 {
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
        return gamma_upper(a, x, if density_is_rare(a, x) { gamma_density(a, x) } else { density });
    }

    /// Q(a, x), not near the mean of a large a, given the density.
    fn gamma_upper(a: f64, x: f64, density: f64) -> f64 {
        if x > 1.1 && x >= a {
            return if density == 0.0 { 0.0 } else { gamma_fraction(a, x) * density };
        }
        if x <= 1.1 && (if x <= 0.5 { -0.4 / log(x) >= a } else { x * 1.1 >= a }) {
            return gamma_complement_series(a, x);
        }
        return 1.0 - gamma_series(a, x) * density;
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
            let density = gamma_density(a, x);
            let mut value = 0.0;
            if is_near_mean(a, x) {
                value = gamma_uniform(a, x, if p < q { -1.0 } else { 1.0 });
            } else {
                value = if p < q { gamma_lower(a, x, density) } else { gamma_upper(a, x, density) };
            }
            let miss = if p < q { value - p } else { q - value };
            if miss == 0.0 {
                return x;
            }
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let slope = a / x * density;
            let curve = (a - 1.0) / x - 1.0;
            let mut next = 0.0;
            let mut left = INF;
            let target = if p < q { p } else { q };
            if slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target) {
                // Far off: by logarithms, which are nearly straight, the lower one in log(x).
                let ratio = (log(value) - log(target)) * (value / slope);
                next = if p < q { x * exp(-ratio / x) } else { x + ratio };
            } else if slope > 0.0 {
                let step = miss / slope;
                let bend = 0.5 * step * curve;
                if bend < 0.5 && bend > -0.5 {
                    // Halley's step; it leaves such a part.
                    next = x - step / (1.0 - bend);
                    let part = step / x;
                    let bent = curve * x;
                    left = abs(part * part * part) * (bent * bent / 12.0 + abs(a - 1.0) / 6.0);
                } else {
                    next = x - step;
                }
            }
            if !(next > low && next < high) {
                if high == INF {
                    next = 2.0 * x + 1.0;
                } else if low == 0.0 {
                    next = high * 1e-3;
                } else {
                    next = if high > 4.0 * low { sqrt(low) * sqrt(high) } else { 0.5 * (low + high) };
                }
                left = INF;
            }
            let moved = abs(next - x);
            x = next;
            if moved <= 4e-16 * x || left <= 2e-17 || x == 0.0 {
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
}

lanes! {
    gammainc(a, b) by gammainc_from of plain_gamma_density;
    gammaincc(a, b) by gammaincc_from of plain_gamma_density;
    gammaincinv(a, b);
    gammainccinv(a, b);
}
