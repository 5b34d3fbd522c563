//! Python's and NumPy's protocols: numbers, iteration, printing, copies, pickles, `__array__` and dispatch.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum::{Arg, Array, DType, Index, Number, Op, Options, Order, elementwise, reduction};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::{NdArray, in_class};
use crate::convert::{dtype, from_python, to_python};
use crate::numpy::numpy;
use crate::{arrow, dlpack, gate, strict};

static PRINTING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The module of the package that prints arrays.
fn printing(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let module = PRINTING
        .get_or_try_init(py, || Ok::<_, PyErr>(py.import("cuprum._io.printing")?.into_any().unbind()))?;
    Ok(module.bind(py))
}

impl NdArray {
    /// The only element, for conversions to Python's numbers.
    fn only(&self, py: Python<'_>) -> PyResult<Number> {
        crate::strict::check_wait(py)?;
        let array = self.array(py);
        if array.ndim() != 0 {
            return Err(PyTypeError::new_err("only 0-dimensional arrays can be converted to Python scalars"));
        }
        let scalar = if gate::is_eager(&[&array]) {
            gate::attached(py, || array.scalar())?
        } else {
            gate::detached(py, || array.scalar())?
        };
        Ok(scalar.number())
    }
}

#[pymethods]
impl NdArray {
    #[classattr]
    fn __array_priority__() -> f64 {
        100.0
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.lock(py).shape().first().copied().ok_or_else(|| PyTypeError::new_err("len() of unsized object"))
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, ArrayIter>> {
        if slf.get().lock(slf.py()).ndim() == 0 {
            return Err(PyTypeError::new_err("iteration over a 0-d array"));
        }
        Bound::new(slf.py(), ArrayIter { array: slf.clone().unbind(), next: AtomicUsize::new(0) })
    }

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, ArrayIter>> {
        let array = slf.get().array(slf.py());
        if array.ndim() == 0 {
            return Err(PyTypeError::new_err("iteration over a 0-d array"));
        }
        let back = Index::Slice { start: None, stop: None, step: -1 };
        let flipped = NdArray::derive(slf, gate::attached(slf.py(), || array.index(&[back]))?)?;
        Self::__iter__(&flipped)
    }

    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = slf.py();
        let array = slf.get().array(py);
        let Some(value) = from_python::operator_operand(value)? else {
            // Dates, and whatever is no number, are compared as `==` does it.
            return slf.rich_compare(value, CompareOp::Eq)?.call_method0("any")?.is_truthy();
        };
        gate::detached(py, || {
            let equal =
                elementwise::apply(Op::Equal, &[Arg::Array(&array), value.arg()], &Options::default())?;
            Ok(reduction::any(&equal, &Default::default())?.scalar()?.number() == Number::Bool(true))
        })
    }

