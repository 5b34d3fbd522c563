//! Several Programs as one launch: the boxes of a result that was cut.

use std::sync::Arc;

use cuprum_core::{DType, Op, Reduction};
use cuprum_cuda::codegen::JoinedPlan;
use cuprum_graph::{Buffer, DeviceKind, Program, ProgramRun};

use crate::harness::{Memory, launch_joined};
use crate::programs::{Build, Noise, strided};

/// The start along an axis and the length of each box that a roll by one cuts, and where it reads.
fn cuts(n: usize) -> [(usize, usize, usize); 2] {
    [(1, n - 1, 0), (0, 1, n - 1)]
}

/// `a[i - 1, j - 1] + a[i, j]` over a torus, as the Programs of four boxes.
fn rolled(rows: usize, columns: usize, dtype: DType) -> Vec<Program> {
    let size = dtype.size();
    let strides = [(columns * size) as isize, size as isize];
    let mut boxes = Vec::new();
    for (row, height, row_read) in cuts(rows) {
        for (column, width, column_read) in cuts(columns) {
            let shape = [height, width];
            let at = |row: usize, column: usize| strided(&shape, &strides, (row * columns + column) * size);
            let mut b = Build::over(&shape);
            let (x, y) = (b.input(dtype, at(row_read, column_read)), b.input(dtype, at(row, column)));
            let sum = b.map(Op::Add, dtype, &[x, y]);
            b.store_as(sum, at(row, column));
            boxes.push(b.program);
        }
    }
    boxes
}

fn buffer(memory: &Memory) -> Buffer {
    // SAFETY: no device runs here; the memory lives as long as the test, which alone uses the address.
    unsafe { Buffer::new(DeviceKind::Cuda(0), memory.address(), memory.content().len(), Arc::new(())) }
}

/// Memories of a source and of a target, with what belongs into the target.
fn memories(rows: usize, columns: usize, dtype: DType, seed: u64) -> (Memory, Memory, Vec<u8>) {
    let size = dtype.size();
    let layout = strided(&[rows, columns], &[(columns * size) as isize, size as isize], 0);
    let source = Noise(seed).memory(&layout, dtype);
    let mut wanted = vec![vec![0xcd; rows * columns * size]];
    for program in rolled(rows, columns, dtype) {
        crate::reference::run(&program, &[&source, &source], &mut wanted);
    }
    let target = Memory::of(&vec![0xcd; rows * columns * size]);
    (Memory::of(&source), target, wanted.remove(0))
}

#[test]
fn boxes_of_a_result_are_one_launch() {
    for (rows, columns, dtype) in [
        (37, 53, DType::F32),
        (64, 64, DType::F64),
        (5, 300, DType::U8),
        (300, 2, DType::I16),
        (2, 2, DType::I64),
        (40, 129, DType::U8),
    ] {
        let programs = rolled(rows, columns, dtype);
        let (source, target, wanted) = memories(rows, columns, dtype, 3);
        let (inputs, outputs) = ([buffer(&source), buffer(&source)], [buffer(&target)]);
        let run = |program| ProgramRun { program, inputs: &inputs, outputs: &outputs };
        let runs: Vec<ProgramRun<'_>> = programs.iter().map(run).collect();
        let plan = JoinedPlan::of(&runs).expect("four boxes fit a launch");
        let mut again = plan.again(&runs);
        launch_joined(&plan.key, &mut again, &runs);
        assert_eq!(target.content(), wanted, "{rows} x {columns}, {dtype:?}");

        // Other memory that is aligned alike, by the same launch.
        let (source, target, wanted) = memories(rows, columns, dtype, 11);
        let (inputs, outputs) = ([buffer(&source), buffer(&source)], [buffer(&target)]);
        let run = |program| ProgramRun { program, inputs: &inputs, outputs: &outputs };
        let runs: Vec<ProgramRun<'_>> = programs.iter().map(run).collect();
        assert!(again.fits(&runs));
        launch_joined(&plan.key, &mut again, &runs);
        assert_eq!(target.content(), wanted, "again: {rows} x {columns}, {dtype:?}");
    }
}

#[test]
fn what_is_no_set_of_boxes_has_no_launch() {
    let programs = rolled(20, 30, DType::F32);
    let (source, target, _) = memories(20, 30, DType::F32, 5);
    let (inputs, outputs) = ([buffer(&source), buffer(&source)], [buffer(&target)]);
    let run = |program| ProgramRun { program, inputs: &inputs, outputs: &outputs };
    assert!(JoinedPlan::of(&[run(&programs[3])]).is_none(), "one box");
    let many: Vec<ProgramRun<'_>> = programs.iter().cycle().take(65).map(run).collect();
    assert!(JoinedPlan::of(&many).is_none(), "more boxes than a kernel has arguments for");
    let mut b = Build { program: programs[0].clone() };
    b.program.outputs.clear();
    let last = (b.program.registers() - 1) as u16;
    b.reduce(Reduction::Sum, last, &[0, 1], &[0, 1]);
    assert!(JoinedPlan::of(&[run(&programs[1]), run(&b.program)]).is_none(), "a reduction");
}
