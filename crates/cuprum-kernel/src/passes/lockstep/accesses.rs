//! The accesses of memory that lanes share, and other facts about a kernel: loops, counters, guards.

use super::Place;
use crate::ir::{Binary, Block, BlockId, Compare, Convert, End, Function, Local, Op};
use crate::passes::analysis::{BitSet, Origin, Scope, Uniformity, constants, provenance, uniformity};
use crate::passes::cfg;
use crate::passes::control::{self, Loop};
use crate::passes::dominators::{self, Dominators};

/// An access of memory that other lanes may reach.
#[derive(Clone, Debug)]
pub struct LaneAccess {
    pub at: Place,
    /// None where it is not known: a call.
    pub address: Option<(Local, i64)>,
    pub bytes: u64,
    pub volatile: bool,
    pub writes: bool,
    pub atomic: bool,
    /// Writes only where what it has read still stands there.
    pub compares: bool,
    /// The number that is always written.
    pub constant: Option<u64>,
    pub origin: Origin,
}

/// All accesses of a function, in the order of its blocks.
pub fn accesses(function: &Function) -> Vec<LaneAccess> {
    let origins = provenance(function);
    let constants = constants(function);
    let mut found = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            let at = (BlockId(b as u32), i as u32);
            let mut add = |addr: Local, offset: i64, bytes: u64, writes: bool| {
                let origin = origins[addr.index()];
                if !matches!(origin, Origin::Slot(_) | Origin::String(_)) {
                    let (atomic, compares) = match inst.op {
                        Op::Atomic { .. } => (true, false),
                        Op::CompareAndSwap { .. } => (true, true),
                        _ => (false, false),
                    };
                    let constant = match inst.op {
                        Op::Store { src, .. } => constants[src.index()],
                        Op::ZeroBytes { .. } => Some(0),
                        _ => None,
                    };
                    let address = Some((addr, offset));
                    let volatile =
                        matches!(inst.op, Op::Load { volatile: true, .. } | Op::Store { volatile: true, .. });
                    found.push(LaneAccess {
                        at,
                        address,
                        bytes,
                        volatile,
                        writes,
                        atomic,
                        compares,
                        constant,
                        origin,
                    });
                }
            };
            let size = |local: Local| u64::from(function.locals[local.index()].ty.bytes());
            match &inst.op {
                Op::Load { dst, addr, offset, .. } => add(*addr, *offset, size(*dst), false),
                Op::Store { src, addr, offset, .. } => add(*addr, *offset, size(*src), true),
                Op::Atomic { addr, value, .. } | Op::CompareAndSwap { addr, value, .. } => {
                    add(*addr, 0, size(*value), true);
                }
                Op::CopyBytes { to, from, bytes } => {
                    add(*from, 0, *bytes, false);
                    add(*to, 0, *bytes, true);
                }
                Op::CopyMembers { to, to_offset, from, from_offset, bytes, .. } => {
                    add(*from, *from_offset, *bytes, false);
                    add(*to, *to_offset, *bytes, true);
                }
                Op::ZeroBytes { to, bytes } => add(*to, 0, *bytes, true),
                Op::Call { .. } => found.push(LaneAccess {
                    at,
                    address: None,
                    bytes: 0,
                    volatile: false,
                    writes: true,
                    atomic: false,
                    compares: false,
                    constant: None,
                    origin: Origin::Unknown,
                }),
                _ => {}
            }
        }
    }
    found
}

/// A local that changes by the same step in each round of a loop.
#[derive(Clone, Debug)]
pub struct Counter {
    pub local: Local,
    /// The loop's number.
    pub of: usize,
    /// What it begins with: the op that writes it before the loop, and where.
    pub init: Place,
    /// What is added, a local that does not change in the loop; subtracted where `down`.
    pub step: Local,
    pub down: bool,
    /// Where it is stepped.
    pub stepped: Place,
    /// The loop goes on where `local op bound`.
    pub bound: Option<(Compare, Local, Place)>,
}

/// A condition that holds where an access is done.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    pub cond: Local,
    pub holds: bool,
    pub at: Place,
}

/// What is known of a kernel.
pub struct LockstepFacts {
    pub function: Function,
    pub dominators: Dominators,
    pub uniform: Uniformity,
    /// Where a local is written, if that is one place and before every read.
    pub values: Vec<Option<Place>>,
    /// Where each local is written.
    pub writers: Vec<Vec<Place>>,
    pub loops: Vec<Loop>,
    pub counters: Vec<Counter>,
    /// For each access.
    pub guards: Vec<Vec<Guard>>,
    /// For each access, the locals that its address and guards depend on and that change.
    pub changing: Vec<Vec<Local>>,
    pub predecessors: Vec<Vec<BlockId>>,
    /// Some pointer may lead to shared memory without being known to.
    pub shared_escapes: bool,
}

