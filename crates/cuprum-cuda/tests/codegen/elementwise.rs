//! Elementwise walks: every layout class, dtype and index width.

use cuprum_core::{DType, Layout, Op};
use cuprum_graph::Program;

use crate::harness::{check, prepare};
use crate::programs::{Build, Noise, strided};

/// Runs Programs and compares all bytes, those between elements included.
fn same(programs: &[Program]) {
    prepare(programs);
    programs.iter().for_each(same_one);
}

fn same_one(program: &Program) {
    let mut noise = Noise(7);
    let inputs: Vec<Vec<u8>> = program.inputs.iter().map(|i| noise.memory(&i.layout, i.dtype)).collect();
    let outputs: Vec<Vec<u8>> =
        program.outputs.iter().map(|o| vec![0xcd; o.layout.extent(o.dtype.size()).1 + 5]).collect();
    check(program, &inputs, &outputs, |at, got, expected| {
        assert_eq!(got, expected, "output {at} of\n{program}");
    });
}

/// Sums, differences and a selection of four operands in the given layouts.
fn mixed(shape: &[usize], layouts: [Layout; 3], target: Layout) -> Program {
    let mut b = Build::over(shape);
    let [x, y, z] = layouts;
    let (x, y, z) = (b.input(DType::F32, x), b.input(DType::F32, y), b.input(DType::F64, z));
    let half = b.param(0.5, DType::F32);
    let sum = b.map(Op::Add, DType::F32, &[x, y]);
    let scaled = b.map(Op::Multiply, DType::F32, &[sum, half]);
    let wide = b.cast(scaled, DType::F64);
    let difference = b.map(Op::Subtract, DType::F64, &[wide, z]);
    b.store_as(difference, target);
    b.program
}

#[test]
fn dense_of_every_length() {
    let mut programs = Vec::new();
    for n in [1usize, 2, 3, 4, 5, 255, 256, 257, 1023, 1024, 1025, 2050] {
        let dense = |size| Layout::contiguous(&[n], size);
        programs.push(mixed(&[n], [dense(4), dense(4), dense(8)], dense(8)));
    }
    same(&programs);
}

#[test]
fn every_dtype_is_moved_in_packs() {
    let mut programs = Vec::new();
    for dtype in DType::ALL {
        for n in [1usize, 7, 37, 600, 4500] {
            let mut b = Build::over(&[n]);
            let x = b.dense(dtype);
            b.store(x);
            programs.push(b.program);
        }
    }
    same(&programs);
}

#[test]
fn every_cast_of_dense_arrays() {
    let mut programs = Vec::new();
    for from in [DType::Bool, DType::I8, DType::U16, DType::F16, DType::F32, DType::I64, DType::C128] {
        let mut b = Build::over(&[301]);
        let x = b.dense(from);
        for to in DType::ALL.into_iter().filter(|to| to.kind() >= from.kind()) {
            let y = b.cast(x, to);
            b.store(y);
        }
        programs.push(b.program);
    }
    same(&programs);
}

#[test]
fn unaligned_and_shifted_operands() {
    let mut programs = Vec::new();
    let n = 515;
    for (a, b, c, d) in
        [(4, 0, 8, 0), (0, 12, 0, 8), (1, 0, 3, 0), (0, 0, 0, 5), (3, 6, 9, 11), (16, 32, 16, 48)]
    {
        let at = |offset, size: isize| strided(&[n], &[size], offset);
        programs.push(mixed(&[n], [at(a, 4), at(b, 4), at(c, 8)], at(d, 8)));
    }
    same(&programs);
}

#[test]
fn steps_reversals_and_broadcasts() {
    let mut programs = Vec::new();
    let shape = [6, 10, 12];
    let c = |size: isize| strided(&shape, &[120 * size, 12 * size, size], 0);
    let layouts = [
        c(4),
        strided(&shape, &[2000, 96, 8], 16),
        strided(&shape, &[-480, -48, -4], 5 * 480 + 9 * 48 + 11 * 4),
        strided(&shape, &[0, 0, 4], 4),
        strided(&shape, &[0, 4, 0], 0),
        strided(&shape, &[4, 0, 0], 0),
        strided(&shape, &[0, 0, 0], 8),
        strided(&shape, &[0, 48, 4], 16),
        strided(&shape, &[4, 24, 240], 0),
        strided(&shape, &[481, 49, 4], 1),
    ];
    for x in &layouts {
        programs.push(mixed(&shape, [x.clone(), c(4), c(8)], c(8)));
        programs.push(mixed(&shape, [c(4), x.clone(), strided(&shape, &[0, 0, 8], 0)], c(8)));
        let spread = strided(&shape, &[2400, 208, 16], 8);
        programs.push(mixed(&shape, [x.clone(), x.clone(), c(8)], spread));
    }
    same(&programs);
}

#[test]
fn outputs_in_other_orders() {
    let mut programs = Vec::new();
    let shape = [5, 7, 8];
    let c = |size: isize| strided(&shape, &[56 * size, 8 * size, size], 0);
    for nesting in [[0, 2, 1], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let target = Layout::dense(&shape, &nesting, 8);
        programs.push(mixed(&shape, [c(4), Layout::dense(&shape, &nesting, 4), c(8)], target));
    }
    same(&programs);
}

