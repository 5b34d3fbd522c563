//! What a NumPy array says of its memory, read where NumPy's C interface promises it to be: no call into Python at all.

use std::ffi::{c_char, c_int, c_long, c_longlong, c_void};
use std::sync::Arc;

use cuprum::{Array, DType, cpu};
use cuprum_core::{Dims, Layout, Strides};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use super::dtype;
use super::from_python::foreign;
use crate::numpy::numpy;

/// The beginning of NumPy's `PyArrayObject_fields`, which compiled modules read: the same in NumPy 1 and 2.
#[repr(C)]
struct Fields {
    head: ffi::PyObject,
    data: *mut c_void,
    ndim: c_int,
    shape: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    description: *const Description,
    flags: c_int,
}

/// The beginning of NumPy's `PyArray_Descr`, the same in NumPy 1 and 2.
#[repr(C)]
struct Description {
    head: ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    kind: c_char,
    letter: c_char,
    byte_order: c_char,
    flags: c_char,
    number: c_int,
}

/// The flag of arrays whose elements are aligned.
const ALIGNED: c_int = 0x100;
/// The order of bytes that is not the machine's.
const FOREIGN: u8 = if cfg!(target_endian = "little") { b'>' } else { b'<' };

/// A NumPy array's memory.
pub(super) struct HostArray {
    /// Its dtype, if that is one of ours.
    pub dtype: Option<DType>,
    /// Whether elements are aligned and in the machine's byte order.
    pub plain: bool,
    pub shape: Dims,
    strides: Strides,
    pub address: usize,
}

impl HostArray {
    /// What a NumPy array says; an error for anything else.
    pub fn of(host: &Bound<'_, PyAny>) -> PyResult<HostArray> {
        let py = host.py();
        let class = numpy(py)?.ndarray.bind(py);
        if !host.get_type().is(class) && !host.is_instance(class)? {
            let message = format!("array: a numpy.ndarray was expected, not {}", host.get_type().name()?);
            return Err(PyTypeError::new_err(message));
        }
        // SAFETY: instances of `numpy.ndarray` begin with these fields, and the description lives as long as the array.
        let (fields, description) = unsafe {
            let fields = &*host.as_ptr().cast::<Fields>();
            (fields, &*fields.description)
        };
        let ndim = fields.ndim.max(0) as usize;
        // SAFETY: both lists have a number for every axis; an array without any has none.
        let list =
            |at: *const isize| unsafe { if ndim == 0 { &[] } else { std::slice::from_raw_parts(at, ndim) } };
        Ok(HostArray {
            dtype: of_number(description.number),
            plain: fields.flags & ALIGNED != 0 && description.byte_order.to_ne_bytes() != [FOREIGN],
            shape: list(fields.shape).iter().map(|&length| length as usize).collect(),
            strides: Strides::from_slice(list(fields.strides)),
            address: fields.data as usize,
        })
    }

    /// Whether elements of this dtype lie row by row without gaps.
    pub fn is_contiguous(&self, dtype: DType) -> bool {
        let layout = Layout { shape: self.shape.clone(), strides: self.strides.clone(), offset: 0 };
        layout.is_contiguous(dtype.size())
    }

    /// An array over the memory, whose elements are of this dtype; it keeps the NumPy array.
    pub fn borrow(self, host: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Array> {
        let keeper = Arc::new(host.clone().unbind());
        // SAFETY: the address, shape and strides are those of the NumPy array that is kept.
        unsafe { foreign(cpu(), self.address, &self.shape, self.strides, dtype, keeper) }
    }
}

/// The dtype that NumPy has a number for.
fn of_number(number: c_int) -> Option<DType> {
    let (kind, size) = match number {
        0 => ('b', 1),
        1 => ('i', 1),
        2 => ('u', 1),
        3 => ('i', 2),
        4 => ('u', 2),
        5 => ('i', size_of::<c_int>()),
        6 => ('u', size_of::<c_int>()),
        7 => ('i', size_of::<c_long>()),
        8 => ('u', size_of::<c_long>()),
        9 => ('i', size_of::<c_longlong>()),
        10 => ('u', size_of::<c_longlong>()),
        11 => ('f', 4),
        12 => ('f', 8),
        14 => ('c', 8),
        15 => ('c', 16),
        23 => ('f', 2),
        _ => return None,
    };
    dtype::of_kind(kind, size)
}
