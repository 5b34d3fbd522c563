//! The continuous distributions of NumPy's `Generator`, operation by operation.

use std::f64::consts::PI;

use super::counts::poisson;
use super::words::WordSource;
use super::ziggurat::{exponential, exponential_single, normal, normal_single};

/// Shapes of beta variates below which the outcome is 0 or 1.
const BETA_TINY: f64 = 3e-103;

pub(super) fn standard_gamma<W: WordSource>(words: &mut W, shape: f64) -> f64 {
    if shape == 1.0 {
        return exponential(words);
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape < 1.0 {
        return small_gamma(words, shape, WordSource::next_double, exponential);
    }
    large_gamma(words, shape, normal, WordSource::next_double)
}

/// Ahrens and Dieter's rejection for shapes below one.
#[inline]
pub(super) fn small_gamma<S>(
    source: &mut S,
    shape: f64,
    uniform: impl Fn(&mut S) -> f64,
    exponential: impl Fn(&mut S) -> f64,
) -> f64 {
    loop {
        let u = uniform(source);
        let v = exponential(source);
        if u <= 1.0 - shape {
            let x = u.powf(1.0 / shape);
            if x <= v {
                return x;
            }
        } else {
            let y = -((1.0 - u) / shape).ln();
            let x = (1.0 - shape + shape * y).powf(1.0 / shape);
            if x <= v + y {
                return x;
            }
        }
    }
}

/// Marsaglia and Tsang's rejection for shapes above one.
#[inline]
pub(super) fn large_gamma<S>(
    source: &mut S,
    shape: f64,
    normal: impl Fn(&mut S) -> f64,
    uniform: impl Fn(&mut S) -> f64,
) -> f64 {
    let b = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * b).sqrt();
    loop {
        let (x, v) = loop {
            let x = normal(source);
            let v = 1.0 + c * x;
            // A shape that is no number gives NaN, and ends the loop too.
            if v > 0.0 || v.is_nan() {
                break (x, v);
            }
        };
        let v = v * v * v;
        let u = uniform(source);
        if u < 1.0 - 0.0331 * (x * x) * (x * x) {
            return b * v;
        }
        if u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
            return b * v;
        }
    }
}

pub(super) fn standard_gamma_single<W: WordSource>(words: &mut W, shape: f32) -> f32 {
    if shape == 1.0 {
        return exponential_single(words);
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape < 1.0 {
        loop {
            let u = words.next_float();
            let v = exponential_single(words);
            if u <= 1.0 - shape {
                let x = u.powf(1.0 / shape);
                if x <= v {
                    return x;
                }
            } else {
                let y = -((1.0 - u) / shape).ln();
                let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                if x <= v + y {
                    return x;
                }
            }
        }
    }
    let b = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * b).sqrt();
    loop {
        let (x, v) = loop {
            let x = normal_single(words);
            let v = 1.0 + c * x;
            if v > 0.0 || v.is_nan() {
                break (x, v);
            }
        };
        let v = v * v * v;
        let u = words.next_float();
        if u < 1.0 - 0.0331 * (x * x) * (x * x) {
            return b * v;
        }
        if u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
            return b * v;
        }
    }
}

pub(super) fn beta<W: WordSource>(words: &mut W, a: f64, b: f64) -> f64 {
    if a > 1.0 || b > 1.0 || a.is_nan() || b.is_nan() {
        let first = standard_gamma(words, a);
        let second = standard_gamma(words, b);
        return first / (first + second);
    }
    if a < BETA_TINY && b < BETA_TINY {
        return f64::from((a + b) * words.next_double() < a);
    }
    loop {
        let u = words.next_double();
        let v = words.next_double();
        let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
        let sum = x + y;
        if sum <= 1.0 && u + v > 0.0 {
            if x > 0.0 && y > 0.0 {
                return x / sum;
            }
            let delta = u.ln() / a - v.ln() / b;
            return if delta > 0.0 {
                (-(-delta).exp().ln_1p()).exp()
            } else {
                (delta - delta.exp().ln_1p()).exp()
            };
        }
    }
}

pub(super) fn chisquare<W: WordSource>(words: &mut W, df: f64) -> f64 {
    2.0 * standard_gamma(words, df / 2.0)
}

pub(super) fn f<W: WordSource>(words: &mut W, numerator: f64, denominator: f64) -> f64 {
    let above = chisquare(words, numerator) * denominator;
    let below = chisquare(words, denominator) * numerator;
    above / below
}

pub(super) fn noncentral_chisquare<W: WordSource>(words: &mut W, df: f64, noncentrality: f64) -> f64 {
    if noncentrality.is_nan() {
        return f64::NAN;
    }
    if noncentrality == 0.0 {
        return chisquare(words, df);
    }
    if 1.0 < df {
        let central = chisquare(words, df - 1.0);
        let n = normal(words) + noncentrality.sqrt();
        return central + n * n;
    }
    let i = poisson(words, noncentrality / 2.0);
    chisquare(words, df + 2.0 * i as f64)
}

