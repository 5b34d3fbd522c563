//! The current device, and what `cuprum.cuda` stands on where that is a GPU: facts, streams, events, graphs, raw copies.

use std::ffi::c_int;

use cuprum::{default_device, process_device, set_current_device};
use cuprum_cuda::{Event, Gpu, Graph, PlanLimits, Stream, resolve_stream};
use cuprum_graph::{DeviceKind, EventKind, Span, same_device};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use pyo3::wrap_pyfunction;

use crate::convert::devices;
use crate::gate;
use crate::ndarray::NdArray;

/// The number of the current device where it is a GPU, None where it is the CPU.
#[pyfunction]
fn current_gpu(py: Python<'_>) -> PyResult<Option<usize>> {
    let device = gate::detached(py, default_device)?;
    Ok(match device.kind() {
        DeviceKind::Cpu => None,
        DeviceKind::Cuda(ordinal) => Some(ordinal),
    })
}

/// Whether the device of threads that have set none is a GPU.
#[pyfunction]
fn default_is_gpu(py: Python<'_>) -> PyResult<bool> {
    Ok(gate::detached(py, process_device)?.kind() != DeviceKind::Cpu)
}

/// Whether an array is on the current device.
#[pyfunction]
fn is_current(array: &Bound<'_, NdArray>) -> PyResult<bool> {
    let py = array.py();
    let device = array.get().lock(py).device();
    gate::attached(py, || Ok(same_device(device, default_device()?)))
}

/// Lets single elements know, from now on or no longer, where they were taken from.
#[pyfunction]
fn keep_origins(keep: bool) {
    crate::ndarray::keep_origins(keep);
}

/// Waits for a GPU, of which a profiler hears.
fn waiting(wait: impl FnOnce() -> cuprum::Result<()>) -> cuprum::Result<()> {
    let span = Span::begin();
    wait()?;
    span.end(|| cuprum_graph::Event::new(EventKind::Wait, "synchronize"));
    Ok(())
}

/// Whether an array is on a GPU.
#[pyfunction]
fn is_on_gpu(array: &Bound<'_, NdArray>) -> bool {
    array.get().lock(array.py()).device().kind() != DeviceKind::Cpu
}

