//! Large slices, on several threads: split into parts by samples, the parts sorted each by itself.
//!
//! A sample gives splitters; every element is told its part and counted, part by part and chunk by chunk; then each chunk
//! moves its elements to where they belong, in their order, and each part is sorted where it lies. The first two are passes
//! over memory, the last one works in the caches.

mod positions;
#[cfg(test)]
mod tests;
mod values;

use std::mem::MaybeUninit;

use cuprum_core::memory::filled;
use cuprum_core::{Result, SimdLevel};
use cuprum_threads::run_tasks;

use crate::element::{SortElement, WorkMemory};
use crate::quick::{PART_COUNT, SortKey};

pub use positions::{argpartition, argsort, argsort_work};
pub(crate) use positions::{positions_work, sort_by_positions};
pub(crate) use values::{keys_work, partition_by_keys, sort_by_keys};

/// Elements from which on a slice is split.
const SPLIT_MIN: usize = if cfg!(miri) { 1 << 10 } else { 1 << 16 };
/// Elements of a chunk.
const CHUNK_ELEMENTS: usize = if cfg!(miri) { 1 << 8 } else { 1 << 15 };
/// Elements whose keys are worked out at a time.
const BLOCK_ELEMENTS: usize = 512;
/// Samples for each part.
const SAMPLES_PER_PART: usize = 16;

/// Bytes of work that [`sort`] and [`partition`] need for `n` elements of a type.
///
/// ```
/// assert!(cuprum_sort::sort_work::<f64>(1_000_000) <= 8 * 1_000_000);
/// ```
pub fn sort_work<T: SortElement>(n: usize) -> usize {
    T::sort_work(n)
}

/// Sorts `source` into `out`, in a stable way, on several threads where that pays.
///
/// ```
/// let mut sorted = [0; 3];
/// cuprum_sort::sort(&[3, 1, 2], &mut sorted, &mut [], cuprum_core::SimdLevel::Portable).unwrap();
/// assert_eq!(sorted, [1, 2, 3]);
/// ```
pub fn sort<T: SortElement>(
    source: &[T],
    out: &mut [T],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    T::sort(source, out, work, level)
}

/// Partitions `source` into `out`. See [`partition_line`](crate::partition_line).
///
/// ```
/// let mut out = [0; 3];
/// cuprum_sort::partition(&[3, 1, 2], &mut out, &[1], &mut [], cuprum_core::SimdLevel::Portable).unwrap();
/// assert_eq!(out[1], 2);
/// ```
pub fn partition<T: SortElement>(
    source: &[T],
    out: &mut [T],
    wanted: &[usize],
    work: WorkMemory<'_>,
    level: SimdLevel,
) -> Result<()> {
    T::partition(source, out, wanted, work, level)
}

/// The part of each element, and where the elements of each chunk go.
struct Split<'a> {
    /// The part of each element.
    parts: &'a [u8],
    /// For each chunk, where its first element of each part goes.
    starts: Vec<[usize; PART_COUNT]>,
    /// Where each part begins, and the last one ends.
    bounds: [usize; PART_COUNT + 1],
}

impl<'a> Split<'a> {
    /// Splits `n` elements by keys; `parts` has a place for each of them.
    fn new<K: SortKey>(
        n: usize,
        key: &(impl Fn(usize) -> K + Sync),
        parts: &'a mut [MaybeUninit<u8>],
        tree: &[K; PART_COUNT],
        level: SimdLevel,
    ) -> Result<Split<'a>> {
        let chunks = n.div_ceil(CHUNK_ELEMENTS);
        let mut counts = filled(chunks, [0usize; PART_COUNT]);
        let places = Spread::new(parts);
        let tables = Spread::new(&mut counts);
        run_tasks(chunks, true, &|chunk| {
            let at = chunk * CHUNK_ELEMENTS;
            let size = CHUNK_ELEMENTS.min(n - at);
            // SAFETY: chunks are disjoint, and each has a table of its own.
            let (parts, table) = unsafe { (places.slice(at, size), &mut tables.slice(chunk, 1)[0]) };
            let (mut keys, mut found) = ([K::MIN; BLOCK_ELEMENTS], [0; BLOCK_ELEMENTS]);
            let mut counts = [[0u32; PART_COUNT]; COUNT_TABLES];
            for (b, parts) in parts.chunks_mut(BLOCK_ELEMENTS).enumerate() {
                let (keys, found) = (&mut keys[..parts.len()], &mut found[..parts.len()]);
                for (i, place) in keys.iter_mut().enumerate() {
                    *place = key(at + b * BLOCK_ELEMENTS + i);
                }
                K::classify(tree, keys, found, level);
                for (place, part) in parts.iter_mut().zip(found.iter()) {
                    place.write(*part);
                }
                count_parts(found, &mut counts);
            }
            *table = std::array::from_fn(|part| counts.iter().map(|c| c[part] as usize).sum());
        })?;
        // SAFETY: the chunks have written every part.
        let parts = unsafe { written(parts) };
        let mut bounds = [0; PART_COUNT + 1];
        let mut at = 0;
        for part in 0..PART_COUNT {
            bounds[part] = at;
            for table in &mut counts {
                let count = table[part];
                table[part] = at;
                at += count;
            }
        }
        bounds[PART_COUNT] = at;
        debug_assert_eq!(at, n);
        Ok(Split { parts, starts: counts, bounds })
    }

    /// Calls `put(i, place)` for each element and where it goes; places are distinct, and less than the number of elements.
    fn scatter(&self, put: &(impl Fn(usize, usize) + Sync)) -> Result<()> {
        run_tasks(self.starts.len(), true, &|chunk| {
            let at = chunk * CHUNK_ELEMENTS;
            let mut starts = self.starts[chunk];
            for (i, part) in self.parts[at..self.parts.len().min(at + CHUNK_ELEMENTS)].iter().enumerate() {
                let place = &mut starts[usize::from(*part) % PART_COUNT];
                put(at + i, *place);
                *place += 1;
            }
        })
    }

    /// Calls `body` for the range of each part that has elements.
    fn each_part(&self, body: &(dyn Fn(usize, std::ops::Range<usize>) + Sync)) -> Result<()> {
        run_tasks(PART_COUNT, true, &|part| {
            let range = self.bounds[part]..self.bounds[part + 1];
            if !range.is_empty() {
                body(part, range);
            }
        })
    }
}

