//! What the element types have in common: arithmetic, order and truth with NumPy's meaning.

use num_complex::Complex;

use super::loops::{Bool, Slot};

/// Arithmetic and order of any dtype but `bool`, whose `Bool` has only the parts that NumPy gives it.
pub(super) trait LaneNumber: Slot {
    /// The type of `absolute`'s result.
    type Real: Slot;
    const ZERO: Self;
    const ONE: Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn conj(self) -> Self;
    fn real(self) -> Self::Real;
    fn imag(self) -> Self::Real;
    /// The larger, or the first NaN; the second of two floats that are equal, which tells zeros apart.
    fn maximum(self, other: Self) -> Self;
    /// The smaller, or the first NaN; of equal floats the second.
    fn minimum(self, other: Self) -> Self;
    /// The larger of those that are not NaN.
    fn fmax(self, other: Self) -> Self;
    /// The smaller of those that are not NaN.
    fn fmin(self, other: Self) -> Self;
    fn clip(self, low: Self, high: Self) -> Self;
    fn equal(self, other: Self) -> bool;
    fn less(self, other: Self) -> bool;
    fn less_equal(self, other: Self) -> bool;
    /// Whether the element counts as true.
    fn truth(self) -> bool;
    fn is_nan(self) -> bool;
    fn is_inf(self) -> bool;
}

