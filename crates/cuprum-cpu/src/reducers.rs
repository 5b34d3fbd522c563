//! The arithmetic of reductions: for each reduction and dtype, how blocks become states and states become results.
//!
//! Every pattern of additions here is fixed by element counts alone, so that threads and instruction sets do not
//! change a bit of the result.

mod extremum;
mod extremum_groups;
mod many_rows;
mod moments;
mod moments_f32;
mod ordered;
mod sums;

use cuprum_core::{DType, Reduction, SimdLevel};
use half::{bf16, f16};

use cuprum_lanes::at_levels;
use many_rows::{PREFETCH_COLUMNS, ROWS_IN_A_WALK, columns, fetch_ahead, many_body};

/// `(x, n, first, state)`: reduces a block whose first element has position `first`.
pub(crate) type ReduceBlock = unsafe fn(*const u8, usize, usize, *mut u8);
/// `(x, n, first, state, before)`: the same after a block whose state is `before`, which the result may stand for as well.
pub(crate) type BlockOn = unsafe fn(*const u8, usize, usize, *mut u8, *const u8);
/// `(x, n, count, states)`: reduces `count` blocks of `n` elements that follow each other, with the bits of one after the other.
pub(crate) type ShortBlocks = unsafe fn(*const u8, usize, usize, *mut u8);
/// `(x, stride, n, first, columns, states, step)`: reduces a block of `n` rows that lie `stride` bytes apart, the first of position
/// `first`, to the states of its columns, `step` bytes apart, each with the bits of a block of its elements.
pub(crate) type ColumnBlocks = unsafe fn(*const u8, isize, usize, usize, usize, *mut u8, usize);
/// `(rows, capacity, x, n, position)`: starts the accumulators of `n` results from a row of elements, or adds one.
pub(crate) type ReduceRow = unsafe fn(*mut u8, usize, *const u8, usize, usize);
/// `(rows, capacity, x, stride, n, starts, fetches)`: adds [`ROWS_AT_A_TIME`] rows that lie `stride` bytes apart, one after
/// the other, to the accumulators, or to new ones if it `starts`; if it `fetches`, it asks memory for the rows that follow.
pub(crate) type ManyRows = unsafe fn(*mut u8, usize, *const u8, isize, usize, bool, bool);
/// `(rows, capacity, n, count, states)`: turns the accumulators of `count` rows into states.
pub(crate) type Flush = unsafe fn(*const u8, usize, usize, usize, *mut u8);
/// `(states, others, n)`: joins to `n` states those of elements that come later.
pub(crate) type Merge = unsafe fn(*mut u8, *const u8, usize);

/// `(states, n, out)`: makes `n` results.
pub(crate) type Finish = unsafe fn(*const u8, usize, *mut u8);

/// A reduction of one dtype as functions over untyped memory. States are arrays of `state_size` bytes each.
#[derive(Clone, Copy)]
pub(crate) struct Reducer {
    /// Bytes of one state.
    pub(crate) state_size: usize,
    /// Bytes of accumulator that `begin` and `accumulate` need for each element of a row.
    pub(crate) row_size: usize,
    /// Reduces a block.
    pub(crate) block: ReduceBlock,
    /// Reduces many short blocks.
    pub(crate) short_blocks: Option<ShortBlocks>,
    /// Reduces the blocks of columns side by side.
    pub(crate) column_blocks: Option<ColumnBlocks>,
    /// Reduces a block that comes after another; for reductions that are cheaper given the best value so far.
    pub(crate) block_on: Option<BlockOn>,
    /// Whether every way of cutting the elements into blocks gives the same bits.
    pub(crate) any_blocks: bool,
    /// The state, of one byte, that no further element changes.
    pub(crate) settled: Option<u8>,
    /// Starts accumulators from a first row.
    pub(crate) begin: ReduceRow,
    /// Adds a row.
    pub(crate) accumulate: ReduceRow,
    /// Adds many rows at once: several walks through memory side by side, instead of one.
    pub(crate) accumulate_many: Option<ManyRows>,
    /// Turns accumulators into states.
    pub(crate) flush: Flush,
    /// Joins states.
    pub(crate) merge: Merge,
    /// The results.
    pub(crate) finish: Finish,
    /// The sums of the same elements, with the bits of the sum reduction, where states have them too.
    pub(crate) finish_sum: Option<Finish>,
}

