//! Bessel functions of the first and second kind of real order.

#[allow(unused_imports)]
use super::bessel::*;
#[allow(unused_imports)]
use super::bessel_large::*;
#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::incomplete_gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const TWO_OVER_PI: f64 = 0.6366197723675814;

functions! {
    /// (x/2)^v / gamma(v + 1), times exp(-x/2) where v is large.
    fn power_over_gamma(v: f64, x: f64) -> f64 {
        if v < 100.0 {
            let next = v + 1.0;
            let value = pow(0.5 * x, v) * rgamma(next);
            let error = v - (next - 1.0);
            // By some digits of the derivative.
            return if error == 0.0 { value } else { fma(-value * log(v + 0.5), error, value) };
        }
        return gamma_density(v, 0.5 * x);
    }

    /// The sum of (sign x^2/4)^k / (k! (v + 1) ... (v + k)).
    fn bessel_series(v: f64, x: f64, sign: f64) -> f64 {
        let z = sign * 0.25 * x * x;
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut k = 1.0;
        while k < 500.0 {
            term *= z / (k * (v + k));
            sum += term;
            if abs(term) < 1e-17 * abs(sum) {
                break;
            }
            k += 1.0;
        }
        return sum;
    }

    /// Hankel's P and Q of order v, for x large beside v^2.
    fn hankel_sums(v: f64, x: f64) -> (f64, f64) {
        let mu = 4.0 * v * v;
        let mut term = 1.0;
        let mut p = 1.0;
        let mut q = 0.0;
        let mut k = 1.0;
        let mut sign = 1.0;
        while k < 200.0 {
            let odd = 2.0 * k - 1.0;
            let factor = (mu - odd * odd) / (8.0 * k * x);
            let next = term * factor;
            if abs(next) > abs(term) && odd > 2.0 * v {
                break;
            }
            term = next;
            if floor(0.5 * k) * 2.0 == k {
                sign = -sign;
                p += sign * term;
            } else {
                q += sign * term;
            }
            if abs(term) < 1e-17 {
                break;
            }
            k += 1.0;
        }
        return (p, q);
    }

    /// J and Y by Hankel's expansion.
    fn hankel_jy(v: f64, x: f64) -> (f64, f64) {
        let (p, q) = hankel_sums(v, x);
        // cos and sin of x - (v/2 + 1/4) pi.
        let turn = 0.5 * v + 0.25;
        let cs = cospi(turn);
        let sn = sinpi(turn);
        let c = cos(x);
        let s = sin(x);
        let cosine = c * cs + s * sn;
        let sine = s * cs - c * sn;
        let scale = sqrt(TWO_OVER_PI / x);
        return (scale * (p * cosine - q * sine), scale * (p * sine + q * cosine));
    }

    /// J and Y of order v from zero on at x above zero: by Hankel's expansion where x is large, from orders below two upwards
    /// where x is larger than v, else by Temme's series and Steed's fractions.
    fn bessel_jy(v: f64, x: f64) -> (f64, f64) {
        if x > 25.0 && x > 0.5 * v * v {
            return hankel_jy(v, x);
        }
        if v + x > 4e5 {
            return large_jy(v, x);
        }
        if x < 2.0 || v >= x || (v < 1.0 && x < 20.0) {
            let (j, _j_next, y, _y_next) = steed_jy(v, x);
            return (j, y);
        }
        let mu = v - floor(v);
        let mut j = 0.0;
        let mut j_next = 0.0;
        let mut y = 0.0;
        let mut y_next = 0.0;
        if mu == 0.0 {
            j = j0(x);
            j_next = j1(x);
            y = y0(x);
            y_next = y1(x);
        } else if x < 20.0 {
            let (first, second, third, fourth) = steed_jy(mu, x);
            j = first;
            j_next = second;
            y = third;
            y_next = fourth;
        } else {
            let (first, third) = hankel_jy(mu, x);
            let (second, fourth) = hankel_jy(mu + 1.0, x);
            j = first;
            j_next = second;
            y = third;
            y_next = fourth;
        }
        let mut order = mu;
        while order < v - 0.5 {
            order += 1.0;
            let factor = 2.0 * order / x;
            let j_after = factor * j_next - j;
            let y_after = factor * y_next - y;
            j = j_next;
            j_next = j_after;
            y = y_next;
            y_next = y_after;
        }
        return (j, y);
    }

    /// J and Y of orders v and v + 1, by Temme's series or Steed's fractions.
    fn steed_jy(v: f64, x: f64) -> (f64, f64, f64, f64) {
        let down = if x < 2.0 { floor(v + 0.5) } else if v - x + 1.5 > 0.0 { floor(v - x + 1.5) } else { 0.0 };
        let mu = v - down;
        let w = TWO_OVER_PI / x;
        // J'/J of order v by its continued fraction, with the sign of J.
        let two_over_x = 2.0 / x;
        let mut sign = 1.0;
        let mut h = v / x;
        h = if abs(h) < 1e-300 { 1e-300 } else { h };
        let mut b = two_over_x * v;
        let mut d = 0.0;
        let mut c = h;
        let mut i = 0;
        while i < 4000000 {
            b += two_over_x;
            d = b - d;
            d = if abs(d) < 1e-300 { 1e-300 } else { d };
            c = b - 1.0 / c;
            c = if abs(c) < 1e-300 { 1e-300 } else { c };
            d = 1.0 / d;
            let step = c * d;
            h *= step;
            if d < 0.0 {
                sign = -sign;
            }
            if abs(step - 1.0) < 1e-16 {
                break;
            }
            i += 1;
        }
        let mut jl = sign * 1e-280;
        let mut jpl = h * jl;
        let mut first = jl;
        let mut ratio = v / x;
        let mut l = down;
        while l >= 1.0 {
            let next = ratio * jl + jpl;
            ratio -= 1.0 / x;
            jpl = ratio * next - jl;
            jl = next;
            if abs(jl) > 1e150 {
                jl *= 1e-300;
                jpl *= 1e-300;
                first *= 1e-300;
            }
            l -= 1.0;
        }
        jl = if jl == 0.0 { 1e-300 } else { jl };
        let f = jpl / jl;
        let mut jmu = 0.0;
        let mut ymu = 0.0;
        let mut ynext = 0.0;
        if x < 2.0 {
            let half = 0.5 * x;
            let angle = 3.141592653589793 * mu;
            let fact = if abs(angle) < 1e-15 { 1.0 } else { angle / sin(angle) };
            let dl = -log(half);
            let e = mu * dl;
            let fact2 = if abs(e) < 1e-15 { 1.0 } else { sinh(e) / e };
            let place = 8.0 * mu * mu - 1.0;
            let odd = poly(place, &TEMME_ODD);
            let even = poly(place, &TEMME_EVEN);
            let plus = even - mu * odd;
            let minus = even + mu * odd;
            let mut ff = TWO_OVER_PI * fact * (odd * cosh(e) + even * fact2 * dl);
            let grown = exp(e);
            let mut p = grown / (plus * 3.141592653589793);
            let mut q = 1.0 / (grown * 3.141592653589793 * minus);
            let half_angle = 0.5 * angle;
            let fact3 = if abs(half_angle) < 1e-15 { 1.0 } else { sin(half_angle) / half_angle };
            let r = 3.141592653589793 * half_angle * fact3 * fact3;
            let dd = -half * half;
            let mut cc = 1.0;
            let mut sum = ff + r * q;
            let mut sum1 = p;
            let mut k = 1.0;
            while k < 500.0 {
                ff = (k * ff + p + q) / (k * k - mu * mu);
                cc *= dd / k;
                p /= k - mu;
                q /= k + mu;
                let part = cc * (ff + r * q);
                sum += part;
                sum1 += cc * p - k * part;
                if abs(part) < (1.0 + abs(sum)) * 1e-17 {
                    break;
                }
                k += 1.0;
            }
            ymu = -sum;
            ynext = -sum1 * two_over_x;
            let slope = mu / x * ymu - ynext;
            jmu = w / (slope - f * ymu);
        } else {
            // p + i q by the second fraction, in complex arithmetic.
            let mut a = 0.25 - mu * mu;
            let mut p = -0.5 / x;
            let mut q = 1.0;
            let br = 2.0 * x;
            let mut bi = 2.0;
            let mut fact = a / x / (p * p + q * q);
            let mut cr = br + q * fact;
            let mut ci = bi + p * fact;
            let mut den = br * br + bi * bi;
            let mut dr = br / den;
            let mut di = -bi / den;
            let mut dlr = cr * dr - ci * di;
            let mut dli = cr * di + ci * dr;
            let mut temp = p * dlr - q * dli;
            q = p * dli + q * dlr;
            p = temp;
            let mut k = 2.0;
            while k < 100000.0 {
                a += 2.0 * (k - 1.0);
                bi += 2.0;
                dr = a * dr + br;
                di = a * di + bi;
                if abs(dr) + abs(di) < 1e-300 {
                    dr = 1e-300;
                }
                fact = a / (cr * cr + ci * ci);
                cr = br + cr * fact;
                ci = bi - ci * fact;
                if abs(cr) + abs(ci) < 1e-300 {
                    cr = 1e-300;
                }
                den = dr * dr + di * di;
                dr /= den;
                di = -di / den;
                dlr = cr * dr - ci * di;
                dli = cr * di + ci * dr;
                temp = p * dlr - q * dli;
                q = p * dli + q * dlr;
                p = temp;
                if abs(dlr - 1.0) + abs(dli) < 1e-16 {
                    break;
                }
                k += 1.0;
            }
            let gam = (p - f) / q;
            jmu = sqrt(w / ((p - f) * gam + q));
            jmu = if jl < 0.0 { -jmu } else { jmu };
            ymu = jmu * gam;
            let slope = ymu * (p + q / gam);
            ynext = mu / x * ymu - slope;
            if gam == 0.0 {
                ynext = -jmu * q;
            }
        }
        let j = first * (jmu / jl);
        let mut order = mu;
        let mut n = 0.0;
        while n < down {
            order += 1.0;
            let next = order * two_over_x * ynext - ymu;
            ymu = ynext;
            ynext = next;
            if abs(ynext) == INF {
                ymu = if n + 1.0 < down { ynext } else { ymu };
                break;
            }
            n += 1.0;
        }
        return (j, j * (v / x - h), ymu, ynext);
    }

    /// J of order v from zero on at x above zero.
    fn jv_positive(v: f64, x: f64) -> f64 {
        if v == 0.0 {
            return j0(x);
        }
        if v == 1.0 {
            return j1(x);
        }
        if 0.25 * x * x < v + 1.0 {
            if v > 2000.0 {
                return 0.0;
            }
            let value = power_over_gamma(v, x) * bessel_series(v, x, -1.0);
            return if v < 100.0 { value } else { value * exp(0.5 * x) };
        }
        let (j, _y) = bessel_jy(v, x);
        return j;
    }

    /// Y of order v from zero on at x above zero.
    fn yv_positive(v: f64, x: f64) -> f64 {
        if v == 0.0 {
            return y0(x);
        }
        if v == 1.0 {
            return y1(x);
        }
        if floor(v) == v && v < 1e3 && x < 1e5 {
            return yn_upwards(v, x);
        }
        let (_j, y) = bessel_jy(v, x);
        return y;
    }

    /// Y of whole order v from zero on, from orders zero and one upwards.
    fn yn_upwards(v: f64, x: f64) -> f64 {
        let (zero, one) = y0_and_y1(x);
        if v == 0.0 {
            return zero;
        }
        let mut before = zero;
        let mut value = one;
        let scale = 2.0 / x;
        let mut k = 1.0;
        while k < v {
            let next = fma(k * scale, value, -before);
            before = value;
            value = next;
            if abs(value) == INF {
                return value;
            }
            k += 1.0;
        }
        return value;
    }

    /// The Bessel function of the first kind of real order.
    fn jv(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) {
            return NAN;
        }
        if abs(v) == INF {
            return if x >= 0.0 && x < INF { 0.0 } else { NAN };
        }
        let whole = floor(v) == v;
        if x < 0.0 {
            if !whole {
                return NAN;
            }
            let value = jv_right(v, -x);
            return if 2.0 * floor(0.5 * v) == v { value } else { -value };
        }
        return jv_right(v, x);
    }

    /// The same at x from zero on.
    fn jv_right(v: f64, x: f64) -> f64 {
        let whole = floor(v) == v;
        if x == INF {
            return 0.0;
        }
        if x == 0.0 {
            if v == 0.0 {
                return 1.0;
            }
            if v > 0.0 || whole {
                return if v < 0.0 && 2.0 * floor(0.5 * v) != v { -0.0 } else { 0.0 };
            }
            return INF * gammasgn(v + 1.0);
        }
        if v >= 0.0 {
            return jv_positive(v, x);
        }
        if whole {
            let value = jv_positive(-v, x);
            return if 2.0 * floor(0.5 * v) == v { value } else { -value };
        }
        if 0.25 * x * x < 0.1 && v > -50.0 {
            return pow(0.5 * x, v) * rgamma(v + 1.0) * bessel_series(v, x, -1.0);
        }
        return cospi(v) * jv_positive(-v, x) + sinpi(v) * yv_positive(-v, x);
    }

    /// The Bessel function of the second kind of real order.
    fn yv(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || abs(v) == INF || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            if v >= 0.0 || 2.0 * floor(0.5 * v) == v {
                return -INF;
            }
            if floor(v) == v {
                return INF;
            }
            return if floor(v + 0.5) == v + 0.5 { 0.0 } else { -INF * copysign(1.0, cospi(v)) };
        }
        if x == INF {
            return 0.0;
        }
        if v >= 0.0 {
            return yv_positive(v, x);
        }
        if floor(v) == v {
            let value = yv_positive(-v, x);
            return if 2.0 * floor(0.5 * v) == v { value } else { -value };
        }
        let c = cospi(v);
        let j = jv_positive(-v, x);
        return if c == 0.0 { -sinpi(v) * j } else { c * yv_positive(-v, x) - sinpi(v) * j };
    }

    /// The same, which has no factor at real arguments.
    fn jve(v: f64, x: f64) -> f64 {
        return jv(v, x);
    }

    /// The same of the second kind.
    fn yve(v: f64, x: f64) -> f64 {
        return yv(v, x);
    }

    /// The Bessel function of the second kind of whole order.
    fn yn(n: f64, x: f64) -> f64 {
        let v = trunc(n);
        if abs(v) < 1e3 && x > 0.0 && x < 1e5 {
            let value = yn_upwards(abs(v), x);
            return if v < 0.0 && 2.0 * floor(0.5 * v) != v { -value } else { value };
        }
        return yv(v, x);
    }
}

lanes! {
    jv(a, b);
    jve(a, b);
    yve(a, b);
    yv(a, b);
    yn(a, b);
}
