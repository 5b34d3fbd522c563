//! Conversion of blocks between dtypes, with the results of C on x86 for what C leaves undefined.

use std::marker::PhantomData;

use cuprum_core::DType;
use half::bf16;
use num_complex::Complex;

use super::Lane;
use super::arithmetic::{Copy, moves};
use super::element::LaneNumber;
use super::families::{OnComplex, OnFloats, OnInts, twice};
use super::half::{Narrow, Widen};
use super::loops::{Binary16, Bool, Brain16, Format, Isa, Map, Plain, Slot, converted};

/// The value of an element in another type.
pub(super) trait Convert<To>: Slot {
    fn convert(self) -> To;
}

/// The conversion to `To` as a function of one element.
pub(super) struct Cast<To>(PhantomData<To>);

impl<To: Slot, T: Convert<To>> Map<T> for Cast<To> {
    type A = T;
    type B = ();
    type C = ();
    type Out = To;
    #[inline(always)]
    fn map(a: T, _: (), _: ()) -> To {
        a.convert()
    }
}

/// Implements conversions that Rust's `as` does rightly; `plain!(i8 => i16 f32)` gives
/// `impl Convert<i16> for i8 { fn convert(self) -> i16 { self as i16 } }` and the same for `f32`.
macro_rules! plain {
    ($($from:ident)+ => $to:tt) => {$(
        plain!(@ $from => $to);
    )+};
    (@ $from:ident => ($($to:ident)+)) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                self as $to
            }
        }
    )+};
}

plain!(i8 u8 i16 u16 i32 u32 i64 u64 => (i8 u8 i16 u16 i32 u32 i64 u64 f32 f64));
plain!(f32 f64 => (f32 f64));

impl Convert<Bool> for Bool {
    #[inline(always)]
    fn convert(self) -> Bool {
        Bool::from(self.truth())
    }
}

/// Implements the conversions from and to `Bool` and to complex numbers: `truth!(i8)` gives
/// `Convert<i8> for Bool`, `Convert<Bool> for i8`, and `Convert<Complex<_>> for i8` by way of the real part.
macro_rules! truth {
    ($($t:ident)+) => {$(
        impl Convert<$t> for Bool {
            #[inline(always)]
            fn convert(self) -> $t {
                self.truth() as u8 as $t
            }
        }
        impl Convert<Bool> for $t {
            #[inline(always)]
            fn convert(self) -> Bool {
                Bool::from(self.truth())
            }
        }
        impl Convert<$t> for Complex<f32> {
            #[inline(always)]
            fn convert(self) -> $t {
                self.re.convert()
            }
        }
        impl Convert<$t> for Complex<f64> {
            #[inline(always)]
            fn convert(self) -> $t {
                self.re.convert()
            }
        }
    )+};
}

truth!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);

impl<T: Convert<f32>> Convert<Complex<f32>> for T
where
    T: Real,
{
    #[inline(always)]
    fn convert(self) -> Complex<f32> {
        Complex { re: self.convert(), im: 0.0 }
    }
}

impl<T: Convert<f64>> Convert<Complex<f64>> for T
where
    T: Real,
{
    #[inline(always)]
    fn convert(self) -> Complex<f64> {
        Complex { re: self.convert(), im: 0.0 }
    }
}

/// Everything that is not complex.
trait Real: Slot {}
impl Real for Bool {}
impl Real for i8 {}
impl Real for u8 {}
impl Real for i16 {}
impl Real for u16 {}
impl Real for i32 {}
impl Real for u32 {}
impl Real for i64 {}
impl Real for u64 {}
impl Real for f32 {}
impl Real for f64 {}

impl Convert<Complex<f32>> for Complex<f32> {
    #[inline(always)]
    fn convert(self) -> Complex<f32> {
        self
    }
}

impl Convert<Complex<f64>> for Complex<f64> {
    #[inline(always)]
    fn convert(self) -> Complex<f64> {
        self
    }
}

impl Convert<Complex<f64>> for Complex<f32> {
    #[inline(always)]
    fn convert(self) -> Complex<f64> {
        Complex { re: self.re as f64, im: self.im as f64 }
    }
}

