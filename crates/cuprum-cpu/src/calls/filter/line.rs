//! Filters along one axis: correlation with weights, means, minima and maxima.
//!
//! A box holds windows' elements `step` apart, lines one after the other. The loops run over it from end to end: what
//! they compute where one line's windows reach into the next is never looked at.

use cuprum_core::memory::collected;
use cuprum_core::{DType, Result, SimdLevel};
use cuprum_graph::{Boundary, LineOp, Slot};
use cuprum_threads::{Shared, run_tasks};

use super::keys::{FilterKey, NanPlace, with_key};
use super::tile::{BoxSource, PADDING_BYTES, box_bytes, with_scratch};
use super::{LevelJob, NarrowResult, PARALLEL_MIN, end_block, run_at};
use crate::calls::{AxisSplit, start};

/// Bytes of a box: along the innermost axis the first-level cache, across it the second-level one.
const ALONG_BYTES: usize = 20 << 10;
const ACROSS_BYTES: usize = 192 << 10;
/// Bytes of a box's rows where the axis is not the innermost one.
const ROW_BYTES: usize = 1 << 10;
/// Windows longer than this are folded from both ends of fixed runs; shorter ones by doubling.
const DOUBLING_MAX_WINDOW: usize = 1024;
/// Numbers that the loops treat at a time.
const BLOCK_ELEMENTS: usize = 32;

/// Runs a filter along an axis; input and output are dense.
pub(super) fn run(
    op: LineOp<'_>,
    input: &Slot,
    out: &Slot,
    axis: usize,
    start: isize,
    boundary: Boundary,
    level: SimdLevel,
) -> Result<()> {
    let line = |held: DType| FilterLines::new(input, out, axis, start, op.size(), held, boundary, level);
    match op {
        LineOp::Correlate(weights) => {
            let taps = Taps::new(weights);
            line(DType::F64).run_floats(NarrowResult::new(out.dtype, level), |n, step, from, to| {
                // SAFETY: the box and its slack hold what the taps reach.
                unsafe { run_at(level, Correlation { taps: &taps, n, step, from, to }) };
            })
        }
        LineOp::Mean(size) => {
            let lines = line(DType::F64);
            let period = lines.box_length();
            lines.run_floats(NarrowResult::new(out.dtype, level), |n, step, from, to| {
                // SAFETY: the box and its slack hold what the windows reach.
                unsafe {
                    run_at(level, Fold::<f64, SumFold> { n, step, size, period, from, to, join: SumFold });
                    run_at(level, Division { n, by: size as f64, at: to });
                }
            })
        }
        LineOp::Minimum(_) => {
            with_key!(out.dtype, run_keys(line(out.dtype), Smaller, NanPlace::First, level))
        }
        LineOp::Maximum(_) => with_key!(out.dtype, run_keys(line(out.dtype), Larger, NanPlace::Last, level)),
    }
}

/// The lines of an input and an output, and how they are cut into boxes.
struct FilterLines {
    source: BoxSource,
    out: Shared,
    out_size: usize,
    /// The output around the axis.
    around: AxisSplit,
    start: isize,
    window: usize,
    held_size: usize,
    /// Lines, output positions along the axis and columns of a box.
    lines: usize,
    along: usize,
    across: usize,
}

/// A box: its first line, output position and column, and how many of each it has.
struct LineBox {
    first: [usize; 3],
    count: [usize; 3],
}

impl FilterLines {
    #[allow(clippy::too_many_arguments)]
    fn new(
        input: &Slot,
        out: &Slot,
        axis: usize,
        start_at: isize,
        window: usize,
        held: DType,
        boundary: Boundary,
        level: SimdLevel,
    ) -> FilterLines {
        let around = AxisSplit::new(&out.layout.shape, axis);
        let length = input.layout.shape[axis];
        let shape: &[usize] =
            if around.inner == 1 { &[around.outer, length] } else { &[around.outer, length, around.inner] };
        let held_size = held.size();
        let columns = around.inner.div_ceil(around.inner.div_ceil(ROW_BYTES / held_size).max(1)).max(1);
        let across = if around.inner == 1 { 1 } else { columns };
        let bytes = if around.inner == 1 { ALONG_BYTES } else { ACROSS_BYTES };
        let room = bytes / (held_size * across);
        // Positions that only neighbouring boxes need are gathered twice: a box has some times more of its own.
        let along =
            room.saturating_sub(window - 1).max(window.saturating_mul(4)).clamp(1, around.length.max(1));
        let lines = if along < around.length { 1 } else { (room / (along + window - 1)).max(1) };
        FilterLines {
            source: BoxSource::new(input, shape, held, boundary, level),
            out: Shared(start(out)),
            out_size: out.dtype.size(),
            around,
            start: start_at,
            window,
            held_size,
            lines,
            along,
            across,
        }
    }

