//! Texts: golden ones, what keys tell apart and what not, and all kinds of them through the real compiler.

use cuprum_core::{DType, Layout, Op, Reduction};
use cuprum_cuda::codegen::KernelKey;
use cuprum_graph::Program;

use crate::harness::{joined, plan_at};
use crate::programs::{Build, strided};
use crate::reductions::{has, plain};

fn key(program: &Program) -> KernelKey {
    plan_at(program, |_| 1 << 20).expect("something to launch").key
}

/// The text after what all kernels begin with, up to the walk.
fn own_text(program: &Program) -> String {
    let source = key(program).source();
    let start = source.find("typedef u32 Index;").expect("an index type");
    let walk = source[start..].find("\n// ").expect("a walk") + start;
    source[start..=walk].to_string()
}

/// The text of states and epilogue, after the reducers and before the walk.
fn ending_text(program: &Program) -> String {
    let source = key(program).source();
    let start = source.find("typedef Sum").expect("a reducer");
    let walk = source[start..].find("\n// ").expect("a walk") + start;
    source[start..=walk].to_string()
}

/// Compares with a stored text; `CUPRUM_WRITE_GOLDEN=1` stores this one instead.
fn golden(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codegen/golden").join(name);
    if std::env::var_os("CUPRUM_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, text).expect("a golden text is written");
    }
    let expected = std::fs::read_to_string(&path).expect("a golden text is there");
    assert_eq!(text, expected, "{name}");
}

fn scaled(n: usize, factor: f64, offset: usize) -> Program {
    let mut b = Build::over(&[n]);
    let x = b.input(DType::F32, strided(&[n], &[4], offset));
    let two = b.param(factor, DType::F32);
    let y = b.map(Op::Multiply, DType::F32, &[x, two]);
    b.store(y);
    b.program
}

#[test]
fn shapes_and_scalars_are_not_in_the_key() {
    assert_eq!(key(&scaled(1000, 2.0, 0)), key(&scaled(77, 3.5, 16)));
    let rows = |shape: [usize; 2]| plain(Reduction::Sum, DType::F32, &shape, &[1]);
    assert_eq!(key(&rows([5, 3000])), key(&rows([700, 9000])));
}

#[test]
fn dtypes_alignment_and_widths_are_in_the_key() {
    let dense = key(&scaled(1000, 2.0, 0));
    assert_ne!(dense, key(&scaled(1000, 2.0, 4)), "a vector's alignment");
    assert_ne!(key(&scaled(1000, 2.0, 4)), key(&scaled(1000, 2.0, 3)), "an element's alignment");
    assert_ne!(dense, key(&scaled(1 << 31, 2.0, 0)), "the width of positions");
    assert_ne!(
        key(&plain(Reduction::Sum, DType::F32, &[300], &[0])),
        key(&plain(Reduction::Max, DType::F32, &[300], &[0]))
    );
    assert_ne!(
        key(&plain(Reduction::Sum, DType::F32, &[300], &[0])),
        key(&plain(Reduction::Sum, DType::F64, &[300], &[0]))
    );
}

#[test]
fn equal_keys_have_equal_texts() {
    let (a, b) = (key(&scaled(1000, 2.0, 0)), key(&scaled(31, -1.0, 32)));
    assert_eq!(a.source(), b.source());
}

#[test]
fn a_dense_program_reads_as_written() {
    golden("dense.cu", &own_text(&scaled(1000, 2.0, 0)));
}

#[test]
fn a_transposed_program_reads_as_written() {
    let mut b = Build::over(&[30, 40]);
    let (x, transposed) = (b.dense(DType::F32), b.input(DType::F32, Layout::fortran(&[30, 40], 4)));
    let y = b.map(Op::Add, DType::F32, &[x, transposed]);
    b.store(y);
    golden("transposed.cu", &own_text(&b.program));
}

#[test]
fn a_reduction_reads_as_written() {
    let mut b = Build::over(&[3000]);
    let (x, y) = (b.dense(DType::F32), b.dense(DType::F32));
    let two = b.param(2.0, DType::F32);
    let square = b.map(Op::Square, DType::F32, &[x]);
    let twice = b.map(Op::Multiply, DType::F32, &[two, y]);
    let sum = b.map(Op::Add, DType::F32, &[square, twice]);
    b.reduce(Reduction::Sum, sum, &[0], &[0]);
    golden("reduction.cu", &own_text(&b.program));
}

