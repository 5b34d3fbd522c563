//! Threads that leave the vector path, because they go different ways: their values go to a buffer, and the scalar path
//! takes them up one by one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use cuprum_kernel::ir::{BlockId, Convert, Local, Type};

use super::emitter::{Emitter, OWN, USER, clif_type};
use super::lane_variation::Shape;
use super::lanes::{LANES, Wide, is_two};

impl Emitter<'_, '_> {
    /// Widening keeps the distance between lanes unless one of them wraps before.
    pub(super) fn leave_where_it_wraps(
        &mut self,
        block: Option<BlockId>,
        kind: Convert,
        src: Local,
        by: i64,
    ) {
        let base = self.get(src);
        let step = self.number(Type::I32, (3 * by) as u64);
        let last = self.b.ins().iadd(base, step);
        let condition = match (kind, by > 0) {
            (Convert::SignExtend, true) => IntCC::SignedGreaterThanOrEqual,
            (Convert::SignExtend, false) => IntCC::SignedLessThanOrEqual,
            (_, true) => IntCC::UnsignedGreaterThanOrEqual,
            (_, false) => IntCC::UnsignedLessThanOrEqual,
        };
        let keeps = self.b.ins().icmp(condition, last, base);
        let (go_on, wraps) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(wraps);
        self.unless(keeps, wraps, go_on);
        self.enter(wraps);
        match block {
            Some(block) => self.leave_vector(block),
            None => self.go_on_one_by_one(0),
        }
        self.enter(go_on);
    }

    /// The four threads go on one by one, from the beginning of a block.
    pub(super) fn leave_vector(&mut self, block: BlockId) {
        let number = match self.lanes().points.iter().position(|point| *point == block) {
            Some(at) => at,
            None => {
                self.lanes().points.push(block);
                self.lanes().points.len() - 1
            }
        };
        let buffer = self.lanes().buffer;
        let at = self.b.ins().stack_addr(self.unit.pointer, buffer, 0);
        let mut offset = 0;
        for local in self.live_at(block) {
            match self.shape(local) {
                Shape::Stride(_) => {
                    let value = self.get(local);
                    self.b.ins().store(OWN, value, at, offset);
                    offset += 8;
                }
                Shape::Varying => match self.wide(local) {
                    Wide::One(all) => {
                        self.b.ins().store(USER, all, at, offset);
                        offset += 16;
                    }
                    Wide::Two(low, high) => {
                        self.b.ins().store(USER, low, at, offset);
                        self.b.ins().store(USER, high, at, offset + 16);
                        offset += 32;
                    }
                },
            }
        }
        self.go_on_one_by_one(number + 1);
    }

    /// The scalar path takes up the four threads at a point; 0 is the region's beginning.
    fn go_on_one_by_one(&mut self, point: usize) {
        let first = self.rank();
        let four = self.b.ins().iconst(types::I32, i64::from(LANES));
        let stop = self.b.ins().iadd(first, four);
        let point = self.b.ins().iconst(types::I32, point as i64);
        let (resume, group, end, scalar) = {
            let lanes = self.lanes();
            (lanes.resume, lanes.first, lanes.stop, lanes.scalar)
        };
        self.b.def_var(resume, point);
        self.b.def_var(group, first);
        self.b.def_var(end, stop);
        self.b.ins().jump(scalar, &[]);
    }

    /// What a thread that left the vector path at a block took with it.
    pub(super) fn take_up(&mut self, block: BlockId) {
        let buffer = self.lanes().buffer;
        let group = self.lanes().first;
        let at = self.b.ins().stack_addr(self.unit.pointer, buffer, 0);
        let rank = self.rank();
        let first = self.b.use_var(group);
        let lane = self.b.ins().isub(rank, first);
        let lane64 = self.b.ins().uextend(types::I64, lane);
        let mut offset = 0;
        for local in self.live_at(block) {
            let ty = self.ty(local);
            let clif = clif_type(ty);
            let value = match self.shape(local) {
                Shape::Stride(by) => {
                    let base = self.b.ins().load(clif, OWN, at, offset);
                    offset += 8;
                    if by == 0 {
                        base
                    } else {
                        let lane = if is_two(ty) { lane64 } else { lane };
                        let by = self.number(ty, by as u64);
                        let distance = self.b.ins().imul(lane, by);
                        self.b.ins().iadd(base, distance)
                    }
                }
                Shape::Varying => {
                    let (scale, bytes) = if is_two(ty) { (3, 32) } else { (2, 16) };
                    let scale = self.b.ins().iconst(types::I64, scale);
                    let share = self.b.ins().ishl(lane64, scale);
                    let place = self.b.ins().iadd(at, share);
                    let loaded = if ty.bytes() < 4 { types::I32 } else { clif };
                    let value = self.b.ins().load(loaded, OWN, place, offset);
                    offset += bytes;
                    if ty.bytes() < 4 { self.b.ins().ireduce(clif, value) } else { value }
                }
            };
            self.set(local, value);
        }
    }

    pub(super) fn live_at(&self, block: BlockId) -> Vec<Local> {
        let used = |local: &Local| self.waiting.as_ref().is_none_or(|w| w.touches.used[local.index()]);
        self.live.map_or_else(Vec::new, |live| live.live_in(block.index()).filter(used).collect())
    }
}
