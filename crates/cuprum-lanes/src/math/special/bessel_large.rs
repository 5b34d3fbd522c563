//! Bessel functions of large order and argument, by expansions that hold for all ratios of the two.

#[allow(unused_imports)]
use super::airy::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// The logarithms of exp(-x) I and exp(x) K of order v, without the sums, and the sums; v + x is large.
    fn large_ik(v: f64, x: f64) -> (f64, f64, f64, f64) {
        let h = hypot(v, x);
        let exponent = v * (v / (h + x) - asinh(v / x));
        // U_k(p) / v^k with p = v / h.
        let p = v / h;
        let t = p * p;
        let first = (3.0 - 5.0 * t) / (24.0 * h);
        let second = (81.0 + t * (-462.0 + 385.0 * t)) / (1152.0 * h * h);
        let third = (30375.0 + t * (-369603.0 + t * (765765.0 - 425425.0 * t))) / (414720.0 * h * h * h);
        return (exponent, 1.0 / sqrt(h), 1.0 + (first + (second + third)), 1.0 - (first - (second - third)));
    }

    /// exp(shift) exp(-x) I.
    fn large_i(v: f64, x: f64, shift: f64) -> f64 {
        let (exponent, scale, sum, _other) = large_ik(v, x);
        let half = exp(0.5 * (exponent + shift));
        return 0.3989422804014327 * scale * sum * half * half;
    }

    /// exp(-shift) exp(x) K.
    fn large_k(v: f64, x: f64, shift: f64) -> f64 {
        let (exponent, scale, _sum, other) = large_ik(v, x);
        let half = exp(-0.5 * (exponent + shift));
        return 1.2533141373155003 * scale * other * half * half;
    }

    /// (atanh(s) - s) / s^3 of a square s^2 from zero on, or with a negative sign (s - atan(s)) / s^3.
    fn large_arc(square: f64, sign: f64) -> f64 {
        let s = sqrt(square);
        if square > 0.1 {
            let value = if sign > 0.0 { 0.5 * log1p(2.0 * s / (1.0 - s)) - s } else { s - atan(s) };
            return value / (s * square);
        }
        let mut sum = 0.0;
        for k in (0..16).rev() {
            sum = 1.0 / (2.0 * k as f64 + 3.0) + sign * square * sum;
        }
        return sum;
    }

    /// J and Y of a large order v at x above zero.
    fn large_jy(v: f64, x: f64) -> (f64, f64) {
        let sign = if x < v { 1.0 } else { -1.0 };
        let s = sqrt(abs(v - x) / v * ((v + x) / v));
        let square = s * s;
        let mut arc = large_arc(square, sign);
        if sign > 0.0 && square > 0.1 {
            // The logarithm by the ratio itself: one less s is too small to tell.
            arc = (log((1.0 + s) / (x / v)) - s) / (s * square);
        }
        let place = v * (s * square * arc);
        if sign > 0.0 && !(place < 760.0) {
            return (0.0, -INF);
        }
        let shape = pow(1.5 * arc, 0.6666666666666666);
        let zeta = square * shape;
        // The first coefficient of the derivative's series.
        let at = sign * zeta;
        let mut b = 0.017998872141355322 + at * (0.008888888888888868 + at * (0.0016256871626954981 + at * (-0.0003642848651949809 - 0.0003020604533414716 * at)));
        if zeta > 0.05 {
            b = (0.20833333333333334 / (s * square) - sign * 0.125 / s) / sqrt(zeta) - 0.10416666666666667 / (zeta * zeta);
        }
        let cube = pow(v, 0.3333333333333333);
        let amplitude = sqrt(sqrt(4.0 * shape));
        let (ai, aip, bi, bip) = airy_at(sign * cube * cube * zeta, place);
        let low = b / (cube * v);
        let j = amplitude / cube * (ai + aip * low);
        let y = -amplitude / cube * (bi + bip * low);
        return (j, y);
    }
}
