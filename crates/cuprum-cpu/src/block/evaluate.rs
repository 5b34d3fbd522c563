//! Evaluating a prepared Program: a block of elements at a time, in the first-level cache.

use cuprum_core::Dims;
use cuprum_graph::Reg;
use smallvec::SmallVec;

use super::bounds::Bounds;
use super::scratch::Scratch;
use super::{BoundProgram, KernelOperand, PREFETCH_MIN_ELEMENTS, RegisterPlace, Step, StepRun, Store};
use crate::access::{
    copy_from_strided, copy_tile, fetch_tile, fill, gather, gather_tile, scatter, scatter_tile, walk_runs,
};
use crate::space::Space;
use crate::streams::{fetch_lines, stream};

/// Bytes of a result that are computed before they are written past the caches: few enough that the first-level cache holds
/// them together with the inputs.
const STREAMED_STEP_BYTES: usize = 2048;
/// Bytes of every input that are asked for at a time while a block is computed: so few that they do not wait for each
/// other.
const PREFETCH_STEP_BYTES: usize = 1024;
/// Bytes of a block of equal elements that a step reads again and again, so that the first-level cache keeps them.
pub(super) const BROADCAST_BLOCK_BYTES: usize = 4 << 10;
/// Bytes of a row that comes again for every block from a block that is filled once, at most.
const REPEATED_ROW_MAX_BYTES: usize = 1024;

/// The blocks of one task and the walk over its part of the space.
pub(crate) struct Evaluator<'k, 'a> {
    pub(super) kernel: &'k BoundProgram<'a>,
    pub(super) fixed: &'k Space,
    pub(super) inner: &'k Space,
    /// Whether each operand is dense over the inner space.
    pub(super) dense: SmallVec<[bool; 8]>,
    /// The store past the caches that goes along with the last step.
    streamed: Option<usize>,
    /// The store of an input that is gathered, or of positions, and nothing else: it goes where it is stored.
    pub(super) copied: Option<usize>,
    /// Whether all elements of each register are equal, in every block.
    pub(super) is_broadcast: SmallVec<[bool; 8]>,
    /// Whether only one element of each register is read, in every block.
    pub(super) single: SmallVec<[bool; 8]>,
    /// After how many elements each operand comes again, where that is a short dense row: its block is filled once. Else zero.
    periods: SmallVec<[usize; 8]>,
    blocks: Scratch,
    pub(super) slot_lines: usize,
    pub(super) pointers: SmallVec<[*mut u8; 8]>,
    pub(super) offsets: SmallVec<[isize; 8]>,
    /// The address whose value, or row that comes again, fills an input's block already.
    pub(super) filled: SmallVec<[usize; 8]>,
    /// What of the next block's inputs is still to be asked for.
    ahead: SmallVec<[Ahead; 4]>,
    /// Elements that a step computes at most before more of the next block is asked for.
    stretch: usize,
    /// Elements that each step computes at a time at most, where nothing is asked for in between.
    pub(super) most: SmallVec<[usize; 8]>,
    /// In how many pieces the steps compute a block, and of how many elements.
    pieces: (usize, usize),
    /// Elements that are evaluated at a time where a whole block is asked for.
    part: usize,
    pub(super) bounds: Bounds,
}

/// A row of dense elements for each of several fixed positions: in an input's own memory, or evaluated.
#[derive(Clone, Copy)]
pub(crate) struct InPlaceRows {
    pub(super) first: *const u8,
    pub(crate) step: isize,
    pub(super) size: usize,
}

impl InPlaceRows {
    /// The element at `start` of the row at a fixed position.
    #[inline]
    pub(crate) fn element(&self, position: usize, start: usize) -> *const u8 {
        self.first.wrapping_offset(position as isize * self.step).wrapping_add(start * self.size)
    }
}

/// Cache lines of the next block.
struct Ahead {
    start: *const u8,
    lines: usize,
    /// How many are asked for with each piece of the steps.
    share: usize,
}

