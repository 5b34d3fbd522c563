//! From names and types as written to what they stand for.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Identifier, Name, NamePart, TypeKind};
use crate::check::types::{StructId, TypeId};

use crate::lower::memory::value::Frame;
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Key, ScopeId, TemplateArg, TemplateId, TemplateKind};
use crate::lower::{Fault, Lowering, Result, fault};

/// Where the last part of a qualified name is looked for.
#[derive(Clone, Copy)]
pub(crate) enum Qualifier {
    Scope(ScopeId),
    Struct(StructId),
}

impl Lowering {
    /// Counts one level of nesting; an error where there are too many.
    pub fn nested<T>(&mut self, span: Span, then: impl FnOnce(&mut Lowering) -> Result<T>) -> Result<T> {
        if self.nesting >= crate::lower::MAX_NESTING {
            return Err(fault(span, "this is nested too deep"));
        }
        self.nesting += 1;
        let result = then(self);
        self.nesting -= 1;
        result
    }

    /// The type that is written.
    pub fn resolve_type(&mut self, ty: &ast::Type) -> Result<TypeId> {
        let resolved = self.nested(ty.span, |this| this.resolve_kind(ty))?;
        if self.types.count() > 1_000_000 {
            return Err(fault(ty.span, "the text makes too many types"));
        }
        Ok(self.types.qualified(resolved, ty.constant, ty.volatile))
    }

    pub fn resolve_kind(&mut self, ty: &ast::Type) -> Result<TypeId> {
        Ok(match &ty.kind {
            TypeKind::Builtin(builtin) => match builtin {
                ast::Builtin::Void => TypeId::VOID,
                ast::Builtin::Bool => TypeId::BOOL,
                ast::Builtin::Char => TypeId::CHAR,
                ast::Builtin::SignedChar => TypeId::SCHAR,
                ast::Builtin::UnsignedChar => TypeId::UCHAR,
                ast::Builtin::WideChar => TypeId::INT,
                ast::Builtin::Char16 => TypeId::USHORT,
                ast::Builtin::Char32 => TypeId::UINT,
                ast::Builtin::Short => TypeId::SHORT,
                ast::Builtin::UnsignedShort => TypeId::USHORT,
                ast::Builtin::Int => TypeId::INT,
                ast::Builtin::UnsignedInt => TypeId::UINT,
                ast::Builtin::Long => TypeId::LONG,
                ast::Builtin::UnsignedLong => TypeId::ULONG,
                ast::Builtin::LongLong => TypeId::LLONG,
                ast::Builtin::UnsignedLongLong => TypeId::ULLONG,
                ast::Builtin::Float => TypeId::FLOAT,
                ast::Builtin::Double | ast::Builtin::LongDouble => TypeId::DOUBLE,
                ast::Builtin::Int128 | ast::Builtin::UnsignedInt128 => {
                    return Err(fault(
                        ty.span,
                        "128-bit integers are not supported on the CPU; use two `unsigned long long` and __umul64hi",
                    ));
                }
            },
            TypeKind::Named(name) => self.named_type(name)?,
            TypeKind::Auto | TypeKind::DecltypeAuto => match self.auto_type {
                Some(bound) => bound,
                None => {
                    return Err(fault(
                        ty.span,
                        "`auto` cannot stand here: there is nothing to take the type from",
                    ));
                }
            },
            TypeKind::Decltype(expr) => self.decltype(expr)?,
            TypeKind::Underlying(of) => {
                let of = self.resolve_type(of)?;
                self.types.underlying(of)
            }
            TypeKind::Pointer { to, .. } => {
                let to = self.resolve_type(to)?;
                if self.types.is_reference(to) {
                    return Err(fault(ty.span, "there are no pointers to references"));
                }
                self.types.pointer(to)
            }
            TypeKind::Reference { to, .. } => self.resolve_reference(to, false)?,
            TypeKind::RvalueReference(to) => self.resolve_reference(to, true)?,
            TypeKind::Array { element, length } => {
                let of = self.resolve_type(element)?;
                if self.types.is_reference(of) || of.is_void() || self.types.is_function(of) {
                    return Err(fault(ty.span, format!("there are no arrays of `{}`", self.types.name(of))));
                }
                let length = match length {
                    Some(length) => Some(self.array_length(length)?),
                    None => None,
                };
                self.types.array(of, length)
            }
            TypeKind::Function { result, parameters, variadic } => {
                if *variadic {
                    return Err(fault(
                        ty.span,
                        "functions with `...` are not supported; use a parameter pack",
                    ));
                }
                let result = self.resolve_type(result)?;
                let mut params = Vec::new();
                for parameter in parameters {
                    if parameter.pack {
                        let packed = self.expand(
                            parameter.span,
                            &mut |seen| mentions::in_type(&parameter.ty, seen),
                            |this| this.parameter_type(&parameter.ty),
                        )?;
                        params.extend(packed);
                    } else if let TypeKind::Pack(pattern) = &parameter.ty.kind {
                        let packed = self.expand(
                            parameter.span,
                            &mut |seen| mentions::in_type(pattern, seen),
                            |this| this.parameter_type(pattern),
                        )?;
                        params.extend(packed);
                    } else {
                        params.push(self.parameter_type(&parameter.ty)?);
                    }
                }
                if params == [TypeId::VOID] {
                    params.clear();
                }
                self.types.function(result, params)
            }
            TypeKind::MemberPointer { class, to } => {
                let of = self.named_type(class)?;
                let to = self.resolve_type(to)?;
                match self.types.as_struct(of) {
                    Some(of) => self.types.member_pointer(of, to),
                    None => return Err(fault(ty.span, format!("`{}` has no members", self.types.name(of)))),
                }
            }
            TypeKind::Pack(_) => return Err(fault(ty.span, "a pack cannot be expanded here")),
        })
    }

