//! What happens before what. Time is cut into moments, numbered as they begin; every thread is in one, and a barrier, a
//! `__syncwarp` or a fence puts its threads into a new one. An access is remembered by its moment and thread.

use std::collections::HashMap;
use std::sync::Arc;

use super::{AccessKind, PastAccess};

const WARP: usize = 32;

/// The part of a block between two barriers that a moment belongs to.
#[derive(Clone, Copy)]
struct Moment {
    block: u32,
    /// Counts barriers, of all blocks together.
    interval: u32,
}

/// An access in eight bytes: the moment, the thread (10 bits), the place (20 bits), and what it did (2 bits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    pub moment: u32,
    detail: u32,
}

/// Where there was no access.
pub const NEVER: Stamp = Stamp { moment: 0, detail: 0 };

const SITES: u32 = 1 << 20;

impl Stamp {
    pub fn thread(self) -> u32 {
        self.detail & 0x3ff
    }

    pub fn site(self) -> u32 {
        self.detail >> 10 & (SITES - 1)
    }

    pub fn writes(self) -> bool {
        self.detail >> 30 & 1 != 0
    }

    pub fn synchronises(self) -> bool {
        self.detail >> 31 != 0
    }

    /// Accesses of one sort race with the same others: whether it writes, and whether it synchronises.
    pub fn sort(self) -> usize {
        (self.detail >> 30) as usize
    }

    fn warp(self) -> u32 {
        self.thread() / WARP as u32
    }
}

/// Where a block stands: it comes again in cooperative launches.
#[derive(Clone, Default)]
struct BlockProgress {
    interval: u32,
    /// The first moment of the interval.
    since: u32,
    /// Each thread's moment.
    moments: Vec<u32>,
    /// Each thread's last fence since the barrier; 0 where there was none.
    fences: Vec<Fence>,
    /// The moments of each thread that were before a fence of its own and then a barrier; empty where there are none.
    fenced: Arc<[u32]>,
    /// For each warp that has synchronised: for each lane, the moments of each lane that are before it.
    lanes: HashMap<u32, Box<[[u32; WARP]; WARP]>>,
    /// What threads have seen of addresses that synchronise: since the last barrier by thread, before it all.
    seen: Vec<Seen>,
}

/// What a fence makes ready to be published.
#[derive(Clone, Copy, Default)]
struct Fence {
    /// The thread's own moments up to this one.
    until: u32,
    /// All moments of the block before this one.
    since: u32,
}

#[derive(Clone, Copy)]
struct Seen {
    /// The thread; none after a barrier, when all have seen it.
    thread: Option<u32>,
    address: u64,
    /// How many releases it has seen.
    releases: u32,
}

/// What was published at an address, in order: by whom, and the moments that are before it.
#[derive(Default)]
struct Releases {
    count: u32,
    by_block: HashMap<u32, Vec<Release>>,
}

struct Release {
    number: u32,
    thread: u32,
    fence: Fence,
    fenced: Arc<[u32]>,
}

impl Release {
    fn covers(&self, old: Stamp) -> bool {
        let Fence { until, since } = self.fence;
        old.moment < since
            || old.thread() == self.thread && old.moment <= until
            || self.fenced.get(old.thread() as usize).is_some_and(|until| old.moment <= *until)
    }
}

pub struct Order {
    threads: u32,
    /// Whether blocks take turns.
    turns: bool,
    moments: Vec<Moment>,
    intervals: u32,
    /// Moments before this one are before the last grid barrier.
    grid: u32,
    block: u32,
    standing: BlockProgress,
    /// Blocks that wait for a grid barrier.
    others: HashMap<u32, BlockProgress>,
    published: HashMap<u64, Releases>,
}

impl Order {
    pub fn new(threads: u32, turns: bool) -> Order {
        // Moment 0 is before all.
        let moments = vec![Moment { block: u32::MAX, interval: 0 }];
        Order {
            threads,
            turns,
            moments,
            intervals: 0,
            grid: 1,
            block: u32::MAX,
            standing: BlockProgress::default(),
            others: HashMap::new(),
            published: HashMap::new(),
        }
    }

    fn moment(&mut self) -> u32 {
        self.moments.push(Moment { block: self.block, interval: self.standing.interval });
        (self.moments.len() - 1) as u32
    }

    fn begin_interval(&mut self) {
        self.intervals += 1;
        self.standing.interval = self.intervals;
        let moment = self.moment();
        let threads = self.threads as usize;
        let standing = &mut self.standing;
        if standing.fences.iter().any(|fence| fence.until != 0) {
            let before = |thread: usize| standing.fenced.get(thread).copied().unwrap_or(0);
            let fences = standing.fences.iter().enumerate();
            standing.fenced = fences.map(|(thread, fence)| fence.until.max(before(thread))).collect();
        }
        standing.since = moment;
        standing.moments.clear();
        standing.moments.resize(threads, moment);
        standing.lanes.clear();
        for seen in &mut standing.seen {
            seen.thread = None;
        }
        standing.fences.clear();
        standing.fences.resize(threads, Fence::default());
    }

    pub fn enter_block(&mut self, block: u32) {
        let before = std::mem::take(&mut self.standing);
        if self.block != u32::MAX && self.turns {
            self.others.insert(self.block, before);
        }
        self.block = block;
        match self.others.remove(&block) {
            Some(standing) => self.standing = standing,
            None => self.begin_interval(),
        }
    }

    /// The block that runs has ended, and will not come again.
    pub fn end_block(&mut self) {
        self.block = u32::MAX;
    }