impl<'k, 'a> Evaluator<'k, 'a> {
    /// `most` is the largest number of elements that one block will have.
    pub(crate) fn new(kernel: &'k BoundProgram<'a>, fixed: &'k Space, inner: &'k Space, most: usize) -> Self {
        let registers = kernel.places.len();
        let widest = kernel.widest();
        let periods: SmallVec<[usize; 8]> =
            (0..kernel.operands.len()).map(|at| period(fixed, inner, at, kernel.operands[at].size)).collect();
        let longest = periods.iter().copied().max().unwrap_or(0);
        let slot_lines = ((most + longest) * widest).div_ceil(64);
        let mut evaluator = Evaluator {
            kernel,
            fixed,
            inner,
            dense: kernel
                .operands
                .iter()
                .zip(&inner.steps)
                .map(|(o, s)| is_dense(&inner.dims, s, o))
                .collect(),
            streamed: None,
            copied: None,
            is_broadcast: SmallVec::new(),
            single: SmallVec::new(),
            periods,
            blocks: Scratch::new(slot_lines * kernel.slot_count),
            slot_lines,
            pointers: SmallVec::from_elem(std::ptr::null_mut(), registers),
            offsets: SmallVec::from_elem(0, kernel.operands.len()),
            filled: SmallVec::from_elem(0, kernel.operands.len()),
            ahead: SmallVec::new(),
            stretch: PREFETCH_STEP_BYTES * kernel.steps.len() / widest,
            most: SmallVec::new(),
            pieces: (0, 0),
            part: kernel.block_elements(inner),
            bounds: Bounds { positions: fixed.size(), elements: inner.size(), block: most },
        };
        evaluator.streamed = kernel.streamed_last.filter(|&at| evaluator.dense[kernel.stores[at].operand]);
        evaluator.single = (kernel.places.iter().enumerate())
            .map(|(reg, place)| {
                matches!(place, RegisterPlace::Input(_) | RegisterPlace::Param) && kernel.is_one_element(reg)
            })
            .collect();
        evaluator.copied = match kernel.stores.as_slice() {
            [store] if kernel.steps.is_empty() && !store.streamed && evaluator.dense[store.operand] => {
                let is_gathered = |at: usize| !evaluator.dense[at] && !evaluator.is_constant(at);
                match kernel.places[store.reg as usize] {
                    RegisterPlace::Input(at) if is_gathered(at) => Some(0),
                    RegisterPlace::Iota(_) => Some(0),
                    _ => None,
                }
            }
            _ => None,
        };
        if evaluator.copied.is_some() {
            evaluator.periods.fill(0);
        }
        evaluator.fill_params(most);
        evaluator.is_broadcast = (kernel.places.iter())
            .map(|place| match *place {
                RegisterPlace::Param => true,
                RegisterPlace::Input(at) => !evaluator.dense[at] && evaluator.is_constant(at),
                _ => false,
            })
            .collect();
        evaluator.most = kernel.steps.iter().map(|step| evaluator.most_of(step)).collect();
        evaluator
    }

    fn slot(&mut self, reg: usize) -> *mut u8 {
        let line = self.kernel.slots[reg] * self.slot_lines;
        self.blocks.at(line)
    }

    fn fill_params(&mut self, most: usize) {
        let program = self.kernel.program;
        for reg in 0..self.pointers.len() {
            if matches!(self.kernel.places[reg], RegisterPlace::Direct(_) | RegisterPlace::Inside) {
                continue;
            }
            self.pointers[reg] = self.slot(reg);
            if self.kernel.places[reg] == RegisterPlace::Param {
                let bytes = program.params[reg - program.inputs.len()].bytes();
                let count = match self.kernel.leaves(reg) {
                    true => most,
                    false if self.single[reg] => 1,
                    // Steps read the first piece again and again.
                    false => most.min(BROADCAST_BLOCK_BYTES / bytes.len()),
                };
                // SAFETY: the slot holds `most` elements of the widest dtype, and one is read again and again.
                unsafe { copy_from_strided(bytes.as_ptr(), 0, self.pointers[reg], count, bytes.len()) };
            }
        }
    }

