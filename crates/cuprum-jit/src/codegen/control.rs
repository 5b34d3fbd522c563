//! How blocks end, calls, and the looks at whether to stop.

use std::mem::offset_of;

use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_frontend::Switch;
use cuprum_kernel::ir::{BlockId, End, FunctionId, Local, Math, Op, StringId};
use cuprum_kernel::passes::analysis::Origin;

use super::emitter::{Emitter, FIXED, OWN, clif_type};
use super::thunks::POLL;
use super::unit::{CheckSubject, function_signature};
use crate::context::{Context, DONE};
use crate::runtime::check::AccessKind;
use crate::{children, entry, runtime};

/// Back edges between two looks at the clock; of called functions, calls too.
pub(crate) const FUEL: u32 = 1 << 15;

impl Emitter<'_, '_> {
    pub(super) fn emit_end(&mut self, from: BlockId, end: &End) {
        match end {
            End::Jump(to) => {
                let target = self.edge(from, *to);
                self.b.ins().jump(target, &[]);
                self.emit_pending(&[(target, *to)]);
            }
            End::Branch { cond, then, otherwise } => {
                let (yes, no) = (self.edge(from, *then), self.edge(from, *otherwise));
                self.branch(*cond, (*then, yes), (*otherwise, no));
                self.emit_pending(&[(yes, *then), (no, *otherwise)]);
            }
            End::Switch { value, cases, default } => {
                let ty = self.ty(*value);
                let value = self.get(*value);
                let mut switch = Switch::new();
                let mut edges = Vec::new();
                let mut seen = std::collections::BTreeSet::new();
                for (case, to) in cases {
                    let case = if ty.bytes() == 8 { *case } else { case & ((1 << (8 * ty.bytes())) - 1) };
                    if seen.insert(case) {
                        let target = self.edge(from, *to);
                        switch.set_entry(u128::from(case), target);
                        edges.push((target, *to));
                    }
                }
                let target = self.edge(from, *default);
                edges.push((target, *default));
                switch.emit(&mut self.b, value, target);
                self.emit_pending(&edges);
            }
            End::Return(value) => self.leave_function(*value),
            End::Unreachable => self.leave_function(None),
        }
    }

    /// By a condition, the way that stays in more loops second.
    pub(super) fn branch(&mut self, cond: Local, then: (BlockId, Block), otherwise: (BlockId, Block)) {
        let value = self.get(cond);
        let stays = self.depths[then.0.index()] > self.depths[otherwise.0.index()];
        // The opposite of a comparison of floats is no comparison.
        let of_floats = matches!(
            self.facts.definition(self.function, cond),
            Some(Op::Compare { a, .. }) if self.ty(*a).is_float()
        );
        if stays && !of_floats {
            self.unless(value, otherwise.1, then.1);
        } else {
            self.b.ins().brif(value, then.1, &[], otherwise.1, &[]);
        }
    }

    fn leave_function(&mut self, value: Option<Local>) {
        if let Some(latch) = self.latch {
            if self.waiting.is_some() {
                self.set_next(DONE);
            }
            self.b.ins().jump(latch, &[]);
            return;
        }
        if let Some(stack) = self.stack {
            self.b.ins().store(OWN, stack, self.ctx, offset_of!(Context, stack) as i32);
            self.leave_fuel();
        }
        let mut results = vec![self.b.ins().iconst(types::I32, 0)];
        if let Some(ty) = self.function.result {
            let result = match value {
                Some(value) => self.get(value),
                None => self.zero(ty),
            };
            results.push(result);
        }
        self.b.ins().return_(&results);
    }

    /// Where an edge leads: to the block itself, or by a look at whether to stop where it goes back.
    fn edge(&mut self, from: BlockId, to: BlockId) -> Block {
        let goes_back = self.order[to.index()] <= self.order[from.index()] && !self.facts.is_short(to);
        if goes_back { self.b.create_block() } else { self.block(to) }
    }

    /// Fills the blocks that `edge` made for edges that go back.
    fn emit_pending(&mut self, edges: &[(Block, BlockId)]) {
        for &(made, to) in edges {
            let target = self.block(to);
            if made != target {
                self.enter(made);
                self.look_whether_to_stop();
                self.b.ins().jump(target, &[]);
            }
        }
    }

