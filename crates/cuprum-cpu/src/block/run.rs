//! Running a Program without a reduction: its blocks, or its tiles where an operand is transposed, shared among the threads.

use cuprum_core::{Dims, Result, SimdLevel};
use cuprum_graph::{Buffer, InstrKind, Program};
use cuprum_threads::{run_spread, thread_count};

use super::{BoundProgram, Evaluator, space_of};
use crate::space::{Space, Steps};
use crate::streams::stream_fence;

/// The sides of a tile: rows are walked along the transposed operand, columns along the others.
const TILE_ROWS: usize = 32;
const TILE_COLS: usize = 64;
/// Elements that a task should have.
const ELEMENTS_PER_TASK: usize = 1 << 16;
/// Rows shorter than this are gathered together into one block; where many operands would be gathered, only rows shorter
/// than the second: to copy a row of each costs more than to begin a block.
const GATHERED_ROW_MAX: (usize, usize) = (128, 48);
/// How many gathered operands count as many.
const GATHERED_MIN: usize = 3;

/// Runs a Program without a reduction.
pub(crate) fn run_map(
    program: &Program,
    inputs: &[Buffer],
    outputs: &[Buffer],
    level: SimdLevel,
) -> Result<()> {
    if program.size() == 0 {
        return Ok(());
    }
    let order = program.outputs.last().map(|o| o.layout.nesting()).unwrap_or_default();
    let mut space = space_of(program, &order);
    space.collapse();
    let tiled = tiled_axis(program, &space);
    let last = space.dims.len().saturating_sub(1);
    let at = if are_rows_gathered(&space) { 0 } else { last };
    let (fixed, mut inner) = space.split(at);
    let stays = |input: usize| tiled.is_none() && inner.steps[input].iter().all(|step| *step == 0);
    let mut kernel = BoundProgram::new(program, inputs, outputs, stays, level)?;
    let parallel = kernel.pays_parallel(space.size());
    if let Some(axis) = tiled {
        kernel.leave_direct();
        return run_tiles(&kernel, &space, axis, parallel);
    }
    if inner.dims.is_empty() {
        kernel.add_unit_axis(&mut inner);
    }
    kernel.leave_direct_unless_dense(&inner);
    let length = inner.size();
    let block = kernel.block_elements(&inner).min(length);
    let chunks = length.div_ceil(block);
    let blocks = fixed.size() * chunks;
    // Of what is soon done every thread has several tasks too, so that all end together.
    let task = ELEMENTS_PER_TASK.min(fixed.size() * length / (4 * thread_count()));
    let per_task = if parallel { (task / block).max(1) } else { blocks };
    let rows = kernel.rows_together(&fixed, &inner);
    if rows > 1 {
        // Rows that are evaluated at a time are neighbours along one axis.
        let neighbours = fixed.dims[fixed.dims.len() - 1];
        run_spread(blocks.div_ceil(per_task), parallel, &|task| {
            let mut evaluator = Evaluator::new(&kernel, &fixed, &inner, rows * length);
            let (mut at, end) = (task * per_task, ((task + 1) * per_task).min(blocks));
            while at < end {
                let count = rows.min(end - at).min(neighbours - at % neighbours);
                evaluator.eval_rows(at, count);
                at += count;
            }
        })?;
        return Ok(());
    }
    run_spread(blocks.div_ceil(per_task), parallel, &|task| {
        let mut evaluator = Evaluator::new(&kernel, &fixed, &inner, block);
        for at in task * per_task..((task + 1) * per_task).min(blocks) {
            let start = at % chunks * block;
            evaluator.eval(at / chunks, start, block.min(length - start));
        }
        stream_fence();
    })
}

/// Whether rows are so short that those of several are put into one block.
fn are_rows_gathered(space: &Space) -> bool {
    let Some((&row, outer)) = space.dims.split_last() else { return false };
    // Neither one element for all, nor rows that follow each other: these are read where they are.
    let is_gathered = |steps: &&Steps| {
        let follows = |axis: usize| steps[axis] == space.dims[axis + 1] as isize * steps[axis + 1];
        steps.iter().any(|step| *step != 0) && !(0..outer.len()).all(follows)
    };
    let is_many = || space.steps.iter().filter(is_gathered).count() >= GATHERED_MIN;
    row < GATHERED_ROW_MAX.1 || (row < GATHERED_ROW_MAX.0 && !is_many())
}

/// The axis that some operand walks in smaller steps than the innermost one: both are then walked in tiles.
fn tiled_axis(program: &Program, space: &Space) -> Option<usize> {
    let last = space.dims.len().checked_sub(1)?;
    if last == 0 || space.dims[last] < TILE_ROWS / 2 {
        return None;
    }
    let positions = program.code.iter().filter(|instr| matches!(instr.kind, InstrKind::Iota(_)));
    // Positions lie nowhere.
    let sizes = (program.inputs.iter().map(|input| Some(input.dtype.size())))
        .chain(positions.map(|_| None))
        .chain(program.outputs.iter().map(|output| Some(output.dtype.size())));
    sizes.zip(&space.steps).find_map(|(size, steps)| {
        if steps[last].unsigned_abs() <= 2 * size? {
            return None;
        }
        (0..last)
            .filter(|&a| {
                steps[a] != 0 && steps[a].abs() < steps[last].abs() && space.dims[a] >= TILE_ROWS / 2
            })
            .min_by_key(|&a| steps[a].abs())
    })
}

fn run_tiles(kernel: &BoundProgram<'_>, space: &Space, axis: usize, parallel: bool) -> Result<()> {
    let last = space.dims.len() - 1;
    let mut order: Dims = (0..last).filter(|&a| a != axis).collect();
    order.extend([axis, last]);
    let moved = Space {
        dims: order.iter().map(|&a| space.dims[a]).collect(),
        steps: space.steps.iter().map(|s| order.iter().map(|&a| s[a]).collect()).collect(),
    };
    let (fixed, inner) = moved.split(last - 1);
    let (rows, cols) = (inner.dims[0], inner.dims[1]);
    let (down, across) = (rows.div_ceil(TILE_ROWS), cols.div_ceil(TILE_COLS));
    // A task is one row of tiles, walked along the innermost axis; where one thread does them all, it is all of them.
    let bands = fixed.size() * down;
    let per_task = if parallel { 1 } else { bands };
    run_spread(bands.div_ceil(per_task), parallel, &|task| {
        let mut evaluator = Evaluator::new(kernel, &fixed, &inner, TILE_ROWS * TILE_COLS);
        for band in task * per_task..((task + 1) * per_task).min(bands) {
            let row = band % down * TILE_ROWS;
            for tile in 0..across {
                let col = tile * TILE_COLS;
                let (height, width) = (TILE_ROWS.min(rows - row), TILE_COLS.min(cols - col));
                evaluator.eval_tile(band / down, (row, col), height, width);
            }
        }
    })
}
