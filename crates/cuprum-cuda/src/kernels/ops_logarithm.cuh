// Logarithms, inverse hyperbolic functions and sums kept as logarithms, of real numbers.

namespace elementary {

// With s = f / (2 + f): the series of log(1 + f) beyond 2s, in s^2.
inline f32 log_series(f32 z) { return polynomial(z, 0.6666678f, 0.39976937f, 0.29887006f); }
COEFFICIENTS f64 log_series_f64[] = {
    0.666666666666674, 0.3999999999938226, 0.28571428749528, 0.22222197833440932, 0.18183603499020431,
    0.15313024763447428, 0.14806476550030362
};
inline f64 log_series(f64 z) { return polynomial(z, log_series_f64); }
// (atanh(s) - s) / s^3 in s^2.
inline f32 atanh_series(f32 z) { return polynomial(z, 0.3333333f, 0.2000046f, 0.14252211f, 0.12067745f); }
COEFFICIENTS f64 atanh_series_f64[] = {
    0.3333333333333329, 0.20000000000031698, 0.14285714277191774, 0.11111112223502109, 0.0909082869911016,
    0.07695687832253433, 0.06584668946556389, 0.06935475162492048
};
inline f64 atanh_series(f64 z) { return polynomial(z, atanh_series_f64); }

// The values of a logarithm where it is not a finite number; `value` elsewhere.
template <class T> T log_edges(T x, T value) {
    if (x > 0) return x == infinity<T>() ? x : value;
    return x == 0 ? -infinity<T>() : not_a_number<T>();
}

// log(1 + f) - f for |f| below sqrt(2) - 1, plus an addend. 2s = f - s f: the series in s^2 is only a correction to
// f - f^2 / 2, whose square need not be rounded.
template <class T> T log_tail(T f, T addend) {
    T half = T(0.5) * f, s = plain_quotient(f, T(2) + f), z = s * s;
    return fused(-half, f, fused(s, fused(z, log_series(z), half * f), addend));
}

// k ln(2) + log(1 + f + f_tail), where f_tail is at most the rounding error of f.
template <class T> T log_of(T k, T f, T f_tail) {
    typedef Format<T> F;
    return fused(k, F::ln_2, f + log_tail(f, fused(k, F::ln_2_tail, f_tail)));
}

// The logarithm of a positive, finite and normal x; a rest is as small as the rounding error of x. Beside an addend that is a
// small whole number, the logarithm is rounded last where most of it is lost.
inline f64 plain_log_rest(f64 x, f64 rest) {
    Split<f64> s = plain_split(x);
    return log_of(s.k, s.m - 1.0, rest);
}
inline f64 plain_log(f64 x) { return plain_log_rest(x, 0.0); }
// With an error of some units in the last place of one or of the result: for what is added to something larger.
inline f64 quick_log(f64 x) {
    Split<f64> p = plain_split(x);
    f64 f = p.m - 1.0, s = plain_quotient(f, 2.0 + f), z = s * s;
    return fused(p.k, Format<f64>::ln_2, fused(s * z, log_series(z), s + s));
}
inline f64 plain_log_plus(f64 x, f64 addend) {
    Split<f64> s = plain_split(x);
    f64 f = s.m - 1.0;
    return fused(s.k, 0.6931471805592082, addend) + (f + log_tail(f, s.k * 7.371002565167799e-13));
}

// scale * log(x) = k * scale * ln(2) + scale * log(m) for a scale and its product with ln(2) in two parts.
inline f64 scaled_log(f64 x, Sum<f64> scale, Sum<f64> scaled_ln_2) {
    Split<f64> s = split(x);
    f64 f = s.m - 1.0;
    f64 low = fused(log_tail(f, 0.0), scale.high, fused(f, scale.low, s.k * scaled_ln_2.low));
    // The sum with k is exact where the logarithm of m cancels most of it.
    return fused(s.k, scaled_ln_2.high, fused(f, scale.high, low));
}

inline f64 log2_of(f64 x) {
    return scaled_log(x, {Format<f64>::log2_e, Format<f64>::log2_e_tail}, {1.0, 0.0});
}
inline f64 log10_of(f64 x) {
    return scaled_log(x, {0.4342944819032518, 1.098319650216765e-17}, {0.30102999566361177, 3.694239077158931e-13});
}
// In f32 by a polynomial of m - 1: shorter than a division.
inline f32 log2_of(f32 x) {
    Split<f32> s = split(x);
    f32 f = s.m - 1.0f;
    f32 series = polynomial(f, -0.72134733f, 0.48089838f, -0.3606979f, 0.28855887f, -0.23958683f, 0.20475094f,
                            -0.19143967f, 0.18535788f, -0.10807387f);
    return fused(f, Format<f32>::log2_e, f * fused(f, series, Format<f32>::log2_e_tail)) + s.k;
}
inline f32 log10_of(f32 x) {
    Split<f32> s = split(x);
    f32 f = s.m - 1.0f;
    f32 series = polynomial(f, -0.21714719f, 0.14476484f, -0.10858075f, 0.08686461f, -0.072125115f, 0.061641928f,
                            -0.05761876f, 0.055761285f, -0.03251125f);
    f32 low = fused(f, fused(f, series, -1.010305e-08f), s.k * 4.605039e-06f);
    return fused(s.k, 0.3010254f, fused(f, 0.4342945f, low));
}

// 1 + z + z_tail = 2^k (1 + f + f_tail) for z above -1, k as `split` would give it. The sum with one only serves to
// find k; a small z is kept whole.
template <class T> struct OnePlus { T k, f, f_tail; };
template <class T> OnePlus<T> one_plus(T z, T z_tail) {
    typedef Format<T> F;
    word_of<T> lifted = (to_bits(T(1) + z) + (to_bits(T(1)) - F::root_half)) >> F::digits;
    T k = from_bits(lifted | F::whole_bits) - (F::whole + (T)F::bias);
    T inverse = from_bits((word_of<T>)((2 * F::bias - lifted) << F::digits));
    T f = fused(z, inverse, inverse - T(1));
    return {k, f, fused(z_tail, inverse, fused(z, inverse, (inverse - T(1)) - f))};
}

// log1p(z + z_tail), or, where x is so large that only its logarithm counts, log(x) + more * ln(2). z is above -1,
// z_tail at most its rounding error.
template <class T> T log1p_or_log(T z, T z_tail, T x, T more) {
    bool large = x > Format<T>::large;
    // The quarter keeps the largest numbers in reach of the exponent.
    OnePlus<T> p = one_plus(large ? T(0.25) * x : z, z_tail);
    T f_tail = large ? T(0) : p.f_tail;
    return log_of(p.k + (large ? more + T(2) : T(0)), p.f, fused(-p.f, f_tail, f_tail));
}

// The same for log(2x), and infinity for infinity.
template <class T> T log1p_or_double(T z, T z_tail, T x) {
    T value = log1p_or_log(z, z_tail, x, T(1));
    return x < infinity<T>() ? value : x;
}

// The larger of two, how far the other is below it (not above zero), and the rounding error of that distance.
// Wherever either is a NaN the distance is one.
template <class T> struct Ordered { T larger, distance, error; };
template <class T> Ordered<T> ordered(T x, T y) {
    T larger = x > y ? x : y, smaller = x > y ? y : x, distance = smaller - larger;
    T subtracted = smaller - distance;
    T error = (smaller - (distance + subtracted)) + (subtracted - larger);
    // Distances with larger errors are beyond counting, and infinite ones have none.
    return {larger, distance, size(error) < T(1) ? error : T(0)};
}

// addend + log2(1 + z.high + z.low) for a z from zero to one, rounded little more than once.
template <class T> T add_log2_of_1p(T addend, Sum<T> z) {
    typedef Format<T> F;
    OnePlus<T> p = one_plus(z.high, z.low);
    T rest = log_tail(p.f, fused(-p.f, p.f_tail, p.f_tail)), product = p.f * F::log2_e;
    T lost = fused(p.f, F::log2_e, -product);
    Sum<T> whole = exact_sum(addend, p.k), sum = exact_sum(whole.high, product);
    T low = fused(rest, F::log2_e, fused(p.f, F::log2_e_tail, lost)) + (whole.low + sum.low);
    // Infinite addends have no errors.
    return size(low) <= infinity<T>() ? sum.high + low : sum.high;
}

}  // namespace elementary