impl Reducer {
    /// Reduces `count` blocks of `n` elements, of `size` bytes each, that follow each other, to as many states.
    ///
    /// # Safety
    /// There are so many elements, at least one in each block, and so many states.
    pub(crate) unsafe fn blocks(&self, x: *const u8, n: usize, size: usize, count: usize, states: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(short_blocks) = self.short_blocks {
                return short_blocks(x, n, count, states);
            }
            for at in 0..count {
                (self.block)(x.add(at * n * size), n, 0, states.add(at * self.state_size));
            }
        }
    }
}

/// The reducer of a reduction over elements of `dtype`.
pub(crate) fn reducer(op: Reduction, dtype: DType, level: SimdLevel) -> Option<Reducer> {
    match op {
        Reduction::Sum => sums::sum(dtype, level),
        Reduction::Prod => sums::prod(dtype, level),
        Reduction::Any => sums::truth(dtype, false, level),
        Reduction::All => sums::truth(dtype, true, level),
        Reduction::Xor => sums::parity(dtype, level),
        Reduction::BitAnd | Reduction::BitOr | Reduction::BitXor => sums::bits(op, dtype, level),
        Reduction::Min | Reduction::Max | Reduction::Fmin | Reduction::Fmax => {
            extremum::extremum(op, dtype, level)
        }
        Reduction::ArgMin | Reduction::ArgMax => extremum::position(op, dtype, level),
        Reduction::Count => sums::count(dtype, level),
        Reduction::Variance => moments::variance(dtype, level),
        Reduction::Fold(_) => None,
    }
}

/// Rows that `accumulate_many` takes at once.
pub(crate) const ROWS_AT_A_TIME: usize = 8;

/// A monoid over elements: what sums, products, bit ops, truth and extrema have in common.
pub(crate) trait Monoid {
    /// The element.
    type In: Copy;
    /// The accumulator.
    type Acc: Copy;
    /// The result.
    type Out: Copy;
    /// What joins nothing.
    const NEUTRAL: Self::Acc;
    /// Whether every order of joining gives the same bits, as with integers.
    const EXACT: bool = false;
    /// Whether every way of cutting the elements into blocks gives the same bits.
    const ANY_BLOCKS: bool = Self::EXACT;
    /// Whether what has joined [`Monoid::NEUTRAL`] stays as it is when it does so again, and blocks are those of [`join_block`].
    const SETTLES: bool = false;
    fn lift(x: Self::In) -> Self::Acc;
    /// What a first element joins. As in NumPy that is nothing, which makes a sum of negative zeros a zero.
    #[inline(always)]
    fn before(_first: Self::In) -> Self::Acc {
        Self::NEUTRAL
    }
    /// The accumulator of a first element.
    #[inline(always)]
    fn first(x: Self::In) -> Self::Acc {
        Self::join(Self::before(x), Self::lift(x))
    }
    fn join(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// Joins rows, one after the other, to the accumulators of their columns.
    #[inline(always)]
    fn add_rows(acc: &mut [Self::Acc], [a, b, c, d]: [&[Self::In]; ROWS_IN_A_WALK]) {
        // One loop over the columns: with lanes of ours the compiler would gather the elements of each column.
        for ((((acc, &a), &b), &c), &d) in acc.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let both = Self::join(Self::join(*acc, Self::lift(a)), Self::lift(b));
            *acc = Self::join(Self::join(both, Self::lift(c)), Self::lift(d));
        }
    }
    fn lower(acc: Self::Acc) -> Self::Out;
    /// The state of a block of at least one element.
    #[inline(always)]
    fn block(x: &[Self::In]) -> Self::Acc
    where
        Self: Sized,
    {
        join_block::<Self>(x)
    }
}

/// Accumulators of a block: enough to hide the latency of additions, combined as a tree.
pub(crate) const LANES: usize = 32;
/// Elements that a lane adds up before they join the lane's total: short sums keep rounding small.
const RUN_ELEMENTS: usize = 8;

#[inline(always)]
pub(crate) fn join_block<M: Monoid>(x: &[M::In]) -> M::Acc {
    if M::EXACT {
        // The compiler is free to choose its own lanes; with ours it would gather them.
        return x.iter().fold(M::NEUTRAL, |acc, &x| M::join(acc, M::lift(x)));
    }
    // SAFETY: nothing is read behind the elements.
    unsafe { join_by_lanes::<M>(x.as_ptr(), x.len(), false) }
}

