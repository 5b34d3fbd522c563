//! Operators, with NumPy's semantics for Python numbers, NumPy scalars, NumPy arrays and sequences on either side.

use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

use cuprum::elementwise::{apply, apply_assign};
use cuprum::fast_path::{self, Rhs};
use cuprum::{Arg, Array, DType, Number, Op, Options, Scalar, creation, products};
use cuprum_core::loss;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString, PyTuple};

use super::NdArray;
use super::subclass::of_operands;
use crate::convert::from_python::{PyOperand, common_scalar, operator_operand, python_number};
use crate::convert::{devices, dtype};
use crate::{exports, gate, mapped};

/// The right-hand side of an in-place operator; extraction fails, and Python tries the plain operator, for what
/// cannot be an operand at all.
enum InPlaceOperand<'a, 'py> {
    /// An array or a number, which need not be converted where it is plain.
    Simple(Borrowed<'a, 'py, PyAny>),
    Converted(PyOperand),
}

impl<'a, 'py> FromPyObject<'a, 'py> for InPlaceOperand<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let is_number = || object.is_exact_instance_of::<PyFloat>() || object.is_exact_instance_of::<PyInt>();
        if object.is_exact_instance_of::<NdArray>() || is_number() || dtype::of_scalar(&object)?.is_some() {
            return Ok(InPlaceOperand::Simple(object));
        }
        let found = operator_operand(&object)?;
        found.map(InPlaceOperand::Converted).ok_or_else(|| PyTypeError::new_err("unsupported operand"))
    }
}

/// `slf op other`, or `other op slf` where reflected.
#[inline]
fn binary(
    slf: &Bound<'_, NdArray>,
    other: &Bound<'_, PyAny>,
    op: Op,
    reflected: bool,
) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    if let Some(result) = try_binary(slf, other, op, reflected)? {
        // The other operand is no array of a derived class.
        return Ok(NdArray::like(slf, result)?.into_any().unbind());
    }
    let array = slf.get().array(py);
    let _guard = devices::enter_device_of(&array);
    let Some(operand) = operator_operand(other)? else { return Ok(py.NotImplemented()) };
    let result = NdArray::wrap(py, compute(py, op, &array, &operand, reflected)?)?;
    Ok(of_operands(slf, other, result)?.into_any().unbind())
}

/// The fast path, unless code outside can write an operand unseen: then the gate has to see it.
#[inline]
fn fast_apply(op: Op, a: &Array, rhs: Rhs<'_>) -> Option<cuprum::Result<Array>> {
    if exports::any() { None } else { intact(|| fast_path::apply(op, a, rhs)) }
}

/// What a fast path has made, unless memory that it may have read was lost.
#[inline]
fn intact<T>(work: impl FnOnce() -> Option<cuprum::Result<T>>) -> Option<cuprum::Result<T>> {
    let before = loss::settled();
    let made = work()?;
    Some(mapped::check(before).and(made))
}

