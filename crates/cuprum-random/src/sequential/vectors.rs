//! Vectors of counts and of chances: multinomial, multivariate hypergeometric and Dirichlet.

use cuprum_core::memory::{try_filled, try_with_capacity};
use cuprum_core::{Error, Result};

use super::bits::{Bits, with_words};
use super::bounded::interval;
use super::continuous::{beta, standard_gamma};
use super::counts::{Binomial, Binomials};
use super::drawing::Drawing;
use super::legacy::Legacy;
use super::populations::hypergeometric;

/// The chances of outcomes, one row for all draws or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Chances<'a> {
    /// One row.
    Same(&'a [f64]),
    /// A row of this many outcomes for each draw.
    Each(&'a [f64], usize),
}

impl<'a> Chances<'a> {
    fn outcomes(self) -> usize {
        match self {
            Chances::Same(row) => row.len(),
            Chances::Each(_, outcomes) => outcomes,
        }
    }

    fn row(self, i: usize) -> &'a [f64] {
        match self {
            Chances::Same(row) => row,
            Chances::Each(rows, outcomes) => &rows[i * outcomes..(i + 1) * outcomes],
        }
    }
}

fn room(op: &'static str, rows: usize, columns: usize) -> Result<usize> {
    rows.checked_mul(columns).ok_or_else(|| Error::value(op, "too many elements"))
}

/// How often each outcome comes up in as many trials as `trials` says for each row.
///
/// ```
/// use cuprum_random::SeedSequence;
/// use cuprum_random::sequential::{Bits, Chances, Drawing, Rules, multinomial};
/// let mut bits = Bits::pcg64(&SeedSequence::new(&[1], &[], 4).generate_wide(4)).unwrap();
/// let drawing = Drawing::Generator(Rules::default());
/// let counts = multinomial(&mut bits, drawing, &[20], Chances::Same(&[0.5, 0.25, 0.25])).unwrap();
/// assert_eq!(counts.iter().sum::<i64>(), 20);
/// ```
pub fn multinomial(
    bits: &mut Bits,
    drawing: Drawing<'_>,
    trials: &[i64],
    chances: Chances<'_>,
) -> Result<Vec<i64>> {
    let kind = match drawing {
        Drawing::Generator(rules) => Binomials { legacy: false, corrected: rules.corrected_binomials },
        // Before NumPy 2.5 RandomState's multinomials came from Generator's binomials.
        Drawing::Legacy(rules, _) => Binomials { legacy: rules.corrected_binomials, corrected: false },
    };
    let outcomes = chances.outcomes();
    let mut counts = try_filled(room("multinomial", trials.len(), outcomes)?, 0)?;
    if outcomes == 0 {
        return Ok(counts);
    }
    let mut binomial = Binomial::new(kind);
    with_words!(bits, words => for (i, row) in counts.chunks_exact_mut(outcomes).enumerate() {
        let (mut left, mut rest) = (trials[i], 1.0);
        let chances = chances.row(i);
        for (count, chance) in row.iter_mut().zip(chances).take(outcomes - 1) {
            *count = binomial.draw(words, left, chance / rest);
            left -= *count;
            if left <= 0 {
                break;
            }
            rest -= chance;
        }
        if left > 0 {
            row[outcomes - 1] = left;
        }
    });
    Ok(counts)
}

/// How many of each colour a sample without replacement holds, in `rows` rows; by marginals, or by `counting` through a shuffle of all.
pub fn multivariate_hypergeometric(
    bits: &mut Bits,
    colors: &[i64],
    sample: i64,
    rows: usize,
    counting: bool,
) -> Result<Vec<i64>> {
    let total: i64 = colors.iter().sum();
    let mut counts = try_filled(room("multivariate_hypergeometric", rows, colors.len())?, 0)?;
    if total == 0 || sample == 0 || counts.is_empty() {
        return Ok(counts);
    }
    let more_than_half = sample > total / 2;
    let drawn = if more_than_half { total - sample } else { sample };
    let mut choices: Vec<usize> = Vec::new();
    if counting {
        choices = try_with_capacity(total as usize)?;
        for (color, count) in colors.iter().enumerate() {
            choices.extend(std::iter::repeat_n(color, *count as usize));
        }
    }
    with_words!(bits, words => for row in counts.chunks_exact_mut(colors.len()) {
        if counting {
            for j in 0..drawn as usize {
                let k = j + interval(words, (total as usize - j - 1) as u64) as usize;
                choices.swap(j, k);
            }
            choices[..drawn as usize].iter().for_each(|color| row[*color] += 1);
        } else {
            let (mut left, mut remaining) = (drawn, total);
            for (count, color) in row.iter_mut().zip(colors).take(colors.len() - 1) {
                if left <= 0 {
                    break;
                }
                remaining -= color;
                *count = hypergeometric(words, *color, remaining, left);
                left -= *count;
            }
            if left > 0 {
                row[colors.len() - 1] = left;
            }
        }
        if more_than_half {
            row.iter_mut().zip(colors).for_each(|(count, color)| *count = color - *count);
        }
    });
    Ok(counts)
}

/// Vectors of chances that add up to one, in `rows` rows: gammas over their sum, or, where `Generator` meets small concentrations, a stick broken by betas.
pub fn dirichlet(bits: &mut Bits, drawing: Drawing<'_>, alpha: &[f64], rows: usize) -> Result<Vec<f64>> {
    let k = alpha.len();
    let mut out = try_filled(room("dirichlet", rows, k)?, 0.0)?;
    if out.is_empty() {
        return Ok(out);
    }
    match drawing {
        Drawing::Legacy(_, pending) => with_words!(bits, words => {
            let mut source = Legacy { words, pending };
            out.chunks_exact_mut(k).for_each(|row| shares(row, alpha, |a| source.standard_gamma(a)));
        }),
        Drawing::Generator(_) if alpha.iter().all(|a| *a < 0.1) => {
            let mut rest = try_filled(k, 0.0)?;
            let mut sum = 0.0;
            for (place, a) in rest.iter_mut().zip(alpha).rev() {
                sum += a;
                *place = sum;
            }
            if sum > 0.0 {
                with_words!(bits, words => for row in out.chunks_exact_mut(k) {
                    let mut left = 1.0;
                    for j in 0..k - 1 {
                        let share = beta(words, alpha[j], rest[j + 1]);
                        row[j] = left * share;
                        left *= 1.0 - share;
                        if rest[j + 1] == 0.0 {
                            break;
                        }
                    }
                    row[k - 1] = left;
                });
            }
        }
        Drawing::Generator(_) => with_words!(bits, words => {
            out.chunks_exact_mut(k).for_each(|row| shares(row, alpha, |a| standard_gamma(words, a)));
        }),
    }
    Ok(out)
}

fn shares(row: &mut [f64], alpha: &[f64], mut gamma: impl FnMut(f64) -> f64) {
    let mut sum = 0.0;
    for (place, a) in row.iter_mut().zip(alpha) {
        *place = gamma(*a);
        sum += *place;
    }
    let inverse = 1.0 / sum;
    row.iter_mut().for_each(|place| *place *= inverse);
}
