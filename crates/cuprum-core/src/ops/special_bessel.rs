//! The table of special functions: Bessel functions.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_bessel_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_integrals_ops! { $callback {
        $($before)*
        /// Bessel function of the first kind of order zero; beside zeros from 10 on, off by some 1e-17 of the values around.
        J0: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.j0(cp.array([0.0, 1.0]))\n\
                array([1.        , 0.76519769])",
            cuda: Cuda::new("cu_j0(a)", CudaText::SpecialBessel),
            derivative: d![Negative(J1(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.j0",
            ulps: Ulps::of(0.51, 45.0),
            domain: (0.0, 50.0),
            ..Row::new("j0", 1, "fd")
        };
        /// Bessel function of the first kind of order one; beside zeros from 8 on, off by some 1e-17 of the values around.
        J1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.j1(cp.array([0.0, 1.0]))\n\
                array([0.        , 0.44005059])",
            cuda: Cuda::new("cu_j1(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.j1",
            ulps: Ulps::of(0.51, 110.0),
            domain: (0.0, 50.0),
            ..Row::new("j1", 1, "fd")
        };
        /// Bessel function of the second kind of order zero; beside zeros from 8 on, off by some 1e-17 of the values around.
        Y0: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.y0(cp.array([0.5, 1.0]))\n\
                array([-0.44451873,  0.08825696])",
            cuda: Cuda::new("cu_y0(a)", CudaText::SpecialBessel),
            derivative: d![Negative(Y1(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.y0",
            ulps: Ulps::of(0.51, 34.0),
            domain: (0.0, 50.0),
            ..Row::new("y0", 1, "fd")
        };
        /// Bessel function of the second kind of order one; beside zeros from 8 on, off by some 1e-17 of the values around.
        Y1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.y1(cp.array([0.5, 1.0]))\n\
                array([-1.47147239, -0.78121282])",
            cuda: Cuda::new("cu_y1(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.y1",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 50.0),
            ..Row::new("y1", 1, "fd")
        };
        /// Modified Bessel function of order zero, scaled by `exp(-abs(a))`.
        I0e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.i0e(cp.array([0.0, 100.0]))\n\
                array([1.        , 0.03994438])",
            cuda: Cuda::new("cu_i0e(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.i0e",
            ulps: Ulps::of(0.51, 3.7),
            domain: (-1000.0, 1000.0),
            ..Row::new("i0e", 1, "fd")
        };
        /// Modified Bessel function of the first kind of order one.
        I1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.i1(cp.array([0.0, 1.0]))\n\
                array([0.       , 0.5651591])",
            cuda: Cuda::new("cu_i1(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.i1",
            ulps: Ulps::of(0.51, 3.7),
            domain: (-100.0, 100.0),
            ..Row::new("i1", 1, "fd")
        };
        /// Modified Bessel function of order one, scaled by `exp(-abs(a))`.
        I1e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.i1e(cp.array([0.0, 100.0]))\n\
                array([0.        , 0.03974415])",
            cuda: Cuda::new("cu_i1e(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.i1e",
            ulps: Ulps::of(0.51, 4.6),
            domain: (-1000.0, 1000.0),
            ..Row::new("i1e", 1, "fd")
        };
        /// Modified Bessel function of the second kind of order zero.
        K0: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.k0(cp.array([0.5, 1.0]))\n\
                array([0.92441907, 0.42102444])",
            cuda: Cuda::new("cu_k0(a)", CudaText::SpecialBessel),
            derivative: d![Negative(K1(a))],
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.k0",
            ulps: Ulps::of(0.51, 3.6),
            domain: (0.0, 100.0),
            ..Row::new("k0", 1, "fd")
        };
        /// Modified Bessel function of the second kind of order zero, scaled by `exp(a)`.
        K0e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.k0e(cp.array([0.5, 1000.0]))\n\
                array([1.52410939, 0.03962832])",
            cuda: Cuda::new("cu_k0e(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.k0e",
            ulps: Ulps::of(0.51, 3.2),
            domain: (0.0, 1000.0),
            ..Row::new("k0e", 1, "fd")
        };
        /// Modified Bessel function of the second kind of order one.
        K1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.k1(cp.array([0.5, 1.0]))\n\
                array([1.65644112, 0.60190723])",
            cuda: Cuda::new("cu_k1(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.k1",
            ulps: Ulps::of(0.51, 3.1),
            domain: (0.0, 100.0),
            ..Row::new("k1", 1, "fd")
        };
        /// Modified Bessel function of the second kind of order one, scaled by `exp(a)`.
        K1e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.k1e(cp.array([0.5, 1000.0]))\n\
                array([2.73100971, 0.03964813])",
            cuda: Cuda::new("cu_k1e(a)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.k1e",
            ulps: Ulps::of(0.51, 2.8),
            domain: (0.0, 1000.0),
            ..Row::new("k1e", 1, "fd")
        };
        /// Bessel function of the first kind of real order `a`.
        Jv: Row {
            aliases: &["jn"],
            example: ">>> from cuprum.scipy import special\n\
                >>> special.jv(2.5, cp.array([1.0, 10.0]))\n\
                array([0.04949681, 0.19665848])",
            cuda: Cuda::new("cu_jv(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.jv",
            ulps: Ulps::of(0.51, 450.0).complex(2000.0),
            domain: (0.0, 50.0),
            ..Row::new("jv", 2, "fdFD")
        };
        /// Bessel function of the second kind of real order `a`.
        Yv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.yv(2.5, cp.array([1.0, 10.0]))\n\
                array([-2.87638786, -0.16417848])",
            cuda: Cuda::new("cu_yv(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.yv",
            ulps: Ulps::of(0.51, 400.0).complex(2000.0),
            domain: (0.0, 50.0),
            ..Row::new("yv", 2, "fdFD")
        };
        /// Bessel function of the first kind of real order `a`, scaled by `exp(-abs(b.imag))`.
        Jve: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.jve(2.5, cp.array([10.0 + 100j]))\n\
                array([0.03735617+0.00981807j])",
            cuda: Cuda::new("cu_jve(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.jve",
            ulps: Ulps::of(0.51, 450.0).complex(2000.0),
            domain: (0.0, 50.0),
            ..Row::new("jve", 2, "fdFD")
        };
        /// Bessel function of the second kind of real order `a`, scaled by `exp(-abs(b.imag))`.
        Yve: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.yve(2.5, cp.array([10.0 + 100j]))\n\
                array([-0.00981807+0.03735617j])",
            cuda: Cuda::new("cu_yve(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.yve",
            ulps: Ulps::of(0.51, 400.0).complex(2000.0),
            domain: (0.0, 50.0),
            ..Row::new("yve", 2, "fdFD")
        };
        /// Hankel function of the first kind of real order `a`.
        Hankel1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hankel1(2.5, cp.array([1.0, 1j]))\n\
                array([0.04949681-2.87638786j, 1.45287624+1.45287624j])",
            cuda: Cuda::new("cu_hankel1(a, b)", CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hankel1",
            ulps: Ulps::of(0.51, 3000.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("hankel1", 2, "FD")
        };
        /// Hankel function of the first kind of real order `a`, scaled by `exp(-1j b)`.
        Hankel1e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hankel1e(2.5, cp.array([1.0, 1j]))\n\
                array([-2.39365368-1.59576912j,  3.94932708+3.94932708j])",
            cuda: Cuda::new("cu_hankel1e(a, b)", CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hankel1e",
            ulps: Ulps::of(0.51, 3000.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("hankel1e", 2, "FD")
        };
        /// Hankel function of the second kind of real order `a`.
        Hankel2: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hankel2(2.5, cp.array([1.0, 1j]))\n\
                array([ 0.04949681+2.87638786j, -1.53362629-1.53362629j])",
            cuda: Cuda::new("cu_hankel2(a, b)", CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hankel2",
            ulps: Ulps::of(0.51, 3000.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("hankel2", 2, "FD")
        };
        /// Hankel function of the second kind of real order `a`, scaled by `exp(1j b)`.
        Hankel2e: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.hankel2e(2.5, cp.array([1.0, 1j]))\n\
                array([-2.39365368+1.59576912j, -0.56418958-0.56418958j])",
            cuda: Cuda::new("cu_hankel2e(a, b)", CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.hankel2e",
            ulps: Ulps::of(0.51, 3000.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("hankel2e", 2, "FD")
        };
        /// Bessel function of the second kind of whole order `a`.
        Yn: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.yn(2, cp.array([1.0, 10.0]))\n\
                array([-1.65068261, -0.00586808])",
            cuda: Cuda::new("cu_yn(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.yn",
            ulps: Ulps::of(0.51, 100.0),
            domain: (0.0, 50.0),
            ..Row::new("yn", 2, "fd")
        };
        /// Modified Bessel function of the first kind of real order `a`.
        Iv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.iv(2.5, cp.array([1.0, 10.0]))\n\
                array([5.70989092e-02, 2.02851276e+03])",
            cuda: Cuda::new("cu_iv(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.iv",
            ulps: Ulps::of(0.51, 15.0).complex(60000.0),
            domain: (0.0, 50.0),
            ..Row::new("iv", 2, "fdFD")
        };
        /// Modified Bessel function of the first kind of real order `a`, scaled by `exp(-abs(b))`.
        Ive: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ive(2.5, cp.array([1.0, 1000.0]))\n\
                array([0.02100551, 0.01257785])",
            cuda: Cuda::new("cu_ive(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ive",
            ulps: Ulps::of(0.51, 15.0).complex(60000.0),
            domain: (0.0, 50.0),
            ..Row::new("ive", 2, "fdFD")
        };
        /// Modified Bessel function of the second kind of real order `a`.
        Kv: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.kv(2.5, cp.array([1.0, 10.0]))\n\
                array([3.22747953e+00, 2.39313259e-05])",
            cuda: Cuda::new("cu_kv(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.kv",
            ulps: Ulps::of(0.51, 20.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("kv", 2, "fdFD")
        };
        /// Modified Bessel function of the second kind of real order `a`, scaled by `exp(b)`.
        Kve: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.kve(2.5, cp.array([1.0, 1000.0]))\n\
                array([8.77319896, 0.03975229])",
            cuda: Cuda::new("cu_kve(a, b)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.kve",
            ulps: Ulps::of(0.51, 20.0).complex(1000.0),
            domain: (0.0, 50.0),
            ..Row::new("kve", 2, "fdFD")
        };
        /// Modified Bessel function of the second kind of whole order `a`.
        Kn: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.kn(2, cp.array([1.0, 10.0]))\n\
                array([1.6248389e+00, 2.1509817e-05])",
            cuda: Cuda::new("cu_kn(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.kn",
            ulps: Ulps::of(0.51, 12.0),
            domain: (0.0, 50.0),
            ..Row::new("kn", 2, "fd")
        };
        /// Spherical Bessel function of the first kind.
        SphericalJn: Row {
            cuda: Cuda::new("cu_spherical_jn(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.spherical_jn",
            ulps: Ulps::of(0.51, 200.0),
            domain: (0.0, 50.0),
            ..Row::new("spherical_jn_value", 2, "fd")
        };
        /// Spherical Bessel function of the second kind.
        SphericalYn: Row {
            cuda: Cuda::new("cu_spherical_yn(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.spherical_yn",
            ulps: Ulps::of(0.51, 200.0),
            domain: (0.0, 50.0),
            ..Row::new("spherical_yn_value", 2, "fd")
        };
        /// Modified spherical Bessel function of the first kind.
        SphericalIn: Row {
            cuda: Cuda::new("cu_spherical_in(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.spherical_in",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 50.0),
            ..Row::new("spherical_in_value", 2, "fd")
        };
        /// Modified spherical Bessel function of the second kind.
        SphericalKn: Row {
            cuda: Cuda::new("cu_spherical_kn(a, b)", CudaText::SpecialBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.spherical_kn",
            ulps: Ulps::of(0.51, 30.0),
            domain: (0.0, 50.0),
            ..Row::new("spherical_kn_value", 2, "fd")
        };
        /// Airy's function Ai.
        AiryAi: Row {
            cuda: Cuda::new("cu_airy_ai(a)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.airy",
            ulps: Ulps::of(0.51, 900.0).complex(30000.0),
            domain: (-20.0, 20.0),
            ..Row::new("airy_ai", 1, "fdFD")
        };
        /// Derivative of Airy's function Ai.
        AiryAip: Row {
            cuda: Cuda::new("cu_airy_aip(a)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.airy",
            ulps: Ulps::of(0.51, 5000.0).complex(30000.0),
            domain: (-20.0, 20.0),
            ..Row::new("airy_aip", 1, "fdFD")
        };
        /// Airy's function Bi.
        AiryBi: Row {
            cuda: Cuda::new("cu_airy_bi(a)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.airy",
            ulps: Ulps::of(0.51, 1500.0).complex(30000.0),
            domain: (-20.0, 20.0),
            ..Row::new("airy_bi", 1, "fdFD")
        };
        /// Derivative of Airy's function Bi.
        AiryBip: Row {
            cuda: Cuda::new("cu_airy_bip(a)", CudaText::SpecialBessel).complex(CudaText::SpecialComplexBessel),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.airy",
            ulps: Ulps::of(0.51, 7000.0).complex(30000.0),
            domain: (-20.0, 20.0),
            ..Row::new("airy_bip", 1, "fdFD")
        };
        }}
    };
}
