//! How Python calls a ufunc with its arguments on the stack: simple calls need no tuple and no dict. Other calls go through
//! `__call__`, and so do all if the class has no such slot.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cuprum::Op;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTypeInfo, ffi, intern};
use smallvec::SmallVec;

use super::{UFunc, UfuncFunction};
use crate::ndarray::{NdArray, try_call, try_call_into};
use crate::{gate, type_slots};

/// The flag in the number of arguments that allows using the slot before the first one (`PY_VECTORCALL_ARGUMENTS_OFFSET`).
const OFFSET: usize = 1 << (usize::BITS - 1);

/// The arguments of a call: those by position, those by keyword behind them, and the keywords.
struct Stack<'a, 'py> {
    args: SmallVec<[Borrowed<'a, 'py, PyAny>; 4]>,
    positional: usize,
    names: Option<Borrowed<'a, 'py, PyTuple>>,
}

/// Has Python call ufuncs by [`call`], where the place for it in this interpreter's types is known.
pub fn install(py: Python<'_>) -> PyResult<()> {
    if !type_slots::are_as_described(py)? {
        return Ok(());
    }
    let Some(any) = super::named(py, "add")? else { return Ok(()) };
    let any = any.cast::<UFunc>()?;
    let offset = std::ptr::from_ref(&any.get().called) as usize - any.as_ptr() as usize;
    // SAFETY: the contents of a pyclass lie at one place in all its objects, and `called` at one place in them; `call` does
    // what `__call__` does.
    unsafe { type_slots::fill_vectorcall(&py.get_type::<UFunc>(), offset) };
    Ok(())
}

/// `ufunc(*args, **keywords)`, by vectorcall.
///
/// # Safety
/// As of any `vectorcallfunc`: the thread is attached, and the pointers are those of a call of a ufunc.
pub(super) unsafe extern "C" fn call(
    ufunc: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls from a thread that is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller holds the ufunc, its arguments and the tuple of their names until the call is over; behind the
    // arguments by position there is one for every name.
    let (ufunc, stack) = unsafe {
        let ufunc = Borrowed::from_ptr(py, ufunc).cast_unchecked::<UFunc>();
        let names = Borrowed::from_ptr_or_opt(py, names).map(|names| names.cast_unchecked::<PyTuple>());
        let positional = count & !OFFSET;
        let all = positional + names.map_or(0, |names| names.len());
        let args = (0..all).map(|i| Borrowed::from_ptr(py, *args.add(i))).collect();
        (ufunc, Stack { args, positional, names })
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| match plain(&ufunc, &stack)? {
        Some(result) => Ok(result),
        None => by_tuple(&ufunc, &stack),
    }));
    match outcome.unwrap_or_else(|panic| Err(gate::internal_error(&*panic))) {
        Ok(result) => result.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

/// The call in the common case: arguments that are all there, and no keyword but `out`. `None` for anything else.
#[inline]
fn plain<'py>(ufunc: &Bound<'py, UFunc>, stack: &Stack<'_, 'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let function = ufunc.get().function;
    let (first, second, rest) = match (function.nin(), &stack.args[..]) {
        (1, [first, rest @ ..]) => (first, None, rest),
        (2, [first, second, rest @ ..]) => (first, Some(&**second), rest),
        _ => return Ok(None),
    };
    if stack.positional != function.nin() {
        return Ok(None);
    }
    match (function, rest, stack.names) {
        (UfuncFunction::One(row), [], _) => Ok(try_call(row.op, first, second)?.map(Bound::into_any)),
        (UfuncFunction::Many(row), [], _) => {
            // What fails goes the long way, which names the function rather than a part of it.
            let part = |op: &Op| try_call(*op, first, second).ok().flatten();
            let results: Option<SmallVec<[_; 2]>> = row.parts.iter().map(part).collect();
            results.map(|results| PyTuple::new(ufunc.py(), results).map(Bound::into_any)).transpose()
        }
        (UfuncFunction::One(row), [out], Some(names))
            if names.get_borrowed_item(0)?.is(intern!(ufunc.py(), "out")) =>
        {
            let Ok(target) = out.cast_exact::<NdArray>() else { return Ok(None) };
            if target.get().is_element() {
                return Ok(None);
            }
            let done = try_call_into(row.op, first, second, &target)?;
            Ok(done.then(|| Bound::clone(out)))
        }
        _ => Ok(None),
    }
}

/// The call by `__call__`, which takes a tuple and a dict.
fn by_tuple<'py>(ufunc: &Bound<'py, UFunc>, stack: &Stack<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = ufunc.py();
    let (args, values) = stack.args.split_at(stack.positional);
    let args = PyTuple::new(py, args)?;
    let keywords = PyDict::new(py);
    for (name, value) in stack.names.iter().flat_map(|names| names.iter_borrowed()).zip(values) {
        keywords.set_item(name, value)?;
    }
    // SAFETY: the slot of a class that has a `__call__` is the function that Python itself would call with this tuple and dict;
    // what it returns is a new reference, or null and an exception.
    unsafe {
        let slot = ffi::PyType_GetSlot(UFunc::type_object_raw(py), ffi::Py_tp_call);
        let call: ffi::ternaryfunc = std::mem::transmute(slot);
        Bound::from_owned_ptr_or_err(py, call(ufunc.as_ptr(), args.as_ptr(), keywords.as_ptr()))
    }
}