    pub fn resolve_reference(&mut self, to: &ast::Type, rvalue: bool) -> Result<TypeId> {
        let of = self.resolve_type(to)?;
        if of.is_void() {
            return Err(fault(to.span, "there are no references to void"));
        }
        Ok(self.types.reference(of, rvalue))
    }

    pub fn array_length(&mut self, length: &ast::Expr) -> Result<u64> {
        let constant = self.constant(length).map_err(|cause| {
            let Some(inner) = &cause.0 else { return cause };
            if !inner.message.contains("known only when the kernel runs") {
                return cause;
            }
            fault(
                length.span,
                "the length of an array must be known at compile time: use a literal, a constexpr or a template \
                 parameter, or `extern __shared__` memory sized by the launch",
            )
        })?;
        if !self.types.underlying(constant.ty).is_integer() {
            return Err(fault(length.span, "the length of an array must be an integer"));
        }
        let signed =
            self.types.ir(constant.ty).map_or(0, |ty| crate::passes::fold::signed(ty, constant.bits));
        if self.types.underlying(constant.ty).is_signed() && signed < 0 {
            return Err(fault(length.span, format!("the length of an array cannot be negative ({signed})")));
        }
        if constant.bits > 1 << 40 {
            return Err(fault(length.span, "the array is too large"));
        }
        Ok(constant.bits)
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub fn parameter_type(&mut self, ty: &ast::Type) -> Result<TypeId> {
        // The length of an array parameter means nothing and need not be constant.
        if let TypeKind::Array { element, .. } = &ty.kind {
            let of = self.resolve_type(element)?;
            return Ok(self.types.pointer(of));
        }
        let resolved = self.resolve_type(ty)?;
        Ok(self.adjusted_parameter(resolved))
    }

    /// A parameter's type with arrays and functions as pointers.
    pub fn adjusted_parameter(&mut self, ty: TypeId) -> TypeId {
        if let Some((of, _)) = self.types.as_array(ty) {
            return self.types.pointer(of);
        }
        if self.types.is_function(ty) {
            return self.types.pointer(ty);
        }
        ty
    }

    /// `decltype(e)`.
    pub fn decltype(&mut self, expr: &ast::Expr) -> Result<TypeId> {
        let value = self.unevaluated(expr)?;
        let is_name = matches!(expr.kind, ast::ExprKind::Name(_) | ast::ExprKind::Member { .. });
        if is_name && !self.is_in_parentheses(expr.span) {
            if let Some(declared) = self.declared_type(expr)? {
                return Ok(declared);
            }
            return Ok(value.ty);
        }
        Ok(match value.category {
            crate::lower::memory::value::Category::Left => self.types.reference(value.ty, false),
            crate::lower::memory::value::Category::Expiring => self.types.reference(value.ty, true),
            crate::lower::memory::value::Category::Right => value.ty,
        })
    }

    /// Whether a name stands in parentheses of its own, `decltype((x))`: the tree does not say.
    pub fn is_in_parentheses(&self, span: Span) -> bool {
        let line = self
            .module
            .sources
            .get(span.file)
            .and_then(|source| source.text.lines().nth((span.line as usize).checked_sub(1)?));
        let Some(line) = line else { return false };
        let before: String = line.chars().take((span.column as usize).saturating_sub(1)).collect();
        before.trim_end().strip_suffix('(').is_some_and(|rest| rest.trim_end().ends_with('('))
    }

    /// Lowers an expression into a function that is thrown away.
    pub fn unevaluated(&mut self, expr: &ast::Expr) -> Result<crate::lower::memory::value::Value> {
        let keep = self.frame.b.clone_state();
        let objects = self.frame.objects.len();
        let temporaries = self.frame.temporaries.len();
        let slots: Vec<_> = self.frame.variables.iter().map(|variable| variable.slot).collect();
        self.unevaluated += 1;
        let result = self.expr(expr);
        self.unevaluated -= 1;
        self.frame.b.restore_state(keep);
        self.frame.objects.truncate(objects);
        self.frame.temporaries.truncate(temporaries);
        self.frame.variables.truncate(slots.len());
        for (variable, slot) in self.frame.variables.iter_mut().zip(slots) {
            variable.slot = slot;
        }
        result
    }

    /// Where a qualified name's last part is looked for; `None` where it is not qualified.
    pub fn qualifier(&mut self, name: &Name) -> Result<Option<Qualifier>> {
        let mut at = name.global.then_some(Qualifier::Scope(ScopeId(0)));
        for part in &name.qualifier {
            at = match self.qualifier_step(part, at) {
                Ok(found) => Some(found),
                Err(cause) => return Err(self.library_hint(name).unwrap_or(cause)),
            };
        }
        Ok(at)
    }

    pub fn qualifier_step(&mut self, part: &NamePart, at: Option<Qualifier>) -> Result<Qualifier> {
        if let Identifier::Decltype(expr) = &part.id {
            let value = self.unevaluated(expr)?;
            return self.type_qualifier(value.ty, part.span);
        }
        let Identifier::Name(symbol) = part.id else {
            return Err(fault(part.span, "this cannot stand before `::`"));
        };
        let found = self.find(Key::Name(symbol), at)?;
        for entity in &found {
            match *entity {
                Entity::Namespace(scope) => return Ok(Qualifier::Scope(scope)),
                Entity::Template(template) if part.arguments.is_some() => {
                    let ty = self.template_type(template, part)?;
                    return self.type_qualifier(ty, part.span);
                }
                Entity::Type(ty) if part.arguments.is_none() => return self.type_qualifier(ty, part.span),
                Entity::Poison => return Err(Fault(None)),
                _ => {}
            }
        }
        if found.is_empty() {
            return Err(self.unknown(symbol, part.span, "there is no namespace or type"));
        }
        Err(fault(part.span, format!("`{}` is neither a namespace nor a type", self.text(symbol))))
    }

    pub fn type_qualifier(&mut self, ty: TypeId, span: Span) -> Result<Qualifier> {
        let ty = self.types.referred(ty);
        if let Some(id) = self.types.as_struct(ty) {
            self.complete_if_possible(id)?;
            return Ok(Qualifier::Struct(id));
        }
        if let crate::check::types::TypeClass::Enum(id) = *self.types.kind(ty) {
            return Ok(Qualifier::Scope(self.enum_scopes[id.0 as usize]));
        }
        Err(fault(span, format!("`{}` has no members", self.types.name(ty))))
    }

    pub fn find(&mut self, key: Key, at: Option<Qualifier>) -> Result<Vec<Entity>> {
        match at {
            None => self.lookup(key, self.scope),
            Some(Qualifier::Scope(scope)) => self.lookup_in(key, scope),
            Some(Qualifier::Struct(id)) => self.lookup_member(key, id),
        }
    }

    /// What a name stands for, its own template arguments not yet applied.
    pub fn entities(&mut self, name: &Name) -> Result<Vec<Entity>> {
        let at = self.qualifier(name)?;
        let key = self.key(&name.last.id).ok_or_else(|| fault(name.span, "a name is expected"))?;
        let found = self.find(key, at)?;
        // `std::sin` is `sin`: what a header puts into std may be a builtin of the global namespace.
        if let (true, Some(Qualifier::Scope(scope))) = (found.is_empty(), at)
            && scope != ScopeId(0)
            && self.is_standard(scope)
        {
            return self.lookup_in(key, ScopeId(0));
        }
        Ok(found)
    }

    /// The error for an unknown name of a library's namespace that says where it is or what to use instead.
    pub fn library_hint(&self, name: &Name) -> Option<Fault> {
        let Identifier::Name(namespace) = name.qualifier.first()?.id else { return None };
        let namespace = self.text(namespace);
        // `std::chrono::...`: what stands behind the namespace decides.
        let asked = match name.qualifier.get(1) {
            Some(NamePart { id: Identifier::Name(symbol), .. }) => *symbol,
            _ => name.symbol()?,
        };
        let hint = crate::builtins::library_hint(namespace, self.text(asked))?;
        Some(fault(name.span, format!("`{namespace}::{}`: {hint}", self.text(asked))))
    }

    pub fn is_standard(&self, scope: ScopeId) -> bool {
        self.scopes[scope.index()]
            .name
            .is_some_and(|name| matches!(self.symbols.text(name), "std" | "cuda" | "thrust"))
    }

    /// The type that a name stands for.
    pub fn named_type(&mut self, name: &Name) -> Result<TypeId> {
        match self.try_named_type(name)? {
            Some(ty) => Ok(ty),
            None => Err(match name.symbol() {
                Some(symbol) if name.qualifier.is_empty() => {
                    self.unknown(symbol, name.span, "there is no type")
                }
                Some(symbol) => match self.library_hint(name) {
                    Some(cause) => cause,
                    None => fault(name.span, format!("there is no type `{}` there", self.text(symbol))),
                },
                None => fault(name.span, "a type is expected"),
            }),
        }
    }

    /// As [`Lowering::named_type`]; `None` where the name is unknown or is not that of a type.
    pub fn try_named_type(&mut self, name: &Name) -> Result<Option<TypeId>> {
        let found = self.entities(name)?;
        for entity in &found {
            match *entity {
                Entity::Template(template) if name.last.arguments.is_some() => {
                    if matches!(self.templates[template.index()].kind, TemplateKind::Variable { .. }) {
                        continue;
                    }
                    return Ok(Some(self.template_type(template, &name.last)?));
                }
                Entity::Type(ty) if name.last.arguments.is_none() => return Ok(Some(ty)),
                Entity::Poison => return Err(Fault(None)),
                _ => {}
            }
        }
        if name.last.arguments.is_none() {
            // A template without arguments: all its parameters may have defaults.
            for entity in &found {
                if let Entity::Template(template) = *entity {
                    if matches!(self.templates[template.index()].kind, TemplateKind::Variable { .. }) {
                        continue;
                    }
                    return Ok(Some(self.type_of_template(template, &[], name.span)?));
                }
            }
        }
        Ok(None)
    }

    pub fn template_type(&mut self, template: TemplateId, part: &NamePart) -> Result<TypeId> {
        let given = self.template_arguments(part.arguments.as_deref().unwrap_or(&[]))?;
        self.type_of_template(template, &given, part.span)
    }

    /// A template of records or an alias with its arguments.
    pub fn type_of_template(
        &mut self,
        template: TemplateId,
        given: &[TemplateArg],
        span: Span,
    ) -> Result<TypeId> {
        match &self.templates[template.index()].kind {
            TemplateKind::Alias(alias) => {
                let alias = alias.clone();
                let header = self
                    .own_header(&alias.templates)
                    .ok_or_else(|| fault(span, "this alias is no template"))?;
                let outer = self.templates[template.index()].scope;
                let (scope, _) = self.bind(&header, given, outer, span)?;
                self.enter_instantiation(span)?;
                let result = self.in_scope(scope, |this| {
                    let visible = std::mem::replace(&mut this.visible, u32::MAX);
                    let result = this.resolve_type(&alias.ty);
                    this.visible = visible;
                    result
                });
                self.depth -= 1;
                result
            }
            TemplateKind::Record { .. } => {
                let id = self.record_instance(template, given, span)?;
                Ok(self.types.struct_type(id))
            }
            TemplateKind::Variable { .. } => Err(fault(span, "this is a variable, not a type")),
        }
    }

    /// Counts one level of instantiation.
    pub fn enter_instantiation(&mut self, span: Span) -> Result<()> {
        if self.depth >= crate::lower::MAX_DEPTH {
            let cause = fault(
                span,
                format!(
                    "templates are nested more than {} deep here: the recursion needs an end",
                    crate::lower::MAX_DEPTH
                ),
            );
            return Err(self.report_limit(cause));
        }
        self.depth += 1;
        Ok(())
    }

    /// The header that holds a declaration's own parameters: the last one, unless it is `template <>`.
    pub fn own_header(&self, headers: &[ast::TemplateHeader]) -> Option<Rc<ast::TemplateHeader>> {
        headers.last().filter(|header| !header.parameters.is_empty()).map(|header| Rc::new(header.clone()))
    }

    /// A frame for an expression that is computed at compile time.
    pub fn constant_frame(&mut self, span: Span) -> Frame {
        self.frames += 1;
        let mut frame = Frame::new(self.frames, "constant expression".to_owned(), span);
        frame.is_constant = true;
        frame
    }
}