/// A result as an object, or its error as an exception. Results become objects as soon as all locks are let go: to hand on an
/// array by value costs as much as a small op.
#[inline]
fn wrapped(py: Python<'_>, result: cuprum::Result<Array>) -> PyResult<Option<Bound<'_, NdArray>>> {
    match result {
        Ok(result) => NdArray::wrap(py, result).map(Some),
        Err(error) => Err(gate::exception(py, &error)),
    }
}

/// The common case, without a clone: operands of the fast path, or few elements, that are arrays or numbers of no other dtype.
#[inline]
fn try_binary<'py>(
    slf: &Bound<'py, NdArray>,
    other: &Bound<'py, PyAny>,
    op: Op,
    reflected: bool,
) -> PyResult<Option<Bound<'py, NdArray>>> {
    let py = slf.py();
    let Some(a) = slf.get().peek() else { return Ok(None) };
    if let Ok(other) = other.cast_exact::<NdArray>() {
        // `a * a` must not take one lock twice.
        let guard = if other.is(slf) { None } else { Some(other.get().peek()) };
        let b = match &guard {
            None => &*a,
            Some(Some(b)) => &**b,
            Some(None) => return Ok(None),
        };
        let (first, second) = if reflected { (b, &*a) } else { (&*a, b) };
        if let Some(result) = fast_apply(op, first, Rhs::Array(second)) {
            drop((guard, a));
            return wrapped(py, result);
        }
        if !gate::is_eager(&[first, second]) {
            return Ok(None);
        }
        let args = [Arg::Array(first), Arg::Array(second)];
        let outcome = gate::caught(|| apply(op, &args, &Options::default()));
        drop((guard, a));
        return NdArray::wrap(py, gate::finish(py, outcome)?).map(Some);
    }
    let Some(rhs) = number_beside(other, a.dtype(), reflected)? else { return Ok(None) };
    let arg = match rhs {
        Rhs::Number { n, .. } => Arg::Number(n),
        Rhs::Value { value, .. } => Arg::Scalar(value),
        Rhs::Absent | Rhs::Array(_) => return Ok(None),
    };
    try_with(py, a, op, rhs, |a| apply(op, &ordered(Arg::Array(a), arg, reflected), &Options::default()))
}

/// A number beside an array of a dtype: Python's own, or a NumPy scalar of the same dtype. `None` for anything else.
#[inline]
fn number_beside(object: &Bound<'_, PyAny>, dtype: DType, reflected: bool) -> PyResult<Option<Rhs<'static>>> {
    if let Some(n) = python_number(object)? {
        return Ok(Some(Rhs::Number { n, reflected }));
    }
    let value = common_scalar(object)?.filter(|value| value.dtype() == dtype);
    Ok(value.map(|value| Rhs::Value { value, reflected }))
}

/// [`try_binary`] for one array and whatever `rhs` says; `otherwise` computes few elements that are not on the fast path.
#[inline]
fn try_with<'py>(
    py: Python<'py>,
    a: MutexGuard<'_, Array>,
    op: Op,
    rhs: Rhs<'_>,
    otherwise: impl FnOnce(&Array) -> cuprum::Result<Array>,
) -> PyResult<Option<Bound<'py, NdArray>>> {
    if let Some(result) = fast_apply(op, &a, rhs) {
        drop(a);
        return wrapped(py, result);
    }
    if !gate::is_eager(&[&a]) {
        return Ok(None);
    }
    let outcome = gate::caught(|| otherwise(&a));
    drop(a);
    NdArray::wrap(py, gate::finish(py, outcome)?).map(Some)
}

/// A call of a ufunc with no keywords, in the common case; `None` for anything else.
#[inline]
pub fn try_call<'py>(
    op: Op,
    first: &Bound<'py, PyAny>,
    second: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, NdArray>>> {
    let Ok(slf) = first.cast_exact::<NdArray>() else {
        // A number may come first.
        return match second.map(|second| second.cast_exact::<NdArray>()) {
            Some(Ok(slf)) => try_binary(slf, first, op, true),
            _ => Ok(None),
        };
    };
    if let Some(second) = second {
        return try_binary(slf, second, op, false);
    }
    let Some(a) = slf.get().peek() else { return Ok(None) };
    try_with(slf.py(), a, op, Rhs::Absent, |a| apply(op, &[Arg::Array(a)], &Options::default()))
}

/// A call of a ufunc with an output and no other keyword, in the common case; `false` for anything else.
pub fn try_call_into(
    op: Op,
    first: &Bound<'_, PyAny>,
    second: Option<&Bound<'_, PyAny>>,
    out: &Bound<'_, NdArray>,
) -> PyResult<bool> {
    first.cast_exact::<NdArray>().map_or(Ok(false), |slf| try_into_array(op, slf, second, out))
}

