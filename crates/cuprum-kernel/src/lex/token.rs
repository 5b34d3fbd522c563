//! Tokens: what the lexer cuts a text into, what macros are made of, and what the parser reads.

use crate::Span;
use crate::ast::{Symbol, Symbols};

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands; of a macro's replacement, where the macro was used.
    pub span: Span,
    /// White space stands before it.
    pub space: bool,
    /// It is the first of its line.
    pub first: bool,
    /// An identifier that was met inside the expansion of its own macro: it is never expanded again.
    pub painted: bool,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Ident(Symbol),
    /// A number as written: what it is worth is seen by the parser.
    Number(Symbol),
    /// A character literal as written, with prefix and quotes.
    Char(Symbol),
    /// A string literal as written, with prefix and quotes.
    Str(Symbol),
    /// `<name>` behind `#include`, without the angles.
    Header(Symbol),
    /// An operator or a bracket.
    Punct(Punct),
    /// What is no token: a stray character, or a literal or comment without its end.
    Unknown(Symbol),
    /// A parameter in a macro's replacement, by its position.
    Parameter(u32),
    /// `##` in a macro's replacement.
    Paste,
    /// Nothing: an empty argument beside `##`.
    Placemarker,
    /// `#pragma unroll`; the tokens of its count follow, then [`TokenKind::UnrollEnd`].
    Unroll,
    /// The end of `#pragma unroll`.
    UnrollEnd,
    /// The end of the text.
    Eof,
}

impl Token {
    /// A token by itself.
    pub fn new(kind: TokenKind, span: Span) -> Token {
        Token { kind, span, space: false, first: false, painted: false }
    }

    /// Whether it is this operator.
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    /// The keyword that it is.
    pub fn keyword(&self) -> Option<Keyword> {
        match self.kind {
            TokenKind::Ident(symbol) => Keyword::of(symbol),
            _ => None,
        }
    }

    /// The token as text.
    pub fn spelling<'a>(&self, symbols: &'a Symbols) -> &'a str {
        match self.kind {
            TokenKind::Ident(symbol)
            | TokenKind::Number(symbol)
            | TokenKind::Char(symbol)
            | TokenKind::Str(symbol)
            | TokenKind::Header(symbol)
            | TokenKind::Unknown(symbol) => symbols.text(symbol),
            TokenKind::Punct(punct) => punct.text(),
            TokenKind::Paste => "##",
            TokenKind::Unroll => "#pragma unroll",
            TokenKind::Parameter(_) | TokenKind::Placemarker | TokenKind::UnrollEnd | TokenKind::Eof => "",
        }
    }
}

/// Makes an enum of words or signs with their texts: `enum Name { A "a", ... }` becomes the enum, `Name::ALL` in order,
/// and `Name::text`.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// As written.
            pub fn text(self) -> &'static str {
                const TEXTS: &[&str] = &[$($text,)*];
                TEXTS[self as usize]
            }
        }
    };
}

texts! {
    /// Operators and brackets. `>` is always alone: `>>` is two of which the second has no space before it, so that
    /// `A<B<C>>` needs no second thought.
    Punct {
        LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
        Semicolon ";", Comma ",", Colon ":", ColonColon "::", Dot ".", Ellipsis "...", DotStar ".*", Arrow "->",
        ArrowStar "->*", Question "?", Plus "+", Minus "-", Star "*", Slash "/", Percent "%", Caret "^", Amp "&",
        Pipe "|", Tilde "~", Not "!", Assign "=", Less "<", Greater ">", PlusAssign "+=", MinusAssign "-=",
        StarAssign "*=", SlashAssign "/=", PercentAssign "%=", CaretAssign "^=", AmpAssign "&=", PipeAssign "|=",
        ShiftLeft "<<", ShiftLeftAssign "<<=", Equal "==", NotEqual "!=", LessEqual "<=", GreaterEqual ">=",
        Spaceship "<=>", And "&&", Or "||", Increment "++", Decrement "--", Hash "#", HashHash "##", At "@",
        Backslash "\\", Dollar "$",
    }
}