impl LockstepFacts {
    pub fn of(function: &Function, accesses: &[LaneAccess]) -> LockstepFacts {
        let dominators = Dominators::new(function);
        let values = dominators::values(function, &dominators);
        // Sites are counted from 1.
        let values =
            values.into_iter().map(|site| site.map(|(block, at)| (block, at.wrapping_sub(1)))).collect();
        let mut writers = vec![Vec::new(); function.locals.len()];
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                if let Some(dst) = inst.op.dst() {
                    writers[dst.index()].push((BlockId(b as u32), i as u32));
                }
            }
        }
        let loops = control::loops(function, &dominators);
        let mut facts = LockstepFacts {
            uniform: uniformity(function, Scope::Together),
            values,
            writers,
            loops,
            counters: Vec::new(),
            guards: Vec::new(),
            changing: Vec::new(),
            predecessors: cfg::predecessors(function),
            shared_escapes: shared_escapes(function),
            function: function.clone(),
            dominators,
        };
        facts.counters = (0..facts.loops.len()).flat_map(|number| facts.counters_of(number)).collect();
        facts.guards = accesses.iter().map(|access| facts.guards_of(access.at)).collect();
        facts.changing = accesses.iter().zip(&facts.guards).map(|(a, g)| facts.changing_of(a, g)).collect();
        facts
    }

    pub fn op(&self, (block, at): Place) -> Option<&Op> {
        self.function.blocks[block.index()].insts.get(at as usize).map(|inst| &inst.op)
    }

    /// Whether `a` is done before `b` on every way.
    pub fn before(&self, a: Place, b: Place) -> bool {
        if a.0 == b.0 { a.1 < b.1 } else { self.dominators.dominates(a.0, b.0) }
    }

    /// The op that writes a local that is a value.
    pub fn definition(&self, local: Local) -> Option<&Op> {
        self.op(self.values[local.index()]?)
    }

    /// The counter that a local is at a place.
    pub fn counter(&self, local: Local, at: Place) -> Option<&Counter> {
        let here = |counter: &&Counter| counter.local == local && self.loops[counter.of].contains(at.0);
        self.counters.iter().filter(here).min_by_key(|counter| self.loops[counter.of].body.len())
    }

    fn counters_of(&self, number: usize) -> Vec<Counter> {
        let found = &self.loops[number];
        let [latch] = found.latches[..] else { return Vec::new() };
        let outside: Vec<BlockId> = self.predecessors[found.head.index()]
            .iter()
            .copied()
            .filter(|from| !found.contains(*from))
            .collect();
        let [entry] = outside[..] else { return Vec::new() };
        let mut counters = Vec::new();
        for local in (0..self.function.locals.len() as u32).map(Local) {
            let inside: Vec<Place> =
                self.writers[local.index()].iter().copied().filter(|at| found.contains(at.0)).collect();
            let [stepped] = inside[..] else { continue };
            if self.values[local.index()].is_some() || !self.dominators.dominates(stepped.0, latch) {
                continue;
            }
            // Once a round: not in a loop within this one.
            let is_inner = |inner: &Loop| {
                inner.head != found.head && inner.contains(stepped.0) && found.contains(inner.head)
            };
            if self.loops.iter().any(is_inner) {
                continue;
            }
            let Some((step, down)) = self.step(local, stepped) else { continue };
            if !self.is_invariant(step, found) {
                continue;
            }
            let Some(init) = self.written_before(local, entry) else { continue };
            let bound = self.bound(local, found, latch, stepped);
            counters.push(Counter { local, of: number, init, step, down, stepped, bound });
        }
        counters
    }

    /// The step of `local = local + step`.
    fn step(&self, local: Local, at: Place) -> Option<(Local, bool)> {
        let mut op = self.op(at)?;
        if let Op::Copy { src, .. } = op {
            op = self.definition(*src)?;
        }
        match op {
            Op::Binary { op: Binary::Add, a, b, .. } if *a == local => Some((*b, false)),
            Op::Binary { op: Binary::Add, a, b, .. } if *b == local => Some((*a, false)),
            Op::Binary { op: Binary::Sub, a, b, .. } if *a == local => Some((*b, true)),
            _ => None,
        }
    }

    fn is_invariant(&self, local: Local, found: &Loop) -> bool {
        let mut seen = BitSet::new(self.function.locals.len());
        let mut work = vec![local];
        while let Some(local) = work.pop() {
            if !seen.insert(local.index()) {
                continue;
            }
            let Some(at) = self.values[local.index()] else { return false };
            if found.contains(at.0) {
                let Some(op) = self.op(at).filter(|op| op.is_pure()) else { return false };
                op.visit_uses(|used| work.push(used));
            }
        }
        true
    }

    /// The only write of a local that reaches the end of a block, as far as one way leads back.
    fn written_before(&self, local: Local, mut block: BlockId) -> Option<Place> {
        for _ in 0..self.function.blocks.len() {
            let last = self.writers[local.index()].iter().filter(|at| at.0 == block).max();
            if let Some(at) = last {
                return Some(*at);
            }
            // What dominates and is not left between: no write anywhere else can reach from there.
            let parent = self.dominators.parent(block)?;
            let between = |at: &Place| {
                at.0 != parent && self.dominators.dominates(parent, at.0) && self.reaches(at.0, block, parent)
            };
            if self.writers[local.index()].iter().any(between) {
                return None;
            }
            block = parent;
        }
        None
    }

    /// Whether a way leads from a block to another one without passing a third.
    fn reaches(&self, from: BlockId, to: BlockId, without: BlockId) -> bool {
        let mut seen = BitSet::new(self.function.blocks.len());
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            if block == to {
                return true;
            }
            if block != without && seen.insert(block.index()) {
                work.extend(self.function.blocks[block.index()].end.successors());
            }
        }
        false
    }

    fn bound(
        &self,
        local: Local,
        found: &Loop,
        latch: BlockId,
        stepped: Place,
    ) -> Option<(Compare, Local, Place)> {
        for tested in [found.head, latch] {
            let block: &Block = &self.function.blocks[tested.index()];
            let End::Branch { cond, then, otherwise } = block.end else { continue };
            if found.contains(then) == found.contains(otherwise) {
                continue;
            }
            let Some(Op::Compare { op, a, b, .. }) = self.definition(cond) else { continue };
            let at = self.values[cond.index()]?;
            let is_counter = |side: Local| {
                side == local
                    || matches!(self.definition(side),
                        Some(Op::Convert { kind: Convert::SignExtend | Convert::ZeroExtend, src, .. } | Op::Copy { src, .. })
                            if *src == local)
            };
            let (op, bound) = if is_counter(*a) && self.is_invariant(*b, found) {
                (*op, *b)
            } else if is_counter(*b) && self.is_invariant(*a, found) {
                (mirrored(*op), *a)
            } else {
                continue;
            };
            let op = if found.contains(then) { op } else { opposite(op)? };
            // What is tested behind the step bounds the next round.
            if self.before(stepped, at) {
                continue;
            }
            return Some((op, bound, at));
        }
        None
    }

    /// The branches that lead to a place and whose conditions have not changed since.
    pub fn guards_of(&self, at: Place) -> Vec<Guard> {
        let mut guards = Vec::new();
        let mut block = at.0;
        while let Some(parent) = self.dominators.parent(block) {
            if let End::Branch { cond, then, otherwise } = self.function.blocks[parent.index()].end
                && then != otherwise
                && self.predecessors[block.index()].len() == 1
                && self.predecessors[block.index()][0] == parent
                && self.is_computed(cond)
            {
                let place = (parent, self.function.blocks[parent.index()].insts.len() as u32);
                let guard = Guard { cond, holds: block == then, at: place };
                let mut used = Vec::new();
                self.collect_changing(cond, place, &mut used);
                let changed = |local: &Local| {
                    self.writers[local.index()].iter().any(|write| {
                        write.0 != parent
                            && (write.0 != at.0 || write.1 < at.1)
                            && self.reaches(block, write.0, parent)
                            && self.reaches(write.0, at.0, parent)
                    })
                };
                if !used.iter().any(changed) {
                    guards.push(guard);
                }
            }
            block = parent;
        }
        guards
    }

    /// Whether a local's value follows from the launch, the thread and locals that change, and not from memory.
    fn is_computed(&self, local: Local) -> bool {
        let mut seen = BitSet::new(self.function.locals.len());
        let mut work = vec![local];
        while let Some(local) = work.pop() {
            if !seen.insert(local.index()) {
                continue;
            }
            if let Some(at) = self.values[local.index()] {
                let Some(op) = self.op(at).filter(|op| op.is_pure()) else { return false };
                op.visit_uses(|used| work.push(used));
            }
        }
        true
    }

    fn changing_of(&self, access: &LaneAccess, guards: &[Guard]) -> Vec<Local> {
        let mut found = Vec::new();
        if let Some((address, _)) = access.address {
            self.collect_changing(address, access.at, &mut found);
        }
        for guard in guards {
            self.collect_changing(guard.cond, guard.at, &mut found);
        }
        found
    }

    /// The locals, neither values nor counters, that an op's result depends on, or that decide whether the op runs.
    pub fn changing_used(&self, at: Place, guards: &[Guard]) -> Vec<Local> {
        let (mut used, mut found) = (Vec::new(), Vec::new());
        if let Some(op) = self.op(at) {
            op.visit_uses(|local| used.push(local));
        }
        for local in used {
            self.collect_changing(local, at, &mut found);
        }
        for guard in guards {
            self.collect_changing(guard.cond, guard.at, &mut found);
        }
        found
    }

    /// The locals that a local's value depends on and that are neither values nor counters.
    fn collect_changing(&self, local: Local, at: Place, found: &mut Vec<Local>) {
        let mut seen = BitSet::new(self.function.locals.len());
        let mut work = vec![(local, at)];
        while let Some((local, at)) = work.pop() {
            match self.values[local.index()] {
                Some(place) => {
                    if let Some(op) = self.op(place).filter(|op| op.is_pure() && seen.insert(local.index())) {
                        op.visit_uses(|used| work.push((used, place)));
                    }
                }
                None if self.counter(local, at).is_some() || found.contains(&local) => {}
                None => found.push(local),
            }
        }
    }

    /// The parameters that addresses and branches depend on.
    pub fn inputs(&self) -> Vec<(u32, u32)> {
        let mut seen = BitSet::new(self.function.locals.len());
        let mut work: Vec<Local> = Vec::new();
        for block in &self.function.blocks {
            work.extend(block.end.used());
            for inst in &block.insts {
                if let Op::Load { addr, .. }
                | Op::Store { addr, .. }
                | Op::Atomic { addr, .. }
                | Op::CompareAndSwap { addr, .. } = inst.op
                {
                    work.push(addr);
                }
                if let Op::CopyBytes { to, from, .. } | Op::CopyMembers { to, from, .. } = inst.op {
                    work.extend([to, from]);
                }
            }
        }
        let origins = provenance(&self.function);
        let mut inputs = Vec::new();
        while let Some(local) = work.pop() {
            if !seen.insert(local.index()) {
                continue;
            }
            for &at in &self.writers[local.index()] {
                let Some(op) = self.op(at) else { continue };
                if let Op::Parameter { dst, offset } = op
                    && !matches!(origins[dst.index()], Origin::Parameter(_))
                {
                    let input = (*offset, self.function.locals[dst.index()].ty.bytes());
                    if !inputs.contains(&input) {
                        inputs.push(input);
                    }
                }
                if op.is_pure() {
                    op.visit_uses(|used| work.push(used));
                }
            }
        }
        inputs
    }
}

