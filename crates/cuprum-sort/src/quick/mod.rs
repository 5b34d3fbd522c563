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

impl Level {
    /// This level, or the plainest where the CPU lacks it.
    fn checked(self) -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let bits = || {
                is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
            };
            let has = match self {
                Level::Portable => true,
                Level::Avx2 => is_x86_feature_detected!("avx2") && bits(),
                Level::Avx512 => {
                    is_x86_feature_detected!("avx512f")
                        && is_x86_feature_detected!("avx512bw")
                        && is_x86_feature_detected!("avx512dq")
                        && is_x86_feature_detected!("avx512vl")
                        && bits()
                }
            };
            if has {
                return self;
            }
        }
        Level::Portable
    }
}

/// How many parts [`Key::classify`] tells apart.
pub const PARTS: usize = 64;

/// An integer that the engine sorts.
pub trait Key: Copy + Ord + Default + Send + Sync + 'static {
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
    fn sort_keys(keys: &mut [Self], level: Level);
    /// Reorders the integers so that each of the `wanted` positions, in ascending order, holds what it would if they were
    /// sorted, with nothing greater before it and nothing smaller behind.
    fn select(keys: &mut [Self], wanted: &[usize], level: Level);
    /// Writes the part that each key belongs to: the number of splitters that are not above it. The splitters are a search
    /// tree: those below the one at `i` lie at `2 * i`, the others at `2 * i + 1`, the root at 1.
    fn classify(tree: &[Self; PARTS], keys: &[Self], parts: &mut [u8], level: Level);
}

/// For `i32, I32x8, I32x16` this makes `impl Key for i32` with these vectors.
macro_rules! keys {
    ($($int:ident, $avx2:ident, $avx512:ident;)*) => {
        $(impl Key for $int {
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
            fn sort_keys(keys: &mut [$int], level: Level) {
                match level.checked() {
                    Level::Portable => keys.sort_unstable(),
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => unsafe {
                        x86::avx2::$avx2::sort_range(keys, sort::Range::whole(keys.len(), None))
                    },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => unsafe {
                        x86::avx512::$avx512::sort_range(keys, sort::Range::whole(keys.len(), None))
                    },
                    #[cfg(not(target_arch = "x86_64"))]
                    _ => keys.sort_unstable(),
                }
            }
            fn select(keys: &mut [$int], wanted: &[usize], level: Level) {
                match level.checked() {
                    Level::Portable => select_scalar(keys, wanted, 0),
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => unsafe {
                        x86::avx2::$avx2::sort_range(keys, sort::Range::whole(keys.len(), Some(wanted)))
                    },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => unsafe {
                        x86::avx512::$avx512::sort_range(keys, sort::Range::whole(keys.len(), Some(wanted)))
                    },
                    #[cfg(not(target_arch = "x86_64"))]
                    _ => select_scalar(keys, wanted, 0),
                }
            }
            fn classify(tree: &[$int; PARTS], keys: &[$int], parts: &mut [u8], level: Level) {
                match level.checked() {
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => unsafe { x86::avx2::$avx2::classify(tree, keys, parts) },
                    // SAFETY: the level was checked.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => unsafe { x86::avx512::$avx512::classify(tree, keys, parts) },
                    _ => classify_scalar(tree, keys, parts),
                }
            }
        })*
    };
}
#[cfg(target_arch = "x86_64")]
use vector::Vector;
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

/// See [`Key::classify`]. Several keys go down the tree side by side.
#[inline(always)]
fn classify_scalar<K: Key>(tree: &[K; PARTS], keys: &[K], parts: &mut [u8]) {
    const WAYS: usize = 8;
    assert_eq!(keys.len(), parts.len(), "one part for each key");
    let down = |node: usize, key: K| 2 * node + usize::from(key >= tree[node % PARTS]);
    let whole = keys.len() / WAYS * WAYS;
    for (keys, parts) in keys.chunks_exact(WAYS).zip(parts.chunks_exact_mut(WAYS)) {
        let mut nodes = [1; WAYS];
        for _ in 0..PARTS.ilog2() {
            for way in 0..WAYS {
                nodes[way] = down(nodes[way], keys[way]);
            }
        }
        for way in 0..WAYS {
            parts[way] = (nodes[way] % PARTS) as u8;
        }
    }
    for (key, part) in keys[whole..].iter().zip(&mut parts[whole..]) {
        let node = (0..PARTS.ilog2()).fold(1, |node, _| down(node, *key));
        *part = (node % PARTS) as u8;
    }
}
