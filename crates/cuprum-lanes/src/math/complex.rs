//! The elementary functions of complex numbers in double precision, with C99's special values (Annex G).
//!
//! Single precision is computed here too and rounded by the caller. Branch cuts follow the sign of zero.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, LOG10_E, PI};

use num_complex::Complex;

use super::trig::{sin_cos, tangent};

type C = Complex<f64>;

/// The largest argument whose exponential surely does not overflow.
const EXP_LIMIT: f64 = 709.0;
/// Beyond this, squares leave the range in which a sum of them is accurate.
const LARGE: f64 = 1e150;
const NAN: C = C::new(f64::NAN, f64::NAN);

/// `factor * e^x * (cos y, sin y)`, for finite arguments, without overflow on the way.
fn scaled_cis(factor: f64, mut x: f64, y: f64) -> C {
    let (mut sin, mut cos) = sin_cos(y);
    // Each step takes out a power of e that is still finite; after two, what remains overflows rightly.
    for _ in 0..2 {
        if x > EXP_LIMIT {
            let step = EXP_LIMIT.exp();
            sin *= step;
            cos *= step;
            x -= EXP_LIMIT;
        }
    }
    let e = x.exp() * factor;
    C::new(e * cos, e * sin)
}

/// `e^z`.
pub fn exp(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(x.exp(), y);
    }
    if x == f64::NEG_INFINITY {
        let (sin, cos) = if y.is_finite() { sin_cos(y) } else { (y, 1.0) };
        return C::new(0f64.copysign(cos), 0f64.copysign(sin));
    }
    if x == f64::INFINITY {
        if !y.is_finite() {
            return C::new(f64::INFINITY, f64::NAN);
        }
        let (sin, cos) = sin_cos(y);
        return C::new(x.copysign(cos), x.copysign(sin));
    }
    if x.is_nan() || !y.is_finite() { NAN } else { scaled_cis(1.0, x, y) }
}

/// `2^z`. The phase is carried in two parts, lest its rounding turn the result.
pub fn exp2(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 || !x.is_finite() || !y.is_finite() {
        return if y == 0.0 { C::new(x.exp2(), y) } else { exp(C::new(x * LN_2, y * LN_2)) };
    }
    const LN_2_TAIL: f64 = 2.319_046_813_846_299_6e-17;
    let phase = y * LN_2;
    let rest = y.mul_add(LN_2, -phase) + y * LN_2_TAIL;
    let (sin, cos) = phase.sin_cos();
    let (turn_sin, turn_cos) = rest.sin_cos();
    // Half of the exponent at a time: the whole power may overflow where the product does not.
    let power = (0.5 * x).exp2();
    C::new(
        (cos * turn_cos - sin * turn_sin) * power * power,
        (sin * turn_cos + cos * turn_sin) * power * power,
    )
}

/// `e^z - 1`, by NumPy's formula, accurate near zero.
pub fn expm1(z: C) -> C {
    let (sin, cos) = sin_cos(z.im);
    let half = (0.5 * z.im).sin();
    C::new(z.re.exp_m1() * cos - 2.0 * half * half, z.re.exp() * sin)
}

/// The sum of two numbers and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// `offset + linear + a^2 + b^2`, nearly exact where the terms cancel.
fn sum_of_squares(offset: f64, linear: f64, a: f64, b: f64) -> f64 {
    let (aa, bb) = (a * a, b * b);
    let errors = a.mul_add(a, -aa) + b.mul_add(b, -bb);
    let (sum, e1) = two_sum(offset, linear);
    let (sum, e2) = two_sum(sum, aa);
    let (sum, e3) = two_sum(sum, bb);
    sum + (e1 + e2 + e3 + errors)
}

/// The logarithm of the modulus.
fn log_modulus(x: f64, y: f64) -> f64 {
    let (large, small) = if x.abs() >= y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
    let square = large * large + small * small;
    if (0.5..=3.0).contains(&square) {
        return 0.5 * sum_of_squares(-1.0, 0.0, large, small).ln_1p();
    }
    if large > LARGE && large.is_finite() {
        return (0.25 * large).hypot(0.25 * small).ln() + 2.0 * LN_2;
    }
    if large < f64::MIN_POSITIVE && large > 0.0 {
        let lift = f64::from_bits((1023 + 100) << 52);
        return (lift * large).hypot(lift * small).ln() - 100.0 * LN_2;
    }
    x.hypot(y).ln()
}

/// The principal logarithm.
pub fn log(z: C) -> C {
    C::new(log_modulus(z.re, z.im), z.im.atan2(z.re))
}

