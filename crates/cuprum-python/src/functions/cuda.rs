//! What `cuprum.cuda` stands on: pools and allocators, blocks of memory, running pending work, counted transfers.

use std::cell::Cell;
use std::sync::{Arc, Mutex};

use cuprum::memory::{self, Allocator, MemoryPool};
use cuprum::{Array, DType, Error, Result, default_device};
use cuprum_core::Layout;
use cuprum_cuda::PinnedPool;
use cuprum_graph::{
    AllocateFunction, BlockInfo, Buffer, DeviceKind, DeviceRef, Event, EventKind, MemoryHook, MemorySource,
    MemoryStage, Replacement, Span, giving_memory, mark_written, replace_memory_hook, same_device,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::wrap_pyfunction;

use super::addresses::{self, From, Use};
use crate::gate;
use crate::kernels::settings;

/// What a pool's memory is.
#[derive(Clone, Copy, PartialEq)]
enum PoolKind {
    /// The device's own pool.
    Default,
    /// A pool of its own, which may keep blocks for later.
    Own { keeps: bool },
    /// Memory of the host's that the device copies from and to by itself.
    Pinned { keeps: bool },
    /// Memory that host and device share, and that moves to where it is used.
    Managed { keeps: bool },
    /// Memory from CUDA's own pool of this handle, or the current one, in the order of streams.
    Ordered { handle: Option<usize> },
    /// Memory from a function of the user's.
    Function { keeps: bool },
}

/// A pool of memory with its counts and its limit, for each device that it is used with: the current one is meant.
#[pyclass(name = "Pool", module = "cuprum._core", frozen)]
pub struct Pool {
    kind: PoolKind,
    function: Option<Arc<Py<PyAny>>>,
    made: Mutex<Vec<(DeviceRef, Arc<dyn MemoryPool>)>>,
}

impl Pool {
    fn of(kind: PoolKind) -> Pool {
        Pool { kind, function: None, made: Mutex::default() }
    }

    /// The pool of the current device.
    fn inner(&self) -> Result<(DeviceRef, Arc<dyn MemoryPool>)> {
        let device = default_device()?;
        if self.kind == PoolKind::Default {
            return Ok((device, device.pool()));
        }
        let mut made = self.made.lock().unwrap_or_else(|e| e.into_inner());
        if let Some((_, pool)) = made.iter().find(|(of, _)| same_device(*of, device)) {
            return Ok((device, pool.clone()));
        }
        let pool: Arc<dyn MemoryPool> = match (self.kind, device.kind()) {
            (PoolKind::Pinned { keeps }, DeviceKind::Cuda(ordinal)) => {
                PinnedPool::new(cuprum_cuda::gpu(ordinal)?, keeps)
            }
            (PoolKind::Ordered { handle }, DeviceKind::Cuda(ordinal)) => {
                let gpu = cuprum_cuda::gpu(ordinal)?;
                let handle = handle.map_or_else(|| cuprum_cuda::current_pool_handle(gpu), Ok)?;
                // SAFETY: the GPU's own pool, or one that the program vouches for, as to CUDA itself.
                unsafe { cuprum_cuda::Pool::ordered(gpu, handle) }
            }
            (PoolKind::Pinned { keeps } | PoolKind::Own { keeps }, _) => {
                device.new_pool(keeps, MemorySource::Device)
            }
            (PoolKind::Ordered { .. }, _) => device.new_pool(true, MemorySource::Device),
            (PoolKind::Managed { keeps }, _) => device.new_pool(keeps, MemorySource::Managed),
            (PoolKind::Function { keeps }, _) => {
                let function = self.function.clone().expect("a pool over a function has it");
                device.new_pool(keeps, MemorySource::Function(calls_of(function, device.kind())))
            }
            (PoolKind::Default, _) => device.pool(),
        };
        made.push((device, pool.clone()));
        Ok((device, pool))
    }

    fn ask<T: Send>(&self, py: Python<'_>, ask: impl FnOnce(&dyn MemoryPool) -> T + Send) -> PyResult<T> {
        gate::detached(py, || Ok(ask(&*self.inner()?.1)))
    }
}

#[pymethods]
impl Pool {
    /// A new pool; one that does not keep blocks gives them back to the system at once.
    #[new]
    #[pyo3(signature = (keeps=true))]
    fn __new__(keeps: bool) -> Pool {
        Pool::of(PoolKind::Own { keeps })
    }

    /// The pool that arrays come from unless another allocator is set.
    #[staticmethod]
    fn default() -> Pool {
        Pool::of(PoolKind::Default)
    }

    /// A pool of memory of the host's that the device copies from and to by itself.
    #[staticmethod]
    #[pyo3(signature = (keeps=true))]
    fn pinned(keeps: bool) -> Pool {
        Pool::of(PoolKind::Pinned { keeps })
    }

    /// A pool of memory that host and device share.
    #[staticmethod]
    #[pyo3(signature = (keeps=true))]
    fn managed(keeps: bool) -> Pool {
        Pool::of(PoolKind::Managed { keeps })
    }

    /// A pool of memory from CUDA's own pool of a handle, the current one by default.
    #[staticmethod]
    #[pyo3(signature = (handle=None))]
    fn ordered(handle: Option<usize>) -> Pool {
        Pool::of(PoolKind::Ordered { handle })
    }

    /// A pool of memory that a function gives: from bytes to an object with `ptr`.
    #[staticmethod]
    #[pyo3(signature = (function, keeps=true))]
    fn over(function: &Bound<'_, PyAny>, keeps: bool) -> Pool {
        let function = Some(Arc::new(function.clone().unbind()));
        Pool { function, ..Pool::of(PoolKind::Function { keeps }) }
    }

    /// Bytes in use.
    fn used(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, |pool| pool.used())
    }

    /// Bytes kept for later.
    fn free_bytes(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, |pool| pool.free_bytes())
    }

    /// Blocks kept for later.
    fn free_blocks(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, |pool| pool.free_blocks())
    }

    /// Gives the blocks kept for later back to the system.
    fn free_all(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, |pool| pool.free_all())
    }

    /// The limit in bytes, or None.
    fn limit(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.ask(py, |pool| pool.limit())
    }

    /// Sets the limit in bytes, or lifts it.
    #[pyo3(signature = (limit))]
    fn set_limit(&self, py: Python<'_>, limit: Option<usize>) -> PyResult<()> {
        self.ask(py, |pool| pool.set_limit(limit))
    }

    /// A block of uninitialised memory.
    fn allocate(&self, py: Python<'_>, size: usize) -> PyResult<MemoryBlock> {
        let (device, buffer) = gate::detached(py, || {
            let (device, pool) = self.inner()?;
            Ok((device, pool.provide(size)?))
        })?;
        let pinned = matches!(self.kind, PoolKind::Pinned { .. });
        if !pinned && !matches!(self.kind, PoolKind::Managed { .. }) {
            // The host writes what it shares with kernels unseen.
            settings::note_handed_out(device, &buffer);
        }
        Ok(if pinned {
            MemoryBlock::over(cuprum::cpu(), buffer).of_host()
        } else {
            MemoryBlock::over(device, buffer)
        })
    }
}

