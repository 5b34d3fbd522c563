//! Elementwise Programs: the order of the axes, how many neighbours a thread takes at once, and the grid.

use std::borrow::Cow;

use cuprum_core::Dims;
use cuprum_graph::{Buffer, Program};
use smallvec::SmallVec;

use super::key::{Path, Role, Structure};
use super::operands::{Operands, is_light, needs_wide, steps};
use super::space::Space;
use super::{LaunchGeometry, LaunchPlan, THREADS, tile};

/// Bytes that a thread moves at once from one array.
const VECTOR_BYTES: usize = 16;
/// Bytes that a thread stores at once where its elements are narrower.
const WORD_BYTES: usize = 4;
/// Rows shorter than this are not split for the sake of alignment.
const MIN_SPLIT_ROW: usize = 64;
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
    let is_whole = |pack: usize| {
        let fits = inner.ndim() == 1 || inner.inner().is_multiple_of(pack);
        let mut outputs = in_memory().filter(|&at| operands.role(at) == Role::Output);
        fits && outputs.all(|at| operands.is_vector(at, pack, outer, inner))
    };
    // Inputs beside the outputs' alignment are read element by element: threads then take few neighbours each, so that
    // what they read at once lies close together.
    let is_unaligned = |pack: usize| {
        let mut inputs = in_memory().filter(|&at| operands.role(at) == Role::Input);
        inputs.any(|at| {
            let is_dense = inner.inner_step(at) == operands.size(at) as isize;
            is_dense && !operands.is_vector(at, pack, outer, inner)
        })
    };
    let most = VECTOR_BYTES / widest;
    let least = (WORD_BYTES / widest).clamp(1, most.max(1));
    if most <= 1 {
        return 1;
    }
    if widest >= WORD_BYTES {
        return if is_whole(most) { most } else { 1 };
    }
    let mut packs = std::iter::successors(Some(most), |pack| (pack / 2 >= least).then_some(pack / 2));
    packs.find(|&pack| is_whole(pack) && (pack == least || !is_unaligned(pack))).unwrap_or(1)
}

/// A Program in parts along its rows, such that most elements of a narrow output go to memory in whole words.
pub(super) fn aligned_parts<'a>(program: &'a Program, outputs: &[Buffer]) -> SmallVec<[Cow<'a, Program>; 3]> {
    row_parts(program, outputs).unwrap_or_else(|| SmallVec::from_iter([Cow::Borrowed(program)]))
}

fn row_parts<'a>(program: &Program, outputs: &[Buffer]) -> Option<SmallVec<[Cow<'a, Program>; 3]>> {
    let ([output], [buffer]) = (&program.outputs[..], outputs) else { return None };
    let size = output.dtype.size();
    let axis = *order(program).last()?;
    let (length, layout) = (program.shape[axis], &output.layout);
    let mut others = (0..program.shape.len()).filter(|&other| other != axis);
    let is_row = layout.strides[axis] == size as isize
        && others.all(|other| layout.strides[other] % WORD_BYTES as isize == 0);
    let past_word = (buffer.address() + layout.offset) % WORD_BYTES;
    if size >= WORD_BYTES || length < MIN_SPLIT_ROW || !is_row || !past_word.is_multiple_of(size) {
        return None;
    }
    let head = (WORD_BYTES - past_word) % WORD_BYTES / size;
    let body = (length - head) / (WORD_BYTES / size) * (WORD_BYTES / size);
    let is_iota = |instr: &cuprum_graph::Instr| matches!(instr.kind, cuprum_graph::InstrKind::Iota(_));
    if body == length || program.code.iter().any(is_iota) {
        return None;
    }
    let part = |start: usize, count: usize| {
        let mut part = program.clone();
        part.shape[axis] = count;
        let inputs = part.inputs.iter_mut().map(|input| &mut input.layout);
        for layout in inputs.chain(part.outputs.iter_mut().map(|output| &mut output.layout)) {
            *layout = layout.slice_axis(axis, start, 1, count);
        }
        Cow::Owned(part)
    };
    let parts = [(0, head), (head, body), (head + body, length - head - body)];
    Some(parts.into_iter().filter(|(_, count)| *count > 0).map(|(start, count)| part(start, count)).collect())
}

/// The launch of a Program by a structure of several: one element at a time, over as many axes as the structure has.
pub(super) fn general_plan(program: &Program, operands: &Operands<'_>, structure: &Structure) -> LaunchPlan {
    let mut inner = operands.space(&program.shape, order(program).into_iter());
    inner.pad_to(structure.inner as usize);
    let count = inner.size();
    let geometry = LaunchGeometry::blocks(count.div_ceil(THREADS));
    let outer = Space::default();
    LaunchPlan::build(program, operands, structure.clone(), &outer, &inner, &[count, count], geometry)
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
