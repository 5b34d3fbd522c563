//! The vectors that the engine is written in. `x86.rs` implements them in AVX2 and AVX-512.

use super::sort::SortRange;
use super::{PART_COUNT, SortKey};

/// A register of `LANES` keys, a power of two. Methods are inlined into functions compiled for the instructions.
///
/// # Safety
/// `load` and `store` touch `LANES` keys, and the other methods do what they say: memory is written by their word.
pub(super) unsafe trait KeyVector: Copy {
    type SortKey: SortKey;
    const LANES: usize;

    /// # Safety
    /// The processor has this vector's instructions, as for all methods.
    unsafe fn splat(key: Self::SortKey) -> Self;
    /// # Safety
    /// `LANES` keys are readable at `p`.
    unsafe fn load(p: *const Self::SortKey) -> Self;
    /// # Safety
    /// `LANES` keys are writable at `p`.
    unsafe fn store(self, p: *mut Self::SortKey);
    /// Loads `count < LANES` keys and the greatest key behind them.
    ///
    /// # Safety
    /// `count` keys are readable at `p`.
    unsafe fn load_first(p: *const Self::SortKey, count: usize) -> Self;
    /// Stores the first `count < LANES` keys.
    ///
    /// # Safety
    /// `count` keys are writable at `p`.
    unsafe fn store_first(self, p: *mut Self::SortKey, count: usize);
    /// # Safety
    /// As for `splat`.
    unsafe fn min(self, other: Self) -> Self;
    /// # Safety
    /// As for `splat`.
    unsafe fn max(self, other: Self) -> Self;
    /// Reverses the lanes within each group of `W` of them.
    ///
    /// # Safety
    /// As for `splat`; `W` is a power of two, from 2 to `LANES`.
    unsafe fn reverse<const W: usize>(self) -> Self;
    /// Exchanges lanes that are `D` apart.
    ///
    /// # Safety
    /// As for `splat`; `D` is a power of two below `LANES`.
    unsafe fn swap<const D: usize>(self) -> Self;
    /// Takes the lanes whose number has the bit `D` from `high`, the others from `low`.
    ///
    /// # Safety
    /// As for `swap`.
    unsafe fn pick<const D: usize>(low: Self, high: Self) -> Self;
    /// The keys below the pivot first, then the others; and how many are below it.
    ///
    /// # Safety
    /// As for `splat`.
    unsafe fn split(self, pivot: Self) -> (Self, usize);
    /// Calls [`sort_range`](super::sort::sort_range) in a function compiled for this vector's instructions.
    ///
    /// # Safety
    /// As for `sort_range`.
    unsafe fn sort_range(keys: &mut [Self::SortKey], range: SortRange<'_, Self::SortKey>);
    /// Writes the part that each key belongs to: see [`SortKey::classify`].
    ///
    /// # Safety
    /// As for `splat`.
    unsafe fn classify(tree: &[Self::SortKey; PART_COUNT], keys: &[Self::SortKey], parts: &mut [u8]);
}
