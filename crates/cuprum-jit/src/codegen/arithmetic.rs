//! Numbers: integers that wrap and never trap, floats, comparisons, conversions.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cuprum_kernel::ir::{Binary, Compare, Convert, Local, Type, Unary};

use super::emitter::{Emitter, clif_type};
use crate::entry;

impl Emitter<'_, '_> {
    pub(super) fn unary(&mut self, dst: Local, op: Unary, src: Local) {
        let ty = self.ty(dst);
        let x = self.get(src);
        let value = match op {
            Unary::Neg => self.b.ins().ineg(x),
            Unary::Not => self.b.ins().bnot(x),
            Unary::FNeg => self.b.ins().fneg(x),
            Unary::FAbs => self.b.ins().fabs(x),
            Unary::Sqrt => self.b.ins().sqrt(x),
            Unary::Ceil => self.b.ins().ceil(x),
            Unary::Floor => self.b.ins().floor(x),
            Unary::Trunc => self.b.ins().trunc(x),
            Unary::Nearest => self.b.ins().nearest(x),
            Unary::LeadingZeros => self.b.ins().clz(x),
            Unary::TrailingZeros => self.b.ins().ctz(x),
            Unary::CountOnes => self.b.ins().popcnt(x),
            Unary::ReverseBits => self.b.ins().bitrev(x),
            Unary::ReverseBytes if ty == Type::I8 => x,
            Unary::ReverseBytes => self.b.ins().bswap(x),
        };
        self.set(dst, value);
    }

    pub(super) fn binary(&mut self, dst: Local, op: Binary, a: Local, b: Local) {
        let ty = self.ty(dst);
        let constant = self.facts.constant(self.function, b);
        let x = self.get(a);
        // A path on which `b` was never written must not bring another divisor than the one that was looked at.
        let y = match constant {
            Some(bits) => self.number(ty, bits),
            None => self.get(b),
        };
        let value = match op {
            Binary::Add => self.b.ins().iadd(x, y),
            Binary::Sub => self.b.ins().isub(x, y),
            Binary::Mul => self.b.ins().imul(x, y),
            Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU => self.divide(ty, op, x, y, constant),
            Binary::And => self.b.ins().band(x, y),
            Binary::Or => self.b.ins().bor(x, y),
            Binary::Xor => self.b.ins().bxor(x, y),
            Binary::Shl | Binary::ShrS | Binary::ShrU => self.shift(ty, op, x, y, constant),
            Binary::MinS => self.b.ins().smin(x, y),
            Binary::MinU => self.b.ins().umin(x, y),
            Binary::MaxS => self.b.ins().smax(x, y),
            Binary::MaxU => self.b.ins().umax(x, y),
            Binary::MulHighS | Binary::MulHighU => self.multiply_high(ty, op == Binary::MulHighS, x, y),
            Binary::FAdd => self.b.ins().fadd(x, y),
            Binary::FSub => self.b.ins().fsub(x, y),
            Binary::FMul => self.b.ins().fmul(x, y),
            Binary::FDiv => self.b.ins().fdiv(x, y),
            Binary::FMin => self.extremum(x, y, false),
            Binary::FMax => self.extremum(x, y, true),
            Binary::CopySign => self.b.ins().fcopysign(x, y),
        };
        self.set(dst, value);
    }

    /// Division that never traps: by zero all ones (the dividend for remainders), the smallest number over -1 itself.
    fn divide(&mut self, ty: Type, op: Binary, x: Value, y: Value, constant: Option<u64>) -> Value {
        let bits = 8 * ty.bytes();
        let ones = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let divide = |e: &mut Self, y: Value| match op {
            Binary::DivS => e.b.ins().sdiv(x, y),
            Binary::DivU => e.b.ins().udiv(x, y),
            Binary::RemS => e.b.ins().srem(x, y),
            _ => e.b.ins().urem(x, y),
        };
        let signed = matches!(op, Binary::DivS | Binary::RemS);
        if constant.is_some_and(|c| c & ones != 0 && !(signed && c & ones == ones)) {
            return divide(self, y);
        }
        let zero = self.zero(ty);
        let is_zero = self.b.ins().icmp(IntCC::Equal, y, zero);
        let unsafe_divisor = if signed {
            let minus_one = self.number(ty, ones);
            let smallest = self.number(ty, 1 << (bits - 1));
            let by_minus_one = self.b.ins().icmp(IntCC::Equal, y, minus_one);
            let is_smallest = self.b.ins().icmp(IntCC::Equal, x, smallest);
            let overflows = self.b.ins().band(by_minus_one, is_smallest);
            self.b.ins().bor(is_zero, overflows)
        } else {
            is_zero
        };
        let one = self.number(ty, 1);
        let divisor = self.b.ins().select(unsafe_divisor, one, y);
        let value = divide(self, divisor);
        let by_zero = if matches!(op, Binary::DivS | Binary::DivU) { self.number(ty, ones) } else { x };
        self.b.ins().select(is_zero, by_zero, value)
    }

