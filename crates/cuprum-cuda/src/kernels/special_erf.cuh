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
inline f64 erfinv_near(f64 x);
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
    auto a = elementary::size(x);
    if (a < 1.0) {
        return x * power_series(fused(2.0 * x, x, -1.0), ERF);
    }
    if (a > 6.0) {
        return (is_nan(x) ? x : with_sign(1.0, x));
    }
    return with_sign(1.0 - exp_minus_square(a) * erfcx_positive(a), x);
}

// One less the error function.
inline f64 erfc(f64 x) {
    const f64 ERF[] = {
        0.96546873866986731, -0.14053608902271712, 0.019852496688983707, -0.0022854855611441132,
        0.00021751715604160107, -1.7537169441124825e-5, 1.223382738352401e-6, -7.5115692866008896e-8,
        4.1158005976649594e-9, -2.035228404899467e-10, 9.1676067460694449e-12, -3.8078827395263413e-13,
        1.454817075960679e-14
    };
    if (x > 0.5) {
        if (x > 28.0) {
            return 0.0;
        }
        return exp_minus_square(x) * erfcx_positive(x);
    }
    if (x > -1.0) {
        return 1.0 - x * power_series(fused(2.0 * x, x, -1.0), ERF);
    }
    if (x < -6.0) {
        return 2.0;
    }
    return 2.0 - exp_minus_square(x) * erfcx_positive(-x);
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
    if (x > -0.5) {
        if (x < 0.5) {
            auto y = x * SQRT_HALF;
            return 0.5 + 0.5 * (y * power_series(fused(x, x, -1.0), ERF));
        }
        return 1.0 - normal_tail(x);
    }
    return normal_tail(-x);
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
    if (x > 5.0) {
        auto t = normal_tail(x);
        return -fused(t * t, fused(t, 0.3333333333333333, 0.5), t);
    }
    if (x > -1.0) {
        auto tail = (x > 0.0 ? normal_tail(x) : 0.5 * erfc(x * SQRT_HALF));
        return cu_log1p(-tail);
    }
    return cu_log(0.5 * erfcx_positive(-x * SQRT_HALF)) - 0.5 * x * x;
}

// The inverse of erfc for a q from zero to 1/4.
inline f64 erfcinv_tail(f64 q) {
    const f64 ERFCINV_1[] = {
        0.79441035863426673, 0.083899700178823507, -0.025774323139530731, 0.006765801212716273,
        -0.0015368242036134077, 0.0002878206795743655, -3.56616319865849e-5, -2.0865688550580358e-6,
        3.3437214596703083e-6, -1.434250386596427e-6, 4.488879709516564e-7, -1.1307169552018612e-7,
        2.2032232942479169e-8, -2.3590875593881635e-9, -4.9958676748873769e-10, 4.2643544156760575e-10,
        -1.7711502643554173e-10, 5.7162053251670557e-11, -1.3429901174412062e-11, 1.5578730935048053e-12
    };
    const f64 ERFCINV_2[] = {
        0.92794128933965996, 0.040709366609514543, -0.017954672930642191, 0.00714474138935897,
        -0.0026731339288448277, 0.00095562470225941354, -0.00032859796160788038, 0.00010885928730049545,
        -3.4671557767106224e-5, 1.0549925367764531e-5, -3.0274260697059636e-6, 7.9774152408580392e-7,
        -1.8094866880637232e-7, 2.7896484420494365e-8, 2.493164995581031e-9, -4.8628139542313644e-9,
        3.0062671835440819e-9, -1.5485148970766309e-9, 6.4638431566447941e-10, -1.7936696241564173e-10,
        7.2460827454558527e-11, -5.6236651519143462e-11, 1.7453111632111886e-11
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
    if (r < 2.25) {
        return r * power_series(fused(r, 1.7777777777777777, -3.0), ERFCINV_1);
    }
    if (r < 5.0) {
        return r * power_series((r - 3.625) / 1.375, ERFCINV_2);
    }
    if (r < 12.0) {
        return r * power_series((r - 8.5) / 3.5, ERFCINV_3);
    }
    return r * power_series((r - 20.0) * 0.125, ERFCINV_4);
}

// The inverse of erf for |x| up to 3/4.
inline f64 erfinv_near(f64 x) {
    const f64 ERFINV[] = {
        0.96402163762382704, 0.093467810828723065, 0.019691156241499961, 0.0051730134143721707,
        0.0015097228866488097, 0.00046854907963163629, 0.00015139579317223368, 5.0329140611836247e-5,
        1.708827086911536e-5, 5.8973589132653604e-6, 2.0618076340887851e-6, 7.2848496912391295e-7,
        2.5962888689614268e-7, 9.322001147883448e-8, 3.3741682079322621e-8, 1.2266623863516066e-8,
        4.3865668074822446e-9, 1.5992234649449988e-9, 6.838709701559696e-10, 2.5861615718351833e-10,
        3.2451168422992749e-11, 9.5834889941342019e-12, 2.768219840342242e-11, 1.0753802925519324e-11
    };
    return x * power_series(fused(x * x, 3.5555555555555554, -1.0), ERFINV);
}

// The inverse of erf.
inline f64 erfinv(f64 x) {
    auto a = elementary::size(x);
    if (a <= 0.75) {
        return erfinv_near(x);
    }
    return (is_nan(x) ? x : copysign_or_nan(erfcinv_tail(1.0 - a), x));
}

// A magnitude with a sign; what is not a number stays so.
inline f64 copysign_or_nan(f64 magnitude, f64 sign) {
    return (is_nan(magnitude) ? magnitude : with_sign(magnitude, sign));
}

// The inverse of erfc.
inline f64 erfcinv(f64 x) {
    if (x < 0.25) {
        return erfcinv_tail(x);
    }
    if (x <= 1.75) {
        return -erfinv_near(x - 1.0);
    }
    return (is_nan(x) ? x : -erfcinv_tail(2.0 - x));
}

// The inverse of the normal distribution function.
inline f64 ndtri(f64 p) {
    const f64 SQRT_2 = 1.4142135623730951;
    if (p < 0.125) {
        return -SQRT_2 * erfcinv_tail(2.0 * p);
    }
    if (p <= 0.875) {
        return SQRT_2 * erfinv_near(2.0 * p - 1.0);
    }
    return (is_nan(p) ? p : SQRT_2 * erfcinv_tail(2.0 * (1.0 - p)));
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
