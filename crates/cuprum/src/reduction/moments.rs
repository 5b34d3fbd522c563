//! Means, variances and standard deviations.

use cuprum_core::{Casting, DType, Error, Number, Op, Reduction, Result, Scalar};
use smallvec::SmallVec;

use super::{Axes, ReduceOptions, axes_of, check_out_shape, finish, kept, reduce_op, run};
use crate::elementwise::{Arg, Options, apply};
use crate::{Array, manipulation};

/// How many elements a moment divides by.
enum Divisor {
    /// The same number everywhere.
    Same(f64),
    /// Counted where a mask selects, float64.
    Each(Array),
}

impl Divisor {
    fn of(a: &Array, axes: &Axes, mask: Option<&Array>) -> Result<Divisor> {
        let Some(mask) = mask else {
            let n: usize = axes.iter().map(|&x| a.shape()[x]).product();
            return Ok(Divisor::Same(n as f64));
        };
        let mask = mask.with_layout(mask.layout().broadcast_to("where", a.shape())?);
        Ok(Divisor::Each(run(Reduction::Sum, DType::I64, &mask, axes)?.astype(DType::F64)?))
    }

    /// With degrees of freedom taken away, down to zero.
    fn less(self, ddof: f64) -> Result<Divisor> {
        match self {
            Divisor::Same(n) => Ok(Divisor::Same((n - ddof).max(0.0))),
            Divisor::Each(n) => {
                let plain = Options::default();
                let left = apply(Op::Subtract, &[Arg::Array(&n), Arg::from(ddof)], &plain)?;
                Ok(Divisor::Each(apply(Op::Maximum, &[Arg::Array(&left), Arg::from(0.0)], &plain)?))
            }
        }
    }

    /// A total divided by the count, which is rounded to a real dtype first.
    fn divide(self, total: &Array, dtype: DType) -> Result<Array> {
        let plain = Options::default();
        match self {
            // A number beside elements of the very dtype is rounded to it.
            Divisor::Same(n) if total.dtype() == dtype => {
                apply(Op::Divide, &[Arg::Array(total), Arg::from(n)], &plain)
            }
            Divisor::Same(n) => {
                let n = Scalar::wrapping(Number::Float(n), dtype);
                apply(Op::Divide, &[Arg::Array(total), Arg::Scalar(n)], &plain)
            }
            Divisor::Each(n) => {
                apply(Op::Divide, &[Arg::Array(total), Arg::Array(&n.astype(dtype)?)], &plain)
            }
        }
    }
}

