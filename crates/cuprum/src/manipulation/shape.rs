//! Reshaping, axes put in order, added and taken away, and broadcasting.

use cuprum_core::{Dims, Error, Order, Result, broadcast_shapes, normalize_axes, normalize_axis, show_shape};

use crate::Array;
use crate::creation::checked_size;

/// The same elements under another shape; one length may be -1. A view where strides allow it, else a copy.
///
/// ```
/// use cuprum::manipulation::reshape;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4, 5, 6]);
/// assert_eq!(reshape(&a, &[2, -1], Order::C).unwrap().shape(), &[2, 3]);
/// assert_eq!(
///     reshape(&a, &[4], Order::C).unwrap_err().to_string(),
///     "reshape: cannot reshape array of size 6 into shape (4,)"
/// );
/// ```
pub fn reshape(a: &Array, shape: &[i64], order: Order) -> Result<Array> {
    let shape = resolve_shape(a.size(), shape)?;
    checked_size(a.device(), "reshape", &shape, a.dtype().size())?;
    match order {
        Order::C => reshape_rows(a, &shape),
        Order::F => reshape_columns(a, &shape),
        Order::A if a.is_fortran() && !a.is_contiguous() => reshape_columns(a, &shape),
        Order::A => reshape_rows(a, &shape),
        Order::K => Err(Error::value("reshape", "order 'K' is not permitted for reshaping")),
    }
}

/// The shape with its -1 worked out.
fn resolve_shape(size: usize, shape: &[i64]) -> Result<Dims> {
    let fail = || {
        let parts: Vec<String> = shape.iter().map(i64::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let message = format!("cannot reshape array of size {size} into shape ({}{comma})", parts.join(", "));
        Error::value("reshape", message)
    };
    let unknown = shape.iter().filter(|d| **d < 0).count();
    if unknown > 1 {
        return Err(Error::value("reshape", "can only specify one unknown dimension"));
    }
    if shape.iter().any(|d| *d < -1) {
        return Err(Error::value("reshape", "negative dimensions are not allowed, except one -1"));
    }
    let known = shape
        .iter()
        .filter(|d| **d >= 0)
        .try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?))
        .ok_or_else(fail)?;
    if unknown == 0 {
        if known != size {
            return Err(fail());
        }
    } else if known == 0 || !size.is_multiple_of(known) {
        return Err(fail());
    }
    Ok(shape.iter().map(|&d| if d < 0 { size / known } else { d as usize }).collect())
}

/// Reads and fills row by row.
pub(crate) fn reshape_rows(a: &Array, shape: &[usize]) -> Result<Array> {
    let itemsize = a.dtype().size();
    if let Some(layout) = a.layout().reshape(shape, itemsize) {
        return Ok(a.with_layout(layout));
    }
    let dense = a.copy(Order::C)?;
    let layout =
        dense.layout().reshape(shape, itemsize).expect("a dense array takes every shape of its size");
    Ok(dense.with_layout(layout))
}

/// Reads and fills column by column: the rows of the transposes.
fn reshape_columns(a: &Array, shape: &[usize]) -> Result<Array> {
    let reversed: Dims = shape.iter().rev().copied().collect();
    let result = reshape_rows(&a.with_layout(a.layout().transpose()), &reversed)?;
    let layout = result.layout().transpose();
    Ok(result.with_layout(layout))
}

/// The flattened array: a view where strides allow it, else a copy.
///
/// ```
/// use cuprum::manipulation::ravel;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(ravel(&a, Order::F).unwrap().to_vec::<i32>().unwrap(), vec![1, 3, 2, 4]);
/// ```
pub fn ravel(a: &Array, order: Order) -> Result<Array> {
    let rows = read_order(a, order);
    let dense = if rows.is_contiguous() { rows } else { rows.copy(Order::C)? };
    reshape_rows(&dense, &[a.size()])
}

/// The flattened array, always a copy.
///
/// ```
/// use cuprum::manipulation::flatten;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert!(!flatten(&a, Order::C).unwrap().same_storage(&a));
/// ```
pub fn flatten(a: &Array, order: Order) -> Result<Array> {
    reshape_rows(&read_order(a, order).copy(Order::C)?, &[a.size()])
}