/// How deep expressions are looked at.
pub const MAX_DEPTH: u32 = 48;

fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::LtS => Compare::GtS,
        Compare::LeS => Compare::GeS,
        Compare::GtS => Compare::LtS,
        Compare::GeS => Compare::LeS,
        Compare::LtU => Compare::GtU,
        Compare::LeU => Compare::GeU,
        Compare::GtU => Compare::LtU,
        Compare::GeU => Compare::LeU,
        other => other,
    }
}

fn opposite(op: Compare) -> Option<Compare> {
    Some(match op {
        Compare::LtS => Compare::GeS,
        Compare::LeS => Compare::GtS,
        Compare::GtS => Compare::LeS,
        Compare::GeS => Compare::LtS,
        Compare::LtU => Compare::GeU,
        Compare::LeU => Compare::GtU,
        Compare::GtU => Compare::LeU,
        Compare::GeU => Compare::LtU,
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        _ => return None,
    })
}

/// Whether the address of shared memory becomes a pointer of unknown origin: it is stored, given to a function, or one of
/// several that a local may be.
fn shared_escapes(function: &Function) -> bool {
    let origins = provenance(function);
    let is_shared =
        |local: Local| matches!(origins[local.index()], Origin::Shared(_) | Origin::DynamicShared);
    function.blocks.iter().flat_map(|block| &block.insts).any(|inst| match &inst.op {
        Op::Store { src, .. } => is_shared(*src),
        Op::Call { args, .. } => args.iter().any(|arg| is_shared(*arg)),
        op => {
            let unknown = op.dst().is_some_and(|dst| origins[dst.index()] == Origin::Unknown);
            let mut from_shared = false;
            op.visit_uses(|used| from_shared |= is_shared(used));
            unknown
                && from_shared
                && !matches!(op, Op::Load { .. } | Op::Atomic { .. } | Op::CompareAndSwap { .. })
        }
    })
}
