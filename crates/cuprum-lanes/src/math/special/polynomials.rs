//! Orthogonal polynomials and Legendre functions.

#[allow(unused_imports)]
use super::beta::*;
#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use super::hypergeometric::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

plain_functions! {
    /// Whether a degree is no small whole number.
    fn degree_is_rare(n: f64) -> bool {
        return !(n >= 0.0 && n < 64.0) || (n + 4503599627370496.0) - 4503599627370496.0 != n;
    }

    /// Chebyshev's polynomials of the first kind and degrees zero and one.
    fn chebyt_start(x: f64) -> (f64, f64) {
        return (1.0, x);
    }

    /// Chebyshev's polynomials of the next degree.
    fn chebyshev_step(_k: f64, x: f64, before: f64, value: f64) -> (f64, f64) {
        return (value, fma(2.0 * x, value, -before));
    }

    /// Whether the polynomials take another way: far away they may be too large for a double.
    fn polynomial_is_rare(n: f64, x: f64) -> bool {
        return degree_is_rare(n) || !(abs(x) < 1e4);
    }

    /// Chebyshev's polynomials of the second kind and degrees zero and one.
    fn chebyu_start(x: f64) -> (f64, f64) {
        return (1.0, 2.0 * x);
    }

    /// The Legendre polynomial of the next degree.
    fn legendre_step(k: f64, x: f64, before: f64, value: f64) -> (f64, f64) {
        return (value, fma((2.0 * k + 1.0) * x, value, -k * before) / (k + 1.0));
    }

    /// Hermite's polynomial of the physicists and the next degree.
    fn hermite_step(k: f64, x: f64, before: f64, value: f64) -> (f64, f64) {
        return (value, 2.0 * fma(x, value, -k * before));
    }

    /// Hermite's polynomial of the statisticians and the next degree.
    fn hermitenorm_step(k: f64, x: f64, before: f64, value: f64) -> (f64, f64) {
        return (value, fma(x, value, -k * before));
    }

    /// Whether Hermite's polynomials take another way: they may be too large for a double on the way.
    fn hermite_is_rare(n: f64, x: f64) -> bool {
        return degree_is_rare(n) || !(abs(x) < 1e3);
    }

    /// Gegenbauer's polynomials of degrees zero and one.
    fn gegenbauer_start(alpha: f64, x: f64) -> (f64, f64) {
        return (1.0, 2.0 * alpha * x);
    }

    /// Gegenbauer's polynomial of the next degree.
    fn gegenbauer_step(k: f64, alpha: f64, x: f64, before: f64, value: f64) -> (f64, f64) {
        return (value, (2.0 * (k + alpha) * x * value - (k + 2.0 * alpha - 1.0) * before) / (k + 1.0));
    }

    /// Whether Gegenbauer's polynomials take another way.
    fn gegenbauer_is_rare(n: f64, alpha: f64, x: f64) -> bool {
        return degree_is_rare(n) || !(abs(alpha) < 1e2 && abs(x) < 1e2);
    }

    /// Laguerre's generalized polynomial of degree one, and what it is more than it would be if it grew with the degree as at zero.
    fn genlaguerre_start(alpha: f64, x: f64) -> (f64, f64) {
        return (-x, (alpha - x) + 1.0);
    }

    /// The same of the next degree: such differences lose less than the polynomials themselves.
    fn genlaguerre_step(k: f64, alpha: f64, x: f64, step: f64, value: f64) -> (f64, f64) {
        let inverse = plain_inverse(k + 1.0);
        let next = fma(-x, value, k * step) * inverse;
        return (next, fma(alpha * inverse, value, next) + value);
    }

    /// The value of one degree of those that were reached.
    fn polynomial_end(n: f64, _x: f64, value: f64) -> f64 {
        return if n == 0.0 { 1.0 } else { value };
    }

    /// The same with another argument.
    fn gegenbauer_end(n: f64, _alpha: f64, _x: f64, value: f64) -> f64 {
        return if n == 0.0 { 1.0 } else { value };
    }

    /// Whether Laguerre's polynomials take another way.
    fn genlaguerre_is_rare(n: f64, alpha: f64, x: f64) -> bool {
        return degree_is_rare(n) || !(alpha > -1.0 && alpha < 1e2 && abs(x) < 1e4);
    }
}

