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

    /// Ai near zero, or with a slope its derivative.
    fn complex_airy_near(re: f64, im: f64, slope: bool) -> (f64, f64) {
        let (ar, ai, dr, di) = complex_airy_series(re, im, 0.3550280538878172, -0.2588194037928068);
        return (if slope { dr } else { ar }, if slope { di } else { ai });
    }

    /// The same of Bi.
    fn complex_airy_second_near(re: f64, im: f64, slope: bool) -> (f64, f64) {
        let (ar, ai, dr, di) = complex_airy_series(re, im, 0.6149266274460007, 0.4482883573538264);
        return (if slope { dr } else { ar }, if slope { di } else { ai });
    }

    /// Ai, or with a slope its derivative, from the imaginary axis to the right, by K at 2/3 z^(3/2).
    fn complex_airy_right(re: f64, im: f64, slope: bool) -> (f64, f64) {
        let (zr, zi) = airy_place(re, im);
        let (kr, ki) = complex_kve(if slope { 0.6666666666666666 } else { 0.3333333333333333 }, 0.0, zr, zi);
        let (rr, ri) = sqrt_of(re, im);
        let (ar, ai) = product(if slope { -re } else { rr }, if slope { -im } else { ri }, kr, ki);
        let (br, bi) = rotated(-zi, 0.18377629847393068 * ar, 0.18377629847393068 * ai);
        return grown(br, bi, -zr);
    }

    /// J and Y of an order from zero on.
    fn complex_both(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let (jr, ji, yr, yi) = complex_jy(v, re, abs(im));
        let (ar, ai) = grown(jr, ji, abs(im));
        let (br, bi) = grown(yr, yi, abs(im));
        return (ar, if im < 0.0 { -ai } else { ai }, br, if im < 0.0 { -bi } else { bi });
    }

    /// Ai and Bi to the left of the imaginary axis, or with a slope their derivatives, by J and Y at 2/3 (-z)^(3/2).
    fn complex_airy_left(re: f64, im: f64, slope: bool) -> (f64, f64, f64, f64) {
        let (zr, zi) = airy_place(-re, -im);
        let (jr, ji, yr, yi) = complex_both(if slope { 0.6666666666666666 } else { 0.3333333333333333 }, zr, zi);
        if slope {
            let (ar, ai) = product(-0.5 * re, -0.5 * im, jr + yr * 0.5773502691896258, ji + yi * 0.5773502691896258);
            let (br, bi) = product(-0.5 * re, -0.5 * im, jr * 0.5773502691896258 - yr, ji * 0.5773502691896258 - yi);
            return (ar, ai, br, bi);
        }
        let (rr, ri) = sqrt_of(-re, -im);
        let (ar, ai) = product(0.5 * rr, 0.5 * ri, jr - yr * 0.5773502691896258, ji - yi * 0.5773502691896258);
        let (br, bi) = product(-0.5 * rr, -0.5 * ri, jr * 0.5773502691896258 + yr, ji * 0.5773502691896258 + yi);
        return (ar, ai, br, bi);
    }

    /// 2 I + sqrt(3)/pi K of an order from zero on.
    fn complex_second_sum(v: f64, re: f64, im: f64) -> (f64, f64) {
        let small = 0.5513288954217921;
        if re < 0.0 {
            let (ir, ii) = complex_iv(v, 0.0, re, im);
            let (kr, ki) = complex_kv(v, 0.0, re, im);
            return (2.0 * ir + small * kr, 2.0 * ii + small * ki);
        }
        let (ar, ai, br, bi) = complex_ik(v, re, im);
        let (cr, ci) = rotated(im, 2.0 * ar, 2.0 * ai);
        let (ir, ii) = grown(cr, ci, re);
        let (dr, di) = rotated(-im, small * br, small * bi);
        let (kr, ki) = grown(dr, di, -re);
        return (ir + kr, ii + ki);
    }

    /// Ai, or with a slope its derivative.
    fn complex_airy(re: f64, im: f64, slope: bool) -> (f64, f64) {
        if hypot(re, im) < 1.0 {
            return complex_airy_near(re, im, slope);
        }
        if re >= 0.0 {
            return complex_airy_right(re, im, slope);
        }
        let (ar, ai, _br, _bi) = complex_airy_left(re, im, slope);
        return (ar, ai);
    }

    /// Bi, or with a slope its derivative.
    fn complex_airy_second(re: f64, im: f64, slope: bool) -> (f64, f64) {
        if hypot(re, im) < 1.0 {
            return complex_airy_second_near(re, im, slope);
        }
        if re < 0.0 {
            let (_ar, _ai, br, bi) = complex_airy_left(re, im, slope);
            return (br, bi);
        }
        // sqrt(z/3) (2 I + sqrt(3)/pi K) at 2/3 z^(3/2), and the like.
        let (zr, zi) = airy_place(re, im);
        let (sr, si) = complex_second_sum(if slope { 0.6666666666666666 } else { 0.3333333333333333 }, zr, zi);
        let (rr, ri) = sqrt_of(re, im);
        return product(0.5773502691896258 * (if slope { re } else { rr }), 0.5773502691896258 * (if slope { im } else { ri }), sr, si);
    }

    /// Airy's function Ai.
    fn complex_airy_ai(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_ai(re), im);
        }
        return complex_airy(re, im, false);
    }

    /// Its derivative.
    fn complex_airy_aip(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_aip(re), im);
        }
        return complex_airy(re, im, true);
    }

    /// Airy's function Bi.
    fn complex_airy_bi(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_bi(re), im);
        }
        return complex_airy_second(re, im, false);
    }

    /// Its derivative.
    fn complex_airy_bip(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (airy_bip(re), im);
        }
        return complex_airy_second(re, im, true);
    }
}

complex_lanes! {
    complex_airy_ai(a);
    complex_airy_aip(a);
    complex_airy_bi(a);
    complex_airy_bip(a);
}
