//! Dominators: which blocks lie on every path to others; and locals that behave as values: written once, before every read.

use super::cfg;
use crate::ir::{BlockId, Function, Local};

/// The dominator tree of a function.
pub struct Dominators {
    /// By block: when a walk of the tree enters and leaves it. Blocks that nothing leads to are never entered.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// By block: the closest block that stands on every way to it; itself for the entry.
    parent: Vec<u32>,
    /// The blocks that are reached, in reverse postorder.
    pub order: Vec<BlockId>,
}

const NEVER: u32 = u32::MAX;

impl Dominators {
    /// The dominator tree, by the iteration of Cooper, Harvey and Kennedy.
    pub fn new(function: &Function) -> Dominators {
        let order = cfg::reverse_postorder(function);
        let successors = function.blocks.iter().map(|block| block.end.successors().collect()).collect();
        Dominators::of_graph(successors, order)
    }

    /// The tree of any graph; `order` is a reverse postorder from its entry.
    pub fn of_graph(successors: Vec<Vec<BlockId>>, order: Vec<BlockId>) -> Dominators {
        let count = successors.len();
        let mut position = vec![NEVER; count];
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = i as u32;
        }
        let mut predecessors = vec![Vec::new(); count];
        for block in &order {
            for to in &successors[block.index()] {
                predecessors[to.index()].push(block.0);
            }
        }
        let mut parent = vec![NEVER; count];
        let mut changed = true;
        if let Some(entry) = order.first() {
            parent[entry.index()] = entry.0;
        }
        while std::mem::take(&mut changed) {
            for block in order.iter().skip(1) {
                let mut common = NEVER;
                for &from in &predecessors[block.index()] {
                    if parent[from as usize] == NEVER {
                        continue;
                    }
                    common = if common == NEVER { from } else { meet(&parent, &position, common, from) };
                }
                if parent[block.index()] != common {
                    parent[block.index()] = common;
                    changed = true;
                }
            }
        }
        let mut tree = Dominators { enter: vec![NEVER; count], leave: vec![0; count], parent, order };
        tree.number();
        tree
    }

    /// Numbers the tree so that one block dominates another where its interval holds the other's.
    fn number(&mut self) {
        let mut children = vec![Vec::new(); self.parent.len()];
        for block in self.order.iter().skip(1) {
            children[self.parent[block.index()] as usize].push(block.0);
        }
        let Some(entry) = self.order.first() else { return };
        let mut clock = 0;
        let mut stack = vec![(entry.0, false)];
        while let Some((block, left)) = stack.pop() {
            if left {
                self.leave[block as usize] = clock;
                continue;
            }
            self.enter[block as usize] = clock;
            clock += 1;
            stack.push((block, true));
            stack.extend(children[block as usize].iter().map(|&child| (child, false)));
        }
    }

    /// Whether the entry leads to the block.
    pub fn is_reached(&self, block: BlockId) -> bool {
        self.enter[block.index()] != NEVER
    }

    /// Whether `a` stands on every way to `b`; a block does on its own.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (a.index(), b.index());
        self.enter[b] != NEVER && self.enter[a] <= self.enter[b] && self.enter[b] < self.leave[a]
    }

    /// The closest block that stands on every way to `block`; none for the entry.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        let parent = self.parent[block.index()];
        (parent != NEVER && parent != block.0).then_some(BlockId(parent))
    }
}

fn meet(parent: &[u32], position: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while position[a as usize] > position[b as usize] {
            a = parent[a as usize];
        }
        while position[b as usize] > position[a as usize] {
            b = parent[b as usize];
        }
    }
    a
}

/// Where a local is written: the block and the instruction's number in it, counted from 1; 0 is the function's beginning.
pub type Site = (BlockId, u32);

/// For each local that is written once, before it is read on every way: where. Such a local is a value: its copies can
/// stand for it and it for them.
pub fn values(function: &Function, dominators: &Dominators) -> Vec<Option<Site>> {
    let mut sites: Vec<Option<Site>> = vec![None; function.locals.len()];
    let mut many = vec![false; function.locals.len()];
    for param in &function.params {
        sites[param.index()] = Some((BlockId(0), 0));
    }
    for &id in &dominators.order {
        for (i, inst) in function.blocks[id.index()].insts.iter().enumerate() {
            if let Some(dst) = inst.op.dst()
                && sites[dst.index()].replace((id, i as u32 + 1)).is_some()
            {
                many[dst.index()] = true;
            }
        }
    }
    for &id in &dominators.order {
        let block = &function.blocks[id.index()];
        let mut read = |local: Local, at: u32| {
            let before = sites[local.index()].is_some_and(|(from, number)| {
                if from == id { number < at } else { dominators.dominates(from, id) }
            });
            many[local.index()] |= !before;
        };
        for (i, inst) in block.insts.iter().enumerate() {
            inst.op.visit_uses(|local| read(local, i as u32 + 1));
        }
        if let Some(local) = block.end.used() {
            read(local, u32::MAX);
        }
    }
    for (site, many) in sites.iter_mut().zip(many) {
        if many {
            *site = None;
        }
    }
    sites
}
