//! Programs that end in reductions: which elements are combined in which order, and on which thread.
//!
//! The pattern follows from shapes alone. Elements are numbered in the nesting order of the reduced array; along a row
//! they are reduced in chunks of a block, down columns in groups of rows, and partial states are joined as a tree.
//! Several reductions read each block while it is in the cache, each in the pattern that it has alone.

mod columns;
mod fold;
mod row_walk;
pub(crate) mod rows;
mod states;

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::memory::filled;
use cuprum_core::{DType, Dims, Error, Reduction, Result, SimdLevel};
use cuprum_graph::{Buffer, DeviceKind, Joins, Program, Reduce, Reduced, Reg, ShortSum, tree_joins};
use smallvec::SmallVec;

use crate::block::{BoundProgram, Evaluator, InPlaceRows, REDUCTION_BLOCK, run_map};
use crate::reducers::{Finish, ROWS_AT_A_TIME, Reducer, reducer};
use crate::space::Space;
use cuprum_threads::{Shared, run_spread, thread_count};

use states::{States, shared};

/// Rows that are accumulated one after the other before their state joins the tree.
pub(crate) const GROUP_ROWS: usize = 64;
/// With fewer results than this inside the reduced axes, each is reduced along its own elements.
pub(crate) const MIN_COLUMN_WALK: usize = 64;
/// Elements that a task should have.
const ELEMENTS_PER_TASK: usize = 1 << 16;
/// Bytes of a task where there are enough of them: what a block finds, the next ones of its task need not look for.
const LONG_TASK_BYTES: usize = 1 << 20;
/// Elements of a block where neither their order counts nor anything is computed before.
const ANY_ORDER_BLOCK: usize = 1 << 14;
/// States that one thread joins about as fast as several do.
const SERIAL_JOIN_MAX: usize = 1 << 13;
/// Neighbouring results whose partial states are joined together.
const JOIN_WIDTH: usize = 64;
/// Tasks that each thread should have at least, so that all end at about the same time.
const MIN_TASKS_PER_THREAD: usize = 8;

/// Runs a Program with reductions, and then what it makes of their results.
pub(crate) fn run_reduce(
    program: &Program,
    reduce: &Reduce,
    inputs: &[Buffer],
    outputs: &[Buffer],
    level: SimdLevel,
) -> Result<()> {
    if reduce.epilogue.size() == 0 {
        return Ok(());
    }
    if program.size() == 0 {
        return Err(Error::device("a reduction over nothing reached the device"));
    }
    let (inputs, late_inputs) = inputs.split_at(program.inputs.len());
    let (outputs, late_outputs) = outputs.split_at(program.outputs.len());
    let results: SmallVec<[Buffer; 2]> = (0..reduce.results.len())
        .map(|result| match reduce.stored_whole(result) {
            Some(output) => late_outputs[output].clone(),
            None => scratch(reduce.epilogue.size() * reduce.results[result].output.size()),
        })
        .collect();
    let walk = ReductionWalk::new(BoundProgram::new(program, inputs, outputs, |_| false, level)?, reduce);
    let targets = results.iter().map(|buffer| Shared(buffer.address() as *mut u8));
    if let Some((only, op)) = reduce.results.iter().find_map(|r| match r.op {
        Reduction::Fold(op) => Some((r, op)),
        _ => None,
    }) {
        // SAFETY: the buffer of the one result holds as many elements as results are kept.
        unsafe { walk.fold(only, op, Shared(results[0].address() as *mut u8), level) }?;
    } else {
        let parts = ReductionPart::of(reduce, targets.collect(), level)?;
        if walk.rows_are_inner() {
            walk.along_rows(&parts)?;
        } else {
            walk.down_columns(&parts)?;
        }
    }
    if reduce.is_bare() {
        return Ok(());
    }
    let inputs: Vec<Buffer> = results.iter().chain(late_inputs).cloned().collect();
    run_map(&reduce.epilogue, &inputs, late_outputs, level)
}

/// The order in which a sum along one short axis adds elements up: as the lanes of a block do, or row after row.
pub(crate) fn short_sum(sum: &ShortSum<'_>) -> Joins {
    let length = sum.shape[sum.axis];
    let kept = sum.shape.iter().product::<usize>() / length;
    let is_inner = sum.nesting.last() == Some(&sum.axis) || kept < MIN_COLUMN_WALK;
    if is_inner { tree_joins(length) } else { (1..length).map(|row| (0, row)).collect() }
}

