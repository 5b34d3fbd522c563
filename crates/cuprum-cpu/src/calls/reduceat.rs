//! Reductions of segments along an axis: `ufunc.reduceat`.

use cuprum_core::memory::copied;
use cuprum_core::ops::{Arithmetic, Grouping};
use cuprum_core::{DType, Error, Op, Reduction, Result, SimdLevel};
use cuprum_graph::Slot;

use super::number::{Accumulated, with_number};
use super::{AxisSplit, PARALLEL_MIN, allocate, dense, folding_lane, start, with_dense_out};
use cuprum_lanes::{Lane, cast};
use cuprum_threads::{Shared, run_tasks};

/// Elements that a task reduces, about.
const ELEMENTS_PER_TASK: usize = if cfg!(miri) { 1 << 5 } else { 1 << 14 };
/// Elements of a block of columns when the axis is not the innermost one.
const COLUMN_BLOCK: usize = if cfg!(miri) { 4 } else { 2048 };
/// Elements that are folded side by side along a segment, where the order does not matter.
const FOLDED_AT_A_TIME: usize = if cfg!(miri) { 8 } else { 64 };

pub(super) fn reduceat(
    reduction: Reduction,
    input: &Slot,
    starts: &Slot,
    out: &Slot,
    axis: usize,
    level: SimdLevel,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let row = reduction.row();
    let op = row.op.ok_or_else(|| Error::value("reduceat", format!("{} has no binary op", row.name)))?;
    let starts = dense(starts)?;
    // SAFETY: dense int64, which the slot keeps alive.
    let starts =
        unsafe { copied(std::slice::from_raw_parts(start(&starts).cast::<i64>(), starts.layout.size())) };
    let loop_dtype = loop_dtype(op, input.dtype);
    let input = cast_dense(input, loop_dtype, level)?;
    with_dense_out(out, |out| {
        if out.dtype == loop_dtype {
            return reduce_segments(op, &input, &starts, out, axis, level);
        }
        let wide = allocate(&out.layout.shape, loop_dtype)?;
        reduce_segments(op, &input, &starts, &wide, axis, level)?;
        cast_all(&wide, out, level)
    })
}

/// What a segment is folded in: truth for what gives truth, and single precision for sums of halves.
fn loop_dtype(op: Op, dtype: DType) -> DType {
    match (op, dtype) {
        (op, DType::F16 | DType::BF16) if op.row().accumulates => DType::F32,
        _ => op.output(dtype),
    }
}

/// The elements in another dtype, dense.
fn cast_dense(slot: &Slot, dtype: DType, level: SimdLevel) -> Result<Slot> {
    let plain = dense(slot)?;
    if plain.dtype == dtype {
        return Ok(plain);
    }
    let converted = allocate(&plain.layout.shape, dtype)?;
    cast_all(&plain, &converted, level)?;
    Ok(converted)
}

/// Converts between dense arrays of one size.
fn cast_all(from: &Slot, to: &Slot, level: SimdLevel) -> Result<()> {
    let convert = cast(from.dtype, to.dtype, level);
    let (size, sizes) = (from.layout.size(), (from.dtype.size(), to.dtype.size()));
    let (from, to) = (Shared(start(from)), Shared(start(to)));
    run_tasks(size.div_ceil(ELEMENTS_PER_TASK), size >= PARALLEL_MIN, &|task| {
        let at = task * ELEMENTS_PER_TASK;
        // SAFETY: both are dense and aligned and hold `size` elements, a part of them for each task.
        unsafe {
            let source = from.get().add(at * sizes.0).cast_const();
            convert(ELEMENTS_PER_TASK.min(size - at), to.get().add(at * sizes.1), [source; 3]);
        }
    })
}

/// The positions of segment `i`: from its start up to the next start, or its first element alone if the next start is not
/// greater.
fn segment(starts: &[i64], i: usize, length: usize) -> (usize, usize) {
    let from = starts[i] as usize;
    let to = starts.get(i + 1).map_or(length, |&next| next as usize);
    (from, to.max(from + 1))
}

fn reduce_segments(
    op: Op,
    input: &Slot,
    starts: &[i64],
    out: &Slot,
    axis: usize,
    level: SimdLevel,
) -> Result<()> {
    let around = AxisSplit::new(&input.layout.shape, axis);
    let dtype = input.dtype;
    let fold = folding_lane(op, dtype, level)?;
    if around.inner > 1 {
        return fold_columns(fold, input, out, starts, around);
    }
    let typed = match Reduction::of(op).arithmetic() {
        Some(Arithmetic::Sum) => with_number!(dtype, sum_segments(input, out, starts, around)),
        Some(Arithmetic::Product) => with_number!(dtype, multiply_segments(input, out, starts, around)),
        None => None,
    };
    typed.unwrap_or_else(|| {
        let [from, to] = [input, out].map(|slot| Shared(start(slot)));
        let any_order = Reduction::of(op).row().grouping != Grouping::InOrder;
        for_segments(starts, around, |input, (begin, end), result| {
            let size = dtype.size();
            // SAFETY: segments lie along the axis; each result is written by one task.
            unsafe {
                let run = from.get().add((input + begin) * size);
                fold_run(fold, size, run, end - begin, to.get().add(result * size), any_order);
            }
        })
    })
}