/// The array with its axes ordered so that reading rows is reading in `order`.
fn read_order(a: &Array, order: Order) -> Array {
    let layout = match order {
        Order::C => a.layout().clone(),
        Order::F => a.layout().transpose(),
        Order::A if a.is_fortran() && !a.is_contiguous() => a.layout().transpose(),
        Order::A => a.layout().clone(),
        Order::K => a.layout().permute(&a.layout().nesting()),
    };
    a.with_layout(layout)
}

/// The axes in another order, reversed if none is given. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::transpose;
/// let a = zeros(&[2, 3, 4], cuprum::DType::F32).unwrap();
/// assert_eq!(transpose(&a, Some(&[1, 0, 2])).unwrap().shape(), &[3, 2, 4]);
/// ```
pub fn transpose(a: &Array, axes: Option<&[i64]>) -> Result<Array> {
    let Some(axes) = axes else { return Ok(a.with_layout(a.layout().transpose())) };
    if axes.len() != a.ndim() {
        let message = format!("{} axes do not match an array of dimension {}", axes.len(), a.ndim());
        return Err(Error::value("transpose", message));
    }
    let order = normalize_axes("transpose", axes, a.ndim()).map_err(|e| match e {
        Error::Value { .. } => Error::value("transpose", "repeated axis in transpose"),
        other => other,
    })?;
    Ok(a.with_layout(a.layout().permute(&order)))
}

/// Two axes exchanged. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::swapaxes;
/// let a = zeros(&[2, 3, 4], cuprum::DType::F32).unwrap();
/// assert_eq!(swapaxes(&a, 0, -1).unwrap().shape(), &[4, 3, 2]);
/// ```
pub fn swapaxes(a: &Array, axis1: i64, axis2: i64) -> Result<Array> {
    let first = normalize_axis("swapaxes", axis1, a.ndim())?;
    let second = normalize_axis("swapaxes", axis2, a.ndim())?;
    let mut order: Dims = (0..a.ndim()).collect();
    order.swap(first, second);
    Ok(a.with_layout(a.layout().permute(&order)))
}

/// Axes moved to new places, the others keeping their order. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::moveaxis;
/// let a = zeros(&[2, 3, 4], cuprum::DType::F32).unwrap();
/// assert_eq!(moveaxis(&a, &[0], &[-1]).unwrap().shape(), &[3, 4, 2]);
/// ```
pub fn moveaxis(a: &Array, source: &[i64], destination: &[i64]) -> Result<Array> {
    let from = normalize_axes("moveaxis", source, a.ndim())?;
    let to = normalize_axes("moveaxis", destination, a.ndim())?;
    if from.len() != to.len() {
        let message = "`source` and `destination` arguments must have the same number of elements";
        return Err(Error::value("moveaxis", message));
    }
    let mut order: Dims = (0..a.ndim()).filter(|axis| !from.contains(axis)).collect();
    let mut moves: Vec<(usize, usize)> = to.iter().copied().zip(from.iter().copied()).collect();
    moves.sort_unstable();
    for (place, axis) in moves {
        order.insert(place, axis);
    }
    Ok(a.with_layout(a.layout().permute(&order)))
}

/// An axis rolled back until it lies before position `start`. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::rollaxis;
/// let a = zeros(&[3, 4, 5, 6], cuprum::DType::F32).unwrap();
/// assert_eq!(rollaxis(&a, 3, 1).unwrap().shape(), &[3, 6, 4, 5]);
/// ```
pub fn rollaxis(a: &Array, axis: i64, start: i64) -> Result<Array> {
    let ndim = a.ndim();
    let from = normalize_axis("rollaxis", axis, ndim)?;
    let n = ndim as i64;
    if !(-n..=n).contains(&start) {
        let message = format!("`start` arg requires {} <= start < {}, but {start} was passed in", -n, n + 1);
        return Err(Error::value("rollaxis", message));
    }
    let mut to = if start < 0 { start + n } else { start } as usize;
    if from < to {
        to -= 1;
    }
    let mut order: Dims = (0..ndim).filter(|x| *x != from).collect();
    order.insert(to, from);
    Ok(a.with_layout(a.layout().permute(&order)))
}

