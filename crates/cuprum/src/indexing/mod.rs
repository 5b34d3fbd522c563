//! Advanced indexing: integer and bool arrays, mixed with basic items, for reading, writing and `ufunc.at`.
//!
//! An index is planned once (`plan.rs`): which axes are indexed by arrays, where the result's axes go. Indexed axes are moved
//! first by a permutation of the layout, so that the device's gather and scatter see one simple form.

mod at;
mod checks;
mod plan;
mod rows;
mod take;

pub use at::scatter_at;
pub use rows::{element, put_rows, select_rows, set_element, take_rows, value_at};
pub use take::{
    TakeMode, compress, extract, nonzero, place, put, put_along_axis, putmask, take, take_along_axis,
};

pub(crate) use take::take_as;

use cuprum_core::{DType, Dims, Error, Index, Op, Order, Result, Scalar, show_shape};
use cuprum_graph::{Call, DeferredCheck, ReportTo, Slot, writable_buffer};

use crate::Array;
use crate::call::run_call;
use crate::creation::result_array;
use crate::device::check_devices;
use crate::elementwise::{Arg, assign};
use checks::Checks;
pub use checks::checked;
use plan::IndexPlan;

/// One item of an index.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// An integer, a slice, a new axis or the ellipsis.
    Basic(Index),
    /// Positions along an axis: an array of integers.
    Array(&'a Array),
    /// A boolean mask over as many axes as it has dimensions.
    Mask(&'a Array),
}

/// The elements that an index selects: a view if all items are basic, else a copy.
///
/// ```
/// use cuprum::indexing::{Item, get};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// let (rows, columns) = (Array::from_slice(&[0i64, 1]), Array::from_slice(&[1i64, 0]));
/// let picked = get(&a, &[Item::Array(&rows), Item::Array(&columns)]).unwrap();
/// assert_eq!(picked.to_vec::<i32>().unwrap(), vec![2, 3]);
/// ```
pub fn get(a: &Array, items: &[Item<'_>]) -> Result<Array> {
    if let Some(basic) = all_basic(items)? {
        return a.index(&basic);
    }
    if let Some(mask) = leading_mask(a, items) {
        return select(a, mask);
    }
    if let [Item::Array(positions)] = items
        && let Some(taken) = take_rows(a, positions)
    {
        return taken;
    }
    let plan = IndexPlan::for_reading("index", a, items)?;
    let (order, back) = nested_behind(&plan.source, plan.indices.len(), plan.selection.len());
    let source = plan.source.with_layout(plan.source.layout().permute(&order));
    if let Some(taken) = taken(&source, &plan.indices, &plan.checks)? {
        return Ok(taken);
    }
    let gathered = gather(&source, &plan.indices, plan.checks.unchecked(), &plan.selection)?;
    plan.checks.settle(&plan.indices)?;
    Ok(gathered.with_layout(gathered.layout().permute(&back).permute(&plan.result_order())))
}

/// Stores a value into the elements that an index selects; of several stores into one element the last one stays.
///
/// ```
/// use cuprum::indexing::{Item, set};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// let places = Array::from_slice(&[0i64, 2]);
/// set(&a, &[Item::Array(&places)], Arg::from(9)).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![9, 2, 9]);
/// ```
pub fn set(a: &Array, items: &[Item<'_>], value: Arg<'_>) -> Result<()> {
    a.check_writeable("index")?;
    if let Some(basic) = all_basic(items)? {
        let element = basic.len() == a.ndim() && basic.iter().all(|i| matches!(i, Index::Int(_)));
        if element && matches!(value, Arg::Array(array) if array.ndim() > 0) {
            return Err(refused_sequence("index", a.dtype(), None));
        }
        return assign("index", &a.index(&basic)?, value, None);
    }
    if let Some(mask) = leading_mask(a, items) {
        if items.len() == 1 && mask.ndim() == a.ndim() {
            check_flat("index", value)?;
        }
        if value_ndim(value) + mask.ndim() <= a.ndim() {
            return store_where(a, mask, value);
        }
        if let Arg::Array(array) = value {
            let count = take::count_true(mask).map_err(|error| error.recording_in("index"))?;
            check_count(a, mask, array, count)?;
            if array.ndim() == a.ndim() - mask.ndim() + 1
                && array.shape()[0] == count
                && array.shape()[1..] == a.shape()[mask.ndim()..]
            {
                return expand(a, mask, array);
            }
        }
    }
    if let [Item::Array(positions)] = items
        && let Some(stored) = put_rows(a, positions, value)
    {
        return stored;
    }
    let plan = IndexPlan::unchecked("index", a, items)?;
    let value = plan.value_for("index", a.dtype(), value)?;
    let plan = plan.checked()?;
    scatter(&plan.source, &plan.indices, &value, None, plan.checks.mark())
}

/// The items as basic ones, if they all are; integer arrays of no dimensions are integers.
pub(crate) fn all_basic(items: &[Item<'_>]) -> Result<Option<Vec<Index>>> {
    let is_basic = |item: &Item<'_>| match item {
        Item::Basic(_) => true,
        Item::Array(a) => a.ndim() == 0 && a.dtype().is_integral() && a.dtype() != DType::Bool,
        Item::Mask(_) => false,
    };
    if !items.iter().all(is_basic) {
        return Ok(None);
    }
    let read = |item: &Item<'_>| match item {
        Item::Basic(index) => Ok(*index),
        Item::Array(a) | Item::Mask(a) => a.astype(DType::I64)?.item::<i64>().map(Index::Int),
    };
    items.iter().map(read).collect::<Result<Vec<Index>>>().map(Some)
}

/// The error of storing several values in one element. `class` names what they came in, where that is not an array: NumPy
/// lets `float`, `int` and `complex` refuse it, each in its own way.
///
/// ```
/// use cuprum::indexing::refused_sequence;
/// use cuprum::{DType, Error};
/// let error = refused_sequence("index", DType::F64, Some("list"));
/// assert!(matches!(error, Error::Value { .. }));
/// ```
pub fn refused_sequence(op: &'static str, target: DType, class: Option<&str>) -> Error {
    let message = match class {
        Some(class) => {
            format!("setting an array element with a sequence: it must be a number, not '{class}'")
        }
        None => "setting an array element with a sequence.".to_string(),
    };
    if target.is_complex() || (class.is_some() && target.is_integral()) {
        Error::type_error(op, message)
    } else {
        Error::value(op, message)
    }
}

/// The mask, if the index is a single one that fits the leading axes, with nothing but an ellipsis after it.
fn leading_mask<'a>(a: &Array, items: &[Item<'a>]) -> Option<&'a Array> {
    match items {
        [Item::Mask(mask)] | [Item::Mask(mask), Item::Basic(Index::Ellipsis)] if mask.ndim() > 0 => {
            a.shape().starts_with(mask.shape()).then_some(*mask)
        }
        _ => None,
    }
}

