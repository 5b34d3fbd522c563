//! Bessel, Hankel and Airy functions of complex arguments, of real order. Numbers are pairs of parts.

#[allow(unused_imports)]
use super::bessel_ik::*;
#[allow(unused_imports)]
use super::bessel_jy::*;
#[allow(unused_imports)]
use super::complex_bessel_ik::*;
#[allow(unused_imports)]
use super::complex_gamma::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const TWO_OVER_PI: f64 = 0.6366197723675814;

functions! {
    /// One over a real number, as a pair.
    fn reciprocal_of(x: f64) -> (f64, f64) {
        return (1.0 / x, 0.0);
    }

    /// exp(i pi t) times a number.
    fn turned(t: f64, re: f64, im: f64) -> (f64, f64) {
        let c = cospi(t);
        let s = sinpi(t);
        return (c * re - s * im, c * im + s * re);
    }

    /// exp(i t) times a number.
    fn rotated(t: f64, re: f64, im: f64) -> (f64, f64) {
        let c = cos(t);
        let s = sin(t);
        return (c * re - s * im, c * im + s * re);
    }

    /// J and the first Hankel function of order v from zero on at a z from the real axis up, times exp(i z) and exp(-i z).
    fn complex_jh(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        // With w = -i z: J(z) = exp(i pi v/2) I(w), H(z) = 2/(pi i) exp(-i pi v/2) K(w).
        let (ir, ii, kr, ki) = complex_ik(v, im, -re);
        let (jr, ji) = turned(0.5 * v, ir, ii);
        let (hr, hi) = turned(-0.5 * v, kr, ki);
        return (jr, ji, TWO_OVER_PI * hi, -TWO_OVER_PI * hr);
    }

    /// J and Y of order v from zero on, z from the real axis up, both times exp(-im).
    fn complex_jy(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        let (ar, ai, br, bi) = complex_jh(v, re, im);
        // exp(-i z) is exp(im) and a rotation.
        let (jr, ji) = rotated(-re, ar, ai);
        let (cr, ci) = rotated(re, br, bi);
        let decay = exp(-2.0 * im);
        // Y = -i (H - J).
        let yr = decay * ci - ji;
        let yi = jr - decay * cr;
        if abs(br) + abs(bi) == INF {
            return (jr, ji, -INF, 0.0);
        }
        return (jr, ji, yr, yi);
    }

    /// Both of any order in that half plane, with the same factor.
    fn complex_jy_any(v: f64, re: f64, im: f64) -> (f64, f64, f64, f64) {
        if v >= 0.0 {
            return complex_jy(v, re, im);
        }
        let (jr, ji, yr, yi) = complex_jy(-v, re, im);
        let c = cospi(v);
        let s = sinpi(v);
        if s == 0.0 {
            return (c * jr, c * ji, c * yr, c * yi);
        }
        if c == 0.0 {
            return (s * yr, s * yi, -s * jr, -s * ji);
        }
        return (c * jr + s * yr, c * ji + s * yi, c * yr - s * jr, c * yi - s * ji);
    }

    /// Whether an order and an argument have a value: a real order, no NaN.
    fn bessel_refuses(order: f64, order_im: f64, re: f64, im: f64) -> bool {
        return is_nan(order) || order_im != 0.0 || is_nan(re) || is_nan(im) || abs(order) == INF;
    }

    /// J times exp(-|im|).
    fn complex_jve(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if bessel_refuses(order, order_im, re, im) {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (jv(order, 0.0), 0.0);
        }
        if abs(re) == INF || abs(im) == INF {
            return (NAN, NAN);
        }
        if im == 0.0 && re > 0.0 {
            return (jv(order, re), 0.0);
        }
        if im < 0.0 {
            let (jr, ji, _yr, _yi) = complex_jy_any(order, re, -im);
            return (jr, -ji);
        }
        let (jr, ji, _yr, _yi) = complex_jy_any(order, re, im);
        return (jr, ji);
    }

    /// Y times exp(-|im|).
    fn complex_yve(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if bessel_refuses(order, order_im, re, im) {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (NAN, NAN);
        }
        if abs(re) == INF || abs(im) == INF {
            return (NAN, NAN);
        }
        if im == 0.0 && re > 0.0 {
            return (yv(order, re), 0.0);
        }
        if im < 0.0 {
            let (_jr, _ji, yr, yi) = complex_jy_any(order, re, -im);
            return (yr, -yi);
        }
        let (_jr, _ji, yr, yi) = complex_jy_any(order, re, im);
        return (yr, yi);
    }

    /// A number times exp(x), by halves where that is large.
    fn grown(re: f64, im: f64, x: f64) -> (f64, f64) {
        let half = exp(0.5 * x);
        return (if re == 0.0 { re } else { re * half * half }, if im == 0.0 { im } else { im * half * half });
    }

    /// The Bessel function of the first kind.
    fn complex_jv(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        let (jr, ji) = complex_jve(order, order_im, re, im);
        return grown(jr, ji, abs(im));
    }

    /// The Bessel function of the second kind.
    fn complex_yv(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if re == 0.0 && im == 0.0 && order_im == 0.0 {
            return (yv(order, 0.0), 0.0);
        }
        let (yr, yi) = complex_yve(order, order_im, re, im);
        return grown(yr, yi, abs(im));
    }

    /// I times exp(-|re|).
    fn complex_ive(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if bessel_refuses(order, order_im, re, im) {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (ive(order, 0.0), 0.0);
        }
        if abs(re) == INF || abs(im) == INF {
            return (NAN, NAN);
        }
        if im == 0.0 && re > 0.0 {
            return (ive(order, re), 0.0);
        }
        if re < 0.0 {
            // I(-w) = exp(+-i pi v) I(w).
            let (ar, ai) = complex_ive_right(order, -re, -im);
            return turned(if im >= 0.0 { order } else { -order }, ar, ai);
        }
        return complex_ive_right(order, re, im);
    }

    /// The same from the imaginary axis to the right.
    fn complex_ive_right(order: f64, re: f64, im: f64) -> (f64, f64) {
        let (ir, ii, kr, ki) = complex_ik(abs(order), re, im);
        let (ar, ai) = rotated(im, ir, ii);
        let s = sinpi(order);
        if order >= 0.0 || s == 0.0 {
            return (ar, ai);
        }
        // I of order -v is I + 2/pi sin(pi v) K.
        let scale = -TWO_OVER_PI * s * exp(-2.0 * re);
        let (br, bi) = rotated(-im, kr, ki);
        return (ar + scale * br, ai + scale * bi);
    }

    /// The modified Bessel function of the first kind.
    fn complex_iv(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        let (ir, ii) = complex_ive(order, order_im, re, im);
        return grown(ir, ii, abs(re));
    }

    /// K times exp(z).
    fn complex_kve(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if bessel_refuses(order, order_im, re, im) {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (NAN, NAN);
        }
        if abs(re) == INF || abs(im) == INF {
            return if re == INF && im == 0.0 { reciprocal_of(re) } else { reciprocal_of(NAN) };
        }
        let v = abs(order);
        if im == 0.0 && re > 0.0 {
            return (kve(v, re), 0.0);
        }
        if re >= 0.0 {
            return complex_k(v, re, im);
        }
        // K(-w) = exp(-+i pi v) K(w) -+ i pi I(w); scaled by exp(z) = exp(-w).
        let (ir, ii, kr, ki) = complex_ik(v, -re, -im);
        let side = if im >= 0.0 { 1.0 } else { -1.0 };
        let (ar, ai) = turned(-side * v, kr, ki);
        let decay = exp(2.0 * re);
        let (br, bi) = rotated(2.0 * im, decay * ar, decay * ai);
        return (br + side * PI * ii, bi - side * PI * ir);
    }

    /// The modified Bessel function of the second kind.
    fn complex_kv(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        let (kr, ki) = complex_kve(order, order_im, re, im);
        if im == 0.0 && re > 0.0 {
            return (kv(order, re), 0.0);
        }
        let (ar, ai) = rotated(-im, kr, ki);
        return grown(ar, ai, -re);
    }

    /// The first Hankel function times exp(-i z), on the upper or the lower side of the plane's cut.
    fn complex_hankel_side(order: f64, order_im: f64, re: f64, im: f64, below: bool) -> (f64, f64) {
        if bessel_refuses(order, order_im, re, im) || abs(re) == INF || abs(im) == INF {
            return (NAN, NAN);
        }
        if re == 0.0 && im == 0.0 {
            return (NAN, INF);
        }
        // H of order -v is exp(i pi v) H.
        let turn = if order < 0.0 { -order } else { 0.0 };
        let v = abs(order);
        if !below {
            // 2/(pi i) exp(-i pi v/2) K(-i z).
            let (kr, ki) = complex_k(v, im, -re);
            let (hr, hi) = turned(turn - 0.5 * v, kr, ki);
            return (TWO_OVER_PI * hi, -TWO_OVER_PI * hr);
        }
        // Below the real axis: twice J less the second Hankel function, which decays there.
        let (jr, ji, hr, hi) = complex_jh(v, re, -im);
        let (ar, ai) = rotated(-2.0 * re, hr, -hi);
        let decay = exp(2.0 * im);
        return turned(turn, 2.0 * jr - decay * ar, -2.0 * ji - decay * ai);
    }

    /// Whether Hankel functions are made of J and Y at a real argument: where their own expansion does not serve.
    fn hankel_is_real(order: f64, order_im: f64, re: f64, im: f64) -> bool {
        let v = abs(order);
        let is_served = re > 25.0 && re > 0.5 * v * v;
        return im == 0.0 && order_im == 0.0 && re > 0.0 && (v + re < 1e5 || re < 10.0 * v) && !is_served;
    }

    /// The first Hankel function there.
    fn hankel_of_real(order: f64, x: f64) -> (f64, f64) {
        let v = abs(order);
        let mut j = 0.0;
        let mut y = 0.0;
        if 0.25 * x * x < v + 1.0 || floor(v) == v {
            j = jv_positive(v, x);
            y = yv_positive(v, x);
        } else {
            let (first, second) = bessel_jy(v, x);
            j = first;
            y = second;
        }
        if order >= 0.0 {
            return (j, y);
        }
        // H of order -v is exp(i pi v) H.
        return turned(v, j, y);
    }

    /// The first Hankel function times exp(-i z).
    fn complex_hankel1e(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if hankel_is_real(order, order_im, re, im) {
            let (hr, hi) = hankel_of_real(order, re);
            return rotated(-re, hr, hi);
        }
        return complex_hankel_side(order, order_im, re, im, im < 0.0);
    }

    /// The second Hankel function times exp(i z).
    fn complex_hankel2e(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if hankel_is_real(order, order_im, re, im) {
            let (hr, hi) = hankel_of_real(order, re);
            return rotated(re, hr, -hi);
        }
        // Negative numbers have the angle pi, so what they are the mirror images of lies below the cut.
        let (hr, hi) = complex_hankel_side(order, order_im, re, -im, im > 0.0 || (im == 0.0 && re < 0.0));
        return (hr, -hi);
    }

    /// The first Hankel function.
    fn complex_hankel1(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if hankel_is_real(order, order_im, re, im) {
            return hankel_of_real(order, re);
        }
        let (hr, hi) = complex_hankel1e(order, order_im, re, im);
        let (ar, ai) = rotated(re, hr, hi);
        return grown(ar, ai, -im);
    }

    /// The second Hankel function.
    fn complex_hankel2(order: f64, order_im: f64, re: f64, im: f64) -> (f64, f64) {
        if hankel_is_real(order, order_im, re, im) {
            let (hr, hi) = hankel_of_real(order, re);
            return (hr, -hi);
        }
        let (hr, hi) = complex_hankel2e(order, order_im, re, im);
        let (ar, ai) = rotated(-re, hr, hi);
        return grown(ar, ai, im);
    }

    /// The confluent limit function 0F1 of a real parameter.
    fn complex_hyp0f1(v: f64, v_im: f64, re: f64, im: f64) -> (f64, f64) {
        if is_nan(v) || v_im != 0.0 || is_nan(re) || is_nan(im) || (v <= 0.0 && floor(v) == v) {
            return (NAN, NAN);
        }
        let size = hypot(re, im);
        // The gamma function of a parameter below -160 is too small for a double.
        if size < 1.0 || size < 0.5 * v || (v < -160.0 && size < -v) {
            let mut tr = 1.0;
            let mut ti = 0.0;
            let mut sr = 1.0;
            let mut si = 0.0;
            let mut k = 0.0;
            while k < 500.0 {
                let scale = 1.0 / ((v + k) * (k + 1.0));
                let (nr, ni) = product(tr, ti, re * scale, im * scale);
                tr = nr;
                ti = ni;
                sr += tr;
                si += ti;
                k += 1.0;
                if abs(tr) + abs(ti) < 1e-17 * (abs(sr) + abs(si)) && (k > -v || v < -160.0) {
                    break;
                }
            }
            return (sr, si);
        }
        // gamma(v) r^(1 - v) I(2 r), r the root.
        let (rr, ri) = sqrt_of(re, im);
        let (ar, ai) = complex_iv(v - 1.0, 0.0, 2.0 * rr, 2.0 * ri);
        let scale = gamma(v) * pow(sqrt(size), 1.0 - v);
        return rotated((1.0 - v) * atan2(ri, rr), scale * ar, scale * ai);
    }
}

complex_lanes! {
    complex_jv(a, b);
    complex_jve(a, b);
    complex_yv(a, b);
    complex_yve(a, b);
    complex_iv(a, b);
    complex_ive(a, b);
    complex_kv(a, b);
    complex_kve(a, b);
    complex_hankel1(a, b);
    complex_hankel1e(a, b);
    complex_hankel2(a, b);
    complex_hankel2e(a, b);
    complex_hyp0f1(a, b);
}
