//! NumPy's sequential generators: arrays whose numbers the host draws one after the other, the same as NumPy's.
//!
//! On another device they are drawn by the host and copied. A call that fails leaves the generator where it was.

use cuprum_core::memory::try_filled;
use cuprum_core::{DType, Distribution, Error, Result};
use cuprum_graph::{DeviceKind, count_to_device};
use cuprum_random::sequential::{
    self as drawn, Bits, Chances, Drawing, Rules, Watch, fill_bounded, fill_bounded_between,
    fill_exponential_inverse,
};
use cuprum_random::{Draws, Integers, Parameter as HostParameter, Plain, bytes_of};

use super::integers::{check_bounds, host_bounds};
use super::{CheckedDraw, Parameter, ParameterValues, fitting_shape, result, unsupported};
use crate::creation::checked_size;
use crate::{Array, default_device};

/// Elements that are drawn before they are copied into an array of the CPU: few enough for the caches.
const BLOCK: usize = 1 << 13;
/// The same where several threads draw.
const WIDE_BLOCK: usize = 1 << 18;
/// The same for another device, which is better given much at once.
const TRANSFER_BLOCK: usize = 1 << 23;

/// A sequential generator of NumPy's, and the draws made from it.
///
/// Methods that take `pending` draw as `numpy.random.RandomState` does where it is given, and as `numpy.random.Generator`
/// does where not.
///
/// ```
/// use cuprum::DType;
/// use cuprum::random::{Bits, Rules, SeedSequence, Sequential};
/// let bits = Bits::pcg64(&SeedSequence::new(&[42], &[], 4).generate_wide(4)).unwrap();
/// let mut generator = Sequential::new(bits, Rules::default());
/// // numpy.random.default_rng(42).random(2)
/// let numbers = generator.random(&[2], DType::F64).unwrap();
/// assert_eq!(numbers.to_vec::<f64>().unwrap(), vec![0.7739560485559633, 0.4388784397520523]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequential {
    bits: Bits,
    rules: Rules,
}

/// The second normal variate of a pair, where it waits.
type Pending<'a> = Option<&'a mut Option<f64>>;

impl Sequential {
    /// The generator at a place, by the rules of a version of NumPy.
    pub fn new(bits: Bits, rules: Rules) -> Sequential {
        Sequential { bits, rules }
    }

    /// The place in the sequence.
    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    /// The place in the sequence, to be moved.
    pub fn bits_mut(&mut self) -> &mut Bits {
        &mut self.bits
    }

    /// Raw words, as uint64.
    pub fn raw(&mut self, shape: &[usize]) -> Result<Array> {
        let mut bits = self.bits.clone();
        let made =
            array("random_raw", shape, DType::U64, WIDE_BLOCK, |_, out: &mut [u64]| bits.fill_raw(out))?;
        self.bits = bits;
        Ok(made)
    }

    /// Uniform numbers in [0, 1), float64 or float32.
    pub fn random(&mut self, shape: &[usize], dtype: DType) -> Result<Array> {
        let mut bits = self.bits.clone();
        let made = match dtype {
            DType::F64 => {
                array("random", shape, dtype, WIDE_BLOCK, |_, out: &mut [f64]| bits.fill_uniform(out))
            }
            DType::F32 => {
                array("random", shape, dtype, BLOCK, |_, out: &mut [f32]| bits.fill_uniform_single(out))
            }
            _ => Err(unsupported("random", dtype)),
        }?;
        self.bits = bits;
        Ok(made)
    }

    /// Exponential numbers of mean one by inversion, float64 or float32.
    pub fn exponential_inverse(&mut self, shape: &[usize], dtype: DType) -> Result<Array> {
        let (op, mut bits) = ("standard_exponential", self.bits.clone());
        let made = match dtype {
            DType::F64 => array(op, shape, dtype, WIDE_BLOCK, |_, out: &mut [f64]| {
                fill_exponential_inverse(&mut bits, Draws::Double(out))
            }),
            DType::F32 => array(op, shape, dtype, BLOCK, |_, out: &mut [f32]| {
                fill_exponential_inverse(&mut bits, Draws::Single(out))
            }),
            _ => Err(unsupported(op, dtype)),
        }?;
        self.bits = bits;
        Ok(made)
    }

