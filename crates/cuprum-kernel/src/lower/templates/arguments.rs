//! Arguments of templates: resolved, fitted to their parameters, bound to their names.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Name, TemplateArgumentKind, TypeKind};

use crate::lower::memory::value::ValueKind;
use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Key, ScopeId, ScopeKind, TemplateArg};
use crate::lower::{Lowering, Result, fault};

/// Shows the names that a pattern mentions, one by one.
type Visit<'a> = dyn FnMut(&mut dyn FnMut(ast::Symbol)) + 'a;

impl Lowering {
    /// Arguments of a template, as written.
    pub fn template_arguments(&mut self, arguments: &[ast::TemplateArgument]) -> Result<Vec<TemplateArg>> {
        let mut given = Vec::new();
        for argument in arguments {
            if argument.pack {
                let each =
                    self.expand(argument.span, &mut |seen| mentions::in_argument(argument, seen), |this| {
                        this.template_argument(argument)
                    })?;
                given.extend(each);
                continue;
            }
            if let TemplateArgumentKind::Type(ty) = &argument.kind
                && let TypeKind::Pack(pattern) = &ty.kind
            {
                let each =
                    self.expand(argument.span, &mut |seen| mentions::in_type(pattern, seen), |this| {
                        Ok(TemplateArg::Type(this.resolve_type(pattern)?))
                    })?;
                given.extend(each);
                continue;
            }
            given.push(self.template_argument(argument)?);
        }
        Ok(given)
    }

    pub fn template_argument(&mut self, argument: &ast::TemplateArgument) -> Result<TemplateArg> {
        match &argument.kind {
            TemplateArgumentKind::Type(ty) => {
                if let (TypeKind::Named(name), false, false) = (&ty.kind, ty.constant, ty.volatile) {
                    return self.name_argument(name);
                }
                Ok(TemplateArg::Type(self.resolve_type(ty)?))
            }
            TemplateArgumentKind::Value(expr) => {
                if let ast::ExprKind::Name(name) = &expr.kind {
                    return self.name_argument(name);
                }
                self.value_argument(expr)
            }
        }
    }

    /// A name as an argument: a type, a template, or a value.
    pub fn name_argument(&mut self, name: &Name) -> Result<TemplateArg> {
        if name.last.arguments.is_none() {
            for entity in self.entities(name)? {
                match entity {
                    Entity::Type(ty) => return Ok(TemplateArg::Type(ty)),
                    Entity::Template(template) => return Ok(TemplateArg::Template(template)),
                    Entity::Poison => return Err(crate::lower::Fault(None)),
                    _ => {}
                }
            }
        } else if let Some(ty) = self.try_named_type(name)? {
            return Ok(TemplateArg::Type(ty));
        }
        let expr = ast::Expr::new(ast::ExprKind::Name(Box::new(name.clone())), name.span);
        self.value_argument(&expr)
    }

    pub fn value_argument(&mut self, expr: &ast::Expr) -> Result<TemplateArg> {
        // A function or a variable's address is not a number.
        let inner = match &expr.kind {
            ast::ExprKind::Unary { op: ast::UnaryOp::Address, operand } => operand,
            _ => expr,
        };
        if let ast::ExprKind::Name(name) = &inner.kind {
            let found = self.entities(name)?;
            match found.first() {
                Some(Entity::Function(_)) => {
                    let value = self.unevaluated(inner)?;
                    let ValueKind::Functions(set) = &value.kind else {
                        return Err(fault(expr.span, "this cannot be a template argument"));
                    };
                    return Ok(TemplateArg::Function(self.single_function(set, None, expr.span)?));
                }
                Some(Entity::Instance(id)) => return Ok(TemplateArg::Function(*id)),
                Some(Entity::Variable(id)) if !std::ptr::eq(inner, expr) => {
                    return Ok(TemplateArg::Variable(*id));
                }
                _ => {}
            }
        }
        Ok(TemplateArg::Value(self.constant(expr)?))
    }

