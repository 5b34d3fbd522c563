//! Sorting and searching as library calls.
//!
//! The order is NumPy's: NaN last, -0.0 and 0.0 equal, complex numbers by real part, then imaginary part, those with a
//! NaN behind all others (imaginary part first). Positions are int64.

use super::Slot;

/// On which side of equal elements a position lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// A sorting call. Along an axis, each line is sorted by itself.
#[derive(Debug)]
pub enum SortCall<'a> {
    /// The elements in order; equal ones keep theirs. `out` has the input's shape and dtype, and may be the input itself.
    Sort {
        /// The input.
        input: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The axis.
        axis: usize,
    },
    /// The positions along the axis that put the elements in order; those of equal ones ascend.
    ArgSort {
        /// The input.
        input: &'a Slot,
        /// Of the input's shape, int64.
        out: &'a Slot,
        /// The axis.
        axis: usize,
    },
    /// The elements reordered so that those at the positions `kth` are what they would be if all were sorted, with
    /// nothing greater before them and nothing smaller behind. `out` may be the input itself.
    Partition {
        /// The input.
        input: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The axis.
        axis: usize,
        /// Positions along the axis, ascending, each once.
        kth: &'a [usize],
    },
    /// The positions along the axis that partition the elements.
    ArgPartition {
        /// The input.
        input: &'a Slot,
        /// Of the input's shape, int64.
        out: &'a Slot,
        /// The axis.
        axis: usize,
        /// Positions along the axis, ascending, each once.
        kth: &'a [usize],
    },
    /// The elements that would be at the positions `kth` along the axis if all were sorted; of elements that are equal in
    /// this order and yet differ (zeros of both signs, NaN), one of them.
    Select {
        /// The input.
        input: &'a Slot,
        /// Of the input's shape, but with `kth.len()` elements along the axis.
        out: &'a Slot,
        /// The axis.
        axis: usize,
        /// Positions along the axis, ascending, each once.
        kth: &'a [usize],
    },
    /// Where each of `needles` would go into `sorted` so that it stays sorted.
    Search {
        /// One-dimensional; in order, or put in order by `order`. Where it is not, any position may result.
        sorted: &'a Slot,
        /// Positions that sort it, int64 of the same length and all inside it.
        order: Option<&'a Slot>,
        /// Of any shape, and the dtype of `sorted`.
        needles: &'a Slot,
        /// Of the needles' shape, int64.
        out: &'a Slot,
        /// Which side of equal elements.
        side: Side,
    },
}

impl SortCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        match self {
            SortCall::Sort { input, out, .. }
            | SortCall::ArgSort { input, out, .. }
            | SortCall::Partition { input, out, .. }
            | SortCall::ArgPartition { input, out, .. }
            | SortCall::Select { input, out, .. } => vec![input, out],
            SortCall::Search { sorted, order, needles, out, .. } => {
                [*sorted, *needles, *out].into_iter().chain(*order).collect()
            }
        }
    }

    /// The name that errors and logs use.
    pub fn name(&self) -> &'static str {
        match self {
            SortCall::Sort { .. } => "sort",
            SortCall::ArgSort { .. } => "argsort",
            SortCall::Partition { .. } => "partition",
            SortCall::ArgPartition { .. } => "argpartition",
            SortCall::Select { .. } => "select",
            SortCall::Search { .. } => "searchsorted",
        }
    }
}
