//! The CUDA C of a key: the types and functions by which the walks of `kernels/*.cuh` reach this program's operands.

use std::fmt::Write;

use cuprum_core::{DType, Op, Reduction};

use super::key::{Access, BoxGroup, KernelKey, KeyStep, OperandClass, Path, Role, StepKind, Structure};
use super::reduce_text::reductions;
use super::rows_text::{row_fields, rows};
use super::tile_text::tiles;
use crate::ops::{self, FragmentSet, type_name};

/// A line of the text; the format's arguments are those of `format!`.
macro_rules! line {
    ($text:expr, $($arg:tt)*) => {{
        let _ = writeln!($text, $($arg)*);
    }};
}

impl KernelKey {
    /// The kernel's text; its entry is `program`, with one parameter.
    pub fn source(&self) -> String {
        let structures = || self.groups.iter().map(|group| &group.structure);
        let set = structures().fold(fragments(&self.structure), |set, s| set.union(fragments(s)));
        let mut text = set.text();
        text.push_str(include_str!("../kernels/element_packs.cuh"));
        let takes = |s: &Structure| all_steps(s).any(|step| step.kind == StepKind::Take);
        if takes(&self.structure) || structures().any(takes) {
            text.push_str(include_str!("../kernels/take.cuh"));
        }
        if self.groups.is_empty() {
            text.push_str(&body(&self.structure));
            if let (Path::Map { .. }, None) = (self.structure.path, &self.structure.reduce) {
                text.push_str("extern \"C\" __global__ void __launch_bounds__(256) program(Args args) {\n");
                text.push_str("    walk(args, blockIdx.x);\n}\n");
            }
        } else {
            boxes(&mut text, &self.groups);
        }
        text
    }
}

/// Each group's text in a namespace of its own, and the entry that finds a block's box.
fn boxes(text: &mut String, groups: &[BoxGroup]) {
    for (nth, group) in groups.iter().enumerate() {
        line!(text, "namespace group{nth} {{");
        text.push_str(&body(&group.structure));
        line!(text, "}}");
    }
    let count: usize = groups.iter().map(|group| usize::from(group.boxes)).sum();
    line!(text, "struct Boxes {{");
    for (nth, group) in groups.iter().enumerate() {
        line!(text, "    group{nth}::Args group{nth}[{}];", group.boxes);
    }
    line!(text, "    u32 start[{count}];");
    line!(text, "}};");
    // Arguments that are found by a number stay where the launch put them.
    line!(
        text,
        "#ifdef __CUDACC__\n#define IN_PLACE const __grid_constant__\n#else\n#define IN_PLACE\n#endif"
    );
    line!(text, "extern \"C\" __global__ void __launch_bounds__(256) program(IN_PLACE Boxes boxes) {{");
    line!(text, "    int at = 0;");
    line!(text, "    #pragma unroll");
    line!(text, "    for (int i = 1; i < {count}; ++i) at += blockIdx.x >= boxes.start[i];");
    line!(text, "    const u32 block = blockIdx.x - boxes.start[at];");
    let mut first = 0;
    for (nth, group) in groups.iter().enumerate() {
        let last = first + usize::from(group.boxes);
        let walk = format!("group{nth}::walk(boxes.group{nth}[at - {first}], block)");
        line!(text, "    if (at >= {first} && at < {last}) {walk};");
        first = last;
    }
    line!(text, "}}");
}

/// What is this key's own in the text, and the walk that uses it.
pub(super) fn body(s: &Structure) -> String {
    let mut text = String::with_capacity(4096);
    constants(&mut text, s);
    args(&mut text, s);
    cursor(&mut text, s);
    locate(&mut text, s);
    ops_used(&mut text, s);
    values(&mut text, s);
    loads(&mut text, s);
    if let Some(row_key) = &s.rows {
        stores(&mut text, s);
        rows(&mut text, s, row_key);
        return text;
    }
    compute(&mut text, s);
    stores(&mut text, s);
    match (s.path, &s.reduce) {
        (_, Some(ending)) => reductions(&mut text, s, ending),
        (Path::Map { .. }, None) => text.push_str(include_str!("../kernels/map.cuh")),
        (Path::Tile { .. }, None) => tiles(&mut text, s),
        (path, None) => unreachable!("{path:?} is a reduction's walk"),
    }
    text
}

