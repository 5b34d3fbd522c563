//! The shape of a function: orders and predecessors of its blocks, dominators, loops, what controls what; and making
//! the shape smaller.

use crate::ir::{BlockId, End, Function, Inst};

/// The predecessors of every block, each named once for every edge.
pub fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); function.blocks.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for to in block.end.successors() {
            all[to.index()].push(BlockId(index as u32));
        }
    }
    all
}

/// The blocks that the entry leads to, each before those that it leads to, but for back edges.
pub fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut order = postorder(function, |block| {
        let mut all: Vec<BlockId> = function.blocks[block.index()].end.successors().collect();
        all.reverse();
        all
    });
    order.reverse();
    order
}

/// The blocks that the entry leads to, in the postorder of a depth-first walk. Of a block's successors, as `successors` gives
/// them, the last is visited first.
pub(super) fn postorder(function: &Function, successors: impl Fn(BlockId) -> Vec<BlockId>) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    seen[0] = true;
    let mut stack = vec![(BlockId(0), successors(BlockId(0)))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen[next.index()] => {}
            Some(next) => {
                seen[next.index()] = true;
                stack.push((next, successors(next)));
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

/// Removes unreachable blocks, skips blocks that only jump, and merges blocks that follow each other. Blocks come out in
/// reverse postorder. Returns whether anything changed.
pub fn simplify(function: &mut Function) -> bool {
    let mut changed = false;
    for block in &mut function.blocks {
        changed |= simplify_end(&mut block.end);
    }
    changed |= skip_empty_blocks(function);
    for block in &mut function.blocks {
        changed |= simplify_end(&mut block.end);
    }
    changed |= join_chains(function);
    changed | renumber(function)
}

/// A branch that leads to one place whatever its condition is a jump.
fn simplify_end(end: &mut End) -> bool {
    let mut successors = end.successors();
    let only = match successors.next() {
        Some(first) if !matches!(end, End::Jump(_)) && successors.all(|to| to == first) => first,
        _ => return false,
    };
    drop(successors);
    *end = End::Jump(only);
    true
}

/// Where a chain of blocks that only jump on ends. Chains that go round stay as they are.
fn skip_empty_blocks(function: &mut Function) -> bool {
    let target = |mut block: BlockId| {
        for _ in 0..function.blocks.len() {
            match &function.blocks[block.index()] {
                of if !of.insts.is_empty() => break,
                of => match of.end {
                    End::Jump(to) if to != block => block = to,
                    _ => break,
                },
            }
        }
        block
    };
    let targets: Vec<BlockId> = (0..function.blocks.len()).map(|i| target(BlockId(i as u32))).collect();
    let mut changed = false;
    for block in &mut function.blocks {
        block.end.map_successors(|to| {
            changed |= targets[to.index()] != to;
            targets[to.index()]
        });
    }
    changed
}

/// Appends a block to its only predecessor where that one leads nowhere else.
fn join_chains(function: &mut Function) -> bool {
    let mut incoming = vec![0_u32; function.blocks.len()];
    // The entry is led to from outside.
    incoming[0] = 1;
    let order = reverse_postorder(function);
    for block in &order {
        for to in function.blocks[block.index()].end.successors() {
            incoming[to.index()] += 1;
        }
    }
    let mut changed = false;
    for block in order {
        while let End::Jump(next) = function.blocks[block.index()].end {
            if next == block || incoming[next.index()] != 1 {
                break;
            }
            let tail = &mut function.blocks[next.index()];
            let insts: Vec<Inst> = std::mem::take(&mut tail.insts);
            let end = std::mem::replace(&mut tail.end, End::Unreachable);
            let span = tail.span;
            incoming[next.index()] = 0;
            let head = &mut function.blocks[block.index()];
            head.insts.extend(insts);
            head.end = end;
            head.span = span;
            changed = true;
        }
    }
    changed
}

/// Brings blocks into reverse postorder and drops those that nothing leads to.
fn renumber(function: &mut Function) -> bool {
    let order = reverse_postorder(function);
    let in_order = order.iter().enumerate().all(|(i, block)| block.index() == i);
    if in_order && order.len() == function.blocks.len() {
        return false;
    }
    let mut number = vec![BlockId(0); function.blocks.len()];
    for (new, old) in order.iter().enumerate() {
        number[old.index()] = BlockId(new as u32);
    }
    let mut blocks: Vec<_> = std::mem::take(&mut function.blocks).into_iter().map(Some).collect();
    for old in order {
        if let Some(mut block) = blocks[old.index()].take() {
            block.end.map_successors(|to| number[to.index()]);
            function.blocks.push(block);
        }
    }
    true
}
