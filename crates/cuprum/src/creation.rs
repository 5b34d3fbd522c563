//! New arrays: constants, ranges, identity and triangular matrices, diagonals and index grids.
//!
//! Everything is recorded over constants and positions, so that a new array fuses with what is done to it first.

use std::ops::Range;

use cuprum_core::{DType, Dims, Error, Layout, MAX_DIMS, Number, Op, Order, Result, Scalar, show_shape};
use cuprum_graph::{DeviceRef, eager, fill, iota};

use crate::elementwise::{Arg, assign};
use crate::{Array, default_device};

/// The bytes that an array of this shape takes, or the error that says why there can be no such array.
///
/// ```
/// use cuprum::creation::checked_size;
/// assert_eq!(checked_size(cuprum::cpu(), "zeros", &[2, 3], 8).unwrap(), 48);
/// assert!(checked_size(cuprum::cpu(), "zeros", &[1 << 40, 1 << 40], 8).is_err());
/// ```
pub fn checked_size(device: DeviceRef, op: &'static str, shape: &[usize], itemsize: usize) -> Result<usize> {
    if shape.len() > MAX_DIMS {
        let message = format!("at most {MAX_DIMS} dimensions are supported, got {}", shape.len());
        return Err(Error::value(op, message));
    }
    // Strides are products of lengths even where another axis is empty: those must not overflow either.
    let reach = shape
        .iter()
        .try_fold(itemsize, |bytes, &d| bytes.checked_mul(d.max(1)))
        .filter(|bytes| isize::try_from(*bytes).is_ok());
    let Some(bytes) = reach else {
        let message = format!("array of shape {} is too big", show_shape(shape));
        return Err(Error::value(op, message));
    };
    if shape.contains(&0) {
        return Ok(0);
    }
    // Recorded work allocates late; what can never fit must fail here, at the call.
    if bytes / 10 > device.pinned_limit() {
        device.allocate(bytes)?;
    }
    Ok(bytes)
}

/// An array filled with one value, in a memory order; errors name `op`.
pub fn full_ordered(op: &'static str, shape: &[usize], value: Scalar, order: Order) -> Result<Array> {
    full_on(default_device()?, op, shape, value, order)
}

/// An array filled with one value, on a device.
pub(crate) fn full_on(
    device: DeviceRef,
    op: &'static str,
    shape: &[usize],
    value: Scalar,
    order: Order,
) -> Result<Array> {
    let itemsize = value.dtype().size();
    checked_size(device, op, shape, itemsize)?;
    let layout = match order {
        Order::F => Layout::fortran(shape, itemsize),
        _ => Layout::contiguous(shape, itemsize),
    };
    Ok(Array::from_view(fill(device, value, layout)?))
}

/// An array filled with one value.
///
/// ```
/// use cuprum::creation::full_scalar;
/// use cuprum::prelude::*;
/// let a = full_scalar(&[2], Scalar::new("full", Number::Int(7), DType::I32).unwrap()).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![7, 7]);
/// ```
pub fn full_scalar(shape: &[usize], value: Scalar) -> Result<Array> {
    full_ordered("full", shape, value, Order::C)
}

/// An array filled with one value, in the memory order of another array of the same shape.
///
/// ```
/// use cuprum::creation::{full_like, zeros};
/// use cuprum::prelude::*;
/// let a = zeros(&[2, 3], DType::F64).unwrap().transpose();
/// let b = full_like("ones_like", &a, Scalar::wrapping(Number::Int(1), DType::F32), Order::K).unwrap();
/// assert!(b.is_fortran());
/// ```
pub fn full_like(op: &'static str, like: &Array, value: Scalar, order: Order) -> Result<Array> {
    let itemsize = value.dtype().size();
    checked_size(like.device(), op, like.shape(), itemsize)?;
    let layout = like.layout().copied(like.dtype().size(), itemsize, order);
    Ok(Array::from_view(fill(like.device(), value, layout)?))
}

/// An array of zeros.
///
/// ```
/// use cuprum::{DType, creation::zeros};
/// assert_eq!(zeros(&[2], DType::F64).unwrap().to_vec::<f64>().unwrap(), vec![0.0, 0.0]);
/// ```
pub fn zeros(shape: &[usize], dtype: DType) -> Result<Array> {
    full_ordered("zeros", shape, Scalar::zero(dtype), Order::C)
}

