//! Macros: their expansion, their arguments, `#` and `##`.
//!
//! A macro's replacement is a list that is read before what follows; while it is read its name is not expanded, and
//! a name met then stays as it is for good.

use std::rc::Rc;

use crate::Span;
use crate::ast::Symbol;
use crate::lex::{Punct, Token, TokenKind, lex};

use super::{Definition, List, MAX_ARGUMENT_DEPTH, MAX_SPELLING, Macro, Piece, Preprocessor};

/// An argument as written, and expanded where that was needed.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Rc<[Token]>>,
}

impl Preprocessor<'_> {
    /// The next token with all macros expanded.
    pub(super) fn next_expanded(&mut self) -> Token {
        loop {
            let token = self.next_raw();
            let TokenKind::Ident(symbol) = token.kind else { return token };
            let Some(definition) =
                self.macros.get(symbol.0 as usize).and_then(|slot| slot.definition.clone())
            else {
                if self.symbols.text(symbol) == "_Pragma" && self.pragma_operator(token.span) {
                    continue;
                }
                return token;
            };
            if token.painted {
                return token;
            }
            match definition {
                Macro::Itself => return token,
                Macro::Line => return self.number_token(token, token.span.line),
                Macro::Counter => {
                    self.counter += 1;
                    return self.number_token(token, self.counter - 1);
                }
                Macro::File => {
                    let name = self.sources.get(token.span.file).map_or("", |source| source.name.as_str());
                    let text = quote(name);
                    return Token { kind: TokenKind::Str(self.symbols.intern(&text)), ..token };
                }
                Macro::Defined(definition) => {
                    if !self.expand(token, symbol, &definition) {
                        return token;
                    }
                }
            }
        }
    }

    fn number_token(&mut self, token: Token, value: u32) -> Token {
        Token { kind: TokenKind::Number(self.symbols.intern(&value.to_string())), ..token }
    }

    /// Expands tokens by themselves.
    pub(super) fn expand_all(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        if !tokens
            .iter()
            .any(|token| matches!(token.kind, TokenKind::Ident(symbol) if self.is_expandable(symbol)))
        {
            self.steps += tokens.len();
            return tokens;
        }
        let span = tokens.first().map_or(Span::default(), |token| token.span);
        if self.lists.iter().filter(|list| list.wall).count() >= MAX_ARGUMENT_DEPTH {
            self.stop(
                span,
                format!("macros stand in each other's arguments more than {MAX_ARGUMENT_DEPTH} deep"),
            );
            return Vec::new();
        }
        self.lists.push(List { tokens, at: 0, of: None, wall: true });
        let depth = self.lists.len();
        let mut expanded = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.kind == TokenKind::Eof {
                break;
            }
            if !self.work(1, token.span) {
                break;
            }
            expanded.push(token);
        }
        // Lists above the wall are read to their ends, but where a limit has stopped the reading.
        while self.lists.len() >= depth {
            if let Some(symbol) = self.lists.pop().and_then(|list| list.of) {
                self.slot(symbol).active -= 1;
            }
        }
        expanded
    }

    fn is_expandable(&self, symbol: Symbol) -> bool {
        self.is_defined(symbol) || self.symbols.text(symbol) == "_Pragma"
    }

    /// Puts a macro's replacement before what follows; false where it is a function's name without a call.
    fn expand(&mut self, name: Token, symbol: Symbol, definition: &Rc<Definition>) -> bool {
        let mut arguments = Vec::new();
        if definition.function {
            let next = self.next_raw();
            if !next.is(Punct::LeftParen) {
                if next.kind != TokenKind::Eof {
                    self.lists.push(List { tokens: vec![next], at: 0, of: None, wall: false });
                }
                return false;
            }
            match self.arguments(name, symbol, definition) {
                Some(read) => arguments = read,
                None => return true,
            }
        }
        let mut tokens = Vec::with_capacity(definition.body.len());
        self.substitute(&definition.body, definition, &mut arguments, name.span, &mut tokens);
        let mut tokens = if tokens.iter().any(|token| token.kind == TokenKind::Paste) {
            self.paste_all(tokens)
        } else {
            tokens
        };
        tokens.retain(|token| token.kind != TokenKind::Placemarker);
        if let Some(first) = tokens.first_mut() {
            first.space = name.space;
            first.first = name.first;
        }
        if !self.work(tokens.len() + 1, name.span) {
            return true;
        }
        self.slot(symbol).active += 1;
        self.lists.push(List { tokens, at: 0, of: Some(symbol), wall: false });
        true
    }

    /// Reads the arguments behind `(`; `None`, with a message, where they are not right.
    fn arguments(&mut self, name: Token, symbol: Symbol, definition: &Definition) -> Option<Vec<Argument>> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.next_raw();
            match token.kind {
                TokenKind::Eof => {
                    let message =
                        format!("the arguments of the macro `{}` have no `)`", self.symbols.text(symbol));
                    self.error(name.span, message);
                    return None;
                }
                TokenKind::Punct(Punct::RightParen) if depth == 0 => break,
                TokenKind::Punct(Punct::RightParen) => depth -= 1,
                TokenKind::Punct(Punct::LeftParen) => depth += 1,
                TokenKind::Punct(Punct::Comma)
                    if depth == 0
                        && !(definition.variadic && arguments.len() == definition.parameters.len()) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if !self.work(1, token.span) {
                return None;
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        let wanted = definition.parameters.len();
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == wanted {
            arguments.push(Vec::new());
        }
        if arguments.len() != wanted {
            let message = format!(
                "the macro `{}` takes {wanted} argument{}, not {}",
                self.symbols.text(symbol),
                if wanted == 1 { "" } else { "s" },
                arguments.len()
            );
            self.error(name.span, message);
            return None;
        }
        Some(arguments.into_iter().map(|raw| Argument { raw, expanded: None }).collect())
    }

    /// Writes a replacement with its arguments in place; `##` is left as [`TokenKind::Paste`].
    fn substitute(
        &mut self,
        body: &[Piece],
        definition: &Definition,
        arguments: &mut [Argument],
        span: Span,
        tokens: &mut Vec<Token>,
    ) {
        let mut at = 0;
        while at < body.len() {
            if self.stopped {
                return;
            }
            let piece = body[at];
            let after = body.get(at + 1).map(|next| next.kind);
            let pasted = after == Some(TokenKind::Paste) || (at > 0 && body[at - 1].kind == TokenKind::Paste);
            match piece.kind {
                TokenKind::Punct(Punct::Hash) if definition.function => {
                    if let Some(TokenKind::Parameter(position)) = after {
                        let token = self.stringify(&arguments[position as usize].raw, span, piece.space);
                        tokens.push(token);
                        at += 2;
                        continue;
                    }
                    if let Some(end) = self.option_end(body, at + 1) {
                        let mut inner = Vec::new();
                        if self.has_variadic(definition, arguments) {
                            self.substitute(&body[at + 3..end], definition, arguments, span, &mut inner);
                            inner = self.paste_all(inner);
                        }
                        let token = self.stringify(&inner, span, piece.space);
                        tokens.push(token);
                        at = end + 1;
                        continue;
                    }
                    tokens.push(place(piece, span));
                }
                TokenKind::Ident(_) if definition.variadic && self.option_end(body, at).is_some() => {
                    let end = self.option_end(body, at).unwrap_or(at);
                    if self.has_variadic(definition, arguments) {
                        let from = tokens.len();
                        self.substitute(&body[at + 2..end], definition, arguments, span, tokens);
                        if let Some(first) = tokens.get_mut(from) {
                            first.space = piece.space;
                        }
                    } else {
                        tokens.push(Token::new(TokenKind::Placemarker, span));
                    }
                    at = end + 1;
                    continue;
                }
                TokenKind::Parameter(position) => {
                    let index = position as usize;
                    let last = definition.variadic && index + 1 == definition.parameters.len();
                    let comma = last
                        && at >= 2
                        && body[at - 1].kind == TokenKind::Paste
                        && body[at - 2].kind == TokenKind::Punct(Punct::Comma);
                    if comma {
                        // `, ## __VA_ARGS__`: without arguments the comma goes too.
                        tokens.pop();
                        if arguments[index].raw.is_empty() {
                            tokens.pop();
                        } else {
                            self.argument(index, arguments, piece, span, tokens);
                        }
                    } else if pasted {
                        let raw = &arguments[index].raw;
                        if raw.is_empty() {
                            tokens.push(Token::new(TokenKind::Placemarker, span));
                        }
                        if !self.work(raw.len(), span) {
                            return;
                        }
                        let from = tokens.len();
                        tokens.extend_from_slice(raw);
                        if let Some(first) = tokens.get_mut(from) {
                            first.space = piece.space;
                        }
                    } else {
                        self.argument(index, arguments, piece, span, tokens);
                    }
                }
                _ => tokens.push(place(piece, span)),
            }
            at += 1;
        }
    }

    /// Writes an argument, expanded.
    fn argument(
        &mut self,
        index: usize,
        arguments: &mut [Argument],
        piece: Piece,
        span: Span,
        tokens: &mut Vec<Token>,
    ) {
        let expanded = match &arguments[index].expanded {
            Some(expanded) => expanded.clone(),
            None => {
                let raw = arguments[index].raw.clone();
                let expanded: Rc<[Token]> = self.expand_all(raw).into();
                arguments[index].expanded = Some(expanded.clone());
                expanded
            }
        };
        if !self.work(expanded.len(), span) {
            return;
        }
        let from = tokens.len();
        tokens.extend_from_slice(&expanded);
        match tokens.get_mut(from) {
            Some(first) => first.space = piece.space,
            None => tokens.push(Token::new(TokenKind::Placemarker, span)),
        }
    }

    /// Where the `)` of a `__VA_OPT__(` is that begins there.
    fn option_end(&self, body: &[Piece], at: usize) -> Option<usize> {
        match body.get(at)?.kind {
            TokenKind::Ident(symbol) if self.symbols.text(symbol) == "__VA_OPT__" => {}
            _ => return None,
        }
        let mut depth = 0usize;
        for (index, piece) in body.iter().enumerate().skip(at + 1) {
            match piece.kind {
                TokenKind::Punct(Punct::LeftParen) => depth += 1,
                TokenKind::Punct(Punct::RightParen) if depth == 1 => return Some(index),
                TokenKind::Punct(Punct::RightParen) => depth = depth.saturating_sub(1),
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn has_variadic(&self, definition: &Definition, arguments: &[Argument]) -> bool {
        definition.variadic && arguments.last().is_some_and(|last| !last.raw.is_empty())
    }

    /// `#x`
    fn stringify(&mut self, tokens: &[Token], span: Span, space: bool) -> Token {
        let mut text = String::new();
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            let spelling = token.spelling(&self.symbols);
            match token.kind {
                TokenKind::Str(_) | TokenKind::Char(_) => {
                    for c in spelling.chars() {
                        if matches!(c, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(c);
                    }
                }
                _ => text.push_str(spelling),
            }
            if text.len() > MAX_SPELLING {
                self.stop(span, format!("`#` makes a string of more than {MAX_SPELLING} bytes"));
                break;
            }
        }
        self.work(text.len() / 8, span);
        let symbol = self.symbols.intern(&format!("\"{text}\""));
        Token { space, ..Token::new(TokenKind::Str(symbol), span) }
    }

    /// Joins what stands on both sides of each `##`.
    fn paste_all(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
        let mut rest = tokens.into_iter();
        while let Some(token) = rest.next() {
            if token.kind != TokenKind::Paste {
                joined.push(token);
                continue;
            }
            match (joined.pop(), rest.next()) {
                (Some(left), Some(right)) => self.paste(left, right, &mut joined),
                (left, right) => joined.extend(left.into_iter().chain(right)),
            }
        }
        joined
    }

    fn paste(&mut self, left: Token, right: Token, joined: &mut Vec<Token>) {
        match (left.kind, right.kind) {
            (TokenKind::Placemarker, _) => joined.push(Token { space: left.space, ..right }),
            (_, TokenKind::Placemarker) => joined.push(left),
            _ => {
                let text = format!("{}{}", left.spelling(&self.symbols), right.spelling(&self.symbols));
                if text.len() > MAX_SPELLING {
                    self.stop(left.span, format!("`##` makes a token of more than {MAX_SPELLING} bytes"));
                    return;
                }
                if !self.work(1 + text.len() / 8, left.span) {
                    return;
                }
                let made = lex(&text, left.span.file, &mut self.symbols);
                let made = &made[..made.len() - 1];
                // `>` and `>` are two tokens that the parser takes for one.
                let shift =
                    made.iter().all(|token| token.is(Punct::Greater) || token.is(Punct::GreaterEqual));
                if made.is_empty() || (made.len() > 1 && !shift) {
                    self.error(left.span, format!("`##` makes `{text}`, which is no token"));
                    joined.extend([left, right]);
                    return;
                }
                for (index, token) in made.iter().enumerate() {
                    let space = index == 0 && left.space;
                    joined.push(Token { span: left.span, space, first: false, ..*token });
                }
            }
        }
    }

    /// `_Pragma("...")`; false where it is not that, and nothing was read.
    fn pragma_operator(&mut self, span: Span) -> bool {
        let open = self.next_raw();
        if !open.is(Punct::LeftParen) {
            if open.kind != TokenKind::Eof {
                self.lists.push(List { tokens: vec![open], at: 0, of: None, wall: false });
            }
            return false;
        }
        let text = self.next_raw();
        let close = self.next_raw();
        let (TokenKind::Str(symbol), true) = (text.kind, close.is(Punct::RightParen)) else {
            self.error(span, "`_Pragma` takes one string");
            return true;
        };
        let spelling = self.symbols.text(symbol);
        let inner =
            spelling.trim_start_matches('L').trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
        let mut tokens = lex(&inner, span.file, &mut self.symbols);
        tokens.pop();
        for token in &mut tokens {
            token.span = span;
            token.first = false;
        }
        self.pragma(span, &tokens);
        true
    }
}

fn place(piece: Piece, span: Span) -> Token {
    Token { space: piece.space, ..Token::new(piece.kind, span) }
}

/// A name as a string literal.
fn quote(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}
