//! Directives: everything that starts with `#`.

use std::rc::Rc;

use crate::lex::{Punct, Token, TokenKind, lex};
use crate::{FileId, Span};

use super::{Condition, Definition, List, MAX_INCLUDE_DEPTH, MAX_INCLUDES, Macro, Piece, Preprocessor};

impl Preprocessor<'_> {
    /// Does the directive whose `#` was just read.
    pub(super) fn directive(&mut self, hash: Token) {
        let line = self.rest_of_line();
        let Some(&name) = line.first() else { return };
        let rest = &line[1..];
        let TokenKind::Ident(symbol) = name.kind else {
            if !matches!(name.kind, TokenKind::Number(_)) {
                self.error(name.span, "a directive's name is missing behind `#`");
            }
            return;
        };
        let text = self.symbols.shared(symbol);
        match &*text {
            "define" => self.define(name, rest),
            "undef" => match rest.first().map(|token| token.kind) {
                Some(TokenKind::Ident(symbol)) => self.slot(symbol).definition = None,
                _ => self.error(name.span, "a macro's name is missing behind `#undef`"),
            },
            "include" | "include_next" => self.include_line(name, rest),
            "if" => {
                let holds = self.condition(name, rest);
                self.open(name.span, holds);
            }
            "ifdef" | "ifndef" => {
                let holds = self.names_macro(name, rest) == (&*text == "ifdef");
                self.open(name.span, holds);
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                // The branch before it was taken, or it would have been met by `skip`.
                let Some(condition) = self.files.last_mut().and_then(|file| file.conditions.last_mut())
                else {
                    self.error(name.span, format!("`#{text}` without `#if`"));
                    return;
                };
                if condition.last {
                    self.error(name.span, format!("`#{text}` behind `#else`"));
                } else {
                    condition.last = &*text == "else";
                }
                self.skip();
            }
            "endif" => {
                if self.files.last_mut().and_then(|file| file.conditions.pop()).is_none() {
                    self.error(name.span, "`#endif` without `#if`");
                }
            }
            "error" => {
                let message = self.spell(rest);
                self.error(hash.span, format!("#error {message}"));
            }
            "warning" => {
                let message = self.spell(rest);
                self.warn(hash.span, format!("#warning {message}"));
            }
            "pragma" => self.pragma(name.span, rest),
            "line" => self.line(name, rest),
            "ident" | "sccs" => {}
            _ => self.error(name.span, format!("there is no directive `#{text}`")),
        }
    }

    /// The tokens up to the end of the line, their places as `#line` has them.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        while let Some(next) = self.peek_of_file()
            && !next.first
            && next.kind != TokenKind::Eof
        {
            line.push(self.next_of_file());
        }
        self.steps += line.len();
        line
    }

    fn open(&mut self, span: Span, holds: bool) {
        if let Some(file) = self.files.last_mut() {
            file.conditions.push(Condition { taken: holds, last: false, span });
        }
        if !holds {
            self.skip();
        }
    }

    /// Passes over what is not taken: to the branch that is, or behind `#endif`.
    fn skip(&mut self) {
        let mut depth = 0usize;
        loop {
            let token = self.next_of_file();
            if !self.work(1, token.span) {
                return;
            }
            if token.kind == TokenKind::Eof {
                // The end is read once more, by whoever closes the file.
                if let Some(file) = self.files.last_mut() {
                    file.at = file.tokens.len() - 1;
                }
                return;
            }
            if !(token.first && token.is(Punct::Hash)) {
                continue;
            }
            let Some(name) = self.peek_of_file().filter(|name| !name.first) else { continue };
            let TokenKind::Ident(symbol) = name.kind else { continue };
            let text = self.symbols.shared(symbol);
            match &*text {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.rest_of_line();
                    if let Some(file) = self.files.last_mut() {
                        file.conditions.pop();
                    }
                    return;
                }
                "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => {
                    let line = self.rest_of_line();
                    let Some(&Condition { taken, last, .. }) =
                        self.files.last().and_then(|file| file.conditions.last())
                    else {
                        return;
                    };
                    if last {
                        self.error(name.span, format!("`#{text}` behind `#else`"));
                        continue;
                    }
                    let holds = !taken
                        && match &*text {
                            "else" => true,
                            "elif" => self.condition(line[0], &line[1..]),
                            _ => self.names_macro(line[0], &line[1..]) == (&*text == "elifdef"),
                        };
                    if let Some(condition) = self.files.last_mut().and_then(|file| file.conditions.last_mut())
                    {
                        condition.taken |= holds;
                        condition.last = &*text == "else";
                    }
                    if holds {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the macro that a line names is defined.
    fn names_macro(&mut self, directive: Token, line: &[Token]) -> bool {
        match line.first().map(|token| token.kind) {
            Some(TokenKind::Ident(symbol)) => self.is_defined(symbol),
            _ => {
                self.error(directive.span, "a macro's name is missing");
                false
            }
        }
    }

    fn define(&mut self, directive: Token, line: &[Token]) {
        let Some(&Token { kind: TokenKind::Ident(name), span, .. }) = line.first() else {
            let span = line.first().map_or(directive.span, |token| token.span);
            self.error(span, "a macro's name is missing behind `#define`");
            return;
        };
        if self.symbols.text(name) == "defined" {
            self.error(span, "`defined` is no name for a macro");
            return;
        }
        let mut rest = &line[1..];
        let function = rest.first().is_some_and(|token| token.is(Punct::LeftParen) && !token.space);
        let mut definition =
            Definition { function, parameters: Vec::new(), variadic: false, body: Vec::new() };
        if function {
            match self.parameters(&rest[1..], &mut definition) {
                Some(used) => rest = &rest[1 + used..],
                None => {
                    self.error(rest[0].span, "the list of a macro's parameters is not names between commas");
                    return;
                }
            }
        }
        for (index, token) in rest.iter().enumerate() {
            let kind = match token.kind {
                TokenKind::Ident(symbol) => {
                    match definition.parameters.iter().position(|&known| known == symbol) {
                        Some(position) => TokenKind::Parameter(position as u32),
                        None => token.kind,
                    }
                }
                TokenKind::Punct(Punct::HashHash) => {
                    if index == 0 || index + 1 == rest.len() {
                        self.error(token.span, "`##` stands between two tokens");
                        return;
                    }
                    TokenKind::Paste
                }
                kind => kind,
            };
            definition.body.push(Piece { kind, space: index > 0 && token.space });
        }
        if function {
            for (index, piece) in definition.body.iter().enumerate() {
                let follows = definition.body.get(index + 1).map(|next| next.kind);
                let option =
                    matches!(follows, Some(TokenKind::Ident(s)) if self.symbols.text(s) == "__VA_OPT__");
                if piece.kind == TokenKind::Punct(Punct::Hash)
                    && !matches!(follows, Some(TokenKind::Parameter(_)))
                    && !option
                {
                    self.error(rest[index].span, "`#` stands before a parameter of the macro");
                    return;
                }
            }
        }
        let slot = self.slot(name);
        let changed = match &slot.definition {
            Some(Macro::Defined(old)) => **old != definition,
            Some(_) => true,
            None => false,
        };
        slot.definition = Some(Macro::Defined(Rc::new(definition)));
        if changed {
            let message = format!("`{}` is defined anew with another meaning", self.symbols.text(name));
            self.warn(span, message);
        }
    }

    /// Reads `a, b, ...)` and returns how many tokens that took.
    fn parameters(&mut self, line: &[Token], definition: &mut Definition) -> Option<usize> {
        let mut at = 0;
        if line.first()?.is(Punct::RightParen) {
            return Some(1);
        }
        loop {
            match line.get(at)?.kind {
                TokenKind::Ident(symbol) if !definition.parameters.contains(&symbol) => {
                    definition.parameters.push(symbol);
                    if line.get(at + 1)?.is(Punct::Ellipsis) {
                        definition.variadic = true;
                        at += 1;
                    }
                }
                TokenKind::Punct(Punct::Ellipsis) => {
                    definition.parameters.push(self.symbols.intern("__VA_ARGS__"));
                    definition.variadic = true;
                }
                _ => return None,
            }
            at += 1;
            match line.get(at)?.kind {
                TokenKind::Punct(Punct::RightParen) => return Some(at + 1),
                TokenKind::Punct(Punct::Comma) if !definition.variadic => at += 1,
                _ => return None,
            }
        }
    }

    fn include_line(&mut self, directive: Token, line: &[Token]) {
        let expanded;
        let line = match line.first().map(|token| token.kind) {
            Some(TokenKind::Header(_) | TokenKind::Str(_)) => line,
            _ => {
                expanded = self.expand_all(line.to_vec());
                &expanded
            }
        };
        let (name, quoted) = match line.first().map(|token| token.kind) {
            Some(TokenKind::Header(symbol)) => (self.symbols.text(symbol).to_string(), false),
            Some(TokenKind::Str(symbol)) => (self.symbols.text(symbol).trim_matches('"').to_string(), true),
            Some(TokenKind::Punct(Punct::Less)) => {
                let end = line.iter().position(|token| token.is(Punct::Greater)).unwrap_or(line.len());
                (self.spell(&line[1..end]), false)
            }
            _ => {
                self.error(
                    directive.span,
                    "a header's name, `<name>` or `\"name\"`, is missing behind `#include`",
                );
                return;
            }
        };
        let span = line.first().map_or(directive.span, |token| token.span);
        self.include(&name, quoted, span);
    }

    /// Opens a header.
    pub(super) fn include(&mut self, name: &str, quoted: bool, span: Span) {
        self.includes += 1;
        if self.files.len() >= MAX_INCLUDE_DEPTH {
            self.stop(span, format!("headers include each other more than {MAX_INCLUDE_DEPTH} deep"));
            return;
        }
        if self.includes > MAX_INCLUDES {
            self.stop(span, format!("more than {MAX_INCLUDES} headers are included"));
            return;
        }
        if let Some((tokens, file)) = self.lexed.get(name).cloned() {
            if !self.once.contains(&file) {
                self.enter(tokens, file);
            }
            return;
        }
        let Some(text) = self.headers.text(name, quoted) else {
            let mut names = self.headers.names();
            // What our own headers are made of is nothing to include.
            names.retain(|name| !name.starts_with("cuprum/"));
            names.sort();
            let known = match names.is_empty() {
                true => "there are no headers".to_string(),
                false => format!("the headers are {}", names.join(", ")),
            };
            let instead = crate::headers::instead_of(name);
            self.error(span, format!("there is no header `{name}`: {instead}; {known}"));
            return;
        };
        let file = self.sources.add(name, text.as_ref());
        let tokens: Rc<[Token]> = lex(&text, file, &mut self.symbols).into();
        self.lexed.insert(name.to_string(), (tokens.clone(), file));
        self.enter(tokens, file);
    }

    /// A pragma, by directive or by `_Pragma`.
    pub(super) fn pragma(&mut self, span: Span, line: &[Token]) {
        let word = |index: usize| match line.get(index).map(|token| token.kind) {
            Some(TokenKind::Ident(symbol)) => self.symbols.text(symbol),
            _ => "",
        };
        match (word(0), word(1)) {
            ("once", _) => {
                if let Some(file) = self.files.last() {
                    let file = file.tokens[0].span.file;
                    self.once.push(file);
                }
            }
            ("unroll", _) => self.unroll(span, &line[1..]),
            ("GCC" | "clang", "unroll") => self.unroll(span, &line[2..]),
            ("nounroll", _) => {
                let one = self.symbols.intern("1");
                self.unroll(span, &[Token::new(TokenKind::Number(one), span)]);
            }
            ("pack", _) => {
                let resets = line.len() == 3 || (line.len() == 4 && word(2) == "pop");
                if !resets {
                    self.error(
                        span,
                        "`#pragma pack` is not supported on the CPU; order the fields by size, or read bytes by memcpy",
                    );
                }
            }
            _ => {}
        }
    }

    /// Passes `#pragma unroll` on to the parser, its count expanded.
    fn unroll(&mut self, span: Span, line: &[Token]) {
        let count = self.expand_all(line.to_vec());
        let mut tokens = vec![Token::new(TokenKind::Unroll, span)];
        tokens.extend(count);
        tokens.push(Token::new(TokenKind::UnrollEnd, span));
        self.lists.push(List { tokens, at: 0, of: None, wall: false });
    }

    /// `#line 7 "name"`
    fn line(&mut self, directive: Token, line: &[Token]) {
        let line = self.expand_all(line.to_vec());
        let number = match line.first().map(|token| token.kind) {
            Some(TokenKind::Number(symbol)) => self.symbols.text(symbol).parse::<u32>().ok(),
            _ => None,
        };
        let Some(number) = number else {
            self.error(directive.span, "a line number is missing behind `#line`");
            return;
        };
        let name = match line.get(1).map(|token| token.kind) {
            Some(TokenKind::Str(symbol)) => {
                let text = self.symbols.text(symbol);
                let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                inner.map(|text| text.replace("\\\\", "\\").replace("\\\"", "\""))
            }
            None => None,
            Some(_) => {
                self.error(line[1].span, "a file's name behind `#line` is a string");
                return;
            }
        };
        let Some(file) = self.files.last() else { return };
        let here = file.tokens[file.at.saturating_sub(1).min(file.tokens.len() - 1)].span;
        let physical = here.file;
        let shift = i64::from(number) - i64::from(here.line) - 1;
        let shown = match name {
            Some(name) => self.shown_file(&name, physical, shift),
            None if shift == file.shift => file.shown,
            None => {
                let name = self.sources.get(file.shown).map_or(String::new(), |source| source.name.clone());
                self.shown_file(&name, physical, shift)
            }
        };
        if let Some(file) = self.files.last_mut() {
            file.shown = shown;
            file.shift = shift;
        }
    }

    /// The file that `#line` names, if the source map knows one of that name. This text itself does not count: with other
    /// line numbers, messages would show the wrong line.
    fn shown_file(&mut self, name: &str, physical: FileId, shift: i64) -> FileId {
        match self.sources.find(name) {
            Some(file) if file != physical || shift == 0 => return file,
            _ => {}
        }
        if let Some(&file) = self.renamed.get(name) {
            return file;
        }
        let file = self.sources.add(name, "");
        self.renamed.insert(name.to_string(), file);
        file
    }

    /// Tokens as text, one space where there was white space.
    pub(super) fn spell(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            text.push_str(token.spelling(&self.symbols));
            if text.len() > super::MAX_SPELLING {
                break;
            }
        }
        text
    }
}
