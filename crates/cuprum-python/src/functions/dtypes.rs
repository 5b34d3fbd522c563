//! Promotion and casting, asked by themselves.

use cuprum::{Casting, DType};
use cuprum_core::result_type as common_type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use pyo3::wrap_pyfunction;

use crate::convert::arguments::OptArg;
use crate::convert::from_python::{PyOperand, operand};
use crate::convert::{arguments, dtype};
use crate::numpy::numpy;

/// Whether an object names a dtype instead of having one.
fn names_dtype(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let class = object.is_instance_of::<PyType>() || object.is_instance_of::<PyString>();
    if class || object.is_none() || object.is_instance(numpy(py)?.dtype.bind(py))? {
        return Ok(true);
    }
    dtype::is_bfloat16(object)
}

/// The dtype that arrays, numbers and dtypes compute in together.
#[pyfunction]
#[pyo3(signature = (*arguments))]
fn result_type(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    if arguments.is_empty() {
        return Err(PyValueError::new_err("at least one array or dtype is required"));
    }
    let (mut typed, mut weak) = (Vec::new(), Vec::new());
    for argument in arguments.iter() {
        if names_dtype(&argument)? {
            let named = if argument.is_none() { DType::F64 } else { dtype::from_python(&argument)? };
            typed.push(named);
            continue;
        }
        match operand(&argument)? {
            PyOperand::Array(a) => typed.push(a.dtype()),
            PyOperand::Scalar(s) => typed.push(s.dtype()),
            PyOperand::Number(n) => match n.weak() {
                Some(w) => weak.push((w, n)),
                None => typed.push(DType::Bool),
            },
        }
    }
    if let ([], [(_, only)]) = (typed.as_slice(), weak.as_slice()) {
        return dtype::to_python(py, only.default_dtype());
    }
    let weak: Vec<_> = weak.into_iter().map(|(w, _)| w).collect();
    dtype::to_python(py, common_type(&typed, &weak))
}

/// The smallest dtype that two dtypes cast to safely.
#[pyfunction]
fn promote_types(py: Python<'_>, type1: &Bound<'_, PyAny>, type2: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    dtype::to_python(py, dtype::from_python(type1)?.promote(dtype::from_python(type2)?))
}

/// Whether a cast is allowed under a rule.
#[pyfunction]
#[pyo3(signature = (from_, to, casting=None))]
fn can_cast(from_: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>, casting: OptArg<'_, '_>) -> PyResult<bool> {
    let casting = arguments::casting(casting, Casting::Safe)?;
    let to = dtype::from_python(to)?;
    let number = from_.is_instance_of::<PyInt>()
        || from_.is_exact_instance_of::<PyFloat>()
        || from_.is_exact_instance_of::<PyComplex>()
        || from_.is_instance_of::<PyBool>();
    if number || from_.is_instance_of::<PyList>() {
        return Err(PyTypeError::new_err(
            "can_cast() does not support Python ints, floats, and complex because the result used to depend on the value",
        ));
    }
    let from = if names_dtype(from_)? { dtype::from_python(from_)? } else { operand(from_)?.arg().dtype() };
    Ok(from.can_cast(to, casting))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(result_type, module)?)?;
    module.add_function(wrap_pyfunction!(promote_types, module)?)?;
    module.add_function(wrap_pyfunction!(can_cast, module)?)?;
    module.add_function(wrap_pyfunction!(dtype::set_bfloat16, module)?)
}