fn fragments(s: &Structure) -> FragmentSet {
    let dtypes = s.operands.iter().map(|o| o.dtype).chain(s.params.iter().copied());
    let dtypes = dtypes.chain(s.code.iter().flat_map(|step| [step.dtype, step.output]));
    let mut set = dtypes.map(FragmentSet::of_dtype).fold(FragmentSet::NONE, FragmentSet::union);
    if let Some(ending) = &s.reduce {
        let dtypes = ending.params.iter().copied();
        let dtypes = dtypes.chain(ending.code.iter().flat_map(|step| [step.dtype, step.output]));
        set = dtypes.map(FragmentSet::of_dtype).fold(set, FragmentSet::union);
        for reduce in &ending.results {
            set = set.union(FragmentSet::of_dtype(reduce.output));
            if reduce.dtype.is_complex() {
                set = set.union(FragmentSet::of_dtype(DType::C128));
            }
            if let Reduction::Fold(op) = reduce.op {
                set = set.union(ops::fragments(op, reduce.dtype));
            }
        }
    }
    for step in all_steps(s) {
        match step.kind {
            StepKind::Map(op) => set = set.union(ops::fragments(op, step.dtype)),
            StepKind::Reduce(_) if step.dtype.is_complex() => {
                set = set.union(FragmentSet::of_dtype(DType::C128));
            }
            _ => {}
        }
    }
    set
}

/// The code over elements and over results.
fn all_steps(s: &Structure) -> impl Iterator<Item = &KeyStep> {
    s.code.iter().chain(s.reduce.iter().flat_map(|ending| &ending.code))
}

fn constants(text: &mut String, s: &Structure) {
    let (index, stride, divisor) =
        if s.wide { ("u64", "i64", "Divisor64") } else { ("u32", "i32", "Divisor32") };
    line!(text, "typedef {index} Index;");
    line!(text, "typedef {stride} Stride;");
    line!(text, "typedef {divisor} Divisor;");
    line!(text, "constexpr int N = {};", s.pack);
    match s.path {
        Path::Map { unroll } | Path::Lanes { unroll } | Path::Block { unroll } | Path::Columns { unroll } => {
            line!(text, "constexpr int UNROLL = {unroll};");
        }
        Path::Tile { side } => line!(text, "constexpr int SIDE = {side};"),
        Path::Fold | Path::Rows { .. } => {}
    }
}

/// The struct that a launch passes by value; [`super::args`] lays its bytes out in the same order.
fn args(text: &mut String, s: &Structure) {
    line!(text, "struct alignas(16) Args {{");
    if s.reduce.is_some() {
        line!(text, "    u8* scratch;");
        line!(text, "    u32* tickets;");
    }
    for (at, operand) in s.operands.iter().enumerate() {
        if operand.role.is_memory() {
            let is_read = matches!(operand.role, Role::Input | Role::EpilogueInput | Role::RowInput);
            let reads = if is_read { "const " } else { "" };
            line!(text, "    {reads}u8* {};", s.operand_name(at));
        }
    }
    for (at, param) in s.params.iter().enumerate() {
        line!(text, "    {} r{};", type_name(*param), s.inputs() + at);
    }
    if let Some(ending) = &s.reduce {
        let first = ending.results.len() + s.of_role(Role::EpilogueInput).count();
        for (at, param) in ending.params.iter().enumerate() {
            line!(text, "    {} t{};", type_name(*param), first + at);
        }
    }
    for count in s.counts() {
        line!(text, "    Index {count};");
    }
    for (space, axes) in [("outer", s.outer), ("inner", s.inner)] {
        for axis in 1..axes {
            line!(text, "    Divisor {space}{axis};");
        }
    }
    for (at, operand) in s.operands.iter().enumerate() {
        let name = s.operand_name(at);
        if s.steps_outer(*operand) {
            (0..s.outer).for_each(|axis| line!(text, "    Stride {name}_outer{axis};"));
        }
        for axis in (0..s.inner).filter(|&axis| s.steps_inner(*operand, axis.into())) {
            line!(text, "    Stride {name}_inner{axis};");
        }
    }
    line!(text, "}};");
}

