//! The syntax tree of CUDA C: what the parser makes of a text, and what the checker reads.
//!
//! The tree says what was written, not what it means: names are not resolved, types are not computed, templates are not
//! instantiated. Where C++ needs to know a name's kind to be read at all (`a < b`, `(a)(b)`), the parser has decided.
//! Functions, records and lambdas are behind `Rc`, so that an instantiation can hold them without a copy.
//! A tree is never higher than [`MAX_HEIGHT`] nodes, so that it can be walked by recursion on a stack of known size.

mod declarations;
mod expressions;
mod statements;
mod types;

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;

pub use declarations::*;
pub use expressions::*;
pub use statements::*;
pub use types::*;

/// No tree is higher than this many nodes: texts that would be are refused with a message.
pub const MAX_HEIGHT: u32 = 2000;

/// An interned identifier: equal names have equal numbers. [`Symbols`] knows the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// The interned identifiers of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    texts: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, Symbol, std::hash::BuildHasherDefault<Fnv>>,
}

/// FNV-1a: identifiers are short, and a hash made to withstand attackers costs more than the rest of the lexer.
#[derive(Clone, Copy)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl std::hash::Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Symbols {
    /// The symbol of a name, made where it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The symbol of a name that was interned before.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// A symbol's text.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |text| text)
    }

    /// A symbol's text, shared.
    pub fn shared(&self, symbol: Symbol) -> Rc<str> {
        self.texts.get(symbol.0 as usize).cloned().unwrap_or_else(|| "".into())
    }
}

/// A whole text, its headers included, in the order in which it was written.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    /// What it declares. The content of `extern "C" { }` stands here flat, with [`Specifiers::extern_c`] set.
    pub declarations: Vec<Declaration>,
    /// The names.
    pub symbols: Symbols,
}

/// A name as it was written: `x`, `a::b<T>::c`, `::f`, `T::operator+`.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// Starts with `::`.
    pub global: bool,
    /// What stands before the last `::`, outermost first; empty for most names.
    pub qualifier: Vec<NamePart>,
    /// The last part.
    pub last: NamePart,
    /// Where the whole of it stands.
    pub span: Span,
}

impl Name {
    /// An unqualified identifier without template arguments.
    pub fn plain(symbol: Symbol, span: Span) -> Name {
        Name {
            global: false,
            qualifier: Vec::new(),
            last: NamePart { id: Identifier::Name(symbol), arguments: None, span },
            span,
        }
    }

    /// The identifier, where the name is that alone: no qualifier, no template arguments.
    pub fn as_plain(&self) -> Option<Symbol> {
        match (&self.last.id, &self.last.arguments) {
            (Identifier::Name(symbol), None) if !self.global && self.qualifier.is_empty() => Some(*symbol),
            _ => None,
        }
    }

    /// Whether there is a `::` in it.
    pub fn is_qualified(&self) -> bool {
        self.global || !self.qualifier.is_empty()
    }

    /// The last part's identifier, whatever stands before and after it.
    pub fn symbol(&self) -> Option<Symbol> {
        match self.last.id {
            Identifier::Name(symbol) => Some(symbol),
            _ => None,
        }
    }
}

/// One part of a name.
#[derive(Clone, PartialEq, Debug)]
pub struct NamePart {
    /// What it is called.
    pub id: Identifier,
    /// `<...>`, where it is written; `f<>` has an empty list.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Where.
    pub span: Span,
}

/// What a declaration or a part of a name is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Identifier {
    /// An identifier.
    Name(Symbol),
    /// `operator+`, `operator()`, `operator[]`, ...
    Operator(OperatorName),
    /// `operator T`.
    Conversion(Box<Type>),
    /// `operator""_x`.
    Literal(Symbol),
    /// `~T`.
    Destructor(Symbol),
    /// `decltype(e)` before a `::`.
    Decltype(Box<Expr>),
}

/// The operators that a function may be named after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperatorName {
    /// A binary operator; `-`, `+`, `*` and `&` name the unary operator too, told apart by the number of parameters.
    Binary(BinaryOp),
    /// `=`, or with an operator `+=` and the like.
    Assign(Option<BinaryOp>),
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `++`, before or behind (then with an `int` parameter).
    Increment,
    /// `--`
    Decrement,
    /// `()`
    Call,
    /// `[]`
    Index,
    /// `->`
    Arrow,
    /// `->*`
    ArrowStar,
    /// `<=>`
    Spaceship,
    /// `new`, `new[]`, `delete`, `delete[]`: read so that sema can say no.
    Memory,
}

/// An argument of a template.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateArgument {
    /// The argument.
    pub kind: TemplateArgumentKind,
    /// Followed by `...`.
    pub pack: bool,
    /// Where.
    pub span: Span,
}

/// What an argument of a template is.
#[derive(Clone, PartialEq, Debug)]
pub enum TemplateArgumentKind {
    /// A type; also the name of a template for a template template parameter, then `TypeKind::Named` without arguments.
    Type(Type),
    /// A value. A name that the parser does not know as a type is a value: `T::size`, `N`, `&f`.
    Value(Expr),
}
