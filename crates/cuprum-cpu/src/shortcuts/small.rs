//! Small nodes at once, without a Program: operands of any layout and dtype are gathered into blocks on the stack, which
//! one lane or one reducer processes. The order of combination, and so every bit, is that of the block machine.

use std::mem::MaybeUninit;

use cuprum_core::{DType, Dims, Error, Layout, Result, SimdLevel};
use cuprum_graph::{NodeKind, NodeWork, Operand as Source};

use super::small_rows::RowWalk;
use crate::access::{copy_from_strided, gather, gather_tile, scatter};
use crate::block::REDUCTION_BLOCK;
use crate::reduce::{GROUP_ROWS, MIN_COLUMN_WALK, join_parts};
use crate::reducers::{ROWS_AT_A_TIME, Reducer, reducer};
use cuprum_lanes::{self as lanes, Lane};

/// Axes that a small node has at most.
pub(super) const MAX_AXES: usize = 8;
/// Elements of an operand's block.
const BLOCK_ELEMENTS: usize = 256;
/// The axes as they are, and the steps of a scalar.
const IN_ORDER: [usize; MAX_AXES] = [0, 1, 2, 3, 4, 5, 6, 7];
const ZERO_STRIDES: [isize; MAX_AXES] = [0; MAX_AXES];
/// Bytes of the largest state of a reduction, and how many states are at hand.
const MAX_STATE_BYTES: usize = 64;
const STATE_COUNT: usize = 64;

/// Memory for `N` elements of any dtype, uninitialised until it is filled.
struct UninitBlock<const N: usize>([MaybeUninit<u128>; N]);

impl<const N: usize> UninitBlock<N> {
    #[inline(always)]
    const fn new() -> UninitBlock<N> {
        UninitBlock([const { MaybeUninit::uninit() }; N])
    }

    #[inline(always)]
    fn at(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Axes from outermost to innermost, merged where all of `N` operands walk them in one stride, with the steps of each.
pub(super) struct SmallWalk<const N: usize> {
    /// The axes fill the arrays from here on.
    first: usize,
    dims: [usize; MAX_AXES],
    steps: [[isize; MAX_AXES]; N],
}

impl<const N: usize> SmallWalk<N> {
    fn new(shape: &[usize], order: impl DoubleEndedIterator<Item = usize>, strides: [&[isize]; N]) -> Self {
        let mut walk = SmallWalk { first: MAX_AXES, dims: [1; MAX_AXES], steps: [[0; MAX_AXES]; N] };
        for axis in order.rev() {
            let length = shape[axis];
            if length == 1 {
                continue;
            }
            if let Some(inner) = walk.dims.get(walk.first).map(|&inner| inner as isize)
                && (0..N).all(|i| strides[i][axis] == inner * walk.steps[i][walk.first])
            {
                walk.dims[walk.first] *= length;
                continue;
            }
            walk.first -= 1;
            walk.dims[walk.first] = length;
            for (steps, strides) in walk.steps.iter_mut().zip(strides) {
                steps[walk.first] = strides[axis];
            }
        }
        walk
    }

    #[inline]
    pub(super) fn dims(&self) -> &[usize] {
        &self.dims[self.first..]
    }

    #[inline]
    pub(super) fn steps(&self, operand: usize) -> &[isize] {
        &self.steps[operand][self.first..]
    }

    fn is_dense(&self, operand: usize, size: usize) -> bool {
        let mut wanted = size as isize;
        self.dims().iter().zip(self.steps(operand)).rev().all(|(&length, &step)| {
            let fits = step == wanted;
            wanted *= length as isize;
            fits
        })
    }
}

/// The order in which a layout's axes are nested in memory.
fn nesting(layout: &Layout, size: usize) -> Dims {
    if layout.is_contiguous(size) { Dims::from_slice(&IN_ORDER[..layout.ndim()]) } else { layout.nesting() }
}

/// An argument on its way into a block.
pub(super) struct SmallOperand<'w> {
    pub(super) base: *const u8,
    dims: &'w [usize],
    steps: &'w [isize],
    /// Bytes of an element, as it lies in memory.
    pub(super) size: usize,
    /// The conversion to the dtype that is wanted, where it is another.
    pub(super) cast: Option<Lane>,
    /// Whether the elements lie one after the other, aligned.
    dense: bool,
    /// Whether all elements are one.
    is_broadcast: bool,
}

impl<'w> SmallOperand<'w> {
    /// The place of an argument that an op does not have.
    const NONE: SmallOperand<'w> = SmallOperand {
        base: std::ptr::null(),
        dims: &[],
        steps: &[],
        size: 0,
        cast: None,
        dense: true,
        is_broadcast: true,
    };

