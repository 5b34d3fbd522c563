//! The block machine: a Program prepared as a list of lanes, evaluated block by block.
//!
//! A [`BoundProgram`] is the Program bound to memory; each task owns an [`Evaluator`] with the blocks of its temporaries.

mod bounds;
mod evaluate;
mod evaluate_rows;
mod run;
mod scratch;
mod steps;

use cuprum_core::{Result, SimdLevel};
use cuprum_graph::{Buffer, InstrKind, Program, Reg};
use cuprum_threads::Shared;
use smallvec::SmallVec;

use crate::space::Space;

use evaluate::is_dense;
pub(crate) use evaluate::{Evaluator, InPlaceRows};
pub(crate) use run::run_map;
pub(crate) use scratch::{CacheLine, Scratch, touch_scratch, uninitialized};
pub(crate) use steps::is_busy;
use steps::{Step, StepRun, steps};

/// Elements of a block in a reduction's fixed pattern.
pub(crate) const REDUCTION_BLOCK: usize = 1024;
/// Bytes that a temporary should take, and that all of them together should, to stay in the first-level cache.
const BLOCK_BYTES: usize = 4096;
const TEMPORARIES_BYTES: usize = 16 << 10;
/// Elements of a block where there are no temporaries: what is done once a block no longer counts.
const NO_TEMPORARIES_BLOCK: usize = 16 << 10;
/// Elements times what is done with each below which one thread is faster than several, and what an elementary function counts
/// for beside a sum.
const PARALLEL_MIN_WORK: usize = 150_000;
const FUNCTION_WORK: usize = 12;
/// Outputs at least as large are written past the caches: those of one input, and those of several, which keep memory busy
/// enough for smaller ones to be faster through the caches.
const STREAMED_MIN_BYTES: (usize, usize) = (8 << 20, 16 << 20);
/// Programs over at least this many elements fetch their inputs ahead.
const PREFETCH_MIN_ELEMENTS: usize = 1 << 18;

/// An array in memory, or the positions along an axis, as an operand of a kernel.
#[derive(Clone)]
struct KernelOperand {
    base: Shared,
    size: usize,
    aligned: bool,
}

#[derive(Clone)]
struct Store {
    reg: Reg,
    operand: usize,
    streamed: bool,
}

/// Where a register's block is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum RegisterPlace {
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
    /// Between two instructions that one step does: nowhere.
    Inside,
}

/// A Program bound to memory.
#[derive(Clone)]
pub(crate) struct BoundProgram<'a> {
    program: &'a Program,
    /// Bytes of an element of each register.
    sizes: SmallVec<[usize; 16]>,
    operands: Vec<KernelOperand>,
    steps: Vec<Step>,
    places: Vec<RegisterPlace>,
    slots: Vec<usize>,
    slot_count: usize,
    stores: Vec<Store>,
    /// The store past the caches of what the last step computes, if that is all that becomes of it.
    streamed_last: Option<usize>,
    /// Whether inputs come from memory rather than from a cache, and are asked for ahead: the processor does so by itself
    /// only where one step reads them all and little is written past the caches.
    fetches: bool,
}