impl Convert<Complex<f32>> for Complex<f64> {
    #[inline(always)]
    fn convert(self) -> Complex<f32> {
        Complex { re: self.re as f32, im: self.im as f32 }
    }
}

impl Convert<Bool> for Complex<f32> {
    #[inline(always)]
    fn convert(self) -> Bool {
        Bool::from(self.truth())
    }
}

impl Convert<Bool> for Complex<f64> {
    #[inline(always)]
    fn convert(self) -> Bool {
        Bool::from(self.truth())
    }
}

/// Implements truncation to integers: out of range, x86's conversion gives the smallest `i32` or `i64`, of
/// which the small types keep the low bits; `u64` converts the upper half of its range by an offset.
macro_rules! truncations {
    ($($t:ident)+) => {$(
        impl Convert<i32> for $t {
            #[inline(always)]
            fn convert(self) -> i32 {
                const LIMIT: $t = 2_147_483_648.0;
                if (-LIMIT..LIMIT).contains(&self) {
                    // SAFETY: the value truncates into the range just tested.
                    unsafe { self.to_int_unchecked() }
                } else {
                    i32::MIN
                }
            }
        }
        impl Convert<i64> for $t {
            #[inline(always)]
            fn convert(self) -> i64 {
                const LIMIT: $t = 9_223_372_036_854_775_808.0;
                if (-LIMIT..LIMIT).contains(&self) {
                    // SAFETY: the value truncates into the range just tested.
                    unsafe { self.to_int_unchecked() }
                } else {
                    i64::MIN
                }
            }
        }
        impl Convert<u64> for $t {
            #[inline(always)]
            fn convert(self) -> u64 {
                const LIMIT: $t = 9_223_372_036_854_775_808.0;
                let upper = self >= LIMIT;
                let low: i64 = (if upper { self - LIMIT } else { self }).convert();
                low as u64 ^ ((upper as u64) << 63)
            }
        }
        impl Convert<u32> for $t {
            #[inline(always)]
            fn convert(self) -> u32 {
                let wide: i64 = self.convert();
                wide as u32
            }
        }
        truncations!(@ $t => i8 u8 i16 u16);
    )+};
    (@ $t:ident => $($to:ident)+) => {$(
        impl Convert<$to> for $t {
            #[inline(always)]
            fn convert(self) -> $to {
                let wide: i32 = self.convert();
                wide as $to
            }
        }
    )+};
}

truncations!(f32 f64);

/// The conversion to `f32` rounded to odd: what is not exact gets an odd last digit, so that rounding to 16
/// bits afterwards is as if there had been one rounding only.
pub(super) struct RoundToOdd;

#[inline(always)]
fn round_to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    let back = nearest as f64;
    let bits = nearest.to_bits();
    let toward_zero = bits.wrapping_sub((back.abs() > x.abs()) as u32);
    f32::from_bits(if back == x { bits } else { toward_zero | 1 })
}

/// Folds the digits below an `f64`'s precision into one that stays.
#[inline(always)]
fn sticky(magnitude: u64) -> f64 {
    let folded = (magnitude | (((magnitude & 0x7ff != 0) as u64) << 11)) & !0x7ff;
    (if magnitude >> 53 == 0 { magnitude } else { folded }) as f64
}

/// Implements [`RoundToOdd`] given the exact, or already folded, value in `f64`.
macro_rules! to_odd {
    ($($t:ty, $x:ident => $wide:expr;)+) => {$(
        impl Map<$t> for RoundToOdd {
            type A = $t;
            type B = ();
            type C = ();
            type Out = f32;
            #[inline(always)]
            fn map($x: $t, _: (), _: ()) -> f32 {
                round_to_odd($wide)
            }
        }
    )+};
}

to_odd! {
    i32, x => x as f64;
    u32, x => x as f64;
    i64, x => sticky(x.unsigned_abs()).copysign(x as f64);
    u64, x => sticky(x);
    f64, x => x;
    Complex<f64>, z => z.re;
}

