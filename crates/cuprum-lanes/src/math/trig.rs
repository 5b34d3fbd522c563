//! Sine, cosine and tangent of angles in radians, reduced by multiples of `pi/2` held in three parts. Angles
//! beyond the reach of that reduction are reduced by [`right_angle`](super::payne_hanek), one at a time.

use super::payne_hanek::ReduceBeyond;
use super::real::{Real, fast_two_sum, polynomial};
use super::{Cos, ElementaryFunction, Sin, Tan};

/// An angle as `(k, r, tail)`: `k * pi/2 + r + tail` with `|r| <= pi/4`.
pub(super) type Reduced<T> = (<T as Real>::Bits, T, T);

/// The parts of an angle with `0 <= x <= TRIG_LIMIT`.
///
/// The first part of `pi/2` is short enough for `x - k * part` to be exact, and that difference is a multiple of
/// the last place of `k` times the second part, so that the second difference loses nothing either. The tail keeps
/// `r` accurate next to the multiples of `pi/2`, where all of the leading bits cancel.
#[inline(always)]
fn reduce<T: Real>(x: T) -> Reduced<T> {
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

/// Infinity among them: where one comparison is enough, a second would be a loop's most useless step.
#[inline(always)]
fn beyond_reduction<T: Real>(x: T) -> bool {
    x.abs() > T::TRIG_LIMIT
}

/// The sine of an angle `x` from the parts of its size.
#[inline(always)]
fn sin<T: Real>((k, r, tail): Reduced<T>, x: T) -> T {
    let value = choose_sum(T::is_odd(k), cos_reduced(r, tail), sin_reduced(r, tail));
    value.negate_by_quadrant(k, 0).negate_by_sign(x)
}

#[inline(always)]
fn cos<T: Real>((k, r, tail): Reduced<T>, _x: T) -> T {
    let value = choose_sum(T::is_odd(k), sin_reduced(r, tail), cos_reduced(r, tail));
    value.negate_by_quadrant(k, 1)
}

#[inline(always)]
fn tan<T: Real>((k, r, tail): Reduced<T>, x: T) -> T {
    let z = r * r;
    let (t, t_tail) = fast_two_sum(r, (r * z).fma(polynomial(z, T::TAN), tail.fma(z, tail)));
    // In the odd quadrants the value is -1 / t.
    let inverse = -T::ONE / t;
    let remainder = inverse.fma(t_tail, inverse.fma(t, T::ONE));
    let odd = T::is_odd(k);
    let value = (if odd { inverse } else { t }) + (if odd { inverse * remainder } else { t_tail });
    value.negate_by_sign(x)
}

/// Any angle's parts; those of infinity are NaN.
fn reduce_any<T: ReduceBeyond>(x: T) -> Reduced<T> {
    if beyond_reduction(x) && x.abs() < T::INFINITY { x.abs().reduce_beyond() } else { reduce(x.abs()) }
}

/// Sine and cosine for the functions of complex numbers, which otherwise stand on the standard library: its angles next
/// to far multiples of `pi/2` are a dozen units in the last place off.
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    if !beyond_reduction(x) || x.is_infinite() {
        return x.sin_cos();
    }
    let parts = reduce_any(x);
    (sin(parts, x), cos(parts, x))
}

/// Cosine and sine of `x - pi/4` for a finite `x` from zero on, good beside their zeros too.
#[inline(always)]
pub(super) fn cos_sin_past_eighth(x: f64) -> (f64, f64) {
    past_eighth(if beyond_reduction(x) { reduce_any(x) } else { reduce(x) }, x)
}

/// The same for an `x` within the short reduction.
#[inline(always)]
pub(super) fn plain_cos_sin_past_eighth(x: f64) -> (f64, f64) {
    past_eighth(reduce(x), x)
}

/// The same of an angle taken apart.
#[inline(always)]
fn past_eighth((k, r, tail): (u64, f64, f64), x: f64) -> (f64, f64) {
    // x - pi/4 = j pi/2 + u + u_tail.
    let is_above = r >= 0.0;
    let eighth = if is_above { -f64::FRAC_PI_4.0 } else { f64::FRAC_PI_4.0 };
    let eighth_tail = if is_above { -f64::FRAC_PI_4.1 } else { f64::FRAC_PI_4.1 };
    let j = if is_above { k } else { k.wrapping_sub(1) };
    let (u, error) = fast_two_sum(eighth, r);
    let parts = (j, u, error + (tail + eighth_tail));
    (cos(parts, x), sin(parts, x))
}

/// The tangent for the same functions.
pub(super) fn tangent(x: f64) -> f64 {
    if beyond_reduction(x) && x.is_finite() { tan(reduce_any(x), x) } else { x.tan() }
}

/// Pairs a function of this module with its two reductions. `trigonometric!(Sin, sin, f32)` expands to
/// `impl ElementaryFunction<f32> for Sin`, whose `fast` is `sin` after `reduce` and whose `slow` is `sin` after `reduce_any`.
macro_rules! trigonometric {
    ($function:ident, $name:ident, $float:ident) => {
        impl ElementaryFunction<$float> for $function {
            #[inline(always)]
            fn fast(x: $float) -> $float {
                $name(reduce(x.abs()), x)
            }
            #[inline(always)]
            fn rare(x: $float) -> bool {
                beyond_reduction(x)
            }
            #[inline(never)]
            fn slow(x: $float) -> $float {
                $name(reduce_any(x), x)
            }
        }
    };
}

/// Sine and cosine of one angle together, in the same two paths as [`ElementaryFunction`] and with the same bits: most of what
/// either takes serves both.
pub trait SinCos: Real {
    /// Both, wherever [`SinCos::is_rare`] is false; some values, without a panic, elsewhere.
    fn sin_cos(x: Self) -> (Self, Self);
    /// Whether `x` needs [`SinCos::rare_sin_cos`].
    fn is_rare(x: Self) -> bool;
    /// Both, for every angle.
    fn rare_sin_cos(x: Self) -> (Self, Self);
}

impl<T: ReduceBeyond> SinCos for T {
    #[inline(always)]
    fn sin_cos(x: T) -> (T, T) {
        let parts = reduce(x.abs());
        (sin(parts, x), cos(parts, x))
    }
    #[inline(always)]
    fn is_rare(x: T) -> bool {
        beyond_reduction(x)
    }
    #[inline(never)]
    fn rare_sin_cos(x: T) -> (T, T) {
        let parts = reduce_any(x);
        (sin(parts, x), cos(parts, x))
    }
}

trigonometric!(Sin, sin, f32);
trigonometric!(Sin, sin, f64);
trigonometric!(Cos, cos, f32);
trigonometric!(Cos, cos, f64);
trigonometric!(Tan, tan, f32);
trigonometric!(Tan, tan, f64);
