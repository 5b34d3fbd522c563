"""Pieces of the prelude that few kernels need: ranges and rounding of 16-bit floats, the order of complex
numbers.
"""

from __future__ import annotations

__all__ = ["BFLOAT_ROUNDING", "COMPLEX_ORDER", "HALF_RANGES", "INLINE"]

INLINE = "static __device__ __forceinline__"
"""What functions of the prelude begin with."""

HALF_RANGES = """
static __device__ float cu_saturated(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static __device__ float cu_relu(float x) { return x != x ? x : (x > 0.0f ? x : 0.0f); }
static __device__ float cu_fmax_nan(float x, float y) { return x != x ? x : (y != y ? y : fmaxf(x, y)); }
static __device__ float cu_fmin_nan(float x, float y) { return x != x ? x : (y != y ? y : fminf(x, y)); }
"""

BFLOAT_ROUNDING = """
// Directions: 0 to the nearest, ties to even, 1 towards zero, 2 down, 3 up.
static __device__ cu_bfloat cu_bfloat_cut(unsigned int sign, unsigned int kept, int half, bool inexact,
                                          int direction) {
    // `half` compares what was cut with half of the last place: -1 less, 0 equal, 1 more.
    bool up = direction == 0 ? half > 0 || (half == 0 && (kept & 1u))
                             : inexact && direction == (sign ? 2 : 3);
    cu_bfloat out;
    out.bits = (unsigned short)((sign << 15) | (kept + (up ? 1u : 0u)));
    return out;
}
static __device__ cu_bfloat cu_bfloat_rounded(float x, int direction) {
    unsigned int bits = __float_as_uint(x), rest = bits & 0xffffu;
    cu_bfloat out;
    if (x != x) { out.bits = (unsigned short)((bits >> 16) | 0x40u); return out; }
    int half = rest > 0x8000u ? 1 : (rest == 0x8000u ? 0 : -1);
    return cu_bfloat_cut(bits >> 31, (bits >> 16) & 0x7fffu, half, rest != 0u, direction);
}
static __device__ cu_bfloat cu_bfloat_of_size(unsigned int sign, unsigned long long size, int direction) {
    cu_bfloat zero;
    zero.bits = 0;
    if (size == 0ULL) return zero;
    int top = 63 - __clzll((long long)size);
    unsigned long long rest = 0ULL, one = 0ULL;
    unsigned int digits;
    if (top > 7) {
        rest = size & ((1ULL << (top - 7)) - 1ULL);
        one = 1ULL << (top - 8);
        digits = (unsigned int)(size >> (top - 7));
    } else {
        digits = (unsigned int)(size << (7 - top));
    }
    int half = top > 7 ? (rest > one ? 1 : (rest == one ? 0 : -1)) : -1;
    unsigned int kept = ((unsigned int)(top + 127) << 7) | (digits & 0x7fu);
    return cu_bfloat_cut(sign, kept, half, rest != 0ULL, direction);
}
static __device__ cu_bfloat cu_bfloat_rounded(long long x, int direction) {
    unsigned long long size = x < 0 ? 0ULL - (unsigned long long)x : (unsigned long long)x;
    return cu_bfloat_of_size(x < 0 ? 1u : 0u, size, direction);
}
static __device__ cu_bfloat cu_bfloat_rounded(unsigned long long x, int direction) {
    return cu_bfloat_of_size(0u, x, direction);
}
"""

COMPLEX_ORDER = """
template <typename T> static __device__ bool cu_clt(cu_complex<T> a, cu_complex<T> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
}
template <typename T> static __device__ bool cu_cle(cu_complex<T> a, cu_complex<T> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
}
"""
