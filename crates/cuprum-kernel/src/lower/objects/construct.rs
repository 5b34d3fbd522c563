//! Objects: how they are made, copied, assigned and destroyed.

use crate::Span;
use crate::ast::{self, Expr, ExprKind, Initialiser};
use crate::check::constant::Constant;
use crate::check::convert::Rank;
use crate::check::types::{StructId, TypeId};
use crate::ir::Op;

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Address, Category, Functions, Value, ValueKind};
use crate::lower::names::scope::{Entity, FuncId};
use crate::lower::{InstanceId, Lowering, Result, fault};

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
            if let ([Argument::Value(value, _)], None) = (&given[..], into)
                && value.ty.bare() == to.bare()
                && value.category == Category::Right
            {
                return Ok(value.clone());
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
    pub fn constructed_type(&mut self, ty: &ast::Type, arguments: &[Expr], braces: bool) -> Result<TypeId> {
        if let ast::TypeKind::Named(name) = &ty.kind
            && name.last.arguments.is_none()
        {
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
        self.resolve_type(ty)
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
            if matches!(value.kind, ValueKind::Memory(at) if at == address)
                && value.category == Category::Right
            {
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
    pub fn result_is(&mut self, expr: &Expr, ty: TypeId) -> bool {
        match &expr.kind {
            ExprKind::Construct { ty: made, .. } => {
                self.resolve_type(made).is_ok_and(|made| made.bare() == ty.bare())
            }
            ExprKind::Call { .. } => self.call_makes(expr, ty),
            // A declared class is made from the closure by a constructor; a closure's own type is deduced from the lambda.
            ExprKind::Lambda(_) => self.types.as_struct(ty).is_some_and(|id| self.closures.contains(&id)),
            _ => false,
        }
    }

    pub fn call_makes(&mut self, expr: &Expr, ty: TypeId) -> bool {
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
                let has_own = self.types.as_struct(ty).is_some_and(|id| self.records[id.0 as usize].has_copy);
                if has_own && value.category == Category::Expiring {
                    return self.init_direct(address, ty, vec![Argument::Value(value, span)], span);
                }
                return self.copy_construct(address, from, ty, value.ty, span);
            }
            if let (Some(id), Some(own)) = (self.types.as_struct(ty), self.types.as_struct(value.ty))
                && own != id
                && self.types.get(id).is_polymorphic
                && self.types.base_offset(own, id).is_some()
            {
                // A slice of a derived object is one of the base: it has the base's table.
                let base = self.as_base(value, id, span)?;
                let from = self.address(&base, span)?;
                return self.copy_construct(address, from, ty, base.ty, span);
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

    pub fn store_plain(&mut self, address: Address, src: crate::ir::Local, ty: TypeId) {
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

    pub fn has_constructors(&self, id: StructId) -> bool {
        self.records[id.0 as usize]
            .constructors
            .iter()
            .any(|function| !matches!(self.functions[function.index()].ast.body, ast::FunctionBody::Default))
    }

    pub fn init_aggregate_values(
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
            direct: false,
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
        let Some(crate::lower::overloads::candidates::Choice::Instance(instance)) = choice? else {
            return Ok(None);
        };
        let function = self.instances[instance.0 as usize].function;
        let mut rank = Rank::Exact;
        if let ([argument], Some(&param)) = (arguments, self.instances[instance.0 as usize].params.first())
            && let Some(sequence) = self.sequence(argument, param, false)?
        {
            rank = sequence.rank;
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
        self.call_directly(instance, Some(object), arguments, None, span)?;
        if owner != id {
            self.set_tables(address, id, span)?;
        }
        Ok(())
    }

    pub fn default_init_except(
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
        self.set_tables(address, id, span)?;
        let is_union = self.types.get(id).is_union;
        for at in 0..self.types.get(id).fields.len() {
            if is_union && self.records[id.0 as usize].defaults[at].is_none() {
                continue;
            }
            self.init_field_default(address, id, at, false, span)?;
        }
        Ok(())
    }

    pub fn is_plain(&self, ty: TypeId) -> bool {
        let mut at = ty;
        while let Some((of, _)) = self.types.as_array(at) {
            at = of;
        }
        match self.types.as_struct(at) {
            Some(id) => self.records[id.0 as usize].plain_default && !self.has_constructors(id),
            None => true,
        }
    }

    pub fn default_constructor(&mut self, id: StructId) -> Result<Option<(FuncId, InstanceId)>> {
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
        if let Some((of, Some(length))) = self.types.as_array(ty)
            && !self.is_plain(of)
        {
            return self.each_element(address, of, length, span, |this, at| this.value_init(at, of, span));
        }
        self.zero(address, ty, span)
    }

    pub fn has_defaulted(&self, id: StructId) -> bool {
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

    pub fn init_bits(
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
        let target =
            Value { ty: field.ty.bare(), kind: ValueKind::Bits(place, bits), category: Category::Left };
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
}
