//! The members of structs.

use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Declaration, FunctionBody, TypeKind};
use crate::check::types::{Base, BitField, Field as Layout, StructId, TypeId};

use crate::lower::names::mentions;
use crate::lower::names::scope::{Entity, Field, FuncId, Key, Pending, Place, ScopeId, ScopeKind, Variable};
use crate::lower::{Lowering, Result, State, fault};

impl Lowering {
    pub fn define_members(&mut self, id: StructId, record: &ast::Record) -> Result<()> {
        let scope = self.scope;
        let first = self.functions.len();
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
                    if self.names_pack(name)? {
                        // `using F::operator()...;`
                        self.expand(*span, &mut |seen| mentions::in_name(name, seen), |this| {
                            this.using_from(scope, name, *span)
                        })?;
                    } else if name.qualifier.last().is_some_and(|part| part.id == name.last.id) {
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
        self.note_virtuals(id, first)
    }

    /// Whether a name begins with a pack of types.
    fn names_pack(&mut self, name: &ast::Name) -> Result<bool> {
        let Some(ast::Identifier::Name(symbol)) = name.qualifier.first().map(|part| &part.id) else {
            return Ok(false);
        };
        let found = self.lookup(Key::Name(*symbol), self.scope)?;
        Ok(matches!(found.first(), Some(Entity::Pack(_))))
    }

    /// Brings a base's members into a scope.
    fn using_from(&mut self, scope: ScopeId, name: &ast::Name, span: Span) -> Result<()> {
        let found = self.entities(name)?;
        let Some(key) = self.key(&name.last.id) else { return Err(fault(span, "a name is expected")) };
        for entity in found {
            self.declare(scope, key, entity);
        }
        Ok(())
    }

    pub fn inherit_constructors(&mut self, id: StructId, name: &ast::Name, span: Span) -> Result<()> {
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

    pub fn define_fields(
        &mut self,
        id: StructId,
        variables: &ast::Variables,
        access: ast::Access,
    ) -> Result<()> {
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

    pub fn declare_static(&mut self, variables: &ast::Variables, variable: &ast::Variable) -> Result<()> {
        let scope = self.scope;
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::as_plain) else {
            return Err(fault(variable.span, "a static field needs a name"));
        };
        let mut specifiers = variables.specifiers.clone();
        specifiers.is_static = true;
        let pending = Pending { specifiers, variable: variable.clone(), scope, order: self.order };
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

    pub fn attach_static(&mut self, id: StructId, variables: &ast::Variables) -> Result<()> {
        let Some(variable) = variables.variables.first() else { return Ok(()) };
        let Some(symbol) = variable.name.as_ref().and_then(ast::Name::symbol) else { return Ok(()) };
        for entity in self.lookup_member(Key::Name(symbol), id)? {
            let Entity::Variable(var) = entity else { continue };
            let Place::Pending(before) = self.variables[var.index()].place.clone() else { continue };
            let mut specifiers = before.specifiers.clone();
            specifiers.constant |= variables.specifiers.constant;
            specifiers.device |= variables.specifiers.device;
            let scope = self.outside_scope(id, &variables.templates)?;
            let pending = Pending { specifiers, variable: variable.clone(), scope, order: before.order };
            self.variables[var.index()].place = Place::Pending(Rc::new(pending));
        }
        Ok(())
    }

    /// The scope of a member of a class template that is defined outside: its header may name the parameters anew.
    pub fn outside_scope(&mut self, id: StructId, headers: &[ast::TemplateHeader]) -> Result<ScopeId> {
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

    pub fn declare_method(&mut self, id: StructId, function: Rc<ast::Function>) -> Result<()> {
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
        let function = with_destructor_body(function);
        let member = self.add_function(function.clone(), scope, scope, Some(id), false)?;
        let key = self.functions[member.index()].key;
        let is_default = matches!(function.body, FunctionBody::Default);
        let own = self.types.struct_type(id);
        match key {
            Key::Constructor => {
                let is_copy = self.takes_own_type(&function, own);
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
            Key::Destructor if !is_default => {
                self.records[id.0 as usize].destructor = Some(member);
            }
            Key::Conversion => self.records[id.0 as usize].conversions.push(member),
            Key::Operator(ast::OperatorName::Assign(None)) if self.takes_own_type(&function, own) => {
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
            _ => {}
        }
        Ok(())
    }

    /// Whether the only parameter without a default is of the struct itself.
    pub fn takes_own_type(&mut self, function: &ast::Function, own: TypeId) -> bool {
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
    pub fn add_fields(&mut self, id: StructId, scope: ScopeId) {
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
    pub fn find_trivial_members(&mut self, id: StructId) {
        let info = self.types.get(id);
        let is_union = info.is_union;
        let mut members: Vec<TypeId> = info.fields.iter().map(|field| field.ty).collect();
        let bases: Vec<StructId> = info.bases.iter().map(|base| base.ty).collect();
        for base in bases {
            members.push(self.types.struct_type(base));
        }
        let record = &self.records[id.0 as usize];
        let is_polymorphic = self.types.get(id).is_polymorphic;
        let mut is_trivial = !record.has_copy && !record.has_assignment && !is_polymorphic;
        let own_default = record.constructors.iter().any(|&constructor| {
            let function = &self.functions[constructor.index()];
            !matches!(function.ast.body, FunctionBody::Default)
                && function.defaults.iter().all(Option::is_some)
                && !function.ast.parameters.iter().any(|parameter| parameter.pack)
        });
        let mut plain_default =
            !own_default && !is_polymorphic && record.defaults.iter().all(Option::is_none);
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

/// A virtual destructor that is defaulted, or pure, does what an empty one does.
fn with_destructor_body(function: Rc<ast::Function>) -> Rc<ast::Function> {
    let is_destructor = matches!(function.name.last.id, ast::Identifier::Destructor(_));
    if !is_destructor
        || !function.specifiers.is_virtual
        || !matches!(function.body, FunctionBody::Default | FunctionBody::Pure)
    {
        return function;
    }
    let mut defined = (*function).clone();
    let span = defined.span;
    defined.body = FunctionBody::Block(ast::Block { statements: Vec::new(), span, end: span });
    Rc::new(defined)
}
