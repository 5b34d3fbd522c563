//! Element types, promotion between them (NumPy 2's, NEP 50) and the rules of casting.

use std::fmt;

/// The type of an array's elements.
///
/// ```
/// use cuprum_core::DType;
/// assert_eq!(DType::I32.promote(DType::F32), DType::F64);
/// assert_eq!(DType::C64.size(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum DType {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    BF16,
    F32,
    F64,
    C64,
    C128,
}

/// The family that a dtype belongs to, in the order in which casts go up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// `bool`
    Bool,
    /// `uint8` to `uint64`
    Unsigned,
    /// `int8` to `int64`
    Signed,
    /// `float16`, `bfloat16`, `float32`, `float64`
    Float,
    /// `complex64`, `complex128`
    Complex,
}

/// How much a cast may lose: NumPy's `casting=` argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Casting {
    /// No cast at all.
    No,
    /// Only changes of byte order, of which there are none here.
    Equiv,
    /// Only casts that keep every value.
    Safe,
    /// Safe casts and casts within a kind.
    SameKind,
    /// Any cast.
    Unsafe,
    /// Same-kind casts whose values survive; used by no ufunc, accepted for `astype`.
    SameValue,
}

impl Casting {
    /// The name that Python spells.
    pub fn name(self) -> &'static str {
        match self {
            Casting::No => "no",
            Casting::Equiv => "equiv",
            Casting::Safe => "safe",
            Casting::SameKind => "same_kind",
            Casting::Unsafe => "unsafe",
            Casting::SameValue => "same_value",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Casting> {
        [Casting::No, Casting::Equiv, Casting::Safe, Casting::SameKind, Casting::Unsafe, Casting::SameValue]
            .into_iter()
            .find(|c| c.name() == name)
    }
}

/// A Python scalar's type in promotion: it takes part by its kind only (NEP 50).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Weak {
    /// A Python `int`.
    Int,
    /// A Python `float`.
    Float,
    /// A Python `complex`.
    Complex,
}

impl DType {
    /// Every dtype, in the order of the enum.
    pub const ALL: [DType; 15] = [
        DType::Bool,
        DType::I8,
        DType::U8,
        DType::I16,
        DType::U16,
        DType::I32,
        DType::U32,
        DType::I64,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    /// Bytes of one element.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// The family of the dtype.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Kind::Unsigned,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Kind::Float,
            DType::C64 | DType::C128 => Kind::Complex,
        }
    }

    /// NumPy's name of the dtype.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "int8",
            DType::U8 => "uint8",
            DType::I16 => "int16",
            DType::U16 => "uint16",
            DType::I32 => "int32",
            DType::U32 => "uint32",
            DType::I64 => "int64",
            DType::U64 => "uint64",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
        }
    }

    /// The type character used in loop signatures: NumPy's, `q`/`Q` for 64-bit integers, `E` for bfloat16.
    pub const fn code(self) -> char {
        match self {
            DType::Bool => '?',
            DType::I8 => 'b',
            DType::U8 => 'B',
            DType::I16 => 'h',
            DType::U16 => 'H',
            DType::I32 => 'i',
            DType::U32 => 'I',
            DType::I64 => 'q',
            DType::U64 => 'Q',
            DType::F16 => 'e',
            DType::BF16 => 'E',
            DType::F32 => 'f',
            DType::F64 => 'd',
            DType::C64 => 'F',
            DType::C128 => 'D',
        }
    }

    /// The dtype of a type character.
    pub fn from_code(code: char) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.code() == code)
    }

    /// The dtype of a NumPy name.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Whether this is `bool` or an integer.
    pub fn is_integral(self) -> bool {
        self.kind() <= Kind::Signed
    }

    /// Whether this is a real floating type.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Whether this is complex.
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }

    /// The type of a complex dtype's parts; a real dtype is its own.
    pub const fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            d => d,
        }
    }

    /// The complex dtype whose parts hold this dtype's values.
    pub fn to_complex(self) -> DType {
        self.promote(DType::C64)
    }

    /// The floating dtype that `true_divide` and `mean` give for this one.
    pub fn to_inexact(self) -> DType {
        if self.is_integral() { DType::F64 } else { self }
    }

    /// The dtype in which `sum` and `prod` add up: small integers widen to 64 bits.
    pub fn accumulator(self) -> DType {
        match self.kind() {
            Kind::Bool | Kind::Signed => DType::I64,
            Kind::Unsigned => DType::U64,
            _ => self,
        }
    }

    /// The smallest dtype that both cast to safely: `numpy.promote_types`.
    pub fn promote(self, other: DType) -> DType {
        if self == other {
            return self;
        }
        let (low, high) = if self.kind() <= other.kind() { (self, other) } else { (other, self) };
        match (low.kind(), high.kind()) {
            (Kind::Bool, _) => high,
            (Kind::Unsigned, Kind::Unsigned) | (Kind::Signed, Kind::Signed) => larger(low, high),
            (Kind::Unsigned, Kind::Signed) => match (low.size(), high.size()) {
                (l, h) if l < h => high,
                (1, _) => DType::I16,
                (2, _) => DType::I32,
                (4, _) => DType::I64,
                _ => DType::F64,
            },
            (Kind::Unsigned | Kind::Signed, Kind::Float) => int_with_float(low, high),
            (Kind::Float, Kind::Float) => larger_float(low, high),
            (_, Kind::Complex) => {
                let real = if low.is_integral() { float_for(low) } else { low.real() };
                if larger_float(real, high.real()) == DType::F64 { DType::C128 } else { DType::C64 }
            }
            _ => high,
        }
    }

    /// Whether a cast to `to` is allowed under `casting`: `numpy.can_cast`.
    pub fn can_cast(self, to: DType, casting: Casting) -> bool {
        match casting {
            Casting::No | Casting::Equiv => self == to,
            Casting::Safe => self.promote(to) == to,
            Casting::SameKind => self.kind() <= to.kind() || self.promote(to) == to,
            Casting::Unsafe | Casting::SameValue => true,
        }
    }

    /// The dtype that a Python scalar of this kind takes beside an array of dtype `self`.
    pub fn with_weak(self, weak: Weak) -> DType {
        match (weak, self.kind()) {
            (Weak::Int, Kind::Bool) => DType::I64,
            (Weak::Int, _) => self,
            (Weak::Float, Kind::Float | Kind::Complex) => self,
            (Weak::Float, _) => DType::F64,
            (Weak::Complex, Kind::Float) => self.to_complex(),
            (Weak::Complex, Kind::Complex) => self,
            (Weak::Complex, _) => DType::C128,
        }
    }
}