/// Memory for results that do not leave the Program.
fn scratch(bytes: usize) -> Buffer {
    let mut words = filled(bytes.div_ceil(16), 0u128);
    let address = words.as_mut_ptr() as usize;
    // SAFETY: the vector keeps as many bytes, and nothing else has them.
    unsafe { Buffer::new(DeviceKind::Cpu, address, bytes, Arc::new(words)) }
}

/// One reduction of the Program's elements.
struct ReductionPart {
    reducer: Reducer,
    reg: Reg,
    /// Bytes of an element.
    size: usize,
    results: Results,
    /// The sums of the same elements, where another reduction wants them and the reducer has them.
    sums: Option<Results>,
}

/// Where results go, and how they are made of states.
#[derive(Clone, Copy)]
struct Results {
    finish: Finish,
    out: Shared,
    size: usize,
}

impl Results {
    /// Writes `n` results from `first` on.
    ///
    /// # Safety
    /// `states` are `n`, of the reducer that `finish` is of, and the results have memory.
    unsafe fn write(&self, states: *const u8, first: usize, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { (self.finish)(states, n, self.out.get().add(first * self.size)) };
    }
}

impl ReductionPart {
    /// The reductions of a Program; a sum beside another reduction of the same elements that makes it too goes with that.
    fn of(
        reduce: &Reduce,
        targets: SmallVec<[Shared; 2]>,
        level: SimdLevel,
    ) -> Result<SmallVec<[ReductionPart; 2]>> {
        let mut sums: SmallVec<[(&Reduced, Shared); 2]> = SmallVec::new();
        let mut parts: SmallVec<[ReductionPart; 2]> = SmallVec::new();
        for (reduced, &out) in reduce.results.iter().zip(&targets) {
            match reduced.op {
                Reduction::Sum => sums.push((reduced, out)),
                _ => parts.push(ReductionPart::new(reduced, out, level)?),
            }
        }
        for (sum, out) in sums {
            let makes_it = |part: &&mut ReductionPart| part.reg == sum.reg && part.sums.is_none();
            let found =
                parts.iter_mut().filter(makes_it).find_map(|part| Some((part.reducer.finish_sum?, part)));
            match found {
                Some((finish, part)) => part.sums = Some(Results { finish, out, size: sum.output.size() }),
                None => parts.push(ReductionPart::new(sum, out, level)?),
            }
        }
        Ok(parts)
    }

    /// Writes `n` results from `first` on, and sums where these come along.
    ///
    /// # Safety
    /// `states` are `n` of this reduction, and the results have memory.
    unsafe fn write(&self, states: *const u8, first: usize, n: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            self.results.write(states, first, n);
            if let Some(sums) = self.sums {
                sums.write(states, first, n);
            }
        }
    }

    fn new(reduced: &Reduced, out: Shared, level: SimdLevel) -> Result<ReductionPart> {
        let reducer = reducer(reduced.op, reduced.dtype, level).ok_or_else(|| {
            Error::device(format!("{} has no reducer for {}", reduced.op.row().name, reduced.dtype))
        })?;
        let results = Results { finish: reducer.finish, out, size: reduced.output.size() };
        Ok(ReductionPart { reducer, reg: reduced.reg, size: reduced.dtype.size(), results, sums: None })
    }
}

impl ReductionPart {
    /// Takes rows of `n` elements into the accumulators of a block, the first one of a group to start them.
    ///
    /// # Safety
    /// `rows` are accumulators for `block` results; every row has `n` elements.
    unsafe fn take_rows(
        &self,
        rows: *mut u8,
        block: usize,
        taken: TakenRows,
        n: usize,
        row: usize,
        starts: bool,
    ) {
        let reducer = &self.reducer;
        let (x, stride, in_memory) = match taken {
            TakenRows::One(x) => {
                let step = if starts { reducer.begin } else { reducer.accumulate };
                // SAFETY: the caller's promise.
                return unsafe { step(rows, block, x, n, row) };
            }
            TakenRows::InMemory(x, stride) => (x, stride, true),
            TakenRows::Evaluated(x, stride) => (x, stride, false),
        };
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(accumulate_many) = reducer.accumulate_many {
                return accumulate_many(rows, block, x, stride, n, starts, in_memory);
            }
            for k in 0..ROWS_AT_A_TIME {
                let step = if starts && k == 0 { reducer.begin } else { reducer.accumulate };
                step(rows, block, x.offset(k as isize * stride), n, row + k);
            }
        }
    }
}

