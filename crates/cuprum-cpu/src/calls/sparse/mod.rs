//! Sparse matrices in compressed rows: products with dense ones, elements put in the order of lines, and what is made of two.
//!
//! Tasks get rows with about as many elements each. The structure is checked as it is read: columns may have been changed
//! since the matrix was made.

mod group;
mod matmul;
mod merge;
mod pairs;
mod transposed;
#[cfg(target_arch = "x86_64")]
mod windows;

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::memory::{push, with_capacity};
use cuprum_core::{DType, Error, Result, SimdLevel};
use cuprum_graph::SparseProductCall;
use cuprum_threads::{Shared, run_spread};

use super::gather::prefetch;
use super::number::{Accumulated, with_number};
use super::{PARALLEL_MIN, dense, elements, start, with_dense_out};

use merge::Merges;

pub(super) use group::group;
pub(super) use pairs::{pair, pair_starts};
pub(super) use transposed::multiply_transposed;

/// Elements and rows of a task, times the columns of the result.
const WORK_PER_TASK: usize = if cfg!(miri) { 1 << 9 } else { 1 << 15 };
/// Columns of the result whose sums a row keeps in registers.
const COLUMNS_AT_A_TIME: usize = 8;
/// How many elements ahead of their use the rows of `x`, or of the result, are asked for.
const AHEAD: usize = 24;
/// Bytes of what is read in any order up to which a cache has it anyway.
const NEAR_BYTES: usize = 1 << 19;
/// Of so many columns one is looked at to know how far they lie apart.
const LOOKED_AT_EVERY: usize = if cfg!(miri) { 1 << 5 } else { 1 << 11 };

/// A truth value: sums are "or", products "and".
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

impl Accumulated for Truth {
    type Wide = u8;
    const NEUTRAL: u8 = 0;
    #[inline(always)]
    fn widen(self) -> u8 {
        u8::from(self.0 != 0)
    }
    #[inline(always)]
    fn narrow(wide: u8) -> Truth {
        Truth(wide)
    }
    #[inline(always)]
    fn plus(a: u8, b: u8) -> u8 {
        a | b
    }
    #[inline(always)]
    fn times(a: u8, b: u8) -> u8 {
        a & b
    }
    fn is_finite(_: u8) -> bool {
        true
    }
}

/// An index as it is stored.
trait Position: Copy + Ord + Send + Sync {
    /// No index.
    const NONE: Self;
    /// An index behind all others.
    const LAST: Self;
    /// As a place in memory; what is negative lies beyond all of it.
    fn place(self) -> usize;
    /// The index of a place that an index is wide enough for.
    fn of(place: usize) -> Self;
    /// How rows with such columns are merged.
    fn merges(_level: SimdLevel) -> Merges<Self> {
        Merges::by_steps()
    }
}

impl Position for i32 {
    const NONE: i32 = -1;
    const LAST: i32 = i32::MAX;
    #[inline(always)]
    fn place(self) -> usize {
        self as isize as usize
    }
    #[inline(always)]
    fn of(place: usize) -> i32 {
        place as i32
    }
    #[cfg(target_arch = "x86_64")]
    fn merges(level: SimdLevel) -> Merges<i32> {
        windows::merges(level).unwrap_or_else(Merges::by_steps)
    }
}

impl Position for i64 {
    const NONE: i64 = -1;
    const LAST: i64 = i64::MAX;
    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }
    #[inline(always)]
    fn of(place: usize) -> i64 {
        place as i64
    }
}

pub(super) fn multiply(call: &SparseProductCall<'_>) -> Result<()> {
    match call.values.dtype {
        DType::Bool => by_index::<Truth>(call),
        dtype => with_number!(dtype, by_index(call)).expect("a dtype with numbers"),
    }
}

fn by_index<T: Accumulated + Send + Sync>(call: &SparseProductCall<'_>) -> Result<()> {
    match call.columns.dtype {
        DType::I32 => run::<T, i32>(call),
        _ => run::<T, i64>(call),
    }
}

/// The matrix and what it is multiplied with.
struct Product<'a, T, I> {
    starts: &'a [I],
    columns: &'a [I],
    values: &'a [T],
    x: &'a [T],
    /// Rows and columns of `x`.
    shape: (usize, usize),
}

