//! Programs that end in reductions: which walk, which segments, which threads.
//!
//! A result's last bit follows from how its elements are grouped, so all that is decided here about groups is a function
//! of the Program's shape, the reduced axes, their nesting and the reduced dtype: never of strides, addresses or the
//! inputs' dtypes, which differ between a fused Program and one that reads stored results; nor of what else is reduced in
//! the same pass, whose elements are as wide.

use cuprum_core::{DType, Dims, Layout, Reduction, Strides};
use cuprum_graph::{InstrKind, Joins, Program, Reduce, ShortSum, tree_joins};
use smallvec::SmallVec;

use super::key::{Path, Role, Structure};
use super::operands::{Operands, ending, is_light, needs_wide, steps};
use super::space::Space;
use super::{LaunchGeometry, LaunchPlan, THREADS};

/// Blocks that work at once: what 132 multiprocessors hold of blocks with up to 64 registers a thread.
pub(super) const RESIDENT_BLOCKS: usize = 528;
/// Packs that a thread should have before its row is worth another segment.
const SEGMENT_MIN_PACKS: usize = 4;
/// Packs of a row up to which it has at most a warp's threads: where there are rows for all threads, and where not.
const WARP_MAX_PACKS: usize = 256;
const WARP_MAX_PACKS_OF_FEW: usize = 64;
/// Rows that keep all threads busy with a warp each.
const WARPS_MIN_ROWS: usize = 2 * RESIDENT_BLOCKS;
/// With at least this many results side by side inside the reduced axes, threads go across them.
const COLUMNS_MIN_RESULTS: usize = 32;
/// Rows that a thread should have before its columns are worth another segment.
const SEGMENT_MIN_ROWS: usize = 8;
/// Bytes that a thread should have on their way, and one of a block that has a row: it has few packs, and then waits for others.
const BYTES_IN_FLIGHT: usize = 64;
const BYTES_IN_FLIGHT_OF_ROW: usize = 128;
/// Most elements that a thread takes of a row of results at once.
const MAX_ELEMENTS_PER_THREAD: usize = 8;

/// Bytes of states that the threads of a block may have in shared memory, for each thread.
const STATE_BYTES_PER_THREAD: usize = 160;

/// Addresses of what an epilogue reads and writes.
type EpilogueAddresses<'a> = (&'a [usize], &'a [usize]);

/// The launch of a Program with reductions; `None` where there are no results.
pub(super) fn plan<'a>(
    program: &'a Program,
    reduce: &'a Reduce,
    operands: Operands<'a>,
    late: EpilogueAddresses<'_>,
) -> Option<LaunchPlan> {
    ReductionWalk::new(program, reduce, operands, late)?.plan()
}

/// The order in which a sum along one short axis adds elements up: those of a thread's pack one after the other, then threads as
/// a tree; down columns each thread has one element.
pub fn short_sum(sum: &ShortSum<'_>) -> Joins {
    let length = sum.shape[sum.axis];
    let inside = sum.nesting.iter().rev().take_while(|&&a| sum.shape[a] == 1 || a != sum.axis);
    if inside.map(|&a| sum.shape[a]).product::<usize>() >= COLUMNS_MIN_RESULTS {
        return tree_joins(length);
    }
    let rows = sum.shape.iter().product::<usize>() / length;
    let RowGroups { pack, packs, .. } = RowGroups::of(rows, length, sum.dtype.size());
    let mut joins: Joins = (0..length).filter(|at| at % pack > 0).map(|at| (at - at % pack, at)).collect();
    joins.extend(tree_joins(packs).into_iter().map(|(to, from)| (to * pack, from * pack)));
    joins
}

/// How the elements of a row are shared among threads.
#[derive(Clone, Copy)]
pub(super) struct RowGroups {
    /// Elements that a thread takes at once.
    pub(super) pack: usize,
    /// Packs of a row.
    pub(super) packs: usize,
    /// The threads of a row, where these are at most a warp's; else it has blocks.
    pub(super) lanes: Option<usize>,
    /// Blocks of a row, and the packs of each.
    pub(super) segments: usize,
    span: usize,
}

