//! Memory for the blocks of a task, which its thread keeps for the next one.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use cuprum_core::memory::with_capacity;

/// Lines of a piece of memory that a thread keeps for its tasks, at most, and how many pieces it keeps.
const MAX_KEPT_LINES: usize = (1 << 20) / size_of::<CacheLine>();
const MAX_KEPT_SCRATCH: usize = 4;

/// One cache line; blocks are made of these so that they are aligned.
#[repr(align(64))]
pub(crate) struct CacheLine(#[allow(dead_code)] [u8; 64]);

/// Lines whose content does not matter: blocks are written before they are read.
pub(crate) fn uninitialized(lines: usize) -> Vec<MaybeUninit<CacheLine>> {
    let mut blocks = Vec::new();
    resize(&mut blocks, lines);
    blocks
}

fn resize(blocks: &mut Vec<MaybeUninit<CacheLine>>, lines: usize) {
    blocks.clear();
    if blocks.capacity() < lines {
        *blocks = with_capacity(lines);
    }
    // SAFETY: the capacity is there, and uninitialised lines are what the type allows.
    unsafe { blocks.set_len(lines) };
}

thread_local! {
    static KEPT_SCRATCH: RefCell<Vec<Vec<MaybeUninit<CacheLine>>>> = const { RefCell::new(Vec::new()) };
}

/// Touches what a thread keeps of its tasks' lines.
pub(crate) fn touch_scratch() {
    KEPT_SCRATCH.with(|_| {});
}

/// A task's lines, of content that does not matter; a thread keeps them for its next task. The system would take back the
/// pages of the larger ones, and give them anew, one by one.
pub(crate) struct Scratch(Vec<MaybeUninit<CacheLine>>);

impl Scratch {
    pub(crate) fn new(lines: usize) -> Scratch {
        let kept = KEPT_SCRATCH.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            let fits = kept.iter().position(|blocks| blocks.capacity() >= lines);
            fits.map(|at| kept.swap_remove(at))
        });
        let mut blocks = kept.ok().flatten().unwrap_or_default();
        resize(&mut blocks, lines);
        Scratch(blocks)
    }

    pub(crate) fn at(&mut self, line: usize) -> *mut u8 {
        self.0[line..].as_mut_ptr().cast()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let blocks = std::mem::take(&mut self.0);
        if blocks.capacity() == 0 || blocks.capacity() > MAX_KEPT_LINES {
            return;
        }
        // A thread that is ending has no place for them any more.
        let _ = KEPT_SCRATCH.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() == MAX_KEPT_SCRATCH {
                // The smallest one goes: it serves fewer tasks than the others.
                let smallest = (0..kept.len()).min_by_key(|&at| kept[at].capacity());
                smallest.map(|at| kept.swap_remove(at));
            }
            kept.push(blocks);
        });
    }
}
