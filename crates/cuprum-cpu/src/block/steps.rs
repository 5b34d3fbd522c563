//! A Program's instructions as the steps of the block machine: one lane each, or one for two of them where the first is
//! cheap and nothing else reads it, or where they are the sine and the cosine of the same angles.

use cuprum_core::ops::Cost;
use cuprum_core::{DType, Error, Op, Result, SimdLevel};
use cuprum_graph::{Instr, InstrKind, Program, Reg};

use cuprum_lanes::{self as lanes, DualLane, First, Lane, Second};

/// What a step runs.
#[derive(Clone, Copy)]
pub(super) enum StepRun {
    One(Lane),
    /// A lane of two results, of which the first goes to this register and the second to the step's own, or the other way
    /// round if `true`.
    Two(DualLane, Reg, bool),
}

/// A lane and the registers that it reads and writes.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) run: StepRun,
    /// What it reads; where there are fewer, the first again.
    pub(super) args: [Reg; 3],
    pub(super) dst: Reg,
    /// Whether all arguments but the first are constants, of which the lane reads one element.
    pub(super) has_scalar_operands: bool,
    /// Whether it computes for longer than memory takes to bring what it reads.
    pub(super) busy: bool,
}

/// What a step computes.
#[derive(Clone, Copy)]
enum StepFunction {
    Cast(DType),
    Op(Op),
    First(First),
    Pair(First, Second),
    /// The sine and the cosine, one in the register before and one in this; the sine here if `true`.
    SinCos(Reg, bool),
}

/// A step before its lane is chosen.
struct DraftStep {
    function: StepFunction,
    dtype: DType,
    args: [Reg; 3],
    dst: Reg,
}

/// The steps of a Program in order. What two instructions have between them gets no register. Inputs for which `stays` holds are
/// one element over every block, like parameters.
pub(super) fn steps(program: &Program, stays: impl Fn(usize) -> bool, level: SimdLevel) -> Result<Vec<Step>> {
    let first_code = program.inputs.len() + program.params.len();
    let reads = reads(program);
    let mut drafts: Vec<Option<DraftStep>> = Vec::with_capacity(program.registers());
    drafts.resize_with(first_code, || None);
    for (at, instr) in program.code.iter().enumerate() {
        let draft = DraftStep::new(instr, (first_code + at) as Reg);
        let joined = draft.map(|draft| draft.joined(&mut drafts, &reads));
        drafts.push(joined);
    }
    let constant = |reg: Reg| match reg as usize {
        input if input < program.inputs.len() => stays(input),
        other => other < first_code,
    };
    drafts.into_iter().flatten().map(|draft| draft.step(&constant, level)).collect()
}

/// How often each register is read, by instructions or by what leaves the Program.
fn reads(program: &Program) -> Vec<usize> {
    let mut reads = vec![0; program.registers()];
    let reduced = program.reduce.iter().flat_map(|reduce| reduce.results.iter().map(|r| r.reg));
    let leaving = program.outputs.iter().map(|output| output.reg).chain(reduced);
    let args = program.code.iter().flat_map(|instr| instr.args.iter().copied());
    args.chain(leaving).for_each(|reg| reads[reg as usize] += 1);
    reads
}

impl DraftStep {
    /// The step of one instruction; positions are no step but an operand.
    fn new(instr: &Instr, dst: Reg) -> Option<DraftStep> {
        let function = match instr.kind {
            InstrKind::Iota(_) | InstrKind::Reduce(_) => return None,
            InstrKind::Take => unreachable!("positions are checked at the call, by the gather"),
            InstrKind::Cast => StepFunction::Cast(instr.output),
            InstrKind::Map(op) => StepFunction::Op(op),
        };
        let mut args = [instr.args[0]; 3];
        args[..instr.args.len()].copy_from_slice(&instr.args);
        Some(DraftStep { function, dtype: instr.dtype, args, dst })
    }

