//! Where threads wait: what they keep, what they bring, and how they go on.

use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::{Barrier, Local, Op, Type};

use super::emitter::{Emitter, OWN, USER, clif_type};
use super::lane_variation::UNIFORM;
use super::lanes::Wide;
use crate::context::{Context, Exchange, WARP};
use crate::regions::{Cut, Entry};

/// Four lanes of a warp by number, whose memory is at known places.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    /// The warp's part of the frames.
    pub frames: Value,
    /// The warp's [`Exchange`].
    pub exchange: Value,
    /// The first of the lanes.
    pub lane: u32,
}

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
        for local in self.restored(entry) {
            match cut.places[local.index()] {
                Some(place) => {
                    let (address, at) = self.in_frame(cut, self.ty(local).bytes(), place);
                    let ty = clif_type(self.ty(local));
                    let value = self.b.ins().load(ty, OWN, address, at);
                    self.set(local, value);
                }
                None => self.recompute(cut, local, &mut done),
            }
        }
        if let Some(dst) = entry.wait.as_ref().and_then(Op::dst) {
            let ty = self.ty(dst);
            let (address, at) = self.in_exchange(ty.bytes(), results(ty));
            let held = if ty.bytes() < 4 { types::I32 } else { clif_type(ty) };
            let result = self.b.ins().load(held, OWN, address, at);
            let result = if ty.bytes() < 4 { self.b.ins().ireduce(clif_type(ty), result) } else { result };
            self.set(dst, result);
        }
    }

    /// The locals of a region that its code reads or writes; the others stay where they are.
    fn restored(&self, entry: &Entry) -> Vec<Local> {
        let used = |local: &Local| self.waiting.as_ref().is_none_or(|w| w.touches.used[local.index()]);
        entry.live.iter().copied().filter(used).collect()
    }

    /// The locals that a thread puts into its frame where it waits, with their places.
    fn kept(&self, cut: &Cut, entry: &Entry) -> Vec<(Local, u32)> {
        let written = |local: &Local| self.waiting.as_ref().is_none_or(|w| w.touches.written[local.index()]);
        let places = entry.live.iter().filter(|local| written(local));
        places.filter_map(|local| Some((*local, cut.places[local.index()]?))).collect()
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

    /// Where a local of a size stands in the thread's frame: an address, and how far from there.
    fn in_frame(&mut self, cut: &Cut, bytes: u32, place: u32) -> (Value, i32) {
        if let Some(tile) = self.tile {
            return (tile.frames, (place * WARP + tile.lane * bytes) as i32);
        }
        let frames = self.fixed(self.unit.pointer, offset_of!(Context, frames));
        (self.of_thread(frames, cut.frame * WARP, bytes), (place * WARP) as i32)
    }

    /// Where the thread's value of a size stands in an array of its warp's [`Exchange`].
    fn in_exchange(&mut self, bytes: u32, array: usize) -> (Value, i32) {
        let bytes = bytes.max(4);
        if let Some(tile) = self.tile {
            return (tile.exchange, array as i32 + (tile.lane * bytes) as i32);
        }
        let all = self.fixed(self.unit.pointer, offset_of!(Context, exchange));
        (self.of_thread(all, size_of::<Exchange>() as u32, bytes), array as i32)
    }

    /// The beginning of the memory of the thread's warp, plus its lane's share of an array of values of a size.
    fn of_thread(&mut self, all: Value, of_warp: u32, bytes: u32) -> Value {
        let rank = self.rank();
        let rank = self.b.ins().uextend(types::I64, rank);
        let shift = self.b.ins().iconst(types::I64, i64::from(WARP.trailing_zeros()));
        let warp = self.b.ins().ushr(rank, shift);
        let stride = self.b.ins().iconst(types::I64, i64::from(of_warp));
        let warp = self.b.ins().imul(warp, stride);
        let base = self.b.ins().iadd(all, warp);
        let mask = self.b.ins().iconst(types::I64, i64::from(WARP - 1));
        let lane = self.b.ins().band(rank, mask);
        let scale = self.b.ins().iconst(types::I64, i64::from(bytes.trailing_zeros()));
        let own = self.b.ins().ishl(lane, scale);
        self.b.ins().iadd(base, own)
    }

    /// The thread waits; it will go on in `region`.
    pub(super) fn suspend(&mut self, region: u32) {
        let Some(waiting) = &self.waiting else { return };
        let cut = waiting.cut;
        let entry = &cut.entries[region as usize];
        for (local, place) in self.kept(cut, entry) {
            let value = self.get(local);
            let (address, at) = self.in_frame(cut, self.ty(local).bytes(), place);
            self.b.ins().store(OWN, value, address, at);
        }
        if let Some(value) = brought_value(entry.wait.as_ref()) {
            let ty = self.ty(value);
            let own = self.get(value);
            let own = if ty.bytes() < 4 { self.b.ins().uextend(types::I32, own) } else { own };
            let (address, at) = self.in_exchange(ty.bytes(), values(ty));
            self.b.ins().store(OWN, own, address, at);
        }
        for (operand, array) in self.brought_operands(entry) {
            let own = self.get(operand);
            let (address, at) = self.in_exchange(4, array);
            self.b.ins().store(OWN, own, address, at);
        }
        self.set_next(region);
        if let Some(latch) = self.latch {
            self.b.ins().jump(latch, &[]);
        }
    }

    fn brought_operands(&self, entry: &Entry) -> Vec<(Local, usize)> {
        entry.wait.as_ref().map_or_else(Vec::new, |op| entry.operands.brought(op))
    }

    /// What four threads have at the beginning of a region; what they received, where that is at hand.
    pub(super) fn restore_wide(
        &mut self,
        cut: &'e Cut,
        entry: &'e Entry,
        number: u32,
        received: Option<Wide>,
    ) -> Result<(), Diagnostic> {
        if number == 0 {
            self.restore(cut, entry, number);
            return Ok(());
        }
        self.span = entry.span;
        let mut done = vec![false; if entry.live.is_empty() { 0 } else { cut.function.locals.len() }];
        for local in self.restored(entry) {
            let ty = self.ty(local);
            let Some(place) = cut.places[local.index()] else {
                self.recompute_wide(cut, local, &mut done)?;
                continue;
            };
            let (address, at) = self.in_frame(cut, ty.bytes(), place);
            if self.shape(local) == UNIFORM {
                let value = self.b.ins().load(clif_type(ty), OWN, address, at);
                self.set(local, value);
            } else {
                let wide = self.load_together(ty, address, at);
                self.set_wide(local, wide);
            }
        }
        if let Some(dst) = entry.wait.as_ref().and_then(Op::dst) {
            let ty = self.ty(dst);
            let wide = received.unwrap_or_else(|| {
                let (address, at) = self.in_exchange(ty.bytes(), results(ty));
                self.load_together(as_held(ty), address, at)
            });
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
    pub(super) fn suspend_wide(&mut self, region: u32) {
        self.keep_wide(region);
        self.set_next_wide(region);
        let latch = self.lanes().latch;
        self.b.ins().jump(latch, &[]);
    }

    /// What four threads keep and bring where they wait.
    pub(super) fn keep_wide(&mut self, region: u32) {
        let Some(waiting) = &self.waiting else { return };
        let cut = waiting.cut;
        let entry = &cut.entries[region as usize];
        for (local, place) in self.kept(cut, entry) {
            let ty = self.ty(local);
            let wide = self.wide(local);
            let (address, at) = self.in_frame(cut, ty.bytes(), place);
            self.store_together(ty, wide, address, at);
        }
        let value = brought_value(entry.wait.as_ref()).map(|value| (value, values(self.ty(value))));
        for (local, array) in value.into_iter().chain(self.brought_operands(entry)) {
            let ty = self.ty(local);
            let wide = self.wide(local);
            let (address, at) = self.in_exchange(ty.bytes(), array);
            self.store_together(as_held(ty), wide, address, at);
        }
    }

    /// Notes where four threads go on.
    pub(super) fn set_next_wide(&mut self, region: u32) {
        let Some(number) = self.note_next(region) else { return };
        let next = self.next_address();
        let all = self.b.ins().splat(types::I32X4, number);
        self.b.ins().store(USER, all, next, 0);
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

/// The value that threads bring to what they wait for.
fn brought_value(wait: Option<&Op>) -> Option<Local> {
    match wait? {
        Op::Warp { value, .. } => Some(*value),
        Op::Barrier(
            Barrier::Count { predicate, .. } | Barrier::And { predicate, .. } | Barrier::Or { predicate, .. },
        ) => Some(*predicate),
        _ => None,
    }
}

/// The type that a type's values are exchanged as: of 32 bits at least.
pub(super) fn as_held(ty: Type) -> Type {
    if ty.bytes() < 4 { Type::I32 } else { ty }
}

/// The array of an [`Exchange`] that holds values of a type.
pub(super) fn values(ty: Type) -> usize {
    if ty.bytes() == 8 { offset_of!(Exchange, longs) } else { offset_of!(Exchange, words) }
}

/// The array of an [`Exchange`] that holds results of a type.
pub(super) fn results(ty: Type) -> usize {
    if ty.bytes() == 8 { offset_of!(Exchange, long_results) } else { offset_of!(Exchange, word_results) }
}
