//! New arrays: from Python's values, filled, ranges, bands and buffers.

use cuprum::{Array, DType, Kind, Number, Order, Scalar, creation, default_device};
use cuprum_core::{MAX_DIMS, size_of_shape};
use cuprum_graph::{DeviceKind, same_device};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use pyo3::wrap_pyfunction;

use super::{ArrayResult, viewed};
use crate::convert::arguments::OptArg;
use crate::convert::from_python::{self, PyOperand, is_ordered};
use crate::convert::{arguments, dtype};
use crate::kernels::settings;
use crate::ndarray::{NdArray, stored_value};
use crate::numpy::{numpy, warn_of_cast};
use crate::{cuda_interface, gate};

/// An array from numbers, nested sequences, buffers, NumPy arrays or other arrays.
#[pyfunction]
#[pyo3(signature = (object, dtype=None, copy=CopyMode::Always, order=None, ndmin=0))]
fn array<'py>(
    object: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    copy: CopyMode,
    order: OptArg<'_, 'py>,
    ndmin: i64,
) -> ArrayResult<'py> {
    let py = object.py();
    gate::named(py, "array", made_from(object, dtype, copy, order, ndmin))
}

fn made_from<'py>(
    object: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    copy: CopyMode,
    order: OptArg<'_, 'py>,
    ndmin: i64,
) -> ArrayResult<'py> {
    let py = object.py();
    let (dtype_given, order_given) = (dtype, order);
    let dtype = dtype::optional(dtype)?;
    let order = arguments::order(order, Order::K)?;
    let ndmin = usize::try_from(ndmin).unwrap_or(0);
    if ndmin > MAX_DIMS {
        let message = format!("ndmin is {ndmin}, at most {MAX_DIMS} dimensions are supported");
        return Err(PyValueError::new_err(message));
    }
    if let Ok(ours) = object.cast::<NdArray>() {
        let source = ours.get().array(py);
        let keeps = dtype.is_none_or(|d| d == source.dtype()) && is_ordered(&source, order);
        if !keeps && copy == CopyMode::Never {
            return Err(copy_needed());
        }
        if keeps && copy != CopyMode::Always {
            return if source.ndim() >= ndmin {
                Ok(ours.clone())
            } else {
                NdArray::derive(ours, padded(source, ndmin))
            };
        }
        let dtype = dtype.unwrap_or(source.dtype());
        warn_of_cast(py, source.dtype(), dtype)?;
        let made = gate::compute(py, &[&source], || source.astype_ordered(dtype, order))?;
        return NdArray::wrap(py, padded(made, ndmin));
    }
    if copy != CopyMode::Always
        && !from_python::is_plain(object)?
        && let Ok(give) = object.getattr("__cupy_get_ndarray__")
    {
        let given = give.call0()?;
        return made_from(given.cast::<NdArray>()?, dtype_given, copy, order_given, ndmin as i64);
    }
    if copy != CopyMode::Always
        && let Some(shared) = from_python::other_library(object)?
        && dtype.is_none_or(|d| d == shared.dtype())
        && is_ordered(&shared, order)
        && (shared.device().kind() != DeviceKind::Cpu || cuda_interface::of(object)?.is_some())
        && gate::attached(py, || Ok(same_device(shared.device(), default_device()?)))?
    {
        return Bound::new(py, NdArray::pinned(padded(shared, ndmin)));
    }
    if copy == CopyMode::Never {
        return Err(copy_needed());
    }
    NdArray::wrap(py, padded(from_python::array(object, dtype, order)?, ndmin))
}

fn copy_needed() -> PyErr {
    PyValueError::new_err("unable to avoid a copy while creating an array as requested")
}

/// The `copy` argument of `array`.
#[derive(Clone, Copy, PartialEq)]
enum CopyMode {
    Always,
    IfNeeded,
    Never,
}

impl<'a, 'py> FromPyObject<'a, 'py> for CopyMode {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<CopyMode> {
        if object.is_none() {
            return Ok(CopyMode::IfNeeded);
        }
        if object.is_exact_instance_of::<PyBool>() {
            return Ok(if object.is_truthy()? { CopyMode::Always } else { CopyMode::Never });
        }
        // `numpy._CopyMode` refuses to be a bool; its value says which it is.
        match object.getattr("value").and_then(|v| v.extract::<i64>()) {
            Ok(2) => Ok(CopyMode::Never),
            Ok(0) => Ok(CopyMode::IfNeeded),
            Ok(_) => Ok(CopyMode::Always),
            Err(_) => Ok(if object.is_truthy()? { CopyMode::Always } else { CopyMode::Never }),
        }
    }
}