impl<'a> BoundProgram<'a> {
    /// A Program over these buffers; inputs for which `stays` holds will be one element over every block, if they are aligned.
    pub(crate) fn new(
        program: &'a Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
        stays: impl Fn(usize) -> bool,
        level: SimdLevel,
    ) -> Result<BoundProgram<'a>> {
        let first_code = program.inputs.len() + program.params.len();
        let mut operands: Vec<KernelOperand> = Vec::with_capacity(inputs.len() + outputs.len());
        for (input, buffer) in program.inputs.iter().zip(inputs) {
            operands.push(operand(buffer.address(), &input.layout, input.dtype.size()));
        }
        let mut places: Vec<RegisterPlace> = (0..inputs.len()).map(RegisterPlace::Input).collect();
        places.extend(program.params.iter().map(|_| RegisterPlace::Param));
        places.resize(program.registers(), RegisterPlace::Inside);
        for (at, instr) in program.code.iter().enumerate() {
            if let InstrKind::Iota(_) = instr.kind {
                places[first_code + at] = RegisterPlace::Iota(operands.len());
                operands.push(KernelOperand { base: Shared(std::ptr::null_mut()), size: 1, aligned: true });
            }
        }
        let steps = steps(program, |input| stays(input) && operands[input].aligned, level)?;
        for reg in steps.iter().flat_map(Step::written) {
            places[reg as usize] = RegisterPlace::Temp;
        }
        let least = if inputs.len() > 1 { STREAMED_MIN_BYTES.1 } else { STREAMED_MIN_BYTES.0 };
        let mut stores = Vec::with_capacity(program.outputs.len());
        for (output, buffer) in program.outputs.iter().zip(outputs) {
            let size = output.dtype.size();
            let overwrites_input = inputs.iter().any(|i| i.address() == buffer.address());
            let reg = output.reg;
            let is_last = reg as usize + 1 == program.registers();
            let streamed = !overwrites_input && program.size() * size >= least;
            // Whether it is dense along the walk is found later, by `leave_direct_unless_dense`.
            let may_be_direct = !overwrites_input || is_last && output.layout.is_dense(size);
            if may_be_direct && !streamed && places[reg as usize] == RegisterPlace::Temp {
                places[reg as usize] = RegisterPlace::Direct(stores.len());
            }
            stores.push(Store { reg, operand: operands.len(), streamed });
            operands.push(operand(buffer.address(), &output.layout, size));
        }
        let (slots, slot_count) = assign_slots(program, &places, &steps);
        let streamed_last = streamed_last(program, &steps, &stores);
        let read: usize = program.inputs.iter().map(|input| input.dtype.size()).sum();
        let writes = |store: usize| 4 * operands[stores[store].operand].size >= read;
        let alternates = steps.len() > 1 || streamed_last.is_some_and(writes) && !steps[0].busy;
        let fetches = alternates && program.size() >= PREFETCH_MIN_ELEMENTS;
        Ok(BoundProgram {
            program,
            sizes: (0..program.registers()).map(|reg| program.dtype(reg as Reg).size()).collect(),
            operands,
            steps,
            places,
            slots,
            slot_count,
            stores,
            streamed_last,
            fetches,
        })
    }

    /// The Program's axes in an order, with the steps of every operand.
    pub(crate) fn space(&self, order: &[usize]) -> Space {
        space_of(self.program, order)
    }

    /// Whether a register's block leaves the steps as a whole: to memory, or into a reduction.
    fn leaves(&self, reg: usize) -> bool {
        let reduced = self.program.reduce.iter().flat_map(|reduce| reduce.results.iter().map(|r| r.reg));
        self.stores.iter().map(|store| store.reg).chain(reduced).any(|left| left as usize == reg)
    }

    /// Whether a constant needs one element alone: every step that reads it does so as a scalar operand.
    fn is_one_element(&self, reg: usize) -> bool {
        let reg = reg as Reg;
        let as_scalar = |step: &Step| step.has_scalar_operands && step.args[0] != reg;
        let reads = |step: &&Step| step.args.contains(&reg);
        !self.leaves(reg as usize) && self.steps.iter().filter(reads).all(as_scalar)
    }

    /// Bytes of the largest element.
    fn widest(&self) -> usize {
        self.sizes.iter().copied().max().unwrap_or(8)
    }

    /// Elements of a block such that all temporaries, constants and inputs that are gathered fit the first-level cache.
    pub(crate) fn block_elements(&self, inner: &Space) -> usize {
        let widest = self.widest();
        // Of what is streamed as it is computed only a piece is there at a time.
        let streamed = self.streamed_last.map(|store| self.stores[store].reg as usize);
        let is_gathered = |at: usize| {
            let steps = &inner.steps[at];
            steps.iter().any(|step| *step != 0) && !is_dense(&inner.dims, steps, &self.operands[at])
        };
        let kept = |(reg, place): &(usize, &RegisterPlace)| match **place {
            RegisterPlace::Param => !self.is_one_element(*reg),
            RegisterPlace::Temp | RegisterPlace::Iota(_) => Some(*reg) != streamed,
            RegisterPlace::Input(at) => is_gathered(at),
            RegisterPlace::Direct(_) | RegisterPlace::Inside => false,
        };
        let kept: SmallVec<[RegisterPlace; 8]> =
            self.places.iter().enumerate().filter(kept).map(|(_, place)| *place).collect();
        match kept.len() {
            0 => NO_TEMPORARIES_BLOCK,
            // Of a constant's block steps read the first piece alone.
            _ if kept.iter().all(|place| *place == RegisterPlace::Param) => 2 * TEMPORARIES_BYTES / widest,
            // Whole cache lines, whatever the dtype: streams want them.
            count => ((TEMPORARIES_BYTES / count).max(BLOCK_BYTES) / widest / 256 * 256).max(256),
        }
    }

    /// Whether several threads pay off for this many elements.
    pub(crate) fn pays_parallel(&self, elements: usize) -> bool {
        let work: usize = self.steps.iter().map(|step| if step.busy { FUNCTION_WORK } else { 1 }).sum();
        elements.saturating_mul(1 + work.max(1)) >= PARALLEL_MIN_WORK
    }
}

