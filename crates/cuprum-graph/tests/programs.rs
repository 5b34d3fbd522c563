//! What fuses into what, as text: recorded on a device that only remembers the Programs it was given.

mod recorder;

use std::sync::Arc;

use cuprum_core::{DType, Layout, Number, Op, Reduction, Scalar};
use cuprum_graph::{Args, DeferredCheck, NodeArg, NodeKind, View, cast, iota, map, reduce, take, write};
use recorder::Bench;
use smallvec::smallvec;

#[test]
fn a_chain_is_one_program_with_its_reduction() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[1000], DType::F64), bench.array(&[1000], DType::F64));
    let sum = bench.map(Op::Add, &[&bench.map(Op::Square, &[&a]), &bench.map(Op::Square, &[&b])]);
    let total = reduce(Reduction::Sum, DType::F64, &bench.map(Op::Sqrt, &[&sum]), smallvec![0]).unwrap();
    drop(sum);
    assert!(bench.programs().is_empty(), "nothing runs before somebody looks");
    total.storage().force().unwrap();
    let expected = "program (1000,)\n  \
        %0 = input float64 strides [8]\n  \
        %1 = input float64 strides [8]\n  \
        %2 = square float64 %0\n  \
        %3 = square float64 %1\n  \
        %4 = add float64 %2, %3\n  \
        %5 = sqrt float64 %4\n  \
        sum float64 %5 over axes 0\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn what_reduces_elements_at_positions_reads_the_positions() {
    let bench = Bench::new();
    let (table, positions) = (bench.array(&[1000], DType::F64), bench.array(&[8, 50], DType::I32));
    let check = DeferredCheck::new(7, Arc::new(()));
    let taken = take(&table, &positions, &check).unwrap().unwrap();
    // Half of them, seen the other way round.
    let part = taken.with_layout(taken.layout().slice_axis(1, 0, 2, 25).transpose());
    let total = reduce(Reduction::Sum, DType::F64, &part, smallvec![0]).unwrap();
    drop((taken, part));
    total.storage().force().unwrap();
    let expected = "program (25, 8)\n  \
        %0 = input float64 strides [0, 0]\n  \
        %1 = input int32 strides [8, 200]\n  \
        %2 = param int64\n  \
        %3 = param uint64\n  \
        %4 = cast int64 %1\n  \
        %5 = take float64 %0, %4, %2, %3\n  \
        sum float64 %5 over axes 0\n";
    assert_eq!(bench.programs(), [expected]);
    // A table has one dense axis, and an address is the device's own.
    assert!(take(&positions, &positions, &check).unwrap().is_none());
    let far = Scalar::wrapping(Number::Int(1 << 20), DType::U64);
    let length = Scalar::wrapping(Number::Int(1000), DType::I64);
    let target = bench.array(&[8, 50], DType::F64);
    let args = vec![
        NodeArg::View(table.clone()),
        NodeArg::View(positions.clone()),
        NodeArg::Scalar(length),
        NodeArg::Scalar(far),
    ];
    assert!(write(&target, NodeKind::Take { check }, Args::from_vec(args)).is_err());
}

#[test]
fn a_held_interior_result_is_stored_in_the_same_pass() {
    let bench = Bench::new();
    let a = bench.array(&[1000], DType::F32);
    let kept = bench.map(Op::Exp, &[&a]);
    let result = bench.map(Op::Negative, &[&kept]);
    result.storage().force().unwrap();
    let expected = "program (1000,)\n  \
        %0 = input float32 strides [4]\n  \
        %1 = exp float32 %0\n  \
        %2 = negative float32 %1\n  \
        store %1 strides [4]\n  \
        store %2 strides [4]\n";
    assert_eq!(bench.programs(), [expected]);
    kept.storage().force().unwrap();
    assert!(bench.programs().is_empty(), "what was stored is not computed again");
}

