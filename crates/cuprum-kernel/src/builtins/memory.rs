//! Memory: atomics of all scopes (one scope serves them all), loads with a cache hint, copies and fills.

use super::Ty::{
    AnyMutablePointer, AnyPointer, Int, PointerToConstT, PointerToT, T, Uint, Ulong, Ushort, Void,
};
use super::{Builtin, Call, How, Set, Step, Ty, generic, row, sig};
use crate::Diagnostic;
use crate::ir::{Atomic, Binary, Compare, End, Local, Op, Type};

const fn one(op: Atomic) -> How {
    How::Step(Step::Atomic(op))
}

const fn by_sign(signed: Atomic, unsigned: Atomic, float: Atomic) -> How {
    How::BySign { signed: Step::Atomic(signed), unsigned: Step::Atomic(unsigned), float: Step::Atomic(float) }
}

/// Each line: a function in its three scopes.
macro_rules! atomics {
    ($($device:literal $block:literal $system:literal $set:ident $params:expr, $how:expr;)*) => {
        pub(super) const ATOMICS: &[Builtin] = &[$(
            row($device, &[generic(Set::$set, T, &$params, $how)]),
            row($block, &[generic(Set::$set, T, &$params, $how)]),
            row($system, &[generic(Set::$set, T, &$params, $how)]),
        )*];
    };
}

atomics! {
    "atomicAdd" "atomicAdd_block" "atomicAdd_system" Atomic [PointerToT, T], one(Atomic::Add);
    "atomicSub" "atomicSub_block" "atomicSub_system" AtomicInteger [PointerToT, T], one(Atomic::Sub);
    "atomicExch" "atomicExch_block" "atomicExch_system" Atomic [PointerToT, T], one(Atomic::Exchange);
    "atomicMin" "atomicMin_block" "atomicMin_system" AtomicInteger [PointerToT, T],
        by_sign(Atomic::MinS, Atomic::MinU, Atomic::FMin);
    "atomicMax" "atomicMax_block" "atomicMax_system" AtomicInteger [PointerToT, T],
        by_sign(Atomic::MaxS, Atomic::MaxU, Atomic::FMax);
    "atomicInc" "atomicInc_block" "atomicInc_system" AtomicInteger [PointerToT, T], one(Atomic::Increment);
    "atomicDec" "atomicDec_block" "atomicDec_system" AtomicInteger [PointerToT, T], one(Atomic::Decrement);
    "atomicAnd" "atomicAnd_block" "atomicAnd_system" AtomicInteger [PointerToT, T], one(Atomic::And);
    "atomicOr" "atomicOr_block" "atomicOr_system" AtomicInteger [PointerToT, T], one(Atomic::Or);
    "atomicXor" "atomicXor_block" "atomicXor_system" AtomicInteger [PointerToT, T], one(Atomic::Xor);
    "atomicCAS" "atomicCAS_block" "atomicCAS_system" Atomic [PointerToT, T, T], How::Step(Step::CompareAndSwap);
}

const USHORT_POINTER: Ty = Ty::Pointer(&Ushort);
const UINT_POINTER: Ty = Ty::Pointer(&Uint);
const VOLATILE_LOAD: How = How::Custom(volatile_load);

