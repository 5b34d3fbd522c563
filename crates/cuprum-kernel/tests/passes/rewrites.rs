//! What single rewrites make of small functions.

use cuprum_kernel::ir::{
    Barrier, Binary, Compare, Convert, Element, End, Function, FunctionBuilder, FunctionId, Kernel, Local,
    Module, Op, Parameter, ParameterKind, Special, Type, verify,
};
use cuprum_kernel::passes::{self, Prepared};

/// A kernel of one pointer, `p`, and one number, `n`.
pub fn kernel() -> FunctionBuilder {
    let pointer = ParameterKind::Pointer { to: Element::Float(4), constant: false };
    let parameter = |name: &str, kind, offset| Parameter {
        name: name.to_owned(),
        type_name: String::new(),
        kind,
        offset,
        bytes: 8,
        align: 8,
    };
    let params =
        vec![parameter("p", pointer, 0), parameter("n", ParameterKind::Scalar(Element::Signed(8)), 8)];
    FunctionBuilder::kernel("kernel", Kernel { params, param_bytes: 16, max_threads: None, cluster: [1; 3] })
}

pub fn prepare(functions: Vec<Function>) -> Prepared {
    let kernel = FunctionId(functions.len() as u32 - 1);
    let module = Module { functions, strings: vec![String::new()], ..Module::default() };
    assert_eq!(verify(&module), Vec::<String>::new());
    passes::prepare(&module, kernel).expect("prepared")
}

pub fn ops(function: &Function) -> Vec<&Op> {
    function.blocks.iter().flat_map(|block| &block.insts).map(|inst| &inst.op).collect()
}

#[test]
fn a_struct_that_goes_through_a_function_is_locals() {
    // void twice(float2 *out, float2 *in): both by address.
    let mut b = FunctionBuilder::function("twice", None);
    let (out, value) = (b.param(Type::POINTER, "out"), b.param(Type::POINTER, "in"));
    for offset in [0, 4] {
        let x = b.load(Type::F32, value, offset);
        let sum = b.binary(Binary::FAdd, x, x);
        b.store(out, offset, sum);
    }
    b.end(End::Return(None));
    let twice = b.finish();

    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let (input, result) = (b.slot("input", 8, 8), b.slot("result", 8, 8));
    let (to, from) = (b.slot_address(result), b.slot_address(input));
    b.push(Op::CopyBytes { to: from, from: p, bytes: 8 });
    b.push(Op::Call { dst: None, function: FunctionId(0), args: vec![to, from] });
    b.push(Op::CopyBytes { to: p, from: to, bytes: 8 });
    b.end(End::Return(None));

    let kernel = prepare(vec![twice, b.finish()]).kernel;
    assert!(kernel.slots.is_empty(), "{kernel}");
    let ops = ops(&kernel);
    assert_eq!(kernel.blocks.len(), 1);
    assert_eq!(ops.iter().filter(|op| matches!(op, Op::Load { .. })).count(), 2, "{kernel}");
    assert_eq!(ops.iter().filter(|op| matches!(op, Op::Store { .. })).count(), 2);
    assert!(
        !ops.iter().any(|op| matches!(op, Op::CopyBytes { .. } | Op::SlotAddress { .. } | Op::Call { .. }))
    );
    // The values stay floats all the way.
    assert!(!ops.iter().any(|op| matches!(op, Op::Convert { .. })), "{kernel}");
}

#[test]
fn halves_of_a_word_are_shifted() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let word = b.slot("word", 4, 4);
    let at = b.slot_address(word);
    let whole = b.load(Type::I32, p, 0);
    b.store(at, 0, whole);
    let upper = b.load(Type::I16, at, 2);
    b.store(p, 4, upper);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    assert!(kernel.slots.is_empty(), "{kernel}");
    assert!(ops(&kernel).iter().any(|op| matches!(op, Op::Convert { kind: Convert::Narrow, .. })));
}

#[test]
fn a_slot_that_is_left_stays_memory() {
    let build = |offset: i64, escapes: bool| {
        let mut b = kernel();
        let p = b.parameter(Type::POINTER, 0);
        let slot = b.slot("x", 8, 8);
        let at = b.slot_address(slot);
        let n = b.parameter(Type::I64, 8);
        b.store(at, offset, n);
        let back = b.load(Type::I64, at, offset);
        b.store(p, 0, back);
        if escapes {
            b.store(p, 8, at);
        }
        b.end(End::Return(None));
        prepare(vec![b.finish()]).kernel
    };
    assert!(build(0, false).slots.is_empty());
    // Beside the slot, and where others know its address.
    assert_eq!(build(4, false).slots.len(), 1);
    assert_eq!(build(-8, false).slots.len(), 1);
    assert_eq!(build(0, true).slots.len(), 1);
}