/// The lane that converts one block from one dtype to another.
pub(super) fn cast<I: Isa>(from: DType, to: DType) -> Lane {
    match (from, to) {
        _ if from == to => return moves::<I, Copy>(from),
        (DType::F32, DType::F16) => return I::NARROW_F16,
        (DType::F16, DType::F32) => return I::WIDEN_F16,
        (DType::F32, DType::BF16) => return I::lane::<bf16, Narrow>(),
        (DType::BF16, DType::F32) => return I::lane::<bf16, Widen>(),
        (DType::C64, DType::C128) => return twice::<I, f32, Cast<f64>>,
        (DType::C128, DType::C64) => return twice::<I, f64, Cast<f32>>,
        _ => {}
    }
    match to {
        DType::Bool => into::<I, Bool>(from),
        DType::I8 => into::<I, i8>(from),
        DType::U8 => into::<I, u8>(from),
        DType::I16 => into::<I, i16>(from),
        DType::U16 => into::<I, u16>(from),
        DType::I32 => into::<I, i32>(from),
        DType::U32 => into::<I, u32>(from),
        DType::I64 => into::<I, i64>(from),
        DType::U64 => into::<I, u64>(from),
        DType::F16 => short::<I, Binary16>(from),
        DType::BF16 => short::<I, Brain16>(from),
        DType::F32 => into::<I, f32>(from),
        DType::F64 => into::<I, f64>(from),
        DType::C64 => into::<I, Complex<f32>>(from),
        DType::C128 => into::<I, Complex<f64>>(from),
    }
}

fn into<I: Isa, To: Slot>(from: DType) -> Lane
where
    Cast<To>: Map<Bool> + OnInts + OnFloats + OnComplex,
{
    match from {
        DType::Bool => I::lane::<Bool, Cast<To>>(),
        DType::I8 => I::lane::<i8, Cast<To>>(),
        DType::U8 => I::lane::<u8, Cast<To>>(),
        DType::I16 => I::lane::<i16, Cast<To>>(),
        DType::U16 => I::lane::<u16, Cast<To>>(),
        DType::I32 => I::lane::<i32, Cast<To>>(),
        DType::U32 => I::lane::<u32, Cast<To>>(),
        DType::I64 => I::lane::<i64, Cast<To>>(),
        DType::U64 => I::lane::<u64, Cast<To>>(),
        DType::F16 => converted::<I, Binary16, Plain, f32, Cast<To>>,
        DType::BF16 => converted::<I, Brain16, Plain, f32, Cast<To>>,
        DType::F32 => I::lane::<f32, Cast<To>>(),
        DType::F64 => I::lane::<f64, Cast<To>>(),
        DType::C64 => I::lane::<Complex<f32>, Cast<To>>(),
        DType::C128 => I::lane::<Complex<f64>, Cast<To>>(),
    }
}

/// To a 16-bit float, rounded once.
fn short<I: Isa, To: Format>(from: DType) -> Lane {
    match from {
        DType::Bool => converted::<I, Plain, To, Bool, Cast<f32>>,
        DType::I8 => converted::<I, Plain, To, i8, Cast<f32>>,
        DType::U8 => converted::<I, Plain, To, u8, Cast<f32>>,
        DType::I16 => converted::<I, Plain, To, i16, Cast<f32>>,
        DType::U16 => converted::<I, Plain, To, u16, Cast<f32>>,
        DType::I32 => converted::<I, Plain, To, i32, RoundToOdd>,
        DType::U32 => converted::<I, Plain, To, u32, RoundToOdd>,
        DType::I64 => converted::<I, Plain, To, i64, RoundToOdd>,
        DType::U64 => converted::<I, Plain, To, u64, RoundToOdd>,
        DType::F16 => converted::<I, Binary16, To, f32, Cast<f32>>,
        DType::BF16 => converted::<I, Brain16, To, f32, Cast<f32>>,
        DType::F32 => converted::<I, Plain, To, f32, Cast<f32>>,
        DType::F64 => converted::<I, Plain, To, f64, RoundToOdd>,
        DType::C64 => converted::<I, Plain, To, Complex<f32>, Cast<f32>>,
        DType::C128 => converted::<I, Plain, To, Complex<f64>, RoundToOdd>,
    }
}
