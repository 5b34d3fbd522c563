//! The parser: preprocessed tokens into a syntax tree.
//!
//! By hand and by recursive descent, with a table of the names in scope (`scope`) to tell types and templates from
//! values. It goes on after an error at the next statement or declaration. Depth is bounded: a text nested too deep is
//! refused. The deepest takes less than 2 MiB of stack here (8 without optimisation); [`crate::cuda::compile`] gives more.

mod assembler;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod lambdas;
mod literals;
mod lookahead;
mod names;
mod postfix;
mod records;
mod scope;
mod specifiers;
mod statements;
mod templates;
#[cfg(test)]
mod tests;

use crate::ast::{Symbol, Symbols, TranslationUnit};
use crate::lex::{Keyword, Punct, Token, TokenKind};
use crate::preprocess::{MAX_DIAGNOSTICS, Options, preprocess};
use crate::{Diagnostic, Severity, SourceMap, Span};

pub(crate) use literals::{character, integer};
use scope::{Of, Scopes};

/// How deep expressions, statements, types and declarations stand in each other.
const MAX_DEPTH: u32 = 256;
/// How high an expression's tree may be: `a + b + c + ...` nests by its length.
const MAX_EXPRESSION_HEIGHT: u32 = 1000;
/// How many `*` and `[]` a declarator may have.
const MAX_DECLARATORS: usize = 64;

/// Preprocesses and parses a text.
///
/// The tree is whole where no diagnostic is an error; otherwise it holds what could be read.
///
/// ```
/// use cuprum_kernel::{SourceMap, parse::parse, preprocess::Options};
///
/// let mut sources = SourceMap::default();
/// let text = "__global__ void twice(float *x) { x[threadIdx.x] *= 2; }";
/// let (unit, diagnostics) = parse(&mut sources, "kernel.cu", text, &Options::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!(unit.declarations.len(), 1);
///
/// let (_, diagnostics) = parse(&mut sources, "kernel.cu", "int a = ;", &Options::default());
/// assert!(diagnostics[0].render(&sources).starts_with("kernel.cu:1:9: error: "));
/// ```
pub fn parse(
    sources: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options<'_>,
) -> (TranslationUnit, Vec<Diagnostic>) {
    let preprocessed = preprocess(sources, name, text, options);
    let mut parser = Parser::new(&preprocessed.tokens, preprocessed.symbols, preprocessed.diagnostics);
    let declarations = parser.translation_unit();
    (TranslationUnit { declarations, symbols: parser.symbols }, parser.diagnostics)
}

