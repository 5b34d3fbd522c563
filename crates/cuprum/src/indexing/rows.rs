//! Indexing at the call, of few materialised elements: single elements, one array of positions along the first axis, and masks.
//!
//! None of it waits for anything. Whatever is not so simple, errors included, is left to the plan, which gives the same results.

#![allow(
    unsafe_code,
    reason = "the shortcuts of rows take addresses; what they need to hold is checked here"
)]

use cuprum_core::{DType, Dims, Layout, Result, Scalar};
use cuprum_graph::{IndexedRows, MaskedRows, Shortcuts, buffer_if_idle, eager, mark_written, same_device};

use super::value_array;
use crate::Array;
use crate::elementwise::Arg;

/// A copy of the element at one position for each axis; `None` where it is not there, or cannot be read at once.
///
/// ```
/// use cuprum::{Array, indexing::element};
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert_eq!(element(&a, &[-1]).unwrap().unwrap().item::<i32>().unwrap(), 3);
/// assert!(element(&a, &[3]).is_none());
/// ```
#[inline]
pub fn element(a: &Array, places: &[i64]) -> Option<Result<Array>> {
    let value = value_at(a, places)?;
    Some(value.and_then(|value| Array::from_scalar_on(a.device(), value)))
}

/// The value at one position for each axis, as [`element`] reads it.
#[inline]
pub fn value_at(a: &Array, places: &[i64]) -> Option<Result<Scalar>> {
    let device = a.device();
    eager(device, 1)?;
    let offset = offset_of(a.layout(), places)?;
    let buffer = a.view().storage().ready_buffer()?;
    let mut bytes = [0; 16];
    let read = device.download(buffer, offset, &mut bytes[..a.dtype().size()]);
    Some(read.map(|()| Scalar::from_bytes(a.dtype(), &bytes)))
}

/// Stores a value of the array's dtype at one position for each axis; `None` where that cannot be done at once.
///
/// ```
/// use cuprum::indexing::set_element;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// set_element(&a, &[0], Scalar::wrapping(Number::Int(7), DType::I32)).unwrap().unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![7, 2, 3]);
/// ```
#[inline]
pub fn set_element(a: &Array, places: &[i64], value: Scalar) -> Option<Result<()>> {
    let device = a.device();
    if eager(device, 1).is_none() || !a.is_writeable() || value.dtype() != a.dtype() {
        return None;
    }
    let offset = offset_of(a.layout(), places)?;
    let buffer = buffer_if_idle(a.view())?;
    mark_written(buffer.address() + offset, value.bytes().len());
    Some(device.upload(buffer, offset, value.bytes()))
}

/// The byte at which an element begins; `None` unless there is a position for each axis, within it.
#[inline]
fn offset_of(layout: &Layout, places: &[i64]) -> Option<usize> {
    if places.len() != layout.ndim() {
        return None;
    }
    let mut offset = layout.offset as isize;
    for ((&at, &length), &stride) in places.iter().zip(&layout.shape).zip(&layout.strides) {
        let length = length as i64;
        let from_front = if at < 0 { at.checked_add(length)? } else { at };
        if from_front < 0 || from_front >= length {
            return None;
        }
        offset += from_front as isize * stride;
    }
    Some(offset as usize)
}

/// `a[positions]`, copied at the call; `None` for anything that is not small, dense and materialised, or not in range.
///
/// ```
/// use cuprum::{Array, indexing::take_rows};
/// let a = Array::from_slice(&[10, 20, 30]);
/// let picked = take_rows(&a, &Array::from_slice(&[2i64, -3])).unwrap().unwrap();
/// assert_eq!(picked.to_vec::<i32>().unwrap(), vec![30, 10]);
/// ```
pub fn take_rows(a: &Array, positions: &Array) -> Option<Result<Array>> {
    let (shortcuts, rows) = rows_of(a, positions)?;
    let taken = || {
        let layout = Layout::contiguous(&shape_of(a, positions), a.dtype().size());
        let out = Array::uninitialized(a.device(), layout, a.dtype())?;
        // SAFETY: the rows and positions are those of two views; the target is new and takes a row for each position.
        let taken =
            out.view().aligned_address().is_some_and(|target| unsafe { shortcuts.take_rows(&rows, target) });
        Ok(taken.then_some(out))
    };
    taken().transpose()
}

