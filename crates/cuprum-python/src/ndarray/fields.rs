//! Methods that look at an array's memory: bytes and fields of elements, addresses, resizing in place.

use std::sync::atomic::Ordering;

use cuprum::elementwise::{Arg, assign};
use cuprum::{Array, Index, Order, creation, manipulation};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::{NdArray, stored_value};
use crate::convert::{arguments, devices, dtype};
use crate::{dlpack, gate};

const REFERENCED: &str = "cannot resize an array that references or is referenced by another array in this way; use \
                          cuprum.resize or refcheck=False";

#[pymethods]
impl NdArray {
    /// The elements with their bytes in the opposite order: of each part, for complex numbers.
    ///
    /// Parameters
    /// ----------
    /// inplace : bool, optional
    ///     Whether the array itself is changed, and returned; a copy is by default.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     The elements.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 256], dtype=cp.uint16).byteswap()
    /// array([256,   1], dtype=uint16)
    #[pyo3(signature = (inplace=false))]
    fn byteswap<'py>(slf: &Bound<'py, Self>, inplace: bool) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        let array = slf.get().array(py);
        if inplace {
            gate::detached(py, || manipulation::byteswap(&array))?;
            return Ok(slf.clone());
        }
        NdArray::wrap(py, gate::detached(py, || manipulation::byteswapped(&array))?)
    }

    /// What the elements hold at an offset, as another dtype.
    ///
    /// Parameters
    /// ----------
    /// dtype : dtype
    ///     The type of what is there; not larger than the array's.
    /// offset : int, optional
    ///     The number of bytes before it in each element.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     A view; a copy where the offset is no multiple of the dtype's size.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1 + 2j, 3 + 4j]).getfield(float, offset=8)
    /// array([2., 4.])
    #[pyo3(signature = (dtype, offset=0))]
    fn getfield<'py>(
        slf: &Bound<'py, Self>,
        dtype: &Bound<'py, PyAny>,
        offset: i64,
    ) -> PyResult<Bound<'py, NdArray>> {
        let dtype = dtype::in_memory("getfield", dtype)?;
        let array = slf.get().array(slf.py());
        NdArray::derive(slf, gate::detached(slf.py(), || manipulation::field(&array, dtype, offset))?)
    }

    /// Stores a value into what the elements hold at an offset.
    ///
    /// Parameters
    /// ----------
    /// val : array_like
    ///     The value, broadcast to the array's shape.
    /// dtype : dtype
    ///     The type of what is there; not larger than the array's.
    /// offset : int, optional
    ///     The number of bytes before it in each element.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(2, dtype=complex)
    /// >>> a.setfield([5, 6], float, offset=8)
    /// >>> a
    /// array([0.+5.j, 0.+6.j])
    #[pyo3(signature = (val, dtype, offset=0))]
    fn setfield(
        &self,
        py: Python<'_>,
        val: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        offset: i64,
    ) -> PyResult<()> {
        let dtype = dtype::in_memory("setfield", dtype)?;
        let value = stored_value(val, dtype)?;
        let array = self.array(py);
        gate::detached(py, || manipulation::set_field(&array, dtype, offset, value.arg()))
    }

    /// Changes the shape and the number of elements in place; new elements are zero.
    ///
    /// Parameters
    /// ----------
    /// *new_shape : int or tuple of ints
    ///     The shape.
    /// refcheck : bool, optional
    ///     Whether it is an error that the array is referenced elsewhere.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([1, 2, 3])
    /// >>> a.resize(2, 2, refcheck=False)
    /// >>> a
    /// array([[1, 2],
    ///        [3, 0]])
    #[pyo3(signature = (*new_shape, refcheck=true))]
    fn resize(slf: &Bound<'_, Self>, new_shape: &Bound<'_, PyTuple>, refcheck: bool) -> PyResult<()> {
        if new_shape.is_empty() || (new_shape.len() == 1 && new_shape.get_item(0)?.is_none()) {
            return Ok(());
        }
        let py = slf.py();
        let shape = arguments::checked_shape(&arguments::spread(new_shape)?)?;
        let array = slf.get().array(py);
        if !array.is_contiguous() && !array.is_fortran() {
            return Err(PyValueError::new_err("resize only works on single-segment arrays"));
        }
        let size: usize = shape.iter().product();
        if size != array.size() {
            check_unshared(slf, refcheck)?;
        }
        let order = if array.is_contiguous() { Order::C } else { Order::F };
        let _guard = devices::enter_device_of(&array);
        let resized = gate::detached(py, || resized(&array, &shape, size, order))?;
        slf.get().replace(py, resized);
        Ok(())
    }

    /// A view with as few axes as possible: those that follow one another in memory become one.
    ///
    /// Returns
    /// -------
    /// out : ndarray
    ///     The view.
    ///
    /// Examples
    /// --------
    /// >>> cp.zeros((2, 3, 4)).reduced_view().shape
    /// (24,)
    fn reduced_view<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        NdArray::derive(slf, manipulation::merged(&slf.get().array(slf.py())))
    }

    /// The elements' address, shape and strides as `ctypes` takes them; arrays on a GPU have none.
    ///
    /// Examples
    /// --------
    /// >>> import ctypes
    /// >>> a = cp.full(2, 2.5, device="cpu")
    /// >>> a.ctypes.data_as(ctypes.POINTER(ctypes.c_double))[1]
    /// 2.5
    #[getter]
    fn ctypes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("cuprum._addresses")?.getattr("Addresses")?.call1((slf,))
    }

    /// A DLPack capsule of the elements; `cuprum.fromDlpack` takes one.
    ///
    /// Examples
    /// --------
    /// >>> cp.fromDlpack(cp.arange(3).toDlpack())
    /// array([0, 1, 2])
    #[pyo3(name = "toDlpack")]
    fn to_dlpack<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        dlpack::export(slf, None, None, None, None)
    }
}

/// An error unless the memory of the array is its own and nobody else knows it.
fn check_unshared(slf: &Bound<'_, NdArray>, refcheck: bool) -> PyResult<()> {
    if slf.get().base.is_some() {
        return Err(PyValueError::new_err("cannot resize this array: it does not own its data"));
    }
    let known = slf.get().pinned.load(Ordering::Relaxed);
    let watched = slf.py().import("weakref")?.call_method1("getweakrefcount", (slf,))?.is_truthy()?;
    // The caller's own reference, and that of the call.
    // SAFETY: `slf` is a live object and the GIL is held.
    let shared = unsafe { ffi::Py_REFCNT(slf.as_ptr()) } > 2;
    if known || watched || (refcheck && shared) {
        return Err(PyValueError::new_err(REFERENCED));
    }
    Ok(())
}

/// The elements in the order that they have in memory under another shape, cut or followed by zeros.
fn resized(array: &Array, shape: &[usize], size: usize, order: Order) -> cuprum::Result<Array> {
    let flat = manipulation::reshape(array, &[-1], order)?;
    let lengths: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    if size == array.size() {
        return manipulation::reshape(&flat, &lengths, order);
    }
    let kept = [Index::Slice { start: Some(0), stop: Some(size.min(array.size()) as i64), step: 1 }];
    let longer = creation::zeros(&[size], array.dtype())?;
    assign("resize", &longer.index(&kept)?, Arg::Array(&flat.index(&kept)?), None)?;
    manipulation::reshape(&longer, &lengths, order)
}