    /// Draws from a distribution, as [`Generator::draw`](super::Generator::draw) describes.
    pub fn draw(
        &mut self,
        pending: Pending<'_>,
        distribution: Distribution,
        parameters: &[Parameter<'_>],
        shape: Option<&[usize]>,
        dtype: Option<DType>,
    ) -> Result<Array> {
        let row = distribution.row();
        let CheckedDraw { dtype, shape, values } = CheckedDraw::new(distribution, parameters, shape, dtype)?;
        let hosts = values
            .iter()
            .map(|value| match value {
                ParameterValues::Number(number) => Ok((*number, None)),
                ParameterValues::Array(array) => Ok((0.0, Some(array.to_vec::<f64>()?))),
            })
            .collect::<Result<Vec<_>>>()?;
        let part = |at: usize, n: usize| -> Vec<HostParameter<'_>> {
            let mut given = Vec::with_capacity(hosts.len());
            given.extend(hosts.iter().map(|(number, each)| match each {
                Some(values) => HostParameter::Each(&values[at..at + n]),
                None => HostParameter::Same(*number),
            }));
            given
        };
        let mut moved = Moved::new(self, &pending);
        let made = match dtype {
            DType::I64 => array(row.name, &shape, dtype, BLOCK, |at, out: &mut [i64]| {
                let given = part(at, out.len());
                let (bits, drawing) = moved.source();
                drawing.fill(bits, distribution, &given, Draws::Whole(out))
            }),
            DType::F32 => array(row.name, &shape, dtype, BLOCK, |at, out: &mut [f32]| {
                let given = part(at, out.len());
                let (bits, drawing) = moved.source();
                drawing.fill(bits, distribution, &given, Draws::Single(out))
            }),
            _ => {
                let block = if distribution == Distribution::Uniform { WIDE_BLOCK } else { BLOCK };
                array(row.name, &shape, dtype, block, |at, out: &mut [f64]| {
                    let given = part(at, out.len());
                    let (bits, drawing) = moved.source();
                    drawing.fill(bits, distribution, &given, Draws::Double(out))
                })
            }
        }?;
        moved.settle(self, pending);
        Ok(made)
    }

    /// Integers from `low` up to and with `high`; `masked` as `RandomState` draws them.
    pub fn integers(
        &mut self,
        masked: bool,
        low: i128,
        high: i128,
        shape: &[usize],
        dtype: DType,
    ) -> Result<Array> {
        check_bounds(low, high, dtype)?;
        let mut bits = self.bits.clone();
        let (offset, span) = (low as u64, (high - low) as u64);
        let made = whole_array(shape, dtype, |_, _, out| {
            fill_bounded(&mut bits, offset, span, masked, out);
            Ok(())
        })?;
        self.bits = bits;
        Ok(made)
    }

    /// Integers from `low` up to `high`, and with it where `endpoint` says so, each element with the bounds at its place.
    pub fn integers_between(
        &mut self,
        masked: bool,
        low: &Array,
        high: &Array,
        endpoint: bool,
        shape: Option<&[usize]>,
        dtype: DType,
    ) -> Result<Array> {
        let shape = fitting_shape("integers", &[low.shape(), high.shape()], shape)?;
        let (offsets, spans) = host_bounds(low, high, endpoint, &shape, dtype)?;
        let mut bits = self.bits.clone();
        let made = whole_array(&shape, dtype, |at, n, out| {
            let range = at..at + n;
            fill_bounded_between(&mut bits, &offsets[range.clone()], &spans[range], masked, out)
        })?;
        self.bits = bits;
        Ok(made)
    }

