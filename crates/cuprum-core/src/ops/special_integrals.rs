//! The table of special functions: integrals of elementary functions.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_integrals_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_elliptic_ops! { $callback {
        $($before)*
        /// Exponential integral E1 of each element.
        Exp1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.exp1(cp.array([0.5, 5.0]))\n\
                array([0.55977359, 0.0011483 ])",
            cuda: Cuda::new("cu_exp1(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.exp1",
            ulps: Ulps::of(0.51, 4.1).complex(3000.0),
            domain: (0.0, 50.0),
            ..Row::new("exp1", 1, "fdFD")
        };
        /// Exponential integral Ei of each element.
        Expi: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.expi(cp.array([0.5, -5.0]))\n\
                array([ 0.4542199, -0.0011483])",
            cuda: Cuda::new("cu_expi(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.expi",
            ulps: Ulps::of(0.51, 3.7).complex(300.0),
            domain: (-50.0, 100.0),
            ..Row::new("expi", 1, "fdFD")
        };
        /// Exponential integral of whole order `a`.
        Expn: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.expn(2, cp.array([0.5, 5.0]))\n\
                array([0.32664386, 0.00099647])",
            cuda: Cuda::new("cu_expn(a, b)", CudaText::SpecialIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.expn",
            ulps: Ulps::of(0.51, 3.0),
            domain: (0.0, 10.0),
            ..Row::new("expn", 2, "fd")
        };
        /// Sine integral.
        SineIntegral: Row {
            cuda: Cuda::new("cu_sici_si(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.sici",
            ulps: Ulps::of(0.51, 2.4).complex(600.0),
            domain: (-60.0, 60.0),
            ..Row::new("sici_si", 1, "fdFD")
        };
        /// Cosine integral.
        CosineIntegral: Row {
            cuda: Cuda::new("cu_sici_ci(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.sici",
            ulps: Ulps::of(0.51, 26.0).complex(600.0),
            domain: (0.0, 60.0),
            ..Row::new("sici_ci", 1, "fdFD")
        };
        /// Hyperbolic sine integral.
        HyperbolicSineIntegral: Row {
            cuda: Cuda::new("cu_shichi_shi(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.shichi",
            ulps: Ulps::of(0.51, 3.2).complex(600.0),
            domain: (-40.0, 40.0),
            ..Row::new("shichi_shi", 1, "fdFD")
        };
        /// Hyperbolic cosine integral.
        HyperbolicCosineIntegral: Row {
            cuda: Cuda::new("cu_shichi_chi(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.shichi",
            ulps: Ulps::of(0.51, 50.0).complex(600.0),
            domain: (0.0, 40.0),
            ..Row::new("shichi_chi", 1, "fdFD")
        };
        /// Dilogarithm of `1 - a`.
        Spence: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.spence(cp.array([0.0, 2.0]))\n\
                array([ 1.64493407, -0.82246703])",
            cuda: Cuda::new("cu_spence(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.spence",
            ulps: Ulps::of(0.51, 2.6).complex(10.0),
            domain: (0.0, 50.0),
            ..Row::new("spence", 1, "fdFD")
        };
        /// Dawson's integral of each element.
        Dawsn: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.dawsn(cp.array([0.0, 1.0, 10.0]))\n\
                array([0.        , 0.53807951, 0.05025385])",
            cuda: Cuda::new("cu_dawsn(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.dawsn",
            ulps: Ulps::of(0.51, 3.2).complex(600.0),
            domain: (-20.0, 20.0),
            ..Row::new("dawsn", 1, "fdFD")
        };
        /// Error function of `1j a`, divided by `1j`.
        Erfi: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.erfi(cp.array([0.0, 1.0]))\n\
                array([0.        , 1.65042576])",
            cuda: Cuda::new("cu_erfi(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexErf),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.erfi",
            ulps: Ulps::of(0.51, 3.0).complex(600.0),
            domain: (-20.0, 20.0),
            ..Row::new("erfi", 1, "fdFD")
        };
        /// Fresnel's sine integral.
        FresnelS: Row {
            cuda: Cuda::new("cu_fresnel_s(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.fresnel",
            ulps: Ulps::of(0.51, 3.3).complex(8000.0),
            domain: (-30.0, 30.0),
            ..Row::new("fresnel_s", 1, "fdFD")
        };
        /// Fresnel's cosine integral.
        FresnelC: Row {
            cuda: Cuda::new("cu_fresnel_c(a)", CudaText::SpecialIntegrals).complex(CudaText::SpecialComplexIntegrals),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.fresnel",
            ulps: Ulps::of(0.51, 3.0).complex(8000.0),
            domain: (-30.0, 30.0),
            ..Row::new("fresnel_c", 1, "fdFD")
        };
        }}
    };
}
