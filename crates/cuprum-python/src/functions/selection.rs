//! Selecting elements and storing into selections.

use cuprum::indexing::checked;
use cuprum::{Array, DType, Kind, Op, Options, Order, elementwise, indexing, manipulation, reduction, scan};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored, tuple_of};
use crate::convert::arguments::OptArg;
use crate::convert::from_python::{self, PyOperand};
use crate::convert::{arguments, dtype, positions};
use crate::gate;
use crate::ndarray::{NdArray, put_value, stored_value, take_mode};

/// Positions: integers or booleans; an empty list counts as integers.
fn integers(op: &str, object: &Bound<'_, PyAny>) -> PyResult<Array> {
    let array = array_of(object)?;
    match array.dtype().kind() {
        Kind::Signed | Kind::Unsigned => Ok(array),
        Kind::Bool => from_python::converted(object.py(), array, Some(DType::I64), Order::K),
        _ if array.size() == 0 => from_python::converted(object.py(), array, Some(DType::I64), Order::K),
        _ => Err(PyTypeError::new_err(format!("{op}: positions must be integers, got {}", array.dtype()))),
    }
}

/// The array that a function changes in place.
fn target(op: &str, object: &Bound<'_, PyAny>) -> PyResult<Array> {
    match object.cast::<NdArray>() {
        Ok(array) => Ok(array.get().written(object.py())),
        Err(_) => {
            Err(PyTypeError::new_err(format!("{op}: argument 1 must be an array, not {}", object.get_type())))
        }
    }
}

/// Anything as booleans.
fn truths(object: &Bound<'_, PyAny>) -> PyResult<Array> {
    let array = array_of(object)?;
    from_python::converted(object.py(), array, Some(DType::Bool), Order::K)
}

/// Elements at positions along an axis.
#[pyfunction]
#[pyo3(signature = (a, indices, axis=None, out=None, mode=None))]
pub fn take<'py>(
    a: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    mode: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let places = integers("take", indices)?;
    let (axis, mode) = (arguments::axis(axis)?, take_mode(mode)?);
    // An array of no dimensions is taken from as if it had one.
    let axis = axis.filter(|x| array.ndim() > 0 || !matches!(x, 0 | -1));
    let at_once = positions::beyond_axis(&array, indices, axis)?;
    stored(a.py(), out, |out| checked(at_once, || indexing::take(&array, &places, axis, mode, out)))
}

/// Stores values at positions of the flattened array.
#[pyfunction]
#[pyo3(signature = (a, indices, values, mode=None))]
pub fn put<'py>(
    a: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
    mode: OptArg<'_, 'py>,
) -> PyResult<()> {
    let array = target("put", a)?;
    let places = integers("put", indices)?;
    let values = put_value(values, array.dtype())?;
    let mode = take_mode(mode)?;
    let at_once = positions::beyond_axis(&array, indices, None)?;
    gate::detached(a.py(), || checked(at_once, || indexing::put(&array, &places, values.arg(), mode)))
}

/// Elements at positions along an axis, each from its own line.
#[pyfunction]
#[pyo3(signature = (a, indices, axis=None))]
fn take_along_axis<'py>(
    a: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let places = along(indices)?;
    let axis = arguments::axis(axis)?;
    let at_once = positions::beyond_axis(&array, indices, axis)?;
    stored(a.py(), None, |_| checked(at_once, || indexing::take_along_axis(&array, &places, axis)))
}

/// Stores values at positions along an axis, each into its own line.
#[pyfunction]
#[pyo3(signature = (a, indices, values, axis=None))]
fn put_along_axis<'py>(
    a: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
) -> PyResult<()> {
    let array = target("put_along_axis", a)?;
    let places = along(indices)?;
    let values = stored_value(values, array.dtype())?;
    let axis = arguments::axis(axis)?;
    let at_once = positions::beyond_axis(&array, indices, axis)?;
    gate::detached(a.py(), || {
        checked(at_once, || indexing::put_along_axis(&array, &places, values.arg(), axis))
    })
}

fn along(indices: &Bound<'_, PyAny>) -> PyResult<Array> {
    let array = array_of(indices)?;
    match array.dtype().kind() {
        Kind::Signed | Kind::Unsigned => Ok(array),
        _ => Err(pyo3::exceptions::PyIndexError::new_err("`indices` must be an integer array")),
    }
}

/// Stores values into the elements where a mask holds, by position.
#[pyfunction]
fn putmask(a: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = target("putmask", a)?;
    let (mask, values) = (truths(mask)?, array_of(values)?);
    gate::detached(a.py(), || indexing::putmask(&array, &mask, &values))
}

/// Stores values, in order, into the elements where a mask holds.
#[pyfunction]
fn place(a: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = target("place", a)?;
    let (mask, values) = (truths(mask)?, array_of(values)?);
    gate::detached(a.py(), || indexing::place(&array, &mask, &values))
}

/// The elements where a condition holds.
#[pyfunction]
fn extract<'py>(condition: &Bound<'py, PyAny>, a: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let (condition, array) = (truths(condition)?, array_of(a)?);
    stored(a.py(), None, |_| indexing::extract(&condition, &array))
}

