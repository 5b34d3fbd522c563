//! Which loops let other threads run.

use cuprum_kernel::ir::{Atomic, Binary, Compare, End, FunctionBuilder, Local, Op, Type};

use crate::rewrites::{kernel, ops, prepare};

/// A loop whose body gives the condition to go on; whether it yields.
fn yields(body: impl FnOnce(&mut FunctionBuilder, Local, Local) -> Local) -> bool {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let state = b.variable(Type::I32, "state");
    b.push(Op::Const { dst: state, bits: 0 });
    let (again, after) = (b.block(), b.block());
    b.jump(again);
    b.switch_to(again);
    let go_on = body(&mut b, p, state);
    b.branch(go_on, again, after);
    b.switch_to(after);
    b.store(p, 8, state);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    ops(&kernel).iter().any(|op| matches!(op, Op::Yield))
}

fn swap(b: &mut FunctionBuilder, p: Local, expected: Local) -> Local {
    let one = b.constant(Type::I32, 1);
    let dst = b.local(Type::I32);
    b.push(Op::CompareAndSwap { dst, addr: p, expected, value: one });
    dst
}

#[test]
fn a_lock_is_waited_for() {
    assert!(yields(|b, p, _| {
        let zero = b.constant(Type::I32, 0);
        swap(b, p, zero)
    }));
    assert!(yields(|b, p, _| {
        let one = b.constant(Type::I32, 1);
        let dst = b.local(Type::I32);
        b.push(Op::Atomic { dst, op: Atomic::Exchange, addr: p, value: one });
        dst
    }));
}

#[test]
fn a_lock_that_is_taken_aside_is_waited_for() {
    // while (!done) if (atomicCAS(p, 0, 1) == 0) { p[4] += 1; done = 1; }
    assert!(yields(|b, p, done| {
        let zero = b.constant(Type::I32, 0);
        let old = swap(b, p, zero);
        let (got, on) = (b.block(), b.block());
        b.branch(old, on, got);
        b.switch_to(got);
        let one = b.constant(Type::I32, 1);
        let x = b.load(Type::I32, p, 4);
        let sum = b.binary(Binary::Add, x, one);
        b.store(p, 4, sum);
        b.push(Op::Copy { dst: done, src: one });
        b.jump(on);
        b.switch_to(on);
        b.compare(Compare::Eq, done, zero)
    }));
}

#[test]
fn a_swap_that_is_tried_again_is_not() {
    // do { assumed = old; old = atomicCAS(p, assumed, 1); } while (assumed != old)
    assert!(!yields(|b, p, old| {
        let assumed = b.local(Type::I32);
        b.push(Op::Copy { dst: assumed, src: old });
        let found = swap(b, p, assumed);
        b.push(Op::Copy { dst: old, src: found });
        b.compare(Compare::Ne, assumed, found)
    }));
}

#[test]
fn reads_of_what_others_write_are_waited_for() {
    let read = |volatile: bool, fence: bool, store: bool, count: bool| {
        yields(move |b, p, state| {
            let dst = b.local(Type::I32);
            b.push(Op::Load { dst, addr: p, offset: 0, volatile });
            if fence {
                b.push(Op::Fence);
            }
            if store {
                b.store(p, 4, dst);
            }
            let one = b.constant(Type::I32, 1);
            if count {
                let next = b.binary(Binary::Add, state, one);
                b.push(Op::Copy { dst: state, src: next });
                return b.compare(Compare::LtS, state, dst);
            }
            b.compare(Compare::LtS, dst, one)
        })
    };
    assert!(read(true, false, true, true));
    assert!(read(false, true, false, true));
    assert!(read(false, false, false, false));
    // A bound that is read from memory ends the loop by itself.
    assert!(!read(false, false, false, true));
    assert!(!read(false, false, true, false));
}

#[test]
fn an_atomic_that_only_reads_is_waited_for() {
    let add = |by: u64| {
        yields(move |b, p, _| {
            let value = b.constant(Type::I32, by);
            let dst = b.local(Type::I32);
            b.push(Op::Atomic { dst, op: Atomic::Add, addr: p, value });
            let bound = b.constant(Type::I32, 10);
            b.compare(Compare::LtS, dst, bound)
        })
    };
    assert!(add(0));
    // Work that is taken from a counter comes to an end.
    assert!(!add(1));
}
