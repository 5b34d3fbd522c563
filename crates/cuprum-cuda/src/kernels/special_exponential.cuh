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
inline f64 plain_inv_boxcox(f64 y, f64 lambda);
inline bool inv_boxcox_is_rare(f64 y, f64 lambda);
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
inline Pair turn_of_degrees(f64 r);
inline f64 sindg(f64 x);
inline f64 cosdg(f64 x);
inline f64 tangent_of_degrees(f64 x, f64 sign);
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
    return (x * plain_log_ratio(x, y) - x) + y;
}

// The inverse of boxcox, lambda not being zero.
inline f64 plain_inv_boxcox(f64 y, f64 lambda) {
    return cu_exp(cu_log1p(lambda * y) / lambda);
}

// Whether inv_boxcox takes another way.
inline bool inv_boxcox_is_rare(f64 y, f64 lambda) {
    return !(elementary::size(lambda) > 0.0 && elementary::size(lambda * y) < infinity<f64>());
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
    if (x > 0.0 && y > 0.0) {
        return (x * log_ratio(x, y) - x) + y;
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
    auto l = cu_log(x);
    return (elementary::size(lambda) < 1e-19 ? l : cu_expm1(lambda * l) / lambda);
}

// ((1 + x)^lambda - 1) / lambda.
inline f64 boxcox1p(f64 x, f64 lambda) {
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
    return (lambda == 0.0 ? cu_exp(y) : cu_exp(log_of_power(y, lambda) / lambda));
}

// The inverse of boxcox1p.
inline f64 inv_boxcox1p(f64 y, f64 lambda) {
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

// Sine and cosine of up to 45 degrees, the angle in radians not rounded.
inline Pair turn_of_degrees(f64 r) {
    auto h = r * tables_of_exponential::DEGREE;
    auto low = fused(r, tables_of_exponential::DEGREE, -h) + r * tables_of_exponential::DEGREE_LOW;
    auto s = cu_sin(h);
    auto c = cu_cos(h);
    return {fused(low, c, s), fused(-low, s, c)};
}

// The sine of degrees.
inline f64 sindg(f64 x) {
    if (!(elementary::size(x) < 1e14)) {
        return (is_nan(x) ? x : 0.0);
    }
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto quarter = n - 4.0 * floor_of(0.25 * n);
    auto value = (quarter == 0.0 ? s : (quarter == 1.0 ? c : (quarter == 2.0 ? -s : -c)));
    return (with_sign(1.0, x) < 0.0 ? -value : value);
}

// The cosine of degrees.
inline f64 cosdg(f64 x) {
    if (!(elementary::size(x) < 1e14)) {
        return (is_nan(x) ? x : 0.0);
    }
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto quarter = n - 4.0 * floor_of(0.25 * n);
    if (quarter == 0.0) {
        return c;
    }
    return (quarter == 1.0 ? -s : (quarter == 2.0 ? -c : s));
}

// The tangent of degrees, or with a sign of -1 its inverse, where neither is zero.
inline f64 tangent_of_degrees(f64 x, f64 sign) {
    auto a = elementary::size(x);
    auto n = nearest_even(a / 90.0);
    auto [s, c] = turn_of_degrees(fused(-90.0, n, a));
    auto is_odd = n - 2.0 * floor_of(0.5 * n) == 1.0;
    auto is_upright = is_odd == (sign < 0.0);
    auto value = (is_upright ? s / c : c / s);
    auto is_positive = is_odd == (x < 0.0);
    return (is_positive ? value : -value);
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
template <class T> T cu_xlogy(T a, T b) { return (T)elementary::special::xlogy((f64)a, (f64)b); }
template <class T> T cu_xlog1py(T a, T b) { return (T)elementary::special::xlog1py((f64)a, (f64)b); }
template <class T> T cu_entr(T a) { return (T)elementary::special::entr((f64)a); }
template <class T> T cu_rel_entr(T a, T b) {
    return (T)(elementary::special::ratio_is_rare((f64)a, (f64)b) ? elementary::special::rel_entr((f64)a, (f64)b) : elementary::special::plain_rel_entr((f64)a, (f64)b));
}
template <class T> T cu_kl_div(T a, T b) {
    return (T)(elementary::special::ratio_is_rare((f64)a, (f64)b) ? elementary::special::kl_div((f64)a, (f64)b) : elementary::special::plain_kl_div((f64)a, (f64)b));
}
template <class T> T cu_huber(T a, T b) { return (T)elementary::special::huber((f64)a, (f64)b); }
template <class T> T cu_pseudo_huber(T a, T b) { return (T)elementary::special::pseudo_huber((f64)a, (f64)b); }
template <class T> T cu_boxcox(T a, T b) { return (T)elementary::special::boxcox((f64)a, (f64)b); }
template <class T> T cu_boxcox1p(T a, T b) { return (T)elementary::special::boxcox1p((f64)a, (f64)b); }
template <class T> T cu_inv_boxcox(T a, T b) {
    return (T)(elementary::special::inv_boxcox_is_rare((f64)a, (f64)b) ? elementary::special::inv_boxcox((f64)a, (f64)b) : elementary::special::plain_inv_boxcox((f64)a, (f64)b));
}
template <class T> T cu_inv_boxcox1p(T a, T b) { return (T)elementary::special::inv_boxcox1p((f64)a, (f64)b); }
template <class T> T cu_radian(T a, T b, T c) { return (T)elementary::special::radian((f64)a, (f64)b, (f64)c); }
template <class T> T cu_sindg(T a) { return (T)elementary::special::sindg((f64)a); }
template <class T> T cu_cosdg(T a) { return (T)elementary::special::cosdg((f64)a); }
template <class T> T cu_tandg(T a) { return (T)elementary::special::tandg((f64)a); }
template <class T> T cu_cotdg(T a) { return (T)elementary::special::cotdg((f64)a); }
