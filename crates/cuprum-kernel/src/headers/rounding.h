// Arithmetic and conversions rounded up, down and to zero. Each takes the result rounded to nearest, finds on which
// side of it the exact one lies, and goes to the neighbour on that side where the rounding asks for it.
#ifndef __CUPRUM_ROUNDING_H
#define __CUPRUM_ROUNDING_H
#ifdef __CUPRUM_CPU__
enum __cuprum_rounding { __cuprum_rz, __cuprum_ru, __cuprum_rd };

// Whether to step up (1), down (-1) or not at all from r, if exact - r has the sign of `side`.
template <class T> __device__ inline int __cuprum_step(T r, double side, int mode) {
    if (side > 0.0) return mode == __cuprum_ru || (mode == __cuprum_rz && r < T(0)) ? 1 : 0;
    if (side < 0.0) return mode == __cuprum_rd || (mode == __cuprum_rz && r > T(0)) ? -1 : 0;
    return 0;
}
__device__ inline float __cuprum_rounded(float r, double side, int mode) {
    int step = __cuprum_step(r, side, mode);
    return step == 0 ? r : nextafterf(r, step > 0 ? __int_as_float(0x7f800000) : __int_as_float(0xff800000));
}
__device__ inline double __cuprum_rounded(double r, double side, int mode) {
    int step = __cuprum_step(r, side, mode);
    double infinite = __longlong_as_double(0x7ff0000000000000ll);
    return step == 0 ? r : nextafter(r, step > 0 ? infinite : -infinite);
}

// What rounding a + b to `sum` lost, exactly.
__device__ inline double __cuprum_lost(double a, double b, double sum) {
    double added = sum - a;
    return (a - (sum - added)) + (b - added);
}
// A sum that is zero is -0 where rounded down, unless both terms are +0.
template <class T> __device__ inline T __cuprum_zero_sum(T a, T b, T sum, int mode) {
    if (sum != T(0) || mode != __cuprum_rd) return sum;
    return signbit(a) || signbit(b) ? -T(0) : T(0);
}

// Of floats: double holds their products exactly, and their sums with what is lost beside it.
__device__ inline float __cuprum_narrow(double x, double rest, int mode) {
    float r = (float)x;
    double side = x - (double)r;
    return __cuprum_rounded(r, side != 0.0 ? side : rest, mode);
}
__device__ inline float __cuprum_add(float a, float b, int mode) {
    double x = (double)a, y = (double)b, sum = x + y;
    return __cuprum_zero_sum(a, b, __cuprum_narrow(sum, __cuprum_lost(x, y, sum), mode), mode);
}
__device__ inline float __cuprum_mul(float a, float b, int mode) {
    return __cuprum_narrow((double)a * (double)b, 0.0, mode);
}
__device__ inline float __cuprum_div(float a, float b, int mode) {
    float r = a / b;
    if (!isfinite(a) || !isfinite(b) || b == 0.0f) return r;
    if (!isfinite(r)) return __cuprum_rounded(r, r > 0.0f ? -1.0 : 1.0, mode);
    double side = fma(-(double)r, (double)b, (double)a);
    return __cuprum_rounded(r, b < 0.0f ? -side : side, mode);
}
__device__ inline float __cuprum_sqrt(float a, int mode) {
    float r = sqrtf(a);
    return isfinite(r) ? __cuprum_rounded(r, fma(-(double)r, (double)r, (double)a), mode) : r;
}
__device__ inline float __cuprum_fma(float a, float b, float c, int mode) {
    double product = (double)a * (double)b, z = (double)c, sum = product + z;
    float r = __cuprum_narrow(sum, __cuprum_lost(product, z, sum), mode);
    if (r != 0.0f || sum != 0.0 || mode != __cuprum_rd) return r;
    return signbit(product) || signbit(z) ? -0.0f : 0.0f;
}

