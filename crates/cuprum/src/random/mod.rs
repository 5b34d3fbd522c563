//! Random numbers: a [`Generator`] draws arrays from a Philox stream, the same ones on every device and with any number of threads.
//!
//! Raw words, `random`, `uniform` and `integers` are NumPy's own, bit for bit; other distributions are counter-based. Uniform
//! numbers that need not be NumPy's can be had by a lighter cipher ([`Cipher::Light`]), at the same places of the stream. A
//! [`Sequential`] draws all of NumPy's numbers by its other generators.

mod checks;
mod integers;
mod permutation;
mod sequential;

use cuprum_core::{Casting, DType, Dims, Error, Kind, Result, broadcast_shapes, show_shape};
use cuprum_graph::{Call, RandomCall, RandomParameter, Slot};
use cuprum_random::{counter_after, skip_draws, skip_halves, skip_words};

pub use cuprum_core::{Cipher, Distribution, Stream};
pub use cuprum_random::SeedSequence;
pub use cuprum_random::sequential::{Bits, Rules, State};
pub use sequential::Sequential;

use crate::call::run_call;
use crate::creation::checked_size;
use crate::device::check_devices;
use crate::{Array, default_device, manipulation};

/// A parameter of a distribution: a number, or an array that broadcasts with the result.
///
/// ```
/// use cuprum::Array;
/// use cuprum::random::{Distribution, Generator};
/// let means = Array::from_slice(&[0.0, 100.0]);
/// let drawn = Generator::new(1).draw(Distribution::Poisson, &[(&means).into()], None, None).unwrap();
/// assert_eq!(drawn.shape(), &[2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// One number for all draws.
    Number(f64),
    /// An array of numbers.
    Array(&'a Array),
}

impl From<f64> for Parameter<'_> {
    fn from(number: f64) -> Self {
        Parameter::Number(number)
    }
}

impl<'a> From<&'a Array> for Parameter<'a> {
    fn from(array: &'a Array) -> Self {
        Parameter::Array(array)
    }
}

/// A place in a stream of random words, and the draws made from there on.
///
/// ```
/// use cuprum::DType;
/// use cuprum::random::Generator;
/// let mut generator = Generator::new(12345);
/// // numpy.random.Generator(numpy.random.Philox(12345)).random(2)
/// let numbers = generator.random(&[2], DType::F64).unwrap();
/// assert_eq!(numbers.to_vec::<f64>().unwrap(), vec![0.42075435954078155, 0.6531709678504624]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    stream: Stream,
}

impl Generator {
    /// The generator of a seed: NumPy's `Generator(Philox(seed))`.
    pub fn new(seed: u64) -> Generator {
        let low = seed as u32;
        let high = (seed >> 32) as u32;
        let entropy = [low, high];
        Generator::from_seeds(&SeedSequence::new(if high == 0 { &entropy[..1] } else { &entropy }, &[], 4))
    }

    /// The generator of a seed sequence: NumPy's `Generator(Philox(seeds))`.
    ///
    /// ```
    /// use cuprum::random::{Generator, SeedSequence};
    /// assert_eq!(Generator::from_seeds(&SeedSequence::new(&[7], &[], 4)), Generator::new(7));
    /// ```
    pub fn from_seeds(seeds: &SeedSequence) -> Generator {
        let key = seeds.generate_wide(2);
        Generator { stream: Stream::new([key[0], key[1]], [0; 4]) }
    }

    /// The generator at a place in a stream.
    pub fn from_stream(stream: Stream) -> Generator {
        Generator { stream: Stream { taken: stream.taken.min(4), ..stream } }
    }

    /// The place in the stream.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Advances the stream by `blocks`, a 256-bit number of blocks of four words, and drops buffered words:
    /// `Philox.advance`.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// let mut generator = Generator::new(0);
    /// generator.advance([5, 0, 0, 0]);
    /// assert_eq!(generator.stream().counter[0], 5);
    /// ```
    pub fn advance(&mut self, blocks: [u64; 4]) {
        let counter = counter_after(self.stream.counter, blocks);
        self.stream = Stream::new(self.stream.key, counter);
    }

    /// A generator `jumps` times 2^128 blocks further on, far beyond what this one will draw: `Philox.jumped`.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// assert_eq!(Generator::new(0).jumped(2).stream().counter, [0, 0, 2, 0]);
    /// ```
    pub fn jumped(&self, jumps: u64) -> Generator {
        let mut other = self.clone();
        other.advance([0, 0, jumps, 0]);
        other
    }

    /// The raw words, as uint64: `Philox.random_raw`.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// assert_eq!(Generator::new(0).raw(&[4]).unwrap().shape(), &[4]);
    /// ```
    pub fn raw(&mut self, shape: &[usize]) -> Result<Array> {
        let out = result("random_raw", shape, DType::U64)?;
        if out.size() > 0 {
            run(&out, RandomCall::Raw { stream: &self.stream, out: &slot(&out)? })?;
        }
        skip_words(&mut self.stream, out.size() as u64);
        Ok(out)
    }

