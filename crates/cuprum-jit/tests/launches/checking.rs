//! The checking mode.

use cuprum_jit::{CheckMode, FaultKind};
use cuprum_kernel::ir::{
    Barrier, Binary, Compare, End, FunctionBuilder, Module, Op, Shared, SharedId, Special, Type,
};

use crate::harness::*;

fn watched() -> Option<CheckMode> {
    Some(CheckMode { races: true, uninitialised: true, divergence: true, order: None })
}

/// `s[t] = t; (barrier); x[t] = s[(t + 1) % n]`.
fn rotate(writes: bool, barrier: bool) -> FunctionBuilder {
    let mut k = kernel("rotate", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let s = k.local(Type::I64);
    k.push(Op::SharedAddress { dst: s, shared: SharedId(0) });
    let own = k.element(s, t, 4);
    k.line(2);
    if writes {
        k.store(own, 0, t);
    }
    if barrier {
        k.push(Op::Barrier(Barrier::Plain));
    }
    let one = k.int(1);
    let n = k.special(Special::BlockDim(0));
    let next = k.binary(Binary::Add, t, one);
    let next = k.binary(Binary::RemU, next, n);
    let theirs = k.element(s, next, 4);
    k.line(4);
    let v = k.load(Type::I32, theirs, 0);
    let x = k.pointer(0);
    let to = k.element(x, t, 4);
    k.store(to, 0, v);
    k.end(End::Return(None));
    k
}

fn run(k: FunctionBuilder, check: Option<CheckMode>) -> Result<Vec<i32>, (FaultKind, String)> {
    let shared = vec![Shared { name: "s".into(), bytes: 256, align: 4 }];
    let program = program_of(k, Module { shared, ..Module::default() });
    let mut x = vec![0i32; 64];
    let setup = Setup { check, ..Setup::new(1, 64) };
    setup
        .launch(&program, "rotate", &mut [bytes(&mut x)], &[])
        .map_err(|fault| (fault.kind, text(&program, &fault)))?;
    Ok(x)
}

#[test]
fn races_and_uninitialised_reads_are_found() {
    let expected: Vec<i32> = (0..64).map(|t| (t + 1) % 64).collect();
    assert_eq!(run(rotate(true, true), watched()).unwrap(), expected);
    let (kind, text) = run(rotate(true, false), watched()).unwrap_err();
    // The last thread reads what the first wrote; thread 0 reads what nobody has written yet.
    assert!(matches!(kind, FaultKind::Uninitialised | FaultKind::Race), "{text}");
    let races = Some(CheckMode { races: true, ..CheckMode::default() });
    let (kind, text) = run(rotate(true, false), races).unwrap_err();
    assert_eq!(kind, FaultKind::Race);
    assert!(text.contains("kernel.cu:2:1") && text.contains("kernel.cu:4:1"), "{text}");
    let (kind, _) = run(rotate(false, true), watched()).unwrap_err();
    assert_eq!(kind, FaultKind::Uninitialised);
}

#[test]
fn threads_run_in_any_order() {
    let expected: Vec<i32> = (0..64).map(|t| (t + 1) % 64).collect();
    for seed in 0..5 {
        let check = Some(CheckMode { order: Some(seed), ..CheckMode::default() });
        assert_eq!(run(rotate(true, true), check.clone()).unwrap(), expected);
        // Without the barrier the result depends on the order.
        assert_ne!(run(rotate(true, false), check).unwrap(), expected);
    }
}

#[test]
fn divergent_barriers_are_found() {
    let build = || {
        let mut k = kernel("rotate", 1, 0);
        let t = k.special(Special::ThreadIdx(0));
        let ten = k.int(10);
        let few = k.compare(Compare::LtS, t, ten);
        let (yes, no, end) = (k.block(), k.block(), k.block());
        k.branch(few, yes, no);
        k.switch_to(yes);
        k.line(5);
        k.push(Op::Barrier(Barrier::Plain));
        k.jump(end);
        k.switch_to(no);
        k.line(7);
        k.push(Op::Barrier(Barrier::Plain));
        k.jump(end);
        k.switch_to(end);
        k.end(End::Return(None));
        k
    };
    run(build(), None).unwrap();
    let (kind, text) = run(build(), watched()).unwrap_err();
    assert_eq!(kind, FaultKind::DivergentBarrier);
    assert!(
        text.contains("kernel.cu:5:1 by thread (0,0,0)") && text.contains("kernel.cu:7:1 by thread (10,0,0)"),
        "{text}"
    );
}
