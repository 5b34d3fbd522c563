//! Large slices, on several threads: split into parts by samples, the parts sorted each by itself.

use cuprum_core::Result;

use crate::element::{Element, Real, Work};
use crate::line;
use crate::quick::Level;

/// Bytes of work that [`sort`] and [`partition`] need for `n` elements of a type.
///
/// ```
/// assert!(cuprum_sort::sort_work::<f64>(1000) <= 16 * 1000);
/// ```
pub fn sort_work<T: Element>(n: usize) -> usize {
    T::sort_work(n)
}

/// Sorts `source` into `out`, in a stable way, on several threads where that pays.
///
/// ```
/// let mut sorted = [0; 3];
/// cuprum_sort::sort(&[3, 1, 2], &mut sorted, &mut [], cuprum_sort::Level::Portable).unwrap();
/// assert_eq!(sorted, [1, 2, 3]);
/// ```
pub fn sort<T: Element>(source: &[T], out: &mut [T], work: Work<'_>, level: Level) -> Result<()> {
    T::sort(source, out, work, level)
}

/// Partitions `source` into `out`. See [`partition_line`](crate::partition_line).
///
/// ```
/// let mut out = [0; 3];
/// cuprum_sort::partition(&[3, 1, 2], &mut out, &[1], &mut [], cuprum_sort::Level::Portable).unwrap();
/// assert_eq!(out[1], 2);
/// ```
pub fn partition<T: Element>(
    source: &[T],
    out: &mut [T],
    wanted: &[usize],
    work: Work<'_>,
    level: Level,
) -> Result<()> {
    T::partition(source, out, wanted, work, level)
}

/// Bytes of work that [`argsort`] and [`argpartition`] need for `n` elements of a type.
///
/// ```
/// assert!(cuprum_sort::argsort_work::<f64>(1000) <= 16 * 1000);
/// ```
pub fn argsort_work<T: Element>(n: usize) -> usize {
    let _ = n;
    0
}

pub(crate) fn keys_work<T: Real>(n: usize) -> usize {
    let _ = n;
    0
}

pub(crate) fn positions_work<T: Element>(n: usize) -> usize {
    argsort_work::<T>(n)
}

pub(crate) fn sort_by_keys<T: Real>(source: &[T], out: &mut [T], work: Work<'_>, level: Level) -> Result<()> {
    let _ = work;
    out.copy_from_slice(source);
    line::sort_line(out, level);
    Ok(())
}

pub(crate) fn partition_by_keys<T: Real>(
    source: &[T],
    out: &mut [T],
    wanted: &[usize],
    work: Work<'_>,
    level: Level,
) -> Result<()> {
    let _ = work;
    out.copy_from_slice(source);
    line::partition_line(out, wanted, level);
    Ok(())
}

pub(crate) fn sort_by_positions<T: Element>(
    source: &[T],
    out: &mut [T],
    work: Work<'_>,
    level: Level,
) -> Result<()> {
    let _ = work;
    out.copy_from_slice(source);
    line::sort_by_positions(out, level);
    Ok(())
}

/// The positions that sort `source`, in a stable way, on several threads where that pays.
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argsort(&[3, 1, 2], &mut order, &mut [], cuprum_sort::Level::Portable).unwrap();
/// assert_eq!(order, [1, 2, 0]);
/// ```
pub fn argsort<T: Element>(source: &[T], order: &mut [i64], work: Work<'_>, level: Level) -> Result<()> {
    let _ = work;
    line::argsort_line(source, order, level);
    Ok(())
}

/// The positions that partition `source`. See [`partition_line`](crate::partition_line).
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argpartition(&[3, 1, 2], &mut order, &[0], &mut [], cuprum_sort::Level::Portable).unwrap();
/// assert_eq!(order[0], 1);
/// ```
pub fn argpartition<T: Element>(
    source: &[T],
    order: &mut [i64],
    wanted: &[usize],
    work: Work<'_>,
    level: Level,
) -> Result<()> {
    let _ = work;
    line::argpartition_line(source, order, wanted, level);
    Ok(())
}
