//! Objects: how they are made, copied, assigned and destroyed.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Designator, Expr, ExprKind, Initialiser, ListItem};
use crate::check::constant::Constant;
use crate::check::convert::Rank;
use crate::check::types::{StructId, TypeId};
use crate::ir::{Binary, Compare, End, Op, Type};

use super::call::Argument;
use super::scope::{Entity, FuncId, Key};
use super::value::{Address, Category, Functions, Kind, Value};
use super::{InstanceId, Lowering, Result, fault};

impl Lowering {
    /// `T(a, b)`, `T{a, b}`.
    pub fn construct_expr(
        &mut self,
        ty: &ast::Type,
        arguments: &[Expr],
        braces: bool,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        let to = self.constructed_type(ty, arguments, braces)?;
        if let (true, [Expr { kind: ExprKind::List(items), .. }]) = (braces, arguments) {
            return self.list_value(to, items, into, span);
        }
        if to.is_void() {
            return Ok(Value::void());
        }
        if let Some(id) = self.types.as_struct(to) {
            let given = self.arguments(arguments)?;
            self.b().span = span;
            // A copy of a temporary of the same type is the temporary.
            if let ([Argument::Value(value, _)], None) = (&given[..], into) {
                if value.ty.bare() == to.bare() && value.category == Category::Right {
                    return Ok(value.clone());
                }
            }
            let address = match into {
                Some(address) => address,
                None => self.new_memory("", to.bare(), span)?,
            };
            self.init_direct(address, to.bare(), given, span)?;
            if into.is_none() {
                self.temporary(address, id);
            }
            return Ok(Value::memory(to.bare(), address, Category::Right));
        }
        let mut given = self.arguments(arguments)?;
        self.b().span = span;
        match given.len() {
            0 => Ok(Value::constant(Constant { ty: to.bare(), bits: 0 })),
            1 => match given.remove(0) {
                Argument::Value(value, _) => self.explicit(value, to, ast::CastStyle::C, span),
                Argument::List(items, _) => self.list_value(to, &items, None, span),
            },
            count => {
                Err(fault(span, format!("a `{}` takes one value, {count} are given", self.types.name(to))))
            }
        }
    }

    /// The type of `T(...)`: a class template without arguments takes them from the constructor's.
    fn constructed_type(&mut self, ty: &ast::Type, arguments: &[Expr], braces: bool) -> Result<TypeId> {
        if let ast::TypeKind::Named(name) = &ty.kind {
            if name.last.arguments.is_none() {
                let found = self.entities(name)?;
                let template = found.iter().find_map(|entity| match entity {
                    Entity::Template(id) => Some(*id),
                    _ => None,
                });
                let is_type = found.iter().any(|entity| matches!(entity, Entity::Type(_)));
                if let (Some(template), false) = (template, is_type) {
                    let exprs: Vec<&Expr> = match arguments {
                        [Expr { kind: ExprKind::List(items), .. }] if braces => {
                            items.iter().map(|item| &item.value).collect()
                        }
                        _ => arguments.iter().collect(),
                    };
                    let mut types = Vec::new();
                    for expr in exprs {
                        let value = self.unevaluated(expr)?;
                        types.push((value.ty, value.category));
                    }
                    return self.deduced_class(template, &types, ty.span);
                }
            }
        }
        self.resolve_type(ty)
    }

    /// `T{...}` or a list where a `T` is expected.
    pub fn list_value(
        &mut self,
        ty: TypeId,
        items: &[ListItem],
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        if self.types.is_scalar(ty) && !self.types.is_reference(ty) {
            return self.scalar_list(ty, items, span);
        }
        if ty.is_void() {
            return Ok(Value::void());
        }
        let ty = self.types.referred(ty).bare();
        let address = match into {
            Some(address) => address,
            None => self.new_memory("", ty, span)?,
        };
        self.init_list(address, ty, items, span)?;
        if let (Some(id), None) = (self.types.as_struct(ty), into) {
            self.temporary(address, id);
        }
        Ok(Value::memory(ty, address, Category::Right))
    }

    /// Notes a temporary whose destructor runs at the end of the statement.
    pub fn temporary(&mut self, address: Address, id: StructId) {
        if !self.records[id.0 as usize].plain_destructor {
            self.frame.temporaries.push((address, id));
        }
    }

    /// Runs the destructors of the temporaries since `mark`.
    pub fn end_temporaries(&mut self, mark: usize) -> Result<()> {
        while self.frame.temporaries.len() > mark {
            if let Some((address, id)) = self.frame.temporaries.pop() {
                let span = self.frame.b.span;
                self.destroy(address, id, span)?;
            }
        }
        Ok(())
    }