texts! {
    /// The words that are no names. Their symbols are the first ones of a [`Symbols`] made by [`Keyword::symbols`].
    Keyword {
        Alignas "alignas", Alignof "alignof", Asm "asm", Auto "auto", Bool "bool", Break "break", Case "case",
        Catch "catch", Char "char", Char16 "char16_t", Char32 "char32_t", Class "class", Const "const",
        Consteval "consteval", Constexpr "constexpr", Constinit "constinit", ConstCast "const_cast",
        Continue "continue", Decltype "decltype", Default "default", Delete "delete", Do "do", Double "double",
        DynamicCast "dynamic_cast", Else "else", Enum "enum", Explicit "explicit", Export "export", Extern "extern",
        False "false", Float "float", For "for", Friend "friend", Goto "goto", If "if", Inline "inline", Int "int",
        Long "long", Mutable "mutable", Namespace "namespace", New "new", Noexcept "noexcept", Nullptr "nullptr",
        Operator "operator", Private "private", Protected "protected", Public "public", Register "register",
        ReinterpretCast "reinterpret_cast", Return "return", Short "short", Signed "signed", Sizeof "sizeof",
        Static "static", StaticAssert "static_assert", StaticCast "static_cast", Struct "struct", Switch "switch",
        Template "template", This "this", ThreadLocal "thread_local", Throw "throw", True "true", Try "try",
        Typedef "typedef", Typeid "typeid", Typename "typename", Union "union", Unsigned "unsigned", Using "using",
        Virtual "virtual", Void "void", Volatile "volatile", WideChar "wchar_t", While "while",
        // CUDA's and the compilers' own.
        Global "__global__", Device "__device__", Host "__host__", Shared "__shared__", Constant "__constant__",
        Managed "__managed__", GridConstant "__grid_constant__", ForceInline "__forceinline__",
        NoInline "__noinline__", LaunchBounds "__launch_bounds__", MaxRegisters "__maxnreg__",
        ClusterDims "__cluster_dims__", Align "__align__", Restrict "__restrict__", RestrictShort "__restrict",
        InlineLong "__inline__", InlineShort "__inline", SignedLong "__signed__", ConstLong "__const__",
        VolatileLong "__volatile__", AsmLong "__asm__", AsmShort "__asm", Attribute "__attribute__",
        Declspec "__declspec", AlignofLong "__alignof__", AlignofC "_Alignof", Typeof "typeof",
        TypeofLong "__typeof__", Extension "__extension__", StaticAssertC "_Static_assert", Int128 "__int128",
        Int128Long "__int128_t", UnsignedInt128 "__uint128_t", Offsetof "__builtin_offsetof",
        BitCast "__builtin_bit_cast", UnderlyingType "__underlying_type", Func "__func__", Function "__FUNCTION__",
        PrettyFunction "__PRETTY_FUNCTION__",
        // Other spellings of operators: the preprocessor turns them into these.
        WordAnd "and", WordAndEq "and_eq", WordBitAnd "bitand", WordBitOr "bitor", WordCompl "compl", WordNot "not",
        WordNotEq "not_eq", WordOr "or", WordOrEq "or_eq", WordXor "xor", WordXorEq "xor_eq",
    }
}

impl Keyword {
    /// Symbols that start with the keywords.
    pub fn symbols() -> Symbols {
        let mut symbols = Symbols::default();
        for keyword in Keyword::ALL {
            symbols.intern(keyword.text());
        }
        symbols
    }

    /// The keyword of a symbol.
    pub fn of(symbol: Symbol) -> Option<Keyword> {
        Keyword::ALL.get(symbol.0 as usize).copied()
    }

    /// The operator that a word such as `and` stands for.
    pub fn operator(self) -> Option<Punct> {
        Some(match self {
            Keyword::WordAnd => Punct::And,
            Keyword::WordAndEq => Punct::AmpAssign,
            Keyword::WordBitAnd => Punct::Amp,
            Keyword::WordBitOr => Punct::Pipe,
            Keyword::WordCompl => Punct::Tilde,
            Keyword::WordNot => Punct::Not,
            Keyword::WordNotEq => Punct::NotEqual,
            Keyword::WordOr => Punct::Or,
            Keyword::WordOrEq => Punct::PipeAssign,
            Keyword::WordXor => Punct::Caret,
            Keyword::WordXorEq => Punct::CaretAssign,
            _ => return None,
        })
    }
}