/// The slices along an axis for which a condition holds.
#[pyfunction]
#[pyo3(signature = (condition, a, axis=None, out=None))]
pub fn compress<'py>(
    condition: &Bound<'py, PyAny>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (condition, array) = (truths(condition)?, array_of(a)?);
    let axis = arguments::axis(axis)?;
    stored(a.py(), out, |out| indexing::compress(&condition, &array, axis, out))
}

/// The positions of the elements that are not zero, along each axis.
#[pyfunction]
fn nonzero<'py>(a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let array = array_of(a)?;
    let found = gate::detached(a.py(), || indexing::nonzero(&array))?;
    tuple_of(a.py(), found)
}

/// Elements of `x` where the condition holds, of `y` elsewhere.
#[pyfunction]
#[pyo3(name = "where")]
fn choose_where<'py>(
    py: Python<'py>,
    condition: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> ArrayResult<'py> {
    let condition = truths(condition)?;
    let operands = [PyOperand::Array(condition), from_python::operand(x)?, from_python::operand(y)?];
    let args = [operands[0].arg(), operands[1].arg(), operands[2].arg()];
    let reads: Vec<&Array> = operands.iter().filter_map(PyOperand::array).collect();
    let result = gate::compute(py, &reads, || elementwise::apply(Op::Where, &args, &Options::default()))?;
    NdArray::wrap(py, result)
}

/// How many elements are not zero.
#[pyfunction]
#[pyo3(signature = (a, axis=None, keepdims=false))]
fn count_nonzero<'py>(a: &Bound<'py, PyAny>, axis: OptArg<'_, 'py>, keepdims: bool) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let axes = arguments::axes_within("count_nonzero", axis, array.ndim())?;
    stored(a.py(), None, |_| reduction::count_nonzero(&array, axes.as_deref(), keepdims))
}

/// Differences of neighbours along an axis.
#[pyfunction]
#[pyo3(signature = (a, n=1, axis=-1, prepend=None, append=None))]
fn diff<'py>(
    a: &Bound<'py, PyAny>,
    n: i64,
    axis: i64,
    prepend: OptArg<'_, 'py>,
    append: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let optional = |o: OptArg<'_, 'py>| o.filter(|o| !o.is_none()).map(array_of).transpose();
    let (prepend, append) = (optional(prepend)?, optional(append)?);
    stored(a.py(), None, |_| scan::diff(&array, n, axis, prepend.as_ref(), append.as_ref()))
}

/// The running sums, NaN counting as zero.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None))]
fn nancumsum<'py>(
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let (axis, dtype) = (arguments::axis(axis)?, dtype::optional(dtype)?);
    stored(a.py(), out, |out| scan::nancumsum(&array, axis, dtype, out))
}

/// The running products, NaN counting as one.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None))]
fn nancumprod<'py>(
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let (axis, dtype) = (arguments::axis(axis)?, dtype::optional(dtype)?);
    stored(a.py(), out, |out| scan::nancumprod(&array, axis, dtype, out))
}

/// Whether two arrays share elements.
#[pyfunction]
#[pyo3(signature = (a, b, max_work=None))]
fn shares_memory(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, max_work: OptArg<'_, '_>) -> PyResult<bool> {
    let _ = max_work;
    let (py, a, b) = (a.py(), array_of(a)?, array_of(b)?);
    gate::detached(py, || Ok(manipulation::shares_memory(&a, &b)))
}

/// Whether the memory ranges of two arrays overlap.
#[pyfunction]
#[pyo3(signature = (a, b, max_work=None))]
fn may_share_memory(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, max_work: OptArg<'_, '_>) -> PyResult<bool> {
    let _ = max_work;
    Ok(manipulation::may_share_memory(&array_of(a)?, &array_of(b)?))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(take, module)?)?;
    module.add_function(wrap_pyfunction!(put, module)?)?;
    module.add_function(wrap_pyfunction!(take_along_axis, module)?)?;
    module.add_function(wrap_pyfunction!(put_along_axis, module)?)?;
    module.add_function(wrap_pyfunction!(putmask, module)?)?;
    module.add_function(wrap_pyfunction!(place, module)?)?;
    module.add_function(wrap_pyfunction!(extract, module)?)?;
    module.add_function(wrap_pyfunction!(compress, module)?)?;
    module.add_function(wrap_pyfunction!(nonzero, module)?)?;
    module.add_function(wrap_pyfunction!(choose_where, module)?)?;
    module.add_function(wrap_pyfunction!(count_nonzero, module)?)?;
    module.add_function(wrap_pyfunction!(diff, module)?)?;
    module.add_function(wrap_pyfunction!(nancumsum, module)?)?;
    module.add_function(wrap_pyfunction!(nancumprod, module)?)?;
    module.add_function(wrap_pyfunction!(shares_memory, module)?)?;
    module.add_function(wrap_pyfunction!(may_share_memory, module)?)
}
