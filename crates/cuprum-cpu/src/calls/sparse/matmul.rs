//! Products of two sparse matrices, after Gustavson: a row of the result is the sum of rows of the second matrix.
//!
//! A table says where the columns of a row are that were met before: the column itself is the place in it where the row is
//! about as long as the matrix is wide, else a hash of it.

use cuprum_core::memory::{filled, lengthen};

use super::pairs::Rows;
use super::{Position, prefetch};
use crate::calls::number::Accumulated;

/// How many elements of the first matrix ahead the rows of the second one are asked for.
const ROWS_AHEAD: usize = 6;
/// Bytes of a line of a cache, and how many lines of a row are asked for.
const LINE: usize = 64;
const LINES_AHEAD: usize = 3;

#[derive(Clone, Copy)]
struct Entry<I> {
    column: I,
    /// Where the column stands in its row.
    place: u32,
}

/// The columns of a row that have been met.
struct Table<I> {
    entries: Vec<Entry<I>>,
    /// How many of the entries this row uses, and by how much a hash is shifted for a place among them.
    size: usize,
    shift: u32,
    is_direct: bool,
    /// The columns of the matrix.
    width: usize,
    /// The columns met so far, and the most that there may be.
    met: usize,
    most: usize,
}

impl<I: Position> Table<I> {
    fn new() -> Table<I> {
        Table {
            entries: filled(0, Entry { column: I::NONE, place: 0 }),
            size: 0,
            shift: 0,
            is_direct: false,
            width: 0,
            met: 0,
            most: 0,
        }
    }

    /// Begins a row with at most `most` columns of `width`.
    fn begin(&mut self, most: usize, width: usize) {
        let bits = (2 * most.max(8)).next_power_of_two().ilog2();
        self.is_direct = width <= 1 << bits;
        self.size = if self.is_direct { width } else { 1 << bits };
        self.shift = 64 - bits;
        (self.width, self.met, self.most) = (width, 0, most);
        let nothing = Entry { column: I::NONE, place: 0 };
        lengthen(&mut self.entries, self.size, nothing);
        self.entries[..self.size].fill(nothing);
    }