/// A library's name, its version and file, or what to do about its absence.
type LibraryFacts = (&'static str, Option<(String, String)>, Option<String>);

/// The driver and the libraries of CUDA.
#[pyfunction]
fn gpu_libraries(py: Python<'_>) -> Vec<LibraryFacts> {
    let found = gate::released(py, cuprum_cuda::libraries);
    let facts = found.into_iter().map(|library| match library.found {
        Ok((version, path)) => (library.name, Some((version, path.display().to_string())), None),
        Err(missing) => (library.name, None, Some(missing)),
    });
    facts.collect()
}

/// Sets the device of this thread's new arrays by its name or Device, None for the process's; gives the name of the
/// one that was set, or None.
#[pyfunction]
#[pyo3(signature = (device))]
fn set_device(device: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let device = devices::optional(device)?;
    Ok(set_current_device(device).map(|before| before.name()))
}

/// How many GPUs there are.
#[pyfunction]
fn gpu_count(py: Python<'_>) -> usize {
    gate::released(py, cuprum_cuda::gpu_count)
}

/// Whether a GPU can be used: driver, GPU and compiler are there.
#[pyfunction]
fn gpu_available(py: Python<'_>) -> bool {
    gate::released(py, cuprum_cuda::is_available)
}

pub fn gpu(py: Python<'_>, ordinal: usize) -> PyResult<&'static Gpu> {
    gate::detached(py, || cuprum_cuda::gpu(ordinal))
}

/// What a GPU is: name, compute capability, memory, multiprocessors, place on the bus.
#[pyfunction]
fn gpu_facts(py: Python<'_>, ordinal: usize) -> PyResult<Bound<'_, PyDict>> {
    let gpu = gpu(py, ordinal)?;
    let facts = PyDict::new(py);
    facts.set_item("name", &gpu.name)?;
    facts.set_item("capability", gpu.capability)?;
    facts.set_item("memory", gpu.memory)?;
    facts.set_item("multiprocessors", gpu.multiprocessors)?;
    facts.set_item("pci_bus_id", gate::detached(py, || gpu.pci_bus_id())?)?;
    facts.set_item("uuid", PyBytes::new(py, &gate::detached(py, || gpu.uuid())?))?;
    Ok(facts)
}

/// A number that the driver has of a GPU, by `CUdevice_attribute`.
#[pyfunction]
fn gpu_attribute(py: Python<'_>, attribute: c_int, ordinal: usize) -> PyResult<i32> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || gpu.attribute(attribute))
}

/// Free and total bytes of a GPU's memory.
#[pyfunction]
fn gpu_memory(py: Python<'_>, ordinal: usize) -> PyResult<(usize, usize)> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || gpu.memory_info())
}

/// Whether one GPU can read another one's memory.
#[pyfunction]
fn gpu_can_access(py: Python<'_>, ordinal: usize, peer: usize) -> PyResult<bool> {
    let (gpu, peer) = (gpu(py, ordinal)?, gpu(py, peer)?);
    gate::detached(py, || gpu.can_access(peer))
}

/// Waits for all work of a GPU.
#[pyfunction]
fn gpu_synchronize(py: Python<'_>, ordinal: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || waiting(|| gpu.synchronize()))
}

/// The lowest and the highest priority of a GPU's streams.
#[pyfunction]
fn gpu_priorities(py: Python<'_>, ordinal: usize) -> PyResult<(i32, i32)> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::priority_range(gpu))
}

/// The version of CUDA that the driver speaks, as 13000 for 13.0.
#[pyfunction]
fn driver_version(py: Python<'_>) -> PyResult<i32> {
    gate::detached(py, cuprum_cuda::driver_version)
}

/// The compiler's version, as (13, 0).
#[pyfunction]
fn compiler_version(py: Python<'_>) -> PyResult<(i32, i32)> {
    gate::detached(py, cuprum_cuda::compiler_version)
}

/// The folder that compiled kernels are kept in, or None where they are not kept.
#[pyfunction]
fn cache_folder() -> Option<String> {
    cuprum_cuda::cache_folder().map(|folder| folder.display().to_string())
}

/// The stream that this thread works in on a GPU, 0 for the default one.
#[pyfunction]
fn current_stream(ordinal: usize) -> usize {
    cuprum_cuda::current_stream(ordinal)
}

/// Waits for kernels that compile in the background, and for GPU work that no call has waited for; errors of that work are
/// reported as unraisable. To be called before the interpreter ends.
#[pyfunction]
fn finish_gpus(py: Python<'_>) {
    let is_stopped = || Python::attach(|py| py.check_signals().is_err());
    let untold = gate::released(py, || {
        cuprum_cuda::finish_compiling();
        cuprum_cuda::finish_work(&is_stopped)
    });
    for (ordinal, error) in untold {
        let place = PyString::new(py, &format!("work on GPU {ordinal} that the program did not wait for"));
        gate::exception(py, &error).write_unraisable(py, Some(place.as_any()));
    }
}

/// Sets the stream that this thread works in on a GPU, and gives the one before.
#[pyfunction]
fn set_current_stream(py: Python<'_>, ordinal: usize, stream: usize) -> PyResult<usize> {
    let stream = resolved(py, ordinal, stream)?;
    // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
    Ok(unsafe { cuprum_cuda::set_current_stream(ordinal, stream) })
}

/// The stream that a handle names in this thread.
pub fn resolved(py: Python<'_>, ordinal: usize, stream: usize) -> PyResult<usize> {
    gate::detached(py, || cuprum_cuda::resolve_stream(ordinal, stream))
}

/// Copies bytes between addresses of the host and of GPUs in a stream's order; waits for it where that is asked for.
#[pyfunction]
fn gpu_copy(
    py: Python<'_>,
    target: usize,
    source: usize,
    bytes: usize,
    ordinal: usize,
    stream: usize,
    wait: bool,
) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    gate::detached(py, || {
        // SAFETY: the caller of CUDA's own copies vouches for both ranges and for the stream.
        unsafe {
            cuprum_cuda::copy_async(gpu, target, source, bytes, stream)?;
            if wait { Stream::external(gpu, stream).synchronize() } else { Ok(()) }
        }
    })
}

/// Sets bytes on a GPU to a value in a stream's order.
#[pyfunction]
fn gpu_set(
    py: Python<'_>,
    address: usize,
    value: u8,
    bytes: usize,
    ordinal: usize,
    stream: usize,
) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    // SAFETY: the caller of CUDA's own fills vouches for the range.
    gate::detached(py, || unsafe { cuprum_cuda::set_async(gpu, address, value, bytes, stream) })
}

/// Calls a function when a stream's work so far is done, and at every launch where that is recorded; what it raises is
/// printed.
#[pyfunction]
fn gpu_call_after(py: Python<'_>, ordinal: usize, stream: usize, function: Py<PyAny>) -> PyResult<()> {
    let (gpu, stream) = (gpu(py, ordinal)?, resolved(py, ordinal, stream)?);
    let mut function = Some(function);
    let call = Box::new(move |last: bool| {
        Python::attach(|py| {
            if let Some(function) = &function
                && let Err(error) = function.call0(py)
            {
                error.write_unraisable(py, Some(function.bind(py)));
            }
            if last {
                function = None;
            }
        });
    });
    // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
    gate::detached(py, || unsafe { cuprum_cuda::call_after(gpu, stream, call) })
}

/// What the driver knows of an address: the kind of memory, the GPU, and where GPUs and the host see it.
#[pyfunction]
fn pointer_facts(py: Python<'_>, address: usize) -> PyResult<(u32, i32, usize, usize)> {
    let facts = gate::detached(py, || cuprum_cuda::pointer_facts(address))?;
    Ok((facts.kind, facts.device, facts.device_pointer, facts.host_pointer))
}

/// Locks pages of the host's memory for GPUs.
#[pyfunction]
fn register_host(py: Python<'_>, ordinal: usize, address: usize, bytes: usize, flags: u32) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for the range.
    gate::detached(py, || unsafe { cuprum_cuda::register_host(gpu, address, bytes, flags) })
}

/// Undoes `register_host`.
#[pyfunction]
fn unregister_host(py: Python<'_>, ordinal: usize, address: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    // SAFETY: the caller of CUDA's own function vouches for it.
    gate::detached(py, || unsafe { cuprum_cuda::unregister_host(gpu, address) })
}

/// Lets kernels of one GPU use another one's memory, or forbids it again.
#[pyfunction]
fn set_peer_access(py: Python<'_>, ordinal: usize, peer: usize, on: bool) -> PyResult<()> {
    let (gpu, peer) = (gpu(py, ordinal)?, gpu(py, peer)?);
    gate::detached(py, || cuprum_cuda::set_peer_access(gpu, peer, on))
}

/// One of a GPU's limits, by CUDA's number.
#[pyfunction]
fn gpu_limit(py: Python<'_>, ordinal: usize, which: i32) -> PyResult<usize> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::limit(gpu, which))
}

/// Sets one of a GPU's limits, by CUDA's number.
#[pyfunction]
fn set_gpu_limit(py: Python<'_>, ordinal: usize, which: i32, value: usize) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::set_limit(gpu, which, value))
}

/// Switches a profiler that is attached on or off.
#[pyfunction]
fn gpu_profile(py: Python<'_>, ordinal: usize, on: bool) -> PyResult<()> {
    let gpu = gpu(py, ordinal)?;
    gate::detached(py, || cuprum_cuda::profile(gpu, on))
}

/// A stream of a GPU.
#[pyclass(name = "GpuStream", module = "cuprum._core", frozen)]
pub struct GpuStream {
    /// Taken when the object goes, to be destroyed without the GIL.
    stream: Option<Stream>,
}

impl GpuStream {
    fn inner(&self) -> &Stream {
        self.stream.as_ref().expect("a stream is taken out only when the object goes")
    }
}

impl Drop for GpuStream {
    fn drop(&mut self) {
        // Destroying a stream waits for its work, which may call back into Python.
        let stream = self.stream.take();
        // At interpreter exit there is no GIL to be let go of, and the stream just goes.
        let _ = Python::try_attach(|py| gate::released(py, || drop(stream)));
    }
}

#[pymethods]
impl GpuStream {
    #[new]
    fn __new__(py: Python<'_>, ordinal: usize, non_blocking: bool, priority: i32) -> PyResult<GpuStream> {
        let gpu = gpu(py, ordinal)?;
        let stream = gate::detached(py, || Stream::new(gpu, non_blocking, priority))?;
        Ok(GpuStream { stream: Some(stream) })
    }

    /// A stream that another library owns.
    #[staticmethod]
    fn external(py: Python<'_>, ordinal: usize, handle: usize) -> PyResult<GpuStream> {
        let (gpu, handle) = (gpu(py, ordinal)?, resolved(py, ordinal, handle)?);
        // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
        Ok(GpuStream { stream: Some(unsafe { Stream::external(gpu, handle) }) })
    }

    /// The driver's handle.
    #[getter]
    fn handle(&self) -> usize {
        self.inner().handle()
    }

    /// Waits until all of its work is done.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        gate::detached(py, || waiting(|| self.inner().synchronize()))
    }

    /// Whether all of its work is done.
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        gate::detached(py, || self.inner().is_done())
    }

    /// Makes later work wait for an event.
    fn wait(&self, py: Python<'_>, event: &Bound<'_, GpuEvent>) -> PyResult<()> {
        let event = event.get();
        gate::detached(py, || self.inner().wait(&event.event))
    }

    /// Its priority.
    fn priority(&self, py: Python<'_>) -> PyResult<i32> {
        gate::detached(py, || self.inner().priority())
    }

    /// Begins to record work into a graph. Mode 0 is global, 1 this thread's, 2 relaxed.
    fn begin_capture(&self, py: Python<'_>, mode: i32) -> PyResult<()> {
        gate::detached(py, || self.inner().begin_capture(mode))
    }

    /// Whether work is being recorded.
    fn is_capturing(&self, py: Python<'_>) -> PyResult<bool> {
        gate::detached(py, || self.inner().is_capturing())
    }

    /// The work recorded since `begin_capture`.
    fn end_capture(&self, py: Python<'_>) -> PyResult<GpuGraph> {
        Ok(GpuGraph { graph: gate::detached(py, || self.inner().end_capture())? })
    }
}

