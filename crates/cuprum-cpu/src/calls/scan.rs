//! Running sums, products and folds along an axis.
//!
//! Sums along dense memory are cut into runs of fixed length: several runs are summed side by side, since one addition
//! after the other would wait for the adder; then what came before is added to each. The cut does not depend on the
//! number of threads, nor on the instruction set, so neither do the bits.

use std::cell::{RefCell, UnsafeCell};
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_core::memory::{filled, lengthen};
use cuprum_core::ops::Grouping;
use cuprum_core::{DType, Op, Reduction, Result, SimdLevel};
use cuprum_graph::{ScanOp, Slot};

use super::number::{Accumulated, with_number};
use super::{AxisSplit, PARALLEL_MIN, copy_to_dense, folding_lane, is_plain, start, with_dense_out};
use crate::access;
use crate::streams;
use cuprum_lanes::{Lane, cast};
use cuprum_threads::{Shared, run_tasks};

/// Elements of a run: summed one after the other.
const RUN_ELEMENTS: usize = if cfg!(miri) { 8 } else { 128 };
/// Runs that are summed side by side.
const RUNS_AT_A_TIME: usize = 8;
/// Elements of a chunk, which is one task's work at a time.
const CHUNK_ELEMENTS: usize = if cfg!(miri) { 128 } else { 16384 };
/// Elements of a block of columns when the axis is not the innermost one.
const COLUMN_BLOCK: usize = if cfg!(miri) { 32 } else { 2048 };
/// Runs, and elements of each, that are folded side by side in a tile.
const TILE_SIDE: usize = if cfg!(miri) { 4 } else { 64 };
const TILE_ELEMENTS: usize = TILE_SIDE * TILE_SIDE;
/// Results of at least this many bytes are written past the caches.
const STREAMED_MIN_BYTES: usize = if cfg!(miri) { 1 << 12 } else { 16 << 20 };

pub(super) fn scan(op: ScanOp, input: &Slot, out: &Slot, axis: usize, level: SimdLevel) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    // Axes are taken in the order in which `out` nests them, so that Fortran order needs no copy.
    let order = out.layout.nesting();
    let [input, out] = [input, out].map(|slot| Slot { layout: slot.layout.permute(&order), ..slot.clone() });
    let axis = order.iter().position(|&a| a == axis).expect("the nesting holds every axis");
    with_dense_out(&out, |out| {
        let is_plain = is_plain(&input);
        if !is_plain {
            copy_to_dense(&input, out)?;
        }
        let from = if is_plain { &input } else { out };
        let around = AxisSplit::new(&out.layout.shape, axis);
        if around.inner > 1 {
            return scan_columns(op, from, out, around, level);
        }
        match op {
            ScanOp::Sum => sum_rows(from, out, around, level),
            ScanOp::Prod => product_rows(from, out, around, level),
            ScanOp::Fold(op) => {
                let fold = folding_lane(op, out.dtype, level)?;
                if Reduction::of(op).row().grouping == Grouping::Idempotent
                    && around.length >= 2 * TILE_ELEMENTS
                {
                    return fold_tiles(fold, from, out, around);
                }
                fold_rows(fold, from, out, around)
            }
        }
    })
}

fn sum_rows(from: &Slot, to: &Slot, around: AxisSplit, level: SimdLevel) -> Result<()> {
    match with_number!(to.dtype, sum_typed(from, to, around)) {
        Some(done) => done,
        None => fold_rows(folding_lane(Op::Add, to.dtype, level)?, from, to, around),
    }
}

fn product_rows(from: &Slot, to: &Slot, around: AxisSplit, level: SimdLevel) -> Result<()> {
    match with_number!(to.dtype, product_typed(from, to, around)) {
        Some(done) => done,
        None => fold_rows(folding_lane(Op::Multiply, to.dtype, level)?, from, to, around),
    }
}

/// Memory that a thread keeps for one chunk: fresh pages for each would cost more than the sums.
type ChunkScratch = Vec<[u64; 2]>;

thread_local! {
    static SCRATCH: RefCell<ChunkScratch> = const { RefCell::new(Vec::new()) };
}

/// Touches what a thread keeps for scans.
pub(super) fn touch_scratch() {
    SCRATCH.with(|_| {});
}

/// The sums within the runs of a chunk, not yet raised by what came before.
struct ChunkSums<T: Accumulated> {
    local: *mut T::Wide,
    length: usize,
    /// What precedes each run; first the runs' totals.
    before: [T::Wide; CHUNK_ELEMENTS / RUN_ELEMENTS],
}

