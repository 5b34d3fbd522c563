//! The numbers that matrices are made of: float32, float64 and their complex companions.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use faer::traits::ComplexField;
use num_complex::Complex;

/// An element of a matrix.
pub trait MatrixElement:
    ComplexField
    + Copy
    + Default
    + Debug
    + Send
    + Sync
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + crate::compiled::Compiled
    + 'static
{
    /// The real type: of an absolute value, of a singular value.
    type RealElement: RealElement;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Whether there is an imaginary part.
    const IS_COMPLEX: bool;

    /// A real number as an element.
    fn from_real(part: Self::RealElement) -> Self;
    /// The number of two parts; the imaginary one is dropped where there is none.
    fn from_reals(re: Self::RealElement, im: Self::RealElement) -> Self;
    /// The real part.
    fn re(self) -> Self::RealElement;
    /// The imaginary part.
    fn im(self) -> Self::RealElement;
    /// The conjugate.
    fn conjugate(self) -> Self;
    /// Multiplied by a real number.
    fn times(self, factor: Self::RealElement) -> Self;
    /// `|re| + |im|`, by which LAPACK chooses pivots.
    fn size1(self) -> Self::RealElement;
    /// The absolute value, without overflow on the way.
    fn modulus(self) -> Self::RealElement;
    /// `self / divisor`, without overflow on the way.
    fn over(self, divisor: Self) -> Self;
    /// Divides all of `row` by `divisor`.
    fn divide_all(row: &mut [Self], divisor: Self);
    /// Neither infinite nor NaN.
    fn finite(self) -> bool;
    /// Eigenvalues and, where wanted, eigenvectors (columns of `vectors`, not normalised) of a matrix of order `n`
    /// that is finite and of moderate size; `false` where the iteration did not end.
    fn eigen(
        a: &[Self],
        n: usize,
        values: &mut [Complex<Self::RealElement>],
        vectors: Option<&mut [Complex<Self::RealElement>]>,
        par: faer::Par,
    ) -> cuprum_core::Result<bool>;
}

/// A real element.
pub trait RealElement: MatrixElement<RealElement = Self> + PartialOrd + Div<Output = Self> {
    /// The distance from one to the next larger number.
    const EPSILON: Self;
    /// The smallest normal number.
    const TINY: Self;
    /// The largest finite number.
    const LARGEST: Self;
    /// A half.
    const HALF: Self;

    /// The square root.
    fn root(self) -> Self;
    /// `sqrt(self**2 + other**2)`, without overflow on the way.
    fn hypotenuse(self, other: Self) -> Self;
    /// The number with `sign`'s sign.
    fn with_sign_of(self, sign: Self) -> Self;
    /// The exponent `e` with `2**e <= |self| < 2**(e + 1)`; of zero it is 0.
    fn exponent(self) -> i32;
    /// `self * 2**e`, in steps where one factor would overflow.
    fn times_power_of_two(self, e: i32) -> Self;
    /// As float64.
    fn to_f64(self) -> f64;
    /// The nearest number.
    fn nearest(x: f64) -> Self;
}

