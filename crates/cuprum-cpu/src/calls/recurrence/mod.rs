//! Recursive filters along an axis.
//!
//! One sample waits for the one before, so eight lines run side by side. Where there are few lines, each is cut into
//! blocks of fixed length instead: eight blocks run from a state of zero, the states are chained by the transition matrix
//! of a whole block, and the blocks run again from where they begin. The cut follows from the shape, so the bits do not
//! depend on the number of threads.

mod transition;

use cuprum_core::{DType, Result, SimdLevel};
use cuprum_graph::RecurrenceCall;
use cuprum_threads::{Shared, run_tasks};
use num_complex::Complex;

use super::filter::{LevelJob, run_at};
use super::scan::Carry;
use super::{AxisSplit, PARALLEL_MIN, dense, elements, start, with_dense_out};
use transition::{MAX_ORDER, Transition};

/// Lines, or blocks of one line, that run side by side.
const LINES_AT_A_TIME: usize = 8;
/// Samples of a block, and of a lane of a tile: a power of two.
const BLOCK_SAMPLES: usize = 512;
/// Samples of a chunk, which is one task's work at a time.
const CHUNK_SAMPLES: usize = LINES_AT_A_TIME * BLOCK_SAMPLES;
/// Lines are cut into blocks if there are fewer lines than this and each has at least this many chunks.
const BLOCKED_MAX_LINES: usize = 32;
const BLOCKED_MIN_CHUNKS: usize = 4;

/// What states are made of.
trait Wide:
    Copy
    + Send
    + Sync
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
{
    const ZERO: Self;
    /// Real numbers in one.
    const PARTS: usize;
    fn part(self, part: usize) -> f64;
    fn of_parts(parts: &[f64]) -> Self;
}

impl Wide for f64 {
    const ZERO: f64 = 0.0;
    const PARTS: usize = 1;

    fn part(self, _: usize) -> f64 {
        self
    }

    fn of_parts(parts: &[f64]) -> f64 {
        parts[0]
    }
}

impl Wide for Complex<f64> {
    const ZERO: Complex<f64> = Complex::new(0.0, 0.0);
    const PARTS: usize = 2;

    fn part(self, part: usize) -> f64 {
        if part == 0 { self.re } else { self.im }
    }

    fn of_parts(parts: &[f64]) -> Complex<f64> {
        Complex::new(parts[0], parts[1])
    }
}

fn is_finite<V: Wide>(v: V) -> bool {
    (0..V::PARTS).all(|part| v.part(part).is_finite())
}

fn is_nan<V: Wide>(v: V) -> bool {
    (0..V::PARTS).any(|part| v.part(part).is_nan())
}

/// What samples are stored as.
trait Sample: Copy {
    type Wide: Wide;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
}

impl Sample for f64 {
    type Wide = f64;

    fn widen(self) -> f64 {
        self
    }

    fn narrow(wide: f64) -> f64 {
        wide
    }
}

impl Sample for f32 {
    type Wide = f64;

    fn widen(self) -> f64 {
        f64::from(self)
    }

    fn narrow(wide: f64) -> f32 {
        wide as f32
    }
}

impl Sample for Complex<f64> {
    type Wide = Complex<f64>;

    fn widen(self) -> Complex<f64> {
        self
    }

    fn narrow(wide: Complex<f64>) -> Complex<f64> {
        wide
    }
}

impl Sample for Complex<f32> {
    type Wide = Complex<f64>;

    fn widen(self) -> Complex<f64> {
        Complex::new(f64::from(self.re), f64::from(self.im))
    }

    fn narrow(wide: Complex<f64>) -> Complex<f32> {
        Complex::new(wide.re as f32, wide.im as f32)
    }
}

/// Runs a recursive filter.
pub(super) fn run(call: &RecurrenceCall<'_>, level: SimdLevel) -> Result<()> {
    match call.input.dtype {
        DType::F32 => filter::<f32>(call, level),
        DType::F64 => filter::<f64>(call, level),
        DType::C64 => filter::<Complex<f32>>(call, level),
        _ => filter::<Complex<f64>>(call, level),
    }
}

fn filter<S: Sample>(call: &RecurrenceCall<'_>, level: SimdLevel) -> Result<()> {
    let (b, a, input, state) = (dense(call.b)?, dense(call.a)?, dense(call.input)?, dense(call.state)?);
    let around = AxisSplit::new(&call.out.layout.shape, call.axis);
    with_dense_out(call.last, |last| {
        with_dense_out(call.out, |out| {
            let lines = RecurrenceLines::<S> {
                sections: Sections { b: elements(&b), a: elements(&a), order: call.order() },
                from: Shared(start(&input)),
                to: Shared(start(out)),
                before: elements(&state),
                after: Shared(start(last)),
                around,
                level,
            };
            lines.run()
        })
    })
}

