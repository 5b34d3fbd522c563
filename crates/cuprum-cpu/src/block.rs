//! The block machine: a Program prepared as a list of lanes, evaluated block by block.
//!
//! A [`Kernel`] is the Program bound to memory; each task owns an [`Evaluator`] with the blocks of its temporaries.

use std::mem::MaybeUninit;

use cuprum_core::{Dims, Error, Op, Result};
use cuprum_graph::{Buffer, InstrKind, Program, Reg};
use smallvec::SmallVec;

use crate::access::{
    copy_from_strided, gather, gather_tile, scatter, scatter_tile, stream, stream_fence, walk_runs,
};
use crate::lanes::{self, Lane, Level};
use crate::space::Space;
use cuprum_threads::{Shared, run_tasks};

/// Elements of a block in a reduction's fixed pattern.
pub(crate) const BLOCK: usize = 1024;
/// Bytes that a temporary should take, and that all of them together should, to stay in the first-level cache.
const BLOCK_BYTES: usize = 4096;
const TEMPORARIES_BYTES: usize = 16 << 10;
/// Elements of a block where there are no temporaries: what is done once a block no longer counts.
const BARE_BLOCK: usize = 16 << 10;
/// The sides of a tile: rows are walked along the transposed operand, columns along the others.
const TILE_ROWS: usize = 32;
const TILE_COLS: usize = 64;
/// Elements times instructions below which one thread is faster than several.
const PARALLEL_WORK: usize = 150_000;
/// Elements that a task should have.
const TASK: usize = 1 << 16;
/// Outputs larger than this are written past the caches.
const STREAMED: usize = 16 << 20;
/// Bytes of a result that are computed at a time before they are written past the caches: so few that the first-level
/// cache keeps them beside what is read.
const STREAMED_PIECE: usize = 2048;
/// Programs over at least this many elements fetch their inputs ahead.
const FETCHED: usize = 1 << 18;
/// Rows shorter than this are gathered together into one block.
const SHORT_ROW: usize = 128;

/// An array in memory, or the positions along an axis, as an operand of a kernel.
struct Operand {
    base: Shared,
    size: usize,
    aligned: bool,
}

struct Step {
    lane: Lane,
    args: [Reg; 3],
    dst: Reg,
    /// Whether it waits for a division or a root rather than for memory.
    slow: bool,
}

struct Store {
    reg: Reg,
    operand: usize,
    streamed: bool,
}

/// Where a register's block is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    /// An input, read in place where it is dense; the slot takes it where it is not.
    Input(usize),
    /// Positions along an axis, made in the slot.
    Iota(usize),
    /// A constant block.
    Param,
    /// A temporary.
    Temp,
    /// Written straight to the output of that number.
    Direct(usize),
}

/// A Program bound to memory.
pub(crate) struct Kernel<'a> {
    program: &'a Program,
    operands: Vec<Operand>,
    steps: Vec<Step>,
    places: Vec<Place>,
    slots: Vec<usize>,
    slot_count: usize,
    stores: Vec<Store>,
    /// The store past the caches of what the last step computes, if that is all that becomes of it.
    streamed_last: Option<usize>,
    /// Whether inputs come from memory rather than from a cache, and several steps leave it time to work ahead.
    fetches: bool,
}