    /// Binds arguments to a template's parameters, with the defaults of those that are not given. Gives a scope that
    /// holds them and the full list.
    pub fn bind(
        &mut self,
        header: &ast::TemplateHeader,
        given: &[TemplateArg],
        outer: ScopeId,
        span: Span,
    ) -> Result<(ScopeId, Rc<[TemplateArg]>)> {
        let scope = self.add_scope(ScopeKind::Template, outer);
        let mut full: Vec<TemplateArg> = Vec::new();
        let mut at = 0;
        for parameter in &header.parameters {
            let argument = if parameter.pack {
                // A list that was bound before has the pack as one argument.
                if let (Some(TemplateArg::Pack(rest)), true) = (given.get(at), at + 1 == given.len()) {
                    let rest = rest.clone();
                    at = given.len();
                    TemplateArg::Pack(rest)
                } else {
                    let mut rest = Vec::new();
                    for argument in &given[at.min(given.len())..] {
                        rest.push(self.fitted(parameter, argument.clone(), scope, span)?);
                    }
                    at = given.len();
                    TemplateArg::Pack(rest.into())
                }
            } else if let Some(argument) = given.get(at).filter(|argument| **argument != TemplateArg::Missing)
            {
                at += 1;
                self.fitted(parameter, argument.clone(), scope, span)?
            } else {
                at += usize::from(at < given.len());
                self.default_argument(parameter, scope, span)?
            };
            if let Some(name) = parameter.name {
                let entity = self.argument_entity(&argument);
                self.declare(scope, Key::Name(name), entity);
            }
            full.push(argument);
        }
        if at < given.len() {
            return Err(fault(
                span,
                format!(
                    "{} template arguments are given, but there are only {}",
                    given.len(),
                    header.parameters.len()
                ),
            ));
        }
        Ok((scope, full.into()))
    }

    /// An argument's name in the scope of an instantiation.
    pub fn argument_entity(&mut self, argument: &TemplateArg) -> Entity {
        match argument {
            TemplateArg::Type(ty) => Entity::Type(*ty),
            TemplateArg::Value(constant) => Entity::Constant(*constant),
            TemplateArg::Function(id) => Entity::Instance(*id),
            TemplateArg::Variable(id) => Entity::Variable(*id),
            TemplateArg::Template(id) => Entity::Template(*id),
            TemplateArg::Missing => Entity::Poison,
            TemplateArg::Pack(arguments) => {
                let entities: Vec<Entity> =
                    arguments.iter().map(|argument| self.argument_entity(argument)).collect();
                self.add_pack(entities)
            }
        }
    }

    pub fn add_pack(&mut self, entities: Vec<Entity>) -> Entity {
        self.packs.push(entities.into());
        Entity::Pack(crate::lower::names::scope::PackId(self.packs.len() as u32 - 1))
    }

    /// An argument as its parameter wants it.
    pub fn fitted(
        &mut self,
        parameter: &ast::TemplateParameter,
        argument: TemplateArg,
        scope: ScopeId,
        span: Span,
    ) -> Result<TemplateArg> {
        let name = parameter.name.map_or(String::new(), |name| format!(" `{}`", self.text(name)));
        match (&parameter.kind, argument) {
            (ast::TemplateParameterKind::Type { .. }, TemplateArg::Type(ty)) => Ok(TemplateArg::Type(ty)),
            (ast::TemplateParameterKind::Value { ty, .. }, TemplateArg::Value(constant)) => {
                if mentions::has_auto(ty) {
                    return Ok(TemplateArg::Value(constant));
                }
                let ty = self.in_scope(scope, |this| this.resolve_type(ty))?;
                let value = crate::lower::memory::value::Value::constant(constant);
                let converted = self.convert(value, ty.bare(), span)?;
                match converted.as_constant() {
                    Some(constant) => Ok(TemplateArg::Value(constant)),
                    None => Err(fault(span, format!("the argument for{name} is not a constant number"))),
                }
            }
            (
                ast::TemplateParameterKind::Value { .. },
                argument @ (TemplateArg::Function(_) | TemplateArg::Variable(_)),
            ) => Ok(argument),
            (ast::TemplateParameterKind::Template { .. }, TemplateArg::Template(id)) => {
                Ok(TemplateArg::Template(id))
            }
            (ast::TemplateParameterKind::Type { .. }, _) => {
                Err(fault(span, format!("the template parameter{name} is a type, but a value is given")))
            }
            (ast::TemplateParameterKind::Value { .. }, _) => {
                Err(fault(span, format!("the template parameter{name} is a value, but a type is given")))
            }
            (ast::TemplateParameterKind::Template { .. }, _) => Err(fault(
                span,
                format!("the template parameter{name} is a template, but something else is given"),
            )),
        }
    }

