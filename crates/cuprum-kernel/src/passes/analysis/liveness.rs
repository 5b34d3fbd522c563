//! Which locals are still read after each point.

use super::BitSet;
use crate::ir::{BlockId, Function, Local};
use crate::passes::cfg;

/// The locals whose values are needed where blocks begin and end.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Locals that some block reads before it writes them; no others live longer than a block.
    crossing: Vec<Local>,
    live_in: Vec<BitSet>,
    live_out: Vec<BitSet>,
}

impl Liveness {
    /// The locals that are needed at the beginning of a block.
    pub fn live_in(&self, block: usize) -> impl Iterator<Item = Local> + '_ {
        self.live_in[block].iter().map(|number| self.crossing[number])
    }

    /// The locals that are needed at the end of a block, beside what the end itself reads.
    pub fn live_out(&self, block: usize) -> impl Iterator<Item = Local> + '_ {
        self.live_out[block].iter().map(|number| self.crossing[number])
    }
}

/// The locals that each block begins and ends with a need of.
pub fn liveness(function: &Function) -> Liveness {
    let count = function.blocks.len();
    let (crossing, numbers) = crossing(function);
    let mut live_in = vec![BitSet::new(crossing.len()); count];
    let mut written = live_in.clone();
    for (b, block) in function.blocks.iter().enumerate() {
        let mut read = |local: Local, written: &BitSet| {
            if let Some(number) = numbers[local.index()]
                && !written.contains(number as usize)
            {
                live_in[b].insert(number as usize);
            }
        };
        for inst in &block.insts {
            inst.op.visit_uses(|local| read(local, &written[b]));
            if let Some(number) = inst.op.dst().and_then(|dst| numbers[dst.index()]) {
                written[b].insert(number as usize);
            }
        }
        if let Some(local) = block.end.used() {
            read(local, &written[b]);
        }
    }
    let mut live_out = vec![BitSet::new(crossing.len()); count];
    let predecessors = cfg::predecessors(function);
    // A block is looked at again when what is needed after it grew; the last ones first.
    let mut waiting = vec![true; count];
    let mut work: Vec<BlockId> = (0..count as u32).map(BlockId).collect();
    while let Some(block) = work.pop() {
        let b = block.index();
        waiting[b] = false;
        for to in function.blocks[b].end.successors() {
            live_out[b].union_with(&live_in[to.index()]);
        }
        if live_in[b].union_difference(&live_out[b], &written[b]) {
            for &from in &predecessors[b] {
                if !std::mem::replace(&mut waiting[from.index()], true) {
                    work.push(from);
                }
            }
        }
    }
    Liveness { crossing, live_in, live_out }
}

/// The locals that some block reads before it writes them, and their numbers among these.
fn crossing(function: &Function) -> (Vec<Local>, Vec<Option<u32>>) {
    let mut crossing = Vec::new();
    let mut numbers = vec![None; function.locals.len()];
    let mut written_in = vec![usize::MAX; function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        let mut read = |local: Local, written_in: &[usize]| {
            if written_in[local.index()] != b && numbers[local.index()].is_none() {
                numbers[local.index()] = Some(crossing.len() as u32);
                crossing.push(local);
            }
        };
        for inst in &block.insts {
            inst.op.visit_uses(|local| read(local, &written_in));
            if let Some(dst) = inst.op.dst() {
                written_in[dst.index()] = b;
            }
        }
        if let Some(local) = block.end.used() {
            read(local, &written_in);
        }
    }
    (crossing, numbers)
}

/// The variables that may be read before anything was written to them, each with the place of the first such read. Their
/// value is zero then, by the back end.
pub fn uninitialised(function: &Function) -> Vec<(Local, crate::Span)> {
    let mut suspects: Vec<Local> = liveness(function).live_in(0).collect();
    suspects.retain(|local| !function.params.contains(local));
    let place = |local: Local| {
        for block in &function.blocks {
            for inst in &block.insts {
                let mut reads = false;
                inst.op.visit_uses(|read| reads |= read == local);
                if reads {
                    return inst.span;
                }
            }
            if block.end.used() == Some(local) {
                return block.span;
            }
        }
        function.span
    };
    suspects.into_iter().map(|local| (local, place(local))).collect()
}
