//! The preprocessor: a text and its headers into the tokens that the parser reads.
//!
//! Directives are here, macros in `expand`, the conditions of `#if` in `condition`. All work is counted, so that a text
//! made to explode ends in a message.

mod condition;
mod directives;
mod expand;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::{Symbol, Symbols};
use crate::lex::{Keyword, Token, TokenKind, lex};
use crate::{Diagnostic, FileId, Severity, SourceMap, Span};

/// Headers by name. There is no file system behind it: what is not supplied is not found.
pub trait Headers {
    /// A header's text. `quoted`: `"name"`, otherwise `<name>`.
    fn text(&self, name: &str, quoted: bool) -> Option<Cow<'_, str>>;

    /// The names of all headers, for the message about one that is missing.
    fn names(&self) -> Vec<String>;
}

/// No headers at all.
pub struct NoHeaders;

impl Headers for NoHeaders {
    fn text(&self, _name: &str, _quoted: bool) -> Option<Cow<'_, str>> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Headers from a list of names and texts.
pub struct HeaderList<'a>(pub &'a [(&'a str, &'a str)]);

impl Headers for HeaderList<'_> {
    fn text(&self, name: &str, _quoted: bool) -> Option<Cow<'_, str>> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, text)| Cow::Borrowed(*text))
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.to_string()).collect()
    }
}

/// What a text is preprocessed with.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The headers.
    pub headers: &'a dyn Headers,
    /// Headers that are included before the text, as by `-include`.
    pub preludes: &'a [&'a str],
    /// Macros, in order: `NAME`, `NAME=VALUE`, `NAME(a)=VALUE` as of `-D`.
    pub defines: &'a [&'a str],
    /// Macros that are taken away after that, as of `-U`.
    pub undefines: &'a [&'a str],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { headers: &NoHeaders, preludes: &[], defines: &[], undefines: &[] }
    }
}

/// The most messages that are kept.
pub const MAX_DIAGNOSTICS: usize = 20;
/// How deep headers include each other.
const MAX_INCLUDE_DEPTH: usize = 64;
/// How many headers are read, the same one counted each time.
const MAX_INCLUDES: usize = 2000;
/// How deep macros stand in each other's arguments.
const MAX_ARGUMENT_DEPTH: usize = 100;
/// How many tokens the parser gets at most.
const MAX_TOKENS: usize = 2_000_000;
/// How many tokens are moved at most, while macros expand.
const MAX_STEPS: usize = 8_000_000;
/// How long a token made by `##` or `#` may be.
const MAX_SPELLING: usize = 1 << 16;

/// The macros that every text finds: what NVRTC predefines for C++17 on this architecture, and our own.
const PREDEFINED: &str = "\
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define __CUPRUM_CPU__ 1
#define __cplusplus 201703L
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __LP64__ 1
#define __cpp_constexpr 201603L
#define __cpp_fold_expressions 201603L
#define __cpp_if_constexpr 201606L
#define __cpp_inline_variables 201606L
#define __cpp_lambdas 200907L
#define __cpp_structured_bindings 201606L
#define __cpp_variadic_templates 200704L
#define __has_builtin(x) 0
#define __has_cpp_attribute(x) 0
#define __DATE__ \"??? ?? ????\"
#define __TIME__ \"??:??:??\"
";

/// CUDA's words that NVRTC has as macros: texts ask `#ifndef __device__` whether they are compiled for a GPU.
const WORDS: &[Keyword] = &[
    Keyword::Global,
    Keyword::Device,
    Keyword::Host,
    Keyword::Shared,
    Keyword::Constant,
    Keyword::Managed,
    Keyword::ForceInline,
    Keyword::NoInline,
    Keyword::LaunchBounds,
    Keyword::Align,
    Keyword::GridConstant,
];

/// The tokens of a text, the last of them [`TokenKind::Eof`], with what was wrong.
pub struct Preprocessed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The names in them.
    pub symbols: Symbols,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Preprocesses a text. It, its headers and the files that `#line` names are added to the map, in this order.