/// A point in the work of a stream.
#[pyclass(name = "GpuEvent", module = "cuprum._core", frozen)]
pub struct GpuEvent {
    event: Event,
}

impl GpuEvent {
    pub fn over(event: Event) -> GpuEvent {
        GpuEvent { event }
    }

    pub fn inner(&self) -> &Event {
        &self.event
    }
}

#[pymethods]
impl GpuEvent {
    #[new]
    #[pyo3(signature = (ordinal, timing, blocking, interprocess=false))]
    fn __new__(
        py: Python<'_>,
        ordinal: usize,
        timing: bool,
        blocking: bool,
        interprocess: bool,
    ) -> PyResult<GpuEvent> {
        let gpu = gpu(py, ordinal)?;
        let make = || {
            if interprocess { Event::for_processes(gpu, blocking) } else { Event::new(gpu, timing, blocking) }
        };
        gate::detached(py, make).map(GpuEvent::over)
    }

    /// The driver's handle.
    #[getter]
    fn handle(&self) -> usize {
        self.event.handle()
    }

    /// Marks the point that a stream's work has come to.
    fn record(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
        gate::detached(py, || unsafe { self.event.record(resolve_stream(self.event.gpu().ordinal, stream)?) })
    }

    /// Waits until the point is reached.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        gate::detached(py, || waiting(|| self.event.synchronize()))
    }

    /// Whether the point is reached.
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        gate::detached(py, || self.event.is_done())
    }

    /// Milliseconds from this event to a later one.
    fn elapsed(&self, py: Python<'_>, end: &Bound<'_, GpuEvent>) -> PyResult<f32> {
        let end = end.get();
        gate::detached(py, || self.event.elapsed(&end.event))
    }
}

