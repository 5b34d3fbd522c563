//! Recursive filters: linear recurrences along an axis.

use super::Slot;

/// Rational filters along an axis, one after the other, in direct form II transposed. With `z` the state of a line, each
/// sample `x` gives `y = z[0] + b[0] * x`, and then `z[i] = (z[i + 1] + b[i + 1] * x) - a[i + 1] * y`, where `z[order]` is
/// zero. Nothing is fused.
///
/// Elements are computed in `f64` or, with complex coefficients, `c128`, and rounded once. A line may be cut into parts
/// whose lengths follow from the shape alone: the state at a part's start is carried over by a power of the transition
/// matrix, taken in twice the precision.
#[derive(Clone, Copy, Debug)]
pub struct RecurrenceCall<'a> {
    /// The numerators: shape (sections, order + 1), `F64` or `C128`.
    pub b: &'a Slot,
    /// The denominators, of the same shape and dtype; each begins with one.
    pub a: &'a Slot,
    /// The samples: `F32` or `F64` with real coefficients, `C64` or `C128` with complex ones.
    pub input: &'a Slot,
    /// The states before the lines: shape (sections, lines, order), of the dtype of `b`, lines in C order.
    pub state: &'a Slot,
    /// The result, of the input's shape and dtype.
    pub out: &'a Slot,
    /// The states after the lines.
    pub last: &'a Slot,
    /// The axis.
    pub axis: usize,
}

impl RecurrenceCall<'_> {
    /// The number of filters that follow each other.
    pub fn sections(&self) -> usize {
        self.b.layout.shape[0]
    }

    /// The number of delays of each.
    pub fn order(&self) -> usize {
        self.b.layout.shape[1] - 1
    }

    pub(super) fn slots(&self) -> Vec<&Slot> {
        vec![self.b, self.a, self.input, self.state, self.out, self.last]
    }
}