impl<'a> Kernel<'a> {
    pub(crate) fn new(
        program: &'a Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
        level: Level,
    ) -> Result<Kernel<'a>> {
        let first_code = program.inputs.len() + program.params.len();
        let mut operands: Vec<Operand> = Vec::with_capacity(inputs.len() + outputs.len());
        for (input, buffer) in program.inputs.iter().zip(inputs) {
            operands.push(operand(buffer.address(), &input.layout, input.dtype.size()));
        }
        let mut places: Vec<Place> = (0..inputs.len()).map(Place::Input).collect();
        places.extend(program.params.iter().map(|_| Place::Param));
        let mut steps = Vec::with_capacity(program.code.len());
        for (at, instr) in program.code.iter().enumerate() {
            let dst = (first_code + at) as Reg;
            if let InstrKind::Iota(_) = instr.kind {
                places.push(Place::Iota(operands.len()));
                operands.push(Operand { base: Shared(std::ptr::null_mut()), size: 1, aligned: true });
                continue;
            }
            let mut args = [0; 3];
            args[..instr.args.len()].copy_from_slice(&instr.args);
            steps.push(Step { lane: lane_of(instr, level)?, args, dst, slow: is_slow(instr) });
            places.push(Place::Temp);
        }
        let mut stores = Vec::with_capacity(program.outputs.len());
        for (output, buffer) in program.outputs.iter().zip(outputs) {
            let size = output.dtype.size();
            let overwrites_input = inputs.iter().any(|i| i.address() == buffer.address());
            let reg = output.reg;
            let is_last = reg as usize + 1 == program.registers();
            let streamed = !overwrites_input && program.size() * size >= STREAMED;
            let dense = output.layout.is_dense(size);
            if dense && !streamed && places[reg as usize] == Place::Temp && (is_last || !overwrites_input) {
                places[reg as usize] = Place::Direct(stores.len());
            }
            stores.push(Store { reg, operand: operands.len(), streamed });
            operands.push(operand(buffer.address(), &output.layout, size));
        }
        let (slots, slot_count) = assign_slots(program, &places, first_code);
        let fetches = steps.len() > 2 && program.size() >= FETCHED;
        let streamed_last = streamed_last(program, &steps, &stores);
        Ok(Kernel { program, operands, steps, places, slots, slot_count, stores, streamed_last, fetches })
    }

    /// The steps of every operand along the Program's axes, outputs last.
    pub(crate) fn strides(&self) -> SmallVec<[SmallVec<[isize; 4]>; 8]> {
        let ndim = self.program.shape.len();
        let mut strides: SmallVec<[SmallVec<[isize; 4]>; 8]> =
            self.program.inputs.iter().map(|i| i.layout.strides.clone()).collect();
        for instr in &self.program.code {
            if let InstrKind::Iota(axis) = instr.kind {
                strides.push((0..ndim).map(|a| isize::from(a == axis)).collect());
            }
        }
        strides.extend(self.program.outputs.iter().map(|o| o.layout.strides.clone()));
        strides
    }

    /// The Program's axes in an order, with the steps of every operand.
    pub(crate) fn space(&self, order: &[usize]) -> Space {
        let strides = self.strides();
        let slices: SmallVec<[&[isize]; 8]> = strides.iter().map(|s| s.as_slice()).collect();
        Space::new(&self.program.shape, order, &slices)
    }

    /// Elements of a block such that all temporaries and constants fit the first-level cache.
    fn block_elements(&self) -> usize {
        let regs = 0..self.program.registers();
        let widest = regs.map(|r| self.program.dtype(r as Reg).size()).max().unwrap_or(8);
        // Of what is streamed as it is computed only a piece is there at a time.
        let streamed = self.streamed_last.map(|store| self.stores[store].reg as usize);
        let kept = |(reg, place): &(usize, &Place)| {
            matches!(place, Place::Temp | Place::Param | Place::Iota(_)) && Some(*reg) != streamed
        };
        match self.places.iter().enumerate().filter(kept).count() {
            0 => BARE_BLOCK,
            // Whole cache lines, whatever the dtype: streams want them.
            count => ((TEMPORARIES_BYTES / count).max(BLOCK_BYTES) / widest / 256 * 256).max(256),
        }
    }

    /// Whether several threads pay off for this many elements.
    pub(crate) fn pays_parallel(&self, elements: usize) -> bool {
        elements.saturating_mul(1 + self.program.code.len()) >= PARALLEL_WORK
    }
}

fn streamed_last(program: &Program, steps: &[Step], stores: &[Store]) -> Option<usize> {
    let reg = steps.last()?.dst;
    let mut mine = stores.iter().enumerate().filter(|(_, store)| store.reg == reg);
    let (at, store) = mine.next()?;
    (store.streamed && mine.next().is_none() && program.reduce.is_none()).then_some(at)
}

fn operand(address: usize, layout: &cuprum_core::Layout, size: usize) -> Operand {
    let base = address + layout.offset;
    let aligned = base.is_multiple_of(size.min(16)) && layout.strides.iter().all(|s| s % size as isize == 0);
    Operand { base: Shared(base as *mut u8), size, aligned }
}

