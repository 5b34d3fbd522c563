//! The distributions of F and of Student's t, which are incomplete beta functions.

#[allow(unused_imports)]
use super::beta::*;
#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use super::erf::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::incomplete_beta::*;
#[allow(unused_imports)]
use super::incomplete_gamma::*;
#[allow(unused_imports)]
use super::zeta::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

plain_functions! {
    /// The parts a x / (b + a x) and b / (b + a x) of the distribution of F.
    fn f_place(a: f64, b: f64, x: f64) -> (f64, f64) {
        let ratio = a / b * x;
        let inverse = b / a / x;
        let is_low = ratio < 1.0;
        let small = if is_low { ratio } else { inverse };
        let whole = 1.0 / (1.0 + small);
        let part = small / (1.0 + small);
        return (if is_low { part } else { whole }, if is_low { whole } else { part });
    }

    /// The density at the place of the distribution of F.
    fn fdtr_density(a: f64, b: f64, x: f64) -> f64 {
        let (place, rest) = f_place(a, b, x);
        return plain_beta_density(0.5 * a, 0.5 * b, place, rest);
    }

    /// The density at the place of the distribution of Student's t.
    fn stdtr_density(df: f64, t: f64) -> f64 {
        let square = t * t;
        let sum = df + square;
        return plain_beta_density(0.5 * df, 0.5, df / sum, square / sum);
    }
}