/// Coefficients of filters that follow each other.
#[derive(Clone, Copy)]
struct Sections<'a, V> {
    b: &'a [V],
    a: &'a [V],
    order: usize,
}

impl<'a, V> Sections<'a, V> {
    fn count(&self) -> usize {
        self.b.len() / (self.order + 1)
    }

    fn section(&self, section: usize) -> Coefficients<'a, V> {
        let n = self.order + 1;
        Coefficients { b: &self.b[section * n..][..n], a: &self.a[section * n..][..n] }
    }
}

#[derive(Clone, Copy)]
struct Coefficients<'a, V> {
    b: &'a [V],
    a: &'a [V],
}

/// The lines of a call.
struct RecurrenceLines<'a, S: Sample> {
    sections: Sections<'a, S::Wide>,
    from: Shared,
    to: Shared,
    before: &'a [S::Wide],
    after: Shared,
    around: AxisSplit,
    level: SimdLevel,
}

/// Samples of eight lanes, side by side.
type Tile<V> = Vec<[V; LINES_AT_A_TIME]>;

impl<S: Sample> RecurrenceLines<'_, S> {
    fn lines(&self) -> usize {
        self.around.outer * self.around.inner
    }

    fn run(&self) -> Result<()> {
        let (lines, length, order) = (self.lines(), self.around.length, self.sections.order);
        let can_cut =
            lines < BLOCKED_MAX_LINES && length >= BLOCKED_MIN_CHUNKS * CHUNK_SAMPLES && order <= MAX_ORDER;
        // The powers of the matrix must not cost more than the samples.
        if can_cut && length >= 200 * order * order {
            let of_section = |i| Transition::new(self.sections.section(i).a, BLOCK_SAMPLES);
            let transitions: Vec<_> = (0..self.sections.count()).map(of_section).collect();
            if transitions.iter().all(Transition::is_finite) {
                return (0..lines).try_for_each(|line| self.run_blocks(line, &transitions));
            }
        }
        let is_large = self.around.size() * self.sections.b.len() >= PARALLEL_MIN;
        run_tasks(lines.div_ceil(LINES_AT_A_TIME), is_large, &|group| {
            self.run_side_by_side(
                group * LINES_AT_A_TIME,
                LINES_AT_A_TIME.min(lines - group * LINES_AT_A_TIME),
            );
        })
    }

    /// Where the state of a section lies among those of all lines.
    fn state_at(&self, section: usize, line: usize) -> usize {
        (section * self.lines() + line) * self.sections.order
    }

    fn read_state(&self, section: usize, line: usize) -> &[S::Wide] {
        &self.before[self.state_at(section, line)..][..self.sections.order]
    }

    fn write_state(&self, section: usize, line: usize, state: impl Iterator<Item = S::Wide>) {
        let (first, order) = (self.state_at(section, line), self.sections.order);
        assert!(first + order <= self.before.len());
        let after = self.after.get().cast::<S::Wide>();
        for (i, z) in state.take(order).enumerate() {
            // SAFETY: there are as many states after as before, and a line is written by the one task that runs its end.
            unsafe { *after.add(first + i) = z };
        }
    }

    /// Where a sample of a line lies, in elements.
    fn place(&self, line: usize, at: usize) -> usize {
        let AxisSplit { length, inner, .. } = self.around;
        (line / inner * length + at) * inner + line % inner
    }

    /// Reads a tile: the samples of each lane from its place on.
    fn gather(&self, places: &[usize], tile: &mut [[S::Wide; LINES_AT_A_TIME]]) {
        let (from, step) = (self.from.get().cast::<S>(), self.around.inner);
        // SAFETY: the places and as many samples after them lie in the array; the processor has the level's instructions.
        unsafe { run_at(self.level, Gather { from, places, step, tile }) };
    }

    /// Writes a tile.
    fn scatter(&self, places: &[usize], tile: &[[S::Wide; LINES_AT_A_TIME]]) {
        let (to, step) = (self.to.get().cast::<S>(), self.around.inner);
        // SAFETY: as in `gather`; each sample belongs to one task.
        unsafe { run_at(self.level, Scatter { to, places, step, tile }) };
    }

    /// Filters a tile in place.
    fn filter_tile(
        &self,
        section: usize,
        tile: &mut [[S::Wide; LINES_AT_A_TIME]],
        state: &mut [[S::Wide; LINES_AT_A_TIME]],
    ) {
        let coefficients = self.sections.section(section);
        // SAFETY: the processor has the level's instructions; the steps have no conditions of their own.
        unsafe { run_at(self.level, FilterSteps::<_, LINES_AT_A_TIME, true> { coefficients, tile, state }) };
    }

    /// Runs `count` samples of each lane from `places` on; `states` holds the sections' states one after the other.
    fn run_lanes(&self, places: &[usize], count: usize, states: &mut [[S::Wide; LINES_AT_A_TIME]]) {
        let mut tile: Tile<S::Wide> = vec![[S::Wide::ZERO; LINES_AT_A_TIME]; BLOCK_SAMPLES.min(count)];
        for first in (0..count).step_by(BLOCK_SAMPLES) {
            let tile = &mut tile[..BLOCK_SAMPLES.min(count - first)];
            let places: Vec<usize> = places.iter().map(|place| place + first * self.around.inner).collect();
            self.gather(&places, tile);
            for (section, state) in states.chunks_exact_mut(self.sections.order).enumerate() {
                self.filter_tile(section, tile, state);
            }
            self.scatter(&places, tile);
        }
    }

    fn run_side_by_side(&self, first: usize, count: usize) {
        let (sections, order) = (self.sections.count(), self.sections.order);
        let places: Vec<usize> = (0..count).map(|way| self.place(first + way, 0)).collect();
        let mut states = vec![[S::Wide::ZERO; LINES_AT_A_TIME]; sections * order];
        for (section, state) in states.chunks_exact_mut(order).enumerate() {
            for way in 0..count {
                let before = self.read_state(section, first + way);
                state.iter_mut().zip(before).for_each(|(z, before)| z[way] = *before);
            }
        }
        self.run_lanes(&places, self.around.length, &mut states);
        for (section, state) in states.chunks_exact(order).enumerate() {
            for way in 0..count {
                self.write_state(section, first + way, state.iter().map(|z| z[way]));
            }
        }
    }

    fn run_blocks(&self, line: usize, transitions: &[Transition]) -> Result<()> {
        let (order, chunks) = (self.sections.order, self.around.length / CHUNK_SAMPLES);
        let batons: Vec<_> = (0..transitions.len())
            .map(|section| {
                let mut carry = [S::Wide::ZERO; MAX_ORDER];
                carry[..order].copy_from_slice(self.read_state(section, line));
                Carry::new(carry)
            })
            .collect();
        run_tasks(chunks, true, &|chunk| {
            let places: [usize; LINES_AT_A_TIME] =
                std::array::from_fn(|way| self.place(line, chunk * CHUNK_SAMPLES + way * BLOCK_SAMPLES));
            let mut tile: Tile<S::Wide> = vec![[S::Wide::ZERO; LINES_AT_A_TIME]; BLOCK_SAMPLES];
            self.gather(&places, &mut tile);
            for (section, (transition, baton)) in transitions.iter().zip(&batons).enumerate() {
                let coefficients = self.sections.section(section);
                let mut states = vec![[S::Wide::ZERO; LINES_AT_A_TIME]; order];
                let totals = FilterSteps::<_, LINES_AT_A_TIME, false> {
                    coefficients,
                    tile: &mut tile,
                    state: &mut states,
                };
                // SAFETY: the processor has the level's instructions; the steps have no conditions of their own.
                unsafe { run_at(self.level, totals) };
                baton.pass(chunk, |mut carry| {
                    for way in 0..LINES_AT_A_TIME {
                        let mut total = [S::Wide::ZERO; MAX_ORDER];
                        for (i, z) in states.iter_mut().enumerate() {
                            total[i] = std::mem::replace(&mut z[way], carry[i]);
                        }
                        let samples = tile.iter().map(|row| row[way]);
                        carry_over(&mut carry[..order], &total[..order], transition, coefficients, samples);
                    }
                    carry
                });
                self.filter_tile(section, &mut tile, &mut states);
            }
            self.scatter(&places, &tile);
        })?;
        // What is left is less than a chunk, and runs in one lane.
        let mut states = vec![[S::Wide::ZERO; LINES_AT_A_TIME]; transitions.len() * order];
        for (state, baton) in states.chunks_exact_mut(order).zip(batons) {
            state.iter_mut().zip(baton.into_carry()).for_each(|(z, carry)| z[0] = carry);
        }
        let at = chunks * CHUNK_SAMPLES;
        self.run_lanes(&[self.place(line, at)], self.around.length - at, &mut states);
        for (section, state) in states.chunks_exact(order).enumerate() {
            self.write_state(section, line, state.iter().map(|z| z[0]));
        }
        Ok(())
    }
}

