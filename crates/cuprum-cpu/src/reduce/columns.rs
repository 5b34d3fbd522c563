//! Reductions of columns: of many side by side, row by row, and of a few, each in the pattern of a row.

use cuprum_core::Result;
use cuprum_core::memory::filled;
use cuprum_graph::Reg;
use cuprum_threads::{Shared, run_spread, thread_count};
use smallvec::SmallVec;

use super::{
    ELEMENTS_PER_TASK, GROUP_ROWS, MIN_COLUMN_WALK, MIN_TASKS_PER_THREAD, ReductionPart, ReductionWalk,
    States, TakenRows, bare_parts, join_parts, regs, shared,
};
use crate::block::{CacheLine, Evaluator, REDUCTION_BLOCK, Scratch};
use crate::reducers::{ColumnBlocks, ROWS_AT_A_TIME, Reducer};
use crate::space::{Space, Steps};

/// Columns of a tile, which become its rows: those of a cache line of doubles.
const TILE_COLUMNS: usize = 8;
/// Groups of rows that a task takes at most, whose states it joins before others see them.
const GROUPS_PER_TASK: usize = 4;

/// Columns of an input's own memory, and what reduces them.
struct InPlaceColumns {
    blocks: ColumnBlocks,
    base: Shared,
    /// From one row to the next.
    stride: isize,
}

/// How much of the rows is evaluated at a time: so many columns of so many rows.
#[derive(Clone, Copy)]
struct Strips {
    columns: usize,
    rows: usize,
}

