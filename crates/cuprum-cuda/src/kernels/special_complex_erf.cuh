// The Faddeeva function, by the trapezoidal rule with the residue of its pole, and the error functions of complex numbers.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special/complex_erf.rs.

namespace elementary {
namespace special {

RARE Pair faddeeva_quadrant(f64 x, f64 y);
RARE Pair complex_wofz(f64 re, f64 im);

// w(z) for z in the first quadrant.
RARE Pair faddeeva_quadrant(f64 x, f64 y) {
    const f64 STEP = 0.5116633539732443;
    const f64 WHOLE[] = {
        0.7696654124932398, 0.350919807178411, 0.09478022484215486, 0.01516461986454657, 0.0014373060804075317,
        8.06995175703046e-05, 2.684086793096743e-06, 5.2884221169441576e-08, 6.17247886522431e-10,
        4.267731135455224e-12, 1.7479879405655014e-14, 4.241151183016078e-17
    };
    const f64 MIDDLE[] = {
        0.9366460212365959, 0.5548549101598534, 0.1947095780852903, 0.04047614460380574, 0.004984423132468586,
        0.00036360898638930446, 1.571296901780048e-05, 4.022405421564814e-07, 6.0998249159121596e-09,
        5.479650239757527e-11, 2.916031755179499e-13, 9.192541525134372e-16
    };
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
    auto place = x / STEP;
    auto part = place - floor_of(place);
    auto at_whole = !far && y < x && part >= 0.25 && part <= 0.75;
    auto square = x * x + y * y;
    auto difference = (x - y) * (x + y);
    auto cross = 4.0 * x * x * y * y;
    auto re = 0.0;
    auto im = 0.0;
    for (int k = 12 - 1; k >= 0; --k) {
        auto weight = (at_whole ? WHOLE[k] : MIDDLE[k]);
        auto t = STEP * ((f64)k + ((at_whole ? 1.0 : 0.5)));
        auto tt = t * t;
        auto d = difference - tt;
        auto scale = weight / (d * d + cross);
        re += scale * (square + tt);
        im += scale * (square - tt);
    }
    auto factor = 2.0 * STEP * 0.3183098861837907;
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
        auto [gr, gi] = exp_of(6.283185307179586 * y / STEP, -6.283185307179586 * part);
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

}  // namespace special
}  // namespace elementary

template <class T> complex<T> cu_wofz(complex<T> a) {
    auto [re, im] = elementary::special::complex_wofz((f64)a.re, (f64)a.im);
    return complex<T>((T)re, (T)im);
}
