//! Structs, classes and unions: their members and their layout, made when they are first needed.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Declaration, FunctionBody, TypeKind};
use crate::check::types::{Base, BitField, Field as Layout, StructId, TypeId};

use super::deduce::{self, Deduction};
use super::scope::{
    Entity, Field, FuncId, Key, Pending, Place, Record, ScopeId, ScopeKind, TemplateArg, TemplateId,
    TemplateKind, Variable,
};
use super::{Lowering, Result, State, fault, mentions};

impl Lowering {
    /// A new struct that is not defined yet.
    pub fn add_record(
        &mut self,
        name: String,
        is_union: bool,
        ast: Option<Rc<ast::Record>>,
        outer: ScopeId,
        span: Span,
    ) -> StructId {
        let id = self.types.add_struct(name, is_union);
        let scope = self.add_scope(ScopeKind::Record(id), outer);
        self.records.push(Record {
            ast,
            scope,
            template: None,
            state: State::Declared,
            constructors: Vec::new(),
            destructor: None,
            conversions: Vec::new(),
            friends: Vec::new(),
            defaults: Vec::new(),
            default_at: Vec::new(),
            has_copy: false,
            has_assignment: false,
            plain_default: true,
            plain_destructor: true,
            is_aggregate: true,
            order: if self.record_order != 0 { self.record_order } else { self.order },
            span,
        });
        id
    }

    /// A struct's declaration or definition, a class template or a specialisation of one.
    pub fn declare_record(&mut self, record: Rc<ast::Record>) -> Result<Option<StructId>> {
        let Some(symbol) = record.name.symbol() else {
            return Err(fault(record.span, "a struct's name is expected"));
        };
        let key = Key::Name(symbol);
        let scope = if record.name.is_qualified() {
            match self.qualifier(&record.name)? {
                Some(super::resolve::Qualifier::Scope(scope)) => scope,
                Some(super::resolve::Qualifier::Struct(id)) => self.records[id.0 as usize].scope,
                None => self.scope,
            }
        } else {
            self.scope
        };
        if !record.templates.is_empty() {
            return self.declare_record_template(record, symbol, scope).map(|()| None);
        }
        let known = self.scopes[scope.index()].names.get(&key).and_then(|entities| {
            entities.iter().find_map(|entity| match entity {
                Entity::Type(ty) => self.types.as_struct(*ty),
                _ => None,
            })
        });
        let id = match known {
            Some(id) => {
                if record.members.is_some() {
                    if self.records[id.0 as usize].ast.as_ref().is_some_and(|ast| ast.members.is_some()) {
                        return Err(fault(record.span, format!("`{}` is defined twice", self.text(symbol))));
                    }
                    self.records[id.0 as usize].ast = Some(record.clone());
                }
                id
            }
            None => {
                let name = self.qualified_name(scope, self.text(symbol));
                let is_union = record.kind == ast::RecordKind::Union;
                let id = self.add_record(name, is_union, Some(record.clone()), scope, record.span);
                let ty = self.types.struct_type(id);
                self.declare(scope, key, Entity::Type(ty));
                id
            }
        };
        if record.members.is_some() {
            self.records[id.0 as usize].order =
                if self.record_order != 0 { self.record_order } else { self.order };
            self.complete_record(id, record.span)?;
        }
        Ok(Some(id))
    }