/// With ones put in front of the shape until there are `ndmin` axes.
fn padded(array: Array, ndmin: usize) -> Array {
    let missing = ndmin.saturating_sub(array.ndim());
    if missing == 0 {
        return array;
    }
    let layout = (0..missing).fold(array.layout().clone(), |layout, _| layout.insert_axis(0));
    array.with_layout(layout)
}

/// C or F; A and K mean C where there is nothing to follow.
fn plain_order(order: OptArg<'_, '_>) -> PyResult<Order> {
    match arguments::order(order, Order::C)? {
        Order::F => Ok(Order::F),
        Order::C => Ok(Order::C),
        _ => Err(PyValueError::new_err("only 'C' or 'F' order is permitted")),
    }
}

/// An array whose elements are whatever the memory holds.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, order=None))]
fn empty<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let shape = arguments::shape("empty", shape)?;
    let order = plain_order(order)?;
    let dtype = dtype::optional(dtype)?.unwrap_or(DType::F64);
    let made = gate::make(py, size_of_shape(&shape), || {
        settings::handed_out(creation::empty(&shape, dtype, order)?)
    });
    NdArray::wrap(py, gate::named(py, "empty", made)?)
}

/// An array whose elements are whatever the memory holds, laid out as another is.
#[pyfunction]
#[pyo3(signature = (prototype, dtype=None))]
fn empty_like<'py>(prototype: &Bound<'py, NdArray>, dtype: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let (py, like) = (prototype.py(), prototype.get().array(prototype.py()));
    let dtype = gate::named(py, "empty_like", dtype::optional(dtype))?.unwrap_or(like.dtype());
    let made =
        gate::make(py, like.size(), || settings::handed_out(creation::empty_like(&like, dtype, Order::K)?));
    NdArray::wrap(py, gate::named(py, "empty_like", made)?)
}

/// An array of zeros or ones, laid out as another is.
fn filled_like<'py>(
    op: &'static str,
    prototype: &Bound<'py, NdArray>,
    dtype: OptArg<'_, 'py>,
    value: i128,
) -> ArrayResult<'py> {
    let (py, like) = (prototype.py(), prototype.get().array(prototype.py()));
    let dtype = gate::named(py, op, dtype::optional(dtype))?.unwrap_or(like.dtype());
    let value = Scalar::wrapping(Number::Int(value), dtype);
    let made = gate::make(py, like.size(), || creation::full_like(op, &like, value, Order::K));
    NdArray::wrap(py, gate::named(py, op, made)?)
}

/// An array of zeros, laid out as another is.
#[pyfunction]
#[pyo3(signature = (prototype, dtype=None))]
fn zeros_like<'py>(prototype: &Bound<'py, NdArray>, dtype: OptArg<'_, 'py>) -> ArrayResult<'py> {
    filled_like("zeros_like", prototype, dtype, 0)
}

/// An array of ones, laid out as another is.
#[pyfunction]
#[pyo3(signature = (prototype, dtype=None))]
fn ones_like<'py>(prototype: &Bound<'py, NdArray>, dtype: OptArg<'_, 'py>) -> ArrayResult<'py> {
    filled_like("ones_like", prototype, dtype, 1)
}

fn filled<'py>(
    py: Python<'py>,
    op: &'static str,
    shape: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
    value: i128,
) -> ArrayResult<'py> {
    let shape = arguments::shape(op, shape)?;
    let order = plain_order(order)?;
    let dtype = dtype::optional(dtype)?.unwrap_or(DType::F64);
    let value = Scalar::wrapping(Number::Int(value), dtype);
    let made = gate::make(py, size_of_shape(&shape), || creation::full_ordered(op, &shape, value, order));
    NdArray::wrap(py, gate::named(py, op, made)?)
}

/// An array of zeros.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, order=None))]
fn zeros<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    filled(py, "zeros", shape, dtype, order, 0)
}

