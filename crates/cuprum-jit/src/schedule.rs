//! The threads of one block: runs regions, and fires barriers and collectives when everybody who has to be there is.

use cuprum_kernel::ir::{Barrier, Op, Type};

use crate::block::{Block, State};
use crate::collectives::fire_together;
use crate::context::{DONE, EXCHANGES, MIXED, STOPPED, WARP};
use crate::fault::{Fault, FaultKind, Site};
use crate::report::thread_index;
use crate::run::{Run, noted};
use crate::runtime::check::Checker;
use crate::runtime::warp::{self, LANES, Lane};

/// Where a block is when it can go no further by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// All threads have returned.
    Done,
    /// All threads that live wait for the grid.
    AtGrid,
    /// All threads that live wait for their cluster.
    AtCluster,
    /// Threads wait for what others will write.
    Yields,
}

/// Why a block ended early: a fault of its own, or a stop that came from elsewhere.
pub(crate) type Stop = Option<Fault>;

/// Runs a block to its end; of kernels whose blocks do not wait for one another.
pub(crate) fn run_block(run: &Run<'_>, block: &mut Block<'_>) -> Result<(), Stop> {
    if run.ready.cut.waits() {
        return advance(run, block).map(|_| ());
    }
    let threads = block.threads;
    match call(run, block, 0, 0, threads) {
        STOPPED => Err(noted(run, block)),
        _ => Ok(()),
    }
}

/// Runs threads through a region, in the order that the checking mode asks for.
fn call(run: &Run<'_>, block: &mut Block<'_>, region: u32, begin: u32, end: u32) -> u32 {
    let Some(seed) = run.launch.check.as_ref().and_then(|check| check.order) else {
        return block.call(run, region, begin, end);
    };
    let (mut any, mut all) = (0, u32::MAX);
    for thread in shuffled(begin, end, seed ^ u64::from(region)) {
        match block.call(run, region, thread, thread + 1) {
            STOPPED => return STOPPED,
            status => {
                if run.ready.cut.waits() {
                    block.next()[thread as usize] = status;
                }
                any |= status;
                all &= status;
            }
        }
    }
    if any == all { any } else { MIXED }
}

/// The numbers from `begin` to `end`, in an order that follows from the seed.
fn shuffled(begin: u32, end: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (begin..end).collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for i in (1..order.len()).rev() {
        // xorshift64*.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let random = state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        order.swap(i, (random % (i as u64 + 1)) as usize);
    }
    order
}

/// Runs a block until it ends or waits for other blocks.
pub(crate) fn advance(run: &Run<'_>, block: &mut Block<'_>) -> Result<Outcome, Stop> {
    let mut rounds = 0u32;
    loop {
        rounds = rounds.wrapping_add(1);
        if rounds.is_multiple_of(256) && run.control.poll(block.context.watch) {
            return Err(None);
        }
        let outcome = match block.together {
            Some(region) => run_together(run, block, region)?,
            None => run_apart(run, block)?,
        };
        if let Some(outcome) = outcome {
            return Ok(outcome);
        }
    }
}

/// All threads are at one point: no list of threads is looked at.
fn run_together(run: &Run<'_>, block: &mut Block<'_>, region: u32) -> Result<Option<Outcome>, Stop> {
    let threads = block.threads;
    let flag = if std::mem::take(&mut block.exchanges) { EXCHANGES } else { 0 };
    let next = match call(run, block, region | flag, 0, threads) {
        STOPPED => return Err(noted(run, block)),
        DONE => return Ok(Some(Outcome::Done)),
        MIXED => {
            block.together = None;
            let next = block.next().to_vec();
            let state = |next: &u32| if *next == DONE { State::Done } else { State::Waits };
            block.states.clear();
            block.states.extend(next.iter().map(state));
            return settle(run, block);
        }
        next => next,
    };
    block.together = Some(next);
    match &run.ready.cut.entries[next as usize].wait {
        Some(Op::Barrier(barrier)) => {
            if matches!(barrier, Barrier::Plain) {
                run.watched(Checker::barrier);
            } else {
                fire_barrier(run, block);
            }
            Ok(None)
        }
        // All lanes are there.
        Some(Op::Lockstep) => Ok(None),
        Some(Op::GridSync) => Ok(Some(Outcome::AtGrid)),
        Some(Op::ClusterSync) => Ok(Some(Outcome::AtCluster)),
        Some(Op::Yield) => Ok(Some(Outcome::Yields)),
        _ if fire_together(run, block, next) => Ok(None),
        _ => {
            // Every lane of every mask is there.
            block.states.clear();
            block.states.resize(threads as usize, State::Waits);
            let fired = fire_warps(run, block)?;
            debug_assert!(fired && block.states.iter().all(|state| *state == State::Ready));
            Ok(None)
        }
    }
}

