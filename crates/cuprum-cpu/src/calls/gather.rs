//! Reading at index positions, and checking them.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_core::{Layout, Result, SimdLevel};
use cuprum_graph::Slot;
use smallvec::SmallVec;

use super::{PARALLEL_MIN, allocate, copy_from_dense, dense, is_plain, space_of, start, with_dense_out};
use crate::access;
use crate::space::Space;
use cuprum_lanes::at_levels;
use cuprum_threads::{Shared, run_tasks};

/// Index tuples whose offsets are computed at a time; they stay in the first-level cache.
pub(super) const BATCH_TUPLES: usize = if cfg!(miri) { 8 } else { 512 };
/// Elements that a task reads.
const ELEMENTS_PER_TASK: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };
/// Positions that are so few that a walk along them costs more to begin than to do.
const FEW_POSITIONS: usize = 8;
/// How many elements ahead of the copy memory is asked for.
pub(super) const PREFETCH_DISTANCE: usize = 48;
/// Bytes that a second-level cache keeps.
const SECOND_LEVEL_CACHE_BYTES: usize = 512 << 10;

/// Index arrays with the byte step of the axis that each one indexes.
pub(super) struct Positions {
    /// Index arrays, dense; they keep the memory alive.
    slots: SmallVec<[Slot; 2]>,
    steps: SmallVec<[isize; 2]>,
    /// How many index tuples there are.
    pub(super) count: usize,
    /// Whether they lead further than a second-level cache reaches.
    far: bool,
}

impl Positions {
    /// The positions that `indices` give along the first axes of `layout`.
    pub(super) fn new(indices: &[Slot], layout: &Layout) -> Result<Positions> {
        let slots = indices.iter().map(dense).collect::<Result<SmallVec<[Slot; 2]>>>()?;
        let count = slots.first().map_or(1, |slot| slot.layout.size());
        let steps = SmallVec::from_slice(&layout.strides[..indices.len()]);
        let reach: usize = layout
            .shape
            .iter()
            .zip(&steps)
            .map(|(length, step): (_, &isize)| length * step.unsigned_abs())
            .sum();
        Ok(Positions { slots, steps, count, far: reach > SECOND_LEVEL_CACHE_BYTES })
    }

    /// Writes the byte offsets of index tuples `at..at + offsets.len()`.
    pub(super) fn offsets(&self, at: usize, offsets: &mut [isize]) {
        assert!(at <= self.count && offsets.len() <= self.count - at);
        offsets.fill(0);
        for (slot, &step) in self.slots.iter().zip(&self.steps) {
            // SAFETY: index arrays are dense int64 of `count` elements.
            let index =
                unsafe { std::slice::from_raw_parts(start(slot).cast::<i64>().add(at), offsets.len()) };
            for (offset, &i) in offsets.iter_mut().zip(index) {
                *offset += i as isize * step;
            }
        }
    }

    /// The index array and its step, where there is one only.
    fn single(&self) -> Option<(*const i64, isize)> {
        match (&self.slots[..], &self.steps[..]) {
            ([slot], [step]) => Some((start(slot).cast(), *step)),
            _ => None,
        }
    }
}

/// The axes of an array behind the indexed ones: what is copied whole for each index tuple.
pub(super) struct TrailingAxes {
    pub(super) space: Space,
    /// Elements of a row.
    pub(super) length: usize,
    /// Whether a row is one run of memory.
    pub(super) dense: bool,
}

impl TrailingAxes {
    /// The axes of `layout` from `axis` on.
    pub(super) fn new(layout: &Layout, axis: usize, size: usize) -> TrailingAxes {
        let rest =
            Layout { shape: layout.shape[axis..].into(), strides: layout.strides[axis..].into(), offset: 0 };
        TrailingAxes { space: space_of(&rest), length: rest.size(), dense: rest.is_contiguous(size) }
    }

    /// Copies a row to dense memory.
    ///
    /// # Safety
    /// `source` is the first element of a row of the array, `target` takes the row.
    #[inline]
    pub(super) unsafe fn read(&self, source: *const u8, target: *mut u8, size: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.dense {
                std::ptr::copy_nonoverlapping(source, target, self.length * size);
            } else {
                access::gather(source, &self.space.dims, &self.space.steps[0], size, 0, self.length, target);
            }
        }
    }

    /// Copies dense memory to a row.
    ///
    /// # Safety
    /// `target` is the first element of a row of the array, `source` holds a row.
    #[inline]
    pub(super) unsafe fn write(&self, source: *const u8, target: *mut u8, size: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.dense {
                std::ptr::copy_nonoverlapping(source, target, self.length * size);
            } else {
                access::scatter(target, &self.space.dims, &self.space.steps[0], size, 0, self.length, source);
            }
        }
    }
}

