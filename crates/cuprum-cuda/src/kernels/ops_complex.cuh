// The elementary functions of complex numbers with C99's special values, computed in f64; c64 is rounded once. Branch
// cuts follow the sign of zero. The inverse circular and hyperbolic functions have a text of their own.

namespace elementary {

// The largest argument whose exponential surely does not overflow.
constexpr f64 exp_limit = 709.0;
// Beyond this, squares leave the range in which a sum of them is accurate.
constexpr f64 square_limit = 1e150;

inline c128 undefined() { return {not_a_number<f64>(), not_a_number<f64>()}; }

// factor * e^x * (cos y + i sin y), for finite arguments, without overflow on the way.
inline c128 scaled_cis(f64 factor, f64 x, f64 y) {
    f64 sine = cu_sin(y), cosine = cu_cos(y);
    // Each step takes out a power of e that is still finite; after two, what remains overflows rightly.
    for (int i = 0; i < 2; ++i) {
        if (x > exp_limit) {
            f64 step = cu_exp(exp_limit);
            sine *= step;
            cosine *= step;
            x -= exp_limit;
        }
    }
    f64 e = cu_exp(x) * factor;
    return {e * cosine, e * sine};
}

inline c128 exp_of(c128 z) {
    f64 x = z.re, y = z.im;
    if (y == 0.0) return {cu_exp(x), y};
    if (is_nan(x)) return undefined();
    if (is_infinite(x)) {
        if (x < 0) {
            if (!is_finite(y)) return {0.0, with_sign(0.0, y)};
            return {with_sign(0.0, cu_cos(y)), with_sign(0.0, cu_sin(y))};
        }
        if (!is_finite(y)) return {x, not_a_number<f64>()};
        return {with_sign(x, cu_cos(y)), with_sign(x, cu_sin(y))};
    }
    return is_finite(y) ? scaled_cis(1.0, x, y) : undefined();
}

// The phase of 2^z is carried in two parts, lest its rounding turn the result.
inline c128 exp2_of(c128 z) {
    typedef Format<f64> F;
    f64 x = z.re, y = z.im;
    if (y == 0.0) return {cu_exp2(x), y};
    if (!is_finite(x) || !is_finite(y)) return exp_of(c128(x * F::ln_2, y * F::ln_2));
    f64 phase = y * F::ln_2, rest = fused(y, F::ln_2, -phase) + y * F::ln_2_tail;
    f64 sine = cu_sin(phase), cosine = cu_cos(phase), turn_sine = cu_sin(rest), turn_cosine = cu_cos(rest);
    // Half of the exponent at a time: the whole power may overflow where the product does not.
    f64 power = cu_exp2(0.5 * x);
    return {(cosine * turn_cosine - sine * turn_sine) * power * power,
            (sine * turn_cosine + cosine * turn_sine) * power * power};
}

inline c128 expm1_of(c128 z) {
    f64 half = cu_sin(0.5 * z.im);
    return {cu_expm1(z.re) * cu_cos(z.im) - 2.0 * half * half, cu_exp(z.re) * cu_sin(z.im)};
}

// offset + linear + a^2 + b^2, nearly exact where the terms cancel.
inline f64 sum_of_squares(f64 offset, f64 linear, f64 a, f64 b) {
    f64 aa = a * a, bb = b * b, errors = fused(a, a, -aa) + fused(b, b, -bb);
    Sum<f64> first = exact_sum(offset, linear), second = exact_sum(first.high, aa), third = exact_sum(second.high, bb);
    return third.high + (first.low + second.low + third.low + errors);
}

// Logarithms that are all but always the double nearest to the exact one: powers multiply their errors.
struct Nearest {
    static f64 log(f64 x) { return log_edges(x, log_in_two(x).high); }
    // For numbers from -1/2 on.
    static f64 log1p(f64 x) {
        Sum<f64> sum = exact_sum(1.0, x), whole = log_in_two(sum.high);
        return whole.high + (whole.low + sum.low / sum.high);
    }
};
// Logarithms within an ulp.
struct Near {
    static f64 log(f64 x) { return cu_log(x); }
    static f64 log1p(f64 x) { return cu_log1p(x); }
};

template <class How> f64 log_modulus(f64 x, f64 y) {
    typedef Format<f64> F;
    bool wide = size(x) >= size(y);
    f64 large = size(wide ? x : y), small = size(wide ? y : x), square = large * large + small * small;
    if (square >= 0.5 && square <= 3.0) return 0.5 * How::log1p(sum_of_squares(-1.0, 0.0, large, small));
    if (large > square_limit && is_finite(large)) {
        return How::log(length<true>(0.25 * large, 0.25 * small)) + 2.0 * F::ln_2;
    }
    if (large < F::least && large > 0.0) {
        constexpr f64 lift = 1267650600228229401496703205376.0;
        return How::log(length<true>(lift * large, lift * small)) - 100.0 * F::ln_2;
    }
    return How::log(length<true>(x, y));
}

template <class How> c128 log_by(c128 z) { return {log_modulus<How>(z.re, z.im), cu_arctan2(z.im, z.re)}; }
inline c128 log_of(c128 z) { return log_by<Near>(z); }

inline c128 log2_of(c128 z) {
    c128 w = log_of(z);
    return {w.re * Format<f64>::log2_e, w.im * Format<f64>::log2_e};
}

inline c128 log10_of(c128 z) {
    constexpr f64 log10_e = 0.4342944819032518;
    c128 w = log_of(z);
    return {w.re * log10_e, w.im * log10_e};
}

inline c128 log1p_of(c128 z) {
    f64 shifted = z.re + 1.0, square = shifted * shifted + z.im * z.im;
    bool near_one = square >= 0.5 && square <= 3.0;
    f64 re = near_one ? 0.5 * cu_log1p(sum_of_squares(0.0, 2.0 * z.re, z.re, z.im)) : log_modulus<Near>(shifted, z.im);
    return {re, cu_arctan2(z.im, shifted)};
}

inline c128 sqrt_of(c128 z) {
    f64 x = z.re, y = z.im, inf = infinity<f64>();
    if (is_infinite(y)) return {inf, y};
    if (is_infinite(x)) {
        f64 rest = is_nan(y) ? y : with_sign(0.0, y);
        return x > 0 ? c128(x, rest) : c128(size(rest), with_sign(inf, y));
    }
    if (is_nan(x) || is_nan(y)) return undefined();
    if (x == 0.0 && y == 0.0) return {0.0, y};
    f64 largest = size(x) > size(y) ? size(x) : size(y), scale = 1.0, back = 1.0;
    if (largest > 4e307) scale = 0.25, back = 2.0;
    if (largest < 1e-290) scale = from_bits((1023ull + 108) << 52), back = from_bits((1023ull - 54) << 52);
    x *= scale;
    y *= scale;
    f64 longer = root(0.5 * (size(x) + length<true>(x, y))), other = size(y) / (2.0 * longer);
    bool right = x >= 0;
    return {(right ? longer : other) * back, with_sign((right ? other : longer) * back, y)};
}

inline c128 sinh_of(c128 z) {
    f64 x = z.re, y = z.im;
    if (y == 0.0) return {cu_sinh(x), y};
    if (!is_finite(y)) {
        return {x == 0.0 ? x : is_infinite(x) ? size(x) : not_a_number<f64>(), not_a_number<f64>()};
    }
    f64 sine = cu_sin(y), cosine = cu_cos(y);
    if (is_infinite(x)) return {x * cosine, size(x) * sine};
    if (size(x) > exp_limit) {
        c128 w = scaled_cis(0.5, size(x), y);
        return {with_sign(w.re, x * cosine), w.im};
    }
    return {cu_sinh(x) * cosine, cu_cosh(x) * sine};
}

inline c128 cosh_of(c128 z) {
    f64 x = z.re, y = z.im;
    if (y == 0.0) return {cu_cosh(x), is_nan(x) ? y : negated_by(y, x)};
    if (!is_finite(y)) {
        if (x == 0.0) return {not_a_number<f64>(), 0.0};
        return {is_infinite(x) ? infinity<f64>() : not_a_number<f64>(), not_a_number<f64>()};
    }
    f64 sine = cu_sin(y), cosine = cu_cos(y);
    if (is_infinite(x)) return {size(x) * cosine, x * sine};
    if (size(x) > exp_limit) {
        c128 w = scaled_cis(0.5, size(x), y);
        return {w.re, with_sign(w.im, x * sine)};
    }
    return {cu_cosh(x) * cosine, cu_sinh(x) * sine};
}

inline c128 tanh_of(c128 z) {
    f64 x = z.re, y = z.im;
    if (is_infinite(x)) return {with_sign(1.0, x), with_sign(0.0, is_finite(y) ? cu_sin(2.0 * y) : y)};
    if (!is_finite(y)) return {x == 0.0 ? x : not_a_number<f64>(), not_a_number<f64>()};
    if (is_nan(x)) return {x, y == 0.0 ? y : x};
    if (size(x) > 22.0) {
        f64 decay = cu_exp(-size(x));
        return {with_sign(1.0, x), 4.0 * cu_sin(y) * cu_cos(y) * decay * decay};
    }
    f64 tangent = cu_tan(y), secant = 1.0 + tangent * tangent, sine = cu_sinh(x);
    f64 denominator = 1.0 + secant * sine * sine;
    return {secant * root(1.0 + sine * sine) * sine / denominator, tangent / denominator};
}

inline c128 sin_of(c128 z) {
    c128 w = sinh_of(c128(-z.im, z.re));
    // The sign of this infinity is unspecified; glibc's is plus.
    return {w.im, is_nan(w.im) && is_infinite(w.re) ? w.re : -w.re};
}

inline c128 cos_of(c128 z) { return cosh_of(c128(-z.im, z.re)); }

inline c128 tan_of(c128 z) {
    c128 w = tanh_of(c128(-z.im, z.re));
    return {w.im, -w.re};
}

// The product of C99: where the plain formula loses an infinity to NaN, it is brought back.
inline c128 mended_product(c128 a, c128 b) {
    c128 product = a * b;
    if (!is_nan(product.re) || !is_nan(product.im)) return product;
    bool a_infinite = is_infinite(a.re) || is_infinite(a.im), b_infinite = is_infinite(b.re) || is_infinite(b.im);
    bool overflowed = is_infinite(a.re * b.re) || is_infinite(a.im * b.im) || is_infinite(a.re * b.im) ||
                      is_infinite(a.im * b.re);
    if (!a_infinite && !b_infinite && !overflowed) return product;
    f64 parts[4] = {a.re, a.im, b.re, b.im};
    for (int i = 0; i < 4; ++i) {
        bool infinite = i < 2 ? a_infinite : b_infinite;
        f64 part = infinite ? (is_infinite(parts[i]) ? 1.0 : 0.0) : size(parts[i]);
        parts[i] = with_sign(is_nan(part) ? 0.0 : part, parts[i]);
    }
    c128 turned = c128(parts[0], parts[1]) * c128(parts[2], parts[3]);
    return {infinity<f64>() * turned.re, infinity<f64>() * turned.im};
}

template <class T> complex<T> whole_power(complex<T> a, int n) {
    // The short ones in one product each treat infinities better than squaring does.
    if (n == 1) return a;
    if (n == 2) return a * a;
    if (n == 3) return a * (a * a);
    complex<T> square = a, result(T(1), T(0));
    for (u32 left = n < 0 ? (u32)-n : (u32)n;;) {
        if (left & 1) result = result * square;
        left >>= 1;
        if (left == 0) break;
        square = square * square;
    }
    return n < 0 ? complex<T>(T(1), T(0)) / result : result;
}

}  // namespace elementary

