//! What Cuprum runs on, what it fused, and whether it defers.

use cuprum::default_device;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::wrap_pyfunction;

use crate::gate;
use crate::ndarray::NdArray;

/// What Cuprum runs on.
#[pyfunction]
fn info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    let (device, pool) = gate::detached(py, || default_device().map(|device| (device, device.pool())))?;
    facts.set_item("version", env!("CARGO_PKG_VERSION"))?;
    facts.set_item("device", device.name())?;
    facts.set_item("threads", cuprum_cpu::thread_count())?;
    facts.set_item("simd", format!("{:?}", cuprum_core::SimdLevel::detect()).to_lowercase())?;
    facts.set_item("pool_used_bytes", pool.used())?;
    facts.set_item("pool_free_bytes", pool.free_bytes())?;
    facts.set_item("deferred", cuprum_graph::defer_enabled())?;
    Ok(facts)
}

/// The memory bandwidth of a pass that reads and writes so many bytes, in bytes a second.
#[pyfunction]
fn bandwidth(py: Python<'_>, read: usize, written: usize) -> PyResult<f64> {
    gate::detached(py, || Ok(cuprum_cpu::bandwidth(read, written)))
}

/// Starts or stops the log of Programs that run.
#[pyfunction]
fn log_programs(on: bool) {
    cuprum_graph::log_programs(on);
}

/// The texts of the Programs that ran since the log was last read.
#[pyfunction]
fn take_programs() -> Vec<String> {
    cuprum_graph::take_programs()
}

/// Switches deferral on or off.
#[pyfunction]
fn set_defer(on: bool) {
    cuprum_graph::set_defer(on);
}

/// Whether work is deferred.
#[pyfunction]
fn defer_enabled() -> bool {
    cuprum_graph::defer_enabled()
}

/// The operations that an array waits for, by name, the first recorded first; None where it is computed.
#[pyfunction]
fn pending_operations(array: &Bound<'_, NdArray>) -> Option<Vec<&'static str>> {
    let array = array.get().array(array.py());
    array.view().storage().pending_operations()
}

/// Gives memory that the pool keeps for reuse back to the system.
#[pyfunction]
fn free_pool(py: Python<'_>) -> PyResult<()> {
    gate::detached(py, || {
        default_device()?.pool().free_all();
        Ok(())
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(info, module)?)?;
    module.add_function(wrap_pyfunction!(bandwidth, module)?)?;
    module.add_function(wrap_pyfunction!(log_programs, module)?)?;
    module.add_function(wrap_pyfunction!(take_programs, module)?)?;
    module.add_function(wrap_pyfunction!(set_defer, module)?)?;
    module.add_function(wrap_pyfunction!(defer_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(pending_operations, module)?)?;
    module.add_function(wrap_pyfunction!(free_pool, module)?)
}
