//! Elements and their order: NumPy's, with NaN last and both zeros equal, as signed integers that compare the same.

use half::{bf16, f16};
use num_complex::Complex;

use std::mem::MaybeUninit;

use cuprum_core::{Result, SimdLevel};

use crate::quick::SortKey;
use crate::{line, samplesort};

/// Memory for work, uninitialised.
pub type WorkMemory<'a> = &'a mut [MaybeUninit<u64>];

/// An element of an array.
pub trait SortElement: Copy + Send + Sync + 'static {
    /// The integers that stand for elements while they are sorted.
    type Rank: Rank;

    /// Equal for equal elements, NaNs being equal to each other, and ordered as they are.
    fn rank(self) -> Self::Rank;

    /// Whether the element comes before another one.
    #[inline(always)]
    fn precedes(self, other: Self) -> bool {
        self.rank() < other.rank()
    }

    /// Whether others can be compared to the element by the next two: not to NaN.
    fn is_ordered(self) -> bool;
    /// Whether the element comes before one that is ordered.
    fn is_below(self, other: Self) -> bool;
    /// Whether the element comes before one that is ordered, or is equal to it.
    fn is_at_most(self, other: Self) -> bool;

    /// See [`sort_line`](crate::sort_line).
    fn sort_line(line: &mut [Self], level: SimdLevel);
    /// See [`partition_line`](crate::partition_line).
    fn partition_line(line: &mut [Self], wanted: &[usize], level: SimdLevel);
    /// See [`sort_work`](crate::sort_work).
    fn sort_work(n: usize) -> usize;
    /// See [`sort`](crate::sort).
    fn sort(source: &[Self], out: &mut [Self], work: WorkMemory<'_>, level: SimdLevel) -> Result<()>;
    /// See [`partition`](crate::partition).
    fn partition(
        source: &[Self],
        out: &mut [Self],
        wanted: &[usize],
        work: WorkMemory<'_>,
        level: SimdLevel,
    ) -> Result<()>;
}

/// Elements are sorted by their keys.
macro_rules! sorted_by_keys {
    () => {
        #[inline(always)]
        fn is_below(self, other: Self) -> bool {
            self < other
        }
        #[inline(always)]
        fn is_at_most(self, other: Self) -> bool {
            self <= other
        }
        fn sort_line(line: &mut [Self], level: SimdLevel) {
            line::sort_by_keys(line, level);
        }
        fn partition_line(line: &mut [Self], wanted: &[usize], level: SimdLevel) {
            line::partition_by_keys(line, wanted, level);
        }
        fn sort_work(n: usize) -> usize {
            samplesort::keys_work::<Self>(n)
        }
        fn sort(source: &[Self], out: &mut [Self], work: WorkMemory<'_>, level: SimdLevel) -> Result<()> {
            samplesort::sort_by_keys(source, out, work, level)
        }
        fn partition(
            source: &[Self],
            out: &mut [Self],
            wanted: &[usize],
            work: WorkMemory<'_>,
            level: SimdLevel,
        ) -> Result<()> {
            samplesort::partition_by_keys(source, out, wanted, work, level)
        }
    };
}

/// Elements are put where their sorted positions say.
macro_rules! sorted_by_positions {
    () => {
        #[inline(always)]
        fn is_ordered(self) -> bool {
            true
        }
        #[inline(always)]
        fn is_below(self, other: Self) -> bool {
            self.precedes(other)
        }
        #[inline(always)]
        fn is_at_most(self, other: Self) -> bool {
            !other.precedes(self)
        }
        fn sort_line(line: &mut [Self], level: SimdLevel) {
            line::sort_by_positions(line, level);
        }
        fn partition_line(line: &mut [Self], _: &[usize], level: SimdLevel) {
            line::sort_by_positions(line, level);
        }
        fn sort_work(n: usize) -> usize {
            samplesort::positions_work::<Self>(n)
        }
        fn sort(source: &[Self], out: &mut [Self], work: WorkMemory<'_>, level: SimdLevel) -> Result<()> {
            samplesort::sort_by_positions(source, out, work, level)
        }
        fn partition(
            source: &[Self],
            out: &mut [Self],
            _: &[usize],
            work: WorkMemory<'_>,
            level: SimdLevel,
        ) -> Result<()> {
            samplesort::sort_by_positions(source, out, work, level)
        }
    };
}

