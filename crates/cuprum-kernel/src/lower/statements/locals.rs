//! Variables that functions declare.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Declaration, Expr, Initialiser, TypeKind};
use crate::check::types::{TypeClass, TypeId};
use crate::ir::Op;

use crate::lower::memory::value::{Address, Category, Value, ValueKind};
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Key, Pending, Place, VarId, Variable};
use crate::lower::templates::deduce::Deduction;
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// A variable that no name leads to, with a value of its own.
    pub fn hidden(&mut self, value: Value, span: Span) -> Result<VarId> {
        let ty = value.ty.bare();
        let frame = self.frame.number;
        let place = match self.types.ir(ty) {
            Some(kind) => {
                let src = self.local_in_place(&value, span)?;
                let index = self.new_variable(kind, "");
                let dst = self.frame.variables[index as usize].local;
                self.b().emit(Op::Copy { dst, src });
                Place::Local { frame, index }
            }
            None => {
                let (bytes, align) = self.layout_of(ty, span)?;
                let slot = self.new_slot("", bytes, align, span)?;
                let address = self.slot_address(slot);
                self.init_copy(address, ty, value, span)?;
                Place::Slot { frame, slot }
            }
        };
        Ok(self.add_variable(Variable { name: String::new(), ty, place, order: 0, span }))
    }

    /// A name for a value that is there: an object in memory is itself, a number gets a local.
    pub fn value_variable(&mut self, value: Value, span: Span) -> Result<VarId> {
        let frame = self.frame.number;
        let ty = value.ty;
        let place = match &value.kind {
            ValueKind::Memory(address) => {
                Place::Address { frame, base: address.base, offset: address.offset }
            }
            ValueKind::Bits(address, bits) => {
                Place::Bits { frame, base: address.base, offset: address.offset, bits: *bits }
            }
            ValueKind::Variable(index) => Place::Local { frame, index: *index },
            ValueKind::Constant(bits) => Place::Constant(*bits),
            ValueKind::Instance(id) => Place::Function(*id),
            ValueKind::Functions(set) => {
                let set = set.clone();
                Place::Function(self.single_function(&set, None, span)?)
            }
            _ => return self.hidden(value, span),
        };
        Ok(self.add_variable(Variable { name: String::new(), ty, place, order: 0, span }))
    }

    /// The type that `auto` in a pattern makes of a value.
    pub fn auto_from(&mut self, pattern: &ast::Type, value: &Value, expr: Option<&Expr>) -> Result<TypeId> {
        if !mentions::has_auto(pattern) {
            return self.resolve_type(pattern);
        }
        if let (TypeKind::DecltypeAuto, Some(expr)) = (&pattern.kind, expr) {
            let ty = ast::Type::new(TypeKind::Decltype(Box::new(expr.clone())), pattern.span);
            return self.resolve_type(&ty);
        }
        let mut ty = value.ty;
        match &value.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                let id = self.single_function(&set, None, set.span)?;
                ty = self.function_type(id).unwrap_or(TypeId::VOID);
            }
            ValueKind::Void => {
                return Err(fault(pattern.span, "the value is void: there is nothing to keep"));
            }
            ValueKind::Pack => {
                return Err(fault(pattern.span, "a parameter pack must be expanded with `...`"));
            }
            _ => {}
        }
        let (inner, adjusted) = match &pattern.kind {
            TypeKind::Reference { to, .. } => (&**to, ty),
            TypeKind::RvalueReference(to) => {
                let forwards =
                    matches!(to.kind, TypeKind::Auto) && !to.constant && value.category == Category::Left;
                (&**to, if forwards { self.types.reference(ty, false) } else { ty })
            }
            _ => {
                let ty = self.adjusted_parameter(ty);
                (pattern, self.types.unqualified(ty))
            }
        };
        let header = ast::TemplateHeader { parameters: Vec::new(), span: pattern.span };
        let mut d = Deduction::new(Rc::new(header), self.scope);
        if !self.deduce(inner, adjusted, &mut d)? {
            return Err(fault(
                pattern.span,
                format!("`auto` here does not fit a `{}`", self.types.name(value.ty)),
            ));
        }
        let outer = std::mem::replace(&mut self.auto_type, d.auto);
        let resolved = self.resolve_type(pattern);
        self.auto_type = outer;
        resolved
    }

    pub fn local_declaration(&mut self, declaration: &Declaration) -> Result<()> {
        match declaration {
            Declaration::Variables(variables) => self.local_variables(variables),
            Declaration::Binding(binding) => self.structured_binding(binding),
            Declaration::Function(function) if matches!(function.body, ast::FunctionBody::None) => {
                // `T x();` and declarations of functions of namespaces.
                let scope = self.enclosing_namespace(self.scope);
                let id = self.add_function(function.clone(), scope, scope, None, false)?;
                // What is defined further down is seen from here on.
                let visible = self.visible;
                let declared = &mut self.functions[id.index()].declared;
                *declared = visible.min(*declared);
                Ok(())
            }
            Declaration::Function(function) => {
                Err(fault(function.span, "a function cannot be defined in a function; use a lambda"))
            }
            Declaration::Record(_) => {
                let order = std::mem::replace(&mut self.record_order, self.visible.min(self.order).max(1));
                let result = self.declaration(declaration);
                self.record_order = order;
                result
            }
            other => self.declaration(other),
        }
    }

    pub fn local_variables(&mut self, variables: &ast::Variables) -> Result<()> {
        for variable in &variables.variables {
            let mark = self.frame.temporaries.len();
            self.local_variable(&variables.specifiers, variable)?;
            self.end_temporaries(mark)?;
        }
        Ok(())
    }

    pub fn local_variable(&mut self, specifiers: &ast::Specifiers, variable: &ast::Variable) -> Result<()> {
        let span = variable.span;
        self.b().span = span;
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::as_plain) else {
            return Err(fault(span, "a variable's name is expected"));
        };
        let name = self.text(symbol).to_owned();
        let key = Key::Name(symbol);
        if let Some([Entity::Variable(_), ..]) =
            self.scopes[self.scope.index()].names.get(&key).map(Vec::as_slice)
        {
            return Err(fault(span, format!("`{name}` is declared twice in this block")));
        }
        if specifiers.shared {
            return self.shared_variable(specifiers, variable, key, &name);
        }
        if specifiers.is_extern {
            return Err(fault(span, "`extern` in a function is for `extern __shared__` arrays"));
        }
        let is_static = specifiers.is_static || specifiers.device || specifiers.constant;
        if is_static || (specifiers.constexpr && !mentions::has_auto(&variable.ty)) {
            let mut specifiers = specifiers.clone();
            specifiers.device |= specifiers.is_static && !specifiers.constexpr;
            return self.static_variable(&specifiers, variable, key, &name);
        }
        let (ty, value) = self.variable_type(variable)?;
        let ty = if specifiers.constexpr { self.types.qualified(ty, true, false) } else { ty };
        let id = self.make_variable(&name, ty, variable, value, specifiers)?;
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }

    /// The declared type; where it is `auto`, with the value that it was taken from.
    pub fn variable_type(&mut self, variable: &ast::Variable) -> Result<(TypeId, Option<Value>)> {
        let span = variable.span;
        if mentions::has_auto(&variable.ty) {
            let expr = single_initialiser(&variable.init)
                .ok_or_else(|| fault(span, "`auto` needs a value to take its type from"))?;
            if let ast::ExprKind::List(_) = expr.kind {
                return Err(fault(span, "`auto` cannot take its type from a list in braces"));
            }
            let refers =
                matches!(variable.ty.kind, TypeKind::Reference { .. } | TypeKind::RvalueReference(_));
            let value = if refers { self.place(expr)? } else { self.expr(expr)? };
            let ty = self.auto_from(&variable.ty, &value, Some(expr))?;
            return Ok((ty, Some(value)));
        }
        if let TypeKind::Named(name) = &variable.ty.kind
            && let Some(ty) = self.class_from_arguments(name, &variable.init, variable.ty.span)?
        {
            return Ok((self.types.qualified(ty, variable.ty.constant, variable.ty.volatile), None));
        }
        let ty = self.resolve_type(&variable.ty)?;
        if let Some((of, None)) = self.types.as_array(ty) {
            let length = self.initialiser_length(&variable.init, of, span)?;
            return Ok((self.types.array(of, Some(length)), None));
        }
        Ok((ty, None))
    }

    /// `T x(...)` where `T` is a class template without arguments.
    pub fn class_from_arguments(
        &mut self,
        name: &ast::Name,
        init: &Initialiser,
        span: Span,
    ) -> Result<Option<TypeId>> {
        if name.last.arguments.is_some() {
            return Ok(None);
        }
        let found = self.entities(name)?;
        if found.iter().any(|entity| matches!(entity, Entity::Type(_))) {
            return Ok(None);
        }
        let template = found.iter().find_map(|entity| match entity {
            Entity::Template(id) => Some(*id),
            _ => None,
        });
        let Some(template) = template else { return Ok(None) };
        let exprs: Vec<&Expr> = match init {
            Initialiser::None => return Ok(None),
            Initialiser::Copy(expr) => vec![expr],
            Initialiser::Direct(exprs) => exprs.iter().collect(),
            Initialiser::Braces(list) => match &list.kind {
                ast::ExprKind::List(items) => items.iter().map(|item| &item.value).collect(),
                _ => vec![list],
            },
        };
        let mut types = Vec::new();
        for expr in exprs {
            let value = self.unevaluated(expr)?;
            types.push((value.ty, value.category));
        }
        self.deduced_class(template, &types, span).map(Some)
    }

    /// The length of `T a[] = {...}`.
    pub fn initialiser_length(&mut self, init: &Initialiser, of: TypeId, span: Span) -> Result<u64> {
        let expr = match init {
            Initialiser::Copy(expr) | Initialiser::Braces(expr) => expr,
            _ => return Err(fault(span, "an array needs a length or values")),
        };
        match &expr.kind {
            ast::ExprKind::String { bytes, .. } => Ok(bytes.len() as u64 + 1),
            ast::ExprKind::List(items) => {
                if let [ast::ListItem { value, .. }] = &items[..]
                    && let (ast::ExprKind::String { bytes, .. }, true) =
                        (&value.kind, of.bare() == TypeId::CHAR)
                {
                    return Ok(bytes.len() as u64 + 1);
                }
                let mut length = 0u64;
                let mut at = 0u64;
                for item in items {
                    if let Some(ast::Designator::Index(index)) = item.designators.first() {
                        at = self.constant(index)?.bits;
                    }
                    if let ast::ExprKind::Expansion(pattern) = &item.value.kind {
                        let each =
                            self.expand(span, &mut |seen| mentions::in_expr(pattern, seen), |_| Ok(()))?;
                        at += each.len() as u64;
                    } else {
                        at += 1;
                    }
                    length = length.max(at);
                }
                // Inner arrays without braces of their own take several values each.
                let flat = items.iter().all(|item| {
                    !matches!(item.value.kind, ast::ExprKind::List(_) | ast::ExprKind::String { .. })
                });
                if let (Some((_, Some(inner))), true) = (self.types.as_array(of), flat) {
                    return Ok(length.div_ceil(inner.max(1)));
                }
                Ok(length)
            }
            _ => Err(fault(span, "an array is initialised by a list in braces")),
        }
    }

    pub fn make_variable(
        &mut self,
        name: &str,
        ty: TypeId,
        variable: &ast::Variable,
        value: Option<Value>,
        specifiers: &ast::Specifiers,
    ) -> Result<VarId> {
        let span = variable.span;
        let frame = self.frame.number;
        self.complete(ty, span)?;
        if ty.is_void() || self.types.is_function(ty) {
            return Err(fault(span, format!("a variable cannot be of type `{}`", self.types.name(ty))));
        }
        let make = |this: &mut Lowering, ty: TypeId, place: Place| {
            this.add_variable(Variable { name: name.to_owned(), ty, place, order: 0, span })
        };
        if let TypeClass::Reference { .. } = self.types.kind(ty) {
            let value = match value {
                Some(value) => value,
                None => match single_initialiser(&variable.init) {
                    Some(ast::Expr { kind: ast::ExprKind::List(items), .. }) => {
                        let of = self.types.referred(ty).bare();
                        self.list_value(of, items, None, span)?
                    }
                    Some(expr) => self.place(expr)?,
                    None => return Err(fault(span, "a reference needs what it refers to")),
                },
            };
            let bound = self.bind_reference(value, ty, span)?;
            // A temporary that a reference is bound to lives as long as the reference.
            if let ValueKind::Memory(address) = bound.kind
                && let Some(at) = self.frame.temporaries.iter().position(|(place, _)| *place == address)
            {
                let object = self.frame.temporaries.remove(at);
                self.frame.objects.push(object);
            }
            let id = self.value_variable(bound, span)?;
            self.variables[id.index()].name = name.to_owned();
            return Ok(id);
        }
        let is_function = self.types.pointee(ty).is_some_and(|of| self.types.is_function(of));
        let mut value = value;
        if is_function && ty.is_const() {
            let given = match (value.take(), single_initialiser(&variable.init)) {
                (Some(value), _) => value,
                (None, Some(expr)) => self.expr(expr)?,
                (None, None) => return Err(fault(span, format!("`{name}` is const and needs a value"))),
            };
            let given = self.convert(given, ty, span)?;
            if let ValueKind::Instance(id) = given.kind {
                return Ok(make(self, ty, Place::Function(id)));
            }
            value = Some(given);
        }
        let align = self.alignment(&specifiers.alignment)?;
        if let (Some(kind), false, 1) = (self.types.ir(ty), ty.is_volatile(), align) {
            let value = match (value, &variable.init) {
                (Some(value), _) => Some(value),
                (None, Initialiser::None) => None,
                (None, init) => Some(self.scalar_initialiser(init, ty, span)?),
            };
            let Some(value) = value else {
                if ty.is_const() {
                    return Err(fault(span, format!("`{name}` is const and needs a value")));
                }
                let index = self.new_variable(kind, name);
                let dst = self.frame.variables[index as usize].local;
                self.b().emit(Op::Undefined { dst });
                return Ok(make(self, ty, Place::Local { frame, index }));
            };
            let value = self.convert(value, ty.bare(), span)?;
            if let (true, ValueKind::Constant(bits)) = (ty.is_const(), &value.kind) {
                return Ok(make(self, ty, Place::Constant(*bits)));
            }
            let src = self.local_in_place(&value, span)?;
            let index = self.new_variable(kind, name);
            let dst = self.frame.variables[index as usize].local;
            self.b().span = span;
            self.b().emit(Op::Copy { dst, src });
            return Ok(make(self, ty, Place::Local { frame, index }));
        }
        let (bytes, natural) = self.layout_of(ty, span)?;
        let slot = self.new_slot(name, bytes, natural.max(align), span)?;
        let address = self.slot_address(slot);
        let id = make(self, ty, Place::Slot { frame, slot });
        match value {
            Some(value) => self.init_copy(address, ty, value, span)?,
            None => {
                self.b().emit(Op::UndefinedBytes { to: address.base, bytes });
                self.init_from(address, ty, &variable.init, span)?;
            }
        }
        if let Some(record) = self.types.as_struct(ty) {
            self.push_object(address, record);
        } else if let Some((of, Some(length))) = self.types.as_array(ty) {
            self.push_array(address, of, length, span)?;
        }
        Ok(id)
    }

    pub fn push_array(&mut self, address: Address, of: TypeId, length: u64, span: Span) -> Result<()> {
        let Some(record) = self.types.as_struct(of) else { return Ok(()) };
        if self.records[record.0 as usize].plain_destructor {
            return Ok(());
        }
        if length > 64 {
            return Err(fault(span, "an array of more than 64 objects with destructors is not supported"));
        }
        let size = self.size_of(of, span)?;
        for at in 0..length {
            self.push_object(Address { offset: address.offset + (at * size) as i64, ..address }, record);
        }
        Ok(())
    }

    /// A number's initialiser.
    pub fn scalar_initialiser(&mut self, init: &Initialiser, ty: TypeId, span: Span) -> Result<Value> {
        match init {
            Initialiser::None => Err(fault(span, "a value is expected")),
            Initialiser::Copy(expr) | Initialiser::Braces(expr) => match &expr.kind {
                ast::ExprKind::List(items) => self.scalar_list(ty, items, span),
                _ => {
                    let value = self.expr(expr)?;
                    self.convert(value, ty.bare(), expr.span)
                }
            },
            Initialiser::Direct(arguments) => match &arguments[..] {
                [] => Ok(Value::constant(crate::check::constant::Constant { ty: ty.bare(), bits: 0 })),
                [expr] => {
                    let value = self.expr(expr)?;
                    self.explicit(value, ty.bare(), ast::CastStyle::Static, expr.span)
                }
                _ => Err(fault(span, "one value is expected")),
            },
        }
    }

    pub fn shared_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        variable: &ast::Variable,
        key: Key,
        name: &str,
    ) -> Result<()> {
        let span = variable.span;
        let ty = self.resolve_type(&variable.ty)?;
        self.complete(ty, span)?;
        let place = self.shared_place(specifiers, ty, &variable.init, name, span)?;
        let id = self.add_variable(Variable { name: name.to_owned(), ty, place, order: 0, span });
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }

    /// Where a `__shared__` variable is.
    pub fn shared_place(
        &mut self,
        specifiers: &ast::Specifiers,
        ty: TypeId,
        init: &Initialiser,
        name: &str,
        span: Span,
    ) -> Result<Place> {
        if !matches!(init, Initialiser::None) {
            return Err(fault(
                span,
                "a __shared__ variable cannot have a first value: write it and call __syncthreads()",
            ));
        }
        let no_length = self.types.as_array(ty).is_some_and(|(_, length)| length.is_none());
        if specifiers.is_extern || no_length {
            if !specifiers.is_extern {
                return Err(fault(
                    span,
                    "a __shared__ array needs a length, or `extern` for the launch's shared memory",
                ));
            }
            return Ok(Place::DynamicShared);
        }
        let (bytes, natural) = self.layout_of(ty, span)?;
        if bytes > 1 << 24 {
            return Err(fault(span, format!("`{name}` of {bytes} bytes is too large for shared memory")));
        }
        let align = self.alignment(&specifiers.alignment)?.max(natural);
        self.module.shared.push(crate::ir::Shared { name: name.to_owned(), bytes, align: align as u32 });
        Ok(Place::Shared(crate::ir::SharedId(self.module.shared.len() as u32 - 1)))
    }

    /// `static` and `constexpr` variables of a function: computed at compile time.
    pub fn static_variable(
        &mut self,
        specifiers: &ast::Specifiers,
        variable: &ast::Variable,
        key: Key,
        name: &str,
    ) -> Result<()> {
        let pending = Pending {
            specifiers: specifiers.clone(),
            variable: variable.clone(),
            scope: self.scope,
            order: self.visible,
        };
        let id = self.add_variable(Variable {
            name: name.to_owned(),
            ty: TypeId::VOID,
            place: Place::Pending(Rc::new(pending)),
            order: 0,
            span: variable.span,
        });
        self.define_variable(id, variable.span)?;
        self.declare_only(key, Entity::Variable(id));
        Ok(())
    }
}

/// The one value of an initialiser.
pub(crate) fn single_initialiser(init: &Initialiser) -> Option<&Expr> {
    match init {
        Initialiser::None => None,
        Initialiser::Copy(expr) => Some(expr),
        Initialiser::Direct(arguments) => match &arguments[..] {
            [only] => Some(only),
            _ => None,
        },
        Initialiser::Braces(list) => match &list.kind {
            ast::ExprKind::List(items) => match &items[..] {
                [item] if item.designators.is_empty() => Some(&item.value),
                _ => Some(list),
            },
            _ => Some(list),
        },
    }
}