    /// This step with one or two before it, if a lane does them together.
    fn joined(self, drafts: &mut [Option<DraftStep>], reads: &[usize]) -> DraftStep {
        let StepFunction::Op(op) = self.function else { return self };
        if let Op::Sin | Op::Cos = op {
            return self.with_twin(op, drafts);
        }
        let arity = op.row().nin;
        if arity > 2 || !matches!(self.dtype, DType::F32 | DType::F64) {
            return self;
        }
        let before = |place: usize| {
            let reg = self.args[place] as usize;
            let draft = drafts[reg].as_ref().filter(|draft| reads[reg] == 1 && draft.dtype == self.dtype)?;
            Some((draft.as_first()?, draft.args))
        };
        let alone = |place: usize| {
            let (first, [a, b, _]) = before(place)?;
            lanes::pair(first, Second::Op(op, place), self.dtype, SimdLevel::Portable)?;
            let other = if arity == 2 { self.args[1 - place] } else { a };
            Some((StepFunction::Pair(first, Second::Op(op, place)), [a, b, other], &self.args[place..=place]))
        };
        let joined = match (op, before(0), before(1)) {
            (Op::Add, Some((First::Square, [a, ..])), Some((First::Square, [b, ..]))) => {
                Some((StepFunction::First(First::SquareSum), [a, b, a], &self.args[..2]))
            }
            (Op::Add, Some((first, [a, b, _])), Some((First::Square, [c, ..])))
            | (Op::Add, Some((First::Square, [c, ..])), Some((first, [a, b, _]))) => {
                Some((StepFunction::Pair(first, Second::AddSquare), [a, b, c], &self.args[..2]))
            }
            _ => alone(0).or_else(|| (arity == 2).then(|| alone(1))?),
        };
        let Some((function, args, inside)) = joined else { return self };
        inside.iter().for_each(|&reg| drafts[reg as usize] = None);
        DraftStep { function, args, ..self }
    }

    /// A sine with the cosine of the same angles before it, or the other way round, if nothing in between reads that.
    fn with_twin(self, op: Op, drafts: &mut [Option<DraftStep>]) -> DraftStep {
        let other = if op == Op::Sin { Op::Cos } else { Op::Sin };
        let is_twin = |draft: &DraftStep| {
            matches!(draft.function, StepFunction::Op(op) if op == other)
                && draft.args[0] == self.args[0]
                && draft.dtype == self.dtype
        };
        let Some(twin) = drafts.iter().rposition(|draft| draft.as_ref().is_some_and(is_twin)) else {
            return self;
        };
        let reads_it = |draft: &DraftStep| draft.args.contains(&(twin as Reg));
        let has_lane = lanes::sin_cos(self.dtype, SimdLevel::Portable).is_some();
        if !has_lane || drafts[twin..].iter().flatten().any(reads_it) {
            return self;
        }
        drafts[twin] = None;
        DraftStep { function: StepFunction::SinCos(twin as Reg, op == Op::Sin), ..self }
    }

    /// What this step is as the first of a pair.
    fn as_first(&self) -> Option<First> {
        match self.function {
            StepFunction::Op(Op::Add) => Some(First::Sum),
            StepFunction::Op(Op::Subtract) => Some(First::Difference),
            StepFunction::Op(Op::Multiply) if self.args[0] == self.args[1] => Some(First::Square),
            StepFunction::Op(Op::Multiply) => Some(First::Product),
            StepFunction::Op(Op::Square) => Some(First::Square),
            StepFunction::First(first) => Some(first),
            _ => None,
        }
    }

    /// The lane with scalar operands and what it reads, where all arguments but one are constants and there is such a lane.
    fn with_scalar(&self, constant: &impl Fn(Reg) -> bool, level: SimdLevel) -> Option<(Lane, [Reg; 3])> {
        let [a, b, c] = self.args;
        match self.function {
            StepFunction::Op(Op::Clip) if !constant(a) && constant(b) && constant(c) => {
                Some((lanes::with_scalar(Op::Clip, 0, self.dtype, level)?, [a, b, c]))
            }
            StepFunction::Op(op) if op.row().nin == 2 && constant(a) != constant(b) => {
                let (place, array, other) = if constant(b) { (0, a, b) } else { (1, b, a) };
                Some((lanes::with_scalar(op, place, self.dtype, level)?, [array, other, other]))
            }
            StepFunction::Pair(first, second) => {
                let swaps = matches!(first, First::Sum | First::Product) && constant(a);
                let (a, b) = if swaps { (b, a) } else { (a, b) };
                let takes_third = !matches!(second, Second::Op(op, _) if op.row().nin == 1);
                let others_constant = (first.arity() == 1 || constant(b)) && (!takes_third || constant(c));
                let lane = lanes::pair_with_scalar(first, second, self.dtype, level);
                Some((lane.filter(|_| !constant(a) && others_constant)?, [a, b, c]))
            }
            _ => None,
        }
    }

