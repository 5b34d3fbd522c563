//! Blocks that wait for one another.

use std::time::Duration;

use cuprum_jit::FaultKind;
use cuprum_kernel::ir::{Atomic, Binary, Compare, End, FunctionBuilder, Op, Special, Type};

use crate::harness::*;

/// Each block writes `x[b]`, the grid synchronises, and each writes `y[b] = x[(b + 1) % blocks]`.
fn neighbours() -> FunctionBuilder {
    let mut k = kernel("neighbours", 2, 0);
    let b = k.special(Special::BlockIdx(0));
    let (x, y) = (k.pointer(0), k.pointer(1));
    let own = k.element(x, b, 4);
    let seven = k.int(7);
    let v = k.binary(Binary::Mul, b, seven);
    k.store(own, 0, v);
    k.push(Op::GridSync);
    let one = k.int(1);
    let next = k.binary(Binary::Add, b, one);
    let blocks = k.special(Special::GridDim(0));
    let next = k.binary(Binary::RemU, next, blocks);
    let theirs = k.element(x, next, 4);
    let v = k.load(Type::I32, theirs, 0);
    let to = k.element(y, b, 4);
    k.store(to, 0, v);
    k.end(End::Return(None));
    k
}

#[test]
fn the_grid_synchronises() {
    let program = program(neighbours());
    for blocks in [1usize, 2, 7, 100] {
        for deterministic in [None, Some(true)] {
            let mut x = vec![-1i32; blocks];
            let mut y = vec![-1i32; blocks];
            let setup = Setup { cooperative: true, deterministic, ..Setup::new(blocks as u32, 8) };
            setup.launch(&program, "neighbours", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
            let expected: Vec<i32> = (0..blocks).map(|b| 7 * ((b + 1) % blocks) as i32).collect();
            assert_eq!(y, expected);
        }
    }
    let (mut x, mut y) = ([0i32; 4], [0i32; 4]);
    let fault = Setup::new(4, 8)
        .launch(&program, "neighbours", &mut [bytes(&mut x), bytes(&mut y)], &[])
        .unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch);
}

/// Blocks wait until the block after them has set its flag; the last one sets its own at once.
fn chain(waits_for: i32) -> FunctionBuilder {
    let mut k = kernel("chain", 1, 0);
    let b = k.special(Special::BlockIdx(0));
    let x = k.pointer(0);
    let by = k.int(waits_for);
    let next = k.binary(Binary::Add, b, by);
    let blocks = k.special(Special::GridDim(0));
    let exists = k.compare(Compare::LtU, next, blocks);
    let (head, end) = (k.block(), k.block());
    let flag = k.element(x, next, 4);
    k.branch(exists, head, end);
    k.switch_to(head);
    let v = k.local(Type::I32);
    k.push(Op::Load { dst: v, addr: flag, offset: 0, volatile: true });
    k.push(Op::Yield);
    k.branch(v, end, head);
    k.switch_to(end);
    let own = k.element(x, b, 4);
    let one = k.int(1);
    let old = k.local(Type::I32);
    k.push(Op::Atomic { dst: old, op: Atomic::Exchange, addr: own, value: one });
    k.end(End::Return(None));
    k
}

#[test]
fn blocks_wait_for_blocks_before_and_behind() {
    for waits_for in [1, -1] {
        let program = program(chain(waits_for));
        for deterministic in [Some(true), Some(false)] {
            let mut x = vec![0i32; 300];
            let setup = Setup { deterministic, ..Setup::new(300, 1) };
            setup.launch(&program, "chain", &mut [bytes(&mut x)], &[]).unwrap();
            assert!(x.iter().all(|x| *x == 1));
        }
    }
}

#[test]
fn waiting_for_what_never_comes_ends_with_the_time() {
    let program = program(chain(0));
    let mut x = vec![0i32; 3];
    let setup = Setup { timeout: Some(Duration::from_millis(30)), ..Setup::new(3, 1) };
    let fault = setup.launch(&program, "chain", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
}
