//! Circular and hyperbolic functions, their inverses, and the conversions of angles.
//!
//! Where a real function is not defined the result is `nan`; complex loops have C99's branch cuts.

use super::{Identity, Op, Row, Ulps};

const INEXACT: &str = "eEfdFD";
const FLOATS: &str = "eEfd";

pub(super) const ROWS: &[Row] = &[
    Row {
        doc: "Sine of each element, taken as an angle in radians.",
        example: ">>> cp.sin(cp.array([0.0, cp.pi / 2]))\narray([0., 1.])",
        cuda: "cu_sin(a)",
        derivative: Some("cos(a)"),
        oracle: "numpy.sin",
        ulps: Ulps::of(0.84, 0.83).complex(4.0),
        domain: (-1e4, 1e4),
        ..Row::new(Op::Sin, "sin", 1, INEXACT)
    },
    Row {
        doc: "Cosine of each element, taken as an angle in radians.",
        example: ">>> cp.cos(cp.array([0.0, cp.pi]))\narray([ 1., -1.])",
        cuda: "cu_cos(a)",
        derivative: Some("-sin(a)"),
        oracle: "numpy.cos",
        ulps: Ulps::of(0.85, 0.85).complex(4.0),
        domain: (-1e4, 1e4),
        ..Row::new(Op::Cos, "cos", 1, INEXACT)
    },
    Row {
        doc: "Tangent of each element, taken as an angle in radians.",
        example: ">>> cp.tan(cp.array([0.0, 1.0]))\narray([0.        , 1.55740772])",
        cuda: "cu_tan(a)",
        derivative: Some("1 + square(y)"),
        oracle: "numpy.tan",
        ulps: Ulps::of(1.19, 1.22).complex(4.0),
        domain: (-1e4, 1e4),
        ..Row::new(Op::Tan, "tan", 1, INEXACT)
    },
    Row {
        aliases: &["asin"],
        doc: "Angle in [-pi/2, pi/2] whose sine is each element; `nan` for reals outside [-1, 1].",
        example: ">>> cp.arcsin(cp.array([0.0, 1.0]))\narray([0.        , 1.57079633])",
        cuda: "cu_arcsin(a)",
        derivative: Some("1 / sqrt(1 - square(a))"),
        oracle: "numpy.arcsin",
        ulps: Ulps::of(0.69, 0.61).complex(4.0),
        domain: (-1.0, 1.0),
        ..Row::new(Op::Arcsin, "arcsin", 1, INEXACT)
    },
    Row {
        aliases: &["acos"],
        doc: "Angle in [0, pi] whose cosine is each element; `nan` for reals outside [-1, 1].",
        example: ">>> cp.arccos(cp.array([1.0, -1.0]))\narray([0.        , 3.14159265])",
        cuda: "cu_arccos(a)",
        derivative: Some("-1 / sqrt(1 - square(a))"),
        oracle: "numpy.arccos",
        ulps: Ulps::of(0.66, 0.59).complex(4.0),
        domain: (-1.0, 1.0),
        ..Row::new(Op::Arccos, "arccos", 1, INEXACT)
    },
    Row {
        aliases: &["atan"],
        doc: "Angle in [-pi/2, pi/2] whose tangent is each element.",
        example: ">>> cp.arctan(cp.array([0.0, 1.0]))\narray([0.        , 0.78539816])",
        cuda: "cu_arctan(a)",
        derivative: Some("1 / (1 + square(a))"),
        oracle: "numpy.arctan",
        ulps: Ulps::of(0.82, 0.81).complex(4.0),
        domain: (-1e6, 1e6),
        ..Row::new(Op::Arctan, "arctan", 1, INEXACT)
    },
    Row {
        aliases: &["atan2"],
        doc: "Angle in [-pi, pi] of the point with ordinate `a` and abscissa `b`.",
        example: ">>> cp.arctan2(cp.array([1.0, -1.0]), cp.array([1.0, -1.0]))\n\
            array([ 0.78539816, -2.35619449])",
        cuda: "cu_arctan2(a, b)",
        derivative: Some("b / (square(a) + square(b)), -a / (square(a) + square(b))"),
        oracle: "numpy.arctan2",
        ulps: Ulps::of(1.45, 1.55),
        ..Row::new(Op::Arctan2, "arctan2", 2, FLOATS)
    },
    Row {
        doc: "Length of the hypotenuse over legs `a` and `b`, without overflow on the way.",
        example: ">>> cp.hypot(cp.array([3.0, 5.0]), cp.array([4.0, 12.0]))\narray([ 5., 13.])",
        identity: Identity::Zero,
        reorderable: true,
        cuda: "cu_hypot(a, b)",
        derivative: Some("a / y, b / y"),
        oracle: "numpy.hypot",
        ulps: Ulps::of(0.5, 0.5),
        ..Row::new(Op::Hypot, "hypot", 2, FLOATS)
    },
    Row {
        doc: "Hyperbolic sine of each element.",
        example: ">>> cp.sinh(cp.array([0.0, 1.0]))\narray([0.        , 1.17520119])",
        cuda: "cu_sinh(a)",
        derivative: Some("cosh(a)"),
        oracle: "numpy.sinh",
        ulps: Ulps::of(0.94, 0.78).complex(4.0),
        domain: (-100.0, 100.0),
        ..Row::new(Op::Sinh, "sinh", 1, INEXACT)
    },
    Row {
        doc: "Hyperbolic cosine of each element.",
        example: ">>> cp.cosh(cp.array([0.0, 1.0]))\narray([1.        , 1.54308063])",
        cuda: "cu_cosh(a)",
        derivative: Some("sinh(a)"),
        oracle: "numpy.cosh",
        ulps: Ulps::of(0.69, 0.73).complex(4.0),
        domain: (-100.0, 100.0),
        ..Row::new(Op::Cosh, "cosh", 1, INEXACT)
    },
    Row {
        doc: "Hyperbolic tangent of each element.",
        example: ">>> cp.tanh(cp.array([0.0, 1.0]))\narray([0.        , 0.76159416])",
        cuda: "cu_tanh(a)",
        derivative: Some("1 - square(y)"),
        oracle: "numpy.tanh",
        ulps: Ulps::of(1.05, 1.06).complex(4.0),
        domain: (-20.0, 20.0),
        ..Row::new(Op::Tanh, "tanh", 1, INEXACT)
    },
    Row {
        aliases: &["asinh"],
        doc: "Number whose hyperbolic sine is each element.",
        example: ">>> cp.arcsinh(cp.array([0.0, 1.0]))\narray([0.        , 0.88137359])",
        cuda: "cu_arcsinh(a)",
        derivative: Some("1 / sqrt(1 + square(a))"),
        oracle: "numpy.arcsinh",
        ulps: Ulps::of(1.2, 1.24).complex(4.0),
        domain: (-1e6, 1e6),
        ..Row::new(Op::Arcsinh, "arcsinh", 1, INEXACT)
    },
    Row {
        aliases: &["acosh"],
        doc: "Number at or above zero whose hyperbolic cosine is each element.",
        example: ">>> cp.arccosh(cp.array([1.0, 2.0]))\narray([0.       , 1.3169579])",
        cuda: "cu_arccosh(a)",
        derivative: Some("1 / sqrt(square(a) - 1)"),
        oracle: "numpy.arccosh",
        ulps: Ulps::of(1.61, 1.72).complex(4.0),
        domain: (1.0, 1e6),
        ..Row::new(Op::Arccosh, "arccosh", 1, INEXACT)
    },
    Row {
        aliases: &["atanh"],
        doc: "Number whose hyperbolic tangent is each element; `nan` for reals outside [-1, 1].",
        example: ">>> cp.arctanh(cp.array([0.0, 0.5]))\narray([0.        , 0.54930614])",
        cuda: "cu_arctanh(a)",
        derivative: Some("1 / (1 - square(a))"),
        oracle: "numpy.arctanh",
        ulps: Ulps::of(1.22, 1.22).complex(4.0),
        domain: (-1.0, 1.0),
        ..Row::new(Op::Arctanh, "arctanh", 1, INEXACT)
    },
    Row {
        aliases: &["rad2deg"],
        doc: "Each element, an angle in radians, in degrees.",
        example: ">>> cp.degrees(cp.array([cp.pi, cp.pi / 4]))\narray([180.,  45.])",
        cuda: "cu_degrees(a)",
        derivative: Some("57.29577951308232"),
        oracle: "numpy.degrees",
        ulps: Ulps::of(1.5, 1.0),
        ..Row::new(Op::Degrees, "degrees", 1, FLOATS)
    },
    Row {
        aliases: &["deg2rad"],
        doc: "Each element, an angle in degrees, in radians.",
        example: ">>> cp.radians(cp.array([180.0, 45.0]))\narray([3.14159265, 0.78539816])",
        cuda: "cu_radians(a)",
        derivative: Some("0.017453292519943295"),
        oracle: "numpy.radians",
        ulps: Ulps::of(1.0, 1.0),
        ..Row::new(Op::Radians, "radians", 1, FLOATS)
    },
    Row {
        doc: "`sin(pi * a) / (pi * a)`, and 1 at zero.",
        example: ">>> cp.sinc(cp.array([0.0, 0.5]))\narray([1.        , 0.63661977])",
        cuda: "cu_sinc(a)",
        derivative: Some("where(a == 0, 0, (cos(3.141592653589793 * a) - y) / a)"),
        oracle: "numpy.sinc",
        ulps: Ulps::of(1.4, 1.2).complex(4.0),
        domain: (-20.0, 20.0),
        ..Row::new(Op::Sinc, "sinc", 1, INEXACT)
    },
];
