//! Filters whose window has several axes: correlation with weights, extrema and ranks over a footprint.

use cuprum_core::memory::collected;
use cuprum_core::{DType, Result, SimdLevel};
use cuprum_graph::{Boundary, Footprint, Slot, WindowOp};
use cuprum_threads::{Shared, run_tasks};

use super::keys::{FilterKey, NanPlace, with_key};
use super::line::{FromKeys, ToKeys};
use super::rank::{self, Selection};
use super::tile::{BoxSource, advance, box_bytes, dense_steps, with_scratch};
use super::{LevelJob, NarrowResult, PARALLEL_MIN, end_block, run_at};
use crate::calls::start;

/// Bytes of a box.
const BOX_BYTES: usize = 192 << 10;
/// The most bytes of a box whose windows reach further than its own part of the result.
const LARGE_BOX_BYTES: usize = 3 << 20;
/// Elements of a box's rows, at least, where the array has as many.
const ROW_MIN_ELEMENTS: usize = 256;
/// Numbers that the loops treat at a time.
pub(super) const BLOCK_ELEMENTS: usize = 32;

/// Runs a filter over a footprint; input and output are dense.
pub(super) fn run(
    op: WindowOp<'_>,
    input: &Slot,
    out: &Slot,
    footprint: &Footprint,
    boundary: Boundary,
    level: SimdLevel,
) -> Result<()> {
    let boxes = |held| Boxes::new(input, out, &footprint.shape, &footprint.starts, held, boundary, level);
    let floats = |boxes: &Boxes, weights: &[f64], body: &(dyn Fn(WindowRows<'_, f64>) + Sync)| {
        let narrow = NarrowResult::new(out.dtype, level);
        let offsets = boxes.offsets(&footprint.places);
        let taps: Vec<(usize, f64)> = collected(offsets.into_iter().zip(weights.iter().copied()));
        boxes.run(taps.len(), |rows, to: *mut f64, place| {
            body(WindowRows { taps: &taps, n: rows.n, from: rows.from, to });
            // SAFETY: the row lies in the results and in the output, where it belongs to one task.
            unsafe { narrow.store(rows.n, to, place) };
        })
    };
    match op {
        WindowOp::Correlate(weights) => floats(&boxes(DType::F64), weights, &|rows| {
            // SAFETY: the box and its slack hold what the offsets reach.
            unsafe { run_at(level, WeightedSum(rows)) };
        }),
        WindowOp::MinimumPlus(addends) => floats(&boxes(DType::F64), addends, &|rows| {
            // SAFETY: as above.
            unsafe { run_at(level, ExtremumPlus { rows, larger: false }) };
        }),
        WindowOp::MaximumPlus(addends) => floats(&boxes(DType::F64), addends, &|rows| {
            // SAFETY: as above.
            unsafe { run_at(level, ExtremumPlus { rows, larger: true }) };
        }),
        WindowOp::Minimum => {
            with_key!(out.dtype, run_keys(boxes(out.dtype), footprint, 0, NanPlace::First, level))
        }
        WindowOp::Maximum => {
            let last = footprint.places.len() - 1;
            with_key!(out.dtype, run_keys(boxes(out.dtype), footprint, last, NanPlace::Last, level))
        }
        WindowOp::Rank(rank) => {
            with_key!(out.dtype, run_keys(boxes(out.dtype), footprint, rank, NanPlace::Last, level))
        }
    }
}

/// An input and an output cut into boxes, for windows of one shape.
pub(super) struct Boxes {
    source: BoxSource,
    out: Shared,
    out_size: usize,
    held_size: usize,
    shape: Vec<usize>,
    window: Vec<usize>,
    starts: Vec<isize>,
    /// Output elements of a box along each axis.
    tile: Vec<usize>,
    /// Steps of the box's memory, the same for all.
    steps: Vec<usize>,
}

/// A row of a box: how many results it has, and the box's element at the first place of the first one's window.
pub(super) struct WindowRow<T> {
    pub(super) n: usize,
    pub(super) from: *const T,
}

impl Boxes {
    pub(super) fn new(
        input: &Slot,
        out: &Slot,
        window: &[usize],
        starts: &[isize],
        held: DType,
        boundary: Boundary,
        level: SimdLevel,
    ) -> Boxes {
        let shape = out.layout.shape.to_vec();
        let tile = choose_tile(&shape, window, held.size());
        let extents: Vec<usize> = tile.iter().zip(window).map(|(tile, window)| tile + window - 1).collect();
        Boxes {
            source: BoxSource::new(input, &input.layout.shape, held, boundary, level),
            out: Shared(start(out)),
            out_size: out.dtype.size(),
            held_size: held.size(),
            window: window.to_vec(),
            starts: starts.to_vec(),
            steps: dense_steps(&extents),
            shape,
            tile,
        }
    }

    /// Where places of the window lie in the box, relative to its first one.
    pub(super) fn offsets(&self, places: &[usize]) -> Vec<usize> {
        let inside = dense_steps(&self.window);
        let axes = || inside.iter().zip(&self.window).zip(&self.steps);
        collected(
            places.iter().map(|place| axes().map(|((i, window), step)| place / i % window * step).sum()),
        )
    }

    /// Elements of a box's memory.
    pub(super) fn box_elements(&self) -> usize {
        self.steps[0] * (self.tile[0] + self.window[0] - 1)
    }

    /// Calls `body` for every row of every box with memory for its results and the row's place in the output.
    /// `work` is how much is done for one result.
    pub(super) fn run<T>(
        &self,
        work: usize,
        body: impl Fn(WindowRow<T>, *mut T, *mut u8) + Sync,
    ) -> Result<()> {
        self.run_prepared(work, |_| {}, body)
    }

    /// The same, with each box prepared once it is gathered.
    pub(super) fn run_prepared<T>(
        &self,
        work: usize,
        prepare: impl Fn(*mut T) + Sync,
        body: impl Fn(WindowRow<T>, *mut T, *mut u8) + Sync,
    ) -> Result<()> {
        let counts: Vec<usize> =
            self.shape.iter().zip(&self.tile).map(|(n, tile)| n.div_ceil(*tile)).collect();
        let size: usize = self.shape.iter().product();
        let last = self.shape.len() - 1;
        let out_steps = dense_steps(&self.shape);
        let extents: Vec<usize> =
            self.tile.iter().zip(&self.window).map(|(tile, window)| tile + window - 1).collect();
        let bytes = box_bytes(&extents, self.held_size)?;
        let parallel = size.saturating_mul(work) >= PARALLEL_MIN;
        run_tasks(counts.iter().product(), parallel, &|task| {
            let mut rest = task;
            let mut first = vec![0; counts.len()];
            for axis in (0..counts.len()).rev() {
                first[axis] = rest % counts[axis] * self.tile[axis];
                rest /= counts[axis];
            }
            let count: Vec<usize> =
                (0..counts.len()).map(|axis| self.tile[axis].min(self.shape[axis] - first[axis])).collect();
            let extents: Vec<usize> =
                count.iter().zip(&self.window).map(|(n, window)| n + window - 1).collect();
            let origin: Vec<isize> =
                first.iter().zip(&self.starts).map(|(n, start)| *n as isize + start).collect();
            with_scratch([bytes, self.tile[last] * self.held_size], |gathered, results| {
                // SAFETY: the scratch holds a full box, of which this is a part.
                unsafe { self.source.gather(&origin, &extents, &self.steps, gathered) };
                prepare(gathered.cast());
                let mut index = vec![0; last];
                loop {
                    let (mut from, mut place) = (0, first[last]);
                    for axis in 0..last {
                        from += index[axis] * self.steps[axis];
                        place += (first[axis] + index[axis]) * out_steps[axis];
                    }
                    let row = WindowRow {
                        n: count[last],
                        from: gathered.cast::<T>().wrapping_add(from).cast_const(),
                    };
                    body(row, results.cast(), self.out.get().wrapping_add(place * self.out_size));
                    if !advance(&mut index, &count[..last]) {
                        break;
                    }
                }
            });
        })
    }
}

/// The most products of a task of one box, unless its rows are too short for that.
const TASK_PRODUCTS: usize = 1 << 28;

/// How many output elements a box has along each axis: long rows first, then whichever axis has the most elements
/// gathered twice.
fn choose_tile(shape: &[usize], window: &[usize], size: usize) -> Vec<usize> {
    let last = shape.len() - 1;
    let mut tile = vec![1; shape.len()];
    // A task ends within some tens of milliseconds, however long the window: in between, a user may stop the work.
    let taps = window.iter().fold(1, |product: usize, &n| product.saturating_mul(n)).max(1);
    let most = (TASK_PRODUCTS / taps).max(2 * BLOCK_ELEMENTS);
    tile[last] = ROW_MIN_ELEMENTS.max(window[last].saturating_mul(2)).min(most).min(shape[last]).max(1);
    let bytes = |tile: &[usize]| {
        let extents = tile.iter().zip(window).map(|(tile, window)| tile + window - 1);
        extents.fold(size, usize::saturating_mul)
    };
    let excess = |tile: &[usize], axis: usize| (tile[axis] + window[axis] - 1) as f64 / tile[axis] as f64;
    loop {
        let growable = (0..shape.len()).filter(|&axis| tile[axis] < shape[axis]);
        let grown = growable.max_by(|&a, &b| excess(&tile, a).total_cmp(&excess(&tile, b))).map(|axis| {
            let mut next = tile.clone();
            next[axis] = (2 * tile[axis]).min(shape[axis]);
            (excess(&tile, axis), next)
        });
        match grown {
            Some((excess, next))
                if next.iter().product::<usize>() <= most
                    && bytes(&next) <= if excess > 1.5 { LARGE_BOX_BYTES } else { BOX_BYTES } =>
            {
                tile = next;
            }
            _ => return tile,
        }
    }
}

/// A row of results and what each is made of: places relative to the first, with a number for each.
struct WindowRows<'a, T> {
    taps: &'a [(usize, f64)],
    n: usize,
    from: *const T,
    to: *mut T,
}

