//! Exponential, sine and Fresnel integrals, the dilogarithm and products with logarithms of complex numbers.

#[allow(unused_imports)]
use super::complex_erf::*;
#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::integrals::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const HALF_PI: f64 = 1.5707963267948966;
const EULER: f64 = 0.5772156649015329;

/// B(2k) / (2k + 1)! for k from 1 on.
const BERNOULLI_TERMS: [f64; 12] = [
    0.027777777777777776,
    -0.0002777777777777778,
    4.72411186696901e-6,
    -9.185773074661964e-8,
    1.8978869988971e-9,
    -4.0647616451442256e-11,
    8.921691020456452e-13,
    -1.9939295860721074e-14,
    4.518980029619918e-16,
    -1.0356517612181247e-17,
    2.395218621026187e-19,
    -5.58178587432501e-21,
];

functions! {
    /// The sum of (-z)^k / (k k!), negative: what the exponential integral has besides its logarithm.
    fn exponential_sum(re: f64, im: f64) -> (f64, f64) {
        let mut tr = 1.0;
        let mut ti = 0.0;
        let mut sr = 0.0;
        let mut si = 0.0;
        let mut k = 1.0;
        while k < 500.0 {
            let (nr, ni) = product(tr, ti, -re / k, -im / k);
            tr = nr;
            ti = ni;
            sr -= tr / k;
            si -= ti / k;
            if abs(tr) + abs(ti) < 1e-17 * k * (abs(sr) + abs(si)) {
                break;
            }
            k += 1.0;
        }
        return (sr, si);
    }

    /// The exponential integral E1.
    fn complex_exp1(re: f64, im: f64) -> (f64, f64) {
        if is_nan(re) || is_nan(im) {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (INF, -im);
        }
        if im == 0.0 && re > 0.0 {
            return (exp1(re), -im);
        }
        if abs(re) == INF || abs(im) == INF {
            if re == -INF {
                return (-INF, if im == 0.0 { -copysign(PI, im) } else { NAN });
            }
            return (0.0, 0.0);
        }
        let size = hypot(re, im);
        if size <= 2.0 || (re < 0.0 && size <= 5.0) || (re < -2.0 * abs(im) && size < 40.0) {
            let (sr, si) = exponential_sum(re, im);
            let (lr, li) = log_of(re, im);
            return ((-EULER - lr) + sr, si - li);
        }
        let (er, ei) = exp_of(-re, -im);
        if size >= 40.0 {
            // exp(-z) / z times the asymptotic series.
            let (ir, ii) = quotient_of(1.0, 0.0, re, im);
            let mut tr = 1.0;
            let mut ti = 0.0;
            let mut sr = 1.0;
            let mut si = 0.0;
            let mut k = 1.0;
            while k < size {
                let (nr, ni) = product(tr, ti, -k * ir, -k * ii);
                tr = nr;
                ti = ni;
                sr += tr;
                si += ti;
                if abs(tr) + abs(ti) < 1e-17 {
                    break;
                }
                k += 1.0;
            }
            let (ar, ai) = product(sr, si, ir, ii);
            let (br, bi) = product(ar, ai, er, ei);
            return (br, if im == 0.0 { -copysign(PI, im) } else { bi });
        }
        // The continued fraction, by Lentz.
        let mut br = re + 1.0;
        let (first, second) = quotient_of(1.0, 0.0, br, im);
        let mut dr = first;
        let mut di = second;
        let mut hr = dr;
        let mut hi = di;
        let mut cr = 0.0;
        let mut ci = 0.0;
        let mut k = 1.0;
        while k < 2000.0 {
            let a = -k * k;
            br += 2.0;
            let (ur, ui) = quotient_of(1.0, 0.0, a * dr + br, a * di + im);
            dr = ur;
            di = ui;
            if k == 1.0 {
                cr = br;
                ci = im;
            } else {
                let (vr, vi) = quotient_of(a, 0.0, cr, ci);
                cr = br + vr;
                ci = im + vi;
            }
            let (wr, wi) = product(cr, ci, dr, di);
            let (nr, ni) = product(hr, hi, wr, wi);
            hr = nr;
            hi = ni;
            if abs(wr - 1.0) + abs(wi) < 1e-16 {
                break;
            }
            k += 1.0;
        }
        return product(hr, hi, er, ei);
    }

    /// The exponential integral Ei.
    fn complex_expi(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 && re < 0.0 {
            return (expi(re), im);
        }
        if im == 0.0 {
            return (expi(re), if re > 0.0 { im } else { -im });
        }
        let (er, ei) = complex_exp1(-re, -im);
        return (-er, if im > 0.0 { PI - ei } else { -PI - ei });
    }

    /// The sine and cosine integrals off the axis, or with a negative sign the hyperbolic ones, of a small number.
    fn sine_cosine_series(re: f64, im: f64, sign: f64) -> (f64, f64, f64, f64) {
        let (sr, si) = product(re, im, re, im);
        let mut tr = re;
        let mut ti = im;
        let mut ar = re;
        let mut ai = im;
        let mut br = 0.0;
        let mut bi = 0.0;
        let mut k = 1.0;
        // The next power over its factorial, of the other parity in turn.
        let mut ur = 1.0;
        let mut ui = 0.0;
        while k < 60.0 {
            let even = 2.0 * k;
            let (xr, xi) = product(ur, ui, -sign * sr / (even * (even - 1.0)), -sign * si / (even * (even - 1.0)));
            ur = xr;
            ui = xi;
            br += ur / even;
            bi += ui / even;
            let odd = even + 1.0;
            let (yr, yi) = product(tr, ti, -sign * sr / (odd * even), -sign * si / (odd * even));
            tr = yr;
            ti = yi;
            ar += tr / odd;
            ai += ti / odd;
            if abs(ur) + abs(ui) < 1e-18 {
                break;
            }
            k += 1.0;
        }
        let (lr, li) = log_of(re, im);
        return (ar, ai, EULER + lr + br, li + bi);
    }

    /// The sine and the cosine integral.
    fn complex_sici(re: f64, im: f64) -> (f64, f64, f64, f64) {
        if is_nan(re) || is_nan(im) {
            return (NAN, NAN, NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (re, im, -INF, 0.0);
        }
        if hypot(re, im) < 1.0 {
            return sine_cosine_series(re, im, 1.0);
        }
        if re < 0.0 {
            // Si is odd; Ci has the logarithm's cut.
            let (sr, si, cr, ci) = complex_sici_right(-re, -im);
            return (-sr, -si, cr, if im >= 0.0 { ci + PI } else { ci - PI });
        }
        return complex_sici_right(re, im);
    }

    /// The same from the imaginary axis to the right, off zero.
    fn complex_sici_right(re: f64, im: f64) -> (f64, f64, f64, f64) {
        if im == 0.0 {
            return (sici_si(re), im, sici_ci(re), 0.0);
        }
        // By the exponential integrals of i z and -i z.
        let (ar, ai) = complex_exp1(-im, re);
        let (br, bi) = complex_exp1(im, -re);
        let sr = HALF_PI + 0.5 * (ai - bi);
        let si = 0.5 * (br - ar);
        if re == 0.0 {
            return (0.0, si, -0.5 * (ar + br), copysign(HALF_PI, im));
        }
        return (sr, si, -0.5 * (ar + br), -0.5 * (ai + bi));
    }

    /// The sine integral.
    fn complex_sici_si(re: f64, im: f64) -> (f64, f64) {
        let (sr, si, _cr, _ci) = complex_sici(re, im);
        return (sr, si);
    }

    /// The cosine integral.
    fn complex_sici_ci(re: f64, im: f64) -> (f64, f64) {
        let (_sr, _si, cr, ci) = complex_sici(re, im);
        return (cr, ci);
    }

    /// The hyperbolic sine integral: -i Si(i z).
    fn complex_shichi_shi(re: f64, im: f64) -> (f64, f64) {
        let (sr, si, _cr, _ci) = complex_sici(-im, re);
        return (si, -sr);
    }

    /// The hyperbolic cosine integral.
    fn complex_shichi_chi(re: f64, im: f64) -> (f64, f64) {
        if re == 0.0 && im == 0.0 {
            return (-INF, 0.0);
        }
        if hypot(re, im) < 1.0 {
            let (_sr, _si, cr, ci) = sine_cosine_series(re, im, -1.0);
            return (cr, ci);
        }
        // Ci(i z) differs by the logarithm of i, and by its cut.
        // Zeros have no sign here.
        let x = re + 0.0;
        let y = im + 0.0;
        let (_sr, _si, cr, ci) = complex_sici(-y, x);
        let angle = atan2(y, x);
        let other = atan2(x, -y);
        let turn = rint((angle - other) / HALF_PI) * HALF_PI;
        return (cr, ci + turn);
    }

    /// The dilogarithm of 1 - z near one: by the series in log(z).
    fn spence_near(re: f64, im: f64) -> (f64, f64) {
        let (lr, li) = log_of(re, im);
        let ur = -lr;
        let ui = -li;
        let (sr, si) = product(ur, ui, ur, ui);
        let mut tr = 0.0;
        let mut ti = 0.0;
        for k in (0..12).rev() {
            let (xr, xi) = product(tr + BERNOULLI_TERMS[k], ti, sr, si);
            tr = xr;
            ti = xi;
        }
        let (yr, yi) = product(tr, ti, ur, ui);
        return (ur - 0.25 * sr + yr, ui - 0.25 * si + yi);
    }

    /// The dilogarithm of 1 - z for z at most one away from one.
    fn spence_disk(re: f64, im: f64) -> (f64, f64) {
        if hypot(re, im) >= 0.5 {
            return spence_near(re, im);
        }
        if re == 0.0 && im == 0.0 {
            return (1.6449340668482264, 0.0);
        }
        let (sr, si) = spence_near(1.0 - re, -im);
        let (lr, li) = log_of(re, im);
        let (mr, mi) = log_of(1.0 - re, -im);
        let (pr, pi) = product(lr, li, mr, mi);
        return (1.6449340668482264 - pr - sr, -pi - si);
    }

    /// The dilogarithm of 1 - z.
    fn complex_spence(re: f64, im: f64) -> (f64, f64) {
        if is_nan(re) || is_nan(im) {
            return (NAN, NAN);
        }
        if im == 0.0 && re >= 0.0 {
            return (spence(re), 0.0);
        }
        if hypot(re - 1.0, im) <= 1.0 {
            return spence_disk(re, im);
        }
        let mut qr = 1.0;
        let mut qi = 0.0;
        if abs(re) + abs(im) < 1e100 {
            let (xr, xi) = quotient_of(re, im, re - 1.0, im);
            qr = xr;
            qi = xi;
        }
        let (sr, si) = spence_disk(qr, qi);
        let (lr, li) = log_of(re - 1.0, im);
        let (pr, pi) = product(lr, li, lr, li);
        return (-sr - 1.6449340668482264 - 0.5 * pr, -si - 0.5 * pi);
    }

    /// Fresnel's integrals S and C.
    fn complex_fresnel(re: f64, im: f64) -> (f64, f64, f64, f64) {
        if hypot(re, im) < 1.5 {
            // C = z sum (-1)^k t^2k / ((2k)! (4k + 1)) and S likewise, t = pi z^2 / 2.
            let (sr, si) = product(re, im, re, im);
            let ur = HALF_PI * sr;
            let ui = HALF_PI * si;
            let mut tr = re;
            let mut ti = im;
            let mut cr = re;
            let mut ci = im;
            let mut ar = 0.0;
            let mut ai = 0.0;
            let mut sign = 1.0;
            let mut k = 1.0;
            while k < 80.0 {
                let (xr, xi) = product(tr, ti, ur / k, ui / k);
                ar += sign * xr / (2.0 * k + 1.0);
                ai += sign * xi / (2.0 * k + 1.0);
                sign = -sign;
                let (yr, yi) = product(xr, xi, ur / (k + 1.0), ui / (k + 1.0));
                tr = yr;
                ti = yi;
                cr += sign * tr / (2.0 * k + 3.0);
                ci += sign * ti / (2.0 * k + 3.0);
                if abs(tr) + abs(ti) < 1e-18 * (abs(cr) + abs(ci)) {
                    break;
                }
                k += 2.0;
            }
            return (ar, ai, cr, ci);
        }
        // C + i S = (1 + i)/2 erf(sqrt(pi)/2 (1 - i) z), and the same with -i.
        let scale = 0.8862269254527579;
        let (er, ei) = complex_erf(scale * (re + im), scale * (im - re));
        let (fr, fi) = complex_erf(scale * (re - im), scale * (im + re));
        let pr = 0.5 * (er - ei);
        let pi = 0.5 * (er + ei);
        let mr = 0.5 * (fr + fi);
        let mi = 0.5 * (fi - fr);
        return (0.5 * (pi - mi), 0.5 * (mr - pr), 0.5 * (pr + mr), 0.5 * (pi + mi));
    }

    /// Fresnel's integral S.
    fn complex_fresnel_s(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (fresnel_s(re), im);
        }
        let (sr, si, _cr, _ci) = complex_fresnel(re, im);
        return (sr, si);
    }

    /// Fresnel's integral C.
    fn complex_fresnel_c(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (fresnel_c(re), im);
        }
        let (_sr, _si, cr, ci) = complex_fresnel(re, im);
        return (cr, ci);
    }

    /// x log(y), zero where x is.
    fn complex_xlogy(xr: f64, xi: f64, yr: f64, yi: f64) -> (f64, f64) {
        if xr == 0.0 && xi == 0.0 && !is_nan(yr) && !is_nan(yi) {
            return (0.0, 0.0);
        }
        let (lr, li) = log_of(yr, yi);
        return product(xr, xi, lr, li);
    }

    /// x log(1 + y), zero where x is.
    fn complex_xlog1py(xr: f64, xi: f64, yr: f64, yi: f64) -> (f64, f64) {
        if xr == 0.0 && xi == 0.0 && !is_nan(yr) && !is_nan(yi) {
            return (0.0, 0.0);
        }
        let angle = atan2(yi, 1.0 + yr);
        if abs(yr) < 0.5 && abs(yi) < 0.5 {
            return product(xr, xi, 0.5 * log1p(fma(yr, 2.0 + yr, yi * yi)), angle);
        }
        let (lr, _li) = log_of(1.0 + yr, yi);
        return product(xr, xi, lr, angle);
    }
}

complex_lanes! {
    complex_exp1(a);
    complex_expi(a);
    complex_sici_si(a);
    complex_sici_ci(a);
    complex_shichi_shi(a);
    complex_shichi_chi(a);
    complex_spence(a);
    complex_fresnel_s(a);
    complex_fresnel_c(a);
    complex_xlogy(a, b);
    complex_xlog1py(a, b);
}
