// The gamma function and what is made of it: logarithm, inverse, digamma, beta, binomial coefficients, zeta.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: gamma.rs.

namespace elementary {
namespace special {

RARE f64 sinpi(f64 x);
RARE f64 cospi(f64 x);
RARE Pair times(f64 high, f64 low, f64 other, f64 other_low);
RARE Triple gamma_near(f64 x);
inline f64 stirling_rest(f64 x);
RARE Pair stirling(f64 x);
RARE f64 gamma(f64 x);
RARE f64 rgamma(f64 x);
inline f64 lgamma_positive(f64 x);
RARE f64 called_lgamma_positive(f64 x);
inline f64 gammaln(f64 x);
RARE f64 called_gammaln(f64 x);
RARE f64 loggamma(f64 x);
RARE f64 gammasgn(f64 x);
inline f64 digamma_positive(f64 x);
RARE f64 called_digamma_positive(f64 x);
inline f64 psi(f64 x);
RARE f64 called_psi(f64 x);
RARE f64 betaln_ordered(f64 a, f64 b);
RARE f64 betaln(f64 a, f64 b);
inline f64 log_poch_large(f64 a, f64 m);
RARE f64 betaln_ordered_any(f64 a, f64 b);
RARE f64 beta_near(f64 a, f64 b);
RARE f64 beta(f64 a, f64 b);
RARE f64 binom(f64 n, f64 k);
RARE f64 poch(f64 a, f64 m);
RARE f64 zeta_sum(f64 x, f64 q);
RARE f64 zeta(f64 x, f64 q);
RARE f64 zeta_right(f64 x);
RARE f64 riemann_zeta(f64 x);
RARE f64 zetac(f64 x);

// The sine of pi x.
RARE f64 sinpi(f64 x) {
    const f64 PI = 3.141592653589793;
    auto r = x - 2.0 * nearest_even(0.5 * x);
    auto a = elementary::size(r);
    auto folded = (a > 0.5 ? 1.0 - a : a);
    auto value = (folded > 0.25 ? called_cos(PI * (0.5 - folded)) : called_sin(PI * folded));
    return (a == 0.0 || a == 1.0 ? with_sign(0.0, x) : with_sign(value, r));
}

// The cosine of pi x.
RARE f64 cospi(f64 x) {
    const f64 PI = 3.141592653589793;
    auto a = elementary::size(x - 2.0 * nearest_even(0.5 * x));
    auto folded = (a > 0.5 ? 1.0 - a : a);
    auto value = (folded > 0.25 ? called_sin(PI * (0.5 - folded)) : called_cos(PI * folded));
    return (a > 0.5 ? -value : value);
}

// The product of a number in two parts and another one.
RARE Pair times(f64 high, f64 low, f64 other, f64 other_low) {
    auto product = high * other;
    auto error = fused(high, other, -product) + fused(high, other_low, low * other);
    auto sum = product + error;
    return {sum, (product - sum) + error};
}

// Of an x between -30 and 30: the gamma function of x + n between 2 and 3, and the product of what lies between them
// in two parts, to multiply by where x is at least 2, to divide by elsewhere.
RARE Triple gamma_near(f64 x) {
    const f64 GAMMA[] = {
        1.329340388179137, 0.46736726081304277, 0.16363964449533403, 0.031733905855142968, 0.0068545771251391703,
        0.00088627439358680592, 0.00016238130348726053, 1.255781630366426e-5, 2.9471647834193525e-6,
        7.6987328910295308e-9, 5.9891928733425729e-8, -6.2506382324352466e-9, 1.7720185652489462e-9,
        -3.1278750685409535e-10, 6.5029011676130344e-11, -1.2749100061530238e-11, 3.1427821210013468e-12,
        -6.3425465826743519e-13
    };
    auto high = 1.0;
    auto low = 0.0;
    auto y = x;
    if (x >= 2.0) {
        while (y >= 3.0) {
            y -= 1.0;
            auto [h, l] = times(high, low, y, 0.0);
            high = h;
            low = l;
        }
        return {horner(2.0 * y - 5.0, GAMMA), high, low};
    }
    auto k = 0.0;
    while (y < 2.0) {
        auto error = (x - y) + k;
        auto [h, l] = times(high, low, y, error);
        high = h;
        low = l;
        k += 1.0;
        y = x + k;
    }
    return {horner(2.0 * y - 5.0, GAMMA), high, low};
}

// x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2) for x from 8 on, divided by x.
inline f64 stirling_rest(f64 x) {
    const f64 STIRLING[] = {
        0.083311680104294367, -2.1605346910992954e-5, 4.7607382622457547e-8, -2.7181920925263019e-10,
        2.8769106441721378e-12, -4.804140290450813e-14, 1.1522355126213349e-15, -3.7066850518993159e-17
    };
    auto inverse = 1.0 / x;
    return power_series(fused(128.0 * inverse, inverse, -1.0), STIRLING) * inverse;
}

// log(gamma(x)) in two parts for x from 8 on.
RARE Pair stirling(f64 x) {
    const f64 HALF_LOG_TAU = 0.9189385332046727;
    const f64 HALF_LOG_TAU_LOW = 3.878294158067242e-17;
    auto [log_high, log_low] = called_log_parts(x);
    auto a = x - 0.5;
    auto p = a * log_high;
    auto p_low = fused(a, log_high, -p) + a * log_low;
    auto s = p - x;
    auto s_low = (p - s) - x;
    auto t = s + HALF_LOG_TAU;
    auto t_low = (s - t) + HALF_LOG_TAU;
    auto rest = stirling_rest(x);
    auto low = ((p_low + s_low) + (t_low + HALF_LOG_TAU_LOW)) + rest;
    auto sum = t + low;
    return {sum, (t - sum) + low};
}

// The gamma function.
RARE f64 gamma(f64 x) {
    const f64 PI = 3.141592653589793;
    if (x >= 10.0) {
        if (x > 172.0) {
            return infinity<f64>();
        }
        auto [high, low] = stirling(x);
        auto value = called_exp(high);
        return (value == infinity<f64>() ? value : fused(value, low, value));
    }
    if (x > -20.0) {
        if (x == 0.0) {
            return with_sign(infinity<f64>(), x);
        }
        if (x < 0.0 && floor_of(x) == x) {
            return not_a_number<f64>();
        }
        if (elementary::size(x) < 1e-100) {
            return 1.0 / x;
        }
        auto [value, high, low] = gamma_near(x);
        if (x >= 2.0) {
            return fused(value, high, value * low);
        }
        auto quotient = value / high;
        return (elementary::size(quotient) == infinity<f64>() ? quotient : fused(-quotient / high, low, quotient));
    }
    if (is_nan(x) || floor_of(x) == x) {
        return not_a_number<f64>();
    }
    if (x < -190.0) {
        auto half = floor_of(0.5 * floor_of(x));
        return (2.0 * half == floor_of(x) ? 0.0 : -0.0);
    }
    // Gamma(x) Gamma(-x) = -pi / (x sin(pi x)).
    auto [high, low] = stirling(-x);
    if (high < 700.0) {
        auto whole = -PI / (x * sinpi(x)) * called_exp(-high);
        return fused(whole, -low, whole);
    }
    auto inverse = called_exp(-0.5 * high);
    auto value = -PI / (x * sinpi(x)) * inverse;
    return fused(value, -low, value) * inverse;
}

// The inverse of the gamma function.
RARE f64 rgamma(f64 x) {
    const f64 PI = 3.141592653589793;
    if (x >= 10.0) {
        if (x > 190.0) {
            return 0.0;
        }
        auto [high, low] = stirling(x);
        auto value = called_exp(-high);
        return fused(value, -low, value);
    }
    if (x > -20.0) {
        if (x == 0.0) {
            return x;
        }
        if (x < 0.0 && floor_of(x) == x) {
            return 0.0;
        }
        auto [value, high, low] = gamma_near(x);
        if (x >= 2.0) {
            auto product = fused(value, high, value * low);
            auto error = fused(value, high, -product) + value * low;
            auto inverse = 1.0 / product;
            return fused(inverse, fused(-product, inverse, 1.0) - error * inverse, inverse);
        }
        auto quotient = high / value;
        return quotient + low / value;
    }
    if (is_nan(x)) {
        return x;
    }
    if (floor_of(x) == x) {
        return 0.0;
    }
    if (x < -185.0) {
        auto half = floor_of(0.5 * floor_of(x));
        return (2.0 * half == floor_of(x) ? infinity<f64>() : -infinity<f64>());
    }
    auto [high, low] = stirling(-x);
    if (high < 700.0) {
        auto whole = -x * sinpi(x) / PI * called_exp(high);
        return fused(whole, low, whole);
    }
    auto root = called_exp(0.5 * high);
    auto value = -x * sinpi(x) / PI * root;
    return fused(value, low, value) * root;
}

// log(|gamma(x)|) for x above zero. One logarithm serves all intervals.
inline f64 lgamma_positive(f64 x) {
    const f64 LGAMMA_1[] = {
        -0.57721566490153286, 0.41123351671205656, -0.10017140859663267, 0.033822601053479577, -0.012961596939306022,
        0.0052986617809012256, -0.002250779636608288, 0.00098054429829905723, -0.00043489948221950565,
        0.00019550669728001717, -8.8822225956528441e-5, 4.0700495403300448e-5, -1.8782688400384684e-5,
        8.7181343454219049e-6, -4.0677702934734588e-6, 1.9127014915305183e-6, -9.014793572649296e-7,
        4.121921067571674e-7, -1.9284675279470471e-7, 1.1339892029827825e-7, -5.6907745470526581e-8,
        2.2503569604917575e-9, 1.3416285834333463e-9, 1.9048640112066067e-8, -1.0457694646983121e-8,
        -5.2117051882976458e-9, 2.9300069217588621e-9, 1.7378792315914401e-9, -8.9908090434244787e-10
    };
    const f64 LGAMMA_2[] = {
        0.49948685956958638, 0.21917882116244465, -0.030541164666834204, 0.0061966365682440075,
        -0.001475284220194118, 0.00038321988003958252, -0.0001050368106106043, 2.9836329666732718e-5,
        -8.6903855958591352e-6, 2.5781217191851147e-6, -7.7553397819869863e-7, 2.3583082210928384e-7,
        -7.2346096758640822e-8, 2.2348979836987759e-8, -6.9256028777360777e-9, 2.1608828757765592e-9,
        -6.9990536765370717e-10, 2.2163475329647971e-10, -5.3382701952841557e-11, 1.6308042318878721e-11,
        -1.2167808436878796e-11, 3.9856603314593009e-12
    };
    const f64 HALF_LOG_TAU = 0.9189385332046727;
    auto t = x;
    auto value = 0.0;
    auto logged = x;
    if (x < 1.5) {
        t = (x < 0.5 ? x : x - 1.0);
        value = horner(2.0 * t, LGAMMA_1);
    } else if (x < 8.0) {
        logged = 1.0;
        while (t >= 3.0) {
            t -= 1.0;
            logged *= t;
        }
        t -= 2.0;
        value = horner(fused(t, 1.3333333333333333, -0.3333333333333333), LGAMMA_2);
    }
    if (x >= 0.5 && x < 3.0) {
        return t * value;
    }
    auto logarithm = cu_log(logged);
    if (x < 8.0) {
        return fused(t, value, (x < 0.5 ? -logarithm : logarithm));
    }
    return (x == infinity<f64>() ? x : fused(x - 0.5, logarithm - 1.0, (HALF_LOG_TAU - 0.5) + stirling_rest(x)));
}
RARE f64 called_lgamma_positive(f64 x) { return lgamma_positive(x); }

// log(|gamma(x)|).
inline f64 gammaln(f64 x) {
    const f64 PI = 3.141592653589793;
    if (x <= 0.0 && floor_of(x) == x) {
        return infinity<f64>();
    }
    auto value = lgamma_positive(elementary::size(x));
    if (x < 0.0) {
        return (x > -1e-100 ? value : cu_log(PI / elementary::size(x * sinpi(x))) - value);
    }
    return 0.0 + value;
}
RARE f64 called_gammaln(f64 x) { return gammaln(x); }

// log(gamma(x)) where it is real.
RARE f64 loggamma(f64 x) {
    if (x < 0.0) {
        return not_a_number<f64>();
    }
    return called_gammaln(x);
}

// The sign of the gamma function.
RARE f64 gammasgn(f64 x) {
    if (is_nan(x)) {
        return x;
    }
    if (x > 0.0) {
        return 1.0;
    }
    if (x == 0.0) {
        return with_sign(1.0, x);
    }
    if (floor_of(x) == x) {
        return not_a_number<f64>();
    }
    auto whole = floor_of(x);
    return (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
}

// digamma(x) for x above zero.
inline f64 digamma_positive(f64 x) {
    const f64 DIGAMMA[] = {
        0.95105587603183288, -0.21181371064073025, 0.060135621060196843, -0.018550615381739841,
        0.0059367952783017612, -0.001935066664735652, 0.00063688803038658167, -0.00021074841288961641,
        6.9950188251127938e-5, -2.3258232466707953e-5, 7.7412345086363636e-6, -2.5781348947511259e-6,
        8.5890607219306943e-7, -2.8620904099739412e-7, 9.543298288278274e-8, -3.1812669801384849e-8,
        1.0527692435026687e-8, -3.5032218996509722e-9, 1.2469984616707404e-9, -4.1977726367342286e-10,
        8.7345284291429529e-11, -2.7468150389464952e-11, 2.9186227321682611e-11, -1.0015117602062809e-11
    };
    const f64 DIGAMMA_TAIL[] = {
        0.083268469410472381, -6.4625611202490518e-5, 2.3640599785507387e-7, -1.879719164759113e-9,
        2.5411797686910442e-11, -5.1466426000926359e-13, 1.4422771569715472e-14, -5.3223328369810927e-16,
        2.4619462069685786e-17
    };
    const f64 DIGAMMA_ROOT = 1.4616321449683622;
    const f64 DIGAMMA_ROOT_LOW = 9.549995429965697e-17;
    if (x >= 8.0) {
        auto inverse = 1.0 / x;
        auto w = inverse * inverse;
        return cu_log(x) - fused(w, power_series(fused(128.0, w, -1.0), DIGAMMA_TAIL), 0.5 * inverse);
    }
    auto sum = 0.0;
    auto y = x;
    while (y > 2.0) {
        y -= 1.0;
        sum += 1.0 / y;
    }
    if (y < 1.0) {
        sum = -1.0 / y;
        y += 1.0;
    }
    auto t = (y - DIGAMMA_ROOT) - DIGAMMA_ROOT_LOW;
    return fused(t, horner(fused(2.0, y, -3.0), DIGAMMA), sum);
}
RARE f64 called_digamma_positive(f64 x) { return digamma_positive(x); }

// The derivative of log(gamma(x)).
inline f64 psi(f64 x) {
    const f64 PI = 3.141592653589793;
    if (x <= 0.0 && floor_of(x) == x) {
        return (x == 0.0 ? with_sign(infinity<f64>(), -x) : not_a_number<f64>());
    }
    if (x > -1e-20 && x < 0.0) {
        return -1.0 / x - 0.5772156649015329;
    }
    auto value = digamma_positive(elementary::size(x));
    return (x < 0.0 ? (value - 1.0 / x) - PI * cospi(x) / sinpi(x) : value);
}
RARE f64 called_psi(f64 x) { return psi(x); }

// log(beta(a, b)) for a from zero to b.
RARE f64 betaln_ordered(f64 a, f64 b) {
    const f64 HALF_LOG_TAU = 0.9189385332046727;
    if (a >= 8.0) {
        auto h = a / b;
        auto sum = a + b;
        auto rest = stirling_rest(a) + stirling_rest(b) - stirling_rest(sum);
        auto first = -(a - 0.5) * called_log1p(b / a);
        auto second = -b * called_log1p(h);
        return ((first + second) + (HALF_LOG_TAU - 0.5 * called_log(b))) + rest;
    }
    if (b >= 8.0) {
        auto rest = stirling_rest(b) - stirling_rest(a + b);
        auto ratio = a - (b - 0.5) * called_log1p(a / b) - a * called_log(a + b);
        return called_lgamma_positive(a) + (ratio + rest);
    }
    if (a < 1e-300) {
        return -called_log(a);
    }
    return called_log(gamma(a) * (gamma(b) * rgamma(a + b)));
}

// log(|beta(a, b)|).
RARE f64 betaln(f64 a, f64 b) {
    if (a > 0.0 && b > 0.0) {
        if (a == infinity<f64>() || b == infinity<f64>()) {
            return (a == b ? not_a_number<f64>() : -infinity<f64>());
        }
        return (a < b ? betaln_ordered(a, b) : betaln_ordered(b, a));
    }
    if (is_nan(a) || is_nan(b)) {
        return not_a_number<f64>();
    }
    // At a pole of one gamma function the other may have one too.
    if (a <= 0.0 && floor_of(a) == a) {
        return (floor_of(b) == b && 1.0 - a - b > 0.0 ? betaln_ordered_any(1.0 - a - b, b) : infinity<f64>());
    }
    if (b <= 0.0 && floor_of(b) == b) {
        return (floor_of(a) == a && 1.0 - a - b > 0.0 ? betaln_ordered_any(1.0 - a - b, a) : infinity<f64>());
    }
    if (b > 1e6 && elementary::size(a) < 0.5 * b) {
        return called_gammaln(a) - log_poch_large(b, a);
    }
    if (a > 1e6 && elementary::size(b) < 0.5 * a) {
        return called_gammaln(b) - log_poch_large(a, b);
    }
    return called_gammaln(a) + (called_gammaln(b) - called_gammaln(a + b));
}

// log(gamma(a + m) / gamma(a)) for a large beside m.
inline f64 log_poch_large(f64 a, f64 m) {
    auto end = a + m;
    return fused(end - 0.5, called_log1p(m / a), m * (called_log(a) - 1.0)) + (stirling_rest(end) - stirling_rest(a));
}

// log(beta(a, b)) of numbers above zero in any order, infinite where one is not.
RARE f64 betaln_ordered_any(f64 a, f64 b) {
    if (a <= 0.0 || b <= 0.0) {
        return infinity<f64>();
    }
    return (a < b ? betaln_ordered(a, b) : betaln_ordered(b, a));
}

// gamma(a) gamma(b) / gamma(a + b) of numbers of moderate size, the sum not rounded.
RARE f64 beta_near(f64 a, f64 b) {
    auto sum = a + b;
    auto part = sum - a;
    auto error = (a - (sum - part)) + (b - part);
    auto value = gamma(a) * rgamma(sum) * gamma(b);
    return (error == 0.0 ? value : fused(-value * called_psi(sum), error, value));
}

// gamma(a) gamma(b) / gamma(a + b).
RARE f64 beta(f64 a, f64 b) {
    if (a > 0.0 && b > 0.0) {
        if (a + b < 100.0 && a > 1e-100 && b > 1e-100) {
            return beta_near(a, b);
        }
        return called_exp(betaln(a, b));
    }
    if (is_nan(a) || is_nan(b)) {
        return not_a_number<f64>();
    }
    if (a <= 0.0 && floor_of(a) == a) {
        if (floor_of(b) == b && 1.0 - a - b > 0.0 && b > 0.0) {
            auto sign = (2.0 * floor_of(0.5 * b) == b ? 1.0 : -1.0);
            return sign * called_exp(betaln_ordered_any(1.0 - a - b, b));
        }
        return infinity<f64>();
    }
    if (b <= 0.0 && floor_of(b) == b) {
        if (floor_of(a) == a && 1.0 - a - b > 0.0 && a > 0.0) {
            auto sign = (2.0 * floor_of(0.5 * a) == a ? 1.0 : -1.0);
            return sign * called_exp(betaln_ordered_any(1.0 - a - b, a));
        }
        return infinity<f64>();
    }
    if (a + b <= 0.0 && floor_of(a + b) == a + b) {
        return 0.0;
    }
    if (elementary::size(a) < 100.0 && elementary::size(b) < 100.0) {
        return beta_near(a, b);
    }
    return gammasgn(a) * gammasgn(b) * gammasgn(a + b) * called_exp(betaln(a, b));
}

// The binomial coefficient of real n and k.
RARE f64 binom(f64 n, f64 k) {
    const f64 PI = 3.141592653589793;
    if (is_nan(n) || is_nan(k) || (n < 0.0 && floor_of(n) == n)) {
        return not_a_number<f64>();
    }
    if (floor_of(k) == k && (elementary::size(n) > 1e-8 || n == 0.0)) {
        auto count = k;
        if (floor_of(n) == n && k > 0.5 * n && n > 0.0) {
            count = n - k;
        }
        if (count >= 0.0 && count < 20.0) {
            auto above = 1.0;
            auto below = 1.0;
            auto i = 1.0;
            while (i <= count) {
                above *= n - count + i;
                below *= i;
                if (elementary::size(above) > 1e50) {
                    above /= below;
                    below = 1.0;
                }
                i += 1.0;
            }
            return above / below;
        }
    }
    if (n >= 1e10 * k && k > 0.0) {
        return called_exp(-betaln(1.0 + n - k, 1.0 + k) - called_log(n + 1.0));
    }
    if (k > 1e8 * elementary::size(n)) {
        // gamma(1 + n) sin(pi (k - n)) / (pi k^(1 + n)), with the next term.
        auto value = gamma(1.0 + n) / elementary::size(k) + gamma(1.0 + n) * n / (2.0 * k * k);
        value /= PI * called_pow(elementary::size(k), n);
        auto whole = floor_of(k);
        auto d = k - n;
        auto sign = 1.0;
        if (elementary::size(whole - k) < 1e-300) {
            d = -n;
            sign = (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
        }
        return value * sinpi(d) * sign;
    }
    if (n < -1e6 && elementary::size(k) < -0.5 * n) {
        // By the reflection of both gamma functions.
        auto turn = cospi(k) - sinpi(k) * cospi(n) / sinpi(n);
        return turn * rgamma(k + 1.0) * called_exp(log_poch_large(-n, k));
    }
    return 1.0 / (n + 1.0) / beta(1.0 + n - k, 1.0 + k);
}

// gamma(a + m) / gamma(a).
RARE f64 poch(f64 a, f64 m) {
    if (is_nan(a) || is_nan(m)) {
        return not_a_number<f64>();
    }
    if (m == 0.0) {
        return 1.0;
    }
    if (floor_of(m) == m && elementary::size(m) <= 30.0) {
        auto value = 1.0;
        auto k = 0.0;
        while (k < m) {
            value *= a + k;
            k += 1.0;
        }
        while (k > m) {
            k -= 1.0;
            value /= a + k;
        }
        return value;
    }
    auto end = a + m;
    if (end <= 0.0 && floor_of(end) == end && !(a <= 0.0 && floor_of(a) == a)) {
        return infinity<f64>();
    }
    if (a <= 0.0 && floor_of(a) == a) {
        if (end > 0.0 || floor_of(end) != end) {
            return 0.0;
        }
        auto whole = floor_of(elementary::size(m));
        auto sign = (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
        return sign * called_exp(called_lgamma_positive(1.0 - a) - called_lgamma_positive(1.0 - end));
    }
    if (elementary::size(a) < 100.0 && elementary::size(end) < 100.0) {
        auto part = end - a;
        auto error = (a - (end - part)) + (m - part);
        auto value = gamma(end) * rgamma(a);
        return (error == 0.0 ? value : fused(value * called_psi(end), error, value));
    }
    if (a > 1e6 && elementary::size(m) < 0.5 * a) {
        return called_exp(log_poch_large(a, m));
    }
    if (a >= 8.0 && end >= 8.0) {
        auto [end_high, end_low] = stirling(end);
        auto [a_high, a_low] = stirling(a);
        auto difference = end_high - a_high;
        auto value = called_exp(difference);
        return (value == infinity<f64>() ? value : fused(value, end_low - a_low, value));
    }
    return gammasgn(end) * gammasgn(a) * called_exp(called_gammaln(end) - called_gammaln(a));
}

// The sum of (q + k)^-x over k from 0 on, by Euler and Maclaurin; continued to the left of x = 1.
RARE f64 zeta_sum(f64 x, f64 q) {
    const f64 BERNOULLI[] = {
        0.08333333333333333, -0.001388888888888889, 3.306878306878307e-5, -8.267195767195768e-7, 2.08767569878681e-8,
        -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
        -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812525e-19
    };
    auto sum = 0.0;
    auto a = q;
    while (a < 12.0 || a < x + 10.0) {
        auto term = called_pow(a, -x);
        sum += term;
        if ((elementary::size(term) < 1e-17 * elementary::size(sum) || term == 0.0) && a > 0.0) {
            return sum;
        }
        a += 1.0;
    }
    auto power = called_pow(a, -x);
    auto factor = x / a;
    auto rest = a / (x - 1.0) + 0.5;
    auto k = 0.0;
    for (int j = 0; j < 12; ++j) {
        auto term = BERNOULLI[j] * factor;
        rest += term;
        if (elementary::size(term) < 1e-18 * elementary::size(rest)) {
            break;
        }
        factor *= (x + k + 1.0) * (x + k + 2.0) / (a * a);
        k += 2.0;
    }
    return fused(power, rest, sum);
}

// The zeta function of Hurwitz for x above 1.
RARE f64 zeta(f64 x, f64 q) {
    if (is_nan(x) || is_nan(q)) {
        return not_a_number<f64>();
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    if (x < 1.0) {
        return not_a_number<f64>();
    }
    if (q <= 0.0) {
        if (q == floor_of(q)) {
            return infinity<f64>();
        }
        if (x != floor_of(x)) {
            return not_a_number<f64>();
        }
        if (q < -1e5) {
            return not_a_number<f64>();
        }
    }
    if (x == infinity<f64>()) {
        return (q > 1.0 ? 0.0 : (q == 1.0 ? 1.0 : infinity<f64>()));
    }
    if (q > 1e8) {
        return (1.0 / (x - 1.0) + 1.0 / (2.0 * q)) * called_pow(q, 1.0 - x);
    }
    return zeta_sum(x, q);
}

// The zeta function of Riemann from -1 on.
RARE f64 zeta_right(f64 x) {
    const f64 ZETA_1[] = {
        0.70205690315959429, 0.20749502845745259, -0.082024661556902717, 0.010200721214386557, 0.0080117773234520388,
        -0.0053582086104410249, 0.0013473810715881788, 9.3438521652021026e-5, -0.00020595830963679508,
        7.9835833811596617e-5, -1.2947483030655235e-5, -2.2116057199443111e-6, 2.0611117149650657e-6,
        -6.4557221564374289e-7, 9.4325192996654379e-8, 1.0593355066880945e-8, -1.0440938073693919e-8,
        3.1987142560255609e-9, -5.4787937886669486e-10, 3.7018030833186991e-12, 3.7806567404118908e-11,
        -1.0402527706930808e-11
    };
    const f64 ZETA_2[] = {
        1.0120982612366639, -0.020289820738370976, 0.01743680622640032, -0.010411274743128583, 0.0049812881028651589,
        -0.0021017792346448092, 0.0008389144950738066, -0.00033087482938210665, 0.00013120234038663668,
        -5.2356104658972572e-5, 2.0947274635773691e-5, -8.3840673433148332e-6, 3.3621035214816741e-6,
        -1.3460659701598461e-6, 5.2468662542212847e-7, -2.0841118960862735e-7, 9.984136128772913e-8,
        -4.1095105154356182e-8, 4.1605721338123797e-9, -1.1492874904266052e-9, 5.6291783097092569e-9,
        -2.3497558737039629e-9
    };
    const f64 ZETA_3[] = {
        1.0000396320441504, -0.00016078043109480275, 0.00032625409403798706, -0.00044164353461365908,
        0.0004488861758765601, -0.00036570042246269155, 0.00024909027970025679, -0.00014623132520252852,
        7.5829067740626557e-5, -3.5538901226974108e-5, 1.5367644393644015e-5, -6.1958694700754106e-6,
        2.444519554996394e-6, -1.0956938404249865e-6, 4.5219331973469105e-7, -6.5088508592403203e-8,
        2.0748692631250795e-8, -6.8992448986263511e-8, 3.0282047252829971e-8
    };
    if (x < 7.0) {
        return horner(fused(0.25, x, -0.75), ZETA_1) + 1.0 / (x - 1.0);
    }
    if (x < 35.0) {
        auto rest = (x < 15.0 ? horner(fused(0.25, x, -2.75), ZETA_2) : horner(fused(0.1, x, -2.5), ZETA_3));
        return fused(called_exp2(-x), rest, 1.0);
    }
    return (x > 60.0 ? 1.0 : 1.0 + called_exp2(-x));
}

// The zeta function of Riemann.
RARE f64 riemann_zeta(f64 x) {
    if (x == infinity<f64>()) {
        return 1.0;
    }
    if (is_nan(x) || x == -infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    if (x >= -0.01) {
        return zeta_right(x);
    }
    if (2.0 * floor_of(0.5 * x) == x) {
        return 0.0;
    }
    // The reflection; the power and the gamma function are taken by halves, so that neither overflows alone.
    auto y = 1.0 - x;
    auto value = 2.0 * sinpi(0.5 * x) * zeta_right(y);
    if (y < 150.0) {
        return value * gamma(y) * called_pow(6.283185307179586, -y);
    }
    auto [high, low] = stirling(y);
    auto root = called_exp(0.5 * (high + low)) * called_pow(6.283185307179586, -0.5 * y);
    return value * root * root;
}

// The zeta function of Riemann, less one.
RARE f64 zetac(f64 x) {
    if (x > 1.0) {
        return (x > 1080.0 ? 0.0 : zeta_sum(x, 2.0));
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    return riemann_zeta(x) - 1.0;
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_gamma(T a) { return (T)elementary::special::gamma((f64)a); }
template <class T> T cu_rgamma(T a) { return (T)elementary::special::rgamma((f64)a); }
template <class T> T cu_gammaln(T a) { return (T)elementary::special::gammaln((f64)a); }
template <class T> T cu_loggamma(T a) { return (T)elementary::special::loggamma((f64)a); }
template <class T> T cu_gammasgn(T a) { return (T)elementary::special::gammasgn((f64)a); }
template <class T> T cu_psi(T a) { return (T)elementary::special::psi((f64)a); }
template <class T> T cu_beta(T a, T b) { return (T)elementary::special::beta((f64)a, (f64)b); }
template <class T> T cu_betaln(T a, T b) { return (T)elementary::special::betaln((f64)a, (f64)b); }
template <class T> T cu_binom(T a, T b) { return (T)elementary::special::binom((f64)a, (f64)b); }
template <class T> T cu_poch(T a, T b) { return (T)elementary::special::poch((f64)a, (f64)b); }
template <class T> T cu_zeta(T a, T b) { return (T)elementary::special::zeta((f64)a, (f64)b); }
template <class T> T cu_riemann_zeta(T a) { return (T)elementary::special::riemann_zeta((f64)a); }
template <class T> T cu_zetac(T a) { return (T)elementary::special::zetac((f64)a); }
