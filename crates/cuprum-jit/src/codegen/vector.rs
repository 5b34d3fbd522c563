//! Ops on four threads at a time, where they go the same way.
//!
//! What all four have in common is done once; what differs by a constant is kept as the first thread's value; the rest
//! is in vectors. Ops that have no vector form are done lane by lane with the scalar path's code. Threads that go
//! different ways leave the vector path: their values go to a buffer, and the scalar path takes them up one by one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::{BlockId, Convert, End, Local, Op, Type};
use cuprum_kernel::passes::analysis::Origin;

use super::emitter::{Emitter, Thread, USER};
use super::lane_variation::{Shape, UNIFORM};
use super::lanes::{LANES, Wide, is_two, vector};
use crate::entry;

impl<'e> Emitter<'e, '_> {
    /// `block` is the one that the op begins, where it may be left for; none before the region's first.
    pub(super) fn emit_wide(&mut self, block: Option<BlockId>, op: &Op) -> Result<(), Diagnostic> {
        let shape = self.lanes().shapes.result(op);
        let mut uniform = true;
        op.visit_uses(|local| uniform &= self.shape(local) == UNIFORM);
        let once = match op {
            // Each thread does these for itself, whatever it brings.
            Op::Atomic { .. }
            | Op::CompareAndSwap { .. }
            | Op::Printf { .. }
            | Op::Allocate { .. }
            | Op::Release { .. }
            | Op::Launch { .. }
            | Op::Call { .. } => false,
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
        // The second half of four wide values stands 16 bytes on: that must not wrap either.
        let near = |offset: &i32| offset.checked_add(16).is_some();
        let Some(offset) = i32::try_from(offset).ok().filter(near) else { return Ok(false) };
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
        let distance = self.distance(addr, base, start, i64::from(offset));
        let ok = self.b.ins().icmp(IntCC::UnsignedLessThan, distance, limit);
        let (together, outside) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(outside);
        self.unless(ok, outside, together);
        self.enter(outside);
        self.fail_out_of_bounds(size, write, distance, origin);
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

    /// Some of the four accesses are out of bounds: the runtime finds the first of them.
    fn fail_out_of_bounds(&mut self, size: u64, write: bool, distance: Value, origin: Origin) {
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
            self.call_runtime(entry::out_of_bounds as *const u8, &kinds, None, &args);
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
