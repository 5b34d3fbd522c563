//! Counting: how often each number occurs, and how many values lie between edges.

use super::Slot;

/// Counts and weighted sums by bin. Sums are taken in float64: of blocks of elements whose size follows from the number of
/// elements and bins alone, within a block in index order, and the blocks' sums are added in order.
#[derive(Clone, Copy, Debug)]
pub enum CountCall<'a> {
    /// `out[v]` is how many of the values are `v`, or the sum of their weights. Negative numbers are no values; those
    /// beyond `out` count nowhere.
    Occurrences {
        /// One axis of integers of any size, none negative (their bits are read as unsigned).
        values: &'a Slot,
        /// As many float64.
        weights: Option<&'a Slot>,
        /// One axis of int64, with weights of float64.
        out: &'a Slot,
    },
    /// `out[i]` is how many of the values lie in `edges[i] <= value < edges[i + 1]`, the last edge included, or the
    /// sum of their weights. NaN lies nowhere.
    Histogram {
        /// One axis of int64, uint64, float32 or float64.
        values: &'a Slot,
        /// One axis of the same dtype, not decreasing; one more than there are bins.
        edges: &'a Slot,
        /// A weight for each value: float64, or int64 with sums that wrap around.
        weights: Option<&'a Slot>,
        /// One axis of int64, or of the dtype of the weights.
        out: &'a Slot,
    },
}

impl CountCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        match self {
            CountCall::Occurrences { values, weights, out } => {
                [*values, *out].into_iter().chain(*weights).collect()
            }
            CountCall::Histogram { values, edges, weights, out } => {
                [*values, *edges, *out].into_iter().chain(*weights).collect()
            }
        }
    }

    /// The name that errors and logs use.
    pub fn name(&self) -> &'static str {
        match self {
            CountCall::Occurrences { .. } => "bincount",
            CountCall::Histogram { .. } => "histogram",
        }
    }
}
