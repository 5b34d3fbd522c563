//! What is made of two sparse matrices, row by row: their product, or an op at the places of either or of both.
//!
//! A first pass counts the elements of each row of the result, a second one writes them where they stay. Rows are made by
//! themselves, so that the result is the same however they are shared out.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cuprum_core::{DType, Error, Op, Result, SimdLevel};
use cuprum_graph::{SparsePair, SparsePairCall, SparsePairStartsCall, SparseRows};
use cuprum_lanes::lane;
use cuprum_threads::{Shared, run_spread, thread_count};

use super::merge::{Block, Merge, intersect, unite};
use super::{Position, Truth, bad_structure, matmul, task_ends};
use crate::calls::number::{Accumulated, with_number};
use crate::calls::{PARALLEL_MIN, dense, elements, start, with_dense_out};

const OP: &str = "sparse_pair";
/// Elements of both matrices that a task merges.
const MERGED_PER_TASK: usize = 1 << 14;
/// Elements of the first matrix whose rows of the second one a task adds up.
const MULTIPLIED_PER_TASK: usize = 1 << 12;

/// Rows of a matrix, and what they hold.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, I, V> {
    pub starts: &'a [I],
    pub columns: &'a [I],
    pub values: &'a [V],
}

impl<I: Position, V> Rows<'_, I, V> {
    /// Where a row lies in the arrays; none where that is outside of them.
    #[inline(always)]
    pub fn columns_of(&self, row: usize) -> Option<&[I]> {
        self.columns.get(self.starts.get(row)?.place()..self.starts.get(row + 1)?.place())
    }

    /// The columns and values of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Option<(&[I], &[V])> {
        let places = self.starts.get(row)?.place()..self.starts.get(row + 1)?.place();
        Some((self.columns.get(places.clone())?, self.values.get(places)?))
    }

    /// How many elements lie before a row, at most all of them.
    fn before(&self, row: usize) -> usize {
        self.starts[row].place().min(self.columns.len())
    }
}

/// Before which row each task ends.
fn ends<I: Position, A, B>(
    pair: SparsePair,
    rows: usize,
    left: &Rows<'_, I, A>,
    right: &Rows<'_, I, B>,
) -> Vec<usize> {
    let ends_with = |all: usize, before: &dyn Fn(usize) -> usize, per_task: usize| {
        task_ends(rows, per_task, |row| row + if row == rows { all } else { before(row) })
    };
    match pair {
        SparsePair::Product => ends_with(left.columns.len(), &|row| left.before(row), MULTIPLIED_PER_TASK),
        SparsePair::Union(_) | SparsePair::Intersection(_) => ends_with(
            left.columns.len() + right.columns.len(),
            &|row| left.before(row) + right.before(row),
            MERGED_PER_TASK,
        ),
    }
}

fn is_parallel(left: &SparseRows<'_>, right: &SparseRows<'_>) -> bool {
    left.columns.layout.size() + right.columns.layout.size() >= PARALLEL_MIN
}

pub(in crate::calls) fn pair_starts(call: &SparsePairStartsCall<'_>, level: SimdLevel) -> Result<()> {
    match call.operands[0].columns.dtype {
        DType::I32 => starts_by_index::<i32>(call, level),
        _ => starts_by_index::<i64>(call, level),
    }
}

