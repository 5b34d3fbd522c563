//! Sorting networks: up to 16 vectors of keys in registers.
//!
//! The keys are `R` rows of one vector each. Columns are sorted first, by comparing rows; then neighbouring groups of
//! columns are merged, each group holding a sorted sequence row by row: of the two halves of a bitonic sequence one is kept
//! reversed in both rows and lanes, so that what has to be compared lies in mirrored rows and lanes.

use super::SortKey;
use super::vector::KeyVector;

/// Sorts at most `16 * LANES` keys.
///
/// # Safety
/// The processor has the vector's instructions, and there are no more keys than that.
#[inline(always)]
pub(super) unsafe fn sort_few<V: KeyVector>(keys: &mut [V::SortKey]) {
    // SAFETY: the number of rows holds all keys.
    unsafe {
        match keys.len().div_ceil(V::LANES) {
            0 => {}
            1 => sort_rows::<V, 1>(keys),
            2 => sort_rows::<V, 2>(keys),
            3..=4 => sort_rows::<V, 4>(keys),
            5..=8 => sort_rows::<V, 8>(keys),
            _ => sort_rows::<V, 16>(keys),
        }
    }
}

/// # Safety
/// There are at most `R * LANES` keys.
#[inline(always)]
pub(super) unsafe fn sort_rows<V: KeyVector, const R: usize>(keys: &mut [V::SortKey]) {
    let n = keys.len();
    let p = keys.as_mut_ptr();
    // SAFETY: rows are loaded and stored as far as there are keys.
    unsafe {
        let mut rows = [V::splat(V::SortKey::MAX); R];
        for (r, row) in rows.iter_mut().enumerate() {
            let at = r * V::LANES;
            if at + V::LANES <= n {
                *row = V::load(p.add(at));
            } else if at < n {
                *row = V::load_first(p.add(at), n - at);
            }
        }
        sort_columns(&mut rows);
        merge_columns(&mut rows);
        for (r, row) in rows.into_iter().enumerate() {
            let at = r * V::LANES;
            if at + V::LANES <= n {
                row.store(p.add(at));
            } else if at < n {
                row.store_first(p.add(at), n - at);
            }
        }
    }
}

const PAIRS_2: [(usize, usize); 1] = [(0, 1)];
const PAIRS_4: [(usize, usize); 5] = [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)];
#[rustfmt::skip]
const PAIRS_8: [(usize, usize); 19] = [
    (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7), (0, 1), (2, 3),
    (4, 5), (6, 7), (2, 4), (3, 5), (1, 4), (3, 6), (1, 2), (3, 4), (5, 6),
];
/// The 16-input network of the fewest known comparisons.
#[rustfmt::skip]
const PAIRS_16: [(usize, usize); 60] = [
    (0, 13), (1, 12), (2, 15), (3, 14), (4, 8), (5, 6), (7, 11), (9, 10), (0, 5), (1, 7),
    (2, 9), (3, 4), (6, 13), (8, 14), (10, 15), (11, 12), (0, 1), (2, 3), (4, 5), (6, 8),
    (7, 9), (10, 11), (12, 13), (14, 15), (0, 2), (1, 3), (4, 10), (5, 11), (6, 7), (8, 9),
    (12, 14), (13, 15), (1, 2), (3, 12), (4, 6), (5, 7), (8, 10), (9, 11), (13, 14), (1, 4),
    (2, 6), (5, 8), (7, 10), (9, 13), (11, 14), (2, 4), (3, 6), (9, 12), (11, 13), (3, 5),
    (6, 8), (7, 9), (10, 12), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (6, 7), (8, 9),
];

/// Sorts each column.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn sort_columns<V: KeyVector, const R: usize>(rows: &mut [V; R]) {
    let pairs: &[(usize, usize)] = match R {
        1 => &[],
        2 => &PAIRS_2,
        4 => &PAIRS_4,
        8 => &PAIRS_8,
        _ => &PAIRS_16,
    };
    for &(a, b) in pairs {
        let (low, high) = (rows[a], rows[b]);
        // SAFETY: the caller's promise.
        unsafe {
            rows[a] = low.min(high);
            rows[b] = low.max(high);
        }
    }
}

/// Merges sorted columns into one sequence, row by row.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn merge_columns<V: KeyVector, const R: usize>(rows: &mut [V; R]) {
    // SAFETY: groups grow up to the vector's lanes.
    unsafe {
        merge_groups::<V, R, 2>(rows);
        for row in rows.iter_mut() {
            *row = step_reversed::<V, 2, 1>(*row);
        }
        if V::LANES >= 4 {
            merge_groups::<V, R, 4>(rows);
            for row in rows.iter_mut() {
                *row = step::<V, 1>(step_reversed::<V, 4, 2>(*row));
            }
        }
        if V::LANES >= 8 {
            merge_groups::<V, R, 8>(rows);
            for row in rows.iter_mut() {
                *row = step::<V, 1>(step::<V, 2>(step_reversed::<V, 8, 4>(*row)));
            }
        }
        if V::LANES >= 16 {
            merge_groups::<V, R, 16>(rows);
            for row in rows.iter_mut() {
                *row = step::<V, 1>(step::<V, 2>(step::<V, 4>(step_reversed::<V, 16, 8>(*row))));
            }
        }
    }
}

/// Halves bitonic sequences over the rows until each row holds one, in groups of `W` lanes.
///
/// # Safety
/// `W` is at most the vector's lanes.
#[inline(always)]
unsafe fn merge_groups<V: KeyVector, const R: usize, const W: usize>(rows: &mut [V; R]) {
    let mut block = R;
    while block > 1 {
        let before = *rows;
        let half = block / 2;
        for start in (0..R).step_by(block) {
            for i in 0..half {
                // SAFETY: the caller's promise.
                unsafe {
                    let (a, b) = (before[start + i], before[start + block - 1 - i].reverse::<W>());
                    rows[start + i] = a.min(b);
                    rows[start + half + i] = a.max(b);
                }
            }
        }
        block = half;
    }
}

/// Compares mirrored lanes of each group of `W`, whose half is `D`.
///
/// # Safety
/// `W` is at most the vector's lanes.
#[inline(always)]
unsafe fn step_reversed<V: KeyVector, const W: usize, const D: usize>(row: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let other = row.reverse::<W>();
        V::pick::<D>(row.min(other), row.max(other))
    }
}

/// Compares lanes that are `D` apart.
///
/// # Safety
/// `D` is less than the vector's lanes.
#[inline(always)]
unsafe fn step<V: KeyVector, const D: usize>(row: V) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let other = row.swap::<D>();
        V::pick::<D>(row.min(other), row.max(other))
    }
}
