//! Draws of a distribution into a slice: which words each element is made of, and the loops over them.

use std::marker::PhantomData;

use cuprum_core::{Cipher, Distribution, Error, Result, SimdLevel, Stream, Words};

use crate::fill::{CHUNK_ELEMENTS, WordBuffer, fill};
use crate::formulas::{self, Formula};
use crate::math;
use crate::normal_f32::{self, Doubled, Fused, Native};
use crate::per_element_stream::OwnWords;
use crate::philox::{skip_blocks, skip_words};
use crate::samplers::{self, Sampler};
use crate::simd::{self, Loop};

/// The most parameters that a distribution has.
const MAX_PARAMETERS: usize = 3;
/// Elements whose first blocks are enciphered together.
const BLOCKS_AT_A_TIME: usize = CHUNK_ELEMENTS / 4;

/// A parameter: one number for all elements, or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// One number.
    Same(f64),
    /// As many as there are draws.
    Each(&'a [f64]),
}

/// Where draws go.
#[derive(Debug)]
pub enum Draws<'a> {
    /// Double precision.
    Double(&'a mut [f64]),
    /// Single precision: rounded, but for normals, which are computed in it, and uniform numbers of the light cipher, which
    /// have 24 bits.
    Single(&'a mut [f32]),
    /// Integers of 64 bits; draws beyond them are the largest one.
    Whole(&'a mut [i64]),
}

impl Draws<'_> {
    pub(crate) fn count(&self) -> usize {
        match self {
            Draws::Double(out) => out.len(),
            Draws::Single(out) => out.len(),
            Draws::Whole(out) => out.len(),
        }
    }
}

/// Fills `out` with draws of a distribution; parameters are in its row's order and within their bounds. Formulas of one word
/// take those of `cipher`.
///
/// ```
/// use cuprum_core::{Cipher, Distribution, Stream};
/// use cuprum_core::SimdLevel;
/// use cuprum_random::{Draws, Parameter, fill_distribution};
/// let stream = Stream::new([1, 2], [0; 4]);
/// let mut numbers = [0.0; 1000];
/// let parameters = [Parameter::Same(10.0), Parameter::Same(0.5)];
/// let out = Draws::Double(&mut numbers);
/// fill_distribution(&stream, Cipher::Wide, Distribution::Normal, &parameters, out, SimdLevel::detect()).unwrap();
/// let mean: f64 = numbers.iter().sum::<f64>() / 1000.0;
/// assert!((mean - 10.0).abs() < 0.1);
/// ```
pub fn fill_distribution(
    stream: &Stream,
    cipher: Cipher,
    distribution: Distribution,
    parameters: &[Parameter<'_>],
    out: Draws<'_>,
    level: SimdLevel,
) -> Result<()> {
    let row = distribution.row();
    let fits = |p: &Parameter<'_>| !matches!(p, Parameter::Each(values) if values.len() != out.count());
    if parameters.len() != row.parameters.len() || !parameters.iter().all(fits) {
        return Err(Error::value(row.name, "parameters and draws differ in number"));
    }
    let source = DrawSource { stream, cipher, parameters: Parameters::new(parameters), level };
    match distribution {
        Distribution::Uniform => source.uniforms(out),
        Distribution::Exponential => source.one::<formulas::Exponential>(out),
        Distribution::Laplace => source.one::<formulas::Laplace>(out),
        Distribution::Gumbel => source.one::<formulas::Gumbel>(out),
        Distribution::Logistic => source.one::<formulas::Logistic>(out),
        Distribution::Rayleigh => source.one::<formulas::Rayleigh>(out),
        Distribution::Weibull => source.one::<formulas::Weibull>(out),
        Distribution::Pareto => source.one::<formulas::Pareto>(out),
        Distribution::Power => source.one::<formulas::Power>(out),
        Distribution::StandardCauchy => source.one::<formulas::StandardCauchy>(out),
        Distribution::Triangular => source.one::<formulas::Triangular>(out),
        Distribution::Geometric => source.one::<formulas::Geometric>(out),
        Distribution::Normal => source.pairs(out, NormalTransform::Plain),
        Distribution::Lognormal => source.pairs(out, NormalTransform::Exponential),
        Distribution::Gamma => source.own::<samplers::Gamma>(out),
        Distribution::StandardGamma => source.own::<samplers::StandardGamma>(out),
        Distribution::Beta => source.own::<samplers::Beta>(out),
        Distribution::Chisquare => source.own::<samplers::Chisquare>(out),
        Distribution::NoncentralChisquare => source.own::<samplers::NoncentralChisquare>(out),
        Distribution::F => source.own::<samplers::F>(out),
        Distribution::NoncentralF => source.own::<samplers::NoncentralF>(out),
        Distribution::StandardT => source.own::<samplers::StandardT>(out),
        Distribution::Vonmises => source.own::<samplers::Vonmises>(out),
        Distribution::Wald => source.own::<samplers::Wald>(out),
        Distribution::Poisson => source.own::<samplers::Poisson>(out),
        Distribution::Binomial => source.own::<samplers::Binomial>(out),
        Distribution::NegativeBinomial => source.own::<samplers::NegativeBinomial>(out),
        Distribution::Hypergeometric => source.own::<samplers::Hypergeometric>(out),
        Distribution::Logseries => source.own::<samplers::Logseries>(out),
        Distribution::Zipf => source.own::<samplers::Zipf>(out),
    }
}

/// Moves the stream past what `count` draws take; `single` where normals are drawn in single precision.
///
/// ```
/// use cuprum_core::{Distribution, Stream};
/// use cuprum_random::skip_draws;
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// skip_draws(&mut stream, Distribution::Gamma, 10, false);
/// assert_eq!(stream.counter[0], 10);
/// ```
pub fn skip_draws(stream: &mut Stream, distribution: Distribution, count: usize, single: bool) {
    let count = count as u64;
    match distribution.row().words {
        Words::One => skip_words(stream, count),
        Words::Pair if single => skip_words(stream, count.div_ceil(2)),
        Words::Pair => skip_words(stream, count.next_multiple_of(2)),
        Words::Block => skip_blocks(stream, count),
    }
}

/// The parameters by element.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    all: [Parameter<'a>; MAX_PARAMETERS],
    same: Option<[f64; MAX_PARAMETERS]>,
}

impl<'a> Parameters<'a> {
    pub(crate) fn new(given: &[Parameter<'a>]) -> Parameters<'a> {
        let all: [Parameter<'a>; MAX_PARAMETERS] =
            std::array::from_fn(|i| given.get(i).copied().unwrap_or(Parameter::Same(0.0)));
        let mut same = Some([0.0; MAX_PARAMETERS]);
        for (i, parameter) in all.iter().enumerate() {
            match (parameter, &mut same) {
                (Parameter::Same(value), Some(values)) => values[i] = *value,
                _ => same = None,
            }
        }
        Parameters { all, same }
    }

    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> [f64; MAX_PARAMETERS] {
        self.all.map(|parameter| match parameter {
            Parameter::Same(value) => value,
            Parameter::Each(values) => values[i],
        })
    }

    /// The parameters of `n` elements from `at` on, side by side.
    fn spread(&self, at: usize, n: usize, room: &mut [[f64; CHUNK_ELEMENTS]; MAX_PARAMETERS]) {
        for (line, parameter) in room.iter_mut().zip(self.all) {
            match parameter {
                Parameter::Same(value) => line[..n].fill(value),
                Parameter::Each(values) => line[..n].copy_from_slice(&values[at..at + n]),
            }
        }
    }
}

/// What is done to a normal variate.
#[derive(Clone, Copy, PartialEq)]
enum NormalTransform {
    Plain,
    Exponential,
}

#[derive(Clone, Copy)]
struct DrawSource<'a> {
    stream: &'a Stream,
    /// Of formulas of one word.
    cipher: Cipher,
    parameters: Parameters<'a>,
    level: SimdLevel,
}

impl DrawSource<'_> {
    /// One word an element.
    fn one<F: Formula>(self, out: Draws<'_>) -> Result<()> {
        emit(out, |at, numbers| {
            let mut buffer = WordBuffer::new();
            let words = buffer.read(self.stream, self.cipher, at as u64, numbers.len(), self.level);
            match self.parameters.same {
                Some(parameters) => {
                    simd::run(
                        self.level,
                        Same::<F> { words, numbers, parameters, _formula: Default::default() },
                    );
                }
                None => {
                    let mut parameters = [[0.0; CHUNK_ELEMENTS]; MAX_PARAMETERS];
                    self.parameters.spread(at, numbers.len(), &mut parameters);
                    simd::run(
                        self.level,
                        Each::<F> { words, numbers, parameters: &parameters, _formula: Default::default() },
                    );
                }
            }
        })
    }

    /// One word an element; single ones of the light cipher take half of one each, 24 bits of it.
    fn uniforms(self, out: Draws<'_>) -> Result<()> {
        match out {
            Draws::Single(out) if self.cipher == Cipher::Light => fill(out, |at, numbers| {
                let mut buffer = WordBuffer::new();
                let (from, n) = (at as u64 / 2, numbers.len().div_ceil(2));
                let words = buffer.read(self.stream, Cipher::Light, from, n, self.level);
                simd::run(self.level, SingleRanges { words, parameters: &self.parameters, at, numbers });
            }),
            other => self.one::<formulas::Uniform>(other),
        }
    }

    /// Two words for two elements; in single precision one, of the light words.
    fn pairs(self, out: Draws<'_>, around: NormalTransform) -> Result<()> {
        if let Draws::Single(out) = out {
            return fill(out, |at, numbers| {
                let mut buffer = WordBuffer::new();
                let (from, n) = (at as u64 / 2, numbers.len().div_ceil(2));
                let words = buffer.read(self.stream, Cipher::Light, from, n, self.level);
                if cfg!(target_arch = "x86_64") && self.level == SimdLevel::Portable {
                    simd::run(self.level, SingleNormals::<Doubled> { words, numbers, _fused: PhantomData });
                } else {
                    simd::run(self.level, SingleNormals::<Native> { words, numbers, _fused: PhantomData });
                }
                self.place(at, numbers, around, |x| x as f32);
            });
        }
        emit(out, |at, numbers| {
            let mut buffer = WordBuffer::new();
            let n = numbers.len().next_multiple_of(2);
            let words = buffer.read(self.stream, Cipher::Wide, at as u64, n, self.level);
            simd::run(self.level, Normals { words, numbers });
            self.place(at, numbers, around, |x| x);
        })
    }

    /// Moves and stretches normal variates; single ones as doubles that are rounded once.
    fn place<T: Copy + Into<f64>>(
        self,
        at: usize,
        numbers: &mut [T],
        around: NormalTransform,
        narrow: impl Fn(f64) -> T + Copy,
    ) {
        let standard = self.parameters.same == Some([0.0, 1.0, 0.0]) && around == NormalTransform::Plain;
        if !standard {
            simd::run(
                self.level,
                ShiftAndScale { parameters: &self.parameters, at, numbers, around, narrow },
            );
        }
    }

    /// A block of its own for each element.
    fn own<S: Sampler>(self, out: Draws<'_>) -> Result<()> {
        let blocks = Stream { taken: 4, ..*self.stream };
        let shared = self.parameters.same.map(S::new);
        emit(out, |at, numbers| {
            let mut buffer = WordBuffer::new();
            for (part, numbers) in numbers.chunks_mut(BLOCKS_AT_A_TIME).enumerate() {
                let at = at + part * BLOCKS_AT_A_TIME;
                let words = buffer.read(&blocks, Cipher::Wide, 4 * at as u64, 4 * numbers.len(), self.level);
                if S::NORMAL_FIRST {
                    simd::run(self.level, FirstNormals { words, numbers });
                }
                for (i, (number, first)) in numbers.iter_mut().zip(words.chunks_exact(4)).enumerate() {
                    let first = [first[0], first[1], first[2], first[3]];
                    let mut words = OwnWords::new(&blocks, (at + i) as u64, first);
                    if S::NORMAL_FIRST {
                        words = words.with_first_normal(*number);
                    }
                    *number = match &shared {
                        Some(sampler) => sampler.draw(&mut words),
                        None => S::new(self.parameters.at(at + i)).draw(&mut words),
                    };
                }
            }
        })
    }
}

/// Fills `out`, of whatever type, with numbers made as doubles.
fn emit(out: Draws<'_>, make: impl Fn(usize, &mut [f64]) + Sync) -> Result<()> {
    emit_chunks(out, &make)
}

/// One function for all distributions: a chunk takes far longer than the call by its address.
fn emit_chunks(out: Draws<'_>, make: &(dyn Fn(usize, &mut [f64]) + Sync)) -> Result<()> {
    match out {
        Draws::Double(out) => fill(out, make),
        Draws::Single(out) => fill(out, |at, chunk| {
            let mut numbers = [0.0; CHUNK_ELEMENTS];
            make(at, &mut numbers[..chunk.len()]);
            chunk.iter_mut().zip(&numbers).for_each(|(single, number)| *single = *number as f32);
        }),
        Draws::Whole(out) => fill(out, |at, chunk| {
            let mut numbers = [0.0; CHUNK_ELEMENTS];
            make(at, &mut numbers[..chunk.len()]);
            chunk.iter_mut().zip(&numbers).for_each(|(whole, number)| *whole = *number as i64);
        }),
    }
}

/// Uniform numbers of a range, one of each half word, as doubles that are rounded once.
struct SingleRanges<'a> {
    words: &'a [u64],
    parameters: &'a Parameters<'a>,
    /// The number of the first.
    at: usize,
    numbers: &'a mut [f32],
}

impl Loop for SingleRanges<'_> {
    #[inline(always)]
    fn run(self) {
        let placed = |half: u32, [low, high, _]: [f64; MAX_PARAMETERS]| {
            (low + (high - low) * (f64::from(half >> 8) * (0.5f64).powi(24))) as f32
        };
        for (i, (pair, word)) in self.numbers.chunks_mut(2).zip(self.words).enumerate() {
            for (j, number) in pair.iter_mut().enumerate() {
                let parameters =
                    self.parameters.same.unwrap_or_else(|| self.parameters.at(self.at + 2 * i + j));
                *number = placed((*word >> (32 * j)) as u32, parameters);
            }
        }
    }
}