    /// Shifts by the width or more give 0, or the sign.
    fn shift(&mut self, ty: Type, op: Binary, x: Value, y: Value, constant: Option<u64>) -> Value {
        let bits = 8 * ty.bytes();
        let shift = |e: &mut Self, y: Value| match op {
            Binary::Shl => e.b.ins().ishl(x, y),
            Binary::ShrS => e.b.ins().sshr(x, y),
            _ => e.b.ins().ushr(x, y),
        };
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        if constant.is_some_and(|c| c & mask < u64::from(bits)) {
            return shift(self, y);
        }
        if op == Binary::ShrS {
            let most = self.number(ty, u64::from(bits) - 1);
            let count = self.b.ins().umin(y, most);
            return shift(self, count);
        }
        let width = self.number(ty, u64::from(bits));
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, y, width);
        let value = shift(self, y);
        let zero = self.zero(ty);
        self.b.ins().select(within, value, zero)
    }

    fn multiply_high(&mut self, ty: Type, signed: bool, x: Value, y: Value) -> Value {
        if ty.bytes() >= 4 {
            return if signed { self.b.ins().smulhi(x, y) } else { self.b.ins().umulhi(x, y) };
        }
        let widen = |e: &mut Self, v: Value| match signed {
            true => e.b.ins().sextend(types::I32, v),
            false => e.b.ins().uextend(types::I32, v),
        };
        let (x, y) = (widen(self, x), widen(self, y));
        let product = self.b.ins().imul(x, y);
        let count = self.b.ins().iconst(types::I32, i64::from(8 * ty.bytes()));
        let upper = self.b.ins().ushr(product, count);
        self.b.ins().ireduce(clif_type(ty), upper)
    }

    /// The smaller or larger; the other one where one is NaN.
    pub(super) fn extremum(&mut self, x: Value, y: Value, larger: bool) -> Value {
        let value = if larger { self.b.ins().fmax(x, y) } else { self.b.ins().fmin(x, y) };
        let x_is_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
        let y_is_nan = self.b.ins().fcmp(FloatCC::Unordered, y, y);
        let value = self.b.ins().select(y_is_nan, x, value);
        self.b.ins().select(x_is_nan, y, value)
    }

    pub(super) fn compare(&mut self, dst: Local, op: Compare, a: Local, b: Local) {
        let (x, y) = (self.get(a), self.get(b));
        let value = match op {
            Compare::Eq => self.b.ins().icmp(IntCC::Equal, x, y),
            Compare::Ne => self.b.ins().icmp(IntCC::NotEqual, x, y),
            Compare::LtS => self.b.ins().icmp(IntCC::SignedLessThan, x, y),
            Compare::LeS => self.b.ins().icmp(IntCC::SignedLessThanOrEqual, x, y),
            Compare::GtS => self.b.ins().icmp(IntCC::SignedGreaterThan, x, y),
            Compare::GeS => self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, x, y),
            Compare::LtU => self.b.ins().icmp(IntCC::UnsignedLessThan, x, y),
            Compare::LeU => self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, x, y),
            Compare::GtU => self.b.ins().icmp(IntCC::UnsignedGreaterThan, x, y),
            Compare::GeU => self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, x, y),
            Compare::FEq => self.b.ins().fcmp(FloatCC::Equal, x, y),
            Compare::FNe => self.b.ins().fcmp(FloatCC::NotEqual, x, y),
            Compare::FLt => self.b.ins().fcmp(FloatCC::LessThan, x, y),
            Compare::FLe => self.b.ins().fcmp(FloatCC::LessThanOrEqual, x, y),
            Compare::FGt => self.b.ins().fcmp(FloatCC::GreaterThan, x, y),
            Compare::FGe => self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, y),
        };
        self.set(dst, value);
    }

    pub(super) fn convert(&mut self, dst: Local, kind: Convert, src: Local) {
        let (from, to) = (self.ty(src), self.ty(dst));
        let x = self.get(src);
        let target = clif_type(to);
        let value = match kind {
            Convert::SignExtend | Convert::ZeroExtend | Convert::Narrow if from == to => x,
            Convert::SignExtend => self.b.ins().sextend(target, x),
            Convert::ZeroExtend => self.b.ins().uextend(target, x),
            Convert::Narrow => self.b.ins().ireduce(target, x),
            Convert::FromS => self.b.ins().fcvt_from_sint(target, x),
            Convert::FromU => self.b.ins().fcvt_from_uint(target, x),
            Convert::ToS => self.b.ins().fcvt_to_sint_sat(target, x),
            Convert::ToU => self.b.ins().fcvt_to_uint_sat(target, x),
            Convert::Promote => self.b.ins().fpromote(target, x),
            Convert::Demote => self.b.ins().fdemote(target, x),
            Convert::Bits => self.bits(target, x),
            Convert::FromBfloat => {
                let wide = self.b.ins().uextend(types::I32, x);
                let sixteen = self.b.ins().iconst(types::I32, 16);
                let high = self.b.ins().ishl(wide, sixteen);
                self.bits(types::F32, high)
            }
            Convert::FromHalf | Convert::ToHalf | Convert::ToBfloat => {
                let address = entry::conversion(kind, from);
                self.call_runtime(address, &[clif_type(from)], Some(target), &[x])
            }
        };
        self.set(dst, value);
    }

    /// The same bits as another type of the same width.
    pub(super) fn bits(&mut self, target: types::Type, x: Value) -> Value {
        if self.b.func.dfg.value_type(x) == target {
            return x;
        }
        self.b.ins().bitcast(target, MemFlagsData::new(), x)
    }
}