    /// Elements of a line in a box of full length.
    fn box_length(&self) -> usize {
        self.along + self.window - 1
    }

    fn run(&self, body: impl Fn(&LineBox, *mut u8, *mut u8) + Sync) -> Result<()> {
        let AxisSplit { outer, length, inner } = self.around;
        let (by_line, by_place, by_column) =
            (outer.div_ceil(self.lines), length.div_ceil(self.along), inner.div_ceil(self.across));
        let bytes = box_bytes(&[self.lines, self.box_length(), self.across], self.held_size)?;
        run_tasks(by_line * by_place * by_column, self.around.size() >= PARALLEL_MIN, &|task| {
            let first = [
                task / (by_column * by_place) * self.lines,
                task / by_column % by_place * self.along,
                task % by_column * self.across,
            ];
            let count = [
                self.lines.min(outer - first[0]),
                self.along.min(length - first[1]),
                self.across.min(inner - first[2]),
            ];
            let part = LineBox { first, count };
            with_scratch([bytes, bytes], |gathered, results| {
                // SAFETY: the scratch holds a full box.
                unsafe { self.gather(&part, gathered) };
                body(&part, gathered, results);
            });
        })
    }

    /// Brings the elements of a box side by side.
    ///
    /// # Safety
    /// There is room for a full box at `gathered`.
    unsafe fn gather(&self, part: &LineBox, gathered: *mut u8) {
        let [lines, along, across] = part.count;
        let length = along + self.window - 1;
        let begin = part.first[1] as isize + self.start;
        // SAFETY: the caller's promise; this is a part of a full box.
        unsafe {
            if self.around.inner == 1 {
                let origin = [part.first[0] as isize, begin];
                self.source.gather(&origin, &[lines, length], &[length, 1], gathered);
            } else {
                let origin = [part.first[0] as isize, begin, part.first[2] as isize];
                let steps = [length * across, across, 1];
                self.source.gather(&origin, &[lines, length, across], &steps, gathered);
            }
        }
    }

    /// Calls `store` with runs of results, as elements of the box, and where they go.
    fn store(&self, part: &LineBox, store: impl Fn(usize, usize, *mut u8)) {
        let [lines, along, across] = part.count;
        let AxisSplit { length, inner, .. } = self.around;
        let box_line = (along + self.window - 1) * across;
        let whole = across == inner;
        let (rows, run) = if whole { (1, along * across) } else { (along, across) };
        for line in 0..lines {
            for row in 0..rows {
                let place = ((part.first[0] + line) * length + part.first[1] + row) * inner + part.first[2];
                let to = self.out.get().wrapping_add(place * self.out_size);
                store(run, line * box_line + row * across, to);
            }
        }
    }

    /// Runs a filter in float64: `body` is called with the number of places, the step of a window, the box and where
    /// the results go.
    fn run_floats(
        &self,
        narrow: NarrowResult,
        body: impl Fn(usize, usize, *mut f64, *mut f64) + Sync,
    ) -> Result<()> {
        self.run(|part, gathered, results| {
            let [lines, along, across] = part.count;
            let places = (lines * (along + self.window - 1) - (self.window - 1)) * across;
            let (from, to) = (gathered.cast::<f64>(), results.cast::<f64>());
            body(places, across, from, to);
            // SAFETY: runs lie in the results and in the output, each of which belongs to one task.
            self.store(part, |n, at, place| unsafe { narrow.store(n, to.add(at), place) });
        })
    }
}

/// The products of a correlation, in the order in which they are added.
struct Taps {
    /// The first product: place in the window and weight.
    first: (usize, f64),
    /// The others: one place, or two whose elements are added or subtracted before.
    rest: Vec<(usize, usize, f64)>,
    pairing: Pairing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    None,
    Sums,
    Differences,
}

