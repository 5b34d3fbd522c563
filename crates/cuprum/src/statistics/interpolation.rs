//! Linear interpolation between points.

use cuprum_core::{Casting, DType, Error, Index, Number, Order, Result, Scalar};
use cuprum_graph::{Call, InterpolateCall};

use super::check_one_axis;
use crate::Array;
use crate::call::run_call;
use crate::creation::{empty_like, result_array};
use crate::elementwise::{Arg, assign};
use crate::indexing::value_at;

/// Linear interpolation at `x` between points, whose positions must increase. Before the first and behind the last
/// point the result is `left` and `right`, or the value of that point. Float64, or complex128 for complex values.
///
/// ```
/// use cuprum::Array;
/// use cuprum::statistics::interp;
/// let (points, values) = (Array::from_slice(&[1.0, 2.0, 3.0]), Array::from_slice(&[3.0, 2.0, 0.0]));
/// let at = interp(&Array::from_slice(&[0.0, 1.5, 2.75]), &points, &values, None, None).unwrap();
/// assert_eq!(at.to_vec::<f64>().unwrap(), vec![3.0, 2.5, 0.5]);
/// ```
pub fn interp(
    x: &Array,
    points: &Array,
    values: &Array,
    left: Option<Number>,
    right: Option<Number>,
) -> Result<Array> {
    let op = "interp";
    crate::device::check_devices(op, [x, points, values])?;
    check_one_axis(op, "xp", points)?;
    check_one_axis(op, "fp", values)?;
    if points.size() == 0 {
        return Err(Error::value(op, "array of sample points is empty"));
    }
    if points.size() != values.size() {
        let message =
            format!("fp and xp are not of the same length, got {} and {}", values.size(), points.size());
        return Err(Error::value(op, message));
    }
    let dtype = if values.dtype().is_complex() { DType::C128 } else { DType::F64 };
    for real in [x, points] {
        if real.dtype().is_complex() {
            let (from, to, casting) = (real.dtype(), DType::F64, Casting::Safe);
            return Err(Error::Cast { op: op.into(), from, to, casting });
        }
    }
    let cast = |a: &Array, dtype: DType| {
        if a.dtype() == dtype { Ok(a.clone()) } else { a.astype_ordered(dtype, Order::C) }
    };
    let (x, points, values) = (cast(x, DType::F64)?, cast(points, DType::F64)?, cast(values, dtype)?);
    let beyond = values_beyond(op, &values, [left, right])?;
    let out = empty_like(&x, dtype, Order::C)?;
    if out.size() == 0 {
        return Ok(out);
    }
    let (x, points, values) = (x.view().slot()?, points.view().slot()?, values.view().slot()?);
    let (beyond, target) = (beyond.view().slot()?, out.view().slot()?);
    let call = InterpolateCall { x: &x, points: &points, values: &values, beyond: &beyond, out: &target };
    run_call(out.device(), &Call::Interpolate(call))?;
    Ok(out)
}

/// The values left and right of all points: the given ones, or those at the ends.
fn values_beyond(op: &'static str, values: &Array, given: [Option<Number>; 2]) -> Result<Array> {
    let dtype = values.dtype();
    let ends = [(given[0], 0), (given[1], -1)];
    let known = |(given, end): (Option<Number>, i64)| match given {
        Some(number) => Some(Ok(Scalar::wrapping(number, dtype))),
        None => value_at(values, &[end]),
    };
    if let (Some(left), Some(right)) = (known(ends[0]), known(ends[1])) {
        let bytes = [left?.bytes(), right?.bytes()].concat();
        return Array::made_of(values.device(), &bytes, &[2], dtype);
    }
    let beyond = result_array(op, values, &[2], dtype)?;
    for (place, (given, end)) in ends.into_iter().enumerate() {
        let target = beyond.index(&[Index::Int(place as i64)])?;
        match given {
            Some(number) => assign(op, &target, Arg::Scalar(Scalar::wrapping(number, dtype)), None)?,
            None => assign(op, &target, Arg::Array(&values.index(&[Index::Int(end)])?), None)?,
        }
    }
    Ok(beyond)
}
