//! Sparse matrices: products, and elements by lines.

use cuprum::sparse;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored, tuple_of};
use crate::gate;

/// The product of a sparse matrix in compressed rows with a dense matrix.
#[pyfunction]
fn sparse_product<'py>(
    starts: &Bound<'py, PyAny>,
    columns: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
) -> ArrayResult<'py> {
    let (rows, places) = (array_of(starts)?, array_of(columns)?);
    let (elements, dense) = (array_of(values)?, array_of(x)?);
    stored(x.py(), None, |_| sparse::product(&rows, &places, &elements, &dense))
}

/// The product of a transposed sparse matrix in compressed rows with a vector.
#[pyfunction]
fn sparse_transposed_product<'py>(
    starts: &Bound<'py, PyAny>,
    columns: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    width: usize,
) -> ArrayResult<'py> {
    let (rows, places) = (array_of(starts)?, array_of(columns)?);
    let (elements, dense) = (array_of(values)?, array_of(x)?);
    stored(x.py(), None, |_| sparse::transposed_product(&rows, &places, &elements, &dense, width))
}

/// The elements of a sparse matrix in the order of their lines: starts, places and values. Places are those of each
/// element or, with `are_starts`, where the elements of each place begin.
#[pyfunction]
fn sparse_group<'py>(
    lines: &Bound<'py, PyAny>,
    places: &Bound<'py, PyAny>,
    are_starts: bool,
    values: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = values.py();
    let (lines, places, values) = (array_of(lines)?, array_of(places)?, array_of(values)?);
    let known = if are_starts { sparse::Places::Starts(&places) } else { sparse::Places::Listed(&places) };
    let parts = gate::detached(py, || sparse::group(&lines, known, &values, count))?;
    tuple_of(py, parts.into())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sparse_product, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_transposed_product, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_group, module)?)
}
