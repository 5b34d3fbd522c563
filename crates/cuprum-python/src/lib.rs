//! `cuprum._core`: the Python extension. It converts arguments, passes them through one gate into the library, and
//! wraps what comes back; nothing is computed here.

mod arrow;
mod buffer;
mod convert;
mod cuda_interface;
mod dlpack;
mod exports;
mod fork;
mod functions;
mod gate;
mod kernels;
mod mapped;
mod ndarray;
mod numpy;
mod profile;
mod reserve;
mod strict;
mod type_slots;
mod ufunc;

use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

/// The extension module of Cuprum. Users import `cuprum`.
///
/// Its classes rely on the global lock: a free-threaded interpreter switches the lock on for it.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ndarray::NdArray>()?;
    module.add_class::<ndarray::FlatIter>()?;
    module.add_class::<ndarray::Flags>()?;
    module.add_class::<ndarray::ArrayIter>()?;
    module.add_class::<ufunc::UFunc>()?;
    module.add_function(wrap_pyfunction!(ufunc::ufuncs, module)?)?;
    module.add_function(wrap_pyfunction!(ufunc::op_table, module)?)?;
    module.add_function(wrap_pyfunction!(ufunc::reduction_table, module)?)?;
    module.add_function(wrap_pyfunction!(ndarray::unpickle, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    functions::register(module)?;
    kernels::register(module)?;
    module.add_function(wrap_pyfunction!(buffer::inherit_buffer, module)?)?;
    buffer::install(module.py())?;
    ndarray::install_subclassing(module.py())?;
    ufunc::install_vectorcall(module.py())?;
    ufunc::install_docs(module.py())?;
    gate::install_interrupt();
    fork::install(module)?;
    reserve::keep();
    mapped::register(module)?;
    profile::install(module)?;
    strict::install(module)?;
    module.add_function(wrap_pyfunction!(_fail_request, module)?)?;
    module.add_function(wrap_pyfunction!(_fail_task, module)?)?;
    name_search_folders(module.py())?;
    if std::env::var("CUPRUM_DEFER").is_ok_and(|value| value == "0") {
        cuprum_graph::set_defer(false);
    }
    Ok(())
}

/// Lets the n-th request for memory from now on fail, for tests; gives how many were left of the last setting.
#[pyfunction]
fn _fail_request(n: usize) -> usize {
    cuprum_core::memory::faults::fail_request(n)
}

/// Lets the n-th task of the worker threads from now on fail, for tests; gives how many were left of the last setting.
#[pyfunction]
fn _fail_task(n: usize) -> usize {
    cuprum_threads::faults::fail_task(n)
}

/// Tells where NVIDIA's wheels may be: wherever Python looks for packages. Nothing is looked up before a GPU is wanted.
fn name_search_folders(py: Python<'_>) -> PyResult<()> {
    for entry in py.import("sys")?.getattr("path")?.try_iter()? {
        if let Ok(folder) = entry?.extract::<String>()
            && !folder.is_empty()
        {
            cuprum_cuda::sys::add_search_folder(folder);
        }
    }
    Ok(())
}