/// The logarithm to base 2.
pub fn log2(z: C) -> C {
    let w = log(z);
    C::new(w.re * LOG2_E, w.im * LOG2_E)
}

/// The logarithm to base 10.
pub fn log10(z: C) -> C {
    let w = log(z);
    C::new(w.re * LOG10_E, w.im * LOG10_E)
}

/// `log(1 + z)`, accurate near zero.
pub fn log1p(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let shifted = x + 1.0;
    let square = shifted * shifted + y * y;
    let re = if (0.5..=3.0).contains(&square) {
        0.5 * sum_of_squares(0.0, 2.0 * x, x, y).ln_1p()
    } else {
        log_modulus(shifted, y)
    };
    C::new(re, y.atan2(shifted))
}

/// The square root with a real part that is not negative.
pub fn sqrt(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y.is_infinite() {
        return C::new(f64::INFINITY, y);
    }
    if x.is_infinite() {
        let rest = if y.is_nan() { y } else { 0f64.copysign(y) };
        return if x > 0.0 { C::new(x, rest) } else { C::new(rest.abs(), f64::INFINITY.copysign(y)) };
    }
    if x.is_nan() || y.is_nan() {
        return NAN;
    }
    if x == 0.0 && y == 0.0 {
        return C::new(0.0, y);
    }
    let size = x.abs().max(y.abs());
    let (scale, back) = if size > 4e307 {
        (0.25, 2.0)
    } else if size < 1e-290 {
        (f64::from_bits((1023 + 108) << 52), f64::from_bits((1023 - 54) << 52))
    } else {
        (1.0, 1.0)
    };
    let (x, y) = (x * scale, y * scale);
    let root = (0.5 * (x.abs() + x.hypot(y))).sqrt();
    let other = y.abs() / (2.0 * root);
    let (re, im) = if x >= 0.0 { (root, other) } else { (other, root) };
    C::new(re * back, (im * back).copysign(y))
}

/// The hyperbolic sine.
pub fn sinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(x.sinh(), y);
    }
    if !y.is_finite() {
        let re = if x == 0.0 || x.is_infinite() { x } else { f64::NAN };
        return C::new(if x.is_infinite() { re.abs() } else { re }, f64::NAN);
    }
    let (sin, cos) = sin_cos(y);
    if x.abs() > EXP_LIMIT {
        if x.is_infinite() {
            return C::new(x * cos, x.abs() * sin);
        }
        let w = scaled_cis(0.5, x.abs(), y);
        return C::new(w.re.copysign(x * cos), w.im);
    }
    C::new(x.sinh() * cos, x.cosh() * sin)
}

/// The hyperbolic cosine.
pub fn cosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        let im = if x.is_nan() { y } else { y * 1f64.copysign(x) };
        return C::new(x.cosh(), im);
    }
    if !y.is_finite() {
        if x == 0.0 {
            return C::new(f64::NAN, 0.0);
        }
        return C::new(if x.is_infinite() { f64::INFINITY } else { f64::NAN }, f64::NAN);
    }
    let (sin, cos) = sin_cos(y);
    if x.abs() > EXP_LIMIT {
        if x.is_infinite() {
            return C::new(x.abs() * cos, x * sin);
        }
        let w = scaled_cis(0.5, x.abs(), y);
        return C::new(w.re, w.im.copysign(x * sin));
    }
    C::new(x.cosh() * cos, x.sinh() * sin)
}

