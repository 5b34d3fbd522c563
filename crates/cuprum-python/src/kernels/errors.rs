//! What goes wrong with users' kernels as Python's exceptions: `cuprum.cuda.compiler.CompileException` and the classes
//! under `cuprum.cuda.KernelError`.

use cuprum::Error;
use cuprum::kernel::{Fault, FaultKind, KernelError, Site};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

use crate::gate;

/// The exception of a kernel that ran or was to be launched.
pub fn exception(py: Python<'_>, error: KernelError) -> PyErr {
    match error {
        KernelError::Other(error) => gate::exception(py, &error),
        KernelError::Compile(log) => compile_error(py, &log, "", "", &[]),
        KernelError::Fault(fault, _) if fault.kind == FaultKind::Interrupted => {
            gate::exception(py, &Error::Interrupted)
        }
        KernelError::Memory(text) => PyMemoryError::new_err(text),
        KernelError::Fault(fault, text) if fault.kind == FaultKind::Memory => PyMemoryError::new_err(text),
        KernelError::Fault(fault, text) => {
            fault_error(py, &fault, &text).unwrap_or_else(|_| PyRuntimeError::new_err(text))
        }
    }
}

/// `CompileException`, with the compiler's messages and the text.
pub fn compile_error(py: Python<'_>, log: &str, source: &str, name: &str, options: &[String]) -> PyErr {
    let made = py
        .import("cuprum.cuda.compiler")
        .and_then(|compiler| compiler.getattr("CompileException"))
        .and_then(|class| class.call1((log, source, name, options.to_vec())));
    made.map_or_else(|_| PyRuntimeError::new_err(log.to_string()), PyErr::from_value)
}

fn fault_error(py: Python<'_>, fault: &Fault, text: &str) -> PyResult<PyErr> {
    let kind = match fault.kind {
        FaultKind::OutOfBounds => "OutOfBounds",
        FaultKind::Index => "Index",
        FaultKind::Misaligned => "Misaligned",
        FaultKind::ReadOnly => "ReadOnly",
        FaultKind::Uninitialised => "Uninitialised",
        FaultKind::Race => "Race",
        FaultKind::DivergentBarrier => "DivergentBarrier",
        FaultKind::WarpMask => "WarpMask",
        FaultKind::Deadlock => "Deadlock",
        FaultKind::Assertion => "Assertion",
        FaultKind::Stack => "Stack",
        FaultKind::Timeout => "Timeout",
        FaultKind::Interrupted => "Interrupted",
        FaultKind::Launch | FaultKind::Memory => "Launch",
    };
    let site = |site: &Site| (site.span.line, site.thread, site.block);
    let arguments = (
        kind,
        text,
        fault.kernel.as_str(),
        fault.site.as_ref().map(site),
        fault.other.as_ref().map(|(_, other)| site(other)),
    );
    let made = py.import("cuprum.cuda._faults")?.getattr("exception")?.call1(arguments)?;
    Ok(PyErr::from_value(made))
}
