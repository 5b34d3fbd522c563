//! Short loops of shuffles are written out, so that their distances are numbers.

use cuprum_kernel::ir::{Binary, Compare, End, Function, FunctionBuilder, Local, Op, Special, Type, Warp};

use crate::rewrites::{kernel, ops, prepare};

/// `for (int by = start; by op bound; by = by step 2) x += shuffle(x, by)`
fn loop_of_shuffles(start: Option<u64>, compare: (Compare, u64), step: Binary) -> Function {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let x = b.variable(Type::F32, "x");
    let first = b.load(Type::F32, p, 0);
    b.push(Op::Copy { dst: x, src: first });
    let by = b.variable(Type::I32, "by");
    let begin = match start {
        Some(start) => b.constant(Type::I32, start),
        None => b.special(Special::GridDim(0)),
    };
    b.push(Op::Copy { dst: by, src: begin });
    let (head, inside, after) = (b.block(), b.block(), b.block());
    b.jump(head);
    b.switch_to(head);
    let bound = b.constant(Type::I32, compare.1);
    let more = b.compare(compare.0, by, bound);
    b.branch(more, inside, after);
    b.switch_to(inside);
    shuffle(&mut b, x, by);
    let two = b.constant(Type::I32, if step == Binary::ShrS { 1 } else { 2 });
    let next = b.binary(step, by, two);
    b.push(Op::Copy { dst: by, src: next });
    b.jump(head);
    b.switch_to(after);
    b.store(p, 0, x);
    b.end(End::Return(None));
    b.finish()
}

fn shuffle(b: &mut FunctionBuilder, x: Local, by: Local) {
    let (mask, width) = (b.constant(Type::I32, 0xffff_ffff), b.constant(Type::I32, 32));
    let dst = b.local(Type::F32);
    b.push(Op::Warp { dst, op: Warp::ShuffleDown, mask, value: x, lane: by, width });
    let sum = b.binary(Binary::FAdd, x, dst);
    b.push(Op::Copy { dst: x, src: sum });
}

/// The numbers that the shuffles' distances are; `None` for one that is not a number.
fn distances(function: &Function) -> Vec<Option<u64>> {
    let number = |local: Local| {
        let mut found = ops(function).into_iter().filter(|op| op.dst() == Some(local));
        match (found.next(), found.next()) {
            (Some(Op::Const { bits, .. }), None) => Some(*bits),
            _ => None,
        }
    };
    let lanes = ops(function).into_iter().filter_map(|op| match op {
        Op::Warp { lane, .. } => Some(*lane),
        _ => None,
    });
    lanes.map(number).collect()
}

#[test]
fn halving_and_doubling_are_counted() {
    let halving = |step| prepare(vec![loop_of_shuffles(Some(16), (Compare::GtS, 0), step)]).kernel;
    let all = [16, 8, 4, 2, 1].map(Some);
    assert_eq!(distances(&halving(Binary::DivS)), all);
    assert_eq!(distances(&halving(Binary::ShrS)), all);
    let doubling = prepare(vec![loop_of_shuffles(Some(1), (Compare::LtS, 32), Binary::Mul)]).kernel;
    assert_eq!(distances(&doubling), [1, 2, 4, 8, 16].map(Some));
}

#[test]
fn long_and_unknown_loops_stay() {
    let long = prepare(vec![loop_of_shuffles(Some(0), (Compare::LtS, 64), Binary::Add)]).kernel;
    assert_eq!(distances(&long), [None]);
    let unknown = prepare(vec![loop_of_shuffles(None, (Compare::GtS, 0), Binary::DivS)]).kernel;
    assert_eq!(distances(&unknown), [None]);
}
