//! Which dtypes a ufunc would run with: `ufunc.resolve_dtypes`.

use cuprum::{Casting, DType, Error, Number, Result};
use cuprum_core::Kind;
use cuprum_core::ops::{Inputs, OperandType, resolve};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyTuple, PyType};
use smallvec::SmallVec;

use super::{UFunc, UfuncFunction, signature};
use crate::convert::{arguments, dtype};
use crate::gate;

type Dtypes = SmallVec<[DType; 4]>;

#[pymethods]
impl UFunc {
    /// The dtypes that the function would run with, without running it.
    ///
    /// Parameters
    /// ----------
    /// dtypes : tuple of dtype, None, int, float or complex
    ///     One for each argument and result: None for a result that is free, a Python type for a Python number.
    /// signature : tuple or str, optional
    ///     The loop to run, as in a call.
    /// casting : str, optional
    ///     How much conversions may lose.
    /// reduction : bool, optional
    ///     Whether the dtypes are those of a reduction: the result's (or None), the elements', and None.
    ///
    /// Returns
    /// -------
    /// tuple of dtype
    ///     Those of arguments and results.
    ///
    /// Examples
    /// --------
    /// >>> cp.add.resolve_dtypes((cp.dtype("int8"), cp.dtype("float32"), None))
    /// (dtype('float32'), dtype('float32'), dtype('float32'))
    #[pyo3(signature = (dtypes, *, signature=None, casting=None, reduction=false))]
    fn resolve_dtypes<'py>(
        &self,
        py: Python<'py>,
        dtypes: &Bound<'py, PyAny>,
        signature: Option<&Bound<'py, PyAny>>,
        casting: Option<&Bound<'py, PyAny>>,
        reduction: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let function = self.function;
        let (nin, nout) = (function.nin(), function.parts().len());
        let casting = arguments::casting(casting, Casting::SameKind)?;
        let Some(given) = dtypes.cast::<PyTuple>().ok().filter(|t| t.len() == nin + nout) else {
            return Err(PyTypeError::new_err(
                "resolve_dtypes: the dtypes must be a tuple of `ufunc.nargs` length",
            ));
        };
        let mut items: SmallVec<[Option<OperandType>; 4]> =
            given.iter().map(|item| described(&item)).collect::<PyResult<_>>()?;
        if reduction {
            items[0] = Some(reduced_to(function, &items)?);
        }
        let inputs: Option<SmallVec<[OperandType; 3]>> = items[..nin].iter().copied().collect();
        let Some(inputs) = inputs else {
            return Err(no_input());
        };
        let asked = match signature.filter(|s| !s.is_none()) {
            Some(text) => signature::loop_dtype(function, text)?,
            None => None,
        };
        let found = gate::attached(py, || found(function, &inputs, asked, casting))?;
        if reduction && found[0] != found[2] {
            return Err(signature::no_loop(function));
        }
        for (to, from) in items[nin..].iter().zip(&found[nin..]) {
            if let Some(OperandType::Typed(to)) = to
                && !from.can_cast(*to, casting)
            {
                let error = Error::Cast { op: function.name().into(), from: *from, to: *to, casting };
                return Err(gate::exception(py, &error));
            }
        }
        let objects = found.iter().map(|d| dtype::to_python(py, *d)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, objects)
    }
}

/// A dtype, or the kind of a Python number; `None` for what is free.
fn described(item: &Bound<'_, PyAny>) -> PyResult<Option<OperandType>> {
    if item.is_none() {
        return Ok(None);
    }
    let py = item.py();
    if item.is_instance_of::<PyType>() {
        let is = |class: Bound<'_, PyType>| item.is(&class);
        let number = match () {
            () if is(py.get_type::<PyInt>()) => Some(Number::Int(0)),
            () if is(py.get_type::<PyFloat>()) => Some(Number::Float(0.0)),
            () if is(py.get_type::<PyComplex>()) => Some(Number::Complex(0.0, 0.0)),
            () => None,
        };
        return number.map(|n| Some(OperandType::Weak(n))).ok_or_else(not_a_dtype);
    }
    if !item.hasattr("itemsize")? {
        return Err(not_a_dtype());
    }
    dtype::from_python(item).map(|d| Some(OperandType::Typed(d)))
}

fn not_a_dtype() -> PyErr {
    PyTypeError::new_err("resolve_dtypes: expected a dtype, int, float, complex, or None")
}

fn no_input() -> PyErr {
    PyTypeError::new_err(
        "resolve_dtypes: all input dtypes must be provided (except the first one in reductions)",
    )
}

/// The first argument of a reduction's steps: the result so far.
fn reduced_to(function: UfuncFunction, items: &[Option<OperandType>]) -> PyResult<OperandType> {
    let (2, [op]) = (function.nin(), function.parts()) else {
        return Err(PyValueError::new_err("ufunc is not compatible with reduction operations"));
    };
    if items[2].is_some() {
        return Err(PyTypeError::new_err(
            "resolve_dtypes: the output dtype must not be passed for reductions, pass the first input instead",
        ));
    }
    let element = items[1].ok_or_else(no_input)?;
    Ok(items[0].unwrap_or(match (op, element) {
        (op, OperandType::Typed(d)) if op.row().accumulates => OperandType::Typed(d.accumulator()),
        (op, _) if op.is_logical() => OperandType::Typed(DType::Bool),
        _ => element,
    }))
}

/// The dtypes of arguments and results, in order.
fn found(
    function: UfuncFunction,
    inputs: &[OperandType],
    asked: Option<DType>,
    casting: Casting,
) -> Result<Dtypes> {
    let parts = function.parts();
    let first = parts[0];
    if let (true, [OperandType::Typed(a), OperandType::Typed(b)]) = (first.is_comparison(), inputs)
        && let Some(both) = compared_by_value(*a, *b)
    {
        return Ok(Dtypes::from_slice(&[both.0, both.1, DType::Bool]));
    }
    if first.is_logical() {
        return Ok(truths(inputs));
    }
    let dtype = resolve(first, inputs, asked, casting)?.dtype;
    let mut all: Dtypes = (0..inputs.len()).map(|i| first.input(i, dtype)).collect();
    if first.row().inputs == Inputs::ExponentSecond && takes_short_exponent(inputs[1]) {
        all[1] = DType::I32;
    }
    all.extend(parts.iter().map(|op| op.output(dtype)));
    Ok(all)
}

fn takes_short_exponent(exponent: OperandType) -> bool {
    match exponent {
        OperandType::Typed(dtype) => dtype.can_cast(DType::I32, Casting::Safe),
        OperandType::Weak(_) => true,
    }
}

/// Signed integers and uint64 have no common dtype; they are compared as they are, in 64 bits.
fn compared_by_value(a: DType, b: DType) -> Option<(DType, DType)> {
    match (a.kind(), b.kind()) {
        (Kind::Signed, Kind::Unsigned) if b == DType::U64 => Some((DType::I64, DType::U64)),
        (Kind::Unsigned, Kind::Signed) if a == DType::U64 => Some((DType::U64, DType::I64)),
        _ => None,
    }
}

/// Truth is found in arguments as they are where they are alike.
fn truths(inputs: &[OperandType]) -> Dtypes {
    let own = |operand: &OperandType| match operand {
        OperandType::Typed(dtype) => *dtype,
        OperandType::Weak(number) => number.default_dtype(),
    };
    let first = own(&inputs[0]);
    let common = if inputs.iter().all(|i| own(i) == first) { first } else { DType::Bool };
    inputs.iter().map(|_| common).chain([DType::Bool]).collect()
}
