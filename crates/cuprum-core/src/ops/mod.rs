//! The table of ops: every elementwise function (`table.rs`) and every reduction (`reductions.rs`) is declared once.
//!
//! A row carries all that is not code for a device: names, documentation, type loops, promotion, identity, cost,
//! derivative, the CUDA C call, the NumPy oracle and the ulps it is held to. Each device binds [`Op`] and [`Reduction`];
//! the Rust methods, Python ufuncs, stubs and conformance tests follow from the rows.

mod derivative;
mod reductions;
mod resolve;
mod row;
mod special_bessel;
mod special_complex;
mod special_elliptic;
mod special_erf;
mod special_exponential;
mod special_gamma;
mod special_hypergeometric;
mod special_incomplete;
mod special_integrals;
mod table;

use derivative::{d, term};

pub use derivative::Term;
pub use reductions::{Arithmetic, Grouping, Reduction, ReductionRow};
pub use resolve::{OperandType, Signature, direct_loop, resolve};
pub use row::{
    Cost, Cuda, CudaText, Identity, Inputs, MULTI, MultiRow, Namespace, Output, Promotion, Row,
    SameWhenWidened, Ulps,
};

use std::cmp::Ordering;

use crate::{DType, for_each_op};

const ALL: &str = "?bBhHiIqQeEfdFD";
const NUMBERS: &str = "bBhHiIqQeEfdFD";
const ORDERED: &str = "?bBhHiIqQeEfd";
const REALS: &str = "bBhHiIqQeEfd";
const INEXACT: &str = "eEfdFD";
const FLOATS: &str = "eEfd";
const INTEGERS: &str = "bBhHiIqQ";
const BITS: &str = "?bBhHiIqQ";

/// Makes the enum of ops and their table, each row at its op's place.
macro_rules! declare {
    ($(
        #[doc = $doc:literal]
        $op:ident $(, $input:tt.$method:ident($($other:expr)?) => $type:ident $output:tt)? : $row:expr;
    )*) => {
        /// An elementwise function with one result.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $doc] $op,)*
        }

        /// How many ops there are.
        pub const OP_COUNT: usize = [$(Op::$op),*].len();

        static TABLE: [Row; OP_COUNT] = [$(Row { op: Op::$op, doc: $doc.trim_ascii_start(), ..$row }),*];
    };
}

for_each_op!(declare);

/// The dtypes that each op has loops for, a bit each.
static LOOPS: [u16; OP_COUNT] = loop_masks();

const fn loop_masks() -> [u16; OP_COUNT] {
    let mut masks = [0; OP_COUNT];
    let mut op = 0;
    while op < OP_COUNT {
        let codes = TABLE[op].loops.as_bytes();
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

impl Op {
    /// This op's row.
    #[inline]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// NumPy's name.
    #[inline]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the op compares two values.
    pub fn is_comparison(self) -> bool {
        self.row().comparison.is_some()
    }

    /// Whether only the truth of its operands counts, whatever their dtypes.
    pub fn is_logical(self) -> bool {
        self.row().promotion == Promotion::Truth
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