impl ReductionWalk<'_> {
    /// The columns of a part that is an input's own memory, side by side, where its reducer takes them so.
    fn columns_in_place(&self, part: &ReductionPart) -> Option<InPlaceColumns> {
        let blocks = part.reducer.column_blocks?;
        let (at, base) = self.kernel.in_place(part.reg)?;
        let are_beside = self.kept.steps[at][0] == part.size as isize;
        let base = Shared(base.cast_mut());
        are_beside.then_some(InPlaceColumns { blocks, base, stride: self.reduced.steps[at][0] })
    }

    /// A few columns side by side, each reduced in the pattern of a row, while every line of memory is read once: where they lie if
    /// nothing is computed before and the reducer takes columns, else in tiles whose columns become rows.
    pub(super) fn few_columns(&self, parts: &[ReductionPart]) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        let beside = |(kept, reduced): (&Steps, &Steps)| [kept[0], reduced[0]].into_iter().collect();
        let inner = Space {
            dims: [results, length].into_iter().collect(),
            steps: self.kept.steps.iter().zip(&self.reduced.steps).map(beside).collect(),
        };
        let (fixed, inner) = inner.split(0);
        let block = REDUCTION_BLOCK.min(length);
        let chunks = length.div_ceil(block);
        let together = TILE_COLUMNS.min(results);
        let per_task = (ELEMENTS_PER_TASK / (results * block)).max(1);
        let mut states = States::of(parts, results * chunks);
        let shared = shared(&mut states);
        let parallel = self.kernel.pays_parallel(results * length);
        let in_place: Option<SmallVec<[InPlaceColumns; 2]>> =
            parts.iter().map(|part| self.columns_in_place(part)).collect();
        if let Some(in_place) = in_place {
            run_spread(chunks.div_ceil(per_task), parallel, &|task| {
                for chunk in task * per_task..((task + 1) * per_task).min(chunks) {
                    let (start, n) = (chunk * block, block.min(length - chunk * block));
                    for ((part, states), columns) in parts.iter().zip(&shared).zip(&in_place) {
                        let size = part.reducer.state_size;
                        let first =
                            columns.base.get().cast_const().wrapping_offset(start as isize * columns.stride);
                        // SAFETY: the columns lie in the input's buffer; every unit has a state of its own.
                        unsafe {
                            let states = states.get().add(chunk * size);
                            (columns.blocks)(first, columns.stride, n, start, results, states, chunks * size);
                        }
                    }
                }
            })?;
            // SAFETY: the states were written above, as many for each part.
            return unsafe { self.finish(parts, &shared, results, chunks, 1) };
        }
        run_spread(chunks.div_ceil(per_task), parallel, &|task| {
            let mut evaluator = Evaluator::new(&self.kernel, &fixed, &inner, together * block);
            for chunk in task * per_task..((task + 1) * per_task).min(chunks) {
                let start = chunk * block;
                let n = block.min(length - start);
                for first in (0..results).step_by(together) {
                    let columns = together.min(results - first);
                    evaluator.eval_tile(0, (first, start), columns, n);
                    for (part, states) in parts.iter().zip(&shared) {
                        for column in 0..columns {
                            let unit = (first + column) * chunks + chunk;
                            // SAFETY: the tile holds `n` elements of each column; every unit has a state of its own.
                            unsafe {
                                let x = evaluator.pointer(part.reg).add(column * n * part.size);
                                let state = states.get().add(unit * part.reducer.state_size);
                                (part.reducer.block)(x, n, start, state);
                            }
                        }
                    }
                }
            }
        })?;
        // SAFETY: the states were written above, as many for each part.
        unsafe { self.finish(parts, &shared, results, chunks, 1) }
    }

    /// Accumulates rows of results, in groups of a fixed number of rows, then a tree over the groups.
    pub(super) fn down_columns(&self, parts: &[ReductionPart]) -> Result<()> {
        let (results, length) = (self.kept.size(), self.reduced.size());
        let groups = length.div_ceil(GROUP_ROWS);
        let last = self.kept.dims.len() - 1;
        // Blocks stay within a run of the innermost kept axis, where that is long enough to be worth it.
        let run = if self.kept.dims[last] >= MIN_COLUMN_WALK { self.kept.dims[last] } else { results };
        let block = REDUCTION_BLOCK.min(run);
        let across = run.div_ceil(block);
        let blocks = results / run * across;
        // A power of two, so that what a task joins is a whole subtree.
        let together = 1
            << (groups * blocks / (MIN_TASKS_PER_THREAD * thread_count())).clamp(1, GROUPS_PER_TASK).ilog2();
        let joined = groups.div_ceil(together);
        // Where one task joins all groups of its results it makes these, too.
        let finishes = joined == 1;
        let mut states = States::of(parts, if finishes { 0 } else { joined * results });
        let shared = shared(&mut states);
        let regs = regs(parts);
        let parallel = self.kernel.pays_parallel(results * length);
        // What is computed is taken in strips of columns, several rows of each at a time.
        let takes_many = parts.iter().any(|part| part.reducer.accumulate_many.is_some());
        let part = self.kernel.part_elements(&self.reduced, &self.kept, ROWS_AT_A_TIME);
        let strips = match part.filter(|_| takes_many) {
            Some(part) => Strips { columns: part.min(block), rows: ROWS_AT_A_TIME },
            None => Strips { columns: block, rows: 1 },
        };
        // Blocks side by side that a task takes, where they are few elements each.
        let side_by_side =
            (ELEMENTS_PER_TASK / (block * (together * GROUP_ROWS).min(length))).clamp(1, blocks);
        let widths = blocks.div_ceil(side_by_side);
        run_spread(joined * widths, parallel, &|task| {
            let (number, first_block) = (task / widths, task % widths * side_by_side);
            let first_group = number * together;
            let count = together.min(groups - first_group);
            let strip = strips.columns;
            let mut evaluator = Evaluator::new(&self.kernel, &self.reduced, &self.kept, strip * strips.rows);
            let columns = block.next_multiple_of(strip);
            let mut rows: SmallVec<[Vec<u64>; 2]> =
                parts.iter().map(|part| filled((columns * part.reducer.row_size).div_ceil(8), 0)).collect();
            let mut own: SmallVec<[Scratch; 2]> = parts
                .iter()
                .map(|part| {
                    Scratch::new((count * block * part.reducer.state_size).div_ceil(size_of::<CacheLine>()))
                })
                .collect();
            for at in first_block..(first_block + side_by_side).min(blocks) {
                let start = at / across * run + at % across * block;
                let n = block.min(run - at % across * block);
                for group in 0..count {
                    let first = (first_group + group) * GROUP_ROWS;
                    let height = GROUP_ROWS.min(length - first);
                    self.take_group(
                        parts,
                        &regs,
                        &mut evaluator,
                        &mut rows,
                        (first, height),
                        (start, n),
                        strips,
                    );
                    for ((part, own), rows) in parts.iter().zip(&mut own).zip(&rows) {
                        let Reducer { row_size, state_size, flush, .. } = part.reducer;
                        for at in (0..n).step_by(strip) {
                            // SAFETY: every group has a state for each of the block's results, and every strip its accumulators.
                            unsafe {
                                let state = own.at(0).add((group * n + at) * state_size);
                                let rows = rows.as_ptr().cast::<u8>().add(at * row_size);
                                flush(rows, strip, strip.min(n - at), height, state);
                            }
                        }
                    }
                }
                for ((part, states), own) in parts.iter().zip(&shared).zip(&mut own) {
                    let size = part.reducer.state_size;
                    let own = own.at(0);
                    // SAFETY: `count` times `n` states have been made; as many results, or `n` shared states, are this task's.
                    unsafe {
                        join_parts(&part.reducer, count, n, |group| own.add(group * n * size));
                        if finishes {
                            part.write(own, start, n);
                            continue;
                        }
                        let target = states.get().add((number * results + start) * size);
                        std::ptr::copy_nonoverlapping(own, target, n * size);
                    }
                }
            }
        })?;
        if finishes {
            return Ok(());
        }
        // SAFETY: the states were written above, as many for each part.
        unsafe { self.finish(parts, &shared, results, joined, results) }
    }

    /// Takes `height` rows from `first` on, and `n` results from `start` on, into the accumulators of each part: one strip of columns
    /// after the other, each with accumulators of its own.
    #[allow(clippy::too_many_arguments)]
    fn take_group(
        &self,
        parts: &[ReductionPart],
        regs: &[Reg],
        evaluator: &mut Evaluator<'_, '_>,
        rows: &mut [Vec<u64>],
        (first, height): (usize, usize),
        (start, n): (usize, usize),
        strips: Strips,
    ) {
        let bare = bare_parts(evaluator, regs, start, n);
        let takes_many = parts.iter().any(|part| part.reducer.accumulate_many.is_some());
        let may_take_many = takes_many && (bare.is_some() || strips.rows > 1);
        let strip = strips.columns;
        let mut row = first;
        while row < first + height {
            let many = may_take_many && row + ROWS_AT_A_TIME <= first + height;
            for at in (0..n).step_by(strip) {
                let (place, count) = (start + at, strip.min(n - at));
                let evaluated = match &bare {
                    Some(_) => None,
                    None if many => Some(evaluator.eval_parts((row, ROWS_AT_A_TIME), (place, count), regs)),
                    None => {
                        evaluator.eval_whole(row, place, count, regs);
                        None
                    }
                };
                for (number, part) in parts.iter().enumerate() {
                    let taken = match (&bare, &evaluated) {
                        (Some(bare), _) if many => {
                            TakenRows::InMemory(bare[number].element(row, at), bare[number].step)
                        }
                        (Some(bare), _) => TakenRows::One(bare[number].element(row, at)),
                        (None, Some(found)) => {
                            TakenRows::Evaluated(found[number].element(0, 0), found[number].step)
                        }
                        (None, None) => TakenRows::One(evaluator.pointer(part.reg)),
                    };
                    // SAFETY: accumulators for every strip's results; the evaluated block holds `count` elements of each row, and
                    // where the rows are an input's own memory, the following ones lie a stride apart.
                    unsafe {
                        let rows = rows[number].as_mut_ptr().cast::<u8>().add(at * part.reducer.row_size);
                        part.take_rows(rows, strip, taken, count, row, row == first);
                    }
                }
            }
            row += if many { ROWS_AT_A_TIME } else { 1 };
        }
    }
}
