//! Draws of a distribution, as `Generator` or as `RandomState` makes them.

use cuprum_core::memory::try_filled;
use cuprum_core::{Distribution, Error, Result};

use super::bits::{Bits, with_words};
use super::continuous as new;
use super::counts::{self, Binomial, Binomials, Poisson};
use super::legacy::Legacy;
use super::populations::{hypergeometric, hypergeometric_legacy};
use super::words::WordSource;
use super::ziggurat::{exponential, exponential_single, normal, normal_single};
use crate::draw::Parameters;
use crate::{Draws, Parameter};

/// What differs between versions of NumPy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Whether binomial variates are NumPy 2.5's, which corrected a comparison; `RandomState` keeps the old one, and draws multinomials by it since.
    pub corrected_binomials: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { corrected_binomials: true }
    }
}

/// Whose draws they are.
#[derive(Debug)]
pub enum Drawing<'a> {
    /// Those of `numpy.random.Generator`.
    Generator(Rules),
    /// Those of `numpy.random.RandomState`, with the second normal variate of a pair where it waits.
    Legacy(Rules, &'a mut Option<f64>),
}

impl Drawing<'_> {
    /// Fills `out` with draws; parameters are in the row's order and within their bounds. In single precision `Generator`'s normals, exponentials and gammas are
    /// computed in it, others are rounded.
    ///
    /// ```
    /// use cuprum_core::Distribution;
    /// use cuprum_random::sequential::{Bits, Drawing, Rules};
    /// use cuprum_random::{Draws, Parameter};
    /// let (mut numbers, mut pending) = ([0.0; 2], None);
    /// let parameters = [Parameter::Same(0.0), Parameter::Same(1.0)];
    /// Drawing::Legacy(Rules::default(), &mut pending)
    ///     .fill(&mut Bits::mt19937_of_word(0), Distribution::Normal, &parameters, Draws::Double(&mut numbers))
    ///     .unwrap();
    /// // numpy.random.RandomState(0).randn(2)
    /// assert_eq!(numbers, [1.764052345967664, 0.4001572083672233]);
    /// ```
    pub fn fill(
        self,
        bits: &mut Bits,
        distribution: Distribution,
        parameters: &[Parameter<'_>],
        out: Draws<'_>,
    ) -> Result<()> {
        let row = distribution.row();
        let fits = |p: &Parameter<'_>| !matches!(p, Parameter::Each(values) if values.len() != out.count());
        if parameters.len() != row.parameters.len() || !parameters.iter().all(fits) {
            return Err(Error::value(row.name, "parameters and draws differ in number"));
        }
        let given = Parameters::new(parameters);
        match (out, distribution) {
            (Draws::Whole(out), _) => self.counts(bits, distribution, given, out),
            (Draws::Double(out), Distribution::Uniform) => {
                bits.fill_uniform(out)?;
                each_again(out, given, |[low, high, _], u| low + (high - low) * u);
            }
            (Draws::Double(out), _) => self.reals(bits, distribution, given, out),
            (Draws::Single(out), _) => {
                if !(matches!(self, Drawing::Generator(_)) && singles(bits, distribution, given, out)) {
                    let mut wide = try_filled(out.len(), 0.0)?;
                    self.fill(bits, distribution, parameters, Draws::Double(&mut wide))?;
                    out.iter_mut().zip(&wide).for_each(|(place, x)| *place = *x as f32);
                }
            }
        }
        Ok(())
    }

    fn reals(self, bits: &mut Bits, distribution: Distribution, given: Parameters<'_>, out: &mut [f64]) {
        match self {
            Drawing::Generator(_) => with_words!(bits, words => reals(words, distribution, given, out)),
            Drawing::Legacy(_, pending) => {
                with_words!(bits, words => legacy_reals(Legacy { words, pending }, distribution, given, out));
            }
        }
    }

    fn counts(self, bits: &mut Bits, distribution: Distribution, given: Parameters<'_>, out: &mut [i64]) {
        match self {
            Drawing::Generator(rules) => {
                with_words!(bits, words => whole_numbers(words, rules, distribution, given, out));
            }
            Drawing::Legacy(_, pending) => {
                with_words!(bits, words => legacy_counts(Legacy { words, pending }, distribution, given, out));
            }
        }
    }
}