    fn step(self, constant: &impl Fn(Reg) -> bool, level: SimdLevel) -> Result<Step> {
        let (dtype, dst) = (self.dtype, self.dst);
        let busy = match self.function {
            StepFunction::Op(op) => is_busy(op),
            StepFunction::SinCos(..) => true,
            _ => false,
        };
        if let Some((lane, args)) = self.with_scalar(constant, level) {
            return Ok(Step { run: StepRun::One(lane), args, dst, has_scalar_operands: true, busy });
        }
        let run = match self.function {
            StepFunction::Cast(to) => Some(StepRun::One(lanes::cast(dtype, to, level))),
            StepFunction::Op(op) => lanes::lane(op, dtype, level).map(StepRun::One),
            StepFunction::First(first) => lanes::first(first, dtype, level).map(StepRun::One),
            StepFunction::Pair(first, second) => lanes::pair(first, second, dtype, level).map(StepRun::One),
            StepFunction::SinCos(twin, turned) => {
                lanes::sin_cos(dtype, level).map(|lane| StepRun::Two(lane, twin, turned))
            }
        };
        let name = || match self.function {
            StepFunction::Op(op) => op.name(),
            _ => "a pair of steps",
        };
        let run = run.ok_or_else(|| Error::device(format!("{} has no lane for {dtype}", name())))?;
        Ok(Step { run, args: self.args, dst, has_scalar_operands: false, busy })
    }
}

/// Whether an op computes for longer than memory takes to bring what it reads.
pub(crate) fn is_busy(op: Op) -> bool {
    op.row().cost == Cost::Function
}

impl Step {
    /// The registers that it writes.
    pub(super) fn written(&self) -> impl Iterator<Item = Reg> {
        let twin = match self.run {
            StepRun::One(_) => None,
            StepRun::Two(_, twin, _) => Some(twin),
        };
        twin.into_iter().chain([self.dst])
    }
}

#[cfg(test)]
mod tests {
    use cuprum_core::{Layout, Reduction, Scalar};
    use cuprum_graph::{Input, Output, Reduce};

    use super::*;

    /// A Program over inputs of a thousand elements, one op an instruction, whose last register is stored.
    fn program(dtype: DType, inputs: usize, code: &[(Op, &[Reg])]) -> Program {
        let mut program = Program::over(&[1000]);
        let layout = Layout::dense(&[1000], &[0], dtype.size());
        program.inputs = vec![Input { dtype, layout: layout.clone() }; inputs];
        for (op, args) in code {
            let args = args.iter().copied().collect();
            let output = op.output(dtype);
            program.code.push(Instr { kind: InstrKind::Map(*op), dtype, output, args });
        }
        let reg = (program.registers() - 1) as Reg;
        let dtype = program.dtype(reg);
        program.outputs.push(Output { reg, dtype, layout: Layout::dense(&[1000], &[0], dtype.size()) });
        program
    }

    /// What the steps read and write.
    fn shape(program: &Program) -> Vec<([Reg; 3], Reg)> {
        steps(program, |_| false, SimdLevel::Portable)
            .unwrap()
            .iter()
            .map(|step| (step.args, step.dst))
            .collect()
    }

    const NORM: &[(Op, &[Reg])] =
        &[(Op::Square, &[0]), (Op::Multiply, &[1, 1]), (Op::Add, &[2, 3]), (Op::Sqrt, &[4])];

    #[test]
    fn a_norm_is_one_step() {
        assert_eq!(shape(&program(DType::F64, 2, NORM)), [([0, 1, 0], 5)]);
    }

    #[test]
    fn other_dtypes_go_op_by_op() {
        assert_eq!(shape(&program(DType::F16, 2, NORM)).len(), 4);
        assert_eq!(shape(&program(DType::C64, 2, NORM)).len(), 4);
    }

    #[test]
    fn a_product_and_a_square_are_added_in_one_step() {
        for (left, right) in [(3, 4), (4, 3)] {
            let code: &[(Op, &[Reg])] =
                &[(Op::Square, &[0]), (Op::Multiply, &[2, 1]), (Op::Add, &[left, right])];
            assert_eq!(shape(&program(DType::F32, 3, code)), [([2, 1, 0], 5)]);
        }
    }

    #[test]
    fn the_second_argument_may_be_what_is_joined() {
        let code: &[(Op, &[Reg])] = &[(Op::Subtract, &[0, 1]), (Op::Divide, &[2, 3])];
        assert_eq!(shape(&program(DType::F64, 3, code)), [([0, 1, 2], 4)]);
    }