    /// The block of a register after an evaluation.
    pub(crate) fn pointer(&self, reg: Reg) -> *const u8 {
        self.pointers[reg as usize]
    }

    /// The operand whose own memory a register is, with nothing computed or stored on the way.
    fn bare(&self, reg: Reg) -> Option<usize> {
        match self.kernel.places[reg as usize] {
            RegisterPlace::Input(at) if self.kernel.is_bare() && self.dense[at] => Some(at),
            _ => None,
        }
    }

    /// Where a register's elements begin and the step from one fixed position to the next, where it is an input's own
    /// memory: nothing need be evaluated then.
    pub(crate) fn bare_rows(&self, reg: Reg) -> Option<InPlaceRows> {
        self.bare_part(reg, 0, self.inner.size())
    }

    /// As [`Evaluator::bare_rows`], of the `n` elements from `start` on; they alone need lie one after the other.
    pub(crate) fn bare_part(&self, reg: Reg, start: usize, n: usize) -> Option<InPlaceRows> {
        let RegisterPlace::Input(at) = self.kernel.places[reg as usize] else { return None };
        let (operand, steps) = (&self.kernel.operands[at], &self.inner.steps[at]);
        let step = match self.fixed.steps[at].as_slice() {
            [] => 0,
            [step] => *step,
            _ => return None,
        };
        let lies_in_a_row = || match (self.inner.dims.last(), steps.last()) {
            (Some(&row), Some(&step)) => {
                step == operand.size as isize && operand.aligned && start % row + n <= row
            }
            _ => false,
        };
        if !self.kernel.is_bare() || operand.base.get().is_null() || !(self.dense[at] || lies_in_a_row()) {
            return None;
        }
        let offset = match self.dense[at] {
            true => (start * operand.size) as isize,
            false => self.inner.offset(at, start),
        };
        Some(InPlaceRows { first: operand.base.get().wrapping_offset(offset), step, size: operand.size })
    }

    /// Evaluates `n` elements of the inner space from `start`, at a position of the fixed one, and stores outputs.
    pub(crate) fn eval(&mut self, position: usize, start: usize, n: usize) {
        self.bounds.check(position, start, n);
        let kernel = self.kernel;
        if !self.fixed.dims.is_empty() {
            self.fixed.offsets(position, &mut self.offsets);
        }
        self.ahead.clear();
        if let Some(store) = self.copied {
            self.pointers[kernel.stores[store].reg as usize] = self.direct(store, start);
        }
        for (reg, place) in kernel.places.iter().enumerate() {
            match *place {
                RegisterPlace::Input(operand) => self.load(reg, operand, start, n),
                RegisterPlace::Iota(operand) => self.count_positions(reg, operand, start, n),
                RegisterPlace::Direct(store) => self.pointers[reg] = self.direct(store, start),
                RegisterPlace::Param | RegisterPlace::Temp | RegisterPlace::Inside => {}
            }
        }
        self.share_lines(n);
        match self.streamed {
            Some(at) => {
                self.run_steps(n, kernel.steps.len() - 1);
                self.stream_last(n, start, &kernel.stores[at]);
            }
            None => self.run_steps(n, kernel.steps.len()),
        }
        for (at, store) in kernel.stores.iter().enumerate() {
            if self.streamed == Some(at) {
                continue;
            }
            let operand = &kernel.operands[store.operand];
            let source = self.pointers[store.reg as usize];
            // SAFETY: the operand's region lies in its buffer; the block holds `n` elements.
            unsafe {
                let target = operand.base.get().wrapping_offset(self.offsets[store.operand]);
                if self.dense[store.operand] {
                    let target = target.wrapping_add(start * operand.size);
                    if target == source {
                    } else if store.streamed {
                        stream(source, target, n * operand.size);
                    } else if kernel.places[store.reg as usize] == RegisterPlace::Param {
                        let value = std::slice::from_raw_parts(source, operand.size);
                        fill(target, value, n);
                    } else {
                        std::ptr::copy(source, target, n * operand.size);
                    }
                } else {
                    scatter(
                        target,
                        &self.inner.dims,
                        &self.inner.steps[store.operand],
                        operand.size,
                        start,
                        n,
                        source,
                    );
                }
            }
        }
    }

