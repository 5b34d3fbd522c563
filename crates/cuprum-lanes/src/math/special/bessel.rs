//! Bessel functions of integer and real order, their modified forms, spherical ones and Airy's.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::incomplete::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const EULER: f64 = 0.5772156649015329;
const TWO_OVER_PI: f64 = 0.6366197723675814;
const ONE_OVER_PI: f64 = 0.3183098861837907;
/// The logarithm of 1e250, by which `bessel_ik` scales.
const LOG_SCALE: f64 = 575.6462732485115;

functions! {
    /// The place of 1/x^2 in the interval of Hankel's functions.
    fn hankel_place(x: f64) -> f64 {
        let inverse = 1.0 / x;
        return fma(128.0 * inverse, inverse, -1.0);
    }

    /// The Bessel function of the first kind of order zero.
    fn j0(x: f64) -> f64 {
        let a = abs(x);
        if a < 4.0 {
            let near = (a - 2.404825557695773) - -1.176691651530894e-16;
            return near * (a + 2.404825557695773) * poly(fma(0.125 * a, a, -1.0), &J0_1);
        }
        if a < 8.0 {
            return ((a - 5.520078110286311) - 8.088597146146722e-17) * poly(fma(0.5, a, -3.0), &J0_2);
        }
        if a == INF {
            return 0.0;
        }
        let s = sin(a);
        let c = cos(a);
        let t = hankel_place(a);
        return sqrt(ONE_OVER_PI / a) * (poly(t, &HANKEL_P0) * (c + s) - poly(t, &HANKEL_Q0) / a * (s - c));
    }

    /// The Bessel function of the first kind of order one.
    fn j1(x: f64) -> f64 {
        let a = abs(x);
        let mut value = 0.0;
        if a < 4.0 {
            let near = (a - 3.8317059702075125) - -1.5269184090088067e-16;
            return x * (near * (a + 3.8317059702075125)) * poly(fma(0.125 * a, a, -1.0), &J1_1);
        }
        if a < 8.0 {
            value = ((a - 7.015586669815619) - -9.414165653410389e-17) * poly(fma(0.5, a, -3.0), &J1_2);
        } else if a < INF {
            let s = sin(a);
            let c = cos(a);
            let t = hankel_place(a);
            value = sqrt(ONE_OVER_PI / a) * (poly(t, &HANKEL_P1) * (s - c) + poly(t, &HANKEL_Q1) / a * (s + c));
        }
        return if x < 0.0 { -value } else if is_nan(x) { x } else { value };
    }

    /// The Bessel function of the second kind of order zero.
    fn y0(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { -INF } else { NAN };
        }
        if x < 2.0 {
            let near = (x - 0.8935769662791675) - 2.659623153972038e-17;
            let logarithm = if abs(near) < 0.3 { log1p(near / 0.8935769662791675) } else { log(x) - log(0.8935769662791675) };
            return fma(near * (x + 0.8935769662791675), poly(fma(0.5 * x, x, -1.0), &Y0_1), TWO_OVER_PI * logarithm * j0(x));
        }
        if x < 5.0 {
            return ((x - 3.957678419314858) - -1.0764340697562706e-16) * poly((x - 3.5) / 1.5, &Y0_2);
        }
        if x < 8.0 {
            return ((x - 7.086051060301773) - -8.835285723085408e-17) * poly((x - 6.5) / 1.5, &Y0_3);
        }
        if x == INF {
            return 0.0;
        }
        let s = sin(x);
        let c = cos(x);
        let t = hankel_place(x);
        return sqrt(ONE_OVER_PI / x) * (poly(t, &HANKEL_P0) * (s - c) + poly(t, &HANKEL_Q0) / x * (s + c));
    }

    /// The Bessel function of the second kind of order one.
    fn y1(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { -INF } else { NAN };
        }
        if x < 3.0 {
            let near = (x - 2.197141326031017) - -4.825983587645496e-17;
            let logarithm = if abs(near) < 0.5 { log1p(near / 2.197141326031017) } else { log(x) - log(2.197141326031017) };
            let rest = near * (x + 2.197141326031017) * poly(fma(x * 0.2222222222222222, x, -1.0), &Y1_1) / x;
            return fma(TWO_OVER_PI * logarithm, j1(x), rest);
        }
        if x < 8.0 {
            return ((x - 5.429681040794135) - 4.162514026670377e-16) * poly((x - 5.5) / 2.5, &Y1_2);
        }
        if x == INF {
            return 0.0;
        }
        let s = sin(x);
        let c = cos(x);
        let t = hankel_place(x);
        return sqrt(ONE_OVER_PI / x) * (poly(t, &HANKEL_Q1) / x * (s - c) - poly(t, &HANKEL_P1) * (s + c));
    }

    /// exp(-|x|) I0(x).
    fn i0e(x: f64) -> f64 {
        let a = abs(x);
        if a <= 8.0 {
            return exp(-a) * horner(0.25 * a * a, &I0_SERIES);
        }
        return poly(16.0 / a - 1.0, &I0_FAR) / sqrt(a);
    }

    /// exp(-|x|) I1(x).
    fn i1e(x: f64) -> f64 {
        let a = abs(x);
        if a <= 8.0 {
            return 0.5 * x * exp(-a) * horner(0.25 * a * a, &I1_SERIES);
        }
        return copysign(poly(16.0 / a - 1.0, &I1_FAR) / sqrt(a), x);
    }

    /// The modified Bessel function of the first kind of order one.
    fn i1(x: f64) -> f64 {
        let a = abs(x);
        if a <= 8.0 {
            return 0.5 * x * horner(0.25 * a * a, &I1_SERIES);
        }
        let half = exp(0.5 * a);
        return if a == INF { x } else { copysign(half * (poly(16.0 / a - 1.0, &I1_FAR) / sqrt(a)) * half, x) };
    }

    /// sqrt(x) exp(x) K0(x) for x above one.
    fn k0_scaled(x: f64) -> f64 {
        let w = 1.0 / x;
        if w < 0.125 {
            return poly(16.0 * w - 1.0, &K0_1);
        }
        if w < 0.5 {
            return poly((w - 0.3125) / 0.1875, &K0_2);
        }
        return poly(4.0 * w - 3.0, &K0_3);
    }

    /// sqrt(x) exp(x) K1(x) for x above one.
    fn k1_scaled(x: f64) -> f64 {
        let w = 1.0 / x;
        if w < 0.125 {
            return poly(16.0 * w - 1.0, &K1_1);
        }
        if w < 0.5 {
            return poly((w - 0.3125) / 0.1875, &K1_2);
        }
        return poly(4.0 * w - 3.0, &K1_3);
    }

    /// K0(x) for x up to one.
    fn k0_near(x: f64) -> f64 {
        let z = 0.25 * x * x;
        return fma(-(log(0.5 * x) + EULER), horner(z, &I0_SERIES), poly(z, &K0_SERIES));
    }

    /// K1(x) for x up to one.
    fn k1_near(x: f64) -> f64 {
        let z = 0.25 * x * x;
        return fma(log(0.5 * x), 0.5 * x * horner(z, &I1_SERIES), 1.0 / x - 0.25 * x * poly(z, &K1_SERIES));
    }

    /// The modified Bessel function of the second kind of order zero.
    fn k0(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { k0_near(x) } else { exp(-x) * k0_scaled(x) / sqrt(x) };
    }

    /// exp(x) K0(x).
    fn k0e(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { exp(x) * k0_near(x) } else { k0_scaled(x) / sqrt(x) };
    }

    /// The modified Bessel function of the second kind of order one.
    fn k1(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { k1_near(x) } else { exp(-x) * k1_scaled(x) / sqrt(x) };
    }

    /// exp(x) K1(x).
    fn k1e(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { exp(x) * k1_near(x) } else { k1_scaled(x) / sqrt(x) };
    }

    /// (x/2)^v / gamma(v + 1), times exp(-x/2) where v is large.
    fn power_over_gamma(v: f64, x: f64) -> f64 {
        if v < 100.0 {
            return pow(0.5 * x, v) * rgamma(v + 1.0);
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
        if v + x > 2e6 {
            return (NAN, NAN);
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
        let (_j, y) = bessel_jy(v, x);
        return y;
    }

    /// The Bessel function of the first kind of real order.
    fn jv(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || abs(v) == INF {
            return NAN;
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
        let (j, y) = bessel_jy(-v, x);
        return cospi(v) * j + sinpi(v) * y;
    }

    /// The Bessel function of the second kind of real order.
    fn yv(v: f64, x: f64) -> f64 {
        if is_nan(v) || is_nan(x) || abs(v) == INF || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            if v >= 0.0 || floor(v) == v {
                return -INF;
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
        let (j, y) = bessel_jy(-v, x);
        return cospi(v) * y - sinpi(v) * j;
    }

    /// The Bessel function of the second kind of whole order.
    fn yn(n: f64, x: f64) -> f64 {
        return yv(trunc(n), x);
    }

    /// exp(-x) I and exp(x) K of order v from zero on at x above zero, I times and K divided by 1e250 so often as the
    /// third says; the fourth is the next K in the same measure.
    fn bessel_ik(v: f64, x: f64) -> (f64, f64, f64, f64) {
        if v + x > 2e6 && x < v * v {
            return (NAN, NAN, 0.0, NAN);
        }
        let down = floor(v + 0.5);
        let mu = v - down;
        let two_over_x = 2.0 / x;
        let mut kmu = 0.0;
        let mut knext = 0.0;
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
                if abs(part / s) < 1e-17 {
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
        if v == 0.0 {
            return k0e(x);
        }
        if v == 1.0 {
            return k1e(x);
        }
        if x > 1e6 && x > v * v {
            let mu = 4.0 * v * v;
            let first = (mu - 1.0) / (8.0 * x);
            let second = first * (mu - 9.0) / (16.0 * x);
            let third = second * (mu - 25.0) / (24.0 * x);
            return sqrt(1.5707963267948966 / x) * (1.0 + (first + (second + third)));
        }
        let (_i, value, times, _next) = bessel_ik(v, x);
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
            let (i, _k, scaled, _next) = bessel_ik(order, a);
            let root = exp(0.5 * (a - scaled * LOG_SCALE));
            let large = i * root * root;
            return if x > 0.0 || 2.0 * floor(0.5 * v) == v { large } else { -large };
        }
        let half = exp(0.5 * a);
        let value = ive(v, x);
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

    /// The spherical Bessel function of the first kind.
    fn spherical_jn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_jn_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && !even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_jn_right(n: f64, x: f64) -> f64 {
        if x == 0.0 {
            return if n == 0.0 { 1.0 } else { 0.0 };
        }
        if x == INF {
            return 0.0;
        }
        if n == 0.0 {
            return sin(x) / x;
        }
        if n == 1.0 && x > 1.0 {
            return (sin(x) / x - cos(x)) / x;
        }
        return sqrt(1.5707963267948966 / x) * jv_positive(n + 0.5, x);
    }

    /// The spherical Bessel function of the second kind.
    fn spherical_yn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_yn_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_yn_right(n: f64, x: f64) -> f64 {
        if n > 1e6 {
            return NAN;
        }
        if x == 0.0 {
            return -INF;
        }
        if x == INF {
            return 0.0;
        }
        // Upwards, where the recurrence is stable.
        let mut before = -cos(x) / x;
        if n == 0.0 {
            return before;
        }
        let mut value = (before - sin(x)) / x;
        let mut k = 1.0;
        while k < n {
            let next = (2.0 * k + 1.0) / x * value - before;
            before = value;
            value = next;
            if abs(value) == INF {
                return value;
            }
            k += 1.0;
        }
        return value;
    }

    /// The modified spherical Bessel function of the first kind.
    fn spherical_in(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_in_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && !even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_in_right(n: f64, x: f64) -> f64 {
        if x == 0.0 {
            return if n == 0.0 { 1.0 } else { 0.0 };
        }
        if x == INF {
            return x;
        }
        if n == 0.0 {
            return sinh(x) / x;
        }
        return sqrt(1.5707963267948966 / x) * iv(n + 0.5, x);
    }

    /// The modified spherical Bessel function of the second kind.
    fn spherical_kn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 || x < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            return INF;
        }
        if x == INF {
            return 0.0;
        }
        if n > 1e6 {
            return NAN;
        }
        let mut before = 1.5707963267948966 * exp(-x) / x;
        if n == 0.0 {
            return before;
        }
        let mut value = before * (1.0 + 1.0 / x);
        let mut k = 1.0;
        while k < n {
            let next = (2.0 * k + 1.0) / x * value + before;
            before = value;
            value = next;
            if value == INF {
                return value;
            }
            k += 1.0;
        }
        return value;
    }

    /// The parts of Airy's functions near zero: Ai = 0.355 f - 0.259 g, and their derivatives.
    fn airy_series(x: f64) -> (f64, f64, f64, f64) {
        let cube = x * x * x;
        let mut f = 1.0;
        let mut g = x;
        let mut df = 0.0;
        let mut dg = 1.0;
        let mut f_term = 1.0;
        let mut g_term = x;
        let mut k = 1.0;
        while k < 40.0 {
            let n = 3.0 * k;
            let f_slope = f_term * x * x / (n - 1.0);
            let g_slope = g_term * x * x / n;
            df += f_slope;
            dg += g_slope;
            f_term *= cube / (n * (n - 1.0));
            g_term *= cube / (n * (n + 1.0));
            f += f_term;
            g += g_term;
            if abs(f_term) + abs(g_slope) < 1e-18 {
                break;
            }
            k += 1.0;
        }
        return (f, g, df, dg);
    }

    /// Airy's functions Ai and Bi and their derivatives.
    fn airy(x: f64) -> (f64, f64, f64, f64) {
        if is_nan(x) {
            return (x, x, x, x);
        }
        if x == INF {
            return (0.0, 0.0, x, x);
        }
        if x == -INF {
            return (0.0, NAN, 0.0, NAN);
        }
        if x > -1.5 && x < 1.0 {
            let (f, g, df, dg) = airy_series(x);
            let ai = fma(0.3550280538878172, f, -0.2588194037928068 * g);
            let aip = fma(0.3550280538878172, df, -0.2588194037928068 * dg);
            let bi = fma(0.6149266274460007, f, 0.4482883573538264 * g);
            let bip = fma(0.6149266274460007, df, 0.4482883573538264 * dg);
            return (ai, aip, bi, bip);
        }
        let a = abs(x);
        let root = sqrt(a);
        let zeta = 0.6666666666666666 * a * root;
        if x > 0.0 {
            let decay = exp(-zeta);
            let k1 = kve_positive(0.3333333333333333, zeta);
            let k2 = kve_positive(0.6666666666666666, zeta);
            let i1 = ive_positive(0.3333333333333333, zeta);
            let i2 = ive_positive(0.6666666666666666, zeta);
            let third = sqrt(a / 3.0);
            let small = decay * decay * 0.5513288954217921;
            let half = exp(0.5 * zeta);
            let bi = third * fma(2.0, i1, small * k1) * half * half;
            let bip = a * 0.5773502691896258 * fma(2.0, i2, small * k2) * half * half;
            return (ONE_OVER_PI * third * k1 * decay, -a * 0.18377629847393068 * k2 * decay, bi, bip);
        }
        let (j1v, y1v) = bessel_jy(0.3333333333333333, zeta);
        let (j2v, y2v) = bessel_jy(0.6666666666666666, zeta);
        let ai = 0.5 * root * (j1v - y1v * 0.5773502691896258);
        let bi = -0.5 * root * (j1v * 0.5773502691896258 + y1v);
        let aip = 0.5 * a * (j2v + y2v * 0.5773502691896258);
        let bip = 0.5 * a * (j2v * 0.5773502691896258 - y2v);
        return (ai, aip, bi, bip);
    }

    /// Airy's function Ai.
    fn airy_ai(x: f64) -> f64 {
        let (value, _b, _c, _d) = airy(x);
        return value;
    }

    /// Its derivative.
    fn airy_aip(x: f64) -> f64 {
        let (_a, value, _c, _d) = airy(x);
        return value;
    }

    /// Airy's function Bi.
    fn airy_bi(x: f64) -> f64 {
        let (_a, _b, value, _d) = airy(x);
        return value;
    }

    /// Its derivative.
    fn airy_bip(x: f64) -> f64 {
        let (_a, _b, _c, value) = airy(x);
        return value;
    }
}

lanes! {
    j0(a);
    j1(a);
    y0(a);
    y1(a);
    i0e(a);
    i1(a);
    i1e(a);
    k0(a);
    k0e(a);
    k1(a);
    k1e(a);
    jv(a, b);
    yv(a, b);
    yn(a, b);
    iv(a, b);
    ive(a, b);
    kv(a, b);
    kve(a, b);
    kn(a, b);
    spherical_jn(a, b);
    spherical_yn(a, b);
    spherical_in(a, b);
    spherical_kn(a, b);
    airy_ai(a);
    airy_aip(a);
    airy_bi(a);
    airy_bip(a);
}
