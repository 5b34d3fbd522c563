//! The elementary functions as the special ones call them: free functions of `f64`, under the names that
//! scripts/special_texts.py knows.

use crate::math::power::log_in_two;
use crate::math::{self, ElementaryFunction, ElementaryFunction2};

pub const INF: f64 = f64::INFINITY;
pub const NAN: f64 = f64::NAN;

/// For `exp => Exp` this makes `pub fn exp(x: f64) -> f64`, which takes the slow path where it must.
macro_rules! elementary {
    ($($name:ident => $function:ident),+ $(,)?) => {$(
        #[inline(always)]
        pub fn $name(x: f64) -> f64 {
            type F = math::$function;
            if <F as ElementaryFunction<f64>>::rare(x) { <F as ElementaryFunction<f64>>::slow(x) } else { <F as ElementaryFunction<f64>>::fast(x) }
        }
    )+};
}

elementary! {
    exp => Exp, exp2 => Exp2, expm1 => Expm1, log => Log, log1p => Log1p, sin => Sin, cos => Cos, tan => Tan,
    asin => Arcsin, atan => Arctan, sinh => Sinh, cosh => Cosh, tanh => Tanh, asinh => Arcsinh,
}

#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    if <math::Power as ElementaryFunction2<f64>>::rare(x, y) {
        return <math::Power as ElementaryFunction2<f64>>::slow(x, y);
    }
    <math::Power as ElementaryFunction2<f64>>::fast(x, y)
}

#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    if <math::Arctan2 as ElementaryFunction2<f64>>::rare(y, x) {
        return <math::Arctan2 as ElementaryFunction2<f64>>::slow(y, x);
    }
    <math::Arctan2 as ElementaryFunction2<f64>>::fast(y, x)
}

#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    if <math::Hypot as ElementaryFunction2<f64>>::rare(x, y) {
        return <math::Hypot as ElementaryFunction2<f64>>::slow(x, y);
    }
    <math::Hypot as ElementaryFunction2<f64>>::fast(x, y)
}

/// `log(x)` of a positive finite `x` in two parts, with some 66 good bits.
#[inline(always)]
pub fn log_parts(x: f64) -> (f64, f64) {
    log_in_two(x)
}

/// `log(x)` of a positive, finite and normal `x`.
#[inline(always)]
pub fn plain_log(x: f64) -> f64 {
    math::log::plain_log(x)
}

/// `log(x) + rest`, likewise, for a rest as small as the rounding error of `x`.
#[inline(always)]
pub fn plain_log_rest(x: f64, rest: f64) -> f64 {
    math::log::plain_log_rest(x, rest)
}

/// `log(x) + addend`, likewise, for an addend that is a small whole number: better than a sum of both.
#[inline(always)]
pub fn plain_log_plus(x: f64, addend: f64) -> f64 {
    math::log::plain_log_plus(x, addend)
}

/// `log(x)`, likewise, with an error of some units in the last place of one or of the result.
#[inline(always)]
pub fn quick_log(x: f64) -> f64 {
    math::log::quick_log(x)
}

/// `e^x` for an `x` from -700 to 700, with an error of some 1e-16 and `|x|` times 1e-16 more.
#[inline(always)]
pub fn quick_exp(x: f64) -> f64 {
    math::exp::quick_exp(x)
}

/// `e^x` for an `x` from -745 to 709.
#[inline(always)]
pub fn plain_exp(x: f64) -> f64 {
    math::exp::plain_exp(x)
}

/// `exp(x + low)` for an `x` from -800 to 800 and a `low` up to some of its units in the last place.
#[inline(always)]
pub fn exp_sum(x: f64, low: f64) -> f64 {
    math::exp::exp_sum(x, low)
}

/// `log(1 + x)` where the sum is positive, normal and not large.
#[inline(always)]
pub fn plain_log1p(x: f64) -> f64 {
    <math::Log1p as ElementaryFunction<f64>>::fast(x)
}

/// `log(1 + x) - x + addend` for an `x` from -0.29 to 0.41, good beside zero too.
#[inline(always)]
pub fn plain_log1p_tail(x: f64, addend: f64) -> f64 {
    math::log::tail(x, addend)
}

