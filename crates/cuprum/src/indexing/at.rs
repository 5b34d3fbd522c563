//! `ufunc.at`: an op applied in place to the elements that an index selects, once for every time it selects them.

use cuprum_core::ops::{OperandType, resolve};
use cuprum_core::{Casting, DType, Error, Index, Number, Op, Order, Result, Scalar};

use super::plan::IndexPlan;
use super::{Item, all_basic, scatter, take, without_leading_ones};
use crate::elementwise::{Arg, Options, apply, assign, check_exponents};
use crate::manipulation::reshape;
use crate::{Array, creation};

/// `a[items] = op(a[items], value)`, unbuffered: an element that is selected twice is changed twice. Ops of one argument
/// take no value.
///
/// ```
/// use cuprum::indexing::{Item, scatter_at};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[0i64, 0, 0]);
/// let places = Array::from_slice(&[0i64, 2, 2]);
/// scatter_at(Op::Add, &a, &[Item::Array(&places)], Some(Arg::from(1))).unwrap();
/// assert_eq!(a.to_vec::<i64>().unwrap(), vec![1, 0, 2]);
/// ```
pub fn scatter_at(op: Op, a: &Array, items: &[Item<'_>], value: Option<Arg<'_>>) -> Result<()> {
    let name = op.name();
    a.check_writeable(name)?;
    let arguments = 1 + value.is_some() as usize;
    if op.row().nin != arguments {
        let message = format!("takes {} operands, {arguments} given to at", op.row().nin);
        return Err(Error::type_error(name, message));
    }
    if let Some(basic) = all_basic(items)? {
        return apply_basic(op, a, &basic, value);
    }
    match value {
        None => {
            resolve(op, &[OperandType::Typed(a.dtype())], None, Casting::SameKind)?;
            apply_repeatedly(op, &IndexPlan::new(name, a, items)?)
        }
        Some(value) => combine(op, a, items, value),
    }
}

fn apply_basic(op: Op, a: &Array, items: &[Index], value: Option<Arg<'_>>) -> Result<()> {
    let part = a.index(items)?;
    let options = Options { out: Some(&part), casting: Casting::Unsafe, ..Default::default() };
    match value {
        None => apply(op, &[Arg::Array(&part)], &options)?,
        Some(Arg::Array(array)) => {
            let trimmed = array.with_layout(without_leading_ones(array, part.ndim()));
            apply(op, &[Arg::Array(&part), Arg::Array(&trimmed)], &options)?
        }
        Some(value) => apply(op, &[Arg::Array(&part), value], &options)?,
    };
    Ok(())
}

/// An op of one argument, as often for each element as it is selected.
fn apply_repeatedly(op: Op, plan: &IndexPlan) -> Result<()> {
    let (counts, most) = take::occurrences(plan)?;
    for time in 0..most {
        let again = counts.binary(Op::Greater, time as i64)?;
        let (out, mask, casting) = (Some(&plan.source), Some(&again), Casting::Unsafe);
        let options = Options { out, mask, casting, ..Default::default() };
        apply(op, &[Arg::Array(&plan.source)], &options)?;
    }
    Ok(())
}

/// An op whose arguments differ in dtype: in each turn, every element takes the first of the values left for it.
fn in_turn(op: Op, plan: &IndexPlan, values: &Array) -> Result<()> {
    let (target, name) = (&plan.source, op.name());
    if values.size() == 0 {
        return Ok(());
    }
    if plan.indices.is_empty() {
        let combined = target.binary(op, values)?;
        return assign(name, target, Arg::Array(&combined), None);
    }
    let end = values.size() as i64;
    let past = Scalar::wrapping(Number::from(end), DType::I64);
    let flat = reshape(values, &[-1], Order::C)?;
    let places: Vec<Item<'_>> = plan.indices.iter().map(Item::Array).collect();
    let shape: Vec<i64> = values.shape().iter().map(|&n| n as i64).collect();
    let counted = creation::arange(0.into(), end.into(), 1.into(), Some(DType::I64))?;
    let mut numbers = reshape(&counted.to_device(target.device())?, &shape, Order::C)?;
    loop {
        let first = creation::full_on(target.device(), name, target.shape(), past, Order::C)?;
        scatter(&first, &plan.indices, &numbers, Some(Op::Minimum), plan.checks.mark())?;
        let mask = first.binary(Op::Less, end)?;
        if !mask.any()?.item::<bool>()? {
            return Ok(());
        }
        let within = first.binary(Op::Minimum, end - 1)?;
        let chosen = super::get(&flat, &[Item::Array(&within)])?;
        let options =
            Options { out: Some(target), mask: Some(&mask), casting: Casting::Unsafe, ..Default::default() };
        apply(op, &[Arg::Array(target), Arg::Array(&chosen)], &options)?;
        let taken = super::get(&first, &places)?.binary(Op::Equal, &numbers)?;
        numbers = taken.choose_between(end, &numbers)?;
    }
}

fn combine(op: Op, a: &Array, items: &[Item<'_>], value: Arg<'_>) -> Result<()> {
    let name = op.name();
    let other = match value {
        Arg::Number(n) => OperandType::Weak(n),
        typed => OperandType::Typed(typed.dtype()),
    };
    let inner: DType = resolve(op, &[OperandType::Typed(a.dtype()), other], None, Casting::SameKind)?.dtype;
    let plan = IndexPlan::unchecked(name, a, items)?;
    // Elements that the loop takes in another dtype are converted there and back, every time.
    let values = plan.value_for(name, op.input(1, inner), value)?;
    if op.input(1, inner) != inner {
        return in_turn(op, &plan.checked()?, &values);
    }
    check_exponents(op, inner, &[Arg::Array(a), value])?;
    let (plan, value) = (plan.checked()?, values);
    scatter(&plan.source, &plan.indices, &value, Some(op), plan.checks.mark())
}
