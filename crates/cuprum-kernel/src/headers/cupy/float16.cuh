// cupy/float16.cuh: a 16-bit float, stored so and computed as float. For NVRTC and for Cuprum's own compiler alike.
#ifndef CUPRUM_FLOAT16_CUH
#define CUPRUM_FLOAT16_CUH
struct float16 {
    unsigned short data_;

    __device__ float16() {}
    __device__ float16(float x) : data_(narrow(x)) {}
    __device__ float16(double x) : data_(narrow((float)x)) {}
    __device__ float16(int x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned int x) : data_(narrow((float)x)) {}
    __device__ float16(long x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned long x) : data_(narrow((float)x)) {}
    __device__ float16(long long x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned long long x) : data_(narrow((float)x)) {}
    __device__ float16(bool x) : data_(narrow(x ? 1.0f : 0.0f)) {}
    __device__ operator float() const { return widen(data_); }
    __device__ float16& operator+=(float x) { return *this = float16((float)*this + x); }
    __device__ float16& operator-=(float x) { return *this = float16((float)*this - x); }
    __device__ float16& operator*=(float x) { return *this = float16((float)*this * x); }
    __device__ float16& operator/=(float x) { return *this = float16((float)*this / x); }

    // A number by its bits, and the bits of a number.
    static __device__ float16 from_bits(unsigned short bits) {
        float16 x;
        x.data_ = bits;
        return x;
    }
    __device__ unsigned short to_bits() const { return data_; }
    __device__ int iszero() const { return (data_ & 0x7fff) == 0; }
    __device__ int isnan() const { return (data_ & 0x7fff) > 0x7c00; }
    __device__ int isinf() const { return (data_ & 0x7fff) == 0x7c00; }
    __device__ int isfinite() const { return (data_ & 0x7fff) < 0x7c00; }
    __device__ int signbit() const { return data_ >> 15; }

    static __device__ float widen(unsigned short bits) {
#if defined(__CUDACC__) && !defined(__CUPRUM_CPU__)
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
#else
        unsigned int magnitude = bits & 0x7fffu, sign = (unsigned int)(bits & 0x8000u) << 16;
        if (magnitude >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
        // Two to the minus 24th is the unit of the subnormals.
        if (magnitude < 0x400u)
            return __uint_as_float(__float_as_uint((float)magnitude * __uint_as_float(103u << 23)) | sign);
        return __uint_as_float(sign | ((magnitude << 13) + (112u << 23)));
#endif
    }

    static __device__ unsigned short narrow(float x) {
#if defined(__CUDACC__) && !defined(__CUPRUM_CPU__)
        unsigned short bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
        return bits;
#else
        unsigned int bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
        // A GPU knows one NaN.
        if (magnitude > 0x7f800000u) return (unsigned short)0x7fffu;
        if (magnitude >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
        // Adding one half leaves the subnormal's digits, rounded by the addition itself, in the low bits.
        if (magnitude < 0x38800000u)
            return (unsigned short)(sign | (__float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000u));
        return (unsigned short)(sign | ((magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13));
#endif
    }
};

__device__ inline float16 min(float16 a, float16 b) { return (float)a < (float)b ? a : b; }
__device__ inline float16 max(float16 a, float16 b) { return (float)a > (float)b ? a : b; }
__device__ inline float16 fmin(float16 a, float16 b) { return float16(fminf((float)a, (float)b)); }
__device__ inline float16 fmax(float16 a, float16 b) { return float16(fmaxf((float)a, (float)b)); }
__device__ inline int iszero(float16 x) { return x.iszero(); }
__device__ inline bool isnan(float16 x) { return x.isnan(); }
__device__ inline bool isinf(float16 x) { return x.isinf(); }
__device__ inline bool isfinite(float16 x) { return x.isfinite(); }
__device__ inline bool signbit(float16 x) { return x.signbit(); }
__device__ inline float16 copysign(float16 x, float16 sign) {
    return float16::from_bits((unsigned short)((x.data_ & 0x7fff) | (sign.data_ & 0x8000)));
}
// The next number from x towards y.
__device__ inline float16 nextafter(float16 x, float16 y) {
    if (x.isnan() || y.isnan()) return float16::from_bits(0x7e00);
    if ((float)x == (float)y) return x;
    if (x.iszero()) return float16::from_bits((unsigned short)((y.data_ & 0x8000) | 1));
    bool outwards = ((float)x < (float)y) == !x.signbit();
    return float16::from_bits((unsigned short)(outwards ? x.data_ + 1 : x.data_ - 1));
}

// The sum is rounded once. On a GPU, 16 bits can be compared and swapped.
__device__ inline float16 atomicAdd(float16* p, float16 value) {
    unsigned short* bits = (unsigned short*)p;
    unsigned short seen = *(volatile unsigned short*)bits, old;
    do {
        old = seen;
        seen = atomicCAS(bits, old, float16::narrow(float16::widen(old) + (float)value));
    } while (seen != old);
    return float16::from_bits(old);
}
#endif