#[test]
fn reductions_with_an_epilogue_read_as_written() {
    let mut b = Build::over(&[300, 40]);
    let x = b.dense(DType::F32);
    b.reduce_all(&[(Reduction::Sum, x), (Reduction::Variance, x)], &[0], &[0, 1], |e| {
        let offsets = e.dense(DType::F32);
        let n = e.param(300.0, DType::F32);
        let mean = e.map(Op::Divide, DType::F32, &[0, n]);
        let shifted = e.map(Op::Subtract, DType::F32, &[mean, offsets]);
        let variance = e.map(Op::Divide, DType::F32, &[1, n]);
        let deviation = e.map(Op::Sqrt, DType::F32, &[variance]);
        e.store(shifted);
        e.store(deviation);
    });
    golden("several.cu", &(own_text(&b.program) + &ending_text(&b.program)));
}

#[test]
fn a_broadcast_program_reads_as_written() {
    let shape = [30, 40];
    let mut b = Build::over(&shape);
    let (x, row) = (b.dense(DType::F32), b.input(DType::F32, strided(&shape, &[0, 4], 0)));
    let column = b.input(DType::F32, strided(&shape, &[4, 0], 0));
    let at = b.iota(1);
    let real = b.cast(at, DType::F32);
    let y = b.map(Op::Subtract, DType::F32, &[x, row]);
    let y = b.map(Op::Divide, DType::F32, &[y, column]);
    let y = b.map(Op::Add, DType::F32, &[y, real]);
    b.store(y);
    golden("broadcast.cu", &own_text(&b.program));
}

/// Programs of every walk, dtype and reduction.
fn variety() -> Vec<Program> {
    let mut programs = Vec::new();
    for dtype in DType::ALL {
        let mut b = Build::over(&[1000]);
        let x = b.dense(dtype);
        for to in [DType::Bool, DType::I8, DType::U64, DType::F16, DType::F32, DType::C128] {
            let y = b.cast(x, to);
            b.store(y);
        }
        programs.push(b.program);
        for layout in [
            strided(&[20, 30], &[4000, 2 * dtype.size() as isize], 0),
            strided(&[20, 30], &[4001, dtype.size() as isize], 1),
            Layout::fortran(&[20, 30], dtype.size()),
        ] {
            let mut b = Build::over(&[20, 30]);
            let (x, y) = (b.input(dtype, layout), b.dense(dtype));
            let sum = b.map(Op::Add, dtype, &[x, y]);
            b.store(sum);
            programs.push(b.program);
        }
        let walks: [(&[usize], usize); 3] = [(&[45, 37], 1), (&[37, 64], 0), (&[9100], 0)];
        for (turn, op) in Reduction::NAMED.into_iter().filter(|&op| has(op, dtype)).enumerate() {
            let (shape, axis) = walks[(turn + dtype as usize) % 3];
            programs.push(plain(op, dtype, shape, &[axis]));
        }
    }
    // Positions beyond 32 bits, packs across the end of an axis, and folds.
    for axes in [&[0usize] as &[usize], &[1], &[0, 1]] {
        programs.push(plain(Reduction::Variance, DType::F32, &[1 << 16, 1 << 16], axes));
        programs.push(plain(Reduction::ArgMax, DType::F64, &[1 << 16, 1 << 16], axes));
    }
    programs.push(plain(Reduction::Sum, DType::F32, &[9, 11, 13], &[0, 2]));
    programs.push(plain(Reduction::Fold(Op::Subtract), DType::F64, &[9, 11, 13], &[1]));
    programs.push(scaled(1 << 31, 2.0, 0));
    programs.extend(crate::several::variety());
    programs.extend(crate::rows::variety());
    programs
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_kind_of_text_compiles_for_a_gpu() {
    let mut keys: Vec<KernelKey> = Vec::new();
    for program in variety() {
        let key = key(&program);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let target = std::env::var("CUPRUM_TEST_TARGET").unwrap_or("sm_90".into());
    for batch in keys.chunks(16) {
        let source = joined(batch);
        if let Err(error) = cuprum_cuda::compile(&source, &target, cuprum_cuda::quick_options()) {
            panic!("{error}");
        }
    }
}
