// f16 and bf16: stored in 16 bits, computed in f32, rounded to nearest even after every operation.

template <class H> inline f32 widened(u16 bits);
template <class H> inline u16 rounded(f32 x);

#ifdef __CUDACC__
template <> inline f32 widened<f16>(u16 bits) {
    f32 x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
template <> inline u16 rounded<f16>(f32 x) {
    u16 bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    // The instruction forgets the sign and the digits of a NaN.
    u32 from = to_bits(x);
    return (from & 0x7fffffff) > 0x7f800000 ? (u16)(0x7e00 | ((from >> 13) & 0x3ff) | ((from >> 16) & 0x8000)) : bits;
}
#else
template <> inline f32 widened<f16>(u16 bits) {
    u32 magnitude = bits & 0x7fffu, sign = (u32)(bits & 0x8000) << 16;
    // Two to the minus 24th is the unit of the subnormals.
    f32 small = (f32)(i32)magnitude * from_bits((127u - 24) << 23);
    u32 normal = (magnitude << 13) + ((127u - 15) << 23);
    u32 special = 0x7f800000u | (magnitude & 0x3ff) << 13 | (magnitude > 0x7c00 ? 1u << 22 : 0);
    u32 finite = magnitude < 0x400 ? to_bits(small) : normal;
    return from_bits((magnitude >= 0x7c00 ? special : finite) | sign);
}
template <> inline u16 rounded<f16>(f32 x) {
    u32 bits = to_bits(x), magnitude = bits & 0x7fffffff, sign = (bits >> 16) & 0x8000;
    u32 normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - ((127u - 15) << 23)) >> 13;
    // Adding one half leaves the subnormal's digits, rounded by the addition itself, in the low bits.
    u32 small = to_bits(from_bits(magnitude) + 0.5f) - to_bits(0.5f);
    u32 finite = magnitude < 0x38800000 ? small : normal;
    u32 result = magnitude > 0x7f800000 ? 0x7e00 | ((magnitude >> 13) & 0x3ff) : magnitude >= 0x47800000 ? 0x7c00 : finite;
    return (u16)(result | sign);
}
#endif

template <> inline f32 widened<bf16>(u16 bits) { return from_bits((u32)bits << 16); }
template <> inline u16 rounded<bf16>(f32 x) {
    u32 bits = to_bits(x);
    if ((bits & 0x7fffffff) > 0x7f800000) return (u16)(bits >> 16 | 0x40);
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
    u16 rounded;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(x));
    return rounded;
#else
    return (u16)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
#endif
}

// Defines a 16-bit float. The conversion from any type but f32 rounds once, by way of `narrowed`.
#define HALF_TYPE(H)                                                                                        \
    struct H {                                                                                              \
        u16 bits;                                                                                           \
        H() = default;                                                                                      \
        template <class From> explicit H(From x) : bits(narrowed<H>(x).bits) {}                             \
        explicit H(f32 x) : bits(rounded<H>(x)) {}                                                          \
        explicit operator f32() const { return widened<H>(bits); }                                          \
        static H of_bits(u16 bits) {                                                                        \
            H h;                                                                                            \
            h.bits = bits;                                                                                  \
            return h;                                                                                       \
        }                                                                                                   \
        friend H operator-(H a) { return of_bits(a.bits ^ 0x8000); }                                        \
        friend H operator+(H a, H b) { return H((f32)a + (f32)b); }                                         \
        friend H operator-(H a, H b) { return H((f32)a - (f32)b); }                                         \
        friend H operator*(H a, H b) { return H((f32)a * (f32)b); }                                         \
        friend H operator/(H a, H b) { return H((f32)a / (f32)b); }                                         \
        friend bool operator==(H a, H b) { return (f32)a == (f32)b; }                                       \
        friend bool operator!=(H a, H b) { return (f32)a != (f32)b; }                                       \
        friend bool operator<(H a, H b) { return (f32)a < (f32)b; }                                         \
        friend bool operator<=(H a, H b) { return (f32)a <= (f32)b; }                                       \
        friend bool operator>(H a, H b) { return (f32)a > (f32)b; }                                         \
        friend bool operator>=(H a, H b) { return (f32)a >= (f32)b; }                                       \
    };
HALF_TYPE(f16)
HALF_TYPE(bf16)
#undef HALF_TYPE

// The conversion to f32 rounded to odd: what is not exact gets an odd last digit, so that rounding to 16 bits
// afterwards is as if there had been one rounding only.
inline f32 rounded_to_odd(f64 x) {
    f32 nearest = (f32)x;
    f64 back = nearest, magnitude = x < 0 ? -x : x;
    if (back == x || x != x) return nearest;
    u32 toward_zero = to_bits(nearest) - ((back < 0 ? -back : back) > magnitude ? 1 : 0);
    return from_bits(toward_zero | 1);
}

// An integer's magnitude in f64, the digits below its precision folded into one that stays.
inline f64 folded(u64 magnitude) {
    if (magnitude >> 53 == 0) return (f64)magnitude;
    return (f64)((magnitude | ((magnitude & 0x7ff) != 0 ? 0x800 : 0)) & ~0x7ffull);
}

// To a 16-bit float, rounded once.
template <class To, class From> To narrowed(From x) {
    if constexpr (same<From, f64>) return To(rounded_to_odd(x));
    else if constexpr (same<From, i64>)
        return To(rounded_to_odd(x < 0 ? -folded(0 - (u64)x) : folded((u64)x)));
    else if constexpr (same<From, u64>) return To(rounded_to_odd(folded(x)));
    else if constexpr (same<From, i32> || same<From, u32>) return To(rounded_to_odd((f64)x));
    else return To((f32)x);
}
