//! The CUDA C of a key along rows: for each walk over a row what it computes for an element and what it reduces, what is
//! computed once for each row between two walks, and the kernel that goes through them.

use std::fmt::Write;

use cuprum_core::DType;

use super::key::{Access, KeyStep, Path, Reducing, Role, RowKey, StepKind, Structure};
use super::reduce_text::{reducer, states, totals};
use super::text::{call, taken};
use crate::ops::type_name;

/// A line of the text; the format's arguments are those of `format!`.
macro_rules! line {
    ($text:expr, $($arg:tt)*) => {{
        let _ = writeln!($text, $($arg)*);
    }};
}

/// Adds everything after the program's own functions.
pub(super) fn rows(text: &mut String, s: &Structure, rows: &RowKey) {
    let Path::Rows { block, held } = s.path else { unreachable!("rows are walked along rows") };
    let view = RowView { s, rows, held: held > 0 };
    text.push_str(include_str!("../kernels/reducers.cuh"));
    line!(text, "constexpr bool WHOLE_BLOCK = {block};");
    line!(text, "constexpr int HELD = {};", held.max(1));
    view.row_values(text);
    text.push_str(include_str!("../kernels/fused_rows.cuh"));
    for level in 0..=view.last() {
        view.row_code(text, level);
        line!(text, "namespace level{level} {{");
        view.element_code(text, level);
        let reductions = view.reductions(level);
        if !reductions.is_empty() {
            let results: Vec<Reducing> = reductions.iter().map(|(_, reducing)| *reducing).collect();
            for (nth, reduce) in results.iter().enumerate() {
                line!(text, "typedef {} Reducer{nth};", reducer(reduce.op, reduce.dtype));
            }
            states(text, &results);
            line!(text, "inline State shuffled_first(State s, int width) {{");
            for nth in 0..results.len() {
                line!(text, "    s.s{nth} = first_word(s.s{nth}, width);");
            }
            line!(text, "    return s;\n}}");
            let positions = s.operands.iter().any(|o| o.role == Role::Position);
            totals(text, false, positions, results.len(), &format!("value{level}_"));
            text.push_str(include_str!("../kernels/reduce_fused_rows.cuh"));
        }
        line!(text, "}}");
    }
    view.kernel(text);
}

struct RowView<'a> {
    s: &'a Structure,
    rows: &'a RowKey,
    /// Whether threads keep their elements.
    held: bool,
}

