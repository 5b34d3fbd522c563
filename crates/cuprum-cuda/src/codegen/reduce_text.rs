//! The CUDA C of a key's reduction: its reducer among those of `kernels/reducers.cuh`, and the walk.

use std::fmt::Write;

use cuprum_core::ops::Identity;
use cuprum_core::{DType, Op, Reduction};

use super::key::{Path, Reducing, Role, Structure};
use super::reduce::state_bytes;
use super::text::{element_step, op_function, op_name};
use crate::ops::type_name;

/// Adds everything after the program's own functions.
pub(super) fn reduction(text: &mut String, s: &Structure, reduce: Reducing) {
    text.push_str(include_str!("../kernels/reducers.cuh"));
    match reduce.op {
        Reduction::Fold(op) => fold(text, op, reduce.dtype),
        op => {
            let _ = writeln!(text, "typedef {} Reducer;", reducer(op, reduce.dtype));
        }
    }
    let positions = s.operands.iter().any(|o| o.role == Role::Position);
    let position = if positions { "v.position[j]" } else { "0" };
    let at = s.operands.len() - 1;
    let (result, step) = (s.operands[at], element_step(s, s.operands[at], "result"));
    let (output, aligned) = (type_name(reduce.output), result.aligned);
    let bytes = state_bytes(reduce.op, reduce.dtype);
    let _ = write!(
        text,
        "typedef typename Reducer::State State;
static_assert(sizeof(State) <= {bytes}, \"room for partial states\");
inline void finish(const Args& args, const Cursor& at, int j, State s) {{
    store_one<{output}, {aligned}>(at.result + j * (i64){step}, cast<{output}>(Reducer::lower(s)));
}}
"
    );
    if !matches!(reduce.op, Reduction::Fold(_)) {
        let _ = write!(
            text,
            "inline void take(State& s, const Values& v, int j) {{
    Reducer::take(s, v.value[j], {position});
}}
"
        );
    }
    match s.path {
        Path::Lanes { .. } => {
            text.push_str(include_str!("../kernels/reduce_rows.cuh"));
            text.push_str(include_str!("../kernels/reduce_lanes.cuh"));
        }
        Path::Block { .. } => {
            text.push_str(include_str!("../kernels/reduce_rows.cuh"));
            text.push_str(include_str!("../kernels/reduce_block.cuh"));
        }
        Path::Columns { .. } => text.push_str(include_str!("../kernels/reduce_columns.cuh")),
        Path::Fold => text.push_str(include_str!("../kernels/reduce_fold.cuh")),
        Path::Map { .. } | Path::Tile { .. } => {}
    }
}

/// The reducer of a reduction over elements of a dtype; truth values add as `or` and multiply as `and`.
fn reducer(op: Reduction, dtype: DType) -> String {
    let t = type_name(dtype);
    let is_bool = dtype == DType::Bool;
    let extremum = if dtype.is_complex() { "FirstExtremum" } else { "Extremum" };
    match op {
        Reduction::Sum if is_bool => "Truth<bool, 0>".into(),
        Reduction::Prod if is_bool => "Truth<bool, 1>".into(),
        Reduction::BitAnd if is_bool => "Truth<bool, 1>".into(),
        Reduction::BitOr if is_bool => "Truth<bool, 0>".into(),
        Reduction::BitXor if is_bool => "Truth<bool, 2>".into(),
        Reduction::Sum => format!("Sum<{t}>"),
        Reduction::Prod => format!("Prod<{t}>"),
        Reduction::Min => format!("{extremum}<{t}, false, false>"),
        Reduction::Max => format!("{extremum}<{t}, true, false>"),
        Reduction::Fmin => format!("{extremum}<{t}, false, true>"),
        Reduction::Fmax => format!("{extremum}<{t}, true, true>"),
        Reduction::Any => format!("Truth<{t}, 0>"),
        Reduction::All => format!("Truth<{t}, 1>"),
        Reduction::Xor => format!("Truth<{t}, 2>"),
        Reduction::BitAnd => format!("Bits<{t}, 0>"),
        Reduction::BitOr => format!("Bits<{t}, 1>"),
        Reduction::BitXor => format!("Bits<{t}, 2>"),
        Reduction::ArgMin => format!("Position<{t}, false>"),
        Reduction::ArgMax => format!("Position<{t}, true>"),
        Reduction::Count => format!("Count<{t}>"),
        Reduction::Variance => format!("Moments<{t}>"),
        Reduction::Fold(op) => unreachable!("{} is folded by a reducer of its own", op.name()),
    }
}

/// The reducer of a fold: the op itself, from its identity where there is nothing.
fn fold(text: &mut String, op: Op, dtype: DType) {
    let t = type_name(dtype);
    let identity = match op.row().identity {
        Identity::None | Identity::Zero => format!("{t}(0)"),
        Identity::One => format!("{t}(1)"),
        Identity::MinusOne => format!("{t}(-1)"),
        Identity::NegativeInfinity => format!("-infinity<{t}>()"),
    };
    op_function(text, op, dtype);
    let name = op_name(op, dtype);
    let _ = write!(
        text,
        "struct Reducer {{
    typedef {t} State;
    static State neutral() {{ return {identity}; }}
    static State join(State a, State b) {{ return cast<{t}>({name}(a, b)); }}
    static State lower(State s) {{ return s; }}
}};
"
    );
}
