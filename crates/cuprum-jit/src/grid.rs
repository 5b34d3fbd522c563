//! Blocks that wait for each other: all of them, or as many as others wait for, are resident and take turns.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use cuprum_kernel::ir::Op;
use cuprum_threads::interrupt::Watch;

use crate::block::{Arena, Block, ClusterMemory};
use crate::deadlock;
use crate::fault::{Fault, FaultKind};
use crate::run::{OnCaller, Run, in_order};
use crate::runtime::check::Checker;
use crate::schedule::{Outcome, Stop, advance};

/// The most memory of blocks that are resident at a time.
const MAX_RESIDENT: usize = 2 << 30;

/// A block that has begun.
struct Resident<'a> {
    number: u64,
    block: Block<'a>,
    /// The cluster that it is of.
    cluster: u64,
    /// Held for the block's pointers.
    _arena: Arena,
    _shared: Option<Arc<ClusterMemory>>,
}

// SAFETY: a resident block is held by one thread at a time; its pointers lead into its own arena and to what the launch
// shares. Its watch is set anew by each thread that runs it.
unsafe impl Send for Resident<'_> {}

/// Blocks of a cluster that has begun.
#[derive(Default)]
struct Cluster<'a> {
    /// Those at the cluster's barrier.
    waiting: Vec<Resident<'a>>,
    ended: u64,
    /// What those to come will have for shared memory.
    shared: Option<Arc<ClusterMemory>>,
}

#[derive(Default)]
struct Queue<'a> {
    /// Blocks that can run.
    ready: VecDeque<Resident<'a>>,
    /// Blocks at the grid's barrier.
    at_grid: Vec<Resident<'a>>,
    /// The clusters of more than one block that have begun, by their numbers.
    clusters: HashMap<u64, Cluster<'a>>,
    /// Blocks at the barrier of their cluster.
    at_cluster: u64,
    /// The next block to begin.
    next: u64,
    finished: u64,
    /// Blocks that some thread runs now.
    running: u64,
    /// Blocks that have run, one after another, without any of them getting further than waiting.
    idle: u64,
    /// How many such there must be before it is looked whether anything changes at all.
    patience: u64,
}

/// Blocks that only wait before the first look whether anything changes.
const PATIENCE: u64 = 1 << 12;

struct Grid<'a> {
    run: &'a Run<'a>,
    blocks: u64,
    most: u64,
    /// Blocks of a cluster.
    in_cluster: u64,
    queue: Mutex<Queue<'a>>,
    changed: Condvar,
}

/// Runs all blocks of a kernel that has grid barriers or loops that wait.
pub(crate) fn run(run: &Run<'_>, watch: &Watch) -> Result<(), Fault> {
    let blocks = run.blocks();
    let in_cluster = run.cluster.iter().map(|extent| u64::from(*extent)).product::<u64>();
    let most = ((MAX_RESIDENT / run.needs.bytes()) as u64).max(in_cluster);
    let syncs = run.ready.cut.entries.iter().any(|entry| matches!(entry.wait, Some(Op::GridSync)));
    let refuse = |detail: String| {
        Err(Fault::new(FaultKind::Launch, run.kernel.name(), "it cannot be launched").explained(detail))
    };
    if syncs && !run.launch.cooperative {
        return refuse(
            "it synchronises the grid, which takes a cooperative launch (enable_cooperative_groups=True)"
                .to_string(),
        );
    }
    if syncs && blocks > most {
        return refuse(format!("a cooperative launch has at most {most} blocks of this size, not {blocks}"));
    }
    let queue = Mutex::new(Queue { patience: PATIENCE, ..Queue::default() });
    let grid = Grid { run, blocks, most, in_cluster, queue, changed: Condvar::new() };
    let workers = if in_order(run) { 1 } else { cuprum_threads::thread_count().min(blocks as usize) };
    let caller = std::thread::current().id();
    let watch = OnCaller(watch);
    let body = |_: usize| {
        let watch = (std::thread::current().id() == caller).then(|| watch.get());
        grid.work(watch);
    };
    cuprum_threads::share(workers, workers, &body, || run.control.stopped());
    Ok(())
}

