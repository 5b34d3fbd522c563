//! Loops over small local arrays are written out, so that every index is a number and the array becomes locals:
//! `float sum[4]; for (int i = 0; i < 4; ++i) sum[i] = 0;`. So are short loops of shuffles, whose distances are then
//! numbers: `for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(mask, sum, by);`.
//!
//! Only arrays whose indices all come from counters with a known start, step and end are worth it. The loop is copied
//! once for each value of its counter; what tests and branches are then known is left to the other passes.

use std::collections::HashMap;

use super::analysis::{Origin, provenance};
use super::control::{self, Loop};
use super::dominators::{self, Dominators, Site};
use super::fold;
use crate::ir::{Binary, Block, BlockId, Compare, End, Function, Inst, Local, LocalInfo, Op, Type};

/// The most rounds of a loop that is written out.
const MAX_ROUNDS: u64 = 64;
/// The most instructions that one loop becomes.
const MAX_LOOP_INSTS: usize = 2_000;
/// A function of more instructions is left as it is.
const MAX_FUNCTION_INSTS: usize = 6_000;
/// Larger arrays stay memory in any case.
const MAX_BYTES: u64 = 512;
/// The most waits that loops of shuffles become: each is a function of its own for the back end.
const MAX_WAITS: usize = 24;

/// Writes out the innermost loops that index local arrays or shuffle. Returns whether there were any.
pub fn unroll(function: &mut Function) -> bool {
    let insts: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    let all = || function.blocks.iter().flat_map(|block| &block.insts);
    let waits = all().filter(|inst| inst.op.suspends()).count();
    if function.slots.is_empty() && waits == 0 || insts > MAX_FUNCTION_INSTS {
        return false;
    }
    let dominators = Dominators::new(function);
    let loops = control::loops(function, &dominators);
    if loops.is_empty() {
        return false;
    }
    let sites = dominators::values(function, &dominators);
    let counted: Vec<Option<Counter>> =
        loops.iter().map(|found| Counter::of(function, &sites, &dominators, found)).collect();
    let wanted = wanted_counters(function, &sites, &counted);
    let distances = distance_counters(function, &sites, &counted);
    let mut is_head = vec![false; function.blocks.len()];
    for found in &loops {
        is_head[found.head.index()] = true;
    }
    let mut room = MAX_FUNCTION_INSTS.saturating_sub(insts);
    let mut room_for_waits = MAX_WAITS.saturating_sub(waits);
    let mut taken = Vec::new();
    for (index, counter) in counted.into_iter().enumerate() {
        let found = &loops[index];
        let is_wanted = |local: Local| wanted.contains(&local) || distances.contains(&local);
        let Some(counter) = counter.filter(|counter| is_wanted(counter.local)) else { continue };
        // Innermost loops are apart from each other: each is written out as if it were the only one.
        let is_innermost = found.body.iter().all(|&block| block == found.head || !is_head[block.index()]);
        let blocks = || found.body.iter().map(|block| &function.blocks[block.index()]);
        let size: usize = blocks().map(|block| block.insts.len() + 1).sum();
        let waits = blocks().flat_map(|block| &block.insts).filter(|inst| inst.op.suspends()).count();
        let waits = waits * counter.values.len();
        let becomes = size.saturating_mul(counter.values.len());
        let shuffles = waits == 0 || distances.contains(&counter.local) && waits <= room_for_waits;
        if is_innermost && shuffles && becomes <= MAX_LOOP_INSTS.min(room) {
            room -= becomes;
            room_for_waits -= waits;
            taken.push((index, counter));
        }
    }
    for (index, counter) in &taken {
        write_out(function, &loops[*index], counter, &sites);
    }
    !taken.is_empty()
}

/// The rounds of a loop, times those of loops in it, up to which it is short.
const MAX_SHORT_TRIPS: u64 = 1 << 12;

/// The heads of loops that a counter ends after a few rounds, whatever else they do, with the loops in them. Their own way
/// back needs no look at the clock: that of loops around them is enough.
pub fn short_loops(function: &Function) -> Vec<BlockId> {
    let dominators = Dominators::new(function);
    let mut loops = control::loops(function, &dominators);
    if loops.is_empty() {
        return Vec::new();
    }
    let sites = dominators::values(function, &dominators);
    // By the head's number; 1 where there is no loop that a counter ends.
    let mut rounds = vec![1; function.blocks.len()];
    loops.retain(|found| {
        let counter = Counter::of(function, &sites, &dominators, found);
        rounds[found.head.index()] = counter.as_ref().map_or(1, |counter| counter.values.len() as u64);
        counter.is_some()
    });
    let all_rounds =
        |found: &Loop| found.body.iter().fold(1, |all: u64, block| all.saturating_mul(rounds[block.index()]));
    loops.iter().filter(|found| all_rounds(found) <= MAX_SHORT_TRIPS).map(|found| found.head).collect()
}

