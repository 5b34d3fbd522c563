//! Functions of four real arguments, which come two by two as the parts of complex numbers: Gauss's hypergeometric
//! function and Carlson's integral of the third kind.

#[allow(unused_imports)]
use super::beta::*;
#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::elliptic::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::hypergeometric::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

plain_functions! {
    /// Jacobi's polynomial of degree one, and what it is more than it would be if it grew with the degree as at one.
    fn jacobi_start(a: f64, b: f64, x: f64) -> (f64, f64) {
        let step = 0.5 * (a + b + 2.0) * (x - 1.0);
        return (step, (a + 1.0) + step);
    }

    /// The same of the next degree: such differences lose less than the polynomials themselves.
    fn jacobi_step(k: f64, a: f64, b: f64, x: f64, step: f64, value: f64) -> (f64, f64) {
        let t = 2.0 * k + (a + b);
        let scale = (t + 2.0) / (2.0 * (k + 1.0) * (k + (a + b) + 1.0) * t);
        let next = fma(t * (t + 1.0) * (x - 1.0), value, 2.0 * k * (k + b) * step) * scale;
        return (next, fma(a * plain_inverse(k + 1.0), value, next) + value);
    }

    /// The value of one degree of those that were reached.
    fn jacobi_end(n: f64, _a: f64, _b: f64, _x: f64, value: f64) -> f64 {
        return if n == 0.0 { 1.0 } else { value };
    }

    /// Whether Jacobi's polynomials take another way: where a degree is no small whole number, or they may be too large for a double.
    fn jacobi_is_rare(n: f64, a: f64, b: f64, x: f64) -> bool {
        let is_whole = n >= 0.0 && n < 64.0 && (n + 4503599627370496.0) - 4503599627370496.0 == n;
        return !is_whole || !(abs(a) < 1e2 && abs(b) < 1e2 && abs(x) < 1e2) || jacobi_stops(a, b);
    }

    /// Whether some step of the recurrence would divide by zero: where a + b is whole and at most -2.
    fn jacobi_stops(a: f64, b: f64) -> bool {
        let sum = a + b;
        return sum <= -2.0 && (sum + 6755399441055744.0) - 6755399441055744.0 == sum;
    }
}

