//! The Faddeeva function, by the trapezoidal rule with the residue of its pole, and the error functions of complex numbers.

#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::erf::*;
#[allow(unused_imports)]
use super::integrals::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const STEP: f64 = 0.5116633539732443;

/// exp(-t^2) at whole multiples of the step, from one on.
const WHOLE: [f64; 12] = [
    0.7696654124932398,
    0.350919807178411,
    0.09478022484215486,
    0.01516461986454657,
    0.0014373060804075317,
    8.06995175703046e-05,
    2.684086793096743e-06,
    5.2884221169441576e-08,
    6.17247886522431e-10,
    4.267731135455224e-12,
    1.7479879405655014e-14,
    4.241151183016078e-17,
];

/// exp(-t^2) in the middle between them, from half a step on.
const MIDDLE: [f64; 12] = [
    0.9366460212365959,
    0.5548549101598534,
    0.1947095780852903,
    0.04047614460380574,
    0.004984423132468586,
    0.00036360898638930446,
    1.571296901780048e-05,
    4.022405421564814e-07,
    6.0998249159121596e-09,
    5.479650239757527e-11,
    2.916031755179499e-13,
    9.192541525134372e-16,
];

functions! {
    /// w(z) for z in the first quadrant.
    fn faddeeva_quadrant(x: f64, y: f64) -> (f64, f64) {
        if x > 1e8 || y > 1e8 {
            // i / (sqrt(pi) z).
            let scale = 0.5641895835477563;
            if x == INF || y == INF {
                return (0.0, 0.0);
            }
            let larger = if x > y { x } else { y };
            let xs = x / larger;
            let ys = y / larger;
            let size = xs * xs + ys * ys;
            return (scale * ys / size / larger, scale * xs / size / larger);
        }
        let far = y >= x && y >= 6.14;
        let place = x / STEP;
        let part = place - floor(place);
        let at_whole = !far && y < x && part >= 0.25 && part <= 0.75;
        let square = x * x + y * y;
        let difference = (x - y) * (x + y);
        let cross = 4.0 * x * x * y * y;
        let mut re = 0.0;
        let mut im = 0.0;
        for k in (0..12).rev() {
            let weight = if at_whole { WHOLE[k] } else { MIDDLE[k] };
            let t = STEP * (k as f64 + (if at_whole { 1.0 } else { 0.5 }));
            let tt = t * t;
            let d = difference - tt;
            let scale = weight / (d * d + cross);
            re += scale * (square + tt);
            im += scale * (square - tt);
        }
        let factor = 2.0 * STEP * 0.3183098861837907;
        re *= factor * y;
        im *= factor * x;
        if at_whole {
            let scale = 0.5 * factor / square;
            re += scale * y;
            im += scale * x;
        }
        if !far && y < 6.14 {
            // 2 exp(-z^2) / (1 +- exp(-2 pi i z / h)).
            let sign = if at_whole { -1.0 } else { 1.0 };
            let (gr, gi) = exp_of(6.283185307179586 * y / STEP, -6.283185307179586 * part);
            let (er, ei) = exp_of(-difference, -2.0 * x * y);
            let (cr, ci) = quotient_of(2.0 * er, 2.0 * ei, 1.0 + sign * gr, sign * gi);
            re += cr;
            im += ci;
        }
        return (re, im);
    }

    /// The Faddeeva function: exp(-z^2) erfc(-i z).
    fn complex_wofz(re: f64, im: f64) -> (f64, f64) {
        if is_nan(re) || is_nan(im) {
            return (NAN, NAN);
        }
        let x = abs(re);
        if re == 0.0 {
            return (erfcx(im), re);
        }
        if im == 0.0 {
            return (exp_minus_square(x), copysign(1.1283791670955126 * dawsn(x), re));
        }
        if im > 0.0 {
            let (wr, wi) = faddeeva_quadrant(x, im);
            return (wr, copysign(wi, re));
        }
        // w(z) = 2 exp(-z^2) - w(-z).
        let (wr, wi) = faddeeva_quadrant(x, -im);
        let (er, ei) = exp_of((im - x) * (im + x), 2.0 * x * -im);
        return (2.0 * er - wr, if re < 0.0 { -(2.0 * ei + wi) } else { 2.0 * ei + wi });
    }

    /// exp(-z^2).
    fn exp_minus_square_of(re: f64, im: f64) -> (f64, f64) {
        return exp_of((im - re) * (im + re), -2.0 * re * im);
    }

    /// exp(z^2) erfc(z): the Faddeeva function a quarter of a turn on.
    fn complex_erfcx(re: f64, im: f64) -> (f64, f64) {
        return complex_wofz(-im, re);
    }

    /// The complementary error function.
    fn complex_erfc(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (erfc(re), -im);
        }
        if abs(im) * (1.0 + abs(re)) < 1e-8 {
            return (erfc(re), -1.1283791670955126 * exp_minus_square(re) * im);
        }
        if re < 0.0 {
            let (cr, ci) = complex_erfc_right(-re, -im);
            return (2.0 - cr, -ci);
        }
        return complex_erfc_right(re, im);
    }

    /// The same from the imaginary axis to the right.
    fn complex_erfc_right(re: f64, im: f64) -> (f64, f64) {
        let (wr, wi) = complex_wofz(-im, re);
        let (er, ei) = exp_minus_square_of(re, im);
        return product(er, ei, wr, wi);
    }

    /// The error function.
    fn complex_erf(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (erf(re), im);
        }
        if abs(im) * (1.0 + abs(re)) < 1e-8 {
            return (erf(re), 1.1283791670955126 * exp_minus_square(re) * im);
        }
        if re == 0.0 {
            return (re, erfi(im));
        }
        if abs(re) * (1.0 + abs(im)) < 1e-8 {
            let half = exp(0.5 * im * im);
            return (1.1283791670955126 * re * half * half, erfi(im));
        }
        if hypot(re, im) < 1.5 {
            let (sr, si) = product(re, im, re, im);
            let mut tr = 1.1283791670955126 * re;
            let mut ti = 1.1283791670955126 * im;
            let mut ur = tr;
            let mut ui = ti;
            let mut k = 1.0;
            while k < 60.0 {
                let (nr, ni) = product(tr, ti, -sr / k, -si / k);
                tr = nr;
                ti = ni;
                ur += tr / (2.0 * k + 1.0);
                ui += ti / (2.0 * k + 1.0);
                if abs(tr) + abs(ti) < 1e-17 * (abs(ur) + abs(ui)) {
                    break;
                }
                k += 1.0;
            }
            return (ur, ui);
        }
        if re < 0.0 {
            let (cr, ci) = complex_erfc(-re, -im);
            return (cr - 1.0, ci);
        }
        let (cr, ci) = complex_erfc(re, im);
        return (1.0 - cr, -ci);
    }

    /// The error function a quarter of a turn on: -i erf(i z).
    fn complex_erfi(re: f64, im: f64) -> (f64, f64) {
        let (er, ei) = complex_erf(-im, re);
        return (ei, -er);
    }

    /// Dawson's integral.
    fn complex_dawsn(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (dawsn(re), im);
        }
        if hypot(re, im) < 1.5 {
            let (er, ei) = exp_minus_square_of(re, im);
            let (fr, fi) = complex_erfi(re, im);
            return product(0.8862269254527579 * er, 0.8862269254527579 * ei, fr, fi);
        }
        // i sqrt(pi) / 2 (exp(-z^2) - w(z)) above the real axis; odd.
        let sign = copysign(0.8862269254527579, im);
        let (er, ei) = exp_minus_square_of(re, im);
        let (wr, wi) = complex_wofz(copysign(1.0, im) * re, abs(im));
        return (-sign * (ei - wi), sign * (er - wr));
    }

    /// The normal distribution function.
    fn complex_ndtr(re: f64, im: f64) -> (f64, f64) {
        let (cr, ci) = complex_erfc(-0.7071067811865476 * re, -0.7071067811865476 * im);
        return (0.5 * cr, 0.5 * ci);
    }

    /// Its logarithm.
    fn complex_log_ndtr(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (log_ndtr(re), im);
        }
        if re > 1.0 && (im - re) * (im + re) < 1200.0 {
            let (cr, ci) = complex_erfc(0.7071067811865476 * re, 0.7071067811865476 * im);
            if abs(cr) + abs(ci) < 1.0 {
                // The logarithm of one less this half.
                return (0.5 * log1p(0.25 * fma(ci, ci, cr * cr) - cr), atan2(-0.5 * ci, 1.0 - 0.5 * cr));
            }
        }
        let (wr, wi) = complex_erfcx(-0.7071067811865476 * re, -0.7071067811865476 * im);
        let (lr, li) = log_of(wr, wi);
        let angle = li - re * im;
        let turns = rint(angle / 6.283185307179586);
        let rest = if abs(turns) > 1e6 { atan2(sin(angle), cos(angle)) } else { fma(-turns, 6.283185307179586, angle) };
        return (lr - 0.6931471805599453 - 0.5 * (re - im) * (re + im), rest);
    }
}

complex_lanes! {
    complex_wofz(a);
    complex_erf(a);
    complex_erfc(a);
    complex_erfcx(a);
    complex_erfi(a);
    complex_dawsn(a);
    complex_ndtr(a);
    complex_log_ndtr(a);
}
