//! Reductions: what folds many elements into one, with its state, identity and documentation.

use super::{Identity, OP_COUNT, Op};
use crate::DType;

/// A reduction that devices run as one pass over fixed blocks, combined in index order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Reduction {
    Sum,
    Prod,
    Min,
    Max,
    Fmin,
    Fmax,
    Any,
    All,
    Xor,
    BitAnd,
    BitOr,
    BitXor,
    ArgMin,
    ArgMax,
    /// How many elements are true.
    Count,
    /// The sum of squared deviations from the mean (of the modulus, for complex), by blocks.
    Variance,
    /// Any other binary op, folded from left to right.
    Fold(Op),
}

/// In which order and grouping elements may be folded without a change of the result, whatever their dtype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// From left to right alone; sums and products of some dtypes, such as integers, allow more.
    InOrder,
    /// In any order and grouping.
    Any,
    /// In any order and grouping, and elements may be folded in more than once.
    Idempotent,
}

/// What sums and products have of their own: see [`Reduction::arithmetic`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// A sum.
    Sum,
    /// A product.
    Product,
}

/// A reduction, declared.
#[derive(Clone, Copy, Debug)]
pub struct ReductionRow {
    /// The name it prints as in a Program.
    pub name: &'static str,
    /// The binary op that it is the reduction of.
    pub op: Option<Op>,
    /// What reducing nothing gives.
    pub identity: Identity,
    /// How elements may be grouped.
    pub grouping: Grouping,
}

impl Reduction {
    /// Every reduction with a name of its own: all but the folds of other ops.
    pub const NAMED: [Reduction; 16] = [
        Reduction::Sum,
        Reduction::Prod,
        Reduction::Min,
        Reduction::Max,
        Reduction::Fmin,
        Reduction::Fmax,
        Reduction::Any,
        Reduction::All,
        Reduction::Xor,
        Reduction::BitAnd,
        Reduction::BitOr,
        Reduction::BitXor,
        Reduction::ArgMin,
        Reduction::ArgMax,
        Reduction::Count,
        Reduction::Variance,
    ];

    /// This reduction's row.
    pub fn row(self) -> ReductionRow {
        use Grouping::{Any, Idempotent, InOrder};
        let (name, grouping) = match self {
            Reduction::Sum => ("sum", InOrder),
            Reduction::Prod => ("prod", InOrder),
            Reduction::Min => ("min", Idempotent),
            Reduction::Max => ("max", Idempotent),
            Reduction::Fmin => ("fmin", Idempotent),
            Reduction::Fmax => ("fmax", Idempotent),
            Reduction::Any => ("any", Idempotent),
            Reduction::All => ("all", Idempotent),
            Reduction::Xor => ("logical_xor", Any),
            Reduction::BitAnd => ("bitwise_and", Idempotent),
            Reduction::BitOr => ("bitwise_or", Idempotent),
            Reduction::BitXor => ("bitwise_xor", Any),
            Reduction::ArgMin => ("argmin", InOrder),
            Reduction::ArgMax => ("argmax", InOrder),
            Reduction::Count => ("count", Any),
            Reduction::Variance => ("var", InOrder),
            Reduction::Fold(op) => (op.name(), InOrder),
        };
        let op = self.op();
        // What counts or sums begins with zero.
        let of_no_op = match self {
            Reduction::ArgMin | Reduction::ArgMax => Identity::None,
            _ => Identity::Zero,
        };
        ReductionRow { name, op, identity: op.map_or(of_no_op, |op| op.row().identity), grouping }
    }

    /// The binary op that this is the reduction of.
    const fn op(self) -> Option<Op> {
        Some(match self {
            Reduction::Sum => Op::Add,
            Reduction::Prod => Op::Multiply,
            Reduction::Min => Op::Minimum,
            Reduction::Max => Op::Maximum,
            Reduction::Fmin => Op::Fmin,
            Reduction::Fmax => Op::Fmax,
            Reduction::Any => Op::LogicalOr,
            Reduction::All => Op::LogicalAnd,
            Reduction::Xor => Op::LogicalXor,
            Reduction::BitAnd => Op::BitwiseAnd,
            Reduction::BitOr => Op::BitwiseOr,
            Reduction::BitXor => Op::BitwiseXor,
            Reduction::Fold(op) => op,
            Reduction::ArgMin | Reduction::ArgMax | Reduction::Count | Reduction::Variance => return None,
        })
    }

    /// The reduction that `ufunc.reduce` of `op` runs as.
    ///
    /// ```
    /// use cuprum_core::{Op, Reduction};
    /// assert_eq!(Reduction::of(Op::Add), Reduction::Sum);
    /// assert_eq!(Reduction::of(Op::Subtract), Reduction::Fold(Op::Subtract));
    /// ```
    #[inline]
    pub fn of(op: Op) -> Reduction {
        static OF_OP: [Option<Reduction>; OP_COUNT] = named_by_op();
        OF_OP[op as usize].unwrap_or(Reduction::Fold(op))
    }

    /// Whether it adds or multiplies: loops of their own are written for these.
    pub fn arithmetic(self) -> Option<Arithmetic> {
        match self {
            Reduction::Sum => Some(Arithmetic::Sum),
            Reduction::Prod => Some(Arithmetic::Product),
            Reduction::Min
            | Reduction::Max
            | Reduction::Fmin
            | Reduction::Fmax
            | Reduction::Any
            | Reduction::All
            | Reduction::Xor
            | Reduction::BitAnd
            | Reduction::BitOr
            | Reduction::BitXor
            | Reduction::ArgMin
            | Reduction::ArgMax
            | Reduction::Count
            | Reduction::Variance
            | Reduction::Fold(_) => None,
        }
    }

    /// The dtype of the result when the elements come in `dtype`.
    pub fn output(self, dtype: DType) -> DType {
        match self {
            Reduction::ArgMin | Reduction::ArgMax | Reduction::Count => DType::I64,
            Reduction::Any | Reduction::All | Reduction::Xor => DType::Bool,
            Reduction::Variance => dtype.real(),
            Reduction::Fold(op) => op.output(dtype),
            Reduction::Sum
            | Reduction::Prod
            | Reduction::Min
            | Reduction::Max
            | Reduction::Fmin
            | Reduction::Fmax
            | Reduction::BitAnd
            | Reduction::BitOr
            | Reduction::BitXor => dtype,
        }
    }
}

/// The named reduction of each op that has one.
const fn named_by_op() -> [Option<Reduction>; OP_COUNT] {
    let mut found = [None; OP_COUNT];
    let mut i = 0;
    while i < Reduction::NAMED.len() {
        if let Some(op) = Reduction::NAMED[i].op() {
            found[op as usize] = Some(Reduction::NAMED[i]);
        }
        i += 1;
    }
    found
}
