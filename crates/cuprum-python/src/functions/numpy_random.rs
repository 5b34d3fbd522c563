//! The streams behind NumPy's sequential bit generators: the same numbers as NumPy's, drawn by the host.

use std::sync::{Arc, Mutex, MutexGuard};

use cuprum::random::{Bits, Rules, Sequential, State};
use cuprum::{Array, Result};
use pyo3::prelude::*;

use super::random::{DrawArguments, IntegerArguments, shape_and_dtype};
use super::{ArrayResult, OptArg, array_of};
use crate::convert::arguments;
use crate::gate;
use crate::ndarray::NdArray;

/// A sequential stream that threads can share: each call draws as if it were alone.
///
/// Where it is a RandomState's, draws are those of RandomState, and `pending` holds the second normal variate of a pair.
#[pyclass(module = "cuprum._core", frozen)]
pub struct SequentialStream {
    inner: Arc<Mutex<Sequential>>,
    pending: Option<Mutex<Option<f64>>>,
}

impl SequentialStream {
    fn lock(&self) -> MutexGuard<'_, Sequential> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Draws with the GIL released; the locks are taken after that, since their holder may ask for the GIL.
    fn drawn<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut Sequential, Option<&mut Option<f64>>) -> Result<Array> + Send,
    ) -> ArrayResult<'py> {
        let array = gate::detached(py, || {
            let mut pending = self.pending.as_ref().map(|p| p.lock().unwrap_or_else(|e| e.into_inner()));
            work(&mut self.lock(), pending.as_deref_mut())
        })?;
        NdArray::wrap(py, array)
    }

    fn changed(&self, py: Python<'_>, work: impl FnOnce(&mut Bits) -> Result<()> + Send) -> PyResult<()> {
        gate::detached(py, || work(self.lock().bits_mut()))
    }

    fn is_legacy(&self) -> bool {
        self.pending.is_some()
    }
}

#[pymethods]
impl SequentialStream {
    /// The stream of a bit generator by its name and words of seed; `corrected` chooses the binomials of NumPy 2.5 and later.
    #[new]
    fn new(py: Python<'_>, name: &str, seed: Vec<u64>, corrected: bool) -> PyResult<SequentialStream> {
        let bits = gate::detached(py, || match name {
            "PCG64" => Bits::pcg64(&seed),
            "PCG64DXSM" => Bits::pcg64dxsm(&seed),
            "SFC64" => Bits::sfc64(&seed),
            _ => Bits::mt19937(&seed.iter().map(|word| *word as u32).collect::<Vec<_>>()),
        })?;
        let generator = Sequential::new(bits, Rules { corrected_binomials: corrected });
        Ok(SequentialStream { inner: Arc::new(Mutex::new(generator)), pending: None })
    }

    /// The same stream, drawn from as RandomState does.
    fn legacy(&self) -> SequentialStream {
        SequentialStream { inner: Arc::clone(&self.inner), pending: Some(Mutex::new(None)) }
    }

    /// Seeds MT19937 as RandomState does, by one word or by several.
    fn seed_legacy(&self, py: Python<'_>, words: Vec<u32>, single: bool) -> PyResult<()> {
        self.changed(py, |bits| {
            *bits = match words[..] {
                [word] if single => Bits::mt19937_of_word(word),
                _ => Bits::mt19937_of_words(&words)?,
            };
            Ok(())
        })
    }

    /// Words, whether half a word is pending, that half, and the position in the batch.
    fn state(&self, py: Python<'_>) -> PyResult<(Vec<u64>, bool, u32, usize)> {
        let State { words, has_half, half, position } =
            gate::detached(py, || Ok(self.lock().bits().state()))?;
        Ok((words, has_half, half, position))
    }

    fn set_state(
        &self,
        py: Python<'_>,
        words: Vec<u64>,
        has_half: bool,
        half: u32,
        position: usize,
    ) -> PyResult<()> {
        self.changed(py, |bits| bits.set_state(&State { words, has_half, half, position }))
    }

    /// The second normal variate of a pair, where it waits.
    fn pending(&self) -> Option<f64> {
        self.pending.as_ref().and_then(|p| *p.lock().unwrap_or_else(|e| e.into_inner()))
    }

    fn set_pending(&self, value: Option<f64>) {
        if let Some(pending) = &self.pending {
            *pending.lock().unwrap_or_else(|e| e.into_inner()) = value;
        }
    }

    /// Moves a PCG on by a number of words, given in two halves.
    fn advance(&self, py: Python<'_>, high: u64, low: u64) -> PyResult<()> {
        self.changed(py, |bits| bits.advance(u128::from(high) << 64 | u128::from(low)))
    }

