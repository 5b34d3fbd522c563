//! Modified Bessel functions of real order.

#[allow(unused_imports)]
use super::bessel::*;
#[allow(unused_imports)]
use super::bessel_jy::*;
#[allow(unused_imports)]
use super::bessel_large::*;
#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const TWO_OVER_PI: f64 = 0.6366197723675814;
/// Order and argument together from which the expansions of large orders serve.
const LARGE: f64 = 1e5;
/// The logarithm of 1e250, by which `bessel_ik` scales.
const LOG_SCALE: f64 = 575.6462732485115;

functions! {
    /// exp(x) K of orders mu and mu + 1, mu between -1/2 and 1/2, at x from 30 on, by Hankel's expansion.
    fn hankel_k(mu: f64, x: f64) -> (f64, f64) {
        let first_order = 4.0 * mu * mu;
        let second_order = 4.0 * (mu + 1.0) * (mu + 1.0);
        let place = 0.125 / x;
        let mut first_term = 1.0;
        let mut second_term = 1.0;
        let mut first = 1.0;
        let mut second = 1.0;
        let mut k = 1.0;
        while k < 60.0 {
            let square = (2.0 * k - 1.0) * (2.0 * k - 1.0);
            let scale = place / k;
            first_term *= (first_order - square) * scale;
            second_term *= (second_order - square) * scale;
            first += first_term;
            second += second_term;
            if abs(second_term) < 1e-17 && abs(first_term) < 1e-17 {
                break;
            }
            k += 1.0;
        }
        let factor = sqrt(1.5707963267948966 / x);
        return (factor * first, factor * second);
    }

    /// exp(x) K of order v from zero on at x above zero and the next one, divided by 1e250 so often as the third says.
    fn bessel_k(v: f64, x: f64) -> (f64, f64, f64) {
        let down = floor(v + 0.5);
        let mu = v - down;
        let two_over_x = 2.0 / x;
        let mut kmu = 0.0;
        let mut knext = 0.0;
        if x < 2.0 {
            let half = 0.5 * x;
            let angle = 3.141592653589793 * mu;
            let fact = if abs(angle) < 1e-15 { 1.0 } else { angle / sin(angle) };
            // Half of the least number is none.
            let dl = if half > 0.0 { -log(half) } else { 0.6931471805599453 - log(x) };
            let e = mu * dl;
            let fact2 = if abs(e) < 1e-15 { 1.0 } else { sinh(e) / e };
            let place = 8.0 * mu * mu - 1.0;
            let odd = poly(place, &TEMME_ODD);
            let even = poly(place, &TEMME_EVEN);
            let plus = even - mu * odd;
            let minus = even + mu * odd;
            let mut ff = fact * (odd * cosh(e) + even * fact2 * dl);
            let grown = exp(e);
            let mut p = 0.5 * grown / plus;
            let mut q = 0.5 / (grown * minus);
            let mut c = 1.0;
            let d = half * half;
            let mut sum = ff;
            let mut sum1 = p;
            let mut k = 1.0;
            while k < 500.0 {
                ff = (k * ff + p + q) / (k * k - mu * mu);
                c *= d / k;
                p /= k - mu;
                q /= k + mu;
                let part = c * ff;
                sum += part;
                sum1 += c * (p - k * ff);
                if abs(part) < abs(sum) * 1e-17 {
                    break;
                }
                k += 1.0;
            }
            let scale = exp(x);
            kmu = sum * scale;
            knext = sum1 * two_over_x * scale;
        } else if x > 30.0 {
            let (first, second) = hankel_k(mu, x);
            kmu = first;
            knext = second;
        } else {
            // Steed's fraction for K, which gives the normalisation with it.
            let mut b = 2.0 * (1.0 + x);
            let mut d = 1.0 / b;
            let mut h = d;
            let mut delta = d;
            let mut q1 = 0.0;
            let mut q2 = 1.0;
            let a1 = 0.25 - mu * mu;
            let mut q = a1;
            let mut c = a1;
            let mut a = -a1;
            let mut s = 1.0 + q * delta;
            let mut k = 2.0;
            while k < 100000.0 {
                a -= 2.0 * (k - 1.0);
                c = -a * c / k;
                let next = (q1 - b * q2) / a;
                q1 = q2;
                q2 = next;
                q += c * next;
                b += 2.0;
                d = 1.0 / (b + a * d);
                delta = (b * d - 1.0) * delta;
                h += delta;
                let part = q * delta;
                s += part;
                if abs(part) < 1e-17 * abs(s) {
                    break;
                }
                k += 1.0;
            }
            h = a1 * h;
            kmu = sqrt(1.5707963267948966 / x) / s;
            knext = kmu * (mu + x + 0.5 - h) / x;
        }
        let mut order = mu;
        let mut n = 0.0;
        let mut scaled = 0.0;
        while n < down {
            order += 1.0;
            let next = order * two_over_x * knext + kmu;
            kmu = knext;
            knext = next;
            if knext == INF {
                kmu = if n + 1.0 < down { knext } else { kmu };
                break;
            }
            if knext > 1e250 {
                kmu *= 1e-250;
                knext *= 1e-250;
                scaled += 1.0;
            }
            n += 1.0;
        }
        return (kmu, knext, scaled);
    }

    /// exp(-x) I and exp(x) K of order v from zero on at x above zero, I times and K divided by 1e250 so often as the
    /// third says; the fourth is the next K in the same measure.
    fn bessel_ik(v: f64, x: f64) -> (f64, f64, f64, f64) {
        let (kmu, knext, scaled) = bessel_k(v, x);
        let two_over_x = 2.0 / x;
        // I'/I by its fraction; the Wronskian gives I: 1/x = I_v K_(v+1) + I_(v+1) K_v.
        let mut i = 0.0;
        if knext < INF {
            let mut b = two_over_x * (v + 1.0);
            let mut d = 1.0 / b;
            let mut ratio = d;
            let mut step = d;
            let mut k = 0;
            while k < 4000000 {
                b += two_over_x;
                d = 1.0 / (b + d);
                step = (b * d - 1.0) * step;
                ratio += step;
                if abs(step) < abs(ratio) * 1e-17 {
                    break;
                }
                k += 1;
            }
            i = 1.0 / (x * (knext + ratio * kmu));
        }
        return (i, kmu, scaled, knext);
    }

    /// exp(-x) I of order v from zero on at x above zero.
    fn ive_positive(v: f64, x: f64) -> f64 {
        if v == 0.0 {
            return i0e(x);
        }
        if v == 1.0 {
            return i1e(x);
        }
        if x < 12.0 || 0.25 * x * x < 10.0 * (v + 1.0) {
            if v > 2000.0 {
                return 0.0;
            }
            let value = power_over_gamma(v, x) * bessel_series(v, x, 1.0);
            return value * exp(if v < 100.0 { -x } else { -0.5 * x });
        }
        if x > 30.0 && x > v * v {
            let mu = 4.0 * v * v;
            let mut term = 1.0;
            let mut sum = 1.0;
            let mut k = 1.0;
            while k < 200.0 {
                let odd = 2.0 * k - 1.0;
                let next = -term * (mu - odd * odd) / (8.0 * k * x);
                if abs(next) > abs(term) {
                    break;
                }
                term = next;
                sum += term;
                if abs(term) < 1e-17 * abs(sum) {
                    break;
                }
                k += 1.0;
            }
            return sum * 0.3989422804014327 / sqrt(x);
        }
        if v + x > LARGE {
            return large_i(v, x, 0.0);
        }
        let (value, _k, times, _next) = bessel_ik(v, x);
        let mut i = value;
        let mut scaled = times;
        while scaled > 0.0 && i > 0.0 {
            i *= 1e-250;
            scaled -= 1.0;
        }
        return i;
    }

    /// exp(x) K of order v from zero on at x above zero.
    fn kve_positive(v: f64, x: f64) -> f64 {
        if x < 1e-307 && (v == 0.0 || v >= 0.5) {
            // 2 / x is too large for a double.
            let logarithm = 0.6931471805599453 - log(x);
            let root = exp(0.5 * v * logarithm);
            return if v == 0.0 { logarithm - 0.5772156649015329 } else { 0.5 * gamma(v) * root * root };
        }
        if v == 0.0 {
            return k0e(x);
        }
        if v == 1.0 {
            return k1e(x);
        }
        if v + x > LARGE {
            return large_k(v, x, 0.0);
        }
        let (value, _next, times) = bessel_k(v, x);
        let mut k = value;
        let mut scaled = times;
        while scaled > 0.0 && k < INF {
            k *= 1e250;
            scaled -= 1.0;
        }
        return k;
    }

    /// exp(-|x|) I of real order.
    fn ive(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || abs(v) == INF {
            return NAN;
        }
        let whole = floor(v) == v;
        if x < 0.0 {
            if !whole {
                return NAN;
            }
            let value = ive_right(v, -x);
            return if 2.0 * floor(0.5 * v) == v { value } else { -value };
        }
        return ive_right(v, x);
    }

    /// The same at x from zero on.
    fn ive_right(v: f64, x: f64) -> f64 {
        let whole = floor(v) == v;
        if x == 0.0 {
            if v == 0.0 {
                return 1.0;
            }
            return if v > 0.0 || whole { 0.0 } else { INF * gammasgn(v + 1.0) };
        }
        if x == INF {
            return 0.0;
        }
        if v >= 0.0 || whole {
            return ive_positive(abs(v), x);
        }
        let scale = -TWO_OVER_PI * sinpi(v);
        return ive_positive(-v, x) + scale * kve_positive(-v, x) * exp(-2.0 * x);
    }

    /// The modified Bessel function of the first kind of real order.
    fn iv(v: f64, x: f64) -> f64 {
        if abs(v) == INF {
            return if abs(x) < INF { 0.0 } else { NAN };
        }
        if abs(x) == INF {
            return if x > 0.0 || floor(v) != v || 2.0 * floor(0.5 * v) == v { abs(x) } else { x };
        }
        if x == 0.0 {
            return ive(v, x);
        }
        let a = abs(x);
        let order = abs(v);
        let whole = floor(v) == v;
        if order > 100.0 && 0.25 * a * a >= 10.0 * (order + 1.0) && a <= order * order && (whole || (v > 0.0 && x > 0.0)) {
            // The scaled function may be too small for a double where this one is not.
            if order + a > LARGE {
                let value = large_i(order, a, a);
                return if x > 0.0 || 2.0 * floor(0.5 * v) == v { value } else { -value };
            }
            let (i, _k, scaled, _next) = bessel_ik(order, a);
            let root = exp(0.5 * (a - scaled * LOG_SCALE));
            let large = i * root * root;
            return if x > 0.0 || 2.0 * floor(0.5 * v) == v { large } else { -large };
        }
        let value = ive(v, x);
        if value == 0.0 && order > 2000.0 {
            // There the argument is small beside the order.
            return value;
        }
        let half = exp(0.5 * a);
        if value == 0.0 && abs(x) < 700.0 {
            return power_over_gamma(abs(v), abs(x));
        }
        return value * half * half;
    }

    /// The modified Bessel function of the second kind of real order.
    fn kv(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            return INF;
        }
        if x == INF {
            return 0.0;
        }
        if v == 0.0 {
            return k0(x);
        }
        if (x < 700.0 && abs(v) < 100.0) || x > v * v {
            return kve_positive(abs(v), x) * exp(-x);
        }
        // The scaled function may be too large for a double where this one is not.
        if abs(v) + x > LARGE {
            return large_k(abs(v), x, x);
        }
        let (_i, k, scaled, _next) = bessel_ik(abs(v), x);
        let root = exp(0.5 * (scaled * LOG_SCALE - x));
        return k * root * root;
    }

    /// exp(x) K of real order.
    fn kve(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            return INF;
        }
        return if x == INF { 0.0 } else { kve_positive(abs(v), x) };
    }

    /// The modified Bessel function of the second kind of whole order.
    fn kn(n: f64, x: f64) -> f64 {
        return kv(trunc(n), x);
    }
}

lanes! {
    iv(a, b);
    ive(a, b);
    kv(a, b);
    kve(a, b);
    kn(a, b);
}