impl RowView<'_> {
    fn step(&self, reg: usize) -> Option<&KeyStep> {
        self.s.code.get(reg.checked_sub(self.s.first_code())?)
    }

    fn level(&self, reg: usize) -> usize {
        reg.checked_sub(self.s.first_code()).map_or(0, |at| self.rows.levels[at].into())
    }

    fn is_per_row(&self, reg: usize) -> bool {
        match self.s.operands.get(reg).filter(|_| reg < self.s.inputs()) {
            Some(operand) => operand.role == Role::RowInput,
            None => reg.checked_sub(self.s.first_code()).is_none_or(|at| self.rows.per_row[at]),
        }
    }

    /// Whether a register is the position along an axis of one element.
    fn is_fixed_iota(&self, reg: usize) -> bool {
        let is_here = |at: usize| self.s.operand_name(at) == format!("r{reg}");
        self.s.of_role(Role::Iota).any(|(at, operand)| operand.access == Access::Fixed && is_here(at))
    }

    fn is_carried(&self, reg: usize) -> bool {
        self.rows.carried.contains(&(reg as u16))
    }

    fn last(&self) -> usize {
        self.rows.levels.iter().copied().max().unwrap_or(0).into()
    }

    fn registers(&self) -> std::ops::Range<usize> {
        0..self.s.first_code() + self.s.code.len()
    }

    fn dtype(&self, reg: usize) -> DType {
        match self.step(reg) {
            Some(step) => step.output,
            None if reg < self.s.inputs() => self.s.operands[reg].dtype,
            None => self.s.params[reg - self.s.inputs()],
        }
    }

    /// The reductions of a walk, with the registers that they fill.
    fn reductions(&self, level: usize) -> Vec<(usize, Reducing)> {
        let first = self.s.first_code();
        let steps = self.s.code.iter().enumerate();
        let reducing = |(at, step): (usize, &KeyStep)| match step.kind {
            StepKind::Reduce(op) if self.level(step.args[0].into()) == level => {
                let (reg, dtype, output) = (step.args[0], step.dtype, step.output);
                Some((first + at, Reducing { op, reg, dtype, output }))
            }
            _ => None,
        };
        steps.filter_map(reducing).collect()
    }

    /// `RowValues` is what there is once for each row.
    fn row_values(&self, text: &mut String) {
        let s = self.s;
        let is_param = |reg: usize| (s.inputs()..s.first_code()).contains(&reg);
        line!(text, "struct RowValues {{");
        for reg in self.registers().filter(|&reg| self.is_per_row(reg) && !is_param(reg)) {
            line!(text, "    {} r{reg};", type_name(self.dtype(reg)));
        }
        line!(text, "}};");
        line!(text, "inline void load_row(const Args& args, const Cursor& row, RowValues& w) {{");
        for (at, operand) in s.of_role(Role::RowInput) {
            let (name, dtype) = (s.operand_name(at), type_name(operand.dtype));
            line!(text, "    w.{name} = load_one<{dtype}, {}>(row.{name});", operand.aligned);
        }
        for (at, operand) in s.of_role(Role::Iota) {
            let name = s.operand_name(at);
            let reg: usize = name[1..].parse().expect("an iota is named by its register");
            if self.is_per_row(reg) {
                let value = if operand.access == Access::Fixed { "0".into() } else { format!("row.{name}") };
                line!(text, "    w.{name} = {value};");
            }
        }
        line!(text, "}}");
    }

    /// `row_code`: what is computed once for each row before the walk of a level.
    fn row_code(&self, text: &mut String, level: usize) {
        line!(text, "inline void row_code{level}(const Args& args, RowValues& w) {{");
        for reg in self.registers().filter(|&reg| self.is_per_row(reg) && self.level(reg) == level) {
            let Some(step) = self.step(reg) else { continue };
            let value = match step.kind {
                StepKind::Map(op) => call(op, step, "r"),
                StepKind::Cast => format!("cast<{}>(r{})", type_name(step.output), step.args[0]),
                StepKind::Take => unreachable!("elements take, not rows"),
                StepKind::Iota | StepKind::Reduce(_) => continue,
            };
            line!(text, "    {{");
            self.row_arguments(text, step, "        ");
            line!(text, "        w.r{reg} = {value};");
            line!(text, "    }}");
        }
        line!(text, "}}");
    }

    fn row_arguments(&self, text: &mut String, step: &KeyStep, indent: &str) {
        let arity = match step.kind {
            StepKind::Map(op) => op.row().nin,
            _ => 1,
        };
        let mut seen: Vec<u16> = Vec::new();
        for &arg in &step.args[..arity] {
            if !seen.contains(&arg) {
                seen.push(arg);
                let (reg, dtype) = (arg as usize, type_name(self.dtype(arg.into())));
                line!(text, "{indent}const {dtype} r{reg} = {};", self.row_place(reg));
            }
        }
    }

    /// Where a register that there is once for each row is.
    fn row_place(&self, reg: usize) -> String {
        let is_param = (self.s.inputs()..self.s.first_code()).contains(&reg);
        if is_param { format!("args.r{reg}") } else { format!("w.r{reg}") }
    }

    /// The registers of elements that the walk of a level computes, those it only reads included.
    fn needed(&self, level: usize) -> Vec<bool> {
        let mut needed = vec![false; self.registers().end];
        let mut stack: Vec<usize> = self.reductions(level).iter().map(|(_, r)| r.reg as usize).collect();
        if level == self.last() {
            stack.extend(self.s.stored.iter().map(|&reg| reg as usize));
        }
        let carried = self.rows.carried.iter().map(|&reg| reg as usize);
        stack.extend(carried.filter(|&reg| self.level(reg) == level));
        while let Some(reg) = stack.pop() {
            let is_left = self.is_carried(reg) && self.level(reg) < level;
            if std::mem::replace(&mut needed[reg], true) || self.is_per_row(reg) || is_left {
                continue;
            }
            if let Some(step) = self.step(reg) {
                let arity = match step.kind {
                    StepKind::Map(op) => op.row().nin,
                    StepKind::Iota => 0,
                    StepKind::Take => step.args.len(),
                    StepKind::Cast | StepKind::Reduce(_) => 1,
                };
                stack.extend(step.args[..arity].iter().map(|&arg| arg as usize));
            }
        }
        needed
    }

    /// `elements`: the code of a walk, once for every element of a pack.
    fn element_code(&self, text: &mut String, level: usize) {
        let s = self.s;
        line!(
            text,
            "inline void elements(const Args& args, const Fixed& fixed, const RowValues& w, Values& v) {{"
        );
        line!(text, "    #pragma unroll");
        line!(text, "    for (int j = 0; j < N; ++j) {{");
        let needed = self.needed(level);
        for reg in self.registers().filter(|&reg| needed[reg]) {
            let dtype = type_name(self.dtype(reg));
            let value = if self.is_per_row(reg) {
                self.row_place(reg)
            } else if self.is_carried(reg) && self.level(reg) < level {
                format!("v.c{reg}[j]")
            } else {
                match self.step(reg) {
                    None if s.operands[reg].access == Access::Fixed => format!("fixed.r{reg}"),
                    None => format!("v.r{reg}[j]"),
                    Some(step) => match step.kind {
                        StepKind::Iota if self.is_fixed_iota(reg) => "0".into(),
                        StepKind::Iota => format!("v.r{reg}[j]"),
                        StepKind::Map(op) => call(op, step, "r"),
                        StepKind::Take => taken(s, step, "r", "j < v.count"),
                        StepKind::Cast => format!("cast<{dtype}>(r{})", step.args[0]),
                        StepKind::Reduce(_) => unreachable!("a reduction is there once for each row"),
                    },
                }
            };
            line!(text, "        const {dtype} r{reg} = {value};");
            if self.is_carried(reg) && self.level(reg) == level {
                line!(text, "        v.c{reg}[j] = r{reg};");
            }
        }
        for (nth, (_, reduce)) in self.reductions(level).iter().enumerate() {
            line!(text, "        v.value{level}_{nth}[j] = r{};", reduce.reg);
        }
        if level == self.last() {
            let outputs = s.of_role(Role::Output);
            for (nth, (reg, (_, output))) in s.stored.iter().zip(outputs).enumerate() {
                line!(text, "        v.y{nth}[j] = cast<{}>(r{reg});", type_name(output.dtype));
            }
        }
        line!(text, "    }}");
        line!(text, "}}");
    }

    fn kernel(&self, text: &mut String) {
        let s = self.s;
        line!(text, "extern \"C\" __global__ void __launch_bounds__(256, 2) program(Args args) {{");
        line!(text, "    const Fixed fixed = load_fixed(args);");
        line!(text, "    RowThreads threads(args);");
        line!(text, "    RowValues w = RowValues();");
        line!(text, "    if (threads.exists) load_row(args, threads.row, w);");
        if self.held {
            line!(text, "    Values values[HELD];");
            line!(text, "    load_held(args, threads, values);");
        }
        for level in 0..=self.last() {
            line!(text, "    row_code{level}(args, w);");
            let reductions = self.reductions(level);
            let is_walked = !reductions.is_empty() || (level == self.last() && !s.stored.is_empty());
            let leaves = self.rows.carried.iter().any(|&reg| self.level(reg.into()) == level);
            if self.held && (is_walked || leaves) {
                line!(text, "    #pragma unroll");
                line!(
                    text,
                    "    for (int u = 0; u < HELD; ++u) level{level}::elements(args, fixed, w, values[u]);"
                );
            }
            if !reductions.is_empty() {
                let total = match self.held {
                    true => "held_total(args, threads, values)",
                    false => "walked_total(args, fixed, w, threads)",
                };
                line!(text, "    {{");
                line!(
                    text,
                    "        const level{level}::State s = level{level}::whole(threads, level{level}::{total});"
                );
                for (nth, (reg, reduce)) in reductions.iter().enumerate() {
                    let output = type_name(reduce.output);
                    line!(
                        text,
                        "        w.r{reg} = cast<{output}>(level{level}::Reducer{nth}::lower(s.s{nth}));"
                    );
                }
                line!(text, "    }}");
            }
        }
        self.stores(text);
        line!(text, "}}");
    }

    /// What leaves the kernel.
    fn stores(&self, text: &mut String) {
        let (s, last) = (self.s, self.last());
        if !s.stored.is_empty() && self.held {
            line!(text, "    store_held(args, threads, values);");
        } else if !s.stored.is_empty() {
            line!(text, "    if (!threads.exists) return;");
            line!(text, "    #pragma unroll 1");
            line!(
                text,
                "    for (Index pack = threads.lane; pack < args.packs; pack += AHEAD * (Index)threads.lanes) {{"
            );
            line!(text, "        Cursor at[AHEAD];");
            line!(text, "        Values v[AHEAD];");
            line!(text, "        int counts[AHEAD];");
            line!(text, "        load_ahead(args, threads, pack, at, v, counts);");
            line!(text, "        #pragma unroll");
            line!(text, "        for (int a = 0; a < AHEAD; ++a) {{");
            line!(text, "            const Index own = pack + a * (Index)threads.lanes;");
            line!(text, "            if (counts[a] == 0) break;");
            line!(text, "            level{last}::elements(args, fixed, w, v[a]);");
            line!(text, "            if (counts[a] == N) store_whole(args, at[a], own, v[a]);");
            line!(text, "            else store_part(args, at[a], own, counts[a], v[a]);");
            line!(text, "        }}");
            line!(text, "    }}");
        }
        if self.rows.stored.is_empty() {
            return;
        }
        line!(text, "    if (threads.exists && threads.lane == 0) {{");
        for ((at, operand), &reg) in s.of_role(Role::Result).zip(&self.rows.stored) {
            let (name, dtype) = (s.operand_name(at), type_name(operand.dtype));
            let value = self.row_place(reg.into());
            let aligned = operand.aligned;
            line!(text, "        store_one<{dtype}, {aligned}>(threads.row.{name}, cast<{dtype}>({value}));");
        }
        line!(text, "    }}");
    }
}

/// What a pack has beside operands: elements that later walks read, and those that are reduced.
pub(super) fn row_fields(text: &mut String, s: &Structure, rows: &RowKey) {
    let held = matches!(s.path, Path::Rows { held, .. } if held > 0);
    let view = RowView { s, rows, held };
    for &reg in &rows.carried {
        line!(text, "    {} c{reg}[N];", type_name(view.dtype(reg.into())));
    }
    for level in 0..=view.last() {
        for (nth, (_, reduce)) in view.reductions(level).iter().enumerate() {
            line!(text, "    {} value{level}_{nth}[N];", type_name(reduce.dtype));
        }
    }
}