/// `a[mask]` by one pass over the mask and the array.
fn select(a: &Array, mask: &Array) -> Result<Array> {
    check_devices("index", [a, mask])?;
    if let Some(selected) = select_rows(a, mask) {
        return selected;
    }
    let count = take::count_true(mask).map_err(|error| error.recording_in("index"))?;
    let (order, back) = nested_behind(a, mask.ndim(), 1);
    let a = a.with_layout(a.layout().permute(&order));
    let mut shape: Dims = Dims::from_slice(&a.shape()[mask.ndim()..]);
    shape.insert(0, count);
    let out = result_array("index", &a, &shape, a.dtype())?;
    if out.size() > 0 {
        let (source, mask, target) = (a.view().slot()?, mask.view().slot()?, out.view().slot()?);
        run_call(a.device(), &Call::Compress { source: &source, mask: &mask, out: &target })?;
    }
    Ok(out.with_layout(out.layout().permute(&back)))
}

/// The order of an array's axes that keeps the first `indexed` and nests the others as they lie in memory, which is how
/// they lie in the result; and the order that takes (`chosen` axes, others so nested) to (chosen, others).
fn nested_behind(a: &Array, indexed: usize, chosen: usize) -> (Dims, Dims) {
    let others = (0..indexed).fold(a.layout().clone(), |layout, _| layout.remove_axis(0));
    let nesting = others.nesting();
    let order = (0..indexed).chain(nesting.iter().map(|axis| indexed + axis)).collect();
    let place = |axis: usize| nesting.iter().position(|&n| n == axis).unwrap_or(axis);
    let back = (0..chosen).chain((0..nesting.len()).map(|axis| chosen + place(axis))).collect();
    (order, back)
}