/// Where every operand stands, and how that moves with a position in one of the spaces.
fn cursor(text: &mut String, s: &Structure) {
    line!(text, "struct Cursor {{");
    let moving = || (0..s.operands.len()).filter(|&at| s.operands[at].access != Access::Fixed);
    for at in moving() {
        let kind = match s.operands[at].role {
            Role::Input | Role::EpilogueInput | Role::RowInput => "const u8*",
            Role::Output | Role::Result => "u8*",
            Role::Iota | Role::EpilogueIota | Role::Position => "i64",
        };
        line!(text, "    {kind} {};", s.operand_name(at));
    }
    line!(text, "}};");
    line!(text, "inline Cursor origin(const Args& args) {{");
    line!(text, "    Cursor at;");
    for at in moving() {
        let name = s.operand_name(at);
        let start = if s.operands[at].role.is_memory() { format!("args.{name}") } else { "0".into() };
        line!(text, "    at.{name} = {start};");
    }
    line!(text, "    return at;");
    line!(text, "}}");
    moves(text, s, "outer", s.outer, |operand, _, name, axis| {
        s.steps_outer(operand).then(|| format!("args.{name}_outer{axis}"))
    });
    moves(text, s, "inner", s.inner, |operand, innermost, name, axis| match operand.access {
        Access::Fixed => None,
        Access::Splat if innermost => None,
        Access::Vector if innermost => Some(format!("(Stride){}", s.pack as usize * operand.dtype.size())),
        _ if innermost && s.pack > 1 && !s.scattered => Some(format!("(Stride)N * args.{name}_inner{axis}")),
        _ => Some(format!("args.{name}_inner{axis}")),
    });
}

/// `locate` moves a cursor to a pack, unless its elements are located one by one.
fn locate(text: &mut String, s: &Structure) {
    line!(text, "inline void locate(const Args& args, Index pack, Cursor& at) {{");
    if !s.scattered {
        line!(text, "    move_inner(args, pack, at);");
    }
    line!(text, "}}");
}

/// A function that moves a cursor by a position in a space; `stride` gives an operand's step along an axis as text.
fn moves(
    text: &mut String,
    s: &Structure,
    space: &str,
    axes: u8,
    stride: impl Fn(OperandClass, bool, &str, u8) -> Option<String>,
) {
    line!(text, "inline void move_{space}(const Args& args, Index position, Cursor& at) {{");
    for axis in (0..axes).rev() {
        let index = if axis == 0 {
            "position".to_string()
        } else {
            line!(text, "    const Index rest{axis} = args.{space}{axis}.divide(position);");
            line!(text, "    const Index index{axis} = position - rest{axis} * args.{space}{axis}.size;");
            line!(text, "    position = rest{axis};");
            format!("index{axis}")
        };
        for (at, operand) in s.operands.iter().enumerate() {
            let name = s.operand_name(at);
            if let Some(stride) = stride(*operand, axis + 1 == axes, &name, axis) {
                line!(text, "    at.{name} += advance({index}, {stride});");
            }
        }
    }
    line!(text, "}}");
}

/// The name of an op's function for a dtype.
pub(super) fn op_name(op: Op, dtype: DType) -> String {
    format!("op_{}_{}", op.name(), type_name(dtype))
}

/// One function for each op and dtype, so that the code reads as calls and types convert where C does.
fn ops_used(text: &mut String, s: &Structure) {
    let mut seen: Vec<(Op, DType)> = Vec::new();
    for step in all_steps(s) {
        match step.kind {
            StepKind::Map(op) if !seen.contains(&(op, step.dtype)) => {
                seen.push((op, step.dtype));
                op_function(text, op, step.dtype);
            }
            _ => {}
        }
    }
}