functions! {
    /// Jacobi's polynomial of degree n with the parameters a and b at x, or Gauss's function where n is not whole.
    fn complex_eval_jacobi(n: f64, a: f64, b: f64, x: f64) -> (f64, f64) {
        if is_nan(n) || is_nan(a) || is_nan(b) || is_nan(x) {
            return (NAN, 0.0);
        }
        if floor(n) != n || n < 0.0 || n > 1e6 {
            let (value, _im) = complex_hyp2f1_real(-n, n + a + b + 1.0, a + 1.0, 0.5 * (1.0 - x));
            return (binom(n + a, n) * value, 0.0);
        }
        if n == 0.0 {
            return (1.0, 0.0);
        }
        if jacobi_stops(a, b) {
            // Mirrored, so that terms of one sign are not large beside the result.
            if x >= 0.0 {
                return (jacobi_sum(n, a, b, x), 0.0);
            }
            let value = jacobi_sum(n, b, a, -x);
            return (if 2.0 * floor(0.5 * n) == n { value } else { -value }, 0.0);
        }
        let (first, second) = jacobi_start(a, b, x);
        let mut step = first;
        let mut value = second;
        let mut k = 1.0;
        while k < n {
            let (last, next) = jacobi_step(k, a, b, x, step, value);
            step = last;
            value = next;
            k += 1.0;
        }
        return (value, 0.0);
    }

    /// Jacobi's polynomial as the sum over k of C(n + a, n - k) C(n + a + b + k, k) ((x - 1) / 2)^k, from the last term on.
    fn jacobi_sum(n: f64, a: f64, b: f64, x: f64) -> f64 {
        let half = 0.5 * (x - 1.0);
        let mut choices = 1.0;
        let mut sum = 1.0;
        let mut k = n - 1.0;
        while k >= 0.0 {
            choices *= (a + k + 1.0) / (n - k);
            sum = choices + (n + (a + b) + k + 1.0) * half / (k + 1.0) * sum;
            k -= 1.0;
        }
        return sum;
    }

    /// Whether a number is whole and not above zero.
    fn is_pole(x: f64) -> bool {
        return x <= 0.0 && floor(x) == x;
    }

    /// The series of 2F1, which may end.
    fn gauss_series(a: f64, b: f64, c: f64, re: f64, im: f64) -> (f64, f64) {
        let mut tr = 1.0;
        let mut ti = 0.0;
        let mut sr = 1.0;
        let mut si = 0.0;
        let mut k = 0.0;
        while k < 20000.0 {
            let scale = (a + k) / (c + k) * ((b + k) / (k + 1.0));
            let (nr, ni) = product(tr, ti, scale * re, scale * im);
            tr = nr;
            ti = ni;
            sr += tr;
            si += ti;
            k += 1.0;
            let size = abs(tr) + abs(ti);
            if size == 0.0 || (size < 1e-17 * (abs(sr) + abs(si)) && k > abs(a) && k > abs(b) && (k > -c || c < -2e4)) {
                break;
            }
        }
        return (sr, si);
    }

    /// 2F1 at z, from its value and derivative at another point, by Taylor series of the differential equation.
    fn gauss_walk(a: f64, b: f64, c: f64, from: f64, from_im: f64, re: f64, im: f64, value: f64, value_im: f64, slope: f64, slope_im: f64) -> (f64, f64) {
        let mut zr = from;
        let mut zi = from_im;
        let mut fr = value;
        let mut fi = value_im;
        let mut gr = slope;
        let mut gi = slope_im;
        let mut steps = 0;
        while steps < 4000 {
            let to_one = hypot(1.0 - zr, zi);
            let to_zero = hypot(zr, zi);
            let room = 0.5 * (if to_one < to_zero { to_one } else { to_zero });
            let mut hr = re - zr;
            let mut hi = im - zi;
            let left = hypot(hr, hi);
            let is_last = left <= room;
            if !is_last {
                hr *= room / left;
                hi *= room / left;
            }
            // Terms c_n h^n and (n + 1) c_(n+1) h^n of the value and its derivative.
            let (pr, pi) = product(zr, zi, 1.0 - zr, -zi);
            let mut xr = fr;
            let mut xi = fi;
            let (first, second) = product(gr, gi, hr, hi);
            let mut yr = first;
            let mut yi = second;
            let mut sr = xr + yr;
            let mut si = xi + yi;
            let mut dr = yr;
            let mut di = yi;
            let (ur, ui) = quotient_of(hr, hi, pr, pi);
            let (vr, vi) = product(ur, ui, hr, hi);
            let mut n = 0.0;
            while n < 400.0 {
                let mr = (n + 1.0) * ((1.0 - 2.0 * zr) * n + c - (a + b + 1.0) * zr);
                let mi = (n + 1.0) * (-2.0 * zi * n - (a + b + 1.0) * zi);
                let (ar, ai) = product(mr, mi, yr, yi);
                let (br, bi) = product(ar, ai, ur, ui);
                let (er, ei) = product(xr, xi, vr, vi);
                let weight = (n + a) * (n + b);
                let below = 1.0 / ((n + 2.0) * (n + 1.0));
                let nr = (weight * er - br) * below;
                let ni = (weight * ei - bi) * below;
                xr = yr;
                xi = yi;
                yr = nr;
                yi = ni;
                sr += nr;
                si += ni;
                dr += (n + 2.0) * nr;
                di += (n + 2.0) * ni;
                n += 1.0;
                if (abs(xr) + abs(xi) + abs(nr) + abs(ni)) * n < 1e-17 * (abs(sr) + abs(si) + abs(dr) + abs(di)) {
                    break;
                }
            }
            fr = sr;
            fi = si;
            if is_last {
                break;
            }
            let (qr, qi) = quotient_of(dr, di, hr, hi);
            gr = qr;
            gi = qi;
            zr += hr;
            zi += hi;
            steps += 1;
        }
        return (fr, fi);
    }

    /// A number off the negative axis to a real power.
    fn real_power(re: f64, im: f64, exponent: f64) -> (f64, f64) {
        if im == 0.0 && re >= 0.0 {
            return (pow(re, exponent), 0.0);
        }
        let (lr, li) = log_of(re, im);
        return exp_of(exponent * lr, exponent * li);
    }

    /// 2F1 at a real x from 0.9 on, given 1 - x, by its two solutions about one; no number where these cancel, as they do where
    /// c - a - b is nearly whole.
    fn gauss_near_one(a: f64, b: f64, c: f64, rest: f64) -> f64 {
        let s = c - a - b;
        if !(abs(s - rint(s)) > 0.1 && abs(a) < 30.0 && abs(b) < 30.0 && abs(c) < 30.0) {
            return NAN;
        }
        let (whole, whole_most) = hyp2f1_quick(a, b, 1.0 - s, rest);
        let (part, part_most) = hyp2f1_quick(c - a, c - b, 1.0 + s, rest);
        if !(whole_most <= 2.0 * abs(whole) && part_most <= 2.0 * abs(part)) {
            return NAN;
        }
        let scale = gamma(c);
        let first = scale * rgamma(c - a) * (gamma(s) * rgamma(c - b)) * whole;
        let second = scale * rgamma(a) * (gamma(-s) * rgamma(b)) * pow(rest, s) * part;
        // What the exponent lost counts where 1 - x is small.
        let more = c - a;
        let taken = c - more;
        let lost = (c - (more + taken)) + (taken - a);
        let part_taken = more - s;
        let lost_too = (more - (s + part_taken)) + (part_taken - b);
        let sum = first + fma(second, (lost + lost_too) * log(rest), second);
        return if abs(sum) >= 0.5 * abs(first) { sum } else { NAN };
    }

    /// 2F1 at z to the right of the imaginary axis, off one, given 1 - z as well; no series that ends.
    fn gauss_right(a: f64, b: f64, c: f64, re: f64, im: f64, rest: f64, rest_im: f64) -> (f64, f64) {
        if im == 0.0 && re > 0.9 && re < 1.0 {
            let value = gauss_near_one(a, b, c, rest);
            if !is_nan(value) {
                return (value, 0.0);
            }
        }
        if im == 0.0 && (re <= 0.9 || (re <= 0.96 && a > 0.0 && b > 0.0 && c > 0.0)) {
            return (hyp2f1_series(a, b, c, re), 0.0);
        }
        if hypot(re, im) <= 0.6 {
            return gauss_series(a, b, c, re, im);
        }
        // As a function of 1 - z, which is known better near one; it has other parameters.
        let other = a + b + 1.0 - c;
        if im == 0.0 && re < 1.0 {
            let value = hyp2f1_series(a, b, c, 0.5);
            let slope = -a * b / c * hyp2f1_series(a + 1.0, b + 1.0, c + 1.0, 0.5);
            return gauss_walk(a, b, other, 0.5, 0.0, rest, rest_im, value, 0.0, slope, 0.0);
        }
        if c - a - b < 0.0 {
            // Euler's transformation: smaller terms.
            let (pr, pi) = real_power(rest, rest_im, c - a - b);
            let (sr, si) = gauss_past(c - a, c - b, c, im, rest, rest_im);
            return product(pr, pi, sr, si);
        }
        return gauss_past(a, b, c, im, rest, rest_im);
    }

    /// The same from half the imaginary unit on, past one on the side that z lies on.
    fn gauss_past(a: f64, b: f64, c: f64, im: f64, rest: f64, rest_im: f64) -> (f64, f64) {
        let start = if im >= 0.0 { 0.5 } else { -0.5 };
        let (fr, fi) = gauss_series(a, b, c, 0.0, start);
        let (gr, gi) = gauss_series(a + 1.0, b + 1.0, c + 1.0, 0.0, start);
        let scale = -a * b / c;
        return gauss_walk(a, b, a + b + 1.0 - c, 1.0, -start, rest, rest_im, fr, fi, scale * gr, scale * gi);
    }

    /// 2F1 of a real x below zero; no series that ends.
    fn gauss_left(a: f64, b: f64, c: f64, x: f64) -> (f64, f64) {
        if x > -0.3 {
            let (value, largest) = hyp2f1_quick(a, b, c, x);
            if largest <= 3.0 * abs(value) && largest < 1e290 {
                return (value, 0.0);
            }
        }
        // Pfaff's transformation, with positive parameters or else with the smaller one.
        let rest = 1.0 / (1.0 - x);
        let place = -x * rest;
        if (c > b && c <= a) || (!(c > a && c <= b) && abs(a) < abs(b)) {
            let (value, _im) = gauss_right(a, c - b, c, place, 0.0, rest, 0.0);
            return (pow(1.0 - x, -a) * value, 0.0);
        }
        let (value, _im) = gauss_right(c - a, b, c, place, 0.0, rest, 0.0);
        return (pow(1.0 - x, -b) * value, 0.0);
    }

    /// Gauss's hypergeometric function of real parameters.
    fn gauss_hypergeometric(a: f64, b: f64, c: f64, re: f64, im: f64) -> (f64, f64) {
        if is_nan(a) || is_nan(b) || is_nan(c) || is_nan(re) || is_nan(im) {
            return (NAN, NAN);
        }
        let ends_a = is_pole(a) && !(is_pole(c) && a < c);
        let ends_b = is_pole(b) && !(is_pole(c) && b < c);
        if is_pole(c) && !ends_a && !ends_b {
            return (INF, 0.0);
        }
        if a == 0.0 || b == 0.0 || (re == 0.0 && im == 0.0) {
            return (1.0, 0.0);
        }
        if b == c && (a == c || !ends_a) {
            return real_power(1.0 - re, -im, -a);
        }
        if a == c && !ends_b {
            return real_power(1.0 - re, -im, -b);
        }
        if ends_a || ends_b {
            if im == 0.0 && re > 0.0 && re <= 1.0 {
                return (hyp2f1_series(a, b, c, re), 0.0);
            }
            return gauss_series(a, b, c, re, im);
        }
        if abs(re) == INF || abs(im) == INF {
            if im == 0.0 && re < 0.0 && a > 0.0 && b > 0.0 {
                return (0.0, 0.0);
            }
            return (if im == 0.0 && re > 0.0 { INF } else { NAN }, NAN);
        }
        let rest = c - a - b;
        if re == 1.0 && im == 0.0 {
            if rest > 0.0 {
                return (gamma(c) * rgamma(c - a) * (gamma(rest) * rgamma(c - b)), 0.0);
            }
            return (INF, 0.0);
        }
        if is_pole(c - a) || is_pole(c - b) {
            // Euler's transformation makes the series end.
            let (pr, pi) = real_power(1.0 - re, -im, rest);
            let (sr, si) = gauss_series(c - a, c - b, c, re, im);
            return product(pr, pi, sr, si);
        }
        if im == 0.0 && re < 0.0 {
            return gauss_left(a, b, c, re);
        }
        let apart = abs(a - b - rint(a - b));
        if im != 0.0 && hypot(re, im) > 2.0 && apart > 0.01 {
            // The two solutions at infinity.
            let (ir, ii) = quotient_of(1.0, 0.0, re, im);
            let (pr, pi) = real_power(-re, -im, -a);
            let (qr, qi) = real_power(-re, -im, -b);
            let (sr, si) = gauss_series(a, a - c + 1.0, a - b + 1.0, ir, ii);
            let (tr, ti) = gauss_series(b, b - c + 1.0, b - a + 1.0, ir, ii);
            let first = gamma(c) * gamma(b - a) * rgamma(b) * rgamma(c - a);
            let second = gamma(c) * gamma(a - b) * rgamma(a) * rgamma(c - b);
            let (xr, xi) = product(first * pr, first * pi, sr, si);
            let (yr, yi) = product(second * qr, second * qi, tr, ti);
            return (xr + yr, xi + yi);
        }
        if re < 0.0 && hypot(re, im) > 0.1 {
            // Pfaff's transformation, with the smaller of the parameters.
            let (qr, qi) = quotient_of(re, im, re - 1.0, im);
            let (ur, ui) = quotient_of(1.0, 0.0, 1.0 - re, -im);
            if abs(a) < abs(b) {
                let (pr, pi) = real_power(1.0 - re, -im, -a);
                let (sr, si) = gauss_right(a, c - b, c, qr, qi, ur, ui);
                return product(pr, pi, sr, si);
            }
            let (pr, pi) = real_power(1.0 - re, -im, -b);
            let (sr, si) = gauss_right(c - a, b, c, qr, qi, ur, ui);
            return product(pr, pi, sr, si);
        }
        if re < 0.0 {
            return gauss_series(a, b, c, re, im);
        }
        return gauss_right(a, b, c, re, im, 1.0 - re, -im);
    }

    /// The same with a and b in one number and c in another.
    fn complex_hyp2f1(a: f64, b: f64, c: f64, _zero: f64, re: f64, im: f64) -> (f64, f64) {
        return gauss_hypergeometric(a, b, c, re, im);
    }

    /// The same of a real x: infinite beyond one, unless its series ends.
    fn complex_hyp2f1_real(a: f64, b: f64, c: f64, x: f64) -> (f64, f64) {
        let ends = (is_pole(a) && !(is_pole(c) && a < c)) || (is_pole(b) && !(is_pole(c) && b < c));
        if x > 1.0 && !ends && a != c && b != c && a != 0.0 && b != 0.0 && !is_nan(a) && !is_nan(b) && !is_nan(c) {
            // By Euler's transformation a power of 1 - x and a series that may end.
            let power = c - a - b;
            if (is_pole(c - a) || is_pole(c - b)) && !is_pole(c) && floor(power) == power && x < INF {
                let (rest, _im) = gauss_hypergeometric(c - a, c - b, c, x, 0.0);
                return (pow(1.0 - x, power) * rest, 0.0);
            }
            return (INF, 0.0);
        }
        if x > 1.0 && !ends && (a == c || b == c) && a != 0.0 && b != 0.0 {
            return (pow(1.0 - x, if b == c { -a } else { -b }), 0.0);
        }
        return gauss_hypergeometric(a, b, c, x, 0.0);
    }

    /// Carlson's degenerate integral of one and 1 + e.
    fn carlson_rc_one(e: f64) -> f64 {
        if abs(e) < 1e-3 {
            return 1.0 + e * (-0.3333333333333333 + e * (0.2 + e * (-0.14285714285714285 + e * (0.1111111111111111 - 0.09090909090909091 * e))));
        }
        let root = sqrt(abs(e));
        if e > 0.0 {
            return atan(root) / root;
        }
        return 0.5 * log1p(2.0 * root / (1.0 - root)) / root;
    }

    /// Carlson's integral of the third kind, p above zero.
    fn carlson_rj(x0: f64, y0: f64, z0: f64, p0: f64) -> f64 {
        let mut x = x0;
        let mut y = y0;
        let mut z = z0;
        let mut p = p0;
        let mut delta = (p - x) * (p - y) * (p - z);
        let mut sum = 0.0;
        let mut factor = 1.0;
        let mut mean = 0.2 * (x + y + z + 2.0 * p);
        let mut i = 0;
        while i < 100 {
            let spread = abs(1.0 - x / mean) + abs(1.0 - y / mean) + abs(1.0 - z / mean) + abs(1.0 - p / mean);
            if spread < 2e-3 {
                break;
            }
            let rx = sqrt(x);
            let ry = sqrt(y);
            let rz = sqrt(z);
            let rp = sqrt(p);
            let shift = rx * (ry + rz) + ry * rz;
            let d = (rp + rx) * (rp + ry) * (rp + rz);
            sum += factor / d * carlson_rc_one(delta / d / d);
            factor *= 0.25;
            delta *= 0.015625;
            x = 0.25 * (x + shift);
            y = 0.25 * (y + shift);
            z = 0.25 * (z + shift);
            p = 0.25 * (p + shift);
            mean = 0.2 * (x + y + z + 2.0 * p);
            i += 1;
        }
        let dx = 1.0 - x / mean;
        let dy = 1.0 - y / mean;
        let dz = 1.0 - z / mean;
        let dp = -0.5 * (dx + dy + dz);
        let pp = dp * dp;
        let xyz = dx * dy * dz;
        let e2 = dx * dy + dx * dz + dy * dz - 3.0 * pp;
        let e3 = xyz + 2.0 * e2 * dp + 4.0 * pp * dp;
        let e4 = (2.0 * xyz + e2 * dp + 3.0 * pp * dp) * dp;
        let e5 = xyz * pp;
        let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0 - e2 * e2 * e2 / 16.0 + 3.0 * e3 * e3 / 40.0 + 3.0 * e2 * e4 / 20.0;
        return fma(factor / (mean * sqrt(mean)), series, 6.0 * sum);
    }

    /// Carlson's symmetric integral of the third kind, of x and y in one number, z and p in another.
    fn complex_elliprj(x: f64, y: f64, z: f64, p: f64) -> (f64, f64) {
        if carlson_refuses(x, y, z) || is_nan(p) || p == 0.0 {
            return (NAN, 0.0);
        }
        if (x == 0.0 && y == 0.0) || (y == 0.0 && z == 0.0) || (x == 0.0 && z == 0.0) {
            return (INF, 0.0);
        }
        if x == INF || y == INF || z == INF || abs(p) == INF {
            return (0.0, 0.0);
        }
        if p > 0.0 {
            return (carlson_rj(x, y, z, p), 0.0);
        }
        // Cauchy's principal value, by one with p above zero; the largest argument apart.
        let first_two = if x < y { x } else { y };
        let other_two = if x < y { y } else { x };
        let high = if other_two > z { other_two } else { z };
        let left = if other_two > z { z } else { other_two };
        let low = if first_two < left { first_two } else { left };
        let middle = if first_two < left { left } else { first_two };
        let q = -p;
        let xy = low * middle;
        let s = (high * (low + middle + q) - xy) / (high + q);
        let t = xy + s * q;
        let value = (s - high) * carlson_rj(low, middle, high, s) - 3.0 * carlson_rf(low, middle, high) + 3.0 * sqrt(xy * high / t) * elliprc(t, s * q);
        return (value / (high + q), 0.0);
    }
}

complex_lanes! {
    complex_hyp2f1(a, b, c);
    complex_hyp2f1_real(a, b);
    complex_eval_jacobi(a, b) by jacobi_step from jacobi_start to jacobi_end unless jacobi_is_rare;
    complex_elliprj(a, b);
}
