//! Rounding, and the make-up of floating-point numbers.
//!
//! Kinds, signs, neighbours, mantissas and exponents; `modf` and `frexp` appear by their parts.

use super::{Inputs, Op, Output, Row};

const ALL: &str = "?bBhHiIqQeEfdFD";
const ORDERED: &str = "?bBhHiIqQeEfd";
const INEXACT: &str = "eEfdFD";
const FLOATS: &str = "eEfd";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "Nearest whole number to each element, ties going to the even one.",
        example: ">>> cp.rint(cp.array([0.5, 1.5, -1.7]))\narray([ 0.,  2., -2.])",
        cuda: "cu_rint(a)",
        oracle: "numpy.rint",
        ..Row::new(Op::Rint, "rint", 1, INEXACT)
    },
    Row {
        doc: "Largest whole number not above each element.",
        example: ">>> cp.floor(cp.array([1.7, -1.7]))\narray([ 1., -2.])",
        cuda: "cu_floor(a)",
        oracle: "numpy.floor",
        ..Row::new(Op::Floor, "floor", 1, ORDERED)
    },
    Row {
        doc: "Smallest whole number not below each element.",
        example: ">>> cp.ceil(cp.array([1.2, -1.7]))\narray([ 2., -1.])",
        cuda: "cu_ceil(a)",
        oracle: "numpy.ceil",
        ..Row::new(Op::Ceil, "ceil", 1, ORDERED)
    },
    Row {
        doc: "Each element without its fraction: the nearest whole number towards zero.",
        example: ">>> cp.trunc(cp.array([1.7, -1.7]))\narray([ 1., -1.])",
        cuda: "cu_trunc(a)",
        oracle: "numpy.trunc",
        ..Row::new(Op::Trunc, "trunc", 1, ORDERED)
    },
    Row {
        doc: "Whether each element is not a number.",
        example: ">>> cp.isnan(cp.array([1.0, cp.nan, cp.inf]))\narray([False,  True, False])",
        output: Output::Bool,
        cuda: "cu_isnan(a)",
        oracle: "numpy.isnan",
        ..Row::new(Op::Isnan, "isnan", 1, ALL)
    },
    Row {
        doc: "Whether each element is infinite, of either sign.",
        example: ">>> cp.isinf(cp.array([1.0, cp.nan, -cp.inf]))\narray([False, False,  True])",
        output: Output::Bool,
        cuda: "cu_isinf(a)",
        oracle: "numpy.isinf",
        ..Row::new(Op::Isinf, "isinf", 1, ALL)
    },
    Row {
        doc: "Whether each element is neither infinite nor `nan`.",
        example: ">>> cp.isfinite(cp.array([1.0, cp.nan, cp.inf]))\narray([ True, False, False])",
        output: Output::Bool,
        cuda: "cu_isfinite(a)",
        oracle: "numpy.isfinite",
        ..Row::new(Op::Isfinite, "isfinite", 1, ALL)
    },
    Row {
        doc: "Whether the sign bit of each element is set, as it is for -0.0.",
        example: ">>> cp.signbit(cp.array([1.0, -0.0, -2.0]))\narray([False,  True,  True])",
        output: Output::Bool,
        cuda: "cu_signbit(a)",
        oracle: "numpy.signbit",
        ..Row::new(Op::Signbit, "signbit", 1, FLOATS)
    },
    Row {
        doc: "Magnitude of the first argument with the sign of the second.",
        example: ">>> cp.copysign(cp.array([1.0, -2.0]), -0.0)\narray([-1., -2.])",
        cuda: "cu_copysign(a, b)",
        derivative: Some("where(signbit(a) == signbit(b), 1, -1), 0"),
        oracle: "numpy.copysign",
        ..Row::new(Op::Copysign, "copysign", 2, FLOATS)
    },
    Row {
        doc: "Next number of the dtype after `a` in the direction of `b`.",
        example: ">>> cp.nextafter(cp.array([1.0]), 2.0) - 1\narray([2.22044605e-16])",
        cuda: "cu_nextafter(a, b)",
        oracle: "numpy.nextafter",
        ..Row::new(Op::Nextafter, "nextafter", 2, FLOATS)
    },
    Row {
        doc: "Distance from each element to the next number of its dtype away from zero.",
        example: ">>> cp.spacing(cp.array([1.0, -1e16]))\n\
            array([ 2.22044605e-16, -2.00000000e+00])",
        cuda: "cu_spacing(a)",
        oracle: "numpy.spacing",
        ..Row::new(Op::Spacing, "spacing", 1, FLOATS)
    },
    Row {
        doc: "Mantissa of each element, in [0.5, 1) with the element's sign.",
        cuda: "cu_frexp_mantissa(a)",
        oracle: "numpy.frexp[0]",
        ..Row::new(Op::FrexpMantissa, "frexp_mantissa", 1, FLOATS)
    },
    Row {
        doc: "Power of two that scales each element's mantissa.",
        output: Output::Int32,
        cuda: "cu_frexp_exponent(a)",
        oracle: "numpy.frexp[1]",
        ..Row::new(Op::FrexpExponent, "frexp_exponent", 1, FLOATS)
    },
    Row {
        doc: "First argument times two to the power of the second, an integer.",
        example: ">>> cp.ldexp(cp.array([0.5, 3.0]), cp.array([4, -1]))\narray([8. , 1.5])",
        inputs: Inputs::ExponentSecond,
        cuda: "cu_ldexp(a, b)",
        derivative: Some("ldexp(1, b), 0"),
        oracle: "numpy.ldexp",
        domain: (-100.0, 100.0),
        ..Row::new(Op::Ldexp, "ldexp", 2, FLOATS)
    },
    Row {
        doc: "Fractional part of each element, with the element's sign.",
        cuda: "cu_modf_fraction(a)",
        derivative: Some("1"),
        oracle: "numpy.modf[0]",
        ..Row::new(Op::ModfFraction, "modf_fraction", 1, FLOATS)
    },
    Row {
        doc: "Integral part of each element, with the element's sign.",
        cuda: "cu_modf_integer(a)",
        oracle: "numpy.modf[1]",
        ..Row::new(Op::ModfInteger, "modf_integer", 1, FLOATS)
    },
    Row {
        doc: "Step function: 0 below zero, 1 above, and the second argument at zero.",
        example: ">>> cp.heaviside(cp.array([-1.5, 0.0, 2.0]), 0.5)\narray([0. , 0.5, 1. ])",
        cuda: "cu_heaviside(a, b)",
        oracle: "numpy.heaviside",
        ..Row::new(Op::Heaviside, "heaviside", 2, FLOATS)
    },
];
