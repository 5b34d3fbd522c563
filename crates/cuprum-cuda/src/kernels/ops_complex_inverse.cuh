// The inverse circular and hyperbolic functions of complex numbers.

namespace elementary {

// For a + ib in the first quadrant, after Hull, Fairgrieve and Tang: the real part of the inverse sine, that of the
// inverse cosine, and the size of the imaginary part of both.
struct Inverse { f64 asin, acos, size; };

inline Inverse inverse_in_range(f64 a, f64 b) {
    f64 r = length<true>(a + 1.0, b), s = length<true>(a - 1.0, b), mean = 0.5 * (r + s), ratio = a / mean;
    Inverse result;
    if (ratio <= 0.6417) {
        result.asin = cu_arcsin(ratio);
        result.acos = cu_arccos(ratio);
    } else {
        f64 above = mean + a;
        f64 leg = a <= 1.0 ? root(0.5 * above * (b * b / (r + a + 1.0) + (s + (1.0 - a))))
                           : b * root(0.5 * (above / (r + a + 1.0) + above / (s + (a - 1.0))));
        result.asin = cu_arctan(a / leg);
        result.acos = cu_arctan(leg / a);
    }
    if (mean <= 1.5) {
        f64 other = a < 1.0 ? b * b / (s + (1.0 - a)) : s + (a - 1.0);
        f64 excess = 0.5 * (b * b / (r + a + 1.0) + other);
        result.size = cu_log1p(excess + root(excess * (mean + 1.0)));
    } else {
        result.size = cu_log(mean + root(mean * mean - 1.0));
    }
    return result;
}

inline Inverse inverse_parts(f64 a, f64 b) {
    constexpr f64 tiny = 6e-154, huge = 1.6e153, epsilon = 2.220446049250313e-16;
    constexpr f64 right_angle = Format<f64>::pi / 2, ln_2 = Format<f64>::ln_2;
    if (a > tiny && a < huge && b > tiny && b < huge) return inverse_in_range(a, b);
    if (b < epsilon * size(a - 1.0)) {
        if (a < 1.0) return {cu_arcsin(a), cu_arccos(a), b / root((1.0 - a) * (1.0 + a))};
        f64 squared = (a - 1.0) * (a + 1.0), leg = root(squared);
        return {right_angle, b / leg, squared < infinity<f64>() ? cu_log1p(a - 1.0 + leg) : ln_2 + cu_log(a)};
    }
    if (b <= tiny) {
        // Here a is one to within the precision, or b is at least that large beside it.
        if (size(a - 1.0) < tiny) return {right_angle - root(b), root(b), root(b)};
        return inverse_in_range(a, b);
    }
    if (epsilon * b - 1.0 >= a) return {a / b, right_angle, ln_2 + cu_log(b)};
    if (a > 1.0) {
        f64 ratio = a / b;
        return {cu_arctan(ratio), cu_arctan(b / a), ln_2 + cu_log(b) + 0.5 * cu_log1p(ratio * ratio)};
    }
    f64 modulus = root(1.0 + b * b), re = a / modulus;
    return {re, right_angle - re, 0.5 * cu_log1p(2.0 * b * (b + modulus))};
}

// The angle of an infinite point in the first quadrant.
inline f64 infinite_angle(f64 x, f64 y) {
    constexpr f64 right_angle = Format<f64>::pi / 2;
    return is_infinite(x) ? (is_infinite(y) ? 0.5 * right_angle : 0.0) : right_angle;
}

inline c128 asinh_of(c128 z) {
    f64 x = z.re, y = z.im, inf = infinity<f64>(), nan = not_a_number<f64>();
    if (is_nan(x) || is_nan(y)) {
        if (is_infinite(x) || is_infinite(y)) return {is_infinite(x) ? x : inf, nan};
        return {nan, y == 0.0 ? y : nan};
    }
    if (is_infinite(x) || is_infinite(y)) return {with_sign(inf, x), with_sign(infinite_angle(x, y), y)};
    Inverse p = inverse_parts(size(y), size(x));
    return {with_sign(p.size, x), with_sign(p.asin, y)};
}

inline c128 asin_of(c128 z) {
    c128 w = asinh_of(c128(z.im, z.re));
    return {w.im, w.re};
}

inline c128 acos_of(c128 z) {
    constexpr f64 pi = Format<f64>::pi;
    f64 x = z.re, y = z.im, inf = infinity<f64>(), nan = not_a_number<f64>();
    if (is_nan(x) || is_nan(y)) {
        if (is_infinite(x)) return {nan, -inf};
        if (is_infinite(y)) return {nan, -y};
        return {x == 0.0 ? pi / 2 : nan, nan};
    }
    if (is_infinite(x) || is_infinite(y)) {
        f64 turn = infinite_angle(x, y);
        return {x < 0 ? pi - turn : turn, with_sign(inf, -y)};
    }
    Inverse p = inverse_parts(size(x), size(y));
    return {is_negative(x) ? pi - p.acos : p.acos, with_sign(p.size, -y)};
}

inline c128 acosh_of(c128 z) {
    c128 w = acos_of(z);
    if (is_nan(w.re) && is_nan(w.im)) return w;
    if (is_nan(w.re)) return {size(w.im), w.re};
    if (is_nan(w.im)) return {w.im, w.re};
    return {size(w.im), with_sign(w.re, z.im)};
}

inline c128 atanh_of(c128 z) {
    constexpr f64 right_angle = Format<f64>::pi / 2;
    f64 x = z.re, y = z.im, a = size(x), b = size(y);
    if (is_infinite(y) || (is_infinite(x) && !is_nan(y))) return {with_sign(0.0, x), with_sign(right_angle, y)};
    if (is_nan(x) || is_nan(y)) {
        return {is_infinite(x) || x == 0.0 ? with_sign(0.0, x) : not_a_number<f64>(), not_a_number<f64>()};
    }
    if (a > square_limit || b > square_limit) {
        f64 half = length<true>(0.5 * a, 0.5 * b);
        return {with_sign(0.25 * a / half / half, x), with_sign(right_angle, y)};
    }
    f64 gap = (1.0 - a) * (1.0 - a) + b * b;
    f64 re = a == 1.0 && b < 1e-150 ? 0.5 * (Format<f64>::ln_2 - cu_log(b)) : 0.25 * cu_log1p(4.0 * a / gap);
    f64 im = 0.5 * cu_arctan2(2.0 * b, (1.0 - a) * (1.0 + a) - b * b);
    return {with_sign(re, x), with_sign(im, y)};
}

inline c128 atan_of(c128 z) {
    c128 w = atanh_of(c128(z.im, z.re));
    return {w.im, w.re};
}

}  // namespace elementary

ANALYTIC(arcsin, asin_of)
ANALYTIC(arccos, acos_of)
ANALYTIC(arctan, atan_of)
ANALYTIC(arcsinh, asinh_of)
ANALYTIC(arccosh, acosh_of)
ANALYTIC(arctanh, atanh_of)
