//! Memory for partial states of reductions.

use std::mem::MaybeUninit;
use std::sync::Mutex;

use cuprum_threads::Shared;
use smallvec::SmallVec;

use super::ReductionPart;
use crate::block::{CacheLine, uninitialized};

/// Partial states, aligned for any of them; not initialised: each is made before it is read.
pub(super) struct States {
    lines: Vec<MaybeUninit<CacheLine>>,
}

/// Lines of states that are kept for the next reduction, since fresh pages cost more than joining what lies in them, and
/// how many such pieces of memory.
const MAX_KEPT_LINES: std::ops::RangeInclusive<usize> =
    (64 << 10) / size_of::<CacheLine>()..=(16 << 20) / size_of::<CacheLine>();
const MAX_KEPT_STATES: usize = 2;
static KEPT_STATES: Mutex<Vec<Vec<MaybeUninit<CacheLine>>>> = Mutex::new(Vec::new());

impl Drop for States {
    fn drop(&mut self) {
        // Whoever finds the lock taken does without.
        let Ok(mut kept) = KEPT_STATES.try_lock() else { return };
        if MAX_KEPT_LINES.contains(&self.lines.len()) && kept.len() < MAX_KEPT_STATES {
            kept.push(std::mem::take(&mut self.lines));
        }
    }
}

impl States {
    fn new(count: usize, size: usize) -> States {
        let lines = (count * size).div_ceil(size_of::<CacheLine>());
        if MAX_KEPT_LINES.contains(&lines) {
            let fits = |kept: &Vec<MaybeUninit<CacheLine>>| (lines..=2 * lines).contains(&kept.len());
            let found = KEPT_STATES.try_lock().ok().and_then(|mut kept| {
                let at = kept.iter().position(fits)?;
                Some(kept.swap_remove(at))
            });
            if let Some(lines) = found {
                return States { lines };
            }
            // What does not fit makes room for what will.
            let _ = KEPT_STATES.try_lock().map(|mut kept| kept.clear());
        }
        States { lines: uninitialized(lines) }
    }

    /// States of every part.
    pub(super) fn of(parts: &[ReductionPart], count: usize) -> SmallVec<[States; 2]> {
        parts.iter().map(|part| States::new(count, part.reducer.state_size)).collect()
    }
}

/// The states of every part as tasks reach them.
pub(super) fn shared(states: &mut [States]) -> SmallVec<[Shared; 2]> {
    states.iter_mut().map(|states| Shared(states.lines.as_mut_ptr().cast())).collect()
}
