//! What an evaluation may be asked for. Pointers are made of what is asked, so it is looked at first.

/// The space of an evaluator, and what its blocks hold.
pub(super) struct Bounds {
    /// Positions of the fixed space.
    pub(super) positions: usize,
    /// Elements of the inner one.
    pub(super) elements: usize,
    /// Elements that a register's block holds.
    pub(super) block: usize,
}

impl Bounds {
    /// Panics unless `n` elements from `start` are there at a position, and fit into a block.
    #[inline]
    pub(super) fn check(&self, position: usize, start: usize, n: usize) {
        let is_inside = start <= self.elements && n <= self.elements - start;
        assert!(position < self.positions && is_inside && n <= self.block, "an evaluation beyond its space");
    }

    /// Panics unless there are `n` elements from `start` of each of `rows` rows from a position on, and they fit into a block.
    pub(super) fn check_rows(&self, position: usize, rows: usize, start: usize, n: usize) {
        let are_rows = position <= self.positions && rows <= self.positions - position;
        let is_inside = start <= self.elements && n <= self.elements - start;
        assert!(are_rows && is_inside && rows.saturating_mul(n) <= self.block, "rows beyond their space");
    }

    /// Panics unless a tile of the two inner axes, of lengths `dims`, is there at a position and fits into a block.
    pub(super) fn check_tile(
        &self,
        position: usize,
        dims: &[usize],
        origin: (usize, usize),
        (rows, cols): (usize, usize),
    ) {
        let fits = |axis: usize, at: usize, n: usize| at <= dims[axis] && n <= dims[axis] - at;
        assert!(fits(0, origin.0, rows) && fits(1, origin.1, cols), "a tile beyond its space");
        assert!(
            position < self.positions && rows.saturating_mul(cols) <= self.block,
            "a tile beyond its space"
        );
    }
}
