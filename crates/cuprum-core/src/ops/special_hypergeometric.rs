//! The table of special functions: hypergeometric functions and orthogonal polynomials.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_hypergeometric_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_complex_ops! { $callback {
        $($before)*
        /// Confluent hypergeometric limit function 0F1.
        Hyp0f1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hyp0f1(2.5, cp.array([1.0, -3.0]))\n\
                array([1.46157412, 0.21423711])",
            cuda: Cuda::new("cu_hyp0f1(a, b)", CudaText::SpecialHypergeometric).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hyp0f1",
            ulps: Ulps::of(0.51, 310.0).complex(9000.0),
            domain: (0.0, 20.0),
            ..Row::new("hyp0f1", 2, "fdFD")
        };
        /// Confluent hypergeometric function 1F1.
        Hyp1f1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hyp1f1(0.5, 2.5, cp.array([1.0, -3.0]))\n\
                array([1.25225506, 0.64287622])",
            cuda: Cuda::new("cu_hyp1f1(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hyp1f1",
            ulps: Ulps::of(0.51, 50.0),
            domain: (0.0, 20.0),
            ..Row::new("hyp1f1", 3, "fd")
        };
        /// Tricomi's confluent hypergeometric function U of `a`, `b` and `c`.
        Hyperu: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hyperu(0.5, 1.5, cp.array([0.5, 2.0]))\n\
                array([1.41421356, 0.70710678])",
            cuda: Cuda::new("cu_hyperu(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hyperu",
            ulps: Ulps::of(0.51, 40.0),
            domain: (0.0, 8.0),
            ..Row::new("hyperu", 3, "fd")
        };
        /// Associated Legendre function of order `a` and degree `b`.
        Lpmv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.lpmv(1.0, 3.0, cp.array([0.5, -0.25]))\n\
                array([-0.32475953,  0.99850352])",
            cuda: Cuda::new("cu_lpmv(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.lpmv",
            ulps: Ulps::of(0.51, 250.0),
            domain: (0.0, 1.0),
            ..Row::new("lpmv", 3, "fd")
        };
        /// Legendre function normalised for spherical harmonics.
        SphLegendre: Row {
            cuda: Cuda::new("cu_sph_legendre_p(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.sph_legendre_p",
            ulps: Ulps::of(0.51, 500.0),
            domain: (0.0, 3.0),
            ..Row::new("sph_legendre_value", 3, "fd")
        };
        /// Legendre polynomial of degree `a`.
        EvalLegendre: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_legendre(3, cp.array([0.5, -0.25]))\n\
                array([-0.4375   ,  0.3359375])",
            cuda: Cuda::new("cu_eval_legendre(a, b)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_legendre",
            ulps: Ulps::of(0.51, 90.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_legendre", 2, "fd")
        };
        /// Chebyshev's polynomial of the first kind of degree `a`.
        EvalChebyt: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_chebyt(3, cp.array([0.5, -0.25]))\n\
                array([-1.    ,  0.6875])",
            cuda: Cuda::new("cu_eval_chebyt(a, b)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_chebyt",
            ulps: Ulps::of(0.51, 25.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_chebyt", 2, "fd")
        };
        /// Chebyshev's polynomial of the second kind of degree `a`.
        EvalChebyu: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_chebyu(3, cp.array([0.5, -0.25]))\n\
                array([-1.   ,  0.875])",
            cuda: Cuda::new("cu_eval_chebyu(a, b)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_chebyu",
            ulps: Ulps::of(0.51, 90.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_chebyu", 2, "fd")
        };
        /// Hermite's polynomial of degree `a`, with the weight `exp(-b**2)`.
        EvalHermite: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_hermite(3, cp.array([0.5, -0.25]))\n\
                array([-5.   ,  2.875])",
            cuda: Cuda::new("cu_eval_hermite(a, b)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_hermite",
            ulps: Ulps::of(0.51, 40.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_hermite", 2, "d")
        };
        /// Hermite's polynomial of degree `a`, with the weight `exp(-b**2 / 2)`.
        EvalHermitenorm: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_hermitenorm(3, cp.array([0.5, -0.25]))\n\
                array([-1.375   ,  0.734375])",
            cuda: Cuda::new("cu_eval_hermitenorm(a, b)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_hermitenorm",
            ulps: Ulps::of(0.51, 100.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_hermitenorm", 2, "d")
        };
        /// Laguerre's generalized polynomial of degree `a`.
        EvalGenlaguerre: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_genlaguerre(3, 0.5, cp.array([0.5, 2.25]))\n\
                array([ 0.41666667, -0.6953125 ])",
            cuda: Cuda::new("cu_eval_genlaguerre(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_genlaguerre",
            ulps: Ulps::of(0.51, 1100.0),
            domain: (0.0, 5.0),
            ..Row::new("eval_genlaguerre", 3, "fd")
        };
        /// Gegenbauer's polynomial of degree `a`.
        EvalGegenbauer: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.eval_gegenbauer(3, 0.5, cp.array([0.5, -0.25]))\n\
                array([-0.4375   ,  0.3359375])",
            cuda: Cuda::new("cu_eval_gegenbauer(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.eval_gegenbauer",
            ulps: Ulps::of(0.51, 850.0),
            domain: (0.0, 1.0),
            ..Row::new("eval_gegenbauer", 3, "fd")
        };
        /// Wright's generalized Bessel function: the sum of `c**k / (k! gamma(a k + b))`.
        WrightBessel: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.wright_bessel(0.5, 1.5, cp.array([0.0, 2.0]))\n\
                array([1.12837917, 5.55343082])",
            cuda: Cuda::new("cu_wright_bessel(a, b, c)", CudaText::SpecialHypergeometric),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.wright_bessel",
            ulps: Ulps::of(0.51, 50.0),
            domain: (0.0, 5.0),
            ..Row::new("wright_bessel", 3, "fd")
        };
        }}
    };
}
