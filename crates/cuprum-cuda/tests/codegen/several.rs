//! Several reductions in one pass, and epilogues: each result has the bits that it has alone.

use cuprum_core::{DType, Layout, Op, Reduction, Scalar};
use cuprum_cuda::codegen::LaunchPlan;
use cuprum_graph::{Input, Program, Reg};

use crate::harness::{Memory, launch, prepare};
use crate::programs::{Build, Noise, strided};
use crate::reductions::close;

/// Shapes, axes and nestings of every walk: a warp's part, one block, several blocks, columns in one and several segments.
const WALKS: [(&[usize], &[usize]); 6] = [
    (&[45, 37], &[1]),
    (&[3, 1300], &[1]),
    (&[20_011], &[0]),
    (&[37, 64], &[0]),
    (&[2000, 70], &[0]),
    (&[9, 11, 13], &[0, 2]),
];

fn nesting(shape: &[usize]) -> Vec<usize> {
    (0..shape.len()).collect()
}

/// Memories with elements that round: their sums differ with the order of addition.
fn rounding(program: &Program) -> Vec<Memory> {
    let mut noise = Noise(5);
    let mut memory = |input: &Input| {
        let mut content = vec![0u8; input.layout.extent(input.dtype.size()).1];
        for element in content.chunks_exact_mut(input.dtype.size()) {
            let x = (noise.next() % 100_000) as f64 / 7.0 - 5000.0;
            element.copy_from_slice(Scalar::wrapping(x.into(), input.dtype).bytes());
        }
        Memory::of(&content)
    };
    program.inputs.iter().map(&mut memory).collect()
}

/// The bytes of everything that the Program stores after its reductions.
fn results(program: &Program, inputs: &[Memory]) -> Vec<Vec<u8>> {
    let reduce = program.reduce.as_ref().expect("a reduction");
    let written = program.outputs.iter().chain(&reduce.epilogue.outputs);
    let outputs: Vec<Memory> =
        written.map(|o| Memory::of(&vec![0xcd; o.layout.extent(o.dtype.size()).1])).collect();
    let addresses = |memories: &[Memory]| memories.iter().map(Memory::address).collect::<Vec<_>>();
    launch(&mut LaunchPlan::of(program, &addresses(inputs), &addresses(&outputs)).expect("a launch"));
    outputs[program.outputs.len()..].iter().map(|m| m.content().to_vec()).collect()
}

/// `x` and `x * x` of a shape, for reductions of both.
fn elements(shape: &[usize], dtype: DType) -> (Build, [Reg; 2]) {
    let mut b = Build::over(shape);
    let x = b.dense(dtype);
    let square = b.map(Op::Multiply, dtype, &[x, x]);
    (b, [x, square])
}

#[test]
fn together_they_have_the_bits_that_they_have_alone() {
    let sets: [(DType, &[(Reduction, usize)]); 4] = [
        (DType::F32, &[(Reduction::Sum, 0), (Reduction::Variance, 0)]),
        (DType::F64, &[(Reduction::Variance, 1), (Reduction::Sum, 0), (Reduction::Max, 1)]),
        (
            DType::F32,
            &[(Reduction::Min, 0), (Reduction::Max, 0), (Reduction::Sum, 1), (Reduction::Variance, 0)],
        ),
        (DType::C64, &[(Reduction::ArgMax, 0), (Reduction::Sum, 1), (Reduction::Max, 0)]),
    ];
    let mut cases: Vec<(Program, Vec<Program>)> = Vec::new();
    for (shape, axes) in WALKS {
        for (dtype, set) in sets {
            let nesting = nesting(shape);
            let (mut b, regs) = elements(shape, dtype);
            let all: Vec<_> = set.iter().map(|&(op, at)| (op, regs[at])).collect();
            b.reduce_all(&all, axes, &nesting, |e| (0..set.len()).for_each(|at| e.store(at as Reg)));
            let alone = all.iter().map(|&(op, reg)| {
                let (mut b, _) = elements(shape, dtype);
                b.reduce(op, reg, axes, &nesting);
                b.program
            });
            cases.push((b.program, alone.collect()));
        }
    }
    prepare(cases.iter().flat_map(|(together, alone)| std::iter::once(together).chain(alone)));
    for (together, alone) in &cases {
        let inputs = rounding(together);
        let got = results(together, &inputs);
        for (program, got) in alone.iter().zip(got) {
            assert_eq!(results(program, &inputs)[0], got, "\n{program}in\n{together}");
        }
    }
}

