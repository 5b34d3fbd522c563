//! One line, on the thread that calls: short enough for the caches, or one of many.

use crate::counting;
use crate::element::{KeyedElement, Rank, SortElement, Width};
use crate::quick::SortKey;
use cuprum_core::SimdLevel;
use cuprum_core::memory::{collected, copied, filled, lengthen, with_capacity};

/// Sorts a line, in a stable way.
///
/// ```
/// let mut line = [2.0, f64::NAN, -1.0];
/// cuprum_sort::sort_line(&mut line, cuprum_core::SimdLevel::Portable);
/// assert_eq!(line[..2], [-1.0, 2.0]);
/// ```
pub fn sort_line<T: SortElement>(line: &mut [T], level: SimdLevel) {
    T::sort_line(line, level);
}

pub(crate) fn sort_by_keys<T: KeyedElement>(line: &mut [T], level: SimdLevel) {
    if T::KEY_COUNT.is_some_and(|keys| counting::pays(line.len(), keys)) {
        return counting::sort(line);
    }
    with_keys(line, |keys| sort_keys::<T>(keys, level));
}

/// Reorders a line so that each of the `wanted` positions, in ascending order, holds what it would if it were sorted,
/// with nothing greater before it and nothing smaller behind.
///
/// ```
/// let mut line = [5, 3, 1, 4];
/// cuprum_sort::partition_line(&mut line, &[1], cuprum_core::SimdLevel::Portable);
/// assert_eq!(line[1], 3);
/// ```
pub fn partition_line<T: SortElement>(line: &mut [T], wanted: &[usize], level: SimdLevel) {
    T::partition_line(line, wanted, level);
}

pub(crate) fn partition_by_keys<T: KeyedElement>(line: &mut [T], wanted: &[usize], level: SimdLevel) {
    if T::KEY_COUNT.is_some_and(|keys| counting::pays(line.len(), keys)) {
        return counting::sort(line);
    }
    with_keys(line, |keys| T::SortKey::select(keys, wanted, level));
}

pub(crate) fn sort_by_positions<T: SortElement>(line: &mut [T], level: SimdLevel) {
    let mut order = filled(line.len(), 0);
    argsort_line(line, &mut order, level);
    let source = copied(line);
    for (value, place) in line.iter_mut().zip(order) {
        *value = source[place as usize];
    }
}

/// Runs work on the keys of a line, and turns them back.
fn with_keys<T: KeyedElement>(line: &mut [T], work: impl FnOnce(&mut [T::SortKey])) {
    if size_of::<T>() == size_of::<T::SortKey>() {
        let keys = keys_in_place(line);
        work(keys);
        return values_in_place::<T>(keys);
    }
    let mut few = [T::SortKey::MIN; 64];
    let mut many = Vec::new();
    let keys = if line.len() <= few.len() {
        &mut few[..line.len()]
    } else {
        lengthen(&mut many, line.len(), T::SortKey::MIN);
        &mut many[..]
    };
    for (key, value) in keys.iter_mut().zip(line.iter()) {
        *key = value.key();
    }
    work(keys);
    for (key, value) in keys.iter().zip(line) {
        *value = T::from_key(*key);
    }
}

/// Turns elements of a key's size into their keys.
pub(crate) fn keys_in_place<T: KeyedElement>(line: &mut [T]) -> &mut [T::SortKey] {
    let keys = as_keys(line);
    for key in keys.iter_mut() {
        // SAFETY: an element of the key's size; every bit pattern of numbers is valid.
        *key = unsafe { std::mem::transmute_copy::<T::SortKey, T>(key) }.key();
    }
    keys
}

/// Turns keys back into elements of their size, which the caller sees through the slice that they came from.
pub(crate) fn values_in_place<T: KeyedElement>(keys: &mut [T::SortKey]) {
    for key in keys {
        let value = T::from_key(*key);
        // SAFETY: as in `keys_in_place`.
        *key = unsafe { std::mem::transmute_copy::<T, T::SortKey>(&value) };
    }
}

