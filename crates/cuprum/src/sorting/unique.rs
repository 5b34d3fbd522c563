//! Unique elements.

use cuprum_core::{DType, Layout, Number, Op, Order, Result, Scalar};

use super::{argsort, sort};
use crate::elementwise::{Arg, assign};
use crate::indexing::{Item, TakeMode, nonzero, put, take};
use crate::manipulation::{ravel, reshape};
use crate::scan::{cumsum, diff};
use crate::{Array, creation};

/// What [`unique`] is to find out besides the elements.
#[derive(Clone, Copy, Default, Debug)]
pub struct UniqueOptions {
    /// Where each unique element first occurs.
    pub index: bool,
    /// Which unique element each element is.
    pub inverse: bool,
    /// How often each unique element occurs.
    pub counts: bool,
    /// Every NaN is an element of its own.
    pub distinct_nan: bool,
}

/// Unique elements, and what was asked for besides.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The elements, in order.
    pub values: Array,
    /// Positions in the flattened array.
    pub index: Option<Array>,
    /// Positions among the values, of the array's shape.
    pub inverse: Option<Array>,
    /// How many elements are equal to each value.
    pub counts: Option<Array>,
}

/// The unique elements of an array, in order.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sorting::{UniqueOptions, unique};
/// let a = Array::from_slice(&[3, 1, 3, 2]);
/// let found = unique(&a, UniqueOptions { counts: true, ..Default::default() }).unwrap();
/// assert_eq!(found.values.to_vec::<i32>().unwrap(), vec![1, 2, 3]);
/// assert_eq!(found.counts.unwrap().to_vec::<i64>().unwrap(), vec![1, 1, 2]);
/// ```
pub fn unique(a: &Array, options: UniqueOptions) -> Result<Unique> {
    let flat = ravel(a, Order::C)?;
    let (order, ordered) = if options.index || options.inverse {
        let order = argsort(&flat, Some(0))?;
        let ordered = take(&flat, &order, Some(0), TakeMode::Raise, None)?;
        (Some(order), ordered)
    } else {
        (None, sort(&flat, Some(0))?)
    };
    let is_new = first_of_equals(&ordered, options.distinct_nan)?;
    let chosen = |array: &Array| array.get(&[Item::Mask(&is_new)]);
    let values = chosen(&ordered)?;
    let index = order.as_ref().filter(|_| options.index).map(chosen).transpose()?;
    let inverse = order.as_ref().filter(|_| options.inverse).map(|order| inverse_of(a, order, &is_new));
    let counts = if options.counts { Some(distances(&is_new)?) } else { None };
    Ok(Unique { values, index, inverse: inverse.transpose()?, counts })
}

/// Where an array in order has an element that is not equal to the one before.
fn first_of_equals(ordered: &Array, distinct_nan: bool) -> Result<Array> {
    let n = ordered.size();
    let is_new = Array::uninitialized(ordered.device(), Layout::contiguous(&[n], 1), DType::Bool)?;
    if n == 0 {
        return Ok(is_new);
    }
    let part = |array: &Array, start: usize, count: usize| {
        array.with_layout(array.layout().slice_axis(0, start, 1, count))
    };
    assign("unique", &part(&is_new, 0, 1), Arg::Number(Number::Bool(true)), None)?;
    let (before, after) = (part(ordered, 0, n - 1), part(ordered, 1, n - 1));
    let mut differs = after.binary(Op::NotEqual, &before)?;
    if !distinct_nan && (ordered.dtype().is_float() || ordered.dtype().is_complex()) {
        // NaNs come last: behind one there are no others.
        differs = differs.binary(Op::LogicalAnd, &before.binary(Op::Equal, &before)?)?;
    }
    assign("unique", &part(&is_new, 1, n - 1), Arg::Array(&differs), None)?;
    Ok(is_new)
}

/// Which unique element each element of `a` is.
fn inverse_of(a: &Array, order: &Array, is_new: &Array) -> Result<Array> {
    let numbers = cumsum(is_new, Some(0), Some(DType::I64), None)?.binary(Op::Subtract, 1)?;
    let inverse = creation::zeros_on(order.device(), order.shape(), DType::I64)?;
    put(&inverse, order, Arg::Array(&numbers), TakeMode::Raise)?;
    let shape: Vec<i64> = a.shape().iter().map(|dim| *dim as i64).collect();
    reshape(&inverse, &shape, Order::C)
}

/// How far it is from each place that holds to the next, or to the end.
fn distances(is_new: &Array) -> Result<Array> {
    let starts = nonzero(is_new)?.swap_remove(0);
    let end = Number::Int(is_new.size() as i128);
    let end = Array::from_scalar_on(is_new.device(), Scalar::new("unique", end, DType::I64)?)?;
    diff(&starts, 1, 0, None, Some(&end))
}