pub(super) const TABLE: &[Builtin] = &[
    // What cuda_fp16.h and cuda_bf16.h stand on: one number, or two in a word.
    row(
        "__cuprum_atomic_add_half",
        &[
            sig(Ushort, &[USHORT_POINTER, Ushort], one(Atomic::AddHalf)),
            sig(Uint, &[UINT_POINTER, Uint], one(Atomic::AddHalf)),
        ],
    ),
    row(
        "__cuprum_atomic_add_bfloat",
        &[
            sig(Ushort, &[USHORT_POINTER, Ushort], one(Atomic::AddBfloat)),
            sig(Uint, &[UINT_POINTER, Uint], one(Atomic::AddBfloat)),
        ],
    ),
    // These two see what other threads have just written: texts poll with them. Structs are loaded by the prelude's
    // templates, as they are by the other loads.
    row("__ldcg", &[generic(Set::Scalar, T, &[PointerToConstT], VOLATILE_LOAD)]),
    row("__ldcv", &[generic(Set::Scalar, T, &[PointerToConstT], VOLATILE_LOAD)]),
    row("malloc", &[sig(AnyMutablePointer, &[Ulong], How::Custom(allocate))]),
    row("free", &[sig(Void, &[AnyMutablePointer], How::Custom(release))]),
    // Tells the checking mode that so many bytes (a constant) have a value.
    row("__cuprum_mark_written", &[sig(Void, &[AnyMutablePointer, Ulong], How::Custom(mark_written))]),
    row("memcpy", &[sig(AnyMutablePointer, &[AnyMutablePointer, AnyPointer, Ulong], How::Custom(copy))]),
    row("memset", &[sig(AnyMutablePointer, &[AnyMutablePointer, Int, Ulong], How::Custom(fill))]),
    row("__threadfence", &[sig(Void, &[], How::Step(Step::Fence))]),
    row("__threadfence_block", &[sig(Void, &[], How::Step(Step::Fence))]),
    row("__threadfence_system", &[sig(Void, &[], How::Step(Step::Fence))]),
];

type Lowered = Result<Option<Local>, Diagnostic>;

fn allocate(call: &mut Call) -> Lowered {
    let bytes = call.arg(0);
    let dst = call.builder.local(Type::POINTER);
    call.builder.emit(Op::Allocate { dst, bytes });
    Ok(Some(dst))
}

fn release(call: &mut Call) -> Lowered {
    let address = call.arg(0);
    call.builder.emit(Op::Release { address });
    Ok(None)
}

fn mark_written(call: &mut Call) -> Lowered {
    let to = call.arg(0);
    if let Some(bytes) = call.args[1].constant {
        call.builder.emit(Op::Written { to, offset: 0, bytes });
    }
    Ok(None)
}

fn volatile_load(call: &mut Call) -> Lowered {
    let Some(ty) = call.types.ir(call.result) else {
        return Err(call.error(format!("`{}` loads numbers and pointers", call.name)));
    };
    let dst = call.builder.local(ty);
    let addr = call.arg(0);
    call.builder.emit(Op::Load { dst, addr, offset: 0, volatile: true });
    Ok(Some(dst))
}

/// Emits a loop over `bytes` bytes; `body` gets the count of bytes done.
fn for_each_byte(call: &mut Call, bytes: Local, body: impl FnOnce(&mut Call, Local)) {
    let done = call.builder.constant(Type::I64, 0);
    let [head, inside, after] = [(); 3].map(|()| call.builder.new_block());
    call.builder.end(End::Jump(head));
    call.builder.enter(head);
    let more = call.builder.compare(Compare::LtU, done, bytes);
    call.builder.end(End::Branch { cond: more, then: inside, otherwise: after });
    call.builder.enter(inside);
    body(call, done);
    let one = call.builder.constant(Type::I64, 1);
    call.builder.emit(Op::Binary { dst: done, op: Binary::Add, a: done, b: one });
    call.builder.end(End::Jump(head));
    call.builder.enter(after);
}

fn copy(call: &mut Call) -> Lowered {
    let (to, from, bytes) = (call.arg(0), call.arg(1), call.arg(2));
    if let Some(bytes) = call.args[2].constant {
        call.builder.emit(Op::CopyBytes { to, from, bytes });
    } else {
        for_each_byte(call, bytes, |call, done| {
            let source = call.builder.binary(Binary::Add, from, done);
            let byte = call.builder.load(Type::I8, source, 0);
            let target = call.builder.binary(Binary::Add, to, done);
            call.builder.store(target, 0, byte);
        });
    }
    Ok(Some(to))
}

fn fill(call: &mut Call) -> Lowered {
    let (to, value, bytes) = (call.arg(0), call.arg(1), call.arg(2));
    if let (Some(0), Some(bytes)) = (call.args[1].constant, call.args[2].constant) {
        call.builder.emit(Op::ZeroBytes { to, bytes });
    } else {
        let byte = call.builder.convert(crate::ir::Convert::Narrow, Type::I8, value);
        for_each_byte(call, bytes, |call, done| {
            let target = call.builder.binary(Binary::Add, to, done);
            call.builder.store(target, 0, byte);
        });
    }
    Ok(Some(to))
}
