//! Declarations: functions, variables, records, enums, aliases, namespaces, templates.

use std::rc::Rc;

use crate::Span;

use super::{Block, Expr, Name, Symbol, Type};

/// A declaration.
///
/// A record or an enum that is defined inside another declaration (`struct S { } a;`, `typedef struct { } T;`) stands
/// before it as a declaration of its own, and the type names it; one without a name has got one that no text can spell,
/// `typedef struct { } T;` that of the typedef.
#[derive(Clone, PartialEq, Debug)]
pub enum Declaration {
    /// A function, its definition or its declaration alone.
    Function(Rc<Function>),
    /// Variables, or a record's fields.
    Variables(Variables),
    /// `auto [a, b] = e;`
    Binding(Binding),
    /// `struct`, `class`, `union`
    Record(Rc<Record>),
    /// `enum`
    Enum(Rc<Enum>),
    /// `typedef`, `using x = T;`
    Alias(Rc<Alias>),
    /// `namespace`
    Namespace(Namespace),
    /// `namespace a = b::c;`
    NamespaceAlias {
        /// The new name.
        name: Symbol,
        /// What it stands for.
        target: Name,
        /// Where.
        span: Span,
    },
    /// `using namespace a;`
    UsingDirective {
        /// The namespace.
        name: Name,
        /// Where.
        span: Span,
    },
    /// `using a::b;`; in a record, a base's member or its constructors.
    UsingDeclaration {
        /// The name.
        name: Name,
        /// Where.
        span: Span,
    },
    /// `static_assert(condition, "message");`
    StaticAssert {
        /// The condition.
        condition: Expr,
        /// The message.
        message: Option<String>,
        /// Where.
        span: Span,
    },
    /// `template void f<int>(int);`, `template struct S<int>;`
    Instantiation {
        /// What is instantiated: a function without body, a record without members, or a variable.
        declaration: Box<Declaration>,
        /// Where.
        span: Span,
    },
}

/// What stands before a declaration's type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Specifiers {
    /// `__global__`
    pub global: bool,
    /// `__device__`
    pub device: bool,
    /// `__host__`
    pub host: bool,
    /// `__shared__`
    pub shared: bool,
    /// `__constant__`
    pub constant: bool,
    /// `__managed__`
    pub managed: bool,
    /// `static`
    pub is_static: bool,
    /// `inline`
    pub inline: bool,
    /// `__forceinline__`
    pub force_inline: bool,
    /// `__noinline__`
    pub no_inline: bool,
    /// `constexpr`, `consteval`, `constinit`
    pub constexpr: bool,
    /// `extern`
    pub is_extern: bool,
    /// `extern "C"`, by itself or around it.
    pub extern_c: bool,
    /// `virtual`
    pub is_virtual: bool,
    /// `explicit`
    pub explicit: bool,
    /// `friend`
    pub friend: bool,
    /// `mutable`
    pub mutable: bool,
    /// `thread_local`
    pub thread_local: bool,
    /// `__launch_bounds__(threads, blocks)`; empty where it is not written.
    pub launch_bounds: Vec<Expr>,
    /// `__cluster_dims__(x, y, z)`; empty where it is not written.
    pub cluster_dims: Vec<Expr>,
    /// `alignas`, `__align__`, `__attribute__((aligned(n)))`; the strictest holds.
    pub alignment: Vec<Alignment>,
    /// The place of the first of them, or of the type where there is none.
    pub span: Span,
}

/// What an alignment is given by.
#[derive(Clone, PartialEq, Debug)]
pub enum Alignment {
    /// `alignas(16)`
    Value(Expr),
    /// `alignas(double)`
    Type(Type),
}

/// `template <...>`
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateHeader {
    /// The parameters; none for `template <>`, an explicit specialisation.
    pub parameters: Vec<TemplateParameter>,
    /// Where.
    pub span: Span,
}

/// A parameter of a template.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateParameter {
    /// Its name.
    pub name: Option<Symbol>,
    /// What it stands for.
    pub kind: TemplateParameterKind,
    /// `...`
    pub pack: bool,
    /// Where.
    pub span: Span,
}

/// What a template's parameter stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum TemplateParameterKind {
    /// `typename T = default`
    Type {
        /// The default.
        default: Option<Type>,
    },
    /// `int N = default`
    Value {
        /// Its type.
        ty: Type,
        /// The default.
        default: Option<Expr>,
    },
    /// `template <typename> class T = default`
    Template {
        /// The parameters of the template that it stands for.
        header: TemplateHeader,
        /// The default.
        default: Option<Name>,
    },
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// `template <...>`, outermost first: a member template of a class template that is defined outside has two.
    pub templates: Vec<TemplateHeader>,
    /// What stands before.
    pub specifiers: Specifiers,
    /// What it is called; qualified where a member is defined outside its record, with template arguments in an explicit
    /// specialisation (`f<int>`).
    pub name: Name,
    /// A record's constructor, declared in it or outside (`S::S`).
    pub constructor: bool,
    /// What it returns, also where that is written behind (`auto f() -> T`); `None` for constructors, destructors and
    /// conversions (whose type is in the name).
    pub result: Option<Type>,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Ends with `...`.
    pub variadic: bool,
    /// `const` behind the parameters.
    pub constant: bool,
    /// `&&` behind the parameters: for temporaries alone.
    pub rvalue: bool,
    /// `: a(1), b{2}`
    pub initialisers: Vec<MemberInitialiser>,
    /// What it does.
    pub body: FunctionBody,
    /// The place of the name.
    pub span: Span,
}

