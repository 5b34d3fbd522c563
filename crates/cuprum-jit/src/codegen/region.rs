//! The machine function of a kernel's regions: the loop over the threads of a block, by rows, four at a time where that
//! pays, else one by one.

use std::collections::HashMap;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cuprum_kernel::Diagnostic;

use super::emitter::{Emitter, Thread, Waiting};
use super::lane_variation::{self, Shapes};
use super::lanes::{LANES, Lanes};
use super::unit::{Group, SiteInfo, Unit};
use crate::context::{Context, DONE, MIXED, WARP};
use crate::regions::Cut;

/// The most bytes that threads take with them from the vector path.
const MAX_BUFFER: u32 = 32 << 10;

impl<'e, 'f> Emitter<'e, 'f> {
    /// The machine function of some regions of a kernel.
    pub(super) fn region(
        unit: &'e Unit<'e>,
        cut: &'e Cut,
        group: &Group,
        clif: &'f mut cranelift_codegen::ir::Function,
        context: &'f mut FunctionBuilderContext,
        sites: &'e mut Vec<SiteInfo>,
    ) -> Result<(), Diagnostic> {
        let b = FunctionBuilder::new(clif, context);
        let slots = unit.layout.slots.clone();
        let mut e = Emitter::new(unit, &cut.function, &cut.facts, b, sites, slots);
        let entry = e.b.current_block().unwrap_or(e.leave);
        let params = e.b.block_params(entry).to_vec();
        let (region, begin, end) = (params[1], params[2], params[3]);
        let mut int = || e.b.declare_var(types::I32);
        let (rank, row, y, z, stop, any, all) = (int(), int(), int(), int(), int(), int(), int());
        e.thread = Thread::Loop { rank, row, y, z };
        let exits = cut.exits(&group.entries);
        let only = if let [only] = exits[..] { Some(only) } else { None };
        if cut.waits() {
            e.waiting = Some(Waiting { cut, any, all, only, touches: cut.touches(&group.entries) });
        }
        let none = e.b.ins().iconst(types::I32, 0);
        let one = e.b.ins().iconst(types::I32, 1);
        let ones = e.b.ins().iconst(types::I32, -1);
        e.b.def_var(any, none);
        e.b.def_var(all, ones);
        let width = e.fixed(types::I32, offset_of!(Context, block));
        let height = e.fixed(types::I32, offset_of!(Context, block) + 4);
        for (variable, first) in [(rank, begin), (row, none), (y, none), (z, none)] {
            e.b.def_var(variable, first);
        }
        let body = e.b.create_block();
        e.live = Some(&cut.live);
        e.order_blocks(group.entries.iter().map(|entry| cut.entries[*entry as usize].block));
        let has_vectors = e.prepare_lanes(cut, group, body);
        if let [entry] = group.entries[..] {
            e.exchange_first(cut, entry, (region, end, width))?;
        }
        // Divisions are slow, and nearly all calls begin with the first thread.
        let (within, rows) = (e.b.create_block(), e.b.create_block());
        e.leave_open(rows);
        e.b.ins().brif(begin, within, &[], rows, &[]);
        e.enter(within);
        let across = e.b.ins().urem(begin, width);
        let above = e.b.ins().udiv(begin, width);
        let first_row = e.b.ins().isub(begin, across);
        let first_y = e.b.ins().urem(above, height);
        let first_z = e.b.ins().udiv(above, height);
        for (variable, first) in [(row, first_row), (y, first_y), (z, first_z)] {
            e.b.def_var(variable, first);
        }

        // Rows of threads with one y and z; within each, a loop over x. What depends on y and z alone is done once a row.
        let next_row = e.b.create_block();
        let latch = e.b.create_block();
        let finish = e.b.create_block();
        e.latch = Some(latch);
        e.leave_open(body);
        e.b.ins().jump(rows, &[]);

        e.enter(rows);
        let begun = e.b.use_var(rank);
        let more = e.b.ins().icmp(IntCC::UnsignedLessThan, begun, end);
        let in_row = e.b.create_block();
        e.b.ins().brif(more, in_row, &[], finish, &[]);
        e.enter(in_row);
        let row_begin = e.b.use_var(row);
        let row_end = e.b.ins().iadd(row_begin, width);
        let row_stop = e.b.ins().umin(row_end, end);
        e.b.def_var(stop, row_stop);
        let head = match group.entries[..] {
            [entry] if has_vectors => Some(e.vector_path(cut, entry, stop, next_row)?),
            _ => {
                e.b.ins().jump(body, &[]);
                None
            }
        };

        e.enter(body);
        e.enter_threads(cut, group, region);
        e.emit_blocks()?;

        e.enter(latch);
        let t = e.b.use_var(rank);
        let t = e.b.ins().iadd(t, one);
        e.b.def_var(rank, t);
        if let Some(head) = head {
            e.b.ins().jump(head, &[]);
        } else {
            let until = e.b.use_var(stop);
            let more = e.b.ins().icmp(IntCC::UnsignedLessThan, t, until);
            e.b.ins().brif(more, body, &[], next_row, &[]);
        }
        e.close(body);
        if let Some(head) = head {
            e.close(head);
        }

        e.enter(next_row);
        let t = e.b.use_var(rank);
        e.b.def_var(row, t);
        let above = e.b.use_var(y);
        let above = e.b.ins().iadd(above, one);
        let wraps = e.b.ins().icmp(IntCC::Equal, above, height);
        let new_y = e.b.ins().select(wraps, none, above);
        let old_z = e.b.use_var(z);
        let carried = e.b.ins().uextend(types::I32, wraps);
        let new_z = e.b.ins().iadd(old_z, carried);
        e.b.def_var(y, new_y);
        e.b.def_var(z, new_z);
        e.b.ins().jump(rows, &[]);
        e.close(rows);

        e.enter(finish);
        let status = if let Some(only) = only {
            e.b.ins().iconst(types::I32, i64::from(only))
        } else if cut.waits() {
            let (any, all) = (e.b.use_var(any), e.b.use_var(all));
            let same = e.b.ins().icmp(IntCC::Equal, any, all);
            let mixed = e.b.ins().iconst(types::I32, i64::from(MIXED));
            e.b.ins().select(same, any, mixed)
        } else {
            e.b.ins().iconst(types::I32, i64::from(DONE))
        };
        e.b.ins().return_(&[status]);
        e.emit_exits();
        Ok(())
    }