    /// A number of a single element, rounded: an int, or as many digits of the same dtype.
    #[pyo3(signature = (ndigits=None))]
    fn __round__<'py>(
        slf: &Bound<'py, Self>,
        ndigits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (ndim, dtype) = {
            let array = slf.get().lock(py);
            (array.ndim(), array.dtype())
        };
        if ndim != 0 || dtype.is_complex() || dtype == DType::Bool {
            return Err(PyTypeError::new_err("type cuprum.ndarray doesn't define __round__ method"));
        }
        match ndigits.filter(|digits| !digits.is_none()) {
            Some(digits) => slf.call_method1("round", (digits,)),
            None => {
                let value = to_python::item(py, &slf.get().array(py))?;
                value.into_bound(py).call_method0("__round__")
            }
        }
    }

    /// The hash of a single element, which is that of its number; arrays have none.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        if !self.is_element {
            return Err(PyTypeError::new_err("unhashable type: 'cuprum.ndarray'"));
        }
        to_python::item(py, &self.array(py))?.bind(py).hash()
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        crate::strict::check_wait(py)?;
        let array = self.array(py);
        match array.size() {
            1 => {
                let read = || array.scalar();
                let scalar = if gate::is_eager(&[&array]) {
                    gate::attached(py, read)?
                } else {
                    gate::detached(py, read)?
                };
                Ok(scalar.cast(DType::Bool).number() == Number::Bool(true))
            }
            0 => Err(PyValueError::new_err(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.",
            )),
            _ => Err(PyValueError::new_err(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
            )),
        }
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.only(py)? {
            Number::Complex(..) => {
                Err(PyTypeError::new_err("int() argument must be a real number, not 'complex'"))
            }
            Number::Float(x) => to_python::number(py, Number::Float(x))?.call_method0(py, "__int__"),
            Number::Bool(b) => to_python::number(py, Number::Int(b as i128)),
            other => to_python::number(py, other),
        }
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        match self.only(py)? {
            Number::Complex(..) => {
                Err(PyTypeError::new_err("float() argument must be a real number, not 'complex'"))
            }
            Number::Float(x) | Number::Huge(x) => Ok(x),
            Number::Int(i) => Ok(i as f64),
            Number::Bool(b) => Ok(f64::from(b as u8)),
        }
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyComplex>> {
        let scalar = match self.only(py)? {
            Number::Complex(re, im) => (re, im),
            Number::Float(x) | Number::Huge(x) => (x, 0.0),
            Number::Int(i) => (i as f64, 0.0),
            Number::Bool(b) => (f64::from(b as u8), 0.0),
        };
        Ok(pyo3::types::PyComplex::from_doubles(py, scalar.0, scalar.1))
    }

    fn __index__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (ndim, dtype) = {
            let array = self.lock(py);
            (array.ndim(), array.dtype())
        };
        if ndim != 0 || !dtype.is_integral() || dtype == DType::Bool {
            return Err(PyTypeError::new_err(
                "only integer scalar arrays can be converted to a scalar index",
            ));
        }
        to_python::number(py, self.only(py)?)
    }

    fn __repr__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        printing(slf.py())?.call_method1("array_repr", (slf,))
    }

    /// The array as a notebook shows it.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        printing(slf.py())?.call_method1("array_html", (slf,))
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        printing(slf.py())?.call_method1("array_str", (slf,))
    }

    fn __format__<'py>(slf: &Bound<'py, Self>, spec: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if slf.get().lock(py).ndim() == 0 {
            let value = to_python::item(py, &slf.get().array(py))?;
            return value.into_bound(py).call_method1("__format__", (spec,));
        }
        if spec.to_cow()?.is_empty() {
            return Self::__str__(slf);
        }
        Err(PyTypeError::new_err("unsupported format string passed to cuprum.ndarray.__format__"))
    }

    /// A copy of the elements as a NumPy array: what `numpy.asarray` calls.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err(
                "unable to avoid a copy while converting to a NumPy array as requested",
            ));
        }
        let array = self.array(py);
        if strict::is_apart(&array) && !from_python::is_converting() {
            return Err(PyTypeError::new_err(
                "Implicit conversion to a NumPy array is not allowed. Please use `.get()` or `cp.asnumpy(a)` to \
                 construct a NumPy array explicitly.",
            ));
        }
        let target = dtype.filter(|d| !d.is_none());
        if array.dtype() == DType::BF16 && !dtype::is_numpy_dtype(py, DType::BF16)? {
            let wide = gate::compute(py, &[&array], || array.astype(DType::F32))?;
            let host = to_python::numpy_array(py, &wide, Order::K)?;
            return target.map_or(Ok(host.clone()), |d| host.call_method1("astype", (d,)));
        }
        let host = to_python::numpy_array(py, &array, Order::K)?;
        target.map_or(Ok(host.clone()), |d| host.call_method1("astype", (d,)))
    }

    /// Runs the function of the same name in place of a NumPy function that was called with an array of ours. What has no
    /// counterpart, is given strings or objects too, or writes to a NumPy array, is NumPy's own, of arrays on the CPU.
    fn __array_function__<'py>(
        &self,
        py: Python<'py>,
        function: &Bound<'py, PyAny>,
        _types: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyTuple>,
        keywords: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let name: String = function.getattr("__name__")?.extract()?;
        let module: String = function.getattr("__module__")?.extract()?;
        let ours = module.replacen("numpy", "cuprum", 1);
        let on_host =
            || py.import("cuprum._on_host")?.getattr("call")?.call1((function, arguments, keywords));
        match dispatch(py, &ours, &name, arguments, Some(keywords)) {
            Ok(nothing) if nothing.is(py.NotImplemented()) => on_host(),
            Err(error) if is_for_numpy(py, &error) => match on_host() {
                Ok(result) if !result.is(py.NotImplemented()) => Ok(result),
                _ => Err(PyTypeError::new_err(format!(
                    "{}; {module}.{name} was called with arrays of Cuprum's among others: \
                     write cp.asnumpy(a) for them",
                    error.value(py)
                ))),
            },
            outcome => outcome,
        }
    }

    /// A DLPack capsule of the elements, without a copy unless one is asked for.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stream = stream.filter(|s| !s.is_none()).map(|s| s.extract::<i64>()).transpose()?;
        dlpack::export(slf, stream, max_version, dl_device, copy)
    }

    /// The device of the elements, as DLPack numbers it: (1, 0) is the CPU, (2, 0) the first GPU.
    fn __dlpack_device__(&self, py: Python<'_>) -> (i32, i32) {
        dlpack::device_of(&self.lock(py))
    }

    /// A copy of the elements as Arrow's array: what Polars and PyArrow ask for. A schema that is asked for is theirs to
    /// convert to.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let _ = requested_schema;
        arrow::export(py, &self.array(py))
    }

    /// Sees what an array of a derived class comes of: None where its class was called, else the array whose view, copy or
    /// result it is. Derived classes have their own.
    fn __array_finalize__(&self, obj: &Bound<'_, PyAny>) {
        let _ = obj;
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, NdArray>> {
        let (py, array) = (slf.py(), slf.get().array(slf.py()));
        NdArray::wrap_like(slf, gate::compute(py, &[&array], || array.copy(Order::K))?)
    }

    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
        NdArray::__copy__(slf)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, array) = (slf.py(), slf.get().array(slf.py()));
        let rebuild = py.import("cuprum._core")?.getattr("_unpickle")?;
        // NumPy's pickles know how to leave their bytes out of band; bfloat16 travels as its bits.
        let bits = match array.dtype() {
            DType::BF16 => array.with_layout_and_dtype(array.layout().clone(), DType::U16),
            _ => array.clone(),
        };
        let host = to_python::numpy_array(py, &bits, Order::K)?;
        let name = PyString::new(py, array.dtype().name()).into_any();
        if slf.is_exact_instance_of::<NdArray>() {
            return PyTuple::new(py, [rebuild, PyTuple::new(py, [host, name])?.into_any()]);
        }
        let arguments = PyTuple::new(py, [host, name, slf.get_type().into_any()])?.into_any();
        let state = slf.getattr("__dict__").unwrap_or_else(|_| py.None().into_bound(py));
        PyTuple::new(py, [rebuild, arguments, state])
    }
}