impl Taps {
    fn new(weights: &[f64]) -> Taps {
        let (n, half) = (weights.len(), weights.len() / 2);
        let all = |close: &dyn Fn(f64, f64) -> f64| {
            (1..=half).all(|i| {
                let apart = close(weights[half + i], weights[half - i]).abs();
                // NaN is close to everything, as `!(apart > epsilon)` has it.
                apart <= f64::EPSILON || apart.is_nan()
            })
        };
        let pairing = match n % 2 {
            1 if all(&|a, b| a - b) => Pairing::Sums,
            1 if all(&|a, b| a + b) => Pairing::Differences,
            _ => Pairing::None,
        };
        if pairing == Pairing::None {
            let rest = collected((0..n - 1).map(|i| (i, i, weights[i])));
            return Taps { first: (n - 1, weights[n - 1]), rest, pairing };
        }
        let rest = collected((0..half).map(|i| (i, n - 1 - i, weights[i])));
        Taps { first: (half, weights[half]), rest, pairing }
    }
}

struct Correlation<'a> {
    taps: &'a Taps,
    n: usize,
    step: usize,
    from: *const f64,
    to: *mut f64,
}

impl LevelJob for Correlation<'_> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: the maker's promise.
        unsafe {
            match self.taps.pairing {
                Pairing::None => self.sweep(|a, _| a),
                Pairing::Sums => self.sweep(|a, b| a + b),
                Pairing::Differences => self.sweep(|a, b| a - b),
            }
        }
    }
}

impl Correlation<'_> {
    /// # Safety
    /// The box holds `n` places with their windows and a block more, the results `n` and a block more.
    #[inline(always)]
    unsafe fn sweep(&self, pair: impl Fn(f64, f64) -> f64 + Copy) {
        let (centre, weight) = self.taps.first;
        for at in (0..self.n).step_by(BLOCK_ELEMENTS) {
            // SAFETY: the caller's promise.
            unsafe {
                let from = self.from.add(at);
                let mut sums = [0.0; BLOCK_ELEMENTS];
                let first = from.add(centre * self.step);
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum = *first.add(k) * weight;
                }
                for &(a, b, weight) in &self.taps.rest {
                    let (a, b) = (from.add(a * self.step), from.add(b * self.step));
                    for (k, sum) in sums.iter_mut().enumerate() {
                        *sum += pair(*a.add(k), *b.add(k)) * weight;
                    }
                }
                self.to.add(at).cast::<[f64; BLOCK_ELEMENTS]>().write_unaligned(sums);
            }
            end_block();
        }
    }
}

struct Division {
    n: usize,
    by: f64,
    at: *mut f64,
}

impl LevelJob for Division {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: `n` numbers are the task's own.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.n) }.iter_mut().for_each(|x| *x /= self.by);
    }
}

/// What joins two neighbouring runs of a window into one.
trait Join<T>: Copy + Sync {
    /// Whether what two runs share may be counted twice.
    const IDEMPOTENT: bool;
    fn join(self, a: T, b: T) -> T;
}

#[derive(Clone, Copy)]
struct SumFold;
#[derive(Clone, Copy)]
struct Smaller;
#[derive(Clone, Copy)]
struct Larger;

impl Join<f64> for SumFold {
    const IDEMPOTENT: bool = false;
    #[inline(always)]
    fn join(self, a: f64, b: f64) -> f64 {
        a + b
    }
}

impl<K: FilterKey> Join<K> for Smaller {
    const IDEMPOTENT: bool = true;
    #[inline(always)]
    fn join(self, a: K, b: K) -> K {
        if b < a { b } else { a }
    }
}

impl<K: FilterKey> Join<K> for Larger {
    const IDEMPOTENT: bool = true;
    #[inline(always)]
    fn join(self, a: K, b: K) -> K {
        if b > a { b } else { a }
    }
}

/// `to[i]` = the join of `from[i]`, `from[i + step]`, ... `from[i + (size - 1) * step]`; the box is used up.
///
/// Nothing is ever taken out of a running value: rounding errors do not drift, and one infinity or NaN reaches no
/// further than its windows.
struct Fold<T, J> {
    n: usize,
    step: usize,
    size: usize,
    /// Elements of a line in the box, `step` apart.
    period: usize,
    from: *mut T,
    to: *mut T,
    join: J,
}

