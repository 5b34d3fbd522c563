//! The zeta functions of Riemann and Hurwitz.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

/// B(2j) / (2j)! for j from 1 on.
const BERNOULLI: [f64; 12] = [
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-5,
    -8.267195767195768e-7,
    2.08767569878681e-8,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812525e-19,
];

plain_functions! {
    /// A number above zero to some power.
    fn plain_power(a: f64, y: f64) -> f64 {
        let (high, low) = log_parts(a);
        let exponent = y * high;
        let below = if exponent > 790.0 { 790.0 } else { exponent };
        let bounded = if below < -790.0 { -790.0 } else { below };
        return exp_sum(bounded, if bounded == exponent { fma(y, low, fma(y, high, -exponent)) } else { 0.0 });
    }

    /// The zeta function of Riemann, less one, for x above 1 and below 35: 2^-x times a pole and what is smooth beside it.
    fn plain_zetac(x: f64) -> f64 {
        let near = horner((x - 6.5) * 0.18181818181818182, &ZETAC_NEAR);
        let far = horner((x - 23.5) * 0.08695652173913043, &ZETAC_FAR);
        return plain_exp2(-x) * ((if x < 12.0 { near } else { far }) + plain_quotient(2.0, x - 1.0));
    }

    /// Whether zetac takes another way.
    fn zetac_is_rare(x: f64) -> bool {
        return !(x > 1.0 && x < 35.0);
    }
}

functions! {
    /// The sum of (q + k)^-x over k from 0 on, by Euler and Maclaurin; continued to the left of x = 1.
    fn zeta_sum(x: f64, q: f64) -> f64 {
        let mut sum = 0.0;
        let mut a = q;
        while a <= 0.0 {
            sum += pow(a, -x);
            a += 1.0;
        }
        let end = if x < 2.0 { 12.0 } else { x + 10.0 };
        let mut power = 0.0;
        let mut terms = [0.0; 4];
        loop {
            // Four at a time, the last one for what follows the sum.
            for i in 0..4 {
                terms[i] = plain_power(a + (i as f64), -x);
            }
            sum = ((sum + terms[0]) + terms[1]) + terms[2];
            power = terms[3];
            a += 3.0;
            // The sum may be infinite, or none where infinite terms have both signs.
            if !(power > 1e-17 * abs(sum)) {
                return sum + power;
            }
            if a >= end {
                break;
            }
            sum += power;
            a += 1.0;
        }
        let square = 1.0 / (a * a);
        let mut factor = x / a;
        let mut rest = a / (x - 1.0) + 0.5;
        let mut k = 0.0;
        for j in 0..12 {
            let term = BERNOULLI[j] * factor;
            rest += term;
            if abs(term) < 1e-18 * abs(rest) {
                break;
            }
            factor *= (x + k + 1.0) * (x + k + 2.0) * square;
            k += 2.0;
        }
        return fma(power, rest, sum);
    }

    /// The zeta function of Hurwitz for x above 1.
    fn zeta(x: f64, q: f64) -> f64 {
        if is_nan(x) || is_nan(q) {
            return NAN;
        }
        if x == 1.0 {
            return INF;
        }
        if x < 1.0 {
            return NAN;
        }
        if q <= 0.0 {
            if q == floor(q) {
                return INF;
            }
            if x != floor(x) {
                return NAN;
            }
            if q < -1e5 {
                return NAN;
            }
        }
        if x == INF {
            return if q > 1.0 { 0.0 } else if q == 1.0 { 1.0 } else { INF };
        }
        if q > 1e8 {
            return (1.0 / (x - 1.0) + 1.0 / (2.0 * q)) * pow(q, 1.0 - x);
        }
        return zeta_sum(x, q);
    }

    /// The zeta function of Riemann from -1 on.
    fn zeta_right(x: f64) -> f64 {
        if x < 7.0 {
            return horner(fma(0.25, x, -0.75), &ZETA_1) + 1.0 / (x - 1.0);
        }
        return if x < 35.0 { 1.0 + plain_zetac(x) } else if x > 60.0 { 1.0 } else { 1.0 + exp2(-x) };
    }

    /// The zeta function of Riemann.
    fn riemann_zeta(x: f64) -> f64 {
        if x == INF {
            return 1.0;
        }
        if is_nan(x) || x == -INF {
            return NAN;
        }
        if x == 1.0 {
            return INF;
        }
        if x >= -0.01 {
            return zeta_right(x);
        }
        if 2.0 * floor(0.5 * x) == x {
            return 0.0;
        }
        // The reflection; the power and the gamma function are taken by halves, so that neither overflows alone.
        let y = 1.0 - x;
        let value = 2.0 * sinpi(0.5 * x) * zeta_right(y);
        if y < 20.0 {
            return value * gamma(y) * pow(6.283185307179586, -y);
        }
        if y > 300.0 {
            return copysign(INF, value);
        }
        // gamma(y) / (2 pi)^y by the logarithms of both, in two parts.
        let (high, low) = stirling(y);
        let power = y * 1.8378770664093456;
        let power_low = fma(y, 1.8378770664093456, -power) + y * -7.756588316134483e-17;
        let exponent = high - power;
        let taken = high - exponent;
        let lost = (high - (exponent + taken)) + (taken - power);
        let root = exp_sum(0.5 * exponent, 0.5 * ((low - power_low) + lost));
        return value * root * root;
    }

    /// The zeta function of Riemann, less one.
    fn zetac(x: f64) -> f64 {
        if !zetac_is_rare(x) {
            return plain_zetac(x);
        }
        if x > 1.0 {
            // 2^-x and, beside it, 3^-x, 4^-x and 5^-x.
            let first = exp2(-x);
            let bounded = if x < 100.0 { x } else { 100.0 };
            let second = quick_exp(-0.4054651081081644 * bounded);
            let fourth = quick_exp(-0.9162907318741551 * bounded);
            return if x > 1080.0 { 0.0 } else { fma(first, (second + first) + fourth, first) };
        }
        if x == 1.0 {
            return INF;
        }
        return riemann_zeta(x) - 1.0;
    }
}

lanes! {
    zeta(a, b);
    riemann_zeta(a);
    zetac(a) by plain_zetac unless zetac_is_rare;
}
