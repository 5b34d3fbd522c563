//! Modified Bessel functions of complex arguments in the right half-plane, which the others are made of.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::complex_bessel::*;
#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const TINY: f64 = 1e-300;

functions! {
    /// The square root with a real part from zero on.
    fn sqrt_of(re: f64, im: f64) -> (f64, f64) {
        let size = hypot(re, im);
        if size == 0.0 {
            return (0.0, im);
        }
        let mut half = sqrt(0.5 * (size + abs(re)));
        if size < 1e-290 {
            // 2^600, and 2^-300 of its root.
            let power = 4.149515568880993e180;
            half = 4.909093465297727e-91 * sqrt(0.5 * (hypot(re * power, im * power) + abs(re) * power));
        }
        let other = 0.5 * im / half;
        if re >= 0.0 {
            return (half, other);
        }
        return (abs(other), copysign(half, im));
    }

    /// The sum of (z^2/4)^k / (k! (v + 1) ... (v + k)).
    fn complex_bessel_series(v: f64, re: f64, im: f64) -> (f64, f64) {
        let (sr, si) = product(0.5 * re, 0.5 * im, 0.5 * re, 0.5 * im);
        let mut tr = 1.0;
        let mut ti = 0.0;
        let mut ur = 1.0;
        let mut ui = 0.0;
        let mut k = 1.0;
        while k < 500.0 {
            let scale = 1.0 / (k * (v + k));
            let (nr, ni) = product(tr, ti, sr * scale, si * scale);
            tr = nr;
            ti = ni;
            ur += tr;
            ui += ti;
            if abs(tr) + abs(ti) < 1e-17 * (abs(ur) + abs(ui)) {
                break;
            }
            k += 1.0;
        }
        return (ur, ui);
    }

    /// exp(-z) I of order v from zero on by its power series.
    fn complex_i_series(v: f64, re: f64, im: f64) -> (f64, f64) {
        let (sr, si) = complex_bessel_series(v, re, im);
        let (lr, li) = log_of(0.5 * re, 0.5 * im);
        if v < 100.0 {
            // The power by itself: its logarithm would cost digits.
            let size = pow(hypot(0.5 * re, 0.5 * im), v) * rgamma(v + 1.0) * exp(-re);
            let angle = v * li - im;
            return product(size * cos(angle), size * sin(angle), sr, si);
        }
        let (er, ei) = exp_of(v * lr - lgamma_positive(v + 1.0) - re, v * li - im);
        return product(er, ei, sr, si);
    }

    /// The sums of Hankel's expansion with all signs positive and with alternating ones.
    fn complex_hankel_sums(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let (ir, ii) = quotient_of(1.0, 0.0, re, im);
        let mu = 4.0 * v * v;
        let mut tr = 1.0;
        let mut ti = 0.0;
        let mut pr = 1.0;
        let mut pi = 0.0;
        let mut mr = 1.0;
        let mut mi = 0.0;
        let mut sign = 1.0;
        let mut k = 1.0;
        while k < 200.0 {
            let odd = 2.0 * k - 1.0;
            let factor = (mu - odd * odd) / (8.0 * k);
            let (nr, ni) = product(tr, ti, factor * ir, factor * ii);
            if abs(nr) + abs(ni) > abs(tr) + abs(ti) && odd > 2.0 * v {
                break;
            }
            tr = nr;
            ti = ni;
            sign = -sign;
            pr += tr;
            pi += ti;
            mr += sign * tr;
            mi += sign * ti;
            if abs(tr) + abs(ti) < 1e-17 {
                break;
            }
            k += 1.0;
        }
        return (pr, pi, mr, mi);
    }

    /// K of orders mu and mu + 1, mu between -1/2 and 1/2, at a small z: by Temme's series, times exp(z).
    fn complex_k_near(mu: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let angle = PI * mu;
        let fact = if abs(angle) < 1e-15 { 1.0 } else { angle / sin(angle) };
        let (lr, li) = log_of(0.5 * re, 0.5 * im);
        // e = mu log(2/z); cosh(e) and sinh(e)/e.
        let er = -mu * lr;
        let ei = -mu * li;
        let cr = cosh(er) * cos(ei);
        let ci = sinh(er) * sin(ei);
        let mut sr = 1.0;
        let mut si = 0.0;
        if abs(er) + abs(ei) > 1e-8 {
            let (qr, qi) = quotient_of(sinh(er) * cos(ei), cosh(er) * sin(ei), er, ei);
            sr = qr;
            si = qi;
        }
        let place = 8.0 * mu * mu - 1.0;
        let odd = poly(place, &TEMME_ODD);
        let even = poly(place, &TEMME_EVEN);
        let plus = even - mu * odd;
        let minus = even + mu * odd;
        let (gr, gi) = product(sr, si, -lr, -li);
        let mut fr = fact * (odd * cr + even * gr);
        let mut fi = fact * (odd * ci + even * gi);
        let (xr, xi) = exp_of(er, ei);
        let (yr, yi) = exp_of(-er, -ei);
        let mut pr = 0.5 * xr / plus;
        let mut pi = 0.5 * xi / plus;
        let mut qr = 0.5 * yr / minus;
        let mut qi = 0.5 * yi / minus;
        let mut tr = 1.0;
        let mut ti = 0.0;
        let (dr, di) = product(0.5 * re, 0.5 * im, 0.5 * re, 0.5 * im);
        let mut ar = fr;
        let mut ai = fi;
        let mut br = pr;
        let mut bi = pi;
        let mut k = 1.0;
        while k < 500.0 {
            let below = 1.0 / (k * k - mu * mu);
            fr = (k * fr + pr + qr) * below;
            fi = (k * fi + pi + qi) * below;
            let (nr, ni) = product(tr, ti, dr / k, di / k);
            tr = nr;
            ti = ni;
            pr /= k - mu;
            pi /= k - mu;
            qr /= k + mu;
            qi /= k + mu;
            let (ur, ui) = product(tr, ti, fr, fi);
            ar += ur;
            ai += ui;
            let (vr, vi) = product(tr, ti, pr - k * fr, pi - k * fi);
            br += vr;
            bi += vi;
            if abs(ur) + abs(ui) < 1e-17 * (abs(ar) + abs(ai)) {
                break;
            }
            k += 1.0;
        }
        let (zr, zi) = exp_of(re, im);
        let (kr, ki) = product(ar, ai, zr, zi);
        let (wr, wi) = quotient_of(2.0 * zr, 2.0 * zi, re, im);
        let (nr, ni) = product(br, bi, wr, wi);
        return (kr, ki, nr, ni);
    }

    /// The same at a z of at least 2 in size, to the right of the imaginary axis, by Steed's fraction.
    fn complex_k_far(mu: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let mut br = 2.0 * (1.0 + re);
        let bi = 2.0 * im;
        let (first, second) = quotient_of(1.0, 0.0, br, bi);
        let mut dr = first;
        let mut di = second;
        let mut hr = dr;
        let mut hi = di;
        let mut er = dr;
        let mut ei = di;
        let mut q1r = 0.0;
        let mut q1i = 0.0;
        let mut q2r = 1.0;
        let mut q2i = 0.0;
        let a1 = 0.25 - mu * mu;
        let mut qr = a1;
        let mut qi = 0.0;
        let mut c = a1;
        let mut a = -a1;
        let mut sr = 1.0 + a1 * er;
        let mut si = a1 * ei;
        let mut k = 2.0;
        while k < 5000.0 {
            a -= 2.0 * (k - 1.0);
            c = -a * c / k;
            let (xr, xi) = product(br, bi, q2r, q2i);
            let nr = (q1r - xr) / a;
            let ni = (q1i - xi) / a;
            q1r = q2r;
            q1i = q2i;
            q2r = nr;
            q2i = ni;
            qr += c * nr;
            qi += c * ni;
            br += 2.0;
            let (ur, ui) = quotient_of(1.0, 0.0, br + a * dr, bi + a * di);
            dr = ur;
            di = ui;
            let (vr, vi) = product(br, bi, dr, di);
            let (wr, wi) = product(vr - 1.0, vi, er, ei);
            er = wr;
            ei = wi;
            hr += er;
            hi += ei;
            let (yr, yi) = product(qr, qi, er, ei);
            sr += yr;
            si += yi;
            if abs(yr) + abs(yi) < 1e-17 * (abs(sr) + abs(si)) {
                break;
            }
            k += 1.0;
        }
        let (ir, ii) = quotient_of(1.0, 0.0, re, im);
        let (rr, ri) = sqrt_of(1.5707963267948966 * ir, 1.5707963267948966 * ii);
        let (kr, ki) = quotient_of(rr, ri, sr, si);
        let (tr, ti) = product(mu + re + 0.5 - a1 * hr, im - a1 * hi, ir, ii);
        let (nr, ni) = product(kr, ki, tr, ti);
        return (kr, ki, nr, ni);
    }

    /// exp(-z) I and exp(z) K of a large order v, z from the imaginary axis to the right: Debye's expansions.
    fn complex_large_ik(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let x = re / v;
        let y = im / v;
        // t is the root of 1 + (z/v)^2, e = t + log(z/v / (1 + t)).
        let (tr, ti) = sqrt_of(1.0 + (x - y) * (x + y), copysign(2.0 * x * abs(y), y));
        let size = hypot(tr, ti);
        if !(v * size * size * size > 300.0) {
            // Too near v i or -v i.
            return (NAN, NAN, NAN, NAN);
        }
        let (lr, li) = log_of(x, y);
        let (mr, mi) = log_of(1.0 + tr, ti);
        let er = v * (tr + lr - mr);
        let angle = ti + li - mi;
        let ei = v * angle;
        // The sums of U_k(p) / v^k, p = 1/t.
        let (pr, pi) = quotient_of(1.0, 0.0, tr, ti);
        let (sr, si) = product(pr, pi, pr, pi);
        let (qr, qi) = quotient_of(1.0, 0.0, v * tr, v * ti);
        let ur = (3.0 - 5.0 * sr) / 24.0;
        let ui = -5.0 * si / 24.0;
        let (ar, ai) = product(sr, si, 385.0 * sr - 462.0, 385.0 * si);
        let (br, bi) = product(sr, si, 765765.0 - 425425.0 * sr, -425425.0 * si);
        let (cr, ci) = product(sr, si, br - 369603.0, bi);
        let (first, first_im) = product(ur, ui, qr, qi);
        let (q2r, q2i) = product(qr, qi, qr, qi);
        let (second, second_im) = product((81.0 + ar) / 1152.0, ai / 1152.0, q2r, q2i);
        let (q3r, q3i) = product(q2r, q2i, qr, qi);
        let (third, third_im) = product((30375.0 + cr) / 414720.0, ci / 414720.0, q3r, q3i);
        let (rr, ri) = sqrt_of(qr, qi);
        let (wr, wi) = product(rr, ri, 1.0 - (first - (second - third)), -(first_im - (second_im - third_im)));
        let (gr, gi) = product(rr, ri, 1.0 + (first + (second + third)), first_im + (second_im + third_im));
        let (kr, ki) = rotated(im - ei, 1.2533141373155003 * wr, 1.2533141373155003 * wi);
        let (jr, ji) = rotated(ei - im, 0.3989422804014327 * gr, 0.3989422804014327 * gi);
        let (hr, hi) = grown(kr, ki, re - er);
        let (ir, ii) = grown(jr, ji, er - re);
        if abs(angle) > 1.5707963267958 && er > -1e-14 * v {
            // Beyond the turning points the part that decays counts: exp(+-i pi (v + 1/2)) K / pi.
            let side = if im >= 0.0 { 1.0 } else { -1.0 };
            let (dr, di) = rotated(-ei - im, 0.3989422804014327 * wr, 0.3989422804014327 * wi);
            let (fr, fi) = grown(dr, di, -er - re);
            let (xr, xi) = turned(side * (v + 0.5), fr, fi);
            return (ir + xr, ii + xi, hr, hi);
        }
        return (ir, ii, hr, hi);
    }

    /// exp(z) K of orders v and v + 1, v from zero on, z from the imaginary axis to the right, not zero; infinite where it is too
    /// large for a double.
    fn complex_k_pair(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let size = hypot(re, im);
        let down = floor(v + 0.5);
        let mu = v - down;
        let mut kr = 0.0;
        let mut ki = 0.0;
        let mut nr = 0.0;
        let mut ni = 0.0;
        if size < 2.0 {
            let (first, second, third, fourth) = complex_k_near(mu, re, im);
            kr = first;
            ki = second;
            nr = third;
            ni = fourth;
        } else {
            let (first, second, third, fourth) = complex_k_far(mu, re, im);
            kr = first;
            ki = second;
            nr = third;
            ni = fourth;
        }
        let (ir, ii) = quotient_of(2.0, 0.0, re, im);
        let mut order = mu;
        let mut n = 0.0;
        while n < down {
            order += 1.0;
            let (tr, ti) = product(order * ir, order * ii, nr, ni);
            let ar = tr + kr;
            let ai = ti + ki;
            kr = nr;
            ki = ni;
            nr = ar;
            ni = ai;
            n += 1.0;
            if !(abs(nr) + abs(ni) < 1e305) {
                break;
            }
        }
        if n < down {
            // K is too large for a double.
            kr = if nr < 0.0 { -INF } else { INF };
            ki = if ni < 0.0 { -INF } else { INF };
        }
        return (kr, ki, nr, ni);
    }

    /// exp(z) K of order v.
    fn complex_k(v: f64, re: f64, im: f64) -> (f64, f64) {
        let size = hypot(re, im);
        if (size > 25.0 && size > 0.5 * v * v) || size + v > 1e5 {
            let (_ir, _ii, kr, ki) = complex_ik(v, re, im);
            return (kr, ki);
        }
        let (kr, ki, _nr, _ni) = complex_k_pair(v, re, im);
        return (kr, ki);
    }

    /// exp(-z) I and exp(z) K of order v from zero on, z from the imaginary axis to the right, not zero.
    fn complex_ik(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let size = hypot(re, im);
        if size > 25.0 && size > 0.5 * v * v {
            let (pr, pi, mr, mi) = complex_hankel_sums(v, re, im);
            let (ir, ii) = quotient_of(1.0, 0.0, re, im);
            let (rr, ri) = sqrt_of(1.5707963267948966 * ir, 1.5707963267948966 * ii);
            let (kr, ki) = product(rr, ri, pr, pi);
            let (ar, ai) = product(rr / PI, ri / PI, mr, mi);
            // The part that decays counts near the imaginary axis: exp(-2 z) exp(+-i pi (v + 1/2)).
            let side = if im >= 0.0 { 1.0 } else { -1.0 };
            let decay = exp(-2.0 * re);
            let c = cos(2.0 * im);
            let s = -sin(2.0 * im);
            let turn_c = cospi(v + 0.5);
            let turn_s = side * sinpi(v + 0.5);
            let (er, ei) = product(c, s, turn_c, turn_s);
            let (br, bi) = product(decay * er, decay * ei, kr / PI, ki / PI);
            return (ar + br, ai + bi, kr, ki);
        }
        if size + v > 1e5 {
            return complex_large_ik(v, re, im);
        }
        let (kr, ki, nr, ni) = complex_k_pair(v, re, im);
        let (ir, ii) = quotient_of(2.0, 0.0, re, im);
        if 0.25 * size * size < v + 1.0 || abs(kr) == INF {
            let (ar, ai) = complex_i_series(v, re, im);
            return (ar, ai, kr, ki);
        }
        // I of order v + 1 over that of order v, by its fraction; the Wronskian gives I.
        let mut fr = TINY;
        let mut fi = 0.0;
        let mut cr = TINY;
        let mut ci = 0.0;
        let mut dr = 0.0;
        let mut di = 0.0;
        let mut k = 1.0;
        while k < 400000.0 {
            let br = (v + k) * ir;
            let bi = (v + k) * ii;
            let mut xr = br + dr;
            if abs(xr) + abs(bi + di) < TINY {
                xr = TINY;
            }
            let (ur, ui) = quotient_of(1.0, 0.0, xr, bi + di);
            dr = ur;
            di = ui;
            let (yr, yi) = if k == 1.0 { reciprocal_of(TINY) } else { quotient_of(1.0, 0.0, cr, ci) };
            cr = br + yr;
            ci = bi + yi;
            if abs(cr) + abs(ci) < TINY {
                cr = TINY;
            }
            let (wr, wi) = product(cr, ci, dr, di);
            let (gr, gi) = product(fr, fi, wr, wi);
            fr = gr;
            fi = gi;
            if abs(wr - 1.0) + abs(wi) < 1e-16 {
                break;
            }
            k += 1.0;
        }
        let (tr, ti) = product(fr, fi, kr, ki);
        let (xr, xi) = product(nr + tr, ni + ti, re, im);
        let (ar, ai) = quotient_of(1.0, 0.0, xr, xi);
        return (ar, ai, kr, ki);
    }
}
