//! Programs along rows against the same instructions one by one, each a Program of its own: the same bits.

use cuprum_core::{DType, Layout, Number, Op, Reduction, Scalar};
use cuprum_cuda::codegen::{LaunchPlan, takes_rows};
use cuprum_graph::{Input, InstrKind, Output, Program, Reduce, Reg, RowLevels, RowShape, Rows};

use crate::harness::{Memory, launch, prepare};
use crate::programs::{Build, Noise, strided};
use crate::reductions::has;

/// Numbers whose sums round differently in every order.
fn memory(layout: &Layout, dtype: DType, noise: &mut Noise) -> Vec<u8> {
    let (_, end) = layout.extent(dtype.size());
    let one = |noise: &mut Noise| match dtype.is_integral() {
        true => Number::Int(i128::from(noise.next() % 90)),
        false => Number::Float((noise.next() % 7919) as f64 / 977.0 - 4.0),
    };
    (0..end / dtype.size()).flat_map(|_| Scalar::wrapping(one(noise), dtype).bytes().to_vec()).collect()
}

fn run(program: &Program, inputs: &[&Memory], outputs: &[&Memory]) {
    let addresses = |memories: &[&Memory]| memories.iter().map(|m| m.address()).collect::<Vec<_>>();
    let plan = LaunchPlan::of(program, &addresses(inputs), &addresses(outputs));
    launch(&mut plan.expect("something to launch"));
}

fn blank(bytes: usize) -> Memory {
    Memory::of(&vec![0; bytes])
}

/// One instruction of a Program along rows, from memory to memory.
fn single(program: &Program, rows: &Rows, at: usize, layout: impl Fn(Reg) -> Layout) -> Program {
    let instr = &program.code[at];
    let mut step = Program::over(&program.shape);
    let params = program.inputs.len()..program.inputs.len() + program.params.len();
    let is_param = |reg: Reg| params.contains(&(reg as usize));
    let mut code = instr.clone();
    let arrays: Vec<Reg> = instr.args.iter().copied().filter(|&reg| !is_param(reg)).collect();
    for (place, arg) in code.args.iter_mut().enumerate() {
        let reg = instr.args[place];
        *arg = if is_param(reg) {
            step.params.push(program.params[reg as usize - program.inputs.len()]);
            (arrays.len() + step.params.len() - 1) as Reg
        } else {
            instr.args[..place].iter().filter(|&&before| !is_param(before)).count() as Reg
        };
    }
    step.inputs =
        arrays.iter().map(|&reg| Input { dtype: program.dtype(reg), layout: layout(reg) }).collect();
    if let InstrKind::Reduce(op) = instr.kind {
        step.reduce = Some(Reduce::alone(&program.shape, op, 0, instr.dtype, &rows.axes, &rows.nesting));
        return step;
    }
    let reg = (step.inputs.len() + step.params.len()) as Reg;
    step.code.push(code);
    let layout = Layout::contiguous(&program.shape, instr.output.size());
    step.outputs.push(Output { reg, dtype: instr.output, layout });
    step
}

/// Runs programs both ways.
fn same(programs: &[Program]) {
    prepare(programs);
    for program in programs {
        let rows = program.rows.clone().expect("a Program along rows");
        let mut noise = Noise(7);
        let first_code = program.inputs.len() + program.params.len();
        let mut memories: Vec<Memory> = Vec::new();
        for input in &program.inputs {
            memories.push(Memory::of(&memory(&input.layout, input.dtype, &mut noise)));
        }
        let outputs: Vec<Memory> =
            program.outputs.iter().map(|o| blank(o.layout.extent(o.dtype.size()).1)).collect();
        run(program, &memories.iter().collect::<Vec<_>>(), &outputs.iter().collect::<Vec<_>>());
        program.params.iter().for_each(|_| memories.push(blank(0)));
        let is_reduction = |reg: usize| {
            reg >= first_code && matches!(program.code[reg - first_code].kind, InstrKind::Reduce(_))
        };
        let layout = |reg: Reg| {
            let size = program.dtype(reg).size();
            match program.inputs.get(reg as usize) {
                Some(input) => input.layout.clone(),
                None if is_reduction(reg as usize) => strided(&program.shape, &[size as isize, 0], 0),
                None => Layout::contiguous(&program.shape, size),
            }
        };
        for (at, instr) in program.code.iter().enumerate() {
            let size = instr.output.size();
            let count = if is_reduction(first_code + at) { program.shape[0] } else { program.size() };
            let made = blank(count * size);
            let step = single(program, &rows, at, layout);
            let params = program.inputs.len()..first_code;
            let read = instr.args.iter().filter(|&&arg| !params.contains(&(arg as usize)));
            let read: Vec<&Memory> = read.map(|&arg| &memories[arg as usize]).collect();
            run(&step, &read, &[&made]);
            memories.push(made);
        }
        let levels = RowLevels::of(program);
        for (output, memory) in program.outputs.iter().zip(&outputs) {
            let (expected, size) = (&memories[output.reg as usize], output.dtype.size());
            let is_result = levels.is_result(&rows, output);
            let elements = if is_result { program.shape[0] } else { program.size() };
            let is_dense = is_reduction(output.reg as usize) || !is_result;
            for element in 0..elements {
                let from = if is_dense { element } else { element * program.shape[1] };
                let got = &memory.content()[element * size..(element + 1) * size];
                let wanted = &expected.content()[from * size..(from + 1) * size];
                assert_eq!(got, wanted, "element {element} of\n{program}");
            }
        }
    }
}

