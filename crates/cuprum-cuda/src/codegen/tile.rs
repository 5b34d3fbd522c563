//! Elementwise Programs some of whose inputs lie across the others: tiles that both sides read along their neighbours.

use cuprum_graph::Program;
use smallvec::SmallVec;

use super::key::{Access, Path, Role, Structure};
use super::operands::{Operands, is_light, needs_wide, steps};
use super::space::Space;
use super::{LaunchGeometry, LaunchPlan};

/// Tiles pay where both sides have at least this many elements.
const TILE_MIN_SIDE: usize = 16;
/// The shared memory that every block may use without asking for more.
const DEFAULT_SHARED: usize = 48 << 10;

/// The launch by tiles; `None` where no input lies across the first output, or the tiles would be slivers.
pub(super) fn plan(program: &Program, operands: &Operands<'_>, space: &Space) -> Option<LaunchPlan> {
    let across = space.ndim().checked_sub(1).filter(|&axis| axis > 0 && space.dims[axis] >= TILE_MIN_SIDE)?;
    let first = (0..operands.len()).find(|&at| operands.role(at) == Role::Output)?;
    if space.step(first, across) != operands.size(first) as isize {
        return None;
    }
    let down = (0..across)
        .filter(|&axis| space.dims[axis] >= TILE_MIN_SIDE)
        .find(|&axis| (0..operands.len()).any(|at| lies_across(operands, space, at, axis, across)))?;
    let mut transposed: SmallVec<[usize; 4]> =
        (0..operands.len()).filter(|&at| lies_across(operands, space, at, down, across)).collect();
    let room = |side: usize, transposed: &[usize]| {
        transposed.iter().map(|&at| side * (side + 4) * operands.size(at)).sum::<usize>() <= DEFAULT_SHARED
    };
    while !room(32, &transposed) {
        transposed.pop();
    }
    let narrow = transposed.iter().all(|&at| operands.size(at) <= 4);
    let side = if narrow && is_light(program) && room(64, &transposed) { 64 } else { 32 };
    let mut moved = space.clone();
    moved.move_inside(down);
    moved.move_inside(across - 1);
    let (outer, inner) = moved.split(across - 1);
    let mut classes = operands.classes(1, false, &outer, &inner);
    transposed.iter().for_each(|&at| classes[at].access = Access::Transposed);
    let structure = Structure {
        path: Path::Tile { side: side as u8 },
        wide: needs_wide(space.size(), &outer, &inner),
        pack: 1,
        scattered: false,
        outer: outer.ndim() as u8,
        inner: 2,
        operands: classes,
        params: program.params.iter().map(|p| p.dtype()).collect(),
        code: steps(program),
        stored: program.outputs.iter().map(|o| o.reg).collect(),
        reduce: None,
        rows: None,
    };
    let (rows, columns) = (inner.dims[0], inner.dims[1]);
    let (tiles_down, tiles_across) = (rows.div_ceil(side), columns.div_ceil(side));
    let geometry = LaunchGeometry::blocks(outer.size() * tiles_down * tiles_across);
    let counts = [tiles_across, tiles_down, columns, rows];
    Some(LaunchPlan::build(program, operands, structure, &outer, &inner, &counts, geometry))
}

/// Whether an input has its neighbours along `down` and far apart along `across`.
fn lies_across(operands: &Operands<'_>, space: &Space, at: usize, down: usize, across: usize) -> bool {
    let size = operands.size(at);
    let (near, far) = (space.step(at, down).unsigned_abs(), space.step(at, across).unsigned_abs());
    operands.role(at) == Role::Input && near != 0 && near <= 2 * size && far > 4 * size
}
