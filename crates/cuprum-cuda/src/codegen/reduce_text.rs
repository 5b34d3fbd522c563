//! The CUDA C of a key's reductions: their reducers among those of `kernels/reducers.cuh`, what is made of their results,
//! and the walk.

use std::fmt::Write;

use cuprum_core::ops::Identity;
use cuprum_core::{DType, Op, Reduction};

use super::key::{Ending, Path, Reducing, Role, StepKind, Structure};
use super::reduce::states_bytes;
use super::text::{call, element_step, op_function, op_name, taken};
use crate::ops::type_name;

/// Adds everything after the program's own functions.
pub(super) fn reductions(text: &mut String, s: &Structure, ending: &Ending) {
    text.push_str(include_str!("../kernels/reducers.cuh"));
    for (nth, reduce) in ending.results.iter().enumerate() {
        match reduce.op {
            Reduction::Fold(op) => fold(text, nth, op, reduce.dtype),
            op => {
                let _ = writeln!(text, "typedef {} Reducer{nth};", reducer(op, reduce.dtype));
            }
        }
    }
    states(text, &ending.results);
    finish(text, s, ending);
    if s.path == Path::Fold {
        return text.push_str(include_str!("../kernels/reduce_fold.cuh"));
    }
    let positions = s.operands.iter().any(|o| o.role == Role::Position);
    let columns = matches!(s.path, Path::Columns { .. });
    totals(text, columns, positions, ending.results.len(), "value");
    match s.path {
        Path::Lanes { .. } => {
            text.push_str(include_str!("../kernels/reduce_rows.cuh"));
            text.push_str(include_str!("../kernels/reduce_short_rows.cuh"));
        }
        Path::Block { .. } => {
            text.push_str(include_str!("../kernels/reduce_rows.cuh"));
            text.push_str(include_str!("../kernels/reduce_long_rows.cuh"));
        }
        Path::Columns { .. } => text.push_str(include_str!("../kernels/reduce_columns.cuh")),
        Path::Fold | Path::Map { .. } | Path::Tile { .. } | Path::Rows { .. } => {}
    }
}

/// One statement for every one of `count` reductions; `{}` in it stands for the reduction's number.
fn each(text: &mut String, count: usize, statement: &str) {
    (0..count).for_each(|nth| text.push_str(&statement.replace("{}", &nth.to_string())));
}

/// `State` has the states of all reductions, and what is done to one is done to each.
pub(super) fn states(text: &mut String, results: &[Reducing]) {
    let n = results.len();
    let bytes = states_bytes(results.iter().map(|r| (r.op, r.dtype)));
    text.push_str("struct State {\n");
    each(text, n, "    typename Reducer{}::State s{};\n");
    let _ = write!(
        text,
        "}};\nstatic_assert(sizeof(State) <= {bytes}, \"room for partial states\");\ninline State neutral() {{\n    State s;\n"
    );
    each(text, n, "    s.s{} = Reducer{}::neutral();\n");
    text.push_str("    return s;\n}\ninline State join(State a, const State& b) {\n");
    each(text, n, "    a.s{} = Reducer{}::join(a.s{}, b.s{});\n");
    text.push_str("    return a;\n}\ninline State shuffled_down(State s, int offset, int width) {\n");
    each(text, n, "    s.s{} = shuffled_word(s.s{}, offset, width);\n");
    text.push_str("    return s;\n}\ninline State read_partial(const State* from) {\n    State s;\n");
    each(text, n, "    s.s{} = Reducer{}::read(&from->s{});\n");
    text.push_str("    return s;\n}\n");
}

