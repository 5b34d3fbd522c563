//! Plain operands, of one dtype and shape and dense in one order, C's or Fortran's: the op needs none of the planning that
//! broadcasting and promotion take. Small ones run at once, others are recorded; anything else is left to
//! [`elementwise`](crate::elementwise), which gives the same results.

use cuprum_core::ops::Inputs;
use cuprum_core::{DType, Layout, Number, Op, Result, Scalar};
use cuprum_graph::{DenseStep, Operand, buffer_if_idle, mark_written, same_device, try_record};

use crate::Array;
use crate::indexing::value_at;

/// The second operand.
#[derive(Clone, Copy, Debug)]
pub enum Second<'a> {
    /// None: an op of one argument.
    Absent,
    /// An array.
    Array(&'a Array),
    /// A Python number; the first operand's place if `true`.
    Number(Number, bool),
    /// A value of the operand's dtype; the first operand's place if `true`.
    Value(Scalar, bool),
}

/// `op(a, second)` where nothing has to be planned and nothing has to run first; `None` where something has.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::plain::{Second, apply};
/// let a = Array::from_slice(&[1.0, 4.0]);
/// let roots = apply(Op::Sqrt, &a, Second::Absent).unwrap().unwrap();
/// assert_eq!(roots.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// assert!(apply(Op::Add, &a, Second::Array(&Array::from_slice(&[1]))).is_none());
/// ```
#[inline]
pub fn apply(op: Op, a: &Array, second: Second<'_>) -> Option<Result<Array>> {
    if let Second::Array(b) = second
        && (a.ndim() == 0) != (b.ndim() == 0)
    {
        return apply_single(op, a, b);
    }
    let (scalar, in_rows) = plain(op, a, second)?;
    if a.size() <= a.device().eager_elements() {
        return run(op, a, second, scalar, in_rows);
    }
    record(op, a, second, scalar, in_rows).map(Ok)
}

/// `op(a, second)` into an array that is there already, of the result's dtype and shape and as dense; it may be `a` or
/// `second` itself. `None` where something has to be planned or to run first, or where little is gained: nothing is written
/// then.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::plain::{Second, apply_into};
/// let a = Array::from_slice(&[1.0, 4.0]);
/// apply_into(Op::Sqrt, &a, Second::Absent, &a).unwrap().unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// assert!(apply_into(Op::Isnan, &a, Second::Absent, &a).is_none());
/// ```
pub fn apply_into(op: Op, a: &Array, second: Second<'_>, target: &Array) -> Option<Result<()>> {
    let (scalar, in_rows) = plain(op, a, second)?;
    let output = op.output(a.dtype());
    let fits = target.dtype() == output
        && target.shape() == a.shape()
        && if in_rows { target.is_contiguous() } else { target.is_fortran() }
        && same_device(a.device(), target.device());
    let small = a.size() <= a.device().eager_elements();
    if !fits || !small || !target.is_writeable() || buffer_if_idle(target.view()).is_none() {
        return None;
    }
    let result = address(target)?;
    let step = step(op, a, second, scalar, result)?;
    let bytes = a.size() * output.size();
    // A lane may write where it reads, element by element; what else overlaps is left to others.
    let apart = |input: usize| {
        let same = input == result && a.dtype().size() == output.size();
        same || input + a.size() * a.dtype().size() <= result || result + bytes <= input
    };
    if !step.inputs.iter().flatten().all(|&input| apart(input)) {
        return None;
    }
    mark_written(result, bytes);
    Some(a.device().run_dense(&step))
}

/// The scalar beside `a`, if there is one, and whether operands are in C's order; `None` where they are not plain.
#[inline]
fn plain(op: Op, a: &Array, second: Second<'_>) -> Option<(Option<Scalar>, bool)> {
    let dtype = a.dtype();
    if a.size() == 0 || dtype == DType::Bool || !runs_as_is(op, dtype) {
        return None;
    }
    let in_rows = a.is_contiguous();
    if !in_rows && !a.is_fortran() {
        return None;
    }
    let scalar = match second {
        Second::Absent => None,
        Second::Array(b) => {
            let together = same_device(a.device(), b.device());
            let alike = |b: &Array| if in_rows { b.is_contiguous() } else { b.is_fortran() };
            if b.dtype() != dtype || b.shape() != a.shape() || !alike(b) || !together {
                return None;
            }
            None
        }
        // Of a number beside truth only its own truth counts, which rounding might change.
        Second::Number(..) if op.is_logical() => return None,
        Second::Number(number, _) => {
            if number.weak().is_none_or(|weak| dtype.with_weak(weak) != dtype) {
                return None;
            }
            Some(Scalar::new(op.name(), number, dtype).ok()?)
        }
        Second::Value(value, _) if value.dtype() == dtype => Some(value),
        Second::Value(..) => return None,
    };
    Some((scalar, in_rows))
}