    /// Permutations of `0..n`, one in each of `rows` rows, as NumPy's shuffle makes them; `first` is the last place
    /// that is swapped.
    pub fn orders(&mut self, rows: usize, n: usize, first: usize) -> Result<Array> {
        self.listed("permutation", &[rows, n], |bits| drawn::shuffled(bits, rows, n, first))
    }

    /// Positions drawn with replacement, with the probability of each.
    pub fn choices(&mut self, chances: &Array, shape: &[usize]) -> Result<Array> {
        let chances = chances.astype(DType::F64)?.to_vec::<f64>()?;
        let bytes = checked_size(default_device()?, "choice", shape, size_of::<i64>())?;
        self.listed("choice", shape, |bits| {
            let mut uniform = try_filled(bytes / size_of::<i64>(), 0.0)?;
            bits.fill_uniform(&mut uniform)?;
            drawn::choose(&chances, &uniform)
        })
    }

    /// Distinct positions of a population.
    pub fn distinct(&mut self, population: i64, count: i64, shuffle: bool) -> Result<Array> {
        let length = usize::try_from(count).unwrap_or(0);
        self.listed("choice", &[length], |bits| drawn::distinct(bits, population, count, shuffle))
    }

    /// Positions drawn without replacement, with the probability of each.
    pub fn weighted_distinct(&mut self, chances: &Array, count: usize) -> Result<Array> {
        let chances = chances.astype(DType::F64)?.to_vec::<f64>()?;
        self.listed("choice", &[count], |bits| drawn::weighted_distinct(bits, &chances, count))
    }

    /// Counts of outcomes: `trials` of one row each, `chances` of one row for all or as many.
    pub fn multinomial(&mut self, pending: Pending<'_>, trials: &Array, chances: &Array) -> Result<Array> {
        let (op, outcomes) = ("multinomial", chances.shape().last().copied().unwrap_or(0));
        let trials = trials.astype(DType::I64)?.to_vec::<i64>()?;
        let values = chances.astype(DType::F64)?.contiguous()?.to_vec::<f64>()?;
        if chances.ndim() > 1 && values.len() != trials.len() * outcomes {
            return Err(Error::value(op, "trials and chances differ in number"));
        }
        let mut moved = Moved::new(self, &pending);
        let (bits, drawing) = moved.source();
        let chances =
            if chances.ndim() > 1 { Chances::Each(&values, outcomes) } else { Chances::Same(&values) };
        let counts = drawn::multinomial(bits, drawing, &trials, chances)?;
        let made = array_of(op, &[trials.len(), outcomes], DType::I64, &counts)?;
        moved.settle(self, pending);
        Ok(made)
    }

    /// Counts of colours in samples without replacement.
    pub fn multivariate_hypergeometric(
        &mut self,
        colors: &[i64],
        sample: i64,
        rows: usize,
        counting: bool,
    ) -> Result<Array> {
        self.listed("multivariate_hypergeometric", &[rows, colors.len()], |bits| {
            drawn::multivariate_hypergeometric(bits, colors, sample, rows, counting)
        })
    }

    /// Vectors of probabilities that add up to one: the Dirichlet distribution.
    pub fn dirichlet(&mut self, pending: Pending<'_>, alpha: &[f64], rows: usize) -> Result<Array> {
        let mut moved = Moved::new(self, &pending);
        let (bits, drawing) = moved.source();
        let vectors = drawn::dirichlet(bits, drawing, alpha, rows)?;
        let made = array_of("dirichlet", &[rows, alpha.len()], DType::F64, &vectors)?;
        moved.settle(self, pending);
        Ok(made)
    }

    fn listed(
        &mut self,
        op: &'static str,
        shape: &[usize],
        draw: impl FnOnce(&mut Bits) -> Result<Vec<i64>>,
    ) -> Result<Array> {
        let mut bits = self.bits.clone();
        let made = array_of(op, shape, DType::I64, &draw(&mut bits)?)?;
        self.bits = bits;
        Ok(made)
    }
}

