//! `x^y`. In `f64` the logarithm and its product with `y` are carried in two parts, so that the error does not grow
//! with the size of the exponent; `f32` goes through `f64`. Powers of 3 and of 3/2 either way
//! are products and roots.

use super::coefficients::double;
use super::exp::{clamp, reduce};
use super::real::{Real, fast_two_sum, polynomial};
use super::{ElementaryFunction2, Power};

/// `x^y` from `|x|^y`, which counts where `x` is finite and not zero: signs, and the cases of C99's Annex F.
#[inline(always)]
fn with_edges<T: Real>(x: T, y: T, magnitude: T) -> T {
    let size = x.abs();
    let half = T::HALF * y;
    let integer = y.trunc() == y;
    let odd = integer && half.trunc() != half;
    let zero = size == T::ZERO;
    let unbounded = zero || size == T::INFINITY;
    let limit = if zero == (y < T::ZERO) { T::INFINITY } else { T::ZERO };
    let value = if unbounded { limit } else { magnitude };
    let value = if odd { value.negate_by_sign(x) } else { value };
    let undefined = x < T::ZERO && !integer && !unbounded;
    let value = if undefined { T::NAN } else { value };
    #[allow(clippy::eq_op)]
    let value = if x == x && y == y { value } else { T::NAN };
    if x == T::ONE || y == T::ZERO { T::ONE } else { value }
}

/// Exponents whose powers are products, quotients and roots, in two parts where a step rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShortPower {
    /// 3
    Cube,
    /// 3/2
    RootOfCube,
    /// -3/2
    InverseRootOfCube,
}

impl ShortPower {
    /// What an exponent asks for, if it is one of these.
    #[inline(always)]
    pub(crate) fn of<T: Real>(y: T) -> Option<ShortPower> {
        let (three, three_halves) = (T::THREE, T::HALF * T::THREE);
        match y {
            y if y == three => Some(ShortPower::Cube),
            y if y == three_halves => Some(ShortPower::RootOfCube),
            y if y == -three_halves => Some(ShortPower::InverseRootOfCube),
            _ => None,
        }
    }
}

/// `x^3` for an `x` of moderate size, rounded once and hardly more.
#[inline(always)]
pub(crate) fn cube<T: Real>(x: T) -> T {
    let square = x * x;
    let square_tail = x.fma(x, -square);
    let value = square * x;
    let tail = square_tail.fma(x, square.fma(x, -value));
    value + tail
}

/// Whether no step of a cube, of its root or of the inverse comes near the ends of the exponent range, where what a rounding
/// loses is no number.
#[inline(always)]
pub(crate) fn is_moderate<T: Real>(x: T) -> bool {
    x < T::MODERATE && x * T::MODERATE > T::ONE
}

/// `x^1.5` in two parts, for a moderate `x`.
#[inline(always)]
fn root_of_cube_parts<T: Real>(x: T) -> (T, T) {
    let root = x.sqrt();
    let residual = (-root).fma(root, x);
    let value = x * root;
    (value, (T::HALF * residual).fma(root, x.fma(root, -value)))
}

/// `x^1.5` for a moderate `x`, rounded once and hardly more.
#[inline(always)]
pub(crate) fn root_of_cube<T: Real>(x: T) -> T {
    let (value, tail) = root_of_cube_parts(x);
    value + tail
}

/// `x^-1.5` for a moderate `x`, rounded once and hardly more.
#[inline(always)]
pub(crate) fn inverse_root_of_cube<T: Real>(x: T) -> T {
    let (value, tail) = root_of_cube_parts(x);
    let inverse = T::ONE / value;
    inverse.fma((-tail).fma(inverse, (-value).fma(inverse, T::ONE)), inverse)
}

/// `x^y` by a short way, if there is one.
#[inline(always)]
fn short_power<T: Real>(x: T, y: T) -> Option<T> {
    match ShortPower::of(y)? {
        ShortPower::Cube => is_moderate(x.abs()).then(|| cube(x)),
        _ if !is_moderate(x) => None,
        ShortPower::RootOfCube => Some(root_of_cube(x)),
        ShortPower::InverseRootOfCube => Some(inverse_root_of_cube(x)),
    }
}

