//! Sums of squared deviations from the mean, in one pass over memory: two passes over a cached block, or shifted sums
//! over a few rows, joined by the update formula for means and deviations.

use cuprum_core::{DType, SimdLevel};

use super::moments_f32;
use super::{
    BLOCKS_AT_A_TIME, Flush, LANES, ManyRows, PREFETCH_COLUMNS, ROWS_AT_A_TIME, ReduceBlock, ReduceRow,
    Reducer, ShortBlocks, apart, columns, fetch_ahead,
};
use cuprum_lanes::at_levels;

/// Count, mean and squared deviations of some elements; the imaginary mean is zero for real ones.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Moments {
    count: f64,
    mean: [f64; 2],
    squares: f64,
}

impl Moments {
    /// The moments of both together: `count` elements, of which the other has the fraction `part`.
    #[inline(always)]
    fn join(self, other: Moments, count: f64, part: f64) -> Moments {
        let shift = [other.mean[0] - self.mean[0], other.mean[1] - self.mean[1]];
        let distance = shift[0] * shift[0] + shift[1] * shift[1];
        Moments {
            count,
            mean: [self.mean[0] + shift[0] * part, self.mean[1] + shift[1] * part],
            squares: self.squares + other.squares + distance * self.count * part,
        }
    }
}

/// Elements with real and imaginary parts as float64.
pub(super) trait Parts: Copy {
    type Real: Copy;
    const COMPLEX: bool;
    fn parts(self) -> [f64; 2];
    fn result(x: f64) -> Self::Real;
}

impl Parts for f32 {
    type Real = f32;
    const COMPLEX: bool = false;
    #[inline(always)]
    fn parts(self) -> [f64; 2] {
        [self as f64, 0.0]
    }
    fn result(x: f64) -> f32 {
        x as f32
    }
}

impl Parts for f64 {
    type Real = f64;
    const COMPLEX: bool = false;
    #[inline(always)]
    fn parts(self) -> [f64; 2] {
        [self, 0.0]
    }
    fn result(x: f64) -> f64 {
        x
    }
}

impl Parts for [f32; 2] {
    type Real = f32;
    const COMPLEX: bool = true;
    #[inline(always)]
    fn parts(self) -> [f64; 2] {
        [self[0] as f64, self[1] as f64]
    }
    fn result(x: f64) -> f32 {
        x as f32
    }
}

impl Parts for [f64; 2] {
    type Real = f64;
    const COMPLEX: bool = true;
    #[inline(always)]
    fn parts(self) -> [f64; 2] {
        self
    }
    fn result(x: f64) -> f64 {
        x
    }
}