    /// Uniform numbers in [0, 1), float64 or float32.
    ///
    /// ```
    /// use cuprum::DType;
    /// use cuprum::random::Generator;
    /// let numbers = Generator::new(0).random(&[2, 3], DType::F32).unwrap();
    /// assert_eq!((numbers.shape(), numbers.dtype()), (&[2, 3][..], DType::F32));
    /// ```
    pub fn random(&mut self, shape: &[usize], dtype: DType) -> Result<Array> {
        self.random_by(Cipher::Wide, shape, dtype)
    }

    /// As [`Generator::random`], with a choice of cipher; the stream advances equally with each.
    ///
    /// ```
    /// use cuprum::DType;
    /// use cuprum::random::{Cipher, Generator};
    /// let (mut wide, mut light) = (Generator::new(0), Generator::new(0));
    /// let a = wide.random(&[3], DType::F64).unwrap();
    /// let b = light.random_by(Cipher::Light, &[3], DType::F64).unwrap();
    /// assert_ne!(a.to_vec::<f64>().unwrap(), b.to_vec::<f64>().unwrap());
    /// assert_eq!(wide, light);
    /// ```
    pub fn random_by(&mut self, cipher: Cipher, shape: &[usize], dtype: DType) -> Result<Array> {
        if !matches!(dtype, DType::F32 | DType::F64) {
            return Err(unsupported("random", dtype));
        }
        let out = result("random", shape, dtype)?;
        if out.size() > 0 {
            run(&out, RandomCall::Uniform { stream: &self.stream, cipher, out: &slot(&out)? })?;
        }
        match dtype {
            DType::F32 => skip_halves(&mut self.stream, out.size() as u64),
            _ => skip_words(&mut self.stream, out.size() as u64),
        }
        Ok(out)
    }

    /// Normal variates of mean 0 and deviation 1, float64.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// assert_eq!(Generator::new(0).standard_normal(&[3]).unwrap().shape(), &[3]);
    /// ```
    pub fn standard_normal(&mut self, shape: &[usize]) -> Result<Array> {
        self.draw(Distribution::Normal, &[0.0.into(), 1.0.into()], Some(shape), None)
    }

    /// Normal variates, float64.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// let heights = Generator::new(0).normal(1.75, 0.1, &[1000]).unwrap();
    /// assert!(heights.to_vec::<f64>().unwrap().iter().all(|h| (1.0..2.5).contains(h)));
    /// ```
    pub fn normal(&mut self, loc: f64, scale: f64, shape: &[usize]) -> Result<Array> {
        self.draw(Distribution::Normal, &[loc.into(), scale.into()], Some(shape), None)
    }

    /// Uniform numbers from `low` up to, but without, `high`, float64.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// let angles = Generator::new(0).uniform(-3.0, 3.0, &[1000]).unwrap();
    /// assert!(angles.to_vec::<f64>().unwrap().iter().all(|a| (-3.0..3.0).contains(a)));
    /// ```
    pub fn uniform(&mut self, low: f64, high: f64, shape: &[usize]) -> Result<Array> {
        self.draw(Distribution::Uniform, &[low.into(), high.into()], Some(shape), None)
    }