    fn declare_record_template(
        &mut self,
        record: Rc<ast::Record>,
        symbol: ast::Symbol,
        scope: ScopeId,
    ) -> Result<()> {
        let key = Key::Name(symbol);
        let known = self.scopes[scope.index()].names.get(&key).and_then(|entities| {
            entities.iter().find_map(|entity| match entity {
                Entity::Template(id) => Some(*id),
                _ => None,
            })
        });
        let order = self.order;
        match (known, record.name.last.arguments.is_some()) {
            (Some(id), is_special) => {
                self.templates[id.index()].order = order;
                let outer = self.templates[id.index()].scope;
                let full = record.templates.last().is_some_and(|header| header.parameters.is_empty());
                let arguments = record.name.last.arguments.clone();
                if let TemplateKind::Record { primary, special, .. } = &mut self.templates[id.index()].kind {
                    if is_special {
                        // A declaration before the definition of the same specialisation.
                        special.push(record.clone());
                    } else if record.members.is_some() {
                        let defaults = primary.clone();
                        *primary = with_defaults(&record, &defaults);
                    }
                }
                if full && is_special && record.members.is_some() {
                    // An instance that was only named so far takes the specialisation.
                    let given = self.in_scope(outer, |this| {
                        this.template_arguments(arguments.as_deref().unwrap_or(&[]))
                    })?;
                    let made = self.record_instance(id, &given, record.span)?;
                    if self.records[made.0 as usize].state == State::Done {
                        return Err(fault(record.span, "this specialisation comes after its first use"));
                    }
                }
                Ok(())
            }
            (None, false) => {
                let kind = TemplateKind::Record {
                    primary: record,
                    special: Vec::new(),
                    instances: HashMap::new(),
                    outside: Vec::new(),
                    statics: Vec::new(),
                };
                let id = self.add_template(symbol, scope, kind, order);
                self.declare(scope, key, Entity::Template(id));
                Ok(())
            }
            (None, true) => Err(fault(record.span, "there is no template that this specialises")),
        }
    }

    /// A class template's struct for a list of arguments; it is not completed yet.
    pub fn record_instance(
        &mut self,
        template: TemplateId,
        given: &[TemplateArg],
        span: Span,
    ) -> Result<StructId> {
        let TemplateKind::Record { primary, .. } = &self.templates[template.index()].kind else {
            return Err(fault(span, "this is not a class template"));
        };
        let primary = primary.clone();
        let outer = self.templates[template.index()].scope;
        let Some(header) = self.own_header(&primary.templates) else {
            return Err(fault(span, "this is not a class template"));
        };
        // Most are asked for often, with all arguments given.
        let known: Rc<[TemplateArg]> = given.into();
        if let TemplateKind::Record { instances, .. } = &self.templates[template.index()].kind {
            if let Some(id) = instances.get(&known) {
                return Ok(*id);
            }
        }
        self.enter_instantiation(span)?;
        let bound = self.bind(&header, given, outer, span);
        self.depth -= 1;
        let (_, full) = bound?;
        if let TemplateKind::Record { instances, .. } = &self.templates[template.index()].kind {
            if let Some(id) = instances.get(&full) {
                return Ok(*id);
            }
        }
        if self.records.len() > super::MAX_INSTANCES {
            return Err(fault(span, "the text instantiates too many class templates"));
        }
        let name = self.text(self.templates[template.index()].name).to_owned();
        let name = self.qualified_name(outer, &format!("{name}<{}>", self.arguments_text(&full)));
        let is_union = primary.kind == ast::RecordKind::Union;
        let id = self.add_record(name, is_union, None, outer, span);
        self.records[id.0 as usize].template = Some((template, full.clone()));
        self.records[id.0 as usize].order = self.templates[template.index()].order;
        if let TemplateKind::Record { instances, .. } = &mut self.templates[template.index()].kind {
            instances.insert(full, id);
        }
        Ok(id)
    }

    /// Makes sure that a type's size and members are known.
    pub fn complete(&mut self, ty: TypeId, span: Span) -> Result<()> {
        if let Some((of, _)) = self.types.as_array(ty) {
            return self.complete(of, span);
        }
        match self.types.as_struct(ty) {
            Some(id) => self.complete_record(id, span),
            None => Ok(()),
        }
    }

