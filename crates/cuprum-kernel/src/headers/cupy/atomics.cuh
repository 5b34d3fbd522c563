// cupy/atomics.cuh: what CUDA's atomics lack.
#ifndef CUPRUM_ATOMICS_CUH
#define CUPRUM_ATOMICS_CUH
#include <cupy/float16.cuh>
__device__ inline long long atomicAdd(long long* p, long long value) {
    return (long long)atomicAdd((unsigned long long*)p, (unsigned long long)value);
}
// A NaN gives way to a number, as in fmin and fmax.
#define CUPRUM_ATOMIC(name, Float, Bits, choose, as_bits, as_float)             \
    __device__ inline Float name(Float* p, Float value) {                       \
        Bits* bits = (Bits*)p;                                                  \
        Bits seen = *(volatile Bits*)bits, old;                                 \
        do {                                                                    \
            old = seen;                                                         \
            seen = atomicCAS(bits, old, (Bits)as_bits(choose(value, as_float(old)))); \
        } while (seen != old);                                                  \
        return as_float(old);                                                   \
    }
CUPRUM_ATOMIC(atomicMax, float, unsigned int, fmaxf, __float_as_uint, __uint_as_float)
CUPRUM_ATOMIC(atomicMin, float, unsigned int, fminf, __float_as_uint, __uint_as_float)
CUPRUM_ATOMIC(atomicMax, double, unsigned long long, fmax, __double_as_longlong, __longlong_as_double)
CUPRUM_ATOMIC(atomicMin, double, unsigned long long, fmin, __double_as_longlong, __longlong_as_double)
#undef CUPRUM_ATOMIC
#endif