/// An array of ones.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, order=None))]
fn ones<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    filled(py, "ones", shape, dtype, order, 1)
}

/// An array of one value, or of an array broadcast to the shape.
#[pyfunction]
#[pyo3(signature = (shape, fill_value, dtype=None, order=None))]
fn full<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    fill_value: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let shape = arguments::shape("full", shape)?;
    let order = plain_order(order)?;
    let asked = dtype::optional(dtype)?;
    let value = match asked {
        Some(d) if fill_value.is_instance_of::<PyString>() => stored_value(fill_value, d)?,
        _ => from_python::operand(fill_value)?,
    };
    if let Some(asked) = asked {
        warn_of_cast(py, value.arg().dtype(), asked)?;
    }
    let made = match value {
        PyOperand::Number(n) => gate::make(py, size_of_shape(&shape), || {
            let value = Scalar::new("full", n, asked.unwrap_or(n.default_dtype()))?;
            creation::full_ordered("full", &shape, value, order)
        }),
        PyOperand::Scalar(s) => gate::make(py, size_of_shape(&shape), || {
            creation::full_ordered("full", &shape, s.cast(asked.unwrap_or(s.dtype())), order)
        }),
        PyOperand::Array(a) => gate::detached(py, || {
            let out = creation::empty(&shape, asked.unwrap_or(a.dtype()), order)?;
            cuprum::elementwise::assign("full", &out, cuprum::Arg::Array(&a), None)?;
            Ok(out)
        }),
    };
    NdArray::wrap(py, gate::named(py, "full", made)?)
}

/// Numbers from `start` up to `stop` in steps.
#[pyfunction]
#[pyo3(signature = (start, stop=None, step=None, dtype=None))]
fn arange<'py>(
    py: Python<'py>,
    start: &Bound<'py, PyAny>,
    stop: OptArg<'_, 'py>,
    step: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (start, stop) = match stop.filter(|s| !s.is_none()) {
        Some(stop) => (Some(start), stop),
        None => (None, start),
    };
    let asked = dtype::optional(dtype)?;
    let end = |n: OptArg<'_, 'py>| n.map(from_python::operand).transpose();
    let (start, stop, step) = (end(start)?, end(Some(stop))?, end(step.filter(|s| !s.is_none()))?);
    let dtype = match asked {
        Some(d) => Some(d),
        None => typed_range(&[&start, &stop, &step]),
    };
    let number = |end: Option<PyOperand>, default: i128| match end {
        None => Ok(Number::Int(default)),
        Some(PyOperand::Number(n)) => Ok(n),
        Some(PyOperand::Scalar(s)) => Ok(s.number()),
        Some(PyOperand::Array(a)) if a.ndim() == 0 => gate::detached(py, || a.scalar()).map(|s| s.number()),
        Some(PyOperand::Array(a)) => {
            let shape = cuprum_core::show_shape(a.shape());
            Err(PyTypeError::new_err(format!("arange: expected a number, got an array of shape {shape}")))
        }
    };
    let (start, stop, step) = (number(start, 0)?, number(stop, 0)?, number(step, 1)?);
    let count = creation::arange_length(start, stop, step).unwrap_or(0);
    let made = gate::make(py, count, || creation::arange(start, stop, step, dtype));
    NdArray::wrap(py, gate::named(py, "arange", made)?)
}

/// The dtype of a range with typed ends; Python numbers decide by themselves.
fn typed_range(ends: &[&Option<PyOperand>]) -> Option<DType> {
    let mut typed = Vec::new();
    let mut weak = Vec::new();
    for end in ends.iter().copied().flatten() {
        match end {
            PyOperand::Number(n) => weak.extend(n.weak()),
            PyOperand::Scalar(s) => typed.push(s.dtype()),
            PyOperand::Array(a) => typed.push(a.dtype()),
        }
    }
    if typed.is_empty() {
        return None;
    }
    // A range is no ufunc: Python numbers count with their full dtype, and nothing is narrower than int64.
    typed.extend(weak.into_iter().map(|w| w.default_dtype()));
    Some(typed.into_iter().fold(DType::I64, DType::promote))
}

