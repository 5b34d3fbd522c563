//! Which accesses follow one another without a wait between them, and where an implied one has to stand.

use std::collections::{HashMap, HashSet};

use super::accesses::{LaneAccess, LockstepFacts};
use super::{BACK_EDGE, Meets, Place, Round};
use crate::ir::{BlockId, Op};
use crate::passes::analysis::Origin;
use crate::passes::cfg;

/// An earlier access has been done in the same round of the loops around it.
const SAME_ITERATION: u8 = 1;
/// It has been done in a round before, or what its address follows from has changed since.
const EARLIER_ITERATION: u8 = 2;

/// Walks over the accesses of a function in the order of its code.
pub struct Flow<'a> {
    facts: &'a LockstepFacts,
    accesses: &'a [LaneAccess],
    /// For each block, its accesses in order.
    by_block: Vec<Vec<usize>>,
    order: Vec<BlockId>,
    position: Vec<usize>,
    /// For each local, the accesses whose addresses change with it.
    dependents: HashMap<u32, Vec<usize>>,
}

/// Whether lanes go on from a place at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Together {
    /// All that come by since all were let go at once.
    all: bool,
    /// Those that go through the rest of this block.
    here: bool,
}

impl<'a> Flow<'a> {
    pub fn new(facts: &'a LockstepFacts, accesses: &'a [LaneAccess]) -> Flow<'a> {
        let count = facts.function.blocks.len();
        let mut by_block = vec![Vec::new(); count];
        for (i, access) in accesses.iter().enumerate() {
            by_block[access.at.0.index()].push(i);
        }
        let order = cfg::reverse_postorder(&facts.function);
        let mut position = vec![usize::MAX; count];
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = i;
        }
        let mut dependents: HashMap<u32, Vec<usize>> = HashMap::new();
        for (i, changing) in facts.changing.iter().enumerate() {
            for local in changing {
                dependents.entry(local.0).or_default().push(i);
            }
        }
        Flow { facts, accesses, by_block, order, position, dependents }
    }

    /// The pairs of accesses without a wait between them whose lanes may meet.
    pub fn candidates(&self) -> Vec<(usize, usize, Round)> {
        let none = HashSet::new();
        let mut pairs = Vec::new();
        let before = self.pending(&none);
        for &block in &self.order {
            let mut pending = before[block.index()].clone();
            self.walk(block, &mut pending, &none, |later, pending| {
                for (earlier, flags) in pending.iter().enumerate().filter(|(_, flags)| **flags != 0) {
                    if !self.may_meet(earlier, later) {
                        continue;
                    }
                    // What one instruction does has no place between.
                    if flags & SAME_ITERATION != 0 && self.accesses[earlier].at != self.accesses[later].at {
                        pairs.push((earlier, later, Round::Same));
                    }
                    if flags & EARLIER_ITERATION != 0 {
                        pairs.push((earlier, later, Round::Later));
                    }
                }
            });
        }
        pairs
    }

    /// Whether two accesses could be of the same bytes, and their order seen.
    fn may_meet(&self, earlier: usize, later: usize) -> bool {
        let (a, b) = (&self.accesses[earlier], &self.accesses[later]);
        let ordered = (a.writes || b.writes)
            && !(a.atomic && b.atomic)
            // A compare and swap sees for itself what has changed since the read.
            && (!b.compares || a.writes);
        let same_number = a.constant.is_some() && a.constant == b.constant && a.bytes == b.bytes;
        let is_shared = |origin: Origin| matches!(origin, Origin::Shared(_) | Origin::DynamicShared);
        let apart = match (a.origin, b.origin) {
            (Origin::Unknown | Origin::None, other) | (other, Origin::Unknown | Origin::None) => {
                is_shared(other) && !self.facts.shared_escapes
            }
            (x, y) if is_shared(x) || is_shared(y) => x != y,
            (Origin::Global(x), Origin::Global(y)) => x != y,
            _ => false,
        };
        ordered && !same_number && !apart
    }

    /// The accesses since the last wait, at the beginning of each block.
    fn pending(&self, placed: &HashSet<Place>) -> Vec<Vec<u8>> {
        let count = self.facts.function.blocks.len();
        let mut before = vec![vec![0u8; self.accesses.len()]; count];
        loop {
            let mut changed = false;
            for &block in &self.order {
                let mut pending = before[block.index()].clone();
                self.walk(block, &mut pending, placed, |_, _| {});
                for to in self.facts.function.blocks[block.index()].end.successors() {
                    let goes_back = self.position[to.index()] <= self.position[block.index()];
                    if goes_back && placed.contains(&(to, BACK_EDGE)) {
                        continue;
                    }
                    for (flags, known) in pending.iter().zip(&mut before[to.index()]) {
                        let flags = if goes_back && *flags != 0 { EARLIER_ITERATION } else { *flags };
                        changed |= *known | flags != *known;
                        *known |= flags;
                    }
                }
            }
            if !changed {
                return before;
            }
        }
    }

    /// Goes through a block; `visit` sees each access with those that are pending before it.
    fn walk(
        &self,
        block: BlockId,
        pending: &mut [u8],
        placed: &HashSet<Place>,
        mut visit: impl FnMut(usize, &[u8]),
    ) {
        let mut accesses = self.by_block[block.index()].iter().peekable();
        for (i, inst) in self.facts.function.blocks[block.index()].insts.iter().enumerate() {
            let place = (block, i as u32);
            if synchronises_lanes(&inst.op) {
                pending.fill(0);
            } else if placed.contains(&place) {
                // Lanes that do not come by here may be a round ahead, or behind.
                let kept = if self.facts.uniform.is_divergent(block) { EARLIER_ITERATION } else { 0 };
                pending.iter_mut().for_each(|flags| *flags &= kept);
            }
            while let Some(&access) = accesses.next_if(|access| self.accesses[**access].at == place) {
                visit(access, pending);
                pending[access] |= SAME_ITERATION;
            }
            if let Some(dst) = inst.op.dst() {
                for &access in self.dependents.get(&dst.0).into_iter().flatten() {
                    if pending[access] != 0 {
                        pending[access] = EARLIER_ITERATION;
                    }
                }
            }
        }
    }

    /// For each access, whether the lanes that do it have all been let go at one time.
    fn together(&self, placed: &HashSet<Place>) -> Vec<bool> {
        let count = self.facts.function.blocks.len();
        let mut before = vec![true; count];
        let mut found = vec![true; self.accesses.len()];
        loop {
            let mut changed = false;
            for &block in &self.order {
                let mut state = Together { all: before[block.index()], here: false };
                let mut accesses = self.by_block[block.index()].iter().peekable();
                let divergent = self.facts.uniform.is_divergent(block);
                for (i, inst) in self.facts.function.blocks[block.index()].insts.iter().enumerate() {
                    let place = (block, i as u32);
                    if placed.contains(&place) || inst.op.suspends() {
                        state = match inst.op {
                            Op::Barrier(_) | Op::GridSync | Op::ClusterSync => {
                                Together { all: true, here: true }
                            }
                            Op::Yield => Together { all: false, here: false },
                            _ => Together { all: !divergent, here: true },
                        };
                    }
                    while let Some(&access) = accesses.next_if(|access| self.accesses[**access].at == place) {
                        found[access] = state.all || state.here;
                    }
                }
                for to in self.facts.function.blocks[block.index()].end.successors() {
                    let goes_back = self.position[to.index()] <= self.position[block.index()];
                    let all = if goes_back && placed.contains(&(to, BACK_EDGE)) {
                        !self.facts.uniform.is_divergent(to)
                    } else {
                        state.all
                    };
                    changed |= before[to.index()] && !all;
                    before[to.index()] &= all;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// The back edge of the innermost loop around two accesses that has no synchronisation yet: lanes that skip one of the
    /// accesses must not get an iteration ahead of the others.
    fn way_back(&self, earlier: usize, later: usize, placed: &HashSet<Place>) -> Option<Place> {
        let (a, b) = (self.accesses[earlier].at.0, self.accesses[later].at.0);
        let around = self.facts.loops.iter().filter(|found| found.contains(a) && found.contains(b));
        let open = around.filter(|found| !placed.contains(&(found.head, BACK_EDGE)));
        open.min_by_key(|found| found.body.len()).map(|found| (found.head, BACK_EDGE))
    }

    /// Where lanes have to synchronise, so that conflicting accesses keep their order.
    pub fn place(&self, meets: &HashMap<(usize, usize, Round), Meets>) -> Vec<Place> {
        let mut placed = HashSet::new();
        loop {
            let together = self.together(&placed);
            let before = self.pending(&placed);
            let turned = |earlier: usize, later: usize, round: Round| {
                let found = meets.get(&(earlier, later, round));
                found.is_some_and(|meets| meets.against || meets.along && !together[earlier])
            };
            let mut next = None;
            for &block in &self.order {
                let mut pending = before[block.index()].clone();
                self.walk(block, &mut pending, &placed, |later, pending| {
                    let at = self.accesses[later].at;
                    if next.is_some() {
                        return;
                    }
                    for (earlier, flags) in pending.iter().enumerate() {
                        let wanted = if flags & SAME_ITERATION != 0 && turned(earlier, later, Round::Same) {
                            at
                        } else if flags & EARLIER_ITERATION != 0 && turned(earlier, later, Round::Later) {
                            self.way_back(earlier, later, &placed).unwrap_or(at)
                        } else {
                            continue;
                        };
                        if !placed.contains(&wanted) {
                            next = Some(wanted);
                            return;
                        }
                    }
                });
                if next.is_some() {
                    break;
                }
            }
            match next {
                Some(place) => placed.insert(place),
                None => break,
            };
        }
        placed.into_iter().collect()
    }
}

/// Whether an op is a synchronisation: when one lane passes it, all lanes present have done what stands before it.
fn synchronises_lanes(op: &Op) -> bool {
    matches!(
        op,
        Op::Barrier(_)
            | Op::GridSync
            | Op::ClusterSync
            | Op::SyncWarp { .. }
            | Op::Warp { .. }
            | Op::Lockstep
    )
}
