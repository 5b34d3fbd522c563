//! Exponentials, logarithms and angles in forms that keep their digits, and what statistics makes of them.

#[allow(unused_imports)]
use crate::math::special::elementary::*;

const DEGREE: f64 = 0.017453292519943295;
const DEGREE_LOW: f64 = 2.9486522708701687e-19;

plain_functions! {
    /// 1 / (1 + exp(-x)).
    fn expit(x: f64) -> f64 {
        let e = exp(-abs(x));
        return (if x < 0.0 { e } else { 1.0 }) / (1.0 + e);
    }

    /// log(x / y) of numbers above zero that have a quotient of ordinary size.
    fn plain_log_ratio(x: f64, y: f64) -> f64 {
        let ratio = plain_quotient(x, y);
        return plain_log_rest(ratio, plain_quotient(fma(-ratio, y, x), x));
    }

    /// log(x / (1 - x)).
    fn plain_logit(x: f64) -> f64 {
        let rest = 1.0 - x;
        let ratio = plain_quotient(x, rest);
        let lost = fma(-ratio, rest, x) - ratio * ((1.0 - rest) - x);
        return plain_log_rest(ratio, plain_quotient(lost, x));
    }

    /// Whether logit takes another way.
    fn logit_is_rare(x: f64) -> bool {
        return !(x > 1e-280 && x < 1.0);
    }

    /// log(expit(x)).
    fn log_expit(x: f64) -> f64 {
        let rest = log1p(exp(-abs(x)));
        return if x < 0.0 { x - rest } else { -rest };
    }

    /// No argument of functions without branches.
    fn never_one(_x: f64) -> bool {
        return false;
    }

    /// x log(x / y) of numbers above zero.
    fn plain_rel_entr(x: f64, y: f64) -> f64 {
        return x * plain_log_ratio(x, y);
    }

    /// x log(x / y) - x + y of numbers above zero.
    fn plain_kl_div(x: f64, y: f64) -> f64 {
        let part = plain_quotient(y - x, x);
        let is_near = part > -0.29 && part < 0.41;
        // Beside each other, by what the logarithm is less than their difference.
        let near = -x * plain_log1p_tail(if is_near { part } else { 0.0 }, 0.0);
        return if is_near { near } else { fma(x, plain_log_ratio(x, y), y - x) };
    }

    /// log(1 + x + low) in two parts, x being above -0.999 and below 1e30, and low at most its rounding error.
    fn log1p_parts(x: f64, low: f64) -> (f64, f64) {
        let sum = 1.0 + x;
        let part = sum - 1.0;
        let lost = (1.0 - (sum - part)) + (x - part);
        let (log_high, log_low) = log_parts(sum);
        let rest = log_low + plain_quotient(lost + low, sum);
        let value = log_high + rest;
        return (value, (log_high - value) + rest);
    }

    /// (exp(lambda l) - 1) / lambda of a logarithm l in two parts.
    fn power_less_one(log_high: f64, log_low: f64, lambda: f64) -> f64 {
        let exponent = lambda * log_high;
        let low = fma(lambda, log_low, fma(lambda, log_high, -exponent));
        let value = expm1(exponent);
        return plain_quotient(fma(value + 1.0, low, value), lambda);
    }

    /// log(1 + lambda y) / lambda in two parts.
    fn log_over_lambda(y: f64, lambda: f64) -> (f64, f64) {
        let product = lambda * y;
        let (log_high, log_low) = log1p_parts(product, fma(lambda, y, -product));
        let quotient = plain_quotient(log_high, lambda);
        return (quotient, plain_quotient(fma(-quotient, lambda, log_high) + log_low, lambda));
    }

    /// (x^lambda - 1) / lambda of ordinary numbers.
    fn plain_boxcox(x: f64, lambda: f64) -> f64 {
        let (log_high, log_low) = log_parts(x);
        return power_less_one(log_high, log_low, lambda);
    }

    /// ((1 + x)^lambda - 1) / lambda of ordinary numbers.
    fn plain_boxcox1p(x: f64, lambda: f64) -> f64 {
        let (log_high, log_low) = log1p_parts(x, 0.0);
        return power_less_one(log_high, log_low, lambda);
    }

    /// The inverse of boxcox of ordinary numbers.
    fn plain_inv_boxcox(y: f64, lambda: f64) -> f64 {
        let (exponent, low) = log_over_lambda(y, lambda);
        return exp_sum(exponent, low);
    }

    /// The inverse of boxcox1p of ordinary numbers.
    fn plain_inv_boxcox1p(y: f64, lambda: f64) -> f64 {
        let (exponent, low) = log_over_lambda(y, lambda);
        let value = expm1(exponent);
        return fma(value + 1.0, low, value);
    }

    /// Whether boxcox takes another way.
    fn boxcox_is_rare(x: f64, lambda: f64) -> bool {
        return !(x > 1e-30 && x < 1e30 && abs(lambda) > 1e-15 && abs(lambda) < 10.0);
    }

    /// Whether boxcox1p takes another way.
    fn boxcox1p_is_rare(x: f64, lambda: f64) -> bool {
        return !(x > -0.999 && x < 1e30 && abs(x) > 1e-100 && abs(lambda) > 1e-15 && abs(lambda) < 10.0);
    }

    /// Whether their inverses take another way.
    fn inv_boxcox_is_rare(y: f64, lambda: f64) -> bool {
        let product = lambda * y;
        let is_large = abs(lambda) > 0.05 && product > -0.999;
        let is_small = abs(lambda) > 1e-15 && product > -0.5 && abs(y) < 300.0;
        return !((is_large || is_small) && abs(lambda) < 1e3 && abs(y) > 1e-100 && product < 1e15);
    }

    /// x log(y), y being normal.
    fn plain_xlogy(x: f64, y: f64) -> f64 {
        return x * plain_log(y);
    }

    /// Whether xlogy takes another way.
    fn xlogy_is_rare(x: f64, y: f64) -> bool {
        return !(y > 1e-300 && y < INF) || x == 0.0;
    }

    /// x log1p(y), y being above -1 and not large.
    fn plain_xlog1py(x: f64, y: f64) -> f64 {
        return x * plain_log1p(y);
    }

    /// Whether xlog1py takes another way.
    fn xlog1py_is_rare(x: f64, y: f64) -> bool {
        return !(y > -0.9999 && y < 1e15) || x == 0.0;
    }

    /// -x log(x), x being normal.
    fn plain_entr(x: f64) -> f64 {
        return -x * plain_log(x);
    }

    /// Whether entr takes another way.
    fn entr_is_rare(x: f64) -> bool {
        return !(x > 1e-300 && x < INF);
    }

    /// Sine and cosine of up to 45 degrees, the angle in radians not rounded.
    fn turn_of_degrees(r: f64) -> (f64, f64) {
        let h = r * DEGREE;
        let low = fma(r, DEGREE, -h) + r * DEGREE_LOW;
        let s = plain_sin(h);
        let c = plain_cos(h);
        return (fma(low, c, s), fma(-low, s, c));
    }

    /// The sine of up to 1e14 degrees.
    fn plain_sindg(x: f64) -> f64 {
        let a = abs(x);
        let n = rint(a / 90.0);
        let (s, c) = turn_of_degrees(fma(-90.0, n, a));
        let quarter = n - 4.0 * floor(0.25 * n);
        let value = if quarter == 0.0 { s } else if quarter == 1.0 { c } else if quarter == 2.0 { -s } else { -c };
        return if copysign(1.0, x) < 0.0 { -value } else { value };
    }

    /// The cosine of up to 1e14 degrees.
    fn plain_cosdg(x: f64) -> f64 {
        let a = abs(x);
        let n = rint(a / 90.0);
        let (s, c) = turn_of_degrees(fma(-90.0, n, a));
        let quarter = n - 4.0 * floor(0.25 * n);
        return if quarter == 0.0 { c } else if quarter == 1.0 { -s } else if quarter == 2.0 { -c } else { s };
    }

    /// Whether the sine and the cosine of degrees take another way.
    fn degrees_are_rare(x: f64) -> bool {
        return !(abs(x) < 1e14);
    }

    /// The tangent of degrees, or with a sign of -1 its inverse, where neither is zero.
    fn tangent_of_degrees(x: f64, sign: f64) -> f64 {
        let a = abs(x);
        let n = rint(a / 90.0);
        let (s, c) = turn_of_degrees(fma(-90.0, n, a));
        let is_odd = n - 2.0 * floor(0.5 * n) == 1.0;
        let is_upright = is_odd == (sign < 0.0);
        let value = plain_quotient(if is_upright { s } else { c }, if is_upright { c } else { s });
        let is_positive = is_odd == (x < 0.0);
        return if is_positive { value } else { -value };
    }

    /// The tangent of degrees that are no multiple of 45.
    fn plain_tandg(x: f64) -> f64 {
        return tangent_of_degrees(x, 1.0);
    }

    /// The cotangent of degrees that are no multiple of 45.
    fn plain_cotdg(x: f64) -> f64 {
        return tangent_of_degrees(x, -1.0);
    }

    /// Whether the tangent of degrees and its inverse take another way.
    fn tangent_is_rare(x: f64) -> bool {
        return !(abs(x) < 1e14 && abs(x) > 1e-200) || fma(-45.0, rint(x / 45.0), x) == 0.0;
    }

    /// Whether rel_entr and kl_div take another way.
    fn ratio_is_rare(x: f64, y: f64) -> bool {
        return !(x > 1e-140 && x < 1e140 && y > 1e-140 && y < 1e140);
    }
}

