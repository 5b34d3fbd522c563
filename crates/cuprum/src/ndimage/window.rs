//! Filters whose window has a place in every axis.

use cuprum_core::{DType, Dims, Error, Order, Result, Strides, show_shape};
use cuprum_graph::{Call, FilterCall, Footprint, WindowOp};

use super::{Border, check_real, comparable, truncated, window_start};
use crate::Array;
use crate::call::run_call;
use crate::creation::result_array;
use crate::manipulation::reshape;

/// The correlation with an array of weights, of as many axes as the input.
///
/// ```
/// use cuprum::ndimage::{Border, correlate};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 2.0, 4.0]);
/// let w = Array::from_slice(&[1.0, 1.0, 1.0]);
/// let r = correlate(&a, &w, DType::F64, Border::constant(0.0), &[0]).unwrap();
/// assert_eq!(r.to_vec::<f64>().unwrap(), vec![3.0, 7.0, 6.0]);
/// ```
pub fn correlate(
    input: &Array,
    weights: &Array,
    dtype: DType,
    border: Border,
    origins: &[i64],
) -> Result<Array> {
    check_real("correlate", weights.dtype())?;
    let all = weights.astype(DType::F64)?.to_vec::<f64>();
    let all = all.map_err(|error| error.recording_in("correlate"))?;
    // Weights of nothing are left out, as SciPy does: an infinity beneath one of them makes no NaN.
    let places: Vec<usize> = (0..all.len()).filter(|&i| all[i].abs() > f64::EPSILON).collect();
    let weights_left: Vec<f64> = places.iter().map(|&i| all[i]).collect();
    let footprint = footprint("correlate", input, weights.shape(), origins, places)?;
    filter("correlate", WindowOp::Correlate(&weights_left), input, &footprint, dtype, border)
}

/// The smallest of the elements in a footprint, plus addends where they are given, one for each place of its box.
///
/// ```
/// use cuprum::ndimage::{Border, minimum_filter};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[5, 1, 7, 9]);
/// let cross = Array::from_slice(&[true, false, true]);
/// let r = minimum_filter(&a, &cross, None, DType::I32, Border::default(), &[0]).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![1, 5, 1, 7]);
/// ```
pub fn minimum_filter(
    input: &Array,
    footprint: &Array,
    addends: Option<&Array>,
    dtype: DType,
    border: Border,
    origins: &[i64],
) -> Result<Array> {
    extremum("minimum_filter", input, footprint, addends, dtype, border, origins, false)
}

/// The largest of the elements in a footprint, plus addends where they are given, one for each place of its box.
///
/// ```
/// use cuprum::ndimage::{Border, maximum_filter};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[5, 1, 7, 9]);
/// let cross = Array::from_slice(&[true, false, true]);
/// let r = maximum_filter(&a, &cross, None, DType::I32, Border::default(), &[0]).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![5, 7, 9, 9]);
/// ```
pub fn maximum_filter(
    input: &Array,
    footprint: &Array,
    addends: Option<&Array>,
    dtype: DType,
    border: Border,
    origins: &[i64],
) -> Result<Array> {
    extremum("maximum_filter", input, footprint, addends, dtype, border, origins, true)
}

/// The element of a rank among those in a footprint; the smallest has rank 0.
///
/// ```
/// use cuprum::ndimage::{Border, rank_filter};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[5, 1, 7, 9]);
/// let three = Array::from_slice(&[true, true, true]);
/// let r = rank_filter(&a, 1, &three, DType::I32, Border::default(), &[0]).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![5, 5, 7, 9]);
/// ```
pub fn rank_filter(
    input: &Array,
    rank: usize,
    footprint: &Array,
    dtype: DType,
    border: Border,
    origins: &[i64],
) -> Result<Array> {
    let window = footprint_of("rank_filter", input, footprint, origins)?;
    if rank >= window.places.len() {
        let message = format!("rank {rank} is not within a footprint of {} places", window.places.len());
        return Err(Error::value("rank_filter", message));
    }
    check_real("rank_filter", dtype)?;
    truncated(filter("rank_filter", WindowOp::Rank(rank), input, &window, input.dtype(), border)?, dtype)
}

