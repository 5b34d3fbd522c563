//! One walk over rows of a Program along rows: what is computed once for each row, then what is computed for each element and
//! reduced.

use cuprum_graph::Reg;
use smallvec::SmallVec;

use super::{ReductionPart, join_parts};
use crate::block::{BoundProgram, CacheLine, Evaluator, REDUCTION_BLOCK, Scratch};
use crate::space::Space;

/// One walk over rows.
pub(super) struct Walk<'a> {
    pub(super) per_row: Option<RowKernel<'a>>,
    pub(super) elements: Option<ElementKernel<'a>>,
}

/// What is computed once for each row.
pub(super) struct RowKernel<'a> {
    pub(super) kernel: BoundProgram<'a>,
    pub(super) fixed: Space,
    pub(super) inner: Space,
}

impl RowKernel<'_> {
    pub(super) fn run(&self, first: usize, rows: usize) {
        let block = self.kernel.block_elements(&self.inner).min(rows);
        let mut evaluator = Evaluator::new(&self.kernel, &self.fixed, &self.inner, block);
        for start in (0..rows).step_by(block) {
            evaluator.eval(0, first + start, block.min(rows - start));
        }
    }
}

/// What is computed for each element, and reduced.
pub(super) struct ElementKernel<'a> {
    pub(super) kernel: BoundProgram<'a>,
    pub(super) fixed: Space,
    pub(super) inner: Space,
    pub(super) parts: SmallVec<[ReductionPart; 2]>,
    pub(super) block: usize,
    /// Whether several rows are evaluated as one block: the inner space then has all of them.
    pub(super) is_short: bool,
    /// The operands that lie in a task's own memory, with their registers and the bytes of an element.
    pub(super) carried: SmallVec<[(usize, Reg, usize); 4]>,
}

impl ElementKernel<'_> {
    /// Puts operands into a task's own memory, such that the element with number `first` is the first there.
    ///
    /// # Safety
    /// The places have memory for all elements that are evaluated until operands are put elsewhere.
    pub(super) unsafe fn place(
        &self,
        kernel: &mut BoundProgram<'_>,
        places: &[(Reg, *mut u8)],
        first: usize,
    ) {
        for &(operand, reg, size) in &self.carried {
            let place = places.iter().find(|(known, _)| *known == reg).expect("what is carried has a place");
            // SAFETY: the caller's promise: elements from `first` on lie at the place.
            unsafe { kernel.move_operand(operand, place.1.wrapping_sub(first * size)) };
        }
    }

    pub(super) fn run(&self, kernel: &BoundProgram<'_>, first: usize, rows: usize, length: usize) {
        match (self.parts.is_empty(), self.is_short) {
            (true, true) => {
                let block = self.block.min(rows * length);
                let mut evaluator = Evaluator::new(kernel, &self.fixed, &self.inner, block);
                for start in (0..rows * length).step_by(block) {
                    evaluator.eval(0, first * length + start, block.min(rows * length - start));
                }
            }
            (true, false) => {
                let block = self.block.min(length);
                let mut evaluator = Evaluator::new(kernel, &self.fixed, &self.inner, block);
                for row in first..first + rows {
                    for start in (0..length).step_by(block) {
                        evaluator.eval(row, start, block.min(length - start));
                    }
                }
            }
            (false, true) => self.reduce_short(kernel, first, rows, length),
            (false, false) => self.reduce_long(kernel, first, rows, length),
        }
    }

    fn regs(&self) -> SmallVec<[Reg; 2]> {
        self.parts.iter().map(|part| part.reg).collect()
    }

    /// Memory for `count` states of each reduction.
    fn states(&self, count: usize) -> SmallVec<[Scratch; 2]> {
        let lines = |part: &ReductionPart| (count * part.reducer.state_size).div_ceil(size_of::<CacheLine>());
        self.parts.iter().map(|part| Scratch::new(lines(part))).collect()
    }

    /// Several rows as one block, each in the pattern that it has alone.
    fn reduce_short(&self, kernel: &BoundProgram<'_>, first: usize, rows: usize, length: usize) {
        let together = (REDUCTION_BLOCK / length).min(rows);
        let regs = self.regs();
        let mut states = self.states(together);
        let mut evaluator = Evaluator::new(kernel, &self.fixed, &self.inner, together * length);
        for start in (first..first + rows).step_by(together) {
            let count = together.min(first + rows - start);
            evaluator.eval_whole(0, start * length, count * length, &regs);
            for (part, states) in self.parts.iter().zip(&mut states) {
                // SAFETY: the block holds `count` rows, each of which has a state and a place for its result.
                unsafe {
                    let state = states.at(0);
                    part.reducer.blocks(evaluator.pointer(part.reg), length, part.size, count, state);
                    part.write(state, start, count);
                }
            }
        }
    }

    /// Row by row, in chunks of a block and a tree over these.
    fn reduce_long(&self, kernel: &BoundProgram<'_>, first: usize, rows: usize, length: usize) {
        let chunks = length.div_ceil(REDUCTION_BLOCK);
        let regs = self.regs();
        let mut states = self.states(chunks);
        let mut evaluator = Evaluator::new(kernel, &self.fixed, &self.inner, REDUCTION_BLOCK.min(length));
        for row in first..first + rows {
            for chunk in 0..chunks {
                let start = chunk * REDUCTION_BLOCK;
                let n = REDUCTION_BLOCK.min(length - start);
                evaluator.eval_whole(row, start, n, &regs);
                for (part, states) in self.parts.iter().zip(&mut states) {
                    // SAFETY: the block holds `n` elements, and every chunk has a state.
                    unsafe {
                        let state = states.at(0).add(chunk * part.reducer.state_size);
                        (part.reducer.block)(evaluator.pointer(part.reg), n, start, state);
                    }
                }
            }
            for (part, states) in self.parts.iter().zip(&mut states) {
                let (state, size) = (states.at(0), part.reducer.state_size);
                // SAFETY: all states of the row have been made, and its result has a place.
                unsafe {
                    join_parts(&part.reducer, chunks, 1, |at| state.add(at * size));
                    part.write(state, row, 1);
                }
            }
        }
    }
}
