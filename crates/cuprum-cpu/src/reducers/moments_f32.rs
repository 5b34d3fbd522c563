//! Squared deviations of single-precision elements, beside their plain sum: one pass over memory gives mean and deviation.
//!
//! Everything is added up in float64. Where elements lie so close together that a difference of sums loses bits, they have
//! about the same exponent, and their sum in float64 is exact: so the sum need not be one of deviations, as it must for
//! elements of full width. It is made in the order of the sum reduction and has its bits.

use cuprum_core::SimdLevel;
use std::mem::MaybeUninit;

use super::moments::{not_negative, squared_deviations, totals};
use super::sums::AddWide;
use super::{
    BLOCKS_AT_A_TIME, Flush, LANES, ManyRows, Merge, Monoid, PREFETCH_COLUMNS, ROWS_AT_A_TIME, ReduceBlock,
    ReduceRow, Reducer, ShortBlocks, columns, fetch_ahead,
};
use cuprum_lanes::at_levels;

type Sum = AddWide<f32>;

/// Some elements: how many, their sum, and the squares of their deviations from the mean.
#[derive(Clone, Copy)]
#[repr(C)]
struct RunningMoments {
    count: f64,
    sum: f64,
    squares: f64,
}

#[inline(always)]
unsafe fn block_body(x: *const u8, n: usize, state: *mut u8) {
    // SAFETY: the caller hands `n` readable elements.
    let x: &[f32] = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    let (count, sum) = (n as f64, Sum::block(x));
    let moments = RunningMoments { count, sum, squares: squared_deviations(x, [sum / count, 0.0]) };
    // SAFETY: the caller hands a state to write.
    unsafe { state.cast::<RunningMoments>().write_unaligned(moments) };
}

#[inline(always)]
unsafe fn short_body(x: *const u8, n: usize, count: usize, states: *mut u8) {
    let states = states.cast::<RunningMoments>();
    // SAFETY: the caller hands `count` blocks of `n` elements.
    let x: &[f32] = unsafe { std::slice::from_raw_parts(x.cast(), count * n) };
    let done = if n <= LANES { count / BLOCKS_AT_A_TIME * BLOCKS_AT_A_TIME } else { 0 };
    for first in (0..done).step_by(BLOCKS_AT_A_TIME) {
        let (x, count) = (&x[first * n..], n as f64);
        let sums = totals(x, n, |x, _| x as f64);
        let means = sums.map(|sum| sum / count);
        let squares = totals(x, n, |x, side| (x as f64 - means[side]) * (x as f64 - means[side]));
        for (side, (sum, squares)) in sums.into_iter().zip(squares).enumerate() {
            // SAFETY: the caller hands a state for each block.
            unsafe { states.add(first + side).write_unaligned(RunningMoments { count, sum, squares }) };
        }
    }
    for at in done..count {
        // SAFETY: as above.
        unsafe { block_body(x[at * n..].as_ptr().cast(), n, states.add(at).cast()) };
    }
}

/// The accumulators of `n` results from `at` on, a plane each: what deviations are taken from, the sum, the squares.
/// `T` is a float64, or one that is still to be written.
///
/// # Safety
/// The accumulators are those of `capacity` results, of which `at + n` are not more, and nobody else's while this lives.
unsafe fn planes<'a, T>(rows: *mut u8, capacity: usize, at: usize, n: usize) -> [&'a mut [T]; 3] {
    // SAFETY: the caller's promise: three planes of `capacity` float64 each.
    [0, 1, 2].map(|plane| unsafe {
        std::slice::from_raw_parts_mut(rows.cast::<T>().add(plane * capacity + at), n)
    })
}

/// Writes accumulators.
#[inline(always)]
fn start(planes: &mut [&mut [MaybeUninit<f64>]; 3], i: usize, values: [f64; 3]) {
    for (plane, value) in planes.iter_mut().zip(values) {
        plane[i].write(value);
    }
}

#[inline(always)]
unsafe fn begin_body(rows: *mut u8, capacity: usize, x: *const u8, n: usize) {
    // SAFETY: the caller's contract for accumulators and elements.
    let (mut planes, x) =
        unsafe { (planes(rows, capacity, 0, n), std::slice::from_raw_parts(x.cast::<f32>(), n)) };
    for (i, &x) in x.iter().enumerate() {
        start(&mut planes, i, [x as f64, Sum::first(x), 0.0]);
    }
}

