//! The checking mode: shadow memory that knows who read and wrote each byte last, and whether a barrier stands between.
//!
//! Two accesses race where they are of different threads, at least one writes, not both are atomic (or volatile), and
//! nothing orders them. Plain reads of global memory that others update by atomics are left alone: loops of compare and
//! swap begin with one. What orders: a barrier of the block, `__syncwarp` for the lanes of its mask, a grid barrier, and
//! a fence with an atomic behind it that the other side's atomic or volatile read has seen ([`order`]). Blocks run one
//! after another on one thread (or take turns at grid barriers), so nothing here is locked. The first finding ends the
//! launch.

mod order;
mod shadow;
#[cfg(test)]
mod tests;

use std::ops::Range;

use order::Order;
use shadow::{Shadow, ShadowTooLarge};

/// How an access touches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic, which reads and writes.
    Atomic,
    /// A volatile read: no race with atomics and volatile writes.
    VolatileRead,
    /// A volatile write.
    VolatileWrite,
    /// A read of a whole object, parts of which may never have been written.
    Copy,
}

impl AccessKind {
    /// Kinds as generated code numbers them.
    pub const ALL: [AccessKind; 6] = [
        AccessKind::Read,
        AccessKind::Write,
        AccessKind::Atomic,
        AccessKind::VolatileRead,
        AccessKind::VolatileWrite,
        AccessKind::Copy,
    ];

    /// The kind of a number; a read where there is none.
    pub fn of(number: u32) -> AccessKind {
        AccessKind::ALL.get(number as usize).copied().unwrap_or(AccessKind::Read)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Read | AccessKind::Copy => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic update",
            AccessKind::VolatileRead => "volatile read",
            AccessKind::VolatileWrite => "volatile write",
        }
    }

    /// Whether it reads what has to have a value.
    pub fn needs_a_value(self) -> bool {
        matches!(self, AccessKind::Read | AccessKind::Atomic | AccessKind::VolatileRead)
    }

    /// Whether it writes.
    pub fn writes(self) -> bool {
        matches!(self, AccessKind::Write | AccessKind::Atomic | AccessKind::VolatileWrite)
    }

    fn synchronises(self) -> bool {
        matches!(self, AccessKind::Atomic | AccessKind::VolatileRead | AccessKind::VolatileWrite)
    }
}

/// One access of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastAccess {
    /// The block's number in the grid, x fastest.
    pub block: u32,
    /// The thread's number in its block.
    pub thread: u32,
    /// The place, as generated code numbers it.
    pub site: u32,
    /// Whether it wrote.
    pub write: bool,
    /// Whether it was atomic or volatile.
    pub atomic: bool,
}

/// What an access did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Nothing orders it and an access of another thread to one of its bytes, at this address.
    Race {
        /// The first byte that both touch.
        address: u64,
        /// The other side.
        other: PastAccess,
    },
    /// It reads uninitialised memory at this address.
    Uninitialised {
        /// The first such byte.
        address: u64,
    },
    /// The launch touches more memory than can be watched.
    ShadowTooLarge,
}

/// What is watched in one launch.
pub struct Checker {
    races: bool,
    uninitialised: bool,
    order: Order,
    shadow: Shadow,
    shared: Range<u64>,
    local: [Range<u64>; 2],
}

/// Where an address lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Global,
    Shared,
    Local,
}

impl Checker {
    /// Watches a launch of blocks of `threads` threads, which take turns where it is `cooperative`.
    pub fn new(races: bool, uninitialised: bool, threads: u32, cooperative: bool) -> Checker {
        Checker {
            races,
            uninitialised,
            order: Order::new(threads, cooperative),
            shadow: Shadow::default(),
            shared: 0..0,
            local: [0..0, 0..0],
        }
    }

    /// What follows is of `block`, whose shared memory and whose threads' local memory are there. Blocks of a cooperative
    /// launch come again after each grid barrier.
    pub fn enter_block(&mut self, block: u32, shared: Range<u64>, local: [Range<u64>; 2]) {
        self.order.enter_block(block);
        (self.shared, self.local) = (shared, local);
    }

