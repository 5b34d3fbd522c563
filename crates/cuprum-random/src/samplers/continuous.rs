//! Gamma and what is made of it, von Mises, Wald.

use std::f64::consts::{PI, TAU};

use super::{Poisson, Sampler};
use crate::math::{arccos, exp, log, sin_cos_of_word};
use crate::per_element_stream::OwnWords;

/// Gamma variates by Marsaglia and Tsang's rejection from a cubed normal.
pub(crate) struct Gamma {
    shape: f64,
    scale: f64,
    d: f64,
    c: f64,
}

impl Gamma {
    fn standard(shape: f64) -> Gamma {
        Gamma::new([shape, 1.0, 0.0])
    }
}

impl Sampler for Gamma {
    const NORMAL_FIRST: bool = true;

    #[inline]
    fn new([shape, scale, _]: [f64; 3]) -> Gamma {
        // Shapes below one are drawn one higher and brought down by a power of a uniform.
        let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
        Gamma { shape, scale, d, c: 1.0 / (9.0 * d).sqrt() }
    }

    #[inline]
    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.shape == 0.0 || !self.shape.is_finite() {
            return self.scale * self.shape;
        }
        loop {
            let x = words.normal();
            let v = 1.0 + self.c * x;
            let u = words.open();
            if v <= 0.0 {
                continue;
            }
            let (v, square) = (v * v * v, x * x);
            let accepted =
                u < 1.0 - 0.0331 * (square * square) || log(u) < 0.5 * square + self.d * (1.0 - v + log(v));
            if !accepted {
                continue;
            }
            let value = self.d * v;
            if self.shape < 1.0 {
                return self.scale * (value * exp(0.0 - words.exponential() / self.shape));
            }
            return self.scale * value;
        }
    }
}

/// Gamma variates of scale one.
pub(crate) struct StandardGamma(Gamma);

impl Sampler for StandardGamma {
    const NORMAL_FIRST: bool = true;

    #[inline]
    fn new([shape, _, _]: [f64; 3]) -> StandardGamma {
        StandardGamma(Gamma::standard(shape))
    }

    #[inline]
    fn draw(&self, words: &mut OwnWords) -> f64 {
        self.0.draw(words)
    }
}

/// Beta variates.
pub(crate) struct Beta {
    a: f64,
    b: f64,
    gammas: (Gamma, Gamma),
}

impl Sampler for Beta {
    #[inline]
    fn new([a, b, _]: [f64; 3]) -> Beta {
        Beta { a, b, gammas: (Gamma::standard(a), Gamma::standard(b)) }
    }

    #[inline]
    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.a.is_nan() || self.b.is_nan() {
            return f64::NAN;
        }
        if self.a > 1.0 || self.b > 1.0 {
            let (x, y) = (self.gammas.0.draw(words), self.gammas.1.draw(words));
            return x / (x + y);
        }
        loop {
            // Jöhnk: powers of uniforms, by their logarithms, which cannot both underflow.
            let log_x = (0.0 - words.exponential() / self.a).max(-1e300);
            let log_y = (0.0 - words.exponential() / self.b).max(-1e300);
            let (x, y) = (exp(log_x), exp(log_y));
            if x + y > 1.0 {
                continue;
            }
            if x + y > 0.0 {
                return x / (x + y);
            }
            let most = log_x.max(log_y);
            let (x, y) = (exp(log_x - most), exp(log_y - most));
            return x / (x + y);
        }
    }
}

/// Chi-square variates.
pub(crate) struct Chisquare(Gamma);

impl Sampler for Chisquare {
    const NORMAL_FIRST: bool = true;

    #[inline]
    fn new([df, _, _]: [f64; 3]) -> Chisquare {
        Chisquare(Gamma::new([0.5 * df, 2.0, 0.0]))
    }

    #[inline]
    fn draw(&self, words: &mut OwnWords) -> f64 {
        self.0.draw(words)
    }
}

/// Noncentral chi-square variates.
pub(crate) struct NoncentralChisquare {
    df: f64,
    nonc: f64,
    /// Of one degree less where there is more than one.
    rest: Chisquare,
    mixture: Poisson,
}

impl Sampler for NoncentralChisquare {
    fn new([df, nonc, _]: [f64; 3]) -> NoncentralChisquare {
        let rest = if nonc == 0.0 { df } else { df - 1.0 };
        let mixture = Poisson::new([0.5 * nonc, 0.0, 0.0]);
        NoncentralChisquare { df, nonc, rest: Chisquare::new([rest, 0.0, 0.0]), mixture }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.df.is_nan() || self.nonc.is_nan() {
            return f64::NAN;
        }
        if self.nonc == 0.0 {
            return self.rest.draw(words);
        }
        if self.df > 1.0 {
            let shifted = words.normal() + self.nonc.sqrt();
            return self.rest.draw(words) + shifted * shifted;
        }
        let extra = 2.0 * self.mixture.draw(words);
        Chisquare::new([self.df + extra, 0.0, 0.0]).draw(words)
    }
}

