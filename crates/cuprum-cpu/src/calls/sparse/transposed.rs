//! Products of transposed sparse matrices with vectors: rows of the matrix add to elements all over the result.
//!
//! The matrix is cut into parts, each of which has a result of its own; these are added in order. How many there are follows
//! from the matrix alone, so that the sums do not depend on the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::{DType, Result};
use cuprum_graph::SparseTransposedProductCall;
use cuprum_threads::{Shared, run_spread, run_tasks};

use super::{AHEAD, Position, Truth, bad_structure, lie_apart, prefetch};
use crate::calls::number::{Accumulated, with_number};
use crate::calls::{PARALLEL_MIN, allocate, dense, elements, start, with_dense_out};

const OP: &str = "sparse_transposed_product";
/// The most parts.
const MAX_PARTS: usize = 32;
/// Rows of which it is known whether their columns lie far apart.
const ROWS_AT_A_TIME: usize = if cfg!(miri) { 1 << 6 } else { 1 << 12 };
/// Elements of the result that a task adds up.
const SUMS_PER_TASK: usize = 1 << 14;

pub(in crate::calls) fn multiply_transposed(call: &SparseTransposedProductCall<'_>) -> Result<()> {
    match call.values.dtype {
        DType::Bool => by_index::<Truth>(call),
        dtype => with_number!(dtype, by_index(call)).expect("a dtype with numbers"),
    }
}

fn by_index<T: Accumulated + Send + Sync>(call: &SparseTransposedProductCall<'_>) -> Result<()> {
    match call.columns.dtype {
        DType::I32 => run::<T, i32>(call),
        _ => run::<T, i64>(call),
    }
}

/// How many parts a matrix is cut into: together their results take at most a quarter as many elements as the matrix, since each
/// of them is set to zero, written and added up.
fn parts(count: usize, width: usize) -> usize {
    if count < PARALLEL_MIN {
        return 1;
    }
    let most = (count / (4 * width.max(1))).clamp(1, MAX_PARTS);
    1 << most.ilog2()
}

fn run<T: Accumulated + Send + Sync, I: Position>(call: &SparseTransposedProductCall<'_>) -> Result<()> {
    let [starts, columns] = [dense(call.starts)?, dense(call.columns)?];
    let [values, x] = [dense(call.values)?, dense(call.x)?];
    let matrix = Matrix::<T, I> {
        starts: elements(&starts),
        columns: elements(&columns),
        values: elements(&values),
        x: elements(&x),
    };
    let width = call.out.layout.size();
    let parts = parts(matrix.columns.len(), width);
    let own = allocate(&[(parts - 1) * width], call.out.dtype)?;
    let is_bad = AtomicBool::new(false);
    with_dense_out(call.out, |out| {
        let (first, others) = (Shared(start(out)), Shared(start(&own)));
        // SAFETY: the result and the memory of all other parts have `width` elements for each part.
        let sums_of = |part: usize| unsafe {
            match part {
                0 => first.get().cast::<T>(),
                _ => others.get().cast::<T>().add((part - 1) * width),
            }
        };
        run_spread(parts, parts > 1, &|part| {
            // SAFETY: each task has the elements of its own part.
            let sums = unsafe { std::slice::from_raw_parts_mut(sums_of(part), width) };
            if matrix.add_part(part, parts, sums).is_none() {
                is_bad.store(true, Ordering::Relaxed);
            }
        })?;
        run_tasks(if parts > 1 { width.div_ceil(SUMS_PER_TASK) } else { 0 }, true, &|task| {
            let from = task * SUMS_PER_TASK;
            let count = SUMS_PER_TASK.min(width - from);
            // SAFETY: all parts are done and only read now, but for these elements of the first.
            let of = |part: usize| unsafe { std::slice::from_raw_parts(sums_of(part).add(from), count) };
            // SAFETY: as above; each task has elements of its own.
            let total = unsafe { std::slice::from_raw_parts_mut(sums_of(0).add(from), count) };
            for part in 1..parts {
                for (total, sum) in total.iter_mut().zip(of(part)) {
                    *total = T::narrow(T::plus(total.widen(), sum.widen()));
                }
            }
        })
    })?;
    if is_bad.into_inner() { Err(bad_structure(OP)) } else { Ok(()) }
}

