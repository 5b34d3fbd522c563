//! Evaluating several short rows at a time: the overhead of a block is shared by its rows, and operands that are dense
//! along a row are read in place.

use cuprum_graph::Reg;
use smallvec::SmallVec;

use super::evaluate::{BROADCAST_BLOCK_BYTES, Evaluator};
use super::{BoundProgram, RegisterPlace, Step, StepRun};
use crate::access::{copy_from_strided, fill, gather, scatter};
use crate::space::Space;

/// The rows of a register: where the first one is, and the step from one to the next.
#[derive(Clone, Copy)]
struct Rows {
    first: *mut u8,
    step: isize,
}

impl Rows {
    fn row(self, row: usize) -> *mut u8 {
        self.first.wrapping_offset(row as isize * self.step)
    }
}

impl BoundProgram<'_> {
    /// How many rows of the inner space are evaluated at a time; one where rows are long, or are written past the caches.
    pub(super) fn rows_together(&self, fixed: &Space, inner: &Space) -> usize {
        let length = inner.size();
        let is_short = length * self.widest() <= BROADCAST_BLOCK_BYTES;
        if fixed.dims.is_empty() || !is_short || self.stores.iter().any(|store| store.streamed) {
            return 1;
        }
        (self.block_elements(inner) / length).clamp(1, fixed.dims[fixed.dims.len() - 1])
    }
}

impl Evaluator<'_, '_> {
    /// Evaluates whole rows of the inner space, from a position of the fixed one on, and stores outputs. The rows are neighbours
    /// along the last fixed axis.
    pub(super) fn eval_rows(&mut self, position: usize, rows: usize) {
        let length = self.inner.size();
        self.bounds.check_rows(position, rows);
        if rows == 1 || self.copied.is_some() {
            return (position..position + rows).for_each(|at| self.eval(at, 0, length));
        }
        let kernel = self.kernel;
        self.fixed.offsets(position, &mut self.offsets);
        let mut registers: SmallVec<[Rows; 16]> = SmallVec::with_capacity(kernel.places.len());
        for reg in 0..kernel.places.len() {
            let of_register = self.rows_of(reg, rows, length);
            registers.push(of_register);
        }
        for (number, step) in kernel.steps.iter().enumerate() {
            // SAFETY: every register has memory for its rows, by `rows_of`.
            unsafe {
                if self.is_flat(step, &registers, length) {
                    self.run_flat(step, &registers, rows * length, self.most[number]);
                } else {
                    (0..rows).for_each(|row| run_row(step, &registers, row, length));
                }
            }
        }
        for (number, store) in kernel.stores.iter().enumerate() {
            if kernel.places[store.reg as usize] == RegisterPlace::Direct(number) {
                continue;
            }
            let operand = &kernel.operands[store.operand];
            let source = registers[store.reg as usize];
            let target = self.operand_rows(store.operand);
            for row in 0..rows {
                let (source, target) = (source.row(row), target.row(row));
                // SAFETY: the operand's rows lie in its buffer, and those of the register hold as many elements.
                unsafe {
                    if !self.dense[store.operand] {
                        let steps = &self.inner.steps[store.operand];
                        scatter(target, &self.inner.dims, steps, operand.size, 0, length, source);
                    } else if kernel.places[store.reg as usize] == RegisterPlace::Param {
                        fill(target, std::slice::from_raw_parts(source, operand.size), length);
                    } else {
                        std::ptr::copy(source, target, length * operand.size);
                    }
                }
            }
        }
    }

    /// An operand's own rows, from those of the offsets on.
    fn operand_rows(&self, at: usize) -> Rows {
        let first = self.kernel.operands[at].base.get().wrapping_offset(self.offsets[at]);
        Rows { first, step: self.fixed.steps[at].last().copied().unwrap_or(0) }
    }

    /// Where a register's rows are; those of inputs that are not dense along a row are put into its block.
    fn rows_of(&mut self, reg: usize, rows: usize, length: usize) -> Rows {
        let in_block = Rows { first: self.pointers[reg], step: (length * self.kernel.sizes[reg]) as isize };
        match self.kernel.places[reg] {
            RegisterPlace::Inside => Rows { first: std::ptr::null_mut(), step: 0 },
            RegisterPlace::Param => Rows { step: 0, ..in_block },
            RegisterPlace::Temp => in_block,
            RegisterPlace::Direct(store) => self.operand_rows(self.kernel.stores[store].operand),
            RegisterPlace::Iota(at) => {
                let step = self.fixed.steps[at].last().copied().unwrap_or(0);
                let first = self.offsets[at];
                for row in 0..rows {
                    self.offsets[at] = first + row as isize * step;
                    self.pointers[reg] = in_block.row(row);
                    self.count_positions(reg, at, 0, length);
                }
                self.pointers[reg] = in_block.first;
                in_block
            }
            RegisterPlace::Input(at) => self.rows_of_input(reg, at, rows, length, in_block),
        }
    }