    #[test]
    fn what_is_read_twice_or_leaves_stays_a_step() {
        let twice: &[(Op, &[Reg])] = &[(Op::Add, &[0, 1]), (Op::Multiply, &[2, 2])];
        assert_eq!(shape(&program(DType::F64, 2, twice)), [([0, 1, 0], 2), ([2, 2, 2], 3)]);

        let code: &[(Op, &[Reg])] = &[(Op::Add, &[0, 1]), (Op::Sqrt, &[2])];
        let mut stored = program(DType::F64, 2, code);
        let between = Output { reg: 2, ..stored.outputs[0].clone() };
        stored.outputs.push(between);
        assert_eq!(shape(&stored).len(), 2);

        let mut reduced = program(DType::F64, 2, code);
        reduced.reduce = Some(Reduce::alone(&[1000], Reduction::Sum, 2, DType::F64, &[0], &[0]));
        assert_eq!(shape(&reduced).len(), 2);
    }

    #[test]
    fn constants_are_arguments_like_others() {
        let mut program = program(DType::F64, 1, &[(Op::Multiply, &[0, 1]), (Op::Add, &[2, 1])]);
        program.params.push(Scalar::zero(DType::F64));
        program.outputs[0].reg = 3;
        assert_eq!(shape(&program), [([0, 1, 1], 3)]);
    }

    #[test]
    fn what_is_beside_constants_reads_the_array_first() {
        let has_scalar = |op: Op, args: &[Reg]| {
            let mut program = program(DType::F64, 1, &[(op, args)]);
            program.params = vec![Scalar::zero(DType::F64); 2];
            program.outputs[0].reg = 3;
            let steps = steps(&program, |_| false, SimdLevel::Portable).unwrap();
            (steps[0].has_scalar_operands, steps[0].args)
        };
        assert_eq!(has_scalar(Op::Subtract, &[0, 1]), (true, [0, 1, 1]));
        assert_eq!(has_scalar(Op::Subtract, &[1, 0]), (true, [0, 1, 1]));
        assert_eq!(has_scalar(Op::Less, &[2, 0]), (true, [0, 2, 2]));
        assert_eq!(has_scalar(Op::Clip, &[0, 1, 2]), (true, [0, 1, 2]));
        assert_eq!(has_scalar(Op::Clip, &[1, 0, 2]), (false, [1, 0, 2]));
        assert_eq!(has_scalar(Op::Subtract, &[0, 0]), (false, [0, 0, 0]));
        assert_eq!(has_scalar(Op::Arctan2, &[0, 1]), (false, [0, 1, 0]));

        let mut affine = program(DType::F64, 1, &[(Op::Multiply, &[1, 0]), (Op::Add, &[3, 2])]);
        affine.params = vec![Scalar::zero(DType::F64); 2];
        affine.outputs[0].reg = 4;
        let joined = steps(&affine, |_| false, SimdLevel::Portable).unwrap();
        assert_eq!((joined.len(), joined[0].has_scalar_operands, joined[0].args), (1, true, [0, 1, 2]));
    }

    #[test]
    fn a_sine_goes_with_the_cosine_of_the_same_angles() {
        let twins = |program: &Program| {
            let steps = steps(program, |_| false, SimdLevel::Portable).unwrap();
            steps.iter().filter(|step| matches!(step.run, StepRun::Two(..))).count()
        };
        let code: &[(Op, &[Reg])] = &[(Op::Sin, &[0]), (Op::Cos, &[0]), (Op::Multiply, &[1, 2])];
        assert_eq!((twins(&program(DType::F32, 1, code)), twins(&program(DType::F16, 1, code))), (1, 0));
        assert_eq!(shape(&program(DType::F64, 1, code)), [([0; 3], 2), ([1, 2, 1], 3)]);

        let turned: &[(Op, &[Reg])] =
            &[(Op::Cos, &[0]), (Op::Square, &[1]), (Op::Sin, &[0]), (Op::Add, &[2, 3])];
        assert_eq!(twins(&program(DType::F64, 1, turned)), 0, "the cosine is read before");
        let others: &[(Op, &[Reg])] = &[(Op::Cos, &[0]), (Op::Sin, &[1]), (Op::Add, &[2, 3])];
        assert_eq!(twins(&program(DType::F64, 2, others)), 0, "other angles");
    }
}