/// The axes of a Program in an order, with the steps of every operand along them: inputs, positions, outputs.
fn space_of(program: &Program, order: &[usize]) -> Space {
    let ndim = program.shape.len();
    let mut strides: SmallVec<[SmallVec<[isize; 4]>; 8]> =
        program.inputs.iter().map(|i| i.layout.strides.clone()).collect();
    for instr in &program.code {
        if let InstrKind::Iota(axis) = instr.kind {
            strides.push((0..ndim).map(|a| isize::from(a == axis)).collect());
        }
    }
    strides.extend(program.outputs.iter().map(|o| o.layout.strides.clone()));
    let slices: SmallVec<[&[isize]; 8]> = strides.iter().map(|s| s.as_slice()).collect();
    Space::new(&program.shape, order, &slices)
}

fn streamed_last(program: &Program, steps: &[Step], stores: &[Store]) -> Option<usize> {
    let reg = steps.last().filter(|step| matches!(step.run, StepRun::One(_)))?.dst;
    let mut mine = stores.iter().enumerate().filter(|(_, store)| store.reg == reg);
    let (at, store) = mine.next()?;
    (store.streamed && mine.next().is_none() && program.reduce.is_none()).then_some(at)
}

fn operand(address: usize, layout: &cuprum_core::Layout, size: usize) -> KernelOperand {
    let base = address + layout.offset;
    let aligned = base.is_multiple_of(size.min(16)) && layout.strides.iter().all(|s| s % size as isize == 0);
    KernelOperand { base: Shared(base as *mut u8), size, aligned }
}

/// Gives every register that needs a block of its own a slot; temporaries share slots when their lives do not overlap.
fn assign_slots(program: &Program, places: &[RegisterPlace], steps: &[Step]) -> (Vec<usize>, usize) {
    let registers = places.len();
    let mut last_use = vec![0usize; registers];
    for step in steps {
        for &arg in &step.args {
            last_use[arg as usize] = step.dst as usize;
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
        if places[reg] == RegisterPlace::Temp {
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
        } else if !matches!(places[reg], RegisterPlace::Direct(_) | RegisterPlace::Inside) {
            slots[reg] = count;
            count += 1;
        }
    }
    (slots, count)
}

impl BoundProgram<'_> {
    /// Whether nothing is computed or written on the way.
    pub(crate) fn is_bare(&self) -> bool {
        self.program.code.is_empty() && self.stores.is_empty()
    }

    /// The operand that a register is, with its elements as they lie in memory, and where that begins.
    pub(crate) fn in_place(&self, reg: Reg) -> Option<(usize, *const u8)> {
        let RegisterPlace::Input(at) = self.places[reg as usize] else { return None };
        let operand = &self.operands[at];
        (self.is_bare() && operand.aligned).then_some((at, operand.base.get().cast_const()))
    }

    /// Whether anything is written on the way.
    pub(crate) fn stores(&self) -> bool {
        !self.stores.is_empty()
    }

    /// Writes an output through the caches, whatever its size: it is read again soon.
    pub(crate) fn store_through_caches(&mut self, output: usize) {
        self.stores[output].streamed = false;
        self.streamed_last = self.streamed_last.filter(|&last| last != output);
    }

    /// The operand that an output is.
    pub(crate) fn output_operand(&self, output: usize) -> usize {
        self.stores[output].operand
    }

    /// Puts an operand elsewhere, as well aligned as it was.
    ///
    /// # Safety
    /// All elements of the operand that are evaluated from now on lie in memory that the Program may use.
    pub(crate) unsafe fn move_operand(&mut self, operand: usize, base: *mut u8) {
        self.operands[operand].base = Shared(base);
    }

    /// A space of one element still has an axis to walk.
    pub(crate) fn add_unit_axis(&self, inner: &mut Space) {
        inner.dims.push(1);
        for (operand, steps) in self.operands.iter().zip(&mut inner.steps) {
            steps.push(operand.size as isize);
        }
    }

    /// Turns direct outputs into temporaries with a block of their own.
    pub(crate) fn leave_direct(&mut self) {
        self.leave_direct_where(|_, _| true);
    }

    /// Direct outputs must be dense along the walk.
    pub(crate) fn leave_direct_unless_dense(&mut self, inner: &Space) {
        self.leave_direct_where(|kernel, at| !is_dense(&inner.dims, &inner.steps[at], &kernel.operands[at]));
    }

    /// Turns the direct outputs whose operand `leaves` into temporaries with a block of their own.
    fn leave_direct_where(&mut self, leaves: impl Fn(&Self, usize) -> bool) {
        for reg in 0..self.places.len() {
            if let RegisterPlace::Direct(store) = self.places[reg]
                && leaves(self, self.stores[store].operand)
            {
                self.places[reg] = RegisterPlace::Temp;
                self.slots[reg] = self.slot_count;
                self.slot_count += 1;
            }
        }
    }
}
