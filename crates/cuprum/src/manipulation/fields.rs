//! The bytes of elements: their order, the fields in them, and axes that are one in memory.

use cuprum_core::{DType, Error, Layout, Order, Result};

use super::view_dtype;
use crate::elementwise::{Arg, assign};
use crate::{Array, creation};

/// The elements with the bytes of every number in the opposite order.
///
/// ```
/// use cuprum::{Array, manipulation::byteswapped};
/// let a = byteswapped(&Array::from_slice(&[0x0102u16])).unwrap();
/// assert_eq!(a.to_vec::<u16>().unwrap(), vec![0x0201]);
/// ```
pub fn byteswapped(a: &Array) -> Result<Array> {
    let result = creation::empty_like(a, a.dtype(), Order::A)?;
    assign("byteswap", &bytes_of(&result), Arg::Array(&reversed_bytes(a)), None)?;
    Ok(result)
}

/// Turns the bytes of every number round, in place.
///
/// ```
/// use cuprum::{Array, manipulation::byteswap};
/// let a = Array::from_slice(&[0x0102u16]);
/// byteswap(&a).unwrap();
/// assert_eq!(a.to_vec::<u16>().unwrap(), vec![0x0201]);
/// ```
pub fn byteswap(a: &Array) -> Result<()> {
    a.check_writeable("byteswap")?;
    assign("byteswap", &bytes_of(a), Arg::Array(&reversed_bytes(a)), None)
}

/// The bytes as axes of their own: the parts of a complex number, and the bytes of each.
fn bytes_of(a: &Array) -> Array {
    let part = a.dtype().real().size();
    let mut layout = a.layout().clone();
    layout.shape.extend([a.dtype().size() / part, part]);
    layout.strides.extend([part as isize, 1]);
    a.with_layout_and_dtype(layout, DType::U8)
}

fn reversed_bytes(a: &Array) -> Array {
    let bytes = bytes_of(a);
    let last = bytes.ndim() - 1;
    let part = bytes.shape()[last];
    bytes.with_layout(bytes.layout().slice_axis(last, part - 1, -1, part))
}

/// The field at an offset in bytes of each element: a view, or a copy where its numbers would not be aligned.
///
/// ```
/// use cuprum::{Array, DType, manipulation::field};
/// let a = Array::from_slice(&[0x0000_0002_0000_0001u64]);
/// assert_eq!(field(&a, DType::U32, 4).unwrap().to_vec::<u32>().unwrap(), vec![2]);
/// ```
pub fn field(a: &Array, dtype: DType, offset: i64) -> Result<Array> {
    let layout = field_layout("getfield", a, dtype, offset)?;
    if is_aligned(&layout, dtype) {
        return Ok(a.with_layout_and_dtype(layout, dtype));
    }
    let bytes = field_bytes(a, layout, dtype).copy(Order::C)?;
    let whole = view_dtype(&bytes, dtype)?;
    Ok(whole.with_layout(whole.layout().remove_axis(a.ndim())))
}

/// Stores a value into the field at an offset in bytes of each element.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::manipulation::set_field;
/// let a = Array::from_slice(&[0u64]);
/// set_field(&a, DType::U32, 4, Arg::from(1)).unwrap();
/// assert_eq!(a.to_vec::<u64>().unwrap(), vec![1 << 32]);
/// ```
pub fn set_field(a: &Array, dtype: DType, offset: i64, value: Arg<'_>) -> Result<()> {
    a.check_writeable("setfield")?;
    let layout = field_layout("setfield", a, dtype, offset)?;
    if is_aligned(&layout, dtype) {
        return assign("setfield", &a.with_layout_and_dtype(layout, dtype), value, None);
    }
    let stored = creation::zeros_on(a.device(), a.shape(), dtype)?;
    assign("setfield", &stored, value, None)?;
    let (from, to) = (Layout::contiguous(a.shape(), dtype.size()), field_bytes(a, layout, dtype));
    assign("setfield", &to, Arg::Array(&field_bytes(&stored, from, dtype)), None)
}

/// The bytes of numbers that lie as `layout` says, along a last axis.
fn field_bytes(a: &Array, mut layout: Layout, dtype: DType) -> Array {
    layout.shape.push(dtype.size());
    layout.strides.push(1);
    a.with_layout_and_dtype(layout, DType::U8)
}

fn field_layout(op: &'static str, a: &Array, dtype: DType, offset: i64) -> Result<Layout> {
    let (whole, part) = (a.dtype().size(), dtype.size());
    if part > whole {
        return Err(Error::value(op, format!("{dtype} is larger than the array's {}", a.dtype())));
    }
    let last = whole - part;
    let Some(offset) = usize::try_from(offset).ok().filter(|o| *o <= last) else {
        let message = format!("need 0 <= offset <= {last} for {dtype}, received offset = {offset}");
        return Err(Error::value(op, message));
    };
    let mut layout = a.layout().clone();
    if a.size() > 0 {
        layout.offset += offset;
    }
    Ok(layout)
}

fn is_aligned(layout: &Layout, dtype: DType) -> bool {
    layout.offset.is_multiple_of(dtype.real().size())
}

/// A view in which axes that follow one another in memory are one, and those of length one are gone.
///
/// ```
/// use cuprum::{Array, manipulation::merged};
/// let a = Array::from_slice(&[1, 2, 3, 4, 5, 6]).reshape(&[3, 1, 2]).unwrap();
/// assert_eq!(merged(&a).shape(), &[6]);
/// ```
pub fn merged(a: &Array) -> Array {
    if a.ndim() <= 1 {
        return a.clone();
    }
    let old = a.layout();
    let mut layout = Layout { shape: Default::default(), strides: Default::default(), offset: old.offset };
    if a.size() == 0 {
        layout.shape.push(0);
        layout.strides.push(a.dtype().size() as isize);
        return a.with_layout(layout);
    }
    for (&length, &stride) in old.shape.iter().zip(&old.strides).filter(|(length, _)| **length != 1) {
        match (layout.shape.last_mut(), layout.strides.last_mut()) {
            (Some(last), Some(step)) if *step == length as isize * stride => {
                *last *= length;
                *step = stride;
            }
            _ => {
                layout.shape.push(length);
                layout.strides.push(stride);
            }
        }
    }
    if layout.shape.is_empty() {
        layout.shape.push(1);
        layout.strides.push(a.dtype().size() as isize);
    }
    a.with_layout(layout)
}
