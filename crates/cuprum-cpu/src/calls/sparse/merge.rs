//! Rows of two sparse matrices merged: an op at the places that either or both of them store.
//!
//! Which side has the lower column can seldom be guessed: steps through two rows are additions and selections, not branches.
//! Elements of either side are put side by side, a block at a time, for the op's lane.

use std::hint::select_unpredictable;

use cuprum_core::memory::filled;
use cuprum_lanes::Lane;

use super::Position;
use super::pairs::Rows;

/// Elements that a lane gets at a time: both sides and the results stay in the first-level cache.
const BLOCK: usize = 512;

/// How many places each row from `first` on has; `UNION` counts those of either side, else those of both.
pub(super) fn count<I: Position, const UNION: bool>(
    left: &Rows<'_, I, ()>,
    right: &Rows<'_, I, ()>,
    first: usize,
    counts: &mut [i64],
) -> Option<()> {
    for (i, count) in counts.iter_mut().enumerate() {
        let (a, b) = (left.columns_of(first + i)?, right.columns_of(first + i)?);
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            shared += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        *count = if UNION { a.len() + b.len() - shared } else { shared } as i64;
    }
    Some(())
}

/// Elements of both sides on their way through a lane, and their columns.
pub(super) struct Block<I, V> {
    columns: Vec<I>,
    left: Vec<V>,
    right: Vec<V>,
    /// Which results are not zero, and the zeros that they are compared with.
    flags: Vec<u8>,
    nothing: Vec<[u64; 2]>,
    length: usize,
    lanes: (Lane, Lane),
    /// Where the results of the block go, and the bytes of one.
    target: *mut u8,
    size: usize,
    pub zeros: usize,
}

impl<I: Position, V: Copy + Default> Block<I, V> {
    /// A block for the lane of an op and the one that compares its results. `target` has room for as many results as there are
    /// columns to be written.
    pub fn new(lanes: (Lane, Lane), target: *mut u8, size: usize) -> Block<I, V> {
        Block {
            columns: filled(BLOCK, I::NONE),
            left: filled(BLOCK, V::default()),
            right: filled(BLOCK, V::default()),
            flags: filled(BLOCK, 0),
            nothing: filled(BLOCK, [0; 2]),
            length: 0,
            lanes,
            target,
            size,
            zeros: 0,
        }
    }

    /// Takes as much of two rows as there is room for; says how much.
    #[inline(always)]
    fn take<const UNION: bool>(&mut self, a: (&[I], &[V]), b: (&[I], &[V])) -> (usize, usize) {
        let (columns, left) = (&mut self.columns[..BLOCK], &mut self.left[..BLOCK]);
        let right = &mut self.right[..BLOCK];
        let (a_values, b_values) = (&a.1[..a.0.len()], &b.1[..b.0.len()]);
        let (a, b) = (a.0, b.0);
        let (mut i, mut j, mut n) = (0, 0, self.length);
        while i < a.len() && j < b.len() && n < BLOCK {
            let (x, y) = (a[i], b[j]);
            let (is_left, is_right) = (x <= y, y <= x);
            columns[n] = select_unpredictable(is_left, x, y);
            left[n] = select_unpredictable(is_left, a_values[i], V::default());
            right[n] = select_unpredictable(is_right, b_values[j], V::default());
            // What only one side has is written over where both are wanted.
            n += if UNION { 1 } else { usize::from(x == y) };
            i += usize::from(is_left);
            j += usize::from(is_right);
        }
        if UNION {
            while j == b.len() && i < a.len() && n < BLOCK {
                (columns[n], left[n], right[n]) = (a[i], a_values[i], V::default());
                (i, n) = (i + 1, n + 1);
            }
            while i == a.len() && j < b.len() && n < BLOCK {
                (columns[n], left[n], right[n]) = (b[j], V::default(), b_values[j]);
                (j, n) = (j + 1, n + 1);
            }
        }
        self.length = n;
        (i, j)
    }

    /// Writes what has been taken: columns to the front of `columns`, which then begins behind them. None where there is no room.
    fn flush(&mut self, columns: &mut &mut [I]) -> Option<()> {
        let n = self.length;
        let (op, differs) = self.lanes;
        let (front, rest) = std::mem::take(columns).split_at_mut_checked(n)?;
        front.copy_from_slice(&self.columns[..n]);
        *columns = rest;
        // SAFETY: `n` elements on either side, and room for as many results as columns, and for as many flags; the lanes are of
        // this CPU's level.
        unsafe {
            op(n, self.target, [self.left.as_ptr().cast(), self.right.as_ptr().cast(), std::ptr::null()]);
            let zeros = self.nothing.as_ptr().cast();
            differs(n, self.flags.as_mut_ptr(), [self.target.cast_const(), zeros, std::ptr::null()]);
            self.target = self.target.add(n * self.size);
        }
        let others: usize = self.flags[..n].iter().map(|flag| usize::from(*flag)).sum();
        self.zeros += n - others;
        self.length = 0;
        Some(())
    }
}