/// An array of zeros on a device.
pub(crate) fn zeros_on(device: DeviceRef, shape: &[usize], dtype: DType) -> Result<Array> {
    full_on(device, "zeros", shape, Scalar::zero(dtype), Order::C)
}

/// An array of ones.
///
/// ```
/// use cuprum::{DType, creation::ones};
/// assert_eq!(ones(&[2], DType::U8).unwrap().to_vec::<u8>().unwrap(), vec![1, 1]);
/// ```
pub fn ones(shape: &[usize], dtype: DType) -> Result<Array> {
    full_ordered("ones", shape, Scalar::wrapping(Number::Int(1), dtype), Order::C)
}

/// An uninitialised array.
///
/// ```
/// use cuprum::{DType, Order, creation::empty};
/// assert_eq!(empty(&[2, 3], DType::F64, Order::C).unwrap().shape(), &[2, 3]);
/// ```
pub fn empty(shape: &[usize], dtype: DType, order: Order) -> Result<Array> {
    let device = default_device()?;
    checked_size(device, "empty", shape, dtype.size())?;
    if dtype == DType::Bool {
        // The byte of a bool is 0 or 1, so its memory is cleared.
        return full_ordered("empty", shape, Scalar::zero(dtype), order);
    }
    let layout = match order {
        Order::F => Layout::fortran(shape, dtype.size()),
        _ => Layout::contiguous(shape, dtype.size()),
    };
    Array::uninitialized(device, layout, dtype)
}

/// An uninitialised array in the memory order of another array of the same shape.
///
/// ```
/// use cuprum::creation::empty_like;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2]);
/// assert_eq!(empty_like(&a, DType::F64, Order::K).unwrap().shape(), &[2]);
/// ```
pub fn empty_like(like: &Array, dtype: DType, order: Order) -> Result<Array> {
    if dtype == DType::Bool {
        return full_like("empty_like", like, Scalar::zero(dtype), order);
    }
    checked_size(like.device(), "empty_like", like.shape(), dtype.size())?;
    let layout = like.layout().copied(like.dtype().size(), dtype.size(), order);
    Array::uninitialized(like.device(), layout, dtype)
}

/// Uninitialised memory in C order for a result that is about to be written whole.
pub(crate) fn result_array(op: &'static str, like: &Array, shape: &[usize], dtype: DType) -> Result<Array> {
    checked_size(like.device(), op, shape, dtype.size())?;
    Array::uninitialized(like.device(), Layout::contiguous(shape, dtype.size()), dtype)
}

/// Positions along an axis of a shape, as int64.
pub(crate) fn positions(device: DeviceRef, shape: &[usize], axis: usize) -> Result<Array> {
    Ok(Array::from_view(iota(device, shape, axis)?))
}

/// Evenly spaced values from `start` up to, but without, `stop`: `numpy.arange`.
///
/// ```
/// use cuprum::creation::arange;
/// use cuprum::prelude::*;
/// let a = arange(Number::Int(0), Number::Int(10), Number::Int(3), None).unwrap();
/// assert_eq!(a.to_vec::<i64>().unwrap(), vec![0, 3, 6, 9]);
/// let b = arange(0.0.into(), 1.0.into(), 0.25.into(), None).unwrap();
/// assert_eq!(b.to_vec::<f64>().unwrap(), vec![0.0, 0.25, 0.5, 0.75]);
/// ```
pub fn arange(start: Number, stop: Number, step: Number, dtype: Option<DType>) -> Result<Array> {
    let (start, stop, step) = (bool_as_int(start), bool_as_int(stop), bool_as_int(step));
    let dtype = dtype.unwrap_or_else(|| {
        [stop, step].iter().fold(start.default_dtype(), |d, n| d.promote(n.default_dtype()))
    });
    let length = arange_length(start, stop, step)?;
    let device = default_device()?;
    checked_size(device, "arange", &[length], dtype.size())?;
    if length == 0 {
        return zeros(&[0], dtype);
    }
    let first = Scalar::new("arange", start, dtype)?;
    if length == 1 {
        return full_scalar(&[1], first);
    }
    let second = Scalar::new("arange", plus(start, step), dtype)?;
    if dtype == DType::Bool {
        if length > 2 {
            return Err(Error::type_error("arange", "a range of bool has at most two elements"));
        }
        return Array::from_bytes(&[first.bytes()[0], second.bytes()[0]], &[2], dtype);
    }
    ramp(device, first, second, length)
}

