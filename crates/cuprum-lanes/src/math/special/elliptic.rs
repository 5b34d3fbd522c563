//! Elliptic integrals and functions.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const HALF_PI: f64 = 1.5707963267948966;

plain_functions! {
    /// The means of two numbers.
    fn both_means(x: f64, y: f64) -> (f64, f64) {
        return (0.5 * (x + y), sqrt(x * y));
    }

    /// The mean of arithmetic and geometric mean, of numbers whose ratio is up to 1000.
    fn plain_agm(a: f64, b: f64) -> f64 {
        let (x1, y1) = both_means(a, b);
        let (x2, y2) = both_means(x1, y1);
        let (x3, y3) = both_means(x2, y2);
        let (x4, y4) = both_means(x3, y3);
        let (x5, y5) = both_means(x4, y4);
        return 0.5 * (x5 + y5);
    }

    /// Whether agm takes another way.
    fn agm_is_rare(a: f64, b: f64) -> bool {
        return !(a > 1e-100 && b > 1e-100 && a < 1e100 && b < 1e100 && a < 1e3 * b && b < 1e3 * a);
    }

    /// One duplication of Carlson's degenerate integral.
    fn rc_step(x: f64, y: f64) -> (f64, f64) {
        let shift = fma(2.0, sqrt(x * y), y);
        return (0.25 * (x + shift), 0.25 * (y + shift));
    }

    /// Carlson's degenerate integral of numbers whose ratio is up to 1000.
    fn plain_elliprc(x: f64, y: f64) -> f64 {
        let (x1, y1) = rc_step(x, y);
        let (x2, y2) = rc_step(x1, y1);
        let (x3, y3) = rc_step(x2, y2);
        let (x4, y4) = rc_step(x3, y3);
        let (x5, y5) = rc_step(x4, y4);
        let (x6, y6) = rc_step(x5, y5);
        let (x7, y7) = rc_step(x6, y6);
        let mean = (x7 + 2.0 * y7) / 3.0;
        let s = (y7 - x7) / (3.0 * mean);
        let series = s * s * (0.3 + s * (0.14285714285714285 + s * (0.375 + s * (0.4090909090909091 + s * (0.7644230769230769 + 1.125 * s)))));
        return (1.0 + series) / sqrt(mean);
    }

    /// Whether elliprc takes another way.
    fn elliprc_is_rare(x: f64, y: f64) -> bool {
        return agm_is_rare(x, y);
    }

    /// A step of Landen's transformation: the means, and the next modulus.
    fn landen_down(a: f64, b: f64) -> (f64, f64, f64) {
        let sum = a + b;
        return (0.5 * sum, sqrt(a * b), plain_quotient(a - b, sum));
    }

    /// The elliptic functions of a modulus from those of the next one, k.
    fn landen_up(k: f64, sn: f64, cn: f64, dn: f64) -> (f64, f64, f64) {
        let part = k * sn * sn;
        let inverse = plain_inverse(1.0 + part);
        return ((1.0 + k) * sn * inverse, cn * dn * inverse, (1.0 - part) * inverse);
    }

    /// The elliptic functions sn, cn and dn, and the mean amplitude, of an m up to 0.99 and a u up to 1e4 in size.
    fn ellipj_near(u: f64, m: f64) -> (f64, f64, f64, f64) {
        let (a1, b1, k1) = landen_down(1.0, sqrt(1.0 - m));
        let (a2, b2, k2) = landen_down(a1, b1);
        let (a3, b3, k3) = landen_down(a2, b2);
        let (a4, b4, k4) = landen_down(a3, b3);
        let (a5, _b5, k5) = landen_down(a4, b4);
        let angle = a5 * u;
        let (s5, c5, d5) = landen_up(k5, plain_sin(angle), plain_cos(angle), 1.0);
        let (s4, c4, d4) = landen_up(k4, s5, c5, d5);
        let (s3, c3, d3) = landen_up(k3, s4, c4, d4);
        let (s2, c2, d2) = landen_up(k2, s3, c3, d3);
        let (s1, c1, d1) = landen_up(k1, s2, c2, d2);
        return (s1, c1, d1, angle);
    }

    /// Whether the elliptic functions take another way.
    fn ellipj_is_rare(u: f64, m: f64) -> bool {
        return !(m >= 0.0 && m < 0.99 && u > -1e4 && u < 1e4);
    }

    /// The elliptic function sn of such numbers.
    fn plain_ellipj_sn(u: f64, m: f64) -> f64 {
        let (sn, _cn, _dn, _angle) = ellipj_near(u, m);
        return sn;
    }

    /// The elliptic function cn of such numbers.
    fn plain_ellipj_cn(u: f64, m: f64) -> f64 {
        let (_sn, cn, _dn, _angle) = ellipj_near(u, m);
        return cn;
    }

    /// The elliptic function dn of such numbers.
    fn plain_ellipj_dn(u: f64, m: f64) -> f64 {
        let (_sn, _cn, dn, _angle) = ellipj_near(u, m);
        return dn;
    }

    /// The amplitude of such numbers, which is within a quarter of a turn of the mean one.
    fn plain_ellipj_ph(u: f64, m: f64) -> f64 {
        let (sn, cn, _dn, angle) = ellipj_near(u, m);
        let within = plain_atan2(sn, cn);
        return fma(6.283185307179586, rint((angle - within) * 0.15915494309189535), within);
    }

    /// Whether the amplitude takes another way.
    fn ellipj_ph_is_rare(u: f64, m: f64) -> bool {
        return ellipj_is_rare(u, m) || abs(u) < 1e-100;
    }

    /// The complete elliptic integral of the first kind of 1 - p, p from 1e-290 to one.
    fn plain_ellipkm1(p: f64) -> f64 {
        return fma(-plain_log(p), horner(p, &ELLIPK_LOG), horner(p, &ELLIPK_FREE));
    }

    /// Whether ellipkm1 takes another way.
    fn ellipkm1_is_rare(p: f64) -> bool {
        return !(p > 1e-290 && p <= 1.0);
    }

    /// The complete elliptic integral of the first kind of an m from zero to one.
    fn plain_ellipk(m: f64) -> f64 {
        return plain_ellipkm1(1.0 - m);
    }

    /// Whether ellipk and ellipe take another way.
    fn ellipk_is_rare(m: f64) -> bool {
        return !(m >= 0.0 && m < 1.0);
    }

    /// The complete elliptic integral of the second kind of 1 - p, p from 1e-290 to one.
    fn ellipe_within(p: f64) -> f64 {
        return fma(-p * plain_log(p), horner(p, &ELLIPE_LOG), horner(p, &ELLIPE_FREE));
    }

    /// The complete elliptic integral of the second kind of an m from zero to one.
    fn plain_ellipe(m: f64) -> f64 {
        return ellipe_within(1.0 - m);
    }
}