/// The axes behind the indexed one, where the result has its positions inside of them: positions are walked for each of their
/// elements, which is along memory, while a row for each position would lie across it.
struct OuterAxes {
    /// Steps in the array and in the result.
    space: Space,
    /// Bytes of the innermost axes, which lie together in both.
    run: usize,
    /// From one position's elements in the result to those of the next.
    step: isize,
}

impl OuterAxes {
    /// The axes of an array and of what is gathered of it along its first axis; `None` where positions are walked first.
    fn new(source: &Layout, out: &Layout, size: usize) -> Option<OuterAxes> {
        let lead = out.ndim() + 1 - source.ndim();
        let positions =
            Layout { shape: out.shape[..lead].into(), strides: out.strides[..lead].into(), offset: 0 };
        let step = match &space_of(&positions).steps[0][..] {
            [step] => *step,
            _ => return None,
        };
        let (mut run, mut outer) = (size, source.ndim());
        let to = |axis: usize| out.strides[lead + axis - 1];
        while outer > 1 {
            let (length, lies) = (source.shape[outer - 1], |stride: isize| stride == run as isize);
            if length != 1 && !(lies(source.strides[outer - 1]) && lies(to(outer - 1))) {
                break;
            }
            run *= length;
            outer -= 1;
        }
        let axes: SmallVec<[usize; 4]> = (1..outer).collect();
        let targets: SmallVec<[isize; 4]> =
            (0..outer).map(|axis| if axis == 0 { step } else { to(axis) }).collect();
        let mut space = Space::new(&source.shape, &axes, &[&source.strides, &targets]);
        space.collapse();
        let is_inside = |outer: &isize| outer.unsigned_abs() > step.unsigned_abs();
        (!space.dims.is_empty() && space.steps[1].iter().all(is_inside)).then_some(OuterAxes {
            space,
            run,
            step,
        })
    }

    /// Copies what lies at the positions of a batch for the elements `first..first + n` of these axes.
    ///
    /// # Safety
    /// All positions lie in the array, and `target`, the place of the first one, takes as many.
    unsafe fn copy(
        &self,
        source: *const u8,
        step: isize,
        batch: &[i64],
        far: bool,
        (first, n): (usize, usize),
        target: *mut u8,
    ) {
        let mut offsets = [0isize; 2];
        if let ([_], true) = (&self.space.dims[..], batch.len() <= n.min(FEW_POSITIONS)) {
            // Few positions are walked one by one, and these elements inside.
            let steps = (self.space.steps[0][0], self.space.steps[1][0]);
            for (i, &position) in batch.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe {
                    let from = source.offset(position as isize * step + first as isize * steps.0);
                    let to = target.offset(i as isize * self.step + first as isize * steps.1);
                    match self.run {
                        1 => copy_apart::<u8>(from, to, n, steps),
                        2 => copy_apart::<u16>(from, to, n, steps),
                        4 => copy_apart::<u32>(from, to, n, steps),
                        8 => copy_apart::<u64>(from, to, n, steps),
                        16 => copy_apart::<[u64; 2]>(from, to, n, steps),
                        run => (0..n as isize).for_each(|at| {
                            let (from, to) = (from.offset(at * steps.0), to.offset(at * steps.1));
                            std::ptr::copy_nonoverlapping(from, to, run);
                        }),
                    }
                }
            }
            return;
        }
        for at in first..first + n {
            self.space.offsets(at, &mut offsets);
            // SAFETY: the caller's promise.
            unsafe {
                let (from, to) = (source.offset(offsets[0]), target.offset(offsets[1]));
                match self.run {
                    1 => copy_elements::<u8>(from, step, batch, far, to, self.step),
                    2 => copy_elements::<u16>(from, step, batch, far, to, self.step),
                    4 => copy_elements::<u32>(from, step, batch, far, to, self.step),
                    8 => copy_elements::<u64>(from, step, batch, far, to, self.step),
                    16 => copy_elements::<[u64; 2]>(from, step, batch, far, to, self.step),
                    run => {
                        for (i, &position) in batch.iter().enumerate() {
                            let (from, to) =
                                (from.offset(position as isize * step), to.offset(i as isize * self.step));
                            std::ptr::copy_nonoverlapping(from, to, run);
                        }
                    }
                }
            }
        }
    }
}

