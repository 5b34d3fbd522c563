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