/// Rows of elements that are taken into accumulators.
#[derive(Clone, Copy)]
enum TakenRows {
    One(*const u8),
    /// [`ROWS_AT_A_TIME`] rows of an input's own memory, a stride apart.
    InMemory(*const u8, isize),
    /// [`ROWS_AT_A_TIME`] rows that have just been evaluated, a stride apart.
    Evaluated(*const u8, isize),
}

/// The rows of all registers, where each is an input's own memory.
fn bare_rows(evaluator: &Evaluator<'_, '_>, regs: &[Reg]) -> Option<SmallVec<[InPlaceRows; 2]>> {
    regs.iter().map(|&reg| evaluator.bare_rows(reg)).collect()
}

/// As [`bare_rows`], of `n` elements of each from `start` on.
fn bare_parts(
    evaluator: &Evaluator<'_, '_>,
    regs: &[Reg],
    start: usize,
    n: usize,
) -> Option<SmallVec<[InPlaceRows; 2]>> {
    regs.iter().map(|&reg| evaluator.bare_part(reg, start, n)).collect()
}

/// The registers that are reduced.
fn regs(parts: &[ReductionPart]) -> SmallVec<[Reg; 2]> {
    parts.iter().map(|part| part.reg).collect()
}

/// Reduces `n` dense, aligned elements to one result, in the same pattern as [`ReductionWalk::along_rows`] does; `false` for
/// folds and for more blocks than the states at hand.
///
/// # Safety
/// `n` dense, aligned elements of `dtype` are at `input`, and there is memory for one aligned result at `output`.
pub(crate) unsafe fn reduce_dense(
    op: Reduction,
    dtype: DType,
    n: usize,
    input: usize,
    output: usize,
    level: SimdLevel,
) -> bool {
    const MAX_BLOCKS: usize = 64;
    let Some(reducer) = reducer(op, dtype, level) else { return false };
    let blocks = n.div_ceil(REDUCTION_BLOCK);
    if blocks > MAX_BLOCKS || reducer.state_size > 32 {
        return false;
    }
    let mut states = [const { MaybeUninit::<u128>::uninit() }; 2 * MAX_BLOCKS];
    let states = states.as_mut_ptr().cast::<u8>();
    // SAFETY: the caller's promise; there is a state of at most 32 bytes for each block, which
    // the block fills.
    unsafe {
        let state = |at: usize| states.add(at * reducer.state_size);
        for at in 0..blocks {
            let start = at * REDUCTION_BLOCK;
            let x = (input + start * dtype.size()) as *const u8;
            (reducer.block)(x, REDUCTION_BLOCK.min(n - start), start, state(at));
        }
        join_parts(&reducer, blocks, 1, state);
        (reducer.finish)(state(0), 1, output as *mut u8);
    }
    true
}

/// Joins the states of consecutive parts as a tree, for `n` results side by side; the first part becomes the whole.
///
/// # Safety
/// `state` gives `n` valid states for every part.
pub(crate) unsafe fn join_parts(reducer: &Reducer, parts: usize, n: usize, state: impl Fn(usize) -> *mut u8) {
    let mut step = 1;
    while step < parts {
        for part in (0..parts - step).step_by(2 * step) {
            // SAFETY: states of two different parts, by the caller's promise.
            unsafe { (reducer.merge)(state(part), state(part + step), n) };
        }
        step *= 2;
    }
}

/// The axes of a reduction: those that stay and those that go, each in nesting order.
struct ReductionWalk<'a> {
    kernel: BoundProgram<'a>,
    kept: Space,
    reduced: Space,
    /// Whether the innermost axis of all goes.
    inner_is_reduced: bool,
}