    pub fn default_argument(
        &mut self,
        parameter: &ast::TemplateParameter,
        scope: ScopeId,
        span: Span,
    ) -> Result<TemplateArg> {
        self.in_scope(scope, |this| match &parameter.kind {
            ast::TemplateParameterKind::Type { default: Some(ty) } => {
                Ok(TemplateArg::Type(this.resolve_type(ty)?))
            }
            ast::TemplateParameterKind::Value { default: Some(expr), .. } => {
                let argument = this.value_argument(expr)?;
                this.fitted(parameter, argument, scope, span)
            }
            ast::TemplateParameterKind::Template { default: Some(name), .. } => this.name_argument(name),
            _ => {
                let name = parameter.name.map_or("without a name", |name| this.symbols.text(name));
                Err(fault(
                    span,
                    format!("the template parameter `{name}` is not given and cannot be found out"),
                ))
            }
        })
    }

    /// An argument as it is written in names.
    pub fn argument_text(&self, argument: &TemplateArg) -> String {
        match argument {
            TemplateArg::Type(ty) => self.types.name(*ty),
            TemplateArg::Value(constant) => self.constant_text(*constant),
            TemplateArg::Function(id) => {
                let function = self.instances[id.0 as usize].function;
                format!("&{}", self.function_name(function))
            }
            TemplateArg::Variable(id) => format!("&{}", self.variables[id.index()].name),
            TemplateArg::Template(id) => self.text(self.templates[id.index()].name).to_owned(),
            TemplateArg::Pack(arguments) => self.arguments_text(arguments),
            TemplateArg::Missing => String::new(),
        }
    }

    /// Arguments with commas between.
    pub fn arguments_text(&self, arguments: &[TemplateArg]) -> String {
        let texts: Vec<String> = arguments
            .iter()
            .map(|argument| self.argument_text(argument))
            .filter(|text| !text.is_empty())
            .collect();
        texts.join(", ")
    }

    /// An error where the name of an instance is too long: its arguments are instances of instances.
    pub fn check_name(&self, name: &str, span: Span) -> Result<()> {
        if name.len() <= crate::lower::MAX_NAME {
            return Ok(());
        }
        let begin: String = name.chars().take(40).collect();
        let message =
            format!("the template arguments are nested too deep: `{begin}...` has {} characters", name.len());
        Err(fault(span, message))
    }

    /// A number as it is written.
    pub fn constant_text(&self, constant: crate::check::constant::Constant) -> String {
        let Some(ty) = self.types.ir(constant.ty) else { return String::new() };
        if constant.ty.is_bool() {
            return if constant.bits == 0 { "false" } else { "true" }.to_owned();
        }
        match ty {
            crate::ir::Type::F32 => format!("{:?}f", f32::from_bits(constant.bits as u32)),
            crate::ir::Type::F64 => format!("{:?}", f64::from_bits(constant.bits)),
            _ if self.types.underlying(constant.ty).is_signed() => {
                crate::passes::fold::signed(ty, constant.bits).to_string()
            }
            _ => constant.bits.to_string(),
        }
    }

    /// Runs `each` for every element of the packs that a pattern mentions, under a scope in which their names stand for
    /// that element.
    pub fn expand<T>(
        &mut self,
        span: Span,
        visit: &mut Visit<'_>,
        mut each: impl FnMut(&mut Lowering) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut symbols = Vec::new();
        visit(&mut |symbol| {
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        });
        let mut packs: Vec<(ast::Symbol, Rc<[Entity]>)> = Vec::new();
        for symbol in symbols {
            if let Some(Entity::Pack(pack)) = self.lookup(Key::Name(symbol), self.scope)?.first() {
                packs.push((symbol, self.packs[pack.index()].clone()));
            }
        }
        let Some((_, first)) = packs.first() else {
            return Err(fault(span, "there is no parameter pack before `...`"));
        };
        let count = first.len();
        if packs.iter().any(|(_, pack)| pack.len() != count) {
            return Err(fault(span, "the parameter packs before `...` have different lengths"));
        }
        let mut results = Vec::new();
        for at in 0..count {
            let outer = self.scope;
            self.scope = self.add_scope(ScopeKind::Block, outer);
            for (symbol, pack) in &packs {
                self.declare(self.scope, Key::Name(*symbol), pack[at]);
            }
            let result = each(self);
            self.scope = outer;
            results.push(result?);
        }
        Ok(results)
    }
}