/// Whether an error says that something is NumPy's alone: it has elements which are no numbers, or is a NumPy array that is to
/// be written.
fn is_for_numpy(py: Python<'_>, error: &PyErr) -> bool {
    let text = error.value(py).to_string();
    let parts = ["cannot make an array of numbers", "must be a cuprum array"];
    error.is_instance_of::<PyTypeError>(py) && parts.iter().any(|part| text.contains(part))
}

/// Calls `module.name`, or says that there is no such function.
pub fn dispatch<'py>(
    py: Python<'py>,
    module: &str,
    name: &str,
    arguments: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let found = py.import(module).and_then(|m| m.getattr(name));
    match found {
        Ok(function) => function.call(arguments, keywords),
        Err(_) => Ok(py.NotImplemented().into_bound(py)),
    }
}

/// Rebuilds an array from its pickle.
#[pyfunction(name = "_unpickle", signature = (host, name, class=None))]
pub fn unpickle<'py>(
    host: &Bound<'py, PyAny>,
    name: &str,
    class: Option<&Bound<'py, PyType>>,
) -> PyResult<Bound<'py, NdArray>> {
    let py = host.py();
    if !host.is_instance(numpy(py)?.ndarray.bind(py))? {
        return Err(PyTypeError::new_err("a pickled array must hold a NumPy array"));
    }
    let array = from_python::from_numpy(host, None, Order::K)?;
    let array = match DType::from_name(name) {
        Some(DType::BF16) if array.dtype() == DType::U16 => {
            array.with_layout_and_dtype(array.layout().clone(), DType::BF16)
        }
        _ => array,
    };
    let made = NdArray::wrap(py, array)?;
    class.map_or_else(|| Ok(made.clone()), |class| in_class(class, &made, py.None().bind(py)))
}

/// Iterates over the first axis of an array.
#[pyclass(name = "ndarray_iterator", module = "cuprum", frozen)]
pub struct ArrayIter {
    array: Py<NdArray>,
    next: AtomicUsize,
}

#[pymethods]
impl ArrayIter {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, NdArray>>> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let owner = self.array.bind(py);
        if let Some(element) = owner.get().element(py, &[at as i64])? {
            let place = || gate::attached(py, || owner.get().array(py).index(&[Index::Int(at as i64)]));
            return NdArray::wrap_element_of(py, element, place).map(Some);
        }
        let array: Array = owner.get().array(py);
        if at >= array.shape()[0] {
            return Ok(None);
        }
        let item = gate::attached(py, || array.index(&[Index::Int(at as i64)]))?;
        if item.ndim() > 0 {
            return NdArray::derive(owner, item).map(Some);
        }
        // A single element is a value of its own, as in indexing.
        NdArray::wrap_element_of(py, super::element(py, &item)?, || Ok(item)).map(Some)
    }

    fn __length_hint__(&self, py: Python<'_>) -> usize {
        let length = self.array.get().lock(py).shape()[0];
        length.saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
