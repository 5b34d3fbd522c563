//! Linear algebra.

use cuprum::linalg::{self, QrMode, Transpose};
use cuprum::{Array, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, tuple_of};
use crate::gate;
use crate::ndarray::NdArray;

/// A tuple of arrays, or an exception.
type TupleResult<'py> = PyResult<Bound<'py, PyTuple>>;

fn one<'py>(a: &Bound<'py, PyAny>, work: impl FnOnce(&Array) -> Result<Array> + Send) -> ArrayResult<'py> {
    let (py, a) = (a.py(), array_of(a)?);
    NdArray::wrap(py, gate::detached(py, || work(&a))?)
}

fn several<'py>(
    a: &Bound<'py, PyAny>,
    work: impl FnOnce(&Array) -> Result<Vec<Array>> + Send,
) -> TupleResult<'py> {
    let (py, a) = (a.py(), array_of(a)?);
    tuple_of(py, gate::detached(py, || work(&a))?)
}

/// Solves `a @ x = b`.
#[pyfunction]
fn linalg_solve<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let b = array_of(b)?;
    one(a, |a| linalg::solve(a, &b))
}

/// The inverse.
#[pyfunction]
fn linalg_inv<'py>(a: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    one(a, linalg::inv)
}

/// The determinant.
#[pyfunction]
fn linalg_det<'py>(a: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    one(a, linalg::det)
}

/// Sign and logarithm of the determinant.
#[pyfunction]
fn linalg_slogdet<'py>(a: &Bound<'py, PyAny>) -> TupleResult<'py> {
    several(a, |a| linalg::slogdet(a).map(|(sign, log)| vec![sign, log]))
}

/// The Cholesky factor.
#[pyfunction]
fn linalg_cholesky<'py>(a: &Bound<'py, PyAny>, upper: bool) -> ArrayResult<'py> {
    one(a, |a| linalg::cholesky(a, upper))
}

/// The QR factors.
#[pyfunction]
fn linalg_qr<'py>(a: &Bound<'py, PyAny>, mode: &str) -> TupleResult<'py> {
    let mode = match mode {
        "reduced" => QrMode::Reduced,
        "complete" => QrMode::Complete,
        "r" => QrMode::R,
        "raw" => QrMode::Raw,
        other => return Err(PyValueError::new_err(format!("qr: unrecognized mode '{other}'"))),
    };
    several(a, |a| linalg::qr(a, mode).map(|(first, second)| vec![first, second]))
}

/// Singular values and vectors.
#[pyfunction]
fn linalg_svd<'py>(a: &Bound<'py, PyAny>, full: bool) -> TupleResult<'py> {
    several(a, |a| linalg::svd(a, full).map(|(u, s, vh)| vec![u, s, vh]))
}

/// Singular values.
#[pyfunction]
fn linalg_svdvals<'py>(a: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    one(a, linalg::svdvals)
}

/// Eigenvalues and vectors of a Hermitian matrix.
#[pyfunction]
fn linalg_eigh<'py>(a: &Bound<'py, PyAny>, upper: bool) -> TupleResult<'py> {
    several(a, |a| linalg::eigh(a, upper).map(|(w, v)| vec![w, v]))
}

/// Eigenvalues of a Hermitian matrix.
#[pyfunction]
fn linalg_eigvalsh<'py>(a: &Bound<'py, PyAny>, upper: bool) -> ArrayResult<'py> {
    one(a, |a| linalg::eigvalsh(a, upper))
}

/// Eigenvalues and vectors.
#[pyfunction]
fn linalg_eig<'py>(a: &Bound<'py, PyAny>) -> TupleResult<'py> {
    several(a, |a| linalg::eig(a).map(|(w, v)| vec![w, v]))
}

/// Eigenvalues.
#[pyfunction]
fn linalg_eigvals<'py>(a: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    one(a, linalg::eigvals)
}

/// LU factors, packed, and exchanges of rows.
#[pyfunction]
fn linalg_lu_factor<'py>(a: &Bound<'py, PyAny>) -> TupleResult<'py> {
    several(a, |a| linalg::lu_factor(a).map(|(lu, pivots)| vec![lu, pivots]))
}

/// Row order, L and U.
#[pyfunction]
fn linalg_lu<'py>(a: &Bound<'py, PyAny>) -> TupleResult<'py> {
    several(a, |a| linalg::lu(a).map(|(order, l, u)| vec![order, l, u]))
}

fn transpose(trans: u8) -> Transpose {
    match trans {
        0 => Transpose::No,
        1 => Transpose::Plain,
        _ => Transpose::Conjugate,
    }
}

/// Solves with LU factors.
#[pyfunction]
fn linalg_lu_solve<'py>(
    lu: &Bound<'py, PyAny>,
    pivots: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    trans: u8,
) -> ArrayResult<'py> {
    let (pivots, b) = (array_of(pivots)?, array_of(b)?);
    one(lu, |lu| linalg::lu_solve(lu, &pivots, &b, transpose(trans)))
}

/// Solves with a triangle.
#[pyfunction]
fn linalg_solve_triangular<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    trans: u8,
    lower: bool,
    unit: bool,
) -> ArrayResult<'py> {
    let b = array_of(b)?;
    one(a, |a| linalg::solve_triangular(a, &b, transpose(trans), lower, unit))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(linalg_solve, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_inv, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_det, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_slogdet, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_cholesky, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_qr, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_svd, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_svdvals, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_eigh, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_eigvalsh, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_eig, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_eigvals, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_lu_factor, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_lu, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_lu_solve, module)?)?;
    module.add_function(wrap_pyfunction!(linalg_solve_triangular, module)?)
}
