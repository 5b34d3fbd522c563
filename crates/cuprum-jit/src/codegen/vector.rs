//! Ops on four threads at a time, where they go the same way.
//!
//! What all four have in common is done once; what differs by a constant is kept as the first thread's value; the rest
//! is in vectors. Ops that have no vector form are done lane by lane with the scalar path's code. Threads that go
//! different ways leave the vector path: their values go to a buffer, and the scalar path takes them up one by one.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::{Binary, BlockId, Compare, Convert, End, Local, Op, Type, Unary};
use cuprum_kernel::passes::analysis::Origin;

use super::emitter::{Emitter, Thread, USER};
use super::lanes::{LANES, Wide, is_two, vector};
use super::shapes::{Shape, UNIFORM};
use crate::entry;

impl<'e> Emitter<'e, '_> {
    /// `block` is the one that the op begins, where it may be left for; none before the region's first.
    pub(super) fn emit_wide(&mut self, block: Option<BlockId>, op: &Op) -> Result<(), Diagnostic> {
        let shape = self.lanes().shapes.result(op);
        let mut uniform = true;
        op.visit_uses(|local| uniform &= self.shape(local) == UNIFORM);
        let once = match op {
            // Each thread does these for itself, whatever it brings.
            Op::Atomic { .. } | Op::CompareAndSwap { .. } | Op::Printf { .. } | Op::Call { .. } => false,
            Op::Load { volatile, .. } | Op::Store { volatile, .. } => uniform && !volatile,
            Op::Special { .. } | Op::SlotAddress { .. } => shape != Shape::Varying,
            _ => uniform || shape != Shape::Varying,
        };
        if once {
            if let Op::Convert { kind: kind @ (Convert::SignExtend | Convert::ZeroExtend), src, .. } = op
                && let Shape::Stride(by) = shape
                && by != 0
            {
                self.leave_where_it_wraps(block, *kind, *src, by);
            }
            self.emit_op(op)?;
            if let Some(dst) = op.dst()
                && self.shape(dst) == Shape::Varying
            {
                let value = self.get(dst);
                let wide = self.spread(self.ty(dst), value, shape);
                self.set_wide(dst, wide);
            }
            return Ok(());
        }
        if let Some(wide) = self.vector_op(op) {
            if let Some(dst) = op.dst() {
                self.set_wide(dst, wide);
            }
            return Ok(());
        }
        if self.vector_memory(op)? {
            return Ok(());
        }
        self.lane_by_lane(op)
    }

    /// The scalar code for each lane in turn.
    pub(super) fn lane_by_lane(&mut self, op: &Op) -> Result<(), Diagnostic> {
        let mut results = Vec::new();
        self.for_each_lane(op, |e| {
            e.emit_op(op)?;
            if let Some(dst) = op.dst() {
                let value = e.get(dst);
                results.push(value);
            }
            Ok(())
        })?;
        if let (Some(dst), Ok(values)) = (op.dst(), <[Value; 4]>::try_from(results)) {
            let wide = self.gather(self.ty(dst), values);
            self.set_wide(dst, wide);
        }
        Ok(())
    }

    /// Runs `emit` as if each lane were alone: the thread and the op's operands are that lane's.
    pub(super) fn for_each_lane(
        &mut self,
        op: &Op,
        mut emit: impl FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Thread::Loop { rank, .. } = self.thread else { return Ok(()) };
        let mut used = Vec::new();
        op.visit_uses(|local| used.push(local));
        let parts =
            used.iter().filter_map(|local| self.sums.get(local)).flat_map(|(base, index)| [*base, *index]);
        used.extend(parts.collect::<Vec<_>>());
        used.sort_unstable();
        used.dedup();
        let first = self.b.use_var(rank);
        let slots = self.b.use_var(self.slots);
        let slot_bytes = if self.waiting.is_some() { self.unit.layout.slot_bytes as i64 } else { 0 };
        let mut bases = Vec::new();
        for &local in &used {
            if matches!(self.shape(local), Shape::Stride(_)) {
                bases.push((local, self.get(local)));
            }
        }
        for lane in 0..LANES {
            for (local, base) in &bases {
                self.set(*local, *base);
            }
            let values: Vec<(Local, Value)> =
                used.iter().map(|local| (*local, self.lane(*local, lane))).collect();
            for (local, value) in values {
                self.set(local, value);
            }
            let step = self.b.ins().iconst(types::I32, i64::from(lane));
            let own = self.b.ins().iadd(first, step);
            self.b.def_var(rank, own);
            let own_slots = self.plus(slots, slot_bytes * i64::from(lane));
            self.b.def_var(self.slots, own_slots);
            emit(self)?;
        }
        self.b.def_var(rank, first);
        self.b.def_var(self.slots, slots);
        for (local, base) in bases {
            self.set(local, base);
        }
        Ok(())
    }

    /// An op as vectors; none where it has no such form.
    fn vector_op(&mut self, op: &Op) -> Option<Wide> {
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
    fn mask(&mut self, cond: Local) -> Option<Value> {
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

    /// Neighbouring elements in one access, where they are all within their memory; else lane by lane.
    fn vector_memory(&mut self, op: &Op) -> Result<bool, Diagnostic> {
        let (ty, addr, offset, write) = match op {
            Op::Load { dst, addr, offset, volatile: false } => (self.ty(*dst), *addr, *offset, false),
            Op::Store { addr, offset, src, volatile: false } => (self.ty(*src), *addr, *offset, true),
            _ => return Ok(false),
        };
        let size = u64::from(ty.bytes());
        let origin = self.facts.origin(addr);
        let known = origin.is_known() && !matches!(origin, Origin::Slot(_) | Origin::String(_));
        let Ok(offset) = i32::try_from(offset) else { return Ok(false) };
        if !known || self.shape(addr) != Shape::Stride(size as i64) {
            return Ok(false);
        }
        let base = self.get(addr);
        let Some((start, limit)) = self.reach(u64::from(LANES) * size, write, origin) else {
            return Ok(false);
        };
        if !self.surely_aligned(addr, i64::from(offset), size) {
            // The four are multiples of the size, or none is.
            self.aligned(base, offset, size, write);
        }
        let distance = self.distance(addr, base, start, offset);
        let ok = self.b.ins().icmp(IntCC::UnsignedLessThan, distance, limit);
        let (together, beside) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(beside);
        self.unless(ok, beside, together);
        self.enter(beside);
        self.fail_beside(size, write, distance, origin);
        self.enter(together);
        match op {
            Op::Load { dst, .. } => {
                let wide = self.load_together(ty, base, offset);
                self.set_wide(*dst, wide);
            }
            Op::Store { src, .. } => {
                let wide = self.wide(*src);
                self.store_together(ty, wide, base, offset);
            }
            _ => {}
        }
        Ok(true)
    }

    /// Some of the four are beside their memory: the runtime finds the first of them.
    fn fail_beside(&mut self, size: u64, write: bool, distance: Value, origin: Origin) {
        if let Some((start, limit)) = self.reach(size, write, origin) {
            let address = self.b.ins().iadd(start, distance);
            let rank = self.rank();
            let what = self.access_of(size, write, origin);
            let site = self.site(what);
            let bytes = self.b.ins().iconst(types::I32, (size << entry::BYTES_SHIFT) as i64);
            let packed = self.b.ins().bor(rank, bytes);
            let pointer = self.unit.pointer;
            let kinds = [pointer, types::I32, types::I32, types::I64, types::I64, types::I64];
            let args = [self.ctx, packed, site, address, start, limit];
            self.call_runtime(entry::beside as *const u8, &kinds, None, &args);
        }
        let leave = self.leave;
        self.b.ins().jump(leave, &[]);
    }

    pub(super) fn load_together(&mut self, ty: Type, base: Value, offset: i32) -> Wide {
        match ty {
            Type::I8 => {
                let bits = self.b.ins().load(types::I32, USER, base, offset);
                let all = self.b.ins().scalar_to_vector(types::I32X4, bits);
                let all = self.same_bits(types::I8X16, all);
                let all = self.b.ins().uwiden_low(all);
                Wide::One(self.b.ins().uwiden_low(all))
            }
            Type::I16 => {
                let bits = self.b.ins().load(types::I64, USER, base, offset);
                let all = self.b.ins().scalar_to_vector(types::I64X2, bits);
                let all = self.same_bits(types::I16X8, all);
                Wide::One(self.b.ins().uwiden_low(all))
            }
            _ if is_two(ty) => {
                let low = self.b.ins().load(vector(ty), USER, base, offset);
                let high = self.b.ins().load(vector(ty), USER, base, offset + 16);
                Wide::Two(low, high)
            }
            _ => Wide::One(self.b.ins().load(vector(ty), USER, base, offset)),
        }
    }

    pub(super) fn store_together(&mut self, ty: Type, value: Wide, base: Value, offset: i32) {
        match (value, ty) {
            (Wide::One(all), Type::I8 | Type::I16) => {
                let halves = self.b.ins().unarrow(all, all);
                if ty == Type::I16 {
                    let halves = self.same_bits(types::I64X2, halves);
                    let bits = self.b.ins().extractlane(halves, 0);
                    self.b.ins().store(USER, bits, base, offset);
                } else {
                    let bytes = self.b.ins().unarrow(halves, halves);
                    let bytes = self.same_bits(types::I32X4, bytes);
                    let bits = self.b.ins().extractlane(bytes, 0);
                    self.b.ins().store(USER, bits, base, offset);
                }
            }
            (Wide::Two(low, high), _) => {
                self.b.ins().store(USER, low, base, offset);
                self.b.ins().store(USER, high, base, offset + 16);
            }
            (Wide::One(all), _) => {
                self.b.ins().store(USER, all, base, offset);
            }
        }
    }

    /// How a block of the vector path ends.
    pub(super) fn end_wide(&mut self, from: BlockId, end: &End) {
        match end {
            End::Jump(to) => {
                let target = self.wide_edge(from, *to);
                self.b.ins().jump(target, &[]);
                self.fill_wide_edges(&[(target, *to)]);
            }
            End::Branch { cond, then, otherwise } => {
                let (yes, no) = (self.wide_edge(from, *then), self.wide_edge(from, *otherwise));
                if self.shape(*cond) == UNIFORM {
                    self.branch(*cond, (*then, yes), (*otherwise, no));
                } else if let Some(mask) = self.mask(*cond) {
                    let some = self.b.create_block();
                    let differ = self.b.create_block();
                    self.b.set_cold_block(differ);
                    let bits = self.b.ins().vhigh_bits(types::I32, mask);
                    let whole = self.b.ins().iconst(types::I32, (1 << LANES) - 1);
                    let all = self.b.ins().icmp(IntCC::Equal, bits, whole);
                    if self.depths[then.index()] >= self.depths[otherwise.index()] {
                        self.unless(all, some, yes);
                    } else {
                        self.b.ins().brif(all, yes, &[], some, &[]);
                    }
                    self.enter(some);
                    self.b.ins().brif(bits, differ, &[], no, &[]);
                    self.enter(differ);
                    self.leave_vector(from);
                } else {
                    self.leave_vector(from);
                }
                self.fill_wide_edges(&[(yes, *then), (no, *otherwise)]);
            }
            End::Switch { .. } => {
                // Regions with switches have no vector path.
                let leave = self.leave;
                self.b.ins().jump(leave, &[]);
            }
            End::Return(_) | End::Unreachable => {
                if self.waiting.is_some() {
                    self.set_next_wide(crate::context::DONE);
                }
                let latch = self.lanes().latch;
                self.b.ins().jump(latch, &[]);
            }
        }
    }

    fn wide_edge(&mut self, from: BlockId, to: BlockId) -> cranelift_codegen::ir::Block {
        let goes_back = self.order[to.index()] <= self.order[from.index()] && !self.facts.is_short(to);
        if goes_back { self.b.create_block() } else { self.wide_block(to) }
    }

    fn fill_wide_edges(&mut self, edges: &[(cranelift_codegen::ir::Block, BlockId)]) {
        for &(made, to) in edges {
            let target = self.wide_block(to);
            if made != target {
                self.enter(made);
                self.look_whether_to_stop();
                self.b.ins().jump(target, &[]);
            }
        }
    }

    pub(super) fn wide_block(&mut self, block: BlockId) -> cranelift_codegen::ir::Block {
        match self.lanes().blocks[block.index()] {
            Some(block) => block,
            None => {
                let made = self.b.create_block();
                self.lanes().blocks[block.index()] = Some(made);
                made
            }
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
