//! Makes one function of the IR: blocks, locals, slots.

use crate::Span;
use crate::ir::{self, Binary, BlockId, Compare, Convert, End, Inst, Local, Op, SlotId, Type};

/// A function that is being made. Instructions go to the current block.
pub struct Builder {
    /// What is made.
    pub function: ir::Function,
    /// The place that instructions stand for.
    pub span: Span,
    current: BlockId,
    /// Whether the current block has its end: what follows is never reached.
    ended: bool,
}

impl Builder {
    pub(crate) fn new(name: String, span: Span) -> Builder {
        let function = ir::Function {
            name,
            kernel: None,
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            keep_call: false,
            span,
        };
        let mut builder = Builder { function, span, current: BlockId(0), ended: false };
        builder.current = builder.new_block();
        builder
    }

    /// A new local for an intermediate result.
    pub fn local(&mut self, ty: Type) -> Local {
        self.variable(ty, String::new())
    }

    /// A new local for a variable.
    pub(crate) fn variable(&mut self, ty: Type, name: String) -> Local {
        self.function.locals.push(ir::LocalInfo { ty, name });
        Local(self.function.locals.len() as u32 - 1)
    }

    /// A local's type.
    pub fn type_of(&self, local: Local) -> Type {
        self.function.locals[local.index()].ty
    }

    /// New memory in the frame.
    pub fn slot(&mut self, name: &str, bytes: u64, align: u64) -> SlotId {
        self.function.slots.push(ir::Slot { name: name.to_owned(), bytes, align: align.max(1) as u32 });
        SlotId(self.function.slots.len() as u32 - 1)
    }

    /// A new block, which nothing leads to yet.
    pub fn new_block(&mut self) -> BlockId {
        self.function.blocks.push(ir::Block { insts: Vec::new(), end: End::Unreachable, span: self.span });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    /// Goes on in a block.
    pub fn enter(&mut self, block: BlockId) {
        self.current = block;
        self.ended = false;
    }

    /// Whether what is emitted next can be reached.
    pub fn is_open(&self) -> bool {
        !self.ended
    }

    /// Ends the current block; nothing where it has ended before.
    pub fn end(&mut self, end: End) {
        if !self.ended {
            let block = &mut self.function.blocks[self.current.index()];
            block.end = end;
            block.span = self.span;
            self.ended = true;
        }
    }

    /// Adds an instruction. What follows the end of a block goes to a block of its own that nothing leads to.
    pub fn emit(&mut self, op: Op) {
        if self.ended {
            let block = self.new_block();
            self.enter(block);
        }
        let span = self.span;
        self.function.blocks[self.current.index()].insts.push(Inst { op, span });
    }

    /// A number.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Local {
        let dst = self.local(ty);
        self.emit(Op::Const { dst, bits });
        dst
    }

    /// A 32-bit integer.
    pub fn int(&mut self, value: i32) -> Local {
        self.constant(Type::I32, u64::from(value as u32))
    }

    /// One operand; the result has its type.
    pub fn unary(&mut self, op: ir::Unary, src: Local) -> Local {
        let dst = self.local(self.type_of(src));
        self.emit(Op::Unary { dst, op, src });
        dst
    }

    /// Two operands of one type, which the result has.
    pub fn binary(&mut self, op: Binary, a: Local, b: Local) -> Local {
        let dst = self.local(self.type_of(a));
        self.emit(Op::Binary { dst, op, a, b });
        dst
    }

    /// 0 or 1.
    pub fn compare(&mut self, op: Compare, a: Local, b: Local) -> Local {
        let dst = self.local(Type::BOOL);
        self.emit(Op::Compare { dst, op, a, b });
        dst
    }

    /// A conversion.
    pub fn convert(&mut self, kind: Convert, to: Type, src: Local) -> Local {
        let dst = self.local(to);
        self.emit(Op::Convert { dst, kind, src });
        dst
    }

    /// `cond != 0 ? a : b`.
    pub fn select(&mut self, cond: Local, a: Local, b: Local) -> Local {
        let dst = self.local(self.type_of(a));
        self.emit(Op::Select { dst, cond, a, b });
        dst
    }

    /// A read of memory.
    pub fn load(&mut self, ty: Type, addr: Local, offset: i64) -> Local {
        let dst = self.local(ty);
        self.emit(Op::Load { dst, addr, offset, volatile: false });
        dst
    }

    /// A write to memory.
    pub fn store(&mut self, addr: Local, offset: i64, src: Local) {
        self.emit(Op::Store { addr, offset, src, volatile: false });
    }
}

/// Where a builder stood; what was added since can be thrown away.
pub(crate) struct Mark {
    locals: usize,
    slots: usize,
    blocks: usize,
    insts: usize,
    current: BlockId,
    ended: bool,
    end: End,
    span: Span,
}

impl Builder {
    /// Where the builder stands.
    pub(crate) fn clone_state(&self) -> Mark {
        let block = &self.function.blocks[self.current.index()];
        Mark {
            locals: self.function.locals.len(),
            slots: self.function.slots.len(),
            blocks: self.function.blocks.len(),
            insts: block.insts.len(),
            current: self.current,
            ended: self.ended,
            end: block.end.clone(),
            span: self.span,
        }
    }

    /// Throws away what was added since. Only the current block may have been changed meanwhile.
    pub(crate) fn restore_state(&mut self, mark: Mark) {
        self.function.locals.truncate(mark.locals);
        self.function.slots.truncate(mark.slots);
        self.function.blocks.truncate(mark.blocks);
        self.current = mark.current;
        self.ended = mark.ended;
        self.span = mark.span;
        let block = &mut self.function.blocks[mark.current.index()];
        block.insts.truncate(mark.insts);
        block.end = mark.end;
    }

    /// The block that instructions go to.
    pub(crate) fn current(&self) -> BlockId {
        self.current
    }
}