pub(super) fn noncentral_f<W: WordSource>(
    words: &mut W,
    numerator: f64,
    denominator: f64,
    shift: f64,
) -> f64 {
    let above = noncentral_chisquare(words, numerator, shift) * denominator;
    above / (chisquare(words, denominator) * numerator)
}

pub(super) fn standard_cauchy<W: WordSource>(words: &mut W) -> f64 {
    let above = normal(words);
    above / normal(words)
}

pub(super) fn standard_t<W: WordSource>(words: &mut W, df: f64) -> f64 {
    let above = normal(words);
    let below = standard_gamma(words, df / 2.0);
    (df / 2.0).sqrt() * above / below.sqrt()
}

pub(super) fn weibull<W: WordSource>(words: &mut W, a: f64) -> f64 {
    if a == 0.0 { 0.0 } else { exponential(words).powf(1.0 / a) }
}

pub(super) fn power<W: WordSource>(words: &mut W, a: f64) -> f64 {
    (-(-exponential(words)).exp_m1()).powf(1.0 / a)
}

pub(super) fn laplace<W: WordSource>(words: &mut W, loc: f64, scale: f64) -> f64 {
    loop {
        let u = words.next_double();
        if u >= 0.5 {
            return loc - scale * (2.0 - u - u).ln();
        }
        if u > 0.0 {
            return loc + scale * (u + u).ln();
        }
    }
}

pub(super) fn gumbel<W: WordSource>(words: &mut W, loc: f64, scale: f64) -> f64 {
    loop {
        let u = 1.0 - words.next_double();
        if u < 1.0 {
            return loc - scale * (-u.ln()).ln();
        }
    }
}

pub(super) fn logistic<W: WordSource>(words: &mut W, loc: f64, scale: f64) -> f64 {
    loop {
        let u = words.next_double();
        if u > 0.0 {
            return loc + scale * (u / (1.0 - u)).ln();
        }
    }
}

pub(super) fn triangular<W: WordSource>(words: &mut W, left: f64, mode: f64, right: f64) -> f64 {
    let (base, rising) = (right - left, mode - left);
    let u = words.next_double();
    if u <= rising / base {
        left + (u * (rising * base)).sqrt()
    } else {
        right - ((1.0 - u) * ((right - mode) * base)).sqrt()
    }
}

pub(super) fn wald<W: WordSource>(words: &mut W, mean: f64, scale: f64) -> f64 {
    let z = normal(words);
    let y = mean * z * z;
    let d = 1.0 + (1.0 + 4.0 * scale / y).sqrt();
    let x = mean * (1.0 - 2.0 / d);
    let u = words.next_double();
    if u <= mean / (mean + x) { x } else { mean * mean / x }
}

pub(super) fn vonmises<W: WordSource>(words: &mut W, mu: f64, kappa: f64) -> f64 {
    if kappa > 1e6 {
        // A wrapped normal is as good, and the rejection would cancel.
        let mut angle = mu + (1.0 / kappa).sqrt() * normal(words);
        if angle < -PI {
            angle += 2.0 * PI;
        }
        if angle > PI {
            angle -= 2.0 * PI;
        }
        return angle;
    }
    vonmises_rejected(words, mu, kappa)
}

/// Best and Fisher's rejection, for any concentration.
pub(super) fn vonmises_rejected<W: WordSource>(words: &mut W, mu: f64, kappa: f64) -> f64 {
    if kappa.is_nan() {
        return f64::NAN;
    }
    if kappa < 1e-8 {
        return PI * (2.0 * words.next_double() - 1.0);
    }
    let s = if kappa < 1e-5 {
        1.0 / kappa + kappa
    } else {
        let r = 1.0 + (1.0 + 4.0 * kappa * kappa).sqrt();
        let rho = (r - (2.0 * r).sqrt()) / (2.0 * kappa);
        (1.0 + rho * rho) / (2.0 * rho)
    };
    let w = loop {
        let z = (PI * words.next_double()).cos();
        let w = (1.0 + s * z) / (s + z);
        let y = kappa * (s - w);
        let v = words.next_double();
        if y * (2.0 - y) - v >= 0.0 || (y / v).ln() + 1.0 - y >= 0.0 {
            break w;
        }
    };
    let u = words.next_double();
    let angle = w.acos();
    let angle = if u < 0.5 { -angle } else { angle } + mu;
    let wrapped = (angle.abs() + PI) % (2.0 * PI) - PI;
    if angle < 0.0 { -wrapped } else { wrapped }
}
