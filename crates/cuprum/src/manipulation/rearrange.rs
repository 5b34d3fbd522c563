//! Elements repeated, flipped, rotated and rolled.

use cuprum_core::{Dims, Error, Index, Layout, Number, Op, Order, Result, normalize_axes, normalize_axis};
use cuprum_graph::{Call, DeviceRef, Piece, writable_buffer};
use smallvec::SmallVec;

use super::pieces::{Content, is_small, put_together};
use super::shape::reshape_rows;
use super::{ravel, reshape, swapaxes};
use crate::call::run_call;
use crate::creation::{checked_size, zeros_on};
use crate::indexing::{TakeMode, take_as};
use crate::{Array, DType, Scalar, reduction, scan};

/// The array repeated as a whole, `reps` times along each axis.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::tile;
/// let a = tile(&Array::from_slice(&[1, 2]), &[2, 2]).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 2, 1, 2, 1, 2, 1, 2]);
/// assert_eq!(a.shape(), &[2, 4]);
/// ```
pub fn tile(a: &Array, reps: &[i64]) -> Result<Array> {
    let ndim = a.ndim().max(reps.len());
    let mut counts: Dims = (0..ndim - reps.len()).map(|_| 1).collect();
    for &r in reps {
        let count = usize::try_from(r);
        counts.push(count.map_err(|_| Error::value("tile", "negative dimensions are not allowed"))?);
    }
    let mut layout = a.layout().clone();
    while layout.ndim() < ndim {
        layout = layout.insert_axis(0);
    }
    let lengths = layout.shape.clone();
    let shape = repeated_shape(a.device(), "tile", &lengths, &counts, a.dtype())?;
    // Each axis becomes two, repetitions outside and elements inside; the copy reads the former with stride 0.
    for axis in (0..ndim).rev() {
        layout = layout.insert_axis(axis);
        layout.shape[axis] = counts[axis];
    }
    reshape_rows(&a.with_layout(layout).copy(Order::C)?, &shape)
}

fn repeated_shape(
    device: DeviceRef,
    op: &'static str,
    lengths: &[usize],
    counts: &[usize],
    dtype: DType,
) -> Result<Dims> {
    let too_big = || Error::value(op, "the result is too big");
    let shape = lengths
        .iter()
        .zip(counts)
        .map(|(n, r)| n.checked_mul(*r).ok_or_else(too_big))
        .collect::<Result<Dims>>()?;
    checked_size(device, op, &shape, dtype.size())?;
    Ok(shape)
}

/// Each element `count` times along an axis, or of the flattened array.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::repeat;
/// let a = repeat(&Array::from_slice(&[1, 2]), 2, None).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 1, 2, 2]);
/// ```
pub fn repeat(a: &Array, count: i64, axis: Option<i64>) -> Result<Array> {
    let (a, axis) = along("repeat", a, axis)?;
    let Ok(count) = usize::try_from(count) else {
        return Err(Error::value("repeat", "repeats may not contain negative values."));
    };
    let mut counts: Dims = a.shape().iter().map(|_| 1).collect();
    counts[axis] = count;
    let shape = repeated_shape(a.device(), "repeat", a.shape(), &counts, a.dtype())?;
    let mut layout = a.layout().insert_axis(axis + 1);
    layout.shape[axis + 1] = count;
    reshape_rows(&a.with_layout(layout).copy(Order::C)?, &shape)
}

/// Each element as often as `counts` says for its place along an axis, or in the flattened array.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::repeat_each;
/// let a = Array::from_slice(&[7, 8, 9]);
/// let r = repeat_each(&a, &Array::from_slice(&[1i64, 0, 2]), None).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![7, 9, 9]);
/// ```
pub fn repeat_each(a: &Array, counts: &Array, axis: Option<i64>) -> Result<Array> {
    if !counts.dtype().can_cast(DType::I64, cuprum_core::Casting::Safe) {
        let (from, to, casting) = (counts.dtype(), DType::I64, cuprum_core::Casting::Safe);
        return Err(Error::Cast { op: "repeat".into(), from, to, casting });
    }
    if counts.ndim() > 1 {
        return Err(Error::value("repeat", "repeats must be an integer or a one-dimensional array"));
    }
    let named = |error: Error| error.recording_in("repeat");
    if counts.size() == 1 {
        let count = ravel(&counts.astype(DType::I64)?, Order::C)?.index(&[Index::Int(0)])?;
        let count = count.item::<i64>().map_err(named)?;
        return repeat(a, count, axis);
    }
    let (a, axis) = along("repeat", a, axis)?;
    let n = a.shape()[axis];
    if counts.size() != n {
        let shapes = vec![Dims::from_slice(&[n]), counts.dims()];
        return Err(Error::Broadcast { op: "repeat".into(), shapes });
    }
    if n == 0 {
        return a.copy(Order::C);
    }
    take_as("repeat", &a, &repeated_places(counts).map_err(named)?, Some(axis as i64), TakeMode::Clip, None)
}

