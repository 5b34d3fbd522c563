//! The table of special functions: functions of complex numbers.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_complex_ops {
    ($callback:ident { $($before:tt)* }) => {
        $callback! {
        $($before)*
        /// Faddeeva function: `exp(-a**2) erfc(-1j a)`.
        Wofz: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.wofz(cp.array([0.0, 1 + 1j]))\n\
                array([1.        +0.j        , 0.30474421+0.20821894j])",
            cuda: Cuda::new("cu_wofz(a)", CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.wofz",
            ulps: Ulps::of(0.51, 6.0).complex(6.0),
            domain: (-10.0, 10.0),
            ..Row::new("wofz", 1, "FD")
        };
        /// Branch `b` of Lambert's W.
        Lambertw: Row {
            cuda: Cuda::new("cu_lambertw(a, b)", CudaText::SpecialComplexGamma),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.lambertw",
            ulps: Ulps::of(0.51, 3.0).complex(3.0),
            domain: (-10.0, 10.0),
            ..Row::new("lambertw_branch", 2, "DF")
        };
        /// Gauss's hypergeometric function at `c`, of parameters that are the parts of `a` and the real part of `b`.
        Hyp2f1: Row {
            cuda: Cuda::new("cu_hyp2f1(a, b, c)", CudaText::SpecialFourArguments),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.hyp2f1",
            ulps: Ulps::of(0.51, 4000.0).complex(4000.0),
            domain: (0.0, 1.0),
            ..Row::new("hyp2f1_value", 3, "DF")
        };
        /// Gauss's hypergeometric function at the imaginary part of `b`, of parameters that are the other parts.
        Hyp2f1Real: Row {
            cuda: Cuda::new("cu_hyp2f1_real(a, b)", CudaText::SpecialFourArguments),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.hyp2f1",
            ulps: Ulps::of(0.51, 4000.0).complex(4000.0),
            domain: (0.0, 1.0),
            ..Row::new("hyp2f1_real", 2, "DF")
        };
        /// Jacobi's polynomial of the degree and parameters and at the place that are the parts of `a` and `b`.
        EvalJacobi: Row {
            cuda: Cuda::new("cu_eval_jacobi(a, b)", CudaText::SpecialFourArguments),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.eval_jacobi",
            ulps: Ulps::of(0.51, 1000.0).complex(1000.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_jacobi_value", 2, "DF")
        };
        /// Carlson's integral of the third kind of the parts of `a` and `b`.
        Elliprj: Row {
            cuda: Cuda::new("cu_elliprj(a, b)", CudaText::SpecialFourArguments),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.elliprj",
            ulps: Ulps::of(0.51, 10.0).complex(10.0),
            domain: (0.0, 50.0),
            ..Row::new("elliprj_value", 2, "DF")
        };
        /// Voigt's profile: a normal and a Cauchy distribution convolved, of widths `b` and `c`.
        VoigtProfile: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.voigt_profile(cp.array([0.0, 2.0]), 1.0, 0.5)\n\
                array([0.27895547, 0.08242408])",
            cuda: Cuda::new("cu_voigt_profile(a, b, c)", CudaText::SpecialVoigt),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.voigt_profile",
            ulps: Ulps::of(0.51, 50.0),
            domain: (0.0, 3.0),
            ..Row::new("voigt_profile", 3, "fd")
        };
        }
    };
}
