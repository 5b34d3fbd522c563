// Functions of four real arguments, which come two by two as the parts of complex numbers: Gauss's hypergeometric
// function and Carlson's integral of the third kind.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: four_arguments.rs.

namespace elementary {
namespace special {

inline Pair jacobi_start(f64 a, f64 b, f64 x);
inline Pair jacobi_step(f64 k, f64 a, f64 b, f64 x, f64 step, f64 value);
inline f64 jacobi_end(f64 n, f64 _a, f64 _b, f64 _x, f64 value);
inline bool jacobi_is_rare(f64 n, f64 a, f64 b, f64 x);
inline bool jacobi_stops(f64 a, f64 b);
RARE Pair complex_eval_jacobi(f64 n, f64 a, f64 b, f64 x);
RARE f64 jacobi_sum(f64 n, f64 a, f64 b, f64 x);
inline bool is_pole(f64 x);
RARE Pair gauss_series(f64 a, f64 b, f64 c, f64 re, f64 im);
RARE Pair gauss_walk(f64 a, f64 b, f64 c, f64 from, f64 from_im, f64 re, f64 im, f64 value, f64 value_im, f64 slope, f64 slope_im);
RARE Pair real_power(f64 re, f64 im, f64 exponent);
RARE f64 gauss_near_one(f64 a, f64 b, f64 c, f64 rest);
RARE Pair gauss_right(f64 a, f64 b, f64 c, f64 re, f64 im, f64 rest, f64 rest_im);
RARE Pair gauss_past(f64 a, f64 b, f64 c, f64 im, f64 rest, f64 rest_im);
RARE Pair gauss_left(f64 a, f64 b, f64 c, f64 x);
RARE Pair gauss_hypergeometric(f64 a, f64 b, f64 c, f64 re, f64 im);
inline Pair complex_hyp2f1(f64 a, f64 b, f64 c, f64 _zero, f64 re, f64 im);
RARE Pair complex_hyp2f1_real(f64 a, f64 b, f64 c, f64 x);
RARE f64 carlson_rc_one(f64 e);
RARE f64 carlson_rj(f64 x0, f64 y0, f64 z0, f64 p0);
RARE Pair complex_elliprj(f64 x, f64 y, f64 z, f64 p);

// Jacobi's polynomial of degree one, and what it is more than it would be if it grew with the degree as at one.
inline Pair jacobi_start(f64 a, f64 b, f64 x) {
    auto step = 0.5 * (a + b + 2.0) * (x - 1.0);
    return {step, (a + 1.0) + step};
}

// The same of the next degree: such differences lose less than the polynomials themselves.
inline Pair jacobi_step(f64 k, f64 a, f64 b, f64 x, f64 step, f64 value) {
    auto t = 2.0 * k + (a + b);
    auto scale = (t + 2.0) / (2.0 * (k + 1.0) * (k + (a + b) + 1.0) * t);
    auto next = fused(t * (t + 1.0) * (x - 1.0), value, 2.0 * k * (k + b) * step) * scale;
    return {next, fused(a * plain_inverse(k + 1.0), value, next) + value};
}

// The value of one degree of those that were reached.
inline f64 jacobi_end(f64 n, f64 _a, f64 _b, f64 _x, f64 value) {
    return (n == 0.0 ? 1.0 : value);
}

// Whether Jacobi's polynomials take another way: where a degree is no small whole number, or they may be too large for a double.
inline bool jacobi_is_rare(f64 n, f64 a, f64 b, f64 x) {
    auto is_whole = n >= 0.0 && n < 64.0 && (n + 4503599627370496.0) - 4503599627370496.0 == n;
    return !is_whole || !(elementary::size(a) < 1e2 && elementary::size(b) < 1e2 && elementary::size(x) < 1e2) || jacobi_stops(a, b);
}

// Whether some step of the recurrence would divide by zero: where a + b is whole and at most -2.
inline bool jacobi_stops(f64 a, f64 b) {
    auto sum = a + b;
    return sum <= -2.0 && (sum + 6755399441055744.0) - 6755399441055744.0 == sum;
}

// Jacobi's polynomial of degree n with the parameters a and b at x, or Gauss's function where n is not whole.
RARE Pair complex_eval_jacobi(f64 n, f64 a, f64 b, f64 x) {
    if (is_nan(n) || is_nan(a) || is_nan(b) || is_nan(x)) {
        return {not_a_number<f64>(), 0.0};
    }
    if (floor_of(n) != n || n < 0.0 || n > 1e6) {
        auto [value, _im] = complex_hyp2f1_real(-n, n + a + b + 1.0, a + 1.0, 0.5 * (1.0 - x));
        return {binom(n + a, n) * value, 0.0};
    }
    if (n == 0.0) {
        return {1.0, 0.0};
    }
    if (jacobi_stops(a, b)) {
        // Mirrored, so that terms of one sign are not large beside the result.
        if (x >= 0.0) {
            return {jacobi_sum(n, a, b, x), 0.0};
        }
        auto value = jacobi_sum(n, b, a, -x);
        return {(2.0 * floor_of(0.5 * n) == n ? value : -value), 0.0};
    }
    auto [first, second] = jacobi_start(a, b, x);
    auto step = first;
    auto value = second;
    auto k = 1.0;
    while (k < n) {
        auto [last, next] = jacobi_step(k, a, b, x, step, value);
        step = last;
        value = next;
        k += 1.0;
    }
    return {value, 0.0};
}

// Jacobi's polynomial as the sum over k of C(n + a, n - k) C(n + a + b + k, k) ((x - 1) / 2)^k, from the last term on.
RARE f64 jacobi_sum(f64 n, f64 a, f64 b, f64 x) {
    auto half = 0.5 * (x - 1.0);
    auto choices = 1.0;
    auto sum = 1.0;
    auto k = n - 1.0;
    while (k >= 0.0) {
        choices *= (a + k + 1.0) / (n - k);
        sum = choices + (n + (a + b) + k + 1.0) * half / (k + 1.0) * sum;
        k -= 1.0;
    }
    return sum;
}

// Whether a number is whole and not above zero.
inline bool is_pole(f64 x) {
    return x <= 0.0 && floor_of(x) == x;
}

// The series of 2F1, which may end.
RARE Pair gauss_series(f64 a, f64 b, f64 c, f64 re, f64 im) {
    auto tr = 1.0;
    auto ti = 0.0;
    auto sr = 1.0;
    auto si = 0.0;
    auto k = 0.0;
    while (k < 20000.0) {
        auto scale = (a + k) / (c + k) * ((b + k) / (k + 1.0));
        auto [nr, ni] = product(tr, ti, scale * re, scale * im);
        tr = nr;
        ti = ni;
        sr += tr;
        si += ti;
        k += 1.0;
        auto size = elementary::size(tr) + elementary::size(ti);
        if (size == 0.0 || (size < 1e-17 * (elementary::size(sr) + elementary::size(si)) && k > elementary::size(a) && k > elementary::size(b) && (k > -c || c < -2e4))) {
            break;
        }
    }
    return {sr, si};
}

// 2F1 at z, from its value and derivative at another point, by Taylor series of the differential equation.
RARE Pair gauss_walk(f64 a, f64 b, f64 c, f64 from, f64 from_im, f64 re, f64 im, f64 value, f64 value_im, f64 slope, f64 slope_im) {
    auto zr = from;
    auto zi = from_im;
    auto fr = value;
    auto fi = value_im;
    auto gr = slope;
    auto gi = slope_im;
    auto steps = 0;
    while (steps < 4000) {
        auto to_one = called_hypot(1.0 - zr, zi);
        auto to_zero = called_hypot(zr, zi);
        auto room = 0.5 * ((to_one < to_zero ? to_one : to_zero));
        auto hr = re - zr;
        auto hi = im - zi;
        auto left = called_hypot(hr, hi);
        auto is_last = left <= room;
        if (!is_last) {
            hr *= room / left;
            hi *= room / left;
        }
        // Terms c_n h^n and (n + 1) c_(n+1) h^n of the value and its derivative.
        auto [pr, pi] = product(zr, zi, 1.0 - zr, -zi);
        auto xr = fr;
        auto xi = fi;
        auto [first, second] = product(gr, gi, hr, hi);
        auto yr = first;
        auto yi = second;
        auto sr = xr + yr;
        auto si = xi + yi;
        auto dr = yr;
        auto di = yi;
        auto [ur, ui] = quotient_of(hr, hi, pr, pi);
        auto [vr, vi] = product(ur, ui, hr, hi);
        auto n = 0.0;
        while (n < 400.0) {
            auto mr = (n + 1.0) * ((1.0 - 2.0 * zr) * n + c - (a + b + 1.0) * zr);
            auto mi = (n + 1.0) * (-2.0 * zi * n - (a + b + 1.0) * zi);
            auto [ar, ai] = product(mr, mi, yr, yi);
            auto [br, bi] = product(ar, ai, ur, ui);
            auto [er, ei] = product(xr, xi, vr, vi);
            auto weight = (n + a) * (n + b);
            auto below = 1.0 / ((n + 2.0) * (n + 1.0));
            auto nr = (weight * er - br) * below;
            auto ni = (weight * ei - bi) * below;
            xr = yr;
            xi = yi;
            yr = nr;
            yi = ni;
            sr += nr;
            si += ni;
            dr += (n + 2.0) * nr;
            di += (n + 2.0) * ni;
            n += 1.0;
            if ((elementary::size(xr) + elementary::size(xi) + elementary::size(nr) + elementary::size(ni)) * n < 1e-17 * (elementary::size(sr) + elementary::size(si) + elementary::size(dr) + elementary::size(di))) {
                break;
            }
        }
        fr = sr;
        fi = si;
        if (is_last) {
            break;
        }
        auto [qr, qi] = quotient_of(dr, di, hr, hi);
        gr = qr;
        gi = qi;
        zr += hr;
        zi += hi;
        steps += 1;
    }
    return {fr, fi};
}

// A number off the negative axis to a real power.
RARE Pair real_power(f64 re, f64 im, f64 exponent) {
    if (im == 0.0 && re >= 0.0) {
        return {called_pow(re, exponent), 0.0};
    }
    auto [lr, li] = log_of(re, im);
    return exp_of(exponent * lr, exponent * li);
}

// 2F1 at a real x from 0.9 on, given 1 - x, by its two solutions about one; no number where these cancel, as they do where
// c - a - b is nearly whole.
RARE f64 gauss_near_one(f64 a, f64 b, f64 c, f64 rest) {
    auto s = c - a - b;
    if (!(elementary::size(s - nearest_even(s)) > 0.1 && elementary::size(a) < 30.0 && elementary::size(b) < 30.0 && elementary::size(c) < 30.0)) {
        return not_a_number<f64>();
    }
    auto [whole, whole_most] = hyp2f1_quick(a, b, 1.0 - s, rest);
    auto [part, part_most] = hyp2f1_quick(c - a, c - b, 1.0 + s, rest);
    if (!(whole_most <= 2.0 * elementary::size(whole) && part_most <= 2.0 * elementary::size(part))) {
        return not_a_number<f64>();
    }
    auto scale = gamma(c);
    auto first = scale * rgamma(c - a) * (gamma(s) * rgamma(c - b)) * whole;
    auto second = scale * rgamma(a) * (gamma(-s) * rgamma(b)) * called_pow(rest, s) * part;
    // What the exponent lost counts where 1 - x is small.
    auto more = c - a;
    auto taken = c - more;
    auto lost = (c - (more + taken)) + (taken - a);
    auto part_taken = more - s;
    auto lost_too = (more - (s + part_taken)) + (part_taken - b);
    auto sum = first + fused(second, (lost + lost_too) * called_log(rest), second);
    return (elementary::size(sum) >= 0.5 * elementary::size(first) ? sum : not_a_number<f64>());
}

// 2F1 at z to the right of the imaginary axis, off one, given 1 - z as well; no series that ends.
RARE Pair gauss_right(f64 a, f64 b, f64 c, f64 re, f64 im, f64 rest, f64 rest_im) {
    if (im == 0.0 && re > 0.9 && re < 1.0) {
        auto value = gauss_near_one(a, b, c, rest);
        if (!is_nan(value)) {
            return {value, 0.0};
        }
    }
    if (im == 0.0 && (re <= 0.9 || (re <= 0.96 && a > 0.0 && b > 0.0 && c > 0.0))) {
        return {hyp2f1_series(a, b, c, re), 0.0};
    }
    if (called_hypot(re, im) <= 0.6) {
        return gauss_series(a, b, c, re, im);
    }
    // As a function of 1 - z, which is known better near one; it has other parameters.
    auto other = a + b + 1.0 - c;
    if (im == 0.0 && re < 1.0) {
        auto value = hyp2f1_series(a, b, c, 0.5);
        auto slope = -a * b / c * hyp2f1_series(a + 1.0, b + 1.0, c + 1.0, 0.5);
        return gauss_walk(a, b, other, 0.5, 0.0, rest, rest_im, value, 0.0, slope, 0.0);
    }
    if (c - a - b < 0.0) {
        // Euler's transformation: smaller terms.
        auto [pr, pi] = real_power(rest, rest_im, c - a - b);
        auto [sr, si] = gauss_past(c - a, c - b, c, im, rest, rest_im);
        return product(pr, pi, sr, si);
    }
    return gauss_past(a, b, c, im, rest, rest_im);
}

// The same from half the imaginary unit on, past one on the side that z lies on.
RARE Pair gauss_past(f64 a, f64 b, f64 c, f64 im, f64 rest, f64 rest_im) {
    auto start = (im >= 0.0 ? 0.5 : -0.5);
    auto [fr, fi] = gauss_series(a, b, c, 0.0, start);
    auto [gr, gi] = gauss_series(a + 1.0, b + 1.0, c + 1.0, 0.0, start);
    auto scale = -a * b / c;
    return gauss_walk(a, b, a + b + 1.0 - c, 1.0, -start, rest, rest_im, fr, fi, scale * gr, scale * gi);
}

// 2F1 of a real x below zero; no series that ends.
RARE Pair gauss_left(f64 a, f64 b, f64 c, f64 x) {
    if (x > -0.3) {
        auto [value, largest] = hyp2f1_quick(a, b, c, x);
        if (largest <= 3.0 * elementary::size(value) && largest < 1e290) {
            return {value, 0.0};
        }
    }
    // Pfaff's transformation, with positive parameters or else with the smaller one.
    auto rest = 1.0 / (1.0 - x);
    auto place = -x * rest;
    if ((c > b && c <= a) || (!(c > a && c <= b) && elementary::size(a) < elementary::size(b))) {
        auto [value, _im] = gauss_right(a, c - b, c, place, 0.0, rest, 0.0);
        return {called_pow(1.0 - x, -a) * value, 0.0};
    }
    auto [value, _im] = gauss_right(c - a, b, c, place, 0.0, rest, 0.0);
    return {called_pow(1.0 - x, -b) * value, 0.0};
}

// Gauss's hypergeometric function of real parameters.
RARE Pair gauss_hypergeometric(f64 a, f64 b, f64 c, f64 re, f64 im) {
    if (is_nan(a) || is_nan(b) || is_nan(c) || is_nan(re) || is_nan(im)) {
        return {not_a_number<f64>(), not_a_number<f64>()};
    }
    auto ends_a = is_pole(a) && !(is_pole(c) && a < c);
    auto ends_b = is_pole(b) && !(is_pole(c) && b < c);
    if (is_pole(c) && !ends_a && !ends_b) {
        return {infinity<f64>(), 0.0};
    }
    if (a == 0.0 || b == 0.0 || (re == 0.0 && im == 0.0)) {
        return {1.0, 0.0};
    }
    if (b == c && (a == c || !ends_a)) {
        return real_power(1.0 - re, -im, -a);
    }
    if (a == c && !ends_b) {
        return real_power(1.0 - re, -im, -b);
    }
    if (ends_a || ends_b) {
        if (im == 0.0 && re > 0.0 && re <= 1.0) {
            return {hyp2f1_series(a, b, c, re), 0.0};
        }
        return gauss_series(a, b, c, re, im);
    }
    if (elementary::size(re) == infinity<f64>() || elementary::size(im) == infinity<f64>()) {
        if (im == 0.0 && re < 0.0 && a > 0.0 && b > 0.0) {
            return {0.0, 0.0};
        }
        return {(im == 0.0 && re > 0.0 ? infinity<f64>() : not_a_number<f64>()), not_a_number<f64>()};
    }
    auto rest = c - a - b;
    if (re == 1.0 && im == 0.0) {
        if (rest > 0.0) {
            return {gamma(c) * rgamma(c - a) * (gamma(rest) * rgamma(c - b)), 0.0};
        }
        return {infinity<f64>(), 0.0};
    }
    if (is_pole(c - a) || is_pole(c - b)) {
        // Euler's transformation makes the series end.
        auto [pr, pi] = real_power(1.0 - re, -im, rest);
        auto [sr, si] = gauss_series(c - a, c - b, c, re, im);
        return product(pr, pi, sr, si);
    }
    if (im == 0.0 && re < 0.0) {
        return gauss_left(a, b, c, re);
    }
    auto apart = elementary::size(a - b - nearest_even(a - b));
    if (im != 0.0 && called_hypot(re, im) > 2.0 && apart > 0.01) {
        // The two solutions at infinity.
        auto [ir, ii] = quotient_of(1.0, 0.0, re, im);
        auto [pr, pi] = real_power(-re, -im, -a);
        auto [qr, qi] = real_power(-re, -im, -b);
        auto [sr, si] = gauss_series(a, a - c + 1.0, a - b + 1.0, ir, ii);
        auto [tr, ti] = gauss_series(b, b - c + 1.0, b - a + 1.0, ir, ii);
        auto first = gamma(c) * gamma(b - a) * rgamma(b) * rgamma(c - a);
        auto second = gamma(c) * gamma(a - b) * rgamma(a) * rgamma(c - b);
        auto [xr, xi] = product(first * pr, first * pi, sr, si);
        auto [yr, yi] = product(second * qr, second * qi, tr, ti);
        return {xr + yr, xi + yi};
    }
    if (re < 0.0 && called_hypot(re, im) > 0.1) {
        // Pfaff's transformation, with the smaller of the parameters.
        auto [qr, qi] = quotient_of(re, im, re - 1.0, im);
        auto [ur, ui] = quotient_of(1.0, 0.0, 1.0 - re, -im);
        if (elementary::size(a) < elementary::size(b)) {
            auto [pr, pi] = real_power(1.0 - re, -im, -a);
            auto [sr, si] = gauss_right(a, c - b, c, qr, qi, ur, ui);
            return product(pr, pi, sr, si);
        }
        auto [pr, pi] = real_power(1.0 - re, -im, -b);
        auto [sr, si] = gauss_right(c - a, b, c, qr, qi, ur, ui);
        return product(pr, pi, sr, si);
    }
    if (re < 0.0) {
        return gauss_series(a, b, c, re, im);
    }
    return gauss_right(a, b, c, re, im, 1.0 - re, -im);
}

// The same with a and b in one number and c in another.
inline Pair complex_hyp2f1(f64 a, f64 b, f64 c, f64 _zero, f64 re, f64 im) {
    return gauss_hypergeometric(a, b, c, re, im);
}

// The same of a real x: infinite beyond one, unless its series ends.
RARE Pair complex_hyp2f1_real(f64 a, f64 b, f64 c, f64 x) {
    auto ends = (is_pole(a) && !(is_pole(c) && a < c)) || (is_pole(b) && !(is_pole(c) && b < c));
    if (x > 1.0 && !ends && a != c && b != c && a != 0.0 && b != 0.0 && !is_nan(a) && !is_nan(b) && !is_nan(c)) {
        // By Euler's transformation a power of 1 - x and a series that may end.
        auto power = c - a - b;
        if ((is_pole(c - a) || is_pole(c - b)) && !is_pole(c) && floor_of(power) == power && x < infinity<f64>()) {
            auto [rest, _im] = gauss_hypergeometric(c - a, c - b, c, x, 0.0);
            return {called_pow(1.0 - x, power) * rest, 0.0};
        }
        return {infinity<f64>(), 0.0};
    }
    if (x > 1.0 && !ends && (a == c || b == c) && a != 0.0 && b != 0.0) {
        return {called_pow(1.0 - x, (b == c ? -a : -b)), 0.0};
    }
    return gauss_hypergeometric(a, b, c, x, 0.0);
}

// Carlson's degenerate integral of one and 1 + e.
RARE f64 carlson_rc_one(f64 e) {
    if (elementary::size(e) < 1e-3) {
        return 1.0 + e * (-0.3333333333333333 + e * (0.2 + e * (-0.14285714285714285 + e * (0.1111111111111111 - 0.09090909090909091 * e))));
    }
    auto root = elementary::root(elementary::size(e));
    if (e > 0.0) {
        return called_atan(root) / root;
    }
    return 0.5 * called_log1p(2.0 * root / (1.0 - root)) / root;
}

// Carlson's integral of the third kind, p above zero.
RARE f64 carlson_rj(f64 x0, f64 y0, f64 z0, f64 p0) {
    auto x = x0;
    auto y = y0;
    auto z = z0;
    auto p = p0;
    auto delta = (p - x) * (p - y) * (p - z);
    auto sum = 0.0;
    auto factor = 1.0;
    auto mean = 0.2 * (x + y + z + 2.0 * p);
    auto i = 0;
    while (i < 100) {
        auto spread = elementary::size(1.0 - x / mean) + elementary::size(1.0 - y / mean) + elementary::size(1.0 - z / mean) + elementary::size(1.0 - p / mean);
        if (spread < 2e-3) {
            break;
        }
        auto rx = elementary::root(x);
        auto ry = elementary::root(y);
        auto rz = elementary::root(z);
        auto rp = elementary::root(p);
        auto shift = rx * (ry + rz) + ry * rz;
        auto d = (rp + rx) * (rp + ry) * (rp + rz);
        sum += factor / d * carlson_rc_one(delta / d / d);
        factor *= 0.25;
        delta *= 0.015625;
        x = 0.25 * (x + shift);
        y = 0.25 * (y + shift);
        z = 0.25 * (z + shift);
        p = 0.25 * (p + shift);
        mean = 0.2 * (x + y + z + 2.0 * p);
        i += 1;
    }
    auto dx = 1.0 - x / mean;
    auto dy = 1.0 - y / mean;
    auto dz = 1.0 - z / mean;
    auto dp = -0.5 * (dx + dy + dz);
    auto pp = dp * dp;
    auto xyz = dx * dy * dz;
    auto e2 = dx * dy + dx * dz + dy * dz - 3.0 * pp;
    auto e3 = xyz + 2.0 * e2 * dp + 4.0 * pp * dp;
    auto e4 = (2.0 * xyz + e2 * dp + 3.0 * pp * dp) * dp;
    auto e5 = xyz * pp;
    auto series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0 - e2 * e2 * e2 / 16.0 + 3.0 * e3 * e3 / 40.0 + 3.0 * e2 * e4 / 20.0;
    return fused(factor / (mean * elementary::root(mean)), series, 6.0 * sum);
}

// Carlson's symmetric integral of the third kind, of x and y in one number, z and p in another.
RARE Pair complex_elliprj(f64 x, f64 y, f64 z, f64 p) {
    if (carlson_refuses(x, y, z) || is_nan(p) || p == 0.0) {
        return {not_a_number<f64>(), 0.0};
    }
    if ((x == 0.0 && y == 0.0) || (y == 0.0 && z == 0.0) || (x == 0.0 && z == 0.0)) {
        return {infinity<f64>(), 0.0};
    }
    if (x == infinity<f64>() || y == infinity<f64>() || z == infinity<f64>() || elementary::size(p) == infinity<f64>()) {
        return {0.0, 0.0};
    }
    if (p > 0.0) {
        return {carlson_rj(x, y, z, p), 0.0};
    }
    // Cauchy's principal value, by one with p above zero; the largest argument apart.
    auto first_two = (x < y ? x : y);
    auto other_two = (x < y ? y : x);
    auto high = (other_two > z ? other_two : z);
    auto left = (other_two > z ? z : other_two);
    auto low = (first_two < left ? first_two : left);
    auto middle = (first_two < left ? left : first_two);
    auto q = -p;
    auto xy = low * middle;
    auto s = (high * (low + middle + q) - xy) / (high + q);
    auto t = xy + s * q;
    auto value = (s - high) * carlson_rj(low, middle, high, s) - 3.0 * carlson_rf(low, middle, high) + 3.0 * elementary::root(xy * high / t) * elliprc(t, s * q);
    return {value / (high + q), 0.0};
}

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_hyp2f1(complex<T> a, complex<T> b, complex<T> c) {
    auto [re, im] = elementary::special::complex_hyp2f1((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im, (f64)c.re, (f64)c.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_hyp2f1_real(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_hyp2f1_real((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_eval_jacobi(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_eval_jacobi((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
template <class T> complex<T> cu_elliprj(complex<T> a, complex<T> b) {
    auto [re, im] = elementary::special::complex_elliprj((f64)a.re, (f64)a.im, (f64)b.re, (f64)b.im);
    return complex<T>((T)re, (T)im);
}