/// Merges the rows from `first` on: columns, and values through the block. `starts` has where rows begin in the whole result, and
/// the end of the last one. None where the rows are not what was counted.
pub(super) fn merge_rows<I: Position, V: Copy + Default, const UNION: bool>(
    left: &Rows<'_, I, V>,
    right: &Rows<'_, I, V>,
    first: usize,
    starts: &[i64],
    mut columns: &mut [I],
    block: &mut Block<I, V>,
) -> Option<()> {
    for (i, ends) in starts.windows(2).enumerate() {
        let (mut a, mut b) = (left.row(first + i)?, right.row(first + i)?);
        let (before, count) = (columns.len() - block.length.min(columns.len()), (ends[1] - ends[0]) as usize);
        loop {
            let (i, j) = block.take::<UNION>(a, b);
            (a, b) = ((&a.0[i..], &a.1[i..]), (&b.0[j..], &b.1[j..]));
            let is_done =
                if UNION { a.0.is_empty() && b.0.is_empty() } else { a.0.is_empty() || b.0.is_empty() };
            if is_done {
                break;
            }
            block.flush(&mut columns)?;
        }
        if block.length > columns.len() || before - (columns.len() - block.length) != count {
            return None;
        }
    }
    block.flush(&mut columns)
}

#[cfg(test)]
mod tests {
    use cuprum_core::{DType, Op, SimdLevel};
    use cuprum_lanes::lane;

    use super::*;

    /// Rows with every `step`-th column from `first` on, as many as there are numbers.
    fn rows(lengths: &[usize], step: i32) -> (Vec<i32>, Vec<i32>, Vec<u64>) {
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for (row, length) in lengths.iter().enumerate() {
            for k in 0..*length {
                columns.push(k as i32 * step + row as i32 % 3);
                values.push((columns.len() as f64).to_bits());
            }
            starts.push(columns.len() as i32);
        }
        (starts, columns, values)
    }

    fn merged<const UNION: bool>(op: Op) -> (Vec<i64>, Vec<i32>, Vec<f64>, usize) {
        let (a_starts, a_columns, a_values) = rows(&[3, 0, 700, 5, 0, 40], 2);
        let (b_starts, b_columns, b_values) = rows(&[0, 4, 900, 5, 0, 1], 3);
        let a = Rows { starts: &a_starts, columns: &a_columns, values: &a_values };
        let b = Rows { starts: &b_starts, columns: &b_columns, values: &b_values };
        let mut starts = vec![0i64; 7];
        let pattern =
            |rows: &Rows<'_, i32, u64>| -> (Vec<i32>, Vec<i32>) { (rows.starts.into(), rows.columns.into()) };
        let ((p, q), (r, s)) = (pattern(&a), pattern(&b));
        let (p, r) = (
            Rows::<i32, ()> { starts: &p, columns: &q, values: &[] },
            Rows::<i32, ()> { starts: &r, columns: &s, values: &[] },
        );
        count::<i32, UNION>(&p, &r, 0, &mut starts[1..]).unwrap();
        for row in 0..6 {
            starts[row + 1] += starts[row];
        }
        let total = starts[6] as usize;
        let (mut columns, mut values) = (vec![-1; total], vec![f64::NAN; total]);
        let level = SimdLevel::detect();
        let lanes = (lane(op, DType::F64, level).unwrap(), lane(Op::NotEqual, DType::F64, level).unwrap());
        let mut block = Block::<i32, u64>::new(lanes, values.as_mut_ptr().cast(), 8);
        merge_rows::<i32, u64, UNION>(&a, &b, 0, &starts, &mut columns, &mut block).unwrap();
        let zeros = block.zeros;
        let mut short = Block::<i32, u64>::new(lanes, values.as_mut_ptr().cast(), 8);
        let wrong: Vec<i64> = starts.iter().map(|start| (*start - 1).max(0)).collect();
        let cut =
            merge_rows::<i32, u64, UNION>(&a, &b, 0, &wrong, &mut columns[..total - 1].to_vec(), &mut short);
        assert!(cut.is_none());
        (starts, columns, values, zeros)
    }

    fn dense(lengths: &[usize], step: i32) -> Vec<Vec<f64>> {
        let (starts, columns, values) = rows(lengths, step);
        starts
            .windows(2)
            .map(|pair| {
                let mut line = vec![0.0; 3000];
                (pair[0]..pair[1])
                    .for_each(|k| line[columns[k as usize] as usize] = f64::from_bits(values[k as usize]));
                line
            })
            .collect()
    }

    #[test]
    fn unions_and_intersections_are_those_of_dense_rows() {
        let (a, b) = (dense(&[3, 0, 700, 5, 0, 40], 2), dense(&[0, 4, 900, 5, 0, 1], 3));
        for is_union in [true, false] {
            let (starts, columns, values, zeros) =
                if is_union { merged::<true>(Op::Subtract) } else { merged::<false>(Op::Subtract) };
            assert_eq!(zeros, values.iter().filter(|value| **value == 0.0).count());
            for row in 0..6 {
                let places = starts[row] as usize..starts[row + 1] as usize;
                let want: Vec<(i32, f64)> = (0..3000)
                    .filter(|c| {
                        if is_union {
                            a[row][*c] != 0.0 || b[row][*c] != 0.0
                        } else {
                            a[row][*c] * b[row][*c] != 0.0
                        }
                    })
                    .map(|c| (c as i32, a[row][c] - b[row][c]))
                    .collect();
                let got: Vec<(i32, f64)> = places.map(|k| (columns[k], values[k])).collect();
                assert_eq!(got, want, "row {row}");
            }
        }
    }
}
