//! What a row of the table says about an op: the fields of [`Row`] and their types.

use std::cmp::Ordering;

use super::Op;
use super::derivative::Term;
use crate::{DType, Kind};

/// How an op's result dtype follows from the dtype its loop runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// The loop's own dtype.
    Same,
    /// `bool`.
    Bool,
    /// The part type of a complex loop (`absolute`, `real`), the loop's own otherwise.
    Real,
    /// `int32` (the exponent of `frexp`).
    Int32,
    /// `uint8` (`bitwise_count`).
    UInt8,
}

/// How an op's argument dtypes follow from the dtype its loop runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// Every argument in the loop's dtype.
    Same,
    /// The first in the loop's dtype, the second `int64` (`ldexp`).
    ExponentSecond,
    /// The first `bool`, the others in the loop's dtype (`where`).
    ConditionFirst,
}

/// What a reduction over no elements gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Identity {
    /// There is none: reducing nothing is an error.
    None,
    /// Zero, or `False`.
    Zero,
    /// One, or `True`.
    One,
    /// All bits set.
    MinusOne,
    /// Negative infinity (`logaddexp`).
    NegativeInfinity,
}

/// The worst error seen against the exact value, in units in its last place; zero: correctly rounded.
///
/// `logaddexp` and `logaddexp2` count in the last place of their larger argument where that is larger than the result;
/// `sinc` counts from the exact value at the rounded product of its argument and pi, which is how NumPy defines it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ulps {
    /// For float16 and bfloat16 results.
    pub half: f64,
    /// For float32.
    pub single: f64,
    /// For float64.
    pub double: f64,
    /// For each part of a complex64 or complex128 result, in ulps of its modulus.
    pub complex: f64,
}

impl Ulps {
    /// Correctly rounded everywhere.
    pub const EXACT: Ulps = Ulps { half: 0.0, single: 0.0, double: 0.0, complex: 0.0 };

    /// Real functions with these bounds; half precision is computed in float32 and rounded once.
    pub const fn of(single: f64, double: f64) -> Ulps {
        Ulps { half: 0.51, single, double, complex: 0.0 }
    }

    /// The same with a bound for complex results.
    pub const fn complex(self, complex: f64) -> Ulps {
        Ulps { complex, ..self }
    }
}

/// How operands of different dtypes meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promotion {
    /// In their common dtype, or the first loop that holds it.
    Common,
    /// In their common dtype; integers and bools become float64.
    Inexact,
    /// In their common dtype, at least float64.
    Float64,
    /// In their common dtype; bools become float64, narrow integers a narrow float.
    BoolAsInt64,
    /// Each for itself: only whether an operand is zero counts.
    Truth,
}

impl Promotion {
    /// The dtype in which the search for a loop begins, from the operands' common dtype.
    pub fn start(self, common: DType) -> DType {
        match self {
            Promotion::Inexact => common.to_inexact(),
            Promotion::Float64 => common.promote(DType::F64),
            Promotion::BoolAsInt64 if common == DType::Bool => DType::F64,
            Promotion::BoolAsInt64 | Promotion::Common | Promotion::Truth => common,
        }
    }
}

/// Whether an op computed in a wider dtype, and rounded once more, gives what it gives in the dtype itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameWhenWidened {
    /// It may not.
    Never,
    /// In every dtype.
    Always,
    /// In all but complex dtypes.
    Reals,
    /// In floating-point dtypes: those of twice the digits and two more round twice as once.
    Floats,
}

impl SameWhenWidened {
    /// Whether it does in this dtype.
    pub fn holds(self, dtype: DType) -> bool {
        match self {
            SameWhenWidened::Never => false,
            SameWhenWidened::Always => true,
            SameWhenWidened::Reals => !dtype.is_complex(),
            SameWhenWidened::Floats => dtype.kind() == Kind::Float,
        }
    }
}

/// How long an op computes beside what memory takes to bring its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Cost {
    /// Less: a few instructions.
    Light,
    /// About as long: divisions with remainder, and loops of few rounds.
    Division,
    /// Longer: an elementary function.
    Function,
}

/// Where Python finds an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespace {
    /// A ufunc of the package itself, as NumPy has it: `cuprum.add`.
    Ufunc,
    /// A plain function of the package, which calls the ufunc: `cuprum.where`.
    Function,
    /// One result of a ufunc with several ([`MultiRow`]); users do not name it.
    Part,
    /// A ufunc of `cuprum.scipy.special`.
    Special,
}

