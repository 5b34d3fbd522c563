//! `__array_ufunc__`: NumPy's ufuncs called with arrays of ours.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::from_python;
use crate::ndarray::{NdArray, dispatch};

#[pymethods]
impl NdArray {
    /// Runs a NumPy ufunc that was called with an array of ours.
    #[pyo3(signature = (function, method, *inputs, **keywords))]
    fn __array_ufunc__<'py>(
        &self,
        py: Python<'py>,
        function: &Bound<'py, PyAny>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let name: String = function.getattr("__name__")?.extract()?;
        let not_implemented = || Ok(py.NotImplemented().into_bound(py));
        if let Some(outputs) = keywords.map(|k| k.get_item("out")).transpose()?.flatten()
            && !outputs.cast::<PyTuple>()?.iter().all(|o| o.is_none() || o.is_instance_of::<NdArray>())
        {
            return not_implemented();
        }
        for input in inputs.iter() {
            if from_python::has_own_ufuncs(&input)? {
                return not_implemented();
            }
        }
        let Some(ours) = super::named(py, &name)? else {
            return match method {
                "__call__" => dispatch(py, "cuprum", &name, inputs, keywords),
                _ => not_implemented(),
            };
        };
        match method {
            "__call__" => ours.call(inputs, keywords),
            _ => ours.getattr(method)?.call(inputs, keywords),
        }
    }
}