/// `a[positions] = value`, stored at the call; `None` as in [`take_rows`].
///
/// ```
/// use cuprum::indexing::put_rows;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// put_rows(&a, &Array::from_slice(&[0i64, 2]), Arg::from(9)).unwrap().unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![9, 2, 9]);
/// ```
pub fn put_rows(a: &Array, positions: &Array, value: Arg<'_>) -> Option<Result<()>> {
    let (shortcuts, rows) = rows_of(a, positions)?;
    if !a.is_writeable() || positions.same_storage(a) || buffer_if_idle(a.view()).is_none() {
        return None;
    }
    let size = a.dtype().size();
    let one;
    let (source, step) = match value {
        Arg::Array(value) => {
            let alike = value.dtype() == a.dtype() && !value.same_storage(a);
            let together = same_device(value.device(), a.device());
            if !alike || !together || !value.is_contiguous() || value.shape() != &shape_of(a, positions)[..] {
                return None;
            }
            (value.view().aligned_address()?, rows.bytes)
        }
        // One value fills rows of one element.
        _ if rows.bytes != size => return None,
        _ => {
            one = value_array("index", value, a, a.dtype()).ok()?;
            (one.view().aligned_address()?, 0)
        }
    };
    mark_written(rows.rows, rows.count * rows.bytes);
    // SAFETY: the rows and positions are those of two views of different storages; the source is a third and holds a row for
    // each position, or one element for all.
    unsafe { shortcuts.put_rows(&rows, source, step) }.then_some(Ok(()))
}

/// `a[mask]`, copied at the call; `None` for anything that is not small, dense and materialised, or where the mask does not fit.
///
/// ```
/// use cuprum::{Array, indexing::select_rows};
/// let a = Array::from_slice(&[1, 2, 3]);
/// let kept = select_rows(&a, &Array::from_slice(&[true, false, true])).unwrap().unwrap();
/// assert_eq!(kept.to_vec::<i32>().unwrap(), vec![1, 3]);
/// ```
pub fn select_rows(a: &Array, mask: &Array) -> Option<Result<Array>> {
    let (device, size) = (a.device(), a.dtype().size());
    let fits = mask.ndim() > 0 && a.shape().starts_with(mask.shape());
    if !fits || a.size() == 0 || !a.is_contiguous() || !same_device(device, mask.device()) {
        return None;
    }
    let shortcuts = eager(device, a.size())?;
    let chosen = count_true(mask)?;
    let rest = &a.shape()[mask.ndim()..];
    let bytes = rest.iter().product::<usize>() * size;
    let (rows, mask_address) = (a.view().aligned_address()?, mask.view().aligned_address()?);
    let selected = || {
        let mut shape = Dims::from_slice(&[chosen]);
        shape.extend_from_slice(rest);
        let out = Array::uninitialized(device, Layout::contiguous(&shape, size), a.dtype())?;
        let rows = MaskedRows { rows, count: mask.size(), bytes, mask: mask_address, chosen };
        let Some(target) = out.view().aligned_address() else { return Ok(None) };
        // SAFETY: the rows and truth values are those of two views; the target is new and takes the chosen rows.
        let done = unsafe { shortcuts.select_rows(&rows, target) };
        Ok(done.then_some(out))
    };
    selected().transpose()
}

/// How many elements of a bool array are true; `None` unless it is small, dense and materialised.
pub(super) fn count_true(mask: &Array) -> Option<usize> {
    let shortcuts = eager(mask.device(), mask.size())?;
    if mask.dtype() != DType::Bool || !mask.is_contiguous() {
        return None;
    }
    let address = mask.view().aligned_address()?;
    // SAFETY: the view has as many bytes.
    Some(unsafe { shortcuts.count_true(address, mask.size()) })
}

/// The rows and positions of `a[positions]`, where both are materialised, dense in C order, and few.
fn rows_of(a: &Array, positions: &Array) -> Option<(&'static dyn Shortcuts, IndexedRows)> {
    let n = positions.size();
    if positions.dtype() != DType::I64 || positions.ndim() == 0 || n == 0 {
        return None;
    }
    let (&count, rest) = a.shape().split_first()?;
    let length: usize = rest.iter().product();
    let shortcuts = eager(a.device(), n.checked_mul(length)?)?;
    let dense = a.is_contiguous() && positions.is_contiguous();
    if !dense || length == 0 || !same_device(a.device(), positions.device()) {
        return None;
    }
    let bytes = length * a.dtype().size();
    let (rows, positions) = (a.view().aligned_address()?, positions.view().aligned_address()?);
    Some((shortcuts, IndexedRows { rows, count, bytes, positions, n }))
}

/// The shape of `a[positions]`.
fn shape_of(a: &Array, positions: &Array) -> Dims {
    let mut shape = Dims::from_slice(positions.shape());
    shape.extend_from_slice(&a.shape()[1..]);
    shape
}
