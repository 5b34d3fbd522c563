//! Finding between which of several sorted edges a value lies, for many values.
//!
//! The range of the edges is cut into equal cells. The cell of a value is found by arithmetic that never decreases with
//! the value, rounding included; a table knows how many edges lie in the cells before it. What is left is one comparison
//! for most values, and a search within the cell for the others.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Result, SimdLevel};
use cuprum_graph::{Side, Slot};
use cuprum_threads::{Shared, run_tasks};

use super::{PARALLEL_MIN, dense, elements, start, with_dense_out};
use cuprum_lanes::at_levels;

/// A value that has an order and a place on the real line.
pub(super) trait RealOrdered: Copy + PartialOrd + Sync {
    /// Its place; must not decrease where the values do not.
    fn place(self) -> f64;
}

impl RealOrdered for f64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self
    }
}

impl RealOrdered for f32 {
    #[inline(always)]
    fn place(self) -> f64 {
        f64::from(self)
    }
}

impl RealOrdered for i64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self as f64
    }
}

impl RealOrdered for u64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self as f64
    }
}

/// The most cells of a table; it stays in the second-level cache.
const MAX_CELLS: usize = 1 << 16;
/// A table is made for at least this many values an edge; fewer are found by searching.
const TABLE_MIN_VALUES_PER_EDGE: usize = 2;

/// Edges and the table of their cells.
pub(super) struct Locator<'a, T> {
    edges: &'a [T],
    first: f64,
    scale: f64,
    /// The number of the last cell.
    top: f64,
    /// How many edges lie in the cells before each one; one entry more than there are cells.
    before: Vec<u32>,
}

