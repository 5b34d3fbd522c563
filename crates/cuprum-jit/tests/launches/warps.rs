//! Collectives of a warp.

use cuprum_jit::FaultKind;
use cuprum_kernel::ir::{Binary, Compare, End, FunctionBuilder, Local, Op, Special, Type, Warp};

use crate::harness::*;

/// `y[i] = op(x[i])` with a full mask, an operand and the width 32.
fn collective(op: Warp, ty: Type, lane: i32) -> FunctionBuilder {
    let mut k = kernel("warp", 2, 0);
    let i = k.global_index();
    let (x, y) = (k.pointer(0), k.pointer(1));
    let (px, py) = (k.element(x, i, 8), k.element(y, i, 8));
    let value = k.load(ty, px, 0);
    let (mask, lane, width) = (k.int(-1), k.int(lane), k.int(32));
    let dst = k.local(if op.is_shuffle() { ty } else { Type::I32 });
    k.push(Op::Warp { dst, op, mask, value, lane, width });
    k.store(py, 0, dst);
    k.end(End::Return(None));
    k
}

fn run(op: Warp, ty: Type, lane: i32, values: &[u64]) -> Vec<u64> {
    let program = program(collective(op, ty, lane));
    let mut x = values.to_vec();
    let mut y = vec![0u64; values.len()];
    let arrays = &mut [bytes(&mut x), bytes(&mut y)];
    Setup::new(1, values.len() as u32).launch(&program, "warp", arrays, &[]).unwrap();
    y
}

#[test]
fn shuffles_of_all_types() {
    let values: Vec<u64> = (0..96u64).map(|i| i * 0x0101_0101_0101_0101).collect();
    for ty in [Type::I32, Type::F32, Type::I64, Type::F64] {
        let mask = u64::MAX >> (64 - 8 * ty.bytes());
        for (i, got) in run(Warp::ShuffleXor, ty, 5, &values).into_iter().enumerate() {
            assert_eq!(got, values[i ^ 5] & mask);
        }
        for (i, got) in run(Warp::ShuffleDown, ty, 1, &values).into_iter().enumerate() {
            let from = if i % 32 == 31 { i } else { i + 1 };
            assert_eq!(got, values[from] & mask);
        }
    }
}

#[test]
fn votes_and_reductions() {
    let values: Vec<u64> = (0..40).map(|i| u64::from(i % 3 == 0)).collect();
    let ballot = |lanes: std::ops::Range<usize>| {
        lanes.clone().filter(|i| values[*i] != 0).fold(0u64, |mask, i| mask | 1 << (i - lanes.start))
    };
    let got = run(Warp::Ballot, Type::I32, 0, &values);
    assert!(got[..32].iter().all(|got| *got == ballot(0..32)));
    // Lanes that are not in the block are not live.
    assert!(got[32..].iter().all(|got| *got == ballot(32..40)));
    assert!(run(Warp::Any, Type::I32, 0, &values).iter().all(|got| *got == 1));
    assert!(run(Warp::All, Type::I32, 0, &values).iter().all(|got| *got == 0));
    let sums = run(Warp::ReduceAdd, Type::I32, 0, &values);
    assert_eq!((sums[0], sums[39]), (11, 3));
}

