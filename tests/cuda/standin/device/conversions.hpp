// Conversions with a named rounding, saturating as the GPU's are, and arithmetic with a named rounding.
#pragma once

extern "C" int fesetround(int);

namespace standin {

#if defined(__x86_64__)
constexpr int nearest = 0, down = 0x400, up = 0x800, to_zero = 0xc00;
#elif defined(__aarch64__)
constexpr int nearest = 0, up = 0x400000, down = 0x800000, to_zero = 0xc00000;
#endif

// Keeps the compiler from moving or folding arithmetic across a change of rounding.
template <class T> inline T held(T value) {
    T volatile v = value;
    return v;
}

struct Rounding {
    explicit Rounding(int mode) { fesetround(mode); }
    ~Rounding() { fesetround(nearest); }
};

inline double rounded_rn(double x) { return __builtin_rint(x); }
inline double rounded_rz(double x) { return __builtin_trunc(x); }
inline double rounded_ru(double x) { return __builtin_ceil(x); }
inline double rounded_rd(double x) { return __builtin_floor(x); }

// A NaN becomes 0 in 32 bits and the top bit in 64, as cvt has it.
template <class To> inline To saturated(double x) {
    constexpr bool is_signed = To(-1) < To(0);
    constexpr int bits = sizeof(To) * 8 - is_signed;
    if (x != x) return sizeof(To) == 8 ? To(1ull << 63) : To(0);
    double limit = __builtin_ldexp(1.0, bits);
    if (x >= limit) return is_signed ? To((1ull << bits) - 1) : To(~0ull);
    if (x < (is_signed ? -limit : 0.0)) return is_signed ? To(1ull << bits) : To(0);
    return To(x);
}

}  // namespace standin

#define STANDIN_TO_INT(from, fname, to, tname)                                                               \
    inline to __##fname##2##tname##_rn(from x) { return standin::saturated<to>(standin::rounded_rn(x)); }     \
    inline to __##fname##2##tname##_rz(from x) { return standin::saturated<to>(standin::rounded_rz(x)); }     \
    inline to __##fname##2##tname##_ru(from x) { return standin::saturated<to>(standin::rounded_ru(x)); }     \
    inline to __##fname##2##tname##_rd(from x) { return standin::saturated<to>(standin::rounded_rd(x)); }
STANDIN_TO_INT(float, float, int, int)
STANDIN_TO_INT(float, float, unsigned, uint)
STANDIN_TO_INT(float, float, long long, ll)
STANDIN_TO_INT(float, float, unsigned long long, ull)
STANDIN_TO_INT(double, double, int, int)
STANDIN_TO_INT(double, double, unsigned, uint)
STANDIN_TO_INT(double, double, long long, ll)
STANDIN_TO_INT(double, double, unsigned long long, ull)
#undef STANDIN_TO_INT

#define STANDIN_ROUNDED_ONE(suffix, mode, to, name, from)                                                    \
    inline to name##suffix(from x) {                                                                         \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(static_cast<to>(standin::held(x)));                                             \
    }
#define STANDIN_TO_FLOAT(to, name, from)                                                                     \
    inline to name##_rn(from x) { return static_cast<to>(x); }                                               \
    STANDIN_ROUNDED_ONE(_rz, to_zero, to, name, from)                                                        \
    STANDIN_ROUNDED_ONE(_ru, up, to, name, from)                                                             \
    STANDIN_ROUNDED_ONE(_rd, down, to, name, from)
STANDIN_TO_FLOAT(float, __int2float, int)
STANDIN_TO_FLOAT(float, __uint2float, unsigned)
STANDIN_TO_FLOAT(float, __ll2float, long long)
STANDIN_TO_FLOAT(float, __ull2float, unsigned long long)
STANDIN_TO_FLOAT(double, __ll2double, long long)
STANDIN_TO_FLOAT(double, __ull2double, unsigned long long)
STANDIN_TO_FLOAT(float, __double2float, double)
#undef STANDIN_TO_FLOAT
#undef STANDIN_ROUNDED_ONE
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

#define STANDIN_ARITHMETIC_ONE(suffix, mode, type, prefix, letter, fma, sqrt)                                \
    inline type prefix##add_##suffix(type a, type b) {                                                       \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(standin::held(a) + standin::held(b));                                           \
    }                                                                                                        \
    inline type prefix##sub_##suffix(type a, type b) {                                                       \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(standin::held(a) - standin::held(b));                                           \
    }                                                                                                        \
    inline type prefix##mul_##suffix(type a, type b) {                                                       \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(standin::held(a) * standin::held(b));                                           \
    }                                                                                                        \
    inline type prefix##div_##suffix(type a, type b) {                                                       \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(standin::held(a) / standin::held(b));                                           \
    }                                                                                                        \
    inline type prefix##rcp_##suffix(type a) {                                                               \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(standin::held(type(1)) / standin::held(a));                                     \
    }                                                                                                        \
    inline type prefix##sqrt_##suffix(type a) {                                                              \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(sqrt(standin::held(a)));                                                        \
    }                                                                                                        \
    inline type __fma##letter##_##suffix(type a, type b, type c) {                                           \
        standin::Rounding rounding(standin::mode);                                                           \
        return standin::held(fma(standin::held(a), standin::held(b), standin::held(c)));                     \
    }
#define STANDIN_ARITHMETIC(type, prefix, letter, fma, sqrt)                                                  \
    inline type prefix##add_rn(type a, type b) { return a + b; }                                             \
    inline type prefix##sub_rn(type a, type b) { return a - b; }                                             \
    inline type prefix##mul_rn(type a, type b) { return a * b; }                                             \
    inline type prefix##div_rn(type a, type b) { return a / b; }                                             \
    inline type prefix##rcp_rn(type a) { return type(1) / a; }                                               \
    inline type prefix##sqrt_rn(type a) { return sqrt(a); }                                                  \
    inline type __fma##letter##_rn(type a, type b, type c) { return fma(a, b, c); }                          \
    STANDIN_ARITHMETIC_ONE(rz, to_zero, type, prefix, letter, fma, sqrt)                                     \
    STANDIN_ARITHMETIC_ONE(ru, up, type, prefix, letter, fma, sqrt)                                          \
    STANDIN_ARITHMETIC_ONE(rd, down, type, prefix, letter, fma, sqrt)
STANDIN_ARITHMETIC(float, __f, f, __builtin_fmaf, __builtin_sqrtf)
STANDIN_ARITHMETIC(double, __d, , __builtin_fma, __builtin_sqrt)
#undef STANDIN_ARITHMETIC
#undef STANDIN_ARITHMETIC_ONE
inline float __frsqrt_rn(float x) { return float(1.0 / __builtin_sqrt(double(x))); }
