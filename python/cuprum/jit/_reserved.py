"""Names that a kernel cannot have in CUDA C: the language's own, and those of CUDA's functions."""

from __future__ import annotations

import re

__all__ = ["is_reserved"]

_WORDS = """
    abort alignas alignof and and_eq asm assert auto bitand bitor blockDim blockIdx bool break case
    catch char class compl concept const const_cast consteval constexpr constinit continue decltype
    default delete dim3 div do double dynamic_cast else enum exit explicit export extern false float for
    friend goto gridDim half if inline int long main memcmp memmove mutable namespace new noexcept norm
    not not_eq nullptr operator or or_eq private protected public rand register reinterpret_cast
    requires return rnorm short signed sizeof srand static static_assert static_cast std strcmp strcpy
    strlen struct switch template this threadIdx thread_local throw time true try typedef typeid
    typename uchar uint ulong union unsigned ushort using virtual void volatile warpSize wchar_t while
    xor xor_eq
"""
_FUNCTIONS = """
    abs acos acosh alloca asin asinh atan atan2 atanh cbrt ceil clock clock64 copysign cos cosh cospi
    cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdividef
    floor fma fmax fmin fmod fprintf free frexp hypot ilogb isfinite isinf isnan isnormal j0 j1 jn labs
    ldexp lgamma llabs llmax llmin llrint llround log log10 log1p log2 logb lrint lround malloc max
    memcpy memset min modf mul64hi mulhi nan nearbyint nextafter norm3d norm4d normcdf normcdfinv pow
    powi printf puts rcbrt remainder remquo rhypot rint rnorm3d rnorm4d round rsqrt scalbln scalbn
    signbit sin sincos sincospi sinh sinpi snprintf sprintf sqrt tan tanh tgamma trunc ullmax ullmin
    umax umin vprintf y0 y1 yn
"""
_RESERVED = frozenset(_WORDS.split()) | frozenset(_FUNCTIONS.split())
_PATTERNS = re.compile(
    # Vector types, and families of functions.
    r"(u?(char|short|int|long|longlong)|float|double)[1-4]|(atomic|make_|tex|surf|cuda|cu_|py_|__|_[A-Z])\w*"
)


def is_reserved(name: str) -> bool:
    """Whether a name means something else in CUDA C; functions of floats have a second name with an f."""
    single = name[:-1] if name.endswith("f") else name
    return name in _RESERVED or single in _RESERVED or _PATTERNS.fullmatch(name) is not None
