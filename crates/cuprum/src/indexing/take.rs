//! Selection along one axis or over the flattened array: take, put, nonzero, compress and the like.

use cuprum_core::{
    Casting, DType, Dims, Error, Index, Layout, Number, Op, Order, Result, Scalar, broadcast_shapes,
    normalize_axis, show_shape,
};
use cuprum_graph::Call;

use super::plan::IndexPlan;
use super::plan::contiguous_as;
use super::{Checks, gather, gather_into, rows, scatter, take_rows, taken, value_array};
use crate::call::run_call;
use crate::creation::{positions, result_array, zeros_on};
use crate::elementwise::{Arg, assign};
use crate::manipulation::{ravel, reshape};
use crate::{Array, reduction};

/// How indices out of bounds are treated (`mode=`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakeMode {
    /// They raise an error.
    Raise,
    /// They wrap around.
    Wrap,
    /// They are clipped to the axis; negative ones become 0.
    Clip,
}

impl TakeMode {
    /// The mode of that name.
    pub fn from_name(name: &str) -> Option<TakeMode> {
        match name {
            "raise" => Some(TakeMode::Raise),
            "wrap" => Some(TakeMode::Wrap),
            "clip" => Some(TakeMode::Clip),
            _ => None,
        }
    }
}

/// Elements at positions along an axis, or in the flattened array.
///
/// ```
/// use cuprum::indexing::{TakeMode, take};
/// use cuprum::Array;
/// let a = Array::from_slice(&[10, 20, 30]);
/// let places = Array::from_slice(&[2i64, -3]);
/// assert_eq!(take(&a, &places, None, TakeMode::Raise, None).unwrap().to_vec::<i32>().unwrap(), vec![30, 10]);
/// let bad = Array::from_slice(&[7i64]);
/// let error = take(&a, &bad, Some(0), TakeMode::Raise, None).unwrap_err();
/// assert_eq!(error.to_string(), "take: index 7 is out of bounds for axis 0 with size 3");
/// ```
pub fn take(
    a: &Array,
    indices: &Array,
    axis: Option<i64>,
    mode: TakeMode,
    out: Option<&Array>,
) -> Result<Array> {
    take_as("take", a, indices, axis, mode, out)
}