/// `first + i * (second - first)`, computed in the dtype (half precision in float32), with `second` itself at 1.
fn ramp(device: DeviceRef, first: Scalar, second: Scalar, length: usize) -> Result<Array> {
    let dtype = first.dtype();
    let wide = if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype };
    let (base, next) = (first.cast(wide), second.cast(wide));
    let delta = Scalar::wrapping(minus(next.number(), base.number()), wide);
    if dtype == DType::F64 && eager(device, length).is_some() {
        return small_ramp(device, first, delta, second, length);
    }
    let places = positions(device, &[length], 0)?;
    let mut values = if wide == DType::I64 { places.clone() } else { places.astype(wide)? };
    // A step of one and a start of zero change nothing.
    if delta != Scalar::wrapping(Number::Int(1), wide) {
        values = values.binary(Op::Multiply, Arg::Scalar(delta))?;
    }
    // Zero times a negative step is -0.0; adding 0.0 makes it 0.0.
    let falls = match delta.number() {
        Number::Float(by) => by < 0.0,
        Number::Complex(re, im) => re < 0.0 || im < 0.0,
        _ => false,
    };
    if falls || base.bytes().iter().any(|&byte| byte != 0) {
        values = values.binary(Op::Add, Arg::Scalar(base))?;
    }
    if matches!(base.number(), Number::Float(start) if start == 0.0 && start.is_sign_negative()) {
        let at_start = places.binary(Op::Equal, Arg::from(0))?;
        values = at_start.choose_between(Arg::Scalar(base), Arg::Array(&values))?;
    }
    let values = if wide == dtype { values } else { values.astype(dtype)? };
    let reached = Scalar::wrapping(plus(base.number(), delta.number()), wide).cast(dtype);
    if reached == second {
        return Ok(values);
    }
    let at_one = places.binary(Op::Equal, Arg::from(1))?;
    at_one.choose_between(Arg::Scalar(second), Arg::Array(&values))
}

/// As [`ramp`], for few float64 elements: computed by the host in one loop, by the same operations.
fn small_ramp(
    device: DeviceRef,
    first: Scalar,
    delta: Scalar,
    second: Scalar,
    length: usize,
) -> Result<Array> {
    let (from, by) = (parts(first.number()).0, parts(delta.number()).0);
    let mut bytes = Vec::with_capacity(length * size_of::<f64>());
    bytes.extend_from_slice(first.bytes());
    bytes.extend_from_slice(second.bytes());
    for place in 2..length {
        bytes.extend_from_slice(&(place as f64 * by + from).to_ne_bytes());
    }
    Array::made_of(device, &bytes, &[length], DType::F64)
}

/// How many elements `arange` has: the quotient rounded up, and none when it is negative.
///
/// ```
/// use cuprum::{Number, creation::arange_length};
/// assert_eq!(arange_length(Number::Int(0), Number::Int(10), Number::Int(3)).unwrap(), 4);
/// ```
pub fn arange_length(start: Number, stop: Number, step: Number) -> Result<usize> {
    let too_big = || Error::value("arange", "maximum allowed size exceeded");
    let (start, stop, step) = (bool_as_int(start), bool_as_int(stop), bool_as_int(step));
    if let (Number::Int(a), Number::Int(b), Number::Int(s)) = (start, stop, step) {
        if s == 0 {
            return Err(Error::zero_division("arange", "the step must not be zero"));
        }
        let span = if s > 0 { b.checked_sub(a) } else { a.checked_sub(b) }.ok_or_else(too_big)?;
        if span <= 0 {
            return Ok(0);
        }
        let count = (span - 1) as u128 / s.unsigned_abs() + 1;
        return usize::try_from(count).map_err(|_| too_big());
    }
    let (from, to, by) = (parts(start), parts(stop), parts(step));
    if by == (0.0, 0.0) {
        return Err(Error::zero_division("arange", "the step must not be zero"));
    }
    let complex = [start, stop, step].iter().any(|n| matches!(n, Number::Complex(..)));
    let real = (to.0 - from.0) / by.0;
    let quotient = if complex { complex_quotient(from, to, by) } else { real };
    if quotient.is_nan() {
        return Err(Error::value("arange", "cannot compute length"));
    }
    if !complex && quotient == 0.0 && to.0 != from.0 {
        // The quotient underflows to zero: only the sign of the span matters.
        return Ok(usize::from(quotient.is_sign_positive()));
    }
    let count = quotient.ceil();
    if count <= 0.0 {
        return Ok(0);
    }
    if count >= isize::MAX as f64 { Err(too_big()) } else { Ok(count as usize) }
}

