//! Elementwise walks: every layout class, dtype and index width.

use cuprum_core::{DType, Layout, Op};
use cuprum_graph::Program;

use crate::harness::check;
use crate::programs::{Build, Noise, strided};

/// Runs a Program and compares all bytes, those between elements included.
fn same(program: &Program) {
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
    for n in [1usize, 2, 3, 4, 5, 255, 256, 257, 1023, 1024, 1025, 2050] {
        let dense = |size| Layout::contiguous(&[n], size);
        same(&mixed(&[n], [dense(4), dense(4), dense(8)], dense(8)));
    }
}

#[test]
fn every_dtype_is_moved_in_packs() {
    for dtype in DType::ALL {
        for n in [1usize, 7, 37, 600, 4500] {
            let mut b = Build::over(&[n]);
            let x = b.dense(dtype);
            b.store(x);
            same(&b.program);
        }
    }
}

#[test]
fn every_cast_of_dense_arrays() {
    for from in [DType::Bool, DType::I8, DType::U16, DType::F16, DType::F32, DType::I64, DType::C128] {
        let mut b = Build::over(&[301]);
        let x = b.dense(from);
        for to in DType::ALL.into_iter().filter(|to| to.kind() >= from.kind()) {
            let y = b.cast(x, to);
            b.store(y);
        }
        same(&b.program);
    }
}

#[test]
fn unaligned_and_shifted_operands() {
    let n = 515;
    for (a, b, c, d) in
        [(4, 0, 8, 0), (0, 12, 0, 8), (1, 0, 3, 0), (0, 0, 0, 5), (3, 6, 9, 11), (16, 32, 16, 48)]
    {
        let at = |offset, size: isize| strided(&[n], &[size], offset);
        same(&mixed(&[n], [at(a, 4), at(b, 4), at(c, 8)], at(d, 8)));
    }
}

#[test]
fn steps_reversals_and_broadcasts() {
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
        same(&mixed(&shape, [x.clone(), c(4), c(8)], c(8)));
        same(&mixed(&shape, [c(4), x.clone(), strided(&shape, &[0, 0, 8], 0)], c(8)));
        let spread = strided(&shape, &[2400, 208, 16], 8);
        same(&mixed(&shape, [x.clone(), x.clone(), c(8)], spread));
    }
}

#[test]
fn outputs_in_other_orders() {
    let shape = [5, 7, 8];
    let c = |size: isize| strided(&shape, &[56 * size, 8 * size, size], 0);
    for nesting in [[0, 2, 1], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let target = Layout::dense(&shape, &nesting, 8);
        same(&mixed(&shape, [c(4), Layout::dense(&shape, &nesting, 4), c(8)], target));
    }
}

#[test]
fn many_axes() {
    let shape = [2usize, 3, 2, 3, 2, 3, 2, 3, 2];
    let c = |size| Layout::contiguous(&shape, size);
    let turned: Vec<usize> = (0..9).rev().collect();
    let x = Layout::dense(&shape, &turned, 4);
    let mut y = c(8);
    for axis in [1, 3, 5, 7] {
        y.strides[axis] = 0;
    }
    same(&mixed(&shape, [x, c(4), y], c(8)));
}

#[test]
fn positions_along_axes() {
    for shape in [vec![700usize], vec![1, 9, 1], vec![5, 1, 16], vec![4, 6, 10], vec![3, 5, 7]] {
        for axis in 0..shape.len() {
            let mut b = Build::over(&shape);
            let x = b.dense(DType::F64);
            let at = b.iota(axis);
            let real = b.cast(at, DType::F64);
            let sum = b.map(Op::Add, DType::F64, &[x, real]);
            b.store(at);
            b.store(sum);
            same(&b.program);
        }
    }
}

#[test]
fn several_outputs_of_several_dtypes() {
    let mut b = Build::over(&[1001]);
    let (x, y) = (b.dense(DType::F32), b.dense(DType::F32));
    let more = b.map(Op::Greater, DType::F32, &[x, y]);
    let pick = b.map(Op::Where, DType::F32, &[more, x, y]);
    let square = b.map(Op::Square, DType::F32, &[pick]);
    b.store(more);
    b.store(square);
    b.store(pick);
    same(&b.program);
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
    for (dtype, number) in [(DType::U8, 7.0), (DType::F64, 2.5), (DType::C128, -1.0), (DType::F16, 0.5)] {
        let mut b = Build::over(&[133]);
        let x = b.param(number, dtype);
        b.store(x);
        same(&b.program);
    }
}

#[test]
fn nothing_is_launched_for_nothing() {
    let mut b = Build::over(&[3, 0]);
    let x = b.dense(DType::F32);
    b.store(x);
    assert!(cuprum_cuda::codegen::Plan::of(&b.program, &[0], &[0]).is_none());
}