/// Joins `n` elements by lanes. Where it `reads_on` the last row of lanes is read whole, and what lies behind the elements is left out.
///
/// # Safety
/// There are so many elements, and as many more as fill that row if it `reads_on`.
#[inline(always)]
unsafe fn join_by_lanes<M: Monoid>(x: *const M::In, n: usize, reads_on: bool) -> M::Acc {
    let mut totals = [M::NEUTRAL; LANES];
    // SAFETY: the caller's promise.
    let (runs, rest) = unsafe { std::slice::from_raw_parts(x, n) }.as_chunks::<{ LANES * RUN_ELEMENTS }>();
    for run in runs {
        totals = joined::<M>(totals, join_rows::<M>(run.as_chunks().0));
    }
    if !rest.is_empty() {
        let (rows, part) = rest.as_chunks();
        let mut lanes = join_rows::<M>(rows);
        if !part.is_empty() && reads_on {
            // SAFETY: the caller's promise.
            let last = unsafe { x.add(n - part.len()).cast::<[M::In; LANES]>().read_unaligned() };
            for k in 0..LANES {
                let joined = M::join(lanes[k], M::lift(last[k]));
                lanes[k] = if k < part.len() { joined } else { lanes[k] };
            }
        } else if !part.is_empty() {
            let mut indexed = apart(lanes);
            for (lane, &x) in indexed.iter_mut().zip(part) {
                *lane = M::join(*lane, M::lift(x));
            }
            lanes = apart(indexed);
        }
        totals = joined::<M>(totals, lanes);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            totals[i] = M::join(totals[i], totals[i + width]);
        }
        width /= 2;
    }
    totals[0]
}

/// The lanes of rows that are added up one after the other.
#[inline(always)]
fn join_rows<M: Monoid>(rows: &[[M::In; LANES]]) -> [M::Acc; LANES] {
    let mut lanes = [M::NEUTRAL; LANES];
    for row in rows {
        for k in 0..LANES {
            lanes[k] = M::join(lanes[k], M::lift(row[k]));
        }
    }
    lanes
}

#[inline(always)]
fn joined<M: Monoid>(mut a: [M::Acc; LANES], b: [M::Acc; LANES]) -> [M::Acc; LANES] {
    for k in 0..LANES {
        a[k] = M::join(a[k], b[k]);
    }
    a
}

/// The same lanes in memory of their own. Those that are indexed by a number that is not known lie in memory, and the
/// compiler would keep them there while whole rows are added too: they come from here, and go back through here.
#[inline(always)]
pub(crate) fn apart<T>(lanes: [T; LANES]) -> [T; LANES] {
    std::hint::black_box(lanes)
}

#[inline(always)]
unsafe fn block_body<M: Monoid>(x: *const u8, n: usize, state: *mut u8) {
    // SAFETY: the caller hands `n` readable elements.
    let x = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    let acc = M::block(x);
    // SAFETY: the caller hands a state to write.
    unsafe { state.cast::<M::Acc>().write_unaligned(acc) }
}

/// Blocks that are reduced side by side.
const BLOCKS_AT_A_TIME: usize = 8;

/// Reduces blocks one after the other. Those with fewer elements than lanes leave the other lanes neutral, so that the tree over
/// the lanes is one over the elements: it is taken for several blocks at once. Of longer ones the last row of lanes is read whole,
/// which ends in the next block.
#[inline(always)]
unsafe fn short_body<M: Monoid>(x: *const u8, n: usize, count: usize, states: *mut u8) {
    let (x, states) = (x.cast::<M::In>(), states.cast::<M::Acc>());
    let done = if M::SETTLES && n < LANES { count / BLOCKS_AT_A_TIME * BLOCKS_AT_A_TIME } else { 0 };
    if done > 0 {
        // SAFETY: the caller's promise, for the first of the blocks.
        unsafe { some_at_once::<M>(x, n, done, states) };
    }
    for at in done..count {
        // SAFETY: the caller hands `count` blocks of `n` elements, and a state for each. All but the last block are followed by
        // another, which has as many elements as a row of lanes at least where blocks are not taken side by side.
        unsafe {
            let x = x.add(at * n);
            let acc = match M::SETTLES && !M::EXACT {
                true => join_by_lanes::<M>(x, n, at + 1 < count && n >= LANES),
                false => M::block(std::slice::from_raw_parts(x, n)),
            };
            states.add(at).write_unaligned(acc);
        }
    }
}

