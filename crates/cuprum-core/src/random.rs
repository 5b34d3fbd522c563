//! The vocabulary of random numbers: a place in a Philox stream, and the table of distributions.
//!
//! A device draws from a [`Stream`]; who owns the stream moves it on. What each distribution makes of the words is
//! fixed here, so that every device gives the same numbers.

/// A place in a Philox4x64-10 stream, laid out as NumPy's `Philox` keeps it.
///
/// The stream's words are `lead[taken..]`, then the four words of the block at `counter + 1`, at `counter + 2`, and so on;
/// a counter is one number of 256 bits, lowest word first. Draws of 32 bits are `half` where there is one, then the lower and the
/// upper half of each word; draws of 16, 8 and 1 bits are cut out of those of 32 bits, lowest first.
///
/// ```
/// use cuprum_core::Stream;
/// let stream = Stream::new([1, 2], [0; 4]);
/// assert_eq!(stream.leading(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream {
    /// The key: what tells streams apart.
    pub key: [u64; 2],
    /// The block that `lead` came from.
    pub counter: [u64; 4],
    /// The words of the last block.
    pub lead: [u64; 4],
    /// How many words of `lead` were drawn already.
    pub taken: usize,
    /// Whether `half` waits to be drawn.
    pub has_half: bool,
    /// The upper half of the last word of which 32 bits were drawn.
    pub half: u32,
}

impl Stream {
    /// The stream of a key, before the block after `counter`.
    pub fn new(key: [u64; 2], counter: [u64; 4]) -> Stream {
        Stream { key, counter, lead: [0; 4], taken: 4, has_half: false, half: 0 }
    }

    /// How many words come before the next block.
    #[inline]
    pub fn leading(&self) -> usize {
        4 - self.taken.min(4)
    }
}

/// What enciphers the counters of uniform numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cipher {
    /// Philox4x64-10, whose words are the stream's own: NumPy's numbers.
    Wide,
    /// Philox4x32-7, whose words have the places of the stream's own and cost a third: other numbers, nothing of NumPy's.
    Light,
}

/// What a parameter may be; the messages are NumPy's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Anything.
    Any,
    /// Not below zero; a negative zero counts as below.
    NonNegative,
    /// Above zero.
    Positive,
    /// Above zero and a number.
    PositiveNumber,
    /// From zero to one.
    Unit,
    /// Above zero, up to one.
    UnitAboveZero,
    /// From zero, below one.
    UnitBelowOne,
    /// Above one.
    AboveOne,
    /// From zero to the largest mean whose draws fit 64 bits.
    Mean,
}

/// The largest mean of Poisson draws: ten standard deviations further on is the last 64-bit integer.
pub const MAX_POISSON_MEAN: f64 = 9.223372006484771e18;

impl Bound {
    /// Whether `value` is outside.
    ///
    /// ```
    /// use cuprum_core::Bound;
    /// assert!(Bound::Positive.rejects(0.0));
    /// assert!(!Bound::Positive.rejects(f64::NAN));
    /// ```
    pub fn rejects(self, value: f64) -> bool {
        match self {
            Bound::Any => false,
            Bound::NonNegative => !value.is_nan() && value.is_sign_negative(),
            Bound::Positive => value <= 0.0,
            Bound::PositiveNumber => value <= 0.0 || value.is_nan(),
            Bound::Unit => !(0.0..=1.0).contains(&value),
            Bound::UnitAboveZero => !(value > 0.0 && value <= 1.0),
            Bound::UnitBelowOne => !(0.0..1.0).contains(&value),
            Bound::AboveOne => value <= 1.0 || value.is_nan(),
            Bound::Mean => !(0.0..=MAX_POISSON_MEAN).contains(&value),
        }
    }

    /// What is wrong with `value` of the parameter `name`.
    pub fn complaint(self, name: &str, value: f64) -> String {
        match self {
            Bound::Any | Bound::NonNegative => format!("{name} < 0"),
            Bound::PositiveNumber if value.is_nan() => format!("{name} must not be NaN"),
            Bound::Positive | Bound::PositiveNumber => format!("{name} <= 0"),
            Bound::Unit => format!("{name} < 0, {name} > 1 or {name} is NaN"),
            Bound::UnitAboveZero => format!("{name} <= 0, {name} > 1 or {name} contains NaNs"),
            Bound::UnitBelowOne => format!("{name} < 0, {name} >= 1 or {name} is NaN"),
            Bound::AboveOne => format!("{name} <= 1 or {name} is NaN"),
            Bound::Mean if value > MAX_POISSON_MEAN => format!("{name} value too large"),
            Bound::Mean => format!("{name} < 0 or {name} is NaN"),
        }
    }
}

/// Which words of the stream an element is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Element `i` takes the word `i`.
    One,
    /// Elements `2i` and `2i + 1` are made together of the words `2i` and `2i + 1`; an odd one out takes two words.
    Pair,
    /// Element `i` owns the block `counter + 1 + i`, and where it needs more than four words the blocks 2^192, 2 * 2^192 ...
    /// counters further on. The leading words of the stream are passed over.
    Block,
}

/// A row of the table of distributions.
#[derive(Clone, Copy, Debug)]
pub struct DistributionRow {
    /// The distribution.
    pub distribution: Distribution,
    /// NumPy's name of the method.
    pub name: &'static str,
    /// The parameters and what they may be.
    pub parameters: &'static [(&'static str, Bound)],
    /// Whether draws are integers.
    pub discrete: bool,
    /// Which words an element is made of.
    pub words: Words,
}