/// Half of a warp votes with its own mask, the other half does something else first.
fn halves(mask_of_lower: i32, syncs: bool) -> FunctionBuilder {
    let mut k = kernel("halves", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let sixteen = k.int(16);
    let lower = k.compare(Compare::LtS, t, sixteen);
    let (low, high, end) = (k.block(), k.block(), k.block());
    let result = k.variable(Type::I32, "result");
    k.branch(lower, low, high);
    let vote = |k: &mut FunctionBuilder, mask: Local, result: Local| {
        let one = k.int(1);
        k.push(Op::Warp { dst: result, op: Warp::Ballot, mask, value: one, lane: one, width: one });
    };
    k.switch_to(low);
    let mask = k.int(mask_of_lower);
    k.line(4);
    vote(&mut k, mask, result);
    k.jump(end);
    k.switch_to(high);
    if syncs {
        k.line(8);
        k.push(Op::Barrier(cuprum_kernel::ir::Barrier::Plain));
    }
    let mask = k.int(0xFFFF_0000u32 as i32);
    vote(&mut k, mask, result);
    k.jump(end);
    k.switch_to(end);
    let x = k.pointer(0);
    let at = k.element(x, t, 4);
    k.store(at, 0, result);
    k.end(End::Return(None));
    k
}

#[test]
fn parts_of_a_warp_go_their_own_ways() {
    let program = program(halves(0xFFFF, true));
    let mut x = [0u32; 32];
    Setup::new(1, 32).launch(&program, "halves", &mut [bytes(&mut x)], &[]).unwrap();
    assert_eq!(x[..16], [0xFFFF; 16]);
    assert_eq!(x[16..], [0xFFFF_0000; 16]);
}

#[test]
fn lanes_that_never_come_are_a_deadlock() {
    let program = program(halves(-1, true));
    let mut x = [0u32; 32];
    let fault = Setup::new(1, 32).launch(&program, "halves", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Deadlock);
    let shown = text(&program, &fault);
    assert!(
        shown.contains("thread (0,0,0) (and 15 more) waits at kernel.cu:4:1 for a warp collective"),
        "{shown}"
    );
    assert!(
        shown.contains("thread (16,0,0) (and 15 more) waits at kernel.cu:8:1 for __syncthreads()"),
        "{shown}"
    );
}

#[test]
fn a_thread_outside_its_own_mask_is_a_fault() {
    let program = program(halves(0xFFFE, false));
    let mut x = [0u32; 32];
    let fault = Setup::new(1, 32).launch(&program, "halves", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::WarpMask);
}

#[test]
fn the_active_mask_is_who_took_the_branch() {
    let mut k = kernel("active", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let two = k.int(2);
    let odd = k.binary(Binary::RemU, t, two);
    let (yes, no, end) = (k.block(), k.block(), k.block());
    let mask = k.variable(Type::I32, "mask");
    k.branch(odd, yes, no);
    k.switch_to(yes);
    k.push(Op::ActiveMask { dst: mask });
    k.jump(end);
    k.switch_to(no);
    k.push(Op::ActiveMask { dst: mask });
    k.jump(end);
    k.switch_to(end);
    let x = k.pointer(0);
    let at = k.element(x, t, 4);
    k.store(at, 0, mask);
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0u32; 48];
    Setup::new(1, 48).launch(&program, "active", &mut [bytes(&mut x)], &[]).unwrap();
    for (i, got) in x.into_iter().enumerate() {
        let lanes = if i < 32 { u32::MAX } else { 0xFFFF };
        assert_eq!(got, lanes & if i % 2 == 1 { 0xAAAA_AAAA } else { 0x5555_5555 });
    }
}

/// `__shfl_down_sync` in a loop whose length differs between warps.
#[test]
fn warps_loop_apart() {
    let mut k = kernel("loops", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let x = k.pointer(0);
    let at = k.element(x, t, 4);
    let (sum, left) = (k.variable(Type::I32, "sum"), k.variable(Type::I32, "left"));
    let own = k.load(Type::I32, at, 0);
    k.push(Op::Copy { dst: sum, src: own });
    let five = k.int(5);
    let warp = k.binary(Binary::ShrU, t, five);
    k.push(Op::Copy { dst: left, src: warp });
    let (head, body, end) = (k.block(), k.block(), k.block());
    k.jump(head);
    k.switch_to(head);
    k.branch(left, body, end);
    k.switch_to(body);
    let (mask, one, width) = (k.int(-1), k.int(1), k.int(32));
    let other = k.local(Type::I32);
    k.push(Op::Warp { dst: other, op: Warp::ShuffleXor, mask, value: sum, lane: one, width });
    let total = k.binary(Binary::Add, sum, other);
    k.push(Op::Copy { dst: sum, src: total });
    let less = k.binary(Binary::Sub, left, one);
    k.push(Op::Copy { dst: left, src: less });
    k.jump(head);
    k.switch_to(end);
    k.store(at, 0, sum);
    k.end(End::Return(None));
    let program = program(k);
    let mut x: Vec<i32> = (0..128).collect();
    Setup::new(1, 128).launch(&program, "loops", &mut [bytes(&mut x)], &[]).unwrap();
    for (i, got) in x.into_iter().enumerate() {
        let i = i as i32;
        let pair = i + (i ^ 1);
        let expected = [i, pair, 2 * pair, 4 * pair][i as usize / 32];
        assert_eq!(got, expected, "{i}");
    }
}