    /// The place of a column in its row, and whether it is met for the first time. None for columns outside of the matrix, and
    /// where there are more than was said: the table is never full.
    #[inline(always)]
    fn place_of<const DIRECT: bool>(&mut self, column: I) -> Option<(usize, bool)> {
        if column.place() >= self.width {
            return None;
        }
        let entries = &mut self.entries[..self.size];
        let mut at = if DIRECT {
            column.place()
        } else {
            ((column.place() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
        };
        loop {
            let entry = entries.get_mut(at)?;
            if entry.column == column {
                return Some((entry.place as usize, false));
            }
            if entry.column == I::NONE {
                if self.met == self.most {
                    return None;
                }
                *entry = Entry { column, place: self.met as u32 };
                self.met += 1;
                return Some((self.met - 1, true));
            }
            at = (at + 1) & (entries.len() - 1);
        }
    }
}

/// The most columns that a row of the result has: all elements of the rows that it is made of.
#[inline(always)]
fn most<I: Position, V>(columns: &[I], b: &Rows<'_, I, V>, width: usize) -> Option<usize> {
    let mut pairs = 0usize;
    for column in columns {
        let (from, to) = (b.starts.get(column.place())?, b.starts.get(column.place().wrapping_add(1))?);
        pairs = pairs.checked_add(to.place().checked_sub(from.place())?)?;
    }
    Some(pairs.min(width))
}

/// Asks for the row of the second matrix that the element some places behind `k` is multiplied with.
#[inline(always)]
fn ask_ahead<I: Position, A, B>(a: &Rows<'_, I, A>, b: &Rows<'_, I, B>, k: usize) {
    let Some(column) = a.columns.get(k + ROWS_AHEAD) else { return };
    let Some(start) = b.starts.get(column.place()) else { return };
    let columns = b.columns.as_ptr().wrapping_add(start.place()).cast::<u8>();
    prefetch(columns);
    prefetch(columns.wrapping_add(LINE));
    if size_of::<B>() > 0 {
        let values = b.values.as_ptr().wrapping_add(start.place()).cast::<u8>();
        (0..LINES_AHEAD).for_each(|line| prefetch(values.wrapping_add(line * LINE)));
    }
}

/// How many columns each row from `first` on of the product has.
pub(super) fn count<I: Position>(
    a: &Rows<'_, I, ()>,
    b: &Rows<'_, I, ()>,
    width: usize,
    first: usize,
    counts: &mut [i64],
) -> Option<()> {
    let mut table = Table::new();
    for (i, count) in counts.iter_mut().enumerate() {
        let (columns, begin) = (a.columns_of(first + i)?, a.starts[first + i].place());
        table.begin(most(columns, b, width)?, width);
        for (k, column) in columns.iter().enumerate() {
            ask_ahead(a, b, begin + k);
            let others = b.columns_of(column.place())?;
            if table.is_direct {
                others.iter().try_for_each(|other| table.place_of::<true>(*other).map(drop))?;
            } else {
                others.iter().try_for_each(|other| table.place_of::<false>(*other).map(drop))?;
            }
        }
        *count = table.met as i64;
    }
    Some(())
}

/// The rows from `first` on. `starts` has where they begin in the whole result, and the end of the last one. None where they are
/// not what was counted.
pub(super) fn fill<I: Position, T: Accumulated>(
    a: &Rows<'_, I, T>,
    b: &Rows<'_, I, T>,
    width: usize,
    first: usize,
    starts: &[i64],
    mut columns: &mut [I],
    mut values: &mut [T],
) -> Option<()> {
    let mut table = Table::new();
    for (i, ends) in starts.windows(2).enumerate() {
        let count = (ends[1] - ends[0]) as usize;
        let (row_columns, row_values);
        (row_columns, columns) = std::mem::take(&mut columns).split_at_mut_checked(count)?;
        (row_values, values) = std::mem::take(&mut values).split_at_mut_checked(count)?;
        table.begin(count, width);
        let row = RowOf { a, b, row: first + i };
        if table.is_direct {
            row.add::<true>(&mut table, row_columns, row_values)?;
        } else {
            row.add::<false>(&mut table, row_columns, row_values)?;
        }
        if table.met != count {
            return None;
        }
    }
    Some(())
}

struct RowOf<'a, I, T> {
    a: &'a Rows<'a, I, T>,
    b: &'a Rows<'a, I, T>,
    row: usize,
}

impl<I: Position, T: Accumulated> RowOf<'_, I, T> {
    #[inline(always)]
    fn add<const DIRECT: bool>(
        &self,
        table: &mut Table<I>,
        columns: &mut [I],
        values: &mut [T],
    ) -> Option<()> {
        let (row, by) = self.a.row(self.row)?;
        let begin = self.a.starts[self.row].place();
        for (k, (column, by)) in row.iter().zip(by).enumerate() {
            ask_ahead(self.a, self.b, begin + k);
            let by = by.widen();
            let (others, other_values) = self.b.row(column.place())?;
            for (other, value) in others.iter().zip(other_values) {
                let product = T::times(by, value.widen());
                let (at, is_new) = table.place_of::<DIRECT>(*other)?;
                let sum = values.get_mut(at)?;
                if is_new {
                    columns[at] = *other;
                    *sum = T::narrow(product);
                } else {
                    *sum = T::narrow(T::plus(sum.widen(), product));
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, width: usize, each: usize, seed: usize) -> (Vec<i64>, Vec<i64>, Vec<f64>) {
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for row in 0..rows {
            for k in 0..(row * seed) % (each + 1) {
                columns.push(((row * 31 + k * 17 * seed) % width) as i64);
                values.push((columns.len() % 7) as f64 - 3.0);
            }
            starts.push(columns.len() as i64);
        }
        (starts, columns, values)
    }

    #[test]
    fn products_are_those_of_dense_matrices() {
        // Narrow results are found by columns, wide ones by hashes.
        for (inner, width) in [(40, 30), (60, 5000)] {
            let (p, q, r) = matrix(50, inner, 9, 5);
            let (s, t, u) = matrix(inner, width, 12, 3);
            let (a, b) =
                (Rows { starts: &p, columns: &q, values: &r }, Rows { starts: &s, columns: &t, values: &u });
            let (c, d) = (
                Rows { starts: &p, columns: &q, values: &[] },
                Rows { starts: &s, columns: &t, values: &[] },
            );
            let mut starts = vec![0i64; 51];
            count(&c, &d, width, 0, &mut starts[1..]).unwrap();
            (0..50).for_each(|row| starts[row + 1] += starts[row]);
            let total = starts[50] as usize;
            let (mut columns, mut values) = (vec![-1; total], vec![f64::NAN; total]);
            fill(&a, &b, width, 0, &starts, &mut columns, &mut values).unwrap();
            for row in 0..50 {
                let mut want = vec![0.0; width];
                for k in p[row] as usize..p[row + 1] as usize {
                    let line = q[k] as usize;
                    (s[line] as usize..s[line + 1] as usize).for_each(|j| want[t[j] as usize] += r[k] * u[j]);
                }
                let mut got = vec![0.0; width];
                (starts[row] as usize..starts[row + 1] as usize)
                    .for_each(|k| got[columns[k] as usize] += values[k]);
                assert_eq!(got, want, "row {row}");
            }
            // A count that does not fit, and a column that is not there.
            starts[50] -= 1;
            let cut = (&mut columns[..total - 1], &mut values[..total - 1]);
            assert!(fill(&a, &b, width, 0, &starts, cut.0, cut.1).is_none());
            let far: Vec<i64> = q.iter().map(|column| column + inner as i64).collect();
            assert!(count(&Rows { columns: &far, ..c }, &d, width, 0, &mut [0; 50]).is_none());
        }
    }
}