fn along(shape: [usize; 2], build: impl FnOnce(&mut Build)) -> Program {
    let mut b = Build::over(&shape);
    build(&mut b);
    b.program.rows = Some(Rows { axes: smallvec::smallvec![1], nesting: smallvec::smallvec![0, 1] });
    b.program
}

fn softmax(shape: [usize; 2], dtype: DType, layout: Option<Layout>) -> Program {
    along(shape, |b| {
        let x = match layout {
            Some(layout) => b.input(dtype, layout),
            None => b.dense(dtype),
        };
        let top = b.row(Reduction::Max, x);
        let below = b.map(Op::Subtract, dtype, &[x, top]);
        let share = b.map(Op::Sqrt, dtype, &[below]);
        let share = b.map(Op::Subtract, dtype, &[share, below]);
        let sum = b.row(Reduction::Sum, share);
        let result = b.map(Op::Divide, dtype, &[share, sum]);
        b.store(result);
        b.store_as(sum, strided(&shape, &[dtype.size() as isize, 0], 0));
    })
}

/// Reductions of every dtype along rows, by warps and by blocks, kept or read again.
pub fn variety() -> Vec<Program> {
    let mut programs = Vec::new();
    for dtype in DType::ALL {
        // A few of each, others of the next: every kernel takes its time to compile.
        let named = Reduction::NAMED.into_iter().filter(|&op| has(op, dtype));
        for (turn, op) in named.skip(dtype as usize % 4).step_by(4).enumerate() {
            let shape = [[45, 37], [2, 3000], [1 << 16, 1 << 16]][turn % 3];
            programs.push(along(shape, |b| {
                let x = b.dense(dtype);
                let result = b.row(op, x);
                let same = b.cast(result, dtype);
                let sum = b.map(Op::Add, dtype, &[x, same]);
                b.store(sum);
                let size = b.program.dtype(result).size() as isize;
                b.store_as(result, strided(&shape, &[size, 0], 0));
            }));
        }
    }
    programs
}

#[test]
fn rows_of_every_length_and_dtype() {
    let mut programs = Vec::new();
    for length in [1usize, 10, 129, 1025, 8000] {
        programs.push(softmax([3, length], DType::F32, None));
    }
    programs.push(softmax([9, 33], DType::F64, None));
    programs.push(softmax([2, 1000], DType::F64, None));
    programs.push(softmax([2, 77], DType::F16, None));
    same(&programs);
}

#[test]
fn rows_that_are_steps_apart_or_turned() {
    let unaligned = strided(&[5, 600], &[2408, 4], 4);
    let reversed = strided(&[5, 600], &[4804, -8], 4796);
    let columns = strided(&[40, 33], &[4, 160], 0);
    same(&[unaligned, reversed, columns].map(|layout| {
        let shape = [layout.shape[0], layout.shape[1]];
        softmax(shape, DType::F32, Some(layout))
    }));
}

#[test]
fn means_variances_positions_and_what_is_there_for_each_row() {
    let programs = [(4usize, 77usize), (3, 1500), (2, 4000)].map(|(rows, length)| {
        let shape = [rows, length];
        along(shape, |b| {
            let x = b.dense(DType::F64);
            let weight = b.input(DType::F64, strided(&shape, &[8, 0], 0));
            let gain = b.input(DType::F64, strided(&shape, &[0, 8], 0));
            let scale = b.param(0.125, DType::F64);
            let sum = b.row(Reduction::Sum, x);
            let mean = b.map(Op::Multiply, DType::F64, &[sum, scale]);
            let mean = b.map(Op::Add, DType::F64, &[mean, weight]);
            let centred = b.map(Op::Subtract, DType::F64, &[x, mean]);
            let variance = b.row(Reduction::Variance, centred);
            let place = b.row(Reduction::ArgMin, centred);
            let place = b.cast(place, DType::F64);
            let spread = b.map(Op::Sqrt, DType::F64, &[variance]);
            let scaled = b.map(Op::Divide, DType::F64, &[centred, spread]);
            let gained = b.map(Op::Multiply, DType::F64, &[scaled, gain]);
            let moved = b.map(Op::Add, DType::F64, &[gained, place]);
            b.store(moved);
            b.store_as(place, strided(&shape, &[8, 0], 0));
        })
    });
    same(&programs);
}

#[test]
fn rows_that_need_several_blocks_are_not_taken() {
    let takes = |count, length| takes_rows(&RowShape { count, length, width: 4 });
    assert!(takes(1, 8000) && takes(300, 1 << 20) && takes(1 << 20, 3));
    assert!(!takes(1, 1 << 20) && !takes(100, 1 << 20) && !takes(5, 0));
}
