//! Running results along an axis, differences, and reductions of segments.

use cuprum_core::{
    Casting, DType, Dims, Error, Layout, Number, Op, Order, Reduction, Result, nesting_of, normalize_axis,
    show_shape,
};
use cuprum_graph::{Call, ScanOp};

use crate::call::run_call;
use crate::elementwise::{Arg, assign};
use crate::manipulation::{self, ravel};
use crate::{Array, reduction};

/// Running sums along an axis, or of the flattened array; small integers add up in 64 bits.
///
/// ```
/// use cuprum::Array;
/// use cuprum::scan::cumsum;
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert_eq!(cumsum(&a, None, None, None).unwrap().to_vec::<i64>().unwrap(), vec![1, 3, 6]);
/// ```
pub fn cumsum(a: &Array, axis: Option<i64>, dtype: Option<DType>, out: Option<&Array>) -> Result<Array> {
    cumulate("cumsum", Op::Add, a, axis, dtype, out)
}

/// Running products along an axis, or of the flattened array.
///
/// ```
/// use cuprum::Array;
/// use cuprum::scan::cumprod;
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert_eq!(cumprod(&a, None, None, None).unwrap().to_vec::<i64>().unwrap(), vec![1, 2, 6]);
/// ```
pub fn cumprod(a: &Array, axis: Option<i64>, dtype: Option<DType>, out: Option<&Array>) -> Result<Array> {
    cumulate("cumprod", Op::Multiply, a, axis, dtype, out)
}

/// Running sums that pass over NaN.
///
/// ```
/// use cuprum::Array;
/// use cuprum::scan::nancumsum;
/// let a = Array::from_slice(&[1.0, f64::NAN, 3.0]);
/// assert_eq!(nancumsum(&a, None, None, None).unwrap().to_vec::<f64>().unwrap(), vec![1.0, 1.0, 4.0]);
/// ```
pub fn nancumsum(a: &Array, axis: Option<i64>, dtype: Option<DType>, out: Option<&Array>) -> Result<Array> {
    let (clean, _) = reduction::without_nan(a, Number::Int(0))?;
    cumulate("nancumsum", Op::Add, &clean, axis, dtype, out)
}

/// Running products that pass over NaN.
///
/// ```
/// use cuprum::Array;
/// use cuprum::scan::nancumprod;
/// let a = Array::from_slice(&[2.0, f64::NAN, 3.0]);
/// assert_eq!(nancumprod(&a, None, None, None).unwrap().to_vec::<f64>().unwrap(), vec![2.0, 2.0, 6.0]);
/// ```
pub fn nancumprod(a: &Array, axis: Option<i64>, dtype: Option<DType>, out: Option<&Array>) -> Result<Array> {
    let (clean, _) = reduction::without_nan(a, Number::Int(1))?;
    cumulate("nancumprod", Op::Multiply, &clean, axis, dtype, out)
}

fn cumulate(
    name: &'static str,
    op: Op,
    a: &Array,
    axis: Option<i64>,
    dtype: Option<DType>,
    out: Option<&Array>,
) -> Result<Array> {
    match axis {
        // A single number has one running result.
        None => scan(name, op, &ravel(a, Order::C)?, 0, dtype, out),
        Some(0 | -1) if a.ndim() == 0 => scan(name, op, &ravel(a, Order::C)?, 0, dtype, out),
        Some(axis) => scan(name, op, a, normalize_axis(name, axis, a.ndim())?, dtype, out),
    }
}

/// Running results of any binary op along an axis: `ufunc.accumulate`.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::scan::accumulate;
/// let a = Array::from_slice(&[1, 5, 2]);
/// assert_eq!(accumulate(Op::Maximum, &a, 0, None, None).unwrap().to_vec::<i32>().unwrap(), vec![1, 5, 5]);
/// ```
pub fn accumulate(op: Op, a: &Array, axis: i64, dtype: Option<DType>, out: Option<&Array>) -> Result<Array> {
    check_binary(op, "accumulate")?;
    if a.ndim() == 0 {
        return Err(no_axis(op.name(), axis, "cannot accumulate on a scalar"));
    }
    scan(op.name(), op, a, normalize_axis(op.name(), axis, a.ndim())?, dtype, out)
}