/// `a[mask] = value` for a value that is the same at every selected place of the mask: one fused store.
fn store_where(a: &Array, mask: &Array, value: Arg<'_>) -> Result<()> {
    let layout = (mask.ndim()..a.ndim()).fold(mask.layout().clone(), |layout, axis| layout.insert_axis(axis));
    let mask = mask.with_layout(layout);
    let Arg::Array(array) = value else { return assign("index", a, value, Some(&mask)) };
    let trimmed = array.with_layout(without_leading_ones(array, a.ndim()));
    let rest = &a.shape()[a.ndim() - trimmed.ndim()..];
    if trimmed.layout().broadcast_to("index", rest).is_err() {
        return Err(value_mismatch("index", array.shape(), rest));
    }
    assign("index", a, Arg::Array(&trimmed), Some(&mask))
}

fn value_ndim(value: Arg<'_>) -> usize {
    match value {
        Arg::Array(array) => without_leading_ones(array, 0).ndim(),
        _ => 0,
    }
}

/// Assignment drops leading axes of length one beyond `ndim`.
pub(crate) fn without_leading_ones(value: &Array, ndim: usize) -> cuprum_core::Layout {
    let mut layout = value.layout().clone();
    while layout.ndim() > ndim && layout.shape[0] == 1 {
        layout = layout.remove_axis(0);
    }
    layout
}

/// A mask of the full shape takes a number or a row of them.
fn check_flat(op: &'static str, value: Arg<'_>) -> Result<()> {
    match value {
        Arg::Array(array) if array.ndim() > 1 => {
            let message = format!(
                "boolean array indexing assignment requires a 0 or 1-dimensional input, input has {} dimensions",
                array.ndim()
            );
            Err(Error::type_error(op, message))
        }
        _ => Ok(()),
    }
}

/// A mask of the full shape takes one value or as many as it selects.
fn check_count(a: &Array, mask: &Array, value: &Array, count: usize) -> Result<()> {
    if mask.ndim() != a.ndim() || value.ndim() != 1 || value.size() == count {
        return Ok(());
    }
    let message = format!(
        "boolean array indexing assignment cannot assign {} input values to the {count} output values where the mask \
         is true",
        value.size()
    );
    Err(Error::value("index", message))
}

/// `a[mask] = value` for a row of values for each selected place: one pass over the mask.
fn expand(a: &Array, mask: &Array, value: &Array) -> Result<()> {
    if value.size() == 0 {
        return Ok(());
    }
    check_devices("index", [a, mask, value])?;
    let apart = |array: &Array| if array.same_storage(a) { array.copy(Order::C) } else { Ok(array.clone()) };
    let value = if value.dtype() == a.dtype() { apart(value)? } else { value.astype(a.dtype())? };
    let mask = apart(mask)?;
    let (mask, value) = (mask.view().slot()?, value.view().slot()?);
    let target = Slot { buffer: writable_buffer(a.view())?, layout: a.layout().clone(), dtype: a.dtype() };
    run_call(a.device(), &Call::Expand { target: &target, mask: &mask, value: &value })
}