struct Matrix<'a, T, I> {
    starts: &'a [I],
    columns: &'a [I],
    values: &'a [T],
    x: &'a [T],
}

impl<T: Accumulated, I: Position> Matrix<'_, T, I> {
    /// The row at which a part ends: parts have about as many elements each.
    fn end(&self, part: usize, parts: usize) -> usize {
        let rows = self.starts.len() - 1;
        if part + 1 == parts {
            return rows;
        }
        let before = self.columns.len() / parts * (part + 1);
        self.starts.partition_point(|start| start.place() < before).min(rows)
    }

    /// Sets `sums` to the products of a part.
    fn add_part(&self, part: usize, parts: usize, sums: &mut [T]) -> Option<()> {
        sums.fill(T::narrow(T::plus(T::NEUTRAL, T::times(T::NEUTRAL, T::NEUTRAL))));
        let mut first = if part == 0 { 0 } else { self.end(part - 1, parts) };
        let last = self.end(part, parts);
        while first < last {
            let end = last.min(first + ROWS_AT_A_TIME);
            let columns = self.columns.get(self.starts[first].place()..self.starts[end].place())?;
            if lie_apart(columns, size_of::<T>()) {
                self.add_rows::<true>(first, end, sums)?;
            } else {
                self.add_rows::<false>(first, end, sums)?;
            }
            first = end;
        }
        Some(())
    }

    /// Adds the products of rows. With FAR, sums are asked for ahead of their use.
    fn add_rows<const FAR: bool>(&self, first: usize, end: usize, sums: &mut [T]) -> Option<()> {
        let sums_start = sums.as_ptr();
        let mut begin = self.starts[first].place();
        for (end, by) in self.starts[first + 1..=end].iter().zip(self.x.get(first..end)?) {
            let (end, by) = (end.place(), by.widen());
            let elements = self.columns.get(begin..end)?.iter().zip(self.values.get(begin..end)?);
            let mut add = |column: &I, value: &T| -> Option<()> {
                let sum = sums.get_mut(column.place())?;
                *sum = T::narrow(T::plus(sum.widen(), T::times(value.widen(), by)));
                Some(())
            };
            match self.columns.get(begin + AHEAD..end + AHEAD).filter(|_| FAR) {
                Some(ahead) => {
                    for ((column, value), later) in elements.zip(ahead) {
                        prefetch(sums_start.wrapping_add(later.place()).cast());
                        add(column, value)?;
                    }
                }
                None => {
                    for (column, value) in elements {
                        add(column, value)?;
                    }
                }
            }
            begin = end;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_whatever_the_structure_is() {
        let starts: Vec<i32> = (0..=1000).map(|row| row * 3).collect();
        let columns: Vec<i32> = (0..3000).map(|k| (k * 7) % 50).collect();
        let (values, x) = (vec![1.0; 3000], vec![2.0; 1000]);
        let matrix = Matrix { starts: &starts, columns: &columns, values: &values, x: &x };
        let mut total = vec![0.0; 50];
        for part in 0..8 {
            let mut sums = vec![9.0; 50];
            matrix.add_part(part, 8, &mut sums).unwrap();
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        assert!(total.iter().all(|sum| *sum == 120.0));
        assert!(matrix.add_part(0, 1, &mut [0.0; 49]).is_none());
        let damaged: Vec<i32> = (0..=1000).map(|row| (row * 7919) % 5000 - 9).collect();
        let damaged = Matrix { starts: &damaged, ..matrix };
        assert!((0..4).any(|part| damaged.add_part(part, 4, &mut [0.0; 50]).is_none()));
    }
}
