// What the elementary functions are made of: exact operations on f32 and f64, their formats, sums with their errors
// and polynomials. The functions that stand on it are those of the CPU device, operation by operation: products are
// fused explicitly and only explicitly, so that both give the same bits.

namespace elementary {

// Functions for rare arguments: called, so that they cost the others no registers and little time to compile.
#ifdef __CUDACC__
#define RARE __noinline__ static
#else
#define RARE static inline
#endif

// Coefficients in f64. An instruction reads them from constant memory at no cost but one uniform load, which threads and
// elements share; as immediate values, each takes two instructions more.
#ifdef __CUDACC__
#define COEFFICIENTS __constant__
#else
#define COEFFICIENTS static const
#endif

#ifdef __CUDACC__
inline f32 fused(f32 a, f32 b, f32 c) { return __fmaf_rn(a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }
inline f32 root(f32 x) { return __fsqrt_rn(x); }
inline f64 root(f64 x) { return __dsqrt_rn(x); }
inline u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
inline int leading_zeros(u64 x) { return __clzll((i64)x); }
// The division's own steps, without the checks of its operands.
inline f32 quotient(f32 a, f32 b) {
    f32 inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    inverse = fused(inverse, fused(-b, inverse, 1.0f), inverse);
    f32 q = a * inverse;
    q = fused(inverse, fused(-b, q, a), q);
    return fused(inverse, fused(-b, q, a), q);
}
inline f32 inverse_of(f32 b) {
    f32 inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    return fused(inverse, fused(-b, inverse, 1.0f), inverse);
}
// The same in f64: rounded as by the division itself wherever neither operand nor result is near the ends of the
// exponent range. Without a branch, the elements of a thread are computed side by side.
inline f64 plain_inverse(f64 b) {
    f64 estimate;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(estimate) : "d"(b));
    estimate = from_bits(to_bits(estimate) | 1);
    f64 error = fused(-b, estimate, 1.0);
    f64 inverse = fused(estimate, fused(error, error, error), estimate);
    return fused(inverse, fused(-b, inverse, 1.0), inverse);
}
inline f64 plain_quotient(f64 a, f64 b) {
    f64 inverse = plain_inverse(b), q = a * inverse;
    return fused(inverse, fused(-b, q, a), q);
}
#else
inline f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
inline f32 root(f32 x) { return __builtin_sqrtf(x); }
inline f64 root(f64 x) { return __builtin_sqrt(x); }
inline u64 high_product(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
inline int leading_zeros(u64 x) { return x == 0 ? 64 : __builtin_clzll(x); }
inline f32 quotient(f32 a, f32 b) { return a / b; }
inline f32 inverse_of(f32 b) { return 1.0f / b; }
inline f64 plain_inverse(f64 b) { return 1.0 / b; }
inline f64 plain_quotient(f64 a, f64 b) { return a / b; }
#endif
inline f32 plain_quotient(f32 a, f32 b) { return quotient(a, b); }
inline f64 quotient(f64 a, f64 b) { return a / b; }
inline f64 inverse_of(f64 b) { return 1.0 / b; }

inline f32 size(f32 x) { return fabsf(x); }
inline f64 size(f64 x) { return fabs(x); }
inline f32 truncate(f32 x) { return truncf(x); }
inline f64 truncate(f64 x) { return trunc(x); }
inline f32 floor_of(f32 x) { return floorf(x); }
inline f64 floor_of(f64 x) { return floor(x); }
inline f32 ceiling(f32 x) { return ceilf(x); }
inline f64 ceiling(f64 x) { return ceil(x); }
inline f32 nearest_even(f32 x) { return rintf(x); }
inline f64 nearest_even(f64 x) { return rint(x); }
inline f32 remainder_of(f32 a, f32 b) { return fmodf(a, b); }
inline f64 remainder_of(f64 a, f64 b) { return fmod(a, b); }

template <class T> struct Format;
template <> struct Format<f32> {
    static constexpr int digits = 23, width = 32;
    static constexpr u32 bias = 127, root_half = 0x3f3504f3;
    static constexpr f32 least = 1.17549435e-38f, tiny = 16 * least;
    // From 2^23 on every number is whole; adding one and a half times that rounds to a whole number.
    static constexpr f32 whole = 8388608.0f, rounder = 12582912.0f;
    static constexpr u32 whole_bits = 0x4b000000, rounder_bits = 0x4b400000;
    // Above this 1 + x and x are the same to working precision, and so are 1 + x^2 and x^2.
    static constexpr f32 large = 33554432.0f;
    static constexpr f32 ln_2 = 0.6931472f, ln_2_tail = -1.9046542e-09f;
    static constexpr f32 pi = 3.1415927f, pi_tail = -8.742278e-08f;
    static constexpr f32 log2_e = 1.442695f, log2_e_tail = 1.925963e-08f;
};
template <> struct Format<f64> {
    static constexpr int digits = 52, width = 64;
    static constexpr u64 bias = 1023, root_half = 0x3fe6a09e667f3bcdull;
    static constexpr f64 least = 2.2250738585072014e-308, tiny = 16 * least;
    static constexpr f64 whole = 4503599627370496.0, rounder = 6755399441055744.0;
    static constexpr u64 whole_bits = 0x4330000000000000ull, rounder_bits = 0x4338000000000000ull;
    static constexpr f64 large = 18014398509481984.0;
    static constexpr f64 ln_2 = 0.6931471805599453, ln_2_tail = 2.3190468138462996e-17;
    static constexpr f64 pi = 3.141592653589793, pi_tail = 1.2246467991473532e-16;
    static constexpr f64 log2_e = 1.4426950408889634, log2_e_tail = 2.0355273740931033e-17;
};
template <class T> constexpr word_of<T> sign_bit = (word_of<T>)1 << (Format<T>::width - 1);

template <class T> T with_sign(T magnitude, T sign) {
    return from_bits((to_bits(magnitude) & ~sign_bit<T>) | (to_bits(sign) & sign_bit<T>));
}
template <class T> T negated_by(T x, T sign) { return from_bits(to_bits(x) ^ (to_bits(sign) & sign_bit<T>)); }
template <class T> bool is_negative(T x) { return (to_bits(x) & sign_bit<T>) != 0; }
template <class T> bool is_infinite(T x) { return size(x) == infinity<T>(); }
template <class T> bool is_finite(T x) { return size(x) < infinity<T>(); }

// A value and what its rounding lost.
template <class T> struct Sum { T high, low; };

// For |a| >= |b|, or a zero.
template <class T> Sum<T> ordered_sum(T a, T b) {
    T sum = a + b;
    return {sum, (a - sum) + b};
}
template <class T> Sum<T> exact_sum(T a, T b) {
    T sum = a + b, added = sum - a;
    return {sum, (a - (sum - added)) + (b - added)};
}

// c0 + c1 x + c2 x^2 + ... by Horner's rule.
template <class T> T polynomial(T, T c) { return c; }
template <class T, class... Rest> T polynomial(T x, T c, Rest... rest) { return fused(polynomial(x, rest...), x, c); }
template <int n> f64 polynomial(f64 x, const f64 (&c)[n]) {
    f64 sum = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, c[i]);
    return sum;
}

// The same in groups of four coefficients, after Estrin.
template <int n> f64 estrin(f64 x, const f64 (&c)[n]) {
    f64 square = x * x, fourth = square * square, sum = 0.0;
#pragma unroll
    for (int i = (n - 1) / 4 * 4; i >= 0; i -= 4) {
        f64 group = i + 1 < n ? fused(c[i + 1], x, c[i]) : c[i];
        if (i + 2 < n) group = fused(i + 3 < n ? fused(c[i + 3], x, c[i + 2]) : c[i + 2], square, group);
        sum = i + 4 < n ? fused(sum, fourth, group) : group;
    }
    return sum;
}

// An argument taken apart: k whole periods, left in the low bits of a sum with the rounder, and a rest in two parts.
template <class T> struct Reduced {
    word_of<T> k;
    T r, tail;
};

// The whole number nearest to x * factor, and its bits.
template <class T> struct Whole {
    T value;
    word_of<T> bits;
};
template <class T> Whole<T> nearest(T x, T factor) {
    T shifted = fused(x, factor, Format<T>::rounder);
    return {shifted - Format<T>::rounder, to_bits(shifted)};
}

// 2^(k - less) and 2^(-k - less) for a k from `nearest` that leaves them normal.
template <class T> T power_of_two(word_of<T> k, int less) {
    return from_bits((word_of<T>)((k + (Format<T>::bias - less)) << Format<T>::digits));
}
template <class T> T inverse_power_of_two(word_of<T> k, int less) {
    return from_bits((word_of<T>)(((Format<T>::bias - less) - k) << Format<T>::digits));
}

// x * 2^k, rounded once, for a k from `nearest` that reaches past the ends of the exponent range.
template <class T> T scaled(T x, word_of<T> k) {
    word_of<T> both = k + (2 * Format<T>::bias - Format<T>::rounder_bits), half = both >> 1;
    return x * from_bits((word_of<T>)(half << Format<T>::digits)) *
           from_bits((word_of<T>)((both - half) << Format<T>::digits));
}

// A positive finite x = m * 2^k with m from sqrt(1/2) to sqrt(2).
template <class T> struct Split { T m, k; };
template <class T> Split<T> split(T x) {
    typedef Format<T> F;
    bool subnormal = x < F::least;
    x = subnormal ? x * F::whole : x;
    T bias = subnormal ? F::whole + (T)(F::bias + F::digits) : F::whole + (T)F::bias;
    word_of<T> lifted = to_bits(x) + (to_bits((T)1) - F::root_half);
    return {from_bits((lifted & (((word_of<T>)1 << F::digits) - 1)) + F::root_half),
            from_bits((lifted >> F::digits) | F::whole_bits) - bias};
}

// The same for a positive, finite and normal x.
inline Split<f64> plain_split(f64 x) {
    typedef Format<f64> F;
    u64 lifted = to_bits(x) + (to_bits(1.0) - F::root_half);
    return {from_bits((lifted & ((1ull << F::digits) - 1)) + F::root_half),
            from_bits((lifted >> F::digits) | F::whole_bits) - (F::whole + (f64)F::bias)};
}

// The power of two at or below a positive x and its inverse, kept inside the normal range.
template <class T> struct Powers { T power, inverse; };
template <class T> Powers<T> leading_power(T x) {
    typedef Format<T> F;
    constexpr T most = T(0.25) / F::least;
    x = x < F::least ? F::least : x;
    x = x > most ? most : x;
    word_of<T> exponent = to_bits(x) & ~(((word_of<T>)1 << F::digits) - 1);
    return {from_bits(exponent), from_bits(((2 * F::bias) << F::digits) - exponent)};
}

}  // namespace elementary
