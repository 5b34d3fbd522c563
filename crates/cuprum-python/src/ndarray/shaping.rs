//! Methods that give the elements another shape, order or dtype.

use cuprum::{Array, Casting, Error, Order, manipulation};
use cuprum_graph::same_device;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::NdArray;
use crate::convert::from_python::is_ordered;
use crate::convert::{arguments, devices, dtype};
use crate::gate;
use crate::numpy::warn_of_cast;

type Any<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl NdArray {
    /// A result that may share the array's elements.
    fn shaped<'py>(
        slf: &Bound<'py, Self>,
        work: impl FnOnce(&Array) -> cuprum::Result<Array> + Send,
    ) -> PyResult<Bound<'py, NdArray>> {
        let array = slf.get().array(slf.py());
        let result = gate::compute(slf.py(), &[&array], || work(&array))?;
        NdArray::derive(slf, result)
    }
}

/// Whether converting to another dtype and back keeps every value.
fn check_same_value(array: &Array, converted: &Array) -> cuprum::Result<()> {
    let back = converted.astype(array.dtype())?;
    let equal = array.binary(cuprum::Op::Equal, &back)?.all()?;
    if equal.item::<bool>()? {
        return Ok(());
    }
    let message = format!("values would change in a cast from {} to {}", array.dtype(), converted.dtype());
    Err(Error::value("astype", message))
}

