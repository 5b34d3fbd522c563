//! Streams, events and graphs: the driver's objects, destroyed when dropped.

use std::cell::RefCell;
use std::ffi::CString;
use std::sync::{Mutex, MutexGuard};

use cuprum_core::{Error, Result};

use crate::capture::{self, GraphResources};
use crate::check::{check, cuda, cuda_unordered};
use crate::context::{Gpu, current_stream, gpu};
use crate::exit;
use crate::faults;
use crate::memory;
use crate::queue::note_host_wait;

/// Streams of our own that do not wait for the default stream, with their GPUs' numbers.
static INDEPENDENT: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn independent() -> MutexGuard<'static, Vec<(usize, usize)>> {
    INDEPENDENT.lock().unwrap_or_else(|e| e.into_inner())
}

/// The points that a GPU's streams have come to that do not wait for the default stream.
pub(crate) fn mark_streams(gpu: &'static Gpu) -> Result<Vec<Event>> {
    // None of them is destroyed while they are held.
    let streams = independent();
    let ours = streams.iter().filter(|(ordinal, handle)| {
        // SAFETY: a stream of ours that is not destroyed while the list is locked.
        *ordinal == gpu.ordinal && !unsafe { capture::is_capturing(*handle) }
    });
    ours.map(|(_, handle)| {
        let mark = Event::new(gpu, false, false)?;
        // SAFETY: a stream of ours that is not destroyed while the list is locked.
        unsafe { mark.record(*handle)? };
        Ok(mark)
    })
    .collect()
}

/// A stream.
pub struct Stream {
    gpu: &'static Gpu,
    handle: usize,
    owned: bool,
}

impl Stream {
    /// A new stream; one that is not blocking does not wait for the default stream. Lower numbers are served first.
    pub fn new(gpu: &'static Gpu, non_blocking: bool, priority: i32) -> Result<Stream> {
        gpu.enter()?;
        let mut handle = 0;
        let flags = u32::from(non_blocking);
        // SAFETY: writes one handle.
        let code = unsafe { (cuda()?.cuStreamCreateWithPriority)(&mut handle, flags, priority) };
        check(code, "cuStreamCreateWithPriority")?;
        memory::stream_made(handle);
        if non_blocking {
            independent().push((gpu.ordinal, handle));
        }
        Ok(Stream { gpu, handle, owned: true })
    }

    /// A stream that another library owns; 0 is the default stream.
    ///
    /// # Safety
    /// The handle is one of the GPU's streams, which lives as long as this does.
    ///
    /// ```compile_fail,E0133
    /// fn guess(gpu: &'static cuprum_cuda::Gpu) -> cuprum_cuda::Stream {
    ///     cuprum_cuda::Stream::external(gpu, 0x7f00)
    /// }
    /// ```
    pub unsafe fn external(gpu: &'static Gpu, handle: usize) -> Stream {
        if handle != 0 {
            memory::stream_made(handle);
        }
        Stream { gpu, handle, owned: false }
    }

    /// The driver's handle.
    pub fn handle(&self) -> usize {
        self.handle
    }

    /// The GPU that it belongs to.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Waits until all of its work is done; an error of that work is returned.
    pub fn synchronize(&self) -> Result<()> {
        self.gpu.enter()?;
        // SAFETY: the handle is alive.
        unsafe { capture::check_can_end(self.handle, "synchronize")? };
        note_host_wait();
        // SAFETY: the handle is alive.
        check(unsafe { (cuda()?.cuStreamSynchronize)(self.handle) }, "cuStreamSynchronize")?;
        faults::raise(self.gpu)
    }

    /// Whether all of its work is done.
    pub fn is_done(&self) -> Result<bool> {
        self.gpu.enter()?;
        // SAFETY: the handle is alive.
        done(unsafe { (cuda()?.cuStreamQuery)(self.handle) }, "cuStreamQuery")
    }

