//! Smallest and largest elements, and where they are.

use std::marker::PhantomData;

use cuprum_core::{DType, Reduction, SimdLevel};
use num_complex::Complex;

use super::extremum_groups::search_columns;
use super::ordered::{Bf16, F16, Ordered, OrderedBool};
use super::{
    BlockOn, ColumnBlocks, LANES, Monoid, ROWS_IN_A_WALK, ReduceBlock, ReduceRow, Reducer, join_block, monoid,
};
use cuprum_lanes::at_levels;

/// The smaller (or larger, if `MAX`) of two; the first NaN wins, or loses if `SKIP`.
#[inline(always)]
fn pick<T: Ordered, const MAX: bool, const SKIP: bool>(a: T, b: T) -> T {
    let b_better = if MAX { a.below(b) } else { b.below(a) };
    let take_b = if SKIP {
        // A complex number may be below another one though one of its parts is NaN.
        (a.is_nan() || b_better) && !(T::PARTS && b.is_nan())
    } else {
        !a.is_nan() && (b_better || b.is_nan())
    };
    if take_b { b } else { a }
}

struct Extremum<T, const MAX: bool, const SKIP: bool>(PhantomData<T>);

/// The neutral value of lanes that see no element loses against every element.
impl<T: Ordered, const MAX: bool, const SKIP: bool> Monoid for Extremum<T, MAX, SKIP> {
    type In = T;
    type Acc = T;
    type Out = T;
    const NEUTRAL: T = match T::MISSING {
        Some(nan) if SKIP => nan,
        _ if MAX => T::LOWEST,
        _ => T::HIGHEST,
    };
    const EXACT: bool = T::MISSING.is_none();
    const ANY_BLOCKS: bool = Self::EXACT || !SKIP;
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    /// The element itself, which changes nothing when it comes again: of numbers that are all NaN the first stays.
    #[inline(always)]
    fn before(first: T) -> T {
        first
    }
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        pick::<T, MAX, SKIP>(a, b)
    }
    #[inline(always)]
    fn add_rows(acc: &mut [T], [a, b, c, d]: [&[T]; ROWS_IN_A_WALK]) {
        if T::MISSING.is_none() || T::PARTS || SKIP {
            for ((((acc, &a), &b), &c), &d) in acc.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *acc = Self::join(Self::join(Self::join(Self::join(*acc, a), b), c), d);
            }
            return;
        }
        // As in `best_by_lanes`: the extrema apart from NaNs, and whether there are any. An extremum that is NaN already is below
        // none and none below it: it stays.
        let mut any_nan = 0u32;
        for ((((best, &a), &b), &c), &d) in acc.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let both = better::<T, MAX>(better::<T, MAX>(*best, a), b);
            *best = better::<T, MAX>(better::<T, MAX>(both, c), d);
            any_nan |= u32::from((a.is_nan() | b.is_nan()) | (c.is_nan() | d.is_nan()));
        }
        if any_nan != 0 {
            take_first_nans(acc, [a, b, c, d]);
        }
    }
    #[inline(always)]
    fn lower(acc: T) -> T {
        acc
    }
    #[inline(always)]
    fn block(x: &[T]) -> T {
        if SKIP {
            let best = join_block::<Self>(x);
            // Of complex numbers that are all NaN the first is the result, and not the neutral one.
            return if T::PARTS && best.is_nan() { x[0] } else { best };
        }
        if let ([first, others @ ..], true) = (x, x.len() < LANES) {
            return others.iter().fold(*first, |a, &b| Self::join(a, b));
        }
        let (best, any_nan) = best_by_lanes::<T, MAX>(x);
        // Of several NaNs the first is the result: those of complex numbers can be told apart. Likewise of several zeros.
        match any_nan {
            true => x[first_place(x, |x| x.is_nan())],
            false if best.has_twins() => x[first_place(x, |x| x.same(best))],
            false => best,
        }
    }
}

/// Puts the first NaN of each column in the place of an extremum that is none.
#[cold]
#[inline(never)]
fn take_first_nans<T: Ordered>(acc: &mut [T], rows: [&[T]; ROWS_IN_A_WALK]) {
    for (column, best) in acc.iter_mut().enumerate().filter(|(_, best)| !best.is_nan()) {
        let nan = rows.iter().map(|row| row[column]).find(|x| x.is_nan());
        *best = nan.unwrap_or(*best);
    }
}

