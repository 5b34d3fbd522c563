//! `KernelModule`: what one text, or one piece of a GPU's machine code, defines.

use std::sync::Arc;

use cuprum::kernel::{KernelError, ModuleSource, RawModule};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::errors;
use super::function::KernelFunction;
use crate::convert::devices;
use crate::gate;

/// Kernels and variables of one text on one device.
#[pyclass(name = "KernelModule", module = "cuprum._core", frozen, weakref)]
pub struct KernelModule {
    module: Arc<RawModule>,
}

#[pymethods]
impl KernelModule {
    /// Compiles a text (str), or loads a cubin, a fatbin or PTX (bytes).
    #[new]
    #[pyo3(signature = (code, options=Vec::new(), name_expressions=Vec::new(), device=None, file="kernel.cu", headers=None))]
    fn __new__(
        py: Python<'_>,
        code: &Bound<'_, PyAny>,
        options: Vec<String>,
        name_expressions: Vec<String>,
        device: Option<&Bound<'_, PyAny>>,
        file: &str,
        headers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<KernelModule> {
        let device = devices::optional(device)?;
        if let Ok(code) = code.cast::<PyBytes>() {
            let code = code.as_bytes().to_vec();
            let outcome = gate::detached(py, || Ok(RawModule::load(&code, device)))?;
            let module = outcome.map_err(|error| errors::exception(py, error))?;
            return Ok(KernelModule { module: Arc::new(module) });
        }
        let mut texts = Vec::new();
        for (name, text) in headers.into_iter().flat_map(|headers| headers.iter()) {
            texts.push((name.extract::<String>()?, text.extract::<String>()?));
        }
        let source = ModuleSource {
            text: code.extract()?,
            file: file.to_string(),
            options,
            expressions: name_expressions,
            headers: texts,
            device,
        };
        let outcome = gate::detached(py, || Ok(RawModule::compile(&source)))?;
        let module = outcome.map_err(|error| match error {
            KernelError::Compile(log) => {
                errors::compile_error(py, &log, &source.text, &source.file, &source.options)
            }
            other => errors::exception(py, other),
        })?;
        Ok(KernelModule { module: Arc::new(module) })
    }

    /// The kernel of a name or a name expression.
    fn function(&self, py: Python<'_>, name: &str) -> PyResult<KernelFunction> {
        let module = &self.module;
        let outcome = gate::detached(py, || Ok(module.kernel(name)))?;
        outcome.map(KernelFunction::new).map_err(|error| errors::exception(py, error))
    }

    /// The address and the bytes of a `__device__` or `__constant__` variable.
    fn global_(&self, py: Python<'_>, name: &str) -> PyResult<(usize, usize)> {
        let module = &self.module;
        gate::detached(py, || module.global(name))
    }

    /// The driver's handle of the module; 0 on the CPU.
    #[getter]
    fn handle(&self) -> usize {
        self.module.handle()
    }

    /// The name expressions, with the names that they have in the code.
    #[getter]
    fn names(&self) -> Vec<(String, String)> {
        self.module.names().to_vec()
    }

    /// What the compiler had to say.
    #[getter]
    fn log(&self) -> String {
        self.module.log().to_string()
    }

    /// The name of the device that the module is on.
    #[getter]
    fn device(&self) -> String {
        self.module.device().name()
    }
}

/// The PTX of a text for GPUs of a compute capability, by NVRTC; no GPU is needed.
#[pyfunction]
#[pyo3(signature = (text, options, capability, file="kernel.cu"))]
pub fn kernel_ptx(
    py: Python<'_>,
    text: String,
    options: Vec<String>,
    capability: (u32, u32),
    file: &str,
) -> PyResult<String> {
    let source = ModuleSource { file: file.to_string(), options, ..ModuleSource::new(text) };
    let outcome = gate::detached(py, || Ok(cuprum::kernel::ptx(&source, capability)))?;
    outcome.map_err(|error| match error {
        KernelError::Compile(log) => {
            errors::compile_error(py, &log, &source.text, &source.file, &source.options)
        }
        other => errors::exception(py, other),
    })
}

/// The headers that kernels may include: their names and texts.
#[pyfunction]
pub fn kernel_headers() -> Vec<(&'static str, &'static str)> {
    let texts = cuprum::kernel::headers::names();
    texts.filter_map(|name| Some((name, cuprum::kernel::headers::text(name)?))).collect()
}
