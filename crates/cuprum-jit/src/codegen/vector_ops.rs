//! Arithmetic on four threads at a time: unary and binary ops, comparisons, conversions.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::ir::{Binary, Compare, Convert, Local, Op, Type, Unary};

use super::emitter::Emitter;
use super::lane_variation::UNIFORM;
use super::lanes::{Wide, is_two, vector};

impl Emitter<'_, '_> {
    /// An op as vectors; none where it has no such form.
    pub(super) fn vector_op(&mut self, op: &Op) -> Option<Wide> {
        match op {
            Op::Copy { src, .. } => Some(self.wide(*src)),
            Op::Unary { dst, op, src } => self.vector_unary(self.ty(*dst), *op, *src),
            Op::Binary { dst, op, a, b } => self.vector_binary(self.ty(*dst), *op, *a, *b),
            Op::Compare { op, a, b, .. } => self.vector_compare(*op, *a, *b),
            Op::Convert { dst, kind, src } => self.vector_convert(self.ty(*dst), *kind, *src),
            Op::Select { dst, cond, a, b } => {
                let (x, y) = (self.wide(*a), self.wide(*b));
                if self.shape(*cond) == UNIFORM {
                    let cond = self.get(*cond);
                    return Some(self.each(x, y, |e, x, y| e.b.ins().select(cond, x, y)));
                }
                let ty = self.ty(*dst);
                let mask = self.mask(*cond)?;
                let (low, high) = if is_two(ty) {
                    (self.b.ins().swiden_low(mask), self.b.ins().swiden_high(mask))
                } else {
                    (mask, mask)
                };
                let choose = |e: &mut Self, mask: Value, x: Value, y: Value| {
                    let mask = e.same_bits(vector(ty), mask);
                    e.b.ins().bitselect(mask, x, y)
                };
                Some(match (x, y) {
                    (Wide::Two(x0, x1), Wide::Two(y0, y1)) => {
                        Wide::Two(choose(self, low, x0, y0), choose(self, high, x1, y1))
                    }
                    (Wide::One(x) | Wide::Two(x, _), Wide::One(y) | Wide::Two(y, _)) => {
                        Wide::One(choose(self, low, x, y))
                    }
                })
            }
            Op::Fma { a, b, c, .. } if self.unit.has_fma => {
                let (a, b, c) = (self.wide(*a), self.wide(*b), self.wide(*c));
                Some(match (a, b, c) {
                    (Wide::Two(a0, a1), Wide::Two(b0, b1), Wide::Two(c0, c1)) => {
                        Wide::Two(self.b.ins().fma(a0, b0, c0), self.b.ins().fma(a1, b1, c1))
                    }
                    (Wide::One(a), Wide::One(b), Wide::One(c)) => Wide::One(self.b.ins().fma(a, b, c)),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// One op on each pair of vectors.
    fn each(&mut self, x: Wide, y: Wide, mut op: impl FnMut(&mut Self, Value, Value) -> Value) -> Wide {
        match (x, y) {
            (Wide::Two(x0, x1), Wide::Two(y0, y1)) => Wide::Two(op(self, x0, y0), op(self, x1, y1)),
            (Wide::One(x) | Wide::Two(x, _), Wide::One(y) | Wide::Two(y, _)) => Wide::One(op(self, x, y)),
        }
    }

    fn vector_unary(&mut self, ty: Type, op: Unary, src: Local) -> Option<Wide> {
        let narrow = ty.bytes() < 4;
        let known = match op {
            Unary::Neg | Unary::Not => !narrow,
            Unary::FNeg | Unary::FAbs | Unary::Sqrt => true,
            Unary::Ceil | Unary::Floor | Unary::Trunc | Unary::Nearest => true,
            _ => false,
        };
        if !known {
            return None;
        }
        let x = self.wide(src);
        Some(self.each(x, x, |e, x, _| match op {
            Unary::Neg => e.b.ins().ineg(x),
            Unary::Not => e.b.ins().bnot(x),
            Unary::FNeg => e.b.ins().fneg(x),
            Unary::FAbs => e.b.ins().fabs(x),
            Unary::Sqrt => e.b.ins().sqrt(x),
            Unary::Ceil => e.b.ins().ceil(x),
            Unary::Floor => e.b.ins().floor(x),
            Unary::Trunc => e.b.ins().trunc(x),
            _ => e.b.ins().nearest(x),
        }))
    }

    fn vector_binary(&mut self, ty: Type, op: Binary, a: Local, b: Local) -> Option<Wide> {
        let (narrow, two) = (ty.bytes() < 4, is_two(ty));
        let known = match op {
            Binary::And | Binary::Or | Binary::Xor => true,
            Binary::Add | Binary::Sub => !narrow,
            Binary::Mul => !narrow && !two,
            Binary::MinS | Binary::MinU | Binary::MaxS | Binary::MaxU => !narrow && !two,
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => true,
            Binary::Shl | Binary::ShrU | Binary::ShrS => return self.vector_shift(ty, op, a, b),
            Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU => {
                return self.vector_divide(ty, op, a, b);
            }
            _ => false,
        };
        if !known {
            return None;
        }
        let (x, y) = (self.wide(a), self.wide(b));
        Some(self.each(x, y, |e, x, y| match op {
            Binary::And => e.b.ins().band(x, y),
            Binary::Or => e.b.ins().bor(x, y),
            Binary::Xor => e.b.ins().bxor(x, y),
            Binary::Add => e.b.ins().iadd(x, y),
            Binary::Sub => e.b.ins().isub(x, y),
            Binary::Mul => e.b.ins().imul(x, y),
            Binary::MinS => e.b.ins().smin(x, y),
            Binary::MinU => e.b.ins().umin(x, y),
            Binary::MaxS => e.b.ins().smax(x, y),
            Binary::MaxU => e.b.ins().umax(x, y),
            Binary::FAdd => e.b.ins().fadd(x, y),
            Binary::FSub => e.b.ins().fsub(x, y),
            Binary::FMul => e.b.ins().fmul(x, y),
            Binary::FDiv => e.b.ins().fdiv(x, y),
            _ => e.vector_extremum(ty, x, y, op == Binary::FMax),
        }))
    }

    /// The smaller or larger; the other one where one is NaN.
    fn vector_extremum(&mut self, ty: Type, x: Value, y: Value, larger: bool) -> Value {
        let value = if larger { self.b.ins().fmax(x, y) } else { self.b.ins().fmin(x, y) };
        let x_is_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
        let y_is_nan = self.b.ins().fcmp(FloatCC::Unordered, y, y);
        let (x_is_nan, y_is_nan) =
            (self.same_bits(vector(ty), x_is_nan), self.same_bits(vector(ty), y_is_nan));
        let value = self.b.ins().bitselect(y_is_nan, x, value);
        self.b.ins().bitselect(x_is_nan, y, value)
    }

    /// By a constant alone: vectors have no count for each lane.
    fn vector_shift(&mut self, ty: Type, op: Binary, a: Local, b: Local) -> Option<Wide> {
        let by = self.facts.constant(self.function, b)?;
        let arithmetic64 = op == Binary::ShrS && is_two(ty);
        if ty.bytes() < 4 || arithmetic64 || by >= u64::from(8 * ty.bytes()) {
            return None;
        }
        let x = self.wide(a);
        let by = self.b.ins().iconst(types::I32, by as i64);
        Some(self.each(x, x, |e, x, _| match op {
            Binary::Shl => e.b.ins().ishl(x, by),
            Binary::ShrS => e.b.ins().sshr(x, by),
            _ => e.b.ins().ushr(x, by),
        }))
    }

    /// By a constant power of two alone, by shifts and masks.
    fn vector_divide(&mut self, ty: Type, op: Binary, a: Local, b: Local) -> Option<Wide> {
        let by = power_of_two(ty, op, self.facts.constant(self.function, b)?)?;
        let bits = 8 * ty.bytes();
        let rest = self.number(ty, (1 << by) - 1);
        let rest = self.spread(ty, rest, UNIFORM);
        let x = self.wide(a);
        let shift = |e: &mut Self, x: Value, by: u32, signed: bool| {
            let by = e.b.ins().iconst(types::I32, i64::from(by));
            if signed { e.b.ins().sshr(x, by) } else { e.b.ins().ushr(x, by) }
        };
        Some(self.each(x, rest, |e, x, rest| match op {
            Binary::RemU => e.b.ins().band(x, rest),
            Binary::DivU => shift(e, x, by, false),
            _ if by == 0 => {
                if op == Binary::DivS {
                    x
                } else {
                    e.b.ins().bxor(x, x)
                }
            }
            _ => {
                // Rounded towards zero: negative numbers get the rest added before.
                let sign = shift(e, x, bits - 1, true);
                let added = shift(e, sign, bits - by, false);
                let sum = e.b.ins().iadd(x, added);
                if op == Binary::DivS {
                    return shift(e, sum, by, true);
                }
                let multiple = e.b.ins().band_not(sum, rest);
                e.b.ins().isub(x, multiple)
            }
        }))
    }

    fn vector_compare(&mut self, op: Compare, a: Local, b: Local) -> Option<Wide> {
        let ty = self.ty(a);
        let signed = matches!(op, Compare::LtS | Compare::LeS | Compare::GtS | Compare::GeS);
        // Two vectors of 64-bit integers have no unsigned order on every processor.
        let unsigned = matches!(op, Compare::LtU | Compare::LeU | Compare::GtU | Compare::GeU);
        if ty.bytes() < 4 && signed || ty == Type::I64 && unsigned {
            return None;
        }
        let (x, y) = (self.wide(a), self.wide(b));
        let masks = self.each(x, y, |e, x, y| match int_condition(op) {
            Ok(condition) => e.b.ins().icmp(condition, x, y),
            Err(condition) => e.b.ins().fcmp(condition, x, y),
        });
        let mask = match masks {
            Wide::One(mask) => mask,
            Wide::Two(low, high) => self.low_words(low, high),
        };
        let ones = self.constants32([1; 4]);
        let truth = self.b.ins().band(mask, ones);
        self.lanes().masks.insert(truth, mask);
        Some(Wide::One(truth))
    }

    /// All bits of the lanes whose condition is not zero.
    pub(super) fn mask(&mut self, cond: Local) -> Option<Value> {
        match self.wide(cond) {
            Wide::One(x) => {
                if let Some(mask) = self.lanes().masks.get(&x) {
                    return Some(*mask);
                }
                let zero = self.constants32([0; 4]);
                Some(self.b.ins().icmp(IntCC::NotEqual, x, zero))
            }
            Wide::Two(..) => None,
        }
    }

    fn vector_convert(&mut self, to: Type, kind: Convert, src: Local) -> Option<Wide> {
        let from = self.ty(src);
        match (kind, from, to) {
            (Convert::SignExtend | Convert::ZeroExtend | Convert::Narrow | Convert::Bits, a, b) if a == b => {
                Some(self.wide(src))
            }
            (Convert::SignExtend, Type::I8 | Type::I16, Type::I32 | Type::I64) => {
                let Wide::One(x) = self.wide(src) else { return None };
                let by = self.b.ins().iconst(types::I32, i64::from(32 - 8 * from.bytes()));
                let high = self.b.ins().ishl(x, by);
                let signed = self.b.ins().sshr(high, by);
                if to == Type::I32 {
                    return Some(Wide::One(signed));
                }
                Some(Wide::Two(self.b.ins().swiden_low(signed), self.b.ins().swiden_high(signed)))
            }
            (Convert::ZeroExtend, Type::I8 | Type::I16, Type::I16 | Type::I32) => Some(self.wide(src)),
            (Convert::SignExtend, Type::I32, Type::I64) => {
                let Wide::One(x) = self.wide(src) else { return None };
                Some(Wide::Two(self.b.ins().swiden_low(x), self.b.ins().swiden_high(x)))
            }
            (Convert::ZeroExtend, _, Type::I64) => {
                let Wide::One(x) = self.wide(src) else { return None };
                Some(Wide::Two(self.b.ins().uwiden_low(x), self.b.ins().uwiden_high(x)))
            }
            (Convert::Narrow, _, _) => {
                let x = match self.wide(src) {
                    Wide::One(x) => x,
                    Wide::Two(low, high) => self.low_words(low, high),
                };
                if to == Type::I32 {
                    return Some(Wide::One(x));
                }
                let kept = self.constants32([(1 << (8 * to.bytes())) - 1; 4]);
                Some(Wide::One(self.b.ins().band(x, kept)))
            }
            (Convert::FromS, Type::I32, Type::F32) => {
                let Wide::One(x) = self.wide(src) else { return None };
                Some(Wide::One(self.b.ins().fcvt_from_sint(types::F32X4, x)))
            }
            (Convert::ToS, Type::F32, Type::I32) => {
                let Wide::One(x) = self.wide(src) else { return None };
                Some(Wide::One(self.b.ins().fcvt_to_sint_sat(types::I32X4, x)))
            }
            (Convert::Promote, Type::F32, Type::F64) => {
                let Wide::One(x) = self.wide(src) else { return None };
                let upper = self.pick(
                    x,
                    x,
                    types::F32X4,
                    [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15],
                );
                Some(Wide::Two(self.b.ins().fvpromote_low(x), self.b.ins().fvpromote_low(upper)))
            }
            (Convert::Demote, Type::F64, Type::F32) => {
                let Wide::Two(low, high) = self.wide(src) else { return None };
                let (low, high) = (self.b.ins().fvdemote(low), self.b.ins().fvdemote(high));
                Some(Wide::One(self.low_halves(low, high, types::F32X4)))
            }
            (Convert::Bits, _, _) => {
                let x = self.wide(src);
                Some(self.each(x, x, |e, x, _| e.same_bits(vector(to), x)))
            }
            _ => None,
        }
    }
}

/// The logarithm of what a vector can be divided by.
pub(super) fn power_of_two(ty: Type, op: Binary, by: u64) -> Option<u32> {
    let signed = matches!(op, Binary::DivS | Binary::RemS);
    let sign = signed && by >> (8 * ty.bytes() - 1) != 0;
    let known = ty == Type::I32 || ty == Type::I64 && !signed;
    (known && by.is_power_of_two() && !sign).then(|| by.trailing_zeros())
}

fn int_condition(op: Compare) -> Result<IntCC, FloatCC> {
    Ok(match op {
        Compare::Eq => IntCC::Equal,
        Compare::Ne => IntCC::NotEqual,
        Compare::LtS => IntCC::SignedLessThan,
        Compare::LeS => IntCC::SignedLessThanOrEqual,
        Compare::GtS => IntCC::SignedGreaterThan,
        Compare::GeS => IntCC::SignedGreaterThanOrEqual,
        Compare::LtU => IntCC::UnsignedLessThan,
        Compare::LeU => IntCC::UnsignedLessThanOrEqual,
        Compare::GtU => IntCC::UnsignedGreaterThan,
        Compare::GeU => IntCC::UnsignedGreaterThanOrEqual,
        Compare::FEq => return Err(FloatCC::Equal),
        Compare::FNe => return Err(FloatCC::NotEqual),
        Compare::FLt => return Err(FloatCC::LessThan),
        Compare::FLe => return Err(FloatCC::LessThanOrEqual),
        Compare::FGt => return Err(FloatCC::GreaterThan),
        Compare::FGe => return Err(FloatCC::GreaterThanOrEqual),
    })
}
