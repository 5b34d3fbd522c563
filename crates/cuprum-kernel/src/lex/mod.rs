//! The lexer: a file's text into preprocessing tokens, each with its place.
//!
//! It never fails: what is no token becomes [`TokenKind::Unknown`], of which the parser complains where it gets to see it
//! (text that `#if 0` leaves out may hold anything).

mod token;

use crate::ast::Symbols;
use crate::{FileId, Span};

pub use token::{Keyword, Punct, Token, TokenKind};

/// Cuts a file into tokens; the last is [`TokenKind::Eof`].
pub fn lex(text: &str, file: FileId, symbols: &mut Symbols) -> Vec<Token> {
    let (text, splices) = splice(text);
    let mut lexer = Lexer {
        text: text.as_bytes(),
        source: &text,
        splices: &splices,
        at: 0,
        line: 1,
        line_start: 0,
        continuation: 0,
        file,
        first: true,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 8);
    loop {
        let include = directive_is_include(&tokens, symbols);
        let token = lexer.next(symbols, include);
        tokens.push(token);
        if token.kind == TokenKind::Eof {
            return tokens;
        }
    }
}

/// Takes out the line ends behind backslashes, and says where (in the text that is left) they stood.
fn splice(text: &str) -> (std::borrow::Cow<'_, str>, Vec<usize>) {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return (text.into(), Vec::new());
    }
    let mut joined = String::with_capacity(text.len());
    let mut splices = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let behind = &rest[at + 1..];
        let end = if behind.starts_with('\n') {
            1
        } else if behind.starts_with("\r\n") {
            2
        } else {
            joined.push_str(&rest[..at + 1]);
            rest = behind;
            continue;
        };
        joined.push_str(&rest[..at]);
        splices.push(joined.len());
        rest = &behind[end..];
    }
    joined.push_str(rest);
    (joined.into(), splices)
}

/// Whether `#include` stands at the end of the tokens, so that `<` begins a header's name.
fn directive_is_include(tokens: &[Token], symbols: &Symbols) -> bool {
    match tokens {
        [.., hash, name] if hash.first && hash.is(Punct::Hash) && !name.first => match name.kind {
            TokenKind::Ident(symbol) => matches!(symbols.text(symbol), "include" | "include_next"),
            _ => false,
        },
        _ => false,
    }
}

