//! Expressions.

use std::rc::Rc;

use crate::Span;

use super::{Block, Name, Parameter, Specifiers, Symbol, TemplateHeader, Type};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where: of an operator the operator itself, of a call the function, of a member access the member, of a subscript
    /// all of it; of a primary expression its token. That is where a caret helps most.
    pub span: Span,
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `42`, `0x2aULL`; the type follows from the three fields by C++'s table.
    Integer {
        /// The value.
        value: u64,
        /// `u`
        unsigned: bool,
        /// `l`: 1, `ll`: 2.
        longs: u8,
        /// Written in decimal, so that it is never unsigned by size alone.
        decimal: bool,
    },
    /// `1.5f`
    Float {
        /// The value, rounded once to the literal's own type: that of `0.1f` is a `float`'s value.
        value: f64,
        /// `f`: a `float`; otherwise a `double`.
        single: bool,
    },
    /// `true`
    Bool(bool),
    /// `'a'`: a `char`; `L'a'`, `u'a'` and `U'a'` are of their own types.
    Char {
        /// The code; a plain `'\xff'` is -1.
        value: i64,
        /// The prefix.
        prefix: CharPrefix,
    },
    /// `"a" "b"`: the bytes, joined, without the final zero.
    String {
        /// The bytes; of a prefixed literal the UTF-8 of its characters.
        bytes: Rc<[u8]>,
        /// The prefix.
        prefix: CharPrefix,
    },
    /// `nullptr`
    Nullptr,
    /// `this`
    This,
    /// A variable, a function, an enumerator, a member.
    Name(Box<Name>),
    /// `-a`, `*p`, `i++`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `a + b`, `a && b`, `a, b`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `a = b`, `a += b`
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// What is written.
        target: Box<Expr>,
        /// The value; may be an initialiser list.
        value: Box<Expr>,
    },
    /// `a ? b : c`
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// Where it holds; absent in `a ?: c`.
        then: Option<Box<Expr>>,
        /// Where not.
        otherwise: Box<Expr>,
    },
    /// `(T)a`, `static_cast<T>(a)`
    Cast {
        /// How it is written.
        style: CastStyle,
        /// To which type.
        ty: Box<Type>,
        /// Of what.
        operand: Box<Expr>,
    },
    /// `T(a, b)`, `T()`, `T{a, b}`. `float(x)` is this with one argument.
    Construct {
        /// The type.
        ty: Box<Type>,
        /// Its arguments; with braces, one [`ExprKind::List`].
        arguments: Vec<Expr>,
        /// `{}`: no narrowing, an aggregate's fields in order.
        braces: bool,
    },
    /// `f(a, b)`; `f<int, 4>(x)` has the template arguments in the name.
    Call {
        /// What is called: a name, a member access, or any expression.
        function: Box<Expr>,
        /// The arguments; one may be an initialiser list or a pack expansion.
        arguments: Vec<Expr>,
    },
    /// `kernel<<<grid, block>>>(a)`
    Launch {
        /// The kernel.
        function: Box<Expr>,
        /// Between `<<<` and `>>>`.
        configuration: Vec<Expr>,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `a.b`, `p->b`, `a.f<3>` (called by [`ExprKind::Call`]), `a.Base::f`
    Member {
        /// The object.
        object: Box<Expr>,
        /// `->`
        arrow: bool,
        /// The member.
        member: Box<Name>,
    },
    /// `a[i]`
    Index {
        /// The array, pointer or object.
        base: Box<Expr>,
        /// The index; a list for `a[{1, 2}]`.
        index: Box<Expr>,
    },
    /// `{a, b}`, `{.x = 1}`, `{[2] = 1}`
    List(Vec<ListItem>),
    /// `sizeof(T)`
    SizeofType(Box<Type>),
    /// `sizeof e`
    SizeofExpr(Box<Expr>),
    /// `sizeof...(Ts)`
    SizeofPack(Symbol),
    /// `alignof(T)`
    Alignof(Box<Type>),
    /// `offsetof(T, member)`, `__builtin_offsetof(T, member)`
    Offsetof {
        /// The record.
        ty: Box<Type>,
        /// The member, with its own members behind dots: `a.b`.
        path: Vec<Symbol>,
    },
    /// `noexcept(e)`
    Noexcept(Box<Expr>),
    /// `__is_same(T, U)` and other names of compilers that start with `__is_` or `__has_` and take types.
    TypeTrait {
        /// Its name.
        name: Symbol,
        /// The types.
        arguments: Vec<Type>,
    },
    /// `[=](int i) { ... }`
    Lambda(Rc<Lambda>),
    /// `e...` in a list of arguments.
    Expansion(Box<Expr>),
    /// `(... + a)`, `(a + ...)`, `(a + ... + b)`
    Fold {
        /// The operator.
        op: BinaryOp,
        /// An assignment: `(a += ...)`.
        assign: bool,
        /// The operand left of `...`.
        left: Option<Box<Expr>>,
        /// The operand right of `...`.
        right: Option<Box<Expr>>,
    },
    /// `new T(a)`, `new T[n]`, `new (p) T(a)`
    New {
        /// Where the object goes; on the heap where nothing is said.
        placement: Option<Box<Expr>>,
        /// Its type, or that of the elements.
        ty: Box<Type>,
        /// How many elements.
        length: Option<Box<Expr>>,
        /// How it begins.
        init: Box<super::Initialiser>,
    },
    /// `delete p`, `delete[] p`
    Delete {
        /// `delete[]`
        array: bool,
        /// The pointer.
        operand: Box<Expr>,
    },
    /// What kernels on the CPU cannot do, read so that the checker can say so: `throw`, `typeid`, `dynamic_cast`.
    Refused {
        /// Its keyword.
        what: &'static str,
    },
}

