//! Kernels that do what they may not: the launch fails with the place, and the process goes on.

use std::time::{Duration, Instant};

use cuprum_jit::{Extent, FaultKind};
use cuprum_kernel::ir::{
    Binary, Compare, End, FunctionBuilder, FunctionId, Global, GlobalId, Local, Module, Op, Shared, SharedId,
    SlotId, StringId, Type,
};

use crate::harness::*;

/// Reads `x[i + shift]` and writes it to `y[i]`.
fn shifted(shift: i32) -> FunctionBuilder {
    let mut k = kernel("shift", 2, 0);
    let i = k.global_index();
    let by = k.int(shift);
    let from = k.binary(Binary::Add, i, by);
    let (x, y) = (k.pointer(0), k.pointer(1));
    let (px, py) = (k.element(x, from, 4), k.element(y, i, 4));
    k.line(5);
    let v = k.load(Type::I32, px, 0);
    k.line(6);
    k.store(py, 0, v);
    k.end(End::Return(None));
    k
}

#[test]
fn reads_and_writes_outside_an_array() {
    for (shift, length, at) in [(25, 100, 100), (-1, 100, -4), (i32::MAX, 100, i64::from(i32::MAX) * 4)] {
        let program = program(shifted(shift));
        let mut x = vec![1i32; length / 4];
        let mut y = vec![0i32; 1000];
        let arrays = &mut [bytes(&mut x), bytes(&mut y)];
        let fault = Setup::new(1, 25).launch(&program, "shift", arrays, &[]).unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfBounds);
        let expected = format!(
            "shift: out-of-bounds read of 4 bytes at kernel.cu:5:1 by thread (0,0,0) of block (0,0,0): x is an array of \
             100 bytes, the access is at byte {at}\nline 5;\n^"
        );
        assert_eq!(text(&program, &fault), expected);
    }
    let program = program(shifted(0));
    let (mut x, mut y) = (vec![1i32; 1000], vec![0i32; 300]);
    let arrays = &mut [bytes(&mut x), bytes(&mut y)];
    let fault = Setup::new(4, 100).launch(&program, "shift", arrays, &[]).unwrap_err();
    let shown = text(&program, &fault);
    assert!(
        shown.contains("write of 4 bytes at kernel.cu:6:1 by thread (0,0,0) of block (3,0,0): y is"),
        "{shown}"
    );
    assert!(y.iter().all(|y| *y == 1), "what was written before stays");
}

