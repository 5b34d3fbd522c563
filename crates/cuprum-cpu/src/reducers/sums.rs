//! Sums, products, bit ops and truth.

use std::marker::PhantomData;

use cuprum_core::{DType, Reduction, SimdLevel};
use num_complex::Complex;

use super::{
    LANES, Monoid, Reducer, join_block, monoid, monoid_of_pairs, narrow_bf16, narrow_f16, widen_bf16,
    widen_f16,
};

/// Numbers that add and multiply; integers wrap.
trait Ring: Copy {
    const ZERO: Self;
    const ONE: Self;
    const EXACT: bool = false;
    /// Whether the signs of zeros in a product depend on the order of its factors, and on one being among them.
    const ORDERED: bool = false;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

/// For `i32` this makes `impl Ring for i32` with wrapping operations; for `f32` with the plain ones.
macro_rules! rings {
    (wrapping $($int:ty),*; plain $($float:ty),*) => {
        $(impl Ring for $int {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const EXACT: bool = true;
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self.wrapping_mul(other) }
        })*
        $(impl Ring for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self * other }
        })*
    };
}
rings!(wrapping i8, u8, i16, u16, i32, u32, i64, u64; plain f32, f64);

impl<T: Ring + std::ops::Sub<Output = T>> Ring for Complex<T> {
    const ZERO: Self = Complex { re: T::ZERO, im: T::ZERO };
    const ONE: Self = Complex { re: T::ONE, im: T::ZERO };
    const ORDERED: bool = true;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Complex { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Complex {
            re: self.re.times(other.re) - self.im.times(other.im),
            im: self.re.times(other.im).plus(self.im.times(other.re)),
        }
    }
}

struct Add<T>(PhantomData<T>);

impl<T: Ring> Monoid for Add<T> {
    type In = T;
    type Acc = T;
    type Out = T;
    const NEUTRAL: T = T::ZERO;
    const EXACT: bool = T::EXACT;
    const SETTLES: bool = true;
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        a.plus(b)
    }
    #[inline(always)]
    fn lower(acc: T) -> T {
        acc
    }
}

/// Single precision is added up in float64 and rounded once.
pub(super) struct AddWide<T>(PhantomData<T>);

impl Monoid for AddWide<f32> {
    type In = f32;
    type Acc = f64;
    type Out = f32;
    const NEUTRAL: f64 = 0.0;
    const SETTLES: bool = true;
    #[inline(always)]
    fn lift(x: f32) -> f64 {
        x as f64
    }
    #[inline(always)]
    fn join(a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn lower(acc: f64) -> f32 {
        acc as f32
    }
}

impl Monoid for AddWide<Complex<f32>> {
    type In = Complex<f32>;
    type Acc = Complex<f64>;
    type Out = Complex<f32>;
    const NEUTRAL: Complex<f64> = Complex { re: 0.0, im: 0.0 };
    const SETTLES: bool = true;
    #[inline(always)]
    fn lift(x: Complex<f32>) -> Complex<f64> {
        Complex { re: x.re as f64, im: x.im as f64 }
    }
    #[inline(always)]
    fn join(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        a.plus(b)
    }
    #[inline(always)]
    fn lower(acc: Complex<f64>) -> Complex<f32> {
        Complex { re: acc.re as f32, im: acc.im as f32 }
    }
}

struct Mul<T>(PhantomData<T>);

impl<T: Ring> Monoid for Mul<T> {
    type In = T;
    type Acc = T;
    type Out = T;
    const NEUTRAL: T = T::ONE;
    const EXACT: bool = T::EXACT;
    // Products of integers do without what sums have for short rows and few columns: it is a lot of code, and they are rare.
    const SETTLES: bool = !T::ORDERED && !T::EXACT;
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        a.times(b)
    }
    #[inline(always)]
    fn lower(acc: T) -> T {
        acc
    }
    #[inline(always)]
    fn block(x: &[T]) -> T {
        if T::ORDERED && x.len() <= LANES {
            // Few factors are taken in NumPy's order.
            return x.iter().fold(T::ONE, |product, &x| product.times(x));
        }
        join_block::<Self>(x)
    }
}

/// Half precision: widened, joined in float32 (a sum, or a product if `PRODUCT`), narrowed once.
struct HalfAccumulator<const BRAIN: bool, const PRODUCT: bool>;

impl<const BRAIN: bool, const PRODUCT: bool> Monoid for HalfAccumulator<BRAIN, PRODUCT> {
    type In = u16;
    type Acc = f32;
    type Out = u16;
    const NEUTRAL: f32 = if PRODUCT { 1.0 } else { 0.0 };
    const SETTLES: bool = true;
    #[inline(always)]
    fn lift(x: u16) -> f32 {
        if BRAIN { widen_bf16(x) } else { widen_f16(x) }
    }
    #[inline(always)]
    fn join(a: f32, b: f32) -> f32 {
        if PRODUCT { a * b } else { a + b }
    }
    #[inline(always)]
    fn lower(acc: f32) -> u16 {
        if BRAIN { narrow_bf16(acc) } else { narrow_f16(acc) }
    }
}

