//! Programs along rows: reductions whose results go back to the elements of their rows. A task takes bands of rows, each
//! small enough to stay in the caches; level after level, it computes what is there once for each row, then elements, and
//! reduces these. Elements that cost more to compute again than to read wait in memory of the task's own.

use cuprum_core::{DType, Dims, Layout, Result, Scalar, SimdLevel};
use cuprum_graph::{
    Buffer, DeviceCache, DeviceKind, Input, Instr, InstrKind, Output, Program, Reduce, Reduced, Reg,
    RowLevels, RowShape, Rows,
};
use cuprum_threads::{Shared, run_spread, thread_count};
use smallvec::SmallVec;

use super::row_walk::{ElementKernel, RowKernel, Walk};
use super::{ReductionPart, scratch};
use crate::block::{BoundProgram, CacheLine, REDUCTION_BLOCK, Scratch};
use crate::streams::stream_fence;

/// The largest row of an array, in bytes: the second-level cache keeps what several walks over it read.
const MAX_ROW_BYTES: usize = 256 << 10;
/// The least number of rows that keeps the threads busy, and the number of elements up to which one thread is as fast as
/// several.
const MIN_ROWS: usize = 16;
const SERIAL_MAX_ELEMENTS: usize = 1 << 15;
/// Elements of a band where rows are shorter than that.
const BAND_ELEMENTS: usize = 8 << 10;
/// Bands that a task has at most, and tasks that each thread should have at least.
const BANDS_PER_TASK: usize = 32;
const MIN_TASKS_PER_THREAD: usize = 4;
/// What an element may cost, in light ops, to be computed again by each walk over its row.
const MAX_COMPUTED_AGAIN: usize = 3;

/// Whether rows like these are reduced by one task each.
pub(crate) fn takes_rows(rows: &RowShape) -> bool {
    rows.length > 0
        && rows.count > 0
        && rows.length * rows.width <= MAX_ROW_BYTES
        && (rows.count >= MIN_ROWS || rows.count * rows.length <= SERIAL_MAX_ELEMENTS)
}

/// Runs a Program along rows. `remembered` keeps how it is cut into parts, which follows from its structure.
pub(crate) fn run_rows(
    program: &Program,
    rows: &Rows,
    remembered: &mut DeviceCache,
    inputs: &[Buffer],
    outputs: &[Buffer],
    level: SimdLevel,
) -> Result<()> {
    if program.size() == 0 {
        return Ok(());
    }
    match remembered.as_mut().and_then(|kept| kept.downcast_mut::<RowPlan>()) {
        Some(plan) => plan.set_params(&program.params),
        None => *remembered = Some(Box::new(RowPlan::of(program, rows))),
    }
    let plan = remembered.as_ref().and_then(|kept| kept.downcast_ref::<RowPlan>());
    plan.expect("a plan was kept").run(inputs, outputs, level)
}

/// A Program along rows, cut into the parts that run one after the other.
struct RowPlan {
    rows: Rows,
    /// How many rows there are, and how many elements each of them has.
    count: usize,
    length: usize,
    /// Results, one for each row, as they lie, in bytes.
    results: Layout,
    /// The dtype of each register.
    dtypes: Vec<DType>,
    /// The registers that hold one element for each row.
    per_row: Vec<Reg>,
    /// Registers of elements that one walk over a row leaves to later ones.
    carried: Vec<Reg>,
    levels: Vec<LevelParts>,
}

/// What is computed once for each row, then for each element, and the registers that reductions of these fill.
struct LevelParts {
    per_row: Part,
    elements: Part,
    filled: Vec<Reg>,
}

