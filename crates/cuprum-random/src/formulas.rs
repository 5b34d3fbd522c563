//! Distributions whose draws are formulas of one word, free of branches.

use crate::math::{exp, expm1, exponential_of_word, log, log1p, pow, sin_cos_of_word, uniform_of_word};

/// A draw from one word.
pub(crate) trait Formula: Send + Sync {
    fn of(word: u64, parameters: [f64; 3]) -> f64;
}

/// Declares formulas: `Rayleigh(word, [scale, _, _]) = expression;` becomes a type and its [`Formula`].
macro_rules! formulas {
    ($($name:ident($word:ident, $parameters:pat) = $body:expr;)+) => {$(
        pub(crate) struct $name;
        impl Formula for $name {
            #[inline(always)]
            fn of($word: u64, $parameters: [f64; 3]) -> f64 {
                $body
            }
        }
    )+};
}

formulas! {
    Uniform(word, [low, high, _]) = low + (high - low) * uniform_of_word(word);
    Exponential(word, [scale, _, _]) = scale * exponential_of_word(word);
    Laplace(word, [loc, scale, _]) = loc + signed(word, scale * exponential_of_word(word << 1));
    Gumbel(word, [loc, scale, _]) = loc - scale * log(exponential_of_word(word));
    Logistic(word, [loc, scale, _]) = loc + signed(word, scale * logistic_half(word << 1));
    Rayleigh(word, [scale, _, _]) = scale * (2.0 * exponential_of_word(word)).sqrt();
    // No spread at all where the shape is zero, as in NumPy.
    Weibull(word, [a, _, _]) = if a == 0.0 { 0.0 } else { pow(exponential_of_word(word), 1.0 / a) };
    Pareto(word, [a, _, _]) = expm1(exponential_of_word(word) / a);
    Power(word, [a, _, _]) = exp(0.0 - exponential_of_word(word) / a);
    StandardCauchy(word, _) = {
        let (sin, cos) = sin_cos_of_word(word);
        sin / cos
    };
    Triangular(word, [left, mode, right]) = {
        let (base, u) = (right - left, uniform_of_word(word));
        let rising = u <= (mode - left) / base;
        let up = left + (u * (base * (mode - left))).sqrt();
        let down = right - ((1.0 - u) * (base * (right - mode))).sqrt();
        if rising { up } else { down }
    };
    Geometric(word, [p, _, _]) = {
        // The logarithm of zero is out of reach of `log1p`; every draw is 1 there.
        let rate = 0.0 - log1p(if p == 1.0 { -0.5 } else { -p });
        let trials = (exponential_of_word(word) / rate).ceil();
        let trials = if trials < 1.0 { 1.0 } else { trials };
        if p == 1.0 { 1.0 } else { trials }
    };
}

/// `size` with the sign that a word's first bit says.
#[inline(always)]
fn signed(word: u64, size: f64) -> f64 {
    f64::from_bits(size.to_bits() ^ (word & (1 << 63)))
}

/// The size of a logistic variate, `log((2 - r) / r)` of a uniform `r`.
#[inline(always)]
fn logistic_half(word: u64) -> f64 {
    let r = (word as f64 + 0.5) * 2f64.powi(-64);
    log((2.0 - r) / r)
}
