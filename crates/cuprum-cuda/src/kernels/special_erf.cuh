// The error function, its complement and inverses, and the normal distribution.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: erf.rs.

namespace elementary {
namespace special {

namespace tables_of_erf {
COEFFICIENTS f64 ERF[] = {
    1.1283791670955126, -0.37612638903183054, 0.11283791670928066, -0.026866170641236475, 0.0052239775967343914,
    -0.00085483257693432923, 0.00012055297820677935, -1.4924988347241423e-5, 1.6453545562701187e-6,
    -1.6289120031985731e-7, 1.433704662771864e-8, -1.0381108384235299e-9, 4.6037319938978448e-11
};
COEFFICIENTS f64 ERFCX[] = {
    1.0959956610004911, -0.97654872908088208, 0.77320870226523464, -0.54085383131322329, 0.33085158787828928,
    -0.17401093724032207, 0.076381514903165942, -0.026370053334974566, 0.0061120557174395209,
    -0.00028095890367045557, -0.00045505302924702469, 0.00017681297289083277, -3.6340024267475218e-6,
    -1.8861248305090571e-5, 4.6919571989546443e-6, 1.424650166714576e-6, -8.4308944480721007e-7,
    -7.5730317663454996e-8, 1.2207828619112612e-7, 7.1635875210599554e-10, -1.5074067819082178e-8,
    2.861571060472623e-10, 1.1689589415866256e-9
};
COEFFICIENTS f64 NORMAL_TAIL[] = {
    0.77735177189336224, -0.70100902959086675, 0.56896889181477162, -0.41390358577547259, 0.26797424584214424,
    -0.15268023206790687, 0.07517191566125285, -0.030985315462064438, 0.010029820702495505, -0.0021316055470513595,
    3.2869726054173929e-5, 0.00018136193809570246, -6.4751110779953614e-5, 1.0712078581169606e-6,
    6.7945196353543784e-6, -1.7914982840253786e-6, -4.2683752842859233e-7, 3.0065008392293485e-7,
    4.8107741866662158e-9, -3.6415176638334665e-8, 3.7002174533115496e-9, 2.761501417758509e-9,
    -5.2168301966811778e-10
};
COEFFICIENTS f64 ERFC_LOG[] = {
    3.4282183534801644e-6, 1.1283488966765467, 0.63674454392069357, 0.10245376793069674, -0.018562985300829976,
    -0.00094696091639514927, 0.0024274511329172061, -0.0011490767263540168, 0.00035488838477786808,
    -8.0559692480001427e-5, 1.3679201068419641e-5, -1.7023237361220233e-6, 1.4713225821118634e-7,
    -7.9013127763773144e-9, 1.9857850074495978e-10
};
COEFFICIENTS f64 ERFINV[] = {
    0.24557684391371031, -0.005418661488122288, -0.013436559985088158, 0.0062031368000126073,
    -0.00050446101807376909, -0.00081947958343692207, 0.00041253805578889616, -1.8142664953593811e-5,
    -6.6463290620102649e-5, 2.9058802791240068e-5, 8.1865100855712379e-7, -5.6272778363379297e-6,
    2.0253612962160944e-6, 2.5562799141583198e-7, -4.7547729714074927e-7, 1.3757282552601388e-7, 3.67922461135805e-8,
    -4.1256767129946506e-8, 7.7878845254541828e-9, 5.5874536539584004e-9, -2.7597855919983796e-9,
    -3.1864269542961973e-10, 3.0490010975664962e-10
};
COEFFICIENTS f64 ERFCINV_2[] = {
    0.92605308455972767, 0.044313598348347998, -0.020726102869412251, 0.0087426247054472465, -0.0034653685570704746,
    0.001311531289837944, -0.00047699352050689502, 0.00016692321372718525, -5.6057164958731195e-5,
    1.7933669835877826e-5, -5.3837401456300924e-6, 1.4688838339136233e-6, -3.35438129263175e-7,
    4.4775361462086843e-8, 1.2544214895984734e-8, -1.4836984075144292e-8, 8.8266020602598035e-9,
    -4.3717339039427869e-9, 2.0259097602229602e-9, -8.0539556188992733e-10, 2.4690553670697907e-10,
    -1.0515416787668963e-10, 6.3551544092881474e-11, -1.7145040670997027e-11
};
COEFFICIENTS f64 ERFCINV_3[] = {
    0.98113380534716646, 0.012731941094194039, -0.0067174301630219995, 0.0032190171320432262, -0.001464856759727944,
    0.00064518700527426051, -0.00027774488156684479, 0.00011752336157631066, -4.9049911812846666e-5,
    2.0238482473929602e-5, -8.2681713995771283e-6, 3.3480360116982935e-6, -1.3446892905019039e-6,
    5.3585064044865415e-7, -2.1197748898888937e-7, 8.3414415627645255e-8, -3.2521100115482951e-8,
    1.2332116706639454e-8, -4.7322764356893663e-9, 2.0485323403683169e-9, -7.7118485684453837e-10,
    1.3131858580212415e-10, -5.0380510922599386e-11, 7.6003997024491925e-11, -2.6647562544244125e-11
};
COEFFICIENTS f64 ERFCINV_4[] = {
    0.99553392906647788, 0.0030760169121619441, -0.0016476241061797016, 0.00079983467049253994,
    -0.00036847131992056228, 0.00016433035182489707, -7.1688946752538991e-5, 3.0778511490224488e-5,
    -1.3055055279993672e-5, 5.4849299432335384e-6, -2.2867399132065971e-6, 9.4733374140009538e-7,
    -3.9034225327968733e-7, 1.6001877999471961e-7, -6.5354119711250826e-8, 2.6765179919998377e-8,
    -1.0878798047010337e-8, 4.1612140504840533e-9, -1.6596662931818221e-9, 9.0424280171042249e-10,
    -3.7615383546542797e-10, 2.3625422617875035e-12, 3.9631059276305006e-12, 5.2397091671169689e-11,
    -2.1703732948917628e-11
};
COEFFICIENTS f64 SQRT_2 = 1.4142135623730951;
COEFFICIENTS f64 ERFINV_LEAST = 0.0019304541362277093;
}

inline Pair erfcx_parts(f64 x);
inline f64 erfcx_positive(f64 x);
inline Pair normal_parts(f64 x);
inline f64 exp_minus_square_near(f64 x);
inline bool never(f64 _x);
inline f64 erf(f64 x);
inline f64 erfc(f64 x);
inline f64 ndtr(f64 x);
inline f64 normal_tail(f64 x);
inline f64 plain_log_ndtr(f64 x);
inline bool log_ndtr_is_rare(f64 x);
inline f64 erfinv_over(f64 rest);
inline f64 plain_erfinv(f64 x);
inline bool erfinv_is_rare(f64 x);
inline f64 plain_erfcinv(f64 x);
inline bool erfcinv_is_rare(f64 x);
inline f64 plain_ndtri(f64 p);
inline bool ndtri_is_rare(f64 p);
inline f64 exp_minus_square(f64 x);
inline f64 erfcx(f64 x);
inline f64 log_ndtr(f64 x);
inline f64 erfcinv_tail(f64 q);
inline f64 erfinv(f64 x);
inline f64 copysign_or_nan(f64 magnitude, f64 sign);
inline f64 erfcinv(f64 x);
inline f64 ndtri(f64 p);

// exp(x^2) erfc(x) for x from zero to 1e15, and what part of it is to be added.
inline Pair erfcx_parts(f64 x) {
    auto sum = x + 4.0;
    auto inverse = plain_inverse(sum);
    // (x - 4) / (x + 4), the sums not rounded.
    auto near = fused(-8.0, inverse, 1.0);
    auto t = fused(fused(-4.0, near + 1.0, fused(-near, x, x)), inverse, near);
    auto error = fused((sum - 4.0) - x, inverse, fused(-inverse, sum, 1.0));
    return {horner(t, tables_of_erf::ERFCX) * inverse, error};
}

// exp(x^2) erfc(x) for x from zero to 1e15.
inline f64 erfcx_positive(f64 x) {
    auto [value, error] = erfcx_parts(x);
    return fused(value, error, value);
}

// The normal distribution's chance of more than x, times exp(x^2/2), for x from zero to 1e15, likewise.
inline Pair normal_parts(f64 x) {
    auto sum = x + 6.0;
    auto inverse = plain_inverse(sum);
    auto near = fused(-12.0, inverse, 1.0);
    auto t = fused(fused(-6.0, near + 1.0, fused(-near, x, x)), inverse, near);
    auto error = fused((sum - 6.0) - x, inverse, fused(-inverse, sum, 1.0));
    return {horner(t, tables_of_erf::NORMAL_TAIL) * inverse, error};
}

// exp(-x^2), the square not rounded, for x from zero to 28.
inline f64 exp_minus_square_near(f64 x) {
    auto square = x * x;
    return exp_sum(-square, -fused(x, x, -square));
}

// No argument of functions without branches.
inline bool never(f64 _x) {
    return false;
}

// The error function.
inline f64 erf(f64 x) {
    auto a = elementary::size(x);
    auto near = x * horner(x * x, tables_of_erf::ERF);
    // Beyond 5.93 it is one; what is taken from one may be short of some digits.
    auto b = (a > 5.93 ? 5.93 : a);
    auto far = with_sign(1.0 - quick_exp(-horner(b, tables_of_erf::ERFC_LOG)), x);
    return (a < 1.25 ? near : far);
}

// One less the error function.
inline f64 erfc(f64 x) {
    auto a = (elementary::size(x) > 28.0 ? 28.0 : elementary::size(x));
    auto square = a * a;
    auto [scaled, error] = erfcx_parts(a);
    auto tail = exp_sum(-square, error - fused(a, a, -square)) * scaled;
    return (x < 0.0 ? 2.0 - tail : tail);
}

// The distribution function of the normal distribution.
inline f64 ndtr(f64 x) {
    auto tail = normal_tail(elementary::size(x));
    return (x > 0.0 ? 1.0 - tail : tail);
}

// The normal distribution's chance of more than x, for x from zero on.
inline f64 normal_tail(f64 x) {
    auto a = (x > 39.0 ? 39.0 : x);
    auto square = a * a;
    auto [scaled, error] = normal_parts(a);
    return exp_sum(-0.5 * square, fused(-0.5, fused(a, a, -square), error)) * scaled;
}

// The logarithm of the normal distribution function from -1e15 to 37. One logarithm serves all.
inline f64 plain_log_ndtr(f64 x) {
    auto a = elementary::size(x);
    auto b = (a > 39.0 ? 39.0 : a);
    auto square = b * b;
    auto [scaled, error] = normal_parts(a);
    auto factor = exp_sum(-0.5 * square, fused(-0.5, fused(b, b, -square), error));
    auto tail = factor * scaled;
    auto tail_low = fused(factor, scaled, -tail);
    auto rest = 1.0 - tail;
    auto logged = (x < -1.0 ? scaled : (x < 0.0 ? tail : rest));
    auto lost = plain_quotient((x < 0.0 ? tail_low : ((1.0 - rest) - tail) - tail_low), logged);
    auto value = plain_log_rest(logged, (x < -1.0 ? error : lost));
    return (x < -1.0 ? fused(-0.5 * x, x, value) : value);
}

// Whether log_ndtr takes another way.
inline bool log_ndtr_is_rare(f64 x) {
    return !(x > -1e15 && x < 37.0);
}

// The inverse of erf over x, for 1 - x^2 from 0.00194 to one.
inline f64 erfinv_over(f64 rest) {
    auto w = -quick_log(rest);
    return fused(w, even_odd(fused(w, 0.32, -1.0), tables_of_erf::ERFINV), 0.886226925452758);
}

// The inverse of erf, but near one.
inline f64 plain_erfinv(f64 x) {
    return x * erfinv_over((1.0 - x) * (1.0 + x));
}

// Whether erfinv takes its argument for near one, or none.
inline bool erfinv_is_rare(f64 x) {
    return !((1.0 - x) * (1.0 + x) > tables_of_erf::ERFINV_LEAST);
}

// The inverse of erfc, but near zero and two.
inline f64 plain_erfcinv(f64 x) {
    return -((x - 1.0) * erfinv_over(x * (2.0 - x)));
}

// Whether erfcinv takes its argument for near zero or two, or none.
inline bool erfcinv_is_rare(f64 x) {
    return !(x * (2.0 - x) > tables_of_erf::ERFINV_LEAST);
}

// The inverse of the normal distribution function, but near zero and one.
inline f64 plain_ndtri(f64 p) {
    auto x = 2.0 * p - 1.0;
    auto scaled = tables_of_erf::SQRT_2 * x;
    auto value = erfinv_over(4.0 * p * (1.0 - p));
    return fused(scaled, value, fused(tables_of_erf::SQRT_2, x, -scaled) * value);
}

// Whether ndtri takes its argument for near zero or one, or none.
inline bool ndtri_is_rare(f64 p) {
    return !(4.0 * p * (1.0 - p) > tables_of_erf::ERFINV_LEAST);
}

// exp(-x^2), the square not rounded.
inline f64 exp_minus_square(f64 x) {
    return (elementary::size(x) > 28.0 ? 0.0 : exp_minus_square_near(x));
}

// exp(x^2) erfc(x).
inline f64 erfcx(f64 x) {
    if (x > 1e15) {
        return 0.5641895835477563 / x;
    }
    auto value = erfcx_positive(elementary::size(x));
    if (x < 0.0) {
        if (x < -26.7) {
            return infinity<f64>();
        }
        auto square = x * x;
        return 2.0 * exp_sum(square, fused(x, x, -square)) - value;
    }
    return value;
}

// The logarithm of the normal distribution function.
inline f64 log_ndtr(f64 x) {
    if (log_ndtr_is_rare(x)) {
        return (x > 0.0 ? -normal_tail(x) : -0.5 * x * x);
    }
    return plain_log_ndtr(x);
}

// The inverse of erfc for a q from zero to 1/1000.
inline f64 erfcinv_tail(f64 q) {
    if (q <= 0.0) {
        return (q == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    auto r = elementary::root(-cu_log(q));
    if (r < 5.0) {
        return r * power_series((r - 3.5625) * 0.6956521739130435, tables_of_erf::ERFCINV_2);
    }
    if (r < 12.0) {
        return r * power_series((r - 8.5) * 0.2857142857142857, tables_of_erf::ERFCINV_3);
    }
    return r * power_series((r - 20.0) * 0.125, tables_of_erf::ERFCINV_4);
}

// The inverse of erf.
inline f64 erfinv(f64 x) {
    if (erfinv_is_rare(x)) {
        return (is_nan(x) ? x : copysign_or_nan(erfcinv_tail(1.0 - elementary::size(x)), x));
    }
    return plain_erfinv(x);
}

// A magnitude with a sign; what is not a number stays so.
inline f64 copysign_or_nan(f64 magnitude, f64 sign) {
    return (is_nan(magnitude) ? magnitude : with_sign(magnitude, sign));
}

// The inverse of erfc.
inline f64 erfcinv(f64 x) {
    if (erfcinv_is_rare(x)) {
        if (x < 1.0) {
            return erfcinv_tail(x);
        }
        return (is_nan(x) ? x : -erfcinv_tail(2.0 - x));
    }
    return plain_erfcinv(x);
}

// The inverse of the normal distribution function.
inline f64 ndtri(f64 p) {
    if (ndtri_is_rare(p)) {
        if (is_nan(p)) {
            return p;
        }
        auto tail = tables_of_erf::SQRT_2 * erfcinv_tail(2.0 * ((p < 0.5 ? p : 1.0 - p)));
        return (p < 0.5 ? -tail : tail);
    }
    return plain_ndtri(p);
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_erf(T a) { return (T)elementary::special::erf((f64)a); }
template <class T> T cu_erfc(T a) { return (T)elementary::special::erfc((f64)a); }
template <class T> T cu_erfcx(T a) { return (T)elementary::special::erfcx((f64)a); }
template <class T> T cu_erfinv(T a) {
    return (T)(elementary::special::erfinv_is_rare((f64)a) ? elementary::special::erfinv((f64)a) : elementary::special::plain_erfinv((f64)a));
}
template <class T> T cu_erfcinv(T a) {
    return (T)(elementary::special::erfcinv_is_rare((f64)a) ? elementary::special::erfcinv((f64)a) : elementary::special::plain_erfcinv((f64)a));
}
template <class T> T cu_ndtr(T a) { return (T)elementary::special::ndtr((f64)a); }
template <class T> T cu_log_ndtr(T a) {
    return (T)(elementary::special::log_ndtr_is_rare((f64)a) ? elementary::special::log_ndtr((f64)a) : elementary::special::plain_log_ndtr((f64)a));
}
template <class T> T cu_ndtri(T a) {
    return (T)(elementary::special::ndtri_is_rare((f64)a) ? elementary::special::ndtri((f64)a) : elementary::special::plain_ndtri((f64)a));
}