#[pymethods]
impl NdArray {
    /// The elements in another dtype: a copy, unless `copy` is False and nothing changes. See `cuprum.astype`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.7, -1.7]).astype(int)
    /// array([ 1, -1])
    #[pyo3(signature = (dtype, order=None, casting=None, subok=None, copy=true))]
    fn astype<'py>(
        slf: &Bound<'py, Self>,
        dtype: &Bound<'py, PyAny>,
        order: Any<'_, 'py>,
        casting: Any<'_, 'py>,
        subok: Any<'_, 'py>,
        copy: bool,
    ) -> PyResult<Bound<'py, NdArray>> {
        let _ = subok;
        let dtype = dtype::from_python(dtype)?;
        let order = arguments::order(order, Order::K)?;
        let casting = arguments::casting(casting, Casting::Unsafe)?;
        // Casts of complex numbers may warn.
        let real = |a: &Array| (!a.dtype().is_complex()).then(|| a.astype_ordered(dtype, order));
        if casting == Casting::Unsafe
            && copy
            && let Some(result) = slf.get().at_once(slf.py(), real)
        {
            return result;
        }
        let array = slf.get().array(slf.py());
        if !array.dtype().can_cast(dtype, casting) {
            let error = Error::Cast { op: "astype".into(), from: array.dtype(), to: dtype, casting };
            return Err(gate::exception(slf.py(), &error));
        }
        if !copy && array.dtype() == dtype && is_ordered(&array, order) {
            return Ok(slf.clone());
        }
        warn_of_cast(slf.py(), array.dtype(), dtype)?;
        let result = gate::compute(slf.py(), &[&array], || array.astype_ordered(dtype, order))?;
        if casting == Casting::SameValue {
            gate::detached(slf.py(), || check_same_value(&array, &result))?;
        }
        NdArray::wrap(slf.py(), result)
    }

    /// A copy. See `cuprum.copy`.
    #[pyo3(signature = (order=None))]
    fn copy<'py>(&self, py: Python<'py>, order: Any<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let order = arguments::order(order, Order::C)?;
        if let Some(result) = self.at_once(py, |a| Some(a.copy(order))) {
            return result;
        }
        let array = self.array(py);
        NdArray::wrap(py, gate::compute(py, &[&array], || array.copy(order))?)
    }

    /// The same bytes as elements of another dtype, without a copy.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.0]).view(cp.uint8).shape
    /// (8,)
    #[pyo3(signature = (dtype=None))]
    fn view<'py>(slf: &Bound<'py, Self>, dtype: Any<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let class = slf.py().get_type::<NdArray>();
        match dtype.filter(|d| !d.is_none() && !d.is(&class)) {
            None => NdArray::derive(slf, slf.get().array(slf.py())),
            Some(dtype) => {
                let dtype = dtype::in_memory("view", dtype)?;
                NdArray::shaped(slf, |a| manipulation::view_dtype(a, dtype))
            }
        }
    }

    /// The elements under another shape: a view where that is possible. See `cuprum.reshape`.
    ///
    /// Examples
    /// --------
    /// >>> cp.arange(6).reshape(2, -1)
    /// array([[0, 1, 2],
    ///        [3, 4, 5]])
    #[pyo3(signature = (*shape, order=None, copy=None))]
    fn reshape<'py>(
        slf: &Bound<'py, Self>,
        shape: &Bound<'py, PyTuple>,
        order: Any<'_, 'py>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, NdArray>> {
        if shape.is_empty() {
            return Err(PyTypeError::new_err("reshape() takes at least one argument: the shape"));
        }
        let shape = arguments::spread(shape)?;
        let order = arguments::order(order, Order::C)?;
        if order == Order::K {
            return Err(PyValueError::new_err("order 'K' is not permitted for reshaping"));
        }
        let array = slf.get().array(slf.py());
        let result = gate::compute(slf.py(), &[&array], || {
            let result = manipulation::reshape(&array, &shape, order)?;
            match copy {
                Some(true) if result.same_storage(&array) => result.copy(Order::C),
                Some(false) if !result.same_storage(&array) => {
                    Err(Error::value("reshape", "unable to avoid creating a copy while reshaping"))
                }
                _ => Ok(result),
            }
        })?;
        NdArray::derive(slf, result)
    }

    /// The elements in one dimension: a view where that is possible. See `cuprum.ravel`.
    #[pyo3(signature = (order=None))]
    fn ravel<'py>(slf: &Bound<'py, Self>, order: Any<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let order = arguments::order(order, Order::C)?;
        NdArray::shaped(slf, |a| manipulation::ravel(a, order))
    }

    /// A copy of the elements in one dimension.
    #[pyo3(signature = (order=None))]
    fn flatten<'py>(slf: &Bound<'py, Self>, order: Any<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let order = arguments::order(order, Order::C)?;
        NdArray::shaped(slf, |a| manipulation::flatten(a, order))
    }

    /// A view with the axes in another order, reversed if none is given. See `cuprum.transpose`.
    #[pyo3(signature = (*axes))]
    fn transpose<'py>(slf: &Bound<'py, Self>, axes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, NdArray>> {
        if axes.is_empty() || axes.len() == 1 && axes.get_item(0)?.is_none() {
            return NdArray::shaped(slf, |a| manipulation::transpose(a, None));
        }
        let axes = arguments::spread(axes)?;
        NdArray::shaped(slf, |a| manipulation::transpose(a, Some(&axes)))
    }

    /// A view with two axes exchanged. See `cuprum.swapaxes`.
    fn swapaxes<'py>(
        slf: &Bound<'py, Self>,
        axis1: &Bound<'py, PyAny>,
        axis2: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let (axis1, axis2) = (arguments::integer(axis1)?, arguments::integer(axis2)?);
        NdArray::shaped(slf, |a| manipulation::swapaxes(a, axis1, axis2))
    }

    /// A view without axes of length one. See `cuprum.squeeze`.
    #[pyo3(signature = (axis=None))]
    fn squeeze<'py>(slf: &Bound<'py, Self>, axis: Any<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let axes = arguments::axes(axis)?;
        NdArray::shaped(slf, |a| manipulation::squeeze(a, axes.as_deref()))
    }

    /// A view of a diagonal; it cannot be written. See `cuprum.diagonal`.
    #[pyo3(signature = (offset=0, axis1=0, axis2=1))]
    fn diagonal<'py>(
        slf: &Bound<'py, Self>,
        offset: i64,
        axis1: i64,
        axis2: i64,
    ) -> PyResult<Bound<'py, NdArray>> {
        NdArray::shaped(slf, |a| manipulation::diagonal(a, offset, axis1, axis2))
    }

    /// Each element several times. See `cuprum.repeat`.
    #[pyo3(signature = (repeats, axis=None))]
    fn repeat<'py>(
        slf: &Bound<'py, Self>,
        repeats: &Bound<'py, PyAny>,
        axis: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        crate::functions::manipulation::repeat(slf.as_any(), repeats, axis)
    }

    /// Sets whether the elements may be written.
    #[pyo3(signature = (write=None, align=None, uic=None))]
    fn setflags(
        slf: &Bound<'_, Self>,
        write: Option<bool>,
        align: Option<bool>,
        uic: Option<bool>,
    ) -> PyResult<()> {
        let _ = (align, uic);
        write.map_or(Ok(()), |write| slf.getattr("flags")?.setattr("writeable", write))
    }

    /// The array on a device: itself where it is there already, else a copy.
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device<'py>(
        slf: &Bound<'py, Self>,
        device: &Bound<'py, PyAny>,
        stream: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let _ = stream;
        let py = slf.py();
        let device = gate::named(py, "to_device", devices::optional(Some(device)))?;
        let array = slf.get().array(py);
        match device.filter(|d| !same_device(*d, array.device())) {
            None => Ok(slf.clone()),
            Some(device) => NdArray::wrap(py, gate::detached(py, || array.to_device(device))?),
        }
    }

    /// The module of the functions that take this array.
    #[pyo3(signature = (*, api_version=None))]
    fn __array_namespace__<'py>(
        &self,
        py: Python<'py>,
        api_version: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = api_version;
        Ok(py.import("cuprum")?.into_any())
    }
}