/// The smaller (or larger) of two, the first if one of them is NaN.
#[inline(always)]
fn better<T: Ordered, const MAX: bool>(a: T, b: T) -> T {
    if if MAX { a.below(b) } else { b.below(a) } { b } else { a }
}

/// The smallest (or largest) element apart from NaNs, and whether there are NaNs: two plain reductions, which vectorise
/// where one that stops at NaN does not. Two elements at a time are asked whether either is NaN, which is one comparison.
#[inline(always)]
fn best_by_lanes<T: Ordered, const MAX: bool>(x: &[T]) -> (T, bool) {
    let better = better::<T, MAX>;
    let neutral = if MAX { T::LOWEST } else { T::HIGHEST };
    if T::MISSING.is_none() {
        // Integers: the compiler is free to choose its own lanes; with ours it would gather them.
        return (x.iter().fold(neutral, |a, &b| better(a, b)), false);
    }
    if x.len() < LANES {
        return x.iter().fold((neutral, false), |(best, any), &x| (better(best, x), any | x.is_nan()));
    }
    let (mut even, mut odd) = ([neutral; LANES], [neutral; LANES]);
    let mut nan = [0u32; LANES];
    let mut take = |first: &[T; LANES], second: &[T; LANES]| {
        for k in 0..LANES {
            even[k] = better(even[k], first[k]);
            odd[k] = better(odd[k], second[k]);
            nan[k] |= u32::from(first[k].is_nan() | second[k].is_nan());
        }
    };
    let (rows, rest) = x.as_chunks::<LANES>();
    let (pairs, odd_row) = rows.as_chunks::<2>();
    for [first, second] in pairs {
        take(first, second);
    }
    // What is left over comes with some elements for the second time, which changes nothing.
    if let (false, Some(last)) = (rest.is_empty() && odd_row.is_empty(), x.last_chunk()) {
        take(odd_row.first().unwrap_or(last), last);
    }
    for k in 0..LANES {
        even[k] = better(even[k], odd[k]);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for k in 0..width {
            even[k] = better(even[k], even[k + width]);
            nan[k] |= nan[k + width];
        }
        width /= 2;
    }
    (even[0], nan[0] != 0)
}

at_levels!(best_columns_portable, best_columns_avx2, best_columns_avx512, <S: Search>,
(x: *const u8, stride: isize, n: usize, _first: usize, count: usize, states: *mut u8, step: usize),
S::columns(x, stride, n, count, false, |column, value, _| {
    states.add(column * step).cast::<S::In>().write_unaligned(value)
}));
at_levels!(place_columns_portable, place_columns_avx2, place_columns_avx512, <S: Search>,
(x: *const u8, stride: isize, n: usize, first: usize, count: usize, states: *mut u8, step: usize),
S::columns(x, stride, n, count, true, |column, value, at| {
    let found = BestSoFar { value, at: (first + at) as i64 };
    states.add(column * step).cast::<BestSoFar<S::In>>().write_unaligned(found)
}));

/// The reducer of an extremum, with that of a few columns.
fn best<T: Ordered, const MAX: bool, const SKIP: bool>(level: SimdLevel) -> Reducer {
    let columns: Option<ColumnBlocks> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(best_columns_portable::<Position<T, MAX>>),
        SimdLevel::Avx2 => Some(best_columns_avx2::<Position<T, MAX>>),
        SimdLevel::Avx512 => Some(best_columns_avx512::<Position<T, MAX>>),
    };
    Reducer { column_blocks: columns.filter(|_| !SKIP), ..monoid::<Extremum<T, MAX, SKIP>>(level) }
}

fn with<const MAX: bool, const SKIP: bool>(dtype: DType, level: SimdLevel) -> Reducer {
    match dtype {
        DType::Bool => unreachable!("extrema of bools are logical reductions"),
        // Integers are no NaNs to skip.
        DType::U8 => best::<u8, MAX, false>(level),
        DType::I8 => best::<i8, MAX, false>(level),
        DType::I16 => best::<i16, MAX, false>(level),
        DType::U16 => best::<u16, MAX, false>(level),
        DType::I32 => best::<i32, MAX, false>(level),
        DType::U32 => best::<u32, MAX, false>(level),
        DType::I64 => best::<i64, MAX, false>(level),
        DType::U64 => best::<u64, MAX, false>(level),
        DType::F16 => best::<F16, MAX, SKIP>(level),
        DType::BF16 => best::<Bf16, MAX, SKIP>(level),
        DType::F32 => best::<f32, MAX, SKIP>(level),
        DType::F64 => best::<f64, MAX, SKIP>(level),
        DType::C64 => best::<Complex<f32>, MAX, SKIP>(level),
        DType::C128 => best::<Complex<f64>, MAX, SKIP>(level),
    }
}

