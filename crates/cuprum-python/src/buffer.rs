//! The buffer protocol, so that `memoryview(a)`, `bytes(a)` and `numpy.frombuffer(a)` read an array in place.
//!
//! The stable ABI of Python 3.10 does not let an extension declare buffer slots: they are filled in after the type is made,
//! where its structure is known. Without them arrays still convert by `__array__` and DLPack.

use std::ffi::{c_int, c_void};

use cuprum::{Array, DType};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::functions::cuda::MemoryBlock;
use crate::ndarray::NdArray;
use crate::type_slots::{self, BufferSlots, PyBuffer};
use crate::{exports, gate, strict};

const SLOTS: BufferSlots = BufferSlots { get: Some(get_buffer), release: Some(release_buffer) };

const WRITABLE: c_int = 0x1;
const FORMAT: c_int = 0x4;
const ND: c_int = 0x8;
const STRIDES: c_int = 0x10 | ND;
const C_CONTIGUOUS: c_int = 0x20 | STRIDES;
const F_CONTIGUOUS: c_int = 0x40 | STRIDES;
const ANY_CONTIGUOUS: c_int = 0x80 | STRIDES;

/// What an export keeps alive until it is released: the elements, and the numbers that the consumer points to.
struct ExportedBuffer {
    array: Array,
    shape: Box<[isize]>,
    strides: Box<[isize]>,
}

/// Fills the buffer slots of the classes of arrays and of blocks of memory, where this interpreter's structures are the ones
/// described here.
pub fn install(py: Python<'_>) -> PyResult<()> {
    if type_slots::are_as_described(py)? {
        type_slots::fill_buffer(&py.get_type::<NdArray>(), SLOTS);
        type_slots::fill_buffer(&py.get_type::<MemoryBlock>(), SLOTS);
    }
    Ok(())
}

/// Gives a class that Python derived from one of ours the buffer slots of its base. Python 3.12 and later look for a method
/// `__buffer__` in the base, which slots that were filled in afterwards do not have, and leave those of the class empty.
#[pyfunction]
pub fn inherit_buffer<'py>(subclass: Bound<'py, PyType>) -> PyResult<Bound<'py, PyType>> {
    let py = subclass.py();
    let ours = subclass.is_subclass_of::<NdArray>()? || subclass.is_subclass_of::<MemoryBlock>()?;
    if ours && type_slots::are_as_described(py)? {
        type_slots::fill_buffer(&subclass, SLOTS);
    }
    Ok(subclass)
}

unsafe extern "C" fn get_buffer(object: *mut ffi::PyObject, view: *mut PyBuffer, flags: c_int) -> c_int {
    // SAFETY: CPython calls this with the GIL held.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: `view` is the caller's structure, to be filled in; on failure its `obj` must be null.
    unsafe { (*view).obj = std::ptr::null_mut() };
    // SAFETY: `object` is the object that the caller asks for a buffer, and holds.
    let owner = unsafe { Bound::from_borrowed_ptr(py, object) };
    let filled = elements(&owner).and_then(|array| describe(&owner, array, flags));
    match filled {
        Ok(buffer) => {
            // SAFETY: `view` is valid for writes.
            unsafe { view.write(buffer) };
            0
        }
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// The elements of an array, or the bytes of a block of memory.
fn elements(owner: &Bound<'_, PyAny>) -> PyResult<Array> {
    if let Ok(block) = owner.cast::<MemoryBlock>() {
        return Ok(block.get().array().clone());
    }
    Ok(owner.cast::<NdArray>()?.get().array(owner.py()))
}

fn describe(owner: &Bound<'_, PyAny>, array: Array, flags: c_int) -> PyResult<PyBuffer> {
    let py = owner.py();
    let is_hosts = owner.cast::<MemoryBlock>().is_ok_and(|block| block.get().is_hosts());
    if !is_hosts && strict::is_apart(&array) {
        let message = format!("the array is on {}: use .get() or cp.asnumpy(a)", strict::device_name(&array));
        return Err(PyBufferError::new_err(message));
    }
    check_request(&array, flags)?;
    let format = format_of(array.dtype())?;
    let address = gate::detached(py, || exports::add(&array))?;
    let itemsize = array.dtype().size();
    let wants = |flag: c_int| flags & flag == flag;
    let mut held = Box::new(ExportedBuffer {
        shape: array.shape().iter().map(|&d| d as isize).collect(),
        strides: array.strides().into(),
        array,
    });
    let null = std::ptr::null_mut();
    Ok(PyBuffer {
        buf: address as *mut c_void,
        obj: owner.clone().into_ptr(),
        len: (held.array.size() * itemsize) as isize,
        itemsize: itemsize as isize,
        readonly: c_int::from(!held.array.is_writeable()),
        ndim: if wants(ND) { held.array.ndim() as c_int } else { 1 },
        format: if wants(FORMAT) { format.as_ptr() } else { std::ptr::null() },
        shape: if wants(ND) { held.shape.as_mut_ptr() } else { null },
        strides: if wants(STRIDES) { held.strides.as_mut_ptr() } else { null },
        suboffsets: null,
        internal: Box::into_raw(held).cast(),
    })
}

fn check_request(array: &Array, flags: c_int) -> PyResult<()> {
    let wants = |flag: c_int| flags & flag == flag;
    let (c, f) = (array.is_contiguous(), array.is_fortran());
    let problem = if wants(WRITABLE) && !array.is_writeable() {
        "the array is read-only"
    } else if wants(C_CONTIGUOUS) && !c {
        "the array is not C-contiguous"
    } else if wants(F_CONTIGUOUS) && !f {
        "the array is not Fortran-contiguous"
    } else if wants(ANY_CONTIGUOUS) && !c && !f {
        "the array is not contiguous"
    } else if !wants(STRIDES) && !c {
        "the array is not C-contiguous, and the consumer takes no strides"
    } else {
        return Ok(());
    };
    Err(PyBufferError::new_err(problem))
}

fn format_of(dtype: DType) -> PyResult<&'static std::ffi::CStr> {
    Ok(match dtype {
        DType::Bool => c"?",
        DType::I8 => c"b",
        DType::U8 => c"B",
        DType::I16 => c"h",
        DType::U16 => c"H",
        DType::I32 => c"i",
        DType::U32 => c"I",
        DType::I64 => c"l",
        DType::U64 => c"L",
        DType::F16 => c"e",
        DType::F32 => c"f",
        DType::F64 => c"d",
        DType::C64 => c"Zf",
        DType::C128 => c"Zd",
        DType::BF16 => return Err(PyBufferError::new_err("buffers have no format for bfloat16")),
    })
}

unsafe extern "C" fn release_buffer(_object: *mut ffi::PyObject, view: *mut PyBuffer) {
    // SAFETY: `internal` is the box that `describe` made for this view, and each view is released once.
    let held = unsafe { Box::from_raw((*view).internal.cast::<ExportedBuffer>()) };
    exports::remove(&held.array);
}