impl<T: Accumulated> ChunkSums<T> {
    /// Sums within each run of `n` elements.
    ///
    /// # Safety
    /// `input` holds `n` elements, `local` takes as many; `n` is at most `CHUNK_ELEMENTS`.
    #[inline(always)]
    unsafe fn new(input: *const T, n: usize, local: *mut T::Wide) -> ChunkSums<T> {
        let mut before = [T::NEUTRAL; CHUNK_ELEMENTS / RUN_ELEMENTS];
        let side_by_side = n / (RUN_ELEMENTS * RUNS_AT_A_TIME) * (RUN_ELEMENTS * RUNS_AT_A_TIME);
        // SAFETY: all positions are below `n`.
        unsafe {
            for group in (0..side_by_side).step_by(RUN_ELEMENTS * RUNS_AT_A_TIME) {
                let (input, local) = (input.add(group), local.add(group));
                let mut sums = [T::NEUTRAL; RUNS_AT_A_TIME];
                for i in 0..RUN_ELEMENTS {
                    for (way, sum) in sums.iter_mut().enumerate() {
                        *sum = T::plus(*sum, (*input.add(way * RUN_ELEMENTS + i)).widen());
                        *local.add(way * RUN_ELEMENTS + i) = *sum;
                    }
                }
                before[group / RUN_ELEMENTS..group / RUN_ELEMENTS + RUNS_AT_A_TIME].copy_from_slice(&sums);
            }
            for run in (side_by_side..n).step_by(RUN_ELEMENTS) {
                let mut sum = T::NEUTRAL;
                for i in run..n.min(run + RUN_ELEMENTS) {
                    sum = T::plus(sum, (*input.add(i)).widen());
                    *local.add(i) = sum;
                }
                before[run / RUN_ELEMENTS] = sum;
            }
        }
        ChunkSums { local, length: n, before }
    }

    /// Chains the runs behind `carry`, and returns what precedes the next chunk.
    ///
    /// # Safety
    /// `input` is what [`ChunkSums::new`] was given.
    #[inline(always)]
    unsafe fn chain(&mut self, mut carry: T::Wide, input: *const T) -> T::Wide {
        for run in 0..self.length.div_ceil(RUN_ELEMENTS) {
            let total = std::mem::replace(&mut self.before[run], carry);
            carry = if T::is_finite(total) {
                T::plus(carry, total)
            } else {
                // A run may overflow alone and not behind its carry: it is summed again, one after the other.
                self.before[run] = T::NEUTRAL;
                // SAFETY: positions of the run, below the length.
                unsafe { self.rescan(run * RUN_ELEMENTS, carry, input) }
            };
        }
        carry
    }

    /// Sums a run again from `carry` on, in place of its local sums.
    #[cold]
    unsafe fn rescan(&mut self, at: usize, mut carry: T::Wide, input: *const T) -> T::Wide {
        for i in at..self.length.min(at + RUN_ELEMENTS) {
            // SAFETY: both hold `length` elements.
            unsafe {
                carry = T::plus(carry, (*input.add(i)).widen());
                *self.local.add(i) = carry;
            }
        }
        carry
    }

    /// Writes the sums, raised by what precedes each run.
    ///
    /// # Safety
    /// `out` takes the chunk's elements.
    #[inline(always)]
    unsafe fn write(&self, out: *mut T, streamed: bool) {
        for at in (0..self.length).step_by(RUN_ELEMENTS) {
            let (n, before) = (RUN_ELEMENTS.min(self.length - at), self.before[at / RUN_ELEMENTS]);
            // SAFETY: positions of the run, below the length.
            unsafe {
                let local = std::slice::from_raw_parts(self.local.add(at), n);
                if !streamed {
                    for (i, &sum) in local.iter().enumerate() {
                        *out.add(at + i) = T::narrow(T::plus(before, sum));
                    }
                    continue;
                }
                let mut block = [T::narrow(T::NEUTRAL); RUN_ELEMENTS];
                for (sum, &local) in block.iter_mut().zip(local) {
                    *sum = T::narrow(T::plus(before, local));
                }
                streams::stream(block.as_ptr().cast(), out.add(at).cast(), n * size_of::<T>());
            }
        }
        if streamed {
            streams::stream_fence();
        }
    }
}

/// Calls `body` with this thread's scratch memory for one chunk.
fn with_scratch<W>(body: impl FnOnce(*mut W)) {
    const { assert!(size_of::<W>() <= 16 && align_of::<W>() <= 8) };
    SCRATCH.with_borrow_mut(|scratch| {
        lengthen(scratch, CHUNK_ELEMENTS, [0; 2]);
        body(scratch.as_mut_ptr().cast());
    });
}

/// What precedes the next chunk, handed from one task to the next.
pub(super) struct Carry<W> {
    turn: AtomicUsize,
    carry: UnsafeCell<W>,
}

// SAFETY: the carry is touched only by the task whose turn it is.
unsafe impl<W: Send> Sync for Carry<W> {}

