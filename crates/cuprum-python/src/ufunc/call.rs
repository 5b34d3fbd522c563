//! Calling a ufunc: operands, `out` in all its forms, `where`, `dtype`, `casting` and `order`.

use cuprum::creation::zeros;
use cuprum::elementwise::{apply, assign};
use cuprum::{Arg, Array, Casting, DType, Error, Op, Options, Order, Result};
use cuprum_core::broadcast_shapes;
use cuprum_core::ops::MultiRow;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

use super::{UFunc, UfuncFunction, signature};
use crate::convert::from_python::{PyOperand, is_numpy_date, operand, optional_mask};
use crate::convert::{arguments, devices, dtype};
use crate::gate;
use crate::ndarray::{NdArray, array_out, returned, template};
use crate::numpy::warn_of_cast;

/// The keywords of a call, converted.
pub(super) struct Keywords<'py> {
    pub out: SmallVec<[Option<Bound<'py, NdArray>>; 2]>,
    pub mask: Option<Array>,
    pub dtype: Option<DType>,
    pub casting: Casting,
    pub order: Order,
}

#[pymethods]
impl UFunc {
    #[pyo3(signature = (*args, out=None, r#where=None, dtype=None, casting=None, order=None, subok=None, signature=None, sig=None))]
    #[allow(clippy::too_many_arguments)]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
        r#where: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        casting: Option<&Bound<'py, PyAny>>,
        order: Option<&Bound<'py, PyAny>>,
        subok: Option<&Bound<'py, PyAny>>,
        signature: Option<&Bound<'py, PyAny>>,
        sig: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = subok;
        let function = slf.get().function;
        let nin = function.nin();
        check_count(function, args.len())?;
        if let Some(owner) = owner_of_call(args)? {
            let keywords = PyDict::new(py);
            let given =
                [("out", out), ("where", r#where), ("dtype", dtype), ("casting", casting), ("order", order)];
            for (name, value) in given {
                if let Some(value) = value {
                    keywords.set_item(name, value)?;
                }
            }
            let call = owner.getattr(intern!(py, OWN_CALL))?;
            let args = std::iter::once(slf.clone().into_any()).chain(args.iter());
            return call.call(PyTuple::new(py, args.collect::<Vec<_>>())?, Some(&keywords));
        }
        let given =
            [("out", out), ("where", r#where), ("dtype", dtype), ("casting", casting), ("order", order)];
        if let Some(result) = by_operand(slf, "__call__", &args.iter().collect::<Vec<_>>(), &given)? {
            return Ok(result);
        }
        let first = args.iter_borrowed().find_map(|a| a.cast::<NdArray>().ok().map(|a| a.get().array(py)));
        let _guard = first.as_ref().map(devices::enter_device_of);
        let mut operands: SmallVec<[PyOperand; 3]> = (0..nin)
            .map(|i| gate::named_argument(py, function.name(), operand(&args.get_item(i)?)))
            .collect::<PyResult<_>>()?;
        let mut keywords = Keywords {
            out: outputs(function, args, out)?,
            mask: optional_mask(r#where)?,
            dtype: dtype::optional(dtype)?,
            casting: arguments::casting(casting, Casting::SameKind)?,
            order: arguments::order(order, Order::K)?,
        };
        if let Some(signature) = signature.or(sig).filter(|s| !s.is_none()) {
            if keywords.dtype.is_some() {
                return Err(PyTypeError::new_err("cannot specify both 'signature' and 'dtype'"));
            }
            keywords.dtype = signature::apply(function, signature, &mut operands, keywords.casting)?;
        } else if let Some(dtype) = keywords.dtype {
            check_results(function, dtype)?;
        }
        // Outputs that were given stay what they are.
        let owner =
            if keywords.out.iter().all(Option::is_none) { template(args.iter().take(nin))? } else { None };
        let result = call(py, function, &operands, keywords)?;
        owner.map_or_else(|| Ok(result.clone()), |owner| like(&owner, &result))
    }
}

/// The method by which an operand computes elementwise functions itself, as CuPy names it.
const OWN_CALL: &str = "__cupy_override_elementwise_kernel__";

/// The operand that computes a call itself: an array whose elements are not all in one place.
fn owner_of_call<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Option<Bound<'py, PyAny>>> {
    for arg in args.iter() {
        if !arg.is_instance_of::<NdArray>() && arg.get_type().hasattr(intern!(arg.py(), OWN_CALL))? {
            return Ok(Some(arg));
        }
    }
    Ok(None)
}

/// What a class has whose arrays compute ufuncs by their `__array_ufunc__`: those of dtypes that the engine does not know.
const OWN_UFUNCS: &str = "_computes_ufuncs";

/// The result of a ufunc, or of one of its methods, where an operand computes it itself.
pub(super) fn by_operand<'py>(
    ufunc: &Bound<'py, UFunc>,
    method: &str,
    args: &[Bound<'py, PyAny>],
    keywords: &[(&str, Option<&Bound<'py, PyAny>>)],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = ufunc.py();
    let mut owner = None;
    for arg in args {
        if arg.is_instance_of::<NdArray>() {
            continue;
        }
        if arg.get_type().hasattr(intern!(py, OWN_UFUNCS))? {
            owner = Some(arg.clone());
            break;
        }
        if is_numpy_date(arg)? {
            owner = Some(py.import("cuprum._stored")?.call_method1("as_stored", (arg,))?);
            break;
        }
    }
    let owner = owner.map_or_else(|| dated_output(keywords), |owner| Ok(Some(owner)))?;
    let Some(owner) = owner else { return Ok(None) };
    let named = PyDict::new(py);
    for (name, value) in keywords {
        if let Some(value) = value {
            named.set_item(name, value)?;
        }
    }
    let call = owner.getattr(intern!(py, "__array_ufunc__"))?;
    let first = [ufunc.clone().into_any(), PyString::new(py, method).into_any()];
    let args: Vec<_> = first.into_iter().chain(args.iter().cloned()).collect();
    let result = call.call(PyTuple::new(py, args)?, Some(&named))?;
    if result.is(py.NotImplemented().bind(py)) {
        let dtype = owner.getattr(intern!(py, "dtype"))?;
        let name = ufunc.get().function.name();
        return Err(PyTypeError::new_err(format!("{name}: arrays of dtype {dtype} are not supported")));
    }
    Ok(Some(result))
}

/// The output, if one is given whose class computes ufuncs itself: numbers are stored there as it stores them.
fn dated_output<'py>(keywords: &[(&str, Option<&Bound<'py, PyAny>>)]) -> PyResult<Option<Bound<'py, PyAny>>> {
    let given = keywords.iter().find(|(name, _)| *name == "out").and_then(|(_, value)| *value);
    let Some(out) = given else { return Ok(None) };
    let out = match out.cast::<PyTuple>() {
        Ok(several) if several.len() == 1 => several.get_item(0)?,
        _ => out.clone(),
    };
    let own = !out.is_instance_of::<NdArray>() && out.get_type().hasattr(intern!(out.py(), OWN_UFUNCS))?;
    Ok(own.then_some(out))
}

/// The result of a call, or each of several, in the class of an operand.
fn like<'py>(owner: &Bound<'py, NdArray>, result: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(several) = result.cast::<PyTuple>() {
        let several = several.iter().map(|part| like(owner, &part)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(owner.py(), several)?.into_any());
    }
    Ok(NdArray::like(owner, result.cast::<NdArray>()?.clone())?.into_any())
}

