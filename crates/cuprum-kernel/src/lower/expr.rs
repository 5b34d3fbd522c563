//! Expressions: literals, names, members, elements, casts, sizes.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, CastStyle, CharPrefix, Expr, ExprKind, Identifier, Name, OperatorName};
use crate::check::constant::Constant;
use crate::check::types::{Kind as TyKind, StructId, TypeId};
use crate::ir::{Binary, Convert, GlobalId, Op, StringId, Type};

use super::scope::{Entity, Field, FuncId, Key, Place, ScopeId, TemplateKind, VarId};
use super::value::{Address, Category, Functions, Index, Kind, Value};
use super::{Lowering, Result, fault, mentions};

impl Lowering {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &Expr) -> Result<Value> {
        self.b().span = expr.span;
        let value = self.nested(expr.span, |this| this.expr_kind(expr, None))?;
        if matches!(expr.kind, ExprKind::Index { .. } | ExprKind::Unary { .. } | ExprKind::Member { .. }) {
            self.note_place(&value, expr.span);
        }
        Ok(value)
    }

    /// As [`Lowering::expr`]; a struct that a call or a constructor makes goes to `into`.
    pub fn expr_into(&mut self, expr: &Expr, into: Address) -> Result<Value> {
        self.b().span = expr.span;
        self.nested(expr.span, |this| this.expr_kind(expr, Some(into)))
    }

    /// As [`Lowering::expr`] for what is written or referred to: `c ? a : b` is then one of the two objects, not a copy.
    pub fn place(&mut self, expr: &Expr) -> Result<Value> {
        self.wants_place = true;
        let result = self.expr(expr);
        self.wants_place = false;
        result
    }

    fn expr_kind(&mut self, expr: &Expr, into: Option<Address>) -> Result<Value> {
        let span = expr.span;
        let wants_place = std::mem::take(&mut self.wants_place);
        match &expr.kind {
            ExprKind::Integer { value, unsigned, longs, decimal } => {
                Ok(Value::constant(integer_literal(*value, *unsigned, *longs, *decimal)))
            }
            ExprKind::Float { value, single } => Ok(Value::constant(if *single {
                Constant { ty: TypeId::FLOAT, bits: u64::from((*value as f32).to_bits()) }
            } else {
                Constant { ty: TypeId::DOUBLE, bits: value.to_bits() }
            })),
            ExprKind::Bool(value) => Ok(Value::constant(Constant::bool(*value))),
            ExprKind::Char { value, prefix } => Ok(Value::constant(match prefix {
                CharPrefix::None => Constant { ty: TypeId::CHAR, bits: u64::from(*value as u8) },
                CharPrefix::Wide => Constant { ty: TypeId::INT, bits: u64::from(*value as u32) },
                CharPrefix::Sixteen => Constant { ty: TypeId::USHORT, bits: u64::from(*value as u16) },
                CharPrefix::ThirtyTwo => Constant { ty: TypeId::UINT, bits: u64::from(*value as u32) },
            })),
            ExprKind::String { bytes, prefix } => self.string(bytes, *prefix, span),
            ExprKind::Nullptr => Ok(Value::constant(Constant { ty: TypeId::NULLPTR, bits: 0 })),
            ExprKind::This => self.this(span),
            ExprKind::Name(name) => self.name_value(name, false),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, span),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, span),
            ExprKind::Assign { op, target, value } => self.assign(*op, target, value, span),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then.as_deref(), otherwise, wants_place, span)
            }
            ExprKind::Cast { style, ty, operand } => self.cast(*style, ty, operand, span),
            ExprKind::Construct { ty, arguments, braces } => {
                self.construct_expr(ty, arguments, *braces, into, span)
            }
            ExprKind::Call { function, arguments } => {
                if let Some(value) = self.special_call(function, arguments, span)? {
                    return Ok(value);
                }
                self.call(function, arguments, into, span)
            }
            ExprKind::Launch { .. } => Err(fault(
                span,
                "launching a kernel from a kernel (<<<>>>) is not supported on the CPU; launch it from Python",
            )),
            ExprKind::Member { object, arrow, member } => {
                self.member(object, *arrow, member, wants_place, span)
            }
            ExprKind::Index { base, index } => self.index(base, index, span),
            ExprKind::List(_) => Err(fault(span, "a list in braces cannot stand here")),
            ExprKind::SizeofType(ty) => {
                let resolved = self.resolve_type(ty)?;
                let resolved = self.types.referred(resolved);
                Ok(Value::constant(Constant::size(self.size_of(resolved, span)?)))
            }
            ExprKind::SizeofExpr(operand) => {
                let value = self.unevaluated(operand)?;
                Ok(Value::constant(Constant::size(self.size_of(value.ty, span)?)))
            }
            ExprKind::SizeofPack(symbol) => match self.lookup(Key::Name(*symbol), self.scope)?.first() {
                Some(Entity::Pack(pack)) => {
                    Ok(Value::constant(Constant::size(self.packs[pack.index()].len() as u64)))
                }
                _ => Err(fault(span, format!("`{}` is not a parameter pack", self.text(*symbol)))),
            },
            ExprKind::Alignof(ty) => {
                let resolved = self.resolve_type(ty)?;
                let resolved = self.types.referred(resolved);
                Ok(Value::constant(Constant::size(self.layout_of(resolved, span)?.1)))
            }
            ExprKind::Offsetof { ty, path } => self.offset_of(ty, path, span),
            ExprKind::Noexcept(_) => Ok(Value::constant(Constant::bool(true))),
            ExprKind::TypeTrait { name, arguments } => self.type_trait(*name, arguments, span),
            ExprKind::Lambda(lambda) => self.lambda(lambda, into),
            ExprKind::Expansion(_) => Err(fault(span, "a pack cannot be expanded here")),
            ExprKind::Fold { op, assign, left, right } => {
                self.fold(*op, *assign, left.as_deref(), right.as_deref(), span)
            }
            ExprKind::Refused { what } => Err(fault(span, refusal(what))),
        }
    }

    pub fn add_string(&mut self, text: &str) -> StringId {
        if let Some(at) = self.module.strings.iter().position(|known| known == text) {
            return StringId(at as u32);
        }
        self.module.strings.push(text.to_owned());
        StringId(self.module.strings.len() as u32 - 1)
    }

    fn string(&mut self, bytes: &[u8], prefix: CharPrefix, span: Span) -> Result<Value> {
        if prefix != CharPrefix::None {
            return Err(fault(span, "only plain string literals are supported"));
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        let length = text.len() as u64 + 1;
        let string = self.add_string(&text);
        let of = self.types.qualified(TypeId::CHAR, true, false);
        let ty = self.types.array(of, Some(length));
        Ok(Value { ty, kind: Kind::Text(string), category: Category::Left })
    }

    fn this(&mut self, span: Span) -> Result<Value> {
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
                    return Ok(Value { ty, kind: Kind::Instance(id), category: Category::Left });
                }
                Entity::Field(field) => return self.own_field(field, span),
                Entity::Capture(field) => return self.captured(field, span),
                Entity::Pack(pack) => {
                    return Ok(Value { ty: TypeId::VOID, kind: Kind::Pack(pack), category: Category::Left });
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
                Entity::Poison => return Err(super::Fault(None)),
                Entity::Function(_) => {}
            }
        }
        self.undeclared(name, is_callee, explicit)
    }

    /// A name that no text declares: the language's own.
    fn undeclared(
        &mut self,
        name: &Name,
        is_callee: bool,
        explicit: Option<Vec<super::scope::TemplateArg>>,
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
                    span,
                }));
            }
            return Err(fault(span, "there is no such function"));
        };
        let text = self.symbols.shared(symbol);
        let in_standard = match self.qualifier(name)? {
            None => true,
            Some(super::resolve::Qualifier::Scope(scope)) => scope == ScopeId(0) || self.is_standard(scope),
            Some(super::resolve::Qualifier::Struct(_)) => false,
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
                return Ok(Value { ty, kind: Kind::Index(index), category: Category::Left });
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
                    span,
                }));
            }
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
                span,
            }));
        }
        if name.is_qualified() {
            return Err(fault(span, format!("there is no `{text}` there")));
        }
        Err(self.unknown(symbol, span, "there is no variable or function"))
    }

    pub fn functions_value(&mut self, set: Functions) -> Value {
        Value { ty: TypeId::VOID, kind: Kind::Functions(Rc::new(set)), category: Category::Left }
    }

    fn function_set(
        &mut self,
        name: &Name,
        candidates: Vec<FuncId>,
        explicit: Option<Vec<super::scope::TemplateArg>>,
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
            span,
        }))
    }

    /// A field of the object that a member function is called on.
    fn own_field(&mut self, field: Field, span: Span) -> Result<Value> {
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
        if let TyKind::Reference { to, .. } = *self.types.kind(field.ty) {
            let base = self.b().load(Type::POINTER, address.base, address.offset);
            return Ok(Value::memory(to, Address { base, offset: 0 }, Category::Left));
        }
        let is_const = object.ty.is_const() && !field.is_mutable;
        let ty = self.types.qualified(field.ty, is_const, object.ty.is_volatile());
        let category = if object.category == Category::Left { Category::Left } else { Category::Expiring };
        if self.known_function(ty) {
            return Err(fault(
                span,
                "pointers to functions cannot be kept in structs; use a template parameter",
            ));
        }
        Ok(match field.bits {
            Some(bits) => Value { ty, kind: Kind::Bits(address, bits), category },
            None => Value::memory(ty, address, category),
        })
    }

    fn known_function(&self, ty: TypeId) -> bool {
        self.types.pointee(ty).is_some_and(|of| self.types.is_function(of))
    }

    pub fn variable_value(&mut self, id: VarId, span: Span) -> Result<Value> {
        let variable = &self.variables[id.index()];
        let ty = variable.ty;
        let memory = |base, offset| Ok(Value::memory(ty, Address { base, offset }, Category::Left));
        match variable.place.clone() {
            Place::Local { frame, index } => {
                self.check_frame(frame, id, span)?;
                Ok(Value { ty, kind: Kind::Variable(index), category: Category::Left })
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
                Ok(Value { ty, kind: Kind::Bits(Address { base, offset }, bits), category: Category::Left })
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
            Place::Constant(bits) => Ok(Value { ty, kind: Kind::Constant(bits), category: Category::Left }),
            Place::Function(instance) => {
                Ok(Value { ty, kind: Kind::Instance(instance), category: Category::Left })
            }
            Place::Pending(_) => {
                self.define_variable(id, span)?;
                self.variable_value(id, span)
            }
            Place::InProgress => Err(fault(
                span,
                format!("`{}` is needed to compute its own value", self.variables[id.index()].name),
            )),
            Place::Failed => Err(super::Fault(None)),
        }
    }

    pub fn global_value(&mut self, global: GlobalId, ty: TypeId) -> Result<Value> {
        let base = self.b().local(Type::POINTER);
        self.b().emit(Op::GlobalAddress { dst: base, global });
        Ok(Value::memory(ty, Address { base, offset: 0 }, Category::Left))
    }

    fn check_frame(&self, frame: u32, id: VarId, span: Span) -> Result<()> {
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

    fn member(
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
    fn arrow(&mut self, mut value: Value, span: Span) -> Result<Value> {
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
        if let Kind::Functions(_) | Kind::Instance(_) = value.kind {
            return Ok(value);
        }
        let value = self.rvalue(value, span)?;
        let Some(to) = self.types.pointee(value.ty) else {
            return Err(fault(span, format!("a `{}` is not a pointer", self.types.name(value.ty))));
        };
        if to.is_void() {
            return Err(fault(span, "a void* must be cast before it is dereferenced"));
        }
        let base = self.local(&value, span)?;
        Ok(Value::memory(to, Address { base, offset: 0 }, Category::Left))
    }

    pub fn member_of(&mut self, object: Value, member: &Name, span: Span) -> Result<Value> {
        if let (Kind::Index(index), Some(symbol)) = (&object.kind, member.as_plain()) {
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
                    let Some(set) = self.member_functions(&object, key, &name, explicit, span)? else {
                        break;
                    };
                    return Ok(self.functions_value(set));
                }
                _ => {}
            }
        }
        let name = member.symbol().map_or(String::new(), |symbol| self.text(symbol).to_owned());
        Err(self.unknown_member(id, &name, span))
    }

    fn unknown_member(&mut self, id: StructId, name: &str, span: Span) -> super::Fault {
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
    fn member_qualifier(&mut self, member: &Name, own: StructId) -> Result<Option<StructId>> {
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
            Some(super::resolve::Qualifier::Struct(id)) => Ok(Some(id)),
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

    fn index(&mut self, base: &Expr, index: &Expr, span: Span) -> Result<Value> {
        let left = self.expr(base)?;
        if self.types.as_struct(left.ty).is_some() {
            let key = Key::Operator(OperatorName::Index);
            let Some(set) = self.member_functions(&left, key, "operator[]", None, span)? else {
                return Err(fault(span, format!("a `{}` cannot be indexed", self.types.name(left.ty))));
            };
            let arguments = self.arguments(std::slice::from_ref(index))?;
            let set = self.functions_value(set);
            self.b().span = span;
            return self.call_value(set, arguments, None, span);
        }
        // A pointer variable is read before the index can change it.
        let left = if mentions::is_pure(index) { left } else { self.settled(left, base.span)? };
        let right = self.expr(index)?;
        self.b().span = span;
        let (array, number) = if self.is_indexable(left.ty) { (left, right) } else { (right, left) };
        if !self.is_indexable(array.ty) {
            return Err(fault(span, format!("a `{}` cannot be indexed", self.types.name(array.ty))));
        }
        let number = self.index_number(number, span)?;
        if let Some((of, _)) = self.types.as_array(array.ty) {
            let address = self.address(&array, span)?;
            let element = self.moved(address, &number, of, false, span)?;
            let category = if array.category == Category::Left { Category::Left } else { Category::Expiring };
            return Ok(Value::memory(of, element, category));
        }
        let pointer = self.rvalue(array, span)?;
        let Some(of) = self.types.pointee(pointer.ty) else {
            return Err(fault(span, "this cannot be indexed"));
        };
        if of.is_void() || self.types.is_function(of) {
            return Err(fault(
                span,
                format!("a `{}` cannot be indexed; cast it first", self.types.name(pointer.ty)),
            ));
        }
        let base = self.local_in_place(&pointer, span)?;
        let element = self.moved(Address { base, offset: 0 }, &number, of, false, span)?;
        Ok(Value::memory(of, element, Category::Left))
    }

    fn is_indexable(&self, ty: TypeId) -> bool {
        self.types.as_array(ty).is_some() || self.types.is_pointer(ty)
    }

    /// A value that later writes do not change, where it is a number in a variable.
    pub fn settled(&mut self, value: Value, span: Span) -> Result<Value> {
        match value.kind {
            Kind::Variable(_) | Kind::Memory(_) | Kind::Bits(..) if self.types.is_scalar(value.ty) => {
                self.rvalue(value, span)
            }
            _ => Ok(value),
        }
    }

    /// An index: an integer, or a struct that converts to one.
    pub fn index_number(&mut self, value: Value, span: Span) -> Result<Value> {
        let value = self.rvalue_in_place(value, span)?;
        if value.ty.is_integer() || self.types.as_enum(value.ty).is_some_and(|info| !info.is_scoped) {
            return Ok(value);
        }
        if self.types.as_struct(value.ty).is_some() {
            return self.convert(value, TypeId::LLONG, span);
        }
        Err(fault(span, format!("an index must be an integer, not `{}`", self.types.name(value.ty))))
    }

    /// The address of an element: `address + number * sizeof(of)`, or minus.
    pub fn moved(
        &mut self,
        address: Address,
        number: &Value,
        of: TypeId,
        backwards: bool,
        span: Span,
    ) -> Result<Address> {
        let size = self.size_of(of, span)?;
        let ty = self.ir_type(number.ty, span)?;
        let is_signed = self.types.underlying(number.ty).is_signed();
        if let Kind::Constant(bits) = number.kind {
            let count = if is_signed { crate::check::constant::signed(ty, bits) } else { bits as i64 };
            if let Some(by) = count.checked_mul(size as i64) {
                let by = if backwards { -by } else { by };
                if let Some(offset) = address.offset.checked_add(by) {
                    return Ok(Address { offset, ..address });
                }
            }
        }
        let local = self.local_in_place(number, span)?;
        let wide = self.resize(local, Type::I64, is_signed);
        let scaled = if size == 1 {
            wide
        } else {
            let by = self.b().constant(Type::I64, size);
            self.b().binary(Binary::Mul, wide, by)
        };
        let op = if backwards { Binary::Sub } else { Binary::Add };
        let base = self.b().binary(op, address.base, scaled);
        Ok(Address { base, offset: address.offset })
    }

    fn cast(&mut self, style: CastStyle, ty: &ast::Type, operand: &Expr, span: Span) -> Result<Value> {
        let to = self.resolve_type(ty)?;
        if let ExprKind::List(items) = &operand.kind {
            return self.list_value(to.bare(), items, None, span);
        }
        let value = self.expr(operand)?;
        self.b().span = span;
        match style {
            CastStyle::Bits => self.bit_cast(value, to, span),
            _ => self.explicit(value, to, style, span),
        }
    }

    /// `T(x)`, `(T)x`, `static_cast<T>(x)` and the others.
    pub fn explicit(&mut self, value: Value, to: TypeId, style: CastStyle, span: Span) -> Result<Value> {
        if to.is_void() {
            return Ok(Value::void());
        }
        if let TyKind::Reference { to: target, rvalue } = *self.types.kind(to) {
            return self.cast_reference(value, to, target, rvalue, style, span);
        }
        let to = to.bare();
        if self.value_sequence(&value, to, true)?.is_some() {
            return self.convert(value, to, span);
        }
        if let Some((user, _)) = self.user_conversion(&value, to, true)? {
            return self.convert_by(value, user, to, span);
        }
        // A struct may convert to something that converts to the type.
        if self.types.as_struct(value.ty).is_some() {
            return Err(self.no_conversion(&value, to, span));
        }
        let value = self.rvalue(value, span)?;
        let (from_number, to_number) = (
            value.ty.is_arithmetic() || self.types.as_enum(value.ty).is_some(),
            to.is_arithmetic() || self.types.as_enum(to).is_some(),
        );
        let (from_pointer, to_pointer) = (self.types.is_pointer(value.ty), self.types.is_pointer(to));
        let is_pointer_int = |this: &Lowering, ty: TypeId| this.types.underlying(ty).is_integer();
        if from_number && to_number && style != CastStyle::Reinterpret {
            return self.convert_number(value, to, span);
        }
        if from_pointer && to_pointer {
            // A base's pointer back to the struct that it is part of.
            if style == CastStyle::Static || style == CastStyle::C {
                if let Some(moved) = self.cast_down(&value, to, span)? {
                    return Ok(moved);
                }
            }
            if matches!(value.kind, Kind::Functions(_) | Kind::Instance(_)) {
                return Err(fault(span, "a pointer to a function cannot be cast"));
            }
            return Ok(Value { ty: to, ..value });
        }
        if (from_pointer && is_pointer_int(self, to)) || (to_pointer && is_pointer_int(self, value.ty)) {
            return self.convert_number(value, to, span);
        }
        if value.ty == TypeId::NULLPTR {
            return Ok(Value::constant(Constant { ty: to, bits: 0 }));
        }
        Err(self.no_conversion(&value, to, span))
    }

    fn cast_down(&mut self, value: &Value, to: TypeId, span: Span) -> Result<Option<Value>> {
        let (Some(a), Some(b)) = (self.types.pointee(value.ty), self.types.pointee(to)) else {
            return Ok(None);
        };
        let (Some(base), Some(derived)) = (self.types.as_struct(a), self.types.as_struct(b)) else {
            return Ok(None);
        };
        self.complete_if_possible(derived)?;
        let Some(offset) = self.types.base_offset(derived, base) else { return Ok(None) };
        let local = self.local(value, span)?;
        let local = self.pointer(Address { base: local, offset: -(offset as i64) });
        Ok(Some(Value::local(to, local)))
    }

    fn cast_reference(
        &mut self,
        value: Value,
        to: TypeId,
        target: TypeId,
        rvalue: bool,
        style: CastStyle,
        span: Span,
    ) -> Result<Value> {
        let category = if rvalue { Category::Expiring } else { Category::Left };
        let same = self.types.unqualified(target) == self.types.unqualified(value.ty);
        if same {
            // `static_cast<T&&>(x)`, `const_cast<T&>(x)`.
            if matches!(value.kind, Kind::Variable(_) | Kind::Memory(_) | Kind::Bits(..)) {
                return Ok(Value { ty: target, kind: value.kind, category });
            }
            let address = self.address(&value, span)?;
            return Ok(Value::memory(target, address, category));
        }
        if let (Some(own), Some(other)) = (self.types.as_struct(value.ty), self.types.as_struct(target)) {
            if style != CastStyle::Reinterpret {
                self.complete_if_possible(own)?;
                self.complete_if_possible(other)?;
                let offset = match (self.types.base_offset(own, other), self.types.base_offset(other, own)) {
                    (Some(up), _) => Some(up as i64),
                    (None, Some(down)) => Some(-(down as i64)),
                    _ => None,
                };
                if let Some(offset) = offset {
                    let address = self.address(&value, span)?;
                    let address = Address { offset: address.offset + offset, ..address };
                    return Ok(Value::memory(target, address, category));
                }
            }
        }
        if style == CastStyle::Reinterpret || style == CastStyle::C && value.category == Category::Left {
            let address = self.address(&value, span)?;
            return Ok(Value::memory(target, address, category));
        }
        self.bind_reference(value, to, span)
    }

    fn bit_cast(&mut self, value: Value, to: TypeId, span: Span) -> Result<Value> {
        let (from_size, to_size) = (self.size_of(value.ty, span)?, self.size_of(to, span)?);
        if from_size != to_size {
            return Err(fault(
                span,
                format!("a bit cast is between types of one size, not {from_size} and {to_size} bytes"),
            ));
        }
        let (a, b) = (self.types.ir(value.ty), self.types.ir(to));
        if let (Some(a), Some(b)) = (a, b) {
            let value = self.rvalue(value, span)?;
            if let Kind::Constant(bits) = value.kind {
                return Ok(Value::constant(Constant { ty: to.bare(), bits }));
            }
            let local = self.local(&value, span)?;
            let result = if a == b { local } else { self.b().convert(Convert::Bits, b, local) };
            return Ok(Value::local(to, result));
        }
        let from = self.address(&value, span)?;
        let address = self.new_memory("", to.bare(), span)?;
        let (target, source) = (self.pointer(address), self.pointer(from));
        self.b().emit(Op::CopyBytes { to: target, from: source, bytes: to_size });
        Ok(Value::memory(to.bare(), address, Category::Right))
    }

    fn offset_of(&mut self, ty: &ast::Type, path: &[ast::Symbol], span: Span) -> Result<Value> {
        let mut at = self.resolve_type(ty)?;
        let mut offset = 0;
        for &symbol in path {
            let Some(id) = self.types.as_struct(at) else {
                return Err(fault(span, "offsetof needs a struct"));
            };
            self.complete_record(id, span)?;
            let found = self.lookup_member(Key::Name(symbol), id)?;
            let Some(Entity::Field(field)) = found.first() else {
                return Err(fault(span, format!("there is no field `{}`", self.text(symbol))));
            };
            offset += field.offset + self.types.base_offset(id, field.owner).unwrap_or(0);
            at = field.ty;
        }
        Ok(Value::constant(Constant::size(offset)))
    }

    /// `std::move(x)`, `std::forward<T>(x)`, `__builtin_*` and destructor calls: what is not an ordinary function.
    fn special_call(&mut self, function: &Expr, arguments: &[Expr], span: Span) -> Result<Option<Value>> {
        if let ExprKind::Member { object, arrow, member } = &function.kind {
            if let Identifier::Destructor(_) = member.last.id {
                let mut value = self.expr(object)?;
                if *arrow {
                    value = self.deref(value, span)?;
                }
                if let Some(id) = self.types.as_struct(value.ty) {
                    let address = self.address(&value, span)?;
                    self.destroy(address, id, span)?;
                }
                return Ok(Some(Value::void()));
            }
        }
        let ExprKind::Name(name) = &function.kind else { return Ok(None) };
        let Identifier::Name(symbol) = name.last.id else { return Ok(None) };
        match self.text(symbol) {
            "__builtin_expect" | "__builtin_assume_aligned" => match arguments.first() {
                Some(first) => Ok(Some(self.expr(first)?)),
                None => Ok(None),
            },
            "__builtin_constant_p" => Ok(Some(Value::constant(Constant::int(0)))),
            "__builtin_is_constant_evaluated" => {
                Ok(Some(Value::constant(Constant::bool(self.frame.is_constant))))
            }
            _ => Ok(None),
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
                    if let Kind::Functions(set) = &value.kind {
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

/// The type of an integer literal by C++'s table.
fn integer_literal(value: u64, unsigned: bool, longs: u8, decimal: bool) -> Constant {
    let fits_int = value <= i32::MAX as u64;
    let fits_uint = value <= u64::from(u32::MAX);
    let fits_long = value <= i64::MAX as u64;
    let ty = match (unsigned, longs) {
        (false, 0) if fits_int => TypeId::INT,
        (false, 0) if !decimal && fits_uint => TypeId::UINT,
        (false, 0 | 1) if fits_long => TypeId::LONG,
        (false, 0 | 1) => TypeId::ULONG,
        (false, _) if fits_long => TypeId::LLONG,
        (false, _) => TypeId::ULLONG,
        (true, 0) if fits_uint => TypeId::UINT,
        (true, 0 | 1) => TypeId::ULONG,
        (true, _) => TypeId::ULLONG,
    };
    Constant { ty, bits: value }
}

fn refusal(what: &str) -> String {
    let instead = match what {
        "new" | "delete" => "use a local array, or pass an array to the kernel",
        "throw" | "try" => "use assert or write a status to an array",
        "typeid" | "dynamic_cast" => "use templates or an enum that says what it is",
        _ => "write it without",
    };
    format!("`{what}` is not supported in kernels; {instead}")
}
