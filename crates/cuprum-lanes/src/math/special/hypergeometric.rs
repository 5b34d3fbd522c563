//! Hypergeometric functions, orthogonal polynomials and Legendre functions.

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
        let root = sqrt(abs(x));
        if x > 0.0 {
            let value = iv(v - 1.0, 2.0 * root);
            return if value == INF { gammasgn(v) * value } else { gamma(v) * pow(root, 1.0 - v) * value };
        }
        return gamma(v) * pow(root, 1.0 - v) * jv(v - 1.0, 2.0 * root);
    }

    /// A number in two parts divided by another one.
    fn over(high: f64, low: f64, other: f64, other_low: f64) -> (f64, f64) {
        let quotient = high / other;
        let rest = fma(-quotient, other, high) + (low - quotient * other_low);
        let error = rest / other;
        let sum = quotient + error;
        return (sum, (quotient - sum) + error);
    }

    /// A sum in two parts with another number in two parts added.
    fn plus(high: f64, low: f64, other: f64, other_low: f64) -> (f64, f64) {
        let sum = high + other;
        let part = sum - high;
        let error = ((high - (sum - part)) + (other - part)) + (low + other_low);
        let whole = sum + error;
        return (whole, (sum - whole) + error);
    }

    /// The series of the confluent function 1F1, in twice the precision: its terms may cancel.
    fn hyp1f1_series(a: f64, b: f64, x: f64) -> f64 {
        let mut term = 1.0;
        let mut term_low = 0.0;
        let mut sum = 1.0;
        let mut sum_low = 0.0;
        let mut k = 0.0;
        while k < 5000.0 {
            let (ah, al) = plus(a, 0.0, k, 0.0);
            let (bh, bl) = plus(b, 0.0, k, 0.0);
            let (first, first_low) = times(term, term_low, ah, al);
            let (second, second_low) = times(first, first_low, x, 0.0);
            let (third, third_low) = over(second, second_low, bh, bl);
            let (next, next_low) = over(third, third_low, k + 1.0, 0.0);
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
            // A polynomial, by its recurrence in the degree.
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
        if a >= 1.0 {
            return hyperu_integral(a, b, x);
        }
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

    /// The series of 2F1 at x from zero to one, in twice the precision.
    fn hyp2f1_series(a: f64, b: f64, c: f64, x: f64) -> f64 {
        let mut term = 1.0;
        let mut term_low = 0.0;
        let mut sum = 1.0;
        let mut sum_low = 0.0;
        let mut k = 0.0;
        while k < 20000.0 {
            let (ah, al) = plus(a, 0.0, k, 0.0);
            let (bh, bl) = plus(b, 0.0, k, 0.0);
            let (ch, cl) = plus(c, 0.0, k, 0.0);
            let (first, first_low) = times(term, term_low, ah, al);
            let (second, second_low) = times(first, first_low, bh, bl);
            let (third, third_low) = over(second, second_low, ch, cl);
            let (fourth, fourth_low) = over(third, third_low, k + 1.0, 0.0);
            let (next, next_low) = times(fourth, fourth_low, x, 0.0);
            term = next;
            term_low = next_low;
            let (total, total_low) = plus(sum, sum_low, term, term_low);
            sum = total;
            sum_low = total_low;
            k += 1.0;
            if term == 0.0 || (abs(term) < 1e-17 * (1.0 - x) * abs(sum) && k > abs(a) && k > abs(b)) {
                break;
            }
        }
        return if k < 20000.0 { sum } else { NAN };
    }

    /// The associated Legendre function of an order from zero on, by its series about one.
    fn lpmv_series(order: f64, degree: f64, x: f64) -> f64 {
        let s = sqrt((1.0 - x) * (1.0 + x));
        let mut factor = poch(degree - order + 1.0, 2.0 * order) * rgamma(order + 1.0) * pow(-0.5 * s, order);
        if order == 0.0 {
            factor = 1.0;
        }
        return factor * hyp2f1_series(order - degree, order + degree + 1.0, order + 1.0, 0.5 * (1.0 - x));
    }

    /// The associated Legendre function of degree v and whole order m, with the phase of Condon and Shortley.
    fn lpmv(m: f64, v: f64, x: f64) -> f64 {
        if is_nan(m) || is_nan(v) || is_nan(x) || floor(m) != m {
            return NAN;
        }
        if abs(x) > 1.0 {
            return if m == 0.0 && abs(v) < 1e6 { legendre_outside(if v < -0.5 { -v - 1.0 } else { v }, x) } else { NAN };
        }
        let degree = if v < -0.5 { -v - 1.0 } else { v };
        let order = abs(m);
        let whole = floor(degree) == degree;
        if degree > 1e6 || order > 1e6 {
            return NAN;
        }
        if whole && order > degree {
            return 0.0;
        }
        let mut value = 0.0;
        if whole {
            // P_m^m, then upwards in the degree.
            let s = sqrt((1.0 - x) * (1.0 + x));
            let mut below = 0.0;
            value = 1.0;
            let mut k = 1.0;
            while k <= order {
                value *= -(2.0 * k - 1.0) * s;
                k += 1.0;
            }
            let mut l = order;
            while l < degree {
                let next = ((2.0 * l + 1.0) * x * value - (l + order) * below) / (l + 1.0 - order);
                below = value;
                value = next;
                l += 1.0;
            }
        } else {
            if x == -1.0 {
                return if order == 0.0 { -INF * copysign(1.0, sinpi(degree)) } else { NAN };
            }
            // The series loses digits with the degree; above some degree upwards from there.
            let least = if order > 20.0 { order } else { 20.0 };
            let steps = if x > -0.9 || order == 0.0 { floor(degree - least) } else { 0.0 };
            if steps < 1.0 {
                value = lpmv_series(order, degree, x);
            } else {
                let mut l = degree - steps;
                let mut below = lpmv_series(order, l, x);
                l += 1.0;
                value = lpmv_series(order, l, x);
                while l < degree - 0.5 {
                    let next = ((2.0 * l + 1.0) * x * value - (l + order) * below) / (l + 1.0 - order);
                    below = value;
                    value = next;
                    l += 1.0;
                }
            }
        }
        if m < 0.0 {
            let sign = if 2.0 * floor(0.5 * order) == order { 1.0 } else { -1.0 };
            return sign * value / poch(degree - order + 1.0, 2.0 * order);
        }
        return value;
    }

    /// The Legendre function of degree n and order m at an angle, normalised for spherical harmonics.
    fn sph_legendre_p(n: f64, m: f64, theta: f64) -> f64 {
        if is_nan(n) || is_nan(m) || is_nan(theta) || n < 0.0 || n > 1e6 {
            return NAN;
        }
        let order = abs(m);
        if order > n {
            return 0.0;
        }
        let x = cos(theta);
        let s = abs(sin(theta));
        let mut value = 0.28209479177387814;
        let mut k = 1.0;
        while k <= order {
            value *= -s * sqrt((2.0 * k + 1.0) / (2.0 * k));
            k += 1.0;
        }
        let mut below = 0.0;
        let mut l = order;
        let mut last = 0.0;
        while l < n {
            let next_l = l + 1.0;
            let width = (next_l - order) * (next_l + order);
            let scale = sqrt((2.0 * next_l - 1.0) * (2.0 * next_l + 1.0) / width);
            let next = scale * (x * value - last * below);
            last = 1.0 / scale;
            below = value;
            value = next;
            l = next_l;
        }
        if m < 0.0 && 2.0 * floor(0.5 * order) != order {
            return -value;
        }
        return value;
    }

    /// The Legendre polynomial, or function where n is not whole.
    fn eval_legendre(n: f64, x: f64) -> f64 {
        let degree = if n < -0.5 { -n - 1.0 } else { n };
        if is_nan(n) || is_nan(x) || degree > 1e6 {
            return NAN;
        }
        if floor(degree) != degree {
            return if abs(x) > 1.0 { legendre_outside(degree, x) } else { lpmv(0.0, degree, x) };
        }
        return legendre_whole(degree, x);
    }

    /// The Legendre function of an x beyond one in size.
    fn legendre_outside(degree: f64, x: f64) -> f64 {
        if floor(degree) == degree {
            return legendre_whole(degree, x);
        }
        return if x > 1.0 { hyp2f1_alternating(-degree, degree + 1.0, 1.0, 0.5 * (1.0 - x)) } else { NAN };
    }

    /// The Legendre polynomial.
    fn legendre_whole(degree: f64, x: f64) -> f64 {
        let mut before = 1.0;
        let mut value = x;
        if degree == 0.0 {
            return 1.0;
        }
        let mut k = 1.0;
        while k < degree {
            let next = fma((2.0 * k + 1.0) * x, value, -k * before) / (k + 1.0);
            before = value;
            value = next;
            k += 1.0;
        }
        return value;
    }

    /// 2F1 at an x between -1 and zero.
    fn hyp2f1_alternating(a: f64, b: f64, c: f64, x: f64) -> f64 {
        // Pfaff's transformation.
        return pow(1.0 - x, -a) * hyp2f1_series(a, c - b, c, x / (x - 1.0));
    }

    /// Chebyshev's polynomial of the first kind.
    fn eval_chebyt(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) {
            return NAN;
        }
        let degree = abs(n);
        if floor(degree) == degree && degree < 1e5 {
            let mut before = 1.0;
            let mut value = x;
            if degree == 0.0 {
                return 1.0;
            }
            let mut k = 1.0;
            while k < degree {
                let next = fma(2.0 * x, value, -before);
                before = value;
                value = next;
                k += 1.0;
            }
            return value;
        }
        if abs(x) <= 1.0 {
            return cos(degree * atan2(sqrt((1.0 - x) * (1.0 + x)), x));
        }
        if x < -1.0 && floor(degree) != degree {
            return NAN;
        }
        let a = abs(x);
        let value = cosh(degree * log(a + sqrt((a - 1.0) * (a + 1.0))));
        return if x < 0.0 && 2.0 * floor(0.5 * degree) != degree { -value } else { value };
    }

    /// Chebyshev's polynomial of the second kind.
    fn eval_chebyu(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) {
            return NAN;
        }
        if n == -1.0 {
            return 0.0;
        }
        if n < -1.0 && floor(n) == n {
            return -chebyu_right(-n - 2.0, x);
        }
        return chebyu_right(n, x);
    }

    /// The same for degrees from zero on.
    fn chebyu_right(n: f64, x: f64) -> f64 {
        if floor(n) == n && n < 1e5 {
            let mut before = 1.0;
            let mut value = 2.0 * x;
            if n == 0.0 {
                return 1.0;
            }
            let mut k = 1.0;
            while k < n {
                let next = fma(2.0 * x, value, -before);
                before = value;
                value = next;
                k += 1.0;
            }
            return value;
        }
        if x == 1.0 {
            return n + 1.0;
        }
        if abs(x) < 1.0 {
            let s = sqrt((1.0 - x) * (1.0 + x));
            return sin((n + 1.0) * atan2(s, x)) / s;
        }
        if x < 0.0 {
            return NAN;
        }
        let root = sqrt((x - 1.0) * (x + 1.0));
        return sinh((n + 1.0) * log(x + root)) / root;
    }

    /// A value that was divided by 1e200 so many times.
    fn scaled_up(value: f64, times: f64) -> f64 {
        let mut result = value;
        let mut left = times;
        while left > 0.0 && abs(result) < INF {
            result *= 1e200;
            left -= 1.0;
        }
        return result;
    }

    /// Hermite's polynomial of the physicists.
    fn eval_hermite(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) || n < 0.0 || n > 1e6 || floor(n) != n {
            return NAN;
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = 2.0 * x;
        let mut times = 0.0;
        let mut k = 1.0;
        while k < n {
            let next = 2.0 * fma(x, value, -k * before);
            before = value;
            value = next;
            if abs(value) > 1e250 {
                value *= 1e-200;
                before *= 1e-200;
                times += 1.0;
            }
            k += 1.0;
        }
        return scaled_up(value, times);
    }

    /// Hermite's polynomial of the statisticians.
    fn eval_hermitenorm(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) || n < 0.0 || n > 1e6 || floor(n) != n {
            return NAN;
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = x;
        let mut times = 0.0;
        let mut k = 1.0;
        while k < n {
            let next = fma(x, value, -k * before);
            before = value;
            value = next;
            if abs(value) > 1e250 {
                value *= 1e-200;
                before *= 1e-200;
                times += 1.0;
            }
            k += 1.0;
        }
        return scaled_up(value, times);
    }

    /// Laguerre's generalized polynomial, or function where n is not whole.
    fn eval_genlaguerre(n: f64, alpha: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(alpha) || is_nan(x) || alpha <= -1.0 || n > 1e6 {
            return NAN;
        }
        if floor(n) != n || n < 0.0 {
            return binom(n + alpha, n) * hyp1f1(-n, alpha + 1.0, x);
        }
        if n == 0.0 {
            return 1.0;
        }
        if n == 1.0 {
            return alpha - x + 1.0;
        }
        // The differences of neighbours, which lose less than the polynomials themselves.
        let mut step = -x / (alpha + 1.0);
        let mut value = step + 1.0;
        let mut k = 1.0;
        while k < n {
            let below = k + alpha + 1.0;
            step = -x / below * value + k / below * step;
            value = step + value;
            k += 1.0;
        }
        return binom(n + alpha, n) * value;
    }

    /// Gegenbauer's polynomial, of whole degree.
    fn eval_gegenbauer(n: f64, alpha: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(alpha) || is_nan(x) || n > 1e6 {
            return NAN;
        }
        if floor(n) != n || n < 0.0 {
            if x > 1.0 || x <= -1.0 {
                return NAN;
            }
            let scale = gamma(n + 2.0 * alpha) * rgamma(1.0 + n) * rgamma(2.0 * alpha);
            return scale * hyp2f1_series(-n, n + 2.0 * alpha, alpha + 0.5, 0.5 * (1.0 - x));
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = 2.0 * alpha * x;
        let mut k = 1.0;
        while k < n {
            let next = (2.0 * (k + alpha) * x * value - (k + 2.0 * alpha - 1.0) * before) / (k + 1.0);
            before = value;
            value = next;
            k += 1.0;
        }
        return value;
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
    lpmv(a, b, c);
    sph_legendre_p(a, b, c);
    eval_legendre(a, b);
    eval_chebyt(a, b);
    eval_chebyu(a, b);
    eval_hermite(a, b);
    eval_hermitenorm(a, b);
    eval_genlaguerre(a, b, c);
    eval_gegenbauer(a, b, c);
    wright_bessel(a, b, c);
}
