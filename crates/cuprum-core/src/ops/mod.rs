//! The table of ops: every elementwise function and every reduction is declared once, here.
//!
//! A row carries all that is not code for a device: names, documentation, type loops, identity, the CUDA C
//! expression, the NumPy oracle and the ulps it is held to. Each device binds [`Op`] and [`Reduction`] in one
//! exhaustive `match`; the Rust methods, Python ufuncs, stubs and conformance tests follow from the rows.

mod arithmetic;
mod comparison;
mod exponential;
mod floating;
mod integer;
mod reductions;
mod resolve;
mod trigonometric;

pub use reductions::{Reduction, ReductionRow};
pub use resolve::{Operand, Signature, resolve};

use crate::DType;

/// An elementwise function with one result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Op {
    // arithmetic.rs
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
    Fmod,
    Power,
    FloatPower,
    Negative,
    Positive,
    Absolute,
    Fabs,
    Sign,
    Reciprocal,
    Square,
    Sqrt,
    Cbrt,
    Maximum,
    Minimum,
    Fmax,
    Fmin,
    Clip,
    Where,
    Conjugate,
    Real,
    Imag,
    Angle,
    // exponential.rs
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Logaddexp,
    Logaddexp2,
    I0,
    // trigonometric.rs
    Sin,
    Cos,
    Tan,
    Arcsin,
    Arccos,
    Arctan,
    Arctan2,
    Hypot,
    Sinh,
    Cosh,
    Tanh,
    Arcsinh,
    Arccosh,
    Arctanh,
    Degrees,
    Radians,
    Sinc,
    // floating.rs
    Rint,
    Floor,
    Ceil,
    Trunc,
    Isnan,
    Isinf,
    Isfinite,
    Signbit,
    Copysign,
    Nextafter,
    Spacing,
    FrexpMantissa,
    FrexpExponent,
    Ldexp,
    ModfFraction,
    ModfInteger,
    Heaviside,
    // comparison.rs
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    LogicalNot,
    // integer.rs
    BitwiseAnd,
    BitwiseOr,
    BitwiseXor,
    Invert,
    LeftShift,
    RightShift,
    BitwiseCount,
    Gcd,
    Lcm,
}

/// How many ops there are.
pub const OP_COUNT: usize = Op::Lcm as usize + 1;

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

/// One elementwise op, declared.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The op this row declares.
    pub op: Op,
    /// NumPy's name.
    pub name: &'static str,
    /// Other names of the same function.
    pub aliases: &'static [&'static str],
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
    /// The value of a reduction over nothing.
    pub identity: Identity,
    /// Whether `ufunc.reduce` may take several axes at once.
    pub reorderable: bool,
    /// CUDA C for one element over the arguments `a`, `b`, `c`: a call of a function that the CUDA device's texts
    /// (`cuprum-cuda/src/kernels/ops_*.cuh`) define for every dtype of the loops.
    pub cuda: &'static str,
    /// The derivative by each argument, as text over `a`, `b`, `c` and `y`, where it has one.
    pub derivative: Option<&'static str>,
    /// Where Python finds the function that this must agree with.
    pub oracle: &'static str,
    /// The error bound.
    pub ulps: Ulps,
    /// Where real arguments make sense, for sampling in tests.
    pub domain: (f64, f64),
}

impl Row {
    /// A row of defaults for a function of `nin` arguments whose loops are all of one dtype.
    pub(crate) const fn new(op: Op, name: &'static str, nin: usize, loops: &'static str) -> Row {
        Row {
            op,
            name,
            aliases: &[],
            nin,
            doc: "",
            example: "",
            loops,
            inputs: Inputs::Same,
            output: Output::Same,
            identity: Identity::None,
            reorderable: false,
            cuda: "",
            derivative: None,
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

static TABLE: [&Row; OP_COUNT] = index_rows();
/// The dtypes that each op has loops for, a bit each.
static LOOPS: [u16; OP_COUNT] = loop_masks();

const fn loop_masks() -> [u16; OP_COUNT] {
    let table = index_rows();
    let mut masks = [0; OP_COUNT];
    let mut op = 0;
    while op < OP_COUNT {
        let codes = table[op].loops.as_bytes();
        let mut d = 0;
        while d < DType::ALL.len() {
            let mut c = 0;
            while c < codes.len() {
                if codes[c] == DType::ALL[d].code() as u8 {
                    masks[op] |= 1 << d;
                }
                c += 1;
            }
            d += 1;
        }
        op += 1;
    }
    masks
}

/// Puts every row at its op's place; a missing or doubled row stops the build.
const fn index_rows() -> [&'static Row; OP_COUNT] {
    let sections: [&'static [Row]; 6] = [
        arithmetic::ROWS,
        exponential::ROWS,
        trigonometric::ROWS,
        floating::ROWS,
        comparison::ROWS,
        integer::ROWS,
    ];
    let mut table: [Option<&'static Row>; OP_COUNT] = [None; OP_COUNT];
    let mut s = 0;
    while s < sections.len() {
        let mut r = 0;
        while r < sections[s].len() {
            let row = &sections[s][r];
            assert!(table[row.op as usize].is_none(), "an op has two rows");
            table[row.op as usize] = Some(row);
            r += 1;
        }
        s += 1;
    }
    let mut full: [&'static Row; OP_COUNT] = [&arithmetic::ROWS[0]; OP_COUNT];
    let mut i = 0;
    while i < OP_COUNT {
        full[i] = match table[i] {
            Some(row) => row,
            None => panic!("an op has no row"),
        };
        i += 1;
    }
    full
}

impl Op {
    /// This op's row.
    #[inline]
    pub fn row(self) -> &'static Row {
        TABLE[self as usize]
    }

    /// NumPy's name.
    #[inline]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the op compares two values.
    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
    }

    /// Every op, in the order of the enum.
    pub fn all() -> impl Iterator<Item = Op> {
        TABLE.iter().map(|row| row.op)
    }

    /// The op of that name or alias.
    pub fn from_name(name: &str) -> Option<Op> {
        TABLE.iter().find(|row| row.name == name || row.aliases.contains(&name)).map(|row| row.op)
    }

    /// The dtype of the result when the loop runs in `dtype`.
    pub fn output(self, dtype: DType) -> DType {
        match self.row().output {
            Output::Same => dtype,
            Output::Bool => DType::Bool,
            Output::Real => dtype.real(),
            Output::Int32 => DType::I32,
            Output::UInt8 => DType::U8,
        }
    }

    /// The dtype of argument `index` when the loop runs in `dtype`.
    pub fn input(self, index: usize, dtype: DType) -> DType {
        match (self.row().inputs, index) {
            (Inputs::ExponentSecond, 1) => DType::I64,
            (Inputs::ConditionFirst, 0) => DType::Bool,
            _ => dtype,
        }
    }

    /// Whether there is a loop for `dtype`.
    #[inline]
    pub fn has_loop(self, dtype: DType) -> bool {
        LOOPS[self as usize] >> dtype as u8 & 1 == 1
    }
}
