//! Which loop of an op runs for given operands, as NumPy 2 resolves it.

use smallvec::SmallVec;

use super::{Inputs, Op, Output};
use crate::{Casting, DType, Error, Number, Result, Scalar, Weak, result_type};

/// An operand as type resolution sees it: a dtype, or a Python scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OperandType {
    /// An array or typed scalar.
    Typed(DType),
    /// A Python scalar, which takes its neighbours' dtype where its kind allows.
    Weak(Number),
}

/// The dtypes an op runs with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The dtype of the loop.
    pub dtype: DType,
    /// The dtype of the result.
    pub output: DType,
}

/// The loop of `op` for these operands; `dtype` asks for a loop by its result, as the `dtype=` keyword does.
///
/// ```
/// use cuprum_core::ops::{Op, OperandType, resolve};
/// use cuprum_core::{Casting, DType, Number};
/// let s = resolve(Op::Sqrt, &[OperandType::Typed(DType::I8)], None, Casting::SameKind).unwrap();
/// assert_eq!(s.dtype, DType::F16);
/// let s = resolve(Op::Less, &[OperandType::Typed(DType::I8), OperandType::Weak(Number::Int(3))], None, Casting::SameKind).unwrap();
/// assert_eq!((s.dtype, s.output), (DType::I8, DType::Bool));
/// ```
pub fn resolve(
    op: Op,
    operands: &[OperandType],
    dtype: Option<DType>,
    casting: Casting,
) -> Result<Signature> {
    if dtype.is_none()
        && let Some(found) = common_loop(op, operands, casting)
    {
        return Ok(Signature { dtype: found, output: op.output(found) });
    }
    if dtype.is_none() && operands.iter().all(|o| matches!(o, OperandType::Weak(_))) {
        return resolve_python_scalars(op, operands, casting);
    }
    let typed: SmallVec<[DType; 3]> = relevant(op, operands).filter_map(concrete).collect();
    let weak: SmallVec<[Weak; 3]> = relevant(op, operands).filter_map(weakness).collect();
    let common = result_type(&typed, &weak);
    let no_loop =
        || Error::NoLoop { op: op.name().into(), dtypes: operands.iter().map(shown_dtype).collect() };
    if let (Inputs::ExponentSecond, [number, exponent]) = (op.row().inputs, operands) {
        if !takes_exponent(exponent) || dtype.is_some_and(|wanted| !is_held(number, exponent, wanted)) {
            return Err(no_loop());
        }
        if let (OperandType::Typed(_), OperandType::Weak(exponent)) = (number, exponent) {
            Scalar::new(op.name(), *exponent, DType::I32)?;
        }
    }
    let Some(wanted) = dtype else {
        let found = match (op.row().inputs, operands) {
            // A Python integer takes the narrowest dtype that there is.
            (Inputs::ExponentSecond, [OperandType::Weak(Number::Int(_) | Number::Huge(_)), _]) => DType::F16,
            _ => first_loop(op, common, &typed, !weak.is_empty()).ok_or_else(no_loop)?,
        };
        if !matches!(casting, Casting::SameKind | Casting::Unsafe) {
            // The loop was found by safe casts, which a narrower rule may forbid.
            check_inputs(op, operands, found, casting)?;
        }
        return Ok(Signature { dtype: found, output: op.output(found) });
    };
    let found = loop_for_output(op, wanted, common).ok_or_else(no_loop)?;
    check_inputs(op, operands, found, casting)?;
    Ok(Signature { dtype: found, output: op.output(found) })
}

/// The loop of the common dtype of one or two operands, if the op has one: the usual case, without a search.
fn common_loop(op: Op, operands: &[OperandType], casting: Casting) -> Option<DType> {
    let common = match *operands {
        [OperandType::Typed(only)] => only,
        [OperandType::Typed(a), OperandType::Typed(b)] => a.promote(b),
        [OperandType::Typed(a), OperandType::Weak(b)] | [OperandType::Weak(b), OperandType::Typed(a)] => {
            a.with_weak(b.weak()?)
        }
        _ => return None,
    };
    if matches!(casting, Casting::SameKind | Casting::Unsafe) { direct_loop(op, common) } else { None }
}

/// The loop of operands that have a dtype in common, where it needs no search: the dtype's own, or the one that the row's
/// promotion starts from.
///
/// ```
/// use cuprum_core::DType;
/// use cuprum_core::ops::{Op, direct_loop};
/// assert_eq!(direct_loop(Op::Add, DType::F32), Some(DType::F32));
/// assert_eq!(direct_loop(Op::Sqrt, DType::I8), None);
/// ```
#[inline]
pub fn direct_loop(op: Op, common: DType) -> Option<DType> {
    let row = op.row();
    let start = row.promotion.start(common);
    let searches = common == DType::Bool || row.inputs == Inputs::ExponentSecond;
    (!searches && op.has_loop(start)).then_some(start)
}

/// The loop for operands that are all Python scalars: they have the dtypes that arrays made of them would have.
fn resolve_python_scalars(op: Op, operands: &[OperandType], casting: Casting) -> Result<Signature> {
    let typed = operands.iter().map(|operand| match operand {
        OperandType::Weak(number) => {
            let dtype = number.default_dtype();
            Scalar::new(op.name(), *number, dtype).map(|_| OperandType::Typed(dtype)).map_err(|_| {
                Error::type_error(op.name(), "not supported for Python integers of more than 64 bits")
            })
        }
        typed => Ok(*typed),
    });
    resolve(op, &typed.collect::<Result<SmallVec<[OperandType; 3]>>>()?, None, casting)
}

