//! Hypergeometric variates of NumPy's `Generator` and of `RandomState`.

use super::bounded::interval;
use super::counts::log_gamma;
use super::tables::LOG_FACTORIAL;
use super::words::{WordSource, whole};

/// `2 * sqrt(2 / e)` and `3 - 2 * sqrt(3 / e)`, of the ratio of uniforms.
const D1: f64 = 1.715_527_769_921_413_5;
const D2: f64 = 0.898_916_162_058_898_8;

/// The logarithm of a factorial.
fn log_factorial(k: i64) -> f64 {
    if let Some(known) = usize::try_from(k).ok().and_then(|k| LOG_FACTORIAL.get(k)) {
        return *known;
    }
    let k = k as f64;
    (k + 0.5) * k.ln() - k + (0.9189385332046728 + (1.0 / k) * (1.0 / 12.0 - 1.0 / (360.0 * k * k)))
}

pub(super) fn hypergeometric<W: WordSource>(words: &mut W, good: i64, bad: i64, sample: i64) -> i64 {
    if sample >= 10 && sample <= good + bad - 10 {
        let rest = Ratio { good, bad, sample, log_factorial, root: variance_root };
        return rest.draw(words);
    }
    let total = good + bad;
    let more_than_half = sample > total / 2;
    let mut left = if more_than_half { total - sample } else { sample };
    let (mut remaining, mut remaining_good) = (total, good);
    while left > 0 && remaining_good > 0 && remaining > remaining_good {
        remaining -= 1;
        if (interval(words, remaining as u64) as i64) < remaining_good {
            remaining_good -= 1;
        }
        left -= 1;
    }
    if remaining == remaining_good {
        remaining_good -= left;
    }
    if more_than_half { remaining_good } else { good - remaining_good }
}

/// `RandomState`'s.
pub(super) fn hypergeometric_legacy<W: WordSource>(words: &mut W, good: i64, bad: i64, sample: i64) -> i64 {
    if sample > 10 {
        let log_factorial = |k: i64| log_gamma((k + 1) as f64);
        return Ratio { good, bad, sample, log_factorial, root: variance_root_legacy }.draw(words);
    }
    if sample <= 0 {
        return 0;
    }
    let rest = bad + good - sample;
    let fewer = good.min(bad) as f64;
    let (mut y, mut k) = (fewer, sample);
    while y > 0.0 {
        let u = words.next_double();
        y -= (u + y / (rest + k) as f64).floor();
        k -= 1;
        if k == 0 {
            break;
        }
    }
    let z = whole(fewer - y);
    if good > bad { sample - z } else { z }
}

/// The root of the variance and a half: of the drawn number and the population, its smaller and its larger part.
fn variance_root(drawn: i64, _: i64, fewer: i64, more: i64) -> f64 {
    let population = (fewer + more) as f64;
    let (p, q) = (fewer as f64 / population, more as f64 / population);
    let variance = (fewer + more - drawn) as f64 * drawn as f64 * p * q / (fewer + more - 1) as f64;
    (variance + 0.5).sqrt()
}

/// The same of the sample's own size, and with the larger part as what is left.
fn variance_root_legacy(drawn: i64, sample: i64, fewer: i64, more: i64) -> f64 {
    let p = fewer as f64 / (fewer + more) as f64;
    let q = 1.0 - p;
    let variance = (fewer + more - drawn) as f64 * sample as f64 * p * q / (fewer + more - 1) as f64;
    (variance + 0.5).sqrt()
}

/// Stadlober's ratio of uniforms.
struct Ratio<F: Fn(i64) -> f64> {
    good: i64,
    bad: i64,
    sample: i64,
    log_factorial: F,
    root: fn(i64, i64, i64, i64) -> f64,
}

impl<F: Fn(i64) -> f64> Ratio<F> {
    fn draw<W: WordSource>(&self, words: &mut W) -> i64 {
        let (good, bad, sample) = (self.good, self.bad, self.sample);
        let population = good + bad;
        let drawn = sample.min(population - sample);
        let (fewer, more) = (good.min(bad), good.max(bad));
        let a = drawn as f64 * (fewer as f64 / population as f64) + 0.5;
        let c = (self.root)(drawn, sample, fewer, more);
        let h = D1 * c + D2;
        let mode = (drawn + 1) as f64 * (fewer + 1) as f64 / (population + 2) as f64;
        let mode = whole(mode.floor());
        let log_of = |k: i64| {
            let log = &self.log_factorial;
            log(k) + log(fewer - k) + log(drawn - k) + log(more - drawn + k)
        };
        let g = log_of(mode);
        let b = ((drawn.min(fewer) + 1) as f64).min((a + 16.0 * c).floor());
        let mut k = loop {
            let u = words.next_double();
            let v = words.next_double();
            let x = a + h * (v - 0.5) / u;
            if x < 0.0 || x >= b {
                continue;
            }
            let k = whole(x.floor());
            let t = g - log_of(k);
            if u * (4.0 - u) - 3.0 <= t {
                break k;
            }
            if u * (u - t) >= 1.0 {
                continue;
            }
            if 2.0 * u.ln() <= t {
                break k;
            }
        };
        if good > bad {
            k = drawn - k;
        }
        if drawn < sample {
            k = good - k;
        }
        k
    }
}
