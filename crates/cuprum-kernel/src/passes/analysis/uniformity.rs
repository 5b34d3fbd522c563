//! What all threads of a block have in common.

use super::BitSet;
use crate::ir::{BlockId, End, Function, Local, Op, Special};
use crate::passes::control;

/// Which threads are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All threads of a block that have not returned, whenever each of them comes by: what is read from memory may have
    /// changed between.
    Block,
    /// Threads that do each instruction at the same time: one read of one address gives all of them one value.
    Together,
}

/// Which locals and blocks are the same for all threads.
#[derive(Clone, Debug)]
pub struct Uniformity {
    varying: BitSet,
    divergent: Vec<bool>,
}

impl Uniformity {
    /// Whether every thread has the same value there, wherever it reads it.
    pub fn is_uniform(&self, local: Local) -> bool {
        !self.varying.contains(local.index())
    }

    /// Whether some threads may run the block while others do not (those that have returned aside).
    pub fn is_divergent(&self, block: BlockId) -> bool {
        self.divergent[block.index()]
    }
}

/// What is the same for all threads.
pub fn uniformity(function: &Function, scope: Scope) -> Uniformity {
    let leaving = leaving(function);
    let controls = control::control_dependence(function, |block| leaving[block.index()]);
    let mut found = Uniformity { varying: BitSet::new(function.locals.len()), divergent: leaving };
    // Arguments of a device function are the caller's affair.
    for param in &function.params {
        found.varying.insert(param.index());
    }
    loop {
        let mut changed = false;
        for (index, block) in function.blocks.iter().enumerate() {
            if !found.divergent[index] {
                let decided_apart = controls[index].iter().any(|&by| {
                    let cond = function.blocks[by.index()].end.used();
                    found.divergent[by.index()] || cond.is_some_and(|cond| !found.is_uniform(cond))
                });
                found.divergent[index] = decided_apart;
                changed |= decided_apart;
            }
            for inst in &block.insts {
                let Some(dst) = inst.op.dst().filter(|dst| found.is_uniform(*dst)) else { continue };
                let mut varies = found.divergent[index] || differs(&inst.op, scope);
                if !matches!(inst.op, Op::Barrier(_)) {
                    inst.op.visit_uses(|local| varies |= !found.is_uniform(local));
                }
                if varies {
                    found.varying.insert(dst.index());
                    changed = true;
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

/// Whether threads get different results from the same operands.
fn differs(op: &Op, scope: Scope) -> bool {
    match op {
        Op::Special { register, .. } => {
            matches!(register, Special::ThreadIdx(_) | Special::LaneId | Special::ThreadRank | Special::Clock)
        }
        Op::Load { volatile, .. } => scope == Scope::Block || *volatile,
        Op::SlotAddress { .. }
        | Op::Call { .. }
        | Op::Atomic { .. }
        | Op::CompareAndSwap { .. }
        | Op::Warp { .. }
        | Op::ActiveMask { .. }
        | Op::Printf { .. }
        | Op::Allocate { .. } => true,
        _ => false,
    }
}

/// Blocks from which a thread returns without waiting for others again: it never comes back to those that go on.
fn leaving(function: &Function) -> Vec<bool> {
    let mut leaving = vec![false; function.blocks.len()];
    let mut is_last = None;
    for (index, block) in function.blocks.iter().enumerate().rev() {
        let waits = block.insts.iter().any(|inst| inst.op.suspends());
        let returns = matches!(block.end, End::Return(_) | End::Unreachable);
        // The last return is where those go on to that stay.
        if returns && is_last.is_none() {
            is_last = Some(index);
            continue;
        }
        let mut successors = block.end.successors().peekable();
        let only_leaves = returns
            || (successors.peek().is_some()
                && successors.all(|to| to.index() > index && leaving[to.index()]));
        leaving[index] = !waits && only_leaves;
    }
    if function.blocks.len() == 1 || leaving.first() == Some(&true) {
        leaving.fill(false);
    }
    leaving
}