/// A loop's counter: one local that changes by a fixed step at the loop's end.
struct Counter {
    local: Local,
    /// Where in the latch it is stepped.
    step_at: usize,
    /// Its value in each round, with the round that only finds the loop's end.
    values: Vec<u64>,
}

impl Counter {
    fn of(
        function: &Function,
        sites: &[Option<Site>],
        dominators: &Dominators,
        found: &Loop,
    ) -> Option<Counter> {
        let [latch] = found.latches[..] else { return None };
        if !dominators.dominates(found.head, latch) {
            return None;
        }
        let constants = Constants { function, sites };
        let in_loop = |block: BlockId| found.contains(block);
        // The test: in the head or in the latch, one way out of the loop.
        for tested in [found.head, latch] {
            let End::Branch { cond, then, otherwise } = function.blocks[tested.index()].end else { continue };
            if in_loop(then) == in_loop(otherwise) {
                continue;
            }
            let Some((compared_at, Op::Compare { op, a, b, .. })) = definition_in(function, tested, cond)
            else {
                continue;
            };
            let (op, variable, bound) = match (constants.of(*a), constants.of(*b)) {
                (None, Some(bound)) => (*op, *a, bound),
                (Some(bound), None) => (mirrored(*op)?, *b, bound),
                _ => continue,
            };
            let go_on = in_loop(then);
            if let Some(counter) =
                Counter::count(&constants, found, latch, tested, (op, variable, bound, go_on), compared_at)
            {
                return Some(counter);
            }
        }
        None
    }

    fn count(
        constants: &Constants<'_>,
        found: &Loop,
        latch: BlockId,
        tested: BlockId,
        test: (Compare, Local, u64, bool),
        compared_at: usize,
    ) -> Option<Counter> {
        let function = constants.function;
        let (op, variable, bound, go_on) = test;
        // What is tested is the counter, or (behind its step) its next value.
        let (local, step, step_at) = stepped(constants, found, latch, variable)?;
        let after_step = variable != local || (tested == latch && compared_at > step_at);
        let ty = function.locals[local.index()].ty;
        let start = start_value(constants, found, local)?;
        let mut values = Vec::new();
        let mut value = start;
        loop {
            values.push(value);
            if values.len() as u64 > MAX_ROUNDS {
                return None;
            }
            let next = fold::binary(step.0, ty, value, step.1);
            let looked_at = if after_step { next } else { value };
            if fold::compare(op, ty, looked_at, bound) != go_on {
                return Some(Counter { local, step_at, values });
            }
            value = next;
        }
    }
}

/// The number that a local always is.
struct Constants<'a> {
    function: &'a Function,
    sites: &'a [Option<Site>],
}

impl Constants<'_> {
    fn definition(&self, local: Local) -> Option<&Op> {
        let (block, number) = self.sites[local.index()]?;
        let position = (number as usize).checked_sub(1)?;
        Some(&self.function.blocks[block.index()].insts[position].op)
    }

    fn of(&self, local: Local) -> Option<u64> {
        match self.definition(local)? {
            Op::Const { bits, .. } => Some(*bits),
            _ => None,
        }
    }
}

/// The instruction of a block that gives a local its last value there, and its position.
fn definition_in(function: &Function, block: BlockId, local: Local) -> Option<(usize, &Op)> {
    let insts = function.blocks[block.index()].insts.iter().map(|inst| &inst.op).enumerate();
    insts.rev().find(|(_, op)| op.dst() == Some(local))
}

