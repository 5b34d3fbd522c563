// curand's distributions over its generators: uniform, normal, log-normal and Poisson numbers.
#ifndef __CUPRUM_CURAND_DISTRIBUTIONS_H
#define __CUPRUM_CURAND_DISTRIBUTIONS_H

// 32 bits to (0, 1], and 53 bits of two words.
__device__ inline float __cuprum_unit_float(unsigned int x) { return fmaf((float)x, 2.3283064e-10f, 1.1641532e-10f); }
__device__ inline double __cuprum_unit_double(unsigned int x) {
    return (double)x * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
__device__ inline double __cuprum_unit_double(unsigned int x, unsigned int y) {
    unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return (double)z * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}

// Box and Muller's pair.
__device__ inline float2 __cuprum_box_muller(unsigned int x, unsigned int y) {
    float u = __cuprum_unit_float(x), v = fmaf((float)y, 1.46291807e-09f, 7.31459035e-10f);
    float size = sqrtf(-2.0f * logf(u));
    return make_float2(size * sinf(v), size * cosf(v));
}
__device__ inline double2 __cuprum_box_muller(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    unsigned long long z = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
    double u = __cuprum_unit_double(x0, x1), v = (double)z * 2.2204460492503131e-16 + 1.1102230246251565e-16;
    double size = sqrt(-2.0 * log(u));
    return make_double2(size * sinpi(v), size * cospi(v));
}
__device__ inline float2 __cuprum_box_muller(float u, float v) {
    float size = sqrtf(-2.0f * logf(u)), angle = v * 6.2831855f;
    return make_float2(size * sinf(angle), size * cosf(angle));
}
__device__ inline double2 __cuprum_box_muller(double u, double v) {
    double size = sqrt(-2.0 * log(u));
    return make_double2(size * sinpi(2.0 * v), size * cospi(2.0 * v));
}

__device__ inline float curand_uniform(curandStateXORWOW* s) { return __cuprum_unit_float(curand(s)); }
__device__ inline double curand_uniform_double(curandStateXORWOW* s) {
    unsigned int x = curand(s), y = curand(s);
    return __cuprum_unit_double(x, y);
}
__device__ inline float2 curand_normal2(curandStateXORWOW* s) {
    unsigned int x = curand(s), y = curand(s);
    return __cuprum_box_muller(x, y);
}
__device__ inline double2 curand_normal2_double(curandStateXORWOW* s) {
    unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return __cuprum_box_muller(x0, x1, y0, y1);
}

__device__ inline float curand_uniform(curandStatePhilox4_32_10* s) { return __cuprum_unit_float(curand(s)); }
__device__ inline double curand_uniform_double(curandStatePhilox4_32_10* s) { return __cuprum_unit_double(curand(s)); }
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10* s) {
    uint4 v = curand4(s);
    return make_float4(__cuprum_unit_float(v.x), __cuprum_unit_float(v.y), __cuprum_unit_float(v.z),
                       __cuprum_unit_float(v.w));
}
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
    uint4 v = curand4(s);
    return make_double2(__cuprum_unit_double(v.x, v.y), __cuprum_unit_double(v.z, v.w));
}
__device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10* s) {
    double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
__device__ inline float2 curand_normal2(curandStatePhilox4_32_10* s) {
    unsigned int x = curand(s), y = curand(s);
    return __cuprum_box_muller(x, y);
}
__device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10* s) {
    uint4 v = curand4(s);
    return __cuprum_box_muller(v.x, v.y, v.z, v.w);
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10* s) {
    uint4 v = curand4(s);
    float2 a = __cuprum_box_muller(v.x, v.y), b = __cuprum_box_muller(v.z, v.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
__device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10* s) {
    double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float stddev) {
    float4 v = curand_normal4(s);
    return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z),
                       expf(mean + stddev * v.w));
}