impl RowPlan {
    fn of(program: &Program, rows: &Rows) -> RowPlan {
        let draft = Draft::new(program, rows);
        let count = draft.results.size();
        let part = |at| {
            let (elements, filled) = draft.elements(at);
            LevelParts { per_row: draft.per_row(at), elements, filled }
        };
        let levels = (0..draft.levels.count()).map(part).collect();
        let made = (draft.first_code()..program.registers()).map(|reg| reg as Reg);
        let per_row = made.filter(|&reg| draft.levels.is_per_row(reg)).collect();
        RowPlan {
            rows: rows.clone(),
            count,
            length: program.size() / count,
            dtypes: (0..program.registers()).map(|reg| program.dtype(reg as Reg)).collect(),
            per_row,
            levels,
            results: draft.results,
            carried: draft.carried,
        }
    }

    /// Takes over the scalars of another run.
    fn set_params(&mut self, params: &[Scalar]) {
        for part in self.levels.iter_mut().flat_map(|level| [&mut level.per_row, &mut level.elements]) {
            for (param, &at) in part.program.params.iter_mut().zip(&part.params) {
                *param = params[at];
            }
        }
    }

    fn size_of(&self, reg: Reg) -> usize {
        self.dtypes[reg as usize].size()
    }

    fn run(&self, inputs: &[Buffer], outputs: &[Buffer], level: SimdLevel) -> Result<()> {
        let mut results: Vec<Option<Buffer>> = vec![None; self.dtypes.len()];
        for &reg in &self.per_row {
            results[reg as usize] = Some(scratch(self.count * self.size_of(reg)));
        }
        let memory = Memory { inputs, outputs, results };
        let mut walks: Vec<Walk<'_>> = Vec::with_capacity(self.levels.len());
        for LevelParts { per_row, elements, filled } in &self.levels {
            walks.push(Walk {
                per_row: per_row.bound_results(&memory, self, level)?,
                elements: elements.bound_elements(&memory, self, filled, level)?,
            });
        }
        let (count, length) = (self.count, self.length);
        let band = (BAND_ELEMENTS / length).max(1);
        let bands = count.div_ceil(band);
        let per_task = (bands / (MIN_TASKS_PER_THREAD * thread_count())).clamp(1, BANDS_PER_TASK);
        let parallel =
            walks.iter().flat_map(|walk| &walk.elements).any(|e| e.kernel.pays_parallel(count * length));
        let lines = |reg: &Reg| (band * length * self.size_of(*reg)).div_ceil(size_of::<CacheLine>());
        let kept: usize = self.carried.iter().map(lines).sum();
        run_spread(bands.div_ceil(per_task), parallel, &|task| {
            let mut own = Scratch::new(kept + 1);
            let mut places: SmallVec<[(Reg, *mut u8); 4]> = SmallVec::new();
            let mut line = 0;
            for reg in &self.carried {
                places.push((*reg, own.at(line)));
                line += lines(reg);
            }
            // Only what lies in memory of the task's own is bound anew.
            let moves = |elements: &&ElementKernel<'_>| !elements.carried.is_empty();
            let mut moved: SmallVec<[Option<BoundProgram<'_>>; 4]> = walks
                .iter()
                .map(|walk| walk.elements.as_ref().filter(moves).map(|e| e.kernel.clone()))
                .collect();
            for at in task * per_task..((task + 1) * per_task).min(bands) {
                let first = at * band;
                let rows = band.min(count - first);
                for (walk, moved) in walks.iter().zip(&mut moved) {
                    if let Some(per_row) = &walk.per_row {
                        per_row.run(first, rows);
                    }
                    let Some(elements) = &walk.elements else { continue };
                    let kernel = match moved {
                        Some(kernel) => {
                            // SAFETY: the places hold a band's elements, and those of this band alone are evaluated.
                            unsafe { elements.place(kernel, &places, first * length) };
                            &*kernel
                        }
                        None => &elements.kernel,
                    };
                    elements.run(kernel, first, rows, length);
                }
            }
            stream_fence();
        })
    }
}

/// Where a part of a Program reads.
#[derive(Clone, Copy)]
enum Source {
    Input(usize),
    /// What is there once for each row.
    Result(Reg),
    /// What an earlier walk over the row has left.
    Carried(Reg),
}

/// Where it writes.
#[derive(Clone, Copy)]
enum Target {
    Output(usize),
    Result(Reg),
    Carried(Reg),
}

/// A Program along rows as it is cut into parts.
struct Draft<'a> {
    program: &'a Program,
    rows: &'a Rows,
    levels: RowLevels,
    /// Results, one for each row, as they lie, in bytes.
    results: Layout,
    /// Registers of elements that one walk over a row leaves to later ones.
    carried: Vec<Reg>,
}