/// The hyperbolic tangent.
pub fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_infinite() {
        let turn = if y.is_finite() { (2.0 * y).sin() } else { y };
        return C::new(1f64.copysign(x), 0f64.copysign(turn));
    }
    if !y.is_finite() {
        return C::new(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if x.is_nan() {
        return C::new(x, if y == 0.0 { y } else { x });
    }
    if x.abs() > 22.0 {
        let (sin, cos) = sin_cos(y);
        let decay = (-x.abs()).exp();
        return C::new(1f64.copysign(x), 4.0 * sin * cos * decay * decay);
    }
    let tangent = tangent(y);
    let secant = 1.0 + tangent * tangent;
    let sinh = x.sinh();
    let denominator = 1.0 + secant * sinh * sinh;
    C::new(secant * (1.0 + sinh * sinh).sqrt() * sinh / denominator, tangent / denominator)
}

/// The sine.
pub fn sin(z: C) -> C {
    let w = sinh(C::new(-z.im, z.re));
    // The sign of this infinity is unspecified; glibc's is plus.
    C::new(w.im, if w.im.is_nan() && w.re.is_infinite() { w.re } else { -w.re })
}

/// The cosine.
pub fn cos(z: C) -> C {
    cosh(C::new(-z.im, z.re))
}

/// The tangent.
pub fn tan(z: C) -> C {
    let w = tanh(C::new(-z.im, z.re));
    C::new(w.im, -w.re)
}

/// The pieces of the inverse sine and cosine of `a + ib` in the first quadrant, after Hull, Fairgrieve and
/// Tang: the real part of the inverse sine, that of the inverse cosine, and the size of the imaginary part of both.
fn inverse(a: f64, b: f64) -> (f64, f64, f64) {
    const TINY: f64 = 6e-154;
    const HUGE: f64 = 1.6e153;
    let in_range = |v: f64| v > TINY && v < HUGE;
    if in_range(a) && in_range(b) {
        return inverse_in_range(a, b);
    }
    if b < f64::EPSILON * (a - 1.0).abs() {
        if a < 1.0 {
            return (a.asin(), a.acos(), b / ((1.0 - a) * (1.0 + a)).sqrt());
        }
        let squared = (a - 1.0) * (a + 1.0);
        let root = squared.sqrt();
        let im = if squared < f64::INFINITY { (a - 1.0 + root).ln_1p() } else { LN_2 + a.ln() };
        return (FRAC_PI_2, b / root, im);
    }
    if b <= TINY {
        // Here a is one to within the precision, or b is at least that large beside it.
        if a == 1.0 || (a - 1.0).abs() < TINY {
            let root = b.sqrt();
            return (FRAC_PI_2 - root, root, root);
        }
        return inverse_in_range(a, b);
    }
    if f64::EPSILON * b - 1.0 >= a {
        return (a / b, FRAC_PI_2, LN_2 + b.ln());
    }
    if a > 1.0 {
        let ratio = a / b;
        return (ratio.atan(), (b / a).atan(), LN_2 + b.ln() + 0.5 * (ratio * ratio).ln_1p());
    }
    let modulus = (1.0 + b * b).sqrt();
    let re = a / modulus;
    (re, FRAC_PI_2 - re, 0.5 * (2.0 * b * (b + modulus)).ln_1p())
}

fn inverse_in_range(a: f64, b: f64) -> (f64, f64, f64) {
    let r = (a + 1.0).hypot(b);
    let s = (a - 1.0).hypot(b);
    let mean = 0.5 * (r + s);
    let ratio = a / mean;
    let (asin, acos) = if ratio <= 0.6417 {
        (ratio.asin(), ratio.acos())
    } else {
        let above = mean + a;
        let root = if a <= 1.0 {
            (0.5 * above * (b * b / (r + a + 1.0) + (s + (1.0 - a)))).sqrt()
        } else {
            b * (0.5 * (above / (r + a + 1.0) + above / (s + (a - 1.0)))).sqrt()
        };
        ((a / root).atan(), (root / a).atan())
    };
    let im = if mean <= 1.5 {
        let excess = if a < 1.0 {
            0.5 * (b * b / (r + a + 1.0) + b * b / (s + (1.0 - a)))
        } else {
            0.5 * (b * b / (r + a + 1.0) + (s + (a - 1.0)))
        };
        (excess + (excess * (mean + 1.0)).sqrt()).ln_1p()
    } else {
        (mean + (mean * mean - 1.0).sqrt()).ln()
    };
    (asin, acos, im)
}

/// The inverse hyperbolic sine.
pub fn asinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || y.is_nan() {
        if x.is_infinite() || y.is_infinite() {
            return C::new(if x.is_infinite() { x } else { f64::INFINITY }, f64::NAN);
        }
        return C::new(f64::NAN, if y == 0.0 { y } else { f64::NAN });
    }
    if x.is_infinite() || y.is_infinite() {
        let turn = match (x.is_infinite(), y.is_infinite()) {
            (true, true) => FRAC_PI_4,
            (true, false) => 0.0,
            _ => FRAC_PI_2,
        };
        return C::new(f64::INFINITY.copysign(x), turn.copysign(y));
    }
    let (turn, _, size) = inverse(y.abs(), x.abs());
    C::new(size.copysign(x), turn.copysign(y))
}

/// The inverse sine.
pub fn asin(z: C) -> C {
    let w = asinh(C::new(z.im, z.re));
    C::new(w.im, w.re)
}