/// What an element's order is decided by.
pub trait Rank: Copy + Ord + Send + Sync + 'static {
    /// What kind of integer it is.
    const WIDTH: Width;
    /// The rank, where it has at most 32 bits.
    fn narrow(self) -> i32;
    /// The rank, where it has at most 64 bits; of a pair, what decides first.
    fn high(self) -> i64;
    /// Of a pair, what decides where the first parts are equal.
    fn low(self) -> i64;
}

/// The sizes of ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// At most 32 bits: a rank and a position fit one 64-bit integer.
    Narrow,
    /// 64 bits.
    Wide,
    /// Two of 64 bits.
    Pair,
}

impl Rank for i32 {
    const WIDTH: Width = Width::Narrow;
    #[inline(always)]
    fn narrow(self) -> i32 {
        self
    }
    #[inline(always)]
    fn high(self) -> i64 {
        self.into()
    }
    #[inline(always)]
    fn low(self) -> i64 {
        0
    }
}

impl Rank for i64 {
    const WIDTH: Width = Width::Wide;
    #[inline(always)]
    fn narrow(self) -> i32 {
        0
    }
    #[inline(always)]
    fn high(self) -> i64 {
        self
    }
    #[inline(always)]
    fn low(self) -> i64 {
        0
    }
}

impl Rank for (i64, i64) {
    const WIDTH: Width = Width::Pair;
    #[inline(always)]
    fn narrow(self) -> i32 {
        0
    }
    #[inline(always)]
    fn high(self) -> i64 {
        self.0
    }
    #[inline(always)]
    fn low(self) -> i64 {
        self.1
    }
}

/// An element that an integer of 32 or 64 bits can stand for, bits and all.
pub trait KeyedElement: SortElement<Rank = Self::SortKey> {
    /// The integer.
    type SortKey: SortKey + Rank;
    /// Whether there are two zeros, which are equal and differ in their keys, -0.0 coming first.
    const SIGNED_ZERO: bool;
    /// How many different keys there are, half of them negative, if they are few enough to be counted in a table.
    const KEY_COUNT: Option<usize> = None;

    /// The integer that stands for the element; ordered as elements are, -0.0 before 0.0 and NaNs by their bits.
    fn key(self) -> Self::SortKey;
    /// The element that an integer stands for.
    fn from_key(key: Self::SortKey) -> Self;
    /// The keys of -0.0 and 0.0.
    fn zeros() -> [Self::SortKey; 2];
}

/// A bool as a byte: every byte but zero is true, and true bytes are equal. Sorted ones are 0 or 1.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct SortBool(pub u8);

impl PartialEq for SortBool {
    #[inline(always)]
    fn eq(&self, other: &SortBool) -> bool {
        self.key() == other.key()
    }
}

impl PartialOrd for SortBool {
    #[inline(always)]
    fn partial_cmp(&self, other: &SortBool) -> Option<std::cmp::Ordering> {
        self.key().partial_cmp(&other.key())
    }
}

impl SortElement for SortBool {
    type Rank = i32;
    #[inline(always)]
    fn rank(self) -> i32 {
        self.key()
    }
    #[inline(always)]
    fn is_ordered(self) -> bool {
        true
    }
    sorted_by_keys!();
}

impl KeyedElement for SortBool {
    type SortKey = i32;
    const SIGNED_ZERO: bool = false;
    const KEY_COUNT: Option<usize> = Some(2);
    #[inline(always)]
    fn key(self) -> i32 {
        i32::from(self.0 != 0) - 1
    }
    #[inline(always)]
    fn from_key(key: i32) -> SortBool {
        SortBool((key + 1) as u8)
    }
    fn zeros() -> [i32; 2] {
        [-1, -1]
    }
}