    /// Completes a struct that can be; one that is only declared is left.
    pub fn complete_if_possible(&mut self, id: StructId) -> Result<()> {
        let record = &self.records[id.0 as usize];
        if record.state != State::Declared {
            return Ok(());
        }
        let span = record.span;
        if record.template.is_some() {
            if self.chosen_definition(id)?.is_none() {
                return Ok(());
            }
        } else if record.ast.as_ref().is_none_or(|ast| ast.members.is_none()) {
            return Ok(());
        }
        self.complete_record(id, span)
    }

    /// Makes a struct's members and layout known.
    pub fn complete_record(&mut self, id: StructId, span: Span) -> Result<()> {
        match self.records[id.0 as usize].state {
            State::Done => return Ok(()),
            State::Failed => return Err(super::Fault(None)),
            State::InProgress => {
                return Err(fault(
                    span,
                    format!(
                        "`{}` is used inside its own definition, where its size is not known",
                        self.types.get(id).name
                    ),
                ));
            }
            State::Declared => {}
        }
        self.enter_instantiation(span)?;
        self.records[id.0 as usize].state = State::InProgress;
        let order = std::mem::replace(&mut self.record_order, self.records[id.0 as usize].order);
        let visible = std::mem::replace(&mut self.visible, u32::MAX);
        let auto = self.auto_type.take();
        let user = std::mem::replace(&mut self.allow_user, true);
        let converting = std::mem::take(&mut self.converting);
        let result = self.define_record(id, span);
        self.allow_user = user;
        self.converting = converting;
        self.auto_type = auto;
        self.visible = visible;
        self.record_order = order;
        self.depth -= 1;
        match result {
            Ok(()) => {
                self.records[id.0 as usize].state = State::Done;
                Ok(())
            }
            Err(cause) => {
                self.records[id.0 as usize].state = State::Failed;
                if self.records[id.0 as usize].template.is_some() && cause.0.is_some() {
                    let name = self.types.get(id).name.clone();
                    self.report(cause);
                    self.note(span, format!("`{name}` is instantiated here"));
                    return Err(super::Fault(None));
                }
                Err(cause)
            }
        }
    }

    /// The definition that an instance of a class template is made of, with the scope that binds its parameters.
    fn chosen_definition(&mut self, id: StructId) -> Result<Option<(Rc<ast::Record>, ScopeId)>> {
        let Some((template, given)) = self.records[id.0 as usize].template.clone() else { return Ok(None) };
        let outer = self.templates[template.index()].scope;
        let TemplateKind::Record { primary, special, .. } = &self.templates[template.index()].kind else {
            return Ok(None);
        };
        let (primary, special) = (primary.clone(), special.clone());
        let span = self.records[id.0 as usize].span;
        let mut fitting: Vec<(Rc<ast::Record>, Rc<ast::TemplateHeader>, Vec<TemplateArg>)> = Vec::new();
        for candidate in special.iter().filter(|candidate| candidate.members.is_some()) {
            let Some(header) = candidate.templates.last().map(|header| Rc::new(header.clone())) else {
                continue;
            };
            let patterns = candidate.name.last.arguments.clone().unwrap_or_default();
            let mut d = Deduction::new(header.clone(), outer);
            if !self.in_scope(outer, |this| this.deduce_arguments(&patterns, &given, &mut d)).unwrap_or(false)
            {
                continue;
            }
            let Some(found) = deduce::finish(&d) else { continue };
            let Ok((scope, found)) = self.bind(&header, &found, outer, span) else { continue };
            // What could not be compared is compared now: `S<T, typename T::x>`.
            let Ok(resolved) = self.in_scope(scope, |this| this.template_arguments(&patterns)) else {
                continue;
            };
            let all = match self.own_header(&primary.templates) {
                Some(own) => self.bind(&own, &resolved, outer, span).map(|bound| bound.1),
                None => continue,
            };
            if all.is_ok_and(|all| all == given) {
                fitting.push((candidate.clone(), header, found.to_vec()));
            }
        }
        let mut best = 0;
        for at in 1..fitting.len() {
            if self.is_more_special(&fitting[at].0, &fitting[best].0, outer)? {
                best = at;
            }
        }
        if let Some((record, header, found)) = fitting.get(best) {
            let (record, header, found) = (record.clone(), header.clone(), found.clone());
            let (scope, _) = self.bind(&header, &found, outer, span)?;
            return Ok(Some((record, scope)));
        }
        // A full specialisation that is only declared is not the primary template.
        if primary.members.is_none() {
            return Ok(None);
        }
        let Some(header) = self.own_header(&primary.templates) else { return Ok(None) };
        let (scope, _) = self.bind(&header, &given, outer, span)?;
        Ok(Some((primary, scope)))
    }