/// Calls a ufunc with converted operands and keywords.
pub(super) fn call<'py>(
    py: Python<'py>,
    function: UfuncFunction,
    operands: &[PyOperand],
    keywords: Keywords<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match function {
        UfuncFunction::One(row) => call_one(py, row.op, operands, keywords).map(Bound::into_any),
        UfuncFunction::Many(row) => call_many(py, row, operands, keywords),
    }
}

fn call_one<'py>(
    py: Python<'py>,
    op: Op,
    operands: &[PyOperand],
    keywords: Keywords<'py>,
) -> PyResult<Bound<'py, NdArray>> {
    let args: SmallVec<[Arg<'_>; 3]> = operands.iter().map(PyOperand::arg).collect();
    let reads: SmallVec<[&Array; 3]> = operands.iter().filter_map(PyOperand::array).collect();
    let target = keywords.out.into_iter().next().flatten();
    let target_array = target.as_ref().map(|t| t.get().array(py));
    if keywords.casting == Casting::Unsafe {
        warn_of_casts(py, op, operands, keywords.dtype, target_array.as_ref())?;
    }
    let options = Options {
        dtype: keywords.dtype,
        casting: keywords.casting,
        order: keywords.order,
        out: target_array.as_ref(),
        mask: keywords.mask.as_ref(),
    };
    let work = || apply(op, &args, &options);
    let result = if target.is_none() && keywords.mask.is_none() {
        gate::compute(py, &reads, work)?
    } else {
        gate::detached(py, work)?
    };
    returned(py, result, target)
}

/// Warns of imaginary parts that are lost on the way into the computation, or out of it.
fn warn_of_casts(
    py: Python<'_>,
    op: Op,
    operands: &[PyOperand],
    dtype: Option<DType>,
    target: Option<&Array>,
) -> PyResult<()> {
    let given = operands.iter().map(|o| o.arg().dtype()).find(|d| d.is_complex());
    let Some(given) = given else { return Ok(()) };
    let computed = dtype.unwrap_or(given);
    warn_of_cast(py, given, computed)?;
    target.map_or(Ok(()), |target| warn_of_cast(py, op.output(computed), target.dtype()))
}

