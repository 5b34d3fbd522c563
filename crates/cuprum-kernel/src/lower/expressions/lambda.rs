//! Lambdas: a struct of what they capture, with a call operator.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, CaptureDefault, CaptureKind, Lambda};
use crate::check::types::{Field as Layout, StructId};
use crate::ir::{Local, Type};

use crate::lower::memory::value::{Address, Category, Functions, Value};
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Field, FuncId, Key, Place};
use crate::lower::{Lowering, Result, State, fault};

/// What is captured, while the closure is made.
struct Captured {
    /// `None` for `this`.
    name: Option<ast::Symbol>,
    /// One entry for a variable, several for a pack.
    values: Vec<(Value, bool)>,
    is_pack: bool,
}

impl Lowering {
    /// A lambda: the closure, made in `into` where that is given.
    pub fn lambda(&mut self, lambda: &Rc<Lambda>, into: Option<Address>) -> Result<Value> {
        let span = lambda.span;
        let captures = self.captures(lambda)?;
        let outer = self.scope;
        let name = format!("lambda at {}", self.module.sources.place(span));
        let id = self.add_record(name, false, None, outer, span);
        self.closures.insert(id);
        let scope = self.records[id.0 as usize].scope;
        for (at, captured) in captures.iter().enumerate() {
            for (index, (value, by_reference)) in captured.values.iter().enumerate() {
                let ty = if *by_reference {
                    self.types.reference(value.ty, false)
                } else {
                    self.types.unqualified(value.ty)
                };
                self.complete(ty, span)?;
                let name = format!("capture {at}.{index}");
                let field = Layout { name, ty, offset: 0, bits: None, is_mutable: false, align: 1 };
                self.types.structs[id.0 as usize].fields.push(field);
                self.records[id.0 as usize].defaults.push(None);
                self.records[id.0 as usize].default_at.push(0);
            }
        }
        self.types.lay_out(id, 1, false).map_err(|message| fault(span, message))?;
        self.records[id.0 as usize].is_aggregate = false;
        self.find_trivial_members(id);
        self.records[id.0 as usize].state = State::Done;
        let mut fields = self.types.get(id).fields.clone().into_iter();
        for captured in &captures {
            let mut entities = Vec::new();
            for _ in &captured.values {
                let Some(field) = fields.next() else { break };
                entities.push(Field {
                    owner: id,
                    ty: field.ty,
                    offset: field.offset,
                    bits: None,
                    is_mutable: false,
                });
            }
            match captured.name {
                Some(symbol) if captured.is_pack => {
                    let pack = self.add_pack(entities.into_iter().map(Entity::Capture).collect());
                    self.declare(scope, Key::Name(symbol), pack);
                }
                Some(symbol) => {
                    if let [field] = entities[..] {
                        self.declare(scope, Key::Name(symbol), Entity::Capture(field));
                    }
                }
                None => {
                    if let [field] = entities[..] {
                        self.captured_this.insert(id, field);
                    }
                }
            }
        }
        self.add_call_operator(lambda, id);
        let ty = self.types.struct_type(id);
        let address = match into {
            Some(address) => address,
            None => self.new_memory("", ty, span)?,
        };
        self.fill_closure(id, captures, address, span)?;
        Ok(Value::memory(ty, address, Category::Right))
    }

    fn fill_closure(
        &mut self,
        id: StructId,
        captures: Vec<Captured>,
        address: Address,
        span: Span,
    ) -> Result<()> {
        let fields = self.types.get(id).fields.clone();
        let values = captures.into_iter().flat_map(|captured| captured.values);
        for (field, (value, by_reference)) in fields.iter().zip(values) {
            let place = Address { offset: address.offset + field.offset as i64, ..address };
            if by_reference {
                let target = self.address(&value, span)?;
                let pointer = self.pointer(target);
                self.b().store(place.base, place.offset, pointer);
            } else if self.types.as_array(field.ty).is_some() {
                let from = self.address(&value, span)?;
                self.copy_construct(place, from, field.ty, value.ty, span)?;
            } else {
                self.init_copy(place, field.ty, value, span)?;
            }
        }
        Ok(())
    }