/// Reduces `count` blocks of fewer elements than lanes, [`BLOCKS_AT_A_TIME`] side by side.
#[inline(always)]
unsafe fn some_at_once<M: Monoid>(x: *const M::In, n: usize, count: usize, states: *mut M::Acc) {
    let mut lanes = [[M::NEUTRAL; BLOCKS_AT_A_TIME]; LANES];
    for first in (0..count).step_by(BLOCKS_AT_A_TIME) {
        for (at, lane) in lanes[..n].iter_mut().enumerate() {
            for (side, acc) in lane.iter_mut().enumerate() {
                // SAFETY: the caller hands `count` blocks of `n` elements.
                *acc = M::first(unsafe { x.add((first + side) * n + at).read_unaligned() });
            }
        }
        let mut width = LANES / 2;
        while width > 0 {
            let (lower, upper) = lanes[..2 * width].split_at_mut(width);
            for (lane, other) in lower.iter_mut().zip(&upper[..n.min(2 * width).saturating_sub(width)]) {
                for (acc, other) in lane.iter_mut().zip(other) {
                    *acc = M::join(*acc, *other);
                }
            }
            width /= 2;
        }
        for (side, acc) in lanes[0].iter().enumerate() {
            // SAFETY: the caller hands a state for each block.
            unsafe { states.add(first + side).write_unaligned(*acc) };
        }
    }
}

/// Columns that are reduced side by side.
const COLUMNS_AT_A_TIME: usize = 8;

#[inline(always)]
unsafe fn columns_body<M: Monoid>(
    x: *const u8,
    stride: isize,
    n: usize,
    count: usize,
    states: *mut u8,
    step: usize,
) {
    let mut at = 0;
    while at < count {
        // SAFETY: the caller hands `n` rows of `count` elements, and as many states.
        unsafe {
            let (first, state) = (x.cast::<M::In>().add(at), states.add(at * step));
            at += match count - at {
                COLUMNS_AT_A_TIME.. => join_some::<M, COLUMNS_AT_A_TIME>(first, stride, n, state, step),
                4.. => join_some::<M, 4>(first, stride, n, state, step),
                2.. => join_some::<M, 2>(first, stride, n, state, step),
                _ => join_some::<M, 1>(first, stride, n, state, step),
            };
        }
    }
}

/// Reduces `W` columns in the pattern of [`join_block`], and says how many they are.
#[inline(always)]
unsafe fn join_some<M: Monoid, const W: usize>(
    x: *const M::In,
    stride: isize,
    n: usize,
    states: *mut u8,
    step: usize,
) -> usize {
    // SAFETY: the caller hands `n` rows of `W` elements.
    let row =
        |at: usize| unsafe { x.byte_offset(at as isize * stride).cast::<[M::In; W]>().read_unaligned() };
    let mut totals = [[M::NEUTRAL; W]; LANES];
    if M::EXACT {
        for at in 0..n {
            add_row::<M, W>(&mut totals[0], row(at));
        }
    } else {
        for first in (0..n).step_by(LANES * RUN_ELEMENTS) {
            let end = n.min(first + LANES * RUN_ELEMENTS);
            for (k, total) in totals.iter_mut().enumerate() {
                let mut lane = [M::NEUTRAL; W];
                if end - first == LANES * RUN_ELEMENTS {
                    for at in 0..RUN_ELEMENTS {
                        add_row::<M, W>(&mut lane, row(first + at * LANES + k));
                    }
                } else {
                    for at in (first + k..end).step_by(LANES) {
                        add_row::<M, W>(&mut lane, row(at));
                    }
                }
                for (total, acc) in total.iter_mut().zip(lane) {
                    *total = M::join(*total, acc);
                }
            }
        }
        let mut width = LANES / 2;
        while width > 0 {
            let (lower, upper) = totals[..2 * width].split_at_mut(width);
            for (total, other) in lower.as_flattened_mut().iter_mut().zip(upper.as_flattened()) {
                *total = M::join(*total, *other);
            }
            width /= 2;
        }
    }
    for (column, acc) in totals[0].iter().enumerate() {
        // SAFETY: the caller hands `W` states.
        unsafe { states.add(column * step).cast::<M::Acc>().write_unaligned(*acc) };
    }
    W
}