    /// Where the thread's slots are.
    pub(super) fn find_slots(&mut self, cut: &Cut) {
        let slots = self.fixed(self.unit.pointer, offset_of!(Context, slots));
        let own = if cut.waits() && self.unit.layout.slot_bytes > 0 {
            let rank = self.rank();
            let wide = self.b.ins().uextend(types::I64, rank);
            let stride = self.b.ins().iconst(types::I64, self.unit.layout.slot_bytes as i64);
            let offset = self.b.ins().imul(wide, stride);
            self.b.ins().iadd(slots, offset)
        } else {
            slots
        };
        self.b.def_var(self.slots, own);
    }

    /// At the beginning of a thread's part: to the region that it is in, with what it kept; or to where it left the
    /// vector path.
    fn enter_threads(&mut self, cut: &'e Cut, group: &Group, region: Value) {
        self.find_slots(cut);
        let points = self.lanes.as_ref().map_or_else(Vec::new, |lanes| lanes.points.clone());
        let starts: Vec<Block> = group.entries.iter().map(|_| self.b.create_block()).collect();
        let taken: Vec<Block> = points.iter().map(|_| self.b.create_block()).collect();
        let leave = self.leave;
        if let Some(lanes) = &self.lanes {
            let resume = lanes.resume;
            let resume = self.b.use_var(resume);
            let mut switch = Switch::new();
            for (i, block) in taken.iter().enumerate() {
                switch.set_entry(i as u128 + 1, *block);
            }
            switch.emit(&mut self.b, resume, starts.first().copied().unwrap_or(leave));
        } else if let [only] = starts[..] {
            self.b.ins().jump(only, &[]);
        } else {
            let mut switch = Switch::new();
            for (entry, start) in group.entries.iter().zip(&starts) {
                switch.set_entry(u128::from(*entry), *start);
            }
            switch.emit(&mut self.b, region, leave);
        }
        for (&number, start) in group.entries.iter().zip(starts) {
            self.enter(start);
            let entry = &cut.entries[number as usize];
            self.restore(cut, entry, number);
            let first = self.block(entry.block);
            self.b.ins().jump(first, &[]);
        }
        for (point, start) in points.into_iter().zip(taken) {
            self.enter(start);
            self.take_up(point);
            let to = self.block(point);
            self.b.ins().jump(to, &[]);
        }
    }

