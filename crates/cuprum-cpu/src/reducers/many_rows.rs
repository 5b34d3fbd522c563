//! Several rows that are taken into the accumulators of their columns at a time.

use super::{Monoid, ROWS_AT_A_TIME};
use crate::streams::fetch_rows;

/// Columns that are taken at a time between two demands on memory; whole cache lines of any element.
pub(super) const PREFETCH_COLUMNS: usize = 64;

/// Asks memory for `count` columns from `at` on of the rows that follow the next [`ROWS_AT_A_TIME`].
#[inline(always)]
pub(super) fn fetch_ahead<T>(x: *const u8, stride: isize, at: usize, count: usize) {
    let first = x.wrapping_offset(ROWS_AT_A_TIME as isize * stride).wrapping_add(at * size_of::<T>());
    fetch_rows(first, stride, ROWS_AT_A_TIME, (count * size_of::<T>()).div_ceil(64));
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

/// Rows that are joined in one walk along them: so many streams of memory are followed well, and the accumulators are loaded and
/// stored once for all of them.
pub(super) const ROWS_IN_A_WALK: usize = 4;
/// Columns that are joined at a time: those of all rows, and their accumulators, stay in the cache.
const STRIP_COLUMNS: usize = 4 * PREFETCH_COLUMNS;

/// Joins several rows one after the other. No closure takes the columns: one that is not inlined has the instructions of no level.
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
        for at in (0..n).step_by(STRIP_COLUMNS) {
            let count = STRIP_COLUMNS.min(n - at);
            if fetches {
                fetch_ahead::<M::In>(x, stride, at, count);
            }
            let acc = std::slice::from_raw_parts_mut(rows.cast::<M::Acc>().add(at), count);
            let columns = columns::<M::In>(x, stride, at, count);
            let (walks, _) = columns.as_chunks::<ROWS_IN_A_WALK>();
            // Their number is hidden from the compiler, which would write the loop over the columns once for each.
            for walk in &walks[..std::hint::black_box(walks.len())] {
                M::add_rows(acc, *walk);
            }
        }
    }
}