/// For `u8, i32, 128, Some(256)` this makes `SortElement` and `KeyedElement` for `u8`, with the key `self as i32 - 128`.
macro_rules! integers {
    ($($int:ty, $key:ty, $offset:expr, $keys:expr;)*) => {
        $(impl SortElement for $int {
            type Rank = $key;
            #[inline(always)]
            fn rank(self) -> $key { self.key() }
            #[inline(always)]
            fn precedes(self, other: $int) -> bool { self < other }
            #[inline(always)]
            fn is_ordered(self) -> bool { true }
            sorted_by_keys!();
        }
        impl KeyedElement for $int {
            type SortKey = $key;
            const SIGNED_ZERO: bool = false;
            const KEY_COUNT: Option<usize> = $keys;
            #[inline(always)]
            fn key(self) -> $key { (self as $key).wrapping_sub($offset) }
            #[inline(always)]
            fn from_key(key: $key) -> $int { key.wrapping_add($offset) as $int }
            fn zeros() -> [$key; 2] { [0, 0] }
        })*
    };
}
integers! {
    u8, i32, 1 << 7, Some(1 << 8);
    i8, i32, 0, Some(1 << 8);
    u16, i32, 1 << 15, Some(1 << 16);
    i16, i32, 0, Some(1 << 16);
    u32, i32, i32::MIN, None;
    i32, i32, 0, None;
    u64, i64, i64::MIN, None;
    i64, i64, 0, None;
}

/// For `f32, i32, i32, 23, None` this makes `SortElement` and `KeyedElement` for `f32`, of 23 mantissa bits, worked out in `i32`.
///
/// As signed integers, the bits of floats are in order once those below the sign are flipped in negative ones; the
/// NaNs whose sign is set then come first. Subtracting what keeps them below -inf wraps them round to the end.
macro_rules! floats {
    ($($float:ty, $bits:ty, $key:ty, $mantissa:expr, $keys:expr;)*) => {
        $(impl SortElement for $float {
            type Rank = $key;
            #[inline(always)]
            fn rank(self) -> $key {
                const BELOW: $bits = (1 << $mantissa) - 1;
                const INFINITY: $key = (<$bits>::MAX - 2 * BELOW) as $key;
                let key = self.key();
                (key + <$key>::from(key == (-1 - BELOW) as $key)).min(INFINITY + 1)
            }
            #[inline(always)]
            fn precedes(self, other: $float) -> bool {
                self < other || (other.is_nan() && !self.is_nan())
            }
            #[inline(always)]
            fn is_ordered(self) -> bool { !self.is_nan() }
            sorted_by_keys!();
        }
        impl KeyedElement for $float {
            type SortKey = $key;
            const SIGNED_ZERO: bool = true;
            const KEY_COUNT: Option<usize> = $keys;
            #[inline(always)]
            fn key(self) -> $key {
                const BELOW: $bits = (1 << $mantissa) - 1;
                let bits = self.to_bits() as $bits;
                let ordered = bits ^ ((bits >> (<$bits>::BITS - 1)) & <$bits>::MAX);
                ordered.wrapping_sub(BELOW) as $key
            }
            #[inline(always)]
            fn from_key(key: $key) -> $float {
                const BELOW: $bits = (1 << $mantissa) - 1;
                let ordered = (key as $bits).wrapping_add(BELOW);
                let bits = ordered ^ ((ordered >> (<$bits>::BITS - 1)) & <$bits>::MAX);
                <$float>::from_bits(bits as _)
            }
            fn zeros() -> [$key; 2] {
                [<$float>::from_bits(1 << (<$bits>::BITS - 1)).key(), <$float>::from_bits(0).key()]
            }
        })*
    };
}
floats! {
    f16, i16, i32, 10, Some(1 << 16);
    bf16, i16, i32, 7, Some(1 << 16);
    f32, i32, i32, 23, None;
    f64, i64, i64, 52, None;
}

