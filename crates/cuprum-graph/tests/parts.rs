//! Views of pending results, and arrays put together from pieces: what fuses, and what is stored instead.

mod recorder;

use cuprum_core::{DType, Dims, Layout, Op, Reduction};
use cuprum_graph::{Args, NodeArg, NodeKind, Piece, View, assemble, reduce, write};
use recorder::Bench;
use smallvec::smallvec;

fn slice(view: &View, axis: usize, start: usize, count: usize) -> View {
    view.with_layout(view.layout().slice_axis(axis, start, 1, count))
}

/// Two arrays end to end along the first axis.
fn joined(bench: &Bench, first: &View, second: &View) -> View {
    let piece = |start: usize, view: &View| {
        let mut at: Dims = view.layout().shape.iter().map(|_| 0).collect();
        at[0] = start;
        Piece { start: at, shape: view.layout().shape.clone() }
    };
    let rows = first.layout().shape[0];
    let mut shape = first.layout().shape.clone();
    shape[0] += second.layout().shape[0];
    let pieces = vec![piece(0, first), piece(rows, second)];
    let args: Args = smallvec![NodeArg::View(first.clone()), NodeArg::View(second.clone())];
    let layout = Layout::contiguous(&shape, first.dtype().size());
    assemble(bench.device, pieces, args, layout, first.dtype()).unwrap()
}

#[test]
fn a_slice_of_a_pending_result_joins_by_its_work() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[40, 50], DType::F64), bench.array(&[40, 50], DType::F64));
    let sum = bench.map(Op::Add, &[&a, &b]);
    let part = slice(&slice(&sum, 0, 1, 38), 1, 2, 40);
    let result = bench.map(Op::Exp, &[&part]);
    drop((sum, part));
    result.storage().force().unwrap();
    let expected = "program (38, 40)\n  \
        %0 = input float64 strides [400, 8]\n  \
        %1 = input float64 strides [400, 8]\n  \
        %2 = add float64 %0, %1\n  \
        %3 = exp float64 %2\n  \
        store %3 strides [320, 8]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn a_transpose_and_a_reshape_join() {
    let bench = Bench::new();
    let a = bench.array(&[40, 50], DType::F64);
    let turned = bench.map(Op::Negative, &[&a]).with_layout(a.layout().transpose());
    let result = bench.map(Op::Exp, &[&turned]);
    drop(turned);
    result.storage().force().unwrap();
    let flat = bench.map(Op::Negative, &[&a]).with_layout(a.layout().reshape(&[2000], 8).unwrap());
    let result = bench.map(Op::Exp, &[&flat]);
    drop(flat);
    result.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[0].contains("program (50, 40)") && programs[0].contains("[8, 400]"), "{}", programs[0]);
    assert!(programs[1].contains("program (2000,)") && programs[1].contains("exp"), "{}", programs[1]);
}

#[test]
fn a_held_result_is_stored_and_its_parts_are_read() {
    let bench = Bench::new();
    let a = bench.array(&[1000], DType::F64);
    let held = bench.map(Op::Negative, &[&a]);
    let result = bench.map(Op::Exp, &[&slice(&held, 0, 1, 998)]);
    result.storage().force().unwrap();
    assert_eq!(bench.programs().len(), 2);
    assert!(held.storage().buffer().is_some());
}

#[test]
fn a_cheap_producer_is_computed_for_each_of_its_parts_and_a_dear_one_is_stored() {
    for (op, programs) in [(Op::Negative, 1), (Op::Sin, 2)] {
        let bench = Bench::new();
        let a = bench.array(&[1000], DType::F64);
        let made = bench.map(op, &[&a]);
        let result = bench.map(Op::Add, &[&slice(&made, 0, 2, 998), &slice(&made, 0, 0, 998)]);
        drop(made);
        result.storage().force().unwrap();
        assert_eq!(bench.programs().len(), programs, "{op:?}");
    }
}

#[test]
fn repeated_elements_are_computed_once() {
    let bench = Bench::new();
    // Of few elements, computing them again takes less time than a Program takes to start.
    for (rows, programs) in [(400, 2), (40, 1)] {
        let (row, m) = (bench.array(&[50], DType::F64), bench.array(&[rows, 50], DType::F64));
        let made = bench.map(Op::Negative, &[&row]);
        let wide = made.broadcast_to("add", &[rows, 50]).unwrap();
        let result = bench.map(Op::Add, &[&m, &wide]);
        drop((made, wide));
        result.storage().force().unwrap();
        assert_eq!(bench.programs().len(), programs);
    }
}

