// The math functions, overloaded as CUDA overloads them: sin(float) is a float. The C library computes them.
#pragma once

// The double and float versions, the overload for float, and integers by way of double.
#define STANDIN_UNARY_OF(name, as_double, as_float)                                                          \
    inline double name(double x) { return as_double(x); }                                                    \
    inline float name(float x) { return as_float(x); }                                                       \
    inline float name##f(float x) { return as_float(x); }                                                    \
    template <class T> inline typename standin::EnableIf<standin::is_integer<T>, double>::type name(T x) {   \
        return as_double(double(x));                                                                         \
    }
#define STANDIN_UNARY(name) STANDIN_UNARY_OF(name, __builtin_##name, __builtin_##name##f)

STANDIN_UNARY(sqrt) STANDIN_UNARY(cbrt)
STANDIN_UNARY(sin) STANDIN_UNARY(cos) STANDIN_UNARY(tan)
STANDIN_UNARY(asin) STANDIN_UNARY(acos) STANDIN_UNARY(atan)
STANDIN_UNARY(sinh) STANDIN_UNARY(cosh) STANDIN_UNARY(tanh)
STANDIN_UNARY(asinh) STANDIN_UNARY(acosh) STANDIN_UNARY(atanh)
STANDIN_UNARY(exp) STANDIN_UNARY(exp2) STANDIN_UNARY(exp10) STANDIN_UNARY(expm1)
STANDIN_UNARY(log) STANDIN_UNARY(log2) STANDIN_UNARY(log10) STANDIN_UNARY(log1p) STANDIN_UNARY(logb)
STANDIN_UNARY(floor) STANDIN_UNARY(ceil) STANDIN_UNARY(trunc) STANDIN_UNARY(round)
STANDIN_UNARY(rint) STANDIN_UNARY(nearbyint) STANDIN_UNARY(fabs)
STANDIN_UNARY(erf) STANDIN_UNARY(erfc) STANDIN_UNARY(tgamma) STANDIN_UNARY(lgamma)
STANDIN_UNARY(j0) STANDIN_UNARY(j1) STANDIN_UNARY(y0) STANDIN_UNARY(y1)
inline double abs(double x) { return __builtin_fabs(x); }
inline float abs(float x) { return __builtin_fabsf(x); }