fn run<T: Accumulated + Send + Sync, I: Position>(call: &SparseProductCall<'_>) -> Result<()> {
    let [starts, columns] = [dense(call.starts)?, dense(call.columns)?];
    let [values, x] = [dense(call.values)?, dense(call.x)?];
    let product = Product::<T, I> {
        starts: elements(&starts),
        columns: elements(&columns),
        values: elements(&values),
        x: elements(&x),
        shape: (call.x.layout.shape[0], call.x.layout.shape[1]),
    };
    let (rows, width) = (call.out.layout.shape[0], call.out.layout.shape[1]);
    let ends = product.task_ends(rows, width);
    let is_parallel = (product.columns.len() + rows) * width >= PARALLEL_MIN;
    let is_bad = AtomicBool::new(false);
    with_dense_out(call.out, |out| {
        let target = Shared(start(out));
        run_spread(ends.len(), is_parallel, &|task| {
            let first = if task == 0 { 0 } else { ends[task - 1] };
            let count = (ends[task] - first) * width;
            // SAFETY: the result has `rows * width` elements, row by row; ends rise up to `rows`, so these rows are this task's alone.
            let out =
                unsafe { std::slice::from_raw_parts_mut(target.get().cast::<T>().add(first * width), count) };
            let is_far = lie_apart(product.elements_of(first, ends[task]), width * size_of::<T>());
            let is_whole = match (width, is_far) {
                (1, true) => product.times_vector::<true>(first, out),
                (1, false) => product.times_vector::<false>(first, out),
                _ => product.times_columns(first, out, is_far),
            };
            if is_whole.is_none() {
                is_bad.store(true, Ordering::Relaxed);
            }
        })
    })?;
    if is_bad.into_inner() { Err(bad_structure("sparse_product")) } else { Ok(()) }
}

/// Whether what columns stand for, of so many bytes each, lies too far apart for a cache. Columns all over a matrix are worth asking
/// for ahead of their use, those of a band are not.
fn lie_apart<I: Position>(columns: &[I], bytes: usize) -> bool {
    let places = || columns.iter().step_by(LOOKED_AT_EVERY).map(|column| column.place());
    match (places().min(), places().max()) {
        (Some(first), Some(last)) => (last - first).saturating_mul(bytes) > NEAR_BYTES,
        _ => false,
    }
}

fn bad_structure(op: &'static str) -> Error {
    Error::value(op, "the structure of the sparse matrix leads outside of its arrays")
}

