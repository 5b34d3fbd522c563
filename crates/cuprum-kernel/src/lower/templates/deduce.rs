//! Finds a template's arguments from types: of a call's arguments, of a specialisation's pattern, of `auto`.

use std::rc::Rc;

use crate::ast::{self, Symbol, TemplateArgumentKind, TemplateParameterKind, TypeKind};
use crate::check::constant::Constant;
use crate::check::types::{TypeClass, TypeId};

use crate::lower::memory::value::Category;
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, FuncId, ScopeId, TemplateArg, TemplateKind};
use crate::lower::{Lowering, Result};

/// Parameters that are being found.
pub(crate) struct Deduction {
    pub header: Rc<ast::TemplateHeader>,
    /// What has been found; for a pack, the elements so far.
    pub found: Vec<Option<TemplateArg>>,
    /// Where the other names of patterns are looked up.
    pub scope: ScopeId,
    /// What `auto` stands for.
    pub auto: Option<TypeId>,
    /// How many were given explicitly: a call's arguments are converted to these.
    pub explicit: usize,
    /// Inside a template argument, where no conversion adds `const` or `volatile`.
    pub exact: bool,
}

impl Deduction {
    pub fn new(header: Rc<ast::TemplateHeader>, scope: ScopeId) -> Deduction {
        let found = vec![None; header.parameters.len()];
        Deduction { header, found, scope, auto: None, explicit: 0, exact: false }
    }

    fn index(&self, symbol: Symbol) -> Option<usize> {
        self.header.parameters.iter().position(|parameter| parameter.name == Some(symbol))
    }

    fn set(&mut self, at: usize, argument: TemplateArg) -> bool {
        match &self.found[at] {
            Some(_) if at < self.explicit => true,
            Some(known) => same_argument(known, &argument),
            None => {
                self.found[at] = Some(argument);
                true
            }
        }
    }
}

/// Numbers may have been found in different types: an array's length is a `size_t`.
fn same_argument(a: &TemplateArg, b: &TemplateArg) -> bool {
    match (a, b) {
        (TemplateArg::Value(a), TemplateArg::Value(b)) => a.bits == b.bits,
        _ => a == b,
    }
}

impl Lowering {
    /// Whether a type as written mentions a parameter that is being found.
    pub fn is_dependent(&self, ty: &ast::Type, d: &Deduction) -> bool {
        let mut dependent = false;
        mentions::in_type(ty, &mut |symbol| dependent |= d.index(symbol).is_some());
        dependent || mentions::has_auto(ty)
    }

    /// Finds parameters so that the pattern is the type; `false` where it cannot be. What cannot be found from here
    /// (`typename T::x`) is left to others.
    pub fn deduce(&mut self, pattern: &ast::Type, ty: TypeId, d: &mut Deduction) -> Result<bool> {
        self.nested(pattern.span, |this| this.deduce_kind(pattern, ty, d))
    }