macro_rules! real {
    ($t:ident, $bits:ty, $mantissa:literal, $bias:literal) => {
        impl RealElement for $t {
            const EPSILON: $t = $t::EPSILON;
            const TINY: $t = $t::MIN_POSITIVE;
            const LARGEST: $t = $t::MAX;
            const HALF: $t = 0.5;

            #[inline(always)]
            fn root(self) -> $t {
                self.sqrt()
            }
            #[inline]
            fn hypotenuse(self, other: $t) -> $t {
                self.hypot(other)
            }
            #[inline(always)]
            fn with_sign_of(self, sign: $t) -> $t {
                self.copysign(sign)
            }
            fn exponent(self) -> i32 {
                if self == 0.0 || !self.is_finite() {
                    return 0;
                }
                let biased = |x: $t| ((x.to_bits() >> $mantissa) & (2 * $bias + 1)) as i32 - $bias;
                match self.abs() < $t::MIN_POSITIVE {
                    // Brought among the normal numbers by a power of two.
                    true => biased(self * (1u64 << ($mantissa + 1)) as $t) - ($mantissa + 1),
                    false => biased(self),
                }
            }
            fn times_power_of_two(self, e: i32) -> $t {
                if self == 0.0 || !self.is_finite() {
                    return self;
                }
                let factor = |e: i32| <$t>::from_bits(((e + $bias) as $bits) << $mantissa);
                let scaled = |x: $t, e: i32| match e {
                    e if e > $bias => x * factor($bias) * factor(e - $bias),
                    e if e < 1 - $bias => x * factor(1 - $bias) * factor(e - (1 - $bias)),
                    e => x * factor(e),
                };
                // Scaled to between one and two first, which is exact, so that the result is rounded once.
                let k = self.exponent();
                scaled(scaled(self, -k), (k + e).clamp(2 - 2 * $bias, 2 * $bias))
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn nearest(x: f64) -> $t {
                x as $t
            }
        }

        impl MatrixElement for $t {
            type RealElement = $t;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const IS_COMPLEX: bool = false;

            #[inline(always)]
            fn from_real(part: $t) -> $t {
                part
            }
            #[inline(always)]
            fn from_reals(re: $t, _: $t) -> $t {
                re
            }
            #[inline(always)]
            fn re(self) -> $t {
                self
            }
            #[inline(always)]
            fn im(self) -> $t {
                0.0
            }
            #[inline(always)]
            fn conjugate(self) -> $t {
                self
            }
            #[inline(always)]
            fn times(self, factor: $t) -> $t {
                self * factor
            }
            #[inline(always)]
            fn size1(self) -> $t {
                self.abs()
            }
            #[inline(always)]
            fn modulus(self) -> $t {
                self.abs()
            }
            #[inline(always)]
            fn over(self, divisor: $t) -> $t {
                self / divisor
            }
            #[inline(always)]
            fn divide_all(row: &mut [$t], divisor: $t) {
                for x in row {
                    *x /= divisor;
                }
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
            fn eigen(
                a: &[$t],
                n: usize,
                values: &mut [Complex<$t>],
                vectors: Option<&mut [Complex<$t>]>,
                par: faer::Par,
            ) -> cuprum_core::Result<bool> {
                crate::eig::real_eigen(a, n, values, vectors, par)
            }
        }

        impl MatrixElement for Complex<$t> {
            type RealElement = $t;
            const ZERO: Self = Complex { re: 0.0, im: 0.0 };
            const ONE: Self = Complex { re: 1.0, im: 0.0 };
            const IS_COMPLEX: bool = true;

            #[inline(always)]
            fn from_real(part: $t) -> Self {
                Complex { re: part, im: 0.0 }
            }
            #[inline(always)]
            fn from_reals(re: $t, im: $t) -> Self {
                Complex { re, im }
            }
            #[inline(always)]
            fn re(self) -> $t {
                self.re
            }
            #[inline(always)]
            fn im(self) -> $t {
                self.im
            }
            #[inline(always)]
            fn conjugate(self) -> Self {
                Complex { re: self.re, im: -self.im }
            }
            #[inline(always)]
            fn times(self, factor: $t) -> Self {
                Complex { re: self.re * factor, im: self.im * factor }
            }
            #[inline(always)]
            fn size1(self) -> $t {
                self.re.abs() + self.im.abs()
            }
            #[inline]
            fn modulus(self) -> $t {
                self.re.hypot(self.im)
            }
            #[inline]
            fn over(self, divisor: Self) -> Self {
                // Smith's way: the larger part of the divisor is taken out first.
                let (a, d) = (self, divisor);
                if d.im.abs() <= d.re.abs() {
                    if d.re == 0.0 {
                        return Complex { re: a.re / d.re, im: a.im / d.re };
                    }
                    let ratio = d.im / d.re;
                    let scale = d.re + d.im * ratio;
                    Complex { re: (a.re + a.im * ratio) / scale, im: (a.im - a.re * ratio) / scale }
                } else {
                    let ratio = d.re / d.im;
                    let scale = d.re * ratio + d.im;
                    Complex { re: (a.re * ratio + a.im) / scale, im: (a.im * ratio - a.re) / scale }
                }
            }
            #[inline(always)]
            fn divide_all(row: &mut [Self], divisor: Self) {
                let inverse = Self::ONE.over(divisor);
                if inverse.size1() > 4.0 * $t::MIN_POSITIVE && inverse.size1() < 0.25 / $t::MIN_POSITIVE {
                    for x in row {
                        *x *= inverse;
                    }
                } else {
                    for x in row {
                        *x = x.over(divisor);
                    }
                }
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.re.is_finite() && self.im.is_finite()
            }
            fn eigen(
                a: &[Self],
                n: usize,
                values: &mut [Complex<$t>],
                vectors: Option<&mut [Complex<$t>]>,
                par: faer::Par,
            ) -> cuprum_core::Result<bool> {
                crate::eig::complex_eigen(a, n, values, vectors, par)
            }
        }
    };
}

// Each line writes `impl RealElement` and `impl MatrixElement` for the real type, and `impl MatrixElement` for its complex companion.
real!(f32, u32, 23, 127);
real!(f64, u64, 52, 1023);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_powers_of_two_hold_at_the_ends() {
        for (x, e) in [(1.0, 0), (1.5, 0), (2.0, 1), (0.75, -1), (5e-324, -1074), (f64::MAX, 1023)] {
            assert_eq!(x.exponent(), e);
        }
        assert_eq!(f32::MIN_POSITIVE.exponent(), -126);
        assert_eq!(1e-45f32.exponent(), -149);
        assert_eq!(1.0f64.times_power_of_two(-1074), 5e-324);
        assert_eq!(5e-324f64.times_power_of_two(2000), 2f64.powi(926));
        assert_eq!(f64::MAX.times_power_of_two(-2000), f64::MAX * 2f64.powi(-1000) * 2f64.powi(-1000));
        assert_eq!(1.0f64.times_power_of_two(1024), f64::INFINITY);
        assert_eq!(3.0f32.times_power_of_two(-149), 3.0 * 1e-45f32);
    }

    #[test]
    fn complex_division_does_not_overflow() {
        let d = Complex::new(3e200, 4e200);
        assert_eq!((d * 2.0).over(d), Complex::new(2.0, 0.0));
        let mut row = [Complex::new(1e-310, 0.0); 2];
        Complex::divide_all(&mut row, Complex::new(1e-310, 0.0));
        assert_eq!(row, [Complex::ONE; 2]);
    }
}