#[test]
fn a_condition_that_is_known_leaves_one_way() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let (two, three) = (b.constant(Type::I32, 2), b.constant(Type::I32, 3));
    let cond = b.compare(Compare::LtS, three, two);
    let (then, otherwise) = (b.block(), b.block());
    b.branch(cond, then, otherwise);
    b.switch_to(then);
    b.store(p, 0, two);
    b.end(End::Return(None));
    b.switch_to(otherwise);
    let sum = b.binary(Binary::Add, two, three);
    b.store(p, 0, sum);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    assert_eq!(kernel.blocks.len(), 1);
    assert_eq!(ops(&kernel).len(), 3, "{kernel}");
    assert!(ops(&kernel).iter().any(|op| matches!(op, Op::Const { bits: 5, .. })));
}

#[test]
fn distances_go_into_loads_and_copies_away() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let eight = b.constant(Type::I64, 8);
    let q = b.local(Type::POINTER);
    b.push(Op::Copy { dst: q, src: p });
    let moved = b.binary(Binary::Add, q, eight);
    let further = b.binary(Binary::Add, moved, eight);
    let x = b.load(Type::F32, further, 4);
    b.store(moved, 0, x);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    let offsets: Vec<i64> = ops(&kernel)
        .iter()
        .filter_map(|op| match op {
            Op::Load { offset, .. } | Op::Store { offset, .. } => Some(*offset),
            _ => None,
        })
        .collect();
    assert_eq!(offsets, [20, 8], "{kernel}");
    assert_eq!(ops(&kernel).len(), 3, "{kernel}");
}

#[test]
fn a_variable_that_changes_is_not_its_copy() {
    // x = n; y = x; x = x + 1; p[0] = y
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let (x, y) = (b.variable(Type::I64, "x"), b.variable(Type::I64, "y"));
    b.push(Op::Copy { dst: x, src: n });
    b.push(Op::Copy { dst: y, src: x });
    let one = b.constant(Type::I64, 1);
    let next = b.binary(Binary::Add, x, one);
    b.push(Op::Copy { dst: x, src: next });
    b.store(p, 0, y);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    let stored = ops(&kernel).iter().find_map(|op| match op {
        Op::Store { src, .. } => Some(*src),
        _ => None,
    });
    let read = ops(&kernel).iter().find_map(|op| match op {
        Op::Parameter { dst, offset: 8 } => Some(*dst),
        _ => None,
    });
    assert!(stored.is_some() && stored == read, "{kernel}");
}

/// `int f(int n) { ...; return n ? f(n - 1) : 0; }` with a barrier at its beginning if asked for.
fn recursive(barrier: bool) -> Function {
    let mut b = FunctionBuilder::function("f", Some(Type::I32));
    let n = b.param(Type::I32, "n");
    if barrier {
        b.push(Op::Barrier(Barrier::Plain));
    }
    let (again, done) = (b.block(), b.block());
    b.branch(n, again, done);
    b.switch_to(again);
    let one = b.constant(Type::I32, 1);
    let less = b.binary(Binary::Sub, n, one);
    let dst = b.local(Type::I32);
    b.push(Op::Call { dst: Some(dst), function: FunctionId(0), args: vec![less] });
    b.end(End::Return(Some(dst)));
    b.switch_to(done);
    b.end(End::Return(Some(n)));
    b.finish()
}

fn caller() -> Function {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.special(Special::ThreadIdx(0));
    let dst = b.local(Type::I32);
    b.push(Op::Call { dst: Some(dst), function: FunctionId(0), args: vec![n] });
    b.store(p, 0, dst);
    b.end(End::Return(None));
    b.finish()
}

#[test]
fn functions_that_call_themselves_stay_calls() {
    let prepared = prepare(vec![recursive(false), caller()]);
    assert_eq!(prepared.callees.len(), 1);
    assert_eq!(prepared.callees[0].0, FunctionId(0));
    assert!(ops(&prepared.kernel).iter().any(|op| matches!(op, Op::Call { .. })));

    let functions = vec![recursive(true), caller()];
    let module = Module { functions, ..Module::default() };
    let message = passes::prepare(&module, FunctionId(1)).expect_err("a barrier in recursion").message;
    assert!(message.starts_with("`f` calls itself and waits"), "{message}");
}

