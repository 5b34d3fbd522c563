//! Iteration spaces: the axes of a Program, reordered, merged, and split into fixed and inner ones.

use cuprum_core::Dims;
use smallvec::SmallVec;

/// Steps of one operand along the axes of a space.
pub(crate) type Steps = SmallVec<[isize; 4]>;

/// Axes from outermost to innermost with every operand's steps along them.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) dims: Dims,
    /// `steps[operand][axis]`.
    pub(crate) steps: SmallVec<[Steps; 8]>,
}

impl Space {
    /// The axes of `shape` in the given order; `strides[operand]` belongs to the axes as they were.
    pub(crate) fn new(shape: &[usize], order: &[usize], strides: &[&[isize]]) -> Space {
        Space {
            dims: order.iter().map(|&a| shape[a]).collect(),
            steps: strides.iter().map(|s| order.iter().map(|&a| s[a]).collect()).collect(),
        }
    }

    /// Drops axes of length one and merges neighbours that every operand walks in one stride.
    pub(crate) fn collapse(&mut self) {
        let mut axis = 0;
        while axis < self.dims.len() {
            if self.dims[axis] == 1 {
                self.remove(axis);
            } else if axis > 0 && self.merges(axis) {
                self.dims[axis] *= self.dims[axis - 1];
                self.remove(axis - 1);
            } else {
                axis += 1;
            }
        }
    }

    fn merges(&self, axis: usize) -> bool {
        let inner = self.dims[axis] as isize;
        self.steps.iter().all(|s| s[axis - 1] == inner * s[axis])
    }

    fn remove(&mut self, axis: usize) {
        self.dims.remove(axis);
        for steps in &mut self.steps {
            steps.remove(axis);
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.dims.iter().product()
    }

    /// The byte offset of each operand at a position counted through the axes.
    pub(crate) fn offsets(&self, position: usize, offsets: &mut [isize]) {
        if self.dims.len() == 1 {
            for (offset, steps) in offsets.iter_mut().zip(&self.steps) {
                *offset = position as isize * steps[0];
            }
            return;
        }
        offsets.fill(0);
        let mut rest = position;
        for axis in (0..self.dims.len()).rev() {
            // The outermost axis has no other to carry to.
            let at = if axis == 0 { rest } else { rest % self.dims[axis] } as isize;
            rest = if axis == 0 { 0 } else { rest / self.dims[axis] };
            for (offset, steps) in offsets.iter_mut().zip(&self.steps) {
                *offset += at * steps[axis];
            }
        }
    }

    /// The byte offset of one operand at a position counted through the axes.
    pub(crate) fn offset(&self, operand: usize, position: usize) -> isize {
        let mut rest = position;
        let axes = self.dims.iter().zip(&self.steps[operand]).rev();
        axes.fold(0, |offset, (&dim, &step)| {
            let at = rest % dim;
            rest /= dim;
            offset + at as isize * step
        })
    }

    /// The outer axes up to `axis`, and the inner ones from it on.
    pub(crate) fn split(&self, axis: usize) -> (Space, Space) {
        let part = |range: std::ops::Range<usize>| Space {
            dims: Dims::from_slice(&self.dims[range.clone()]),
            steps: self.steps.iter().map(|s| Steps::from_slice(&s[range.clone()])).collect(),
        };
        (part(0..axis), part(axis..self.dims.len()))
    }
}