    /// Evaluates a block for registers that are read as a whole, in parts small enough that temporaries stay in the
    /// first-level cache.
    pub(crate) fn eval_whole(&mut self, position: usize, start: usize, n: usize, regs: &[Reg]) {
        self.bounds.check(position, start, n);
        if regs.iter().all(|&reg| self.bare(reg).is_some()) {
            self.fixed.offsets(position, &mut self.offsets);
            for &reg in regs {
                let Some(at) = self.bare(reg) else { continue };
                let operand = &self.kernel.operands[at];
                let source =
                    operand.base.get().wrapping_offset(self.offsets[at]).wrapping_add(start * operand.size);
                self.pointers[reg as usize] = source;
            }
            return;
        }
        let part = self.part;
        let is_made = |reg: &Reg| self.kernel.places[*reg as usize] == RegisterPlace::Temp;
        if n <= part || !regs.iter().any(is_made) {
            return self.eval(position, start, n);
        }
        // What is read in place lies one part after the other by itself.
        let in_slots: SmallVec<[Reg; 4]> = regs.iter().copied().filter(|&reg| self.is_filled(reg)).collect();
        let mut in_place: SmallVec<[*mut u8; 4]> = SmallVec::new();
        for at in (0..n).step_by(part) {
            for &reg in &in_slots {
                let size = self.kernel.sizes[reg as usize];
                // SAFETY: the slot holds `n` elements.
                self.pointers[reg as usize] = unsafe { self.slot(reg as usize).add(at * size) };
            }
            self.eval(position, start + at, part.min(n - at));
            if at == 0 {
                in_place.extend(regs.iter().map(|&reg| self.pointers[reg as usize]));
            }
        }
        for (&reg, first) in regs.iter().zip(in_place) {
            self.pointers[reg as usize] = first;
        }
    }

    /// Whether a register's slot is filled anew by every evaluation.
    fn is_filled(&self, reg: Reg) -> bool {
        match self.kernel.places[reg as usize] {
            RegisterPlace::Input(at) => !self.dense[at] && !self.is_constant(at) && self.periods[at] == 0,
            RegisterPlace::Iota(_) | RegisterPlace::Temp => true,
            RegisterPlace::Param | RegisterPlace::Direct(_) | RegisterPlace::Inside => false,
        }
    }

    /// Whether an operand stays where it is over the inner space.
    pub(super) fn is_constant(&self, at: usize) -> bool {
        self.inner.steps[at].iter().all(|step| *step == 0)
    }

    /// Runs the first `count` steps.
    fn run_steps(&mut self, n: usize, count: usize) {
        for (number, step) in self.kernel.steps[..count].iter().enumerate() {
            let piece = self.piece(number, n);
            let mut at = 0;
            while at < n {
                self.fetch_ahead();
                let dst = self.element(step.dst, at).cast_mut();
                // SAFETY: the register's block holds the elements from `at` on.
                unsafe { self.run_piece(step, at, piece.min(n - at), dst) };
                at += piece;
            }
        }
    }

