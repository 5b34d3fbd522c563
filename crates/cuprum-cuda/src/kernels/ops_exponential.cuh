// Exponentials and hyperbolic functions of real numbers.

namespace elementary {

// (exp(r) - 1 - r) / r^2, good beside one, and the same good beside r.
inline f32 exp_series(f32 r) { return polynomial(r, 0.5f, 0.16666509f, 0.041666448f, 0.008369932f, 0.0013936601f); }
COEFFICIENTS f64 exp_series_f64[] = {
    0.5000000000000014, 0.16666666666666685, 0.04166666666650061, 0.008333333333315639, 0.0013888888951076091,
    0.00019841269899934915, 2.4801485566458998e-05, 2.7557231255241657e-06, 2.763289753478611e-07,
    2.5113307170417768e-08
};
inline f64 exp_series(f64 r) { return polynomial(r, exp_series_f64); }
inline f32 expm1_series(f32 r) {
    return polynomial(r, 0.5f, 0.16666667f, 0.04166647f, 0.008333193f, 0.0013934572f, 0.00019957374f);
}
COEFFICIENTS f64 expm1_series_f64[] = {
    0.5, 0.16666666666666677, 0.04166666666666668, 0.008333333333321166, 0.001388888888887721, 0.0001984126988778142,
    2.48015873415635e-05, 2.7557242153032225e-06, 2.7557258007328965e-07, 2.5109868595230767e-08,
    2.0919983435623284e-09
};
inline f64 expm1_series(f64 r) { return polynomial(r, expm1_series_f64); }
// (sinh(r) - r) / r^3 and (cosh(r) - 1) / r^2 in r^2.
inline f32 sinh_series(f32 z) { return polynomial(z, 0.16666667f, 0.008333193f, 0.00019957374f); }
COEFFICIENTS f64 sinh_series_f64[] = {
    0.16666666666666677, 0.008333333333321166, 0.0001984126988778142, 2.7557242153032225e-06, 2.5109868595230767e-08
};
inline f64 sinh_series(f64 z) { return polynomial(z, sinh_series_f64); }
inline f32 cosh_series(f32 z) { return polynomial(z, 0.5f, 0.041666448f, 0.0013936601f); }
COEFFICIENTS f64 cosh_series_f64[] = {
    0.5, 0.041666666666666685, 0.0013888888888873064, 2.4801587350033896e-05, 2.7557250815771686e-07,
    2.0922158698670593e-09
};
inline f64 cosh_series(f64 z) { return polynomial(z, cosh_series_f64); }

// Where each function has certainly reached its limit.
template <class T> constexpr T exp_overflow = same<T, f32> ? T(88.9f) : T(709.9);
template <class T> constexpr T exp_underflow = same<T, f32> ? T(-105) : T(-746);
template <class T> constexpr T exp2_overflow = same<T, f32> ? T(129) : T(1025);
template <class T> constexpr T exp2_underflow = same<T, f32> ? T(-151) : T(-1076);
template <class T> constexpr T sinh_overflow = same<T, f32> ? T(89.6f) : T(710.6);
template <class T> constexpr T saturation = same<T, f32> ? T(20) : T(40);

// The nearest value between the limits; a NaN stays one.
template <class T> T limited_to(T x, T upper, T lower) {
    x = x > upper ? upper : x;
    return x < lower ? lower : x;
}

// x = k ln(2) + r + tail with |r| <= ln(2) / 2.
template <class T> Reduced<T> by_ln_2(T x) {
    // The first part of ln(2) is short enough for its product with k to be taken off exactly.
    constexpr T first = same<T, f32> ? T(0.69311523f) : T(0.6931471805592082);
    constexpr T second = same<T, f32> ? T(3.1946183e-05f) : T(7.371002565167799e-13);
    Whole<T> n = nearest(x, Format<T>::log2_e);
    T high = fused(-n.value, first, x), r = fused(-n.value, second, high);
    return {n.bits, r, fused(-n.value, second, high - r)};
}

// x = k + (r + tail) / ln(2), for powers of two.
template <class T> Reduced<T> by_one(T x) {
    typedef Format<T> F;
    Whole<T> n = nearest(x, T(1));
    T fraction = x - n.value, r = fraction * F::ln_2;
    return {n.bits, r, fused(fraction, F::ln_2_tail, fused(fraction, F::ln_2, -r))};
}

template <class T> T exp_of(Reduced<T> x) {
    return scaled(T(1) + (x.r + fused(x.r * x.r, exp_series(x.r), x.tail)), x.k);
}

// (2^f - 1) / f.
inline f32 exp2_series(f32 f) {
    return polynomial(f, 0.6931472f, 0.24022645f, 0.055503592f, 0.009618841f, 0.0013391137f, 0.00015238006f);
}
COEFFICIENTS f64 exp2_series_f64[] = {
    0.6931471805599453, 0.24022650695910133, 0.05550410866482226, 0.009618129107593498, 0.0013333558146380658,
    0.00015403530457765014, 1.5252733805508415e-05, 1.3215435001110848e-06, 1.0178086773687693e-07,
    7.073826046303358e-09, 4.449955477539561e-10
};
inline f64 exp2_series(f64 f) { return polynomial(f, exp2_series_f64); }

// A power of two, of an x between its limits.
template <class T> T exp2_of(T x) {
    Whole<T> n = nearest(x, T(1));
    T f = x - n.value;
    return scaled(fused(f, exp2_series(f), T(1)), n.bits);
}

// The exponential of an x between its limits, and that of x + low for an x from -800 to 800 and a low up to some of its
// units in the last place.
inline f64 plain_exp(f64 x) { return exp_of(by_ln_2(x)); }
inline f64 exp_sum(f64 x, f64 low) {
    Whole<f64> n = nearest(x, Format<f64>::log2_e);
    f64 r = fused(-n.value, 0.6931471805592082, x) + fused(-n.value, 7.371002565167799e-13, low);
    return scaled(fused(r, fused(r, exp_series(r), 1.0), 1.0), n.bits);
}
// That of an x from -700 to 700 for what is added to something larger.
inline f64 quick_exp(f64 x) {
    Whole<f64> n = nearest(x, Format<f64>::log2_e);
    f64 r = fused(-n.value, Format<f64>::ln_2, x);
    return from_bits(to_bits(fused(r, fused(r, exp_series(r), 1.0), 1.0)) + (n.bits << 52));
}

// The exponential as a value and what its rounding lost. The tail may be some units in the last place of r: its
// product with the value is not left out.
template <class T> Sum<T> exp_parts(Reduced<T> x) {
    Sum<T> rest = ordered_sum(x.r, x.r * x.r * exp_series(x.r)), sum = ordered_sum(T(1), rest.high);
    return {scaled(sum.high, x.k), scaled(fused(x.tail, sum.high, sum.low + rest.low), x.k)};
}

// expm1(x) / 2 as an unevaluated sum, but for the rounding error of `scale - 1/2`, where scale is 2^k / 2. The halves
// keep it finite up to the overflow of expm1.
template <class T> struct HalfExpm1 { T sum, rest, scale; };
template <class T> HalfExpm1<T> half_expm1(T x) {
    Reduced<T> n = by_ln_2(x);
    T scale = power_of_two<T>(n.k, 1);
    T rest = fused(n.r * n.r, expm1_series(n.r), fused(n.r, n.tail, n.tail));
    Sum<T> sum = ordered_sum(scale - T(0.5), scale * n.r);
    return {sum.high, fused(scale, rest, sum.low), scale};
}

// Below this the powers of two that sinh and cosh are made of are normal, and so are their inverses.
template <class T> constexpr T sinh_normal = same<T, f32> ? T(85) : T(700);

// For x = k ln(2) + r from zero up to that, with A, B = (2^k -+ 2^-k) / 2: sinh(x) = A cosh(r) + B sinh(r) and
// cosh(x) = B cosh(r) + A sinh(r). r is the sum of `high` and `low`, and what that is rounded to.
template <class T> struct Hyperbolic {
    T growing, falling, high, low, r;
    // sinh(r) - r + low.
    T sinh_tail() const { return fused(r * (r * r), sinh_series(r * r), low); }
};
template <class T> Hyperbolic<T> hyperbolic_parts(T x) {
    constexpr T first = same<T, f32> ? T(0.69311523f) : T(0.6931471805592082);
    constexpr T second = same<T, f32> ? T(3.1946183e-05f) : T(7.371002565167799e-13);
    Whole<T> n = nearest(x, Format<T>::log2_e);
    T high = fused(-n.value, first, x), low = -n.value * second;
    return {power_of_two<T>(n.bits, 1), inverse_power_of_two<T>(n.bits, 1), high, low, high + low};
}

// constant + slope * r + rest with the rounding error of the first sum carried into the rest.
template <class T> T sum_of(T constant, T slope, T r, T rest) {
    T sum = fused(slope, r, constant), error = fused(slope, r, constant - sum);
    return sum + (error + rest);
}

// exp(x) / 2 of an x from there on, which is then both functions.
template <class T> T half_exp(T x) {
    Reduced<T> n = by_ln_2(x > sinh_overflow<T> ? sinh_overflow<T> : x);
    // A quarter of the power is finite wherever the result is.
    T quarter = power_of_two<T>(n.k, 2), rest = fused(n.r * n.r, exp_series(n.r), n.tail);
    return T(2) * sum_of(quarter, quarter, n.r, quarter * rest);
}

template <class T> T sinh_of(T x) {
    if (!(size(x) < sinh_normal<T>)) return with_sign(half_exp(size(x)), x);
    Hyperbolic<T> h = hyperbolic_parts(size(x));
    Sum<T> a = ordered_sum(h.growing, -h.falling);
    T b = h.growing + h.falling, z = h.r * h.r, cosh_tail = z * cosh_series(z);
    return with_sign(sum_of(a.high, b, h.high, fused(a.high, cosh_tail, fused(b, h.sinh_tail(), a.low))), x);
}
template <class T> T cosh_of(T x) {
    if (!(size(x) < sinh_normal<T>)) return half_exp(size(x));
    Hyperbolic<T> h = hyperbolic_parts(size(x));
    Sum<T> b = ordered_sum(h.growing, h.falling);
    T a = h.growing - h.falling, z = h.r * h.r;
    // What the rounding of r lost counts here, and not in the sine, whose other errors are larger.
    T cosh_tail = fused(z, cosh_series(z), h.r * ((h.high - h.r) + h.low));
    return sum_of(b.high, a, h.high, fused(b.high, cosh_tail, fused(a, h.sinh_tail(), b.low)));
}

// a = k ln(2)/2 + u + tail with u from -0.1682 to 0.1784, and t = tanh(u + tail): tanh(a) = (A + B t) / (B + A t) for
// A, B = 2^k -+ 1, which are exact since k stops growing at 52.
inline f64 tanh_of(f64 x) {
    f64 a = size(x) > 19.1 ? 19.1 : size(x);
    f64 below = a - 0.0051;
    Whole<f64> n = nearest(below > 18.0 ? 18.0 : below, 2.0 * Format<f64>::log2_e);
    constexpr f64 first = 0.6931471805592082 / 2, second = 7.371002565167799e-13 / 2;
    f64 high = fused(-n.value, first, a), u = fused(-n.value, second, high);
    f64 tail = fused(-n.value, second, high - u), z = u * u;
    f64 t = u + fused(u * z, polynomial(z, -0.3333333333333208, 0.1333333333257955, -0.05396825244645749,
                                        0.02186934679719153, -0.008856539924759441, 0.0034356989182662023), tail);
    f64 scale = power_of_two<f64>(n.bits, 0), less = scale - 1.0, more = scale + 1.0;
    f64 numerator = fused(more, t, less), denominator = fused(less, t, more);
    f64 numerator_error = fused(more, t, less - numerator), denominator_error = fused(less, t, more - denominator);
    f64 inverse = 1.0 / denominator, q = numerator * inverse;
    f64 missing = fused(-q, denominator_error, fused(-q, denominator, numerator) + numerator_error);
    return with_sign(fused(missing, inverse, q), x);
}

// A series up to 0.8, and 1 - 2 / (exp(2a) + 1) above, where the errors of the exponential count little.
inline f32 tanh_of(f32 x) {
    f32 s = size(x), z = s * s;
    f32 near = fused(s * z, polynomial(z, -0.333333f, 0.13332242f, -0.053853597f, 0.021306528f, -0.0074141766f,
                                       0.0015870444f), s);
    f32 a = s > 10.0f ? 10.0f : s;
    // a = k ln(2) / 2 + r.
    Whole<f32> n = nearest(a, 2.88539008f);
    f32 r = fused(-n.value, 1.5973092e-05f, fused(-n.value, 0.34655762f, a));
    f32 exp = polynomial(r, 1.0f, 2.0f, 1.9999998f, 1.3333217f, 0.6666922f, 0.26779747f, 0.08845465f);
    f32 far = fused(-2.0f, inverse_of(fused(exp, power_of_two<f32>(n.bits, 0), 1.0f)), 1.0f);
    return with_sign(s > 0.8f ? far : near, x);
}

}  // namespace elementary

