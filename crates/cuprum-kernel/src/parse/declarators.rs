//! Declarators: `*p`, `a[3]`, `(*f)(int)`, with the name inside, and types without one.

use crate::Span;
use crate::ast::{Name, Parameter, Type, TypeKind};
use crate::lex::{Keyword, Punct, TokenKind};

use super::scope::{Of, ScopeId};
use super::{MAX_DECLARATORS, Parsed, Parser};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// It has to.
    Named,
    /// It must not: a type.
    Abstract,
    /// It may: a parameter.
    Either,
}

/// A declarator and the type that it makes.
pub(super) struct Declarator {
    pub name: Option<Name>,
    pub ty: Type,
    /// `...` before the name.
    pub pack: bool,
    /// `const` behind a function's parameters.
    pub constant: bool,
    /// `&&` behind a function's parameters.
    pub rvalue: bool,
    /// The scope of a qualified name.
    pub scope: Option<ScopeId>,
    pub span: Span,
}

impl Parser<'_> {
    /// A type by itself.
    pub(super) fn type_id(&mut self) -> Parsed<Type> {
        self.enter()?;
        let mut defined = Vec::new();
        let start = self.span();
        let before = self.specifiers(&mut Vec::new(), &mut defined)?;
        if !defined.is_empty() {
            return Err(self.fail(start, "a type cannot be defined here; define it before"));
        }
        let Some(base) = before.ty else { return Err(self.unexpected("a type")) };
        let declarator = self.declarator(base, Naming::Abstract)?;
        self.leave();
        Ok(declarator.ty)
    }

    /// The type behind `operator`: without brackets, which are the function's own.
    pub(super) fn conversion_type(&mut self) -> Parsed<Type> {
        let mut defined = Vec::new();
        let before = self.specifiers(&mut Vec::new(), &mut defined)?;
        let Some(base) = before.ty.filter(|_| defined.is_empty()) else {
            return Err(self.unexpected("an operator or a type behind `operator`"));
        };
        self.pointers(base)
    }

    /// `*`, `&`, `&&`, `C::*` with their `const`.
    pub(super) fn pointers(&mut self, mut ty: Type) -> Parsed<Type> {
        for count in 0.. {
            let span = self.span();
            let kind = if self.take(Punct::Star) {
                TypeKind::Pointer { to: Box::new(ty), restrict: false }
            } else if self.take(Punct::Amp) {
                TypeKind::Reference { to: Box::new(ty), restrict: false }
            } else if self.take(Punct::And) {
                TypeKind::RvalueReference(Box::new(ty))
            } else if self.is_member_pointer() {
                let (class, _) = self.name()?;
                self.expect(Punct::ColonColon)?;
                self.expect(Punct::Star)?;
                TypeKind::MemberPointer { class: Box::new(class), to: Box::new(ty) }
            } else {
                return Ok(ty);
            };
            if count >= MAX_DECLARATORS {
                return Err(self.fail(span, format!("the type has more than {MAX_DECLARATORS} `*`")));
            }
            ty = Type::new(kind, span);
            self.qualifiers(&mut ty)?;
        }
        Ok(ty)
    }

    fn qualifiers(&mut self, ty: &mut Type) -> Parsed<()> {
        loop {
            match self.token().keyword() {
                Some(Keyword::Const | Keyword::ConstLong) => ty.constant = true,
                Some(Keyword::Volatile | Keyword::VolatileLong) => ty.volatile = true,
                Some(Keyword::Restrict | Keyword::RestrictShort) => match &mut ty.kind {
                    TypeKind::Pointer { restrict, .. } | TypeKind::Reference { restrict, .. } => {
                        *restrict = true
                    }
                    _ => {}
                },
                Some(Keyword::Attribute | Keyword::Alignas | Keyword::Align) => {
                    self.attributes(&mut Vec::new())?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    /// `C::*` stands here.
    fn is_member_pointer(&mut self) -> bool {
        if self.ident_at(self.at).is_none() && !self.is(Punct::ColonColon) {
            return false;
        }
        let next = self.ahead(1);
        if !next.is(Punct::ColonColon) && !next.is(Punct::Less) && !self.is(Punct::ColonColon) {
            return false;
        }
        match self.scan_name(self.at) {
            Some(name) => self.is_at(name.end, Punct::ColonColon) && self.is_at(name.end + 1, Punct::Star),
            None => false,
        }
    }

    /// Reads a declarator on a type.
    pub(super) fn declarator(&mut self, base: Type, naming: Naming) -> Parsed<Declarator> {
        self.enter()?;
        let ty = self.pointers(base)?;
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let pack = naming != Naming::Abstract && self.take(Punct::Ellipsis);
        let mut declarator = Declarator {
            name: None,
            ty,
            pack,
            constant: false,
            rvalue: false,
            scope: None,
            span: self.span(),
        };
        if self.is(Punct::LeftParen) && self.is_nested_declarator(naming) {
            // What stands behind the parentheses is applied first: it is read first, and then what is inside them.
            let close = self.closing_of(Punct::LeftParen)?;
            let inside = self.at + 1;
            self.at = close + 1;
            self.suffixes(&mut declarator, naming)?;
            let end = self.at;
            self.at = inside;
            let ty = std::mem::replace(&mut declarator.ty, placeholder(declarator.span));
            let inner = self.declarator(ty, naming)?;
            if self.at != close {
                return Err(self.unexpected("`)`"));
            }
            self.at = end;
            declarator.name = inner.name;
            declarator.ty = inner.ty;
            declarator.pack |= inner.pack;
            declarator.scope = inner.scope;
            declarator.span = inner.span;
            self.leave();
            return Ok(declarator);
        }
        if naming != Naming::Abstract {
            self.declarator_name(&mut declarator)?;
        }
        if naming == Naming::Named && declarator.name.is_none() {
            return Err(self.unexpected("a name"));
        }
        self.attributes(&mut ignored)?;
        self.suffixes(&mut declarator, naming)?;
        self.leave();
        Ok(declarator)
    }

    fn declarator_name(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        let token = self.token();
        let plain = self.ident_at(self.at);
        if let Some(symbol) = plain
            && !matches!(self.ahead(1).kind, TokenKind::Punct(Punct::ColonColon | Punct::Less))
        {
            self.at += 1;
            declarator.name = Some(Name::plain(symbol, token.span));
            declarator.span = token.span;
            return Ok(());
        }
        let special = token.keyword() == Some(Keyword::Operator) || token.is(Punct::Tilde);
        if plain.is_none() && !special && !token.is(Punct::ColonColon) {
            return Ok(());
        }
        // A template parameter's name in `template <typename T, T>`, or a name that `<` only compares.
        if let Some(symbol) = plain
            && self.ahead(1).is(Punct::Less)
            && !self.scopes.find(symbol).is_some_and(|entry| entry.is_template())
        {
            self.at += 1;
            declarator.name = Some(Name::plain(symbol, token.span));
            declarator.span = token.span;
            return Ok(());
        }
        let (name, _) = self.name()?;
        declarator.span = name.last.span;
        if !name.qualifier.is_empty() || name.global {
            declarator.scope = self.scope_of(&name);
        }
        declarator.name = Some(name);
        Ok(())
    }

    /// The scope before a name's last `::`.
    fn scope_of(&self, name: &Name) -> Option<ScopeId> {
        let mut scope = name.global.then(|| self.scopes.global());
        for (index, part) in name.qualifier.iter().enumerate() {
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

    /// Whether the `(` here stands around a declarator and not around parameters.
    fn is_nested_declarator(&mut self, naming: Naming) -> bool {
        let next = self.ahead(1);
        match next.kind {
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::And) => true,
            TokenKind::Punct(Punct::LeftParen) => naming != Naming::Abstract,
            _ => match naming {
                Naming::Named => true,
                Naming::Abstract => false,
                Naming::Either => self.ident_at(self.at + 1).is_some() && !self.is_parameters(self.at),
            },
        }
    }

    /// `[n]` and `(parameters)` behind a declarator.
    fn suffixes(&mut self, declarator: &mut Declarator, naming: Naming) -> Parsed<()> {
        let span = declarator.span;
        if self.is(Punct::LeftParen) {
            let member = self.scopes.of(self.scopes.home()) == Of::Record;
            let function = member || naming != Naming::Named || self.is_parameters(self.at);
            if function {
                return self.function_suffix(declarator);
            }
            return Ok(());
        }
        let mut lengths = Vec::new();
        while self.is(Punct::LeftBracket) && !self.ahead(1).is(Punct::LeftBracket) {
            self.at += 1;
            while matches!(
                self.token().keyword(),
                Some(Keyword::Restrict | Keyword::RestrictShort | Keyword::Const | Keyword::Static)
            ) {
                self.at += 1;
            }
            let length = match self.is(Punct::RightBracket) {
                true => None,
                false => Some(Box::new(self.unangled(|parser| parser.expression())?)),
            };
            self.expect(Punct::RightBracket)?;
            lengths.push(length);
            if lengths.len() > MAX_DECLARATORS {
                return Err(self.fail(span, format!("the array has more than {MAX_DECLARATORS} dimensions")));
            }
        }
        for length in lengths.into_iter().rev() {
            let element = std::mem::replace(&mut declarator.ty, placeholder(span));
            declarator.ty = Type::new(TypeKind::Array { element: Box::new(element), length }, span);
        }
        Ok(())
    }

    /// `(parameters) const noexcept -> T`
    fn function_suffix(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        let span = declarator.span;
        if let Some(scope) = declarator.scope {
            self.scopes.open(scope);
        }
        self.expect(Punct::LeftParen)?;
        let (parameters, variadic) = self.unangled(|parser| parser.parameters())?;
        loop {
            match self.token().keyword() {
                Some(Keyword::Const | Keyword::ConstLong) => declarator.constant = true,
                Some(Keyword::Volatile | Keyword::VolatileLong) => {}
                Some(Keyword::Noexcept | Keyword::Throw) => {
                    if self.ahead(1).is(Punct::LeftParen) {
                        self.at += 1;
                        self.at = self.closing_of(Punct::LeftParen)?;
                    }
                }
                Some(Keyword::Attribute) => {
                    self.attributes(&mut Vec::new())?;
                    continue;
                }
                _ if self.is(Punct::Amp) => {}
                _ if self.is(Punct::And) => declarator.rvalue = true,
                _ if self.is(Punct::LeftBracket) && self.ahead(1).is(Punct::LeftBracket) => {
                    self.attributes(&mut Vec::new())?;
                    continue;
                }
                _ => match self.token().kind {
                    TokenKind::Ident(symbol) if matches!(self.symbols.text(symbol), "override" | "final") => {
                    }
                    _ => break,
                },
            }
            self.at += 1;
        }
        let mut result = std::mem::replace(&mut declarator.ty, placeholder(span));
        if self.take(Punct::Arrow) {
            result = self.type_id()?;
        }
        if declarator.scope.is_some() {
            self.scopes.close();
        }
        declarator.ty =
            Type::new(TypeKind::Function { result: Box::new(result), parameters, variadic }, span);
        Ok(())
    }

    /// Parameters up to and with the `)`.
    pub(super) fn parameters(&mut self) -> Parsed<(Vec<Parameter>, bool)> {
        let mut parameters = Vec::new();
        if self.take(Punct::RightParen) {
            return Ok((parameters, false));
        }
        if self.is_keyword(Keyword::Void) && self.ahead(1).is(Punct::RightParen) {
            self.at += 2;
            return Ok((parameters, false));
        }
        loop {
            if self.take(Punct::Ellipsis) {
                self.expect(Punct::RightParen)?;
                return Ok((parameters, true));
            }
            parameters.push(self.parameter()?);
            if self.take(Punct::RightParen) {
                return Ok((parameters, false));
            }
            if self.is(Punct::Ellipsis) {
                continue;
            }
            if !self.take(Punct::Comma) {
                return Err(self.unexpected("`,` or `)` behind a parameter"));
            }
        }
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let mut defined = Vec::new();
        let start = self.span();
        let before = self.specifiers(&mut Vec::new(), &mut defined)?;
        if !defined.is_empty() {
            return Err(self.fail(start, "a type cannot be defined here; define it before"));
        }
        let Some(base) = before.ty else { return Err(self.unexpected("a parameter's type")) };
        let declarator = self.declarator(base, Naming::Either)?;
        let default = match self.take(Punct::Assign) {
            true => Some(self.initialiser_clause()?),
            false => None,
        };
        let name = match declarator.name {
            Some(name) => match name.as_plain() {
                Some(symbol) => Some(symbol),
                None => return Err(self.fail(name.span, "a parameter's name is one identifier")),
            },
            None => None,
        };
        let span = if name.is_some() { declarator.span } else { start };
        Ok(Parameter { name, ty: declarator.ty, default, pack: declarator.pack, span })
    }
}

/// A type that is replaced at once.
pub(super) fn placeholder(span: Span) -> Type {
    Type::new(TypeKind::Builtin(crate::ast::Builtin::Void), span)
}