#[test]
fn parts_of_parts_of_a_long_history_stay_few() {
    let bench = Bench::new();
    // Miri takes a thousand times as long.
    let (side, rounds) = if cfg!(miri) { (24, 8) } else { (200, 40) };
    let mut x = bench.array(&[side, side], DType::F64);
    for _ in 0..rounds {
        let n = x.layout().shape[0];
        let part = |i, j| slice(&slice(&x, 0, i, n - 2), 1, j, n - 2);
        let (a, b) = (
            bench.map(Op::Add, &[&part(0, 1), &part(2, 1)]),
            bench.map(Op::Add, &[&part(1, 0), &part(1, 2)]),
        );
        x = bench.map(Op::Add, &[&a, &b]);
    }
    x.storage().force().unwrap();
    let programs = bench.programs();
    assert!(programs.len() <= 2 * rounds, "{} programs", programs.len());
    assert!(programs.iter().all(|program| program.matches("add").count() <= 64));
}

#[test]
fn a_reduction_of_a_part_is_one_pass() {
    let bench = Bench::new();
    let a = bench.array(&[40, 50], DType::F64);
    let made = bench.map(Op::Negative, &[&a]);
    let sum = reduce(Reduction::Sum, DType::F64, &slice(&made, 1, 1, 48), smallvec![1]).unwrap();
    drop(made);
    sum.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 1);
    assert!(programs[0].contains("negative") && programs[0].contains("over axes 1"), "{}", programs[0]);
}

#[test]
fn joined_arrays_are_read_where_they_are() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[300], DType::F64), bench.array(&[700], DType::F64));
    let both = joined(&bench, &a, &bench.map(Op::Negative, &[&b]));
    let result = bench.map(Op::Exp, &[&both]);
    drop(both);
    result.storage().force().unwrap();
    let mut programs = bench.programs();
    programs.sort();
    let first = "program (300,)\n  \
        %0 = input float64 strides [8]\n  \
        %1 = exp float64 %0\n  \
        store %1 strides [8]\n";
    let second = "program (700,)\n  \
        %0 = input float64 strides [8]\n  \
        %1 = negative float64 %0\n  \
        %2 = exp float64 %1\n  \
        store %2 strides [8]\n";
    assert_eq!(programs, [first, second]);
}

#[test]
fn pieces_are_put_together_before_they_are_reduced() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[300], DType::F64), bench.array(&[700], DType::F64));
    let both = joined(&bench, &a, &b);
    let sum = reduce(Reduction::Sum, DType::F64, &bench.map(Op::Exp, &[&both]), smallvec![0]).unwrap();
    drop(both);
    sum.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 3, "two copies, one pass");
    assert!(programs[2].contains("exp") && programs[2].contains("sum"), "{}", programs[2]);
}

#[test]
fn a_part_within_one_piece_needs_no_cut() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[300], DType::F64), bench.array(&[700], DType::F64));
    let both = joined(&bench, &a, &b);
    let sum = reduce(Reduction::Sum, DType::F64, &slice(&both, 0, 300, 700), smallvec![0]).unwrap();
    drop(both);
    sum.storage().force().unwrap();
    assert_eq!(bench.programs().len(), 1);
}

#[test]
fn pieces_that_leave_a_gap_or_overlap_are_refused() {
    let bench = Bench::new();
    let a = bench.array(&[10], DType::F64);
    for start in [5, 11, usize::MAX] {
        let pieces = vec![
            Piece { start: smallvec![0], shape: smallvec![10] },
            Piece { start: smallvec![start], shape: smallvec![10] },
        ];
        let args: Args = smallvec![NodeArg::View(a.clone()), NodeArg::View(a.clone())];
        let layout = Layout::contiguous(&[20], 8);
        assert!(assemble(bench.device, pieces, args, layout, DType::F64).is_err());
    }
}

#[test]
fn a_write_of_most_of_a_pending_array_is_recorded() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[200_000], DType::F64), bench.array(&[199_998], DType::F64));
    let copy = bench.map(Op::Negative, &[&a]);
    let inner = slice(&copy, 0, 1, 199_998);
    let args: Args = smallvec![NodeArg::View(inner.clone()), NodeArg::View(b)];
    write(&inner, NodeKind::Map { op: Op::Add, dtype: DType::F64 }, args).unwrap();
    assert!(bench.programs().is_empty(), "nothing has run yet");
    drop(inner);
    copy.storage().force().unwrap();
    let mut programs = bench.programs();
    programs.sort();
    assert_eq!(programs.len(), 3, "both ends and the middle");
    assert!(programs[0].contains("program (1,)") && programs[1].contains("program (1,)"), "{programs:?}");
    assert!(programs[2].contains("negative") && programs[2].contains("add"), "{}", programs[2]);
}

#[test]
fn a_reader_of_what_was_there_before_a_write_runs_first() {
    let bench = Bench::new();
    let a = bench.array(&[200_000], DType::F64);
    let copy = bench.map(Op::Negative, &[&a]);
    let reader = bench.map(Op::Exp, &[&copy]);
    write(&slice(&copy, 0, 1, 199_998), NodeKind::Cast, smallvec![NodeArg::View(slice(&a, 0, 0, 199_998))])
        .unwrap();
    assert!(reader.storage().buffer().is_some());
}
