//! The element of a rank among those of each window: many windows side by side by exchanges of vectors, or, for large
//! windows, one after the other by partition.

use super::keys::FilterKey;
use super::window::WindowRow;
use super::{LevelJob, end_block, run_at};
use cuprum_core::SimdLevel;
use cuprum_core::memory::with_capacity;

/// Windows of at most this many elements are selected side by side.
const NETWORK_MAX_WINDOW: usize = 144;
/// Elements kept at a time: no more than half of a window, and two.
const MAX_CANDIDATES: usize = NETWORK_MAX_WINDOW / 2 + 2;

/// One step of a selection among the elements kept.
#[derive(Clone, Copy)]
enum SelectionStep {
    /// One more element of the window is taken in.
    Take,
    /// The smallest is too small to be the one sought, and forgotten.
    DropSmallest,
    /// The largest is too large to be the one sought, and forgotten.
    DropLargest,
}

/// How the element of a rank is found among a number of them.
pub(super) struct Selection {
    count: usize,
    rank: usize,
    /// The steps after which one element is left; none for windows that are partitioned.
    steps: Vec<SelectionStep>,
}

impl Selection {
    pub(super) fn new(count: usize, rank: usize) -> Selection {
        let mut steps = Vec::new();
        let extreme = rank == 0 || rank + 1 == count;
        if count <= NETWORK_MAX_WINDOW && !extreme {
            let (mut unseen, mut kept) = (count, 0);
            let (mut below, mut above) = (rank, count - 1 - rank);
            // The smallest of those kept has at most the unseen ones below it, the largest at most those above.
            while unseen + kept > 1 || kept == 0 {
                if kept > 1 && below > unseen {
                    steps.push(SelectionStep::DropSmallest);
                    (kept, below) = (kept - 1, below - 1);
                } else if kept > 1 && above > unseen {
                    steps.push(SelectionStep::DropLargest);
                    (kept, above) = (kept - 1, above - 1);
                } else {
                    steps.push(SelectionStep::Take);
                    (kept, unseen) = (kept + 1, unseen - 1);
                }
            }
        }
        Selection { count, rank, steps }
    }

    /// How much is to be done for one result.
    pub(super) fn work(&self) -> usize {
        self.count
    }
}

/// Finds the elements of the selection's rank for a row of windows.
///
/// # Safety
/// The box holds the offsets of every place and a block more; `to` takes a row and a block more.
pub(super) unsafe fn select<K: FilterKey>(
    selection: &Selection,
    offsets: &[usize],
    row: &WindowRow<K>,
    to: *mut K,
    level: SimdLevel,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if selection.rank == 0 {
            return run_by_width(level, Extremum { offsets, row, to, pick: |a: K, b: K| a.min(b) });
        }
        if selection.rank + 1 == selection.count {
            return run_by_width(level, Extremum { offsets, row, to, pick: |a: K, b: K| a.max(b) });
        }
        if !selection.steps.is_empty() {
            return run_by_width(level, Exchanges { steps: &selection.steps, offsets, row, to });
        }
        let mut window: Vec<K> = with_capacity(offsets.len());
        for i in 0..row.n {
            window.clear();
            window.extend(offsets.iter().map(|offset| *row.from.add(i + offset)));
            *to.add(i) = *window.select_nth_unstable(selection.rank).1;
        }
    }
}

/// Work on blocks of `W` results.
trait Blocks {
    type Element;
    /// # Safety
    /// As the implementation states.
    unsafe fn run<const W: usize>(&self);
}

struct AtWidth<B, const W: usize>(B);

impl<B: Blocks, const W: usize> LevelJob for AtWidth<B, W> {
    #[inline(always)]
    unsafe fn call(self) {
        // SAFETY: the maker's promise.
        unsafe { self.0.run::<W>() }
    }
}

/// Runs blocks of 128 bytes.
///
/// # Safety
/// Those of [`run_at`] and of the work.
unsafe fn run_by_width<B: Blocks>(level: SimdLevel, blocks: B) {
    // SAFETY: the caller's promise.
    unsafe {
        match size_of::<B::Element>() {
            1 => run_at(level, AtWidth::<B, 128>(blocks)),
            2 => run_at(level, AtWidth::<B, 64>(blocks)),
            4 => run_at(level, AtWidth::<B, 32>(blocks)),
            _ => run_at(level, AtWidth::<B, 16>(blocks)),
        }
    }
}

struct Extremum<'a, K, P> {
    offsets: &'a [usize],
    row: &'a WindowRow<K>,
    to: *mut K,
    pick: P,
}

impl<K: FilterKey, P: Fn(K, K) -> K> Blocks for Extremum<'_, K, P> {
    type Element = K;
    #[inline(always)]
    unsafe fn run<const W: usize>(&self) {
        for at in (0..self.row.n).step_by(W) {
            // SAFETY: the box and the results have room for a block more.
            unsafe {
                let from = self.row.from.add(at);
                let mut best = from.add(self.offsets[0]).cast::<[K; W]>().read_unaligned();
                for &offset in &self.offsets[1..] {
                    let next = from.add(offset).cast::<[K; W]>().read_unaligned();
                    for k in 0..W {
                        best[k] = (self.pick)(best[k], next[k]);
                    }
                }
                self.to.add(at).cast::<[K; W]>().write_unaligned(best);
            }
            end_block();
        }
    }
}

struct Exchanges<'a, K> {
    steps: &'a [SelectionStep],
    offsets: &'a [usize],
    row: &'a WindowRow<K>,
    to: *mut K,
}

impl<K: FilterKey> Blocks for Exchanges<'_, K> {
    type Element = K;
    #[inline(always)]
    unsafe fn run<const W: usize>(&self) {
        // SAFETY: any element of the box will do as a start; the box is never empty.
        let nothing = unsafe { [*self.row.from; W] };
        let mut kept = [nothing; MAX_CANDIDATES];
        for at in (0..self.row.n).step_by(W) {
            let (mut n, mut next) = (0, 0);
            for step in self.steps {
                match step {
                    SelectionStep::Take => {
                        // SAFETY: the box has room for a block more.
                        kept[n] = unsafe {
                            self.row.from.add(at + self.offsets[next]).cast::<[K; W]>().read_unaligned()
                        };
                        (n, next) = (n + 1, next + 1);
                    }
                    SelectionStep::DropSmallest => {
                        n -= 1;
                        carry(&mut kept[..=n], |a: K, b: K| (a.min(b), a.max(b)));
                    }
                    SelectionStep::DropLargest => {
                        n -= 1;
                        carry(&mut kept[..=n], |a: K, b: K| (a.max(b), a.min(b)));
                    }
                }
            }
            // SAFETY: the results have room for a block more.
            unsafe { self.to.add(at).cast::<[K; W]>().write_unaligned(kept[0]) };
            end_block();
        }
    }
}

/// Carries one element of each column along, leaving behind the other of every two; the last one carried is lost.
#[inline(always)]
fn carry<K: FilterKey, const W: usize>(kept: &mut [[K; W]], exchange: impl Fn(K, K) -> (K, K)) {
    let (carried, others) = kept.split_last_mut().expect("something is kept");
    let mut carried = *carried;
    for other in others {
        for k in 0..W {
            let (on, left) = exchange(carried[k], other[k]);
            carried[k] = on;
            other[k] = left;
        }
        end_block();
    }
}