/// The square root of a weighted sum, an array added, positions added, and the sum itself.
fn weighted(shape: &[usize], axes: &[usize], late: impl Fn(&[usize]) -> Layout, dtype: DType) -> Program {
    let (mut b, [x, square]) = elements(shape, dtype);
    let sets = [(Reduction::Sum, square), (Reduction::Max, x)];
    b.reduce_all(&sets, axes, &nesting(shape), |e| {
        let more = e.input(dtype, late(&e.program.shape.clone()));
        let half = e.param(0.5, dtype);
        let part = e.map(Op::Multiply, dtype, &[0, half]);
        let root = e.map(Op::Sqrt, dtype, &[part]);
        let sum = e.map(Op::Add, dtype, &[root, more]);
        let sum = e.map(Op::Subtract, dtype, &[sum, 1]);
        if !e.program.shape.is_empty() {
            let at = e.iota(0);
            let real = e.cast(at, dtype);
            let moved = e.map(Op::Add, dtype, &[real, sum]);
            e.store(moved);
        }
        e.store(0);
        e.store(sum);
    });
    b.program
}

#[test]
fn epilogues_compute_from_results_arrays_scalars_and_positions() {
    let mut programs = Vec::new();
    for (shape, axes) in WALKS {
        for dtype in [DType::F32, DType::F64] {
            let size = dtype.size() as isize;
            let dense = |kept: &[usize]| Layout::contiguous(kept, dtype.size());
            let backwards = |kept: &[usize]| {
                let strides: Vec<isize> = kept.iter().map(|_| -2 * size).collect();
                let reach: usize = kept.iter().map(|&n| 2 * dtype.size() * (n - 1)).sum();
                strided(kept, &strides, reach)
            };
            let fixed = |kept: &[usize]| strided(kept, &vec![0; kept.len()], 0);
            programs.push(weighted(shape, axes, dense, dtype));
            programs.push(weighted(shape, axes, backwards, dtype));
            programs.push(weighted(shape, axes, fixed, dtype));
        }
    }
    close(&programs);
}

#[test]
fn a_fold_has_an_epilogue_too() {
    let mut programs = Vec::new();
    for (shape, axes) in [(&[50usize] as &[usize], &[0usize]), (&[30, 9], &[1]), (&[9, 300], &[0])] {
        let mut b = Build::over(shape);
        let x = b.dense(DType::F64);
        b.reduce_all(&[(Reduction::Fold(Op::Subtract), x)], axes, &nesting(shape), |e| {
            let two = e.param(2.0, DType::F64);
            let twice = e.map(Op::Multiply, DType::F64, &[0, two]);
            e.store(twice);
        });
        programs.push(b.program);
    }
    close(&programs);
}

/// Programs of every walk for the real compiler.
pub fn variety() -> Vec<Program> {
    let dense = |kept: &[usize]| Layout::contiguous(kept, 4);
    let mut programs: Vec<Program> =
        WALKS.iter().map(|(shape, axes)| weighted(shape, axes, dense, DType::F32)).collect();
    for (shape, axes) in WALKS {
        let (mut b, [x, square]) = elements(shape, DType::C128);
        let all = [(Reduction::Variance, x), (Reduction::Variance, square), (Reduction::ArgMax, x)];
        b.reduce_all(&all, axes, &nesting(shape), |e| (0..3).for_each(|at| e.store(at)));
        programs.push(b.program);
        let (mut b, [x, square]) = elements(shape, DType::F32);
        let all = [
            (Reduction::Sum, x),
            (Reduction::Variance, x),
            (Reduction::Min, square),
            (Reduction::Max, square),
        ];
        b.reduce_all(&all, axes, &nesting(shape), |e| (0..4).for_each(|at| e.store(at)));
        programs.push(b.program);
    }
    programs
}
