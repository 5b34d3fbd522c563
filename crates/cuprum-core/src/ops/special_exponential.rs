//! The table of special functions: exponentials, logarithms and angles in forms that keep their digits.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_exponential_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_incomplete_ops! { $callback {
        $($before)*
        /// Logistic function: `1 / (1 + exp(-a))`.
        Expit: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.expit(cp.array([0.0, 2.0, -700.0]))\n\
                array([5.00000000e-001, 8.80797078e-001, 9.85967654e-305])",
            cuda: Cuda::new("cu_expit(a)", CudaText::SpecialExponential),
            derivative: d![Multiply(y, Subtract(1, y))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.expit",
            ulps: Ulps::of(0.51, 1.6),
            domain: (-700.0, 700.0),
            ..Row::new("expit", 1, "fd")
        };
        /// Inverse of the logistic function: `log(a / (1 - a))`.
        Logit: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.logit(cp.array([0.5, 0.9, 0.0]))\n\
                array([0.        , 2.19722458,       -inf])",
            cuda: Cuda::new("cu_logit(a)", CudaText::SpecialExponential),
            derivative: d![Divide(1, Multiply(a, Subtract(1, a)))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.logit",
            ulps: Ulps::of(0.51, 1.5),
            domain: (0.0, 1.0),
            ..Row::new("logit", 1, "df")
        };
        /// Logarithm of the logistic function.
        LogExpit: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.log_expit(cp.array([0.0, -1000.0, 40.0]))\n\
                array([-6.93147181e-01, -1.00000000e+03, -4.24835426e-18])",
            cuda: Cuda::new("cu_log_expit(a)", CudaText::SpecialExponential),
            derivative: d![Expit(Negative(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.log_expit",
            ulps: Ulps::of(0.51, 1.1),
            domain: (-1000.0, 1000.0),
            ..Row::new("log_expit", 1, "fd")
        };
        /// `(exp(a) - 1) / a`, one at zero.
        Exprel: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.exprel(cp.array([0.0, 1.0, 1e-10]))\n\
                array([1.        , 1.71828183, 1.        ])",
            cuda: Cuda::new("cu_exprel(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.exprel",
            ulps: Ulps::of(0.51, 1.3),
            domain: (-700.0, 700.0),
            ..Row::new("exprel", 1, "fd")
        };
        /// `cos(a) - 1`, accurate for small angles.
        Cosm1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.cosm1(cp.array([1e-5, 1.0]))\n\
                array([-5.00000000e-11, -4.59697694e-01])",
            cuda: Cuda::new("cu_cosm1(a)", CudaText::SpecialExponential),
            derivative: d![Negative(Sin(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.cosm1",
            ulps: Ulps::of(0.51, 2.0),
            domain: (-100.0, 100.0),
            ..Row::new("cosm1", 1, "fd")
        };
        /// Ten raised to the power of each element.
        Exp10: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.exp10(cp.array([2.0, -1.0, 0.5]))\n\
                array([100.        ,   0.1       ,   3.16227766])",
            cuda: Cuda::new("cu_exp10(a)", CudaText::SpecialExponential),
            derivative: d![Multiply(LN_10, y)],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.exp10",
            ulps: Ulps::of(0.51, 0.7),
            domain: (-300.0, 300.0),
            ..Row::new("exp10", 1, "fd")
        };
        /// `a log(b)`, zero where `a` is.
        Xlogy: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.xlogy(cp.array([0.0, 2.0]), cp.array([0.0, 3.0]))\n\
                array([0.        , 2.19722458])",
            cuda: Cuda::new("cu_xlogy(a, b)", CudaText::SpecialExponential).complex(CudaText::SpecialComplexIntegrals),
            derivative: d![Log(b), Divide(a, b)],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.xlogy",
            ulps: Ulps::of(0.51, 1.3).complex(8.0),
            domain: (0.0, 100.0),
            ..Row::new("xlogy", 2, "fdFD")
        };
        /// `a log(1 + b)`, zero where `a` is.
        Xlog1py: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.xlog1py(cp.array([0.0, 2.0]), cp.array([-1.0, 3.0]))\n\
                array([0.        , 2.77258872])",
            cuda: Cuda::new("cu_xlog1py(a, b)", CudaText::SpecialExponential).complex(CudaText::SpecialComplexIntegrals),
            derivative: d![Log1p(b), Divide(a, Add(1, b))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.xlog1py",
            ulps: Ulps::of(0.51, 1.3).complex(8.0),
            domain: (0.0, 100.0),
            ..Row::new("xlog1py", 2, "fdFD")
        };
        /// Entropy of each element: `-a log(a)`, `-inf` below zero.
        Entr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.entr(cp.array([0.0, 0.5, -1.0]))\n\
                array([0.        , 0.34657359,       -inf])",
            cuda: Cuda::new("cu_entr(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.entr",
            ulps: Ulps::of(0.51, 1.5),
            domain: (0.0, 100.0),
            ..Row::new("entr", 1, "fd")
        };
        /// Relative entropy: `a log(a / b)`.
        RelEntr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.rel_entr(cp.array([0.5, 0.0]), cp.array([0.25, 1.0]))\n\
                array([0.34657359, 0.        ])",
            cuda: Cuda::new("cu_rel_entr(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.rel_entr",
            ulps: Ulps::of(0.51, 1.6),
            domain: (0.0, 10.0),
            ..Row::new("rel_entr", 2, "fd")
        };
        /// Divergence of Kullback and Leibler: `a log(a / b) - a + b`.
        KlDiv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.kl_div(cp.array([0.5, 0.0]), cp.array([0.25, 1.0]))\n\
                array([0.09657359, 1.        ])",
            cuda: Cuda::new("cu_kl_div(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.kl_div",
            ulps: Ulps::of(0.51, 6.0),
            domain: (0.0, 10.0),
            ..Row::new("kl_div", 2, "fd")
        };
        /// Loss of Huber: half the square of `b` up to `a`, growing evenly from there.
        Huber: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.huber(1.0, cp.array([0.5, 3.0]))\n\
                array([0.125, 2.5  ])",
            cuda: Cuda::new("cu_huber(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.huber",
            ulps: Ulps::of(0.51, 1.1),
            domain: (0.0, 10.0),
            ..Row::new("huber", 2, "fd")
        };
        /// Smooth form of the loss of Huber: `a**2 (sqrt(1 + (b / a)**2) - 1)`.
        PseudoHuber: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.pseudo_huber(1.0, cp.array([0.0, 3.0]))\n\
                array([0.        , 2.16227766])",
            cuda: Cuda::new("cu_pseudo_huber(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.pseudo_huber",
            ulps: Ulps::of(0.51, 3.2),
            domain: (0.0, 10.0),
            ..Row::new("pseudo_huber", 2, "fd")
        };
        /// Transformation of Box and Cox: `(a**b - 1) / b`, the logarithm where `b` is zero.
        Boxcox: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.boxcox(cp.array([1.0, 10.0]), 2.5)\n\
                array([  0.        , 126.09110641])",
            cuda: Cuda::new("cu_boxcox(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.boxcox",
            ulps: Ulps::of(0.51, 2.5),
            domain: (0.0, 5.0),
            ..Row::new("boxcox", 2, "fd")
        };
        /// Transformation of Box and Cox of `1 + a`.
        Boxcox1p: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.boxcox1p(cp.array([1.0, 10.0]), 0.5)\n\
                array([0.82842712, 4.63324958])",
            cuda: Cuda::new("cu_boxcox1p(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.boxcox1p",
            ulps: Ulps::of(0.51, 2.5),
            domain: (0.0, 5.0),
            ..Row::new("boxcox1p", 2, "fd")
        };
        /// Inverse of `boxcox`.
        InvBoxcox: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.inv_boxcox(cp.array([1.0, 10.0]), 2.5)\n\
                array([1.65054442, 3.68119937])",
            cuda: Cuda::new("cu_inv_boxcox(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.inv_boxcox",
            ulps: Ulps::of(0.51, 1.2),
            domain: (0.0, 5.0),
            ..Row::new("inv_boxcox", 2, "fd")
        };
        /// Inverse of `boxcox1p`.
        InvBoxcox1p: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.inv_boxcox1p(cp.array([1.0, 10.0]), 0.5)\n\
                array([ 1.25, 35.  ])",
            cuda: Cuda::new("cu_inv_boxcox1p(a, b)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.inv_boxcox1p",
            ulps: Ulps::of(0.51, 1.8),
            domain: (0.0, 5.0),
            ..Row::new("inv_boxcox1p", 2, "fd")
        };
        /// Angle of degrees, minutes and seconds in radians.
        Radian: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.radian(180.0, 0.0, cp.array([0.0, 30.0]))\n\
                array([3.14159265, 3.1417381 ])",
            cuda: Cuda::new("cu_radian(a, b, c)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.radian",
            ulps: Ulps::of(0.51, 2.5),
            domain: (0.0, 60.0),
            ..Row::new("radian", 3, "fd")
        };
        /// Sine of an angle in degrees.
        Sindg: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.sindg(cp.array([30.0, 90.0, 180.0]))\n\
                array([ 0.5,  1. , -0. ])",
            cuda: Cuda::new("cu_sindg(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.sindg",
            ulps: Ulps::of(0.51, 1.0),
            domain: (-1000.0, 1000.0),
            ..Row::new("sindg", 1, "fd")
        };
        /// Cosine of an angle in degrees.
        Cosdg: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.cosdg(cp.array([60.0, 120.0, 180.0]))\n\
                array([ 0.5, -0.5, -1. ])",
            cuda: Cuda::new("cu_cosdg(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.cosdg",
            ulps: Ulps::of(0.51, 1.0),
            domain: (-1000.0, 1000.0),
            ..Row::new("cosdg", 1, "fd")
        };
        /// Tangent of an angle in degrees.
        Tandg: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.tandg(cp.array([0.0, 45.0, 60.0]))\n\
                array([0.        , 1.        , 1.73205081])",
            cuda: Cuda::new("cu_tandg(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.tandg",
            ulps: Ulps::of(0.51, 2.6),
            domain: (-1000.0, 1000.0),
            ..Row::new("tandg", 1, "fd")
        };
        /// Cotangent of an angle in degrees.
        Cotdg: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.cotdg(cp.array([45.0, 60.0]))\n\
                array([1.        , 0.57735027])",
            cuda: Cuda::new("cu_cotdg(a)", CudaText::SpecialExponential),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.cotdg",
            ulps: Ulps::of(0.51, 2.5),
            domain: (-1000.0, 1000.0),
            ..Row::new("cotdg", 1, "fd")
        };
        }}
    };
}