    fn rows_of_input(&mut self, reg: usize, at: usize, rows: usize, length: usize, in_block: Rows) -> Rows {
        let source = self.operand_rows(at);
        let size = self.kernel.operands[at].size;
        let is_constant = self.is_constant(at);
        if self.dense[at] || is_constant && self.single[reg] {
            return source;
        }
        if source.step == 0 && self.filled[at] == source.first as usize {
            return Rows { step: 0, ..in_block };
        }
        let count = if source.step == 0 { 1 } else { rows };
        // A step may run over equal elements of all rows at once.
        let whole = self.slot_lines * 64 / self.kernel.widest();
        let equal = if source.step == 0 { whole } else { length };
        for row in 0..count {
            let (first, block) = (source.row(row), in_block.row(row));
            // SAFETY: the row lies in the input's buffer, and the block has room for all rows.
            unsafe {
                if is_constant {
                    copy_from_strided(first, 0, block, equal, size);
                } else {
                    gather(first, &self.inner.dims, &self.inner.steps[at], size, 0, length, block);
                }
            }
        }
        // A row that is the same for all is there once.
        self.filled[at] = if source.step == 0 { source.first as usize } else { 0 };
        Rows { step: if source.step == 0 { 0 } else { in_block.step }, ..in_block }
    }

    /// Whether a step's rows follow each other in every register that it reads or writes, so that it runs over all at once.
    fn is_flat(&self, step: &Step, registers: &[Rows], length: usize) -> bool {
        let follows = |reg: usize| registers[reg].step == (length * self.kernel.sizes[reg]) as isize;
        let is_one = |reg: usize| self.is_broadcast[reg] && registers[reg].step == 0;
        let written = match step.run {
            StepRun::One(_) => follows(step.dst as usize),
            StepRun::Two(_, twin, _) => follows(step.dst as usize) && follows(twin as usize),
        };
        let read = |&reg: &Reg| {
            // Of a scalar operand the first element is read alone: it is that of one row.
            let is_scalar = step.has_scalar_operands && reg != step.args[0];
            is_one(reg as usize) || (!is_scalar && follows(reg as usize))
        };
        written && step.args.iter().all(read)
    }

    /// Runs a step over `n` elements that follow each other, at most `most` at a time.
    ///
    /// # Safety
    /// Every register has memory for so many; blocks of equal elements have at least `most`, or the one that is read.
    unsafe fn run_flat(&self, step: &Step, registers: &[Rows], n: usize, most: usize) {
        let element = |reg: Reg, at: usize| {
            let rows = registers[reg as usize];
            rows.first.wrapping_add(if rows.step == 0 { 0 } else { at * self.kernel.sizes[reg as usize] })
        };
        for at in (0..n).step_by(most) {
            // SAFETY: the caller's promise.
            unsafe { run(step, most.min(n - at), |reg| element(reg, at)) };
        }
    }
}

/// Runs a step over one row.
///
/// # Safety
/// Every register that the step reads or writes has memory for the row.
unsafe fn run_row(step: &Step, registers: &[Rows], row: usize, length: usize) {
    // SAFETY: the caller's promise.
    unsafe { run(step, length, |reg| registers[reg as usize].row(row)) };
}

/// Runs a step over `n` elements of its registers, each from a place on.
///
/// # Safety
/// The places have memory for so many elements of the dtypes that the lane was chosen for; what is written is exactly a source or
/// apart from all of them.
#[inline]
unsafe fn run(step: &Step, n: usize, place: impl Fn(Reg) -> *mut u8) {
    let src = step.args.map(|reg| place(reg).cast_const());
    match step.run {
        // SAFETY: the caller's promise.
        StepRun::One(lane) => unsafe { lane(n, place(step.dst), src) },
        StepRun::Two(lane, twin, turned) => {
            let (dst, twin) = (place(step.dst), place(twin));
            let dst = if turned { [dst, twin] } else { [twin, dst] };
            // SAFETY: as above, for both results.
            unsafe { lane(n, dst, src[0]) };
        }
    }
}
