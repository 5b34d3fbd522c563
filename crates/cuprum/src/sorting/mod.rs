//! Sorting, partitioning and searching.
//!
//! The order is NumPy's: NaN last, -0.0 and 0.0 equal, complex numbers by real part, then imaginary part. Every sort is
//! stable.

mod search;
mod unique;

use cuprum_core::{DType, Error, Layout, Order, Result, normalize_axis};
use cuprum_graph::{Call, SortCall, writable_buffer};

pub use cuprum_graph::Side;
pub use search::searchsorted;
pub use unique::{Unique, UniqueOptions, unique};

use crate::Array;
use crate::call::run_call;
use crate::creation::checked_size;
use crate::indexing::take_along_axis;
use crate::manipulation::ravel;

/// The elements in order along an axis, or of the flattened array.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::sort;
/// let a = Array::from_slice(&[3, 1, 2]);
/// assert_eq!(sort(&a, Some(-1)).unwrap().to_vec::<i32>().unwrap(), vec![1, 2, 3]);
/// ```
pub fn sort(a: &Array, axis: Option<i64>) -> Result<Array> {
    let (a, axis) = along("sort", a, axis, false)?;
    let result = copied_like("sort", &a)?;
    if result.size() > 0 {
        let (input, out) = (a.view().slot()?, result.view().slot()?);
        run_call(a.device(), &Call::Sort(SortCall::Sort { input: &input, out: &out, axis }))?;
    }
    Ok(result)
}

/// Puts the elements in order along an axis, in place.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::sort_in_place;
/// let a = Array::from_slice(&[3, 1, 2]);
/// sort_in_place(&a, -1).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 2, 3]);
/// ```
pub fn sort_in_place(a: &Array, axis: i64) -> Result<()> {
    a.check_writeable("sort")?;
    let axis = normalize_axis("sort", axis, a.ndim())?;
    if a.size() == 0 {
        return Ok(());
    }
    writable_buffer(a.view())?;
    let slot = a.view().slot()?;
    run_call(a.device(), &Call::Sort(SortCall::Sort { input: &slot, out: &slot, axis }))
}

/// The positions along an axis, or in the flattened array, that put the elements in order; those of equal elements ascend.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::argsort;
/// let a = Array::from_slice(&[3, 1, 3, 2]);
/// assert_eq!(argsort(&a, Some(-1)).unwrap().to_vec::<i64>().unwrap(), vec![1, 3, 0, 2]);
/// ```
pub fn argsort(a: &Array, axis: Option<i64>) -> Result<Array> {
    let (a, axis) = along("argsort", a, axis, true)?;
    let result = positions_like("argsort", &a)?;
    if result.size() > 0 {
        let (input, out) = (a.view().slot()?, result.view().slot()?);
        run_call(a.device(), &Call::Sort(SortCall::ArgSort { input: &input, out: &out, axis }))?;
    }
    Ok(result)
}

/// The positions that sort by several keys, the last one deciding first.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::lexsort;
/// let (second, first) = (Array::from_slice(&[3, 1, 2]), Array::from_slice(&[1, 1, 0]));
/// assert_eq!(lexsort(&[second, first], -1).unwrap().to_vec::<i64>().unwrap(), vec![2, 1, 0]);
/// ```
pub fn lexsort(keys: &[Array], axis: i64) -> Result<Array> {
    let Some((first, rest)) = keys.split_first() else {
        return Err(Error::type_error("lexsort", "need sequence of keys with len > 0 in lexsort"));
    };
    if rest.iter().any(|key| key.shape() != first.shape()) {
        return Err(Error::value("lexsort", "all keys need to be the same shape"));
    }
    if first.ndim() == 0 {
        // One number is in order already, whatever its keys.
        normalize_axis("lexsort", axis, 1)?;
        return crate::creation::zeros_on(first.device(), &[], DType::I64);
    }
    let axis = normalize_axis("lexsort", axis, first.ndim())? as i64;
    let mut order = argsort(first, Some(axis))?;
    for key in rest {
        let next = argsort(&take_along_axis(key, &order, Some(axis))?, Some(axis))?;
        order = take_along_axis(&order, &next, Some(axis))?;
    }
    Ok(order)
}

/// The elements reordered along an axis, or of the flattened array, so that those at the positions `kth` are what they
/// would be if all were sorted, with nothing greater before them and nothing smaller behind.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::partition;
/// let a = Array::from_slice(&[5, 3, 1, 4]);
/// let halves = partition(&a, &[1], Some(-1)).unwrap().to_vec::<i32>().unwrap();
/// assert_eq!((halves[0], halves[1]), (1, 3));
/// ```
pub fn partition(a: &Array, kth: &[i64], axis: Option<i64>) -> Result<Array> {
    let (a, axis) = along("partition", a, axis, false)?;
    let kth = checked_kth("partition", kth, &a, axis)?;
    let result = copied_like("partition", &a)?;
    if result.size() > 0 {
        let (input, out) = (a.view().slot()?, result.view().slot()?);
        run_call(a.device(), &Call::Sort(SortCall::Partition { input: &input, out: &out, axis, kth: &kth }))?;
    }
    Ok(result)
}