struct Lexer<'a> {
    text: &'a [u8],
    source: &'a str,
    splices: &'a [usize],
    at: usize,
    line: u32,
    line_start: usize,
    /// Bytes of this line that are not a character of their own, for columns.
    continuation: usize,
    file: FileId,
    first: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn newline(&mut self, after: usize) {
        self.line += 1;
        self.line_start = after;
        self.continuation = 0;
        self.first = true;
    }

    /// Counts the lines that backslashes joined, up to here.
    fn pass_splices(&mut self) {
        while let Some((&next, rest)) = self.splices.split_first()
            && next <= self.at
        {
            let first = self.first;
            self.newline(next);
            self.first = first;
            self.splices = rest;
        }
    }

    /// Skips white space and comments; returns whether there was any, or the text of a comment without end.
    fn skip_space(&mut self) -> Result<bool, usize> {
        let start = self.at;
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'\n' => {
                    self.at += 1;
                    self.pass_splices();
                    self.newline(self.at);
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.text.len() && self.text[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                b'/' if self.peek(1) == b'*' => {
                    let open = self.at;
                    self.pass_splices();
                    self.at += 2;
                    let first = self.first;
                    loop {
                        match self.peek(0) {
                            b'*' if self.peek(1) == b'/' => break,
                            b'\n' => {
                                self.at += 1;
                                self.pass_splices();
                                self.newline(self.at);
                                continue;
                            }
                            byte => self.continuation += usize::from(byte & 0xc0 == 0x80),
                        }
                        self.at += 1;
                        if self.at >= self.text.len() {
                            self.at = self.text.len();
                            return Err(open);
                        }
                    }
                    self.at += 2;
                    // A comment is one space: what follows it is not the first of its line, where something was before it.
                    self.first = first;
                }
                // A byte order mark.
                0xef if self.text[self.at..].starts_with(&[0xef, 0xbb, 0xbf]) => {
                    self.at += 3;
                    self.continuation += 3;
                }
                _ => break,
            }
        }
        Ok(self.at > start)
    }

    fn next(&mut self, symbols: &mut Symbols, include: bool) -> Token {
        let space = self.skip_space();
        self.pass_splices();
        let start = self.at;
        let (line, column) =
            (self.line, (start - self.line_start).saturating_sub(self.continuation) as u32 + 1);
        let kind = match space {
            Err(_) => TokenKind::Unknown(symbols.intern("/*")),
            Ok(_) if self.at >= self.text.len() => TokenKind::Eof,
            Ok(_) => self.scan(symbols, include),
        };
        let bytes = &self.text[start.min(self.at)..self.at];
        let inner = bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count();
        self.continuation += inner;
        let first = self.first;
        self.first = false;
        Token {
            kind,
            span: Span { file: self.file, line, column, length: (bytes.len() - inner) as u32 },
            space: space != Ok(false),
            first,
            painted: false,
        }
    }

    fn scan(&mut self, symbols: &mut Symbols, include: bool) -> TokenKind {
        let start = self.at;
        match self.text[start] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(symbols),
            byte if byte >= 0x80 => {
                let c = self.source[start..].chars().next().unwrap_or('\u{fffd}');
                if c.is_alphabetic() {
                    return self.word(symbols);
                }
                self.at += c.len_utf8();
                TokenKind::Unknown(symbols.intern(&self.source[start..self.at]))
            }
            b'0'..=b'9' => self.number(symbols),
            b'.' if self.peek(1).is_ascii_digit() => self.number(symbols),
            b'"' | b'\'' => self.quoted(start, symbols),
            b'<' if include => {
                let line = self.source[start + 1..].lines().next().unwrap_or("");
                match line.find('>') {
                    Some(end) => {
                        self.at = start + 1 + end + 1;
                        TokenKind::Header(symbols.intern(&line[..end]))
                    }
                    None => self.punct(symbols),
                }
            }
            _ => self.punct(symbols),
        }
    }

    fn word(&mut self, symbols: &mut Symbols) -> TokenKind {
        let start = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                self.at += 1;
            } else if byte >= 0x80 {
                match self.source[self.at..].chars().next() {
                    Some(c) if c.is_alphanumeric() => self.at += c.len_utf8(),
                    _ => break,
                }
            } else {
                break;
            }
        }
        let word = &self.source[start..self.at];
        match (word, self.peek(0)) {
            ("L" | "u" | "U" | "u8", b'"' | b'\'') => self.quoted(start, symbols),
            ("R" | "LR" | "uR" | "UR" | "u8R", b'"') => self.raw(start, symbols),
            _ => TokenKind::Ident(symbols.intern(word)),
        }
    }

    fn number(&mut self, symbols: &mut Symbols) -> TokenKind {
        let start = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            let sign =
                matches!(byte, b'+' | b'-') && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P');
            let exponent = sign && self.at > start && {
                // `0x1e+2` is a sum here, as people mean it: an exponent of a hexadecimal number is `p`.
                let hexadecimal =
                    self.text[start..].starts_with(b"0x") || self.text[start..].starts_with(b"0X");
                !hexadecimal || matches!(self.text[self.at - 1], b'p' | b'P')
            };
            let separator = byte == b'\''
                && self.at > start
                && (self.peek(1).is_ascii_alphanumeric() || self.peek(1) == b'_');
            if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || exponent || separator {
                self.at += 1;
            } else {
                break;
            }
        }
        TokenKind::Number(symbols.intern(&self.source[start..self.at]))
    }

    /// A literal in quotes, of which the prefix (if any) has been passed.
    fn quoted(&mut self, start: usize, symbols: &mut Symbols) -> TokenKind {
        let quote = self.text[self.at];
        self.at += 1;
        loop {
            match self.peek(0) {
                byte if byte == quote => {
                    self.at += 1;
                    break;
                }
                b'\\' if self.at + 1 < self.text.len() && self.text[self.at + 1] != b'\n' => {
                    self.at += 1;
                    self.at += self.source[self.at..].chars().next().map_or(1, char::len_utf8);
                }
                b'\n' => return TokenKind::Unknown(symbols.intern(&self.source[start..self.at])),
                _ if self.at >= self.text.len() => {
                    return TokenKind::Unknown(symbols.intern(&self.source[start..]));
                }
                _ => self.at += self.source[self.at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        let symbol = symbols.intern(&self.source[start..self.at]);
        if quote == b'"' { TokenKind::Str(symbol) } else { TokenKind::Char(symbol) }
    }

    /// `R"x(...)x"`
    fn raw(&mut self, start: usize, symbols: &mut Symbols) -> TokenKind {
        let rest = &self.source[self.at + 1..];
        let delimiter =
            rest.find('(').filter(|&open| open <= 16 && !rest[..open].contains(['\n', ')', '\\', ' ', '"']));
        let end = delimiter.and_then(|open| {
            let close = format!("){}\"", &rest[..open]);
            Some(rest[open..].find(&close)? + open + close.len())
        });
        let Some(end) = end else {
            let line = rest.find('\n').unwrap_or(rest.len());
            self.at += 1 + line;
            return TokenKind::Unknown(symbols.intern(&self.source[start..self.at]));
        };
        let first = self.first;
        let from = self.at;
        self.at += 1 + end;
        for (offset, _) in self.source[from..self.at].match_indices('\n') {
            self.newline(from + offset + 1);
        }
        self.first = first;
        TokenKind::Str(symbols.intern(&self.source[start..self.at]))
    }

    fn punct(&mut self, symbols: &mut Symbols) -> TokenKind {
        use Punct::*;
        let (second, third) = (self.peek(1), self.peek(2));
        let (punct, length) = match (self.text[self.at], second, third) {
            (b'(', ..) => (LeftParen, 1),
            (b')', ..) => (RightParen, 1),
            (b'[', ..) => (LeftBracket, 1),
            (b']', ..) => (RightBracket, 1),
            (b'{', ..) => (LeftBrace, 1),
            (b'}', ..) => (RightBrace, 1),
            (b';', ..) => (Semicolon, 1),
            (b',', ..) => (Comma, 1),
            (b':', b':', _) => (ColonColon, 2),
            (b':', ..) => (Colon, 1),
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'.', b'*', _) => (DotStar, 2),
            (b'.', ..) => (Dot, 1),
            (b'?', ..) => (Question, 1),
            (b'+', b'+', _) => (Increment, 2),
            (b'+', b'=', _) => (PlusAssign, 2),
            (b'+', ..) => (Plus, 1),
            (b'-', b'-', _) => (Decrement, 2),
            (b'-', b'=', _) => (MinusAssign, 2),
            (b'-', b'>', b'*') => (ArrowStar, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'-', ..) => (Minus, 1),
            (b'*', b'=', _) => (StarAssign, 2),
            (b'*', ..) => (Star, 1),
            (b'/', b'=', _) => (SlashAssign, 2),
            (b'/', ..) => (Slash, 1),
            (b'%', b'=', _) => (PercentAssign, 2),
            (b'%', ..) => (Percent, 1),
            (b'^', b'=', _) => (CaretAssign, 2),
            (b'^', ..) => (Caret, 1),
            (b'&', b'&', _) => (And, 2),
            (b'&', b'=', _) => (AmpAssign, 2),
            (b'&', ..) => (Amp, 1),
            (b'|', b'|', _) => (Or, 2),
            (b'|', b'=', _) => (PipeAssign, 2),
            (b'|', ..) => (Pipe, 1),
            (b'~', ..) => (Tilde, 1),
            (b'!', b'=', _) => (NotEqual, 2),
            (b'!', ..) => (Not, 1),
            (b'=', b'=', _) => (Equal, 2),
            (b'=', ..) => (Assign, 1),
            (b'<', b'<', b'=') => (ShiftLeftAssign, 3),
            (b'<', b'<', _) => (ShiftLeft, 2),
            (b'<', b'=', b'>') => (Spaceship, 3),
            (b'<', b'=', _) => (LessEqual, 2),
            (b'<', ..) => (Less, 1),
            (b'>', b'=', _) => (GreaterEqual, 2),
            (b'>', ..) => (Greater, 1),
            (b'#', b'#', _) => (HashHash, 2),
            (b'#', ..) => (Hash, 1),
            (b'@', ..) => (At, 1),
            (b'\\', ..) => (Backslash, 1),
            (b'$', ..) => (Dollar, 1),
            _ => {
                self.at += 1;
                return TokenKind::Unknown(symbols.intern(&self.source[self.at - 1..self.at]));
            }
        };
        self.at += length;
        TokenKind::Punct(punct)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(text: &str) -> Vec<String> {
        let mut symbols = Keyword::symbols();
        lex(text, FileId(0), &mut symbols).iter().map(|token| token.spelling(&symbols).to_string()).collect()
    }

    #[test]
    fn the_longest_sign_wins_but_for_greater() {
        assert_eq!(spellings("a<<=b->*c...d"), ["a", "<<=", "b", "->*", "c", "...", "d", ""]);
        assert_eq!(spellings("a>>b>=c"), ["a", ">", ">", "b", ">=", "c", ""]);
    }

    #[test]
    fn numbers_and_literals_are_whole() {
        assert_eq!(
            spellings("1'000u 0x1.8p-3f 1e+5 .5 0x1e+2"),
            ["1'000u", "0x1.8p-3f", "1e+5", ".5", "0x1e", "+", "2", ""]
        );
        assert_eq!(
            spellings(r#"L"a\"b" 'x' R"q()" )q" u8"z""#),
            [r#"L"a\"b""#, "'x'", r#"R"q()" )q""#, "u8\"z\"", ""]
        );
        assert_eq!(spellings("\"open\nnext"), ["\"open", "next", ""]);
    }

    #[test]
    fn places_survive_continued_lines_comments_and_wide_characters() {
        let mut symbols = Keyword::symbols();
        let tokens = lex("a \\\n b /* é\n */ c\né d", FileId(0), &mut symbols);
        let places: Vec<_> =
            tokens.iter().map(|token| (token.span.line, token.span.column, token.first)).collect();
        assert_eq!(
            places,
            [(1, 1, true), (2, 2, false), (3, 5, false), (4, 1, true), (4, 3, false), (4, 4, false)]
        );
    }

    #[test]
    fn a_header_name_is_one_token() {
        assert_eq!(spellings("#include <a/b.h>\nx < y"), ["#", "include", "a/b.h", "x", "<", "y", ""]);
    }
}
