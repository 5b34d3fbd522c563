//! The table of ops: every elementwise function is declared here, once; special functions in `special_*.rs`.
//!
//! A row is the op's documentation, its name in the enum, its Rust method with an example where it has one, and a
//! [`Row`](super::Row). The enum, the lookup table, the Rust methods, the Python ufuncs, their stubs, reference pages and
//! conformance tests all follow from it. Type characters of the loops are those of [`DType::code`](crate::DType::code).

/// Calls a macro with all rows of the table. A row has the form
/// `/// documentation` `Name, [input].method(other) => type [output]: Row { ... };`
/// where the method with its example is optional.
///
/// ```
/// macro_rules! names {
///     ($($(#[doc = $doc:literal])+ $op:ident
///        $(, $input:tt.$method:ident($($other:expr)?) => $type:ident $output:tt)? : $row:expr;)*) => {
///         [$(stringify!($op)),*]
///     };
/// }
/// assert_eq!(cuprum_core::for_each_op!(names)[0], "Add");
/// ```
#[macro_export]
macro_rules! for_each_op {
    ($callback:ident) => {
        $crate::with_gamma_ops! { $callback {
        // Arithmetic, roots, extrema, selection and the parts of complex numbers. Integer arithmetic wraps, as NumPy's
        // does; `floor_divide`, `remainder` and `fmod` of integers by zero give zero.
        /// Sum of two arrays, element by element.
        Add: Row {
            example: ">>> cp.add(cp.array([1, 2]), 3)\narray([4, 5])",
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_add(a, b)", CudaText::Arithmetic),
            derivative: d![1, 1],
            accumulates: true,
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.add",
            ..Row::new("add", 2, ALL)
        };
        /// Difference of two arrays, the second taken from the first.
        Subtract: Row {
            example: ">>> cp.subtract(cp.array([5, 7]), cp.array([2, 10]))\narray([ 3, -3])",
            cuda: Cuda::new("cu_subtract(a, b)", CudaText::Arithmetic),
            derivative: d![1, Negative(1)],
            refuses_bool: true,
            same_when_widened: SameWhenWidened::Always,
            undoes: Some(Op::Add),
            oracle: "numpy.subtract",
            ..Row::new("subtract", 2, NUMBERS)
        };
        /// Product of two arrays, element by element.
        Multiply: Row {
            example: ">>> cp.multiply(cp.array([1.5, -2.0]), 4)\narray([ 6., -8.])",
            identity: Identity::One,
            reorderable: true,
            cuda: Cuda::new("cu_multiply(a, b)", CudaText::Arithmetic),
            derivative: d![b, a],
            accumulates: true,
            same_when_widened: SameWhenWidened::Reals,
            oracle: "numpy.multiply",
            ulps: Ulps::EXACT.complex(2.0),
            ..Row::new("multiply", 2, ALL)
        };
        /// Quotient of two arrays; integers are divided as float64.
        Divide: Row {
            aliases: &["true_divide"],
            example: ">>> cp.divide(cp.array([1, 3]), 2)\narray([0.5, 1.5])",
            cuda: Cuda::new("cu_divide(a, b)", CudaText::Arithmetic),
            derivative: d![Divide(1, b), Divide(Negative(y), b)],
            promotion: Promotion::Inexact,
            same_when_widened: SameWhenWidened::Floats,
            oracle: "numpy.divide",
            ulps: Ulps::EXACT.complex(2.0),
            ..Row::new("divide", 2, INEXACT)
        };
        /// Quotient rounded down to a whole number.
        FloorDivide, [7, -7].floor_divide(2) => i32 [3, -4]: Row {
            example: ">>> cp.floor_divide(cp.array([7, -7]), 2)\narray([ 3, -4])",
            cuda: Cuda::new("cu_floor_divide(a, b)", CudaText::Division),
            cost: Cost::Division,
            oracle: "numpy.floor_divide",
            ..Row::new("floor_divide", 2, REALS)
        };
        /// What is left of `a` after `floor_divide`, with the sign of `b`.
        Remainder, [7, -7].remainder(3) => i32 [1, 2]: Row {
            aliases: &["mod"],
            example: ">>> cp.remainder(cp.array([7, -7]), 3)\narray([1, 2])",
            cuda: Cuda::new("cu_remainder(a, b)", CudaText::Division),
            derivative: d![1, Negative(FloorDivide(a, b))],
            cost: Cost::Division,
            oracle: "numpy.remainder",
            ..Row::new("remainder", 2, REALS)
        };
        /// What is left of `a` after a division rounded towards zero, with the sign of `a`.
        Fmod, [7, -7].fmod(3) => i32 [1, -1]: Row {
            example: ">>> cp.fmod(cp.array([7, -7]), 3)\narray([ 1, -1])",
            cuda: Cuda::new("cu_fmod(a, b)", CudaText::Division),
            derivative: d![1, Negative(Trunc(Divide(a, b)))],
            cost: Cost::Division,
            oracle: "numpy.fmod",
            ..Row::new("fmod", 2, REALS)
        };
        /// First array raised to the powers in the second; integers stay integers.
        Power, [2.0, 3.0].power(2.0) => f64 [4.0, 9.0]: Row {
            aliases: &["pow"],
            example: ">>> cp.power(cp.array([2, 3]), cp.array([10, 4]))\narray([1024,   81])",
            cuda: Cuda::new("cu_power(a, b)", CudaText::Power)
                .complex(CudaText::ComplexFunctions)
                .integral(CudaText::Integer),
            derivative: d![Multiply(b, Power(a, Subtract(b, 1))), Multiply(y, Log(a))],
            cost: Cost::Function,
            oracle: "numpy.power",
            ulps: Ulps::of(0.54, 0.83).complex(150.0),
            domain: (0.0, 20.0),
            ..Row::new("power", 2, NUMBERS)
        };
        /// First array raised to the powers in the second, computed in float64 or complex128.
        FloatPower, [2, 4].float_power(-1.0) => f64 [0.5, 0.25]: Row {
            example: ">>> cp.float_power(cp.array([2, 4]), -1)\narray([0.5 , 0.25])",
            cuda: Cuda::new("cu_power(a, b)", CudaText::Power).complex(CudaText::ComplexFunctions),
            derivative: d![Multiply(b, FloatPower(a, Subtract(b, 1))), Multiply(y, Log(a))],
            cost: Cost::Function,
            promotion: Promotion::Float64,
            oracle: "numpy.float_power",
            ulps: Ulps::of(0.54, 0.83).complex(150.0),
            domain: (0.0, 20.0),
            ..Row::new("float_power", 2, "dD")
        };
        /// Each element with its sign turned.
        Negative, [1.5, -2.0].negative() => f64 [-1.5, 2.0]: Row {
            example: ">>> cp.negative(cp.array([1.5, -2.0]))\narray([-1.5,  2. ])",
            cuda: Cuda::new("cu_negative(a)", CudaText::Arithmetic),
            derivative: d![Negative(1)],
            refuses_bool: true,
            oracle: "numpy.negative",
            ..Row::new("negative", 1, NUMBERS)
        };
        /// Each element as it is, in a new array.
        Positive, [1.5, -2.0].positive() => f64 [1.5, -2.0]: Row {
            example: ">>> cp.positive(cp.array([1, -2]))\narray([ 1, -2])",
            cuda: Cuda::new("cu_positive(a)", CudaText::Arithmetic),
            derivative: d![1],
            refuses_bool: true,
            oracle: "numpy.positive",
            ..Row::new("positive", 1, NUMBERS)
        };
        /// Distance of each element from zero; the modulus of complex numbers.
        Absolute, [-1.5, 2.0].absolute() => f64 [1.5, 2.0]: Row {
            aliases: &["abs"],
            example: ">>> cp.absolute(cp.array([-1.5, 2.0]))\n\
                array([1.5, 2. ])\n\
                >>> cp.absolute(cp.array([3 + 4j]))\n\
                array([5.])",
            output: Output::Real,
            cuda: Cuda::new("cu_absolute(a)", CudaText::Arithmetic).complex(CudaText::Roots),
            derivative: d![Sign(a)],
            oracle: "numpy.absolute",
            ulps: Ulps { half: 0.0, ..Ulps::of(1.0, 1.0) },
            ..Row::new("absolute", 1, ALL)
        };
        /// Distance of each element from zero, as a floating-point number.
        Fabs, [-1.5].fabs() => f64 [1.5]: Row {
            example: ">>> cp.fabs(cp.array([-1, 2]))\narray([1., 2.])",
            cuda: Cuda::new("cu_fabs(a)", CudaText::Arithmetic),
            derivative: d![Sign(a)],
            oracle: "numpy.fabs",
            ..Row::new("fabs", 1, FLOATS)
        };
        /// -1, 0 or 1 as each element is below, at or above zero; `z / abs(z)` for complex `z`.
        Sign, [-2.5, 0.0].sign() => f64 [-1.0, 0.0]: Row {
            example: ">>> cp.sign(cp.array([-2.5, 0.0, 7.0]))\narray([-1.,  0.,  1.])",
            cuda: Cuda::new("cu_sign(a)", CudaText::Arithmetic).complex(CudaText::Roots),
            refuses_bool: true,
            oracle: "numpy.sign",
            ulps: Ulps::EXACT.complex(2.0),
            ..Row::new("sign", 1, NUMBERS)
        };
        /// One divided by each element, within its dtype: integers are truncated.
        Reciprocal, [2.0].reciprocal() => f64 [0.5]: Row {
            example: ">>> cp.reciprocal(cp.array([2.0, -0.5]))\narray([ 0.5, -2. ])",
            cuda: Cuda::new("cu_reciprocal(a)", CudaText::Arithmetic),
            derivative: d![Negative(Square(y))],
            oracle: "numpy.reciprocal",
            ulps: Ulps::EXACT.complex(2.0),
            ..Row::new("reciprocal", 1, NUMBERS)
        };
        /// Each element times itself.
        Square, [3.0].square() => f64 [9.0]: Row {
            example: ">>> cp.square(cp.array([3, -4]))\narray([ 9, 16])",
            cuda: Cuda::new("cu_square(a)", CudaText::Arithmetic),
            derivative: d![Multiply(2, a)],
            oracle: "numpy.square",
            ulps: Ulps::EXACT.complex(2.0),
            ..Row::new("square", 1, NUMBERS)
        };
        /// Non-negative square root of each element; `nan` for negative reals.
        Sqrt, [4.0, 2.25].sqrt() => f64 [2.0, 1.5]: Row {
            example: ">>> cp.sqrt(cp.array([4.0, 2.25]))\narray([2. , 1.5])",
            cuda: Cuda::new("cu_sqrt(a)", CudaText::Roots).complex(CudaText::ComplexFunctions),
            derivative: d![Divide(0.5, y)],
            oracle: "numpy.sqrt",
            ulps: Ulps::EXACT.complex(2.0),
            domain: (0.0, 1e6),
            ..Row::new("sqrt", 1, INEXACT)
        };
        /// Cube root of each element, of negative ones too.
        Cbrt, [8.0].cbrt() => f64 [2.0]: Row {
            example: ">>> cp.cbrt(cp.array([8.0, -27.0]))\narray([ 2., -3.])",
            cuda: Cuda::new("cu_cbrt(a)", CudaText::Roots),
            derivative: d![Divide(1, Multiply(3, Square(y)))],
            cost: Cost::Function,
            oracle: "numpy.cbrt",
            ulps: Ulps::of(0.502, 0.5),
            domain: (-1e6, 1e6),
            ..Row::new("cbrt", 1, FLOATS)
        };
        /// Larger of each pair of elements; `nan` where either is.
        Maximum, [1.0, 5.0].maximum(3.0) => f64 [3.0, 5.0]: Row {
            example: ">>> cp.maximum(cp.array([1.0, 5.0]), 3)\narray([3., 5.])",
            reorderable: true,
            cuda: Cuda::new("cu_maximum(a, b)", CudaText::Order),
            derivative: d![Where(GreaterEqual(a, b), 1, 0), Where(GreaterEqual(a, b), 0, 1)],
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.maximum",
            ..Row::new("maximum", 2, ALL)
        };
        /// Smaller of each pair of elements; `nan` where either is.
        Minimum, [1.0, 5.0].minimum(3.0) => f64 [1.0, 3.0]: Row {
            example: ">>> cp.minimum(cp.array([1.0, 5.0]), 3)\narray([1., 3.])",
            reorderable: true,
            cuda: Cuda::new("cu_minimum(a, b)", CudaText::Order),
            derivative: d![Where(LessEqual(a, b), 1, 0), Where(LessEqual(a, b), 0, 1)],
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.minimum",
            ..Row::new("minimum", 2, ALL)
        };
        /// Larger of each pair of elements, passing over `nan` where the other is a number.
        Fmax, [f64::NAN, 5.0].fmax(3.0) => f64 [3.0, 5.0]: Row {
            example: ">>> cp.fmax(cp.array([1.0, cp.nan]), 3)\narray([3., 3.])",
            reorderable: true,
            cuda: Cuda::new("cu_fmax(a, b)", CudaText::Order),
            derivative: d![Where(Equal(y, a), 1, 0), Where(Equal(y, a), 0, 1)],
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.fmax",
            ..Row::new("fmax", 2, ALL)
        };
        /// Smaller of each pair of elements, passing over `nan` where the other is a number.
        Fmin, [f64::NAN, 5.0].fmin(3.0) => f64 [3.0, 3.0]: Row {
            example: ">>> cp.fmin(cp.array([1.0, cp.nan]), 3)\narray([1., 3.])",
            reorderable: true,
            cuda: Cuda::new("cu_fmin(a, b)", CudaText::Order),
            derivative: d![Where(Equal(y, a), 1, 0), Where(Equal(y, a), 0, 1)],
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.fmin",
            ..Row::new("fmin", 2, ALL)
        };
        /// Each element brought into the interval from the second argument to the third.
        Clip: Row {
            example: ">>> cp.clip(cp.array([-2, 3, 12]), 0, 10)\narray([ 0,  3, 10])",
            cuda: Cuda::new("cu_clip(a, b, c)", CudaText::Order),
            derivative: d![
                Where(Equal(y, a), 1, 0),
                Where(Equal(y, a), 0, Where(Equal(y, c), 0, 1)),
                Where(Equal(y, a), 0, Where(Equal(y, c), 1, 0)),
            ],
            namespace: Namespace::Function,
            oracle: "numpy.clip",
            ..Row::new("clip", 3, ALL)
        };
        /// Elements of the second argument where the first holds, of the third elsewhere.
        Where: Row {
            example: ">>> cp.where(cp.array([True, False]), cp.array([1, 2]), 9)\narray([1, 9])",
            inputs: Inputs::ConditionFirst,
            cuda: Cuda::new("cu_where(a, b, c)", CudaText::Arithmetic),
            derivative: d![0, Where(a, 1, 0), Where(a, 0, 1)],
            namespace: Namespace::Function,
            oracle: "numpy.where",
            ..Row::new("where", 3, ALL)
        };
        /// Complex conjugate: the sign of each imaginary part turned.
        Conjugate, [1.0].conjugate() => f64 [1.0]: Row {
            aliases: &["conj"],
            example: ">>> cp.conjugate(cp.array([1 + 2j, 3 - 4j]))\narray([1.-2.j, 3.+4.j])",
            cuda: Cuda::new("cu_conjugate(a)", CudaText::Arithmetic),
            oracle: "numpy.conjugate",
            ..Row::new("conjugate", 1, NUMBERS)
        };
        /// Real part of each element.
        Real: Row {
            example: ">>> cp.real(cp.array([1 + 2j, 3 - 4j]))\narray([1., 3.])",
            output: Output::Real,
            cuda: Cuda::new("cu_real(a)", CudaText::Arithmetic),
            namespace: Namespace::Function,
            oracle: "numpy.real",
            ..Row::new("real", 1, ALL)
        };
        /// Imaginary part of each element; zero for real dtypes.
        Imag: Row {
            example: ">>> cp.imag(cp.array([1 + 2j, 3 - 4j]))\narray([ 2., -4.])",
            output: Output::Real,
            cuda: Cuda::new("cu_imag(a)", CudaText::Arithmetic),
            namespace: Namespace::Function,
            oracle: "numpy.imag",
            ..Row::new("imag", 1, ALL)
        };
        /// Angle of each element from the positive real axis, in radians.
        Angle, [1.0].angle() => f64 [0.0]: Row {
            example: ">>> cp.angle(cp.array([1 + 1j, -1j, 2]))\n\
                array([ 0.78539816, -1.57079633,  0.        ])",
            output: Output::Real,
            cuda: Cuda::new("cu_angle(a)", CudaText::InverseTrigonometric),
            cost: Cost::Function,
            promotion: Promotion::BoolAsInt64,
            namespace: Namespace::Function,
            oracle: "numpy.angle",
            ulps: Ulps::of(1.45, 1.55).complex(1.0),
            ..Row::new("angle", 1, INEXACT)
        };

        // Exponentials, logarithms and the Bessel function that grows like one. Float32 and the 16-bit types overflow
        // inside some of the domains given here, as NumPy's do.
        /// e raised to the power of each element.
        Exp, [0.0].exp() => f64 [1.0]: Row {
            example: ">>> cp.exp(cp.array([0.0, 1.0]))\narray([1.        , 2.71828183])",
            cuda: Cuda::new("cu_exp(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![y],
            cost: Cost::Function,
            oracle: "numpy.exp",
            ulps: Ulps::of(0.87, 0.85).complex(4.0),
            domain: (-100.0, 100.0),
            ..Row::new("exp", 1, INEXACT)
        };
        /// Two raised to the power of each element.
        Exp2, [3.0].exp2() => f64 [8.0]: Row {
            example: ">>> cp.exp2(cp.array([3.0, -1.0]))\narray([8. , 0.5])",
            cuda: Cuda::new("cu_exp2(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![Multiply(LN_2, y)],
            cost: Cost::Function,
            oracle: "numpy.exp2",
            ulps: Ulps::of(0.87, 0.88).complex(4.0),
            domain: (-130.0, 130.0),
            ..Row::new("exp2", 1, INEXACT)
        };
        /// `exp(a) - 1`, accurate for small `a` too.
        Expm1, [0.0].expm1() => f64 [0.0]: Row {
            example: ">>> cp.expm1(cp.array([0.0, 1e-10]))\narray([0.e+00, 1.e-10])",
            cuda: Cuda::new("cu_expm1(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![Add(y, 1)],
            cost: Cost::Function,
            oracle: "numpy.expm1",
            ulps: Ulps::of(0.83, 0.87).complex(4.0),
            domain: (-100.0, 100.0),
            ..Row::new("expm1", 1, INEXACT)
        };
        /// Natural logarithm of each element; `nan` for negative reals.
        Log, [1.0].log() => f64 [0.0]: Row {
            example: ">>> cp.log(cp.array([1.0, 10.0]))\narray([0.        , 2.30258509])",
            cuda: Cuda::new("cu_log(a)", CudaText::Logarithm).complex(CudaText::ComplexFunctions),
            derivative: d![Divide(1, a)],
            cost: Cost::Function,
            oracle: "numpy.log",
            ulps: Ulps::of(0.76, 0.75).complex(4.0),
            domain: (0.0, 1e6),
            ..Row::new("log", 1, INEXACT)
        };
        /// Logarithm of each element to base two.
        Log2, [8.0].log2() => f64 [3.0]: Row {
            example: ">>> cp.log2(cp.array([8.0, 0.5]))\narray([ 3., -1.])",
            cuda: Cuda::new("cu_log2(a)", CudaText::Logarithm).complex(CudaText::ComplexFunctions),
            derivative: d![Divide(LOG2_E, a)],
            cost: Cost::Function,
            oracle: "numpy.log2",
            ulps: Ulps::of(0.95, 0.92).complex(4.0),
            domain: (0.0, 1e6),
            ..Row::new("log2", 1, INEXACT)
        };
        /// Logarithm of each element to base ten.
        Log10, [100.0].log10() => f64 [2.0]: Row {
            example: ">>> cp.log10(cp.array([1000.0, 0.1]))\narray([ 3., -1.])",
            cuda: Cuda::new("cu_log10(a)", CudaText::Logarithm).complex(CudaText::ComplexFunctions),
            derivative: d![Divide(LOG10_E, a)],
            cost: Cost::Function,
            oracle: "numpy.log10",
            ulps: Ulps::of(0.92, 0.89).complex(4.0),
            domain: (0.0, 1e6),
            ..Row::new("log10", 1, INEXACT)
        };
        /// `log(1 + a)`, accurate for small `a` too.
        Log1p, [0.0].log1p() => f64 [0.0]: Row {
            example: ">>> cp.log1p(cp.array([0.0, 1e-10]))\narray([0.e+00, 1.e-10])",
            cuda: Cuda::new("cu_log1p(a)", CudaText::Logarithm).complex(CudaText::ComplexFunctions),
            derivative: d![Divide(1, Add(1, a))],
            cost: Cost::Function,
            oracle: "numpy.log1p",
            ulps: Ulps::of(0.76, 0.75).complex(4.0),
            domain: (-1.0, 1e6),
            ..Row::new("log1p", 1, INEXACT)
        };
        /// `log(exp(a) + exp(b))` without leaving the range of the dtype.
        Logaddexp, [f64::NEG_INFINITY].logaddexp(2.0) => f64 [2.0]: Row {
            example: ">>> cp.logaddexp(cp.array([0.0, 1000.0]), cp.array([0.0, 1000.0]))\n\
                array([6.93147181e-01, 1.00069315e+03])",
            identity: Identity::NegativeInfinity,
            reorderable: true,
            cuda: Cuda::new("cu_logaddexp(a, b)", CudaText::Logarithm),
            derivative: d![Exp(Subtract(a, y)), Exp(Subtract(b, y))],
            cost: Cost::Function,
            oracle: "numpy.logaddexp",
            ulps: Ulps::of(1.86, 1.67),
            ..Row::new("logaddexp", 2, FLOATS)
        };
        /// `log2(exp2(a) + exp2(b))` without leaving the range of the dtype.
        Logaddexp2, [1.0].logaddexp2(1.0) => f64 [2.0]: Row {
            example: ">>> cp.logaddexp2(cp.array([0.0, 3000.0]), cp.array([0.0, 3000.0]))\n\
                array([1.000e+00, 3.001e+03])",
            identity: Identity::NegativeInfinity,
            reorderable: true,
            cuda: Cuda::new("cu_logaddexp2(a, b)", CudaText::Logarithm),
            derivative: d![Exp2(Subtract(a, y)), Exp2(Subtract(b, y))],
            cost: Cost::Function,
            oracle: "numpy.logaddexp2",
            ulps: Ulps::of(1.16, 1.10),
            ..Row::new("logaddexp2", 2, FLOATS)
        };
        /// Modified Bessel function of the first kind and order zero of each element.
        I0, [0.0].i0() => f64 [1.0]: Row {
            example: ">>> cp.i0(cp.array([0.0, 1.0]))\narray([1.        , 1.26606588])",
            cuda: Cuda::new("cu_i0(a)", CudaText::Special),
            cost: Cost::Function,
            promotion: Promotion::Inexact,
            namespace: Namespace::Function,
            oracle: "numpy.i0",
            ulps: Ulps::of(0.51, 3.6),
            domain: (-80.0, 80.0),
            ..Row::new("i0", 1, FLOATS)
        };

        // Circular and hyperbolic functions, their inverses, and the conversions of angles. Where a real function is not
        // defined the result is `nan`; complex loops have C99's branch cuts.
        /// Sine of each element, taken as an angle in radians.
        Sin, [0.0].sin() => f64 [0.0]: Row {
            example: ">>> cp.sin(cp.array([0.0, cp.pi / 2]))\narray([0., 1.])",
            cuda: Cuda::new("cu_sin(a)", CudaText::Trigonometric).complex(CudaText::ComplexFunctions),
            derivative: d![Cos(a)],
            cost: Cost::Function,
            oracle: "numpy.sin",
            ulps: Ulps::of(0.84, 0.83).complex(4.0),
            domain: (-1e4, 1e4),
            ..Row::new("sin", 1, INEXACT)
        };
        /// Cosine of each element, taken as an angle in radians.
        Cos, [0.0].cos() => f64 [1.0]: Row {
            example: ">>> cp.cos(cp.array([0.0, cp.pi]))\narray([ 1., -1.])",
            cuda: Cuda::new("cu_cos(a)", CudaText::Trigonometric).complex(CudaText::ComplexFunctions),
            derivative: d![Negative(Sin(a))],
            cost: Cost::Function,
            oracle: "numpy.cos",
            ulps: Ulps::of(0.85, 0.85).complex(4.0),
            domain: (-1e4, 1e4),
            ..Row::new("cos", 1, INEXACT)
        };
        /// Tangent of each element, taken as an angle in radians.
        Tan, [0.0].tan() => f64 [0.0]: Row {
            example: ">>> cp.tan(cp.array([0.0, 1.0]))\narray([0.        , 1.55740772])",
            cuda: Cuda::new("cu_tan(a)", CudaText::Trigonometric).complex(CudaText::ComplexFunctions),
            derivative: d![Add(1, Square(y))],
            cost: Cost::Function,
            oracle: "numpy.tan",
            ulps: Ulps::of(1.19, 1.22).complex(4.0),
            domain: (-1e4, 1e4),
            ..Row::new("tan", 1, INEXACT)
        };
        /// Angle in [-pi/2, pi/2] whose sine is each element; `nan` for reals outside [-1, 1].
        Arcsin, [0.0].arcsin() => f64 [0.0]: Row {
            aliases: &["asin"],
            example: ">>> cp.arcsin(cp.array([0.0, 1.0]))\narray([0.        , 1.57079633])",
            cuda: Cuda::new("cu_arcsin(a)", CudaText::InverseTrigonometric).complex(CudaText::ComplexInverse),
            derivative: d![Divide(1, Sqrt(Subtract(1, Square(a))))],
            cost: Cost::Function,
            oracle: "numpy.arcsin",
            ulps: Ulps::of(0.69, 0.61).complex(4.0),
            domain: (-1.0, 1.0),
            ..Row::new("arcsin", 1, INEXACT)
        };
        /// Angle in [0, pi] whose cosine is each element; `nan` for reals outside [-1, 1].
        Arccos, [1.0].arccos() => f64 [0.0]: Row {
            aliases: &["acos"],
            example: ">>> cp.arccos(cp.array([1.0, -1.0]))\narray([0.        , 3.14159265])",
            cuda: Cuda::new("cu_arccos(a)", CudaText::InverseTrigonometric).complex(CudaText::ComplexInverse),
            derivative: d![Divide(Negative(1), Sqrt(Subtract(1, Square(a))))],
            cost: Cost::Function,
            oracle: "numpy.arccos",
            ulps: Ulps::of(0.66, 0.59).complex(4.0),
            domain: (-1.0, 1.0),
            ..Row::new("arccos", 1, INEXACT)
        };
        /// Angle in [-pi/2, pi/2] whose tangent is each element.
        Arctan, [0.0].arctan() => f64 [0.0]: Row {
            aliases: &["atan"],
            example: ">>> cp.arctan(cp.array([0.0, 1.0]))\narray([0.        , 0.78539816])",
            cuda: Cuda::new("cu_arctan(a)", CudaText::InverseTrigonometric).complex(CudaText::ComplexInverse),
            derivative: d![Divide(1, Add(1, Square(a)))],
            cost: Cost::Function,
            oracle: "numpy.arctan",
            ulps: Ulps::of(0.73, 0.81).complex(4.0),
            domain: (-1e6, 1e6),
            ..Row::new("arctan", 1, INEXACT)
        };
        /// Angle in [-pi, pi] of the point with ordinate `a` and abscissa `b`.
        Arctan2, [0.0].arctan2(1.0) => f64 [0.0]: Row {
            aliases: &["atan2"],
            example: ">>> cp.arctan2(cp.array([1.0, -1.0]), cp.array([1.0, -1.0]))\n\
                array([ 0.78539816, -2.35619449])",
            cuda: Cuda::new("cu_arctan2(a, b)", CudaText::InverseTrigonometric),
            derivative: d![Divide(b, Add(Square(a), Square(b))), Divide(Negative(a), Add(Square(a), Square(b)))],
            cost: Cost::Function,
            oracle: "numpy.arctan2",
            ulps: Ulps::of(1.45, 1.55),
            ..Row::new("arctan2", 2, FLOATS)
        };
        /// Length of the hypotenuse over legs `a` and `b`, without overflow on the way.
        Hypot, [3.0].hypot(4.0) => f64 [5.0]: Row {
            example: ">>> cp.hypot(cp.array([3.0, 5.0]), cp.array([4.0, 12.0]))\narray([ 5., 13.])",
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_hypot(a, b)", CudaText::Roots),
            derivative: d![Divide(a, y), Divide(b, y)],
            cost: Cost::Function,
            identity_acts: true,
            oracle: "numpy.hypot",
            ulps: Ulps::of(0.5, 0.5),
            ..Row::new("hypot", 2, FLOATS)
        };
        /// Hyperbolic sine of each element.
        Sinh, [0.0].sinh() => f64 [0.0]: Row {
            example: ">>> cp.sinh(cp.array([0.0, 1.0]))\narray([0.        , 1.17520119])",
            cuda: Cuda::new("cu_sinh(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![Cosh(a)],
            cost: Cost::Function,
            oracle: "numpy.sinh",
            ulps: Ulps::of(0.93, 0.78).complex(4.0),
            domain: (-100.0, 100.0),
            ..Row::new("sinh", 1, INEXACT)
        };
        /// Hyperbolic cosine of each element.
        Cosh, [0.0].cosh() => f64 [1.0]: Row {
            example: ">>> cp.cosh(cp.array([0.0, 1.0]))\narray([1.        , 1.54308063])",
            cuda: Cuda::new("cu_cosh(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![Sinh(a)],
            cost: Cost::Function,
            oracle: "numpy.cosh",
            ulps: Ulps::of(0.7, 0.73).complex(4.0),
            domain: (-100.0, 100.0),
            ..Row::new("cosh", 1, INEXACT)
        };
        /// Hyperbolic tangent of each element.
        Tanh, [0.0].tanh() => f64 [0.0]: Row {
            example: ">>> cp.tanh(cp.array([0.0, 1.0]))\narray([0.        , 0.76159416])",
            cuda: Cuda::new("cu_tanh(a)", CudaText::Exponential).complex(CudaText::ComplexFunctions),
            derivative: d![Subtract(1, Square(y))],
            cost: Cost::Function,
            oracle: "numpy.tanh",
            ulps: Ulps::of(1.05, 1.06).complex(4.0),
            domain: (-20.0, 20.0),
            ..Row::new("tanh", 1, INEXACT)
        };
        /// Number whose hyperbolic sine is each element.
        Arcsinh, [0.0].arcsinh() => f64 [0.0]: Row {
            aliases: &["asinh"],
            example: ">>> cp.arcsinh(cp.array([0.0, 1.0]))\narray([0.        , 0.88137359])",
            cuda: Cuda::new("cu_arcsinh(a)", CudaText::Logarithm).complex(CudaText::ComplexInverse),
            derivative: d![Divide(1, Sqrt(Add(1, Square(a))))],
            cost: Cost::Function,
            oracle: "numpy.arcsinh",
            ulps: Ulps::of(1.2, 1.24).complex(4.0),
            domain: (-1e6, 1e6),
            ..Row::new("arcsinh", 1, INEXACT)
        };
        /// Number at or above zero whose hyperbolic cosine is each element.
        Arccosh, [1.0].arccosh() => f64 [0.0]: Row {
            aliases: &["acosh"],
            example: ">>> cp.arccosh(cp.array([1.0, 2.0]))\narray([0.       , 1.3169579])",
            cuda: Cuda::new("cu_arccosh(a)", CudaText::Logarithm).complex(CudaText::ComplexInverse),
            derivative: d![Divide(1, Sqrt(Subtract(Square(a), 1)))],
            cost: Cost::Function,
            oracle: "numpy.arccosh",
            ulps: Ulps::of(1.61, 1.72).complex(4.0),
            domain: (1.0, 1e6),
            ..Row::new("arccosh", 1, INEXACT)
        };
        /// Number whose hyperbolic tangent is each element; `nan` for reals outside [-1, 1].
        Arctanh, [0.0].arctanh() => f64 [0.0]: Row {
            aliases: &["atanh"],
            example: ">>> cp.arctanh(cp.array([0.0, 0.5]))\narray([0.        , 0.54930614])",
            cuda: Cuda::new("cu_arctanh(a)", CudaText::Logarithm).complex(CudaText::ComplexInverse),
            derivative: d![Divide(1, Subtract(1, Square(a)))],
            cost: Cost::Function,
            oracle: "numpy.arctanh",
            ulps: Ulps::of(1.22, 1.22).complex(4.0),
            domain: (-1.0, 1.0),
            ..Row::new("arctanh", 1, INEXACT)
        };
        /// Each element, an angle in radians, in degrees.
        Degrees, [0.0].degrees() => f64 [0.0]: Row {
            aliases: &["rad2deg"],
            example: ">>> cp.degrees(cp.array([cp.pi, cp.pi / 4]))\narray([180.,  45.])",
            cuda: Cuda::new("cu_degrees(a)", CudaText::Arithmetic),
            derivative: d![57.29577951308232],
            oracle: "numpy.degrees",
            ulps: Ulps::of(1.5, 1.0),
            ..Row::new("degrees", 1, FLOATS)
        };
        /// Each element, an angle in degrees, in radians.
        Radians, [0.0].radians() => f64 [0.0]: Row {
            aliases: &["deg2rad"],
            example: ">>> cp.radians(cp.array([180.0, 45.0]))\narray([3.14159265, 0.78539816])",
            cuda: Cuda::new("cu_radians(a)", CudaText::Arithmetic),
            derivative: d![0.017453292519943295],
            oracle: "numpy.radians",
            ulps: Ulps::of(1.0, 1.0),
            ..Row::new("radians", 1, FLOATS)
        };
        /// `sin(pi * a) / (pi * a)`, and 1 at zero.
        Sinc, [0.0].sinc() => f64 [1.0]: Row {
            example: ">>> cp.sinc(cp.array([0.0, 0.5]))\narray([1.        , 0.63661977])",
            cuda: Cuda::new("cu_sinc(a)", CudaText::Trigonometric).complex(CudaText::ComplexFunctions),
            derivative: d![Where(Equal(a, 0), 0, Divide(Subtract(Cos(Multiply(PI, a)), y), a))],
            cost: Cost::Function,
            promotion: Promotion::Inexact,
            namespace: Namespace::Function,
            oracle: "numpy.sinc",
            ulps: Ulps::of(1.4, 1.2).complex(4.0),
            domain: (-20.0, 20.0),
            ..Row::new("sinc", 1, INEXACT)
        };

        // Rounding, and the make-up of floating-point numbers. Kinds, signs, neighbours, mantissas and exponents; `modf`
        // and `frexp` appear by their parts.
        /// Nearest whole number to each element, ties going to the even one.
        Rint, [2.5, -1.2].rint() => f64 [2.0, -1.0]: Row {
            example: ">>> cp.rint(cp.array([0.5, 1.5, -1.7]))\narray([ 0.,  2., -2.])",
            cuda: Cuda::new("cu_rint(a)", CudaText::Floating),
            oracle: "numpy.rint",
            ..Row::new("rint", 1, INEXACT)
        };
        /// Largest whole number not above each element.
        Floor, [-1.5].floor() => f64 [-2.0]: Row {
            example: ">>> cp.floor(cp.array([1.7, -1.7]))\narray([ 1., -2.])",
            cuda: Cuda::new("cu_floor(a)", CudaText::Floating),
            oracle: "numpy.floor",
            ..Row::new("floor", 1, ORDERED)
        };
        /// Smallest whole number not below each element.
        Ceil, [1.2].ceil() => f64 [2.0]: Row {
            example: ">>> cp.ceil(cp.array([1.2, -1.7]))\narray([ 2., -1.])",
            cuda: Cuda::new("cu_ceil(a)", CudaText::Floating),
            oracle: "numpy.ceil",
            ..Row::new("ceil", 1, ORDERED)
        };
        /// Each element without its fraction: the nearest whole number towards zero.
        Trunc, [-1.5].trunc() => f64 [-1.0]: Row {
            example: ">>> cp.trunc(cp.array([1.7, -1.7]))\narray([ 1., -1.])",
            cuda: Cuda::new("cu_trunc(a)", CudaText::Floating),
            oracle: "numpy.trunc",
            ..Row::new("trunc", 1, ORDERED)
        };
        /// Whether each element is not a number.
        Isnan, [1.0, f64::NAN].isnan() => bool [false, true]: Row {
            example: ">>> cp.isnan(cp.array([1.0, cp.nan, cp.inf]))\narray([False,  True, False])",
            output: Output::Bool,
            cuda: Cuda::new("cu_isnan(a)", CudaText::Floating),
            oracle: "numpy.isnan",
            ..Row::new("isnan", 1, ALL)
        };
        /// Whether each element is infinite, of either sign.
        Isinf, [1.0, f64::INFINITY].isinf() => bool [false, true]: Row {
            example: ">>> cp.isinf(cp.array([1.0, cp.nan, -cp.inf]))\narray([False, False,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_isinf(a)", CudaText::Floating),
            oracle: "numpy.isinf",
            ..Row::new("isinf", 1, ALL)
        };
        /// Whether each element is neither infinite nor `nan`.
        Isfinite, [1.0, f64::NAN].isfinite() => bool [true, false]: Row {
            example: ">>> cp.isfinite(cp.array([1.0, cp.nan, cp.inf]))\narray([ True, False, False])",
            output: Output::Bool,
            cuda: Cuda::new("cu_isfinite(a)", CudaText::Floating),
            oracle: "numpy.isfinite",
            ..Row::new("isfinite", 1, ALL)
        };
        /// Whether the sign bit of each element is set, as it is for -0.0.
        Signbit, [1.0, -0.0].signbit() => bool [false, true]: Row {
            example: ">>> cp.signbit(cp.array([1.0, -0.0, -2.0]))\narray([False,  True,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_signbit(a)", CudaText::Floating),
            oracle: "numpy.signbit",
            ..Row::new("signbit", 1, FLOATS)
        };
        /// Magnitude of the first argument with the sign of the second.
        Copysign, [2.0].copysign(-1.0) => f64 [-2.0]: Row {
            example: ">>> cp.copysign(cp.array([1.0, -2.0]), -0.0)\narray([-1., -2.])",
            cuda: Cuda::new("cu_copysign(a, b)", CudaText::Floating),
            derivative: d![Where(Equal(Signbit(a), Signbit(b)), 1, Negative(1)), 0],
            oracle: "numpy.copysign",
            ..Row::new("copysign", 2, FLOATS)
        };
        /// Next number of the dtype after `a` in the direction of `b`.
        Nextafter, [1.0].nextafter(2.0) => f64 [1.0 + f64::EPSILON]: Row {
            example: ">>> cp.nextafter(cp.array([1.0]), 2.0) - 1\narray([2.22044605e-16])",
            cuda: Cuda::new("cu_nextafter(a, b)", CudaText::Floating),
            oracle: "numpy.nextafter",
            ..Row::new("nextafter", 2, FLOATS)
        };
        /// Distance from each element to the next number of its dtype away from zero.
        Spacing, [1.0].spacing() => f64 [f64::EPSILON]: Row {
            example: ">>> cp.spacing(cp.array([1.0, -1e16]))\n\
                array([ 2.22044605e-16, -2.00000000e+00])",
            cuda: Cuda::new("cu_spacing(a)", CudaText::Floating),
            oracle: "numpy.spacing",
            ..Row::new("spacing", 1, FLOATS)
        };
        /// Mantissa of each element, in [0.5, 1) with the element's sign.
        FrexpMantissa: Row {
            cuda: Cuda::new("cu_frexp_mantissa(a)", CudaText::Floating),
            namespace: Namespace::Part,
            oracle: "numpy.frexp[0]",
            ..Row::new("frexp_mantissa", 1, FLOATS)
        };
        /// Power of two that scales each element's mantissa.
        FrexpExponent: Row {
            output: Output::Int32,
            cuda: Cuda::new("cu_frexp_exponent(a)", CudaText::Floating),
            namespace: Namespace::Part,
            oracle: "numpy.frexp[1]",
            ..Row::new("frexp_exponent", 1, FLOATS)
        };
        /// First argument times two to the power of the second, an integer.
        Ldexp, [0.75].ldexp(3) => f64 [6.0]: Row {
            example: ">>> cp.ldexp(cp.array([0.5, 3.0]), cp.array([4, -1]))\narray([8. , 1.5])",
            inputs: Inputs::ExponentSecond,
            cuda: Cuda::new("cu_ldexp(a, b)", CudaText::Floating),
            derivative: d![Ldexp(1, b), 0],
            oracle: "numpy.ldexp",
            domain: (-100.0, 100.0),
            ..Row::new("ldexp", 2, FLOATS)
        };
        /// Fractional part of each element, with the element's sign.
        ModfFraction: Row {
            cuda: Cuda::new("cu_modf_fraction(a)", CudaText::Floating),
            derivative: d![1],
            namespace: Namespace::Part,
            oracle: "numpy.modf[0]",
            ..Row::new("modf_fraction", 1, FLOATS)
        };
        /// Integral part of each element, with the element's sign.
        ModfInteger: Row {
            cuda: Cuda::new("cu_modf_integer(a)", CudaText::Floating),
            namespace: Namespace::Part,
            oracle: "numpy.modf[1]",
            ..Row::new("modf_integer", 1, FLOATS)
        };
        /// Step function: 0 below zero, 1 above, and the second argument at zero.
        Heaviside, [-1.0, 0.0].heaviside(0.5) => f64 [0.0, 0.5]: Row {
            example: ">>> cp.heaviside(cp.array([-1.5, 0.0, 2.0]), 0.5)\narray([0. , 0.5, 1. ])",
            cuda: Cuda::new("cu_heaviside(a, b)", CudaText::Floating),
            oracle: "numpy.heaviside",
            ..Row::new("heaviside", 2, FLOATS)
        };

        // Comparisons and logic, all of them with `bool` results. Complex numbers are ordered by real part, then by
        // imaginary part.
        /// Whether the elements of each pair are equal.
        Equal, [1, 2].equal(2) => bool [false, true]: Row {
            example: ">>> cp.equal(cp.array([1, 2, 3]), cp.array([1, 5, 3]))\n\
                array([ True, False,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_equal(a, b)", CudaText::Order),
            comparison: Some(Ordering::is_eq),
            oracle: "numpy.equal",
            ..Row::new("equal", 2, ALL)
        };
        /// Whether the elements of each pair differ; `nan` differs from itself.
        NotEqual, [1, 2].not_equal(2) => bool [true, false]: Row {
            example: ">>> cp.not_equal(cp.array([1.0, cp.nan]), cp.array([1.0, cp.nan]))\n\
                array([False,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_not_equal(a, b)", CudaText::Order),
            comparison: Some(Ordering::is_ne),
            oracle: "numpy.not_equal",
            ..Row::new("not_equal", 2, ALL)
        };
        /// Whether the first of each pair is below the second.
        Less, [1, 2].less(2) => bool [true, false]: Row {
            example: ">>> cp.less(cp.array([1, 2, 3]), 2)\narray([ True, False, False])",
            output: Output::Bool,
            cuda: Cuda::new("cu_less(a, b)", CudaText::Order),
            comparison: Some(Ordering::is_lt),
            oracle: "numpy.less",
            ..Row::new("less", 2, ALL)
        };
        /// Whether the first of each pair is at or below the second.
        LessEqual, [1, 3].less_equal(2) => bool [true, false]: Row {
            example: ">>> cp.less_equal(cp.array([1, 2, 3]), 2)\narray([ True,  True, False])",
            output: Output::Bool,
            cuda: Cuda::new("cu_less_equal(a, b)", CudaText::Order),
            comparison: Some(Ordering::is_le),
            oracle: "numpy.less_equal",
            ..Row::new("less_equal", 2, ALL)
        };
        /// Whether the first of each pair is above the second.
        Greater, [1, 3].greater(2) => bool [false, true]: Row {
            example: ">>> cp.greater(cp.array([1, 2, 3]), 2)\narray([False, False,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_less(b, a)", CudaText::Order),
            comparison: Some(Ordering::is_gt),
            oracle: "numpy.greater",
            ..Row::new("greater", 2, ALL)
        };
        /// Whether the first of each pair is at or above the second.
        GreaterEqual, [1, 2].greater_equal(2) => bool [false, true]: Row {
            example: ">>> cp.greater_equal(cp.array([1, 2, 3]), 2)\narray([False,  True,  True])",
            output: Output::Bool,
            cuda: Cuda::new("cu_less_equal(b, a)", CudaText::Order),
            comparison: Some(Ordering::is_ge),
            oracle: "numpy.greater_equal",
            ..Row::new("greater_equal", 2, ALL)
        };
        /// Whether both elements of each pair are other than zero.
        LogicalAnd, [0, 2].logical_and(3) => bool [false, true]: Row {
            example: ">>> cp.logical_and(cp.array([0, 1, 2]), cp.array([3, 0, 4]))\n\
                array([False, False,  True])",
            output: Output::Bool,
            identity: Identity::One,
            reorderable: true,
            cuda: Cuda::new("cu_logical_and(a, b)", CudaText::Order),
            promotion: Promotion::Truth,
            oracle: "numpy.logical_and",
            ..Row::new("logical_and", 2, ALL)
        };
        /// Whether either element of each pair is other than zero.
        LogicalOr, [0, 2].logical_or(0) => bool [false, true]: Row {
            example: ">>> cp.logical_or(cp.array([0, 1, 0]), cp.array([3, 0, 0]))\n\
                array([ True,  True, False])",
            output: Output::Bool,
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_logical_or(a, b)", CudaText::Order),
            promotion: Promotion::Truth,
            oracle: "numpy.logical_or",
            ..Row::new("logical_or", 2, ALL)
        };
        /// Whether just one element of each pair is other than zero.
        LogicalXor, [0, 2].logical_xor(3) => bool [true, false]: Row {
            example: ">>> cp.logical_xor(cp.array([0, 1, 2]), cp.array([3, 0, 4]))\n\
                array([ True,  True, False])",
            output: Output::Bool,
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_logical_xor(a, b)", CudaText::Order),
            promotion: Promotion::Truth,
            oracle: "numpy.logical_xor",
            ..Row::new("logical_xor", 2, ALL)
        };
        /// Whether each element is zero.
        LogicalNot, [0, 3].logical_not() => bool [true, false]: Row {
            example: ">>> cp.logical_not(cp.array([0, 1, 2]))\narray([ True, False, False])",
            output: Output::Bool,
            cuda: Cuda::new("cu_logical_not(a)", CudaText::Order),
            promotion: Promotion::Truth,
            oracle: "numpy.logical_not",
            ..Row::new("logical_not", 1, ALL)
        };

        // Bits, shifts and divisors of integers. A shift by as many bits as the dtype has, or by more, leaves zero or
        // copies of the sign.
        /// Bits that are set in both elements of each pair.
        BitwiseAnd, [12].bitwise_and(10) => i32 [8]: Row {
            example: ">>> cp.bitwise_and(cp.array([12, 10]), 6)\narray([4, 2])",
            identity: Identity::MinusOne,
            reorderable: true,
            cuda: Cuda::new("cu_bitwise_and(a, b)", CudaText::Integer),
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.bitwise_and",
            ..Row::new("bitwise_and", 2, BITS)
        };
        /// Bits that are set in either element of each pair.
        BitwiseOr, [12].bitwise_or(10) => i32 [14]: Row {
            example: ">>> cp.bitwise_or(cp.array([12, 10]), 6)\narray([14, 14])",
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_bitwise_or(a, b)", CudaText::Integer),
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.bitwise_or",
            ..Row::new("bitwise_or", 2, BITS)
        };
        /// Bits that are set in just one element of each pair.
        BitwiseXor, [12].bitwise_xor(10) => i32 [6]: Row {
            example: ">>> cp.bitwise_xor(cp.array([12, 10]), 6)\narray([10, 12])",
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_bitwise_xor(a, b)", CudaText::Integer),
            same_when_widened: SameWhenWidened::Always,
            oracle: "numpy.bitwise_xor",
            ..Row::new("bitwise_xor", 2, BITS)
        };
        /// Each element with every bit turned; for `bool`, the opposite.
        Invert, [0i32, 5].invert() => i32 [-1, -6]: Row {
            aliases: &["bitwise_invert", "bitwise_not"],
            example: ">>> cp.invert(cp.array([0, 5]))\narray([-1, -6])",
            cuda: Cuda::new("cu_invert(a)", CudaText::Integer),
            oracle: "numpy.invert",
            ..Row::new("invert", 1, BITS)
        };
        /// Bits of the first argument moved left by the second, zeros coming in.
        LeftShift, [1, 3].left_shift(2) => i32 [4, 12]: Row {
            aliases: &["bitwise_left_shift"],
            example: ">>> cp.left_shift(cp.array([1, 3]), 4)\narray([16, 48])",
            cuda: Cuda::new("cu_left_shift(a, b)", CudaText::Integer),
            oracle: "numpy.left_shift",
            domain: (0.0, 70.0),
            ..Row::new("left_shift", 2, INTEGERS)
        };
        /// Bits of the first argument moved right by the second, copies of the sign coming in.
        RightShift, [-8, 9].right_shift(1) => i32 [-4, 4]: Row {
            aliases: &["bitwise_right_shift"],
            example: ">>> cp.right_shift(cp.array([64, -9]), 2)\narray([16, -3])",
            cuda: Cuda::new("cu_right_shift(a, b)", CudaText::Integer),
            oracle: "numpy.right_shift",
            domain: (0.0, 70.0),
            ..Row::new("right_shift", 2, INTEGERS)
        };
        /// Number of bits set in the absolute value of each element.
        BitwiseCount, [7i32, 8].bitwise_count() => u8 [3, 1]: Row {
            example: ">>> cp.bitwise_count(cp.array([7, 255, -8]))\narray([3, 8, 1], dtype=uint8)",
            output: Output::UInt8,
            cuda: Cuda::new("cu_bitwise_count(a)", CudaText::Integer),
            oracle: "numpy.bitwise_count",
            ..Row::new("bitwise_count", 1, INTEGERS)
        };
        /// Greatest common divisor of each pair, never negative.
        Gcd, [12].gcd(18) => i32 [6]: Row {
            example: ">>> cp.gcd(cp.array([12, -20]), 8)\narray([4, 4])",
            identity: Identity::Zero,
            reorderable: true,
            cuda: Cuda::new("cu_gcd(a, b)", CudaText::Integer),
            cost: Cost::Division,
            refuses_bool: true,
            identity_acts: true,
            oracle: "numpy.gcd",
            ..Row::new("gcd", 2, INTEGERS)
        };
        /// Least common multiple of each pair, never negative.
        Lcm, [4].lcm(6) => i32 [12]: Row {
            example: ">>> cp.lcm(cp.array([4, -6]), 10)\narray([20, 30])",
            cuda: Cuda::new("cu_lcm(a, b)", CudaText::Integer),
            cost: Cost::Division,
            refuses_bool: true,
            oracle: "numpy.lcm",
            ..Row::new("lcm", 2, INTEGERS)
        };
        }}
    };
}
