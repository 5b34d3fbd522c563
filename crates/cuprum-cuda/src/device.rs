//! A GPU as a device of the graph: memory from its pool, Programs and library calls in the thread's stream.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use cuprum_core::memory::catch;
use cuprum_core::{Error, Result};
use cuprum_graph::{
    Allocator, Buffer, Call, DeferredCheck, Device, DeviceCache, DeviceKind, DeviceRef, Joins, Mark,
    MemoryPool, MemorySource, Program, ProgramRun, RowShape, ShortSum, StartCost, count_to_device,
    count_to_host, forget_unread, replaced_allocator,
};
use smallvec::SmallVec;

use crate::calls;
use crate::capture::{self, is_capturing, keep_check};
use crate::check::{check, cuda};
use crate::codegen;
use crate::compile::{self, Kernel};
use crate::context::{Gpu, MAX_GPUS, current_stream, gpu, gpu_count};
use crate::faults;
use crate::memory::{Pool, touch};
use crate::programs::Programs;
use crate::queue::begin_call;
use crate::raw::copy_async;
use crate::session::Session;
use crate::stream::{Event, Stream, follow_on};
use crate::sys::{nvrtc, nvrtc_identity};
use crate::transfer::Staging;

/// How many counters [`Session::tickets`] has.
pub const SESSION_TICKETS: usize = 1 << 16;
const _: () = assert!(crate::codegen::MAX_LAUNCH_TICKETS <= SESSION_TICKETS);

/// The key of a compiled text: its entry and what the text depends on.
type Variant = (&'static str, SmallVec<[u32; 8]>);

/// A GPU as a device.
pub struct Cuda {
    gpu: &'static Gpu,
    pool: Arc<Pool>,
    staging: Staging,
    programs: Arc<Programs>,
    kernels: RwLock<HashMap<Variant, Kernel>>,
    /// The counters of each stream: work in different streams runs at once.
    tickets: Mutex<Vec<(usize, Buffer)>>,
}

/// The device of a GPU of this machine.
///
/// ```
/// match cuprum_cuda::device(0) {
///     Ok(device) => println!("{}", device.gpu().name),
///     Err(error) => println!("{error}"),
/// }
/// ```
pub fn device(ordinal: usize) -> Result<&'static Cuda> {
    static DEVICES: [OnceLock<&'static Cuda>; MAX_GPUS] = [const { OnceLock::new() }; MAX_GPUS];
    if let Some(device) = DEVICES.get(ordinal).and_then(OnceLock::get) {
        return Ok(device);
    }
    if gpu_count() > 0 {
        compile::wake();
    }
    let gpu = gpu(ordinal)?;
    let made = DEVICES[ordinal].get_or_init(|| {
        Box::leak(Box::new(Cuda {
            gpu,
            pool: Pool::of(gpu, true, MemorySource::Device),
            staging: Staging::default(),
            programs: Arc::default(),
            kernels: RwLock::default(),
            tickets: Mutex::default(),
        }))
    });
    Ok(made)
}

impl Cuda {
    /// The GPU.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// The pool that arrays come from unless another allocator is set.
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// Memory for the time of a few launches, from the pool that arrays come from.
    #[inline]
    pub(crate) fn scratch(&self, bytes: usize) -> Result<Buffer> {
        match self.allocator() {
            Some(Allocator::Pool(pool)) => pool.provide(bytes)?.checked(self.kind(), bytes),
            _ => self.pool.allocate(bytes),
        }
    }

    /// Where memory comes from instead of the device's pool: a graph that is being recorded, or what the program has set.
    #[inline]
    fn allocator(&self) -> Option<Allocator> {
        // SAFETY: a thread's current stream is alive.
        match unsafe { capture::pool(current_stream(self.gpu.ordinal)) } {
            Some(pool) => Some(Allocator::Pool(pool)),
            None => replaced_allocator(self),
        }
    }

    pub(crate) fn staging(&self) -> &Staging {
        &self.staging
    }

    /// The stream's counters, made and cleared when they are first asked for.
    pub(crate) fn tickets(&'static self, stream: usize) -> Result<usize> {
        let mut tickets = self.tickets.lock().unwrap_or_else(|e| e.into_inner());
        if let Some((_, buffer)) = tickets.iter().find(|(of, _)| *of == stream) {
            return Ok(buffer.address());
        }
        // Memory of its own: programs count what arrays use.
        let buffer = Pool::new(self.gpu, false).allocate(SESSION_TICKETS * 4)?;
        let session = Session::new(self)?;
        if session.is_capturing() {
            // A fill that is recorded would come with the first launch only.
            let aside = Stream::new(self.gpu, true, 0)?;
            // SAFETY: the session ends here, and the stream after it.
            unsafe { session.in_stream(&aside) }.set_bytes(&buffer, 0, 0, SESSION_TICKETS * 4)?;
            aside.synchronize()?;
        } else {
            session.set_bytes(&buffer, 0, 0, SESSION_TICKETS * 4)?;
        }
        let address = buffer.address();
        tickets.push((stream, buffer));
        Ok(address)
    }

    /// The kernel of a text that `entry` and `variant` name, compiled when it is first asked for.
    pub(crate) fn kernel(
        &self,
        entry: &'static str,
        variant: &[u32],
        source: impl FnOnce() -> String,
    ) -> Result<Kernel> {
        let key = (entry, SmallVec::from_slice(variant));
        if let Some(kernel) = self.kernels.read().unwrap_or_else(|e| e.into_inner()).get(&key) {
            return Ok(*kernel);
        }
        let kernel = compile::load(self.gpu, &source())?.kernel(entry)?;
        self.kernels.write().unwrap_or_else(|e| e.into_inner()).insert(key, kernel);
        Ok(kernel)
    }

    /// Runs a Program.
    pub(crate) fn run_program(
        &'static self,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let session = self.session()?;
        for buffer in inputs.iter().chain(outputs) {
            session.touch(buffer)?;
        }
        self.programs.run(&session, program, inputs, outputs)
    }

    /// Runs a Program that may have run before.
    fn run_program_again(
        &'static self,
        program: &Program,
        remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let session = self.session()?;
        for buffer in inputs.iter().chain(outputs) {
            session.touch(buffer)?;
        }
        self.programs.run_again(&session, program, remembered, inputs, outputs)
    }

    /// Copies bytes of a buffer to the host in a stream, by default the thread's own. The event that is returned is
    /// reached when the copy is done.
    ///
    /// # Safety
    /// The host's memory holds so many bytes, and stays, until the event is reached.
    pub unsafe fn copy_out(
        &'static self,
        source: &Buffer,
        offset: usize,
        bytes: usize,
        address: usize,
        stream: Option<usize>,
    ) -> Result<Event> {
        if offset + bytes > source.bytes() {
            return Err(Error::device("download past the end of a buffer"));
        }
        let session = self.session()?;
        let stream = stream.unwrap_or(session.stream());
        // SAFETY: the thread's stream, or one that the caller vouches for.
        unsafe { touch(self.gpu, source, stream)? };
        count_to_host(bytes);
        // SAFETY: the source's range lies in its buffer, whose memory the stream's order keeps; the caller vouches for the
        // target.
        unsafe { copy_async(self.gpu, address, source.address() + offset, bytes, stream)? };
        let done = Event::new(self.gpu, false, false)?;
        // SAFETY: as above.
        unsafe { done.record(stream)? };
        Ok(done)
    }

    /// A session of the calling thread.
    pub(crate) fn session(&'static self) -> Result<Session> {
        Session::new(self)
    }

    /// The device as [`device`]'s table has it, alive as long as the process.
    fn forever(&self) -> Result<&'static Cuda> {
        device(self.gpu.ordinal)
    }
}