/// Adds a row to accumulators. A function, since a closure that is not inlined is compiled for no level.
#[inline(always)]
fn add_row<M: Monoid, const W: usize>(lane: &mut [M::Acc; W], row: [M::In; W]) {
    for (acc, x) in lane.iter_mut().zip(row) {
        *acc = M::join(*acc, M::lift(x));
    }
}

#[inline(always)]
unsafe fn accumulate_body<M: Monoid>(rows: *mut u8, x: *const u8, n: usize) {
    // SAFETY: the caller hands `n` accumulators and `n` readable elements, apart from each other.
    let (rows, x) = unsafe {
        (
            std::slice::from_raw_parts_mut(rows.cast::<M::Acc>(), n),
            std::slice::from_raw_parts(x.cast::<M::In>(), n),
        )
    };
    for (acc, &x) in rows.iter_mut().zip(x) {
        *acc = M::join(*acc, M::lift(x));
    }
}

#[inline(always)]
unsafe fn begin_body<M: Monoid>(rows: *mut u8, x: *const u8, n: usize) {
    for i in 0..n {
        // SAFETY: the caller hands `n` accumulators and `n` elements.
        unsafe { rows.cast::<M::Acc>().add(i).write(M::first(x.cast::<M::In>().add(i).read())) };
    }
}

#[inline(always)]
unsafe fn merge_body<M: Monoid>(states: *mut u8, others: *const u8, n: usize) {
    let (states, others) = (states.cast::<M::Acc>(), others.cast::<M::Acc>());
    for i in 0..n {
        // SAFETY: `n` states of this reduction on either side, apart from each other.
        unsafe {
            let joined = M::join(states.add(i).read_unaligned(), others.add(i).read_unaligned());
            states.add(i).write_unaligned(joined);
        }
    }
}

at_levels!(short_some_portable, short_avx2, short_avx512, <M: Monoid>,
    (x: *const u8, n: usize, count: usize, states: *mut u8), short_body::<M>(x, n, count, states));
at_levels!(columns_portable, columns_avx2, columns_avx512, <M: Monoid>,
    (x: *const u8, stride: isize, n: usize, _first: usize, count: usize, states: *mut u8, step: usize),
    columns_body::<M>(x, stride, n, count, states, step));
at_levels!(accumulate_portable, accumulate_avx2, accumulate_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, n: usize, _position: usize), accumulate_body::<M>(rows, x, n));
at_levels!(accumulate_pairs_portable, accumulate_pairs_avx2, accumulate_pairs_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, n: usize, _position: usize),
    accumulate_body::<M>(rows, x, 2 * n));
at_levels!(many_portable, many_avx2, many_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, stride: isize, n: usize, starts: bool, fetches: bool),
    many_body::<M>(rows, x, stride, n, starts, fetches));
at_levels!(many_pairs_portable, many_pairs_avx2, many_pairs_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, stride: isize, n: usize, starts: bool, fetches: bool),
    many_body::<M>(rows, x, stride, 2 * n, starts, fetches));
at_levels!(begin_portable, begin_avx2, begin_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, n: usize, _position: usize), begin_body::<M>(rows, x, n));
at_levels!(merge_portable, merge_avx2, merge_avx512, <M: Monoid>,
    (states: *mut u8, others: *const u8, n: usize), merge_body::<M>(states, others, n));

#[inline(never)]
unsafe fn short_portable<M: Monoid>(x: *const u8, n: usize, count: usize, states: *mut u8) {
    if !SimdLevel::PORTABLE_IS_RARE {
        // SAFETY: the caller's promise.
        return unsafe { short_some_portable::<M>(x, n, count, states) };
    }
    for at in 0..count {
        // SAFETY: the caller hands `count` blocks of `n` elements, and a state for each.
        unsafe {
            let (x, state) = (x.cast::<M::In>().add(at * n), states.cast::<M::Acc>().add(at));
            block_body::<M>(x.cast(), n, state.cast());
        }
    }
}

// One block is one of several: what reduces it is compiled once for both.

unsafe fn block_portable<M: Monoid>(x: *const u8, n: usize, _first: usize, state: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { short_portable::<M>(x, n, 1, state) }
}

unsafe fn block_avx2<M: Monoid>(x: *const u8, n: usize, _first: usize, state: *mut u8) {
    // SAFETY: the caller's promise, for a processor of this level.
    unsafe { short_avx2::<M>(x, n, 1, state) }
}