functions! {
    /// log(x / (1 - x)).
    fn logit(x: f64) -> f64 {
        if logit_is_rare(x) {
            return log(x / (1.0 - x));
        }
        return plain_logit(x);
    }

    /// (exp(x) - 1) / x.
    fn exprel(x: f64) -> f64 {
        if abs(x) < 1e-17 {
            return 1.0;
        }
        return if x > 717.0 { INF } else { expm1(x) / x };
    }

    /// cos(x) - 1.
    fn cosm1(x: f64) -> f64 {
        let s = sin(0.5 * x);
        return 0.0 - 2.0 * s * s;
    }

    /// Ten to the power of x.
    fn exp10(x: f64) -> f64 {
        return pow(10.0, x);
    }

    /// x log(y), zero where x is.
    fn xlogy(x: f64, y: f64) -> f64 {
        return if x == 0.0 && !is_nan(y) { 0.0 } else { x * log(y) };
    }

    /// x log1p(y), zero where x is.
    fn xlog1py(x: f64, y: f64) -> f64 {
        return if x == 0.0 && !is_nan(y) { 0.0 } else { x * log1p(y) };
    }

    /// -x log(x), zero at zero.
    fn entr(x: f64) -> f64 {
        if x > 0.0 || is_nan(x) {
            return -x * log(x);
        }
        return if x == 0.0 { 0.0 } else { -INF };
    }

    /// log(x / y) of numbers above zero.
    fn log_ratio(x: f64, y: f64) -> f64 {
        return if ratio_is_rare(x, y) { log_ratio_anywhere(x, y) } else { plain_log_ratio(x, y) };
    }

    /// The same where a quotient may leave the range of numbers.
    fn log_ratio_anywhere(x: f64, y: f64) -> f64 {
        let ratio = x / y;
        if ratio > 0.5 && ratio < 2.0 {
            return log1p((x - y) / y);
        }
        if ratio > 1e-300 && ratio < 1e300 {
            return log(ratio);
        }
        return log(x) - log(y);
    }

    /// x log(x / y).
    fn rel_entr(x: f64, y: f64) -> f64 {
        if is_nan(x) || is_nan(y) {
            return NAN;
        }
        if x > 0.0 && y > 0.0 {
            return x * log_ratio(x, y);
        }
        return if x == 0.0 && y >= 0.0 { 0.0 } else { INF };
    }

    /// x log(x / y) - x + y.
    fn kl_div(x: f64, y: f64) -> f64 {
        if is_nan(x) || is_nan(y) {
            return NAN;
        }
        if !ratio_is_rare(x, y) {
            return plain_kl_div(x, y);
        }
        if x > 0.0 && y > 0.0 {
            return fma(x, log_ratio_anywhere(x, y), y - x);
        }
        return if x == 0.0 && y >= 0.0 { y } else { INF };
    }

    /// Half the square of r up to delta, growing evenly from there.
    fn huber(delta: f64, r: f64) -> f64 {
        let a = abs(r);
        if delta < 0.0 {
            return INF;
        }
        return if a <= delta { 0.5 * r * r } else { delta * (a - 0.5 * delta) };
    }

    /// delta^2 (sqrt(1 + (r / delta)^2) - 1).
    fn pseudo_huber(delta: f64, r: f64) -> f64 {
        if delta < 0.0 {
            return INF;
        }
        if delta == 0.0 || r == 0.0 {
            return 0.0;
        }
        let v = r / delta;
        if abs(v) > 1e150 {
            return delta * abs(r);
        }
        let square = v * v;
        return delta * delta * (square / (sqrt(1.0 + square) + 1.0));
    }

    /// (x^lambda - 1) / lambda.
    fn boxcox(x: f64, lambda: f64) -> f64 {
        if !boxcox_is_rare(x, lambda) {
            return plain_boxcox(x, lambda);
        }
        let l = log(x);
        return if abs(lambda) < 1e-19 { l } else { expm1(lambda * l) / lambda };
    }

    /// ((1 + x)^lambda - 1) / lambda.
    fn boxcox1p(x: f64, lambda: f64) -> f64 {
        if !boxcox1p_is_rare(x, lambda) {
            return plain_boxcox1p(x, lambda);
        }
        let l = log1p(x);
        if abs(lambda) < 1e-19 || (abs(l) < 1e-289 && abs(lambda) < 1e273) {
            return l;
        }
        return expm1(lambda * l) / lambda;
    }

    /// log(1 + lambda y), whose product may be too large for a double.
    fn log_of_power(y: f64, lambda: f64) -> f64 {
        let product = lambda * y;
        return if product == INF { log(abs(lambda)) + log(abs(y)) } else { log1p(product) };
    }

    /// The inverse of boxcox.
    fn inv_boxcox(y: f64, lambda: f64) -> f64 {
        if !inv_boxcox_is_rare(y, lambda) {
            return plain_inv_boxcox(y, lambda);
        }
        return if lambda == 0.0 { exp(y) } else { exp(log_of_power(y, lambda) / lambda) };
    }

    /// The inverse of boxcox1p.
    fn inv_boxcox1p(y: f64, lambda: f64) -> f64 {
        if !inv_boxcox_is_rare(y, lambda) {
            return plain_inv_boxcox1p(y, lambda);
        }
        if lambda == 0.0 {
            return expm1(y);
        }
        let product = lambda * y;
        return if abs(product) < 1e-154 { y } else { expm1(log_of_power(y, lambda) / lambda) };
    }

    /// The angle of degrees, minutes and seconds in radians.
    fn radian(d: f64, m: f64, s: f64) -> f64 {
        return ((d * 60.0 + m) * 60.0 + s) * 4.84813681109536e-6;
    }

    /// The sine of degrees.
    fn sindg(x: f64) -> f64 {
        if degrees_are_rare(x) {
            return if is_nan(x) { x } else { 0.0 };
        }
        return plain_sindg(x);
    }

    /// The cosine of degrees.
    fn cosdg(x: f64) -> f64 {
        if degrees_are_rare(x) {
            return if is_nan(x) { x } else { 0.0 };
        }
        return plain_cosdg(x);
    }

    /// The tangent of degrees; where it is infinite the sign is that of the angle beyond it.
    fn tandg(x: f64) -> f64 {
        if !(abs(x) < 1e14) {
            return if is_nan(x) { x } else { 0.0 };
        }
        let r = fma(-180.0, rint(x / 180.0), x);
        if abs(r) == 90.0 {
            return INF;
        }
        if abs(r) == 45.0 {
            return copysign(1.0, r);
        }
        if abs(x) < 1e-200 {
            return x * DEGREE;
        }
        return if r == 0.0 { copysign(0.0, x) } else { tangent_of_degrees(x, 1.0) };
    }

    /// The cotangent of degrees.
    fn cotdg(x: f64) -> f64 {
        if !(abs(x) < 1e14) {
            return if is_nan(x) { x } else { 0.0 };
        }
        let r = fma(-180.0, rint(x / 180.0), x);
        if r == 0.0 {
            return INF;
        }
        if abs(r) == 45.0 {
            return copysign(1.0, r);
        }
        if abs(x) < 1e-200 {
            return 1.0 / (x * DEGREE);
        }
        return if abs(r) == 90.0 { copysign(0.0, x) } else { tangent_of_degrees(x, -1.0) };
    }
}

