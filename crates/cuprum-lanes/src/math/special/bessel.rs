//! Bessel functions of orders zero and one, and their modified forms.

#[allow(unused_imports)]
use super::coefficients::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const EULER: f64 = 0.5772156649015329;
const TWO_OVER_PI: f64 = 0.6366197723675814;

plain_functions! {
    /// log(x / r) of an x from 1e-290 to 1e290, r being given in two parts.
    fn log_over(x: f64, r: f64, r_low: f64) -> f64 {
        let ratio = plain_quotient(x, r);
        return plain_log_rest(ratio, plain_quotient(fma(-ratio, r, x) - ratio * r_low, x));
    }

    /// J0(x) for x from zero to 10.25.
    fn j0_near(x: f64) -> f64 {
        let first = ((x - 2.404825557695773) - -1.176691651530894e-16) * (x + 2.404825557695773);
        let second = ((x - 5.520078110286311) - 8.088597146146722e-17) * (x + 5.520078110286311);
        let third = ((x - 8.653727912911013) - -2.92812607320779e-16) * (x + 8.653727912911013);
        let beyond = fma(x, x, -139.04028442645986) * fma(x, x, -222.93230361763415);
        return (first * second) * (third * beyond) * poly(fma(0.01903628792385485 * x, x, -1.0), &J0);
    }

    /// The factors of both Hankel functions of an x from 8 to 1e5: its inverse, where their polynomials are taken, the root of 2 / (pi x),
    /// and cosine and sine of x - pi/4.
    fn plain_hankel(x: f64) -> (f64, f64, f64, f64) {
        let (c, s) = plain_cos_sin_past_eighth(x);
        let inverse = plain_inverse(x);
        return (inverse, sqrt(TWO_OVER_PI * inverse), c, s);
    }

    /// The Bessel function of the first kind of order zero, up to 1e5.
    fn plain_j0(x: f64) -> f64 {
        let a = abs(x);
        let is_near = a <= 10.25;
        let near = j0_near(if is_near { a } else { 10.25 });
        let (inverse, scale, c, s) = plain_hankel(if is_near { 10.25 } else { a });
        let t = fma(128.0 * inverse, inverse, -1.0);
        let far = scale * (poly(t, &HANKEL_P0) * c - poly(t, &HANKEL_Q0) * inverse * s);
        return if is_near { near } else { far };
    }

    /// The Bessel function of the first kind of order one, up to 1e5.
    fn plain_j1(x: f64) -> f64 {
        let a = abs(x);
        let near = x * j1_near(if a < 4.0 { a } else { 4.0 });
        let b = if a < 8.0 { a } else { 8.0 };
        let middle = ((b - 7.015586669815619) - -9.414165653410389e-17) * poly(fma(0.5, b, -3.0), &J1_2);
        let (inverse, scale, c, s) = plain_hankel(if a < 8.0 { 8.0 } else { a });
        let t = fma(128.0 * inverse, inverse, -1.0);
        let far = scale * (poly(t, &HANKEL_P1) * s + poly(t, &HANKEL_Q1) * inverse * c);
        let value = if a < 8.0 { middle } else { far };
        return if a < 4.0 { near } else if x < 0.0 { -value } else { value };
    }

    /// The Bessel function of the second kind of order zero, from 1e-290 to 1e5.
    fn plain_y0(x: f64) -> f64 {
        let a = if x < 2.0 { x } else { 2.0 };
        let near = (a - 0.8935769662791675) - 2.659623153972038e-17;
        let logarithm = log_over(a, 0.8935769662791675, 2.659623153972038e-17);
        let first = fma(near * (a + 0.8935769662791675), poly(fma(0.5 * a, a, -1.0), &Y0_1), TWO_OVER_PI * logarithm * j0_near(a));
        let b = if x < 5.0 { x } else { 5.0 };
        let second = ((b - 3.957678419314858) - -1.0764340697562706e-16) * poly((b - 3.5) * 0.6666666666666666, &Y0_2);
        let d = if x < 8.0 { x } else { 8.0 };
        let third = ((d - 7.086051060301773) - -8.835285723085408e-17) * poly((d - 6.5) * 0.6666666666666666, &Y0_3);
        let (inverse, scale, c, s) = plain_hankel(if x < 8.0 { 8.0 } else { x });
        let t = fma(128.0 * inverse, inverse, -1.0);
        let far = scale * (poly(t, &HANKEL_P0) * s + poly(t, &HANKEL_Q0) * inverse * c);
        let near_value = if x < 2.0 { first } else { second };
        return if x < 5.0 { near_value } else if x < 8.0 { third } else { far };
    }

    /// Whether j0 and j1 take another way.
    fn j_is_rare(x: f64) -> bool {
        return !(abs(x) < 1e5);
    }

    /// Whether y0 takes another way.
    fn y0_is_rare(x: f64) -> bool {
        return !(x > 1e-290 && x < 1e5);
    }

    /// I0(x) for x from zero to 12.
    fn i0_near(x: f64) -> f64 {
        let half = 0.5 * x;
        let square = half * half;
        let value = horner(square, &I0_NEAR);
        // What the square lost, by some digits of the derivative.
        return fma(value * fma(half, half, -square), plain_inverse(half + 1.0), value);
    }

    /// 2 I1(x) / x for x from zero to 12.
    fn i1_near(x: f64) -> f64 {
        let half = 0.5 * x;
        let square = half * half;
        let value = horner(square, &I1_NEAR);
        return fma(value * fma(half, half, -square), plain_inverse(half + 2.0), value);
    }

    /// 1 / x for x from one on.
    fn inverse_of_large(x: f64) -> f64 {
        return if x < 1e290 { plain_inverse(x) } else { 1.0 / x };
    }

    /// J1(x) / x for x from zero to 4.
    fn j1_near(x: f64) -> f64 {
        let near = (x - 3.8317059702075125) - -1.5269184090088067e-16;
        return near * (x + 3.8317059702075125) * poly(fma(0.125 * x, x, -1.0), &J1_1);
    }
}

