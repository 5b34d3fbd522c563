//! Comparisons and logic, all of them with `bool` results.
//!
//! Complex numbers are ordered by real part, then by imaginary part.

use super::{Identity, Op, Output, Row};

const ALL: &str = "?bBhHiIqQeEfdFD";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "Whether the elements of each pair are equal.",
        example: ">>> cp.equal(cp.array([1, 2, 3]), cp.array([1, 5, 3]))\n\
            array([ True, False,  True])",
        output: Output::Bool,
        cuda: "cu_equal(a, b)",
        oracle: "numpy.equal",
        ..Row::new(Op::Equal, "equal", 2, ALL)
    },
    Row {
        doc: "Whether the elements of each pair differ; `nan` differs from itself.",
        example: ">>> cp.not_equal(cp.array([1.0, cp.nan]), cp.array([1.0, cp.nan]))\n\
            array([False,  True])",
        output: Output::Bool,
        cuda: "cu_not_equal(a, b)",
        oracle: "numpy.not_equal",
        ..Row::new(Op::NotEqual, "not_equal", 2, ALL)
    },
    Row {
        doc: "Whether the first of each pair is below the second.",
        example: ">>> cp.less(cp.array([1, 2, 3]), 2)\narray([ True, False, False])",
        output: Output::Bool,
        cuda: "cu_less(a, b)",
        oracle: "numpy.less",
        ..Row::new(Op::Less, "less", 2, ALL)
    },
    Row {
        doc: "Whether the first of each pair is at or below the second.",
        example: ">>> cp.less_equal(cp.array([1, 2, 3]), 2)\narray([ True,  True, False])",
        output: Output::Bool,
        cuda: "cu_less_equal(a, b)",
        oracle: "numpy.less_equal",
        ..Row::new(Op::LessEqual, "less_equal", 2, ALL)
    },
    Row {
        doc: "Whether the first of each pair is above the second.",
        example: ">>> cp.greater(cp.array([1, 2, 3]), 2)\narray([False, False,  True])",
        output: Output::Bool,
        cuda: "cu_less(b, a)",
        oracle: "numpy.greater",
        ..Row::new(Op::Greater, "greater", 2, ALL)
    },
    Row {
        doc: "Whether the first of each pair is at or above the second.",
        example: ">>> cp.greater_equal(cp.array([1, 2, 3]), 2)\narray([False,  True,  True])",
        output: Output::Bool,
        cuda: "cu_less_equal(b, a)",
        oracle: "numpy.greater_equal",
        ..Row::new(Op::GreaterEqual, "greater_equal", 2, ALL)
    },
    Row {
        doc: "Whether both elements of each pair are other than zero.",
        example: ">>> cp.logical_and(cp.array([0, 1, 2]), cp.array([3, 0, 4]))\n\
            array([False, False,  True])",
        output: Output::Bool,
        identity: Identity::One,
        reorderable: true,
        cuda: "cu_logical_and(a, b)",
        oracle: "numpy.logical_and",
        ..Row::new(Op::LogicalAnd, "logical_and", 2, ALL)
    },
    Row {
        doc: "Whether either element of each pair is other than zero.",
        example: ">>> cp.logical_or(cp.array([0, 1, 0]), cp.array([3, 0, 0]))\n\
            array([ True,  True, False])",
        output: Output::Bool,
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_logical_or(a, b)",
        oracle: "numpy.logical_or",
        ..Row::new(Op::LogicalOr, "logical_or", 2, ALL)
    },
    Row {
        doc: "Whether just one element of each pair is other than zero.",
        example: ">>> cp.logical_xor(cp.array([0, 1, 2]), cp.array([3, 0, 4]))\n\
            array([ True,  True, False])",
        output: Output::Bool,
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_logical_xor(a, b)",
        oracle: "numpy.logical_xor",
        ..Row::new(Op::LogicalXor, "logical_xor", 2, ALL)
    },
    Row {
        doc: "Whether each element is zero.",
        example: ">>> cp.logical_not(cp.array([0, 1, 2]))\narray([ True, False, False])",
        output: Output::Bool,
        cuda: "cu_logical_not(a)",
        oracle: "numpy.logical_not",
        ..Row::new(Op::LogicalNot, "logical_not", 1, ALL)
    },
];