/// Neighbouring elements are counted in different tables, so that increments of the same count do not wait for each other.
const COUNT_TABLES: usize = 4;

/// Counts the elements of each part.
fn count_parts(parts: &[u8], counts: &mut [[u32; PART_COUNT]; COUNT_TABLES]) {
    let mut groups = parts.chunks_exact(COUNT_TABLES);
    for group in &mut groups {
        for (way, part) in group.iter().enumerate() {
            counts[way][usize::from(*part) % PART_COUNT] += 1;
        }
    }
    for part in groups.remainder() {
        counts[0][usize::from(*part) % PART_COUNT] += 1;
    }
}

/// Splitters from a sample of the keys, ascending.
fn splitters<K: SortKey>(n: usize, key: &impl Fn(usize) -> K, level: SimdLevel) -> [K; PART_COUNT - 1] {
    let mut sample = [K::MIN; PART_COUNT * SAMPLES_PER_PART];
    let step = n / sample.len();
    // The offset within each step changes, so that periodic keys are not always sampled at the same phase.
    let mut wander = n;
    for (i, place) in sample.iter_mut().enumerate() {
        wander = wander.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i);
        *place = key(i * step + (wander >> 33) % step);
    }
    K::sort_keys(&mut sample, level);
    std::array::from_fn(|i| sample[(i + 1) * SAMPLES_PER_PART])
}

/// Ascending splitters as the tree that [`SortKey::classify`] searches.
pub(crate) fn tree_of<K: SortKey>(splitters: &[K]) -> [K; PART_COUNT] {
    fn place<K: Copy>(splitters: &[K], node: usize, tree: &mut [K; PART_COUNT]) {
        let middle = splitters.len() / 2;
        if let Some(splitter) = splitters.get(middle) {
            tree[node] = *splitter;
            place(&splitters[..middle], 2 * node, tree);
            place(&splitters[middle + 1..], 2 * node + 1, tree);
        }
    }
    let mut tree = [K::MIN; PART_COUNT];
    place(splitters, 1, &mut tree);
    tree
}

/// A slice whose disjoint parts several tasks write.
struct Spread<T> {
    start: *mut T,
    length: usize,
}

// SAFETY: tasks use disjoint parts, as the methods demand.
unsafe impl<T: Send> Sync for Spread<T> {}

impl<T> Spread<T> {
    fn new(slice: &mut [T]) -> Spread<T> {
        Spread { start: slice.as_mut_ptr(), length: slice.len() }
    }

    /// A part of the slice.
    ///
    /// # Safety
    /// The slice given to `new` is alive and not used otherwise; nobody else uses this part meanwhile.
    #[allow(clippy::mut_from_ref)]
    unsafe fn slice(&self, at: usize, size: usize) -> &mut [T] {
        assert!(at <= self.length && size <= self.length - at, "a part of the slice");
        // SAFETY: inside the slice, and the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(at), size) }
    }

    /// Writes one element.
    ///
    /// # Safety
    /// As for `slice`; `at` is inside the slice.
    #[inline(always)]
    unsafe fn write(&self, at: usize, value: T) {
        debug_assert!(at < self.length);
        // SAFETY: the caller's promise.
        unsafe { self.start.add(at).write(value) }
    }
}

/// Takes room for `n` elements out of the work, and returns what is left.
fn take_work<T>(work: WorkMemory<'_>, n: usize) -> (&mut [MaybeUninit<T>], WorkMemory<'_>) {
    let (own, rest) = work.split_at_mut(work_for::<T>(n) / 8);
    assert!(align_of::<T>() <= 8);
    // SAFETY: the room is aligned and holds `n` elements.
    (unsafe { std::slice::from_raw_parts_mut(own.as_mut_ptr().cast(), n) }, rest)
}

/// Bytes of work that `n` elements take.
fn work_for<T>(n: usize) -> usize {
    (n * size_of::<T>()).next_multiple_of(8)
}

/// Elements that have all been written.
///
/// # Safety
/// They have.
unsafe fn written<T>(elements: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}