impl<'a> ReductionWalk<'a> {
    fn new(mut kernel: BoundProgram<'a>, reduce: &Reduce) -> ReductionWalk<'a> {
        let is_reduced = |axis: &usize| reduce.axes.contains(axis);
        let kept_axes: Dims = reduce.nesting.iter().copied().filter(|a| !is_reduced(a)).collect();
        let reduced_axes: Dims = reduce.nesting.iter().copied().filter(is_reduced).collect();
        let mut kept = kernel.space(&kept_axes);
        let mut reduced = kernel.space(&reduced_axes);
        kept.collapse();
        reduced.collapse();
        let inner_is_reduced = reduce.nesting.last().is_none_or(is_reduced) || kept.size() == 1;
        kernel.leave_direct();
        ReductionWalk { kernel, kept, reduced, inner_is_reduced }
    }

    fn rows_are_inner(&self) -> bool {
        self.inner_is_reduced || self.kept.size() < MIN_COLUMN_WALK
    }

    /// Reduces each result along its elements: chunks of a block, then a tree over the chunks.
    fn along_rows(&self, parts: &[ReductionPart]) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        if !self.inner_is_reduced && self.kept.dims.len() == 1 && self.reduced.dims.len() == 1 {
            return self.few_columns(parts);
        }
        if length <= REDUCTION_BLOCK / 2 && results > 1 && self.inner_is_reduced {
            return self.short_rows(parts);
        }
        let any_blocks = self.kernel.is_bare() && parts.iter().all(|part| part.reducer.any_blocks);
        let block = if any_blocks { ANY_ORDER_BLOCK } else { REDUCTION_BLOCK };
        let chunks = length.div_ceil(block);
        let mut states = States::of(parts, results * chunks);
        let shared = shared(&mut states);
        let regs = regs(parts);
        let units = results * chunks;
        let widest = parts.iter().map(|part| part.size).max().unwrap_or(1);
        let most = (LONG_TASK_BYTES / (block * widest)).max(ELEMENTS_PER_TASK / block);
        let per_task =
            (units / (MIN_TASKS_PER_THREAD * thread_count())).clamp(ELEMENTS_PER_TASK / block, most);
        // A power of two, so that what a task joins of a single result is a whole subtree.
        let per_task = 1 << per_task.ilog2();
        // A few interleaved results are walked chunk by chunk, so that each piece of memory is read once.
        let by_chunk = !self.inner_is_reduced;
        let parallel = self.kernel.pays_parallel(results * length);
        // A single truth is settled by one block; the others need not be looked at, unless they are to be stored.
        let only = if let [only] = parts { only.reducer.settled } else { None };
        let settled = only.filter(|_| results == 1 && !self.kernel.stores());
        let is_settled = AtomicBool::new(false);
        let joins = results == 1 && settled.is_none();
        let work = |task: usize| {
            if is_settled.load(Ordering::Relaxed) {
                let first = task * per_task;
                let count = per_task.min(units - first);
                // SAFETY: the states of this task's units, of one byte each.
                unsafe { shared[0].get().add(first).write_bytes(settled.unwrap_or_default(), count) };
                return;
            }
            let mut evaluator = Evaluator::new(&self.kernel, &self.kept, &self.reduced, block.min(length));
            let bare = bare_rows(&evaluator, &regs);
            let first = task * per_task;
            let (mut result, mut chunk) =
                if by_chunk { (first % results, first / results) } else { (first / chunks, first % chunks) };
            for unit in first..(first + per_task).min(units) {
                let start = chunk * block;
                let n = block.min(length - start);
                if bare.is_none() {
                    evaluator.eval_whole(result, start, n, &regs);
                }
                let follows = chunk > 0 && unit > first && !by_chunk;
                for (at, (part, states)) in parts.iter().zip(&shared).enumerate() {
                    let reducer = &part.reducer;
                    let x = match &bare {
                        Some(bare) => bare[at].element(result, start),
                        None => evaluator.pointer(part.reg),
                    };
                    // SAFETY: the evaluated block holds `n` elements; every unit has a state of its own, and the state
                    // before it was made by this task where the unit follows another.
                    unsafe {
                        let state = states.get().add((result * chunks + chunk) * reducer.state_size);
                        match reducer.block_on {
                            Some(on) if follows => on(x, n, start, state, state.sub(reducer.state_size)),
                            _ => (reducer.block)(x, n, start, state),
                        }
                        if settled.is_some_and(|settled| state.read() == settled) {
                            is_settled.store(true, Ordering::Relaxed);
                            let left = (first + per_task).min(units) - unit;
                            state.write_bytes(state.read(), left);
                            return;
                        }
                    }
                }
                // The next unit: divisions would cost as much as a part of a block.
                let (inner, outer, end) = if by_chunk {
                    (&mut result, &mut chunk, results)
                } else {
                    (&mut chunk, &mut result, chunks)
                };
                *inner += 1;
                if *inner == end {
                    (*inner, *outer) = (0, *outer + 1);
                }
            }
            if joins {
                let count = per_task.min(units - first);
                for (part, states) in parts.iter().zip(&shared) {
                    let size = part.reducer.state_size;
                    // SAFETY: the states of this task's units, made above.
                    unsafe {
                        join_parts(&part.reducer, count, 1, |at| states.get().add((first + at) * size))
                    };
                }
            }
        };
        // Most truths are settled at once: the first task looks for that before others are asked to help.
        if settled.is_some() {
            work(0);
        }
        let parallel = parallel && !is_settled.load(Ordering::Relaxed);
        run_spread(units.div_ceil(per_task), parallel, &|task| {
            if task > 0 || settled.is_none() {
                work(task);
            }
        })?;
        if joins {
            // SAFETY: the states were written above, as many for each part.
            return unsafe { self.finish(parts, &shared, 1, units.div_ceil(per_task), per_task) };
        }
        // SAFETY: the states were written above, as many for each part.
        unsafe { self.finish(parts, &shared, results, chunks, 1) }
    }

