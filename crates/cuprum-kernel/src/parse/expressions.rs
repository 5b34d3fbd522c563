//! Expressions: operators and casts, down to what they are made of.

use crate::Span;
use crate::ast::{BinaryOp, CastStyle, Expr, ExprKind, Initialiser, Type, TypeKind, UnaryOp};
use crate::lex::{Keyword, Punct, TokenKind};

use super::names::{assignment_of, binary_of};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.tall(|parser| {
            let mut left = parser.assignment()?;
            while parser.is(Punct::Comma) && !parser.ahead(1).is(Punct::Ellipsis) {
                let span = parser.bump().span;
                let right = parser.assignment()?;
                parser.grow()?;
                left = binary(BinaryOp::Comma, left, right, span);
            }
            Ok(left)
        })
    }

    /// An expression without commas: an argument, a value.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let result = self.tall(|parser| {
            if parser.is_keyword(Keyword::Throw) {
                let span = parser.bump().span;
                if !matches!(
                    parser.token().kind,
                    TokenKind::Punct(Punct::Semicolon | Punct::RightParen | Punct::Comma)
                ) {
                    parser.assignment()?;
                }
                return Ok(Expr::new(ExprKind::Refused { what: "throw" }, span));
            }
            let target = parser.conditional()?;
            let token = parser.token();
            let TokenKind::Punct(punct) = token.kind else { return Ok(target) };
            let (op, count) = match punct {
                Punct::Assign => (None, 1),
                Punct::Greater
                    if !parser.angle && parser.ahead(1).is(Punct::GreaterEqual) && !parser.ahead(1).space =>
                {
                    (Some(BinaryOp::Shr), 2)
                }
                _ => match assignment_of(punct) {
                    Some(op) => (Some(op), 1),
                    None => return Ok(target),
                },
            };
            if parser.ahead(count).is(Punct::Ellipsis) {
                return Ok(target);
            }
            parser.at += count;
            let value = parser.initialiser_clause()?;
            parser.grow()?;
            let kind = ExprKind::Assign { op, target: Box::new(target), value: Box::new(value) };
            Ok(Expr::new(kind, token.span))
        })?;
        self.leave();
        Ok(result)
    }

    /// A value or a list in braces.
    pub(super) fn initialiser_clause(&mut self) -> Parsed<Expr> {
        match self.is(Punct::LeftBrace) {
            true => self.list(),
            false => self.assignment(),
        }
    }

    /// `a ? b : c`, or what binds tighter.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let result = self.tall(|parser| {
            let condition = parser.binary(0)?;
            if !parser.is(Punct::Question) {
                return Ok(condition);
            }
            let span = parser.bump().span;
            let then = match parser.is(Punct::Colon) {
                true => None,
                false => Some(Box::new(parser.unangled(|parser| parser.expression())?)),
            };
            if !parser.take(Punct::Colon) {
                return Err(parser.unexpected("`:` of `?`"));
            }
            let otherwise = Box::new(parser.assignment()?);
            parser.grow()?;
            Ok(Expr::new(ExprKind::Conditional { condition: Box::new(condition), then, otherwise }, span))
        })?;
        self.leave();
        Ok(result)
    }

    /// The binary operator here, how tightly it binds, and of how many tokens it is.
    pub(super) fn binary_operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let TokenKind::Punct(punct) = self.token().kind else { return None };
        if punct == Punct::Greater {
            if self.angle {
                return None;
            }
            let next = self.ahead(1);
            if next.is(Punct::Greater) && !next.space {
                // `>>=` is an assignment, and `>>>` ends a launch.
                return Some((BinaryOp::Shr, 8, 2));
            }
            if next.is(Punct::GreaterEqual) && !next.space {
                return None;
            }
        }
        let (op, precedence) = binary_of(punct)?;
        Some((op, precedence, 1))
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        self.tall(|parser| {
            let mut left = parser.unary()?;
            while let Some((op, precedence, count)) = parser.binary_operator()
                && precedence > least
                && !parser.ahead(count).is(Punct::Ellipsis)
            {
                let span = parser.span();
                let span = Span { length: span.length + count as u32 - 1, ..span };
                parser.at += count;
                let right = parser.binary(precedence)?;
                parser.grow()?;
                left = binary(op, left, right, span);
            }
            Ok(left)
        })
    }

    /// Prefix operators and casts.
    fn unary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let span = token.span;
        let op = match token.kind {
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Minus,
            TokenKind::Punct(Punct::Not) => UnaryOp::Not,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::Amp) => UnaryOp::Address,
            TokenKind::Punct(Punct::Increment) => UnaryOp::PreIncrement,
            TokenKind::Punct(Punct::Decrement) => UnaryOp::PreDecrement,
            TokenKind::Punct(Punct::LeftParen)
                if self.is_type_behind(self.at) || self.is_unknown_cast(self.at) =>
            {
                return self.cast();
            }
            TokenKind::Ident(_) => return self.unary_word(),
            _ => return self.postfix(),
        };
        self.at += 1;
        self.enter()?;
        let operand = Box::new(self.unary()?);
        self.grow()?;
        self.leave();
        Ok(Expr::new(ExprKind::Unary { op, operand }, span))
    }

    /// `(T)a`, `(T){a, b}`
    fn cast(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let span = self.bump().span;
        let ty = Box::new(self.unangled(|parser| parser.type_id())?);
        self.expect(Punct::RightParen)?;
        let kind = if self.is(Punct::LeftBrace) {
            let arguments = vec![self.list()?];
            let made = Expr::new(ExprKind::Construct { ty, arguments, braces: true }, span);
            let made = self.suffixes_of(made)?;
            self.leave();
            return Ok(made);
        } else {
            let operand = Box::new(self.unary()?);
            ExprKind::Cast { style: CastStyle::C, ty, operand }
        };
        self.grow()?;
        self.leave();
        Ok(Expr::new(kind, span))
    }

    /// `sizeof` and other words before an operand.
    fn unary_word(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let span = token.span;
        let kind = match token.keyword() {
            Some(Keyword::Extension) => {
                self.at += 1;
                return self.unary();
            }
            Some(Keyword::Sizeof) => {
                self.at += 1;
                if self.take(Punct::Ellipsis) {
                    self.expect(Punct::LeftParen)?;
                    let pack = self.expect_ident("a pack's name")?;
                    self.expect(Punct::RightParen)?;
                    ExprKind::SizeofPack(pack)
                } else if self.is(Punct::LeftParen) && self.is_type_behind(self.at) {
                    ExprKind::SizeofType(Box::new(self.type_in_parens()?))
                } else {
                    self.enter()?;
                    let operand = self.unary()?;
                    self.leave();
                    ExprKind::SizeofExpr(Box::new(operand))
                }
            }
            Some(Keyword::Alignof | Keyword::AlignofLong | Keyword::AlignofC) => {
                self.at += 1;
                ExprKind::Alignof(Box::new(self.type_in_parens()?))
            }
            Some(Keyword::Noexcept) => {
                self.at += 1;
                self.expect(Punct::LeftParen)?;
                let inner = self.unangled(|parser| parser.expression())?;
                self.expect(Punct::RightParen)?;
                ExprKind::Noexcept(Box::new(inner))
            }
            Some(Keyword::New) => {
                self.at += 1;
                self.new_expression()?
            }
            Some(Keyword::Delete) => {
                self.at += 1;
                let array = self.is(Punct::LeftBracket) && self.ahead(1).is(Punct::RightBracket);
                if array {
                    self.at += 2;
                }
                self.enter()?;
                let operand = Box::new(self.unary()?);
                self.leave();
                ExprKind::Delete { array, operand }
            }
            _ => return self.postfix(),
        };
        self.grow()?;
        Ok(Expr::new(kind, span))
    }

    /// What stands behind `new`.
    fn new_expression(&mut self) -> Parsed<ExprKind> {
        let mut placement = None;
        let mut ty = None;
        if self.is(Punct::LeftParen) {
            let behind = self.closing_of(Punct::LeftParen)? + 1;
            if self.scan_type(behind).is_some() {
                self.at += 1;
                placement = Some(Box::new(self.unangled(|parser| parser.expression())?));
                self.expect(Punct::RightParen)?;
            } else {
                ty = Some(self.type_in_parens()?);
            }
        }
        let mut ty = match ty {
            Some(ty) => ty,
            None => {
                let before = self.specifiers(&mut Vec::new(), &mut Vec::new())?;
                before.ty.ok_or_else(|| self.unexpected("a type"))?
            }
        };
        while self.is(Punct::Star) {
            self.at += 1;
            let span = ty.span;
            ty = Type::new(TypeKind::Pointer { to: Box::new(ty), restrict: false }, span);
        }
        let mut length = None;
        if self.is(Punct::LeftBracket) {
            self.at += 1;
            length = Some(Box::new(self.unangled(|parser| parser.expression())?));
            self.expect(Punct::RightBracket)?;
        }
        if self.is(Punct::LeftBracket) {
            return Err(self.unexpected("one length: `new` of arrays of arrays is not supported"));
        }
        let init = match self.token().kind {
            TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace) => self.initialiser()?,
            _ => Initialiser::None,
        };
        Ok(ExprKind::New { placement, ty: Box::new(ty), length, init: Box::new(init) })
    }

    /// `(T)`
    pub(super) fn type_in_parens(&mut self) -> Parsed<Type> {
        self.expect(Punct::LeftParen)?;
        let ty = self.unangled(|parser| parser.type_id())?;
        self.expect(Punct::RightParen)?;
        Ok(ty)
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span)
}
