//! Reductions: what folds many elements into one, with its state, identity and documentation.

use super::{Identity, Op};
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

/// A reduction, declared.
#[derive(Clone, Copy, Debug)]
pub struct ReductionRow {
    /// The name it prints as in a Program.
    pub name: &'static str,
    /// The binary op that it is the reduction of.
    pub op: Option<Op>,
    /// What reducing nothing gives.
    pub identity: Identity,
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
        let (name, op, identity) = match self {
            Reduction::Sum => ("sum", Some(Op::Add), Identity::Zero),
            Reduction::Prod => ("prod", Some(Op::Multiply), Identity::One),
            Reduction::Min => ("min", Some(Op::Minimum), Identity::None),
            Reduction::Max => ("max", Some(Op::Maximum), Identity::None),
            Reduction::Fmin => ("fmin", Some(Op::Fmin), Identity::None),
            Reduction::Fmax => ("fmax", Some(Op::Fmax), Identity::None),
            Reduction::Any => ("any", Some(Op::LogicalOr), Identity::Zero),
            Reduction::All => ("all", Some(Op::LogicalAnd), Identity::One),
            Reduction::Xor => ("logical_xor", Some(Op::LogicalXor), Identity::Zero),
            Reduction::BitAnd => ("bitwise_and", Some(Op::BitwiseAnd), Identity::MinusOne),
            Reduction::BitOr => ("bitwise_or", Some(Op::BitwiseOr), Identity::Zero),
            Reduction::BitXor => ("bitwise_xor", Some(Op::BitwiseXor), Identity::Zero),
            Reduction::ArgMin => ("argmin", None, Identity::None),
            Reduction::ArgMax => ("argmax", None, Identity::None),
            Reduction::Count => ("count", None, Identity::Zero),
            Reduction::Variance => ("var", None, Identity::Zero),
            Reduction::Fold(op) => (op.name(), Some(op), op.row().identity),
        };
        ReductionRow { name, op, identity }
    }

    /// The reduction that `ufunc.reduce` of `op` runs as.
    pub fn of(op: Op) -> Reduction {
        match op {
            Op::Add => Reduction::Sum,
            Op::Multiply => Reduction::Prod,
            Op::Minimum => Reduction::Min,
            Op::Maximum => Reduction::Max,
            Op::Fmin => Reduction::Fmin,
            Op::Fmax => Reduction::Fmax,
            Op::LogicalOr => Reduction::Any,
            Op::LogicalAnd => Reduction::All,
            Op::LogicalXor => Reduction::Xor,
            Op::BitwiseAnd => Reduction::BitAnd,
            Op::BitwiseOr => Reduction::BitOr,
            Op::BitwiseXor => Reduction::BitXor,
            other => Reduction::Fold(other),
        }
    }

    /// The dtype of the result when the elements come in `dtype`.
    pub fn output(self, dtype: DType) -> DType {
        match self {
            Reduction::ArgMin | Reduction::ArgMax | Reduction::Count => DType::I64,
            Reduction::Any | Reduction::All | Reduction::Xor => DType::Bool,
            Reduction::Variance => dtype.real(),
            Reduction::Fold(op) => op.output(dtype),
            _ => dtype,
        }
    }
}
