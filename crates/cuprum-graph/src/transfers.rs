//! Copies between the host and devices, counted: the code that makes one reports it, users read the totals.

use std::sync::atomic::{AtomicU64, Ordering};

static TO_DEVICE: Counter = Counter::new();
static TO_HOST: Counter = Counter::new();

struct Counter {
    calls: AtomicU64,
    bytes: AtomicU64,
}

impl Counter {
    const fn new() -> Counter {
        Counter { calls: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    fn add(&self, bytes: usize) {
        if bytes > 0 {
            self.calls.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    fn read(&self) -> Moved {
        Moved { calls: self.calls.load(Ordering::Relaxed), bytes: self.bytes.load(Ordering::Relaxed) }
    }
}

/// Copies in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// How many copies.
    pub calls: u64,
    /// How many bytes they moved.
    pub bytes: u64,
}

/// Copies in both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Transfers {
    /// From the host's memory to a device's.
    pub to_device: Moved,
    /// From a device's memory to the host's.
    pub to_host: Moved,
}

/// All copies since the process started. Copies of no bytes do not count.
///
/// ```
/// cuprum_graph::count_to_device(8);
/// assert!(cuprum_graph::transfers().to_device.bytes >= 8);
/// ```
pub fn transfers() -> Transfers {
    Transfers { to_device: TO_DEVICE.read(), to_host: TO_HOST.read() }
}

/// Counts one copy from the host.
pub fn count_to_device(bytes: usize) {
    TO_DEVICE.add(bytes);
}

/// Counts one copy to the host.
pub fn count_to_host(bytes: usize) {
    TO_HOST.add(bytes);
}
