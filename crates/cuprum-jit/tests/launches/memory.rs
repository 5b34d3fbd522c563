//! Reading and writing arrays, slots, variables; atomics.

use cuprum_kernel::ir::{Atomic, Binary, Compare, End, Op, Type};

use crate::harness::*;

#[test]
fn sums_of_two_arrays() {
    let mut k = kernel("add", 3, 1);
    let i = k.global_index();
    let n = k.parameter(Type::I32, 24);
    let within = k.compare(Compare::LtS, i, n);
    let (body, end) = (k.block(), k.block());
    k.branch(within, body, end);
    k.switch_to(body);
    let (x, y, z) = (k.pointer(0), k.pointer(1), k.pointer(2));
    let (px, py, pz) = (k.element(x, i, 4), k.element(y, i, 4), k.element(z, i, 4));
    let (a, b) = (k.load(Type::F32, px, 0), k.load(Type::F32, py, 0));
    let sum = k.binary(Binary::FAdd, a, b);
    k.store(pz, 0, sum);
    k.jump(end);
    k.switch_to(end);
    k.end(End::Return(None));
    let program = program(k);
    for n in [1usize, 255, 256, 257, 100_000] {
        let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
        let mut z = vec![0f32; n];
        let setup = Setup::new(n.div_ceil(256) as u32, 256);
        let arrays = &mut [bytes(&mut x), bytes(&mut y), bytes(&mut z)];
        setup.launch(&program, "add", arrays, &[n as i32]).unwrap();
        assert!(z.iter().enumerate().all(|(i, z)| *z == 1.5 * i as f32));
    }
}

/// Every thread of every block does one atomic on `x[i % 4]`.
fn atomics(op: Atomic, ty: Type) -> cuprum_kernel::ir::FunctionBuilder {
    let mut k = kernel("atomics", 2, 0);
    let i = k.global_index();
    let three = k.int(3);
    let which = k.binary(Binary::And, i, three);
    let base = k.pointer(0);
    let size = u64::from(ty.bytes());
    let addr = k.element(base, which, size);
    let y = k.pointer(1);
    let py = k.element(y, i, size);
    let value = k.load(ty, py, 0);
    let dst = k.local(ty);
    k.push(Op::Atomic { dst, op, addr, value });
    k.end(End::Return(None));
    k
}

#[test]
fn atomics_of_many_blocks_lose_nothing() {
    let values: Vec<u32> = (0..6400).map(|i| (i * 2_654_435_761u64 % 1000) as u32).collect();
    let of = |lane: usize| values.iter().skip(lane).step_by(4).copied();
    type Fold = fn(u32, u32) -> u32;
    let rows: [(Atomic, Fold); 9] = [
        (Atomic::Add, u32::wrapping_add),
        (Atomic::Sub, u32::wrapping_sub),
        (Atomic::And, |a, b| a & b),
        (Atomic::Or, |a, b| a | b),
        (Atomic::Xor, |a, b| a ^ b),
        (Atomic::MinS, |a, b| (a as i32).min(b as i32) as u32),
        (Atomic::MaxS, |a, b| (a as i32).max(b as i32) as u32),
        (Atomic::MinU, u32::min),
        (Atomic::MaxU, u32::max),
    ];
    for (op, fold) in rows {
        let program = program(atomics(op, Type::I32));
        for deterministic in [None, Some(true), Some(false)] {
            let mut x = [500u32; 4];
            let mut y = values.clone();
            let setup = Setup { deterministic, ..Setup::new(100, 64) };
            setup.launch(&program, "atomics", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
            for (lane, got) in x.into_iter().enumerate() {
                assert_eq!(got, of(lane).fold(500, fold), "{op:?}");
            }
        }
    }
    let program = program(atomics(Atomic::Add, Type::F64));
    let (mut x, mut y) = ([0.5f64; 4], values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>());
    let setup = Setup { deterministic: Some(false), ..Setup::new(100, 64) };
    setup.launch(&program, "atomics", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
    for (lane, got) in x.into_iter().enumerate() {
        assert_eq!(got, 0.5 + of(lane).map(f64::from).sum::<f64>());
    }
}

#[test]
fn float_sums_are_the_same_every_time() {
    let program = program(atomics(Atomic::Add, Type::F32));
    let run = || {
        let mut x = [0f32; 4];
        let mut y: Vec<f32> = (0..6400).map(|i| 1.0 / (1.0 + i as f32)).collect();
        Setup::new(100, 64).launch(&program, "atomics", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
        x.map(f32::to_bits)
    };
    let first = run();
    for _ in 0..20 {
        assert_eq!(run(), first);
    }
}

#[test]
fn addresses_that_are_no_multiple_are_refused_by_atomics() {
    let mut k = kernel("odd", 1, 0);
    let x = k.pointer(0);
    let one = k.constant(Type::I64, 1);
    let addr = k.binary(Binary::Add, x, one);
    let value = k.int(1);
    let dst = k.local(Type::I32);
    k.push(Op::Atomic { dst, op: Atomic::Add, addr, value });
    k.end(End::Return(None));
    let program = program(k);
    let mut x = [0u64; 2];
    let fault = Setup::new(1, 1).launch(&program, "odd", &mut [bytes(&mut x)], &[]).unwrap_err();
    assert_eq!(fault.kind, cuprum_jit::FaultKind::Misaligned);
}
