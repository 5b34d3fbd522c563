//! A Program one instruction at a time, through memory: the same results, without the fused kernel.

use std::sync::Arc;

use cuprum_core::{DType, Layout, Result};
use cuprum_graph::{Buffer, Input, Output, Program, Reduce};
use smallvec::SmallVec;

use super::{Programs, addresses};
use crate::codegen::LaunchPlan;
use crate::session::Session;

impl Programs {
    /// Whether every step has its kernel already, and there is more than one.
    pub(super) fn runs_in_steps(&self, program: &Program) -> bool {
        has_steps(program)
            && self.has_kernels(program)
            && program.reduce.as_ref().and_then(epilogue).is_none_or(|(rest, _)| self.has_kernels(&rest))
    }

    fn has_kernels(&self, program: &Program) -> bool {
        SingleSteps::of(program).all(|step| {
            // Any well-aligned addresses do: they decide about kinds of access, not about the structure.
            let at = |n: usize| SmallVec::<[usize; 8]>::from_elem(1 << 20, n);
            let (inputs, outputs) = (step.program.input_buffers(), step.program.output_buffers());
            LaunchPlan::of(&step.program, &at(inputs), &at(outputs))
                .is_none_or(|plan| self.ready(&plan.key).is_some())
        })
    }

    /// Runs the steps one after the other.
    pub(super) fn run_in_steps(
        self: &Arc<Programs>,
        session: &Session,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let (inputs, late_inputs) = inputs.split_at(program.inputs.len());
        let (outputs, late_outputs) = outputs.split_at(program.outputs.len());
        let Some(reduce) = &program.reduce else {
            return self.run_steps(session, program, inputs, outputs, &[]);
        };
        let mut results: Vec<Buffer> = Vec::with_capacity(program.input_buffers());
        for (at, input) in reduce.epilogue.inputs[..reduce.results.len()].iter().enumerate() {
            results.push(match reduce.stored_whole(at) {
                Some(output) => late_outputs[output].clone(),
                None => session.scratch(input.layout.size() * input.dtype.size())?,
            });
        }
        self.run_steps(session, program, inputs, outputs, &results)?;
        let Some((rest, stored)) = epilogue(reduce) else { return Ok(()) };
        results.extend_from_slice(late_inputs);
        let stored: Vec<Buffer> = stored.into_iter().map(|at| late_outputs[at].clone()).collect();
        self.run_steps(session, &rest, &results, &stored, &[])
    }

    /// Runs the steps over one shape; `results` is where reductions leave theirs.
    fn run_steps(
        self: &Arc<Programs>,
        session: &Session,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
        results: &[Buffer],
    ) -> Result<()> {
        let mut held: Vec<Option<Buffer>> = inputs.iter().cloned().map(Some).collect();
        held.resize(program.registers(), None);
        let mut uses = vec![0usize; program.registers()];
        SingleSteps::of(program).for_each(|step| step.reads.iter().for_each(|&reg| uses[reg] += 1));
        for step in SingleSteps::of(program) {
            let mut read: SmallVec<[Buffer; 3]> = SmallVec::new();
            for &reg in &step.reads {
                uses[reg] -= 1;
                // After its last use a temporary goes; the stream's order keeps its memory from being used too early.
                let buffer = if uses[reg] == 0 { held[reg].take() } else { held[reg].clone() };
                read.push(buffer.expect("a register is computed before it is read"));
            }
            let written = match step.target {
                Target::Register(reg) => {
                    let bytes = program.size() * program.dtype(reg as u16).size();
                    held[reg].insert(session.scratch(bytes)?).clone()
                }
                Target::Output(at) => outputs[at].clone(),
                Target::Result(at) => results[at].clone(),
            };
            let written = [written];
            let Some(plan) = LaunchPlan::of(&step.program, &addresses(&read), &addresses(&written)) else {
                continue;
            };
            let kernel = match self.ready(&plan.key) {
                Some(kernel) => kernel,
                None => self.compiled(session, &plan.key)?,
            };
            self.launch(session, kernel, plan)?;
        }
        Ok(())
    }
}

/// Whether a Program is more than one step; rows that are reduced and go on have no steps.
pub(super) fn has_steps(program: &Program) -> bool {
    if program.rows.is_some() {
        return false;
    }
    let late = program.reduce.as_ref().map_or(0, |r| r.results.len() + r.epilogue.code.len());
    program.code.len() + late > 1
}