/// Threads are at different points: runs those that can.
fn run_apart(run: &Run<'_>, block: &mut Block<'_>) -> Result<Option<Outcome>, Stop> {
    let threads = block.threads;
    let mut begin = 0;
    while begin < threads {
        if block.states[begin as usize] != State::Ready {
            begin += 1;
            continue;
        }
        let region = block.next()[begin as usize];
        let mut end = begin + 1;
        while end < threads
            && block.states[end as usize] == State::Ready
            && block.next()[end as usize] == region
        {
            end += 1;
        }
        match call(run, block, region, begin, end) {
            STOPPED => return Err(noted(run, block)),
            MIXED => {}
            // Regions with one end alone do not note it for each thread.
            next => block.next()[begin as usize..end as usize].fill(next),
        }
        for thread in begin as usize..end as usize {
            let done = block.next()[thread] == DONE;
            block.states[thread] = if done { State::Done } else { State::Waits };
        }
        begin = end;
    }
    settle(run, block)
}

/// No thread runs: fires what can fire.
fn settle(run: &Run<'_>, block: &mut Block<'_>) -> Result<Option<Outcome>, Stop> {
    if block.states.iter().all(|state| *state == State::Done) {
        return Ok(Some(Outcome::Done));
    }
    if fire_warps(run, block)? || fire_lockstep(run, block) || fire_active_masks(run, block) {
        return Ok(None);
    }
    let waits = |block: &mut Block<'_>, of: fn(&Op) -> bool| {
        let next = block.next().to_vec();
        let waiting = block.states.iter().zip(next).filter(|(state, _)| **state == State::Waits);
        let waits: Vec<bool> = waiting
            .map(|(_, next)| run.ready.cut.entries[next as usize].wait.as_ref().is_some_and(of))
            .collect();
        (waits.iter().any(|here| *here), waits.iter().all(|here| *here))
    };
    let (_, all_at_barrier) = waits(block, |op| matches!(op, Op::Barrier(_)));
    if all_at_barrier {
        check_divergence(run, block)?;
        fire_barrier(run, block);
        release(block, |_| true);
        return Ok(None);
    }
    let (some_yield, _) = waits(block, |op| matches!(op, Op::Yield));
    if some_yield {
        let next = block.next().to_vec();
        let entries = &run.ready.cut.entries;
        release(block, |thread| matches!(entries[next[thread] as usize].wait, Some(Op::Yield)));
        return Ok(Some(Outcome::Yields));
    }
    let (_, all_at_grid) = waits(block, |op| matches!(op, Op::GridSync));
    if all_at_grid {
        release(block, |_| true);
        return Ok(Some(Outcome::AtGrid));
    }
    let (_, all_at_cluster) = waits(block, |op| matches!(op, Op::ClusterSync));
    if all_at_cluster {
        release(block, |_| true);
        return Ok(Some(Outcome::AtCluster));
    }
    Err(Some(deadlock(run, block)))
}

