// Exponential, sine and Fresnel integrals, the dilogarithm and products with logarithms of complex numbers.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: complex_integrals.rs.

namespace elementary {
namespace special {

namespace tables_of_complex_integrals {
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 HALF_PI = 1.5707963267948966;
COEFFICIENTS f64 EULER = 0.5772156649015329;
COEFFICIENTS f64 BERNOULLI_TERMS[] = {
    0.027777777777777776, -0.0002777777777777778, 4.72411186696901e-6, -9.185773074661964e-8, 1.8978869988971e-9,
    -4.0647616451442256e-11, 8.921691020456452e-13, -1.9939295860721074e-14, 4.518980029619918e-16,
    -1.0356517612181247e-17, 2.395218621026187e-19, -5.58178587432501e-21
};
}

RARE Pair exponential_sum(f64 re, f64 im);
RARE Pair complex_exp1(f64 re, f64 im);
RARE Pair complex_expi(f64 re, f64 im);
RARE Quadruple sine_cosine_series(f64 re, f64 im, f64 sign);
RARE Quadruple complex_sici(f64 re, f64 im);
RARE Quadruple complex_sici_right(f64 re, f64 im);
inline Pair complex_sici_si(f64 re, f64 im);
inline Pair complex_sici_ci(f64 re, f64 im);
inline Pair complex_shichi_shi(f64 re, f64 im);
RARE Pair complex_shichi_chi(f64 re, f64 im);
RARE Pair spence_near(f64 re, f64 im);
RARE Pair spence_disk(f64 re, f64 im);
RARE Pair complex_spence(f64 re, f64 im);
RARE Quadruple complex_fresnel(f64 re, f64 im);
RARE Pair complex_fresnel_s(f64 re, f64 im);
RARE Pair complex_fresnel_c(f64 re, f64 im);
RARE Pair complex_xlogy(f64 xr, f64 xi, f64 yr, f64 yi);
RARE Pair complex_xlog1py(f64 xr, f64 xi, f64 yr, f64 yi);

// The sum of (-z)^k / (k k!), negative: what the exponential integral has besides its logarithm.
RARE Pair exponential_sum(f64 re, f64 im) {
    auto tr = 1.0;
    auto ti = 0.0;
    auto sr = 0.0;
    auto si = 0.0;
    auto k = 1.0;
    while (k < 500.0) {
        auto [nr, ni] = product(tr, ti, -re / k, -im / k);
        tr = nr;
        ti = ni;
        sr -= tr / k;
        si -= ti / k;
        if (elementary::size(tr) + elementary::size(ti) < 1e-17 * k * (elementary::size(sr) + elementary::size(si))) {
            break;
        }
        k += 1.0;
    }
    return {sr, si};
}

// The exponential integral E1.
RARE Pair complex_exp1(f64 re, f64 im) {
    if (is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {infinity<f64>(), -im};
    }
    if (im == 0.0 && re > 0.0) {
        return {exp1(re), -im};
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        if (re == -infinity<f64>()) {
            return {-infinity<f64>(), (im == 0.0 ? -with_sign(tables_of_complex_integrals::PI, im) : not_a_number<f64>())};
        }
        return {0.0, 0.0};
    }
    auto size = called_hypot(re, im);
    if (size <= 2.0 || (re < 0.0 && size <= 5.0) || (re < -2.0 * elementary::size(im) && size < 40.0)) {
        auto [sr, si] = exponential_sum(re, im);
        auto [lr, li] = log_of(re, im);
        return {(-tables_of_complex_integrals::EULER - lr) + sr, si - li};
    }
    auto [er, ei] = exp_of(-re, -im);
    if (size >= 40.0) {
        // exp(-z) / z times the asymptotic series.
        auto [ir, ii] = quotient_of(1.0, 0.0, re, im);
        auto tr = 1.0;
        auto ti = 0.0;
        auto sr = 1.0;
        auto si = 0.0;
        auto k = 1.0;
        while (k < size) {
            auto [nr, ni] = product(tr, ti, -k * ir, -k * ii);
            tr = nr;
            ti = ni;
            sr += tr;
            si += ti;
            if (elementary::size(tr) + elementary::size(ti) < 1e-17) {
                break;
            }
            k += 1.0;
        }
        auto [ar, ai] = product(sr, si, ir, ii);
        auto [br, bi] = product(ar, ai, er, ei);
        return {br, (im == 0.0 ? -with_sign(tables_of_complex_integrals::PI, im) : bi)};
    }
    // The continued fraction, by Lentz.
    auto br = re + 1.0;
    auto [first, second] = quotient_of(1.0, 0.0, br, im);
    auto dr = first;
    auto di = second;
    auto hr = dr;
    auto hi = di;
    auto cr = 0.0;
    auto ci = 0.0;
    auto k = 1.0;
    while (k < 2000.0) {
        auto a = -k * k;
        br += 2.0;
        auto [ur, ui] = quotient_of(1.0, 0.0, a * dr + br, a * di + im);
        dr = ur;
        di = ui;
        if (k == 1.0) {
            cr = br;
            ci = im;
        } else {
            auto [vr, vi] = quotient_of(a, 0.0, cr, ci);
            cr = br + vr;
            ci = im + vi;
        }
        auto [wr, wi] = product(cr, ci, dr, di);
        auto [nr, ni] = product(hr, hi, wr, wi);
        hr = nr;
        hi = ni;
        if (elementary::size(wr - 1.0) + elementary::size(wi) < 1e-16) {
            break;
        }
        k += 1.0;
    }
    return product(hr, hi, er, ei);
}

// The exponential integral Ei.
RARE Pair complex_expi(f64 re, f64 im) {
    if (im == 0.0 && re < 0.0) {
        return {expi(re), im};
    }
    if (im == 0.0) {
        return {expi(re), (re > 0.0 ? im : -im)};
    }
    auto [er, ei] = complex_exp1(-re, -im);
    return {-er, (im > 0.0 ? tables_of_complex_integrals::PI - ei : -tables_of_complex_integrals::PI - ei)};
}

// The sine and cosine integrals off the axis, or with a negative sign the hyperbolic ones, of a small number.
RARE Quadruple sine_cosine_series(f64 re, f64 im, f64 sign) {
    auto [sr, si] = product(re, im, re, im);
    auto tr = re;
    auto ti = im;
    auto ar = re;
    auto ai = im;
    auto br = 0.0;
    auto bi = 0.0;
    auto k = 1.0;
    // The next power over its factorial, of the other parity in turn.
    auto ur = 1.0;
    auto ui = 0.0;
    while (k < 60.0) {
        auto even = 2.0 * k;
        auto [xr, xi] = product(ur, ui, -sign * sr / (even * (even - 1.0)), -sign * si / (even * (even - 1.0)));
        ur = xr;
        ui = xi;
        br += ur / even;
        bi += ui / even;
        auto odd = even + 1.0;
        auto [yr, yi] = product(tr, ti, -sign * sr / (odd * even), -sign * si / (odd * even));
        tr = yr;
        ti = yi;
        ar += tr / odd;
        ai += ti / odd;
        if (elementary::size(ur) + elementary::size(ui) < 1e-18) {
            break;
        }
        k += 1.0;
    }
    auto [lr, li] = log_of(re, im);
    return {ar, ai, tables_of_complex_integrals::EULER + lr + br, li + bi};
}

// The sine and the cosine integral.
RARE Quadruple complex_sici(f64 re, f64 im) {
    if (is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {re, im, -infinity<f64>(), 0.0};
    }
    if (called_hypot(re, im) < 1.0) {
        return sine_cosine_series(re, im, 1.0);
    }
    if (re < 0.0) {
        // Si is odd; Ci has the logarithm's cut.
        auto [sr, si, cr, ci] = complex_sici_right(-re, -im);
        return {-sr, -si, cr, (im >= 0.0 ? ci + tables_of_complex_integrals::PI : ci - tables_of_complex_integrals::PI)};
    }
    return complex_sici_right(re, im);
}

// The same from the imaginary axis to the right, off zero.
RARE Quadruple complex_sici_right(f64 re, f64 im) {
    if (im == 0.0) {
        return {sici_si(re), im, sici_ci(re), 0.0};
    }
    // By the exponential integrals of i z and -i z.
    auto [ar, ai] = complex_exp1(-im, re);
    auto [br, bi] = complex_exp1(im, -re);
    auto sr = tables_of_complex_integrals::HALF_PI + 0.5 * (ai - bi);
    auto si = 0.5 * (br - ar);
    if (re == 0.0) {
        return {0.0, si, -0.5 * (ar + br), with_sign(tables_of_complex_integrals::HALF_PI, im)};
    }
    return {sr, si, -0.5 * (ar + br), -0.5 * (ai + bi)};
}

// The sine integral.
inline Pair complex_sici_si(f64 re, f64 im) {
    auto [sr, si, _cr, _ci] = complex_sici(re, im);
    return {sr, si};
}

// The cosine integral.
inline Pair complex_sici_ci(f64 re, f64 im) {
    auto [_sr, _si, cr, ci] = complex_sici(re, im);
    return {cr, ci};
}

// The hyperbolic sine integral: -i Si(i z).
inline Pair complex_shichi_shi(f64 re, f64 im) {
    auto [sr, si, _cr, _ci] = complex_sici(-im, re);
    return {si, -sr};
}

// The hyperbolic cosine integral.
RARE Pair complex_shichi_chi(f64 re, f64 im) {
    if (re == 0.0 && im == 0.0) {
        return {-infinity<f64>(), 0.0};
    }
    if (called_hypot(re, im) < 1.0) {
        auto [_sr, _si, cr, ci] = sine_cosine_series(re, im, -1.0);
        return {cr, ci};
    }
    // Ci(i z) differs by the logarithm of i, and by its cut.
    // Zeros have no sign here.
    auto x = re + 0.0;
    auto y = im + 0.0;
    auto [_sr, _si, cr, ci] = complex_sici(-y, x);
    auto angle = called_atan2(y, x);
    auto other = called_atan2(x, -y);
    auto turn = nearest_even((angle - other) / tables_of_complex_integrals::HALF_PI) * tables_of_complex_integrals::HALF_PI;
    return {cr, ci + turn};
}

// The dilogarithm of 1 - z near one: by the series in log(z).
RARE Pair spence_near(f64 re, f64 im) {
    auto [lr, li] = log_of(re, im);
    auto ur = -lr;
    auto ui = -li;
    auto [sr, si] = product(ur, ui, ur, ui);
    auto tr = 0.0;
    auto ti = 0.0;
    for (int k = 12 - 1; k >= 0; --k) {
        auto [xr, xi] = product(tr + tables_of_complex_integrals::BERNOULLI_TERMS[k], ti, sr, si);
        tr = xr;
        ti = xi;
    }
    auto [yr, yi] = product(tr, ti, ur, ui);
    return {ur - 0.25 * sr + yr, ui - 0.25 * si + yi};
}

// The dilogarithm of 1 - z for z at most one away from one.
RARE Pair spence_disk(f64 re, f64 im) {
    if (called_hypot(re, im) >= 0.5) {
        return spence_near(re, im);
    }
    if (re == 0.0 && im == 0.0) {
        return {1.6449340668482264, 0.0};
    }
    auto [sr, si] = spence_near(1.0 - re, -im);
    auto [lr, li] = log_of(re, im);
    auto [mr, mi] = log_of(1.0 - re, -im);
    auto [pr, pi] = product(lr, li, mr, mi);
    return {1.6449340668482264 - pr - sr, -pi - si};
}

// The dilogarithm of 1 - z.
RARE Pair complex_spence(f64 re, f64 im) {
    if (is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (im == 0.0 && re >= 0.0) {
        return {spence(re), 0.0};
    }
    if (called_hypot(re - 1.0, im) <= 1.0) {
        return spence_disk(re, im);
    }
    auto qr = 1.0;
    auto qi = 0.0;
    if (elementary::size(re) + elementary::size(im) < 1e100) {
        auto [xr, xi] = quotient_of(re, im, re - 1.0, im);
        qr = xr;
        qi = xi;
    }
    auto [sr, si] = spence_disk(qr, qi);
    auto [lr, li] = log_of(re - 1.0, im);
    auto [pr, pi] = product(lr, li, lr, li);
    return {-sr - 1.6449340668482264 - 0.5 * pr, -si - 0.5 * pi};
}

// Fresnel's integrals S and C.
RARE Quadruple complex_fresnel(f64 re, f64 im) {
    if (called_hypot(re, im) < 1.5) {
        // C = z sum (-1)^k t^2k / ((2k)! (4k + 1)) and S likewise, t = pi z^2 / 2.
        auto [sr, si] = product(re, im, re, im);
        auto ur = tables_of_complex_integrals::HALF_PI * sr;
        auto ui = tables_of_complex_integrals::HALF_PI * si;
        auto tr = re;
        auto ti = im;
        auto cr = re;
        auto ci = im;
        auto ar = 0.0;
        auto ai = 0.0;
        auto sign = 1.0;
        auto k = 1.0;
        while (k < 80.0) {
            auto [xr, xi] = product(tr, ti, ur / k, ui / k);
            ar += sign * xr / (2.0 * k + 1.0);
            ai += sign * xi / (2.0 * k + 1.0);
            sign = -sign;
            auto [yr, yi] = product(xr, xi, ur / (k + 1.0), ui / (k + 1.0));
            tr = yr;
            ti = yi;
            cr += sign * tr / (2.0 * k + 3.0);
            ci += sign * ti / (2.0 * k + 3.0);
            if (elementary::size(tr) + elementary::size(ti) < 1e-18 * (elementary::size(cr) + elementary::size(ci))) {
                break;
            }
            k += 2.0;
        }
        return {ar, ai, cr, ci};
    }
    // C + i S = (1 + i)/2 erf(sqrt(pi)/2 (1 - i) z), and the same with -i.
    auto scale = 0.8862269254527579;
    auto [er, ei] = complex_erf(scale * (re + im), scale * (im - re));
    auto [fr, fi] = complex_erf(scale * (re - im), scale * (im + re));
    auto pr = 0.5 * (er - ei);
    auto pi = 0.5 * (er + ei);
    auto mr = 0.5 * (fr + fi);
    auto mi = 0.5 * (fi - fr);
    return {0.5 * (pi - mi), 0.5 * (mr - pr), 0.5 * (pr + mr), 0.5 * (pi + mi)};
}

// Fresnel's integral S.
RARE Pair complex_fresnel_s(f64 re, f64 im) {
    if (im == 0.0) {
        return {fresnel_s(re), im};
    }
    auto [sr, si, _cr, _ci] = complex_fresnel(re, im);
    return {sr, si};
}

// Fresnel's integral C.
RARE Pair complex_fresnel_c(f64 re, f64 im) {
    if (im == 0.0) {
        return {fresnel_c(re), im};
    }
    auto [_sr, _si, cr, ci] = complex_fresnel(re, im);
    return {cr, ci};
}

// x log(y), zero where x is.
RARE Pair complex_xlogy(f64 xr, f64 xi, f64 yr, f64 yi) {
    if (xr == 0.0 && xi == 0.0 && !is_nan(yr) && !is_nan(yi)) {
        return {0.0, 0.0};
    }
    auto [lr, li] = log_of(yr, yi);
    return product(xr, xi, lr, li);
}

// x log(1 + y), zero where x is.
RARE Pair complex_xlog1py(f64 xr, f64 xi, f64 yr, f64 yi) {
    if (xr == 0.0 && xi == 0.0 && !is_nan(yr) && !is_nan(yi)) {
        return {0.0, 0.0};
    }
    auto angle = called_atan2(yi, 1.0 + yr);
    if (elementary::size(yr) < 0.5 && elementary::size(yi) < 0.5) {
        return product(xr, xi, 0.5 * called_log1p(fused(yr, 2.0 + yr, yi * yi)), angle);
    }
    auto [lr, _li] = log_of(1.0 + yr, yi);
    return product(xr, xi, lr, angle);
}

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_exp1(complex<T> a) {
    auto [re, im] = elementary::special::complex_exp1((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_expi(complex<T> a) {
    auto [re, im] = elementary::special::complex_expi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_sici_si(complex<T> a) {
    auto [re, im] = elementary::special::complex_sici_si((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_sici_ci(complex<T> a) {
    auto [re, im] = elementary::special::complex_sici_ci((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_shichi_shi(complex<T> a) {
    auto [re, im] = elementary::special::complex_shichi_shi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_shichi_chi(complex<T> a) {
    auto [re, im] = elementary::special::complex_shichi_chi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_spence(complex<T> a) {
    auto [re, im] = elementary::special::complex_spence((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_fresnel_s(complex<T> a) {
    auto [re, im] = elementary::special::complex_fresnel_s((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_fresnel_c(complex<T> a) {
    auto [re, im] = elementary::special::complex_fresnel_c((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_xlogy(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_xlogy((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_xlog1py(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_xlog1py((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
