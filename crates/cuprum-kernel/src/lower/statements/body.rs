//! The bodies of functions.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, FunctionBody, TypeKind};
use crate::check::types::TypeId;
use crate::ir::{End, Local, Op, Type};

use crate::lower::memory::value::{Address, Frame};
use crate::lower::names::scope::{Entity, FuncId, Key, Place, ScopeKind, Variable};
use crate::lower::{Fault, InstanceId, Lowering, Result, State, fault};

impl Lowering {
    /// Lowers a function's body. Errors are reported here.
    pub fn lower_instance(&mut self, id: InstanceId) -> Result<()> {
        match self.instances[id.0 as usize].state {
            State::Done => return Ok(()),
            State::Failed => return Err(Fault(None)),
            State::InProgress => return Ok(()),
            State::Declared => {}
        }
        let from = self.instances[id.0 as usize].from;
        self.enter_instantiation(from)?;
        self.instances[id.0 as usize].state = State::InProgress;
        let errors = self.diagnostics.len();
        let function = self.instances[id.0 as usize].function;
        let order = self.functions[function.index()].order;
        let visible = std::mem::replace(&mut self.visible, order);
        let record_order = std::mem::take(&mut self.record_order);
        let auto = self.auto_type.take();
        let user = std::mem::replace(&mut self.allow_user, true);
        let converting = std::mem::take(&mut self.converting);
        let failed = std::mem::take(&mut self.has_failed);
        let unevaluated = std::mem::take(&mut self.unevaluated);
        let result = self.lower_body(id);
        self.unevaluated = unevaluated;
        let has_failed = std::mem::replace(&mut self.has_failed, failed) || result.is_err();
        self.allow_user = user;
        self.converting = converting;
        self.auto_type = auto;
        self.record_order = record_order;
        self.visible = visible;
        self.depth -= 1;
        if let Err(cause) = result {
            self.report(cause);
        }
        if has_failed {
            self.instances[id.0 as usize].state = State::Failed;
            if self.diagnostics.len() > errors && !self.instances[id.0 as usize].arguments.is_empty() {
                let name = self.instance_name(id);
                self.note(from, format!("`{name}` is instantiated here"));
            }
            let reported = self.diagnostics[errors..].to_vec();
            self.failures.insert(id, reported);
            return Err(Fault(None));
        }
        self.instances[id.0 as usize].state = State::Done;
        Ok(())
    }

    pub fn lower_body(&mut self, id: InstanceId) -> Result<()> {
        let instance = &self.instances[id.0 as usize];
        let (function, scope) = (instance.function, instance.scope);
        let (params, result) = (instance.params.clone(), instance.result);
        let ast = self.functions[function.index()].ast.clone();
        let name = self.instance_name(id);
        self.frames += 1;
        let mut frame = Frame::new(self.frames, name, ast.span);
        frame.result = result;
        frame.deduced = result.is_none();
        frame.is_kernel = ast.specifiers.global;
        frame.instance = Some(id);
        if let FunctionBody::None = ast.body {
            let from = self.instances[id.0 as usize].from;
            return Err(fault(
                from,
                format!(
                    "`{}` is declared, but not defined: its body is needed to call it",
                    self.function_name(function)
                ),
            ));
        }
        let scope = self.add_scope(ScopeKind::Block, scope);
        let (lowered, mut frame) =
            self.in_frame_of(frame, scope, |this| this.lower_function(id, function, &ast, &params));
        lowered?;
        if let Some(result) = frame.result {
            self.instances[id.0 as usize].result = Some(result);
        } else {
            self.instances[id.0 as usize].result = Some(TypeId::VOID);
        }
        frame.b.function.span = ast.span;
        frame.b.function.keep_call = ast.specifiers.no_inline;
        let done = crate::lower::memory::demote::demote(frame);
        self.instructions += done.blocks.iter().map(|block| block.insts.len() + 1).sum::<usize>();
        if self.instructions > crate::lower::MAX_INSTRUCTIONS {
            return Err(fault(ast.span, "the text becomes too much code"));
        }
        self.module.functions[id.0 as usize] = done;
        Ok(())
    }

    pub fn lower_function(
        &mut self,
        id: InstanceId,
        function: FuncId,
        ast: &Rc<ast::Function>,
        params: &[TypeId],
    ) -> Result<()> {
        let is_kernel = self.frame.is_kernel;
        let owner = self.functions[function.index()].member_of;
        if is_kernel {
            let result = self.frame.result;
            if result.is_some_and(|result| !result.is_void()) {
                return Err(fault(ast.span, "a kernel returns nothing: its type must be void"));
            }
            let kernel = self.kernel_of(ast, params, id)?;
            self.frame.b.function.kernel = Some(kernel);
        }
        if let Some(result) = self.frame.result {
            self.prepare_result(result, ast.span)?;
        }
        if let (Some(owner), false) = (owner, self.functions[function.index()].is_static) {
            let this = self.b().variable(Type::POINTER, "this".to_owned());
            self.frame.b.function.params.push(this);
            let own = self.types.struct_type(owner);
            if self.functions[function.index()].is_lambda {
                let is_mutable = !ast.constant;
                self.frame.closure = Some((owner, this, is_mutable));
                self.find_captured_this(owner, this)?;
            } else {
                let ty = self.types.qualified(own, ast.constant, false);
                self.frame.this = Some((ty, this));
            }
        }
        self.declare_parameters(id, ast, params)?;
        let key = self.functions[function.index()].key;
        match (&ast.body, owner) {
            (FunctionBody::Delete, _) => {
                let from = self.instances[id.0 as usize].from;
                return Err(fault(from, format!("`{}` is deleted", self.function_name(function))));
            }
            (_, Some(owner)) if key == Key::Constructor => self.lower_constructor(owner, ast)?,
            (_, Some(owner)) if key == Key::Destructor => self.lower_destructor(owner, ast)?,
            (FunctionBody::Block(body), _) => self.block(body)?,
            (FunctionBody::Default, Some(owner)) => self.lower_defaulted(owner, key, ast)?,
            _ => return Err(fault(ast.span, "this function has no body")),
        }
        self.close_function(ast)
    }