/// Lets waiting threads run; notices when all are at one point again.
fn release(block: &mut Block<'_>, who: impl Fn(usize) -> bool) {
    for thread in 0..block.threads as usize {
        if block.states[thread] == State::Waits && who(thread) {
            block.states[thread] = State::Ready;
        }
    }
    if block.together.is_some() {
        return;
    }
    let first = block.next()[0];
    if first != DONE
        && block.states.iter().all(|state| *state == State::Ready)
        && block.next().iter().all(|next| *next == first)
    {
        block.together = Some(first);
    }
}

/// A barrier with everybody there: each thread gets what its form of it gives.
fn fire_barrier(run: &Run<'_>, block: &mut Block<'_>) {
    run.watched(Checker::barrier);
    let entries = &run.ready.cut.entries;
    let together = block.together;
    let next: Vec<u32> = match together {
        Some(region) => vec![region; block.threads as usize],
        None => block.next().to_vec(),
    };
    let form = |thread: usize| match next[thread] {
        DONE => None,
        region => match &entries[region as usize].wait {
            Some(Op::Barrier(barrier)) if !matches!(barrier, Barrier::Plain) => Some(barrier),
            _ => None,
        },
    };
    let threads = block.threads as usize;
    let exchange = block.exchange();
    let (mut count, mut with) = (0u32, 0u32);
    for thread in 0..threads {
        if form(thread).is_some() {
            with += 1;
            count += u32::from(exchange[thread / LANES].words[thread % LANES] != 0);
        }
    }
    for thread in 0..threads {
        exchange[thread / LANES].word_results[thread % LANES] = match form(thread) {
            Some(Barrier::Count { .. }) => count,
            Some(Barrier::And { .. }) => u32::from(count == with),
            Some(Barrier::Or { .. }) => u32::from(count > 0),
            _ => 0,
        };
    }
}

/// The threads of a warp that wait at warp ops of one kind with one mask.
fn fire_warps(run: &Run<'_>, block: &mut Block<'_>) -> Result<bool, Stop> {
    let entries = &run.ready.cut.entries;
    let threads = block.threads;
    let mut fired = false;
    for first in (0..threads).step_by(WARP as usize) {
        let lanes = (threads - first).min(WARP) as usize;
        let range = first as usize..first as usize + lanes;
        let regions: Vec<u32> = match block.together {
            Some(region) => vec![region; lanes],
            None => block.next()[range.clone()].to_vec(),
        };
        let live = block.states[range.clone()]
            .iter()
            .enumerate()
            .filter(|(_, state)| **state != State::Done)
            .fold(0u32, |mask, (lane, _)| mask | 1 << lane);
        let mut open = block.states[range.clone()]
            .iter()
            .enumerate()
            .filter(|(_, state)| **state == State::Waits)
            .fold(0u32, |mask, (lane, _)| mask | 1 << lane);
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= !(1 << lane);
            let wait = entries[regions[lane] as usize].wait.as_ref();
            let Some(op @ (Op::Warp { .. } | Op::SyncWarp { .. })) = wait else { continue };
            let warp = &block.exchange()[(first / WARP) as usize];
            let mask_of = |lane: usize| entries[regions[lane] as usize].operands.mask(warp, lane);
            let mask = mask_of(lane);
            if mask >> lane & 1 == 0 {
                return Err(Some(not_in_mask(run, block, first + lane as u32, regions[lane], mask)));
            }
            let mut present = 1u32 << lane;
            for other in lane + 1..lanes {
                let same = open >> other & 1 == 1
                    && mask >> other & 1 == 1
                    && entries[regions[other] as usize].wait.as_ref().is_some_and(|wait| same_op(wait, op))
                    && mask_of(other) == mask;
                if same {
                    present |= 1 << other;
                }
            }
            open &= !present;
            if mask & live & !present != 0 {
                continue;
            }
            if let Op::Warp { op, .. } = op {
                exchange_lanes(run, block, (first / WARP) as usize, *op, &regions, present);
            } else {
                run.watched(|checker| checker.sync_warp(first / WARP, present));
            }
            for lane in 0..lanes {
                if present >> lane & 1 == 1 {
                    block.states[first as usize + lane] = State::Ready;
                }
            }
            fired = true;
        }
    }
    if fired {
        release(block, |_| false);
    }
    Ok(fired)
}

