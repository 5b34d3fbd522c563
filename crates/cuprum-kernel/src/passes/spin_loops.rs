//! Loops that wait for other threads let them run: a `Yield` on their way back.
//!
//! A loop waits where its end depends on what others write: a volatile read, a lock taken by exchange or compare and
//! swap, a read beside a fence, or a plain read in a loop that changes nothing itself. Loops that try a compare and swap
//! again with what they have just read do not: they succeed by themselves.

use std::collections::HashSet;

use super::control::{self, Loop};
use super::dominators::{self, Dominators};
use crate::ir::{Atomic, Block, BlockId, End, Function, Inst, Local, Op};

/// Puts a `Yield` on the back edges of loops that wait. Returns whether there are any.
pub fn insert_yields(function: &mut Function) -> bool {
    if !function.blocks.iter().flat_map(|block| &block.insts).any(|inst| reads_memory(&inst.op)) {
        return false;
    }
    let dominators = Dominators::new(function);
    let loops = control::loops(function, &dominators);
    if loops.is_empty() {
        return false;
    }
    let facts = SpinFacts {
        function,
        controls: control::control_dependence(function, |_| false),
        values: dominators::values(function, &dominators).iter().map(Option::is_some).collect(),
        writers: writers(function),
    };
    let waiting: Vec<Loop> = loops.into_iter().filter(|found| facts.waits(found)).collect();
    for found in &waiting {
        for latch in &found.latches {
            yield_between(function, *latch, found.head);
        }
    }
    !waiting.is_empty()
}

fn reads_memory(op: &Op) -> bool {
    matches!(op, Op::Load { .. } | Op::Atomic { .. } | Op::CompareAndSwap { .. })
}

/// Where each local is written.
fn writers(function: &Function) -> Vec<Vec<(BlockId, u32)>> {
    let mut writers = vec![Vec::new(); function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if let Some(dst) = inst.op.dst() {
                writers[dst.index()].push((BlockId(b as u32), i as u32));
            }
        }
    }
    writers
}

struct SpinFacts<'a> {
    function: &'a Function,
    controls: Vec<Vec<BlockId>>,
    values: Vec<bool>,
    writers: Vec<Vec<(BlockId, u32)>>,
}

impl SpinFacts<'_> {
    fn waits(&self, found: &Loop) -> bool {
        let blocks = || found.body.iter().map(|&id| (id, &self.function.blocks[id.index()]));
        let insts = || blocks().flat_map(|(_, block)| &block.insts);
        if !insts().any(|inst| reads_memory(&inst.op)) {
            return false;
        }
        let exits = blocks().filter(|(_, block)| block.end.successors().any(|to| !found.contains(to)));
        let mut conditions: Vec<Local> = Vec::new();
        for (id, block) in exits {
            conditions.extend(block.end.used());
            conditions.extend(self.controlling_conditions(found, id));
        }
        let has_fence = insts().any(|inst| inst.op == Op::Fence);
        let checks = |op: &Op| matches!(op, Op::CheckAligned { .. });
        let has_effects = insts().any(|inst| inst.op.has_side_effects() && !checks(&inst.op));
        let on = self.dependencies(found, conditions, true);
        // A loop that changes nothing and goes by values of this round alone would never end by itself.
        let idle = !has_effects && on.iter().all(|(dst, _)| self.values[dst.index()]);
        on.iter().any(|(_, op)| match op {
            Op::Load { volatile, .. } => *volatile || has_fence || idle,
            Op::Atomic { op: Atomic::Exchange, .. } => true,
            Op::Atomic { op, value, .. } => self.is_read_only_atomic(*op, *value),
            Op::CompareAndSwap { expected, .. } => {
                let sources = self.dependencies(found, vec![*expected], false);
                !sources.iter().any(|(_, source)| reads_memory(source))
            }
            _ => false,
        })
    }

    /// An atomic that only reads: the sum with zero and the like.
    fn is_read_only_atomic(&self, op: Atomic, value: Local) -> bool {
        let [(block, inst)] = self.writers[value.index()][..] else { return false };
        let Op::Const { bits, .. } = self.function.blocks[block.index()].insts[inst as usize].op else {
            return false;
        };
        let all = super::fold::mask(self.function.locals[value.index()].ty);
        match op {
            Atomic::Add | Atomic::Sub | Atomic::Or | Atomic::Xor | Atomic::MaxU => bits == 0,
            Atomic::And | Atomic::MinU => bits == all,
            _ => false,
        }
    }

    /// The conditions within the loop that decide whether a block runs.
    fn controlling_conditions(&self, found: &Loop, block: BlockId) -> impl Iterator<Item = Local> {
        let controls = self.controls[block.index()].iter();
        let inside: Vec<Local> = controls
            .filter(|from| found.contains(**from))
            .filter_map(|from| self.function.blocks[from.index()].end.used())
            .collect();
        inside.into_iter()
    }

    /// What the locals are made from in the loop, and, if asked for, what decides whether that is done.
    fn dependencies(&self, found: &Loop, locals: Vec<Local>, decided: bool) -> Vec<(Local, &Op)> {
        let mut seen = HashSet::new();
        let mut work = locals;
        let mut ops = Vec::new();
        while let Some(local) = work.pop() {
            if !seen.insert(local) {
                continue;
            }
            for &(block, inst) in &self.writers[local.index()] {
                if !found.contains(block) {
                    continue;
                }
                let op = &self.function.blocks[block.index()].insts[inst as usize].op;
                ops.push((local, op));
                op.visit_uses(|read| work.push(read));
                if decided {
                    work.extend(self.controlling_conditions(found, block));
                }
            }
        }
        ops
    }
}

/// Puts a `Yield` on the edge from `latch` to `head`.
fn yield_between(function: &mut Function, latch: BlockId, head: BlockId) {
    let block = &mut function.blocks[latch.index()];
    let inst = Inst { op: Op::Yield, span: block.span };
    if block.end == End::Jump(head) {
        // Several loops may have the edge in common.
        if block.insts.last().is_none_or(|last| last.op != Op::Yield) {
            block.insts.push(inst);
        }
        return;
    }
    let between = BlockId(function.blocks.len() as u32);
    let block = &mut function.blocks[latch.index()];
    let span = block.span;
    block.end.map_successors(|to| if to == head { between } else { to });
    function.blocks.push(Block { insts: vec![inst], end: End::Jump(head), span });
}
