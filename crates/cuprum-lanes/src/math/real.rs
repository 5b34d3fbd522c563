//! What the elementary functions ask of a floating-point type: arithmetic, the bit-level steps that keep loops
//! branch-free, and the constants and polynomials of its precision.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::coefficients::{double, single};

/// `f32` or `f64`, as the elementary functions see it.
///
/// `Bits` holds integers in two's complement: exponents travel in it as the low bits of a float to which
/// [`Real::nearest`] has added its rounding constant, so that no conversion instruction is needed.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    type Bits: Copy;

    const ZERO: Self;
    const QUARTER: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const THREE: Self;
    const THIRD: Self;
    const INFINITY: Self;
    const NAN: Self;
    const MIN_POSITIVE: Self;
    /// Below this every odd function with slope one at zero is `x`, and steps with scaled numbers are not exact.
    const TINY: Self;
    /// 2^(bits of the significand): every float from here on is an integer.
    const INTEGERS: Self;
    /// Above this `1 + x` and `x`, or `1 + x*x` and `x*x`, are the same to working precision.
    const LARGE: Self;
    /// Between this and its inverse, cubes and what their roundings lose are normal numbers.
    const MODERATE: Self;
    /// Where `exp` has certainly overflowed, and where it has certainly underflowed to zero.
    const EXP_LIMITS: (Self, Self);
    /// Below this the powers of two that `sinh` and `cosh` are made of are normal, and so are their inverses.
    const SINH_NORMAL: Self;
    /// Where `sinh` and `cosh` have certainly overflowed.
    const SINH_LIMIT: Self;
    /// The limits of `exp2`.
    const EXP2_LIMITS: (Self, Self);
    /// Powers of two up to this exponent either way are normal.
    const EXP2_NORMAL: Self;
    /// Above this `expm1(-x)` is -1.
    const SATURATION: Self;
    /// The largest argument whose reduction by `pi/2` in three parts is accurate.
    const TRIG_LIMIT: Self;
    /// Ratios and magnitudes beyond this leave the range in which `arctan2` works without underflow.
    const RATIO_LIMIT: Self;
    /// Powers of two up to this exponent either way are normal, with some to spare.
    const POWER_REACH: Self;
    /// From where up to where all that a cube root needs on its way is a normal number.
    const CBRT_RANGE: (Self, Self);
    /// A cube and its root that take what is below that range into it.
    const CBRT_LIFT: (Self, Self);

    const LN_2: (Self, Self);
    const LN_2_FULL: (Self, Self);
    const LOG2_E: (Self, Self);
    const LOG10_E: (Self, Self);
    const LOG10_2: (Self, Self);
    const FRAC_2_PI: Self;
    const FRAC_PI_2_PARTS: (Self, Self, Self);
    const FRAC_PI_2: (Self, Self);
    const PI: (Self, Self);
    const FRAC_PI_4: (Self, Self);

    /// Good beside one.
    const EXP: &'static [Self];
    /// `(2^f - 1) / f`.
    const EXP2: &'static [Self];
    /// The same function as `EXP`, good beside `r`.
    const EXPM1: &'static [Self];
    const SINH: &'static [Self];
    const COSH: &'static [Self];
    const LOG: &'static [Self];
    const ATANH: &'static [Self];
    const SIN: &'static [Self];
    const COS: &'static [Self];
    const TAN: &'static [Self];
    const ASIN: &'static [Self];
    /// For ratios up to `tan(pi/8)`, and up to one half in `f32`.
    const ATAN: &'static [Self];
    /// For ratios up to one.
    const ATAN_WIDE: &'static [Self];
    /// `(1 - e)^(-2/3) / 3`, for the `e` that [`Real::inverse_cbrt_estimate`] leaves.
    const CBRT: &'static [Self];

    fn fma(self, factor: Self, addend: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    /// Whether the sign bit is set, for zeros and NaNs too.
    fn is_negative(self) -> bool;
    /// Whether a number lies from `low` up to and without `high`, neither negative; one comparison, and false for a NaN.
    fn is_from_to(self, low: Self, high: Self) -> bool;
    /// A positive, finite and normal number as [`Real::split`] does it.
    fn split_normal(self) -> (Self, Self);

    /// The integer nearest to `self * factor`, as a float and as an exponent for the methods below.
    /// Meaningful while that integer is far below [`Real::INTEGERS`].
    fn nearest(self, factor: Self) -> (Self, Self::Bits);
    /// `2^(k - less)` for a `k` from `nearest` that leaves it normal.
    fn power_of_two(k: Self::Bits, less: u32) -> Self;
    /// `2^(-k - less)`, likewise.
    fn inverse_power_of_two(k: Self::Bits, less: u32) -> Self;
    /// `y` with `self * y^3` from 0.897 to 1.103, for a positive, finite and normal number.
    fn inverse_cbrt_estimate(self) -> Self;
    /// `self * 2^k`, rounded once, for `k` reaching past the ends of the exponent range.
    fn scale(self, k: Self::Bits) -> Self;
    /// `self * 2^k` where that and `self` are normal numbers.
    fn scale_normal(self, k: Self::Bits) -> Self;
    /// A positive finite `self` as `(m, k)`: `self = m * 2^k` with `m` from `sqrt(1/2)` to `sqrt(2)`.
    fn split(self) -> (Self, Self);
    /// The exponent `k` that `split` would give a positive normal `self` below the last binade, and `2^-k`.
    fn exponent(self) -> (Self, Self);
    /// `self` without its fraction.
    fn trunc(self) -> Self;
    /// Whether the lowest bit of `k` is set.
    fn is_odd(k: Self::Bits) -> bool;
    /// `self`, negated when the second bit of `k + offset` is set.
    fn negate_by_quadrant(self, k: Self::Bits, offset: u32) -> Self;
    /// `self`, negated when the sign bit of `other` is set.
    fn negate_by_sign(self, other: Self) -> Self;
    /// The power of two at or below `self` and its inverse, kept inside the normal range.
    fn leading_power(self) -> (Self, Self);
    /// A power of two whose ratio to `self / other` is at most about 1.5 either way, and its exponent;
    /// `self` is not below `other`, and both are positive.
    fn inverse_ratio_power(self, other: Self) -> (Self, Self);
}

