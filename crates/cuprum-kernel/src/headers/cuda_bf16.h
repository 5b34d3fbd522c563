// cuda_bf16.h: __nv_bfloat16, __nv_bfloat162 and their functions.
#ifndef __CUPRUM_CUDA_BF16_H
#define __CUPRUM_CUDA_BF16_H
#include <cuprum/sixteen_bits.h>
#define __CUPRUM_H __nv_bfloat16
#define __CUPRUM_H2 __nv_bfloat162
#define __CUPRUM_WIDEN __cuprum_bfloat_to_float
#define __CUPRUM_NARROW __cuprum_float_to_bfloat
#define __CUPRUM_NARROW_DOUBLE __cuprum_double_to_bfloat
#define __CUPRUM_ATOMIC_ADD __cuprum_atomic_add_bfloat
#define __CUPRUM_H_OF_BITS __ushort_as_bfloat16
#define __CUPRUM_H2_OF_WORD __cuprum_bfloat162_of_word
#define __CUPRUM_ONE 0x3f80
#define __CUPRUM_INF 0x7f80
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
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__device__ inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }
__device__ inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
__device__ inline short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
__device__ inline float __bfloat162float(__nv_bfloat16 a) { return __cuprum_float(a); }
__device__ inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
__device__ inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
__device__ inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
__device__ inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
__device__ inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
__device__ inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
__device__ inline __nv_bfloat162 __float2bfloat162_rn(float x) {
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
__device__ inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
__device__ inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__device__ inline float2 __bfloat1622float2(__nv_bfloat162 a) {
    return make_float2(__cuprum_float(a.x), __cuprum_float(a.y));
}
__device__ inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__device__ inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__device__ inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
__device__ inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
__device__ inline int __bfloat162int_rn(__nv_bfloat16 a) { return __float2int_rn(__cuprum_float(a)); }
__device__ inline int __bfloat162int_rz(__nv_bfloat16 a) { return __float2int_rz(__cuprum_float(a)); }
__device__ inline unsigned int __bfloat162uint_rn(__nv_bfloat16 a) { return __float2uint_rn(__cuprum_float(a)); }
__device__ inline unsigned int __bfloat162uint_rz(__nv_bfloat16 a) { return __float2uint_rz(__cuprum_float(a)); }
__device__ inline __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
__device__ inline __nv_bfloat16 __uint2bfloat16_rn(unsigned int x) { return __nv_bfloat16(x); }
#endif