/// Exponential variates of mean one by inversion: `Generator.standard_exponential(method="inv")`.
pub fn fill_exponential_inverse(bits: &mut Bits, out: Draws<'_>) -> Result<()> {
    match out {
        Draws::Double(out) => {
            bits.fill_uniform(out)?;
            out.iter_mut().for_each(|u| *u = -(-*u).ln_1p());
        }
        Draws::Single(out) => {
            bits.fill_uniform_single(out)?;
            out.iter_mut().for_each(|u| *u = -(-f64::from(*u)).ln_1p() as f32);
        }
        Draws::Whole(_) => return Err(Error::type_error("standard_exponential", "unsupported dtype int64")),
    }
    Ok(())
}

#[inline]
fn each<T>(out: &mut [T], given: Parameters<'_>, mut draw: impl FnMut([f64; 3]) -> T) {
    for (i, place) in out.iter_mut().enumerate() {
        *place = draw(given.at(i));
    }
}

#[inline]
fn each_again(out: &mut [f64], given: Parameters<'_>, change: impl Fn([f64; 3], f64) -> f64) {
    for (i, place) in out.iter_mut().enumerate() {
        *place = change(given.at(i), *place);
    }
}

fn reals<W: WordSource>(w: &mut W, distribution: Distribution, given: Parameters<'_>, out: &mut [f64]) {
    use Distribution as D;
    match distribution {
        D::Normal => each(out, given, |[loc, scale, _]| loc + scale * normal(w)),
        D::Lognormal => each(out, given, |[mean, sigma, _]| (mean + sigma * normal(w)).exp()),
        D::Exponential => each(out, given, |[scale, ..]| scale * exponential(w)),
        D::Laplace => each(out, given, |[loc, scale, _]| new::laplace(w, loc, scale)),
        D::Gumbel => each(out, given, |[loc, scale, _]| new::gumbel(w, loc, scale)),
        D::Logistic => each(out, given, |[loc, scale, _]| new::logistic(w, loc, scale)),
        D::Rayleigh => each(out, given, |[mode, ..]| mode * (2.0 * exponential(w)).sqrt()),
        D::Weibull => each(out, given, |[a, ..]| new::weibull(w, a)),
        D::Pareto => each(out, given, |[a, ..]| (exponential(w) / a).exp_m1()),
        D::Power => each(out, given, |[a, ..]| new::power(w, a)),
        D::StandardCauchy => each(out, given, |_| new::standard_cauchy(w)),
        D::Triangular => each(out, given, |[left, mode, right]| new::triangular(w, left, mode, right)),
        D::Gamma => each(out, given, |[shape, scale, _]| scale * new::standard_gamma(w, shape)),
        D::StandardGamma => each(out, given, |[shape, ..]| new::standard_gamma(w, shape)),
        D::Beta => each(out, given, |[a, b, _]| new::beta(w, a, b)),
        D::Chisquare => each(out, given, |[df, ..]| new::chisquare(w, df)),
        D::NoncentralChisquare => each(out, given, |[df, nonc, _]| new::noncentral_chisquare(w, df, nonc)),
        D::F => each(out, given, |[num, den, _]| new::f(w, num, den)),
        D::NoncentralF => each(out, given, |[num, den, nonc]| new::noncentral_f(w, num, den, nonc)),
        D::StandardT => each(out, given, |[df, ..]| new::standard_t(w, df)),
        D::Vonmises => each(out, given, |[mu, kappa, _]| new::vonmises(w, mu, kappa)),
        D::Wald => each(out, given, |[mean, scale, _]| new::wald(w, mean, scale)),
        D::Uniform => each(out, given, |[low, high, _]| low + (high - low) * w.next_double()),
        D::Poisson
        | D::Binomial
        | D::NegativeBinomial
        | D::Hypergeometric
        | D::Logseries
        | D::Zipf
        | D::Geometric => unreachable!("counts are drawn as integers"),
    }
}

/// Draws that are computed in single precision; says whether the distribution is one of them.
fn singles(bits: &mut Bits, distribution: Distribution, given: Parameters<'_>, out: &mut [f32]) -> bool {
    use Distribution as D;
    with_words!(bits, w => match distribution {
        D::Normal => each(out, given, |[loc, scale, _]| (loc + scale * f64::from(normal_single(w))) as f32),
        D::Exponential => each(out, given, |[scale, ..]| (scale * f64::from(exponential_single(w))) as f32),
        D::StandardGamma => each(out, given, |[shape, ..]| new::standard_gamma_single(w, shape as f32)),
        D::Gamma => each(out, given, |[shape, scale, _]| {
            scale as f32 * new::standard_gamma_single(w, shape as f32)
        }),
        _ => return false,
    });
    true
}

