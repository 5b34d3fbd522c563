//! Elementwise ops on arrays and scalars: type resolution, broadcasting, `out`, `where` and in-place forms.

use std::cmp::Ordering;

use cuprum_core::ops::{OperandType, Signature, resolve};
use cuprum_core::{
    Casting, DType, Dims, Error, Kind, Number, Op, Order, Result, Scalar, broadcast_shapes, size_in_range,
};
use cuprum_graph::{
    Args, DeviceRef, NodeArg, NodeKind, Operand as Read, eager, layout_among, map, map_small, result_layout,
    write,
};
use smallvec::{SmallVec, smallvec};

use crate::creation::checked_size;
use crate::fast_path::{self, Rhs};
use crate::indexing::without_leading_ones;
use crate::{Array, default_device};

/// An argument of an elementwise op.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// An array.
    Array(&'a Array),
    /// A number without a dtype of its own, as a Python scalar: it takes the dtype of the other arguments (NEP 50).
    Number(Number),
    /// One value with a dtype.
    Scalar(Scalar),
}

impl<'a> From<&'a Array> for Arg<'a> {
    fn from(array: &'a Array) -> Arg<'a> {
        Arg::Array(array)
    }
}

impl<N: Into<Number>> From<N> for Arg<'_> {
    fn from(number: N) -> Self {
        Arg::Number(number.into())
    }
}

impl Arg<'_> {
    fn operand(&self) -> OperandType {
        match self {
            Arg::Array(a) => OperandType::Typed(a.dtype()),
            Arg::Number(n) => OperandType::Weak(*n),
            Arg::Scalar(s) => OperandType::Typed(s.dtype()),
        }
    }

    fn shape(&self) -> &[usize] {
        match self {
            Arg::Array(a) => a.shape(),
            _ => &[],
        }
    }

    /// The dtype that the argument has by itself.
    pub fn dtype(&self) -> DType {
        match self {
            Arg::Array(a) => a.dtype(),
            Arg::Number(n) => n.default_dtype(),
            Arg::Scalar(s) => s.dtype(),
        }
    }
}

/// The keywords of a ufunc call.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The dtype to compute in.
    pub dtype: Option<DType>,
    /// Which conversions are allowed (`casting=`).
    pub casting: Casting,
    /// The memory order of a new result (`order=`).
    pub order: Order,
    /// Where the result goes.
    pub out: Option<&'a Array>,
    /// Which elements are computed (`where=`); the others stay as they are.
    pub mask: Option<&'a Array>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { dtype: None, casting: Casting::SameKind, order: Order::K, out: None, mask: None }
    }
}

