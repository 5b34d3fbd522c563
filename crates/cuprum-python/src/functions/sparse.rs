//! Products of sparse matrices.

use cuprum::sparse;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored};

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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sparse_product, module)?)
}
