//! Threads among each other: barriers, shuffles, votes, and what stops or reports: `printf`, `assert`, traps.

use super::Ty::{Bool, Default, Int, Llong, Long, Pointer, T, Text, Uint, Ullong, Void};
use super::{Builtin, Call, How, Set, Signature, Step, Ty, generic, row, sig};
use crate::Diagnostic;
use crate::ir::{Barrier, Compare, Convert, Local, Op, Special, Type, Warp};

const ALL_LANES: Ty = Default(&Uint, 0xffff_ffff);
const WIDTH: Ty = Default(&Int, 32);

const fn step(step: Step) -> How {
    How::Step(step)
}

pub(super) const TABLE: &[Builtin] = &[
    row("__syncthreads", &[sig(Void, &[], step(Step::Barrier))]),
    row("__syncthreads_count", &[sig(Int, &[Int], How::Custom(barrier))]),
    row("__syncthreads_and", &[sig(Int, &[Int], How::Custom(barrier))]),
    row("__syncthreads_or", &[sig(Int, &[Int], How::Custom(barrier))]),
    row("__syncwarp", &[sig(Void, &[ALL_LANES], step(Step::SyncWarp))]),
    row("__activemask", &[sig(Uint, &[], step(Step::ActiveMask))]),
    row("__nanosleep", &[sig(Void, &[Uint], step(Step::Yield))]),
    row("clock", &[sig(Long, &[], step(Step::Special(Special::Clock)))]),
    row("clock64", &[sig(Llong, &[], step(Step::Special(Special::Clock)))]),
    // What cooperative_groups.h stands on.
    row("__cuprum_lane", &[sig(Uint, &[], step(Step::Special(Special::LaneId)))]),
    row("__cuprum_thread_rank", &[sig(Uint, &[], step(Step::Special(Special::ThreadRank)))]),
    row("__cuprum_dynamic_shared_bytes", &[sig(Uint, &[], step(Step::Special(Special::DynamicSharedBytes)))]),
    row("__cuprum_shared_base", &[sig(Ullong, &[], step(Step::Special(Special::SharedBase)))]),
    row("__cuprum_grid_sync", &[sig(Void, &[], step(Step::GridSync))]),
    row("__cuprum_cluster_sync", &[sig(Void, &[], step(Step::ClusterSync))]),
    row("__cuprum_cluster_dim_x", &[sig(Uint, &[], step(Step::Special(Special::ClusterDim(0))))]),
    row("__cuprum_cluster_dim_y", &[sig(Uint, &[], step(Step::Special(Special::ClusterDim(1))))]),
    row("__cuprum_cluster_dim_z", &[sig(Uint, &[], step(Step::Special(Special::ClusterDim(2))))]),
    row("__cuprum_cluster_shared", &[sig(Ullong, &[], step(Step::Special(Special::ClusterShared)))]),
    row("__cuprum_cluster_step", &[sig(Uint, &[], step(Step::Special(Special::ClusterStep)))]),
    row("printf", &[sig(Int, &[Text], How::Custom(print)).variadic()]),
    // The prelude's macro `assert` calls it with the condition's text.
    row("__cuprum_assert", &[sig(Void, &[Bool, Text], How::Custom(assert))]),
    // An index of a Python array, the array's size along that axis, the axis, the array's name: gives the index.
    row("__cuprum_check_index", &[sig(Llong, &[Llong, Llong, Int, Text], How::Custom(check_index))]),
    row("__trap", &[sig(Void, &[], How::Custom(stop))]),
    row("__builtin_trap", &[sig(Void, &[], How::Custom(stop))]),
    row("__builtin_unreachable", &[sig(Void, &[], How::Custom(stop))]),
    row("__brkpt", &[sig(Void, &[], step(Step::Nothing))]),
    row("__builtin_assume", &[sig(Void, &[Bool], step(Step::Nothing))]),
    row("__assume", &[sig(Void, &[Bool], step(Step::Nothing))]),
    row("__builtin_expect", &[sig(Long, &[Long, Long], How::Custom(first))]),
    row("__nv_bswap", &[sig(Uint, &[Uint], step(Step::Unary(crate::ir::Unary::ReverseBytes)))]),
];