impl<W: Copy> Carry<W> {
    pub(super) fn new(carry: W) -> Carry<W> {
        Carry { turn: AtomicUsize::new(0), carry: UnsafeCell::new(carry) }
    }

    /// What precedes what comes after the last task.
    pub(super) fn into_carry(self) -> W {
        self.carry.into_inner()
    }

    /// Waits for `task`'s turn and replaces the carry by what `next` makes of it. Tasks are handed out in order and
    /// always finished, so the one waited for is running.
    pub(super) fn pass(&self, task: usize, next: impl FnOnce(W) -> W) {
        let mut spins = 0u32;
        while self.turn.load(Ordering::Acquire) != task {
            spins += 1;
            if spins < 1 << 10 { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        // SAFETY: it is this task's turn, and the turn's release made the former task's write visible.
        unsafe { *self.carry.get() = next(*self.carry.get()) };
        self.turn.store(task + 1, Ordering::Release);
    }
}

fn sum_typed<T: Accumulated>(from: &Slot, to: &Slot, around: AxisSplit) -> Result<()> {
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    let (rows, n) = (around.outer, around.length);
    let streamed = around.size() * size_of::<T>() >= STREAMED_MIN_BYTES;
    let part = |at: usize| (from.get().cast::<T>().wrapping_add(at), to.get().cast::<T>().wrapping_add(at));
    if n < 4 * CHUNK_ELEMENTS {
        let per_task = (CHUNK_ELEMENTS / n).max(1);
        return run_tasks(rows.div_ceil(per_task), around.size() >= PARALLEL_MIN, &|task| {
            for row in task * per_task..rows.min((task + 1) * per_task) {
                let (input, out) = part(row * n);
                // SAFETY: rows lie in both arrays, each of them in one task.
                unsafe { sum_row(input, out, n) };
            }
        });
    }
    for row in 0..rows {
        let baton = Carry::new(T::NEUTRAL);
        run_tasks(n.div_ceil(CHUNK_ELEMENTS), true, &|chunk| {
            let at = chunk * CHUNK_ELEMENTS;
            let (input, out) = part(row * n + at);
            with_scratch(|scratch| {
                // SAFETY: the chunk lies in both arrays and belongs to this task, the scratch to this thread.
                unsafe {
                    let mut sums = ChunkSums::<T>::new(input, CHUNK_ELEMENTS.min(n - at), scratch);
                    baton.pass(chunk, |carry| sums.chain(carry, input));
                    sums.write(out, streamed);
                }
            });
        })?;
    }
    Ok(())
}

/// Sums one row on this thread, as the tasks of a long one would.
///
/// # Safety
/// Both hold `n` elements; they are equal or do not overlap.
unsafe fn sum_row<T: Accumulated>(input: *const T, out: *mut T, n: usize) {
    if n <= RUN_ELEMENTS {
        let mut sum = T::NEUTRAL;
        for i in 0..n {
            // SAFETY: the caller's promise.
            unsafe {
                sum = T::plus(sum, (*input.add(i)).widen());
                *out.add(i) = T::narrow(sum);
            }
        }
        return;
    }
    let mut carry = T::NEUTRAL;
    for at in (0..n).step_by(CHUNK_ELEMENTS) {
        with_scratch(|scratch| {
            // SAFETY: the caller's promise; the scratch is this thread's.
            unsafe {
                let input = input.add(at);
                let mut sums = ChunkSums::<T>::new(input, CHUNK_ELEMENTS.min(n - at), scratch);
                carry = sums.chain(carry, input);
                sums.write(out.add(at), false);
            }
        });
    }
}

/// Products are taken one after the other: a part of them may underflow or overflow where the whole does not.
fn product_typed<T: Accumulated>(from: &Slot, to: &Slot, around: AxisSplit) -> Result<()> {
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    for_rows(around, |row| {
        let at = row * around.length;
        // SAFETY: rows lie in both arrays, each of them in one task.
        unsafe {
            let (input, out) = (from.get().cast::<T>().add(at), to.get().cast::<T>().add(at));
            let mut product = (*input).widen();
            *out = T::narrow(product);
            for i in 1..around.length {
                product = T::times(product, (*input.add(i)).widen());
                *out.add(i) = T::narrow(product);
            }
        }
    })
}

fn fold_rows(fold: Lane, from: &Slot, to: &Slot, around: AxisSplit) -> Result<()> {
    let size = to.dtype.size();
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    for_rows(around, |row| {
        let at = row * around.length * size;
        // SAFETY: rows lie in both arrays, each of them in one task; a lane may write where it reads.
        unsafe {
            let (input, out) = (from.get().add(at), to.get().add(at));
            std::ptr::copy(input, out, size);
            for i in 1..around.length {
                let next = input.add(i * size);
                fold(1, out.add(i * size), [out.add((i - 1) * size), next, next]);
            }
        }
    })
}

/// Folds rows of an idempotent op by tiles: a tile's runs are turned into columns, which lanes fold side by side.
fn fold_tiles(fold: Lane, from: &Slot, to: &Slot, around: AxisSplit) -> Result<()> {
    let size = to.dtype.size();
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    for_rows(around, |row| {
        let at = row * around.length * size;
        let mut tile = filled(TILE_ELEMENTS, [0u64; 2]);
        let tile = tile.as_mut_ptr().cast::<u8>();
        let (mut before, mut carry) = ([[0u64; 2]; TILE_SIDE], [0u64; 2]);
        let (before, carry) = (before.as_mut_ptr().cast::<u8>(), carry.as_mut_ptr().cast::<u8>());
        let step = (size as isize, (TILE_SIDE * size) as isize);
        let line = |i: usize| tile.wrapping_add(i * TILE_SIDE * size);
        let whole = around.length / TILE_ELEMENTS * TILE_ELEMENTS;
        // SAFETY: rows lie in both arrays, each of them in one task; the tile holds `TILE_ELEMENTS` elements of any dtype, and
        // is filled before any of its places in `out`, which may be the input, is written.
        unsafe {
            let (input, out) = (from.get().add(at), to.get().add(at));
            std::ptr::copy_nonoverlapping(input, carry, size);
            for start in (0..whole).step_by(TILE_ELEMENTS) {
                access::gather_tile(input.add(start * size), step, TILE_SIDE, TILE_SIDE, size, tile);
                for i in 1..TILE_SIDE {
                    fold(TILE_SIDE, line(i), [line(i - 1), line(i), line(i)]);
                }
                for run in 0..TILE_SIDE {
                    let total = line(TILE_SIDE - 1).add(run * size).cast_const();
                    std::ptr::copy_nonoverlapping(carry, before.add(run * size), size);
                    fold(1, carry, [carry, total, total]);
                }
                for i in 0..TILE_SIDE {
                    fold(TILE_SIDE, line(i), [before, line(i), line(i)]);
                }
                access::scatter_tile(out.add(start * size), step, TILE_SIDE, TILE_SIDE, size, tile);
            }
            for i in whole..around.length {
                let next = input.add(i * size).cast_const();
                fold(1, carry, [carry, next, next]);
                std::ptr::copy_nonoverlapping(carry, out.add(i * size), size);
            }
        }
    })
}

/// Calls `row` with each of the rows along the innermost axis, many short ones to a task.
fn for_rows(around: AxisSplit, row: impl Fn(usize) + Sync) -> Result<()> {
    let per_task = (CHUNK_ELEMENTS / around.length).max(1);
    run_tasks(around.outer.div_ceil(per_task), around.size() >= PARALLEL_MIN, &|task| {
        (task * per_task..around.outer.min((task + 1) * per_task)).for_each(&row);
    })
}

/// Scans along an axis that is not the innermost one: row by row, in blocks of columns.
fn scan_columns(op: ScanOp, from: &Slot, to: &Slot, around: AxisSplit, level: SimdLevel) -> Result<()> {
    let dtype = to.dtype;
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    let op = op.op();
    let half = matches!(dtype, DType::F16 | DType::BF16) && op.row().accumulates;
    let wide = if half { DType::F32 } else { dtype };
    let fold = folding_lane(op, wide, level)?;
    let (widen, narrow) = (cast(dtype, wide, level), cast(wide, dtype, level));
    let size = dtype.size();
    let blocks = around.inner.div_ceil(COLUMN_BLOCK);
    run_tasks(around.outer * blocks, around.size() >= PARALLEL_MIN, &|task| {
        let column = task % blocks * COLUMN_BLOCK;
        let n = COLUMN_BLOCK.min(around.inner - column);
        let first = (task / blocks * around.length * around.inner + column) * size;
        let at = |row: usize| {
            let offset = first + row * around.inner * size;
            (from.get().wrapping_add(offset).cast_const(), to.get().wrapping_add(offset))
        };
        let mut sums = [0f32; COLUMN_BLOCK];
        let mut next = [0f32; COLUMN_BLOCK];
        let (sums, next) = (sums.as_mut_ptr().cast::<u8>(), next.as_mut_ptr().cast::<u8>());
        // SAFETY: blocks of columns lie in both arrays, each in one task; lanes may write where they read.
        unsafe {
            let (input, out) = at(0);
            std::ptr::copy(input, out, n * size);
            if half {
                widen(n, sums, [input; 3]);
            }
            for row in 1..around.length {
                let (input, out) = at(row);
                if half {
                    widen(n, next, [input; 3]);
                    fold(n, sums, [sums, next, next]);
                    narrow(n, out, [sums; 3]);
                } else {
                    fold(n, out, [at(row - 1).1, input, input]);
                }
            }
        }
    })
}
