//! Other views of the same bytes: diagonals, other dtypes, the parts of complex numbers.

use cuprum_core::{DType, Error, Result, Scalar, normalize_axis};

use crate::{Array, creation};

/// The diagonal `k` of two axes as a new last axis. A view, not writeable.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::diagonal;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(diagonal(&a, 0, 0, 1).unwrap().to_vec::<i32>().unwrap(), vec![1, 4]);
/// ```
pub fn diagonal(a: &Array, k: i64, axis1: i64, axis2: i64) -> Result<Array> {
    Ok(diagonal_of("diagonal", a, k, axis1, axis2)?.with_writeable(false))
}

pub(crate) fn diagonal_of(op: &'static str, a: &Array, k: i64, axis1: i64, axis2: i64) -> Result<Array> {
    if a.ndim() < 2 {
        return Err(Error::value(op, "diag requires an array of at least two dimensions"));
    }
    let first = normalize_axis(op, axis1, a.ndim())?;
    let second = normalize_axis(op, axis2, a.ndim())?;
    if first == second {
        return Err(Error::value(op, "axis1 and axis2 cannot be the same"));
    }
    Ok(a.with_layout(a.layout().diagonal(k, first, second)))
}

/// The same bytes as elements of another dtype; of another size, the last axis changes its length. A view.
///
/// ```
/// use cuprum::manipulation::view_dtype;
/// use cuprum::{Array, DType};
/// let a = view_dtype(&Array::from_slice(&[1.0f32]), DType::U32).unwrap();
/// assert_eq!(a.to_vec::<u32>().unwrap(), vec![0x3f80_0000]);
/// ```
pub fn view_dtype(a: &Array, dtype: DType) -> Result<Array> {
    let (old, new) = (a.dtype().size(), dtype.size());
    let mut layout = a.layout().clone();
    if old == new {
        return Ok(a.with_layout_and_dtype(layout, dtype));
    }
    let Some(last) = a.ndim().checked_sub(1) else {
        let message = "changing the dtype of a 0d array is only supported if the itemsize is unchanged";
        return Err(Error::value("view", message));
    };
    if layout.shape[last] != 1 && a.size() != 0 && layout.strides[last] != old as isize {
        let message = "to change to a dtype of a different size, the last axis must be contiguous";
        return Err(Error::value("view", message));
    }
    let bytes = layout.shape[last] * old;
    if !bytes.is_multiple_of(new) {
        let message = "when changing to a larger dtype, its size must be a divisor of the total size in bytes \
                       of the last axis of the array";
        return Err(Error::value("view", message));
    }
    layout.shape[last] = bytes / new;
    layout.strides[last] = new as isize;
    Ok(a.with_layout_and_dtype(layout, dtype))
}

/// The real parts: a view of a complex array, a real array itself.
///
/// ```
/// use cuprum::{Array, manipulation::real};
/// let a = Array::from_slice(&[1.5]);
/// assert!(real(&a).same_storage(&a));
/// ```
pub fn real(a: &Array) -> Array {
    a.with_layout_and_dtype(a.layout().clone(), a.dtype().real())
}

/// The imaginary parts: a view of a complex array; zeros, not writeable, for a real one.
///
/// ```
/// use cuprum::{Array, manipulation::imag};
/// assert_eq!(imag(&Array::from_slice(&[1.5])).unwrap().to_vec::<f64>().unwrap(), vec![0.0]);
/// ```
pub fn imag(a: &Array) -> Result<Array> {
    if !a.dtype().is_complex() {
        let zeros = creation::full_like("imag", a, Scalar::zero(a.dtype()), cuprum_core::Order::K)?;
        return Ok(zeros.with_writeable(false));
    }
    let part = a.dtype().real();
    let mut layout = a.layout().clone();
    if a.size() > 0 {
        layout.offset += part.size();
    }
    Ok(a.with_layout_and_dtype(layout, part))
}