/// The sum; bool adds as logical or.
pub(super) fn sum(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    Some(match dtype {
        DType::Bool => return truth(dtype, false, level),
        DType::F16 => monoid::<HalfAccumulator<false, false>>(level),
        DType::BF16 => monoid::<HalfAccumulator<true, false>>(level),
        DType::I8 => monoid::<Add<i8>>(level),
        DType::U8 => monoid::<Add<u8>>(level),
        DType::I16 => monoid::<Add<i16>>(level),
        DType::U16 => monoid::<Add<u16>>(level),
        DType::I32 => monoid::<Add<i32>>(level),
        DType::U32 => monoid::<Add<u32>>(level),
        DType::I64 => monoid::<Add<i64>>(level),
        DType::U64 => monoid::<Add<u64>>(level),
        DType::F32 => monoid::<AddWide<f32>>(level),
        DType::F64 => monoid::<Add<f64>>(level),
        DType::C64 => monoid_of_pairs::<AddWide<Complex<f32>>, AddWide<f32>>(level),
        DType::C128 => monoid_of_pairs::<Add<Complex<f64>>, Add<f64>>(level),
    })
}

/// The product; bool multiplies as logical and.
pub(super) fn prod(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    Some(match dtype {
        DType::Bool => return truth(dtype, true, level),
        DType::F16 => monoid::<HalfAccumulator<false, true>>(level),
        DType::BF16 => monoid::<HalfAccumulator<true, true>>(level),
        DType::I8 => monoid::<Mul<i8>>(level),
        DType::U8 => monoid::<Mul<u8>>(level),
        DType::I16 => monoid::<Mul<i16>>(level),
        DType::U16 => monoid::<Mul<u16>>(level),
        DType::I32 => monoid::<Mul<i32>>(level),
        DType::U32 => monoid::<Mul<u32>>(level),
        DType::I64 => monoid::<Mul<i64>>(level),
        DType::U64 => monoid::<Mul<u64>>(level),
        DType::F32 => monoid::<Mul<f32>>(level),
        DType::F64 => monoid::<Mul<f64>>(level),
        DType::C64 => monoid::<Mul<Complex<f32>>>(level),
        DType::C128 => monoid::<Mul<Complex<f64>>>(level),
    })
}

/// What can be true: anything but zero; NaN is.
trait HasTruth: Copy {
    fn holds(self) -> bool;
}

/// For `i8` this makes `impl HasTruth for i8 { fn holds(self) -> bool { self != 0 } }`.
macro_rules! truths {
    ($($type:ty: $zero:expr),*) => {$(
        impl HasTruth for $type {
            #[inline(always)]
            fn holds(self) -> bool { self != $zero }
        }
    )*};
}
truths!(u8: 0, u32: 0, u64: 0, f32: 0.0, f64: 0.0);

/// A half-precision number is zero when all bits but the sign are.
impl HasTruth for i16 {
    #[inline(always)]
    fn holds(self) -> bool {
        self & 0x7fff != 0
    }
}

impl HasTruth for u16 {
    #[inline(always)]
    fn holds(self) -> bool {
        self != 0
    }
}

impl<T: HasTruth> HasTruth for Complex<T> {
    #[inline(always)]
    fn holds(self) -> bool {
        self.re.holds() | self.im.holds()
    }
}

/// Any (0), all (1) or an odd number (2) of elements are true.
struct Logic<T, const HOW: u8>(PhantomData<T>);

impl<T: HasTruth, const HOW: u8> Monoid for Logic<T, HOW> {
    type In = T;
    type Acc = u8;
    type Out = u8;
    const NEUTRAL: u8 = (HOW == 1) as u8;
    const EXACT: bool = HOW == 2;
    #[inline(always)]
    fn lift(x: T) -> u8 {
        x.holds() as u8
    }
    #[inline(always)]
    fn join(a: u8, b: u8) -> u8 {
        match HOW {
            0 => a | b,
            1 => a & b,
            _ => a ^ b,
        }
    }
    #[inline(always)]
    fn lower(acc: u8) -> u8 {
        acc
    }
    #[inline(always)]
    fn block(x: &[T]) -> u8 {
        if HOW == 2 {
            return join_block::<Self>(x);
        }
        // Any stops at the first part with a truth, all at the first with none: neither cares for the rest.
        let stops = |x: &T| u8::from(x.holds() == (HOW == 0));
        let found = x.chunks(256).any(|part| part.iter().fold(0, |any, x| any | stops(x)) != 0);
        u8::from(found == (HOW == 0))
    }
}