/// Adds `f(x)` up over a block by lanes and a tree.
#[inline(always)]
fn total<P: Parts>(x: &[P], f: impl Fn(P) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let (rows, part) = x.as_chunks::<LANES>();
    for row in rows {
        for k in 0..LANES {
            lanes[k] += f(row[k]);
        }
    }
    if !part.is_empty() {
        let mut indexed = apart(lanes);
        for (lane, &x) in indexed.iter_mut().zip(part) {
            *lane += f(x);
        }
        lanes = apart(indexed);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The squares of a block's deviations from its mean.
#[inline(always)]
pub(super) fn squared_deviations<P: Parts>(x: &[P], mean: [f64; 2]) -> f64 {
    total(x, |x| {
        let [re, im] = x.parts();
        let (re, im) = (re - mean[0], im - mean[1]);
        if P::COMPLEX { re * re + im * im } else { re * re }
    })
}

#[inline(always)]
unsafe fn block_body<P: Parts>(x: *const u8, n: usize, state: *mut u8) {
    // SAFETY: the caller hands `n` readable elements.
    let x: &[P] = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    let count = n as f64;
    let re = total(x, |x| x.parts()[0]) / count;
    let im = if P::COMPLEX { total(x, |x| x.parts()[1]) / count } else { 0.0 };
    let squares = squared_deviations(x, [re, im]);
    // SAFETY: the caller hands a state to write.
    unsafe { state.cast::<Moments>().write_unaligned(Moments { count, mean: [re, im], squares }) };
}

at_levels!(block_portable, block_avx2, block_avx512, <P: Parts>,
    (x: *const u8, n: usize, _first: usize, state: *mut u8), block_body::<P>(x, n, state));

/// The totals of `f`, which is told the number of its block, over each of [`BLOCKS_AT_A_TIME`] blocks of `n` elements, at most
/// [`LANES`]: with the bits of [`total`], whose lanes without an element change nothing.
#[inline(always)]
pub(super) fn totals<P: Parts>(x: &[P], n: usize, f: impl Fn(P, usize) -> f64) -> [f64; BLOCKS_AT_A_TIME] {
    let blocks: [&[P]; BLOCKS_AT_A_TIME] = std::array::from_fn(|side| &x[side * n..][..n]);
    let mut lanes = [[0.0; BLOCKS_AT_A_TIME]; LANES];
    for (at, lane) in lanes[..n].iter_mut().enumerate() {
        for (side, sum) in lane.iter_mut().enumerate() {
            *sum += f(blocks[side][at], side);
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        let (lower, upper) = lanes[..2 * width].split_at_mut(width);
        let upper = &upper[..n.clamp(width, 2 * width) - width];
        for (lane, other) in lower.iter_mut().zip(upper) {
            for (sum, other) in lane.iter_mut().zip(other) {
                *sum += other;
            }
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
unsafe fn short_body<P: Parts>(x: *const u8, n: usize, count: usize, states: *mut u8) {
    let states = states.cast::<Moments>();
    // SAFETY: the caller hands `count` blocks of `n` elements.
    let x: &[P] = unsafe { std::slice::from_raw_parts(x.cast(), count * n) };
    let done = if n <= LANES { count / BLOCKS_AT_A_TIME * BLOCKS_AT_A_TIME } else { 0 };
    for first in (0..done).step_by(BLOCKS_AT_A_TIME) {
        let (x, elements) = (&x[first * n..], n as f64);
        let re = totals(x, n, |x, _| x.parts()[0]).map(|sum| sum / elements);
        let im = match P::COMPLEX {
            true => totals(x, n, |x, _| x.parts()[1]).map(|sum| sum / elements),
            false => [0.0; BLOCKS_AT_A_TIME],
        };
        let squares = totals(x, n, |x, side| {
            let [x_re, x_im] = x.parts();
            let (re, im) = (x_re - re[side], x_im - im[side]);
            if P::COMPLEX { re * re + im * im } else { re * re }
        });
        for side in 0..BLOCKS_AT_A_TIME {
            let state = Moments { count: elements, mean: [re[side], im[side]], squares: squares[side] };
            // SAFETY: the caller hands a state for each block.
            unsafe { states.add(first + side).write_unaligned(state) };
        }
    }
    for at in done..count {
        // SAFETY: as above.
        unsafe { block_body::<P>(x[at * n..].as_ptr().cast(), n, states.add(at).cast()) };
    }
}

at_levels!(short_portable, short_avx2, short_avx512, <P: Parts>,
    (x: *const u8, n: usize, count: usize, states: *mut u8), short_body::<P>(x, n, count, states));

/// The accumulators of a row: shift, sum and sum of squares, a plane each; complex shifts and sums have two.
unsafe fn plane<'a>(rows: *mut u8, capacity: usize, number: usize, n: usize) -> &'a mut [f64] {
    // SAFETY: the caller's accumulators hold five planes of `capacity` float64 each, or three for real elements.
    unsafe { std::slice::from_raw_parts_mut(rows.cast::<f64>().add(number * capacity), n) }
}

unsafe fn begin<P: Parts>(rows: *mut u8, capacity: usize, x: *const u8, n: usize, _position: usize) {
    // SAFETY: the caller's contract for accumulators and elements.
    let x: &[P] = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    let planes = if P::COMPLEX { 5 } else { 3 };
    for number in 0..planes {
        // SAFETY: as above; planes do not overlap.
        let plane = unsafe { plane(rows, capacity, number, n) };
        for (place, &x) in plane.iter_mut().zip(x) {
            let [re, im] = x.parts();
            *place = match number {
                0 => re,
                3 => im,
                // Zero, but for what is not finite and deviates from itself.
                1 => re * 0.0,
                4 => im * 0.0,
                _ => 0.0,
            };
        }
    }
}

#[inline(always)]
unsafe fn row_body<P: Parts>(rows: *mut u8, capacity: usize, x: *const u8, n: usize) {
    // SAFETY: the caller's contract for accumulators and elements; planes do not overlap.
    let (x, shift, sum, squares) = unsafe {
        (
            std::slice::from_raw_parts(x.cast::<P>(), n),
            plane(rows, capacity, 0, n),
            plane(rows, capacity, 1, n),
            plane(rows, capacity, 2, n),
        )
    };
    for i in 0..n {
        let d = x[i].parts()[0] - shift[i];
        sum[i] += d;
        squares[i] += d * d;
    }
    if P::COMPLEX {
        // SAFETY: complex elements have five planes.
        let (shift, sum) = unsafe { (plane(rows, capacity, 3, n), plane(rows, capacity, 4, n)) };
        for i in 0..n {
            let d = x[i].parts()[1] - shift[i];
            sum[i] += d;
            squares[i] += d * d;
        }
    }
}

at_levels!(row_portable, row_avx2, row_avx512, <P: Parts>,
    (rows: *mut u8, capacity: usize, x: *const u8, n: usize, _position: usize), row_body::<P>(rows, capacity, x, n));

/// Adds several rows one after the other while their columns' accumulators stay in registers. New accumulators have the
/// first row as their shift, from which it does not deviate.
#[inline(always)]
unsafe fn many_body<P: Parts>(
    rows: *mut u8,
    capacity: usize,
    x: *const u8,
    stride: isize,
    n: usize,
    starts: bool,
    fetches: bool,
) {
    if starts {
        // SAFETY: the caller's contract for accumulators and elements.
        unsafe { begin::<P>(rows, capacity, x, n, 0) };
    }
    let whole = n / PREFETCH_COLUMNS * PREFETCH_COLUMNS;
    // SAFETY: the caller's contract for accumulators, and `ROWS_AT_A_TIME` rows of `n` elements.
    unsafe {
        for at in (0..whole).step_by(PREFETCH_COLUMNS) {
            if fetches {
                fetch_ahead::<P>(x, stride, at, PREFETCH_COLUMNS);
            }
            take_columns::<P>(rows, capacity, columns(x, stride, at, PREFETCH_COLUMNS), at);
        }
        take_columns::<P>(rows, capacity, columns(x, stride, whole, n - whole), whole);
    }
}

#[inline(always)]
unsafe fn take_columns<P: Parts>(rows: *mut u8, capacity: usize, x: [&[P]; ROWS_AT_A_TIME], at: usize) {
    let count = x[0].len();
    // SAFETY: the caller hands accumulators of at least `at + count` columns; planes do not overlap.
    let (shift, sum, squares) = unsafe {
        let rows = rows.add(at * size_of::<f64>());
        (plane(rows, capacity, 0, count), plane(rows, capacity, 1, count), plane(rows, capacity, 2, count))
    };
    for i in 0..count {
        let (mut total, mut square) = (sum[i], squares[i]);
        for row in &x {
            let d = row[i].parts()[0] - shift[i];
            total += d;
            square += d * d;
        }
        (sum[i], squares[i]) = (total, square);
    }
}

at_levels!(many_portable, many_avx2, many_avx512, <P: Parts>,
    (rows: *mut u8, capacity: usize, x: *const u8, stride: isize, n: usize, starts: bool, fetches: bool),
    many_body::<P>(rows, capacity, x, stride, n, starts, fetches));

#[inline(always)]
unsafe fn flush_body<P: Parts>(rows: *const u8, capacity: usize, n: usize, count: usize, states: *mut u8) {
    let rows = rows.cast_mut();
    // SAFETY: the caller's contract for accumulators, which are only read here.
    let plane = |number: usize| unsafe { &*plane(rows, capacity, number, n) };
    let (shift, sum, squares) = (plane(0), plane(1), plane(2));
    // Planes that are not there are not looked at.
    let (shift_im, sum_im) = if P::COMPLEX { (plane(3), plane(4)) } else { (shift, sum) };
    let count = count as f64;
    for i in 0..n {
        let (mean_im, square_im) = match P::COMPLEX {
            true => (shift_im[i] + sum_im[i] / count, sum_im[i] * sum_im[i]),
            false => (0.0, 0.0),
        };
        let state = Moments {
            count,
            mean: [shift[i] + sum[i] / count, mean_im],
            // Rounding must not make a sum of squares negative; NaN stays.
            squares: not_negative(squares[i] - (sum[i] * sum[i] + square_im) / count),
        };
        // SAFETY: `n` states to write.
        unsafe { states.cast::<Moments>().add(i).write_unaligned(state) };
    }
}

at_levels!(flush_portable, flush_avx2, flush_avx512, <P: Parts>,
    (rows: *const u8, capacity: usize, n: usize, count: usize, states: *mut u8),
    flush_body::<P>(rows, capacity, n, count, states));

#[inline(always)]
pub(super) fn not_negative(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// Results side by side have as many elements each, so one division serves them all.
unsafe fn merge(states: *mut u8, others: *const u8, n: usize) {
    let (states, others) = (states.cast::<Moments>(), others.cast::<Moments>());
    // SAFETY: `n` states of this reduction on either side, and at least one.
    let (first, other) = unsafe { (states.read_unaligned(), others.read_unaligned()) };
    if other.count == 0.0 {
        return;
    }
    let count = first.count + other.count;
    let part = other.count / count;
    for i in 0..n {
        // SAFETY: as above.
        unsafe {
            let (state, other) = (states.add(i), others.add(i).read_unaligned());
            debug_assert!(other.count == count - first.count, "results side by side have as many elements");
            state.write_unaligned(state.read_unaligned().join(other, count, part));
        }
    }
}

unsafe fn finish<P: Parts>(states: *const u8, n: usize, out: *mut u8) {
    for i in 0..n {
        // SAFETY: `n` states in, `n` results out.
        unsafe {
            let squares = states.cast::<Moments>().add(i).read_unaligned().squares;
            out.cast::<P::Real>().add(i).write_unaligned(P::result(squares));
        }
    }
}

fn moments<P: Parts>(level: SimdLevel) -> Reducer {
    let (block, accumulate, flush): (ReduceBlock, ReduceRow, Flush) = match level {
        SimdLevel::Portable => (block_portable::<P>, row_portable::<P>, flush_portable::<P>),
        SimdLevel::Avx2 => (block_avx2::<P>, row_avx2::<P>, flush_avx2::<P>),
        SimdLevel::Avx512 => (block_avx512::<P>, row_avx512::<P>, flush_avx512::<P>),
    };
    let short_blocks: Option<ShortBlocks> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(short_portable::<P>),
        SimdLevel::Avx2 => Some(short_avx2::<P>),
        SimdLevel::Avx512 => Some(short_avx512::<P>),
    };
    let accumulate_many: Option<ManyRows> = match level {
        // Complex rows interleave their two parts' squares: they are added row by row.
        _ if P::COMPLEX => None,
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(many_portable::<P>),
        SimdLevel::Avx2 => Some(many_avx2::<P>),
        SimdLevel::Avx512 => Some(many_avx512::<P>),
    };
    Reducer {
        state_size: size_of::<Moments>(),
        row_size: if P::COMPLEX { 40 } else { 24 },
        block,
        short_blocks,
        column_blocks: None,
        block_on: None,
        any_blocks: false,
        settled: None,
        begin: begin::<P>,
        accumulate,
        accumulate_many,
        flush,
        merge,
        finish: finish::<P>,
        finish_sum: None,
    }
}

/// The squared deviations of floating elements; half precision comes widened.
pub(super) fn variance(dtype: DType, level: SimdLevel) -> Option<Reducer> {
    match dtype {
        DType::F32 => Some(moments_f32::variance(level)),
        DType::F64 => Some(moments::<f64>(level)),
        DType::C64 => Some(moments::<[f32; 2]>(level)),
        DType::C128 => Some(moments::<[f64; 2]>(level)),
        _ => None,
    }
}