/// Evenly spaced numbers between two scalars.
#[pyfunction]
#[pyo3(signature = (start, stop, num=None, endpoint=true, dtype=None))]
fn linspace<'py>(
    py: Python<'py>,
    start: &Bound<'py, PyAny>,
    stop: &Bound<'py, PyAny>,
    num: OptArg<'_, 'py>,
    endpoint: bool,
    dtype: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let num = num.filter(|n| !n.is_none()).map_or(Ok(50), arguments::integer)?;
    let (start, stop) = (from_python::number(start, "linspace")?, from_python::number(stop, "linspace")?);
    let dtype = dtype::optional(dtype)?;
    let count = usize::try_from(num).unwrap_or(0);
    NdArray::wrap(py, gate::make(py, count, || creation::linspace(start, stop, num, endpoint, dtype))?)
}

/// A triangle of fewer than no rows is empty.
fn length(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

/// Ones on a diagonal, zeros elsewhere.
#[pyfunction]
#[pyo3(signature = (n, m=None, k=0, dtype=None, order=None))]
fn eye<'py>(
    py: Python<'py>,
    n: i64,
    m: Option<i64>,
    k: i64,
    dtype: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let shape = gate::named(py, "eye", arguments::checked_shape(&[n, m.unwrap_or(n)]))?;
    let (rows, columns) = (shape[0], shape[1]);
    let dtype = dtype::optional(dtype)?.unwrap_or(DType::F64);
    let order = plain_order(order)?;
    let made = gate::make(py, rows.saturating_mul(columns), || {
        let made = creation::eye(rows, columns, k, dtype)?;
        if order == Order::F { made.copy(Order::F) } else { Ok(made) }
    });
    NdArray::wrap(py, gate::named(py, "eye", made)?)
}

/// Ones at and below a diagonal, zeros above.
#[pyfunction]
#[pyo3(signature = (n, m=None, k=0, dtype=None))]
fn tri<'py>(py: Python<'py>, n: i64, m: Option<i64>, k: i64, dtype: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let (rows, columns) = (length(n), length(m.unwrap_or(n)));
    let dtype = dtype::optional(dtype)?.unwrap_or(DType::F64);
    NdArray::wrap(
        py,
        gate::make(py, rows.saturating_mul(columns), || creation::tri(rows, columns, k, dtype))?,
    )
}

/// The elements at and below a diagonal, zeros above.
#[pyfunction]
#[pyo3(signature = (m, k=0))]
fn tril<'py>(m: &Bound<'py, PyAny>, k: i64) -> ArrayResult<'py> {
    viewed(m, |a| creation::tril(a, k))
}

/// The elements at and above a diagonal, zeros below.
#[pyfunction]
#[pyo3(signature = (m, k=0))]
fn triu<'py>(m: &Bound<'py, PyAny>, k: i64) -> ArrayResult<'py> {
    viewed(m, |a| creation::triu(a, k))
}

/// A diagonal of a matrix, or the matrix with a diagonal.
#[pyfunction]
#[pyo3(signature = (v, k=0))]
fn diag<'py>(v: &Bound<'py, PyAny>, k: i64) -> ArrayResult<'py> {
    viewed(v, |a| creation::diag(a, k))
}

/// The position of every element along each axis.
#[pyfunction]
#[pyo3(signature = (dimensions, dtype=None))]
fn indices<'py>(py: Python<'py>, dimensions: &Bound<'py, PyAny>, dtype: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let dims = arguments::shape("indices", dimensions)?;
    let dtype = dtype::optional(dtype)?.unwrap_or(DType::I64);
    NdArray::wrap(
        py,
        gate::make(py, size_of_shape(&dims).saturating_mul(dims.len()), || creation::indices(&dims, dtype))?,
    )
}

/// A copy of a buffer's bytes as elements of one dtype.
#[pyfunction]
#[pyo3(signature = (buffer, dtype=None, count=-1, offset=0))]
fn frombuffer<'py>(
    py: Python<'py>,
    buffer: &Bound<'py, PyAny>,
    dtype: OptArg<'_, 'py>,
    count: i64,
    offset: i64,
) -> ArrayResult<'py> {
    let wanted = dtype::optional(dtype)?.unwrap_or(DType::F64);
    let bits = if wanted == DType::BF16 { DType::U16 } else { wanted };
    // Bytes in another order than the machine's are read as they are meant.
    let read_as = match dtype.filter(|d| !d.is_none()) {
        Some(dtype) if bits == wanted => dtype.clone(),
        _ => dtype::to_python(py, bits)?.into_bound(py),
    };
    let arguments = (buffer, read_as, count, offset);
    let host = gate::named(py, "frombuffer", py.import("numpy")?.getattr("frombuffer")?.call1(arguments))?;
    if !host.is_instance(numpy(py)?.ndarray.bind(py))? {
        return Err(PyTypeError::new_err("frombuffer: NumPy gave no array"));
    }
    let made = from_python::from_numpy(&host, None, Order::C)?;
    let made = if wanted == bits { made } else { made.with_layout_and_dtype(made.layout().clone(), wanted) };
    NdArray::wrap(py, made)
}