#[allow(clippy::too_many_arguments)]
fn extremum(
    name: &'static str,
    input: &Array,
    footprint: &Array,
    addends: Option<&Array>,
    dtype: DType,
    border: Border,
    origins: &[i64],
    larger: bool,
) -> Result<Array> {
    let window = footprint_of(name, input, footprint, origins)?;
    check_real(name, dtype)?;
    let Some(addends) = addends else {
        let op = if larger { WindowOp::Maximum } else { WindowOp::Minimum };
        check_real(name, input.dtype())?;
        let input = comparable(input, border)?;
        return truncated(filter(name, op, &input, &window, input.dtype(), border)?, dtype);
    };
    if addends.shape() != footprint.shape() {
        let message = format!(
            "the addends have shape {}, the footprint {}",
            show_shape(addends.shape()),
            show_shape(footprint.shape())
        );
        return Err(Error::value(name, message));
    }
    let all = addends.astype(DType::F64)?.to_vec::<f64>();
    let all = all.map_err(|error| error.recording_in(name))?;
    let chosen: Vec<f64> = window.places.iter().map(|&i| all[i]).collect();
    let op = if larger { WindowOp::MaximumPlus(&chosen) } else { WindowOp::MinimumPlus(&chosen) };
    filter(name, op, input, &window, dtype, border)
}

fn footprint_of(name: &'static str, input: &Array, mask: &Array, origins: &[i64]) -> Result<Footprint> {
    let truths = mask.astype(DType::Bool)?.to_vec::<bool>();
    let truths = truths.map_err(|error| error.recording_in(name))?;
    let places: Vec<usize> = (0..truths.len()).filter(|&i| truths[i]).collect();
    if places.is_empty() {
        return Err(Error::value(name, "All-zero footprint is not supported."));
    }
    footprint(name, input, mask.shape(), origins, places)
}

fn footprint(
    name: &'static str,
    input: &Array,
    shape: &[usize],
    origins: &[i64],
    places: Vec<usize>,
) -> Result<Footprint> {
    if shape.len() != input.ndim() || origins.len() != input.ndim() {
        let message = format!("a window of shape {} on an array of {} axes", show_shape(shape), input.ndim());
        return Err(Error::value(name, message));
    }
    let starts: Result<Strides> =
        shape.iter().zip(origins).map(|(&size, &origin)| window_start(name, size, origin)).collect();
    let mut footprint = Footprint { shape: Dims::from_slice(shape), starts: starts?, places };
    if shape.is_empty() {
        footprint.shape.push(1);
        footprint.starts.push(0);
    }
    Ok(footprint)
}

fn filter(
    name: &'static str,
    op: WindowOp<'_>,
    input: &Array,
    footprint: &Footprint,
    dtype: DType,
    border: Border,
) -> Result<Array> {
    check_real(name, input.dtype())?;
    check_real(name, dtype)?;
    if input.ndim() == 0 {
        let line = filter(name, op, &reshape(input, &[1], Order::C)?, footprint, dtype, border)?;
        return reshape(&line, &[], Order::C);
    }
    let in_floats =
        matches!(op, WindowOp::Correlate(_) | WindowOp::MinimumPlus(_) | WindowOp::MaximumPlus(_));
    let boundary = border.boundary(if in_floats { DType::F64 } else { input.dtype() });
    let result = result_array(name, input, input.shape(), dtype)?;
    if result.size() > 0 {
        let (source, out) = (input.view().slot()?, result.view().slot()?);
        let call = FilterCall::Window { op, input: &source, out: &out, footprint, boundary };
        run_call(input.device(), &Call::Filter(call))?;
    }
    Ok(result)
}
