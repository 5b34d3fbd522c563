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

/// Threads beyond `n` return at once; the others go through `rounds(t)` barriers each, counting.
fn early_return_and_loops(uneven: bool) -> cuprum_kernel::ir::FunctionBuilder {
    let mut k = kernel("rounds", 1, 1);
    let t = k.special(Special::ThreadIdx(0));
    let n = k.parameter(Type::I32, 8);
    let inside = k.compare(Compare::LtS, t, n);
    let (stay, out, head, body, end) = (k.block(), k.block(), k.block(), k.block(), k.block());
    k.branch(inside, stay, out);
    k.switch_to(out);
    k.end(End::Return(None));
    k.switch_to(stay);
    let (left, count) = (k.variable(Type::I32, "left"), k.variable(Type::I32, "count"));
    let (zero, one, seven) = (k.int(0), k.int(1), k.int(7));
    let rounds = if uneven { k.binary(Binary::And, t, seven) } else { seven };
    k.push(Op::Copy { dst: left, src: rounds });
    k.push(Op::Copy { dst: count, src: zero });
    k.jump(head);
    k.switch_to(head);
    k.branch(left, body, end);
    k.switch_to(body);
    k.push(Op::Barrier(Barrier::Plain));
    let less = k.binary(Binary::Sub, left, one);
    k.push(Op::Copy { dst: left, src: less });
    let more = k.binary(Binary::Add, count, one);
    k.push(Op::Copy { dst: count, src: more });
    k.jump(head);
    k.switch_to(end);
    let x = k.pointer(0);
    let at = k.element(x, t, 4);
    k.store(at, 0, count);
    k.end(End::Return(None));
    k
}

#[test]
fn threads_that_return_early_are_not_waited_for() {
    for uneven in [false, true] {
        let program = program(early_return_and_loops(uneven));
        for n in [0, 1, 31, 33, 64, 100] {
            let mut x = vec![-1i32; 100];
            Setup::new(1, 100).launch(&program, "rounds", &mut [bytes(&mut x)], &[n]).unwrap();
            for (t, got) in x.iter().enumerate() {
                let expected = if t as i32 >= n {
                    -1
                } else if uneven {
                    t as i32 & 7
                } else {
                    7
                };
                assert_eq!(*got, expected, "thread {t} of {n}");
            }
        }
    }
}

#[test]
fn barriers_that_count() {
    let mut k = kernel("count", 1, 1);
    let t = k.special(Special::ThreadIdx(0));
    let n = k.parameter(Type::I32, 8);
    let below = k.compare(Compare::LtS, t, n);
    let predicate = k.convert(Type::I32, cuprum_kernel::ir::Convert::ZeroExtend, below);
    let (count, all, any) = (k.local(Type::I32), k.local(Type::I32), k.local(Type::I32));
    k.push(Op::Barrier(Barrier::Count { dst: count, predicate }));
    k.push(Op::Barrier(Barrier::And { dst: all, predicate }));
    k.push(Op::Barrier(Barrier::Or { dst: any, predicate }));
    let x = k.pointer(0);
    let at = k.element(x, t, 12);
    k.store(at, 0, count);
    k.store(at, 4, all);
    k.store(at, 8, any);
    k.end(End::Return(None));
    let program = program(k);
    for n in [0, 1, 39, 40] {
        let mut x = vec![[-1i32; 3]; 40];
        Setup::new(1, 40).launch(&program, "count", &mut [bytes(&mut x)], &[n]).unwrap();
        assert_eq!(x, vec![[n, i32::from(n == 40), i32::from(n > 0)]; 40]);
    }
}

/// Blocks of two and three dimensions: every thread has its own index, whatever the width.
#[test]
fn threads_have_their_indices() {
    let mut k = kernel("indices", 1, 0);
    let rank = k.special(Special::ThreadRank);
    let [tx, ty, tz] = [0, 1, 2].map(|axis| k.special(Special::ThreadIdx(axis)));
    let x = k.pointer(0);
    let at = k.element(x, rank, 12);
    k.store(at, 0, tx);
    k.push(Op::Barrier(Barrier::Plain));
    k.store(at, 4, ty);
    k.store(at, 8, tz);
    k.end(End::Return(None));
    let program = program(k);
    for block in [[1, 1, 1], [4, 4, 4], [5, 3, 2], [1, 7, 9], [33, 2, 1], [16, 16, 4]] {
        let threads = block.iter().product::<u32>() as usize;
        let mut x = vec![[9999u32; 3]; threads];
        let setup = Setup { block, ..Setup::new(1, 1) };
        setup.launch(&program, "indices", &mut [bytes(&mut x)], &[]).unwrap();
        for (rank, got) in x.iter().enumerate() {
            let rank = rank as u32;
            let [w, h, _] = block;
            assert_eq!(*got, [rank % w, rank / w % h, rank / w / h], "{block:?}");
        }
    }
}