pub(crate) fn value_mismatch(op: &'static str, value: &[usize], wanted: &[usize]) -> Error {
    let message = format!(
        "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
        show_shape(value),
        show_shape(wanted)
    );
    Error::value(op, message)
}

/// Elements of `source` at `indices`: one int64 array of shape `selection` for each leading axis, checked, or one that the
/// gather has to check.
pub(crate) fn gather(
    source: &Array,
    indices: &[Array],
    unchecked: Option<ReportTo<'_>>,
    selection: &[usize],
) -> Result<Array> {
    let mut shape = Dims::from_slice(selection);
    shape.extend_from_slice(&source.shape()[indices.len()..]);
    let out = result_array("index", source, &shape, source.dtype())?;
    gather_into(source, indices, unchecked, &out)?;
    Ok(out)
}

/// Records elements of an array of one dense axis, if the device checks positions as it reads them (ADR 41); `None`
/// otherwise.
fn taken(source: &Array, indices: &[Array], checks: &Checks) -> Result<Option<Array>> {
    let (Some(mark), [positions]) = (checks.mark_of_reader(), indices) else { return Ok(None) };
    check_devices("index", [source, positions])?;
    let view = cuprum_graph::take(source.view(), positions.view(), mark)?;
    Ok(view.map(Array::from_view))
}

/// The same into an array of the right shape and dtype that shares no memory with the source.
pub(crate) fn gather_into(
    source: &Array,
    indices: &[Array],
    unchecked: Option<ReportTo<'_>>,
    out: &Array,
) -> Result<()> {
    if out.size() == 0 {
        return Ok(());
    }
    check_devices("index", [source, out].into_iter().chain(indices))?;
    if indices.is_empty() {
        return assign("index", out, Arg::Array(source), None);
    }
    let slots = slots(indices)?;
    let (source, target) = (source.view().slot()?, out.view().slot()?);
    run_call(out.device(), &Call::Gather { source: &source, indices: &slots, unchecked, out: &target })
}

/// Stores `value` into `target` at `indices`, checked under the mark `later` where there is one; with `op`, combines.
pub(crate) fn scatter(
    target: &Array,
    indices: &[Array],
    value: &Array,
    op: Option<Op>,
    later: Option<&DeferredCheck>,
) -> Result<()> {
    if value.size() == 0 {
        return Ok(());
    }
    check_devices("index", [target, value].into_iter().chain(indices))?;
    let mut value = value.clone();
    if value.same_storage(target) {
        value = value.copy(Order::C)?;
    }
    if indices.is_empty() {
        return match op {
            None => assign("index", target, Arg::Array(&value), None),
            Some(op) => {
                let combined = target.binary(op, &value)?;
                assign("index", target, Arg::Array(&combined), None)
            }
        };
    }
    let value = value.view().slot()?;
    let slots = slots(indices)?;
    let buffer = writable_buffer(target.view())?;
    let slot = Slot { buffer, layout: target.layout().clone(), dtype: target.dtype() };
    run_call(target.device(), &Call::Scatter { target: &slot, indices: &slots, value: &value, op, later })
}

fn slots(indices: &[Array]) -> Result<Vec<Slot>> {
    indices.iter().map(|i| i.view().slot()).collect()
}

/// One value as an array of no dimensions, converted to a dtype as assignment converts.
pub(crate) fn value_array(op: &'static str, value: Arg<'_>, target: &Array, dtype: DType) -> Result<Array> {
    match value {
        Arg::Array(a) if a.dtype() == dtype => Ok(a.clone()),
        Arg::Array(a) => a.astype(dtype),
        Arg::Number(n) => Array::from_scalar_on(target.device(), Scalar::new(op, n, dtype)?),
        Arg::Scalar(s) => Array::from_scalar_on(target.device(), s.cast(dtype)),
    }
}