    /// Makes later work of the stream wait for an event.
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.gpu.enter()?;
        // SAFETY: both handles are alive.
        check(unsafe { (cuda()?.cuStreamWaitEvent)(self.handle, event.handle, 0) }, "cuStreamWaitEvent")
    }

    /// Its priority.
    pub fn priority(&self) -> Result<i32> {
        self.gpu.enter()?;
        let mut priority = 0;
        // SAFETY: writes one number.
        check(unsafe { (cuda()?.cuStreamGetPriority)(self.handle, &mut priority) }, "cuStreamGetPriority")?;
        Ok(priority)
    }

    /// Begins to record work into a graph instead of running it. Mode 0 is global, 1 this thread's, 2 relaxed.
    ///
    /// All work so far is done first. Until [`Stream::end_capture`], this thread's memory comes from a pool of the graph's
    /// own, so that nothing else ever uses what the graph writes when it is launched.
    pub fn begin_capture(&self, mode: i32) -> Result<()> {
        // SAFETY: the handle is alive.
        unsafe { capture::begin(self.gpu, self.handle, mode) }
    }

    /// Whether work is being recorded.
    pub fn is_capturing(&self) -> Result<bool> {
        self.gpu.enter()?;
        let mut status = 0;
        // SAFETY: writes one number.
        check(unsafe { (cuda()?.cuStreamIsCapturing)(self.handle, &mut status) }, "cuStreamIsCapturing")?;
        Ok(status != 0)
    }

    /// Ends the capture: the work recorded since [`Stream::begin_capture`] as a graph, ready to be launched.
    pub fn end_capture(&self) -> Result<Graph> {
        self.gpu.enter()?;
        let kept = capture::end(self.handle).unwrap_or_default();
        let cuda = cuda()?;
        let (mut graph, mut executable) = (0, 0);
        // SAFETY: each call writes one handle; the graph is destroyed where it cannot be instantiated.
        unsafe {
            check((cuda.cuStreamEndCapture)(self.handle, &mut graph), "cuStreamEndCapture")?;
            let made = (cuda.cuGraphInstantiateWithFlags)(&mut executable, graph, 0);
            if made != 0 {
                (cuda.cuGraphDestroy)(graph);
            }
            check(made, "cuGraphInstantiate")?;
        }
        Ok(Graph { gpu: self.gpu, nodes: graph, handle: executable, recorded_in: self.handle, kept })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.owned || exit::is_given_up() {
            return;
        }
        independent().retain(|(_, handle)| *handle != self.handle);
        // A recording that nobody ended ends with its stream.
        drop(capture::end(self.handle));
        // Memory that was last used in this stream is handed to the default stream, which waits for it.
        // SAFETY: the stream is destroyed after this.
        unsafe { memory::forget_stream(self.gpu, self.handle) };
        if let Ok(cuda) = cuda() {
            // SAFETY: the handle is ours and not used any more; the driver finishes its work first.
            unsafe { (cuda.cuStreamDestroy_v2)(self.handle) };
        }
    }
}

/// The lowest and the highest priority of streams.
pub fn priority_range(gpu: &'static Gpu) -> Result<(i32, i32)> {
    gpu.enter()?;
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: writes two numbers.
    let code = unsafe { (cuda()?.cuCtxGetStreamPriorityRange)(&mut least, &mut greatest) };
    check(code, "cuCtxGetStreamPriorityRange")?;
    Ok((least, greatest))
}

/// A point in a stream's work.
pub struct Event {
    gpu: &'static Gpu,
    handle: usize,
}

impl Event {
    /// A new event; without timing it is cheaper. A blocking one lets a waiting thread sleep.
    pub fn new(gpu: &'static Gpu, timing: bool, blocking: bool) -> Result<Event> {
        gpu.enter()?;
        let mut handle = 0;
        let flags = u32::from(blocking) | (u32::from(!timing) << 1);
        // SAFETY: writes one handle.
        check(unsafe { (cuda_unordered()?.cuEventCreate)(&mut handle, flags) }, "cuEventCreate")?;
        Ok(Event { gpu, handle })
    }

    /// A new event that other processes may open, without timing.
    pub fn for_processes(gpu: &'static Gpu, blocking: bool) -> Result<Event> {
        const NO_TIMING_INTERPROCESS: u32 = 2 | 4;
        gpu.enter()?;
        let mut handle = 0;
        let flags = u32::from(blocking) | NO_TIMING_INTERPROCESS;
        // SAFETY: writes one handle.
        check(unsafe { (cuda_unordered()?.cuEventCreate)(&mut handle, flags) }, "cuEventCreate")?;
        Ok(Event { gpu, handle })
    }

    /// An event by its handle, which it is destroyed with.
    ///
    /// # Safety
    /// The handle is that of an event that is alive, and nobody else destroys it.
    pub(crate) unsafe fn from_handle(gpu: &'static Gpu, handle: usize) -> Event {
        Event { gpu, handle }
    }

    /// The driver's handle.
    pub fn handle(&self) -> usize {
        self.handle
    }