/// For `f32, i32, i64, a, b, rank` this makes `impl SortElement for Complex<f32>` whose rank is `rank`, of the ranks `a` and `b` of its
/// parts. The order is by real part, then imaginary part; then numbers whose imaginary part alone is NaN, by real part;
/// then those whose real part is NaN, by imaginary part.
macro_rules! complexes {
    ($($float:ty, $part:ty, $rank:ty, $a:ident, $b:ident, $pair:expr;)*) => {
        $(impl SortElement for Complex<$float> {
            type Rank = $rank;
            #[inline(always)]
            fn rank(self) -> $rank {
                let ($a, $b) = match (self.re.is_nan(), self.im.is_nan()) {
                    (false, false) => (self.re.rank(), self.im.rank()),
                    (false, true) => (<$part>::MAX - 1, self.re.rank()),
                    (true, _) => (<$part>::MAX, self.im.rank()),
                };
                $pair
            }
            sorted_by_positions!();
        })*
    };
}
complexes! {
    f32, i32, i64, a, b, (i64::from(a) << 32) | (i64::from(b) - i64::from(i32::MIN));
    f64, i64, (i64, i64), a, b, (a, b);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value of a type of 16 bits, in any order.
    fn all<T>(from: impl Fn(u16) -> T) -> Vec<T> {
        (0..=u16::MAX).map(from).collect()
    }

    fn round_trips<T: KeyedElement>(values: &[T], bits: impl Fn(T) -> u64) {
        for &v in values {
            assert_eq!(bits(T::from_key(v.key())), bits(v));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "65,536 values of each type, and no unsafe code")]
    fn keys_give_every_bit_back_and_follow_the_order() {
        let halves = all(f16::from_bits);
        round_trips(&halves, |v| v.to_bits().into());
        let mut keys: Vec<i32> = halves.iter().map(|v| v.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 1 << 16);
        assert_eq!((keys[0], keys[65535]), (i16::MIN.into(), i16::MAX.into()));
        let sorted: Vec<f32> = keys.iter().map(|k| f16::from_key(*k).to_f32()).collect();
        let nan = sorted.iter().position(|v| v.is_nan()).unwrap();
        assert!(sorted[nan..].iter().all(|v| v.is_nan()));
        assert!(sorted[..nan].windows(2).all(|w| w[0] <= w[1]));
        round_trips(&all(bf16::from_bits), |v| v.to_bits().into());
        round_trips(&all(|b| b), |v| v.into());
        round_trips(&all(|b| b as i8), |v| v as u64);
    }

    #[test]
    fn ranks_agree_with_comparisons() {
        let floats =
            [f64::NEG_INFINITY, -1.5, -1e-310, -0.0, 0.0, 1e-310, 2.0, f64::INFINITY, f64::NAN, -f64::NAN];
        for a in floats {
            for b in floats {
                assert_eq!(a.rank() < b.rank(), a.precedes(b), "{a} {b}");
                let (a, b) = (a as f32, b as f32);
                assert_eq!(a.rank() < b.rank(), a.precedes(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn complex_numbers_follow_numpy() {
        let parts = [-1.0, -0.0, 0.0, 2.0, f64::INFINITY, f64::NAN];
        let numbers: Vec<Complex<f64>> =
            parts.iter().flat_map(|re| parts.iter().map(|im| Complex::new(*re, *im))).collect();
        // NumPy's comparison of complex numbers, as its documentation of sort states it.
        let less = |a: Complex<f64>, b: Complex<f64>| {
            let class = |z: Complex<f64>| 2 * u8::from(z.re.is_nan()) + u8::from(z.im.is_nan());
            class(a) < class(b)
                || class(a) == class(b) && (a.re < b.re || ((b.re >= a.re || a.re.is_nan()) && a.im < b.im))
        };
        for a in &numbers {
            for b in &numbers {
                assert_eq!(a.precedes(*b), less(*a, *b), "{a} {b}");
                let (a, b) = (Complex::new(a.re as f32, a.im as f32), Complex::new(b.re as f32, b.im as f32));
                assert_eq!(a.precedes(b), a.rank() < b.rank());
            }
        }
    }
}
