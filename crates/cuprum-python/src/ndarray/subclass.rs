//! Classes derived from `ndarray`: their results are of their class, and pass `__array_finalize__`, as in NumPy and CuPy.
//!
//! Arrays of the class itself pay one comparison of pointers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use cuprum::Array;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyTypeInfo, ffi, intern};

use super::NdArray;
use crate::{buffer, gate, type_slots};

/// What makes an object of `ndarray` or a class derived from it, without `__array_finalize__`.
static ALLOCATE: OnceLock<ffi::newfunc> = OnceLock::new();

impl NdArray {
    /// A result of `owner` alone, in the owner's class.
    #[inline]
    pub fn like<'py>(
        owner: &Bound<'py, NdArray>,
        result: Bound<'py, NdArray>,
    ) -> PyResult<Bound<'py, NdArray>> {
        if owner.is_exact_instance_of::<NdArray>() {
            return Ok(result);
        }
        in_class(&owner.get_type(), &result, owner)
    }

    /// New elements that come of `owner` alone, in the owner's class.
    #[inline]
    pub fn wrap_like<'py>(owner: &Bound<'py, NdArray>, array: Array) -> PyResult<Bound<'py, NdArray>> {
        NdArray::like(owner, NdArray::wrap(owner.py(), array)?)
    }
}

#[pymethods]
impl NdArray {
    /// Gives a class that is derived from this one the buffer protocol.
    #[classmethod]
    #[pyo3(signature = (**keywords))]
    fn __init_subclass__(cls: &Bound<'_, PyType>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let py = cls.py();
        let next = py.import("builtins")?.getattr("super")?.call1((py.get_type::<NdArray>(), cls))?;
        next.call_method("__init_subclass__", (), keywords)?;
        buffer::inherit_buffer(cls.clone()).map(|_| ())
    }
}

/// Whether an object is of a class derived from `ndarray`.
fn is_derived(object: &Bound<'_, PyAny>) -> bool {
    !object.is_exact_instance_of::<NdArray>() && object.is_instance_of::<NdArray>()
}

/// The operand whose class results are of: of those of a derived class the one of the highest `__array_priority__`, the first
/// of several.
pub fn template<'py>(
    operands: impl IntoIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, NdArray>>> {
    let mut best: Option<(f64, Bound<'py, NdArray>)> = None;
    for operand in operands.into_iter().filter(is_derived) {
        let priority = operand.getattr(intern!(operand.py(), "__array_priority__"))?.extract::<f64>()?;
        if best.as_ref().is_none_or(|(highest, _)| priority > *highest) {
            best = Some((priority, operand.cast_into::<NdArray>()?));
        }
    }
    Ok(best.map(|(_, operand)| operand))
}

/// A result of two operands, in the class that [`template`] finds.
#[inline]
pub fn of_operands<'py>(
    slf: &Bound<'py, NdArray>,
    other: &Bound<'py, PyAny>,
    result: Bound<'py, NdArray>,
) -> PyResult<Bound<'py, NdArray>> {
    if slf.is_exact_instance_of::<NdArray>() && !is_derived(other) {
        return Ok(result);
    }
    match template([slf.as_any().clone(), other.clone()])? {
        Some(owner) => in_class(&owner.get_type(), &result, &owner),
        None => Ok(result),
    }
}

/// The same elements as an object of a derived class, which has seen the object that they come of.
#[cold]
pub fn in_class<'py>(
    class: &Bound<'py, PyType>,
    result: &Bound<'py, NdArray>,
    of: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, NdArray>> {
    let py = class.py();
    let arguments = PyTuple::new(py, [PyTuple::empty(py)])?;
    let keywords = PyDict::new(py);
    keywords.set_item(intern!(py, "memptr"), result)?;
    let made = match ALLOCATE.get() {
        // SAFETY: the class is derived from `ndarray`, whose own slot this is; it takes a tuple and a dict, and gives a new
        // reference, or null and an exception.
        Some(allocate) => unsafe {
            let made = allocate(class.as_type_ptr(), arguments.as_ptr(), keywords.as_ptr());
            Bound::from_owned_ptr_or_err(py, made)?
        },
        None => {
            let base = py.get_type::<NdArray>();
            base.getattr("__new__")?.call((class, PyTuple::empty(py)), Some(&keywords))?
        }
    };
    let made = made.cast_into::<NdArray>()?;
    finalize(&made, of)?;
    Ok(made)
}

/// Lets an object of a derived class see what it comes of.
fn finalize(made: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>) -> PyResult<()> {
    let method = made.getattr(intern!(made.py(), "__array_finalize__"))?;
    if !method.is_none() {
        method.call1((of,))?;
    }
    Ok(())
}

/// Has `ndarray.__new__` call `__array_finalize__(None)` for derived classes, where the place of the slot in this
/// interpreter's types is known.
pub fn install(py: Python<'_>) -> PyResult<()> {
    if !type_slots::are_as_described(py)? {
        return Ok(());
    }
    // SAFETY: the slot of a class that has a `__new__` is a `newfunc`.
    let allocate = unsafe {
        let slot = ffi::PyType_GetSlot(NdArray::type_object_raw(py), ffi::Py_tp_new);
        std::mem::transmute::<*mut std::ffi::c_void, Option<ffi::newfunc>>(slot)
    };
    if let Some(allocate) = allocate
        && ALLOCATE.set(allocate).is_ok()
    {
        // SAFETY: `new` does what the slot did before, and calls a method.
        unsafe { type_slots::fill_new(&py.get_type::<NdArray>(), allocate, new) };
    }
    Ok(())
}

/// `ndarray.__new__`.
///
/// # Safety
/// As of any `newfunc`: the thread is attached, and the pointers are those of a call of `__new__`.
unsafe extern "C" fn new(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls from a thread that is attached.
    let py = unsafe { Python::assume_attached() };
    let Some(allocate) = ALLOCATE.get() else { return std::ptr::null_mut() };
    // SAFETY: the pointers are the caller's.
    let made = unsafe { allocate(class, arguments, keywords) };
    if made.is_null() || class == NdArray::type_object_raw(py) {
        return made;
    }
    // SAFETY: the slot gives a new reference.
    let made = unsafe { Bound::from_owned_ptr(py, made) };
    let outcome = catch_unwind(AssertUnwindSafe(|| finalize(&made, py.None().bind(py))));
    match outcome.unwrap_or_else(|panic| Err(gate::internal_error(&*panic))) {
        Ok(()) => made.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}