#[test]
fn null_pointers_and_arrays_that_may_not_be_written() {
    let program = program(shifted(0));
    let setup = Setup::new(1, 4);
    let mut x = vec![1i32; 4];
    let mut extent = |writable| Some(Extent { start: x.as_mut_ptr() as usize, bytes: 16, writable });
    let fault = setup.launch_on(&program, "shift", &[None, extent(true)], &[]).unwrap_err();
    assert!(text(&program, &fault).contains("x is a null pointer"), "{fault:?}");
    let fault = setup.launch_on(&program, "shift", &[extent(true), extent(false)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::ReadOnly);
    assert!(text(&program, &fault).contains("y may not be written"), "{fault:?}");
}

/// Reads at `base + 4 * n0` of a variable that `address` makes.
fn at_number(address: impl Fn(&mut FunctionBuilder) -> Local) -> FunctionBuilder {
    let mut k = kernel("at", 1, 1);
    let base = address(&mut k);
    let n = k.parameter(Type::I32, 8);
    let at = k.element(base, n, 4);
    k.line(3);
    let v = k.load(Type::I32, at, 0);
    let x = k.pointer(0);
    k.store(x, 0, v);
    k.end(End::Return(None));
    k
}

fn fault_at(k: FunctionBuilder, module: Module, index: i32) -> Result<(), String> {
    let program = program_of(k, module);
    let mut x = [0i32; 1];
    let setup = Setup::new(1, 1);
    let outcome = setup.launch(&program, "at", &mut [bytes(&mut x)], &[index]);
    outcome.map_err(|fault| text(&program, &fault))
}

#[test]
fn variables_are_bounded() {
    let slot = || {
        at_number(|k| {
            let slot = k.slot("a", 40, 4);
            k.slot_address(slot)
        })
    };
    assert_eq!(fault_at(slot(), Module::default(), 9), Ok(()));
    for index in [10, -1, 1 << 29] {
        let text = fault_at(slot(), Module::default(), index).unwrap_err();
        assert!(text.contains("a is a local variable of 40 bytes"), "{text}");
        assert!(text.contains(&format!("at byte {}", i64::from(index) * 4)), "{text}");
    }
    let shared = || {
        at_number(|k| {
            let dst = k.local(Type::I64);
            k.push(Op::SharedAddress { dst, shared: SharedId(0) });
            dst
        })
    };
    let module =
        || Module { shared: vec![Shared { name: "s".into(), bytes: 64, align: 4 }], ..Module::default() };
    assert_eq!(fault_at(shared(), module(), 15), Ok(()));
    assert!(fault_at(shared(), module(), 16).unwrap_err().contains("s is a shared variable of 64 bytes"));
    let global = || {
        at_number(|k| {
            let dst = k.local(Type::I64);
            k.push(Op::GlobalAddress { dst, global: GlobalId(0) });
            dst
        })
    };
    let variable =
        Global { name: "g".into(), bytes: vec![1; 8], addresses: vec![], align: 4, constant: true };
    let module = || Module { globals: vec![variable.clone()], ..Module::default() };
    assert_eq!(fault_at(global(), module(), 1), Ok(()));
    assert!(fault_at(global(), module(), 2).unwrap_err().contains("g is a variable of 8 bytes"));
}

#[test]
fn addresses_that_come_from_memory_are_looked_up() {
    // `*(int*)x[0]`, written to y.
    let mut k = kernel("follow", 2, 0);
    let (x, y) = (k.pointer(0), k.pointer(1));
    let p = k.load(Type::I64, x, 0);
    k.line(7);
    let v = k.load(Type::I32, p, 0);
    k.store(y, 0, v);
    k.end(End::Return(None));
    let program = program(k);
    let mut y = [0i32; 1];
    let mut target = [41i32; 2];
    let setup = Setup::new(1, 1);
    let go = |address: usize, y: &mut [i32]| {
        let mut x = [address as u64, 0];
        setup.launch(&program, "follow", &mut [bytes(&mut x), bytes(y)], &[]).map_err(|fault| fault.kind)
    };
    assert_eq!(go(target.as_mut_ptr() as usize, &mut y), Err(FaultKind::OutOfBounds));
    assert_eq!(go(0, &mut y), Err(FaultKind::OutOfBounds));
    y[0] = 17;
    let at = y.as_ptr() as usize;
    assert_eq!(go(at, &mut y), Ok(()));
    assert_eq!(go(at + 1, &mut y), Err(FaultKind::OutOfBounds));
    let mut wide = [5i32; 4];
    let at = wide.as_ptr() as usize;
    assert_eq!(go(at + 2, &mut wide), Err(FaultKind::Misaligned));
    assert_eq!(y[0], 17);
}

#[test]
fn assertions_and_indices() {
    let mut k = kernel("claim", 1, 1);
    let i = k.global_index();
    let n = k.parameter(Type::I32, 8);
    let below = k.compare(Compare::LtS, i, n);
    k.line(9);
    k.push(Op::Assert { condition: below, message: StringId(0) });
    k.end(End::Return(None));
    let module = Module { strings: vec!["i < n".into()], ..Module::default() };
    let program = program_of(k, module);
    let mut x = [0i32];
    Setup::new(1, 8).launch(&program, "claim", &mut [bytes(&mut x)], &[8]).unwrap();
    let fault = Setup::new(2, 8).launch(&program, "claim", &mut [bytes(&mut x)], &[11]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Assertion);
    let shown = text(&program, &fault);
    assert!(shown.contains("i < n at kernel.cu:9:1 by thread (3,0,0) of block (1,0,0)"), "{shown}");

    let mut k = kernel("index", 1, 0);
    let (index, size) = (k.constant(Type::I64, -3i64 as u64), k.constant(Type::I64, 10));
    k.push(Op::CheckIndex { index, size, axis: 1, array: StringId(0) });
    k.end(End::Return(None));
    let program = program_of(k, Module { strings: vec!["image".into()], ..Module::default() });
    let fault = Setup::new(1, 1).launch(&program, "index", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Index);
    assert!(text(&program, &fault).contains("index -3 of axis 1 of image, which has size 10"), "{fault:?}");
}

#[test]
fn recursion_is_bounded_and_works() {
    // sum(n) = n == 0 ? 0 : n + sum(n - 1), with an array in each frame.
    let mut f = FunctionBuilder::function("sum", Some(Type::I32));
    let n = f.param(Type::I32, "n");
    let slot = f.slot("a", 16, 4);
    let a = f.slot_address(slot);
    f.store(a, 4, n);
    let zero = f.int(0);
    let (more, end) = (f.block(), f.block());
    f.branch(n, more, end);
    f.switch_to(end);
    f.end(End::Return(Some(zero)));
    f.switch_to(more);
    let one = f.int(1);
    let less = f.binary(Binary::Sub, n, one);
    let rest = f.local(Type::I32);
    f.push(Op::Call { dst: Some(rest), function: FunctionId(0), args: vec![less] });
    let own = f.load(Type::I32, a, 4);
    let total = f.binary(Binary::Add, own, rest);
    f.end(End::Return(Some(total)));
    assert_eq!(slot, SlotId(0));
    let mut k = kernel("sums", 1, 1);
    let n = k.parameter(Type::I32, 8);
    let total = k.local(Type::I32);
    k.push(Op::Call { dst: Some(total), function: FunctionId(0), args: vec![n] });
    let x = k.pointer(0);
    let i = k.global_index();
    let at = k.element(x, i, 4);
    k.store(at, 0, total);
    k.end(End::Return(None));
    let program = program_of(k, Module { functions: vec![f.finish()], ..Module::default() });
    let mut x = [0i32; 64];
    Setup::new(8, 8).launch(&program, "sums", &mut [bytes(&mut x)], &[1000]).unwrap();
    assert_eq!(x, [500_500; 64]);
    let fault = Setup::new(1, 1).launch(&program, "sums", &mut [bytes(&mut x)], &[1 << 30]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Stack);
    Setup::new(1, 1).launch(&program, "sums", &mut [bytes(&mut x)], &[10]).unwrap();
    assert_eq!(x[0], 55);
}

/// Loops for ever.
fn endless() -> FunctionBuilder {
    let mut k = kernel("endless", 1, 0);
    let head = k.block();
    let i = k.variable(Type::I32, "i");
    k.jump(head);
    k.switch_to(head);
    let one = k.int(1);
    let next = k.binary(Binary::Add, i, one);
    k.push(Op::Copy { dst: i, src: next });
    let x = k.pointer(0);
    k.store(x, 0, i);
    k.jump(head);
    k
}

#[test]
fn time_limits_end_loops() {
    let program = program(endless());
    let mut x = [0i32];
    let mut setup = Setup::new(8, 64);
    setup.timeout = Some(Duration::from_millis(30));
    let begun = Instant::now();
    let fault = setup.launch(&program, "endless", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_fault_stops_all_blocks() {
    // Block 3 fails, all others loop for ever.
    let mut k = kernel("mixed", 1, 0);
    let b = k.special(cuprum_kernel::ir::Special::BlockIdx(0));
    let three = k.int(3);
    let fails = k.compare(Compare::Eq, b, three);
    let (bad, head) = (k.block(), k.block());
    k.branch(fails, bad, head);
    k.switch_to(head);
    k.jump(head);
    k.switch_to(bad);
    let null = k.constant(Type::I64, 0);
    let v = k.load(Type::I32, null, 0);
    let x = k.pointer(0);
    k.store(x, 0, v);
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0i32];
    let mut setup = Setup::new(4, 1);
    setup.timeout = Some(Duration::from_secs(2));
    // With one worker the first block never ends: the time limit does it.
    let fault = setup.launch(&program, "mixed", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::OutOfBounds | FaultKind::Timeout));
}

#[test]
fn launches_that_cannot_be() {
    let program = program(shifted(0));
    let mut x = vec![0i32; 4096];
    let mut y = vec![0i32; 4096];
    let mut refuse = |setup: Setup, says: &str| {
        let arrays = &mut [bytes(&mut x), bytes(&mut y)];
        let fault = setup.launch(&program, "shift", arrays, &[]).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Launch);
        assert!(text(&program, &fault).contains(says), "{fault:?}");
    };
    refuse(Setup::new(1, 1025), "1024 threads");
    refuse(Setup { block: [1, 1, 65], ..Setup::new(1, 1) }, "64 along z");
    refuse(Setup::new(0, 1), "at least 1");
    refuse(Setup { grid: [1, 65536, 1], ..Setup::new(1, 1) }, "65535");
    refuse(Setup { dynamic_shared: 240 << 10, ..Setup::new(1, 1) }, "shared memory");
}

#[test]
fn several_threads_launch_one_kernel_at_once() {
    let program = program(shifted(1));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let program = &program;
            scope.spawn(move || {
                for round in 0..200 {
                    let mut x: Vec<i32> = (0..1001).map(|i| i * seed + round).collect();
                    let mut y = vec![0i32; 1000];
                    let arrays = &mut [bytes(&mut x), bytes(&mut y)];
                    Setup::new(10, 100).launch(program, "shift", arrays, &[]).unwrap();
                    assert_eq!(y, x[1..]);
                }
            });
        }
    });
}
