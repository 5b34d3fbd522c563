//! Rounding, signs and the parts of floating-point numbers.

use half::{bf16, f16};

use super::element::Float;
use super::loops::{Bool, Map, maps};

maps! {
    Rint<T: Float>(a: T) -> T = a.rint();
    Floor<T: Float>(a: T) -> T = a.floor();
    Ceil<T: Float>(a: T) -> T = a.ceil();
    Trunc<T: Float>(a: T) -> T = a.trunc();
    Signbit<T: Float>(a: T) -> Bool = Bool::from(a.signbit());
    Copysign<T: Float>(a: T, b: T) -> T = a.copysign(b);
    Degrees<T: Float>(a: T) -> T = a.mul(T::DEGREES);
    Radians<T: Float>(a: T) -> T = a.mul(T::RADIANS);
    ModfInteger<T: Float>(a: T) -> T = a.trunc();
    ModfFraction<T: Float>(a: T) -> T = {
        let fraction = if a.abs() == T::INFINITY { T::ZERO } else { a.sub(a.trunc()) };
        if a.is_nan() { a } else { fraction.copysign(a) }
    };
    Heaviside<T: Float>(a: T, at_zero: T) -> T = {
        let step = if a < T::ZERO { T::ZERO } else { T::ONE };
        let step = if a == T::ZERO { at_zero } else { step };
        if a.is_nan() { a } else { step }
    };
}

/// The step from one number to the next in a format.
pub(super) struct Nextafter;
/// The distance to the next number away from zero, with its sign; for binary16, as NumPy has it, to the next
/// number above.
pub(super) struct Spacing;
/// The mantissa of `frexp`.
pub(super) struct FrexpMantissa;
/// The exponent of `frexp`.
pub(super) struct FrexpExponent;
/// A number times a power of two, rounded once.
pub(super) struct Ldexp;

/// The neighbour of `x` towards `y`, given their bits and their order; `x` and `y` differ and are not NaN.
macro_rules! neighbour {
    ($bits:ident, $x:expr, $y:expr, $outwards:expr) => {{
        let (x, y): ($bits, $bits) = ($x, $y);
        let sign: $bits = 1 << ($bits::BITS - 1);
        let from_zero = (y & sign) | 1;
        let moved = if $outwards { x.wrapping_add(1) } else { x.wrapping_sub(1) };
        if x & !sign == 0 { from_zero } else { moved }
    }};
}

/// Implements what depends on the layout of `f32` and `f64`; `split` gives mantissa and exponent.
macro_rules! layouts {
    ($($t:ident $bits:ident $signed:ident $split:ident;)+) => {$(
        impl Map<$t> for Nextafter {
            type A = $t;
            type B = $t;
            type C = ();
            type Out = $t;
            #[inline(always)]
            fn map(x: $t, y: $t, _: ()) -> $t {
                let outwards = (x < y) == (x > 0.0);
                let next = $t::from_bits(neighbour!($bits, x.to_bits(), y.to_bits(), outwards));
                let next = if x == y { y } else { next };
                if x.is_nan() | y.is_nan() { x + y } else { next }
            }
        }

        impl Map<$t> for Spacing {
            type A = $t;
            type B = ();
            type C = ();
            type Out = $t;
            #[inline(always)]
            fn map(x: $t, _: (), _: ()) -> $t {
                let next = if x == 0.0 { $t::from_bits(1) } else { $t::from_bits(x.to_bits().wrapping_add(1)) };
                if x.is_finite() { next - x } else { $t::NAN }
            }
        }

        #[inline(always)]
        fn $split(x: $t) -> ($t, i32) {
            const DIGITS: u32 = $t::MANTISSA_DIGITS - 1;
            const BIAS: $bits = ($t::MAX_EXP - 2) as $bits;
            const FIELD: $bits = ($t::MAX_EXP * 2 - 1) as $bits;
            // Two to the 64th lifts every subnormal into the normal range.
            let tiny = x.abs() < $t::MIN_POSITIVE;
            let lifted = if tiny { x * 18_446_744_073_709_551_616.0 } else { x };
            let bits = lifted.to_bits();
            let exponent = ((bits >> DIGITS) & FIELD) as $signed - BIAS as $signed - if tiny { 64 } else { 0 };
            let mantissa = $t::from_bits((bits & !(FIELD << DIGITS)) | (BIAS << DIGITS));
            let whole = !x.is_finite() | (x == 0.0);
            (if whole { x } else { mantissa }, if whole { 0 } else { exponent as i32 })
        }

        impl Map<$t> for FrexpMantissa {
            type A = $t;
            type B = ();
            type C = ();
            type Out = $t;
            #[inline(always)]
            fn map(x: $t, _: (), _: ()) -> $t {
                $split(x).0
            }
        }

        impl Map<$t> for FrexpExponent {
            type A = $t;
            type B = ();
            type C = ();
            type Out = i32;
            #[inline(always)]
            fn map(x: $t, _: (), _: ()) -> i32 {
                $split(x).1
            }
        }
    )+};
}

layouts! {
    f32 u32 i32 split_single;
    f64 u64 i64 split_double;
}

/// Two to the power `n`, which is an exponent of normal numbers.
#[inline(always)]
fn power_of_two(n: i64) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl Map<f32> for Ldexp {
    type A = f32;
    type B = i64;
    type C = ();
    type Out = f32;
    #[inline(always)]
    fn map(x: f32, n: i64, _: ()) -> f32 {
        // In `f64` every such product is exact, so that only the conversion rounds.
        (x as f64 * power_of_two(n.clamp(-400, 400))) as f32
    }
}

impl Map<f64> for Ldexp {
    type A = f64;
    type B = i64;
    type C = ();
    type Out = f64;
    #[inline(always)]
    fn map(x: f64, n: i64, _: ()) -> f64 {
        // Three steps reach from the smallest number to the largest and back. Going down, the first two stop
        // short of the subnormals, whose rounding is left to the last.
        let n = n.clamp(-2200, 2200);
        let first = if n < -1022 { -969 } else { n.min(1023) };
        let left = n - first;
        let second = if left < -1022 { -969 } else { left.min(1023) };
        let third = left - second;
        x * power_of_two(first) * power_of_two(second) * power_of_two(third)
    }
}

/// Implements the steps of the 16-bit floats in their own format; `next` is the neighbour that `spacing`
/// measures the distance to.
macro_rules! short_layouts {
    ($($t:ident, $x:ident => $next:expr;)+) => {$(
        impl Map<$t> for Nextafter {
            type A = $t;
            type B = $t;
            type C = ();
            type Out = $t;
            #[inline(always)]
            fn map(x: $t, y: $t, _: ()) -> $t {
                if x.is_nan() || y.is_nan() {
                    return $t::NAN;
                }
                if x == y {
                    return y;
                }
                let outwards = (x < y) == (x > $t::ZERO);
                $t::from_bits(neighbour!(u16, x.to_bits(), y.to_bits(), outwards))
            }
        }

        impl Map<$t> for Spacing {
            type A = $t;
            type B = ();
            type C = ();
            type Out = $t;
            #[inline(always)]
            fn map($x: $t, _: (), _: ()) -> $t {
                if !$x.is_finite() {
                    return $t::NAN;
                }
                $t::from_f32_const($next.to_f32_const() - $x.to_f32_const())
            }
        }
    )+};
}

short_layouts! {
    f16, x => <Nextafter as Map<f16>>::map(x, f16::INFINITY, ());
    bf16, x => bf16::from_bits(x.to_bits() + 1);
}
