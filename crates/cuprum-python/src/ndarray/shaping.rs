//! Methods that give the elements another shape, order or dtype.

use cuprum::{Array, Casting, Error, Order, manipulation};
use cuprum_graph::same_device;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::{NdArray, in_class};
use crate::convert::arguments::OptArg;
use crate::convert::from_python::is_ordered;
use crate::convert::{arguments, devices, dtype};
use crate::gate;
use crate::numpy::{numpy, warn_of_cast};

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

/// A converted copy, in the class of the array unless `subok` is False.
fn kept<'py>(
    slf: &Bound<'py, NdArray>,
    subok: OptArg<'_, 'py>,
    result: Bound<'py, NdArray>,
) -> PyResult<Bound<'py, NdArray>> {
    match subok.filter(|s| !s.is_none()) {
        Some(subok) if !subok.is_truthy()? => Ok(result),
        _ => NdArray::like(slf, result),
    }
}

/// The package of dtypes that are stored and that the engine does not know (structures, dates, other orders of bytes), with
/// NumPy's dtype; the error where it is none of them.
fn stored_dtype<'py>(
    dtype: &Bound<'py, PyAny>,
    error: PyErr,
) -> PyResult<(Bound<'py, PyModule>, Bound<'py, PyAny>)> {
    let py = dtype.py();
    let Ok(dtype) = numpy(py)?.dtype.bind(py).call1((dtype,)) else { return Err(error) };
    let package = py.import("cuprum._stored")?;
    if !package.call_method1("is_stored", (&dtype,))?.is_truthy()? {
        return Err(error);
    }
    Ok((package, dtype))
}

/// The same bytes as elements of a stored dtype.
fn stored_view<'py>(
    slf: &Bound<'py, NdArray>,
    dtype: &Bound<'py, PyAny>,
    error: PyErr,
) -> PyResult<Bound<'py, PyAny>> {
    let (package, dtype) = stored_dtype(dtype, error)?;
    package.call_method1("viewed", (slf, dtype))
}

