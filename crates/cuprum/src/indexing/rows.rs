//! The short way of small arrays that are there: single elements, one array of positions along the first axis, and masks.
//!
//! Neither waits for anything. Whatever is not so simple, errors included, is left to the plan, which gives the same results.

use cuprum_core::{DType, Dims, Layout, Result, Scalar};
use cuprum_graph::{DenseRows, buffer_if_idle, mark_written, same_device};

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
    if device.eager_elements() == 0 {
        return None;
    }
    let offset = offset_of(a.layout(), places)?;
    let buffer = a.view().storage.ready_buffer()?;
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
    if device.eager_elements() == 0 || !a.is_writeable() || value.dtype() != a.dtype() {
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

/// `a[positions]`, copied at once; `None` for anything that is not small, dense and there, or not in range.
///
/// ```
/// use cuprum::{Array, indexing::take_rows};
/// let a = Array::from_slice(&[10, 20, 30]);
/// let picked = take_rows(&a, &Array::from_slice(&[2i64, -3])).unwrap().unwrap();
/// assert_eq!(picked.to_vec::<i32>().unwrap(), vec![30, 10]);
/// ```
pub fn take_rows(a: &Array, positions: &Array) -> Option<Result<Array>> {
    let rows = rows_of(a, positions)?;
    let taken = || {
        let layout = Layout::contiguous(&shape_of(a, positions), a.dtype().size());
        let out = Array::uninitialized(a.device(), layout, a.dtype())?;
        let target = address(&out).unwrap_or_default();
        Ok(a.device().take_rows(&rows, target)?.then_some(out))
    };
    taken().transpose()
}

/// `a[positions] = value`, stored at once; `None` as in [`take_rows`].
///
/// ```
/// use cuprum::indexing::put_rows;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// put_rows(&a, &Array::from_slice(&[0i64, 2]), Arg::from(9)).unwrap().unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![9, 2, 9]);
/// ```
pub fn put_rows(a: &Array, positions: &Array, value: Arg<'_>) -> Option<Result<()>> {
    let rows = rows_of(a, positions)?;
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
            (address(value)?, rows.bytes)
        }
        // One value fills rows of one element.
        _ if rows.bytes != size => return None,
        _ => {
            one = value_array("index", value, a, a.dtype()).ok()?;
            (address(&one)?, 0)
        }
    };
    mark_written(rows.rows, rows.count * rows.bytes);
    match a.device().put_rows(&rows, source, step) {
        Ok(true) => Some(Ok(())),
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    }
}

/// `a[mask]`, copied at once; `None` for anything that is not small, dense and there, or where the mask does not fit.
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
    if !fits || a.size() == 0 || a.size() > device.eager_elements() || !a.is_contiguous() {
        return None;
    }
    if !same_device(device, mask.device()) {
        return None;
    }
    let n = count_true(mask)?;
    let rest = &a.shape()[mask.ndim()..];
    let bytes = rest.iter().product::<usize>() * size;
    let (rows, positions) = (address(a)?, address(mask)?);
    let selected = || {
        let n = n?;
        let mut shape = Dims::from_slice(&[n]);
        shape.extend_from_slice(rest);
        let out = Array::uninitialized(device, Layout::contiguous(&shape, size), a.dtype())?;
        let rows = DenseRows { rows, count: mask.size(), bytes, positions, n };
        let target = address(&out).unwrap_or_default();
        Ok(device.select_rows(&rows, target)?.then_some(out))
    };
    selected().transpose()
}

/// How many elements of a bool array hold, where it is small, dense and there.
pub(super) fn count_true(mask: &Array) -> Option<Result<usize>> {
    let device = mask.device();
    let limit = device.eager_elements();
    if limit == 0 || mask.size() > limit || mask.dtype() != DType::Bool || !mask.is_contiguous() {
        return None;
    }
    Some(device.count_true(address(mask)?, mask.size()))
}

/// The rows and positions of `a[positions]`, where both are there, dense in C order, and few.
fn rows_of(a: &Array, positions: &Array) -> Option<DenseRows> {
    let (limit, n) = (a.device().eager_elements(), positions.size());
    if limit == 0 || positions.dtype() != DType::I64 || positions.ndim() == 0 || n == 0 {
        return None;
    }
    let (&count, rest) = a.shape().split_first()?;
    let length: usize = rest.iter().product();
    let few = n.checked_mul(length).is_some_and(|elements| elements <= limit);
    let dense = a.is_contiguous() && positions.is_contiguous();
    if !few || !dense || length == 0 || !same_device(a.device(), positions.device()) {
        return None;
    }
    let bytes = length * a.dtype().size();
    Some(DenseRows { rows: address(a)?, count, bytes, positions: address(positions)?, n })
}

/// The shape of `a[positions]`.
fn shape_of(a: &Array, positions: &Array) -> Dims {
    let mut shape = Dims::from_slice(positions.shape());
    shape.extend_from_slice(&a.shape()[1..]);
    shape
}

/// The address of the elements, if they are there and aligned.
fn address(array: &Array) -> Option<usize> {
    let address = array.view().storage.ready_address()? + array.layout().offset;
    address.is_multiple_of(array.dtype().real().size()).then_some(address)
}