/// `sum(coefficients[i] * x^i)` by Horner's rule: splitting the chain gains nothing in a loop over many elements,
/// and costs accuracy.
#[inline(always)]
pub fn polynomial<T: Real>(x: T, coefficients: &'static [T]) -> T {
    let (last, rest) = coefficients.split_last().expect("a polynomial has coefficients");
    rest.iter().rev().fold(*last, |sum, &c| sum.fma(x, c))
}

/// The same in groups of four coefficients, after Estrin: the chain of dependent steps is short, for functions so long
/// that few elements are under way at a time.
#[inline(always)]
pub fn estrin<T: Real>(x: T, coefficients: &'static [T]) -> T {
    let square = x * x;
    let fourth = square * square;
    let group = |c: &[T]| match *c {
        [a, b, c, d] => d.fma(x, c).fma(square, b.fma(x, a)),
        [a, b, c] => c.fma(square, b.fma(x, a)),
        [a, b] => b.fma(x, a),
        [a] => a,
        _ => T::ZERO,
    };
    let mut groups = coefficients.chunks(4).rev();
    let last = groups.next().expect("a polynomial has coefficients");
    groups.fold(group(last), |sum, next| sum.fma(fourth, group(next)))
}

/// `a + b` and the rounding error of that sum, for `|a| >= |b|`, or `a` zero.
#[inline(always)]
pub fn fast_two_sum<T: Real>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// `a + b` and the rounding error of that sum.
#[inline(always)]
pub fn two_sum<T: Real>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// Implements [`Real`] for one type. `real!(f64, u64, double, 52, 1023, { ... })` expands to
/// `impl Real for f64 { type Bits = u64; ... }` with the constants of `coefficients::double` and the limits given.
macro_rules! real {
    ($float:ident, $bits:ident, $numbers:ident, $fraction:literal, $bias:literal, { $($limits:tt)* }) => {
        impl Real for $float {
            type Bits = $bits;

            const ZERO: Self = 0.0;
            const QUARTER: Self = 0.25;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const THREE: Self = 3.0;
            const THIRD: Self = 1.0 / 3.0;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const TINY: Self = 16.0 * $float::MIN_POSITIVE;
            const INTEGERS: Self = ((1 as $bits) << $fraction) as $float;
            $($limits)*

            const LN_2: (Self, Self) = ($numbers::LN_2_HI, $numbers::LN_2_LO);
            const LN_2_FULL: (Self, Self) = ($numbers::LN_2_FULL_HI, $numbers::LN_2_FULL_LO);
            const LOG2_E: (Self, Self) = ($numbers::LOG2_E_HI, $numbers::LOG2_E_LO);
            const LOG10_E: (Self, Self) = ($numbers::LOG10_E_HI, $numbers::LOG10_E_LO);
            const LOG10_2: (Self, Self) = ($numbers::LOG10_2_HI, $numbers::LOG10_2_LO);
            const FRAC_2_PI: Self = $numbers::FRAC_2_PI;
            const FRAC_PI_2_PARTS: (Self, Self, Self) = (
                $numbers::FRAC_PI_2_PART_1,
                $numbers::FRAC_PI_2_PART_2,
                $numbers::FRAC_PI_2_PART_3,
            );
            const FRAC_PI_2: (Self, Self) = ($numbers::FRAC_PI_2_HI, $numbers::FRAC_PI_2_LO);
            const PI: (Self, Self) = ($numbers::PI_HI, $numbers::PI_LO);
            const FRAC_PI_4: (Self, Self) = ($numbers::FRAC_PI_4_HI, $numbers::FRAC_PI_4_LO);

            const EXP: &'static [Self] = &$numbers::EXP;
            const EXP2: &'static [Self] = &$numbers::EXP2;
            const EXPM1: &'static [Self] = &$numbers::EXPM1;
            const SINH: &'static [Self] = &$numbers::SINH;
            const COSH: &'static [Self] = &$numbers::COSH;
            const LOG: &'static [Self] = &$numbers::LOG;
            const ATANH: &'static [Self] = &$numbers::ATANH;
            const SIN: &'static [Self] = &$numbers::SIN;
            const COS: &'static [Self] = &$numbers::COS;
            const TAN: &'static [Self] = &$numbers::TAN;
            const ASIN: &'static [Self] = &$numbers::ASIN;
            const ATAN: &'static [Self] = &$numbers::ATAN;
            const ATAN_WIDE: &'static [Self] = &$numbers::ATAN_WIDE;
            const CBRT: &'static [Self] = &$numbers::CBRT;

            #[inline(always)]
            fn fma(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $float::copysign(self, sign)
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            #[inline(always)]
            fn is_from_to(self, low: Self, high: Self) -> bool {
                self.to_bits().wrapping_sub(low.to_bits()) < high.to_bits() - low.to_bits()
            }
            #[inline(always)]
            fn split_normal(self) -> (Self, Self) {
                const ROOT_HALF: $bits = std::$float::consts::FRAC_1_SQRT_2.to_bits();
                const LIFT: $bits = (1.0 as $float).to_bits() - ROOT_HALF;
                const INTEGERS: $float = <$float as Real>::INTEGERS;
                let lifted = self.to_bits().wrapping_add(LIFT);
                let k = $float::from_bits((lifted >> $fraction) | INTEGERS.to_bits()) - (INTEGERS + $bias as $float);
                let m = $float::from_bits((lifted & ((1 << $fraction) - 1)).wrapping_add(ROOT_HALF));
                (m, k)
            }

            #[inline(always)]
            fn inverse_cbrt_estimate(self) -> Self {
                // The upper bits of a number count like its logarithm: those of the result are a third of them, taken off a
                // constant. As the low bits of a float they need no conversion.
                const INTEGERS: $bits = <$float as Real>::INTEGERS.to_bits();
                let upper = $float::from_bits((self.to_bits() >> $numbers::CBRT_SHIFT) | INTEGERS);
                $float::from_bits(upper.mul_add(-Self::THIRD, $numbers::CBRT_OFFSET).to_bits() << $numbers::CBRT_SHIFT)
            }

            #[inline(always)]
            fn nearest(self, factor: Self) -> (Self, $bits) {
                const ROUNDER: $float = 1.5 * <$float as Real>::INTEGERS;
                let shifted = self.mul_add(factor, ROUNDER);
                (shifted - ROUNDER, shifted.to_bits())
            }
            #[inline(always)]
            fn power_of_two(k: $bits, less: u32) -> Self {
                $float::from_bits(k.wrapping_add($bias - less as $bits) << $fraction)
            }
            #[inline(always)]
            fn inverse_power_of_two(k: $bits, less: u32) -> Self {
                $float::from_bits(($bias - less as $bits).wrapping_sub(k) << $fraction)
            }
            #[inline(always)]
            fn scale(self, k: $bits) -> Self {
                // k + 2 * bias, with the rounding constant of `nearest` taken off, is the sum of the two biased
                // exponents.
                const ROUNDER: $bits = (1.5 * <$float as Real>::INTEGERS).to_bits();
                let both = k.wrapping_add((2 * $bias as $bits).wrapping_sub(ROUNDER));
                let half = both >> 1;
                self * $float::from_bits(half << $fraction) * $float::from_bits(both.wrapping_sub(half) << $fraction)
            }
            #[inline(always)]
            fn scale_normal(self, k: $bits) -> Self {
                $float::from_bits(self.to_bits().wrapping_add(k << $fraction))
            }
            #[inline(always)]
            fn split(self) -> (Self, Self) {
                const ROOT_HALF: $bits = std::$float::consts::FRAC_1_SQRT_2.to_bits();
                const LIFT: $bits = (1.0 as $float).to_bits() - ROOT_HALF;
                const INTEGERS: $float = <$float as Real>::INTEGERS;
                let subnormal = self < $float::MIN_POSITIVE;
                let x = if subnormal { self * INTEGERS } else { self };
                let bias = if subnormal {
                    INTEGERS + ($bias + $fraction) as $float
                } else {
                    INTEGERS + $bias as $float
                };
                let lifted = x.to_bits().wrapping_add(LIFT);
                let k = $float::from_bits((lifted >> $fraction) | INTEGERS.to_bits()) - bias;
                let m = $float::from_bits((lifted & ((1 << $fraction) - 1)).wrapping_add(ROOT_HALF));
                (m, k)
            }
            #[inline(always)]
            fn exponent(self) -> (Self, Self) {
                const ROOT_HALF: $bits = std::$float::consts::FRAC_1_SQRT_2.to_bits();
                const LIFT: $bits = (1.0 as $float).to_bits() - ROOT_HALF;
                const INTEGERS: $float = <$float as Real>::INTEGERS;
                let lifted = self.to_bits().wrapping_add(LIFT) >> $fraction;
                let k = $float::from_bits(lifted | INTEGERS.to_bits()) - (INTEGERS + $bias as $float);
                (k, $float::from_bits((2 * $bias as $bits).wrapping_sub(lifted) << $fraction))
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                $float::trunc(self)
            }
            #[inline(always)]
            fn is_odd(k: $bits) -> bool {
                k & 1 != 0
            }
            #[inline(always)]
            fn negate_by_quadrant(self, k: $bits, offset: u32) -> Self {
                let sign = (k.wrapping_add(offset as $bits) & 2) << ($bits::BITS - 2);
                $float::from_bits(self.to_bits() ^ sign)
            }
            #[inline(always)]
            fn negate_by_sign(self, other: Self) -> Self {
                $float::from_bits(self.to_bits() ^ (other.to_bits() & (1 << ($bits::BITS - 1))))
            }
            #[inline(always)]
            fn leading_power(self) -> (Self, Self) {
                const MIN_POWER: $float = $float::MIN_POSITIVE;
                const MAX_POWER: $float = 0.25 / $float::MIN_POSITIVE;
                let x = if self < MIN_POWER { MIN_POWER } else { self };
                let x = if x > MAX_POWER { MAX_POWER } else { x };
                let exponent = x.to_bits() & !((1 << $fraction) - 1);
                let inverse = ((2 * $bias as $bits) << $fraction).wrapping_sub(exponent);
                ($float::from_bits(exponent), $float::from_bits(inverse))
            }
            #[inline(always)]
            fn inverse_ratio_power(self, other: Self) -> (Self, Self) {
                const INTEGERS: $float = <$float as Real>::INTEGERS;
                let difference = self.to_bits().wrapping_sub(other.to_bits());
                let k = difference.wrapping_add(1 << ($fraction - 1)) >> $fraction;
                let exponent = $float::from_bits(k | INTEGERS.to_bits()) - INTEGERS;
                ($float::from_bits(($bias as $bits).wrapping_sub(k) << $fraction), exponent)
            }
        }
    };
}

real!(f64, u64, double, 52, 1023, {
    const MODERATE: Self = 1e100;
    const LARGE: f64 = 18014398509481984.0;
    const EXP_LIMITS: (f64, f64) = (709.9, -746.0);
    const SINH_NORMAL: f64 = 700.0;
    const SINH_LIMIT: f64 = 710.6;
    const EXP2_LIMITS: (f64, f64) = (1025.0, -1076.0);
    const EXP2_NORMAL: f64 = 1022.0;
    const SATURATION: f64 = 40.0;
    const TRIG_LIMIT: f64 = 1e8;
    const RATIO_LIMIT: f64 = 1.0e270;
    const POWER_REACH: f64 = 1000.0;
    // Two to the powers -900, 1022, 900 and -300.
    const CBRT_RANGE: (f64, f64) = (1.1830521861667747e-271, 4.49423283715579e307);
    const CBRT_LIFT: (f64, f64) = (8.452712498170644e270, 4.909093465297727e-91);
});

real!(f32, u32, single, 23, 127, {
    const MODERATE: Self = 1e12;
    const LARGE: f32 = 33554432.0;
    const EXP_LIMITS: (f32, f32) = (88.9, -105.0);
    const SINH_NORMAL: f32 = 85.0;
    const SINH_LIMIT: f32 = 89.6;
    const EXP2_LIMITS: (f32, f32) = (129.0, -151.0);
    const EXP2_NORMAL: f32 = 126.0;
    const SATURATION: f32 = 20.0;
    const TRIG_LIMIT: f32 = 30000.0;
    const RATIO_LIMIT: f32 = 1.0e30;
    const POWER_REACH: f32 = 120.0;
    // Two to the powers -96, 126, 96 and -32.
    const CBRT_RANGE: (f32, f32) = (1.2621775e-29, 8.507059e37);
    const CBRT_LIFT: (f32, f32) = (7.9228163e28, 2.3283064e-10);
});
