//! `ufunc.at`: an op applied in place to the elements that an index selects, once for every time it selects them.

use cuprum_core::ops::{Operand, resolve};
use cuprum_core::{Casting, DType, Error, Index, Op, Result};

use super::plan::Plan;
use super::{Item, all_basic, scatter, take, without_leading_ones};
use crate::Array;
use crate::elementwise::{Arg, Options, apply, check_exponents};

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
    let plan = Plan::new(name, a, items)?;
    match value {
        None => apply_repeatedly(op, &plan),
        Some(value) => combine(op, a, &plan, value),
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
fn apply_repeatedly(op: Op, plan: &Plan) -> Result<()> {
    let (counts, most) = take::occurrences(plan)?;
    for time in 0..most {
        let again = counts.binary(Op::Greater, time as i64)?;
        let (out, mask, casting) = (Some(&plan.source), Some(&again), Casting::Unsafe);
        let options = Options { out, mask, casting, ..Default::default() };
        apply(op, &[Arg::Array(&plan.source)], &options)?;
    }
    Ok(())
}

fn combine(op: Op, a: &Array, plan: &Plan, value: Arg<'_>) -> Result<()> {
    let name = op.name();
    let other = match value {
        Arg::Number(n) => Operand::Weak(n),
        typed => Operand::Typed(typed.dtype()),
    };
    let inner: DType = resolve(op, &[Operand::Typed(a.dtype()), other], None, Casting::SameKind)?.dtype;
    if op.input(1, inner) != inner {
        return Err(Error::NoLoop { op: name.into(), dtypes: vec![a.dtype(), value.dtype()] });
    }
    check_exponents(op, inner, &[Arg::Array(a), value])?;
    // Elements that the loop takes in another dtype are converted there and back, every time.
    let value = plan.value_for(name, inner, value)?;
    scatter(&plan.source, &plan.indices, &value, Some(op), plan.checks.mark())
}