    /// Where the result goes: a struct to an address that is the first parameter.
    pub fn prepare_result(&mut self, result: TypeId, span: Span) -> Result<()> {
        self.complete(result, span)?;
        self.frame.b.function.result = self.types.ir(result);
        if self.types.as_struct(result).is_some() && self.frame.result_address.is_none() {
            let address = self.b().variable(Type::POINTER, "result".to_owned());
            self.frame.b.function.params.insert(0, address);
            self.frame.result_address = Some(address);
        }
        Ok(())
    }

    pub fn declare_parameters(
        &mut self,
        id: InstanceId,
        ast: &ast::Function,
        params: &[TypeId],
    ) -> Result<()> {
        let known = self.instances[id.0 as usize].known.clone();
        let packs =
            ast.parameters.iter().filter(|p| p.pack || matches!(p.ty.kind, TypeKind::Pack(_))).count();
        let in_packs =
            (params.len() + packs).saturating_sub(ast.parameters.len()).checked_div(packs).unwrap_or(0);
        let mut at = 0;
        for parameter in &ast.parameters {
            let is_pack = parameter.pack || matches!(parameter.ty.kind, TypeKind::Pack(_));
            let count = if is_pack { in_packs } else { 1 };
            let mut entities = Vec::new();
            for _ in 0..count {
                let Some(&ty) = params.get(at) else { break };
                let fixed = known.get(at).copied().flatten();
                let name = parameter.name.map_or(String::new(), |name| self.text(name).to_owned());
                let entity = self.declare_parameter(&name, ty, at, fixed, parameter.span)?;
                entities.push(entity);
                at += 1;
            }
            if let Some(name) = parameter.name {
                if is_pack {
                    let pack = self.add_pack(entities);
                    self.declare_only(Key::Name(name), pack);
                } else if let [only] = entities[..] {
                    self.declare_only(Key::Name(name), only);
                }
            }
        }
        Ok(())
    }

    pub fn declare_parameter(
        &mut self,
        name: &str,
        ty: TypeId,
        at: usize,
        known: Option<InstanceId>,
        span: Span,
    ) -> Result<Entity> {
        let frame = self.frame.number;
        self.complete(ty, span)?;
        let referred = self.types.referred(ty);
        let place = if let Some(known) = known {
            Place::Function(known)
        } else if self.frame.is_kernel {
            self.kernel_parameter(name, ty, at, span)?
        } else if self.types.is_reference(ty) {
            let base = self.b().variable(Type::POINTER, name.to_owned());
            self.frame.b.function.params.push(base);
            Place::Address { frame, base, offset: 0 }
        } else if let Some(kind) = self.types.ir(ty) {
            let index = self.new_variable(kind, name);
            let local = self.frame.variables[index as usize].local;
            self.frame.b.function.params.push(local);
            Place::Local { frame, index }
        } else {
            let base = self.b().variable(Type::POINTER, name.to_owned());
            self.frame.b.function.params.push(base);
            if let Some(id) = self.types.as_struct(ty)
                && !self.records[id.0 as usize].plain_destructor
            {
                self.frame.objects.push((Address { base, offset: 0 }, id));
            }
            Place::Address { frame, base, offset: 0 }
        };
        let id = self.add_variable(Variable { name: name.to_owned(), ty: referred, place, order: 0, span });
        Ok(Entity::Variable(id))
    }

    /// Ends a function whose last statement may be reached.
    pub fn close_function(&mut self, ast: &ast::Function) -> Result<()> {
        if let FunctionBody::Block(body) = &ast.body {
            self.b().span = body.end;
        }
        for label in self.frame.labels.values() {
            if !label.defined {
                return Err(fault(label.used, "there is no such label in this function"));
            }
        }
        if self.frame.b.is_open() {
            self.destroy_down_to(0)?;
            let result = self.frame.result.and_then(|result| self.types.ir(result));
            // Falling off the end of a function with a result is undefined in C++; here it is zero, and the checking mode
            // tells who uses it.
            let value = result.map(|ty| {
                let dst = self.b().variable(ty, "a result that no return gave".to_owned());
                self.b().emit(Op::Undefined { dst });
                dst
            });
            self.b().end(End::Return(value));
        }
        Ok(())
    }

    /// The local that a parameter of a kernel is read into.
    pub fn launch_parameter(&mut self, ty: Type, offset: u32, name: &str) -> Local {
        let dst = self.b().variable(ty, name.to_owned());
        self.b().emit(Op::Parameter { dst, offset });
        dst
    }
}
