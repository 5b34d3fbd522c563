// The gamma function of complex numbers, its logarithm and digamma, and Lambert's W. Numbers are pairs of parts.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: complex_gamma.rs.

namespace elementary {
namespace special {

namespace tables_of_complex_gamma {
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 HALF_LOG_TAU = 0.9189385332046727;
COEFFICIENTS f64 LOGGAMMA_SERIES[] = {
    -0.5772156649015329, 0.8224670334241132, -0.40068563438653143, 0.27058080842778454, -0.20738555102867398,
    0.1695571769974082, -0.1440498967688461, 0.12550966952474304, -0.11133426586956469, 0.1000994575127818,
    -0.09095401714582904, 0.083353840546109, -0.0769325164113522, 0.07143294629536133, -0.06666870588242046,
    0.06250095514121304, -0.058823978658684585, 0.055555767627403614, -0.05263167937961666, 0.05000004769810169,
    -0.047619070330142226, 0.04545455629320467, -0.04347826605304026, 0.04166666915034121
};
COEFFICIENTS f64 STIRLING_TERMS[] = {
    0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
    -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242, 0.17964437236883057, -1.3924322169059011
};
COEFFICIENTS f64 DIGAMMA_TERMS[] = {
    0.08333333333333333, -0.008333333333333333, 0.003968253968253968, -0.004166666666666667, 0.007575757575757576,
    -0.021092796092796094, 0.08333333333333333, -0.4432598039215686, 3.0539543302701198, -26.456212121212122
};
}

inline Pair product(f64 ar, f64 ai, f64 br, f64 bi);
RARE Pair quotient_of(f64 ar, f64 ai, f64 br, f64 bi);
RARE Pair log_of(f64 re, f64 im);
RARE Pair exp_of(f64 re, f64 im);
RARE Pair loggamma_far(f64 re, f64 im);
RARE Pair loggamma_near(f64 re, f64 im);
RARE Pair complex_loggamma(f64 re, f64 im);
RARE Quadruple gamma_shift(f64 re, f64 im);
RARE Pair loggamma_right(f64 re, f64 im);
RARE Pair gamma_right(f64 re, f64 im);
inline bool gamma_is_near(f64 re, f64 im);
RARE Pair complex_gamma(f64 re, f64 im);
RARE Pair complex_rgamma(f64 re, f64 im);
RARE Pair complex_psi(f64 re, f64 im);
RARE Pair psi_right(f64 re, f64 im);
RARE f64 lambertw_real(f64 x);
RARE Pair complex_lambertw(f64 re, f64 im, f64 kr, f64 ki);
inline Pair zero_pair(f64 re, f64 im);
inline Pair infinite_pair(f64 k);

// The product of two numbers.
inline Pair product(f64 ar, f64 ai, f64 br, f64 bi) {
    return {fused(ar, br, -ai * bi), fused(ar, bi, ai * br)};
}

// The quotient of two numbers, the first of them not extreme.
RARE Pair quotient_of(f64 ar, f64 ai, f64 br, f64 bi) {
    auto square = fused(br, br, bi * bi);
    if (!(square > 1e-290 && square < 1e290)) {
        // The square of the second may leave the range: 2^600 and 2^-540.
        auto power = (square < 1.0 ? 4.149515568880993e180 : 2.778046668940015e-163);
        auto cr = br * power;
        auto ci = bi * power;
        auto scale = 1.0 / fused(cr, cr, ci * ci);
        return {fused(ar, cr, ai * ci) * scale * power, fused(ai, cr, -ar * ci) * scale * power};
    }
    auto scale = 1.0 / square;
    return {fused(ar, br, ai * bi) * scale, fused(ai, br, -ar * bi) * scale};
}

// The logarithm.
RARE Pair log_of(f64 re, f64 im) {
    auto square = fused(re, re, im * im);
    auto angle = called_atan2(im, re);
    if (square > 0.5 && square < 2.0) {
        return {0.5 * called_log1p(fused(re - 1.0, re + 1.0, im * im)), angle};
    }
    if (!(square > 1e-290 && square < 1e290) && !is_nan(square)) {
        // 2^600 and 2^-600: the size itself may leave the range.
        auto power = (square < 1.0 ? 4.149515568880993e180 : 2.409919865102884e-181);
        auto shift = (square < 1.0 ? 415.88830833596717 : -415.88830833596717);
        return {called_log(called_hypot(re * power, im * power)) - shift, angle};
    }
    return {called_log(called_hypot(re, im)), angle};
}

// The exponential.
RARE Pair exp_of(f64 re, f64 im) {
    auto size = called_exp(re);
    if (im == 0.0) {
        return {size, im};
    }
    if (size == 0.0) {
        // Whatever the angle, which may be infinite.
        return {size, size};
    }
    return {size * called_cos(im), size * called_sin(im)};
}

// Stirling's series for a number of at least 10 in size, off the negative axis.
RARE Pair loggamma_far(f64 re, f64 im) {
    auto [lr, li] = log_of(re, im);
    auto [pr, pi] = product(re - 0.5, im, lr, li);
    auto [vr, vi] = quotient_of(1.0, 0.0, re, im);
    auto [wr, wi] = product(vr, vi, vr, vi);
    auto sr = 0.0;
    auto si = 0.0;
    for (int k = 10 - 1; k >= 0; --k) {
        auto [tr, ti] = product(sr, si, wr, wi);
        sr = tr + tables_of_complex_gamma::STIRLING_TERMS[k];
        si = ti;
    }
    auto [rr, ri] = product(sr, si, vr, vi);
    return {((pr - re) + tables_of_complex_gamma::HALF_LOG_TAU) + rr, (pi - im) + ri};
}

// log(gamma(1 + z)) of a small z.
RARE Pair loggamma_near(f64 re, f64 im) {
    auto sr = 0.0;
    auto si = 0.0;
    for (int k = 24 - 1; k >= 0; --k) {
        auto [tr, ti] = product(sr + tables_of_complex_gamma::LOGGAMMA_SERIES[k], si, re, im);
        sr = tr;
        si = ti;
    }
    return {sr, si};
}

// The logarithm of the gamma function, continuous off the negative axis.
RARE Pair complex_loggamma(f64 re, f64 im) {
    if (is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (im == 0.0 && re <= 0.0 && floor_of(re) == re) {
        return {infinity<f64>(), not_a_number<f64>()};
    }
    if (elementary::size(re) + elementary::size(im) < 1e-20) {
        auto [lr, li] = log_of(re, im);
        return {-lr, -li};
    }
    if (elementary::size(im) > 10.0 || re > 10.0) {
        if (elementary::size(re) > 1e300 || elementary::size(im) > 1e300) {
            // The real part is about re log|z| - |im| pi/2.
            auto grows = re > 0.0 && 600.0 * re > elementary::size(im);
            return {(grows ? infinity<f64>() : -infinity<f64>()), (im == 0.0 ? im : not_a_number<f64>())};
        }
        if (re > -1.0 || elementary::size(im) > 10.0) {
            return loggamma_far(re, im);
        }
    }
    if (fused(re - 1.0, re - 1.0, im * im) < 0.04) {
        return loggamma_near(re - 1.0, im);
    }
    if (fused(re - 2.0, re - 2.0, im * im) < 0.04) {
        auto [lr, li] = log_of(re - 1.0, im);
        auto [gr, gi] = loggamma_near(re - 2.0, im);
        return {lr + gr, li + gi};
    }
    if (re < 0.1) {
        // The reflection, on the branch that is continuous.
        auto turn = with_sign(2.0 * tables_of_complex_gamma::PI, im) * floor_of(0.5 * re + 0.25);
        auto s = sinpi(re) * called_cosh(tables_of_complex_gamma::PI * im);
        auto c = cospi(re) * called_sinh(tables_of_complex_gamma::PI * im);
        auto [lr, li] = log_of(s, c);
        auto [gr, gi] = loggamma_right(1.0 - re, -im);
        return {(1.1447298858494002 - lr) - gr, (turn - li) - gi};
    }
    return loggamma_right(re, im);
}

// Of a number to the right of the imaginary axis: the first of z, z + 1 and so on from 10 on, the product of those before it,
// and how often its angle has gone round.
RARE Quadruple gamma_shift(f64 re, f64 im) {
    auto pr = 1.0;
    auto pi = 0.0;
    auto rounds = 0.0;
    auto x = re;
    while (x < 10.0) {
        auto before = pi;
        auto [nr, ni] = product(pr, pi, x, im);
        pr = nr;
        pi = ni;
        // Each factor turns by less than half a round.
        if (im > 0.0 && before >= 0.0 && pi < 0.0) {
            rounds += 1.0;
        }
        if (im < 0.0 && before <= 0.0 && pi > 0.0) {
            rounds -= 1.0;
        }
        x += 1.0;
    }
    return {x, pr, pi, rounds};
}

// The same to the right of the imaginary axis.
RARE Pair loggamma_right(f64 re, f64 im) {
    auto [x, pr, pi, rounds] = gamma_shift(re, im);
    auto [gr, gi] = loggamma_far(x, im);
    if (x == re) {
        return {gr, gi};
    }
    auto [sr, si] = log_of(pr, pi);
    return {gr - sr, gi - (si + 2.0 * tables_of_complex_gamma::PI * rounds)};
}

// The gamma function to the right of the imaginary axis.
RARE Pair gamma_right(f64 re, f64 im) {
    auto [x, pr, pi, _rounds] = gamma_shift(re, im);
    auto [gr, gi] = loggamma_far(x, im);
    auto [er, ei] = exp_of(gr, gi);
    return quotient_of(er, ei, pr, pi);
}

// Whether the gamma function is a product of some factors and one far from zero, neither of them extreme.
inline bool gamma_is_near(f64 re, f64 im) {
    return re >= 0.1 && re < 100.0 && elementary::size(im) <= 10.0;
}

// The gamma function.
RARE Pair complex_gamma(f64 re, f64 im) {
    if (im == 0.0) {
        return {gamma(re), (re <= 0.0 && floor_of(re) == re ? not_a_number<f64>() : im * gammasgn(re))};
    }
    if (gamma_is_near(re, im)) {
        return gamma_right(re, im);
    }
    auto [lr, li] = complex_loggamma(re, im);
    return exp_of(lr, li);
}

// The inverse of the gamma function.
RARE Pair complex_rgamma(f64 re, f64 im) {
    if (im == 0.0) {
        return {rgamma(re), 0.0};
    }
    if (gamma_is_near(re, im)) {
        auto [gr, gi] = gamma_right(re, im);
        return quotient_of(1.0, 0.0, gr, gi);
    }
    auto [lr, li] = complex_loggamma(re, im);
    return exp_of(-lr, -li);
}

// The digamma function.
RARE Pair complex_psi(f64 re, f64 im) {
    if (im == 0.0) {
        return {psi(re), (re <= 0.0 && floor_of(re) == re ? not_a_number<f64>() : 0.0)};
    }
    if (is_nan(re) || is_nan(im) || elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re < 0.5 && elementary::size(im) < 20.0) {
        // psi(1 - z) - pi cot(pi z).
        auto [pr, pi] = psi_right(1.0 - re, -im);
        auto [tr, ti] = quotient_of(cospi(re) * called_cosh(tables_of_complex_gamma::PI * im), -sinpi(re) * called_sinh(tables_of_complex_gamma::PI * im), sinpi(re) * called_cosh(tables_of_complex_gamma::PI * im), cospi(re) * called_sinh(tables_of_complex_gamma::PI * im));
        return {pr - tables_of_complex_gamma::PI * tr, pi - tables_of_complex_gamma::PI * ti};
    }
    if (re < 0.5) {
        auto [pr, pi] = psi_right(1.0 - re, -im);
        return {pr, pi + with_sign(tables_of_complex_gamma::PI, im)};
    }
    return psi_right(re, im);
}

// The same from 1/2 on.
RARE Pair psi_right(f64 re, f64 im) {
    auto sr = 0.0;
    auto si = 0.0;
    auto x = re;
    while (x < 10.0 && elementary::size(im) < 10.0) {
        auto [vr, vi] = quotient_of(1.0, 0.0, x, im);
        sr += vr;
        si += vi;
        x += 1.0;
    }
    auto [lr, li] = log_of(x, im);
    auto [vr, vi] = quotient_of(1.0, 0.0, x, im);
    auto [wr, wi] = product(vr, vi, vr, vi);
    auto tr = 0.0;
    auto ti = 0.0;
    for (int k = 10 - 1; k >= 0; --k) {
        auto [ur, ui] = product(tr + tables_of_complex_gamma::DIGAMMA_TERMS[k], ti, wr, wi);
        tr = ur;
        ti = ui;
    }
    return {((lr - 0.5 * vr) - tr) - sr, ((li - 0.5 * vi) - ti) - si};
}

// Lambert's W of a real x from -0.3 on, its principal branch, by Halley's iteration.
RARE f64 lambertw_real(f64 x) {
    auto w = x;
    if (elementary::size(x) < 1e-3) {
        w = x * (1.0 - x * (1.0 - 1.5 * x));
    } else if (x < 3.0) {
        // A quotient of polynomials that meets the branch point.
        auto p = elementary::root(fused(5.43656365691809, x, 2.0));
        w = p * (1.0 + p * (0.30119 + 0.0156 * p)) / (1.0 + p * (0.63453 + 0.07968 * p)) - 1.0;
    } else {
        auto l = called_log(x);
        auto m = called_log(l);
        w = l - m + m / l * (1.0 + 0.5 * (m - 2.0) / l);
    }
    auto i = 0;
    while (i < 20) {
        // The equation divided through by exp(w), which may be large.
        auto f = fused(-x, called_exp(-w), w);
        auto step = f / (w + 1.0 - 0.5 * (w + 2.0) * f / (w + 1.0));
        w -= step;
        // What is left is the cube of a step.
        if (!(elementary::size(step) > 1e-6 * elementary::size(w))) {
            break;
        }
        i += 1;
    }
    return w;
}

// The branch k of Lambert's W.
RARE Pair complex_lambertw(f64 re, f64 im, f64 kr, f64 ki) {
    auto k = nearest_even(kr) + 0.0 * ki;
    if (is_nan(re) || is_nan(im) || is_nan(k)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    auto turn = 2.0 * tables_of_complex_gamma::PI * k;
    if (re == infinity<f64>() && elementary::size(im) < infinity<f64>()) {
        return {infinity<f64>(), turn};
    }
    if (re == -infinity<f64>() && elementary::size(im) < infinity<f64>()) {
        return {infinity<f64>(), turn + tables_of_complex_gamma::PI};
    }
    if (re == 0.0 && im == 0.0) {
        return (k == 0.0 ? zero_pair(re, im) : infinite_pair(k));
    }
    if (im == 0.0 && k == 0.0 && re > -0.3 && re < 1e300) {
        return {lambertw_real(re), im};
    }
    auto wr = 0.0;
    auto wi = 0.0;
    auto to_branch = called_hypot(re + 0.36787944117144233, im);
    if ((k == 0.0 || (k == -1.0 && im >= 0.0) || (k == 1.0 && im < 0.0)) && to_branch < 0.3) {
        // Near the branch point -1/e: a series in p = sqrt(2 (e z + 1)), of the other sign for the lower branch.
        auto qr = 5.43656365691809 * ((re + 0.36787944117144233) + -1.2428753672788363e-17);
        auto qi = 5.43656365691809 * im;
        auto size = called_hypot(qr, qi);
        auto half_r = elementary::root(0.5 * (size + elementary::size(qr)));
        auto half_i = (half_r == 0.0 ? 0.0 : 0.5 * qi / half_r);
        auto pr = (qr >= 0.0 ? half_r : elementary::size(half_i));
        auto pi = (qr >= 0.0 ? half_i : with_sign(half_r, qi));
        if (k != 0.0) {
            pr = -pr;
            pi = -pi;
        }
        auto [sr, si] = product(pr, pi, pr, pi);
        auto [cr, ci] = product(sr, si, pr, pi);
        wr = -1.0 + pr - sr / 3.0 + 0.1527777777777778 * cr;
        wi = pi - si / 3.0 + 0.1527777777777778 * ci;
        if (to_branch < 1e-16) {
            return {wr, wi};
        }
    } else if (k == 0.0 && re > -1.0 && re < 1.5 && elementary::size(im) < 1.0 && -2.5 * elementary::size(im) - 0.2 < re) {
        // A quotient of polynomials about zero.
        auto [nr, ni] = product(1.0 + 1.3333333333333333 * re, 1.3333333333333333 * im, re, im);
        auto [sr, si] = product(re, im, re, im);
        auto dr = 1.0 + 2.3333333333333335 * re + 0.8333333333333334 * sr;
        auto di = 2.3333333333333335 * im + 0.8333333333333334 * si;
        auto [fr, fi] = quotient_of(nr, ni, dr, di);
        wr = fr;
        wi = fi;
    } else if (k == -1.0 && im == 0.0 && re < 0.0 && re > -0.36787944117144233) {
        wr = called_log(-re);
        wr = wr - called_log(-wr);
    } else {
        auto [lr, li] = log_of(re, im);
        auto [mr, mi] = log_of(lr, li + turn);
        wr = lr - mr;
        wi = li + turn - mi;
        if (elementary::size(lr) + elementary::size(li + turn) > 2.0) {
            // The next terms of the expansion at infinity: m/l (1 + (m - 2) / (2 l)).
            auto [qr, qi] = quotient_of(mr, mi, lr, li + turn);
            auto [ur, ui] = quotient_of(0.5 * mr - 1.0, 0.5 * mi, lr, li + turn);
            auto [vr, vi] = product(qr, qi, 1.0 + ur, ui);
            wr += vr;
            wi += vi;
        }
    }
    // Halley's iteration.
    auto i = 0;
    while (i < 60) {
        auto dr = 0.0;
        auto di = 0.0;
        if (wr > 0.0) {
            // Divided through by exp(w), which may be large.
            auto [er, ei] = exp_of(-wr, -wi);
            auto [fr, fi] = product(re, im, er, ei);
            auto gr = wr - fr;
            auto gi = wi - fi;
            auto [hr, hi] = product(wr + 2.0, wi, gr, gi);
            auto [ar, ai] = product(2.0 * wr + 2.0, 2.0 * wi, gr, gi);
            auto [br, bi] = product(2.0 * wr + 2.0, 2.0 * wi, wr + 1.0, wi);
            auto [sr, si] = quotient_of(ar, ai, br - hr, bi - hi);
            dr = sr;
            di = si;
        } else {
            auto [er, ei] = exp_of(wr, wi);
            auto [fr, fi] = product(wr, wi, er, ei);
            auto gr = fr - re;
            auto gi = fi - im;
            auto [hr, hi] = product(wr + 2.0, wi, gr, gi);
            auto [ar, ai] = product(2.0 * wr + 2.0, 2.0 * wi, gr, gi);
            auto [br, bi] = product(2.0 * wr + 2.0, 2.0 * wi, wr + 1.0, wi);
            auto [sr, si] = product(er, ei, br, bi);
            auto [tr, ti] = quotient_of(ar, ai, sr - hr, si - hi);
            dr = tr;
            di = ti;
        }
        if (is_nan(dr) || is_nan(di)) {
            break;
        }
        wr -= dr;
        wi -= di;
        // What is left is the cube of a step, but near the branch point.
        auto enough = (elementary::size(wr + 1.0) + elementary::size(wi) > 0.5 ? 1e-6 : 2e-16);
        if (elementary::size(dr) + elementary::size(di) <= enough * (elementary::size(wr) + elementary::size(wi))) {
            break;
        }
        i += 1;
    }
    return {wr, wi};
}

// Its value at zero.
inline Pair zero_pair(f64 re, f64 im) {
    return {re, im};
}

// Its value at zero on the other branches.
inline Pair infinite_pair(f64 k) {
    return {-infinity<f64>(), 0.0 * k};
}

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_gamma(complex<T> a) {
    auto [re, im] = elementary::special::complex_gamma((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_rgamma(complex<T> a) {
    auto [re, im] = elementary::special::complex_rgamma((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_loggamma(complex<T> a) {
    auto [re, im] = elementary::special::complex_loggamma((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_psi(complex<T> a) {
    auto [re, im] = elementary::special::complex_psi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_lambertw(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_lambertw((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