unsafe fn block_avx512<M: Monoid>(x: *const u8, n: usize, _first: usize, state: *mut u8) {
    // SAFETY: the caller's promise, for a processor of this level.
    unsafe { short_avx512::<M>(x, n, 1, state) }
}

unsafe fn flush<M: Monoid>(rows: *const u8, _capacity: usize, n: usize, _count: usize, states: *mut u8) {
    // SAFETY: accumulators are states; both hold `n` of them.
    unsafe { std::ptr::copy_nonoverlapping(rows, states, n * size_of::<M::Acc>()) };
}

unsafe fn finish<M: Monoid>(states: *const u8, n: usize, out: *mut u8) {
    for i in 0..n {
        // SAFETY: `n` states in, `n` results out.
        unsafe {
            out.cast::<M::Out>()
                .add(i)
                .write_unaligned(M::lower(states.cast::<M::Acc>().add(i).read_unaligned()))
        };
    }
}

/// The reducer of a monoid.
pub(crate) fn monoid<M: Monoid>(level: SimdLevel) -> Reducer {
    let (block, begin, accumulate, merge): (ReduceBlock, ReduceRow, ReduceRow, Merge) = match level {
        SimdLevel::Portable => {
            (block_portable::<M>, begin_portable::<M>, accumulate_portable::<M>, merge_portable::<M>)
        }
        SimdLevel::Avx2 => (block_avx2::<M>, begin_avx2::<M>, accumulate_avx2::<M>, merge_avx2::<M>),
        SimdLevel::Avx512 => {
            (block_avx512::<M>, begin_avx512::<M>, accumulate_avx512::<M>, merge_avx512::<M>)
        }
    };
    let many: Option<ManyRows> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(many_portable::<M>),
        SimdLevel::Avx2 => Some(many_avx2::<M>),
        SimdLevel::Avx512 => Some(many_avx512::<M>),
    };
    let short: ShortBlocks = match level {
        SimdLevel::Portable => short_portable::<M>,
        SimdLevel::Avx2 => short_avx2::<M>,
        SimdLevel::Avx512 => short_avx512::<M>,
    };
    let columns: Option<ColumnBlocks> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(columns_portable::<M>),
        SimdLevel::Avx2 => Some(columns_avx2::<M>),
        SimdLevel::Avx512 => Some(columns_avx512::<M>),
    };
    Reducer {
        state_size: size_of::<M::Acc>(),
        row_size: size_of::<M::Acc>(),
        block,
        short_blocks: Some(short),
        // Blocks of the others have patterns of their own.
        column_blocks: columns.filter(|_| M::SETTLES),
        block_on: None,
        any_blocks: M::ANY_BLOCKS,
        settled: None,
        begin,
        accumulate,
        accumulate_many: many,
        flush: flush::<M>,
        merge,
        finish: finish::<M>,
        finish_sum: None,
    }
}

/// The reducer of a monoid of complex numbers whose parts are joined each for itself, as by `P`: a row of them is joined as a
/// row of twice as many parts.
pub(crate) fn monoid_of_pairs<M: Monoid, P: Monoid>(level: SimdLevel) -> Reducer {
    let accumulate: ReduceRow = match level {
        SimdLevel::Portable => accumulate_pairs_portable::<P>,
        SimdLevel::Avx2 => accumulate_pairs_avx2::<P>,
        SimdLevel::Avx512 => accumulate_pairs_avx512::<P>,
    };
    let many: Option<ManyRows> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(many_pairs_portable::<P>),
        SimdLevel::Avx2 => Some(many_pairs_avx2::<P>),
        SimdLevel::Avx512 => Some(many_pairs_avx512::<P>),
    };
    Reducer { accumulate, accumulate_many: many, ..monoid::<M>(level) }
}

/// Half-precision elements are added up in float32.
#[inline(always)]
pub(crate) fn widen_f16(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32()
}

/// The same for bfloat16.
#[inline(always)]
pub(crate) fn widen_bf16(bits: u16) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

#[inline(always)]
pub(crate) fn narrow_f16(x: f32) -> u16 {
    f16::from_f32(x).to_bits()
}

#[inline(always)]
pub(crate) fn narrow_bf16(x: f32) -> u16 {
    bf16::from_f32(x).to_bits()
}