/// The error of an array without axes: as if it had one, where the axis is that one.
fn no_axis(op: &'static str, axis: i64, message: &'static str) -> Error {
    if axis == 0 || axis == -1 {
        Error::type_error(op, message)
    } else {
        Error::Axis { op: op.into(), axis, ndim: 0 }
    }
}

fn check_binary(op: Op, method: &str) -> Result<()> {
    if op.row().nin == 2 {
        return Ok(());
    }
    Err(Error::value(op.name(), format!("{method} only supported for binary functions")))
}

fn scan(
    name: &'static str,
    op: Op,
    a: &Array,
    axis: usize,
    dtype: Option<DType>,
    out: Option<&Array>,
) -> Result<Array> {
    let dtype = folded_dtype(name, op, a.dtype(), dtype, out)?;
    let input = if a.dtype() == dtype { a.clone() } else { a.astype(dtype)? };
    let layout = Layout::dense(a.shape(), &a.layout().nesting(), dtype.size());
    crate::creation::checked_size(a.device(), name, a.shape(), dtype.size())?;
    let result = Array::uninitialized(a.device(), layout, dtype)?;
    if result.size() > 0 {
        let (input, target) = (input.view().slot()?, result.view().slot()?);
        let op = scan_op(op, dtype);
        run_call(a.device(), &Call::Scan { op, input: &input, out: &target, axis })?;
    }
    stored(name, result, out)
}

