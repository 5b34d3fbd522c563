//! Rows of two sparse matrices merged: an op at the places that either or both of them store.
//!
//! Which side has the lower column can seldom be guessed: steps through two rows are additions and selections, not branches. Each
//! step waits for the one before, so that two rows are gone through side by side. Elements of either side are put next to each
//! other, a block at a time, for the op's lane.

use std::hint::select_unpredictable;

use cuprum_core::memory::filled;
use cuprum_lanes::Lane;

use super::Position;
use super::pairs::Rows;

/// Elements that a lane gets at a time: both sides and the results stay in the first-level cache.
pub(super) const BLOCK: usize = if cfg!(miri) { 64 } else { 512 };
/// The most places that are merged at once, and the room of a block for the last of them.
pub(super) const MERGE_WIDTH_MAX: usize = 32;
pub(super) const ROOM: usize = BLOCK + MERGE_WIDTH_MAX;

/// Counts the places of rows.
type Count<I> = fn(&Rows<'_, I, ()>, &Rows<'_, I, ()>, usize, &mut [i64]) -> Option<()>;
/// Merges rows of elements of one size.
pub(super) type Merge<I, V> =
    fn(&Rows<'_, I, V>, &Rows<'_, I, V>, usize, &[i64], &mut [I], &mut Block<V>) -> Option<()>;

/// How rows are merged: at the places of both, then at those of either.
pub(super) struct Merges<I> {
    pub count: [Count<I>; 2],
    /// Elements of four bytes, and of eight.
    pub words: [Merge<I, u32>; 2],
    pub pairs: [Merge<I, u64>; 2],
}

impl<I: Position> Merges<I> {
    /// By steps from column to column.
    pub fn by_steps() -> Merges<I> {
        Merges {
            count: [count::<I, false>, count::<I, true>],
            words: [intersect, unite],
            pairs: [intersect, unite],
        }
    }
}

/// Two rows on the way to the end of both; columns of both rise.
struct Steps<'a, I, V> {
    left: &'a [I],
    right: &'a [I],
    left_values: &'a [V],
    right_values: &'a [V],
    i: usize,
    j: usize,
}

impl<'a, I: Position, V: Copy + Default> Steps<'a, I, V> {
    fn new(left: (&'a [I], &'a [V]), right: (&'a [I], &'a [V])) -> Steps<'a, I, V> {
        Steps { left: left.0, right: right.0, left_values: left.1, right_values: right.1, i: 0, j: 0 }
    }

    /// The next column of either row, and both elements there.
    #[inline(always)]
    fn next(&mut self) -> (I, V, V) {
        let x = self.left.get(self.i).copied().unwrap_or(I::LAST);
        let y = self.right.get(self.j).copied().unwrap_or(I::LAST);
        let (is_left, is_right) = (x <= y, y <= x);
        let (a, b) = (self.left_values.get(self.i), self.right_values.get(self.j));
        let found = (
            select_unpredictable(is_left, x, y),
            select_unpredictable(is_left, a.copied().unwrap_or_default(), V::default()),
            select_unpredictable(is_right, b.copied().unwrap_or_default(), V::default()),
        );
        self.i += usize::from(is_left);
        self.j += usize::from(is_right);
        found
    }

    /// Whether both rows are at their ends, neither beyond.
    fn is_done(&self) -> bool {
        self.i == self.left.len() && self.j == self.right.len()
    }
}

/// How many columns two pairs of rows share.
#[inline(always)]
fn shared<I: Position>(a: [&[I]; 2], b: [&[I]; 2]) -> [usize; 2] {
    let (mut i, mut j, mut n) = ([0; 2], [0; 2], [0; 2]);
    let mut step = |at: usize, i: &mut [usize; 2], j: &mut [usize; 2]| {
        let (x, y) = (a[at][i[at]], b[at][j[at]]);
        n[at] += usize::from(x == y);
        i[at] += usize::from(x <= y);
        j[at] += usize::from(y <= x);
    };
    while i[0] < a[0].len() && j[0] < b[0].len() && i[1] < a[1].len() && j[1] < b[1].len() {
        step(0, &mut i, &mut j);
        step(1, &mut i, &mut j);
    }
    for at in 0..2 {
        while i[at] < a[at].len() && j[at] < b[at].len() {
            step(at, &mut i, &mut j);
        }
    }
    n
}

/// How many places each row from `first` on has; `UNION` counts those of either side, else those of both.
fn count<I: Position, const UNION: bool>(
    left: &Rows<'_, I, ()>,
    right: &Rows<'_, I, ()>,
    first: usize,
    counts: &mut [i64],
) -> Option<()> {
    for (pair, counts) in counts.chunks_mut(2).enumerate() {
        let row = first + 2 * pair;
        let (mut a, mut b): ([&[I]; 2], [&[I]; 2]) = ([&[]; 2], [&[]; 2]);
        for at in 0..counts.len() {
            (a[at], b[at]) = (left.columns_of(row + at)?, right.columns_of(row + at)?);
        }
        let shared = shared(a, b);
        for (at, count) in counts.iter_mut().enumerate() {
            *count = if UNION { a[at].len() + b[at].len() - shared[at] } else { shared[at] } as i64;
        }
    }
    Some(())
}

