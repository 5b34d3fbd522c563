//! The table of special functions: the gamma function and what is made of it.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_gamma_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_erf_ops! { $callback {
        $($before)*
        /// Gamma function of each element: `(n - 1)!` at whole numbers.
        Gamma: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gamma(cp.array([0.5, 5.0]))\n\
                array([ 1.77245385, 24.        ])",
            cuda: Cuda::new("cu_gamma(a)", CudaText::SpecialGamma).complex(CudaText::SpecialComplexGamma),
            derivative: d![Multiply(y, Digamma(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gamma",
            ulps: Ulps::of(0.51, 2.8).complex(400.0),
            domain: (-170.0, 171.0),
            ..Row::new("gamma", 1, "fdFD")
        };
        /// One divided by the gamma function; zero at its poles.
        Rgamma: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.rgamma(cp.array([0.5, 5.0, -1.0]))\n\
                array([0.56418958, 0.04166667, 0.        ])",
            cuda: Cuda::new("cu_rgamma(a)", CudaText::SpecialGamma).complex(CudaText::SpecialComplexGamma),
            derivative: d![Negative(Multiply(y, Digamma(a)))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.rgamma",
            ulps: Ulps::of(0.51, 2.9).complex(400.0),
            domain: (-170.0, 171.0),
            ..Row::new("rgamma", 1, "fdFD")
        };
        /// Logarithm of the absolute value of the gamma function; of negative numbers too within 4 ulps.
        Gammaln: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammaln(cp.array([0.5, 100.0]))\n\
                array([  0.57236494, 359.13420537])",
            cuda: Cuda::new("cu_gammaln(a)", CudaText::SpecialGamma),
            derivative: d![Digamma(a)],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammaln",
            ulps: Ulps::of(0.51, 2.6),
            domain: (0.0, 1000000.0),
            ..Row::new("gammaln", 1, "fd")
        };
        /// Logarithm of the gamma function, continuous off the negative axis; `nan` for negative reals.
        Loggamma: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.loggamma(cp.array([0.5, 100.0]))\n\
                array([  0.57236494, 359.13420537])",
            cuda: Cuda::new("cu_loggamma(a)", CudaText::SpecialGamma).complex(CudaText::SpecialComplexGamma),
            derivative: d![Digamma(a)],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.loggamma",
            ulps: Ulps::of(0.51, 2.6).complex(60.0),
            domain: (0.0, 1000000.0),
            ..Row::new("loggamma", 1, "fdFD")
        };
        /// Sign of the gamma function of each element.
        Gammasgn: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.gammasgn(cp.array([0.5, -0.5, -1.5]))\n\
                array([ 1., -1.,  1.])",
            cuda: Cuda::new("cu_gammasgn(a)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.gammasgn",
            ulps: Ulps::EXACT,
            domain: (-50.0, 50.0),
            ..Row::new("gammasgn", 1, "fd")
        };
        /// Digamma function: the derivative of the logarithm of the gamma function; of negative numbers down to -21 within 3 ulps.
        Digamma: Row {
            aliases: &["psi"],
            example: ">>> from cuprum.scipy import special\n\
                >>> special.digamma(cp.array([1.0, 10.0]))\n\
                array([-0.57721566,  2.25175259])",
            cuda: Cuda::new("cu_psi(a)", CudaText::SpecialGamma).complex(CudaText::SpecialComplexGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.digamma",
            ulps: Ulps::of(0.51, 2.5).complex(6.0),
            domain: (0.0, 1000000.0),
            ..Row::new("digamma", 1, "fdFD")
        };
        /// Beta function: `gamma(a) gamma(b) / gamma(a + b)`.
        Beta: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.beta(cp.array([1.0, 2.5]), 2.0)\n\
                array([0.5       , 0.11428571])",
            cuda: Cuda::new("cu_beta(a, b)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.beta",
            ulps: Ulps::of(0.51, 3.8),
            domain: (0.0, 30.0),
            ..Row::new("beta", 2, "fd")
        };
        /// Logarithm of the absolute value of the beta function; beside its zeros, digits of the terms are lost.
        Betaln: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.betaln(cp.array([1.0, 2.5]), 3.0)\n\
                array([-1.09861229, -2.97998392])",
            cuda: Cuda::new("cu_betaln(a, b)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.betaln",
            ulps: Ulps::of(0.51, 100.0),
            domain: (0.0, 300.0),
            ..Row::new("betaln", 2, "fd")
        };
        /// Binomial coefficient of real arguments.
        Binom: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.binom(cp.array([5.0, 2.5]), 2.0)\n\
                array([10.   ,  1.875])",
            cuda: Cuda::new("cu_binom(a, b)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.binom",
            ulps: Ulps::of(0.51, 8000.0),
            domain: (0.0, 60.0),
            ..Row::new("binom", 2, "fd")
        };
        /// Rising factorial: `gamma(a + b) / gamma(a)`.
        Poch: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.poch(cp.array([1.0, 2.5]), 3.0)\n\
                array([ 6.   , 39.375])",
            cuda: Cuda::new("cu_poch(a, b)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.poch",
            ulps: Ulps::of(0.51, 3.5),
            domain: (0.0, 30.0),
            ..Row::new("poch", 2, "fd")
        };
        /// Zeta function of Hurwitz: the sum of `(b + k)**-a` over k from 0 on.
        HurwitzZeta: Row {
            cuda: Cuda::new("cu_zeta(a, b)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.zeta",
            ulps: Ulps::of(0.51, 16.0),
            domain: (1.0, 30.0),
            ..Row::new("hurwitz_zeta", 2, "fd")
        };
        /// Zeta function of Riemann.
        RiemannZeta: Row {
            cuda: Cuda::new("cu_riemann_zeta(a)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.zeta",
            ulps: Ulps::of(0.51, 12.0),
            domain: (-30.0, 60.0),
            ..Row::new("riemann_zeta", 1, "fd")
        };
        /// Zeta function of Riemann, less one.
        Zetac: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.zetac(cp.array([2.0, 10.0]))\n\
                array([0.64493407, 0.00099458])",
            cuda: Cuda::new("cu_zetac(a)", CudaText::SpecialGamma),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.zetac",
            ulps: Ulps::of(0.51, 3.5),
            domain: (1.0, 60.0),
            ..Row::new("zetac", 1, "fd")
        };
        }}
    };
}