template <class T> T cu_log(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_log((f32)x));
    else {
        Split<T> s = split(x);
        return log_edges(x, log_of(s.k, s.m - T(1), T(0)));
    }
}

template <class T> T cu_log2(T x) {
    if constexpr (is_half<T>) return T(cu_log2((f32)x));
    else return elementary::log_edges(x, elementary::log2_of(x));
}

template <class T> T cu_log10(T x) {
    if constexpr (is_half<T>) return T(cu_log10((f32)x));
    else return elementary::log_edges(x, elementary::log10_of(x));
}

template <class T> T cu_log1p(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_log1p((f32)x));
    // Argument and value have the same sign always; the steps lose that of a zero.
    else return with_sign(log_edges(T(1) + x, log1p_or_log(x, T(0), x, T(0))), x);
}

template <class T> T cu_arcsinh(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arcsinh((f32)x));
    else {
        // asinh(a) = log1p(a + (sqrt(1 + a^2) - 1)).
        T a = size(x), square = a * a;
        Sum<T> z = ordered_sum(a, square / (T(1) + root(square + T(1))));
        return with_sign(log1p_or_double(z.high, z.low, a), x);
    }
}

template <class T> T cu_arccosh(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arccosh((f32)x));
    else {
        // acosh(x) = log1p((x - 1) + sqrt(x^2 - 1)).
        T t = x - T(1), t_error = (x - t) - T(1);
        Sum<T> z = ordered_sum(root(fused(x, x, T(-1))), t);
        T value = log1p_or_double(z.high, z.low + t_error, x);
        return x < T(1) ? not_a_number<T>() : value;
    }
}