/// Replaces the state before a block by the one after it; from a state of zero, the block's samples give `total`.
fn carry_over<V: Wide>(
    state: &mut [V],
    total: &[V],
    transition: &Transition,
    coefficients: Coefficients<'_, V>,
    samples: impl Iterator<Item = V>,
) {
    if state.iter().chain(total).all(|z| is_finite(*z)) {
        transition.apply(state, total);
    } else if let Some(nan) = state.iter().copied().find(|z| is_nan(*z)) {
        // It reaches the output within the block, and from there every delay.
        state.fill(nan);
    } else {
        let mut tile: Vec<[V; 1]> = samples.map(|x| [x]).collect();
        let mut lane: Vec<[V; 1]> = state.iter().map(|z| [*z]).collect();
        FilterSteps::<_, 1, false> { coefficients, tile: &mut tile, state: &mut lane }.run_any();
        state.iter_mut().zip(&lane).for_each(|(z, [lane])| *z = *lane);
    }
}

/// Reads the samples of lanes into a tile.
struct Gather<'a, S: Sample> {
    from: *const S,
    places: &'a [usize],
    step: usize,
    tile: &'a mut [[S::Wide; LINES_AT_A_TIME]],
}

impl<S: Sample> LevelJob for Gather<'_, S> {
    /// # Safety
    /// As many samples as the tile has rows, `step` apart, lie at each place.
    #[inline(always)]
    unsafe fn call(self) {
        let (from, step) = (self.from, self.step);
        let neighbours = self.places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if neighbours && self.places.len() == LINES_AT_A_TIME {
            for (i, row) in self.tile.iter_mut().enumerate() {
                for (way, x) in row.iter_mut().enumerate() {
                    // SAFETY: the caller's promise.
                    *x = unsafe { *from.add(self.places[0] + i * step + way) }.widen();
                }
            }
            return;
        }
        let mut rows = self.tile.chunks_exact_mut(LINES_AT_A_TIME);
        let mut at = 0;
        if step == 1 && self.places.len() == LINES_AT_A_TIME {
            for rows in rows.by_ref() {
                let mut square = [[S::Wide::ZERO; LINES_AT_A_TIME]; LINES_AT_A_TIME];
                for (lane, place) in square.iter_mut().zip(self.places) {
                    for (i, x) in lane.iter_mut().enumerate() {
                        // SAFETY: the caller's promise.
                        *x = unsafe { *from.add(place + at + i) }.widen();
                    }
                }
                for (i, row) in rows.iter_mut().enumerate() {
                    for (way, x) in row.iter_mut().enumerate() {
                        *x = square[way][i];
                    }
                }
                at += LINES_AT_A_TIME;
            }
        }
        for (way, place) in self.places.iter().enumerate() {
            for (i, row) in self.tile.iter_mut().enumerate().skip(at) {
                // SAFETY: the caller's promise.
                row[way] = unsafe { *from.add(place + i * step) }.widen();
            }
        }
    }
}