/// Before which row each task ends, for tasks of about `per_task`. `work` says how much there is before a row. Ends never fall,
/// whatever it says.
fn task_ends(rows: usize, per_task: usize, work: impl Fn(usize) -> usize) -> Vec<usize> {
    let tasks = work(rows).div_ceil(per_task).max(1);
    let mut ends = with_capacity(tasks);
    let mut last = 0;
    for task in 1..tasks {
        let (mut low, mut high) = (last, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if work(middle) < task * per_task {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        last = low;
        push(&mut ends, last);
    }
    push(&mut ends, rows);
    ends
}

impl<T: Accumulated, I: Position> Product<'_, T, I> {
    fn task_ends(&self, rows: usize, width: usize) -> Vec<usize> {
        let work = |row: usize| self.starts[row].place().min(self.columns.len()) + row;
        // The starts may be anything: the tasks are those of all elements.
        task_ends(rows, (WORK_PER_TASK / width).max(1), |row| {
            if row == rows { self.columns.len() + rows } else { work(row) }
        })
    }

    /// The columns of rows, as far as they are in their array.
    fn elements_of(&self, first: usize, end: usize) -> &[I] {
        self.columns.get(self.starts[first].place()..self.starts[end].place()).unwrap_or(&[])
    }

    /// The columns and values of a row; none where they are not in their arrays.
    #[inline(always)]
    fn row(&self, row: usize) -> Option<(usize, &[I], &[T])> {
        let (begin, end) = (self.starts[row].place(), self.starts[row + 1].place());
        Some((begin, self.columns.get(begin..end)?, self.values.get(begin..end)?))
    }

    /// Asks for the row of `x` that the element some places behind `k` is multiplied with.
    #[inline(always)]
    fn ask_ahead(&self, k: usize) {
        if let Some(column) = self.columns.get(k + AHEAD) {
            prefetch(self.x.as_ptr().wrapping_add(column.place().wrapping_mul(self.shape.1)).cast());
        }
    }

    /// Rows from `first` on of the product with one column. With FAR, elements of `x` are asked for ahead of their use.
    fn times_vector<const FAR: bool>(&self, first: usize, out: &mut [T]) -> Option<()> {
        let zero = T::plus(T::NEUTRAL, T::times(T::NEUTRAL, T::NEUTRAL));
        let add = |sum: T::Wide, column: &I, value: &T| -> Option<T::Wide> {
            Some(T::plus(sum, T::times(value.widen(), self.x.get(column.place())?.widen())))
        };
        let mut begin = self.starts[first].place();
        for (out, end) in out.iter_mut().zip(&self.starts[first + 1..]) {
            let end = end.place();
            let (columns, values) = (self.columns.get(begin..end)?, self.values.get(begin..end)?);
            let mut sum = zero;
            match self.columns.get(begin + AHEAD..end + AHEAD).filter(|_| FAR) {
                Some(ahead) => {
                    for ((column, value), later) in columns.iter().zip(values).zip(ahead) {
                        prefetch(self.x.as_ptr().wrapping_add(later.place()).cast());
                        sum = add(sum, column, value)?;
                    }
                }
                None => {
                    for (column, value) in columns.iter().zip(values) {
                        sum = add(sum, column, value)?;
                    }
                }
            }
            *out = T::narrow(sum);
            begin = end;
        }
        Some(())
    }

    /// The same with several columns.
    fn times_columns(&self, first: usize, out: &mut [T], is_far: bool) -> Option<()> {
        let zero = T::plus(T::NEUTRAL, T::times(T::NEUTRAL, T::NEUTRAL));
        let (length, width) = self.shape;
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let (begin, columns, values) = self.row(first + i)?;
            if columns.iter().any(|column| column.place() >= length) {
                return None;
            }
            if is_far {
                (begin..begin + columns.len()).for_each(|k| self.ask_ahead(k));
            }
            for (block, out) in out.chunks_mut(COLUMNS_AT_A_TIME).enumerate() {
                let at = block * COLUMNS_AT_A_TIME;
                let mut sums = [zero; COLUMNS_AT_A_TIME];
                if out.len() == COLUMNS_AT_A_TIME {
                    for (column, value) in columns.iter().zip(values) {
                        // Another thread may have changed the column since it was looked at.
                        let place = column.place().wrapping_mul(width).wrapping_add(at);
                        let x = self.x.get(place..place.wrapping_add(COLUMNS_AT_A_TIME))?;
                        let x: &[T; COLUMNS_AT_A_TIME] = x.try_into().ok()?;
                        let value = value.widen();
                        for (sum, x) in sums.iter_mut().zip(x) {
                            *sum = T::plus(*sum, T::times(value, x.widen()));
                        }
                    }
                } else {
                    for (column, value) in columns.iter().zip(values) {
                        let place = column.place().wrapping_mul(width).wrapping_add(at);
                        let x = self.x.get(place..place.wrapping_add(out.len()))?;
                        let value = value.widen();
                        for (sum, x) in sums.iter_mut().zip(x) {
                            *sum = T::plus(*sum, T::times(value, x.widen()));
                        }
                    }
                }
                out.iter_mut().zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_end_at_rising_rows_whatever_the_structure_is() {
        let x = [1.0];
        // Miri takes a thousand times as long.
        let rows = if cfg!(miri) { 2000 } else { 200_000 };
        let (most, length) = (rows as i64 * 3 / 2, rows * 5 / 4);
        let starts: Vec<i64> = (0..=rows as i64).map(|i| (i * 7919) % most - 50).collect();
        let columns = vec![0i64; length];
        let values = vec![1.0; length];
        let product = Product { starts: &starts, columns: &columns, values: &values, x: &x, shape: (1, 1) };
        let ends = product.task_ends(rows, 1);
        assert!(ends.windows(2).all(|pair| pair[0] <= pair[1]) && ends.last() == Some(&rows));
        let mut out = vec![0.0; 10];
        assert!(product.times_vector::<true>(0, &mut out).is_none());
        assert!(product.times_vector::<false>(0, &mut out).is_none());
    }

    #[test]
    fn products_are_the_same_whether_elements_are_asked_for_or_not() {
        let starts: Vec<i32> = (0..=100).map(|row| row * 7).collect();
        let columns: Vec<i32> = (0..700).map(|k| (k * 37) % 90).collect();
        let (values, x) = (vec![1.5; 700], (0..90).map(f64::from).collect::<Vec<_>>());
        let product = Product { starts: &starts, columns: &columns, values: &values, x: &x, shape: (90, 1) };
        let [mut near, mut far] = [[0.0; 100]; 2];
        product.times_vector::<false>(0, &mut near).unwrap();
        product.times_vector::<true>(0, &mut far).unwrap();
        let want: Vec<f64> =
            columns.chunks(7).map(|row| row.iter().map(|column| 1.5 * f64::from(*column)).sum()).collect();
        assert_eq!((&near[..], &far[..]), (&want[..], &want[..]));
        assert!(!lie_apart(&columns, 8) && lie_apart(&[0, 0, 1 << 20].repeat(LOOKED_AT_EVERY), 8));
    }

    #[test]
    fn a_column_outside_is_found() {
        let product = Product {
            starts: &[0i32, 2, 2],
            columns: &[1i32, -1],
            values: &[2.0, 3.0],
            x: &[1.0, 2.0, 3.0, 4.0],
            shape: (2, 2),
        };
        assert!(product.times_columns(0, &mut [0.0; 4], true).is_none());
        let product = Product { columns: &[1, 0], ..product };
        let mut out = [9.0; 4];
        assert!(product.times_columns(0, &mut out, true).is_some());
        assert_eq!(out, [9.0, 14.0, 0.0, 0.0]);
    }
}
