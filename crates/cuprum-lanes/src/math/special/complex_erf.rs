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
}

complex_lanes! {
    complex_wofz(a);
}
