//! Sine, cosine and tangent of angles in radians, reduced by multiples of `pi/2` held in three parts. Angles
//! beyond the reach of that reduction are left to the standard library.

use super::real::{Real, fast_two_sum, polynomial};
use super::{Cos, Function, Sin, Tan};

/// `x = k * pi/2 + r + tail` with `|r| <= pi/4` for `0 <= x <= TRIG_LIMIT`; returns `(k, r, tail)`.
///
/// The first part of `pi/2` is short enough for `x - k * part` to be exact, and that difference is a multiple of
/// the last place of `k` times the second part, so that the second difference loses nothing either. The tail keeps
/// `r` accurate next to the multiples of `pi/2`, where all of the leading bits cancel.
#[inline(always)]
fn reduce<T: Real>(x: T) -> (T::Bits, T, T) {
    let (first, second, third) = T::FRAC_PI_2_PARTS;
    let (n, k) = x.nearest(T::FRAC_2_PI);
    let high = (-n).fma(first, x);
    let product = n * second;
    let product_tail = n.fma(third, n.fma(second, -product));
    let r = high - product;
    (k, r, ((high - r) - product) - product_tail)
}

/// `sin(r + tail)` for `|r| <= pi/4`, as a sum whose second part is far smaller than the first.
#[inline(always)]
fn sin_reduced<T: Real>(r: T, tail: T) -> (T, T) {
    let z = r * r;
    (r, (r * z).fma(polynomial(z, T::SIN), tail))
}

/// `cos(r + tail)` for `|r| <= pi/4`, likewise.
#[inline(always)]
fn cos_reduced<T: Real>(r: T, tail: T) -> (T, T) {
    let z = r * r;
    let high = T::ONE - T::HALF * z;
    let error = (T::ONE - high) - T::HALF * z;
    (high, (z * z).fma(polynomial(z, T::COS), (-r).fma(tail, error)))
}

/// The sum of the first pair or of the second.
#[inline(always)]
fn choose_sum<T: Real>(first: bool, a: (T, T), b: (T, T)) -> T {
    (if first { a.0 } else { b.0 }) + (if first { a.1 } else { b.1 })
}

#[inline(always)]
fn beyond_reduction<T: Real>(x: T) -> bool {
    (x.abs() > T::TRIG_LIMIT) & (x.abs() < T::INFINITY)
}

#[inline(always)]
fn sin<T: Real>(x: T) -> T {
    let (k, r, tail) = reduce(x.abs());
    let value = choose_sum(T::is_odd(k), cos_reduced(r, tail), sin_reduced(r, tail));
    value.negate_by_quadrant(k, 0).negate_by_sign(x)
}

#[inline(always)]
fn cos<T: Real>(x: T) -> T {
    let (k, r, tail) = reduce(x.abs());
    let value = choose_sum(T::is_odd(k), sin_reduced(r, tail), cos_reduced(r, tail));
    value.negate_by_quadrant(k, 1)
}

#[inline(always)]
fn tan<T: Real>(x: T) -> T {
    let (k, r, tail) = reduce(x.abs());
    let z = r * r;
    let (t, t_tail) = fast_two_sum(r, (r * z).fma(polynomial(z, T::TAN), tail.fma(z, tail)));
    // In the odd quadrants the value is -1 / t.
    let inverse = -T::ONE / t;
    let remainder = inverse.fma(t_tail, inverse.fma(t, T::ONE));
    let odd = T::is_odd(k);
    let value = (if odd { inverse } else { t }) + (if odd { inverse * remainder } else { t_tail });
    value.negate_by_sign(x)
}

/// Pairs a fast path of this module with the standard library's function. `trigonometric!(Sin, sin, f32)` expands
/// to `impl Function<f32> for Sin`, whose `fast` is `sin::<f32>` and whose `slow` is `f64::sin`, rounded.
macro_rules! trigonometric {
    ($function:ident, $name:ident, $float:ident) => {
        impl Function<$float> for $function {
            #[inline(always)]
            fn fast(x: $float) -> $float {
                $name(x)
            }
            #[inline(always)]
            fn rare(x: $float) -> bool {
                beyond_reduction(x)
            }
            #[inline(never)]
            fn slow(x: $float) -> $float {
                if beyond_reduction(x) { f64::from(x).$name() as $float } else { $name(x) }
            }
        }
    };
}

trigonometric!(Sin, sin, f32);
trigonometric!(Sin, sin, f64);
trigonometric!(Cos, cos, f32);
trigonometric!(Cos, cos, f64);
trigonometric!(Tan, tan, f32);
trigonometric!(Tan, tan, f64);