impl Weak {
    /// The dtype of a Python scalar that stands alone.
    pub fn default_dtype(self) -> DType {
        match self {
            Weak::Int => DType::I64,
            Weak::Float => DType::F64,
            Weak::Complex => DType::C128,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn larger(a: DType, b: DType) -> DType {
    if a.size() >= b.size() { a } else { b }
}

fn larger_float(a: DType, b: DType) -> DType {
    match (a, b) {
        (DType::F16, DType::BF16) | (DType::BF16, DType::F16) => DType::F32,
        _ => larger(a, b),
    }
}

fn float_for(integer: DType) -> DType {
    match integer.size() {
        1 => DType::F16,
        2 => DType::F32,
        _ => DType::F64,
    }
}

/// The dtype that a mix of dtypes and Python scalars computes in: `numpy.result_type`.
///
/// ```
/// use cuprum_core::{DType, Weak, result_type};
/// assert_eq!(result_type(&[DType::F32], &[Weak::Float]), DType::F32);
/// assert_eq!(result_type(&[DType::I16, DType::U16, DType::F32], &[]), DType::F32);
/// ```
pub fn result_type(dtypes: &[DType], weak: &[Weak]) -> DType {
    let weakest = weak.iter().copied().max();
    let Some(&first) = dtypes.iter().max_by_key(|d| (d.kind(), d.size())) else {
        return weakest.map_or(DType::F64, Weak::default_dtype);
    };
    // Promoting from the highest kind down keeps int16 and uint16 from meeting before float32 does.
    let mut sorted: smallvec::SmallVec<[DType; 4]> = dtypes.iter().copied().collect();
    sorted.sort_by_key(|d| std::cmp::Reverse((d.kind(), d.size())));
    let concrete = sorted.iter().fold(first, |acc, d| acc.promote(*d));
    weakest.map_or(concrete, |w| concrete.with_weak(w))
}

/// A one-byte integer fits either 16-bit float.
fn int_with_float(integer: DType, float: DType) -> DType {
    if integer.size() == 1 { float } else { larger_float(float_for(integer), float) }
}
