// What the special functions are made of besides the elementary ones: results of several parts, and polynomials over tables.

namespace elementary {
namespace special {

struct Pair { f64 first, second; };
struct Triple { f64 first, second, third; };
struct Quadruple { f64 first, second, third, fourth; };

// Elementary functions that are called: long functions use several of them many times.
RARE f64 called_exp(f64 x) { return cu_exp(x); }
RARE f64 called_expm1(f64 x) { return cu_expm1(x); }
RARE f64 called_exp2(f64 x) { return cu_exp2(x); }
RARE f64 called_log(f64 x) { return cu_log(x); }
RARE f64 called_log1p(f64 x) { return cu_log1p(x); }
RARE f64 called_sin(f64 x) { return cu_sin(x); }
RARE f64 called_cos(f64 x) { return cu_cos(x); }
RARE f64 called_tan(f64 x) { return cu_tan(x); }
RARE f64 called_asin(f64 x) { return cu_arcsin(x); }
RARE f64 called_atan(f64 x) { return cu_arctan(x); }
RARE f64 called_sinh(f64 x) { return cu_sinh(x); }
RARE f64 called_cosh(f64 x) { return cu_cosh(x); }
RARE f64 called_tanh(f64 x) { return cu_tanh(x); }
RARE f64 called_asinh(f64 x) { return cu_arcsinh(x); }
RARE f64 called_pow(f64 x, f64 y) { return cu_power(x, y); }
RARE f64 called_atan2(f64 y, f64 x) { return cu_arctan2(y, x); }
RARE f64 called_hypot(f64 x, f64 y) { return cu_hypot(x, y); }
RARE Sum<f64> called_log_parts(f64 x) { return log_in_two(x); }

// A polynomial, the constant first: four interleaved ones in x^4, so that no step waits for the last.
template <int n> f64 power_series(f64 x, const f64 (&coefficients)[n]) {
    f64 square = x * x, fourth = square * square, sums[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll
    for (int i = n - 1; i >= 0; --i) {
        sums[i % 4] = i + 4 < n ? fused(sums[i % 4], fourth, coefficients[i]) : coefficients[i];
    }
    return fused(fused(sums[3], x, sums[2]), square, fused(sums[1], x, sums[0]));
}

// A polynomial by Horner's rule, the constant first: slower, and better where the coefficients fall slowly.
template <int n> f64 horner(f64 x, const f64 (&coefficients)[n]) {
    f64 sum = coefficients[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; --i) sum = fused(sum, x, coefficients[i]);
    return sum;
}

// A polynomial, the constant first, its even and its odd powers by Horner's rule: half of the wait, and nearly as good.
template <int n> f64 even_odd(f64 x, const f64 (&coefficients)[n]) {
    f64 square = x * x, sums[2] = {0.0, 0.0};
#pragma unroll
    for (int i = n - 1; i >= 0; --i) {
        sums[i % 2] = i + 2 < n ? fused(sums[i % 2], square, coefficients[i]) : coefficients[i];
    }
    return fused(sums[1], x, sums[0]);
}

}  // namespace special
}  // namespace elementary
