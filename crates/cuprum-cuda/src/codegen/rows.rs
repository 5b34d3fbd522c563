//! Programs along rows: the threads that a row has are those of a reduction alone, so that elements are grouped alike. They
//! keep their elements in registers where these are few, and read and compute them again in each walk where they are many.

use cuprum_core::{DType, Dims};
use cuprum_graph::{InstrKind, Output, Program, Reg, RowLevels, RowShape, Rows};
use smallvec::SmallVec;

use super::key::{Path, Role, RowKey, Structure};
use super::operands::{Operands, needs_wide, steps};
use super::reduce::{RowGroups, position_steps};
use super::{LaunchGeometry, LaunchPlan, THREADS};

/// Packs of a row that a thread keeps at most; no more than a run of the reductions' walk.
const MAX_HELD: usize = 8;
/// Bytes that a thread keeps of its elements at most.
const MAX_HELD_BYTES: usize = 320;
/// What an element may cost, in light ops, to be computed again by each walk over its row.
const MAX_COMPUTED_AGAIN: usize = 3;

/// Whether rows like these are each one group's of threads.
pub fn takes_rows(rows: &RowShape) -> bool {
    rows.length > 0 && rows.count > 0 && RowGroups::of(rows.count, rows.length, rows.width).segments == 1
}

/// The launch of a Program along rows.
pub(super) fn plan<'a>(
    program: &'a Program,
    rows: &'a Rows,
    mut operands: Operands<'a>,
) -> Option<LaunchPlan> {
    if program.size() == 0 {
        return None;
    }
    let levels = RowLevels::of(program);
    let first_code = program.inputs.len() + program.params.len();
    let iotas = program.code.iter().filter(|instr| matches!(instr.kind, InstrKind::Iota(_))).count();
    for at in 0..program.inputs.len() {
        if levels.is_per_row(at as Reg) {
            operands.set_role(at, Role::RowInput);
        }
    }
    let is_result = |output: &Output| levels.is_result(rows, output);
    for (at, output) in program.outputs.iter().enumerate() {
        if is_result(output) {
            operands.set_role(program.inputs.len() + iotas + at, Role::Result);
        }
    }
    let reductions = || {
        program.code.iter().filter_map(|i| match i.kind {
            InstrKind::Reduce(op) => Some((op, i.dtype)),
            _ => None,
        })
    };
    if let Some(steps) = position_steps(program, &rows.axes, reductions()) {
        operands.push(Role::Position, DType::I64, 0, steps);
    }
    let is_row = |axis: &usize| rows.axes.contains(axis);
    let order =
        |inner: bool| -> Dims { rows.nesting.iter().copied().filter(|a| is_row(a) == inner).collect() };
    let kept = operands.space(&program.shape, order(false).into_iter());
    let reduced = operands.space(&program.shape, order(true).into_iter());
    let (results, length) = (kept.size(), reduced.size());
    let width = reductions().map(|(_, dtype)| dtype.size().max(4)).max().unwrap_or(4);
    let groups = RowGroups::of(results, length, width);
    let RowGroups { pack, packs, lanes, .. } = groups;
    let scattered = pack > 1 && reduced.ndim() > 1 && !reduced.inner().is_multiple_of(pack);
    let threads = lanes.unwrap_or(THREADS);
    let carried = levels
        .carried(program, MAX_COMPUTED_AGAIN, |output| (!is_result(output)).then(|| levels.count() - 1));
    let held = packs.div_ceil(threads).next_power_of_two();
    let moving = program.inputs.iter().enumerate().filter(|(at, _)| !levels.is_per_row(*at as Reg));
    let loaded: usize = moving.map(|(_, input)| input.dtype.size()).sum();
    let stored = program.outputs.iter().filter(|o| !is_result(o)).map(|output| output.dtype.size());
    let kept_bytes: usize =
        loaded + carried.iter().map(|&reg| program.dtype(reg).size()).sum::<usize>() + stored.sum::<usize>();
    let is_held = held <= MAX_HELD && held * pack * kept_bytes <= MAX_HELD_BYTES;
    let code = (first_code..program.registers()).map(|reg| reg as Reg);
    let structure = Structure {
        path: Path::Rows { block: lanes.is_none(), held: if is_held { held as u8 } else { 0 } },
        wide: needs_wide(program.size(), &kept, &reduced),
        pack: pack as u8,
        scattered,
        outer: kept.ndim() as u8,
        inner: reduced.ndim() as u8,
        operands: operands.classes(pack, scattered, &kept, &reduced),
        params: program.params.iter().map(|p| p.dtype()).collect(),
        code: steps(program),
        stored: program.outputs.iter().filter(|o| !is_result(o)).map(|o| o.reg).collect(),
        reduce: None,
        rows: Some(RowKey {
            levels: code.clone().map(|reg| levels.level(reg) as u8).collect(),
            per_row: code.map(|reg| levels.is_per_row(reg)).collect(),
            carried: if is_held { carried.into_iter().collect() } else { SmallVec::new() },
            stored: program.outputs.iter().filter(|o| is_result(o)).map(|o| o.reg).collect(),
        }),
    };
    let counts = [results, packs, length / pack, length, threads.ilog2() as usize];
    let geometry = LaunchGeometry::blocks(results.div_ceil(THREADS / threads));
    Some(LaunchPlan::build(program, &operands, structure, &kept, &reduced, &counts, geometry))
}