#[test]
fn functions_that_wait_go_in_at_every_size() {
    // Each of 12 functions calls the one before twice: 4096 barriers; 24 of them are too many.
    let build = |depth: u32| {
        let mut functions = Vec::new();
        for level in 0..depth {
            let mut b = FunctionBuilder::function(format!("f{level}"), None);
            for _ in 0..2 {
                b.push(match level {
                    0 => Op::Barrier(Barrier::Plain),
                    _ => Op::Call { dst: None, function: FunctionId(level - 1), args: Vec::new() },
                });
            }
            b.end(End::Return(None));
            functions.push(b.finish());
        }
        let mut b = kernel();
        b.push(Op::Call { dst: None, function: FunctionId(depth - 1), args: Vec::new() });
        b.end(End::Return(None));
        functions.push(b.finish());
        passes::prepare(&Module { functions, ..Module::default() }, FunctionId(depth))
    };
    let kernel = build(12).expect("small enough").kernel;
    assert_eq!(ops(&kernel).len(), 4096);
    assert!(build(24).expect_err("too large").message.contains("make it smaller"));
}

#[test]
fn a_read_repeated_is_a_read_once_until_memory_changes() {
    let build = |between: Option<Op>| {
        let mut b = kernel();
        let p = b.parameter(Type::POINTER, 0);
        let x = b.load(Type::I32, p, 0);
        b.store(p, 8, x);
        let first = b.load(Type::I32, p, 16);
        if let Some(op) = between {
            b.push(op);
        }
        let second = b.load(Type::I32, p, 16);
        let sum = b.binary(Binary::Add, first, second);
        b.store(p, 4, sum);
        b.end(End::Return(None));
        let kernel = prepare(vec![b.finish()]).kernel;
        ops(&kernel).iter().filter(|op| matches!(op, Op::Load { .. })).count()
    };
    assert_eq!(build(None), 2);
    assert_eq!(build(Some(Op::Barrier(Barrier::Plain))), 3);
    assert_eq!(build(Some(Op::Fence)), 3);
    let p = Local(0);
    assert_eq!(build(Some(Op::Store { addr: p, offset: 0, src: Local(1), volatile: false })), 3);
}

#[test]
fn small_branches_are_selections() {
    // ok = i < n; if (ok) ok = 5 < i; if (ok) { x = 1 } else { x = 2 }; p[0] = x
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let ok = b.variable(Type::BOOL, "ok");
    let x = b.variable(Type::I64, "x");
    let five = b.constant(Type::I64, 5);
    let first = b.compare(Compare::LtS, five, n);
    b.push(Op::Copy { dst: ok, src: first });
    let (more, after, then, otherwise, end) = (b.block(), b.block(), b.block(), b.block(), b.block());
    b.branch(first, more, after);
    b.switch_to(more);
    let seven = b.constant(Type::I64, 7);
    let second = b.compare(Compare::LtS, n, seven);
    b.push(Op::Copy { dst: ok, src: second });
    b.jump(after);
    b.switch_to(after);
    b.branch(ok, then, otherwise);
    for (block, number) in [(then, 1), (otherwise, 2)] {
        b.switch_to(block);
        b.push(Op::Const { dst: x, bits: number });
        b.jump(end);
    }
    b.switch_to(end);
    b.store(p, 0, x);
    b.end(End::Return(None));
    let kernel = prepare(vec![b.finish()]).kernel;
    assert_eq!(kernel.blocks.len(), 1, "{kernel}");
    assert!(ops(&kernel).iter().any(|op| matches!(op, Op::Binary { op: Binary::And, .. })), "{kernel}");
    assert!(ops(&kernel).iter().any(|op| matches!(op, Op::Select { .. })), "{kernel}");
}

#[test]
fn a_branch_that_guards_a_read_stays() {
    let mut b = kernel();
    let p = b.parameter(Type::POINTER, 0);
    let n = b.parameter(Type::I64, 8);
    let x = b.variable(Type::I64, "x");
    b.push(Op::Const { dst: x, bits: 0 });
    let (then, after) = (b.block(), b.block());
    b.branch(n, then, after);
    b.switch_to(then);
    b.push(Op::Load { dst: x, addr: n, offset: 0, volatile: false });
    b.jump(after);
    b.switch_to(after);
    b.store(p, 0, x);
    b.end(End::Return(None));
    assert_eq!(prepare(vec![b.finish()]).kernel.blocks.len(), 3);
}
