//! Programs that end in a reduction: which elements are combined in which order, and on which thread.
//!
//! The pattern follows from shapes alone. Elements are numbered in the nesting order of the reduced array; along a row
//! they are reduced in chunks of a block, down columns in groups of rows, and partial states are joined as a tree.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::{DType, Dims, Error, Op, Reduction, Result};
use cuprum_graph::{Buffer, Program, Reduce};

use crate::block::{BLOCK, Evaluator, Kernel, Line, uninitialized};
use crate::lanes::{self, Lane, Level};
use crate::reducers::{MANY, Reducer, reducer};
use crate::space::Space;
use cuprum_threads::{Shared, run_tasks};

/// Rows that are accumulated one after the other before their state joins the tree.
const GROUP: usize = 64;
/// With fewer results than this inside the reduced axes, each is reduced along its own elements.
const FEW: usize = 64;
/// Elements that a task should have.
const TASK: usize = 1 << 16;
/// Elements of a block where neither their order counts nor anything is computed before.
const LONG_BLOCK: usize = 1 << 14;

/// Runs a Program with a reduction; its result goes to the last output.
pub(crate) fn run_reduce(
    program: &Program,
    inputs: &[Buffer],
    outputs: &[Buffer],
    level: Level,
) -> Result<()> {
    let (Some(reduce), Some(target)) = (&program.reduce, outputs.last()) else {
        return Err(Error::device("a reduction has a result"));
    };
    if reduce.layout.size() == 0 {
        return Ok(());
    }
    if program.size() == 0 {
        return Err(Error::device("a reduction over nothing reached the device"));
    }
    let kernel = Kernel::new(program, inputs, &outputs[..outputs.len() - 1], level)?;
    let walk = Walk::new(kernel, reduce);
    let out = Shared(target.address() as *mut u8);
    if let Reduction::Fold(op) = reduce.op {
        return walk.fold(reduce, op, out, level);
    }
    let reducer = reducer(reduce.op, reduce.dtype, level).ok_or_else(|| {
        Error::device(format!("{} has no reducer for {}", reduce.op.row().name, reduce.dtype))
    })?;
    if walk.rows_are_inner() {
        walk.along_rows(reduce, &reducer, out)
    } else {
        walk.down_columns(reduce, &reducer, out)
    }
}

/// Reduces `n` dense, aligned elements to one result, in the same pattern as [`Walk::along_rows`] does; `false` for
/// folds and for more blocks than the states at hand.
pub(crate) fn reduce_dense(
    op: Reduction,
    dtype: DType,
    n: usize,
    input: usize,
    output: usize,
    level: Level,
) -> bool {
    const MOST: usize = 8;
    let Some(reducer) = reducer(op, dtype, level) else { return false };
    let blocks = n.div_ceil(BLOCK);
    if blocks > MOST || reducer.state_size > 32 {
        return false;
    }
    let mut states = [0u128; 2 * MOST];
    let states = states.as_mut_ptr().cast::<u8>();
    // SAFETY: the caller vouches for `n` elements and one result; there is a state of at most 32 bytes for each block.
    unsafe {
        let state = |at: usize| states.add(at * reducer.state_size);
        for at in 0..blocks {
            let start = at * BLOCK;
            let x = (input + start * dtype.size()) as *const u8;
            (reducer.block)(x, BLOCK.min(n - start), start, state(at));
        }
        join_parts(&reducer, blocks, 1, state);
        (reducer.finish)(state(0), 1, output as *mut u8);
    }
    true
}

/// Joins the states of consecutive parts, `n` side by side in each, as a tree; the first become the whole.
///
/// # Safety
/// `state` gives `n` valid states for every part.
unsafe fn join_parts(reducer: &Reducer, parts: usize, n: usize, state: impl Fn(usize) -> *mut u8) {
    let mut step = 1;
    while step < parts {
        for part in (0..parts - step).step_by(2 * step) {
            // SAFETY: different states, by the caller's promise.
            unsafe { (reducer.merge)(state(part), state(part + step), n) };
        }
        step *= 2;
    }
}

