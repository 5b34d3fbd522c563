//! The fast path of ops over operands of one dtype and shape that are all contiguous in C or all in Fortran order:
//! they need neither broadcasting nor promotion. Small results are computed at the call, larger ones are recorded
//! without planning. Whatever does not qualify is left to [`elementwise`](crate::elementwise), which gives the same
//! results. Products of small matrices of one dtype have a fast path here too; others are left to
//! [`products`](crate::products). Internal: the Python operators call it directly.

#![allow(unsafe_code, reason = "the dense shortcut takes addresses; what it needs to hold is checked here")]

use cuprum_core::ops::{Inputs, direct_loop};
use cuprum_core::{DType, Layout, Number, Op, Result, Scalar};
use cuprum_graph::{
    DenseStep, Event, EventKind, Operand, Shortcuts, SmallProduct, Span, Storage, View, buffer_if_idle,
    eager, mark_written, same_device, try_record, written,
};

use crate::Array;
use crate::elementwise::checks_exponents;
use crate::indexing::value_at;
use crate::manipulation::may_share_memory;

/// The operand beside the array.
#[derive(Clone, Copy, Debug)]
pub enum Rhs<'a> {
    /// None: an op of one argument.
    Absent,
    /// An array.
    Array(&'a Array),
    /// A Python number; the first argument of the op where reflected.
    Number {
        /// The number.
        n: Number,
        /// Whether it is the first argument.
        reflected: bool,
    },
    /// A value of the array's dtype; the first argument of the op where reflected.
    Value {
        /// The value.
        value: Scalar,
        /// Whether it is the first argument.
        reflected: bool,
    },
}

/// `op(a, rhs)` where nothing has to be planned and nothing has to run first; `None` where something does.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::fast_path::{Rhs, apply};
/// let a = Array::from_slice(&[1.0, 4.0]);
/// let roots = apply(Op::Sqrt, &a, Rhs::Absent).unwrap().unwrap();
/// assert_eq!(roots.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// assert!(apply(Op::Add, &a, Rhs::Array(&Array::from_slice(&[1]))).is_none());
/// ```
#[inline]
pub fn apply(op: Op, a: &Array, rhs: Rhs<'_>) -> Option<Result<Array>> {
    if let Rhs::Array(b) = rhs
        && (a.ndim() == 0) != (b.ndim() == 0)
    {
        return apply_single(op, a, b);
    }
    let (scalar, in_rows) = operands(op, a, rhs)?;
    if let Some(shortcuts) = eager(a.device(), a.size()) {
        return run(shortcuts, op, a, rhs, scalar, in_rows);
    }
    record(op, a, rhs, scalar, in_rows).map(Ok)
}

/// `op(a, rhs)` into an array that exists, of the result's dtype and shape and as dense; it may be `a` or
/// `rhs` itself. `None` where something has to be planned or to run first, or where little is gained: nothing is written
/// then.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::fast_path::{Rhs, apply_into};
/// let a = Array::from_slice(&[1.0, 4.0]);
/// apply_into(Op::Sqrt, &a, Rhs::Absent, &a).unwrap().unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// assert!(apply_into(Op::Isnan, &a, Rhs::Absent, &a).is_none());
/// ```
pub fn apply_into(op: Op, a: &Array, rhs: Rhs<'_>, target: &Array) -> Option<Result<()>> {
    let rhs = match rhs {
        // Its value is read before anything is written, even if it lies in the target.
        Rhs::Array(b) if b.ndim() == 0 && a.ndim() != 0 && same_device(a.device(), b.device()) => {
            Rhs::Value { value: value_at(b, &[])?.ok()?, reflected: false }
        }
        rhs => rhs,
    };
    let (scalar, in_rows) = operands(op, a, rhs)?;
    let output = op.output(a.dtype());
    let fits = target.dtype() == output
        && target.shape() == a.shape()
        && if in_rows { target.is_contiguous() } else { target.is_fortran() }
        && same_device(a.device(), target.device());
    let shortcuts = written(a.device(), op, a.dtype(), a.size())?;
    if !fits || !target.is_writeable() || buffer_if_idle(target.view()).is_none() {
        return None;
    }
    let result = target.view().aligned_address()?;
    let step = step(op, a, rhs, scalar, result)?;
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
    let span = Span::begin_small();
    // SAFETY: every operand and the target have `n` dense, aligned elements of the step's dtypes, in place or apart.
    let done = unsafe { shortcuts.run_dense(&step) };
    span.end(|| Event::new(EventKind::Small, op.name()).on(a.device()));
    Some(done)
}