/// The inverse cosine.
pub fn acos(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || y.is_nan() {
        if x.is_infinite() {
            return C::new(f64::NAN, f64::NEG_INFINITY);
        }
        if y.is_infinite() {
            return C::new(f64::NAN, -y);
        }
        return C::new(if x == 0.0 { FRAC_PI_2 } else { f64::NAN }, f64::NAN);
    }
    let im = |size: f64| if y.is_sign_negative() { size } else { -size };
    if x.is_infinite() || y.is_infinite() {
        let turn = match (x.is_infinite(), y.is_infinite()) {
            (true, true) => FRAC_PI_4,
            (true, false) => 0.0,
            _ => FRAC_PI_2,
        };
        return C::new(if x < 0.0 { PI - turn } else { turn }, im(f64::INFINITY));
    }
    let (_, turn, size) = inverse(x.abs(), y.abs());
    C::new(if x.is_sign_negative() { PI - turn } else { turn }, im(size))
}

/// The inverse hyperbolic cosine.
pub fn acosh(z: C) -> C {
    let w = acos(z);
    if w.re.is_nan() && w.im.is_nan() {
        return w;
    }
    if w.re.is_nan() {
        return C::new(w.im.abs(), w.re);
    }
    if w.im.is_nan() {
        return C::new(w.im, w.re);
    }
    C::new(w.im.abs(), w.re.copysign(z.im))
}

/// The inverse hyperbolic tangent.
pub fn atanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let (a, b) = (x.abs(), y.abs());
    if y.is_infinite() || (x.is_infinite() && !y.is_nan()) {
        return C::new(0f64.copysign(x), FRAC_PI_2.copysign(y));
    }
    if x.is_nan() || y.is_nan() {
        let re = if x.is_infinite() || x == 0.0 { 0f64.copysign(x) } else { f64::NAN };
        return C::new(re, f64::NAN);
    }
    if a > LARGE || b > LARGE {
        let size = (0.5 * a).hypot(0.5 * b);
        return C::new((0.25 * a / size / size).copysign(x), FRAC_PI_2.copysign(y));
    }
    let gap = (1.0 - a) * (1.0 - a) + b * b;
    let re = if a == 1.0 && b < 1e-150 { 0.5 * (LN_2 - b.ln()) } else { 0.25 * (4.0 * a / gap).ln_1p() };
    let im = 0.5 * (2.0 * b).atan2((1.0 - a) * (1.0 + a) - b * b);
    C::new(re.copysign(x), im.copysign(y))
}

/// The inverse tangent.
pub fn atan(z: C) -> C {
    let w = atanh(C::new(z.im, z.re));
    C::new(w.im, w.re)
}

/// `base` to the power `exponent` by way of the logarithm, for a base that is not zero.
pub fn powc(base: C, exponent: C) -> C {
    exp(multiply(log(base), exponent))
}

