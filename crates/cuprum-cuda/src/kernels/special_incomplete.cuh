// Incomplete gamma and beta functions, their inverses, and the distributions that stand on them.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: incomplete.rs.

namespace elementary {
namespace special {

namespace tables_of_incomplete {
COEFFICIENTS f64 TEMME[] = {
    -0.33333333333333333, 0.083333333333333333, -0.014814814814814815, 0.0011574074074074074, 0.0003527336860670194,
    -0.00017875514403292181, 3.9192631785224378e-5, -2.1854485106799922e-6, -1.85406221071516e-6,
    8.296711340953086e-7, -1.7665952736826079e-7, 6.7078535434014986e-9, 1.0261809784240308e-8,
    -4.3820360184533532e-9, 9.1476995822367902e-10, -2.551419399494625e-11, -5.8307721325504251e-11,
    2.4361948020667416e-11, -5.0276692801141756e-12, 1.1004392031956135e-13, -0.0018518518518518519,
    -0.0034722222222222222, 0.0026455026455026455, -0.00099022633744855967, 0.00020576131687242798,
    -4.0187757201646091e-7, -1.8098550334489978e-5, 7.6491609160811101e-6, -1.6120900894563446e-6,
    4.6471278028074343e-9, 1.378633446915721e-7, -5.752545603517705e-8, 1.1951628599778147e-8,
    -1.7543241719747648e-11, -1.0091543710600413e-9, 4.1627929918425826e-10, -8.5639070264929806e-11,
    6.0672151016047586e-14, 7.1624989648114854e-12, -2.9331866437714371e-12, 0.0041335978835978836,
    -0.0026813271604938272, 0.00077160493827160494, 2.0093878600823045e-6, -0.00010736653226365161,
    5.2923448829120125e-5, -1.2760635188618728e-5, 3.4235787340961381e-8, 1.3721957309062933e-6,
    -6.298992138380055e-7, 1.4280614206064242e-7, -2.0477098421990866e-10, -1.4092529910867521e-8,
    6.228974084922022e-9, -1.3670488396617113e-9, 9.4283561590146782e-13, 1.2872252400089318e-10,
    -5.5645956134363321e-11, 1.1975935546366981e-11, -4.1689782251838635e-15, 0.00064943415637860082,
    0.00022947209362139918, -0.00046918949439525571, 0.00026772063206283885, -7.5618016718839764e-5,
    -2.3965051138672967e-7, 1.1082654115347302e-5, -5.6749528269915966e-6, 1.4230900732435884e-6,
    -2.7861080291528142e-11, -1.6958404091930277e-7, 8.0994649053880824e-8, -1.9111168485973654e-8,
    2.3928620439808118e-12, 2.0620131815488798e-9, -9.4604966618551322e-10, 2.1541049775774908e-10,
    -1.388823336813903e-14, -2.1894761681963939e-11, 9.7909989511716851e-12, -0.0008618882909167117,
    0.00078403922172006663, -0.00029907248030319018, -1.4638452578843418e-6, 6.6414982154651222e-5,
    -3.9683650471794347e-5, 1.1375726970678419e-5, 2.5074972262375328e-10, -1.6954149536558306e-6,
    8.9075075322053097e-7, -2.2929348340008049e-7, 2.956794137544049e-11, 2.8865829742708784e-8,
    -1.4189739437803219e-8, 3.4463580499464897e-9, -2.3024517174528067e-13, -3.9409233028046405e-10,
    1.8602338968504502e-10, -4.356323005056618e-11, 1.2786001016296231e-15, -0.00033679855336635815,
    -6.9728137583658578e-5, 0.00027727532449593921, -0.00019932570516188848, 6.7977804779372078e-5,
    1.419062920643967e-7, -1.3594048189768693e-5, 8.0184702563342015e-6, -2.2914811765080952e-6,
    -3.252473551298454e-10, 3.4652846491085265e-7, -1.8447187191171343e-7, 4.8240967037894181e-8,
    -1.7989466721743515e-14, -6.3061945000135234e-9, 3.1624176287745679e-9, -7.8409242536974293e-10,
    5.1926791652540407e-15, 9.3589442423067836e-11, -4.5134262161632782e-11, 0.00053130793646399222,
    -0.00059216643735369388, 0.00027087820967180448, 7.9023532326603279e-7, -8.1539693675619688e-5,
    5.6116827531062497e-5, -1.8329116582843376e-5, -3.0796134506033048e-9, 3.4651553688036091e-6,
    -2.0291327396058604e-6, 5.7887928631490037e-7, 2.338630673826657e-13, -8.8286007463304835e-8,
    4.7435958880408128e-8, -1.2545415020710382e-8, 8.6496488580102925e-14, 1.6846058979264063e-9,
    -8.5754928235775947e-10, 2.1598224929232125e-10, -7.6132305204761539e-16, 0.00034436760689237767,
    5.1717909082605922e-5, -0.00033493161081142236, 0.0002812695154763237, -0.00010976582244684731,
    -1.2741009095484485e-7, 2.7744451511563644e-5, -1.8263488805711333e-5, 5.7876949497350524e-6,
    4.9387589339362704e-10, -1.0595367014026043e-6, 6.1667143761104075e-7, -1.7562973359060462e-7,
    -1.2974473287015439e-12, 2.695423606288966e-8, -1.4578352908731271e-8, 3.887645959386175e-9,
    -3.8810022510194121e-17, -5.3279941738772867e-10, 2.7437977643314845e-10
};
}

RARE f64 log1p_less(f64 x);
RARE f64 gamma_density(f64 a, f64 x);
RARE f64 gamma_series(f64 a, f64 x);
RARE f64 gamma_fraction(f64 a, f64 x);
RARE f64 gamma_complement_series(f64 a, f64 x);
RARE f64 gamma_uniform(f64 a, f64 x, f64 side);
inline bool is_near_mean(f64 a, f64 x);
RARE f64 gammainc(f64 a, f64 x);
RARE f64 gammaincc(f64 a, f64 x);
RARE f64 gamma_inverse(f64 a, f64 p, f64 q);
RARE f64 gammaincinv(f64 a, f64 p);
RARE f64 gammainccinv(f64 a, f64 q);
inline Pair sum_of(f64 a, f64 b);
RARE f64 beta_density(f64 a, f64 b, f64 x, f64 y);
RARE f64 beta_fraction(f64 a, f64 b, f64 x);
RARE f64 beta_series(f64 a, f64 b, f64 x);
RARE f64 beta_lower(f64 a, f64 b, f64 x, f64 y);
RARE f64 beta_regularized(f64 a, f64 b, f64 x, f64 y, bool complement);
RARE f64 beta_upper_small(f64 a, f64 b, f64 x, f64 y);
RARE f64 betainc(f64 a, f64 b, f64 x);
RARE f64 betaincc(f64 a, f64 b, f64 x);
RARE f64 beta_inverse_low(f64 a, f64 b, f64 p, f64 q);
RARE Pair beta_inverse(f64 a, f64 b, f64 p, f64 q);
RARE f64 betaincinv(f64 a, f64 b, f64 p);
RARE f64 betainccinv(f64 a, f64 b, f64 q);
RARE Pair f_place(f64 a, f64 b, f64 x);
RARE f64 fdtr(f64 a, f64 b, f64 x);
RARE f64 fdtrc(f64 a, f64 b, f64 x);
RARE f64 fdtri(f64 a, f64 b, f64 p);
RARE f64 stdtr(f64 df, f64 t);
RARE f64 stdtrit(f64 df, f64 p);

// log1p(x) - x.
RARE f64 log1p_less(f64 x) {
    if (elementary::size(x) > 0.35) {
        return called_log1p(x) - x;
    }
    // log1p(x) = 2 atanh(r), r = x / (2 + x); x = 2 r + r x.
    auto r = x / (2.0 + x);
    auto z = r * r;
    auto sum = 0.0;
    auto power = z;
    auto k = 3.0;
    while (k < 35.0) {
        auto term = power / k;
        sum += term;
        if (term < 1e-18) {
            break;
        }
        power *= z;
        k += 2.0;
    }
    return r * (2.0 * sum - x);
}

// x^a exp(-x) / gamma(a + 1).
RARE f64 gamma_density(f64 a, f64 x) {
    if (a < 8.0) {
        if (x > 700.0 || x < 1e-30) {
            return called_exp(a * called_log(x) - x - lgamma_positive(a + 1.0));
        }
        return called_pow(x, a) * called_exp(-x) * rgamma(a + 1.0);
    }
    auto scale = 0.3989422804014327 / elementary::root(a) * called_exp(-stirling_rest(a));
    auto part = (x - a) / a;
    if (a > 1e5 && elementary::size(part) < 0.35) {
        auto low = fused(-part, a, x - a) / a;
        auto exponent = a * log1p_less(part);
        auto value = called_exp(exponent);
        return scale * fused(-value * a * (part / (1.0 + part)), low, value);
    }
    auto [x_high, x_low] = called_log_parts(x);
    auto [a_high, a_low] = called_log_parts(a);
    auto difference = x_high - a_high;
    auto whole = x_high - difference;
    auto low = ((whole - a_high) + (x_high - (difference + whole))) + (x_low - a_low);
    auto product = a * difference;
    auto product_low = fused(a, difference, -product) + a * low;
    auto distance = x - a;
    auto back = x - distance;
    auto distance_low = (back - a) + (x - (distance + back));
    auto exponent = product - distance;
    auto spread = product - exponent;
    auto rest = ((spread - distance) + (product - (exponent + spread))) + (product_low - distance_low);
    auto value = called_exp(exponent);
    return scale * fused(value, rest, value);
}

// P(a, x) by its series, which converges quickly for x below a.
RARE f64 gamma_series(f64 a, f64 x) {
    auto sum = 1.0;
    auto term = 1.0;
    auto n = a;
    auto i = 0;
    while (i < 20000) {
        n += 1.0;
        term *= x / n;
        sum += term;
        if (term < 1e-17 * sum) {
            break;
        }
        i += 1;
    }
    return sum * gamma_density(a, x);
}

// Q(a, x) by its continued fraction, for x above a.
RARE f64 gamma_fraction(f64 a, f64 x) {
    auto b = x + 1.0 - a;
    auto c = 1e300;
    auto d = 1.0 / b;
    auto h = d;
    auto i = 1.0;
    while (i < 20000.0) {
        auto factor = -i * (i - a);
        b += 2.0;
        d = fused(factor, d, b);
        d = (elementary::size(d) < 1e-300 ? 1e-300 : d);
        c = b + factor / c;
        c = (elementary::size(c) < 1e-300 ? 1e-300 : c);
        d = 1.0 / d;
        auto step = c * d;
        h *= step;
        if (elementary::size(step - 1.0) < 2e-16) {
            break;
        }
        i += 1.0;
    }
    return a * gamma_density(a, x) * h;
}

// Q(a, x) for x up to about one, where 1 - P(a, x) may cancel.
RARE f64 gamma_complement_series(f64 a, f64 x) {
    auto sum = 0.0;
    auto term = 1.0;
    auto n = 1.0;
    while (n < 200.0) {
        term *= -x / n;
        auto part = term / (a + n);
        sum += part;
        if (elementary::size(part) < 1e-17 * elementary::size(sum)) {
            break;
        }
        n += 1.0;
    }
    auto t = a * called_log(x);
    auto log_gamma = (a < 0.5 ? lgamma_1p(a) : lgamma_positive(1.0 + a));
    return -called_expm1(t - log_gamma) - called_exp(t - log_gamma) * a * sum;
}

// The uniform expansion of Temme for large a and x near it: Q(a, x), or P(a, x) for a negative side.
RARE f64 gamma_uniform(f64 a, f64 x, f64 side) {
    auto part = (x - a) / a;
    auto half_square = -log1p_less(part);
    auto eta = with_sign(elementary::root(2.0 * half_square), part);
    auto sum = 0.0;
    auto scale = 1.0;
    for (int k = 0; k < 8; ++k) {
        auto inner = 0.0;
        for (int n = 20 - 1; n >= 0; --n) {
            inner = fused(inner, eta, tables_of_incomplete::TEMME[k * 20 + n]);
        }
        sum += inner * scale;
        scale /= a;
    }
    auto tail = sum * called_exp(-a * half_square) * 0.3989422804014327 / elementary::root(a);
    return 0.5 * erfc(side * eta * elementary::root(0.5 * a)) + side * tail;
}

// Whether the uniform expansion serves.
inline bool is_near_mean(f64 a, f64 x) {
    return a > 200.0 && elementary::size(x - a) < 0.3 * a;
}

// The regularized lower incomplete gamma function.
RARE f64 gammainc(f64 a, f64 x) {
    if (is_nan(a) || is_nan(x) || x < 0.0 || a < 0.0) {
        return not_a_number<f64>();
    }
    if (a == 0.0) {
        return (x > 0.0 ? 1.0 : not_a_number<f64>());
    }
    if (x == 0.0) {
        return 0.0;
    }
    if (a == infinity<f64>()) {
        return (x == infinity<f64>() ? not_a_number<f64>() : 0.0);
    }
    if (x == infinity<f64>()) {
        return 1.0;
    }
    if (is_near_mean(a, x)) {
        return gamma_uniform(a, x, -1.0);
    }
    if (x > 1.0 && x > a) {
        return 1.0 - gammaincc(a, x);
    }
    return gamma_series(a, x);
}

// The regularized upper incomplete gamma function.
RARE f64 gammaincc(f64 a, f64 x) {
    if (is_nan(a) || is_nan(x) || x < 0.0 || a < 0.0) {
        return not_a_number<f64>();
    }
    if (a == 0.0) {
        return (x > 0.0 ? 0.0 : not_a_number<f64>());
    }
    if (x == 0.0) {
        return 1.0;
    }
    if (a == infinity<f64>()) {
        return (x == infinity<f64>() ? not_a_number<f64>() : 1.0);
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (is_near_mean(a, x)) {
        return gamma_uniform(a, x, 1.0);
    }
    if (x > 1.1) {
        return (x < a ? 1.0 - gamma_series(a, x) : gamma_fraction(a, x));
    }
    if (x <= 0.5) {
        return (-0.4 / called_log(x) < a ? 1.0 - gamma_series(a, x) : gamma_complement_series(a, x));
    }
    return (x * 1.1 < a ? 1.0 - gamma_series(a, x) : gamma_complement_series(a, x));
}

// The x at which P(a, x) is p and Q(a, x) is q.
RARE f64 gamma_inverse(f64 a, f64 p, f64 q) {
    auto small = called_log(p) + lgamma_positive(a + 1.0);
    auto x = called_exp(small / a);
    if (a > 0.3 && (a > 4.0 || p > 0.1)) {
        // Wilson and Hilferty: the cube root is nearly normal.
        auto z = (p < q ? ndtri(p) : -ndtri(q));
        auto w = 1.0 / (9.0 * a);
        auto root = 1.0 - w + z * elementary::root(w);
        if (root > 0.2) {
            x = a * root * root * root;
        } else if (x > a) {
            x = 0.5 * a;
        }
    } else if (q < 0.5 && a < 1.0) {
        x = -called_log(q) - lgamma_positive(a);
        x = (x > 1.0 ? x + (a - 1.0) * called_log(x) : 0.7);
    }
    if (x <= 0.0) {
        return 0.0;
    }
    auto low = 0.0;
    auto high = infinity<f64>();
    auto i = 0;
    while (i < 200) {
        auto value = (p < q ? gammainc(a, x) : gammaincc(a, x));
        auto miss = (p < q ? value - p : q - value);
        if (miss == 0.0) {
            return x;
        }
        if (miss > 0.0) {
            high = x;
        } else {
            low = x;
        }
        auto slope = a / x * gamma_density(a, x);
        auto next = 0.0;
        auto target = (p < q ? p : q);
        if (slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target)) {
            // Far off: by logarithms, which are nearly straight, the lower one in log(x).
            auto ratio = (called_log(value) - called_log(target)) * (value / slope);
            next = (p < q ? x * called_exp(-ratio / x) : x + ratio);
        } else if (slope > 0.0) {
            auto step = miss / slope;
            auto bend = 0.5 * step * ((a - 1.0) / x - 1.0);
            next = x - ((bend < 0.5 && bend > -0.5 ? step / (1.0 - bend) : step));
        }
        if (!(next > low && next < high)) {
            if (high == infinity<f64>()) {
                next = 2.0 * x + 1.0;
            } else if (low == 0.0) {
                next = high * 1e-3;
            } else {
                next = (high > 4.0 * low ? elementary::root(low) * elementary::root(high) : 0.5 * (low + high));
            }
        }
        auto moved = elementary::size(next - x);
        x = next;
        if (moved <= 4e-16 * x || x == 0.0) {
            return x;
        }
        i += 1;
    }
    return x;
}

// The inverse of gammainc in its second argument.
RARE f64 gammaincinv(f64 a, f64 p) {
    if (is_nan(a) || is_nan(p) || a < 0.0 || p < 0.0 || p > 1.0) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == 1.0) {
        return (p == 0.0 ? 0.0 : infinity<f64>());
    }
    return (a == 0.0 || a == infinity<f64>() ? not_a_number<f64>() : gamma_inverse(a, p, 1.0 - p));
}

// The inverse of gammaincc in its second argument.
RARE f64 gammainccinv(f64 a, f64 q) {
    if (is_nan(a) || is_nan(q) || a < 0.0 || q < 0.0 || q > 1.0) {
        return not_a_number<f64>();
    }
    if (q == 0.0 || q == 1.0) {
        return (q == 1.0 ? 0.0 : infinity<f64>());
    }
    return (a == 0.0 || a == infinity<f64>() ? not_a_number<f64>() : gamma_inverse(a, 1.0 - q, q));
}

// A sum, and what its rounding lost.
inline Pair sum_of(f64 a, f64 b) {
    auto sum = a + b;
    auto part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}

// x^a y^b / beta(a, b) for x + y = 1.
RARE f64 beta_density(f64 a, f64 b, f64 x, f64 y) {
    if (a >= 8.0 && b >= 8.0) {
        // Relative to the largest value, where x = a / (a + b): the logarithms are small there.
        auto sum = a + b;
        auto shift = fused(x, sum, -a);
        auto first = shift / a;
        auto second = -shift / b;
        auto scale = elementary::root(a / sum * b / 6.283185307179586);
        auto rest = stirling_rest(sum) - stirling_rest(a) - stirling_rest(b);
        auto exponent = 0.0;
        auto low = 0.0;
        if (sum > 1e6 && elementary::size(first) < 0.35 && elementary::size(second) < 0.35) {
            exponent = a * log1p_less(first) + b * log1p_less(second);
        } else {
            auto [x_high, x_low] = called_log_parts(x);
            auto [y_high, y_low] = called_log_parts(y);
            auto [s_high, s_low] = called_log_parts(sum);
            auto [a_high, a_low] = called_log_parts(a);
            auto [b_high, b_low] = called_log_parts(b);
            auto [x_part, x_rest] = sum_of(x_high, s_high);
            auto [at_x, x_more] = sum_of(x_part, -a_high);
            auto [y_part, y_rest] = sum_of(y_high, s_high);
            auto [at_y, y_more] = sum_of(y_part, -b_high);
            auto left = a * at_x;
            auto right = b * at_y;
            auto [whole, error] = sum_of(left, right);
            auto left_low = fused(a, at_x, -left) + a * ((x_rest + x_more) + ((x_low + s_low) - a_low));
            auto right_low = fused(b, at_y, -right) + b * ((y_rest + y_more) + ((y_low + s_low) - b_low));
            exponent = whole;
            low = error + (left_low + right_low);
        }
        auto value = called_exp(exponent);
        return scale * fused(value, low, value) * called_exp(rest);
    }
    if (a + b < 100.0 && x > 1e-200 && y > 1e-200 && a > 1e-200 && b > 1e-200) {
        auto value = called_pow(x, a) * called_pow(y, b) / beta(a, b);
        if (value > 1e-290) {
            return value;
        }
    }
    auto log_y = (x < 0.5 ? called_log1p(-x) : called_log(y));
    auto log_x = (y < 0.5 ? called_log1p(-y) : called_log(x));
    return called_exp(a * log_x + b * log_y - betaln(a, b));
}

// The continued fraction of the incomplete beta function, for x up to about a / (a + b).
RARE f64 beta_fraction(f64 a, f64 b, f64 x) {
    auto sum = a + b;
    auto c = 1.0;
    auto d = 1.0 - sum * x / (a + 1.0);
    d = (elementary::size(d) < 1e-300 ? 1e-300 : d);
    d = 1.0 / d;
    auto h = d;
    auto m = 1.0;
    while (m < 3000000.0) {
        auto even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = fused(even, d, 1.0);
        d = (elementary::size(d) < 1e-300 ? 1e-300 : d);
        c = 1.0 + even / c;
        c = (elementary::size(c) < 1e-300 ? 1e-300 : c);
        d = 1.0 / d;
        h *= c * d;
        auto odd = -(a + m) * (sum + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = fused(odd, d, 1.0);
        d = (elementary::size(d) < 1e-300 ? 1e-300 : d);
        c = 1.0 + odd / c;
        c = (elementary::size(c) < 1e-300 ? 1e-300 : c);
        d = 1.0 / d;
        auto step = c * d;
        h *= step;
        if (elementary::size(step - 1.0) < 2e-16) {
            break;
        }
        m += 1.0;
    }
    return (m < 3000000.0 ? h : not_a_number<f64>());
}

// The incomplete beta function of a small x by its series.
RARE f64 beta_series(f64 a, f64 b, f64 x) {
    auto term = 1.0;
    auto sum = 0.0;
    auto n = 1.0;
    while (n < 5000.0) {
        term *= (n - b) / n * x;
        auto part = term / (a + n);
        sum += part;
        if (elementary::size(part) < 1e-17 * elementary::size(1.0 / a + sum)) {
            break;
        }
        n += 1.0;
    }
    auto factor = fused(a, sum, 1.0);
    if (a + b < 100.0 && x > 1e-200 && a > 1e-200 && b > 1e-200) {
        auto value = called_pow(x, a) / (a * beta(a, b));
        if (value > 1e-290) {
            return value * factor;
        }
    }
    return called_exp(a * called_log(x) - betaln(a, b) - called_log(a)) * factor;
}

// The regularized incomplete beta function for x on its own side of the mean, x + y = 1.
RARE f64 beta_lower(f64 a, f64 b, f64 x, f64 y) {
    if ((b * x <= 1.0 && x <= 0.95) || x < 1e-10) {
        return beta_series(a, b, x);
    }
    return beta_density(a, b, x, y) / a * beta_fraction(a, b, x);
}

// The regularized incomplete beta function at x, or its complement, x + y = 1.
RARE f64 beta_regularized(f64 a, f64 b, f64 x, f64 y, bool complement) {
    if (b > 1e10 && b > 1e10 * a) {
        auto place = -(b + 0.5 * (a - 1.0)) * called_log1p(-x);
        return (complement ? gammaincc(a, place) : gammainc(a, place));
    }
    if (a > 1e10 && a > 1e10 * b) {
        auto place = -(a + 0.5 * (b - 1.0)) * called_log1p(-y);
        return (complement ? gammainc(b, place) : gammaincc(b, place));
    }
    if (a > 1e13 && b > 1e13) {
        auto sum = a + b;
        auto shift = fused(x, sum, -a);
        // Rounded quotients may lie beyond the ends.
        auto left = (shift < -a ? -1.0 : shift / a);
        auto right = (shift > b ? -1.0 : -shift / b);
        auto square = -2.0 * (a * log1p_less(left) + b * log1p_less(right));
        auto place = with_sign((square > 0.0 ? elementary::root(square) : 0.0), shift);
        return ndtr((complement ? -place : place));
    }
    auto direct = (b * x <= 1.0 && x <= 0.95) || x * (a + b + 2.0) <= a + 1.0;
    if (direct) {
        auto value = beta_lower(a, b, x, y);
        if (complement && value > 0.9 && a < 1e-3 && a < 1e-3 * b) {
            return beta_upper_small(a, b, x, y);
        }
        return (complement ? 1.0 - value : value);
    }
    auto value = beta_lower(b, a, y, x);
    if (!complement && value > 0.9 && b < 1e-3 && b < 1e-3 * a) {
        return beta_upper_small(b, a, y, x);
    }
    return (complement ? value : 1.0 - value);
}

// One less the regularized incomplete beta function of a small a, x + y = 1.
RARE f64 beta_upper_small(f64 a, f64 b, f64 x, f64 y) {
    if (x > 0.05 && y <= 0.95) {
        return beta_series(b, a, y);
    }
    auto term = 1.0;
    auto sum = 0.0;
    auto n = 1.0;
    while (n < 5000.0) {
        term *= (n - b) / n * x;
        auto part = term / (a + n);
        sum += part;
        if (elementary::size(part) < 1e-17 * elementary::size(sum)) {
            break;
        }
        n += 1.0;
    }
    // log(a beta(a, b)): the difference of the logarithms by derivatives in its middle.
    auto middle = b + 0.5 * a;
    auto difference = a * (psi(middle) - a * a / 12.0 * zeta_sum(3.0, middle));
    auto exponent = a * called_log(x) - (lgamma_1p(a) - difference);
    return -called_expm1(exponent) - called_exp(exponent) * a * sum;
}

// The regularized incomplete beta function.
RARE f64 betainc(f64 a, f64 b, f64 x) {
    if (!(a >= 0.0) || !(b >= 0.0) || !(x >= 0.0) || x > 1.0) {
        return not_a_number<f64>();
    }
    if (a == 0.0 || b == infinity<f64>()) {
        return ((a == 0.0 && b == 0.0) || (a == infinity<f64>() && b == infinity<f64>()) ? not_a_number<f64>() : (x > 0.0 ? 1.0 : 0.0));
    }
    if (b == 0.0 || a == infinity<f64>()) {
        return (x < 1.0 ? 0.0 : 1.0);
    }
    if (x == 0.0 || x == 1.0) {
        return x;
    }
    return beta_regularized(a, b, x, 1.0 - x, false);
}

// One less the regularized incomplete beta function.
RARE f64 betaincc(f64 a, f64 b, f64 x) {
    if (!(a >= 0.0) || !(b >= 0.0) || !(x >= 0.0) || x > 1.0) {
        return not_a_number<f64>();
    }
    if (a == 0.0 || b == infinity<f64>()) {
        return ((a == 0.0 && b == 0.0) || (a == infinity<f64>() && b == infinity<f64>()) ? not_a_number<f64>() : (x > 0.0 ? 0.0 : 1.0));
    }
    if (b == 0.0 || a == infinity<f64>()) {
        return (x < 1.0 ? 1.0 : 0.0);
    }
    if (x == 0.0 || x == 1.0) {
        return 1.0 - x;
    }
    return beta_regularized(a, b, x, 1.0 - x, true);
}

// The x up to 1/2 at which the incomplete beta function is p and its complement q.
RARE f64 beta_inverse_low(f64 a, f64 b, f64 p, f64 q) {
    auto low = 0.0;
    auto high = 0.5;
    auto x = called_exp((called_log(p) + called_log(a) + betaln(a, b)) / a);
    if (a > 1.0 && b > 1.0) {
        // The normal distribution's place, by mean and variance.
        auto sum = a + b;
        auto z = (p < q ? ndtri(p) : -ndtri(q));
        auto deviation = elementary::root(a * b / (sum + 1.0)) / sum;
        auto guess = a / sum + z * deviation;
        x = (guess > 0.1 * a / sum ? guess : x);
    }
    if (!(x > 0.0)) {
        return 0.0;
    }
    x = (x < 0.5 ? x : 0.49);
    auto i = 0;
    while (i < 300) {
        auto y = 1.0 - x;
        auto value = beta_regularized(a, b, x, y, !(p < q));
        auto miss = (p < q ? value - p : q - value);
        if (miss == 0.0) {
            return x;
        }
        if (miss > 0.0) {
            high = x;
        } else {
            low = x;
        }
        auto slope = beta_density(a, b, x, y) / (x * y);
        auto next = -1.0;
        auto target = (p < q ? p : q);
        if (slope > 0.0 && value > 0.0 && (value > 2.0 * target || value < 0.5 * target)) {
            auto ratio = (called_log(value) - called_log(target)) * (value / slope);
            next = (p < q ? x * called_exp(-ratio / x) : x + ratio);
        } else if (slope > 0.0) {
            auto step = miss / slope;
            auto bend = 0.5 * step * ((a - 1.0) / x - (b - 1.0) / y);
            next = x - ((bend < 0.5 && bend > -0.5 ? step / (1.0 - bend) : step));
        }
        if (!(next > low && next < high)) {
            if (low == 0.0) {
                next = (i < 40 ? high * 0.125 : high * 1e-12);
            } else {
                next = (high > 4.0 * low ? elementary::root(low) * elementary::root(high) : 0.5 * (low + high));
            }
        }
        auto moved = elementary::size(next - x);
        x = next;
        if (moved <= 4e-16 * x || x == 0.0) {
            return x;
        }
        i += 1;
    }
    return x;
}

// The x and 1 - x at which the incomplete beta function is p and its complement q.
RARE Pair beta_inverse(f64 a, f64 b, f64 p, f64 q) {
    auto is_low = (p < q ? p <= beta_regularized(a, b, 0.5, 0.5, false) : q >= beta_regularized(a, b, 0.5, 0.5, true));
    if (is_low) {
        auto x = beta_inverse_low(a, b, p, q);
        return {x, 1.0 - x};
    }
    auto y = beta_inverse_low(b, a, q, p);
    return {1.0 - y, y};
}

// The inverse of betainc in its third argument.
RARE f64 betaincinv(f64 a, f64 b, f64 p) {
    if (!(a > 0.0) || !(b > 0.0) || !(p >= 0.0) || p > 1.0 || a == infinity<f64>() || b == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == 1.0) {
        return p;
    }
    auto [x, _y] = beta_inverse(a, b, p, 1.0 - p);
    return x;
}

// The inverse of betaincc in its third argument.
RARE f64 betainccinv(f64 a, f64 b, f64 q) {
    if (!(a > 0.0) || !(b > 0.0) || !(q >= 0.0) || q > 1.0 || a == infinity<f64>() || b == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (q == 0.0 || q == 1.0) {
        return 1.0 - q;
    }
    auto [x, _y] = beta_inverse(a, b, 1.0 - q, q);
    return x;
}

// The parts a x / (b + a x) and b / (b + a x) of the distribution of F.
RARE Pair f_place(f64 a, f64 b, f64 x) {
    auto ratio = a / b * x;
    if (ratio < 1.0) {
        return {ratio / (1.0 + ratio), 1.0 / (1.0 + ratio)};
    }
    auto inverse = b / a / x;
    return {1.0 / (1.0 + inverse), inverse / (1.0 + inverse)};
}

// The distribution function of F.
RARE f64 fdtr(f64 a, f64 b, f64 x) {
    if (!(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == infinity<f64>() || b == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (x == 0.0 || x == infinity<f64>()) {
        return (x == 0.0 ? 0.0 : 1.0);
    }
    auto [place, rest] = f_place(a, b, x);
    return beta_regularized(0.5 * a, 0.5 * b, place, rest, false);
}

// One less the distribution function of F.
RARE f64 fdtrc(f64 a, f64 b, f64 x) {
    if (!(a > 0.0) || !(b > 0.0) || !(x >= 0.0) || a == infinity<f64>() || b == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (x == 0.0 || x == infinity<f64>()) {
        return (x == 0.0 ? 1.0 : 0.0);
    }
    auto [place, rest] = f_place(a, b, x);
    return beta_regularized(0.5 * a, 0.5 * b, place, rest, true);
}

// The inverse of fdtr in its third argument.
RARE f64 fdtri(f64 a, f64 b, f64 p) {
    if (!(a > 0.0) || !(b > 0.0) || !(p >= 0.0) || p > 1.0 || a == infinity<f64>() || b == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == 1.0) {
        return (p == 0.0 ? 0.0 : infinity<f64>());
    }
    auto [x, y] = beta_inverse(0.5 * a, 0.5 * b, p, 1.0 - p);
    return b / a * (x / y);
}

// The distribution function of Student's t.
RARE f64 stdtr(f64 df, f64 t) {
    if (is_nan(df) || is_nan(t) || df <= 0.0) {
        return not_a_number<f64>();
    }
    if (df == infinity<f64>()) {
        return ndtr(t);
    }
    if (elementary::size(t) == infinity<f64>()) {
        return (t < 0.0 ? 0.0 : 1.0);
    }
    auto square = t * t;
    auto sum = df + square;
    if (square == 0.0 || 0.5 * df == 0.0) {
        return 0.5;
    }
    auto tail = (square == infinity<f64>() ? 0.0 : 0.5 * beta_regularized(0.5 * df, 0.5, df / sum, square / sum, false));
    return (t < 0.0 ? tail : 1.0 - tail);
}

// The inverse of stdtr in its second argument.
RARE f64 stdtrit(f64 df, f64 p) {
    if (!(df > 0.0) || !(p >= 0.0) || p > 1.0) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == 1.0) {
        return (p == 0.0 ? -infinity<f64>() : infinity<f64>());
    }
    if (df > 1e20) {
        return ndtri(p);
    }
    if (p > 0.25 && p < 0.75) {
        if (p == 0.5) {
            return 0.0;
        }
        auto [near, far] = beta_inverse(0.5, 0.5 * df, elementary::size(1.0 - 2.0 * p), 1.0 - elementary::size(1.0 - 2.0 * p));
        auto middle = elementary::root(df * near / far);
        return (p < 0.5 ? -middle : middle);
    }
    auto q = (p < 0.5 ? 2.0 * p : 2.0 * (1.0 - p));
    auto [x, y] = beta_inverse(0.5 * df, 0.5, q, 1.0 - q);
    auto value = elementary::root(df * (y / x));
    return (p < 0.5 ? -value : value);
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_gammainc(T a, T b) { return (T)elementary::special::gammainc((f64)a, (f64)b); }
template <class T> T cu_gammaincc(T a, T b) { return (T)elementary::special::gammaincc((f64)a, (f64)b); }
template <class T> T cu_gammaincinv(T a, T b) { return (T)elementary::special::gammaincinv((f64)a, (f64)b); }
template <class T> T cu_gammainccinv(T a, T b) { return (T)elementary::special::gammainccinv((f64)a, (f64)b); }
template <class T> T cu_betainc(T a, T b, T c) { return (T)elementary::special::betainc((f64)a, (f64)b, (f64)c); }
template <class T> T cu_betaincc(T a, T b, T c) { return (T)elementary::special::betaincc((f64)a, (f64)b, (f64)c); }
template <class T> T cu_betaincinv(T a, T b, T c) { return (T)elementary::special::betaincinv((f64)a, (f64)b, (f64)c); }
template <class T> T cu_betainccinv(T a, T b, T c) { return (T)elementary::special::betainccinv((f64)a, (f64)b, (f64)c); }
template <class T> T cu_fdtr(T a, T b, T c) { return (T)elementary::special::fdtr((f64)a, (f64)b, (f64)c); }
template <class T> T cu_fdtrc(T a, T b, T c) { return (T)elementary::special::fdtrc((f64)a, (f64)b, (f64)c); }
template <class T> T cu_fdtri(T a, T b, T c) { return (T)elementary::special::fdtri((f64)a, (f64)b, (f64)c); }
template <class T> T cu_stdtr(T a, T b) { return (T)elementary::special::stdtr((f64)a, (f64)b); }
template <class T> T cu_stdtrit(T a, T b) { return (T)elementary::special::stdtrit((f64)a, (f64)b); }