/// The same of an array and a single element, which takes every place; `None` unless that is there.
fn apply_single(op: Op, a: &Array, b: &Array) -> Option<Result<Array>> {
    let (array, single, first) = if b.ndim() == 0 { (a, b, false) } else { (b, a, true) };
    if single.dtype() != array.dtype() || !same_device(array.device(), single.device()) {
        return None;
    }
    let value = value_at(single, &[])?.ok()?;
    apply(op, array, Second::Value(value, first))
}

/// Computes the result now; `None` while an operand is pending.
fn run(
    op: Op,
    a: &Array,
    second: Second<'_>,
    scalar: Option<Scalar>,
    in_rows: bool,
) -> Option<Result<Array>> {
    let mut step = step(op, a, second, scalar, 0)?;
    let (device, output) = (a.device(), step.output);
    let mut compute = || {
        let buffer = device.allocate(step.n * output.size())?;
        step.result = buffer.address();
        device.run_dense(&step)?;
        Ok(Array::from_buffer(device, buffer, dense(a.shape(), output.size(), in_rows), output))
    };
    Some(compute())
}

/// The op over the elements as they lie in memory; `None` while an operand is pending.
#[inline]
fn step(op: Op, a: &Array, second: Second<'_>, scalar: Option<Scalar>, result: usize) -> Option<DenseStep> {
    let mut inputs = [Some(address(a)?), None, None];
    let mut scalars = [[0; 16]; 3];
    match (second, scalar) {
        (Second::Array(b), _) => inputs[1] = Some(address(b)?),
        (Second::Number(_, first) | Second::Value(_, first), Some(scalar)) => {
            let place = usize::from(!first);
            inputs[1 - place] = inputs[0];
            inputs[place] = None;
            scalars[place][..scalar.bytes().len()].copy_from_slice(scalar.bytes());
        }
        _ => {}
    }
    let dtype = a.dtype();
    Some(DenseStep { op, dtype, output: op.output(dtype), n: a.size(), inputs, scalars, result })
}

/// Records the op; `None` where other work has to run before.
#[inline]
fn record(op: Op, a: &Array, second: Second<'_>, scalar: Option<Scalar>, in_rows: bool) -> Option<Array> {
    let first = Operand::View(a.view());
    let second = match (second, scalar) {
        (Second::Array(b), _) => Some((Operand::View(b.view()), false)),
        (Second::Number(_, before) | Second::Value(_, before), Some(scalar)) => {
            Some((Operand::Scalar(scalar), before))
        }
        _ => None,
    };
    let layout = dense(a.shape(), op.output(a.dtype()).size(), in_rows);
    let recorded = |first, second| try_record(a.device(), op, a.dtype(), first, second, layout);
    let view = match &second {
        Some((second, true)) => recorded(second, Some(&first)),
        Some((second, false)) => recorded(&first, Some(second)),
        None => recorded(&first, None),
    };
    view.map(Array::from_view)
}

/// The layout of a result beside operands in C order, or in Fortran's.
#[inline]
fn dense(shape: &[usize], size: usize, in_rows: bool) -> Layout {
    if in_rows { Layout::contiguous(shape, size) } else { Layout::fortran(shape, size) }
}

/// Whether operands of this dtype, and numbers beside them, run in the loop of this very dtype.
fn runs_as_is(op: Op, dtype: DType) -> bool {
    let row = op.row();
    let checks_values = op == Op::Power && dtype.is_integral();
    let keeps_dtype = row.promotion.start(dtype) == dtype && row.inputs == Inputs::Same;
    row.nin <= 2 && keeps_dtype && !checks_values && op.has_loop(dtype)
}

/// The address of the elements, if they are there and aligned.
fn address(array: &Array) -> Option<usize> {
    let address = array.view().storage.ready_address()? + array.layout().offset;
    address.is_multiple_of(array.dtype().size()).then_some(address)
}
