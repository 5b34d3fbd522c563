//! The clock of events, read twice for each: the processor's counter where the system itself keeps time by it, otherwise the
//! system's clock, which costs more than twice as much.

#![allow(unsafe_code, reason = "the processor's counter is read by an intrinsic")]

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A profile at least this long measures the counter's rate; a shorter one waits until it has taken so long.
const SHORTEST_BASE: Duration = Duration::from_millis(2);

/// When the clock began, and whether ticks are the counter's.
static BEGINNING: OnceLock<(Instant, bool)> = OnceLock::new();
/// Nanoseconds and ticks when a profile began. A machine that slept before it may have stopped one of them.
static PROFILE_BEGAN: Mutex<(u64, u64)> = Mutex::new((0, 0));

fn beginning() -> (Instant, bool) {
    *BEGINNING.get_or_init(|| (Instant::now(), has_counter()))
}

/// Ticks of the clock, never zero.
#[inline]
pub(super) fn ticks() -> u64 {
    if beginning().1 { counter() } else { 1 + nanoseconds() }
}

/// Nanoseconds of the clock, from its beginning.
pub(super) fn nanoseconds() -> u64 {
    u64::try_from(beginning().0.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Notes that a profile begins.
pub(super) fn begin_profile() {
    let now = (nanoseconds(), ticks());
    *PROFILE_BEGAN.lock().unwrap_or_else(PoisonError::into_inner) = now;
}

/// What turns the ticks of a profile into nanoseconds of the clock.
pub(super) struct Scale {
    began: (u64, u64),
    rate: f64,
}

impl Scale {
    /// The rate as measured by the profile that ends now.
    pub(super) fn now() -> Scale {
        let began = *PROFILE_BEGAN.lock().unwrap_or_else(PoisonError::into_inner);
        if !beginning().1 {
            return Scale { began: (0, 1), rate: 1.0 };
        }
        let so_far = Duration::from_nanos(nanoseconds().saturating_sub(began.0));
        if let Some(missing) = SHORTEST_BASE.checked_sub(so_far) {
            std::thread::sleep(missing);
        }
        let (nanoseconds, ticks) = (nanoseconds() - began.0, ticks().saturating_sub(began.1));
        Scale { began, rate: nanoseconds as f64 / ticks.max(1) as f64 }
    }

    /// When it was, in nanoseconds of the clock.
    pub(super) fn moment(&self, ticks: u64) -> u64 {
        self.began.0 + self.length(ticks.saturating_sub(self.began.1))
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
        begin_profile();
        let (began, first) = (nanoseconds(), ticks());
        std::thread::sleep(Duration::from_millis(5));
        let (last, ended) = (ticks(), nanoseconds());
        let scale = Scale::now();
        assert!(0 < first && first < last);
        // It was read between the two others; the rate is off by less than a hundredth.
        let slack = 50_000;
        assert!(scale.moment(first) + slack >= began && scale.moment(last) <= ended + slack);
        let length = scale.length(last - first);
        assert!(length >= 5_000_000 - slack && length <= ended - began + slack, "{length}");
    }
}