/// The texts of CUDA C that ops are written in, `cuprum-cuda/src/kernels/`, each after those that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CudaText {
    /// `f16` and `bf16`.
    Half,
    /// `c64` and `c128`.
    Complex,
    /// What the functions of floating-point numbers are made of.
    Elementary,
    /// Arithmetic, selection and the parts of numbers.
    Arithmetic,
    /// Comparisons, logic and extrema.
    Order,
    /// Bits, shifts, powers and divisors of integers.
    Integer,
    /// Division with remainder.
    Division,
    /// Rounding to whole numbers, and the parts of floating-point numbers.
    Floating,
    /// Exponentials and hyperbolic functions.
    Exponential,
    /// Logarithms and inverse hyperbolic functions.
    Logarithm,
    /// Roots and lengths.
    Roots,
    /// Powers.
    Power,
    /// Sine, cosine and tangent.
    Trigonometric,
    /// Inverse sine, cosine and tangent, and angles.
    InverseTrigonometric,
    /// The coefficients of the Bessel function that NumPy has.
    BesselTables,
    /// The Bessel function that NumPy has.
    Special,
    /// The elementary functions of complex numbers.
    ComplexFunctions,
    /// The inverse circular and hyperbolic functions of complex numbers.
    ComplexInverse,
    /// What the families of special functions have in common.
    SpecialBase,
    /// The gamma function and what is made of it.
    SpecialGamma,
    /// Error functions and the normal distribution.
    SpecialErf,
    /// Exponentials, logarithms and angles in forms that keep their digits.
    SpecialExponential,
    /// Incomplete gamma and beta functions.
    SpecialIncomplete,
    /// Bessel functions.
    SpecialBessel,
    /// Integrals of elementary functions.
    SpecialIntegrals,
    /// Elliptic integrals and functions.
    SpecialElliptic,
    /// Hypergeometric functions and orthogonal polynomials.
    SpecialHypergeometric,
    /// The gamma function of complex numbers and Lambert's W.
    SpecialComplexGamma,
    /// The Faddeeva function and the error functions of complex numbers.
    SpecialComplexErf,
    /// Integrals of elementary functions of complex numbers.
    SpecialComplexIntegrals,
    /// Bessel functions of complex arguments.
    SpecialComplexBessel,
    /// Functions of four arguments.
    SpecialFourArguments,
    /// Voigt's profile.
    SpecialVoigt,
}

impl CudaText {
    /// Every text, in order.
    pub const ALL: [CudaText; CudaText::SpecialVoigt as usize + 1] = [
        CudaText::Half,
        CudaText::Complex,
        CudaText::Elementary,
        CudaText::Arithmetic,
        CudaText::Order,
        CudaText::Integer,
        CudaText::Division,
        CudaText::Floating,
        CudaText::Exponential,
        CudaText::Logarithm,
        CudaText::Roots,
        CudaText::Power,
        CudaText::Trigonometric,
        CudaText::InverseTrigonometric,
        CudaText::BesselTables,
        CudaText::Special,
        CudaText::ComplexFunctions,
        CudaText::ComplexInverse,
        CudaText::SpecialBase,
        CudaText::SpecialGamma,
        CudaText::SpecialErf,
        CudaText::SpecialExponential,
        CudaText::SpecialIncomplete,
        CudaText::SpecialBessel,
        CudaText::SpecialIntegrals,
        CudaText::SpecialElliptic,
        CudaText::SpecialHypergeometric,
        CudaText::SpecialComplexGamma,
        CudaText::SpecialComplexErf,
        CudaText::SpecialComplexIntegrals,
        CudaText::SpecialComplexBessel,
        CudaText::SpecialFourArguments,
        CudaText::SpecialVoigt,
    ];
}

/// An op in CUDA C.
#[derive(Clone, Copy, Debug)]
pub struct Cuda {
    /// One element over the arguments `a`, `b`, `c`: a call of a function that the text defines for every dtype of the
    /// loops.
    pub call: &'static str,
    /// The text that defines it.
    pub text: CudaText,
    /// The text for complex dtypes, where that is another one.
    pub complex: CudaText,
    /// The text that integers need besides.
    pub integral: Option<CudaText>,
}

impl Cuda {
    /// A call of a function that one text defines.
    pub const fn new(call: &'static str, text: CudaText) -> Cuda {
        Cuda { call, text, complex: text, integral: None }
    }

    /// Another text for complex dtypes.
    pub const fn complex(self, complex: CudaText) -> Cuda {
        Cuda { complex, ..self }
    }

    /// One more text for integers.
    pub const fn integral(self, text: CudaText) -> Cuda {
        Cuda { integral: Some(text), ..self }
    }
}

