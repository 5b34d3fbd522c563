//! Types as written.

use crate::Span;

use super::{Expr, Name, Parameter};

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// `const` at this level: `int *const p` is a constant pointer, `const int *p` a pointer to a constant.
    pub constant: bool,
    /// `volatile` at this level.
    pub volatile: bool,
    /// Where; for a type made by a declarator (`*p`, `a[3]`) the declarator's place.
    pub span: Span,
}

impl Type {
    /// A type without `const` and `volatile`.
    pub fn new(kind: TypeKind, span: Span) -> Type {
        Type { kind, constant: false, volatile: false, span }
    }
}

/// What a type is.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// A built-in type.
    Builtin(Builtin),
    /// A name: a typedef, a record, an enum, a template parameter, a template-id, `typename T::x`.
    Named(Box<Name>),
    /// `auto`
    Auto,
    /// `decltype(auto)`
    DecltypeAuto,
    /// `decltype(e)`, `typeof(e)`
    Decltype(Box<Expr>),
    /// `__underlying_type(T)`
    Underlying(Box<Type>),
    /// `T *`
    Pointer {
        /// What it points to.
        to: Box<Type>,
        /// `__restrict__`
        restrict: bool,
    },
    /// `T &`
    Reference {
        /// What it refers to.
        to: Box<Type>,
        /// `__restrict__`
        restrict: bool,
    },
    /// `T &&`
    RvalueReference(Box<Type>),
    /// `T a[n]`, `T a[]`
    Array {
        /// The element; of `int a[2][3]` it is `int[3]`.
        element: Box<Type>,
        /// How many; `None` for `[]`.
        length: Option<Box<Expr>>,
    },
    /// A function's type, seen behind a pointer or a reference, as a template argument, in an alias.
    Function {
        /// What it returns.
        result: Box<Type>,
        /// What it takes.
        parameters: Vec<Parameter>,
        /// Ends with `...`.
        variadic: bool,
    },
    /// `T C::*`
    MemberPointer {
        /// The class.
        class: Box<Name>,
        /// What it points to.
        to: Box<Type>,
    },
    /// `T...`: the expansion of a pack in a parameter list, a base list or a template argument list.
    Pack(Box<Type>),
}

/// The built-in types. `size_t`, `int64_t` and their like are typedefs of the headers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `wchar_t`
    WideChar,
    /// `char16_t`
    Char16,
    /// `char32_t`
    Char32,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, which CUDA reads as `double`.
    LongDouble,
}