    /// The block has ended: it will not come again.
    pub fn end_block(&mut self) {
        self.order.end_block();
    }

    /// All threads of the block have come to a barrier.
    pub fn barrier(&mut self) {
        self.order.barrier();
    }

    /// The lanes of `mask` of a warp have come to `__syncwarp`.
    pub fn sync_warp(&mut self, warp: u32, mask: u32) {
        self.order.sync_warp(warp, mask);
    }

    /// All blocks have come to a barrier of the grid.
    pub fn grid_sync(&mut self) {
        self.order.grid_sync();
    }

    /// A thread's fence.
    pub fn fence(&mut self, thread: u32) {
        self.order.fence(thread);
    }

    /// An access of `bytes` bytes that is about to happen; it has been found to be within its memory.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn access(
        &mut self,
        thread: u32,
        site: u32,
        address: u64,
        bytes: u64,
        kind: AccessKind,
    ) -> Result<(), Finding> {
        let space = self.space(address);
        if kind.synchronises() && space == Space::Global {
            self.order.synchronise(thread, address, kind.writes(), kind != AccessKind::VolatileWrite);
        }
        let now = self.order.now(thread, site, kind);
        let note = kind.writes() || self.races && space != Space::Local;
        let sort = note.then(|| now.sort());
        let end = address.saturating_add(bytes);
        let mut at = address;
        while at < end {
            let piece = shadow::page_end(at).min(end);
            let page = self.shadow.page(at, piece, sort).map_err(|ShadowTooLarge| Finding::ShadowTooLarge)?;
            for cell in page.cells(at, piece) {
                if self.uninitialised
                    && kind.needs_a_value()
                    && space != Space::Global
                    && !page.initialised(cell, &self.order, now, space == Space::Local)
                {
                    return Err(Finding::Uninitialised { address: page.address(at, cell).max(address) });
                }
                if self.races
                    && space != Space::Local
                    && let Some(other) = page.conflict(cell, &self.order, now, space == Space::Shared)
                {
                    return Err(Finding::Race { address: page.address(at, cell).max(address), other });
                }
                if sort.is_some() {
                    page.note(cell, &self.order, now);
                }
            }
            at = piece;
        }
        Ok(())
    }

    /// Bytes were copied: those that had no value have none there either, but for global memory, all of which has a value
    /// from then on. `unwritten` says of global memory whether a byte has none.
    pub fn carry(&mut self, thread: u32, to: u64, from: u64, bytes: u64, unwritten: impl Fn(u64) -> bool) {
        if !self.uninitialised || self.space(to) == Space::Global {
            return;
        }
        let space = self.space(from);
        let now = self.order.now(thread, 0, AccessKind::Read);
        for at in 0..bytes {
            let lacks = if space == Space::Global {
                unwritten(from + at)
            } else {
                let Ok(page) = self.shadow.page(from + at, from + at + 1, None) else { return };
                let cell = page.cells(from + at, from + at + 1).start;
                !page.initialised(cell, &self.order, now, space == Space::Local)
            };
            if lacks {
                self.forget(to + at, 1);
            }
        }
    }

    /// A variable of a thread begins there, without a value.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        self.for_each_cell(address, bytes, shadow::Page::forget);
    }

    /// Memory of the heap begins there: nobody has touched it.
    pub fn renew(&mut self, address: u64, bytes: u64) {
        self.for_each_cell(address, bytes, shadow::Page::renew);
    }

    fn for_each_cell(&mut self, address: u64, bytes: u64, then: fn(&mut shadow::Page, usize)) {
        let end = address.saturating_add(bytes);
        let mut at = address;
        while at < end {
            let piece = shadow::page_end(at).min(end);
            let Ok(page) = self.shadow.page(at, piece, None) else { return };
            for cell in page.cells(at, piece) {
                then(page, cell);
            }
            at = piece;
        }
    }

    fn space(&self, address: u64) -> Space {
        if self.shared.contains(&address) {
            Space::Shared
        } else if self.local.iter().any(|range| range.contains(&address)) {
            Space::Local
        } else {
            Space::Global
        }
    }
}
