//! `floor_divide`, `remainder` and `fmod`: Python's and C's division with remainder.

use super::element::{Float, Int};
use super::loops::Map;

/// Declares a division of integers by what it makes of a quotient towards zero; `IntFmod`, for one, expands to
///
/// ```text
/// pub(super) struct IntFmod;
/// impl<T: Int> Map<T> for IntFmod {
///     const RARE: bool = T::WIDE;
///     fn map(a: T, b: T, _: ()) -> T { fmod(a, b, T::quotient) }
///     fn rare(a: T, b: T, _: ()) -> bool { a.is_wide() | b.is_wide() }
///     fn slow(a: T, b: T, _: ()) -> T { fmod(a, b, T::whole_quotient) }
/// }
/// ```
macro_rules! int_divisions {
    ($($name:ident($a:ident, $b:ident, $quotient:ident) = $body:expr;)+) => {$(
        pub(super) struct $name;
        impl<T: Int> Map<T> for $name {
            type A = T;
            type B = T;
            type C = ();
            type Out = T;
            const RARE: bool = T::WIDE;
            #[inline(always)]
            fn map($a: T, $b: T, _: ()) -> T {
                let $quotient = T::quotient;
                $body
            }
            #[inline(always)]
            fn rare(a: T, b: T, _: ()) -> bool {
                a.is_wide() | b.is_wide()
            }
            #[inline(always)]
            fn slow($a: T, $b: T, _: ()) -> T {
                let $quotient = T::whole_quotient;
                $body
            }
        }
    )+};
}

int_divisions! {
    IntFloorDivide(a, b, quotient) = divide(a, b, quotient).0;
    IntRemainder(a, b, quotient) = divide(a, b, quotient).1;
    IntFmod(a, b, quotient) = {
        let (divisor, quotient) = truncated(a, b, quotient);
        if b == T::ZERO { T::ZERO } else { a.sub(quotient.mul(divisor)) }
    };
}

/// A divisor that is safe to use, and the quotient towards zero. Where the division would fail, by zero or
/// from the smallest number by minus one, dividing by one gives the wrapped quotient and no remainder.
#[inline(always)]
fn truncated<T: Int>(a: T, b: T, quotient: impl Fn(T, T) -> T) -> (T, T) {
    let minus_one = T::ZERO.sub(T::ONE);
    let fails = (b == T::ZERO) | ((T::MIN != T::ZERO) & (a == T::MIN) & (b == minus_one));
    let divisor = if fails { T::ONE } else { b };
    (divisor, quotient(a, divisor))
}

#[inline(always)]
fn divide<T: Int>(a: T, b: T, quotient: impl Fn(T, T) -> T) -> (T, T) {
    let (divisor, quotient) = truncated(a, b, quotient);
    let rest = a.sub(quotient.mul(divisor));
    let below = (rest != T::ZERO) & ((rest < T::ZERO) != (divisor < T::ZERO));
    let floor = if below { quotient.sub(T::ONE) } else { quotient };
    let modulo = if below { rest.add(divisor) } else { rest };
    let by_zero = b == T::ZERO;
    (if by_zero { T::ZERO } else { floor }, if by_zero { T::ZERO } else { modulo })
}

/// C's `fmod` of a short quotient, exactly: the product of quotient and divisor is subtracted unrounded, and
/// the quotient, when rounding took it up to the next whole number, is one too large at most.
#[inline(always)]
fn short_fmod<T: Float>(a: T, b: T) -> T {
    let quotient = a.div(b).trunc();
    let rest = quotient.neg().mul_add(b, a);
    let overshot = (rest != T::ZERO) & ((rest < T::ZERO) != (a < T::ZERO));
    let rest = if overshot { rest.add(b.abs().copysign(a)) } else { rest };
    rest.copysign(a)
}

#[inline(always)]
fn is_long<T: Float>(a: T, b: T) -> bool {
    let short = a.div(b).abs() < T::SHORT_QUOTIENT;
    !short | (b.abs() == T::INFINITY)
}

/// Python's quotient and remainder from C's remainder.
#[inline(always)]
fn floored<T: Float>(a: T, b: T, fmod: T) -> (T, T) {
    let whole = a.sub(fmod).div(b);
    let adjust = (fmod != T::ZERO) & ((b < T::ZERO) != (fmod < T::ZERO));
    let modulo = if adjust { fmod.add(b) } else { fmod };
    let whole = if adjust { whole.sub(T::ONE) } else { whole };
    let modulo = if fmod == T::ZERO { T::ZERO.copysign(b) } else { modulo };
    let floor = whole.floor();
    let floor = if whole.sub(floor) > T::HALF { floor.add(T::ONE) } else { floor };
    let floor = if whole == T::ZERO { T::ZERO.copysign(a.div(b)) } else { floor };
    let by_zero = b == T::ZERO;
    (if by_zero { a.div(b) } else { floor }, if by_zero { fmod } else { modulo })
}

/// Declares a division of floats by what it makes of C's remainder; `FloatFmod`, for one, expands to
///
/// ```text
/// pub(super) struct FloatFmod;
/// impl<T: Float> Map<T> for FloatFmod {
///     const RARE: bool = true;
///     fn map(a: T, b: T, _: ()) -> T { let fmod = short_fmod(a, b); fmod }
///     fn rare(a: T, b: T, _: ()) -> bool { is_long(a, b) }
///     fn slow(a: T, b: T, _: ()) -> T { let fmod = a.fmod(b); fmod }
/// }
/// ```
macro_rules! divisions {
    ($($name:ident($a:ident, $b:ident, $fmod:ident) = $body:expr;)+) => {$(
        pub(super) struct $name;
        impl<T: Float> Map<T> for $name {
            type A = T;
            type B = T;
            type C = ();
            type Out = T;
            const RARE: bool = true;
            #[inline(always)]
            fn map($a: T, $b: T, _: ()) -> T {
                let $fmod = short_fmod($a, $b);
                $body
            }
            #[inline(always)]
            fn rare(a: T, b: T, _: ()) -> bool {
                is_long(a, b)
            }
            #[inline(always)]
            fn slow($a: T, $b: T, _: ()) -> T {
                let $fmod = $a.fmod($b);
                $body
            }
        }
    )+};
}

divisions! {
    FloatFmod(a, b, fmod) = fmod;
    FloatFloorDivide(a, b, fmod) = floored(a, b, fmod).0;
    FloatRemainder(a, b, fmod) = floored(a, b, fmod).1;
}
