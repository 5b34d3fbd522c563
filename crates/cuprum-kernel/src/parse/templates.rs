//! Templates: their parameters, specialisations and explicit instantiations.

use crate::ast::{Declaration, TemplateHeader, TemplateParameter, TemplateParameterKind};
use crate::lex::{Keyword, Punct, TokenKind};

use super::declarators::Naming;
use super::scope::{Entry, NameKind, Of};
use super::{MAX_DECLARATORS, Parsed, Parser};

impl Parser<'_> {
    /// `template <...> declaration`, `template declaration`, from the keyword on.
    pub(super) fn template(&mut self, out: &mut Vec<Declaration>) -> Parsed<()> {
        let start = self.span();
        if !self.ahead(1).is(Punct::Less) {
            self.bump();
            let mut declared = Vec::new();
            self.simple_declaration(Vec::new(), &mut declared)?;
            out.extend(declared.into_iter().map(|declaration| Declaration::Instantiation {
                declaration: Box::new(declaration),
                span: start,
            }));
            return Ok(());
        }
        let mut templates = Vec::new();
        let mut scopes = 0;
        while self.is_keyword(Keyword::Template) {
            if templates.len() >= MAX_DECLARATORS {
                return Err(self.fail(start, "too many templates stand in each other"));
            }
            self.bump();
            self.scopes.begin(Of::Parameters);
            scopes += 1;
            templates.push(self.template_header()?);
        }
        if matches!(self.token().kind, TokenKind::Ident(symbol) if self.symbols.text(symbol) == "requires") {
            let span = self.span();
            return Err(
                self.fail(span, "constraints (`requires`) are of C++20, kernels are of C++17; use enable_if")
            );
        }
        match self.token().keyword() {
            Some(Keyword::Using) => {
                let alias = self.using(templates)?;
                out.push(alias);
            }
            Some(Keyword::Friend) => {
                let mut declared = Vec::new();
                self.simple_declaration(templates, &mut declared)?;
                // A friend that is a class says nothing that a kernel needs.
                declared.retain(|declaration| !matches!(declaration, Declaration::Record(_)));
                out.extend(declared);
            }
            _ => self.simple_declaration(templates, out)?,
        }
        for _ in 0..scopes {
            self.scopes.close();
        }
        Ok(())
    }

    /// `<...>` behind `template`.
    pub(super) fn template_header(&mut self) -> Parsed<TemplateHeader> {
        self.enter()?;
        let span = self.span();
        self.expect(Punct::Less)?;
        let mut parameters = Vec::new();
        if !self.take(Punct::Greater) {
            let angle = std::mem::replace(&mut self.angle, true);
            loop {
                parameters.push(self.template_parameter()?);
                if !self.take(Punct::Comma) {
                    break;
                }
            }
            self.angle = angle;
            if !self.take(Punct::Greater) {
                return Err(self.unexpected("`,` or `>` behind a template's parameter"));
            }
        }
        self.leave();
        Ok(TemplateHeader { parameters, span })
    }

    fn template_parameter(&mut self) -> Parsed<TemplateParameter> {
        let span = self.span();
        let (name, kind, pack) = match self.token().keyword() {
            Some(Keyword::Typename | Keyword::Class) if self.is_type_parameter() => {
                self.bump();
                let pack = self.take(Punct::Ellipsis);
                let name = self.parameter_name(NameKind::Type);
                let default = match self.take(Punct::Assign) {
                    true => Some(self.type_id()?),
                    false => None,
                };
                (name, TemplateParameterKind::Type { default }, pack)
            }
            Some(Keyword::Template) => {
                self.bump();
                self.scopes.begin(Of::Parameters);
                let header = self.template_header();
                self.scopes.close();
                let header = header?;
                if !self.take_keyword(Keyword::Class) && !self.take_keyword(Keyword::Typename) {
                    return Err(self.unexpected("`class`"));
                }
                let pack = self.take(Punct::Ellipsis);
                let name = self.parameter_name(NameKind::TypeTemplate);
                let default = match self.take(Punct::Assign) {
                    true => Some(self.name()?.0),
                    false => None,
                };
                (name, TemplateParameterKind::Template { header, default }, pack)
            }
            _ => {
                let mut defined = Vec::new();
                let before = self.specifiers(&mut Vec::new(), &mut defined)?;
                let Some(base) = before.ty.filter(|_| defined.is_empty()) else {
                    return Err(self.unexpected("a template's parameter"));
                };
                let declarator = self.declarator(base, Naming::Either)?;
                let name = declarator.name.as_ref().and_then(|name| name.as_plain());
                if let Some(name) = name {
                    self.declare_parameter(name, NameKind::Value);
                }
                let default = match self.take(Punct::Assign) {
                    true => Some(self.assignment()?),
                    false => None,
                };
                (name, TemplateParameterKind::Value { ty: declarator.ty, default }, declarator.pack)
            }
        };
        Ok(TemplateParameter { name, kind, pack, span: self.joined(span) })
    }

    /// Whether `typename` begins a type parameter and not the type of a value: `typename T::x = 0`.
    fn is_type_parameter(&self) -> bool {
        let mut at = self.at + 1;
        if self.is_at(at, Punct::Ellipsis) {
            return true;
        }
        if self.ident_at(at).is_some() {
            at += 1;
        }
        matches!(self.token_at(at).kind, TokenKind::Punct(Punct::Comma | Punct::Greater | Punct::Assign))
            || self.is_at(at, Punct::GreaterEqual)
    }

    fn parameter_name(&mut self, kind: NameKind) -> Option<crate::ast::Symbol> {
        let symbol = self.ident_at(self.at)?;
        self.at += 1;
        self.declare_parameter(symbol, kind);
        Some(symbol)
    }

    fn declare_parameter(&mut self, symbol: crate::ast::Symbol, kind: NameKind) {
        self.scopes.declare(self.scopes.innermost(), symbol, Entry::new(kind));
    }
}