functions! {
    /// The mean of arithmetic and geometric mean, of numbers above zero.
    fn agm_positive(a: f64, b: f64) -> f64 {
        let mut x = a;
        let mut y = b;
        let mut i = 0;
        while i < 60 {
            let mean = 0.5 * (x + y);
            y = sqrt(x) * sqrt(y);
            x = mean;
            if abs(x - y) <= 1e-15 * x {
                break;
            }
            i += 1;
        }
        return 0.5 * (x + y);
    }

    /// The mean of arithmetic and geometric mean.
    fn agm(a: f64, b: f64) -> f64 {
        if is_nan(a) || is_nan(b) || (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            return NAN;
        }
        if a == 0.0 || b == 0.0 {
            return if abs(a) == INF || abs(b) == INF { NAN } else { 0.0 };
        }
        if abs(a) == INF || abs(b) == INF {
            return if a < 0.0 { -INF } else { INF };
        }
        if a == b {
            return a;
        }
        return if a < 0.0 { -agm_positive(-a, -b) } else { agm_positive(a, b) };
    }

    /// The complete elliptic integral of the first kind of 1 - p.
    fn ellipkm1(p: f64) -> f64 {
        if is_nan(p) || p < 0.0 {
            return NAN;
        }
        if p == 0.0 || p == INF {
            return if p == 0.0 { INF } else { 0.0 };
        }
        if p > 1.0 {
            return if p > 1e290 { ellipkm1_far(p) } else { plain_ellipkm1(1.0 / p) / sqrt(p) };
        }
        return if p < 1e-290 { 1.3862943611198906 - 0.5 * log(p) } else { plain_ellipkm1(p) };
    }

    /// The same for a p beyond 1e290.
    fn ellipkm1_far(p: f64) -> f64 {
        return (1.3862943611198906 + 0.5 * log(p)) / sqrt(p);
    }

    /// The complete elliptic integral of the first kind.
    fn ellipk(m: f64) -> f64 {
        if ellipk_is_rare(m) {
            return ellipkm1(1.0 - m);
        }
        return plain_ellipk(m);
    }

    /// The complete elliptic integral of the second kind.
    fn ellipe(m: f64) -> f64 {
        let p = 1.0 - m;
        if is_nan(m) || p < 0.0 {
            return NAN;
        }
        if p == 0.0 || p == INF {
            return if p == 0.0 { 1.0 } else { INF };
        }
        if p > 1.0 {
            return if p > 1e290 { sqrt(p) } else { sqrt(p) * ellipe_within(1.0 / p) };
        }
        return ellipe_within(p);
    }

    /// Carlson's integral of the first kind.
    fn carlson_rf(x0: f64, y0: f64, z0: f64) -> f64 {
        let mut x = x0;
        let mut y = y0;
        let mut z = z0;
        let mut mean = (x + y + z) / 3.0;
        let mut dx = 0.0;
        let mut dy = 0.0;
        let mut i = 0;
        while i < 100 {
            mean = (x + y + z) / 3.0;
            dx = 1.0 - x / mean;
            dy = 1.0 - y / mean;
            if abs(dx) < 2e-3 && abs(dy) < 2e-3 && abs(dx + dy) < 2e-3 {
                break;
            }
            let rx = sqrt(x);
            let ry = sqrt(y);
            let rz = sqrt(z);
            let shift = rx * (ry + rz) + ry * rz;
            x = 0.25 * (x + shift);
            y = 0.25 * (y + shift);
            z = 0.25 * (z + shift);
            i += 1;
        }
        let dz = -dx - dy;
        let e2 = dx * dy - dz * dz;
        let e3 = dx * dy * dz;
        let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0 - 5.0 * e2 * e2 * e2 / 208.0 + 3.0 * e3 * e3 / 104.0 + e2 * e2 * e3 / 16.0;
        return series / sqrt(mean);
    }

    /// Carlson's integral of the second kind.
    fn carlson_rd(x0: f64, y0: f64, z0: f64) -> f64 {
        let mut x = x0;
        let mut y = y0;
        let mut z = z0;
        let mut sum = 0.0;
        let mut factor = 1.0;
        let mut mean = (x + y + 3.0 * z) / 5.0;
        let mut dx = 0.0;
        let mut dy = 0.0;
        let mut i = 0;
        while i < 100 {
            mean = (x + y + 3.0 * z) / 5.0;
            dx = 1.0 - x / mean;
            dy = 1.0 - y / mean;
            if abs(dx) < 1.5e-3 && abs(dy) < 1.5e-3 && abs(dx + dy) < 1.5e-3 {
                break;
            }
            let rx = sqrt(x);
            let ry = sqrt(y);
            let rz = sqrt(z);
            let shift = rx * (ry + rz) + ry * rz;
            sum += factor / (rz * (z + shift));
            factor *= 0.25;
            x = 0.25 * (x + shift);
            y = 0.25 * (y + shift);
            z = 0.25 * (z + shift);
            i += 1;
        }
        let dz = -(dx + dy) / 3.0;
        let xy = dx * dy;
        let zz = dz * dz;
        let e2 = xy - 6.0 * zz;
        let e3 = (3.0 * xy - 8.0 * zz) * dz;
        let e4 = 3.0 * (xy - zz) * zz;
        let e5 = xy * zz * dz;
        let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0 - e2 * e2 * e2 / 16.0 + 3.0 * e3 * e3 / 40.0 + 3.0 * e2 * e4 / 20.0;
        return fma(factor / (mean * sqrt(mean)), series, 3.0 * sum);
    }

    /// Whether Carlson's integrals of these have a value.
    fn carlson_refuses(x: f64, y: f64, z: f64) -> bool {
        return is_nan(x) || is_nan(y) || is_nan(z) || x < 0.0 || y < 0.0 || z < 0.0;
    }

    /// Carlson's symmetric integral of the first kind.
    fn elliprf(x: f64, y: f64, z: f64) -> f64 {
        if carlson_refuses(x, y, z) {
            return NAN;
        }
        if (x == 0.0 && y == 0.0) || (y == 0.0 && z == 0.0) || (x == 0.0 && z == 0.0) {
            return INF;
        }
        return if x == INF || y == INF || z == INF { 0.0 } else { carlson_rf(x, y, z) };
    }

    /// Carlson's symmetric integral of the second kind.
    fn elliprd(x: f64, y: f64, z: f64) -> f64 {
        if carlson_refuses(x, y, z) {
            return NAN;
        }
        if z == 0.0 || (x == 0.0 && y == 0.0) {
            return INF;
        }
        return if x == INF || y == INF || z == INF { 0.0 } else { carlson_rd(x, y, z) };
    }

    /// Carlson's degenerate integral.
    fn elliprc(x: f64, y: f64) -> f64 {
        if is_nan(x) || is_nan(y) || x < 0.0 {
            return NAN;
        }
        if y == 0.0 {
            return NAN;
        }
        if x == INF || abs(y) == INF {
            return 0.0;
        }
        if y < 0.0 {
            return sqrt(x / (x - y)) * carlson_rf(x - y, -y, -y);
        }
        return carlson_rf(x, y, y);
    }

    /// Carlson's completely symmetric integral of the second kind.
    fn elliprg(x: f64, y: f64, z: f64) -> f64 {
        if carlson_refuses(x, y, z) {
            return NAN;
        }
        if x == INF || y == INF || z == INF {
            return INF;
        }
        // The middle one goes last: then all terms but one are positive.
        let first_two = if x < y { x } else { y };
        let other_two = if x < y { y } else { x };
        let low = if first_two < z { first_two } else { z };
        let high = if other_two > z { other_two } else { z };
        let left = if first_two < z { z } else { first_two };
        let middle = if left < other_two { left } else { other_two };
        if middle <= 1e-40 * high {
            return 0.5 * sqrt(high);
        }
        // By a power of two and its root, so that no product leaves the range of doubles.
        let is_large = high > 1e150;
        let is_small = high < 1e-150;
        let scale = if is_large { 7.458340731200207e-155 } else if is_small { 1.3407807929942597e154 } else { 1.0 };
        let root = if is_large { 1.157920892373162e77 } else if is_small { 8.636168555094445e-78 } else { 1.0 };
        let least = scale * low;
        let most = scale * high;
        let last = scale * middle;
        let first = last * carlson_rf(least, most, last);
        let second = (most - last) * (last - least) * carlson_rd(least, most, last) / 3.0;
        return root * (0.5 * (first + second + sqrt(least * most / last)));
    }

    /// 1 - m s^2 for the sine and the cosine of an angle, as a sum of positive terms.
    fn one_less(m: f64, s: f64, c: f64) -> f64 {
        return if m < 0.0 { fma(-m * s, s, 1.0) } else { fma((1.0 - m) * s, s, c * c) };
    }

    /// The incomplete elliptic integral of the first kind.
    fn ellipkinc(phi: f64, m: f64) -> f64 {
        if is_nan(phi) || is_nan(m) || m > 1.0 {
            return NAN;
        }
        if abs(phi) == INF || abs(m) == INF {
            return if abs(phi) == INF && abs(m) == INF { NAN } else if abs(m) == INF { 0.0 } else { phi };
        }
        if m == 0.0 || phi == 0.0 {
            return phi;
        }
        let n = rint(phi / PI);
        let rest = fma(-n, 1.2246467991473532e-16, fma(-n, PI, phi));
        let mut whole = 0.0;
        if n != 0.0 {
            whole = 2.0 * n * ellipk(m);
        }
        if m == 1.0 {
            if abs(phi) >= HALF_PI {
                return copysign(INF, phi);
            }
            return asinh(tan(phi));
        }
        let s = sin(rest);
        let c = cos(rest);
        return fma(s, carlson_rf(c * c, one_less(m, s, c), 1.0), whole);
    }

    /// The incomplete elliptic integral of the second kind.
    fn ellipeinc(phi: f64, m: f64) -> f64 {
        if is_nan(phi) || is_nan(m) || m > 1.0 {
            return NAN;
        }
        if abs(phi) == INF {
            return phi;
        }
        if m == -INF {
            return if phi == 0.0 { 0.0 } else { copysign(INF, phi) };
        }
        if m == 0.0 {
            return phi;
        }
        let n = rint(phi / PI);
        let rest = fma(-n, 1.2246467991473532e-16, fma(-n, PI, phi));
        let mut whole = 0.0;
        if n != 0.0 {
            whole = 2.0 * n * ellipe(m);
        }
        let s = sin(rest);
        if m == 1.0 {
            return whole + s;
        }
        let c = cos(rest);
        let square = c * c;
        let other = one_less(m, s, c);
        if m < 0.0 {
            return fma(s, carlson_rf(square, other, 1.0) - m * s * s / 3.0 * carlson_rd(square, other, 1.0), whole);
        }
        // (1 - m) (RF + m s^2/3 RD(c^2, 1, d^2)) + m |c| / d: positive terms alone.
        let rest_m = 1.0 - m;
        let value = rest_m * carlson_rf(square, other, 1.0) + m * rest_m * s * s / 3.0 * carlson_rd(square, 1.0, other);
        return fma(s, value + m * sqrt(square / other), whole);
    }

    /// The elliptic functions sn, cn and dn, and the amplitude.
    fn ellipj(u: f64, m: f64) -> (f64, f64, f64, f64) {
        if is_nan(u) || is_nan(m) || m < 0.0 || m > 1.0 {
            return (NAN, NAN, NAN, NAN);
        }
        if m < 1e-9 {
            let s = sin(u);
            let c = cos(u);
            let shift = 0.25 * m * (u - s * c);
            return (s - shift * c, c + shift * s, 1.0 - 0.5 * m * s * s, u - shift);
        }
        if m >= 0.9999999999 {
            let shift = 0.25 * (1.0 - m);
            let c = cosh(u);
            let t = tanh(u);
            let inverse = 1.0 / c;
            let twin = c * sinh(u);
            let sn = t + shift * (twin - u) / (c * c);
            let amplitude = 2.0 * atan(exp(u)) - HALF_PI + shift * (twin - u) / c;
            let part = shift * t * inverse;
            return (sn, inverse - part * (twin - u), inverse + part * (twin + u), amplitude);
        }
        let mut means = [0.0; 12];
        let mut halves = [0.0; 12];
        means[0] = 1.0;
        halves[0] = sqrt(m);
        let mut b = sqrt(1.0 - m);
        let mut twos = 1.0;
        let mut n = 0;
        while n < 10 && abs(halves[n]) > 1e-16 * means[n] {
            let a = means[n];
            n += 1;
            halves[n] = 0.5 * (a - b);
            means[n] = 0.5 * (a + b);
            b = sqrt(a * b);
            twos *= 2.0;
        }
        let mut phi = twos * means[n] * u;
        while n > 0 {
            phi = 0.5 * (phi + asin(halves[n] * sin(phi) / means[n]));
            n -= 1;
        }
        let sn = sin(phi);
        let cn = cos(phi);
        return (sn, cn, sqrt(fma(cn, cn, (1.0 - m) * sn * sn)), phi);
    }

    /// The elliptic function sn.
    fn ellipj_sn(u: f64, m: f64) -> f64 {
        let (value, _b, _c, _d) = ellipj(u, m);
        return value;
    }

    /// The elliptic function cn.
    fn ellipj_cn(u: f64, m: f64) -> f64 {
        let (_a, value, _c, _d) = ellipj(u, m);
        return value;
    }

    /// The elliptic function dn.
    fn ellipj_dn(u: f64, m: f64) -> f64 {
        let (_a, _b, value, _d) = ellipj(u, m);
        return value;
    }

    /// The amplitude of the elliptic functions.
    fn ellipj_ph(u: f64, m: f64) -> f64 {
        let (_a, _b, _c, value) = ellipj(u, m);
        return value;
    }
}

lanes! {
    agm(a, b) by plain_agm unless agm_is_rare;
    ellipk(a) by plain_ellipk unless ellipk_is_rare;
    ellipkm1(a) by plain_ellipkm1 unless ellipkm1_is_rare;
    ellipe(a) by plain_ellipe unless ellipk_is_rare;
    ellipkinc(a, b);
    ellipeinc(a, b);
    elliprf(a, b, c);
    elliprd(a, b, c);
    elliprc(a, b) by plain_elliprc unless elliprc_is_rare;
    elliprg(a, b, c);
    ellipj_sn(a, b) by plain_ellipj_sn unless ellipj_is_rare;
    ellipj_cn(a, b) by plain_ellipj_cn unless ellipj_is_rare;
    ellipj_dn(a, b) by plain_ellipj_dn unless ellipj_is_rare;
    ellipj_ph(a, b) by plain_ellipj_ph unless ellipj_ph_is_rare;
}