    /// Whether what fits the first specialisation fits the second too, and not the other way around.
    fn is_more_special(&mut self, a: &ast::Record, b: &ast::Record, outer: ScopeId) -> Result<bool> {
        Ok(self.fits(a, b, outer)? && !self.fits(b, a, outer)?)
    }

    fn fits(&mut self, a: &ast::Record, b: &ast::Record, outer: ScopeId) -> Result<bool> {
        let (Some(from), Some(to)) = (a.templates.last(), b.templates.last()) else { return Ok(false) };
        let scope = self.stand_ins(from, outer)?;
        let arguments = a.name.last.arguments.clone().unwrap_or_default();
        let Ok(given) = self.in_scope(scope, |this| this.template_arguments(&arguments)) else {
            return Ok(false);
        };
        let mut d = Deduction::new(Rc::new(to.clone()), outer);
        let patterns = b.name.last.arguments.clone().unwrap_or_default();
        Ok(self.deduce_arguments(&patterns, &given, &mut d).unwrap_or(false))
    }

    fn define_record(&mut self, id: StructId, span: Span) -> Result<()> {
        let name = self.types.get(id).name.clone();
        let record = if self.records[id.0 as usize].template.is_some() {
            let Some((record, bound)) = self.chosen_definition(id)? else {
                return Err(fault(span, format!("`{name}` is declared, but not defined")));
            };
            let scope = self.records[id.0 as usize].scope;
            self.scopes[scope.index()].parent = Some(bound);
            self.types.structs[id.0 as usize].is_union = record.kind == ast::RecordKind::Union;
            self.records[id.0 as usize].ast = Some(record.clone());
            record
        } else {
            match &self.records[id.0 as usize].ast {
                Some(record) if record.members.is_some() => record.clone(),
                _ => return Err(fault(span, format!("`{name}` is declared, but not defined"))),
            }
        };
        let scope = self.records[id.0 as usize].scope;
        // Inside, the name alone is the struct itself; with arguments it is the template.
        if let Some(symbol) = record.name.symbol() {
            let own = self.types.struct_type(id);
            self.declare(scope, Key::Name(symbol), Entity::Type(own));
            if let Some((template, _)) = self.records[id.0 as usize].template {
                self.declare(scope, Key::Name(symbol), Entity::Template(template));
            }
        }
        self.in_scope(scope, |this| this.define_members(id, &record))?;
        let align = self.in_scope(scope, |this| this.alignment(&record.alignment))?;
        self.types.lay_out(id, align, false).map_err(|message| fault(record.span, message))?;
        self.add_fields(id, scope);
        self.judge(id);
        if let Some((template, _)) = self.records[id.0 as usize].template {
            if let TemplateKind::Record { outside, statics, .. } = &self.templates[template.index()].kind {
                let (outside, statics) = (outside.clone(), statics.clone());
                for function in outside {
                    self.attach_outside(id, &function)?;
                }
                for variables in statics {
                    self.attach_static(id, &variables)?;
                }
            }
        }
        Ok(())
    }

