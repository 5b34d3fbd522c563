// The Faddeeva function, by the trapezoidal rule with the residue of its pole, and the error functions of complex numbers.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: complex_erf.rs.

namespace elementary {
namespace special {

namespace tables_of_complex_erf {
COEFFICIENTS f64 STEP = 0.5116633539732443;
COEFFICIENTS f64 WHOLE[] = {
    0.7696654124932398, 0.350919807178411, 0.09478022484215486, 0.01516461986454657, 0.0014373060804075317,
    8.06995175703046e-05, 2.684086793096743e-06, 5.2884221169441576e-08, 6.17247886522431e-10, 4.267731135455224e-12,
    1.7479879405655014e-14, 4.241151183016078e-17
};
COEFFICIENTS f64 MIDDLE[] = {
    0.9366460212365959, 0.5548549101598534, 0.1947095780852903, 0.04047614460380574, 0.004984423132468586,
    0.00036360898638930446, 1.571296901780048e-05, 4.022405421564814e-07, 6.0998249159121596e-09,
    5.479650239757527e-11, 2.916031755179499e-13, 9.192541525134372e-16
};
}

RARE Pair faddeeva_quadrant(f64 x, f64 y);
RARE Pair complex_wofz(f64 re, f64 im);
inline Pair exp_minus_square_of(f64 re, f64 im);
inline Pair complex_erfcx(f64 re, f64 im);
RARE Pair complex_erfc(f64 re, f64 im);
inline Pair complex_erfc_right(f64 re, f64 im);
RARE Pair complex_erf(f64 re, f64 im);
inline Pair complex_erfi(f64 re, f64 im);
RARE Pair complex_dawsn(f64 re, f64 im);
inline Pair complex_ndtr(f64 re, f64 im);
RARE Pair complex_log_ndtr(f64 re, f64 im);

// w(z) for z in the first quadrant.
RARE Pair faddeeva_quadrant(f64 x, f64 y) {
    if (x > 1e8 || y > 1e8) {
        // i / (sqrt(pi) z).
        auto scale = 0.5641895835477563;
        if (x == infinity<f64>() || y == infinity<f64>()) {
            return {0.0, 0.0};
        }
        auto larger = (x > y ? x : y);
        auto xs = x / larger;
        auto ys = y / larger;
        auto size = xs * xs + ys * ys;
        return {scale * ys / size / larger, scale * xs / size / larger};
    }
    auto far = y >= x && y >= 6.14;
    auto place = x / tables_of_complex_erf::STEP;
    auto part = place - floor_of(place);
    auto at_whole = !far && y < x && part >= 0.25 && part <= 0.75;
    auto square = x * x + y * y;
    auto difference = (x - y) * (x + y);
    auto cross = 4.0 * x * x * y * y;
    auto re = 0.0;
    auto im = 0.0;
    for (int k = 12 - 1; k >= 0; --k) {
        auto weight = (at_whole ? tables_of_complex_erf::WHOLE[k] : tables_of_complex_erf::MIDDLE[k]);
        auto t = tables_of_complex_erf::STEP * ((f64)k + ((at_whole ? 1.0 : 0.5)));
        auto tt = t * t;
        auto d = difference - tt;
        auto scale = weight / (d * d + cross);
        re += scale * (square + tt);
        im += scale * (square - tt);
    }
    auto factor = 2.0 * tables_of_complex_erf::STEP * 0.3183098861837907;
    re *= factor * y;
    im *= factor * x;
    if (at_whole) {
        auto scale = 0.5 * factor / square;
        re += scale * y;
        im += scale * x;
    }
    if (!far && y < 6.14) {
        // 2 exp(-z^2) / (1 +- exp(-2 pi i z / h)).
        auto sign = (at_whole ? -1.0 : 1.0);
        auto [gr, gi] = exp_of(6.283185307179586 * y / tables_of_complex_erf::STEP, -6.283185307179586 * part);
        auto [er, ei] = exp_of(-difference, -2.0 * x * y);
        auto [cr, ci] = quotient_of(2.0 * er, 2.0 * ei, 1.0 + sign * gr, sign * gi);
        re += cr;
        im += ci;
    }
    return {re, im};
}

// The Faddeeva function: exp(-z^2) erfc(-i z).
RARE Pair complex_wofz(f64 re, f64 im) {
    if (is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    auto x = elementary::size(re);
    if (re == 0.0) {
        return {erfcx(im), re};
    }
    if (im == 0.0) {
        return {exp_minus_square(x), with_sign(1.1283791670955126 * dawsn(x), re)};
    }
    if (im > 0.0) {
        auto [wr, wi] = faddeeva_quadrant(x, im);
        return {wr, with_sign(wi, re)};
    }
    // w(z) = 2 exp(-z^2) - w(-z).
    auto [wr, wi] = faddeeva_quadrant(x, -im);
    auto [er, ei] = exp_of((im - x) * (im + x), 2.0 * x * -im);
    return {2.0 * er - wr, (re < 0.0 ? -(2.0 * ei + wi) : 2.0 * ei + wi)};
}

// exp(-z^2).
inline Pair exp_minus_square_of(f64 re, f64 im) {
    return exp_of((im - re) * (im + re), -2.0 * re * im);
}

// exp(z^2) erfc(z): the Faddeeva function a quarter of a turn on.
inline Pair complex_erfcx(f64 re, f64 im) {
    return complex_wofz(-im, re);
}

// The complementary error function.
RARE Pair complex_erfc(f64 re, f64 im) {
    if (im == 0.0) {
        return {erfc(re), -im};
    }
    if (elementary::size(im) * (1.0 + elementary::size(re)) < 1e-8) {
        return {erfc(re), -1.1283791670955126 * exp_minus_square(re) * im};
    }
    if (re < 0.0) {
        auto [cr, ci] = complex_erfc_right(-re, -im);
        return {2.0 - cr, -ci};
    }
    return complex_erfc_right(re, im);
}

// The same from the imaginary axis to the right.
inline Pair complex_erfc_right(f64 re, f64 im) {
    auto [wr, wi] = complex_wofz(-im, re);
    auto [er, ei] = exp_minus_square_of(re, im);
    return product(er, ei, wr, wi);
}

// The error function.
RARE Pair complex_erf(f64 re, f64 im) {
    if (im == 0.0) {
        return {erf(re), im};
    }
    if (elementary::size(im) * (1.0 + elementary::size(re)) < 1e-8) {
        return {erf(re), 1.1283791670955126 * exp_minus_square(re) * im};
    }
    if (re == 0.0) {
        return {re, erfi(im)};
    }
    if (elementary::size(re) * (1.0 + elementary::size(im)) < 1e-8) {
        auto half = called_exp(0.5 * im * im);
        return {1.1283791670955126 * re * half * half, erfi(im)};
    }
    if (called_hypot(re, im) < 1.5) {
        auto [sr, si] = product(re, im, re, im);
        auto tr = 1.1283791670955126 * re;
        auto ti = 1.1283791670955126 * im;
        auto ur = tr;
        auto ui = ti;
        auto k = 1.0;
        while (k < 60.0) {
            auto [nr, ni] = product(tr, ti, -sr / k, -si / k);
            tr = nr;
            ti = ni;
            ur += tr / (2.0 * k + 1.0);
            ui += ti / (2.0 * k + 1.0);
            if (elementary::size(tr) + elementary::size(ti) < 1e-17 * (elementary::size(ur) + elementary::size(ui))) {
                break;
            }
            k += 1.0;
        }
        return {ur, ui};
    }
    if (re < 0.0) {
        auto [cr, ci] = complex_erfc(-re, -im);
        return {cr - 1.0, ci};
    }
    auto [cr, ci] = complex_erfc(re, im);
    return {1.0 - cr, -ci};
}

// The error function a quarter of a turn on: -i erf(i z).
inline Pair complex_erfi(f64 re, f64 im) {
    auto [er, ei] = complex_erf(-im, re);
    return {ei, -er};
}

// Dawson's integral.
RARE Pair complex_dawsn(f64 re, f64 im) {
    if (im == 0.0) {
        return {dawsn(re), im};
    }
    if (called_hypot(re, im) < 1.5) {
        auto [er, ei] = exp_minus_square_of(re, im);
        auto [fr, fi] = complex_erfi(re, im);
        return product(0.8862269254527579 * er, 0.8862269254527579 * ei, fr, fi);
    }
    // i sqrt(pi) / 2 (exp(-z^2) - w(z)) above the real axis; odd.
    auto sign = with_sign(0.8862269254527579, im);
    auto [er, ei] = exp_minus_square_of(re, im);
    auto [wr, wi] = complex_wofz(with_sign(1.0, im) * re, elementary::size(im));
    return {-sign * (ei - wi), sign * (er - wr)};
}

// The normal distribution function.
inline Pair complex_ndtr(f64 re, f64 im) {
    auto [cr, ci] = complex_erfc(-0.7071067811865476 * re, -0.7071067811865476 * im);
    return {0.5 * cr, 0.5 * ci};
}

// Its logarithm.
RARE Pair complex_log_ndtr(f64 re, f64 im) {
    if (im == 0.0) {
        return {log_ndtr(re), im};
    }
    if (re > 1.0 && (im - re) * (im + re) < 1200.0) {
        auto [cr, ci] = complex_erfc(0.7071067811865476 * re, 0.7071067811865476 * im);
        if (elementary::size(cr) + elementary::size(ci) < 1.0) {
            // The logarithm of one less this half.
            return {0.5 * called_log1p(0.25 * fused(ci, ci, cr * cr) - cr), called_atan2(-0.5 * ci, 1.0 - 0.5 * cr)};
        }
    }
    auto [wr, wi] = complex_erfcx(-0.7071067811865476 * re, -0.7071067811865476 * im);
    auto [lr, li] = log_of(wr, wi);
    auto angle = li - re * im;
    auto turns = nearest_even(angle / 6.283185307179586);
    auto rest = (elementary::size(turns) > 1e6 ? called_atan2(called_sin(angle), called_cos(angle)) : fused(-turns, 6.283185307179586, angle));
    return {lr - 0.6931471805599453 - 0.5 * (re - im) * (re + im), rest};
}

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_wofz(complex<T> a) {
    auto [re, im] = elementary::special::complex_wofz((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_erf(complex<T> a) {
    auto [re, im] = elementary::special::complex_erf((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_erfc(complex<T> a) {
    auto [re, im] = elementary::special::complex_erfc((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_erfcx(complex<T> a) {
    auto [re, im] = elementary::special::complex_erfcx((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_erfi(complex<T> a) {
    auto [re, im] = elementary::special::complex_erfi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_dawsn(complex<T> a) {
    auto [re, im] = elementary::special::complex_dawsn((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_ndtr(complex<T> a) {
    auto [re, im] = elementary::special::complex_ndtr((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_log_ndtr(complex<T> a) {
    auto [re, im] = elementary::special::complex_log_ndtr((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
