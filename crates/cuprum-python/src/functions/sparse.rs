//! Sparse matrices: products, elements by lines, and what is made of two matrices.

use cuprum::{Array, Op, sparse};
use pyo3::exceptions::PyValueError;
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

/// Starts, columns and values of a matrix in compressed rows.
struct Parts([Array; 3]);

impl Parts {
    fn of(matrix: &Bound<'_, PyTuple>) -> PyResult<Parts> {
        let part = |at: usize| array_of(&matrix.get_item(at)?);
        Ok(Parts([part(0)?, part(1)?, part(2)?]))
    }

    fn rows(&self) -> sparse::Rows<'_> {
        sparse::Rows { starts: &self.0[0], columns: &self.0[1], values: &self.0[2] }
    }
}

fn made(py: Python<'_>, pair: sparse::Pair) -> PyResult<Bound<'_, PyTuple>> {
    tuple_of(py, vec![pair.starts, pair.columns, pair.values])
}

/// The product of two sparse matrices in compressed rows on the CPU: starts, columns and values.
#[pyfunction]
fn sparse_matmul<'py>(
    a: &Bound<'py, PyTuple>,
    b: &Bound<'py, PyTuple>,
    width: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = a.py();
    let (a, b) = (Parts::of(a)?, Parts::of(b)?);
    made(py, gate::detached(py, || sparse::matmul(a.rows(), b.rows(), width))?)
}

/// An op of two sparse matrices in compressed rows on the CPU, at the places of either or of both: starts, columns and
/// values, and how many of these are zero.
#[pyfunction]
fn sparse_merge<'py>(
    op: &str,
    is_union: bool,
    a: &Bound<'py, PyTuple>,
    b: &Bound<'py, PyTuple>,
    width: usize,
) -> PyResult<(Bound<'py, PyTuple>, usize)> {
    let py = a.py();
    let op = Op::from_name(op).ok_or_else(|| PyValueError::new_err("sparse_merge: no such op"))?;
    let (a, b) = (Parts::of(a)?, Parts::of(b)?);
    let pair = gate::detached(py, || sparse::merge(op, is_union, a.rows(), b.rows(), width))?;
    let zeros = pair.zeros;
    Ok((made(py, pair)?, zeros))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sparse_product, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_transposed_product, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_group, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_matmul, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_merge, module)?)
}