/// Place `i` written `counts[i]` times, in order: marks where runs end, then counts them up.
fn repeated_places(counts: &Array) -> Result<Array> {
    let counts = counts.astype(DType::I64)?;
    if reduction::min(&counts, None, false)?.item::<i64>()? < 0 {
        return Err(Error::value("repeat", "repeats may not contain negative values."));
    }
    // The running sums index memory below: they must not overflow.
    let most = reduction::max(&counts, None, false)?.item::<i64>()?;
    if most.checked_mul(counts.size() as i64).is_none() {
        return Err(Error::value("repeat", "the result is too big"));
    }
    let ends = scan::cumsum(&counts, None, None, None)?;
    let last = ends.with_layout(ends.layout().slice_axis(0, ends.size() - 1, 1, 1).remove_axis(0));
    let total = last.item::<i64>()? as usize;
    checked_size(ends.device(), "repeat", &[total + 1], DType::I64.size())?;
    let marks = zeros_on(ends.device(), &[total + 1], DType::I64)?;
    let one = Array::from_scalar_on(ends.device(), Scalar::wrapping(Number::Int(1), DType::I64))?;
    let value = one.view().broadcast_to("repeat", &[ends.size()])?.slot()?;
    let mut target = marks.view().slot()?;
    target.buffer = writable_buffer(marks.view())?;
    let indices = [ends.view().slot()?];
    let op = Some(Op::Add);
    let call = Call::Scatter { target: &target, indices: &indices, value: &value, op, later: None };
    run_call(marks.device(), &call)?;
    let runs = scan::cumsum(&marks, None, None, None)?;
    Ok(runs.with_layout(runs.layout().slice_axis(0, 0, 1, total)))
}

/// The array and a checked axis, or the flattened array and its only one.
fn along(op: &'static str, a: &Array, axis: Option<i64>) -> Result<(Array, usize)> {
    match axis {
        None => Ok((ravel(a, Order::C)?, 0)),
        // A single element counts as a row of one.
        Some(-1 | 0) if a.ndim() == 0 => Ok((a.with_layout(a.layout().insert_axis(0)), 0)),
        Some(axis) => Ok((a.clone(), normalize_axis(op, axis, a.ndim())?)),
    }
}

/// The elements in reverse along some axes, or along all. A view.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::flip;
/// assert_eq!(flip(&Array::from_slice(&[1, 2, 3]), None).unwrap().to_vec::<i32>().unwrap(), vec![3, 2, 1]);
/// ```
pub fn flip(a: &Array, axes: Option<&[i64]>) -> Result<Array> {
    if a.ndim() == 0 && axes.is_none_or(<[i64]>::is_empty) {
        // A single element is a value, as indexing gives it: no view.
        return a.copy(Order::K);
    }
    let axes: Dims = match axes {
        None => (0..a.ndim()).collect(),
        Some(given) => normalize_axes("flip", given, a.ndim())?,
    };
    let turn = |layout: Layout, &axis: &usize| {
        let n = layout.shape[axis];
        layout.slice_axis(axis, n.saturating_sub(1), -1, n)
    };
    Ok(a.with_layout(axes.iter().fold(a.layout().clone(), turn)))
}