functions! {
    /// A polynomial of x with a leading coefficient above zero, infinite where the steps to it left the doubles.
    fn beyond(n: f64, x: f64, value: f64) -> f64 {
        if !is_nan(value) {
            return value;
        }
        return if x < 0.0 && 2.0 * floor(0.5 * n) != n { -INF } else { INF };
    }

    /// The associated Legendre function of an order from zero to 30 near x = -1, where the degree is not whole: by its series
    /// in w = (1 + x)/2, which has a logarithm in it.
    fn lpmv_left(order: f64, degree: f64, x: f64) -> f64 {
        let w = 0.5 * (1.0 + x);
        let s = sqrt((1.0 - x) * (1.0 + x));
        let start = order - degree;
        let end = order + degree + 1.0;
        let mut first = 0.0;
        let mut term = 1.0;
        let mut k = 0.0;
        while k < order {
            first += term;
            term *= (k - degree) * (degree + 1.0 + k) / ((k + 1.0) * (1.0 - order + k)) * w;
            k += 1.0;
        }
        if order > 0.0 {
            first *= gamma(order) * gamma(order + 1.0) * rgamma(start) * rgamma(end);
        }
        let logarithm = log(w);
        let mut digammas = (psi(start) + psi(end)) - (psi(1.0) + psi(order + 1.0));
        let mut second = 0.0;
        term = rgamma(order + 1.0);
        k = 0.0;
        while k < 500.0 {
            let part = term * (logarithm + digammas);
            second += part;
            digammas += 1.0 / (start + k) + 1.0 / (end + k) - 1.0 / (k + 1.0) - 1.0 / (order + 1.0 + k);
            term *= (start + k) * (end + k) / ((k + 1.0) * (order + 1.0 + k)) * w;
            k += 1.0;
            if abs(part) + abs(term) < 1e-17 * abs(second) {
                break;
            }
        }
        let sign = if 2.0 * floor(0.5 * order) == order { 1.0 } else { -1.0 };
        let value = fma(pow(w, -order), first, sign * gamma(order + 1.0) * sinpi(degree) / 3.141592653589793 * second);
        return if order == 0.0 { value } else { poch(degree - order + 1.0, 2.0 * order) * rgamma(order + 1.0) * pow(-0.5 * s, order) * value };
    }

    /// The associated Legendre function of an order from zero on, by its series about one.
    fn lpmv_series(order: f64, degree: f64, x: f64) -> f64 {
        if x < -0.98 && order <= 30.0 && degree < 60.0 {
            return lpmv_left(order, degree, x);
        }
        let s = sqrt((1.0 - x) * (1.0 + x));
        let mut factor = poch(degree - order + 1.0, 2.0 * order) * rgamma(order + 1.0) * pow(-0.5 * s, order);
        if order == 0.0 {
            factor = 1.0;
        }
        return factor * hyp2f1_series(order - degree, order + degree + 1.0, order + 1.0, 0.5 * (1.0 - x));
    }

    /// The associated Legendre function of degree v and whole order m, with the phase of Condon and Shortley.
    fn lpmv(m: f64, v: f64, x: f64) -> f64 {
        if is_nan(m) || is_nan(v) || is_nan(x) || floor(m) != m {
            return NAN;
        }
        if abs(x) > 1.0 {
            return if m == 0.0 && abs(v) < 1e6 { legendre_outside(if v < -0.5 { -v - 1.0 } else { v }, x) } else { NAN };
        }
        let degree = if v < -0.5 { -v - 1.0 } else { v };
        let order = abs(m);
        let whole = floor(degree) == degree;
        if degree > 1e6 || order > 1e6 {
            return NAN;
        }
        if whole && order > degree {
            // No symmetry gives those of negative order; SciPy has none of them.
            return if m < 0.0 { NAN } else { 0.0 };
        }
        let mut value = 0.0;
        if whole {
            // P_m^m, then upwards in the degree.
            let s = sqrt((1.0 - x) * (1.0 + x));
            let mut below = 0.0;
            value = 1.0;
            let mut k = 1.0;
            while k <= order {
                value *= -(2.0 * k - 1.0) * s;
                k += 1.0;
            }
            let mut l = order;
            while l < degree {
                let next = ((2.0 * l + 1.0) * x * value - (l + order) * below) / (l + 1.0 - order);
                below = value;
                value = next;
                l += 1.0;
            }
        } else {
            if x == -1.0 {
                return if order == 0.0 { -INF * copysign(1.0, sinpi(degree)) } else { NAN };
            }
            // The series loses digits with the degree; above some degree upwards from there.
            let least = if order > 20.0 { order } else { 20.0 };
            let steps = if x > -0.9 || order == 0.0 { floor(degree - least) } else { 0.0 };
            if steps < 1.0 {
                value = lpmv_series(order, degree, x);
            } else {
                let mut l = degree - steps;
                let mut below = lpmv_series(order, l, x);
                l += 1.0;
                value = lpmv_series(order, l, x);
                while l < degree - 0.5 {
                    let next = ((2.0 * l + 1.0) * x * value - (l + order) * below) / (l + 1.0 - order);
                    below = value;
                    value = next;
                    l += 1.0;
                }
            }
        }
        if m < 0.0 {
            let sign = if 2.0 * floor(0.5 * order) == order { 1.0 } else { -1.0 };
            return sign * value / poch(degree - order + 1.0, 2.0 * order);
        }
        return value;
    }

    /// The Legendre function of degree n and order m at an angle, normalised for spherical harmonics.
    fn sph_legendre_p(n: f64, m: f64, theta: f64) -> f64 {
        if is_nan(n) || is_nan(m) || is_nan(theta) || n < 0.0 || n > 1e6 {
            return NAN;
        }
        let order = abs(m);
        if order > n {
            return 0.0;
        }
        let x = cos(theta);
        let s = abs(sin(theta));
        let mut value = 0.28209479177387814;
        let mut k = 1.0;
        while k <= order {
            value *= -s * sqrt((2.0 * k + 1.0) / (2.0 * k));
            k += 1.0;
        }
        let mut below = 0.0;
        let mut l = order;
        let mut last = 0.0;
        while l < n {
            let next_l = l + 1.0;
            let width = (next_l - order) * (next_l + order);
            let scale = sqrt((2.0 * next_l - 1.0) * (2.0 * next_l + 1.0) / width);
            let next = scale * (x * value - last * below);
            last = 1.0 / scale;
            below = value;
            value = next;
            l = next_l;
        }
        if m < 0.0 && 2.0 * floor(0.5 * order) != order {
            return -value;
        }
        return value;
    }

    /// The Legendre polynomial, or function where n is not whole.
    fn eval_legendre(n: f64, x: f64) -> f64 {
        let degree = if n < -0.5 { -n - 1.0 } else { n };
        if is_nan(n) || is_nan(x) || degree > 1e6 {
            return NAN;
        }
        if floor(degree) != degree {
            return if abs(x) > 1.0 { legendre_outside(degree, x) } else { lpmv(0.0, degree, x) };
        }
        return legendre_whole(degree, x);
    }

    /// The Legendre function of an x beyond one in size.
    fn legendre_outside(degree: f64, x: f64) -> f64 {
        if floor(degree) == degree {
            return legendre_whole(degree, x);
        }
        return if x > 1.0 { hyp2f1_alternating(-degree, degree + 1.0, 1.0, 0.5 * (1.0 - x)) } else { NAN };
    }

    /// The Legendre polynomial.
    fn legendre_whole(degree: f64, x: f64) -> f64 {
        let mut before = 1.0;
        let mut value = x;
        if degree == 0.0 {
            return 1.0;
        }
        let mut k = 1.0;
        while k < degree {
            let (_last, next) = legendre_step(k, x, before, value);
            before = value;
            value = next;
            k += 1.0;
        }
        return beyond(degree, x, value);
    }

    /// Chebyshev's polynomial of the first kind.
    fn eval_chebyt(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) {
            return NAN;
        }
        let degree = abs(n);
        if floor(degree) == degree && degree < 1e5 {
            let mut before = 1.0;
            let mut value = x;
            if degree == 0.0 {
                return 1.0;
            }
            let mut k = 1.0;
            while k < degree {
                let (_last, next) = chebyshev_step(k, x, before, value);
                before = value;
                value = next;
                k += 1.0;
            }
            return beyond(degree, x, value);
        }
        if abs(x) <= 1.0 {
            return cos(degree * atan2(sqrt((1.0 - x) * (1.0 + x)), x));
        }
        if x < -1.0 && floor(degree) != degree {
            return NAN;
        }
        let a = abs(x);
        let value = cosh(degree * log(a + sqrt((a - 1.0) * (a + 1.0))));
        return if x < 0.0 && 2.0 * floor(0.5 * degree) != degree { -value } else { value };
    }

    /// Chebyshev's polynomial of the second kind.
    fn eval_chebyu(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) {
            return NAN;
        }
        if n == -1.0 {
            return 0.0;
        }
        if n < -1.0 && floor(n) == n {
            return -chebyu_right(-n - 2.0, x);
        }
        return chebyu_right(n, x);
    }

    /// The same for degrees from zero on.
    fn chebyu_right(n: f64, x: f64) -> f64 {
        if floor(n) == n && n < 1e5 {
            let mut before = 1.0;
            let mut value = 2.0 * x;
            if n == 0.0 {
                return 1.0;
            }
            let mut k = 1.0;
            while k < n {
                let (_last, next) = chebyshev_step(k, x, before, value);
                before = value;
                value = next;
                k += 1.0;
            }
            return beyond(n, x, value);
        }
        if x == 1.0 {
            return n + 1.0;
        }
        if abs(x) < 1.0 {
            let s = sqrt((1.0 - x) * (1.0 + x));
            return sin((n + 1.0) * atan2(s, x)) / s;
        }
        if x < 0.0 {
            return NAN;
        }
        let root = sqrt((x - 1.0) * (x + 1.0));
        return sinh((n + 1.0) * log(x + root)) / root;
    }

    /// A value that was divided by 1e200 so many times.
    fn scaled_up(value: f64, times: f64) -> f64 {
        let mut result = value;
        let mut left = times;
        while left > 0.0 && abs(result) < INF {
            result *= 1e200;
            left -= 1.0;
        }
        return result;
    }

    /// Hermite's polynomial of the physicists.
    fn eval_hermite(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) || n < 0.0 || n > 1e6 || floor(n) != n {
            return NAN;
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = 2.0 * x;
        let mut times = 0.0;
        let mut k = 1.0;
        while k < n {
            let (_last, next) = hermite_step(k, x, before, value);
            before = value;
            value = next;
            if abs(value) > 1e250 {
                value *= 1e-200;
                before *= 1e-200;
                times += 1.0;
            }
            k += 1.0;
        }
        return beyond(n, x, scaled_up(value, times));
    }

    /// Hermite's polynomial of the statisticians.
    fn eval_hermitenorm(n: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(x) || n < 0.0 || n > 1e6 || floor(n) != n {
            return NAN;
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = x;
        let mut times = 0.0;
        let mut k = 1.0;
        while k < n {
            let (_last, next) = hermitenorm_step(k, x, before, value);
            before = value;
            value = next;
            if abs(value) > 1e250 {
                value *= 1e-200;
                before *= 1e-200;
                times += 1.0;
            }
            k += 1.0;
        }
        return beyond(n, x, scaled_up(value, times));
    }

    /// Laguerre's generalized polynomial, or function where n is not whole.
    fn eval_genlaguerre(n: f64, alpha: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(alpha) || is_nan(x) || alpha <= -1.0 || n > 1e6 {
            return NAN;
        }
        if floor(n) != n || n < 0.0 {
            return binom(n + alpha, n) * hyp1f1(-n, alpha + 1.0, x);
        }
        if n == 0.0 {
            return 1.0;
        }
        let (first, second) = genlaguerre_start(alpha, x);
        let mut step = first;
        let mut value = second;
        let mut k = 1.0;
        while k < n {
            let (last, next) = genlaguerre_step(k, alpha, x, step, value);
            step = last;
            value = next;
            k += 1.0;
        }
        return beyond(n, if alpha > x { 1.0 } else { -x }, value);
    }

    /// Gegenbauer's polynomial, of whole degree.
    fn eval_gegenbauer(n: f64, alpha: f64, x: f64) -> f64 {
        if is_nan(n) || is_nan(alpha) || is_nan(x) || n > 1e6 {
            return NAN;
        }
        if floor(n) != n || n < 0.0 {
            if x > 1.0 || x <= -1.0 {
                return NAN;
            }
            let scale = gamma(n + 2.0 * alpha) * rgamma(1.0 + n) * rgamma(2.0 * alpha);
            return scale * hyp2f1_series(-n, n + 2.0 * alpha, alpha + 0.5, 0.5 * (1.0 - x));
        }
        if n == 0.0 {
            return 1.0;
        }
        let mut before = 1.0;
        let mut value = 2.0 * alpha * x;
        let mut k = 1.0;
        while k < n {
            let (_last, next) = gegenbauer_step(k, alpha, x, before, value);
            before = value;
            value = next;
            k += 1.0;
        }
        return if alpha > 0.0 { beyond(n, x, value) } else { value };
    }
}

lanes! {
    lpmv(a, b, c);
    sph_legendre_p(a, b, c);
    eval_legendre(a, b) by legendre_step from chebyt_start to polynomial_end unless polynomial_is_rare;
    eval_chebyt(a, b) by chebyshev_step from chebyt_start to polynomial_end unless polynomial_is_rare;
    eval_chebyu(a, b) by chebyshev_step from chebyu_start to polynomial_end unless polynomial_is_rare;
    eval_hermite(a, b) by hermite_step from chebyu_start to polynomial_end unless hermite_is_rare;
    eval_hermitenorm(a, b) by hermitenorm_step from chebyt_start to polynomial_end unless hermite_is_rare;
    eval_genlaguerre(a, b, c) by genlaguerre_step from genlaguerre_start to gegenbauer_end unless genlaguerre_is_rare;
    eval_gegenbauer(a, b, c) by gegenbauer_step from gegenbauer_start to gegenbauer_end unless gegenbauer_is_rare;
}
