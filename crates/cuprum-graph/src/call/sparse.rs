//! Sparse matrices in compressed rows.

use super::Slot;

/// `out[i, j]` is the sum of `values[k] * x[columns[k], j]` for `k` from `starts[i]` up to `starts[i + 1]`. On the CPU the
/// products of a row are added in that order; on a GPU lanes share a row, and their number follows from the mean length of
/// rows. Truth is "any of both are". A structure that leads outside of its arrays is `Error::Value` on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SparseProductCall<'a> {
    /// Where each row begins, and the end of the last one: one axis of int32 or int64.
    pub starts: &'a Slot,
    /// The column of each element, of the same dtype.
    pub columns: &'a Slot,
    /// As many elements.
    pub values: &'a Slot,
    /// Two axes; the dtype of the values.
    pub x: &'a Slot,
    /// Two axes, one row for each of the matrix; the dtype of the values.
    pub out: &'a Slot,
}

impl SparseProductCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        vec![self.starts, self.columns, self.values, self.x, self.out]
    }
}