/// Applies an op: what `numpy.<op>(*args, **options)` does.
///
/// ```
/// use cuprum::elementwise::apply;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 4.0]);
/// let r = apply(Op::Sqrt, &[Arg::from(&a)], &Default::default()).unwrap();
/// assert_eq!(r.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// ```
pub fn apply(op: Op, args: &[Arg<'_>], options: &Options<'_>) -> Result<Array> {
    if let Some(result) = apply_fast(op, args, options) {
        return result;
    }
    if let Some(result) = compare_mixed(op, args, options)? {
        return Ok(result);
    }
    let operands: SmallVec<[OperandType; 3]> = args.iter().map(Arg::operand).collect();
    let signature = resolve(op, &operands, options.dtype, options.casting)?;
    if let Some(out) = options.out {
        // NumPy looks at its numbers first, then at dtypes, then at shapes.
        check_storable(op, signature.output, out, options.casting)
            .map_err(|refused| too_large(op, signature.dtype, args).unwrap_or(refused))?;
    }
    let mut shapes: SmallVec<[&[usize]; 4]> = args.iter().map(|a| a.shape()).collect();
    if let Some(mask) = options.mask {
        shapes.push(mask.shape());
    }
    let shape = broadcast_shapes(op.name(), &shapes)?;
    if let Some(out) = options.out {
        check_out_shape(op, &shape, out)?;
    }
    if !shape.contains(&0) {
        check_exponents(op, signature.dtype, args)?;
    }
    let device = device_of(args)?;
    if options.out.is_none()
        && options.mask.is_none()
        && let Some(result) = apply_small(device, op, signature, args, &shape, options.order)?
    {
        return Ok(result);
    }
    checked_size(device, op.name(), &shape, signature.output.size())?;
    match (options.out, options.mask) {
        (None, None) => {
            let sources = sources(op, signature.dtype, args, &shape)?;
            let layout =
                result_layout(&shape, signature.output.size(), &sources, resolved_order(options.order, args));
            Ok(Array::from_view(map(device, op, signature.dtype, sources, layout)?))
        }
        (None, Some(mask)) => {
            let out = crate::creation::zeros_on(device, &shape, signature.output)?;
            store(op, signature, args, &out, Some(mask))?;
            Ok(out)
        }
        (Some(out), mask) => {
            store(op, signature, args, out, mask)?;
            Ok(out.clone())
        }
    }
}

/// The error of a number that the op's dtype does not hold, if there is one.
fn too_large(op: Op, dtype: DType, args: &[Arg<'_>]) -> Option<Error> {
    args.iter().enumerate().find_map(|(i, arg)| match arg {
        Arg::Number(number) => Scalar::new(op.name(), *number, op.input(i, dtype)).err(),
        _ => None,
    })
}

/// The order of a new result; `A` is Fortran's where every operand is in it.
fn resolved_order(order: Order, args: &[Arg<'_>]) -> Order {
    let fortran = |arg: &Arg<'_>| !matches!(arg, Arg::Array(a) if !a.is_fortran());
    match order {
        Order::A if args.iter().all(fortran) => Order::F,
        Order::A => Order::C,
        other => other,
    }
}

/// The op by the fast path, without keywords; `None` for anything else.
fn apply_fast(op: Op, args: &[Arg<'_>], options: &Options<'_>) -> Option<Result<Array>> {
    let default = options.dtype.is_none() && options.out.is_none() && options.mask.is_none();
    let converts = matches!(options.casting, Casting::SameKind | Casting::Unsafe);
    let in_rows = |arg: &Arg<'_>| !matches!(arg, Arg::Array(a) if !a.is_contiguous());
    let ordered = match options.order {
        Order::K => true,
        Order::C => args.iter().all(in_rows),
        Order::A | Order::F => false,
    };
    if !default || !converts || !ordered {
        return None;
    }
    match *args {
        [Arg::Array(a)] => fast_path::apply(op, a, Rhs::Absent),
        [Arg::Array(a), Arg::Array(b)] => fast_path::apply(op, a, Rhs::Array(b)),
        [Arg::Array(a), Arg::Number(n)] => fast_path::apply(op, a, Rhs::Number { n, reflected: false }),
        [Arg::Number(n), Arg::Array(a)] => fast_path::apply(op, a, Rhs::Number { n, reflected: true }),
        _ => None,
    }
}

/// The op on few materialised elements, computed at the call; `None` for anything else.
fn apply_small(
    device: DeviceRef,
    op: Op,
    signature: Signature,
    args: &[Arg<'_>],
    shape: &[usize],
    order: Order,
) -> Result<Option<Array>> {
    let is_eager = size_in_range(shape).is_some_and(|size| eager(device, size as usize).is_some());
    if !is_eager || args.len() > 3 {
        return Ok(None);
    }
    let mut operands = [Read::Scalar(Scalar::zero(DType::Bool)); 3];
    for (i, (operand, arg)) in operands.iter_mut().zip(args).enumerate() {
        *operand = match arg {
            Arg::Array(a) => Read::View(a.view()),
            Arg::Number(n) => Read::Scalar(scalar_argument(op, *n, op.input(i, signature.dtype))?),
            Arg::Scalar(s) => Read::Scalar(*s),
        };
    }
    let operands = &operands[..args.len()];
    let layout = layout_among(shape, signature.output.size(), operands, resolved_order(order, args));
    Ok(map_small(device, op, signature.dtype, operands, layout)?.map(Array::from_view))
}

/// Applies a binary op in place: `target op= value`.
///
/// ```
/// use cuprum::elementwise::apply_assign;
/// use cuprum::prelude::*;
/// let mut a = Array::from_slice(&[1.0, 4.0]);
/// apply_assign(Op::Add, &mut a, Arg::from(1.0)).unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![2.0, 5.0]);
/// ```
pub fn apply_assign(op: Op, target: &mut Array, value: Arg<'_>) -> Result<()> {
    target.check_writeable(op.name())?;
    if target.is_sole_owner() && value.shape().len() <= target.ndim() && target.leaves_room() {
        let args = [Arg::Array(target), value];
        let operands: SmallVec<[OperandType; 3]> = args.iter().map(Arg::operand).collect();
        let signature = resolve(op, &operands, None, Casting::SameKind)?;
        let shape = (signature.output == target.dtype())
            .then(|| broadcast_shapes(op.name(), &[target.shape(), value.shape()]))
            .transpose()?;
        if let Some(shape) = shape.filter(|shape| shape.as_slice() == target.shape()) {
            if !shape.contains(&0) {
                check_exponents(op, signature.dtype, &args)?;
            }
            let sources = sources(op, signature.dtype, &args, &shape)?;
            let layout = target.layout().clone();
            let view = map(target.device(), op, signature.dtype, sources, layout)?;
            *target = Array::from_view(view);
            return Ok(());
        }
    }
    let alias = target.clone();
    apply(op, &[Arg::Array(&alias), value], &Options { out: Some(&alias), ..Default::default() })?;
    Ok(())
}

/// Stores a value into an array: `target[...] = value`, converted as NumPy's assignment converts.
///
/// ```
/// use cuprum::elementwise::assign;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 4.0]);
/// assign("copyto", &a, Arg::from(7), None).unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![7.0, 7.0]);
/// ```
pub fn assign(op: &'static str, target: &Array, value: Arg<'_>, mask: Option<&Array>) -> Result<()> {
    target.check_writeable(op)?;
    if let (Arg::Array(a), None) = (value, mask)
        && fast_path::copy_into(a, target).is_some()
    {
        return Ok(());
    }
    let source = match value {
        Arg::Number(n) => NodeArg::Scalar(Scalar::new(op, n, target.dtype())?),
        Arg::Scalar(s) => NodeArg::Scalar(s.cast(target.dtype())),
        Arg::Array(a) => {
            NodeArg::View(squeezed_to(op, a, target.shape())?.view().broadcast_to(op, target.shape())?)
        }
    };
    match mask {
        None => write(target.view(), NodeKind::Cast, smallvec![source]),
        Some(mask) => {
            let mask = mask.view().broadcast_to(op, target.shape())?;
            let kind = NodeKind::Map { op: Op::Where, dtype: target.dtype() };
            let keep = NodeArg::View(target.view().clone());
            write(target.view(), kind, smallvec![NodeArg::View(mask), source, keep])
        }
    }
}

/// Assignment drops leading axes of length one that the target does not have.
fn squeezed_to(op: &'static str, value: &Array, shape: &[usize]) -> Result<Array> {
    let layout = without_leading_ones(value, shape.len());
    if layout.broadcast_to(op, shape).is_err() {
        let message = format!(
            "could not broadcast input array from shape {} into shape {}",
            cuprum_core::show_shape(value.shape()),
            cuprum_core::show_shape(shape)
        );
        return Err(Error::value(op, message));
    }
    Ok(value.with_layout(layout))
}

fn store(op: Op, signature: Signature, args: &[Arg<'_>], out: &Array, mask: Option<&Array>) -> Result<()> {
    out.check_writeable(op.name())?;
    let shape = Dims::from_slice(out.shape());
    let sources = sources(op, signature.dtype, args, &shape)?;
    let Some(mask) = mask else {
        return write(out.view(), NodeKind::Map { op, dtype: signature.dtype }, sources);
    };
    let layout = result_layout(&shape, signature.output.size(), &sources, Order::K);
    let result = map(out.device(), op, signature.dtype, sources, layout)?;
    let result = Array::from_view(result).astype(out.dtype())?;
    assign(op.name(), out, Arg::Array(&result), Some(mask))
}

fn check_storable(op: Op, from: DType, out: &Array, casting: Casting) -> Result<()> {
    let to = out.dtype();
    if from.can_cast(to, casting) {
        Ok(())
    } else {
        Err(Error::Cast { op: op.name().into(), from, to, casting })
    }
}

fn check_out_shape(op: Op, shape: &[usize], out: &Array) -> Result<()> {
    if out.shape() == shape {
        return Ok(());
    }
    let fits = broadcast_shapes(op.name(), &[shape, out.shape()]).is_ok_and(|s| s.as_slice() == out.shape());
    if fits {
        return Ok(());
    }
    let message = format!(
        "output has shape {}, the result has shape {}",
        cuprum_core::show_shape(out.shape()),
        cuprum_core::show_shape(shape)
    );
    Err(Error::value(op.name(), message))
}

/// The arguments as the graph takes them: broadcast, scalars in the loop's dtype.
fn sources(op: Op, dtype: DType, args: &[Arg<'_>], shape: &[usize]) -> Result<Args> {
    let mut sources = Args::new();
    for (i, arg) in args.iter().enumerate() {
        sources.push(match arg {
            Arg::Array(a) => NodeArg::View(a.view().broadcast_to(op.name(), shape)?),
            Arg::Number(n) => NodeArg::Scalar(scalar_argument(op, *n, op.input(i, dtype))?),
            Arg::Scalar(s) => NodeArg::Scalar(s.cast(op.input(i, dtype))),
        });
    }
    Ok(sources)
}

/// A Python number in the loop's dtype; bounds of `clip` beyond the dtype mean no bound.
fn scalar_argument(op: Op, number: Number, dtype: DType) -> Result<Scalar> {
    match (op, number) {
        (Op::Clip, Number::Int(i)) if dtype.is_integral() && dtype != DType::Bool => {
            let (low, high) = integer_range(dtype);
            Scalar::new(op.name(), Number::Int(i.clamp(low, high)), dtype)
        }
        (Op::Clip, Number::Huge(x)) if dtype.is_integral() && dtype != DType::Bool => {
            let (low, high) = integer_range(dtype);
            Scalar::new(op.name(), Number::Int(if x > 0.0 { high } else { low }), dtype)
        }
        // Only whether the number is zero matters: it may be out of the dtype's range, or change when it is rounded.
        _ if op.is_logical() => {
            let truth = Scalar::wrapping(number, DType::Bool);
            Ok(truth.cast(dtype))
        }
        _ => Scalar::new(op.name(), number, dtype),
    }
}

fn integer_range(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.size() as u32;
    match dtype.kind() {
        Kind::Unsigned => (0, (1i128 << bits) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    }
}

/// Whether the values of exponents are looked at: integers have no negative powers.
#[inline]
pub(crate) fn checks_exponents(op: Op, dtype: DType) -> bool {
    op == Op::Power && dtype.kind() == Kind::Signed
}

/// An error where an integer would get a negative power.
pub(crate) fn check_exponents(op: Op, dtype: DType, args: &[Arg<'_>]) -> Result<()> {
    if !checks_exponents(op, dtype) {
        return Ok(());
    }
    // A base that the dtype does not hold is the first mistake.
    if let Arg::Number(base @ (Number::Int(_) | Number::Huge(_))) = args[0] {
        Scalar::new(op.name(), base, dtype)?;
    }
    let negative = match args[1] {
        Arg::Number(number @ Number::Int(i)) => Scalar::new(op.name(), number, dtype).map(|_| i < 0)?,
        Arg::Number(number @ Number::Huge(_)) => Scalar::new(op.name(), number, dtype).map(|_| false)?,
        Arg::Scalar(s) => matches!(s.number(), Number::Int(i) if i < 0),
        Arg::Array(e) if e.dtype().kind() == Kind::Signed && e.size() > 0 => {
            matches!(crate::reduction::min(e, None, false)?.scalar()?.number(), Number::Int(i) if i < 0)
        }
        _ => false,
    };
    if negative {
        return Err(Error::value("power", "Integers to negative integer powers are not allowed."));
    }
    Ok(())
}

/// Comparisons that no loop's dtype can hold exactly: signed with uint64, and integers with Python integers beyond
/// their range.
fn compare_mixed(op: Op, args: &[Arg<'_>], options: &Options<'_>) -> Result<Option<Array>> {
    if !op.is_comparison() || options.dtype.is_some_and(|d| d != DType::Bool) || args.len() != 2 {
        return Ok(None);
    }
    if let Some(side) = out_of_range(args) {
        return compare_beyond(op, args, side, options).map(Some);
    }
    let kinds = (args[0].dtype(), args[1].dtype());
    let typed = |a: &Arg<'_>| !matches!(a, Arg::Number(_));
    if !args.iter().all(typed) {
        return Ok(None);
    }
    let (signed_first, signed, unsigned) = match (kinds.0.kind(), kinds.1.kind()) {
        (Kind::Signed, Kind::Unsigned) if kinds.1 == DType::U64 => (true, args[0], args[1]),
        (Kind::Unsigned, Kind::Signed) if kinds.0 == DType::U64 => (false, args[1], args[0]),
        _ => return Ok(None),
    };
    if !signed.dtype().can_cast(DType::I64, options.casting) {
        let (from, to, casting) = (signed.dtype(), DType::I64, options.casting);
        return Err(Error::Cast { op: op.name().into(), from, to, casting });
    }
    // A negative value is below every unsigned one; the others compare as uint64.
    let plain = Options::default();
    let negative = apply(Op::Less, &[signed, Arg::Number(Number::Int(0))], &plain)?;
    let wide = to_array(device_of(args)?, signed)?.astype(DType::U64)?;
    let (compared, if_negative) = if signed_first {
        (apply(op, &[Arg::Array(&wide), unsigned], &plain)?, holds(op, Ordering::Less))
    } else {
        (apply(op, &[unsigned, Arg::Array(&wide)], &plain)?, holds(op, Ordering::Greater))
    };
    let if_negative = Scalar::wrapping(Number::Bool(if_negative), DType::Bool);
    let result_args = [Arg::Array(&negative), Arg::Scalar(if_negative), Arg::Array(&compared)];
    if options.out.is_none() && options.mask.is_none() {
        return apply(Op::Where, &result_args, &Options { order: options.order, ..plain }).map(Some);
    }
    let result = apply(Op::Where, &result_args, &plain)?;
    let keep = Options { dtype: None, ..*options };
    apply(Op::LogicalOr, &[Arg::Array(&result), Arg::Array(&result)], &keep).map(Some)
}

fn to_array(device: DeviceRef, arg: Arg<'_>) -> Result<Array> {
    match arg {
        Arg::Array(a) => Ok(a.clone()),
        Arg::Scalar(s) => Array::from_scalar_on(device, s),
        Arg::Number(n) => Array::from_scalar_on(device, Scalar::wrapping(n, n.default_dtype())),
    }
}

/// Which argument is a Python integer that the other's integer dtype cannot hold.
fn out_of_range(args: &[Arg<'_>]) -> Option<usize> {
    (0..2).find(|&i| match (args[i], args[1 - i].dtype()) {
        (Arg::Number(Number::Int(n)), d) if d.is_integral() && d != DType::Bool => {
            let typed = !matches!(args[1 - i], Arg::Number(_));
            let (low, high) = integer_range(d);
            typed && !(low..=high).contains(&n)
        }
        (Arg::Number(Number::Huge(_)), d) if d.is_integral() && d != DType::Bool => {
            !matches!(args[1 - i], Arg::Number(_))
        }
        _ => false,
    })
}

/// The comparison with a number beyond the other's range is the same for every element.
fn compare_beyond(op: Op, args: &[Arg<'_>], side: usize, options: &Options<'_>) -> Result<Array> {
    let is_above = match args[side] {
        Arg::Number(Number::Int(n)) => n > 0,
        Arg::Number(Number::Huge(x)) => x > 0.0,
        _ => unreachable!("out_of_range found an integer"),
    };
    let answer = holds(op, if is_above == (side == 1) { Ordering::Less } else { Ordering::Greater });
    let constant = Arg::Scalar(Scalar::wrapping(Number::Bool(answer), DType::Bool));
    let other = to_array(device_of(args)?, args[1 - side])?;
    let mask = apply(Op::NotEqual, &[Arg::Array(&other), Arg::Array(&other)], &Options::default())?;
    // `other != other` is false everywhere for integers: an array of the right shape and order.
    apply(Op::LogicalOr, &[Arg::Array(&mask), constant], &Options { dtype: None, ..*options })
}

/// Whether a comparison holds for a left side that compares to the right one as `order` says.
fn holds(op: Op, order: Ordering) -> bool {
    op.row().comparison.is_some_and(|comparison| comparison(order))
}

fn device_of(args: &[Arg<'_>]) -> Result<DeviceRef> {
    let first = args.iter().find_map(|a| match a {
        Arg::Array(a) => Some(a.device()),
        _ => None,
    });
    first.map_or_else(default_device, Ok)
}