pub(super) fn op_function(text: &mut String, op: Op, dtype: DType) {
    let names = ["a", "b", "c"];
    let arguments: Vec<String> =
        (0..op.row().nin).map(|i| format!("{} {}", type_name(op.input(i, dtype)), names[i])).collect();
    let (output, name) = (type_name(op.output(dtype)), op_name(op, dtype));
    line!(text, "inline {output} {name}({}) {{", arguments.join(", "));
    line!(text, "    typedef {} T;", type_name(dtype));
    line!(text, "    return {};", ops::expression(op, &names[..op.row().nin]));
    line!(text, "}}");
}

/// The registers that a pack fills: what is loaded, and what is stored or reduced.
fn values(text: &mut String, s: &Structure) {
    line!(text, "struct Fixed {{");
    for (at, operand) in s.operands.iter().enumerate() {
        if operand.role == Role::Input && operand.access == Access::Fixed {
            line!(text, "    {} {};", type_name(operand.dtype), s.operand_name(at));
        }
    }
    line!(text, "}};");
    line!(text, "inline Fixed load_fixed(const Args& args) {{");
    line!(text, "    Fixed fixed;");
    for (at, operand) in s.operands.iter().enumerate() {
        if operand.role == Role::Input && operand.access == Access::Fixed {
            let name = s.operand_name(at);
            let dtype = type_name(operand.dtype);
            line!(text, "    fixed.{name} = load_one<{dtype}, {}>(args.{name});", operand.aligned);
        }
    }
    line!(text, "    return fixed;");
    line!(text, "}}");
    line!(text, "struct Values {{");
    for (at, operand) in s.operands.iter().enumerate() {
        let loaded = operand.access != Access::Fixed || operand.role == Role::Output;
        let is_late = matches!(operand.role, Role::EpilogueInput | Role::EpilogueIota | Role::Result);
        if loaded && !is_late && operand.role != Role::RowInput {
            let kind = if operand.role == Role::Position { "Index" } else { type_name(operand.dtype) };
            line!(text, "    {kind} {}[N];", s.operand_name(at));
        }
    }
    for (nth, reduce) in s.reduce.iter().flat_map(|ending| &ending.results).enumerate() {
        line!(text, "    {} value{nth}[N];", type_name(reduce.dtype));
    }
    if let Some(rows) = &s.rows {
        row_fields(text, s, rows);
    }
    if s.takes() {
        line!(text, "    int count;");
    }
    line!(text, "}};");
    if s.counts().contains(&"whole") {
        pack_count(text);
    }
}

/// How many elements a pack has: past the whole ones there may be a part of one, and then nothing.
fn pack_count(text: &mut String) {
    line!(text, "inline int pack_count(const Args& args, Index pack) {{");
    line!(text, "    if (pack < args.whole) return N;");
    line!(text, "    return pack * N < args.count ? (int)(args.count - pack * N) : 0;");
    line!(text, "}}");
}

/// The step between the elements of a pack, as text.
pub(super) fn element_step(s: &Structure, operand: OperandClass, name: &str) -> String {
    match operand.access {
        Access::Vector => format!("{}", operand.dtype.size()),
        Access::Fixed | Access::Splat => "0".into(),
        Access::Strided | Access::Transposed if s.inner == 0 => "0".into(),
        Access::Strided | Access::Transposed => format!("args.{name}_inner{}", s.inner - 1),
    }
}

/// `load_whole` reads a whole pack at a cursor that has moved to it; `load_part` the first `count` of its elements, the
/// others being zero.
fn loads(text: &mut String, s: &Structure) {
    if s.scattered {
        return scattered_loads(text, s);
    }
    line!(text, "inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {{");
    for (at, operand) in moving_loads(s) {
        load_pack(text, s, at, operand, "N");
    }
    note_count(text, s, "N");
    line!(text, "}}");
    line!(text, "inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {{");
    for (at, operand) in moving_loads(s) {
        load_pack(text, s, at, operand, "count");
    }
    note_count(text, s, "count");
    line!(text, "}}");
}