    /// The GPU that it belongs to.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Records the event in a stream: it is reached when the stream's work so far is done.
    ///
    /// # Safety
    /// The handle is that of a stream of the event's GPU that is alive.
    ///
    /// ```compile_fail,E0133
    /// fn guess(event: &cuprum_cuda::Event) {
    ///     event.record(0x7f00).unwrap();
    /// }
    /// ```
    pub unsafe fn record(&self, stream: usize) -> Result<()> {
        self.gpu.enter()?;
        // SAFETY: the event is alive; the caller vouches for the stream.
        check(unsafe { (cuda()?.cuEventRecord)(self.handle, stream) }, "cuEventRecord")
    }

    /// Waits until the event is reached; an error of the work before it is returned.
    pub fn synchronize(&self) -> Result<()> {
        self.wait()?;
        faults::raise(self.gpu)
    }

    /// Waits until the event is reached.
    pub fn wait(&self) -> Result<()> {
        self.gpu.enter()?;
        note_host_wait();
        // SAFETY: the handle is alive.
        check(unsafe { (cuda()?.cuEventSynchronize)(self.handle) }, "cuEventSynchronize")
    }

    /// Whether the event is reached.
    pub fn is_done(&self) -> Result<bool> {
        self.gpu.enter()?;
        // SAFETY: the handle is alive.
        done(unsafe { (cuda()?.cuEventQuery)(self.handle) }, "cuEventQuery")
    }

    /// Milliseconds from this event to a later one.
    pub fn elapsed(&self, end: &Event) -> Result<f32> {
        self.gpu.enter()?;
        let mut milliseconds = 0.0;
        // SAFETY: writes one number.
        let code = unsafe { (cuda()?.cuEventElapsedTime)(&mut milliseconds, self.handle, end.handle) };
        check(code, "cuEventElapsedTime")?;
        Ok(milliseconds)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(cuda) = cuda_unordered() {
            // SAFETY: the handle is ours and not used any more.
            unsafe { (cuda.cuEventDestroy_v2)(self.handle) };
        }
    }
}

/// A CUDA graph: recorded work that can be launched again and again.
pub struct Graph {
    gpu: &'static Gpu,
    /// `CUgraph`, what was recorded.
    nodes: usize,
    /// `CUgraphExec`, what can be launched.
    handle: usize,
    /// The stream that the work was recorded in.
    recorded_in: usize,
    /// What the work uses: nothing else may use it, and it must not go.
    kept: GraphResources,
}

impl Graph {
    /// The GPU that it runs on.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// The driver's handles of what was recorded and of what can be launched.
    pub fn handles(&self) -> (usize, usize) {
        (self.nodes, self.handle)
    }

    /// Writes the graph to a file in Graphviz's DOT language; flags are those of `cudaGraphDebugDotPrint`.
    pub fn print(&self, path: &str, flags: u32) -> Result<()> {
        let path = CString::new(path).map_err(|_| Error::value("Graph", "a path holds a NUL"))?;
        // SAFETY: the handle is alive, the path is a C string.
        let code = unsafe { (cuda()?.cuGraphDebugDotPrint)(self.nodes, path.as_ptr(), flags) };
        check(code, "cuGraphDebugDotPrint")
    }

    /// Runs the work in a stream, after the work so far of the calling thread's stream, of the one it was recorded in, which
    /// must still be there, and of those that used its arrays last.
    ///
    /// The stream that it was recorded in comes before and after it for what no array holds: its counters, which recorded
    /// kernels count in, and memory that kernels and copies were given by its address.
    ///
    /// # Safety
    /// The handle is that of a stream of the graph's GPU that is alive.
    ///
    /// ```compile_fail,E0133
    /// fn guess(graph: &cuprum_cuda::Graph) {
    ///     graph.launch(0x7f00).unwrap();
    /// }
    /// ```
    pub unsafe fn launch(&self, stream: usize) -> Result<()> {
        self.gpu.enter()?;
        // SAFETY: the caller vouches for `stream`, whoever set the thread's stream for that one; the stream that the work was
        // recorded in is still there.
        unsafe {
            follow(self.gpu, stream, current_stream(self.gpu.ordinal))?;
            follow(self.gpu, stream, self.recorded_in)?;
        }
        self.kept.used().try_for_each(|block| {
            // SAFETY: as above.
            unsafe { memory::touch_block(self.gpu, &block, stream) }
        })?;
        faults::launched(self.gpu, &self.kept.checks);
        // SAFETY: the graph is alive; the caller vouches for the stream.
        check(unsafe { (cuda()?.cuGraphLaunch)(self.handle, stream) }, "cuGraphLaunch")?;
        // SAFETY: as above.
        unsafe { follow(self.gpu, self.recorded_in, stream) }
    }

