//! The functions that the language has without a definition: what they take, and what they become.
//!
//! A [`Builtin`] has a name and signatures. They take part in overload resolution beside the functions that a text
//! defines (which win where both fit equally), as if declared in the global namespace; `std::` finds them too. The
//! arguments arrive converted to the parameters' types. Three examples:
//!
//! ```text
//! // sinf takes a float; sin takes a float or a double, and integers as double (the one marked `for_integers`).
//! Builtin { name: "sinf", signatures: &[sig(FLOAT, &[FLOAT], How::Math(Math::Sin))] }
//! Builtin { name: "sin", signatures: &[sig(FLOAT, &[FLOAT], How::Math(Math::Sin)),
//!                                      sig(DOUBLE, &[DOUBLE], How::Math(Math::Sin)).for_integers()] }
//!
//! // One row for all types: T is what the pointer points to; the value is converted to it.
//! Builtin { name: "atomicAdd", signatures: &[generic(Set::Atomic, Ty::T, &[Ty::PointerToT, Ty::T],
//!     How::BySign { signed: Step::Atomic(Atomic::Add), unsigned: Step::Atomic(Atomic::Add),
//!                   float: Step::Atomic(Atomic::Add) })] }
//!
//! // T is the type of the argument (a small integer's is int); the last parameter may be left out.
//! Builtin { name: "__shfl_down_sync", signatures: &[generic(Set::Number, Ty::T,
//!     &[Ty::Uint, Ty::T, Ty::Uint, Ty::Default(&Ty::Int, 32)], How::Warp(Warp::ShuffleDown))] }
//! ```
//!
//! What does not fit a row is a function: `How::Custom(fn)`, see [`Call`].

mod convert;
mod integer;
mod library_names;
mod math;
mod memory;
mod threads;
mod unsupported;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use crate::lower::Builder;
pub use library_names::{header_of, library_hint, standard_header_of};
pub use unsupported::instead_of;

use crate::check::types::{TypeId, Types};
use crate::ir::{self, Local, StringId};
use crate::{Diagnostic, Span};

/// A function of the language.
#[derive(Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it may be called with.
    pub signatures: &'static [Signature],
}

/// One way to call a builtin.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The types that `T` may be; `Set::None` where there is no `T`.
    pub set: Set,
    /// The result.
    pub result: Ty,
    /// The parameters.
    pub params: &'static [Ty],
    /// Any number of further arguments, promoted as for `printf`.
    pub variadic: bool,
    /// Preferred where all arguments are integers (`sin(1)` is a double), and where one is a double.
    pub for_integers: bool,
    /// What it becomes.
    pub how: How,
}

/// A row without `T`.
pub const fn sig(result: Ty, params: &'static [Ty], how: How) -> Signature {
    Signature { set: Set::None, result, params, variadic: false, for_integers: false, how }
}

/// A row with `T`.
pub const fn generic(set: Set, result: Ty, params: &'static [Ty], how: How) -> Signature {
    Signature { set, result, params, variadic: false, for_integers: false, how }
}

impl Signature {
    /// Takes integers where no other row fits better.
    pub const fn for_integers(mut self) -> Signature {
        self.for_integers = true;
        self
    }

    /// Takes further arguments.
    pub const fn variadic(mut self) -> Signature {
        self.variadic = true;
        self
    }
}