impl RowGroups {
    /// The groups of so many rows, of elements of so many bytes.
    pub(super) fn of(rows: usize, length: usize, size: usize) -> RowGroups {
        // A vector of the reduced dtype, but of small ones no more than what keeps wider inputs close together.
        let pack = (16 / size).min(4);
        let packs = length.div_ceil(pack);
        if packs <= if rows < WARPS_MIN_ROWS { WARP_MAX_PACKS_OF_FEW } else { WARP_MAX_PACKS } {
            // Some packs for each thread, so that several are on their way; but whole sectors of memory for the group.
            let fewest = packs.next_power_of_two().min(4);
            let lanes = packs.div_ceil(SEGMENT_MIN_PACKS).next_power_of_two().clamp(fewest, 32);
            return RowGroups { pack, packs, lanes: Some(lanes), segments: 1, span: packs };
        }
        let most = (RESIDENT_BLOCKS / rows).max(1);
        let segments = (packs / (SEGMENT_MIN_PACKS * THREADS)).clamp(1, most);
        let span = packs.div_ceil(segments).next_multiple_of(THREADS);
        RowGroups { pack, packs, lanes: None, segments: packs.div_ceil(span), span }
    }
}

struct ReductionWalk<'a> {
    program: &'a Program,
    reduce: &'a Reduce,
    operands: Operands<'a>,
    kept: Space,
    reduced: Space,
    results: usize,
    length: usize,
    /// Results that lie side by side inside all reduced axes.
    side_by_side: usize,
}

