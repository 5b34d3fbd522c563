//! Structs, classes and unions: their members and their layout, made when they are first needed.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;
use crate::ast::{self};
use crate::check::types::{StructId, TypeId};

use crate::lower::names::scope::{
    Entity, Key, Record, ScopeId, ScopeKind, TemplateArg, TemplateId, TemplateKind,
};
use crate::lower::templates::deduce::{self, Deduction};
use crate::lower::{Lowering, Result, State, fault};

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
            virtuals: Vec::new(),
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
                Some(crate::lower::names::resolve::Qualifier::Scope(scope)) => scope,
                Some(crate::lower::names::resolve::Qualifier::Struct(id)) => {
                    self.records[id.0 as usize].scope
                }
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

    pub fn declare_record_template(
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
        if let TemplateKind::Record { instances, .. } = &self.templates[template.index()].kind
            && let Some(id) = instances.get(&known)
        {
            return Ok(*id);
        }
        self.enter_instantiation(span)?;
        let bound = self.bind(&header, given, outer, span);
        self.depth -= 1;
        let (_, full) = bound?;
        if let TemplateKind::Record { instances, .. } = &self.templates[template.index()].kind
            && let Some(id) = instances.get(&full)
        {
            return Ok(*id);
        }
        if self.records.len() > crate::lower::MAX_INSTANCES {
            return Err(fault(span, "the text instantiates too many class templates"));
        }
        let name = self.text(self.templates[template.index()].name).to_owned();
        let name = format!("{name}<{}>", self.arguments_text(&full));
        self.check_name(&name, span)?;
        let name = self.qualified_name(outer, &name);
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
            State::Failed => return Err(crate::lower::Fault(None)),
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
                    return Err(crate::lower::Fault(None));
                }
                Err(cause)
            }
        }
    }

    /// The definition that an instance of a class template is made of, with the scope that binds its parameters.
    pub fn chosen_definition(&mut self, id: StructId) -> Result<Option<(Rc<ast::Record>, ScopeId)>> {
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
    pub fn is_more_special(&mut self, a: &ast::Record, b: &ast::Record, outer: ScopeId) -> Result<bool> {
        Ok(self.fits(a, b, outer)? && !self.fits(b, a, outer)?)
    }

    pub fn fits(&mut self, a: &ast::Record, b: &ast::Record, outer: ScopeId) -> Result<bool> {
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

    pub fn define_record(&mut self, id: StructId, span: Span) -> Result<()> {
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
        self.find_trivial_members(id);
        if let Some((template, _)) = self.records[id.0 as usize].template
            && let TemplateKind::Record { outside, statics, .. } = &self.templates[template.index()].kind
        {
            let (outside, statics) = (outside.clone(), statics.clone());
            for function in outside {
                self.attach_outside(id, &function)?;
            }
            for variables in statics {
                self.attach_static(id, &variables)?;
            }
        }
        Ok(())
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
