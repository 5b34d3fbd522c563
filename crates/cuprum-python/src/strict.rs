//! The rules of a GPU on the CPU, for tests on machines without one: what arrays on a GPU refuse, all arrays refuse.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum::Array;
use cuprum_graph::DeviceKind;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

static STRICT: AtomicBool = AtomicBool::new(false);

/// Whether the host may not read an array's memory unasked: it is on a GPU, or passes for one.
pub fn is_apart(array: &Array) -> bool {
    array.device().kind() != DeviceKind::Cpu || STRICT.load(Ordering::Relaxed)
}

/// The device that a refusal names: the CPU passes for the first GPU.
pub fn device_name(array: &Array) -> String {
    match array.device().kind() {
        DeviceKind::Cpu => "cuda:0".into(),
        DeviceKind::Cuda(_) => array.device().name(),
    }
}

/// Switches the rules of a GPU on or off for arrays on the CPU; gives what was set before.
#[pyfunction]
fn set_strict(on: bool) -> bool {
    STRICT.swap(on, Ordering::Relaxed)
}

thread_local! {
    /// Whether this thread may not wait for a device.
    static WAITS_FORBIDDEN: Cell<bool> = const { Cell::new(false) };
}

/// An error where this thread may not wait for a device: the host is about to read what one computes.
pub fn check_wait(py: Python<'_>) -> PyResult<()> {
    if !WAITS_FORBIDDEN.get() {
        return Ok(());
    }
    let class = py.import("cuprum.compat.cupyx")?.getattr("DeviceSynchronized")?;
    Err(PyErr::from_value(class.call1(("the host waits for the device here",))?))
}

/// Lets this thread wait for devices or not; gives what was set before.
#[pyfunction]
fn allow_waits(allow: bool) -> bool {
    !WAITS_FORBIDDEN.replace(!allow)
}

/// [`check_wait`] for what waits in Python.
#[pyfunction]
fn check_waits(py: Python<'_>) -> PyResult<()> {
    check_wait(py)
}

pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if let Ok(rules) = std::env::var("CUPRUM_STRICT") {
        match rules.as_str() {
            "gpu" => STRICT.store(true, Ordering::Relaxed),
            "" | "0" => {}
            other => {
                let message = format!("CUPRUM_STRICT is 'gpu' or not set, got {other:?}");
                return Err(pyo3::exceptions::PyValueError::new_err(message));
            }
        }
    }
    module.add_function(wrap_pyfunction!(set_strict, module)?)?;
    module.add_function(wrap_pyfunction!(allow_waits, module)?)?;
    module.add_function(wrap_pyfunction!(check_waits, module)?)
}