    /// The call operator as a member function.
    fn add_call_operator(&mut self, lambda: &Lambda, id: StructId) {
        let span = lambda.span;
        let result = lambda.result.clone().unwrap_or_else(|| ast::Type::new(ast::TypeKind::Auto, span));
        let mut name = ast::Name::plain(self.known_call, span);
        name.last.id = ast::Identifier::Operator(ast::OperatorName::Call);
        let function = ast::Function {
            templates: lambda.template.iter().cloned().collect(),
            specifiers: ast::Specifiers { device: true, host: true, ..lambda.specifiers.clone() },
            name,
            constructor: false,
            result: Some(result),
            parameters: lambda.parameters.clone(),
            variadic: false,
            constant: !lambda.mutable,
            rvalue: false,
            initialisers: Vec::new(),
            body: ast::FunctionBody::Block(lambda.body.clone()),
            span,
        };
        if lambda.captures.is_empty() && lambda.default.is_none() {
            // What captures nothing is a function too.
            let mut plain = function.clone();
            plain.specifiers.is_static = true;
            plain.constant = false;
            plain.name = ast::Name::plain(self.symbols.intern("operator() as a function"), span);
            if let Some(plain) = self.add_lambda_function(plain, id) {
                self.lambda_functions.insert(id, plain);
            }
        }
        self.add_lambda_function(function, id);
    }

    fn add_lambda_function(&mut self, function: ast::Function, id: StructId) -> Option<FuncId> {
        let scope = self.records[id.0 as usize].scope;
        let order = std::mem::replace(&mut self.record_order, self.visible);
        let added = self.add_function(Rc::new(function), scope, scope, Some(id), false);
        self.record_order = order;
        let function = added.ok()?;
        self.functions[function.index()].is_lambda = true;
        self.functions[function.index()].order = self.visible;
        Some(function)
    }

    /// A lambda that captures nothing as the function that it is; `None` for other values.
    pub fn lambda_function(&mut self, value: &Value) -> Option<Value> {
        let id = self.types.as_struct(value.ty)?;
        let function = *self.lambda_functions.get(&id)?;
        let span = self.functions[function.index()].ast.span;
        Some(self.functions_value(Functions {
            name: "lambda".to_owned(),
            candidates: vec![function],
            builtin: None,
            explicit: None,
            object: None,
            by_argument: None,
            direct: false,
            span,
        }))
    }

    /// What a lambda captures, by its list and by what its body mentions.
    fn captures(&mut self, lambda: &Lambda) -> Result<Vec<Captured>> {
        let mut captures: Vec<Captured> = Vec::new();
        for capture in &lambda.captures {
            match &capture.kind {
                CaptureKind::This => captures.push(self.capture_this(false, capture.span)?),
                CaptureKind::ThisCopy => captures.push(self.capture_this(true, capture.span)?),
                CaptureKind::Variable { name, reference, value: Some(value), .. } => {
                    let made = self.expr(value)?;
                    let made = if *reference { made } else { self.rvalue(made, capture.span)? };
                    captures.push(Captured {
                        name: Some(*name),
                        values: vec![(made, *reference)],
                        is_pack: false,
                    });
                }
                CaptureKind::Variable { name, reference, value: None, .. } => {
                    if let Some(captured) = self.capture_name(*name, *reference, capture.span)? {
                        captures.push(captured);
                    }
                }
            }
        }
        if let Some(default) = lambda.default {
            let mut symbols = Vec::new();
            mentions::in_block(&lambda.body, &mut |symbol| {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            });
            for symbol in symbols {
                if captures.iter().any(|captured| captured.name == Some(symbol)) {
                    continue;
                }
                let by_reference = default == CaptureDefault::Reference;
                if let Some(captured) = self.capture_name(symbol, by_reference, lambda.span)? {
                    captures.push(captured);
                }
            }
            let has_this = captures.iter().any(|captured| captured.name.is_none());
            if self.frame.this.is_some() && !has_this {
                captures.push(self.capture_this(false, lambda.span)?);
            }
        }
        Ok(captures)
    }

