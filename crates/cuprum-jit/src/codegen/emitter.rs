//! The emitter of one machine function: the loop over threads, the blocks in order, and what all ops use.

use std::collections::HashSet;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cuprum_kernel::ir::{self, BlockId, Function, Local, Op, Special};
use cuprum_kernel::passes::analysis::Liveness;
use cuprum_kernel::{Diagnostic, Span};

use super::control::FUEL;
use super::lanes::{LANES, Lanes};
use super::shapes::Shapes;
use super::unit::{Group, SiteInfo, Unit, What, lay_out_slots};
use super::vector;
use crate::context::{Context, DONE, MIXED, STOPPED, WARP};
use crate::entry;
use crate::facts::Facts;
use crate::regions::Cut;

/// Memory that generated code alone knows: never moves, never traps.
pub(super) const FIXED: MemFlagsData = MemFlagsData::trusted().with_readonly().with_can_move();
/// Memory of users: checked before, aligned or not.
pub(super) const USER: MemFlagsData = MemFlagsData::new().with_notrap();
/// Frames and the like: written and read by generated code and the scheduler.
pub(super) const OWN: MemFlagsData = MemFlagsData::trusted();

/// Cranelift's type.
pub(super) fn clif_type(ty: ir::Type) -> Type {
    match ty {
        ir::Type::I8 => types::I8,
        ir::Type::I16 => types::I16,
        ir::Type::I32 => types::I32,
        ir::Type::I64 => types::I64,
        ir::Type::F32 => types::F32,
        ir::Type::F64 => types::F64,
    }
}

/// The thread that code runs for.
pub(super) enum Thread {
    /// Of the loop over threads: its number; the number that the row of x began with; y and z.
    Loop { rank: Variable, row: Variable, y: Variable, z: Variable },
    /// A function's parameter.
    Given(Value),
}

pub(super) struct Emitter<'e, 'f> {
    pub b: FunctionBuilder<'f>,
    pub unit: &'e Unit<'e>,
    pub function: &'e Function,
    pub facts: &'e Facts,
    pub vars: Vec<Variable>,
    pub ctx: Value,
    pub thread: Thread,
    pub sites: &'e mut Vec<SiteInfo>,
    /// The region ends with a status that stops the launch.
    pub leave: Block,
    /// Records a fault: its site, and two numbers; then leaves.
    pub fail: Block,
    /// How often the thread may go back before it looks whether to stop.
    pub fuel: Variable,
    pub blocks: Vec<Option<Block>>,
    /// The position of each block in the order that they are emitted in.
    pub order: Vec<u32>,
    /// How many loops each block is in.
    pub depths: Vec<u32>,
    /// Blocks that more will lead to.
    pub open: HashSet<Block>,
    pub blocks_in_order: Vec<BlockId>,
    /// Where this function's slots begin.
    pub slots: Variable,
    pub slot_offsets: Vec<u32>,
    /// What a function puts back when it returns.
    pub stack: Option<Value>,
    /// The place that is being emitted.
    pub span: Span,
    /// For kernels that wait.
    pub waiting: Option<Waiting<'e>>,
    /// The end of the loop's body.
    pub latch: Option<Block>,
    /// Whether what is being emitted is hardly ever run.
    pub cold: bool,
    /// The vector path, where there is one.
    pub lanes: Option<Lanes<'e>>,
    pub live: Option<&'e Liveness>,
}

/// What a kernel that waits has beside its blocks.
pub(super) struct Waiting<'e> {
    pub cut: &'e Cut,
    /// All threads' next regions, or-ed and and-ed.
    pub any: Variable,
    pub all: Variable,
    /// Where all threads end, where that is one place: it is not noted for each.
    pub only: Option<u32>,
}

/// The most bytes that threads take with them from the vector path.
const MAX_BUFFER: u32 = 32 << 10;

