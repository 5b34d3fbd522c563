//! Waits that never come true: all threads that are left go round in loops that wait, and nothing changes.

use cuprum_kernel::ir::Op;

use crate::block::{Block, State};
use crate::context::DONE;
use crate::fault::{Fault, FaultKind};
use crate::run::Run;
use crate::schedule::site;

/// A digest of everything that the threads of some blocks can see and change: where they are, what they keep, the blocks'
/// own memory, and all memory that the launch may write.
pub(crate) fn state<'a>(run: &Run<'_>, blocks: impl Iterator<Item = &'a Block<'a>>) -> u64 {
    let mut digest = Digest(0x9E37_79B9_7F4A_7C15);
    for block in blocks {
        digest.add(block.together.map_or(u64::MAX, u64::from));
        for state in &block.states {
            digest.add(*state as u64);
        }
        for (start, bytes) in block.parts() {
            digest.range(start, bytes);
        }
    }
    let arrays = run.bounds.iter().filter(|bounds| bounds.writable > 0).map(|b| (b.start, b.bytes));
    for (start, bytes) in arrays.chain(run.control.reached()) {
        digest.range(start as usize, bytes as usize);
    }
    for global in run.kernel.program().globals.iter().filter(|global| global.writable) {
        digest.range(global.start, global.bytes);
    }
    digest.0
}

struct Digest(u64);

impl Digest {
    /// Takes in a word: what differs in one word alone differs in the end.
    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn range(&mut self, start: usize, bytes: usize) {
        let words = start.next_multiple_of(8).min(start + bytes);
        let rest = words + (start + bytes - words) / 8 * 8;
        // SAFETY: the range is memory of the launch, which keeps it alive; none of its threads runs.
        let byte = |at: usize| unsafe { (at as *const u8).read_volatile() };
        (start..words).for_each(|at| self.add(u64::from(byte(at))));
        for at in (words..rest).step_by(8) {
            // SAFETY: as above; the address is a multiple of eight.
            self.add(unsafe { (at as *const u64).read_volatile() });
        }
        (rest..start + bytes).for_each(|at| self.add(u64::from(byte(at))));
    }
}

/// The fault of a block that waits for ever: its first thread in a loop that waits is named.
pub(crate) fn fault(run: &Run<'_>, block: &mut Block<'_>) -> Fault {
    let next = match block.together {
        Some(region) => vec![region; block.threads as usize],
        None => block.next().to_vec(),
    };
    let entries = &run.ready.cut.entries;
    let spins = |thread: usize| {
        let lives = block.together.is_some() || block.states.get(thread).is_some_and(|s| *s != State::Done);
        let waits = |region: u32| matches!(entries[region as usize].wait, Some(Op::Yield));
        lives && next[thread] != DONE && waits(next[thread])
    };
    let threads = 0..block.threads as usize;
    let thread = threads.clone().find(|thread| spins(*thread)).unwrap_or(0);
    let more = threads.filter(|other| *other != thread && spins(*other)).count();
    let others = if more > 0 { format!(" (and {more} more of the block)") } else { String::new() };
    let region = if next[thread] == DONE { 0 } else { next[thread] };
    Fault::new(FaultKind::Deadlock, run.kernel.name(), "a wait that never ends")
        .explained(format!(
            "it waits here{others} for what nobody will write: all threads that are left wait, and nothing changes"
        ))
        .at(site(run, block, thread as u32, region))
}
