//! The clock of events, read twice for each: the processor's counter where the system itself keeps time by it, otherwise the
//! system's clock, which costs more than twice as much.

#![allow(unsafe_code, reason = "the processor's counter is read by an intrinsic")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Ticks are told in nanoseconds only once so much time has passed since the first one: the rate is then known well.
const SHORTEST_BASE: Duration = Duration::from_millis(2);

/// When the clock began, by the system's clock and by the counter.
struct Beginning {
    instant: Instant,
    ticks: u64,
    has_counter: bool,
}

static BEGINNING: OnceLock<Beginning> = OnceLock::new();

fn beginning() -> &'static Beginning {
    BEGINNING.get_or_init(|| {
        let has_counter = has_counter();
        let instant = Instant::now();
        Beginning { instant, ticks: if has_counter { counter() } else { 0 }, has_counter }
    })
}

/// Ticks of the clock, never zero.
#[inline]
pub(super) fn ticks() -> u64 {
    let beginning = beginning();
    if beginning.has_counter { counter() } else { 1 + nanoseconds_since(beginning.instant) }
}

/// Nanoseconds of the clock, from its beginning.
pub(super) fn nanoseconds() -> u64 {
    nanoseconds_since(beginning().instant)
}

fn nanoseconds_since(instant: Instant) -> u64 {
    u64::try_from(instant.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// What turns ticks into nanoseconds of the clock.
pub(super) struct Scale {
    first: u64,
    rate: f64,
}

impl Scale {
    /// As it is known now; waits for two milliseconds in the life of a process.
    pub(super) fn now() -> Scale {
        let beginning = beginning();
        if !beginning.has_counter {
            return Scale { first: 1, rate: 1.0 };
        }
        if let Some(missing) = SHORTEST_BASE.checked_sub(beginning.instant.elapsed()) {
            std::thread::sleep(missing);
        }
        let (nanoseconds, ticks) = (nanoseconds(), ticks());
        let rate = nanoseconds as f64 / ticks.saturating_sub(beginning.ticks).max(1) as f64;
        Scale { first: beginning.ticks, rate }
    }

    /// When it was, in nanoseconds of the clock.
    pub(super) fn moment(&self, ticks: u64) -> u64 {
        self.length(ticks.saturating_sub(self.first))
    }

    /// How long it was, in nanoseconds.
    pub(super) fn length(&self, ticks: u64) -> u64 {
        (ticks as f64 * self.rate) as u64
    }
}

/// Whether the counter runs at one rate and is the same on all cores: Linux looks after that as long as it keeps time by it.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
fn has_counter() -> bool {
    let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    std::fs::read_to_string(source).is_ok_and(|name| name.trim() == "tsc")
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(miri))))]
fn has_counter() -> bool {
    false
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
#[inline]
fn counter() -> u64 {
    // SAFETY: every x86-64 processor has the instruction, and Linux lets programs use it where it keeps time by it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(miri))))]
#[inline]
fn counter() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_the_system_clocks_nanoseconds() {
        let (began, first) = (nanoseconds(), ticks());
        std::thread::sleep(Duration::from_millis(5));
        let (last, ended) = (ticks(), nanoseconds());
        let scale = Scale::now();
        assert!(0 < first && first < last);
        // Read within the two others, but for what the rate is off: a thousandth would be much.
        let slack = ended / 1000;
        assert!(scale.moment(first) + slack >= began && scale.moment(last) <= ended + slack);
        let length = scale.length(last - first);
        assert!(length >= 5_000_000 - 5_000 && length <= ended - began + slack, "{length}");
    }
}
