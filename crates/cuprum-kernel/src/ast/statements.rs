//! Statements.

use crate::Span;

use super::{Declaration, Expr, Symbol, Variables};

/// `{ ... }`
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The statements, labels among them.
    pub statements: Vec<Stmt>,
    /// The place of the `{`.
    pub span: Span,
    /// The place of the `}`: where a function without `return` ends.
    pub end: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The place of its first token.
    pub span: Span,
}

/// What a statement is.
///
/// `case`, `default` and labels are markers that stand before the statement they mark, in the same block. Where C++ lets
/// one be the whole body of an `if` or a loop, the parser has put a block around the marker and its statement.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `e;`
    Expr(Expr),
    /// A declaration. One statement may declare a type and its variables: `struct { int x; } a;`.
    Declaration(Vec<Declaration>),
    /// `{ ... }`
    Block(Block),
    /// `if`
    If {
        /// `if constexpr`
        constant: bool,
        /// `if (init; condition)`
        init: Option<Box<Stmt>>,
        /// The condition.
        condition: Condition,
        /// Where it holds.
        then: Box<Stmt>,
        /// `else`
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`
    While {
        /// The condition.
        condition: Condition,
        /// The body.
        body: Box<Stmt>,
        /// `#pragma unroll`
        unroll: Option<Unroll>,
    },
    /// `do ... while`
    Do {
        /// The body.
        body: Box<Stmt>,
        /// The condition.
        condition: Expr,
        /// `#pragma unroll`
        unroll: Option<Unroll>,
    },
    /// `for (init; condition; step)`
    For {
        /// An expression, a declaration or empty.
        init: Box<Stmt>,
        /// Absent: for ever.
        condition: Option<Condition>,
        /// After each turn.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
        /// `#pragma unroll`
        unroll: Option<Unroll>,
    },
    /// `for (T x : range)`
    RangeFor {
        /// `for (init; T x : range)`
        init: Option<Box<Stmt>>,
        /// The variable: a [`Declaration::Variables`] of one without an initialiser, or a [`Declaration::Binding`].
        variable: Box<Declaration>,
        /// What is gone through.
        range: Expr,
        /// The body.
        body: Box<Stmt>,
        /// `#pragma unroll`
        unroll: Option<Unroll>,
    },
    /// `switch`
    Switch {
        /// `switch (init; value)`
        init: Option<Box<Stmt>>,
        /// The value.
        value: Condition,
        /// The body, with `case` and `default` as markers in it.
        body: Box<Stmt>,
    },
    /// `case v:`, `case a ... b:`
    Case {
        /// The value.
        value: Expr,
        /// The last value of a range.
        last: Option<Expr>,
    },
    /// `default:`
    Default,
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return;`, `return e;`; `e` may be an initialiser list.
    Return(Option<Expr>),
    /// `goto name;`
    Goto(Symbol),
    /// `name:`
    Label(Symbol),
    /// `asm("...")` that is not known: recorded so that the checker can refuse it.
    Asm {
        /// The assembler text.
        text: String,
        /// The instruction that is not known; empty where its operands are not.
        unknown: String,
    },
    /// `try`: recorded so that the checker can refuse it.
    Try,
}

/// A condition: an expression, or a variable that is tested.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// `if (e)`
    Expr(Expr),
    /// `if (int x = e)`: one variable with an initialiser.
    Variable(Box<Variables>),
}

/// `#pragma unroll`, which stands before a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Unroll {
    /// `#pragma unroll N`, `#pragma unroll (N)`; `None`: wholly. A constant expression: 1 forbids it.
    pub count: Option<Expr>,
    /// Where.
    pub span: Span,
}