    /// Runs the last step by pieces, each written past the caches while the first-level one still has it.
    fn stream_last(&mut self, n: usize, start: usize, store: &Store) {
        let Some(step) = self.kernel.steps.last() else { return };
        let operand = &self.kernel.operands[store.operand];
        let piece = self.piece(self.kernel.steps.len() - 1, n);
        let block = self.pointers[step.dst as usize];
        for at in (0..n).step_by(piece) {
            self.fetch_ahead();
            let count = piece.min(n - at);
            // SAFETY: the register's block holds a piece.
            unsafe { self.run_piece(step, at, count, block) };
            // SAFETY: the operand's region lies in its buffer, dense; the block holds a piece.
            unsafe {
                let target = operand.base.get().offset(self.offsets[store.operand]);
                stream(block, target.add((start + at) * operand.size), count * operand.size);
            }
        }
    }

    /// Elements that a step of that number computes at a time: few where lines are asked for in between.
    #[inline]
    fn piece(&self, step: usize, n: usize) -> usize {
        let most = n.min(self.most[step]);
        if self.ahead.is_empty() { most } else { most.min(self.stretch) }
    }

    /// The most elements that a step computes at a time: few where results are written past the caches, and where it reads
    /// equal elements, of which only the first ones are stored.
    fn most_of(&self, step: &Step) -> usize {
        let mut most = usize::MAX;
        for reg in
            step.args.into_iter().filter(|&reg| self.is_broadcast[reg as usize] && !step.has_scalar_operands)
        {
            most = most.min(BROADCAST_BLOCK_BYTES / self.kernel.sizes[reg as usize]);
        }
        if self.streamed.is_some_and(|at| self.kernel.stores[at].reg == step.dst) {
            most = most.min(STREAMED_STEP_BYTES / self.kernel.sizes[step.dst as usize]);
        }
        most
    }

    /// Where an element of a register's block is.
    fn element(&self, reg: Reg, at: usize) -> *const u8 {
        self.pointers[reg as usize].wrapping_add(at * self.kernel.sizes[reg as usize])
    }

    /// Runs a step over `count` elements from `at` on of the blocks that it reads.
    ///
    /// # Safety
    /// There is room for the results at `dst`.
    unsafe fn run_piece(&self, step: &Step, at: usize, count: usize, dst: *mut u8) {
        debug_assert!(count <= self.most_of(step), "equal elements are there for one piece");
        let src =
            step.args.map(|reg| self.element(reg, if self.is_broadcast[reg as usize] { 0 } else { at }));
        match step.run {
            // SAFETY: blocks hold the elements from `at` on of the dtypes that the lane was chosen for; a direct output is
            // exactly a source or apart from all of them.
            StepRun::One(lane) => unsafe { lane(count, dst, src) },
            StepRun::Two(lane, twin, turned) => {
                let twin = self.element(twin, at).cast_mut();
                let dst = if turned { [dst, twin] } else { [twin, dst] };
                // SAFETY: as above, for both results.
                unsafe { lane(count, dst, src[0]) };
            }
        }
    }

    /// Cuts the lines that the next block will read into shares, one for each piece of the steps.
    fn share_lines(&mut self, n: usize) {
        if self.ahead.is_empty() {
            return;
        }
        if self.pieces.0 != n {
            let count = |step: usize| n.div_ceil(self.piece(step, n));
            self.pieces = (n, (0..self.kernel.steps.len()).map(count).sum());
        }
        let pieces = self.pieces.1;
        self.ahead.iter_mut().for_each(|ahead| ahead.share = ahead.lines.div_ceil(pieces));
    }

    /// Asks for a share of the lines that the next block will read, so that memory works while lanes compute.
    #[inline]
    fn fetch_ahead(&mut self) {
        for ahead in &mut self.ahead {
            let count = ahead.share.min(ahead.lines);
            fetch_lines(ahead.start, count);
            ahead.start = ahead.start.wrapping_add(64 * count);
            ahead.lines -= count;
        }
    }