/// Whether two waits are the same op, wherever they stand.
fn same_op(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Warp { op: a, .. }, Op::Warp { op: b, .. }) => a == b,
        (Op::SyncWarp { .. }, Op::SyncWarp { .. }) => true,
        _ => false,
    }
}

/// Lanes of a warp that are at one kind of collective, perhaps in different places.
fn exchange_lanes(
    run: &Run<'_>,
    block: &mut Block<'_>,
    number: usize,
    op: cuprum_kernel::ir::Warp,
    regions: &[u32],
    present: u32,
) {
    let cut = &run.ready.cut;
    let types = |lane: usize| match &cut.entries[regions[lane] as usize].wait {
        Some(Op::Warp { dst, value, .. }) => {
            (cut.function.locals[value.index()].ty, cut.function.locals[dst.index()].ty)
        }
        _ => (Type::I32, Type::I32),
    };
    let present_lanes = || (0..LANES).filter(|lane| present >> lane & 1 == 1);
    let warp = &mut block.exchange()[number];
    let mut lanes = [Lane::default(); LANES];
    for lane in present_lanes() {
        let operands = &cut.entries[regions[lane] as usize].operands;
        let value = warp.value(types(lane).0, lane);
        lanes[lane] = Lane { value, lane: operands.lane(warp, lane), width: operands.width(warp, lane) };
    }
    let ty = present_lanes().next().map_or(Type::I32, |first| types(first).0);
    let results = warp::evaluate(op, ty, present, &lanes);
    for lane in present_lanes() {
        warp.give(types(lane).1, lane, results[lane]);
    }
}

/// Releases the lanes at implied synchronisations, in each warp those that are furthest behind in program order: both sides
/// of a branch, and all iterations of a loop, are complete before the code after them runs.
fn fire_lockstep(run: &Run<'_>, block: &mut Block<'_>) -> bool {
    let entries = &run.ready.cut.entries;
    let threads = block.threads as usize;
    let mut fired = false;
    for first in (0..threads).step_by(LANES) {
        let lanes = first..(first + LANES).min(threads);
        let order = |block: &mut Block<'_>, thread: usize| {
            let region = block.next()[thread];
            let waits = block.states[thread] == State::Waits
                && matches!(entries[region as usize].wait, Some(Op::Lockstep));
            waits.then(|| entries[region as usize].order)
        };
        let Some(least) = lanes.clone().filter_map(|thread| order(block, thread)).min() else { continue };
        for thread in lanes {
            if order(block, thread) == Some(least) {
                block.states[thread] = State::Ready;
            }
        }
        fired = true;
    }
    if fired {
        release(block, |_| false);
    }
    fired
}

/// `__activemask` where no thread of the warp can go on otherwise: the lanes that wait at the same place.
fn fire_active_masks(run: &Run<'_>, block: &mut Block<'_>) -> bool {
    let entries = &run.ready.cut.entries;
    let threads = block.threads as usize;
    let regions: Vec<u32> = match block.together {
        Some(region) => vec![region; threads],
        None => block.next().to_vec(),
    };
    let mut fired = false;
    for first in (0..threads).step_by(WARP as usize) {
        let lanes = first..(first + WARP as usize).min(threads);
        let asks = |thread: usize, states: &[State]| {
            states[thread] == State::Waits
                && matches!(entries[regions[thread] as usize].wait, Some(Op::ActiveMask { .. }))
        };
        for thread in lanes.clone() {
            if !asks(thread, &block.states) {
                continue;
            }
            let with: Vec<usize> = lanes
                .clone()
                .filter(|other| asks(*other, &block.states) && regions[*other] == regions[thread])
                .collect();
            let mask = with.iter().fold(0u32, |mask, other| mask | 1 << (other - first));
            for other in with {
                block.exchange()[first / LANES].word_results[other - first] = mask;
                block.states[other] = State::Ready;
            }
            fired = true;
        }
    }
    if fired {
        release(block, |_| false);
    }
    fired
}