pub fn preprocess(sources: &mut SourceMap, name: &str, text: &str, options: &Options<'_>) -> Preprocessed {
    let file = sources.add(name, text);
    let mut preprocessor = Preprocessor {
        sources,
        headers: options.headers,
        symbols: Keyword::symbols(),
        macros: Vec::new(),
        files: Vec::new(),
        lists: Vec::new(),
        lexed: HashMap::new(),
        renamed: HashMap::new(),
        once: Vec::new(),
        counter: 0,
        steps: 0,
        includes: 0,
        stopped: false,
        diagnostics: Vec::new(),
    };
    let mut tokens = Vec::with_capacity(text.len() / 3);
    preprocessor.predefine(options, file);
    for prelude in options.preludes {
        preprocessor.include_prelude(prelude);
        preprocessor.run(&mut tokens);
    }
    let lexed: Rc<[Token]> = lex(text, file, &mut preprocessor.symbols).into();
    preprocessor.enter(lexed, file);
    preprocessor.run(&mut tokens);
    let span = preprocessor.end_of(file, text);
    tokens.push(Token::new(TokenKind::Eof, span));
    Preprocessed { tokens, symbols: preprocessor.symbols, diagnostics: preprocessor.diagnostics }
}

/// What a macro is.
#[derive(Clone)]
enum Macro {
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
    /// `__COUNTER__`
    Counter,
    /// A word that is defined and stands for itself.
    Itself,
    /// One that was defined.
    Defined(Rc<Definition>),
}

/// A macro's definition.
#[derive(PartialEq)]
struct Definition {
    /// `NAME(...)`
    function: bool,
    parameters: Vec<Symbol>,
    /// The last parameter takes all that is left.
    variadic: bool,
    /// With [`TokenKind::Parameter`] in place of parameters.
    body: Vec<Piece>,
}

/// A token of a replacement: its place is that of the use.
#[derive(Clone, Copy, PartialEq)]
struct Piece {
    kind: TokenKind,
    space: bool,
}

#[derive(Default)]
struct Slot {
    definition: Option<Macro>,
    /// How many of its expansions are being read.
    active: u32,
}

/// A file that is being read.
struct File {
    tokens: Rc<[Token]>,
    at: usize,
    /// `#if`s that are open.
    conditions: Vec<Condition>,
    /// The file that messages name: another one after `#line`.
    shown: FileId,
    /// What `#line` adds to the line numbers.
    shift: i64,
}

struct Condition {
    /// Some branch was taken.
    taken: bool,
    /// `#else` was seen.
    last: bool,
    span: Span,
}

