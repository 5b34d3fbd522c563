//! Functions behind their declarators: constructors' lists, bodies.

use crate::ast::{
    Function, FunctionBody, Identifier, MemberInitialiser, Specifiers, TemplateHeader, TypeKind,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::declarators::Declarator;
use super::scope::{Entry, NameKind, Of};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// A function behind its declarator, and whether a body has ended the declaration.
    pub(super) fn function(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
        templates: &[TemplateHeader],
        untyped: bool,
    ) -> Parsed<(Function, bool)> {
        self.attributes(&mut Vec::new())?;
        // A constructor's name is the record's, which stays a type.
        if !untyped {
            self.declare_value(&declarator, templates);
        }
        let Some(name) = declarator.name.take() else { return Err(self.unexpected("a function's name")) };
        let symbol = name.symbol();
        if let Some(symbol) = symbol.filter(|_| !untyped) {
            let home = self.scopes.home();
            if specifiers.friend {
                let kind = if templates.is_empty() { NameKind::Value } else { NameKind::ValueTemplate };
                self.scopes.declare(self.scopes.namespace(), symbol, Entry::new(kind));
            } else if self.scopes.of(home) == Of::Record && !templates.is_empty() {
                self.member_templates.push(symbol);
            }
        }
        let TypeKind::Function { result, parameters, variadic } = declarator.ty.kind else {
            return Err(self.fail(declarator.span, "a function is expected"));
        };
        let constructor = untyped && matches!(name.last.id, Identifier::Name(_));
        let mut function = Function {
            templates: templates.to_vec(),
            specifiers: specifiers.clone(),
            constructor,
            result: (!untyped).then_some(*result),
            parameters,
            variadic,
            constant: declarator.constant,
            rvalue: declarator.rvalue,
            initialisers: Vec::new(),
            body: FunctionBody::None,
            span: declarator.span,
            name,
        };
        if self.take(Punct::Assign) {
            let token = self.bump();
            function.body = match (token.keyword(), token.kind) {
                (Some(Keyword::Default), _) => FunctionBody::Default,
                (Some(Keyword::Delete), _) => FunctionBody::Delete,
                (_, TokenKind::Number(symbol)) if self.symbols.text(symbol) == "0" => FunctionBody::Pure,
                _ => {
                    self.at -= usize::from(token.kind != TokenKind::Eof);
                    return Err(self.unexpected("`default`, `delete` or `0`"));
                }
            };
            return Ok((function, false));
        }
        if !matches!(self.token().kind, TokenKind::Punct(Punct::LeftBrace | Punct::Colon))
            && !self.is_keyword(Keyword::Try)
        {
            return Ok((function, false));
        }
        if let Some(scope) = declarator.scope {
            self.scopes.open(scope);
        }
        let scope = self.scopes.begin(Of::Block);
        for parameter in &function.parameters {
            if let Some(name) = parameter.name {
                self.scopes.declare(scope, name, Entry::new(NameKind::Value));
            }
        }
        let outer = std::mem::replace(&mut self.function, symbol);
        if self.is_keyword(Keyword::Try) {
            let span = self.span();
            return Err(self.fail(span, "exceptions are not supported in kernels"));
        }
        if self.take(Punct::Colon) {
            function.initialisers = self.member_initialisers()?;
        }
        function.body = FunctionBody::Block(self.block()?);
        self.function = outer;
        self.scopes.close();
        if declarator.scope.is_some() {
            self.scopes.close();
        }
        Ok((function, true))
    }

    /// `a(1), b{2}`
    fn member_initialisers(&mut self) -> Parsed<Vec<MemberInitialiser>> {
        let mut list = Vec::new();
        loop {
            let span = self.span();
            let (name, _) = self.name()?;
            let braces = self.is(Punct::LeftBrace);
            let arguments = if braces {
                vec![self.list()?]
            } else {
                self.expect(Punct::LeftParen)?;
                self.arguments(Punct::RightParen)?
            };
            self.take(Punct::Ellipsis);
            list.push(MemberInitialiser { name, arguments, braces, span });
            if !self.take(Punct::Comma) {
                return Ok(list);
            }
        }
    }
}