#[test]
fn common_subexpressions_and_scalars_merge() {
    let bench = Bench::new();
    let a = bench.array(&[8, 8], DType::F64);
    let left = bench.scaled(&a, 2.0);
    let right = bench.scaled(&a, 2.0);
    let result = bench.map(Op::Add, &[&left, &right]);
    drop((left, right));
    result.storage().force().unwrap();
    let expected = "program (8, 8)\n  \
        %0 = input float64 strides [64, 8]\n  \
        %1 = param float64\n  \
        %2 = multiply float64 %0, %1\n  \
        %3 = add float64 %2, %2\n  \
        store %3 strides [64, 8]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn a_reduced_result_runs_before_what_broadcasts_it() {
    let bench = Bench::new();
    let m = bench.array(&[100, 50], DType::F64);
    let column = reduce(Reduction::Max, DType::F64, &m, smallvec![0]).unwrap();
    let wide = column.broadcast_to("subtract", &[100, 50]).unwrap();
    let result = bench.map(Op::Subtract, &[&m, &wide]);
    drop((column, wide));
    result.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[0].contains("max float64 %0 over axes 0"), "{}", programs[0]);
    assert!(programs[1].contains("%1 = input float64 strides [0, 8]"), "{}", programs[1]);
}

#[test]
fn conversions_are_part_of_the_program() {
    let bench = Bench::new();
    let a = bench.array(&[10], DType::I16);
    let wide = cast(bench.device, NodeArg::View(a), DType::F32, Layout::contiguous(&[10], 4)).unwrap();
    let result = bench.map(Op::Sqrt, &[&wide]);
    drop(wide);
    result.storage().force().unwrap();
    let expected = "program (10,)\n  \
        %0 = input int16 strides [2]\n  \
        %1 = cast float32 %0\n  \
        %2 = sqrt float32 %1\n  \
        store %2 strides [4]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn positions_are_made_on_the_way() {
    let bench = Bench::new();
    let rows = iota(bench.device, &[3, 4], 0).unwrap();
    let cols = iota(bench.device, &[3, 4], 1).unwrap();
    let same = bench.map(Op::Equal, &[&rows, &cols]);
    drop((rows, cols));
    same.storage().force().unwrap();
    let expected = "program (3, 4)\n  \
        %0 = iota axis 0\n  \
        %1 = iota axis 1\n  \
        %2 = equal int64 %0, %1\n  \
        store %2 strides [4, 1]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn an_unread_result_never_runs() {
    let bench = Bench::new();
    let a = bench.array(&[1000], DType::F64);
    drop(bench.map(Op::Exp, &[&bench.map(Op::Sin, &[&a])]));
    assert!(bench.programs().is_empty());
}

#[test]
fn a_write_runs_pending_readers_first_and_fuses_with_its_right_hand_side() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[1000], DType::F64), bench.array(&[1000], DType::F64));
    let reader = bench.map(Op::Exp, &[&a]);
    let value = bench.map(Op::Sin, &[&b]);
    write(
        &a,
        NodeKind::Map { op: Op::Add, dtype: DType::F64 },
        smallvec![NodeArg::View(a.clone()), NodeArg::View(value)],
    )
    .unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[0].contains("exp"), "{}", programs[0]);
    assert!(programs[1].contains("sin") && programs[1].contains("add"), "{}", programs[1]);
    assert!(reader.storage().buffer().is_some());
}

#[test]
fn an_overlapping_write_goes_through_a_copy() {
    let bench = Bench::new();
    let a = bench.array(&[1000], DType::F64);
    let (front, back) = (a.layout().slice_axis(0, 0, 1, 999), a.layout().slice_axis(0, 1, 1, 999));
    write(&a.with_layout(back), NodeKind::Cast, smallvec![NodeArg::View(a.with_layout(front))]).unwrap();
    assert_eq!(bench.programs().len(), 2, "a copy, then the store");
}

/// Miri takes a thousand times as long.
const CHAIN: usize = if cfg!(miri) { 1000 } else { 10_000 };

#[test]
fn long_chains_and_many_inputs_run_in_pieces() {
    let bench = Bench::new();
    let mut x = bench.array(&[10], DType::F64);
    for _ in 0..CHAIN {
        x = bench.map(Op::Negative, &[&x]);
    }
    x.storage().force().unwrap();
    let programs = bench.programs();
    assert!((CHAIN * 15 / 1000..=CHAIN * 17 / 1000).contains(&programs.len()), "{} programs", programs.len());

    let mut sum = bench.array(&[10], DType::F64);
    for _ in 0..40 {
        sum = bench.map(Op::Add, &[&sum, &bench.array(&[10], DType::F64)]);
    }
    sum.storage().force().unwrap();
    for program in bench.programs() {
        assert!(program.matches("input").count() <= 17, "{program}");
    }
}

