//! What is needed of NumPy, looked up once: its types, its dtypes and a few functions.

use cuprum::DType;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The parts of NumPy that conversions use.
pub struct Numpy {
    /// `numpy.ndarray`
    pub ndarray: Py<PyType>,
    /// `numpy.generic`, the class of NumPy's scalars
    pub generic: Py<PyType>,
    /// `numpy.bool`
    pub bool_: Py<PyType>,
    /// `numpy.dtype`
    pub dtype: Py<PyType>,
    /// `numpy.array`
    pub array: Py<PyAny>,
    /// `numpy.empty`
    pub empty: Py<PyAny>,
    /// `numpy.ndarray.__array_ufunc__`, which subclasses may have replaced
    pub array_ufunc: Py<PyAny>,
    axis_error: Py<PyAny>,
    complex_warning: Py<PyAny>,
    linalg_error: Py<PyAny>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

/// NumPy, imported on first use.
pub fn numpy(py: Python<'_>) -> PyResult<&'static Numpy> {
    NUMPY.get_or_try_init(py, || {
        let module = py.import("numpy")?;
        let class = |name: &str| -> PyResult<Py<PyType>> {
            Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        Ok(Numpy {
            ndarray: class("ndarray")?,
            generic: class("generic")?,
            bool_: class("bool_")?,
            dtype: class("dtype")?,
            array: module.getattr("array")?.unbind(),
            empty: module.getattr("empty")?.unbind(),
            array_ufunc: module.getattr("ndarray")?.getattr("__array_ufunc__")?.unbind(),
            axis_error: module.getattr("exceptions")?.getattr("AxisError")?.unbind(),
            complex_warning: module.getattr("exceptions")?.getattr("ComplexWarning")?.unbind(),
            linalg_error: module.getattr("linalg")?.getattr("LinAlgError")?.unbind(),
        })
    })
}

/// `numpy.exceptions.AxisError`, naming the op.
pub fn axis_error(py: Python<'_>, op: &str, axis: i64, ndim: usize) -> PyErr {
    let made = numpy(py).and_then(|np| np.axis_error.bind(py).call1((axis, ndim, op)));
    made.map_or_else(|_| PyRuntimeError::new_err("numpy.exceptions.AxisError is missing"), PyErr::from_value)
}

/// `numpy.linalg.LinAlgError`.
pub fn linalg_error(py: Python<'_>, message: String) -> PyErr {
    let made = numpy(py).and_then(|np| np.linalg_error.bind(py).call1((message,)));
    made.map_or_else(|_| PyRuntimeError::new_err("numpy.linalg.LinAlgError is missing"), PyErr::from_value)
}

/// Warns, as NumPy does, where a cast drops imaginary parts; a truth value loses nothing that it could hold.
#[inline]
pub fn warn_of_cast(py: Python<'_>, from: DType, to: DType) -> PyResult<()> {
    if from.is_complex() && !to.is_complex() && to != DType::Bool {
        let class = numpy(py)?.complex_warning.bind(py);
        return PyErr::warn(py, class, c"Casting complex values to real discards the imaginary part", 1);
    }
    Ok(())
}