/// All results are recorded before the first is stored: an output may be an input too.
fn call_many<'py>(
    py: Python<'py>,
    row: &MultiRow,
    operands: &[PyOperand],
    keywords: Keywords<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let args: SmallVec<[Arg<'_>; 3]> = operands.iter().map(PyOperand::arg).collect();
    let targets: Vec<Option<Array>> =
        keywords.out.iter().map(|o| o.as_ref().map(|t| t.get().array(py))).collect();
    let Keywords { mask, dtype, casting, order, .. } = &keywords;
    let parts = row.parts;
    let work = || {
        let options = Options { dtype: *dtype, casting: *casting, order: *order, out: None, mask: None };
        let results = parts.iter().map(|op| apply(*op, &args, &options)).collect::<Result<Vec<_>>>()?;
        for ((op, result), target) in parts.iter().zip(&results).zip(&targets) {
            if let Some(target) = target {
                check_storable(*op, result, target, *casting)?;
            }
        }
        parts
            .iter()
            .zip(results)
            .zip(&targets)
            .map(|((op, result), target)| stored(*op, result, target.as_ref(), mask.as_ref()))
            .collect::<Result<Vec<_>>>()
    };
    let results = gate::detached(py, || work().map_err(|error| error.in_op(row.name)))?;
    let objects = results
        .into_iter()
        .zip(keywords.out)
        .map(|(result, target)| returned(py, result, target))
        .collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, objects)?.into_any())
}

fn check_storable(op: Op, result: &Array, target: &Array, casting: Casting) -> Result<()> {
    if !result.dtype().can_cast(target.dtype(), casting) {
        let (from, to) = (result.dtype(), target.dtype());
        return Err(Error::Cast { op: op.name().into(), from, to, casting });
    }
    result.layout().broadcast_to(op.name(), target.shape()).map(|_| ())
}

fn stored(op: Op, result: Array, target: Option<&Array>, mask: Option<&Array>) -> Result<Array> {
    let target = match (target, mask) {
        (Some(target), _) => target.clone(),
        (None, None) => return Ok(result),
        (None, Some(mask)) => {
            let shape = broadcast_shapes(op.name(), &[result.shape(), mask.shape()])?;
            zeros(&shape, result.dtype())?
        }
    };
    assign(op.name(), &target, Arg::Array(&result), mask)?;
    Ok(target)
}

/// A `dtype` is that of all results: functions whose results differ in it have none to be asked for.
fn check_results(function: UfuncFunction, dtype: DType) -> PyResult<()> {
    let parts = function.parts();
    if parts.len() == 1 || parts.iter().all(|op| op.output(dtype) == dtype) {
        return Ok(());
    }
    Err(signature::no_loop(function))
}

fn check_count(function: UfuncFunction, given: usize) -> PyResult<()> {
    let (least, most) = (function.nin(), function.nin() + function.parts().len());
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let name = function.name();
    let were = if given == 1 { "was" } else { "were" };
    let message =
        format!("{name}() takes from {least} to {most} positional arguments but {given} {were} given");
    Err(PyTypeError::new_err(message))
}

/// The outputs of a call, given by position or by keyword.
fn outputs<'py>(
    function: UfuncFunction,
    args: &Bound<'py, PyTuple>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<SmallVec<[Option<Bound<'py, NdArray>>; 2]>> {
    let (nin, nout) = (function.nin(), function.parts().len());
    let optional =
        |item: &Bound<'py, PyAny>| if item.is_none() { Ok(None) } else { array_out(item).map(Some) };
    let mut found = SmallVec::new();
    let by_keyword = out.filter(|o| !o.is_none());
    if args.len() > nin {
        if by_keyword.is_some() {
            return Err(PyTypeError::new_err(
                "cannot specify 'out' as both a positional and keyword argument",
            ));
        }
        for i in nin..args.len() {
            found.push(optional(&args.get_item(i)?)?);
        }
    } else if let Some(out) = by_keyword {
        match out.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() != nout => {
                return Err(PyValueError::new_err(
                    "The 'out' tuple must have exactly one entry per ufunc output",
                ));
            }
            Ok(tuple) => {
                for item in tuple.iter() {
                    found.push(optional(&item)?);
                }
            }
            Err(_) if nout > 1 => return Err(PyTypeError::new_err("'out' must be a tuple of arrays")),
            Err(_) => found.push(Some(array_out(out)?)),
        }
    }
    found.resize_with(nout, || None);
    Ok(found)
}
