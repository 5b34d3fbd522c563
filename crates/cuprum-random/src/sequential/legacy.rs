//! The distributions of NumPy's `RandomState` that are not `Generator`'s, operation by operation.

use super::continuous::{large_gamma, small_gamma};
use super::counts::{geometric_search, logseries_by, poisson, zipf_by};
use super::words::{WordSource, whole};

/// A source of words, and the second normal variate of a pair where it waits.
pub(super) struct Legacy<'a, W> {
    pub(super) words: &'a mut W,
    pub(super) pending: &'a mut Option<f64>,
}

impl<W: WordSource> Legacy<'_, W> {
    #[inline]
    fn uniform(&mut self) -> f64 {
        self.words.next_double()
    }

    /// A normal variate by Marsaglia's polar method, which makes two.
    #[inline]
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(second) = self.pending.take() {
            return second;
        }
        loop {
            let x1 = 2.0 * self.uniform() - 1.0;
            let x2 = 2.0 * self.uniform() - 1.0;
            let r2 = x1 * x1 + x2 * x2;
            if !(r2 >= 1.0 || r2 == 0.0) {
                let f = (-2.0 * r2.ln() / r2).sqrt();
                *self.pending = Some(f * x1);
                return f * x2;
            }
        }
    }

    #[inline]
    pub(super) fn exponential(&mut self) -> f64 {
        -(1.0 - self.uniform()).ln()
    }

    pub(super) fn standard_gamma(&mut self, shape: f64) -> f64 {
        if shape == 1.0 {
            return self.exponential();
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            return small_gamma(self, shape, Self::uniform, Self::exponential);
        }
        large_gamma(self, shape, Self::normal, Self::uniform)
    }

    pub(super) fn beta(&mut self, a: f64, b: f64) -> f64 {
        if a > 1.0 || b > 1.0 || a.is_nan() || b.is_nan() {
            let first = self.standard_gamma(a);
            let second = self.standard_gamma(b);
            return first / (first + second);
        }
        loop {
            let u = self.uniform();
            let v = self.uniform();
            let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
            if x + y <= 1.0 {
                if x + y > 0.0 {
                    return x / (x + y);
                }
                let (log_x, log_y) = (u.ln() / a, v.ln() / b);
                let most = if log_x > log_y { log_x } else { log_y };
                let (log_x, log_y) = (log_x - most, log_y - most);
                return (log_x - (log_x.exp() + log_y.exp()).ln()).exp();
            }
        }
    }

    pub(super) fn chisquare(&mut self, df: f64) -> f64 {
        2.0 * self.standard_gamma(df / 2.0)
    }

    pub(super) fn f(&mut self, numerator: f64, denominator: f64) -> f64 {
        let above = self.chisquare(numerator) * denominator;
        above / (self.chisquare(denominator) * numerator)
    }

    pub(super) fn noncentral_chisquare(&mut self, df: f64, noncentrality: f64) -> f64 {
        if noncentrality == 0.0 {
            return self.chisquare(df);
        }
        if 1.0 < df {
            let central = self.chisquare(df - 1.0);
            let n = self.normal() + noncentrality.sqrt();
            return central + n * n;
        }
        let i = poisson(self.words, noncentrality / 2.0);
        let drawn = self.chisquare(df + 2.0 * i as f64);
        if noncentrality.is_nan() { f64::NAN } else { drawn }
    }

    pub(super) fn noncentral_f(&mut self, numerator: f64, denominator: f64, shift: f64) -> f64 {
        let above = self.noncentral_chisquare(numerator, shift) * denominator;
        above / (self.chisquare(denominator) * numerator)
    }

    pub(super) fn standard_cauchy(&mut self) -> f64 {
        let above = self.normal();
        above / self.normal()
    }

    pub(super) fn standard_t(&mut self, df: f64) -> f64 {
        let above = self.normal();
        let below = self.standard_gamma(df / 2.0);
        (df / 2.0).sqrt() * above / below.sqrt()
    }

    pub(super) fn pareto(&mut self, a: f64) -> f64 {
        (self.exponential() / a).exp() - 1.0
    }

    pub(super) fn weibull(&mut self, a: f64) -> f64 {
        if a == 0.0 { 0.0 } else { self.exponential().powf(1.0 / a) }
    }

    pub(super) fn power(&mut self, a: f64) -> f64 {
        (1.0 - (-self.exponential()).exp()).powf(1.0 / a)
    }

    pub(super) fn rayleigh(&mut self, mode: f64) -> f64 {
        mode * (-2.0 * (-self.uniform()).ln_1p()).sqrt()
    }

    pub(super) fn wald(&mut self, mean: f64, scale: f64) -> f64 {
        let half = mean / (2.0 * scale);
        let z = self.normal();
        let y = mean * z * z;
        let x = mean + half * (y - (4.0 * scale * y + y * y).sqrt());
        let u = self.uniform();
        if u <= mean / (mean + x) { x } else { mean * mean / x }
    }

    pub(super) fn negative_binomial(&mut self, n: f64, p: f64) -> i64 {
        let mean = (1.0 - p) / p * self.standard_gamma(n);
        poisson(self.words, mean)
    }

    pub(super) fn geometric(&mut self, p: f64) -> i64 {
        if p >= 1.0 / 3.0 {
            return geometric_search(self.words, p);
        }
        whole(((-self.uniform()).ln_1p() / (1.0 - p).ln()).ceil())
    }

    pub(super) fn logseries(&mut self, p: f64) -> i64 {
        let r = (1.0 - p).ln();
        logseries_by(self.words, p, |u| 1.0 - (r * u).exp())
    }

    pub(super) fn zipf(&mut self, a: f64) -> i64 {
        zipf_by(self.words, a, |u| 1.0 - u)
    }
}