/// Elements of a key's size, seen as keys.
pub(crate) fn as_keys<T: KeyedElement>(line: &mut [T]) -> &mut [T::SortKey] {
    assert!(size_of::<T>() == size_of::<T::SortKey>() && align_of::<T>() == align_of::<T::SortKey>());
    // SAFETY: numbers of one size and alignment, for which every bit pattern is valid.
    unsafe { std::slice::from_raw_parts_mut(line.as_mut_ptr().cast(), line.len()) }
}

/// Sorts the keys of elements; where there are zeros of both signs, which are equal, they keep their order.
pub(crate) fn sort_keys<T: KeyedElement>(keys: &mut [T::SortKey], level: SimdLevel) {
    let [minus, plus] = T::zeros();
    let mut signs = Vec::new();
    if T::SIGNED_ZERO && has_both(keys, minus, plus) {
        let zeros = || keys.iter().filter(|k| **k == minus || **k == plus);
        signs = with_capacity(zeros().count());
        signs.extend(zeros().map(|k| *k == minus));
    }
    T::SortKey::sort_keys(keys, level);
    if !signs.is_empty() {
        let first = keys.partition_point(|k| *k < minus);
        for (key, is_minus) in keys[first..].iter_mut().zip(signs) {
            *key = if is_minus { minus } else { plus };
        }
    }
}

fn has_both<K: SortKey>(keys: &[K], a: K, b: K) -> bool {
    let (mut some_a, mut some_b) = (false, false);
    for key in keys {
        some_a |= *key == a;
        some_b |= *key == b;
    }
    some_a && some_b
}

/// The positions that sort a line, in a stable way.
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argsort_line(&[2.0, f64::NAN, -1.0], &mut order, cuprum_core::SimdLevel::Portable);
/// assert_eq!(order, [2, 0, 1]);
/// ```
pub fn argsort_line<T: SortElement>(line: &[T], order: &mut [i64], level: SimdLevel) {
    assert_eq!(line.len(), order.len(), "one position for each element");
    match T::Rank::WIDTH {
        Width::Narrow if line.len() <= u32::MAX as usize => {
            for (i, (place, value)) in order.iter_mut().zip(line).enumerate() {
                *place = packed(value.rank().narrow(), i);
            }
            i64::sort_keys(order, level);
            order.iter_mut().for_each(|place| *place &= POSITION_MASK);
        }
        Width::Narrow | Width::Wide => argsort_wide(order, level, &|i| line[i].rank().high()),
        Width::Pair => {
            argsort_wide(order, level, &|i| line[i].rank().low());
            let by_low = copied(order);
            argsort_wide(order, level, &|i| line[by_low[i] as usize].rank().high());
            order.iter_mut().for_each(|place| *place = by_low[*place as usize]);
        }
    }
}

/// The positions that partition a line. See [`partition_line`].
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argpartition_line(&[5, 3, 1], &mut order, &[0], cuprum_core::SimdLevel::Portable);
/// assert_eq!(order[0], 2);
/// ```
pub fn argpartition_line<T: SortElement>(line: &[T], order: &mut [i64], wanted: &[usize], level: SimdLevel) {
    assert_eq!(line.len(), order.len(), "one position for each element");
    if T::Rank::WIDTH == Width::Pair {
        return argsort_line(line, order, level);
    }
    let rank = |value: &T| value.rank().high();
    for (place, value) in order.iter_mut().zip(line) {
        *place = rank(value);
    }
    i64::select(order, wanted, level);
    let mut pivots: Vec<i64> = collected(wanted.iter().map(|k| order[*k]));
    pivots.dedup();
    if let [pivot] = pivots[..] {
        if !place_around(line, order, rank, pivot) {
            in_any_order(order);
        }
        return;
    }
    // Elements below the first pivot, equal to it, between it and the next one, and so on, each group in its order.
    let group = |r: i64| {
        let below = pivots.partition_point(|p| *p < r);
        2 * below + usize::from(pivots.get(below) == Some(&r))
    };
    let mut starts = filled(2 * pivots.len() + 2, 0);
    line.iter().for_each(|value| starts[group(rank(value)) + 1] += 1);
    for g in 1..starts.len() {
        starts[g] += starts[g - 1];
    }
    let ends = copied(&starts[1..]);
    for (i, value) in line.iter().enumerate() {
        let start = &mut starts[group(rank(value))];
        if let Some(place) = order.get_mut(*start) {
            *place = i as i64;
        }
        *start += 1;
    }
    if starts[..ends.len()] != ends {
        in_any_order(order);
    }
}

