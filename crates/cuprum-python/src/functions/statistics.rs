//! Counting, histograms and interpolation.

use cuprum::{Number, statistics};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyComplex;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored};
use crate::convert::arguments;
use crate::convert::arguments::OptArg;

/// How often each non-negative integer occurs.
#[pyfunction]
#[pyo3(signature = (x, weights=None, minlength=None))]
fn bincount<'py>(
    x: &Bound<'py, PyAny>,
    weights: OptArg<'_, 'py>,
    minlength: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let values = array_of(x)?;
    let weights = weights.filter(|w| !w.is_none()).map(array_of).transpose()?;
    let minlength = minlength.map_or(Ok(0), arguments::integer)?;
    let minlength = usize::try_from(minlength).map_err(|_| {
        PyValueError::new_err(format!("bincount: minlength must not be negative, got {minlength}"))
    })?;
    stored(x.py(), None, |_| statistics::bincount(&values, weights.as_ref(), minlength))
}

/// How many values lie between each two edges.
#[pyfunction]
#[pyo3(signature = (a, edges, weights=None))]
fn histogram_counts<'py>(
    a: &Bound<'py, PyAny>,
    edges: &Bound<'py, PyAny>,
    weights: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (values, edges) = (array_of(a)?, array_of(edges)?);
    let weights = weights.filter(|w| !w.is_none()).map(array_of).transpose()?;
    stored(a.py(), None, |_| statistics::histogram_counts(&values, &edges, weights.as_ref()))
}

/// A real or complex number.
fn number(object: &Bound<'_, PyAny>) -> PyResult<Number> {
    if let Ok(complex) = object.cast::<PyComplex>() {
        return Ok(Number::Complex(complex.real(), complex.imag()));
    }
    object.extract::<f64>().map(Number::Float)
}

/// Straight lines between points.
#[pyfunction]
#[pyo3(signature = (x, xp, fp, left=None, right=None))]
fn interp<'py>(
    x: &Bound<'py, PyAny>,
    xp: &Bound<'py, PyAny>,
    fp: &Bound<'py, PyAny>,
    left: OptArg<'_, 'py>,
    right: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (at, points, values) = (array_of(x)?, array_of(xp)?, array_of(fp)?);
    let optional = |o: OptArg<'_, 'py>| o.filter(|o| !o.is_none()).map(number).transpose();
    let (left, right) = (optional(left)?, optional(right)?);
    stored(x.py(), None, |_| statistics::interp(&at, &points, &values, left, right))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(bincount, module)?)?;
    module.add_function(wrap_pyfunction!(histogram_counts, module)?)?;
    module.add_function(wrap_pyfunction!(interp, module)?)
}