/// Writes a tile to where its lanes' samples belong.
struct Scatter<'a, S: Sample> {
    to: *mut S,
    places: &'a [usize],
    step: usize,
    tile: &'a [[S::Wide; LINES_AT_A_TIME]],
}

impl<S: Sample> LevelJob for Scatter<'_, S> {
    /// # Safety
    /// As many samples as the tile has rows, `step` apart, may be written at each place.
    #[inline(always)]
    unsafe fn call(self) {
        let (to, step) = (self.to, self.step);
        let neighbours = self.places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if neighbours && self.places.len() == LINES_AT_A_TIME {
            for (i, row) in self.tile.iter().enumerate() {
                for (way, x) in row.iter().enumerate() {
                    // SAFETY: the caller's promise.
                    unsafe { *to.add(self.places[0] + i * step + way) = S::narrow(*x) };
                }
            }
            return;
        }
        let mut at = 0;
        if step == 1 && self.places.len() == LINES_AT_A_TIME {
            for rows in self.tile.chunks_exact(LINES_AT_A_TIME) {
                let mut square = [[S::Wide::ZERO; LINES_AT_A_TIME]; LINES_AT_A_TIME];
                for (i, row) in rows.iter().enumerate() {
                    for (way, x) in row.iter().enumerate() {
                        square[way][i] = *x;
                    }
                }
                for (lane, place) in square.iter().zip(self.places) {
                    for (i, x) in lane.iter().enumerate() {
                        // SAFETY: the caller's promise.
                        unsafe { *to.add(place + at + i) = S::narrow(*x) };
                    }
                }
                at += LINES_AT_A_TIME;
            }
        }
        for (way, place) in self.places.iter().enumerate() {
            for (i, row) in self.tile.iter().enumerate().skip(at) {
                // SAFETY: the caller's promise.
                unsafe { *to.add(place + i * step) = S::narrow(row[way]) };
            }
        }
    }
}

