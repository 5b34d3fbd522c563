// Special functions: the modified Bessel function of order zero.

namespace elementary {

// The sum of a Chebyshev series at t, from -1 to 1, by Clenshaw's recurrence; the last step is written as a
// difference, which rounds better at the ends of the interval.
template <int n> f64 chebyshev(f64 t, const f64 (&coefficients)[n]) {
    f64 twice = 2.0 * t, b1 = 0.0, b2 = 0.0;
#pragma unroll
    for (int i = n - 1; i > 0; --i) {
        f64 next = twice * b1 - b2 + coefficients[i];
        b2 = b1;
        b1 = next;
    }
    return 0.5 * (twice * b1 - b2 + 2.0 * coefficients[0] - b2);
}

inline f64 bessel_i0(f64 x) {
    // e^-x I0(x) for x from 0 to 8, and e^-x sqrt(x) I0(x) in 1/x from 0 to 1/8.
    const f64 near[] = {
        0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764,
        0.04930528423967071, -0.02373741480589947, 0.010546460394594998, -0.004324309995050576,
        0.0016394756169413357, -0.0005763755745385824, 0.00018850288509584165, -5.754195010082104e-05,
        1.6448448070728896e-05, -4.4167383584587505e-06, 1.1173875391201037e-06, -2.670793853940612e-07,
        6.046995022541919e-08, -1.300025009986248e-08, 2.6598237246823866e-09, -5.189795601635263e-10,
        9.675809035373237e-11, -1.726826291441556e-11, 2.95505266312964e-12, -4.856446783111929e-13,
        7.676185498604936e-14, -1.1685332877993451e-14, 1.715391285555133e-15, -2.431279846547955e-16,
        3.3307945188222384e-17, -4.4153416464793395e-18, 5.669178006921496e-19,
    };
    const f64 far[] = {
        0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06,
        2.0489185894690638e-07, 2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10,
        1.1889147107846439e-11, -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
        7.180124451383666e-13, 3.8527783827421426e-13, 1.54008621752141e-14, -4.150569347287222e-14,
        -9.554846698828307e-15, 3.8116806693526224e-15, 1.7725601330565263e-15, -3.425485619677219e-16,
        -2.8276239805165836e-16, 3.461222867697461e-17, 4.46562142029676e-17, -4.830504485944182e-18,
        -7.233180487874754e-18, 9.921475412173699e-19, 1.193650890845982e-18,
    };
    x = size(x);
    if (x == 0.0) return 1.0;
    if (x == infinity<f64>()) return x;
    f64 series = x <= 8.0 ? chebyshev(x / 4.0 - 1.0, near) : chebyshev(16.0 / x - 1.0, far) / root(x);
    // Where the whole exponential overflows before the result does, half of it is taken at a time.
    if (x < 700.0) return cu_exp(x) * series;
    f64 half = cu_exp(0.5 * x);
    return half * series * half;
}

}  // namespace elementary

template <class T> T cu_i0(T x) {
    if constexpr (is_half<T>) return T((f32)elementary::bessel_i0((f64)(f32)x));
    else return (T)elementary::bessel_i0((f64)x);
}