    /// Many short rows: several of them are evaluated as one block.
    fn short_rows(&self, parts: &[ReductionPart]) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        let joined = Space {
            dims: self.kept.dims.iter().chain(&self.reduced.dims).copied().collect(),
            steps: self
                .kept
                .steps
                .iter()
                .zip(&self.reduced.steps)
                .map(|(k, r)| k.iter().chain(r).copied().collect())
                .collect(),
        };
        let mut inner = joined;
        inner.collapse();
        let (fixed, inner) = inner.split(0);
        let rows = REDUCTION_BLOCK / length;
        let blocks = results.div_ceil(rows);
        let per_task = (ELEMENTS_PER_TASK / REDUCTION_BLOCK).max(1);
        let mut states = States::of(parts, results);
        let shared = shared(&mut states);
        let regs = regs(parts);
        let parallel = self.kernel.pays_parallel(results * length);
        run_spread(blocks.div_ceil(per_task), parallel, &|task| {
            let mut evaluator = Evaluator::new(&self.kernel, &fixed, &inner, rows * length);
            for block in task * per_task..((task + 1) * per_task).min(blocks) {
                let first = block * rows;
                let count = rows.min(results - first);
                evaluator.eval_whole(0, first * length, count * length, &regs);
                for (part, states) in parts.iter().zip(&shared) {
                    let x = evaluator.pointer(part.reg);
                    // SAFETY: the block holds `count` rows of `length` elements; every row has a state of its own.
                    unsafe {
                        let own = states.get().add(first * part.reducer.state_size);
                        part.reducer.blocks(x, length, part.size, count, own);
                    }
                }
            }
        })?;
        // SAFETY: the states were written above, as many for each part.
        unsafe { self.finish(parts, &shared, results, 1, 1) }
    }

    /// Joins the partial states of each result as a tree in their order, and writes the results.
    ///
    /// State `p` of result `r` is at `r * count + p` when `stride` is 1, else at `p * stride + r`.
    ///
    /// # Safety
    /// There are states of each part at its pointer, `count` for each of `results`.
    unsafe fn finish(
        &self,
        parts: &[ReductionPart],
        states: &[Shared],
        results: usize,
        count: usize,
        stride: usize,
    ) -> Result<()> {
        // Results whose states lie side by side are joined together, as many as keep their states in the cache.
        let side_by_side = stride != 1 || count == 1;
        let width = if side_by_side { JOIN_WIDTH } else { 1 };
        let per_task = (ELEMENTS_PER_TASK / count).clamp(width, ELEMENTS_PER_TASK);
        let per_task =
            if side_by_side { per_task.min(results.div_ceil(8)).max(JOIN_WIDTH) } else { per_task };
        run_spread(results.div_ceil(per_task), results * count > SERIAL_JOIN_MAX, &|task| {
            for (part, states) in parts.iter().zip(states) {
                let reducer = &part.reducer;
                let end = ((task + 1) * per_task).min(results);
                for first in (task * per_task..end).step_by(width) {
                    let n = width.min(end - first);
                    let place = |at: usize| {
                        let index = if stride == 1 { first * count + at } else { at * stride + first };
                        // SAFETY: the index is below the number of states.
                        unsafe { states.get().add(index * reducer.state_size) }
                    };
                    // SAFETY: the states of `n` results, which only this task touches: as many results come out.
                    unsafe {
                        join_parts(reducer, count, n, place);
                        part.write(place(0), first, n);
                    }
                }
            }
        })
    }
}
