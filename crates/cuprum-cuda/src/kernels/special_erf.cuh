// The error function, its complement and inverses, and the normal distribution.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: erf.rs.

namespace elementary {
namespace special {

inline f64 erfcx_positive(f64 x);
inline f64 exp_minus_square(f64 x);
inline f64 erf(f64 x);
inline f64 erfc(f64 x);
inline f64 erfcx(f64 x);
inline f64 ndtr(f64 x);
inline f64 normal_tail(f64 x);
inline f64 log_ndtr(f64 x);
inline f64 erfcinv_tail(f64 q);
inline f64 erfinv_over(f64 rest);
inline f64 erfinv(f64 x);
inline f64 copysign_or_nan(f64 magnitude, f64 sign);
inline f64 erfcinv(f64 x);
inline f64 ndtri(f64 p);

// exp(x^2) erfc(x) for x from zero on.
inline f64 erfcx_positive(f64 x) {
    const f64 ERFCX[] = {
        0.69155117605643306, -0.20683126504048671, 0.11479674120104293, -0.040647578516890605,
        -0.0030998090547753092, 0.018750997232737645, -0.017275087308596099, 0.010070828131869483,
        -0.0039718085706466478, 0.0008650452651861138, 7.0625500462744733e-5, -0.00012112766996413587,
        2.7616406936261929e-5, 8.1004662976940243e-6, -5.3478022759802295e-6, -1.5718535023222558e-7,
        7.8412847467025395e-7, -6.4726943230778696e-8, -1.1361373764850791e-7, 1.6028080628065266e-8,
        1.6914832176887658e-8, -2.4100603102456534e-9, -2.2720969835465396e-9, 1.9940180578391709e-10,
        1.8782496878935066e-10
    };
    const f64 ERFCX_LOW = 4.483959243452834e-17;
    if (x > 1e15) {
        return 0.5641895835477563 / x;
    }
    auto value = horner((x - 3.75) / (x + 3.75), ERFCX);
    // The quotient by x + 1, the sum not rounded, nor the constant of the polynomial.
    auto sum = x + 1.0;
    auto part = sum - x;
    auto error = (x - (sum - part)) + (1.0 - part);
    auto inverse = 1.0 / sum;
    auto quotient = value * inverse;
    return fused((fused(-quotient, sum, value) + ERFCX_LOW) - quotient * error, inverse, quotient);
}

// exp(-x^2), the square not rounded.
inline f64 exp_minus_square(f64 x) {
    auto square = x * x;
    auto value = cu_exp(-square);
    return (square > 800.0 ? 0.0 : fused(-fused(x, x, -square), value, value));
}

// The error function.
inline f64 erf(f64 x) {
    const f64 ERF[] = {
        0.96546873866986731, -0.14053608902271712, 0.019852496688983707, -0.0022854855611441132,
        0.00021751715604160107, -1.7537169441124825e-5, 1.223382738352401e-6, -7.5115692866008896e-8,
        4.1158005976649594e-9, -2.035228404899467e-10, 9.1676067460694449e-12, -3.8078827395263413e-13,
        1.454817075960679e-14
    };
    const f64 ERFC_LOG[] = {
        1.8624374021424304, 0.665248970675163, -0.20779340959826258, 0.081650921859462001, -0.034128195572444133,
        0.01438555936760265, -0.0059530136402058802, 0.0023619350413960927, -0.00094901094763896971,
        0.000205045526201655, -0.00010464120498062547, 0.00039301962652902313, 0.00096252801377832588,
        0.0013128903317119976, 0.0011405458094662595, 0.00062018780099511816, 0.00019968251303605369,
        2.7847352869034592e-5
    };
    auto a = elementary::size(x);
    if (a < 1.0) {
        return x * horner(fused(2.0 * x, x, -1.0), ERF);
    }
    // Beyond 6 it is one; what is taken from one may be short of some digits.
    auto b = (a > 6.0 ? 6.0 : a);
    return with_sign(1.0 - cu_exp(-fused(b, b, power_series((b - 3.5) * 0.4, ERFC_LOG))), x);
}

// One less the error function.
inline f64 erfc(f64 x) {
    const f64 ERF[] = {
        0.96546873866986731, -0.14053608902271712, 0.019852496688983707, -0.0022854855611441132,
        0.00021751715604160107, -1.7537169441124825e-5, 1.223382738352401e-6, -7.5115692866008896e-8,
        4.1158005976649594e-9, -2.035228404899467e-10, 9.1676067460694449e-12, -3.8078827395263413e-13,
        1.454817075960679e-14
    };
    if (x > -1.0 && x <= 0.5) {
        return 1.0 - x * power_series(fused(2.0 * x, x, -1.0), ERF);
    }
    auto a = (elementary::size(x) > 28.0 ? 28.0 : elementary::size(x));
    auto tail = exp_minus_square(a) * erfcx_positive(a);
    return (x < 0.0 ? 2.0 - tail : tail);
}

// exp(x^2) erfc(x).
inline f64 erfcx(f64 x) {
    if (x >= 0.0 || is_nan(x)) {
        return erfcx_positive(x);
    }
    if (x < -26.7) {
        return infinity<f64>();
    }
    auto square = x * x;
    auto value = 2.0 * cu_exp(square);
    return (value == infinity<f64>() ? value : fused(fused(x, x, -square), value, value) - erfcx_positive(-x));
}

// The distribution function of the normal distribution.
inline f64 ndtr(f64 x) {
    const f64 ERF[] = {
        0.96546873866986731, -0.14053608902271712, 0.019852496688983707, -0.0022854855611441132,
        0.00021751715604160107, -1.7537169441124825e-5, 1.223382738352401e-6, -7.5115692866008896e-8,
        4.1158005976649594e-9, -2.035228404899467e-10, 9.1676067460694449e-12, -3.8078827395263413e-13,
        1.454817075960679e-14
    };
    const f64 SQRT_HALF = 0.7071067811865476;
    if (elementary::size(x) < 0.5) {
        auto y = x * SQRT_HALF;
        return 0.5 + 0.5 * (y * power_series(fused(x, x, -1.0), ERF));
    }
    auto tail = normal_tail(elementary::size(x));
    return (x > 0.0 ? 1.0 - tail : tail);
}

// The normal distribution's chance of more than x, for x above zero.
inline f64 normal_tail(f64 x) {
    const f64 SQRT_HALF = 0.7071067811865476;
    const f64 SQRT_HALF_LOW = -4.833646656726457e-17;
    if (x > 39.0) {
        return 0.0;
    }
    auto square = x * x;
    auto value = cu_exp(-0.5 * square);
    auto z = x * SQRT_HALF;
    auto z_low = fused(x, SQRT_HALF, -z) + x * SQRT_HALF_LOW;
    auto scaled = erfcx_positive(z);
    auto product = 0.5 * (value * scaled);
    // Derivatives: of the exponential by the square's error, of erfcx by the product's.
    auto shift = 2.0 * fused(z, scaled, -0.5641895835477563) * z_low;
    return fused(product, -0.5 * fused(x, x, -square), product) + 0.5 * value * shift;
}

// The logarithm of the normal distribution function.
inline f64 log_ndtr(f64 x) {
    const f64 SQRT_HALF = 0.7071067811865476;
    if (x > -1.0) {
        auto t = (x > 0.0 ? normal_tail(x) : 0.5 * erfc(x * SQRT_HALF));
        return (x > 5.0 ? -fused(t * t, fused(t, 0.3333333333333333, 0.5), t) : cu_log1p(-t));
    }
    return cu_log(0.5 * erfcx_positive(-x * SQRT_HALF)) - 0.5 * x * x;
}

// The inverse of erfc for a q from zero to 1/126.
inline f64 erfcinv_tail(f64 q) {
    const f64 ERFCINV_2[] = {
        0.92605308455972767, 0.044313598348347998, -0.020726102869412251, 0.0087426247054472465,
        -0.0034653685570704746, 0.001311531289837944, -0.00047699352050689502, 0.00016692321372718525,
        -5.6057164958731195e-5, 1.7933669835877826e-5, -5.3837401456300924e-6, 1.4688838339136233e-6,
        -3.35438129263175e-7, 4.4775361462086843e-8, 1.2544214895984734e-8, -1.4836984075144292e-8,
        8.8266020602598035e-9, -4.3717339039427869e-9, 2.0259097602229602e-9, -8.0539556188992733e-10,
        2.4690553670697907e-10, -1.0515416787668963e-10, 6.3551544092881474e-11, -1.7145040670997027e-11
    };
    const f64 ERFCINV_3[] = {
        0.98113380534716646, 0.012731941094194039, -0.0067174301630219995, 0.0032190171320432262,
        -0.001464856759727944, 0.00064518700527426051, -0.00027774488156684479, 0.00011752336157631066,
        -4.9049911812846666e-5, 2.0238482473929602e-5, -8.2681713995771283e-6, 3.3480360116982935e-6,
        -1.3446892905019039e-6, 5.3585064044865415e-7, -2.1197748898888937e-7, 8.3414415627645255e-8,
        -3.2521100115482951e-8, 1.2332116706639454e-8, -4.7322764356893663e-9, 2.0485323403683169e-9,
        -7.7118485684453837e-10, 1.3131858580212415e-10, -5.0380510922599386e-11, 7.6003997024491925e-11,
        -2.6647562544244125e-11
    };
    const f64 ERFCINV_4[] = {
        0.99553392906647788, 0.0030760169121619441, -0.0016476241061797016, 0.00079983467049253994,
        -0.00036847131992056228, 0.00016433035182489707, -7.1688946752538991e-5, 3.0778511490224488e-5,
        -1.3055055279993672e-5, 5.4849299432335384e-6, -2.2867399132065971e-6, 9.4733374140009538e-7,
        -3.9034225327968733e-7, 1.6001877999471961e-7, -6.5354119711250826e-8, 2.6765179919998377e-8,
        -1.0878798047010337e-8, 4.1612140504840533e-9, -1.6596662931818221e-9, 9.0424280171042249e-10,
        -3.7615383546542797e-10, 2.3625422617875035e-12, 3.9631059276305006e-12, 5.2397091671169689e-11,
        -2.1703732948917628e-11
    };
    if (q <= 0.0) {
        return (q == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    auto r = elementary::root(-cu_log(q));
    if (r < 5.0) {
        return r * power_series((r - 3.5625) * 0.6956521739130435, ERFCINV_2);
    }
    if (r < 12.0) {
        return r * power_series((r - 8.5) * 0.2857142857142857, ERFCINV_3);
    }
    return r * power_series((r - 20.0) * 0.125, ERFCINV_4);
}

// The inverse of erf over x, for 1 - x^2 from 1/64 to one.
inline f64 erfinv_over(f64 rest) {
    const f64 ERFINV[] = {
        0.24565104412184558, 0.0037727172612917701, -0.0086868793001805721, 0.0016684671216334555,
        0.00029615381369506193, -0.00019701860887459609, 1.4801977099387825e-5, 1.4133656819887239e-5,
        -4.0810984538443783e-6, -4.637666508654463e-7, 4.5728322701907082e-7, -4.6555540943200374e-8,
        -3.2720048981244308e-8, 1.0601344473553826e-8, 9.6937725904482414e-10, -1.1704647041998246e-9,
        1.3304994395660384e-10, 8.4437240578449667e-11, -2.6296118787485261e-11, -3.285615525301375e-12,
        2.0498566281816702e-12
    };
    const f64 ERFINV_SCALE = 0.4808983469629878;
    auto w = -cu_log(rest);
    return fused(w, power_series(fused(w, ERFINV_SCALE, -1.0), ERFINV), 0.886226925452758);
}

// The inverse of erf.
inline f64 erfinv(f64 x) {
    auto rest = (1.0 - x) * (1.0 + x);
    if (rest > 0.015625) {
        return x * erfinv_over(rest);
    }
    return (is_nan(x) ? x : copysign_or_nan(erfcinv_tail(1.0 - elementary::size(x)), x));
}

// A magnitude with a sign; what is not a number stays so.
inline f64 copysign_or_nan(f64 magnitude, f64 sign) {
    return (is_nan(magnitude) ? magnitude : with_sign(magnitude, sign));
}

// The inverse of erfc.
inline f64 erfcinv(f64 x) {
    auto rest = x * (2.0 - x);
    if (rest > 0.015625) {
        return -((x - 1.0) * erfinv_over(rest));
    }
    if (x < 1.0) {
        return erfcinv_tail(x);
    }
    return (is_nan(x) ? x : -erfcinv_tail(2.0 - x));
}

// The inverse of the normal distribution function.
inline f64 ndtri(f64 p) {
    const f64 SQRT_2 = 1.4142135623730951;
    auto rest = 4.0 * p * (1.0 - p);
    if (rest > 0.015625) {
        auto x = 2.0 * p - 1.0;
        auto scaled = SQRT_2 * x;
        auto value = erfinv_over(rest);
        return fused(scaled, value, fused(SQRT_2, x, -scaled) * value);
    }
    if (is_nan(p)) {
        return p;
    }
    auto tail = SQRT_2 * erfcinv_tail(2.0 * ((p < 0.5 ? p : 1.0 - p)));
    return (p < 0.5 ? -tail : tail);
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_erf(T a) { return (T)elementary::special::erf((f64)a); }
template <class T> T cu_erfc(T a) { return (T)elementary::special::erfc((f64)a); }
template <class T> T cu_erfcx(T a) { return (T)elementary::special::erfcx((f64)a); }
template <class T> T cu_erfinv(T a) { return (T)elementary::special::erfinv((f64)a); }
template <class T> T cu_erfcinv(T a) { return (T)elementary::special::erfcinv((f64)a); }
template <class T> T cu_ndtr(T a) { return (T)elementary::special::ndtr((f64)a); }
template <class T> T cu_log_ndtr(T a) { return (T)elementary::special::log_ndtr((f64)a); }
template <class T> T cu_ndtri(T a) { return (T)elementary::special::ndtri((f64)a); }
