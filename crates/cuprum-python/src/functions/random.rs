//! Random numbers: the stream behind `cuprum.random`'s bit generators, and the mixing of seeds.

use std::sync::{Mutex, MutexGuard};

use cuprum::random::{Cipher, Distribution, Generator, Parameter, SeedSequence, Stream};
use cuprum::{Array, DType, Result};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of};
use crate::convert::arguments::OptArg;
use crate::convert::from_python::{self, PyOperand};
use crate::convert::{arguments, dtype};
use crate::gate;
use crate::ndarray::NdArray;

/// A stream's state as NumPy's `Philox` shows it: counter, key, buffer, its position, and the pending 32 bits.
type PhiloxState = ([u64; 4], [u64; 2], [u64; 4], usize, bool, u32);

/// A Philox stream that threads can share: each call draws as if it were alone.
#[pyclass(module = "cuprum._core", frozen)]
pub struct RandomStream {
    inner: Mutex<Generator>,
}

impl RandomStream {
    fn lock(&self) -> MutexGuard<'_, Generator> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Draws with the GIL released; the lock is taken after that, since its holder may ask for the GIL.
    fn drawn<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut Generator) -> Result<Array> + Send,
    ) -> ArrayResult<'py> {
        let array = gate::detached(py, || work(&mut self.lock()))?;
        NdArray::wrap(py, array)
    }
}

#[pymethods]
impl RandomStream {
    #[new]
    fn new(key: [u64; 2], counter: [u64; 4]) -> RandomStream {
        RandomStream { inner: Mutex::new(Generator::from_stream(Stream::new(key, counter))) }
    }

    /// Counter, key, buffer, the position in it, whether 32 bits are pending, and they.
    fn state(&self, py: Python<'_>) -> PyResult<PhiloxState> {
        let stream = gate::detached(py, || Ok(*self.lock().stream()))?;
        Ok((stream.counter, stream.key, stream.lead, stream.taken, stream.has_half, stream.half))
    }

    fn set_state(&self, py: Python<'_>, state: PhiloxState) -> PyResult<()> {
        let (counter, key, lead, taken, has_half, half) = state;
        if taken > 4 {
            return Err(PyValueError::new_err(format!("state: buffer_pos must be at most 4, got {taken}")));
        }
        let generator = Generator::from_stream(Stream { key, counter, lead, taken, has_half, half });
        gate::detached(py, || {
            *self.lock() = generator;
            Ok(())
        })
    }

    /// Moves on by blocks of four words.
    fn advance(&self, py: Python<'_>, blocks: [u64; 4]) -> PyResult<()> {
        gate::detached(py, || {
            self.lock().advance(blocks);
            Ok(())
        })
    }

    /// Raw words.
    fn raw<'py>(&self, shape: &Bound<'py, PyAny>) -> ArrayResult<'py> {
        let dims = arguments::shape("random_raw", shape)?;
        self.drawn(shape.py(), |generator| generator.raw(&dims))
    }

    /// Uniform numbers, by the light cipher or NumPy's.
    fn random<'py>(
        &self,
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        light: bool,
    ) -> ArrayResult<'py> {
        let (dims, dtype) = shape_and_dtype("random", shape, dtype)?;
        self.drawn(shape.py(), |generator| generator.random_by(cipher(light), &dims, dtype))
    }

    /// Integers from `low` to `high`, both included.
    fn integers<'py>(
        &self,
        low: i128,
        high: i128,
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
    ) -> ArrayResult<'py> {
        let (dims, dtype) = shape_and_dtype("integers", shape, dtype)?;
        self.drawn(shape.py(), |generator| generator.integers(low, high, &dims, dtype))
    }

    /// Integers with bounds for each element.
    fn integers_between<'py>(
        &self,
        low: &Bound<'py, PyAny>,
        high: &Bound<'py, PyAny>,
        endpoint: bool,
        shape: OptArg<'_, 'py>,
        dtype: &Bound<'py, PyAny>,
    ) -> ArrayResult<'py> {
        let IntegerArguments { first, last, dims, dtype } = IntegerArguments::new(low, high, shape, dtype)?;
        self.drawn(low.py(), |generator| {
            generator.integers_between(&first, &last, endpoint, dims.as_deref(), dtype)
        })
    }

    /// Draws of the distribution that NumPy's Generator has under this name; `light` as for `random`, where an element is a
    /// formula of one word.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        parameters: Vec<Bound<'py, PyAny>>,
        shape: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        light: bool,
    ) -> ArrayResult<'py> {
        let given = DrawArguments::new(name, &parameters, shape, dtype)?;
        self.drawn(py, |generator| {
            let dims = given.dims.as_deref();
            generator.draw_by(cipher(light), given.distribution, &given.parameters(), dims, given.dtype)
        })
    }

    /// Random orders of `0..n`, one a row.
    fn orders<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        n: usize,
        weights: OptArg<'_, 'py>,
    ) -> ArrayResult<'py> {
        let weights = weights.filter(|w| !w.is_none()).map(array_of).transpose()?;
        self.drawn(py, |generator| generator.orders(rows, n, weights.as_ref()))
    }

    /// Indices by a cumulative distribution.
    fn choices<'py>(&self, cumulative: &Bound<'py, PyAny>, shape: &Bound<'py, PyAny>) -> ArrayResult<'py> {
        let (cumulative, dims) = (array_of(cumulative)?, arguments::shape("choice", shape)?);
        self.drawn(shape.py(), |generator| generator.choices(&cumulative, &dims))
    }

    /// Counts of outcomes.
    fn multinomial<'py>(
        &self,
        trials: &Bound<'py, PyAny>,
        chances: &Bound<'py, PyAny>,
        rows: usize,
    ) -> ArrayResult<'py> {
        let py = trials.py();
        let (trials, chances) = (array_of(trials)?, array_of(chances)?);
        self.drawn(py, |generator| generator.multinomial(&trials, &chances, rows))
    }
}

