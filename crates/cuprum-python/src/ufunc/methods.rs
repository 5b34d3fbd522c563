//! The methods of ufuncs: reduce, accumulate, reduceat, outer and at.

use cuprum::indexing::scatter_at;
use cuprum::reduction::{ReduceOptions, reduce_op};
use cuprum::{Array, Casting, DType, Op, Order, Scalar, scan};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smallvec::SmallVec;

use super::{UFunc, call};
use crate::convert::from_python::{self, PyOperand, operand, optional_mask};
use crate::convert::{arguments, devices, dtype};
use crate::gate;
use crate::ndarray::{InitialArgument, NdArray, returned, single_out, with_items};

impl UFunc {
    /// The op of a function of two arguments and one result: what the methods work with.
    fn binary(&self, method: &str) -> PyResult<Op> {
        if self.function.nin() != 2 {
            return Err(PyValueError::new_err(format!("{method} only supported for binary functions")));
        }
        match self.function.parts() {
            [op] => Ok(*op),
            _ => Err(PyValueError::new_err(format!(
                "{method} only supported for functions returning a single value"
            ))),
        }
    }
}

#[pymethods]
impl UFunc {
    /// Combines the elements along axes by this function.
    ///
    /// Parameters
    /// ----------
    /// array : array_like
    ///     The elements.
    /// axis : int, tuple of ints or None, optional
    ///     The axes that go away; the first by default, all for None.
    /// dtype : dtype, optional
    ///     The dtype to compute in.
    /// out : ndarray, optional
    ///     Where the result goes.
    /// keepdims : bool, optional
    ///     Whether the axes stay, with length one.
    /// initial : scalar, optional
    ///     A value that takes part first.
    /// where : array_like of bool, optional
    ///     Which elements take part.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     The results.
    ///
    /// Examples
    /// --------
    /// >>> cp.multiply.reduce(cp.array([2, 3, 5]))
    /// array(30)
    #[pyo3(signature = (array, axis=AxisArgument::First, dtype=None, out=None, keepdims=false, initial=InitialArgument::Absent, r#where=None))]
    #[allow(clippy::too_many_arguments)]
    fn reduce<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        array: &Bound<'py, PyAny>,
        axis: AxisArgument<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        keepdims: bool,
        initial: InitialArgument<'py>,
        r#where: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let op = slf.get().binary("reduce")?;
        let keepdims_given = keepdims.then(|| true.into_bound_py_any(py)).transpose()?;
        let given = [
            ("axis", axis.given()),
            ("dtype", dtype),
            ("out", out),
            ("keepdims", keepdims_given.as_ref()),
            ("initial", initial.given()),
            ("where", r#where),
        ];
        if let Some(result) = call::by_operand(slf, "reduce", std::slice::from_ref(array), &given)? {
            return Ok(result);
        }
        let array = from_python::array(array, None, Order::K)?;
        let axes = match &axis {
            // An array of no dimensions has no first axis, and reduces to itself.
            AxisArgument::First if array.ndim() == 0 => None,
            AxisArgument::First => Some(SmallVec::from_elem(0, 1)),
            AxisArgument::Given(given) => arguments::axes_within(op.name(), Some(given), array.ndim())?,
        };
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let mask = optional_mask(r#where)?;
        let options = ReduceOptions {
            axes: axes.as_deref(),
            keepdims,
            dtype: dtype::optional(dtype)?,
            out: target_array.as_ref(),
            initial: initial.value(op.name())?,
            mask: mask.as_ref(),
        };
        let result = gate::detached(py, || reduce_op(op.name(), op, &array, &options))?;
        returned(py, result, target).map(Bound::into_any)
    }

    /// Combines the elements along an axis by this function, keeping every intermediate result.
    ///
    /// Parameters
    /// ----------
    /// array : array_like
    ///     The elements.
    /// axis : int, optional
    ///     The axis; the first by default.
    /// dtype : dtype, optional
    ///     The dtype to compute in.
    /// out : ndarray, optional
    ///     Where the result goes.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     The running results, of the array's shape.
    ///
    /// Examples
    /// --------
    /// >>> cp.add.accumulate(cp.array([1, 2, 3]))
    /// array([1, 3, 6])
    #[pyo3(signature = (array, axis=AxisArgument::First, dtype=None, out=None))]
    fn accumulate<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        array: &Bound<'py, PyAny>,
        axis: AxisArgument<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let op = slf.get().binary("accumulate")?;
        let given = [("axis", axis.given()), ("dtype", dtype), ("out", out)];
        if let Some(result) = call::by_operand(slf, "accumulate", std::slice::from_ref(array), &given)? {
            return Ok(result);
        }
        let array = from_python::array(array, None, Order::K)?;
        let axis = single_axis("accumulate", &axis, &array)?;
        let dtype = dtype::optional(dtype)?;
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result = gate::detached(py, || scan::accumulate(op, &array, axis, dtype, target_array.as_ref()))?;
        returned(py, result, target).map(Bound::into_any)
    }