template <class T> T cu_arctanh(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arctanh((f32)x));
    else {
        typedef Format<T> F;
        constexpr T ln_2_high = same<T, f32> ? T(0.69311523f) : T(0.6931471805592082);
        constexpr T ln_2_low = same<T, f32> ? T(3.1946183e-05f) : T(7.371002565167799e-13);
        T a = size(x);
        if (!(a < T(1))) return a == T(1) ? with_sign(infinity<T>(), x) : not_a_number<T>();
        // (1 + a) / (1 - a) = m / g for a power of two g; then atanh(a) = atanh((m - 1) / (m + 1)) - log(g) / 2.
        T sum = T(1) + a, difference = T(1) - a;
        word_of<T> apart = to_bits(sum) - to_bits(difference);
        word_of<T> exponent = (word_of<T>)(apart + ((word_of<T>)1 << (F::digits - 1))) >> F::digits;
        T k = from_bits(exponent | F::whole_bits) - F::whole;
        T g = from_bits((word_of<T>)((F::bias - exponent) << F::digits));
        // Near one the difference is exact, while 1 + g would not be; elsewhere it is the other way round.
        bool near_one = difference < T(0.25);
        T numerator = near_one ? fused(g, sum, -difference) : fused(a, T(1) + g, g - T(1));
        T denominator = near_one ? fused(g, sum, difference) : fused(a, g - T(1), T(1) + g);
        T inverse = inverse_of(denominator), s = numerator * inverse;
        T rest = fused(-s, denominator, numerator), z = s * s, half_k = T(0.5) * k;
        T tail = fused(s * z, atanh_series(z), fused(rest, inverse, half_k * ln_2_low));
        Sum<T> high = ordered_sum(half_k * ln_2_high, s);
        return with_sign(high.high + (high.low + tail), x);
    }
}

template <class T> T cu_logaddexp(T x, T y) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_logaddexp((f32)x, (f32)y));
    else {
        // Equal arguments may be infinities, whose difference is no number.
        if (x == y) return x + Format<T>::ln_2;
        Ordered<T> o = ordered(x, y);
        Reduced<T> n = by_ln_2(limited_to(o.distance, exp_overflow<T>, exp_underflow<T>));
        Sum<T> ratio = exp_parts<T>({n.k, n.r, n.tail + o.error});
        T value = log1p_or_log(ratio.high, ratio.low, ratio.high, T(0));
        return o.larger + (size(ratio.high) <= infinity<T>() ? value : ratio.high);
    }
}

template <class T> T cu_logaddexp2(T x, T y) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_logaddexp2((f32)x, (f32)y));
    else {
        if (x == y) return x + T(1);
        Ordered<T> o = ordered(x, y);
        Reduced<T> n = by_one(limited_to(o.distance, exp2_overflow<T>, exp2_underflow<T>));
        return add_log2_of_1p(o.larger, exp_parts<T>({n.k, n.r, fused(o.error, Format<T>::ln_2, n.tail)}));
    }
}
