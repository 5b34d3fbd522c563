//! The table of special functions: elliptic integrals and functions.

/// Continues [`for_each_op`](crate::for_each_op): hands the rows before and those of this file on.
#[doc(hidden)]
#[macro_export]
macro_rules! with_elliptic_ops {
    ($callback:ident { $($before:tt)* }) => {
        $crate::with_hypergeometric_ops! { $callback {
        $($before)*
        /// Mean of arithmetic and geometric mean.
        Agm: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.agm(cp.array([1.0, 24.0]), 6.0)\n\
                array([ 2.95132874, 13.45817148])",
            cuda: Cuda::new("cu_agm(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.agm",
            ulps: Ulps::of(0.51, 2.2),
            domain: (0.0, 10.0),
            ..Row::new("agm", 2, "fd")
        };
        /// Complete elliptic integral of the first kind.
        Ellipk: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ellipk(cp.array([0.0, 0.5]))\n\
                array([1.57079633, 1.85407468])",
            cuda: Cuda::new("cu_ellipk(a)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ellipk",
            ulps: Ulps::of(0.51, 2.5),
            domain: (0.0, 1.0),
            ..Row::new("ellipk", 1, "fd")
        };
        /// Complete elliptic integral of the first kind of `1 - a`.
        Ellipkm1: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ellipkm1(cp.array([1.0, 1e-20]))\n\
                array([ 1.57079633, 24.41214529])",
            cuda: Cuda::new("cu_ellipkm1(a)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ellipkm1",
            ulps: Ulps::of(0.51, 2.8),
            domain: (0.0, 1.0),
            ..Row::new("ellipkm1", 1, "fd")
        };
        /// Complete elliptic integral of the second kind.
        Ellipe: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ellipe(cp.array([0.0, 0.5]))\n\
                array([1.57079633, 1.35064388])",
            cuda: Cuda::new("cu_ellipe(a)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ellipe",
            ulps: Ulps::of(0.51, 3.3),
            domain: (-10.0, 1.0),
            ..Row::new("ellipe", 1, "fd")
        };
        /// Incomplete elliptic integral of the first kind.
        Ellipkinc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ellipkinc(cp.array([0.5, 1.0]), 0.5)\n\
                array([0.51046714, 1.08321677])",
            cuda: Cuda::new("cu_ellipkinc(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ellipkinc",
            ulps: Ulps::of(0.51, 5.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipkinc", 2, "fd")
        };
        /// Incomplete elliptic integral of the second kind.
        Ellipeinc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.ellipeinc(cp.array([0.5, 1.0]), 0.5)\n\
                array([0.48991096, 0.92732988])",
            cuda: Cuda::new("cu_ellipeinc(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.ellipeinc",
            ulps: Ulps::of(0.51, 5.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipeinc", 2, "fd")
        };
        /// Carlson's symmetric elliptic integral of the first kind.
        Elliprf: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.elliprf(cp.array([1.0, 2.0]), 2.0, 3.0)\n\
                array([0.72694594, 0.65847895])",
            cuda: Cuda::new("cu_elliprf(a, b, c)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.elliprf",
            ulps: Ulps::of(0.51, 3.8),
            domain: (0.0, 10.0),
            ..Row::new("elliprf", 3, "fd")
        };
        /// Carlson's symmetric elliptic integral of the second kind.
        Elliprd: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.elliprd(cp.array([1.0, 2.0]), 2.0, 3.0)\n\
                array([0.29046028, 0.24338604])",
            cuda: Cuda::new("cu_elliprd(a, b, c)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.elliprd",
            ulps: Ulps::of(0.51, 3.4),
            domain: (0.0, 10.0),
            ..Row::new("elliprd", 3, "fd")
        };
        /// Carlson's degenerate elliptic integral.
        Elliprc: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.elliprc(cp.array([1.0, 2.0]), 3.0)\n\
                array([0.67551086, 0.61547971])",
            cuda: Cuda::new("cu_elliprc(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.elliprc",
            ulps: Ulps::of(0.51, 3.2),
            domain: (0.0, 10.0),
            ..Row::new("elliprc", 2, "fd")
        };
        /// Carlson's completely symmetric elliptic integral of the second kind.
        Elliprg: Row {
            example: ">>> from cuprum.scipy import special\n\
                >>> special.elliprg(cp.array([1.0, 2.0]), 2.0, 3.0)\n\
                array([1.4018471 , 1.52450435])",
            cuda: Cuda::new("cu_elliprg(a, b, c)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Special,
            oracle: "scipy.special.elliprg",
            ulps: Ulps::of(0.51, 2.5),
            domain: (0.0, 10.0),
            ..Row::new("elliprg", 3, "fd")
        };
        /// Elliptic function sn.
        EllipjSn: Row {
            cuda: Cuda::new("cu_ellipj_sn(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.ellipj",
            ulps: Ulps::of(0.51, 7000.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipj_sn", 2, "fd")
        };
        /// Elliptic function cn.
        EllipjCn: Row {
            cuda: Cuda::new("cu_ellipj_cn(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.ellipj",
            ulps: Ulps::of(0.51, 300.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipj_cn", 2, "fd")
        };
        /// Elliptic function dn.
        EllipjDn: Row {
            cuda: Cuda::new("cu_ellipj_dn(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.ellipj",
            ulps: Ulps::of(0.51, 20.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipj_dn", 2, "fd")
        };
        /// Amplitude of the elliptic functions.
        EllipjPh: Row {
            cuda: Cuda::new("cu_ellipj_ph(a, b)", CudaText::SpecialElliptic),
            cost: Cost::Function,
            namespace: Namespace::Part,
            oracle: "scipy.special.ellipj",
            ulps: Ulps::of(0.51, 20.0),
            domain: (0.0, 1.0),
            ..Row::new("ellipj_ph", 2, "fd")
        };
        }}
    };
}