    fn direct(&mut self, store: usize, start: usize) -> *mut u8 {
        let at = self.kernel.stores[store].operand;
        let operand = &self.kernel.operands[at];
        debug_assert!(self.dense[at], "direct outputs are dense along the walk");
        operand.base.get().wrapping_offset(self.offsets[at]).wrapping_add(start * operand.size)
    }

    fn load(&mut self, reg: usize, at: usize, start: usize, n: usize) {
        let operand = &self.kernel.operands[at];
        // SAFETY: the region lies in the input's buffer, and the slot holds `n` elements.
        unsafe {
            let source = operand.base.get().wrapping_offset(self.offsets[at]);
            if self.dense[at] {
                self.pointers[reg] = source.wrapping_add(start * operand.size);
                if self.kernel.fetches && !self.comes_again(at, start + n) {
                    let bytes = n * operand.size;
                    let start = self.pointers[reg].wrapping_add(bytes);
                    self.ahead.push(Ahead { start, lines: bytes / 64, share: 0 });
                }
                return;
            }
            let steps = &self.inner.steps[at];
            let constant = self.is_constant(at);
            if constant && self.single[reg] {
                self.pointers[reg] = source;
                return;
            }
            if constant && self.filled[at] == source as usize {
                return;
            }
            if constant {
                // The whole block is filled, so that later evaluations of any length find it.
                let whole = self.slot_lines * 64 / self.kernel.widest();
                copy_from_strided(source, 0, self.pointers[reg], whole.max(n), operand.size);
                self.filled[at] = source as usize;
                return;
            }
            let period = self.periods[at];
            if period > 0 {
                // So many that a block that begins anywhere in the row finds all its elements.
                let whole = self.slot_lines * 64 / self.kernel.widest();
                let line = self.kernel.slots[reg] * self.slot_lines;
                let slot = self.blocks.at(line);
                if self.filled[at] != source as usize {
                    let whole = whole.min(self.inner.size());
                    gather(source, &self.inner.dims, steps, operand.size, 0, whole, slot);
                    self.filled[at] = source as usize;
                }
                self.pointers[reg] = slot.add(start % period * operand.size);
                return;
            }
            gather(source, &self.inner.dims, steps, operand.size, start, n, self.pointers[reg]);
        }
    }

    /// Whether the block after this one, which ends at `end`, finds an operand where the walk over the inner space began.
    fn comes_again(&self, at: usize, end: usize) -> bool {
        self.fixed.steps[at].last() == Some(&0) && end == self.inner.size()
    }

    pub(super) fn count_positions(&mut self, reg: usize, at: usize, start: usize, n: usize) {
        let base = self.offsets[at] as i64;
        // SAFETY: the slot holds `n` int64 elements.
        let block = unsafe { std::slice::from_raw_parts_mut(self.pointers[reg].cast::<i64>(), n) };
        let mut done = 0;
        walk_runs(&self.inner.dims, &self.inner.steps[at], start, n, |offset, step, count| {
            let (mut position, step) = (base + offset as i64, step as i64);
            // Added up: vectors of 64-bit integers are not multiplied on every processor.
            for place in &mut block[done..done + count] {
                *place = position;
                position = position.wrapping_add(step);
            }
            done += count;
        });
    }

