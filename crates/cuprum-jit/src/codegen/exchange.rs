//! Shuffles whose lanes are known when the kernel is compiled: done by the region behind them, warp by warp, in vectors.
//!
//! The scheduler leaves a shuffle to this code where all threads of a block wait for it and its warps are whole. Regions
//! that do nothing but compute until threads wait again go on with it at once, eight times four lanes, without a loop.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::{BlockId, Convert, End, Op, Type};

use super::emitter::{Emitter, Thread, USER};
use super::lane_variation::{Shape, Shapes};
use super::lanes::{LANES, Wide, is_two, vector};
use super::suspend::{Tile, as_held, results, values};
use crate::context::{Context, DONE, Exchange, WARP};
use crate::regions::Cut;

/// The most ops of a region that is written out for all lanes of a warp.
const MAX_UNROLLED_OPS: usize = 40;

impl<'e> Emitter<'e, '_> {
    /// Where the caller leaves it to the region: does the exchange that the region begins with, for all warps. Then the
    /// region goes on as if its threads had received what they get from the scheduler.
    pub(super) fn exchange_first(
        &mut self,
        cut: &'e Cut,
        number: u32,
        (region, end, width): (Value, Value, Value),
    ) -> Result<(), Diagnostic> {
        let entry = &cut.entries[number as usize];
        let Some(sources) = self.unit.sources(entry) else { return Ok(()) };
        let Some(Op::Warp { value, .. }) = &entry.wait else { return Ok(()) };
        let ty = as_held(self.ty(*value));
        let (normal, exchanges) = (self.b.create_block(), self.b.create_block());
        let shift = self.b.ins().iconst(types::I32, 31);
        let flag = self.b.ins().ushr(region, shift);
        self.b.ins().brif(flag, exchanges, &[], normal, &[]);
        self.enter(exchanges);
        if let Some((blocks, next)) = self.straight(cut, number) {
            // The lanes of a warp are neighbours along x where there are no rows.
            let (one_row, rows) = (self.b.create_block(), self.b.create_block());
            let flat = self.b.ins().icmp(IntCC::Equal, width, end);
            self.b.ins().brif(flat, one_row, &[], rows, &[]);
            self.enter(one_row);
            self.for_each_warp(cut, end, |e, tile, first| {
                let received = e.shuffled(ty, tile.exchange, &sources);
                for (group, received) in received.into_iter().enumerate() {
                    let lane = group as u32 * LANES;
                    e.four_lanes(cut, number, (Tile { lane, ..tile }, first), received, &blocks, next)?;
                }
                Ok(())
            })?;
            let status = self.b.ins().iconst(types::I32, i64::from(next.unwrap_or(DONE)));
            self.b.ins().return_(&[status]);
            self.enter(rows);
        }
        self.for_each_warp(cut, end, |e, tile, _| {
            for (group, wide) in e.shuffled(ty, tile.exchange, &sources).into_iter().enumerate() {
                let at = results(ty) + group * (LANES * ty.bytes()) as usize;
                e.store_together(ty, wide, tile.exchange, at as i32);
            }
            Ok(())
        })?;
        self.b.ins().jump(normal, &[]);
        self.enter(normal);
        Ok(())
    }

    /// A loop over the warps of a block, all of them whole; `body` gets the warp's memory and first thread.
    fn for_each_warp(
        &mut self,
        cut: &Cut,
        end: Value,
        mut body: impl FnMut(&mut Self, Tile, Value) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Thread::Loop { rank, .. } = self.thread else { return Ok(()) };
        let pointer = self.unit.pointer;
        let variables = [
            (offset_of!(Context, frames), i64::from(cut.frame * WARP)),
            (offset_of!(Context, exchange), size_of::<Exchange>() as i64),
        ]
        .map(|(field, step)| {
            let variable = self.b.declare_var(pointer);
            let start = self.fixed(pointer, field);
            self.b.def_var(variable, start);
            (variable, step)
        });
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(rank, none);
        let (head, after) = (self.b.create_block(), self.b.create_block());
        self.leave_open(head);
        self.b.ins().jump(head, &[]);
        self.enter(head);
        let [frames, exchange] = variables.map(|(variable, _)| self.b.use_var(variable));
        let first = self.b.use_var(rank);
        body(self, Tile { frames, exchange, lane: 0 }, first)?;
        self.tile = None;
        for ((variable, step), old) in variables.into_iter().zip([frames, exchange]) {
            let new = self.plus(old, step);
            self.b.def_var(variable, new);
        }
        let lanes = self.b.ins().iconst(types::I32, i64::from(WARP));
        let next = self.b.ins().iadd(first, lanes);
        self.b.def_var(rank, next);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, end);
        self.b.ins().brif(more, head, &[], after, &[]);
        self.close(head);
        self.enter(after);
        self.b.def_var(rank, none);
        Ok(())
    }

    /// What the lanes of a warp receive, four at a time.
    fn shuffled(&mut self, ty: Type, exchange: Value, sources: &[u8; WARP as usize]) -> Vec<Wide> {
        let lanes = 16 / ty.bytes() as usize;
        let vectors: Vec<Value> = (0..WARP as usize / lanes)
            .map(|i| self.b.ins().load(vector(ty), USER, exchange, (values(ty) + 16 * i) as i32))
            .collect();
        let received: Vec<Value> =
            sources.chunks(lanes).map(|from| self.picked(ty, &vectors, from)).collect();
        if is_two(ty) {
            received.chunks(2).map(|pair| Wide::Two(pair[0], pair[1])).collect()
        } else {
            received.into_iter().map(Wide::One).collect()
        }
    }

    /// One vector of values that stand in others, by their numbers.
    fn picked(&mut self, ty: Type, vectors: &[Value], from: &[u8]) -> Value {
        let lanes = from.len();
        let of = |lane: u8| lane as usize / lanes;
        let first = of(from[0]);
        if from.iter().enumerate().all(|(i, lane)| *lane as usize == first * lanes + i) {
            return vectors[first];
        }
        let second = from.iter().map(|lane| of(*lane)).find(|at| *at != first).unwrap_or(first);
        let bytes = ty.bytes() as usize;
        let bytes_of = std::array::from_fn(|byte| {
            let lane = from[byte / bytes];
            let vector = if of(lane) == first { 0 } else { 16 };
            (vector + lane as usize % lanes * bytes + byte % bytes) as u8
        });
        self.pick(vectors[first], vectors[second], vector(ty), bytes_of)
    }

    /// Four lanes of a warp go through a region that is straight.
    fn four_lanes(
        &mut self,
        cut: &'e Cut,
        number: u32,
        (tile, first): (Tile, Value),
        received: Wide,
        blocks: &[BlockId],
        next: Option<u32>,
    ) -> Result<(), Diagnostic> {
        let Thread::Loop { rank, .. } = self.thread else { return Ok(()) };
        self.tile = Some(tile);
        let lane = self.b.ins().iconst(types::I32, i64::from(tile.lane));
        let own = self.b.ins().iadd(first, lane);
        self.b.def_var(rank, own);
        self.find_slots(cut);
        self.restore_wide(cut, &cut.entries[number as usize], number, Some(received))?;
        for &block in blocks {
            let waits = cut.waits[block.index()].is_some();
            let code = &cut.function.blocks[block.index()];
            for inst in &code.insts[..code.insts.len() - usize::from(waits)] {
                self.span = inst.span;
                self.emit_wide(Some(block), &inst.op)?;
            }
        }
        if let Some(next) = next {
            self.keep_wide(next);
        }
        Ok(())
    }

    /// The blocks of a region that all threads pass in one order, and the region that follows, if the vector path only
    /// computes in them.
    fn straight(&self, cut: &Cut, number: u32) -> Option<(Vec<BlockId>, Option<u32>)> {
        let shapes = &self.lanes.as_ref()?.shapes;
        let entry = &cut.entries[number as usize];
        let touches = &self.waiting.as_ref()?.touches;
        let anew = entry.live.iter().filter(|local| touches.used[local.index()]);
        let mut anew = anew.filter(|local| cut.places[local.index()].is_none());
        if !anew.all(|local| shapes.definitions(*local).iter().all(|op| computes(shapes, op))) {
            return None;
        }
        let (mut blocks, mut ops) = (Vec::new(), 0);
        let mut block = entry.block;
        loop {
            if blocks.contains(&block) {
                return None;
            }
            blocks.push(block);
            let code = &cut.function.blocks[block.index()];
            let next = cut.waits[block.index()];
            let insts = &code.insts[..code.insts.len() - usize::from(next.is_some())];
            ops += insts.len();
            if ops > MAX_UNROLLED_OPS || !insts.iter().all(|inst| computes(shapes, &inst.op)) {
                return None;
            }
            match (next, &code.end) {
                (Some(next), _) => return Some((blocks, Some(next))),
                (None, End::Jump(to)) => block = *to,
                (None, End::Return(_)) => return Some((blocks, None)),
                _ => return None,
            }
        }
    }
}

/// Whether an op is done on four lanes without a branch.
fn computes(shapes: &Shapes<'_>, op: &Op) -> bool {
    match op {
        // Lanes may have to leave the vector path where it wraps.
        Op::Convert { kind: Convert::SignExtend | Convert::ZeroExtend, .. } => {
            matches!(shapes.result(op), Shape::Stride(0) | Shape::Varying)
        }
        Op::Math { .. } | Op::Undefined { .. } => false,
        _ => op.is_pure(),
    }
}
