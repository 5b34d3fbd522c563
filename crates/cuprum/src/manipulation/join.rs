//! Joining arrays and splitting them: the result is put together from pieces, views are split off.

use cuprum_core::{Casting, DType, Dims, Error, Layout, Result, normalize_axis, result_type, show_shape};

use cuprum_graph::{Piece, defer_enabled};
use smallvec::SmallVec;

use super::pieces::{Content, put_together, store};
use super::ravel;
use crate::Array;
use crate::creation::checked_size;

/// Arrays joined along an axis that exists, or flattened and joined if `axis` is left out.
///
/// ```
/// use cuprum::manipulation::concatenate;
/// use cuprum::{Array, Casting};
/// let (a, b) = (Array::from_slice(&[1, 2]), Array::from_slice(&[3]));
/// let c = concatenate(&[&a, &b], Some(0), None, Casting::SameKind, None).unwrap();
/// assert_eq!(c.to_vec::<i32>().unwrap(), vec![1, 2, 3]);
/// ```
pub fn concatenate(
    arrays: &[&Array],
    axis: Option<i64>,
    dtype: Option<DType>,
    casting: Casting,
    out: Option<&Array>,
) -> Result<Array> {
    join("concatenate", arrays, axis, dtype, casting, out)
}

fn join(
    op: &'static str,
    arrays: &[&Array],
    axis: Option<i64>,
    dtype: Option<DType>,
    casting: Casting,
    out: Option<&Array>,
) -> Result<Array> {
    let Some(first) = arrays.first() else {
        return Err(Error::value(op, "need at least one array to concatenate"));
    };
    let Some(axis) = axis else {
        let flat: Vec<Array> =
            arrays.iter().map(|a| ravel(a, cuprum_core::Order::C)).collect::<Result<_>>()?;
        let flat: Vec<&Array> = flat.iter().collect();
        return join(op, &flat, Some(0), dtype, casting, out);
    };
    if first.ndim() == 0 {
        return Err(Error::value(op, "zero-dimensional arrays cannot be concatenated"));
    }
    let axis = normalize_axis(op, axis, first.ndim())?;
    let shape = joined_shape(op, arrays, axis)?;
    let dtypes: SmallVec<[DType; 8]> = arrays.iter().map(|a| a.dtype()).collect();
    if out.is_some() && dtype.is_some() {
        let message = "only takes `out` or `dtype` as an argument, but both were provided";
        return Err(Error::type_error(op, message));
    }
    let dtype = out.map(|o| o.dtype()).or(dtype).unwrap_or_else(|| result_type(&dtypes, &[]));
    if let Some(&from) = dtypes.iter().find(|d| !d.can_cast(dtype, casting)) {
        return Err(Error::Cast { op: op.into(), from, to: dtype, casting });
    }
    checked_size(first.device(), op, &shape, dtype.size())?;
    if let ([only], None) = (arrays, out)
        && defer_enabled()
        && only.view().storage().is_pending()
    {
        // The copy of a pending array is recorded; joining it from pieces would compute it at the call.
        return only.astype_ordered(dtype, cuprum_core::Order::K);
    }
    let Some(out) = out else {
        let layout = Layout::dense(&shape, &joined_nesting(arrays), dtype.size());
        let pieces = pieces(arrays.iter().map(|&a| a.clone()), axis);
        return put_together(op, first.device(), pieces, layout, dtype);
    };
    if out.shape() != shape.as_slice() {
        let message = format!(
            "output has shape {}, the result has shape {}",
            show_shape(out.shape()),
            show_shape(&shape)
        );
        return Err(Error::value(op, message));
    }
    // A piece that lives in the target must be read before anything is written over it.
    let apart =
        |a: &&Array| if a.same_storage(out) { a.copy(cuprum_core::Order::K) } else { Ok((*a).clone()) };
    let apart: Vec<Array> = arrays.iter().map(apart).collect::<Result<_>>()?;
    store(op, &pieces(apart.into_iter(), axis), out)?;
    Ok(out.clone())
}

/// Where arrays go that are joined along an axis.
fn pieces(arrays: impl Iterator<Item = Array>, axis: usize) -> Vec<(Piece, Content)> {
    let mut next = 0;
    let place = |array: Array| {
        let mut start: Dims = array.shape().iter().map(|_| 0).collect();
        start[axis] = next;
        next += array.shape()[axis];
        (Piece { start, shape: array.dims() }, Content::Array(array))
    };
    arrays.map(place).collect()
}

/// The axes of the result from outermost to innermost: those of the arrays, sorted by their strides from the outermost on.
/// An axis of length one stays where it is, and where arrays differ, C order wins.
fn joined_nesting(arrays: &[&Array]) -> Dims {
    let ndim = arrays[0].ndim();
    let mut axes: Dims = (0..ndim).collect();
    for i in 1..ndim {
        let axis = axes[i];
        let mut place = i;
        for j in (0..i).rev() {
            match lies_outside(arrays, axis, axes[j]) {
                Some(true) => place = j,
                Some(false) => break,
                None => {}
            }
        }
        axes.remove(i);
        axes.insert(place, axis);
    }
    axes
}

/// Whether `axis` lies outside `other` in memory, in all arrays; `None` if one of the two has length one in all.
fn lies_outside(arrays: &[&Array], axis: usize, other: usize) -> Option<bool> {
    let telling = arrays.iter().filter(|a| a.shape()[axis] != 1 && a.shape()[other] != 1);
    let mut outside = None;
    for layout in telling.map(|a| a.layout()) {
        if layout.strides[axis].abs() <= layout.strides[other].abs() {
            return Some(false);
        }
        outside = Some(true);
    }
    outside
}

