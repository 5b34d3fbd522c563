//! Declarations of functions: joined with earlier ones, specialised, defined outside their struct.

use std::rc::Rc;

use crate::ast::{self, Declaration, FunctionBody, TypeKind};
use crate::check::types::StructId;

use crate::lower::names::resolve::Qualifier;
use crate::lower::names::scope::{Entity, FuncId, Function, Key, ScopeId, TemplateArg, TemplateKind};
use crate::lower::templates::deduce::{self, Deduction};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn explicit_instantiation(&mut self, declaration: &Declaration) -> Result<()> {
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
    pub fn deduce_declaration(
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

    /// A function of a namespace, or a member that is defined outside.
    pub fn declare_function(&mut self, ast: Rc<ast::Function>) -> Result<()> {
        if ast.name.is_qualified() {
            return self.define_outside(ast);
        }
        let scope = self.scope;
        if let Some(header) = ast.templates.last()
            && header.parameters.is_empty()
        {
            return self.specialise_function(ast, scope);
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
        if ast.specifiers.global && member_of.is_some() && !ast.specifiers.is_static {
            return Err(fault(ast.span, "a kernel cannot be a member function"));
        }
        if !hidden
            && member_of.is_none()
            && let Some(known) = self.same_function(&ast, key, scope, header.is_some())?
        {
            return self.join_function(known, ast);
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
            is_virtual: ast.specifiers.is_virtual && member_of.is_some(),
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
        if !ast.parameters.iter().any(|parameter| crate::lower::names::mentions::has_auto(&parameter.ty)) {
            return ast;
        }
        let mut function = (*ast).clone();
        let mut header = match function.templates.pop() {
            Some(header) => header,
            None => ast::TemplateHeader { parameters: Vec::new(), span: function.span },
        };
        for parameter in &mut function.parameters {
            if !crate::lower::names::mentions::has_auto(&parameter.ty) {
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
    pub fn same_function(
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
                crate::lower::templates::redeclaration::same_templates(&other, ast)
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

    pub fn same_parameters(
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
            let cluster_dims = function.ast.specifiers.cluster_dims.clone();
            let extern_c = function.ast.specifiers.extern_c;
            if (was_kernel && !ast.specifiers.global)
                || (ast.specifiers.launch_bounds.is_empty() && !launch_bounds.is_empty())
                || (ast.specifiers.cluster_dims.is_empty() && !cluster_dims.is_empty())
                || (extern_c && !ast.specifiers.extern_c)
            {
                let mut joined = (*ast).clone();
                joined.specifiers.global |= was_kernel;
                joined.specifiers.extern_c |= extern_c;
                if joined.specifiers.launch_bounds.is_empty() {
                    joined.specifiers.launch_bounds = launch_bounds;
                }
                if joined.specifiers.cluster_dims.is_empty() {
                    joined.specifiers.cluster_dims = cluster_dims;
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
    pub fn specialise_function(&mut self, ast: Rc<ast::Function>, scope: ScopeId) -> Result<()> {
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
    pub fn define_outside(&mut self, ast: Rc<ast::Function>) -> Result<()> {
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
                    crate::lower::templates::redeclaration::same_templates(&other, ast)
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
