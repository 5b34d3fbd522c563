//! Positions that sort elements: split by the elements' ranks, sorted as integers that hold both.

use std::mem::MaybeUninit;

use cuprum_core::{Result, SimdLevel};
use cuprum_threads::run_tasks;

use super::{CHUNK_ELEMENTS, SPLIT_MIN, Split, Spread, splitters, take_work, tree_of, work_for, written};
use crate::element::{Rank, SortElement, Width, WorkMemory};
use crate::line::{self, POSITION_MASK, packed, sort_places};
use crate::quick::SortKey;

/// Whether `n` elements are split; positions among more than these need more than 32 bits, and take the plain way.
fn is_split(n: usize) -> bool {
    (SPLIT_MIN..=u32::MAX as usize).contains(&n)
}

/// Bytes of work that [`argsort`] and [`argpartition`] need for `n` elements of a type.
///
/// ```
/// assert!(cuprum_sort::argsort_work::<f64>(1_000_000) <= 8 * 1_000_000);
/// ```
pub fn argsort_work<T: SortElement>(n: usize) -> usize {
    let wide = work_for::<u8>(n) + work_for::<u32>(n);
    match T::Rank::WIDTH {
        _ if !is_split(n) => 0,
        Width::Narrow => work_for::<u8>(n),
        Width::Wide => wide,
        Width::Pair => wide + work_for::<i64>(n),
    }
}

/// The positions that sort `source`, in a stable way, on several threads where that pays.
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argsort(&[3, 1, 2], &mut order, &mut [], cuprum_core::SimdLevel::Portable).unwrap();
/// assert_eq!(order, [1, 2, 0]);
/// ```
pub fn argsort<T: SortElement>(
    source: &[T],
    order: &mut [i64],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    let n = source.len();
    assert_eq!(n, order.len(), "one position for each element");
    if !is_split(n) {
        line::argsort_line(source, order, level);
        return Ok(());
    }
    match T::Rank::WIDTH {
        Width::Narrow => argsort_narrow(order, work, level, &|i| source[i].rank().narrow()),
        Width::Wide => argsort_wide(order, work, level, &|i| source[i].rank().high()),
        Width::Pair => {
            let (by_low, work) = take_work::<i64>(work, n);
            argsort_wide(order, work, level, &|i| source[i].rank().low())?;
            let places = Spread::new(by_low);
            each_chunk(order, &|at, order| {
                for (i, place) in order.iter().enumerate() {
                    // SAFETY: each place is written once.
                    unsafe { places.write(at + i, MaybeUninit::new(*place)) };
                }
            })?;
            // SAFETY: the chunks have written every place.
            let by_low = unsafe { written(by_low) };
            argsort_wide(order, work, level, &|i| source[by_low[i] as usize].rank().high())?;
            each_chunk(order, &|_, order| {
                order.iter_mut().for_each(|place| *place = by_low[*place as usize]);
            })
        }
    }
}

/// The positions that partition `source`. See [`partition_line`](crate::partition_line).
///
/// ```
/// let mut order = [0; 3];
/// cuprum_sort::argpartition(&[3, 1, 2], &mut order, &[0], &mut [], cuprum_core::SimdLevel::Portable).unwrap();
/// assert_eq!(order[0], 1);
/// ```
pub fn argpartition<T: SortElement>(
    source: &[T],
    order: &mut [i64],
    wanted: &[usize],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    if T::Rank::WIDTH == Width::Pair {
        return argsort(source, order, work, level);
    }
    line::argpartition_line(source, order, wanted, level);
    Ok(())
}

/// Ranks of at most 32 bits: one integer holds rank and position from the start.
fn argsort_narrow(
    order: &mut [i64],
    work: WorkMemory<'_>,
    level: SimdLevel,
    rank: &(impl Fn(usize) -> i32 + Sync),
) -> Result<()> {
    let n = order.len();
    let tree = tree_of(&splitters(n, rank, level));
    let (parts, _) = take_work(work, n);
    let split = Split::new(n, rank, parts, &tree, level)?;
    let places = Spread::new(order);
    split.scatter(&|i, place| {
        // SAFETY: places are distinct and inside; the order is written by this call alone.
        unsafe { places.write(place, packed(rank(i), i)) }
    })?;
    split.each_part(&|_, range| {
        // SAFETY: parts are disjoint.
        let part = unsafe { places.slice(range.start, range.len()) };
        i64::sort_keys(part, level);
        part.iter_mut().for_each(|place| *place &= POSITION_MASK);
    })
}

/// Ranks of 64 bits: they go to the parts beside their positions; within a part, most of a rank and a place in the part fit
/// one integer.
fn argsort_wide(
    order: &mut [i64],
    work: WorkMemory<'_>,
    level: SimdLevel,
    rank: &(impl Fn(usize) -> i64 + Sync),
) -> Result<()> {
    let n = order.len();
    let tree = tree_of(&splitters(n, rank, level));
    let (parts, work) = take_work(work, n);
    let split = Split::new(n, rank, parts, &tree, level)?;
    let (positions, _) = take_work::<u32>(work, n);
    let (ranks, places) = (Spread::new(order), Spread::new(positions));
    split.scatter(&|i, place| {
        // SAFETY: places are distinct and inside; both are written by this call alone.
        unsafe {
            ranks.write(place, rank(i));
            places.write(place, MaybeUninit::new(i as u32));
        }
    })?;
    // SAFETY: every place has been written.
    let positions = unsafe { written(positions) };
    split.each_part(&|_, range| {
        // SAFETY: parts are disjoint.
        let part = unsafe { ranks.slice(range.start, range.len()) };
        let positions = &positions[range];
        sort_places(part, level, &|place| rank(positions[place] as usize));
        part.iter_mut().for_each(|place| *place = positions[*place as usize].into());
    })
}

pub(crate) fn positions_work<T: SortElement>(n: usize) -> usize {
    work_for::<i64>(n) + argsort_work::<T>(n)
}

/// Sorts elements by putting them where their sorted positions say.
pub(crate) fn sort_by_positions<T: SortElement>(
    source: &[T],
    out: &mut [T],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    let n = source.len();
    assert_eq!(n, out.len(), "as many results as elements");
    if n < SPLIT_MIN {
        out.copy_from_slice(source);
        line::sort_by_positions(out, level);
        return Ok(());
    }
    let (order, work) = take_work::<i64>(work, n);
    order.fill(MaybeUninit::new(0));
    // SAFETY: filled above.
    let order = unsafe { std::slice::from_raw_parts_mut(order.as_mut_ptr().cast::<i64>(), n) };
    argsort(source, order, work, level)?;
    let values = Spread::new(out);
    each_chunk(order, &|at, order| {
        for (i, place) in order.iter().enumerate() {
            // SAFETY: each element is written once.
            unsafe { values.write(at + i, source[*place as usize]) };
        }
    })
}

/// Calls `body` with the start and the positions of each chunk.
fn each_chunk(order: &mut [i64], body: &(impl Fn(usize, &mut [i64]) + Sync)) -> Result<()> {
    let n = order.len();
    let places = Spread::new(order);
    run_tasks(n.div_ceil(CHUNK_ELEMENTS), true, &|chunk| {
        let at = chunk * CHUNK_ELEMENTS;
        // SAFETY: chunks are disjoint.
        body(at, unsafe { places.slice(at, CHUNK_ELEMENTS.min(n - at)) });
    })
}