/// Copies `n` elements that lie apart by steps in bytes, in the source and in the target.
///
/// # Safety
/// There are so many in both.
unsafe fn copy_apart<T: Copy>(source: *const u8, target: *mut u8, n: usize, steps: (isize, isize)) {
    for at in 0..n as isize {
        // SAFETY: the caller's promise; elements may be unaligned.
        unsafe {
            let element = source.offset(at * steps.0).cast::<T>().read_unaligned();
            target.offset(at * steps.1).cast::<T>().write_unaligned(element);
        }
    }
}

/// Gathers along the first axis where [`OuterAxes`] are around the positions. `check` makes a batch of positions fit to be used; it
/// is told the number of the first one, and says whether the batch may be read.
fn gather_inside(
    source: &Slot,
    positions: &Positions,
    out: &Slot,
    outer: &OuterAxes,
    check: impl Fn(usize, &mut [i64]) -> bool + Sync,
) -> Result<()> {
    let (from, to, given) = (Shared(start(source)), Shared(start(out)), Shared(start(&positions.slots[0])));
    let (count, outers, step) = (positions.count, outer.space.size(), positions.steps[0]);
    let batches = count.div_ceil(BATCH_TUPLES);
    let elements = outer.run / source.dtype.size();
    let together = (ELEMENTS_PER_TASK / (BATCH_TUPLES.min(count) * elements)).clamp(1, outers);
    let parallel = count * outers * elements >= PARALLEL_MIN / 2;
    run_tasks(batches * outers.div_ceil(together), parallel, &|task| {
        let (at, first) = (task % batches * BATCH_TUPLES, task / batches * together);
        let mut batch = [0i64; BATCH_TUPLES];
        let batch = &mut batch[..BATCH_TUPLES.min(count - at)];
        // SAFETY: positions are dense int64 of `count` elements, and a batch takes as many.
        unsafe {
            let given = given.get().cast::<i64>().cast_const().add(at);
            std::ptr::copy_nonoverlapping(given, batch.as_mut_ptr(), batch.len());
        }
        if !check(at, batch) {
            return;
        }
        // SAFETY: the positions were checked, so that all lie in the source; tasks write elements of their own.
        unsafe {
            let target = to.get().offset(at as isize * outer.step);
            let some = (first, together.min(outers - first));
            outer.copy(from.get(), step, batch, positions.far, some, target);
        }
    })
}

pub(super) fn gather(source: &Slot, indices: &[Slot], out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let size = source.dtype.size();
    let positions = Positions::new(indices, &source.layout)?;
    if let [_] = indices
        && let Some(outer) = OuterAxes::new(&source.layout, &out.layout, size)
    {
        return gather_inside(source, &positions, out, &outer, |_, _| true);
    }
    let rows = TrailingAxes::new(&source.layout, indices.len(), size);
    with_dense_out(out, |out| {
        let (from, to) = (Shared(start(source)), Shared(start(out)));
        let per_task = (ELEMENTS_PER_TASK / rows.length).max(1);
        let parallel = positions.count * rows.length >= PARALLEL_MIN / 2;
        run_tasks(positions.count.div_ceil(per_task), parallel, &|task| {
            let at = task * per_task;
            let n = per_task.min(positions.count - at);
            // SAFETY: indices are checked, so every row lies in the source; tasks write rows of their own.
            unsafe {
                let target = to.get().add(at * rows.length * size);
                if rows.length > 1 {
                    return gather_rows(from.get(), &positions, at, n, &rows, target, size);
                }
                match size {
                    1 => gather_elements::<u8>(from.get(), &positions, at, n, target),
                    2 => gather_elements::<u16>(from.get(), &positions, at, n, target),
                    4 => gather_elements::<u32>(from.get(), &positions, at, n, target),
                    8 => gather_elements::<u64>(from.get(), &positions, at, n, target),
                    _ => gather_elements::<[u64; 2]>(from.get(), &positions, at, n, target),
                }
            }
        })
    })
}

