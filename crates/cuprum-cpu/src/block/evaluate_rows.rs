//! Evaluating several short rows, or the same part of several long ones, at a time: the overhead of a block is shared by its rows,
//! and operands that are dense along a row are read in place.

use cuprum_graph::Reg;
use smallvec::SmallVec;

use super::evaluate::{BROADCAST_BLOCK_BYTES, Evaluator};
use super::{BoundProgram, InPlaceRows, PREFETCH_MIN_ELEMENTS, RegisterPlace, Step, StepRun};
use crate::access::{copy_from_strided, fill, gather, scatter};
use crate::space::Space;
use crate::streams::fetch_lines;

/// Elements of a part of a row, at least, so that a lane is worth its call.
const MIN_PART: usize = 128;

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

    /// How many elements of each of so many rows are evaluated at a time by [`Evaluator::eval_parts`]; `None` where that is not for
    /// this Program: something is stored on the way, or the rows are not those of a matrix.
    pub(crate) fn part_elements(&self, fixed: &Space, inner: &Space, rows: usize) -> Option<usize> {
        let is_matrix = fixed.dims.len() == 1 && inner.dims.len() == 1;
        let part =
            (self.block_elements(inner) / rows).max(MIN_PART).min(BROADCAST_BLOCK_BYTES / self.widest());
        (is_matrix && !self.stores() && !self.is_bare()).then_some(part)
    }
}

impl Evaluator<'_, '_> {
    /// Evaluates whole rows of the inner space, from a position of the fixed one on, and stores outputs. The rows are neighbours
    /// along the last fixed axis.
    pub(super) fn eval_rows(&mut self, position: usize, rows: usize) {
        let length = self.inner.size();
        self.bounds.check_rows(position, rows, 0, length);
        if rows == 1 || self.copied.is_some() {
            return (position..position + rows).for_each(|at| self.eval(at, 0, length));
        }
        let kernel = self.kernel;
        self.fixed.offsets(position, &mut self.offsets);
        let registers = self.registers(rows, 0, length);
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

    /// Evaluates `n` elements from `start` of each of several rows of a matrix, from a position of the fixed space on, for registers
    /// that are reduced: returns where the rows of each are. Nothing is stored; asks memory for the same part of the rows that follow.
    pub(crate) fn eval_parts(
        &mut self,
        (position, rows): (usize, usize),
        (start, n): (usize, usize),
        regs: &[Reg],
    ) -> SmallVec<[InPlaceRows; 2]> {
        self.bounds.check_rows(position, rows, start, n);
        let kernel = self.kernel;
        debug_assert!(!kernel.stores(), "parts of rows are reduced, not stored");
        self.fixed.offsets(position, &mut self.offsets);
        let registers = self.registers(rows, start, n);
        let from_memory = kernel.program.size() >= PREFETCH_MIN_ELEMENTS;
        for (number, step) in kernel.steps.iter().enumerate() {
            for row in 0..rows {
                if number == 0 && from_memory {
                    self.fetch_row(&registers, row + rows, n);
                }
                // SAFETY: every register has memory for its rows, by `rows_of`; blocks of equal elements have at least as many as a
                // part has.
                unsafe { run_row(step, &registers, row, n) };
            }
        }
        let rows_of = |&reg: &Reg| {
            let Rows { first, step } = registers[reg as usize];
            InPlaceRows { first, step, size: kernel.sizes[reg as usize] }
        };
        regs.iter().map(rows_of).collect()
    }

    /// Asks memory for the part of a row of each input that is read in place and has rows of its own.
    fn fetch_row(&self, registers: &[Rows], row: usize, n: usize) {
        for (reg, place) in self.kernel.places.iter().enumerate() {
            if let RegisterPlace::Input(at) = *place
                && self.dense[at]
                && registers[reg].step != 0
            {
                fetch_lines(registers[reg].row(row), (n * self.kernel.sizes[reg]).div_ceil(64));
            }
        }
    }

    /// Where the rows of all registers are, `n` elements from `start` of each, with the inputs in place.
    fn registers(&mut self, rows: usize, start: usize, n: usize) -> SmallVec<[Rows; 16]> {
        let mut registers = SmallVec::with_capacity(self.kernel.places.len());
        for reg in 0..self.kernel.places.len() {
            let of_register = self.rows_of(reg, rows, start, n);
            registers.push(of_register);
        }
        registers
    }

    /// An operand's own rows, from those of the offsets on.
    fn operand_rows(&self, at: usize) -> Rows {
        let first = self.kernel.operands[at].base.get().wrapping_offset(self.offsets[at]);
        Rows { first, step: self.fixed.steps[at].last().copied().unwrap_or(0) }
    }

    /// Where a register's rows are, `n` elements from `start` of each; those of inputs that are not dense along a row are put into
    /// its block.
    fn rows_of(&mut self, reg: usize, rows: usize, start: usize, n: usize) -> Rows {
        let in_block = Rows { first: self.pointers[reg], step: (n * self.kernel.sizes[reg]) as isize };
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
                    self.count_positions(reg, at, start, n);
                }
                self.pointers[reg] = in_block.first;
                in_block
            }
            RegisterPlace::Input(at) => self.rows_of_input((reg, at), rows, (start, n), in_block),
        }
    }

    fn rows_of_input(
        &mut self,
        (reg, at): (usize, usize),
        rows: usize,
        (start, n): (usize, usize),
        in_block: Rows,
    ) -> Rows {
        let source = self.operand_rows(at);
        let size = self.kernel.operands[at].size;
        let is_constant = self.is_constant(at);
        if self.dense[at] {
            return Rows { first: source.first.wrapping_add(start * size), ..source };
        }
        if is_constant && self.single[reg] {
            return source;
        }
        if source.step == 0 && self.filled[at] == source.first as usize {
            return Rows { step: 0, ..in_block };
        }
        let count = if source.step == 0 { 1 } else { rows };
        // A step may run over equal elements of all rows at once.
        let whole = self.slot_lines * 64 / self.kernel.widest();
        let equal = if source.step == 0 { whole } else { n };
        for row in 0..count {
            let (first, block) = (source.row(row), in_block.row(row));
            // SAFETY: the row lies in the input's buffer, and the block has room for all rows.
            unsafe {
                if is_constant {
                    copy_from_strided(first, 0, block, equal, size);
                } else {
                    gather(first, &self.inner.dims, &self.inner.steps[at], size, start, n, block);
                }
            }
        }
        // A row that is the same for all is there once, unless another part of it comes next.
        let stays = source.step == 0 && (is_constant || n == self.inner.size());
        self.filled[at] = if stays { source.first as usize } else { 0 };
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