/// The extremum reductions; the largest bool is whether any is true, the smallest whether all are.
pub(super) fn extremum(op: Reduction, dtype: DType, level: SimdLevel) -> Option<Reducer> {
    if dtype == DType::Bool {
        return super::sums::truth(dtype, matches!(op, Reduction::Min | Reduction::Fmin), level);
    }
    Some(match op {
        Reduction::Min => with::<false, false>(dtype, level),
        Reduction::Max => with::<true, false>(dtype, level),
        Reduction::Fmin => with::<false, true>(dtype, level),
        _ => with::<true, true>(dtype, level),
    })
}

/// The best element so far and where it was.
#[derive(Clone, Copy)]
#[repr(C)]
struct BestSoFar<T> {
    value: T,
    at: i64,
}

/// Whether `b`, which comes later, replaces `a`: NaN counts as best, and of equals the first stays.
#[inline(always)]
fn replaces<T: Ordered, const MAX: bool>(a: T, b: T) -> bool {
    let better = if MAX { a.below(b) } else { b.below(a) };
    !a.is_nan() && (better || b.is_nan())
}

struct Position<T, const MAX: bool>(PhantomData<T>);

trait Search {
    type In: Ordered;
    fn better(a: Self::In, b: Self::In) -> bool;
    /// The extremum of a block apart from NaNs, and whether there are any.
    fn best(x: &[Self::In]) -> (Self::In, bool);
    /// As [`search_columns`].
    ///
    /// # Safety
    /// As for [`search_columns`].
    unsafe fn columns(
        x: *const u8,
        stride: isize,
        n: usize,
        count: usize,
        places: bool,
        write: impl FnMut(usize, Self::In, usize),
    );
}

impl<T: Ordered, const MAX: bool> Search for Position<T, MAX> {
    type In = T;
    #[inline(always)]
    fn better(a: T, b: T) -> bool {
        replaces::<T, MAX>(a, b)
    }
    #[inline(always)]
    fn best(x: &[T]) -> (T, bool) {
        best_by_lanes::<T, MAX>(x)
    }
    #[inline(always)]
    unsafe fn columns(
        x: *const u8,
        stride: isize,
        n: usize,
        count: usize,
        places: bool,
        write: impl FnMut(usize, T, usize),
    ) {
        // SAFETY: the caller's promise.
        unsafe { search_columns::<T, MAX>(x, stride, n, count, places, write) }
    }
}

/// The first true element, or the first that is not.
struct TruthPosition<const MAX: bool>;

impl<const MAX: bool> Search for TruthPosition<MAX> {
    type In = OrderedBool;
    #[inline(always)]
    fn better(a: OrderedBool, b: OrderedBool) -> bool {
        replaces::<OrderedBool, MAX>(a, b)
    }
    #[inline(always)]
    fn best(x: &[OrderedBool]) -> (OrderedBool, bool) {
        let wanted = |x: &OrderedBool| u8::from((x.0 != 0) == MAX);
        let found = x.chunks(256).any(|part| part.iter().fold(0, |any, x| any | wanted(x)) != 0);
        (OrderedBool(u8::from(found == MAX)), false)
    }
    #[inline(always)]
    unsafe fn columns(
        x: *const u8,
        stride: isize,
        n: usize,
        count: usize,
        places: bool,
        write: impl FnMut(usize, OrderedBool, usize),
    ) {
        // SAFETY: the caller's promise.
        unsafe { search_columns::<OrderedBool, MAX>(x, stride, n, count, places, write) }
    }
}