/// The steps of a filter over the samples of a tile, which are replaced by the results where `WRITES` says so.
struct FilterSteps<'a, V, const W: usize, const WRITES: bool> {
    coefficients: Coefficients<'a, V>,
    tile: &'a mut [[V; W]],
    state: &'a mut [[V; W]],
}

impl<V: Wide, const W: usize, const WRITES: bool> LevelJob for FilterSteps<'_, V, W, WRITES> {
    #[inline(always)]
    unsafe fn call(self) {
        match self.state.len() {
            1 => self.run_order::<1>(),
            2 => self.run_order::<2>(),
            3 => self.run_order::<3>(),
            4 => self.run_order::<4>(),
            5 => self.run_order::<5>(),
            6 => self.run_order::<6>(),
            8 => self.run_order::<8>(),
            _ => self.run_any(),
        }
    }
}

/// `(z + b * x) - a * y`, lane by lane.
#[inline(always)]
fn next<V: Wide, const W: usize>(z: &[V; W], (b, a): (V, V), x: &[V; W], y: &[V; W]) -> [V; W] {
    let mut result = *z;
    for way in 0..W {
        result[way] = (z[way] + b * x[way]) - a * y[way];
    }
    result
}

/// `b * x - a * y`, lane by lane.
#[inline(always)]
fn last<V: Wide, const W: usize>((b, a): (V, V), x: &[V; W], y: &[V; W]) -> [V; W] {
    let mut result = *x;
    for way in 0..W {
        result[way] = b * x[way] - a * y[way];
    }
    result
}

/// `z + b * x`, lane by lane.
#[inline(always)]
fn output<V: Wide, const W: usize>(z: &[V; W], b: V, x: &[V; W]) -> [V; W] {
    let mut result = *z;
    for way in 0..W {
        result[way] = z[way] + b * x[way];
    }
    result
}

impl<V: Wide, const W: usize, const WRITES: bool> FilterSteps<'_, V, W, WRITES> {
    /// The steps of a filter whose order, at most 8, the compiler knows: its state stays in registers.
    #[inline(always)]
    fn run_order<const N: usize>(self) {
        let Coefficients { b, a } = self.coefficients;
        let mut z = [[V::ZERO; W]; N];
        z.copy_from_slice(self.state);
        let mut pairs = [(V::ZERO, V::ZERO); N];
        for (i, pair) in pairs.iter_mut().enumerate() {
            *pair = (b[i + 1], a[i + 1]);
        }
        for row in self.tile.iter_mut() {
            let x = *row;
            let y = output(&z[0], b[0], &x);
            // Written out: loops over arrays this large are not unrolled, and the state would go to memory.
            macro_rules! shift {
                ($($i:literal)*) => {
                    $(if $i + 1 < N {
                        z[$i % N] = next(&z[($i + 1) % N], pairs[$i % N], &x, &y);
                    })*
                };
            }
            shift!(0 1 2 3 4 5 6);
            z[N - 1] = last(pairs[N - 1], &x, &y);
            if WRITES {
                *row = y;
            }
        }
        self.state.copy_from_slice(&z);
    }

    #[inline(always)]
    fn run_any(self) {
        let (Coefficients { b, a }, z) = (self.coefficients, self.state);
        let end = z.len() - 1;
        for row in self.tile.iter_mut() {
            let x = *row;
            let y = output(&z[0], b[0], &x);
            for i in 0..end {
                z[i] = next(&z[i + 1], (b[i + 1], a[i + 1]), &x, &y);
            }
            z[end] = last((b[end + 1], a[end + 1]), &x, &y);
            if WRITES {
                *row = y;
            }
        }
    }
}
