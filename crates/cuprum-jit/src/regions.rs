//! Kernels cut where threads wait: regions that run without waiting, and what each thread keeps between them.

use std::mem::offset_of;

use cuprum_kernel::ir::{self, Block, BlockId, End, Function, Local, Op};
use cuprum_kernel::passes::analysis::{
    Liveness, Scope, Uniformity, liveness, program_order, short_loops, uniformity,
};
use cuprum_kernel::{Diagnostic, Span};

use crate::context::{DONE, Exchange, WARP};
use crate::facts::FunctionFacts;
use crate::runtime::warp;

/// Where threads wait, and go on.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The first block of the region.
    pub block: BlockId,
    /// What the threads wait for; none for the kernel's beginning.
    pub wait: Option<Op>,
    /// The place of the wait.
    pub span: Span,
    /// Locals that are read before they are written from here on.
    pub live: Vec<Local>,
    /// What is known of a collective.
    pub operands: Operands,
    /// Its place in the order of the program: lanes of a warp that are behind go first.
    pub order: u32,
}

/// The operands of a collective that are the same numbers always: lanes do not bring them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Operands {
    mask: Option<u32>,
    lane: Option<u32>,
    width: Option<u32>,
}

impl Operands {
    fn of(facts: &FunctionFacts, function: &Function, wait: Option<&Op>) -> Operands {
        let number = |local: Local| facts.constant(function, local).map(|bits| bits as u32);
        match wait {
            Some(Op::SyncWarp { mask }) => Operands { mask: number(*mask), ..Operands::default() },
            Some(Op::Warp { op, mask, lane, width, .. }) => {
                let is_shuffle = op.is_shuffle();
                Operands {
                    mask: number(*mask),
                    lane: if is_shuffle { number(*lane) } else { Some(0) },
                    width: if is_shuffle { number(*width) } else { Some(WARP) },
                }
            }
            _ => Operands::default(),
        }
    }

    /// A lane's mask.
    pub(crate) fn mask(&self, warp: &Exchange, lane: usize) -> u32 {
        self.mask.unwrap_or(warp.mask[lane])
    }

    /// Whether the mask is always that of a whole warp.
    pub(crate) fn means_everyone(&self) -> bool {
        self.mask == Some(u32::MAX)
    }

    /// The lane, delta or lane mask that a lane shuffles by.
    pub(crate) fn lane(&self, warp: &Exchange, lane: usize) -> u32 {
        self.lane.unwrap_or(warp.lane[lane])
    }

    /// The width of the groups that a lane shuffles in.
    pub(crate) fn width(&self, warp: &Exchange, lane: usize) -> u32 {
        self.width.unwrap_or(warp.width[lane])
    }

    /// The operands of an op that lanes bring, with where they stand.
    pub(crate) fn brought(&self, op: &Op) -> Vec<(Local, usize)> {
        let all = match op {
            Op::SyncWarp { mask } => vec![(self.mask, *mask, offset_of!(Exchange, mask))],
            Op::Warp { mask, lane, width, .. } => vec![
                (self.mask, *mask, offset_of!(Exchange, mask)),
                (self.lane, *lane, offset_of!(Exchange, lane)),
                (self.width, *width, offset_of!(Exchange, width)),
            ],
            _ => Vec::new(),
        };
        all.into_iter().filter(|(known, ..)| known.is_none()).map(|(_, local, at)| (local, at)).collect()
    }
}

impl Entry {
    /// The lane that each lane of a full warp reads from, where the wait is a shuffle for which that is known.
    pub(crate) fn sources(&self) -> Option<[u8; WARP as usize]> {
        let Some(Op::Warp { op, .. }) = &self.wait else { return None };
        let (lane, width) = (self.operands.lane?, self.operands.width?);
        op.is_shuffle().then(|| std::array::from_fn(|own| warp::source(*op, own as u32, lane, width) as u8))
    }
}

/// A kernel cut at its waits.
pub(crate) struct Cut {
    /// The kernel; a block that ends in a wait jumps to the block behind it.
    pub function: Function,
    /// The regions; the kernel's beginning first.
    pub entries: Vec<Entry>,
    /// For each block, the region that begins behind it where it ends in a wait.
    pub waits: Vec<Option<u32>>,
    /// For each local, its place in the frame where it has one: bytes for one thread.
    pub places: Vec<Option<u32>>,
    /// Bytes of a thread's frame.
    pub frame: u32,
    pub facts: FunctionFacts,
    pub live: Liveness,
    /// What all threads of a block have in common.
    pub uniform: Uniformity,
}

/// What regions do with each local.
pub(crate) struct LocalUses {
    pub used: Vec<bool>,
    pub written: Vec<bool>,
}

