//! Launches from kernels: `child<<<grid, block, shared, stream>>>(arguments)`.

use crate::Span;
use crate::ast;
use crate::check::constant::Constant;
use crate::check::types::TypeId;
use crate::ir::{self, Local, Op, Type};

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Value, ValueKind};
use crate::lower::names::scope::{Entity, Key, ScopeId};
use crate::lower::overloads::candidates::Choice;
use crate::lower::{InstanceId, Lowering, Result, fault};

impl Lowering {
    /// A launch: the kernel becomes one of the module's, and the instruction has its configuration and the numbers that its
    /// parameters are made of.
    pub fn launch(
        &mut self,
        function: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Result<Value> {
        if self.frame.is_constant {
            return Err(fault(span, "a launch is not a constant"));
        }
        let [grid, block, more @ ..] = configuration else {
            return Err(fault(span, "a launch names its grid and its block: kernel<<<grid, block>>>(...)"));
        };
        if more.len() > 2 {
            return Err(fault(span, "a launch takes a grid, a block, bytes of shared memory and a stream"));
        }
        let callee = self.callee(function)?;
        let mut config = self.extents(grid)?.to_vec();
        config.extend(self.extents(block)?);
        for at in 0..2 {
            let number = match more.get(at) {
                Some(expr) => self.expr(expr)?,
                None => Value::constant(Constant::size(0)),
            };
            // A stream is the address of nothing that a kernel sees; null pointers and numbers do, too.
            let at_span = more.get(at).map_or(span, |expr| expr.span);
            let number = self.rvalue(number, at_span)?;
            let local = self.local(&number, at_span)?;
            config.push(self.resize(local, Type::I64, true));
        }
        let arguments = self.arguments(arguments)?;
        let id = self.launched_kernel(&callee, &arguments, span)?;
        let (values, bytes) = self.launch_values(id, arguments, span)?;
        self.require(id);
        if !self.kernels.contains(&id) {
            self.kernels.push(id);
        }
        self.b().span = span;
        self.b().emit(Op::Launch { function: id.function(), config, values, bytes });
        Ok(Value::void())
    }

    fn launched_kernel(&mut self, callee: &Value, arguments: &[Argument], span: Span) -> Result<InstanceId> {
        let id = match &callee.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                match self.choose(&set, arguments, span)? {
                    Choice::Instance(id) => id,
                    Choice::Builtin { .. } => {
                        return Err(fault(span, format!("`{}` is not a kernel", set.name)));
                    }
                }
            }
            ValueKind::Instance(id) => *id,
            _ => return Err(fault(span, "which kernel is launched must be known at compile time: name it")),
        };
        let info = &self.functions[self.instances[id.0 as usize].function.index()];
        if !info.ast.specifiers.global {
            let name = self.function_name(self.instances[id.0 as usize].function);
            return Err(fault(span, format!("`{name}` cannot be launched: it is not marked __global__")));
        }
        if matches!(info.ast.body, ast::FunctionBody::None) {
            let name = self.function_name(self.instances[id.0 as usize].function);
            return Err(fault(span, format!("the kernel `{name}` is declared and not defined in this text")));
        }
        Ok(id)
    }

    /// The numbers of a kernel's parameters, each with its offset, and the bytes of all.
    fn launch_values(
        &mut self,
        id: InstanceId,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<(Vec<(u32, Local)>, u32)> {
        let ast = self.functions[self.instances[id.0 as usize].function.index()].ast.clone();
        let params = self.instances[id.0 as usize].params.clone();
        let kernel = self.kernel_of(&ast, &params, id)?;
        let mut values = Vec::new();
        let mut arguments = arguments.into_iter();
        for (at, (&ty, param)) in params.iter().zip(&kernel.params).enumerate() {
            let argument = match arguments.next() {
                Some(argument) => argument,
                None => self.default_value(id, at, span)?,
            };
            let local = self.argument_local(argument, ty)?;
            if self.types.is_reference(ty) || self.types.is_scalar(ty) {
                values.push((param.offset, local));
                continue;
            }
            let of = Address { base: local, offset: 0 };
            for (offset, kind) in self.words_of(ty, u64::from(param.bytes), param.align, span)? {
                let value = self.b().load(kind, of.base, of.offset + offset as i64);
                values.push((param.offset + offset as u32, value));
            }
        }
        Ok((values, kernel.param_bytes))
    }

    /// The numbers that an object is made of: its members, or where these overlap (unions, bit-fields) words of its
    /// alignment.
    fn words_of(&mut self, ty: TypeId, bytes: u64, align: u32, span: Span) -> Result<Vec<(u64, Type)>> {
        if let Some(leaves) = self.types.leaves(ty, 4096) {
            let kind_of = |(offset, leaf): (u64, TypeId)| Ok((offset, self.ir_type(leaf, span)?));
            return leaves.into_iter().map(kind_of).collect();
        }
        let kind = Type::word(align);
        let step = u64::from(kind.bytes());
        Ok((0..bytes / step).map(|word| (word * step, kind)).collect())
    }

    /// A `dim3`, or a number for its first axis.
    fn extents(&mut self, expr: &ast::Expr) -> Result<[Local; 3]> {
        let dim3 = self.symbols.intern("dim3");
        let ty = match self.lookup_in(Key::Name(dim3), ScopeId(0))?.first() {
            Some(Entity::Type(ty)) => *ty,
            _ => return Err(fault(expr.span, "there is no type `dim3`")),
        };
        let argument = self.argument(expr, false)?;
        let at = self.argument_local(argument, ty)?;
        Ok([0, 4, 8].map(|offset| self.b().load(ir::Type::I32, at, offset)))
    }
}