    pub fn deduce_kind(&mut self, pattern: &ast::Type, ty: TypeId, d: &mut Deduction) -> Result<bool> {
        if !self.is_dependent(pattern, d) {
            // Whether it fits is for the conversion to say; in a template argument it must be the same.
            return Ok(true);
        }
        // `const T` from `const int` is `int`; from `int` too (the conversion adds it).
        let mut bare = ty;
        let is_array = self.types.as_array(ty).is_some();
        let lacks = pattern.constant && !ty.is_const() || pattern.volatile && !ty.is_volatile();
        if d.exact && lacks && !is_array {
            return Ok(false);
        }
        if pattern.constant || pattern.volatile {
            bare = self.without(ty, pattern.constant, pattern.volatile);
        }
        match &pattern.kind {
            TypeKind::Auto | TypeKind::DecltypeAuto => match d.auto {
                Some(known) => Ok(known == bare),
                None => {
                    d.auto = Some(bare);
                    Ok(true)
                }
            },
            TypeKind::Named(name) => self.deduce_name(name, bare, d),
            TypeKind::Pointer { to, .. } => match *self.types.kind(bare) {
                TypeClass::Pointer(of) => self.deduce(to, of, d),
                _ => Ok(false),
            },
            TypeKind::Reference { to, .. } => match *self.types.kind(bare) {
                TypeClass::Reference { to: of, rvalue: false } => self.deduce(to, of, d),
                _ => Ok(false),
            },
            TypeKind::RvalueReference(to) => match *self.types.kind(bare) {
                TypeClass::Reference { to: of, rvalue: true } => self.deduce(to, of, d),
                _ => Ok(false),
            },
            TypeKind::Array { element, length } => {
                let Some((of, known)) = self.types.as_array(bare) else { return Ok(false) };
                if let (Some(length), Some(known)) = (length, known) {
                    if !self.deduce_value(length, Constant::size(known), d)? {
                        return Ok(false);
                    }
                } else if length.is_some() != known.is_some() {
                    return Ok(false);
                }
                self.deduce(element, of, d)
            }
            TypeKind::Function { result, parameters, .. } => {
                let TypeClass::Function { result: of, params } = self.types.kind(bare).clone() else {
                    return Ok(false);
                };
                self.deduce(result, of, d)?;
                let mut params = params.into_iter();
                for parameter in parameters {
                    let pack = match &parameter.ty.kind {
                        TypeKind::Pack(inner) => Some(&**inner),
                        _ => parameter.pack.then_some(&parameter.ty),
                    };
                    if let Some(pattern) = pack {
                        let rest: Vec<TemplateArg> = params.by_ref().map(TemplateArg::Type).collect();
                        return self.deduce_pack(pattern, &rest, d);
                    }
                    let Some(param) = params.next() else { return Ok(false) };
                    if !self.deduce(&parameter.ty, param, d)? {
                        return Ok(false);
                    }
                }
                Ok(params.next().is_none())
            }
            TypeKind::Decltype(_) | TypeKind::Underlying(_) | TypeKind::MemberPointer { .. } => Ok(true),
            TypeKind::Builtin(_) | TypeKind::Pack(_) => Ok(true),
        }
    }

    pub fn without(&mut self, ty: TypeId, is_const: bool, is_volatile: bool) -> TypeId {
        if let Some((of, length)) = self.types.as_array(ty) {
            let of = self.without(of, is_const, is_volatile);
            return self.types.array(of, length);
        }
        let bare = ty.bare();
        self.types.qualified(bare, ty.is_const() && !is_const, ty.is_volatile() && !is_volatile)
    }

    pub fn deduce_name(&mut self, name: &ast::Name, ty: TypeId, d: &mut Deduction) -> Result<bool> {
        if let Some(at) = name.as_plain().and_then(|symbol| d.index(symbol)) {
            return Ok(match d.header.parameters[at].kind {
                TemplateParameterKind::Type { .. } => d.set(at, TemplateArg::Type(ty)),
                _ => false,
            });
        }
        // `typename T::x`: nothing can be found from it.
        if name.qualifier.iter().any(|part| part_mentions(part, d)) {
            return Ok(true);
        }
        let Some(arguments) = &name.last.arguments else { return Ok(true) };
        let Some(id) = self.types.as_struct(ty) else {
            return self.deduce_alias(name, ty, d);
        };
        let symbol = name.symbol();
        // The template may itself be a parameter.
        let of_parameter = symbol.filter(|_| name.qualifier.is_empty()).and_then(|symbol| d.index(symbol));
        let template = match of_parameter {
            Some(_) => None,
            None => {
                let found = self.in_scope(d.scope, |this| this.entities(name))?;
                found.iter().find_map(|entity| match entity {
                    Entity::Template(id) => Some(*id),
                    _ => None,
                })
            }
        };
        if let Some(template) = template
            && matches!(self.templates[template.index()].kind, TemplateKind::Alias(_))
        {
            return self.deduce_alias(name, ty, d);
        }
        let mut candidates = vec![id];
        let mut at = 0;
        while at < candidates.len() {
            let record = &self.records[candidates[at].0 as usize];
            if let Some((of, given)) = record.template.clone()
                && (of_parameter.is_some() || template == Some(of))
            {
                let keep = d.found.clone();
                if let Some(at) = of_parameter
                    && !d.set(at, TemplateArg::Template(of))
                {
                    return Ok(false);
                }
                if self.deduce_arguments(arguments, &given, d)? {
                    return Ok(true);
                }
                d.found = keep;
            }
            self.complete_if_possible(candidates[at])?;
            candidates.extend(self.types.get(candidates[at]).bases.iter().map(|base| base.ty));
            at += 1;
        }
        Ok(false)
    }