/// How many ops deep a value is computed again rather than kept.
const RECOMPUTE_DEPTH: u32 = 4;

impl Cut {
    pub(crate) fn of(module: &ir::Module, function: &Function) -> Result<Cut, Diagnostic> {
        // Cutting keeps the heads of loops, but not the form that their rounds are counted by.
        let short = short_loops(function);
        let mut function = function.clone();
        let (entries, mut waits) = cut(&mut function);
        cut_for_lanes(&mut function, &mut waits);
        let facts = FunctionFacts::of(module, &function).with_short_loops(short);
        let live = liveness(&function);
        let uniform = uniformity(&function, Scope::Block);
        let places = vec![None; function.locals.len()];
        let mut cut = Cut { places, function, entries, waits, frame: 0, facts, live, uniform };
        cut.describe_entries();
        cut.lay_out();
        if u64::from(cut.frame) * u64::from(WARP) > i32::MAX as u64 {
            return Err(Diagnostic::error(
                cut.function.span,
                format!("too many values are kept across barriers: {} bytes for each thread", cut.frame),
            ));
        }
        Ok(cut)
    }

    /// Whether all threads of a block are at a wait at the same time, each for the same time: a barrier, where no barrier
    /// of the kernel is on a way that only some threads take.
    pub(crate) fn comes_together(&self, entry: &Entry) -> bool {
        let of_block =
            |entry: &Entry| matches!(entry.wait, Some(Op::Barrier(_) | Op::GridSync | Op::ClusterSync));
        let apart = |entry: &Entry| of_block(entry) && self.uniform.is_divergent(entry.block);
        of_block(entry) && !self.entries.iter().any(apart)
    }

    /// Whether any thread ever waits.
    pub(crate) fn waits(&self) -> bool {
        self.entries.len() > 1
    }

    fn describe_entries(&mut self) {
        let order = program_order(&self.function);
        for entry in &mut self.entries {
            let received = entry.wait.as_ref().and_then(Op::dst);
            let needed = self.live.live_in(entry.block.index());
            entry.live = needed.filter(|local| Some(*local) != received).collect();
            entry.operands = Operands::of(&self.facts, &self.function, entry.wait.as_ref());
            entry.order = order[entry.block.index()];
        }
    }

    fn lay_out(&mut self) {
        let mut kept: Vec<Local> = Vec::new();
        for entry in self.entries.iter().skip(1) {
            for &local in &entry.live {
                if self.places[local.index()].is_none() && !self.recomputed(local) {
                    self.places[local.index()] = Some(0);
                    kept.push(local);
                }
            }
        }
        // The widest first: no gaps.
        kept.sort_by_key(|local| (std::cmp::Reverse(self.function.locals[local.index()].ty.bytes()), *local));
        for local in kept {
            self.places[local.index()] = Some(self.frame);
            self.frame += self.function.locals[local.index()].ty.bytes();
        }
        self.frame = self.frame.next_multiple_of(8);
    }

    /// Whether a local is computed anew behind a wait: it follows from the launch and the thread alone.
    pub(crate) fn recomputed(&self, local: Local) -> bool {
        self.recomputed_within(local, RECOMPUTE_DEPTH)
    }

    fn recomputed_within(&self, local: Local, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let Some(op) = self.facts.definition(&self.function, local) else { return false };
        match op {
            Op::Special { register: ir::Special::Clock, .. } => false,
            Op::Const { .. }
            | Op::Parameter { .. }
            | Op::Special { .. }
            | Op::SlotAddress { .. }
            | Op::SharedAddress { .. }
            | Op::DynamicShared { .. }
            | Op::GlobalAddress { .. }
            | Op::StringAddress { .. } => true,
            Op::Copy { src, .. } => self.recomputed_within(*src, depth - 1),
            Op::Convert {
                kind: ir::Convert::SignExtend | ir::Convert::ZeroExtend | ir::Convert::Narrow,
                src,
                ..
            } => self.recomputed_within(*src, depth - 1),
            Op::Binary {
                op: ir::Binary::Add | ir::Binary::Sub | ir::Binary::Mul | ir::Binary::And | ir::Binary::Or,
                a,
                b,
                ..
            } => self.recomputed_within(*a, depth - 1) && self.recomputed_within(*b, depth - 1),
            _ => false,
        }
    }

    /// How many instructions the blocks hold that a region runs through.
    pub(crate) fn size(&self, entry: &Entry) -> usize {
        let blocks = self.reached(&[entry.block]);
        blocks.iter().map(|block| self.function.blocks[block.index()].insts.len() + 1).sum()
    }

