//! The arithmetic of reductions: for each reduction and dtype, how blocks become states and states become results.
//!
//! Every pattern of additions here is fixed by element counts alone, so that threads and instruction sets do not
//! change a bit of the result.

mod extremum;
mod moments;
mod sums;

use cuprum_core::{DType, Reduction};
use half::{bf16, f16};

use crate::lanes::Level;

/// `(x, n, first, state)`: reduces a block whose first element has position `first`.
pub(crate) type Block = unsafe fn(*const u8, usize, usize, *mut u8);
/// `(x, n, first, state, before)`: the same after a block whose state is `before`, which the result may stand for as well.
pub(crate) type BlockOn = unsafe fn(*const u8, usize, usize, *mut u8, *const u8);
/// `(rows, capacity, x, n, position)`: starts the accumulators of `n` results from a row of elements, or adds one.
pub(crate) type Row = unsafe fn(*mut u8, usize, *const u8, usize, usize);
/// `(rows, capacity, x, stride, n)`: adds [`MANY`] rows that lie `stride` bytes apart, one after the other.
pub(crate) type ManyRows = unsafe fn(*mut u8, usize, *const u8, isize, usize);

/// A reduction of one dtype as functions over untyped memory. States are arrays of `state_size` bytes each.
#[derive(Clone, Copy)]
pub(crate) struct Reducer {
    /// Bytes of one state.
    pub(crate) state_size: usize,
    /// Bytes of accumulator that `begin` and `accumulate` need for each element of a row.
    pub(crate) row_size: usize,
    /// Reduces a block.
    pub(crate) block: Block,
    /// Reduces a block that comes after another; for reductions that are cheaper knowing what is to be beaten.
    pub(crate) block_on: Option<BlockOn>,
    /// The state, of one byte, that no further element changes.
    pub(crate) settled: Option<u8>,
    /// Starts accumulators from a first row.
    pub(crate) begin: Row,
    /// Adds a row.
    pub(crate) accumulate: Row,
    /// Adds many rows at once; for reductions whose accumulators cost more to load than the elements.
    pub(crate) accumulate_many: Option<ManyRows>,
    /// `(rows, capacity, n, count, states)`: turns the accumulators of `count` rows into states.
    pub(crate) flush: unsafe fn(*const u8, usize, usize, usize, *mut u8),
    /// `(state, other)`: joins the state of elements that come later.
    pub(crate) merge: unsafe fn(*mut u8, *const u8),
    /// `(states, n, out)`: the results.
    pub(crate) finish: unsafe fn(*const u8, usize, *mut u8),
}

