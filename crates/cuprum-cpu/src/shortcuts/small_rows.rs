//! Small elementwise nodes over rows: where operands and result lie dense along the innermost axis, or stay one element there, a lane
//! runs over each row where it is, and nothing is gathered.

use std::mem::MaybeUninit;

use cuprum_core::{DType, Op, SimdLevel};

use super::small::{MAX_AXES, SmallOperand, SmallWalk};
use crate::access::copy_from_strided;
use cuprum_lanes::{self as lanes, Lane};

/// Rows of fewer elements are gathered, several into one block: a lane's call costs as much as some 40 elements.
const ROW_MIN: usize = 48;
/// Elements of an operand's block of equal ones.
const BLOCK_ELEMENTS: usize = 256;

/// What is done with a row.
#[derive(Clone, Copy)]
enum RowStep {
    /// Its bytes are copied.
    Copy,
    /// One lane; operands that are one element along the row have a block of equal ones.
    Lane(Lane),
    /// A lane of one array, the operand of that number, and one element.
    WithScalar(Lane, usize),
}

/// An elementwise node as a walk over rows.
pub(super) struct RowWalk<'w> {
    walk: &'w SmallWalk<4>,
    step: RowStep,
    count: usize,
    bases: [*const u8; 3],
    /// Bytes of an element of each operand.
    sizes: [usize; 3],
    /// Whether each operand is one element along a row.
    stays: [bool; 3],
    result: *mut u8,
    /// Bytes of an element of the result.
    size: usize,
}

impl<'w> RowWalk<'w> {
    /// The walk of an op (of a conversion, where there is none) over these operands; `None` where something does not lie in rows.
    pub(super) fn new(
        walk: &'w SmallWalk<4>,
        operands: &[SmallOperand<'_>],
        op: Option<(Op, DType, Lane)>,
        (result, size): (usize, usize),
        level: SimdLevel,
    ) -> Option<RowWalk<'w>> {
        let (last, count) = (walk.dims().len().checked_sub(1)?, operands.len());
        if last == 0 || walk.dims()[last] < ROW_MIN {
            return None;
        }
        // An element at a time, each where it may be read as one.
        let is_aligned = |address: usize, steps: &[isize], size: usize| {
            address.is_multiple_of(size) && steps.iter().all(|step| step % size as isize == 0)
        };
        if walk.steps(3)[last] != size as isize || !is_aligned(result, walk.steps(3), size) {
            return None;
        }
        let (mut bases, mut sizes, mut stays) = ([std::ptr::null(); 3], [0; 3], [false; 3]);
        for (i, operand) in operands.iter().enumerate() {
            let steps = walk.steps(i);
            stays[i] = steps[last] == 0;
            if !(stays[i] || steps[last] == operand.size as isize)
                || !is_aligned(operand.base as usize, steps, operand.size)
                || (op.is_some() && operand.cast.is_some())
            {
                return None;
            }
            (bases[i], sizes[i]) = (operand.base, operand.size);
        }
        let step = match (op, operands) {
            (None, [_]) if stays[0] => return None,
            (None, [operand]) => operand.cast.map_or(RowStep::Copy, RowStep::Lane),
            (Some((op, dtype, lane)), _) => {
                let array = (0..2).find(|&i| !stays[i] && stays[1 - i]).filter(|_| count == 2);
                let with_scalar =
                    array.and_then(|array| Some((lanes::with_scalar(op, array, dtype, level)?, array)));
                with_scalar.map_or(RowStep::Lane(lane), |(lane, array)| RowStep::WithScalar(lane, array))
            }
            (None, _) => return None,
        };
        Some(RowWalk { walk, step, count, bases, sizes, stays, result: result as *mut u8, size })
    }

    /// Computes all rows.
    ///
    /// # Safety
    /// Every operand has the elements of the walk, and there is memory for those of the result, which are an operand's own or apart.
    pub(super) unsafe fn run(&self) {
        let dims = self.walk.dims();
        let (last, rows) = (dims.len() - 1, dims[..dims.len() - 1].iter().product::<usize>());
        let length = dims[last];
        let (mut sources, mut target) = (self.bases, self.result);
        let mut position = [0; MAX_AXES];
        let mut blocks = [const { [const { MaybeUninit::<u128>::uninit() }; BLOCK_ELEMENTS] }; 3];
        let mut filled = [std::ptr::null(); 3];
        for _ in 0..rows {
            // SAFETY: the row lies in every operand and in the result; blocks hold a piece of equal elements.
            unsafe {
                match self.step {
                    RowStep::Copy => std::ptr::copy(sources[0], target, length * self.size),
                    RowStep::WithScalar(lane, array) => {
                        let scalar = sources[1 - array];
                        lane(length, target, [sources[array], scalar, scalar]);
                    }
                    RowStep::Lane(lane) if !self.stays.contains(&true) => lane(length, target, sources),
                    RowStep::Lane(lane) => {
                        for i in (0..self.count).filter(|&i| self.stays[i]) {
                            if filled[i] != sources[i] {
                                let count = BLOCK_ELEMENTS.min(length);
                                let block = blocks[i].as_mut_ptr().cast();
                                copy_from_strided(sources[i], 0, block, count, self.sizes[i]);
                                filled[i] = sources[i];
                            }
                        }
                        for at in (0..length).step_by(BLOCK_ELEMENTS) {
                            let piece = std::array::from_fn(|i| match self.stays[i] {
                                true => blocks[i].as_ptr().cast(),
                                false => sources[i].wrapping_add(at * self.sizes[i]),
                            });
                            lane(BLOCK_ELEMENTS.min(length - at), target.add(at * self.size), piece);
                        }
                    }
                }
            }
            for axis in (0..last).rev() {
                position[axis] += 1;
                let back = if position[axis] == dims[axis] { dims[axis] as isize } else { 0 };
                let step = |operand: usize| (1 - back) * self.walk.steps(operand)[axis];
                for (i, source) in sources[..self.count].iter_mut().enumerate() {
                    *source = source.wrapping_offset(step(i));
                }
                target = target.wrapping_offset(step(3));
                if back == 0 {
                    break;
                }
                position[axis] = 0;
            }
        }
    }
}
