//! Reductions that pass over NaN.

use cuprum::reduction::{self, ReduceOptions, reduce_op, without_nan};
use cuprum::{Arg, Array, Error, Kind, Number, Op, Options, Reduction, Result, elementwise};
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of};
use crate::convert::arguments;
use crate::convert::arguments::OptArg;
use crate::ndarray::{InitialArgument, ReductionCall, degrees, spread_about};

/// Which elements are numbers, and selected by `where` too; `None` where every element is.
fn numbers(a: &Array, mask: Option<&Array>) -> Result<Option<Array>> {
    if a.dtype().kind() < Kind::Float {
        return Ok(mask.cloned());
    }
    let plain = Options::default();
    let nan = elementwise::apply(Op::Isnan, &[Arg::Array(a)], &plain)?;
    let number = elementwise::apply(Op::LogicalNot, &[Arg::Array(&nan)], &plain)?;
    match mask {
        None => Ok(Some(number)),
        Some(m) => {
            elementwise::apply(Op::LogicalAnd, &[Arg::Array(&number), Arg::Array(m)], &plain).map(Some)
        }
    }
}

/// The axes to reduce; a single number that may be NaN has the axis that it does not have, as in NumPy.
fn axes_of<'a>(a: &Array, axes: Option<&'a [i64]>) -> Option<&'a [i64]> {
    match axes {
        Some([0 | -1]) if a.ndim() == 0 && a.dtype().kind() >= Kind::Float => Some(&[]),
        given => given,
    }
}

/// The sum of what is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
#[allow(clippy::too_many_arguments)]
fn nansum<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    initial: InitialArgument<'py>,
    r#where: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    ReductionCall::new("nansum", axis, dtype, out, keepdims, initial, r#where)?
        .run(py, &array, |a, o| reduction::sum(&without_nan(a, Number::Int(0))?.0, o))
}

/// The product of what is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
#[allow(clippy::too_many_arguments)]
fn nanprod<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    initial: InitialArgument<'py>,
    r#where: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    ReductionCall::new("nanprod", axis, dtype, out, keepdims, initial, r#where)?
        .run(py, &array, |a, o| reduction::prod(&without_nan(a, Number::Int(1))?.0, o))
}

/// The smallest element that is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
fn nanmin<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    initial: InitialArgument<'py>,
    r#where: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    ReductionCall::new("nanmin", axis, None, out, keepdims, initial, r#where)?
        .run(py, &array, |a, o| reduce_op("nanmin", Op::Fmin, a, o))
}

/// The largest element that is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, out=None, keepdims=None, initial=InitialArgument::Absent, r#where=None))]
fn nanmax<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    initial: InitialArgument<'py>,
    r#where: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    ReductionCall::new("nanmax", axis, None, out, keepdims, initial, r#where)?
        .run(py, &array, |a, o| reduce_op("nanmax", Op::Fmax, a, o))
}

/// The mean of what is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None, keepdims=None, r#where=None))]
fn nanmean<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    r#where: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    ReductionCall::new("nanmean", axis, dtype, out, keepdims, InitialArgument::Absent, r#where)?.run(
        py,
        &array,
        |a, o| {
            let mask = numbers(a, o.mask)?;
            reduction::mean(a, &ReduceOptions { mask: mask.as_ref(), axes: axes_of(a, o.axes), ..*o })
        },
    )
}

/// The variance of what is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None, ddof=None, keepdims=None, r#where=None, mean=None, correction=None))]
#[allow(clippy::too_many_arguments)]
fn nanvar<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    ddof: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    r#where: OptArg<'_, 'py>,
    mean: OptArg<'_, 'py>,
    correction: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    spread_of_numbers(py, a, axis, dtype, out, ddof, keepdims, r#where, mean, correction, false)
}

/// The standard deviation of what is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, dtype=None, out=None, ddof=None, keepdims=None, r#where=None, mean=None, correction=None))]
#[allow(clippy::too_many_arguments)]
fn nanstd<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    ddof: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    r#where: OptArg<'_, 'py>,
    mean: OptArg<'_, 'py>,
    correction: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    spread_of_numbers(py, a, axis, dtype, out, ddof, keepdims, r#where, mean, correction, true)
}

