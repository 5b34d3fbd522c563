//! Spans: work that is being timed, and how often small work is looked at.

use std::cell::Cell;

use super::clock::ticks;
use super::log::{generation, note_first, report};
use super::{Event, is_listening};
use crate::{DeviceKind, DeviceRef};

/// One of so many pieces of small work is reported, and stands for all. A prime: loops of a few operations show all of them.
pub const SMALL_SAMPLED: u32 = 61;
/// So many pieces of small work of a thread are all reported before that.
pub const SMALL_REPORTED: u32 = 256;
/// Work of the CPU on at most so many elements, or a copy of so many bytes, is small: reporting it would slow it down.
const SMALL_ELEMENTS: usize = 1 << 14;

/// What a thread says of the small work that it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// It is in none.
    Nothing,
    /// In some that is not reported: neither is small work inside it.
    Passed,
    /// In some that stands for so many: so does small work inside it.
    Reported(u32),
}

/// A thread's small work.
struct SmallWork {
    inside: Cell<Inside>,
    /// When the profiler that counts began to listen, and the pieces since.
    seen: Cell<(u32, u32)>,
}

thread_local! {
    static SMALL: SmallWork =
        const { SmallWork { inside: Cell::new(Inside::Nothing), seen: Cell::new((0, 0)) } };
}

/// Work that is being timed.
#[must_use]
pub struct Span {
    /// Zero where nothing is reported.
    start: u64,
    weight: u32,
    /// Whether the thread is in this small work, and in none when it ends.
    is_outermost: bool,
}

const UNHEARD: Span = Span { start: 0, weight: 0, is_outermost: false };

impl Span {
    /// Work that begins now.
    #[inline]
    pub fn begin() -> Span {
        if is_listening() { Span { start: ticks(), weight: 1, is_outermost: false } } else { UNHEARD }
    }

    /// As [`Span::begin`], for one of many small operations, inside which nothing else is reported.
    #[inline]
    pub fn begin_small() -> Span {
        if is_listening() { Span::innermost() } else { UNHEARD }
    }

    /// As [`Span::begin`], for work of a device on so many elements, or a copy of so many bytes.
    #[inline]
    pub fn begin_over(device: DeviceRef, elements: usize) -> Span {
        if !is_listening() {
            return UNHEARD;
        }
        if is_small(device, elements) {
            return Span::sampled();
        }
        Span::begin_on(device)
    }

    /// As [`Span::begin`], on a device whose own order of work is to be known.
    pub fn begin_on(device: DeviceRef) -> Span {
        if is_listening() {
            note_first(device);
        }
        Span::begin()
    }

    /// Small work that other small work may be inside of.
    #[cold]
    fn sampled() -> Span {
        SMALL.with(|small| {
            let is_outermost = small.inside.get() == Inside::Nothing;
            let weight = small.count();
            if is_outermost {
                small.inside.set(if weight > 0 { Inside::Reported(weight) } else { Inside::Passed });
            }
            Span { start: if weight > 0 { ticks() } else { 0 }, weight, is_outermost }
        })
    }

    /// Small work that no other is inside of: the thread need not know that it is in it.
    #[cold]
    fn innermost() -> Span {
        match SMALL.with(SmallWork::count) {
            0 => UNHEARD,
            weight => Span { start: ticks(), weight, is_outermost: false },
        }
    }

    /// The work has ended: tells what it was, if anybody listens.
    #[inline]
    pub fn end(self, event: impl FnOnce() -> Event) {
        if self.start != 0 {
            report(self.start, self.weight, event());
        }
    }
}

/// Whether work of a device on so many elements, were it to begin now in this thread, is passed over.
pub(super) fn is_passed_over(device: DeviceRef, elements: usize) -> bool {
    is_small(device, elements)
        && SMALL.with(|small| match small.inside.get() {
            Inside::Passed => true,
            Inside::Reported(_) => false,
            Inside::Nothing => small.weight_of_next().1 == 0,
        })
}

fn is_small(device: DeviceRef, elements: usize) -> bool {
    elements <= SMALL_ELEMENTS && device.kind() == DeviceKind::Cpu
}

impl Drop for Span {
    #[inline]
    fn drop(&mut self) {
        if self.is_outermost {
            SMALL.with(|small| small.inside.set(Inside::Nothing));
        }
    }
}

impl SmallWork {
    /// Counts a piece that begins now, and says how many pieces it stands for: none where it is passed over.
    fn count(&self) -> u32 {
        match self.inside.get() {
            Inside::Passed => 0,
            Inside::Reported(weight) => weight,
            Inside::Nothing => {
                let (seen, weight) = self.weight_of_next();
                self.seen.set(seen);
                weight
            }
        }
    }

    /// What `seen` is once the next piece has come, and how many pieces that one stands for: none where it is passed over.
    fn weight_of_next(&self) -> ((u32, u32), u32) {
        let (now, (heard, seen)) = (generation(), self.seen.get());
        let seen = if heard == now { seen + 1 } else { 1 };
        if seen <= SMALL_REPORTED {
            ((now, seen), 1)
        } else if seen == SMALL_REPORTED + SMALL_SAMPLED {
            ((now, SMALL_REPORTED), SMALL_SAMPLED)
        } else {
            ((now, seen), 0)
        }
    }
}