/// The product of C99: where the plain formula loses an infinity to NaN, it is brought back.
fn multiply(a: C, b: C) -> C {
    let plain = |a: C, b: C| C::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    let product = plain(a, b);
    if !product.re.is_nan() || !product.im.is_nan() {
        return product;
    }
    let is_infinite = |z: C| z.re.is_infinite() || z.im.is_infinite();
    let direction = |z: C| {
        let part = |v: f64| (if v.is_infinite() { 1f64 } else { 0.0 }).copysign(v);
        C::new(part(z.re), part(z.im))
    };
    let settled = |z: C| {
        let part = |v: f64| if v.is_nan() { 0f64.copysign(v) } else { v };
        C::new(part(z.re), part(z.im))
    };
    let overflowed = [a.re * b.re, a.im * b.im, a.re * b.im, a.im * b.re].iter().any(|v| v.is_infinite());
    if !is_infinite(a) && !is_infinite(b) && !overflowed {
        return product;
    }
    let a = settled(if is_infinite(a) { direction(a) } else { a });
    let b = settled(if is_infinite(b) { direction(b) } else { b });
    let turned = plain(a, b);
    C::new(f64::INFINITY * turned.re, f64::INFINITY * turned.im)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    type ElementaryFunction = fn(C) -> C;

    const FUNCTIONS: [(&str, ElementaryFunction); 21] = [
        ("exp", exp),
        ("exp2", exp2),
        ("expm1", expm1),
        ("log", log),
        ("log2", log2),
        ("log10", log10),
        ("log1p", log1p),
        ("sqrt", sqrt),
        ("sin", sin),
        ("cos", cos),
        ("tan", tan),
        ("sinh", sinh),
        ("cosh", cosh),
        ("tanh", tanh),
        ("asin", asin),
        ("acos", acos),
        ("atan", atan),
        ("asinh", asinh),
        ("acosh", acosh),
        ("atanh", atanh),
        ("square root of the square", |z| sqrt(z * z)),
    ];

    fn same(a: f64, b: f64) -> bool {
        (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits()
    }

    #[track_caller]
    fn check(got: C, re: f64, im: f64) {
        assert!(same(got.re, re) && same(got.im, im), "got {got}, expected {}", C::new(re, im));
    }

    #[test]
    fn values_mirror_across_the_real_axis() {
        let parts = [0.0, 1.0, -1.0, 0.3, -2.5, 1e-170, 1e200, -1e-8, 40.0, INF, -INF];
        for (name, f) in FUNCTIONS {
            for x in parts {
                for y in parts.into_iter().filter(|y| *y >= 0.0) {
                    let (up, down) = (f(C::new(x, y)), f(C::new(x, -y)));
                    // Beside a NaN, the sign of the other part is unspecified.
                    let undefined = (up.re + up.im).is_nan() && (down.re + down.im).is_nan();
                    let mirrored = undefined || (same(up.re, down.re) && same(up.im, -down.im));
                    assert!(mirrored, "{name} of {x} and {y}: {up} and {down}");
                }
            }
        }
    }

    #[test]
    fn special_values_are_those_of_annex_g() {
        check(exp(C::new(-INF, INF)), 0.0, 0.0);
        check(exp(C::new(INF, INF)), INF, f64::NAN);
        check(exp(C::new(f64::NAN, 0.0)), f64::NAN, 0.0);
        check(log(C::new(-0.0, 0.0)), -INF, PI);
        check(log(C::new(0.0, -0.0)), -INF, -0.0);
        // Miri's own `atan2` of a NaN and minus infinity is pi.
        if !cfg!(miri) {
            check(log(C::new(-INF, f64::NAN)), INF, f64::NAN);
        }
        check(sqrt(C::new(-0.0, -0.0)), 0.0, -0.0);
        check(sqrt(C::new(f64::NAN, -INF)), INF, -INF);
        check(sqrt(C::new(-INF, -2.0)), 0.0, -INF);
        check(sqrt(C::new(-4.0, -0.0)), 0.0, -2.0);
        check(cosh(C::new(0.0, INF)), f64::NAN, 0.0);
        check(sinh(C::new(-0.0, f64::NAN)), -0.0, f64::NAN);
        check(tanh(C::new(-INF, 1.0)), -1.0, 0.0);
        check(asinh(C::new(INF, -INF)), INF, -FRAC_PI_4);
        check(asinh(C::new(-3.0, INF)), -INF, FRAC_PI_2);
        check(acos(C::new(-INF, 5.0)), PI, -INF);
        check(acos(C::new(0.0, f64::NAN)), FRAC_PI_2, f64::NAN);
        check(acosh(C::new(-INF, INF)), INF, 3.0 * FRAC_PI_4);
        check(atanh(C::new(1.0, 0.0)), INF, 0.0);
        check(atanh(C::new(2.0, -0.0)), 3f64.ln() / 2.0, -FRAC_PI_2);
        check(atanh(C::new(f64::NAN, -INF)), 0.0, -FRAC_PI_2);
    }

    #[test]
    fn results_survive_overflow_and_underflow_on_the_way() {
        let close = |got: C, want: C| {
            assert!((got - want).norm() <= 4.0 * f64::EPSILON * want.norm(), "{got} {want}")
        };
        let cis = C::new(0.8f64.cos(), 0.8f64.sin());
        close(exp(C::new(709.75, 0.8)), cis * 709f64.exp() * 0.75f64.exp());
        close(sqrt(C::new(1e308, 1e308)), sqrt(C::new(1.0, 1.0)) * 1e154);
        close(sqrt(C::new(0.0, 8e-320)), C::new(1.0, 1.0) * (0.5 * 8e-320f64).sqrt());
        close(log(C::new(1e-320, 1e-320)), C::new(1e-320f64.ln() + 0.5 * LN_2, FRAC_PI_4));
        close(log1p(C::new(1e-200, 1e-250)), C::new(1e-200, 1e-250));
        close(asinh(C::new(1e300, 1e300)), C::new(1e300f64.ln() + 1.5 * LN_2, FRAC_PI_4));
        close(atanh(C::new(1e300, 1e-300)), C::new(1e-300, FRAC_PI_2));
        close(powc(C::new(0.0, 1.0), C::new(0.0, 1.0)), C::new((-FRAC_PI_2).exp(), 0.0));
    }
}