/// Recorded work that can be launched again and again.
#[pyclass(name = "GpuGraph", module = "cuprum._core", frozen)]
pub struct GpuGraph {
    graph: Graph,
}

#[pymethods]
impl GpuGraph {
    /// Runs the work in a stream.
    fn launch(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
        gate::detached(py, || unsafe { self.graph.launch(resolve_stream(self.graph.gpu().ordinal, stream)?) })
    }

    /// The driver's handles of what was recorded and of what can be launched.
    #[getter]
    fn handles(&self) -> (usize, usize) {
        self.graph.handles()
    }

    /// Writes the graph's picture in the language of dot to a file.
    fn print(&self, py: Python<'_>, path: &str, flags: u32) -> PyResult<()> {
        gate::detached(py, || self.graph.print(path, flags))
    }

    /// Brings the graph onto the GPU ahead of its first launch.
    fn upload(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        // SAFETY: the program vouches for the streams that it names by their handles, as to CUDA itself.
        gate::detached(py, || unsafe { self.graph.upload(resolve_stream(self.graph.gpu().ordinal, stream)?) })
    }
}

/// What Fourier transforms of a GPU keep for later: the most plans and bytes (None for any), each plan in words with its
/// bytes, hits and misses.
type PlanFacts = (usize, Option<usize>, Vec<(String, usize)>, u64, u64);