/// Calls `reduce(first element of the row, segment, number of the result)` for every row and segment.
fn for_segments(
    starts: &[i64],
    around: AxisSplit,
    reduce: impl Fn(usize, (usize, usize), usize) + Sync,
) -> Result<()> {
    let results = around.outer * starts.len();
    let per_task = (ELEMENTS_PER_TASK * starts.len() / around.length.max(1)).clamp(1, ELEMENTS_PER_TASK);
    run_tasks(results.div_ceil(per_task), around.size().max(results) >= PARALLEL_MIN, &|task| {
        for result in task * per_task..results.min((task + 1) * per_task) {
            let (row, i) = (result / starts.len(), result % starts.len());
            reduce(row * around.length, segment(starts, i, around.length), result);
        }
    })
}

fn sum_segments<T: Accumulated>(from: &Slot, to: &Slot, starts: &[i64], around: AxisSplit) -> Result<()> {
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    for_segments(starts, around, |input, (begin, end), result| {
        // SAFETY: segments lie along the axis; each result is written by one task.
        unsafe {
            let run = std::slice::from_raw_parts(from.get().cast::<T>().add(input + begin), end - begin);
            let sum = T::plus(run[0].widen(), sum_pairwise(&run[1..]));
            to.get().cast::<T>().add(result).write(T::narrow(sum));
        }
    })
}

/// The sum by halves, so that the error grows with the logarithm of the length.
fn sum_pairwise<T: Accumulated>(run: &[T]) -> T::Wide {
    if run.len() > 128 {
        let (left, right) = run.split_at(run.len() / 2 / 8 * 8);
        return T::plus(sum_pairwise(left), sum_pairwise(right));
    }
    let mut sums = [T::NEUTRAL; 8];
    let eights = run.chunks_exact(8);
    let rest = eights.remainder();
    for eight in eights {
        for (sum, &value) in sums.iter_mut().zip(eight) {
            *sum = T::plus(*sum, value.widen());
        }
    }
    let pair = |i: usize| T::plus(sums[i], sums[i + 1]);
    let total = T::plus(T::plus(pair(0), pair(2)), T::plus(pair(4), pair(6)));
    rest.iter().fold(total, |sum, &value| T::plus(sum, value.widen()))
}

fn multiply_segments<T: Accumulated>(
    from: &Slot,
    to: &Slot,
    starts: &[i64],
    around: AxisSplit,
) -> Result<()> {
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    for_segments(starts, around, |input, (begin, end), result| {
        // SAFETY: segments lie along the axis; each result is written by one task.
        unsafe {
            let run = std::slice::from_raw_parts(from.get().cast::<T>().add(input + begin), end - begin);
            let product = run[1..].iter().fold(run[0].widen(), |p, &value| T::times(p, value.widen()));
            to.get().cast::<T>().add(result).write(T::narrow(product));
        }
    })
}

/// Folds a dense run into one element.
///
/// # Safety
/// `run` holds `n > 0` aligned elements, `out` takes one; they do not overlap.
unsafe fn fold_run(fold: Lane, size: usize, run: *const u8, n: usize, out: *mut u8, any_order: bool) {
    let mut scratch = [[0u64; 2]; FOLDED_AT_A_TIME];
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    // SAFETY: all positions are below `n`; the scratch holds `FOLDED_AT_A_TIME` elements of any dtype.
    unsafe {
        if !any_order || n < 2 * FOLDED_AT_A_TIME {
            std::ptr::copy_nonoverlapping(run, out, size);
            for i in 1..n {
                let next = run.add(i * size);
                fold(1, out, [out, next, next]);
            }
            return;
        }
        std::ptr::copy_nonoverlapping(run, scratch, FOLDED_AT_A_TIME * size);
        for at in (FOLDED_AT_A_TIME..n).step_by(FOLDED_AT_A_TIME) {
            let next = run.add(at * size);
            fold(FOLDED_AT_A_TIME.min(n - at), scratch, [scratch, next, next]);
        }
        let mut width = FOLDED_AT_A_TIME / 2;
        while width > 0 {
            let upper = scratch.add(width * size).cast_const();
            fold(width, scratch, [scratch, upper, upper]);
            width /= 2;
        }
        std::ptr::copy_nonoverlapping(scratch, out, size);
    }
}

/// Folds segments along an axis that is not the innermost one: row by row, in blocks of columns.
fn fold_columns(fold: Lane, from: &Slot, to: &Slot, starts: &[i64], around: AxisSplit) -> Result<()> {
    let size = to.dtype.size();
    let [from, to] = [from, to].map(|slot| Shared(start(slot)));
    let blocks = around.inner.div_ceil(COLUMN_BLOCK);
    let results = around.outer * starts.len();
    let parallel = around.size().max(results * around.inner) >= PARALLEL_MIN;
    run_tasks(results * blocks, parallel, &|task| {
        let (result, column) = (task / blocks, task % blocks * COLUMN_BLOCK);
        let (outer, i) = (result / starts.len(), result % starts.len());
        let n = COLUMN_BLOCK.min(around.inner - column);
        let (begin, end) = segment(starts, i, around.length);
        let at = |row: usize| {
            let element = (outer * around.length + row) * around.inner + column;
            from.get().wrapping_add(element * size).cast_const()
        };
        // SAFETY: segments lie along the axis; each block of columns of a result is written by one task.
        unsafe {
            let out = to.get().add((result * around.inner + column) * size);
            std::ptr::copy_nonoverlapping(at(begin), out, n * size);
            for row in begin + 1..end {
                fold(n, out, [out, at(row), at(row)]);
            }
        }
    })
}