struct WeightedSum<'a>(WindowRows<'a, f64>);

impl LevelJob for WeightedSum<'_> {
    #[inline(always)]
    unsafe fn call(self) {
        let WindowRows { taps, n, from, to } = self.0;
        for at in (0..n).step_by(BLOCK_ELEMENTS) {
            let mut sums = [0.0; BLOCK_ELEMENTS];
            // SAFETY: the maker's promise: the box and the results have room for a block more.
            unsafe {
                for &(offset, weight) in taps {
                    let x = from.add(at + offset);
                    for (k, sum) in sums.iter_mut().enumerate() {
                        *sum += *x.add(k) * weight;
                    }
                }
                to.add(at).cast::<[f64; BLOCK_ELEMENTS]>().write_unaligned(sums);
            }
            end_block();
        }
    }
}

/// The smallest or largest of elements with addends; NaN where there is one.
struct ExtremumPlus<'a> {
    rows: WindowRows<'a, f64>,
    larger: bool,
}

impl LevelJob for ExtremumPlus<'_> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: the maker's promise.
        unsafe {
            if self.larger {
                fold_sums(self.rows, |best, x| if x <= best { best } else { x });
            } else {
                fold_sums(self.rows, |best, x| if x >= best { best } else { x });
            }
        }
    }
}

