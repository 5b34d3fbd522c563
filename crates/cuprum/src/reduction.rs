//! Reductions: sums, extrema, truth, positions and their NaN-ignoring forms, over any axes; moments are in `moments`.

mod moments;

use cuprum_core::ops::{Identity, Inputs, OperandType, resolve};
use cuprum_core::{
    Casting, DType, Error, Kind, Number, Op, Order, Reduction, Result, Scalar, normalize_axes, size_of_shape,
};
use cuprum_graph::reduce as record_reduce;
use smallvec::SmallVec;

pub use moments::{mean, std, var};

use crate::elementwise::{Arg, Options, apply, assign};
use crate::{Array, creation, manipulation};

/// The keywords of a reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceOptions<'a> {
    /// The axes to reduce (`axis=`); all of them if left out.
    pub axes: Option<&'a [i64]>,
    /// Whether the reduced axes stay, with length one.
    pub keepdims: bool,
    /// The dtype to compute in.
    pub dtype: Option<DType>,
    /// Where the result goes.
    pub out: Option<&'a Array>,
    /// The value to start with (`initial=`).
    pub initial: Initial,
    /// Which elements are reduced (`where=`).
    pub mask: Option<&'a Array>,
}

/// What a reduction starts with.
#[derive(Clone, Copy, Debug, Default)]
pub enum Initial {
    /// The op's identity, if it has one.
    #[default]
    Identity,
    /// The first element, even if the op has an identity: reducing no elements is then an error.
    FirstElement,
    /// A value, which must fit the dtype to compute in.
    Value(Number),
}

type Axes = SmallVec<[usize; 4]>;

/// Reduces `a` by a binary op, as `ufunc.reduce` does; errors name `name`.
///
/// ```
/// use cuprum::reduction::{ReduceOptions, reduce_op};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3]);
/// let s = reduce_op("sum", Op::Add, &a, &ReduceOptions::default()).unwrap();
/// assert_eq!(s.item::<i64>().unwrap(), 6);
/// ```
pub fn reduce_op(name: &'static str, op: Op, a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    let axes = ufunc_axes(name, a, options.axes)?;
    let takes_exponents = op.row().inputs == Inputs::ExponentSecond;
    let dtype = match takes_exponents {
        true => exponent_fold_dtype(op, a, options)?,
        false => loop_dtype(name, op, a.dtype(), options)?,
    };
    if axes.len() > 1 && !op.row().reorderable {
        return Err(Error::value(
            name,
            "reduction operation is not reorderable, so at most one axis may be specified",
        ));
    }
    let reduction = Reduction::of(op);
    let (identity, initial) = match options.initial {
        Initial::FirstElement => (None, None),
        Initial::Identity => (identity_scalar(reduction.row().identity, dtype), None),
        Initial::Value(number) => {
            let first = initial_scalar(name, reduction, number, dtype)?;
            (identity_scalar(reduction.row().identity, dtype), Some(first))
        }
    };
    let neutral = initial.or(identity);
    let counted: usize = axes.iter().map(|&x| a.shape()[x]).product();
    if counted == 0 && neutral.is_none() {
        let message = format!("zero-size array to reduction operation {name} which has no identity");
        return Err(Error::value(name, message));
    }
    let result = match (options.mask, initial) {
        _ if counted == 0 => empty_result(a, &axes, reduction.output(dtype), neutral)?,
        (mask, initial) if takes_exponents => fold_exponents(op, a, &axes, dtype, mask, initial)?,
        (Some(mask), Some(first)) if !op.row().reorderable => {
            fold_selected(op, &a.astype(dtype)?, &axes, mask, first)?
        }
        (None, Some(first)) if !op.row().reorderable && !axes.is_empty() => {
            let started = started(&a.astype(dtype)?, axes[0], first)?;
            run(reduction, dtype, &started, &axes)?
        }
        (mask, initial) => {
            let masked = mask.map(|mask| masked(name, a, mask, identity.or(initial), dtype)).transpose()?;
            let result = run(reduction, dtype, masked.as_ref().unwrap_or(a), &axes)?;
            // What no step has changed yet still meets the identity: 0 + -0.0 is 0.0, hypot(0, -3) is 3.
            let alone = axes.is_empty() || (counted == 1 && op.row().identity_acts);
            match initial.or(identity.filter(|_| alone)) {
                Some(first) => apply(op, &[Arg::Scalar(first), Arg::Array(&result)], &Options::default())?,
                None => result,
            }
        }
    };
    finish(name, result, a, &axes, options)
}

