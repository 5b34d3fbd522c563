//! The engine: sorts and selects signed integers of 32 and 64 bits.
//!
//! Quicksort over vectors, as the field has come to do it: ranges are split by permuting each vector around a pivot, and
//! what fits some registers is sorted by a network. Without vectors, the standard library's sort.

#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
mod sort;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use cuprum_core::SimdLevel;

/// How many parts [`SortKey::classify`] tells apart.
pub const PART_COUNT: usize = 64;

/// An integer that the engine sorts.
pub trait SortKey: Copy + Ord + Default + Send + Sync + 'static {
    /// The smallest integer.
    const MIN: Self;
    /// The greatest integer.
    const MAX: Self;
    /// The next integer, where there is one.
    fn successor(self) -> Option<Self>;
    /// The integer as one of 64 bits.
    fn wide(self) -> i64;
    /// The integer that one of 64 bits is; it must fit.
    fn from_wide(wide: i64) -> Self;
    /// Sorts the integers.
    fn sort_keys(keys: &mut [Self], level: SimdLevel);
    /// Reorders the integers so that each of the `wanted` positions, in ascending order, holds what it would if they were
    /// sorted, with nothing greater before it and nothing smaller behind.
    fn select(keys: &mut [Self], wanted: &[usize], level: SimdLevel);
    /// Writes the part that each key belongs to: the number of splitters that are not above it. The splitters are a search
    /// tree: those below the one at `i` lie at `2 * i`, the others at `2 * i + 1`, the root at 1.
    fn classify(tree: &[Self; PART_COUNT], keys: &[Self], parts: &mut [u8], level: SimdLevel);
}

/// For `i32, I32x8, I32x16` this makes `impl SortKey for i32` with these vectors.
macro_rules! keys {
    ($($int:ident, $avx2:ident, $avx512:ident;)*) => {
        $(impl SortKey for $int {
            const MIN: $int = $int::MIN;
            const MAX: $int = $int::MAX;
            #[inline(always)]
            fn successor(self) -> Option<$int> {
                self.checked_add(1)
            }
            #[inline(always)]
            fn wide(self) -> i64 {
                self.into()
            }
            #[inline(always)]
            fn from_wide(wide: i64) -> $int {
                wide as $int
            }
            fn sort_keys(keys: &mut [$int], level: SimdLevel) {
                match level.or_portable() {
                    SimdLevel::Portable => keys.sort_unstable(),
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx2 => unsafe {
                        x86::avx2::$avx2::sort_range(keys, sort::SortRange::whole(keys.len(), None))
                    },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx512 => unsafe {
                        x86::avx512::$avx512::sort_range(keys, sort::SortRange::whole(keys.len(), None))
                    },
                    #[cfg(not(target_arch = "x86_64"))]
                    _ => keys.sort_unstable(),
                }
            }
            fn select(keys: &mut [$int], wanted: &[usize], level: SimdLevel) {
                match level.or_portable() {
                    SimdLevel::Portable => select_scalar(keys, wanted, 0),
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx2 => unsafe {
                        x86::avx2::$avx2::sort_range(keys, sort::SortRange::whole(keys.len(), Some(wanted)))
                    },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx512 => unsafe {
                        x86::avx512::$avx512::sort_range(keys, sort::SortRange::whole(keys.len(), Some(wanted)))
                    },
                    #[cfg(not(target_arch = "x86_64"))]
                    _ => select_scalar(keys, wanted, 0),
                }
            }
            fn classify(tree: &[$int; PART_COUNT], keys: &[$int], parts: &mut [u8], level: SimdLevel) {
                match level.or_portable() {
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx2 => unsafe { x86::avx2::$avx2::classify(tree, keys, parts) },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx512 => unsafe { x86::avx512::$avx512::classify(tree, keys, parts) },
                    _ => classify_scalar(tree, keys, parts),
                }
            }
        })*
    };
}
#[cfg(target_arch = "x86_64")]
use vector::KeyVector;
keys! {
    i32, I32x8, I32x16;
    i64, I64x4, I64x8;
}

/// Selects the middle one of the wanted positions, then the others on its two sides. `start` is the position of the first
/// key.
fn select_scalar<K: Ord + Copy>(keys: &mut [K], wanted: &[usize], start: usize) {
    if wanted.is_empty() || keys.len() < 2 {
        return;
    }
    let middle = wanted.len() / 2;
    let at = wanted[middle] - start;
    let (below, _, above) = keys.select_nth_unstable(at);
    select_scalar(below, &wanted[..middle], start);
    let rest = wanted[middle + 1..].partition_point(|w| *w == wanted[middle]);
    select_scalar(above, &wanted[middle + 1 + rest..], start + at + 1);
}

/// See [`SortKey::classify`]. Several keys go down the tree side by side.
#[inline(always)]
fn classify_scalar<K: SortKey>(tree: &[K; PART_COUNT], keys: &[K], parts: &mut [u8]) {
    const KEYS_AT_A_TIME: usize = 8;
    assert_eq!(keys.len(), parts.len(), "one part for each key");
    let down = |node: usize, key: K| 2 * node + usize::from(key >= tree[node % PART_COUNT]);
    let whole = keys.len() / KEYS_AT_A_TIME * KEYS_AT_A_TIME;
    for (keys, parts) in keys.chunks_exact(KEYS_AT_A_TIME).zip(parts.chunks_exact_mut(KEYS_AT_A_TIME)) {
        let mut nodes = [1; KEYS_AT_A_TIME];
        for _ in 0..PART_COUNT.ilog2() {
            for way in 0..KEYS_AT_A_TIME {
                nodes[way] = down(nodes[way], keys[way]);
            }
        }
        for way in 0..KEYS_AT_A_TIME {
            parts[way] = (nodes[way] % PART_COUNT) as u8;
        }
    }
    for (key, part) in keys[whole..].iter().zip(&mut parts[whole..]) {
        let node = (0..PART_COUNT.ilog2()).fold(1, |node, _| down(node, *key));
        *part = (node % PART_COUNT) as u8;
    }
}