/// The smaller part of `(to - from) / by`, which bounds a complex range.
fn complex_quotient(from: (f64, f64), to: (f64, f64), by: (f64, f64)) -> f64 {
    let (re, im) = (to.0 - from.0, to.1 - from.1);
    let modulus = by.0 * by.0 + by.1 * by.1;
    let quotient = ((re * by.0 + im * by.1) / modulus, (im * by.0 - re * by.1) / modulus);
    quotient.0.min(quotient.1)
}

/// The number; a bool as the integer that it is in arithmetic.
fn bool_as_int(n: Number) -> Number {
    match n {
        Number::Bool(b) => Number::Int(b as i128),
        other => other,
    }
}

fn parts(n: Number) -> (f64, f64) {
    match n {
        Number::Bool(b) => (f64::from(b as u8), 0.0),
        Number::Int(i) => (i as f64, 0.0),
        Number::Float(x) | Number::Huge(x) => (x, 0.0),
        Number::Complex(re, im) => (re, im),
    }
}

fn plus(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Number::Int(x.saturating_add(y)),
        (Number::Complex(..), _) | (_, Number::Complex(..)) => {
            let ((x, u), (y, v)) = (parts(a), parts(b));
            Number::Complex(x + y, u + v)
        }
        _ => Number::Float(parts(a).0 + parts(b).0),
    }
}

fn minus(a: Number, b: Number) -> Number {
    match b {
        Number::Int(y) => plus(a, Number::Int(-y)),
        Number::Bool(y) => plus(a, Number::Int(-(y as i128))),
        Number::Float(y) | Number::Huge(y) => plus(a, Number::Float(-y)),
        Number::Complex(re, im) => plus(a, Number::Complex(-re, -im)),
    }
}

/// `num` evenly spaced values from `start` to `stop`, which is the last one where `endpoint` holds.
///
/// ```
/// use cuprum::creation::linspace;
/// let a = linspace(0.0.into(), 1.0.into(), 5, true, None).unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![0.0, 0.25, 0.5, 0.75, 1.0]);
/// ```
pub fn linspace(
    start: Number,
    stop: Number,
    num: i64,
    endpoint: bool,
    dtype: Option<DType>,
) -> Result<Array> {
    let Ok(count) = usize::try_from(num) else {
        return Err(Error::value("linspace", format!("number of samples, {num}, must be non-negative")));
    };
    let complex = [start, stop].iter().any(|n| matches!(n, Number::Complex(..)));
    let inner = if complex { DType::C128 } else { DType::F64 };
    let device = default_device()?;
    checked_size(device, "linspace", &[count], inner.size())?;
    let delta = Scalar::wrapping(minus(as_inexact(stop), as_inexact(start)), inner);
    let divisor = if endpoint { count.saturating_sub(1) } else { count };
    let places = positions(device, &[count], 0)?;
    let ramp = places.astype(inner)?;
    let scaled = if divisor == 0 {
        ramp.binary(Op::Multiply, Arg::Scalar(delta))?
    } else {
        let step = divided(delta, divisor as f64);
        if parts(step.number()) == (0.0, 0.0) {
            let fraction = ramp.binary(Op::Divide, Arg::from(divisor as f64))?;
            fraction.binary(Op::Multiply, Arg::Scalar(delta))?
        } else {
            ramp.binary(Op::Multiply, Arg::Scalar(step))?
        }
    };
    let mut values = scaled.binary(Op::Add, Arg::Scalar(Scalar::wrapping(start, inner)))?;
    if endpoint && count > 1 {
        let last = places.binary(Op::Equal, Arg::from(count - 1))?;
        values = last.choose_between(Arg::Scalar(Scalar::wrapping(stop, inner)), Arg::Array(&values))?;
    }
    let dtype = dtype.unwrap_or(inner);
    if dtype.is_integral() && dtype != DType::Bool && !complex {
        values = values.unary(Op::Floor)?;
    }
    if dtype == inner { Ok(values) } else { values.astype(dtype) }
}