/// Copies the elements of an array into another of its dtype and shape, both dense in one order, at the call. `None` where
/// something has to be planned or to run first: nothing is written then.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::fast_path::copy_into;
/// let (a, b) = (Array::from_slice(&[1.0, 4.0]), Array::from_slice(&[0.0, 0.0]));
/// copy_into(&a, &b).unwrap();
/// assert_eq!(b.to_vec::<f64>().unwrap(), vec![1.0, 4.0]);
/// assert!(copy_into(&a, &Array::from_slice(&[0.0])).is_none());
/// ```
pub fn copy_into(a: &Array, target: &Array) -> Option<()> {
    let in_one_order =
        (a.is_contiguous() && target.is_contiguous()) || (a.is_fortran() && target.is_fortran());
    let fits = a.dtype() == target.dtype() && a.shape() == target.shape() && in_one_order;
    if !fits || a.size() == 0 || !target.is_writeable() || !same_device(a.device(), target.device()) {
        return None;
    }
    eager(a.device(), a.size())?;
    buffer_if_idle(target.view())?;
    let (from, to) = (a.view().aligned_address()?, target.view().aligned_address()?);
    let bytes = a.size() * a.dtype().size();
    mark_written(to, bytes);
    let span = Span::begin_small();
    // SAFETY: both are materialised and have so many bytes of elements, one after the other; a device with shortcuts has host
    // memory, and the copy may overlap.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
    span.end(|| Event::new(EventKind::Small, "copy").on(a.device()));
    Some(())
}

/// `a @ b` of operands of one dtype with one or two axes, computed at the call, into `out` where there is one; `None`, and
/// nothing written, where operands or result have many elements, or something has to be converted or to run first.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::fast_path::multiply;
/// let a = Array::from_slice(&[1.0, 2.0, 3.0, 4.0]).reshape(&[2, 2]).unwrap();
/// let v = Array::from_slice(&[1.0, 1.0]);
/// assert_eq!(multiply(&a, &v, None).unwrap().unwrap().to_vec::<f64>().unwrap(), vec![3.0, 7.0]);
/// assert!(multiply(&a, &Array::from_slice(&[1, 1]), None).is_none());
/// ```
pub fn multiply(a: &Array, b: &Array, out: Option<&Array>) -> Option<Result<Array>> {
    let (dtype, device) = (a.dtype(), a.device());
    if b.dtype() != dtype || !same_device(device, b.device()) {
        return None;
    }
    // A vector is a row on the left and a column on the right.
    let ([m, k], a_strides) = matrix(a, 0)?;
    let ([inner, n], b_strides) = matrix(b, 1)?;
    let elements = [m.checked_mul(k)?, k.checked_mul(n)?, m.checked_mul(n)?];
    if inner != k || elements.contains(&0) {
        return None;
    }
    let shortcuts = eager(device, elements.into_iter().max()?)?;
    let addresses = [a.view().aligned_address()?, b.view().aligned_address()?, 0];
    let shape: &[usize] = match (a.ndim(), b.ndim()) {
        (2, 2) => &[m, n],
        (2, _) => &[m],
        (_, 2) => &[n],
        _ => &[],
    };
    let strides = [a_strides, b_strides, [n as isize, 1]];
    let mut product = SmallProduct { dtype, lengths: [m, n, k], addresses, strides };
    if let Some(out) = out {
        product.addresses[2] = idle_target(out, shape, [a, b])?;
    }
    let span = Span::begin_small();
    let mut compute = || {
        if let Some(out) = out {
            // SAFETY: the lengths agree, operands are materialised and aligned; the target is dense and apart from them.
            unsafe { shortcuts.multiply(&product) }?;
            return Ok(out.clone());
        }
        let buffer = device.allocate(m * n * dtype.size())?;
        product.addresses[2] = buffer.address();
        // SAFETY: as above, and the new memory takes the result.
        unsafe { shortcuts.multiply(&product) }?;
        let (storage, layout) = (Storage::ready(device, buffer), Layout::contiguous(shape, dtype.size()));
        // SAFETY: the layout is dense, and the memory is for as many elements.
        Ok(Array::from_view(unsafe { View::new_unchecked(storage, layout, dtype) }))
    };
    let result = compute();
    span.end(|| Event::new(EventKind::Call, "matmul").on(device));
    Some(result)
}

/// The lengths of a matrix and its steps in elements; a vector is one with a new axis. `None` for other arrays.
#[inline]
fn matrix(array: &Array, new_axis: usize) -> Option<([usize; 2], [isize; 2])> {
    let size = array.dtype().size() as isize;
    let (mut lengths, mut strides) = ([1; 2], [0; 2]);
    match (array.shape(), &array.layout().strides[..]) {
        (&[length], &[stride]) => (lengths[1 - new_axis], strides[1 - new_axis]) = (length, stride),
        (&[rows, columns], &[row, column]) => (lengths, strides) = ([rows, columns], [row, column]),
        _ => return None,
    }
    strides.iter().all(|stride| stride % size == 0).then(|| (lengths, strides.map(|stride| stride / size)))
}

/// The address of `out`, which takes a result of this shape and the operands' dtype; `None` unless it is dense,
/// overlaps no operand, and has no pending work.
fn idle_target(out: &Array, shape: &[usize], operands: [&Array; 2]) -> Option<usize> {
    let fits = out.dtype() == operands[0].dtype()
        && out.shape() == shape
        && out.is_contiguous()
        && out.is_writeable()
        && same_device(out.device(), operands[0].device());
    if !fits || operands.into_iter().any(|operand| may_share_memory(out, operand)) {
        return None;
    }
    buffer_if_idle(out.view())?;
    let address = out.view().aligned_address()?;
    mark_written(address, out.size() * out.dtype().size());
    Some(address)
}