// Of doubles: what is lost is found by fma, after numbers near the ends of the range are scaled away from them.
__device__ inline double __cuprum_add(double a, double b, int mode) {
    double r = a + b;
    if (!isfinite(a) || !isfinite(b)) return r;
    if (!isfinite(r)) return __cuprum_rounded(r, r > 0.0 ? -1.0 : 1.0, mode);
    return __cuprum_zero_sum(a, b, __cuprum_rounded(r, __cuprum_lost(a, b, r), mode), mode);
}
__device__ inline double __cuprum_mul(double a, double b, int mode) {
    const double lift = 1.3407807929942597e154;  // 2^512
    double r = a * b;
    if (!isfinite(a) || !isfinite(b) || a == 0.0 || b == 0.0) return r;
    if (!isfinite(r)) return __cuprum_rounded(r, r > 0.0 ? -1.0 : 1.0, mode);
    if (r == 0.0) return __cuprum_rounded(r, signbit(r) ? -1.0 : 1.0, mode);
    if (fabs(r) > 1e-250) return __cuprum_rounded(r, fma(a, b, -r), mode);
    double small = fabs(a) < fabs(b) ? a : b, large = fabs(a) < fabs(b) ? b : a;
    return __cuprum_rounded(r, fma(small * lift, large, -(r * lift)), mode);
}
__device__ inline double __cuprum_div(double a, double b, int mode) {
    const double lift = 3.2733906078961419e150;  // 2^500
    double r = a / b;
    if (!isfinite(a) || !isfinite(b) || b == 0.0 || a == 0.0) return r;
    if (!isfinite(r)) return __cuprum_rounded(r, r > 0.0 ? -1.0 : 1.0, mode);
    if (r == 0.0) return __cuprum_rounded(r, signbit(r) ? -1.0 : 1.0, mode);
    bool negative = b < 0.0;
    if (fabs(b) < lift && fabs(a) < lift) {
        a *= lift;
        b *= lift;
    }
    double side = fma(-r, b, a);
    return __cuprum_rounded(r, negative ? -side : side, mode);
}
__device__ inline double __cuprum_sqrt(double a, int mode) {
    double r = sqrt(a);
    if (!isfinite(r) || r == 0.0) return r;
    if (a > 1e-280) return __cuprum_rounded(r, fma(-r, r, a), mode);
    double lifted = r * 18014398509481984.0;  // 2^54
    return __cuprum_rounded(r, fma(-lifted, lifted, a * 324518553658426726783156020576256.0), mode);
}
// The sign of p + q + c - r, by an expansion that loses nothing.
__device__ inline double __cuprum_side(double p, double q, double c, double r) {
    double terms[4], next[4] = {q, p, c, -r};
    for (int i = 0; i < 4; ++i) {
        double x = next[i];
        for (int k = 0; k < i; ++k) {
            double sum = x + terms[k];
            terms[k] = __cuprum_lost(x, terms[k], sum);
            x = sum;
        }
        terms[i] = x;
    }
    for (int i = 3; i > 0; --i) {
        if (terms[i] != 0.0) return terms[i];
    }
    return terms[0];
}
__device__ inline double __cuprum_fma(double a, double b, double c, int mode) {
    double r = fma(a, b, c);
    if (!isfinite(a) || !isfinite(b) || !isfinite(c)) return r;
    if (!isfinite(r)) return __cuprum_rounded(r, r > 0.0 ? -1.0 : 1.0, mode);
    double product = a * b;
    if (a == 0.0 || b == 0.0) return __cuprum_zero_sum(product, c, r, mode);
    double small = fabs(a) < fabs(b) ? a : b, large = fabs(a) < fabs(b) ? b : a, scaled_r = r;
    if (fabs(product) < 1e-270) {
        if (fabs(c) > 1e-240) {
            // Too small to matter beside c but for its sign.
            return __cuprum_rounded(r, __cuprum_side(product < 0.0 || signbit(product) ? -1e-300 : 1e-300, 0.0, c, r), mode);
        }
        const double lift = 1.3407807929942597e154;  // 2^512
        small *= lift;
        c *= lift;
        scaled_r *= lift;
        if (fabs(small * large) < 1e-270) {
            // Less than the smallest number: only the sign of the product is seen.
            bool negative = signbit(small) != signbit(large);
            return __cuprum_rounded(r, __cuprum_side(negative ? -1e-300 : 1e-300, 0.0, c, scaled_r), mode);
        }
    } else if (!isfinite(product) || fabs(product) > 1e300) {
        const double lower = 2.4099198651028841e-181;  // 2^-600
        large *= lower;
        c = c == 0.0 ? c : fabs(c) < 1.0 ? copysign(4.9090934652977266e-91, c) : c * lower;
        scaled_r *= lower;
    }
    double p = small * large, q = fma(small, large, -p);
    double result = __cuprum_rounded(r, __cuprum_side(p, q, c, scaled_r), mode);
    return r == 0.0 && result == 0.0 && __cuprum_side(p, q, c, 0.0) == 0.0 && mode == __cuprum_rd ? -0.0 : result;
}