/// The plans of Fourier transforms that a GPU keeps.
#[pyfunction]
fn fft_plans(py: Python<'_>, ordinal: usize) -> PyResult<PlanFacts> {
    gpu(py, ordinal)?;
    let facts = gate::released(py, || cuprum_cuda::fft_plans(ordinal));
    Ok((facts.limits.plans, facts.limits.bytes, facts.plans, facts.hits, facts.misses))
}

/// Sets how many plans a GPU may keep, and for how many bytes of working memory.
#[pyfunction]
#[pyo3(signature = (ordinal, plans, bytes))]
fn limit_fft_plans(py: Python<'_>, ordinal: usize, plans: usize, bytes: Option<usize>) -> PyResult<()> {
    gpu(py, ordinal)?;
    gate::released(py, || cuprum_cuda::limit_fft_plans(ordinal, PlanLimits { plans, bytes }));
    Ok(())
}

/// Lets go of the plans that a GPU keeps.
#[pyfunction]
fn clear_fft_plans(py: Python<'_>, ordinal: usize) -> PyResult<()> {
    gpu(py, ordinal)?;
    gate::released(py, || cuprum_cuda::clear_fft_plans(ordinal));
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GpuStream>()?;
    module.add_class::<GpuEvent>()?;
    module.add_class::<GpuGraph>()?;
    module.add_function(wrap_pyfunction!(pointer_facts, module)?)?;
    module.add_function(wrap_pyfunction!(register_host, module)?)?;
    module.add_function(wrap_pyfunction!(unregister_host, module)?)?;
    module.add_function(wrap_pyfunction!(set_peer_access, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_limit, module)?)?;
    module.add_function(wrap_pyfunction!(set_gpu_limit, module)?)?;
    module.add_function(wrap_pyfunction!(fft_plans, module)?)?;
    module.add_function(wrap_pyfunction!(limit_fft_plans, module)?)?;
    module.add_function(wrap_pyfunction!(clear_fft_plans, module)?)?;
    module.add_function(wrap_pyfunction!(current_gpu, module)?)?;
    module.add_function(wrap_pyfunction!(default_is_gpu, module)?)?;
    module.add_function(wrap_pyfunction!(is_current, module)?)?;
    module.add_function(wrap_pyfunction!(keep_origins, module)?)?;
    module.add_function(wrap_pyfunction!(is_on_gpu, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_libraries, module)?)?;
    module.add_function(wrap_pyfunction!(set_device, module)?)?;
    module.add_function(wrap_pyfunction!(finish_gpus, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_count, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_available, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_facts, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_attribute, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_memory, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_can_access, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_synchronize, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_priorities, module)?)?;
    module.add_function(wrap_pyfunction!(driver_version, module)?)?;
    module.add_function(wrap_pyfunction!(compiler_version, module)?)?;
    module.add_function(wrap_pyfunction!(cache_folder, module)?)?;
    module.add_function(wrap_pyfunction!(current_stream, module)?)?;
    module.add_function(wrap_pyfunction!(set_current_stream, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_copy, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_set, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_call_after, module)?)?;
    module.add_function(wrap_pyfunction!(gpu_profile, module)?)
}