/// What a function does.
#[derive(Clone, PartialEq, Debug)]
pub enum FunctionBody {
    /// Declared only.
    None,
    /// Defined.
    Block(Block),
    /// `= default`
    Default,
    /// `= delete`
    Delete,
    /// `= 0`
    Pure,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Option<Symbol>,
    /// Its type, as written: an array is still an array, a function still a function.
    pub ty: Type,
    /// `= e`
    pub default: Option<Expr>,
    /// `T... a`: a pack; then `ty` is the pattern, without [`super::TypeKind::Pack`].
    pub pack: bool,
    /// The place of the name, or of the type where there is none.
    pub span: Span,
}

/// An entry of a constructor's list: a field or a base.
#[derive(Clone, PartialEq, Debug)]
pub struct MemberInitialiser {
    /// The field, the base, or the class itself.
    pub name: Name,
    /// Its arguments; with braces, one list.
    pub arguments: Vec<Expr>,
    /// `{}`
    pub braces: bool,
    /// Where.
    pub span: Span,
}

/// Variables that one declaration declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Variables {
    /// `template <...>`
    pub templates: Vec<TemplateHeader>,
    /// What stands before.
    pub specifiers: Specifiers,
    /// The variables, in order.
    pub variables: Vec<Variable>,
}

/// A variable or a field.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name, qualified where a static member is defined outside; `None` for an unnamed bit-field and for an anonymous
    /// struct or union, whose members are those of the record around it.
    pub name: Option<Name>,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub init: Initialiser,
    /// `: n`
    pub bits: Option<Expr>,
    /// The place of the name.
    pub span: Span,
}

/// A variable's value as written.
#[derive(Clone, PartialEq, Debug)]
pub enum Initialiser {
    /// None.
    None,
    /// `= e`; `e` may be an initialiser list.
    Copy(Expr),
    /// `(a, b)`
    Direct(Vec<Expr>),
    /// `{a, b}`: an [`super::ExprKind::List`].
    Braces(Expr),
}

/// `auto [a, b] = e;`
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// What stands before.
    pub specifiers: Specifiers,
    /// `auto`, `const auto &`
    pub ty: Type,
    /// The names.
    pub names: Vec<(Symbol, Span)>,
    /// The value; [`Initialiser::None`] in a range-for.
    pub init: Initialiser,
    /// Where.
    pub span: Span,
}

/// Which of the three a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `class`
    Class,
    /// `union`
    Union,
}

/// A struct, class or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// `template <...>`, outermost first.
    pub templates: Vec<TemplateHeader>,
    /// Which of the three.
    pub kind: RecordKind,
    /// What it is called; with template arguments in a specialisation (`S<T *>`).
    pub name: Name,
    /// `alignas`, `__align__`
    pub alignment: Vec<Alignment>,
    /// `: public B`
    pub bases: Vec<Base>,
    /// What it holds; `None` for `struct S;`.
    pub members: Option<Vec<Member>>,
    /// The place of the name.
    pub span: Span,
}

/// A base class.
#[derive(Clone, PartialEq, Debug)]
pub struct Base {
    /// The base; [`super::TypeKind::Pack`] where it is expanded.
    pub ty: Type,
    /// `virtual`
    pub is_virtual: bool,
    /// Its access, `class` being private and `struct` public where nothing is said.
    pub access: Access,
}

/// A record's member: fields and static fields are [`Declaration::Variables`], methods [`Declaration::Function`].
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Its access.
    pub access: Access,
    /// What it is.
    pub declaration: Declaration,
}

/// Who may use a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// `public`
    Public,
    /// `protected`
    Protected,
    /// `private`
    Private,
}

/// An enum.
#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// What it is called.
    pub name: Name,
    /// `enum class`
    pub scoped: bool,
    /// `: T`
    pub underlying: Option<Type>,
    /// Its enumerators; `None` for `enum E : int;`.
    pub enumerators: Option<Vec<Enumerator>>,
    /// The place of the name.
    pub span: Span,
}

/// An enumerator.
#[derive(Clone, PartialEq, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// `= e`
    pub value: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// `typedef T x;`, `using x = T;`, `template <...> using x = T;`
#[derive(Clone, PartialEq, Debug)]
pub struct Alias {
    /// `template <...>`
    pub templates: Vec<TemplateHeader>,
    /// The new name.
    pub name: Symbol,
    /// What it stands for.
    pub ty: Type,
    /// The place of the name.
    pub span: Span,
}

/// `namespace a { ... }`; `namespace a::b { }` is one in the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Namespace {
    /// Its name.
    pub name: Option<Symbol>,
    /// `inline`
    pub inline: bool,
    /// What it declares.
    pub declarations: Vec<Declaration>,
    /// The place of the name.
    pub span: Span,
}

impl Declaration {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Declaration::Function(function) => function.span,
            Declaration::Variables(variables) => {
                variables.variables.first().map_or(variables.specifiers.span, |v| v.span)
            }
            Declaration::Binding(binding) => binding.span,
            Declaration::Record(record) => record.span,
            Declaration::Enum(definition) => definition.span,
            Declaration::Alias(alias) => alias.span,
            Declaration::Namespace(namespace) => namespace.span,
            Declaration::NamespaceAlias { span, .. }
            | Declaration::UsingDirective { span, .. }
            | Declaration::UsingDeclaration { span, .. }
            | Declaration::StaticAssert { span, .. }
            | Declaration::Instantiation { span, .. } => *span,
        }
    }
}