/// A formula over a chunk, the parameters the same for all.
struct Same<'a, F> {
    words: &'a [u64],
    numbers: &'a mut [f64],
    parameters: [f64; MAX_PARAMETERS],
    _formula: PhantomData<F>,
}

impl<F: Formula> Loop for Same<'_, F> {
    #[inline(always)]
    fn run(self) {
        let parameters = self.parameters;
        for (number, word) in self.numbers.iter_mut().zip(self.words) {
            *number = F::of(*word, parameters);
        }
    }
}

/// A formula over a chunk, each element with parameters of its own.
struct Each<'a, F> {
    words: &'a [u64],
    numbers: &'a mut [f64],
    parameters: &'a [[f64; CHUNK_ELEMENTS]; MAX_PARAMETERS],
    _formula: PhantomData<F>,
}

impl<F: Formula> Loop for Each<'_, F> {
    #[inline(always)]
    fn run(self) {
        let [a, b, c] = self.parameters;
        let rest = a.iter().zip(b).zip(c);
        for ((number, word), ((a, b), c)) in self.numbers.iter_mut().zip(self.words).zip(rest) {
            *number = F::of(*word, [*a, *b, *c]);
        }
    }
}

/// Pairs of normal variates; the last one may be alone.
struct Normals<'a> {
    words: &'a [u64],
    numbers: &'a mut [f64],
}

