//! Counts: Poisson, binomial and negative binomial, logarithmic series, Zipf.

use super::{Gamma, Sampler};
use crate::math::{exp, expm1, log, log1p, stirling_rest};
use crate::per_element_stream::OwnWords;

/// Means below which draws are looked up by adding probabilities.
const MAX_SUMMED_MEAN: f64 = 10.0;
/// Where adding probabilities of a small mean stops: the rest is below 2^-64, the sum's rounding above it.
const MAX_TERMS: f64 = 110.0;

/// Poisson variates.
pub(crate) struct Poisson {
    lam: f64,
    none: f64,
    b: f64,
    a: f64,
    inverse_alpha: f64,
    v_r: f64,
}

impl Sampler for Poisson {
    fn new([lam, _, _]: [f64; 3]) -> Poisson {
        let b = 0.931 + 2.53 * lam.sqrt();
        let a = -0.059 + 0.02483 * b;
        let (inverse_alpha, v_r) = (1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0));
        Poisson { lam, none: exp(-lam), b, a, inverse_alpha, v_r }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.lam == 0.0 || self.lam.is_nan() {
            return self.lam;
        }
        if self.lam < MAX_SUMMED_MEAN { self.by_inversion(words) } else { self.by_rejection(words) }
    }
}

impl Poisson {
    fn by_inversion(&self, words: &mut OwnWords) -> f64 {
        loop {
            let u = words.uniform();
            let (mut k, mut term, mut sum) = (0.0, self.none, self.none);
            while u >= sum && k < MAX_TERMS {
                k += 1.0;
                term *= self.lam / k;
                sum += term;
            }
            if k < MAX_TERMS {
                return k;
            }
        }
    }

    /// Hörmann's PTRS.
    fn by_rejection(&self, words: &mut OwnWords) -> f64 {
        const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;
        loop {
            let u = words.uniform() - 0.5;
            let v = words.open();
            let us = 0.5 - u.abs();
            let k = ((2.0 * self.a / us + self.b) * u + self.lam + 0.43).floor();
            if us >= 0.07 && v <= self.v_r {
                return k;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            // log(lam^k exp(-lam) / k!) by Stirling's formula, its large terms joined before they cancel.
            let above = k + 1.0;
            let logarithm = (above - self.lam) + k * log1p((self.lam - above) / above)
                - 0.5 * log(above)
                - HALF_LOG_TWO_PI
                - stirling_rest(k);
            if log(v * self.inverse_alpha / (self.a / (us * us) + self.b)) <= logarithm {
                return k;
            }
        }
    }
}

/// Binomial variates, drawn for the rarer of the two outcomes.
pub(crate) struct Binomial {
    n: f64,
    p: f64,
    q: f64,
    mirrored: bool,
    none: f64,
    b: f64,
    a: f64,
    v_r: f64,
    alpha: f64,
    m: f64,
}

impl Sampler for Binomial {
    fn new([n, p, _]: [f64; 3]) -> Binomial {
        let mirrored = p > 0.5;
        let (p, q) = if mirrored { (1.0 - p, p) } else { (p, 1.0 - p) };
        let deviation = (n * p * q).sqrt();
        let b = 1.15 + 2.53 * deviation;
        Binomial {
            n,
            p,
            q,
            mirrored,
            none: exp(n * log1p(-p)),
            b,
            a: -0.0873 + 0.0248 * b + 0.01 * p,
            v_r: 0.92 - 4.2 / b,
            alpha: (2.83 + 5.1 / b) * deviation,
            m: ((n + 1.0) * p).floor(),
        }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let rare = if self.n == 0.0 || self.p == 0.0 {
            0.0
        } else if self.n * self.p < MAX_SUMMED_MEAN {
            self.by_inversion(words)
        } else {
            self.by_rejection(words)
        };
        if self.mirrored { self.n - rare } else { rare }
    }
}

impl Binomial {
    fn by_inversion(&self, words: &mut OwnWords) -> f64 {
        let most = self.n.min(MAX_TERMS);
        let odds = self.p / self.q;
        loop {
            let u = words.uniform();
            let (mut k, mut term, mut sum) = (0.0, self.none, self.none);
            while u >= sum && k <= most {
                k += 1.0;
                term *= (self.n - k + 1.0) * odds / k;
                sum += term;
            }
            if k <= most {
                return k;
            }
        }
    }

    /// Hörmann's BTRS.
    fn by_rejection(&self, words: &mut OwnWords) -> f64 {
        let Binomial { n, p, q, b, a, v_r, alpha, m, .. } = *self;
        loop {
            let u = words.uniform() - 0.5;
            let v = words.open();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + (n * p + 0.5)).floor();
            if us >= 0.07 && v <= v_r {
                return k;
            }
            if k < 0.0 || k > n {
                continue;
            }
            // The probability of k over that of the mode m, by Stirling's formula.
            let odds = p / q;
            let bound = (m + 0.5) * log((m + 1.0) / (odds * (n - m + 1.0)))
                + (n + 1.0) * log1p((k - m) / (n - k + 1.0))
                + (k + 0.5) * log(odds * (n - k + 1.0) / (k + 1.0))
                + (stirling_rest(m) + stirling_rest(n - m))
                - (stirling_rest(k) + stirling_rest(n - k));
            if log(v * alpha / (a / (us * us) + b)) <= bound {
                return k;
            }
        }
    }
}

/// Negative binomial variates: Poisson ones of a gamma mean.
pub(crate) struct NegativeBinomial(Gamma);

impl Sampler for NegativeBinomial {
    const NORMAL_FIRST: bool = true;

    fn new([n, p, _]: [f64; 3]) -> NegativeBinomial {
        NegativeBinomial(Gamma::new([n, (1.0 - p) / p, 0.0]))
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        Poisson::new([self.0.draw(words), 0.0, 0.0]).draw(words)
    }
}

/// Logarithmic series variates by Kemp's method.
pub(crate) struct Logseries {
    p: f64,
    r: f64,
}

impl Sampler for Logseries {
    fn new([p, _, _]: [f64; 3]) -> Logseries {
        Logseries { p, r: log1p(-p) }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        let v = words.open();
        if v >= self.p {
            return 1.0;
        }
        let q = 0.0 - expm1(self.r * words.open());
        if v <= q * q {
            // A q that rounds to one makes draws beyond every integer.
            let log_q = if q < 1.0 { log(q) } else { -1.1e-16 };
            return (1.0 + log(v) / log_q).floor().max(1.0);
        }
        if v >= q { 1.0 } else { 2.0 }
    }
}

/// Zipf variates by Devroye's rejection.
pub(crate) struct Zipf {
    above: f64,
    b: f64,
    /// `b - 1`, which must not cancel for exponents next to one.
    b_growth: f64,
    least: f64,
}

impl Sampler for Zipf {
    fn new([a, _, _]: [f64; 3]) -> Zipf {
        let above = a - 1.0;
        // Uniforms below this make draws beyond 64 bits.
        let least = exp(-above * 63.0 * std::f64::consts::LN_2);
        let b_growth = expm1(above * std::f64::consts::LN_2);
        Zipf { above, b: b_growth + 1.0, b_growth, least }
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.above >= 1024.0 {
            return 1.0;
        }
        loop {
            let u = self.least + (1.0 - self.least) * words.open();
            let v = words.uniform();
            let x = exp(0.0 - log(u) / self.above).floor();
            if !(1.0..9.223372036854775e18).contains(&x) {
                continue;
            }
            let growth = expm1(self.above * log1p(1.0 / x));
            if v * x * growth / self.b_growth <= (growth + 1.0) / self.b {
                return x;
            }
        }
    }
}