#[inline(always)]
unsafe fn row_body(rows: *mut u8, capacity: usize, x: *const u8, n: usize) {
    // SAFETY: the caller's contract for accumulators and elements.
    let ([center, sum, squares], x): ([&mut [f64]; 3], _) =
        unsafe { (planes(rows, capacity, 0, n), std::slice::from_raw_parts(x.cast::<f32>(), n)) };
    for i in 0..n {
        let deviation = x[i] as f64 - center[i];
        sum[i] = Sum::join(sum[i], Sum::lift(x[i]));
        squares[i] += deviation * deviation;
    }
}

/// Adds several rows one after the other while their columns' accumulators stay in registers.
#[inline(always)]
unsafe fn many_body(
    rows: *mut u8,
    capacity: usize,
    x: *const u8,
    stride: isize,
    n: usize,
    starts: bool,
    fetches: bool,
) {
    let whole = n / PREFETCH_COLUMNS * PREFETCH_COLUMNS;
    // SAFETY: the caller's contract for accumulators, and `ROWS_AT_A_TIME` rows of `n` elements.
    unsafe {
        for at in (0..whole).step_by(PREFETCH_COLUMNS) {
            if fetches {
                fetch_ahead::<f32>(x, stride, at, PREFETCH_COLUMNS);
            }
            take_columns(rows, capacity, columns(x, stride, at, PREFETCH_COLUMNS), at, starts);
        }
        take_columns(rows, capacity, columns(x, stride, whole, n - whole), whole, starts);
    }
}

#[inline(always)]
unsafe fn take_columns(rows: *mut u8, capacity: usize, x: [&[f32]; ROWS_AT_A_TIME], at: usize, starts: bool) {
    let count = x[0].len();
    let take = |rows: &[&[f32]], i: usize, center: f64, mut sum: f64, mut squares: f64| {
        for row in rows {
            let deviation = row[i] as f64 - center;
            sum = Sum::join(sum, Sum::lift(row[i]));
            squares += deviation * deviation;
        }
        (sum, squares)
    };
    if starts {
        // SAFETY: the caller's accumulators.
        let mut planes = unsafe { planes(rows, capacity, at, count) };
        for i in 0..count {
            let center = x[0][i] as f64;
            let (sum, squares) = take(&x[1..], i, center, Sum::first(x[0][i]), 0.0);
            start(&mut planes, i, [center, sum, squares]);
        }
        return;
    }
    // SAFETY: the caller's accumulators, which were started.
    let [center, sum, squares]: [&mut [f64]; 3] = unsafe { planes(rows, capacity, at, count) };
    for i in 0..count {
        (sum[i], squares[i]) = take(&x, i, center[i], sum[i], squares[i]);
    }
}

#[inline(always)]
unsafe fn flush_body(rows: *const u8, capacity: usize, n: usize, count: usize, states: *mut u8) {
    // SAFETY: the caller's contract for accumulators, which are only read here.
    let [center, sum, squares]: [&mut [f64]; 3] = unsafe { planes(rows.cast_mut(), capacity, 0, n) };
    // SAFETY: `n` states to write.
    let states = unsafe { std::slice::from_raw_parts_mut(states.cast::<MaybeUninit<RunningMoments>>(), n) };
    let count = count as f64;
    let part = 1.0 / count;
    for i in 0..n {
        let deviations = sum[i] - center[i] * count;
        // Rounding must not make a sum of squares negative; NaN stays.
        let squares = not_negative(squares[i] - deviations * deviations * part);
        states[i].write(RunningMoments { count, sum: sum[i], squares });
    }
}