/// The same under the name that errors give it.
pub(crate) fn take_as(
    op: &'static str,
    a: &Array,
    indices: &Array,
    axis: Option<i64>,
    mode: TakeMode,
    out: Option<&Array>,
) -> Result<Array> {
    let (a, axis) = match axis {
        None => (ravel(a, Order::C)?, 0),
        Some(axis) => (a.clone(), normalize_axis(op, axis, a.ndim())?),
    };
    if axis == 0
        && mode == TakeMode::Raise
        && out.is_none()
        && let Some(taken) = take_rows(&a, indices)
    {
        return taken;
    }
    let size = a.shape()[axis];
    // Where the axes before have no elements, nothing is taken and no position is looked at, as in NumPy.
    let mode = if a.shape()[..axis].contains(&0) { TakeMode::Clip } else { mode };
    // With `out`, positions are checked before anything is written: an error that is reported later could not undo it.
    let mut checks = if out.is_some() { Checks::at_once(op) } else { Checks::new(op) };
    let mut shape = Dims::from_slice(&a.shape()[..axis]);
    shape.extend_from_slice(indices.shape());
    shape.extend_from_slice(&a.shape()[axis + 1..]);
    if size == 0 && !shape.contains(&0) {
        return Err(Error::bad_index(op, "cannot do a non-empty take from an empty axes."));
    }
    let places = if mode == TakeMode::Raise && !shape.contains(&0) {
        check_index_dtype(op, indices)?;
        checks.check_in_gather(indices, axis, size)?
    } else {
        moded_indices(&mut checks, op, indices, axis, size, mode)?
    };
    if let Some(out) = out {
        check_out(op, out, &shape, a.dtype())?;
    }
    if out.is_none()
        && let Some(taken) = taken(&a, std::slice::from_ref(&places), &checks)?
    {
        return Ok(taken);
    }
    let result = result_array(op, &a, &shape, a.dtype())?;
    // The gather writes (indices, other axes); the result has the indices in the axis's place.
    let mut order: Dims = (axis..axis + indices.ndim()).collect();
    order.extend((0..shape.len()).filter(|x| !(axis..axis + indices.ndim()).contains(x)));
    let mut first: Dims = (0..a.ndim()).filter(|x| *x != axis).collect();
    first.insert(0, axis);
    let source = a.with_layout(a.layout().permute(&first));
    let target = result.with_layout(result.layout().permute(&order));
    let places = [places];
    gather_into(&source, &places, checks.unchecked(), &target)?;
    checks.settle(&places)?;
    let Some(out) = out else { return Ok(result) };
    assign(op, out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

fn check_out(op: &'static str, out: &Array, shape: &[usize], dtype: DType) -> Result<()> {
    if out.shape() != shape {
        let message = format!(
            "output has shape {}, the result has shape {}",
            show_shape(out.shape()),
            show_shape(shape)
        );
        return Err(Error::value(op, message));
    }
    if !dtype.can_cast(out.dtype(), Casting::SameKind) {
        let (from, to, casting) = (dtype, out.dtype(), Casting::SameKind);
        return Err(Error::Cast { op: op.into(), from, to, casting });
    }
    Ok(())
}

fn check_index_dtype(op: &'static str, indices: &Array) -> Result<()> {
    if indices.dtype().can_cast(DType::I64, Casting::SameKind) || indices.size() == 0 {
        return Ok(());
    }
    let (from, to, casting) = (indices.dtype(), DType::I64, Casting::Safe);
    Err(Error::Cast { op: op.into(), from, to, casting })
}

/// Indices as int64 in C order, brought into the axis as the mode says.
fn moded_indices(
    checks: &mut Checks,
    op: &'static str,
    indices: &Array,
    axis: usize,
    size: usize,
    mode: TakeMode,
) -> Result<Array> {
    check_index_dtype(op, indices)?;
    let wide = || indices.astype_ordered(DType::I64, Order::C);
    match mode {
        TakeMode::Raise => checks.check(indices, axis, size),
        _ if size == 0 => wide(),
        TakeMode::Wrap => wide()?.binary(Op::Remainder, size)?.contiguous(),
        TakeMode::Clip => wide()?.clip(0, size - 1)?.contiguous(),
    }
}

/// Stores values at positions of the flattened array; too few values are repeated.
///
/// ```
/// use cuprum::indexing::{TakeMode, put};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// put(&a, &Array::from_slice(&[0i64, 2]), Arg::from(9), TakeMode::Raise).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![9, 2, 9]);
/// ```
pub fn put(a: &Array, indices: &Array, values: Arg<'_>, mode: TakeMode) -> Result<()> {
    a.check_writeable("put")?;
    let flat = ravel(indices, Order::C)?;
    let values = ravel(&value_array("put", values, a, a.dtype())?, Order::C)?;
    if flat.size() == 0 {
        return Ok(());
    }
    if a.size() == 0 {
        return Err(Error::bad_index("put", "cannot put a non-empty index into an empty array"));
    }
    if values.size() == 0 {
        return Ok(());
    }
    let mut checks = Checks::new("put");
    let places = moded_indices(&mut checks, "put", &flat, 0, a.size(), mode)?;
    let values = cycled(&values, flat.size())?;
    if let Some(layout) = a.layout().reshape(&[a.size()], a.dtype().size()) {
        return scatter(&a.with_layout(layout), &[places], &values, None, checks.mark());
    }
    scatter(a, &unravelled(&places, a.shape())?, &values, None, checks.mark())
}

/// `count` values, going round where there are fewer.
fn cycled(values: &Array, count: usize) -> Result<Array> {
    match values.size() {
        n if n == count => Ok(values.clone()),
        n if n > count => Ok(values.with_layout(values.layout().slice_axis(0, 0, 1, count))),
        1 => Ok(values.with_layout(values.layout().remove_axis(0).broadcast_to("put", &[count])?)),
        n => {
            let places = positions(values.device(), &[count], 0)?.binary(Op::Remainder, n)?;
            gather(values, &[places], None, &[count])
        }
    }
}

/// Positions in the flattened array as positions along each axis.
fn unravelled(flat: &Array, shape: &[usize]) -> Result<Vec<Array>> {
    let mut left = flat.clone();
    let mut out = Vec::with_capacity(shape.len());
    for &size in shape.iter().rev() {
        out.push(left.binary(Op::Remainder, size)?);
        left = left.binary(Op::FloorDivide, size)?;
    }
    out.reverse();
    Ok(out)
}

/// The shape of what positions along an axis of an array select.
fn selection_along(op: &'static str, shape: &[usize], indices: &Array, axis: usize) -> Result<Dims> {
    if indices.ndim() != shape.len() {
        return Err(Error::value(op, "`indices` and `arr` must have the same number of dimensions"));
    }
    if !indices.dtype().is_integral() || indices.dtype() == DType::Bool {
        return Err(Error::bad_index(op, "`indices` must be an integer array"));
    }
    let mut others = Dims::from_slice(shape);
    others[axis] = 1;
    broadcast_shapes(op, &[&others, indices.shape()]).map_err(|_| {
        let message = format!(
            "shape mismatch: indices of shape {} do not fit an array of shape {} along axis {axis}",
            show_shape(indices.shape()),
            show_shape(shape)
        );
        Error::bad_index(op, message)
    })
}

/// Positions for every axis: along `axis` the given ones, along the others each element's own.
fn along_axis(
    checks: &mut Checks,
    shape: &[usize],
    indices: &Array,
    axis: usize,
    selection: &[usize],
) -> Result<Vec<Array>> {
    let given = checks.check(indices, axis, shape[axis])?;
    (0..shape.len())
        .map(|d| {
            if d == axis {
                return contiguous_as(&given, selection);
            }
            // An axis of length one is read again and again, as broadcasting has it.
            if shape[d] == 1 {
                zeros_on(indices.device(), selection, DType::I64)
            } else {
                positions(indices.device(), selection, d)
            }
        })
        .collect()
}

/// Elements at positions along an axis, `indices` and `a` matched along the other axes: `numpy.take_along_axis`.
/// Without an axis `a` is flattened.
///
/// ```
/// use cuprum::indexing::take_along_axis;
/// use cuprum::Array;
/// let a = Array::from_slice(&[10, 30, 20, 60, 40, 50]).reshape(&[2, 3]).unwrap();
/// let best = a.argmax_axis(1).unwrap().reshape(&[2, 1]).unwrap();
/// assert_eq!(take_along_axis(&a, &best, Some(1)).unwrap().to_vec::<i32>().unwrap(), vec![30, 60]);
/// ```
pub fn take_along_axis(a: &Array, indices: &Array, axis: Option<i64>) -> Result<Array> {
    let op = "take_along_axis";
    let (a, axis) = match axis {
        None => (ravel(a, Order::C)?, 0),
        Some(axis) => (a.clone(), normalize_axis(op, axis, a.ndim())?),
    };
    let nesting = indices.layout().nesting();
    if indices.ndim() != a.ndim() || nesting.is_sorted() {
        return taken_along(op, &a, indices, axis);
    }
    // The result lies in memory as the positions do.
    let nested = |of: &Array| of.with_layout(of.layout().permute(&nesting));
    let inner = nesting.iter().position(|&x| x == axis).unwrap_or(axis);
    let result = taken_along(op, &nested(&a), &nested(indices), inner)?;
    let mut back = nesting.clone();
    for (place, &x) in nesting.iter().enumerate() {
        back[x] = place;
    }
    Ok(result.with_layout(result.layout().permute(&back)))
}

fn taken_along(op: &'static str, a: &Array, indices: &Array, axis: usize) -> Result<Array> {
    if a.ndim() == 1
        && indices.ndim() == 1
        && let Some(taken) = take_rows(a, indices)
    {
        return taken;
    }
    let selection = selection_along(op, a.shape(), indices, axis)?;
    let all = along_axis(&mut Checks::new(op), a.shape(), indices, axis, &selection)?;
    gather(a, &all, None, &selection)
}

/// Stores values at positions along an axis, `indices` and `a` matched along the other axes: `numpy.put_along_axis`.
/// Without an axis `a` is flattened.
///
/// ```
/// use cuprum::indexing::put_along_axis;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[10, 30, 20, 60]).reshape(&[2, 2]).unwrap();
/// let best = a.argmax_axis(1).unwrap().reshape(&[2, 1]).unwrap();
/// put_along_axis(&a, &best, Arg::from(0), Some(1)).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![10, 0, 20, 0]);
/// ```
pub fn put_along_axis(a: &Array, indices: &Array, values: Arg<'_>, axis: Option<i64>) -> Result<()> {
    let op = "put_along_axis";
    a.check_writeable(op)?;
    let values = value_array(op, values, a, a.dtype())?;
    let mut checks = Checks::new(op);
    let flat = [a.size()];
    let (shape, line) = match axis {
        None => (&flat[..], 0),
        Some(axis) => (a.shape(), normalize_axis(op, axis, a.ndim())?),
    };
    let selection = selection_along(op, shape, indices, line)?;
    let wide = values.with_layout(values.layout().broadcast_to(op, &selection)?);
    let mut all = along_axis(&mut checks, shape, indices, line, &selection)?;
    if axis.is_none() {
        all = unravelled(&all[0], a.shape())?;
    }
    scatter(a, &all, &wide, None, checks.mark())
}

/// An array as truth values.
pub(super) fn truth(a: &Array) -> Result<Array> {
    if a.dtype() == DType::Bool {
        Ok(a.clone())
    } else {
        a.binary(Op::NotEqual, Arg::Scalar(Scalar::zero(a.dtype())))
    }
}

/// How many elements of a bool array are true.
pub(super) fn count_true(mask: &Array) -> Result<usize> {
    if let Some(count) = rows::count_true(mask) {
        return Ok(count);
    }
    let count = Array::uninitialized(mask.device(), Layout::contiguous(&[], 8), DType::I64)?;
    let (mask, out) = (mask.view().slot()?, count.view().slot()?);
    run_call(count.device(), &Call::CountNonzero { mask: &mask, out: &out })?;
    let count = count.item::<i64>().map_err(|error| error.recording_in("nonzero"))?;
    Ok(count as usize)
}

/// The positions where a bool array is true, along each of its axes.
pub(super) fn true_positions(mask: &Array) -> Result<Vec<Array>> {
    let count = count_true(mask)?;
    let out = result_array("nonzero", mask, &[mask.ndim(), count], DType::I64)?;
    if count > 0 {
        let (mask, target) = (mask.view().slot()?, out.view().slot()?);
        run_call(out.device(), &Call::Nonzero { mask: &mask, out: &target })?;
    }
    let row = |axis: usize| out.with_layout(out.layout().slice_axis(0, axis, 1, 1).remove_axis(0));
    Ok((0..mask.ndim()).map(row).collect())
}

/// The positions of the elements that are not zero, along each axis, in C order.
///
/// ```
/// use cuprum::indexing::nonzero;
/// use cuprum::Array;
/// let places = nonzero(&Array::from_slice(&[0, 5, 0, 7])).unwrap();
/// assert_eq!(places[0].to_vec::<i64>().unwrap(), vec![1, 3]);
/// ```
pub fn nonzero(a: &Array) -> Result<Vec<Array>> {
    if a.ndim() == 0 {
        return Err(Error::value("nonzero", "calling nonzero on 0d arrays is not allowed"));
    }
    true_positions(&truth(a)?)
}

/// The slices along an axis for which a condition is true, or elements of the flattened array.
///
/// ```
/// use cuprum::indexing::compress;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3]);
/// let kept = compress(&Array::from_slice(&[true, false, true]), &a, None, None).unwrap();
/// assert_eq!(kept.to_vec::<i32>().unwrap(), vec![1, 3]);
/// ```
pub fn compress(condition: &Array, a: &Array, axis: Option<i64>, out: Option<&Array>) -> Result<Array> {
    compress_as("compress", condition, a, axis, out)
}

fn compress_as(
    op: &'static str,
    condition: &Array,
    a: &Array,
    axis: Option<i64>,
    out: Option<&Array>,
) -> Result<Array> {
    if condition.ndim() != 1 {
        return Err(Error::value(op, "condition must be a 1-d array"));
    }
    let condition = truth(condition)?;
    // A single element counts as a row of one.
    let a = if a.ndim() == 0 { &a.with_layout(a.layout().insert_axis(0)) } else { a };
    let (at, size) = match axis {
        None => (0, a.size()),
        Some(axis) => normalize_axis(op, axis, a.ndim()).map(|axis| (axis, a.shape()[axis]))?,
    };
    // The call waits for the count of places anyway, so a condition that holds beyond the axis is an error at once.
    // Where the axes before have no elements nothing is taken, and it may hold anywhere, as in NumPy.
    if condition.size() > size && !a.shape()[..at].contains(&0) {
        let beyond =
            condition.with_layout(condition.layout().slice_axis(0, size, 1, condition.size() - size));
        let first = true_positions(&beyond)?.remove(0);
        if first.size() > 0 {
            let index = size as i64 + first.index(&[Index::Int(0)])?.item::<i64>()?;
            return Err(Error::Index { op: op.into(), index, axis: at, size });
        }
    }
    let places = true_positions(&condition)?.remove(0);
    take_as(op, a, &places, axis, TakeMode::Raise, out)
}

/// The elements of the flattened array where a condition of the same size is true.
///
/// ```
/// use cuprum::indexing::extract;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert_eq!(extract(&a.greater(1).unwrap(), &a).unwrap().to_vec::<i32>().unwrap(), vec![2, 3]);
/// ```
pub fn extract(condition: &Array, a: &Array) -> Result<Array> {
    compress_as("extract", &ravel(condition, Order::C)?, &ravel(a, Order::C)?, Some(0), None)
}

/// Stores values, in order, into the elements where a mask is true; too few values are repeated.
///
/// ```
/// use cuprum::indexing::place;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]);
/// place(&a, &a.greater(1).unwrap(), &Array::from_slice(&[7, 8])).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 7, 8, 7]);
/// ```
pub fn place(a: &Array, mask: &Array, values: &Array) -> Result<()> {
    a.check_writeable("place")?;
    if mask.size() != a.size() {
        return Err(Error::value("place", "mask and data must be the same size"));
    }
    let mask = shaped_like(&truth(mask)?, a)?;
    // The mask is read once: another thread may change it before a second read.
    let places = if a.ndim() > 0 { true_positions(&mask)? } else { Vec::new() };
    let count = places.first().map_or_else(|| count_true(&mask), |along| Ok(along.size()))?;
    if count == 0 {
        return Ok(());
    }
    if values.size() == 0 {
        return Err(Error::value("place", "cannot insert from an empty array"));
    }
    let values = ravel(&value_array("place", Arg::Array(values), a, a.dtype())?, Order::C)?;
    if a.ndim() == 0 {
        return assign("place", a, Arg::Array(&cycled(&values, 1)?), None);
    }
    scatter(a, &places, &cycled(&values, count)?, None, None)
}

/// Stores `values[i]` into element `i` of the flattened array where a mask is true; too few values are repeated.
///
/// ```
/// use cuprum::indexing::putmask;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]);
/// putmask(&a, &a.greater(1).unwrap(), &Array::from_slice(&[7, 8])).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 8, 7, 8]);
/// ```
pub fn putmask(a: &Array, mask: &Array, values: &Array) -> Result<()> {
    a.check_writeable("putmask")?;
    if mask.size() != a.size() {
        return Err(Error::value("putmask", "mask and data must be the same size"));
    }
    if values.size() == 0 || a.size() == 0 {
        return Ok(());
    }
    let mask = shaped_like(&truth(mask)?, a)?;
    let values = ravel(&value_array("putmask", Arg::Array(values), a, a.dtype())?, Order::C)?;
    let values = shaped_like(&cycled(&values, a.size())?, a)?;
    let values = if values.same_storage(a) { values.copy(Order::C)? } else { values };
    assign("putmask", a, Arg::Array(&values), Some(&mask))
}

fn shaped_like(a: &Array, like: &Array) -> Result<Array> {
    let shape: Vec<i64> = like.shape().iter().map(|&d| d as i64).collect();
    reshape(a, &shape, Order::C)
}

/// How often each element of an index's source is selected, and how often the one that is selected most.
pub(super) fn occurrences(plan: &IndexPlan) -> Result<(Array, i128)> {
    let (indices, target) = (&plan.indices, &plan.source);
    let layout = target.layout();
    let counts = zeros_on(target.device(), &layout.shape, DType::I64)?;
    let one = Array::from_scalar_on(target.device(), Scalar::wrapping(Number::Int(1), DType::I64))?;
    let mut shape: Dims = indices.first().map_or_else(Dims::new, |i| i.dims());
    shape.extend_from_slice(&layout.shape[indices.len()..]);
    let ones = one.with_layout(one.layout().broadcast_to("at", &shape)?);
    scatter(&counts, indices, &ones, Some(Op::Add), plan.checks.mark())?;
    if counts.size() == 0 {
        return Ok((counts, 0));
    }
    match reduction::max(&counts, None, false)?.scalar()?.number() {
        Number::Int(most) => Ok((counts, most)),
        _ => unreachable!("counts are int64"),
    }
}