/// The axes of a reduction: those that stay and those that go, each in nesting order.
struct Walk<'a> {
    kernel: Kernel<'a>,
    kept: Space,
    reduced: Space,
    /// Whether the innermost axis of all goes.
    inner_is_reduced: bool,
}

impl<'a> Walk<'a> {
    fn new(mut kernel: Kernel<'a>, reduce: &Reduce) -> Walk<'a> {
        let is_reduced = |axis: &usize| reduce.axes.contains(axis);
        let kept_axes: Dims = reduce.nesting.iter().copied().filter(|a| !is_reduced(a)).collect();
        let reduced_axes: Dims = reduce.nesting.iter().copied().filter(is_reduced).collect();
        let mut kept = kernel.space(&kept_axes);
        let mut reduced = kernel.space(&reduced_axes);
        kept.collapse();
        reduced.collapse();
        let inner_is_reduced = reduce.nesting.last().is_none_or(is_reduced) || kept.size() == 1;
        kernel.leave_direct();
        Walk { kernel, kept, reduced, inner_is_reduced }
    }

    fn rows_are_inner(&self) -> bool {
        self.inner_is_reduced || self.kept.size() < FEW
    }

    /// Reduces each result along its elements: chunks of a block, then a tree over the chunks.
    fn along_rows(&self, reduce: &Reduce, reducer: &Reducer, out: Shared) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        if length <= BLOCK / 2 && results > 1 && self.inner_is_reduced {
            return self.short_rows(reduce, reducer, out);
        }
        let block = if reducer.any_blocks && self.kernel.is_bare() { LONG_BLOCK } else { BLOCK };
        let chunks = length.div_ceil(block);
        let mut states = States::new(results * chunks, reducer.state_size);
        let shared = states.shared();
        let units = results * chunks;
        let per_task = TASK / block;
        // A few interleaved results are walked chunk by chunk, so that each piece of memory is read once.
        let by_chunk = !self.inner_is_reduced;
        let parallel = self.kernel.pays_parallel(results * length);
        // A single truth is settled by one block; the others need not be looked at, unless they are to be stored.
        let settled = reducer.settled.filter(|_| results == 1 && !self.kernel.stores());
        let is_settled = AtomicBool::new(false);
        run_tasks(units.div_ceil(per_task), parallel, &|task| {
            if is_settled.load(Ordering::Relaxed) {
                let first = task * per_task;
                let count = per_task.min(units - first);
                // SAFETY: the states of this task's units, of one byte each.
                unsafe { shared.get().add(first).write_bytes(settled.unwrap_or_default(), count) };
                return;
            }
            let mut evaluator = Evaluator::new(&self.kernel, &self.kept, &self.reduced, block.min(length));
            for unit in task * per_task..((task + 1) * per_task).min(units) {
                let (result, chunk) =
                    if by_chunk { (unit % results, unit / results) } else { (unit / chunks, unit % chunks) };
                let start = chunk * block;
                let n = block.min(length - start);
                evaluator.eval_whole(result, start, n, reduce.reg);
                let x = evaluator.pointer(reduce.reg);
                let follows = chunk > 0 && unit > task * per_task && !by_chunk;
                // SAFETY: the evaluated block holds `n` elements; every unit has a state of its own, and the state
                // before it was made by this task where the unit follows another.
                unsafe {
                    let state = shared.get().add((result * chunks + chunk) * reducer.state_size);
                    match reducer.block_on {
                        Some(on) if follows => on(x, n, start, state, state.sub(reducer.state_size)),
                        _ => (reducer.block)(x, n, start, state),
                    }
                    if settled.is_some_and(|settled| state.read() == settled) {
                        is_settled.store(true, Ordering::Relaxed);
                        let left = ((task + 1) * per_task).min(units) - unit;
                        state.write_bytes(state.read(), left);
                        break;
                    }
                }
            }
        })?;
        self.finish(reducer, &mut states, results, chunks, 1, out)
    }