// SAFETY: a device has one GPU, and its pool gives blocks of at least the size that is asked for, each to one buffer.
unsafe impl Device for Cuda {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cuda(self.gpu.ordinal)
    }

    fn start_cost(&self) -> StartCost {
        StartCost { bytes: 1 << 23, ops: 1 << 21, deep_nodes: Some(8) }
    }

    fn takes_rows(&self, rows: &RowShape) -> bool {
        codegen::takes_rows(rows)
    }

    fn short_sum(&self, sum: &ShortSum<'_>) -> Option<Joins> {
        Some(codegen::short_sum(sum))
    }

    fn short_products(&self) -> usize {
        4
    }

    fn pinned_limit(&self) -> usize {
        self.memory_limit() / 10
    }

    fn memory_limit(&self) -> usize {
        match self.allocator() {
            Some(Allocator::Pool(pool)) => pool.allowed(),
            Some(Allocator::Default) | None => self.pool.limit().unwrap_or(self.gpu.memory),
        }
    }

    fn memory_used(&self) -> usize {
        match self.allocator() {
            Some(Allocator::Pool(pool)) => pool.used(),
            Some(Allocator::Default) | None => self.pool.used(),
        }
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer> {
        let obtained = || match self.allocator() {
            Some(Allocator::Pool(pool)) => pool.provide(bytes)?.checked(self.kind(), bytes),
            Some(Allocator::Default) | None => self.pool.allocate(bytes),
        };
        match obtained() {
            // Results that can no longer be read keep memory alive: they are dropped first.
            Err(Error::Memory { .. }) if forget_unread() => obtained(),
            outcome => outcome,
        }
    }

    fn pool(&self) -> Arc<dyn MemoryPool> {
        self.pool.clone()
    }

    fn new_pool(&self, keeps: bool, source: MemorySource) -> Arc<dyn MemoryPool> {
        Pool::of(self.gpu, keeps, source)
    }

    unsafe fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
        begin_call();
        self.forever()?.run_program(program, inputs, outputs)
    }

    unsafe fn run_again(
        &self,
        program: &Program,
        remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        begin_call();
        self.forever()?.run_program_again(program, remembered, inputs, outputs)
    }

    unsafe fn run_together(&self, runs: &[ProgramRun<'_>], remembered: &mut DeviceCache) -> Result<bool> {
        begin_call();
        let device = self.forever()?;
        let session = device.session()?;
        for buffer in runs.first().map_or(&[][..], |run| run.buffers) {
            session.touch(buffer)?;
        }
        device.programs.run_together(&session, runs, remembered)
    }

    fn begin_check(&self, op: &'static str) -> Result<Option<DeferredCheck>> {
        let device = self.forever()?;
        let session = device.session()?;
        let faults = faults::of(device)?;
        let mark = faults.begin(&session, op)?;
        // A graph keeps its numbers, and each launch begins anew.
        // SAFETY: the session's stream is alive.
        if let Some(mark) = mark.as_ref().filter(|mark| unsafe { keep_check(session.stream(), mark) }) {
            faults.clear_flag(&session, mark)?;
        }
        Ok(mark)
    }

    fn fault_record(&self, check: &DeferredCheck) -> Result<Option<u64>> {
        Ok(faults::of(self.forever()?)?.record(check).map(|address| address as u64))
    }

    fn mark(&self) -> Option<Mark> {
        let stream = current_stream(self.gpu.ordinal);
        // SAFETY: a thread's current stream is alive.
        if unsafe { is_capturing(stream) } {
            return None;
        }
        let event = Event::new(self.gpu, true, false).ok()?;
        // SAFETY: a thread's current stream is alive, and of its GPU.
        unsafe { event.record(stream) }.ok()?;
        Some(Box::new(event))
    }

    fn nanoseconds_between(&self, first: &Mark, second: &Mark) -> Option<u64> {
        let (first, second) = (first.downcast_ref::<Event>()?, second.downcast_ref::<Event>()?);
        let milliseconds = first.elapsed(second).ok()?;
        Some((f64::from(milliseconds).max(0.0) * 1e6) as u64)
    }

    unsafe fn call(&self, call: &Call<'_>) -> Result<()> {
        begin_call();
        let session = self.forever()?.session()?;
        catch(|| calls::run(&session, call))
    }

    fn upload(&self, target: &Buffer, offset: usize, source: &[u8]) -> Result<()> {
        target.check_range(self.kind(), offset, source.len())?;
        let session = self.forever()?.session()?;
        session.touch(target)?;
        self.staging.upload(&session, target, offset, source)
    }

    fn download(&self, source: &Buffer, offset: usize, target: &mut [u8]) -> Result<()> {
        source.check_range(self.kind(), offset, target.len())?;
        let session = self.forever()?.session()?;
        session.touch(source)?;
        self.staging.download(&session, source, offset, target)
    }

    fn receive(
        &self,
        target: &Buffer,
        offset: usize,
        bytes: usize,
        from: DeviceRef,
        source: &Buffer,
        start: usize,
    ) -> Result<()> {
        target.check_range(self.kind(), offset, bytes)?;
        source.check_range(from.kind(), start, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        if from.kind() == DeviceKind::Cpu {
            count_to_device(bytes);
            let address = (source.address() + start) as *const u8;
            // SAFETY: the range lies in the buffer, which is the host's memory and filled.
            return self.upload(target, offset, unsafe { std::slice::from_raw_parts(address, bytes) });
        }
        let DeviceKind::Cuda(other) = from.kind() else { unreachable!("the CPU was served above") };
        let (here, there) = (self.forever()?.session()?, device(other)?.session()?);
        there.touch(source)?;
        here.touch(target)?;
        // The copy runs in our stream: it waits for what fills the source, and nobody takes the source back before it.
        let (ours, theirs) = ((self.gpu, here.stream()), (there.gpu(), there.stream()));
        // SAFETY: the streams of both sessions, which whoever set them vouches for.
        unsafe { follow_on(ours, theirs)? };
        self.gpu.enter()?;
        let (to, at) = (target.address() + offset, source.address() + start);
        // SAFETY: both ranges lie in their buffers, and the contexts are never destroyed.
        let code = unsafe {
            (cuda()?.cuMemcpyPeerAsync)(to, self.gpu.context, at, there.gpu().context, bytes, here.stream())
        };
        check(code, "cuMemcpyPeerAsync")?;
        // SAFETY: as above.
        unsafe { follow_on(theirs, ours) }
    }
}

/// Whether Programs and calls can run on this machine: it has a driver, a GPU and NVRTC.
///
/// ```
/// assert!(!cuprum_cuda::is_available() || cuprum_cuda::device(0).is_ok());
/// ```
pub fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| gpu_count() > 0 && check_compiler().is_ok())
}

/// Checks that NVRTC is installed; the error says how to install it. NVRTC is loaded only if its file cannot be found
/// otherwise: loading takes long, and kernels of an earlier run need no compiler.
pub fn check_compiler() -> Result<()> {
    match nvrtc_identity() {
        Some(_) => Ok(()),
        None => nvrtc().map(|_| ()).map_err(Error::device),
    }
}