/// Copies values into an array, where a mask holds.
#[pyfunction]
#[pyo3(signature = (dst, src, casting=None, r#where=None))]
fn copyto<'py>(
    py: Python<'py>,
    dst: &Bound<'py, PyAny>,
    src: &Bound<'py, PyAny>,
    casting: OptArg<'_, 'py>,
    r#where: OptArg<'_, 'py>,
) -> PyResult<()> {
    let Ok(target) = dst.cast::<NdArray>() else {
        return Err(PyTypeError::new_err(format!("copyto: dst must be an array, not {}", dst.get_type())));
    };
    let target = target.get().written(py);
    let casting = arguments::casting(casting, cuprum::Casting::SameKind)?;
    let source = from_python::operand(src)?;
    let allowed = match &source {
        PyOperand::Array(a) => a.dtype().can_cast(target.dtype(), casting),
        PyOperand::Scalar(s) => s.dtype().can_cast(target.dtype(), casting),
        // A Python number casts as its kind does.
        PyOperand::Number(n) => {
            let from = n.weak().map_or(DType::Bool, |w| target.dtype().with_weak(w));
            casting == cuprum::Casting::Unsafe
                || from.can_cast(target.dtype(), casting)
                || (from.kind() <= Kind::Signed && n.default_dtype().can_cast(target.dtype(), casting))
        }
    };
    if !allowed {
        let from = source.arg().dtype();
        let error = cuprum::Error::Cast { op: "copyto".into(), from, to: target.dtype(), casting };
        return Err(gate::exception(py, &error));
    }
    warn_of_cast(py, source.arg().dtype(), target.dtype())?;
    // A Python number says yes or no, whatever its type; arrays must hold truth values.
    let mask = match r#where {
        Some(w) if from_python::python_number(w)?.is_some() => {
            from_python::optional_mask(Some(PyBool::new(py, w.is_truthy()?).as_any()))?
        }
        given => from_python::optional_mask(given)?,
    };
    gate::detached(py, || cuprum::elementwise::assign("copyto", &target, source.arg(), mask.as_ref()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(array, module)?)?;
    module.add_function(wrap_pyfunction!(empty, module)?)?;
    module.add_function(wrap_pyfunction!(empty_like, module)?)?;
    module.add_function(wrap_pyfunction!(zeros_like, module)?)?;
    module.add_function(wrap_pyfunction!(ones_like, module)?)?;
    module.add_function(wrap_pyfunction!(zeros, module)?)?;
    module.add_function(wrap_pyfunction!(ones, module)?)?;
    module.add_function(wrap_pyfunction!(full, module)?)?;
    module.add_function(wrap_pyfunction!(arange, module)?)?;
    module.add_function(wrap_pyfunction!(linspace, module)?)?;
    module.add_function(wrap_pyfunction!(eye, module)?)?;
    module.add_function(wrap_pyfunction!(tri, module)?)?;
    module.add_function(wrap_pyfunction!(tril, module)?)?;
    module.add_function(wrap_pyfunction!(triu, module)?)?;
    module.add_function(wrap_pyfunction!(diag, module)?)?;
    module.add_function(wrap_pyfunction!(indices, module)?)?;
    module.add_function(wrap_pyfunction!(frombuffer, module)?)?;
    module.add_function(wrap_pyfunction!(copyto, module)?)?;
    module.add_function(wrap_pyfunction!(crate::dlpack::from_capsule, module)?)?;
    module.add_function(wrap_pyfunction!(crate::dlpack::adopt, module)?)?;
    module.add_function(wrap_pyfunction!(crate::dlpack::from_dlpack, module)?)
}