/// The value to begin with, in the dtype that elements join it in.
fn initial_scalar(name: &'static str, reduction: Reduction, number: Number, dtype: DType) -> Result<Scalar> {
    match (reduction, number) {
        (Reduction::Any | Reduction::All | Reduction::Xor, _) => Ok(Scalar::wrapping(number, DType::Bool)),
        (_, Number::Complex(..)) if !dtype.is_complex() && dtype != DType::Bool => {
            Err(Error::type_error(name, format!("the initial value must be real to be {dtype}")))
        }
        (_, Number::Float(x)) if dtype.is_integral() && dtype != DType::Bool && !x.is_finite() => {
            let message = format!("cannot convert the initial value {x} to {dtype}");
            Err(if x.is_nan() { Error::value(name, message) } else { Error::overflow(name, message) })
        }
        (_, Number::Float(x)) if dtype.is_integral() && dtype != DType::Bool => {
            Scalar::new(name, Number::Int(x as i128), dtype)
        }
        _ => Scalar::new(name, number, dtype),
    }
}

/// `a` with a first element before the others along an axis: ops whose order matters fold from there.
fn started(a: &Array, axis: usize, first: Scalar) -> Result<Array> {
    let mut shape = a.dims();
    shape[axis] = 1;
    let first = creation::full_on(a.device(), "full", &shape, first, Order::C)?;
    manipulation::concatenate(&[&first, a], Some(axis as i64), None, Casting::SameKind, None)
}

/// A fold from left to right, over the elements that the mask selects, of an op that no value leaves unchanged.
fn fold_selected(op: Op, a: &Array, axes: &Axes, mask: &Array, first: Scalar) -> Result<Array> {
    let mask = mask.with_layout(mask.layout().broadcast_to(op.name(), a.shape())?);
    let slices = axes.first().map_or(1, |&axis| a.shape()[axis]);
    let slice = |of: &Array, k: usize| match axes.first() {
        Some(&axis) => of.with_layout(of.layout().slice_axis(axis, k, 1, 1).remove_axis(axis)),
        None => of.clone(),
    };
    let total = creation::full_on(a.device(), "full", slice(a, 0).shape(), first, Order::C)?;
    for k in 0..slices {
        let mask = slice(&mask, k);
        let options = Options { out: Some(&total), mask: Some(&mask), ..Default::default() };
        apply(op, &[Arg::Array(&total), Arg::Array(&slice(a, k))], &options)?;
    }
    Ok(total)
}

/// The dtype that an op of a number and an exponent, such as `ldexp`, folds integers in: the first is the number, the others
/// are exponents.
fn exponent_fold_dtype(op: Op, a: &Array, options: &ReduceOptions<'_>) -> Result<DType> {
    let both = [OperandType::Typed(a.dtype()), OperandType::Typed(a.dtype())];
    let own = resolve(op, &both, None, Casting::SameKind)?.dtype;
    match options.dtype.or(options.out.map(|o| o.dtype()).filter(|d| !d.is_integral())) {
        None => Ok(own),
        Some(asked) if op.has_loop(asked) => Ok(asked),
        Some(asked) => Err(Error::NoLoop { op: op.name().into(), dtypes: vec![asked, a.dtype()] }),
    }
}

/// A fold by an op of a number and an exponent, from left to right.
fn fold_exponents(
    op: Op,
    a: &Array,
    axes: &Axes,
    dtype: DType,
    mask: Option<&Array>,
    initial: Option<Scalar>,
) -> Result<Array> {
    match (mask, initial, axes.first()) {
        (Some(mask), Some(first), _) => fold_selected(op, a, axes, mask, first),
        (Some(mask), None, _) => masked(op.name(), a, mask, None, dtype),
        (None, None, None) => a.astype(dtype),
        (None, first, axis) => {
            let axis = axis.copied();
            let length = axis.map_or(1, |x| a.shape()[x]);
            let slice = |k: usize| match axis {
                Some(x) => a.with_layout(a.layout().slice_axis(x, k, 1, 1).remove_axis(x)),
                None => a.clone(),
            };
            let mut total = match first {
                Some(first) => creation::full_on(a.device(), "full", slice(0).shape(), first, Order::C)?,
                None => slice(0).astype(dtype)?,
            };
            for k in usize::from(first.is_none())..length {
                total = total.binary(op, &slice(k))?;
            }
            Ok(total)
        }
    }
}