    /// Moves a PCG past words that are drawn elsewhere, and gives the state before; half a word that waits goes on waiting.
    fn take(&self, py: Python<'_>, count: u64) -> PyResult<Vec<u64>> {
        gate::detached(py, || {
            let mut generator = self.lock();
            let before = generator.bits().state();
            generator.bits_mut().advance(u128::from(count))?;
            let after = State { words: generator.bits().state().words, ..before.clone() };
            generator.bits_mut().set_state(&after)?;
            Ok(before.words)
        })
    }

    fn jump(&self, py: Python<'_>, high: u64, low: u64) -> PyResult<()> {
        self.changed(py, |bits| bits.jump(u128::from(high) << 64 | u128::from(low)))
    }

    /// Raw words.
    fn raw<'py>(&self, shape: &Bound<'py, PyAny>) -> ArrayResult<'py> {
        let dims = arguments::shape("random_raw", shape)?;
        self.drawn(shape.py(), |generator, _| generator.raw(&dims))
    }

    /// Uniform numbers; there is no light cipher.
    #[pyo3(signature = (shape, dtype, _light = false))]
    fn random<'py>(
        &self,
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        _light: bool,
    ) -> ArrayResult<'py> {
        let (dims, dtype) = shape_and_dtype("random", shape, dtype)?;
        self.drawn(shape.py(), |generator, _| generator.random(&dims, dtype))
    }

    /// Exponential numbers by inversion.
    fn exponential_inverse<'py>(
        &self,
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
    ) -> ArrayResult<'py> {
        let (dims, dtype) = shape_and_dtype("standard_exponential", shape, dtype)?;
        self.drawn(shape.py(), |generator, _| generator.exponential_inverse(&dims, dtype))
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
        let masked = self.is_legacy();
        self.drawn(shape.py(), |generator, _| generator.integers(masked, low, high, &dims, dtype))
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
        let masked = self.is_legacy();
        self.drawn(low.py(), |generator, _| {
            generator.integers_between(masked, &first, &last, endpoint, dims.as_deref(), dtype)
        })
    }

    /// Draws of the distribution that NumPy has under this name.
    #[pyo3(signature = (name, parameters, shape, dtype, _light = false))]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        parameters: Vec<Bound<'py, PyAny>>,
        shape: OptArg<'_, 'py>,
        dtype: OptArg<'_, 'py>,
        _light: bool,
    ) -> ArrayResult<'py> {
        let given = DrawArguments::new(name, &parameters, shape, dtype)?;
        self.drawn(py, |generator, pending| {
            let dims = given.dims.as_deref();
            generator.draw(pending, given.distribution, &given.parameters(), dims, given.dtype)
        })
    }

    /// Orders of `0..n` as shuffles leave them, one a row; `first` is the last place that is swapped.
    fn orders<'py>(&self, py: Python<'py>, rows: usize, n: usize, first: usize) -> ArrayResult<'py> {
        self.drawn(py, |generator, _| generator.orders(rows, n, first))
    }

    /// Positions by their chances.
    fn choices<'py>(&self, chances: &Bound<'py, PyAny>, shape: &Bound<'py, PyAny>) -> ArrayResult<'py> {
        let (chances, dims) = (array_of(chances)?, arguments::shape("choice", shape)?);
        self.drawn(shape.py(), |generator, _| generator.choices(&chances, &dims))
    }

    /// Distinct positions of a population.
    fn distinct<'py>(&self, py: Python<'py>, population: i64, count: i64, shuffle: bool) -> ArrayResult<'py> {
        self.drawn(py, |generator, _| generator.distinct(population, count, shuffle))
    }

    /// Distinct positions by their chances.
    fn weighted_distinct<'py>(&self, chances: &Bound<'py, PyAny>, count: usize) -> ArrayResult<'py> {
        let (py, chances) = (chances.py(), array_of(chances)?);
        self.drawn(py, |generator, _| generator.weighted_distinct(&chances, count))
    }

    /// Counts of outcomes, a row of trials each.
    fn multinomial<'py>(&self, trials: &Bound<'py, PyAny>, chances: &Bound<'py, PyAny>) -> ArrayResult<'py> {
        let py = trials.py();
        let (trials, chances) = (array_of(trials)?, array_of(chances)?);
        self.drawn(py, |generator, pending| generator.multinomial(pending, &trials, &chances))
    }

    /// Counts of colours.
    fn multivariate_hypergeometric<'py>(
        &self,
        py: Python<'py>,
        colors: Vec<i64>,
        sample: i64,
        rows: usize,
        counting: bool,
    ) -> ArrayResult<'py> {
        self.drawn(py, |generator, _| generator.multivariate_hypergeometric(&colors, sample, rows, counting))
    }

    /// Vectors of chances.
    fn dirichlet<'py>(&self, py: Python<'py>, alpha: Vec<f64>, rows: usize) -> ArrayResult<'py> {
        self.drawn(py, |generator, pending| generator.dirichlet(pending, &alpha, rows))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SequentialStream>()
}
