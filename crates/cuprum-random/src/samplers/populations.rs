//! Draws from populations: hypergeometric and multinomial.

use cuprum_core::{Error, Result, Stream};
use cuprum_threads::run_tasks;

use super::{Binomial, Sampler};
use crate::fill::DisjointSlice;
use crate::math::{log, log_factorial};
use crate::per_element_stream::OwnWords;
use crate::philox::{block, counter_after};

/// Samples up to this are drawn one by one.
const MAX_SINGLE_DRAWS: f64 = 10.0;

/// Hypergeometric variates, drawn for the rarer kind and the smaller of sample and rest.
pub(crate) struct Hypergeometric {
    good: f64,
    bad: f64,
    sample: f64,
    /// The smaller of the sample and what it leaves.
    m: f64,
    rare: f64,
    common: f64,
    centre: f64,
    width: f64,
    end: f64,
    mode_weight: f64,
}

impl Sampler for Hypergeometric {
    fn new([good, bad, sample]: [f64; 3]) -> Hypergeometric {
        let (total, rare, common) = (good + bad, good.min(bad), good.max(bad));
        let m = sample.min(total - sample);
        let share = rare / total;
        let centre = m * share + 0.5;
        let variance = (total - m) * m * share * (1.0 - share) / (total - 1.0);
        let deviation = (variance + 0.5).sqrt();
        // 2 sqrt(2 / e) and 3 - 2 sqrt(3 / e): Stadlober's hat.
        let width = 1.7155277699214135 * deviation + 0.8989161620588986;
        let mode = ((m + 1.0) * (rare + 1.0) / (total + 2.0)).floor();
        let end = (m.min(rare) + 1.0).min((centre + 16.0 * deviation).floor());
        let mut made =
            Hypergeometric { good, bad, sample, m, rare, common, centre, width, end, mode_weight: 0.0 };
        if m > MAX_SINGLE_DRAWS && rare > 0.0 {
            made.mode_weight = made.weight(mode);
        }
        made
    }

    fn draw(&self, words: &mut OwnWords) -> f64 {
        if self.m <= MAX_SINGLE_DRAWS || self.rare == 0.0 {
            let found = self.one_by_one(words);
            return if self.m < self.sample { self.good - found } else { found };
        }
        let found = self.by_ratio(words);
        let found = if self.good > self.bad { self.m - found } else { found };
        if self.m < self.sample { self.good - found } else { found }
    }
}

impl Hypergeometric {
    /// How many of `m` draws without replacement are good.
    fn one_by_one(&self, words: &mut OwnWords) -> f64 {
        let (mut good, mut left, mut found) = (self.good, self.good + self.bad, 0.0);
        for _ in 0..self.m as usize {
            if words.uniform() * left < good {
                good -= 1.0;
                found += 1.0;
            }
            left -= 1.0;
        }
        found
    }

    /// The logarithm of what the probability of `k` is divided by.
    fn weight(&self, k: f64) -> f64 {
        log_factorial(k)
            + log_factorial(self.rare - k)
            + log_factorial(self.m - k)
            + log_factorial(self.common - self.m + k)
    }

    fn by_ratio(&self, words: &mut OwnWords) -> f64 {
        loop {
            let (x, y) = (words.open(), words.uniform());
            let w = self.centre + self.width * (y - 0.5) / x;
            if !(0.0..self.end).contains(&w) {
                continue;
            }
            let k = w.floor();
            let t = self.mode_weight - self.weight(k);
            if x * (4.0 - x) - 3.0 <= t {
                return k;
            }
            if x * (x - t) >= 1.0 {
                continue;
            }
            if 2.0 * log(x) <= t {
                return k;
            }
        }
    }
}

/// Multinomial draws: row `i` of `out` holds how often each of `chances` came up in `trials[i]` trials, or `trials[0]` for all rows.
/// Row `i` owns block `i` of the stream.
///
/// ```
/// use cuprum_core::Stream;
/// let mut out = [0; 6];
/// cuprum_random::fill_multinomial(&Stream::new([1, 2], [0; 4]), &[10], &[0.2, 0.3, 0.5], &mut out).unwrap();
/// assert_eq!(out[..3].iter().sum::<i64>(), 10);
/// ```
pub fn fill_multinomial(stream: &Stream, trials: &[i64], chances: &[f64], out: &mut [i64]) -> Result<()> {
    let rows = out.len().checked_div(chances.len()).unwrap_or(0);
    if trials.len() != 1 && trials.len() != rows {
        return Err(Error::value("multinomial", "trials and rows differ in number"));
    }
    const ROWS: usize = 64;
    let (parts, k) = (DisjointSlice::new(out), chances.len());
    run_tasks(rows.div_ceil(ROWS), rows * k >= 1 << 10, &|task| {
        for row in task * ROWS..rows.min((task + 1) * ROWS) {
            let counter = counter_after(stream.counter, [row as u64, 0, 0, 0]);
            let first = block(stream.key, counter_after(counter, [1, 0, 0, 0]));
            let mut words = OwnWords::new(stream, row as u64, first);
            // SAFETY: rows are disjoint.
            let counts = unsafe { parts.part(row * k, k) };
            multinomial_row(
                if trials.len() == 1 { trials[0] } else { trials[row] },
                chances,
                &mut words,
                counts,
            );
        }
    })
}

fn multinomial_row(trials: i64, chances: &[f64], words: &mut OwnWords, counts: &mut [i64]) {
    counts.fill(0);
    let Some((last, front)) = counts.split_last_mut() else { return };
    let (mut left, mut remaining) = (trials, 1.0);
    for (count, chance) in front.iter_mut().zip(chances) {
        if left == 0 {
            return;
        }
        let share = if remaining > 0.0 { (chance / remaining).clamp(0.0, 1.0) } else { 1.0 };
        *count = Binomial::new([left as f64, share, 0.0]).draw(words) as i64;
        left -= *count;
        remaining -= chance;
    }
    *last = left;
}
