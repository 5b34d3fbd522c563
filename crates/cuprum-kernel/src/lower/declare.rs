//! Declarations of namespaces: what each name stands for. Bodies are lowered when they are used.

use std::rc::Rc;

use crate::ast::{self, Declaration, FunctionBody, TypeKind};
use crate::check::constant::Constant;
use crate::check::types::{Enum, StructId, TypeId};
use crate::{Span, ir};

use super::deduce::{self, Deduction};
use super::resolve::Qualifier;
use super::scope::{
    Entity, FuncId, Function, Key, Pending, Place, ScopeId, ScopeKind, Template, TemplateArg, TemplateId,
    TemplateKind, VarId, Variable,
};
use super::{Lowering, Result, fault};

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

    fn declare_namespace(&mut self, namespace: &ast::Namespace) -> Result<()> {
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

    fn namespace_of(&mut self, name: &ast::Name) -> Result<ScopeId> {
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
        Err(fault(name.span, format!("there is no namespace `{text}`")))
    }

    fn using_declaration(&mut self, name: &ast::Name, span: Span) -> Result<()> {
        let found = self.entities(name)?;
        let Some(key) = self.key(&name.last.id) else { return Err(fault(span, "a name is expected")) };
        if found.is_empty() {
            let text = name.symbol().map_or("", |symbol| self.symbols.text(symbol));
            if crate::builtins::find(text).is_some() {
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

    fn explicit_instantiation(&mut self, declaration: &Declaration) -> Result<()> {
        let Declaration::Function(function) = declaration else { return Ok(()) };
        let found = self.entities(&function.name)?;
        let explicit = match &function.name.last.arguments {
            Some(arguments) => self.template_arguments(arguments)?,
            None => Vec::new(),
        };
        for entity in found {
            let Entity::Function(id) = entity else { continue };
            if self.functions[id.index()].header.is_none() {
                continue;
            }
            if let Some(arguments) = self.deduce_declaration(id, &explicit, function)? {
                let instance = self.instance(id, &arguments, function.span)?;
                if function.specifiers.global || self.functions[id.index()].ast.specifiers.global {
                    self.kernels.push(instance);
                }
                return Ok(());
            }
        }
        Err(fault(function.span, "there is no template that this is an instantiation of"))
    }

    /// A template's arguments so that its parameters are those of a declaration.
    fn deduce_declaration(
        &mut self,
        template: FuncId,
        explicit: &[TemplateArg],
        function: &ast::Function,
    ) -> Result<Option<Vec<TemplateArg>>> {
        let Some(header) = self.functions[template.index()].header.clone() else { return Ok(None) };
        let ast = self.functions[template.index()].ast.clone();
        if ast.parameters.len() != function.parameters.len() && !ast.parameters.iter().any(|p| p.pack) {
            return Ok(None);
        }
        let scope = self.functions[template.index()].scope;
        let mut d = Deduction::new(header.clone(), scope);
        for (at, argument) in explicit.iter().enumerate() {
            if at >= header.parameters.len() || header.parameters[at].pack {
                break;
            }
            d.found[at] = Some(argument.clone());
        }
        for (pattern, parameter) in ast.parameters.iter().zip(&function.parameters) {
            let ty = self.resolve_type(&parameter.ty)?;
            if !self.deduce(&pattern.ty, ty, &mut d)? {
                return Ok(None);
            }
        }
        let Some(found) = deduce::finish(&d) else { return Ok(None) };
        let Ok((bound, full)) = self.bind(&header, &found, scope, function.span) else { return Ok(None) };
        // What the template takes with these arguments must be what the declaration takes.
        for (pattern, parameter) in ast.parameters.iter().zip(&function.parameters) {
            let own = self.in_scope(bound, |this| this.parameter_type(&pattern.ty));
            let given = self.parameter_type(&parameter.ty)?;
            if own.map_or(true, |own| own.bare() != given.bare()) {
                return Ok(None);
            }
        }
        Ok(Some(full.to_vec()))
    }

    fn declare_alias(&mut self, alias: Rc<ast::Alias>) -> Result<()> {
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
        let crate::check::types::Kind::Enum(id) = *self.types.kind(ty) else { return Ok(()) };
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
                    i128::from(crate::check::constant::signed(ty, c.bits))
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

    fn next_enumerator(&self, value: Constant) -> Constant {
        let ty = self.types.ir(value.ty).unwrap_or(ir::Type::I32);
        let mask = crate::check::constant::mask(ty);
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
    fn declare_variables(&mut self, variables: &ast::Variables) -> Result<()> {
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
            let pending = Pending {
                specifiers: variables.specifiers.clone(),
                variable: variable.clone(),
                scope,
                order: self.order,
                is_member: false,
            };
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
                    let specifiers = &variables.specifiers;
                    if specifiers.device || specifiers.constant || specifiers.managed {
                        self.exported.push(id);
                    }
                }
            }
        }
        Ok(())
    }

    fn define_static(
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
                let pending = Pending { specifiers, variable, scope, order: self.order, is_member: true };
                self.variables[var.index()].place = Place::Pending(Rc::new(pending));
            }
            return Ok(());
        }
        Err(fault(variable.span, "the struct has no such static field"))
    }

    fn declare_variable_template(&mut self, variables: &ast::Variables) -> Result<()> {
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
                if let Entity::Template(id) = entity {
                    if let TemplateKind::Record { statics, .. } = &mut self.templates[id.index()].kind {
                        statics.push(Rc::new(variables.clone()));
                        return Ok(());
                    }
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

    /// A function of a namespace, or a member that is defined outside.
    fn declare_function(&mut self, ast: Rc<ast::Function>) -> Result<()> {
        if ast.name.is_qualified() {
            return self.define_outside(ast);
        }
        let scope = self.scope;
        if let Some(header) = ast.templates.last() {
            if header.parameters.is_empty() {
                return self.specialise_function(ast, scope);
            }
        }
        self.add_function(ast, scope, scope, None, false)?;
        Ok(())
    }

    /// Adds a function to a scope, or joins it with an earlier declaration. `lookup` is where its own names are found.
    pub fn add_function(
        &mut self,
        ast: Rc<ast::Function>,
        scope: ScopeId,
        lookup: ScopeId,
        member_of: Option<StructId>,
        hidden: bool,
    ) -> Result<FuncId> {
        let Some(mut key) = self.key(&ast.name.last.id) else {
            return Err(fault(ast.span, "a name is expected"));
        };
        if ast.constructor {
            key = Key::Constructor;
        }
        let ast = self.with_auto_parameters(ast);
        let header = self.own_header(&ast.templates);
        if ast.specifiers.is_virtual {
            return Err(fault(
                ast.span,
                "virtual functions are not supported on the CPU; use a template parameter, or `switch` over a kind",
            ));
        }
        if ast.specifiers.global && member_of.is_some() && !ast.specifiers.is_static {
            return Err(fault(ast.span, "a kernel cannot be a member function"));
        }
        if !hidden && member_of.is_none() {
            if let Some(known) = self.same_function(&ast, key, scope, header.is_some())? {
                return self.join_function(known, ast);
            }
        }
        let order = if self.record_order != 0 { self.record_order } else { self.order };
        let mut defaults = Vec::new();
        for parameter in &ast.parameters {
            defaults.push(parameter.default.is_some().then(|| (ast.clone(), lookup)));
        }
        let is_static = ast.specifiers.is_static || matches!(key, Key::Operator(ast::OperatorName::Memory));
        self.functions.push(Function {
            key,
            scope: lookup,
            header,
            member_of,
            is_static: is_static && member_of.is_some(),
            defaults,
            special: Vec::new(),
            order,
            declared: if member_of.is_some() { 0 } else { order },
            signature: None,
            is_lambda: false,
            ast: ast.clone(),
        });
        let id = FuncId(self.functions.len() as u32 - 1);
        if !hidden {
            self.declare(scope, key, Entity::Function(id));
        }
        if ast.specifiers.global && self.functions[id.index()].header.is_none() && !hidden {
            self.kernel_functions.push(id);
        }
        Ok(id)
    }

    /// `auto` parameters are template parameters without a name.
    pub fn with_auto_parameters(&mut self, ast: Rc<ast::Function>) -> Rc<ast::Function> {
        if !ast.parameters.iter().any(|parameter| super::mentions::has_auto(&parameter.ty)) {
            return ast;
        }
        let mut function = (*ast).clone();
        let mut header = match function.templates.pop() {
            Some(header) => header,
            None => ast::TemplateHeader { parameters: Vec::new(), span: function.span },
        };
        for parameter in &mut function.parameters {
            if !super::mentions::has_auto(&parameter.ty) {
                continue;
            }
            self.unnamed += 1;
            let name = self.symbols.intern(&format!("auto:{}", self.unnamed));
            replace_auto(&mut parameter.ty, name);
            header.parameters.push(ast::TemplateParameter {
                name: Some(name),
                kind: ast::TemplateParameterKind::Type { default: None },
                pack: parameter.pack,
                span: parameter.span,
            });
        }
        function.templates.push(header);
        Rc::new(function)
    }

    /// An earlier declaration of the same function.
    fn same_function(
        &mut self,
        ast: &ast::Function,
        key: Key,
        scope: ScopeId,
        is_template: bool,
    ) -> Result<Option<FuncId>> {
        let Some(entities) = self.scopes[scope.index()].names.get(&key) else { return Ok(None) };
        let candidates: Vec<FuncId> = entities
            .iter()
            .filter_map(|entity| match entity {
                Entity::Function(id) => Some(*id),
                _ => None,
            })
            .collect();
        let has_body = !matches!(ast.body, FunctionBody::None);
        for id in candidates {
            let other = &self.functions[id.index()];
            let other_body = !matches!(other.ast.body, FunctionBody::None);
            if other.ast.parameters.len() != ast.parameters.len()
                || other.header.is_some() != is_template
                || other.ast.specifiers.friend
            {
                continue;
            }
            if has_body && other_body && is_template {
                continue;
            }
            let other = other.ast.clone();
            let same = if is_template {
                super::spell::same_templates(&other, ast)
            } else {
                let first = self.functions[id.index()].scope;
                self.same_parameters(&other, first, ast, scope)?
            };
            if same {
                if has_body && other_body {
                    return Err(fault(
                        ast.span,
                        format!("`{}` is defined twice with the same parameters", self.function_name(id)),
                    ));
                }
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    fn same_parameters(
        &mut self,
        a: &ast::Function,
        in_a: ScopeId,
        b: &ast::Function,
        in_b: ScopeId,
    ) -> Result<bool> {
        for (x, y) in a.parameters.iter().zip(&b.parameters) {
            let x = self.in_scope(in_a, |this| this.parameter_type(&x.ty))?;
            let y = self.in_scope(in_b, |this| this.parameter_type(&y.ty))?;
            if x.bare() != y.bare() {
                return Ok(false);
            }
        }
        Ok(a.constant == b.constant)
    }

    /// Adds a declaration or the definition to a function that is known.
    pub fn join_function(&mut self, id: FuncId, ast: Rc<ast::Function>) -> Result<FuncId> {
        let scope = self.functions[id.index()].scope;
        let order = self.order;
        let function = &mut self.functions[id.index()];
        for (at, parameter) in ast.parameters.iter().enumerate() {
            if parameter.default.is_some() && at < function.defaults.len() && function.defaults[at].is_none()
            {
                function.defaults[at] = Some((ast.clone(), scope));
            }
        }
        if !matches!(ast.body, FunctionBody::None) {
            let was_kernel = function.ast.specifiers.global;
            let launch_bounds = function.ast.specifiers.launch_bounds.clone();
            let extern_c = function.ast.specifiers.extern_c;
            if (was_kernel && !ast.specifiers.global)
                || (ast.specifiers.launch_bounds.is_empty() && !launch_bounds.is_empty())
                || (extern_c && !ast.specifiers.extern_c)
            {
                let mut joined = (*ast).clone();
                joined.specifiers.global |= was_kernel;
                joined.specifiers.extern_c |= extern_c;
                if joined.specifiers.launch_bounds.is_empty() {
                    joined.specifiers.launch_bounds = launch_bounds;
                }
                function.ast = Rc::new(joined);
            } else {
                function.ast = ast.clone();
            }
            if function.header.is_some() {
                function.header =
                    ast.templates.last().map(|header| Rc::new(header.clone())).or(function.header.take());
            }
            function.order = order;
            function.signature = None;
        }
        Ok(id)
    }

    /// `template <> void f<int>(int) { }`
    fn specialise_function(&mut self, ast: Rc<ast::Function>, scope: ScopeId) -> Result<()> {
        let Some(key) = self.key(&ast.name.last.id) else {
            return Err(fault(ast.span, "a name is expected"));
        };
        let explicit = match &ast.name.last.arguments {
            Some(arguments) => self.template_arguments(arguments)?,
            None => Vec::new(),
        };
        let found = self.lookup_in(key, scope)?;
        for entity in found {
            let Entity::Function(id) = entity else { continue };
            let Some(arguments) = self.deduce_declaration(id, &explicit, &ast)? else { continue };
            let arguments: Rc<[TemplateArg]> = arguments.into();
            let lookup = self.functions[id.index()].scope;
            let known =
                self.functions[id.index()].special.iter().find(|(list, _)| *list == arguments).map(|s| s.1);
            if let Some(known) = known {
                self.join_function(known, ast)?;
                return Ok(());
            }
            let special =
                self.add_function(ast.clone(), scope, lookup, self.functions[id.index()].member_of, true)?;
            self.functions[id.index()].special.push((arguments.clone(), special));
            if ast.specifiers.global || self.functions[id.index()].ast.specifiers.global {
                self.special_kernels.push((id, arguments));
            }
            return Ok(());
        }
        Err(fault(ast.span, "there is no template that this specialises, or its parameters are others"))
    }

    /// `void S::f() { }`, `template <class T> void S<T>::f() { }`, `void ns::f() { }`
    fn define_outside(&mut self, ast: Rc<ast::Function>) -> Result<()> {
        // A member of a class template keeps its tree until the class is instantiated.
        if let (Some(last), false) = (ast.name.qualifier.last(), ast.templates.is_empty()) {
            let is_pattern = last.arguments.is_some() && !ast.templates[0].parameters.is_empty();
            if let (ast::Identifier::Name(owner), true) = (&last.id, is_pattern) {
                let mut prefix = ast.name.clone();
                prefix.last = prefix.qualifier.pop().expect("there is a qualifier");
                let _ = owner;
                for entity in self.entities(&prefix)? {
                    let Entity::Template(id) = entity else { continue };
                    if let TemplateKind::Record { outside, instances, .. } =
                        &mut self.templates[id.index()].kind
                    {
                        outside.push(ast.clone());
                        let made: Vec<StructId> = instances.values().copied().collect();
                        for record in made {
                            self.attach_outside(record, &ast)?;
                        }
                        return Ok(());
                    }
                }
                return Err(fault(ast.span, "there is no class template of that name"));
            }
        }
        match self.qualifier(&ast.name)? {
            Some(Qualifier::Scope(scope)) => {
                self.add_function(ast, scope, scope, None, false)?;
                Ok(())
            }
            Some(Qualifier::Struct(id)) => {
                let scope = self.records[id.0 as usize].scope;
                let key = if ast.constructor { Some(Key::Constructor) } else { self.key(&ast.name.last.id) };
                let Some(key) = key else { return Err(fault(ast.span, "a name is expected")) };
                let function = self.matching_member(id, key, &ast, scope)?;
                self.join_function(function, ast)?;
                Ok(())
            }
            None => Err(fault(ast.span, "a name is expected")),
        }
    }

    /// The member that a definition outside belongs to.
    pub fn matching_member(
        &mut self,
        id: StructId,
        key: Key,
        ast: &ast::Function,
        scope: ScopeId,
    ) -> Result<FuncId> {
        let record_scope = self.records[id.0 as usize].scope;
        let mut candidates: Vec<FuncId> = self.scopes[record_scope.index()]
            .names
            .get(&key)
            .into_iter()
            .flatten()
            .filter_map(|entity| match entity {
                Entity::Function(id) => Some(*id),
                _ => None,
            })
            .collect();
        candidates.retain(|id| {
            let other = &self.functions[id.index()];
            other.ast.parameters.len() == ast.parameters.len() && other.ast.constant == ast.constant
        });
        if candidates.len() > 1 {
            for &candidate in &candidates {
                let other = self.functions[candidate.index()].ast.clone();
                let in_other = self.functions[candidate.index()].scope;
                let is_template = self.functions[candidate.index()].header.is_some();
                let same = if is_template {
                    super::spell::same_templates(&other, ast)
                } else {
                    self.same_parameters(&other, in_other, ast, scope).unwrap_or(false)
                };
                if same {
                    return Ok(candidate);
                }
            }
        }
        match candidates[..] {
            [only] => Ok(only),
            _ => Err(fault(
                ast.span,
                format!("`{}` has no member function with these parameters", self.types.get(id).name),
            )),
        }
    }
}

fn replace_auto(ty: &mut ast::Type, name: ast::Symbol) {
    match &mut ty.kind {
        TypeKind::Auto | TypeKind::DecltypeAuto => {
            ty.kind = TypeKind::Named(Box::new(ast::Name::plain(name, ty.span)));
        }
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } | TypeKind::RvalueReference(to) => {
            replace_auto(to, name);
        }
        TypeKind::Array { element, .. } => replace_auto(element, name),
        TypeKind::Pack(inner) => replace_auto(inner, name),
        _ => {}
    }
}
