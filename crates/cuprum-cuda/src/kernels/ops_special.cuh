// Special functions: the modified Bessel function of order zero.

namespace elementary {

// I0(x) in powers of x^2/4, x from 0 to 12.
COEFFICIENTS f64 i0_near[] = {
    1.0, 1.0, 0.25000000000000006, 0.027777777777777551, 0.0017361111111114517, 6.9444444444181105e-5,
    1.9290123458010355e-6, 3.9367598854493339e-8, 6.1511874037783513e-10, 7.5940572799524613e-12,
    7.5940709698556849e-14, 6.2759794561357627e-16, 4.359010166825129e-18, 2.576097590605111e-20,
    1.3253900949845174e-22, 5.6098634953237354e-25, 2.6995216688130715e-27, 3.1412432340504778e-30,
    5.5362152560067324e-32
};

// sqrt(x) exp(-x) I0(x) in 24/x - 1, x from 12 on.
COEFFICIENTS f64 i0_far[] = {
    0.40107106506684742, 0.0021821681721169438, 5.5984825333737776e-5, 2.797707018497856e-6,
    2.1716050106122215e-7, 2.3688443405584353e-8, 3.4434502543142557e-9, 6.4799411779347199e-10,
    1.5614712747652881e-10, 4.8272663098888236e-11, 1.8959932292080154e-11, 1.0586362142569176e-11,
    8.2771940126603394e-12, 2.8280705647568541e-12, -4.3462473935767795e-12, -4.2941710672070979e-12,
    4.308125773280647e-13, 1.4457231379918368e-12, 4.7322930683199428e-14, -1.9567980904777025e-13
};

RARE f64 bessel_i0_far(f64 x) {
    if (x == infinity<f64>()) return x;
    constexpr int n = sizeof(i0_far) / sizeof(f64);
    f64 t = 24.0 / x - 1.0, square = t * t, fourth = square * square, sums[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll
    for (int i = n - 1; i >= 0; --i) sums[i % 4] = i + 4 < n ? fused(sums[i % 4], fourth, i0_far[i]) : i0_far[i];
    f64 series = fused(fused(sums[3], t, sums[2]), square, fused(sums[1], t, sums[0])) / root(x);
    // Where the whole exponential overflows before the result does, half of it is taken at a time.
    if (x < 700.0) return cu_exp(x) * series;
    f64 half = cu_exp(0.5 * x);
    return half * series * half;
}

inline f64 bessel_i0(f64 x) {
    x = size(x);
    if (!(x <= 12.0)) return bessel_i0_far(x);
    constexpr int n = sizeof(i0_near) / sizeof(f64);
    f64 half = 0.5 * x, square = half * half, sum = i0_near[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; --i) sum = fused(sum, square, i0_near[i]);
    // What the square lost, by some digits of the derivative.
    return fused(sum * fused(half, half, -square), plain_inverse(half + 1.0), sum);
}

}  // namespace elementary

template <class T> T cu_i0(T x) {
    if constexpr (is_half<T>) return T((f32)elementary::bessel_i0((f64)(f32)x));
    else return (T)elementary::bessel_i0((f64)x);
}