impl Loop for Normals<'_> {
    #[inline(always)]
    fn run(self) {
        let mut pairs = self.numbers.chunks_exact_mut(2);
        for (pair, words) in (&mut pairs).zip(self.words.chunks_exact(2)) {
            (pair[0], pair[1]) = math::normals_of_words(words[0], words[1]);
        }
        if let ([last], [.., radius, angle]) = (pairs.into_remainder(), self.words) {
            *last = math::normals_of_words(*radius, *angle).0;
        }
    }
}

/// The normal variates of the first two words of each block.
struct FirstNormals<'a> {
    words: &'a [u64],
    numbers: &'a mut [f64],
}

impl Loop for FirstNormals<'_> {
    #[inline(always)]
    fn run(self) {
        for (number, words) in self.numbers.iter_mut().zip(self.words.chunks_exact(4)) {
            *number = math::normals_of_words(words[0], words[1]).0;
        }
    }
}

struct SingleNormals<'a, F> {
    words: &'a [u64],
    numbers: &'a mut [f32],
    _fused: PhantomData<F>,
}

impl<F: Fused> Loop for SingleNormals<'_, F> {
    #[inline(always)]
    fn run(self) {
        let mut pairs = self.numbers.chunks_exact_mut(2);
        for (pair, word) in (&mut pairs).zip(self.words) {
            (pair[0], pair[1]) = normal_f32::normals_of_word::<F>(*word);
        }
        if let ([last], [.., word]) = (pairs.into_remainder(), self.words) {
            *last = normal_f32::normals_of_word::<F>(*word).0;
        }
    }
}

/// `loc + scale * z`, or its exponential.
struct ShiftAndScale<'a, T, N> {
    parameters: &'a Parameters<'a>,
    at: usize,
    numbers: &'a mut [T],
    around: NormalTransform,
    narrow: N,
}

impl<T: Copy + Into<f64>, N: Fn(f64) -> T> Loop for ShiftAndScale<'_, T, N> {
    #[inline(always)]
    fn run(self) {
        let ShiftAndScale { parameters, at, numbers, around, narrow } = self;
        match (parameters.same, around) {
            (Some([loc, scale, _]), NormalTransform::Plain) => {
                numbers.iter_mut().for_each(|z| *z = narrow(loc + scale * (*z).into()));
            }
            (Some([loc, scale, _]), NormalTransform::Exponential) => {
                numbers.iter_mut().for_each(|z| *z = narrow(math::exp(loc + scale * (*z).into())));
            }
            (None, _) => {
                for (i, z) in numbers.iter_mut().enumerate() {
                    let [loc, scale, _] = parameters.at(at + i);
                    let moved = loc + scale * (*z).into();
                    *z = narrow(if around == NormalTransform::Plain { moved } else { math::exp(moved) });
                }
            }
        }
    }
}