fn starts_by_index<I: Position>(call: &SparsePairStartsCall<'_>, level: SimdLevel) -> Result<()> {
    let [left, right] = call.operands;
    let slots = [left.starts, left.columns, right.starts, right.columns].map(dense);
    let [left_starts, left_columns, right_starts, right_columns] = slots;
    let (left_starts, left_columns) = (left_starts?, left_columns?);
    let (right_starts, right_columns) = (right_starts?, right_columns?);
    let a = Rows::<I, ()> { starts: elements(&left_starts), columns: elements(&left_columns), values: &[] };
    let b = Rows::<I, ()> { starts: elements(&right_starts), columns: elements(&right_columns), values: &[] };
    let rows = call.out.layout.size() - 1;
    let ends = ends(call.pair, rows, &a, &b);
    let (is_bad, merges) = (AtomicBool::new(false), I::merges(level));
    let found = columns(call.width, &a, &b, ends.len());
    with_dense_out(call.out, |out| {
        let counts = Shared(start(out));
        run_spread(ends.len(), is_parallel(&left, &right), &|task| {
            let first = if task == 0 { 0 } else { ends[task - 1] };
            // SAFETY: the result has an int64 for each row and one before them; ends rise, so that these are this task's alone.
            let counts = unsafe {
                std::slice::from_raw_parts_mut(counts.get().cast::<i64>().add(first + 1), ends[task] - first)
            };
            let counted = match call.pair {
                SparsePair::Product => found.count(&a, &b, first, counts),
                SparsePair::Intersection(_) => (merges.count[0])(&a, &b, first, counts),
                SparsePair::Union(_) => (merges.count[1])(&a, &b, first, counts),
            };
            if counted.is_none() {
                is_bad.store(true, Ordering::Relaxed);
            }
        })?;
        // SAFETY: all tasks have ended; a dense slot of so many int64.
        let starts = unsafe { std::slice::from_raw_parts_mut(counts.get().cast::<i64>(), rows + 1) };
        starts[0] = 0;
        let mut total = 0;
        for start in &mut starts[1..] {
            total += *start;
            *start = total;
        }
        Ok(())
    })?;
    if is_bad.into_inner() { Err(bad_structure(OP)) } else { Ok(()) }
}

pub(in crate::calls) fn pair(call: &SparsePairCall<'_>, level: SimdLevel) -> Result<()> {
    let dtype = call.operands[0].values.dtype;
    match (call.pair, call.operands[0].columns.dtype) {
        (SparsePair::Product, _) if dtype == DType::Bool => product::<Truth>(call),
        (SparsePair::Product, _) => with_number!(dtype, product(call)).expect("a dtype with numbers"),
        (SparsePair::Union(op), DType::I32) => by_size::<i32>(call, op, 1, level),
        (SparsePair::Union(op), _) => by_size::<i64>(call, op, 1, level),
        (SparsePair::Intersection(op), DType::I32) => by_size::<i32>(call, op, 0, level),
        (SparsePair::Intersection(op), _) => by_size::<i64>(call, op, 0, level),
    }
}

fn product<T: Accumulated + Send + Sync>(call: &SparsePairCall<'_>) -> Result<()> {
    match call.operands[0].columns.dtype {
        DType::I32 => multiplied::<i32, T>(call),
        _ => multiplied::<i64, T>(call),
    }
}

/// `way` is 1 at the places of either matrix, 0 at those of both.
fn by_size<I: Position>(call: &SparsePairCall<'_>, op: Op, way: usize, level: SimdLevel) -> Result<()> {
    let merges = I::merges(level);
    match call.operands[0].values.dtype.size() {
        1 => merged::<I, u8>(call, op, level, [intersect, unite][way]),
        2 => merged::<I, u16>(call, op, level, [intersect, unite][way]),
        4 => merged::<I, u32>(call, op, level, merges.words[way]),
        8 => merged::<I, u64>(call, op, level, merges.pairs[way]),
        _ => merged::<I, [u64; 2]>(call, op, level, [intersect, unite][way]),
    }
}

/// Where a task's elements go: from the first of its first row up to the last of its last row.
struct Part<'a, I> {
    /// The first row.
    row: usize,
    /// Where its rows begin in the result, and the end of the last one.
    starts: &'a [i64],
    columns: &'a mut [I],
    /// The address of the first value.
    values: *mut u8,
}