/// Where a call has moved the generator, until it is certain that it succeeds.
struct Moved {
    bits: Bits,
    rules: Rules,
    pending: Option<Option<f64>>,
}

impl Moved {
    fn new(generator: &Sequential, pending: &Pending<'_>) -> Moved {
        let pending = pending.as_ref().map(|waiting| **waiting);
        Moved { bits: generator.bits.clone(), rules: generator.rules, pending }
    }

    fn source(&mut self) -> (&mut Bits, Drawing<'_>) {
        let drawing = match &mut self.pending {
            Some(pending) => Drawing::Legacy(self.rules, pending),
            None => Drawing::Generator(self.rules),
        };
        (&mut self.bits, drawing)
    }

    fn settle(self, generator: &mut Sequential, pending: Pending<'_>) {
        generator.bits = self.bits;
        if let (Some(target), Some(value)) = (pending, self.pending) {
            *target = value;
        }
    }
}

/// The array that `fill` writes block by block: `fill(at, out)` draws the elements from `at` on.
fn array<T: Plain>(
    op: &'static str,
    shape: &[usize],
    dtype: DType,
    block: usize,
    mut fill: impl FnMut(usize, &mut [T]) -> Result<()>,
) -> Result<Array> {
    let made = result(op, shape, dtype)?;
    let count = made.size();
    if count == 0 {
        return Ok(made);
    }
    let block = if made.device().kind() == DeviceKind::Cpu { block } else { block.max(TRANSFER_BLOCK) };
    let mut room = try_filled(block.min(count), T::default())?;
    let buffer = made.view().storage().force()?;
    let watch = Watch::start();
    for at in (0..count).step_by(block) {
        let part = &mut room[..block.min(count - at)];
        fill(at, part)?;
        made.device().upload(&buffer, at * size_of::<T>(), bytes_of(part))?;
        if watch.wants_stop() {
            return Err(Error::Interrupted);
        }
    }
    count_to_device(count * size_of::<T>());
    Ok(made)
}

fn array_of<T: Plain>(op: &'static str, shape: &[usize], dtype: DType, values: &[T]) -> Result<Array> {
    array(op, shape, dtype, values.len().max(1), |at, out: &mut [T]| {
        out.copy_from_slice(&values[at..at + out.len()]);
        Ok(())
    })
}

/// The same of integers of any width; `fill(at, n, out)`.
fn whole_array(
    shape: &[usize],
    dtype: DType,
    mut fill: impl FnMut(usize, usize, Integers<'_>) -> Result<()>,
) -> Result<Array> {
    filled_array(shape, dtype, &mut fill)
}

/// One function for all draws.
fn filled_array(
    shape: &[usize],
    dtype: DType,
    fill: &mut dyn FnMut(usize, usize, Integers<'_>) -> Result<()>,
) -> Result<Array> {
    // Draws of less than 32 bits share words, so that a call must be one fill.
    let all = shape.iter().product::<usize>().max(1);
    let op = "integers";
    match (dtype, dtype.size()) {
        (DType::Bool, _) => {
            array(op, shape, dtype, all, |at, out: &mut [u8]| fill(at, out.len(), Integers::Bool(out)))
        }
        (_, 1) => {
            array(op, shape, dtype, all, |at, out: &mut [u8]| fill(at, out.len(), Integers::Bits8(out)))
        }
        (_, 2) => {
            array(op, shape, dtype, all, |at, out: &mut [u16]| fill(at, out.len(), Integers::Bits16(out)))
        }
        (_, 4) => {
            array(op, shape, dtype, BLOCK, |at, out: &mut [u32]| fill(at, out.len(), Integers::Bits32(out)))
        }
        _ => array(op, shape, dtype, BLOCK, |at, out: &mut [u64]| fill(at, out.len(), Integers::Bits64(out))),
    }
}
