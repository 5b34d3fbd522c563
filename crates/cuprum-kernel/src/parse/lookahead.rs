//! Looking ahead without reading: whether a type, a declaration, a list of parameters or of template arguments begins
//! here. Nothing is built and no message is left, but that the looking is counted.

use crate::ast::Symbol;
use crate::lex::{Keyword, Punct, TokenKind};

use super::Parser;
use super::scope::{Entry, Of};

/// A name that was passed over.
pub(super) struct Scanned {
    /// Behind it.
    pub end: usize,
    /// What it is, where that is known.
    pub entry: Option<Entry>,
    /// Its last two parts are the same: a constructor's name.
    pub doubled: bool,
    /// It ends with `~x` or `operator`.
    pub special: bool,
    /// It has a `::`.
    pub qualified: bool,
}

impl Parser<'_> {
    /// Counts tokens that are looked at. Where it is too many the text is made to confuse: reading ends.
    fn look(&mut self, tokens: usize) {
        self.looked += tokens;
        if self.looked > self.tokens.len() * 100 + 1_000_000 && self.at + 1 < self.tokens.len() {
            let span = self.span();
            self.fail(span, "the text cannot be read: too much in it is ambiguous");
            self.at = self.tokens.len() - 1;
        }
    }

    /// Behind the `>` that closes the `<` at this token.
    pub(super) fn skip_angles(&mut self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = open;
        loop {
            let token = self.token_at(at);
            match token.kind {
                TokenKind::Punct(Punct::Less) => {
                    let before = self.token_at(at.wrapping_sub(1));
                    let nested = at == open
                        || match before.kind {
                            TokenKind::Ident(symbol) => match Keyword::of(symbol) {
                                Some(
                                    Keyword::StaticCast
                                    | Keyword::ReinterpretCast
                                    | Keyword::ConstCast
                                    | Keyword::Template,
                                ) => true,
                                Some(_) => false,
                                None => {
                                    self.token_at(at.wrapping_sub(2)).keyword() == Some(Keyword::Template)
                                        || self.scopes.is_template_anywhere(symbol)
                                }
                            },
                            _ => false,
                        };
                    depth += usize::from(nested);
                }
                TokenKind::Punct(Punct::Greater) => {
                    depth -= 1;
                    if depth == 0 {
                        self.look(at - open);
                        return Some(at + 1);
                    }
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => {
                    let end = self.closing[at] as usize;
                    if end == 0 {
                        self.look(at - open);
                        return None;
                    }
                    at = end;
                }
                TokenKind::Punct(
                    Punct::RightParen | Punct::RightBracket | Punct::RightBrace | Punct::Semicolon,
                )
                | TokenKind::Eof => {
                    self.look(at - open);
                    return None;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Passes over `a::b<T>::c`.
    pub(super) fn scan_name(&mut self, start: usize) -> Option<Scanned> {
        let mut at = start;
        let mut scope = None;
        let mut first = true;
        let mut before: Option<Symbol> = None;
        if self.is_at(at, Punct::ColonColon) {
            scope = Some(self.scopes.global());
            first = false;
            at += 1;
        }
        loop {
            self.look(1);
            let forced = self.token_at(at).keyword() == Some(Keyword::Template) && !first;
            at += usize::from(forced);
            let qualified = at > start;
            if self.is_at(at, Punct::Tilde) {
                self.ident_at(at + 1)?;
                return Some(Scanned { end: at + 2, entry: None, doubled: false, special: true, qualified });
            }
            if self.token_at(at).keyword() == Some(Keyword::Operator) {
                return Some(Scanned { end: at, entry: None, doubled: false, special: true, qualified });
            }
            let (symbol, entry) = if first && self.token_at(at).keyword() == Some(Keyword::Decltype) {
                let end = self.closing.get(at + 1).copied().filter(|&end| end != 0)? as usize;
                at = end + 1;
                if !self.is_at(at, Punct::ColonColon) {
                    return None;
                }
                (None, None)
            } else {
                let symbol = self.ident_at(at)?;
                at += 1;
                let entry = match first {
                    true => self.scopes.find(symbol),
                    false => scope.and_then(|scope| self.scopes.find_in(scope, symbol)),
                };
                (Some(symbol), entry)
            };
            if self.is_at(at, Punct::Less)
                && (forced || entry.is_some_and(|entry| entry.is_template()))
                && let Some(end) = self.skip_angles(at)
            {
                at = end;
            }
            if self.is_at(at, Punct::ColonColon) && !self.is_at(at + 1, Punct::Star) {
                before = symbol;
                scope = entry.and_then(|entry| entry.scope);
                first = false;
                at += 1;
                continue;
            }
            let doubled = symbol.is_some() && symbol == before;
            return Some(Scanned { end: at, entry, doubled, special: false, qualified });
        }
    }

    /// Passes over the words of a type, without `*`, `&` and what stands behind them.
    pub(super) fn scan_type(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        let mut seen = false;
        loop {
            let token = self.token_at(at);
            match token.keyword() {
                Some(
                    Keyword::Const
                    | Keyword::ConstLong
                    | Keyword::Volatile
                    | Keyword::VolatileLong
                    | Keyword::Extension,
                ) => at += 1,
                Some(keyword) if is_builtin_word(keyword) => {
                    seen = true;
                    at += 1;
                }
                Some(Keyword::Auto) if !seen => {
                    seen = true;
                    at += 1;
                }
                Some(Keyword::Typename) if !seen => {
                    at = self.scan_name(at + 1)?.end;
                    seen = true;
                }
                Some(Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum) if !seen => {
                    at = self.scan_name(at + 1)?.end;
                    seen = true;
                }
                Some(Keyword::Decltype | Keyword::Typeof | Keyword::TypeofLong | Keyword::UnderlyingType)
                    if !seen =>
                {
                    let end = self.closing.get(at + 1).copied().filter(|&end| end != 0)? as usize;
                    if self.is_at(end + 1, Punct::ColonColon) {
                        return None;
                    }
                    at = end + 1;
                    seen = true;
                }
                Some(_) => break,
                None if !seen
                    && (matches!(token.kind, TokenKind::Ident(_)) || token.is(Punct::ColonColon)) =>
                {
                    match self.scan_name(at) {
                        Some(name) if name.entry.is_some_and(|entry| entry.is_type()) => {
                            at = name.end;
                            seen = true;
                        }
                        // Behind `const` stands a type, known or not.
                        Some(name) if at > start && name.entry.is_none() && !name.special => {
                            at = name.end;
                            seen = true;
                        }
                        _ => break,
                    }
                }
                None => break,
            }
        }
        seen.then_some(at)
    }

    /// Whether a type stands here: in a cast, behind `sizeof`, as a template argument.
    pub(super) fn is_type(&mut self, start: usize) -> bool {
        let Some(end) = self.scan_type(start) else { return false };
        let token = self.token_at(end);
        match token.kind {
            TokenKind::Punct(Punct::LeftParen) => self.is_function_type(end),
            TokenKind::Punct(punct) => matches!(
                punct,
                Punct::RightParen
                    | Punct::Comma
                    | Punct::Greater
                    | Punct::Star
                    | Punct::Amp
                    | Punct::And
                    | Punct::LeftBracket
                    | Punct::Ellipsis
                    | Punct::ColonColon
                    | Punct::Semicolon
                    | Punct::GreaterEqual
            ),
            TokenKind::Ident(_) => matches!(
                token.keyword(),
                Some(
                    Keyword::Const
                        | Keyword::Volatile
                        | Keyword::Restrict
                        | Keyword::RestrictShort
                        | Keyword::ConstLong
                        | Keyword::VolatileLong
                )
            ),
            _ => false,
        }
    }

    /// Whether a type stands behind the `(` here: `>` ends no template's arguments in there.
    pub(super) fn is_type_behind(&mut self, open: usize) -> bool {
        let angle = std::mem::replace(&mut self.angle, false);
        let result = self.is_type(open + 1);
        self.angle = angle;
        result
    }

    /// Whether the `(` here begins a cast to a type that is not known: it could be nothing else, and the checker will say
    /// that it is not known.
    pub(super) fn is_unknown_cast(&mut self, open: usize) -> bool {
        let Some(symbol) = self.ident_at(open + 1) else { return false };
        let close = self.closing[open] as usize;
        if close == 0 || self.scopes.find(symbol).is_some() {
            return false;
        }
        if self.is_at(close - 1, Punct::Star) {
            return (open + 2..close).all(|at| self.is_pointer_mark(at));
        }
        close == open + 2
            && match self.token_at(close + 1).kind {
                TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::Str(_) => true,
                TokenKind::Ident(_) => self.token_at(close + 1).keyword().is_none(),
                _ => false,
            }
    }

    /// Whether the `(` behind a type goes on with it: `int (*)(float)`, `int(float)`, but not `int(x)`.
    fn is_function_type(&mut self, open: usize) -> bool {
        match self.token_at(open + 1).kind {
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::And) => {
                // `float(*p)` is a value; a pointer's declarator ends in `*)` or `&)`.
                let close = self.closing[open] as usize;
                let mut at = open + 1;
                while at < close && self.is_pointer_mark(at) {
                    at += 1;
                }
                close != 0 && at == close
            }
            TokenKind::Punct(Punct::RightParen) => self.angle && self.ends_argument(self.closing[open]),
            _ => self.angle && self.ends_argument(self.closing[open]) && self.is_type(open + 1),
        }
    }

    /// Whether a template argument, or a part of its type, ends behind the bracket that closes there: `f<int()>`, but
    /// not `f<Int<1>() + 2>`.
    fn ends_argument(&self, close: u32) -> bool {
        let token = self.token_at(close as usize + 1);
        close != 0
            && match token.kind {
                TokenKind::Punct(punct) => matches!(
                    punct,
                    Punct::RightParen
                        | Punct::Comma
                        | Punct::Greater
                        | Punct::Ellipsis
                        | Punct::Semicolon
                        | Punct::GreaterEqual
                ),
                _ => token.keyword().is_some(),
            }
    }

    fn is_pointer_mark(&self, at: usize) -> bool {
        let token = self.token_at(at);
        matches!(token.kind, TokenKind::Punct(Punct::Star | Punct::Amp | Punct::And))
            || matches!(
                token.keyword(),
                Some(Keyword::Const | Keyword::Volatile | Keyword::Restrict | Keyword::RestrictShort)
            )
    }

    /// Whether the `(` at this token begins a function's parameters and not a variable's value.
    pub(super) fn is_parameters(&mut self, open: usize) -> bool {
        let first = open + 1;
        let token = self.token_at(first);
        match token.kind {
            TokenKind::Punct(Punct::RightParen | Punct::Ellipsis) => return true,
            TokenKind::Punct(Punct::LeftBracket) if self.is_at(first + 1, Punct::LeftBracket) => return true,
            TokenKind::Ident(_)
                if matches!(
                    token.keyword(),
                    Some(
                        Keyword::GridConstant
                            | Keyword::Register
                            | Keyword::Const
                            | Keyword::ConstLong
                            | Keyword::Volatile
                            | Keyword::VolatileLong
                    )
                ) =>
            {
                return true;
            }
            _ => {}
        }
        let Some(end) = self.scan_type(first) else {
            // An unknown type before a name: the checker will say that it is unknown.
            let Some(symbol) = self.ident_at(first) else { return false };
            if let Some(mut end) =
                self.scan_name(first).filter(|name| name.entry.is_none()).map(|name| name.end)
            {
                if self.is_at(end, Punct::Less) {
                    end = self.skip_angles(end).unwrap_or(end);
                }
                if matches!(self.token_at(end).kind, TokenKind::Ident(_)) {
                    return true;
                }
            }
            let next = self.token_at(first + 1);
            return match next.kind {
                TokenKind::Ident(_) => true,
                // In a block a value is the better guess: some names are known to the checker alone.
                _ if self.scopes.of(self.scopes.home()) == Of::Block => false,
                TokenKind::Punct(Punct::LeftParen) => {
                    self.scopes.find(symbol).is_none() && self.is_at(first + 2, Punct::Amp)
                }
                TokenKind::Punct(Punct::Star | Punct::Amp) => {
                    self.scopes.find(symbol).is_none()
                        && matches!(self.token_at(first + 2).kind, TokenKind::Ident(_))
                }
                _ => false,
            };
        };
        match self.token_at(end).kind {
            TokenKind::Punct(Punct::LeftParen) => {
                matches!(self.token_at(end + 1).kind, TokenKind::Punct(Punct::Star | Punct::Amp | Punct::And))
            }
            TokenKind::Punct(punct) => !matches!(punct, Punct::LeftBrace | Punct::Dot),
            _ => true,
        }
    }

    /// Whether a declaration begins here, where a statement is expected.
    pub(super) fn is_declaration(&mut self) -> bool {
        let start = self.at;
        let token = self.token();
        match token.keyword() {
            Some(
                Keyword::Typedef
                | Keyword::Using
                | Keyword::StaticAssert
                | Keyword::StaticAssertC
                | Keyword::Static
                | Keyword::Extern
                | Keyword::Register
                | Keyword::ThreadLocal
                | Keyword::Constexpr
                | Keyword::Constinit
                | Keyword::Inline
                | Keyword::Const
                | Keyword::ConstLong
                | Keyword::Volatile
                | Keyword::VolatileLong
                | Keyword::Auto
                | Keyword::Struct
                | Keyword::Class
                | Keyword::Union
                | Keyword::Enum
                | Keyword::Shared
                | Keyword::Device
                | Keyword::Constant
                | Keyword::Managed
                | Keyword::Align
                | Keyword::Alignas
                | Keyword::Namespace
                | Keyword::Template,
            ) => return true,
            Some(Keyword::Attribute) => {
                let end = self.closing.get(start + 1).copied().unwrap_or(0) as usize;
                return end != 0 && !self.is_at(end + 1, Punct::Semicolon);
            }
            _ => {}
        }
        let Some(end) = self.scan_type(start) else {
            // `unknown x`, `unknown *x =`: an unknown type is the better guess, of which the checker complains by name.
            let Some(name) = self.scan_name(start).filter(|name| !name.special) else { return false };
            if name.entry.is_some_and(|entry| !entry.is_type()) {
                return false;
            }
            let mut next = name.end;
            if name.entry.is_none()
                && self.is_at(next, Punct::Less)
                && let Some(end) = self.skip_angles(next)
            {
                next = end;
            }
            return self.ident_at(next).is_some()
                || (!name.qualified
                    && name.entry.is_none()
                    && (self.is_at(next, Punct::Star) || self.is_at(next, Punct::Amp))
                    && self.ident_at(next + 1).is_some()
                    && self.is_at(next + 2, Punct::Assign));
        };
        match self.token_at(end).kind {
            TokenKind::Punct(Punct::LeftBrace | Punct::Dot | Punct::ColonColon) => false,
            TokenKind::Punct(Punct::LeftParen) => {
                // `T (*p)[3] = ...` declares, `T(x).f()` does not; `T(x) = 1` and `T(x);` do.
                let close = self.closing[end] as usize;
                if close == end + 2 && self.ident_at(end + 1).is_some() {
                    return matches!(
                        self.token_at(close + 1).kind,
                        TokenKind::Punct(Punct::Assign | Punct::Semicolon | Punct::LeftBracket)
                    );
                }
                matches!(self.token_at(end + 1).kind, TokenKind::Punct(Punct::Star | Punct::Amp | Punct::And))
                    && close != 0
                    && matches!(
                        self.token_at(close + 1).kind,
                        TokenKind::Punct(
                            Punct::LeftBracket | Punct::LeftParen | Punct::Assign | Punct::Semicolon
                        )
                    )
                    && self.ident_at(close - 1).is_some()
            }
            _ => true,
        }
    }

    /// Whether what begins here declares a function without a type before its name: a constructor, a destructor or a
    /// conversion.
    pub(super) fn is_untyped_function(&mut self) -> bool {
        let start = self.at;
        let token = self.token();
        if token.is(Punct::Tilde) || token.keyword() == Some(Keyword::Operator) {
            return true;
        }
        if let Some(symbol) = self.ident_at(start)
            && self.is_at(start + 1, Punct::LeftParen)
        {
            let member = self.scopes.of(self.scopes.home()) == Of::Record;
            return member && self.records.last() == Some(&symbol);
        }
        match self.scan_name(start) {
            Some(name) if name.special => name.qualified,
            Some(name) => name.doubled && name.qualified && self.is_at(name.end, Punct::LeftParen),
            None => false,
        }
    }

    /// Whether `<` behind a name that is not known begins template arguments: they end, and a call follows.
    pub(super) fn is_unknown_template(&mut self, open: usize) -> bool {
        let Some(end) = self.skip_angles(open) else { return false };
        let plain = (open..end).all(|at| !self.is_at(at, Punct::And) && !self.is_at(at, Punct::Or));
        plain && (self.is_at(end, Punct::LeftParen) || self.is_at(end, Punct::ColonColon))
    }
}

/// Whether a keyword is a word of a built-in type.
pub(super) fn is_builtin_word(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Void
            | Keyword::Bool
            | Keyword::Char
            | Keyword::Char16
            | Keyword::Char32
            | Keyword::WideChar
            | Keyword::Short
            | Keyword::Int
            | Keyword::Long
            | Keyword::Signed
            | Keyword::SignedLong
            | Keyword::Unsigned
            | Keyword::Float
            | Keyword::Double
            | Keyword::Int128
            | Keyword::Int128Long
            | Keyword::UnsignedInt128
    )
}
