//! Several rows that are taken into the accumulators of their columns at a time.

use super::{LANES, Monoid, ROWS_AT_A_TIME};
use crate::streams::fetch_lines;

/// Columns that are taken at a time between two demands on memory; whole cache lines of any element.
pub(super) const PREFETCH_COLUMNS: usize = 64;

/// Asks memory for [`PREFETCH_COLUMNS`] columns from `at` on of the rows that follow the next [`ROWS_AT_A_TIME`].
#[inline(always)]
pub(super) fn fetch_ahead<T>(x: *const u8, stride: isize, at: usize) {
    for row in ROWS_AT_A_TIME..2 * ROWS_AT_A_TIME {
        let first = x.wrapping_offset(row as isize * stride).wrapping_add(at * size_of::<T>());
        fetch_lines(first, PREFETCH_COLUMNS * size_of::<T>() / 64);
    }
}

/// The `count` columns from `at` on of [`ROWS_AT_A_TIME`] rows that lie `stride` bytes apart.
///
/// # Safety
/// The rows have at least `at + count` elements, which nobody writes while this lives.
#[inline(always)]
pub(super) unsafe fn columns<'a, T>(
    x: *const u8,
    stride: isize,
    at: usize,
    count: usize,
) -> [&'a [T]; ROWS_AT_A_TIME] {
    // SAFETY: the caller's promise.
    std::array::from_fn(|r| unsafe {
        std::slice::from_raw_parts(x.offset(r as isize * stride).cast::<T>().add(at), count)
    })
}

/// Joins several rows one after the other while their columns' accumulators stay in registers. No closure takes the columns: one
/// that is not inlined has the instructions of no level.
#[inline(always)]
pub(super) unsafe fn many_body<M: Monoid>(
    rows: *mut u8,
    x: *const u8,
    stride: isize,
    n: usize,
    starts: bool,
    fetches: bool,
) {
    // SAFETY: the caller hands `n` accumulators, and `ROWS_AT_A_TIME` rows of `n` elements apart from them.
    unsafe {
        if starts {
            for i in 0..n {
                rows.cast::<M::Acc>().add(i).write(M::before(x.cast::<M::In>().add(i).read()));
            }
        }
        for at in (0..n).step_by(PREFETCH_COLUMNS) {
            if fetches {
                fetch_ahead::<M::In>(x, stride, at);
            }
            join_columns::<M>(rows, columns(x, stride, at, PREFETCH_COLUMNS.min(n - at)), at);
        }
    }
}

#[inline(always)]
unsafe fn join_columns<M: Monoid>(rows: *mut u8, x: [&[M::In]; ROWS_AT_A_TIME], at: usize) {
    // SAFETY: the caller hands accumulators of at least as many columns from `at` on.
    let rows = unsafe { std::slice::from_raw_parts_mut(rows.cast::<M::Acc>().add(at), x[0].len()) };
    let (lanes, rest) = rows.as_chunks_mut::<LANES>();
    let columns = x.map(|row| row.as_chunks::<LANES>());
    for (i, acc) in lanes.iter_mut().enumerate() {
        *acc = M::join_columns(*acc, columns.map(|(lanes, _)| &lanes[i]));
    }
    for (i, acc) in rest.iter_mut().enumerate() {
        *acc = columns.iter().fold(*acc, |acc, (_, rest)| M::join(acc, M::lift(rest[i])));
    }
}
