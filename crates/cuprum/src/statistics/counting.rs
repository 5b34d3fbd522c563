//! Counting by value and by bins: `bincount` and `histogram`.

use cuprum_core::{Casting, DType, Error, Order, Result, show_shape};
use cuprum_graph::{Call, CountCall};

use super::check_one_axis;
use crate::call::run_call;
use crate::creation::{result_array, zeros_on};
use crate::device::check_devices;
use crate::manipulation::view_dtype;
use crate::{Array, reduction};

/// How often each non-negative integer occurs, or the sum of the weights of its occurrences; at least `minlength` counts.
/// Sums are float64, of blocks of at least 65,536 elements in index order.
///
/// ```
/// use cuprum::Array;
/// use cuprum::statistics::bincount;
/// let counts = bincount(&Array::from_slice(&[1, 3, 1]), None, 0).unwrap();
/// assert_eq!(counts.to_vec::<i64>().unwrap(), vec![0, 2, 0, 1]);
/// ```
pub fn bincount(values: &Array, weights: Option<&Array>, minlength: usize) -> Result<Array> {
    let op = "bincount";
    check_one_axis(op, "the values", values)?;
    if !values.dtype().is_integral() {
        let (from, to, casting) = (values.dtype(), DType::I64, Casting::Safe);
        return Err(Error::Cast { op: op.into(), from, to, casting });
    }
    check_devices(op, std::iter::once(values).chain(weights))?;
    let weights = weights.map(|weights| checked_weights(op, weights, values, DType::F64)).transpose()?;
    let bins = minlength.max(length(values)?);
    let dtype = if weights.is_some() { DType::F64 } else { DType::I64 };
    if values.size() == 0 {
        // As NumPy has it, no values have no weights.
        return zeros_on(values.device(), &[bins], DType::I64);
    }
    let out = result_array(op, values, &[bins], dtype)?;
    let (values, target) = (values.view().slot()?, out.view().slot()?);
    let weights = weights.map(|weights| weights.view().slot()).transpose()?;
    let call = CountCall::Occurrences { values: &values, weights: weights.as_ref(), out: &target };
    run_call(out.device(), &Call::Count(call))?;
    Ok(out)
}

/// One more than the largest value; an error where a value is negative.
fn length(values: &Array) -> Result<usize> {
    if values.size() == 0 {
        return Ok(0);
    }
    // As unsigned numbers, negative ones are larger than any count can be: one reduction finds both.
    let (unsigned, beyond) = match values.dtype().size() {
        1 if values.dtype() == DType::Bool => (DType::Bool, 2),
        1 => (DType::U8, if values.dtype() == DType::I8 { 1 << 7 } else { 1 << 8 }),
        2 => (DType::U16, if values.dtype() == DType::I16 { 1 << 15 } else { 1 << 16 }),
        4 => (DType::U32, if values.dtype() == DType::I32 { 1 << 31 } else { 1 << 32 }),
        _ => (DType::U64, 1 << 63),
    };
    let largest = reduction::max(&view_dtype(values, unsigned)?, None, false)?;
    let largest = largest.astype(DType::U64)?.item::<u64>();
    let largest = largest.map_err(|error| error.recording_in("bincount"))?;
    if largest >= beyond {
        return Err(Error::value("bincount", "the values must have no negative elements"));
    }
    Ok(largest as usize + 1)
}

fn checked_weights(op: &'static str, weights: &Array, values: &Array, dtype: DType) -> Result<Array> {
    if !weights.dtype().can_cast(DType::F64, Casting::Safe) {
        let (from, to, casting) = (weights.dtype(), DType::F64, Casting::Safe);
        return Err(Error::Cast { op: op.into(), from, to, casting });
    }
    if weights.shape() != values.shape() {
        let (got, wanted) = (show_shape(weights.shape()), show_shape(values.shape()));
        let message =
            format!("the weights and the values must have the same length, got shapes {got} and {wanted}");
        return Err(Error::value(op, message));
    }
    if weights.dtype() == dtype { Ok(weights.clone()) } else { weights.astype(dtype) }
}

/// How many values lie in `edges[i] <= value < edges[i + 1]`, the last edge included, or the sum of their weights. The edges
/// must not decrease. Sums are float64, those of integers int64. Values are compared with the edges in the dtype that both
/// are promoted to.
///
/// ```
/// use cuprum::Array;
/// use cuprum::statistics::histogram_counts;
/// let (values, edges) = (Array::from_slice(&[0.5, 1.5, 2.0, 9.0]), Array::from_slice(&[0.0, 1.0, 2.0]));
/// assert_eq!(histogram_counts(&values, &edges, None).unwrap().to_vec::<i64>().unwrap(), vec![1, 2]);
/// ```
pub fn histogram_counts(values: &Array, edges: &Array, weights: Option<&Array>) -> Result<Array> {
    let op = "histogram";
    check_one_axis(op, "the values", values)?;
    check_one_axis(op, "the edges", edges)?;
    check_devices(op, [values, edges].into_iter().chain(weights))?;
    let exact = |weights: &Array| weights.dtype().is_integral();
    let dtype = if weights.is_none_or(exact) { DType::I64 } else { DType::F64 };
    let weights = weights.map(|weights| checked_weights(op, weights, values, dtype)).transpose()?;
    let bins = edges.size().saturating_sub(1);
    if bins == 0 || values.size() == 0 {
        return zeros_on(values.device(), &[bins], dtype);
    }
    let common = values.dtype().promote(edges.dtype());
    let compared = match common {
        DType::F64 | DType::F32 | DType::I64 | DType::U64 => common,
        DType::F16 | DType::BF16 => DType::F32,
        DType::C64 | DType::C128 => return Err(Error::NoLoop { op: op.into(), dtypes: vec![common] }),
        _ => DType::I64,
    };
    // Through the common dtype, so that what it rounds is rounded here too.
    let cast = |a: &Array| -> Result<Array> {
        let a = if a.dtype() == common { a.clone() } else { a.astype(common)? };
        if common == compared { Ok(a) } else { a.astype_ordered(compared, Order::C) }
    };
    let (values, edges) = (cast(values)?, cast(edges)?);
    let out = result_array(op, &values, &[bins], dtype)?;
    let (values, edges, target) = (values.view().slot()?, edges.view().slot()?, out.view().slot()?);
    let weights = weights.map(|weights| weights.view().slot()).transpose()?;
    let weights = weights.as_ref();
    let call = CountCall::Histogram { values: &values, edges: &edges, weights, out: &target };
    run_call(out.device(), &Call::Count(call))?;
    Ok(out)
}
