//! Where threads wait: what they keep, what they bring, and how they go on.

use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::{Barrier, Local, Op};

use super::emitter::{Emitter, OWN, USER, clif_type};
use super::memory::integer;
use super::shapes::UNIFORM;
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
        self.bring_all(entry.wait.as_ref());
        self.set_next(region);
        if let Some(latch) = self.latch {
            self.b.ins().jump(latch, &[]);
        }
    }

    /// What the thread brings to what it waits for.
    fn bring_all(&mut self, wait: Option<&Op>) {
        match wait {
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
    }

    /// What four threads have at the beginning of a region.
    pub(super) fn restore_wide(
        &mut self,
        cut: &'e Cut,
        entry: &'e Entry,
        number: u32,
    ) -> Result<(), Diagnostic> {
        if number == 0 {
            self.restore(cut, entry, number);
            return Ok(());
        }
        self.span = entry.span;
        let mut done = vec![false; if entry.live.is_empty() { 0 } else { cut.function.locals.len() }];
        for &local in &entry.live {
            let ty = self.ty(local);
            let Some(place) = cut.places[local.index()] else {
                self.recompute_wide(cut, local, &mut done)?;
                continue;
            };
            let address = self.frame_address(cut, ty.bytes());
            let at = (place * WARP) as i32;
            if self.shape(local) == UNIFORM {
                let value = self.b.ins().load(clif_type(ty), OWN, address, at);
                self.set(local, value);
            } else {
                let wide = self.load_together(ty, address, at);
                self.set_wide(local, wide);
            }
        }
        if let Some(dst) = entry.wait.as_ref().and_then(Op::dst) {
            let at = self.exchange();
            let ty = self.ty(dst);
            let results = [0, 1, 2, 3].map(|lane: usize| {
                let place = offset_of!(Exchange, result) + lane * size_of::<Exchange>();
                let result = self.b.ins().load(integer(ty), OWN, at, place as i32);
                self.bits(clif_type(ty), result)
            });
            let wide = self.gather(ty, results);
            self.set_wide(dst, wide);
        }
        Ok(())
    }

    fn recompute_wide(&mut self, cut: &'e Cut, local: Local, done: &mut [bool]) -> Result<(), Diagnostic> {
        if std::mem::replace(&mut done[local.index()], true) {
            return Ok(());
        }
        let Some(op) = cut.facts.definition(&cut.function, local) else { return Ok(()) };
        let mut used = Vec::new();
        op.visit_uses(|local| used.push(local));
        for local in used {
            self.recompute_wide(cut, local, done)?;
        }
        self.emit_wide(None, op)
    }

    /// Four threads wait.
    pub(super) fn suspend_wide(&mut self, region: u32) -> Result<(), Diagnostic> {
        let Some(waiting) = &self.waiting else { return Ok(()) };
        let cut = waiting.cut;
        let entry = &cut.entries[region as usize];
        for &local in &entry.live {
            if let Some(place) = cut.places[local.index()] {
                let ty = self.ty(local);
                let wide = self.wide(local);
                let address = self.frame_address(cut, ty.bytes());
                self.store_together(ty, wide, address, (place * WARP) as i32);
            }
        }
        if let Some(op) = &entry.wait
            && !matches!(op, Op::Barrier(Barrier::Plain) | Op::GridSync | Op::Yield | Op::ActiveMask { .. })
        {
            self.for_each_lane(op, |e| {
                e.bring_all(Some(op));
                Ok(())
            })?;
        }
        self.set_next_wide(region);
        let latch = self.lanes().latch;
        self.b.ins().jump(latch, &[]);
        Ok(())
    }

    /// Notes where four threads go on.
    pub(super) fn set_next_wide(&mut self, region: u32) {
        let Some(number) = self.note_next(region) else { return };
        let next = self.next_address();
        let all = self.b.ins().splat(types::I32X4, number);
        self.b.ins().store(USER, all, next, 0);
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
        let Some(number) = self.note_next(region) else { return };
        let at = self.next_address();
        self.b.ins().store(OWN, number, at, 0);
    }

    /// Adds to where threads end; none where that is one place for all.
    fn note_next(&mut self, region: u32) -> Option<Value> {
        let waiting = self.waiting.as_ref()?;
        if waiting.only.is_some() {
            return None;
        }
        let (any, all) = (waiting.any, waiting.all);
        let number = self.b.ins().iconst(types::I32, i64::from(region));
        let seen = self.b.use_var(any);
        let seen = self.b.ins().bor(seen, number);
        self.b.def_var(any, seen);
        let common = self.b.use_var(all);
        let common = self.b.ins().band(common, number);
        self.b.def_var(all, common);
        Some(number)
    }

    fn next_address(&mut self) -> Value {
        let next = self.fixed(self.unit.pointer, offset_of!(Context, next));
        let rank = self.rank();
        let rank = self.b.ins().uextend(types::I64, rank);
        let two = self.b.ins().iconst(types::I64, 2);
        let offset = self.b.ins().ishl(rank, two);
        self.b.ins().iadd(next, offset)
    }
}
