//! Lockstep: the lanes of a warp do each access of memory together, before any of them does the next one.
//!
//! The back end runs threads one after the other between two waits. That differs from a warp where an access of one lane
//! and a later one of another lane meet in memory. [`Lockstep`] finds the pairs of accesses that may, once for a kernel;
//! [`Lockstep::places`] decides with the numbers of a launch which of them do, and where an [`Op::Lockstep`] has to stand.
//! Kernels without such pairs are left as they are.

mod accesses;
mod evaluate;
mod meetings;
mod place;
mod races;
mod settings;
mod sums;

use std::collections::HashMap;

pub use races::Race;
pub use settings::LaunchFacts;

use accesses::{LaneAccess, LockstepFacts};
use place::Flow;

use super::analysis::Origin;
use crate::ir::{Block, BlockId, End, Function, Inst, Op};

/// A point of a function: before the instruction of this number of a block, or, with [`BACK_EDGE`], on the ways back to the
/// head of a loop.
pub type Place = (BlockId, u32);

/// Lanes of a warp.
const WARP: u32 = 32;

/// Instead of an instruction's number: where a loop goes round.
const BACK_EDGE: u32 = u32::MAX;

/// How an access is reached from an earlier one: in the same round of all loops around both, or in a later one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Round {
    Same,
    Later,
}

/// Which lanes of a pair of accesses meet.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Meets {
    /// The earlier access is of the lane with the greater number: threads in ascending order would turn the two round.
    against: bool,
    /// The earlier access is of the lane with the smaller number.
    along: bool,
}

/// The most accesses times blocks of a kernel that is looked at: larger ones keep the order of threads.
const MAX_STATES: usize = 1 << 20;

/// The pairs of accesses of a kernel by which lanes of a warp may meet.
pub struct Lockstep {
    facts: LockstepFacts,
    accesses: Vec<LaneAccess>,
    /// Pairs of accesses, the earlier first.
    pairs: Vec<(usize, usize, Round)>,
    /// Parameters that decide whether lanes meet: their offsets and sizes.
    inputs: Vec<(u32, u32)>,
    /// The pointers and variables that pairs of different ones are of.
    ranges: Vec<Origin>,
}

impl Lockstep {
    /// Finds the pairs; none where lanes can never meet.
    pub fn of(function: &Function) -> Option<Lockstep> {
        let accesses = accesses::accesses(function);
        let is_small = accesses.len().saturating_mul(function.blocks.len()) <= MAX_STATES;
        if !accesses.iter().any(|access| access.writes) || !is_small {
            return None;
        }
        let facts = LockstepFacts::of(function, &accesses);
        let flow = Flow::new(&facts, &accesses);
        let pairs = flow.candidates();
        if pairs.is_empty() {
            return None;
        }
        let inputs = facts.inputs();
        let mut ranges = Vec::new();
        for (a, b, _) in &pairs {
            for origin in [accesses[*a].origin, accesses[*b].origin] {
                let of_launch = matches!(origin, Origin::Parameter(_) | Origin::Global(_));
                if of_launch && !ranges.contains(&origin) {
                    ranges.push(origin);
                }
            }
        }
        Some(Lockstep { facts, accesses, pairs, inputs, ranges })
    }

    /// The parameters that [`places`](Lockstep::places) depends on, by offset and size, beside pointers.
    pub fn inputs(&self) -> &[(u32, u32)] {
        &self.inputs
    }

    /// The pointers and variables whose ranges should not overlap for addresses to be left out of it.
    pub fn ranges(&self) -> &[Origin] {
        &self.ranges
    }

    /// Threads of different warps or blocks that meet in a launch: no GPU promises their order.
    pub fn race(&self, launch: &LaunchFacts<'_>) -> Option<Race> {
        races::race(&self.facts, &self.accesses, &self.pairs, launch)
    }

    /// Where lanes have to come together in a launch; empty where none meet.
    pub fn places(&self, launch: &LaunchFacts<'_>) -> Vec<Place> {
        let found = meetings::meeting_lanes(&self.facts, &self.accesses, &self.pairs, launch);
        let meets: HashMap<(usize, usize, Round), Meets> =
            self.pairs.iter().copied().zip(found).filter(|(_, meets)| meets.against || meets.along).collect();
        if meets.is_empty() {
            return Vec::new();
        }
        Flow::new(&self.facts, &self.accesses).place(&meets)
    }

    /// Where lanes have to come together whatever the launch's sizes and scalars are.
    pub fn places_for_all(&self, overlaps: bool) -> Vec<Place> {
        let apart =
            |a: usize, b: usize| meetings::are_disjoint(&self.accesses[a], &self.accesses[b], overlaps);
        let all = self.pairs.iter().copied().filter(|(a, b, _)| !apart(*a, *b));
        let meets = all.map(|pair| (pair, Meets { against: true, along: true })).collect();
        Flow::new(&self.facts, &self.accesses).place(&meets)
    }

    /// The kernel with an [`Op::Lockstep`] at each place.
    pub fn with(&self, places: &[Place]) -> Function {
        let mut function = self.facts.function.clone();
        let mut places = places.to_vec();
        places.sort_unstable();
        // The last ones first: the numbers of those before stay.
        for &(block, at) in places.iter().rev().filter(|(_, at)| *at != BACK_EDGE) {
            let block = &mut function.blocks[block.index()];
            let span = block.insts.get(at as usize).map_or(block.span, |inst| inst.span);
            block.insts.insert(at as usize, Inst { op: Op::Lockstep, span });
        }
        for &(head, _) in places.iter().filter(|(_, at)| *at == BACK_EDGE) {
            let back = BlockId(function.blocks.len() as u32);
            let latches = self.facts.loops.iter().filter(|found| found.head == head);
            for latch in latches.flat_map(|found| &found.latches) {
                let end = &mut function.blocks[latch.index()].end;
                end.map_successors(|to| if to == head { back } else { to });
            }
            let span = function.blocks[head.index()].span;
            let insts = vec![Inst { op: Op::Lockstep, span }];
            function.blocks.push(Block { insts, end: End::Jump(head), span });
        }
        function
    }
}