/// Gathers by positions along the first axis as the user gave them: each batch is copied, checked and made non-negative before
/// anything is read there, since whoever shares their memory may change them at any time. `fault` receives the number of the
/// first one beyond the axis, or -1.
pub(super) fn gather_checked(
    source: &Slot,
    indices: &Slot,
    fault: &Slot,
    out: &Slot,
    level: SimdLevel,
) -> Result<()> {
    let size = source.dtype.size();
    let positions = Positions::new(std::slice::from_ref(indices), &source.layout)?;
    let rows = TrailingAxes::new(&source.layout, 1, size);
    let (length, step, count) = (source.layout.shape[0] as i64, source.layout.strides[0], positions.count);
    let first = AtomicUsize::new(usize::MAX);
    let wrap = wrap_at(level);
    // Makes the positions of a batch non-negative, and says whether all lie in the axis.
    let check = |at: usize, batch: &mut [i64]| {
        let mut bad = false;
        // SAFETY: the level is this machine's, and the batch holds so many positions.
        unsafe { wrap(batch.as_mut_ptr(), batch.len(), length, &mut bad) };
        if bad {
            let beyond = batch.iter().position(|&i| i as u64 >= length as u64).unwrap_or(0);
            first.fetch_min(at + beyond, Ordering::Relaxed);
        }
        !bad
    };
    let outer = if out.layout.size() == 0 { None } else { OuterAxes::new(&source.layout, &out.layout, size) };
    if let Some(outer) = outer {
        gather_inside(source, &positions, out, &outer, check)?;
        report(first.into_inner(), fault);
        return Ok(());
    }
    let made = if is_plain(out) { None } else { Some(allocate(&out.layout.shape, out.dtype)?) };
    let (from, to) = (Shared(start(source)), Shared(start(made.as_ref().unwrap_or(out))));
    let given = Shared(start(&positions.slots[0]));
    let per_task = (ELEMENTS_PER_TASK / rows.length.max(1)).max(1);
    let parallel = count * rows.length >= PARALLEL_MIN / 2;
    run_tasks(count.div_ceil(per_task), parallel, &|task| {
        let end = ((task + 1) * per_task).min(count);
        let mut batch = [0i64; BATCH_TUPLES];
        for at in (task * per_task..end).step_by(BATCH_TUPLES) {
            let batch = &mut batch[..BATCH_TUPLES.min(end - at)];
            // SAFETY: positions are dense int64 of `count` elements, and a batch takes as many.
            unsafe {
                let given = given.get().cast::<i64>().cast_const().add(at);
                std::ptr::copy_nonoverlapping(given, batch.as_mut_ptr(), batch.len());
            }
            if !check(at, batch) {
                return;
            }
            // SAFETY: the positions of the batch were checked, so every row lies in the source; tasks write rows of their own.
            unsafe {
                let target = to.get().add(at * rows.length * size);
                if rows.length > 1 {
                    for (i, &position) in batch.iter().enumerate() {
                        let row = from.get().offset(position as isize * step);
                        rows.read(row, target.add(i * rows.length * size), size);
                    }
                    continue;
                }
                let (from, far) = (from.get().cast_const(), positions.far);
                match size {
                    1 => copy_elements::<u8>(from, step, batch, far, target, size_of::<u8>() as isize),
                    2 => copy_elements::<u16>(from, step, batch, far, target, size_of::<u16>() as isize),
                    4 => copy_elements::<u32>(from, step, batch, far, target, size_of::<u32>() as isize),
                    8 => copy_elements::<u64>(from, step, batch, far, target, size_of::<u64>() as isize),
                    _ => copy_elements::<[u64; 2]>(
                        from,
                        step,
                        batch,
                        far,
                        target,
                        size_of::<[u64; 2]>() as isize,
                    ),
                }
            }
        }
    })?;
    let first = first.into_inner();
    if let (Some(made), usize::MAX) = (&made, first) {
        // Where a position is bad not all elements have been written, and the result stays as it is.
        copy_from_dense(made, out)?;
    }
    report(first, fault);
    Ok(())
}

/// Writes the number of the first bad position, if there is one, else -1.
fn report(first: usize, fault: &Slot) {
    let value = if first == usize::MAX { -1 } else { first as i64 };
    // SAFETY: the slot holds one int64.
    unsafe { start(fault).cast::<i64>().write_unaligned(value) };
}

/// Copies the elements at positions, each `step` bytes from the next, to places that lie `target_step` bytes apart.
///
/// # Safety
/// All positions lie in the source, `target` takes as many elements.
#[inline(always)]
unsafe fn copy_elements<T: Copy>(
    source: *const u8,
    step: isize,
    index: &[i64],
    far: bool,
    target: *mut u8,
    target_step: isize,
) {
    let n = index.len();
    // SAFETY: the caller's promise; elements may be unaligned.
    unsafe {
        let copy = |at: usize, i: i64| {
            let element = source.offset(i as isize * step).cast::<T>().read_unaligned();
            target.offset(at as isize * target_step).cast::<T>().write_unaligned(element);
        };
        // What is in a cache anyway need not be asked for.
        let far = if far { n.saturating_sub(PREFETCH_DISTANCE) } else { 0 };
        for (at, (&i, &later)) in index.iter().zip(&index[n - far..]).enumerate() {
            prefetch(source.wrapping_offset(later as isize * step));
            copy(at, i);
        }
        index.iter().enumerate().skip(far).for_each(|(at, &i)| copy(at, i));
    }
}