lanes! {
    expit(a) by expit unless never_one;
    logit(a) by plain_logit unless logit_is_rare;
    log_expit(a) by log_expit unless never_one;
    exprel(a);
    cosm1(a);
    exp10(a);
    xlogy(a, b) by plain_xlogy unless xlogy_is_rare;
    xlog1py(a, b) by plain_xlog1py unless xlog1py_is_rare;
    entr(a) by plain_entr unless entr_is_rare;
    rel_entr(a, b) by plain_rel_entr unless ratio_is_rare;
    kl_div(a, b) by plain_kl_div unless ratio_is_rare;
    huber(a, b);
    pseudo_huber(a, b);
    boxcox(a, b) by plain_boxcox unless boxcox_is_rare;
    boxcox1p(a, b) by plain_boxcox1p unless boxcox1p_is_rare;
    inv_boxcox(a, b) by plain_inv_boxcox unless inv_boxcox_is_rare;
    inv_boxcox1p(a, b) by plain_inv_boxcox1p unless inv_boxcox_is_rare;
    radian(a, b, c);
    sindg(a) by plain_sindg unless degrees_are_rare;
    cosdg(a) by plain_cosdg unless degrees_are_rare;
    tandg(a) by plain_tandg unless tangent_is_rare;
    cotdg(a) by plain_cotdg unless tangent_is_rare;
}