__device__ inline float curand_uniform(curandStateMRG32k3a* s) {
    return (float)((double)__cuprum_mrg_next(s) * 2.3283065498378288e-10);
}
__device__ inline double curand_uniform_double(curandStateMRG32k3a* s) {
    return (double)__cuprum_mrg_next(s) * 2.3283065498378288e-10;
}
__device__ inline float2 curand_normal2(curandStateMRG32k3a* s) {
    float u = curand_uniform(s), v = curand_uniform(s);
    return __cuprum_box_muller(u, v);
}
__device__ inline double2 curand_normal2_double(curandStateMRG32k3a* s) {
    double u = curand_uniform_double(s), v = curand_uniform_double(s);
    return __cuprum_box_muller(u, v);
}

// Numbers one at a time: the pair's second waits in the state.
#define __CUPRUM_CURAND(State)                                                                          \
    __device__ inline float curand_normal(State* s) {                                                   \
        if (s->boxmuller_flag != 0) {                                                                   \
            s->boxmuller_flag = 0;                                                                      \
            return s->boxmuller_extra;                                                                  \
        }                                                                                               \
        float2 v = curand_normal2(s);                                                                   \
        s->boxmuller_extra = v.y;                                                                       \
        s->boxmuller_flag = 1;                                                                          \
        return v.x;                                                                                     \
    }                                                                                                   \
    __device__ inline double curand_normal_double(State* s) {                                           \
        if (s->boxmuller_flag_double != 0) {                                                            \
            s->boxmuller_flag_double = 0;                                                               \
            return s->boxmuller_extra_double;                                                           \
        }                                                                                               \
        double2 v = curand_normal2_double(s);                                                           \
        s->boxmuller_extra_double = v.y;                                                                \
        s->boxmuller_flag_double = 1;                                                                   \
        return v.x;                                                                                     \
    }                                                                                                   \
    __device__ inline float curand_log_normal(State* s, float mean, float stddev) {                     \
        return expf(mean + stddev * curand_normal(s));                                                  \
    }                                                                                                   \
    __device__ inline double curand_log_normal_double(State* s, double mean, double stddev) {           \
        return exp(mean + stddev * curand_normal_double(s));                                            \
    }                                                                                                   \
    __device__ inline float2 curand_log_normal2(State* s, float mean, float stddev) {                   \
        float2 v = curand_normal2(s);                                                                   \
        return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));                       \
    }                                                                                                   \
    __device__ inline double2 curand_log_normal2_double(State* s, double mean, double stddev) {         \
        double2 v = curand_normal2_double(s);                                                           \
        return make_double2(exp(mean + stddev * v.x), exp(mean + stddev * v.y));                        \
    }                                                                                                   \
    /* Knuth's product for small means, a normal number for large ones, rejection between them. */      \
    __device__ inline unsigned int curand_poisson(State* s, double lambda) {                            \
        if (lambda < 64.0) {                                                                            \
            unsigned int count = 0;                                                                     \
            float product = expf((float)lambda);                                                        \
            do {                                                                                        \
                ++count;                                                                                \
                product *= curand_uniform(s);                                                           \
            } while (product > 1.0f);                                                                   \
            return count - 1;                                                                           \
        }                                                                                               \
        if (lambda > 4000.0) {                                                                          \
            return (unsigned int)(sqrt(lambda) * curand_normal_double(s) + lambda + 0.5);               \
        }                                                                                               \
        double log_lambda = log(lambda), b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;     \
        double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2.0);          \
        while (true) {                                                                                  \
            double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s), us = 0.5 - fabs(u); \
            double k = floor((2.0 * a / us + b) * u + lambda + 0.43);                                   \
            if (us >= 0.07 && v <= v_r) return (unsigned int)k;                                         \
            if (k < 0.0 || (us < 0.013 && v > us)) continue;                                            \
            if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <=                                 \
                -lambda + k * log_lambda - lgamma(k + 1.0)) {                                           \
                return (unsigned int)k;                                                                 \
            }                                                                                           \
        }                                                                                               \
    }
__CUPRUM_CURAND(curandStateXORWOW)
__CUPRUM_CURAND(curandStatePhilox4_32_10)
__CUPRUM_CURAND(curandStateMRG32k3a)
#undef __CUPRUM_CURAND

__device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10* s, double lambda) {
    unsigned int a = curand_poisson(s, lambda), b = curand_poisson(s, lambda);
    unsigned int c = curand_poisson(s, lambda), d = curand_poisson(s, lambda);
    return make_uint4(a, b, c, d);
}
#endif