/// F variates.
pub(crate) struct F {
    dfnum: f64,
    dfden: f64,
    parts: (Chisquare, Chisquare),
}

impl Sampler for F {
    const NORMAL_FIRST: bool = true;

    fn new([dfnum, dfden, _]: [f64; 3]) -> F {
        let part = |df| Chisquare::new([df, 0.0, 0.0]);
        F { dfnum, dfden, parts: (part(dfnum), part(dfden)) }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let (over, under) = (self.parts.0.draw(words), self.parts.1.draw(words));
        (over * self.dfden) / (under * self.dfnum)
    }
}

/// Noncentral F variates.
pub(crate) struct NoncentralF {
    dfnum: f64,
    dfden: f64,
    parts: (NoncentralChisquare, Chisquare),
}

impl Sampler for NoncentralF {
    fn new([dfnum, dfden, nonc]: [f64; 3]) -> NoncentralF {
        let parts = (NoncentralChisquare::new([dfnum, nonc, 0.0]), Chisquare::new([dfden, 0.0, 0.0]));
        NoncentralF { dfnum, dfden, parts }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let (over, under) = (self.parts.0.draw(words), self.parts.1.draw(words));
        (over * self.dfden) / (under * self.dfnum)
    }
}

/// Student's t variates.
pub(crate) struct StandardT {
    df: f64,
    gamma: Gamma,
}

impl Sampler for StandardT {
    const NORMAL_FIRST: bool = true;

    fn new([df, _, _]: [f64; 3]) -> StandardT {
        StandardT { df, gamma: Gamma::standard(0.5 * df) }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let normal = words.normal();
        if self.df == f64::INFINITY {
            return normal;
        }
        (0.5 * self.df).sqrt() * normal / self.gamma.draw(words).sqrt()
    }
}

/// Angles around a mean by Best and Fisher's rejection.
pub(crate) struct Vonmises {
    mu: f64,
    kappa: f64,
    s: f64,
}

impl Sampler for Vonmises {
    fn new([mu, kappa, _]: [f64; 3]) -> Vonmises {
        let s = if kappa < 1e-5 {
            // The first terms of the formula below, which cancels here.
            1.0 / kappa + kappa
        } else {
            let r = 1.0 + (1.0 + 4.0 * kappa * kappa).sqrt();
            let rho = (r - (2.0 * r).sqrt()) / (2.0 * kappa);
            (1.0 + rho * rho) / (2.0 * rho)
        };
        Vonmises { mu, kappa, s }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let (kappa, s) = (self.kappa, self.s);
        if kappa.is_nan() || self.mu.is_nan() {
            return f64::NAN;
        }
        if kappa < 1e-8 {
            return PI * (2.0 * words.uniform() - 1.0);
        }
        if kappa > 1e6 {
            // The normal limit, wrapped once.
            let angle = self.mu + (1.0 / kappa).sqrt() * words.normal();
            return if angle < -PI {
                angle + TAU
            } else if angle > PI {
                angle - TAU
            } else {
                angle
            };
        }
        loop {
            let word = words.word();
            let (_, z) = sin_cos_of_word(word);
            let w = (1.0 + s * z) / (s + z);
            let y = kappa * (s - w);
            let v = words.open();
            if y * (2.0 - y) < v && log(y / v) + 1.0 < y {
                continue;
            }
            let size = arccos(w.clamp(-1.0, 1.0));
            // The word's last bit has no part in its angle.
            let angle = self.mu + if word & 1 == 0 { size } else { -size };
            let wrapped = (angle.abs() + PI) % TAU - PI;
            return if angle < 0.0 { -wrapped } else { wrapped };
        }
    }
}

/// Wald variates: the smaller root of Michael, Schucany and Haas's quadratic, or the larger one.
pub(crate) struct Wald {
    mean: f64,
    scale: f64,
}

impl Sampler for Wald {
    const NORMAL_FIRST: bool = true;

    fn new([mean, scale, _]: [f64; 3]) -> Wald {
        Wald { mean, scale }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let normal = words.normal();
        let t = 0.5 * (self.mean / self.scale) * (normal * normal);
        // The reciprocal of the larger root does not cancel.
        let ratio = 1.0 / (1.0 + t + (t * (t + 2.0)).sqrt());
        if words.uniform() <= 1.0 / (1.0 + ratio) { self.mean * ratio } else { self.mean / ratio }
    }
}
