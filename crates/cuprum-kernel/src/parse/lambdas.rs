//! Lambdas, and lists in braces.

use std::rc::Rc;

use crate::ast::{
    Capture, CaptureDefault, CaptureKind, Designator, Expr, ExprKind, Lambda, ListItem, Specifiers,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::scope::{Entry, NameKind, Of};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `[captures](parameters) -> T { ... }`
    pub(super) fn lambda(&mut self) -> Parsed<Expr> {
        let span = self.span();
        self.expect(Punct::LeftBracket)?;
        let angle = std::mem::replace(&mut self.angle, false);
        let mut default = None;
        let captures = self.captures(&mut default)?;
        self.scopes.begin(Of::Parameters);
        let template = match self.is(Punct::Less) {
            true => Some(self.template_header()?),
            false => None,
        };
        let scope = self.scopes.begin(Of::Block);
        for capture in &captures {
            if let CaptureKind::Variable { name, .. } = &capture.kind {
                self.scopes.declare(scope, *name, Entry::new(NameKind::Value));
            }
        }
        let mut specifiers = Specifiers { span, ..Specifiers::default() };
        self.lambda_words(&mut specifiers)?;
        let mut parameters = Vec::new();
        if self.take(Punct::LeftParen) {
            let (read, variadic) = self.parameters()?;
            if variadic {
                return Err(self.fail(span, "a lambda cannot take C's `...`"));
            }
            parameters = read;
        }
        for parameter in &parameters {
            if let Some(name) = parameter.name {
                self.scopes.declare(scope, name, Entry::new(NameKind::Value));
            }
        }
        self.lambda_words(&mut specifiers)?;
        let mutable = specifiers.mutable;
        let result = match self.take(Punct::Arrow) {
            true => Some(self.type_id()?),
            false => None,
        };
        if !self.is(Punct::LeftBrace) {
            return Err(self.unexpected("a lambda's body"));
        }
        let outer = self.function.take();
        let body = self.block()?;
        self.function = outer;
        self.scopes.close();
        self.scopes.close();
        self.angle = angle;
        self.grow()?;
        let lambda =
            Lambda { default, captures, template, parameters, mutable, specifiers, result, body, span };
        Ok(Expr::new(ExprKind::Lambda(Rc::new(lambda)), span))
    }

    /// `mutable`, `constexpr`, `__device__`, `noexcept`
    fn lambda_words(&mut self, specifiers: &mut Specifiers) -> Parsed<()> {
        loop {
            match self.token().keyword() {
                Some(Keyword::Mutable) => specifiers.mutable = true,
                Some(Keyword::Constexpr) => specifiers.constexpr = true,
                Some(Keyword::Device) => specifiers.device = true,
                Some(Keyword::Host) => specifiers.host = true,
                Some(Keyword::ForceInline) => specifiers.force_inline = true,
                Some(Keyword::NoInline) => specifiers.no_inline = true,
                Some(Keyword::Noexcept) => {
                    if self.ahead(1).is(Punct::LeftParen) {
                        self.at += 1;
                        self.at = self.closing_of(Punct::LeftParen)?;
                    }
                }
                Some(Keyword::Attribute) => {
                    self.attributes(&mut Vec::new())?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    /// Captures up to and with the `]`.
    fn captures(&mut self, default: &mut Option<CaptureDefault>) -> Parsed<Vec<Capture>> {
        let mut captures = Vec::new();
        if self.take(Punct::RightBracket) {
            return Ok(captures);
        }
        loop {
            let span = self.span();
            let ends = matches!(self.ahead(1).kind, TokenKind::Punct(Punct::Comma | Punct::RightBracket));
            if ends && self.take(Punct::Assign) {
                *default = Some(CaptureDefault::Value);
            } else if ends && self.take(Punct::Amp) {
                *default = Some(CaptureDefault::Reference);
            } else if self.take_keyword(Keyword::This) {
                captures.push(Capture { kind: CaptureKind::This, span });
            } else if self.is(Punct::Star) && self.ahead(1).keyword() == Some(Keyword::This) {
                self.at += 2;
                captures.push(Capture { kind: CaptureKind::ThisCopy, span });
            } else {
                let reference = self.take(Punct::Amp);
                let mut pack = self.take(Punct::Ellipsis);
                let name = self.expect_ident("a captured variable")?;
                pack |= self.take(Punct::Ellipsis);
                let value = if self.take(Punct::Assign) {
                    Some(Box::new(self.initialiser_clause()?))
                } else if self.is(Punct::LeftBrace) {
                    Some(Box::new(self.list()?))
                } else if self.is(Punct::LeftParen) {
                    self.at += 1;
                    let mut arguments = self.arguments(Punct::RightParen)?;
                    match (arguments.len(), arguments.pop()) {
                        (1, Some(value)) => Some(Box::new(value)),
                        _ => return Err(self.fail(span, "a capture has one value")),
                    }
                } else {
                    None
                };
                captures.push(Capture { kind: CaptureKind::Variable { name, reference, value, pack }, span });
            }
            if self.take(Punct::RightBracket) {
                return Ok(captures);
            }
            if !self.take(Punct::Comma) {
                return Err(self.unexpected("`,` or `]` behind a capture"));
            }
        }
    }

    /// `{a, .x = b}`
    pub(super) fn list(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let span = self.span();
        self.expect(Punct::LeftBrace)?;
        let angle = std::mem::replace(&mut self.angle, false);
        let mut items = Vec::new();
        while !self.take(Punct::RightBrace) {
            let designators = self.designators()?;
            let value = self.initialiser_clause()?;
            let value = self.expansion(value);
            items.push(ListItem { designators, value });
            if !self.take(Punct::Comma) && !self.is(Punct::RightBrace) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.angle = angle;
        self.grow()?;
        self.leave();
        Ok(Expr::new(ExprKind::List(items), span))
    }

    /// `.x =`, `[2] =`, `.x{`
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        loop {
            if self.is(Punct::Dot) {
                self.at += 1;
                let span = self.span();
                designators.push(Designator::Field(self.expect_ident("a field's name")?, span));
            } else if self.is(Punct::LeftBracket) && self.is_index_designator() {
                self.at += 1;
                let index = self.conditional()?;
                self.expect(Punct::RightBracket)?;
                designators.push(Designator::Index(Box::new(index)));
            } else {
                break;
            }
        }
        if !designators.is_empty() && !self.take(Punct::Assign) && !self.is(Punct::LeftBrace) {
            return Err(self.unexpected("`=` behind the field's name"));
        }
        Ok(designators)
    }

    /// `[2] =` and not a lambda.
    fn is_index_designator(&self) -> bool {
        let close = self.closing[self.at] as usize;
        close != 0
            && matches!(
                self.token_at(close + 1).kind,
                TokenKind::Punct(Punct::Assign | Punct::Dot) | TokenKind::Punct(Punct::LeftBracket)
            )
    }
}