fn as_inexact(n: Number) -> Number {
    match n {
        Number::Complex(..) => n,
        _ => Number::Float(parts(n).0),
    }
}

fn divided(value: Scalar, by: f64) -> Scalar {
    let number = match value.number() {
        Number::Complex(re, im) => Number::Complex(re / by, im / by),
        other => Number::Float(parts(other).0 / by),
    };
    Scalar::wrapping(number, value.dtype())
}

/// `column - row` compared with `k` over a matrix, from which `eye`, `tri`, `tril` and `triu` are made.
fn band(device: DeviceRef, op: &'static str, shape: &[usize], k: i64, compare: Op) -> Result<Array> {
    checked_size(device, op, shape, DType::I64.size())?;
    let ndim = shape.len();
    let (rows, columns) = (shape[ndim - 2] as i64, shape[ndim - 1] as i64);
    let k = k.clamp(-rows - 1, columns + 1);
    let shifted = positions(device, shape, ndim - 2)?.binary(Op::Add, Arg::from(k))?;
    shifted.binary(compare, Arg::Array(&positions(device, shape, ndim - 1)?))
}

/// Ones on the diagonal `k` of an `n` by `m` matrix, zeros elsewhere.
///
/// ```
/// use cuprum::{DType, creation::eye};
/// let a = eye(2, 3, 1, DType::F64).unwrap();
/// assert_eq!(a.to_vec::<f64>().unwrap(), vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
/// ```
pub fn eye(n: usize, m: usize, k: i64, dtype: DType) -> Result<Array> {
    let device = default_device()?;
    let ones = |row: usize| {
        let column = usize::try_from((row as i64).saturating_add(k)).unwrap_or(m).min(m);
        column..(column + 1).min(m)
    };
    if let Some(made) = small_matrix(device, (n, m), dtype, ones) {
        return made;
    }
    band(device, "eye", &[n, m], k, Op::Equal)?.astype(dtype)
}

/// A small matrix, written by the host, with ones in a range of each row's columns and zeros elsewhere; `None` if the
/// matrix is not small.
fn small_matrix(
    device: DeviceRef,
    (rows, columns): (usize, usize),
    dtype: DType,
    ones: impl Fn(usize) -> Range<usize>,
) -> Option<Result<Array>> {
    let elements = rows.checked_mul(columns)?;
    if elements == 0 || eager(device, elements).is_none() {
        return None;
    }
    let size = dtype.size();
    let one = Scalar::wrapping(Number::Int(1), dtype);
    let mut bytes = vec![0; elements * size];
    for (row, line) in bytes.chunks_exact_mut(columns * size).enumerate() {
        let Range { start, end } = ones(row);
        line[start * size..end * size].chunks_exact_mut(size).for_each(|to| to.copy_from_slice(one.bytes()));
    }
    Some(Array::made_of(device, &bytes, &[rows, columns], dtype))
}

/// The square matrix with ones on the main diagonal.
///
/// ```
/// use cuprum::{DType, creation::identity};
/// assert_eq!(identity(2, DType::I32).unwrap().to_vec::<i32>().unwrap(), vec![1, 0, 0, 1]);
/// ```
pub fn identity(n: usize, dtype: DType) -> Result<Array> {
    eye(n, n, 0, dtype)
}

