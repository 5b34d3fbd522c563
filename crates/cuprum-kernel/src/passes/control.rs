//! Loops, and which branches decide whether a block runs.

use super::cfg::postorder;
use super::dominators::Dominators;
use crate::ir::{BlockId, Function};

/// A loop: blocks that lead back to its head.
pub struct Loop {
    /// Where it is entered.
    pub head: BlockId,
    /// The blocks whose end leads back to the head.
    pub latches: Vec<BlockId>,
    /// All its blocks, ascending.
    pub body: Vec<BlockId>,
}

impl Loop {
    /// Whether a block is in it.
    pub fn contains(&self, block: BlockId) -> bool {
        self.body.binary_search(&block).is_ok()
    }
}

/// The loops of a function. Back edges to one head make one loop.
pub fn loops(function: &Function, dominators: &Dominators) -> Vec<Loop> {
    let mut position = vec![usize::MAX; function.blocks.len()];
    for (i, block) in dominators.order.iter().enumerate() {
        position[block.index()] = i;
    }
    let mut loops: Vec<Loop> = Vec::new();
    let mut by_head: Vec<Option<usize>> = vec![None; function.blocks.len()];
    for &block in &dominators.order {
        let mut heads: Vec<BlockId> = function.blocks[block.index()].end.successors().collect();
        heads.retain(|head| position[head.index()] <= position[block.index()]);
        heads.sort_unstable();
        heads.dedup();
        for head in heads {
            let index = *by_head[head.index()].get_or_insert_with(|| {
                loops.push(Loop { head, latches: Vec::new(), body: Vec::new() });
                loops.len() - 1
            });
            loops[index].latches.push(block);
        }
    }
    if loops.is_empty() {
        return loops;
    }
    let predecessors = super::cfg::predecessors(function);
    let mut seen_by = vec![usize::MAX; function.blocks.len()];
    for (number, found) in loops.iter_mut().enumerate() {
        seen_by[found.head.index()] = number;
        found.body.push(found.head);
        let mut work = found.latches.clone();
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen_by[block.index()], number) != number {
                found.body.push(block);
                work.extend(predecessors[block.index()].iter().filter(|from| dominators.is_reached(**from)));
            }
        }
        found.body.sort_unstable();
    }
    loops
}

/// For each block its place in an order in which loops stand whole before what follows them, and both sides of a branch
/// before the block where they meet again. Blocks that nothing leads to come last.
pub fn program_order(function: &Function) -> Vec<u32> {
    let count = function.blocks.len();
    let dominators = Dominators::new(function);
    let loops = loops(function, &dominators);
    let last_first = postorder(function, |block| {
        let mut all: Vec<BlockId> = function.blocks[block.index()].end.successors().collect();
        // Those that leave loops are gone through first, and so come out last.
        all.sort_by_key(|to| {
            loops.iter().filter(|found| found.contains(block) && !found.contains(*to)).count()
        });
        all
    });
    let mut order = vec![count as u32; count];
    for (place, block) in last_first.iter().enumerate() {
        order[block.index()] = (count - 1 - place) as u32;
    }
    order
}

/// For each block, the blocks whose branches decide whether it runs (once they have run themselves).
pub fn control_dependence(function: &Function, is_left: impl Fn(BlockId) -> bool) -> Vec<Vec<BlockId>> {
    let count = function.blocks.len();
    let exit = BlockId(count as u32);
    // The graph backwards, from an exit that all returns lead to. Blocks that are left never come back to the others.
    let mut backward: Vec<Vec<BlockId>> = vec![Vec::new(); count + 1];
    for (index, block) in function.blocks.iter().enumerate() {
        let from = BlockId(index as u32);
        let mut leads_on = false;
        for to in block.end.successors().filter(|to| !is_left(*to)) {
            backward[to.index()].push(from);
            leads_on = true;
        }
        if !leads_on {
            backward[exit.index()].push(from);
        }
    }
    let order = exits_first(function, &mut backward, exit);
    let tree = Dominators::of_graph(backward, order);
    let mut controls: Vec<Vec<BlockId>> = vec![Vec::new(); count];
    for (index, block) in function.blocks.iter().enumerate() {
        let from = BlockId(index as u32);
        let mut targets: Vec<BlockId> = block.end.successors().filter(|to| !is_left(*to)).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() < 2 {
            continue;
        }
        let stop = tree.parent(from);
        for target in targets {
            let mut at = Some(target);
            while let Some(block) = at.filter(|block| Some(*block) != stop && *block != exit) {
                if controls[block.index()].last() != Some(&from) {
                    controls[block.index()].push(from);
                }
                at = tree.parent(block);
            }
        }
    }
    controls
}

/// A reverse postorder of the backward graph from `exit`. Loops without an exit get an edge to it.
fn exits_first(function: &Function, backward: &mut [Vec<BlockId>], exit: BlockId) -> Vec<BlockId> {
    let mut reached = vec![false; backward.len()];
    let mut work = vec![exit];
    let mut candidates: Vec<BlockId> = (0..function.blocks.len() as u32).map(BlockId).collect();
    loop {
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block.index()], true) {
                work.extend(&backward[block.index()]);
            }
        }
        match candidates.pop() {
            Some(block) if reached[block.index()] => {}
            Some(block) => {
                backward[exit.index()].push(block);
                work.push(block);
            }
            None => break,
        }
    }
    let mut order = Vec::with_capacity(backward.len());
    let mut seen = vec![false; backward.len()];
    seen[exit.index()] = true;
    let mut stack = vec![(exit, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match backward[block.index()].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((*to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