fn ordered<'a>(array: Arg<'a>, other: Arg<'a>, reflected: bool) -> [Arg<'a>; 2] {
    if reflected { [other, array] } else { [array, other] }
}

fn compute(py: Python<'_>, op: Op, array: &Array, other: &PyOperand, reflected: bool) -> PyResult<Array> {
    let args = ordered(Arg::Array(array), other.arg(), reflected);
    let work = || apply(op, &args, &Options::default());
    match other.array() {
        Some(b) => gate::compute(py, &[array, b], work),
        None => gate::compute(py, &[array], work),
    }
}

fn unary(slf: &Bound<'_, NdArray>, op: Op) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let found = slf.get().peek().and_then(|a| fast_apply(op, &a, Rhs::Absent));
    if let Some(result) = found {
        let result = result.map_err(|error| gate::exception(py, &error))?;
        return Ok(NdArray::wrap_like(slf, result)?.into_any().unbind());
    }
    let array = slf.get().array(py);
    let result = gate::compute(py, &[&array], || apply(op, &[Arg::Array(&array)], &Options::default()))?;
    Ok(NdArray::wrap_like(slf, result)?.into_any().unbind())
}

fn in_place(slf: &Bound<'_, NdArray>, value: InPlaceOperand<'_, '_>, op: Op) -> PyResult<()> {
    let (py, target) = (slf.py(), slf.get());
    let is_value = target.is_element
        && !target.pinned.load(Ordering::Relaxed)
        && target.peek().is_some_and(|array| array.is_writeable());
    let value = match value {
        InPlaceOperand::Simple(object) => {
            if !is_value && try_into_array(op, slf, Some(&object), slf)? {
                return Ok(());
            }
            operator_operand(&object)?.ok_or_else(|| PyTypeError::new_err("unsupported operand"))?
        }
        InPlaceOperand::Converted(value) => value,
    };
    if is_value {
        // As for NumPy's scalars the result may be of another dtype: `a[i] /= 2` works for an array of integers.
        let result = compute(py, op, &target.array(py), &value, false)?;
        target.replace(py, result);
        return Ok(());
    }
    target.update(py, |array| apply_assign(op, array, value.arg()))
}

/// `op(slf, other)` into `target`, which may be one of them, in the common case of the fast path; `false`, and
/// nothing done, in any other.
fn try_into_array(
    op: Op,
    slf: &Bound<'_, NdArray>,
    other: Option<&Bound<'_, PyAny>>,
    target: &Bound<'_, NdArray>,
) -> PyResult<bool> {
    let py = slf.py();
    let other_array = other.and_then(|other| other.cast_exact::<NdArray>().ok());
    // No lock must be taken twice.
    let Some(a) = slf.get().peek() else { return Ok(false) };
    let locked_b = other_array.filter(|b| !b.is(slf)).map(|b| b.get().peek());
    let own = !target.is(slf) && other_array.is_none_or(|b| !b.is(target));
    let locked_target = own.then(|| target.get().peek());
    let b = match (&locked_b, other_array) {
        (Some(Some(b)), _) => Some(&**b),
        (Some(None), _) => return Ok(false),
        (None, Some(_)) => Some(&*a),
        (None, None) => None,
    };
    let rhs = match (b, other) {
        (Some(b), _) => Rhs::Array(b),
        (None, None) => Rhs::Absent,
        (None, Some(other)) => match number_beside(other, a.dtype(), false)? {
            Some(rhs) => rhs,
            None => return Ok(false),
        },
    };
    let into = match &locked_target {
        Some(Some(target)) => &**target,
        Some(None) => return Ok(false),
        None if target.is(slf) => &*a,
        None => b.unwrap_or(&a),
    };
    if exports::any() {
        return Ok(false);
    }
    match intact(|| fast_path::apply_into(op, &a, rhs, into)) {
        Some(done) => done.map(|()| true).map_err(|error| gate::exception(py, &error)),
        None => Ok(false),
    }
}