/// A part of a Program, and what its buffers are.
struct Part {
    program: Program,
    sources: Vec<Source>,
    targets: Vec<Target>,
    /// The parameters of the whole that its own are.
    params: Vec<usize>,
    numbers: Vec<Reg>,
}

struct Memory<'a> {
    inputs: &'a [Buffer],
    outputs: &'a [Buffer],
    results: Vec<Option<Buffer>>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, rows: &'a Rows) -> Draft<'a> {
        let kept: Dims = (0..program.shape.len()).filter(|axis| !rows.axes.contains(axis)).collect();
        let shape: Dims = kept.iter().map(|&axis| program.shape[axis]).collect();
        let order: Dims = rows.nesting.iter().filter_map(|n| kept.iter().position(|k| k == n)).collect();
        let results = Layout::dense(&shape, &order, 1);
        let levels = RowLevels::of(program);
        let carried = levels.carried(program, MAX_COMPUTED_AGAIN, |output| {
            (!levels.is_result(rows, output)).then(|| levels.level(output.reg))
        });
        Draft { program, rows, levels, results, carried }
    }

    fn first_code(&self) -> usize {
        self.program.inputs.len() + self.program.params.len()
    }

    /// The instructions that reduce in the walk of a level, as the registers of their results.
    fn reductions(&self, level: usize) -> impl Iterator<Item = (Reg, &Instr)> {
        let first = self.first_code();
        let code = self.program.code.iter().enumerate();
        code.filter(move |(_, instr)| {
            matches!(instr.kind, InstrKind::Reduce(_)) && self.levels.level(instr.args[0]) == level
        })
        .map(move |(at, instr)| ((first + at) as Reg, instr))
    }

    fn is_result(&self, output: &Output) -> bool {
        self.levels.is_result(self.rows, output)
    }

    fn element_outputs(&self, level: usize) -> impl Iterator<Item = (usize, &Output)> {
        let outputs = self.program.outputs.iter().enumerate();
        outputs.filter(move |(_, o)| !self.is_result(o) && self.levels.level(o.reg) == level)
    }

    /// A layout over the axes that stay.
    fn without_rows(&self, layout: &Layout) -> Layout {
        let kept = || (0..layout.shape.len()).filter(|axis| !self.rows.axes.contains(axis));
        Layout {
            shape: kept().map(|axis| layout.shape[axis]).collect(),
            strides: kept().map(|axis| layout.strides[axis]).collect(),
            offset: layout.offset,
        }
    }

    /// How results of a dtype lie: over the axes that stay, and over all.
    fn result_layout(&self, dtype: DType) -> Layout {
        let mut layout = self.results.clone();
        layout.strides.iter_mut().for_each(|stride| *stride *= dtype.size() as isize);
        layout
    }

    fn result_over_rows(&self, dtype: DType) -> Layout {
        let mut strides = self.result_layout(dtype).strides.into_iter();
        let axes = 0..self.program.shape.len();
        let along = axes.map(|axis| match self.rows.axes.contains(&axis) {
            true => 0,
            false => strides.next().unwrap_or(0),
        });
        Layout { shape: self.program.shape.clone(), strides: along.collect(), offset: 0 }
    }

    /// What is computed once for each row before the walk of a level.
    fn per_row(&self, level: usize) -> Part {
        let (program, levels) = (self.program, &self.levels);
        let is_here = |reg: Reg| levels.is_per_row(reg) && levels.level(reg) == level;
        let is_reduction = |reg: Reg| {
            let at = (reg as usize).checked_sub(self.first_code());
            at.is_some_and(|at| matches!(program.code[at].kind, InstrKind::Reduce(_)))
        };
        let source = |reg: Reg| {
            let at = reg as usize;
            if let Some(input) = program.inputs.get(at) {
                let layout = self.without_rows(&input.layout);
                return Some((Source::Input(at), Input { dtype: input.dtype, layout }));
            }
            let is_known = at >= self.first_code() && (levels.level(reg) < level || is_reduction(reg));
            let dtype = program.dtype(reg);
            is_known.then(|| (Source::Result(reg), Input { dtype, layout: self.result_layout(dtype) }))
        };
        let made = (self.first_code()..program.registers()).map(|reg| reg as Reg);
        let made: Vec<Reg> = made.filter(|&reg| is_here(reg) && !is_reduction(reg)).collect();
        let stored = program.outputs.iter().enumerate();
        let stored: Vec<(usize, &Output)> =
            stored.filter(|(_, o)| self.is_result(o) && is_here(o.reg)).collect();
        let roots: Vec<Reg> = made.iter().copied().chain(stored.iter().map(|(_, o)| o.reg)).collect();
        let mut part = Part::of(program, &self.results.shape, &roots, source);
        let kept = |axis: usize| axis - self.rows.axes.iter().filter(|&&row| row < axis).count();
        for instr in &mut part.program.code {
            if let InstrKind::Iota(axis) = &mut instr.kind {
                *axis = kept(*axis);
            }
        }
        for reg in made {
            let dtype = program.dtype(reg);
            part.store(reg, dtype, self.result_layout(dtype), Target::Result(reg));
        }
        for (at, output) in stored {
            let layout = self.without_rows(&output.layout);
            part.store(output.reg, output.dtype, layout, Target::Output(at));
        }
        part
    }

    /// The walk of a level over elements, and the registers that its reductions fill.
    fn elements(&self, level: usize) -> (Part, Vec<Reg>) {
        let (program, levels) = (self.program, &self.levels);
        let source = |reg: Reg| {
            let at = reg as usize;
            if let Some(input) = program.inputs.get(at) {
                return Some((Source::Input(at), input.clone()));
            }
            let dtype = program.dtype(reg);
            if at < self.first_code() {
                return None;
            }
            if levels.is_per_row(reg) {
                let layout = self.result_over_rows(dtype);
                return Some((Source::Result(reg), Input { dtype, layout }));
            }
            let is_left = self.carried.contains(&reg) && levels.level(reg) < level;
            let layout = || Layout::dense(&program.shape, &self.rows.nesting, dtype.size());
            is_left.then(|| (Source::Carried(reg), Input { dtype, layout: layout() }))
        };
        let carried: Vec<Reg> =
            self.carried.iter().copied().filter(|&reg| levels.level(reg) == level).collect();
        let mut roots: Vec<Reg> = self.reductions(level).map(|(_, instr)| instr.args[0]).collect();
        roots.extend(&carried);
        roots.extend(self.element_outputs(level).map(|(_, output)| output.reg));
        let mut part = Part::of(program, &program.shape, &roots, source);
        for reg in carried {
            let dtype = program.dtype(reg);
            let layout = Layout::dense(&program.shape, &self.rows.nesting, dtype.size());
            part.store(reg, dtype, layout, Target::Carried(reg));
        }
        for (at, output) in self.element_outputs(level) {
            part.store(output.reg, output.dtype, output.layout.clone(), Target::Output(at));
        }
        let (mut results, mut filled): (SmallVec<[Reduced; 1]>, Vec<Reg>) = (SmallVec::new(), Vec::new());
        let mut epilogue = Program::over(&self.results.shape);
        for (reg, instr) in self.reductions(level) {
            let InstrKind::Reduce(op) = instr.kind else { continue };
            let reduced = part.numbers[instr.args[0] as usize];
            results.push(Reduced { op, reg: reduced, dtype: instr.dtype, output: instr.output });
            let layout = self.result_layout(instr.output);
            epilogue.inputs.push(Input { dtype: instr.output, layout });
            filled.push(reg);
        }
        if !results.is_empty() {
            let (axes, nesting) = (self.rows.axes.clone(), self.rows.nesting.clone());
            part.program.reduce = Some(Reduce { axes, nesting, results, epilogue: Box::new(epilogue) });
        }
        (part, filled)
    }
}

