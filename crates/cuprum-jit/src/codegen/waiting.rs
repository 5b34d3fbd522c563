//! Where threads wait: what they keep, what they bring, and how they go on.

use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::ir::{Barrier, Local, Op};

use super::emitter::{Emitter, OWN, clif_type};
use super::memory::integer;
use crate::context::{Context, Exchange, WARP};
use crate::regions::{Cut, Entry};

impl<'e> Emitter<'e, '_> {
    /// What a thread has at the beginning of a region.
    pub(super) fn restore(&mut self, cut: &'e Cut, entry: &'e Entry, number: u32) {
        if number == 0 {
            // Read before it is written on some path: zero, not what the thread before left.
            for &local in &entry.live {
                let zero = self.zero(self.ty(local));
                self.set(local, zero);
            }
            return;
        }
        self.span = entry.span;
        let mut done = vec![false; if entry.live.is_empty() { 0 } else { cut.function.locals.len() }];
        for &local in &entry.live {
            match cut.places[local.index()] {
                Some(place) => {
                    let address = self.frame_address(cut, self.ty(local).bytes());
                    let ty = clif_type(self.ty(local));
                    let value = self.b.ins().load(ty, OWN, address, (place * WARP) as i32);
                    self.set(local, value);
                }
                None => self.recompute(cut, local, &mut done),
            }
        }
        if let Some(dst) = entry.wait.as_ref().and_then(Op::dst) {
            let at = self.exchange();
            let ty = self.ty(dst);
            let result = self.b.ins().load(integer(ty), OWN, at, offset_of!(Exchange, result) as i32);
            let result = self.bits(clif_type(ty), result);
            self.set(dst, result);
        }
    }

    /// Computes a local anew, after those that it follows from.
    fn recompute(&mut self, cut: &'e Cut, local: Local, done: &mut [bool]) {
        if std::mem::replace(&mut done[local.index()], true) {
            return;
        }
        let Some(op) = cut.facts.definition(&cut.function, local) else { return };
        op.visit_uses(|used| self.recompute(cut, used, done));
        // Ops that are computed anew cannot fail to be emitted.
        let _ = self.emit_op(op);
    }

    /// Where values of a size stand in the thread's frame: the beginning of its tile, plus its lane's share.
    fn frame_address(&mut self, cut: &Cut, bytes: u32) -> Value {
        let frames = self.fixed(self.unit.pointer, offset_of!(Context, frames));
        let rank = self.rank();
        let rank = self.b.ins().uextend(types::I64, rank);
        let shift = self.b.ins().iconst(types::I64, i64::from(WARP.trailing_zeros()));
        let tile = self.b.ins().ushr(rank, shift);
        let stride = self.b.ins().iconst(types::I64, i64::from(cut.frame * WARP));
        let tile = self.b.ins().imul(tile, stride);
        let base = self.b.ins().iadd(frames, tile);
        let mask = self.b.ins().iconst(types::I64, i64::from(WARP - 1));
        let lane = self.b.ins().band(rank, mask);
        let scale = self.b.ins().iconst(types::I64, i64::from(bytes.trailing_zeros()));
        let own = self.b.ins().ishl(lane, scale);
        self.b.ins().iadd(base, own)
    }

    fn exchange(&mut self) -> Value {
        let all = self.fixed(self.unit.pointer, offset_of!(Context, exchange));
        let rank = self.rank();
        let rank = self.b.ins().uextend(types::I64, rank);
        let size = self.b.ins().iconst(types::I64, size_of::<Exchange>() as i64);
        let offset = self.b.ins().imul(rank, size);
        self.b.ins().iadd(all, offset)
    }

    /// The thread waits; it will go on in `region`.
    pub(super) fn suspend(&mut self, region: u32) {
        let Some(waiting) = &self.waiting else { return };
        let cut = waiting.cut;
        let entry = &cut.entries[region as usize];
        for &local in &entry.live {
            if let Some(place) = cut.places[local.index()] {
                let value = self.get(local);
                let address = self.frame_address(cut, self.ty(local).bytes());
                self.b.ins().store(OWN, value, address, (place * WARP) as i32);
            }
        }
        match entry.wait.as_ref() {
            Some(Op::SyncWarp { mask }) => self.bring(&[(*mask, offset_of!(Exchange, mask))]),
            Some(Op::Warp { op, mask, value, lane, width, .. }) => {
                self.bring_value(*value);
                self.bring(&[(*mask, offset_of!(Exchange, mask))]);
                if op.is_shuffle() {
                    self.bring(&[(*lane, offset_of!(Exchange, lane)), (*width, offset_of!(Exchange, width))]);
                }
            }
            Some(Op::Barrier(
                Barrier::Count { predicate, .. }
                | Barrier::And { predicate, .. }
                | Barrier::Or { predicate, .. },
            )) => self.bring_value(*predicate),
            _ => {}
        }
        self.set_next(region);
        if let Some(latch) = self.latch {
            self.b.ins().jump(latch, &[]);
        }
    }

    fn bring(&mut self, what: &[(Local, usize)]) {
        let at = self.exchange();
        for &(local, field) in what {
            let value = self.get(local);
            self.b.ins().store(OWN, value, at, field as i32);
        }
    }

    /// The value, as 64 bits, the rest zero.
    fn bring_value(&mut self, local: Local) {
        let ty = self.ty(local);
        let value = self.get(local);
        let bits = self.bits(integer(ty), value);
        let wide = if ty.bytes() == 8 { bits } else { self.b.ins().uextend(types::I64, bits) };
        let at = self.exchange();
        self.b.ins().store(OWN, wide, at, offset_of!(Exchange, value) as i32);
    }

    /// Notes where the thread goes on.
    pub(super) fn set_next(&mut self, region: u32) {
        let Some(waiting) = &self.waiting else { return };
        if waiting.only.is_some() {
            return;
        }
        let (any, all) = (waiting.any, waiting.all);
        let number = self.b.ins().iconst(types::I32, i64::from(region));
        let seen = self.b.use_var(any);
        let seen = self.b.ins().bor(seen, number);
        self.b.def_var(any, seen);
        let common = self.b.use_var(all);
        let common = self.b.ins().band(common, number);
        self.b.def_var(all, common);
        let next = self.fixed(self.unit.pointer, offset_of!(Context, next));
        let rank = self.rank();
        let rank = self.b.ins().uextend(types::I64, rank);
        let two = self.b.ins().iconst(types::I64, 2);
        let offset = self.b.ins().ishl(rank, two);
        let at = self.b.ins().iadd(next, offset);
        self.b.ins().store(OWN, number, at, 0);
    }
}
