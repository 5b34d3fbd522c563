// cuda_fp16.h: __half, __half2 and their functions.
#ifndef __CUPRUM_CUDA_FP16_H
#define __CUPRUM_CUDA_FP16_H
#include <cuprum/sixteen_bits.h>
#define __CUPRUM_H __half
#define __CUPRUM_H2 __half2
#define __CUPRUM_WIDEN __cuprum_half_to_float
#define __CUPRUM_NARROW __cuprum_float_to_half
#define __CUPRUM_NARROW_DOUBLE __cuprum_double_to_half
#define __CUPRUM_ATOMIC_ADD __cuprum_atomic_add_half
#define __CUPRUM_H_OF_BITS __ushort_as_half
#define __CUPRUM_H2_OF_WORD __cuprum_half2_of_word
#define __CUPRUM_ONE 0x3c00
#define __CUPRUM_INF 0x7c00
#include <cuprum/sixteen_body.h>
#undef __CUPRUM_H
#undef __CUPRUM_H2
#undef __CUPRUM_WIDEN
#undef __CUPRUM_NARROW
#undef __CUPRUM_NARROW_DOUBLE
#undef __CUPRUM_ATOMIC_ADD
#undef __CUPRUM_H_OF_BITS
#undef __CUPRUM_H2_OF_WORD
#undef __CUPRUM_ONE
#undef __CUPRUM_INF
typedef __half half;
typedef __half2 half2;
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

__device__ inline __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__device__ inline unsigned short __half_as_ushort(__half a) { return a.__x; }
__device__ inline short __half_as_short(__half a) { return (short)a.__x; }
__device__ inline float __half2float(__half a) { return __cuprum_float(a); }
__device__ inline __half __float2half(float x) { return __half(x); }
__device__ inline __half __float2half_rn(float x) { return __half(x); }
__device__ inline __half __double2half(double x) { return __half(x); }
// The half number next to `a` in its direction where `exact` lies beyond it.
__device__ inline __half __cuprum_directed(double exact, bool up, bool down) {
    __half a = __half(exact);
    double back = (double)__cuprum_float(a);
    bool negative = (a.__x & 0x8000) != 0;
    if (exact > back && up) {
        if (a.__x == 0x8000) return __ushort_as_half(1);
        return __ushort_as_half((unsigned short)(negative ? a.__x - 1 : a.__x + 1));
    }
    if (exact < back && down) {
        if (a.__x == 0) return __ushort_as_half(0x8001);
        return __ushort_as_half((unsigned short)(negative ? a.__x + 1 : a.__x - 1));
    }
    return a;
}
__device__ inline __half __float2half_rz(float x) { return __cuprum_directed((double)x, x < 0.0f, x > 0.0f); }
__device__ inline __half __float2half_ru(float x) { return __cuprum_directed((double)x, true, false); }
__device__ inline __half __float2half_rd(float x) { return __cuprum_directed((double)x, false, true); }

__device__ inline __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__device__ inline __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__device__ inline __half2 __half2half2(__half a) { return __half2(a, a); }
__device__ inline __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
__device__ inline __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
__device__ inline __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
__device__ inline float2 __half22float2(__half2 a) { return make_float2(__cuprum_float(a.x), __cuprum_float(a.y)); }
__device__ inline __half __low2half(__half2 a) { return a.x; }
__device__ inline __half __high2half(__half2 a) { return a.y; }
__device__ inline __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__device__ inline __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__device__ inline __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__device__ inline __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

#define __CUPRUM_TO(type, name)                                                                          \
    __device__ inline type __half2##name##_rn(__half a) { return __float2##name##_rn(__cuprum_float(a)); } \
    __device__ inline type __half2##name##_rz(__half a) { return __float2##name##_rz(__cuprum_float(a)); } \
    __device__ inline type __half2##name##_ru(__half a) { return __float2##name##_ru(__cuprum_float(a)); } \
    __device__ inline type __half2##name##_rd(__half a) { return __float2##name##_rd(__cuprum_float(a)); }
__CUPRUM_TO(int, int)
__CUPRUM_TO(unsigned int, uint)
__CUPRUM_TO(long long, ll)
__CUPRUM_TO(unsigned long long, ull)
#undef __CUPRUM_TO
__device__ inline __half __int2half_rn(int x) { return __half(x); }
__device__ inline __half __uint2half_rn(unsigned int x) { return __half(x); }
__device__ inline __half __short2half_rn(short x) { return __half(x); }
__device__ inline __half __ushort2half_rn(unsigned short x) { return __half(x); }
__device__ inline __half __ll2half_rn(long long x) { return __half(x); }
__device__ inline __half __ull2half_rn(unsigned long long x) { return __half(x); }
__device__ inline __half __int2half_rz(int x) { return __cuprum_directed((double)x, x < 0, x > 0); }
__device__ inline __half __int2half_ru(int x) { return __cuprum_directed((double)x, true, false); }
__device__ inline __half __int2half_rd(int x) { return __cuprum_directed((double)x, false, true); }
#endif
