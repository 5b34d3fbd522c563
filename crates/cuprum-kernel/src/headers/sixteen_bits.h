// The bits of half and bfloat16 numbers: conversions and atomic additions, by what the compiler at hand has.
#ifndef __CUPRUM_SIXTEEN_BITS_H
#define __CUPRUM_SIXTEEN_BITS_H
// To [0, 1], NaN to 0.
__device__ inline float __cuprum_unit(float x) { return x != x ? 0.0f : x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }
#ifndef __CUPRUM_CPU__
// Rounded to float so that rounding once more to 16 bits is as if there had been one rounding: what is not exact gets
// an odd last digit.
__device__ inline float __cuprum_to_odd(double x) {
    float nearest = (float)x;
    double back = (double)nearest;
    if (back == x || x != x) return nearest;
    unsigned int bits = __float_as_uint(nearest) - (fabs(back) > fabs(x) ? 1u : 0u);
    return __uint_as_float(bits | 1u);
}
__device__ inline float __cuprum_bfloat_to_float(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
__device__ inline unsigned short __cuprum_float_to_bfloat(float x) {
    unsigned int bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#ifdef __CUDACC__
__device__ inline float __cuprum_half_to_float(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
__device__ inline unsigned short __cuprum_float_to_half(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
#else
__device__ inline float __cuprum_half_to_float(unsigned short bits) {
    unsigned int magnitude = bits & 0x7fffu, sign = (unsigned int)(bits & 0x8000u) << 16;
    // Two to the minus 24th is the unit of the subnormals.
    float small = (float)(int)magnitude * __uint_as_float((127u - 24u) << 23);
    unsigned int normal = (magnitude << 13) + ((127u - 15u) << 23);
    unsigned int special = 0x7f800000u | (magnitude & 0x3ffu) << 13 | (magnitude > 0x7c00u ? 1u << 22 : 0u);
    unsigned int finite = magnitude < 0x400u ? __float_as_uint(small) : normal;
    return __uint_as_float((magnitude >= 0x7c00u ? special : finite) | sign);
}
__device__ inline unsigned short __cuprum_float_to_half(float x) {
    unsigned int bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
    unsigned int normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - ((127u - 15u) << 23)) >> 13;
    // Adding one half leaves the subnormal's digits, rounded by the addition itself, in the low bits.
    unsigned int small = __float_as_uint(__uint_as_float(magnitude) + 0.5f) - __float_as_uint(0.5f);
    unsigned int finite = magnitude < 0x38800000u ? small : normal;
    if (magnitude > 0x7f800000u) return 0x7fff;
    return (unsigned short)((magnitude >= 0x47800000u ? 0x7c00u : finite) | sign);
}
#endif
__device__ inline unsigned short __cuprum_double_to_half(double x) { return __cuprum_float_to_half(__cuprum_to_odd(x)); }
__device__ inline unsigned short __cuprum_double_to_bfloat(double x) {
    return __cuprum_float_to_bfloat(__cuprum_to_odd(x));
}

#define __CUPRUM_ADD_BITS(name, widen, narrow)                                                              \
    __device__ inline unsigned short name(unsigned short* p, unsigned short value) {                        \
        unsigned short seen = *(volatile unsigned short*)p, old;                                            \
        do {                                                                                                \
            old = seen;                                                                                     \
            seen = atomicCAS(p, old, narrow(widen(old) + widen(value)));                                    \
        } while (seen != old);                                                                              \
        return old;                                                                                         \
    }                                                                                                       \
    __device__ inline unsigned int name(unsigned int* p, unsigned int value) {                              \
        unsigned int seen = *(volatile unsigned int*)p, old;                                                \
        do {                                                                                                \
            old = seen;                                                                                     \
            unsigned int low = narrow(widen((unsigned short)old) + widen((unsigned short)value));           \
            unsigned int high = narrow(widen((unsigned short)(old >> 16)) + widen((unsigned short)(value >> 16))); \
            seen = atomicCAS(p, old, low | high << 16);                                                     \
        } while (seen != old);                                                                              \
        return old;                                                                                         \
    }
__CUPRUM_ADD_BITS(__cuprum_atomic_add_half, __cuprum_half_to_float, __cuprum_float_to_half)
__CUPRUM_ADD_BITS(__cuprum_atomic_add_bfloat, __cuprum_bfloat_to_float, __cuprum_float_to_bfloat)
#undef __CUPRUM_ADD_BITS
#endif
#endif