/// The elements moved along axes, those that fall off the end coming back at the start.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::roll;
/// let a = roll(&Array::from_slice(&[1, 2, 3, 4]), &[1], None).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![4, 1, 2, 3]);
/// ```
pub fn roll(a: &Array, shifts: &[i64], axes: Option<&[i64]>) -> Result<Array> {
    let Some(axes) = axes else {
        let flat = ravel(a, Order::C)?;
        let shape: Vec<i64> = a.shape().iter().map(|&d| d as i64).collect();
        let axes: Vec<i64> = shifts.iter().map(|_| 0).collect();
        return reshape(&roll(&flat, shifts, Some(&axes))?, &shape, Order::C);
    };
    let pairs = if shifts.len() == 1 { axes.len() } else { shifts.len() };
    if (shifts.len() != pairs && shifts.len() != 1) || (axes.len() != pairs && axes.len() != 1) {
        let message = "'shift' and 'axis' should be scalars or 1D sequences of one length";
        return Err(Error::value("roll", message));
    }
    let mut by: SmallVec<[i128; 4]> = SmallVec::from_elem(0, a.ndim());
    for i in 0..pairs {
        let axis = normalize_axis("roll", axes[i.min(axes.len() - 1)], a.ndim())?;
        by[axis] += shifts[i.min(shifts.len() - 1)] as i128;
    }
    let itemsize = a.dtype().size();
    checked_size(a.device(), "roll", a.shape(), itemsize)?;
    let layout = a.layout().copied(itemsize, itemsize, Order::K);
    if a.size() == 0 {
        return Array::uninitialized(a.device(), layout, a.dtype());
    }
    if is_small(a.device(), a.size() * itemsize) {
        // Each piece would compute a pending array again.
        a.force()?;
    }
    put_together("roll", a.device(), rolled(a, &by), layout, a.dtype())
}

/// The pieces that rolling cuts an array into, where they go: two for each axis that moves.
fn rolled(a: &Array, by: &[i128]) -> Vec<(Piece, Content)> {
    let whole = Piece { start: a.shape().iter().map(|_| 0).collect(), shape: a.dims() };
    let mut pieces: SmallVec<[(Piece, Layout); 4]> = SmallVec::from_iter([(whole, a.layout().clone())]);
    for (axis, &shift) in by.iter().enumerate() {
        let n = a.shape()[axis];
        // Divisions of 128 bits take a hundred instructions.
        let shift = match i64::try_from(shift) {
            Ok(shift) => shift.rem_euclid(n as i64) as usize,
            Err(_) => shift.rem_euclid(n as i128) as usize,
        };
        if shift == 0 {
            continue;
        }
        let cut = |(piece, from): &(Piece, Layout)| {
            let part = |first: usize, to: usize, count: usize| {
                let mut piece = piece.clone();
                (piece.start[axis], piece.shape[axis]) = (to, count);
                (piece, from.slice_axis(axis, first, 1, count))
            };
            [part(0, shift, n - shift), part(n - shift, 0, shift)]
        };
        pieces = pieces.iter().flat_map(cut).collect();
    }
    pieces.into_iter().map(|(piece, from)| (piece, Content::Array(a.with_layout(from)))).collect()
}

/// Turned by 90 degrees `k` times in the plane of two axes, from the first towards the second. A view.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::rot90;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(rot90(&a, 1, (0, 1)).unwrap().to_vec::<i32>().unwrap(), vec![2, 4, 1, 3]);
/// ```
pub fn rot90(a: &Array, k: i64, axes: (i64, i64)) -> Result<Array> {
    let n = a.ndim() as i64;
    let checked = |axis: i64| {
        let message = format!("axes ({}, {}) are out of range for an array of dimension {n}", axes.0, axes.1);
        normalize_axis("rot90", axis, a.ndim()).map_err(|_| Error::value("rot90", message))
    };
    if axes.0 == axes.1 || axes.0.abs_diff(axes.1) == n as u64 {
        return Err(Error::value("rot90", "axes must be different"));
    }
    let (first, second) = (checked(axes.0)? as i64, checked(axes.1)? as i64);
    match k.rem_euclid(4) {
        0 => Ok(a.clone()),
        1 => swapaxes(&flip(a, Some(&[second]))?, first, second),
        2 => flip(a, Some(&[first, second])),
        _ => flip(&swapaxes(a, first, second)?, Some(&[second])),
    }
}
