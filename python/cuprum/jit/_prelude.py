"""The CUDA C that kernels written in Python stand on: what Python means by `//`, `%`, `**`, slices and
complex numbers.

Each piece is put before a kernel that uses it, after the pieces that it needs itself.
"""

from __future__ import annotations

from ._prelude_atomics import ATOMIC_FLOAT, ATOMIC_HALF, ATOMIC_WIDE
from ._prelude_numbers import BFLOAT_ROUNDING, COMPLEX_ORDER, HALF_RANGES, INLINE

__all__ = ["PIECES", "with_needed"]

_D = INLINE
_T = f"template <typename T> {_D}"

PIECES: dict[str, tuple[tuple[str, ...], str]] = {}
"""The pieces by name: what each needs, and its text."""


def _piece(name: str, text: str, *needs: str) -> None:
    PIECES[name] = (needs, text.strip("\n") + "\n")


_piece(
    "wrap",
    f"""
{_D} long long cu_wrap(long long i, long long n) {{ return i < 0 ? i + n : i; }}
""",
)
_piece(
    "raise",
    f"""
{_D} void cu_raise(long long* errors, long long code) {{
    if (atomicCAS((unsigned long long*)errors, 0ULL, (unsigned long long)code) == 0ULL) {{
        errors[1] = threadIdx.x; errors[2] = threadIdx.y; errors[3] = threadIdx.z;
        errors[4] = blockIdx.x; errors[5] = blockIdx.y; errors[6] = blockIdx.z;
    }}
}}
""",
)
_piece(
    "floordiv",
    f"""
{_T} T cu_floordiv(T a, T b) {{
    if (b == 0) return 0;
    if (b == (T)-1) return (T)(0ULL - (unsigned long long)a);
    T q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? (T)(q - 1) : q;
}}
{_T} T cu_mod(T a, T b) {{
    if (b == 0 || b == (T)-1) return 0;
    T r = a % b;
    return (r != 0 && (r < 0) != (b < 0)) ? (T)(r + b) : r;
}}
{_T} T cu_floordiv_unsigned(T a, T b) {{ return b == 0 ? (T)0 : (T)(a / b); }}
{_T} T cu_mod_unsigned(T a, T b) {{ return b == 0 ? (T)0 : (T)(a % b); }}
""",
)
_piece(
    "fdivmod",
    f"""
{_D} double cu_fmod(double a, double b) {{
    double r = fmod(a, b);
    if (r == 0) return copysign(0.0, b);
    return ((r < 0) != (b < 0)) ? r + b : r;
}}
{_D} float cu_fmod(float a, float b) {{
    float r = fmodf(a, b);
    if (r == 0) return copysignf(0.0f, b);
    return ((r < 0) != (b < 0)) ? r + b : r;
}}
{_T} T cu_ffloordiv(T a, T b) {{
    if (b == 0) return a / b;
    T r = cu_fmod(a, b);
    T q = (a - r) / b;
    if (q == 0) return (T)copysign((T)0, a / b);
    T f = (T)floor(q);
    return q - f > (T)0.5 ? f + 1 : f;
}}
""",
)
_piece(
    "ipow",
    f"""
{_T} T cu_ipow(T base, T exponent) {{
    if (exponent < 0) return base == 1 ? (T)1 : base == (T)-1 ? (T)((exponent & 1) ? -1 : 1) : (T)0;
    T result = 1;
    while (exponent) {{
        if (exponent & 1) result = (T)((unsigned long long)result * (unsigned long long)base);
        exponent = (T)(exponent >> 1);
        base = (T)((unsigned long long)base * (unsigned long long)base);
    }}
    return result;
}}
""",
)
_piece(
    "powi",
    f"""
{_T} T cu_powi(T base, int exponent) {{
    bool inverse = exponent < 0;
    unsigned int e = inverse ? 0u - (unsigned int)exponent : (unsigned int)exponent;
    T result = 1;
    while (e) {{
        if (e & 1u) result = result * base;
        e >>= 1;
        base = base * base;
    }}
    return inverse ? (T)1 / result : result;
}}
""",
)
_piece(
    "shift",
    f"""
{_T} T cu_shl(T a, long long n) {{
    return (n < 0 || n >= (long long)(8 * sizeof(T))) ? (T)0 : (T)((unsigned long long)a << n);
}}
{_T} T cu_shr(T a, long long n) {{
    if (n < 0 || n >= (long long)(8 * sizeof(T))) return a < 0 ? (T)-1 : (T)0;
    return (T)(a >> n);
}}
""",
)
_piece(
    "compare",
    f"""
{_D} int cu_compare(long long a, unsigned long long b) {{
    return a < 0 || (unsigned long long)a < b ? -1 : ((unsigned long long)a > b ? 1 : 0);
}}
""",
)
_piece(
    "round",
    f"""
{_D} double cu_round_to(double x, long long digits) {{
    if (isinf(x) || isnan(x)) return x;
    if (digits >= 0) {{
        // Powers above 1e22 are not exact: such a scale is applied in two steps.
        double scale = pow(10.0, (double)(digits > 22 ? digits - 22 : digits));
        double rest = digits > 22 ? 1e22 : 1.0;
        double y = (x * scale) * rest;
        return isinf(y) || isnan(y) ? x : (rint(y) / rest) / scale;
    }}
    double scale = pow(10.0, (double)-digits);
    return rint(x / scale) * scale;
}}
""",
)
_piece(
    "minmax",
    f"""
{_T} T cu_min(T a, T b) {{ return b < a ? b : a; }}
{_T} T cu_max(T a, T b) {{ return b > a ? b : a; }}
""",
)
_piece(
    "npminmax",
    f"""
{_T} T cu_minimum(T a, T b) {{ return (a <= b || a != a) ? a : b; }}
{_T} T cu_maximum(T a, T b) {{ return (a >= b || a != a) ? a : b; }}
""",
)
# A GPU's abs is taken for one that is never negative; that of the least integer is, so no abs is written.
_piece(
    "opposite",
    f"""
{_D} int cu_opposite(int a) {{
    unsigned int other = 0u - (unsigned int)a;
#ifndef __CUPRUM_CPU__
    asm("" : "+r"(other));
#endif
    return (int)other;
}}
{_D} long long cu_opposite(long long a) {{
    unsigned long long other = 0ull - (unsigned long long)a;
#ifndef __CUPRUM_CPU__
    asm("" : "+l"(other));
#endif
    return (long long)other;
}}
""",
)
_piece(
    "sign",
    f"""
{_T} T cu_sign(T a) {{ return a > 0 ? (T)1 : (a < 0 ? (T)-1 : a); }}
""",
)
_piece(
    "slice",
    f"""
{_D} long long cu_slice_start(long long i, long long n, long long step) {{
    if (i < 0) {{ i += n; if (i < 0) i = step < 0 ? -1 : 0; }}
    else if (i >= n) i = step < 0 ? n - 1 : n;
    return i;
}}
{_D} long long cu_slice_length(long long start, long long stop, long long step) {{
    if (step < 0) return stop < start ? (start - stop - 1) / (-step) + 1 : 0;
    return start < stop ? (stop - start - 1) / step + 1 : 0;
}}
""",
)
_piece(
    "half",
    f"""
struct cu_half {{ unsigned short bits; }};
{_D} float cu_half_to_float(cu_half h) {{
    unsigned int sign = (unsigned int)(h.bits & 0x8000u) << 16;
    unsigned int exponent = (h.bits >> 10) & 31u, mantissa = h.bits & 1023u;
    if (exponent == 31u) return __uint_as_float(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0u) return __uint_as_float(sign | ((exponent + 112u) << 23) | (mantissa << 13));
    float tiny = (float)mantissa * 5.9604644775390625e-08f;
    return sign ? -tiny : tiny;
}}
{_D} cu_half cu_half_from_double(double x) {{
    cu_half out;
    unsigned long long bits = (unsigned long long)__double_as_longlong(x);
    unsigned int sign = (unsigned int)(bits >> 48) & 0x8000u;
    double a = fabs(x);
    if (x != x) {{ out.bits = (unsigned short)(sign | 0x7e00u); return out; }}
    if (a >= 65520.0) {{ out.bits = (unsigned short)(sign | 0x7c00u); return out; }}
    if (a < 6.103515625e-05) {{
        out.bits = (unsigned short)(sign | (unsigned int)rint(a * 16777216.0));
        return out;
    }}
    unsigned long long payload = bits & 0x7fffffffffffffffULL;
    unsigned long long rest = payload & ((1ULL << 42) - 1ULL);
    unsigned long long kept = (payload >> 42) - (1008ULL << 10);
    if (rest > (1ULL << 41) || (rest == (1ULL << 41) && (kept & 1ULL))) kept += 1ULL;
    out.bits = (unsigned short)(sign | (unsigned int)kept);
    return out;
}}
""",
)
_piece(
    "bfloat",
    f"""
struct cu_bfloat {{ unsigned short bits; }};
{_D} float cu_bfloat_to_float(cu_bfloat h) {{ return __uint_as_float((unsigned int)h.bits << 16); }}
{_D} cu_bfloat cu_bfloat_from_double(double x) {{
    cu_bfloat out;
    unsigned int bits = __float_as_uint((float)x);
    if (x != x) {{ out.bits = (unsigned short)((bits >> 16) | 0x40u); return out; }}
    // What the first rounding has lost decides no tie: the float next to x towards zero gets an odd last bit.
    double back = (double)__uint_as_float(bits);
    if (back != x && (bits & 0x7f800000u) != 0x7f800000u) {{
        if (fabs(back) > fabs(x)) bits -= 1u;
        bits |= 1u;
    }}
    if ((bits & 0x7fffffffu) < 0x7f800000u) bits += 0x7fffu + ((bits >> 16) & 1u);
    out.bits = (unsigned short)(bits >> 16);
    return out;
}}
""",
)
_piece("half_ranges", HALF_RANGES)
_piece("bfloat_rounding", BFLOAT_ROUNDING, "bfloat")
_piece(
    "dates",
    f"""
#define CU_NAT (-9223372036854775807LL - 1)
{_D} bool cu_is_nat(long long a) {{ return a == CU_NAT; }}
{_D} long long cu_date_add(long long a, long long b) {{
    if (cu_is_nat(a) || cu_is_nat(b)) return CU_NAT;
    return (long long)((unsigned long long)a + (unsigned long long)b);
}}
{_D} long long cu_date_sub(long long a, long long b) {{
    if (cu_is_nat(a) || cu_is_nat(b)) return CU_NAT;
    return (long long)((unsigned long long)a - (unsigned long long)b);
}}
{_D} long long cu_date_times(long long a, long long by) {{
    return cu_is_nat(a) ? a : (long long)((unsigned long long)a * (unsigned long long)by);
}}
{_D} long long cu_date_times_real(long long a, double by) {{
    double product = (double)a * by;
    return cu_is_nat(a) || product != product || isinf(product) ? CU_NAT : (long long)product;
}}
{_D} long long cu_date_over(long long a, long long by) {{
    return cu_is_nat(a) || by == 0 ? CU_NAT : by == -1 ? -a : a / by;
}}
{_D} long long cu_date_over_floor(long long a, long long by) {{
    if (cu_is_nat(a) || by == 0) return CU_NAT;
    if (by == -1) return -a;
    long long q = a / by;
    return a % by != 0 && (a < 0) != (by < 0) ? q - 1 : q;
}}
{_D} long long cu_date_over_real(long long a, double by) {{
    double quotient = (double)a / by;
    return cu_is_nat(a) || quotient != quotient || isinf(quotient) ? CU_NAT : (long long)quotient;
}}
{_D} double cu_date_ratio(long long a, long long b) {{
    if (cu_is_nat(a) || cu_is_nat(b)) return __longlong_as_double(0x7ff8000000000000LL);
    return (double)a / (double)b;
}}
{_D} long long cu_date_quotient(long long a, long long b) {{
    if (cu_is_nat(a) || cu_is_nat(b) || b == 0) return 0LL;
    return cu_date_over_floor(a, b);
}}
{_D} long long cu_date_remainder(long long a, long long b) {{
    if (cu_is_nat(a) || cu_is_nat(b) || b == 0) return CU_NAT;
    if (b == -1) return 0LL;
    long long r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}}
""",
)
_piece(
    "complex",
    f"""
template <typename T> struct cu_complex {{ T re; T im; }};
{_T} cu_complex<T> cu_make_complex(T re, T im) {{
    cu_complex<T> z; z.re = re; z.im = im; return z;
}}
{_T} cu_complex<T> cu_cadd(cu_complex<T> a, cu_complex<T> b) {{
    return cu_make_complex<T>(a.re + b.re, a.im + b.im);
}}
{_T} cu_complex<T> cu_csub(cu_complex<T> a, cu_complex<T> b) {{
    return cu_make_complex<T>(a.re - b.re, a.im - b.im);
}}
{_T} cu_complex<T> cu_cmul(cu_complex<T> a, cu_complex<T> b) {{
    return cu_make_complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}}
{_T} cu_complex<T> cu_cdiv(cu_complex<T> a, cu_complex<T> b) {{
    if (fabs(b.re) >= fabs(b.im)) {{
        if (b.re == 0 && b.im == 0) return cu_make_complex<T>(a.re / b.re, a.im / b.re);
        T ratio = b.im / b.re, scale = (T)1 / (b.re + b.im * ratio);
        return cu_make_complex<T>((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
    }}
    T ratio = b.re / b.im, scale = (T)1 / (b.im + b.re * ratio);
    return cu_make_complex<T>((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
}}
{_T} cu_complex<T> cu_cneg(cu_complex<T> a) {{ return cu_make_complex<T>(-a.re, -a.im); }}
{_T} cu_complex<T> cu_conj(cu_complex<T> a) {{ return cu_make_complex<T>(a.re, -a.im); }}
{_T} bool cu_ceq(cu_complex<T> a, cu_complex<T> b) {{ return a.re == b.re && a.im == b.im; }}
{_T} bool cu_ctrue(cu_complex<T> a) {{ return a.re != 0 || a.im != 0; }}
{_T} T cu_cabs(cu_complex<T> a) {{ return (T)hypot(a.re, a.im); }}
{_T} T cu_phase(cu_complex<T> a) {{ return (T)atan2(a.im, a.re); }}
""",
)
_piece(
    "complex_tests",
    f"""
{_T} bool cu_cisnan(cu_complex<T> z) {{ return isnan(z.re) || isnan(z.im); }}
{_T} bool cu_cisinf(cu_complex<T> z) {{ return isinf(z.re) || isinf(z.im); }}
{_T} bool cu_cisfinite(cu_complex<T> z) {{ return isfinite(z.re) && isfinite(z.im); }}
""",
    "complex",
)
_piece("complex_order", COMPLEX_ORDER, "complex_tests")
_ANALYTIC = """
    exp expm1 log log2 log10 log1p sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh
"""
_PYTHON_NANS = (
    ("sin", "isnan(z.re) && isinf(z.im)", "-fabs(z.im)"),
    ("tan", "isnan(z.re) && z.im == (T)0", "z.re"),
    ("tanh", "z.re == (T)0 && isnan(z.im)", "z.im"),
    ("asin", "isinf(z.re) && isnan(z.im)", "-fabs(z.re)"),
    ("acos", "isinf(z.re) && isnan(z.im)", "fabs(z.re)"),
    ("acosh", "z.re == (T)0 && isnan(z.im)", "z.im"),
)
"""Where `cmath` gives another NaN than C, or another sign of an infinity beside it: the test and the
imaginary part. The real part is NaN."""
_piece(
    # The functions of complex numbers are those that CUDA C has here: our own, on both devices.
    "cmath",
    "#include <thrust/complex.h>\n"
    + f"""
{_T} thrust::complex<T> cu_thrust(cu_complex<T> z) {{ return thrust::complex<T>(z.re, z.im); }}
{_T} cu_complex<T> cu_from_thrust(thrust::complex<T> z) {{ return cu_make_complex<T>(z.real(), z.imag()); }}
{_T} cu_complex<T> cu_cpow(cu_complex<T> a, cu_complex<T> b) {{
    return cu_from_thrust(thrust::pow(cu_thrust(a), cu_thrust(b)));
}}
{_T} cu_complex<T> cu_rect(T size, T angle) {{
    // Along the axis the sign of zero and infinite lengths stay as they are.
    if (angle == 0) {{
        T zero = isfinite(size) ? size * angle : isnan(size) ? (T)0 : size > 0 ? angle : -angle;
        return cu_make_complex<T>(size, zero);
    }}
    // Of no length, whatever the direction; and of infinite length in no direction.
    if (size == 0 && !isfinite(angle)) return cu_make_complex<T>((T)0, (T)0);
    if (isinf(size) && isnan(angle)) return cu_make_complex<T>(size < 0 ? -size : size, angle);
    return cu_make_complex<T>(size * (T)cos(angle), size * (T)sin(angle));
}}
"""
    + "".join(
        f"{_T} cu_complex<T> cu_c{name}(cu_complex<T> z) "
        f"{{ return cu_from_thrust(thrust::{name}(cu_thrust(z))); }}\n"
        for name in _ANALYTIC.split()
    )
    + "".join(
        f"{_T} cu_complex<T> cu_py_{name}(cu_complex<T> z) "
        f"{{ return {test} ? cu_make_complex<T>(z.re + z.im, {imaginary}) : cu_c{name}(z); }}\n"
        for name, test, imaginary in _PYTHON_NANS
    ),
    "complex",
)
_piece(
    "gcd",
    f"""
{_T} T cu_gcd(T a, T b) {{
    unsigned long long x = a < 0 ? 0ULL - (unsigned long long)a : (unsigned long long)a;
    unsigned long long y = b < 0 ? 0ULL - (unsigned long long)b : (unsigned long long)b;
    while (y != 0) {{ unsigned long long r = x % y; x = y; y = r; }}
    return (T)x;
}}
""",
)
_piece("atomic_float", ATOMIC_FLOAT)
_piece("atomic_wide", ATOMIC_WIDE)
_piece("atomic_half", ATOMIC_HALF, "half")
_piece(
    "xoroshiro",
    f"""
{_D} unsigned long long cu_rotl(unsigned long long x, int k) {{ return (x << k) | (x >> (64 - k)); }}
{_D} unsigned long long cu_xoroshiro_next(unsigned long long* s) {{
    unsigned long long s0 = s[0], s1 = s[1], result = s0 + s1;
    s1 ^= s0;
    s[0] = cu_rotl(s0, 55) ^ s1 ^ (s1 << 14);
    s[1] = cu_rotl(s1, 36);
    return result;
}}
{_D} void cu_xoroshiro_jump(unsigned long long* s) {{
    unsigned long long s0 = 0, s1 = 0;
    for (int i = 0; i < 2; ++i) {{
        unsigned long long word = i == 0 ? 0xbeac0467eba5facbULL : 0xd86b048b86aa9922ULL;
        for (int b = 0; b < 64; ++b) {{
            if (word & (1ULL << b)) {{ s0 ^= s[0]; s1 ^= s[1]; }}
            cu_xoroshiro_next(s);
        }}
    }}
    s[0] = s0;
    s[1] = s1;
}}
{_D} double cu_xoroshiro_uniform64(unsigned long long* s) {{
    return (double)(cu_xoroshiro_next(s) >> 11) * 1.1102230246251565e-16;
}}
{_D} float cu_xoroshiro_uniform32(unsigned long long* s) {{ return (float)cu_xoroshiro_uniform64(s); }}
{_D} float cu_xoroshiro_normal32(unsigned long long* s) {{
    float u1 = cu_xoroshiro_uniform32(s), u2 = cu_xoroshiro_uniform32(s);
    return sqrtf(-2.0f * logf(u1)) * cosf(6.2831854820251465f * u2);
}}
{_D} double cu_xoroshiro_normal64(unsigned long long* s) {{
    float u1 = cu_xoroshiro_uniform32(s), u2 = cu_xoroshiro_uniform32(s);
    return sqrt(-2.0 * (double)logf(u1)) * cos(6.283185307179586 * (double)u2);
}}
""",
)
_piece(
    "grid_sync",
    """
__device__ unsigned int cu_grid_arrived = 0u;
__device__ unsigned int cu_grid_generation = 0u;
static __device__ void cu_grid_sync() {
    __syncthreads();
    if (threadIdx.x == 0u && threadIdx.y == 0u && threadIdx.z == 0u) {
        __threadfence();
        unsigned int generation = atomicAdd(&cu_grid_generation, 0u);
        if (atomicAdd(&cu_grid_arrived, 1u) == gridDim.x * gridDim.y * gridDim.z - 1u) {
            atomicExch(&cu_grid_arrived, 0u);
            __threadfence();
            atomicAdd(&cu_grid_generation, 1u);
        } else {
            while (atomicAdd(&cu_grid_generation, 0u) == generation) __nanosleep(64u);
        }
        __threadfence();
    }
    __syncthreads();
}
""",
)
_piece(
    "half_operators",
    f"""
{_D} cu_half operator+(cu_half a, cu_half b) {{
    return cu_half_from_double((double)(cu_half_to_float(a) + cu_half_to_float(b)));
}}
{_D} cu_half operator-(cu_half a, cu_half b) {{
    return cu_half_from_double((double)(cu_half_to_float(a) - cu_half_to_float(b)));
}}
{_D} cu_half operator*(cu_half a, cu_half b) {{
    return cu_half_from_double((double)(cu_half_to_float(a) * cu_half_to_float(b)));
}}
{_D} bool operator<(cu_half a, cu_half b) {{ return cu_half_to_float(a) < cu_half_to_float(b); }}
{_D} bool operator==(cu_half a, cu_half b) {{ return cu_half_to_float(a) == cu_half_to_float(b); }}
""",
    "half",
)
_piece(
    "bfloat_operators",
    PIECES["half_operators"][1].replace("cu_half", "cu_bfloat"),
    "bfloat",
)
_piece(
    "complex_operators",
    f"""
{_T} cu_complex<T> operator+(cu_complex<T> a, cu_complex<T> b) {{ return cu_cadd(a, b); }}
{_T} cu_complex<T> operator-(cu_complex<T> a, cu_complex<T> b) {{ return cu_csub(a, b); }}
{_T} cu_complex<T> operator*(cu_complex<T> a, cu_complex<T> b) {{ return cu_cmul(a, b); }}
{_T} bool operator==(cu_complex<T> a, cu_complex<T> b) {{ return cu_ceq(a, b); }}
{_T} bool operator<(cu_complex<T> a, cu_complex<T> b) {{
    return a.re < b.re || (a.re == b.re && a.im < b.im);
}}
""",
    "complex",
)
_piece("cub", "#include <cub/cub.cuh>")
_piece(
    "thrust",
    """
#include <thrust/sort.h>
#include <thrust/iterator/counting_iterator.h>
""",
)
_piece(
    "strided",
    f"""
// A position in elements that lie some steps apart.
template <typename T> struct cu_plain {{ typedef T type; }};
template <typename T> struct cu_plain<const T> {{ typedef T type; }};
template <typename T> struct cu_strided {{
    typedef typename cu_plain<T>::type value_type;
    typedef T& reference;
    T* at;
    long long step;
    __device__ T& operator*() const {{ return *at; }}
    __device__ T& operator[](long long i) const {{ return at[i * step]; }}
    __device__ cu_strided& operator++() {{ at += step; return *this; }}
    __device__ cu_strided& operator--() {{ at -= step; return *this; }}
    __device__ cu_strided operator++(int) {{ cu_strided before = *this; at += step; return before; }}
    __device__ cu_strided operator+(long long n) const {{
        cu_strided to = *this;
        to.at += n * step;
        return to;
    }}
    __device__ cu_strided operator-(long long n) const {{ return *this + -n; }}
    __device__ long long operator-(const cu_strided& other) const {{ return (at - other.at) / step; }}
    __device__ bool operator==(const cu_strided& other) const {{ return at == other.at; }}
    __device__ bool operator!=(const cu_strided& other) const {{ return at != other.at; }}
    __device__ bool operator<(const cu_strided& other) const {{ return (other.at - at) / step > 0; }}
}};
{_T} cu_strided<T> cu_make_strided(T* at, long long step) {{
    cu_strided<T> made; made.at = at; made.step = step ? step : 1; return made;
}}
""",
)


def with_needed(names: set[str]) -> list[str]:
    """Return the texts of these pieces and of those that they need, in the order of the table."""
    wanted: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += PIECES[name][0]
    return [text for name, (_, text) in PIECES.items() if name in wanted]