/// One elementwise op, declared.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The op this row declares.
    pub op: Op,
    /// NumPy's name.
    pub name: &'static str,
    /// Other names of the same function.
    pub aliases: &'static [&'static str],
    /// Where Python finds it.
    pub namespace: Namespace,
    /// Arguments taken.
    pub nin: usize,
    /// The first sentence of the documentation, as users read it.
    pub doc: &'static str,
    /// A doctest: `>>>` lines and what they print.
    pub example: &'static str,
    /// The dtypes it has loops for, in NumPy's order of search, as type characters (see [`DType::code`]).
    pub loops: &'static str,
    /// The dtypes of its arguments.
    pub inputs: Inputs,
    /// The dtype of its result.
    pub output: Output,
    /// How operands of different dtypes meet.
    pub promotion: Promotion,
    /// For comparisons alone, which compare integers exactly even where no dtype holds both: whether it holds for operands in
    /// this order.
    pub comparison: Option<fn(Ordering) -> bool>,
    /// Where a wider dtype gives the same.
    pub same_when_widened: SameWhenWidened,
    /// The op whose effect this one undoes, exactly so for integers: a number of such steps may be taken in any order.
    pub undoes: Option<Op>,
    /// Whether bools alone are refused, though a loop for integers would take them.
    pub refuses_bool: bool,
    /// The value of a reduction over nothing.
    pub identity: Identity,
    /// Whether the identity changes a single element that meets it: `hypot(0, -3)` is 3.
    pub identity_acts: bool,
    /// Whether reductions add up in a wider dtype: integers in 64 bits, half precision in float32.
    pub accumulates: bool,
    /// Whether `ufunc.reduce` may take several axes at once.
    pub reorderable: bool,
    /// How it is computed on a GPU.
    pub cuda: Cuda,
    /// How long it computes.
    pub cost: Cost,
    /// The derivative by each argument; empty where it has none.
    pub derivative: &'static [Term],
    /// Where Python finds the function that this must agree with.
    pub oracle: &'static str,
    /// The error bound.
    pub ulps: Ulps,
    /// Where real arguments make sense, for sampling in tests.
    pub domain: (f64, f64),
}

impl Row {
    /// A row of defaults for a function of `nin` arguments whose loops are all of one dtype. The table sets the op and its
    /// documentation.
    pub(crate) const fn new(name: &'static str, nin: usize, loops: &'static str) -> Row {
        Row {
            op: Op::Add,
            name,
            aliases: &[],
            namespace: Namespace::Ufunc,
            nin,
            doc: "",
            example: "",
            loops,
            inputs: Inputs::Same,
            output: Output::Same,
            promotion: Promotion::Common,
            comparison: None,
            same_when_widened: SameWhenWidened::Never,
            undoes: None,
            refuses_bool: false,
            identity: Identity::None,
            identity_acts: false,
            accumulates: false,
            reorderable: false,
            cuda: Cuda::new("", CudaText::Arithmetic),
            cost: Cost::Light,
            derivative: &[],
            oracle: "",
            ulps: Ulps::EXACT,
            domain: (-1e3, 1e3),
        }
    }
}

/// A ufunc with several results, each of them an op.
#[derive(Clone, Copy, Debug)]
pub struct MultiRow {
    /// NumPy's name.
    pub name: &'static str,
    /// The op of each result.
    pub parts: &'static [Op],
    /// The first sentence of the documentation.
    pub doc: &'static str,
    /// A doctest.
    pub example: &'static str,
}

/// The ufuncs with several results.
pub const MULTI: &[MultiRow] = &[
    MultiRow {
        name: "divmod",
        parts: &[Op::FloorDivide, Op::Remainder],
        doc: "Floor quotient and remainder of each pair of elements.",
        example: ">>> cp.divmod(cp.array([7, -7]), 2)\n(array([ 3, -4]), array([1, 1]))",
    },
    MultiRow {
        name: "modf",
        parts: &[Op::ModfFraction, Op::ModfInteger],
        doc: "Fractional and integral parts of each element, both with its sign.",
        example: ">>> cp.modf(cp.array([1.5, -2.25]))\n(array([ 0.5 , -0.25]), array([ 1., -2.]))",
    },
    MultiRow {
        name: "frexp",
        parts: &[Op::FrexpMantissa, Op::FrexpExponent],
        doc: "Mantissa in [0.5, 1) and exponent of two of each element.",
        example: ">>> cp.frexp(cp.array([8.0, 0.75]))\n(array([0.5 , 0.75]), array([4, 0], dtype=int32))",
    },
];