    #[inline]
    fn new<const N: usize>(
        walk: &'w SmallWalk<N>,
        at: usize,
        base: usize,
        from: DType,
        to: DType,
        level: SimdLevel,
    ) -> SmallOperand<'w> {
        let (size, steps) = (from.size(), walk.steps(at));
        SmallOperand {
            base: base as *const u8,
            dims: walk.dims(),
            steps,
            size,
            cast: (from != to).then(|| lanes::cast(from, to, level)),
            dense: base.is_multiple_of(size) && walk.is_dense(at, size),
            is_broadcast: steps.iter().all(|&step| step == 0),
        }
    }

    /// `n` elements from `start` on, in their own memory or in `block`; `raw` is room for what is to be converted.
    ///
    /// # Safety
    /// The operand's elements are readable, and both blocks take `n` elements.
    #[inline]
    unsafe fn load(&self, start: usize, n: usize, raw: *mut u8, block: *mut u8) -> *const u8 {
        // SAFETY: `start + n` elements are there by the caller's promise, which holds for the blocks too.
        unsafe {
            let x = if self.dense {
                self.base.add(start * self.size)
            } else {
                let gathered = if self.cast.is_some() { raw } else { block };
                match (self.dims, self.steps) {
                    (_, [step]) => {
                        let first = self.base.offset(start as isize * step);
                        copy_from_strided(first, *step, gathered, n, self.size);
                    }
                    _ if self.is_broadcast => copy_from_strided(self.base, 0, gathered, n, self.size),
                    // Whole rows: columns of memory are read along themselves.
                    (&[_, length], &[down, across])
                        if start.is_multiple_of(length) && n.is_multiple_of(length) =>
                    {
                        let first = self.base.offset((start / length) as isize * down);
                        gather_tile(first, (down, across), n / length, length, self.size, gathered);
                    }
                    _ => gather(self.base, self.dims, self.steps, self.size, start, n, gathered),
                }
                gathered.cast_const()
            };
            let Some(cast) = self.cast else { return x };
            cast(n, block, [x; 3]);
            block
        }
    }
}