/// Declares the enum and its table. `Rayleigh "rayleigh" Real One [scale NonNegative] "doc";` becomes the documented variant
/// `Distribution::Rayleigh` and the row that names it.
macro_rules! distributions {
    ($($(#[$doc:meta])* $variant:ident $name:literal $discrete:literal $words:ident [$($parameter:ident $bound:ident),*];)+) => {
        /// The distributions. In the formulas `w` is a word of 64 bits, `d = (w >> 11) * 2^-53`, and `e` is the exponential variate
        /// `-log((w + 1/2) * 2^-64)`, computed from the complement of `w` in its upper half; logarithms and all else are
        /// those of `cuprum-random`, made of `+ - * /` and square roots, each rounded, nothing fused.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Distribution { $($(#[$doc])* $variant,)+ }

        /// Every distribution, in the order of the enum.
        pub const DISTRIBUTIONS: &[DistributionRow] = &[$(DistributionRow {
            distribution: Distribution::$variant,
            name: $name,
            parameters: &[$((stringify!($parameter), Bound::$bound)),*],
            discrete: $discrete,
            words: Words::$words,
        },)+];
    };
}

distributions! {
    /// `low + (high - low) * d`: NumPy's own numbers.
    Uniform "uniform" false One [low Any, high Any];
    /// `loc + scale * z`, where `z` are the two coordinates of a point at the radius `sqrt(2 e)` and an angle of `w`.
    Normal "normal" false Pair [loc Any, scale NonNegative];
    /// `exp(mean + sigma * z)`.
    Lognormal "lognormal" false Pair [mean Any, sigma NonNegative];
    /// `scale * e`.
    Exponential "exponential" false One [scale NonNegative];
    /// `loc + scale * e` or `loc - scale * e`, by the first bit.
    Laplace "laplace" false One [loc Any, scale NonNegative];
    /// `loc - scale * log(e)`.
    Gumbel "gumbel" false One [loc Any, scale NonNegative];
    /// `loc + scale * log((2 - r) / r)` or its reflection, by the first bit, `r` being the rest.
    Logistic "logistic" false One [loc Any, scale NonNegative];
    /// `scale * sqrt(2 e)`.
    Rayleigh "rayleigh" false One [scale NonNegative];
    /// `e^(1 / a)`.
    Weibull "weibull" false One [a NonNegative];
    /// `exp(e / a) - 1`.
    Pareto "pareto" false One [a Positive];
    /// `exp(-e / a)`.
    Power "power" false One [a Positive];
    /// The tangent of an angle of `w`.
    StandardCauchy "standard_cauchy" false One [];
    /// The inverse of the distribution function at `d`.
    Triangular "triangular" false One [left Any, mode Any, right Any];
    /// `ceil(e / -log(1 - p))`.
    Geometric "geometric" true One [p UnitAboveZero];
    /// Marsaglia and Tsang's rejection, for a shape below one boosted.
    Gamma "gamma" false Block [shape NonNegative, scale NonNegative];
    /// The same of scale one.
    StandardGamma "standard_gamma" false Block [shape NonNegative];
    /// Of two gammas, or Jöhnk's rejection where both parameters are at most one.
    Beta "beta" false Block [a Positive, b Positive];
    /// Twice a gamma of half the shape.
    Chisquare "chisquare" false Block [df Positive];
    /// A chi-square of one degree less and a shifted normal's square, or a Poisson mixture.
    NoncentralChisquare "noncentral_chisquare" false Block [df Positive, nonc NonNegative];
    /// The ratio of two chi-squares, each over its degrees.
    F "f" false Block [dfnum Positive, dfden Positive];
    /// The same with a noncentral numerator.
    NoncentralF "noncentral_f" false Block [dfnum Positive, dfden Positive, nonc NonNegative];
    /// A normal over the root of a chi-square over its degrees.
    StandardT "standard_t" false Block [df Positive];
    /// Best and Fisher's rejection.
    Vonmises "vonmises" false Block [mu Any, kappa NonNegative];
    /// Michael, Schucany and Haas's transformation.
    Wald "wald" false Block [mean Positive, scale Positive];
    /// Inversion for small means, else Hörmann's transformed rejection.
    Poisson "poisson" true Block [lam Mean];
    /// Inversion for small means, else Hörmann's transformed rejection.
    Binomial "binomial" true Block [n NonNegative, p Unit];
    /// A Poisson variate of a gamma mean.
    NegativeBinomial "negative_binomial" true Block [n PositiveNumber, p UnitAboveZero];
    /// One draw after the other for small samples, else Stadlober's ratio of uniforms.
    Hypergeometric "hypergeometric" true Block [ngood NonNegative, nbad NonNegative, nsample NonNegative];
    /// Kemp's method.
    Logseries "logseries" true Block [p UnitBelowOne];
    /// Devroye's rejection.
    Zipf "zipf" true Block [a AboveOne];
}

impl Distribution {
    /// The row of the table.
    #[inline]
    pub fn row(self) -> &'static DistributionRow {
        &DISTRIBUTIONS[self as usize]
    }

    /// The distribution that NumPy calls `name`.
    ///
    /// ```
    /// use cuprum_core::Distribution;
    /// assert_eq!(Distribution::from_name("gamma"), Some(Distribution::Gamma));
    /// ```
    pub fn from_name(name: &str) -> Option<Distribution> {
        DISTRIBUTIONS.iter().find(|row| row.name == name).map(|row| row.distribution)
    }
}