    pub fn barrier(&mut self) {
        self.begin_interval();
    }

    /// Every block begins anew; all that was is before.
    pub fn grid_sync(&mut self) {
        self.grid = self.moments.len() as u32;
        self.others.clear();
        self.published.clear();
        self.standing.seen.clear();
        self.standing.fenced = Arc::default();
        self.begin_interval();
    }

    pub fn sync_warp(&mut self, warp: u32, mask: u32) {
        let moment = self.moment();
        let standing = &mut self.standing;
        let first = warp as usize * WARP;
        let lanes = standing.lanes.entry(warp).or_insert_with(|| Box::new([[0; WARP]; WARP]));
        let members =
            || (0..WARP).filter(|lane| mask >> lane & 1 != 0 && first + lane < standing.moments.len());
        let mut known = [0; WARP];
        for lane in members() {
            for (known, lane) in known.iter_mut().zip(&lanes[lane]) {
                *known = (*known).max(*lane);
            }
        }
        for lane in members() {
            known[lane] = known[lane].max(standing.moments[first + lane]);
        }
        for lane in members() {
            lanes[lane] = known;
        }
        let members: Vec<usize> = members().collect();
        for lane in members {
            standing.moments[first + lane] = moment;
        }
    }

    pub fn fence(&mut self, thread: u32) {
        let moment = self.moment();
        let (thread, standing) = (thread as usize, &mut self.standing);
        standing.fences[thread] = Fence { until: standing.moments[thread], since: standing.since };
        standing.moments[thread] = moment;
    }

    /// An atomic or volatile access: it publishes what the thread's fences made ready, and sees what was published.
    pub fn synchronise(&mut self, thread: u32, address: u64, writes: bool, reads: bool) {
        let standing = &mut self.standing;
        let fence = standing.fences[thread as usize];
        let publishes = writes && (fence.until != 0 || !standing.fenced.is_empty());
        if !publishes && !self.published.contains_key(&address) {
            return;
        }
        let published = self.published.entry(address).or_default();
        if reads && published.count > 0 {
            let seen = standing.seen.iter_mut().find(|s| s.thread == Some(thread) && s.address == address);
            match seen {
                Some(seen) => seen.releases = published.count,
                None => {
                    standing.seen.push(Seen { thread: Some(thread), address, releases: published.count });
                }
            }
        }
        if publishes {
            let release = Release { number: published.count, thread, fence, fenced: standing.fenced.clone() };
            published.by_block.entry(self.block).or_default().push(release);
            published.count += 1;
        }
    }

    pub fn now(&self, thread: u32, site: u32, kind: AccessKind) -> Stamp {
        let detail = thread & 0x3ff
            | site.min(SITES - 1) << 10
            | u32::from(kind.writes()) << 30
            | u32::from(kind.synchronises()) << 31;
        Stamp { moment: self.standing.moments[thread as usize], detail }
    }

    pub fn past(&self, stamp: Stamp) -> PastAccess {
        PastAccess {
            block: self.moments[stamp.moment as usize].block,
            thread: stamp.thread(),
            site: stamp.site(),
            write: stamp.writes(),
            atomic: stamp.synchronises(),
        }
    }

    pub fn same_block(&self, a: Stamp, b: Stamp) -> bool {
        self.moments[a.moment as usize].block == self.moments[b.moment as usize].block
    }

    fn same_interval(&self, a: Stamp, b: Stamp) -> bool {
        self.moments[a.moment as usize].interval == self.moments[b.moment as usize].interval
    }

    /// Whether `old` surely happens before `now`, an access of the block that runs.
    pub fn is_before(&self, old: Stamp, now: Stamp) -> bool {
        if old == NEVER || old.moment < self.grid {
            return true;
        }
        let thread = now.thread();
        if self.same_block(old, now) {
            if old.thread() == thread || !self.same_interval(old, now) {
                return true;
            }
            if old.warp() == now.warp()
                && let Some(lanes) = self.standing.lanes.get(&now.warp())
                && old.moment <= lanes[thread as usize % WARP][old.thread() as usize % WARP]
            {
                return true;
            }
        }
        self.was_published(old, thread)
    }

    fn was_published(&self, old: Stamp, to: u32) -> bool {
        let block = self.moments[old.moment as usize].block;
        let seen = self.standing.seen.iter().filter(|seen| seen.thread.is_none_or(|thread| thread == to));
        seen.into_iter().any(|seen| {
            let releases = self.published.get(&seen.address).and_then(|all| all.by_block.get(&block));
            releases.is_some_and(|releases| {
                releases.iter().rev().any(|release| release.number < seen.releases && release.covers(old))
            })
        })
    }

    /// Adds an access to those that are remembered of its sort: the last, one of another thread (of another warp if
    /// there is one) since the last barrier, and the last of another block.
    pub fn remember(&self, recent: &mut [Stamp; 3], now: Stamp) {
        let [last, second, other] = recent;
        if *last == NEVER {
            *last = now;
        } else if !self.same_block(*last, now) {
            *other = *last;
            (*last, *second) = (now, NEVER);
        } else if !self.same_interval(*last, now) {
            (*last, *second) = (now, NEVER);
        } else if last.thread() == now.thread() {
            *last = now;
        } else {
            let keeps_second = *second != NEVER && last.warp() == now.warp() && second.warp() != now.warp();
            if !keeps_second {
                *second = *last;
            }
            *last = now;
        }
    }
}