impl<'a> ReductionWalk<'a> {
    fn new(
        program: &'a Program,
        reduce: &'a Reduce,
        mut operands: Operands<'a>,
        (late_inputs, late_outputs): EpilogueAddresses<'_>,
    ) -> Option<ReductionWalk<'a>> {
        let is_reduced = |axis: &usize| reduce.axes.contains(axis);
        let shape = &program.shape;
        let results: usize = (0..shape.len()).filter(|a| !is_reduced(a)).map(|a| shape[a]).product();
        let length: usize = reduce.axes.iter().map(|&a| shape[a]).product();
        if results == 0 {
            return None;
        }
        let reductions = reduce.results.iter().map(|r| (r.op, r.dtype));
        if let Some(steps) = position_steps(program, &reduce.axes, reductions) {
            operands.push(Role::Position, DType::I64, 0, steps);
        }
        // What has the results' shape does not move along the axes that go.
        let over_results = |layout: &Layout| {
            let mut steps: Strides = SmallVec::from_elem(0, shape.len());
            let kept_axes = (0..shape.len()).filter(|a| !is_reduced(a));
            kept_axes.zip(&layout.strides).for_each(|(axis, &stride)| steps[axis] = stride);
            steps
        };
        for (input, address) in reduce.late_inputs().iter().zip(late_inputs) {
            let steps = over_results(&input.layout);
            operands.push(Role::EpilogueInput, input.dtype, address + input.layout.offset, steps);
        }
        for instr in &reduce.epilogue.code {
            if let InstrKind::Iota(along) = instr.kind {
                let mut steps: Strides = SmallVec::from_elem(0, shape.len());
                let mut kept_axes = (0..shape.len()).filter(|a| !is_reduced(a));
                steps[kept_axes.nth(along).expect("an axis that stays")] = 1;
                operands.push(Role::EpilogueIota, DType::I64, 0, steps);
            }
        }
        for (output, address) in reduce.epilogue.outputs.iter().zip(late_outputs) {
            let steps = over_results(&output.layout);
            operands.push(Role::Result, output.dtype, address + output.layout.offset, steps);
        }
        let nesting = || reduce.nesting.iter().copied();
        let kept = operands.space(shape, nesting().filter(|a| !is_reduced(a)));
        let reduced_axes: Dims = nesting().filter(|a| length > 0 && is_reduced(a)).collect();
        let reduced = operands.space(shape, reduced_axes.into_iter());
        let inside = nesting().rev().take_while(|&a| shape[a] == 1 || !is_reduced(&a));
        let side_by_side = inside.map(|a| shape[a]).product();
        Some(ReductionWalk { program, reduce, operands, kept, reduced, results, length, side_by_side })
    }

    fn plan(&self) -> Option<LaunchPlan> {
        if self.reduces_by(|op| matches!(op, Reduction::Fold(_))) {
            return Some(self.fold());
        }
        Some(if self.side_by_side >= COLUMNS_MIN_RESULTS && self.length > 1 {
            self.down_columns()
        } else {
            self.along_rows()
        })
    }

    /// Whether some reduction is of a kind.
    fn reduces_by(&self, is: impl Fn(Reduction) -> bool) -> bool {
        self.reduce.results.iter().any(|r| is(r.op))
    }

    /// Each result along its own elements, by a part of a warp or by one or several blocks.
    fn along_rows(&self) -> LaunchPlan {
        let groups = RowGroups::of(self.results, self.length, self.reduce.results[0].dtype.size());
        let RowGroups { pack, packs, segments, span, .. } = groups;
        let scattered = pack > 1 && self.reduced.ndim() > 1 && !self.reduced.inner().is_multiple_of(pack);
        let (whole, count) = (self.length / pack, self.length);
        if let Some(lanes) = groups.lanes {
            let counts = [self.results, packs, whole, count, lanes.ilog2() as usize];
            let blocks = self.results.div_ceil(THREADS / lanes);
            let path = Path::Lanes { unroll: self.unroll(pack, BYTES_IN_FLIGHT).min(2) };
            return self.build(path, pack, scattered, (&self.kept, &self.reduced), &counts, blocks, 0);
        }
        let counts = [self.results, packs, whole, count, segments, span];
        let states = if segments > 1 { self.results * segments } else { 0 };
        let blocks = self.results * segments;
        self.build(
            Path::Block { unroll: self.unroll(pack, BYTES_IN_FLIGHT_OF_ROW) },
            pack,
            scattered,
            (&self.kept, &self.reduced),
            &counts,
            blocks,
            states,
        )
    }

    /// Threads across results that lie side by side, each down its columns; the rows in segments.
    fn down_columns(&self) -> LaunchPlan {
        let across = self.results.div_ceil(4).next_power_of_two().clamp(8, 32);
        let down = THREADS / across;
        // Segments are those of a tile of four columns a thread, whatever the columns of a thread here are.
        let most = (RESIDENT_BLOCKS / self.results.div_ceil(across * 4)).max(1);
        let segments = (self.length / (SEGMENT_MIN_ROWS * down)).clamp(1, most);
        let span = self.length.div_ceil(segments).next_multiple_of(down);
        let segments = self.length.div_ceil(span);
        let pack = self.column_pack();
        let packs = self.results / pack;
        let tiles = packs.div_ceil(across);
        let shift = across.ilog2() as usize;
        let counts = [self.results, packs, self.length, segments, span, tiles, shift];
        let states = if segments > 1 { self.results * segments } else { 0 };
        let path = Path::Columns { unroll: self.unroll(pack, BYTES_IN_FLIGHT) };
        self.build(path, pack, false, (&self.reduced, &self.kept), &counts, tiles * segments, states)
    }

    /// Neighbouring results of a thread: a vector of the widest input that can be read so.
    fn column_pack(&self) -> usize {
        let (outer, inner) = (&self.reduced, &self.kept);
        let vectors = (0..self.operands.len()).filter(|&at| {
            matches!(self.operands.role(at), Role::Input | Role::Output)
                && self.operands.is_vector(at, 16 / self.operands.size(at), outer, inner)
        });
        let Some(widest) = vectors.map(|at| self.operands.size(at)).max() else { return 1 };
        // Several numbers to a state: more columns than these and a thread runs out of registers.
        let complex = self.reduce.results.iter().any(|r| r.dtype.is_complex());
        let most = match self.reduces_by(|op| op == Reduction::Variance) {
            true if complex => 1,
            true => 2,
            false => MAX_ELEMENTS_PER_THREAD,
        };
        let room = if self.reduce.results.len() > 1 {
            STATE_BYTES_PER_THREAD / self.state_bytes()
        } else {
            MAX_ELEMENTS_PER_THREAD
        };
        let pack = (16 / widest).min(most).min(power_below(room));
        if inner.inner().is_multiple_of(pack) { pack } else { 1 }
    }

    /// From left to right, a thread for each result.
    fn fold(&self) -> LaunchPlan {
        let counts = [self.results, self.length];
        let blocks = self.results.div_ceil(THREADS);
        self.build(Path::Fold, 1, false, (&self.reduced, &self.kept), &counts, blocks, 0)
    }

    /// How many packs a thread reads before it takes the first, so that so many bytes are on their way: a power of two, since
    /// the kernels take elements in runs of eight.
    fn unroll(&self, pack: usize, in_flight: usize) -> u8 {
        if !is_light(self.program) {
            return 1;
        }
        let inputs = (0..self.operands.len()).filter(|&at| self.operands.role(at) == Role::Input);
        let bytes: usize = inputs.map(|at| pack * self.operands.size(at)).sum();
        let most = match self.reduce.results.len() {
            1 if !self.reduces_by(|op| op == Reduction::Variance) => 8,
            1 | 2 => 4,
            // Their states fill the registers.
            _ => return 1,
        };
        power_below((in_flight / bytes.clamp(8, in_flight)).min(most)) as u8
    }

    #[allow(clippy::too_many_arguments)]
    fn build(
        &self,
        path: Path,
        pack: usize,
        scattered: bool,
        (outer, inner): (&Space, &Space),
        counts: &[usize],
        blocks: usize,
        states: usize,
    ) -> LaunchPlan {
        let program = self.program;
        let structure = Structure {
            path,
            wide: needs_wide(program.size(), outer, inner),
            pack: pack as u8,
            scattered,
            outer: outer.ndim() as u8,
            inner: inner.ndim() as u8,
            operands: self.operands.classes(pack, scattered, outer, inner),
            params: program.params.iter().map(|p| p.dtype()).collect(),
            code: steps(program),
            stored: program.outputs.iter().map(|o| o.reg).collect(),
            reduce: Some(ending(self.reduce)),
            rows: None,
        };
        let geometry = LaunchGeometry::blocks(blocks);
        let mut plan = LaunchPlan::build(program, &self.operands, structure, outer, inner, counts, geometry);
        plan.scratch = states * self.state_bytes();
        plan
    }

    fn state_bytes(&self) -> usize {
        states_bytes(self.reduce.results.iter().map(|r| (r.op, r.dtype)))
    }
}

