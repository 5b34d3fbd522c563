//! Barriers of a block.

use cuprum_kernel::ir::{Barrier, Binary, Compare, End, Module, Op, Shared, SharedId, Special, Type};

use crate::harness::*;

/// Sums each block's part of `x` into `y` by halving, with a barrier in a loop.
#[test]
fn a_reduction_by_halving() {
    let mut k = kernel("reduce", 2, 0);
    let i = k.global_index();
    let t = k.special(Special::ThreadIdx(0));
    let x = k.pointer(0);
    let px = k.element(x, i, 4);
    let v = k.load(Type::F32, px, 0);
    let s = k.local(Type::I64);
    k.push(Op::SharedAddress { dst: s, shared: SharedId(0) });
    let own = k.element(s, t, 4);
    k.store(own, 0, v);
    let stride = k.variable(Type::I32, "stride");
    let width = k.special(Special::BlockDim(0));
    let one = k.int(1);
    let half = k.binary(Binary::ShrU, width, one);
    k.push(Op::Copy { dst: stride, src: half });
    let (head, body, adds, after, last, end, store) =
        (k.block(), k.block(), k.block(), k.block(), k.block(), k.block(), k.block());
    k.jump(head);
    k.switch_to(head);
    k.push(Op::Barrier(Barrier::Plain));
    let zero = k.int(0);
    let more = k.compare(Compare::GtS, stride, zero);
    k.branch(more, body, last);
    k.switch_to(body);
    let lower = k.compare(Compare::LtS, t, stride);
    k.branch(lower, adds, after);
    k.switch_to(adds);
    let other = k.binary(Binary::Add, t, stride);
    let theirs = k.element(s, other, 4);
    let (a, b) = (k.load(Type::F32, own, 0), k.load(Type::F32, theirs, 0));
    let sum = k.binary(Binary::FAdd, a, b);
    k.store(own, 0, sum);
    k.jump(after);
    k.switch_to(after);
    let halved = k.binary(Binary::ShrU, stride, one);
    k.push(Op::Copy { dst: stride, src: halved });
    k.jump(head);
    k.switch_to(last);
    let first = k.compare(Compare::Eq, t, zero);
    k.branch(first, store, end);
    k.switch_to(store);
    let total = k.load(Type::F32, s, 0);
    let y = k.pointer(1);
    let b = k.special(Special::BlockIdx(0));
    let py = k.element(y, b, 4);
    k.store(py, 0, total);
    k.jump(end);
    k.switch_to(end);
    k.end(End::Return(None));
    let module =
        Module { shared: vec![Shared { name: "s".into(), bytes: 1024, align: 4 }], ..Module::default() };
    let program = program_of(k, module);
    let mut x: Vec<f32> = (0..256 * 50).map(|i| (i % 7) as f32).collect();
    let mut y = vec![0f32; 50];
    let expected: Vec<f32> = x.chunks(256).map(|part| part.iter().sum()).collect();
    Setup::new(50, 256).launch(&program, "reduce", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
    assert_eq!(y, expected);
}
