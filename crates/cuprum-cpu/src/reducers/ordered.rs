//! The order of elements that extrema are taken of.

use num_complex::Complex;

/// Elements with NumPy's order; half precision is compared through order-keeping integers by [`HalfBits`].
pub(super) trait Ordered: Copy {
    const LOWEST: Self;
    const HIGHEST: Self;
    /// What a NaN-skipping extremum of nothing is: NaN where there is one.
    const MISSING: Option<Self>;
    /// Whether there are NaNs that users can tell apart: those of complex numbers, by their other part.
    const PARTS: bool = false;
    fn is_nan(self) -> bool;
    fn below(self, other: Self) -> bool;
    /// Whether neither is below the other and none is NaN.
    fn same(self, other: Self) -> bool;
    /// Whether there are others that are the same and have other bits: zeros of either sign.
    fn has_twins(self) -> bool;
}

/// For `i8` this makes an `impl Ordered` whose values are never NaN; for `f32` one that uses infinities.
macro_rules! ordered {
    (int $($int:ty),*; float $($float:ty),*) => {
        $(impl Ordered for $int {
            const LOWEST: Self = <$int>::MIN;
            const HIGHEST: Self = <$int>::MAX;
            const MISSING: Option<Self> = None;
            #[inline(always)]
            fn is_nan(self) -> bool { false }
            #[inline(always)]
            fn below(self, other: Self) -> bool { self < other }
            #[inline(always)]
            fn same(self, other: Self) -> bool { self == other }
            #[inline(always)]
            fn has_twins(self) -> bool { false }
        })*
        $(impl Ordered for $float {
            const LOWEST: Self = <$float>::NEG_INFINITY;
            const HIGHEST: Self = <$float>::INFINITY;
            const MISSING: Option<Self> = Some(<$float>::NAN);
            #[inline(always)]
            fn is_nan(self) -> bool { self != self }
            #[inline(always)]
            fn below(self, other: Self) -> bool { self < other }
            #[inline(always)]
            fn same(self, other: Self) -> bool { self == other }
            #[inline(always)]
            fn has_twins(self) -> bool { self == 0.0 }
        })*
    };
}
ordered!(int i8, u8, i16, u16, i32, u32, i64, u64; float f32, f64);

impl<T: Ordered + PartialEq> Ordered for Complex<T> {
    const LOWEST: Self = Complex { re: T::LOWEST, im: T::LOWEST };
    const HIGHEST: Self = Complex { re: T::HIGHEST, im: T::HIGHEST };
    const MISSING: Option<Self> = match T::MISSING {
        Some(nan) => Some(Complex { re: nan, im: nan }),
        None => None,
    };
    const PARTS: bool = true;
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.re.is_nan() || self.im.is_nan()
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self.re.below(other.re) || (self.re == other.re && self.im.below(other.im))
    }
    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self.re == other.re && self.im == other.im
    }
    #[inline(always)]
    fn has_twins(self) -> bool {
        self.re.has_twins() || self.im.has_twins()
    }
}

/// A 16-bit float by its bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct HalfBits<const INFINITY: u16>(u16);

impl<const INFINITY: u16> HalfBits<INFINITY> {
    /// An integer that orders as the number does.
    #[inline(always)]
    fn key(self) -> i16 {
        let magnitude = (self.0 & 0x7fff) as i16;
        if self.0 >> 15 == 1 { -magnitude } else { magnitude }
    }
}

impl<const INFINITY: u16> Ordered for HalfBits<INFINITY> {
    const LOWEST: Self = HalfBits(INFINITY | 0x8000);
    const HIGHEST: Self = HalfBits(INFINITY);
    const MISSING: Option<Self> = Some(HalfBits(INFINITY | ((0x8000 - INFINITY) >> 1)));
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.0 & 0x7fff > INFINITY
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        !self.is_nan() && !other.is_nan() && self.key() < other.key()
    }
    #[inline(always)]
    fn same(self, other: Self) -> bool {
        !self.is_nan() && self.key() == other.key()
    }
    #[inline(always)]
    fn has_twins(self) -> bool {
        self.key() == 0
    }
}

/// A bool: every byte but zero is true, and equal to every other true byte.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct OrderedBool(pub(super) u8);

impl Ordered for OrderedBool {
    const LOWEST: Self = OrderedBool(0);
    const HIGHEST: Self = OrderedBool(1);
    const MISSING: Option<Self> = None;
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        (self.0 == 0) & (other.0 != 0)
    }
    #[inline(always)]
    fn same(self, other: Self) -> bool {
        (self.0 != 0) == (other.0 != 0)
    }
    #[inline(always)]
    fn has_twins(self) -> bool {
        false
    }
}

pub(super) type F16 = HalfBits<0x7c00>;
pub(super) type Bf16 = HalfBits<0x7f80>;
