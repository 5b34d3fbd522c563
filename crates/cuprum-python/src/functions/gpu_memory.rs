//! A GPU's memory by plain addresses and handles: CUDA's own pools, managed memory, memory that processes share; and
//! handles of NVIDIA's libraries.

use cuprum_cuda::{Gpu, HandleKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

use super::gpu::{GpuEvent, gpu, resolved};
use crate::gate;

/// The handle of the pool that a GPU began with, or of the current one.
#[pyfunction]
fn memory_pool(py: Python<'_>, ordinal: usize, first: bool) -> PyResult<usize> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || {
        if first { cuprum_cuda::default_pool_handle(gpu) } else { cuprum_cuda::current_pool_handle(gpu) }
    })
}

/// Sets the pool that memory in the order of a GPU's streams comes from.
#[pyfunction]
fn set_memory_pool(py: Python<'_>, ordinal: usize, handle: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::set_current_pool(gpu, handle) })
}

/// A new pool, by CUDA's numbers.
#[pyfunction]
fn create_memory_pool(py: Python<'_>, ordinal: usize, numbers: [i32; 4], most: usize) -> PyResult<usize> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::create_pool(gpu, numbers, most))
}

/// Lets go of a pool.
#[pyfunction]
fn destroy_memory_pool(py: Python<'_>, handle: usize) -> PyResult<()> {
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::destroy_pool(handle) })
}

/// One of a pool's numbers, by CUDA's number.
#[pyfunction]
fn memory_pool_attribute(py: Python<'_>, handle: usize, which: i32) -> PyResult<u64> {
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::pool_attribute(handle, which) })
}

/// Sets one of a pool's numbers.
#[pyfunction]
fn set_memory_pool_attribute(py: Python<'_>, handle: usize, which: i32, value: u64) -> PyResult<()> {
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::set_pool_attribute(handle, which, value) })
}

/// Gives back what a pool keeps beyond so many bytes.
#[pyfunction]
fn trim_memory_pool(py: Python<'_>, ordinal: usize, handle: usize, least: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the handle.
    gate::detached(py, || unsafe { cuprum_cuda::trim_pool(gpu, handle, least) })
}

/// Memory in a stream's order, from a pool or the current one.
#[pyfunction]
#[pyo3(signature = (ordinal, bytes, stream, pool=None))]
fn gpu_malloc_async(
    py: Python<'_>,
    ordinal: usize,
    bytes: usize,
    stream: usize,
    pool: Option<usize>,
) -> PyResult<usize> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    // SAFETY: the caller of CUDA's own function vouches for the handles.
    gate::detached(py, || unsafe { cuprum_cuda::allocate_ordered(gpu, pool, bytes, stream) })
}

/// Gives memory of `gpu_malloc_async` back in a stream's order.
#[pyfunction]
fn gpu_free_async(py: Python<'_>, ordinal: usize, address: usize, stream: usize) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    // SAFETY: the caller of CUDA's own function vouches for the memory.
    gate::detached(py, || unsafe { cuprum_cuda::free_ordered(gpu, address, stream) })
}

/// The GPU of a number, or the host for -1.
fn place(py: Python<'_>, device: i64) -> PyResult<Option<&'static Gpu>> {
    usize::try_from(device).ok().map(|ordinal| gpu(py, ordinal)).transpose()
}

/// Moves managed memory to a device ahead of its use.
#[pyfunction]
fn gpu_prefetch(
    py: Python<'_>,
    ordinal: usize,
    address: usize,
    bytes: usize,
    device: i64,
    stream: usize,
) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    let to = place(py, device)?;
    // SAFETY: the caller of CUDA's own function vouches for the range.
    gate::detached(py, || unsafe { cuprum_cuda::prefetch(gpu, address, bytes, to, stream) })
}

/// Says how managed memory will be used.
#[pyfunction]
fn gpu_advise(
    py: Python<'_>,
    ordinal: usize,
    address: usize,
    bytes: usize,
    advice: i32,
    device: i64,
) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    let by = place(py, device)?;
    // SAFETY: the caller of CUDA's own function vouches for the range.
    gate::detached(py, || unsafe { cuprum_cuda::advise(gpu, address, bytes, advice, by) })
}

/// The name of a block of memory that other processes can open it by, and an address's distance from its beginning.
#[pyfunction]
fn ipc_memory_handle(py: Python<'_>, ordinal: usize, address: usize) -> PyResult<(Vec<u8>, usize)> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the driver refuses an address that is none of its own.
    let (handle, offset) = gate::detached(py, || unsafe { cuprum_cuda::memory_handle(gpu, address) })?;
    Ok((handle.to_vec(), offset))
}

/// Where another process's block begins in this one.
#[pyfunction]
fn ipc_open_memory(py: Python<'_>, ordinal: usize, handle: [u8; 64], flags: u32) -> PyResult<usize> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::open_memory(gpu, handle, flags))
}

/// Lets go of another process's block.
#[pyfunction]
fn ipc_close_memory(py: Python<'_>, ordinal: usize, address: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches that nobody uses it any more.
    gate::detached(py, || unsafe { cuprum_cuda::close_memory(gpu, address) })
}

/// The name of an event that other processes can open it by.
#[pyfunction]
fn ipc_event_handle(py: Python<'_>, event: &Bound<'_, GpuEvent>) -> PyResult<Vec<u8>> {
    let event = event.get();
    gate::detached(py, || cuprum_cuda::event_handle(event.inner())).map(Vec::from)
}

/// Another process's event.
#[pyfunction]
fn ipc_open_event(py: Python<'_>, ordinal: usize, handle: [u8; 64]) -> PyResult<GpuEvent> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::open_event(gpu, handle)).map(GpuEvent::over)
}

/// The thread's handle of a library of NVIDIA's: cublas, cusolver, cusolver_sp or cusparse.
#[pyfunction]
fn library_handle(py: Python<'_>, ordinal: usize, library: &str) -> PyResult<usize> {
    let gpu = gpu(py, ordinal)?;
    let kind = match library {
        "cublas" => HandleKind::Blas,
        "cusolver" => HandleKind::Solver,
        "cusolver_sp" => HandleKind::SparseSolver,
        "cusparse" => HandleKind::Sparse,
        other => return Err(PyValueError::new_err(format!("there are no handles of {other}"))),
    };
    gate::detached(py, || cuprum_cuda::library_handle(gpu, kind))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(library_handle, module)?)?;
    module.add_function(wrap_pyfunction!(memory_pool, module)?)?;
    module.add_function(wrap_pyfunction!(set_memory_pool, module)?)?;
    module.add_function(wrap_pyfunction!(create_memory_pool, module)?)?;
    module.add_function(wrap_pyfunction!(destroy_memory_pool, module)?)?;
    module.add_function(wrap_pyfunction!(memory_pool_attribute, module)?)?;
    module.add_function(wrap_pyfunction!(set_memory_pool_attribute, module)?)?;
    module.add_function(wrap_pyfunction!(trim_memory_pool, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_malloc_async, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_free_async, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_prefetch, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_advise, module)?)?;
    module.add_function(wrap_pyfunction!(ipc_memory_handle, module)?)?;
    module.add_function(wrap_pyfunction!(ipc_open_memory, module)?)?;
    module.add_function(wrap_pyfunction!(ipc_close_memory, module)?)?;
    module.add_function(wrap_pyfunction!(ipc_event_handle, module)?)?;
    module.add_function(wrap_pyfunction!(ipc_open_event, module)?)
}
