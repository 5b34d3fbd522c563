//! Work of a structure that has run before: the plan of then gives the results of now.

mod recorder;

use std::sync::Arc;

use cuprum_core::{DType, Layout, Number, Op, Reduction, Scalar};
use cuprum_graph::{NodeArg, Storage, View, cast, fill, reduce};
use recorder::Bench;
use smallvec::SmallVec;

/// An array and the text of what it must hold.
#[derive(Clone)]
struct Array {
    view: View,
    text: String,
}

fn leaf(bench: &Bench, shape: &[usize]) -> Array {
    let view = bench.array(shape, DType::F64);
    seen(bench, view)
}

fn seen(bench: &Bench, view: View) -> Array {
    let text = bench.device.content(view.storage().buffer().unwrap().address(), view.layout());
    Array { view, text }
}

fn unary(bench: &Bench, op: Op, a: &Array) -> Array {
    Array { view: bench.map(op, &[&a.view]), text: format!("{}({})", op.name(), a.text) }
}

fn binary(bench: &Bench, op: Op, a: &Array, b: &Array) -> Array {
    Array { view: bench.map(op, &[&a.view, &b.view]), text: format!("{}({}, {})", op.name(), a.text, b.text) }
}

fn scaled(bench: &Bench, a: &Array, factor: f64) -> Array {
    let number = Scalar::wrapping(Number::Float(factor), DType::F64).number();
    Array { view: bench.scaled(&a.view, factor), text: format!("multiply({}, {number:?})", a.text) }
}

fn sum(a: &Array) -> Array {
    let axes: SmallVec<[usize; 4]> = (0..a.view.layout().ndim()).collect();
    let text = format!("sum{axes:?}({})", a.text);
    Array { view: reduce(Reduction::Sum, DType::F64, &a.view, axes).unwrap(), text }
}

/// The sum for every element: it has to run before what reads it.
fn spread(a: &Array) -> Array {
    let total = sum(a);
    let view = total.view.broadcast_to("spread", &a.view.layout().shape).unwrap();
    let text = format!("{}{:?}", total.text, view.layout());
    Array { view, text }
}

/// Runs an array, and compares it with what it must hold.
fn check(bench: &Bench, a: &Array) {
    let buffer = a.view.storage().force().unwrap();
    assert_eq!(bench.device.content(buffer.address(), a.view.layout()), a.text);
}

fn ran_again(bench: &Bench) -> usize {
    std::mem::take(&mut *bench.device.again.lock().unwrap())
}

#[test]
fn a_known_plan_runs_on_other_arrays_and_scalars() {
    let bench = Bench::with_contents();
    for round in 0..3 {
        let (a, b) = (leaf(&bench, &[10]), leaf(&bench, &[10]));
        // The right-hand argument's leaf is met first: inputs are not in the order of the arguments.
        let inner = scaled(&bench, &b, 2.0 + f64::from(round));
        let result = binary(&bench, Op::Subtract, &a, &binary(&bench, Op::Add, &inner, &a));
        drop(inner);
        check(&bench, &result);
        assert_eq!(ran_again(&bench), usize::from(round > 0));
    }
}

#[test]
fn arguments_that_coincide_are_another_structure() {
    let bench = Bench::with_contents();
    let (a, b) = (leaf(&bench, &[10]), leaf(&bench, &[10]));
    for (x, y) in [(&a, &b), (&a, &a), (&b, &a), (&b, &b)] {
        check(&bench, &binary(&bench, Op::Add, &unary(&bench, Op::Exp, x), &unary(&bench, Op::Sin, y)));
    }
    assert_eq!(ran_again(&bench), 2);
    // Scalars: two, then twice the same, then two others.
    for (first, second) in [(2.0, 3.0), (5.0, 5.0), (7.0, 8.0), (-0.0, 0.0), (0.0, 0.0)] {
        check(&bench, &scaled(&bench, &scaled(&bench, &a, first), second));
    }
    assert_eq!(ran_again(&bench), 3);
}

#[test]
fn what_somebody_holds_is_stored_and_what_nobody_holds_is_not() {
    let bench = Bench::with_contents();
    for (round, holds) in [false, true, false, true, true].into_iter().enumerate() {
        let a = leaf(&bench, &[10]);
        let inner = unary(&bench, Op::Exp, &a);
        let result = unary(&bench, Op::Negative, &inner);
        let kept = holds.then_some(inner);
        check(&bench, &result);
        let stores = bench.programs().concat().matches("store").count();
        assert_eq!(stores, 1 + usize::from(holds));
        assert_eq!(ran_again(&bench), usize::from(round > 1));
        if let Some(kept) = kept {
            assert!(!kept.view.storage().is_pending());
            check(&bench, &kept);
        }
    }
}

#[test]
fn layouts_are_part_of_the_structure() {
    let bench = Bench::with_contents();
    let m = leaf(&bench, &[6, 6]);
    let part = |offset: usize| {
        let layout = m.view.layout().slice_axis(0, offset, 1, 3);
        seen(&bench, m.view.with_layout(layout))
    };
    let turned = seen(&bench, m.view.with_layout(m.view.layout().transpose()));
    for a in [&m, &turned, &part(0), &part(1), &part(1)] {
        check(&bench, &unary(&bench, Op::Exp, a));
    }
    assert_eq!(ran_again(&bench), 1);
}