    /// The regions that threads of some regions go on with; `DONE` where they may return.
    pub(crate) fn exits(&self, entries: &[u32]) -> Vec<u32> {
        let starts: Vec<BlockId> = entries.iter().map(|entry| self.entries[*entry as usize].block).collect();
        let mut exits = Vec::new();
        for block in self.reached(&starts) {
            let exit = match (self.waits[block.index()], &self.function.blocks[block.index()].end) {
                (Some(region), _) => region,
                (None, End::Return(_) | End::Unreachable) => DONE,
                _ => continue,
            };
            if !exits.contains(&exit) {
                exits.push(exit);
            }
        }
        exits
    }

    /// What the regions of one machine function do with locals: which of them they read or write, and which they may
    /// have written when a thread waits again. The others stay in the frame as they are.
    pub(crate) fn touches(&self, entries: &[u32]) -> LocalUses {
        let count = self.function.locals.len();
        let mut found = LocalUses { used: vec![false; count], written: vec![entries.contains(&0); count] };
        let mut starts = Vec::new();
        for &entry in entries {
            let entry = &self.entries[entry as usize];
            starts.push(entry.block);
            if let Some(received) = entry.wait.as_ref().and_then(Op::dst) {
                found.used[received.index()] = true;
                found.written[received.index()] = true;
            }
        }
        for block in self.reached(&starts) {
            let block = &self.function.blocks[block.index()];
            for inst in &block.insts {
                inst.op.visit_uses(|local| found.used[local.index()] = true);
                if let Some(dst) = inst.op.dst() {
                    found.used[dst.index()] = true;
                    found.written[dst.index()] = true;
                }
            }
            if let Some(local) = block.end.used() {
                found.used[local.index()] = true;
            }
        }
        found
    }

    /// The blocks that are reached without waiting.
    pub(crate) fn reached(&self, starts: &[BlockId]) -> Vec<BlockId> {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut work = starts.to_vec();
        let mut reached = Vec::new();
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            reached.push(block);
            if self.waits[block.index()].is_none() {
                work.extend(self.function.blocks[block.index()].end.successors());
            }
        }
        reached
    }
}

/// Ends a block behind each wait.
fn cut(function: &mut Function) -> (Vec<Entry>, Vec<Option<u32>>) {
    let begin = Entry {
        block: BlockId(0),
        wait: None,
        span: function.span,
        live: Vec::new(),
        operands: Operands::default(),
        order: 0,
    };
    let mut entries = vec![begin];
    let mut waits = vec![None; function.blocks.len()];
    let mut next = 0;
    while next < function.blocks.len() {
        let block = &mut function.blocks[next];
        if let Some(at) = block.insts.iter().position(|inst| inst.op.suspends()) {
            let rest = block.insts.split_off(at + 1);
            let wait = block.insts[at].clone();
            let behind = BlockId(function.blocks.len() as u32);
            let block = &mut function.blocks[next];
            let end = std::mem::replace(&mut block.end, End::Jump(behind));
            let span = block.span;
            function.blocks.push(Block { insts: rest, end, span });
            waits.push(None);
            waits[next] = Some(entries.len() as u32);
            let (wait, span) = (Some(wait.op), wait.span);
            entries.push(Entry {
                block: behind,
                wait,
                span,
                live: Vec::new(),
                operands: Operands::default(),
                order: 0,
            });
        }
        next += 1;
    }
    (entries, waits)
}

/// Splits blocks at the points where lanes may leave the vector path: before branches, and before an integer is widened,
/// since there a wrap of the narrow integer would show.
fn cut_for_lanes(function: &mut Function, waits: &mut Vec<Option<u32>>) {
    let mut next = 0;
    while next < function.blocks.len() {
        let block = &function.blocks[next];
        let widens = |inst: &ir::Inst| {
            matches!(inst.op, Op::Convert { kind: ir::Convert::SignExtend | ir::Convert::ZeroExtend, dst, src }
                if function.locals[dst.index()].ty == ir::Type::I64 && function.locals[src.index()].ty == ir::Type::I32)
        };
        let branches =
            waits[next].is_none() && matches!(block.end, End::Branch { .. }) && !block.insts.is_empty();
        let inner = block.insts.iter().skip(1).position(widens).map(|at| at + 1);
        if let Some(at) = inner.or(branches.then_some(block.insts.len())) {
            let behind = BlockId(function.blocks.len() as u32);
            let block = &mut function.blocks[next];
            let rest = block.insts.split_off(at);
            let end = std::mem::replace(&mut block.end, End::Jump(behind));
            let span = block.span;
            function.blocks.push(Block { insts: rest, end, span });
            let wait = waits[next].take();
            waits.push(wait);
        }
        next += 1;
    }
}