/// The rest of an epilogue once the results that are stored unchanged are in their outputs, and the numbers of the outputs
/// that it still stores; `None` if it stores none.
fn epilogue(reduce: &Reduce) -> Option<(Program, Vec<usize>)> {
    let whole: Vec<_> = (0..reduce.results.len()).filter_map(|at| reduce.stored_whole(at)).collect();
    let stored: Vec<usize> = (0..reduce.epilogue.outputs.len()).filter(|at| !whole.contains(at)).collect();
    let outputs = stored.iter().map(|&at| reduce.epilogue.outputs[at].clone()).collect();
    (!stored.is_empty()).then(|| (Program { outputs, ..(*reduce.epilogue).clone() }, stored))
}

/// One step: a Program of one instruction, one store or one reduction.
struct SingleStep {
    program: Program,
    /// The registers of the whole Program that it reads, in the order of its inputs.
    reads: SmallVec<[usize; 3]>,
    target: Target,
}

enum Target {
    /// A temporary that holds this register.
    Register(usize),
    /// This buffer of the Program's outputs.
    Output(usize),
    /// The result of this reduction.
    Result(usize),
}

struct SingleSteps<'a> {
    program: &'a Program,
    next: usize,
}

impl SingleSteps<'_> {
    fn of(program: &Program) -> SingleSteps<'_> {
        SingleSteps { program, next: 0 }
    }

    /// How a register is read by a step.
    fn input(&self, reg: usize) -> Input {
        match self.program.inputs.get(reg) {
            Some(input) => input.clone(),
            None => dense(self.program, self.program.dtype(reg as u16)),
        }
    }

    /// A step over these registers, still without code.
    fn over(&self, regs: &[u16]) -> (Program, SmallVec<[usize; 3]>, SmallVec<[u16; 3]>) {
        let (inputs, params) = (self.program.inputs.len(), self.program.params.len());
        let is_param = |reg: usize| (inputs..inputs + params).contains(&reg);
        let mut step = Program::over(&self.program.shape);
        let mut reads: SmallVec<[usize; 3]> = SmallVec::new();
        for &reg in regs {
            let reg = reg as usize;
            if is_param(reg) {
                step.params.push(self.program.params[reg - inputs]);
            } else if !reads.contains(&reg) {
                reads.push(reg);
                step.inputs.push(self.input(reg));
            }
        }
        let mut next_param = reads.len();
        let args = regs
            .iter()
            .map(|&reg| match reads.iter().position(|&read| read == reg as usize) {
                Some(at) => at as u16,
                None => {
                    next_param += 1;
                    (next_param - 1) as u16
                }
            })
            .collect();
        (step, reads, args)
    }
}

impl Iterator for SingleSteps<'_> {
    type Item = SingleStep;

    fn next(&mut self) -> Option<SingleStep> {
        let program = self.program;
        let first = program.inputs.len() + program.params.len();
        let at = self.next;
        self.next += 1;
        if let Some(instr) = program.code.get(at) {
            let (mut step, reads, args) = self.over(&instr.args);
            let mut instr = instr.clone();
            instr.args = args;
            let layout = Layout::contiguous(&program.shape, instr.output.size());
            let reg = step.registers() as u16;
            step.outputs.push(Output { reg, dtype: instr.output, layout });
            step.code.push(instr);
            return Some(SingleStep { program: step, reads, target: Target::Register(first + at) });
        }
        let at = at - program.code.len();
        if let Some(output) = program.outputs.get(at) {
            let (mut step, reads, args) = self.over(&[output.reg]);
            step.outputs.push(Output { reg: args[0], ..output.clone() });
            return Some(SingleStep { program: step, reads, target: Target::Output(at) });
        }
        let (reduce, at) = (program.reduce.as_ref()?, at - program.outputs.len());
        let reduced = reduce.results.get(at)?;
        let (mut step, reads, args) = self.over(&[reduced.reg]);
        let (axes, nesting) = (&reduce.axes, &reduce.nesting);
        let alone = Reduce::alone(&program.shape, reduced.op, args[0], reduced.dtype, axes, nesting);
        step.reduce = Some(alone);
        Some(SingleStep { program: step, reads, target: Target::Result(at) })
    }
}

/// How a temporary lies.
fn dense(program: &Program, dtype: DType) -> Input {
    Input { dtype, layout: Layout::contiguous(&program.shape, dtype.size()) }
}
