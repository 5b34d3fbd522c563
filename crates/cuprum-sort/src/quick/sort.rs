//! Quicksort: ranges are split around a pivot, vector by vector and in place, until networks can sort them.

use super::SortKey;
use super::network::{sort_few, sort_rows};
use super::vector::KeyVector;

/// Vectors that are read from one side at a time.
const UNROLL: usize = 4;
/// Rows of the largest network.
const NETWORK_ROWS: usize = 16;
/// The most lanes that a vector has.
const MAX_LANES: usize = 16;
/// Keys that are worth a larger sample.
const LARGE_SAMPLE_MIN: usize = 1024;

/// What is known of a range of keys that is to be sorted.
#[derive(Clone, Copy)]
pub(super) struct SortRange<'a, K> {
    /// Nothing is below this key.
    floor: Option<K>,
    /// How many more splits there may be: after too many, which must have been bad ones, another way of sorting takes over.
    splits: u32,
    /// The positions that must get their key, in ascending order; all of them where there is nothing.
    wanted: Option<&'a [usize]>,
    /// The range's own position.
    start: usize,
}

impl<'a, K> SortRange<'a, K> {
    /// All of `n` keys.
    pub(super) fn whole(n: usize, wanted: Option<&'a [usize]>) -> SortRange<'a, K> {
        SortRange { floor: None, splits: 2 * (usize::BITS - n.leading_zeros()), wanted, start: 0 }
    }

    fn is_unwanted(&self) -> bool {
        self.wanted.is_some_and(|wanted| wanted.is_empty())
    }
}

/// Sorts a range of keys, or as much of it as puts the wanted positions in place.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn sort_range<V: KeyVector>(
    mut keys: &mut [V::SortKey],
    mut range: SortRange<'_, V::SortKey>,
) {
    // SAFETY: the caller's promise; parts are parts of the keys.
    unsafe {
        while keys.len() > NETWORK_ROWS * V::LANES {
            if range.is_unwanted() {
                return;
            }
            if range.splits == 0 {
                return keys.sort_unstable();
            }
            range.splits -= 1;
            let pivot = pivot_of::<V>(keys);
            let is_floor = range.floor == Some(pivot);
            let bound = match pivot.successor() {
                Some(next) if is_floor => next,
                // Nothing is below the greatest key, and nothing above it.
                None if is_floor => return,
                _ => pivot,
            };
            let middle = split::<V>(keys, bound);
            let (below, above) = keys.split_at_mut(middle);
            let sides = range.wanted.map(|w| w.split_at(w.partition_point(|k| *k < range.start + middle)));
            // Keys that are not above the floor are all equal to it.
            if !is_floor {
                V::sort_range(below, SortRange { wanted: sides.map(|s| s.0), ..range });
            }
            range.floor = if is_floor { None } else { Some(pivot) };
            range.wanted = sides.map(|s| s.1);
            range.start += middle;
            keys = above;
        }
        if !range.is_unwanted() {
            sort_few::<V>(keys);
        }
    }
}

/// A key that about half of the others are below: the middle one of a sample.
///
/// # Safety
/// As for `sort_range`; there are more keys than the sample takes.
#[inline(always)]
unsafe fn pivot_of<V: KeyVector>(keys: &[V::SortKey]) -> V::SortKey {
    let mut sample = [V::SortKey::MAX; 4 * MAX_LANES];
    let count = if keys.len() > LARGE_SAMPLE_MIN { 4 * V::LANES } else { V::LANES };
    let step = keys.len() / count;
    // The offset within each step changes, so that periodic keys are not always sampled at the same phase.
    let mut wander = keys.len();
    for (i, key) in sample[..count].iter_mut().enumerate() {
        wander = wander.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i);
        *key = keys[i * step + (((wander >> 32) * step) >> 32)];
    }
    // SAFETY: the caller's promise; the sample has a network's size.
    unsafe {
        if count == V::LANES {
            sort_rows::<V, 1>(&mut sample[..count]);
        } else {
            sort_rows::<V, 4>(&mut sample[..count]);
        }
    }
    sample[count / 2]
}

/// Puts the keys below the bound first and returns how many they are.
///
/// Vectors are read from both ends into the room that those read before have left, always at the end that has less of it: so
/// both ends have room for all that one turn writes, and vectors can be stored whole.
///
/// # Safety
/// As for `sort_range`; there are at least `2 * UNROLL` vectors of keys.
#[inline(always)]
unsafe fn split<V: KeyVector>(keys: &mut [V::SortKey], bound: V::SortKey) -> usize {
    let lanes = V::LANES;
    let whole = keys.len() / lanes;
    let base = keys.as_mut_ptr();
    // SAFETY: positions stay inside the keys: see above and the comments below.
    unsafe {
        let bounds = V::splat(bound);
        let mut held = [bounds; 2 * UNROLL];
        for i in 0..UNROLL {
            held[i] = V::load(base.add(i * lanes));
            held[UNROLL + i] = V::load(base.add((whole - UNROLL + i) * lanes));
        }
        let mut tail = [bound; MAX_LANES];
        let rest = keys.len() - whole * lanes;
        std::ptr::copy_nonoverlapping(base.add(whole * lanes), tail.as_mut_ptr(), rest);

        let (mut read_low, mut read_high) = (UNROLL * lanes, (whole - UNROLL) * lanes);
        let (mut low, mut high) = (0, whole * lanes);
        macro_rules! put {
            ($vector:expr) => {{
                let (sides, count) = $vector.split(bounds);
                sides.store(base.add(low));
                sides.store(base.add(high - lanes));
                low += count;
                high -= lanes - count;
            }};
        }
        while read_high - read_low >= UNROLL * lanes {
            let from = if read_low - low <= high - read_high {
                read_low += UNROLL * lanes;
                read_low - UNROLL * lanes
            } else {
                read_high -= UNROLL * lanes;
                read_high
            };
            let vectors: [V; UNROLL] = std::array::from_fn(|i| V::load(base.add(from + i * lanes)));
            for vector in vectors {
                put!(vector);
            }
        }
        while read_high > read_low {
            let from = if read_low - low <= high - read_high {
                read_low += lanes;
                read_low - lanes
            } else {
                read_high -= lanes;
                read_high
            };
            put!(V::load(base.add(from)));
        }
        // What is held fills the room that is left; both stores of the last vector are the same.
        for vector in held {
            put!(vector);
        }
        // The keys behind the last whole vector: each takes the first place above, whose key moves behind all.
        for (i, &key) in tail[..rest].iter().enumerate() {
            let last = base.add(whole * lanes + i);
            *last = *base.add(low);
            if key < bound {
                *base.add(low) = key;
                low += 1;
            } else {
                *last = key;
            }
        }
        low
    }
}
