//! Makes a function block by block: what front ends and tests write IR with.

use super::{
    Binary, Block, BlockId, Compare, Convert, End, Function, Inst, Kernel, Local, LocalInfo, Op, Slot,
    SlotId, Special, Type, Unary,
};
use crate::Span;

/// A function that is being made. Instructions go to the current block, at first the entry.
///
/// ```
/// use cuprum_kernel::ir::{Binary, End, FunctionBuilder, Type};
///
/// let mut b = FunctionBuilder::function("twice", Some(Type::I32));
/// let x = b.param(Type::I32, "x");
/// let sum = b.binary(Binary::Add, x, x);
/// b.end(End::Return(Some(sum)));
/// assert_eq!(b.finish().blocks.len(), 1);
/// ```
pub struct FunctionBuilder {
    function: Function,
    ended: Vec<bool>,
    current: BlockId,
    span: Span,
}

impl FunctionBuilder {
    /// A kernel.
    pub fn kernel(name: impl Into<String>, kernel: Kernel) -> FunctionBuilder {
        FunctionBuilder::start(name.into(), Some(kernel), None)
    }

    /// A device function.
    pub fn function(name: impl Into<String>, result: Option<Type>) -> FunctionBuilder {
        FunctionBuilder::start(name.into(), None, result)
    }

    fn start(name: String, kernel: Option<Kernel>, result: Option<Type>) -> FunctionBuilder {
        let function = Function {
            name,
            kernel,
            params: Vec::new(),
            result,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            keep_call: false,
            span: Span::default(),
        };
        let mut builder =
            FunctionBuilder { function, ended: Vec::new(), current: BlockId(0), span: Span::default() };
        builder.block();
        builder
    }

    /// The function so far; ends of blocks that have none yet are [`End::Unreachable`].
    pub fn so_far(&mut self) -> &mut Function {
        &mut self.function
    }

    /// Sets the place that the instructions and ends that follow stand for.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    /// The place that was set last.
    pub fn place(&self) -> Span {
        self.span
    }

    /// A new local without a name.
    pub fn local(&mut self, ty: Type) -> Local {
        self.variable(ty, "")
    }

    /// A new local that holds a variable.
    pub fn variable(&mut self, ty: Type, name: impl Into<String>) -> Local {
        self.function.locals.push(LocalInfo { ty, name: name.into() });
        Local(self.function.locals.len() as u32 - 1)
    }

    /// The next parameter of a device function.
    pub fn param(&mut self, ty: Type, name: impl Into<String>) -> Local {
        let local = self.variable(ty, name);
        self.function.params.push(local);
        local
    }

    /// A local's type.
    pub fn type_of(&self, local: Local) -> Type {
        self.function.locals[local.index()].ty
    }

    /// A new slot.
    pub fn slot(&mut self, name: impl Into<String>, bytes: u64, align: u32) -> SlotId {
        self.function.slots.push(Slot { name: name.into(), bytes, align });
        SlotId(self.function.slots.len() as u32 - 1)
    }

    /// A new block, which does not become the current one.
    pub fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block { insts: Vec::new(), end: End::Unreachable, span: self.span });
        self.ended.push(false);
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    /// The block that instructions go to.
    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Makes `block` the current one.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Whether the current block has its end: what would follow is never reached.
    pub fn is_ended(&self) -> bool {
        self.ended[self.current.index()]
    }

    /// Adds an instruction to the current block. After the block's end it is left out: nothing leads to it.
    pub fn push(&mut self, op: Op) {
        if !self.is_ended() {
            let span = self.span;
            self.function.blocks[self.current.index()].insts.push(Inst { op, span });
        }
    }

    /// Ends the current block. The first end of a block is the one that counts.
    pub fn end(&mut self, end: End) {
        if !self.is_ended() {
            let block = &mut self.function.blocks[self.current.index()];
            block.end = end;
            block.span = self.span;
            self.ended[self.current.index()] = true;
        }
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, to: BlockId) {
        self.end(End::Jump(to));
    }

    /// Ends the current block with a branch.
    pub fn branch(&mut self, cond: Local, then: BlockId, otherwise: BlockId) {
        self.end(End::Branch { cond, then, otherwise });
    }

    /// A number by its bits, in a new local.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Local {
        let dst = self.local(ty);
        self.push(Op::Const { dst, bits });
        dst
    }

    /// `op(src)` in a new local.
    pub fn unary(&mut self, op: Unary, src: Local) -> Local {
        let dst = self.local(self.type_of(src));
        self.push(Op::Unary { dst, op, src });
        dst
    }

    /// `op(a, b)` in a new local.
    pub fn binary(&mut self, op: Binary, a: Local, b: Local) -> Local {
        let dst = self.local(self.type_of(a));
        self.push(Op::Binary { dst, op, a, b });
        dst
    }

    /// A comparison in a new local.
    pub fn compare(&mut self, op: Compare, a: Local, b: Local) -> Local {
        let dst = self.local(Type::BOOL);
        self.push(Op::Compare { dst, op, a, b });
        dst
    }

    /// A conversion in a new local.
    pub fn convert(&mut self, ty: Type, kind: Convert, src: Local) -> Local {
        let dst = self.local(ty);
        self.push(Op::Convert { dst, kind, src });
        dst
    }

    /// What stands in memory, in a new local.
    pub fn load(&mut self, ty: Type, addr: Local, offset: i64) -> Local {
        let dst = self.local(ty);
        self.push(Op::Load { dst, addr, offset, volatile: false });
        dst
    }

    /// Writes to memory.
    pub fn store(&mut self, addr: Local, offset: i64, src: Local) {
        self.push(Op::Store { addr, offset, src, volatile: false });
    }

    /// A slot's address in a new local.
    pub fn slot_address(&mut self, slot: SlotId) -> Local {
        let dst = self.local(Type::POINTER);
        self.push(Op::SlotAddress { dst, slot });
        dst
    }

    /// A kernel's parameter in a new local.
    pub fn parameter(&mut self, ty: Type, offset: u32) -> Local {
        let dst = self.local(ty);
        self.push(Op::Parameter { dst, offset });
        dst
    }

    /// A number of the launch or the thread in a new local.
    pub fn special(&mut self, register: Special) -> Local {
        let ty = if register.is_wide() { Type::I64 } else { Type::I32 };
        let dst = self.local(ty);
        self.push(Op::Special { dst, register });
        dst
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }
}
