//! Operands of products as BLAS takes them, and the axes of a batch.

use cuprum_core::{Layout, Result};
use cuprum_graph::Slot;
use smallvec::SmallVec;

use crate::session::Session;

/// A stack of matrices in which one axis of a matrix has steps of one element.
pub(super) struct BlasOperand {
    pub(super) slot: Slot,
    /// Whether elements of a row lie side by side, else those of a column.
    pub(super) by_rows: bool,
    /// Elements from one row (or column) to the next.
    pub(super) step: i64,
}

impl BlasOperand {
    /// The slot itself where BLAS can read it, else a copy, without the repetitions of a broadcast.
    pub(super) fn new(session: &Session, slot: &Slot) -> Result<BlasOperand> {
        if let Some(operand) = BlasOperand::in_place(session, slot) {
            return Ok(operand);
        }
        let batch = slot.layout.ndim() - 2;
        let mut once = slot.clone();
        for axis in 0..batch {
            if once.layout.strides[axis] == 0 {
                once.layout.shape[axis] = 1;
            }
        }
        let mut copy = session.new_slot(&once.layout.shape, slot.dtype)?;
        session.copy(&once, &copy)?;
        for axis in 0..batch {
            if slot.layout.strides[axis] == 0 {
                copy.layout.strides[axis] = 0;
                copy.layout.shape[axis] = slot.layout.shape[axis];
            }
        }
        let step = copy.layout.shape[batch + 1].max(1) as i64;
        Ok(BlasOperand { slot: copy, by_rows: true, step })
    }

    /// The slot as it is, where BLAS can read and write it so.
    pub(super) fn in_place(session: &Session, slot: &Slot) -> Option<BlasOperand> {
        if !is_whole(session, slot) {
            return None;
        }
        let (at, size) = (slot.layout.ndim() - 2, slot.dtype.size() as isize);
        let lengths = [slot.layout.shape[at] as isize, slot.layout.shape[at + 1] as isize];
        let steps = [slot.layout.strides[at] / size, slot.layout.strides[at + 1] / size];
        // `inner` is the axis of unit steps, `outer` the one of leading dimensions.
        let fits = |outer: usize, inner: usize| {
            let inner_fits = steps[inner] == 1 || lengths[inner] == 1;
            let outer_fits = steps[outer] >= lengths[inner].max(1) || lengths[outer] == 1;
            let step = if lengths[outer] == 1 { lengths[inner].max(1) } else { steps[outer] };
            (inner_fits && outer_fits).then_some(step as i64)
        };
        let (by_rows, step) = match (fits(0, 1), fits(1, 0)) {
            (Some(step), _) => (true, step),
            (None, Some(step)) => (false, step),
            _ => return None,
        };
        Some(BlasOperand { slot: slot.clone(), by_rows, step })
    }

    /// The step from one element to the next of a matrix that is one row or one column.
    pub(super) fn vector_step(&self, is_row: bool) -> i64 {
        if is_row == self.by_rows { 1 } else { self.step }
    }
}

/// Whether strides can be counted in elements, none of them backwards, from an aligned address.
fn is_whole(session: &Session, slot: &Slot) -> bool {
    let size = slot.dtype.size();
    session.address(slot).is_multiple_of(size)
        && slot.layout.strides.iter().all(|&s| s >= 0 && (s as usize).is_multiple_of(size))
}

/// An axis of a batch: its length, and the bytes from one matrix to the next in each operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BatchAxis {
    pub(super) length: usize,
    pub(super) steps: [isize; 3],
}

/// The batch axes of a product, outermost first, as few as the strides allow.
pub(super) fn batch_axes(layouts: [&Layout; 3]) -> SmallVec<[BatchAxis; 4]> {
    let mut axes: SmallVec<[BatchAxis; 4]> = SmallVec::new();
    for axis in 0..layouts[2].ndim() - 2 {
        let inner =
            BatchAxis { length: layouts[2].shape[axis], steps: layouts.map(|layout| layout.strides[axis]) };
        if inner.length == 1 {
            continue;
        }
        match axes.last_mut() {
            Some(outer) if (0..3).all(|i| outer.steps[i] == inner.steps[i] * inner.length as isize) => {
                outer.length *= inner.length;
                outer.steps = inner.steps;
            }
            _ => axes.push(inner),
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_axes_join_where_steps_agree() {
        let a = Layout::contiguous(&[2, 3, 4, 5], 8);
        let axes = batch_axes([&a, &a, &a]);
        assert_eq!(axes.as_slice(), &[BatchAxis { length: 6, steps: [160; 3] }]);
        let one = Layout::contiguous(&[3, 4, 5], 8).broadcast_to("matmul", &[2, 3, 4, 5]).unwrap();
        let axes = batch_axes([&one, &a, &a]);
        assert_eq!(axes.len(), 2);
        assert_eq!(axes[0], BatchAxis { length: 2, steps: [0, 480, 480] });
        let none = Layout::contiguous(&[1, 4, 5], 8);
        assert!(batch_axes([&none, &none, &none]).is_empty());
    }
}