/// Whether a step waits for one unit of the processor, which leaves memory nothing to do unless it was asked before.
/// Elementary functions keep all units busy.
fn is_slow(instr: &cuprum_graph::Instr) -> bool {
    let kinds = [Op::Sqrt, Op::Divide, Op::FloorDivide, Op::Remainder, Op::Fmod];
    kinds.iter().any(|&op| instr.kind == InstrKind::Map(op))
}

/// Elements of a piece of a step, with each of which lines are asked for: a slow step has several.
fn piece_of(step: &Step, n: usize) -> usize {
    if step.slow { n.div_ceil(4).next_multiple_of(256) } else { n }
}

fn lane_of(instr: &cuprum_graph::Instr, level: Level) -> Result<Lane> {
    match instr.kind {
        InstrKind::Cast => Ok(lanes::cast(instr.dtype, instr.output, level)),
        InstrKind::Map(op) => lanes::lane(op, instr.dtype, level)
            .ok_or_else(|| Error::device(format!("{} has no lane for {}", op.name(), instr.dtype))),
        InstrKind::Iota(_) => unreachable!("positions are operands, not steps"),
    }
}

/// Gives every register that needs a block of its own a slot; temporaries share slots when their lives do not overlap.
fn assign_slots(program: &Program, places: &[Place], first_code: usize) -> (Vec<usize>, usize) {
    let registers = places.len();
    let mut last_use = vec![0usize; registers];
    for (at, instr) in program.code.iter().enumerate() {
        for &arg in &instr.args {
            last_use[arg as usize] = first_code + at;
        }
    }
    let reduced = || program.reduce.iter().flat_map(|reduce| reduce.results.iter().map(|r| r.reg));
    for reg in program.outputs.iter().map(|o| o.reg).chain(reduced()) {
        last_use[reg as usize] = usize::MAX;
    }
    let mut slots = vec![usize::MAX; registers];
    let mut free: Vec<usize> = Vec::new();
    let mut count = 0;
    let mut live: Vec<usize> = Vec::new();
    for reg in 0..registers {
        if places[reg] == Place::Temp {
            live.retain(|&old| {
                // A block may be overwritten by the instruction that reads it last only if element sizes agree.
                let over = last_use[old] < reg;
                if over {
                    free.push(slots[old]);
                }
                !over
            });
            // A reduced register is filled in parts while other temporaries come and go: its block is its own.
            let own = reduced().any(|r| r as usize == reg);
            let shared = if own { None } else { free.pop() };
            slots[reg] = shared.unwrap_or_else(|| {
                count += 1;
                count - 1
            });
            live.push(reg);
        } else if !matches!(places[reg], Place::Direct(_)) {
            slots[reg] = count;
            count += 1;
        }
    }
    (slots, count)
}

/// The blocks of one task and the walk over its part of the space.
pub(crate) struct Evaluator<'k, 'a> {
    kernel: &'k Kernel<'a>,
    fixed: &'k Space,
    inner: &'k Space,
    /// Whether each operand is dense over the inner space.
    dense: SmallVec<[bool; 8]>,
    blocks: Vec<MaybeUninit<Line>>,
    slot_lines: usize,
    pointers: Vec<*mut u8>,
    offsets: SmallVec<[isize; 8]>,
    /// The address whose value fills a constant input's block already.
    filled: SmallVec<[usize; 8]>,
    /// What of the next block's inputs is still to be asked for.
    ahead: SmallVec<[Ahead; 4]>,
    /// In how many pieces the steps compute a block, and of how many elements.
    pieces: (usize, usize),
    /// Elements that are evaluated at a time where a whole block is asked for.
    part: usize,
}

/// Cache lines of the next block.
struct Ahead {
    start: *const u8,
    lines: usize,
    /// How many are asked for with each piece of the steps.
    share: usize,
}

