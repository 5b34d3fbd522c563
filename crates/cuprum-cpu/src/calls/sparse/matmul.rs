//! Products of two sparse matrices, after Gustavson: a row of the result is the sum of rows of the second matrix.
//!
//! Where the columns of a row are that were met before, marks say, one for each column of the matrix, or a table of hashes where the
//! matrix is too wide for that.

use std::sync::{Mutex, PoisonError};

use cuprum_core::memory::{filled, lengthen, push};

use super::pairs::Rows;
use super::{Position, prefetch};
use crate::calls::number::Accumulated;

/// How many elements of the first matrix ahead the rows of the second one are asked for.
const ROWS_AHEAD: usize = 6;
/// Bytes of a line of a cache, and how many lines of a row are asked for.
const LINE: usize = 64;
const LINES_AHEAD: usize = 3;
/// Places of a table for each column of a row: few of them meet at one place.
const PLACES_EACH: usize = 4;
/// Columns that always have marks.
const MIN_MARKED: usize = if cfg!(miri) { 1 << 8 } else { 1 << 16 };
/// Marks of all threads for each element of the matrices, at most: they take no more memory than these.
const MARKS_PER_ELEMENT: usize = 2;

/// The columns of a row that have been met.
trait Met<I> {
    /// Begins a row with at most so many columns.
    fn begin(&mut self, most: usize);
    /// The place of a column in its row, and whether it is met for the first time. None for columns outside of the matrix, and
    /// where there are more than was said.
    fn place_of(&mut self, column: I) -> Option<(usize, bool)>;
    /// How many there are.
    fn count(&self) -> usize;
}

/// A mark for each column: the place of the column in its row above `first`, which is behind all marks of rows before.
pub(super) struct Marks {
    marks: Vec<u32>,
    first: u32,
    met: u32,
}

impl Marks {
    fn new(width: usize) -> Marks {
        Marks { marks: filled(width, 0), first: 1, met: 0 }
    }
}

impl<I: Position> Met<I> for Marks {
    #[inline(always)]
    fn begin(&mut self, _most: usize) {
        self.first += self.met;
        self.met = 0;
        // A row has at most as many columns as there are marks.
        if (u32::MAX - self.first) as usize <= self.marks.len() {
            self.marks.fill(0);
            self.first = 1;
        }
    }

    #[inline(always)]
    fn place_of(&mut self, column: I) -> Option<(usize, bool)> {
        let mark = self.marks.get_mut(column.place())?;
        let place = mark.wrapping_sub(self.first);
        if place < self.met {
            return Some((place as usize, false));
        }
        *mark = self.first + self.met;
        self.met += 1;
        Some((self.met as usize - 1, true))
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.met as usize
    }
}

#[derive(Clone, Copy)]
struct Entry<I> {
    column: I,
    /// Where the column stands in its row.
    place: u32,
}

/// A table of hashes.
struct Table<I> {
    entries: Vec<Entry<I>>,
    /// How many of the entries this row uses, and by how much a hash is shifted for a place among them.
    size: usize,
    shift: u32,
    /// The columns of the matrix.
    width: usize,
    /// The columns met so far, and the most that there may be.
    met: usize,
    most: usize,
}

impl<I: Position> Table<I> {
    fn new(width: usize) -> Table<I> {
        let entries = filled(0, Entry { column: I::NONE, place: 0 });
        Table { entries, size: 0, shift: 0, width, met: 0, most: 0 }
    }
}

impl<I: Position> Met<I> for Table<I> {
    fn begin(&mut self, most: usize) {
        let bits = (PLACES_EACH * most.max(8)).next_power_of_two().ilog2();
        self.size = 1 << bits;
        self.shift = 64 - bits;
        (self.met, self.most) = (0, most);
        let nothing = Entry { column: I::NONE, place: 0 };
        lengthen(&mut self.entries, self.size, nothing);
        self.entries[..self.size].fill(nothing);
    }