fn whole_numbers<W: WordSource>(
    w: &mut W,
    rules: Rules,
    distribution: Distribution,
    given: Parameters<'_>,
    out: &mut [i64],
) {
    use Distribution as D;
    match distribution {
        D::Poisson => {
            let mut poisson = Poisson::default();
            each(out, given, |[lam, ..]| poisson.draw(w, lam));
        }
        D::Binomial => {
            let kind = Binomials { legacy: false, corrected: rules.corrected_binomials };
            let mut binomial = Binomial::new(kind);
            each(out, given, |[n, p, _]| binomial.draw(w, n as i64, p));
        }
        D::NegativeBinomial => each(out, given, |[n, p, _]| {
            let mean = (1.0 - p) / p * new::standard_gamma(w, n);
            counts::poisson(w, mean)
        }),
        D::Hypergeometric => {
            each(out, given, |[good, bad, sample]| hypergeometric(w, good as i64, bad as i64, sample as i64))
        }
        D::Logseries => each(out, given, |[p, ..]| counts::logseries(w, p)),
        D::Zipf => each(out, given, |[a, ..]| counts::zipf(w, a)),
        D::Geometric => each(out, given, |[p, ..]| counts::geometric(w, p)),
        _ => unreachable!("other draws are no integers"),
    }
}

fn legacy_reals<W: WordSource>(
    mut s: Legacy<'_, W>,
    distribution: Distribution,
    given: Parameters<'_>,
    out: &mut [f64],
) {
    use Distribution as D;
    match distribution {
        D::Normal => each(out, given, |[loc, scale, _]| loc + scale * s.normal()),
        D::Lognormal => each(out, given, |[mean, sigma, _]| (mean + sigma * s.normal()).exp()),
        D::Exponential => each(out, given, |[scale, ..]| scale * s.exponential()),
        D::Rayleigh => each(out, given, |[mode, ..]| s.rayleigh(mode)),
        D::Weibull => each(out, given, |[a, ..]| s.weibull(a)),
        D::Pareto => each(out, given, |[a, ..]| s.pareto(a)),
        D::Power => each(out, given, |[a, ..]| s.power(a)),
        D::StandardCauchy => each(out, given, |_| s.standard_cauchy()),
        D::Gamma => each(out, given, |[shape, scale, _]| scale * s.standard_gamma(shape)),
        D::StandardGamma => each(out, given, |[shape, ..]| s.standard_gamma(shape)),
        D::Beta => each(out, given, |[a, b, _]| s.beta(a, b)),
        D::Chisquare => each(out, given, |[df, ..]| s.chisquare(df)),
        D::NoncentralChisquare => each(out, given, |[df, nonc, _]| s.noncentral_chisquare(df, nonc)),
        D::F => each(out, given, |[num, den, _]| s.f(num, den)),
        D::NoncentralF => each(out, given, |[num, den, nonc]| s.noncentral_f(num, den, nonc)),
        D::StandardT => each(out, given, |[df, ..]| s.standard_t(df)),
        D::Vonmises => each(out, given, |[mu, kappa, _]| new::vonmises_rejected(s.words, mu, kappa)),
        D::Wald => each(out, given, |[mean, scale, _]| s.wald(mean, scale)),
        _ => reals(s.words, distribution, given, out),
    }
}

fn legacy_counts<W: WordSource>(
    mut s: Legacy<'_, W>,
    distribution: Distribution,
    given: Parameters<'_>,
    out: &mut [i64],
) {
    use Distribution as D;
    match distribution {
        D::Binomial => {
            let mut binomial = Binomial::new(Binomials { legacy: true, corrected: false });
            each(out, given, |[n, p, _]| binomial.draw(s.words, n as i64, p));
        }
        D::NegativeBinomial => each(out, given, |[n, p, _]| s.negative_binomial(n, p)),
        D::Hypergeometric => each(out, given, |[good, bad, sample]| {
            hypergeometric_legacy(s.words, good as i64, bad as i64, sample as i64)
        }),
        D::Logseries => each(out, given, |[p, ..]| s.logseries(p)),
        D::Zipf => each(out, given, |[a, ..]| s.zipf(a)),
        D::Geometric => each(out, given, |[p, ..]| s.geometric(p)),
        _ => whole_numbers(s.words, Rules::default(), distribution, given, out),
    }
}