/// Whether the result has any element at all.
fn has_results(a: &Array, axes: &[usize]) -> bool {
    (0..a.ndim()).filter(|x| !axes.contains(x)).all(|x| a.shape()[x] > 0)
}

/// Records a reduction; over nothing it gives the identity.
fn run(reduction: Reduction, dtype: DType, a: &Array, axes: &Axes) -> Result<Array> {
    if axes.iter().any(|&x| a.shape()[x] == 0) {
        let value = identity_scalar(reduction.row().identity, dtype);
        return empty_result(a, axes, reduction.output(dtype), value);
    }
    // Truth values are counted as they are; the sum would widen each to 64 bits first.
    let (reduction, dtype) = match (reduction, a.dtype(), dtype) {
        (Reduction::Sum, DType::Bool, DType::I64) if !axes.is_empty() => (Reduction::Count, DType::Bool),
        other => (other.0, other.2),
    };
    if axes.is_empty() && !matches!(reduction, Reduction::Variance) {
        return a.astype(dtype)?.astype(reduction.output(dtype));
    }
    Ok(Array::from_view(record_reduce(reduction, dtype, a.view(), axes.clone())?))
}

fn empty_result(a: &Array, axes: &[usize], dtype: DType, value: Option<Scalar>) -> Result<Array> {
    let shape: SmallVec<[usize; 4]> =
        (0..a.ndim()).filter(|x| !axes.contains(x)).map(|x| a.shape()[x]).collect();
    let value = value.unwrap_or(Scalar::zero(dtype)).cast(dtype);
    creation::full_on(a.device(), "full", &shape, value, Order::C)
}

/// `a` where the mask holds, the neutral value elsewhere.
fn masked(
    name: &'static str,
    a: &Array,
    mask: &Array,
    neutral: Option<Scalar>,
    dtype: DType,
) -> Result<Array> {
    let Some(neutral) = neutral else {
        let message = format!(
            "reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'"
        );
        return Err(Error::value(name, message));
    };
    // The mask is broadcast to the shape of the elements, never the elements to that of the mask.
    let mask = mask.with_layout(mask.layout().broadcast_to(name, a.shape())?);
    let wide = a.astype(dtype)?;
    apply(Op::Where, &[Arg::Array(&mask), Arg::Array(&wide), Arg::Scalar(neutral)], &Options::default())
}

/// The dtype that the elements are reduced in: the one asked for, or what the op has for the elements and the output.
fn loop_dtype(name: &'static str, op: Op, from: DType, options: &ReduceOptions<'_>) -> Result<DType> {
    let out = options.out.map(|o| o.dtype());
    if op.is_logical() {
        // Truth is found in the elements as they are.
        return match options.dtype {
            None | Some(DType::Bool) => Ok(from),
            Some(other) => Err(Error::NoLoop { op: name.into(), dtypes: vec![other, other] }),
        };
    }
    fold_dtype(name, op, from, options.dtype, out)
}

/// The dtype that a fold by `op` runs in: its results must be operands again.
pub(crate) fn fold_dtype(
    name: &'static str,
    op: Op,
    from: DType,
    asked: Option<DType>,
    out: Option<DType>,
) -> Result<DType> {
    let dtype = match (asked, out) {
        (Some(asked), _) => asked,
        (None, None) if op.row().accumulates => from.accumulator(),
        (None, out) => {
            let both = [OperandType::Typed(out.unwrap_or(from)), OperandType::Typed(from)];
            resolve(op, &both, None, Casting::SameKind)?.dtype
        }
    };
    if !op.has_loop(dtype) || op.output(dtype) != dtype || op.input(1, dtype) != dtype {
        return Err(Error::NoLoop { op: name.into(), dtypes: vec![dtype, dtype] });
    }
    Ok(dtype)
}