    /// The table is never full.
    #[inline(always)]
    fn place_of(&mut self, column: I) -> Option<(usize, bool)> {
        if column.place() >= self.width {
            return None;
        }
        let entries = &mut self.entries[..self.size];
        let mut at = ((column.place() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
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

    fn count(&self) -> usize {
        self.met
    }
}

/// What the tasks of a product take turns with: marks for all columns, as many sets as work at once.
pub(super) struct Columns {
    width: usize,
    are_marked: bool,
    free: Mutex<Vec<Marks>>,
}

impl Columns {
    /// For a result of `width` columns, made of so many elements, by `threads` threads.
    pub fn new(width: usize, elements: usize, threads: usize) -> Columns {
        let each = elements.min(elements.saturating_mul(MARKS_PER_ELEMENT) / threads.max(1));
        let are_marked = width <= each.clamp(MIN_MARKED, 1 << 28);
        Columns { width, are_marked, free: Mutex::new(Vec::new()) }
    }

    fn with_marks<R>(&self, body: impl FnOnce(&mut Marks) -> R) -> R {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = lock().pop();
        let mut marks = taken.unwrap_or_else(|| Marks::new(self.width));
        let made = body(&mut marks);
        push(&mut lock(), marks);
        made
    }

    /// How many columns each row from `first` on of the product has.
    pub fn count<I: Position>(
        &self,
        a: &Rows<'_, I, ()>,
        b: &Rows<'_, I, ()>,
        first: usize,
        counts: &mut [i64],
    ) -> Option<()> {
        if self.are_marked {
            return self.with_marks(|marks| count(marks, a, b, self.width, first, counts));
        }
        count(&mut Table::new(self.width), a, b, self.width, first, counts)
    }

    /// The rows from `first` on. `starts` has where they begin in the whole result, and the end of the last one. None where
    /// they are not what was counted.
    pub fn fill<I: Position, T: Accumulated>(
        &self,
        a: &Rows<'_, I, T>,
        b: &Rows<'_, I, T>,
        first: usize,
        starts: &[i64],
        columns: &mut [I],
        values: &mut [T],
    ) -> Option<()> {
        if self.are_marked {
            return self.with_marks(|marks| fill(marks, a, b, first, starts, columns, values));
        }
        fill(&mut Table::new(self.width), a, b, first, starts, columns, values)
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

fn count<I: Position>(
    met: &mut impl Met<I>,
    a: &Rows<'_, I, ()>,
    b: &Rows<'_, I, ()>,
    width: usize,
    first: usize,
    counts: &mut [i64],
) -> Option<()> {
    for (i, count) in counts.iter_mut().enumerate() {
        let (columns, begin) = (a.columns_of(first + i)?, a.starts[first + i].place());
        met.begin(most(columns, b, width)?);
        for (k, column) in columns.iter().enumerate() {
            ask_ahead(a, b, begin + k);
            b.columns_of(column.place())?.iter().try_for_each(|other| met.place_of(*other).map(drop))?;
        }
        *count = met.count() as i64;
    }
    Some(())
}

fn fill<I: Position, T: Accumulated>(
    met: &mut impl Met<I>,
    a: &Rows<'_, I, T>,
    b: &Rows<'_, I, T>,
    first: usize,
    starts: &[i64],
    mut columns: &mut [I],
    mut values: &mut [T],
) -> Option<()> {
    for (i, ends) in starts.windows(2).enumerate() {
        let count = (ends[1] - ends[0]) as usize;
        let (row_columns, row_values);
        (row_columns, columns) = std::mem::take(&mut columns).split_at_mut_checked(count)?;
        (row_values, values) = std::mem::take(&mut values).split_at_mut_checked(count)?;
        met.begin(count);
        let (row, by) = a.row(first + i)?;
        let begin = a.starts[first + i].place();
        for (k, (column, by)) in row.iter().zip(by).enumerate() {
            ask_ahead(a, b, begin + k);
            let by = by.widen();
            let (others, other_values) = b.row(column.place())?;
            for (other, value) in others.iter().zip(other_values) {
                let product = T::times(by, value.widen());
                let (at, is_new) = met.place_of(*other)?;
                let sum = row_values.get_mut(at)?;
                if is_new {
                    row_columns[at] = *other;
                    *sum = T::narrow(product);
                } else {
                    *sum = T::narrow(T::plus(sum.widen(), product));
                }
            }
        }
        if met.count() != count {
            return None;
        }
    }
    Some(())
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
        // Narrow results are found by marks, wide ones by hashes.
        // Miri takes a thousand times as long.
        let sizes = [(40, 30), (60, 5000), (60, MIN_MARKED + 1)];
        for (inner, width) in sizes.into_iter().filter(|(_, width)| !cfg!(miri) || *width < 1000) {
            let (p, q, r) = matrix(50, inner, 9, 5);
            let (s, t, u) = matrix(inner, width, 12, 3);
            let (a, b) =
                (Rows { starts: &p, columns: &q, values: &r }, Rows { starts: &s, columns: &t, values: &u });
            let (c, d) = (
                Rows { starts: &p, columns: &q, values: &[] },
                Rows { starts: &s, columns: &t, values: &[] },
            );
            let mut starts = vec![0i64; 51];
            let found = Columns::new(width, q.len(), 2);
            assert_eq!(found.are_marked, width <= MIN_MARKED);
            found.count(&c, &d, 0, &mut starts[1..]).unwrap();
            (0..50).for_each(|row| starts[row + 1] += starts[row]);
            let total = starts[50] as usize;
            let (mut columns, mut values) = (vec![-1; total], vec![f64::NAN; total]);
            found.fill(&a, &b, 0, &starts, &mut columns, &mut values).unwrap();
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
            assert!(found.fill(&a, &b, 0, &starts, cut.0, cut.1).is_none());
            let far: Vec<i64> = q.iter().map(|column| column + inner as i64).collect();
            assert!(found.count(&Rows { columns: &far, ..c }, &d, 0, &mut [0; 50]).is_none());
            let narrow = Columns { width: 1, ..Columns::new(width, q.len(), 2) };
            assert!(narrow.count(&c, &d, 0, &mut [0; 50]).is_none());
        }
    }

    #[test]
    fn marks_of_all_threads_take_no_more_memory_than_the_matrices() {
        let (wide, elements) = (1 << 20, 1 << 22);
        assert!(Columns::new(wide, elements, 1).are_marked && Columns::new(wide, elements, 8).are_marked);
        assert!(
            !Columns::new(wide, elements, 64).are_marked && !Columns::new(8 * wide, elements, 1).are_marked
        );
        assert!(Columns::new(MIN_MARKED, 10, 64).are_marked);
    }

    #[test]
    fn marks_begin_anew_before_they_overflow() {
        let mut marks = Marks::new(3);
        marks.first = u32::MAX - 5;
        for _ in 0..9 {
            Met::<i32>::begin(&mut marks, 3);
            let found = [2i32, 0, 2, 1, 0].map(|column| marks.place_of(column).unwrap());
            assert_eq!(found, [(0, true), (1, true), (0, false), (2, true), (1, false)]);
            assert!(marks.place_of(3i32).is_none() && marks.place_of(-1i32).is_none());
        }
    }
}