/// `2^x` where that is normal.
#[inline(always)]
pub fn plain_exp2(x: f64) -> f64 {
    <math::Exp2 as ElementaryFunction<f64>>::fast(x)
}

/// Cosine and sine of `x - pi/4` for a finite `x` from zero on, good beside their zeros too.
#[inline(always)]
pub fn cos_sin_past_eighth(x: f64) -> (f64, f64) {
    math::trig::cos_sin_past_eighth(x)
}

/// The same for an `x` up to 1e5, without a branch.
#[inline(always)]
pub fn plain_cos_sin_past_eighth(x: f64) -> (f64, f64) {
    math::trig::plain_cos_sin_past_eighth(x)
}

/// `sin(x)` for an `x` from -1e5 to 1e5.
#[inline(always)]
pub fn plain_sin(x: f64) -> f64 {
    <math::Sin as ElementaryFunction<f64>>::fast(x)
}

/// `cos(x)` for an `x` from -1e5 to 1e5.
#[inline(always)]
pub fn plain_cos(x: f64) -> f64 {
    <math::Cos as ElementaryFunction<f64>>::fast(x)
}

/// The angle of the point (x, y), neither part of which is zero or much smaller than the other.
#[inline(always)]
pub fn plain_atan2(y: f64, x: f64) -> f64 {
    <math::Arctan2 as ElementaryFunction2<f64>>::fast(y, x)
}

/// `1 / x` where neither `x` nor the result is near the ends of the exponent range: on a GPU without a branch.
#[inline(always)]
pub fn plain_inverse(x: f64) -> f64 {
    1.0 / x
}

/// `a / b` where neither the operands nor the result are near the ends of the exponent range.
#[inline(always)]
pub fn plain_quotient(a: f64, b: f64) -> f64 {
    a / b
}

#[inline(always)]
pub fn abs(x: f64) -> f64 {
    x.abs()
}

#[inline(always)]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[inline(always)]
pub fn floor(x: f64) -> f64 {
    x.floor()
}

#[inline(always)]
pub fn trunc(x: f64) -> f64 {
    x.trunc()
}

/// To the nearest whole number, ties to even.
#[inline(always)]
pub fn rint(x: f64) -> f64 {
    x.round_ties_even()
}

/// `a b + c`, rounded once.
#[inline(always)]
pub fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

#[inline(always)]
pub fn copysign(x: f64, sign: f64) -> f64 {
    x.copysign(sign)
}

#[inline(always)]
pub fn is_nan(x: f64) -> bool {
    x.is_nan()
}

/// A polynomial, the constant first: four interleaved ones in x^4, so that no step waits for the last.
#[inline(always)]
pub fn poly<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let square = x * x;
    let fourth = square * square;
    let mut sums = [0.0f64; 4];
    for (i, &c) in coefficients.iter().enumerate().rev() {
        sums[i % 4] = if i + 4 < N { sums[i % 4].mul_add(fourth, c) } else { c };
    }
    sums[3].mul_add(x, sums[2]).mul_add(square, sums[1].mul_add(x, sums[0]))
}

/// A polynomial by Horner's rule, the constant first: slower, and better where the coefficients fall slowly.
#[inline(always)]
pub fn horner<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for &c in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(x, c);
    }
    sum
}

/// A polynomial, the constant first, its even and its odd powers by Horner's rule: half of the wait, and nearly as good.
#[inline(always)]
pub fn even_odd<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let square = x * x;
    every_second(square, &coefficients[1..]).mul_add(x, every_second(square, coefficients))
}

/// The first, third, fifth coefficient and so on, by Horner's rule: a loop that the compiler unrolls.
#[inline(always)]
fn every_second(x: f64, coefficients: &[f64]) -> f64 {
    let mut at = (coefficients.len() - 1) / 2 * 2;
    let mut sum = coefficients[at];
    while at > 0 {
        at -= 2;
        sum = sum.mul_add(x, coefficients[at]);
    }
    sum
}