const SHUFFLE: &[Signature] = &[generic(Set::Number, T, &[Uint, T, Int, WIDTH], How::Warp(Warp::Shuffle))];
const SHUFFLE_UP: &[Signature] =
    &[generic(Set::Number, T, &[Uint, T, Uint, WIDTH], How::Warp(Warp::ShuffleUp))];
const SHUFFLE_DOWN: &[Signature] =
    &[generic(Set::Number, T, &[Uint, T, Uint, WIDTH], How::Warp(Warp::ShuffleDown))];
const SHUFFLE_XOR: &[Signature] =
    &[generic(Set::Number, T, &[Uint, T, Int, WIDTH], How::Warp(Warp::ShuffleXor))];
const OLD_SHUFFLE: &[Signature] = &[generic(Set::Number, T, &[T, Int, WIDTH], How::Custom(of_all_lanes))];
const OLD_VOTE: &[Signature] = &[sig(Int, &[Int], How::Custom(of_all_lanes))];

const fn reduction(signed: Warp, unsigned: Warp) -> [Signature; 2] {
    [sig(Int, &[Uint, Int], How::Warp(signed)), sig(Uint, &[Uint, Uint], How::Warp(unsigned))]
}

pub(super) const WARPS: &[Builtin] = &[
    row("__shfl_sync", SHUFFLE),
    row("__shfl_up_sync", SHUFFLE_UP),
    row("__shfl_down_sync", SHUFFLE_DOWN),
    row("__shfl_xor_sync", SHUFFLE_XOR),
    // The forms of before Volta, which had no mask.
    row("__shfl", OLD_SHUFFLE),
    row("__shfl_up", OLD_SHUFFLE),
    row("__shfl_down", OLD_SHUFFLE),
    row("__shfl_xor", OLD_SHUFFLE),
    row("__all", OLD_VOTE),
    row("__any", OLD_VOTE),
    row("__ballot", &[sig(Uint, &[Int], How::Custom(of_all_lanes))]),
    row("__all_sync", &[sig(Int, &[Uint, Int], How::Warp(Warp::All))]),
    row("__any_sync", &[sig(Int, &[Uint, Int], How::Warp(Warp::Any))]),
    row("__uni_sync", &[sig(Int, &[Uint, Int], How::Custom(all_agree))]),
    row("__ballot_sync", &[sig(Uint, &[Uint, Int], How::Warp(Warp::Ballot))]),
    row("__match_any_sync", &[generic(Set::Number, Uint, &[Uint, T], How::Warp(Warp::MatchAny))]),
    row("__match_all_sync", &[generic(Set::Number, Uint, &[Uint, T, Pointer(&Int)], How::Custom(match_all))]),
    row("__reduce_add_sync", &reduction(Warp::ReduceAdd, Warp::ReduceAdd)),
    row("__reduce_min_sync", &reduction(Warp::ReduceMinS, Warp::ReduceMinU)),
    row("__reduce_max_sync", &reduction(Warp::ReduceMaxS, Warp::ReduceMaxU)),
    row("__reduce_and_sync", &[sig(Uint, &[Uint, Uint], How::Warp(Warp::ReduceAnd))]),
    row("__reduce_or_sync", &[sig(Uint, &[Uint, Uint], How::Warp(Warp::ReduceOr))]),
    row("__reduce_xor_sync", &[sig(Uint, &[Uint, Uint], How::Warp(Warp::ReduceXor))]),
    row("__cuprum_clock", &[sig(Ullong, &[], step(Step::Special(Special::Clock)))]),
];

type Lowered = Result<Option<Local>, Diagnostic>;