/// The counter behind a tested local, its step, and where in the latch it is stepped: its only write in the loop.
fn stepped(
    constants: &Constants<'_>,
    found: &Loop,
    latch: BlockId,
    tested: Local,
) -> Option<(Local, (Binary, u64), usize)> {
    let function = constants.function;
    let mut result = None;
    for &id in &found.body {
        for (i, inst) in function.blocks[id.index()].insts.iter().enumerate() {
            let Some(dst) = inst.op.dst() else { continue };
            let step = match &inst.op {
                op @ Op::Binary { .. } => step_by(constants, op, dst),
                Op::Copy { src, .. } => constants.definition(*src).and_then(|op| step_by(constants, op, dst)),
                _ => None,
            };
            let step = step.map(|step| (dst, step));
            let Some((counter, step)) = step else { continue };
            // Tested is the counter itself, or the sum that it is stepped to.
            let is_tested = counter == tested || matches!(&inst.op, Op::Copy { src, .. } if *src == tested);
            if is_tested && id == latch {
                result = Some((counter, step, i));
            }
        }
    }
    let (counter, _, _) = result?;
    let insts = found.body.iter().flat_map(|id| &function.blocks[id.index()].insts);
    let writes = insts.filter(|inst| inst.op.dst() == Some(counter));
    if writes.count() == 1 { result } else { None }
}

/// What an op does to a counter, and with which number.
fn step_by(constants: &Constants<'_>, op: &Op, counter: Local) -> Option<(Binary, u64)> {
    use Binary::{Add, DivS, DivU, Mul, Shl, ShrS, ShrU, Sub};
    match op {
        Op::Binary { op: op @ (Add | Sub | Mul | Shl | ShrS | ShrU | DivS | DivU), a, b, .. }
            if *a == counter =>
        {
            constants.of(*b).map(|by| (*op, by))
        }
        _ => None,
    }
}

/// The number that a counter has where the loop is entered.
fn start_value(constants: &Constants<'_>, found: &Loop, counter: Local) -> Option<u64> {
    let function = constants.function;
    let mut outside = super::cfg::predecessors(function)[found.head.index()].clone();
    outside.retain(|from| !found.contains(*from));
    let [from] = outside[..] else { return None };
    match definition_in(function, from, counter)?.1 {
        Op::Const { bits, .. } => Some(*bits),
        Op::Copy { src, .. } => constants.of(*src),
        _ => None,
    }
}

fn mirrored(op: Compare) -> Option<Compare> {
    Some(match op {
        Compare::Eq | Compare::Ne => op,
        Compare::LtS => Compare::GtS,
        Compare::LeS => Compare::GeS,
        Compare::GtS => Compare::LtS,
        Compare::GeS => Compare::LeS,
        Compare::LtU => Compare::GtU,
        Compare::LeU => Compare::GeU,
        Compare::GtU => Compare::LtU,
        Compare::GeU => Compare::LeU,
        _ => return None,
    })
}