    fn define_members(&mut self, id: StructId, record: &ast::Record) -> Result<()> {
        let scope = self.scope;
        for base in &record.bases {
            if base.is_virtual {
                return Err(fault(
                    base.ty.span,
                    "virtual bases are not supported on the CPU; use a plain base",
                ));
            }
            let types = match &base.ty.kind {
                TypeKind::Pack(pattern) => {
                    self.expand(base.ty.span, &mut |seen| mentions::in_type(pattern, seen), |this| {
                        this.resolve_type(pattern)
                    })?
                }
                _ => vec![self.resolve_type(&base.ty)?],
            };
            for ty in types {
                let Some(of) = self.types.as_struct(ty) else {
                    return Err(fault(base.ty.span, format!("`{}` cannot be a base", self.types.name(ty))));
                };
                self.complete_record(of, base.ty.span)?;
                self.types.structs[id.0 as usize].bases.push(Base { ty: of, offset: 0 });
            }
        }
        for member in record.members.iter().flatten() {
            match &member.declaration {
                Declaration::Variables(variables) if variables.templates.is_empty() => {
                    self.define_fields(id, variables, member.access)?;
                }
                Declaration::Function(function) => self.declare_method(id, function.clone())?,
                Declaration::UsingDeclaration { name, span } => {
                    if name.qualifier.last().is_some_and(|part| part.id == name.last.id) {
                        self.inherit_constructors(id, name, *span)?;
                    } else {
                        self.declaration(&member.declaration)?;
                    }
                }
                Declaration::Record(inner) if inner.members.is_none() && inner.templates.is_empty() => {
                    // `friend class X;` and a nested declaration look alike; an unknown name is a new nested one.
                    let known = match inner.name.symbol() {
                        Some(symbol) => !self.lookup(Key::Name(symbol), scope)?.is_empty(),
                        None => true,
                    };
                    if !known {
                        self.declaration(&member.declaration)?;
                    }
                }
                other => self.declaration(other)?,
            }
        }
        Ok(())
    }

    fn inherit_constructors(&mut self, id: StructId, name: &ast::Name, span: Span) -> Result<()> {
        let mut prefix = name.clone();
        let Some(last) = prefix.qualifier.pop() else { return Err(fault(span, "a base is expected")) };
        prefix.last = last;
        let ty = self.named_type(&prefix)?;
        let Some(base) = self.types.as_struct(ty) else { return Err(fault(span, "a base is expected")) };
        let inherited: Vec<FuncId> = self.records[base.0 as usize].constructors.clone();
        self.records[id.0 as usize].constructors.extend(inherited);
        self.records[id.0 as usize].is_aggregate = false;
        Ok(())
    }

    fn define_fields(&mut self, id: StructId, variables: &ast::Variables, access: ast::Access) -> Result<()> {
        let specifiers = &variables.specifiers;
        if specifiers.friend {
            return Ok(());
        }
        let shared = Rc::new(variables.clone());
        for (at, variable) in variables.variables.iter().enumerate() {
            if specifiers.is_static || (specifiers.constexpr && variable.name.is_some()) {
                self.declare_static(variables, variable)?;
                continue;
            }
            let ty = self.resolve_type(&variable.ty)?;
            self.complete(ty, variable.span)?;
            if ty.is_void() || self.types.is_function(ty) {
                return Err(fault(
                    variable.span,
                    format!("a field cannot be of type `{}`", self.types.name(ty)),
                ));
            }
            if self.types.as_array(ty).is_some_and(|(_, length)| length.is_none()) {
                return Err(fault(variable.span, "a field that is an array needs a length"));
            }
            let name = match variable.name.as_ref().and_then(ast::Name::symbol) {
                Some(symbol) => self.text(symbol).to_owned(),
                None => String::new(),
            };
            let bits = match &variable.bits {
                Some(expr) => {
                    let width = self.constant(expr)?;
                    let unit = self.size_of(ty, variable.span)? * 8;
                    if !self.types.underlying(ty).is_integer() {
                        return Err(fault(variable.span, "a bit-field must be an integer"));
                    }
                    if width.bits > unit {
                        return Err(fault(
                            variable.span,
                            format!("a bit-field of this type has at most {unit} bits"),
                        ));
                    }
                    Some(BitField { shift: 0, width: width.bits as u32 })
                }
                None => None,
            };
            let fields = &mut self.types.structs[id.0 as usize].fields;
            if !name.is_empty() && fields.iter().any(|field| field.name == name) {
                return Err(fault(variable.span, format!("there are two fields `{name}`")));
            }
            let align = self.alignment(&specifiers.alignment)?;
            let fields = &mut self.types.structs[id.0 as usize].fields;
            fields.push(Layout { name, ty, offset: 0, bits, is_mutable: specifiers.mutable, align });
            let record = &mut self.records[id.0 as usize];
            let has_default = !matches!(variable.init, ast::Initialiser::None);
            record.defaults.push(has_default.then(|| shared.clone()));
            record.default_at.push(at);
            if access != ast::Access::Public {
                record.is_aggregate = false;
            }
        }
        Ok(())
    }