impl<T: Copy, J: Join<T>> LevelJob for Fold<T, J> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: the maker's promise: the box holds `n` places with their windows, the results `n`.
        unsafe { if self.size > DOUBLING_MAX_WINDOW { self.fold_runs() } else { self.double() } }
    }
}

impl<T: Copy, J: Join<T>> Fold<T, J> {
    /// Windows from runs of 1, 2, 4, ... elements: each step joins two neighbouring ones.
    #[inline(always)]
    unsafe fn double(&self) {
        let Fold { n, step, size, from, to, .. } = *self;
        let all = n + (size - 1) * step;
        let mut run = 1;
        if J::IDEMPOTENT {
            // SAFETY: elements of the box; the runs joined last overlap and cover the window.
            unsafe {
                while 2 * run <= size {
                    self.pair(from, from, from.add(run * step), all - (2 * run - 1) * step);
                    run *= 2;
                }
                return self.pair(to, from, from.add((size - run) * step), n);
            }
        }
        if size == 1 {
            // SAFETY: the box holds `n` elements, and so do the results.
            return unsafe { std::ptr::copy_nonoverlapping(from, to, n) };
        }
        // Runs of the leading bits of `size`: each further bit doubles them, and adds an element where it is set.
        for bit in (0..size.ilog2()).rev() {
            let source = if run == 1 { from } else { to };
            let longer = size >> bit;
            let count = all - (longer - 1) * step;
            // SAFETY: elements of the box, and of the runs before; `to` holds as many as the box.
            unsafe {
                let next = source.add(run * step);
                if longer == 2 * run {
                    self.pair(to, source, next, count);
                } else {
                    self.triple(to, source, next, from.add(2 * run * step), count);
                }
            }
            run = longer;
        }
    }

    /// `to[i] = join(join(a[i], b[i]), c[i])`, ascending: `b` may be `to` further on.
    #[inline(always)]
    unsafe fn triple(&self, to: *mut T, a: *const T, b: *const T, c: *const T, n: usize) {
        const WIDTH: usize = 16;
        let whole = n / WIDTH * WIDTH;
        for at in (0..whole).step_by(WIDTH) {
            // SAFETY: the caller hands `n` elements of each; a block is read before it is written.
            unsafe {
                let [x, y, z] = [a, b, c].map(|p| p.add(at).cast::<[T; WIDTH]>().read_unaligned());
                let mut joined = x;
                for k in 0..WIDTH {
                    joined[k] = self.join.join(self.join.join(x[k], y[k]), z[k]);
                }
                to.add(at).cast::<[T; WIDTH]>().write_unaligned(joined);
            }
            end_block();
        }
        for i in whole..n {
            // SAFETY: as above.
            unsafe { *to.add(i) = self.join.join(self.join.join(*a.add(i), *b.add(i)), *c.add(i)) };
        }
    }