/// The extremum of a block by lanes, then the first place that holds it. After a block whose state is `before`, unless that is
/// null, the place is not looked for where nothing here is better: the earlier state stands for both.
#[inline(always)]
unsafe fn search_body<S: Search>(x: *const u8, n: usize, first: usize, state: *mut u8, before: *const u8) {
    let state = state.cast::<BestSoFar<S::In>>();
    // SAFETY: the caller hands `n` readable elements.
    let x: &[S::In] = unsafe { std::slice::from_raw_parts(x.cast(), n) };
    // SAFETY: the caller hands a state to write.
    let write = |found: BestSoFar<S::In>| unsafe { state.write_unaligned(found) };
    let write_place = |at: usize| write(BestSoFar { value: x[at], at: (first + at) as i64 });
    if n < LANES {
        return write_place((1..n).fold(0, |at, next| if S::better(x[at], x[next]) { next } else { at }));
    }
    let (best, any_nan) = S::best(x);
    if !before.is_null() {
        // SAFETY: the caller hands a state.
        let found = unsafe { before.cast::<BestSoFar<S::In>>().read_unaligned() };
        if found.value.is_nan() || !(any_nan || S::better(found.value, best)) {
            return write(found);
        }
    }
    write_place(if any_nan { first_place(x, |x| x.is_nan()) } else { first_place(x, |x| x.same(best)) });
}

/// The first place where `holds`, found by rows of lanes and then within one; 0 where there is none.
#[inline(always)]
fn first_place<T: Copy>(x: &[T], holds: impl Fn(T) -> bool) -> usize {
    let mut start = 0;
    for row in x.chunks_exact(LANES) {
        if row.iter().fold(0, |any, &x| any | u32::from(holds(x))) != 0 {
            break;
        }
        start += LANES;
    }
    x[start..].iter().position(|&x| holds(x)).map_or(0, |at| start + at)
}

at_levels!(on_portable, on_avx2, on_avx512, <S: Search>,
    (x: *const u8, n: usize, first: usize, state: *mut u8, before: *const u8),
    search_body::<S>(x, n, first, state, before));

// The first block comes after none.

unsafe fn search_portable<S: Search>(x: *const u8, n: usize, first: usize, state: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { on_portable::<S>(x, n, first, state, std::ptr::null()) }
}

unsafe fn search_avx2<S: Search>(x: *const u8, n: usize, first: usize, state: *mut u8) {
    // SAFETY: the caller's promise, for a processor of this level.
    unsafe { on_avx2::<S>(x, n, first, state, std::ptr::null()) }
}

unsafe fn search_avx512<S: Search>(x: *const u8, n: usize, first: usize, state: *mut u8) {
    // SAFETY: the caller's promise, for a processor of this level.
    unsafe { on_avx512::<S>(x, n, first, state, std::ptr::null()) }
}

/// Accumulators of rows: a plane of values, then a plane of positions.
unsafe fn planes<'a, T>(rows: *mut u8, capacity: usize, n: usize) -> (&'a mut [T], &'a mut [i64]) {
    // SAFETY: the caller's accumulators have `capacity` positions, 8-aligned, followed by `capacity` values.
    unsafe {
        let at = std::slice::from_raw_parts_mut(rows.cast::<i64>(), n);
        let values = std::slice::from_raw_parts_mut(rows.add(8 * capacity).cast::<T>(), n);
        (values, at)
    }
}

unsafe fn search_begin<S: Search>(rows: *mut u8, capacity: usize, x: *const u8, n: usize, position: usize) {
    // SAFETY: the caller's contract for accumulators and elements.
    let ((values, at), x) =
        unsafe { (planes::<S::In>(rows, capacity, n), std::slice::from_raw_parts(x.cast(), n)) };
    values.copy_from_slice(x);
    at.fill(position as i64);
}

#[inline(always)]
unsafe fn search_row<S: Search>(rows: *mut u8, capacity: usize, x: *const u8, n: usize, position: usize) {
    // SAFETY: the caller's contract for accumulators and elements.
    let ((values, at), x) =
        unsafe { (planes::<S::In>(rows, capacity, n), std::slice::from_raw_parts(x.cast::<S::In>(), n)) };
    for i in 0..n {
        let better = S::better(values[i], x[i]);
        values[i] = if better { x[i] } else { values[i] };
        at[i] = if better { position as i64 } else { at[i] };
    }
}

at_levels!(row_portable, row_avx2, row_avx512, <S: Search>,
    (rows: *mut u8, capacity: usize, x: *const u8, n: usize, position: usize),
    search_row::<S>(rows, capacity, x, n, position));

