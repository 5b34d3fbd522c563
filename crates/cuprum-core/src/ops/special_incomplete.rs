//! The table of special functions: incomplete gamma and beta functions.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_incomplete_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_bessel_ops! { $callback {
        $($before)*
        /// Regularized lower incomplete gamma function.
        Gammainc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammainc(cp.array([0.5, 5.0]), 2.0)\n\
                array([0.95449974, 0.05265302])",
            cuda: Cuda::new("cu_gammainc(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammainc",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 50.0),
            ..Row::new("gammainc", 2, "fd")
        };
        /// Regularized upper incomplete gamma function.
        Gammaincc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammaincc(cp.array([0.5, 5.0]), 2.0)\n\
                array([0.04550026, 0.94734698])",
            cuda: Cuda::new("cu_gammaincc(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammaincc",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 50.0),
            ..Row::new("gammaincc", 2, "fd")
        };
        /// Inverse of `gammainc` in its second argument.
        Gammaincinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammaincinv(cp.array([0.5, 5.0]), 0.25)\n\
                array([0.05076552, 3.36860039])",
            cuda: Cuda::new("cu_gammaincinv(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammaincinv",
            ulps: Ulps::of(0.51, 250.0),
            domain: (0.0, 1.0),
            ..Row::new("gammaincinv", 2, "fd")
        };
        /// Inverse of `gammaincc` in its second argument.
        Gammainccinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammainccinv(cp.array([0.5, 5.0]), 0.25)\n\
                array([0.66165185, 6.2744307 ])",
            cuda: Cuda::new("cu_gammainccinv(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammainccinv",
            ulps: Ulps::of(0.51, 250.0),
            domain: (0.0, 1.0),
            ..Row::new("gammainccinv", 2, "fd")
        };
        /// Regularized incomplete beta function.
        Betainc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.betainc(cp.array([0.5, 5.0]), 2.0, 0.25)\n\
                array([0.6875    , 0.00463867])",
            cuda: Cuda::new("cu_betainc(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.betainc",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 1.0),
            ..Row::new("betainc", 3, "fd")
        };
        /// One less the regularized incomplete beta function.
        Betaincc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.betaincc(cp.array([0.5, 5.0]), 2.0, 0.25)\n\
                array([0.3125    , 0.99536133])",
            cuda: Cuda::new("cu_betaincc(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.betaincc",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 1.0),
            ..Row::new("betaincc", 3, "fd")
        };
        /// Inverse of `betainc` in its third argument.
        Betaincinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.betaincinv(cp.array([0.5, 5.0]), 2.0, 0.25)\n\
                array([0.02830954, 0.61052051])",
            cuda: Cuda::new("cu_betaincinv(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.betaincinv",
            ulps: Ulps::of(0.51, 50.0),
            domain: (0.0, 1.0),
            ..Row::new("betaincinv", 3, "fd")
        };
        /// Inverse of `betaincc` in its third argument.
        Betainccinv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.betainccinv(cp.array([0.5, 5.0]), 2.0, 0.25)\n\
                array([0.31122418, 0.83883708])",
            cuda: Cuda::new("cu_betainccinv(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.betainccinv",
            ulps: Ulps::of(0.51, 50.0),
            domain: (0.0, 1.0),
            ..Row::new("betainccinv", 3, "fd")
        };
        /// Distribution function of F with `a` and `b` degrees of freedom.
        Fdtr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.fdtr(3.0, 5.0, cp.array([0.5, 2.0]))\n\
                array([0.30154736, 0.76737608])",
            cuda: Cuda::new("cu_fdtr(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.fdtr",
            ulps: Ulps::of(0.51, 200.0),
            domain: (0.0, 50.0),
            ..Row::new("fdtr", 3, "fd")
        };
        /// One less the distribution function of F.
        Fdtrc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.fdtrc(3.0, 5.0, cp.array([0.5, 2.0]))\n\
                array([0.69845264, 0.23262392])",
            cuda: Cuda::new("cu_fdtrc(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.fdtrc",
            ulps: Ulps::of(0.51, 200.0),
            domain: (0.0, 50.0),
            ..Row::new("fdtrc", 3, "fd")
        };
        /// Inverse of `fdtr` in its third argument.
        Fdtri: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.fdtri(3.0, 5.0, cp.array([0.25, 0.75]))\n\
                array([0.41502458, 1.88426785])",
            cuda: Cuda::new("cu_fdtri(a, b, c)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.fdtri",
            ulps: Ulps::of(0.51, 200.0),
            domain: (0.0, 1.0),
            ..Row::new("fdtri", 3, "fd")
        };
        /// Distribution function of Student's t with `a` degrees of freedom.
        Stdtr: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.stdtr(cp.array([1.0, 5.0]), 2.0)\n\
                array([0.85241638, 0.94903026])",
            cuda: Cuda::new("cu_stdtr(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.stdtr",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.5, 50.0),
            ..Row::new("stdtr", 2, "fd")
        };
        /// Inverse of `stdtr` in its second argument.
        Stdtrit: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.stdtrit(cp.array([1.0, 5.0]), 0.975)\n\
                array([12.70620474,  2.57058184])",
            cuda: Cuda::new("cu_stdtrit(a, b)", CudaText::SpecialIncomplete),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.stdtrit",
            ulps: Ulps::of(0.51, 250.0),
            domain: (0.0, 1.0),
            ..Row::new("stdtrit", 2, "fd")
        };
        }}
    };
}
