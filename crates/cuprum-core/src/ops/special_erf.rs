//! The table of special functions: error functions and the normal distribution.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_erf_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_exponential_ops! { $callback {
        $($before)*
        /// Error function of each element.
        Erf: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erf(cp.array([0.0, 0.5, -2.0]))\n\
                array([ 0.        ,  0.52049988, -0.99532227])",
            cuda: Cuda::new("cu_erf(a)", CudaText::SpecialErf).complex(CudaText::SpecialComplexErf),
            derivative: d![Multiply(FRAC_2_SQRT_PI, Exp(Negative(Square(a))))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erf",
            ulps: Ulps::of(0.51, 1.9).complex(600.0),
            domain: (-6.0, 6.0),
            ..Row::new("erf", 1, "fdFD")
        };
        /// One less the error function, accurate where that is small.
        Erfc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erfc(cp.array([0.0, 0.5, 10.0]))\n\
                array([1.00000000e+00, 4.79500122e-01, 2.08848758e-45])",
            cuda: Cuda::new("cu_erfc(a)", CudaText::SpecialErf).complex(CudaText::SpecialComplexErf),
            derivative: d![Negative(Multiply(FRAC_2_SQRT_PI, Exp(Negative(Square(a)))))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erfc",
            ulps: Ulps::of(0.51, 3.1).complex(150.0),
            domain: (-6.0, 26.0),
            ..Row::new("erfc", 1, "fdFD")
        };
        /// Scaled complementary error function: `exp(a**2) erfc(a)`.
        Erfcx: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erfcx(cp.array([0.0, 10.0, 1000.0]))\n\
                array([1.00000000e+00, 5.61409927e-02, 5.64189301e-04])",
            cuda: Cuda::new("cu_erfcx(a)", CudaText::SpecialErf).complex(CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erfcx",
            ulps: Ulps::of(0.51, 2.5).complex(150.0),
            domain: (-26.0, 1000000.0),
            ..Row::new("erfcx", 1, "fdFD")
        };
        /// Inverse of the error function.
        Erfinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erfinv(cp.array([0.0, 0.5, 1.0]))\n\
                array([0.        , 0.47693628,        inf])",
            cuda: Cuda::new("cu_erfinv(a)", CudaText::SpecialErf),
            derivative: d![Divide(Exp(Square(y)), FRAC_2_SQRT_PI)],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erfinv",
            ulps: Ulps::of(0.51, 2.9),
            domain: (-1.0, 1.0),
            ..Row::new("erfinv", 1, "fd")
        };
        /// Inverse of the complementary error function.
        Erfcinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erfcinv(cp.array([0.5, 1e-10]))\n\
                array([0.47693628, 4.57282497])",
            cuda: Cuda::new("cu_erfcinv(a)", CudaText::SpecialErf),
            derivative: d![Negative(Divide(Exp(Square(y)), FRAC_2_SQRT_PI))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erfcinv",
            ulps: Ulps::of(0.51, 2.9),
            domain: (0.0, 2.0),
            ..Row::new("erfcinv", 1, "fd")
        };
        /// Distribution function of the standard normal distribution.
        Ndtr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ndtr(cp.array([0.0, -1.0, -10.0]))\n\
                array([5.00000000e-01, 1.58655254e-01, 7.61985302e-24])",
            cuda: Cuda::new("cu_ndtr(a)", CudaText::SpecialErf).complex(CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ndtr",
            ulps: Ulps::of(0.51, 3.2).complex(150.0),
            domain: (-37.0, 8.0),
            ..Row::new("ndtr", 1, "fdFD")
        };
        /// Logarithm of the standard normal distribution function.
        LogNdtr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.log_ndtr(cp.array([0.0, -10.0, 10.0]))\n\
                array([-6.93147181e-01, -5.32312852e+01, -7.61985302e-24])",
            cuda: Cuda::new("cu_log_ndtr(a)", CudaText::SpecialErf).complex(CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.log_ndtr",
            ulps: Ulps::of(0.51, 3.3).complex(1000000.0),
            domain: (-1000.0, 30.0),
            ..Row::new("log_ndtr", 1, "fdFD")
        };
        /// Inverse of the standard normal distribution function.
        Ndtri: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ndtri(cp.array([0.5, 0.975, 1e-10]))\n\
                array([ 0.        ,  1.95996398, -6.3613409 ])",
            cuda: Cuda::new("cu_ndtri(a)", CudaText::SpecialErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ndtri",
            ulps: Ulps::of(0.51, 3.1),
            domain: (0.0, 1.0),
            ..Row::new("ndtri", 1, "fd")
        };
        }}
    };
}
