//! Which locals are still read after each point.

use super::BitSet;
use crate::ir::{Block, Function};

/// The locals whose values are needed where blocks begin and end, by block.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// At the beginning.
    pub live_in: Vec<BitSet>,
    /// At the end.
    pub live_out: Vec<BitSet>,
}

/// The locals that each block begins and ends with a need of.
pub fn liveness(function: &Function) -> Liveness {
    let locals = function.locals.len();
    let count = function.blocks.len();
    let mut reads = Vec::with_capacity(count);
    let mut writes = Vec::with_capacity(count);
    for block in &function.blocks {
        let (read, written) = reads_and_writes(block, locals);
        reads.push(read);
        writes.push(written);
    }
    let mut live_in = reads;
    let mut live_out = vec![BitSet::new(locals); count];
    let predecessors = crate::passes::cfg::predecessors(function);
    // A block is looked at again when what is needed after it grew; the last ones first.
    let mut waiting = vec![true; count];
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(index) = work.pop() {
        waiting[index] = false;
        for to in function.blocks[index].end.successors() {
            live_out[index].union_with(&live_in[to.index()]);
        }
        if live_in[index].union_difference(&live_out[index], &writes[index]) {
            for from in &predecessors[index] {
                if !std::mem::replace(&mut waiting[from.index()], true) {
                    work.push(from.index());
                }
            }
        }
    }
    Liveness { live_in, live_out }
}

/// What a block reads before it writes it, and what it writes.
fn reads_and_writes(block: &Block, locals: usize) -> (BitSet, BitSet) {
    let mut read = BitSet::new(locals);
    let mut written = BitSet::new(locals);
    for inst in &block.insts {
        inst.op.visit_uses(|local| {
            if !written.contains(local.index()) {
                read.insert(local.index());
            }
        });
        if let Some(dst) = inst.op.dst() {
            written.insert(dst.index());
        }
    }
    if let Some(local) = block.end.used()
        && !written.contains(local.index())
    {
        read.insert(local.index());
    }
    (read, written)
}