fn logic<const HOW: u8>(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    let settled = [Some(1), Some(0), None][HOW as usize];
    let reducer = match dtype {
        DType::Bool | DType::I8 | DType::U8 => monoid::<Logic<u8, HOW>>(level),
        DType::I16 | DType::U16 => monoid::<Logic<u16, HOW>>(level),
        DType::F16 | DType::BF16 => monoid::<Logic<i16, HOW>>(level),
        DType::I32 | DType::U32 => monoid::<Logic<u32, HOW>>(level),
        DType::I64 | DType::U64 => monoid::<Logic<u64, HOW>>(level),
        DType::F32 => monoid::<Logic<f32, HOW>>(level),
        DType::F64 => monoid::<Logic<f64, HOW>>(level),
        DType::C64 => monoid::<Logic<Complex<f32>, HOW>>(level),
        DType::C128 => monoid::<Logic<Complex<f64>, HOW>>(level),
    };
    Some(Reducer { settled, ..reducer })
}

/// How many elements are true.
struct CountTrue;

impl Monoid for CountTrue {
    type In = u8;
    type Acc = i64;
    type Out = i64;
    const NEUTRAL: i64 = 0;
    #[inline(always)]
    fn lift(x: u8) -> i64 {
        i64::from(x != 0)
    }
    #[inline(always)]
    fn join(a: i64, b: i64) -> i64 {
        a + b
    }
    #[inline(always)]
    fn lower(acc: i64) -> i64 {
        acc
    }
    #[inline(always)]
    fn block(x: &[u8]) -> i64 {
        // Bytes count up to 255 each before they are widened.
        const LANES: usize = 64;
        let mut total = 0;
        for part in x.chunks(LANES * 255) {
            let mut lanes = [0u8; LANES];
            let mut rows = part.chunks_exact(LANES);
            for row in &mut rows {
                for (lane, &x) in lanes.iter_mut().zip(row) {
                    *lane += u8::from(x != 0);
                }
            }
            let rest = rows.remainder().iter().filter(|x| **x != 0).count();
            total += lanes.iter().map(|&lane| i64::from(lane)).sum::<i64>() + rest as i64;
        }
        total
    }
}

/// The reducer that counts truth values.
pub(super) fn count(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    (dtype == DType::Bool).then(|| monoid::<CountTrue>(level))
}

/// Whether any, or all, elements are true.
pub(super) fn truth(dtype: DType, all: bool, level: SimdLevel) -> Option<Reducer> {
    if all { logic::<1>(dtype, level) } else { logic::<0>(dtype, level) }
}

/// Whether an odd number of elements is true.
pub(super) fn parity(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    logic::<2>(dtype, level)
}

/// Bitwise and (0), or (1), xor (2) of unsigned words.
struct Bits<T, const HOW: u8>(PhantomData<T>);

trait BitWord:
    Copy + std::ops::BitAnd<Output = Self> + std::ops::BitOr<Output = Self> + std::ops::BitXor<Output = Self>
{
    const ZERO: Self;
    const FULL: Self;
}

/// For `u8` this makes `impl BitWord for u8 { const ZERO: u8 = 0; const FULL: u8 = u8::MAX; }`.
macro_rules! words {
    ($($type:ty),*) => {$(
        impl BitWord for $type {
            const ZERO: Self = 0;
            const FULL: Self = <$type>::MAX;
        }
    )*};
}
words!(u8, u16, u32, u64);

impl<T: BitWord, const HOW: u8> Monoid for Bits<T, HOW> {
    type In = T;
    type Acc = T;
    type Out = T;
    const NEUTRAL: T = if HOW == 0 { T::FULL } else { T::ZERO };
    const EXACT: bool = true;
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        match HOW {
            0 => a & b,
            1 => a | b,
            _ => a ^ b,
        }
    }
    #[inline(always)]
    fn lower(acc: T) -> T {
        acc
    }
}

fn bits_of<const HOW: u8>(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    match (dtype.is_integral(), dtype.size()) {
        (true, 1) => Some(monoid::<Bits<u8, HOW>>(level)),
        (true, 2) => Some(monoid::<Bits<u16, HOW>>(level)),
        (true, 4) => Some(monoid::<Bits<u32, HOW>>(level)),
        (true, 8) => Some(monoid::<Bits<u64, HOW>>(level)),
        _ => None,
    }
}

/// The bitwise reductions of integers; those of bools are the logical ones, since a true byte may have any bits.
pub(super) fn bits(op: Reduction, dtype: DType, level: SimdLevel) -> Option<Reducer> {
    match op {
        Reduction::BitAnd if dtype == DType::Bool => truth(dtype, true, level),
        Reduction::BitOr if dtype == DType::Bool => truth(dtype, false, level),
        _ if dtype == DType::Bool => parity(dtype, level),
        Reduction::BitAnd => bits_of::<0>(dtype, level),
        Reduction::BitOr => bits_of::<1>(dtype, level),
        _ => bits_of::<2>(dtype, level),
    }
}
