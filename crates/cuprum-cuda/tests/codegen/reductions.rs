//! Reductions: every kind over every dtype it has, every walk, in all nestings and layouts.

use cuprum_core::{DType, Layout, Number, Op, Reduction, Scalar};
use cuprum_graph::{Output, Program};

use crate::harness::{check, prepare};
use crate::programs::{Build, Noise, strided};

pub fn has(op: Reduction, dtype: DType) -> bool {
    match op {
        Reduction::BitAnd | Reduction::BitOr | Reduction::BitXor => dtype.is_integral(),
        Reduction::Count => dtype == DType::Bool,
        Reduction::Variance => matches!(dtype, DType::F32 | DType::F64 | DType::C64 | DType::C128),
        _ => true,
    }
}

/// Runs Programs: what is stored on the way is equal to the last byte, results within a few roundings.
pub fn close(programs: &[Program]) {
    prepare(programs);
    programs.iter().for_each(close_one);
}

fn close_one(program: &Program) {
    let mut noise = Noise(11);
    let reduce = program.reduce.as_ref().expect("a reduction");
    let read = program.inputs.iter().chain(reduce.late_inputs());
    let mut inputs: Vec<Vec<u8>> = read.map(|i| noise.memory(&i.layout, i.dtype)).collect();
    // Products of many halves overflow: near one they stay numbers.
    if reduce.results.iter().any(|r| r.op == Reduction::Prod) {
        for (input, memory) in program.inputs.iter().zip(&mut inputs) {
            for index in crate::reference::indices(&input.layout.shape) {
                let at = crate::reference::offset(&input.layout, &index) as usize;
                let x = (noise.next() % 3) as f64 / 8.0 + 0.875;
                let number = if input.dtype.is_complex() { Number::Complex(x, 0.125) } else { x.into() };
                let scalar = Scalar::wrapping(number, input.dtype);
                memory[at..at + input.dtype.size()].copy_from_slice(scalar.bytes());
            }
        }
    }
    compare(program, &inputs);
}

fn compare(program: &Program, inputs: &[Vec<u8>]) {
    let reduce = program.reduce.as_ref().expect("a reduction");
    let written: Vec<&Output> = program.outputs.iter().chain(&reduce.epilogue.outputs).collect();
    let outputs: Vec<Vec<u8>> =
        written.iter().map(|o| vec![0xcd; o.layout.extent(o.dtype.size()).1 + 5]).collect();
    check(program, inputs, &outputs, |at, got, expected| {
        let Output { dtype, layout, .. } = written[at];
        if at < program.outputs.len() || dtype.is_integral() || *dtype == DType::Bool {
            assert_eq!(got, expected, "output {at} of\n{program}");
            return;
        }
        let size = dtype.size();
        let places = layout.size();
        for place in 0..places {
            let bytes = place * size..place * size + size;
            let got = Scalar::from_bytes(*dtype, &got[bytes.clone()]).number();
            let expected = Scalar::from_bytes(*dtype, &expected[bytes]).number();
            assert!(near(got, expected, *dtype), "{got:?} for {expected:?} at {place} of\n{program}");
        }
        assert_eq!(got[places * size..], expected[places * size..], "past the results of\n{program}");
    });
}

fn near(got: Number, expected: Number, dtype: DType) -> bool {
    let bound = match dtype {
        DType::F16 => 2e-3,
        DType::BF16 => 2e-2,
        DType::F32 | DType::C64 => 1e-5,
        _ => 1e-12,
    };
    let one =
        |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= bound * b.abs().max(1.0);
    match (got, expected) {
        (Number::Complex(a, b), Number::Complex(c, d)) => one(a, c) && one(b, d),
        (Number::Float(a), Number::Float(b)) => one(a, b),
        (a, b) => a == b,
    }
}

pub fn plain(op: Reduction, dtype: DType, shape: &[usize], axes: &[usize]) -> Program {
    let nesting: Vec<usize> = (0..shape.len()).collect();
    let mut b = Build::over(shape);
    let x = b.dense(dtype);
    b.reduce(op, x, axes, &nesting);
    b.program
}

/// The walks in turn: each compiles a kernel of its own.
#[test]
fn every_reduction_of_every_dtype() {
    let mut programs = Vec::new();
    let walks: [(&[usize], usize); 3] = [(&[45, 37], 1), (&[37, 64], 0), (&[9100], 0)];
    let mut turn = 0;
    for dtype in DType::ALL {
        for op in Reduction::NAMED.into_iter().filter(|&op| has(op, dtype)) {
            let (shape, axis) = walks[turn % 3];
            programs.push(plain(op, dtype, shape, &[axis]));
            turn += 1;
        }
    }
    close(&programs);
}

