//! `KernelCaller`: what `RawKernel` is called through, without a detour through Python for kernels that are ready.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_graph::{DeviceRef, same_device};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use super::function::{KernelFunction, LaunchOptions};
use crate::gate;

/// A device, and the kernel on it.
type Ready = (DeviceRef, Py<KernelFunction>);

/// A kernel on every device that it has been called on. Classes in Python derive from it and give it `_function`,
/// which returns the kernel on the current device.
#[pyclass(name = "KernelCaller", module = "cuprum._core", frozen, subclass, weakref)]
pub struct KernelCaller {
    ready: Mutex<SmallVec<[Ready; 1]>>,
    cooperative: AtomicBool,
}

#[pymethods]
impl KernelCaller {
    #[new]
    #[pyo3(signature = (*_args, **_named))]
    fn __new__(_args: &Bound<'_, PyTuple>, _named: Option<&Bound<'_, PyDict>>) -> KernelCaller {
        KernelCaller { ready: Mutex::default(), cooperative: AtomicBool::new(false) }
    }

    /// Whether the whole grid may synchronise.
    #[getter(_cooperative)]
    fn cooperative(&self) -> bool {
        self.cooperative.load(Ordering::Relaxed)
    }

    #[setter(_cooperative)]
    fn set_cooperative(&self, on: bool) {
        self.cooperative.store(on, Ordering::Relaxed);
    }

    /// Launches the kernel on the current device.
    #[pyo3(signature = (grid, block, args, *, shared_mem=0, stream=None, check=None, deterministic=None, timeout=None))]
    #[allow(clippy::too_many_arguments)]
    fn __call__(
        slf: &Bound<'_, KernelCaller>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        args: &Bound<'_, PyAny>,
        shared_mem: usize,
        stream: Option<&Bound<'_, PyAny>>,
        check: Option<bool>,
        deterministic: Option<bool>,
        timeout: Option<f64>,
    ) -> PyResult<()> {
        let py = slf.py();
        let caller = slf.get();
        let function = match caller.found(py)? {
            Some(function) => function,
            None => {
                let made: Py<KernelFunction> = slf.call_method0("_function")?.cast_into()?.unbind();
                let device = gate::attached(py, cuprum::default_device)?;
                let mut ready = caller.ready.lock().unwrap_or_else(|e| e.into_inner());
                ready.push((device, made.clone_ref(py)));
                made
            }
        };
        let function = function.get();
        let mut arguments = function.arguments(py, args)?;
        function.drop_extra(py, &mut arguments)?;
        let cooperative = caller.cooperative();
        let how =
            LaunchOptions { shared_mem, stream, cooperative, check, deterministic, timeout, strided: false };
        function.run(py, grid, block, &arguments, &how)
    }
}

impl KernelCaller {
    /// The kernel on the current device, where it has been called before.
    fn found(&self, py: Python<'_>) -> PyResult<Option<Py<KernelFunction>>> {
        let device = gate::attached(py, cuprum::default_device)?;
        let ready = self.ready.lock().unwrap_or_else(|e| e.into_inner());
        let found = ready.iter().find(|(known, _)| same_device(*known, device));
        Ok(found.map(|(_, function)| function.clone_ref(py)))
    }
}
