//! Small local arrays become locals.

use cuprum_kernel::ir::{
    Binary, Compare, Convert, End, Function, FunctionBuilder, Local, Op, SlotId, Special, Type,
};

use crate::rewrites::{kernel, ops, prepare};

/// `for (int i = 0; i < times; ++i) body(i)`
fn repeat(b: &mut FunctionBuilder, times: Option<u64>, body: impl FnOnce(&mut FunctionBuilder, Local)) {
    let i = b.variable(Type::I32, "i");
    let zero = b.constant(Type::I32, 0);
    b.push(Op::Copy { dst: i, src: zero });
    let (head, inside, step, after) = (b.block(), b.block(), b.block(), b.block());
    b.jump(head);
    b.switch_to(head);
    let bound = match times {
        Some(times) => b.constant(Type::I32, times),
        None => b.special(Special::GridDim(0)),
    };
    let go_on = b.compare(Compare::LtS, i, bound);
    b.branch(go_on, inside, after);
    b.switch_to(inside);
    body(b, i);
    b.jump(step);
    b.switch_to(step);
    let one = b.constant(Type::I32, 1);
    let next = b.binary(Binary::Add, i, one);
    b.push(Op::Copy { dst: i, src: next });
    b.jump(head);
    b.switch_to(after);
}

fn element(b: &mut FunctionBuilder, slot: SlotId, row: Local, column: Local) -> Local {
    let two = b.constant(Type::I32, 2);
    let start = b.binary(Binary::Mul, row, two);
    let index = b.binary(Binary::Add, start, column);
    let wide = b.convert(Type::I64, Convert::SignExtend, index);
    let four = b.constant(Type::I64, 4);
    let distance = b.binary(Binary::Mul, wide, four);
    let base = b.slot_address(slot);
    b.binary(Binary::Add, base, distance)
}

/// `float sum[2][2] = {}; for (k < gridDim.x) for (r < 2) for (c < 2) sum[r][c] += p[k]; p[r * 2 + c] = sum[r][c];`
fn tile(index_by_thread: bool) -> Function {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let sum = b.slot("sum", 16, 4);
    let to = b.slot_address(sum);
    b.push(Op::ZeroBytes { to, bytes: 16 });
    repeat(&mut b, None, |b, k| {
        let wide = b.convert(Type::I64, Convert::SignExtend, k);
        let at = b.binary(Binary::Add, p, wide);
        let x = b.load(Type::F32, at, 0);
        repeat(b, Some(2), |b, row| {
            repeat(b, Some(2), |b, column| {
                let row = if index_by_thread { b.special(Special::ThreadIdx(0)) } else { row };
                let at = element(b, sum, row, column);
                let old = b.load(Type::F32, at, 0);
                let new = b.binary(Binary::FAdd, old, x);
                b.store(at, 0, new);
            });
        });
    });
    for offset in [0, 4, 8, 12] {
        let at = b.slot_address(sum);
        let x = b.load(Type::F32, at, offset);
        b.store(p, offset, x);
    }
    b.end(End::Return(None));
    prepare(vec![b.finish()]).kernel
}

#[test]
fn a_tile_of_sums_is_locals() {
    let kernel = tile(false);
    assert!(kernel.slots.is_empty(), "{kernel}");
    let adds = ops(&kernel).iter().filter(|op| matches!(op, Op::Binary { op: Binary::FAdd, .. })).count();
    assert_eq!(adds, 4, "{kernel}");
    // The loop over the grid is the only one that is left.
    let back = kernel.blocks.iter().enumerate();
    let back = back.flat_map(|(i, block)| block.end.successors().filter(move |to| to.index() <= i)).count();
    assert_eq!(back, 1, "{kernel}");
}

#[test]
fn an_array_with_an_index_of_the_thread_stays_memory_and_its_loops_loops() {
    let kernel = tile(true);
    assert_eq!(kernel.slots.len(), 1);
    let adds = ops(&kernel).iter().filter(|op| matches!(op, Op::Binary { op: Binary::FAdd, .. })).count();
    assert_eq!(adds, 1, "{kernel}");
}

#[test]
fn a_kernel_of_many_loops_and_arrays_is_prepared() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    for n in 0..1500 {
        let slot = b.slot(format!("a{n}"), 16, 4);
        repeat(&mut b, None, |b, k| {
            let wide = b.convert(Type::I64, Convert::SignExtend, k);
            let at = b.binary(Binary::Add, p, wide);
            let x = b.load(Type::F32, at, 0);
            let cond = b.compare(Compare::FLt, x, x);
            let (then, after) = (b.block(), b.block());
            b.branch(cond, then, after);
            b.switch_to(then);
            let local = b.slot_address(slot);
            b.store(local, 4, x);
            b.jump(after);
            b.switch_to(after);
            let local = b.slot_address(slot);
            let y = b.load(Type::F32, local, 4);
            b.store(at, 0, y);
        });
    }
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    assert!(kernel.slots.is_empty());
}