/// Ones at and below the diagonal `k` of an `n` by `m` matrix, zeros above.
///
/// ```
/// use cuprum::{DType, creation::tri};
/// assert_eq!(tri(2, 3, 0, DType::I32).unwrap().to_vec::<i32>().unwrap(), vec![1, 0, 0, 1, 1, 0]);
/// ```
pub fn tri(n: usize, m: usize, k: i64, dtype: DType) -> Result<Array> {
    let device = default_device()?;
    let ones =
        |row: usize| 0..usize::try_from((row as i64).saturating_add(k).saturating_add(1)).unwrap_or(0).min(m);
    if let Some(made) = small_matrix(device, (n, m), dtype, ones) {
        return made;
    }
    band(device, "tri", &[n, m], k, Op::GreaterEqual)?.astype(dtype)
}

/// The elements at and below the diagonal `k` of the last two axes; zeros above.
///
/// ```
/// use cuprum::creation::tril;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(tril(&a, 0).unwrap().to_vec::<i32>().unwrap(), vec![1, 0, 3, 4]);
/// ```
pub fn tril(a: &Array, k: i64) -> Result<Array> {
    triangle("tril", a, k, Op::GreaterEqual)
}

/// The elements at and above the diagonal `k` of the last two axes; zeros below.
///
/// ```
/// use cuprum::creation::triu;
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(triu(&a, 0).unwrap().to_vec::<i32>().unwrap(), vec![1, 2, 0, 4]);
/// ```
pub fn triu(a: &Array, k: i64) -> Result<Array> {
    triangle("triu", a, k, Op::LessEqual)
}

fn triangle(op: &'static str, a: &Array, k: i64, compare: Op) -> Result<Array> {
    let shape = match *a.shape() {
        [] => return Err(Error::value(op, "array must have at least one dimension")),
        // A vector is repeated as every row, as NumPy does.
        [n] => [n, n],
        [.., rows, columns] => [rows, columns],
    };
    let keep = band(a.device(), op, &shape, k, compare)?;
    keep.choose_between(Arg::Array(a), Arg::Scalar(Scalar::zero(a.dtype())))
}

/// The matrix with a vector on its diagonal `k`, or the diagonal of a matrix (a view, not writeable).
///
/// ```
/// use cuprum::creation::diag;
/// use cuprum::prelude::*;
/// let m = diag(&Array::from_slice(&[1, 2]), 0).unwrap();
/// assert_eq!(m.to_vec::<i32>().unwrap(), vec![1, 0, 0, 2]);
/// assert_eq!(diag(&m, 0).unwrap().to_vec::<i32>().unwrap(), vec![1, 2]);
/// ```
pub fn diag(v: &Array, k: i64) -> Result<Array> {
    match v.ndim() {
        1 => {
            let overflow = || Error::value("diag", format!("diagonal {k} is too far out"));
            let skip = usize::try_from(k.unsigned_abs()).map_err(|_| overflow())?;
            let n = v.size().checked_add(skip).ok_or_else(overflow)?;
            checked_size(v.device(), "diag", &[n, n], v.dtype().size())?;
            let out = zeros_on(v.device(), &[n, n], v.dtype())?;
            let target = out.with_layout(out.layout().diagonal(k, 0, 1));
            assign("diag", &target, Arg::Array(v), None)?;
            Ok(out)
        }
        2 => crate::manipulation::diagonal(v, k, 0, 1),
        n => Err(Error::value("diag", format!("input must be 1- or 2-dimensional, not {n}-dimensional"))),
    }
}

/// The grid of positions: `out[axis]` holds the position along that axis, for every element of `dims`.
///
/// ```
/// use cuprum::{DType, creation::indices};
/// let g = indices(&[2, 2], DType::I64).unwrap();
/// assert_eq!(g.to_vec::<i64>().unwrap(), vec![0, 0, 1, 1, 0, 1, 0, 1]);
/// ```
pub fn indices(dims: &[usize], dtype: DType) -> Result<Array> {
    let mut shape = Dims::from_slice(dims);
    shape.insert(0, dims.len());
    let device = default_device()?;
    checked_size(device, "indices", &shape, dtype.size())?;
    let out = Array::uninitialized(device, Layout::contiguous(&shape, dtype.size()), dtype)?;
    for axis in 0..dims.len() {
        let part = out.with_layout(out.layout().slice_axis(0, axis, 1, 1).remove_axis(0));
        assign("indices", &part, Arg::Array(&positions(device, dims, axis)?), None)?;
    }
    Ok(out)
}