fn stored(name: &'static str, result: Array, out: Option<&Array>) -> Result<Array> {
    let Some(out) = out else { return Ok(result) };
    if out.shape() != result.shape() {
        let message = format!(
            "output has shape {}, the result has shape {}",
            show_shape(out.shape()),
            show_shape(result.shape())
        );
        return Err(Error::value(name, message));
    }
    assign(name, out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

fn scan_op(op: Op, dtype: DType) -> ScanOp {
    match (op, dtype) {
        (Op::Add, DType::Bool) => ScanOp::Fold(Op::LogicalOr),
        (Op::Multiply, DType::Bool) => ScanOp::Fold(Op::LogicalAnd),
        (Op::Add, _) => ScanOp::Sum,
        (Op::Multiply, _) => ScanOp::Prod,
        (other, _) => ScanOp::Fold(other),
    }
}

/// The dtype that a fold runs in; truth folds as truth.
fn folded_dtype(
    name: &'static str,
    op: Op,
    from: DType,
    asked: Option<DType>,
    out: Option<&Array>,
) -> Result<DType> {
    if op.is_logical() {
        return match asked {
            None | Some(DType::Bool) => Ok(DType::Bool),
            Some(other) => Err(Error::NoLoop { op: name.into(), dtypes: vec![other, other] }),
        };
    }
    reduction::fold_dtype(name, op, from, asked, out.map(|o| o.dtype()))
}

/// Reductions of segments along an axis: `ufunc.reduceat`. Segment `i` goes from `starts[i]` up to `starts[i + 1]`, and is the
/// single element at `starts[i]` where that is not further on.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::scan::reduceat;
/// let a = Array::from_slice(&[1, 2, 3, 4]);
/// let r = reduceat(Op::Add, &a, &Array::from_slice(&[0i64, 2, 1]), 0, None, None).unwrap();
/// assert_eq!(r.to_vec::<i64>().unwrap(), vec![3, 3, 9]);
/// ```
pub fn reduceat(
    op: Op,
    a: &Array,
    starts: &Array,
    axis: i64,
    dtype: Option<DType>,
    out: Option<&Array>,
) -> Result<Array> {
    let name = op.name();
    check_binary(op, "reduceat")?;
    crate::device::check_devices(name, [a, starts])?;
    if a.ndim() == 0 {
        return Err(no_axis(name, axis, "cannot reduceat on a scalar"));
    }
    let axis = normalize_axis(name, axis, a.ndim())?;
    let starts = checked_starts(name, starts, a.shape()[axis])?;
    let dtype = folded_dtype(name, op, a.dtype(), dtype, out)?;
    let input = if a.dtype() == dtype { a.clone() } else { a.astype(dtype)? };
    let mut shape = a.dims();
    shape[axis] = starts.size();
    crate::creation::checked_size(a.device(), name, &shape, dtype.size())?;
    let layout = Layout::dense(&shape, &segment_nesting(a.layout(), &shape, axis), dtype.size());
    let result = Array::uninitialized(a.device(), layout, dtype)?;
    if result.size() > 0 {
        let (input, starts, target) = (input.view().slot()?, starts.view().slot()?, result.view().slot()?);
        let op = Reduction::of(scan_op(op, dtype).op());
        run_call(a.device(), &Call::ReduceAt { op, input: &input, starts: &starts, out: &target, axis })?;
    }
    stored(name, result, out)
}

/// The nesting of the axes of segments' results, as NumPy's: the axes of the array in K order among each other, and the one of
/// the segments where only their starts have it.
fn segment_nesting(array: &Layout, shape: &[usize], axis: usize) -> Dims {
    let (mut elements, mut starts) = (array.clone(), Layout::contiguous(shape, 1));
    elements.shape = Dims::from_slice(shape);
    elements.strides[axis] = 0;
    starts.strides.fill(0);
    starts.strides[axis] = 1;
    nesting_of(&[&elements, &starts])
}

/// Segment starts as int64 in C order; none may lie outside the axis, not even counted from its end.
fn checked_starts(name: &'static str, starts: &Array, size: usize) -> Result<Array> {
    if starts.ndim() != 1 {
        return Err(Error::value(name, "segment starts must be one-dimensional"));
    }
    if !starts.dtype().can_cast(DType::I64, Casting::SameKind) {
        let (from, to, casting) = (starts.dtype(), DType::I64, Casting::Safe);
        return Err(Error::Cast { op: name.into(), from, to, casting });
    }
    let starts = starts.astype_ordered(DType::I64, Order::C)?;
    if starts.size() == 0 {
        return Ok(starts);
    }
    for extreme in [reduction::min(&starts, None, false)?, reduction::max(&starts, None, false)?] {
        let index = extreme.item::<i64>()?;
        if index < 0 || index as u64 >= size as u64 {
            let message = format!("index {index} out-of-bounds in {name}.reduceat [0, {size})");
            return Err(Error::bad_index(name, message));
        }
    }
    Ok(starts)
}

/// Differences of neighbours along an axis, taken `n` times; bool arrays say where neighbours differ.
///
/// ```
/// use cuprum::Array;
/// use cuprum::scan::diff;
/// let a = Array::from_slice(&[1, 4, 9, 16]);
/// assert_eq!(diff(&a, 2, -1, None, None).unwrap().to_vec::<i32>().unwrap(), vec![2, 2]);
/// ```
pub fn diff(a: &Array, n: i64, axis: i64, prepend: Option<&Array>, append: Option<&Array>) -> Result<Array> {
    if n < 0 {
        return Err(Error::value("diff", format!("order must be non-negative but got {n}")));
    }
    if a.ndim() == 0 {
        return Err(Error::value("diff", "diff requires input that is at least one dimensional"));
    }
    if n == 0 {
        return Ok(a.clone());
    }
    let axis = normalize_axis("diff", axis, a.ndim())?;
    let mut current = extended(a, axis, prepend, append)?;
    let op = if current.dtype() == DType::Bool { Op::NotEqual } else { Op::Subtract };
    for _ in 0..n {
        let length = current.shape()[axis];
        let count = length.saturating_sub(1);
        let part = |start: usize| current.with_layout(current.layout().slice_axis(axis, start, 1, count));
        current = part(1.min(length)).binary(op, &part(0))?;
        if count == 0 {
            break;
        }
    }
    Ok(current)
}

/// The array with others put before and after it; single numbers stand for a whole slice.
fn extended(a: &Array, axis: usize, prepend: Option<&Array>, append: Option<&Array>) -> Result<Array> {
    let slice_of = |given: &Array| -> Result<Array> {
        if given.ndim() > 0 {
            return Ok(given.clone());
        }
        let mut shape: Dims = a.dims();
        shape[axis] = 1;
        manipulation::broadcast_to(given, &shape)
    };
    let before = prepend.map(slice_of).transpose()?;
    let after = append.map(slice_of).transpose()?;
    if before.is_none() && after.is_none() {
        return Ok(a.clone());
    }
    let parts: Vec<&Array> = before.iter().chain(std::iter::once(a)).chain(after.iter()).collect();
    manipulation::concatenate(&parts, Some(axis as i64), None, Casting::SameKind, None)
}