/// Whether a class is `ndarray` or derived from it.
fn is_of_arrays(class: &Bound<'_, PyType>) -> bool {
    class.is_subclass_of::<NdArray>().unwrap_or(false)
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
        order: OptArg<'_, 'py>,
        casting: OptArg<'_, 'py>,
        subok: OptArg<'_, 'py>,
        copy: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dtype = match dtype::from_python(dtype) {
            Ok(known) => known,
            Err(error) => {
                let (package, dtype) = stored_dtype(dtype, error)?;
                return package.call_method1("converted", (slf, dtype, casting));
            }
        };
        let order = arguments::order(order, Order::K)?;
        let casting = arguments::casting(casting, Casting::Unsafe)?;
        // Casts of complex numbers may warn.
        let real = |a: &Array| (!a.dtype().is_complex()).then(|| a.astype_ordered(dtype, order));
        if casting == Casting::Unsafe
            && copy
            && let Some(result) = slf.get().at_once(slf.py(), real)
        {
            return kept(slf, subok, result?).map(Bound::into_any);
        }
        let array = slf.get().array(slf.py());
        if !array.dtype().can_cast(dtype, casting) {
            let error = Error::Cast { op: "astype".into(), from: array.dtype(), to: dtype, casting };
            return Err(gate::exception(slf.py(), &error));
        }
        if !copy && array.dtype() == dtype && is_ordered(&array, order) {
            return Ok(slf.clone().into_any());
        }
        warn_of_cast(slf.py(), array.dtype(), dtype)?;
        let result = gate::compute(slf.py(), &[&array], || array.astype_ordered(dtype, order))?;
        if casting == Casting::SameValue {
            gate::detached(slf.py(), || check_same_value(&array, &result))?;
        }
        kept(slf, subok, NdArray::wrap(slf.py(), result)?).map(Bound::into_any)
    }

    /// A copy. See `cuprum.copy`.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([1, 2])
    /// >>> b = a.copy()
    /// >>> b[0] = 7
    /// >>> a
    /// array([1, 2])
    #[pyo3(signature = (order=None))]
    fn copy<'py>(slf: &Bound<'py, Self>, order: OptArg<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        let order = arguments::order(order, Order::C)?;
        if let Some(result) = slf.get().at_once(py, |a| Some(a.copy(order))) {
            return NdArray::like(slf, result?);
        }
        let array = slf.get().array(py);
        NdArray::wrap_like(slf, gate::compute(py, &[&array], || array.copy(order))?)
    }

    /// The same bytes as elements of another dtype, or in an object of another class, without a copy.
    ///
    /// Parameters
    /// ----------
    /// dtype : dtype or type, optional
    ///     The dtype, or a class derived from `ndarray`; as it is by default.
    /// type : type, optional
    ///     The class; that of the array by default.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1.0]).view(cp.uint8).shape
    /// (8,)
    #[pyo3(signature = (dtype=None, r#type=None))]
    fn view<'py>(
        slf: &Bound<'py, Self>,
        dtype: OptArg<'_, 'py>,
        r#type: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (dtype, class) = (dtype.filter(|d| !d.is_none()), r#type.filter(|t| !t.is_none()));
        let given = dtype.and_then(|d| d.cast::<PyType>().ok()).filter(|class| is_of_arrays(class));
        let (dtype, class) = match (given, class) {
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("view: cannot specify the class of the view twice"));
            }
            (Some(class), None) => (None, Some(class.clone())),
            (None, Some(class)) => {
                let class = class.cast::<PyType>().ok().filter(|class| is_of_arrays(class));
                let message = "view: type must be a class derived from ndarray";
                (dtype, Some(class.ok_or_else(|| PyValueError::new_err(message))?.clone()))
            }
            (None, None) => (dtype, None),
        };
        let array = slf.get().array(slf.py());
        let seen = match dtype {
            None => array,
            Some(dtype) => {
                let dtype = match dtype::in_memory("view", dtype) {
                    Ok(dtype) => dtype,
                    Err(error) => return stored_view(slf, dtype, error),
                };
                gate::compute(slf.py(), &[&array], || manipulation::view_dtype(&array, dtype))?
            }
        };
        let view = match class {
            None => NdArray::derive(slf, seen)?,
            Some(class) => {
                let plain = NdArray::plain_view(slf, seen)?;
                if class.is(slf.py().get_type::<NdArray>()) { plain } else { in_class(&class, &plain, slf)? }
            }
        };
        Ok(view.into_any())
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
        order: OptArg<'_, 'py>,
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
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).ravel()
    /// array([1, 2, 3, 4])
    #[pyo3(signature = (order=None))]
    fn ravel<'py>(slf: &Bound<'py, Self>, order: OptArg<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let order = arguments::order(order, Order::C)?;
        NdArray::shaped(slf, |a| manipulation::ravel(a, order))
    }

    /// A copy of the elements in one dimension.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).flatten()
    /// array([1, 2, 3, 4])
    #[pyo3(signature = (order=None))]
    fn flatten<'py>(slf: &Bound<'py, Self>, order: OptArg<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let order = arguments::order(order, Order::C)?;
        NdArray::shaped(slf, |a| manipulation::flatten(a, order))
    }

    /// A view with the axes in another order, reversed if none is given. See `cuprum.transpose`.
    ///
    /// Examples
    /// --------
    /// >>> cp.zeros((2, 3)).transpose().shape
    /// (3, 2)
    #[pyo3(signature = (*axes))]
    fn transpose<'py>(slf: &Bound<'py, Self>, axes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, NdArray>> {
        if axes.is_empty() || axes.len() == 1 && axes.get_item(0)?.is_none() {
            return NdArray::shaped(slf, |a| manipulation::transpose(a, None));
        }
        let axes = arguments::spread(axes)?;
        NdArray::shaped(slf, |a| manipulation::transpose(a, Some(&axes)))
    }

    /// A view with two axes exchanged. See `cuprum.swapaxes`.
    ///
    /// Examples
    /// --------
    /// >>> cp.zeros((2, 3, 4)).swapaxes(0, 2).shape
    /// (4, 3, 2)
    fn swapaxes<'py>(
        slf: &Bound<'py, Self>,
        axis1: &Bound<'py, PyAny>,
        axis2: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, NdArray>> {
        let (axis1, axis2) = (arguments::integer(axis1)?, arguments::integer(axis2)?);
        NdArray::shaped(slf, |a| manipulation::swapaxes(a, axis1, axis2))
    }

    /// A view without axes of length one. See `cuprum.squeeze`.
    ///
    /// Examples
    /// --------
    /// >>> cp.zeros((1, 3, 1)).squeeze().shape
    /// (3,)
    #[pyo3(signature = (axis=None))]
    fn squeeze<'py>(slf: &Bound<'py, Self>, axis: OptArg<'_, 'py>) -> PyResult<Bound<'py, NdArray>> {
        let axes = arguments::axes(axis)?;
        if axes.is_none() && !slf.get().array(slf.py()).shape().contains(&1) {
            // The array itself, as in NumPy.
            return Ok(slf.clone());
        }
        NdArray::shaped(slf, |a| manipulation::squeeze(a, axes.as_deref()))
    }

    /// A view of a diagonal; it cannot be written. See `cuprum.diagonal`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).diagonal()
    /// array([1, 4])
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
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 2]).repeat(2)
    /// array([1, 1, 2, 2])
    #[pyo3(signature = (repeats, axis=None))]
    fn repeat<'py>(
        slf: &Bound<'py, Self>,
        repeats: &Bound<'py, PyAny>,
        axis: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, NdArray>> {
        crate::functions::manipulation::repeat(slf.as_any(), repeats, axis)
    }

    /// Sets whether the elements may be written.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(2)
    /// >>> a.setflags(write=False)
    /// >>> a.flags.writeable
    /// False
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
    ///
    /// Examples
    /// --------
    /// >>> cp.arange(3).to_device('cpu').device == 'cpu'
    /// True
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device<'py>(
        slf: &Bound<'py, Self>,
        device: &Bound<'py, PyAny>,
        stream: OptArg<'_, 'py>,
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
        api_version: OptArg<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = api_version;
        Ok(py.import("cuprum")?.into_any())
    }
}
