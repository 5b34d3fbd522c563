//! Airy's functions.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// 2/3 |x|^(3/2) in two parts.
    fn airy_zeta(x: f64) -> (f64, f64) {
        let a = abs(x);
        let root = sqrt(a);
        let root_low = if a > 0.0 { fma(-root, root, a) * (0.5 / root) } else { 0.0 };
        let cube = a * root;
        let cube_low = fma(a, root, -cube) + a * root_low;
        let zeta = 0.6666666666666666 * cube;
        return (zeta, fma(0.6666666666666666, cube, -zeta) + fma(0.6666666666666666, cube_low, 3.700743415417188e-17 * cube));
    }

    /// exp(zeta), or exp(-zeta), times a factor that may make up for an overflow.
    fn airy_exp(sign: f64, zeta: f64, low: f64, factor: f64) -> f64 {
        if zeta < 700.0 {
            return exp_sum(sign * zeta, sign * low) * factor;
        }
        if zeta > 790.0 {
            return if sign < 0.0 { 0.0 } else { INF };
        }
        let half = exp_sum(0.5 * sign * zeta, 0.5 * sign * low);
        return half * factor * half;
    }

    /// The sum and the difference of the cosine and the sine of zeta, given in two parts.
    fn airy_turn(zeta: f64, low: f64) -> (f64, f64) {
        let s = sin(zeta);
        let c = cos(zeta);
        let mut sine = fma(low, c, s);
        let mut cosine = fma(-low, s, c);
        if abs(low) > 1e-8 {
            sine = s * cos(low) + c * sin(low);
            cosine = c * cos(low) - s * sin(low);
        }
        return (cosine + sine, cosine - sine);
    }

    /// A row of 18 coefficients of a table over steps of one from -10 to 10, at x.
    fn airy_piece(x: f64, table: &[f64; 360]) -> f64 {
        let step = floor(x);
        let t = fma(2.0, x - step, -1.0);
        let square = t * t;
        let at = ((step + 10.0) as usize) * 18;
        let mut even = table[at + 16];
        let mut odd = table[at + 17];
        for k in (0..8).rev() {
            even = fma(even, square, table[at + 2 * k]);
            odd = fma(odd, square, table[at + 2 * k + 1]);
        }
        return fma(odd, t, even);
    }

    /// Ai at a finite x, given 2/3 |x|^(3/2).
    fn airy_ai_at(x: f64, zeta: f64, low: f64) -> f64 {
        if x >= -10.0 && x < 10.0 {
            let value = airy_piece(x, &AIRY_AI);
            return if x < 1.0 { value } else { exp_sum(-zeta, -low) * value };
        }
        let w = 1.0 / zeta;
        if x > 0.0 {
            return airy_exp(-1.0, zeta, low, poly(fma(42.0, w, -1.0), &AIRY_AI_FAR) / sqrt(sqrt(x)));
        }
        let t = fma(882.0 * w, w, -1.0);
        let (sum, difference) = airy_turn(zeta, low);
        return (poly(t, &AIRY_P) * sum - w * poly(t, &AIRY_Q) * difference) / sqrt(sqrt(-x));
    }

    /// Bi, likewise.
    fn airy_bi_at(x: f64, zeta: f64, low: f64) -> f64 {
        if x >= -10.0 && x < 10.0 {
            let value = airy_piece(x, &AIRY_BI);
            return if x < 1.0 { value } else { exp_sum(zeta, low) * value };
        }
        let w = 1.0 / zeta;
        if x > 0.0 {
            return airy_exp(1.0, zeta, low, poly(fma(42.0, w, -1.0), &AIRY_BI_FAR) / sqrt(sqrt(x)));
        }
        let t = fma(882.0 * w, w, -1.0);
        let (sum, difference) = airy_turn(zeta, low);
        return fma(poly(t, &AIRY_P), difference, w * poly(t, &AIRY_Q) * sum) / sqrt(sqrt(-x));
    }

    /// The derivative of Ai, likewise.
    fn airy_aip_at(x: f64, zeta: f64, low: f64) -> f64 {
        if x >= -10.0 && x < 10.0 {
            let value = airy_piece(x, &AIRY_AIP);
            return if x < 1.0 { value } else { exp_sum(-zeta, -low) * value };
        }
        let w = 1.0 / zeta;
        if x > 0.0 {
            return airy_exp(-1.0, zeta, low, poly(fma(42.0, w, -1.0), &AIRY_AIP_FAR) * sqrt(sqrt(x)));
        }
        let t = fma(882.0 * w, w, -1.0);
        let (sum, difference) = airy_turn(zeta, low);
        return -fma(poly(t, &AIRYP_P), difference, w * poly(t, &AIRYP_Q) * sum) * sqrt(sqrt(-x));
    }

    /// The derivative of Bi, likewise.
    fn airy_bip_at(x: f64, zeta: f64, low: f64) -> f64 {
        if x >= -10.0 && x < 10.0 {
            let value = airy_piece(x, &AIRY_BIP);
            return if x < 1.0 { value } else { exp_sum(zeta, low) * value };
        }
        let w = 1.0 / zeta;
        if x > 0.0 {
            return airy_exp(1.0, zeta, low, poly(fma(42.0, w, -1.0), &AIRY_BIP_FAR) * sqrt(sqrt(x)));
        }
        let t = fma(882.0 * w, w, -1.0);
        let (sum, difference) = airy_turn(zeta, low);
        return (poly(t, &AIRYP_P) * sum - w * poly(t, &AIRYP_Q) * difference) * sqrt(sqrt(-x));
    }

    /// Airy's functions Ai, Ai', Bi and Bi' at a finite x, given 2/3 |x|^(3/2).
    fn airy_at(x: f64, zeta: f64) -> (f64, f64, f64, f64) {
        return (airy_ai_at(x, zeta, 0.0), airy_aip_at(x, zeta, 0.0), airy_bi_at(x, zeta, 0.0), airy_bip_at(x, zeta, 0.0));
    }

    /// Airy's function Ai.
    fn airy_ai(x: f64) -> f64 {
        if !(abs(x) < INF) {
            return if is_nan(x) { x } else { 0.0 };
        }
        let (zeta, low) = airy_zeta(x);
        return airy_ai_at(x, zeta, low);
    }

    /// Its derivative.
    fn airy_aip(x: f64) -> f64 {
        if !(abs(x) < INF) {
            return if x > 0.0 { 0.0 } else { NAN };
        }
        let (zeta, low) = airy_zeta(x);
        return airy_aip_at(x, zeta, low);
    }

    /// Airy's function Bi.
    fn airy_bi(x: f64) -> f64 {
        if !(abs(x) < INF) {
            return if x < 0.0 { 0.0 } else { x };
        }
        let (zeta, low) = airy_zeta(x);
        return airy_bi_at(x, zeta, low);
    }

    /// Its derivative.
    fn airy_bip(x: f64) -> f64 {
        if !(abs(x) < INF) {
            return if x < 0.0 { NAN } else { x };
        }
        let (zeta, low) = airy_zeta(x);
        return airy_bip_at(x, zeta, low);
    }
}

lanes! {
    airy_ai(a);
    airy_aip(a);
    airy_bi(a);
    airy_bip(a);
}
