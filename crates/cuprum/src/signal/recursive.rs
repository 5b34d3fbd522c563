//! Recursive filters along an axis.

use cuprum_core::{DType, Error, Order, Result, show_shape};
use cuprum_graph::{Call, RecurrenceCall};

use crate::Array;
use crate::creation::result_array;

/// Runs filters, one after the other, along an axis of `x`: the result, and the states after it. The rows of `b` and `a`
/// are their numerators and denominators, which begin with one; `state` has a row of `b.shape()[1] - 1` elements for each
/// filter and each line of `x`.
///
/// Coefficients and states are `f64`, or `c128` for a complex `x`; `x` has single or double precision, and results are
/// rounded to it once.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::signal::linear_filter;
/// let row = |values: &[f64]| Array::from_slice(values).reshape(&[1, values.len() as i64]).unwrap();
/// let (b, a, state) = (row(&[1.0, 0.0]), row(&[1.0, -0.5]), row(&[0.0]).reshape(&[1, 1, 1]).unwrap());
/// let (y, last) = linear_filter(&b, &a, &Array::from_slice(&[1.0, 0.0, 4.0]), 0, &state).unwrap();
/// assert_eq!(y.to_vec::<f64>().unwrap(), vec![1.0, 0.5, 4.25]);
/// assert_eq!(last.to_vec::<f64>().unwrap(), vec![2.125]);
/// ```
pub fn linear_filter(b: &Array, a: &Array, x: &Array, axis: usize, state: &Array) -> Result<(Array, Array)> {
    const NAME: &str = "linear_filter";
    crate::device::check_devices(NAME, [b, a, x, state])?;
    let wide = match x.dtype() {
        DType::F32 | DType::F64 => DType::F64,
        DType::C64 | DType::C128 => DType::C128,
        other => return Err(Error::type_error(NAME, format!("{other} samples"))),
    };
    if [b, a, state].iter().any(|array| array.dtype() != wide) {
        return Err(Error::type_error(NAME, format!("{} samples need coefficients of {wide}", x.dtype())));
    }
    if axis >= x.ndim() || b.ndim() != 2 || b.shape()[1] < 2 || a.shape() != b.shape() {
        let (b, a) = (show_shape(b.shape()), show_shape(a.shape()));
        return Err(Error::value(NAME, format!("coefficients of shapes {b} and {a} along axis {axis}")));
    }
    let (sections, order) = (b.shape()[0], b.shape()[1] - 1);
    let lines: usize = x.shape().iter().enumerate().filter(|(i, _)| *i != axis).map(|(_, n)| n).product();
    if state.shape() != [sections, lines, order] {
        let shape = show_shape(state.shape());
        let message = format!("a state of shape {shape}, expected ({sections}, {lines}, {order})");
        return Err(Error::value(NAME, message));
    }
    if sections == 0 || x.size() == 0 {
        return Ok((x.copy(Order::C)?, state.copy(Order::C)?));
    }
    let out = result_array(NAME, x, x.shape(), x.dtype())?;
    let last = result_array(NAME, x, state.shape(), wide)?;
    let [b, a, input, state] = [b, a, x, state].map(|array| array.view().slot());
    let (b, a, input, state) = (b?, a?, input?, state?);
    let (result, after) = (out.view().slot()?, last.view().slot()?);
    let call =
        RecurrenceCall { b: &b, a: &a, input: &input, state: &state, out: &result, last: &after, axis };
    out.device().call(&Call::Recurrence(call))?;
    Ok((out, last))
}
