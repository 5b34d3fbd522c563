//! `os.fork` while other threads are in calls of the library: it waits for them (`cuprum_threads::fork`), and a child of a
//! fork that waited in vain is refused every call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cuprum_threads::fork;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::wrap_pyfunction;

/// How long a fork waits for calls of other threads: a kernel may never end.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// The same for a fork inside a call (by an allocator or a hook of the program's), which others may be waiting for.
const MAX_WAIT_INSIDE: Duration = Duration::from_secs(1);

/// Whether the fork under way found no other thread inside a call.
static NONE_INSIDE: AtomicBool = AtomicBool::new(true);

/// Python calls this before it forks. The last look is with the GIL held, so that no call begins before the fork.
#[pyfunction]
fn before_fork(py: Python<'_>) {
    py.detach(fork::close);
    let patience = if fork::is_inside() { MAX_WAIT_INSIDE } else { MAX_WAIT };
    let begun = Instant::now();
    while !fork::no_other_inside() && begun.elapsed() < patience {
        py.detach(fork::pause);
    }
    NONE_INSIDE.store(fork::no_other_inside(), Ordering::SeqCst);
}

#[pyfunction]
fn after_fork_in_parent() {
    fork::reopen();
}

#[pyfunction]
fn after_fork_in_child() {
    fork::reopen_in_child(NONE_INSIDE.load(Ordering::SeqCst));
}

/// A lock of the package's own Python code; a fork waits until no other thread holds it.
#[pyclass(module = "cuprum._core", frozen)]
struct ForkSafeLock {
    lock: Py<PyAny>,
}

#[pymethods]
impl ForkSafeLock {
    #[new]
    fn new(py: Python<'_>) -> PyResult<ForkSafeLock> {
        Ok(ForkSafeLock { lock: py.import("threading")?.call_method0("Lock")?.unbind() })
    }

    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| std::mem::forget(fork::enter()));
        self.lock.call_method0(py, "acquire").inspect_err(|_| fork::leave())?;
        Ok(())
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        self.lock.call_method0(py, "release")?;
        fork::leave();
        Ok(())
    }
}

/// Registers what Python calls around forks.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<ForkSafeLock>()?;
    let os = py.import("os")?;
    if !os.hasattr("register_at_fork")? {
        return Ok(());
    }
    let hooks = PyDict::new(py);
    hooks.set_item("before", wrap_pyfunction!(before_fork, py)?)?;
    hooks.set_item("after_in_parent", wrap_pyfunction!(after_fork_in_parent, py)?)?;
    hooks.set_item("after_in_child", wrap_pyfunction!(after_fork_in_child, py)?)?;
    os.call_method("register_at_fork", (), Some(&hooks))?;
    Ok(())
}