/// The largest power of two that is not above a number, and at least one.
fn power_below(n: usize) -> usize {
    1 << n.max(1).ilog2()
}

/// Bytes that the states of reductions take together at most.
pub(super) fn states_bytes(reductions: impl Iterator<Item = (Reduction, DType)> + Clone) -> usize {
    let one = |(op, dtype): (Reduction, DType)| match op {
        Reduction::Variance if dtype.is_complex() => 48,
        Reduction::Variance | Reduction::ArgMin | Reduction::ArgMax => 32,
        Reduction::Sum
        | Reduction::Prod
        | Reduction::Min
        | Reduction::Max
        | Reduction::Fmin
        | Reduction::Fmax
        | Reduction::Any
        | Reduction::All
        | Reduction::Xor
        | Reduction::BitAnd
        | Reduction::BitOr
        | Reduction::BitXor
        | Reduction::Count
        | Reduction::Fold(_) => {
            if dtype.is_complex() {
                32
            } else {
                8
            }
        }
    };
    // Several may leave gaps between them.
    match reductions.clone().count() {
        1 => reductions.map(one).sum(),
        _ => reductions.map(|r| one(r).next_multiple_of(16)).sum(),
    }
}

/// Whether a reduction must know where its elements are: positions are asked for, or of complex NaNs the first.
fn knows_positions(op: Reduction, dtype: DType) -> bool {
    match op {
        Reduction::ArgMin | Reduction::ArgMax => true,
        Reduction::Min | Reduction::Max | Reduction::Fmin | Reduction::Fmax => dtype.is_complex(),
        Reduction::Sum
        | Reduction::Prod
        | Reduction::Any
        | Reduction::All
        | Reduction::Xor
        | Reduction::BitAnd
        | Reduction::BitOr
        | Reduction::BitXor
        | Reduction::Count
        | Reduction::Variance
        | Reduction::Fold(_) => false,
    }
}

/// The steps of an element's position along the Program's axes: in C order of the reduced ones.
pub(super) fn position_steps(
    program: &Program,
    axes: &[usize],
    mut reductions: impl Iterator<Item = (Reduction, DType)>,
) -> Option<Strides> {
    if !reductions.any(|(op, dtype)| knows_positions(op, dtype)) {
        return None;
    }
    let mut steps: Strides = SmallVec::from_elem(0, program.shape.len());
    let mut step = 1;
    for axis in (0..program.shape.len()).rev().filter(|axis| axes.contains(axis)) {
        steps[axis] = step;
        step *= program.shape[axis] as isize;
    }
    Some(steps)
}
