//! Finding between which of several sorted edges a value lies, for many values.
//!
//! The range of the edges is cut into equal cells. The cell of a value is found by arithmetic that never decreases with
//! the value, rounding included; a table knows how many edges lie in the cells before it. What is left is one comparison
//! for most values, and a search within the cell for the others.

/// A value that has an order and a place on the real line.
pub(super) trait Ordered: Copy + PartialOrd + Sync {
    /// Its place; must not decrease where the values do not.
    fn place(self) -> f64;
}

impl Ordered for f64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self
    }
}

impl Ordered for f32 {
    #[inline(always)]
    fn place(self) -> f64 {
        f64::from(self)
    }
}

impl Ordered for i64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self as f64
    }
}

impl Ordered for u64 {
    #[inline(always)]
    fn place(self) -> f64 {
        self as f64
    }
}

/// The most cells of a table; it stays in the second-level cache.
const MOST_CELLS: usize = 1 << 16;
/// A table is made for at least this many values an edge; fewer are found by searching.
const WORTH: usize = 2;

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

impl<'a, T: Ordered> Locator<'a, T> {
    /// A locator for some `values` values; `cells` cells for each edge. There is at least one edge.
    pub(super) fn new(edges: &'a [T], values: usize, cells: usize) -> Locator<'a, T> {
        let (first, last) = (edges[0].place(), edges[edges.len() - 1].place());
        let count = if values / WORTH < edges.len() || edges.len() > u32::MAX as usize {
            1
        } else {
            ((edges.len() - 1) * cells).clamp(1, MOST_CELLS)
        };
        let scale = count as f64 / (last - first);
        // One edge, edges apart by more than the largest number, or by less than the smallest: one cell for all.
        let (count, scale) = if count > 1 && scale.is_finite() { (count, scale) } else { (1, 0.0) };
        let top = (count - 1) as f64;
        let mut locator = Locator { edges, first, scale, top, before: vec![0; count + 1] };
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
        // SAFETY: a number between 0 and `top`, which is below `MOST_CELLS`; `min` prefers `top` to a NaN.
        if cell > 0.0 { unsafe { cell.to_int_unchecked::<i32>() as usize } } else { 0 }
    }

    /// How many edges are not beyond a value; for a NaN, any number of them.
    #[inline(always)]
    pub(super) fn not_beyond(&self, value: T) -> usize {
        let cell = self.cell(value);
        let mut at = self.before[cell] as usize;
        at += usize::from(self.edges.get(at).is_some_and(|edge| *edge <= value));
        if self.edges.get(at).is_some_and(|edge| *edge <= value) { self.search(cell, at, value) } else { at }
    }

    #[cold]
    #[inline(never)]
    fn search(&self, cell: usize, at: usize, value: T) -> usize {
        let end = if self.before.len() == 2 { self.edges.len() } else { self.before[cell + 1] as usize };
        let rest = self.edges.get(at..end).unwrap_or_default();
        at + rest.partition_point(|edge| *edge <= value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(edges: &[f64], values: &[f64]) {
        for cells in [1, 4] {
            let locator = Locator::new(edges, 1000, cells);
            for &value in values {
                let wanted = edges.iter().filter(|edge| **edge <= value).count();
                assert_eq!(locator.not_beyond(value), wanted, "{value} in {edges:?}");
            }
        }
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
        agrees(&[0.0, 1e-300, 2e-300, 3e-300, 1.0, 1e9], &[0.0, 1e-300, 1.5e-300, 3e-300, 1.0, 5.0, 2e9]);
        let uniform: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.01).collect();
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