#[allow(clippy::too_many_arguments)]
fn spread_of_numbers<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    ddof: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    mask: OptArg<'_, 'py>,
    mean: OptArg<'_, 'py>,
    correction: OptArg<'_, 'py>,
    root: bool,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let ddof = degrees(ddof, correction)?;
    let mean = mean.filter(|m| !m.is_none()).map(array_of).transpose()?;
    ReductionCall::new(
        if root { "nanstd" } else { "nanvar" },
        axis,
        dtype,
        out,
        keepdims,
        InitialArgument::Absent,
        mask,
    )?
    .run(py, &array, |a, o| {
        let mask = numbers(a, o.mask)?;
        let options = ReduceOptions { mask: mask.as_ref(), axes: axes_of(a, o.axes), ..*o };
        let result = spread_about(a, mean.as_ref(), ddof, &ReduceOptions { out: None, ..options }, root)?;
        let result = without_enough(result, a, ddof, &ReduceOptions { out: None, ..options })?;
        let Some(out) = o.out else { return Ok(result) };
        reduction::check_out_shape("nanvar", out, a, result.shape())?;
        elementwise::assign("nanvar", out, Arg::Array(&result), None)?;
        Ok(out.clone())
    })
}

/// NaN where no degree of freedom is left, as NumPy's NaN-ignoring variance has it.
fn without_enough(result: Array, a: &Array, ddof: f64, options: &ReduceOptions<'_>) -> Result<Array> {
    let Some(mask) = options.mask else { return Ok(result) };
    let plain = Options::default();
    let wide = mask.with_layout(mask.layout().broadcast_to("nanvar", a.shape())?);
    let count = reduction::sum(&wide, &ReduceOptions { mask: None, dtype: None, ..*options })?;
    let few = elementwise::apply(Op::LessEqual, &[Arg::Array(&count), Arg::from(ddof)], &plain)?;
    let nan = cuprum::Scalar::wrapping(Number::Float(f64::NAN), result.dtype());
    elementwise::apply(Op::Where, &[Arg::Array(&few), Arg::Scalar(nan), Arg::Array(&result)], &plain)
}

fn extremum<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
    which: Reduction,
) -> ArrayResult<'py> {
    let array = array_of(a)?;
    let axis = arguments::axis(axis)?;
    let (name, worst) = match which {
        Reduction::ArgMin => ("nanargmin", f64::INFINITY),
        _ => ("nanargmax", f64::NEG_INFINITY),
    };
    ReductionCall::new(name, None, None, out, keepdims, InitialArgument::Absent, None)?.run(
        py,
        &array,
        |a, o| {
            let (clean, nan) = without_nan(a, Number::Float(worst))?;
            if let Some(nan) = nan {
                let axes = axis.map(|x| [x]);
                let options =
                    ReduceOptions { axes: axes.as_ref().map(|x| x.as_slice()), ..Default::default() };
                let all = reduction::all(&nan, &options)?;
                if a.size() > 0 && reduction::any(&all, &ReduceOptions::default())?.item::<bool>()? {
                    return Err(Error::value(name, "All-NaN slice encountered"));
                }
            }
            reduction::argextremum(which, &clean, axis, o.keepdims, o.out)
        },
    )
}

/// The position of the first smallest element that is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, out=None, keepdims=None))]
fn nanargmin<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    extremum(py, a, axis, out, keepdims, Reduction::ArgMin)
}

/// The position of the first largest element that is not NaN.
#[pyfunction]
#[pyo3(signature = (a, axis=None, out=None, keepdims=None))]
fn nanargmax<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
    keepdims: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    extremum(py, a, axis, out, keepdims, Reduction::ArgMax)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(nansum, module)?)?;
    module.add_function(wrap_pyfunction!(nanprod, module)?)?;
    module.add_function(wrap_pyfunction!(nanmin, module)?)?;
    module.add_function(wrap_pyfunction!(nanmax, module)?)?;
    module.add_function(wrap_pyfunction!(nanmean, module)?)?;
    module.add_function(wrap_pyfunction!(nanvar, module)?)?;
    module.add_function(wrap_pyfunction!(nanstd, module)?)?;
    module.add_function(wrap_pyfunction!(nanargmin, module)?)?;
    module.add_function(wrap_pyfunction!(nanargmax, module)?)
}