/// Results side by side have as many elements each, so their counts are divided by once.
#[inline(always)]
unsafe fn merge_body(states: *mut u8, others: *const u8, n: usize) {
    // SAFETY: `n` states of this reduction on either side, apart from each other; states are lines of memory, aligned.
    let (states, others) = unsafe {
        (
            std::slice::from_raw_parts_mut(states.cast::<RunningMoments>(), n),
            std::slice::from_raw_parts(others.cast::<RunningMoments>(), n),
        )
    };
    let (mine, theirs) = (states[0].count, others[0].count);
    let count = mine + theirs;
    let (part, other_part, weight) = (1.0 / mine, 1.0 / theirs, mine * (theirs / count));
    for (state, other) in states.iter_mut().zip(others) {
        let distance = other.sum * other_part - state.sum * part;
        let squares = state.squares + other.squares + distance * distance * weight;
        *state = RunningMoments { count, sum: Sum::join(state.sum, other.sum), squares };
    }
}

unsafe fn finish_squares(states: *const u8, n: usize, out: *mut u8) {
    for i in 0..n {
        // SAFETY: `n` states in, `n` results out.
        unsafe {
            let squares = states.cast::<RunningMoments>().add(i).read_unaligned().squares;
            out.cast::<f32>().add(i).write_unaligned(squares as f32);
        }
    }
}

unsafe fn finish_sum(states: *const u8, n: usize, out: *mut u8) {
    for i in 0..n {
        // SAFETY: `n` states in, `n` results out.
        unsafe {
            let sum = states.cast::<RunningMoments>().add(i).read_unaligned().sum;
            out.cast::<f32>().add(i).write_unaligned(Sum::lower(sum));
        }
    }
}

at_levels!(block_portable, block_avx2, block_avx512, <>,
    (x: *const u8, n: usize, _first: usize, state: *mut u8), block_body(x, n, state));
at_levels!(short_portable, short_avx2, short_avx512, <>,
    (x: *const u8, n: usize, count: usize, states: *mut u8), short_body(x, n, count, states));
at_levels!(begin_portable, begin_avx2, begin_avx512, <>,
    (rows: *mut u8, capacity: usize, x: *const u8, n: usize, _position: usize), begin_body(rows, capacity, x, n));
at_levels!(row_portable, row_avx2, row_avx512, <>,
    (rows: *mut u8, capacity: usize, x: *const u8, n: usize, _position: usize), row_body(rows, capacity, x, n));
at_levels!(many_portable, many_avx2, many_avx512, <>,
    (rows: *mut u8, capacity: usize, x: *const u8, stride: isize, n: usize, starts: bool, fetches: bool),
    many_body(rows, capacity, x, stride, n, starts, fetches));
at_levels!(flush_portable, flush_avx2, flush_avx512, <>,
    (rows: *const u8, capacity: usize, n: usize, count: usize, states: *mut u8),
    flush_body(rows, capacity, n, count, states));
at_levels!(merge_portable, merge_avx2, merge_avx512, <>,
    (states: *mut u8, others: *const u8, n: usize), merge_body(states, others, n));

/// The squared deviations of single-precision elements, whose states have the sum too.
pub(super) fn variance(level: SimdLevel) -> Reducer {
    let (block, begin, accumulate): (ReduceBlock, ReduceRow, ReduceRow) = match level {
        SimdLevel::Portable => (block_portable, begin_portable, row_portable),
        SimdLevel::Avx2 => (block_avx2, begin_avx2, row_avx2),
        SimdLevel::Avx512 => (block_avx512, begin_avx512, row_avx512),
    };
    let short_blocks: Option<ShortBlocks> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(short_portable),
        SimdLevel::Avx2 => Some(short_avx2),
        SimdLevel::Avx512 => Some(short_avx512),
    };
    let (many, flush, merge): (ManyRows, Flush, Merge) = match level {
        SimdLevel::Portable => (many_portable, flush_portable, merge_portable),
        SimdLevel::Avx2 => (many_avx2, flush_avx2, merge_avx2),
        SimdLevel::Avx512 => (many_avx512, flush_avx512, merge_avx512),
    };
    Reducer {
        state_size: size_of::<RunningMoments>(),
        row_size: 3 * size_of::<f64>(),
        block,
        short_blocks,
        column_blocks: None,
        block_on: None,
        any_blocks: false,
        settled: None,
        begin,
        accumulate,
        accumulate_many: Some(many),
        flush,
        merge,
        finish: finish_squares,
        finish_sum: Some(finish_sum),
    }
}
