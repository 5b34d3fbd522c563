//! Calls, subscripts, members, and the expressions that they begin with.

use std::rc::Rc;

use crate::Span;
use crate::ast::{
    CastStyle, CharPrefix, Expr, ExprKind, Identifier, Name, NamePart, Type, TypeKind, UnaryOp,
};
use crate::lex::{Keyword, Punct, TokenKind};

use super::literals::{character, characters, number, string};
use super::lookahead::is_builtin_word;
use super::{Parsed, Parser};

/// From the beginning of one place to the end of another on the same line.
fn through(from: Span, to: Span) -> Span {
    if (from.file, from.line) != (to.file, to.line) || to.column < from.column {
        return to;
    }
    Span { length: to.column + to.length - from.column, ..from }
}

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let first = self.primary()?;
        self.suffixes_of(first)
    }

    /// `(a)`, `[i]`, `.x`, `->x`, `++`, `--` behind an expression.
    pub(super) fn suffixes_of(&mut self, mut value: Expr) -> Parsed<Expr> {
        loop {
            let token = self.token();
            let TokenKind::Punct(punct) = token.kind else { return Ok(value) };
            let (kind, span) = match punct {
                Punct::LeftParen => {
                    self.at += 1;
                    let arguments = self.arguments(Punct::RightParen)?;
                    let span = value.span;
                    (ExprKind::Call { function: Box::new(value), arguments }, span)
                }
                Punct::LeftBracket => {
                    self.at += 1;
                    let index = self.unangled(|parser| match parser.is(Punct::LeftBrace) {
                        true => parser.list(),
                        false => parser.expression(),
                    })?;
                    let close = self.token().span;
                    self.expect(Punct::RightBracket)?;
                    let span = through(value.span, close);
                    (ExprKind::Index { base: Box::new(value), index: Box::new(index) }, span)
                }
                Punct::Dot | Punct::Arrow => {
                    self.at += 1;
                    let member = self.member_name()?;
                    let span = member.span;
                    let arrow = punct == Punct::Arrow;
                    (ExprKind::Member { object: Box::new(value), arrow, member: Box::new(member) }, span)
                }
                Punct::Increment | Punct::Decrement => {
                    self.at += 1;
                    let op = match punct {
                        Punct::Increment => UnaryOp::PostIncrement,
                        _ => UnaryOp::PostDecrement,
                    };
                    (ExprKind::Unary { op, operand: Box::new(value) }, token.span)
                }
                Punct::ShiftLeft if self.ahead(1).is(Punct::Less) && !self.ahead(1).space => {
                    self.at += 2;
                    let angle = std::mem::replace(&mut self.angle, true);
                    let configuration = self.launch_configuration();
                    self.angle = angle;
                    let configuration = configuration?;
                    self.expect(Punct::LeftParen)?;
                    let arguments = self.arguments(Punct::RightParen)?;
                    (ExprKind::Launch { function: Box::new(value), configuration, arguments }, token.span)
                }
                _ => return Ok(value),
            };
            self.grow()?;
            value = Expr::new(kind, span);
        }
    }

    fn launch_configuration(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        loop {
            list.push(self.assignment()?);
            if !self.take(Punct::Comma) {
                break;
            }
        }
        for _ in 0..3 {
            if !self.take(Punct::Greater) {
                return Err(self.unexpected("`>>>`"));
            }
        }
        Ok(list)
    }

    /// The name behind `.` or `->`.
    fn member_name(&mut self) -> Parsed<Name> {
        let start = self.span();
        let forced = self.take_keyword(Keyword::Template);
        if let Some(symbol) = self.ident_at(self.at)
            && !self.ahead(1).is(Punct::ColonColon)
        {
            let span = self.bump().span;
            let template = self.is(Punct::Less)
                && (forced || (self.member_templates.contains(&symbol) && self.is_unknown_template(self.at)));
            let arguments = if template { Some(self.template_arguments()?) } else { None };
            let last = NamePart { id: Identifier::Name(symbol), arguments, span };
            return Ok(Name { global: false, qualifier: Vec::new(), last, span });
        }
        // `.~float()`: a destructor's call on any type.
        if self.is(Punct::Tilde) && self.ident_at(self.at + 1).is_none() {
            return Err(self.fail(start, "a member's name is expected"));
        }
        Ok(self.name()?.0)
    }

    /// Arguments up to and with the bracket that closes them.
    pub(super) fn arguments(&mut self, close: Punct) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.take(close) {
            return Ok(arguments);
        }
        let angle = std::mem::replace(&mut self.angle, false);
        loop {
            let value = self.initialiser_clause()?;
            arguments.push(self.expansion(value));
            if !self.take(Punct::Comma) {
                break;
            }
        }
        self.angle = angle;
        if !self.take(close) {
            return Err(self.unexpected(&format!("`,` or `{}`", close.text())));
        }
        Ok(arguments)
    }

    /// `e...`
    pub(super) fn expansion(&mut self, value: Expr) -> Expr {
        let span = self.span();
        match self.take(Punct::Ellipsis) {
            true => Expr::new(ExprKind::Expansion(Box::new(value)), span),
            false => value,
        }
    }

    /// `12_km`: a call of `operator""_km`.
    fn suffixed(&mut self, value: ExprKind, suffix: &str, span: Span) -> ExprKind {
        let value = match value {
            ExprKind::Integer { value, decimal, .. } => {
                ExprKind::Integer { value, unsigned: true, longs: 2, decimal }
            }
            other => other,
        };
        let symbol = self.symbols.intern(suffix);
        let mut name = Name::plain(symbol, span);
        name.last.id = Identifier::Literal(symbol);
        let function = Box::new(Expr::new(ExprKind::Name(Box::new(name)), span));
        ExprKind::Call { function, arguments: vec![Expr::new(value, span)] }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let span = token.span;
        let kind = match token.kind {
            TokenKind::Number(symbol) => {
                self.at += 1;
                let text = self.symbols.text(symbol).to_owned();
                let (digits, suffix) = text.find('_').map_or((&*text, ""), |at| text.split_at(at));
                match number(digits) {
                    Ok(kind) if suffix.is_empty() => kind,
                    Ok(kind) => self.suffixed(kind, suffix, span),
                    Err(message) => return Err(self.fail(span, message)),
                }
            }
            TokenKind::Char(symbol) => {
                self.at += 1;
                let text = self.symbols.text(symbol);
                match (character(text), characters(text)) {
                    (Ok((value, prefix)), _) => ExprKind::Char { value, prefix },
                    (_, Some(value)) => ExprKind::Integer { value, unsigned: false, longs: 0, decimal: true },
                    (Err(message), None) => return Err(self.fail(span, message)),
                }
            }
            TokenKind::Str(_) => {
                let (bytes, prefix) = self.strings()?;
                ExprKind::String { bytes, prefix }
            }
            TokenKind::Punct(Punct::LeftParen) => return self.parenthesised(),
            TokenKind::Punct(Punct::LeftBracket) => {
                self.enter()?;
                let lambda = self.lambda()?;
                self.leave();
                return Ok(lambda);
            }
            TokenKind::Punct(Punct::ColonColon) => return self.name_or_type(),
            TokenKind::Ident(symbol) => match Keyword::of(symbol) {
                Some(keyword) => return self.word(keyword, span),
                None => return self.name_or_type(),
            },
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Expr::new(kind, span))
    }

    /// An expression that a keyword begins.
    fn word(&mut self, keyword: Keyword, span: Span) -> Parsed<Expr> {
        let kind = match keyword {
            Keyword::True => ExprKind::Bool(true),
            Keyword::False => ExprKind::Bool(false),
            Keyword::Nullptr => ExprKind::Nullptr,
            Keyword::This => ExprKind::This,
            Keyword::Func | Keyword::Function | Keyword::PrettyFunction => {
                let name = self.function.map_or("", |symbol| self.symbols.text(symbol));
                ExprKind::String { bytes: name.as_bytes().into(), prefix: CharPrefix::None }
            }
            Keyword::StaticCast | Keyword::ReinterpretCast | Keyword::ConstCast | Keyword::DynamicCast => {
                return self.named_cast(keyword, span);
            }
            Keyword::BitCast => {
                self.at += 1;
                self.expect(Punct::LeftParen)?;
                let ty = Box::new(self.unangled(|parser| parser.type_id())?);
                self.expect(Punct::Comma)?;
                let operand = Box::new(self.unangled(|parser| parser.assignment())?);
                self.expect(Punct::RightParen)?;
                return Ok(Expr::new(ExprKind::Cast { style: CastStyle::Bits, ty, operand }, span));
            }
            Keyword::Offsetof => return self.offsetof(),
            Keyword::Typeid => {
                self.at += 1;
                self.at = self.closing_of(Punct::LeftParen)? + 1;
                return Ok(Expr::new(ExprKind::Refused { what: "typeid" }, span));
            }
            Keyword::Operator => return self.name_or_type(),
            Keyword::Decltype => {
                let close = self.closing.get(self.at + 1).copied().unwrap_or(0) as usize;
                if close != 0 && self.is_at(close + 1, Punct::ColonColon) {
                    return self.name_or_type();
                }
                return self.construction();
            }
            Keyword::Typename
            | Keyword::Typeof
            | Keyword::TypeofLong
            | Keyword::UnderlyingType
            | Keyword::Auto => {
                return self.construction();
            }
            keyword if is_builtin_word(keyword) => return self.construction(),
            _ => return Err(self.unexpected("a value")),
        };
        self.at += 1;
        Ok(Expr::new(kind, span))
    }

    /// `T(a)`, `T{a}`, where the type is no plain name.
    fn construction(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let start = self.at;
        let mut defined = Vec::new();
        let before = self.specifiers(&mut Vec::new(), &mut defined)?;
        // `name<float>` of a name that nobody declared: not a comparison with a type.
        if !self.is(Punct::LeftParen)
            && !self.is(Punct::LeftBrace)
            && start >= 2
            && self.is_at(start - 1, Punct::Less)
            && let Some(symbol) = self.ident_at(start - 2)
        {
            let name = self.symbols.text(symbol).to_owned();
            let namespace = if start >= 4 && self.is_at(start - 3, Punct::ColonColon) {
                self.ident_at(start - 4).map(|symbol| self.symbols.text(symbol))
            } else {
                None
            };
            let instead = namespace
                .and_then(|namespace| crate::builtins::library_hint(namespace, &name))
                .or_else(|| crate::builtins::instead_of(&name).map(str::to_owned))
                .map_or(String::new(), |text| format!(": {text}"));
            let span = self.token_at(start - 2).span;
            return Err(self.fail(span, format!("there is no template `{name}`{instead}")));
        }
        match before.ty {
            Some(ty) if defined.is_empty() => self.construct(ty, span),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// What stands behind the type of `T(a)` or `T{a}`.
    fn construct(&mut self, ty: Type, span: Span) -> Parsed<Expr> {
        let ty = Box::new(ty);
        let kind = if self.is(Punct::LeftBrace) {
            ExprKind::Construct { ty, arguments: vec![self.list()?], braces: true }
        } else if self.take(Punct::LeftParen) {
            ExprKind::Construct { ty, arguments: self.arguments(Punct::RightParen)?, braces: false }
        } else {
            return Err(self.unexpected("`(` behind a type in an expression"));
        };
        self.grow()?;
        Ok(Expr::new(kind, span))
    }

    /// A name as a value, or a type that makes one.
    fn name_or_type(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if let TokenKind::Ident(symbol) = self.token().kind
            && self.ahead(1).is(Punct::LeftParen)
        {
            let text = self.symbols.text(symbol);
            let trait_name = text.starts_with("__is_") || text.starts_with("__has_");
            if text == "offsetof" && self.scopes.find(symbol).is_none() {
                return self.offsetof();
            }
            if trait_name && self.scopes.find(symbol).is_none() && self.is_type(self.at + 2) {
                return self.type_trait(symbol);
            }
        }
        let (name, entry) = self.name()?;
        let span = name.last.span;
        let type_follows = matches!(self.token().kind, TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace));
        if entry.is_some_and(|entry| entry.is_type()) && type_follows {
            let ty = Type::new(TypeKind::Named(Box::new(name)), self.joined(start));
            return self.construct(ty, span);
        }
        Ok(Expr::new(ExprKind::Name(Box::new(name)), span))
    }

    fn type_trait(&mut self, name: crate::ast::Symbol) -> Parsed<Expr> {
        let span = self.bump().span;
        self.expect(Punct::LeftParen)?;
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.unangled(|parser| parser.type_id())?);
            if !self.take(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RightParen)?;
        self.grow()?;
        Ok(Expr::new(ExprKind::TypeTrait { name, arguments }, span))
    }

    fn named_cast(&mut self, keyword: Keyword, span: Span) -> Parsed<Expr> {
        self.at += 1;
        self.expect(Punct::Less)?;
        let angle = std::mem::replace(&mut self.angle, true);
        let ty = self.type_id();
        self.angle = angle;
        let ty = Box::new(ty?);
        if !self.take(Punct::Greater) {
            return Err(self.unexpected("`>` behind the cast's type"));
        }
        self.expect(Punct::LeftParen)?;
        let operand = Box::new(self.unangled(|parser| parser.expression())?);
        self.expect(Punct::RightParen)?;
        self.grow()?;
        let style = match keyword {
            Keyword::StaticCast => CastStyle::Static,
            Keyword::ReinterpretCast => CastStyle::Reinterpret,
            Keyword::ConstCast => CastStyle::Const,
            _ => return Ok(Expr::new(ExprKind::Refused { what: "dynamic_cast" }, span)),
        };
        Ok(Expr::new(ExprKind::Cast { style, ty, operand }, span))
    }

    fn offsetof(&mut self) -> Parsed<Expr> {
        let span = self.bump().span;
        self.expect(Punct::LeftParen)?;
        let ty = Box::new(self.unangled(|parser| parser.type_id())?);
        self.expect(Punct::Comma)?;
        let mut path = vec![self.expect_ident("a member's name")?];
        while self.take(Punct::Dot) {
            path.push(self.expect_ident("a member's name")?);
        }
        self.expect(Punct::RightParen)?;
        self.grow()?;
        Ok(Expr::new(ExprKind::Offsetof { ty, path }, span))
    }

    /// `(e)`, `(... + e)`, `(e + ...)`, `(e + ... + f)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let open = self.bump().span;
        let result = self.unangled(|parser| {
            if parser.is(Punct::LeftBrace) {
                return Err(parser.fail(
                    open,
                    "statements in expressions, `({ ... })`, are not supported; use a function",
                ));
            }
            if parser.take(Punct::Ellipsis) {
                return parser.fold(None, open);
            }
            let inner = parser.expression()?;
            match parser.is(Punct::RightParen) {
                true => Ok(inner),
                false => parser.fold(Some(inner), open),
            }
        })?;
        self.expect(Punct::RightParen)?;
        self.leave();
        Ok(result)
    }

    /// A fold from its operator on: behind `...`, or behind its left operand.
    fn fold(&mut self, left: Option<Expr>, span: Span) -> Parsed<Expr> {
        let Some((op, assign)) = self.fold_operator() else { return Err(self.unexpected("`)`")) };
        let left_given = left.is_some();
        if left_given {
            if !self.take(Punct::Ellipsis) {
                return Err(self.unexpected("`)`"));
            }
            if self.is(Punct::RightParen) {
                self.grow()?;
                return Ok(Expr::new(
                    ExprKind::Fold { op, assign, left: left.map(Box::new), right: None },
                    span,
                ));
            }
            if self.fold_operator() != Some((op, assign)) {
                return Err(self.unexpected("the fold's operator"));
            }
        }
        let right = Some(Box::new(self.assignment()?));
        self.grow()?;
        Ok(Expr::new(ExprKind::Fold { op, assign, left: left.map(Box::new), right }, span))
    }

    fn fold_operator(&mut self) -> Option<(crate::ast::BinaryOp, bool)> {
        if let Some((op, _, count)) = self.binary_operator() {
            self.at += count;
            return Some((op, false));
        }
        let TokenKind::Punct(punct) = self.token().kind else { return None };
        if punct == Punct::Comma {
            self.at += 1;
            return Some((crate::ast::BinaryOp::Comma, false));
        }
        let op = super::names::assignment_of(punct)?;
        self.at += 1;
        Some((op, true))
    }

    /// String literals, joined.
    pub(super) fn strings(&mut self) -> Parsed<(Rc<[u8]>, CharPrefix)> {
        let mut bytes = Vec::new();
        let mut prefix = CharPrefix::None;
        let start = self.at;
        while let TokenKind::Str(symbol) = self.token().kind {
            match string(self.symbols.text(symbol), &mut bytes) {
                Ok(CharPrefix::None) => {}
                Ok(found) => prefix = found,
                Err(message) => {
                    let span = self.span();
                    return Err(self.fail(span, message));
                }
            }
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected("a string"));
        }
        Ok((bytes.into(), prefix))
    }
}
