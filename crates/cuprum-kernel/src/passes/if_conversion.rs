//! Small branches become selections: `a || b`, `x < 0 ? 0 : x`, `if (y > best) best = y`.
//!
//! What a few instructions compute on one way only is computed in any case, and a selection takes it or leaves it. Only
//! ops that cannot be noticed are: no reads of memory, no divisions, no library functions.

use super::analysis::{Liveness, liveness};
use super::cfg;
use crate::ir::{Binary, BlockId, End, Function, Inst, Local, LocalInfo, Op, Unary};

/// The most instructions that are done in vain.
const MAX_INSTS: usize = 6;
/// The most values that are selected at one place.
const MAX_VALUES: usize = 3;

/// Makes selections of branches around few instructions. Returns whether there were any.
pub fn convert_branches(function: &mut Function) -> bool {
    let has_branches = function.blocks.iter().any(|block| matches!(block.end, End::Branch { .. }));
    if !has_branches {
        return false;
    }
    let live = liveness(function);
    let mut incoming: Vec<u32> = cfg::predecessors(function).iter().map(|from| from.len() as u32).collect();
    incoming[0] += 1;
    let mut changed = false;
    // The last ones first: what is within others becomes straight before them.
    for index in (0..function.blocks.len()).rev() {
        let End::Branch { cond, then, otherwise } = function.blocks[index].end else { continue };
        let Some(shape) = Shape::of(function, &incoming, BlockId(index as u32), then, otherwise) else {
            continue;
        };
        if let Some(insts) = selections(function, &live, cond, &shape) {
            let block = &mut function.blocks[index];
            block.insts.extend(insts);
            block.end = End::Jump(shape.after);
            for side in [shape.then, shape.otherwise].into_iter().flatten() {
                incoming[side.index()] = 0;
                function.blocks[side.index()].insts.clear();
                function.blocks[side.index()].end = End::Unreachable;
            }
            // Two edges have become one.
            incoming[shape.after.index()] -= 1;
            changed = true;
        }
    }
    changed
}

/// A branch whose ways meet again: each either goes there at once or by one block of its own.
struct Shape {
    then: Option<BlockId>,
    otherwise: Option<BlockId>,
    after: BlockId,
}

impl Shape {
    fn of(
        function: &Function,
        incoming: &[u32],
        from: BlockId,
        then: BlockId,
        otherwise: BlockId,
    ) -> Option<Shape> {
        let side = |block: BlockId| {
            let code = &function.blocks[block.index()];
            let own = incoming[block.index()] == 1 && block != from && code.insts.len() <= MAX_INSTS;
            match code.end {
                End::Jump(to) if own && to != block && code.insts.iter().all(|inst| is_cheap(&inst.op)) => {
                    Some(to)
                }
                _ => None,
            }
        };
        match (side(then), side(otherwise)) {
            _ if then == otherwise => None,
            (Some(a), Some(b)) if a == b => {
                Some(Shape { then: Some(then), otherwise: Some(otherwise), after: a })
            }
            (Some(a), _) if a == otherwise => Some(Shape { then: Some(then), otherwise: None, after: a }),
            (_, Some(b)) if b == then => Some(Shape { then: None, otherwise: Some(otherwise), after: b }),
            _ => None,
        }
    }
}

/// Ops that may be done in vain.
fn is_cheap(op: &Op) -> bool {
    match op {
        Op::Const { .. } | Op::Copy { .. } | Op::Compare { .. } | Op::Select { .. } | Op::Convert { .. } => {
            true
        }
        Op::Unary { op, .. } => *op != Unary::Sqrt,
        Op::Binary { op, .. } => {
            !matches!(op, Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU | Binary::FDiv)
        }
        Op::Parameter { .. }
        | Op::SlotAddress { .. }
        | Op::SharedAddress { .. }
        | Op::GlobalAddress { .. }
        | Op::Special { .. } => op.is_pure(),
        _ => false,
    }
}

/// The instructions of both sides with locals of their own, and the selections behind them.
fn selections(function: &mut Function, live: &Liveness, cond: Local, shape: &Shape) -> Option<Vec<Inst>> {
    let mut needed: Vec<Local> = Vec::new();
    let sides = [shape.then, shape.otherwise];
    for inst in sides.into_iter().flatten().flat_map(|side| &function.blocks[side.index()].insts) {
        if let Some(dst) = inst.op.dst()
            && !needed.contains(&dst)
        {
            needed.push(dst);
        }
    }
    let after: Vec<Local> = live.live_in(shape.after.index()).collect();
    needed.retain(|local| after.contains(local));
    if needed.len() > MAX_VALUES {
        return None;
    }
    let span = sides.into_iter().flatten().next().map(|side| function.blocks[side.index()].span)?;
    let mut out = Vec::new();
    // The condition may be written by the selections themselves.
    let mut cond = cond;
    if needed.contains(&cond) {
        let kept = new_local(function, cond);
        out.push(Inst { op: Op::Copy { dst: kept, src: cond }, span });
        cond = kept;
    }
    let mut names: [Vec<(Local, Local)>; 2] = [Vec::new(), Vec::new()];
    for (side, names) in sides.into_iter().zip(&mut names) {
        let Some(side) = side else { continue };
        for inst in function.blocks[side.index()].insts.clone() {
            let mut inst = inst;
            inst.op.map_uses(|local| current(names, local));
            if let Some(dst) = inst.op.dst_mut() {
                let own = new_local(function, *dst);
                names.push((*dst, own));
                *dst = own;
            }
            out.push(inst);
        }
    }
    for dst in needed {
        let (a, b) = (current(&names[0], dst), current(&names[1], dst));
        out.push(Inst { op: Op::Select { dst, cond, a, b }, span });
    }
    Some(out)
}

fn current(names: &[(Local, Local)], local: Local) -> Local {
    names.iter().rev().find(|name| name.0 == local).map_or(local, |name| name.1)
}

fn new_local(function: &mut Function, like: Local) -> Local {
    let ty = function.locals[like.index()].ty;
    function.locals.push(LocalInfo { ty, name: String::new() });
    Local(function.locals.len() as u32 - 1)
}
