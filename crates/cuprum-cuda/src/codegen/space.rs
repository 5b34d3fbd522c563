//! Iteration spaces: the axes that a kernel walks, outermost first, with the byte step of every operand along each.

use smallvec::SmallVec;

/// Axes with every operand's steps; axes of length one are left out, and neighbours that all operands walk in one
/// stride are one axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Space {
    /// The lengths.
    pub(super) dims: SmallVec<[usize; 6]>,
    /// `steps[axis * operands + operand]`.
    steps: SmallVec<[isize; 24]>,
    operands: usize,
}

impl Space {
    /// The axes of `shape` in `order`; `step(operand, axis)` belongs to the axes as they are in `shape`.
    pub(super) fn of(
        shape: &[usize],
        order: impl Iterator<Item = usize>,
        operands: usize,
        step: impl Fn(usize, usize) -> isize,
    ) -> Space {
        let mut space = Space { operands, ..Space::default() };
        for axis in order {
            let dim = shape[axis];
            if dim == 1 {
                continue;
            }
            let outer = space.steps.len().wrapping_sub(operands);
            let merges = !space.dims.is_empty()
                && (0..operands).all(|o| space.steps[outer + o] == dim as isize * step(o, axis));
            if merges {
                *space.dims.last_mut().expect("there is an axis to merge with") *= dim;
                for operand in 0..operands {
                    space.steps[outer + operand] = step(operand, axis);
                }
            } else {
                space.dims.push(dim);
                space.steps.extend((0..operands).map(|o| step(o, axis)));
            }
        }
        space
    }

    /// The number of axes.
    pub(super) fn ndim(&self) -> usize {
        self.dims.len()
    }

    /// The number of positions.
    pub(super) fn size(&self) -> usize {
        self.dims.iter().product()
    }

    /// The length of the innermost axis; one where there is none.
    pub(super) fn inner(&self) -> usize {
        self.dims.last().copied().unwrap_or(1)
    }

    /// The step of an operand along an axis.
    pub(super) fn step(&self, operand: usize, axis: usize) -> isize {
        self.steps[axis * self.operands + operand]
    }

    /// The step of an operand along the innermost axis; zero where there is none.
    pub(super) fn inner_step(&self, operand: usize) -> isize {
        self.ndim().checked_sub(1).map_or(0, |axis| self.step(operand, axis))
    }

    /// Whether an operand stays where it is.
    pub(super) fn is_fixed(&self, operand: usize) -> bool {
        (0..self.ndim()).all(|axis| self.step(operand, axis) == 0)
    }

    /// Whether an operand moves by multiples of `bytes` along every axis but the innermost.
    pub(super) fn is_outer_multiple(&self, operand: usize, bytes: usize) -> bool {
        (1..self.ndim()).all(|axis| self.step(operand, axis - 1) % bytes as isize == 0)
    }

    /// Whether an operand moves by multiples of `bytes` along every axis.
    pub(super) fn is_multiple(&self, operand: usize, bytes: usize) -> bool {
        (0..self.ndim()).all(|axis| self.step(operand, axis) % bytes as isize == 0)
    }

    /// Adds axes of length one in front, up to a number of axes.
    pub(super) fn pad_to(&mut self, axes: usize) {
        let missing = axes.saturating_sub(self.ndim());
        self.dims.insert_many(0, std::iter::repeat_n(1, missing));
        self.steps.insert_many(0, std::iter::repeat_n(0, missing * self.operands));
    }

    /// Puts an axis innermost, the others keeping their order.
    pub(super) fn move_inside(&mut self, axis: usize) {
        let n = self.operands;
        self.dims[axis..].rotate_left(1);
        self.steps[axis * n..].rotate_left(n);
    }

    /// The axes before `axis`, and the others.
    pub(super) fn split(&self, axis: usize) -> (Space, Space) {
        let n = self.operands;
        let part = |axes: std::ops::Range<usize>| Space {
            dims: SmallVec::from_slice(&self.dims[axes.clone()]),
            steps: SmallVec::from_slice(&self.steps[axes.start * n..axes.end * n]),
            operands: n,
        };
        (part(0..axis), part(axis..self.ndim()))
    }

    /// The largest step of any operand, in absolute value.
    pub(super) fn longest_step(&self) -> usize {
        self.steps.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_one_stride_are_one_axis() {
        let strides = [[48, 16, 8], [24, 8, 4]];
        let space = Space::of(&[5, 3, 2], 0..3, 2, |o, a| strides[o][a]);
        assert_eq!(space.dims.as_slice(), &[30]);
        assert_eq!((space.step(0, 0), space.step(1, 0)), (8, 4));
    }

    #[test]
    fn a_broadcast_operand_keeps_axes_apart() {
        let strides = [[24, 8, 4], [0, 8, 4]];
        let space = Space::of(&[5, 3, 2], 0..3, 2, |o, a| strides[o][a]);
        assert_eq!(space.dims.as_slice(), &[5, 6]);
        assert_eq!((space.step(0, 0), space.step(1, 0), space.step(1, 1)), (24, 0, 4));
    }

    #[test]
    fn axes_of_length_one_do_not_count() {
        let space = Space::of(&[1, 7, 1], 0..3, 1, |_, a| [999, 4, 123][a]);
        assert_eq!(space.dims.as_slice(), &[7]);
        assert!(Space::of(&[1, 1], 0..2, 1, |_, _| 3).is_fixed(0));
    }
}