/// A piece of memory, kept while the object lives; it can be read and written as a buffer of bytes.
#[pyclass(name = "MemoryBlock", module = "cuprum._core", frozen, subclass)]
pub struct MemoryBlock {
    array: Array,
    address: usize,
    /// Whether it is the host's, whatever the device: page-locked memory is.
    is_hosts: bool,
}

impl MemoryBlock {
    /// The block of a device's buffer.
    pub fn over(device: DeviceRef, buffer: Buffer) -> MemoryBlock {
        let (address, bytes) = (buffer.address(), buffer.bytes());
        match device.kind() {
            // Kernels on the CPU may be given the address alone.
            DeviceKind::Cpu => cuprum::kernel::expose(&buffer, true),
            // Work that could not be submitted now says so at the next call.
            DeviceKind::Cuda(_) => drop(cuprum_cuda::expose(&buffer)),
        }
        let layout = Layout::contiguous(&[bytes], 1);
        MemoryBlock { array: Array::from_buffer(device, buffer, layout, DType::U8), address, is_hosts: false }
    }

    /// The same block as the host's own memory.
    fn of_host(self) -> MemoryBlock {
        MemoryBlock { is_hosts: true, ..self }
    }

    /// Whether the host may read and write it as its own.
    pub fn is_hosts(&self) -> bool {
        self.is_hosts
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
        let Some(rest) = buffer.part(offset, buffer.bytes().saturating_sub(offset)) else {
            let message = format!("offset {offset} is past the end of a block of {} bytes", buffer.bytes());
            return Err(PyValueError::new_err(message));
        };
        let part = MemoryBlock::over(array.device(), rest);
        Ok(MemoryBlock { is_hosts: block.get().is_hosts, ..part })
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
fn allocator_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Replacement>> {
    if object.is_none() {
        return Ok(None);
    }
    let py = object.py();
    if let Ok(pool) = object.cast::<Pool>() {
        let pool = pool.get();
        let (device, inner) = gate::detached(py, || pool.inner())?;
        let default = pool.kind == PoolKind::Default;
        return Ok(Some((device, if default { Allocator::Default } else { Allocator::Pool(inner) })));
    }
    let device = gate::detached(py, default_device)?;
    let function = calls_of(Arc::new(object.clone().unbind()), device.kind());
    let pool = device.new_pool(false, MemorySource::Function(function));
    Ok(Some((device, Allocator::Pool(pool))))
}

/// A Python function from bytes to an object with `ptr`, as one that gives memory.
fn calls_of(function: Arc<Py<PyAny>>, kind: DeviceKind) -> AllocateFunction {
    Arc::new(move |bytes| {
        let outer = ALLOCATING.replace(true);
        let call = |py: Python<'_>| {
            let pointer = function.call1(py, (bytes,))?;
            let address = pointer.getattr(py, "ptr")?.extract::<usize>(py)?;
            check_room(pointer.bind(py), address, bytes)?;
            // Not the user's: whoever asked for it writes it whole, unless he hands it out.
            mark_written(address, bytes);
            // SAFETY: an allocator of the user's vouches for the memory it gives, while the pointer lives.
            Ok(unsafe { Buffer::new(kind, address, bytes, Arc::new(pointer)) })
        };
        let made = giving_memory(|| gate::call_back(call));
        ALLOCATING.set(outer);
        made.map_err(|error: PyErr| Python::attach(|py| refusal(py, &error, bytes)))
    })
}

/// Raises unless a program's allocator gave as much memory as it was asked for; on the CPU it must be there.
fn check_room(pointer: &Bound<'_, PyAny>, address: usize, bytes: usize) -> PyResult<()> {
    let ends = |start: usize, size: usize| start.checked_add(size).filter(|end| *end <= isize::MAX as usize);
    let end = ends(address, bytes);
    let mut fits = end.is_some();
    if let Ok(memory) = pointer.getattr("mem") {
        let (start, size): (usize, usize) =
            (memory.getattr("ptr")?.extract()?, memory.getattr("size")?.extract()?);
        fits = fits && start <= address && end <= ends(start, size);
    }
    if fits && default_device().is_ok_and(|device| device.kind() == DeviceKind::Cpu) {
        fits = addresses::present(address..address + bytes, Use::Write, From::Anywhere).is_some();
    }
    if fits {
        return Ok(());
    }
    let message = format!("{bytes} bytes were asked for, and there are fewer at {address:#x}");
    Err(PyValueError::new_err(message))
}

/// The names that hooks have for what happens to memory.
fn stage_name(stage: MemoryStage) -> &'static str {
    match stage {
        MemoryStage::BeforeAlloc => "alloc_preprocess",
        MemoryStage::AfterAlloc => "alloc_postprocess",
        MemoryStage::BeforeMalloc => "malloc_preprocess",
        MemoryStage::AfterMalloc => "malloc_postprocess",
        MemoryStage::BeforeFree => "free_preprocess",
        MemoryStage::AfterFree => "free_postprocess",
    }
}