template <class T> T cu_exp(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_exp((f32)x));
    else return exp_of(by_ln_2(limited_to(x, exp_overflow<T>, exp_underflow<T>)));
}

template <class T> T cu_exp2(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_exp2((f32)x));
    else return exp2_of(limited_to(x, exp2_overflow<T>, exp2_underflow<T>));
}

template <class T> T cu_expm1(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_expm1((f32)x));
    else {
        HalfExpm1<T> h = half_expm1(limited_to(x, exp_overflow<T>, -saturation<T>));
        T error = ordered_sum(h.scale, T(-0.5)).low;
        // The half of a subnormal number would not be exact, and the reduction loses the sign of a zero.
        return size(x) < Format<T>::tiny ? x : T(2) * (h.sum + (h.rest + error));
    }
}

template <class T> T cu_sinh(T x) {
    if constexpr (is_half<T>) return T(elementary::sinh_of((f32)x));
    else return elementary::sinh_of(x);
}

template <class T> T cu_cosh(T x) {
    if constexpr (is_half<T>) return T(elementary::cosh_of((f32)x));
    else return elementary::cosh_of(x);
}

template <class T> T cu_tanh(T x) {
    if constexpr (is_half<T>) return T(elementary::tanh_of((f32)x));
    else return elementary::tanh_of(x);
}