#[test]
fn inputs_come_as_the_program_has_them() {
    let bench = Bench::with_contents();
    for round in 0..3 {
        // One array under two layouts.
        let a = leaf(&bench, &[6]);
        let part =
            |offset: usize| seen(&bench, a.view.with_layout(a.view.layout().slice_axis(0, offset, 1, 5)));
        check(&bench, &binary(&bench, Op::Subtract, &part(0), &part(1)));
        // What is met first is read last, after the reduction.
        let late = unary(&bench, Op::Exp, &leaf(&bench, &[]));
        check(&bench, &binary(&bench, Op::Subtract, &late, &sum(&a)));
        assert_eq!(ran_again(&bench), if round > 0 { 2 } else { 0 });
    }
}

#[test]
fn reductions_run_again_unless_others_of_the_same_elements_wait() {
    let bench = Bench::with_contents();
    let mean = |a: &Array| scaled(&bench, &sum(&unary(&bench, Op::Square, a)), 0.1);
    for round in 0..3 {
        check(&bench, &mean(&leaf(&bench, &[4, 5])));
        assert_eq!(ran_again(&bench), usize::from(round > 0));
    }
    bench.programs();
    let a = leaf(&bench, &[4, 5]);
    let other = sum(&unary(&bench, Op::Exp, &a));
    check(&bench, &mean(&a));
    assert!(!other.view.storage().is_pending(), "it joins");
    assert_eq!((ran_again(&bench), bench.programs().len()), (0, 1));
    check(&bench, &other);
    // One that is done does not stand in the way.
    check(&bench, &mean(&a));
    assert_eq!(ran_again(&bench), 1);
}

#[test]
fn converted_scalars_are_planned_each_time() {
    let bench = Bench::with_contents();
    for value in [1.5, 2.0, 3.0] {
        let scalar = Scalar::wrapping(Number::Float(value), DType::F64);
        let layout = Layout::contiguous(&[10], 4);
        let narrow = cast(bench.device, NodeArg::Scalar(scalar), DType::F32, layout).unwrap();
        let text = format!("{:?}", scalar.cast(DType::F32).number());
        check(&bench, &Array { view: narrow, text });
        assert_eq!(ran_again(&bench), 0);
        let full = fill(bench.device, scalar, Layout::contiguous(&[10], 8)).unwrap();
        check(&bench, &Array { view: full, text: format!("{:?}", scalar.number()) });
        assert_eq!(ran_again(&bench), usize::from(value > 1.5));
    }
}

/// Few of which are alike under Miri, which takes a thousand times as long.
const STRUCTURES: usize = if cfg!(miri) { 20 } else { 3000 };

#[test]
fn work_of_any_structure_gives_what_its_ops_say() {
    let bench = Bench::with_contents();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    for _ in 0..STRUCTURES {
        let mut arrays: Vec<Array> = (0..1 + random(3)).map(|_| leaf(&bench, &[7])).collect();
        for _ in 0..1 + random(6) {
            let (a, b) = (arrays[random(arrays.len())].clone(), arrays[random(arrays.len())].clone());
            arrays.push(match random(8) {
                0 => binary(&bench, Op::Add, &a, &spread(&b)),
                1 => unary(&bench, Op::Exp, &a),
                2 | 3 => scaled(&bench, &a, random(2) as f64),
                _ => binary(&bench, Op::Subtract, &a, &b),
            });
        }
        let last = arrays.pop().unwrap();
        let result = match random(3) {
            0 => scaled(&bench, &sum(&last), 0.5),
            _ => last,
        };
        // Some of what it was made of is still held, and looked at later.
        arrays.retain(|_| random(4) == 0);
        check(&bench, &result);
        arrays.iter().for_each(|a| check(&bench, a));
    }
    assert!(ran_again(&bench) > STRUCTURES / 3 || cfg!(miri));
    bench.programs();
}

/// Miri takes a thousand times as long.
const ROUNDS: i32 = if cfg!(miri) { 5 } else { 200 };

#[test]
fn threads_share_plans_and_not_results() {
    let bench = Arc::new(Bench::with_contents());
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let bench = bench.clone();
            std::thread::spawn(move || {
                let a = leaf(&bench, &[10]);
                for round in 0..ROUNDS {
                    let factor = f64::from(thread * 1000 + round);
                    check(&bench, &scaled(&bench, &unary(&bench, Op::Exp, &a), factor));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(ran_again(&bench) >= 4 * ROUNDS as usize - 1);
}

#[test]
fn memory_is_let_go_of_as_soon_as_the_work_has_run() {
    let bench = Bench::with_contents();
    for _ in 0..3 {
        let view = bench.array(&[10], DType::F64);
        let weak: std::sync::Weak<Storage> = Arc::downgrade(view.storage());
        let keeper = Arc::downgrade(view.storage().buffer().unwrap().keeper());
        let result = bench.map(Op::Exp, &[&view]);
        drop(view);
        result.storage().force().unwrap();
        assert!(weak.upgrade().is_none() && keeper.upgrade().is_none());
    }
}
