// Exponentials, logarithms and angles in forms that keep their digits, and what statistics makes of them.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: exponential.rs.

namespace elementary {
namespace special {

namespace tables_of_exponential {
COEFFICIENTS f64 DEGREE = 0.017453292519943295;
COEFFICIENTS f64 DEGREE_LOW = 2.9486522708701687e-19;
}

inline f64 expit(f64 x);
inline f64 plain_log_ratio(f64 x, f64 y);
inline f64 plain_logit(f64 x);
inline bool logit_is_rare(f64 x);
inline f64 log_expit(f64 x);
inline bool never_one(f64 _x);
inline f64 plain_rel_entr(f64 x, f64 y);
inline f64 plain_kl_div(f64 x, f64 y);
inline Pair log1p_parts(f64 x, f64 low);
inline f64 power_less_one(f64 log_high, f64 log_low, f64 lambda);
inline Pair log_over_lambda(f64 y, f64 lambda);
inline f64 plain_boxcox(f64 x, f64 lambda);
inline f64 plain_boxcox1p(f64 x, f64 lambda);
inline f64 plain_inv_boxcox(f64 y, f64 lambda);
inline f64 plain_inv_boxcox1p(f64 y, f64 lambda);
inline bool boxcox_is_rare(f64 x, f64 lambda);
inline bool boxcox1p_is_rare(f64 x, f64 lambda);
inline bool inv_boxcox_is_rare(f64 y, f64 lambda);
inline f64 plain_xlogy(f64 x, f64 y);
inline bool xlogy_is_rare(f64 x, f64 y);
inline f64 plain_xlog1py(f64 x, f64 y);
inline bool xlog1py_is_rare(f64 x, f64 y);
inline f64 plain_entr(f64 x);
inline bool entr_is_rare(f64 x);
inline Pair turn_of_degrees(f64 r);
inline f64 plain_sindg(f64 x);
inline f64 plain_cosdg(f64 x);
inline bool degrees_are_rare(f64 x);
inline f64 tangent_of_degrees(f64 x, f64 sign);
inline f64 plain_tandg(f64 x);
inline f64 plain_cotdg(f64 x);
inline bool tangent_is_rare(f64 x);
inline bool ratio_is_rare(f64 x, f64 y);
inline f64 logit(f64 x);
inline f64 exprel(f64 x);
inline f64 cosm1(f64 x);
inline f64 exp10(f64 x);
inline f64 xlogy(f64 x, f64 y);
inline f64 xlog1py(f64 x, f64 y);
inline f64 entr(f64 x);
inline f64 log_ratio(f64 x, f64 y);
inline f64 log_ratio_anywhere(f64 x, f64 y);
inline f64 rel_entr(f64 x, f64 y);
inline f64 kl_div(f64 x, f64 y);
inline f64 huber(f64 delta, f64 r);
inline f64 pseudo_huber(f64 delta, f64 r);
inline f64 boxcox(f64 x, f64 lambda);
inline f64 boxcox1p(f64 x, f64 lambda);
inline f64 log_of_power(f64 y, f64 lambda);
inline f64 inv_boxcox(f64 y, f64 lambda);
inline f64 inv_boxcox1p(f64 y, f64 lambda);
inline f64 radian(f64 d, f64 m, f64 s);
inline f64 sindg(f64 x);
inline f64 cosdg(f64 x);
inline f64 tandg(f64 x);
inline f64 cotdg(f64 x);

// 1 / (1 + exp(-x)).
inline f64 expit(f64 x) {
    auto e = cu_exp(-elementary::size(x));
    return ((x < 0.0 ? e : 1.0)) / (1.0 + e);
}

// log(x / y) of numbers above zero that have a quotient of ordinary size.
inline f64 plain_log_ratio(f64 x, f64 y) {
    auto ratio = plain_quotient(x, y);
    return plain_log_rest(ratio, plain_quotient(fused(-ratio, y, x), x));
}

// log(x / (1 - x)).
inline f64 plain_logit(f64 x) {
    auto rest = 1.0 - x;
    auto ratio = plain_quotient(x, rest);
    auto lost = fused(-ratio, rest, x) - ratio * ((1.0 - rest) - x);
    return plain_log_rest(ratio, plain_quotient(lost, x));
}

// Whether logit takes another way.
inline bool logit_is_rare(f64 x) {
    return !(x > 1e-280 && x < 1.0);
}

// log(expit(x)).
inline f64 log_expit(f64 x) {
    auto rest = cu_log1p(cu_exp(-elementary::size(x)));
    return (x < 0.0 ? x - rest : -rest);
}

// No argument of functions without branches.
inline bool never_one(f64 _x) {
    return false;
}

// x log(x / y) of numbers above zero.
inline f64 plain_rel_entr(f64 x, f64 y) {
    return x * plain_log_ratio(x, y);
}

// x log(x / y) - x + y of numbers above zero.
inline f64 plain_kl_div(f64 x, f64 y) {
    auto part = plain_quotient(y - x, x);
    auto is_near = part > -0.29 && part < 0.41;
    // Beside each other, by what the logarithm is less than their difference.
    auto near = -x * log_tail((is_near ? part : 0.0), 0.0);
    return (is_near ? near : fused(x, plain_log_ratio(x, y), y - x));
}

// log(1 + x + low) in two parts, x being above -0.999 and below 1e30, and low at most its rounding error.
inline Pair log1p_parts(f64 x, f64 low) {
    auto sum = 1.0 + x;
    auto part = sum - 1.0;
    auto lost = (1.0 - (sum - part)) + (x - part);
    auto [log_high, log_low] = log_in_two(sum);
    auto rest = log_low + plain_quotient(lost + low, sum);
    auto value = log_high + rest;
    return {value, (log_high - value) + rest};
}

// (exp(lambda l) - 1) / lambda of a logarithm l in two parts.
inline f64 power_less_one(f64 log_high, f64 log_low, f64 lambda) {
    auto exponent = lambda * log_high;
    auto low = fused(lambda, log_low, fused(lambda, log_high, -exponent));
    auto value = cu_expm1(exponent);
    return plain_quotient(fused(value + 1.0, low, value), lambda);
}

// log(1 + lambda y) / lambda in two parts.
inline Pair log_over_lambda(f64 y, f64 lambda) {
    auto product = lambda * y;
    auto [log_high, log_low] = log1p_parts(product, fused(lambda, y, -product));
    auto quotient = plain_quotient(log_high, lambda);
    return {quotient, plain_quotient(fused(-quotient, lambda, log_high) + log_low, lambda)};
}

// (x^lambda - 1) / lambda of ordinary numbers.
inline f64 plain_boxcox(f64 x, f64 lambda) {
    auto [log_high, log_low] = log_in_two(x);
    return power_less_one(log_high, log_low, lambda);
}

// ((1 + x)^lambda - 1) / lambda of ordinary numbers.
inline f64 plain_boxcox1p(f64 x, f64 lambda) {
    auto [log_high, log_low] = log1p_parts(x, 0.0);
    return power_less_one(log_high, log_low, lambda);
}

// The inverse of boxcox of ordinary numbers.
inline f64 plain_inv_boxcox(f64 y, f64 lambda) {
    auto [exponent, low] = log_over_lambda(y, lambda);
    return exp_sum(exponent, low);
}

// The inverse of boxcox1p of ordinary numbers.
inline f64 plain_inv_boxcox1p(f64 y, f64 lambda) {
    auto [exponent, low] = log_over_lambda(y, lambda);
    auto value = cu_expm1(exponent);
    return fused(value + 1.0, low, value);
}

// Whether boxcox takes another way.
inline bool boxcox_is_rare(f64 x, f64 lambda) {
    return !(x > 1e-30 && x < 1e30 && elementary::size(lambda) > 1e-15 && elementary::size(lambda) < 10.0);
}

// Whether boxcox1p takes another way.
inline bool boxcox1p_is_rare(f64 x, f64 lambda) {
    return !(x > -0.999 && x < 1e30 && elementary::size(x) > 1e-100 && elementary::size(lambda) > 1e-15 && elementary::size(lambda) < 10.0);
}

// Whether their inverses take another way.
inline bool inv_boxcox_is_rare(f64 y, f64 lambda) {
    auto product = lambda * y;
    auto is_large = elementary::size(lambda) > 0.05 && product > -0.999;
    auto is_small = elementary::size(lambda) > 1e-15 && product > -0.5 && elementary::size(y) < 300.0;
    return !((is_large || is_small) && elementary::size(lambda) < 1e3 && elementary::size(y) > 1e-100 && product < 1e15);
}

// x log(y), y being normal.
inline f64 plain_xlogy(f64 x, f64 y) {
    return x * plain_log(y);
}

// Whether xlogy takes another way.
inline bool xlogy_is_rare(f64 x, f64 y) {
    return !(y > 1e-300 && y < infinity<f64>()) || x == 0.0;
}

// x log1p(y), y being above -1 and not large.
inline f64 plain_xlog1py(f64 x, f64 y) {
    return x * cu_log1p(y);
}

// Whether xlog1py takes another way.
inline bool xlog1py_is_rare(f64 x, f64 y) {
    return !(y > -0.9999 && y < 1e15) || x == 0.0;
}

// -x log(x), x being normal.
inline f64 plain_entr(f64 x) {
    return -x * plain_log(x);
}

// Whether entr takes another way.
inline bool entr_is_rare(f64 x) {
    return !(x > 1e-300 && x < infinity<f64>());
}

// Sine and cosine of up to 45 degrees, the angle in radians not rounded.
inline Pair turn_of_degrees(f64 r) {
    auto h = r * tables_of_exponential::DEGREE;
    auto low = fused(r, tables_of_exponential::DEGREE, -h) + r * tables_of_exponential::DEGREE_LOW;
    auto s = cu_sin(h);
    auto c = cu_cos(h);
    return {fused(low, c, s), fused(-low, s, c)};
}

// The sine of up to 1e14 degrees.
inline f64 plain_sindg(f64 x) {
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto quarter = n - 4.0 * floor_of(0.25 * n);
    auto value = (quarter == 0.0 ? s : (quarter == 1.0 ? c : (quarter == 2.0 ? -s : -c)));
    return (with_sign(1.0, x) < 0.0 ? -value : value);
}

// The cosine of up to 1e14 degrees.
inline f64 plain_cosdg(f64 x) {
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto quarter = n - 4.0 * floor_of(0.25 * n);
    return (quarter == 0.0 ? c : (quarter == 1.0 ? -s : (quarter == 2.0 ? -c : s)));
}

// Whether the sine and the cosine of degrees take another way.
inline bool degrees_are_rare(f64 x) {
    return !(elementary::size(x) < 1e14);
}

// The tangent of degrees, or with a sign of -1 its inverse, where neither is zero.
inline f64 tangent_of_degrees(f64 x, f64 sign) {
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto is_odd = n - 2.0 * floor_of(0.5 * n) == 1.0;
    auto is_upright = is_odd == (sign < 0.0);
    auto value = plain_quotient((is_upright ? s : c), (is_upright ? c : s));
    auto is_positive = is_odd == (x < 0.0);
    return (is_positive ? value : -value);
}

// The tangent of degrees that are no multiple of 45.
inline f64 plain_tandg(f64 x) {
    return tangent_of_degrees(x, 1.0);
}

// The cotangent of degrees that are no multiple of 45.
inline f64 plain_cotdg(f64 x) {
    return tangent_of_degrees(x, -1.0);
}

// Whether the tangent of degrees and its inverse take another way.
inline bool tangent_is_rare(f64 x) {
    return !(elementary::size(x) < 1e14 && elementary::size(x) > 1e-200) || fused(-45.0, nearest_even(x / 45.0), x) == 0.0;
}

// Whether rel_entr and kl_div take another way.
inline bool ratio_is_rare(f64 x, f64 y) {
    return !(x > 1e-140 && x < 1e140 && y > 1e-140 && y < 1e140);
}

// log(x / (1 - x)).
inline f64 logit(f64 x) {
    if (logit_is_rare(x)) {
        return cu_log(x / (1.0 - x));
    }
    return plain_logit(x);
}

// (exp(x) - 1) / x.
inline f64 exprel(f64 x) {
    if (elementary::size(x) < 1e-17) {
        return 1.0;
    }
    return (x > 717.0 ? infinity<f64>() : cu_expm1(x) / x);
}

// cos(x) - 1.
inline f64 cosm1(f64 x) {
    auto s = cu_sin(0.5 * x);
    return 0.0 - 2.0 * s * s;
}

// Ten to the power of x.
inline f64 exp10(f64 x) {
    return cu_power(10.0, x);
}

// x log(y), zero where x is.
inline f64 xlogy(f64 x, f64 y) {
    return (x == 0.0 && !is_nan(y) ? 0.0 : x * cu_log(y));
}

// x log1p(y), zero where x is.
inline f64 xlog1py(f64 x, f64 y) {
    return (x == 0.0 && !is_nan(y) ? 0.0 : x * cu_log1p(y));
}

// -x log(x), zero at zero.
inline f64 entr(f64 x) {
    if (x > 0.0 || is_nan(x)) {
        return -x * cu_log(x);
    }
    return (x == 0.0 ? 0.0 : -infinity<f64>());
}

// log(x / y) of numbers above zero.
inline f64 log_ratio(f64 x, f64 y) {
    return (ratio_is_rare(x, y) ? log_ratio_anywhere(x, y) : plain_log_ratio(x, y));
}

// The same where a quotient may leave the range of numbers.
inline f64 log_ratio_anywhere(f64 x, f64 y) {
    auto ratio = x / y;
    if (ratio > 0.5 && ratio < 2.0) {
        return cu_log1p((x - y) / y);
    }
    if (ratio > 1e-300 && ratio < 1e300) {
        return cu_log(ratio);
    }
    return cu_log(x) - cu_log(y);
}

// x log(x / y).
inline f64 rel_entr(f64 x, f64 y) {
    if (is_nan(x) || is_nan(y)) {
        return not_a_number<f64>();
    }
    if (x > 0.0 && y > 0.0) {
        return x * log_ratio(x, y);
    }
    return (x == 0.0 && y >= 0.0 ? 0.0 : infinity<f64>());
}

// x log(x / y) - x + y.
inline f64 kl_div(f64 x, f64 y) {
    if (is_nan(x) || is_nan(y)) {
        return not_a_number<f64>();
    }
    if (!ratio_is_rare(x, y)) {
        return plain_kl_div(x, y);
    }
    if (x > 0.0 && y > 0.0) {
        return fused(x, log_ratio_anywhere(x, y), y - x);
    }
    return (x == 0.0 && y >= 0.0 ? y : infinity<f64>());
}

// Half the square of r up to delta, growing evenly from there.
inline f64 huber(f64 delta, f64 r) {
    auto a = elementary::size(r);
    if (delta < 0.0) {
        return infinity<f64>();
    }
    return (a <= delta ? 0.5 * r * r : delta * (a - 0.5 * delta));
}

// delta^2 (sqrt(1 + (r / delta)^2) - 1).
inline f64 pseudo_huber(f64 delta, f64 r) {
    if (delta < 0.0) {
        return infinity<f64>();
    }
    if (delta == 0.0 || r == 0.0) {
        return 0.0;
    }
    auto v = r / delta;
    if (elementary::size(v) > 1e150) {
        return delta * elementary::size(r);
    }
    auto square = v * v;
    return delta * delta * (square / (elementary::root(1.0 + square) + 1.0));
}

// (x^lambda - 1) / lambda.
inline f64 boxcox(f64 x, f64 lambda) {
    if (!boxcox_is_rare(x, lambda)) {
        return plain_boxcox(x, lambda);
    }
    auto l = cu_log(x);
    return (elementary::size(lambda) < 1e-19 ? l : cu_expm1(lambda * l) / lambda);
}

// ((1 + x)^lambda - 1) / lambda.
inline f64 boxcox1p(f64 x, f64 lambda) {
    if (!boxcox1p_is_rare(x, lambda)) {
        return plain_boxcox1p(x, lambda);
    }
    auto l = cu_log1p(x);
    if (elementary::size(lambda) < 1e-19 || (elementary::size(l) < 1e-289 && elementary::size(lambda) < 1e273)) {
        return l;
    }
    return cu_expm1(lambda * l) / lambda;
}

// log(1 + lambda y), whose product may be too large for a double.
inline f64 log_of_power(f64 y, f64 lambda) {
    auto product = lambda * y;
    return (product == infinity<f64>() ? cu_log(elementary::size(lambda)) + cu_log(elementary::size(y)) : cu_log1p(product));
}

// The inverse of boxcox.
inline f64 inv_boxcox(f64 y, f64 lambda) {
    if (!inv_boxcox_is_rare(y, lambda)) {
        return plain_inv_boxcox(y, lambda);
    }
    return (lambda == 0.0 ? cu_exp(y) : cu_exp(log_of_power(y, lambda) / lambda));
}

// The inverse of boxcox1p.
inline f64 inv_boxcox1p(f64 y, f64 lambda) {
    if (!inv_boxcox_is_rare(y, lambda)) {
        return plain_inv_boxcox1p(y, lambda);
    }
    if (lambda == 0.0) {
        return cu_expm1(y);
    }
    auto product = lambda * y;
    return (elementary::size(product) < 1e-154 ? y : cu_expm1(log_of_power(y, lambda) / lambda));
}

// The angle of degrees, minutes and seconds in radians.
inline f64 radian(f64 d, f64 m, f64 s) {
    return ((d * 60.0 + m) * 60.0 + s) * 4.84813681109536e-6;
}

// The sine of degrees.
inline f64 sindg(f64 x) {
    if (degrees_are_rare(x)) {
        return (is_nan(x) ? x : 0.0);
    }
    return plain_sindg(x);
}

// The cosine of degrees.
inline f64 cosdg(f64 x) {
    if (degrees_are_rare(x)) {
        return (is_nan(x) ? x : 0.0);
    }
    return plain_cosdg(x);
}

// The tangent of degrees; where it is infinite the sign is that of the angle beyond it.
inline f64 tandg(f64 x) {
    if (!(elementary::size(x) < 1e14)) {
        return (is_nan(x) ? x : 0.0);
    }
    auto r = fused(-180.0, nearest_even(x / 180.0), x);
    if (elementary::size(r) == 90.0) {
        return infinity<f64>();
    }
    if (elementary::size(r) == 45.0) {
        return with_sign(1.0, r);
    }
    if (elementary::size(x) < 1e-200) {
        return x * tables_of_exponential::DEGREE;
    }
    return (r == 0.0 ? with_sign(0.0, x) : tangent_of_degrees(x, 1.0));
}

// The cotangent of degrees.
inline f64 cotdg(f64 x) {
    if (!(elementary::size(x) < 1e14)) {
        return (is_nan(x) ? x : 0.0);
    }
    auto r = fused(-180.0, nearest_even(x / 180.0), x);
    if (r == 0.0) {
        return infinity<f64>();
    }
    if (elementary::size(r) == 45.0) {
        return with_sign(1.0, r);
    }
    if (elementary::size(x) < 1e-200) {
        return 1.0 / (x * tables_of_exponential::DEGREE);
    }
    return (elementary::size(r) == 90.0 ? with_sign(0.0, x) : tangent_of_degrees(x, -1.0));
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_expit(T a) { return (T)elementary::special::expit((f64)a); }
template <class T> T cu_logit(T a) {
    return (T)(elementary::special::logit_is_rare((f64)a) ? elementary::special::logit((f64)a) : elementary::special::plain_logit((f64)a));
}
template <class T> T cu_log_expit(T a) { return (T)elementary::special::log_expit((f64)a); }
template <class T> T cu_exprel(T a) { return (T)elementary::special::exprel((f64)a); }
template <class T> T cu_cosm1(T a) { return (T)elementary::special::cosm1((f64)a); }
template <class T> T cu_exp10(T a) { return (T)elementary::special::exp10((f64)a); }
template <class T> T cu_xlogy(T a, T b) {
    return (T)(elementary::special::xlogy_is_rare((f64)a, (f64)b) ? elementary::special::xlogy((f64)a, (f64)b) : elementary::special::plain_xlogy((f64)a, (f64)b));
}
template <class T> T cu_xlog1py(T a, T b) {
    return (T)(elementary::special::xlog1py_is_rare((f64)a, (f64)b) ? elementary::special::xlog1py((f64)a, (f64)b) : elementary::special::plain_xlog1py((f64)a, (f64)b));
}
template <class T> T cu_entr(T a) {
    return (T)(elementary::special::entr_is_rare((f64)a) ? elementary::special::entr((f64)a) : elementary::special::plain_entr((f64)a));
}
template <class T> T cu_rel_entr(T a, T b) {
    return (T)(elementary::special::ratio_is_rare((f64)a, (f64)b) ? elementary::special::rel_entr((f64)a, (f64)b) : elementary::special::plain_rel_entr((f64)a, (f64)b));
}
template <class T> T cu_kl_div(T a, T b) {
    return (T)(elementary::special::ratio_is_rare((f64)a, (f64)b) ? elementary::special::kl_div((f64)a, (f64)b) : elementary::special::plain_kl_div((f64)a, (f64)b));
}
template <class T> T cu_huber(T a, T b) { return (T)elementary::special::huber((f64)a, (f64)b); }
template <class T> T cu_pseudo_huber(T a, T b) { return (T)elementary::special::pseudo_huber((f64)a, (f64)b); }
template <class T> T cu_boxcox(T a, T b) {
    return (T)(elementary::special::boxcox_is_rare((f64)a, (f64)b) ? elementary::special::boxcox((f64)a, (f64)b) : elementary::special::plain_boxcox((f64)a, (f64)b));
}
template <class T> T cu_boxcox1p(T a, T b) {
    return (T)(elementary::special::boxcox1p_is_rare((f64)a, (f64)b) ? elementary::special::boxcox1p((f64)a, (f64)b) : elementary::special::plain_boxcox1p((f64)a, (f64)b));
}
template <class T> T cu_inv_boxcox(T a, T b) {
    return (T)(elementary::special::inv_boxcox_is_rare((f64)a, (f64)b) ? elementary::special::inv_boxcox((f64)a, (f64)b) : elementary::special::plain_inv_boxcox((f64)a, (f64)b));
}
template <class T> T cu_inv_boxcox1p(T a, T b) {
    return (T)(elementary::special::inv_boxcox_is_rare((f64)a, (f64)b) ? elementary::special::inv_boxcox1p((f64)a, (f64)b) : elementary::special::plain_inv_boxcox1p((f64)a, (f64)b));
}
template <class T> T cu_radian(T a, T b, T c) { return (T)elementary::special::radian((f64)a, (f64)b, (f64)c); }
template <class T> T cu_sindg(T a) {
    return (T)(elementary::special::degrees_are_rare((f64)a) ? elementary::special::sindg((f64)a) : elementary::special::plain_sindg((f64)a));
}
template <class T> T cu_cosdg(T a) {
    return (T)(elementary::special::degrees_are_rare((f64)a) ? elementary::special::cosdg((f64)a) : elementary::special::plain_cosdg((f64)a));
}
template <class T> T cu_tandg(T a) {
    return (T)(elementary::special::tangent_is_rare((f64)a) ? elementary::special::tandg((f64)a) : elementary::special::plain_tandg((f64)a));
}
template <class T> T cu_cotdg(T a) {
    return (T)(elementary::special::tangent_is_rare((f64)a) ? elementary::special::cotdg((f64)a) : elementary::special::plain_cotdg((f64)a));
}