/// The reducer of a reduction over elements of `dtype`.
pub(crate) fn reducer(op: Reduction, dtype: DType, level: Level) -> Option<Reducer> {
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
pub(crate) const MANY: usize = 8;

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
    fn lift(x: Self::In) -> Self::Acc;
    fn join(a: Self::Acc, b: Self::Acc) -> Self::Acc;
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
const RUN: usize = 8;

#[inline(always)]
pub(crate) fn join_block<M: Monoid>(x: &[M::In]) -> M::Acc {
    if M::EXACT {
        // The compiler is free to choose its own lanes; with ours it would gather them.
        return x.iter().fold(M::NEUTRAL, |acc, &x| M::join(acc, M::lift(x)));
    }
    let mut totals = [M::NEUTRAL; LANES];
    for run in x.chunks(LANES * RUN) {
        let mut lanes = [M::NEUTRAL; LANES];
        let mut rows = run.chunks_exact(LANES);
        for row in &mut rows {
            for (lane, &x) in lanes.iter_mut().zip(row) {
                *lane = M::join(*lane, M::lift(x));
            }
        }
        for (lane, &x) in lanes.iter_mut().zip(rows.remainder()) {
            *lane = M::join(*lane, M::lift(x));
        }
        for (total, lane) in totals.iter_mut().zip(lanes) {
            *total = M::join(*total, lane);
        }
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

#[inline(always)]
unsafe fn block_body<M: Monoid>(x: *const u8, n: usize, state: *mut u8) {
    // SAFETY: the caller hands `n` readable elements.
    let x = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    let acc = M::block(x);
    // SAFETY: the caller hands a state to write.
    unsafe { state.cast::<M::Acc>().write_unaligned(acc) }
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

/// Joins [`MANY`] rows to the accumulators, in order.
#[inline(always)]
unsafe fn many_body<M: Monoid>(rows: *mut u8, x: *const u8, stride: isize, n: usize) {
    // SAFETY: the caller hands `n` accumulators, and `n` readable elements in each row, apart from them.
    let (accumulators, rows) = unsafe {
        (
            std::slice::from_raw_parts_mut(rows.cast::<M::Acc>(), n),
            std::array::from_fn::<&[M::In], MANY, _>(|row| {
                std::slice::from_raw_parts(x.offset(row as isize * stride).cast(), n)
            }),
        )
    };
    for (i, acc) in accumulators.iter_mut().enumerate() {
        *acc = rows.iter().fold(*acc, |acc, row| M::join(acc, M::lift(row[i])));
    }
}

/// Compiles `$body` for the three instruction sets: for `block` this makes `block_portable`, `block_avx2` and
/// `block_avx512`, each generic over the same parameter, the latter two with `#[target_feature]`.
macro_rules! at_levels {
    ($portable:ident, $avx2:ident, $avx512:ident, <$M:ident: $bound:path>, ($($arg:ident: $ty:ty),*), $body:expr) => {
        unsafe fn $portable<$M: $bound>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c")]
        unsafe fn $avx2<$M: $bound>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c")]
        unsafe fn $avx512<$M: $bound>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        #[cfg(not(target_arch = "x86_64"))]
        use {$portable as $avx2, $portable as $avx512};
    };
}
pub(crate) use at_levels;

at_levels!(block_portable, block_avx2, block_avx512, <M: Monoid>,
    (x: *const u8, n: usize, _first: usize, state: *mut u8), block_body::<M>(x, n, state));
at_levels!(accumulate_portable, accumulate_avx2, accumulate_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, n: usize, _position: usize), accumulate_body::<M>(rows, x, n));
at_levels!(many_portable, many_avx2, many_avx512, <M: Monoid>,
    (rows: *mut u8, _capacity: usize, x: *const u8, stride: isize, n: usize), many_body::<M>(rows, x, stride, n));

unsafe fn begin<M: Monoid>(rows: *mut u8, _capacity: usize, x: *const u8, n: usize, _position: usize) {
    for i in 0..n {
        // SAFETY: the caller hands `n` accumulators and `n` elements.
        unsafe { rows.cast::<M::Acc>().add(i).write(M::lift(x.cast::<M::In>().add(i).read())) };
    }
}

unsafe fn flush<M: Monoid>(rows: *const u8, _capacity: usize, n: usize, _count: usize, states: *mut u8) {
    // SAFETY: accumulators are states; both hold `n` of them.
    unsafe { std::ptr::copy_nonoverlapping(rows, states, n * size_of::<M::Acc>()) };
}

unsafe fn merge<M: Monoid>(state: *mut u8, other: *const u8) {
    let state = state.cast::<M::Acc>();
    // SAFETY: both are states of this reduction.
    unsafe {
        state.write_unaligned(M::join(state.read_unaligned(), other.cast::<M::Acc>().read_unaligned()))
    };
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
pub(crate) fn monoid<M: Monoid>(level: Level) -> Reducer {
    let (block, accumulate): (Block, Row) = match level {
        Level::Portable => (block_portable::<M>, accumulate_portable::<M>),
        Level::Avx2 => (block_avx2::<M>, accumulate_avx2::<M>),
        Level::Avx512 => (block_avx512::<M>, accumulate_avx512::<M>),
    };
    Reducer {
        state_size: size_of::<M::Acc>(),
        row_size: size_of::<M::Acc>(),
        block,
        block_on: None,
        settled: None,
        begin: begin::<M>,
        accumulate,
        accumulate_many: None,
        flush: flush::<M>,
        merge: merge::<M>,
        finish: finish::<M>,
    }
}

/// The reducer of a monoid whose accumulators are wider than its elements, or as wide: down columns, several rows are joined
/// for each time that the accumulators are loaded.
pub(crate) fn monoid_by_rows<M: Monoid>(level: Level) -> Reducer {
    let many: ManyRows = match level {
        Level::Portable => many_portable::<M>,
        Level::Avx2 => many_avx2::<M>,
        Level::Avx512 => many_avx512::<M>,
    };
    Reducer { accumulate_many: Some(many), ..monoid::<M>(level) }
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