fn identity_scalar(identity: Identity, dtype: DType) -> Option<Scalar> {
    let number = match identity {
        Identity::None => return None,
        Identity::Zero => Number::Int(0),
        Identity::One => Number::Int(1),
        Identity::MinusOne if dtype == DType::Bool => Number::Int(1),
        Identity::MinusOne => Number::Int(-1),
        Identity::NegativeInfinity => Number::Float(f64::NEG_INFINITY),
    };
    Some(Scalar::wrapping(number, dtype))
}

/// The axes of a ufunc's reduction: NumPy lets a single value be reduced along the axis that it does not have.
fn ufunc_axes(name: &'static str, a: &Array, axes: Option<&[i64]>) -> Result<Axes> {
    match axes {
        Some([0 | -1]) if a.ndim() == 0 => Ok(Axes::new()),
        _ => axes_of(name, a, axes),
    }
}

fn axes_of(name: &'static str, a: &Array, axes: Option<&[i64]>) -> Result<Axes> {
    let mut axes = match axes {
        None => (0..a.ndim()).collect(),
        Some(given) => normalize_axes(name, given, a.ndim())?,
    };
    axes.sort_unstable();
    Ok(axes)
}

/// Puts back reduced axes where `keepdims` asks for it, and stores into `out`.
fn finish(
    name: &'static str,
    result: Array,
    a: &Array,
    axes: &Axes,
    options: &ReduceOptions<'_>,
) -> Result<Array> {
    let result = kept(result, axes, options.keepdims);
    let Some(out) = options.out else { return Ok(result) };
    check_out_shape(name, out, a, result.shape())?;
    assign(name, out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

fn kept(result: Array, axes: &Axes, keepdims: bool) -> Array {
    if !keepdims {
        return result;
    }
    let layout = axes.iter().fold(result.layout().clone(), |layout, &axis| layout.insert_axis(axis));
    result.with_layout(layout)
}

/// An error unless `out` has the shape of the result of reducing `a`.
pub fn check_out_shape(name: &'static str, out: &Array, a: &Array, shape: &[usize]) -> Result<()> {
    if out.shape() == shape {
        return Ok(());
    }
    let message = format!(
        "output has shape {}, the result of reducing shape {} has shape {}",
        cuprum_core::show_shape(out.shape()),
        cuprum_core::show_shape(a.shape()),
        cuprum_core::show_shape(shape)
    );
    Err(Error::value(name, message))
}

/// The sum of elements.
pub fn sum(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    reduce_op("sum", Op::Add, a, options)
}

/// The product of elements.
pub fn prod(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    reduce_op("prod", Op::Multiply, a, options)
}

/// The smallest element; NaN if there is one.
pub fn min(a: &Array, axes: Option<&[i64]>, keepdims: bool) -> Result<Array> {
    reduce_op("min", Op::Minimum, a, &ReduceOptions { axes, keepdims, ..Default::default() })
}

/// The largest element; NaN if there is one.
pub fn max(a: &Array, axes: Option<&[i64]>, keepdims: bool) -> Result<Array> {
    reduce_op("max", Op::Maximum, a, &ReduceOptions { axes, keepdims, ..Default::default() })
}

/// Whether any element is true.
pub fn any(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    reduce_op("any", Op::LogicalOr, a, options)
}

/// Whether all elements are true.
pub fn all(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    reduce_op("all", Op::LogicalAnd, a, options)
}

/// The difference of the largest and the smallest elements.
///
/// ```
/// use cuprum::reduction::{ReduceOptions, ptp};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 7.0, -2.0]);
/// assert_eq!(ptp(&a, &ReduceOptions::default()).unwrap().item::<f64>().unwrap(), 9.0);
/// ```
pub fn ptp(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    let plain = ReduceOptions { out: None, ..*options };
    let high = reduce_op("ptp", Op::Maximum, a, &plain)?;
    if let Some(out) = options.out {
        check_out_shape("ptp", out, a, high.shape())?;
    }
    let low = reduce_op("ptp", Op::Minimum, a, &plain)?;
    let options = Options { out: options.out, ..Default::default() };
    apply(Op::Subtract, &[Arg::Array(&high), Arg::Array(&low)], &options)
}

/// The position of the first largest (or smallest) element along an axis, or in the flattened array.
///
/// ```
/// use cuprum::reduction::argextremum;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 7.0, 7.0]);
/// assert_eq!(argextremum(cuprum::Reduction::ArgMax, &a, None, false, None).unwrap().item::<i64>().unwrap(), 1);
/// ```
pub fn argextremum(
    reduction: Reduction,
    a: &Array,
    axis: Option<i64>,
    keepdims: bool,
    out: Option<&Array>,
) -> Result<Array> {
    let name = reduction.row().name;
    let given = axis.map(|x| [x]);
    let axes = ufunc_axes(name, a, given.as_ref().map(|g| g.as_slice()))?;
    if axes.iter().any(|&x| a.shape()[x] == 0) {
        return Err(Error::value(name, format!("attempt to get {name} of an empty sequence")));
    }
    let options = ReduceOptions { keepdims, ..Default::default() };
    // Without an axis the position counts in C order, whatever the layout: the flattened array decides.
    let flat;
    let (source, reduced) = if axis.is_none() && a.ndim() != 1 {
        flat = crate::manipulation::reshape(a, &[-1], cuprum_core::Order::C)?;
        (&flat, SmallVec::from_elem(0, 1))
    } else {
        (a, axes.clone())
    };
    let result = if has_results(source, &reduced) {
        Array::from_view(record_reduce(reduction, source.dtype(), source.view(), reduced)?)
    } else {
        empty_result(source, &reduced, DType::I64, None)?
    };
    let positions = finish(name, result.contiguous()?, a, &axes, &options)?;
    let Some(out) = out else { return Ok(positions) };
    check_out_shape(name, out, a, positions.shape())?;
    // As in NumPy, `out` has a dtype whose elements all are positions, not one that holds all positions.
    if !out.dtype().can_cast(DType::I64, Casting::Safe) {
        let (from, to, casting) = (out.dtype(), DType::I64, Casting::Safe);
        return Err(Error::Cast { op: name.into(), from, to, casting });
    }
    assign(name, out, Arg::Array(&positions), None)?;
    Ok(out.clone())
}

/// `a` with every NaN replaced, and where the NaNs were; `None` for dtypes that have none.
pub fn without_nan(a: &Array, value: Number) -> Result<(Array, Option<Array>)> {
    if a.dtype().kind() < Kind::Float {
        return Ok((a.clone(), None));
    }
    let plain = Options::default();
    // NumPy replaces in a copy: repeated elements are laid out as a copy lays them out.
    let copied = if is_repeated(a) { Some(a.copy(Order::K)?) } else { None };
    let a = copied.as_ref().unwrap_or(a);
    let nan = apply(Op::Isnan, &[Arg::Array(a)], &plain)?;
    let scalar = Scalar::wrapping(value, a.dtype());
    let clean = apply(Op::Where, &[Arg::Array(&nan), Arg::Scalar(scalar), Arg::Array(a)], &plain)?;
    Ok((clean, Some(nan)))
}

/// Whether broadcasting shows elements more than once.
fn is_repeated(a: &Array) -> bool {
    a.shape().iter().zip(&a.layout().strides).any(|(&length, &stride)| length > 1 && stride == 0)
}

/// How many elements are not zero.
///
/// ```
/// use cuprum::reduction::count_nonzero;
/// use cuprum::prelude::*;
/// let n = count_nonzero(&Array::from_slice(&[0, 3, 0, 5]), None, false).unwrap();
/// assert_eq!(n.item::<i64>().unwrap(), 2);
/// ```
pub fn count_nonzero(a: &Array, axes: Option<&[i64]>, keepdims: bool) -> Result<Array> {
    let options = ReduceOptions { axes, keepdims, ..Default::default() };
    if a.dtype() == DType::Bool {
        return reduce_op("count_nonzero", Op::Add, a, &options);
    }
    let zero = Scalar::zero(a.dtype());
    let nonzero = apply(Op::NotEqual, &[Arg::Array(a), Arg::Scalar(zero)], &Options::default())?;
    reduce_op("count_nonzero", Op::Add, &nonzero, &options)
}

/// The number of elements along some axes.
pub fn size_along(a: &Array, axes: &[usize]) -> usize {
    size_of_shape(&axes.iter().map(|&x| a.shape()[x]).collect::<SmallVec<[usize; 4]>>())
}