/// The facts that a hook is told, under CuPy's names.
fn facts_of<'py>(py: Python<'py>, stage: MemoryStage, news: BlockInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    let device = if let DeviceKind::Cuda(ordinal) = news.device { ordinal } else { 0 };
    let is_malloc = matches!(stage, MemoryStage::BeforeMalloc | MemoryStage::AfterMalloc);
    let is_free = matches!(stage, MemoryStage::BeforeFree | MemoryStage::AfterFree);
    facts.set_item("device_id", device)?;
    if is_malloc {
        facts.set_item("size", news.asked)?;
    }
    facts.set_item("mem_size", news.size)?;
    if is_free || matches!(stage, MemoryStage::AfterAlloc | MemoryStage::AfterMalloc) {
        facts.set_item("mem_ptr", news.address)?;
    }
    if is_free || stage == MemoryStage::AfterMalloc {
        facts.set_item("pmem_id", news.id)?;
    }
    Ok(facts)
}

/// Sets the function that is told of this thread's memory: by the name of what happens, with the facts; None for none.
#[pyfunction]
fn set_memory_hook(function: &Bound<'_, PyAny>) {
    let hook = (!function.is_none()).then(|| {
        let function = function.clone().unbind();
        let tell = move |stage, news| {
            let outer = ALLOCATING.replace(true);
            let told = gate::call_back(|py| {
                let outcome = facts_of(py, stage, news)
                    .and_then(|facts| function.call(py, (stage_name(stage),), Some(&facts)));
                match outcome {
                    Ok(_) => Ok(()),
                    // Memory that goes cannot be refused.
                    Err(error) if matches!(stage, MemoryStage::BeforeFree | MemoryStage::AfterFree) => {
                        error.write_unraisable(py, Some(function.bind(py)));
                        Ok(())
                    }
                    Err(error) => Err(Error::device(format!("a memory hook failed: {}", error.value(py)))),
                }
            });
            ALLOCATING.set(outer);
            told
        };
        Arc::new(tell) as MemoryHook
    });
    drop(replace_memory_hook(hook));
}

