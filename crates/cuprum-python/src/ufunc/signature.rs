//! The `signature` keyword of a ufunc's call: the loop to run, named by the dtypes of its arguments and results.

use cuprum::{Casting, DType, Error, Op, Result, Scalar};
use cuprum_core::ops::{Inputs, Output};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smallvec::SmallVec;

use super::UfuncFunction;
use crate::convert::dtype;
use crate::convert::from_python::PyOperand;
use crate::gate;

/// The dtypes that a signature names; `None` where it leaves the choice.
struct Named {
    inputs: SmallVec<[Option<DType>; 3]>,
    outputs: SmallVec<[Option<DType>; 2]>,
}

/// The `dtype` that stands for the signature in a call; operands are converted where only they can tell the loop.
pub(super) fn apply(
    function: UfuncFunction,
    signature: &Bound<'_, PyAny>,
    operands: &mut [PyOperand],
    casting: Casting,
) -> PyResult<Option<DType>> {
    let named = parse(function, signature)?;
    let all = named.inputs.iter().chain(&named.outputs);
    if all.clone().all(Option::is_none) {
        return Ok(None);
    }
    let Some(found) = DType::ALL.into_iter().find(|d| matches(function, &named, *d)) else {
        return Err(no_loop(function));
    };
    let op = function.parts()[0];
    if op.row().output == Output::Same {
        return Ok(Some(found));
    }
    if named.inputs.iter().all(Option::is_none) {
        return Ok(named.outputs[0]);
    }
    let py = signature.py();
    for (i, operand) in operands.iter_mut().enumerate() {
        *operand = gate::detached(py, || converted(op, operand, op.input(i, found), casting))?;
    }
    Ok(None)
}

pub(super) fn no_loop(function: UfuncFunction) -> PyErr {
    let name = function.name();
    PyTypeError::new_err(format!(
        "No loop matching the specified signature and casting was found for ufunc {name}"
    ))
}

fn converted(op: Op, operand: &PyOperand, to: DType, casting: Casting) -> Result<PyOperand> {
    let allowed = |from: DType| {
        if from.can_cast(to, casting) {
            Ok(())
        } else {
            Err(Error::Cast { op: op.name().into(), from, to, casting })
        }
    };
    Ok(match operand {
        PyOperand::Array(a) => {
            allowed(a.dtype())?;
            PyOperand::Array(if a.dtype() == to { a.clone() } else { a.astype(to)? })
        }
        PyOperand::Scalar(s) => {
            allowed(s.dtype())?;
            PyOperand::Scalar(s.cast(to))
        }
        PyOperand::Number(n) => PyOperand::Scalar(Scalar::new(op.name(), *n, to)?),
    })
}

/// The dtype of the loop that a signature names; `None` where it leaves the choice.
pub(super) fn loop_dtype(function: UfuncFunction, signature: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    let named = parse(function, signature)?;
    if named.inputs.iter().chain(&named.outputs).all(Option::is_none) {
        return Ok(None);
    }
    let found = DType::ALL.into_iter().find(|d| matches(function, &named, *d));
    found.map(Some).ok_or_else(|| no_loop(function))
}

/// Whether the loop that runs in `dtype` is of the named arguments and results.
fn matches(function: UfuncFunction, named: &Named, dtype: DType) -> bool {
    let parts = function.parts();
    let first = parts[0];
    let exponent = first.row().inputs == Inputs::ExponentSecond;
    let input = |(i, wanted): (usize, &Option<DType>)| match wanted {
        None => true,
        // Exponents of 32 bits are taken too, in the loop of 64.
        Some(DType::I32) if exponent && i == 1 => true,
        Some(wanted) => first.input(i, dtype) == *wanted,
    };
    let output = |(op, wanted): (&Op, &Option<DType>)| wanted.is_none_or(|w| op.output(dtype) == w);
    first.has_loop(dtype)
        && named.inputs.iter().enumerate().all(input)
        && parts.iter().zip(&named.outputs).all(output)
}

/// Reads `'dd->d'`, or a tuple of dtypes and Nones.
fn parse(function: UfuncFunction, signature: &Bound<'_, PyAny>) -> PyResult<Named> {
    let (nin, nout) = (function.nin(), function.parts().len());
    let name = function.name();
    let single = || PyTypeError::new_err("Use `dtype` or fill the tuple with more than one 'None'.");
    if let Ok(tuple) = signature.cast::<PyTuple>() {
        if tuple.len() == 1 && nin + nout != 1 {
            return Err(single());
        }
        if tuple.len() != nin + nout {
            let message =
                format!("a type-tuple must be specified of length {} for ufunc '{name}'", nin + nout);
            return Err(PyValueError::new_err(message));
        }
        let dtypes = tuple.iter().map(|item| dtype::optional(Some(&item))).collect::<PyResult<Vec<_>>>()?;
        let (inputs, outputs) = dtypes.split_at(nin);
        return Ok(Named { inputs: inputs.into(), outputs: outputs.into() });
    }
    let text: String = signature.extract()?;
    if text.chars().count() == 1 {
        return Err(single());
    }
    let sides = text.split_once("->");
    let Some((inputs, outputs)) =
        sides.filter(|(i, o)| i.chars().count() == nin && o.chars().count() == nout)
    else {
        let message = format!(
            "a type-string for {name} requires {nin} typecode(s) before and {nout} after the -> sign"
        );
        return Err(PyValueError::new_err(message));
    };
    let read = |code: char| {
        let named = PyString::new(signature.py(), code.encode_utf8(&mut [0; 4]));
        dtype::from_python(named.as_any())
            .map(Some)
            .map_err(|_| PyValueError::new_err(format!("Invalid data-type in signature '{text}'")))
    };
    Ok(Named {
        inputs: inputs.chars().map(read).collect::<PyResult<_>>()?,
        outputs: outputs.chars().map(read).collect::<PyResult<_>>()?,
    })
}