    /// Combines the elements of segments along an axis by this function.
    ///
    /// Parameters
    /// ----------
    /// array : array_like
    ///     The elements.
    /// indices : array_like of int
    ///     Where the segments begin; each one ends where the next begins.
    /// axis : int, optional
    ///     The axis; the first by default.
    /// dtype : dtype, optional
    ///     The dtype to compute in.
    /// out : ndarray, optional
    ///     Where the result goes.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     One result a segment.
    ///
    /// Examples
    /// --------
    /// >>> cp.add.reduceat(cp.arange(6), [0, 2, 5])
    /// array([1, 9, 5])
    #[pyo3(signature = (array, indices, axis=AxisArgument::First, dtype=None, out=None))]
    fn reduceat<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        array: &Bound<'py, PyAny>,
        indices: &Bound<'py, PyAny>,
        axis: AxisArgument<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let op = slf.get().binary("reduceat")?;
        let given = [("axis", axis.given()), ("dtype", dtype), ("out", out), ("indices", Some(indices))];
        if let Some(result) = call::by_operand(slf, "reduceat", std::slice::from_ref(array), &given)? {
            return Ok(result);
        }
        let array = from_python::array(array, None, Order::K)?;
        let starts = positions(indices)?;
        let axis = single_axis("reduceat", &axis, &array)?;
        let dtype = dtype::optional(dtype)?;
        let target = single_out(out)?;
        let target_array = target.as_ref().map(|t| t.get().array(py));
        let result =
            gate::detached(py, || scan::reduceat(op, &array, &starts, axis, dtype, target_array.as_ref()))?;
        returned(py, result, target).map(Bound::into_any)
    }

    /// Applies this function to every pair of an element of `A` and an element of `B`.
    ///
    /// Parameters
    /// ----------
    /// A, B : array_like
    ///     The elements.
    /// **kwargs
    ///     The keywords of the function itself.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     The results, of shape ``A.shape + B.shape``.
    ///
    /// Examples
    /// --------
    /// >>> cp.multiply.outer(cp.array([1, 2]), cp.array([3, 4]))
    /// array([[3, 4],
    ///        [6, 8]])
    #[pyo3(signature = (A, B, /, **keywords))]
    #[allow(non_snake_case)]
    fn outer<'py>(
        slf: &Bound<'py, Self>,
        A: &Bound<'py, PyAny>,
        B: &Bound<'py, PyAny>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if slf.get().function.nin() != 2 {
            return Err(PyValueError::new_err("outer product only supported for binary functions"));
        }
        if let Some(result) = call::by_operand(slf, "outer", &[A.clone(), B.clone()], &[])? {
            return Ok(result);
        }
        let first = [A, B].iter().find_map(|a| a.cast::<NdArray>().ok().map(|a| a.get().array(py)));
        let _guard = first.as_ref().map(devices::enter_device_of);
        // Numbers become arrays here, with dtypes of their own.
        let (left, right) = (from_python::array(A, None, Order::K)?, from_python::array(B, None, Order::K)?);
        let layout = (0..right.ndim()).fold(left.layout().clone(), |l, _| l.insert_axis(l.ndim()));
        let left = left.with_layout(layout);
        if keywords.is_none_or(|k| k.is_empty()) {
            let plain = call::Keywords {
                out: (0..slf.get().function.parts().len()).map(|_| None).collect(),
                mask: None,
                dtype: None,
                casting: Casting::SameKind,
                order: Order::K,
            };
            let operands = [PyOperand::Array(left), PyOperand::Array(right)];
            return call::call(py, slf.get().function, &operands, plain);
        }
        slf.call((NdArray::wrap(py, left)?, NdArray::wrap(py, right)?), keywords)
    }

    /// Applies this function in place at an index; an element that is named twice is changed twice.
    ///
    /// Parameters
    /// ----------
    /// a : ndarray
    ///     The array that is changed.
    /// indices : index
    ///     Anything that can stand in ``a[...]``.
    /// b : array_like, optional
    ///     The second argument, for functions of two.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(3, dtype=int)
    /// >>> cp.add.at(a, [0, 0, 2], 1)
    /// >>> a
    /// array([2, 0, 1])
    #[pyo3(signature = (a, indices, b=None, /))]
    fn at<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        indices: &Bound<'py, PyAny>,
        b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let function = slf.get().function;
        let [op] = function.parts() else {
            return Err(PyValueError::new_err("at only supported for functions returning a single value"));
        };
        let Ok(target) = a.cast::<NdArray>() else {
            let given = [("indices", Some(indices)), ("b", b)];
            if call::by_operand(slf, "at", std::slice::from_ref(a), &given)?.is_some() {
                return Ok(());
            }
            return Err(PyTypeError::new_err(format!(
                "{}.at: the first operand must be an array of Cuprum's, got {}: write cp.asnumpy(x) for the others",
                function.name(),
                a.get_type().name()?
            )));
        };
        match (function.nin(), b) {
            (2, None) => return Err(PyValueError::new_err("second operand needed for ufunc")),
            (1, Some(_)) => {
                return Err(PyValueError::new_err("second operand provided when ufunc is unary"));
            }
            (1 | 2, _) => {}
            _ => {
                return Err(PyValueError::new_err("at only supported for functions of one or two arguments"));
            }
        }
        let array = target.get().array(py);
        let value = b.map(|b| operand(b)).transpose()?.map(|value| typed(py, *op, value, array.dtype()));
        let value = value.transpose()?;
        with_items(&array, indices, |items| {
            scatter_at(*op, &array, items, value.as_ref().map(PyOperand::arg))
        })
    }
}

