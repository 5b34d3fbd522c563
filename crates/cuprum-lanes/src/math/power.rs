//! `x^y`. In `f64` the logarithm and its product with `y` are carried in two parts, so that the error does not grow
//! with the size of the exponent; `f32` goes through `f64`. Powers of 3 and of 3/2 either way
//! are products and roots.

use super::coefficients::double;
use super::exp::{clamp, reduce};
use super::real::{Real, estrin, fast_two_sum, polynomial};
use super::{ElementaryFunction, ElementaryFunction2, Exp2, Power};

/// `x^y` from `|x|^y`, which counts where `x` is finite and not zero: signs, and the cases of C99's Annex F.
#[inline(always)]
fn with_edges<T: Real>(x: T, y: T, magnitude: T) -> T {
    let size = x.abs();
    let half = T::HALF * y;
    let integer = y.trunc() == y;
    let odd = integer & (half.trunc() != half);
    let zero = size == T::ZERO;
    let unbounded = zero | (size == T::INFINITY);
    let limit = if zero == (y < T::ZERO) { T::INFINITY } else { T::ZERO };
    let value = if unbounded { limit } else { magnitude };
    let value = if odd { value.negate_by_sign(x) } else { value };
    let undefined = (x < T::ZERO) & !integer & !unbounded;
    let value = if undefined { T::NAN } else { value };
    #[allow(clippy::eq_op)]
    let value = if (x == x) & (y == y) { value } else { T::NAN };
    if (x == T::ONE) | (y == T::ZERO) { T::ONE } else { value }
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
    (x < T::MODERATE) & (x * T::MODERATE > T::ONE)
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

/// `x^y` by a short way, where there is one, and `value` elsewhere; without branches.
#[inline(always)]
fn or_short_power<T: Real>(x: T, y: T, value: T) -> T {
    let three_halves = T::HALF * T::THREE;
    let value = if (y == T::THREE) & is_moderate(x.abs()) { cube(x) } else { value };
    let value = if (y == three_halves) & is_moderate(x) { root_of_cube(x) } else { value };
    if (y == -three_halves) & is_moderate(x) { inverse_root_of_cube(x) } else { value }
}

/// From where and up to where the powers of bases with one exponent are normal and go by the logarithm for certain; an empty
/// range for an exponent that is no finite number.
pub(crate) fn ordinary_bases<T: Real>(y: T) -> (T, T) {
    let reach = T::POWER_REACH / y.abs();
    let reach = if reach > T::POWER_REACH { T::POWER_REACH } else { reach };
    let most = Exp2::fast(reach);
    if most > T::ONE { (T::ONE / most, most) } else { (T::ONE, T::ONE) }
}

/// `log(m * 2^k)` in two parts, with some 66 good bits, for an `m` from `sqrt(1/2)` to `sqrt(2)`.
#[inline(always)]
fn split_log_in_two((m, k): (f64, f64)) -> (f64, f64) {
    let f = m - 1.0;
    // s = f / (2 + f) and its cube in two parts; log(m) = 2s + s^3 (2/3 + ...).
    let (d, d_tail) = fast_two_sum(2.0, f);
    let inverse = 1.0 / d;
    let s = f * inverse;
    let s_tail = (-s).mul_add(d_tail, (-s).mul_add(d, f)) * inverse;
    let z = s * s;
    let z_tail = (2.0 * s).mul_add(s_tail, s.mul_add(s, -z));
    let (w, w_error) = fast_two_sum(double::FRAC_2_3_HI, z * estrin(z, &double::LOG_TAIL));
    let w_tail = w_error + double::FRAC_2_3_LO;
    let cube = z * s;
    let cube_tail = z.mul_add(s_tail, z_tail.mul_add(s, z.mul_add(s, -cube)));
    let v = cube * w;
    let v_tail = cube_tail.mul_add(w, cube.mul_add(w_tail, cube.mul_add(w, -v)));
    let (sum, first_error) = fast_two_sum(k * double::LN_2_HI, 2.0 * s);
    let (sum, second_error) = fast_two_sum(sum, v);
    (sum, k.mul_add(double::LN_2_LO, 2.0f64.mul_add(s_tail, v_tail)) + (first_error + second_error))
}

/// `log(x)` of a positive finite `x` in two parts.
#[inline(always)]
pub(super) fn log_in_two(x: f64) -> (f64, f64) {
    let (sum, low) = split_log_in_two(x.split());
    fast_two_sum(sum, low)
}

/// Whether an exponent has a short way.
#[inline(always)]
fn is_short<T: Real>(y: T) -> bool {
    (y == T::THREE) | (y.abs() == T::HALF * T::THREE)
}

/// `e^(x + x_tail)` for an `x` within the limits of `exp`: where that is normal, it is the first value times two to the
/// power of the second.
#[inline(always)]
fn exp_of_two_parts(x: f64, x_tail: f64) -> (f64, u64) {
    let (k, r, tail) = reduce(x);
    let rest = (r * r) * estrin(r, &double::EXP);
    let (sum, error) = fast_two_sum(1.0, r);
    // The tail may be thousands of units in the last place: it is multiplied by the whole of exp(r).
    (sum + (tail + x_tail).mul_add(sum + rest, error + rest), k)
}

/// `x^y` of a positive finite `x`, or what is nearest to it among the exponents that this is made for.
#[inline(always)]
fn any_power(x: f64, y: f64) -> f64 {
    let (log, log_tail) = split_log_in_two(x.split());
    // No logarithm but zero is so small that a larger y could leave the result finite.
    let bounded = clamp(y, (1e25, -1e25));
    let exponent = bounded * log;
    let exponent_tail = bounded.mul_add(log_tail, bounded.mul_add(log, -exponent));
    let clamped = clamp(exponent, f64::EXP_LIMITS);
    let exponent_tail = if clamped == exponent { exponent_tail } else { 0.0 };
    let (value, k) = exp_of_two_parts(clamped, exponent_tail);
    value.scale(k)
}

/// `y * log(x)` in two parts, for a positive normal `x`.
#[inline(always)]
fn exponent_in_two(x: f64, y: f64) -> (f64, f64) {
    let (log, log_tail) = split_log_in_two(x.split_normal());
    let exponent = y * log;
    (exponent, y.mul_add(log_tail, y.mul_add(log, -exponent)))
}

impl ElementaryFunction2<f64> for Power {
    const IS_LONG: bool = true;

    #[inline(always)]
    fn fast(x: f64, y: f64) -> f64 {
        let (exponent, tail) = exponent_in_two(x, y);
        let (value, k) = exp_of_two_parts(exponent, tail);
        value.scale_normal(k)
    }

    /// What the exponent takes is computed once with `fast`.
    #[inline(always)]
    fn rare(x: f64, y: f64) -> bool {
        let is_normal = exponent_in_two(x, y).0.abs() < 708.0;
        !is_normal | !x.is_from_to(f64::MIN_POSITIVE, f64::INFINITY) | is_short(y)
    }

    #[inline(always)]
    fn slow(x: f64, y: f64) -> f64 {
        or_short_power(x, y, with_edges(x, y, any_power(x.abs(), y)))
    }
}

/// `log2(x)` of a positive normal `x`, with some 40 good bits.
#[inline(always)]
fn short_log2(x: f64) -> f64 {
    let (m, k) = x.split_normal();
    let f = m - 1.0;
    let s = f / (2.0 + f);
    s.mul_add(polynomial(s * s, &double::LOG2_SHORT), k)
}

/// `2^x` for an `x` whose power is normal, rounded to `f32` at the end.
#[inline(always)]
fn short_exp2(x: f64) -> f32 {
    let (n, k) = x.nearest(1.0);
    polynomial(x - n, &double::EXP2_SHORT).scale_normal(k) as f32
}

impl ElementaryFunction2<f32> for Power {
    #[inline(always)]
    fn fast(x: f32, y: f32) -> f32 {
        short_exp2(f64::from(y) * short_log2(f64::from(x)))
    }

    #[inline(always)]
    fn rare(x: f32, y: f32) -> bool {
        let is_bounded = (f64::from(y) * short_log2(f64::from(x))).abs() < 200.0;
        !is_bounded | !(x.is_from_to(f32::MIN_POSITIVE, f32::INFINITY)) | is_short(y)
    }

    #[inline(always)]
    fn slow(x: f32, y: f32) -> f32 {
        // No logarithm but zero is so small that a larger y could leave the result finite, and infinity times the
        // logarithm of one must stay zero.
        let bounded = clamp(f64::from(y), (1e12, -1e12));
        let exponent = clamp(bounded * short_log2(f64::from(x.abs())), (200.0, -200.0));
        or_short_power(x, y, with_edges(x, y, short_exp2(exponent)))
    }
}
