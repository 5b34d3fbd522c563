//! A sequential generator of any kind: its seeding, its state, and its plain draws.

use cuprum_core::{Error, Result};
use cuprum_threads::run_tasks;

use super::mt19937::{Mt19937, N};
use super::pcg64::{Pcg, join};
use super::sfc64::Sfc64;
use super::words::{Engine, Halved, WordSource, unit};
use crate::fill::{DisjointSlice, ELEMENTS_PER_TASK, PARALLEL_MIN};

/// A generator and the place in its sequence.
///
/// ```
/// use cuprum_random::SeedSequence;
/// use cuprum_random::sequential::Bits;
/// let mut bits = Bits::pcg64(&SeedSequence::new(&[42], &[], 4).generate_wide(4)).unwrap();
/// let mut numbers = [0.0; 2];
/// bits.fill_uniform(&mut numbers).unwrap();
/// // numpy.random.default_rng(42).random(2)
/// assert_eq!(numbers, [0.7739560485559633, 0.4388784397520523]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Generator);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Generator {
    Pcg64(Halved<Pcg<false>>),
    Pcg64Dxsm(Halved<Pcg<true>>),
    Sfc64(Halved<Sfc64>),
    Mt19937(Box<Mt19937>),
}

/// The state of a generator as NumPy shows it.
///
/// PCGs: the state and the increment, upper words first, and the half of a word that waits. SFC64: its four words, and the half. MT19937: its 624
/// words, and in `position` how many of them were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The words.
    pub words: Vec<u64>,
    /// Whether `half` waits to be drawn.
    pub has_half: bool,
    /// The upper half of the last word of which 32 bits were drawn.
    pub half: u32,
    /// How many words of the batch were drawn.
    pub position: usize,
}

/// Runs `$body` with the words of a generator, compiled for its kind.
macro_rules! with_words {
    ($bits:expr, $words:ident => $body:expr) => {
        match $bits.generator_mut() {
            $crate::sequential::bits::Generator::Pcg64($words) => $body,
            $crate::sequential::bits::Generator::Pcg64Dxsm($words) => $body,
            $crate::sequential::bits::Generator::Sfc64($words) => $body,
            $crate::sequential::bits::Generator::Mt19937($words) => {
                let $words = &mut **$words;
                $body
            }
        }
    };
}
pub(super) use with_words;

fn exactly<const COUNT: usize, T: Copy>(name: &'static str, words: &[T]) -> Result<[T; COUNT]> {
    <[T; COUNT]>::try_from(words).map_err(|_| {
        let message = format!("the state must have {COUNT} words, got {}", words.len());
        Error::value(name, message)
    })
}

impl Bits {
    /// PCG64 of four words of seed.
    pub fn pcg64(seed: &[u64]) -> Result<Bits> {
        Ok(Bits(Generator::Pcg64(Halved::new(Pcg::new(&exactly("PCG64", seed)?)))))
    }

    /// PCG64DXSM of four words of seed.
    pub fn pcg64dxsm(seed: &[u64]) -> Result<Bits> {
        Ok(Bits(Generator::Pcg64Dxsm(Halved::new(Pcg::new(&exactly("PCG64DXSM", seed)?)))))
    }

    /// SFC64 of three words of seed.
    pub fn sfc64(seed: &[u64]) -> Result<Bits> {
        Ok(Bits(Generator::Sfc64(Halved::new(Sfc64::new(&exactly("SFC64", seed)?)))))
    }

    /// MT19937 of 624 words of seed.
    pub fn mt19937(seed: &[u32]) -> Result<Bits> {
        Ok(Bits(Generator::Mt19937(Box::new(Mt19937::new(&exactly("MT19937", seed)?)))))
    }

    /// MT19937 seeded as `numpy.random.RandomState(seed)` seeds it.
    ///
    /// ```
    /// use cuprum_random::sequential::Bits;
    /// let mut numbers = [0.0; 1];
    /// Bits::mt19937_of_word(0).fill_uniform(&mut numbers).unwrap();
    /// // numpy.random.RandomState(0).random_sample()
    /// assert_eq!(numbers, [0.5488135039273248]);
    /// ```
    pub fn mt19937_of_word(seed: u32) -> Bits {
        Bits(Generator::Mt19937(Box::new(Mt19937::from_word(seed))))
    }