pub(crate) fn site(run: &Run<'_>, block: &Block<'_>, thread: u32, region: u32) -> Site {
    Site {
        span: run.ready.cut.entries[region as usize].span,
        thread: thread_index(thread, block.context.block),
        block: block.context.block_index,
    }
}

fn not_in_mask(run: &Run<'_>, block: &Block<'_>, thread: u32, region: u32, mask: u32) -> Fault {
    Fault::new(FaultKind::WarpMask, run.kernel.name(), "a thread that is not in its own mask")
        .explained(format!("the mask is {mask:#010x}, the thread is lane {}", thread % WARP))
        .at(site(run, block, thread, region))
}

/// What a wait is called in messages.
fn wait_name(op: Option<&Op>) -> &'static str {
    match op {
        Some(Op::Barrier(Barrier::Plain)) => "__syncthreads()",
        Some(Op::Barrier(Barrier::Count { .. })) => "__syncthreads_count()",
        Some(Op::Barrier(Barrier::And { .. })) => "__syncthreads_and()",
        Some(Op::Barrier(Barrier::Or { .. })) => "__syncthreads_or()",
        Some(Op::SyncWarp { .. }) => "__syncwarp()",
        Some(Op::Lockstep) => "the other lanes of its warp",
        Some(Op::GridSync) => "the grid's sync()",
        Some(Op::ClusterSync) => "the cluster's sync()",
        Some(Op::Warp { .. }) => "a warp collective",
        _ => "other threads",
    }
}

/// Threads that wait for one another: one of each place is named.
fn deadlock(run: &Run<'_>, block: &mut Block<'_>) -> Fault {
    let next = block.next().to_vec();
    let mut places: Vec<(u32, u32, u32)> = Vec::new();
    for (thread, region) in next.iter().enumerate() {
        if block.states[thread] != State::Waits {
            continue;
        }
        match places.iter_mut().find(|(_, at, _)| at == region) {
            Some(place) => place.2 += 1,
            None => places.push((thread as u32, *region, 1)),
        }
    }
    let sources = run.kernel.sources();
    let named = places.iter().take(4).map(|(thread, region, count)| {
        let [x, y, z] = thread_index(*thread, block.context.block);
        let entry = &run.ready.cut.entries[*region as usize];
        let more = if *count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        format!(
            "thread ({x},{y},{z}){more} waits at {} for {}",
            sources.place(entry.span),
            wait_name(entry.wait.as_ref())
        )
    });
    let text = named.collect::<Vec<_>>().join(", ");
    let (thread, region) = places.first().map_or((0, 0), |place| (place.0, place.1));
    Fault::new(FaultKind::Deadlock, run.kernel.name(), "deadlock")
        .explained(format!("no thread can go on: {text}"))
        .at(site(run, block, thread, region))
}

/// The checking mode: threads of the block that are at barriers in different places. Those that have returned are not
/// waited for, as on a GPU.
fn check_divergence(run: &Run<'_>, block: &mut Block<'_>) -> Result<(), Stop> {
    if !run.launch.check.as_ref().is_some_and(|check| check.divergence) {
        return Ok(());
    }
    let next = block.next().to_vec();
    let Some(here) = next.iter().position(|region| *region != DONE) else { return Ok(()) };
    let elsewhere = |region: &u32| *region != next[here] && *region != DONE;
    let Some(other) = next.iter().position(elsewhere) else { return Ok(()) };
    let fault = Fault::new(FaultKind::DivergentBarrier, run.kernel.name(), "divergent barrier").at(site(
        run,
        block,
        here as u32,
        next[here],
    ));
    Err(Some(
        fault
            .explained("threads of one block wait at different barriers")
            .against("while another thread waits", site(run, block, other as u32, next[other])),
    ))
}
