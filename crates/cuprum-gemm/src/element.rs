//! Element types of a matrix product: how an element in memory becomes the number that is summed, and back.
//! Half precision is summed as `f32`, 8-bit integers as 16-bit ones (the low bits are the same); a
//! complex number is summed as a pair of reals.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use num_complex::Complex;

/// What is packed and summed: a real, or a pair of reals with the layout `[GemmReal; REALS]`.
///
/// A product of complex numbers runs on the real kernel: the parts of `a` are two rows, the parts of `b` two
/// columns, and the 2 by 2 block of real sums that belongs to one output is folded at the end.
pub(super) trait PackedNumber: Copy + Send + Sync + 'static {
    type GemmReal: GemmReal;
    const REALS: usize;
    const ZERO: Self;
    fn add(self, other: Self) -> Self;
    /// The value whose products of parts are `block[part of a][part of b]`; a real uses `block[0][0]` only.
    fn fold(block: [[Self::GemmReal; 2]; 2]) -> Self;
    /// The parts, zero-filled.
    fn parts(self) -> [Self::GemmReal; 2];
    /// The value with these parts; a real uses the first only.
    fn from_parts(parts: [Self::GemmReal; 2]) -> Self;
}

/// A number that the micro-kernels multiply and add.
pub(super) trait GemmReal: PackedNumber<GemmReal = Self> {
    fn neg(self) -> Self;
    /// `self * b + c`, fused where the target fuses at no cost.
    fn mul_add(self, b: Self, c: Self) -> Self;
}

/// Implements `PackedNumber` and `GemmReal` for a number: its zero, then an expression for each operation.
macro_rules! real {
    ($($t:ty, $zero:expr, add($x:ident, $y:ident) $add:expr, neg($z:ident) $neg:expr,
       mul_add($a:ident, $b:ident, $c:ident) $mul_add:expr;)*) => {$(
        impl PackedNumber for $t {
            type GemmReal = $t;
            const REALS: usize = 1;
            const ZERO: Self = $zero;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                let ($x, $y) = (self, other);
                $add
            }
            #[inline(always)]
            fn fold(block: [[$t; 2]; 2]) -> Self {
                block[0][0]
            }
            #[inline(always)]
            fn parts(self) -> [$t; 2] {
                [self, $zero]
            }
            #[inline(always)]
            fn from_parts(parts: [$t; 2]) -> Self {
                parts[0]
            }
        }

        impl GemmReal for $t {
            #[inline(always)]
            fn neg(self) -> Self {
                let $z = self;
                $neg
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                let ($a, $b, $c) = (self, b, c);
                $mul_add
            }
        }
    )*};
}

real! {
    f32, 0.0, add(x, y) x + y, neg(x) -x,
    mul_add(a, b, c) if FUSED { f32::mul_add(a, b, c) } else { a * b + c };
    f64, 0.0, add(x, y) x + y, neg(x) -x,
    mul_add(a, b, c) if FUSED { f64::mul_add(a, b, c) } else { a * b + c };
    u16, 0, add(x, y) x.wrapping_add(y), neg(x) x.wrapping_neg(),
    mul_add(a, b, c) a.wrapping_mul(b).wrapping_add(c);
    u32, 0, add(x, y) x.wrapping_add(y), neg(x) x.wrapping_neg(),
    mul_add(a, b, c) a.wrapping_mul(b).wrapping_add(c);
    u64, 0, add(x, y) x.wrapping_add(y), neg(x) x.wrapping_neg(),
    mul_add(a, b, c) a.wrapping_mul(b).wrapping_add(c);
    Bits, Bits(0), add(x, y) Bits(x.0 | y.0), neg(x) x,
    mul_add(a, b, c) Bits((a.0 & b.0) | c.0);
}

/// Whether every processor of the target multiplies and adds in one instruction.
const FUSED: bool = cfg!(target_arch = "aarch64");

macro_rules! complex_packed {
    ($($t:ty),*) => {$(
        impl PackedNumber for Complex<$t> {
            type GemmReal = $t;
            const REALS: usize = 2;
            const ZERO: Self = Complex { re: 0.0, im: 0.0 };
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn fold(block: [[$t; 2]; 2]) -> Self {
                Complex { re: block[0][0] - block[1][1], im: block[0][1] + block[1][0] }
            }
            #[inline(always)]
            fn parts(self) -> [$t; 2] {
                [self.re, self.im]
            }
            #[inline(always)]
            fn from_parts([re, im]: [$t; 2]) -> Self {
                Complex { re, im }
            }
        }
    )*};
}

complex_packed!(f32, f64);

/// An element as it lies in memory. Signed integers use the implementation of the unsigned type of their
/// width.
pub(super) trait GemmElement: Copy + Send + Sync + 'static {
    type PackedNumber: PackedNumber;
    /// Whether `Self` and `PackedNumber` are the same type, so that memory may be used as it is.
    const DIRECT: bool;
    fn widen(self) -> Self::PackedNumber;
    fn narrow(sum: Self::PackedNumber) -> Self;

    /// Widens a contiguous run.
    #[inline(always)]
    fn widen_run(source: &[Self], target: &mut [Self::PackedNumber]) {
        for (t, s) in target.iter_mut().zip(source) {
            *t = s.widen();
        }
    }

    /// Narrows a contiguous run.
    #[inline(always)]
    fn narrow_run(source: &[Self::PackedNumber], target: &mut [Self]) {
        for (t, s) in target.iter_mut().zip(source) {
            *t = Self::narrow(*s);
        }
    }
}

macro_rules! direct_element {
    ($($t:ty),*) => {$(
        impl GemmElement for $t {
            type PackedNumber = $t;
            const DIRECT: bool = true;
            #[inline(always)]
            fn widen(self) -> $t {
                self
            }
            #[inline(always)]
            fn narrow(sum: $t) -> $t {
                sum
            }
        }
    )*};
}

direct_element!(f32, f64, u16, u32, u64, Bits, Complex<f32>, Complex<f64>);

impl GemmElement for u8 {
    type PackedNumber = u16;
    const DIRECT: bool = false;
    #[inline(always)]
    fn widen(self) -> u16 {
        u16::from(self)
    }
    #[inline(always)]
    fn narrow(sum: u16) -> u8 {
        sum as u8
    }
}

/// Sixty-four truths along k: their product is `and`, their sum `or`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Bits(pub u64);

/// A bool as a byte: any byte but zero is true.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct BoolByte(u8);

impl GemmElement for BoolByte {
    type PackedNumber = Bits;
    const DIRECT: bool = false;
    #[inline(always)]
    fn widen(self) -> Bits {
        Bits(u64::from(self.0 != 0))
    }
    #[inline(always)]
    fn narrow(sum: Bits) -> BoolByte {
        BoolByte(u8::from(sum.0 != 0))
    }
}

macro_rules! half_element {
    ($($t:ty),*) => {$(
        impl GemmElement for $t {
            type PackedNumber = f32;
            const DIRECT: bool = false;
            #[inline(always)]
            fn widen(self) -> f32 {
                self.to_f32()
            }
            #[inline(always)]
            fn narrow(sum: f32) -> $t {
                <$t>::from_f32(sum)
            }
            #[inline(always)]
            fn widen_run(source: &[$t], target: &mut [f32]) {
                source.convert_to_f32_slice(&mut target[..source.len()]);
            }
            #[inline(always)]
            fn narrow_run(source: &[f32], target: &mut [$t]) {
                target.convert_from_f32_slice(&source[..target.len()]);
            }
        }
    )*};
}

half_element!(f16, bf16);
