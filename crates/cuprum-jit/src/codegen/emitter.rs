//! The emitter of one machine function: the loop over threads, the blocks in order, and what all ops use.

use std::collections::{HashMap, HashSet};
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cuprum_kernel::ir::{self, BlockId, Function, Local, Op, Special};
use cuprum_kernel::passes::analysis::Liveness;
use cuprum_kernel::{Diagnostic, Span};

use super::control::FUEL;
use super::lanes::Lanes;
use super::suspend::Tile;
use super::unit::{CheckSubject, SiteInfo, Unit, lay_out_slots};
use crate::context::{Context, STOPPED, WARP};
use crate::entry;
use crate::facts::FunctionFacts;
use crate::regions::{Cut, LocalUses};

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
    pub facts: &'e FunctionFacts,
    pub vars: Vec<Variable>,
    /// Values of locals that no block takes from another. They are no variables: Cranelift keeps a table of all blocks
    /// for each of those.
    pub held: Vec<Option<Value>>,
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
    /// The vector path, where there is one.
    pub lanes: Option<Lanes<'e>>,
    pub live: Option<&'e Liveness>,
    /// The lanes that code is emitted for, where they are known by number.
    pub tile: Option<Tile>,
    /// Addresses that the block has added up, each with its base and its index.
    pub sums: HashMap<Local, (Local, Local)>,
}

/// What a kernel that waits has besides its blocks.
pub(super) struct Waiting<'e> {
    pub cut: &'e Cut,
    /// All threads' next regions, or-ed and and-ed.
    pub any: Variable,
    pub all: Variable,
    /// Where all threads end, where that is one place: it is not noted for each.
    pub only: Option<u32>,
    pub touches: LocalUses,
}

impl<'e, 'f> Emitter<'e, 'f> {
    pub(super) fn new(
        unit: &'e Unit<'e>,
        function: &'e Function,
        facts: &'e FunctionFacts,
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
        let full = b.ins().iconst(types::I32, i64::from(FUEL));
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
            held: vec![None; function.locals.len()],
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
            lanes: None,
            live: None,
            tile: None,
            sums: HashMap::new(),
        }
    }

    /// The machine function of a device function.
    pub(super) fn function(
        unit: &'e Unit<'e>,
        function: &'e Function,
        facts: &'e FunctionFacts,
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

    /// Takes memory for the slots, and checks that neither it nor the machine's stack is used up; now and then looks
    /// whether to stop.
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
        self.check(ok, CheckSubject::Stack, None, None);
        self.b.ins().store(OWN, top, self.ctx, at as i32);
        self.b.def_var(self.slots, base);
        self.stack = Some(base);
        self.take_fuel();
        self.look_whether_to_stop();
    }

    pub(super) fn emit_exits(mut self) {
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

    /// The block of an IR block.
    pub(super) fn block(&mut self, block: BlockId) -> Block {
        match self.blocks[block.index()] {
            Some(block) => block,
            None => {
                let made = self.b.create_block();
                self.blocks[block.index()] = Some(made);
                made
            }
        }
    }

    pub(super) fn ty(&self, local: Local) -> ir::Type {
        self.function.locals[local.index()].ty
    }

    pub(super) fn get(&mut self, local: Local) -> Value {
        match self.held[local.index()] {
            Some(value) if !self.facts.crosses(local) => value,
            _ => self.b.use_var(self.vars[local.index()]),
        }
    }

    pub(super) fn set(&mut self, local: Local, value: Value) {
        if self.facts.crosses(local) {
            self.b.def_var(self.vars[local.index()], value);
        } else {
            self.held[local.index()] = Some(value);
        }
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
            Special::SharedBase => self.fixed(types::I64, offset_of!(Context, shared)),
            Special::ClusterDim(axis) => self.fixed(types::I32, triple(offset_of!(Context, cluster), axis)),
            Special::ClusterShared => self.fixed(types::I64, offset_of!(Context, cluster_shared)),
            Special::ClusterStep => self.fixed(types::I32, offset_of!(Context, cluster_step)),
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
    pub(super) fn site(&mut self, what: CheckSubject) -> Value {
        self.sites.push(SiteInfo { span: self.span, what });
        self.b.ins().iconst(types::I32, self.sites.len() as i64 - 1)
    }

    /// Goes on only where `ok` is not zero; else the launch stops with a fault of `what`.
    pub(super) fn check(&mut self, ok: Value, what: CheckSubject, a: Option<Value>, b: Option<Value>) {
        let go_on = self.b.create_block();
        let failed = self.b.create_block();
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
        let go_on = self.b.create_block();
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
                self.check(ok, CheckSubject::Assert(*message), None, None);
            }
            Op::CheckIndex { index, size, axis, array } => {
                let (index, size) = (self.get(*index), self.get(*size));
                let ok = self.b.ins().icmp(IntCC::UnsignedLessThan, index, size);
                self.check(ok, CheckSubject::Index { axis: *axis, array: *array }, Some(index), Some(size));
            }
            Op::CheckWritten { variable, written } => {
                let ok = self.get(*written);
                let name = self.function.locals[variable.index()].name.clone();
                self.check(ok, CheckSubject::Unwritten(name), None, None);
            }
            Op::Undefined { dst } => {
                let zero = self.zero(self.ty(*dst));
                self.set(*dst, zero);
            }
            Op::CopyMembers { .. } => {
                let message = "an object was not taken apart before code was made; this is a fault of Cuprum";
                return Err(Diagnostic::error(self.span, message));
            }
            Op::Printf { dst, format, args } => self.printf(*dst, *format, args),
            Op::Allocate { dst, bytes } => self.allocate(*dst, *bytes),
            Op::Release { address } => self.release(*address),
            Op::Launch { function, config, values, bytes } => self.launch(*function, config, values, *bytes),
            Op::Yield => self.look_whether_to_stop(),
            Op::Barrier(_)
            | Op::SyncWarp { .. }
            | Op::Warp { .. }
            | Op::ActiveMask { .. }
            | Op::Lockstep
            | Op::GridSync
            | Op::ClusterSync => {
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
