//! Smallest and largest elements of a few columns, read row by row.

use super::ordered::Ordered;

/// Columns side by side that are compared at a time, at most, and how many elements of a row of several short rows should be.
const MAX_COLUMNS: usize = 64;
const WIDE_ROW: usize = 64;

/// The smallest (or largest) element of each of `count` columns of `n` rows, `stride` bytes apart, and whether it has NaNs, as
/// [`best_by_lanes`] finds them. Rows that follow each other are taken several at a time.
///
/// # Safety
/// The rows are readable, at least one, and each has `count` elements, at most [`MAX_COLUMNS`].
#[inline(always)]
unsafe fn best_of_columns<T: Ordered, const MAX: bool>(
    x: *const u8,
    stride: isize,
    n: usize,
    count: usize,
) -> [(T, bool); MAX_COLUMNS] {
    let better = |a: T, b: T| if if MAX { a.below(b) } else { b.below(a) } { b } else { a };
    let neutral = if MAX { T::LOWEST } else { T::HIGHEST };
    let follow = stride == (count * size_of::<T>()) as isize;
    let rows = if follow { (WIDE_ROW / count).clamp(1, n) } else { 1 };
    let (mut best, mut nan) = ([neutral; WIDE_ROW], [0u32; WIDE_ROW]);
    let mut take = |first: usize, rows: usize| {
        // SAFETY: the caller's promise; several rows are taken where they follow each other.
        let row = unsafe {
            std::slice::from_raw_parts(x.offset(first as isize * stride).cast::<T>(), rows * count)
        };
        for ((best, nan), &x) in best.iter_mut().zip(&mut nan).zip(row) {
            *best = better(*best, x);
            *nan |= u32::from(x.is_nan());
        }
    };
    let whole = n / rows * rows;
    (0..whole).step_by(rows).for_each(|first| take(first, rows));
    if whole < n {
        take(whole, n - whole);
    }
    std::array::from_fn(|column| {
        let mut found = (neutral, false);
        for at in (column..rows * count).step_by(count) {
            found = (better(found.0, best[at]), found.1 | (nan[at] != 0));
        }
        found
    })
}

/// The extremum of each column, and, if `places` are wanted, the row of the first that is it. Of several NaNs or zeros the first is
/// the extremum, as in a row.
///
/// # Safety
/// The caller hands `n` rows of `count` elements, `stride` bytes apart.
#[inline(always)]
pub(super) unsafe fn search_columns<T: Ordered, const MAX: bool>(
    x: *const u8,
    stride: isize,
    n: usize,
    count: usize,
    places: bool,
    mut write: impl FnMut(usize, T, usize),
) {
    for first in (0..count).step_by(MAX_COLUMNS) {
        let some = MAX_COLUMNS.min(count - first);
        let x = x.wrapping_add(first * size_of::<T>());
        // SAFETY: the caller's promise.
        let found = unsafe { best_of_columns::<T, MAX>(x, stride, n, some) };
        for (column, &(best, any_nan)) in found[..some].iter().enumerate() {
            let x = x.wrapping_add(column * size_of::<T>());
            // SAFETY: elements of one column.
            let (value, at) = unsafe {
                let element = |row: usize| x.offset(row as isize * stride).cast::<T>().read();
                match any_nan {
                    false if !places && !best.has_twins() => (best, 0),
                    _ => {
                        let is_it = |x: T| if any_nan { x.is_nan() } else { x.same(best) };
                        let at = (0..n).find(|&row| is_it(element(row))).unwrap_or(0);
                        (element(at), at)
                    }
                }
            };
            write(first + column, value, at);
        }
    }
}