#[test]
fn doubling_forty_times_stays_linear() {
    let bench = Bench::new();
    let mut x = bench.array(&[10], DType::F64);
    for _ in 0..40 {
        x = bench.map(Op::Add, &[&x, &x]);
    }
    x.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 1);
    assert_eq!(programs[0].matches("add").count(), 40);
}

#[test]
fn arrays_of_two_devices_are_not_mixed() {
    let (here, there) = (Bench::new(), Bench::new());
    let (a, b) = (here.array(&[4], DType::F64), there.array(&[4], DType::F64));
    let args: Args = smallvec![NodeArg::View(a.clone()), NodeArg::View(b.clone())];
    let layout = Layout::contiguous(&[4], 8);
    let error = map(here.device, Op::Add, DType::F64, args, layout).unwrap_err();
    assert_eq!(
        error.to_string(),
        "add: arrays on recorder and recorder: move one of them with asarray(x, device=...)"
    );
    assert!(write(&a, NodeKind::Cast, smallvec![NodeArg::View(b)]).is_err());
}

impl Bench {
    fn reduced(&self, op: Reduction, a: &View, axes: &[usize]) -> View {
        reduce(op, a.dtype(), a, axes.iter().copied().collect()).unwrap()
    }
}

#[test]
fn what_follows_on_the_reduced_shape_is_an_epilogue() {
    let bench = Bench::new();
    let m = bench.array(&[100, 50], DType::F32);
    let offsets = bench.array(&[50], DType::F32);
    let sum = bench.reduced(Reduction::Sum, &bench.map(Op::Square, &[&m]), &[0]);
    let root = bench.map(Op::Sqrt, &[&bench.scaled(&sum, 0.5)]);
    let result = bench.map(Op::Add, &[&root, &offsets]);
    drop((sum, root));
    result.storage().force().unwrap();
    let expected = "program (100, 50)\n  \
        %0 = input float32 strides [200, 4]\n  \
        %1 = square float32 %0\n  \
        sum float32 %1 over axes 0\n\
        then (50,)\n  \
        %0 = sum\n  \
        %1 = input float32 strides [4]\n  \
        %2 = param float32\n  \
        %3 = multiply float32 %0, %2\n  \
        %4 = sqrt float32 %3\n  \
        %5 = add float32 %4, %1\n  \
        store %5 strides [4]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn a_held_result_of_a_reduction_is_stored_beside_what_follows() {
    let bench = Bench::new();
    let x = bench.array(&[1000], DType::F64);
    let sum = bench.reduced(Reduction::Sum, &x, &[0]);
    let mean = bench.scaled(&sum, 0.001);
    mean.storage().force().unwrap();
    let expected = "program (1000,)\n  \
        %0 = input float64 strides [8]\n  \
        sum float64 %0 over axes 0\n\
        then ()\n  \
        %0 = sum\n  \
        %1 = param float64\n  \
        %2 = multiply float64 %0, %1\n  \
        store %0 strides []\n  \
        store %2 strides []\n";
    assert_eq!(bench.programs(), [expected]);
    sum.storage().force().unwrap();
    assert!(bench.programs().is_empty(), "what was stored is not computed again");
}

#[test]
fn reductions_of_one_array_run_in_one_pass() {
    let bench = Bench::new();
    let x = bench.array(&[40, 70], DType::F32);
    let low = bench.reduced(Reduction::Min, &x, &[1]);
    let high = bench.reduced(Reduction::Max, &x, &[1]);
    let squares = bench.reduced(Reduction::Sum, &bench.map(Op::Square, &[&x]), &[1]);
    high.storage().force().unwrap();
    let expected = "program (40, 70)\n  \
        %0 = input float32 strides [280, 4]\n  \
        %1 = square float32 %0\n  \
        max float32 %0 over axes 1\n  \
        min float32 %0 over axes 1\n  \
        sum float32 %1 over axes 1\n";
    assert_eq!(bench.programs(), [expected]);
    for other in [low, squares] {
        other.storage().force().unwrap();
    }
    assert!(bench.programs().is_empty());
}

