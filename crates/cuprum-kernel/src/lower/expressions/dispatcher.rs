//! Generated functions that call one of several others, chosen by a number: for pointers to functions and virtual functions.

use crate::Span;
use crate::check::types::{TypeId, Types};
use crate::ir::{Block, BlockId, End, Function, FunctionId, Inst, Local, LocalInfo, Op, StringId, Type};
use crate::lower::templates::instance::empty_function;

/// A function `(address of a struct's result, key, arguments...)` that is being made.
pub(crate) struct Dispatcher {
    made: Function,
    /// Where a result that is a struct goes.
    address: Option<Local>,
    /// The parameter that the choice depends on.
    pub key: Local,
    given: Vec<Local>,
    /// The result that is no struct.
    pub value: Option<Local>,
}

impl Dispatcher {
    /// The function without its code, for a result and parameters of these types.
    pub fn new(types: &Types, name: &str, result: TypeId, params: &[TypeId]) -> Dispatcher {
        let made = Function { name: name.to_owned(), ..empty_function() };
        let (given, key) = (Vec::new(), Local(0));
        let mut this = Dispatcher { made, address: None, key, given, value: None };
        this.address = types.as_struct(result).map(|_| this.local(Type::POINTER));
        this.key = this.local(Type::POINTER);
        this.given =
            params.iter().map(|param| this.local(types.ir(*param).unwrap_or(Type::POINTER))).collect();
        this.made.result = if this.address.is_some() { None } else { types.ir(result) };
        this.value = this.made.result.map(|ty| this.local(ty));
        this.made.params = this.arguments(this.key);
        this
    }

    /// A local variable.
    pub fn local(&mut self, ty: Type) -> Local {
        self.made.locals.push(LocalInfo { ty, name: String::new() });
        Local(self.made.locals.len() as u32 - 1)
    }

    /// The first code: after these ops `number` chooses among the targets that follow, in their order. A number of none
    /// is a fault with this message.
    pub fn choose(
        &mut self,
        ops: Vec<Op>,
        number: Local,
        targets: impl Iterator<Item = u64>,
        message: StringId,
    ) {
        let cases = targets.zip(2..).map(|(target, block)| (target, BlockId(block))).collect();
        self.block(ops, End::Switch { value: number, cases, default: BlockId(1) });
        let none = self.local(Type::I8);
        let mut fail = vec![Op::Const { dst: none, bits: 0 }, Op::Assert { condition: none, message }];
        fail.extend(self.value.map(|dst| Op::Const { dst, bits: 0 }));
        self.block(fail, End::Return(self.value));
    }

    /// The code of the next target.
    pub fn target(&mut self, ops: Vec<Op>) {
        self.block(ops, End::Return(self.value));
    }

    /// The call of a function with the arguments; `first` stands where the key stands among the parameters.
    pub fn call(&self, function: FunctionId, first: Option<Local>) -> Op {
        let args = match first {
            Some(first) => self.arguments(first),
            None => self.address.into_iter().chain(self.given.iter().copied()).collect(),
        };
        Op::Call { dst: self.value, function, args }
    }

    /// The function.
    pub fn finish(self) -> Function {
        self.made
    }

    fn arguments(&self, first: Local) -> Vec<Local> {
        self.address.into_iter().chain([first]).chain(self.given.iter().copied()).collect()
    }

    fn block(&mut self, ops: Vec<Op>, end: End) {
        let span = Span::default();
        let insts = ops.into_iter().map(|op| Inst { op, span }).collect();
        self.made.blocks.push(Block { insts, end, span });
    }
}