/// Runs `body` with each part of the result. It says how many results are zero, or nothing where the matrices' structure
/// leads outside.
fn in_parts<I: Position>(
    call: &SparsePairCall<'_>,
    ends: &[usize],
    body: impl Fn(Part<'_, I>) -> Option<usize> + Sync,
) -> Result<()> {
    let starts = dense(call.starts)?;
    let starts = elements::<i64>(&starts);
    let (count, size) = (call.out_columns.layout.size(), call.out_values.dtype.size());
    let rises = starts.windows(2).all(|pair| pair[0] <= pair[1]);
    let ends_well = starts.first() == Some(&0) && starts.last().is_some_and(|last| *last as usize == count);
    if !rises || !ends_well {
        return Err(bad_structure(OP));
    }
    let (is_bad, zeros) = (AtomicBool::new(false), AtomicUsize::new(0));
    let is_parallel = is_parallel(&call.operands[0], &call.operands[1]);
    with_dense_out(call.out_columns, |columns| {
        with_dense_out(call.out_values, |values| {
            let (columns, values) = (Shared(start(columns)), Shared(start(values)));
            run_spread(ends.len(), is_parallel, &|task| {
                let row = if task == 0 { 0 } else { ends[task - 1] };
                let (from, to) = (starts[row] as usize, starts[ends[task]] as usize);
                // SAFETY: starts rise from 0 up to the length of both results, so that these places are this task's alone.
                let part = unsafe {
                    Part {
                        row,
                        starts: &starts[row..=ends[task]],
                        columns: std::slice::from_raw_parts_mut(
                            columns.get().cast::<I>().add(from),
                            to - from,
                        ),
                        values: values.get().add(from * size),
                    }
                };
                match body(part) {
                    Some(found) => drop(zeros.fetch_add(found, Ordering::Relaxed)),
                    None => is_bad.store(true, Ordering::Relaxed),
                }
            })
        })
    })?;
    with_dense_out(call.out_zeros, |out| {
        // SAFETY: the slot holds one int64.
        unsafe { start(out).cast::<i64>().write(zeros.into_inner() as i64) };
        Ok(())
    })?;
    if is_bad.into_inner() { Err(bad_structure(OP)) } else { Ok(()) }
}

/// What so many tasks of a product find the columns of rows with.
fn columns<I: Position, V>(
    width: usize,
    a: &Rows<'_, I, V>,
    b: &Rows<'_, I, V>,
    tasks: usize,
) -> matmul::Columns {
    matmul::Columns::new(width, a.columns.len() + b.columns.len(), tasks.min(thread_count()))
}

fn multiplied<I: Position, T: Accumulated + Send + Sync>(call: &SparsePairCall<'_>) -> Result<()> {
    with_rows(call, |a: &Rows<'_, I, T>, b| {
        let ends = ends(call.pair, call.starts.layout.size() - 1, a, b);
        let found = columns(call.width, a, b, ends.len());
        in_parts::<I>(call, &ends, |part| {
            // SAFETY: as many elements as the part has columns, of this dtype.
            let values =
                unsafe { std::slice::from_raw_parts_mut(part.values.cast::<T>(), part.columns.len()) };
            found.fill(a, b, part.row, part.starts, part.columns, values).map(|()| 0)
        })
    })
}

/// Calls `body` with both matrices, dense.
fn with_rows<I: Position, V>(
    call: &SparsePairCall<'_>,
    body: impl FnOnce(&Rows<'_, I, V>, &Rows<'_, I, V>) -> Result<()>,
) -> Result<()> {
    let [left, right] = call.operands.map(|part| [part.starts, part.columns, part.values].map(dense));
    let ([a_starts, a_columns, a_values], [b_starts, b_columns, b_values]) = (left, right);
    let (a_starts, a_columns, a_values) = (a_starts?, a_columns?, a_values?);
    let (b_starts, b_columns, b_values) = (b_starts?, b_columns?, b_values?);
    body(
        &Rows { starts: elements(&a_starts), columns: elements(&a_columns), values: elements(&a_values) },
        &Rows { starts: elements(&b_starts), columns: elements(&b_columns), values: elements(&b_values) },
    )
}

fn merged<I: Position, V: Copy + Default + Send + Sync>(
    call: &SparsePairCall<'_>,
    op: Op,
    level: SimdLevel,
    merge: Merge<I, V>,
) -> Result<()> {
    let (given, made) = (call.operands[0].values.dtype, call.out_values.dtype);
    let lanes = lane(op, given, level).zip(lane(Op::NotEqual, made, level));
    let Some(lanes) = lanes.filter(|_| op.output(given) == made) else {
        return Err(Error::NoLoop { op: op.name().into(), dtypes: vec![given, given] });
    };
    with_rows(call, |a: &Rows<'_, I, V>, b| {
        let ends = ends(call.pair, call.starts.layout.size() - 1, a, b);
        in_parts::<I>(call, &ends, |part| {
            // SAFETY: a part has room for a value at each of its columns, and is this thread's alone.
            let mut block = unsafe { Block::<V>::new(lanes, part.values, made.size()) };
            merge(a, b, part.row, part.starts, part.columns, &mut block)?;
            Some(block.zeros)
        })
    })
}