unsafe fn search_flush<S: Search>(
    rows: *const u8,
    capacity: usize,
    n: usize,
    _count: usize,
    states: *mut u8,
) {
    // SAFETY: the caller's contract for accumulators; they are only read here.
    let (values, at) = unsafe { planes::<S::In>(rows.cast_mut(), capacity, n) };
    for i in 0..n {
        // SAFETY: `n` states to write.
        unsafe {
            states
                .cast::<BestSoFar<S::In>>()
                .add(i)
                .write_unaligned(BestSoFar { value: values[i], at: at[i] })
        };
    }
}

unsafe fn search_merge<S: Search>(states: *mut u8, others: *const u8, n: usize) {
    for i in 0..n {
        // SAFETY: `n` states of this reduction on either side.
        unsafe {
            let state = states.cast::<BestSoFar<S::In>>().add(i);
            let (a, b) = (state.read_unaligned(), others.cast::<BestSoFar<S::In>>().add(i).read_unaligned());
            if S::better(a.value, b.value) {
                state.write_unaligned(b);
            }
        }
    }
}

unsafe fn search_finish<S: Search>(states: *const u8, n: usize, out: *mut u8) {
    for i in 0..n {
        // SAFETY: `n` states in, `n` positions out.
        unsafe {
            out.cast::<i64>()
                .add(i)
                .write_unaligned(states.cast::<BestSoFar<S::In>>().add(i).read_unaligned().at)
        };
    }
}

fn search<S: Search>(level: SimdLevel) -> Reducer {
    let (block, block_on, accumulate): (ReduceBlock, BlockOn, ReduceRow) = match level {
        SimdLevel::Portable => (search_portable::<S>, on_portable::<S>, row_portable::<S>),
        SimdLevel::Avx2 => (search_avx2::<S>, on_avx2::<S>, row_avx2::<S>),
        SimdLevel::Avx512 => (search_avx512::<S>, on_avx512::<S>, row_avx512::<S>),
    };
    let columns: Option<ColumnBlocks> = match level {
        SimdLevel::Portable if SimdLevel::PORTABLE_IS_RARE => None,
        SimdLevel::Portable => Some(place_columns_portable::<S>),
        SimdLevel::Avx2 => Some(place_columns_avx2::<S>),
        SimdLevel::Avx512 => Some(place_columns_avx512::<S>),
    };
    Reducer {
        state_size: size_of::<BestSoFar<S::In>>(),
        row_size: 8 + size_of::<S::In>(),
        block,
        short_blocks: None,
        column_blocks: columns,
        block_on: Some(block_on),
        any_blocks: true,
        settled: None,
        begin: search_begin::<S>,
        accumulate,
        accumulate_many: None,
        flush: search_flush::<S>,
        merge: search_merge::<S>,
        finish: search_finish::<S>,
        finish_sum: None,
    }
}

fn position_of<const MAX: bool>(dtype: DType, level: SimdLevel) -> Reducer {
    match dtype {
        DType::Bool => search::<TruthPosition<MAX>>(level),
        DType::U8 => search::<Position<u8, MAX>>(level),
        DType::I8 => search::<Position<i8, MAX>>(level),
        DType::I16 => search::<Position<i16, MAX>>(level),
        DType::U16 => search::<Position<u16, MAX>>(level),
        DType::I32 => search::<Position<i32, MAX>>(level),
        DType::U32 => search::<Position<u32, MAX>>(level),
        DType::I64 => search::<Position<i64, MAX>>(level),
        DType::U64 => search::<Position<u64, MAX>>(level),
        DType::F16 => search::<Position<F16, MAX>>(level),
        DType::BF16 => search::<Position<Bf16, MAX>>(level),
        DType::F32 => search::<Position<f32, MAX>>(level),
        DType::F64 => search::<Position<f64, MAX>>(level),
        DType::C64 => search::<Position<Complex<f32>, MAX>>(level),
        DType::C128 => search::<Position<Complex<f64>, MAX>>(level),
    }
}

/// The position reductions.
pub(super) fn position(op: Reduction, dtype: DType, level: SimdLevel) -> Option<Reducer> {
    Some(if op == Reduction::ArgMax {
        position_of::<true>(dtype, level)
    } else {
        position_of::<false>(dtype, level)
    })
}