    /// `alias<T>`: through what the alias stands for, where its parameters are plain ones of the pattern.
    pub fn deduce_alias(&mut self, name: &ast::Name, ty: TypeId, d: &mut Deduction) -> Result<bool> {
        let found = self.in_scope(d.scope, |this| this.entities(name))?;
        let template = found.iter().find_map(|entity| match entity {
            Entity::Template(id) => Some(*id),
            _ => None,
        });
        let Some(template) = template else {
            return Ok(self.types.as_struct(ty).is_none() && found.is_empty());
        };
        let TemplateKind::Alias(alias) = &self.templates[template.index()].kind else { return Ok(false) };
        let alias = alias.clone();
        let outer = self.templates[template.index()].scope;
        let Some(header) = self.own_header(&alias.templates) else { return Ok(true) };
        let mut inner = Deduction::new(header, outer);
        if !self.deduce(&alias.ty, ty, &mut inner)? {
            return Ok(false);
        }
        let arguments = name.last.arguments.as_deref().unwrap_or(&[]);
        for (pattern, found) in arguments.iter().zip(inner.found) {
            if let Some(found) = found
                && !self.deduce_argument(pattern, &found, d)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds parameters so that a list of patterns is a list of arguments.
    pub fn deduce_arguments(
        &mut self,
        patterns: &[ast::TemplateArgument],
        given: &[TemplateArg],
        d: &mut Deduction,
    ) -> Result<bool> {
        // The arguments of a record with a pack have it as one list.
        let mut flat = Vec::new();
        for argument in given {
            match argument {
                TemplateArg::Pack(rest) => flat.extend(rest.iter().cloned()),
                other => flat.push(other.clone()),
            }
        }
        let mut at = 0;
        for pattern in patterns {
            let packed = match &pattern.kind {
                TemplateArgumentKind::Type(ast::Type { kind: TypeKind::Pack(inner), .. }) => {
                    Some((**inner).clone())
                }
                TemplateArgumentKind::Type(ty) if pattern.pack => Some(ty.clone()),
                TemplateArgumentKind::Value(ast::Expr { kind: ast::ExprKind::Name(name), span })
                    if pattern.pack =>
                {
                    Some(ast::Type::new(TypeKind::Named(name.clone()), *span))
                }
                _ => None,
            };
            if let Some(inner) = packed {
                return self.deduce_pack(&inner, &flat[at.min(flat.len())..], d);
            }
            let Some(argument) = flat.get(at) else { return Ok(false) };
            if !self.deduce_argument(pattern, argument, d)? {
                return Ok(false);
            }
            at += 1;
        }
        // Parameters with defaults need not be written in a pattern.
        Ok(at <= flat.len())
    }

    pub fn deduce_argument(
        &mut self,
        pattern: &ast::TemplateArgument,
        argument: &TemplateArg,
        d: &mut Deduction,
    ) -> Result<bool> {
        let name = match &pattern.kind {
            TemplateArgumentKind::Type(ast::Type {
                kind: TypeKind::Named(name),
                constant: false,
                volatile: false,
                ..
            }) => Some(name),
            TemplateArgumentKind::Value(ast::Expr { kind: ast::ExprKind::Name(name), .. }) => Some(name),
            _ => None,
        };
        if let Some(at) = name.and_then(|name| name.as_plain()).and_then(|symbol| d.index(symbol)) {
            let fits = matches!(
                (&d.header.parameters[at].kind, argument),
                (TemplateParameterKind::Type { .. }, TemplateArg::Type(_))
                    | (TemplateParameterKind::Value { .. }, TemplateArg::Value(_) | TemplateArg::Function(_))
                    | (TemplateParameterKind::Template { .. }, TemplateArg::Template(_))
            );
            return Ok(fits && d.set(at, argument.clone()));
        }
        match (&pattern.kind, argument) {
            (TemplateArgumentKind::Type(ty), TemplateArg::Type(given)) if self.is_dependent(ty, d) => {
                let outside = std::mem::replace(&mut d.exact, true);
                let fits = self.deduce(ty, *given, d);
                d.exact = outside;
                fits
            }
            (TemplateArgumentKind::Value(expr), TemplateArg::Value(constant)) => {
                let mut dependent = false;
                mentions::in_expr(expr, &mut |symbol| dependent |= d.index(symbol).is_some());
                if dependent {
                    return Ok(true);
                }
                let known = self.in_scope(d.scope, |this| this.constant(expr))?;
                Ok(known.bits == constant.bits)
            }
            (_, given) => {
                let resolved =
                    self.in_scope(d.scope, |this| this.template_arguments(std::slice::from_ref(pattern)))?;
                Ok(resolved.len() == 1 && same_argument(&resolved[0], given))
            }
        }
    }

    /// The rest of a list, for a pack.
    pub fn deduce_pack(
        &mut self,
        pattern: &ast::Type,
        rest: &[TemplateArg],
        d: &mut Deduction,
    ) -> Result<bool> {
        let mut packs = Vec::new();
        mentions::in_type(pattern, &mut |symbol| {
            if let Some(at) = d.index(symbol)
                && d.header.parameters[at].pack
                && !packs.contains(&at)
            {
                packs.push(at);
            }
        });
        let before: Vec<_> = packs.iter().map(|&at| d.found[at].take()).collect();
        let mut columns: Vec<Vec<TemplateArg>> = vec![Vec::new(); packs.len()];
        for argument in rest {
            let fits = match argument {
                TemplateArg::Type(ty) => self.deduce(pattern, *ty, d)?,
                other => match &pattern.kind {
                    TypeKind::Named(name) => match name.as_plain().and_then(|symbol| d.index(symbol)) {
                        Some(at) => d.set(at, other.clone()),
                        None => false,
                    },
                    _ => false,
                },
            };
            if !fits {
                return Ok(false);
            }
            for (column, &at) in columns.iter_mut().zip(&packs) {
                match d.found[at].take() {
                    Some(found) => column.push(found),
                    None => return Ok(false),
                }
            }
        }
        for ((column, &at), before) in columns.into_iter().zip(&packs).zip(before) {
            let found = TemplateArg::Pack(column.into());
            // Arguments that were given explicitly begin the pack.
            if let Some(TemplateArg::Pack(explicit)) = before {
                let TemplateArg::Pack(all) = &found else { return Ok(false) };
                if explicit.len() > all.len() {
                    return Ok(false);
                }
            }
            d.found[at] = Some(found);
        }
        Ok(true)
    }

    pub fn deduce_value(&mut self, pattern: &ast::Expr, value: Constant, d: &mut Deduction) -> Result<bool> {
        if let ast::ExprKind::Name(name) = &pattern.kind
            && let Some(at) = name.as_plain().and_then(|symbol| d.index(symbol))
        {
            return Ok(matches!(d.header.parameters[at].kind, TemplateParameterKind::Value { .. })
                && d.set(at, TemplateArg::Value(value)));
        }
        let mut dependent = false;
        mentions::in_expr(pattern, &mut |symbol| dependent |= d.index(symbol).is_some());
        if dependent {
            return Ok(true);
        }
        let known = self.in_scope(d.scope, |this| this.constant(pattern))?;
        Ok(known.bits == value.bits)
    }

    /// A function template's arguments for a call with arguments of these types and categories (`None`: a list or an
    /// overloaded name, from which nothing is found). `None` where it does not fit.
    pub fn deduce_call(
        &mut self,
        function: FuncId,
        explicit: &[TemplateArg],
        arguments: &[Option<(TypeId, Category)>],
    ) -> Result<Option<Vec<TemplateArg>>> {
        let Some(header) = self.functions[function.index()].header.clone() else { return Ok(None) };
        let scope = self.functions[function.index()].scope;
        let mut d = Deduction::new(header.clone(), scope);
        if !start(&mut d, explicit) {
            return Ok(None);
        }
        let ast = self.functions[function.index()].ast.clone();
        let mut at = 0;
        for parameter in &ast.parameters {
            let pattern = match &parameter.ty.kind {
                TypeKind::Pack(inner) => Some(&**inner),
                _ => parameter.pack.then_some(&parameter.ty),
            };
            if let Some(pattern) = pattern {
                let mut rest = Vec::new();
                for argument in &arguments[at.min(arguments.len())..] {
                    let Some((ty, category)) = argument else { return Ok(None) };
                    rest.push(TemplateArg::Type(self.argument_type(pattern, *ty, *category, &d)));
                }
                let inner = inside_reference(pattern, &d);
                if !self.deduce_pack(inner, &rest, &mut d)? {
                    return Ok(None);
                }
                at = arguments.len();
                continue;
            }
            let Some(argument) = arguments.get(at) else { break };
            at += 1;
            let Some((ty, category)) = argument else { continue };
            // Where all that a parameter mentions is given, its argument is converted: `power<int, 3>(x)`.
            let mut open = mentions::has_auto(&parameter.ty);
            mentions::in_type(&parameter.ty, &mut |symbol| {
                open |=
                    d.index(symbol).is_some_and(|at| at >= explicit.len() || d.header.parameters[at].pack);
            });
            if !open {
                continue;
            }
            let adjusted = self.argument_type(&parameter.ty, *ty, *category, &d);
            let fits = match &parameter.ty.kind {
                // An array parameter is a pointer.
                TypeKind::Array { element, .. } => match self.types.pointee(adjusted) {
                    Some(of) => self.deduce(element, of, &mut d)?,
                    None => !self.is_dependent(element, &d),
                },
                TypeKind::Function { .. } => match self.types.pointee(adjusted) {
                    Some(of) => self.deduce(&parameter.ty, of, &mut d)?,
                    None => false,
                },
                _ => self.deduce(inside_reference(&parameter.ty, &d), adjusted, &mut d)?,
            };
            if !fits {
                return Ok(None);
            }
        }
        Ok(finish(&d))
    }

    /// The type that a pattern is compared with.
    pub fn argument_type(
        &mut self,
        pattern: &ast::Type,
        ty: TypeId,
        category: Category,
        d: &Deduction,
    ) -> TypeId {
        match &pattern.kind {
            TypeKind::Reference { .. } => ty,
            TypeKind::RvalueReference(to) => {
                let forwards = match &to.kind {
                    TypeKind::Named(name) => name.as_plain().and_then(|symbol| d.index(symbol)).is_some(),
                    TypeKind::Auto => true,
                    _ => false,
                };
                if forwards && !to.constant && category == Category::Left {
                    return self.types.reference(ty, false);
                }
                ty
            }
            _ => {
                let ty = self.adjusted_parameter(ty);
                self.types.unqualified(ty)
            }
        }
    }
}

/// Explicit arguments come first.
fn start(d: &mut Deduction, explicit: &[TemplateArg]) -> bool {
    let mut given = explicit.iter();
    for (at, parameter) in d.header.parameters.iter().enumerate() {
        if parameter.pack {
            let rest: Vec<TemplateArg> = given.by_ref().cloned().collect();
            if !rest.is_empty() {
                d.found[at] = Some(TemplateArg::Pack(rest.into()));
            }
            break;
        }
        match given.next() {
            Some(argument) => {
                d.found[at] = Some(argument.clone());
                d.explicit = at + 1;
            }
            None => break,
        }
    }
    given.next().is_none()
}

/// The list of what was found; the defaults stand for the rest.
pub(crate) fn finish(d: &Deduction) -> Option<Vec<TemplateArg>> {
    let mut list = Vec::new();
    for (parameter, found) in d.header.parameters.iter().zip(&d.found) {
        match found {
            Some(argument) => list.push(argument.clone()),
            None if parameter.pack => list.push(TemplateArg::Pack(Rc::new([]))),
            None => list.push(TemplateArg::Missing),
        }
    }
    Some(list)
}

/// What a reference pattern refers to; a forwarding reference is compared as a whole.
pub(crate) fn inside_reference<'a>(pattern: &'a ast::Type, d: &Deduction) -> &'a ast::Type {
    let _ = d;
    match &pattern.kind {
        TypeKind::Reference { to, .. } | TypeKind::RvalueReference(to) => to,
        _ => pattern,
    }
}

fn part_mentions(part: &ast::NamePart, d: &Deduction) -> bool {
    let mut dependent = false;
    if let ast::Identifier::Name(symbol) = part.id {
        dependent |= d.index(symbol).is_some();
    }
    for argument in part.arguments.iter().flatten() {
        mentions::in_argument(argument, &mut |symbol| dependent |= d.index(symbol).is_some());
    }
    dependent
}
