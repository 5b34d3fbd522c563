//! Copies from a GPU that the caller does not wait for: into page-locked memory, in a stream's order.

use std::sync::{Arc, Mutex};

use cuprum::{Array, Order};
use cuprum_cuda::{Event, PinnedPool, current_stream, keep_for_graph, resolve_stream, set_current_stream};
use cuprum_graph::{Buffer, DeviceKind, MemoryPool};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{dtype, to_python};
use crate::gate;

/// Page-locked memory that a copy is under way to. NumPy arrays over it keep it alive.
#[pyclass(name = "HostBlock", module = "cuprum._core", frozen)]
pub struct HostBlock {
    memory: Buffer,
    done: Event,
}

#[pymethods]
impl HostBlock {
    /// The bytes, as NumPy takes them.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("shape", (self.memory.bytes(),))?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("data", (self.memory.address(), false))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        // The memory may be given out again: the copy must be over. A fault of it shows at the next wait.
        let _ = self.done.wait();
    }
}

/// Arrays of callers that copies are under way to, kept until they are done.
static TARGETS: Mutex<Vec<(Event, Py<PyAny>)>> = Mutex::new(Vec::new());

/// The page-locked memory of a GPU's copies.
fn pool(ordinal: usize) -> cuprum::Result<Arc<PinnedPool>> {
    static POOLS: Mutex<Vec<Option<Arc<PinnedPool>>>> = Mutex::new(Vec::new());
    let gpu = cuprum_cuda::gpu(ordinal)?;
    let mut pools = POOLS.lock().unwrap_or_else(|e| e.into_inner());
    if pools.len() <= ordinal {
        pools.resize(ordinal + 1, None);
    }
    Ok(pools[ordinal].get_or_insert_with(|| PinnedPool::new(gpu, true)).clone())
}

/// The GPU that holds an array; `None` for the CPU.
pub fn gpu_of(array: &Array) -> Option<usize> {
    match array.device().kind() {
        DeviceKind::Cpu => None,
        DeviceKind::Cuda(ordinal) => Some(ordinal),
    }
}

/// A NumPy array that will hold the elements when the stream, the thread's own by default, has come so far.
pub fn numpy_array_later<'py>(
    py: Python<'py>,
    array: &Array,
    order: Order,
    ordinal: usize,
    stream: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let stream = in_this_thread(py, ordinal, stream)?;
    to_python::ordered(py, array, order, |permuted| {
        let bytes = permuted.size() * permuted.dtype().size();
        let block = gate::detached(py, || {
            let memory = pool(ordinal)?.provide(bytes)?;
            // SAFETY: the block holds so many bytes, and is kept with the event; the program vouches for its streams.
            let done = unsafe { start(permuted, ordinal, memory.address(), stream) }?;
            // SAFETY: as above.
            unsafe { keep_for_graph(stream, Arc::new(memory.clone())) };
            Ok(HostBlock { memory, done })
        })?;
        let flat = py.import("numpy")?.call_method1("asarray", (Bound::new(py, block)?,))?;
        let typed = flat.call_method1("view", (dtype::to_python(py, permuted.dtype())?,))?;
        typed.call_method1("reshape", (to_python::tuple(py, permuted.shape())?,))
    })
}

/// Copies the elements into a writeable C-contiguous NumPy array of the same shape and dtype, in a stream's order; `false`
/// where its memory is not page-locked: no copy goes on behind the host's back there.
pub fn fill_later(
    array: &Array,
    host: &Bound<'_, PyAny>,
    ordinal: usize,
    stream: Option<usize>,
) -> PyResult<bool> {
    let py = host.py();
    let address = to_python::address_of(host)?;
    if array.size() == 0 || !cuprum_cuda::is_pinned(address) {
        return Ok(false);
    }
    let stream = in_this_thread(py, ordinal, stream)?;
    // SAFETY: the array holds as many elements, and is kept until the event is reached; the program vouches for its streams.
    let done = gate::detached(py, || unsafe { start(array, ordinal, address, stream) })?;
    // SAFETY: as above.
    if unsafe { keep_for_graph(stream, Arc::new(host.clone().unbind())) } {
        return Ok(true);
    }
    let mut targets = TARGETS.lock().unwrap_or_else(|e| e.into_inner());
    let (over, under_way): (Vec<_>, Vec<_>) =
        targets.drain(..).partition(|(done, _)| done.is_done().unwrap_or(true));
    *targets = under_way;
    targets.push((done, host.clone().unbind()));
    drop(targets);
    // Outside the lock: the last reference to an array may run code of the user's.
    drop(over);
    Ok(true)
}

/// The stream that a copy goes in: the one named, or the thread's.
fn in_this_thread(py: Python<'_>, ordinal: usize, stream: Option<usize>) -> PyResult<usize> {
    match stream {
        Some(handle) => gate::detached(py, || resolve_stream(ordinal, handle)),
        None => Ok(current_stream(ordinal)),
    }
}

/// Begins to copy the elements to an address of the host; the event says when that is done.
///
/// # Safety
/// There is page-locked memory for all elements at the address until the event is reached. The stream is alive.
unsafe fn start(array: &Array, ordinal: usize, address: usize, stream: usize) -> cuprum::Result<Event> {
    let dense = array.contiguous()?;
    let buffer = dense.force()?;
    let bytes = dense.size() * dense.dtype().size();
    // SAFETY: the caller's promise.
    unsafe {
        cuprum_cuda::device(ordinal)?.copy_out(&buffer, dense.layout().offset, bytes, address, Some(stream))
    }
}

/// The thread works in another stream while this lives.
pub struct InStream {
    ordinal: usize,
    before: usize,
}

impl InStream {
    /// What fills the array runs in the stream it was meant for; the thread works in `stream` then.
    ///
    /// # Safety
    /// The stream is one of the GPU's and stays alive while the thread works in it.
    pub unsafe fn after(py: Python<'_>, array: &Array, ordinal: usize, stream: usize) -> PyResult<InStream> {
        let stream = gate::detached(py, || {
            array.force()?;
            resolve_stream(ordinal, stream)
        })?;
        // SAFETY: the caller's promise.
        Ok(InStream { ordinal, before: unsafe { set_current_stream(ordinal, stream) } })
    }
}

impl Drop for InStream {
    fn drop(&mut self) {
        // SAFETY: the stream was the thread's before.
        unsafe { set_current_stream(self.ordinal, self.before) };
    }
}
