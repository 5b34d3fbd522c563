// cuComplex.h: complex numbers as float2 and double2.
#ifndef __CUPRUM_CUCOMPLEX_H
#define __CUPRUM_CUCOMPLEX_H
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// For real numbers of one type: the functions of both precisions. Quotients and moduli neither overflow nor underflow
// on the way: the larger of the divisor's parts is divided out first.
#define __CUPRUM_COMPLEX(real, complex, f, make, abs, hypot)                                            \
    __host__ __device__ static __inline__ real cuCreal##f(complex z) { return z.x; }                    \
    __host__ __device__ static __inline__ real cuCimag##f(complex z) { return z.y; }                    \
    __host__ __device__ static __inline__ complex make(real r, real i) {                                \
        complex z;                                                                                      \
        z.x = r;                                                                                        \
        z.y = i;                                                                                        \
        return z;                                                                                       \
    }                                                                                                   \
    __host__ __device__ static __inline__ complex cuConj##f(complex z) { return make(z.x, -z.y); }      \
    __host__ __device__ static __inline__ complex cuCadd##f(complex a, complex b) {                     \
        return make(a.x + b.x, a.y + b.y);                                                              \
    }                                                                                                   \
    __host__ __device__ static __inline__ complex cuCsub##f(complex a, complex b) {                     \
        return make(a.x - b.x, a.y - b.y);                                                              \
    }                                                                                                   \
    __host__ __device__ static __inline__ complex cuCmul##f(complex a, complex b) {                     \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                      \
    }                                                                                                   \
    __host__ __device__ static __inline__ complex cuCdiv##f(complex a, complex b) {                     \
        real scale = abs(b.x) + abs(b.y), inverse = real(1) / scale;                                    \
        real ax = a.x * inverse, ay = a.y * inverse, bx = b.x * inverse, by = b.y * inverse;            \
        real square = bx * bx + by * by, factor = real(1) / square;                                     \
        return make((ax * bx + ay * by) * factor, (ay * bx - ax * by) * factor);                        \
    }                                                                                                   \
    __host__ __device__ static __inline__ real cuCabs##f(complex z) { return hypot(z.x, z.y); }         \
    __host__ __device__ static __inline__ complex cuCfma##f(complex a, complex b, complex c) {          \
        return make(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                          \
    }
__CUPRUM_COMPLEX(float, cuFloatComplex, f, make_cuFloatComplex, fabsf, hypotf)
__CUPRUM_COMPLEX(double, cuDoubleComplex, , make_cuDoubleComplex, fabs, hypot)
#undef __CUPRUM_COMPLEX

__host__ __device__ static __inline__ cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
__host__ __device__ static __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return make_cuDoubleComplex((double)z.x, (double)z.y);
}
__host__ __device__ static __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#endif