    fn declare_static(&mut self, variables: &ast::Variables, variable: &ast::Variable) -> Result<()> {
        let scope = self.scope;
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::as_plain) else {
            return Err(fault(variable.span, "a static field needs a name"));
        };
        let mut specifiers = variables.specifiers.clone();
        specifiers.is_static = true;
        let pending =
            Pending { specifiers, variable: variable.clone(), scope, order: self.order, is_member: true };
        let name = self.qualified_name(scope, self.text(symbol));
        let id = self.add_variable(Variable {
            name,
            ty: TypeId::VOID,
            place: Place::Pending(Rc::new(pending)),
            order: 0,
            span: variable.span,
        });
        self.declare(scope, Key::Name(symbol), Entity::Variable(id));
        Ok(())
    }

    fn attach_static(&mut self, id: StructId, variables: &ast::Variables) -> Result<()> {
        let Some(variable) = variables.variables.first() else { return Ok(()) };
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::symbol) else { return Ok(()) };
        for entity in self.lookup_member(Key::Name(symbol), id)? {
            let Entity::Variable(var) = entity else { continue };
            let Place::Pending(before) = self.variables[var.index()].place.clone() else { continue };
            let mut specifiers = before.specifiers.clone();
            specifiers.constant |= variables.specifiers.constant;
            specifiers.device |= variables.specifiers.device;
            let scope = self.outside_scope(id, &variables.templates)?;
            let pending = Pending {
                specifiers,
                variable: variable.clone(),
                scope,
                order: before.order,
                is_member: true,
            };
            self.variables[var.index()].place = Place::Pending(Rc::new(pending));
        }
        Ok(())
    }

    /// The scope of a member of a class template that is defined outside: its header may name the parameters anew.
    fn outside_scope(&mut self, id: StructId, headers: &[ast::TemplateHeader]) -> Result<ScopeId> {
        let record_scope = self.records[id.0 as usize].scope;
        let (Some(header), Some((_, given))) =
            (headers.first(), self.records[id.0 as usize].template.clone())
        else {
            return Ok(record_scope);
        };
        let scope = self.add_scope(ScopeKind::Template, record_scope);
        for (parameter, argument) in header.parameters.iter().zip(given.iter()) {
            if let Some(name) = parameter.name {
                let entity = self.argument_entity(argument);
                self.declare(scope, Key::Name(name), entity);
            }
        }
        Ok(scope)
    }

    /// Gives a member of an instance the definition that stands outside the class template.
    pub fn attach_outside(&mut self, id: StructId, function: &Rc<ast::Function>) -> Result<()> {
        if self.records[id.0 as usize].state == State::Declared {
            return Ok(());
        }
        let key =
            if function.constructor { Some(Key::Constructor) } else { self.key(&function.name.last.id) };
        let Some(key) = key else { return Ok(()) };
        let scope = self.outside_scope(id, &function.templates)?;
        let member = match self.matching_member(id, key, function, scope) {
            Ok(member) => member,
            // It belongs to the primary template, and this is a specialisation.
            Err(_) => return Ok(()),
        };
        // The class template's own header is not the member's.
        let mut ast = (**function).clone();
        ast.templates.remove(0);
        if self.functions[member.index()].header.is_none() {
            ast.templates.clear();
        }
        let order = self.functions[member.index()].order;
        self.join_function(member, Rc::new(ast))?;
        self.functions[member.index()].scope = scope;
        self.functions[member.index()].order = order.max(self.records[id.0 as usize].order);
        Ok(())
    }

    fn declare_method(&mut self, id: StructId, function: Rc<ast::Function>) -> Result<()> {
        let scope = self.scope;
        if function.specifiers.friend {
            if !matches!(function.body, FunctionBody::None) {
                let namespace = self.enclosing_namespace(scope);
                let friend = self.add_function(function, namespace, scope, None, true)?;
                self.functions[friend.index()].declared = 0;
                self.records[id.0 as usize].friends.push(friend);
            }
            return Ok(());
        }
        if matches!(function.body, FunctionBody::Pure) {
            return Err(fault(
                function.span,
                "virtual functions are not supported on the CPU; use a template parameter, or `switch` over a kind",
            ));
        }
        let member = self.add_function(function.clone(), scope, scope, Some(id), false)?;
        let key = self.functions[member.index()].key;
        let is_default = matches!(function.body, FunctionBody::Default);
        let own = self.types.struct_type(id);
        match key {
            Key::Constructor => {
                let is_copy = self.takes_own(&function, own);
                let record = &mut self.records[id.0 as usize];
                let was_aggregate = record.is_aggregate;
                record.is_aggregate = false;
                // What is defaulted is what would be there without it.
                if is_copy && matches!(function.body, FunctionBody::Default) {
                    return Ok(());
                }
                if is_default && function.parameters.is_empty() {
                    record.is_aggregate = was_aggregate;
                    record.constructors.push(member);
                    return Ok(());
                }
                record.has_copy |= is_copy && self.functions[member.index()].header.is_none();
                record.constructors.push(member);
            }
            Key::Destructor => {
                if !is_default {
                    self.records[id.0 as usize].destructor = Some(member);
                }
            }
            Key::Conversion => self.records[id.0 as usize].conversions.push(member),
            Key::Operator(ast::OperatorName::Assign(None)) => {
                if self.takes_own(&function, own) {
                    if is_default {
                        // Found by nobody: assignment is member by member.
                        let names = &mut self.scopes[scope.index()].names;
                        if let Some(list) = names.get_mut(&key) {
                            list.retain(|entity| *entity != Entity::Function(member));
                        }
                    } else {
                        self.records[id.0 as usize].has_assignment = true;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the only parameter without a default is of the struct itself.
    fn takes_own(&mut self, function: &ast::Function, own: TypeId) -> bool {
        let needed = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if needed != 1 || function.templates.last().is_some_and(|header| !header.parameters.is_empty()) {
            return false;
        }
        let Some(first) = function.parameters.first() else { return false };
        self.parameter_type(&first.ty).is_ok_and(|ty| self.types.referred(ty).bare() == own)
    }

    pub fn enclosing_namespace(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while self.scopes[at.index()].kind != ScopeKind::Namespace {
            match self.scopes[at.index()].parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at
    }

    /// The strictest of the alignments that are written; 1 where there is none.
    pub fn alignment(&mut self, alignments: &[ast::Alignment]) -> Result<u64> {
        let mut strictest = 1;
        for alignment in alignments {
            let (value, span) = match alignment {
                ast::Alignment::Value(expr) => (self.constant(expr)?.bits, expr.span),
                ast::Alignment::Type(ty) => {
                    let resolved = self.resolve_type(ty)?;
                    (self.layout_of(resolved, ty.span)?.1, ty.span)
                }
            };
            if value != 0 && !value.is_power_of_two() || value > 1 << 16 {
                return Err(fault(span, "an alignment must be a power of two"));
            }
            strictest = strictest.max(value);
        }
        Ok(strictest)
    }

    /// Makes the fields names of the struct's scope, with those of anonymous structs and unions.
    fn add_fields(&mut self, id: StructId, scope: ScopeId) {
        let fields = self.types.get(id).fields.clone();
        for field in fields {
            let seen = Field {
                owner: id,
                ty: field.ty,
                offset: field.offset,
                bits: field.bits,
                is_mutable: field.is_mutable,
            };
            if !field.name.is_empty() {
                let symbol = self.symbols.intern(&field.name);
                self.declare(scope, Key::Name(symbol), Entity::Field(seen));
            } else if let Some(inner) = self.types.as_struct(field.ty) {
                let names = self.scopes[self.records[inner.0 as usize].scope.index()].names.clone();
                for (key, entities) in names {
                    for entity in entities {
                        if let Entity::Field(member) = entity {
                            let offset = field.offset + member.offset;
                            self.declare(scope, key, Entity::Field(Field { owner: id, offset, ..member }));
                        }
                    }
                }
            }
        }
    }

    /// Whether copies, construction and destruction do anything beside moving bytes.
    pub fn judge(&mut self, id: StructId) {
        let info = self.types.get(id);
        let is_union = info.is_union;
        let mut members: Vec<TypeId> = info.fields.iter().map(|field| field.ty).collect();
        let bases: Vec<StructId> = info.bases.iter().map(|base| base.ty).collect();
        for base in bases {
            members.push(self.types.struct_type(base));
        }
        let record = &self.records[id.0 as usize];
        let mut is_trivial = !record.has_copy && !record.has_assignment;
        let own_default = record.constructors.iter().any(|&constructor| {
            let function = &self.functions[constructor.index()];
            !matches!(function.ast.body, FunctionBody::Default)
                && function.defaults.iter().all(Option::is_some)
                && !function.ast.parameters.iter().any(|parameter| parameter.pack)
        });
        let mut plain_default = !own_default && record.defaults.iter().all(Option::is_none);
        let mut plain_destructor = record.destructor.is_none();
        for member in members {
            let mut of = member;
            while let Some((element, _)) = self.types.as_array(of) {
                of = element;
            }
            if let Some(inner) = self.types.as_struct(of) {
                let inner_record = &self.records[inner.0 as usize];
                if is_union {
                    continue;
                }
                is_trivial &= self.types.get(inner).is_trivial;
                plain_default &= inner_record.plain_default;
                plain_destructor &= inner_record.plain_destructor;
            }
        }
        self.types.structs[id.0 as usize].is_trivial = is_trivial && plain_destructor;
        let record = &mut self.records[id.0 as usize];
        record.plain_default = plain_default;
        record.plain_destructor = plain_destructor;
    }
}

/// A template's definition with the default arguments that its declaration had.
fn with_defaults(record: &Rc<ast::Record>, before: &ast::Record) -> Rc<ast::Record> {
    let mut joined = (**record).clone();
    if let (Some(new), Some(old)) = (joined.templates.last_mut(), before.templates.last()) {
        for (parameter, earlier) in new.parameters.iter_mut().zip(&old.parameters) {
            use ast::TemplateParameterKind as K;
            match (&mut parameter.kind, &earlier.kind) {
                (K::Type { default: default @ None }, K::Type { default: Some(known) }) => {
                    *default = Some(known.clone());
                }
                (K::Value { default: default @ None, .. }, K::Value { default: Some(known), .. }) => {
                    *default = Some(known.clone());
                }
                _ => {}
            }
        }
    }
    Rc::new(joined)
}
