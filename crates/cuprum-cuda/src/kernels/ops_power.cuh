// Powers of real numbers. In f64 the logarithm and its product with the exponent are carried in two parts, so that
// the error does not grow with the size of the exponent; f32 goes through f64. Powers of 3 and of
// 3/2 either way are products and roots.

namespace elementary {

// x^y from |x|^y, which counts where x is finite and not zero: signs, and the cases of C99's Annex F.
template <class T> T power_edges(T x, T y, T magnitude) {
    if (x == T(1) || y == 0) return T(1);
    if (is_nan(x) || is_nan(y)) return not_a_number<T>();
    T s = size(x), half = T(0.5) * y;
    bool integer = truncate(y) == y, odd = integer && truncate(half) != half;
    bool zero = s == 0, unbounded = zero || s == infinity<T>();
    if (x < 0 && !integer && !unbounded) return not_a_number<T>();
    T value = unbounded ? (zero == (y < 0) ? infinity<T>() : T(0)) : magnitude;
    return odd ? negated_by(value, x) : value;
}

// x^3 for an x of moderate size, rounded once and hardly more.
template <class T> T cube(T x) {
    T square = x * x, square_tail = fused(x, x, -square), value = square * x;
    return value + fused(square_tail, x, fused(square, x, -value));
}

// Whether no step of a cube, of its root or of the inverse comes near the ends of the exponent range, where what a rounding
// loses is no number.
inline bool is_moderate(f64 x) { return x < 1e100 && x * 1e100 > 1.0; }
inline bool is_moderate(f32 x) { return x < 1e12f && x * 1e12f > 1.0f; }

// x^1.5 in two parts, for a moderate x.
template <class T> Sum<T> root_of_cube(T x) {
    T r = root(x), residual = fused(-r, r, x), value = x * r;
    return {value, fused(T(0.5) * residual, r, fused(x, r, -value))};
}

// x^-1.5 for a moderate x, rounded once and hardly more.
template <class T> T inverse_root_of_cube(T x) {
    Sum<T> v = root_of_cube(x);
    T inverse = T(1) / v.high;
    return fused(inverse, fused(-v.low, inverse, fused(-v.high, inverse, T(1))), inverse);
}

// Whether x^y is found by a short way, and then the value.
template <class T> bool short_power(T x, T y, T& value) {
    if (y == T(3)) {
        if (!is_moderate(size(x))) return false;
        value = cube(x);
        return true;
    }
    if (size(y) != T(1.5) || !is_moderate(x)) return false;
    if (y < 0) {
        value = inverse_root_of_cube(x);
        return true;
    }
    Sum<T> v = root_of_cube(x);
    value = v.high + v.low;
    return true;
}

// log(m 2^k) in two parts, with some 66 good bits, for m from sqrt(1/2) to sqrt(2).
COEFFICIENTS f64 log_in_two_series[] = {
    0.40000000000002467, 0.28571428570005664, 0.22222222535893874, 0.18181783015365932, 0.15386818158853735,
    0.1325542481542858, 0.1320910237203318
};
inline Sum<f64> split_log_in_two(Split<f64> p) {
    constexpr f64 two_thirds = 0.6666666666666666, two_thirds_tail = 3.700743415417188e-17;
    f64 f = p.m - 1.0;
    // s = f / (2 + f) and its cube in two parts; log(m) = 2s + s^3 (2/3 + ...).
    Sum<f64> d = ordered_sum(2.0, f);
    f64 inverse = plain_inverse(d.high), s = f * inverse;
    f64 s_tail = fused(-s, d.low, fused(-s, d.high, f)) * inverse;
    f64 z = s * s, z_tail = fused(2.0 * s, s_tail, fused(s, s, -z));
    Sum<f64> w = ordered_sum(two_thirds, z * estrin(z, log_in_two_series));
    f64 w_tail = w.low + two_thirds_tail;
    f64 cube = z * s, cube_tail = fused(z, s_tail, fused(z_tail, s, fused(z, s, -cube)));
    f64 v = cube * w.high, v_tail = fused(cube_tail, w.high, fused(cube, w_tail, fused(cube, w.high, -v)));
    Sum<f64> first = ordered_sum(p.k * 0.6931471805592082, 2.0 * s), second = ordered_sum(first.high, v);
    return {second.high,
            fused(p.k, 7.371002565167799e-13, fused(2.0, s_tail, v_tail)) + (first.low + second.low)};
}

// log(x) of a positive finite x in two parts.
inline Sum<f64> log_in_two(f64 x) {
    Sum<f64> log = split_log_in_two(split(x));
    return ordered_sum(log.high, log.low);
}

inline f64 float_power(f64 x, f64 y) {
    f64 quick;
    if (short_power(x, y, quick)) return quick;
    Sum<f64> log = split_log_in_two(split(size(x)));
    // No logarithm but zero is so small that a larger y could leave the result finite.
    f64 bounded = limited_to(y, 1e25, -1e25), exponent = bounded * log.high;
    f64 tail = fused(bounded, log.low, fused(bounded, log.high, -exponent));
    f64 limited = limited_to(exponent, exp_overflow<f64>, exp_underflow<f64>);
    Reduced<f64> n = by_ln_2(limited);
    f64 rest = n.r * n.r * estrin(n.r, exp_series_f64);
    Sum<f64> sum = ordered_sum(1.0, n.r);
    // The tail may be thousands of units in the last place: it is multiplied by the whole of exp(r).
    f64 low = fused(n.tail + (limited == exponent ? tail : 0.0), sum.high + rest, sum.low + rest);
    return power_edges(x, y, scaled(sum.high + low, n.k));
}

inline f32 float_power(f32 x, f32 y) {
    f32 quick;
    if (short_power(x, y, quick)) return quick;
    Split<f64> p = plain_split((f64)size(x));
    f64 f = p.m - 1.0, s = plain_quotient(f, 2.0 + f);
    f64 series = polynomial(s * s, 2.885390081790408, 0.9617966729016719, 0.5770836750006798, 0.4116669992797738,
                            0.34084121091880853);
    f64 log2 = fused(s, series, p.k);
    // As above, and infinity times the logarithm of one must stay zero.
    f64 exponent = limited_to(limited_to((f64)y, 1e12, -1e12) * log2, 200.0, -200.0);
    Whole<f64> n = nearest(exponent, 1.0);
    f64 value = polynomial(exponent - n.value, 0.9999999999595482, 0.6931472067106199, 0.24022651213595278,
                           0.055503272142092296, 0.009618025602952121, 0.0013400432165377564, 0.0001546973197833081);
    return power_edges(x, y, (f32)(value * power_of_two<f64>(n.bits, 0)));
}

}  // namespace elementary

template <class T> T cu_power(T a, T b) {
    if constexpr (is_integer<T>) return integer_power(a, b);
    else if constexpr (is_half<T>) return T(elementary::float_power((f32)a, (f32)b));
    else return elementary::float_power(a, b);
}