/// Elements of both sides on their way through a lane.
pub(super) struct Block<V> {
    pub left: Vec<V>,
    pub right: Vec<V>,
    /// Which results are not zero, and the zeros that they are compared with.
    flags: Vec<u8>,
    nothing: Vec<[u64; 2]>,
    lanes: (Lane, Lane),
    /// Where the next results go, and the bytes of one.
    target: *mut u8,
    size: usize,
    pub zeros: usize,
}

impl<V: Copy + Default> Block<V> {
    /// A block for the lane of an op and the one that compares its results.
    ///
    /// # Safety
    /// `target` has room for a result of `size` bytes at each column that the block is written with, and nobody else uses it
    /// meanwhile. The lanes are of this CPU's level, and of elements of `V`'s size.
    pub unsafe fn new(lanes: (Lane, Lane), target: *mut u8, size: usize) -> Block<V> {
        Block {
            left: filled(ROOM, V::default()),
            right: filled(ROOM, V::default()),
            flags: filled(ROOM, 0),
            nothing: filled(ROOM, [0; 2]),
            lanes,
            target,
            size,
            zeros: 0,
        }
    }

    /// Makes the results of the first `n` elements, as many as there is room for at most.
    pub fn run(&mut self, n: usize) {
        assert!(n <= ROOM);
        let (op, differs) = self.lanes;
        // SAFETY: `n` elements on either side, and room for as many results and flags, as `new` was promised.
        unsafe {
            op(n, self.target, [self.left.as_ptr().cast(), self.right.as_ptr().cast(), std::ptr::null()]);
            let zeros = self.nothing.as_ptr().cast();
            differs(n, self.flags.as_mut_ptr(), [self.target.cast_const(), zeros, std::ptr::null()]);
            self.target = self.target.add(n * self.size);
        }
        let others: usize = self.flags[..n].iter().map(|flag| usize::from(*flag)).sum();
        self.zeros += n - others;
    }
}

/// An op at the places of either matrix, in the rows from `first` on: columns, and values through the block. `starts` has where
/// rows begin in the whole result, and the end of the last one. None where the rows are not what was counted.
pub(super) fn unite<I: Position, V: Copy + Default>(
    left: &Rows<'_, I, V>,
    right: &Rows<'_, I, V>,
    first: usize,
    starts: &[i64],
    mut columns: &mut [I],
    block: &mut Block<V>,
) -> Option<()> {
    let length = |row: usize| (starts[row + 1] - starts[row]) as usize;
    let steps = |row: usize| Some(Steps::new(left.row(first + row)?, right.row(first + row)?));
    let (mut row, rows) = (0, starts.len() - 1);
    while row < rows {
        // As many rows as fit the block, or a part of one.
        let mut last = row;
        while last < rows && (starts[last + 1] - starts[row]) as usize <= BLOCK {
            last += 1;
        }
        if last == row {
            let (mut one, mut rest) = (steps(row)?, length(row));
            while rest > 0 {
                let n = rest.min(BLOCK);
                let part;
                (part, columns) = std::mem::take(&mut columns).split_at_mut_checked(n)?;
                fill(&mut one, part, &mut block.left, &mut block.right);
                block.run(n);
                rest -= n;
            }
            if !one.is_done() {
                return None;
            }
            row += 1;
            continue;
        }
        let n = (starts[last] - starts[row]) as usize;
        let (part, mut left, mut right);
        (part, columns) = std::mem::take(&mut columns).split_at_mut_checked(n)?;
        (left, right) = (&mut block.left[..n], &mut block.right[..n]);
        let mut part = part;
        while row < last {
            let mut one = steps(row)?;
            let (mine, mine_left, mine_right);
            (mine, part) = std::mem::take(&mut part).split_at_mut(length(row));
            (mine_left, left) = std::mem::take(&mut left).split_at_mut(length(row));
            (mine_right, right) = std::mem::take(&mut right).split_at_mut(length(row));
            if row + 1 < last {
                let mut other = steps(row + 1)?;
                let (theirs, theirs_left, theirs_right);
                (theirs, part) = std::mem::take(&mut part).split_at_mut(length(row + 1));
                (theirs_left, left) = std::mem::take(&mut left).split_at_mut(length(row + 1));
                (theirs_right, right) = std::mem::take(&mut right).split_at_mut(length(row + 1));
                let both = mine.len().min(theirs.len());
                for k in 0..both {
                    (mine[k], mine_left[k], mine_right[k]) = one.next();
                    (theirs[k], theirs_left[k], theirs_right[k]) = other.next();
                }
                fill(&mut one, &mut mine[both..], &mut mine_left[both..], &mut mine_right[both..]);
                fill(&mut other, &mut theirs[both..], &mut theirs_left[both..], &mut theirs_right[both..]);
                if !other.is_done() {
                    return None;
                }
                row += 1;
            } else {
                fill(&mut one, mine, mine_left, mine_right);
            }
            if !one.is_done() {
                return None;
            }
            row += 1;
        }
        block.run(n);
    }
    Some(())
}