fn refusal(py: Python<'_>, error: &PyErr, asked: usize) -> Error {
    if error.is_instance_of::<PyMemoryError>(py) {
        return Error::Memory { asked, used: 0, limit: None };
    }
    Error::device(format!("the allocator failed: {}", error.value(py)))
}

/// Sets the allocator of the process; None, or the default pool, for the default pool.
#[pyfunction]
fn set_allocator(py: Python<'_>, allocator: &Bound<'_, PyAny>) -> PyResult<()> {
    let allocator = allocator_of(allocator)?;
    gate::released(py, || memory::set_allocator(allocator));
    Ok(())
}

/// Sets the allocator of this thread, which goes before the process's; None for none.
#[pyfunction]
fn set_thread_allocator(allocator: &Bound<'_, PyAny>) -> PyResult<()> {
    drop(memory::replace_thread_allocator(allocator_of(allocator)?));
    Ok(())
}

/// Runs all pending work whose results are still referenced.
#[pyfunction]
fn run_pending(py: Python<'_>) -> PyResult<()> {
    if ALLOCATING.get() {
        // An allocator that asks for counts is called by work that runs already.
        return Ok(());
    }
    gate::detached(py, || {
        let span = Span::begin();
        memory::run_pending()?;
        span.end(|| Event::new(EventKind::Wait, "synchronize"));
        Ok(())
    })
}

/// Runs all pending work whose results are still referenced, and forgets what can no longer be read: what a program that defers
/// nothing would have in memory now.
#[pyfunction]
fn settle_memory(py: Python<'_>) -> PyResult<()> {
    if ALLOCATING.get() {
        return Ok(());
    }
    gate::detached(py, memory::run_referenced)
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
    facts.set_item("simd", format!("{:?}", cuprum_core::SimdLevel::detect()).to_lowercase())?;
    Ok(facts)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Pool>()?;
    module.add_class::<MemoryBlock>()?;
    module.add_function(wrap_pyfunction!(set_allocator, module)?)?;
    module.add_function(wrap_pyfunction!(set_thread_allocator, module)?)?;
    module.add_function(wrap_pyfunction!(set_memory_hook, module)?)?;
    module.add_function(wrap_pyfunction!(run_pending, module)?)?;
    module.add_function(wrap_pyfunction!(settle_memory, module)?)?;
    module.add_function(wrap_pyfunction!(transfers, module)?)?;
    module.add_function(wrap_pyfunction!(count_transfer, module)?)?;
    module.add_function(wrap_pyfunction!(machine, module)?)
}
