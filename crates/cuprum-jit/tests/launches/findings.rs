//! The texts of what the checking mode finds.

use cuprum_jit::{CheckMode, CompiledModule, FaultKind};
use cuprum_kernel::ir::{
    Atomic, Barrier, Binary, Compare, End, FunctionBuilder, Local, Module, Op, Shared, SharedId, Special,
    Type,
};

use crate::harness::*;

fn checked(grid: u32, block: u32, order: Option<u64>) -> Setup {
    let check = CheckMode { races: true, uninitialised: true, divergence: true, order };
    Setup { check: Some(check), ..Setup::new(grid, block) }
}

/// With one shared array `s` of 1024 bytes.
fn with_shared(k: FunctionBuilder) -> CompiledModule {
    let shared = vec![Shared { name: "s".into(), bytes: 1024, align: 4 }];
    program_of(k, Module { shared, ..Module::default() })
}

fn shared(k: &mut FunctionBuilder) -> Local {
    let s = k.local(Type::I64);
    k.push(Op::SharedAddress { dst: s, shared: SharedId(0) });
    s
}

/// Each thread writes its element of `s`, and reads its neighbour's.
fn neighbours(with_barrier: bool) -> CompiledModule {
    let mut k = kernel("neighbours", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let s = shared(&mut k);
    let own = k.element(s, t, 4);
    k.line(3);
    k.store(own, 0, t);
    if with_barrier {
        k.push(Op::Barrier(Barrier::Plain));
    }
    let (one, last) = (k.int(1), k.int(63));
    let next = k.binary(Binary::Add, t, one);
    let next = k.binary(Binary::And, next, last);
    let theirs = k.element(s, next, 4);
    k.line(5);
    let value = k.load(Type::I32, theirs, 0);
    let x = k.pointer(0);
    let i = k.global_index();
    let out = k.element(x, i, 4);
    k.store(out, 0, value);
    k.end(End::Return(None));
    with_shared(k)
}

#[test]
fn a_missing_barrier_is_a_race_with_both_sides() {
    let program = neighbours(false);
    let mut x = [0i32; 128];
    let fault = checked(2, 64, None).launch(&program, "neighbours", &mut [bytes(&mut x)], &[]).unwrap_err();
    // Thread 0 reads what nobody has written yet: the other order shows the race itself.
    assert!(matches!(fault.kind, FaultKind::Uninitialised | FaultKind::Race), "{fault:?}");
    let races = CheckMode { races: true, ..CheckMode::default() };
    let setup = Setup { check: Some(races), ..Setup::new(2, 64) };
    let fault = setup.launch(&program, "neighbours", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(
        text(&program, &fault),
        "neighbours: data race: write of 4 bytes at kernel.cu:3:1 by thread (1,0,0) of block (0,0,0): byte 4 of s: \
         nothing orders the two accesses; a barrier (__syncthreads) between them would\nline 3;\n^\n\
         with the read of 4 bytes at kernel.cu:5:1 by thread (0,0,0) of block (0,0,0)\nline 5;\n^"
    );
}

#[test]
fn a_barrier_orders() {
    let program = neighbours(true);
    for order in [None, Some(1), Some(7)] {
        let mut x = [0i32; 128];
        checked(2, 64, order).launch(&program, "neighbours", &mut [bytes(&mut x)], &[]).unwrap();
        assert!((0..128).all(|i| x[i] == (i as i32 + 1) % 64));
    }
}

#[test]
fn blocks_that_write_one_element_race() {
    let mut k = kernel("last", 1, 0);
    let i = k.global_index();
    let x = k.pointer(0);
    k.line(2);
    k.store(x, 0, i);
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0i32; 4];
    let fault = checked(3, 1, None).launch(&program, "last", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(
        text(&program, &fault),
        "last: data race: write of 4 bytes at kernel.cu:2:1 by thread (0,0,0) of block (1,0,0): byte 0 of x: blocks are \
         not ordered within a launch; use atomics, or a second launch\nline 2;\n^\n\
         with the write of 4 bytes at kernel.cu:2:1 by thread (0,0,0) of block (0,0,0)\nline 2;\n^"
    );
}

#[test]
fn atomics_do_not_race_with_one_another() {
    let mut k = kernel("count", 1, 0);
    let x = k.pointer(0);
    let one = k.int(1);
    let old = k.local(Type::I32);
    k.push(Op::Atomic { dst: old, op: Atomic::Add, addr: x, value: one });
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0i32; 1];
    checked(5, 64, Some(3)).launch(&program, "count", &mut [bytes(&mut x)], &[]).unwrap();
    assert_eq!(x, [320]);
}

#[test]
fn shared_memory_that_nobody_wrote() {
    let mut k = kernel("peek", 1, 0);
    let s = shared(&mut k);
    k.line(4);
    let value = k.load(Type::I32, s, 8);
    let x = k.pointer(0);
    k.store(x, 0, value);
    k.end(End::Return(None));
    let program = with_shared(k);
    let mut x = [0i32; 1];
    let fault = checked(1, 1, None).launch(&program, "peek", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Uninitialised);
    assert_eq!(
        text(&program, &fault),
        "peek: uninitialised read of 4 bytes at kernel.cu:4:1 by thread (0,0,0) of block (0,0,0): byte 8 of s: nobody \
         has written it yet; write it first, with a barrier (__syncthreads) between\nline 4;\n^"
    );
}

#[test]
fn a_local_array_that_was_written_in_part() {
    let mut k = kernel("half", 1, 0);
    let slot = k.slot("a", 8, 4);
    let a = k.slot_address(slot);
    let t = k.special(Special::ThreadIdx(0));
    k.store(a, 0, t);
    k.line(6);
    let value = k.load(Type::I32, a, 4);
    let x = k.pointer(0);
    let out = k.element(x, t, 4);
    k.store(out, 0, value);
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0i32; 8];
    let fault = checked(1, 8, None).launch(&program, "half", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(
        text(&program, &fault),
        "half: uninitialised read of 4 bytes at kernel.cu:6:1 by thread (0,0,0) of block (0,0,0): a: nobody has written \
         it\nline 6;\n^"
    );
    Setup::new(1, 8).launch(&program, "half", &mut [bytes(&mut x)], &[]).unwrap();
}

#[test]
fn threads_at_different_barriers() {
    let mut k = kernel("parts", 1, 0);
    let t = k.special(Special::ThreadIdx(0));
    let limit = k.int(4);
    let low = k.compare(Compare::LtS, t, limit);
    let (yes, no, end) = (k.block(), k.block(), k.block());
    k.branch(low, yes, no);
    k.switch_to(yes);
    k.line(3);
    k.push(Op::Barrier(Barrier::Plain));
    k.jump(end);
    k.switch_to(no);
    k.line(5);
    k.push(Op::Barrier(Barrier::Plain));
    k.jump(end);
    k.switch_to(end);
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0i32; 8];
    let fault = checked(1, 8, None).launch(&program, "parts", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(
        text(&program, &fault),
        "parts: divergent barrier at kernel.cu:3:1 by thread (0,0,0) of block (0,0,0): threads of one block wait at \
         different barriers\nline 3;\n^\nwhile another thread waits at kernel.cu:5:1 by thread (4,0,0) of block \
         (0,0,0)\nline 5;\n^"
    );
}