    fn capture_this(&mut self, copy: bool, span: Span) -> Result<Captured> {
        let Some((ty, local)) = self.frame.this else {
            return Err(fault(span, "there is no `this` to capture"));
        };
        let value = if copy {
            Value::memory(ty, Address { base: local, offset: 0 }, Category::Left)
        } else {
            let pointer = self.types.pointer(ty);
            Value::local(pointer, local)
        };
        Ok(Captured { name: None, values: vec![(value, false)], is_pack: false })
    }

    /// A variable of this function, or what it has captured itself; `None` for what needs no capture.
    fn capture_name(
        &mut self,
        symbol: ast::Symbol,
        by_reference: bool,
        span: Span,
    ) -> Result<Option<Captured>> {
        let found = self.lookup(Key::Name(symbol), self.scope)?;
        match found.first() {
            Some(Entity::Pack(pack)) => {
                let mut values = Vec::new();
                for entity in self.packs[pack.index()].clone().iter() {
                    match self.capture_entity(*entity, span)? {
                        Some(value) => values.push((value, by_reference)),
                        None => return Ok(None),
                    }
                }
                Ok((!values.is_empty()).then_some(Captured { name: Some(symbol), values, is_pack: true }))
            }
            Some(entity) => Ok(self.capture_entity(*entity, span)?.map(|value| Captured {
                name: Some(symbol),
                values: vec![(value, by_reference)],
                is_pack: false,
            })),
            None => Ok(None),
        }
    }

    fn capture_entity(&mut self, entity: Entity, span: Span) -> Result<Option<Value>> {
        match entity {
            Entity::Variable(id) => {
                let frame = match self.variables[id.index()].place {
                    Place::Local { frame, .. }
                    | Place::Slot { frame, .. }
                    | Place::Address { frame, .. }
                    | Place::Bits { frame, .. } => frame,
                    _ => return Ok(None),
                };
                if !self.in_frame(frame) {
                    return Ok(None);
                }
                Ok(Some(self.variable_value(id, span)?))
            }
            Entity::Capture(field) => {
                if self.frame.closure.is_some_and(|(id, ..)| id == field.owner) {
                    return Ok(Some(self.captured(field, span)?));
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// What the running lambda has captured.
    pub fn captured(&mut self, field: Field, span: Span) -> Result<Value> {
        match self.frame.closure {
            Some((id, local, is_mutable)) if id == field.owner => {
                let ty = self.types.struct_type(id);
                let ty = self.types.qualified(ty, !is_mutable, false);
                let object = Value::memory(ty, Address { base: local, offset: 0 }, Category::Left);
                self.field_of(&object, field, span)
            }
            _ if self.frame.is_constant => Err(fault(
                span,
                "a captured variable is not a constant: its value is known only when the kernel runs",
            )),
            _ => Err(fault(span, "this belongs to the lambda around: capture it too")),
        }
    }

    /// The `this` of the function around a lambda.
    pub fn find_captured_this(&mut self, id: StructId, closure: Local) -> Result<()> {
        let Some(field) = self.captured_this.get(&id).copied() else { return Ok(()) };
        if let Some(of) = self.types.pointee(field.ty) {
            let pointer = self.b().load(Type::POINTER, closure, field.offset as i64);
            self.frame.this = Some((of, pointer));
        } else {
            let pointer = self.pointer(Address { base: closure, offset: field.offset as i64 });
            self.frame.this = Some((field.ty, pointer));
        }
        Ok(())
    }
}