/// A type in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the variants are C's types")]
pub enum Ty {
    Void,
    Bool,
    Char,
    Schar,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    Llong,
    Ullong,
    Float,
    Double,
    /// The signature's own type. With a parameter `PointerToT` it is what the pointer points to; else the type of the
    /// argument, or the common type of all arguments for `T`, promoted where it is not in the set.
    T,
    /// `T*`, also to `volatile`.
    PointerToT,
    /// `const T*`, also to `volatile`.
    PointerToConstT,
    /// A pointer to a type that is not `T`.
    Pointer(&'static Ty),
    /// `const void*`: any pointer.
    AnyPointer,
    /// `void*`: any pointer to what is not `const`.
    AnyMutablePointer,
    /// `const char*`.
    Text,
    /// The unsigned integer of `T`'s width; as a result.
    UnsignedOfT,
    /// A parameter that may be left out, and its value then.
    Default(&'static Ty, i64),
}

/// Which types `T` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// There is no `T`.
    None,
    /// `float`, `double`.
    Float,
    /// Integers of 32 and 64 bits.
    Integer,
    /// Integers of 32 and 64 bits, `float`, `double`.
    Number,
    /// All arithmetic types, `bool` and the small ones too.
    Any,
    /// Arithmetic types and pointers.
    Scalar,
    /// Integers of 16 (unsigned), 32 and 64 bits, `float`, `double`: behind the pointers of atomics.
    Atomic,
    /// Integers of 32 and 64 bits, behind the pointers of atomics.
    AtomicInteger,
}

/// What a call becomes. `dst` is of the result's type; operands are the arguments in order.
#[derive(Clone, Copy)]
pub enum How {
    /// One step, whatever the type.
    Step(Step),
    /// By what `T` is.
    BySign {
        /// For signed integers.
        signed: Step,
        /// For unsigned integers and `bool`.
        unsigned: Step,
        /// For floats.
        float: Step,
    },
    /// `Op::Math`.
    Math(ir::Math),
    /// `Op::Warp`: mask, value and, for shuffles, lane and width.
    Warp(ir::Warp),
    /// Anything else.
    Custom(fn(&mut Call) -> Result<Option<Local>, Diagnostic>),
}

impl std::fmt::Debug for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            How::Step(step) => write!(f, "Step({step:?})"),
            How::BySign { signed, unsigned, float } => {
                write!(f, "BySign({signed:?}, {unsigned:?}, {float:?})")
            }
            How::Math(math) => write!(f, "Math({math:?})"),
            How::Warp(warp) => write!(f, "Warp({warp:?})"),
            How::Custom(_) => write!(f, "Custom"),
        }
    }
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// `Op::Unary`.
    Unary(ir::Unary),
    /// `Op::Binary`.
    Binary(ir::Binary),
    /// `Op::Compare`.
    Compare(ir::Compare),
    /// `Op::Convert`.
    Convert(ir::Convert),
    /// `Op::Fma`.
    Fma,
    /// `Op::Atomic`: address, value.
    Atomic(ir::Atomic),
    /// `Op::CompareAndSwap`: address, expected, value.
    CompareAndSwap,
    /// `Op::Special`.
    Special(ir::Special),
    /// `Op::Fence`.
    Fence,
    /// `Op::Barrier(Plain)`.
    Barrier,
    /// `Op::GridSync`.
    GridSync,
    /// `Op::ClusterSync`.
    ClusterSync,
    /// `Op::SyncWarp`: mask.
    SyncWarp,
    /// `Op::ActiveMask`.
    ActiveMask,
    /// `Op::Yield`.
    Yield,
    /// The argument itself.
    Same,
    /// Nothing at all: hints. The arguments are computed all the same.
    Nothing,
}

/// An argument of a call, converted to its parameter's type.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Its value.
    pub local: Local,
    /// Its type.
    pub ty: TypeId,
    /// The bits, where it is known at compile time.
    pub constant: Option<u64>,
    /// The text, where it is a string literal.
    pub text: Option<StringId>,
}

/// A call of a builtin that is lowered by a function of its own.
pub struct Call<'a> {
    /// Where the instructions go.
    pub builder: &'a mut Builder,
    /// The module's types: what the arguments are.
    pub types: &'a Types,
    /// The module's texts.
    pub strings: &'a mut Vec<String>,
    /// The arguments.
    pub args: &'a [Arg],
    /// The result's type.
    pub result: TypeId,
    /// `T`, where the signature has one.
    pub generic: Option<TypeId>,
    /// The name that was called.
    pub name: &'a str,
    /// Where the call stands.
    pub span: Span,
}

impl Call<'_> {
    /// The local of an argument.
    pub fn arg(&self, at: usize) -> Local {
        self.args[at].local
    }

    /// A text of the module.
    pub fn string(&mut self, text: &str) -> StringId {
        if let Some(at) = self.strings.iter().position(|known| known == text) {
            return StringId(at as u32);
        }
        self.strings.push(text.to_owned());
        StringId(self.strings.len() as u32 - 1)
    }

    /// An error at the call.
    pub fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span, message)
    }
}

/// A row of a table.
const fn row(name: &'static str, signatures: &'static [Signature]) -> Builtin {
    Builtin { name, signatures }
}

const TABLES: &[&[Builtin]] = &[
    math::UNARY,
    math::BINARY,
    math::TERNARY,
    math::QUATERNARY,
    math::WITH_INT,
    math::WITH_LONG,
    math::AFTER_INT,
    math::FREXP,
    math::MODF,
    math::REMQUO,
    math::POWER,
    math::OTHER,
    integer::TABLE,
    convert::TABLE,
    memory::ATOMICS,
    memory::TABLE,
    threads::TABLE,
    threads::WARPS,
];

/// The builtin of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static Builtin>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let all = TABLES.iter().flat_map(|table| table.iter());
        all.map(|builtin| (builtin.name, builtin)).collect()
    });
    by_name.get(name).copied()
}

/// The names of all builtins, in the tables' order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().flat_map(|table| table.iter()).map(|builtin| builtin.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_one_row() {
        let mut seen = std::collections::HashSet::new();
        for name in names() {
            assert!(seen.insert(name), "{name} stands in two rows");
            assert!(find(name).is_some_and(|builtin| !builtin.signatures.is_empty()));
        }
    }
}
