// Modified Bessel functions of complex arguments in the right half-plane, which the others are made of.
// Bessel, Hankel and Airy functions of complex arguments, of real order. Numbers are pairs of parts.
// Airy's functions of complex arguments.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: complex_bessel_ik.rs, complex_bessel.rs, complex_airy.rs.

namespace elementary {
namespace special {

namespace tables_of_complex_bessel_ik {
COEFFICIENTS f64 TEMME_ODD[] = {
    -0.57132004225899037, 0.0065269233318663581, 0.00061736248204395566, -1.3883243452475953e-5,
    5.5556642373162415e-8, 5.8847676010620394e-10, -4.340604057908134e-12, -2.3553910276069107e-15,
    6.9865167787225419e-17
};
COEFFICIENTS f64 TEMME_EVEN[] = {
    0.92059833338784857, -0.076837924423115731, 0.002544119279202914, -1.9891793092047592e-5, -2.6500078635143889e-7,
    3.8771206331483625e-9, -5.4482184768482809e-12, -9.5639469217081611e-14, 3.0497562210380334e-16
};
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 TINY = 1e-300;
}

namespace tables_of_complex_bessel {
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 TWO_OVER_PI = 0.6366197723675814;
}

RARE Pair sqrt_of(f64 re, f64 im);
RARE Pair complex_bessel_series(f64 v, f64 re, f64 im);
RARE Pair complex_i_series(f64 v, f64 re, f64 im);
RARE Quadruple complex_hankel_sums(f64 v, f64 re, f64 im);
RARE Quadruple complex_k_near(f64 mu, f64 re, f64 im);
RARE Quadruple complex_k_far(f64 mu, f64 re, f64 im);
RARE Quadruple complex_large_ik(f64 v, f64 re, f64 im);
RARE Quadruple complex_k_pair(f64 v, f64 re, f64 im);
RARE Pair complex_k(f64 v, f64 re, f64 im);
RARE Quadruple complex_ik(f64 v, f64 re, f64 im);
inline Pair reciprocal_of(f64 x);
inline Pair turned(f64 t, f64 re, f64 im);
inline Pair rotated(f64 t, f64 re, f64 im);
RARE Quadruple complex_jh(f64 v, f64 re, f64 im);
RARE Quadruple complex_jy(f64 v, f64 re, f64 im);
RARE Quadruple complex_jy_any(f64 v, f64 re, f64 im);
inline bool bessel_refuses(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_jve(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_yve(f64 order, f64 order_im, f64 re, f64 im);
inline Pair grown(f64 re, f64 im, f64 x);
inline Pair complex_jv(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_yv(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_ive(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_ive_right(f64 order, f64 re, f64 im);
inline Pair complex_iv(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_kve(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_kv(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_hankel_side(f64 order, f64 order_im, f64 re, f64 im, bool below);
inline bool hankel_is_real(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair hankel_of_real(f64 order, f64 x);
RARE Pair complex_hankel1e(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_hankel2e(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_hankel1(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_hankel2(f64 order, f64 order_im, f64 re, f64 im);
RARE Pair complex_hyp0f1(f64 v, f64 v_im, f64 re, f64 im);
inline Pair airy_place(f64 re, f64 im);
RARE Quadruple complex_airy_series(f64 re, f64 im, f64 a, f64 b);
inline Pair complex_airy_near(f64 re, f64 im, bool slope);
inline Pair complex_airy_second_near(f64 re, f64 im, bool slope);
RARE Pair complex_airy_right(f64 re, f64 im, bool slope);
RARE Quadruple complex_both(f64 v, f64 re, f64 im);
RARE Quadruple complex_airy_left(f64 re, f64 im, bool slope);
RARE Pair complex_second_sum(f64 v, f64 re, f64 im);
RARE Pair complex_airy(f64 re, f64 im, bool slope);
RARE Pair complex_airy_second(f64 re, f64 im, bool slope);
RARE Pair complex_airy_ai(f64 re, f64 im);
RARE Pair complex_airy_aip(f64 re, f64 im);
RARE Pair complex_airy_bi(f64 re, f64 im);
RARE Pair complex_airy_bip(f64 re, f64 im);

// The square root with a real part from zero on.
RARE Pair sqrt_of(f64 re, f64 im) {
    auto size = called_hypot(re, im);
    if (size == 0.0) {
        return {0.0, im};
    }
    auto half = elementary::root(0.5 * (size + elementary::size(re)));
    if (size < 1e-290) {
        // 2^600, and 2^-300 of its root.
        auto power = 4.149515568880993e180;
        half = 4.909093465297727e-91 * elementary::root(0.5 * (called_hypot(re * power, im * power) + elementary::size(re) * power));
    }
    auto other = 0.5 * im / half;
    if (re >= 0.0) {
        return {half, other};
    }
    return {elementary::size(other), with_sign(half, im)};
}

// The sum of (z^2/4)^k / (k! (v + 1) ... (v + k)).
RARE Pair complex_bessel_series(f64 v, f64 re, f64 im) {
    auto [sr, si] = product(0.5 * re, 0.5 * im, 0.5 * re, 0.5 * im);
    auto tr = 1.0;
    auto ti = 0.0;
    auto ur = 1.0;
    auto ui = 0.0;
    auto k = 1.0;
    while (k < 500.0) {
        auto scale = 1.0 / (k * (v + k));
        auto [nr, ni] = product(tr, ti, sr * scale, si * scale);
        tr = nr;
        ti = ni;
        ur += tr;
        ui += ti;
        if (elementary::size(tr) + elementary::size(ti) < 1e-17 * (elementary::size(ur) + elementary::size(ui))) {
            break;
        }
        k += 1.0;
    }
    return {ur, ui};
}

// exp(-z) I of order v from zero on by its power series.
RARE Pair complex_i_series(f64 v, f64 re, f64 im) {
    auto [sr, si] = complex_bessel_series(v, re, im);
    auto [lr, li] = log_of(0.5 * re, 0.5 * im);
    if (v < 100.0) {
        // The power by itself: its logarithm would cost digits.
        auto size = called_pow(called_hypot(0.5 * re, 0.5 * im), v) * rgamma(v + 1.0) * called_exp(-re);
        auto angle = v * li - im;
        return product(size * called_cos(angle), size * called_sin(angle), sr, si);
    }
    auto [er, ei] = exp_of(v * lr - lgamma_positive(v + 1.0) - re, v * li - im);
    return product(er, ei, sr, si);
}

// The sums of Hankel's expansion with all signs positive and with alternating ones.
RARE Quadruple complex_hankel_sums(f64 v, f64 re, f64 im) {
    auto [ir, ii] = quotient_of(1.0, 0.0, re, im);
    auto mu = 4.0 * v * v;
    auto tr = 1.0;
    auto ti = 0.0;
    auto pr = 1.0;
    auto pi = 0.0;
    auto mr = 1.0;
    auto mi = 0.0;
    auto sign = 1.0;
    auto k = 1.0;
    while (k < 200.0) {
        auto odd = 2.0 * k - 1.0;
        auto factor = (mu - odd * odd) / (8.0 * k);
        auto [nr, ni] = product(tr, ti, factor * ir, factor * ii);
        if (elementary::size(nr) + elementary::size(ni) > elementary::size(tr) + elementary::size(ti) && odd > 2.0 * v) {
            break;
        }
        tr = nr;
        ti = ni;
        sign = -sign;
        pr += tr;
        pi += ti;
        mr += sign * tr;
        mi += sign * ti;
        if (elementary::size(tr) + elementary::size(ti) < 1e-17) {
            break;
        }
        k += 1.0;
    }
    return {pr, pi, mr, mi};
}

// K of orders mu and mu + 1, mu between -1/2 and 1/2, at a small z: by Temme's series, times exp(z).
RARE Quadruple complex_k_near(f64 mu, f64 re, f64 im) {
    auto angle = tables_of_complex_bessel_ik::PI * mu;
    auto fact = (elementary::size(angle) < 1e-15 ? 1.0 : angle / called_sin(angle));
    auto [lr, li] = log_of(0.5 * re, 0.5 * im);
    // e = mu log(2/z); cosh(e) and sinh(e)/e.
    auto er = -mu * lr;
    auto ei = -mu * li;
    auto cr = called_cosh(er) * called_cos(ei);
    auto ci = called_sinh(er) * called_sin(ei);
    auto sr = 1.0;
    auto si = 0.0;
    if (elementary::size(er) + elementary::size(ei) > 1e-8) {
        auto [qr, qi] = quotient_of(called_sinh(er) * called_cos(ei), called_cosh(er) * called_sin(ei), er, ei);
        sr = qr;
        si = qi;
    }
    auto place = 8.0 * mu * mu - 1.0;
    auto odd = power_series(place, tables_of_complex_bessel_ik::TEMME_ODD);
    auto even = power_series(place, tables_of_complex_bessel_ik::TEMME_EVEN);
    auto plus = even - mu * odd;
    auto minus = even + mu * odd;
    auto [gr, gi] = product(sr, si, -lr, -li);
    auto fr = fact * (odd * cr + even * gr);
    auto fi = fact * (odd * ci + even * gi);
    auto [xr, xi] = exp_of(er, ei);
    auto [yr, yi] = exp_of(-er, -ei);
    auto pr = 0.5 * xr / plus;
    auto pi = 0.5 * xi / plus;
    auto qr = 0.5 * yr / minus;
    auto qi = 0.5 * yi / minus;
    auto tr = 1.0;
    auto ti = 0.0;
    auto [dr, di] = product(0.5 * re, 0.5 * im, 0.5 * re, 0.5 * im);
    auto ar = fr;
    auto ai = fi;
    auto br = pr;
    auto bi = pi;
    auto k = 1.0;
    while (k < 500.0) {
        auto below = 1.0 / (k * k - mu * mu);
        fr = (k * fr + pr + qr) * below;
        fi = (k * fi + pi + qi) * below;
        auto [nr, ni] = product(tr, ti, dr / k, di / k);
        tr = nr;
        ti = ni;
        pr /= k - mu;
        pi /= k - mu;
        qr /= k + mu;
        qi /= k + mu;
        auto [ur, ui] = product(tr, ti, fr, fi);
        ar += ur;
        ai += ui;
        auto [vr, vi] = product(tr, ti, pr - k * fr, pi - k * fi);
        br += vr;
        bi += vi;
        if (elementary::size(ur) + elementary::size(ui) < 1e-17 * (elementary::size(ar) + elementary::size(ai))) {
            break;
        }
        k += 1.0;
    }
    auto [zr, zi] = exp_of(re, im);
    auto [kr, ki] = product(ar, ai, zr, zi);
    auto [wr, wi] = quotient_of(2.0 * zr, 2.0 * zi, re, im);
    auto [nr, ni] = product(br, bi, wr, wi);
    return {kr, ki, nr, ni};
}

// The same at a z of at least 2 in size, to the right of the imaginary axis, by Steed's fraction.
RARE Quadruple complex_k_far(f64 mu, f64 re, f64 im) {
    auto br = 2.0 * (1.0 + re);
    auto bi = 2.0 * im;
    auto [first, second] = quotient_of(1.0, 0.0, br, bi);
    auto dr = first;
    auto di = second;
    auto hr = dr;
    auto hi = di;
    auto er = dr;
    auto ei = di;
    auto q1r = 0.0;
    auto q1i = 0.0;
    auto q2r = 1.0;
    auto q2i = 0.0;
    auto a1 = 0.25 - mu * mu;
    auto qr = a1;
    auto qi = 0.0;
    auto c = a1;
    auto a = -a1;
    auto sr = 1.0 + a1 * er;
    auto si = a1 * ei;
    auto k = 2.0;
    while (k < 5000.0) {
        a -= 2.0 * (k - 1.0);
        c = -a * c / k;
        auto [xr, xi] = product(br, bi, q2r, q2i);
        auto nr = (q1r - xr) / a;
        auto ni = (q1i - xi) / a;
        q1r = q2r;
        q1i = q2i;
        q2r = nr;
        q2i = ni;
        qr += c * nr;
        qi += c * ni;
        br += 2.0;
        auto [ur, ui] = quotient_of(1.0, 0.0, br + a * dr, bi + a * di);
        dr = ur;
        di = ui;
        auto [vr, vi] = product(br, bi, dr, di);
        auto [wr, wi] = product(vr - 1.0, vi, er, ei);
        er = wr;
        ei = wi;
        hr += er;
        hi += ei;
        auto [yr, yi] = product(qr, qi, er, ei);
        sr += yr;
        si += yi;
        if (elementary::size(yr) + elementary::size(yi) < 1e-17 * (elementary::size(sr) + elementary::size(si))) {
            break;
        }
        k += 1.0;
    }
    auto [ir, ii] = quotient_of(1.0, 0.0, re, im);
    auto [rr, ri] = sqrt_of(1.5707963267948966 * ir, 1.5707963267948966 * ii);
    auto [kr, ki] = quotient_of(rr, ri, sr, si);
    auto [tr, ti] = product(mu + re + 0.5 - a1 * hr, im - a1 * hi, ir, ii);
    auto [nr, ni] = product(kr, ki, tr, ti);
    return {kr, ki, nr, ni};
}

// exp(-z) I and exp(z) K of a large order v, z from the imaginary axis to the right: Debye's expansions.
RARE Quadruple complex_large_ik(f64 v, f64 re, f64 im) {
    auto x = re / v;
    auto y = im / v;
    // t is the root of 1 + (z/v)^2, e = t + log(z/v / (1 + t)).
    auto [tr, ti] = sqrt_of(1.0 + (x - y) * (x + y), with_sign(2.0 * x * elementary::size(y), y));
    auto size = called_hypot(tr, ti);
    if (!(v * size * size * size > 300.0)) {
        // Too near v i or -v i.
        return {not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>()};
    }
    auto [lr, li] = log_of(x, y);
    auto [mr, mi] = log_of(1.0 + tr, ti);
    auto er = v * (tr + lr - mr);
    auto angle = ti + li - mi;
    auto ei = v * angle;
    // The sums of U_k(p) / v^k, p = 1/t.
    auto [pr, pi] = quotient_of(1.0, 0.0, tr, ti);
    auto [sr, si] = product(pr, pi, pr, pi);
    auto [qr, qi] = quotient_of(1.0, 0.0, v * tr, v * ti);
    auto ur = (3.0 - 5.0 * sr) / 24.0;
    auto ui = -5.0 * si / 24.0;
    auto [ar, ai] = product(sr, si, 385.0 * sr - 462.0, 385.0 * si);
    auto [br, bi] = product(sr, si, 765765.0 - 425425.0 * sr, -425425.0 * si);
    auto [cr, ci] = product(sr, si, br - 369603.0, bi);
    auto [first, first_im] = product(ur, ui, qr, qi);
    auto [q2r, q2i] = product(qr, qi, qr, qi);
    auto [second, second_im] = product((81.0 + ar) / 1152.0, ai / 1152.0, q2r, q2i);
    auto [q3r, q3i] = product(q2r, q2i, qr, qi);
    auto [third, third_im] = product((30375.0 + cr) / 414720.0, ci / 414720.0, q3r, q3i);
    auto [rr, ri] = sqrt_of(qr, qi);
    auto [wr, wi] = product(rr, ri, 1.0 - (first - (second - third)), -(first_im - (second_im - third_im)));
    auto [gr, gi] = product(rr, ri, 1.0 + (first + (second + third)), first_im + (second_im + third_im));
    auto [kr, ki] = rotated(im - ei, 1.2533141373155003 * wr, 1.2533141373155003 * wi);
    auto [jr, ji] = rotated(ei - im, 0.3989422804014327 * gr, 0.3989422804014327 * gi);
    auto [hr, hi] = grown(kr, ki, re - er);
    auto [ir, ii] = grown(jr, ji, er - re);
    if (elementary::size(angle) > 1.5707963267958 && er > -1e-14 * v) {
        // Beyond the turning points the part that decays counts: exp(+-i pi (v + 1/2)) K / pi.
        auto side = (im >= 0.0 ? 1.0 : -1.0);
        auto [dr, di] = rotated(-ei - im, 0.3989422804014327 * wr, 0.3989422804014327 * wi);
        auto [fr, fi] = grown(dr, di, -er - re);
        auto [xr, xi] = turned(side * (v + 0.5), fr, fi);
        return {ir + xr, ii + xi, hr, hi};
    }
    return {ir, ii, hr, hi};
}

// exp(z) K of orders v and v + 1, v from zero on, z from the imaginary axis to the right, not zero; infinite where it is too
// large for a double.
RARE Quadruple complex_k_pair(f64 v, f64 re, f64 im) {
    auto size = called_hypot(re, im);
    auto down = floor_of(v + 0.5);
    auto mu = v - down;
    auto kr = 0.0;
    auto ki = 0.0;
    auto nr = 0.0;
    auto ni = 0.0;
    if (size < 2.0) {
        auto [first, second, third, fourth] = complex_k_near(mu, re, im);
        kr = first;
        ki = second;
        nr = third;
        ni = fourth;
    } else {
        auto [first, second, third, fourth] = complex_k_far(mu, re, im);
        kr = first;
        ki = second;
        nr = third;
        ni = fourth;
    }
    auto [ir, ii] = quotient_of(2.0, 0.0, re, im);
    auto order = mu;
    auto n = 0.0;
    while (n < down) {
        order += 1.0;
        auto [tr, ti] = product(order * ir, order * ii, nr, ni);
        auto ar = tr + kr;
        auto ai = ti + ki;
        kr = nr;
        ki = ni;
        nr = ar;
        ni = ai;
        n += 1.0;
        if (!(elementary::size(nr) + elementary::size(ni) < 1e305)) {
            break;
        }
    }
    if (n < down) {
        // K is too large for a double.
        kr = (nr < 0.0 ? -infinity<f64>() : infinity<f64>());
        ki = (ni < 0.0 ? -infinity<f64>() : infinity<f64>());
    }
    return {kr, ki, nr, ni};
}

// exp(z) K of order v.
RARE Pair complex_k(f64 v, f64 re, f64 im) {
    auto size = called_hypot(re, im);
    if ((size > 25.0 && size > 0.5 * v * v) || size + v > 1e5) {
        auto [_ir, _ii, kr, ki] = complex_ik(v, re, im);
        return {kr, ki};
    }
    auto [kr, ki, _nr, _ni] = complex_k_pair(v, re, im);
    return {kr, ki};
}

// exp(-z) I and exp(z) K of order v from zero on, z from the imaginary axis to the right, not zero.
RARE Quadruple complex_ik(f64 v, f64 re, f64 im) {
    auto size = called_hypot(re, im);
    if (size > 25.0 && size > 0.5 * v * v) {
        auto [pr, pi, mr, mi] = complex_hankel_sums(v, re, im);
        auto [ir, ii] = quotient_of(1.0, 0.0, re, im);
        auto [rr, ri] = sqrt_of(1.5707963267948966 * ir, 1.5707963267948966 * ii);
        auto [kr, ki] = product(rr, ri, pr, pi);
        auto [ar, ai] = product(rr / tables_of_complex_bessel_ik::PI, ri / tables_of_complex_bessel_ik::PI, mr, mi);
        // The part that decays counts near the imaginary axis: exp(-2 z) exp(+-i pi (v + 1/2)).
        auto side = (im >= 0.0 ? 1.0 : -1.0);
        auto decay = called_exp(-2.0 * re);
        auto c = called_cos(2.0 * im);
        auto s = -called_sin(2.0 * im);
        auto turn_c = cospi(v + 0.5);
        auto turn_s = side * sinpi(v + 0.5);
        auto [er, ei] = product(c, s, turn_c, turn_s);
        auto [br, bi] = product(decay * er, decay * ei, kr / tables_of_complex_bessel_ik::PI, ki / tables_of_complex_bessel_ik::PI);
        return {ar + br, ai + bi, kr, ki};
    }
    if (size + v > 1e5) {
        return complex_large_ik(v, re, im);
    }
    auto [kr, ki, nr, ni] = complex_k_pair(v, re, im);
    auto [ir, ii] = quotient_of(2.0, 0.0, re, im);
    if (0.25 * size * size < v + 1.0 || elementary::size(kr) == infinity<f64>()) {
        auto [ar, ai] = complex_i_series(v, re, im);
        return {ar, ai, kr, ki};
    }
    // I of order v + 1 over that of order v, by its fraction; the Wronskian gives I.
    auto fr = tables_of_complex_bessel_ik::TINY;
    auto fi = 0.0;
    auto cr = tables_of_complex_bessel_ik::TINY;
    auto ci = 0.0;
    auto dr = 0.0;
    auto di = 0.0;
    auto k = 1.0;
    while (k < 400000.0) {
        auto br = (v + k) * ir;
        auto bi = (v + k) * ii;
        auto xr = br + dr;
        if (elementary::size(xr) + elementary::size(bi + di) < tables_of_complex_bessel_ik::TINY) {
            xr = tables_of_complex_bessel_ik::TINY;
        }
        auto [ur, ui] = quotient_of(1.0, 0.0, xr, bi + di);
        dr = ur;
        di = ui;
        auto [yr, yi] = (k == 1.0 ? reciprocal_of(tables_of_complex_bessel_ik::TINY) : quotient_of(1.0, 0.0, cr, ci));
        cr = br + yr;
        ci = bi + yi;
        if (elementary::size(cr) + elementary::size(ci) < tables_of_complex_bessel_ik::TINY) {
            cr = tables_of_complex_bessel_ik::TINY;
        }
        auto [wr, wi] = product(cr, ci, dr, di);
        auto [gr, gi] = product(fr, fi, wr, wi);
        fr = gr;
        fi = gi;
        if (elementary::size(wr - 1.0) + elementary::size(wi) < 1e-16) {
            break;
        }
        k += 1.0;
    }
    auto [tr, ti] = product(fr, fi, kr, ki);
    auto [xr, xi] = product(nr + tr, ni + ti, re, im);
    auto [ar, ai] = quotient_of(1.0, 0.0, xr, xi);
    return {ar, ai, kr, ki};
}

// One over a real number, as a pair.
inline Pair reciprocal_of(f64 x) {
    return {1.0 / x, 0.0};
}

// exp(i pi t) times a number.
inline Pair turned(f64 t, f64 re, f64 im) {
    auto c = cospi(t);
    auto s = sinpi(t);
    return {c * re - s * im, c * im + s * re};
}

// exp(i t) times a number.
inline Pair rotated(f64 t, f64 re, f64 im) {
    auto c = called_cos(t);
    auto s = called_sin(t);
    return {c * re - s * im, c * im + s * re};
}

// J and the first Hankel function of order v from zero on at a z from the real axis up, times exp(i z) and exp(-i z).
RARE Quadruple complex_jh(f64 v, f64 re, f64 im) {
    // With w = -i z: J(z) = exp(i pi v/2) I(w), H(z) = 2/(pi i) exp(-i pi v/2) K(w).
    auto [ir, ii, kr, ki] = complex_ik(v, im, -re);
    auto [jr, ji] = turned(0.5 * v, ir, ii);
    auto [hr, hi] = turned(-0.5 * v, kr, ki);
    return {jr, ji, tables_of_complex_bessel::TWO_OVER_PI * hi, -tables_of_complex_bessel::TWO_OVER_PI * hr};
}

// J and Y of order v from zero on, z from the real axis up, both times exp(-im).
RARE Quadruple complex_jy(f64 v, f64 re, f64 im) {
    auto [ar, ai, br, bi] = complex_jh(v, re, im);
    // exp(-i z) is exp(im) and a rotation.
    auto [jr, ji] = rotated(-re, ar, ai);
    auto [cr, ci] = rotated(re, br, bi);
    auto decay = called_exp(-2.0 * im);
    // Y = -i (H - J).
    auto yr = decay * ci - ji;
    auto yi = jr - decay * cr;
    if (elementary::size(br) + elementary::size(bi) == infinity<f64>()) {
        return {jr, ji, -infinity<f64>(), 0.0};
    }
    return {jr, ji, yr, yi};
}

// Both of any order in that half plane, with the same factor.
RARE Quadruple complex_jy_any(f64 v, f64 re, f64 im) {
    if (v >= 0.0) {
        return complex_jy(v, re, im);
    }
    auto [jr, ji, yr, yi] = complex_jy(-v, re, im);
    auto c = cospi(v);
    auto s = sinpi(v);
    if (s == 0.0) {
        return {c * jr, c * ji, c * yr, c * yi};
    }
    if (c == 0.0) {
        return {s * yr, s * yi, -s * jr, -s * ji};
    }
    return {c * jr + s * yr, c * ji + s * yi, c * yr - s * jr, c * yi - s * ji};
}

// Whether an order and an argument have a value: a real order, no NaN.
inline bool bessel_refuses(f64 order, f64 order_im, f64 re, f64 im) {
    return is_nan(order) || order_im != 0.0 || is_nan(re) || is_nan(im) || elementary::size(order) == infinity<f64>();
}

// J times exp(-|im|).
RARE Pair complex_jve(f64 order, f64 order_im, f64 re, f64 im) {
    if (bessel_refuses(order, order_im, re, im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {jv(order, 0.0), 0.0};
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (im == 0.0 && re > 0.0) {
        return {jv(order, re), 0.0};
    }
    if (im < 0.0) {
        auto [jr, ji, _yr, _yi] = complex_jy_any(order, re, -im);
        return {jr, -ji};
    }
    auto [jr, ji, _yr, _yi] = complex_jy_any(order, re, im);
    return {jr, ji};
}

// Y times exp(-|im|).
RARE Pair complex_yve(f64 order, f64 order_im, f64 re, f64 im) {
    if (bessel_refuses(order, order_im, re, im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (im == 0.0 && re > 0.0) {
        return {yv(order, re), 0.0};
    }
    if (im < 0.0) {
        auto [_jr, _ji, yr, yi] = complex_jy_any(order, re, -im);
        return {yr, -yi};
    }
    auto [_jr, _ji, yr, yi] = complex_jy_any(order, re, im);
    return {yr, yi};
}

// A number times exp(x), by halves where that is large.
inline Pair grown(f64 re, f64 im, f64 x) {
    auto half = called_exp(0.5 * x);
    return {(re == 0.0 ? re : re * half * half), (im == 0.0 ? im : im * half * half)};
}

// The Bessel function of the first kind.
inline Pair complex_jv(f64 order, f64 order_im, f64 re, f64 im) {
    auto [jr, ji] = complex_jve(order, order_im, re, im);
    return grown(jr, ji, elementary::size(im));
}

// The Bessel function of the second kind.
RARE Pair complex_yv(f64 order, f64 order_im, f64 re, f64 im) {
    if (re == 0.0 && im == 0.0 && order_im == 0.0) {
        return {yv(order, 0.0), 0.0};
    }
    auto [yr, yi] = complex_yve(order, order_im, re, im);
    return grown(yr, yi, elementary::size(im));
}

// I times exp(-|re|).
RARE Pair complex_ive(f64 order, f64 order_im, f64 re, f64 im) {
    if (bessel_refuses(order, order_im, re, im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {ive(order, 0.0), 0.0};
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (im == 0.0 && re > 0.0) {
        return {ive(order, re), 0.0};
    }
    if (re < 0.0) {
        // I(-w) = exp(+-i pi v) I(w).
        auto [ar, ai] = complex_ive_right(order, -re, -im);
        return turned((im >= 0.0 ? order : -order), ar, ai);
    }
    return complex_ive_right(order, re, im);
}

// The same from the imaginary axis to the right.
RARE Pair complex_ive_right(f64 order, f64 re, f64 im) {
    auto [ir, ii, kr, ki] = complex_ik(elementary::size(order), re, im);
    auto [ar, ai] = rotated(im, ir, ii);
    auto s = sinpi(order);
    if (order >= 0.0 || s == 0.0) {
        return {ar, ai};
    }
    // I of order -v is I + 2/pi sin(pi v) K.
    auto scale = -tables_of_complex_bessel::TWO_OVER_PI * s * called_exp(-2.0 * re);
    auto [br, bi] = rotated(-im, kr, ki);
    return {ar + scale * br, ai + scale * bi};
}

// The modified Bessel function of the first kind.
inline Pair complex_iv(f64 order, f64 order_im, f64 re, f64 im) {
    auto [ir, ii] = complex_ive(order, order_im, re, im);
    return grown(ir, ii, elementary::size(re));
}

// K times exp(z).
RARE Pair complex_kve(f64 order, f64 order_im, f64 re, f64 im) {
    if (bessel_refuses(order, order_im, re, im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return (re == infinity<f64>() && im == 0.0 ? reciprocal_of(re) : reciprocal_of(not_a_number<f64>()));
    }
    auto v = elementary::size(order);
    if (im == 0.0 && re > 0.0) {
        return {kve(v, re), 0.0};
    }
    if (re >= 0.0) {
        return complex_k(v, re, im);
    }
    // K(-w) = exp(-+i pi v) K(w) -+ i pi I(w); scaled by exp(z) = exp(-w).
    auto [ir, ii, kr, ki] = complex_ik(v, -re, -im);
    auto side = (im >= 0.0 ? 1.0 : -1.0);
    auto [ar, ai] = turned(-side * v, kr, ki);
    auto decay = called_exp(2.0 * re);
    auto [br, bi] = rotated(2.0 * im, decay * ar, decay * ai);
    return {br + side * tables_of_complex_bessel::PI * ii, bi - side * tables_of_complex_bessel::PI * ir};
}

// The modified Bessel function of the second kind.
RARE Pair complex_kv(f64 order, f64 order_im, f64 re, f64 im) {
    auto [kr, ki] = complex_kve(order, order_im, re, im);
    if (im == 0.0 && re > 0.0) {
        return {kv(order, re), 0.0};
    }
    auto [ar, ai] = rotated(-im, kr, ki);
    return grown(ar, ai, -re);
}

// The first Hankel function times exp(-i z), on the upper or the lower side of the plane's cut.
RARE Pair complex_hankel_side(f64 order, f64 order_im, f64 re, f64 im, bool below) {
    if (bessel_refuses(order, order_im, re, im) || elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    if (re == 0.0 && im == 0.0) {
        return {not_a_number<f64>(), infinity<f64>()};
    }
    // H of order -v is exp(i pi v) H.
    auto turn = (order < 0.0 ? -order : 0.0);
    auto v = elementary::size(order);
    if (!below) {
        // 2/(pi i) exp(-i pi v/2) K(-i z).
        auto [kr, ki] = complex_k(v, im, -re);
        auto [hr, hi] = turned(turn - 0.5 * v, kr, ki);
        return {tables_of_complex_bessel::TWO_OVER_PI * hi, -tables_of_complex_bessel::TWO_OVER_PI * hr};
    }
    // Below the real axis: twice J less the second Hankel function, which decays there.
    auto [jr, ji, hr, hi] = complex_jh(v, re, -im);
    auto [ar, ai] = rotated(-2.0 * re, hr, -hi);
    auto decay = called_exp(2.0 * im);
    return turned(turn, 2.0 * jr - decay * ar, -2.0 * ji - decay * ai);
}

// Whether Hankel functions are made of J and Y at a real argument: where their own expansion does not serve.
inline bool hankel_is_real(f64 order, f64 order_im, f64 re, f64 im) {
    auto v = elementary::size(order);
    auto is_served = re > 25.0 && re > 0.5 * v * v;
    return im == 0.0 && order_im == 0.0 && re > 0.0 && (v + re < 1e5 || re < 10.0 * v) && !is_served;
}

// The first Hankel function there.
RARE Pair hankel_of_real(f64 order, f64 x) {
    auto v = elementary::size(order);
    auto j = 0.0;
    auto y = 0.0;
    if (0.25 * x * x < v + 1.0 || floor_of(v) == v) {
        j = jv_positive(v, x);
        y = yv_positive(v, x);
    } else {
        auto [first, second] = bessel_jy(v, x);
        j = first;
        y = second;
    }
    if (order >= 0.0) {
        return {j, y};
    }
    // H of order -v is exp(i pi v) H.
    return turned(v, j, y);
}

// The first Hankel function times exp(-i z).
RARE Pair complex_hankel1e(f64 order, f64 order_im, f64 re, f64 im) {
    if (hankel_is_real(order, order_im, re, im)) {
        auto [hr, hi] = hankel_of_real(order, re);
        return rotated(-re, hr, hi);
    }
    return complex_hankel_side(order, order_im, re, im, im < 0.0);
}

// The second Hankel function times exp(i z).
RARE Pair complex_hankel2e(f64 order, f64 order_im, f64 re, f64 im) {
    if (hankel_is_real(order, order_im, re, im)) {
        auto [hr, hi] = hankel_of_real(order, re);
        return rotated(re, hr, -hi);
    }
    // Negative numbers have the angle pi, so what they are the mirror images of lies below the cut.
    auto [hr, hi] = complex_hankel_side(order, order_im, re, -im, im > 0.0 || (im == 0.0 && re < 0.0));
    return {hr, -hi};
}

// The first Hankel function.
RARE Pair complex_hankel1(f64 order, f64 order_im, f64 re, f64 im) {
    if (hankel_is_real(order, order_im, re, im)) {
        return hankel_of_real(order, re);
    }
    auto [hr, hi] = complex_hankel1e(order, order_im, re, im);
    auto [ar, ai] = rotated(re, hr, hi);
    return grown(ar, ai, -im);
}

// The second Hankel function.
RARE Pair complex_hankel2(f64 order, f64 order_im, f64 re, f64 im) {
    if (hankel_is_real(order, order_im, re, im)) {
        auto [hr, hi] = hankel_of_real(order, re);
        return {hr, -hi};
    }
    auto [hr, hi] = complex_hankel2e(order, order_im, re, im);
    auto [ar, ai] = rotated(-re, hr, hi);
    return grown(ar, ai, im);
}

// The confluent limit function 0F1 of a real parameter.
RARE Pair complex_hyp0f1(f64 v, f64 v_im, f64 re, f64 im) {
    if (is_nan(v) || v_im != 0.0 || is_nan(re) || is_nan(im) || (v <= 0.0 && floor_of(v) == v)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    auto size = called_hypot(re, im);
    // The gamma function of a parameter below -160 is too small for a double.
    if (size < 1.0 || size < 0.5 * v || (v < -160.0 && size < -v)) {
        auto tr = 1.0;
        auto ti = 0.0;
        auto sr = 1.0;
        auto si = 0.0;
        auto k = 0.0;
        while (k < 500.0) {
            auto scale = 1.0 / ((v + k) * (k + 1.0));
            auto [nr, ni] = product(tr, ti, re * scale, im * scale);
            tr = nr;
            ti = ni;
            sr += tr;
            si += ti;
            k += 1.0;
            if (elementary::size(tr) + elementary::size(ti) < 1e-17 * (elementary::size(sr) + elementary::size(si)) && (k > -v || v < -160.0)) {
                break;
            }
        }
        return {sr, si};
    }
    // gamma(v) r^(1 - v) I(2 r), r the root.
    auto [rr, ri] = sqrt_of(re, im);
    auto [ar, ai] = complex_iv(v - 1.0, 0.0, 2.0 * rr, 2.0 * ri);
    auto scale = gamma(v) * called_pow(elementary::root(size), 1.0 - v);
    return rotated((1.0 - v) * called_atan2(ri, rr), scale * ar, scale * ai);
}

// 2/3 z^(3/2), on the principal branch.
inline Pair airy_place(f64 re, f64 im) {
    auto [rr, ri] = sqrt_of(re, im);
    auto [pr, pi] = product(re, im, rr, ri);
    return {0.6666666666666666 * pr, 0.6666666666666666 * pi};
}

// a f + b g and its derivative near zero, f and g the series that Ai and Bi are made of.
RARE Quadruple complex_airy_series(f64 re, f64 im, f64 a, f64 b) {
    auto [sr, si] = product(re, im, re, im);
    auto [cr, ci] = product(sr, si, re, im);
    auto fr = 1.0;
    auto fi = 0.0;
    auto gr = re;
    auto gi = im;
    auto dfr = 0.0;
    auto dfi = 0.0;
    auto dgr = 1.0;
    auto dgi = 0.0;
    auto tr = 1.0;
    auto ti = 0.0;
    auto ur = re;
    auto ui = im;
    auto k = 1.0;
    while (k < 40.0) {
        auto n = 3.0 * k;
        auto [ar, ai] = product(tr, ti, sr / (n - 1.0), si / (n - 1.0));
        auto [br, bi] = product(ur, ui, sr / n, si / n);
        dfr += ar;
        dfi += ai;
        dgr += br;
        dgi += bi;
        auto [xr, xi] = product(tr, ti, cr / (n * (n - 1.0)), ci / (n * (n - 1.0)));
        auto [yr, yi] = product(ur, ui, cr / (n * (n + 1.0)), ci / (n * (n + 1.0)));
        tr = xr;
        ti = xi;
        ur = yr;
        ui = yi;
        fr += tr;
        fi += ti;
        gr += ur;
        gi += ui;
        if (elementary::size(tr) + elementary::size(ti) + elementary::size(br) + elementary::size(bi) < 1e-18) {
            break;
        }
        k += 1.0;
    }
    return {a * fr + b * gr, a * fi + b * gi, a * dfr + b * dgr, a * dfi + b * dgi};
}

// Ai near zero, or with a slope its derivative.
inline Pair complex_airy_near(f64 re, f64 im, bool slope) {
    auto [ar, ai, dr, di] = complex_airy_series(re, im, 0.3550280538878172, -0.2588194037928068);
    return {(slope ? dr : ar), (slope ? di : ai)};
}

// The same of Bi.
inline Pair complex_airy_second_near(f64 re, f64 im, bool slope) {
    auto [ar, ai, dr, di] = complex_airy_series(re, im, 0.6149266274460007, 0.4482883573538264);
    return {(slope ? dr : ar), (slope ? di : ai)};
}

// Ai, or with a slope its derivative, from the imaginary axis to the right, by K at 2/3 z^(3/2).
RARE Pair complex_airy_right(f64 re, f64 im, bool slope) {
    auto [zr, zi] = airy_place(re, im);
    auto [kr, ki] = complex_kve((slope ? 0.6666666666666666 : 0.3333333333333333), 0.0, zr, zi);
    auto [rr, ri] = sqrt_of(re, im);
    auto [ar, ai] = product((slope ? -re : rr), (slope ? -im : ri), kr, ki);
    auto [br, bi] = rotated(-zi, 0.18377629847393068 * ar, 0.18377629847393068 * ai);
    return grown(br, bi, -zr);
}

// J and Y of an order from zero on.
RARE Quadruple complex_both(f64 v, f64 re, f64 im) {
    auto [jr, ji, yr, yi] = complex_jy(v, re, elementary::size(im));
    auto [ar, ai] = grown(jr, ji, elementary::size(im));
    auto [br, bi] = grown(yr, yi, elementary::size(im));
    return {ar, (im < 0.0 ? -ai : ai), br, (im < 0.0 ? -bi : bi)};
}

// Ai and Bi to the left of the imaginary axis, or with a slope their derivatives, by J and Y at 2/3 (-z)^(3/2).
RARE Quadruple complex_airy_left(f64 re, f64 im, bool slope) {
    auto [zr, zi] = airy_place(-re, -im);
    auto [jr, ji, yr, yi] = complex_both((slope ? 0.6666666666666666 : 0.3333333333333333), zr, zi);
    if (slope) {
        auto [ar, ai] = product(-0.5 * re, -0.5 * im, jr + yr * 0.5773502691896258, ji + yi * 0.5773502691896258);
        auto [br, bi] = product(-0.5 * re, -0.5 * im, jr * 0.5773502691896258 - yr, ji * 0.5773502691896258 - yi);
        return {ar, ai, br, bi};
    }
    auto [rr, ri] = sqrt_of(-re, -im);
    auto [ar, ai] = product(0.5 * rr, 0.5 * ri, jr - yr * 0.5773502691896258, ji - yi * 0.5773502691896258);
    auto [br, bi] = product(-0.5 * rr, -0.5 * ri, jr * 0.5773502691896258 + yr, ji * 0.5773502691896258 + yi);
    return {ar, ai, br, bi};
}

// 2 I + sqrt(3)/pi K of an order from zero on.
RARE Pair complex_second_sum(f64 v, f64 re, f64 im) {
    auto small = 0.5513288954217921;
    if (re < 0.0) {
        auto [ir, ii] = complex_iv(v, 0.0, re, im);
        auto [kr, ki] = complex_kv(v, 0.0, re, im);
        return {2.0 * ir + small * kr, 2.0 * ii + small * ki};
    }
    auto [ar, ai, br, bi] = complex_ik(v, re, im);
    auto [cr, ci] = rotated(im, 2.0 * ar, 2.0 * ai);
    auto [ir, ii] = grown(cr, ci, re);
    auto [dr, di] = rotated(-im, small * br, small * bi);
    auto [kr, ki] = grown(dr, di, -re);
    return {ir + kr, ii + ki};
}

// Ai, or with a slope its derivative.
RARE Pair complex_airy(f64 re, f64 im, bool slope) {
    if (called_hypot(re, im) < 1.0) {
        return complex_airy_near(re, im, slope);
    }
    if (re >= 0.0) {
        return complex_airy_right(re, im, slope);
    }
    auto [ar, ai, _br, _bi] = complex_airy_left(re, im, slope);
    return {ar, ai};
}

// Bi, or with a slope its derivative.
RARE Pair complex_airy_second(f64 re, f64 im, bool slope) {
    if (called_hypot(re, im) < 1.0) {
        return complex_airy_second_near(re, im, slope);
    }
    if (re < 0.0) {
        auto [_ar, _ai, br, bi] = complex_airy_left(re, im, slope);
        return {br, bi};
    }
    // sqrt(z/3) (2 I + sqrt(3)/pi K) at 2/3 z^(3/2), and the like.
    auto [zr, zi] = airy_place(re, im);
    auto [sr, si] = complex_second_sum((slope ? 0.6666666666666666 : 0.3333333333333333), zr, zi);
    auto [rr, ri] = sqrt_of(re, im);
    return product(0.5773502691896258 * ((slope ? re : rr)), 0.5773502691896258 * ((slope ? im : ri)), sr, si);
}

// Airy's function Ai.
RARE Pair complex_airy_ai(f64 re, f64 im) {
    if (im == 0.0) {
        return {airy_ai(re), im};
    }
    return complex_airy(re, im, false);
}

// Its derivative.
RARE Pair complex_airy_aip(f64 re, f64 im) {
    if (im == 0.0) {
        return {airy_aip(re), im};
    }
    return complex_airy(re, im, true);
}

// Airy's function Bi.
RARE Pair complex_airy_bi(f64 re, f64 im) {
    if (im == 0.0) {
        return {airy_bi(re), im};
    }
    return complex_airy_second(re, im, false);
}

// Its derivative.
RARE Pair complex_airy_bip(f64 re, f64 im) {
    if (im == 0.0) {
        return {airy_bip(re), im};
    }
    return complex_airy_second(re, im, true);
}

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_jv(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_jv((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_jve(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_jve((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_yv(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_yv((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_yve(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_yve((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_iv(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_iv((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_ive(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_ive((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_kv(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_kv((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_kve(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_kve((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hankel1(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hankel1((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hankel1e(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hankel1e((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hankel2(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hankel2((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hankel2e(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hankel2e((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hyp0f1(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hyp0f1((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_airy_ai(complex<T> a) {
    auto [re, im] = elementary::special::complex_airy_ai((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_airy_aip(complex<T> a) {
    auto [re, im] = elementary::special::complex_airy_aip((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_airy_bi(complex<T> a) {
    auto [re, im] = elementary::special::complex_airy_bi((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_airy_bip(complex<T> a) {
    auto [re, im] = elementary::special::complex_airy_bip((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
