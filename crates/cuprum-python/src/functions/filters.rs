//! Filters of images and signals. The package checks arguments as SciPy does and puts the calls together.

use cuprum::ndimage::{self, Border, Extension};
use cuprum::{Array, DType, signal};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored, tuple_of};
use crate::convert::arguments::OptArg;
use crate::convert::{arguments, dtype, from_python};

fn extension(mode: &str) -> PyResult<Extension> {
    match mode {
        "reflect" => Ok(Extension::Reflect),
        "mirror" => Ok(Extension::Mirror),
        "nearest" => Ok(Extension::Nearest),
        "wrap" => Ok(Extension::Wrap),
        "constant" => Ok(Extension::Constant),
        other => Err(PyValueError::new_err(format!("boundary mode not supported: {other}"))),
    }
}

fn border(mode: &str, cval: f64) -> PyResult<Border> {
    Ok(Border { extension: extension(mode)?, fill: cval })
}

fn result_dtype(given: &Bound<'_, PyAny>, input: &Array) -> PyResult<DType> {
    Ok(dtype::optional(Some(given))?.unwrap_or(input.dtype()))
}

/// Sums of products with weights along an axis.
#[pyfunction]
fn correlate1d<'py>(
    input: &Bound<'py, PyAny>,
    weights: Vec<f64>,
    axis: i64,
    dtype: &Bound<'py, PyAny>,
    mode: &str,
    cval: f64,
    origin: i64,
) -> ArrayResult<'py> {
    let array = array_of(input)?;
    let (dtype, border) = (result_dtype(dtype, &array)?, border(mode, cval)?);
    stored(input.py(), None, |_| ndimage::correlate1d(&array, &weights, axis, dtype, border, origin))
}

type LineFilter = fn(&Array, usize, i64, DType, Border, i64) -> cuprum::Result<Array>;

/// Means, minima or maxima of neighbours along an axis, as `kind` says.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn line_filter<'py>(
    kind: &str,
    input: &Bound<'py, PyAny>,
    size: usize,
    axis: i64,
    dtype: &Bound<'py, PyAny>,
    mode: &str,
    cval: f64,
    origin: i64,
) -> ArrayResult<'py> {
    let filter: LineFilter = match kind {
        "uniform" => ndimage::uniform_filter1d,
        "minimum" => ndimage::minimum_filter1d,
        "maximum" => ndimage::maximum_filter1d,
        other => return Err(PyValueError::new_err(format!("no filter along an axis is called {other}"))),
    };
    let array = array_of(input)?;
    let (dtype, border) = (result_dtype(dtype, &array)?, border(mode, cval)?);
    stored(input.py(), None, |_| filter(&array, size, axis, dtype, border, origin))
}

/// Sums of products with an array of weights.
#[pyfunction]
fn correlate_window<'py>(
    input: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    mode: &str,
    cval: f64,
    origins: Vec<i64>,
) -> ArrayResult<'py> {
    let (array, weights) = (array_of(input)?, array_of(weights)?);
    let (dtype, border) = (result_dtype(dtype, &array)?, border(mode, cval)?);
    stored(input.py(), None, |_| ndimage::correlate(&array, &weights, dtype, border, &origins))
}

/// The element of a rank among those in a footprint.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn rank_filter<'py>(
    input: &Bound<'py, PyAny>,
    rank: usize,
    footprint: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    mode: &str,
    cval: f64,
    origins: Vec<i64>,
) -> ArrayResult<'py> {
    let (array, footprint) = (array_of(input)?, array_of(footprint)?);
    let (dtype, border) = (result_dtype(dtype, &array)?, border(mode, cval)?);
    stored(input.py(), None, |_| ndimage::rank_filter(&array, rank, &footprint, dtype, border, &origins))
}

/// The smallest or largest of the elements in a footprint, plus addends where they are given.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn extremum_filter<'py>(
    larger: bool,
    input: &Bound<'py, PyAny>,
    footprint: &Bound<'py, PyAny>,
    addends: OptArg<'_, 'py>,
    dtype: &Bound<'py, PyAny>,
    mode: &str,
    cval: f64,
    origins: Vec<i64>,
) -> ArrayResult<'py> {
    let (array, footprint) = (array_of(input)?, array_of(footprint)?);
    let addends = addends.filter(|a| !a.is_none()).map(array_of).transpose()?;
    let (dtype, border) = (result_dtype(dtype, &array)?, border(mode, cval)?);
    let filter = if larger { ndimage::maximum_filter } else { ndimage::minimum_filter };
    stored(input.py(), None, |_| filter(&array, &footprint, addends.as_ref(), dtype, border, &origins))
}

/// Sums of products in the arithmetic of the elements, wherever the weights may begin; without a fill there is nothing
/// beyond the ends.
#[pyfunction]
#[pyo3(signature = (input, weights, starts, shape, mode="constant", fill=None))]
fn sliding_products<'py>(
    input: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    starts: Vec<isize>,
    shape: &Bound<'py, PyAny>,
    mode: &str,
    fill: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (array, weights) = (array_of(input)?, array_of(weights)?);
    let (shape, extension) = (arguments::shape("sliding_products", shape)?, extension(mode)?);
    let fill = fill.filter(|f| !f.is_none());
    let fill =
        fill.map(|fill| from_python::array(fill, Some(array.dtype()), cuprum::Order::K)).transpose()?;
    stored(input.py(), None, |_| {
        let beyond = fill.as_ref().map(|fill| fill.scalar().map(|fill| (extension, fill))).transpose()?;
        signal::sliding_products(&array, &weights, &starts, &shape, beyond)
    })
}

/// The correlation of two real signals of one dimension.
#[pyfunction]
fn correlate_lines<'py>(a: &Bound<'py, PyAny>, v: &Bound<'py, PyAny>, overlap: &str) -> ArrayResult<'py> {
    let (py, a, v) = (a.py(), array_of(a)?, array_of(v)?);
    let overlap = match overlap {
        "full" => signal::Overlap::Full,
        "same" => signal::Overlap::Same,
        "valid" => signal::Overlap::Valid,
        other => {
            return Err(PyValueError::new_err(format!(
                "mode must be one of 'valid', 'same', or 'full' (got '{other}')"
            )));
        }
    };
    stored(py, None, |_| signal::correlate(&a, &v, overlap))
}

/// Recursive filters along an axis, one after the other: the result and the states after it.
#[pyfunction]
fn linear_filter<'py>(
    b: &Bound<'py, PyAny>,
    a: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    axis: usize,
    state: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (py, b, a, x, state) = (b.py(), array_of(b)?, array_of(a)?, array_of(x)?, array_of(state)?);
    let (y, last) = crate::gate::detached(py, || signal::linear_filter(&b, &a, &x, axis, &state))?;
    tuple_of(py, vec![y, last])
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(correlate1d, module)?)?;
    module.add_function(wrap_pyfunction!(line_filter, module)?)?;
    module.add_function(wrap_pyfunction!(correlate_window, module)?)?;
    module.add_function(wrap_pyfunction!(rank_filter, module)?)?;
    module.add_function(wrap_pyfunction!(extremum_filter, module)?)?;
    module.add_function(wrap_pyfunction!(sliding_products, module)?)?;
    module.add_function(wrap_pyfunction!(correlate_lines, module)?)?;
    module.add_function(wrap_pyfunction!(linear_filter, module)?)
}