/// # Safety
/// The box and the results have room for a block more.
#[inline(always)]
unsafe fn fold_sums(rows: WindowRows<'_, f64>, better: impl Fn(f64, f64) -> f64) {
    let WindowRows { taps, n, from, to } = rows;
    let (first, rest) = taps.split_first().expect("a footprint has a place");
    for at in (0..n).step_by(BLOCK_ELEMENTS) {
        let mut best = [0.0; BLOCK_ELEMENTS];
        // SAFETY: the caller's promise.
        unsafe {
            for (k, best) in best.iter_mut().enumerate() {
                *best = *from.add(at + first.0 + k) + first.1;
            }
            for &(offset, addend) in rest {
                let x = from.add(at + offset);
                for (k, best) in best.iter_mut().enumerate() {
                    // A NaN that is best already stays: nothing compares with it.
                    let next = better(*best, *x.add(k) + addend);
                    *best = if best.is_nan() { *best } else { next };
                }
            }
            to.add(at).cast::<[f64; BLOCK_ELEMENTS]>().write_unaligned(best);
        }
        end_block();
    }
}

/// Ranks, of which minimum and maximum are the first and the last, in the dtype of the elements.
fn run_keys<K: FilterKey>(
    infinity: Option<K>,
    boxes: Boxes,
    footprint: &Footprint,
    rank: usize,
    nan: NanPlace,
    level: SimdLevel,
) -> Result<()> {
    let offsets = boxes.offsets(&footprint.places);
    let selection = Selection::new(offsets.len(), rank);
    let elements = boxes.box_elements();
    let prepare = |gathered: *mut K| {
        if let Some(infinity) = infinity {
            // SAFETY: the box's memory is the task's own, and initialised.
            unsafe { run_at(level, ToKeys { n: elements, at: gathered, infinity, nan }) };
        }
    };
    boxes.run_prepared(selection.work(), prepare, |row, to: *mut K, place| {
        // SAFETY: the box and its slack hold what the offsets reach; the row lies in the output.
        unsafe {
            rank::select(&selection, &offsets, &row, to, level);
            if infinity.is_some() {
                run_at(level, FromKeys { n: row.n, at: to });
            }
            std::ptr::copy_nonoverlapping(to.cast(), place, row.n * size_of::<K>());
        }
    })
}