impl<'e, 'f> Emitter<'e, 'f> {
    fn new(
        unit: &'e Unit<'e>,
        function: &'e Function,
        facts: &'e Facts,
        mut b: FunctionBuilder<'f>,
        sites: &'e mut Vec<SiteInfo>,
        slot_offsets: Vec<u32>,
    ) -> Emitter<'e, 'f> {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let ctx = b.block_params(entry)[0];
        let vars = function.locals.iter().map(|local| b.declare_var(clif_type(local.ty))).collect();
        let leave = b.create_block();
        let fail = b.create_block();
        b.set_cold_block(leave);
        b.set_cold_block(fail);
        for ty in [types::I32, types::I64, types::I64] {
            b.append_block_param(fail, ty);
        }
        let fuel = b.declare_var(types::I32);
        let full = b.ins().iconst(types::I32, FUEL);
        b.def_var(fuel, full);
        let slots = b.declare_var(unit.pointer);
        let given = b.block_params(entry)[1];
        Emitter {
            blocks: vec![None; function.blocks.len()],
            order: vec![u32::MAX; function.blocks.len()],
            depths: Vec::new(),
            blocks_in_order: Vec::new(),
            open: HashSet::from([leave, fail]),
            b,
            unit,
            function,
            facts,
            vars,
            ctx,
            thread: Thread::Given(given),
            sites,
            leave,
            fail,
            fuel,
            slots,
            slot_offsets,
            stack: None,
            span: function.span,
            waiting: None,
            latch: None,
            cold: false,
            lanes: None,
            live: None,
        }
    }

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
            e.waiting = Some(Waiting { cut, any, all, only });
        }
        let none = e.b.ins().iconst(types::I32, 0);
        let one = e.b.ins().iconst(types::I32, 1);
        let ones = e.b.ins().iconst(types::I32, -1);
        e.b.def_var(any, none);
        e.b.def_var(all, ones);
        let width = e.fixed(types::I32, offset_of!(Context, block));
        let height = e.fixed(types::I32, offset_of!(Context, block) + 4);
        let across = e.b.ins().urem(begin, width);
        let rows = e.b.ins().udiv(begin, width);
        let first_y = e.b.ins().urem(rows, height);
        let first_z = e.b.ins().udiv(rows, height);
        let first_row = e.b.ins().isub(begin, across);
        e.b.def_var(rank, begin);
        e.b.def_var(row, first_row);
        e.b.def_var(y, first_y);
        e.b.def_var(z, first_z);

        // Rows of threads with one y and z; within each, a loop over x. What depends on y and z alone is done once a row.
        let next_row = e.b.create_block();
        let rows = e.b.create_block();
        let body = e.b.create_block();
        let latch = e.b.create_block();
        let finish = e.b.create_block();
        e.latch = Some(latch);
        e.leave_open(rows);
        e.leave_open(body);
        e.live = Some(&cut.live);
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
        e.order_blocks(group.entries.iter().map(|entry| cut.entries[*entry as usize].block));
        let head = e.vector_path(cut, group, stop, next_row, body)?;
        if head.is_none() {
            e.b.ins().jump(body, &[]);
        }

        e.enter(body);
        e.enter_threads(cut, group, region);
        e.emit_blocks()?;

        e.enter(latch);
        let t = e.b.use_var(rank);
        let t = e.b.ins().iadd(t, one);
        e.b.def_var(rank, t);
        let stops = e.lanes.as_ref().map_or(stop, |lanes| lanes.stop);
        let until = e.b.use_var(stops);
        let more = e.b.ins().icmp(IntCC::UnsignedLessThan, t, until);
        e.b.ins().brif(more, body, &[], head.unwrap_or(next_row), &[]);
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
    fn find_slots(&mut self, cut: &Cut) {
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
        let starts: Vec<Block> = group.entries.iter().map(|_| self.new_block()).collect();
        let taken: Vec<Block> = points.iter().map(|_| self.new_block()).collect();
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

    /// The loop that takes four threads at a time; its head, which the scalar path comes back to. None where it does not
    /// pay.
    fn vector_path(
        &mut self,
        cut: &'e Cut,
        group: &Group,
        row_stop: Variable,
        next_row: Block,
        scalar: Block,
    ) -> Result<Option<Block>, Diagnostic> {
        let [entry] = group.entries[..] else { return Ok(None) };
        let Thread::Loop { rank, .. } = self.thread else { return Ok(None) };
        if !self.unit.has_vectors || self.unit.checked {
            return Ok(None);
        }
        let shapes = Shapes::of(cut, entry, self.unit.layout.slot_bytes as i64);
        let kept = self.blocks_in_order.iter().map(|block| cut.live.live_in(block.index()).count()).max();
        let buffer = 32 * kept.unwrap_or(0).max(1) as u32;
        if !vector::pays(cut, entry, &shapes, self.unit.has_fma) || buffer > MAX_BUFFER {
            return Ok(None);
        }
        let head = self.new_block();
        let latch = self.new_block();
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
        });
        let none = self.b.ins().iconst(types::I32, 0);
        self.leave_open(head);
        self.b.ins().jump(head, &[]);

        self.enter(head);
        let t = self.b.use_var(rank);
        let row_stop = self.b.use_var(row_stop);
        let four = self.b.ins().iconst(types::I32, i64::from(LANES));
        let after = self.b.ins().iadd(t, four);
        let (body, rest, alone) = (self.new_block(), self.new_block(), self.new_block());
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
        self.restore_wide(cut, region, entry)?;
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
            for inst in ops {
                self.span = inst.span;
                self.emit_wide(Some(block), &inst.op)?;
            }
            self.span = code.span;
            match wait {
                Some(region) => self.suspend_wide(region)?,
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
        Ok(Some(head))
    }

    /// The machine function of a device function.
    pub(super) fn function(
        unit: &'e Unit<'e>,
        function: &'e Function,
        facts: &'e Facts,
        clif: &'f mut cranelift_codegen::ir::Function,
        context: &'f mut FunctionBuilderContext,
        sites: &'e mut Vec<SiteInfo>,
    ) -> Result<(), Diagnostic> {
        let (slots, slot_bytes) = lay_out_slots(function)?;
        let b = FunctionBuilder::new(clif, context);
        let mut e = Emitter::new(unit, function, facts, b, sites, slots);
        let entry = e.b.current_block().unwrap_or(e.leave);
        let params = e.b.block_params(entry).to_vec();
        for (local, value) in function.params.iter().zip(&params[2..]) {
            e.b.def_var(e.vars[local.index()], *value);
        }
        e.enter_frame(slot_bytes);
        let first = e.block(BlockId(0));
        e.b.ins().jump(first, &[]);
        e.order_blocks(std::iter::once(BlockId(0)));
        e.emit_blocks()?;
        e.emit_exits();
        Ok(())
    }

    /// Takes memory for the slots, and checks that neither it nor the machine's stack is used up.
    fn enter_frame(&mut self, slot_bytes: u64) {
        let pointer = self.unit.pointer;
        let at = offset_of!(Context, stack);
        let base = self.b.ins().load(pointer, OWN, self.ctx, at as i32);
        let bytes = self.b.ins().iconst(pointer, slot_bytes as i64);
        let top = self.b.ins().iadd(base, bytes);
        let end = self.fixed(pointer, offset_of!(Context, stack_end));
        let room = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, top, end);
        let lowest = self.fixed(pointer, offset_of!(Context, native_limit));
        let now = self.b.ins().get_stack_pointer(pointer);
        let shallow = self.b.ins().icmp(IntCC::UnsignedGreaterThan, now, lowest);
        let ok = self.b.ins().band(room, shallow);
        self.check(ok, What::Stack, None, None);
        self.b.ins().store(OWN, top, self.ctx, at as i32);
        self.b.def_var(self.slots, base);
        self.stack = Some(base);
    }

    /// All blocks that are reached from `entries` without waiting.
    fn order_blocks(&mut self, entries: impl Iterator<Item = BlockId>) {
        self.blocks_in_order = self.reverse_postorder(entries);
        for (position, block) in self.blocks_in_order.iter().enumerate() {
            self.order[block.index()] = position as u32;
        }
        self.depths = self.count_loops();
    }

    fn emit_blocks(&mut self) -> Result<(), Diagnostic> {
        let mut back = self.count_back_edges();
        for block in self.blocks_in_order.clone() {
            let target = self.block(block);
            if back[block.index()] > 0 {
                self.leave_open(target);
            }
            self.enter(target);
            let wait = self.waiting.as_ref().and_then(|waiting| waiting.cut.waits[block.index()]);
            let code = &self.function.blocks[block.index()];
            let ops = if wait.is_some() { &code.insts[..code.insts.len() - 1] } else { &code.insts[..] };
            for inst in ops {
                self.span = inst.span;
                self.emit_op(&inst.op)?;
            }
            self.span = code.span;
            match wait {
                Some(region) => self.suspend(region),
                None => {
                    self.emit_end(block, &code.end);
                    self.close_loops(block, &mut back, Emitter::block);
                }
            }
        }
        Ok(())
    }

    fn reverse_postorder(&self, entries: impl Iterator<Item = BlockId>) -> Vec<BlockId> {
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        let mut seen = vec![false; self.function.blocks.len()];
        let mut postorder = Vec::new();
        for entry in entries {
            // A block, and whether what follows it is done.
            let mut work = vec![(entry, false)];
            while let Some((block, done)) = work.pop() {
                if done {
                    postorder.push(block);
                } else if !std::mem::replace(&mut seen[block.index()], true) {
                    work.push((block, true));
                    if !waits(block) {
                        let next = self.function.blocks[block.index()].end.successors();
                        work.extend(next.filter(|to| !seen[to.index()]).map(|to| (to, false)));
                    }
                }
            }
        }
        postorder.reverse();
        postorder
    }

    fn emit_exits(mut self) {
        self.enter(self.fail);
        let params = self.b.block_params(self.fail).to_vec();
        let thread = self.rank();
        let pointer = self.unit.pointer;
        let args = [self.ctx, thread, params[0], params[1], params[2]];
        let kinds = [pointer, types::I32, types::I32, types::I64, types::I64];
        self.call_runtime(entry::fault as *const u8, &kinds, None, &args);
        self.b.ins().jump(self.leave, &[]);
        self.enter(self.leave);
        self.close(self.fail);
        self.close(self.leave);
        let mut results = vec![self.b.ins().iconst(types::I32, i64::from(STOPPED))];
        if self.function.kernel.is_none()
            && let Some(ty) = self.function.result
        {
            results.push(self.zero(ty));
        }
        self.b.ins().return_(&results);
        self.b.seal_all_blocks();
        let config = self.unit.config;
        self.b.finalize(config);
    }

    /// A new block; out of the way where code that is hardly ever run is being emitted.
    pub(super) fn new_block(&mut self) -> Block {
        let block = self.b.create_block();
        if self.cold {
            self.b.set_cold_block(block);
        }
        block
    }

    /// Goes on in a block. All that leads there has been emitted, unless it was left open: then it needs no values of
    /// its own for what does not change on the way.
    pub(super) fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
        if !self.open.contains(&block) {
            self.b.seal_block(block);
        }
    }

    /// More will lead to this block after it was entered.
    pub(super) fn leave_open(&mut self, block: Block) {
        self.open.insert(block);
    }

    /// Nothing more leads to this block.
    pub(super) fn close(&mut self, block: Block) {
        if self.open.remove(&block) {
            self.b.seal_block(block);
        }
    }

    /// How many loops each block is in.
    fn count_loops(&self) -> Vec<u32> {
        let mut depths = vec![0; self.function.blocks.len()];
        let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); self.function.blocks.len()];
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        let mut ends: Vec<(BlockId, BlockId)> = Vec::new();
        for &from in &self.blocks_in_order {
            if waits(from) {
                continue;
            }
            for to in self.function.blocks[from.index()].end.successors() {
                before[to.index()].push(from);
                if self.order[to.index()] <= self.order[from.index()] {
                    ends.push((to, from));
                }
            }
        }
        // Many loops in a large function: the order of its branches is not worth the search.
        if ends.len() * self.blocks_in_order.len() > 1_000_000 {
            return depths;
        }
        for (head, end) in ends {
            let mut seen = HashSet::from([head]);
            let mut work = vec![end];
            while let Some(block) = work.pop() {
                if seen.insert(block) {
                    work.extend(
                        before[block.index()]
                            .iter()
                            .filter(|b| self.order[b.index()] >= self.order[head.index()]),
                    );
                }
            }
            for block in seen {
                depths[block.index()] += 1;
            }
        }
        depths
    }

    /// For each block, how many edges go back to it.
    fn count_back_edges(&self) -> Vec<u32> {
        let mut counts = vec![0; self.function.blocks.len()];
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        for &from in &self.blocks_in_order {
            if waits(from) {
                continue;
            }
            for to in self.function.blocks[from.index()].end.successors() {
                if self.order[to.index()] <= self.order[from.index()] {
                    counts[to.index()] += 1;
                }
            }
        }
        counts
    }

    /// Closes the loops whose last edge back was of this block.
    fn close_loops(&mut self, from: BlockId, counts: &mut [u32], block: fn(&mut Self, BlockId) -> Block) {
        let ends: Vec<BlockId> = self.function.blocks[from.index()].end.successors().collect();
        for to in ends {
            if self.order[to.index()] <= self.order[from.index()] && counts[to.index()] > 0 {
                counts[to.index()] -= 1;
                if counts[to.index()] == 0 {
                    let head = block(self, to);
                    self.close(head);
                }
            }
        }
    }

    /// The block of an IR block.
    pub(super) fn block(&mut self, block: BlockId) -> Block {
        match self.blocks[block.index()] {
            Some(block) => block,
            None => {
                let made = self.new_block();
                self.blocks[block.index()] = Some(made);
                made
            }
        }
    }

    pub(super) fn ty(&self, local: Local) -> ir::Type {
        self.function.locals[local.index()].ty
    }

    pub(super) fn get(&mut self, local: Local) -> Value {
        self.b.use_var(self.vars[local.index()])
    }

    pub(super) fn set(&mut self, local: Local, value: Value) {
        self.b.def_var(self.vars[local.index()], value);
    }

    pub(super) fn zero(&mut self, ty: ir::Type) -> Value {
        self.number(ty, 0)
    }

    /// A number by its bits.
    pub(super) fn number(&mut self, ty: ir::Type, bits: u64) -> Value {
        match ty {
            ir::Type::I8 => self.b.ins().iconst(types::I8, i64::from(bits as u8)),
            ir::Type::I16 => self.b.ins().iconst(types::I16, i64::from(bits as u16)),
            ir::Type::I32 => self.b.ins().iconst(types::I32, i64::from(bits as u32)),
            ir::Type::I64 => self.b.ins().iconst(types::I64, bits as i64),
            ir::Type::F32 => self.b.ins().f32const(f32::from_bits(bits as u32)),
            ir::Type::F64 => self.b.ins().f64const(f64::from_bits(bits)),
        }
    }

    /// A field of the context that does not change while a region runs.
    pub(super) fn fixed(&mut self, ty: Type, offset: usize) -> Value {
        self.b.ins().load(ty, FIXED, self.ctx, offset as i32)
    }

    /// The thread's number in its block.
    pub(super) fn rank(&mut self) -> Value {
        match self.thread {
            Thread::Loop { rank, .. } => self.b.use_var(rank),
            Thread::Given(rank) => rank,
        }
    }

    pub(super) fn special(&mut self, register: Special) -> Value {
        let triple = |at: usize, axis: u8| at + 4 * usize::from(axis);
        match register {
            Special::BlockIdx(axis) => self.fixed(types::I32, triple(offset_of!(Context, block_index), axis)),
            Special::BlockDim(axis) => self.fixed(types::I32, triple(offset_of!(Context, block), axis)),
            Special::GridDim(axis) => self.fixed(types::I32, triple(offset_of!(Context, grid), axis)),
            Special::DynamicSharedBytes => self.fixed(types::I32, offset_of!(Context, dynamic_shared)),
            Special::ThreadRank => self.rank(),
            Special::LaneId => {
                let rank = self.rank();
                let mask = self.b.ins().iconst(types::I32, i64::from(WARP - 1));
                self.b.ins().band(rank, mask)
            }
            Special::Clock => {
                let pointer = self.unit.pointer;
                let ctx = self.ctx;
                self.call_runtime(entry::clock as *const u8, &[pointer], Some(types::I64), &[ctx])
            }
            Special::ThreadIdx(axis) => self.thread_index(axis),
        }
    }

    fn thread_index(&mut self, axis: u8) -> Value {
        match (&self.thread, axis) {
            (Thread::Loop { rank, row, .. }, 0) => {
                let (rank, row) = (*rank, *row);
                let (rank, row) = (self.b.use_var(rank), self.b.use_var(row));
                self.b.ins().isub(rank, row)
            }
            (Thread::Loop { y, .. }, 1) => {
                let y = *y;
                self.b.use_var(y)
            }
            (Thread::Loop { z, .. }, _) => {
                let z = *z;
                self.b.use_var(z)
            }
            (Thread::Given(rank), axis) => {
                let rank = *rank;
                let width = self.fixed(types::I32, offset_of!(Context, block));
                if axis == 0 {
                    return self.b.ins().urem(rank, width);
                }
                let rows = self.b.ins().udiv(rank, width);
                let height = self.fixed(types::I32, offset_of!(Context, block) + 4);
                if axis == 1 { self.b.ins().urem(rows, height) } else { self.b.ins().udiv(rows, height) }
            }
        }
    }

    /// Calls a function of the runtime by its address.
    pub(super) fn call_runtime(
        &mut self,
        address: *const u8,
        params: &[Type],
        result: Option<Type>,
        args: &[Value],
    ) -> Value {
        let mut signature = Signature::new(self.unit.call_conv);
        signature.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let address = self.b.ins().iconst(self.unit.pointer, address as i64);
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call).first().copied().unwrap_or(self.ctx)
    }

    /// Calls a thunk; the status that it put into the context.
    pub(super) fn call_thunk(&mut self, address: usize, params: &[Type], args: &[Value]) -> Value {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
        let signature = self.b.import_signature(signature);
        let address = self.b.ins().iconst(self.unit.pointer, address as i64);
        self.b.ins().call_indirect(signature, address, args);
        self.b.ins().load(types::I32, OWN, self.ctx, offset_of!(Context, status) as i32)
    }

    /// The number of a place that checks speak of.
    pub(super) fn site(&mut self, what: What) -> Value {
        self.sites.push(SiteInfo { span: self.span, what });
        self.b.ins().iconst(types::I32, self.sites.len() as i64 - 1)
    }

    /// Goes on only where `ok` is not zero; else the launch stops with a fault of `what`.
    pub(super) fn check(&mut self, ok: Value, what: What, a: Option<Value>, b: Option<Value>) {
        let go_on = self.new_block();
        let failed = self.new_block();
        self.b.set_cold_block(failed);
        self.unless(ok, failed, go_on);
        self.enter(failed);
        let site = self.site(what);
        let none = self.b.ins().iconst(types::I64, 0);
        let fail = self.fail;
        self.b.ins().jump(fail, &[site.into(), a.unwrap_or(none).into(), b.unwrap_or(none).into()]);
        self.enter(go_on);
    }

    /// To `seldom` where `ok` is zero, else to `go_on`, which comes second: Cranelift looks at the second way first, and
    /// what it finds to be the same in all rounds of a loop is lost to blocks after one that leaves the loop.
    pub(super) fn unless(&mut self, ok: Value, seldom: Block, go_on: Block) {
        let ty = self.b.func.dfg.value_type(ok);
        let zero = self.b.ins().iconst(ty, 0);
        let failed = self.b.ins().icmp(IntCC::Equal, ok, zero);
        self.b.ins().brif(failed, seldom, &[], go_on, &[]);
    }

    /// Leaves where a status is not zero.
    pub(super) fn leave_if(&mut self, status: Value) {
        let go_on = self.new_block();
        let leave = self.leave;
        self.b.ins().brif(status, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    pub(super) fn emit_op(&mut self, op: &Op) -> Result<(), Diagnostic> {
        match op {
            Op::Const { dst, bits } => {
                let value = self.number(self.ty(*dst), *bits);
                self.set(*dst, value);
            }
            Op::Copy { dst, src } => {
                let value = self.get(*src);
                self.set(*dst, value);
            }
            Op::Unary { dst, op, src } => self.unary(*dst, *op, *src),
            Op::Binary { dst, op, a, b } => self.binary(*dst, *op, *a, *b),
            Op::Compare { dst, op, a, b } => self.compare(*dst, *op, *a, *b),
            Op::Convert { dst, kind, src } => self.convert(*dst, *kind, *src),
            Op::Select { dst, cond, a, b } => {
                let (cond, a, b) = (self.get(*cond), self.get(*a), self.get(*b));
                let value = self.b.ins().select(cond, a, b);
                self.set(*dst, value);
            }
            Op::Fma { dst, a, b, c } => {
                let (a, b, c) = (self.get(*a), self.get(*b), self.get(*c));
                let value = self.b.ins().fma(a, b, c);
                self.set(*dst, value);
            }
            Op::Math { dst, function, args } => self.math(*dst, *function, args),
            Op::Special { dst, register } => {
                let value = self.special(*register);
                self.set(*dst, value);
            }
            Op::Call { dst, function, args } => self.call(*dst, *function, args),
            Op::Assert { condition, message } => {
                let ok = self.get(*condition);
                self.check(ok, What::Assert(*message), None, None);
            }
            Op::CheckIndex { index, size, axis, array } => {
                let (index, size) = (self.get(*index), self.get(*size));
                let ok = self.b.ins().icmp(IntCC::UnsignedLessThan, index, size);
                self.check(ok, What::Index { axis: *axis, array: *array }, Some(index), Some(size));
            }
            Op::Printf { dst, format, args } => self.printf(*dst, *format, args),
            Op::Yield => self.look_whether_to_stop(),
            Op::Barrier(_) | Op::SyncWarp { .. } | Op::Warp { .. } | Op::ActiveMask { .. } | Op::GridSync => {
                return Err(Diagnostic::error(
                    self.span,
                    format!(
                        "a barrier or a warp function in `{}`, which calls itself, cannot run on the CPU; \
                         move it into the kernel or a function that does not call itself",
                        self.function.name
                    ),
                ));
            }
            _ => self.memory_op(op),
        }
        Ok(())
    }
}