    /// MT19937 seeded as `numpy.random.RandomState([...])` seeds it.
    pub fn mt19937_of_words(seed: &[u32]) -> Result<Bits> {
        if seed.is_empty() {
            return Err(Error::value("MT19937", "seed must be non-empty"));
        }
        Ok(Bits(Generator::Mt19937(Box::new(Mt19937::from_words(seed)))))
    }

    pub(super) fn generator_mut(&mut self) -> &mut Generator {
        &mut self.0
    }

    /// NumPy's name of the generator.
    pub fn name(&self) -> &'static str {
        match self.0 {
            Generator::Pcg64(_) => "PCG64",
            Generator::Pcg64Dxsm(_) => "PCG64DXSM",
            Generator::Sfc64(_) => "SFC64",
            Generator::Mt19937(_) => "MT19937",
        }
    }

    /// The state.
    ///
    /// ```
    /// use cuprum_random::sequential::Bits;
    /// let mut bits = Bits::sfc64(&[1, 2, 3]).unwrap();
    /// let (before, mut words) = (bits.state(), [[0; 2]; 2]);
    /// bits.fill_raw(&mut words[0]).unwrap();
    /// bits.set_state(&before).unwrap();
    /// bits.fill_raw(&mut words[1]).unwrap();
    /// assert_eq!(words[0], words[1]);
    /// ```
    pub fn state(&self) -> State {
        fn pcg<const DXSM: bool>(halved: &Halved<Pcg<DXSM>>) -> State {
            let Pcg { state, increment } = halved.engine;
            let words = [state, increment].iter().flat_map(|n| [(n >> 64) as u64, *n as u64]).collect();
            State { words, has_half: halved.has_half, half: halved.half, position: 0 }
        }
        match &self.0 {
            Generator::Pcg64(halved) => pcg(halved),
            Generator::Pcg64Dxsm(halved) => pcg(halved),
            Generator::Sfc64(halved) => State {
                words: halved.engine.state.to_vec(),
                has_half: halved.has_half,
                half: halved.half,
                position: 0,
            },
            Generator::Mt19937(twister) => State {
                words: twister.key.iter().map(|word| u64::from(*word)).collect(),
                has_half: false,
                half: 0,
                position: twister.position,
            },
        }
    }

    /// Goes to a state of the same kind of generator; one that cannot be its state is an error and changes nothing.
    pub fn set_state(&mut self, state: &State) -> Result<()> {
        fn pcg<const DXSM: bool>(name: &'static str, state: &State) -> Result<Halved<Pcg<DXSM>>> {
            let words: [u64; 4] = exactly(name, &state.words)?;
            let engine = Pcg { state: join(words[0], words[1]), increment: join(words[2], words[3]) };
            Ok(Halved { engine, half: state.half, has_half: state.has_half })
        }
        let name = self.name();
        match &mut self.0 {
            Generator::Pcg64(halved) => *halved = pcg(name, state)?,
            Generator::Pcg64Dxsm(halved) => *halved = pcg(name, state)?,
            Generator::Sfc64(halved) => {
                let engine = Sfc64 { state: exactly(name, &state.words)? };
                *halved = Halved { engine, half: state.half, has_half: state.has_half };
            }
            Generator::Mt19937(twister) => {
                let words: [u64; N] = exactly(name, &state.words)?;
                if state.position > N {
                    let message = format!("pos must be at most {N}, got {}", state.position);
                    return Err(Error::value(name, message));
                }
                if words.iter().any(|word| *word > u64::from(u32::MAX)) {
                    return Err(Error::value(name, "words of the key must be less than 2**32"));
                }
                **twister = Mt19937 { key: words.map(|word| word as u32), position: state.position };
            }
        }
        Ok(())
    }

    /// Moves a PCG on by `delta` words and forgets half a word that waits; other generators cannot.
    pub fn advance(&mut self, delta: u128) -> Result<()> {
        let name = self.name();
        match &mut self.0 {
            Generator::Pcg64(halved) => {
                halved.engine.advance(delta);
                *halved = Halved::new(halved.engine);
            }
            Generator::Pcg64Dxsm(halved) => {
                halved.engine.advance(delta);
                *halved = Halved::new(halved.engine);
            }
            Generator::Sfc64(_) | Generator::Mt19937(_) => {
                return Err(Error::value(name, "cannot be advanced"));
            }
        }
        Ok(())
    }

    /// Moves on as NumPy's `jumped` does: the PCGs by `times` 0.618 of their period, MT19937 by `times` 2^128 words. SFC64 cannot.
    ///
    /// ```
    /// use cuprum_random::sequential::Bits;
    /// assert!(Bits::mt19937_of_word(1).jump(1).is_ok());
    /// assert!(Bits::sfc64(&[1, 2, 3]).unwrap().jump(1).is_err());
    /// ```
    pub fn jump(&mut self, times: u128) -> Result<()> {
        let name = self.name();
        match &mut self.0 {
            Generator::Pcg64(halved) => {
                halved.engine.jump(times);
                *halved = Halved::new(halved.engine);
            }
            Generator::Pcg64Dxsm(halved) => {
                halved.engine.jump(times);
                *halved = Halved::new(halved.engine);
            }
            Generator::Mt19937(twister) => (0..times).for_each(|_| twister.jump()),
            Generator::Sfc64(_) => return Err(Error::value(name, "cannot jump")),
        }
        Ok(())
    }

    /// Words as the generator makes them: of 64 bits, MT19937's of 32.
    pub fn fill_raw(&mut self, out: &mut [u64]) -> Result<()> {
        match &mut self.0 {
            Generator::Pcg64(halved) => ahead(&mut halved.engine, out, |word| word),
            Generator::Pcg64Dxsm(halved) => ahead(&mut halved.engine, out, |word| word),
            Generator::Sfc64(words) => one_by_one(words, out, WordSource::raw),
            Generator::Mt19937(words) => one_by_one(&mut **words, out, WordSource::raw),
        }
    }

    /// Numbers from 0 up to, but without, 1.
    pub fn fill_uniform(&mut self, out: &mut [f64]) -> Result<()> {
        match &mut self.0 {
            Generator::Pcg64(halved) => ahead(&mut halved.engine, out, unit),
            Generator::Pcg64Dxsm(halved) => ahead(&mut halved.engine, out, unit),
            Generator::Sfc64(words) => one_by_one(words, out, WordSource::next_double),
            Generator::Mt19937(words) => one_by_one(&mut **words, out, WordSource::next_double),
        }
    }

    /// The same in single precision.
    pub fn fill_uniform_single(&mut self, out: &mut [f32]) -> Result<()> {
        with_words!(self, words => one_by_one(words, out, WordSource::next_float))
    }
}

fn one_by_one<W, T>(words: &mut W, out: &mut [T], draw: fn(&mut W) -> T) -> Result<()> {
    out.iter_mut().for_each(|place| *place = draw(words));
    Ok(())
}

/// Fills `out` by tasks that each jump to their own words.
fn ahead<const DXSM: bool, T: crate::DrawElement>(
    engine: &mut Pcg<DXSM>,
    out: &mut [T],
    of: impl Fn(u64) -> T + Sync,
) -> Result<()> {
    let (start, length, parts) = (*engine, out.len(), DisjointSlice::new(out));
    run_tasks(length.div_ceil(ELEMENTS_PER_TASK), length >= PARALLEL_MIN, &|task| {
        let at = task * ELEMENTS_PER_TASK;
        let mut engine = start;
        engine.advance(at as u128);
        // SAFETY: tasks have disjoint parts.
        let part = unsafe { parts.part(at, ELEMENTS_PER_TASK.min(length - at)) };
        part.iter_mut().for_each(|place| *place = of(engine.next()));
    })?;
    engine.advance(length as u128);
    Ok(())
}
