//! Declarations: what a text, a namespace, a record and a block are made of.

use std::rc::Rc;

use crate::Span;
use crate::ast::{
    Alias, Binding, Declaration, Initialiser, Namespace, Symbol, TemplateHeader, Type, TypeKind, Variable,
    Variables,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::declarators::{Declarator, Naming};
use super::scope::{Entry, NameKind, Of};
use super::specifiers::Before;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// The whole text.
    pub(super) fn translation_unit(&mut self) -> Vec<Declaration> {
        let mut out = Vec::new();
        loop {
            self.declarations(&mut out);
            if self.token().kind == TokenKind::Eof || self.is_hopeless() {
                return out;
            }
            let span = self.span();
            self.fail(span, "this `}` closes nothing");
            self.bump();
        }
    }

    /// Declarations up to the end of the text or a `}`.
    fn declarations(&mut self, out: &mut Vec<Declaration>) {
        while !matches!(self.token().kind, TokenKind::Eof | TokenKind::Punct(Punct::RightBrace)) {
            let mark = self.mark();
            if self.declaration(out).is_err() {
                self.recover(&mark);
                if self.is_hopeless() {
                    return;
                }
            }
        }
    }

    /// One declaration, to be added to `out`; or several, as C++ counts them.
    pub(super) fn declaration(&mut self, out: &mut Vec<Declaration>) -> Parsed<()> {
        self.enter()?;
        let token = self.token();
        match token.keyword() {
            Some(Keyword::Template) => self.template(out)?,
            Some(Keyword::Namespace) => self.namespace(false, out)?,
            Some(Keyword::Inline) if self.ahead(1).keyword() == Some(Keyword::Namespace) => {
                self.at += 1;
                self.namespace(true, out)?;
            }
            Some(Keyword::Using) => {
                let using = self.using(Vec::new())?;
                out.push(using);
            }
            Some(Keyword::StaticAssert | Keyword::StaticAssertC) => {
                let assertion = self.static_assert()?;
                out.push(assertion);
            }
            Some(Keyword::Extern)
                if matches!(self.ahead(1).kind, TokenKind::Str(_)) && self.ahead(2).is(Punct::LeftBrace) =>
            {
                self.at += 1;
                let outer = self.extern_c;
                self.extern_c |= self.is_linkage_of_c();
                self.at += 2;
                self.declarations(out);
                self.extern_c = outer;
                self.expect(Punct::RightBrace)?;
            }
            Some(Keyword::Extern) if self.ahead(1).keyword() == Some(Keyword::Template) => {
                self.at += 1;
                self.template(out)?;
            }
            Some(Keyword::Asm | Keyword::AsmLong | Keyword::AsmShort) => {
                return Err(self.fail(token.span, "inline PTX (asm) is not supported on the CPU"));
            }
            _ if self.take(Punct::Semicolon) => {}
            _ => self.simple_declaration(Vec::new(), out)?,
        }
        self.leave();
        Ok(())
    }

    fn namespace(&mut self, inline: bool, out: &mut Vec<Declaration>) -> Parsed<()> {
        self.bump();
        self.attributes(&mut Vec::new())?;
        let span = self.span();
        if self.is(Punct::LeftBrace) {
            let namespace = self.namespace_body(None, inline, span)?;
            out.push(namespace);
            return Ok(());
        }
        let symbol = self.expect_ident("a namespace's name")?;
        if self.take(Punct::Assign) {
            let (target, entry) = self.name()?;
            if let Some(entry) = entry {
                self.scopes.declare(self.scopes.home(), symbol, entry);
            }
            self.expect_semicolon("the namespace's other name")?;
            out.push(Declaration::NamespaceAlias { name: symbol, target, span });
            return Ok(());
        }
        let namespace = self.namespace_body(Some(symbol), inline, span)?;
        out.push(namespace);
        Ok(())
    }

    /// What stands behind a namespace's name: `{ ... }`, or `::b { ... }`.
    fn namespace_body(&mut self, name: Option<Symbol>, inline: bool, span: Span) -> Parsed<Declaration> {
        self.enter()?;
        let home = self.scopes.home();
        let known = name
            .and_then(|name| self.scopes.find_in(home, name))
            .filter(|known| known.kind == NameKind::Namespace);
        let scope = match known.and_then(|known| known.scope) {
            Some(scope) => scope,
            None => self.scopes.make(Of::Namespace),
        };
        match name {
            Some(name) => {
                self.scopes.declare(home, name, Entry { kind: NameKind::Namespace, scope: Some(scope) });
            }
            None => self.scopes.import(home, scope),
        }
        if inline {
            self.scopes.import(home, scope);
        }
        self.scopes.open(scope);
        let mut declarations = Vec::new();
        if self.take(Punct::ColonColon) {
            let inline = self.take_keyword(Keyword::Inline);
            let span = self.span();
            let inner = self.expect_ident("a namespace's name")?;
            declarations.push(self.namespace_body(Some(inner), inline, span)?);
        } else {
            self.expect(Punct::LeftBrace)?;
            self.declarations(&mut declarations);
            if !self.take(Punct::RightBrace) {
                return Err(self.unexpected("`}` behind the namespace"));
            }
        }
        self.scopes.close();
        self.leave();
        Ok(Declaration::Namespace(Namespace { name, inline, declarations, span }))
    }

    /// `using`, in all its forms.
    pub(super) fn using(&mut self, templates: Vec<TemplateHeader>) -> Parsed<Declaration> {
        let start = self.bump().span;
        if self.take_keyword(Keyword::Namespace) {
            let (name, entry) = self.name()?;
            if let Some(scope) = entry.and_then(|entry| entry.scope) {
                self.scopes.import(self.scopes.home(), scope);
            }
            self.expect_semicolon("`using namespace`")?;
            return Ok(Declaration::UsingDirective { name, span: start });
        }
        if let Some(symbol) = self.ident_at(self.at)
            && (self.ahead(1).is(Punct::Assign) || self.ahead(1).is(Punct::LeftBracket))
        {
            let span = self.bump().span;
            self.attributes(&mut Vec::new())?;
            self.expect(Punct::Assign)?;
            let ty = self.type_id()?;
            let scope = self.scope_of_type(&ty);
            let kind = if templates.is_empty() { NameKind::Type } else { NameKind::TypeTemplate };
            self.scopes.declare(self.scopes.home(), symbol, Entry { kind, scope });
            self.expect_semicolon("the type")?;
            return Ok(Declaration::Alias(Rc::new(Alias { templates, name: symbol, ty, span })));
        }
        self.take_keyword(Keyword::Typename);
        let (name, entry) = self.name()?;
        if let (Some(entry), Some(symbol)) = (entry, name.symbol()) {
            self.scopes.declare(self.scopes.home(), symbol, entry);
        }
        self.take(Punct::Ellipsis);
        self.expect_semicolon("the name")?;
        Ok(Declaration::UsingDeclaration { name, span: start })
    }

    /// What stands behind the `::` of a type.
    pub(super) fn scope_of_type(&self, ty: &Type) -> Option<super::scope::ScopeId> {
        let TypeKind::Named(name) = &ty.kind else { return None };
        let mut scope = name.global.then(|| self.scopes.global());
        for (index, part) in name.qualifier.iter().chain([&name.last]).enumerate() {
            let crate::ast::Identifier::Name(symbol) = part.id else { return None };
            let entry = match (index, scope) {
                (0, None) => self.scopes.find(symbol),
                (_, Some(scope)) => self.scopes.find_in(scope, symbol),
                _ => None,
            };
            scope = entry?.scope;
        }
        scope
    }

    fn static_assert(&mut self) -> Parsed<Declaration> {
        let span = self.bump().span;
        self.expect(Punct::LeftParen)?;
        let condition = self.assignment()?;
        let message = match self.take(Punct::Comma) {
            true => Some(String::from_utf8_lossy(&self.strings()?.0).into_owned()),
            false => None,
        };
        self.expect(Punct::RightParen)?;
        self.expect_semicolon("`static_assert`")?;
        Ok(Declaration::StaticAssert { condition, message, span })
    }

    /// Functions, variables, typedefs, records and enums.
    pub(super) fn simple_declaration(
        &mut self,
        mut templates: Vec<TemplateHeader>,
        out: &mut Vec<Declaration>,
    ) -> Parsed<()> {
        let start = self.at;
        let defined = out.len();
        let before = self.specifiers(&mut templates, out)?;
        if self.is(Punct::Semicolon) && before.declares {
            self.at += 1;
            let member = self.scopes.of(self.scopes.home()) == Of::Record;
            match before.ty {
                Some(ty) if before.anonymous && member => {
                    let span = ty.span;
                    let field = Variable { name: None, ty, init: Initialiser::None, bits: None, span };
                    let specifiers = before.specifiers;
                    out.push(Declaration::Variables(Variables {
                        templates: Vec::new(),
                        specifiers,
                        variables: vec![field],
                    }));
                }
                _ => {}
            }
            return Ok(());
        }
        if self.at == start && !self.is_untyped_function() {
            return Err(self.unexpected("a declaration"));
        }
        if before.typedef {
            return self.typedef(before, defined, out);
        }
        if let Some(binding) = self.binding(&before)? {
            out.push(binding);
            return self.expect_semicolon("the declaration");
        }
        self.init_declarators(before, templates, out)
    }

    /// `typedef T a, *b;`, from behind the type.
    fn typedef(&mut self, before: Before, defined: usize, out: &mut Vec<Declaration>) -> Parsed<()> {
        let Some(base) = before.ty else { return Err(self.unexpected("a type")) };
        let mut rename = before.anonymous;
        loop {
            let declarator = self.declarator(base.clone(), Naming::Named)?;
            self.attributes(&mut Vec::new())?;
            let Some(symbol) = declarator.name.as_ref().and_then(|name| name.as_plain()) else {
                return Err(self.fail(declarator.span, "a typedef's name is one identifier"));
            };
            let plain = matches!((&declarator.ty.kind, &base.kind), (TypeKind::Named(a), TypeKind::Named(b)) if a == b);
            let scope = if plain { before.scope } else { None };
            self.scopes.declare(self.scopes.home(), symbol, Entry { kind: NameKind::Type, scope });
            // `typedef struct { } T;`: T is the record's own name.
            let renamed = std::mem::take(&mut rename) && plain && rename_last(&mut out[defined..], symbol);
            let same = matches!(&declarator.ty.kind, TypeKind::Named(name) if plain && name.as_plain() == Some(symbol));
            if !renamed && !same {
                out.push(Declaration::Alias(Rc::new(Alias {
                    templates: Vec::new(),
                    name: symbol,
                    ty: declarator.ty,
                    span: declarator.span,
                })));
            }
            if renamed && self.is(Punct::Comma) {
                let span = self.span();
                return Err(
                    self.fail(span, "a struct without a name takes one typedef; give it a name of its own")
                );
            }
            if !self.take(Punct::Comma) {
                return self.expect_semicolon("the typedef");
            }
        }
    }

    /// `auto [a, b] = e`, from behind `auto`; `None` where it is something else.
    pub(super) fn binding(&mut self, before: &Before) -> Parsed<Option<Declaration>> {
        let Some(ty) = before.ty.clone().filter(|ty| ty.kind == TypeKind::Auto) else { return Ok(None) };
        let reference = matches!(self.token().kind, TokenKind::Punct(Punct::Amp | Punct::And));
        if !self.is_at(self.at + usize::from(reference), Punct::LeftBracket) {
            return Ok(None);
        }
        let ty = self.pointers(ty)?;
        let span = self.span();
        self.expect(Punct::LeftBracket)?;
        let mut names = Vec::new();
        loop {
            let span = self.span();
            let symbol = self.expect_ident("a name")?;
            self.scopes.declare(self.scopes.home(), symbol, Entry::new(NameKind::Value));
            names.push((symbol, span));
            if !self.take(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RightBracket)?;
        let init = self.initialiser()?;
        Ok(Some(Declaration::Binding(Binding {
            specifiers: before.specifiers.clone(),
            ty,
            names,
            init,
            span,
        })))
    }

    /// `a = 1, *b, f(int);`, from behind the type; a function's body ends it.
    fn init_declarators(
        &mut self,
        before: Before,
        templates: Vec<TemplateHeader>,
        out: &mut Vec<Declaration>,
    ) -> Parsed<()> {
        let member = self.scopes.of(self.scopes.home()) == Of::Record;
        let untyped = before.ty.is_none();
        let base = match before.ty {
            Some(ty) => ty,
            None if self.is_untyped_function() => super::declarators::placeholder(self.span()),
            None => return Err(self.unexpected("a type")),
        };
        let mut variables = Vec::new();
        let mut functions = Vec::new();
        loop {
            let start = self.span();
            let unnamed_bits = member && self.is(Punct::Colon);
            let naming = if unnamed_bits { Naming::Either } else { Naming::Named };
            let declarator = self.declarator(base.clone(), naming)?;
            if matches!(declarator.ty.kind, TypeKind::Function { .. }) {
                let (function, ended) = self.function(&before.specifiers, declarator, &templates, untyped)?;
                functions.push(Declaration::Function(Rc::new(function)));
                if ended {
                    break;
                }
            } else {
                if untyped {
                    return Err(self.fail(start, "a type is missing before this name"));
                }
                let variable = self.variable(declarator, member, &templates)?;
                variables.push(variable);
            }
            if !self.take(Punct::Comma) {
                self.expect_semicolon("the declaration")?;
                break;
            }
        }
        if !variables.is_empty() {
            let specifiers = before.specifiers;
            out.push(Declaration::Variables(Variables { templates, specifiers, variables }));
        }
        out.extend(functions);
        Ok(())
    }

    /// What stands behind a variable's declarator.
    fn variable(
        &mut self,
        declarator: Declarator,
        member: bool,
        templates: &[TemplateHeader],
    ) -> Parsed<Variable> {
        self.attributes(&mut Vec::new())?;
        self.declare_value(&declarator, templates);
        let bits = match member && self.take(Punct::Colon) {
            true => Some(self.conditional()?),
            false => None,
        };
        let scope = declarator.scope;
        if let Some(scope) = scope {
            self.scopes.open(scope);
        }
        let init = self.initialiser()?;
        if scope.is_some() {
            self.scopes.close();
        }
        Ok(Variable { name: declarator.name, ty: declarator.ty, init, bits, span: declarator.span })
    }

    /// Notes that a name is a value, or a template of one.
    pub(super) fn declare_value(&mut self, declarator: &Declarator, templates: &[TemplateHeader]) {
        let Some(symbol) =
            declarator.name.as_ref().filter(|name| !name.is_qualified()).and_then(|name| name.symbol())
        else {
            return;
        };
        let kind = match templates.is_empty() {
            true => NameKind::Value,
            false => NameKind::ValueTemplate,
        };
        self.scopes.declare(self.scopes.home(), symbol, Entry::new(kind));
    }

    /// `= e`, `(a, b)`, `{a, b}` or nothing.
    pub(super) fn initialiser(&mut self) -> Parsed<Initialiser> {
        if self.take(Punct::Assign) {
            return Ok(Initialiser::Copy(self.initialiser_clause()?));
        }
        if self.is(Punct::LeftBrace) {
            return Ok(Initialiser::Braces(self.list()?));
        }
        if self.take(Punct::LeftParen) {
            return Ok(Initialiser::Direct(self.arguments(Punct::RightParen)?));
        }
        Ok(Initialiser::None)
    }
}

/// Gives the record or enum that was defined last its typedef's name.
fn rename_last(declarations: &mut [Declaration], symbol: Symbol) -> bool {
    match declarations.last_mut() {
        Some(Declaration::Record(record)) => match Rc::get_mut(record) {
            Some(record) => {
                record.name.last.id = crate::ast::Identifier::Name(symbol);
                true
            }
            None => false,
        },
        Some(Declaration::Enum(definition)) => match Rc::get_mut(definition) {
            Some(definition) => {
                definition.name.last.id = crate::ast::Identifier::Name(symbol);
                true
            }
            None => false,
        },
        _ => false,
    }
}