/// One cache line; blocks are made of these so that they are aligned.
#[repr(align(64))]
pub(crate) struct Line(#[allow(dead_code)] [u8; 64]);

/// Lines whose content does not matter: blocks are written before they are read.
pub(crate) fn uninitialized(lines: usize) -> Vec<MaybeUninit<Line>> {
    let mut blocks = Vec::with_capacity(lines);
    // SAFETY: the capacity is there, and uninitialised lines are what the type allows.
    unsafe { blocks.set_len(lines) };
    blocks
}

impl<'k, 'a> Evaluator<'k, 'a> {
    /// `most` is the largest number of elements that one block will have.
    pub(crate) fn new(kernel: &'k Kernel<'a>, fixed: &'k Space, inner: &'k Space, most: usize) -> Self {
        let registers = kernel.places.len();
        let widest = (0..registers).map(|r| kernel.program.dtype(r as Reg).size()).max().unwrap_or(8);
        let slot_lines = (most * widest).div_ceil(64);
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
            blocks: uninitialized(slot_lines * kernel.slot_count),
            slot_lines,
            pointers: vec![std::ptr::null_mut(); registers],
            offsets: SmallVec::from_elem(0, kernel.operands.len()),
            filled: SmallVec::from_elem(0, kernel.operands.len()),
            ahead: SmallVec::new(),
            pieces: (0, 0),
            part: kernel.block_elements(),
        };
        evaluator.fill_params(most);
        evaluator
    }

    fn slot(&mut self, reg: usize) -> *mut u8 {
        let line = self.kernel.slots[reg] * self.slot_lines;
        self.blocks[line..].as_mut_ptr().cast()
    }

    fn fill_params(&mut self, most: usize) {
        let program = self.kernel.program;
        for reg in 0..self.pointers.len() {
            if matches!(self.kernel.places[reg], Place::Direct(_)) {
                continue;
            }
            self.pointers[reg] = self.slot(reg);
            if self.kernel.places[reg] == Place::Param {
                let bytes = program.params[reg - program.inputs.len()].bytes();
                // SAFETY: the slot holds `most` elements of the widest dtype, and one is read again and again.
                unsafe { copy_from_strided(bytes.as_ptr(), 0, self.pointers[reg], most, bytes.len()) };
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
            Place::Input(at) if self.kernel.is_bare() && self.dense[at] => Some(at),
            _ => None,
        }
    }

    /// The step from one fixed position's block to the next, where the register is an input's own memory.
    pub(crate) fn bare_stride(&self, reg: Reg) -> Option<isize> {
        let at = self.bare(reg)?;
        (self.fixed.dims.len() == 1).then(|| self.fixed.steps[at][0])
    }

    /// Evaluates `n` elements of the inner space from `start`, at a position of the fixed one, and stores outputs.
    pub(crate) fn eval(&mut self, position: usize, start: usize, n: usize) {
        let kernel = self.kernel;
        if !self.fixed.dims.is_empty() {
            self.fixed.offsets(position, &mut self.offsets);
        }
        self.ahead.clear();
        for (reg, place) in kernel.places.iter().enumerate() {
            match *place {
                Place::Input(operand) => self.load(reg, operand, start, n),
                Place::Iota(operand) => self.count_positions(reg, operand, start, n),
                Place::Direct(store) => self.pointers[reg] = self.direct(store, start),
                Place::Param | Place::Temp => {}
            }
        }
        self.share_lines(n);
        let streamed = kernel.streamed_last.filter(|&at| self.dense[kernel.stores[at].operand]);
        match streamed {
            Some(at) => {
                self.run_steps(n, kernel.steps.len() - 1);
                self.stream_last(n, start, &kernel.stores[at]);
            }
            None => self.run_steps(n, kernel.steps.len()),
        }
        for (at, store) in kernel.stores.iter().enumerate() {
            if streamed == Some(at) {
                continue;
            }
            let operand = &kernel.operands[store.operand];
            let source = self.pointers[store.reg as usize];
            // SAFETY: the operand's region lies in its buffer; the block holds `n` elements.
            unsafe {
                let target = operand.base.get().offset(self.offsets[store.operand]);
                if self.dense[store.operand] {
                    let target = target.add(start * operand.size);
                    if target == source {
                    } else if store.streamed {
                        stream(source, target, n * operand.size);
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
        if regs.iter().all(|&reg| self.bare(reg).is_some()) {
            self.fixed.offsets(position, &mut self.offsets);
            for &reg in regs {
                let Some(at) = self.bare(reg) else { continue };
                let operand = &self.kernel.operands[at];
                // SAFETY: the region lies in the input's buffer.
                let source = unsafe { operand.base.get().offset(self.offsets[at]).add(start * operand.size) };
                self.pointers[reg as usize] = source;
            }
            return;
        }
        let part = self.part;
        let is_made = |reg: &Reg| self.kernel.places[*reg as usize] == Place::Temp;
        if n <= part || !regs.iter().any(is_made) {
            return self.eval(position, start, n);
        }
        // What is read in place lies one part after the other by itself.
        let in_slots: SmallVec<[Reg; 4]> = regs.iter().copied().filter(|&reg| self.is_filled(reg)).collect();
        let mut in_place: SmallVec<[*mut u8; 4]> = SmallVec::new();
        for at in (0..n).step_by(part) {
            for &reg in &in_slots {
                let size = self.kernel.program.dtype(reg).size();
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
            Place::Input(at) => !self.dense[at] && !self.is_constant(at),
            Place::Iota(_) | Place::Temp => true,
            Place::Param | Place::Direct(_) => false,
        }
    }

    /// Whether an operand stays where it is over the inner space.
    fn is_constant(&self, at: usize) -> bool {
        self.inner.steps[at].iter().all(|step| *step == 0)
    }

    /// Runs the first `count` steps.
    fn run_steps(&mut self, n: usize, count: usize) {
        for step in &self.kernel.steps[..count] {
            let piece = if self.ahead.is_empty() { n } else { piece_of(step, n) };
            for at in (0..n).step_by(piece) {
                self.fetch_ahead();
                let dst = self.element(step.dst, at).cast_mut();
                self.run_piece(step, at, piece.min(n - at), dst);
            }
        }
    }

    /// Runs the last step by pieces, each written past the caches while the first-level one still has it.
    fn stream_last(&mut self, n: usize, start: usize, store: &Store) {
        let Some(step) = self.kernel.steps.last() else { return };
        let operand = &self.kernel.operands[store.operand];
        let piece = STREAMED_PIECE / operand.size;
        let block = self.pointers[step.dst as usize];
        for at in (0..n).step_by(piece) {
            self.fetch_ahead();
            let count = piece.min(n - at);
            self.run_piece(step, at, count, block);
            // SAFETY: the operand's region lies in its buffer, dense; the block holds a piece.
            unsafe {
                let target = operand.base.get().offset(self.offsets[store.operand]);
                stream(block, target.add((start + at) * operand.size), count * operand.size);
            }
        }
    }

    /// Where an element of a register's block is.
    fn element(&self, reg: Reg, at: usize) -> *const u8 {
        self.pointers[reg as usize].wrapping_add(at * self.kernel.program.dtype(reg).size())
    }

    fn run_piece(&self, step: &Step, at: usize, count: usize, dst: *mut u8) {
        let src = step.args.map(|reg| self.element(reg, at));
        // SAFETY: blocks hold the elements from `at` on of the dtypes that the lane was chosen for; a direct output is
        // exactly a source or apart from all of them.
        unsafe { (step.lane)(count, dst, src) };
    }

    /// Cuts the lines that the next block will read into shares, one for each piece of the steps.
    fn share_lines(&mut self, n: usize) {
        if self.ahead.is_empty() {
            return;
        }
        if self.pieces.0 != n {
            let streamed = self.kernel.streamed_last.map(|at| &self.kernel.stores[at]);
            let count = |step: &Step| match streamed {
                Some(store) if store.reg == step.dst => {
                    n.div_ceil(STREAMED_PIECE / self.kernel.operands[store.operand].size)
                }
                _ => n.div_ceil(piece_of(step, n)),
            };
            self.pieces = (n, self.kernel.steps.iter().map(count).sum());
        }
        let pieces = self.pieces.1;
        self.ahead.iter_mut().for_each(|ahead| ahead.share = ahead.lines.div_ceil(pieces));
    }

    /// Asks for a share of the lines that the next block will read, so that memory works while lanes compute.
    #[inline]
    fn fetch_ahead(&mut self) {
        #[cfg(target_arch = "x86_64")]
        for ahead in &mut self.ahead {
            let count = ahead.share.min(ahead.lines);
            for line in 0..count {
                use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
                // SAFETY: a prefetch of any address is allowed; it touches no memory.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(ahead.start.wrapping_add(64 * line).cast()) };
            }
            ahead.start = ahead.start.wrapping_add(64 * count);
            ahead.lines -= count;
        }
    }

    fn direct(&mut self, store: usize, start: usize) -> *mut u8 {
        let at = self.kernel.stores[store].operand;
        let operand = &self.kernel.operands[at];
        debug_assert!(self.dense[at], "direct outputs are dense along the walk");
        // SAFETY: the region lies in the output's buffer.
        unsafe { operand.base.get().offset(self.offsets[at]).add(start * operand.size) }
    }

    fn load(&mut self, reg: usize, at: usize, start: usize, n: usize) {
        let operand = &self.kernel.operands[at];
        // SAFETY: the region lies in the input's buffer, and the slot holds `n` elements.
        unsafe {
            let source = operand.base.get().offset(self.offsets[at]);
            if self.dense[at] {
                self.pointers[reg] = source.add(start * operand.size);
                if self.kernel.fetches {
                    let bytes = n * operand.size;
                    let start = self.pointers[reg].wrapping_add(bytes);
                    self.ahead.push(Ahead { start, lines: bytes / 64, share: 0 });
                }
                return;
            }
            let steps = &self.inner.steps[at];
            let constant = self.is_constant(at);
            if constant && self.filled[at] == source as usize {
                return;
            }
            if constant {
                // The whole block is filled, so that later evaluations of any length find it.
                let whole = self.slot_lines * 64 / self.widest();
                copy_from_strided(source, 0, self.pointers[reg], whole.max(n), operand.size);
                self.filled[at] = source as usize;
                return;
            }
            gather(source, &self.inner.dims, steps, operand.size, start, n, self.pointers[reg]);
        }
    }

    fn widest(&self) -> usize {
        (0..self.pointers.len()).map(|r| self.kernel.program.dtype(r as Reg).size()).max().unwrap_or(8)
    }

    fn count_positions(&mut self, reg: usize, at: usize, start: usize, n: usize) {
        let base = self.offsets[at] as i64;
        // SAFETY: the slot holds `n` int64 elements.
        let block = unsafe { std::slice::from_raw_parts_mut(self.pointers[reg].cast::<i64>(), n) };
        let mut done = 0;
        walk_runs(&self.inner.dims, &self.inner.steps[at], start, n, |offset, step, count| {
            for (i, place) in block[done..done + count].iter_mut().enumerate() {
                *place = base + (offset + i as isize * step) as i64;
            }
            done += count;
        });
    }

    /// Evaluates a tile of the two inner axes, whose operands are all copied in and out.
    fn eval_tile(&mut self, position: usize, origin: (usize, usize), rows: usize, cols: usize) {
        let kernel = self.kernel;
        self.fixed.offsets(position, &mut self.offsets);
        for reg in 0..kernel.places.len() {
            match kernel.places[reg] {
                Place::Input(at) => {
                    let (source, step) = self.tile_of(at, origin);
                    // SAFETY: the tile lies in the input's region, and the slot holds a tile.
                    unsafe {
                        gather_tile(source, step, rows, cols, kernel.operands[at].size, self.pointers[reg])
                    };
                }
                Place::Iota(at) => {
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
                Place::Direct(_) => unreachable!("tiles have no direct outputs"),
                Place::Param | Place::Temp => {}
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

/// Whether an operand's elements lie one after the other along the inner space, and aligned.
fn is_dense(dims: &Dims, steps: &[isize], operand: &Operand) -> bool {
    let mut expected = operand.size as isize;
    for (&dim, &step) in dims.iter().zip(steps).rev() {
        if step != expected {
            return false;
        }
        expected *= dim as isize;
    }
    operand.aligned && !operand.base.get().is_null()
}

/// Runs a Program without a reduction.
pub(crate) fn run_map(program: &Program, inputs: &[Buffer], outputs: &[Buffer], level: Level) -> Result<()> {
    if program.size() == 0 {
        return Ok(());
    }
    let mut kernel = Kernel::new(program, inputs, outputs, level)?;
    let order = program.outputs.last().map(|o| o.layout.nesting()).unwrap_or_default();
    let mut space = kernel.space(&order);
    space.collapse();
    let parallel = kernel.pays_parallel(space.size());
    if let Some(axis) = tiled_axis(&kernel, &space) {
        kernel.leave_direct();
        return run_tiles(&kernel, &space, axis, parallel);
    }
    let last = space.dims.len().saturating_sub(1);
    let at = if space.dims.last().is_some_and(|&d| d < SHORT_ROW) { 0 } else { last };
    let (fixed, mut inner) = space.split(at);
    if inner.dims.is_empty() {
        add_unit_axis(&kernel, &mut inner);
    }
    kernel.leave_direct_unless_dense(&inner);
    let length = inner.size();
    let block = kernel.block_elements().min(length);
    let chunks = length.div_ceil(block);
    let blocks = fixed.size() * chunks;
    let per_task = (TASK / block).max(1);
    run_tasks(blocks.div_ceil(per_task), parallel, &|task| {
        let mut evaluator = Evaluator::new(&kernel, &fixed, &inner, block);
        for at in task * per_task..((task + 1) * per_task).min(blocks) {
            let start = at % chunks * block;
            evaluator.eval(at / chunks, start, block.min(length - start));
        }
        stream_fence();
    })
}

/// A space of one element still has an axis to walk.
fn add_unit_axis(kernel: &Kernel<'_>, inner: &mut Space) {
    inner.dims.push(1);
    for (operand, steps) in kernel.operands.iter().zip(&mut inner.steps) {
        steps.push(operand.size as isize);
    }
}

impl Kernel<'_> {
    /// Whether nothing is computed or written on the way.
    pub(crate) fn is_bare(&self) -> bool {
        self.program.code.is_empty() && self.stores.is_empty()
    }

    /// Whether anything is written on the way.
    pub(crate) fn stores(&self) -> bool {
        !self.stores.is_empty()
    }

    /// Turns direct outputs into temporaries with a block of their own.
    pub(crate) fn leave_direct(&mut self) {
        for reg in 0..self.places.len() {
            if matches!(self.places[reg], Place::Direct(_)) {
                self.places[reg] = Place::Temp;
                self.slots[reg] = self.slot_count;
                self.slot_count += 1;
            }
        }
    }

    /// Direct outputs must be dense along the walk.
    fn leave_direct_unless_dense(&mut self, inner: &Space) {
        let all = self.places.iter().all(|place| match place {
            Place::Direct(store) => {
                let at = self.stores[*store].operand;
                is_dense(&inner.dims, &inner.steps[at], &self.operands[at])
            }
            _ => true,
        });
        if !all {
            self.leave_direct();
        }
    }
}

/// The axis that some operand walks in smaller steps than the innermost one: both are then walked in tiles.
fn tiled_axis(kernel: &Kernel<'_>, space: &Space) -> Option<usize> {
    let last = space.dims.len().checked_sub(1)?;
    if last == 0 || space.dims[last] < TILE_ROWS / 2 {
        return None;
    }
    kernel.operands.iter().zip(&space.steps).find_map(|(operand, steps)| {
        if operand.base.get().is_null() || steps[last].unsigned_abs() <= 2 * operand.size {
            return None;
        }
        (0..last)
            .filter(|&a| {
                steps[a] != 0 && steps[a].abs() < steps[last].abs() && space.dims[a] >= TILE_ROWS / 2
            })
            .min_by_key(|&a| steps[a].abs())
    })
}

fn run_tiles(kernel: &Kernel<'_>, space: &Space, axis: usize, parallel: bool) -> Result<()> {
    let last = space.dims.len() - 1;
    let mut order: Dims = (0..last).filter(|&a| a != axis).collect();
    order.extend([axis, last]);
    let moved = Space {
        dims: order.iter().map(|&a| space.dims[a]).collect(),
        steps: space.steps.iter().map(|s| order.iter().map(|&a| s[a]).collect()).collect(),
    };
    let (fixed, inner) = moved.split(last - 1);
    let (rows, cols) = (inner.dims[0], inner.dims[1]);
    let (down, across) = (rows.div_ceil(TILE_ROWS), cols.div_ceil(TILE_COLS));
    // A task is one row of tiles, walked along the innermost axis.
    run_tasks(fixed.size() * down, parallel, &|task| {
        let mut evaluator = Evaluator::new(kernel, &fixed, &inner, TILE_ROWS * TILE_COLS);
        let row = task % down * TILE_ROWS;
        for tile in 0..across {
            let col = tile * TILE_COLS;
            evaluator.eval_tile(
                task / down,
                (row, col),
                TILE_ROWS.min(rows - row),
                TILE_COLS.min(cols - col),
            );
        }
    })
}