/// Copies one element for each of the index tuples `at..at + n`.
///
/// # Safety
/// All positions lie in the source, `target` takes `n` elements.
unsafe fn gather_elements<T: Copy>(
    source: *const u8,
    positions: &Positions,
    at: usize,
    n: usize,
    target: *mut u8,
) {
    if let Some((index, step)) = positions.single() {
        // SAFETY: the caller's promise.
        unsafe {
            let index = std::slice::from_raw_parts(index.add(at), n);
            return copy_elements::<T>(source, step, index, positions.far, target, size_of::<T>() as isize);
        }
    }
    let target = target.cast::<T>();
    let mut offsets = [0isize; BATCH_TUPLES];
    let mut done = 0;
    while done < n {
        let count = BATCH_TUPLES.min(n - done);
        positions.offsets(at + done, &mut offsets[..count]);
        for (i, &offset) in offsets[..count].iter().enumerate() {
            // SAFETY: the caller's promise; elements may be unaligned.
            unsafe {
                target.add(done + i).write_unaligned(source.offset(offset).cast::<T>().read_unaligned());
            }
        }
        done += count;
    }
}

/// Copies one row for each of the index tuples `at..at + n`.
///
/// # Safety
/// All positions lie in the source, `target` takes `n` rows.
unsafe fn gather_rows(
    source: *const u8,
    positions: &Positions,
    at: usize,
    n: usize,
    rows: &TrailingAxes,
    target: *mut u8,
    size: usize,
) {
    let mut offsets = [0isize; BATCH_TUPLES];
    let mut done = 0;
    while done < n {
        let count = BATCH_TUPLES.min(n - done);
        positions.offsets(at + done, &mut offsets[..count]);
        for (i, &offset) in offsets[..count].iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { rows.read(source.offset(offset), target.add((done + i) * rows.length * size), size) };
        }
        done += count;
    }
}

/// Asks for memory that will be read soon; any address may be given.
#[inline(always)]
pub(super) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64; a prefetch of a bad address does nothing.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

at_levels!(wrap_portable, wrap_avx2, wrap_avx512, <>,
    (positions: *mut i64, n: usize, length: i64, beyond: &mut bool), wrap(positions, n, length, beyond));

/// Makes `n` positions non-negative; `beyond` is set where one of them is beyond the axis. Such ones stay as they were.
///
/// # Safety
/// There are so many positions.
#[inline(always)]
unsafe fn wrap(positions: *mut i64, n: usize, length: i64, beyond: &mut bool) {
    let mut bad = 0u64;
    // SAFETY: the caller's promise.
    for index in unsafe { std::slice::from_raw_parts_mut(positions, n) } {
        let wrapped = *index + if *index < 0 { length } else { 0 };
        let good = (wrapped as u64) < length as u64;
        bad |= u64::from(!good);
        *index = if good { wrapped } else { *index };
    }
    *beyond = bad != 0;
}

/// [`wrap`] at a level.
fn wrap_at(level: SimdLevel) -> unsafe fn(*mut i64, usize, i64, &mut bool) {
    match level {
        SimdLevel::Portable => wrap_portable,
        SimdLevel::Avx2 => wrap_avx2,
        SimdLevel::Avx512 => wrap_avx512,
    }
}

/// Makes positions non-negative in place; `fault` receives the number of the first one beyond the axis, or -1. Bad
/// positions stay as they were, for the error message.
pub(super) fn check_indices(indices: &Slot, size: usize, fault: &Slot, level: SimdLevel) -> Result<()> {
    let count = indices.layout.size();
    let all = Shared(start(indices));
    let first = AtomicUsize::new(usize::MAX);
    let length = size as i64;
    run_tasks(count.div_ceil(ELEMENTS_PER_TASK), count >= PARALLEL_MIN, &|task| {
        let at = task * ELEMENTS_PER_TASK;
        // SAFETY: dense int64 in memory of their own, a part of it for each task.
        let part = unsafe {
            std::slice::from_raw_parts_mut(all.get().cast::<i64>().add(at), ELEMENTS_PER_TASK.min(count - at))
        };
        let mut bad = false;
        let wrap = wrap_at(level);
        // SAFETY: the level is this machine's, and the part holds so many positions.
        unsafe { wrap(part.as_mut_ptr(), part.len(), length, &mut bad) };
        if bad {
            let beyond = part.iter().position(|&i| i as u64 >= length as u64).unwrap_or(0);
            first.fetch_min(at + beyond, Ordering::Relaxed);
        }
    })?;
    report(first.into_inner(), fault);
    Ok(())
}