/// Reorders the elements along an axis in place. See [`partition`].
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::partition_in_place;
/// let a = Array::from_slice(&[5, 3, 1, 4]);
/// partition_in_place(&a, &[0], -1).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap()[0], 1);
/// ```
pub fn partition_in_place(a: &Array, kth: &[i64], axis: i64) -> Result<()> {
    a.check_writeable("partition")?;
    let axis = normalize_axis("partition", axis, a.ndim())?;
    let kth = checked_kth("partition", kth, a, axis)?;
    if a.size() == 0 {
        return Ok(());
    }
    writable_buffer(a.view())?;
    let slot = a.view().slot()?;
    run_call(a.device(), &Call::Sort(SortCall::Partition { input: &slot, out: &slot, axis, kth: &kth }))
}

/// The positions along an axis, or in the flattened array, that partition the elements. See [`partition`].
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::argpartition;
/// let a = Array::from_slice(&[5, 3, 1, 4]);
/// assert_eq!(argpartition(&a, &[0], Some(-1)).unwrap().to_vec::<i64>().unwrap()[0], 2);
/// ```
pub fn argpartition(a: &Array, kth: &[i64], axis: Option<i64>) -> Result<Array> {
    let (a, axis) = along("argpartition", a, axis, true)?;
    let kth = checked_kth("argpartition", kth, &a, axis)?;
    let result = positions_like("argpartition", &a)?;
    if result.size() > 0 {
        let (input, out) = (a.view().slot()?, result.view().slot()?);
        run_call(
            a.device(),
            &Call::Sort(SortCall::ArgPartition { input: &input, out: &out, axis, kth: &kth }),
        )?;
    }
    Ok(result)
}

/// The elements that would be at given positions along an axis if all were sorted: one for each position, ascending, each
/// once. Nothing else is put in order.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::select;
/// let a = Array::from_slice(&[5, 3, 1, 4]);
/// assert_eq!(select(&a, &[-1, 1], -1).unwrap().to_vec::<i32>().unwrap(), vec![3, 5]);
/// ```
pub fn select(a: &Array, kth: &[i64], axis: i64) -> Result<Array> {
    let axis = normalize_axis("select", axis, a.ndim())?;
    let (asked, size) = (kth.len(), a.dtype().size());
    let kth = checked_kth("select", kth, a, axis)?;
    let mut layout = a.layout().clone();
    // Of an array without elements nothing is checked, and nothing selected.
    layout.shape[axis] = if a.size() == 0 { asked } else { kth.len() };
    checked_size(a.device(), "select", &layout.shape, size)?;
    let layout = layout.copied(size, size, Order::K);
    let result = Array::uninitialized(a.device(), layout, a.dtype())?;
    if result.size() > 0 {
        let (input, out) = (a.view().slot()?, result.view().slot()?);
        run_call(a.device(), &Call::Sort(SortCall::Select { input: &input, out: &out, axis, kth: &kth }))?;
    }
    Ok(result)
}

/// The array and the axis to sort along. With `flat_scalars`, a 0-d array counts as one of one element.
fn along(op: &'static str, a: &Array, axis: Option<i64>, flat_scalars: bool) -> Result<(Array, usize)> {
    match axis {
        None => Ok((ravel(a, Order::C)?, 0)),
        Some(0 | -1) if flat_scalars && a.ndim() == 0 => Ok((ravel(a, Order::C)?, 0)),
        Some(axis) => Ok((a.clone(), normalize_axis(op, axis, a.ndim())?)),
    }
}

/// Memory for the elements reordered, in K order as a copy would be.
fn copied_like(op: &'static str, a: &Array) -> Result<Array> {
    checked_size(a.device(), op, a.shape(), a.dtype().size())?;
    let layout = a.layout().copied(a.dtype().size(), a.dtype().size(), Order::K);
    Array::uninitialized(a.device(), layout, a.dtype())
}

/// Memory for positions, row by row.
fn positions_like(op: &'static str, a: &Array) -> Result<Array> {
    checked_size(a.device(), op, a.shape(), DType::I64.size())?;
    let layout = Layout::contiguous(a.shape(), DType::I64.size());
    Array::uninitialized(a.device(), layout, DType::I64)
}

/// Positions to partition at, from the start, ascending and each once.
fn checked_kth(op: &'static str, kth: &[i64], a: &Array, axis: usize) -> Result<Vec<usize>> {
    if a.size() == 0 {
        return Ok(Vec::new());
    }
    let length = a.shape()[axis];
    let mut checked = Vec::with_capacity(kth.len());
    for &k in kth {
        let at = if k < 0 { k.wrapping_add(length as i64) } else { k };
        if at < 0 || at as u64 >= length as u64 {
            return Err(Error::value(op, format!("kth(={at}) out of bounds ({length})")));
        }
        checked.push(at as usize);
    }
    checked.sort_unstable();
    checked.dedup();
    Ok(checked)
}