    /// Makes an object from one expression: `T x = e`.
    pub fn init_expr(&mut self, address: Address, ty: TypeId, expr: &Expr) -> Result<()> {
        let span = expr.span;
        if let ExprKind::List(items) = &expr.kind {
            return self.init_list(address, ty, items, span);
        }
        if self.types.as_struct(ty).is_some() {
            let makes_object =
                matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Construct { .. } | ExprKind::Lambda(_));
            let value = if makes_object && self.result_is(expr, ty) {
                self.expr_into(expr, address)?
            } else {
                self.expr(expr)?
            };
            if matches!(value.kind, Kind::Memory(at) if at == address) && value.category == Category::Right {
                return Ok(());
            }
            self.b().span = span;
            return self.init_copy(address, ty, value, span);
        }
        if let Some((of, length)) = self.types.as_array(ty) {
            if let ExprKind::String { bytes, .. } = &expr.kind {
                return self.init_string(address, of, length, bytes, span);
            }
            let value = self.expr(expr)?;
            // An array as a whole is copied only by structs and lambdas.
            if self.types.unqualified(value.ty) == self.types.unqualified(ty) {
                let from = self.address(&value, span)?;
                return self.copy_construct(address, from, ty, value.ty, span);
            }
            return Err(fault(span, "an array is initialised by a list in braces"));
        }
        let value = self.expr(expr)?;
        self.b().span = span;
        self.init_copy(address, ty, value, span)
    }

    /// Whether an expression surely makes a temporary of a type itself, so that it can be made in place.
    fn result_is(&mut self, expr: &Expr, ty: TypeId) -> bool {
        match &expr.kind {
            ExprKind::Construct { ty: made, .. } => {
                self.resolve_type(made).is_ok_and(|made| made.bare() == ty.bare())
            }
            ExprKind::Call { .. } => self.call_makes(expr, ty),
            ExprKind::Lambda(_) => true,
            _ => false,
        }
    }

    fn call_makes(&mut self, expr: &Expr, ty: TypeId) -> bool {
        // Asked for the outermost call alone: what is inside is lowered once more only to know its type.
        let ExprKind::Call { arguments, .. } = &expr.kind else { return false };
        let simple = arguments.iter().all(|argument| {
            matches!(
                argument.kind,
                ExprKind::Name(_)
                    | ExprKind::Integer { .. }
                    | ExprKind::Float { .. }
                    | ExprKind::Bool(_)
                    | ExprKind::Member { .. }
                    | ExprKind::Index { .. }
            )
        });
        simple
            && self
                .unevaluated(expr)
                .is_ok_and(|value| value.ty.bare() == ty.bare() && value.category == Category::Right)
    }

    /// Makes an object from a value, by an implicit conversion.
    pub fn init_copy(&mut self, address: Address, ty: TypeId, value: Value, span: Span) -> Result<()> {
        if self.types.as_struct(ty).is_some() {
            if self.types.unqualified(value.ty) == ty.bare() {
                let is_temporary = value.category != Category::Left;
                let from = self.address(&value, span)?;
                if is_temporary && value.category == Category::Right {
                    // The temporary becomes the object: it is not destroyed, and not copied by a constructor.
                    let had = self.frame.temporaries.len();
                    self.frame.temporaries.retain(|(at, _)| *at != from);
                    if had != self.frame.temporaries.len() || self.types.as_struct(ty).is_some() {
                        return self.copy_bytes(address, from, ty, span);
                    }
                }
                return self.copy_construct(address, from, ty, value.ty, span);
            }
            let converted = self.convert(value, ty.bare(), span)?;
            let from = self.address(&converted, span)?;
            self.frame.temporaries.retain(|(at, _)| *at != from);
            return self.copy_bytes(address, from, ty, span);
        }
        let value = self.convert(value, ty.bare(), span)?;
        let local = self.local_in_place(&value, span)?;
        self.store_plain(address, local, ty);
        Ok(())
    }

    fn store_plain(&mut self, address: Address, src: crate::ir::Local, ty: TypeId) {
        let volatile = ty.is_volatile();
        self.b().emit(Op::Store { addr: address.base, offset: address.offset, src, volatile });
    }

    /// `T x(a, b)`.
    pub fn init_direct(
        &mut self,
        address: Address,
        ty: TypeId,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<()> {
        let Some(id) = self.types.as_struct(ty) else {
            return match arguments.into_iter().next() {
                None => self.zero(address, ty, span),
                Some(Argument::Value(value, at)) => {
                    let value = self.explicit(value, ty, ast::CastStyle::C, at)?;
                    let local = self.local_in_place(&value, span)?;
                    self.store_plain(address, local, ty);
                    Ok(())
                }
                Some(Argument::List(items, at)) => self.init_list(address, ty, &items, at),
            };
        };
        self.complete_record(id, span)?;
        if arguments.is_empty() {
            return self.value_init(address, ty, span);
        }
        // A copy or a slice of a derived object.
        if let [Argument::Value(value, at)] = &arguments[..] {
            let own = self.types.as_struct(value.ty);
            let is_own = own == Some(id);
            if is_own && (!self.records[id.0 as usize].has_copy || value.category == Category::Right) {
                let (value, at) = (value.clone(), *at);
                return self.init_copy(address, ty, value, at);
            }
        }
        if let Some((function, instance, _)) = self.converting_constructor(id, &arguments, true)? {
            return self.construct_by(address, id, function, instance, arguments, span);
        }
        if let [Argument::Value(value, at)] = &arguments[..] {
            let (value, at) = (value.clone(), *at);
            if let Some(own) = self.types.as_struct(value.ty) {
                if self.types.base_offset(own, id).is_some() {
                    let base = self.as_base(value, id, at)?;
                    return self.init_copy(address, ty, base, at);
                }
                if let Some((user, _)) = self.user_conversion(&value, ty.bare(), true)? {
                    let made = self.convert_by(value, user, ty.bare(), at)?;
                    return self.init_copy(address, ty, made, at);
                }
            }
        }
        // An aggregate in parentheses (C++20).
        if self.records[id.0 as usize].is_aggregate && !self.has_constructors(id) {
            return self.init_aggregate_values(address, id, arguments, span);
        }
        let given = self.arguments_in_words(&arguments);
        Err(fault(span, format!("`{}` has no constructor that takes ({given})", self.types.get(id).name)))
    }

    fn has_constructors(&self, id: StructId) -> bool {
        self.records[id.0 as usize]
            .constructors
            .iter()
            .any(|function| !matches!(self.functions[function.index()].ast.body, ast::FunctionBody::Default))
    }

    fn init_aggregate_values(
        &mut self,
        address: Address,
        id: StructId,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<()> {
        let fields = self.types.get(id).fields.clone();
        if arguments.len() > fields.len() {
            return Err(fault(
                span,
                format!("`{}` has only {} fields", self.types.get(id).name, fields.len()),
            ));
        }
        let mut arguments = arguments.into_iter();
        for (at, field) in fields.iter().enumerate() {
            let place = Address { offset: address.offset + field.offset as i64, ..address };
            match arguments.next() {
                Some(Argument::Value(value, span)) => self.init_copy(place, field.ty, value, span)?,
                Some(Argument::List(items, span)) => self.init_list(place, field.ty, &items, span)?,
                None => self.init_field_default(address, id, at, true, span)?,
            }
        }
        Ok(())
    }

    /// The constructor that takes the arguments, without a conversion by the user for any of them.
    pub fn converting_constructor(
        &mut self,
        id: StructId,
        arguments: &[Argument],
        explicit: bool,
    ) -> Result<Option<(FuncId, InstanceId, Rank)>> {
        let candidates: Vec<FuncId> = self.records[id.0 as usize]
            .constructors
            .iter()
            .copied()
            .filter(|function| explicit || !self.functions[function.index()].ast.specifiers.explicit)
            .collect();
        if candidates.is_empty() {
            return Ok(None);
        }
        if self.converting > 4 {
            return Ok(None);
        }
        let set = Functions {
            name: self.types.get(id).name.clone(),
            candidates,
            builtin: None,
            explicit: None,
            object: None,
            by_argument: None,
            span: self.frame.b.span,
        };
        // One user's conversion does not lead to another, unless a constructor is called by name.
        let outer = self.converting;
        self.converting += 1;
        let allow = self.allow_user;
        self.allow_user = explicit && outer == 0;
        let choice = self.try_choose(&set, arguments, set.span);
        self.allow_user = allow;
        self.converting = outer;
        let Some(super::overload::Choice::Instance(instance)) = choice? else { return Ok(None) };
        let function = self.instances[instance.0 as usize].function;
        let mut rank = Rank::Exact;
        if let ([argument], Some(&param)) = (arguments, self.instances[instance.0 as usize].params.first()) {
            if let Some(sequence) = self.sequence(argument, param, false)? {
                rank = sequence.rank;
            }
        }
        Ok(Some((function, instance, rank)))
    }

    /// Calls a constructor; one of a base for one that was inherited.
    pub fn construct_by(
        &mut self,
        address: Address,
        id: StructId,
        function: FuncId,
        instance: InstanceId,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<()> {
        let owner = self.functions[function.index()].member_of.unwrap_or(id);
        let ty = self.types.struct_type(owner);
        if owner != id {
            let own = self.types.struct_type(id);
            self.default_init_except(address, own, owner, span)?;
        }
        let offset = self.types.base_offset(id, owner).unwrap_or(0);
        let at = Address { offset: address.offset + offset as i64, ..address };
        let object = Value::memory(ty, at, Category::Left);
        self.call_instance(instance, Some(object), arguments, None, span)?;
        Ok(())
    }

    fn default_init_except(
        &mut self,
        address: Address,
        ty: TypeId,
        except: StructId,
        span: Span,
    ) -> Result<()> {
        let Some(id) = self.types.as_struct(ty) else { return Ok(()) };
        let info = self.types.get(id).clone();
        for base in info.bases.iter().filter(|base| base.ty != except) {
            let of = self.types.struct_type(base.ty);
            self.default_init(Address { offset: address.offset + base.offset as i64, ..address }, of, span)?;
        }
        for at in 0..info.fields.len() {
            self.init_field_default(address, id, at, false, span)?;
        }
        Ok(())
    }

    /// `T x;`: what constructors and fields' initialisers do; numbers are left as they are.
    pub fn default_init(&mut self, address: Address, ty: TypeId, span: Span) -> Result<()> {
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if self.is_plain(of) {
                return Ok(());
            }
            return self.each_element(address, of, length, span, |this, at| this.default_init(at, of, span));
        }
        let Some(id) = self.types.as_struct(ty) else { return Ok(()) };
        self.complete_record(id, span)?;
        if self.records[id.0 as usize].plain_default {
            // No constructor without arguments, but some with: there is no default.
            if self.has_constructors(id) && !self.has_defaulted(id) && self.default_constructor(id)?.is_none()
            {
                return Err(fault(
                    span,
                    format!("`{}` has no constructor without arguments", self.types.get(id).name),
                ));
            }
            return Ok(());
        }
        if let Some((function, instance)) = self.default_constructor(id)? {
            return self.construct_by(address, id, function, instance, Vec::new(), span);
        }
        if self.has_constructors(id) && !self.has_defaulted(id) {
            return Err(fault(
                span,
                format!("`{}` has no constructor without arguments", self.types.get(id).name),
            ));
        }
        let bases = self.types.get(id).bases.clone();
        for base in bases {
            let of = self.types.struct_type(base.ty);
            self.default_init(Address { offset: address.offset + base.offset as i64, ..address }, of, span)?;
        }
        let is_union = self.types.get(id).is_union;
        for at in 0..self.types.get(id).fields.len() {
            if is_union && self.records[id.0 as usize].defaults[at].is_none() {
                continue;
            }
            self.init_field_default(address, id, at, false, span)?;
        }
        Ok(())
    }

    fn is_plain(&self, ty: TypeId) -> bool {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        match self.types.as_struct(at) {
            Some(id) => self.records[id.0 as usize].plain_default && !self.has_constructors(id),
            None => true,
        }
    }

    fn default_constructor(&mut self, id: StructId) -> Result<Option<(FuncId, InstanceId)>> {
        let record = &self.records[id.0 as usize];
        let usable = record.constructors.iter().any(|function| {
            let info = &self.functions[function.index()];
            info.defaults.iter().all(Option::is_some) || info.ast.parameters.iter().any(|p| p.pack)
        });
        if !usable {
            return Ok(None);
        }
        // A defaulted one does what is done without it.
        let found = self.converting_constructor(id, &[], true)?;
        Ok(found
            .filter(|(function, ..)| {
                !matches!(self.functions[function.index()].ast.body, ast::FunctionBody::Default)
            })
            .map(|(function, instance, _)| (function, instance)))
    }

    /// `T()`, `T{}`: zeros, then what constructors do.
    pub fn value_init(&mut self, address: Address, ty: TypeId, span: Span) -> Result<()> {
        if let Some(id) = self.types.as_struct(ty) {
            self.complete_record(id, span)?;
            let own = self.default_constructor(id)?;
            if let Some((function, instance)) = own {
                return self.construct_by(address, id, function, instance, Vec::new(), span);
            }
            if self.has_constructors(id) && !self.has_defaulted(id) {
                return Err(fault(
                    span,
                    format!("`{}` has no constructor without arguments", self.types.get(id).name),
                ));
            }
            self.zero(address, ty, span)?;
            return match self.records[id.0 as usize].plain_default {
                true => Ok(()),
                false => self.default_init(address, ty, span),
            };
        }
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if !self.is_plain(of) {
                return self
                    .each_element(address, of, length, span, |this, at| this.value_init(at, of, span));
            }
        }
        self.zero(address, ty, span)
    }

    fn has_defaulted(&self, id: StructId) -> bool {
        self.records[id.0 as usize].constructors.iter().any(|function| {
            let info = &self.functions[function.index()];
            matches!(info.ast.body, ast::FunctionBody::Default) && info.ast.parameters.is_empty()
        })
    }

    /// A field by its own initialiser; without one by default, or zero where `zeroed`.
    pub fn init_field_default(
        &mut self,
        address: Address,
        id: StructId,
        at: usize,
        zeroed: bool,
        span: Span,
    ) -> Result<()> {
        let field = self.types.get(id).fields[at].clone();
        let place = Address { offset: address.offset + field.offset as i64, ..address };
        let Some(variables) = self.records[id.0 as usize].defaults[at].clone() else {
            if field.bits.is_some() {
                return if zeroed { self.init_bits(place, &field, None, span) } else { Ok(()) };
            }
            return if zeroed {
                self.value_init(place, field.ty, span)
            } else {
                self.default_init(place, field.ty, span)
            };
        };
        let variable = variables.variables[self.records[id.0 as usize].default_at[at]].clone();
        let scope = self.records[id.0 as usize].scope;
        let own = self.types.struct_type(id);
        let pointer = self.pointer(address);
        let this = self.frame.this.replace((own, pointer));
        let visible = std::mem::replace(&mut self.visible, u32::MAX);
        let result = self.in_scope(scope, |this| match field.bits {
            Some(_) => match &variable.init {
                Initialiser::Copy(expr) => this.init_bits(place, &field, Some(expr), span),
                Initialiser::Braces(list) => match &list.kind {
                    ExprKind::List(items) if items.len() == 1 => {
                        this.init_bits(place, &field, Some(&items[0].value), span)
                    }
                    _ => this.init_bits(place, &field, None, span),
                },
                _ => Ok(()),
            },
            None => this.init_from(place, field.ty, &variable.init, variable.span),
        });
        self.visible = visible;
        self.frame.this = this;
        result
    }

    fn init_bits(
        &mut self,
        place: Address,
        field: &crate::check::types::Field,
        expr: Option<&Expr>,
        span: Span,
    ) -> Result<()> {
        let Some(bits) = field.bits else { return Ok(()) };
        if bits.width == 0 {
            return Ok(());
        }
        let value = match expr {
            Some(expr) => self.expr(expr)?,
            None => Value::constant(Constant::int(0)),
        };
        let value = self.convert(value, field.ty.bare(), span)?;
        let local = self.local(&value, span)?;
        let target = Value { ty: field.ty.bare(), kind: Kind::Bits(place, bits), category: Category::Left };
        self.store(&target, local, span)
    }

    /// An object by an initialiser as written.
    pub fn init_from(&mut self, address: Address, ty: TypeId, init: &Initialiser, span: Span) -> Result<()> {
        match init {
            Initialiser::None => self.default_init(address, ty, span),
            Initialiser::Copy(expr) => self.init_expr(address, ty, expr),
            Initialiser::Braces(list) => match &list.kind {
                ExprKind::List(items) => self.init_list(address, ty, items, span),
                _ => self.init_expr(address, ty, list),
            },
            Initialiser::Direct(arguments) => {
                if let (Some(_), [only]) = (self.types.as_array(ty), &arguments[..]) {
                    return self.init_expr(address, ty, only);
                }
                let arguments = self.arguments(arguments)?;
                self.b().span = span;
                self.init_direct(address, ty, arguments, span)
            }
        }
    }

    fn init_string(
        &mut self,
        address: Address,
        of: TypeId,
        length: Option<u64>,
        bytes: &[u8],
        span: Span,
    ) -> Result<()> {
        if !matches!(of.bare(), TypeId::CHAR | TypeId::SCHAR | TypeId::UCHAR) {
            return Err(fault(span, "only an array of char can be initialised by a text"));
        }
        let length = length.unwrap_or(bytes.len() as u64 + 1);
        if bytes.len() as u64 > length {
            return Err(fault(span, format!("the text has {} characters, the array {length}", bytes.len())));
        }
        for at in 0..length.min(1 << 16) {
            let byte = bytes.get(at as usize).copied().unwrap_or(0);
            let src = self.b().constant(Type::I8, u64::from(byte));
            self.b().store(address.base, address.offset + at as i64, src);
        }
        Ok(())
    }

    /// `T x{a, b}`, `T x = {a, b}`.
    pub fn init_list(&mut self, address: Address, ty: TypeId, items: &[ListItem], span: Span) -> Result<()> {
        self.nested(span, |this| this.init_list_inner(address, ty, items, span))
    }

    fn init_list_inner(
        &mut self,
        address: Address,
        ty: TypeId,
        items: &[ListItem],
        span: Span,
    ) -> Result<()> {
        self.complete(ty, span)?;
        let items: Vec<ListItem> = self.expanded(items)?;
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if let [ListItem { value: Expr { kind: ExprKind::String { bytes, .. }, .. }, .. }] = &items[..] {
                if of.bare() == TypeId::CHAR {
                    return self.init_string(address, of, Some(length), bytes, span);
                }
            }
            let mut rest = Items { items: &items, at: 0 };
            self.init_array(address, of, length, &mut rest, span)?;
            return self.all_used(&rest);
        }
        let Some(id) = self.types.as_struct(ty) else {
            let value = self.scalar_list(ty, &items, span)?;
            let value = self.convert(value, ty.bare(), span)?;
            let local = self.local_in_place(&value, span)?;
            self.store_plain(address, local, ty);
            return Ok(());
        };
        if items.is_empty() && (!self.records[id.0 as usize].is_aggregate || self.has_defaulted(id)) {
            return self.value_init(address, ty, span);
        }
        let is_aggregate = self.records[id.0 as usize].is_aggregate;
        // `T{t}` is a copy.
        if let ([ListItem { designators, value }], true) = (&items[..], is_aggregate) {
            if designators.is_empty() && !matches!(value.kind, ExprKind::List(_)) && self.copies(value, id)? {
                return self.init_expr(address, ty, value);
            }
        }
        if is_aggregate {
            let mut rest = Items { items: &items, at: 0 };
            self.init_aggregate(address, id, &mut rest, span)?;
            return self.all_used(&rest);
        }
        let mut arguments = Vec::new();
        for item in &items {
            if !item.designators.is_empty() {
                return Err(fault(span, "fields can be named only in a struct without constructors"));
            }
            arguments.extend(self.arguments(std::slice::from_ref(&item.value))?);
        }
        self.b().span = span;
        self.init_direct(address, ty, arguments, span)
    }

    fn copies(&mut self, expr: &Expr, id: StructId) -> Result<bool> {
        let simple = matches!(
            expr.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Unary { .. }
        ) || matches!(&expr.kind, ExprKind::Call { .. } | ExprKind::Construct { .. });
        if !simple {
            return Ok(false);
        }
        let value = self.unevaluated(expr)?;
        let Some(own) = self.types.as_struct(value.ty) else { return Ok(false) };
        Ok(self.types.base_offset(own, id).is_some())
    }

    /// Items with packs expanded.
    fn expanded(&mut self, items: &[ListItem]) -> Result<Vec<ListItem>> {
        if !items.iter().any(|item| matches!(item.value.kind, ExprKind::Expansion(_))) {
            return Ok(items.to_vec());
        }
        let mut list = Vec::new();
        for item in items {
            let ExprKind::Expansion(pattern) = &item.value.kind else {
                list.push(item.clone());
                continue;
            };
            // Each element keeps the scope in which the pack's name stands for it.
            let scopes =
                self.expand(item.value.span, &mut |seen| super::mentions::in_expr(pattern, seen), |this| {
                    Ok(this.scope)
                })?;
            for scope in scopes {
                let symbol = self.symbols.intern(&format!("expansion:{}", self.unnamed));
                self.unnamed += 1;
                let value = self.in_scope(scope, |this| this.expr(pattern))?;
                let id = self.value_variable(value, item.value.span)?;
                self.declare(self.scope, Key::Name(symbol), Entity::Variable(id));
                let name = ast::Name::plain(symbol, item.value.span);
                list.push(ListItem {
                    designators: Vec::new(),
                    value: Expr::new(ExprKind::Name(Box::new(name)), item.value.span),
                });
            }
        }
        Ok(list)
    }

    fn all_used(&self, rest: &Items) -> Result<()> {
        match rest.items.get(rest.at) {
            Some(item) => Err(fault(item.value.span, "there are too many values in the braces")),
            None => Ok(()),
        }
    }

    fn init_array(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        let place = |at: u64| Address { offset: address.offset + (at * size) as i64, ..address };
        let mut at = 0;
        let mut done = 0;
        // All zero first where most of it will be.
        let given = (rest.items.len() - rest.at) as u64;
        let designated = rest.items[rest.at..].iter().any(|item| !item.designators.is_empty());
        let zero_first = self.is_plain(of) && (designated || length.saturating_sub(given) > 16);
        if zero_first {
            let ty = self.types.array(of, Some(length));
            self.zero(address, ty, span)?;
        }
        while at < length || rest.items.get(rest.at).is_some_and(|item| !item.designators.is_empty()) {
            let Some(item) = rest.items.get(rest.at) else { break };
            if let Some(Designator::Index(index)) = item.designators.first() {
                let index = self.constant(index)?;
                if index.bits >= length {
                    return Err(fault(item.value.span, format!("the array has only {length} elements")));
                }
                at = index.bits;
                let value = item.value.clone();
                rest.at += 1;
                self.init_expr(place(at), of, &value)?;
            } else if let Some(Designator::Field(_, span)) = item.designators.first() {
                return Err(fault(*span, "an array has no fields"));
            } else {
                self.init_element(place(at), of, rest, span)?;
            }
            at += 1;
            done = done.max(at);
        }
        if !zero_first {
            for at in done..length {
                self.value_init(place(at), of, span)?;
            }
        }
        Ok(())
    }

    /// One element from the list; without braces of its own, an array or aggregate takes as many items as it has.
    fn init_element(&mut self, place: Address, ty: TypeId, rest: &mut Items, span: Span) -> Result<()> {
        let item = &rest.items[rest.at];
        let value = item.value.clone();
        let is_list = matches!(value.kind, ExprKind::List(_) | ExprKind::String { .. });
        if !is_list {
            if let Some((of, Some(length))) = self.types.as_array(ty) {
                return self.init_partly(place, of, length, rest, span);
            }
            if let Some(id) = self.types.as_struct(ty) {
                self.complete_record(id, span)?;
                if self.records[id.0 as usize].is_aggregate && !self.converts(&value, ty)? {
                    return self.init_aggregate(place, id, rest, span);
                }
            }
        }
        rest.at += 1;
        self.init_expr(place, ty, &value)
    }

    fn converts(&mut self, expr: &Expr, ty: TypeId) -> Result<bool> {
        let value = self.unevaluated(expr)?;
        Ok(self.value_sequence(&value, ty, true)?.is_some())
    }

    /// An inner array without braces: it takes what it needs and leaves the rest.
    fn init_partly(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        for at in 0..length {
            let place = Address { offset: address.offset + (at * size) as i64, ..address };
            if rest.at < rest.items.len() && rest.items[rest.at].designators.is_empty() {
                self.init_element(place, of, rest, span)?;
            } else {
                self.value_init(place, of, span)?;
            }
        }
        Ok(())
    }

    fn init_aggregate(&mut self, address: Address, id: StructId, rest: &mut Items, span: Span) -> Result<()> {
        let info = self.types.get(id).clone();
        for base in &info.bases {
            let of = self.types.struct_type(base.ty);
            let place = Address { offset: address.offset + base.offset as i64, ..address };
            if self.types.get(base.ty).is_empty && rest.at < rest.items.len() {
                if let ExprKind::List(items) = &rest.items[rest.at].value.kind {
                    if items.is_empty() {
                        rest.at += 1;
                    }
                }
                continue;
            }
            if rest.at < rest.items.len() && rest.items[rest.at].designators.is_empty() {
                self.init_element(place, of, rest, span)?;
            } else {
                self.value_init(place, of, span)?;
            }
        }
        let mut set = vec![false; info.fields.len()];
        let mut at = 0;
        while rest.at < rest.items.len() {
            let item = &rest.items[rest.at];
            match item.designators.first() {
                Some(Designator::Field(symbol, span)) => {
                    let name = self.text(*symbol).to_owned();
                    let Some(found) = info.fields.iter().position(|field| field.name == name) else {
                        return self.init_indirect(address, id, *symbol, rest, *span);
                    };
                    at = found;
                    let inner = item.designators[1..].to_vec();
                    let mut value = item.value.clone();
                    if !inner.is_empty() {
                        let item = ListItem { designators: inner, value };
                        value = Expr::new(ExprKind::List(vec![item]), *span);
                    }
                    rest.at += 1;
                    self.init_field(address, id, at, &value, *span)?;
                }
                Some(Designator::Index(_)) => return Err(fault(span, "a struct has no elements")),
                None => {
                    while at < info.fields.len()
                        && info.fields[at].bits.is_some()
                        && info.fields[at].name.is_empty()
                    {
                        at += 1;
                    }
                    let Some(field) = info.fields.get(at) else { break };
                    if field.bits.is_some() {
                        let value = item.value.clone();
                        rest.at += 1;
                        self.init_field(address, id, at, &value, span)?;
                    } else {
                        let place = Address { offset: address.offset + field.offset as i64, ..address };
                        self.init_member(place, field.ty, rest, span)?;
                    }
                }
            }
            set[at] = true;
            at += 1;
            if info.is_union {
                break;
            }
        }
        if info.is_union {
            if !set.iter().any(|set| *set) && !info.fields.is_empty() {
                self.init_field_default(address, id, 0, true, span)?;
            }
            return Ok(());
        }
        for (at, set) in set.iter().enumerate() {
            if !set {
                self.init_field_default(address, id, at, true, span)?;
            }
        }
        Ok(())
    }

    fn init_member(&mut self, place: Address, ty: TypeId, rest: &mut Items, span: Span) -> Result<()> {
        if self.types.is_reference(ty) {
            let value = rest.items[rest.at].value.clone();
            rest.at += 1;
            return self.init_reference_field(place, ty, &value, span);
        }
        self.init_element(place, ty, rest, span)
    }

    fn init_indirect(
        &mut self,
        address: Address,
        id: StructId,
        symbol: ast::Symbol,
        rest: &mut Items,
        span: Span,
    ) -> Result<()> {
        let found = self.lookup_member(Key::Name(symbol), id)?;
        let Some(Entity::Field(field)) = found.first() else {
            return Err(fault(
                span,
                format!("`{}` has no field `{}`", self.types.get(id).name, self.text(symbol)),
            ));
        };
        let place = Address { offset: address.offset + field.offset as i64, ..address };
        let ty = field.ty;
        let value = rest.items[rest.at].value.clone();
        rest.at += 1;
        self.init_expr(place, ty, &value)
    }

    fn init_field(
        &mut self,
        address: Address,
        id: StructId,
        at: usize,
        value: &Expr,
        span: Span,
    ) -> Result<()> {
        let field = self.types.get(id).fields[at].clone();
        let place = Address { offset: address.offset + field.offset as i64, ..address };
        if field.bits.is_some() {
            return self.init_bits(place, &field, Some(value), span);
        }
        if self.types.is_reference(field.ty) {
            return self.init_reference_field(place, field.ty, value, span);
        }
        self.init_expr(place, field.ty, value)
    }

    pub fn init_reference_field(
        &mut self,
        place: Address,
        ty: TypeId,
        value: &Expr,
        span: Span,
    ) -> Result<()> {
        let value = self.expr(value)?;
        let bound = self.bind_reference(value, ty, span)?;
        let address = self.address(&bound, span)?;
        let pointer = self.pointer(address);
        self.b().store(place.base, place.offset, pointer);
        Ok(())
    }

    /// Runs `each` for every element of an array: a loop where there are many.
    pub fn each_element(
        &mut self,
        address: Address,
        of: TypeId,
        length: u64,
        span: Span,
        mut each: impl FnMut(&mut Lowering, Address) -> Result<()>,
    ) -> Result<()> {
        let size = self.size_of(of, span)?;
        if length <= 8 {
            for at in 0..length {
                each(self, Address { offset: address.offset + (at * size) as i64, ..address })?;
            }
            return Ok(());
        }
        let counter = self.b().local(Type::I64);
        let zero = self.b().constant(Type::I64, 0);
        self.b().emit(Op::Copy { dst: counter, src: zero });
        let (head, body, done) = (self.b().new_block(), self.b().new_block(), self.b().new_block());
        self.b().end(End::Jump(head));
        self.b().enter(head);
        let limit = self.b().constant(Type::I64, length * size);
        let more = self.b().compare(Compare::LtU, counter, limit);
        self.b().end(End::Branch { cond: more, then: body, otherwise: done });
        self.b().enter(body);
        let base = self.b().binary(Binary::Add, address.base, counter);
        each(self, Address { base, offset: address.offset })?;
        let step = self.b().constant(Type::I64, size);
        let next = self.b().binary(Binary::Add, counter, step);
        self.b().emit(Op::Copy { dst: counter, src: next });
        self.b().end(End::Jump(head));
        self.b().enter(done);
        Ok(())
    }

    /// A copy of an object, as its copy constructor or those of its members make it.
    pub fn copy_construct(
        &mut self,
        to: Address,
        from: Address,
        ty: TypeId,
        from_ty: TypeId,
        span: Span,
    ) -> Result<()> {
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            if self.is_trivial(of) {
                return self.copy_bytes(to, from, ty, span);
            }
            let from = self.pointer(from);
            let base = self.pointer(to);
            let difference = self.b().binary(Binary::Sub, from, base);
            return self.each_element(Address { base, offset: 0 }, of, length, span, |this, at| {
                let here = this.pointer(at);
                let source = this.b().binary(Binary::Add, here, difference);
                this.copy_construct(at, Address { base: source, offset: 0 }, of, of, span)
            });
        }
        let Some(id) = self.types.as_struct(ty) else {
            let kind = self.ir_type(ty, span)?;
            let value = self.b().load(kind, from.base, from.offset);
            self.store_plain(to, value, ty);
            return Ok(());
        };
        if self.types.get(id).is_trivial && !self.records[id.0 as usize].has_copy
            || self.types.get(id).is_union
        {
            let ty = self.types.qualified_as(ty.bare(), from_ty);
            return self.copy_bytes(to, from, ty, span);
        }
        if self.records[id.0 as usize].has_copy {
            let source = Value::memory(from_ty, from, Category::Left);
            let arguments = vec![Argument::Value(source, span)];
            if let Some((function, instance, _)) = self.converting_constructor(id, &arguments, true)? {
                return self.construct_by(to, id, function, instance, arguments, span);
            }
            return Err(fault(span, format!("`{}` cannot be copied", self.types.get(id).name)));
        }
        self.each_member(id, |this, offset, ty| {
            let (to, from) = (shifted(to, offset), shifted(from, offset));
            this.copy_construct(to, from, ty, ty, span)
        })
    }

    fn is_trivial(&self, ty: TypeId) -> bool {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        self.types.as_struct(at).is_none_or(|id| self.types.get(id).is_trivial)
    }

    fn each_member(
        &mut self,
        id: StructId,
        mut each: impl FnMut(&mut Lowering, u64, TypeId) -> Result<()>,
    ) -> Result<()> {
        let info = self.types.get(id).clone();
        for base in &info.bases {
            let ty = self.types.struct_type(base.ty);
            if !self.types.get(base.ty).is_empty {
                each(self, base.offset, ty)?;
            }
        }
        let mut last = None;
        for field in &info.fields {
            // Bit-fields of one unit are copied together.
            if field.bits.is_some() && last == Some(field.offset) {
                continue;
            }
            last = field.bits.map(|_| field.offset);
            each(self, field.offset, field.ty)?;
        }
        Ok(())
    }

    /// An assignment of an object, as its operator or those of its members do it.
    pub fn copy_assign(
        &mut self,
        to: Address,
        from: Address,
        ty: TypeId,
        from_ty: TypeId,
        span: Span,
    ) -> Result<()> {
        let Some(id) = self.types.as_struct(ty) else {
            return self.copy_construct(to, from, ty, from_ty, span);
        };
        if self.types.get(id).is_trivial || self.types.get(id).is_union {
            let volatile = self.types.qualified_as(ty, from_ty);
            return self.copy_bytes(to, from, volatile, span);
        }
        self.each_member(id, |this, offset, ty| {
            let (to, from) = (shifted(to, offset), shifted(from, offset));
            let has_own =
                this.types.as_struct(ty).is_some_and(|inner| this.records[inner.0 as usize].has_assignment);
            if has_own {
                let operands = [
                    (Value::memory(ty, to, Category::Left), span),
                    (Value::memory(ty, from, Category::Left), span),
                ];
                this.user_operator(ast::OperatorName::Assign(None), &operands, None, span)?;
                return Ok(());
            }
            this.copy_assign(to, from, ty, ty, span)
        })
    }

    /// Runs an object's destructor and those of its members.
    pub fn destroy(&mut self, address: Address, id: StructId, span: Span) -> Result<()> {
        if self.records[id.0 as usize].plain_destructor {
            return Ok(());
        }
        let ty = self.types.struct_type(id);
        if let Some(destructor) = self.records[id.0 as usize].destructor {
            let instance = self.instance(destructor, &[], span)?;
            let object = Value::memory(ty, address, Category::Left);
            self.call_instance(instance, Some(object), Vec::new(), None, span)?;
            return Ok(());
        }
        self.destroy_members(address, id, span)
    }

    /// The destructors of members and bases, last first.
    pub fn destroy_members(&mut self, address: Address, id: StructId, span: Span) -> Result<()> {
        let info = self.types.get(id).clone();
        if info.is_union {
            return Ok(());
        }
        for field in info.fields.iter().rev() {
            let place = shifted(address, field.offset);
            self.destroy_object(place, field.ty, span)?;
        }
        for base in info.bases.iter().rev() {
            self.destroy(shifted(address, base.offset), base.ty, span)?;
        }
        Ok(())
    }

    pub fn destroy_object(&mut self, place: Address, ty: TypeId, span: Span) -> Result<()> {
        if let Some((of, Some(length))) = self.types.as_array(ty) {
            let mut inner = of;
            while let Some((next, _)) = self.types.as_array(inner) {
                inner = next;
            }
            let plain =
                self.types.as_struct(inner).is_none_or(|id| self.records[id.0 as usize].plain_destructor);
            if plain {
                return Ok(());
            }
            return self.each_element(place, of, length, span, |this, at| this.destroy_object(at, of, span));
        }
        match self.types.as_struct(ty) {
            Some(id) => self.destroy(place, id, span),
            None => Ok(()),
        }
    }

    /// Runs the destructors of the block's objects, last first, down to `mark`; they stay known for other ways out.
    pub fn destroy_down_to(&mut self, mark: usize) -> Result<()> {
        for at in (mark..self.frame.objects.len()).rev() {
            let (address, id) = self.frame.objects[at];
            let span = self.frame.b.span;
            self.destroy(address, id, span)?;
        }
        Ok(())
    }

    /// A constructor's body, after its bases and fields.
    pub fn lower_constructor(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((_, base)) = self.frame.this else { return Ok(()) };
        let address = Address { base, offset: 0 };
        let own = self.types.struct_type(id);
        // A constructor that leaves the work to another one.
        for init in &ast.initialisers {
            let of = self.try_named_type(&init.name).ok().flatten();
            let own_name = init.name.symbol().is_some_and(|symbol| {
                let record = &self.records[id.0 as usize];
                record.ast.as_ref().and_then(|record| record.name.symbol()) == Some(symbol)
            });
            if of == Some(own) || own_name && of.is_none() {
                self.init_by_entry(address, own, init)?;
                return self.constructor_body(ast);
            }
        }
        let info = self.types.get(id).clone();
        let mut used = vec![false; ast.initialisers.len()];
        for base in &info.bases {
            let ty = self.types.struct_type(base.ty);
            let place = shifted(address, base.offset);
            let mut found = None;
            for (at, init) in ast.initialisers.iter().enumerate() {
                if self.try_named_type(&init.name).ok().flatten().map(TypeId::bare) == Some(ty) {
                    found = Some(at);
                }
            }
            match found {
                Some(at) => {
                    used[at] = true;
                    self.init_by_entry(place, ty, &ast.initialisers[at])?;
                }
                None => self.default_init(place, ty, ast.span)?,
            }
        }
        for (at, field) in info.fields.iter().enumerate() {
            let entry = ast.initialisers.iter().position(|init| {
                init.name.as_plain().is_some_and(|symbol| self.text(symbol) == field.name)
                    && !field.name.is_empty()
            });
            let place = shifted(address, field.offset);
            match entry {
                Some(entry) => {
                    used[entry] = true;
                    let init = &ast.initialisers[entry];
                    self.b().span = init.span;
                    if field.bits.is_some() {
                        self.init_bits(place, field, single(init), init.span)?;
                    } else if self.types.is_reference(field.ty) {
                        let Some(value) = single(init) else {
                            return Err(fault(init.span, "a reference needs what it refers to"));
                        };
                        self.init_reference_field(place, field.ty, value, init.span)?;
                    } else {
                        self.init_by_entry(place, field.ty, init)?;
                    }
                }
                None if info.is_union && self.records[id.0 as usize].defaults[at].is_none() => {}
                // The members of an anonymous union are initialised by their own entries, or not at all.
                None if field.name.is_empty()
                    && self.types.as_struct(field.ty).is_some_and(|of| self.types.get(of).is_union) => {}
                None => self.init_field_default(address, id, at, false, ast.span)?,
            }
        }
        for (at, init) in ast.initialisers.iter().enumerate() {
            if used[at] {
                continue;
            }
            let found = match init.name.as_plain() {
                Some(symbol) => self.lookup_member(Key::Name(symbol), id)?,
                None => Vec::new(),
            };
            let Some(Entity::Field(field)) = found.first().copied() else {
                return Err(fault(
                    init.span,
                    format!("`{}` has no such field or base", self.types.get(id).name),
                ));
            };
            self.init_by_entry(shifted(address, field.offset), field.ty, init)?;
        }
        self.constructor_body(ast)
    }

    fn constructor_body(&mut self, ast: &ast::Function) -> Result<()> {
        match &ast.body {
            ast::FunctionBody::Block(body) => self.block(body),
            _ => Ok(()),
        }
    }

    fn init_by_entry(&mut self, place: Address, ty: TypeId, init: &ast::MemberInitialiser) -> Result<()> {
        let span = init.span;
        let mark = self.frame.temporaries.len();
        if let (true, [Expr { kind: ExprKind::List(items), .. }]) = (init.braces, &init.arguments[..]) {
            self.init_list(place, ty, items, span)?;
        } else if init.arguments.is_empty() {
            self.value_init(place, ty, span)?;
        } else if let (Some(_), [only]) = (self.types.as_array(ty), &init.arguments[..]) {
            self.init_expr(place, ty, only)?;
        } else {
            let arguments = self.arguments(&init.arguments)?;
            self.b().span = span;
            if arguments.is_empty() {
                self.value_init(place, ty, span)?;
            } else {
                self.init_direct(place, ty, arguments, span)?;
            }
        }
        self.end_temporaries(mark)
    }

    /// A destructor's body; then those of the members, last first.
    pub fn lower_destructor(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((_, base)) = self.frame.this else { return Ok(()) };
        let info = self.types.get(id).clone();
        let address = Address { base, offset: 0 };
        for part in &info.bases {
            self.push_object(shifted(address, part.offset), part.ty);
        }
        for field in &info.fields {
            if let Some(of) = self.types.as_struct(field.ty) {
                self.push_object(shifted(address, field.offset), of);
            }
        }
        match &ast.body {
            ast::FunctionBody::Block(body) => self.block(body),
            _ => Ok(()),
        }
    }

    /// Has an object destroyed at the end of its block.
    pub fn push_object(&mut self, address: Address, id: StructId) {
        if !self.records[id.0 as usize].plain_destructor {
            self.frame.objects.push((address, id));
        }
    }

    /// `= default` for what is not made in place.
    pub fn lower_defaulted(&mut self, id: StructId, key: Key, ast: &Rc<ast::Function>) -> Result<()> {
        match key {
            Key::Operator(ast::OperatorName::Binary(ast::BinaryOp::Eq)) => self.lower_equality(id, ast),
            _ => Err(fault(ast.span, "this function cannot be defaulted here")),
        }
    }

    /// `bool operator==(const T&) const = default;`
    fn lower_equality(&mut self, id: StructId, ast: &Rc<ast::Function>) -> Result<()> {
        let Some((ty, base)) = self.frame.this else { return Ok(()) };
        let Some(other) = self.frame.b.function.params.last().copied() else { return Ok(()) };
        let (left, right) = (Address { base, offset: 0 }, Address { base: other, offset: 0 });
        let result = self.b().local(Type::BOOL);
        let zero = self.b().constant(Type::BOOL, 0);
        self.b().emit(Op::Copy { dst: result, src: zero });
        let done = self.b().new_block();
        let info = self.types.get(id).clone();
        let span = ast.span;
        for field in &info.fields {
            let of = self.types.qualified_as(field.ty, ty);
            let a = Value::memory(of, shifted(left, field.offset), Category::Left);
            let b = Value::memory(of, shifted(right, field.offset), Category::Left);
            let equal = self.binary_values(ast::BinaryOp::Eq, a, b, (span, span), span)?;
            let equal = self.truth(equal, span)?;
            let cond = self.local(&equal, span)?;
            let next = self.b().new_block();
            self.b().end(End::Branch { cond, then: next, otherwise: done });
            self.b().enter(next);
        }
        let one = self.b().constant(Type::BOOL, 1);
        self.b().emit(Op::Copy { dst: result, src: one });
        self.b().end(End::Jump(done));
        self.b().enter(done);
        self.b().end(End::Return(Some(result)));
        Ok(())
    }
}

/// The items of a list that are not used yet.
struct Items<'a> {
    items: &'a [ListItem],
    at: usize,
}

fn shifted(address: Address, by: u64) -> Address {
    Address { offset: address.offset + by as i64, ..address }
}

/// The only argument of an entry; in braces its only item.
fn single(init: &ast::MemberInitialiser) -> Option<&Expr> {
    match &init.arguments[..] {
        [Expr { kind: ExprKind::List(items), .. }] => match &items[..] {
            [item] => Some(&item.value),
            _ => None,
        },
        [only] => Some(only),
        _ => None,
    }
}
