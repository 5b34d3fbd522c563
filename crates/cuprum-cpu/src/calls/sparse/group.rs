//! Elements of sparse matrices put in the order of their lines, by counting.
//!
//! Elements first go to buckets of neighbouring lines, few enough that each bucket's end stays in a cache; then each bucket
//! is put in order on its own. Both steps keep the order of elements that are equal, so that the result is the same
//! however many tasks there are.

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::memory::filled;
use cuprum_core::{DType, Error, Result};
use cuprum_graph::{SparseGroupCall, SparsePlaces};
use cuprum_threads::{Shared, run_spread, run_tasks};

use super::Position;
use crate::calls::{PARALLEL_MIN, allocate, dense, elements, start, with_dense_out};

/// The most buckets that are written at once.
const BUCKETS: usize = if cfg!(miri) { 16 } else { 1024 };
/// The least elements of a task that fills buckets.
const ELEMENTS_PER_TASK: usize = if cfg!(miri) { 1 << 8 } else { 1 << 16 };
/// The most tasks that fill buckets: each has a count for every bucket.
const MAX_TASKS: usize = 128;

/// An element on its way: its line within the bucket, its place in the line, its value.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry<I, V> {
    line: u32,
    place: I,
    value: V,
}

pub(in crate::calls) fn group(call: &SparseGroupCall<'_>) -> Result<()> {
    match call.lines.dtype {
        DType::I32 => by_size::<i32>(call),
        _ => by_size::<i64>(call),
    }
}

fn by_size<I: Position>(call: &SparseGroupCall<'_>) -> Result<()> {
    match call.values.dtype.size() {
        1 => run::<I, u8>(call),
        2 => run::<I, u16>(call),
        4 => run::<I, u32>(call),
        8 => run::<I, u64>(call),
        _ => run::<I, [u64; 2]>(call),
    }
}

/// The elements as they come.
struct Elements<'a, I, V> {
    lines: &'a [I],
    places: Places<'a, I>,
    values: &'a [V],
    per_task: usize,
}