#define STANDIN_BINARY(name)                                                                                 \
    inline double name(double x, double y) { return __builtin_##name(x, y); }                                \
    inline float name(float x, float y) { return __builtin_##name##f(x, y); }                                \
    inline float name##f(float x, float y) { return __builtin_##name##f(x, y); }                             \
    template <class A, class B>                                                                              \
    inline typename standin::EnableIf<                                                                       \
        standin::is_number<A> && standin::is_number<B> && !(standin::is_same<A, B> && standin::is_float<A>), \
        double>::type                                                                                        \
    name(A x, B y) { return __builtin_##name(double(x), double(y)); }
STANDIN_BINARY(pow) STANDIN_BINARY(atan2) STANDIN_BINARY(hypot) STANDIN_BINARY(fmod)
STANDIN_BINARY(remainder) STANDIN_BINARY(copysign) STANDIN_BINARY(nextafter) STANDIN_BINARY(fdim)
STANDIN_BINARY(fmin) STANDIN_BINARY(fmax)
#undef STANDIN_BINARY

inline float min(float a, float b) { return fmin(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double min(float a, double b) { return fmin(double(a), b); }
inline double min(double a, float b) { return fmin(a, double(b)); }
inline float max(float a, float b) { return fmax(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double max(float a, double b) { return fmax(double(a), b); }
inline double max(double a, float b) { return fmax(a, double(b)); }

inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float fdividef(float x, float y) { return x / y; }

inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isinf(double x) { return __builtin_isinf(x) != 0; }
inline bool isinf(float x) { return __builtin_isinf(x) != 0; }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isnormal(double x) { return __builtin_isnormal(x); }
inline bool isnormal(float x) { return __builtin_isnormal(x); }
inline bool signbit(double x) { return __builtin_signbit(x) != 0; }
inline bool signbit(float x) { return __builtin_signbitf(x) != 0; }
inline double nan(const char* tag) { return __builtin_nan(""); }
inline float nanf(const char* tag) { return __builtin_nanf(""); }

// Rounding to integers.
#define STANDIN_ROUND(type, name)                                                                            \
    inline type name(double x) { return __builtin_##name(x); }                                               \
    inline type name(float x) { return __builtin_##name##f(x); }                                             \
    inline type name##f(float x) { return __builtin_##name##f(x); }
STANDIN_ROUND(long, lrint) STANDIN_ROUND(long long, llrint)
STANDIN_ROUND(long, lround) STANDIN_ROUND(long long, llround)
STANDIN_ROUND(int, ilogb)
#undef STANDIN_ROUND

// Functions with an integer, or with results by pointer.
inline double ldexp(double x, int e) { return __builtin_ldexp(x, e); }
inline float ldexp(float x, int e) { return __builtin_ldexpf(x, e); }
inline float ldexpf(float x, int e) { return __builtin_ldexpf(x, e); }
inline double scalbn(double x, int e) { return __builtin_scalbn(x, e); }
inline float scalbn(float x, int e) { return __builtin_scalbnf(x, e); }
inline float scalbnf(float x, int e) { return __builtin_scalbnf(x, e); }
inline double scalbln(double x, long e) { return __builtin_scalbln(x, e); }
inline float scalbln(float x, long e) { return __builtin_scalblnf(x, e); }
inline float scalblnf(float x, long e) { return __builtin_scalblnf(x, e); }
inline double frexp(double x, int* e) { return __builtin_frexp(x, e); }
inline float frexp(float x, int* e) { return __builtin_frexpf(x, e); }
inline float frexpf(float x, int* e) { return __builtin_frexpf(x, e); }
inline double modf(double x, double* whole) { return __builtin_modf(x, whole); }
inline float modf(float x, float* whole) { return __builtin_modff(x, whole); }
inline float modff(float x, float* whole) { return __builtin_modff(x, whole); }
inline double remquo(double x, double y, int* q) { return __builtin_remquo(x, y, q); }
inline float remquo(float x, float y, int* q) { return __builtin_remquof(x, y, q); }
inline float remquof(float x, float y, int* q) { return __builtin_remquof(x, y, q); }
inline void sincos(double x, double* s, double* c) { *s = __builtin_sin(x), *c = __builtin_cos(x); }
inline void sincos(float x, float* s, float* c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }
inline void sincosf(float x, float* s, float* c) { sincos(x, s, c); }
inline double jn(int n, double x) { return __builtin_jn(n, x); }
inline float jnf(int n, float x) { return __builtin_jnf(n, x); }
inline double yn(int n, double x) { return __builtin_yn(n, x); }
inline float ynf(int n, float x) { return __builtin_ynf(n, x); }

// What CUDA has and the C library lacks. The float versions round the double ones.
namespace standin {

constexpr double pi = 3.14159265358979323846;

inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
inline double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }

inline double sinpi(double x) {
    if (!__builtin_isfinite(x)) return __builtin_nan("");
    double r = __builtin_remainder(x, 2.0);  // exact, in [-1, 1]
    if (r > 0.5) r = 1.0 - r;
    if (r < -0.5) r = -1.0 - r;
    return r == 0.0 ? __builtin_copysign(0.0, x) : __builtin_sin(pi * r);
}
inline double cospi(double x) {
    if (!__builtin_isfinite(x)) return __builtin_nan("");
    double r = __builtin_fabs(__builtin_remainder(x, 2.0));
    if (r == 0.5) return 0.0;
    if (r <= 0.25) return __builtin_cos(pi * r);
    if (r < 0.75) return __builtin_sin(pi * (0.5 - r));
    return -__builtin_cos(pi * (1.0 - r));
}
inline double tanpi(double x) { return sinpi(x) / cospi(x); }

inline double normcdf(double x) { return 0.5 * __builtin_erfc(-x * 0.70710678118654752440); }

// Solves erfc(y) = x: a start from the leading terms of the asymptotic series, then Halley's steps.
inline double erfcinv(double x) {
    if (!(x >= 0.0 && x <= 2.0)) return __builtin_nan("");
    if (x == 0.0) return __builtin_inf();
    if (x == 2.0) return -__builtin_inf();
    bool upper = x > 1.0;
    double target = upper ? 2.0 - x : x;  // in (0, 1], y >= 0
    double t = __builtin_sqrt(-2.0 * __builtin_log(target / 2.0));
    double y = 0.70710678118654752440 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 4; i++) {
        double slope = -1.12837916709551257390 * __builtin_exp(-y * y);
        if (slope == 0.0) break;
        double step = (__builtin_erfc(y) - target) / slope;
        y -= step / (1.0 + y * step);
    }
    return upper ? -y : y;
}
inline double erfinv(double x) {
    if (x != x || x < -1.0 || x > 1.0) return __builtin_nan("");
    if (__builtin_fabs(x) > 0.5) return x > 0 ? erfcinv(1.0 - x) : -erfcinv(1.0 + x);
    double y = x * 0.88622692545275801365;
    for (int i = 0; i < 6; i++) {
        double step = (__builtin_erf(y) - x) / (1.12837916709551257390 * __builtin_exp(-y * y));
        y -= step / (1.0 + y * step);
    }
    return y;
}
inline double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2.0 * p); }

// exp(x^2) erfc(x): directly while both factors are ordinary, beyond by the asymptotic series.
inline double erfcx(double x) {
    if (x < 25.0) return __builtin_exp(x * x) * __builtin_erfc(x);
    double s = 1.0 / (2.0 * x * x);
    return 0.56418958354775628695 / x * (1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s)));
}

// The power series, whose terms are all of one sign.
inline double bessel_i(double x, int order) {
    double half = x / 2.0, term = order ? half : 1.0, sum = term;
    for (int k = 1; k < 2000 && term != 0.0; k++) {
        term *= half / k * (half / (k + order));
        sum += term;
        if (__builtin_fabs(term) < 1e-17 * __builtin_fabs(sum)) break;
    }
    return sum;
}
inline double cyl_bessel_i0(double x) { return bessel_i(x, 0); }
inline double cyl_bessel_i1(double x) { return bessel_i(x, 1); }

#define STANDIN_AS_FLOAT(name) inline float name##_float(float x) { return float(name(double(x))); }
STANDIN_AS_FLOAT(rsqrt) STANDIN_AS_FLOAT(rcbrt) STANDIN_AS_FLOAT(sinpi) STANDIN_AS_FLOAT(cospi)
STANDIN_AS_FLOAT(tanpi) STANDIN_AS_FLOAT(normcdf) STANDIN_AS_FLOAT(normcdfinv) STANDIN_AS_FLOAT(erfinv)
STANDIN_AS_FLOAT(erfcinv) STANDIN_AS_FLOAT(erfcx)
STANDIN_AS_FLOAT(cyl_bessel_i0) STANDIN_AS_FLOAT(cyl_bessel_i1)
#undef STANDIN_AS_FLOAT

}  // namespace standin

#define STANDIN_OWN(name) STANDIN_UNARY_OF(name, standin::name, standin::name##_float)
STANDIN_OWN(rsqrt) STANDIN_OWN(rcbrt) STANDIN_OWN(sinpi) STANDIN_OWN(cospi)
STANDIN_OWN(normcdf) STANDIN_OWN(normcdfinv) STANDIN_OWN(erfinv) STANDIN_OWN(erfcinv) STANDIN_OWN(erfcx)
STANDIN_OWN(cyl_bessel_i0) STANDIN_OWN(cyl_bessel_i1)
#undef STANDIN_OWN
#undef STANDIN_UNARY
#undef STANDIN_UNARY_OF

inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospi(float x, float* s, float* c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float* s, float* c) { sincospi(x, s, c); }
inline double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
inline float norm3df(float a, float b, float c) { return float(norm3d(a, b, c)); }
inline double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
inline float norm4df(float a, float b, float c, float d) { return float(norm4d(a, b, c, d)); }
inline double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
inline float rhypotf(float a, float b) { return float(rhypot(double(a), double(b))); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return float(rnorm3d(a, b, c)); }

// The fast, less exact versions, exact here.
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x != x ? 0.0f : fminf(fmaxf(x, 0.0f), 1.0f); }
