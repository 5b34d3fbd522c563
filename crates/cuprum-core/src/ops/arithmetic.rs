//! Arithmetic, roots, extrema, selection and the parts of complex numbers.
//!
//! Integer arithmetic wraps, as NumPy's does; `floor_divide`, `remainder` and `fmod` of integers by
//! zero give zero.

use super::{Identity, Inputs, Op, Output, Row, Ulps};

const ALL: &str = "?bBhHiIqQeEfdFD";
const NUMBERS: &str = "bBhHiIqQeEfdFD";
const REALS: &str = "bBhHiIqQeEfd";
const INEXACT: &str = "eEfdFD";
const FLOATS: &str = "eEfd";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "Sum of two arrays, element by element.",
        example: ">>> cp.add(cp.array([1, 2]), 3)\narray([4, 5])",
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_add(a, b)",
        derivative: Some("1, 1"),
        oracle: "numpy.add",
        ..Row::new(Op::Add, "add", 2, ALL)
    },
    Row {
        doc: "Difference of two arrays, the second taken from the first.",
        example: ">>> cp.subtract(cp.array([5, 7]), cp.array([2, 10]))\narray([ 3, -3])",
        cuda: "cu_subtract(a, b)",
        derivative: Some("1, -1"),
        oracle: "numpy.subtract",
        ..Row::new(Op::Subtract, "subtract", 2, NUMBERS)
    },
    Row {
        doc: "Product of two arrays, element by element.",
        example: ">>> cp.multiply(cp.array([1.5, -2.0]), 4)\narray([ 6., -8.])",
        identity: Identity::One,
        reorderable: true,
        cuda: "cu_multiply(a, b)",
        derivative: Some("b, a"),
        oracle: "numpy.multiply",
        ulps: Ulps::EXACT.complex(2.0),
        ..Row::new(Op::Multiply, "multiply", 2, ALL)
    },
    Row {
        aliases: &["true_divide"],
        doc: "Quotient of two arrays; integers are divided as float64.",
        example: ">>> cp.divide(cp.array([1, 3]), 2)\narray([0.5, 1.5])",
        cuda: "cu_divide(a, b)",
        derivative: Some("1 / b, -y / b"),
        oracle: "numpy.divide",
        ulps: Ulps::EXACT.complex(2.0),
        ..Row::new(Op::Divide, "divide", 2, INEXACT)
    },
    Row {
        doc: "Quotient rounded down to a whole number.",
        example: ">>> cp.floor_divide(cp.array([7, -7]), 2)\narray([ 3, -4])",
        cuda: "cu_floor_divide(a, b)",
        oracle: "numpy.floor_divide",
        ..Row::new(Op::FloorDivide, "floor_divide", 2, REALS)
    },
    Row {
        aliases: &["mod"],
        doc: "What is left of `a` after `floor_divide`, with the sign of `b`.",
        example: ">>> cp.remainder(cp.array([7, -7]), 3)\narray([1, 2])",
        cuda: "cu_remainder(a, b)",
        derivative: Some("1, -floor_divide(a, b)"),
        oracle: "numpy.remainder",
        ..Row::new(Op::Remainder, "remainder", 2, REALS)
    },
    Row {
        doc: "What is left of `a` after a division rounded towards zero, with the sign of `a`.",
        example: ">>> cp.fmod(cp.array([7, -7]), 3)\narray([ 1, -1])",
        cuda: "cu_fmod(a, b)",
        derivative: Some("1, -trunc(a / b)"),
        oracle: "numpy.fmod",
        ..Row::new(Op::Fmod, "fmod", 2, REALS)
    },
    Row {
        aliases: &["pow"],
        doc: "First array raised to the powers in the second; integers stay integers.",
        example: ">>> cp.power(cp.array([2, 3]), cp.array([10, 4]))\narray([1024,   81])",
        cuda: "cu_power(a, b)",
        derivative: Some("b * power(a, b - 1), y * log(a)"),
        oracle: "numpy.power",
        ulps: Ulps::of(0.54, 0.83).complex(150.0),
        domain: (0.0, 20.0),
        ..Row::new(Op::Power, "power", 2, NUMBERS)
    },
    Row {
        doc: "First array raised to the powers in the second, computed in float64 or complex128.",
        example: ">>> cp.float_power(cp.array([2, 4]), -1)\narray([0.5 , 0.25])",
        cuda: "cu_power(a, b)",
        derivative: Some("b * float_power(a, b - 1), y * log(a)"),
        oracle: "numpy.float_power",
        ulps: Ulps::of(0.54, 0.83).complex(150.0),
        domain: (0.0, 20.0),
        ..Row::new(Op::FloatPower, "float_power", 2, "dD")
    },
    Row {
        doc: "Each element with its sign turned.",
        example: ">>> cp.negative(cp.array([1.5, -2.0]))\narray([-1.5,  2. ])",
        cuda: "cu_negative(a)",
        derivative: Some("-1"),
        oracle: "numpy.negative",
        ..Row::new(Op::Negative, "negative", 1, NUMBERS)
    },
    Row {
        doc: "Each element as it is, in a new array.",
        example: ">>> cp.positive(cp.array([1, -2]))\narray([ 1, -2])",
        cuda: "cu_positive(a)",
        derivative: Some("1"),
        oracle: "numpy.positive",
        ..Row::new(Op::Positive, "positive", 1, NUMBERS)
    },
    Row {
        aliases: &["abs"],
        doc: "Distance of each element from zero; the modulus of complex numbers.",
        example: ">>> cp.absolute(cp.array([-1.5, 2.0]))\n\
            array([1.5, 2. ])\n\
            >>> cp.absolute(cp.array([3 + 4j]))\n\
            array([5.])",
        output: Output::Real,
        cuda: "cu_absolute(a)",
        derivative: Some("sign(a)"),
        oracle: "numpy.absolute",
        ulps: Ulps { half: 0.0, ..Ulps::of(1.0, 1.0) },
        ..Row::new(Op::Absolute, "absolute", 1, ALL)
    },
    Row {
        doc: "Distance of each element from zero, as a floating-point number.",
        example: ">>> cp.fabs(cp.array([-1, 2]))\narray([1., 2.])",
        cuda: "cu_fabs(a)",
        derivative: Some("sign(a)"),
        oracle: "numpy.fabs",
        ..Row::new(Op::Fabs, "fabs", 1, FLOATS)
    },
    Row {
        doc: "-1, 0 or 1 as each element is below, at or above zero; `z / abs(z)` for complex `z`.",
        example: ">>> cp.sign(cp.array([-2.5, 0.0, 7.0]))\narray([-1.,  0.,  1.])",
        cuda: "cu_sign(a)",
        oracle: "numpy.sign",
        ulps: Ulps::EXACT.complex(2.0),
        ..Row::new(Op::Sign, "sign", 1, NUMBERS)
    },
    Row {
        doc: "One divided by each element, within its dtype: integers are truncated.",
        example: ">>> cp.reciprocal(cp.array([2.0, -0.5]))\narray([ 0.5, -2. ])",
        cuda: "cu_reciprocal(a)",
        derivative: Some("-square(y)"),
        oracle: "numpy.reciprocal",
        ulps: Ulps::EXACT.complex(2.0),
        ..Row::new(Op::Reciprocal, "reciprocal", 1, NUMBERS)
    },
    Row {
        doc: "Each element times itself.",
        example: ">>> cp.square(cp.array([3, -4]))\narray([ 9, 16])",
        cuda: "cu_square(a)",
        derivative: Some("2 * a"),
        oracle: "numpy.square",
        ulps: Ulps::EXACT.complex(2.0),
        ..Row::new(Op::Square, "square", 1, NUMBERS)
    },
    Row {
        doc: "Non-negative square root of each element; `nan` for negative reals.",
        example: ">>> cp.sqrt(cp.array([4.0, 2.25]))\narray([2. , 1.5])",
        cuda: "cu_sqrt(a)",
        derivative: Some("0.5 / y"),
        oracle: "numpy.sqrt",
        ulps: Ulps::EXACT.complex(2.0),
        domain: (0.0, 1e6),
        ..Row::new(Op::Sqrt, "sqrt", 1, INEXACT)
    },
    Row {
        doc: "Cube root of each element, of negative ones too.",
        example: ">>> cp.cbrt(cp.array([8.0, -27.0]))\narray([ 2., -3.])",
        cuda: "cu_cbrt(a)",
        derivative: Some("1 / (3 * square(y))"),
        oracle: "numpy.cbrt",
        ulps: Ulps::of(0.51, 0.5),
        domain: (-1e6, 1e6),
        ..Row::new(Op::Cbrt, "cbrt", 1, FLOATS)
    },
    Row {
        doc: "Larger of each pair of elements; `nan` where either is.",
        example: ">>> cp.maximum(cp.array([1.0, 5.0]), 3)\narray([3., 5.])",
        reorderable: true,
        cuda: "cu_maximum(a, b)",
        derivative: Some("where(a >= b, 1, 0), where(a >= b, 0, 1)"),
        oracle: "numpy.maximum",
        ..Row::new(Op::Maximum, "maximum", 2, ALL)
    },
    Row {
        doc: "Smaller of each pair of elements; `nan` where either is.",
        example: ">>> cp.minimum(cp.array([1.0, 5.0]), 3)\narray([1., 3.])",
        reorderable: true,
        cuda: "cu_minimum(a, b)",
        derivative: Some("where(a <= b, 1, 0), where(a <= b, 0, 1)"),
        oracle: "numpy.minimum",
        ..Row::new(Op::Minimum, "minimum", 2, ALL)
    },
    Row {
        doc: "Larger of each pair of elements, passing over `nan` where the other is a number.",
        example: ">>> cp.fmax(cp.array([1.0, cp.nan]), 3)\narray([3., 3.])",
        reorderable: true,
        cuda: "cu_fmax(a, b)",
        derivative: Some("where(y == a, 1, 0), where(y == a, 0, 1)"),
        oracle: "numpy.fmax",
        ..Row::new(Op::Fmax, "fmax", 2, ALL)
    },
    Row {
        doc: "Smaller of each pair of elements, passing over `nan` where the other is a number.",
        example: ">>> cp.fmin(cp.array([1.0, cp.nan]), 3)\narray([1., 3.])",
        reorderable: true,
        cuda: "cu_fmin(a, b)",
        derivative: Some("where(y == a, 1, 0), where(y == a, 0, 1)"),
        oracle: "numpy.fmin",
        ..Row::new(Op::Fmin, "fmin", 2, ALL)
    },
    Row {
        doc: "Each element brought into the interval from the second argument to the third.",
        example: ">>> cp.clip(cp.array([-2, 3, 12]), 0, 10)\narray([ 0,  3, 10])",
        cuda: "cu_clip(a, b, c)",
        derivative: Some(
            "where(y == a, 1, 0), \
             where(y == a, 0, where(y == c, 0, 1)), \
             where(y == a, 0, where(y == c, 1, 0))",
        ),
        oracle: "numpy.clip",
        ..Row::new(Op::Clip, "clip", 3, ALL)
    },
    Row {
        doc: "Elements of the second argument where the first holds, of the third elsewhere.",
        example: ">>> cp.where(cp.array([True, False]), cp.array([1, 2]), 9)\narray([1, 9])",
        inputs: Inputs::ConditionFirst,
        cuda: "cu_where(a, b, c)",
        derivative: Some("0, where(a, 1, 0), where(a, 0, 1)"),
        oracle: "numpy.where",
        ..Row::new(Op::Where, "where", 3, ALL)
    },
    Row {
        aliases: &["conj"],
        doc: "Complex conjugate: the sign of each imaginary part turned.",
        example: ">>> cp.conjugate(cp.array([1 + 2j, 3 - 4j]))\narray([1.-2.j, 3.+4.j])",
        cuda: "cu_conjugate(a)",
        oracle: "numpy.conjugate",
        ..Row::new(Op::Conjugate, "conjugate", 1, NUMBERS)
    },
    Row {
        doc: "Real part of each element.",
        example: ">>> cp.real(cp.array([1 + 2j, 3 - 4j]))\narray([1., 3.])",
        output: Output::Real,
        cuda: "cu_real(a)",
        oracle: "numpy.real",
        ..Row::new(Op::Real, "real", 1, ALL)
    },
    Row {
        doc: "Imaginary part of each element; zero for real dtypes.",
        example: ">>> cp.imag(cp.array([1 + 2j, 3 - 4j]))\narray([ 2., -4.])",
        output: Output::Real,
        cuda: "cu_imag(a)",
        oracle: "numpy.imag",
        ..Row::new(Op::Imag, "imag", 1, ALL)
    },
    Row {
        doc: "Angle of each element from the positive real axis, in radians.",
        example: ">>> cp.angle(cp.array([1 + 1j, -1j, 2]))\n\
            array([ 0.78539816, -1.57079633,  0.        ])",
        output: Output::Real,
        cuda: "cu_angle(a)",
        oracle: "numpy.angle",
        ulps: Ulps::of(1.45, 1.55).complex(1.0),
        ..Row::new(Op::Angle, "angle", 1, INEXACT)
    },
];