/// An entry of an initialiser list.
#[derive(Clone, PartialEq, Debug)]
pub struct ListItem {
    /// `.x`, `[2]`; several for `.a.b`, none for most.
    pub designators: Vec<Designator>,
    /// The value; may be a list, or an [`ExprKind::Expansion`].
    pub value: Expr,
}

/// Which member or element an entry sets.
#[derive(Clone, PartialEq, Debug)]
pub enum Designator {
    /// `.x`
    Field(Symbol, Span),
    /// `[2]`
    Index(Box<Expr>),
}

/// The prefix of a character or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CharPrefix {
    /// None, or `u8`.
    None,
    /// `L`
    Wide,
    /// `u`
    Sixteen,
    /// `U`
    ThirtyTwo,
}

/// A lambda expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// `[=]`, `[&]`
    pub default: Option<CaptureDefault>,
    /// `[a, &b, c = e, this]`
    pub captures: Vec<Capture>,
    /// `[]<typename T>(T a)`
    pub template: Option<TemplateHeader>,
    /// What it takes; a parameter of type `auto` makes its call operator a template.
    pub parameters: Vec<Parameter>,
    /// `mutable`: what was captured by value may be changed.
    pub mutable: bool,
    /// `__device__`, `constexpr`, ...
    pub specifiers: Specifiers,
    /// `-> T`
    pub result: Option<Type>,
    /// What it does.
    pub body: Block,
    /// The place of the `[`.
    pub span: Span,
}

/// What a lambda captures where it does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureDefault {
    /// `=`
    Value,
    /// `&`
    Reference,
}

/// A capture.
#[derive(Clone, PartialEq, Debug)]
pub struct Capture {
    /// What.
    pub kind: CaptureKind,
    /// Where.
    pub span: Span,
}

/// What is captured.
#[derive(Clone, PartialEq, Debug)]
pub enum CaptureKind {
    /// `this`
    This,
    /// `*this`
    ThisCopy,
    /// A variable, with `= e` one of its own.
    Variable {
        /// Its name.
        name: Symbol,
        /// `&`
        reference: bool,
        /// Its value.
        value: Option<Box<Expr>>,
        /// `...`
        pack: bool,
    },
}

/// How a cast is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastStyle {
    /// `(T)a`
    C,
    /// `static_cast<T>(a)`
    Static,
    /// `reinterpret_cast<T>(a)`
    Reinterpret,
    /// `const_cast<T>(a)`
    Const,
    /// `__builtin_bit_cast(T, a)`
    Bits,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `+a`
    Plus,
    /// `-a`
    Minus,
    /// `!a`
    Not,
    /// `~a`
    BitNot,
    /// `*a`
    Deref,
    /// `&a`
    Address,
    /// `++a`
    PreIncrement,
    /// `--a`
    PreDecrement,
    /// `a++`
    PostIncrement,
    /// `a--`
    PostDecrement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `,`
    Comma,
    /// `.*`
    DotStar,
    /// `->*`
    ArrowStar,
}