/// The next steps, as many as there are columns.
#[inline(always)]
fn fill<I: Position, V: Copy + Default>(
    steps: &mut Steps<'_, I, V>,
    columns: &mut [I],
    left: &mut [V],
    right: &mut [V],
) {
    for ((column, left), right) in columns.iter_mut().zip(left).zip(right) {
        (*column, *left, *right) = steps.next();
    }
}

/// The same at the places of both matrices.
pub(super) fn intersect<I: Position, V: Copy + Default>(
    left: &Rows<'_, I, V>,
    right: &Rows<'_, I, V>,
    first: usize,
    starts: &[i64],
    columns: &mut [I],
    block: &mut Block<V>,
) -> Option<()> {
    let (mut written, mut waiting) = (0, 0);
    for (row, ends) in starts.windows(2).enumerate() {
        let (mut steps, before) = (Steps::new(left.row(first + row)?, right.row(first + row)?), written);
        while written - before < (ends[1] - ends[0]) as usize {
            // What only one side has is written over by the next step.
            let is_shared = steps.left.get(steps.i)? == steps.right.get(steps.j)?;
            let (column, a, b) = steps.next();
            *columns.get_mut(written)? = column;
            (block.left[waiting], block.right[waiting]) = (a, b);
            written += usize::from(is_shared);
            waiting += usize::from(is_shared);
            if waiting == BLOCK {
                block.run(BLOCK);
                waiting = 0;
            }
        }
    }
    block.run(waiting);
    (written == columns.len()).then_some(())
}

#[cfg(test)]
mod tests {
    use cuprum_core::{DType, Op, SimdLevel};
    use cuprum_lanes::lane;

    use super::*;

    /// Elements of the rows, more than a block among them; Miri takes a thousand times as long.
    const LENGTHS: [[usize; 6]; 2] = if cfg!(miri) {
        [[3, 0, 70, 5, 0, 4], [0, 4, 90, 5, 0, 1]]
    } else {
        [[3, 0, 700, 5, 0, 40], [0, 4, 900, 5, 0, 1]]
    };
    const WIDTH: usize = if cfg!(miri) { 300 } else { 3000 };

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

    fn merged(op: Op, is_union: bool, merges: &Merges<i32>) -> (Vec<i64>, Vec<i32>, Vec<f64>, usize) {
        let (a_starts, a_columns, a_values) = rows(&LENGTHS[0], 2);
        let (b_starts, b_columns, b_values) = rows(&LENGTHS[1], 3);
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
        (merges.count[usize::from(is_union)])(&p, &r, 0, &mut starts[1..]).unwrap();
        for row in 0..6 {
            starts[row + 1] += starts[row];
        }
        let total = starts[6] as usize;
        let (mut columns, mut values) = (vec![-1; total], vec![f64::NAN; total]);
        let level = SimdLevel::detect();
        let lanes = (lane(op, DType::F64, level).unwrap(), lane(Op::NotEqual, DType::F64, level).unwrap());
        let merge = merges.pairs[usize::from(is_union)];
        // SAFETY: there is a value for every column.
        let mut block = unsafe { Block::new(lanes, values.as_mut_ptr().cast(), 8) };
        merge(&a, &b, 0, &starts, &mut columns, &mut block).unwrap();
        let zeros = block.zeros;
        let mut others = values.clone();
        // SAFETY: as above.
        let mut short = unsafe { Block::new(lanes, others.as_mut_ptr().cast(), 8) };
        let wrong: Vec<i64> = starts.iter().map(|start| (*start - 1).max(0)).collect();
        let cut = merge(&a, &b, 0, &wrong, &mut columns[..total - 1].to_vec(), &mut short);
        // An intersection ends with the last of the counted places.
        assert!(cut.is_none() || !is_union);
        (starts, columns, values, zeros)
    }

    fn dense(lengths: &[usize], step: i32) -> Vec<Vec<f64>> {
        let (starts, columns, values) = rows(lengths, step);
        starts
            .windows(2)
            .map(|pair| {
                let mut line = vec![0.0; WIDTH];
                (pair[0]..pair[1])
                    .for_each(|k| line[columns[k as usize] as usize] = f64::from_bits(values[k as usize]));
                line
            })
            .collect()
    }

    #[test]
    fn unions_and_intersections_are_those_of_dense_rows() {
        let (a, b) = (dense(&LENGTHS[0], 2), dense(&LENGTHS[1], 3));
        let ways = [Merges::by_steps(), i32::merges(SimdLevel::detect())];
        for (is_union, merges) in
            [true, false].into_iter().flat_map(|union| ways.iter().map(move |way| (union, way)))
        {
            let (starts, columns, values, zeros) = merged(Op::Subtract, is_union, merges);
            assert_eq!(zeros, values.iter().filter(|value| **value == 0.0).count());
            for row in 0..6 {
                let places = starts[row] as usize..starts[row + 1] as usize;
                let want: Vec<(i32, f64)> = (0..WIDTH)
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