/// The second operand of `at`: Python's numbers become arrays, with dtypes of their own, unless the elements' dtype holds
/// them and the op gives the same result in either dtype.
fn typed(py: Python<'_>, op: Op, value: PyOperand, dtype: DType) -> PyResult<PyOperand> {
    let PyOperand::Number(number) = value else { return Ok(value) };
    let wide = gate::attached(py, || Scalar::new(op.name(), number, number.default_dtype()))?;
    let narrow = Scalar::wrapping(number, dtype);
    // Beside uint64, integers of int64 make float64.
    let held = !matches!(dtype, DType::Bool | DType::U64) && narrow.cast(wide.dtype()) == wide;
    let is_same = op.row().same_when_widened.holds(dtype);
    Ok(if held && is_same { PyOperand::Number(number) } else { PyOperand::Scalar(wide) })
}

/// An `axis` that is the first one unless given; `None` is a choice of its own.
pub enum AxisArgument<'py> {
    /// The first axis.
    First,
    /// What the caller said.
    Given(Bound<'py, PyAny>),
}

impl<'py> AxisArgument<'py> {
    /// What the caller said, if anything.
    fn given(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            AxisArgument::First => None,
            AxisArgument::Given(axis) => Some(axis),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for AxisArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(AxisArgument::Given(object.to_owned()))
    }
}

/// The one axis of a method that takes no more.
fn single_axis(method: &str, axis: &AxisArgument<'_>, array: &Array) -> PyResult<i64> {
    let AxisArgument::Given(given) = axis else { return check_ndim(method, array).map(|()| 0) };
    let axes = arguments::axes(Some(given))?;
    if let (0, Some(&[axis])) = (array.ndim(), axes.as_deref())
        && !matches!(axis, 0 | -1)
    {
        return Err(crate::numpy::axis_error(given.py(), method, axis, 0));
    }
    check_ndim(method, array)?;
    if let (true, Some(axes)) = (arguments::is_tuple(Some(given)), &axes) {
        gate::attached(given.py(), || cuprum_core::normalize_axes("axis", axes, array.ndim()))?;
    }
    match axes.as_deref() {
        Some([axis]) => Ok(*axis),
        None if array.ndim() == 1 => Ok(0),
        _ => Err(PyValueError::new_err(format!("{method} does not allow multiple axes"))),
    }
}

fn check_ndim(method: &str, array: &Array) -> PyResult<()> {
    if array.ndim() > 0 {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("cannot {method} on a scalar")))
}

/// Segment starts: any real numbers, cut to integers as NumPy cuts them.
fn positions(object: &Bound<'_, PyAny>) -> PyResult<Array> {
    if object.is_instance_of::<PyString>() {
        return Err(PyValueError::new_err("object of too small depth for desired array"));
    }
    let array = from_python::array(object, None, Order::C)?;
    from_python::converted(object.py(), array, Some(DType::I64), Order::C)
}