fn joined_shape(op: &'static str, arrays: &[&Array], axis: usize) -> Result<Dims> {
    let mut shape = arrays[0].dims();
    for (i, array) in arrays.iter().enumerate().skip(1) {
        if array.ndim() != shape.len() {
            let message = format!(
                "all the input arrays must have same number of dimensions, but the array at index 0 has {} \
                 dimension(s) and the array at index {i} has {} dimension(s)",
                shape.len(),
                array.ndim()
            );
            return Err(Error::value(op, message));
        }
        if let Some(d) = (0..shape.len()).find(|&d| d != axis && array.shape()[d] != shape[d]) {
            let message = format!(
                "all the input array dimensions except for the concatenation axis must match exactly, but along \
                 dimension {d}, the array at index 0 has size {} and the array at index {i} has size {}",
                shape[d],
                array.shape()[d]
            );
            return Err(Error::value(op, message));
        }
        shape[axis] = shape[axis].saturating_add(array.shape()[axis]);
    }
    Ok(shape)
}

/// Arrays of one shape joined along a new axis.
///
/// ```
/// use cuprum::manipulation::stack;
/// use cuprum::{Array, Casting};
/// let (a, b) = (Array::from_slice(&[1, 2]), Array::from_slice(&[3, 4]));
/// let c = stack(&[&a, &b], 1, None, Casting::SameKind, None).unwrap();
/// assert_eq!(c.to_vec::<i32>().unwrap(), vec![1, 3, 2, 4]);
/// ```
pub fn stack(
    arrays: &[&Array],
    axis: i64,
    dtype: Option<DType>,
    casting: Casting,
    out: Option<&Array>,
) -> Result<Array> {
    let Some(first) = arrays.first() else {
        return Err(Error::value("stack", "need at least one array to stack"));
    };
    if let Some(other) = arrays.iter().find(|a| a.shape() != first.shape()) {
        let message = format!(
            "all input arrays must have the same shape, got {} and {}",
            show_shape(first.shape()),
            show_shape(other.shape())
        );
        return Err(Error::value("stack", message));
    }
    let axis = normalize_axis("stack", axis, first.ndim() + 1)?;
    let layer = |a: &&Array| a.with_layout(a.layout().insert_axis(axis));
    let layers: SmallVec<[Array; 4]> = arrays.iter().map(layer).collect();
    let layers: SmallVec<[&Array; 4]> = layers.iter().collect();
    join("stack", &layers, Some(axis as i64), dtype, casting, out)
}

/// Where an array is split.
#[derive(Clone, Copy, Debug)]
pub enum Sections<'a> {
    /// Into this many parts.
    Count(i64),
    /// Before these positions.
    At(&'a [i64]),
}

/// The parts of an array along an axis, the first ones longer where they cannot be equal. Views.
///
/// ```
/// use cuprum::manipulation::{Sections, array_split};
/// use cuprum::Array;
/// let parts = array_split(&Array::from_slice(&[1, 2, 3]), Sections::Count(2), 0).unwrap();
/// assert_eq!(parts[0].to_vec::<i32>().unwrap(), vec![1, 2]);
/// ```
pub fn array_split(a: &Array, sections: Sections<'_>, axis: i64) -> Result<Vec<Array>> {
    divide("array_split", a, sections, axis)
}

/// The parts of an array along an axis; a count must divide it. Views.
///
/// ```
/// use cuprum::manipulation::{Sections, split};
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert!(split(&a, Sections::Count(2), 0).is_err());
/// assert_eq!(split(&a, Sections::At(&[1]), 0).unwrap().len(), 2);
/// ```
pub fn split(a: &Array, sections: Sections<'_>, axis: i64) -> Result<Vec<Array>> {
    let at = normalize_axis("split", axis, a.ndim())?;
    if let Sections::Count(n) = sections
        && n > 0
        && a.shape()[at] as i64 % n != 0
    {
        return Err(Error::value("split", "array split does not result in an equal division"));
    }
    divide("split", a, sections, axis)
}

fn divide(op: &'static str, a: &Array, sections: Sections<'_>, axis: i64) -> Result<Vec<Array>> {
    let axis = normalize_axis(op, axis, a.ndim())?;
    let n = a.shape()[axis];
    let bounds: Vec<(usize, usize)> = match sections {
        Sections::Count(count) => {
            let Some(count) = usize::try_from(count).ok().filter(|c| *c > 0) else {
                return Err(Error::value(op, "number sections must be larger than 0."));
            };
            let (each, extra) = (n / count, n % count);
            let begin = |i: usize| i * each + i.min(extra);
            (0..count).map(|i| (begin(i), begin(i + 1))).collect()
        }
        Sections::At(positions) => {
            // As slices: positions count from the end when negative, and stop at the ends.
            let clamp = |i: i64| (if i < 0 { i.saturating_add(n as i64).max(0) } else { i } as usize).min(n);
            let mut edges: Vec<usize> = vec![0];
            edges.extend(positions.iter().map(|&i| clamp(i)));
            edges.push(n);
            edges.windows(2).map(|w| (w[0], w[1])).collect()
        }
    };
    let part = |(start, stop): (usize, usize)| {
        a.with_layout(a.layout().slice_axis(axis, start, 1, stop.saturating_sub(start)))
    };
    Ok(bounds.into_iter().map(part).collect())
}