/// The dtype that moments are computed in: half precision in float32, integers in float64.
fn moment_dtype(from: DType, asked: Option<DType>) -> DType {
    match asked.unwrap_or(from.to_inexact()) {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

fn moment_result_dtype(from: DType, asked: Option<DType>) -> DType {
    asked.unwrap_or(from.to_inexact())
}

/// Deviations are real, but a dtype that was asked for is kept.
fn deviation_dtype(from: DType, asked: Option<DType>) -> DType {
    asked.unwrap_or(from.to_inexact().real())
}

/// The mean.
pub fn mean(a: &Array, options: &ReduceOptions<'_>) -> Result<Array> {
    let axes = axes_of("mean", a, options.axes)?;
    if let Some(whole) = options.dtype.filter(|d| d.is_integral()) {
        let mean = whole_mean(a, &axes, whole, options)?;
        return finish("mean", stored_as(mean, whole, options)?, a, &axes, options);
    }
    let dtype = moment_dtype(a.dtype(), options.dtype);
    let inner = ReduceOptions { keepdims: false, out: None, dtype: Some(dtype), ..*options };
    let total = reduce_op("mean", Op::Add, a, &inner)?;
    let result = Divisor::of(a, &axes, options.mask)?.divide(&total, dtype.real())?;
    let result = converted(result, moment_result_dtype(a.dtype(), options.dtype))?;
    finish("mean", result, a, &axes, options)
}

/// The variance: the sum of squared deviations divided by the count less `ddof`.
pub fn var(a: &Array, ddof: f64, options: &ReduceOptions<'_>) -> Result<Array> {
    let axes = axes_of("var", a, options.axes)?;
    if let Some(whole) = options.dtype.filter(|d| d.is_integral()) {
        let result = whole_variance(a, &axes, ddof, whole, options)?;
        return finish("var", stored_as(result, whole, options)?, a, &axes, options);
    }
    let result = variance(a, &axes, ddof, options)?;
    let result = converted(result, deviation_dtype(a.dtype(), options.dtype))?;
    finish("var", result, a, &axes, options)
}

/// The standard deviation: the square root of the variance.
pub fn std(a: &Array, ddof: f64, options: &ReduceOptions<'_>) -> Result<Array> {
    let axes = axes_of("std", a, options.axes)?;
    let root = |of: &Array| apply(Op::Sqrt, &[Arg::Array(of)], &Options::default());
    if let Some(whole) = options.dtype.filter(|d| d.is_integral()) {
        let squared = stored_as(whole_variance(a, &axes, ddof, whole, options)?, whole, options)?;
        let shape = kept(squared.clone(), &axes, options.keepdims).dims();
        let result = root(&squared.astype(DType::F64)?)?;
        check_root_storable(a, &shape, options)?;
        if options.out.is_none() && !shape.is_empty() {
            return Err(no_cast(DType::F64, whole));
        }
        return finish("std", stored_as(result, whole, options)?, a, &axes, options);
    }
    let result = root(&variance(a, &axes, ddof, options)?)?;
    let result = converted(result, deviation_dtype(a.dtype(), options.dtype))?;
    let shape = kept(result.clone(), &axes, options.keepdims).dims();
    check_root_storable(a, &shape, options)?;
    finish("std", result, a, &axes, options)
}

/// Refuses an integer `out`, which cannot hold standard deviations.
fn check_root_storable(a: &Array, shape: &[usize], options: &ReduceOptions<'_>) -> Result<()> {
    let Some(out) = options.out.filter(|out| out.dtype().is_integral()) else { return Ok(()) };
    check_out_shape("std", out, a, shape)?;
    Err(no_cast(DType::F64, out.dtype()))
}

fn no_cast(from: DType, to: DType) -> Error {
    Error::Cast { op: "std".into(), from, to, casting: Casting::SameKind }
}

/// The float64 quotient of a sum in an integer dtype.
fn whole_mean(a: &Array, axes: &Axes, whole: DType, options: &ReduceOptions<'_>) -> Result<Array> {
    let inner = ReduceOptions { keepdims: false, out: None, dtype: Some(whole), ..*options };
    let total = reduce_op("mean", Op::Add, a, &inner)?;
    Divisor::of(a, axes, options.mask)?.divide(&total, DType::F64)
}

/// The variance where an integer dtype was asked for: the mean is cut to it, and the squares are summed in it.
fn whole_variance(
    a: &Array,
    axes: &Axes,
    ddof: f64,
    whole: DType,
    options: &ReduceOptions<'_>,
) -> Result<Array> {
    let plain = Options::default();
    let centre = kept(whole_mean(a, axes, whole, options)?.astype(whole)?, axes, true);
    let deviation = apply(Op::Subtract, &[Arg::Array(a), Arg::Array(&centre)], &plain)?;
    let squares = square_of(&deviation)?;
    let inner = ReduceOptions { keepdims: false, out: None, dtype: Some(whole), ..*options };
    let total = reduce_op("var", Op::Add, &squares, &inner)?;
    Divisor::of(a, axes, options.mask)?.less(ddof)?.divide(&total, DType::F64)
}

/// The squares of moduli.
fn square_of(a: &Array) -> Result<Array> {
    let plain = Options::default();
    if !a.dtype().is_complex() {
        return apply(Op::Square, &[Arg::Array(a)], &plain);
    }
    let part = |of: Array| apply(Op::Square, &[Arg::Array(&of)], &plain);
    let (real, imag) = (part(manipulation::real(a))?, part(manipulation::imag(a)?)?);
    apply(Op::Add, &[Arg::Array(&real), Arg::Array(&imag)], &plain)
}

/// Quotients become the dtype that was asked for; an output takes them as they are.
fn stored_as(quotients: Array, whole: DType, options: &ReduceOptions<'_>) -> Result<Array> {
    if options.out.is_some() { Ok(quotients) } else { converted(quotients, whole) }
}

fn variance(a: &Array, axes: &Axes, ddof: f64, options: &ReduceOptions<'_>) -> Result<Array> {
    let dtype = moment_dtype(a.dtype(), options.dtype);
    let plain = Options::default();
    let squares = match options.mask {
        None if dtype.is_complex() || !a.dtype().is_complex() => run(Reduction::Variance, dtype, a, axes)?,
        mask => {
            let given: SmallVec<[i64; 4]> = axes.iter().map(|&x| x as i64).collect();
            let inner = ReduceOptions {
                axes: Some(&given),
                keepdims: true,
                dtype: Some(dtype),
                mask,
                ..Default::default()
            };
            let centre = mean(a, &inner)?;
            // A real dtype asked for complex elements is that of the mean; the deviations stay complex.
            let wide = if a.dtype().is_complex() { a.dtype().promote(dtype) } else { dtype };
            let options = Options { dtype: Some(wide), casting: Casting::Unsafe, ..plain };
            let deviation = apply(Op::Subtract, &[Arg::Array(a), Arg::Array(&centre)], &options)?;
            let square = square_of(&deviation)?;
            reduce_op("var", Op::Add, &square, &ReduceOptions { keepdims: false, dtype: None, ..inner })?
        }
    };
    Divisor::of(a, axes, options.mask)?.less(ddof)?.divide(&squares, dtype.real())
}

fn converted(a: Array, dtype: DType) -> Result<Array> {
    if a.dtype() == dtype { Ok(a) } else { a.astype(dtype) }
}
