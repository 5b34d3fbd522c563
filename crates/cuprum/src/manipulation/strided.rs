//! Views by strides of the caller's: windows that slide over an array, and any other arrangement of its memory.

use cuprum_core::{Dims, Error, Layout, Result, Strides, normalize_axes, show_shape, size_in_range};

use crate::Array;

/// Windows of given lengths along some axes, as new axes at the end. A view, not writeable.
///
/// ```
/// use cuprum::{Array, manipulation::windows};
/// let a = windows(&Array::from_slice(&[1, 2, 3, 4]), &[3], &[0]).unwrap();
/// assert_eq!((a.shape(), a.to_vec::<i32>().unwrap()), (&[2usize, 3][..], vec![1, 2, 3, 2, 3, 4]));
/// ```
pub fn windows(a: &Array, lengths: &[i64], axes: &[i64]) -> Result<Array> {
    let op = "sliding_window_view";
    if lengths.len() != axes.len() {
        let message = format!("{} window lengths for {} axes", lengths.len(), axes.len());
        return Err(Error::value(op, message));
    }
    if lengths.iter().any(|&n| n < 0) {
        return Err(Error::value(op, "window lengths cannot be negative"));
    }
    let mut layout = a.layout().clone();
    for (&length, axis) in lengths.iter().zip(axes) {
        let axis = normalize_axes(op, &[*axis], a.ndim())?[0];
        let Some(spare) = layout.shape[axis].checked_sub(length as usize) else {
            let message = format!(
                "a window of length {length} is longer than axis {axis} of shape {}",
                show_shape(a.shape())
            );
            return Err(Error::value(op, message));
        };
        let stride = layout.strides[axis];
        layout.shape[axis] = spare + 1;
        layout.shape.push(length as usize);
        layout.strides.push(stride);
    }
    if layout.ndim() > cuprum_core::MAX_DIMS {
        return Err(Error::value(op, format!("{} axes are more than arrays have", layout.ndim())));
    }
    Ok(a.with_layout(layout).with_writeable(false))
}

/// A view of the memory behind an array with any shape and strides in bytes, from the array's first element on.
///
/// The view stays inside the array's memory, and its elements are aligned as the array's are.
///
/// ```
/// use cuprum::{Array, manipulation::as_strided};
/// let a = Array::from_slice(&[1i32, 2, 3, 4]);
/// assert_eq!(as_strided(&a, &[2, 2], &[4, 8]).unwrap().to_vec::<i32>().unwrap(), vec![1, 3, 2, 4]);
/// assert!(as_strided(&a, &[5], &[4]).is_err());
/// ```
pub fn as_strided(a: &Array, shape: &[usize], strides: &[isize]) -> Result<Array> {
    let op = "as_strided";
    if shape.len() != strides.len() {
        return Err(Error::value(op, format!("{} strides for {} axes", strides.len(), shape.len())));
    }
    let item = a.dtype().size();
    let part = a.dtype().real().size() as isize;
    if strides.iter().any(|stride| stride % part != 0) {
        return Err(Error::value(op, format!("strides must be multiples of {part} bytes for {}", a.dtype())));
    }
    let offset = a.layout().offset;
    let (mut low, mut high) = (offset as i128, (offset + item) as i128);
    for (&length, &stride) in shape.iter().zip(strides) {
        let reach = (length as i128 - 1).max(0) * stride as i128;
        if reach < 0 { low += reach } else { high += reach }
    }
    let bytes = a.force()?.bytes() as i128;
    if size_in_range(shape).is_none() {
        return Err(Error::value(
            op,
            format!("shape {} has more elements than can be counted", show_shape(shape)),
        ));
    }
    if !shape.contains(&0) && (low < 0 || high > bytes) {
        let message = format!(
            "shape {} and strides {strides:?} reach from byte {low} to byte {high} of memory of {bytes} bytes",
            show_shape(shape)
        );
        return Err(Error::value(op, message));
    }
    let layout = Layout { shape: Dims::from_slice(shape), strides: Strides::from_slice(strides), offset };
    Ok(a.with_layout(layout))
}