    /// Makes ready for a path that takes four threads at a time, where that pays.
    fn prepare_lanes(&mut self, cut: &'e Cut, group: &Group, scalar: Block) -> bool {
        let [entry] = group.entries[..] else { return false };
        if !self.unit.has_vectors || self.unit.checked {
            return false;
        }
        let shapes = Shapes::of(cut, entry, self.unit.layout.slot_bytes as i64);
        let kept = self.blocks_in_order.iter().map(|block| cut.live.live_in(block.index()).count()).max();
        let buffer = 32 * kept.unwrap_or(0).max(1) as u32;
        if !lane_variation::pays(cut, entry, &shapes, self.unit.has_fma) || buffer > MAX_BUFFER {
            return false;
        }
        let latch = self.b.create_block();
        let (resume, first, stop) =
            (self.b.declare_var(types::I32), self.b.declare_var(types::I32), self.b.declare_var(types::I32));
        let buffer =
            self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, buffer, 4));
        self.lanes = Some(Lanes {
            shapes,
            vars: vec![None; cut.function.locals.len()],
            blocks: vec![None; cut.function.blocks.len()],
            latch,
            scalar,
            resume,
            first,
            stop,
            points: Vec::new(),
            buffer,
            masks: HashMap::new(),
        });
        true
    }

    /// The loop that takes four threads at a time; its head, which the scalar path comes back to.
    fn vector_path(
        &mut self,
        cut: &'e Cut,
        entry: u32,
        row_stop: Variable,
        next_row: Block,
    ) -> Result<Block, Diagnostic> {
        let rank = match self.thread {
            Thread::Loop { rank, .. } => rank,
            Thread::Given(_) => unreachable!("regions have a loop over threads"),
        };
        let head = self.b.create_block();
        let (latch, scalar, resume, first, stop) = {
            let lanes = self.lanes();
            (lanes.latch, lanes.scalar, lanes.resume, lanes.first, lanes.stop)
        };
        let none = self.b.ins().iconst(types::I32, 0);
        for var in [resume, first, stop] {
            self.b.def_var(var, none);
        }
        self.leave_open(head);
        self.b.ins().jump(head, &[]);

        // One loop for both paths: a loop within it for threads on the scalar path would have what does not change in
        // it computed anew for each group.
        self.enter(head);
        let t = self.b.use_var(rank);
        let until = self.b.use_var(stop);
        let goes_alone = self.b.ins().icmp(IntCC::UnsignedLessThan, t, until);
        let choose = self.b.create_block();
        self.b.ins().brif(goes_alone, scalar, &[], choose, &[]);
        self.enter(choose);
        let row_stop = self.b.use_var(row_stop);
        let four = self.b.ins().iconst(types::I32, i64::from(LANES));
        let after = self.b.ins().iadd(t, four);
        let (body, rest, alone) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let mut fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, after, row_stop);
        if cut.waits() {
            // Frames are in tiles: four threads must be of one.
            let mask = self.b.ins().iconst(types::I32, i64::from(WARP - 1));
            let lane = self.b.ins().band(t, mask);
            let last = self.b.ins().iconst(types::I32, i64::from(WARP - LANES));
            let one_tile = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, lane, last);
            fits = self.b.ins().band(fits, one_tile);
        }
        self.b.ins().brif(fits, body, &[], rest, &[]);
        self.enter(rest);
        let ended = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, t, row_stop);
        self.b.ins().brif(ended, next_row, &[], alone, &[]);
        self.enter(alone);
        let until = self.b.ins().umin(after, row_stop);
        self.b.def_var(stop, until);
        self.b.def_var(resume, none);
        self.b.def_var(first, t);
        self.b.ins().jump(scalar, &[]);

        self.enter(body);
        self.find_slots(cut);
        let region = &cut.entries[entry as usize];
        self.restore_wide(cut, region, entry, None)?;
        let to = self.wide_block(region.block);
        self.b.ins().jump(to, &[]);
        let mut back = self.count_back_edges();
        for block in self.blocks_in_order.clone() {
            let target = self.wide_block(block);
            if back[block.index()] > 0 {
                self.leave_open(target);
            }
            self.enter(target);
            let wait = cut.waits[block.index()];
            let code = &cut.function.blocks[block.index()];
            let ops = if wait.is_some() { &code.insts[..code.insts.len() - 1] } else { &code.insts[..] };
            self.sums.clear();
            for inst in ops {
                self.span = inst.span;
                self.emit_wide(Some(block), &inst.op)?;
                self.note_sum(&inst.op);
            }
            self.sums.clear();
            self.span = code.span;
            match wait {
                Some(region) => self.suspend_wide(region),
                None => {
                    self.end_wide(block, &code.end);
                    self.close_loops(block, &mut back, Emitter::wide_block);
                }
            }
        }
        self.enter(latch);
        let t = self.b.use_var(rank);
        let after = self.b.ins().iadd(t, four);
        self.b.def_var(rank, after);
        self.b.ins().jump(head, &[]);
        Ok(head)
    }
}
