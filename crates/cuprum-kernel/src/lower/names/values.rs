//! What names and members mean as values.

use std::rc::Rc;

use crate::Span;
use crate::ast::{Expr, ExprKind, Identifier, Name, OperatorName};
use crate::check::constant::Constant;
use crate::check::types::{StructId, TypeClass, TypeId};
use crate::ir::{GlobalId, Op, Type};

use crate::lower::memory::value::{Address, Category, Functions, Index, Value, ValueKind};
use crate::lower::names::scope::{Entity, Field, FuncId, Key, Place, ScopeId, TemplateKind, VarId};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn this(&mut self, span: Span) -> Result<Value> {
        match self.frame.this {
            Some((ty, local)) => {
                let ty = self.types.pointer(ty);
                Ok(Value::local(ty, local))
            }
            None => Err(fault(span, "there is no `this` here; a lambda must capture it")),
        }
    }

    /// What a name means as a value. A name that is called need not be declared if its arguments may bring it.
    pub fn name_value(&mut self, name: &Name, is_callee: bool) -> Result<Value> {
        let span = name.span;
        let found = self.entities(name)?;
        let explicit = match &name.last.arguments {
            Some(arguments) if !matches!(found.first(), Some(Entity::Template(_))) => {
                Some(self.template_arguments(arguments)?)
            }
            _ => None,
        };
        let functions: Vec<FuncId> = found
            .iter()
            .filter_map(|entity| match entity {
                Entity::Function(id) => Some(*id),
                _ => None,
            })
            .collect();
        if !functions.is_empty() {
            return self.function_set(name, functions, explicit);
        }
        for entity in &found {
            match *entity {
                Entity::Variable(id) => return self.variable_value(id, span),
                Entity::Constant(constant) => return Ok(Value::constant(constant)),
                Entity::Instance(id) => {
                    let ty = self.function_type(id).unwrap_or(TypeId::VOID);
                    return Ok(Value { ty, kind: ValueKind::Instance(id), category: Category::Left });
                }
                Entity::Field(field) => return self.own_field(field, span),
                Entity::Capture(field) => return self.captured(field, span),
                Entity::Pack(_) => {
                    return Ok(Value { ty: TypeId::VOID, kind: ValueKind::Pack, category: Category::Left });
                }
                Entity::Template(template) => {
                    if matches!(self.templates[template.index()].kind, TemplateKind::Variable { .. }) {
                        let given = self.template_arguments(name.last.arguments.as_deref().unwrap_or(&[]))?;
                        let id = self.variable_instance(template, &given, span)?;
                        return self.variable_value(id, span);
                    }
                    return Err(fault(span, "this is a type, not a value"));
                }
                Entity::Type(ty) => {
                    return Err(fault(span, format!("`{}` is a type, not a value", self.types.name(ty))));
                }
                Entity::Namespace(_) => return Err(fault(span, "this is a namespace, not a value")),
                Entity::Poison => return Err(crate::lower::Fault(None)),
                Entity::Function(_) => {}
            }
        }
        self.undeclared(name, is_callee, explicit)
    }

    /// A name that no text declares: the language's own.
    pub fn undeclared(
        &mut self,
        name: &Name,
        is_callee: bool,
        explicit: Option<Vec<crate::lower::names::scope::TemplateArg>>,
    ) -> Result<Value> {
        let span = name.span;
        let Some(key) = self.key(&name.last.id) else { return Err(fault(span, "a name is expected")) };
        let Identifier::Name(symbol) = name.last.id else {
            if is_callee {
                return Ok(self.functions_value(Functions {
                    name: "operator".to_owned(),
                    candidates: Vec::new(),
                    builtin: None,
                    explicit,
                    object: None,
                    by_argument: Some(key),
                    direct: false,
                    span,
                }));
            }
            return Err(fault(span, "there is no such function"));
        };
        let text = self.symbols.shared(symbol);
        let in_standard = match self.qualifier(name)? {
            None => true,
            Some(crate::lower::names::resolve::Qualifier::Scope(scope)) => {
                scope == ScopeId(0)
                    || self.is_standard(scope)
                    || self.scopes[scope.index()].of_language.contains(&symbol)
            }
            Some(crate::lower::names::resolve::Qualifier::Struct(_)) => false,
        };
        if in_standard {
            let index = match &*text {
                "threadIdx" => Some((Index::Thread, "uint3")),
                "blockIdx" => Some((Index::Block, "uint3")),
                "blockDim" => Some((Index::BlockSize, "dim3")),
                "gridDim" => Some((Index::GridSize, "dim3")),
                "warpSize" => return Ok(Value::constant(Constant::int(32))),
                _ => None,
            };
            if let Some((index, of)) = index {
                if self.frame.is_constant {
                    return Err(fault(span, format!("`{text}` is not a constant")));
                }
                let of = self.symbols.intern(of);
                let ty = match self.lookup_in(Key::Name(of), ScopeId(0))?.first() {
                    Some(Entity::Type(ty)) => *ty,
                    _ => TypeId::VOID,
                };
                return Ok(Value { ty, kind: ValueKind::Index(index), category: Category::Left });
            }
            // `__builtin_sqrt` is `sqrt`.
            let plain = text.strip_prefix("__builtin_").and_then(crate::builtins::find);
            if let Some(builtin) = crate::builtins::find(&text).or(plain) {
                return Ok(self.functions_value(Functions {
                    name: text.to_string(),
                    candidates: Vec::new(),
                    builtin: Some(builtin),
                    explicit,
                    object: None,
                    by_argument: (!name.is_qualified()).then_some(key),
                    direct: false,
                    span,
                }));
            }
        }
        if let Some(cause) = self.library_hint(name) {
            return Err(cause);
        }
        if let Some(instead) = crate::builtins::instead_of(&text) {
            return Err(fault(span, format!("`{text}`: {instead}")));
        }
        if is_callee && !name.is_qualified() {
            // Functions of the arguments' namespaces may still be found.
            return Ok(self.functions_value(Functions {
                name: text.to_string(),
                candidates: Vec::new(),
                builtin: None,
                explicit,
                object: None,
                by_argument: Some(key),
                direct: false,
                span,
            }));
        }
        if name.is_qualified() {
            return Err(fault(span, format!("there is no `{text}` there")));
        }
        Err(self.unknown(symbol, span, "there is no variable or function"))
    }

    pub fn functions_value(&mut self, set: Functions) -> Value {
        Value { ty: TypeId::VOID, kind: ValueKind::Functions(Rc::new(set)), category: Category::Left }
    }

    pub fn function_set(
        &mut self,
        name: &Name,
        candidates: Vec<FuncId>,
        explicit: Option<Vec<crate::lower::names::scope::TemplateArg>>,
    ) -> Result<Value> {
        let span = name.span;
        let first = &self.functions[candidates[0].index()];
        let is_member = first.member_of.is_some();
        let is_global = candidates
            .iter()
            .any(|id| self.enclosing_namespace(self.functions[id.index()].scope) == ScopeId(0))
            || candidates.iter().any(|id| {
                let namespace = self.enclosing_namespace(self.functions[id.index()].scope);
                self.is_standard(namespace)
            });
        let text = match name.last.id {
            Identifier::Name(symbol) => self.text(symbol).to_owned(),
            _ => self.function_name(candidates[0]),
        };
        let is_global = is_global || self.stand_beside_the_languages(name, &candidates);
        let builtin = if is_global && !is_member { crate::builtins::find(&text) } else { None };
        let object = match (is_member, self.frame.this) {
            (true, Some((ty, local))) => {
                let owner = self.functions[candidates[0].index()].member_of;
                let own = self.types.as_struct(ty);
                let related = match (own, owner) {
                    (Some(own), Some(owner)) => self.types.base_offset(own, owner).is_some(),
                    _ => false,
                };
                related.then(|| Value::memory(ty, Address { base: local, offset: 0 }, Category::Left))
            }
            _ => None,
        };
        let key = self.key(&name.last.id);
        Ok(self.functions_value(Functions {
            name: text,
            candidates,
            builtin,
            explicit,
            object,
            by_argument: if is_member || name.is_qualified() { None } else { key },
            direct: name.is_qualified(),
            span,
        }))
    }

    /// Whether a `using` declaration has put the function of the language with this name beside these: where they are
    /// declared or, of a plain name, in a scope around.
    fn stand_beside_the_languages(&self, name: &Name, candidates: &[FuncId]) -> bool {
        let Identifier::Name(symbol) = name.last.id else { return false };
        let has = |scope: ScopeId| self.scopes[scope.index()].of_language.contains(&symbol);
        if candidates.iter().any(|id| has(self.enclosing_namespace(self.functions[id.index()].scope))) {
            return true;
        }
        let mut at = (!name.is_qualified()).then_some(self.scope);
        while let Some(scope) = at {
            if has(scope) {
                return true;
            }
            at = self.scopes[scope.index()].parent;
        }
        false
    }

    /// A field of the object that a member function is called on.
    pub fn own_field(&mut self, field: Field, span: Span) -> Result<Value> {
        let Some((ty, local)) = self.frame.this else {
            if self.frame.is_constant {
                // `sizeof(S::x)` and `decltype(x)` need no object.
                let object = self.stand_in_value(field.ty);
                return Ok(Value { category: Category::Left, ..object });
            }
            return Err(fault(
                span,
                "a field needs an object here: this function is static, or a lambda without `this`",
            ));
        };
        let offset = match self.types.as_struct(ty) {
            Some(own) => self.types.base_offset(own, field.owner).unwrap_or(0),
            None => 0,
        };
        let object = Value::memory(ty, Address { base: local, offset: offset as i64 }, Category::Left);
        self.field_of(&object, field, span)
    }

    /// A field of an object whose address is that of the field's owner.
    pub fn field_of(&mut self, object: &Value, field: Field, span: Span) -> Result<Value> {
        let address = self.address(object, span)?;
        let address = Address { offset: address.offset + field.offset as i64, ..address };
        if let TypeClass::Reference { to, .. } = *self.types.kind(field.ty) {
            let base = self.b().load(Type::POINTER, address.base, address.offset);
            return Ok(Value::memory(to, Address { base, offset: 0 }, Category::Left));
        }
        let is_const = object.ty.is_const() && !field.is_mutable;
        let ty = self.types.qualified(field.ty, is_const, object.ty.is_volatile());
        let category = if object.category == Category::Left { Category::Left } else { Category::Expiring };
        Ok(match field.bits {
            Some(bits) => Value { ty, kind: ValueKind::Bits(address, bits), category },
            None => Value::memory(ty, address, category),
        })
    }

    pub fn variable_value(&mut self, id: VarId, span: Span) -> Result<Value> {
        let variable = &self.variables[id.index()];
        let ty = variable.ty;
        if let Place::Local { frame, .. }
        | Place::Slot { frame, .. }
        | Place::Address { frame, .. }
        | Place::Bits { frame, .. } = variable.place
            && self.unevaluated > 0
            && !self.in_frame(frame)
        {
            // Nothing but its type is asked for.
            let base = self.b().local(Type::POINTER);
            return Ok(Value::memory(ty, Address { base, offset: 0 }, Category::Left));
        }
        let memory = |base, offset| Ok(Value::memory(ty, Address { base, offset }, Category::Left));
        match variable.place.clone() {
            Place::Local { frame, index } => {
                self.check_frame(frame, id, span)?;
                Ok(Value { ty, kind: ValueKind::Variable(index), category: Category::Left })
            }
            Place::Slot { frame, slot } => {
                self.check_frame(frame, id, span)?;
                let address = self.slot_address(slot);
                memory(address.base, 0)
            }
            Place::Address { frame, base, offset } => {
                self.check_frame(frame, id, span)?;
                memory(base, offset)
            }
            Place::Bits { frame, base, offset, bits } => {
                self.check_frame(frame, id, span)?;
                Ok(Value {
                    ty,
                    kind: ValueKind::Bits(Address { base, offset }, bits),
                    category: Category::Left,
                })
            }
            Place::Shared(shared) => {
                let base = self.b().local(Type::POINTER);
                self.b().emit(Op::SharedAddress { dst: base, shared });
                memory(base, 0)
            }
            Place::DynamicShared => {
                let base = self.b().local(Type::POINTER);
                self.b().emit(Op::DynamicShared { dst: base });
                memory(base, 0)
            }
            Place::Global(global) => self.global_value(global, ty),
            Place::Constant(bits) => {
                Ok(Value { ty, kind: ValueKind::Constant(bits), category: Category::Left })
            }
            Place::Function(instance) => {
                Ok(Value { ty, kind: ValueKind::Instance(instance), category: Category::Left })
            }
            Place::Pending(_) => {
                self.define_variable(id, span)?;
                self.variable_value(id, span)
            }
            Place::InProgress => Err(fault(
                span,
                format!("`{}` is needed to compute its own value", self.variables[id.index()].name),
            )),
            Place::Failed => Err(crate::lower::Fault(None)),
        }
    }

    pub fn global_value(&mut self, global: GlobalId, ty: TypeId) -> Result<Value> {
        let base = self.b().local(Type::POINTER);
        self.b().emit(Op::GlobalAddress { dst: base, global });
        Ok(Value::memory(ty, Address { base, offset: 0 }, Category::Left))
    }

    pub fn check_frame(&self, frame: u32, id: VarId, span: Span) -> Result<()> {
        if self.in_frame(frame) {
            return Ok(());
        }
        let name = &self.variables[id.index()].name;
        Err(if self.frame.is_constant {
            fault(span, format!("`{name}` is not a constant: its value is known only when the kernel runs"))
        } else {
            fault(span, format!("`{name}` belongs to the function around: capture it with [=] or [&]"))
        })
    }

    pub fn member(
        &mut self,
        object: &Expr,
        arrow: bool,
        member: &Name,
        wants_place: bool,
        span: Span,
    ) -> Result<Value> {
        let mut value = if wants_place && !arrow { self.place(object)? } else { self.expr(object)? };
        self.b().span = span;
        if arrow {
            value = self.arrow(value, span)?;
        }
        self.member_of(value, member, span)
    }

    /// What `->` leads to.
    pub fn arrow(&mut self, mut value: Value, span: Span) -> Result<Value> {
        for _ in 0..16 {
            if self.types.as_struct(value.ty).is_none() {
                break;
            }
            let key = Key::Operator(OperatorName::Arrow);
            let Some(set) = self.member_functions(&value, key, "operator->", None, span)? else { break };
            let set = self.functions_value(set);
            value = self.call_value(set, Vec::new(), None, span)?;
        }
        self.deref(value, span)
    }

    pub fn deref(&mut self, value: Value, span: Span) -> Result<Value> {
        if let ValueKind::Functions(_) | ValueKind::Instance(_) = value.kind {
            return Ok(value);
        }
        let value = self.rvalue(value, span)?;
        let Some(to) = self.types.pointee(value.ty) else {
            return Err(fault(span, format!("a `{}` is not a pointer", self.types.name(value.ty))));
        };
        if self.types.is_function(to) {
            return Ok(value);
        }
        if to.is_void() {
            return Err(fault(span, "a void* must be cast before it is dereferenced"));
        }
        let base = self.local(&value, span)?;
        Ok(Value::memory(to, Address { base, offset: 0 }, Category::Left))
    }

    pub fn member_of(&mut self, object: Value, member: &Name, span: Span) -> Result<Value> {
        if let (ValueKind::Index(index), Some(symbol)) = (&object.kind, member.as_plain()) {
            let axis = match self.text(symbol) {
                "x" => Some(0),
                "y" => Some(1),
                "z" => Some(2),
                _ => None,
            };
            if let Some(axis) = axis {
                let register = index.special(axis);
                let dst = self.b().local(Type::I32);
                self.b().emit(Op::Special { dst, register });
                return Ok(Value::local(TypeId::UINT, dst));
            }
        }
        let Some(id) = self.types.as_struct(object.ty) else {
            let name = self.types.name(object.ty);
            if self.types.pointee(object.ty).is_some() {
                return Err(fault(span, format!("a `{name}` is a pointer: use `->`")));
            }
            return Err(fault(span, format!("a `{name}` has no members")));
        };
        self.complete_record(id, span)?;
        let Some(key) = self.key(&member.last.id) else {
            return Err(fault(span, "a member's name is expected"));
        };
        let of = match self.member_qualifier(member, id)? {
            Some(of) => of,
            None => id,
        };
        let found = self.lookup_member(key, of)?;
        let explicit = match &member.last.arguments {
            Some(arguments) => Some(self.template_arguments(arguments)?),
            None => None,
        };
        for entity in &found {
            match *entity {
                Entity::Field(field) => {
                    let object = self.as_base(object, field.owner, span)?;
                    return self.field_of(&object, field, span);
                }
                Entity::Variable(var) => return self.variable_value(var, span),
                Entity::Constant(constant) => return Ok(Value::constant(constant)),
                Entity::Function(_) => {
                    let name = match member.last.id {
                        Identifier::Name(symbol) => self.text(symbol).to_owned(),
                        _ => "operator".to_owned(),
                    };
                    let object = self.as_base(object, of, span)?;
                    let Some(mut set) = self.member_functions(&object, key, &name, explicit, span)? else {
                        break;
                    };
                    set.direct = !member.qualifier.is_empty();
                    return Ok(self.functions_value(set));
                }
                _ => {}
            }
        }
        let name = member.symbol().map_or(String::new(), |symbol| self.text(symbol).to_owned());
        Err(self.unknown_member(id, &name, span))
    }

    pub fn unknown_member(&mut self, id: StructId, name: &str, span: Span) -> crate::lower::Fault {
        let scope = self.records[id.0 as usize].scope;
        let mut names: Vec<String> = self.scopes[scope.index()]
            .names
            .iter()
            .filter_map(|(key, entities)| match (key, entities.first()) {
                (Key::Name(symbol), Some(Entity::Field(_) | Entity::Function(_) | Entity::Variable(_))) => {
                    Some(self.text(*symbol).to_owned())
                }
                _ => None,
            })
            .collect();
        names.sort();
        names.truncate(8);
        let owner = &self.types.get(id).name;
        let has = if names.is_empty() { String::new() } else { format!("; it has {}", names.join(", ")) };
        fault(span, format!("`{owner}` has no member `{name}`{has}"))
    }

    /// `a.Base::f`.
    pub fn member_qualifier(&mut self, member: &Name, own: StructId) -> Result<Option<StructId>> {
        if member.qualifier.is_empty() {
            return Ok(None);
        }
        let scope = self.records[own.0 as usize].scope;
        let inside = self.in_scope(scope, |this| this.qualifier(member));
        let found = match inside {
            Ok(found) => found,
            Err(_) => self.qualifier(member)?,
        };
        match found {
            Some(crate::lower::names::resolve::Qualifier::Struct(id)) => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    /// An object as one of its bases.
    pub fn as_base(&mut self, object: Value, base: StructId, span: Span) -> Result<Value> {
        let own = self.types.as_struct(object.ty);
        match own {
            Some(own) if own != base => {
                let Some(offset) = self.types.base_offset(own, base) else { return Ok(object) };
                let address = self.address(&object, span)?;
                let ty = self.types.struct_type(base);
                let ty = self.types.qualified_as(ty, object.ty);
                let address = Address { offset: address.offset + offset as i64, ..address };
                Ok(Value::memory(ty, address, object.category))
            }
            _ => Ok(object),
        }
    }

    /// The type that a name was declared with, for `decltype`.
    pub fn declared_type(&mut self, expr: &Expr) -> Result<Option<TypeId>> {
        let ExprKind::Name(name) = &expr.kind else { return Ok(None) };
        for entity in self.entities(name)? {
            match entity {
                Entity::Field(field) => return Ok(Some(field.ty)),
                Entity::Function(_) => {
                    let value = self.unevaluated(expr)?;
                    if let ValueKind::Functions(set) = &value.kind {
                        let set = set.clone();
                        let id = self.single_function(&set, None, expr.span)?;
                        return Ok(self.function_type(id));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }
}