// cu_NAME of either complex type from `elementary::FUNCTION`.
#define ANALYTIC(NAME, FUNCTION)                                               \
    template <class T> complex<T> cu_##NAME(complex<T> z) {                    \
        return cast<complex<T>>(elementary::FUNCTION(cast<c128>(z)));          \
    }
ANALYTIC(sqrt, sqrt_of)
ANALYTIC(exp, exp_of)
ANALYTIC(exp2, exp2_of)
ANALYTIC(expm1, expm1_of)
ANALYTIC(log, log_of)
ANALYTIC(log2, log2_of)
ANALYTIC(log10, log10_of)
ANALYTIC(log1p, log1p_of)
ANALYTIC(sin, sin_of)
ANALYTIC(cos, cos_of)
ANALYTIC(tan, tan_of)
ANALYTIC(sinh, sinh_of)
ANALYTIC(cosh, cosh_of)
ANALYTIC(tanh, tanh_of)

// Small whole exponents by multiplication, as NumPy has them, the rest by way of the logarithm.
template <class T> complex<T> cu_power(complex<T> a, complex<T> b) {
    using namespace elementary;
    if (b.re == 0 && b.im == 0) return {T(1), T(0)};
    if (a.re == 0 && a.im == 0) return b.re > 0 ? complex<T>(T(0), T(0)) : cast<complex<T>>(undefined());
    if (b.im == 0 && size(b.re) < 100 && truncate(b.re) == b.re) return whole_power(a, (int)b.re);
    return cast<complex<T>>(exp_of(mended_product(log_by<Nearest>(cast<c128>(a)), cast<c128>(b))));
}

// Rounded where NumPy rounds: after the product and after the sine.
template <class T> complex<T> cu_sinc(complex<T> z) {
    complex<T> angle = complex<T>(elementary::Format<T>::pi, T(0)) * z;
    if (angle.re == 0 && angle.im == 0) return {T(1), T(0)};
    return cu_sin(angle) / angle;
}