fn both(slf: &Bound<'_, NdArray>, other: &Bound<'_, PyAny>, reflected: bool) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let array = slf.get().array(py);
    let _guard = devices::enter_device_of(&array);
    let Some(operand) = operator_operand(other)? else { return Ok(py.NotImplemented()) };
    let part = |op| {
        let result = NdArray::wrap(py, compute(py, op, &array, &operand, reflected)?)?;
        of_operands(slf, other, result)
    };
    Ok(PyTuple::new(py, [part(Op::FloorDivide)?, part(Op::Remainder)?])?.into_any().unbind())
}

/// `a @ b` as a new array.
fn product(slf: &Bound<'_, NdArray>, other: &Bound<'_, PyAny>, reflected: bool) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let array = slf.get().array(py);
    let Some(operand) = operator_operand(other)? else { return Ok(py.NotImplemented()) };
    let PyOperand::Array(second) = operand else {
        crate::functions::products::check_number("matmul", other, &array)?;
        return Err(PyValueError::new_err("matmul: an operand is a number; use * to multiply by it"));
    };
    let (a, b) = if reflected { (&second, &array) } else { (&array, &second) };
    let product = match gate::attached(py, || fast_path::multiply(a, b, None).transpose())? {
        Some(product) => product,
        None => gate::detached(py, || products::matmul(a, b, None))?,
    };
    let result = NdArray::wrap(py, product)?;
    Ok(of_operands(slf, other, result)?.into_any().unbind())
}

/// The op that NumPy runs for `array ** exponent` with these exponents.
fn power_shortcut(array: &Array, exponent: &Bound<'_, PyAny>) -> PyResult<Option<Op>> {
    let dtype = array.dtype();
    let exponent = match python_number(exponent)? {
        Some(Number::Int(2)) => return Ok(Some(Op::Square)),
        Some(Number::Int(i)) if i.abs() <= 1 => i as f64,
        Some(Number::Float(x)) => x,
        _ => return Ok(None),
    };
    if dtype.is_integral() {
        return Ok(None);
    }
    Ok(match exponent {
        2.0 => Some(Op::Square),
        1.0 => Some(Op::Positive),
        0.5 => Some(Op::Sqrt),
        -1.0 => Some(Op::Reciprocal),
        _ => None,
    })
}

/// What no number equals: the answer is the same for every element.
fn never_equal(other: &Bound<'_, PyAny>) -> bool {
    other.is_none() || other.is_instance_of::<PyString>() || other.is_instance_of::<PyBytes>()
}

/// Whether something that is no operand leaves the comparison to the array: none of its numbers equals it.
fn has_no_answer(slf: &Bound<'_, NdArray>, other: &Bound<'_, PyAny>, op: Op) -> PyResult<bool> {
    if other.getattr("__array_ufunc__").is_ok_and(|f| f.is_none()) {
        return Ok(false);
    }
    let method = if op == Op::Equal { "__eq__" } else { "__ne__" };
    let answer = other.get_type().getattr(method)?.call1((other, slf))?;
    let unanswered = answer.is(slf.py().NotImplemented());
    // A number that arrays do not hold, such as a fraction, may equal one that they do.
    if unanswered && other.is_instance(&slf.py().import("numbers")?.getattr("Number")?)? {
        let name = other.get_type().qualname()?;
        let text = format!("a {name} cannot be compared with an array: pass float(x) or int(x)");
        return Err(PyTypeError::new_err(text));
    }
    Ok(unanswered)
}

fn unequal(slf: &Bound<'_, NdArray>, answer: bool) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let shape = slf.get().lock(py).dims();
    let value = Scalar::wrapping(Number::Bool(answer), DType::Bool);
    let result = gate::detached(py, || creation::full_scalar(&shape, value))?;
    Ok(NdArray::wrap_like(slf, result)?.into_any().unbind())
}

