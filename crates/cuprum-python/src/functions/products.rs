//! Products of matrices and tensors.

use cuprum::{Array, Casting, DType, Error, Result, Scalar, fast_path, products};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, derived, stored};
use crate::convert::arguments::OptArg;
use crate::convert::arguments::{self, Ints};
use crate::convert::{dtype, from_python};
use crate::gate;
use crate::ndarray::{NdArray, returned, single_out};

/// Refuses a Python integer that the dtype of the array beside it does not hold: as in every ufunc, numbers are
/// looked at before shapes.
pub(crate) fn check_number(op: &'static str, given: &Bound<'_, PyAny>, beside: &Array) -> PyResult<()> {
    if beside.dtype().is_integral()
        && beside.dtype() != DType::Bool
        && let Some(number) = from_python::python_number(given)?
    {
        gate::attached(given.py(), || Scalar::new(op, number, beside.dtype()))?;
    }
    Ok(())
}

/// Both operands of a product, with their numbers looked at.
fn factors(op: &'static str, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<(Array, Array)> {
    let (a, b) = (array_of(x)?, array_of(y)?);
    if a.ndim() == 0 || b.ndim() == 0 {
        check_number(op, x, &b)?;
        check_number(op, y, &a)?;
    }
    Ok((a, b))
}

fn cast(op: &'static str, a: &Array, dtype: Option<DType>) -> Result<Array> {
    match dtype {
        Some(to) if !a.dtype().can_cast(to, Casting::SameKind) => {
            Err(Error::Cast { op: op.into(), from: a.dtype(), to, casting: Casting::SameKind })
        }
        Some(to) if to != a.dtype() => a.astype(to),
        _ => Ok(a.clone()),
    }
}

/// The matrix product.
#[pyfunction]
#[pyo3(signature = (a, b, out=None, dtype=None))]
fn matmul<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (a, b) = factors("matmul", a, b)?;
    let dtype = dtype::optional(dtype)?;
    if let Some(result) = small_product(py, &a, &b, out, dtype)? {
        return Ok(result);
    }
    stored(py, out, |out| products::matmul(&cast("matmul", &a, dtype)?, &cast("matmul", &b, dtype)?, out))
}

/// The product of operands that need no conversion and are so small that the GIL stays held; `None` for others.
fn small_product<'py>(
    py: Python<'py>,
    a: &Array,
    b: &Array,
    out: OptArg<'_, 'py>,
    dtype: Option<DType>,
) -> PyResult<Option<Bound<'py, NdArray>>> {
    if dtype.is_some_and(|dtype| dtype != a.dtype()) {
        return Ok(None);
    }
    let target = single_out(out)?;
    let target_array = target.as_ref().map(|t| t.get().array(py));
    match gate::attached(py, || fast_path::multiply(a, b, target_array.as_ref()).transpose())? {
        Some(result) => returned(py, result, target).map(Some),
        None => Ok(None),
    }
}

/// The dot product.
#[pyfunction]
#[pyo3(signature = (a, b, out=None))]
fn dot<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    if let Some(result) = small_product(py, &a, &b, out, None)? {
        return Ok(result);
    }
    stored(py, out, |out| products::dot(&a, &b, out))
}

/// The sums of products over the last axes.
#[pyfunction]
#[pyo3(signature = (a, b, out=None))]
fn inner<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    stored(py, out, |out| products::inner(&a, &b, out))
}

/// All products of two elements.
#[pyfunction]
#[pyo3(signature = (a, b, out=None))]
fn outer<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    stored(py, out, |out| products::outer(&a, &b, out))
}

/// The dot product of flattened arrays, the first conjugated.
#[pyfunction]
fn vdot<'py>(py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    stored(py, None, |_| products::vdot(&a, &b))
}

/// The Kronecker product.
#[pyfunction]
fn kron<'py>(py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    stored(py, None, |_| products::kron(&a, &b))
}

/// The dot products of vectors along an axis, the first conjugated.
#[pyfunction]
#[pyo3(signature = (a, b, axis=-1))]
fn vecdot<'py>(py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>, axis: i64) -> ArrayResult<'py> {
    let (a, b) = factors("vecdot", a, b)?;
    stored(py, None, |_| products::vecdot(&a, &b, axis))
}

/// The sums of products over pairs of axes.
#[pyfunction]
#[pyo3(signature = (a, b, axes=None))]
fn tensordot<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    axes: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (a, b) = (array_of(a)?, array_of(b)?);
    let (of_a, of_b) = paired_axes(axes)?;
    stored(py, None, |_| products::tensordot(&a, &b, &of_a, &of_b))
}

/// A number of axes, or the axes of each operand.
fn paired_axes(axes: OptArg<'_, '_>) -> PyResult<(Ints, Ints)> {
    let Some(axes) = axes.filter(|a| !a.is_none()) else { return Ok(counted(2)) };
    if let Ok(count) = arguments::integer(axes) {
        return Ok(counted(count));
    }
    let parts: Vec<_> = arguments::listed(axes)?.iter().collect();
    match parts.as_slice() {
        [of_a, of_b] => Ok((arguments::integers(of_a)?, arguments::integers(of_b)?)),
        _ => Err(PyValueError::new_err("tensordot: axes must be a number or two sequences")),
    }
}

/// The last `count` axes of the first operand with the first of the second.
fn counted(count: i64) -> (Ints, Ints) {
    ((-count..0).collect(), (0..count).collect())
}

/// The sum that subscripts describe.
#[pyfunction]
#[pyo3(signature = (subscripts, *operands, out=None, dtype=None))]
fn einsum<'py>(
    py: Python<'py>,
    subscripts: &Bound<'py, PyAny>,
    operands: &Bound<'py, PyTuple>,
    out: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let Ok(subscripts) = subscripts.extract::<String>() else {
        return Err(PyTypeError::new_err("einsum: subscripts must be a string"));
    };
    let arrays = operands.iter().map(|o| array_of(&o)).collect::<PyResult<Vec<Array>>>()?;
    let dtype = dtype::optional(dtype)?;
    let parts: Vec<&Array> = arrays.iter().collect();
    if let ([only], None) = (parts.as_slice(), single_out(out)?) {
        // A diagonal or a transposition of one array is a view of it.
        let result = gate::compute(py, &[*only], || products::einsum(&subscripts, &parts, dtype, None))?;
        return derived(&operands.get_item(0)?, result);
    }
    stored(py, out, |out| products::einsum(&subscripts, &parts, dtype, out))
}

/// Runs whatever is pending behind an array; gives the array.
///
/// Examples
/// --------
/// >>> cp.testing.wait(cp.arange(3.0) * 2)
/// array([0., 2., 4.])
#[pyfunction]
pub fn wait<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(array) = x.cast::<NdArray>() {
        let storage = array.get().lock(x.py()).view().storage().clone();
        if storage.is_pending() {
            gate::detached(x.py(), || storage.run())?;
        }
    }
    Ok(x.clone())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(matmul, module)?)?;
    module.add_function(wrap_pyfunction!(dot, module)?)?;
    module.add_function(wrap_pyfunction!(inner, module)?)?;
    module.add_function(wrap_pyfunction!(outer, module)?)?;
    module.add_function(wrap_pyfunction!(vdot, module)?)?;
    module.add_function(wrap_pyfunction!(kron, module)?)?;
    module.add_function(wrap_pyfunction!(vecdot, module)?)?;
    module.add_function(wrap_pyfunction!(tensordot, module)?)?;
    module.add_function(wrap_pyfunction!(einsum, module)?)?;
    module.add_function(wrap_pyfunction!(wait, module)?)
}