/// The counters that stand in indices of arrays of which every index is known once loops are written out.
fn wanted_counters(function: &Function, sites: &[Option<Site>], counted: &[Option<Counter>]) -> Vec<Local> {
    let constants = Constants { function, sites };
    let counters: Vec<Local> = counted.iter().flatten().map(|counter| counter.local).collect();
    if counters.is_empty() {
        return Vec::new();
    }
    let origins = provenance(function);
    let mut usable: Vec<bool> = function.slots.iter().map(|slot| slot.bytes <= MAX_BYTES).collect();
    let mut found: Vec<Vec<Local>> = vec![Vec::new(); function.slots.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let is_address = |local: Local| match &inst.op {
            Op::Load { addr, volatile: false, .. } => *addr == local,
            Op::Store { addr, src, volatile: false, .. } => *addr == local && *src != local,
            Op::CopyBytes { .. } | Op::ZeroBytes { .. } | Op::CheckAligned { .. } => true,
            _ => false,
        };
        inst.op.visit_uses(|local| {
            let Origin::Slot(slot) = origins[local.index()] else { return };
            if is_address(local) {
                usable[slot.index()] &=
                    index_counters(&constants, &counters, local, &mut found[slot.index()]);
            } else {
                // Sums of addresses are looked at where they are used; anything else takes the address away.
                let stays = inst.op.dst().is_some_and(|dst| origins[dst.index()] == Origin::Slot(slot));
                usable[slot.index()] &=
                    stays && matches!(inst.op, Op::Binary { op: Binary::Add, .. } | Op::Copy { .. });
            }
        });
    }
    let mut wanted: Vec<Local> = Vec::new();
    for (slot, counters) in found.into_iter().enumerate() {
        if usable[slot] {
            wanted.extend(counters);
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// The counters that say how far the values of shuffles go.
fn distance_counters(function: &Function, sites: &[Option<Site>], counted: &[Option<Counter>]) -> Vec<Local> {
    let constants = Constants { function, sites };
    let counters: Vec<Local> = counted.iter().flatten().map(|counter| counter.local).collect();
    let mut found = Vec::new();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Warp { op, lane, .. } = inst.op
            && op.is_shuffle()
        {
            let mut of_lane = Vec::new();
            if index_counters(&constants, &counters, lane, &mut of_lane) {
                found.extend(of_lane);
            }
        }
    }
    found
}

/// Whether an index follows from numbers and counters alone; adds the counters.
fn index_counters(
    constants: &Constants<'_>,
    counters: &[Local],
    address: Local,
    found: &mut Vec<Local>,
) -> bool {
    let mut work = vec![address];
    let mut looked_at = 0;
    while let Some(local) = work.pop() {
        looked_at += 1;
        if looked_at > 64 {
            return false;
        }
        if counters.contains(&local) {
            found.push(local);
            continue;
        }
        match constants.definition(local) {
            Some(op @ (Op::Copy { .. } | Op::Binary { .. } | Op::Convert { .. } | Op::Unary { .. })) => {
                op.visit_uses(|read| work.push(read));
            }
            Some(Op::Const { .. } | Op::SlotAddress { .. }) => {}
            _ => return false,
        }
    }
    true
}

/// Copies the loop once for each value of its counter.
fn write_out(function: &mut Function, found: &Loop, counter: &Counter, sites: &[Option<Site>]) {
    let latch = found.latches[0];
    let body = &found.body;
    let own = own_values(function, found, sites);
    let rounds = counter.values.len();
    let first = function.blocks.len() as u32;
    let place = |round: usize, block: BlockId| {
        let position = body.binary_search(&block).unwrap_or(0);
        BlockId(first + (round * body.len() + position) as u32)
    };
    let end = BlockId(first + (rounds * body.len()) as u32);
    for (round, &value) in counter.values.iter().enumerate() {
        let ty = function.locals[counter.local.index()].ty;
        let known = new_local(function, ty);
        let names: HashMap<Local, Local> = own
            .iter()
            .map(|&local| (local, new_local(function, function.locals[local.index()].ty)))
            .collect();
        let renamed = |local: Local| names.get(&local).copied().unwrap_or(local);
        for &block in body {
            let source = &function.blocks[block.index()];
            let mut insts = Vec::with_capacity(source.insts.len() + 2);
            if block == found.head {
                for dst in [known, counter.local] {
                    insts.push(Inst { op: Op::Const { dst, bits: value }, span: source.span });
                }
            }
            for (i, inst) in source.insts.iter().enumerate() {
                let mut inst = inst.clone();
                // Behind its step the counter is another number.
                let before = block != latch || i <= counter.step_at;
                inst.op
                    .map_uses(|local| if before && local == counter.local { known } else { renamed(local) });
                if let Some(dst) = inst.op.dst_mut() {
                    *dst = renamed(*dst);
                }
                insts.push(inst);
            }
            let mut end_of = source.end.clone();
            let before = block != latch;
            end_of.map_used(|local| if before && local == counter.local { known } else { renamed(local) });
            end_of.map_successors(|to| match to {
                to if to == found.head && round + 1 == rounds => end,
                to if to == found.head => place(round + 1, to),
                to if found.contains(to) => place(round, to),
                to => to,
            });
            let span = source.span;
            function.blocks.push(Block { insts, end: end_of, span });
        }
    }
    // The way back of the last round, which its test never takes.
    function.blocks.push(Block { insts: Vec::new(), end: End::Unreachable, span: function.span });
    for block in 0..first as usize {
        if !found.contains(BlockId(block as u32)) {
            function.blocks[block].end.map_successors(|to| if to == found.head { place(0, to) } else { to });
        }
    }
}

fn new_local(function: &mut Function, ty: Type) -> Local {
    function.locals.push(LocalInfo { ty, name: String::new() });
    Local(function.locals.len() as u32 - 1)
}

/// The values that are written in the loop and read nowhere else: each copy has its own.
fn own_values(function: &Function, found: &Loop, sites: &[Option<Site>]) -> Vec<Local> {
    let mut own = vec![false; function.locals.len()];
    for (own, site) in own.iter_mut().zip(sites) {
        *own = site.is_some_and(|(block, number)| number > 0 && found.contains(block));
    }
    let outside = function.blocks.iter().enumerate().filter(|(b, _)| !found.contains(BlockId(*b as u32)));
    for (_, block) in outside {
        for inst in &block.insts {
            inst.op.visit_uses(|local| own[local.index()] = false);
        }
        if let Some(local) = block.end.used() {
            own[local.index()] = false;
        }
    }
    (0..function.locals.len() as u32).map(Local).filter(|local| own[local.index()]).collect()
}
