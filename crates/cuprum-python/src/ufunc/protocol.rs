//! `__array_ufunc__`: NumPy's ufuncs called with arrays of ours.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::{UFunc, UfuncFunction};
use crate::convert::from_python;
use crate::ndarray::{NdArray, dispatch, try_call};
use crate::numpy::numpy;

/// A call with no keywords in the common case, as an operator of a NumPy scalar makes it; `None` for anything else.
fn plain_call<'py>(
    ufunc: &Bound<'py, PyAny>,
    inputs: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let UfuncFunction::One(row) = ufunc.cast::<UFunc>()?.get().function else { return Ok(None) };
    let (first, second) = match inputs.len() {
        1 => (inputs.get_item(0)?, None),
        2 => (inputs.get_item(0)?, Some(inputs.get_item(1)?)),
        _ => return Ok(None),
    };
    if inputs.len() != UfuncFunction::One(row).nin() {
        return Ok(None);
    }
    Ok(try_call(row.op, &first, second.as_ref())?.map(Bound::into_any))
}

/// What NumPy's function of equality gives where an operand is NumPy's dates; None where none is.
fn compare_dates<'py>(
    function: &Bound<'py, PyAny>,
    inputs: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = function.py();
    let mut args = vec![function.clone(), PyString::new(py, "__call__").into_any()];
    let mut dates = None;
    for input in inputs.iter() {
        if dates.is_none() && from_python::is_numpy_date(&input)? {
            let stored = py.import("cuprum._stored")?.call_method1("as_stored", (&input,))?;
            dates = Some(stored.clone());
            args.push(stored);
        } else {
            args.push(input);
        }
    }
    let Some(dates) = dates else { return Ok(None) };
    dates.call_method1("__array_ufunc__", PyTuple::new(py, args)?).map(Some)
}

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
        let name: String = function.getattr(intern!(py, "__name__"))?.extract()?;
        if method == "__call__"
            && keywords.is_none_or(|keywords| keywords.is_empty())
            && let Some(ours) = super::named(py, &name)?
            && let Some(result) = plain_call(&ours, inputs)?
        {
            return Ok(result);
        }
        let not_implemented = || Ok(py.NotImplemented().into_bound(py));
        if let Some(outputs) = keywords.map(|k| k.get_item("out")).transpose()?.flatten() {
            let outputs = outputs.cast::<PyTuple>()?;
            let mut others =
                outputs.iter().filter(|o| !o.is_none() && !o.is_instance_of::<NdArray>()).peekable();
            if others.peek().is_some() {
                let plain = numpy(py)?.ndarray.bind(py);
                if !others.all(|other| other.get_type().is(plain)) {
                    return not_implemented();
                }
                return Err(PyTypeError::new_err(format!(
                    "{name}: the result is an array of Cuprum's, which a NumPy array cannot take: write \
                     cp.asnumpy(x) for the operand, or give out= an array of Cuprum's"
                )));
            }
        }
        for input in inputs.iter() {
            if from_python::has_own_ufuncs(&input)? {
                return not_implemented();
            }
        }
        if method == "__call__" && keywords.is_none() && matches!(name.as_str(), "equal" | "not_equal") {
            // NumPy's dates come here for `==`, which never raises: by its function their class knows that.
            if let Some(result) = compare_dates(function, inputs)? {
                return Ok(result);
            }
        }
        let Some(ours) = super::named(py, &name)? else {
            let found = match method {
                "__call__" => dispatch(py, "cuprum", &name, inputs, keywords)?,
                _ => py.NotImplemented().into_bound(py),
            };
            if found.is(py.NotImplemented().bind(py)) {
                return Err(PyTypeError::new_err(format!(
                    "{name}: Cuprum has no such function: write cp.asnumpy(x) for its arrays, and cp.asarray \
                     for the result"
                )));
            }
            return Ok(found);
        };
        match method {
            "__call__" => ours.call(inputs, keywords),
            _ => ours.getattr(method)?.call(inputs, keywords),
        }
    }
}
