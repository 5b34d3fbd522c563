//! The order of blocks, and when each is closed: Cranelift makes fewer values of a block all of whose ways in are known.

use std::collections::HashSet;

use cranelift_codegen::ir::Block;
use cuprum_kernel::Diagnostic;
use cuprum_kernel::ir::BlockId;

use super::emitter::Emitter;

impl Emitter<'_, '_> {
    /// All blocks that are reached from `entries` without waiting.
    pub(super) fn order_blocks(&mut self, entries: impl Iterator<Item = BlockId>) {
        self.blocks_in_order = self.reverse_postorder(entries);
        for (position, block) in self.blocks_in_order.iter().enumerate() {
            self.order[block.index()] = position as u32;
        }
        self.depths = self.count_loops();
    }

    pub(super) fn emit_blocks(&mut self) -> Result<(), Diagnostic> {
        let mut back = self.count_back_edges();
        for block in self.blocks_in_order.clone() {
            let target = self.block(block);
            if back[block.index()] > 0 {
                self.leave_open(target);
            }
            self.enter(target);
            let wait = self.waiting.as_ref().and_then(|waiting| waiting.cut.waits[block.index()]);
            let code = &self.function.blocks[block.index()];
            let ops = if wait.is_some() { &code.insts[..code.insts.len() - 1] } else { &code.insts[..] };
            self.sums.clear();
            for inst in ops {
                self.span = inst.span;
                self.emit_op(&inst.op)?;
                self.note_sum(&inst.op);
            }
            self.span = code.span;
            match wait {
                Some(region) => self.suspend(region),
                None => {
                    self.emit_end(block, &code.end);
                    self.close_loops(block, &mut back, Emitter::block);
                }
            }
        }
        Ok(())
    }

    fn reverse_postorder(&self, entries: impl Iterator<Item = BlockId>) -> Vec<BlockId> {
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        let mut seen = vec![false; self.function.blocks.len()];
        let mut postorder = Vec::new();
        for entry in entries {
            // A block, and whether what follows it is done.
            let mut work = vec![(entry, false)];
            while let Some((block, done)) = work.pop() {
                if done {
                    postorder.push(block);
                } else if !std::mem::replace(&mut seen[block.index()], true) {
                    work.push((block, true));
                    if !waits(block) {
                        let next = self.function.blocks[block.index()].end.successors();
                        work.extend(next.filter(|to| !seen[to.index()]).map(|to| (to, false)));
                    }
                }
            }
        }
        postorder.reverse();
        postorder
    }

    /// Goes on in a block. All that leads there has been emitted, unless it was left open: then it needs no values of
    /// its own for what does not change on the way.
    pub(super) fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
        if !self.open.contains(&block) {
            self.b.seal_block(block);
        }
    }

    /// More will lead to this block after it was entered.
    pub(super) fn leave_open(&mut self, block: Block) {
        self.open.insert(block);
    }

    /// Nothing more leads to this block.
    pub(super) fn close(&mut self, block: Block) {
        if self.open.remove(&block) {
            self.b.seal_block(block);
        }
    }

    /// How many loops each block is in.
    fn count_loops(&self) -> Vec<u32> {
        let mut depths = vec![0; self.function.blocks.len()];
        let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); self.function.blocks.len()];
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        let mut ends: Vec<(BlockId, BlockId)> = Vec::new();
        for &from in &self.blocks_in_order {
            if waits(from) {
                continue;
            }
            for to in self.function.blocks[from.index()].end.successors() {
                before[to.index()].push(from);
                if self.order[to.index()] <= self.order[from.index()] {
                    ends.push((to, from));
                }
            }
        }
        // Many loops in a large function: the order of its branches is not worth the search.
        if ends.len() * self.blocks_in_order.len() > 1_000_000 {
            return depths;
        }
        for (head, end) in ends {
            let mut seen = HashSet::from([head]);
            let mut work = vec![end];
            while let Some(block) = work.pop() {
                if seen.insert(block) {
                    work.extend(
                        before[block.index()]
                            .iter()
                            .filter(|b| self.order[b.index()] >= self.order[head.index()]),
                    );
                }
            }
            for block in seen {
                depths[block.index()] += 1;
            }
        }
        depths
    }

    /// For each block, how many edges go back to it.
    pub(super) fn count_back_edges(&self) -> Vec<u32> {
        let mut counts = vec![0; self.function.blocks.len()];
        let waits =
            |block: BlockId| self.waiting.as_ref().is_some_and(|w| w.cut.waits[block.index()].is_some());
        for &from in &self.blocks_in_order {
            if waits(from) {
                continue;
            }
            for to in self.function.blocks[from.index()].end.successors() {
                if self.order[to.index()] <= self.order[from.index()] {
                    counts[to.index()] += 1;
                }
            }
        }
        counts
    }

    /// Closes the loops whose last edge back was of this block.
    pub(super) fn close_loops(
        &mut self,
        from: BlockId,
        counts: &mut [u32],
        block: fn(&mut Self, BlockId) -> Block,
    ) {
        let ends: Vec<BlockId> = self.function.blocks[from.index()].end.successors().collect();
        for to in ends {
            if self.order[to.index()] <= self.order[from.index()] && counts[to.index()] > 0 {
                counts[to.index()] -= 1;
                if counts[to.index()] == 0 {
                    let head = block(self, to);
                    self.close(head);
                }
            }
        }
    }
}
