//! `out` arguments, and results that are the caller's own object where it gave one.

use cuprum::Array;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::NdArray;

/// An `out` argument: an array of ours, a tuple of one, or nothing.
pub fn single_out<'py>(out: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, NdArray>>> {
    let Some(out) = out.filter(|o| !o.is_none()) else { return Ok(None) };
    if let Ok(tuple) = out.cast::<PyTuple>() {
        if tuple.len() != 1 {
            return Err(PyValueError::new_err("The 'out' tuple must have exactly one entry"));
        }
        let only = tuple.get_item(0)?;
        return if only.is_none() { Ok(None) } else { array_out(&only).map(Some) };
    }
    array_out(out).map(Some)
}

/// An object that is to take a result: an array of ours, and no single element, in which the result would be lost.
pub fn array_out<'py>(out: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
    let Ok(array) = out.cast::<NdArray>() else {
        let class = out.get_type();
        return Err(PyTypeError::new_err(format!(
            "return arrays must be of type cuprum.ndarray, not {class}"
        )));
    };
    if array.get().is_element && !array.get().write_through(out.py()) {
        return Err(PyTypeError::new_err(
            "return arrays must be arrays, and a single element taken by an index is a copy: pass a view such as \
             a[i, ...]",
        ));
    }
    Ok(array.clone())
}

/// A result: the caller's own object where it gave one.
pub fn returned<'py>(
    py: Python<'py>,
    result: Array,
    out: Option<Bound<'py, NdArray>>,
) -> PyResult<Bound<'py, NdArray>> {
    out.map_or_else(|| NdArray::wrap(py, result), Ok)
}