/// Whether every operand may become what the loop takes.
fn check_inputs(op: Op, operands: &[OperandType], found: DType, casting: Casting) -> Result<()> {
    if op.is_logical() {
        // Truth is found in each operand as it is.
        return Ok(());
    }
    let inputs = op.row().inputs;
    for (i, operand) in operands.iter().enumerate().skip(usize::from(inputs == Inputs::ConditionFirst)) {
        let from = shown_dtype(operand);
        let to = match (inputs, i, operand) {
            // Exponents of 32 bits have loops too; Python integers take those.
            (Inputs::ExponentSecond, 1, OperandType::Weak(_)) => DType::I32,
            (Inputs::ExponentSecond, 1, OperandType::Typed(d)) if d.can_cast(DType::I32, Casting::Safe) => {
                DType::I32
            }
            _ => op.input(i, found),
        };
        let allowed = match operand {
            // Integers are compared with Python's by value.
            OperandType::Weak(Number::Int(_)) if op.is_comparison() && is_integer(to) => true,
            OperandType::Typed(_) | OperandType::Weak(Number::Bool(_)) => from.can_cast(to, casting),
            // A number takes any dtype of its kind or a higher one; only "equiv" is strict with it, as in NumPy.
            OperandType::Weak(_) if casting == Casting::Equiv => from == to,
            OperandType::Weak(Number::Int(_) | Number::Huge(_)) if to != DType::Bool => true,
            OperandType::Weak(Number::Float(_)) if !to.is_integral() => true,
            OperandType::Weak(Number::Complex(..)) if to.is_complex() => true,
            OperandType::Weak(_) => from.can_cast(to, casting),
        };
        if !allowed {
            return Err(Error::Cast { op: op.name().into(), from, to, casting });
        }
    }
    Ok(())
}

/// The operands that decide the loop: not the condition of `where`, not the exponent of `ldexp`.
fn relevant(op: Op, operands: &[OperandType]) -> impl Iterator<Item = &OperandType> {
    operands
        .iter()
        .enumerate()
        .filter(move |(i, _)| match op.row().inputs {
            Inputs::ConditionFirst => *i != 0,
            Inputs::ExponentSecond => *i == 0,
            Inputs::Same => true,
        })
        .map(|(_, operand)| operand)
}

fn concrete(operand: &OperandType) -> Option<DType> {
    match operand {
        OperandType::Typed(dtype) => Some(*dtype),
        OperandType::Weak(Number::Bool(_)) => Some(DType::Bool),
        OperandType::Weak(_) => None,
    }
}

fn weakness(operand: &OperandType) -> Option<Weak> {
    match operand {
        OperandType::Weak(number) => number.weak(),
        OperandType::Typed(_) => None,
    }
}

fn shown_dtype(operand: &OperandType) -> DType {
    match operand {
        OperandType::Typed(dtype) => *dtype,
        OperandType::Weak(number) => number.default_dtype(),
    }
}

fn is_integer(dtype: DType) -> bool {
    dtype.is_integral() && dtype != DType::Bool
}

/// `ldexp` takes integer exponents that fit int64.
fn takes_exponent(operand: &OperandType) -> bool {
    match operand {
        OperandType::Typed(d) => d.is_integral() && *d != DType::U64,
        OperandType::Weak(number) => matches!(number, Number::Int(_) | Number::Bool(_)),
    }
}

/// Whether `ldexp` can run in a dtype that was asked for: it converts its first argument safely or not at all.
fn is_held(number: &OperandType, exponent: &OperandType, wanted: DType) -> bool {
    match (number, exponent) {
        (OperandType::Weak(Number::Int(_) | Number::Float(_)), OperandType::Typed(_)) => true,
        _ => shown_dtype(number).can_cast(wanted, Casting::Safe),
    }
}

/// The first loop that every operand casts to safely; with a Python scalar among them, their common dtype must.
fn first_loop(op: Op, common: DType, typed: &[DType], any_weak: bool) -> Option<DType> {
    if common == DType::Bool && op.row().refuses_bool {
        return None;
    }
    let start = op.row().promotion.start(common);
    if op.has_loop(start) {
        return Some(start);
    }
    let each = !any_weak && start == common;
    op.row().loops.chars().filter_map(DType::from_code).find(|&to| {
        if each {
            typed.iter().all(|d| d.can_cast(to, Casting::Safe))
        } else {
            start.can_cast(to, Casting::Safe)
        }
    })
}

/// The loop whose result is `wanted`; comparisons, whose results are all bool, keep the operands' own loop.
fn loop_for_output(op: Op, wanted: DType, common: DType) -> Option<DType> {
    match op.row().output {
        Output::Bool if wanted == DType::Bool => first_loop(op, common, &[common], false),
        Output::UInt8 if wanted == DType::U8 => first_loop(op, common, &[common], false),
        // Results of other dtypes are none of the loop's own.
        Output::Bool | Output::UInt8 => None,
        Output::Real if wanted.is_complex() => None,
        Output::Real if common.is_complex() => match wanted {
            DType::F64 => Some(DType::C128),
            DType::F32 if common == DType::C64 => Some(DType::C64),
            _ => None,
        },
        _ => op.has_loop(wanted).then_some(wanted),
    }
}