    /// Many short rows: several of them are evaluated as one block.
    fn short_rows(&self, reduce: &Reduce, reducer: &Reducer, out: Shared) -> Result<()> {
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
        let rows = BLOCK / length;
        let blocks = results.div_ceil(rows);
        let per_task = (TASK / BLOCK).max(1);
        let mut states = States::new(results, reducer.state_size);
        let shared = states.shared();
        let parallel = self.kernel.pays_parallel(results * length);
        run_tasks(blocks.div_ceil(per_task), parallel, &|task| {
            let mut evaluator = Evaluator::new(&self.kernel, &fixed, &inner, rows * length);
            for block in task * per_task..((task + 1) * per_task).min(blocks) {
                let first = block * rows;
                let count = rows.min(results - first);
                evaluator.eval_whole(0, first * length, count * length, reduce.reg);
                let x = evaluator.pointer(reduce.reg);
                for row in 0..count {
                    // SAFETY: the block holds `count` rows of `length` elements; every row has a state of its own.
                    unsafe {
                        let state = shared.get().add((first + row) * reducer.state_size);
                        (reducer.block)(x.add(row * length * reduce.dtype.size()), length, 0, state);
                    }
                }
            }
        })?;
        self.finish(reducer, &mut states, results, 1, 1, out)
    }