/// Another thread has changed elements since they were counted: any order will do that has each position once.
fn in_any_order(order: &mut [i64]) {
    order.iter_mut().enumerate().for_each(|(i, place)| *place = i as i64);
}

/// Writes the positions of elements below a pivot, of those equal to it and of the others, each group in its order and without a
/// branch. `false` where elements are not what they were when they were counted.
fn place_around<T>(line: &[T], order: &mut [i64], rank: impl Fn(&T) -> i64, pivot: i64) -> bool {
    let (mut below, mut equal) = (0usize, 0usize);
    for value in line {
        let r = rank(value);
        below += usize::from(r < pivot);
        equal += usize::from(r == pivot);
    }
    let ends = [below, below + equal, line.len()];
    let [mut below, mut equal, mut above] = [0, ends[0], ends[1]];
    for (i, value) in line.iter().enumerate() {
        let r = rank(value);
        let (is_below, is_above) = (r < pivot, r > pivot);
        let place = if is_below { below } else { equal };
        let place = if is_above { above } else { place };
        if let Some(place) = order.get_mut(place) {
            *place = i as i64;
        }
        below += usize::from(is_below);
        above += usize::from(is_above);
        equal += usize::from(!is_below & !is_above);
    }
    [below, equal, above] == ends
}

/// The bits that hold the position where a rank of 32 bits stands above it.
pub(crate) const POSITION_MASK: i64 = u32::MAX as i64;

/// A rank above a position.
#[inline(always)]
pub(crate) fn packed(rank: i32, position: usize) -> i64 {
    (i64::from(rank) << 32) | position as i64
}

/// Sorts positions `0..n` by ranks of 64 bits. The upper bits of a rank, as many as fit, stand above the position in one
/// integer; positions whose upper bits are equal are put in order afterwards.
fn argsort_wide(order: &mut [i64], level: SimdLevel, rank: &impl Fn(usize) -> i64) {
    for (i, place) in order.iter_mut().enumerate() {
        *place = rank(i);
    }
    sort_places(order, level, rank);
}