/// Something could not be read, and a message has been left about it.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// What an error must not leave changed.
struct Mark {
    at: usize,
    depth: u32,
    angle: bool,
    extern_c: bool,
    scopes: usize,
    records: usize,
    function: Option<Symbol>,
    tallest: u32,
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    /// For each bracket that opens, the token that closes it; 0 where none does.
    closing: Vec<u32>,
    symbols: Symbols,
    scopes: Scopes,
    diagnostics: Vec<Diagnostic>,
    /// How deep the recursion is.
    depth: u32,
    /// How high the present expression's tree is so far; see [`Parser::tall`].
    tallest: u32,
    /// Inside `<...>`: `>` ends it.
    angle: bool,
    /// Inside `extern "C"`.
    extern_c: bool,
    /// The records around, innermost last.
    records: Vec<Symbol>,
    /// The function around, for `__func__`.
    function: Option<Symbol>,
    /// Member templates that were declared, for `x.f<int>()`, where the type of `x` is not known.
    member_templates: Vec<Symbol>,
    /// Records and enums without a name so far.
    unnamed: u32,
    /// Tokens that were looked at ahead, all told.
    looked: usize,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], symbols: Symbols, diagnostics: Vec<Diagnostic>) -> Parser<'a> {
        let mut scopes = Scopes::default();
        scopes.begin(Of::Namespace);
        Parser {
            tokens,
            at: 0,
            closing: closing_brackets(tokens),
            symbols,
            scopes,
            diagnostics,
            depth: 0,
            tallest: 0,
            angle: false,
            extern_c: false,
            records: Vec::new(),
            function: None,
            member_templates: Vec::new(),
            unnamed: 0,
            looked: 0,
        }
    }

    fn token(&self) -> Token {
        self.token_at(self.at)
    }

    fn token_at(&self, at: usize) -> Token {
        self.tokens[at.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, count: usize) -> Token {
        self.token_at(self.at + count)
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The place of the token before this one.
    fn span_before(&self) -> Span {
        self.token_at(self.at.saturating_sub(1)).span
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::Eof {
            self.at += 1;
        }
        token
    }

    fn is(&self, punct: Punct) -> bool {
        self.token().is(punct)
    }

    fn is_at(&self, at: usize, punct: Punct) -> bool {
        self.token_at(at).is(punct)
    }

    fn take(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.at += 1;
        }
        found
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.token().keyword() == Some(keyword)
    }

    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.at += 1;
        }
        found
    }

    /// The identifier of a token that is one and no keyword.
    fn ident_at(&self, at: usize) -> Option<Symbol> {
        match self.token_at(at).kind {
            TokenKind::Ident(symbol) if Keyword::of(symbol).is_none() => Some(symbol),
            _ => None,
        }
    }

    fn expect_ident(&mut self, what: &str) -> Parsed<Symbol> {
        match self.ident_at(self.at) {
            Some(symbol) => {
                self.at += 1;
                Ok(symbol)
            }
            None => Err(self.unexpected(what)),
        }
    }

    fn expect(&mut self, punct: Punct) -> Parsed<()> {
        if self.take(punct) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", punct.text())))
    }

    /// Expects what ends a declaration or a statement; the message stands behind what came before.
    fn expect_semicolon(&mut self, behind: &str) -> Parsed<()> {
        if self.take(Punct::Semicolon) {
            return Ok(());
        }
        if matches!(self.token().kind, TokenKind::Unknown(_)) {
            return Err(self.unexpected("`;`"));
        }
        let before = self.span_before();
        let span = Span { column: before.column + before.length, length: 1, ..before };
        Err(self.fail(span, format!("`;` is missing behind {behind}")))
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(span, message));
        Failed
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic { severity: Severity::Warning, span, message: message.into() });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // One place, one message: the second is a consequence of the first.
        let again = self.diagnostics.last().is_some_and(|last| {
            last.severity == Severity::Error
                && diagnostic.severity == Severity::Error
                && last.span == diagnostic.span
        });
        if !again && self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether so much is wrong that reading on is of no use.
    fn is_hopeless(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// The message that something else is expected here.
    fn unexpected(&mut self, what: &str) -> Failed {
        let token = self.token();
        let spelling = token.spelling(&self.symbols);
        let message = match token.kind {
            TokenKind::Eof => format!("{what} is expected, but the text ends"),
            TokenKind::Unknown(_) => {
                match spelling.trim_start_matches(['L', 'u', 'U', '8', 'R']).chars().next() {
                    Some('"') => "the string has no closing `\"`".to_string(),
                    Some('\'') => "the character has no closing `'`".to_string(),
                    Some('/') => "the comment has no closing `*/`".to_string(),
                    Some(c) => format!("the character {c:?} has no place in CUDA C"),
                    None => "the text holds something that is no CUDA C".to_string(),
                }
            }
            TokenKind::Unroll => "`#pragma unroll` stands before a loop".to_string(),
            _ => format!("{what} is expected, not `{spelling}`"),
        };
        self.fail(token.span, message)
    }

    /// Enters one level of recursion; [`Parser::leave`] leaves it, or [`Parser::recover`] after an error.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth -= 1;
            let span = self.span();
            return Err(self.fail(span, format!("the text is nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reads an expression whose height is counted from zero; afterwards it counts as a part of the expression around it.
    fn tall<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let around = std::mem::replace(&mut self.tallest, 0);
        let result = read(self);
        self.tallest = self.tallest.max(around);
        result
    }

    /// Puts a node on top of what was read of the present expression.
    fn grow(&mut self) -> Parsed<()> {
        self.tallest += 1;
        if self.tallest > MAX_EXPRESSION_HEIGHT {
            let span = self.span_before();
            let message =
                format!("the expression is more than {MAX_EXPRESSION_HEIGHT} operators high; split it");
            return Err(self.fail(span, message));
        }
        Ok(())
    }

    /// Where the parser stands, for going on after an error.
    fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            depth: self.depth,
            angle: self.angle,
            extern_c: self.extern_c,
            scopes: self.scopes.depth(),
            records: self.records.len(),
            function: self.function,
            tallest: self.tallest,
        }
    }

    /// Goes on after an error: back to the state of a mark, and on to the next statement or declaration.
    fn recover(&mut self, mark: &Mark) {
        self.depth = mark.depth;
        self.angle = mark.angle;
        self.extern_c = mark.extern_c;
        self.function = mark.function;
        self.tallest = mark.tallest;
        self.records.truncate(mark.records);
        while self.scopes.depth() > mark.scopes {
            self.scopes.close();
        }
        self.skip_statement(mark.at);
    }

    /// Reads with `>` as an operator again, inside brackets.
    fn unangled<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let angle = std::mem::replace(&mut self.angle, false);
        let result = read(self);
        self.angle = angle;
        result
    }

    /// Skips to behind the next `;` or the bracket that closes the present block, whichever is first.
    fn skip_statement(&mut self, start: usize) {
        // Whatever went wrong, something is passed: reading cannot stand still.
        if self.at == start {
            self.bump();
        }
        loop {
            match self.token().kind {
                TokenKind::Eof | TokenKind::Punct(Punct::RightBrace) => return,
                TokenKind::Punct(Punct::Semicolon) => {
                    self.at += 1;
                    return;
                }
                TokenKind::Punct(Punct::LeftBrace) => {
                    let end = self.closing[self.at] as usize;
                    if end == 0 {
                        self.at = self.tokens.len() - 1;
                        return;
                    }
                    self.at = end + 1;
                    // A function's body or a block is the end; an initialiser goes on.
                    if !matches!(
                        self.token().kind,
                        TokenKind::Punct(Punct::Semicolon | Punct::Comma | Punct::RightParen)
                    ) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) if self.closing[self.at] != 0 => {
                    self.at = self.closing[self.at] as usize + 1;
                }
                _ => self.at += 1,
            }
        }
    }
}

/// For each bracket that opens, where it closes; 0 where it does not. One of a kind that does not fit closes nothing.
fn closing_brackets(tokens: &[Token]) -> Vec<u32> {
    let mut closing = vec![0; tokens.len()];
    let mut open: Vec<(usize, Punct)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let TokenKind::Punct(punct) = token.kind else { continue };
        match punct {
            Punct::LeftParen => open.push((index, Punct::RightParen)),
            Punct::LeftBracket => open.push((index, Punct::RightBracket)),
            Punct::LeftBrace => open.push((index, Punct::RightBrace)),
            Punct::RightBrace => {
                // A brace closes what was left open inside it.
                while let Some((start, wanted)) = open.pop() {
                    if wanted == Punct::RightBrace {
                        closing[start] = index as u32;
                        break;
                    }
                }
            }
            Punct::RightParen | Punct::RightBracket => {
                if open.last().is_some_and(|(_, wanted)| *wanted == punct)
                    && let Some((start, _)) = open.pop()
                {
                    closing[start] = index as u32;
                }
            }
            _ => {}
        }
    }
    closing
}
