//! Elements that keys stand for: the keys are split and sorted in the memory of the result.

use cuprum_core::{Result, SimdLevel};
use cuprum_threads::{run_tasks, thread_count};

use super::{CHUNK_ELEMENTS, SPLIT_MIN, Split, Spread, splitters, take_work, tree_of, work_for};
use crate::element::{KeyedElement, WorkMemory};
use crate::line::{self, as_keys, sort_keys, values_in_place};
use crate::quick::SortKey;

/// Whether `n` elements are split into parts: not if they are sorted by counting, nor on one thread, where that gains
/// nothing.
fn is_split<T: KeyedElement>(n: usize) -> bool {
    n >= SPLIT_MIN && T::KEY_COUNT.is_none() && (thread_count() > 1 || cfg!(miri))
}

pub(crate) fn keys_work<T: KeyedElement>(n: usize) -> usize {
    if is_split::<T>(n) { work_for::<u8>(n) } else { 0 }
}

pub(crate) fn sort_by_keys<T: KeyedElement>(
    source: &[T],
    out: &mut [T],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    let n = source.len();
    assert_eq!(n, out.len(), "as many results as elements");
    if !is_split::<T>(n) {
        out.copy_from_slice(source);
        line::sort_by_keys(out, level);
        return Ok(());
    }
    let key = |i: usize| source[i].key();
    let mut splitters = splitters(n, &key, level);
    // Zeros of both signs are equal and must be in one part, where their order is seen to.
    let [minus, plus] = T::zeros();
    splitters.iter_mut().filter(|s| **s == plus).for_each(|s| *s = minus);
    let (parts, _) = take_work(work, n);
    let split = Split::new(n, &key, parts, &tree_of(&splitters), level)?;
    let keys = Spread::new(as_keys(out));
    split.scatter(&|i, place| {
        // SAFETY: places are distinct and inside; the result is written by this call alone.
        unsafe { keys.write(place, key(i)) }
    })?;
    split.each_part(&|_, range| {
        // SAFETY: parts are disjoint.
        let keys = unsafe { keys.slice(range.start, range.len()) };
        sort_keys::<T>(keys, level);
        values_in_place::<T>(keys);
    })
}

/// Selecting is little more than a pass over memory, so it is not split; only keys are worked out on several threads.
pub(crate) fn partition_by_keys<T: KeyedElement>(
    source: &[T],
    out: &mut [T],
    wanted: &[usize],
    _: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    let n = source.len();
    assert_eq!(n, out.len(), "as many results as elements");
    if T::KEY_COUNT.is_some() {
        out.copy_from_slice(source);
        line::partition_by_keys(out, wanted, level);
        return Ok(());
    }
    let keys = Spread::new(as_keys(out));
    let chunks = n.div_ceil(CHUNK_ELEMENTS);
    let chunk_of = |chunk: usize| {
        let at = chunk * CHUNK_ELEMENTS;
        // SAFETY: chunks are disjoint.
        (at, unsafe { keys.slice(at, CHUNK_ELEMENTS.min(n - at)) })
    };
    run_tasks(chunks, true, &|chunk| {
        let (at, keys) = chunk_of(chunk);
        for (key, value) in keys.iter_mut().zip(&source[at..]) {
            *key = value.key();
        }
    })?;
    // SAFETY: no task is running.
    T::SortKey::select(unsafe { keys.slice(0, n) }, wanted, level);
    run_tasks(chunks, true, &|chunk| values_in_place::<T>(chunk_of(chunk).1))
}
