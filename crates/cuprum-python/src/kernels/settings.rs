//! What holds for launches that say nothing else: checking, order, time. A thread's own settings go before the process's.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::Duration;

use cuprum::kernel::CheckMode;
use cuprum::{Array, DType};
use cuprum_graph::{Buffer, DeviceKind, DeviceRef, hand_out, mark_written};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Settings of launches.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub check: Option<CheckMode>,
    pub deterministic: Option<bool>,
    pub timeout: Option<Duration>,
}

thread_local! {
    static OWN: RefCell<Option<Settings>> = const { RefCell::new(None) };
}

/// What `CUPRUM_CHECK` asks for.
fn of_process() -> &'static Settings {
    static PROCESS: OnceLock<Settings> = OnceLock::new();
    PROCESS.get_or_init(|| {
        let on = std::env::var("CUPRUM_CHECK").is_ok_and(|value| !value.is_empty() && value != "0");
        Settings { check: on.then(|| everything(None)), ..Settings::default() }
    })
}

/// A checking mode that watches everything.
pub fn everything(order: Option<u64>) -> CheckMode {
    CheckMode { races: true, uninitialised: true, divergence: true, order }
}

/// The settings that hold for the calling thread.
pub fn current() -> Settings {
    OWN.with(|own| own.borrow().clone()).unwrap_or_else(|| of_process().clone())
}

/// Whether Python runs no other thread, which could write a kernel's memory meanwhile.
pub fn is_single_threaded() -> bool {
    let threads = Python::attach(|py| py.import("sys")?.call_method0("_current_frames")?.len());
    threads.is_ok_and(|threads| threads <= 1)
}

/// Notes that a device's memory is given to the user without a value, where the calling thread's kernels are checked.
pub fn note_handed_out(device: DeviceRef, buffer: &Buffer) {
    let asked = || OWN.with(|own| own.borrow().as_ref().map(|own| own.check.is_some()));
    if device.kind() == DeviceKind::Cpu && asked().unwrap_or_else(|| of_process().check.is_some()) {
        hand_out(buffer);
    }
}

/// An array that is given to the user without values.
pub fn handed_out(array: Array) -> cuprum::Result<Array> {
    // Truth values are never without one.
    if array.dtype() != DType::Bool {
        note_handed_out(array.device(), &array.force()?);
    }
    Ok(array)
}

/// Notes a write to an address that was not made by way of an array.
#[pyfunction]
pub fn note_write(address: usize, size: usize) {
    mark_written(address, size);
}

/// A time in seconds.
pub fn seconds(timeout: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(timeout).map_err(|_| {
        PyValueError::new_err(format!("timeout must be a positive number of seconds, got {timeout}"))
    })
}

/// The thread's settings: (check, order, deterministic, timeout).
#[pyfunction]
pub fn kernel_settings() -> (bool, Option<u64>, Option<bool>, Option<f64>) {
    let settings = current();
    (
        settings.check.is_some(),
        settings.check.and_then(|mode| mode.order),
        settings.deterministic,
        settings.timeout.map(|time| time.as_secs_f64()),
    )
}

/// Sets the thread's settings.
#[pyfunction]
#[pyo3(signature = (check, order, deterministic, timeout))]
pub fn set_kernel_settings(
    check: bool,
    order: Option<u64>,
    deterministic: Option<bool>,
    timeout: Option<f64>,
) -> PyResult<()> {
    let settings = Settings {
        check: check.then(|| everything(order)),
        deterministic,
        timeout: timeout.map(seconds).transpose()?,
    };
    OWN.with(|own| *own.borrow_mut() = Some(settings));
    Ok(())
}

/// The bytes that kernels on the CPU may allocate.
#[pyfunction]
pub fn kernel_heap_limit() -> usize {
    cuprum::kernel::heap::limit()
}

/// Sets them; false where kernels hold memory of the heap.
#[pyfunction]
pub fn set_kernel_heap_limit(bytes: usize) -> bool {
    cuprum::kernel::heap::set_limit(bytes)
}
