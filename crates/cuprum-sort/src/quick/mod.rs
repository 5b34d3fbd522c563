//! The engine: sorts and selects signed integers of 32 and 64 bits.

/// The instruction sets that the engine is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// What every CPU of the architecture has.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

/// An integer that the engine sorts.
pub trait Key: Copy + Ord + Default + Send + Sync + 'static {
    /// The smallest integer.
    const MIN: Self;
    /// The integer as one of 64 bits.
    fn wide(self) -> i64;
    /// The integer that one of 64 bits is; it must fit.
    fn from_wide(wide: i64) -> Self;
    /// Sorts the integers.
    fn sort_keys(keys: &mut [Self], level: Level);
    /// Reorders the integers so that each of the `wanted` positions, in ascending order, holds what it would if they were
    /// sorted, with nothing greater before it and nothing smaller behind.
    fn select(keys: &mut [Self], wanted: &[usize], level: Level);
}

/// For `i32` this makes `impl Key for i32`.
macro_rules! keys {
    ($($int:ty),*) => {
        $(impl Key for $int {
            const MIN: $int = <$int>::MIN;
            #[inline(always)]
            fn wide(self) -> i64 { self.into() }
            #[inline(always)]
            fn from_wide(wide: i64) -> $int { wide as $int }
            #[inline]
            fn sort_keys(keys: &mut [$int], level: Level) {
                let _ = level;
                keys.sort_unstable();
            }
            #[inline]
            fn select(keys: &mut [$int], wanted: &[usize], level: Level) {
                let _ = level;
                select_portable(keys, wanted, 0);
            }
        })*
    };
}
keys!(i32, i64);

/// Selects the middle one of the wanted positions, then the others on its two sides. `offset` is subtracted from positions.
fn select_portable<K: Ord + Copy>(keys: &mut [K], wanted: &[usize], offset: usize) {
    if wanted.is_empty() || keys.len() < 2 {
        return;
    }
    let middle = wanted.len() / 2;
    let at = wanted[middle] - offset;
    let (below, _, above) = keys.select_nth_unstable(at);
    select_portable(below, &wanted[..middle], offset);
    let rest = wanted[middle + 1..].iter().position(|&w| w > wanted[middle]);
    if let Some(first) = rest {
        select_portable(above, &wanted[middle + 1 + first..], offset + at + 1);
    }
}