/// How many elements of a pack there are, where that is asked for.
fn note_count(text: &mut String, s: &Structure, count: &str) {
    if s.takes() {
        line!(text, "    v.count = {count};");
    }
}

/// Elements located one by one, from a cursor that has not moved in the inner space.
fn scattered_loads(text: &mut String, s: &Structure) {
    line!(
        text,
        "inline void load_part(const Args& args, const Cursor& at, Index pack, int count, Values& v) {{"
    );
    line!(text, "    #pragma unroll");
    line!(text, "    for (int j = 0; j < N; ++j) {{");
    line!(text, "        Cursor here = at;");
    line!(text, "        move_inner(args, pack * N + j, here);");
    for (at, operand) in moving_loads(s) {
        let name = s.operand_name(at);
        match operand.role {
            Role::Input => {
                let dtype = type_name(operand.dtype);
                let one = format!("load_one<{dtype}, {}>(here.{name})", operand.aligned);
                line!(text, "        v.{name}[j] = j < count ? {one} : {dtype}(0);");
            }
            _ => line!(text, "        v.{name}[j] = here.{name};"),
        }
    }
    line!(text, "    }}");
    note_count(text, s, "count");
    line!(text, "}}");
    line!(text, "inline void load_whole(const Args& args, const Cursor& at, Index pack, Values& v) {{");
    line!(text, "    load_part(args, at, pack, N, v);");
    line!(text, "}}");
}

/// The operands that are loaded pack by pack.
fn moving_loads(s: &Structure) -> impl Iterator<Item = (usize, OperandClass)> {
    let is_loaded = |o: &OperandClass| {
        matches!(o.role, Role::Input | Role::Iota | Role::Position)
            && !matches!(o.access, Access::Fixed | Access::Transposed)
    };
    s.operands.iter().copied().enumerate().filter(move |(_, o)| is_loaded(o))
}

fn load_pack(text: &mut String, s: &Structure, at: usize, operand: OperandClass, count: &str) {
    let name = s.operand_name(at);
    let step = element_step(s, operand, &name);
    match (operand.role, operand.access) {
        (Role::Input, Access::Vector) if count == "N" => {
            line!(text, "    load_vector(at.{name}, v.{name});");
        }
        (Role::Input, Access::Vector) if s.reduce.is_some() || s.rows.is_some() => {
            line!(text, "    if (count == N) load_vector(at.{name}, v.{name});");
            line!(text, "    else load_strided<true>(at.{name}, {step}, {count}, v.{name});");
        }
        (Role::Input, Access::Splat) => {
            let guard = if count == "N" { "" } else { "if (count > 0) " };
            line!(text, "    {guard}load_splat<{}>(at.{name}, v.{name});", operand.aligned);
        }
        (Role::Input, _) => {
            let aligned = operand.aligned;
            line!(text, "    load_strided<{aligned}>(at.{name}, {step}, {count}, v.{name});");
        }
        _ => {
            line!(text, "    #pragma unroll");
            line!(text, "    for (int j = 0; j < N; ++j) v.{name}[j] = at.{name} + j * {step};");
        }
    }
}

/// The code, once for every element of a pack.
fn compute(text: &mut String, s: &Structure) {
    line!(text, "inline void compute(const Args& args, const Fixed& fixed, Values& v) {{");
    line!(text, "    #pragma unroll");
    line!(text, "    for (int j = 0; j < N; ++j) {{");
    for at in 0..s.inputs() {
        let operand = s.operands[at];
        let place =
            if operand.access == Access::Fixed { format!("fixed.r{at}") } else { format!("v.r{at}[j]") };
        line!(text, "        const {} r{at} = {place};", type_name(operand.dtype));
    }
    for (at, param) in s.params.iter().enumerate() {
        let reg = s.inputs() + at;
        line!(text, "        const {} r{reg} = args.r{reg};", type_name(*param));
    }
    let mut iotas = s.operands.iter().filter(|o| o.role == Role::Iota);
    for (at, step) in s.code.iter().enumerate() {
        let reg = s.first_code() + at;
        let value = match step.kind {
            StepKind::Iota if iotas.next().is_some_and(|o| o.access == Access::Fixed) => "0".into(),
            StepKind::Iota => format!("v.r{reg}[j]"),
            StepKind::Reduce(_) => unreachable!("rows have a text of their own"),
            StepKind::Map(op) => call(op, step, "r"),
            StepKind::Take => taken(s, step, "r", "j < v.count"),
            StepKind::Cast => format!("cast<{}>(r{})", type_name(step.output), step.args[0]),
        };
        line!(text, "        const {} r{reg} = {value};", type_name(step.output));
    }
    let outputs = s.operands.iter().filter(|o| o.role == Role::Output);
    for (nth, (reg, output)) in s.stored.iter().zip(outputs).enumerate() {
        line!(text, "        v.y{nth}[j] = cast<{}>(r{reg});", type_name(output.dtype));
    }
    for (nth, reduce) in s.reduce.iter().flat_map(|ending| &ending.results).enumerate() {
        line!(text, "        v.value{nth}[j] = r{};", reduce.reg);
    }
    line!(text, "    }}");
    line!(text, "}}");
}

