//! What `cuprum.cuda` stands on: pools and allocators, blocks of memory, running pending work, counted transfers.

use std::cell::Cell;
use std::sync::Arc;

use cuprum::memory::{self, Allocator};
use cuprum::{Array, DType, Error};
use cuprum_core::Layout;
use cuprum_graph::{Buffer, DeviceRef};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::wrap_pyfunction;

use crate::gate;

/// A pool of memory with its counts and its limit.
#[pyclass(name = "Pool", module = "cuprum._core", frozen)]
pub struct Pool {
    /// `None` is the default pool.
    made: Option<Arc<memory::Pool>>,
}

impl Pool {
    fn inner(&self) -> &memory::Pool {
        self.made.as_deref().unwrap_or_else(|| memory::default_pool())
    }
}

#[pymethods]
impl Pool {
    /// A new pool; one that does not keep blocks gives them back to the system at once.
    #[new]
    #[pyo3(signature = (keeps=true))]
    fn __new__(keeps: bool) -> Pool {
        Pool { made: Some(Arc::new(memory::Pool::new(keeps))) }
    }

    /// The pool that arrays come from unless another allocator is set.
    #[staticmethod]
    fn default() -> Pool {
        Pool { made: None }
    }

    /// Bytes in use.
    fn used(&self) -> usize {
        self.inner().used()
    }

    /// Bytes kept for later.
    fn free_bytes(&self) -> usize {
        self.inner().free_bytes()
    }

    /// Blocks kept for later.
    fn free_blocks(&self) -> usize {
        self.inner().free_blocks()
    }

    /// Gives the blocks kept for later back to the system.
    fn free_all(&self, py: Python<'_>) {
        py.detach(|| self.inner().free_all());
    }

    /// The limit in bytes, or None.
    fn limit(&self) -> Option<usize> {
        self.inner().limit()
    }

    /// Sets the limit in bytes, or lifts it.
    #[pyo3(signature = (limit))]
    fn set_limit(&self, limit: Option<usize>) {
        self.inner().set_limit(limit);
    }

    /// A block of uninitialised memory.
    fn allocate(&self, py: Python<'_>, size: usize) -> PyResult<MemoryBlock> {
        let buffer = gate::detached(py, || match &self.made {
            Some(pool) => pool.allocate(size),
            None => memory::allocate_default(size),
        })?;
        Ok(MemoryBlock::over(cuprum::cpu(), buffer))
    }
}

/// A piece of memory, kept while the object lives; it can be read and written as a buffer of bytes.
#[pyclass(name = "MemoryBlock", module = "cuprum._core", frozen, subclass)]
pub struct MemoryBlock {
    array: Array,
    address: usize,
}

impl MemoryBlock {
    /// The block of a device's buffer.
    pub fn over(device: DeviceRef, buffer: Buffer) -> MemoryBlock {
        let (address, bytes) = (buffer.address(), buffer.bytes());
        let layout = Layout::contiguous(&[bytes], 1);
        MemoryBlock { array: Array::from_buffer(device, buffer, layout, DType::U8), address }
    }

    /// The bytes as an array.
    pub fn array(&self) -> &Array {
        &self.array
    }
}

#[pymethods]
impl MemoryBlock {
    /// The part of another block from an offset on.
    #[new]
    #[pyo3(signature = (block, offset=0))]
    fn __new__(py: Python<'_>, block: &Bound<'_, MemoryBlock>, offset: usize) -> PyResult<MemoryBlock> {
        let array = block.get().array.clone();
        let buffer = gate::detached(py, || array.force())?;
        let Some(rest) = buffer.bytes().checked_sub(offset) else {
            let message = format!("offset {offset} is past the end of a block of {} bytes", buffer.bytes());
            return Err(PyValueError::new_err(message));
        };
        Ok(MemoryBlock::over(array.device(), Buffer::new(buffer.address() + offset, rest, Arc::new(buffer))))
    }

