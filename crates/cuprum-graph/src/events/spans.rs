//! Spans: work that is being timed, and how often small work is looked at.

use std::cell::Cell;

use super::clock::ticks;
use super::log::{generation, note_first, report};
use super::{Event, is_listening};
use crate::{DeviceKind, DeviceRef};

/// So many pieces of small work of a thread are all reported.
const SMALL_REPORTED: u32 = 256;
/// After them one of so many is reported, and stands for all. A prime: loops of a few operations show all of them.
const SMALL_SAMPLED: u32 = 61;
/// After so many reports more, when a loop has shown what it does, one of [`SMALL_SELDOM_SAMPLED`] is.
const SMALL_OFTEN_REPORTS: u32 = 256;
/// Likewise a prime.
const SMALL_SELDOM_SAMPLED: u32 = 509;
/// A Program of the CPU over at most so many elements, or a copy of so many bytes, is small: reporting it would slow it down.
const SMALL_ELEMENTS: usize = 1 << 17;
/// A library call on at most so many is, which may take long on each.
const SMALL_CALL_ELEMENTS: usize = 1 << 14;

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

/// How far the small work of a thread has come.
#[derive(Clone, Copy)]
struct Sampling {
    /// Which profiler counts.
    generation: u32,
    /// How many pieces were reported.
    reports: u32,
    /// How many pieces come until one is reported, that one counted in.
    until_report: u32,
}

/// A thread's small work.
struct SmallWork {
    inside: Cell<Inside>,
    sampling: Cell<Sampling>,
}

thread_local! {
    static SMALL: SmallWork = const {
        SmallWork {
            inside: Cell::new(Inside::Nothing),
            sampling: Cell::new(Sampling { generation: 0, reports: 0, until_report: 1 }),
        }
    };
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

    /// As [`Span::begin`], for a Program of a device over so many elements, or a copy of so many bytes.
    #[inline]
    pub fn begin_over(device: DeviceRef, elements: usize) -> Span {
        Span::begin_unless_small(device, elements, SMALL_ELEMENTS)
    }

    /// As [`Span::begin`], for a library call on so many elements.
    #[inline]
    pub fn begin_call(device: DeviceRef, elements: usize) -> Span {
        Span::begin_unless_small(device, elements, SMALL_CALL_ELEMENTS)
    }

    #[inline]
    fn begin_unless_small(device: DeviceRef, elements: usize, small: usize) -> Span {
        if !is_listening() {
            UNHEARD
        } else if is_small(device, elements, small) {
            Span::sampled()
        } else {
            Span::begin_on(device)
        }
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
    is_small(device, elements, SMALL_ELEMENTS)
        && SMALL.with(|small| match small.inside.get() {
            Inside::Passed => true,
            Inside::Reported(_) => false,
            Inside::Nothing => small.sampling.get().next().1 == 0,
        })
}

fn is_small(device: DeviceRef, elements: usize, small: usize) -> bool {
    elements <= small && device.kind() == DeviceKind::Cpu
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
                let (sampling, weight) = self.sampling.get().next();
                self.sampling.set(sampling);
                weight
            }
        }
    }
}

impl Sampling {
    /// What it is once the next piece has come, and how many pieces that one stands for: none where it is passed over.
    fn next(mut self) -> (Sampling, u32) {
        let now = generation();
        if self.generation != now {
            self = Sampling { generation: now, reports: 0, until_report: 1 };
        }
        self.until_report -= 1;
        if self.until_report > 0 {
            return (self, 0);
        }
        let weight = interval(self.reports);
        self.reports = self.reports.saturating_add(1);
        self.until_report = interval(self.reports);
        (self, weight)
    }
}

/// How many pieces a report stands for that comes after so many others.
fn interval(reports: u32) -> u32 {
    if reports < SMALL_REPORTED {
        1
    } else if reports < SMALL_REPORTED + SMALL_OFTEN_REPORTS {
        SMALL_SAMPLED
    } else {
        SMALL_SELDOM_SAMPLED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_the_pieces() {
        let (mut sampling, mut counted) =
            (Sampling { generation: generation(), reports: 0, until_report: 1 }, 0);
        for piece in 1..=100_000 {
            let weight;
            (sampling, weight) = sampling.next();
            counted += weight;
            let behind = match piece {
                0..=256 => 0,
                257..=15_872 => SMALL_SAMPLED - 1,
                _ => SMALL_SELDOM_SAMPLED - 1,
            };
            assert!(counted <= piece && piece - counted <= behind, "{piece} {counted}");
        }
        assert!((600..800).contains(&sampling.reports), "{}", sampling.reports);
    }
}
