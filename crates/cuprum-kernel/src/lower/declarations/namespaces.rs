//! Declarations of namespaces: what each name stands for. Bodies are lowered when they are used.

use std::rc::Rc;

use crate::ast::{self, Declaration};
use crate::check::constant::Constant;
use crate::check::types::{Enum, TypeId};
use crate::{Span, ir};

use crate::lower::names::resolve::Qualifier;
use crate::lower::names::scope::{
    Entity, Key, Pending, Place, ScopeId, ScopeKind, Template, TemplateId, TemplateKind, VarId, Variable,
};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    /// Declares everything in a list. A declaration that fails is reported, and the next ones go on.
    pub fn declare_all(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            self.order += 1;
            if let Err(cause) = self.declaration(declaration) {
                self.report(cause);
                if let Declaration::Variables(variables) = declaration {
                    for variable in &variables.variables {
                        if let Some(symbol) = variable.name.as_ref().and_then(ast::Name::as_plain) {
                            let (scope, key) = (self.scope, Key::Name(symbol));
                            if !self.scopes[scope.index()].names.contains_key(&key) {
                                self.declare(scope, key, Entity::Poison);
                            }
                        }
                    }
                }
            }
            if self.has_too_many_errors() {
                return;
            }
        }
    }

    /// One declaration in the current scope.
    pub fn declaration(&mut self, declaration: &Declaration) -> Result<()> {
        match declaration {
            Declaration::Function(function) => self.declare_function(function.clone()),
            Declaration::Variables(variables) => self.declare_variables(variables),
            Declaration::Record(record) => self.declare_record(record.clone()).map(|_| ()),
            Declaration::Enum(definition) => self.declare_enum(definition),
            Declaration::Alias(alias) => self.declare_alias(alias.clone()),
            Declaration::Namespace(namespace) => self.declare_namespace(namespace),
            Declaration::NamespaceAlias { name, target, .. } => {
                let entity = self.namespace_of(target)?;
                self.declare(self.scope, Key::Name(*name), Entity::Namespace(entity));
                Ok(())
            }
            Declaration::UsingDirective { name, .. } => {
                let used = self.namespace_of(name)?;
                let scope = self.scope;
                if used != scope {
                    self.scopes[scope.index()].using.push(used);
                }
                Ok(())
            }
            Declaration::UsingDeclaration { name, span } => self.using_declaration(name, *span),
            Declaration::StaticAssert { condition, message, span } => {
                self.static_assert(condition, message.as_deref(), *span)
            }
            Declaration::Instantiation { declaration, .. } => self.explicit_instantiation(declaration),
            Declaration::Binding(binding) => {
                Err(fault(binding.span, "structured bindings stand in functions only"))
            }
        }
    }

    pub fn declare_namespace(&mut self, namespace: &ast::Namespace) -> Result<()> {
        let outer = self.scope;
        let known = namespace.name.and_then(|name| {
            self.scopes[outer.index()].names.get(&Key::Name(name))?.iter().find_map(|entity| match entity {
                Entity::Namespace(scope) => Some(*scope),
                _ => None,
            })
        });
        let scope = match known {
            Some(scope) => scope,
            None => {
                let scope = self.add_scope(ScopeKind::Namespace, outer);
                self.scopes[scope.index()].name = namespace.name;
                if let Some(name) = namespace.name {
                    self.declare(outer, Key::Name(name), Entity::Namespace(scope));
                }
                if namespace.name.is_none() || namespace.inline {
                    self.scopes[outer.index()].using.push(scope);
                }
                scope
            }
        };
        self.in_scope(scope, |this| this.declare_all(&namespace.declarations));
        Ok(())
    }

    pub fn namespace_of(&mut self, name: &ast::Name) -> Result<ScopeId> {
        for entity in self.entities(name)? {
            if let Entity::Namespace(scope) = entity {
                return Ok(scope);
            }
        }
        // `using namespace std;` where no header has made it.
        let text = name.symbol().map_or("", |symbol| self.symbols.text(symbol));
        if name.qualifier.is_empty() && matches!(text, "std" | "cuda" | "thrust") {
            let scope = self.add_scope(ScopeKind::Namespace, ScopeId(0));
            self.scopes[scope.index()].name = name.symbol();
            if let Some(symbol) = name.symbol() {
                self.declare(ScopeId(0), Key::Name(symbol), Entity::Namespace(scope));
            }
            return Ok(scope);
        }
        let instead = crate::builtins::instead_of(text).map_or(String::new(), |text| format!(": {text}"));
        Err(fault(name.span, format!("there is no namespace `{text}`{instead}")))
    }

    pub fn using_declaration(&mut self, name: &ast::Name, span: Span) -> Result<()> {
        let found = self.entities(name)?;
        let Some(key) = self.key(&name.last.id) else { return Err(fault(span, "a name is expected")) };
        if found.is_empty() {
            let text = name.symbol().map_or("", |symbol| self.symbols.text(symbol));
            if let (Some(_), Some(symbol)) = (crate::builtins::find(text), name.symbol()) {
                let scope = self.scope;
                self.scopes[scope.index()].of_language.push(symbol);
                return Ok(());
            }
            return Err(fault(span, format!("there is no `{text}` there")));
        }
        let scope = self.scope;
        for entity in found {
            let known = self.scopes[scope.index()].names.entry(key).or_default();
            if !known.contains(&entity) {
                known.push(entity);
            }
        }
        Ok(())
    }

    pub fn static_assert(&mut self, condition: &ast::Expr, message: Option<&str>, span: Span) -> Result<()> {
        let value = self.constant_bool(condition)?;
        if value {
            return Ok(());
        }
        Err(fault(
            span,
            match message {
                Some(message) => format!("static_assert failed: {message}"),
                None => "static_assert failed".to_owned(),
            },
        ))
    }

    pub fn declare_alias(&mut self, alias: Rc<ast::Alias>) -> Result<()> {
        let scope = self.scope;
        if self.own_header(&alias.templates).is_some() {
            let key = Key::Name(alias.name);
            let order = self.order;
            let template = self.add_template(alias.name, scope, TemplateKind::Alias(alias), order);
            self.declare(scope, key, Entity::Template(template));
            return Ok(());
        }
        let ty = self.resolve_type(&alias.ty)?;
        let names = self.scopes[scope.index()].names.entry(Key::Name(alias.name)).or_default();
        if !names.contains(&Entity::Type(ty)) {
            names.push(Entity::Type(ty));
        }
        Ok(())
    }

    pub fn add_template(
        &mut self,
        name: ast::Symbol,
        scope: ScopeId,
        kind: TemplateKind,
        order: u32,
    ) -> TemplateId {
        self.templates.push(Template { name, scope, kind, order });
        TemplateId(self.templates.len() as u32 - 1)
    }

    pub fn declare_enum(&mut self, definition: &ast::Enum) -> Result<()> {
        let scope = self.scope;
        let Some(symbol) = definition.name.symbol() else {
            return Err(fault(definition.span, "an enum's name is expected"));
        };
        let known = self.scopes[scope.index()].names.get(&Key::Name(symbol)).and_then(|entities| {
            entities.iter().find_map(|entity| match entity {
                Entity::Type(ty) if self.types.as_enum(*ty).is_some() => Some(*ty),
                _ => None,
            })
        });
        let fixed = match &definition.underlying {
            Some(ty) => Some(self.resolve_type(ty)?.bare()),
            None => definition.scoped.then_some(TypeId::INT),
        };
        if fixed.is_some_and(|ty| !ty.is_integer()) {
            return Err(fault(definition.span, "the type of an enum must be an integer"));
        }
        let ty = match known {
            Some(ty) => ty,
            None => {
                let name = self.qualified_name(scope, self.text(symbol));
                let ty = self.types.add_enum(Enum {
                    name,
                    underlying: fixed.unwrap_or(TypeId::UINT),
                    is_scoped: definition.scoped,
                    is_fixed: fixed.is_some(),
                });
                let inner = self.add_scope(ScopeKind::Namespace, scope);
                self.enum_scopes.push(inner);
                self.declare(scope, Key::Name(symbol), Entity::Type(ty));
                ty
            }
        };
        let crate::check::types::TypeClass::Enum(id) = *self.types.kind(ty) else { return Ok(()) };
        let inner = self.enum_scopes[id.0 as usize];
        let mut next = Constant::int(0);
        let mut values = Vec::new();
        for enumerator in definition.enumerators.iter().flatten() {
            let value = match &enumerator.value {
                Some(expr) => {
                    let value = self.in_scope(inner, |this| this.constant(expr))?;
                    let value = Constant { ty: self.types.underlying(value.ty), bits: value.bits };
                    match fixed {
                        Some(ty) => self.convert_constant(value, ty, enumerator.span)?,
                        None => value,
                    }
                }
                None => match fixed {
                    Some(ty) => self.convert_constant(next, ty, enumerator.span)?,
                    None => next,
                },
            };
            values.push((enumerator.name, value));
            self.declare(inner, Key::Name(enumerator.name), Entity::Constant(value));
            next = self.next_enumerator(value);
        }
        // Without a fixed type: int where all values fit, then unsigned, then long.
        let underlying = fixed.unwrap_or_else(|| {
            let signed = |c: &Constant| {
                let ty = self.types.ir(c.ty).unwrap_or(ir::Type::I32);
                if c.ty.is_signed() {
                    i128::from(crate::passes::fold::signed(ty, c.bits))
                } else {
                    i128::from(c.bits)
                }
            };
            let low = values.iter().map(|(_, c)| signed(c)).min().unwrap_or(0);
            let high = values.iter().map(|(_, c)| signed(c)).max().unwrap_or(0);
            if low < 0 {
                if low >= i128::from(i32::MIN) && high <= i128::from(i32::MAX) {
                    TypeId::INT
                } else {
                    TypeId::LONG
                }
            } else if high <= i128::from(u32::MAX) {
                TypeId::UINT
            } else {
                TypeId::ULONG
            }
        });
        self.types.enums[id.0 as usize].underlying = underlying;
        for (name, value) in values {
            let converted = self.convert_constant(value, underlying, definition.span)?;
            let entity = Entity::Constant(Constant { ty, bits: converted.bits });
            self.scopes[inner.index()].names.insert(Key::Name(name), vec![entity]);
            if !definition.scoped {
                self.declare(scope, Key::Name(name), entity);
            }
        }
        Ok(())
    }

    pub fn next_enumerator(&self, value: Constant) -> Constant {
        let ty = self.types.ir(value.ty).unwrap_or(ir::Type::I32);
        let mask = crate::passes::fold::mask(ty);
        // Past the largest value of its type it goes on in a larger one.
        let top = if value.ty.is_signed() { mask >> 1 } else { mask };
        if value.bits == top && ty.bytes() < 8 {
            return Constant { ty: TypeId::LONG, bits: top + 1 };
        }
        Constant { ty: value.ty, bits: value.bits.wrapping_add(1) & mask }
    }

    pub fn add_variable(&mut self, variable: Variable) -> VarId {
        self.variables.push(variable);
        VarId(self.variables.len() as u32 - 1)
    }

    /// Variables of a namespace, or static fields that are defined outside.
    pub fn declare_variables(&mut self, variables: &ast::Variables) -> Result<()> {
        if !variables.templates.is_empty() {
            return self.declare_variable_template(variables);
        }
        for variable in &variables.variables {
            let Some(name) = &variable.name else { continue };
            if name.is_qualified() {
                self.define_static(variables, variable, name)?;
                continue;
            }
            let Some(symbol) = name.as_plain() else {
                return Err(fault(variable.span, "a variable's name is expected"));
            };
            let scope = self.scope;
            let known = self.scopes[scope.index()].names.get(&Key::Name(symbol)).and_then(|entities| {
                entities.iter().find_map(|entity| match entity {
                    Entity::Variable(id) => Some(*id),
                    _ => None,
                })
            });
            let mut specifiers = variables.specifiers.clone();
            // A texture or surface reference is a variable of the device that the host binds one to.
            specifiers.device |= self.is_bound_reference(&variable.ty);
            let is_exported = specifiers.device || specifiers.constant || specifiers.managed;
            let pending = Pending { specifiers, variable: variable.clone(), scope, order: self.order };
            match known {
                // `extern __constant__ float x[4];` before the definition.
                Some(id) if !variables.specifiers.is_extern => {
                    if let Place::Pending(before) = &self.variables[id.index()].place {
                        if !before.specifiers.is_extern {
                            return Err(fault(
                                variable.span,
                                format!("`{}` is defined twice", self.text(symbol)),
                            ));
                        }
                        self.variables[id.index()].place = Place::Pending(Rc::new(pending));
                    }
                }
                Some(_) => {}
                None => {
                    let name = self.qualified_name(scope, self.text(symbol));
                    let order = self.order;
                    let id = self.add_variable(Variable {
                        name,
                        ty: TypeId::VOID,
                        place: Place::Pending(Rc::new(pending)),
                        order,
                        span: variable.span,
                    });
                    self.declare(scope, Key::Name(symbol), Entity::Variable(id));
                    if is_exported {
                        self.exported.push(id);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_bound_reference(&self, ty: &ast::Type) -> bool {
        match &ty.kind {
            ast::TypeKind::Named(name) => {
                let is_one = |symbol| matches!(self.text(symbol), "texture" | "surface");
                name.qualifier.is_empty()
                    && name.symbol().is_some_and(is_one)
                    && name.last.arguments.is_some()
            }
            _ => false,
        }
    }

    pub fn define_static(
        &mut self,
        variables: &ast::Variables,
        variable: &ast::Variable,
        name: &ast::Name,
    ) -> Result<()> {
        let Some(Qualifier::Struct(id)) = self.qualifier(name)? else {
            return Err(fault(variable.span, "a static field of a struct is expected"));
        };
        let Some(key) = self.key(&name.last.id) else { return Ok(()) };
        for entity in self.lookup_member(key, id)? {
            let Entity::Variable(var) = entity else { continue };
            if let Place::Pending(before) = &self.variables[var.index()].place {
                let mut specifiers = before.specifiers.clone();
                specifiers.constant |= variables.specifiers.constant;
                specifiers.device |= variables.specifiers.device;
                let mut variable = variable.clone();
                if matches!(variable.init, ast::Initialiser::None) {
                    variable.init = before.variable.init.clone();
                }
                let scope = self.records[id.0 as usize].scope;
                let pending = Pending { specifiers, variable, scope, order: self.order };
                self.variables[var.index()].place = Place::Pending(Rc::new(pending));
            }
            return Ok(());
        }
        Err(fault(variable.span, "the struct has no such static field"))
    }

    pub fn declare_variable_template(&mut self, variables: &ast::Variables) -> Result<()> {
        let Some(variable) = variables.variables.first() else { return Ok(()) };
        let Some(name) = &variable.name else { return Ok(()) };
        let Some(symbol) = name.symbol() else {
            return Err(fault(variable.span, "a variable's name is expected"));
        };
        let scope = self.scope;
        if name.is_qualified() {
            // A static field of a class template.
            let Some(last) = name.qualifier.last() else { return Ok(()) };
            let ast::Identifier::Name(owner) = last.id else { return Ok(()) };
            for entity in self.lookup(Key::Name(owner), scope)? {
                if let Entity::Template(id) = entity
                    && let TemplateKind::Record { statics, .. } = &mut self.templates[id.index()].kind
                {
                    statics.push(Rc::new(variables.clone()));
                    return Ok(());
                }
            }
            return Err(fault(variable.span, "there is no class template of that name"));
        }
        let ast = Rc::new(variables.clone());
        let known = self.scopes[scope.index()].names.get(&Key::Name(symbol)).and_then(|entities| {
            entities.iter().find_map(|entity| match entity {
                Entity::Template(id) => Some(*id),
                _ => None,
            })
        });
        match (known, name.last.arguments.is_some()) {
            (Some(id), true) => {
                if let TemplateKind::Variable { special, .. } = &mut self.templates[id.index()].kind {
                    special.push(ast);
                }
            }
            (Some(id), false) => {
                if let TemplateKind::Variable { primary, .. } = &mut self.templates[id.index()].kind {
                    *primary = ast;
                }
            }
            (None, false) => {
                let kind = TemplateKind::Variable {
                    primary: ast,
                    special: Vec::new(),
                    instances: std::collections::HashMap::new(),
                };
                let order = self.order;
                let id = self.add_template(symbol, scope, kind, order);
                self.declare(scope, Key::Name(symbol), Entity::Template(id));
            }
            (None, true) => return Err(fault(variable.span, "there is no template that this specialises")),
        }
        Ok(())
    }
}