#[test]
fn many_axes() {
    let mut programs = Vec::new();
    let shape = [2usize, 3, 2, 3, 2, 3, 2, 3, 2];
    let c = |size| Layout::contiguous(&shape, size);
    let transposed: Vec<usize> = (0..9).rev().collect();
    let x = Layout::dense(&shape, &transposed, 4);
    let mut y = c(8);
    for axis in [1, 3, 5, 7] {
        y.strides[axis] = 0;
    }
    programs.push(mixed(&shape, [x, c(4), y], c(8)));
    same(&programs);
}

#[test]
fn positions_along_axes() {
    let mut programs = Vec::new();
    for shape in [vec![700usize], vec![1, 9, 1], vec![5, 1, 16], vec![4, 6, 10], vec![3, 5, 7]] {
        for axis in 0..shape.len() {
            let mut b = Build::over(&shape);
            let x = b.dense(DType::F64);
            let at = b.iota(axis);
            let real = b.cast(at, DType::F64);
            let sum = b.map(Op::Add, DType::F64, &[x, real]);
            b.store(at);
            b.store(sum);
            programs.push(b.program);
        }
    }
    same(&programs);
}

#[test]
fn several_outputs_of_several_dtypes() {
    let mut programs = Vec::new();
    let mut b = Build::over(&[1001]);
    let (x, y) = (b.dense(DType::F32), b.dense(DType::F32));
    let more = b.map(Op::Greater, DType::F32, &[x, y]);
    let pick = b.map(Op::Where, DType::F32, &[more, x, y]);
    let square = b.map(Op::Square, DType::F32, &[pick]);
    b.store(more);
    b.store(square);
    b.store(pick);
    programs.push(b.program);
    same(&programs);
}

#[test]
fn any_byte_is_true() {
    let mut b = Build::over(&[300]);
    let (x, y) = (b.dense(DType::Bool), b.input(DType::Bool, strided(&[300], &[3], 1)));
    let sum = b.map(Op::Add, DType::Bool, &[x, y]);
    b.store(sum);
    b.store(x);
    let mut noise = Noise(3);
    let inputs: Vec<Vec<u8>> =
        [300, 905].map(|n| (0..n).map(|_| (noise.next() % 5 * 51) as u8).collect()).into();
    check(&b.program, &inputs, &[vec![9; 300], vec![9; 300]], |_, got, expected| assert_eq!(got, expected));
}

#[test]
fn a_fill_reads_nothing() {
    let mut programs = Vec::new();
    for (dtype, number) in [(DType::U8, 7.0), (DType::F64, 2.5), (DType::C128, -1.0), (DType::F16, 0.5)] {
        let mut b = Build::over(&[133]);
        let x = b.param(number, dtype);
        b.store(x);
        programs.push(b.program);
    }
    same(&programs);
}

#[test]
fn nothing_is_launched_for_nothing() {
    let mut b = Build::over(&[3, 0]);
    let x = b.dense(DType::F32);
    b.store(x);
    assert!(cuprum_cuda::codegen::LaunchPlan::of(&b.program, &[0], &[0]).is_none());
}

#[test]
fn turned_operands_go_through_tiles() {
    let mut programs = Vec::new();
    for (rows, columns) in [(64usize, 64usize), (70, 33), (16, 200), (129, 65)] {
        let shape = [rows, columns];
        for dtype in [DType::Bool, DType::F16, DType::F32, DType::I64, DType::C128] {
            let size = dtype.size();
            let mut b = Build::over(&shape);
            let x = b.input(dtype, Layout::fortran(&shape, size));
            let y = b.dense(dtype);
            let sum = b.map(Op::Add, dtype, &[x, y]);
            b.store(sum);
            b.store_as(x, Layout::fortran(&shape, size));
            programs.push(b.program);
        }
    }
    same(&programs);
}

#[test]
fn tiles_of_stacks_and_several_transposed_operands() {
    let mut programs = Vec::new();
    for shape in [[3usize, 40, 50], [33, 5, 40], [40, 50, 3]] {
        for nesting in [[0, 2, 1], [2, 1, 0], [2, 0, 1], [1, 2, 0]] {
            let transposed = |size| Layout::dense(&shape, &nesting, size);
            let mut b = Build::over(&shape);
            let (x, y) = (b.input(DType::F32, transposed(4)), b.input(DType::F64, transposed(8)));
            let (z, w) = (b.dense(DType::F64), b.input(DType::F64, strided(&shape, &[0, 8, 0], 8)));
            let at = b.iota(1);
            let real = b.cast(at, DType::F64);
            let wide = b.cast(x, DType::F64);
            let sum = b.map(Op::Add, DType::F64, &[wide, y]);
            let sum = b.map(Op::Subtract, DType::F64, &[sum, z]);
            let sum = b.map(Op::Add, DType::F64, &[sum, w]);
            let sum = b.map(Op::Add, DType::F64, &[sum, real]);
            b.store(sum);
            programs.push(b.program);
        }
    }
    same(&programs);
}
