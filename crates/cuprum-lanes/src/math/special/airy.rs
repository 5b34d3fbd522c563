//! Airy's functions.

#[allow(unused_imports)]
use super::bessel_ik::*;
#[allow(unused_imports)]
use super::bessel_jy::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const ONE_OVER_PI: f64 = 0.3183098861837907;

functions! {
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
        let a = abs(x);
        return airy_at(x, 0.6666666666666666 * a * sqrt(a));
    }

    /// The same at a finite x, given 2/3 |x|^(3/2).
    fn airy_at(x: f64, zeta: f64) -> (f64, f64, f64, f64) {
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
    airy_ai(a);
    airy_aip(a);
    airy_bi(a);
    airy_bip(a);
}