#[test]
fn reductions_of_one_pending_producer_share_it() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[900], DType::F64), bench.array(&[900], DType::F64));
    let product = bench.map(Op::Multiply, &[&a, &b]);
    let sum = bench.reduced(Reduction::Sum, &product, &[0]);
    let spread = bench.reduced(Reduction::Variance, &product, &[0]);
    drop(product);
    sum.storage().force().unwrap();
    let expected = "program (900,)\n  \
        %0 = input float64 strides [8]\n  \
        %1 = input float64 strides [8]\n  \
        %2 = multiply float64 %0, %1\n  \
        sum float64 %2 over axes 0\n  \
        var float64 %2 over axes 0\n";
    assert_eq!(bench.programs(), [expected]);
    assert!(spread.storage().buffer().is_some());
}

#[test]
fn normalising_reads_its_array_twice() {
    let bench = Bench::new();
    let m = bench.array(&[100, 50], DType::F64);
    let mean = bench.scaled(&bench.reduced(Reduction::Sum, &m, &[0]), 0.01);
    let variance = bench.scaled(&bench.reduced(Reduction::Variance, &m, &[0]), 0.01);
    let deviation = bench.map(Op::Sqrt, &[&variance]);
    drop(variance);
    let wide = |view: &View| view.broadcast_to("subtract", &[100, 50]).unwrap();
    let centred = bench.map(Op::Subtract, &[&m, &wide(&mean)]);
    let result = bench.map(Op::Divide, &[&centred, &wide(&deviation)]);
    drop((mean, deviation, centred));
    result.storage().force().unwrap();
    let first = "program (100, 50)\n  \
        %0 = input float64 strides [400, 8]\n  \
        var float64 %0 over axes 0\n  \
        sum float64 %0 over axes 0\n\
        then (50,)\n  \
        %0 = var\n  \
        %1 = sum\n  \
        %2 = param float64\n  \
        %3 = multiply float64 %0, %2\n  \
        %4 = sqrt float64 %3\n  \
        %5 = multiply float64 %1, %2\n  \
        store %4 strides [8]\n  \
        store %5 strides [8]\n";
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert_eq!(programs[0], first);
    assert!(programs[1].contains("divide") && !programs[1].contains("over"), "{}", programs[1]);
}

#[test]
fn reductions_that_walk_otherwise_stay_apart() {
    let bench = Bench::new();
    let m = bench.array(&[60, 60], DType::F32);
    let down = bench.reduced(Reduction::Sum, &m, &[0]);
    let along = bench.reduced(Reduction::Sum, &m, &[1]);
    // Elements twice as wide are taken in packs half as long: the additions would be grouped otherwise.
    let wide = reduce(Reduction::Sum, DType::F64, &m, smallvec![0]).unwrap();
    let fold = bench.reduced(Reduction::Fold(Op::Subtract), &m, &[0]);
    for (view, programs) in [(&down, 1), (&along, 1), (&wide, 1), (&fold, 1)] {
        view.storage().force().unwrap();
        assert_eq!(bench.programs().len(), programs);
    }
}

#[test]
fn a_dropped_reduction_does_not_run_with_others() {
    let bench = Bench::new();
    let x = bench.array(&[500], DType::F64);
    let sum = bench.reduced(Reduction::Sum, &x, &[0]);
    drop(bench.reduced(Reduction::Max, &x, &[0]));
    sum.storage().force().unwrap();
    assert!(!bench.programs()[0].contains("max"));
}

#[test]
fn an_array_reduced_into_itself_is_not_read_where_it_is_written() {
    let bench = Bench::new();
    let m = bench.array(&[30, 50], DType::F64);
    let sum = bench.reduced(Reduction::Sum, &m, &[0]);
    let first = m.with_layout(m.layout().slice_axis(0, 0, 1, 1).remove_axis(0));
    write(
        &first,
        NodeKind::Map { op: Op::Add, dtype: DType::F64 },
        smallvec![NodeArg::View(first.clone()), NodeArg::View(sum)],
    )
    .unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2, "the sum, then the store");
    assert!(!programs[1].contains("over axes"), "{}", programs[1]);
}