    /// Now and then asks whether the launch is to stop.
    pub(super) fn look_whether_to_stop(&mut self) {
        let left = self.b.use_var(self.fuel);
        let one = self.b.ins().iconst(types::I32, 1);
        let left = self.b.ins().isub(left, one);
        self.b.def_var(self.fuel, left);
        let go_on = self.b.create_block();
        let look = self.b.create_block();
        self.b.set_cold_block(look);
        self.unless(left, look, go_on);
        self.enter(look);
        let ctx = self.ctx;
        let status = self.call_thunk(self.unit.thunks.poll, &POLL, &[ctx]);
        let full = self.b.ins().iconst(types::I32, i64::from(FUEL));
        self.b.def_var(self.fuel, full);
        let leave = self.leave;
        self.b.ins().brif(status, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    /// A called function goes on with what its callers have left: recursion looks at the clock as loops do.
    pub(super) fn take_fuel(&mut self) {
        let left = self.b.ins().load(types::I32, OWN, self.ctx, offset_of!(Context, fuel) as i32);
        self.b.def_var(self.fuel, left);
    }

    /// Leaves what is left to the function that is called or returned to.
    fn leave_fuel(&mut self) {
        let left = self.b.use_var(self.fuel);
        self.b.ins().store(OWN, left, self.ctx, offset_of!(Context, fuel) as i32);
    }

    pub(super) fn call(&mut self, dst: Option<Local>, function: FunctionId, args: &[Local]) {
        let Some((_, callee)) = self.unit.callees.iter().find(|(id, _)| *id == function) else { return };
        let signature = function_signature(callee, self.unit.pointer, self.unit.call_conv);
        let signature = self.b.import_signature(signature);
        let table = self.fixed(self.unit.pointer, offset_of!(Context, functions));
        let address = self.b.ins().load(self.unit.pointer, FIXED, table, 8 * function.0 as i32);
        let mut values = vec![self.ctx, self.rank()];
        for arg in args {
            let value = self.get(*arg);
            values.push(value);
        }
        let is_called = self.stack.is_some();
        if is_called {
            self.leave_fuel();
        }
        let call = self.b.ins().call_indirect(signature, address, &values);
        let results = self.b.inst_results(call).to_vec();
        self.leave_if(results[0]);
        if is_called {
            self.take_fuel();
        }
        if let (Some(dst), Some(result)) = (dst, results.get(1)) {
            self.set(dst, *result);
        }
    }

    pub(super) fn math(&mut self, dst: Local, function: Math, args: &[Local]) {
        let float = args.iter().map(|arg| self.ty(*arg)).find(|ty| ty.is_float()).unwrap_or(self.ty(dst));
        let address = runtime::math::address(function, float);
        let kinds: Vec<_> = args.iter().map(|arg| clif_type(self.ty(*arg))).collect();
        let values: Vec<_> = args.iter().map(|arg| self.get(*arg)).collect();
        let result = clif_type(self.ty(dst));
        let value = self.call_runtime(address, &kinds, Some(result), &values);
        self.set(dst, value);
    }

    pub(super) fn printf(&mut self, dst: Local, format: StringId, args: &[Local]) {
        let bytes = 8 * args.len().max(1) as u32;
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3));
        let pointer = self.unit.pointer;
        let at = self.b.ins().stack_addr(pointer, slot, 0);
        for (i, arg) in args.iter().enumerate() {
            let value = self.get(*arg);
            let value = if self.ty(*arg).is_float() || self.ty(*arg).bytes() == 8 {
                value
            } else {
                self.b.ins().sextend(types::I64, value)
            };
            self.b.ins().store(OWN, value, at, 8 * i as i32);
        }
        let rank = self.rank();
        let text = self.b.ins().iconst(types::I32, i64::from(format.0));
        let count = self.b.ins().iconst(types::I32, args.len() as i64);
        let what = CheckSubject::Access {
            kind: AccessKind::Read,
            bytes: 1,
            origin: Origin::Unknown,
            slot: (String::new(), 0),
        };
        let site = self.site(what);
        let values = [self.ctx, rank, site, text, at, count];
        let kinds = [pointer, types::I32, types::I32, types::I32, pointer, types::I32];
        let status = self.call_runtime(entry::printf as *const u8, &kinds, Some(types::I32), &values);
        self.leave_if(status);
        let count = self.number(self.ty(dst), args.len() as u64);
        self.set(dst, count);
    }

    /// A launch: its configuration as words of 64 bits, its parameters as bytes.
    pub(super) fn launch(
        &mut self,
        function: FunctionId,
        config: &[Local],
        values: &[(u32, Local)],
        bytes: u32,
    ) {
        let pointer = self.unit.pointer;
        let mut memory = |bytes: u32| {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4);
            let slot = self.b.create_sized_stack_slot(data);
            self.b.ins().stack_addr(pointer, slot, 0)
        };
        let words = memory(8 * config.len() as u32);
        let params = memory(bytes.max(8).next_multiple_of(8));
        for (i, local) in config.iter().enumerate() {
            let value = self.get(*local);
            let value =
                if self.ty(*local).bytes() == 8 { value } else { self.b.ins().uextend(types::I64, value) };
            self.b.ins().store(OWN, value, words, 8 * i as i32);
        }
        // What lies between the values is zero, so that no byte is left of what was there before.
        let zero = self.b.ins().iconst(types::I64, 0);
        for at in (0..bytes).step_by(8) {
            self.b.ins().store(OWN, zero, params, at as i32);
        }
        for (offset, local) in values {
            let value = self.get(*local);
            self.b.ins().store(OWN, value, params, *offset as i32);
        }
        let rank = self.rank();
        let site = self.site(CheckSubject::Launch);
        let number = self.b.ins().iconst(types::I32, i64::from(function.0));
        let bytes = self.b.ins().iconst(types::I64, i64::from(bytes));
        let kinds = [pointer, types::I32, types::I32, types::I32, pointer, pointer, types::I64];
        let values = [self.ctx, rank, site, number, words, params, bytes];
        let status = self.call_runtime(children::launch as *const u8, &kinds, Some(types::I32), &values);
        self.leave_if(status);
    }

    pub(super) fn allocate(&mut self, dst: Local, bytes: Local) {
        let bytes = self.get(bytes);
        let kinds = [self.unit.pointer, types::I64];
        let values = [self.ctx, bytes];
        let address = self.call_runtime(entry::allocate as *const u8, &kinds, Some(types::I64), &values);
        self.set(dst, address);
    }

    pub(super) fn release(&mut self, address: Local) {
        let address = self.get(address);
        let rank = self.rank();
        let site = self.site(CheckSubject::Release);
        let kinds = [self.unit.pointer, types::I32, types::I32, types::I64];
        let values = [self.ctx, rank, site, address];
        let status = self.call_runtime(entry::release as *const u8, &kinds, Some(types::I32), &values);
        self.leave_if(status);
    }
}