/// Removes axes of length one: all of them, or those given. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::squeeze;
/// let a = zeros(&[1, 3, 1], cuprum::DType::F32).unwrap();
/// assert_eq!(squeeze(&a, None).unwrap().shape(), &[3]);
/// assert_eq!(squeeze(&a, Some(&[0])).unwrap().shape(), &[3, 1]);
/// ```
pub fn squeeze(a: &Array, axes: Option<&[i64]>) -> Result<Array> {
    let axes: Dims = match axes {
        None => (0..a.ndim()).filter(|&x| a.shape()[x] == 1).collect(),
        // A single element counts as a row of one.
        Some([-1 | 0]) if a.ndim() == 0 => Dims::new(),
        Some(given) => normalize_axes("squeeze", given, a.ndim())?,
    };
    if let Some(&axis) = axes.iter().find(|&&x| a.shape()[x] != 1) {
        let message = format!(
            "cannot select an axis to squeeze out which has size not equal to one: axis {axis} of shape {} has size {}",
            show_shape(a.shape()),
            a.shape()[axis]
        );
        return Err(Error::value("squeeze", message));
    }
    let kept: Dims = (0..a.ndim()).filter(|x| !axes.contains(x)).collect();
    Ok(a.with_layout(a.layout().permute(&kept)))
}

/// Inserts axes of length one, at these positions of the result's axes. A view.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::expand_dims;
/// let a = zeros(&[3], cuprum::DType::F32).unwrap();
/// assert_eq!(expand_dims(&a, &[0, -1]).unwrap().shape(), &[1, 3, 1]);
/// ```
pub fn expand_dims(a: &Array, axes: &[i64]) -> Result<Array> {
    let ndim = a.ndim() + axes.len();
    let mut places = normalize_axes("expand_dims", axes, ndim)?;
    places.sort_unstable();
    let layout = places.iter().fold(a.layout().clone(), |layout, &axis| layout.insert_axis(axis));
    checked_size(a.device(), "expand_dims", &layout.shape, a.dtype().size())?;
    Ok(a.with_layout(layout))
}

/// Broadcast to a shape without a copy; the result is not writeable.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::broadcast_to;
/// let a = broadcast_to(&Array::from_slice(&[1, 2]), &[2, 2]).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 2, 1, 2]);
/// assert!(!a.is_writeable());
/// ```
pub fn broadcast_to(a: &Array, shape: &[usize]) -> Result<Array> {
    checked_extent("broadcast_to", shape)?;
    Ok(a.with_layout(a.layout().broadcast_to("broadcast_to", shape)?).with_writeable(false))
}

/// All the arrays broadcast to their common shape; the results are not writeable.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::broadcast_arrays;
/// let (a, b) = (Array::from_slice(&[1, 2]), Array::from_slice(&[5]));
/// let both = broadcast_arrays(&[&a, &b]).unwrap();
/// assert_eq!(both[1].to_vec::<i32>().unwrap(), vec![5, 5]);
/// ```
pub fn broadcast_arrays(arrays: &[&Array]) -> Result<Vec<Array>> {
    let shapes: Vec<&[usize]> = arrays.iter().map(|a| a.shape()).collect();
    let shape = broadcast_shapes("broadcast_arrays", &shapes)?;
    checked_extent("broadcast_arrays", &shape)?;
    arrays
        .iter()
        .map(|a| {
            Ok(a.with_layout(a.layout().broadcast_to("broadcast_arrays", &shape)?).with_writeable(false))
        })
        .collect()
}

/// A view may be larger than memory, but its elements must be countable.
fn checked_extent(op: &'static str, shape: &[usize]) -> Result<()> {
    let count = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d.max(1)));
    match count.map(isize::try_from) {
        Some(Ok(_)) if shape.len() <= cuprum_core::MAX_DIMS => Ok(()),
        _ => Err(Error::value(op, format!("shape {} is too big", show_shape(shape)))),
    }
}
