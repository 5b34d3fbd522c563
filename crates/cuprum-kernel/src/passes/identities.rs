//! Simpler ops that do the same: `x + 0` is `x`, a sum of a sum is one sum, what is known is a number.

use super::fold;
use super::value_numbering::{Known, ValueNumber, Values};
use crate::ir::{Binary, Compare, Convert, Local, Op, Type};

/// Whether the operands may change places without any bit changing.
pub fn is_commutative(op: Binary) -> bool {
    matches!(
        op,
        Binary::Add
            | Binary::Mul
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::MinS
            | Binary::MinU
            | Binary::MaxS
            | Binary::MaxU
            | Binary::MulHighS
            | Binary::MulHighU
    )
}

/// A cheaper op with the same result, if there is one.
pub fn simpler(values: &mut Values<'_>, op: &Op) -> Option<Op> {
    let dst = op.dst()?;
    if let Op::Copy { src, .. } = op {
        let value = values.of(*src);
        return values.constant(value).map(|bits| Op::Const { dst, bits });
    }
    if matches!(op, Op::Const { .. }) {
        return None;
    }
    if let Some(bits) = values.folded(op) {
        return Some(Op::Const { dst, bits });
    }
    let by_identity = match op {
        Op::Binary { op, a, b, .. } => binary(values, dst, *op, *a, *b),
        Op::Compare { op, a, b, .. } => compare(values, dst, *op, *a, *b),
        Op::Convert { kind, src, .. } => convert(values, dst, *kind, *src),
        Op::Select { cond, a, b, .. } => select(values, dst, *cond, *a, *b),
        _ => None,
    };
    let op = by_identity.as_ref().unwrap_or(op);
    if !matches!(op, Op::Const { .. } | Op::Copy { .. })
        && let Some(value) = values.computed(op)
    {
        if let Some(bits) = values.constant(value) {
            return Some(Op::Const { dst, bits });
        }
        if let Some(src) = values.holder(value) {
            return Some(Op::Copy { dst, src });
        }
    }
    by_identity
}

fn binary(values: &mut Values<'_>, dst: Local, op: Binary, a: Local, b: Local) -> Option<Op> {
    let (mut a, mut b) = (a, b);
    let (mut left, mut right) = (values.of(a), values.of(b));
    // Numbers stand on the right.
    if is_commutative(op) && values.constant(left).is_some() {
        std::mem::swap(&mut a, &mut b);
        std::mem::swap(&mut left, &mut right);
    }
    let ty = values.type_of(left);
    let all = fold::mask(ty);
    let copy = |src| Some(Op::Copy { dst, src });
    let number = |bits| Some(Op::Const { dst, bits });
    if left == right && !ty.is_float() {
        match op {
            Binary::And | Binary::Or | Binary::MinS | Binary::MinU | Binary::MaxS | Binary::MaxU => {
                return copy(a);
            }
            Binary::Xor | Binary::Sub => return number(0),
            _ => {}
        }
    }
    let Some(bits) = values.constant(right) else {
        let swapped = Op::Binary { dst, op, a, b };
        return Some(swapped);
    };
    match (op, bits) {
        (
            Binary::Add | Binary::Sub | Binary::Or | Binary::Xor | Binary::Shl | Binary::ShrS | Binary::ShrU,
            0,
        ) => copy(a),
        (Binary::Mul | Binary::DivS | Binary::DivU, 1) => copy(a),
        (Binary::Mul | Binary::And, 0) | (Binary::RemU, 1) => number(0),
        (Binary::And, bits) if bits == all => copy(a),
        (Binary::FMul | Binary::FDiv, bits) if fold::float(ty, bits) == 1.0 => copy(a),
        (Binary::Add, by) => Some(moved(values, dst, op, (left, a, b), by)),
        (Binary::Sub, by) => Some(moved(values, dst, op, (left, a, b), by.wrapping_neg())),
        _ => Some(Op::Binary { dst, op, a, b }),
    }
}

/// `(x + c) + -c` is `x`.
fn moved(values: &Values<'_>, dst: Local, op: Binary, operands: (ValueNumber, Local, Local), by: u64) -> Op {
    let (left, a, b) = operands;
    if let Known::Sum(inner, more) = values.known(left)
        && let Some(src) = values.holder(inner)
        && by.wrapping_add(more) & fold::mask(values.type_of(left)) == 0
    {
        return Op::Copy { dst, src };
    }
    Op::Binary { dst, op, a, b }
}

