//! Airy's functions of complex arguments.

#[allow(unused_imports)]
use super::airy::*;
#[allow(unused_imports)]
use super::complex_bessel::*;
#[allow(unused_imports)]
use super::complex_bessel_ik::*;
#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// 2/3 z^(3/2), on the principal branch.
    fn airy_place(re: f64, im: f64) -> (f64, f64) {
        let (rr, ri) = sqrt_of(re, im);
        let (pr, pi) = product(re, im, rr, ri);
        return (0.6666666666666666 * pr, 0.6666666666666666 * pi);
    }

    /// a f + b g and its derivative near zero, f and g the series that Ai and Bi are made of.
    fn complex_airy_series(re: f64, im: f64, a: f64, b: f64) -> (f64, f64, f64, f64) {
        let (sr, si) = product(re, im, re, im);
        let (cr, ci) = product(sr, si, re, im);
        let mut fr = 1.0;
        let mut fi = 0.0;
        let mut gr = re;
        let mut gi = im;
        let mut dfr = 0.0;
        let mut dfi = 0.0;
        let mut dgr = 1.0;
        let mut dgi = 0.0;
        let mut tr = 1.0;
        let mut ti = 0.0;
        let mut ur = re;
        let mut ui = im;
        let mut k = 1.0;
        while k < 40.0 {
            let n = 3.0 * k;
            let (ar, ai) = product(tr, ti, sr / (n - 1.0), si / (n - 1.0));
            let (br, bi) = product(ur, ui, sr / n, si / n);
            dfr += ar;
            dfi += ai;
            dgr += br;
            dgi += bi;
            let (xr, xi) = product(tr, ti, cr / (n * (n - 1.0)), ci / (n * (n - 1.0)));
            let (yr, yi) = product(ur, ui, cr / (n * (n + 1.0)), ci / (n * (n + 1.0)));
            tr = xr;
            ti = xi;
            ur = yr;
            ui = yi;
            fr += tr;
            fi += ti;
            gr += ur;
            gi += ui;
            if abs(tr) + abs(ti) + abs(br) + abs(bi) < 1e-18 {
                break;
            }
            k += 1.0;
        }
        return (a * fr + b * gr, a * fi + b * gi, a * dfr + b * dgr, a * dfi + b * dgi);
    }

    /// exp(2/3 z^(3/2)) times Ai and its derivative, for an angle of up to 120 degrees.
    fn complex_airy_front(re: f64, im: f64) -> (f64, f64, f64, f64) {
        let (zr, zi) = airy_place(re, im);
        if hypot(re, im) < 1.0 {
            let (ar, ai, dr, di) = complex_airy_series(re, im, 0.3550280538878172, -0.2588194037928068);
            let (er, ei) = exp_of(zr, zi);
            let (br, bi) = product(ar, ai, er, ei);
            let (cr, ci) = product(dr, di, er, ei);
            return (br, bi, cr, ci);
        }
        let (kr, ki) = complex_kve(0.3333333333333333, 0.0, zr, zi);
        let (lr, li) = complex_kve(0.6666666666666666, 0.0, zr, zi);
        let (rr, ri) = sqrt_of(re, im);
        let (ar, ai) = product(0.18377629847393068 * rr, 0.18377629847393068 * ri, kr, ki);
        let (dr, di) = product(-0.18377629847393068 * re, -0.18377629847393068 * im, lr, li);
        return (ar, ai, dr, di);
    }

    /// Ai and its derivative there.
    fn complex_airy_ahead(re: f64, im: f64) -> (f64, f64, f64, f64) {
        let (ar, ai, dr, di) = complex_airy_front(re, im);
        let (zr, zi) = airy_place(re, im);
        let (br, bi) = rotated(-zi, ar, ai);
        let (cr, ci) = rotated(-zi, dr, di);
        let (gr, gi) = grown(br, bi, -zr);
        let (hr, hi) = grown(cr, ci, -zr);
        return (gr, gi, hr, hi);
    }

    /// Ai and Bi to the left of the imaginary axis, or with a slope their derivatives, by J and Y at 2/3 (-z)^(3/2).
    fn complex_airy_left(re: f64, im: f64, slope: bool) -> (f64, f64, f64, f64) {
        let (zr, zi) = airy_place(-re, -im);
        let (rr, ri) = sqrt_of(-re, -im);
        if slope {
            let (jr, ji) = complex_jv(0.6666666666666666, 0.0, zr, zi);
            let (yr, yi) = complex_yv(0.6666666666666666, 0.0, zr, zi);
            let (ar, ai) = product(-0.5 * re, -0.5 * im, jr + yr * 0.5773502691896258, ji + yi * 0.5773502691896258);
            let (br, bi) = product(-0.5 * re, -0.5 * im, jr * 0.5773502691896258 - yr, ji * 0.5773502691896258 - yi);
            return (ar, ai, br, bi);
        }
        let (jr, ji) = complex_jv(0.3333333333333333, 0.0, zr, zi);
        let (yr, yi) = complex_yv(0.3333333333333333, 0.0, zr, zi);
        let (ar, ai) = product(0.5 * rr, 0.5 * ri, jr - yr * 0.5773502691896258, ji - yi * 0.5773502691896258);
        let (br, bi) = product(-0.5 * rr, -0.5 * ri, jr * 0.5773502691896258 + yr, ji * 0.5773502691896258 + yi);
        return (ar, ai, br, bi);
    }

    /// Ai and its derivative.
    fn complex_airy(re: f64, im: f64) -> (f64, f64, f64, f64) {
        if re >= 0.0 || hypot(re, im) < 1.0 {
            return complex_airy_ahead(re, im);
        }
        let (ar, ai, _br, _bi) = complex_airy_left(re, im, false);
        let (dr, di, _er, _ei) = complex_airy_left(re, im, true);
        return (ar, ai, dr, di);
    }

    /// Bi and its derivative.
    fn complex_airy_second(re: f64, im: f64) -> (f64, f64, f64, f64) {
        if hypot(re, im) < 1.0 {
            return complex_airy_series(re, im, 0.6149266274460007, 0.4482883573538264);
        }
        if re < 0.0 {
            let (_ar, _ai, br, bi) = complex_airy_left(re, im, false);
            let (_dr, _di, er, ei) = complex_airy_left(re, im, true);
            return (br, bi, er, ei);
        }
        // sqrt(z/3) (2 I + sqrt(3)/pi K) at 2/3 z^(3/2), and the like.
        let (zr, zi) = airy_place(re, im);
        let (rr, ri) = sqrt_of(re / 3.0, im / 3.0);
        let (ir, ii) = complex_iv(0.3333333333333333, 0.0, zr, zi);
        let (kr, ki) = complex_kv(0.3333333333333333, 0.0, zr, zi);
        let (lr, li) = complex_iv(0.6666666666666666, 0.0, zr, zi);
        let (mr, mi) = complex_kv(0.6666666666666666, 0.0, zr, zi);
        let small = 0.5513288954217921;
        let (br, bi) = product(rr, ri, 2.0 * ir + small * kr, 2.0 * ii + small * ki);
        let (er, ei) = product(re * 0.5773502691896258, im * 0.5773502691896258, 2.0 * lr + small * mr, 2.0 * li + small * mi);
        return (br, bi, er, ei);
    }

    /// Airy's function Ai.
    fn complex_airy_ai(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_ai(re), im);
        }
        let (ar, ai, _dr, _di) = complex_airy(re, im);
        return (ar, ai);
    }

    /// Its derivative.
    fn complex_airy_aip(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_aip(re), im);
        }
        let (_ar, _ai, dr, di) = complex_airy(re, im);
        return (dr, di);
    }

    /// Airy's function Bi.
    fn complex_airy_bi(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_bi(re), im);
        }
        let (ar, ai, _dr, _di) = complex_airy_second(re, im);
        return (ar, ai);
    }

    /// Its derivative.
    fn complex_airy_bip(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_bip(re), im);
        }
        let (_ar, _ai, dr, di) = complex_airy_second(re, im);
        return (dr, di);
    }
}

complex_lanes! {
    complex_airy_ai(a);
    complex_airy_aip(a);
    complex_airy_bi(a);
    complex_airy_bip(a);
}