    /// Draws of a distribution. The shape is that of the parameters where none is given; the dtype is float64, or int64 where draws
    /// are counts.
    ///
    /// ```
    /// use cuprum::random::{Distribution, Generator};
    /// let mut generator = Generator::new(0);
    /// let waits = generator.draw(Distribution::Gamma, &[2.0.into(), 3.0.into()], Some(&[100]), None).unwrap();
    /// assert!(waits.to_vec::<f64>().unwrap().iter().all(|wait| *wait > 0.0));
    /// assert!(generator.draw(Distribution::Gamma, &[(-1.0).into(), 3.0.into()], None, None).is_err());
    /// ```
    pub fn draw(
        &mut self,
        distribution: Distribution,
        parameters: &[Parameter<'_>],
        shape: Option<&[usize]>,
        dtype: Option<DType>,
    ) -> Result<Array> {
        self.draw_by(Cipher::Wide, distribution, parameters, shape, dtype)
    }

    /// As [`Generator::draw`], with a choice of cipher for distributions that are a formula of one word; the stream
    /// advances equally with each.
    ///
    /// ```
    /// use cuprum::random::{Cipher, Distribution, Generator};
    /// let (mut generator, ends) = (Generator::new(0), [5.0.into(), 6.0.into()]);
    /// let drawn = generator.draw_by(Cipher::Light, Distribution::Uniform, &ends, Some(&[100]), None).unwrap();
    /// assert!(drawn.to_vec::<f64>().unwrap().iter().all(|x| (5.0..6.0).contains(x)));
    /// ```
    pub fn draw_by(
        &mut self,
        cipher: Cipher,
        distribution: Distribution,
        parameters: &[Parameter<'_>],
        shape: Option<&[usize]>,
        dtype: Option<DType>,
    ) -> Result<Array> {
        let name = distribution.row().name;
        let CheckedDraw { dtype, shape, values } = CheckedDraw::new(distribution, parameters, shape, dtype)?;
        let out = result(name, &shape, dtype)?;
        check_devices(name, std::iter::once(&out).chain(values.iter().filter_map(ParameterValues::array)))?;
        if out.size() > 0 {
            let parameters = values.iter().map(bound).collect::<Result<Vec<_>>>()?;
            let (stream, parameters) = (&self.stream, &parameters[..]);
            let out_slot = slot(&out)?;
            run(&out, RandomCall::Draw { stream, cipher, distribution, parameters, out: &out_slot })?;
        }
        skip_draws(&mut self.stream, distribution, out.size(), dtype == DType::F32);
        Ok(out)
    }
}

/// A parameter as wide as the result.
enum ParameterValues {
    Number(f64),
    Array(Array),
}

impl ParameterValues {
    fn array(&self) -> Option<&Array> {
        match self {
            ParameterValues::Array(array) => Some(array),
            ParameterValues::Number(_) => None,
        }
    }
}

/// What a draw of a distribution makes, once its arguments are checked.
struct CheckedDraw {
    dtype: DType,
    shape: Dims,
    values: Vec<ParameterValues>,
}

impl CheckedDraw {
    fn new(
        distribution: Distribution,
        parameters: &[Parameter<'_>],
        shape: Option<&[usize]>,
        dtype: Option<DType>,
    ) -> Result<CheckedDraw> {
        let row = distribution.row();
        let default = if row.discrete { DType::I64 } else { DType::F64 };
        let dtype = dtype.unwrap_or(default);
        if !(dtype == default || (dtype == DType::F32 && !row.discrete)) {
            return Err(unsupported(row.name, dtype));
        }
        if parameters.len() != row.parameters.len() {
            let message = format!("takes {} parameters, got {}", row.parameters.len(), parameters.len());
            return Err(Error::type_error(row.name, message));
        }
        let shape = drawn_shape(row.name, parameters, shape)?;
        let values = parameters
            .iter()
            .map(|p| broadcast_parameter(row.name, *p, &shape))
            .collect::<Result<Vec<_>>>()?;
        check_devices(row.name, values.iter().filter_map(ParameterValues::array))?;
        checks::check(distribution, &values)?;
        Ok(CheckedDraw { dtype, shape, values })
    }
}

fn broadcast_parameter(
    op: &'static str,
    parameter: Parameter<'_>,
    shape: &[usize],
) -> Result<ParameterValues> {
    match parameter {
        Parameter::Array(array) if array.dtype().kind() == Kind::Complex => {
            let (from, to, casting) = (array.dtype(), DType::F64, Casting::SameKind);
            Err(Error::Cast { op: op.into(), from, to, casting })
        }
        Parameter::Number(number) => Ok(ParameterValues::Number(number)),
        // An array of one element is a number, which is cheaper to draw with.
        Parameter::Array(array) if array.size() == 1 => {
            Ok(ParameterValues::Number(array.astype(DType::F64)?.item::<f64>()?))
        }
        Parameter::Array(array) => {
            let wide = manipulation::broadcast_to(&array.astype(DType::F64)?, shape)?;
            Ok(ParameterValues::Array(wide.contiguous()?))
        }
    }
}

fn bound(values: &ParameterValues) -> Result<RandomParameter> {
    Ok(match values {
        ParameterValues::Number(number) => RandomParameter::Same(*number),
        ParameterValues::Array(array) => RandomParameter::Each(slot(array)?),
    })
}

/// The shape of draws: what was asked for, or what the parameters broadcast to; the latter must fit the former.
fn drawn_shape(op: &'static str, parameters: &[Parameter<'_>], asked: Option<&[usize]>) -> Result<Dims> {
    let shapes: Vec<&[usize]> = parameters
        .iter()
        .filter_map(|p| match p {
            Parameter::Array(array) => Some(array.shape()),
            Parameter::Number(_) => None,
        })
        .collect();
    fitting_shape(op, &shapes, asked)
}

fn fitting_shape(op: &'static str, shapes: &[&[usize]], asked: Option<&[usize]>) -> Result<Dims> {
    let common = broadcast_shapes(op, shapes)?;
    let Some(asked) = asked else { return Ok(common) };
    let together = broadcast_shapes(op, &[&common, asked]);
    if together.is_ok_and(|shape| shape[..] == *asked) {
        return Ok(asked.into());
    }
    let message = format!(
        "output size {} is not compatible with broadcast dimensions of inputs {}",
        show_shape(asked),
        show_shape(&common)
    );
    Err(Error::value(op, message))
}

fn unsupported(op: &'static str, dtype: DType) -> Error {
    Error::type_error(op, format!("unsupported dtype {dtype}"))
}

/// Memory for a result.
fn result(op: &'static str, shape: &[usize], dtype: DType) -> Result<Array> {
    let device = default_device()?;
    checked_size(device, op, shape, dtype.size())?;
    Array::uninitialized(device, cuprum_core::Layout::contiguous(shape, dtype.size()), dtype)
}

/// The memory of an array, for a call.
fn slot(array: &Array) -> Result<Slot> {
    array.view().slot()
}

/// Runs a call on the device of its result.
fn run(out: &Array, call: RandomCall<'_>) -> Result<()> {
    run_call(out.device(), &Call::Random(call))
}