fn compare(values: &mut Values<'_>, dst: Local, op: Compare, a: Local, b: Local) -> Option<Op> {
    let (left, right) = (values.of(a), values.of(b));
    let number = |holds: bool| Some(Op::Const { dst, bits: u64::from(holds) });
    if left == right && !op.is_float() {
        return number(matches!(op, Compare::Eq | Compare::LeS | Compare::GeS | Compare::LeU | Compare::GeU));
    }
    if values.constant(right) != Some(0) {
        return None;
    }
    match op {
        Compare::LtU => number(false),
        Compare::GeU => number(true),
        Compare::Eq | Compare::Ne if values.known(left) == Known::Address => number(op == Compare::Ne),
        // A truth value is other than zero where it is one.
        Compare::Ne => truth(values, left).map(|src| Op::Copy { dst, src }),
        Compare::Eq => match values.known(left) {
            Known::IsZero(inner) => truth(values, inner).map(|src| Op::Copy { dst, src }),
            _ => None,
        },
        _ => None,
    }
}

/// The local of a truth value, without widening.
fn truth(values: &Values<'_>, value: ValueNumber) -> Option<Local> {
    let mut value = value;
    while let Known::Converted(Convert::ZeroExtend, inner) = values.known(value) {
        value = inner;
    }
    if values.is_truth(value) && values.type_of(value) == Type::BOOL { values.holder(value) } else { None }
}

fn convert(values: &mut Values<'_>, dst: Local, kind: Convert, src: Local) -> Option<Op> {
    let value = values.of(src);
    let Known::Converted(before, inner) = values.known(value) else { return None };
    let to = values.type_of_local(dst);
    let from = values.type_of(inner);
    let src = values.holder(inner)?;
    match (before, kind) {
        (Convert::Bits, Convert::Bits) | (Convert::Promote, Convert::Demote) => Some(Op::Copy { dst, src }),
        (Convert::ZeroExtend | Convert::SignExtend, Convert::Narrow) if to == from => {
            Some(Op::Copy { dst, src })
        }
        (Convert::ZeroExtend | Convert::SignExtend, Convert::Narrow) if to.bytes() > from.bytes() => {
            Some(Op::Convert { dst, kind: before, src })
        }
        (Convert::ZeroExtend | Convert::SignExtend | Convert::Narrow, Convert::Narrow)
        | (Convert::ZeroExtend, Convert::ZeroExtend)
        | (Convert::SignExtend, Convert::SignExtend) => Some(Op::Convert { dst, kind, src }),
        (Convert::ZeroExtend, Convert::SignExtend) => {
            Some(Op::Convert { dst, kind: Convert::ZeroExtend, src })
        }
        _ => None,
    }
}

fn select(values: &mut Values<'_>, dst: Local, cond: Local, a: Local, b: Local) -> Option<Op> {
    let (condition, left, right) = (values.of(cond), values.of(a), values.of(b));
    if let Some(bits) = values.constant(condition) {
        return Some(Op::Copy { dst, src: if bits != 0 { a } else { b } });
    }
    if left == right {
        return Some(Op::Copy { dst, src: a });
    }
    if values.type_of_local(dst) == Type::BOOL
        && values.constant(left) == Some(1)
        && values.constant(right) == Some(0)
        && let Some(src) = truth(values, condition)
    {
        return Some(Op::Copy { dst, src });
    }
    // `c ? 1 : b` and `c ? c : b` are `c | b`; `c ? b : 0` and `c ? b : c` are `c & b`.
    if values.type_of_local(dst) == Type::BOOL && values.is_truth(left) && values.is_truth(right) {
        let truth = truth(values, condition);
        if let Some(c) = truth.filter(|_| values.constant(left) == Some(1) || left == condition) {
            return Some(Op::Binary { dst, op: Binary::Or, a: c, b });
        }
        if let Some(c) = truth.filter(|_| values.constant(right) == Some(0) || right == condition) {
            return Some(Op::Binary { dst, op: Binary::And, a: c, b: a });
        }
    }
    let (cond, negated) = values.condition(condition)?;
    let (a, b) = if negated { (b, a) } else { (a, b) };
    Some(Op::Select { dst, cond, a, b })
}