// Of integers: which side the exact number lies on is found by comparing integers.
__device__ inline double __cuprum_side(long long x, double r) {
    if (r >= 9223372036854775808.0) return -1.0;
    long long back = (long long)r;
    return x > back ? 1.0 : x < back ? -1.0 : 0.0;
}
__device__ inline double __cuprum_side(unsigned long long x, double r) {
    if (r >= 18446744073709551616.0) return -1.0;
    unsigned long long back = (unsigned long long)r;
    return x > back ? 1.0 : x < back ? -1.0 : 0.0;
}

#define __CUPRUM_DIRECTED(mode)                                                                                     \
    __device__ inline float __fadd_##mode(float a, float b) { return __cuprum_add(a, b, __cuprum_##mode); }         \
    __device__ inline float __fsub_##mode(float a, float b) { return __cuprum_add(a, -b, __cuprum_##mode); }        \
    __device__ inline float __fmul_##mode(float a, float b) { return __cuprum_mul(a, b, __cuprum_##mode); }         \
    __device__ inline float __fdiv_##mode(float a, float b) { return __cuprum_div(a, b, __cuprum_##mode); }         \
    __device__ inline float __frcp_##mode(float a) { return __cuprum_div(1.0f, a, __cuprum_##mode); }               \
    __device__ inline float __fsqrt_##mode(float a) { return __cuprum_sqrt(a, __cuprum_##mode); }                   \
    __device__ inline float __fmaf_##mode(float a, float b, float c) { return __cuprum_fma(a, b, c, __cuprum_##mode); } \
    __device__ inline double __dadd_##mode(double a, double b) { return __cuprum_add(a, b, __cuprum_##mode); }      \
    __device__ inline double __dsub_##mode(double a, double b) { return __cuprum_add(a, -b, __cuprum_##mode); }     \
    __device__ inline double __dmul_##mode(double a, double b) { return __cuprum_mul(a, b, __cuprum_##mode); }      \
    __device__ inline double __ddiv_##mode(double a, double b) { return __cuprum_div(a, b, __cuprum_##mode); }      \
    __device__ inline double __drcp_##mode(double a) { return __cuprum_div(1.0, a, __cuprum_##mode); }              \
    __device__ inline double __dsqrt_##mode(double a) { return __cuprum_sqrt(a, __cuprum_##mode); }                 \
    __device__ inline double __fma_##mode(double a, double b, double c) {                                           \
        return __cuprum_fma(a, b, c, __cuprum_##mode);                                                              \
    }                                                                                                               \
    __device__ inline float __double2float_##mode(double x) { return __cuprum_narrow(x, 0.0, __cuprum_##mode); }    \
    __device__ inline float __int2float_##mode(int x) { return __cuprum_narrow((double)x, 0.0, __cuprum_##mode); }  \
    __device__ inline float __uint2float_##mode(unsigned int x) {                                                   \
        return __cuprum_narrow((double)x, 0.0, __cuprum_##mode);                                                    \
    }                                                                                                               \
    __device__ inline float __ll2float_##mode(long long x) {                                                        \
        float r = (float)x;                                                                                         \
        return __cuprum_rounded(r, __cuprum_side(x, (double)r), __cuprum_##mode);                                   \
    }                                                                                                               \
    __device__ inline float __ull2float_##mode(unsigned long long x) {                                              \
        float r = (float)x;                                                                                         \
        return __cuprum_rounded(r, __cuprum_side(x, (double)r), __cuprum_##mode);                                   \
    }                                                                                                               \
    __device__ inline double __ll2double_##mode(long long x) {                                                      \
        double r = (double)x;                                                                                       \
        return __cuprum_rounded(r, __cuprum_side(x, r), __cuprum_##mode);                                           \
    }                                                                                                               \
    __device__ inline double __ull2double_##mode(unsigned long long x) {                                            \
        double r = (double)x;                                                                                       \
        return __cuprum_rounded(r, __cuprum_side(x, r), __cuprum_##mode);                                           \
    }
__CUPRUM_DIRECTED(rz)
__CUPRUM_DIRECTED(ru)
__CUPRUM_DIRECTED(rd)
#undef __CUPRUM_DIRECTED
#endif
#endif
