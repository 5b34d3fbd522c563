//! The device that new arrays are made on, and the check that the arrays of one op are on one device.

use std::cell::Cell;
use std::sync::OnceLock;

use cuprum_core::{Error, Result};
use cuprum_graph::{DeviceRef, same_device};

use crate::Array;

thread_local! {
    /// The device that this thread has set; `None` for the process's default.
    static CURRENT: Cell<Option<DeviceRef>> = const { Cell::new(None) };
}

/// The CPU.
///
/// ```
/// assert_eq!(cuprum::cpu().name(), "cpu");
/// ```
pub fn cpu() -> DeviceRef {
    // Kernels run on the same worker threads.
    cuprum_jit::prepare_workers();
    cuprum_cpu::device()
}

/// A GPU of this machine by its number, or an error that says what is missing.
///
/// ```
/// match cuprum::cuda(0) {
///     Ok(device) => assert_eq!(device.name(), "cuda:0"),
///     Err(error) => println!("{error}"),
/// }
/// ```
pub fn cuda(ordinal: usize) -> Result<DeviceRef> {
    let device: DeviceRef = cuprum_cuda::device(ordinal)?;
    cuprum_cuda::check_compiler()?;
    Ok(device)
}

/// A device by its name: `cpu`, `cuda` (the first GPU) or `cuda:1`.
///
/// ```
/// assert_eq!(cuprum::device_by_name("cpu").unwrap().name(), "cpu");
/// assert!(cuprum::device_by_name("tpu").is_err());
/// ```
pub fn device_by_name(name: &str) -> Result<DeviceRef> {
    let number = match name {
        "cpu" => return Ok(cpu()),
        "cuda" => Some(0),
        _ => name.strip_prefix("cuda:").and_then(|n| n.parse().ok()),
    };
    let Some(number) = number else {
        return Err(Error::value("device", format!("'{name}' is no device: use cpu, cuda or cuda:1")));
    };
    cuda(number)
}

/// The device that new arrays are made on: the one that the thread has set, else the one that `CUPRUM_DEVICE` names,
/// else the first GPU, else the CPU. It is an error if `CUPRUM_DEVICE` names a device that the machine does not have.
///
/// ```
/// let device = cuprum::default_device().unwrap();
/// assert!(device.name() == "cpu" || device.name().starts_with("cuda:"));
/// ```
#[inline]
pub fn default_device() -> Result<DeviceRef> {
    match CURRENT.try_with(Cell::get).ok().flatten() {
        Some(device) => Ok(device),
        None => process_device(),
    }
}

/// The process's default: the device of new arrays in threads that have not set one.
///
/// ```
/// assert!(!cuprum::process_device().unwrap().name().is_empty());
/// ```
#[inline]
pub fn process_device() -> Result<DeviceRef> {
    static DEFAULT: OnceLock<Result<DeviceRef>> = OnceLock::new();
    match DEFAULT.get_or_init(choose) {
        Ok(device) => Ok(*device),
        Err(error) => Err(error.clone()),
    }
}

fn choose() -> Result<DeviceRef> {
    // Worker threads serve GPUs too. Those that start later register the thread-local data of the CPU's work.
    let cpu = cpu();
    match std::env::var("CUPRUM_DEVICE") {
        Ok(name) if !name.is_empty() => device_by_name(&name)
            .map_err(|error| Error::device(format!("CUPRUM_DEVICE={name} cannot be had: {error}"))),
        _ if cuprum_cuda::is_available() => cuda(0),
        _ => Ok(cpu),
    }
}

/// Sets the device of the calling thread's new arrays, or with `None` the process's default; returns the previous
/// setting.
///
/// ```
/// let before = cuprum::set_current_device(Some(cuprum::cpu()));
/// assert_eq!(cuprum::default_device().unwrap().name(), "cpu");
/// cuprum::set_current_device(before);
/// ```
pub fn set_current_device(device: Option<DeviceRef>) -> Option<DeviceRef> {
    CURRENT.try_with(|current| current.replace(device)).unwrap_or(None)
}

/// Checks that all arrays are on one device; the error names the op.
pub(crate) fn check_devices<'a>(op: &'static str, arrays: impl IntoIterator<Item = &'a Array>) -> Result<()> {
    let mut arrays = arrays.into_iter();
    let Some(first) = arrays.next() else { return Ok(()) };
    match arrays.find(|other| !same_device(first.device(), other.device())) {
        None => Ok(()),
        Some(other) => Err(cuprum_graph::mixed_devices(op, first.device(), other.device())),
    }
}