impl<'a, T: RealOrdered> Locator<'a, T> {
    /// A locator for some `values` values; `cells` cells for each edge. There is at least one edge.
    pub(super) fn new(edges: &'a [T], values: usize, cells: usize) -> Locator<'a, T> {
        let (first, last) = (edges[0].place(), edges[edges.len() - 1].place());
        let count = if values / TABLE_MIN_VALUES_PER_EDGE < edges.len() || edges.len() > u32::MAX as usize {
            1
        } else {
            ((edges.len() - 1) * cells).clamp(1, MAX_CELLS)
        };
        let scale = count as f64 / (last - first);
        // One edge, edges apart by more than the largest number, or by less than the smallest: one cell for all.
        let (count, scale) =
            if count > 1 && scale > 0.0 && scale.is_finite() { (count, scale) } else { (1, 0.0) };
        let top = (count - 1) as f64;
        let mut locator = Locator { edges, first, scale, top, before: filled(count + 1, 0) };
        if count > 1 {
            for edge in edges {
                let cell = locator.cell(*edge);
                locator.before[cell + 1] += 1;
            }
            for cell in 0..count {
                locator.before[cell + 1] += locator.before[cell];
            }
        }
        locator
    }

    #[inline(always)]
    fn cell(&self, value: T) -> usize {
        let cell = ((value.place() - self.first) * self.scale).min(self.top);
        // What lies before the first edge goes to cell 0.
        // SAFETY: a number between 0 and `top`, which is below `MAX_CELLS`; `min` prefers `top` to a NaN.
        if cell > 0.0 { unsafe { cell.to_int_unchecked::<i32>() as usize } } else { 0 }
    }

    /// How many edges are not beyond a value; for a NaN, any number of them.
    #[inline(always)]
    pub(super) fn not_beyond(&self, value: T) -> usize {
        self.count_while(value, |edge| *edge <= value)
    }

    /// How many edges are below a value; for a NaN, any number of them.
    #[inline(always)]
    fn below(&self, value: T) -> usize {
        self.count_while(value, |edge| *edge < value)
    }

    /// How many edges come before a value, by a comparison that agrees with the cells' order.
    #[inline(always)]
    fn count_while(&self, value: T, comes_before: impl Fn(&T) -> bool) -> usize {
        let cell = self.cell(value);
        let mut at = self.before[cell] as usize;
        at += usize::from(self.edges.get(at).is_some_and(&comes_before));
        if self.edges.get(at).is_some_and(&comes_before) { self.search(cell, at, comes_before) } else { at }
    }

    #[cold]
    #[inline(never)]
    fn search(&self, cell: usize, at: usize, comes_before: impl Fn(&T) -> bool) -> usize {
        let end = if self.has_table() { self.before[cell + 1] as usize } else { self.edges.len() };
        let rest = self.edges.get(at..end).unwrap_or_default();
        at + rest.partition_point(comes_before)
    }

    /// Whether there is more than one cell.
    fn has_table(&self) -> bool {
        self.before.len() > 2
    }

    /// How far inside its cell a value must lie to be sure that it lies between the cell's two edges: for even edges, as
    /// many cells as there are gaps. `None` where that cannot be told.
    ///
    /// The numbers of cells are cut from numbers that do not decrease with the value. With edge `j` at most `slack` away
    /// from `j`, a value between `j + slack` and `j + 1 - slack` is beyond edge `j` and before edge `j + 1`.
    pub(super) fn slack(&self) -> Option<f64> {
        if !self.has_table() || self.before.len() != self.edges.len() {
            return None;
        }
        let away = |(j, edge): (usize, &T)| ((edge.place() - self.first) * self.scale - j as f64).abs();
        let furthest = self.edges.iter().enumerate().map(away).fold(0.0, f64::max);
        // A little more, so that rounding of what is compared with it does not matter.
        (furthest < 0.25).then_some(furthest + 1e-9)
    }

    /// The cells of values that lie further than `slack` inside them; `UNSURE` for the others.
    #[inline]
    pub(super) fn sure_cells(&self, values: &[T], slack: f64, cells: &mut [u32], level: SimdLevel) {
        let range = (self.first, self.scale, self.top);
        // SAFETY: the level is this CPU's; there are at most `MAX_CELLS` cells.
        unsafe {
            match level {
                SimdLevel::Portable => sure_portable::<T>(values, range, slack, cells),
                SimdLevel::Avx2 => sure_avx2::<T>(values, range, slack, cells),
                SimdLevel::Avx512 => sure_avx512::<T>(values, range, slack, cells),
            }
        }
    }
}

/// The cell of a value whose neighbourhood has to be looked at.
pub(super) const UNSURE: u32 = u32::MAX;

/// # Safety
/// `top`, the last of `range`, is below `i32::MAX`.
#[inline(always)]
unsafe fn sure_body<T: RealOrdered>(
    values: &[T],
    (first, scale, top): (f64, f64, f64),
    slack: f64,
    cells: &mut [u32],
) {
    for (cell, value) in cells.iter_mut().zip(values) {
        let place = (value.place() - first) * scale;
        // What lies outside, and NaN, goes to the edge of a cell: unsure.
        let place = if place > 0.0 && place < top + 1.0 { place } else { 0.0 };
        // SAFETY: not negative, and not beyond `top`.
        let number = unsafe { place.to_int_unchecked::<i32>() };
        let inside = place - f64::from(number);
        let sure = inside > slack && inside < 1.0 - slack;
        *cell = if sure { number as u32 } else { UNSURE };
    }
}

at_levels!(sure_portable, sure_avx2, sure_avx512, <T: RealOrdered>,
    (values: &[T], range: (f64, f64, f64), slack: f64, cells: &mut [u32]),
    sure_body::<T>(values, range, slack, cells));

/// Needles that a task looks for.
const NEEDLES_PER_TASK: usize = 1 << 14;
/// Cells for each element of a sorted array.
const CELLS_PER_ELEMENT: usize = 2;

/// Where many needles belong in a sorted array, by a table of it; `false`, and nothing done, where the dtype has none or
/// it would not pay.
pub(super) fn search(sorted: &Slot, needles: &Slot, out: &Slot, side: Side) -> Result<bool> {
    match sorted.dtype {
        DType::F64 => search_in::<f64>(sorted, needles, out, side),
        DType::F32 => search_in::<f32>(sorted, needles, out, side),
        DType::I64 => search_in::<i64>(sorted, needles, out, side),
        DType::U64 => search_in::<u64>(sorted, needles, out, side),
        _ => Ok(false),
    }
}

// A NaN, the only value that differs from itself, comes last.
#[allow(clippy::eq_op)]
fn search_in<T: RealOrdered>(sorted: &Slot, needles: &Slot, out: &Slot, side: Side) -> Result<bool> {
    let count = needles.layout.size();
    if count / TABLE_MIN_VALUES_PER_EDGE < sorted.layout.size() || sorted.layout.size() < 16 {
        return Ok(false);
    }
    let (sorted, needles) = (dense(sorted)?, dense(needles)?);
    let (sorted, needles): (&[T], &[T]) = (elements(&sorted), elements(&needles));
    let numbers = &sorted[..sorted.partition_point(|x| x == x)];
    if numbers.is_empty() {
        return Ok(false);
    }
    let locator = Locator::new(numbers, count, CELLS_PER_ELEMENT);
    if !locator.has_table() {
        return Ok(false);
    }
    let nan = if side == Side::Left { numbers.len() } else { sorted.len() };
    with_dense_out(out, |out| {
        let places = Shared(start(out));
        run_tasks(count.div_ceil(NEEDLES_PER_TASK), count >= PARALLEL_MIN, &|task| {
            let at = task * NEEDLES_PER_TASK;
            let part = &needles[at..count.min(at + NEEDLES_PER_TASK)];
            // SAFETY: the output is dense, and each task writes places of its own.
            let places =
                unsafe { std::slice::from_raw_parts_mut(places.get().cast::<i64>().add(at), part.len()) };
            for (place, &needle) in places.iter_mut().zip(part) {
                let found =
                    if side == Side::Left { locator.below(needle) } else { locator.not_beyond(needle) };
                *place = if needle == needle { found as i64 } else { nan as i64 };
            }
        })
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(edges: &[f64], values: &[f64]) {
        for cells in [1, 4] {
            let locator = Locator::new(edges, 1000, cells);
            for &value in values {
                let count = |holds: fn(f64, f64) -> bool| edges.iter().filter(|e| holds(**e, value)).count();
                assert_eq!(locator.not_beyond(value), count(|e, x| e <= x), "{value} in {edges:?}");
                assert_eq!(locator.below(value), count(|e, x| e < x), "{value} in {edges:?}");
                sure_ones_are_right(&locator, value);
            }
        }
    }

    fn sure_ones_are_right(locator: &Locator<'_, f64>, value: f64) {
        let Some(slack) = locator.slack() else { return };
        let mut cell = [0];
        locator.sure_cells(&[value], slack, &mut cell, SimdLevel::Portable);
        if cell[0] != UNSURE {
            let (low, high) = (locator.edges[cell[0] as usize], locator.edges[cell[0] as usize + 1]);
            assert!(low <= value && value < high, "{value} in {low}..{high}");
        }
    }

    #[test]
    fn even_edges_have_a_slack_and_uneven_ones_none() {
        let even: Vec<f64> = (0..=100).map(|i| f64::from(i) / 100.0).collect();
        let locator = Locator::new(&even, 1000, 1);
        assert!(locator.slack().is_some_and(|slack| slack < 1e-8));
        let mut cells = [0; 4];
        locator.sure_cells(&[0.005, 0.07, 2.0, f64::NAN], 1e-9, &mut cells, SimdLevel::Portable);
        assert_eq!(cells, [0, UNSURE, UNSURE, UNSURE]);
        assert!(Locator::new(&[0.0, 0.1, 5.0], 1000, 1).slack().is_none());
    }

    #[test]
    fn values_lie_where_comparisons_say() {
        let infinity = f64::INFINITY;
        let values = [-1e308, -1.0, -0.0, 0.0, 0.1, 0.3, 0.30000000000000004, 0.7, 1.0, 2.0, 1e308, infinity];
        agrees(&[0.0], &values);
        agrees(&[0.0, 0.1, 0.2, 0.30000000000000004, 0.4], &values);
        agrees(&[0.0, 0.0, 0.3, 0.3, 0.3, 1.0, 1.0], &values);
        agrees(&[-1e308, 0.0, 1e308], &values);
        agrees(&[-infinity, 0.0, infinity], &values);
        agrees(&[0.0, 0.5, infinity], &[-infinity, -1.0, 0.0, 0.2, 0.5, 7.0, infinity]);
        agrees(&[0.0, 1e-300, 2e-300, 3e-300, 1.0, 1e9], &[0.0, 1e-300, 1.5e-300, 3e-300, 1.0, 5.0, 2e9]);
        // Miri takes a thousand times as long.
        let edges = if cfg!(miri) { 20 } else { 100 };
        let uniform: Vec<f64> = (0..=edges).map(|i| f64::from(i) * 0.01).collect();
        agrees(&uniform, &uniform);
        agrees(&uniform, &uniform.iter().map(|x| x.next_down()).collect::<Vec<_>>());
    }

    #[test]
    fn integers_beyond_the_floats_are_told_apart() {
        let edges = [i64::MAX - 3, i64::MAX - 2, i64::MAX - 1, i64::MAX];
        let locator = Locator::new(&edges, 1000, 1);
        for (i, edge) in edges.iter().enumerate() {
            assert_eq!(locator.not_beyond(*edge), i + 1);
        }
        assert_eq!(locator.not_beyond(i64::MAX - 4), 0);
    }

    #[test]
    fn disorder_gives_some_answer() {
        let edges = [5.0, f64::NAN, 1.0, 3.0, -2.0, 9.0];
        let locator = Locator::new(&edges, 1000, 4);
        for value in [f64::NAN, -5.0, 2.0, 100.0] {
            assert!(locator.not_beyond(value) <= edges.len());
        }
    }
}