impl LaneNumber for Bool {
    type Real = Bool;
    const ZERO: Bool = Bool(0);
    const ONE: Bool = Bool(1);
    #[inline(always)]
    fn add(self, other: Bool) -> Bool {
        Bool::from(self.truth() | other.truth())
    }
    #[inline(always)]
    fn sub(self, other: Bool) -> Bool {
        Bool::from(self.truth() ^ other.truth())
    }
    #[inline(always)]
    fn mul(self, other: Bool) -> Bool {
        Bool::from(self.truth() & other.truth())
    }
    #[inline(always)]
    fn neg(self) -> Bool {
        self
    }
    #[inline(always)]
    fn conj(self) -> Bool {
        self
    }
    #[inline(always)]
    fn real(self) -> Bool {
        self
    }
    #[inline(always)]
    fn imag(self) -> Bool {
        Bool(0)
    }
    #[inline(always)]
    fn maximum(self, other: Bool) -> Bool {
        self.add(other)
    }
    #[inline(always)]
    fn minimum(self, other: Bool) -> Bool {
        self.mul(other)
    }
    #[inline(always)]
    fn fmax(self, other: Bool) -> Bool {
        self.add(other)
    }
    #[inline(always)]
    fn fmin(self, other: Bool) -> Bool {
        self.mul(other)
    }
    #[inline(always)]
    fn clip(self, low: Bool, high: Bool) -> Bool {
        self.maximum(low).minimum(high)
    }
    #[inline(always)]
    fn equal(self, other: Bool) -> bool {
        self.truth() == other.truth()
    }
    #[inline(always)]
    fn less(self, other: Bool) -> bool {
        !self.truth() & other.truth()
    }
    #[inline(always)]
    fn less_equal(self, other: Bool) -> bool {
        !self.truth() | other.truth()
    }
    #[inline(always)]
    fn truth(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    #[inline(always)]
    fn is_inf(self) -> bool {
        false
    }
}

/// A real number.
pub(super) trait Signed: LaneNumber<Real = Self> {
    /// Minus one, zero or one; NaN for NaN.
    fn sign(self) -> Self;
    fn abs(self) -> Self;
}

/// An integer; everything wraps.
pub(super) trait Int: Signed + Ord {
    const MIN: Self;
    /// What NumPy gives for `reciprocal(0)`: infinity, converted.
    const RECIPROCAL_OF_ZERO: Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// The shift by `count`, bits falling off both ends.
    fn shift_left(self, count: Self) -> Self;
    fn shift_right(self, count: Self) -> Self;
    /// Ones in the magnitude.
    fn ones(self) -> u8;
    /// Whether some numbers are too wide for [`quotient`](Int::quotient).
    const WIDE: bool;
    /// Whether this one is.
    fn is_wide(self) -> bool;
    /// The quotient rounded towards zero, for a divisor that is neither zero nor overflows, of numbers that are not wide; any
    /// number else.
    fn quotient(self, divisor: Self) -> Self;
    /// As [`quotient`](Int::quotient), of any numbers.
    fn whole_quotient(self, divisor: Self) -> Self;
    fn power(self, exponent: Self) -> Self;
    fn gcd(self, other: Self) -> Self;
    fn lcm(self, other: Self) -> Self;
}

/// Implements [`LaneNumber`] and [`Int`] for the integers, given the unsigned type of the same size, the type to
/// divide in (exact, because its mantissa is longer than both operands) and `1 / 0`.
macro_rules! ints {
    ($($t:ident $unsigned:ident $divide:ident $recip:expr;)+) => {$(
        impl LaneNumber for $t {
            type Real = $t;
            const ZERO: $t = 0;
            const ONE: $t = 1;
            #[inline(always)]
            fn add(self, other: $t) -> $t { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: $t) -> $t { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: $t) -> $t { self.wrapping_mul(other) }
            #[inline(always)]
            fn neg(self) -> $t { self.wrapping_neg() }
            #[inline(always)]
            fn conj(self) -> $t { self }
            #[inline(always)]
            fn real(self) -> $t { self }
            #[inline(always)]
            fn imag(self) -> $t { 0 }
            #[inline(always)]
            fn maximum(self, other: $t) -> $t { self.max(other) }
            #[inline(always)]
            fn minimum(self, other: $t) -> $t { self.min(other) }
            #[inline(always)]
            fn fmax(self, other: $t) -> $t { self.max(other) }
            #[inline(always)]
            fn fmin(self, other: $t) -> $t { self.min(other) }
            #[inline(always)]
            fn clip(self, low: $t, high: $t) -> $t { self.max(low).min(high) }
            #[inline(always)]
            fn equal(self, other: $t) -> bool { self == other }
            #[inline(always)]
            fn less(self, other: $t) -> bool { self < other }
            #[inline(always)]
            fn less_equal(self, other: $t) -> bool { self <= other }
            #[inline(always)]
            fn truth(self) -> bool { self != 0 }
            #[inline(always)]
            fn is_nan(self) -> bool { false }
            #[inline(always)]
            fn is_inf(self) -> bool { false }
        }

        impl Signed for $t {
            #[inline(always)]
            fn sign(self) -> $t {
                let positive = (self > 0) as $t;
                if self < Self::ZERO { (0 as $t).wrapping_sub(1) } else { positive }
            }
            #[inline(always)]
            fn abs(self) -> $t { if self < Self::ZERO { self.wrapping_neg() } else { self } }
        }

        impl Int for $t {
            const MIN: $t = $t::MIN;
            const RECIPROCAL_OF_ZERO: $t = $recip;
            #[inline(always)]
            fn and(self, other: $t) -> $t { self & other }
            #[inline(always)]
            fn or(self, other: $t) -> $t { self | other }
            #[inline(always)]
            fn xor(self, other: $t) -> $t { self ^ other }
            #[inline(always)]
            fn not(self) -> $t { !self }
            #[inline(always)]
            fn shift_left(self, count: $t) -> $t {
                let inside = (count as $unsigned) < $t::BITS as $unsigned;
                let shifted = self.wrapping_shl(count as u32);
                if inside { shifted } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, count: $t) -> $t {
                let most = $t::BITS - 1;
                let all = self.wrapping_shr(most);
                let inside = (count as $unsigned) < $t::BITS as $unsigned;
                let beyond = if Self::MIN == 0 { 0 } else { all };
                let shifted = self.wrapping_shr(count as u32);
                if inside { shifted } else { beyond }
            }
            #[inline(always)]
            fn ones(self) -> u8 { Signed::abs(self).count_ones() as u8 }
            #[inline(always)]
            fn quotient(self, divisor: $t) -> $t { quotient!($divide, $t, self, divisor) }
            #[inline(always)]
            fn whole_quotient(self, divisor: $t) -> $t { self.wrapping_div(divisor) }
            const WIDE: bool = size_of::<$t>() == 8;
            #[inline(always)]
            fn is_wide(self) -> bool {
                let below = if <$t>::MIN == 0 { 0 } else { EXACT_QUOTIENT_MAX };
                Self::WIDE && (self as u64).wrapping_add(below) >= below + EXACT_QUOTIENT_MAX
            }
            #[inline(always)]
            fn power(self, exponent: $t) -> $t {
                if exponent < Self::ZERO {
                    let even = exponent & 1 == 0;
                    return match Signed::abs(self) == 1 {
                        true if even => 1,
                        true => self,
                        false => 0,
                    };
                }
                let (mut base, mut left, mut result) = (self, exponent as $unsigned, 1 as $t);
                while left != 0 {
                    if left & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    left >>= 1;
                    base = base.wrapping_mul(base);
                }
                result
            }
            #[inline(always)]
            fn gcd(self, other: $t) -> $t {
                let (mut a, mut b) = (Signed::abs(self) as $unsigned, Signed::abs(other) as $unsigned);
                while a != 0 {
                    (a, b) = (b % a, a);
                }
                b as $t
            }
            #[inline(always)]
            fn lcm(self, other: $t) -> $t {
                let (a, b) = (Signed::abs(self) as $unsigned, Signed::abs(other) as $unsigned);
                let gcd = self.gcd(other) as $unsigned;
                if gcd == 0 { 0 } else { (a / gcd).wrapping_mul(b) as $t }
            }
        }
    )+};
}

/// Division in floats vectorises where integer division does not; the quotient is exact after truncation,
/// since a quotient that is not whole lies further from the next whole number than the rounding error.
macro_rules! quotient {
    (narrow, $t:ident, $a:expr, $b:expr) => {
        narrow_quotient($a as i64, $b as i64) as $t
    };
    ($float:ident, $t:ident, $a:expr, $b:expr) => {{
        let ratio = $a as $float / $b as $float;
        // SAFETY: the quotient of two integers of this type, without overflow, is in its range.
        unsafe { ratio.to_int_unchecked::<$t>() }
    }};
}

/// Numbers of 64 bits whose magnitude is below this are divided as floats.
const EXACT_QUOTIENT_MAX: u64 = 1 << 51;
/// Beside this number the last bit of a double counts ones: such a number's bits are its own and those of an integer, added.
const INTEGER_SHIFT: f64 = 1.5 * (1u64 << 52) as f64;

/// The quotient towards zero of numbers below [`EXACT_QUOTIENT_MAX`], by operations that every instruction set has for vectors.
#[inline(always)]
fn narrow_quotient(a: i64, b: i64) -> i64 {
    let float = |x: i64| f64::from_bits(INTEGER_SHIFT.to_bits().wrapping_add(x as u64)) - INTEGER_SHIFT;
    let ratio = float(a) / float(b);
    let nearest = ratio + INTEGER_SHIFT - INTEGER_SHIFT;
    let beyond = nearest.abs() > ratio.abs();
    let towards_zero = if beyond { nearest - 1f64.copysign(ratio) } else { nearest };
    (towards_zero + INTEGER_SHIFT).to_bits().wrapping_sub(INTEGER_SHIFT.to_bits()) as i64
}

ints! {
    i8 u8 f32 0;
    u8 u8 f32 0;
    i16 u16 f32 0;
    u16 u16 f32 0;
    i32 u32 f64 i32::MIN;
    u32 u32 f64 0;
    i64 u64 narrow i64::MIN;
    u64 u64 narrow 0;
}

/// A real floating type of the machine.
pub(super) trait Float: Signed + PartialOrd {
    const HALF: Self;
    const INFINITY: Self;
    const DEGREES: Self;
    const RADIANS: Self;
    /// Quotients below this are divided exactly by one multiply-add.
    const SHORT_QUOTIENT: Self;
    fn div(self, other: Self) -> Self;
    fn fmod(self, other: Self) -> Self;
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn rint(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn signbit(self) -> bool;
}

/// Implements [`LaneNumber`] and [`Float`] for `f32` and `f64`.
macro_rules! floats {
    ($($t:ident $short:expr;)+) => {$(
        impl LaneNumber for $t {
            type Real = $t;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn add(self, other: $t) -> $t { self + other }
            #[inline(always)]
            fn sub(self, other: $t) -> $t { self - other }
            #[inline(always)]
            fn mul(self, other: $t) -> $t { self * other }
            #[inline(always)]
            fn neg(self) -> $t { -self }
            #[inline(always)]
            fn conj(self) -> $t { self }
            #[inline(always)]
            fn real(self) -> $t { self }
            #[inline(always)]
            fn imag(self) -> $t { 0.0 }
            #[inline(always)]
            fn maximum(self, other: $t) -> $t { if (self > other) | self.is_nan() { self } else { other } }
            #[inline(always)]
            fn minimum(self, other: $t) -> $t { if (self < other) | self.is_nan() { self } else { other } }
            #[inline(always)]
            fn fmax(self, other: $t) -> $t { if (self >= other) | other.is_nan() { self } else { other } }
            #[inline(always)]
            fn fmin(self, other: $t) -> $t { if (self <= other) | other.is_nan() { self } else { other } }
            #[inline(always)]
            fn clip(self, low: $t, high: $t) -> $t {
                let raised = if (self < low) | (low.is_nan() & !self.is_nan()) { low } else { self };
                if (raised > high) | (high.is_nan() & !raised.is_nan()) { high } else { raised }
            }
            #[inline(always)]
            fn equal(self, other: $t) -> bool { self == other }
            #[inline(always)]
            fn less(self, other: $t) -> bool { self < other }
            #[inline(always)]
            fn less_equal(self, other: $t) -> bool { self <= other }
            #[inline(always)]
            fn truth(self) -> bool { self != 0.0 }
            #[inline(always)]
            fn is_nan(self) -> bool { $t::is_nan(self) }
            #[inline(always)]
            fn is_inf(self) -> bool { self.is_infinite() }
        }

        impl Signed for $t {
            #[inline(always)]
            fn sign(self) -> $t {
                let sign = if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { 0.0 };
                if self.is_nan() { self } else { sign }
            }
            #[inline(always)]
            fn abs(self) -> $t { $t::abs(self) }
        }

        impl Float for $t {
            const HALF: $t = 0.5;
            const INFINITY: $t = $t::INFINITY;
            const DEGREES: $t = 180.0 / std::$t::consts::PI;
            const RADIANS: $t = std::$t::consts::PI / 180.0;
            const SHORT_QUOTIENT: $t = $short;
            #[inline(always)]
            fn div(self, other: $t) -> $t { self / other }
            #[inline(always)]
            fn fmod(self, other: $t) -> $t { self % other }
            #[inline(always)]
            fn mul_add(self, b: $t, c: $t) -> $t { $t::mul_add(self, b, c) }
            #[inline(always)]
            fn sqrt(self) -> $t { $t::sqrt(self) }
            #[inline(always)]
            fn floor(self) -> $t { $t::floor(self) }
            #[inline(always)]
            fn ceil(self) -> $t { $t::ceil(self) }
            #[inline(always)]
            fn trunc(self) -> $t { $t::trunc(self) }
            #[inline(always)]
            fn rint(self) -> $t { self.round_ties_even() }
            #[inline(always)]
            fn copysign(self, sign: $t) -> $t { $t::copysign(self, sign) }
            #[inline(always)]
            fn signbit(self) -> bool { self.is_sign_negative() }
        }
    )+};
}

floats! {
    f32 4_194_304.0;
    f64 2_251_799_813_685_248.0;
}

impl<T: Float> LaneNumber for Complex<T>
where
    Complex<T>: Slot,
{
    type Real = T;
    const ZERO: Self = Complex { re: T::ZERO, im: T::ZERO };
    const ONE: Self = Complex { re: T::ONE, im: T::ZERO };
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Complex { re: self.re.add(other.re), im: self.im.add(other.im) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Complex { re: self.re.sub(other.re), im: self.im.sub(other.im) }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Complex {
            re: self.re.mul(other.re).sub(self.im.mul(other.im)),
            im: self.re.mul(other.im).add(self.im.mul(other.re)),
        }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Complex { re: self.re.neg(), im: self.im.neg() }
    }
    #[inline(always)]
    fn conj(self) -> Self {
        Complex { re: self.re, im: self.im.neg() }
    }
    #[inline(always)]
    fn real(self) -> T {
        self.re
    }
    #[inline(always)]
    fn imag(self) -> T {
        self.im
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        if self.is_nan() | other.less_equal(self) { self } else { other }
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        if self.is_nan() | self.less_equal(other) { self } else { other }
    }
    #[inline(always)]
    fn fmax(self, other: Self) -> Self {
        if other.is_nan() | other.less_equal(self) { self } else { other }
    }
    #[inline(always)]
    fn fmin(self, other: Self) -> Self {
        if other.is_nan() | self.less_equal(other) { self } else { other }
    }
    #[inline(always)]
    fn clip(self, low: Self, high: Self) -> Self {
        // Unlike the extrema, NumPy's clip orders by the real parts alone unless they are equal.
        let above = |a: Self, b: Self| if a.re == b.re { a.im > b.im } else { a.re > b.re };
        let raised = if self.is_nan() | above(self, low) { self } else { low };
        if raised.is_nan() | above(high, raised) { raised } else { high }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        (self.re == other.re) & (self.im == other.im)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        let ordered = !self.im.is_nan() & !other.im.is_nan();
        ((self.re < other.re) & ordered) | ((self.re == other.re) & (self.im < other.im))
    }
    #[inline(always)]
    fn less_equal(self, other: Self) -> bool {
        let ordered = !self.im.is_nan() & !other.im.is_nan();
        ((self.re < other.re) & ordered) | ((self.re == other.re) & (self.im <= other.im))
    }
    #[inline(always)]
    fn truth(self) -> bool {
        self.re.truth() | self.im.truth()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.re.is_nan() | self.im.is_nan()
    }
    #[inline(always)]
    fn is_inf(self) -> bool {
        self.re.is_inf() | self.im.is_inf()
    }
}
