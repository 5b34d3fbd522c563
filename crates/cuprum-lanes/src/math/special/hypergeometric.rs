//! Hypergeometric functions.

#[allow(unused_imports)]
use super::beta::*;
#[allow(unused_imports)]
use super::bessel_ik::*;
#[allow(unused_imports)]
use super::bessel_jy::*;
#[allow(unused_imports)]
use super::bessel_large::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// 0F1 of a parameter whose gamma function is too large for a double, x not small beside it: by logarithms.
    fn hyp0f1_large(v: f64, x: f64) -> f64 {
        let ratio = x / v;
        if v > 1e7 && abs(x) < 1e-4 * v * v {
            // The logarithm's own series.
            let second = 0.5 * ratio * (ratio / (v + 1.0));
            let third = 0.6666666666666666 * ratio * (ratio / (v + 1.0)) * (ratio / (v + 2.0));
            return exp(ratio - second + third);
        }
        let root = sqrt(abs(x));
        let order = v - 1.0;
        let y = 2.0 * root;
        let scale = lgamma_positive(v) - order * log(root);
        if x > 0.0 {
            let (exponent, size, sum, _other) = large_ik(order, y);
            return exp(scale + exponent + y + log(0.3989422804014327 * size * sum));
        }
        let value = jv(order, y);
        if abs(value) > 1e-290 {
            return copysign(exp(scale + log(abs(value))), value);
        }
        if y >= order {
            return 0.0;
        }
        // J by its expansion to the left of the turning point, which is too small for a double.
        let part = y / order;
        let s = sqrt((1.0 - part) * (1.0 + part));
        let q = 1.0 / (s * s);
        let first = (3.0 - 5.0 * q) / (24.0 * order * s);
        let third = q * (81.0 + q * (-462.0 + 385.0 * q)) / (1152.0 * order * order);
        let decay = order * (log((1.0 + s) / part) - s);
        return exp(scale - decay) * (1.0 + first + third) / sqrt(6.283185307179586 * order * s);
    }

    /// 0F1 of a parameter far below zero, whose gamma function is too small for a double.
    fn hyp0f1_negative(v: f64, x: f64) -> f64 {
        let order = 1.0 - v;
        if abs(x) < order {
            let mut term = 1.0;
            let mut sum = 1.0;
            let mut k = 0.0;
            // Terms grow once more where v + k is near zero, and are far below the smallest number there.
            while k < 500.0 && abs(term) > 1e-17 * abs(sum) {
                term *= x / ((v + k) * (k + 1.0));
                sum += term;
                k += 1.0;
            }
            return sum;
        }
        let ratio = x / v;
        let square = ratio * ratio;
        if square * square < -1e-14 * v * v * v {
            // The logarithm's own series.
            let second = 0.5 * ratio * (ratio / (v + 1.0));
            let third = 0.6666666666666666 * ratio * (ratio / (v + 1.0)) * (ratio / (v + 2.0));
            return exp(ratio - second + third);
        }
        // gamma(v) root^order times I or J of order v - 1, by those of order 1 - v.
        let root = sqrt(abs(x));
        let y = 2.0 * root;
        let scale = order * log(root) - lgamma_positive(order);
        let size_of_gamma = 3.141592653589793 / sinpi(v);
        if x > 0.0 {
            let (exponent, size, sum, other) = large_ik(order, y);
            // The logarithms of exp(-y) I and exp(y) K.
            let mut grows = exponent + log(0.3989422804014327 * size * sum);
            let mut decays = log(1.2533141373155003 * size * other) - exponent;
            let i = ive(order, y);
            let k = kve(order, y);
            if i > 1e-290 {
                grows = log(i);
            }
            if k < 1e290 {
                decays = log(k);
            }
            return size_of_gamma * exp(scale + grows + y) + 2.0 * exp(scale + decays - y);
        }
        let j = jv(order, y);
        let n = yv(order, y);
        if abs(n) < 1e290 {
            let whole = size_of_gamma * cospi(order) * j - 3.141592653589793 * n;
            return copysign(exp(scale + log(abs(whole))), whole);
        }
        // Y by its expansion to the left of the turning point, which is too large for a double; J is nothing beside it.
        let part = y / order;
        let s = sqrt((1.0 - part) * (1.0 + part));
        let q = 1.0 / (s * s);
        let first = (3.0 - 5.0 * q) / (24.0 * order * s);
        let third = q * (81.0 + q * (-462.0 + 385.0 * q)) / (1152.0 * order * order);
        let decay = order * (log((1.0 + s) / part) - s);
        return 6.283185307179586 * exp(scale + decay) * (1.0 - first + third) / sqrt(6.283185307179586 * order * s);
    }

    /// The confluent limit function 0F1.
    fn hyp0f1(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) {
            return NAN;
        }
        if v <= 0.0 && floor(v) == v {
            return NAN;
        }
        if x == 0.0 {
            return 1.0;
        }
        if abs(x) < 1.0 || (x > 0.0 && x < 400.0 && v > 0.0) || abs(x) < 0.5 * v || (v > 170.0 && x > 0.0 && x < 100.0 * v) {
            let mut term = 1.0;
            let mut sum = 1.0;
            let mut k = 0.0;
            while k < 500.0 {
                term *= x / ((v + k) * (k + 1.0));
                sum += term;
                k += 1.0;
                if abs(term) < 1e-17 * abs(sum) && k > -v {
                    break;
                }
            }
            return sum;
        }
        if v > 170.0 {
            return hyp0f1_large(v, x);
        }
        if v < -160.0 {
            return hyp0f1_negative(v, x);
        }
        let root = sqrt(abs(x));
        let factor = gamma(v) * pow(root, 1.0 - v);
        let bessel = if x > 0.0 { iv(v - 1.0, 2.0 * root) } else { jv(v - 1.0, 2.0 * root) };
        if v < -100.0 && !(abs(factor * bessel) < 1e300) {
            return hyp0f1_negative(v, x);
        }
        return if bessel == INF { gammasgn(v) * bessel } else { factor * bessel };
    }

    /// A term times a quotient, all in two parts. One division, which does not wait for the term.
    fn scaled_term(term: f64, term_low: f64, above: f64, above_low: f64, below: f64, below_low: f64) -> (f64, f64) {
        let inverse = 1.0 / below;
        let ratio = above * inverse;
        let ratio_low = (fma(-ratio, below, above) + fma(-ratio, below_low, above_low)) * inverse;
        let next = term * ratio;
        let low = fma(term, ratio, -next) + fma(term, ratio_low, term_low * ratio);
        let sum = next + low;
        return (sum, (next - sum) + low);
    }

    /// A sum in two parts with another number in two parts added.
    fn plus(high: f64, low: f64, other: f64, other_low: f64) -> (f64, f64) {
        let sum = high + other;
        let part = sum - high;
        let error = ((high - (sum - part)) + (other - part)) + (low + other_low);
        let whole = sum + error;
        return (whole, (sum - whole) + error);
    }

    /// The series of the confluent function 1F1, two terms by one division, and its largest term.
    fn hyp1f1_quick(a: f64, b: f64, x: f64) -> (f64, f64) {
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut largest = 1.0;
        let mut k = 0.0;
        while k < 5000.0 {
            let first = (a + k) * x;
            let first_below = (b + k) * (k + 1.0);
            let second = (a + (k + 1.0)) * x;
            let second_below = (b + (k + 1.0)) * (k + 2.0);
            let scale = first / (first_below * second_below);
            let before = term * (scale * second_below);
            term *= scale * second;
            sum += before + term;
            largest = if abs(before) > largest { abs(before) } else { largest };
            largest = if abs(term) > largest { abs(term) } else { largest };
            k += 2.0;
            if !(abs(term) >= 1e-17 * abs(sum)) && k > abs(x) && k > -a && k > -b {
                break;
            }
        }
        return (sum, largest);
    }

    /// The series of the confluent function 1F1, in twice the precision where its terms cancel.
    fn hyp1f1_series(a: f64, b: f64, x: f64) -> f64 {
        if abs(a) < 1e3 && abs(b) < 1e3 && abs(x) < 1e3 {
            let (value, largest) = hyp1f1_quick(a, b, x);
            if largest <= 3.0 * abs(value) && largest < 1e290 {
                return value;
            }
        }
        let mut term = 1.0;
        let mut term_low = 0.0;
        let mut sum = 1.0;
        let mut sum_low = 0.0;
        let mut k = 0.0;
        while k < 5000.0 {
            let (ah, al) = plus(a, 0.0, k, 0.0);
            let (bh, bl) = plus(b, 0.0, k, 0.0);
            let above = ah * x;
            let above_low = fma(ah, x, -above) + al * x;
            let below = bh * (k + 1.0);
            let below_low = fma(bh, k + 1.0, -below) + bl * (k + 1.0);
            let (next, next_low) = scaled_term(term, term_low, above, above_low, below, below_low);
            term = next;
            term_low = next_low;
            let (total, total_low) = plus(sum, sum_low, term, term_low);
            sum = total;
            sum_low = total_low;
            k += 1.0;
            if term == 0.0 || !(abs(sum) < INF) || (abs(term) < 1e-17 * abs(sum) && k > abs(x) && k > -a && k > -b) {
                break;
            }
        }
        return if k < 5000.0 { sum } else { NAN };
    }

    /// The confluent hypergeometric function 1F1.
    fn hyp1f1(a: f64, b: f64, x: f64) -> f64 {
        if is_nan(a) || is_nan(b) || is_nan(x) {
            return NAN;
        }
        let ends = a <= 0.0 && floor(a) == a;
        if b <= 0.0 && floor(b) == b && !(ends && a > b) {
            return INF;
        }
        if a == 0.0 || x == 0.0 {
            return 1.0;
        }
        if a == b {
            return exp(x);
        }
        if ends && abs(x) < 50.0 {
            return if x < 0.0 { hyp1f1_series(a, b, x) } else { hyp1f1_positive(a, b, x) };
        }
        if x < 0.0 {
            // Kummer's transformation keeps the terms positive.
            let value = hyp1f1_positive(b - a, b, -x);
            return if x < -700.0 && abs(value) == INF { hyp1f1_far(b - a, b, -x) } else { exp(x) * value };
        }
        return hyp1f1_positive(a, b, x);
    }

    /// exp(-x) 1F1(a, b, x) for large x, by its asymptotic series.
    fn hyp1f1_far(a: f64, b: f64, x: f64) -> f64 {
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut k = 0.0;
        while k < 200.0 {
            let next = term * (b - a + k) * (1.0 - a + k) / ((k + 1.0) * x);
            if abs(next) > abs(term) && k > abs(a) && k > abs(b - a) {
                break;
            }
            term = next;
            sum += term;
            k += 1.0;
            if abs(term) < 1e-17 * abs(sum) {
                break;
            }
        }
        return gamma(b) * rgamma(a) * pow(x, a - b) * sum;
    }

    /// 1F1 where it oscillates: by its recurrence towards smaller a, from where that begins.
    fn hyp1f1_down(a: f64, b: f64, x: f64) -> f64 {
        let steps = floor(-a - 0.25 * x);
        let top = a + steps;
        let mut above = hyp1f1_series(top + 1.0, b, x);
        let mut value = hyp1f1_series(top, b, x);
        let mut k = 0.0;
        while k < steps {
            let at = top - k;
            let next = (at * above - (2.0 * at - b + x) * value) / (b - at);
            above = value;
            value = next;
            k += 1.0;
        }
        return value;
    }

    /// 1F1 for x above zero.
    fn hyp1f1_positive(a: f64, b: f64, x: f64) -> f64 {
        if a < 0.0 && b > 0.0 && x <= 100.0 && 0.25 * x + 1.0 < -a && -a * x > 300.0 && a > -4e6 {
            // The terms of the series are larger than their sum by more than its digits.
            return hyp1f1_down(a, b, x);
        }
        if x > 60.0 && x > 2.0 * (abs(a) + 1.0) * (abs(b - a) + 1.0) && b < 100.0 && b > -20.0 && a < 100.0 {
            let half = exp(0.5 * x);
            let large = half * hyp1f1_far(a, b, x) * half;
            // The part without the exponential counts where a is next to nothing.
            return if abs(a) < 1e-6 { large + gamma(b) * rgamma(b - a) * pow(x, -a) } else { large };
        }
        return hyp1f1_series(a, b, x);
    }

    /// Tricomi's function of a from one on, by the trapezoidal rule over the logarithm of the integral's variable.
    fn hyperu_integral(a: f64, b: f64, x: f64) -> f64 {
        // The largest place of exp(-x t) t^a (1 + t)^(b - a - 1).
        let half = 0.5 * (b - 1.0 - x);
        let root = hypot(half, sqrt(a) * sqrt(x));
        let peak = if half > 0.0 { (half + root) / x } else { a / (root - half) };
        let other = b - a - 1.0;
        let curve = x * peak - other * (peak / (1.0 + peak)) / (1.0 + peak);
        let width = 0.6 / sqrt(curve);
        let step = if width < 0.125 { width } else { 0.125 };
        let at = log(peak);
        let top = a * at - x * peak + other * log1p(peak);
        let mut sum = 1.0;
        for side in 0..2 {
            let mut k = 1.0;
            while k < 4000.0 {
                let s = at + (if side == 0 { k * step } else { -k * step });
                let t = exp(s);
                let term = exp(a * s - x * t + other * log1p(t) - top);
                sum += term;
                if term < 1e-18 * sum {
                    break;
                }
                k += 1.0;
            }
        }
        return sum * step * exp(top - lgamma_positive(a));
    }

    /// Tricomi's function of an a that is a whole number up to zero, by its recurrence in the degree.
    fn hyperu_polynomial(a: f64, b: f64, x: f64) -> f64 {
        if a == 0.0 {
            return 1.0;
        }
        let mut after = 1.0;
        let mut value = x - b;
        let mut k = -1.0;
        while k > a {
            let next = (2.0 * k - b + x) * value - k * (k - b + 1.0) * after;
            after = value;
            value = next;
            k -= 1.0;
        }
        return value;
    }

    /// The same by its powers of x, of a b with which none of them vanishes, and how much larger than the sum a term is.
    fn hyperu_powers(a: f64, b: f64, x: f64) -> (f64, f64) {
        let mut scale = 1.0;
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut largest = 1.0;
        let mut k = 0.0;
        while k < -a {
            scale *= -(b + k);
            term *= (a + k) / (k + 1.0) * (x / (b + k));
            sum += term;
            largest = if abs(term) > largest { abs(term) } else { largest };
            k += 1.0;
        }
        return (scale * sum, largest / abs(sum));
    }

    /// Tricomi's function of an a below one: by its series, or downwards in a, which is stable where b is from zero to two.
    fn hyperu_near(a: f64, b: f64, x: f64) -> f64 {
        let apart = abs(b - rint(b));
        if x < 1.0 && apart > 0.1 {
            let first = gamma(1.0 - b) * rgamma(a - b + 1.0) * hyp1f1_series(a, b, x);
            return first + gamma(b - 1.0) * rgamma(a) * pow(x, 1.0 - b) * hyp1f1_series(a - b + 1.0, 2.0 - b, x);
        }
        // Downwards in a, where the recurrence is stable.
        let up = floor(2.0 - a);
        let mut k = a + up;
        let mut after = hyperu_integral(k + 1.0, b, x);
        let mut value = hyperu_integral(k, b, x);
        let mut n = 0.0;
        while n < up {
            let next = (2.0 * k - b + x) * value - k * (k - b + 1.0) * after;
            after = value;
            value = next;
            k -= 1.0;
            n += 1.0;
        }
        return value;
    }

    /// The same of a b from two on, upwards in b, which is stable; where x is below one, times x to the power of b - 1.
    fn hyperu_upwards(a: f64, b: f64, x: f64) -> f64 {
        let factor = if x < 1.0 { x } else { 1.0 };
        let divisor = if x < 1.0 { 1.0 } else { x };
        let mut left = floor(b);
        let mut k = b - left;
        let mut before = hyperu_near(a, k, x) * pow(factor, k - 1.0);
        left -= 1.0;
        k = b - left;
        let mut value = hyperu_near(a, k, x) * pow(factor, k - 1.0);
        while left > 0.0 {
            let next = ((k - 1.0 + x) * value - (k - a - 1.0) * (factor * before)) / divisor;
            before = value;
            value = next;
            left -= 1.0;
            k = b - left;
        }
        return value;
    }

    /// The same of a b below zero or from two on.
    fn hyperu_far(a: f64, b: f64, x: f64) -> f64 {
        if b >= 2.0 {
            let value = hyperu_upwards(a, b, x);
            return if x < 1.0 { value * pow(x, 1.0 - b) } else { value };
        }
        // U(a, b, x) = x^(1 - b) U(a - b + 1, 2 - b, x).
        let other = a - b + 1.0;
        if other >= 1.0 {
            return pow(x, 1.0 - b) * hyperu_integral(other, 2.0 - b, x);
        }
        if floor(other) == other {
            return pow(x, 1.0 - b) * hyperu_polynomial(other, 2.0 - b, x);
        }
        let value = hyperu_upwards(other, 2.0 - b, x);
        return if x < 1.0 { value } else { pow(x, 1.0 - b) * value };
    }

    /// Tricomi's confluent hypergeometric function U.
    fn hyperu(a: f64, b: f64, x: f64) -> f64 {
        if is_nan(a) || is_nan(b) || is_nan(x) || x < 0.0 || abs(a) > 1e6 {
            return NAN;
        }
        if x == 0.0 {
            return if b > 1.0 { INF } else { poch(1.0 - b + a, -a) };
        }
        if a == 0.0 {
            return 1.0;
        }
        if x == INF {
            return if a > 0.0 { 0.0 } else { INF };
        }
        if a <= 0.0 && floor(a) == a {
            if b < 0.0 && floor(b) == b && a - b + 1.0 <= 0.0 {
                return pow(x, 1.0 - b) * hyperu_polynomial(a - b + 1.0, 2.0 - b, x);
            }
            let value = hyperu_polynomial(a, b, x);
            if b < 0.0 {
                // The recurrence loses digits where k - b + 1 changes its sign: then it is further off than the powers may be.
                let (sum, largest) = hyperu_powers(a, b, x);
                if largest < 1e15 && !(abs(value - sum) <= 2e-15 * largest * abs(sum)) {
                    return sum;
                }
            }
            return value;
        }
        if a >= 1.0 {
            return hyperu_integral(a, b, x);
        }
        if (b < 0.0 || b >= 2.0) && abs(b) < 1e5 {
            let value = hyperu_far(a, b, x);
            if abs(value) < INF {
                return value;
            }
        }
        return hyperu_near(a, b, x);
    }

    /// The series of 2F1 at x from -1/2 to one, four terms at a time, and its largest term.
    fn hyp2f1_quick(a: f64, b: f64, c: f64, x: f64) -> (f64, f64) {
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut largest = 1.0;
        let mut ratios = [0.0; 4];
        let least = 1e-17 * (1.0 - x);
        let mut k = 0.0;
        while k < 20000.0 {
            for i in 0..4 {
                let n = k + (i as f64);
                ratios[i] = ((a + n) * (b + n)) * x / ((c + n) * (n + 1.0));
            }
            let first = term * ratios[0];
            let second = term * (ratios[0] * ratios[1]);
            let third = second * ratios[2];
            term = second * (ratios[2] * ratios[3]);
            sum += (first + second) + (third + term);
            let before = if abs(first) > abs(second) { abs(first) } else { abs(second) };
            let after = if abs(third) > abs(term) { abs(third) } else { abs(term) };
            let most = if before > after { before } else { after };
            largest = if most > largest { most } else { largest };
            k += 4.0;
            if !(abs(term) >= least * abs(sum)) && k > abs(a) && k > abs(b) && (k > -c || c < -2e4) {
                break;
            }
        }
        return (if k < 20000.0 { sum } else { NAN }, largest);
    }

    /// The series of 2F1 at x from zero to one, in twice the precision where its terms cancel.
    fn hyp2f1_series(a: f64, b: f64, c: f64, x: f64) -> f64 {
        if abs(a) < 1e3 && abs(b) < 1e3 && abs(c) < 1e3 {
            let (value, largest) = hyp2f1_quick(a, b, c, x);
            if largest <= 3.0 * abs(value) && largest < 1e290 {
                return value;
            }
        }
        let mut term = 1.0;
        let mut term_low = 0.0;
        let mut sum = 1.0;
        let mut sum_low = 0.0;
        let mut k = 0.0;
        while k < 20000.0 {
            let (ah, al) = plus(a, 0.0, k, 0.0);
            let (bh, bl) = plus(b, 0.0, k, 0.0);
            let (ch, cl) = plus(c, 0.0, k, 0.0);
            let both = ah * bh;
            let both_low = fma(ah, bh, -both) + fma(ah, bl, al * bh);
            let above = both * x;
            let above_low = fma(both, x, -above) + both_low * x;
            let below = ch * (k + 1.0);
            let below_low = fma(ch, k + 1.0, -below) + cl * (k + 1.0);
            let (next, next_low) = scaled_term(term, term_low, above, above_low, below, below_low);
            term = next;
            term_low = next_low;
            let (total, total_low) = plus(sum, sum_low, term, term_low);
            sum = total;
            sum_low = total_low;
            k += 1.0;
            let is_past = (k > abs(a) || a > 2e4) && (k > abs(b) || b > 2e4) && (k > -c || c < -2e4);
            if term == 0.0 || (abs(term) < 1e-17 * (1.0 - x) * abs(sum) && is_past) {
                break;
            }
        }
        return if k < 20000.0 { sum } else { NAN };
    }

    /// 2F1 at an x between -1 and zero.
    fn hyp2f1_alternating(a: f64, b: f64, c: f64, x: f64) -> f64 {
        // Pfaff's transformation.
        return pow(1.0 - x, -a) * hyp2f1_series(a, c - b, c, x / (x - 1.0));
    }

    /// Wright's generalization of the Bessel function: the sum of x^k / (k! gamma(a k + b)).
    fn wright_bessel(a: f64, b: f64, x: f64) -> f64 {
        if is_nan(a) || is_nan(b) || is_nan(x) || a < 0.0 || b < 0.0 || x < 0.0 {
            return NAN;
        }
        if x == INF {
            return if a == INF || b == INF { NAN } else { INF };
        }
        if a == INF || b == INF {
            return NAN;
        }
        if x == 0.0 {
            return rgamma(b);
        }
        if a == 0.0 {
            return exp(x) * rgamma(b);
        }
        let log_x = log(x);
        let mut sum = 0.0;
        let mut power = 1.0;
        let mut k = 0.0;
        while k < 20000.0 {
            let y = fma(a, k, b);
            let mut term = 0.0;
            if y < 150.0 && power < 1e290 && power > 1e-290 {
                term = power * rgamma(y);
            } else {
                term = exp(k * log_x - lgamma_positive(k + 1.0) - lgamma_positive(y));
            }
            sum += term;
            if sum == INF {
                return sum;
            }
            // Beyond the largest term they fall ever faster.
            let next = x / (k + 1.0);
            if (term < 1e-17 * sum || term == 0.0) && next < pow(y, a) {
                break;
            }
            k += 1.0;
            power *= x / k;
        }
        return if k < 20000.0 { sum } else { NAN };
    }
}

lanes! {
    hyp0f1(a, b);
    hyp1f1(a, b, c);
    hyperu(a, b, c);
    wright_bessel(a, b, c);
}