fn cipher(light: bool) -> Cipher {
    if light { Cipher::Light } else { Cipher::Wide }
}

/// The shape and the dtype of what is drawn.
pub(super) fn shape_and_dtype(
    op: &str,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
) -> PyResult<(arguments::ShapeArgument, DType)> {
    Ok((arguments::shape(op, shape)?, dtype::from_python(dtype)?))
}

/// What a draw of integers with bounds for each element is given.
pub(super) struct IntegerArguments {
    pub first: Array,
    pub last: Array,
    pub dims: Option<arguments::ShapeArgument>,
    pub dtype: DType,
}

impl IntegerArguments {
    pub fn new(
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
        shape: OptArg<'_, '_>,
        dtype: &Bound<'_, PyAny>,
    ) -> PyResult<IntegerArguments> {
        let (first, last) = (array_of(low)?, array_of(high)?);
        let (dims, dtype) = (optional_shape("integers", shape)?, dtype::from_python(dtype)?);
        Ok(IntegerArguments { first, last, dims, dtype })
    }
}

/// What a draw of a distribution is given.
pub(super) struct DrawArguments {
    pub distribution: Distribution,
    given: Vec<GivenParameter>,
    pub dims: Option<arguments::ShapeArgument>,
    pub dtype: Option<DType>,
}

impl DrawArguments {
    /// The arguments of the distribution that NumPy has under this name.
    pub fn new(
        name: &str,
        parameters: &[Bound<'_, PyAny>],
        shape: OptArg<'_, '_>,
        dtype: OptArg<'_, '_>,
    ) -> PyResult<DrawArguments> {
        let Some(distribution) = Distribution::from_name(name) else {
            return Err(PyValueError::new_err(format!("there is no distribution {name}")));
        };
        let given = parameters.iter().map(|p| parameter(name, p)).collect::<PyResult<Vec<_>>>()?;
        let (dims, dtype) = (optional_shape(name, shape)?, dtype::optional(dtype)?);
        Ok(DrawArguments { distribution, given, dims, dtype })
    }

    pub fn parameters(&self) -> Vec<Parameter<'_>> {
        let parameter = |given| match given {
            &GivenParameter::Number(number) => Parameter::Number(number),
            GivenParameter::Array(array) => Parameter::Array(array),
        };
        self.given.iter().map(parameter).collect()
    }
}

/// A parameter as it was given.
enum GivenParameter {
    Number(f64),
    Array(Array),
}

fn parameter(op: &str, object: &Bound<'_, PyAny>) -> PyResult<GivenParameter> {
    let py = object.py();
    if let Ok(array) = object.cast::<NdArray>() {
        return Ok(GivenParameter::Array(array.get().array(py)));
    }
    if object.is_instance_of::<PyString>() {
        // A text that is no number is a ValueError of Python's, any other a TypeError, as in NumPy.
        py.get_type::<PyFloat>().call1((object,))?;
        return Err(PyTypeError::new_err(format!("{op}: parameters must be real numbers, got {object:?}")));
    }
    match gate::named(py, op, from_python::operand(object))? {
        PyOperand::Array(array) => Ok(GivenParameter::Array(array)),
        PyOperand::Number(_) | PyOperand::Scalar(_) => match object.extract::<f64>() {
            Ok(number) => Ok(GivenParameter::Number(number)),
            Err(_) => {
                Err(PyTypeError::new_err(format!("{op}: parameters must be real numbers, got {object}")))
            }
        },
    }
}

fn optional_shape(op: &str, shape: OptArg<'_, '_>) -> PyResult<Option<arguments::ShapeArgument>> {
    shape.filter(|s| !s.is_none()).map(|shape| arguments::shape(op, shape)).transpose()
}

/// Mixes entropy and a spawn key into a pool: `SeedSequence`'s first half.
#[pyfunction]
fn seed_pool(entropy: Vec<u32>, spawn_key: Vec<u32>, size: usize) -> Vec<u32> {
    SeedSequence::new(&entropy, &spawn_key, size).pool().to_vec()
}

/// Words of state from a pool: its second half.
#[pyfunction]
fn seed_words(pool: Vec<u32>, count: usize) -> Vec<u32> {
    SeedSequence::from_pool(pool).generate(count)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RandomStream>()?;
    module.add_function(wrap_pyfunction!(seed_pool, module)?)?;
    module.add_function(wrap_pyfunction!(seed_words, module)?)
}