impl<'a> Grid<'a> {
    fn lock(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// One thread's part: takes blocks and runs them until all have ended.
    fn work(&self, watch: Option<&'a Watch>) {
        while let Some(mut resident) = self.take(watch) {
            let outcome = self.advance(&mut resident, watch);
            let mut queue = self.lock();
            queue.running -= 1;
            self.put_back(&mut queue, resident, outcome);
            drop(queue);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// Runs a block until it waits for others or ends.
    fn advance(&self, resident: &mut Resident<'a>, watch: Option<&'a Watch>) -> Result<Outcome, Stop> {
        resident.block.context.watch = watch;
        resident.block.enter(resident.number);
        let outcome = advance(self.run, &mut resident.block);
        resident.block.context.watch = None;
        outcome
    }

    /// Notes how far a block has come.
    fn put_back(&self, queue: &mut Queue<'a>, resident: Resident<'a>, outcome: Result<Outcome, Stop>) {
        match outcome {
            Ok(Outcome::Done) => {
                self.run.watched(Checker::end_block);
                queue.finished += 1;
                queue.idle = 0;
                self.end_in_cluster(queue, resident.cluster);
            }
            Ok(Outcome::AtCluster) => {
                queue.idle = 0;
                let number = resident.cluster;
                queue.at_cluster += 1;
                queue.clusters.entry(number).or_default().waiting.push(resident);
                self.release_cluster(queue, number);
            }
            Ok(Outcome::AtGrid) => {
                queue.idle = 0;
                queue.at_grid.push(resident);
            }
            Ok(Outcome::Yields) => {
                queue.idle += 1;
                queue.ready.push_back(resident);
            }
            Err(fault) => {
                if let Some(fault) = fault {
                    self.run.fail(resident.number, fault);
                }
                self.run.control.stop();
            }
        }
        if queue.at_grid.len() as u64 + queue.finished == self.blocks {
            let mut released = std::mem::take(&mut queue.at_grid);
            released.sort_by_key(|resident| resident.number);
            self.run.watched(Checker::grid_sync);
            queue.ready.extend(released);
        }
    }

    /// Notes that a block of a cluster has ended: nobody waits for it any more.
    fn end_in_cluster(&self, queue: &mut Queue<'a>, number: u64) {
        if self.in_cluster == 1 {
            return;
        }
        queue.clusters.entry(number).or_default().ended += 1;
        self.release_cluster(queue, number);
    }

    /// Lets the blocks of a cluster go on once all that live are at its barrier; forgets one whose blocks have ended.
    fn release_cluster(&self, queue: &mut Queue<'a>, number: u64) {
        let Some(cluster) = queue.clusters.get_mut(&number) else { return };
        if cluster.ended + (cluster.waiting.len() as u64) < self.in_cluster {
            return;
        }
        let mut released = std::mem::take(&mut cluster.waiting);
        if released.is_empty() || self.in_cluster == 1 {
            queue.clusters.remove(&number);
        }
        released.sort_by_key(|resident| resident.number);
        queue.at_cluster -= released.len() as u64;
        self.run.watched(Checker::grid_sync);
        queue.ready.extend(released);
    }

    /// The index, the cluster and the place in it of the block that is the `turn`th to begin: clusters begin one after
    /// another.
    fn placed(&self, turn: u64) -> ([u32; 3], u64, u64) {
        if self.in_cluster == 1 {
            return (self.run.block_index(turn), turn, 0);
        }
        let (cluster, rank) = (turn / self.in_cluster, turn % self.in_cluster);
        let split = |number: u64, [width, height]: [u64; 2]| {
            [number % width, number / width % height, number / width / height]
        };
        let extents = self.run.cluster.map(u64::from);
        let clusters = [0, 1].map(|axis| u64::from(self.run.launch.grid[axis]) / extents[axis]);
        let (outer, inner) = (split(cluster, clusters), split(rank, [extents[0], extents[1]]));
        ([0, 1, 2].map(|axis| (outer[axis] * extents[axis] + inner[axis]) as u32), cluster, rank)
    }

    /// That blocks wait for one another at different barriers.
    fn stuck(&self, queue: &mut Queue<'a>) {
        let waiting = queue.clusters.values().flat_map(|cluster| &cluster.waiting);
        let Some(first) = waiting.chain(&queue.at_grid).map(|resident| resident.number).min() else { return };
        let fault = Fault::new(FaultKind::Deadlock, self.run.kernel.name(), "deadlock").explained(
            "blocks wait at the barrier of their cluster and others at the barrier of the grid: none can go on",
        );
        self.run.fail(first, fault);
    }

    /// Looks whether anything changes while all blocks wait: where a round of all of them leaves every byte that they can
    /// reach as it was, all rounds after it will.
    fn look_for_change(&self, queue: &mut Queue<'a>, watch: Option<&'a Watch>) {
        queue.patience = queue.idle.saturating_mul(2);
        if self.run.ready.reads_clock || !self.run.launch.is_sole_writer.is_some_and(|is_sole| is_sole()) {
            return;
        }
        let state = |queue: &Queue<'_>| {
            let at_cluster = queue.clusters.values().flat_map(|cluster| &cluster.waiting);
            let waiting = queue.ready.iter().chain(&queue.at_grid).chain(at_cluster);
            deadlock::state(self.run, waiting.map(|resident| &resident.block))
        };
        let before = state(queue);
        for _ in 0..queue.ready.len() {
            let Some(mut resident) = queue.ready.pop_front() else { return };
            let outcome = self.advance(&mut resident, watch);
            let waits = matches!(outcome, Ok(Outcome::Yields));
            self.put_back(queue, resident, outcome);
            if !waits {
                return;
            }
        }
        if !self.run.control.stopped() && state(queue) == before {
            let first = queue.ready.iter_mut().min_by_key(|resident| resident.number);
            if let Some(first) = first {
                self.run.fail(first.number, deadlock::fault(self.run, &mut first.block));
            }
        }
    }

    /// A block to run: a new one, until the most that may be resident are, or no block waits for more; then the waiting
    /// ones in turn.
    fn take(&self, watch: Option<&'a Watch>) -> Option<Resident<'a>> {
        let mut queue = self.lock();
        loop {
            if queue.finished == self.blocks || self.run.control.poll(watch) {
                return None;
            }
            let resident =
                queue.ready.len() as u64 + queue.at_grid.len() as u64 + queue.at_cluster + queue.running;
            // Those that have begun go first, unless all of them only wait.
            let stuck = queue.idle >= queue.ready.len() as u64;
            if (queue.ready.is_empty() || stuck) && queue.next < self.blocks && resident < self.most {
                let turn = queue.next;
                queue.next += 1;
                queue.running += 1;
                queue.idle = 0;
                let shared = self.shared_of(&mut queue, turn);
                drop(queue);
                match self.begin(turn, shared) {
                    Ok(resident) => return Some(resident),
                    Err(fault) => {
                        self.run.fail(turn, fault);
                        queue = self.lock();
                        queue.running -= 1;
                        continue;
                    }
                }
            }
            if queue.running == 0 && queue.idle >= queue.patience {
                self.look_for_change(&mut queue, watch);
                continue;
            }
            if let Some(resident) = queue.ready.pop_front() {
                queue.running += 1;
                let spins = queue.idle > 4 * (queue.ready.len() as u64 + 1);
                drop(queue);
                if spins {
                    // Nothing but waiting: leave the processor to whoever is waited for.
                    std::thread::yield_now();
                }
                return Some(resident);
            }
            if queue.running == 0 {
                self.stuck(&mut queue);
                continue;
            }
            let waited = self.changed.wait_timeout(queue, Duration::from_millis(20));
            queue = waited.unwrap_or_else(|e| e.into_inner()).0;
        }
    }

    /// The shared memory of the cluster of the block that is the `turn`th to begin; none where clusters have one block.
    fn shared_of(&self, queue: &mut Queue<'a>, turn: u64) -> Option<Arc<ClusterMemory>> {
        if self.in_cluster == 1 {
            return None;
        }
        let cluster = queue.clusters.entry(turn / self.in_cluster).or_default();
        if cluster.shared.is_none() {
            cluster.shared = ClusterMemory::new(self.run, self.in_cluster as usize).map(Arc::new);
        }
        cluster.shared.clone()
    }

    fn begin(&self, turn: u64, shared: Option<Arc<ClusterMemory>>) -> Result<Resident<'a>, Fault> {
        let (index, cluster, rank) = self.placed(turn);
        let mut arena = Arena::new();
        if self.in_cluster > 1 && shared.is_none() {
            let fault = Fault::new(FaultKind::Memory, self.run.kernel.name(), "out of memory");
            return Err(fault.explained("the shared memory of a cluster"));
        }
        let reached = shared.as_deref().map(|memory| (memory, rank as usize));
        let mut block = Block::new(self.run, None, &mut arena, reached)?;
        block.begin(index);
        Ok(Resident { number: self.run.block_number(index), block, cluster, _arena: arena, _shared: shared })
    }
}