impl Part {
    /// What of a Program computes some registers, from registers that have a source.
    fn of(
        whole: &Program,
        shape: &[usize],
        roots: &[Reg],
        source: impl Fn(Reg) -> Option<(Source, Input)>,
    ) -> Part {
        let (first_param, first_code) = (whole.inputs.len(), whole.inputs.len() + whole.params.len());
        let mut is_needed = vec![false; whole.registers()];
        let mut stack = roots.to_vec();
        while let Some(reg) = stack.pop() {
            let at = reg as usize;
            if !std::mem::replace(&mut is_needed[at], true) && at >= first_code && source(reg).is_none() {
                stack.extend(&whole.code[at - first_code].args);
            }
        }
        let needed = || (0..whole.registers()).filter(|&at| is_needed[at]);
        let mut part = Part {
            program: Program::over(shape),
            sources: Vec::new(),
            targets: Vec::new(),
            params: Vec::new(),
            numbers: vec![Reg::MAX; whole.registers()],
        };
        let mut next = 0;
        let mut number = |at: usize, numbers: &mut [Reg]| {
            numbers[at] = next;
            next += 1;
        };
        for at in needed() {
            if let Some((from, input)) = source(at as Reg) {
                number(at, &mut part.numbers);
                part.sources.push(from);
                part.program.inputs.push(input);
            }
        }
        for at in needed().filter(|at| (first_param..first_code).contains(at)) {
            number(at, &mut part.numbers);
            part.params.push(at - first_param);
            part.program.params.push(whole.params[at - first_param]);
        }
        for at in needed().filter(|&at| at >= first_code && source(at as Reg).is_none()) {
            let mut instr = whole.code[at - first_code].clone();
            instr.args.iter_mut().for_each(|arg| *arg = part.numbers[*arg as usize]);
            number(at, &mut part.numbers);
            part.program.code.push(instr);
        }
        part
    }