    /// The address.
    #[getter]
    fn address(&self) -> usize {
        self.address
    }

    /// The size in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.array.size()
    }
}

thread_local! {
    /// Whether this thread is inside an allocator of the user's, called by work that runs.
    static ALLOCATING: Cell<bool> = const { Cell::new(false) };
}

/// The allocator that a Python object stands for: a pool, a function from bytes to an object with `ptr`, or None.
fn allocator_of(object: &Bound<'_, PyAny>) -> Option<Allocator> {
    if object.is_none() {
        return None;
    }
    if let Ok(pool) = object.cast::<Pool>() {
        return pool.get().made.clone().map(Allocator::Pool);
    }
    let function = object.clone().unbind();
    Some(Allocator::Function(Arc::new(move |bytes| {
        let outer = ALLOCATING.replace(true);
        let made = Python::attach(|py| {
            let pointer = function.call1(py, (bytes,))?;
            let address = pointer.getattr(py, "ptr")?.extract::<usize>(py)?;
            Ok(Buffer::new(address, bytes, Arc::new(pointer)))
        });
        ALLOCATING.set(outer);
        made.map_err(|error: PyErr| Python::attach(|py| refusal(py, &error, bytes)))
    })))
}

fn refusal(py: Python<'_>, error: &PyErr, asked: usize) -> Error {
    if error.is_instance_of::<PyMemoryError>(py) {
        return Error::Memory { asked, used: 0, limit: None };
    }
    Error::device(format!("the allocator failed: {}", error.value(py)))
}

/// Sets the allocator of the process; None, or the default pool, for the default pool.
#[pyfunction]
fn set_allocator(py: Python<'_>, allocator: &Bound<'_, PyAny>) {
    let allocator = allocator_of(allocator);
    py.detach(|| memory::set_allocator(allocator));
}

/// Sets the allocator of this thread, which goes before the process's; None for none.
#[pyfunction]
fn set_thread_allocator(allocator: &Bound<'_, PyAny>) {
    let default = allocator.cast::<Pool>().is_ok_and(|pool| pool.get().made.is_none());
    let allocator = match allocator_of(allocator) {
        None if default => Some(Allocator::Default),
        other => other,
    };
    drop(memory::replace_thread_allocator(allocator));
}

/// Runs all pending work whose results somebody holds.
#[pyfunction]
fn run_pending(py: Python<'_>) -> PyResult<()> {
    if ALLOCATING.get() {
        // An allocator that asks for counts is called by work that runs already.
        return Ok(());
    }
    gate::detached(py, memory::run_pending)
}

/// Calls and bytes copied to and from the device: four numbers.
#[pyfunction]
fn transfers() -> (u64, u64, u64, u64) {
    let all = memory::transfers();
    (all.to_device.calls, all.to_device.bytes, all.to_host.calls, all.to_host.bytes)
}

/// Counts a copy that was made behind the library's back.
#[pyfunction]
fn count_transfer(to_device: bool, bytes: usize) {
    if to_device { memory::count_to_device(bytes) } else { memory::count_to_host(bytes) }
}

/// The machine as a device: its memory, threads and instruction set.
#[pyfunction]
fn machine(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("memory", memory::total_memory())?;
    facts.set_item("threads", cuprum_cpu::thread_count())?;
    facts.set_item("simd", format!("{:?}", cuprum_cpu::Level::detect()).to_lowercase())?;
    Ok(facts)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Pool>()?;
    module.add_class::<MemoryBlock>()?;
    module.add_function(wrap_pyfunction!(set_allocator, module)?)?;
    module.add_function(wrap_pyfunction!(set_thread_allocator, module)?)?;
    module.add_function(wrap_pyfunction!(run_pending, module)?)?;
    module.add_function(wrap_pyfunction!(transfers, module)?)?;
    module.add_function(wrap_pyfunction!(count_transfer, module)?)?;
    module.add_function(wrap_pyfunction!(machine, module)?)
}