/// The scalar beside `a`, if there is one, and whether operands are in C's order; `None` where they have to be broadcast,
/// converted or gathered.
#[inline]
fn operands(op: Op, a: &Array, rhs: Rhs<'_>) -> Option<(Option<Scalar>, bool)> {
    let dtype = a.dtype();
    let arguments = if matches!(rhs, Rhs::Absent) { 1 } else { 2 };
    if a.size() == 0 || op.row().nin != arguments || !runs_as_is(op, dtype) {
        return None;
    }
    let in_rows = a.is_contiguous();
    if !in_rows && !a.is_fortran() {
        return None;
    }
    let scalar = match rhs {
        Rhs::Absent => None,
        Rhs::Array(b) => {
            let together = same_device(a.device(), b.device());
            let alike = |b: &Array| if in_rows { b.is_contiguous() } else { b.is_fortran() };
            if b.dtype() != dtype || b.shape() != a.shape() || !alike(b) || !together {
                return None;
            }
            None
        }
        // A logical op asks whether a number is zero, which rounding it to the dtype might change.
        Rhs::Number { .. } if op.is_logical() => return None,
        Rhs::Number { n: number, .. } => {
            if number.weak().is_none_or(|weak| dtype.with_weak(weak) != dtype) {
                return None;
            }
            Some(Scalar::new(op.name(), number, dtype).ok()?)
        }
        Rhs::Value { value, .. } if value.dtype() == dtype => Some(value),
        Rhs::Value { .. } => return None,
    };
    Some((scalar, in_rows))
}

/// The same of an array and a single element, which is broadcast; `None` unless that is materialised.
fn apply_single(op: Op, a: &Array, b: &Array) -> Option<Result<Array>> {
    let (array, single, reflected) = if b.ndim() == 0 { (a, b, false) } else { (b, a, true) };
    if single.dtype() != array.dtype() || !same_device(array.device(), single.device()) {
        return None;
    }
    let value = value_at(single, &[])?.ok()?;
    apply(op, array, Rhs::Value { value, reflected })
}

/// Computes the result now; `None` while an operand is pending.
fn run(
    shortcuts: &dyn Shortcuts,
    op: Op,
    a: &Array,
    rhs: Rhs<'_>,
    scalar: Option<Scalar>,
    in_rows: bool,
) -> Option<Result<Array>> {
    let mut step = step(op, a, rhs, scalar, 0)?;
    let (device, output) = (a.device(), step.output);
    let span = Span::begin_small();
    let mut compute = || {
        let buffer = device.allocate(step.n * output.size())?;
        step.result = buffer.address();
        // SAFETY: every operand has `n` dense, aligned elements of the loop's dtype, and the new memory takes as many results.
        unsafe { shortcuts.run_dense(&step) }?;
        let (storage, layout) = (Storage::ready(device, buffer), dense(a.shape(), output.size(), in_rows));
        // SAFETY: the layout is dense, and the memory is for as many elements.
        Ok(Array::from_view(unsafe { View::new_unchecked(storage, layout, output) }))
    };
    let result = compute();
    span.end(|| Event::new(EventKind::Small, op.name()).on(device));
    Some(result)
}

/// The op over the elements as they lie in memory; `None` while an operand is pending.
#[inline]
fn step(op: Op, a: &Array, rhs: Rhs<'_>, scalar: Option<Scalar>, result: usize) -> Option<DenseStep> {
    let mut inputs = [Some(a.view().aligned_address()?), None, None];
    let mut scalars = [[0; 16]; 3];
    match (rhs, scalar) {
        (Rhs::Array(b), _) => inputs[1] = Some(b.view().aligned_address()?),
        (Rhs::Number { reflected: first, .. } | Rhs::Value { reflected: first, .. }, Some(scalar)) => {
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
fn record(op: Op, a: &Array, rhs: Rhs<'_>, scalar: Option<Scalar>, in_rows: bool) -> Option<Array> {
    let first = Operand::View(a.view());
    let second = match (rhs, scalar) {
        (Rhs::Array(b), _) => Some((Operand::View(b.view()), false)),
        (Rhs::Number { reflected, .. } | Rhs::Value { reflected, .. }, Some(scalar)) => {
            Some((Operand::Scalar(scalar), reflected))
        }
        _ => None,
    };
    let layout = dense(a.shape(), op.output(a.dtype()).size(), in_rows);
    // SAFETY: `operands` has found that the op takes these, in its own dtype, of one shape and device; the layout is dense.
    let recorded = |first, second| unsafe { try_record(a.device(), op, a.dtype(), first, second, layout) };
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

/// Whether operands of this dtype, and numbers beside them, run in the loop of this very dtype without a look at their values.
fn runs_as_is(op: Op, dtype: DType) -> bool {
    let row = op.row();
    row.inputs == Inputs::Same && direct_loop(op, dtype) == Some(dtype) && !checks_exponents(op, dtype)
}