/// `Totals` is what a thread has of the elements it has taken; `value` is what the names of those begin with.
pub(super) fn totals(text: &mut String, columns: bool, positions: bool, n: usize, value: &str) {
    let position = if positions { "v.position[j]" } else { "0" };
    text.push_str("struct Totals {\n");
    let count = if columns { "N" } else { "Reducer{}::SPREADS ? N : 1" };
    each(text, n, &format!("    ThreadStates<Reducer{{}}, {count}> s{{}};\n"));
    text.push_str("    void clear() {\n");
    each(text, n, "        s{}.clear();\n");
    text.push_str("    }\n    void start(const Totals& total) {\n");
    each(text, n, "        s{}.start(total.s{});\n");
    text.push_str("    }\n    void take(const Values& v, int j) {\n");
    each(text, n, &format!("        s{{}}.take(v.{value}{{}}[j], {position}, j);\n"));
    text.push_str("    }\n    void close(const Totals& run) {\n");
    each(text, n, "        s{}.close(run.s{});\n");
    if columns {
        text.push_str("    }\n    State settled(int j) const {\n        State s;\n");
        each(text, n, "        s.s{} = Reducer{}::settled(s{}.at[j]);\n");
    } else {
        text.push_str("    }\n    State settled() const {\n        State s;\n");
        each(text, n, "        s.s{} = s{}.joined();\n");
    }
    text.push_str("        return s;\n    }\n};\n");
}

/// `finish` makes of the states of one result what is stored.
fn finish(text: &mut String, s: &Structure, ending: &Ending) {
    let late = || s.of_role(Role::EpilogueInput);
    text.push_str("inline void finish(const Args& args, const Cursor& at, int j, const State& s) {\n");
    for (reg, reduce) in ending.results.iter().enumerate() {
        let output = type_name(reduce.output);
        let _ = writeln!(text, "    const {output} t{reg} = cast<{output}>(Reducer{reg}::lower(s.s{reg}));");
    }
    for (nth, (at, operand)) in late().enumerate() {
        let (name, dtype) = (s.operand_name(at), type_name(operand.dtype));
        let (step, aligned) = (element_step(s, operand, &name), operand.aligned);
        let reg = ending.results.len() + nth;
        let _ = writeln!(
            text,
            "    const {dtype} t{reg} = load_one<{dtype}, {aligned}>(at.{name} + j * (i64){step});"
        );
    }
    let mut reg = ending.results.len() + late().count();
    for param in &ending.params {
        let _ = writeln!(text, "    const {} t{reg} = args.t{reg};", type_name(*param));
        reg += 1;
    }
    let mut iotas = s.of_role(Role::EpilogueIota);
    for step in &ending.code {
        let output = type_name(step.output);
        let value = match step.kind {
            StepKind::Map(op) => call(op, step, "t"),
            StepKind::Take => taken(s, step, "t", "true"),
            StepKind::Cast => format!("cast<{output}>(t{})", step.args[0]),
            StepKind::Reduce(_) => unreachable!("what follows from reductions reduces no more"),
            StepKind::Iota => {
                let (at, operand) = iotas.next().expect("every iota has its operand");
                let name = s.operand_name(at);
                format!("at.{name} + j * (i64){}", element_step(s, operand, &name))
            }
        };
        let _ = writeln!(text, "    const {output} t{reg} = {value};");
        reg += 1;
    }
    for ((at, operand), reg) in s.of_role(Role::Result).zip(&ending.stored) {
        let (name, dtype) = (s.operand_name(at), type_name(operand.dtype));
        let (step, aligned) = (element_step(s, operand, &name), operand.aligned);
        let _ = writeln!(
            text,
            "    store_one<{dtype}, {aligned}>(at.{name} + j * (i64){step}, cast<{dtype}>(t{reg}));"
        );
    }
    text.push_str("}\n");
}

/// The reducer of a reduction over elements of a dtype; truth values add as `or` and multiply as `and`.
pub(super) fn reducer(op: Reduction, dtype: DType) -> String {
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
fn fold(text: &mut String, nth: usize, op: Op, dtype: DType) {
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
        "struct Reducer{nth} : SettledByDefault {{
    typedef {t} State;
    static State neutral() {{ return {identity}; }}
    static State join(State a, State b) {{ return cast<{t}>({name}(a, b)); }}
    static State lower(State s) {{ return s; }}
}};
"
    );
}
