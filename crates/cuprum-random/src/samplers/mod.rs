//! Distributions whose draws take as many words as they need: rejections and mixtures. What depends on the parameters
//! alone is worked out once.

mod continuous;
mod counts;
mod populations;

pub(crate) use continuous::{
    Beta, Chisquare, F, Gamma, NoncentralChisquare, NoncentralF, StandardGamma, StandardT, Vonmises, Wald,
};
pub(crate) use counts::{Binomial, Logseries, NegativeBinomial, Poisson, Zipf};
pub(crate) use populations::Hypergeometric;
pub use populations::fill_multinomial;

use crate::per_element_stream::OwnWords;

/// A distribution with its parameters.
pub(crate) trait Sampler: Send + Sync {
    /// Whether a draw begins with a normal variate: those of many elements are computed side by side.
    const NORMAL_FIRST: bool = false;

    fn new(parameters: [f64; 3]) -> Self;
    fn draw(&self, words: &mut OwnWords) -> f64;
}