/// Tokens that are read before the file's: a macro's replacement, or an argument that is expanded by itself.
struct List {
    tokens: Vec<Token>,
    at: usize,
    /// The macro whose replacement it is.
    of: Option<Symbol>,
    /// Reading does not go on behind its end.
    wall: bool,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    headers: &'a dyn Headers,
    symbols: Symbols,
    /// By symbol.
    macros: Vec<Slot>,
    files: Vec<File>,
    lists: Vec<List>,
    /// Headers that were read before, by name.
    lexed: HashMap<String, (Rc<[Token]>, FileId)>,
    /// Files that `#line` named and of which the text is not known.
    renamed: HashMap<String, FileId>,
    /// `#pragma once`
    once: Vec<FileId>,
    counter: u32,
    steps: usize,
    includes: usize,
    /// A limit was met: nothing more is read.
    stopped: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Preprocessor<'_> {
    fn predefine(&mut self, options: &Options<'_>, main: FileId) {
        for (name, definition) in
            [("__LINE__", Macro::Line), ("__FILE__", Macro::File), ("__COUNTER__", Macro::Counter)]
        {
            let symbol = self.symbols.intern(name);
            self.slot(symbol).definition = Some(definition);
        }
        for word in WORDS {
            let symbol = self.symbols.intern(word.text());
            self.slot(symbol).definition = Some(Macro::Itself);
        }
        let mut sink = Vec::new();
        let tokens: Rc<[Token]> = lex(PREDEFINED, main, &mut self.symbols).into();
        self.enter(tokens, main);
        self.run(&mut sink);
        if options.defines.is_empty() && options.undefines.is_empty() {
            return;
        }
        let mut text = String::new();
        for define in options.defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            text.push_str(&format!("#define {} {}\n", name.trim(), value.replace('\n', " ")));
        }
        for name in options.undefines {
            text.push_str(&format!("#undef {}\n", name.trim()));
        }
        let file = self.sources.add("<command line>", text.as_str());
        let tokens: Rc<[Token]> = lex(&text, file, &mut self.symbols).into();
        self.enter(tokens, file);
        self.run(&mut sink);
    }

    fn include_prelude(&mut self, name: &str) {
        self.include(name, false, Span::default());
    }

    fn end_of(&self, file: FileId, text: &str) -> Span {
        let line = text.lines().count().max(1) as u32;
        let column = text.lines().last().map_or(0, |line| line.chars().count()) as u32 + 1;
        Span { file, line, column, length: 1 }
    }

    fn enter(&mut self, tokens: Rc<[Token]>, file: FileId) {
        self.files.push(File { tokens, at: 0, conditions: Vec::new(), shown: file, shift: 0 });
    }

    /// Reads all files that are open to their ends.
    fn run(&mut self, tokens: &mut Vec<Token>) {
        loop {
            let mut token = self.next_expanded();
            match token.kind {
                TokenKind::Eof => return,
                TokenKind::Ident(symbol) => {
                    if let Some(punct) = Keyword::of(symbol).and_then(Keyword::operator) {
                        token.kind = TokenKind::Punct(punct);
                    }
                }
                TokenKind::Placemarker => continue,
                _ => {}
            }
            if tokens.len() >= MAX_TOKENS {
                self.stop(
                    token.span,
                    format!("the text is longer than {MAX_TOKENS} tokens after preprocessing"),
                );
                return;
            }
            tokens.push(token);
        }
    }

    fn slot(&mut self, symbol: Symbol) -> &mut Slot {
        let index = symbol.0 as usize;
        if index >= self.macros.len() {
            self.macros.resize_with(index + 1, Slot::default);
        }
        &mut self.macros[index]
    }

    fn is_defined(&self, symbol: Symbol) -> bool {
        self.macros.get(symbol.0 as usize).is_some_and(|slot| slot.definition.is_some())
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic { severity: Severity::Warning, span, message: message.into() });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// A limit is met: says so, and reads nothing more.
    fn stop(&mut self, span: Span, message: impl Into<String>) {
        if !self.stopped {
            self.stopped = true;
            self.report(Diagnostic::error(span, message));
        }
    }

    /// Counts work; false where there was too much of it.
    fn work(&mut self, steps: usize, span: Span) -> bool {
        self.steps += steps;
        if self.steps > MAX_STEPS {
            self.stop(span, "the macros of this text expand to too much; the limit is 8 million tokens");
        }
        !self.stopped
    }

    /// The next token of the files and lists, unexpanded, directives done; [`TokenKind::Eof`] at the end of all files or
    /// of a list with a wall.
    fn next_raw(&mut self) -> Token {
        loop {
            if self.stopped {
                return Token::new(TokenKind::Eof, Span::default());
            }
            if let Some(list) = self.lists.last_mut() {
                if let Some(&token) = list.tokens.get(list.at) {
                    list.at += 1;
                    return self.mark_expanding(token);
                }
                if list.wall {
                    return Token::new(TokenKind::Eof, Span::default());
                }
                let of = list.of;
                self.lists.pop();
                if let Some(symbol) = of {
                    self.slot(symbol).active -= 1;
                }
                continue;
            }
            if self.files.is_empty() {
                return Token::new(TokenKind::Eof, Span::default());
            }
            let token = self.next_of_file();
            if !self.work(1, token.span) {
                continue;
            }
            match token.kind {
                TokenKind::Eof => self.leave(),
                TokenKind::Punct(crate::lex::Punct::Hash) if token.first => self.directive(token),
                _ => return self.mark_expanding(token),
            }
        }
    }

    /// Marks an identifier whose macro is being expanded.
    fn mark_expanding(&mut self, mut token: Token) -> Token {
        if let TokenKind::Ident(symbol) = token.kind
            && self.macros.get(symbol.0 as usize).is_some_and(|slot| slot.active > 0)
        {
            token.painted = true;
        }
        token
    }

    /// The next token of the innermost file, with its place as `#line` has it. The end is given again and again.
    fn next_of_file(&mut self) -> Token {
        let Some(file) = self.files.last_mut() else { return Token::new(TokenKind::Eof, Span::default()) };
        let mut token = file.tokens[file.at.min(file.tokens.len() - 1)];
        file.at += 1;
        if file.shift != 0 || file.shown != token.span.file {
            token.span.file = file.shown;
            token.span.line = (i64::from(token.span.line) + file.shift).clamp(1, i64::from(u32::MAX)) as u32;
        }
        token
    }

    /// The next token of the innermost file, without taking it.
    fn peek_of_file(&self) -> Option<Token> {
        let file = self.files.last()?;
        file.tokens.get(file.at).copied()
    }

    fn leave(&mut self) {
        if let Some(file) = self.files.pop() {
            for condition in file.conditions {
                self.error(condition.span, "this `#if` has no `#endif`");
            }
        }
    }
}