#[test]
fn one_storage_read_whole_and_through_a_view_is_computed_first() {
    let bench = Bench::new();
    let (a, b) = (bench.array(&[40, 40], DType::F64), bench.array(&[40, 40], DType::F64));
    let sum = bench.map(Op::Add, &[&a, &b]);
    let turned = sum.with_layout(sum.layout().transpose());
    let result = bench.map(Op::Multiply, &[&sum, &turned]);
    drop((sum, turned));
    result.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[1].contains("strides [8, 320]"), "{}", programs[1]);
}

/// Results of a reduction along rows, seen over these rows again.
fn over_rows(results: &View, shape: &[usize; 2]) -> View {
    let column = results.with_layout(results.layout().insert_axis(1));
    column.broadcast_to("subtract", shape).unwrap()
}

#[test]
fn a_softmax_is_one_program() {
    let bench = Bench::new();
    let shape = [100, 50];
    let x = bench.array(&shape, DType::F32);
    let top = bench.reduced(Reduction::Max, &x, &[1]);
    let share = bench.map(Op::Exp, &[&bench.map(Op::Subtract, &[&x, &over_rows(&top, &shape)])]);
    let sum = bench.reduced(Reduction::Sum, &share, &[1]);
    let result = bench.map(Op::Divide, &[&share, &over_rows(&sum, &shape)]);
    drop((top, share));
    result.storage().force().unwrap();
    let expected = "program (100, 50)\n  \
        %0 = input float32 strides [200, 4]\n  \
        %1 = max float32 %0 over axes 1\n  \
        %2 = subtract float32 %0, %1\n  \
        %3 = exp float32 %2\n  \
        %4 = sum float32 %3 over axes 1\n  \
        %5 = divide float32 %3, %4\n  \
        store %4 strides [4, 0]\n  \
        store %5 strides [200, 4]\n";
    assert_eq!(bench.programs(), [expected], "sums that are held are stored once for each row");
    sum.storage().force().unwrap();
    assert!(bench.programs().is_empty());
}

#[test]
fn what_is_made_of_results_is_computed_once_for_each_row() {
    let bench = Bench::new();
    let shape = [100, 50];
    let x = bench.array(&shape, DType::F64);
    let mean = bench.scaled(&bench.reduced(Reduction::Sum, &x, &[1]), 0.02);
    let centred = bench.map(Op::Subtract, &[&x, &over_rows(&mean, &shape)]);
    let squares = bench.reduced(Reduction::Sum, &bench.map(Op::Square, &[&centred]), &[1]);
    let spread = bench.map(Op::Sqrt, &[&squares]);
    drop((mean, centred, squares));
    spread.storage().force().unwrap();
    let expected = "program (100, 50)\n  \
        %0 = input float64 strides [400, 8]\n  \
        %1 = param float64\n  \
        %2 = sum float64 %0 over axes 1\n  \
        %3 = multiply float64 %2, %1\n  \
        %4 = subtract float64 %0, %3\n  \
        %5 = square float64 %4\n  \
        %6 = sum float64 %5 over axes 1\n  \
        %7 = sqrt float64 %6\n  \
        store %7 strides [8, 0]\n";
    assert_eq!(bench.programs(), [expected]);
}

#[test]
fn columns_and_other_rows_run_before() {
    let bench = Bench::new();
    let shape = [60, 60];
    let x = bench.array(&shape, DType::F64);
    let down = bench.reduced(Reduction::Max, &x, &[0]);
    let wide = down.broadcast_to("subtract", &shape).unwrap();
    let centred = bench.map(Op::Subtract, &[&x, &wide]);
    let along = bench.reduced(Reduction::Max, &centred, &[1]);
    let result = bench.map(Op::Divide, &[&centred, &over_rows(&along, &shape)]);
    drop((down, wide, centred, along));
    result.storage().force().unwrap();
    let programs = bench.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[0].ends_with("max float64 %0 over axes 0\n"), "{}", programs[0]);
    assert!(programs[1].contains("%3 = max float64 %2 over axes 1"), "{}", programs[1]);
}