fn check_modulo(modulo: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match modulo.filter(|m| !m.is_none()) {
        None => Ok(()),
        Some(_) => Err(PyTypeError::new_err("power: a modulus is not supported")),
    }
}

#[pymethods]
impl NdArray {
    fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Add, false)
    }

    fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Add, true)
    }

    fn __iadd__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::Add)
    }

    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Subtract, false)
    }

    fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Subtract, true)
    }

    fn __isub__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::Subtract)
    }

    fn __mul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Multiply, false)
    }

    fn __rmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Multiply, true)
    }

    fn __imul__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::Multiply)
    }

    fn __truediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Divide, false)
    }

    fn __rtruediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Divide, true)
    }

    fn __itruediv__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::Divide)
    }

    fn __floordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::FloorDivide, false)
    }

    fn __rfloordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::FloorDivide, true)
    }

    fn __ifloordiv__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::FloorDivide)
    }

    fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Remainder, false)
    }

    fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::Remainder, true)
    }

    fn __imod__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::Remainder)
    }

    fn __and__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseAnd, false)
    }

    fn __rand__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseAnd, true)
    }

    fn __iand__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::BitwiseAnd)
    }

    fn __or__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseOr, false)
    }

    fn __ror__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseOr, true)
    }

    fn __ior__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::BitwiseOr)
    }

    fn __xor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseXor, false)
    }

    fn __rxor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::BitwiseXor, true)
    }

    fn __ixor__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::BitwiseXor)
    }

    fn __lshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::LeftShift, false)
    }

    fn __rlshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::LeftShift, true)
    }

    fn __ilshift__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::LeftShift)
    }

    fn __rshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::RightShift, false)
    }

    fn __rrshift__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, Op::RightShift, true)
    }

    fn __irshift__(slf: &Bound<'_, Self>, value: InPlaceOperand<'_, '_>) -> PyResult<()> {
        in_place(slf, value, Op::RightShift)
    }

    fn __pow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        check_modulo(modulo)?;
        let shortcut = power_shortcut(&slf.get().lock(slf.py()), other)?;
        shortcut.map_or_else(|| binary(slf, other, Op::Power, false), |op| unary(slf, op))
    }

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        check_modulo(modulo)?;
        binary(slf, other, Op::Power, true)
    }

    fn __ipow__(
        slf: &Bound<'_, Self>,
        value: InPlaceOperand,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        check_modulo(modulo)?;
        in_place(slf, value, Op::Power)
    }

    fn __divmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        both(slf, other, false)
    }

    fn __rdivmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        both(slf, other, true)
    }

    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        product(slf, other, false)
    }

    fn __rmatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        product(slf, other, true)
    }

    fn __imatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let array = slf.get().array(py);
        let other = crate::convert::from_python::array(other, None, cuprum::Order::K)?;
        gate::detached(py, || products::matmul(&array, &other, Some(&array)))?;
        Ok(())
    }

    fn __neg__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(slf, Op::Negative)
    }

    fn __pos__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(slf, Op::Positive)
    }

    fn __abs__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(slf, Op::Absolute)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(slf, Op::Invert)
    }

    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let op = match op {
            CompareOp::Lt => return binary(slf, other, Op::Less, false),
            CompareOp::Le => return binary(slf, other, Op::LessEqual, false),
            CompareOp::Gt => return binary(slf, other, Op::Greater, false),
            CompareOp::Ge => return binary(slf, other, Op::GreaterEqual, false),
            CompareOp::Eq => Op::Equal,
            CompareOp::Ne => Op::NotEqual,
        };
        if never_equal(other) {
            return unequal(slf, op == Op::NotEqual);
        }
        let result = binary(slf, other, op, false)?;
        let foreign = result.is(slf.py().NotImplemented());
        if foreign && has_no_answer(slf, other, op)? { unequal(slf, op == Op::NotEqual) } else { Ok(result) }
    }
}