#[test]
fn rows_of_every_length() {
    let mut programs = Vec::new();
    for length in [1usize, 2, 3, 4, 5, 31, 128, 129, 1024, 1025, 2047, 4100, 20_001] {
        for rows in [1, 3] {
            programs.push(plain(Reduction::Sum, DType::F32, &[rows, length], &[1]));
            programs.push(plain(Reduction::ArgMax, DType::F32, &[rows, length], &[1]));
            programs.push(plain(Reduction::Variance, DType::F64, &[rows, length], &[1]));
        }
    }
    close(&programs);
}

#[test]
fn columns_of_every_number() {
    let mut programs = Vec::new();
    for (rows, columns) in
        [(2usize, 32usize), (9, 33), (300, 36), (1000, 40), (70, 129), (5, 1030), (700, 256)]
    {
        for op in [Reduction::Sum, Reduction::ArgMin, Reduction::Variance, Reduction::Max] {
            programs.push(plain(op, DType::F32, &[rows, columns], &[0]));
        }
        programs.push(plain(Reduction::Sum, DType::U8, &[rows, columns], &[0]));
        programs.push(plain(Reduction::Sum, DType::C128, &[rows, columns], &[0]));
    }
    close(&programs);
}

#[test]
fn axes_nestings_and_layouts() {
    let mut programs = Vec::new();
    let shape = [6usize, 5, 40];
    let nestings = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
    let subsets: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    for nesting in nestings {
        for axes in subsets {
            for op in [Reduction::Sum, Reduction::ArgMin] {
                let mut b = Build::over(&shape);
                let x = b.input(DType::F32, Layout::dense(&shape, &nesting, 4));
                b.reduce(op, x, axes, &nesting);
                programs.push(b.program);
                // The same array read through other layouts, as a fused producer's input may lie.
                for other in [strided(&shape, &[0, 160, 4], 0), strided(&shape, &[2000, 400, 8], 16)] {
                    let mut b = Build::over(&shape);
                    let (x, y) =
                        (b.input(DType::F32, other), b.input(DType::F32, Layout::dense(&shape, &nesting, 4)));
                    let sum = b.map(Op::Add, DType::F32, &[x, y]);
                    b.reduce(op, sum, axes, &nesting);
                    programs.push(b.program);
                }
            }
        }
    }
    close(&programs);
}

#[test]
fn results_do_not_depend_on_how_inputs_lie() {
    // Sums that round differently in another order: the bits must be those of the dense array.
    let shape = [7usize, 4099];
    for axes in [&[1usize] as &[usize], &[0], &[0, 1]] {
        let value = |i: usize| 1.0 / (i as f64 + 3.0);
        let mut bits = Vec::new();
        let layouts = [
            Layout::contiguous(&shape, 8),
            strided(&shape, &[4099 * 16, 16], 8),
            strided(&shape, &[-(4099 * 8 + 24), 8], 6 * (4099 * 8 + 24)),
            strided(&shape, &[4099 * 8 + 3, 8], 1),
        ];
        for layout in layouts {
            let mut memory = vec![0u8; layout.extent(8).1];
            for (i, index) in crate::reference::indices(&shape).enumerate() {
                let at = crate::reference::offset(&layout, &index) as usize;
                memory[at..at + 8].copy_from_slice(&value(i).to_le_bytes());
            }
            let mut b = Build::over(&shape);
            let x = b.input(DType::F64, layout);
            b.reduce(Reduction::Sum, x, axes, &[0, 1]);
            let results = b.program.reduce.as_ref().map_or(0, |r| r.epilogue.size());
            check(&b.program, &[memory], &[vec![0; results * 8]], |_, got, _| bits.push(got.to_vec()));
        }
        assert!(bits.windows(2).all(|pair| pair[0] == pair[1]), "axes {axes:?}");
    }
}

#[test]
fn fused_producers_and_what_is_stored_on_the_way() {
    let mut programs = Vec::new();
    for (shape, axes) in [
        (vec![3000usize], vec![0]),
        (vec![40, 70], vec![1]),
        (vec![70, 48], vec![0]),
        (vec![9, 11, 13], vec![0, 2]),
    ] {
        let nesting: Vec<usize> = (0..shape.len()).collect();
        let mut b = Build::over(&shape);
        let (x, y) = (b.dense(DType::F32), b.dense(DType::I16));
        let two = b.param(2.0, DType::F32);
        let square = b.map(Op::Square, DType::F32, &[x]);
        let real = b.cast(y, DType::F32);
        let twice = b.map(Op::Multiply, DType::F32, &[real, two]);
        let sum = b.map(Op::Add, DType::F32, &[square, twice]);
        let more = b.map(Op::Greater, DType::F32, &[sum, two]);
        b.store(sum);
        b.store(more);
        b.reduce(Reduction::Sum, sum, &axes, &nesting);
        programs.push(b.program);
    }
    close(&programs);
}

