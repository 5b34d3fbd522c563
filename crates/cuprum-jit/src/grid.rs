//! Blocks that wait for each other: all of them, or as many as others wait for, are resident and take turns.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use cuprum_kernel::ir::Op;
use cuprum_threads::interrupt::Watch;

use crate::block::{Arena, Block};
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
    /// Held for the block's pointers.
    _arena: Arena,
}

// SAFETY: a resident block is held by one thread at a time; its pointers lead into its own arena and to what the launch
// shares. Its watch is set anew by each thread that runs it.
unsafe impl Send for Resident<'_> {}

#[derive(Default)]
struct Queue<'a> {
    /// Blocks that can run.
    ready: VecDeque<Resident<'a>>,
    /// Blocks at the grid's barrier.
    at_grid: Vec<Resident<'a>>,
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
    queue: Mutex<Queue<'a>>,
    changed: Condvar,
}

/// Runs all blocks of a kernel that has grid barriers or loops that wait.
pub(crate) fn run(run: &Run<'_>, watch: &Watch) -> Result<(), Fault> {
    let blocks = run.blocks();
    let most = (MAX_RESIDENT / run.needs.bytes()).max(1) as u64;
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
    let grid = Grid { run, blocks, most, queue, changed: Condvar::new() };
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

    /// Looks whether anything changes while all blocks wait: where a round of all of them leaves every byte that they can
    /// reach as it was, all rounds after it will.
    fn look_for_change(&self, queue: &mut Queue<'a>, watch: Option<&'a Watch>) {
        queue.patience = queue.idle.saturating_mul(2);
        if self.run.ready.reads_clock || !self.run.launch.alone.is_some_and(|alone| alone()) {
            return;
        }
        let state = |queue: &Queue<'_>| {
            let waiting = queue.ready.iter().chain(&queue.at_grid).map(|resident| &resident.block);
            deadlock::state(self.run, waiting)
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
            let resident = queue.ready.len() as u64 + queue.at_grid.len() as u64 + queue.running;
            // Those that have begun go first, unless all of them only wait.
            let stuck = queue.idle >= queue.ready.len() as u64;
            if (queue.ready.is_empty() || stuck) && queue.next < self.blocks && resident < self.most {
                let number = queue.next;
                queue.next += 1;
                queue.running += 1;
                queue.idle = 0;
                drop(queue);
                match self.begin(number) {
                    Ok(resident) => return Some(resident),
                    Err(fault) => {
                        self.run.fail(number, fault);
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
            let waited = self.changed.wait_timeout(queue, Duration::from_millis(20));
            queue = waited.unwrap_or_else(|e| e.into_inner()).0;
        }
    }

    fn begin(&self, number: u64) -> Result<Resident<'a>, Fault> {
        let mut arena = Arena::new();
        let mut block = Block::new(self.run, None, &mut arena)?;
        block.begin(self.run.block_index(number));
        Ok(Resident { number, block, _arena: arena })
    }
}
