//! Elementwise Programs: the order of the axes, how many neighbours a thread takes at once, and the grid.

use cuprum_core::Dims;
use cuprum_graph::Program;

use super::key::{Path, Role, Structure};
use super::operands::{Operands, is_light, needs_wide, steps};
use super::space::Space;
use super::{LaunchGeometry, LaunchPlan, THREADS, tile};

/// Bytes that a thread moves at once from one array.
const VECTOR_BYTES: usize = 16;
/// Bytes that a thread should have on their way, where its code is light.
const BYTES_IN_FLIGHT: usize = 32;

/// The launch of a Program without a reduction.
pub(super) fn plan(program: &Program, operands: &Operands<'_>) -> LaunchPlan {
    let inner = operands.space(&program.shape, order(program).into_iter());
    if let Some(plan) = tile::plan(program, operands, &inner) {
        return plan;
    }
    let outer = Space::default();
    let pack = pack_of(operands, &outer, &inner);
    let classes = operands.classes(pack, false, &outer, &inner);
    let unroll = unroll(program, operands, pack);
    let count = inner.size();
    let packs = count.div_ceil(pack);
    let structure = Structure {
        path: Path::Map { unroll: unroll as u8 },
        wide: needs_wide(count, &outer, &inner),
        pack: pack as u8,
        scattered: false,
        outer: 0,
        inner: inner.ndim() as u8,
        operands: classes,
        params: program.params.iter().map(|p| p.dtype()).collect(),
        code: steps(program),
        stored: program.outputs.iter().map(|o| o.reg).collect(),
        reduce: None,
        rows: None,
    };
    let geometry = LaunchGeometry::blocks(packs.div_ceil(THREADS * unroll));
    LaunchPlan::build(program, operands, structure, &outer, &inner, &[count / pack, count], geometry)
}

/// The axes from outermost to innermost, as the first output lies: writes are best whole.
fn order(program: &Program) -> Dims {
    let mut axes: Dims = (0..program.shape.len()).collect();
    if let Some(first) = program.outputs.first().filter(|_| axes.len() > 1) {
        axes.sort_by_key(|&axis| std::cmp::Reverse(first.layout.strides[axis].unsigned_abs()));
    }
    axes
}

/// The largest number of neighbours, up to a vector of the widest dtype, that all outputs take whole.
fn pack_of(operands: &Operands<'_>, outer: &Space, inner: &Space) -> usize {
    let in_memory = || (0..operands.len()).filter(|&at| operands.role(at).is_memory());
    let widest = in_memory()
        .filter(|&at| !inner.is_fixed(at))
        .map(|at| operands.size(at))
        .max()
        .unwrap_or(VECTOR_BYTES);
    let pack = VECTOR_BYTES / widest;
    let fits = inner.ndim() == 1 || inner.inner().is_multiple_of(pack);
    let mut outputs = in_memory().filter(|&at| operands.role(at) == Role::Output);
    if pack > 1 && fits && outputs.all(|at| operands.is_vector(at, pack, outer, inner)) { pack } else { 1 }
}

/// How many packs a thread takes, so that enough bytes are on their way.
fn unroll(program: &Program, operands: &Operands<'_>, pack: usize) -> usize {
    if !is_light(program) {
        return 1;
    }
    let inputs = (0..operands.len()).filter(|&at| operands.role(at) == Role::Input);
    let bytes: usize = inputs.map(|at| pack * operands.size(at)).sum();
    (BYTES_IN_FLIGHT / bytes.max(8)).clamp(1, 4)
}