fn barrier(call: &mut Call) -> Lowered {
    let dst = call.builder.local(Type::I32);
    let predicate = call.arg(0);
    call.builder.emit(Op::Barrier(match call.name {
        "__syncthreads_and" => Barrier::And { dst, predicate },
        "__syncthreads_or" => Barrier::Or { dst, predicate },
        _ => Barrier::Count { dst, predicate },
    }));
    Ok(Some(dst))
}

fn collective(call: &mut Call, op: Warp, mask: Local, value: Local, lane: Local, width: Local) -> Local {
    let ty = match op {
        Warp::Shuffle | Warp::ShuffleUp | Warp::ShuffleDown | Warp::ShuffleXor => call.builder.type_of(value),
        _ => Type::I32,
    };
    let dst = call.builder.local(ty);
    call.builder.emit(Op::Warp { dst, op, mask, value, lane, width });
    dst
}

fn of_all_lanes(call: &mut Call) -> Lowered {
    let op = match call.name {
        "__shfl_up" => Warp::ShuffleUp,
        "__shfl_down" => Warp::ShuffleDown,
        "__shfl_xor" => Warp::ShuffleXor,
        "__all" => Warp::All,
        "__any" => Warp::Any,
        "__ballot" => Warp::Ballot,
        _ => Warp::Shuffle,
    };
    let mask = call.builder.int(-1);
    let value = call.arg(0);
    let (lane, width) = if call.args.len() == 3 { (call.arg(1), call.arg(2)) } else { (mask, mask) };
    Ok(Some(collective(call, op, mask, value, lane, width)))
}

fn all_agree(call: &mut Call) -> Lowered {
    let (mask, value) = (call.arg(0), call.arg(1));
    let zero = call.builder.int(0);
    let truth = call.builder.compare(Compare::Ne, value, zero);
    let truth = call.builder.convert(Convert::ZeroExtend, Type::I32, truth);
    let lanes = collective(call, Warp::MatchAll, mask, truth, zero, zero);
    let same = call.builder.compare(Compare::Ne, lanes, zero);
    Ok(Some(call.builder.convert(Convert::ZeroExtend, Type::I32, same)))
}

fn match_all(call: &mut Call) -> Lowered {
    let (mask, value, to) = (call.arg(0), call.arg(1), call.arg(2));
    let zero = call.builder.int(0);
    let lanes = collective(call, Warp::MatchAll, mask, value, zero, zero);
    let same = call.builder.compare(Compare::Ne, lanes, zero);
    let same = call.builder.convert(Convert::ZeroExtend, Type::I32, same);
    call.builder.store(to, 0, same);
    Ok(Some(lanes))
}

fn print(call: &mut Call) -> Lowered {
    let Some(format) = call.args[0].text else {
        return Err(call.error("the format of printf must be a string literal"));
    };
    let dst = call.builder.local(Type::I32);
    let args = call.args[1..].iter().map(|arg| arg.local).collect();
    call.builder.emit(Op::Printf { dst, format, args });
    Ok(Some(dst))
}

fn assert(call: &mut Call) -> Lowered {
    let Some(message) = call.args[1].text else {
        return Err(call.error("the message of an assertion must be a string literal"));
    };
    let condition = call.arg(0);
    call.builder.emit(Op::Assert { condition, message });
    Ok(None)
}

fn check_index(call: &mut Call) -> Lowered {
    let (Some(axis), Some(array)) = (call.args[2].constant, call.args[3].text) else {
        return Err(call.error("the axis and the name of a checked index must be literals"));
    };
    let (index, size) = (call.arg(0), call.arg(1));
    call.builder.emit(Op::CheckIndex { index, size, axis: axis as u32, array });
    Ok(Some(index))
}

fn stop(call: &mut Call) -> Lowered {
    let message = match call.name {
        "__builtin_unreachable" => "__builtin_unreachable() was reached",
        _ => "__trap() was called",
    };
    let message = call.string(message);
    let condition = call.builder.int(0);
    call.builder.emit(Op::Assert { condition, message });
    Ok(None)
}

fn first(call: &mut Call) -> Lowered {
    Ok(Some(call.arg(0)))
}