/// Replaces ranks by the positions that sort them; `rank` gives them once more.
pub(crate) fn sort_places(ranks: &mut [i64], level: SimdLevel, rank: &impl Fn(usize) -> i64) {
    let n = ranks.len();
    if n < 2 {
        return ranks.fill(0);
    }
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for &r in ranks.iter() {
        least = least.min(r);
        most = most.max(r);
    }
    let rank_bits = 64 - (most.wrapping_sub(least) as u64).leading_zeros();
    let place_bits = 64 - (n as u64 - 1).leading_zeros();
    let lost = (rank_bits + place_bits).saturating_sub(64);
    for (i, place) in ranks.iter_mut().enumerate() {
        let above = (place.wrapping_sub(least) as u64 >> lost) << (place_bits % 64);
        // Flipping the sign lets signed integers be in the order of unsigned ones.
        *place = (above | i as u64) as i64 ^ i64::MIN;
    }
    i64::sort_keys(ranks, level);
    let place_mask = (1u64 << place_bits) - 1;
    let place_of = |packed: i64| (packed as u64 & place_mask) as usize;
    if lost > 0 {
        let same = |a: i64, b: i64| (a ^ b) as u64 >> place_bits == 0;
        // Ranks are read once each: elements that another thread changes would have no order.
        let mut run = Vec::new();
        let mut start = 0;
        while start < n {
            let first = ranks[start];
            let count = 1 + ranks[start + 1..].iter().take_while(|r| same(**r, first)).count();
            if count > 1 {
                let places = &mut ranks[start..start + count];
                run.clear();
                run.extend(places.iter().map(|r| (rank(place_of(*r)), *r)));
                run.sort_by_key(|(rank, _)| *rank);
                places.iter_mut().zip(&run).for_each(|(place, (_, r))| *place = *r);
            }
            start += count;
        }
    }
    for place in ranks {
        *place = place_of(*place) as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::WorkMemory;
    use cuprum_core::Result;
    use std::cell::Cell;

    /// Miri takes a thousand times as long.
    const MAX_ELEMENTS: usize = if cfg!(miri) { 100 } else { 1 << 40 };

    thread_local!(static STATE: Cell<u64> = const { Cell::new(1) });

    /// An element that another thread seems to change all the time: no two looks at it agree.
    #[derive(Clone, Copy)]
    struct ChangedMeanwhile;

    impl SortElement for ChangedMeanwhile {
        type Rank = i64;
        fn rank(self) -> i64 {
            let next = STATE.get().wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            STATE.set(next);
            // Some are equal but for the lowest bits, which are lost beside a position.
            (next & 0xC000_0000_0000_0000) as i64 | (next >> 33 & 7) as i64
        }
        fn is_ordered(self) -> bool {
            true
        }
        fn is_below(self, other: Self) -> bool {
            self.precedes(other)
        }
        fn is_at_most(self, other: Self) -> bool {
            !other.precedes(self)
        }
        fn sort_line(line: &mut [Self], level: SimdLevel) {
            sort_by_positions(line, level);
        }
        fn partition_line(line: &mut [Self], _: &[usize], level: SimdLevel) {
            sort_by_positions(line, level);
        }
        fn sort_work(_: usize) -> usize {
            0
        }
        fn sort(_: &[Self], out: &mut [Self], _: WorkMemory<'_>, level: SimdLevel) -> Result<()> {
            sort_by_positions(out, level);
            Ok(())
        }
        fn partition(
            _: &[Self],
            out: &mut [Self],
            _: &[usize],
            _: WorkMemory<'_>,
            level: SimdLevel,
        ) -> Result<()> {
            sort_by_positions(out, level);
            Ok(())
        }
    }

    #[test]
    fn elements_that_change_meanwhile_still_have_each_position_once() {
        for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
            for n in [2, 33, 100, 1000, 20_000].into_iter().filter(|n| *n <= MAX_ELEMENTS) {
                let each_once = |mut order: Vec<i64>| {
                    order.sort_unstable();
                    assert!(order.iter().enumerate().all(|(i, at)| i as i64 == *at), "{n} {level:?}");
                };
                let mut order = vec![0; n];
                argsort_line(&vec![ChangedMeanwhile; n], &mut order, level);
                each_once(order.clone());
                argpartition_line(&vec![ChangedMeanwhile; n], &mut order, &[0, n / 2, n - 1], level);
                each_once(order);
            }
        }
    }

    #[test]
    fn positions_around_one_pivot_are_in_three_groups_in_order() {
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
            for n in [1, 2, 33, 1000] {
                let line: Vec<f64> = (0..n).map(|i| (i * 7919 % 101 / 3) as f64).collect();
                let mut sorted = line.clone();
                sorted.sort_by(f64::total_cmp);
                for k in [0, n / 3, n - 1] {
                    let pivot = sorted[k];
                    let places = |holds: &dyn Fn(f64) -> bool| -> Vec<i64> {
                        (0..n).filter(|&i| holds(line[i])).map(|i| i as i64).collect()
                    };
                    let groups = [places(&|x| x < pivot), places(&|x| x == pivot), places(&|x| x > pivot)];
                    let mut order = vec![0; n];
                    argpartition_line(&line, &mut order, &[k], level);
                    assert_eq!(order, groups.concat(), "{n} {k} {level:?}");
                }
            }
        }
    }
}
