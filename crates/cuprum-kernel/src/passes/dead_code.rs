//! Takes out what nobody would miss: instructions whose results are not read, and locals and slots that are not named.

use super::analysis::{BitSet, liveness};
use crate::ir::{Function, Local, Op, SlotId};

/// Drops instructions without effect. Returns whether there were any.
pub fn remove_dead(function: &mut Function) -> bool {
    let unread = remove_unread(function);
    remove_overwritten(function) | unread
}

/// Drops what is needed by nothing that has an effect, loops of locals that only feed each other among them.
fn remove_unread(function: &mut Function) -> bool {
    let mut needed = BitSet::new(function.locals.len());
    let mut work: Vec<Local> = Vec::new();
    let mut writers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if inst.op.has_side_effects() {
                inst.op.visit_uses(|local| work.push(local));
            } else if let Some(dst) = inst.op.dst() {
                writers[dst.index()].push((b as u32, i as u32));
            }
        }
        work.extend(block.end.used());
    }
    while let Some(local) = work.pop() {
        if needed.insert(local.index()) {
            for &(b, i) in &writers[local.index()] {
                function.blocks[b as usize].insts[i as usize].op.visit_uses(|read| work.push(read));
            }
        }
    }
    let mut changed = false;
    for block in &mut function.blocks {
        block.insts.retain(|inst| {
            let dead =
                !inst.op.has_side_effects() && inst.op.dst().is_some_and(|dst| !needed.contains(dst.index()));
            changed |= dead;
            !dead
        });
    }
    changed
}

/// Drops writes of locals that are written again before they are read.
fn remove_overwritten(function: &mut Function) -> bool {
    let live = liveness(function);
    let mut alive = BitSet::new(function.locals.len());
    let mut changed = false;
    for (index, block) in function.blocks.iter_mut().enumerate() {
        alive.clear();
        for local in live.live_out(index) {
            alive.insert(local.index());
        }
        if let Some(local) = block.end.used() {
            alive.insert(local.index());
        }
        let mut kept = vec![true; block.insts.len()];
        for (i, inst) in block.insts.iter().enumerate().rev() {
            let dst = inst.op.dst();
            let copy_of_itself = matches!(inst.op, Op::Copy { dst, src } if dst == src);
            let unread = dst.is_some_and(|dst| !alive.contains(dst.index()));
            if copy_of_itself || (unread && !inst.op.has_side_effects()) {
                kept[i] = false;
                changed = true;
                continue;
            }
            if let Some(dst) = dst {
                alive.remove(dst.index());
            }
            inst.op.visit_uses(|local| {
                alive.insert(local.index());
            });
        }
        let mut kept = kept.into_iter();
        block.insts.retain(|_| kept.next().unwrap_or(true));
    }
    changed
}

/// Drops locals and slots that are not named any more, and numbers the rest anew.
pub fn compact(function: &mut Function) {
    let mut used = BitSet::new(function.locals.len());
    let mut used_slots = BitSet::new(function.slots.len());
    for param in &function.params {
        used.insert(param.index());
    }
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            // Also gives collectives that read no lane and width a local that is read in their place.
            inst.op.map_locals(|local| {
                used.insert(local.index());
                local
            });
            if let Op::SlotAddress { slot, .. } = inst.op {
                used_slots.insert(slot.index());
            }
        }
        if let Some(local) = block.end.used() {
            used.insert(local.index());
        }
    }
    let mut number = vec![Local(0); function.locals.len()];
    let locals = std::mem::take(&mut function.locals);
    for (old, info) in locals.into_iter().enumerate() {
        if used.contains(old) {
            number[old] = Local(function.locals.len() as u32);
            function.locals.push(info);
        }
    }
    let mut slot_number = vec![SlotId(0); function.slots.len()];
    let slots = std::mem::take(&mut function.slots);
    for (old, slot) in slots.into_iter().enumerate() {
        if used_slots.contains(old) {
            slot_number[old] = SlotId(function.slots.len() as u32);
            function.slots.push(slot);
        }
    }
    for param in &mut function.params {
        *param = number[param.index()];
    }
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            inst.op.map_locals(|local| number[local.index()]);
            if let Op::SlotAddress { slot, .. } = &mut inst.op {
                *slot = slot_number[slot.index()];
            }
        }
        block.end.map_used(|local| number[local.index()]);
    }
}