    /// `to[i] = join(a[i], b[i])`, ascending: `b` may be `to` further on.
    #[inline(always)]
    unsafe fn pair(&self, to: *mut T, a: *const T, b: *const T, n: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match size_of::<T>() {
                1 => self.pair_blocks::<128>(to, a, b, n),
                2 => self.pair_blocks::<64>(to, a, b, n),
                4 => self.pair_blocks::<32>(to, a, b, n),
                _ => self.pair_blocks::<16>(to, a, b, n),
            }
        }
    }

    #[inline(always)]
    unsafe fn pair_blocks<const WIDTH: usize>(&self, to: *mut T, a: *const T, b: *const T, n: usize) {
        let whole = n / WIDTH * WIDTH;
        for at in (0..whole).step_by(WIDTH) {
            // SAFETY: the caller hands `n` elements of each; a block is read before it is written.
            unsafe {
                let (x, y) = (
                    a.add(at).cast::<[T; WIDTH]>().read_unaligned(),
                    b.add(at).cast::<[T; WIDTH]>().read_unaligned(),
                );
                let mut joined = x;
                for k in 0..WIDTH {
                    joined[k] = self.join.join(x[k], y[k]);
                }
                to.add(at).cast::<[T; WIDTH]>().write_unaligned(joined);
            }
            end_block();
        }
        for i in whole..n {
            // SAFETY: as above.
            unsafe { *to.add(i) = self.join.join(*a.add(i), *b.add(i)) };
        }
    }

    /// Long windows: a window of `size` is the end of one run of `size` elements and the beginning of the next. Ends
    /// and beginnings of all runs are folded first; the cost does not depend on the size.
    #[inline(always)]
    unsafe fn fold_runs(&self) {
        let Fold { n, step, size, period, from, to, .. } = *self;
        let rows = n / step + size - 1;
        // SAFETY: rows of the box; `to` holds as many as the box.
        unsafe {
            for line in (0..rows).step_by(period) {
                for start in (line..rows.min(line + period)).step_by(size) {
                    let end = rows.min(line + period).min(start + size);
                    self.fold_run(start, end);
                }
            }
            for line in (0..n / step).step_by(period) {
                for start in (line..(n / step).min(line + period)).step_by(size) {
                    let count = size.min(n / step - start).min(line + period - start);
                    let at = start * step;
                    std::ptr::copy_nonoverlapping(from.add(at), to.add(at), step);
                    let (at, next) = (at + step, (start + size) * step);
                    self.pair(to.add(at), from.add(at), to.add(next), (count - 1) * step);
                }
            }
        }
    }

    /// Folds the rows of a run from its beginning, into `to`, and from its end, in the box.
    #[inline(always)]
    unsafe fn fold_run(&self, start: usize, end: usize) {
        let Fold { step, from, to, join, .. } = *self;
        // SAFETY: rows of the box.
        unsafe {
            if step > 1 {
                std::ptr::copy_nonoverlapping(from.add(start * step), to.add(start * step), step);
                for row in start + 1..end {
                    self.pair(to.add(row * step), to.add((row - 1) * step), from.add(row * step), step);
                }
                for row in (start..end - 1).rev() {
                    self.pair(from.add(row * step), from.add(row * step), from.add((row + 1) * step), step);
                }
                return;
            }
            // Both ways at once: one sum is added to while the other is waited for.
            let length = end - start;
            std::ptr::copy_nonoverlapping(from.add(start), to.add(start), length);
            let (mut first, mut last) = (*to.add(start), *from.add(end - 1));
            for i in 1..length {
                first = join.join(first, *to.add(start + i));
                *to.add(start + i) = first;
                let back = from.add(end - 1 - i);
                last = join.join(*back, last);
                *back = last;
            }
        }
    }
}

/// Minima or maxima in the dtype of the elements.
fn run_keys<K: FilterKey>(
    infinity: Option<K>,
    lines: FilterLines,
    join: impl Join<K>,
    nan: NanPlace,
    level: SimdLevel,
) -> Result<()> {
    const { assert!(BLOCK_ELEMENTS * 8 <= PADDING_BYTES) };
    let (size, period) = (lines.window, lines.box_length());
    lines.run(|part, gathered, results| {
        let [count, along, across] = part.count;
        let places = (count * (along + size - 1) - (size - 1)) * across;
        let (from, to) = (gathered.cast::<K>(), results.cast::<K>());
        let whole = places + (size - 1) * across;
        // SAFETY: the box holds the places with their windows; runs lie in the results and in the output.
        unsafe {
            if let Some(infinity) = infinity {
                run_at(level, ToKeys { n: whole, at: from, infinity, nan });
            }
            run_at(level, Fold { n: places, step: across, size, period, from, to, join });
            if infinity.is_some() {
                run_at(level, FromKeys { n: places, at: to });
            }
            lines.store(part, |n, at, place| {
                std::ptr::copy_nonoverlapping(to.add(at).cast(), place, n * size_of::<K>());
            });
        }
    })
}

/// Turns the bits of floats into keys.
pub(super) struct ToKeys<K> {
    pub(super) n: usize,
    pub(super) at: *mut K,
    pub(super) infinity: K,
    pub(super) nan: NanPlace,
}

impl<K: FilterKey> LevelJob for ToKeys<K> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: `n` elements are the task's own.
        K::from_floats(unsafe { std::slice::from_raw_parts_mut(self.at, self.n) }, self.infinity, self.nan);
    }
}

/// Turns keys into the bits of floats.
pub(super) struct FromKeys<K> {
    pub(super) n: usize,
    pub(super) at: *mut K,
}

impl<K: FilterKey> LevelJob for FromKeys<K> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: `n` elements are the task's own.
        K::to_floats(unsafe { std::slice::from_raw_parts_mut(self.at, self.n) });
    }
}