enum Places<'a, I> {
    Listed(&'a [I]),
    Starts(&'a [I]),
}

/// Where the elements go. Both have room for all of them.
#[derive(Clone, Copy)]
struct Target<I, V> {
    places: *mut I,
    values: *mut V,
    length: usize,
}

// SAFETY: tasks write through it, each to places of its own.
unsafe impl<I: Send, V: Send> Sync for Target<I, V> {}

impl<I, V> Target<I, V> {
    /// Writes an element where it goes, if that is within the target: one whose line has changed since it was counted has no place.
    #[inline(always)]
    fn put(&self, at: usize, place: I, value: V) {
        if at < self.length {
            // SAFETY: within both arrays; no other task counted an element for this place.
            unsafe {
                self.places.add(at).write(place);
                self.values.add(at).write(value);
            }
        }
    }
}

fn bad_lines() -> Error {
    Error::value("sparse_group", "the structure of the sparse matrix leads outside of its arrays")
}

fn run<I: Position, V: Copy + Send + Sync>(call: &SparseGroupCall<'_>) -> Result<()> {
    let (SparsePlaces::Listed(places) | SparsePlaces::Starts(places)) = call.places;
    let [lines, places, values] = [dense(call.lines)?, dense(places)?, dense(call.values)?];
    let count = lines.layout.size();
    let source = Elements::<I, V> {
        lines: elements(&lines),
        places: match call.places {
            SparsePlaces::Listed(_) => Places::Listed(elements(&places)),
            SparsePlaces::Starts(_) => Places::Starts(elements(&places)),
        },
        values: elements(&values),
        per_task: ELEMENTS_PER_TASK.max(count.div_ceil(MAX_TASKS)),
    };
    source.check_starts()?;
    with_dense_out(call.out_starts, |out_starts| {
        with_dense_out(call.out_places, |out_places| {
            with_dense_out(call.out_values, |out_values| {
                let target = Target {
                    places: start(out_places).cast::<I>(),
                    values: start(out_values).cast::<V>(),
                    length: count,
                };
                let length = out_starts.layout.size();
                // SAFETY: a dense slot of so many indices, which nothing else reads or writes meanwhile.
                let starts = unsafe { std::slice::from_raw_parts_mut(start(out_starts).cast::<I>(), length) };
                source.group(starts, &target)
            })
        })
    })
}

impl<I: Position, V: Copy + Send + Sync> Elements<'_, I, V> {
    /// Starts of places must rise up to the number of elements, so that each element has one place.
    fn check_starts(&self) -> Result<()> {
        let Places::Starts(starts) = self.places else { return Ok(()) };
        let rises = starts.windows(2).all(|pair| pair[0].place() <= pair[1].place());
        let ends = starts.first().is_some_and(|first| first.place() == 0)
            && starts.last().is_some_and(|last| last.place() == self.lines.len());
        if rises && ends { Ok(()) } else { Err(bad_lines()) }
    }

    fn tasks(&self) -> usize {
        self.lines.len().div_ceil(self.per_task)
    }

    /// Calls `visit` with line, place and value of each element of a task, in order.
    #[inline(always)]
    fn visit(&self, task: usize, mut visit: impl FnMut(usize, I, V)) {
        let first = task * self.per_task;
        let last = self.lines.len().min(first + self.per_task);
        match self.places {
            Places::Listed(places) => {
                let rest = places[first..last].iter().zip(&self.values[first..last]);
                for (line, (place, value)) in self.lines[first..last].iter().zip(rest) {
                    visit(line.place(), *place, *value);
                }
            }
            Places::Starts(starts) => {
                let mut place = starts.partition_point(|start| start.place() <= first).saturating_sub(1);
                let mut k = first;
                while k < last && place + 1 < starts.len() {
                    let end = starts[place + 1].place().min(last);
                    let index = I::of(place);
                    for (line, value) in self.lines[k..end.max(k)].iter().zip(&self.values[k..end.max(k)]) {
                        visit(line.place(), index, *value);
                    }
                    k = end.max(k);
                    place += 1;
                }
            }
        }
    }

    fn group(&self, starts: &mut [I], target: &Target<I, V>) -> Result<()> {
        let lines = starts.len() - 1;
        let mut shift = 0;
        while lines >> shift >= BUCKETS {
            shift += 1;
        }
        let buckets = (lines >> shift) + 1;
        let (tasks, is_parallel) = (self.tasks(), self.lines.len() >= PARALLEL_MIN);
        let mut counts = self.counts(lines, shift, buckets)?;
        // From counts to where each task's elements of each bucket begin.
        let mut total = 0;
        let mut bounds = filled(buckets + 1, 0usize);
        for (bucket, bound) in bounds[..buckets].iter_mut().enumerate() {
            *bound = total;
            for task in 0..tasks {
                let count = &mut counts[task * buckets + bucket];
                total += std::mem::replace(count, total);
            }
        }
        bounds[buckets] = total;
        let places = Shared(counts.as_mut_ptr().cast::<u8>());
        // SAFETY: each task takes a row of its own of the counts.
        let row = |task: usize| unsafe {
            std::slice::from_raw_parts_mut(places.get().cast::<usize>().add(task * buckets), buckets)
        };
        if shift == 0 {
            starts.iter_mut().zip(&bounds).for_each(|(start, bound)| *start = I::of(*bound));
            return run_spread(tasks, is_parallel, &|task| {
                let next = row(task);
                self.visit(task, |line, place, value| {
                    // Lines are checked by the count; one that has changed since is left out.
                    if let Some(at) = next.get_mut(line) {
                        target.put(*at, place, value);
                        *at += 1;
                    }
                });
            });
        }
        let entries = allocate(&[self.lines.len() * size_of::<Entry<I, V>>()], DType::U8)?;
        let on_the_way = Shared(start(&entries));
        let count = self.lines.len();
        run_spread(tasks, is_parallel, &|task| {
            let next = row(task);
            self.visit(task, |line, place, value| {
                let Some(at) = next.get_mut(line >> shift) else { return };
                if *at < count {
                    let entry = Entry { line: (line & ((1 << shift) - 1)) as u32, place, value };
                    // SAFETY: within the memory, which is aligned for any entry; no other task counted an element for this place.
                    unsafe { on_the_way.get().cast::<Entry<I, V>>().add(*at).write(entry) };
                }
                *at += 1;
            });
        })?;
        let first = Shared(starts.as_mut_ptr().cast::<u8>());
        run_tasks(buckets, is_parallel, &|bucket| {
            let (from, to) = (bounds[bucket], bounds[bucket + 1]);
            let width = (lines + 1 - (bucket << shift)).min(1 << shift);
            // SAFETY: buckets have lines of their own, and entries that are all written by now.
            let (starts, entries) = unsafe {
                (
                    std::slice::from_raw_parts_mut(first.get().cast::<I>().add(bucket << shift), width),
                    std::slice::from_raw_parts(on_the_way.get().cast::<Entry<I, V>>().add(from), to - from),
                )
            };
            order_bucket(entries, from, starts, target);
        })
    }

    /// How many elements each task has for each bucket.
    fn counts(&self, lines: usize, shift: u32, buckets: usize) -> Result<Vec<usize>> {
        let (tasks, is_parallel) = (self.tasks(), self.lines.len() >= PARALLEL_MIN);
        let mut counts = filled(tasks * buckets, 0usize);
        let memory = Shared(counts.as_mut_ptr().cast::<u8>());
        let is_bad = AtomicBool::new(false);
        run_spread(tasks, is_parallel, &|task| {
            // SAFETY: each task takes a row of its own of the counts.
            let counts = unsafe {
                std::slice::from_raw_parts_mut(memory.get().cast::<usize>().add(task * buckets), buckets)
            };
            let first = task * self.per_task;
            for line in &self.lines[first..self.lines.len().min(first + self.per_task)] {
                let line = line.place();
                if line >= lines {
                    is_bad.store(true, Ordering::Relaxed);
                    return;
                }
                counts[line >> shift] += 1;
            }
        })?;
        if is_bad.into_inner() { Err(bad_lines()) } else { Ok(counts) }
    }
}