/// `log(x)` of a positive finite `x` in two parts, with some 66 good bits.
#[inline(always)]
pub(super) fn log_in_two(x: f64) -> (f64, f64) {
    let (m, k) = x.split();
    let f = m - 1.0;
    // s = f / (2 + f) and its cube in two parts; log(m) = 2s + s^3 (2/3 + ...).
    let (d, d_tail) = fast_two_sum(2.0, f);
    let inverse = 1.0 / d;
    let s = f * inverse;
    let s_tail = (-s).mul_add(d_tail, (-s).mul_add(d, f)) * inverse;
    let z = s * s;
    let z_tail = (2.0 * s).mul_add(s_tail, s.mul_add(s, -z));
    let (w, w_error) = fast_two_sum(double::FRAC_2_3_HI, z * polynomial(z, &double::LOG_TAIL));
    let w_tail = w_error + double::FRAC_2_3_LO;
    let cube = z * s;
    let cube_tail = z.mul_add(s_tail, z_tail.mul_add(s, z.mul_add(s, -cube)));
    let v = cube * w;
    let v_tail = cube_tail.mul_add(w, cube.mul_add(w_tail, cube.mul_add(w, -v)));
    let (sum, first_error) = fast_two_sum(k * double::LN_2_HI, 2.0 * s);
    let (sum, second_error) = fast_two_sum(sum, v);
    let low = k.mul_add(double::LN_2_LO, 2.0f64.mul_add(s_tail, v_tail)) + (first_error + second_error);
    fast_two_sum(sum, low)
}

impl ElementaryFunction2<f64> for Power {
    #[inline(always)]
    fn fast(x: f64, y: f64) -> f64 {
        let (log, log_tail) = log_in_two(x.abs());
        // No logarithm but zero is so small that a larger y could leave the result finite.
        let bounded = clamp(y, (1e25, -1e25));
        let exponent = bounded * log;
        let exponent_tail = bounded.mul_add(log_tail, bounded.mul_add(log, -exponent));
        let clamped = clamp(exponent, f64::EXP_LIMITS);
        let exponent_tail = if clamped == exponent { exponent_tail } else { 0.0 };
        let (k, r, tail) = reduce(clamped);
        let (r, tail) = fast_two_sum(r, tail + exponent_tail);
        let (sum, error) = fast_two_sum(1.0, r);
        let rest = (r * r).mul_add(polynomial(r, &double::EXP), tail);
        with_edges(x, y, (sum + (error + rest)).scale(k))
    }

    #[inline(always)]
    fn rare(_: f64, y: f64) -> bool {
        ShortPower::of(y).is_some()
    }

    #[inline(always)]
    fn slow(x: f64, y: f64) -> f64 {
        short_power(x, y).unwrap_or_else(|| Self::fast(x, y))
    }
}

impl ElementaryFunction2<f32> for Power {
    #[inline(always)]
    fn fast(x: f32, y: f32) -> f32 {
        let (m, k) = x.abs().split();
        let f = m - 1.0;
        // 1 / (2 + f), divided in f32 and refined in f64.
        let estimate = f64::from(1.0 / (2.0 + f));
        let f = f64::from(f);
        let s = f * estimate.mul_add((-(2.0 + f)).mul_add(estimate, 1.0), estimate);
        let log2 = s.mul_add(polynomial(s * s, &double::LOG2_SHORT), f64::from(k));
        // As above, and infinity times the logarithm of one must stay zero.
        let bounded = clamp(f64::from(y), (1e12, -1e12));
        let exponent = clamp(bounded * log2, (200.0, -200.0));
        let (n, k) = exponent.nearest(1.0);
        let value = polynomial(exponent - n, &double::EXP2_SHORT);
        with_edges(x, y, (value * f64::power_of_two(k, 0)) as f32)
    }

    #[inline(always)]
    fn rare(_: f32, y: f32) -> bool {
        ShortPower::of(y).is_some()
    }

    #[inline(always)]
    fn slow(x: f32, y: f32) -> f32 {
        short_power(x, y).unwrap_or_else(|| Self::fast(x, y))
    }
}
