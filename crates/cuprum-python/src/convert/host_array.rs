//! What a NumPy array says of its memory, by NumPy's `__array_struct__`: one call instead of one for each attribute.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use cuprum::{Array, DType, cpu};
use cuprum_core::{Dims, Strides};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use super::dtype;
use super::from_python::foreign;

/// `PyArrayInterface`, as NumPy's array interface protocol defines it.
#[repr(C)]
struct Interface {
    /// The number two.
    version: c_int,
    ndim: c_int,
    kind: c_char,
    itemsize: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
    description: *mut c_void,
}

/// Flags: elements are aligned, and in the machine's byte order.
const ALIGNED: c_int = 0x100;
const NATIVE: c_int = 0x200;

/// A NumPy array's memory.
pub(super) struct HostArray {
    /// Its dtype, if that is one of ours by kind and size.
    pub dtype: Option<DType>,
    /// Whether elements are aligned and in the machine's byte order.
    pub plain: bool,
    shape: Dims,
    strides: Strides,
    address: usize,
}

impl HostArray {
    /// What a NumPy array says.
    pub fn of(host: &Bound<'_, PyAny>) -> PyResult<HostArray> {
        let capsule = host.getattr("__array_struct__")?.cast_into::<PyCapsule>()?;
        let interface = capsule.pointer_checked(None)?.cast::<Interface>();
        // SAFETY: the protocol has such a struct in the capsule, alive as long as that.
        let interface = unsafe { interface.as_ref() };
        if interface.version != 2 {
            return Err(PyTypeError::new_err("array: __array_struct__ is of an unknown version"));
        }
        let ndim = interface.ndim.max(0) as usize;
        // SAFETY: both lists have a number for every axis; an array without any has none.
        let list =
            |at: *const isize| unsafe { if ndim == 0 { &[] } else { std::slice::from_raw_parts(at, ndim) } };
        Ok(HostArray {
            dtype: dtype::of_kind(interface.kind as u8 as char, interface.itemsize.max(0) as usize),
            plain: interface.flags & (ALIGNED | NATIVE) == ALIGNED | NATIVE,
            shape: list(interface.shape).iter().map(|&length| length as usize).collect(),
            strides: Strides::from_slice(list(interface.strides)),
            address: interface.data as usize,
        })
    }

    /// An array over the memory, whose elements are of this dtype; it keeps the NumPy array.
    pub fn borrow(self, host: &Bound<'_, PyAny>, dtype: DType) -> Array {
        foreign(cpu(), self.address, &self.shape, self.strides, dtype, Arc::new(host.clone().unbind()))
    }
}