functions! {
    /// The distribution function of F, or its complement, where half of a parameter or the place is too small for a double.
    fn f_edge(a: f64, b: f64, place: f64, complement: bool) -> f64 {
        if a < 1e-300 || b < 1e-300 {
            // All is at both ends.
            let low = if a < b { 1.0 / (1.0 + a / b) } else { b / a / (1.0 + b / a) };
            let high = if a < b { a / b / (1.0 + a / b) } else { 1.0 / (1.0 + b / a) };
            return if complement { high } else { low };
        }
        return if (place == 0.0) == complement { 1.0 } else { 0.0 };
    }

    /// The distribution function of F.
    fn fdtr(a: f64, b: f64, x: f64) -> f64 {
        return fdtr_from(a, b, x, fdtr_density(a, b, x));
    }

    /// The same, given fdtr_density.
    fn fdtr_from(a: f64, b: f64, x: f64, density: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == INF || b == INF {
            return NAN;
        }
        if x == 0.0 || x == INF {
            return if x == 0.0 { 0.0 } else { 1.0 };
        }
        let (place, rest) = f_place(a, b, x);
        if 0.5 * a == 0.0 || 0.5 * b == 0.0 || place == 0.0 || rest == 0.0 {
            return f_edge(a, b, place, false);
        }
        return beta_regularized_plain(0.5 * a, 0.5 * b, place, rest, density, false);
    }

    /// One less the distribution function of F.
    fn fdtrc(a: f64, b: f64, x: f64) -> f64 {
        return fdtrc_from(a, b, x, fdtr_density(a, b, x));
    }

    /// The same, given fdtr_density.
    fn fdtrc_from(a: f64, b: f64, x: f64, density: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == INF || b == INF {
            return NAN;
        }
        if x == 0.0 || x == INF {
            return if x == 0.0 { 1.0 } else { 0.0 };
        }
        let (place, rest) = f_place(a, b, x);
        if 0.5 * a == 0.0 || 0.5 * b == 0.0 || place == 0.0 || rest == 0.0 {
            return f_edge(a, b, place, true);
        }
        return beta_regularized_plain(0.5 * a, 0.5 * b, place, rest, density, true);
    }

    /// The inverse of fdtr in its third argument.
    fn fdtri(a: f64, b: f64, p: f64) -> f64 {
        if !(a > 0.0) || !(b > 0.0) || !(p >= 0.0) || p > 1.0 || a == INF || b == INF {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return if p == 0.0 { 0.0 } else { INF };
        }
        let (x, y) = beta_inverse(0.5 * a, 0.5 * b, p, 1.0 - p);
        return b / a * (x / y);
    }

    /// The distribution function of Student's t.
    fn stdtr(df: f64, t: f64) -> f64 {
        return stdtr_from(df, t, stdtr_density(df, t));
    }

    /// The same, given stdtr_density.
    fn stdtr_from(df: f64, t: f64, density: f64) -> f64 {
        if is_nan(df) || is_nan(t) || df <= 0.0 {
            return NAN;
        }
        if df == INF {
            return ndtr(t);
        }
        if abs(t) == INF {
            return if t < 0.0 { 0.0 } else { 1.0 };
        }
        let square = t * t;
        let sum = df + square;
        if square == 0.0 || 0.5 * df == 0.0 {
            return 0.5;
        }
        let tail = if square == INF { 0.0 } else { 0.5 * beta_regularized_plain(0.5 * df, 0.5, df / sum, square / sum, density, false) };
        return if t < 0.0 { tail } else { 1.0 - tail };
    }

    /// The inverse of the incomplete beta function from a guess, which is none where a part is negative.
    fn stdtrit_place(a: f64, b: f64, p: f64, q: f64, x: f64, y: f64) -> (f64, f64) {
        if x > 0.0 && y > 0.0 {
            return beta_inverse_from(a, b, p, q, x, y);
        }
        return beta_inverse(a, b, p, q);
    }

    /// t^2 / (df + t^2) and one less that for Student's t where the normal distribution is as far out as the root of a square; no
    /// guess where a part is negative.
    fn stdtrit_guess(df: f64, square: f64) -> (f64, f64) {
        if df > 3.0 && square < 0.7 * df {
            // The expansion of Cornish and Fisher.
            let w = 1.0 / df;
            let first = 0.25 * (square + 1.0);
            let second = (3.0 + square * (16.0 + 5.0 * square)) / 96.0;
            let third = (-15.0 + square * (17.0 + square * (19.0 + 3.0 * square))) / 384.0;
            let fourth = (-945.0 + square * (-1920.0 + square * (1482.0 + square * (776.0 + 79.0 * square)))) / 92160.0;
            let ratio = 1.0 + w * (first + w * (second + w * (third + w * fourth)));
            let reached = square * (ratio * ratio);
            return (reached / (df + reached), df / (df + reached));
        }
        // The normal distribution's place, stretched.
        let rate = if df > 2.0 { -square * ((df - 1.5) / ((df - 1.0) * (df - 1.0))) } else { 1.0 };
        return (-expm1(rate), exp(rate));
    }

    /// The inverse of stdtr in its second argument.
    fn stdtrit(df: f64, p: f64) -> f64 {
        if !(df > 0.0) || !(p >= 0.0) || p > 1.0 {
            return NAN;
        }
        if p == 0.0 || p == 1.0 {
            return if p == 0.0 { -INF } else { INF };
        }
        if df > 1e20 {
            return ndtri(p);
        }
        let z = ndtri(p);
        let square = z * z;
        let (near_guess, far_guess) = stdtrit_guess(df, square);
        if p > 0.25 && p < 0.75 {
            if p == 0.5 {
                return 0.0;
            }
            let chance = abs(1.0 - 2.0 * p);
            let (near, far) = stdtrit_place(0.5, 0.5 * df, chance, 1.0 - chance, near_guess, far_guess);
            let middle = sqrt(df * near / far);
            return if p < 0.5 { -middle } else { middle };
        }
        let q = if p < 0.5 { 2.0 * p } else { 2.0 * (1.0 - p) };
        let (x, y) = stdtrit_place(0.5 * df, 0.5, q, 1.0 - q, far_guess, near_guess);
        let mut value = sqrt(df * (y / x));
        if x < 1e-290 {
            // By the first term of its series, whose exponential is within the range of doubles where x is not.
            value = sqrt(df) * exp(-(log(0.5 * df * q) + betaln(0.5 * df, 0.5)) / df);
        }
        return if p < 0.5 { -value } else { value };
    }
}

lanes! {
    fdtr(a, b, c) by fdtr_from of fdtr_density;
    fdtrc(a, b, c) by fdtrc_from of fdtr_density;
    fdtri(a, b, c);
    stdtr(a, b) by stdtr_from of stdtr_density;
    stdtrit(a, b);
}