    /// Uploads the graph to the GPU ahead of its first launch.
    ///
    /// # Safety
    /// The handle is that of a stream of the graph's GPU that is alive.
    ///
    /// ```compile_fail,E0133
    /// fn guess(graph: &cuprum_cuda::Graph) {
    ///     graph.upload(0x7f00).unwrap();
    /// }
    /// ```
    pub unsafe fn upload(&self, stream: usize) -> Result<()> {
        self.gpu.enter()?;
        // SAFETY: the graph is alive; the caller vouches for the stream.
        check(unsafe { (cuda()?.cuGraphUpload)(self.handle, stream) }, "cuGraphUpload")
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if let Ok(cuda) = cuda() {
            // SAFETY: the handles are ours and not used any more.
            unsafe {
                (cuda.cuGraphExecDestroy)(self.handle);
                (cuda.cuGraphDestroy)(self.nodes);
            }
        }
    }
}

fn done(code: i32, function: &'static str) -> Result<bool> {
    const NOT_READY: i32 = 600;
    if code == NOT_READY { Ok(false) } else { check(code, function).map(|()| true) }
}

/// Makes later work of `stream` wait for all work of `first` so far; either may be a stream of another library.
///
/// # Safety
/// Both handles are those of streams of the GPU that are alive.
///
/// ```compile_fail,E0133
/// fn guess(gpu: &'static cuprum_cuda::Gpu) {
///     cuprum_cuda::follow(gpu, 0, 0x7f00).unwrap();
/// }
/// ```
pub unsafe fn follow(gpu: &'static Gpu, stream: usize, first: usize) -> Result<()> {
    if stream == first {
        return Ok(());
    }
    // SAFETY: the caller vouches for both.
    unsafe { follow_on((gpu, stream), (gpu, first)) }
}

/// Makes later work of a GPU's stream wait for all work so far of a stream that may be another GPU's.
///
/// # Safety
/// Both handles are those of streams of their GPUs that are alive.
pub(crate) unsafe fn follow_on(
    (gpu, stream): (&'static Gpu, usize),
    (other, first): (&'static Gpu, usize),
) -> Result<()> {
    // The driver keeps a destroyed event until what was recorded of it is reached.
    let mark = Event::new(other, false, false)?;
    // SAFETY: the caller vouches for the stream.
    unsafe { mark.record(first)? };
    // The default streams of all GPUs have one handle: the current context says which is meant.
    gpu.enter()?;
    // SAFETY: the event is alive; the caller vouches for the stream.
    check(unsafe { (cuda()?.cuStreamWaitEvent)(stream, mark.handle, 0) }, "cuStreamWaitEvent")
}

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

/// Streams of threads that are gone.
static IDLE: Mutex<Vec<Stream>> = Mutex::new(Vec::new());

/// The streams of one thread, a GPU each.
#[derive(Default)]
struct OwnStreams(Vec<Stream>);

impl Drop for OwnStreams {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(|e| e.into_inner()).append(&mut self.0);
    }
}

thread_local! {
    static THREAD_STREAMS: RefCell<OwnStreams> = const { RefCell::new(OwnStreams(Vec::new())) };
}

/// The stream that a handle given by a program means. 0 and CUDA's constant for the legacy default stream are the
/// same stream. CUDA's constant for the per-thread default stream means a different stream in each thread: here each
/// thread gets a stream with a handle of its own, so that other threads can wait for it.
///
/// ```
/// assert_eq!(cuprum_cuda::resolve_stream(0, 1), Ok(0));
/// assert_eq!(cuprum_cuda::resolve_stream(0, 0x7f00), Ok(0x7f00));
/// ```
pub fn resolve_stream(ordinal: usize, handle: usize) -> Result<usize> {
    match handle {
        LEGACY => Ok(0),
        PER_THREAD => THREAD_STREAMS.with_borrow_mut(|own| {
            if let Some(stream) = own.0.iter().find(|stream| stream.gpu.ordinal == ordinal) {
                return Ok(stream.handle);
            }
            let mut idle = IDLE.lock().unwrap_or_else(|e| e.into_inner());
            let place = idle.iter().position(|stream| stream.gpu.ordinal == ordinal);
            let stream = match place {
                Some(place) => idle.swap_remove(place),
                None => Stream::new(gpu(ordinal)?, false, 0)?,
            };
            let handle = stream.handle;
            own.0.push(stream);
            Ok(handle)
        }),
        other => Ok(other),
    }
}
