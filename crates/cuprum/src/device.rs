//! Which device new arrays live on.

use cuprum_graph::DeviceRef;

/// The CPU.
///
/// ```
/// assert_eq!(cuprum::cpu().name(), "cpu");
/// ```
pub fn cpu() -> DeviceRef {
    cuprum_cpu::device()
}

/// The device that new arrays are made on.
///
/// ```
/// assert_eq!(cuprum::default_device().name(), "cpu");
/// ```
pub fn default_device() -> DeviceRef {
    cpu()
}