/// The call of an op's function on registers, whose names begin with a letter.
pub(super) fn call(op: Op, step: &KeyStep, register: &str) -> String {
    let args: Vec<String> = step.args[..op.row().nin].iter().map(|a| format!("{register}{a}")).collect();
    format!("{}({})", op_name(op, step.dtype), args.join(", "))
}

/// The element of a table at a position, where `exists` holds.
pub(super) fn taken(s: &Structure, step: &KeyStep, register: &str, exists: &str) -> String {
    let [table, position, length, record] = step.args;
    let name = match register {
        "r" => format!("r{table}"),
        _ => {
            let results = s.reduce.as_ref().map_or(0, |ending| ending.results.len());
            format!("x{}", table as usize - results)
        }
    };
    let at = (0..s.operands.len()).find(|&at| s.operand_name(at) == name);
    let aligned = at.is_some_and(|at| s.operands[at].aligned);
    let (dtype, r) = (type_name(step.output), register);
    format!("take<{dtype}, {aligned}>(args.{name}, {r}{position}, {r}{length}, {r}{record}, {exists})")
}

/// `store_whole` and `store_part`, as the loads.
fn stores(text: &mut String, s: &Structure) {
    let outputs = || s.operands.iter().enumerate().filter(|(_, o)| o.role == Role::Output);
    if s.scattered {
        line!(
            text,
            "inline void store_part(const Args& args, const Cursor& at, Index pack, int count, const Values& v) {{"
        );
        line!(text, "    #pragma unroll");
        line!(text, "    for (int j = 0; j < N; ++j) {{");
        line!(text, "        Cursor here = at;");
        line!(text, "        move_inner(args, pack * N + j, here);");
        for (at, operand) in outputs() {
            let name = s.operand_name(at);
            let dtype = type_name(operand.dtype);
            let one = format!("store_one<{dtype}, {}>(here.{name}, v.{name}[j])", operand.aligned);
            line!(text, "        if (j < count) {one};");
        }
        line!(text, "    }}");
        line!(text, "}}");
        line!(
            text,
            "inline void store_whole(const Args& args, const Cursor& at, Index pack, const Values& v) {{"
        );
        line!(text, "    store_part(args, at, pack, N, v);");
        line!(text, "}}");
        return;
    }
    let strided = |at: usize, operand: &OperandClass, count: &str| {
        let name = s.operand_name(at);
        let step = element_step(s, *operand, &name);
        format!("    store_strided<{}>(at.{name}, {step}, {count}, v.{name});", operand.aligned)
    };
    line!(text, "inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {{");
    for (at, operand) in outputs() {
        let name = s.operand_name(at);
        match operand.access {
            Access::Vector => line!(text, "    store_vector(at.{name}, v.{name});"),
            _ => line!(text, "{}", strided(at, operand, "N")),
        }
    }
    line!(text, "}}");
    line!(
        text,
        "inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {{"
    );
    for (at, operand) in outputs() {
        line!(text, "{}", strided(at, operand, "count"));
    }
    line!(text, "}}");
}