    /// Evaluates a tile of the two inner axes, whose operands are all copied in and out.
    pub(crate) fn eval_tile(&mut self, position: usize, origin: (usize, usize), rows: usize, cols: usize) {
        self.bounds.check_tile(position, &self.inner.dims, origin, (rows, cols));
        let kernel = self.kernel;
        self.fixed.offsets(position, &mut self.offsets);
        if let ([store], [RegisterPlace::Input(at)], None) =
            (kernel.stores.as_slice(), kernel.places.as_slice(), &kernel.program.reduce)
        {
            let ((source, from), (target, to)) =
                (self.tile_of(*at, origin), self.tile_of(store.operand, origin));
            let size = kernel.operands[*at].size;
            if kernel.program.size() >= PREFETCH_MIN_ELEMENTS {
                fetch_tile(source.wrapping_offset(cols as isize * from.1), from, rows, cols, size);
            }
            // SAFETY: the tile lies in the input's region and in the output's.
            return unsafe { copy_tile(source, from, target, to, rows, cols, size) };
        }
        for reg in 0..kernel.places.len() {
            match kernel.places[reg] {
                RegisterPlace::Input(at) => {
                    let (source, step) = self.tile_of(at, origin);
                    let size = kernel.operands[at].size;
                    // The tile that comes next, if there is one.
                    if kernel.program.size() >= PREFETCH_MIN_ELEMENTS {
                        let next = source.wrapping_offset(cols as isize * step.1);
                        fetch_tile(next, step, rows, cols, size);
                    }
                    // SAFETY: the tile lies in the input's region, and the slot holds a tile.
                    unsafe { gather_tile(source, step, rows, cols, size, self.pointers[reg]) };
                }
                RegisterPlace::Iota(at) => {
                    let step = (self.inner.steps[at][0] as i64, self.inner.steps[at][1] as i64);
                    let base = self.offsets[at] as i64 + origin.0 as i64 * step.0 + origin.1 as i64 * step.1;
                    // SAFETY: the slot holds a tile of int64 elements.
                    let block = unsafe {
                        std::slice::from_raw_parts_mut(self.pointers[reg].cast::<i64>(), rows * cols)
                    };
                    for (i, place) in block.iter_mut().enumerate() {
                        *place = base + (i / cols) as i64 * step.0 + (i % cols) as i64 * step.1;
                    }
                }
                RegisterPlace::Direct(_) => unreachable!("tiles have no direct outputs"),
                RegisterPlace::Param | RegisterPlace::Temp | RegisterPlace::Inside => {}
            }
        }
        self.run_steps(rows * cols, kernel.steps.len());
        for store in &kernel.stores {
            let (target, step) = self.tile_of(store.operand, origin);
            let size = kernel.operands[store.operand].size;
            // SAFETY: the tile lies in the output's region.
            unsafe { scatter_tile(target, step, rows, cols, size, self.pointers[store.reg as usize]) };
        }
    }

    fn tile_of(&self, at: usize, origin: (usize, usize)) -> (*mut u8, (isize, isize)) {
        let step = (self.inner.steps[at][0], self.inner.steps[at][1]);
        let offset = self.offsets[at] + origin.0 as isize * step.0 + origin.1 as isize * step.1;
        // SAFETY: the origin lies in the operand's region.
        (unsafe { self.kernel.operands[at].base.get().offset(offset) }, step)
    }
}

/// Elements of the dense row that an operand is along the inner axes, if it comes again along the outer ones of the inner space
/// and is short; else zero.
fn period(fixed: &Space, inner: &Space, at: usize, size: usize) -> usize {
    if fixed.steps[at].iter().any(|step| *step != 0) {
        return 0;
    }
    let (mut row, mut axis) = (1, inner.dims.len());
    while axis > 0
        && inner.steps[at][axis - 1] == (row * size) as isize
        && row * size <= REPEATED_ROW_MAX_BYTES
    {
        axis -= 1;
        row *= inner.dims[axis];
    }
    let repeats = axis > 0 && inner.steps[at][..axis].iter().all(|step| *step == 0);
    if repeats && row > 1 && row * size <= REPEATED_ROW_MAX_BYTES { row } else { 0 }
}

/// Whether an operand's elements lie one after the other along the inner space, and aligned.
pub(super) fn is_dense(dims: &Dims, steps: &[isize], operand: &KernelOperand) -> bool {
    let mut expected = operand.size as isize;
    for (&dim, &step) in dims.iter().zip(steps).rev() {
        if step != expected {
            return false;
        }
        expected *= dim as isize;
    }
    operand.aligned && !operand.base.get().is_null()
}