/// Puts the entries of a bucket in the order of their lines, from place `from` of the target on.
fn order_bucket<I: Position, V: Copy>(
    entries: &[Entry<I, V>],
    from: usize,
    starts: &mut [I],
    target: &Target<I, V>,
) {
    let mut next = filled(starts.len(), 0usize);
    for entry in entries {
        if let Some(count) = next.get_mut(entry.line as usize) {
            *count += 1;
        }
    }
    let mut total = from;
    for (count, start) in next.iter_mut().zip(starts) {
        *start = I::of(total);
        total += std::mem::replace(count, total);
    }
    for entry in entries {
        if let Some(at) = next.get_mut(entry.line as usize) {
            target.put(*at, entry.place, entry.value);
            *at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miri takes a thousand times as long: numbers are smaller there by this.
    const FEWER: usize = if cfg!(miri) { 50 } else { 1 };

    fn grouped(
        lines: &[i32],
        places: Places<'_, i32>,
        length: usize,
    ) -> Result<(Vec<i32>, Vec<i32>, Vec<u64>)> {
        let values: Vec<u64> = (0..lines.len() as u64).collect();
        let source = Elements { lines, places, values: &values, per_task: 1000 / FEWER };
        source.check_starts()?;
        let (mut starts, mut others) = (vec![-1; length + 1], vec![-1; lines.len()]);
        let mut moved = vec![u64::MAX; lines.len()];
        let target = Target { places: others.as_mut_ptr(), values: moved.as_mut_ptr(), length: lines.len() };
        source.group(&mut starts, &target)?;
        Ok((starts, others, moved))
    }

    #[test]
    fn elements_of_a_line_stay_in_order() {
        let most = if cfg!(miri) { 50 } else { i64::MAX };
        for length in [1, 7, 15, 16, 50, 1023, 1024, 5000, 100_000].into_iter().filter(|n| *n <= most) {
            let count = 20_000 / FEWER as i64;
            let lines: Vec<i32> = (0..count).map(|k| ((k * 7919) % 9973 % length) as i32).collect();
            let places: Vec<i32> = (0..count as i32).map(|k| k * 3).collect();
            let (starts, others, moved) = grouped(&lines, Places::Listed(&places), length as usize).unwrap();
            let mut want: Vec<usize> = (0..lines.len()).collect();
            want.sort_by_key(|k| lines[*k]);
            for (line, start) in starts.iter().enumerate() {
                let before = want.partition_point(|k| (lines[*k] as usize) < line);
                assert_eq!(*start as usize, before, "line {line} of {length}");
            }
            assert!(want.iter().zip(&moved).all(|(k, value)| *k as u64 == *value));
            assert!(want.iter().zip(&others).all(|(k, place)| 3 * *k == *place as usize));
        }
    }

    #[test]
    fn places_by_starts_are_those_between_them() {
        let empty = 1000 / FEWER as i32;
        let rows = 3 * empty;
        let lines: Vec<i32> = (0..2 * rows).map(|k| (k * 17) % rows).collect();
        let starts: Vec<i32> = (0..=rows).map(|row| (row - empty).max(0) * 3).collect();
        let (_, others, moved) = grouped(&lines, Places::Starts(&starts), rows as usize).unwrap();
        for (place, k) in others.iter().zip(&moved) {
            assert_eq!(*place as u64, k / 3 + empty as u64);
        }
    }

    #[test]
    fn a_structure_that_leads_outside_is_an_error() {
        assert!(grouped(&[0, 3], Places::Listed(&[0, 0]), 3).is_err());
        assert!(grouped(&[0, -1], Places::Listed(&[0, 0]), 3).is_err());
        assert!(grouped(&[0, 1], Places::Starts(&[0, 3]), 3).is_err());
        assert!(grouped(&[0, 1], Places::Starts(&[0, 2, 1, 2]), 3).is_err());
    }
}
