// Special functions: the modified Bessel function of order zero.

namespace elementary {

RARE f64 bessel_i0_far(f64 x) {
    if (!(x < 1400.0)) return x * infinity<f64>();
    constexpr int n = sizeof(bessel_tables::I0_FAR) / sizeof(f64);
    f64 inverse = plain_inverse(x), t = fused(24.0, inverse, -1.0), square = t * t, fourth = square * square, sums[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll
    for (int i = n - 1; i >= 0; --i) sums[i % 4] = i + 4 < n ? fused(sums[i % 4], fourth, bessel_tables::I0_FAR[i]) : bessel_tables::I0_FAR[i];
    f64 series = fused(fused(sums[3], t, sums[2]), square, fused(sums[1], t, sums[0])) * root(inverse);
    // Where the whole exponential overflows before the result does, half of it is taken at a time.
    f64 part = plain_exp(x < 700.0 ? x : 0.5 * x);
    return x < 700.0 ? part * series : part * series * part;
}

inline f64 bessel_i0(f64 x) {
    x = size(x);
    if (!(x <= 12.0)) return bessel_i0_far(x);
    constexpr int n = sizeof(bessel_tables::I0_NEAR) / sizeof(f64);
    f64 half = 0.5 * x, square = half * half, sum = bessel_tables::I0_NEAR[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; --i) sum = fused(sum, square, bessel_tables::I0_NEAR[i]);
    // What the square lost, by some digits of the derivative.
    return fused(sum * fused(half, half, -square), plain_inverse(half + 1.0), sum);
}

}  // namespace elementary

template <class T> T cu_i0(T x) {
    if constexpr (is_half<T>) return T((f32)elementary::bessel_i0((f64)(f32)x));
    else return (T)elementary::bessel_i0((f64)x);
}
