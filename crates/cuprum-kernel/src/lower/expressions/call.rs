//! Calls: of functions, members, closures, function parameters and builtins.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, ExprKind, OperatorName};
use crate::check::types::{StructId, TypeClass, TypeId};
use crate::ir::{FunctionId, Local, Op};

use crate::lower::memory::value::{Address, Category, Functions, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::{FuncId, Key, TemplateArg};
use crate::lower::overloads::candidates::Choice;
use crate::lower::{Indirect, InstanceId, Lowering, Result, State, fault};

/// An argument of a call: computed, or a list in braces whose meaning depends on the parameter.
#[derive(Clone)]
pub(crate) enum Argument {
    Value(Value, Span),
    List(Rc<[ast::ListItem]>, Span),
}

impl Argument {
    pub fn span(&self) -> Span {
        match self {
            Argument::Value(_, span) | Argument::List(_, span) => *span,
        }
    }
}

impl Lowering {
    /// A call's arguments, packs expanded.
    pub fn arguments(&mut self, exprs: &[ast::Expr]) -> Result<Vec<Argument>> {
        let mut arguments = Vec::with_capacity(exprs.len());
        for (at, expr) in exprs.iter().enumerate() {
            match &expr.kind {
                ExprKind::Expansion(pattern) => {
                    let each =
                        self.expand(expr.span, &mut |seen| mentions::in_expr(pattern, seen), |this| {
                            this.argument(pattern, false)
                        })?;
                    arguments.extend(each);
                }
                _ => {
                    // A variable is read where it stands only if a later argument may change it.
                    let later_changes = exprs[at + 1..].iter().any(|later| !mentions::is_pure(later));
                    arguments.push(self.argument(expr, later_changes)?);
                }
            }
        }
        Ok(arguments)
    }

    pub fn argument(&mut self, expr: &ast::Expr, _later_changes: bool) -> Result<Argument> {
        if let ExprKind::List(items) = &expr.kind {
            return Ok(Argument::List(items.clone().into(), expr.span));
        }
        let value = self.expr(expr)?;
        if let ValueKind::Pack = value.kind {
            return Err(fault(expr.span, "a parameter pack must be expanded with `...`"));
        }
        Ok(Argument::Value(value, expr.span))
    }

    /// `f(a, b)`. A struct's result goes to `into` where that is given.
    pub fn call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        let callee = self.callee(function)?;
        let arguments = self.arguments(arguments)?;
        self.b().span = span;
        self.call_value(callee, arguments, into, span)
    }

    /// What is called: a name need not be declared before it is found by its arguments.
    pub fn callee(&mut self, function: &ast::Expr) -> Result<Value> {
        if let ExprKind::Name(name) = &function.kind {
            return self.name_value(name, true);
        }
        self.place(function)
    }

    pub fn call_value(
        &mut self,
        callee: Value,
        arguments: Vec<Argument>,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        match &callee.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                match self.choose(&set, &arguments, span)? {
                    Choice::Instance(id) if set.direct => {
                        self.call_directly(id, set.object.clone(), arguments, into, span)
                    }
                    Choice::Instance(id) => self.call_instance(id, set.object.clone(), arguments, into, span),
                    Choice::Builtin { signature, generic, params } => {
                        self.call_builtin(&set.name, signature, generic, &params, &arguments, span)
                    }
                }
            }
            ValueKind::Instance(id) => self.call_instance(*id, None, arguments, into, span),
            _ if self.types.as_struct(callee.ty).is_some() => {
                let key = Key::Operator(OperatorName::Call);
                let Some(set) = self.member_functions(&callee, key, "operator()", None, span)? else {
                    return Err(fault(span, format!("a `{}` cannot be called", self.types.name(callee.ty))));
                };
                let set = Value {
                    ty: TypeId::VOID,
                    kind: ValueKind::Functions(Rc::new(set)),
                    category: Category::Right,
                };
                self.call_value(set, arguments, into, span)
            }
            _ => {
                let of = self.types.pointee(callee.ty).unwrap_or(callee.ty);
                if self.types.is_function(of) {
                    return self.call_pointer(&callee, of, arguments, into, span);
                }
                Err(fault(span, format!("a `{}` cannot be called", self.types.name(callee.ty))))
            }
        }
    }

    /// The functions of a name that a struct has.
    pub fn member_functions(
        &mut self,
        object: &Value,
        key: Key,
        name: &str,
        explicit: Option<Vec<TemplateArg>>,
        span: Span,
    ) -> Result<Option<Functions>> {
        let Some(id) = self.types.as_struct(object.ty) else { return Ok(None) };
        self.complete_record(id, span)?;
        let candidates: Vec<FuncId> = self
            .lookup_member(key, id)?
            .into_iter()
            .filter_map(|entity| match entity {
                crate::lower::names::scope::Entity::Function(id) => Some(id),
                _ => None,
            })
            .collect();
        if candidates.is_empty() {
            return Ok(None);
        }
        Ok(Some(Functions {
            name: name.to_owned(),
            candidates,
            builtin: None,
            explicit,
            object: Some(object.clone()),
            by_argument: None,
            direct: false,
            span,
        }))
    }

    /// Calls a member function that is known.
    pub fn call_method(
        &mut self,
        id: InstanceId,
        object: Value,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<Value> {
        self.call_instance(id, Some(object), arguments, None, span)
    }

    /// Calls a function; a virtual one as the object's table says.
    pub fn call_instance(
        &mut self,
        id: InstanceId,
        object: Option<Value>,
        arguments: Vec<Argument>,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        let function = self.instances[id.0 as usize].function;
        let by_table = self.functions[function.index()].is_virtual && object.is_some();
        self.call_function(id, object, arguments, into, by_table, span)
    }

    /// Calls the function that is named, virtual or not.
    pub fn call_directly(
        &mut self,
        id: InstanceId,
        object: Option<Value>,
        arguments: Vec<Argument>,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        self.call_function(id, object, arguments, into, false, span)
    }

    fn call_function(
        &mut self,
        id: InstanceId,
        object: Option<Value>,
        arguments: Vec<Argument>,
        into: Option<Address>,
        by_table: bool,
        span: Span,
    ) -> Result<Value> {
        let function = self.instances[id.0 as usize].function;
        let info = &self.functions[function.index()];
        if info.ast.specifiers.global {
            return Err(fault(
                span,
                format!(
                    "the kernel `{}` cannot be called from a kernel; make it a __device__ function",
                    self.function_name(function)
                ),
            ));
        }
        if info.ast.specifiers.host && !info.ast.specifiers.device && !self.frame.is_constant {
            return Err(fault(
                span,
                format!(
                    "`{}` is a __host__ function: mark it __device__ to call it in a kernel",
                    self.function_name(function)
                ),
            ));
        }
        if matches!(info.ast.body, ast::FunctionBody::Delete) {
            return Err(fault(span, format!("`{}` is deleted", self.function_name(function))));
        }
        let (is_static, owner) = (info.is_static, info.member_of);
        let mut locals = Vec::new();
        if let (Some(owner), false) = (owner, is_static) {
            let Some(object) = &object else {
                return Err(fault(
                    span,
                    format!("`{}` needs an object to be called on", self.function_name(function)),
                ));
            };
            locals.push(self.object_pointer(object, owner, span)?);
        }
        // Functions that are given as arguments are part of the instance.
        let params = self.instances[id.0 as usize].params.clone();
        let mut known = Vec::new();
        let mut has_known = false;
        for (at, &param) in params.iter().enumerate() {
            let of = self.types.referred(param);
            let of = self.types.pointee(of).unwrap_or(of);
            if !self.types.is_function(of) || by_table {
                known.push(None);
                continue;
            }
            let given = match arguments.get(at) {
                Some(argument) => argument.clone(),
                None => self.default_value(id, at, span)?,
            };
            let Argument::Value(value, at_span) = given else {
                return Err(fault(span, "a function is expected"));
            };
            let value = self.convert(value, self.types.referred(param), at_span)?;
            match value.kind {
                ValueKind::Instance(target) => {
                    known.push(Some(target));
                    has_known = true;
                }
                _ if self.types.is_reference(param) => {
                    return Err(fault(
                        at_span,
                        "which function a reference is bound to must be known at compile time: take a pointer",
                    ));
                }
                _ => known.push(None),
            }
        }
        let id = if has_known { self.specialised(id, &known, span)? } else { id };
        for (at, &param) in params.iter().enumerate() {
            if known.get(at).is_some_and(Option::is_some) {
                continue;
            }
            let argument = match arguments.get(at) {
                Some(argument) => argument.clone(),
                None => self.default_value(id, at, span)?,
            };
            locals.push(self.argument_local(argument, param)?);
        }
        let result = self.result_of(id, span)?;
        self.b().span = span;
        if by_table {
            let function = self.indirect(Indirect::Virtual(id));
            return self.emit_call(function, locals, result, into, span);
        }
        self.require(id);
        self.emit_call(id.function(), locals, result, into, span)
    }

    pub fn emit_call(
        &mut self,
        function: FunctionId,
        mut locals: Vec<Local>,
        result: TypeId,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        if let Some(record) = self.types.as_struct(result) {
            self.complete(result, span)?;
            let address = match into {
                Some(address) => address,
                None => self.new_memory("", result.bare(), span)?,
            };
            let pointer = self.pointer(address);
            locals.insert(0, pointer);
            self.b().emit(Op::Call { dst: None, function, args: locals });
            if into.is_none() {
                self.temporary(address, record);
            }
            return Ok(Value::memory(result, address, Category::Right));
        }
        let Some(ty) = self.types.ir(result) else {
            self.b().emit(Op::Call { dst: None, function, args: locals });
            return Ok(Value::void());
        };
        let dst = self.b().local(ty);
        self.b().emit(Op::Call { dst: Some(dst), function, args: locals });
        if let TypeClass::Reference { to, rvalue } = *self.types.kind(result) {
            let category = if rvalue { Category::Expiring } else { Category::Left };
            return Ok(Value::memory(to, Address { base: dst, offset: 0 }, category));
        }
        Ok(Value::local(result, dst))
    }

    /// A function whose parameters that are functions are fixed.
    pub fn specialised(
        &mut self,
        id: InstanceId,
        known: &[Option<InstanceId>],
        span: Span,
    ) -> Result<InstanceId> {
        let instance = &self.instances[id.0 as usize];
        let key = (instance.function, instance.arguments.clone(), known.to_vec());
        if let Some(&made) = self.instance_index.get(&key) {
            return Ok(made);
        }
        if self.instances.len() >= crate::lower::MAX_INSTANCES {
            return Err(fault(span, "the text makes too many functions"));
        }
        let instance = &self.instances[id.0 as usize];
        let made = crate::lower::Instance {
            function: instance.function,
            arguments: instance.arguments.clone(),
            scope: instance.scope,
            params: instance.params.clone(),
            result: instance.result,
            state: State::Declared,
            is_queued: false,
            level: instance.level,
            from: span,
            known: known.to_vec(),
        };
        let new = InstanceId(self.instances.len() as u32);
        self.instances.push(made);
        self.module.functions.push(crate::lower::templates::instance::empty_function());
        self.instance_index.insert(key, new);
        Ok(new)
    }

    /// The address of a member function's object, as its own struct.
    pub fn object_pointer(&mut self, object: &Value, owner: StructId, span: Span) -> Result<Local> {
        let offset = match self.types.as_struct(object.ty) {
            Some(own) => self.types.base_offset(own, owner).unwrap_or(0),
            None => 0,
        };
        let address = self.address(object, span)?;
        Ok(self.pointer(Address { offset: address.offset + offset as i64, ..address }))
    }

    /// The default of a parameter, computed in the function's own scope.
    pub fn default_value(&mut self, id: InstanceId, at: usize, span: Span) -> Result<Argument> {
        let function = self.instances[id.0 as usize].function;
        let scope = self.instances[id.0 as usize].scope;
        let Some(Some((ast, _))) = self.functions[function.index()].defaults.get(at) else {
            return Err(fault(span, "an argument is missing"));
        };
        let ast = ast.clone();
        let Some(expr) = &ast.parameters[at].default else {
            return Err(fault(span, "an argument is missing"));
        };
        let visible = std::mem::replace(&mut self.visible, u32::MAX);
        let argument = self.in_scope(scope, |this| {
            let mut exprs = this.arguments(std::slice::from_ref(expr))?;
            exprs.pop().ok_or_else(|| fault(span, "an argument is missing"))
        });
        self.visible = visible;
        argument
    }

    /// What is passed for a parameter.
    pub fn argument_local(&mut self, argument: Argument, param: TypeId) -> Result<Local> {
        let span = argument.span();
        if self.types.is_reference(param) {
            let value = match argument {
                Argument::Value(value, _) => value,
                Argument::List(items, _) => {
                    let ty = self.types.referred(param).bare();
                    let address = self.new_memory("", ty, span)?;
                    self.init_list(address, ty, &items, span)?;
                    Value::memory(ty, address, Category::Right)
                }
            };
            let bound = self.bind_reference(value, param, span)?;
            let address = self.address(&bound, span)?;
            return Ok(self.pointer(address));
        }
        if self.types.is_scalar(param) {
            let value = match argument {
                Argument::Value(value, _) => value,
                Argument::List(items, _) => self.scalar_list(param, &items, span)?,
            };
            let value = self.convert(value, param, span)?;
            return self.local(&value, span);
        }
        let ty = param.bare();
        self.complete(ty, span)?;
        match argument {
            // A temporary of the type is the callee's own; all else is copied for it.
            Argument::Value(value, _) => {
                if value.category == Category::Right
                    && value.ty.bare() == ty
                    && matches!(value.kind, ValueKind::Memory(_))
                {
                    let address = self.address(&value, span)?;
                    // Its destructor is run by the callee.
                    self.frame.temporaries.retain(|(at, _)| *at != address);
                    return Ok(self.pointer(address));
                }
                let address = self.new_memory("", ty, span)?;
                self.init_copy(address, ty, value, span)?;
                Ok(self.pointer(address))
            }
            Argument::List(items, _) => {
                let address = self.new_memory("", ty, span)?;
                self.init_list(address, ty, &items, span)?;
                Ok(self.pointer(address))
            }
        }
    }

    /// A number in braces: `{x}` or `{}`.
    pub fn scalar_list(&mut self, ty: TypeId, items: &[ast::ListItem], span: Span) -> Result<Value> {
        match items {
            [] => Ok(Value::constant(crate::check::constant::Constant { ty: ty.bare(), bits: 0 })),
            [item] => match &item.value.kind {
                ExprKind::List(items) => self.scalar_list(ty, items, span),
                _ => {
                    let value = self.expr(&item.value)?;
                    self.convert(value, ty, span)
                }
            },
            _ => Err(fault(
                span,
                format!("a `{}` takes one value, {} are given", self.types.name(ty), items.len()),
            )),
        }
    }
}