/// Computes small work into memory at `result`; `false` for what has no shortcut.
///
/// # Safety
/// As [`cuprum_graph::Shortcuts::run_small`] says.
pub(super) unsafe fn run(work: &NodeWork<'_>, result: usize, level: SimdLevel) -> Result<bool> {
    match (work.kind, work.operands) {
        (&NodeKind::Map { op, dtype }, _) => {
            let lane = lanes::lane(op, dtype, level)
                .ok_or_else(|| Error::NoLoop { op: op.name().into(), dtypes: vec![dtype] })?;
            let wanted = std::array::from_fn(|i| op.input(i, dtype));
            // SAFETY: the caller's promise.
            Ok(unsafe { map(work, result, wanted, Some((lane, op.output(dtype))), level) })
        }
        // SAFETY: the caller's promise.
        (NodeKind::Cast, _) => Ok(unsafe { map(work, result, [work.dtype; 3], None, level) }),
        (NodeKind::Iota { .. }, _) if work.dtype == DType::I64 && is_line(work.layout, 8) => {
            for at in 0..work.layout.size() {
                // SAFETY: the result has as many places of eight bytes.
                unsafe { (result as *mut i64).add(at).write_unaligned(at as i64) };
            }
            Ok(true)
        }
        (NodeKind::Reduce { op, dtype, axes }, &[Source::View(view)]) => {
            let (Some(base), Some(reducer)) = (view.storage().ready_address(), reducer(*op, *dtype, level))
            else {
                return Ok(false);
            };
            if reducer.state_size.max(reducer.row_size) > MAX_STATE_BYTES || view.layout().ndim() > MAX_AXES {
                return Ok(false);
            }
            let walk = ReduceWalk::new(view.layout(), view.dtype().size(), axes, reducer.any_blocks);
            let output = op.output(*dtype).size();
            let elements = Elements { address: base + view.layout().offset, from: view.dtype(), to: *dtype };
            // SAFETY: the caller's promise.
            unsafe {
                if walk.along_rows {
                    walk.reduce_rows(&reducer, &elements, result, output, level);
                } else {
                    walk.reduce_columns(&reducer, &elements, result, output, level);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Whether a layout is one axis of elements that lie one after the other.
fn is_line(layout: &Layout, size: usize) -> bool {
    layout.ndim() == 1 && layout.is_contiguous(size)
}

/// The steps of a layout along the axes of a shape that it broadcasts to.
fn stretched(layout: &Layout, shape: &[usize]) -> [isize; MAX_AXES] {
    let mut steps = ZERO_STRIDES;
    let extra = shape.len() - layout.ndim();
    for (axis, (&length, &stride)) in layout.shape.iter().zip(&layout.strides).enumerate() {
        if length == shape[extra + axis] {
            steps[extra + axis] = stride;
        }
    }
    steps
}

/// An elementwise op, piece by piece: operands in the dtypes `wanted`, the lane with the dtype that it makes, the store.
/// `false` where there are more axes or operands than have room.
///
/// # Safety
/// As for [`run`].
unsafe fn map(
    work: &NodeWork<'_>,
    result: usize,
    wanted: [DType; 3],
    lane: Option<(Lane, DType)>,
    level: SimdLevel,
) -> bool {
    let (ndim, n, shape) = (work.layout.ndim(), work.layout.size(), &work.layout.shape);
    let count = work.operands.len();
    if ndim > MAX_AXES || count == 0 || count > 3 {
        return false;
    }
    let mut scalars = [0u128; 3];
    let (mut bases, mut dtypes, mut steps) = ([0; 3], wanted, [ZERO_STRIDES; 3]);
    for (i, operand) in work.operands.iter().enumerate() {
        match operand {
            Source::View(view) => {
                let Some(base) = view.storage().ready_address() else { return false };
                bases[i] = base + view.layout().offset;
                dtypes[i] = view.dtype();
                steps[i] = stretched(view.layout(), shape);
            }
            Source::Scalar(scalar) => {
                let scalar = scalar.cast(wanted[i]);
                let place = &raw mut scalars[i];
                // SAFETY: a scalar has at most 16 bytes.
                unsafe {
                    let from = scalar.bytes();
                    std::ptr::copy_nonoverlapping(from.as_ptr(), place.cast(), from.len());
                }
                bases[i] = place as usize;
            }
        }
    }
    let strides = [&steps[0][..], &steps[1][..], &steps[2][..], &work.layout.strides];
    let size = work.dtype.size();
    let walk = if work.layout.is_contiguous(size) {
        SmallWalk::new(shape, 0..ndim, strides)
    } else if work.layout.is_fortran(size) {
        SmallWalk::new(shape, (0..ndim).rev(), strides)
    } else {
        SmallWalk::new(shape, work.layout.nesting().into_iter(), strides)
    };
    let mut operands = [const { SmallOperand::NONE }; 3];
    for (i, operand) in operands.iter_mut().enumerate().take(count) {
        *operand = SmallOperand::new(&walk, i, bases[i], dtypes[i], wanted[i], level);
    }
    let op = match (work.kind, lane) {
        (&NodeKind::Map { op, dtype }, Some((lane, _))) => Some((op, dtype, lane)),
        _ => None,
    };
    if lane.is_none_or(|(_, made)| made == work.dtype)
        && let Some(rows) = RowWalk::new(&walk, &operands[..count], op, (result, size), level)
    {
        // SAFETY: every operand has the elements of the walk, and there is memory for the result, by the caller's promise.
        unsafe { rows.run() };
        return true;
    }
    let lies_dense = result.is_multiple_of(size) && walk.is_dense(3, size);
    let convert = lane.filter(|(_, made)| *made != work.dtype);
    let convert = convert.map(|(_, made)| lanes::cast(made, work.dtype, level));
    let mut blocks = [const { UninitBlock::<BLOCK_ELEMENTS>::new() }; 3];
    let (mut raw, mut made, mut converted) = (
        UninitBlock::<BLOCK_ELEMENTS>::new(),
        UninitBlock::<BLOCK_ELEMENTS>::new(),
        UninitBlock::<BLOCK_ELEMENTS>::new(),
    );
    let mut sources = [std::ptr::null(); 3];
    for start in (0..n).step_by(BLOCK_ELEMENTS) {
        let n = BLOCK_ELEMENTS.min(n - start);
        // SAFETY: every operand has the elements of the walk, every block room for a piece; what lies dense takes the
        // piece in its place.
        unsafe {
            let place = (result as *mut u8).wrapping_add(start * size);
            let target = if lies_dense { place } else { converted.at() };
            for i in 0..count {
                if start == 0 || !operands[i].is_broadcast {
                    let block =
                        if lane.is_none() && !operands[i].is_broadcast { target } else { blocks[i].at() };
                    sources[i] = operands[i].load(start, n, raw.at(), block);
                }
            }
            let stored = match (lane, convert) {
                (Some((lane, _)), None) => {
                    lane(n, target, sources);
                    target.cast_const()
                }
                (Some((lane, _)), Some(convert)) => {
                    lane(n, made.at(), sources);
                    convert(n, target, [made.at(); 3]);
                    target.cast_const()
                }
                (None, _) => sources[0],
            };
            if !lies_dense {
                scatter(result as *mut u8, walk.dims(), walk.steps(3), size, start, n, stored);
            } else if stored != target.cast_const() {
                std::ptr::copy(stored, target, n * size);
            }
        }
    }
    true
}

/// What is reduced: where it is, and the dtype that it is converted to.
struct Elements {
    address: usize,
    from: DType,
    to: DType,
}

/// The axes of a reduction: those that vary more slowly before the others.
struct ReduceWalk {
    walk: SmallWalk<1>,
    results: usize,
    length: usize,
    /// Whether each result is reduced along its own elements, rather than rows of results one after the other.
    along_rows: bool,
}

impl ReduceWalk {
    /// Where every way of joining elements gives the same bits, rows of results are taken whenever they lie together.
    fn new(layout: &Layout, size: usize, axes: &[usize], any_way: bool) -> ReduceWalk {
        let nesting = nesting(layout, size);
        let is_reduced = |axis: &usize| axes.contains(axis);
        let length: usize = axes.iter().map(|&axis| layout.shape[axis]).product();
        let results = layout.size() / length;
        let few = if any_way && length <= GROUP_ROWS { 2 } else { MIN_COLUMN_WALK };
        let along_rows = results < few || nesting.last().is_none_or(is_reduced);
        let kept = nesting.iter().copied().filter(|axis| !is_reduced(axis));
        let reduced = nesting.iter().copied().filter(is_reduced);
        let strides = [layout.strides.as_slice()];
        let walk = if along_rows {
            SmallWalk::new(&layout.shape, kept.chain(reduced), strides)
        } else {
            SmallWalk::new(&layout.shape, reduced.chain(kept), strides)
        };
        ReduceWalk { walk, results, length, along_rows }
    }

    fn operand(&self, elements: &Elements, level: SimdLevel) -> SmallOperand<'_> {
        SmallOperand::new(&self.walk, 0, elements.address, elements.from, elements.to, level)
    }

    /// Reduces each result along its elements: chunks of a block, then a tree over the chunks. Several short rows come as
    /// one block.
    ///
    /// # Safety
    /// As for [`run`]; `output` is the size of a result.
    unsafe fn reduce_rows(
        &self,
        reducer: &Reducer,
        elements: &Elements,
        result: usize,
        output: usize,
        level: SimdLevel,
    ) {
        let operand = self.operand(elements, level);
        let (length, size) = (self.length, elements.to.size());
        let chunks = length.div_ceil(REDUCTION_BLOCK);
        let together = if chunks == 1 { (REDUCTION_BLOCK / length).min(STATE_COUNT) } else { 1 };
        let mut states = UninitBlock::<{ MAX_STATE_BYTES / 16 * STATE_COUNT }>::new();
        let (mut raw, mut block) =
            (UninitBlock::<REDUCTION_BLOCK>::new(), UninitBlock::<REDUCTION_BLOCK>::new());
        let states = states.at();
        for first in (0..self.results).step_by(together) {
            let rows = together.min(self.results - first);
            for chunk in 0..chunks {
                let start = chunk * REDUCTION_BLOCK;
                let n = REDUCTION_BLOCK.min(length - start);
                // SAFETY: rows that are taken together are no more than a block, and there are states for all of them;
                // of longer ones there is one at a time, with a state for each of at most four chunks.
                unsafe {
                    let x = operand.load(first * length + start, rows * n, raw.at(), block.at());
                    if chunks == 1 {
                        reducer.blocks(x, n, size, rows, states);
                    } else {
                        (reducer.block)(x, n, start, states.add(chunk * reducer.state_size));
                    }
                }
            }
            // SAFETY: the states were just made; there is memory for every result.
            unsafe {
                if chunks > 1 {
                    join_parts(reducer, chunks, 1, |chunk| states.add(chunk * reducer.state_size));
                }
                (reducer.finish)(states, rows, (result + first * output) as *mut u8);
            }
        }
    }

    /// Accumulates rows of results, which are so few that they make one group.
    ///
    /// # Safety
    /// As for [`run`]; `output` is the size of a result.
    unsafe fn reduce_columns(
        &self,
        reducer: &Reducer,
        elements: &Elements,
        result: usize,
        output: usize,
        level: SimdLevel,
    ) {
        debug_assert!(self.length <= GROUP_ROWS, "a small array has one group of rows");
        let operand = self.operand(elements, level);
        let (results, length) = (self.results, self.length);
        let stride = (results * elements.to.size()) as isize;
        let many = reducer.accumulate_many.filter(|_| operand.dense && operand.cast.is_none());
        let mut states = UninitBlock::<{ MAX_STATE_BYTES / 16 * STATE_COUNT }>::new();
        let mut accumulators = UninitBlock::<{ MAX_STATE_BYTES / 16 * STATE_COUNT }>::new();
        let (mut raw, mut block) = (UninitBlock::<STATE_COUNT>::new(), UninitBlock::<STATE_COUNT>::new());
        let (states, accumulators) = (states.at(), accumulators.at());
        for first in (0..results).step_by(STATE_COUNT) {
            let n = STATE_COUNT.min(results - first);
            let mut row = 0;
            while row < length {
                // SAFETY: accumulators and states for as many results as a block has, of each of which a row has `n`;
                // where the rows are in their own memory, the following ones lie a stride apart.
                unsafe {
                    let x = operand.load(row * results + first, n, raw.at(), block.at());
                    match many {
                        Some(many) if row + ROWS_AT_A_TIME <= length => {
                            many(accumulators, STATE_COUNT, x, stride, n, row == 0, false);
                            row += ROWS_AT_A_TIME;
                            continue;
                        }
                        _ if row == 0 => (reducer.begin)(accumulators, STATE_COUNT, x, n, row),
                        _ => (reducer.accumulate)(accumulators, STATE_COUNT, x, n, row),
                    }
                }
                row += 1;
            }
            // SAFETY: the accumulators hold `length` rows; there is memory for every result.
            unsafe {
                (reducer.flush)(accumulators, STATE_COUNT, n, length, states);
                (reducer.finish)(states, n, (result + first * output) as *mut u8);
            }
        }
    }
}