    fn store(&mut self, reg: Reg, dtype: DType, layout: Layout, target: Target) {
        self.program.outputs.push(Output { reg: self.numbers[reg as usize], dtype, layout });
        self.targets.push(target);
    }

    fn bound(
        &self,
        memory: &Memory<'_>,
        stays: impl Fn(usize) -> bool,
        level: SimdLevel,
    ) -> Result<BoundProgram<'_>> {
        let result =
            |reg: Reg| memory.results[reg as usize].clone().expect("a register of results has memory");
        let inputs: Vec<Buffer> = (self.sources.iter())
            .map(|source| match *source {
                Source::Input(at) => memory.inputs[at].clone(),
                Source::Result(reg) => result(reg),
                Source::Carried(reg) => unplaced(reg),
            })
            .collect();
        let outputs: Vec<Buffer> = (self.targets.iter())
            .map(|target| match *target {
                Target::Output(at) => memory.outputs[at].clone(),
                Target::Result(reg) => result(reg),
                Target::Carried(reg) => unplaced(reg),
            })
            .collect();
        let mut kernel = BoundProgram::new(&self.program, &inputs, &outputs, stays, level)?;
        for (at, target) in self.targets.iter().enumerate() {
            if !matches!(target, Target::Output(_)) {
                kernel.store_through_caches(at);
            }
        }
        Ok(kernel)
    }

    /// The part over results, on memory; `None` where there is nothing to do.
    fn bound_results(
        &self,
        memory: &Memory<'_>,
        plan: &RowPlan,
        level: SimdLevel,
    ) -> Result<Option<RowKernel<'_>>> {
        if self.targets.is_empty() {
            return Ok(None);
        }
        let mut kernel = self.bound(memory, |_| false, level)?;
        let mut inner = kernel.space(&plan.results.nesting());
        inner.collapse();
        if inner.dims.is_empty() {
            kernel.add_unit_axis(&mut inner);
        }
        kernel.leave_direct_unless_dense(&inner);
        let (fixed, inner) = inner.split(0);
        Ok(Some(RowKernel { kernel, fixed, inner }))
    }

    /// The part over elements, on memory; `None` where there is nothing to do.
    fn bound_elements(
        &self,
        memory: &Memory<'_>,
        plan: &RowPlan,
        filled: &[Reg],
        level: SimdLevel,
    ) -> Result<Option<ElementKernel<'_>>> {
        if self.targets.is_empty() && filled.is_empty() {
            return Ok(None);
        }
        let rows = &plan.rows;
        let is_short = plan.length <= REDUCTION_BLOCK / 2;
        let is_fixed = |input: &Input| {
            let axes = 0..input.layout.shape.len();
            let walked = axes.filter(|axis| is_short || rows.axes.contains(axis));
            walked.into_iter().all(|axis| input.layout.shape[axis] <= 1 || input.layout.strides[axis] == 0)
        };
        let mut kernel = self.bound(memory, |at| is_fixed(&self.program.inputs[at]), level)?;
        let is_row = |axis: &usize| rows.axes.contains(axis);
        let outer: Dims = rows.nesting.iter().copied().filter(|axis| !is_row(axis)).collect();
        let along: Dims = rows.nesting.iter().copied().filter(is_row).collect();
        let (mut fixed, mut inner) = if is_short {
            let all: Dims = outer.iter().chain(&along).copied().collect();
            (kernel.space(&[]), kernel.space(&all))
        } else {
            (kernel.space(&outer), kernel.space(&along))
        };
        fixed.collapse();
        inner.collapse();
        if inner.dims.is_empty() {
            kernel.add_unit_axis(&mut inner);
        }
        let parts = match &self.program.reduce {
            None => {
                kernel.leave_direct_unless_dense(&inner);
                SmallVec::new()
            }
            Some(reduce) => {
                kernel.leave_direct();
                let result = |reg: &Reg| memory.results[*reg as usize].as_ref().map_or(0, Buffer::address);
                let targets = filled.iter().map(|reg| Shared(result(reg) as *mut u8)).collect();
                ReductionPart::of(reduce, targets, level)?
            }
        };
        let block = if parts.is_empty() { kernel.block_elements(&inner) } else { REDUCTION_BLOCK };
        // Inputs are the first operands.
        let sources = self.sources.iter().enumerate().filter_map(|(at, source)| match *source {
            Source::Carried(reg) => Some((at, reg, plan.size_of(reg))),
            _ => None,
        });
        let targets = self.targets.iter().enumerate().filter_map(|(at, target)| match *target {
            Target::Carried(reg) => Some((kernel.output_operand(at), reg, plan.size_of(reg))),
            _ => None,
        });
        let carried = sources.chain(targets).collect();
        Ok(Some(ElementKernel { kernel, fixed, inner, parts, block, is_short, carried }))
    }
}

/// Stands for memory that each task has of its own.
fn unplaced(reg: Reg) -> Buffer {
    let address = (1 + reg as usize) << 20;
    // SAFETY: nothing reads or writes it: operands are given their place before they are used.
    unsafe { Buffer::new(DeviceKind::Cpu, address, 1 << 20, std::sync::Arc::new(())) }
}
