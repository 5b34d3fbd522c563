//! Bits, shifts and divisors of integers.
//!
//! A shift by as many bits as the dtype has, or by more, leaves zero or copies of the sign.

use super::{Identity, Op, Output, Row};

const INTEGERS: &str = "bBhHiIqQ";
const BITS: &str = "?bBhHiIqQ";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "Bits that are set in both elements of each pair.",
        example: ">>> cp.bitwise_and(cp.array([12, 10]), 6)\narray([4, 2])",
        identity: Identity::MinusOne,
        reorderable: true,
        cuda: "cu_bitwise_and(a, b)",
        oracle: "numpy.bitwise_and",
        ..Row::new(Op::BitwiseAnd, "bitwise_and", 2, BITS)
    },
    Row {
        doc: "Bits that are set in either element of each pair.",
        example: ">>> cp.bitwise_or(cp.array([12, 10]), 6)\narray([14, 14])",
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_bitwise_or(a, b)",
        oracle: "numpy.bitwise_or",
        ..Row::new(Op::BitwiseOr, "bitwise_or", 2, BITS)
    },
    Row {
        doc: "Bits that are set in just one element of each pair.",
        example: ">>> cp.bitwise_xor(cp.array([12, 10]), 6)\narray([10, 12])",
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_bitwise_xor(a, b)",
        oracle: "numpy.bitwise_xor",
        ..Row::new(Op::BitwiseXor, "bitwise_xor", 2, BITS)
    },
    Row {
        aliases: &["bitwise_invert", "bitwise_not"],
        doc: "Each element with every bit turned; for `bool`, the opposite.",
        example: ">>> cp.invert(cp.array([0, 5]))\narray([-1, -6])",
        cuda: "cu_invert(a)",
        oracle: "numpy.invert",
        ..Row::new(Op::Invert, "invert", 1, BITS)
    },
    Row {
        aliases: &["bitwise_left_shift"],
        doc: "Bits of the first argument moved left by the second, zeros coming in.",
        example: ">>> cp.left_shift(cp.array([1, 3]), 4)\narray([16, 48])",
        cuda: "cu_left_shift(a, b)",
        oracle: "numpy.left_shift",
        domain: (0.0, 70.0),
        ..Row::new(Op::LeftShift, "left_shift", 2, INTEGERS)
    },
    Row {
        aliases: &["bitwise_right_shift"],
        doc: "Bits of the first argument moved right by the second, copies of the sign coming in.",
        example: ">>> cp.right_shift(cp.array([64, -9]), 2)\narray([16, -3])",
        cuda: "cu_right_shift(a, b)",
        oracle: "numpy.right_shift",
        domain: (0.0, 70.0),
        ..Row::new(Op::RightShift, "right_shift", 2, INTEGERS)
    },
    Row {
        doc: "Number of bits set in the absolute value of each element.",
        example: ">>> cp.bitwise_count(cp.array([7, 255, -8]))\narray([3, 8, 1], dtype=uint8)",
        output: Output::UInt8,
        cuda: "cu_bitwise_count(a)",
        oracle: "numpy.bitwise_count",
        ..Row::new(Op::BitwiseCount, "bitwise_count", 1, INTEGERS)
    },
    Row {
        doc: "Greatest common divisor of each pair, never negative.",
        example: ">>> cp.gcd(cp.array([12, -20]), 8)\narray([4, 4])",
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_gcd(a, b)",
        oracle: "numpy.gcd",
        ..Row::new(Op::Gcd, "gcd", 2, INTEGERS)
    },
    Row {
        doc: "Least common multiple of each pair, never negative.",
        example: ">>> cp.lcm(cp.array([4, -6]), 10)\narray([20, 30])",
        cuda: "cu_lcm(a, b)",
        oracle: "numpy.lcm",
        ..Row::new(Op::Lcm, "lcm", 2, INTEGERS)
    },
];
