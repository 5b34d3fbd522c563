//! Pending results that the program has dropped unread. They need not be computed, but a program that times a loop expects
//! that their work is done. So they are kept for a while and run when the program waits for the device, or when the same work
//! on the same arrays is dropped again (ADR 30).

use std::sync::Arc;

use cuprum_core::{Error, Result};

use crate::sync::{AtomicBool, Mutex, MutexGuard, Ordering, shared};
use crate::{Node, NodeArg, Storage, pending};

/// How many results are kept; one more, and the oldest goes.
const UNREAD_MAX: usize = 16;
/// How many pairs of nodes are compared at most to find out whether two results are the same work.
const COMPARED_PAIRS_MAX: usize = 128;

struct Unread {
    /// Oldest first, no two of the same work.
    kept: Vec<Arc<Storage>>,
    /// What the next recording runs.
    due: Vec<Arc<Storage>>,
}

shared! {
    static UNREAD: Mutex<Unread> = Mutex::new(Unread { kept: Vec::new(), due: Vec::new() });
    /// Whether anything is kept or due: the usual case is one relaxed load.
    static ANY: AtomicBool = AtomicBool::new(false);
    /// Whether the program has ever waited for the device. If so, it may do so again, and results that go are run.
    static HAS_WAITED: AtomicBool = AtomicBool::new(false);
}

fn lock() -> MutexGuard<'static, Unread> {
    UNREAD.lock().unwrap_or_else(|e| e.into_inner())
}

/// Called when an array is dropped. A pending result without other references is kept for the next wait.
///
/// ```
/// use std::sync::Arc;
/// fn discard(result: Arc<cuprum_graph::Storage>) {
///     cuprum_graph::note_dropped(&result);
/// }
/// ```
#[inline]
pub fn note_dropped(storage: &Arc<Storage>) {
    if storage.is_pending() && Arc::strong_count(storage) == 1 {
        keep(storage);
    }
}

fn keep(storage: &Arc<Storage>) {
    // One that was dropped before, and not read since; or work that has failed, whose error the program knows: it would appear
    // again, in a call that has nothing to do with it.
    if storage.is_unread() || storage.has_failed() {
        return;
    }
    let Some(node) = storage.node() else { return };
    storage.set_unread();
    let forgotten = {
        let mut unread = lock();
        ANY.store(true, Ordering::Relaxed);
        unread.kept.push(storage.clone());
        let earlier = unread.kept.len() - 1;
        let repeated = unread.kept[..earlier].iter().rposition(|known| {
            known.node().is_some_and(|known| is_same_work(&known, &node, &mut COMPARED_PAIRS_MAX.clone()))
        });
        let gone = repeated.or_else(|| (unread.kept.len() > UNREAD_MAX).then_some(0));
        let gone = gone.map(|at| (unread.kept.remove(at), repeated.is_some()));
        match gone {
            Some((result, runs)) if runs || HAS_WAITED.load(Ordering::Relaxed) => {
                unread.due.push(result);
                pending::set_due();
                None
            }
            gone => gone,
        }
    };
    // Outside the lock: the last reference to the memory of others may run code of users.
    drop(forgotten);
}

/// Whether two nodes compute the same from the same arrays.
fn is_same_work(a: &Node, b: &Node, budget: &mut usize) -> bool {
    let Some(left) = budget.checked_sub(1) else { return false };
    *budget = left;
    let same_result = a.kind == b.kind && a.dtype == b.dtype && a.layout == b.layout;
    same_result
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|pair| match pair {
            (NodeArg::Scalar(a), NodeArg::Scalar(b)) => a == b,
            (NodeArg::View(a), NodeArg::View(b)) => {
                let same_place = a.layout == b.layout && a.dtype == b.dtype;
                let same_pending = |budget| match (a.storage.node(), b.storage.node()) {
                    (Some(a), Some(b)) => is_same_work(&a, &b, budget),
                    _ => false,
                };
                same_place && (Arc::ptr_eq(&a.storage, &b.storage) || same_pending(budget))
            }
            _ => false,
        })
}

/// Runs results that are due, before more is recorded. Their results are never read, so failures are not reported.
pub(crate) fn run_due() -> Result<()> {
    if !ANY.load(Ordering::Relaxed) {
        return Ok(());
    }
    let due = std::mem::take(&mut lock().due);
    run(due)
}

/// Runs all that is kept, for a wait.
pub(crate) fn run_all() -> Result<()> {
    HAS_WAITED.store(true, Ordering::Relaxed);
    run(taken())
}

/// Each is dropped, with its memory, before the next one runs.
fn run(results: Vec<Arc<Storage>>) -> Result<()> {
    for result in results {
        if let Err(Error::Interrupted) = result.run() {
            return Err(Error::Interrupted);
        }
    }
    Ok(())
}

/// All that is due or kept, which is neither any more.
fn taken() -> Vec<Arc<Storage>> {
    if !ANY.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let mut unread = lock();
    ANY.store(false, Ordering::Relaxed);
    let mut all = std::mem::take(&mut unread.due);
    all.append(&mut unread.kept);
    all
}

/// Forgets results that can no longer be read, with the memory that they alone keep alive: `true` where there were any. It is called
/// before memory is reported as short, and before a pool says how much is in use.
///
/// ```
/// cuprum_graph::forget_unread();
/// assert!(!cuprum_graph::forget_unread());
/// ```
pub fn forget_unread() -> bool {
    !taken().is_empty()
}
