//! Exponentials, logarithms and the Bessel function that grows like one.
//!
//! Float32 and the 16-bit types overflow inside some of the domains given here, as NumPy's do.

use super::{Identity, Op, Row, Ulps};

const INEXACT: &str = "eEfdFD";
const FLOATS: &str = "eEfd";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "e raised to the power of each element.",
        example: ">>> cp.exp(cp.array([0.0, 1.0]))\narray([1.        , 2.71828183])",
        cuda: "cu_exp(a)",
        derivative: Some("y"),
        oracle: "numpy.exp",
        ulps: Ulps::of(0.87, 0.85).complex(4.0),
        domain: (-100.0, 100.0),
        ..Row::new(Op::Exp, "exp", 1, INEXACT)
    },
    Row {
        doc: "Two raised to the power of each element.",
        example: ">>> cp.exp2(cp.array([3.0, -1.0]))\narray([8. , 0.5])",
        cuda: "cu_exp2(a)",
        derivative: Some("0.6931471805599453 * y"),
        oracle: "numpy.exp2",
        ulps: Ulps::of(0.87, 0.88).complex(4.0),
        domain: (-130.0, 130.0),
        ..Row::new(Op::Exp2, "exp2", 1, INEXACT)
    },
    Row {
        doc: "`exp(a) - 1`, accurate for small `a` too.",
        example: ">>> cp.expm1(cp.array([0.0, 1e-10]))\narray([0.e+00, 1.e-10])",
        cuda: "cu_expm1(a)",
        derivative: Some("y + 1"),
        oracle: "numpy.expm1",
        ulps: Ulps::of(0.83, 0.87).complex(4.0),
        domain: (-100.0, 100.0),
        ..Row::new(Op::Expm1, "expm1", 1, INEXACT)
    },
    Row {
        doc: "Natural logarithm of each element; `nan` for negative reals.",
        example: ">>> cp.log(cp.array([1.0, 10.0]))\narray([0.        , 2.30258509])",
        cuda: "cu_log(a)",
        derivative: Some("1 / a"),
        oracle: "numpy.log",
        ulps: Ulps::of(0.76, 0.75).complex(4.0),
        domain: (0.0, 1e6),
        ..Row::new(Op::Log, "log", 1, INEXACT)
    },
    Row {
        doc: "Logarithm of each element to base two.",
        example: ">>> cp.log2(cp.array([8.0, 0.5]))\narray([ 3., -1.])",
        cuda: "cu_log2(a)",
        derivative: Some("1.4426950408889634 / a"),
        oracle: "numpy.log2",
        ulps: Ulps::of(0.92, 0.92).complex(4.0),
        domain: (0.0, 1e6),
        ..Row::new(Op::Log2, "log2", 1, INEXACT)
    },
    Row {
        doc: "Logarithm of each element to base ten.",
        example: ">>> cp.log10(cp.array([1000.0, 0.1]))\narray([ 3., -1.])",
        cuda: "cu_log10(a)",
        derivative: Some("0.4342944819032518 / a"),
        oracle: "numpy.log10",
        ulps: Ulps::of(0.89, 0.89).complex(4.0),
        domain: (0.0, 1e6),
        ..Row::new(Op::Log10, "log10", 1, INEXACT)
    },
    Row {
        doc: "`log(1 + a)`, accurate for small `a` too.",
        example: ">>> cp.log1p(cp.array([0.0, 1e-10]))\narray([0.e+00, 1.e-10])",
        cuda: "cu_log1p(a)",
        derivative: Some("1 / (1 + a)"),
        oracle: "numpy.log1p",
        ulps: Ulps::of(0.76, 0.75).complex(4.0),
        domain: (-1.0, 1e6),
        ..Row::new(Op::Log1p, "log1p", 1, INEXACT)
    },
    Row {
        doc: "`log(exp(a) + exp(b))` without leaving the range of the dtype.",
        example: ">>> cp.logaddexp(cp.array([0.0, 1000.0]), cp.array([0.0, 1000.0]))\n\
            array([6.93147181e-01, 1.00069315e+03])",
        identity: Identity::NegativeInfinity,
        reorderable: true,
        cuda: "cu_logaddexp(a, b)",
        derivative: Some("exp(a - y), exp(b - y)"),
        oracle: "numpy.logaddexp",
        ulps: Ulps::of(1.86, 1.67),
        ..Row::new(Op::Logaddexp, "logaddexp", 2, FLOATS)
    },
    Row {
        doc: "`log2(exp2(a) + exp2(b))` without leaving the range of the dtype.",
        example: ">>> cp.logaddexp2(cp.array([0.0, 3000.0]), cp.array([0.0, 3000.0]))\n\
            array([1.000e+00, 3.001e+03])",
        identity: Identity::NegativeInfinity,
        reorderable: true,
        cuda: "cu_logaddexp2(a, b)",
        derivative: Some("exp2(a - y), exp2(b - y)"),
        oracle: "numpy.logaddexp2",
        ulps: Ulps::of(1.16, 1.10),
        ..Row::new(Op::Logaddexp2, "logaddexp2", 2, FLOATS)
    },
    Row {
        doc: "Modified Bessel function of the first kind and order zero of each element.",
        example: ">>> cp.i0(cp.array([0.0, 1.0]))\narray([1.        , 1.26606588])",
        cuda: "cu_i0(a)",
        oracle: "numpy.i0",
        ulps: Ulps::of(0.51, 3.4),
        domain: (-80.0, 80.0),
        ..Row::new(Op::I0, "i0", 1, FLOATS)
    },
];