    /// Accumulates rows of results, in groups of a fixed number of rows, then a tree over the groups.
    fn down_columns(&self, reduce: &Reduce, reducer: &Reducer, out: Shared) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        let groups = length.div_ceil(GROUP);
        let last = self.kept.dims.len() - 1;
        // Blocks stay within a run of the innermost kept axis, where that is long enough to be worth it.
        let run = if self.kept.dims[last] >= FEW { self.kept.dims[last] } else { results };
        let block = BLOCK.min(run);
        let across = run.div_ceil(block);
        let blocks = results / run * across;
        let mut states = States::new(groups * results, reducer.state_size);
        let shared = states.shared();
        let parallel = self.kernel.pays_parallel(results * length);
        run_tasks(groups * blocks, parallel, &|task| {
            let (group, at) = (task / blocks, task % blocks);
            let start = at / across * run + at % across * block;
            let n = block.min(run - at % across * block);
            let first = group * GROUP;
            let count = GROUP.min(length - first);
            let mut evaluator = Evaluator::new(&self.kernel, &self.reduced, &self.kept, block);
            let mut rows = vec![0u64; (block * reducer.row_size).div_ceil(8)];
            let rows = rows.as_mut_ptr().cast::<u8>();
            let many = reducer.accumulate_many.zip(evaluator.bare_stride(reduce.reg));
            let mut row = first;
            while row < first + count {
                evaluator.eval_whole(row, start, n, reduce.reg);
                let x = evaluator.pointer(reduce.reg);
                // SAFETY: accumulators for `block` results; the evaluated block holds `n` elements, and where the
                // rows are an input's own memory, the following ones lie a stride apart.
                unsafe {
                    match many {
                        Some((accumulate_many, stride)) if row + MANY <= first + count => {
                            accumulate_many(rows, block, x, stride, n, row == first);
                            row += MANY;
                        }
                        _ => {
                            let step = if row == first { reducer.begin } else { reducer.accumulate };
                            step(rows, block, x, n, row);
                            row += 1;
                        }
                    }
                }
            }
            // SAFETY: every group has a state for each result.
            unsafe {
                let target = shared.get().add((group * results + start) * reducer.state_size);
                (reducer.flush)(rows, block, n, count, target);
            }
        })?;
        self.finish(reducer, &mut states, results, groups, results, out)
    }

    /// Joins the partial states of each result as a tree in their order, and writes the results.
    ///
    /// Part `p` of result `r` is at `r * parts + p` when `stride` is 1, else at `p * stride + r`.
    fn finish(
        &self,
        reducer: &Reducer,
        states: &mut States,
        results: usize,
        parts: usize,
        stride: usize,
        out: Shared,
    ) -> Result<()> {
        let shared = states.shared();
        let by_result = stride == 1;
        let place = |result: usize, part: usize| {
            let index = if by_result { result * parts + part } else { part * stride + result };
            // SAFETY: the index is below the number of states.
            unsafe { shared.get().add(index * reducer.state_size) }
        };
        let per_task = (TASK / parts).max(1);
        let out_size = self.kernel.reduced_size();
        run_tasks(results.div_ceil(per_task), results * parts > TASK, &|task| {
            let (first, end) = (task * per_task, ((task + 1) * per_task).min(results));
            // Parts of results that lie side by side are joined so; others result by result.
            let together = if by_result { 1 } else { end - first };
            for result in (first..end).step_by(together) {
                // SAFETY: the states of these results, which only this task touches; as many results are written.
                unsafe {
                    join_parts(reducer, parts, together, |part| place(result, part));
                    (reducer.finish)(place(result, 0), together, out.get().add(result * out_size));
                }
            }
        })
    }

    /// Folds from left to right; the results are accumulated in their own memory.
    fn fold(&self, reduce: &Reduce, op: Op, out: Shared, level: Level) -> Result<()> {
        let lane = lanes::lane(op, reduce.dtype, level)
            .ok_or_else(|| Error::device(format!("{} has no lane for {}", op.name(), reduce.dtype)))?;
        let size = reduce.dtype.size();
        let (results, length) = (self.kept.size(), self.reduced.size());
        if self.rows_are_inner() {
            let parallel = self.kernel.pays_parallel(results * length);
            return run_tasks(results, parallel, &|result| {
                let mut evaluator =
                    Evaluator::new(&self.kernel, &self.kept, &self.reduced, BLOCK.min(length));
                for start in (0..length).step_by(BLOCK) {
                    let n = BLOCK.min(length - start);
                    evaluator.eval_whole(result, start, n, reduce.reg);
                    // SAFETY: the block holds `n` elements; each task folds into a result of its own.
                    unsafe {
                        fold_block(
                            lane,
                            out.get().add(result * size),
                            evaluator.pointer(reduce.reg),
                            n,
                            size,
                            start == 0,
                        )
                    };
                }
            });
        }
        let blocks = results.div_ceil(BLOCK);
        run_tasks(blocks, self.kernel.pays_parallel(results * length), &|block| {
            let start = block * BLOCK;
            let n = BLOCK.min(results - start);
            let mut evaluator = Evaluator::new(&self.kernel, &self.reduced, &self.kept, n);
            for row in 0..length {
                evaluator.eval_whole(row, start, n, reduce.reg);
                let x = evaluator.pointer(reduce.reg);
                // SAFETY: the task's results are its own; the block holds `n` elements.
                unsafe {
                    let target = out.get().add(start * size);
                    if row == 0 {
                        std::ptr::copy_nonoverlapping(x, target, n * size);
                    } else {
                        lane(n, target, [target, x, x]);
                    }
                }
            }
        })
    }
}

/// Folds a block into one accumulator; the first element of all starts it.
///
/// # Safety
/// `x` holds `n` elements of `size` bytes, `acc` one; the lane is of that dtype.
unsafe fn fold_block(lane: Lane, acc: *mut u8, x: *const u8, n: usize, size: usize, starts: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        if starts {
            std::ptr::copy_nonoverlapping(x, acc, size);
        }
        for i in usize::from(starts)..n {
            lane(1, acc, [acc, x.add(i * size), x]);
        }
    }
}

/// Partial states, aligned for any of them; not initialised: each is made before it is read.
struct States {
    lines: Vec<MaybeUninit<Line>>,
}

impl States {
    fn new(count: usize, size: usize) -> States {
        States { lines: uninitialized((count * size).div_ceil(size_of::<Line>())) }
    }

    fn shared(&mut self) -> Shared {
        Shared(self.lines.as_mut_ptr().cast())
    }
}