#[test]
fn folds_go_from_left_to_right() {
    let mut programs = Vec::new();
    for (shape, axes) in
        [(vec![50usize], vec![0]), (vec![30, 9], vec![1]), (vec![9, 300], vec![0]), (vec![3, 7, 5], vec![1])]
    {
        let nesting: Vec<usize> = (0..shape.len()).collect();
        for (op, dtype) in [(Op::Subtract, DType::F64), (Op::Divide, DType::F32), (Op::Subtract, DType::I16)]
        {
            let mut b = Build::over(&shape);
            let x = b.dense(dtype);
            b.reduce(Reduction::Fold(op), x, &axes, &nesting);
            programs.push(b.program);
        }
    }
    close(&programs);
}

fn numbers(values: &[f64], dtype: DType) -> Vec<u8> {
    values.iter().flat_map(|&x| Scalar::wrapping(x.into(), dtype).bytes().to_vec()).collect()
}

#[test]
fn nan_wins_or_is_skipped() {
    let places = [vec![], vec![0usize], vec![777], vec![1999], vec![3, 1200], (0..2000).collect()];
    let mut programs = Vec::new();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        for op in [
            Reduction::Min,
            Reduction::Max,
            Reduction::Fmin,
            Reduction::Fmax,
            Reduction::ArgMin,
            Reduction::ArgMax,
        ] {
            programs.push((dtype, plain(op, dtype, &[2000], &[0])));
            programs.push((dtype, plain(op, dtype, &[50, 40], &[0])));
            programs.push((dtype, plain(op, dtype, &[50, 40], &[1])));
        }
    }
    prepare(programs.iter().map(|(_, program)| program));
    for at in places {
        let mut values: Vec<f64> = (0..2000).map(|i| ((i * 37) % 91) as f64 - 45.0).collect();
        at.iter().for_each(|&i| values[i] = f64::NAN);
        for (dtype, program) in &programs {
            compare(program, &[numbers(&values, *dtype)]);
        }
    }
}

#[test]
fn infinities_are_numbers() {
    let values: Vec<f64> =
        (0..600).map(|i| if i < 599 { f64::INFINITY } else { f64::NEG_INFINITY }).collect();
    for op in [
        Reduction::Min,
        Reduction::Max,
        Reduction::ArgMin,
        Reduction::ArgMax,
        Reduction::Sum,
        Reduction::Variance,
    ] {
        compare(&plain(op, DType::F64, &[600], &[0]), &[numbers(&values, DType::F64)]);
        compare(&plain(op, DType::F64, &[599], &[0]), &[numbers(&values, DType::F64)]);
    }
}

#[test]
fn of_complex_nans_the_first_is_the_extremum() {
    let mut values: Vec<(f64, f64)> = (0..3000).map(|i| (((i * 7) % 50) as f64, (i % 3) as f64)).collect();
    for at in [2500usize, 1234, 90] {
        values[at] = (at as f64, f64::NAN);
        let memory: Vec<u8> =
            values.iter().flat_map(|&(a, b)| [a.to_le_bytes(), b.to_le_bytes()].concat()).collect();
        for op in [Reduction::Min, Reduction::Max, Reduction::Fmax, Reduction::ArgMin] {
            compare(&plain(op, DType::C128, &[3000], &[0]), std::slice::from_ref(&memory));
        }
    }
}

#[test]
fn nothing_gives_the_identity() {
    let mut programs = Vec::new();
    for (op, dtype) in [
        (Reduction::Sum, DType::F32),
        (Reduction::Prod, DType::I16),
        (Reduction::All, DType::F64),
        (Reduction::BitAnd, DType::U8),
        (Reduction::Variance, DType::F64),
    ] {
        programs.push(plain(op, dtype, &[5, 0], &[1]));
        programs.push(plain(op, dtype, &[0, 300, 40], &[0]));
    }
    assert!(
        cuprum_cuda::codegen::LaunchPlan::of(&plain(Reduction::Sum, DType::F32, &[0, 7], &[1]), &[0], &[0])
            .is_none()
    );
    close(&programs);
}

#[test]
fn variance_of_numbers_far_from_zero() {
    let values: Vec<f64> = (0..40_000).map(|i| 1e9 + ((i * 7919) % 1000) as f64 / 1000.0).collect();
    for (shape, axes) in
        [(vec![40_000usize], vec![0usize]), (vec![400, 100], vec![0]), (vec![100, 400], vec![1])]
    {
        compare_with(
            &plain(Reduction::Variance, DType::F64, &shape, &axes),
            &numbers(&values, DType::F64),
            1e-6,
        );
    }
}

/// Compares results with a bound of their own.
fn compare_with(program: &Program, memory: &[u8], bound: f64) {
    let size = program.reduce.as_ref().map_or(0, |r| r.epilogue.size() * 8);
    check(program, &[memory.to_vec()], &[vec![0; size]], |_, got, expected| {
        for (got, expected) in got.chunks(8).zip(expected.chunks(8)) {
            let number = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("eight bytes"));
            let (got, expected) = (number(got), number(expected));
            assert!((got - expected).abs() <= bound * expected.abs(), "{got} for {expected}");
        }
    });
}
