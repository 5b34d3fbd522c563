//! What threads have in common, where addresses come from, and what is read before it is written.

use cuprum_kernel::ir::{
    Barrier, Binary, BlockId, Compare, Convert, End, Function, GlobalId, Local, Op, SharedId, Special, Type,
};
use cuprum_kernel::passes::analysis::{Origin, Scope, liveness, provenance, uniformity, uninitialised};

use crate::rewrites::kernel;

/// `i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; for (k = 0; k < n; ++k) { x = p[i]; y = p[k]; }`
struct Example {
    function: Function,
    i: Local,
    k: Local,
    x: Local,
    y: Local,
    address: Local,
    body: BlockId,
}

fn example(bound_is_thread: bool) -> Example {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let (block, dim) = (b.special(Special::BlockIdx(0)), b.special(Special::BlockDim(0)));
    let start = b.binary(Binary::Mul, block, dim);
    let thread = b.special(Special::ThreadIdx(0));
    let i32 = b.binary(Binary::Add, start, thread);
    let i = b.convert(Type::I64, Convert::SignExtend, i32);
    let outside = b.compare(Compare::GeS, i, n);
    let (out, on) = (b.block(), b.block());
    b.branch(outside, out, on);
    b.switch_to(out);
    b.end(End::Return(None));
    b.switch_to(on);
    let k = b.variable(Type::I64, "k");
    b.push(Op::Const { dst: k, bits: 0 });
    let four = b.constant(Type::I64, 4);
    let distance = b.binary(Binary::Mul, i, four);
    let address = b.binary(Binary::Add, p, distance);
    let (head, body, after) = (b.block(), b.block(), b.block());
    b.jump(head);
    b.switch_to(head);
    let go_on = b.compare(Compare::LtS, k, if bound_is_thread { i } else { n });
    b.branch(go_on, body, after);
    b.switch_to(body);
    let x = b.load(Type::F32, address, 0);
    let offset = b.binary(Binary::Mul, k, four);
    let at = b.binary(Binary::Add, p, offset);
    let y = b.load(Type::F32, at, 0);
    let sum = b.binary(Binary::FAdd, x, y);
    b.store(address, 0, sum);
    let one = b.constant(Type::I64, 1);
    let next = b.binary(Binary::Add, k, one);
    b.push(Op::Copy { dst: k, src: next });
    b.jump(head);
    b.switch_to(after);
    b.end(End::Return(None));
    Example { function: b.finish(), i, k, x, y, address, body }
}

#[test]
fn a_counter_is_common_where_the_bound_is() {
    let e = example(false);
    let together = uniformity(&e.function, Scope::Together);
    assert!(together.is_uniform(e.k) && together.is_uniform(e.y));
    assert!(!together.is_uniform(e.i) && !together.is_uniform(e.x));
    // Those that returned at the beginning do not count.
    assert!(!together.is_divergent(e.body));
    assert!(!uniformity(&e.function, Scope::Block).is_uniform(e.y));

    let e = example(true);
    let together = uniformity(&e.function, Scope::Together);
    assert!(!together.is_uniform(e.k) && !together.is_uniform(e.y));
    assert!(together.is_divergent(e.body));
}

#[test]
fn an_early_return_behind_a_barrier_divides() {
    // if (threadIdx.x < 3) { k = 1; barrier; return } k = 2; barrier; use k
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let thread = b.special(Special::ThreadIdx(0));
    let k = b.variable(Type::I32, "k");
    let (some, others) = (b.block(), b.block());
    b.branch(thread, some, others);
    for (block, number) in [(some, 1), (others, 2)] {
        b.switch_to(block);
        b.push(Op::Const { dst: k, bits: number });
        b.push(Op::Barrier(Barrier::Plain));
        b.store(p, 0, k);
        b.end(End::Return(None));
    }
    let function = b.finish();
    assert!(!uniformity(&function, Scope::Block).is_uniform(k), "{function}");
}

#[test]
fn addresses_are_of_where_they_came_from() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let shared = b.local(Type::POINTER);
    b.push(Op::SharedAddress { dst: shared, shared: SharedId(0) });
    let global = b.local(Type::POINTER);
    b.push(Op::GlobalAddress { dst: global, global: GlobalId(3) });
    let index = b.load(Type::I64, p, 0);
    let near = b.binary(Binary::Add, p, index);
    let far = b.binary(Binary::Add, index, n);
    let difference = b.binary(Binary::Sub, near, p);
    let either = b.local(Type::POINTER);
    b.push(Op::Select { dst: either, cond: n, a: p, b: shared });
    let walking = b.variable(Type::POINTER, "q");
    b.push(Op::Copy { dst: walking, src: shared });
    let step = b.binary(Binary::Add, walking, n);
    b.push(Op::Copy { dst: walking, src: step });
    b.end(End::Return(None));
    let origins = provenance(&b.finish());
    let of = |local: Local| origins[local.index()];
    assert_eq!(of(p), Origin::Parameter(0));
    assert_eq!(of(n), Origin::None);
    assert_eq!(of(global), Origin::Global(GlobalId(3)));
    assert_eq!(of(near), Origin::Parameter(0));
    assert_eq!(of(far), Origin::Unknown);
    assert_eq!(of(difference), Origin::None);
    assert_eq!(of(either), Origin::Unknown);
    assert_eq!((of(walking), of(step)), (Origin::Shared(SharedId(0)), Origin::Shared(SharedId(0))));
}

#[test]
fn a_local_lives_from_its_write_to_its_last_read() {
    let e = example(false);
    let live = liveness(&e.function);
    let at = |block: BlockId| live.live_in(block.index()).collect::<Vec<_>>();
    assert!(at(BlockId(0)).is_empty());
    assert!(at(e.body).contains(&e.k) && at(e.body).contains(&e.address));
    assert!(!at(e.body).contains(&e.x));
    assert!(live.live_out(e.body.index()).any(|local| local == e.k));
    assert!(uninitialised(&e.function).is_empty());
}

#[test]
fn a_variable_that_is_written_on_one_way_only_is_told() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let x = b.variable(Type::I64, "x");
    let (then, after) = (b.block(), b.block());
    b.branch(n, then, after);
    b.switch_to(then);
    b.push(Op::Copy { dst: x, src: n });
    b.jump(after);
    b.switch_to(after);
    b.store(p, 0, x);
    b.end(End::Return(None));
    let found: Vec<Local> = uninitialised(&b.finish()).into_iter().map(|(local, _)| local).collect();
    assert_eq!(found, [x]);
}