functions! {
    /// The Bessel function of the first kind of order zero.
    fn j0(x: f64) -> f64 {
        let a = abs(x);
        if a <= 10.25 {
            return j0_near(a);
        }
        if a == INF {
            return 0.0;
        }
        let (c, s) = cos_sin_past_eighth(a);
        let inverse = inverse_of_large(a);
        let t = fma(128.0 * inverse, inverse, -1.0);
        return sqrt(TWO_OVER_PI * inverse) * (poly(t, &HANKEL_P0) * c - poly(t, &HANKEL_Q0) * inverse * s);
    }

    /// The Bessel function of the first kind of order one.
    fn j1(x: f64) -> f64 {
        let a = abs(x);
        let mut value = 0.0;
        if a < 4.0 {
            return x * j1_near(a);
        }
        if a < 8.0 {
            value = ((a - 7.015586669815619) - -9.414165653410389e-17) * poly(fma(0.5, a, -3.0), &J1_2);
        } else if a < INF {
            let (c, s) = cos_sin_past_eighth(a);
            let inverse = inverse_of_large(a);
            let t = fma(128.0 * inverse, inverse, -1.0);
            value = sqrt(TWO_OVER_PI * inverse) * (poly(t, &HANKEL_P1) * s + poly(t, &HANKEL_Q1) * inverse * c);
        }
        return if x < 0.0 { -value } else if is_nan(x) { x } else { value };
    }

    /// The Bessel function of the second kind of order zero.
    fn y0(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { -INF } else { NAN };
        }
        if x < 2.0 {
            if x < 1e-290 {
                return TWO_OVER_PI * (log(x) - 0.11593151565841245);
            }
            let near = (x - 0.8935769662791675) - 2.659623153972038e-17;
            let logarithm = log_over(x, 0.8935769662791675, 2.659623153972038e-17);
            return fma(near * (x + 0.8935769662791675), poly(fma(0.5 * x, x, -1.0), &Y0_1), TWO_OVER_PI * logarithm * j0_near(x));
        }
        if x < 5.0 {
            return ((x - 3.957678419314858) - -1.0764340697562706e-16) * poly((x - 3.5) * 0.6666666666666666, &Y0_2);
        }
        if x < 8.0 {
            return ((x - 7.086051060301773) - -8.835285723085408e-17) * poly((x - 6.5) * 0.6666666666666666, &Y0_3);
        }
        if x == INF {
            return 0.0;
        }
        let (c, s) = cos_sin_past_eighth(x);
        let inverse = inverse_of_large(x);
        let t = fma(128.0 * inverse, inverse, -1.0);
        return sqrt(TWO_OVER_PI * inverse) * (poly(t, &HANKEL_P0) * s + poly(t, &HANKEL_Q0) * inverse * c);
    }

    /// The Bessel function of the second kind of order one.
    fn y1(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { -INF } else { NAN };
        }
        if x < 3.0 {
            if x < 1e-290 {
                return -TWO_OVER_PI / x;
            }
            let near = (x - 2.197141326031017) - -4.825983587645496e-17;
            let logarithm = log_over(x, 2.197141326031017, -4.825983587645496e-17);
            let rest = near * (x + 2.197141326031017) * poly(fma(x * 0.2222222222222222, x, -1.0), &Y1_1) / x;
            return fma(TWO_OVER_PI * logarithm, x * j1_near(x), rest);
        }
        if x < 8.0 {
            return ((x - 5.429681040794135) - 4.162514026670377e-16) * poly((x - 5.5) * 0.4, &Y1_2);
        }
        if x == INF {
            return 0.0;
        }
        let (c, s) = cos_sin_past_eighth(x);
        let inverse = inverse_of_large(x);
        let t = fma(128.0 * inverse, inverse, -1.0);
        return sqrt(TWO_OVER_PI * inverse) * (poly(t, &HANKEL_Q1) * inverse * s - poly(t, &HANKEL_P1) * c);
    }

    /// Both of them at an x above zero, whose sine and cosine serve both.
    fn y0_and_y1(x: f64) -> (f64, f64) {
        if x < 8.0 {
            return (y0(x), y1(x));
        }
        let (c, s) = cos_sin_past_eighth(x);
        let inverse = inverse_of_large(x);
        let t = fma(128.0 * inverse, inverse, -1.0);
        let scale = sqrt(TWO_OVER_PI * inverse);
        let zero = poly(t, &HANKEL_P0) * s + poly(t, &HANKEL_Q0) * inverse * c;
        let one = poly(t, &HANKEL_Q1) * inverse * s - poly(t, &HANKEL_P1) * c;
        return (scale * zero, scale * one);
    }

    /// exp(-|x|) I0(x).
    fn i0e(x: f64) -> f64 {
        let a = abs(x);
        if a <= 12.0 {
            return plain_exp(-a) * i0_near(a);
        }
        let inverse = inverse_of_large(a);
        return poly(fma(24.0, inverse, -1.0), &I0_FAR) * sqrt(inverse);
    }

    /// exp(-|x|) I1(x).
    fn i1e(x: f64) -> f64 {
        let a = abs(x);
        if a <= 12.0 {
            return 0.5 * x * plain_exp(-a) * i1_near(a);
        }
        let inverse = inverse_of_large(a);
        return copysign(poly(fma(24.0, inverse, -1.0), &I1_FAR) * sqrt(inverse), x);
    }

    /// The modified Bessel function of the first kind of order one.
    fn i1(x: f64) -> f64 {
        let a = abs(x);
        if a <= 12.0 {
            return 0.5 * x * i1_near(a);
        }
        if !(a < 1400.0) {
            return x * INF;
        }
        let inverse = plain_inverse(a);
        let series = poly(fma(24.0, inverse, -1.0), &I1_FAR) * sqrt(inverse);
        // Where the whole exponential overflows before the result does, half of it is taken at a time.
        let root = plain_exp(if a < 700.0 { a } else { 0.5 * a });
        return copysign(if a < 700.0 { root * series } else { root * series * root }, x);
    }

    /// sqrt(x) exp(x) K0(x) for x above one.
    fn k0_scaled(x: f64) -> f64 {
        let w = 1.0 / x;
        if w < 0.125 {
            return horner(16.0 * w - 1.0, &K0_1);
        }
        if w < 0.5 {
            return horner((w - 0.3125) * 5.333333333333333, &K0_2);
        }
        return horner(4.0 * w - 3.0, &K0_3);
    }

    /// sqrt(x) exp(x) K1(x) for x above one.
    fn k1_scaled(x: f64) -> f64 {
        let w = 1.0 / x;
        if w < 0.125 {
            return horner(16.0 * w - 1.0, &K1_1);
        }
        if w < 0.5 {
            return horner((w - 0.3125) * 5.333333333333333, &K1_2);
        }
        return horner(4.0 * w - 3.0, &K1_3);
    }

    /// K0(x) for x up to one.
    fn k0_near(x: f64) -> f64 {
        let z = 0.25 * x * x;
        return fma(-(log(0.5 * x) + EULER), horner(z, &I0_SERIES), poly(z, &K0_SERIES));
    }

    /// K1(x) for x up to one.
    fn k1_near(x: f64) -> f64 {
        let z = 0.25 * x * x;
        return fma(log(0.5 * x), 0.5 * x * horner(z, &I1_SERIES), 1.0 / x - 0.25 * x * poly(z, &K1_SERIES));
    }

    /// The modified Bessel function of the second kind of order zero.
    fn k0(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { k0_near(x) } else { exp(-x) * k0_scaled(x) / sqrt(x) };
    }

    /// exp(x) K0(x).
    fn k0e(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { exp(x) * k0_near(x) } else { k0_scaled(x) / sqrt(x) };
    }

    /// The modified Bessel function of the second kind of order one.
    fn k1(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { k1_near(x) } else { exp(-x) * k1_scaled(x) / sqrt(x) };
    }

    /// exp(x) K1(x).
    fn k1e(x: f64) -> f64 {
        if !(x > 0.0) {
            return if x == 0.0 { INF } else { NAN };
        }
        return if x <= 1.0 { exp(x) * k1_near(x) } else { k1_scaled(x) / sqrt(x) };
    }
}

lanes! {
    j0(a) by plain_j0 unless j_is_rare;
    j1(a) by plain_j1 unless j_is_rare;
    y0(a) by plain_y0 unless y0_is_rare;
    y1(a);
    i0e(a);
    i1(a);
    i1e(a);
    k0(a);
    k0e(a);
    k1(a);
    k1e(a);
}
