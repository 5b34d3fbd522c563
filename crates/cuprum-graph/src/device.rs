//! What a device is to the graph: memory, Programs and library calls.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use cuprum_core::{DType, Error, Result};
use smallvec::SmallVec;

use crate::{Call, DeferredCheck, Mark, MemoryPool, MemorySource, Program, RowShape, Shortcuts};

/// A device; devices live as long as the process.
pub type DeviceRef = &'static dyn Device;

/// A piece of a device's memory, given back when the last clone goes.
///
/// Whoever has a buffer may read and write its bytes on its device: [`Buffer::new`] is where that is promised.
#[derive(Clone)]
pub struct Buffer {
    device: DeviceKind,
    address: usize,
    bytes: usize,
    keeper: Arc<dyn Any + Send + Sync>,
}

impl Buffer {
    /// Memory of a device at `address` that `keeper` keeps alive.
    ///
    /// # Safety
    /// While `keeper` lives, `bytes` bytes at `address` are memory of the device that its work may read, and write unless every
    /// array over it is read-only.
    #[allow(unsafe_code, reason = "the promise that all safe code stands on")]
    pub unsafe fn new(
        device: DeviceKind,
        address: usize,
        bytes: usize,
        keeper: Arc<dyn Any + Send + Sync>,
    ) -> Buffer {
        Buffer { device, address, bytes, keeper }
    }

    /// Some of the bytes, from an offset on; `None` where there are not as many.
    ///
    /// ```
    /// # use cuprum_graph::Buffer;
    /// fn second_half(whole: &Buffer) -> Option<Buffer> {
    ///     let half = whole.bytes() / 2;
    ///     whole.part(half, whole.bytes() - half)
    /// }
    /// ```
    pub fn part(&self, offset: usize, bytes: usize) -> Option<Buffer> {
        let rest = self.bytes.checked_sub(offset)?;
        (bytes <= rest).then(|| Buffer {
            device: self.device,
            address: self.address + offset,
            bytes,
            keeper: Arc::new(self.clone()),
        })
    }

    /// This buffer, if it has `bytes` bytes of a device: what an allocator gave is not trusted.
    pub fn checked(self, device: DeviceKind, bytes: usize) -> Result<Buffer> {
        if self.device == device && self.bytes >= bytes {
            return Ok(self);
        }
        Err(Error::device("an allocator gave memory of another device, or too little of it"))
    }

    /// An error unless `bytes` bytes from an offset on are this device's.
    pub fn check_range(&self, device: DeviceKind, offset: usize, bytes: usize) -> Result<()> {
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= self.bytes);
        if inside && self.device == device {
            return Ok(());
        }
        let message = format!(
            "{bytes} bytes at {offset} are not in a buffer of {} bytes on {:?}, or not on {device:?}",
            self.bytes, self.device
        );
        Err(Error::device(message))
    }

    /// The device that the memory is on.
    #[inline]
    pub fn device(&self) -> DeviceKind {
        self.device
    }

    /// The address on the device.
    #[inline]
    pub fn address(&self) -> usize {
        self.address
    }

    /// The size in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Who keeps the memory alive.
    pub fn keeper(&self) -> &Arc<dyn Any + Send + Sync> {
        &self.keeper
    }

    /// The buffer that this one is a part of, or itself: what is alive or not.
    pub fn whole(&self) -> &Buffer {
        let mut whole = self;
        while let Some(outer) = whole.keeper.downcast_ref::<Buffer>() {
            whole = outer;
        }
        whole
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.bytes)
    }
}

/// What a device is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceKind {
    /// The CPU: addresses are the host's own.
    Cpu,
    /// An NVIDIA GPU, by its number.
    Cuda(usize),
}

/// How much a device does in the time that a Program takes to start: so much work may be repeated if that saves one.
#[derive(Clone, Copy, Debug)]
pub struct StartCost {
    /// Bytes that its memory moves.
    pub bytes: usize,
    /// Light ops, over all elements, in addition to the few that may always be repeated.
    pub ops: usize,
    /// Pending work of at least so many nodes begins as soon as a part of its result is read, `None` for never.
    pub deep_nodes: Option<usize>,
}

/// A sum of few elements along one axis.
pub struct ShortSum<'a> {
    /// The shape of the array.
    pub shape: &'a [usize],
    /// The axis that goes.
    pub axis: usize,
    /// The axes from outermost to innermost.
    pub nesting: &'a [usize],
    /// The dtype of the elements.
    pub dtype: DType,
}

/// Pairs of places; the second of each is added to the first, in order.
pub type Joins = SmallVec<[(usize, usize); 8]>;

/// The joins of `count` places as a tree: the second half to the first, and so on.
pub fn tree_joins(count: usize) -> Joins {
    let mut joins = Joins::new();
    let mut width = count.next_power_of_two() / 2;
    while width > 0 {
        joins.extend((0..width).filter(|at| at + width < count).map(|at| (at, at + width)));
        width /= 2;
    }
    joins
}

/// One of several Programs that run as one, with the buffers that it reads and writes, in its order.
#[derive(Clone, Copy)]
pub struct ProgramRun<'a> {
    /// The Program.
    pub program: &'a Program,
    /// The buffers of all Programs, each once.
    pub buffers: &'a [Buffer],
    /// The places of those that it reads.
    pub inputs: &'a [usize],
    /// The places of those that it writes.
    pub outputs: &'a [usize],
}

impl ProgramRun<'_> {
    /// What it reads.
    pub fn input_buffers(&self) -> SmallVec<[Buffer; 8]> {
        self.inputs.iter().map(|&at| self.buffers[at].clone()).collect()
    }

    /// What it writes.
    pub fn output_buffers(&self) -> SmallVec<[Buffer; 2]> {
        self.outputs.iter().map(|&at| self.buffers[at].clone()).collect()
    }
}

/// What a device keeps of the runs of one Program.
pub type DeviceCache = Option<Box<dyn Any + Send>>;

/// Runs Programs and library calls on memory of its own.
///
/// # Safety
/// `kind` is what the device is, always the same, and that of its buffers. `allocate` gives as many bytes as it was asked for,
/// which nobody else has.
#[allow(unsafe_code, reason = "the promises that all safe code stands on")]
pub unsafe trait Device: Send + Sync {
    /// What it is.
    fn kind(&self) -> DeviceKind;

    /// What users see: `cpu`, `cuda:0`.
    fn name(&self) -> String {
        match self.kind() {
            DeviceKind::Cpu => "cpu".into(),
            DeviceKind::Cuda(ordinal) => format!("cuda:{ordinal}"),
        }
    }

    /// What it computes without a Program; `None` where everything is a Program or a call.
    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        None
    }

    /// What starting a Program costs.
    fn start_cost(&self) -> StartCost;

    /// Whether it runs Programs with instructions that reduce rows like these: each row is one task's, or one block's.
    fn takes_rows(&self, _rows: &RowShape) -> bool {
        false
    }

    /// How a sum of few elements along an axis adds them up: one pair of places after the other, the second to the first, until
    /// the first has all. `None` where sums like this one are better reduced.
    fn short_sum(&self, _sum: &ShortSum<'_>) -> Option<Joins> {
        None
    }

    /// The longest sums of products of small matrices that are recorded as multiplications and additions: they fuse with what
    /// is around them. Zero where a library multiplies such matrices as fast.
    fn short_products(&self) -> usize {
        0
    }

    /// How many bytes pending work alone may keep alive before it is run: about a tenth of the pool.
    fn pinned_limit(&self) -> usize;

    /// How many bytes arrays may take in all: the pool's limit, or the device's memory.
    fn memory_limit(&self) -> usize;

    /// How many bytes arrays take now.
    fn memory_used(&self) -> usize;

    /// Memory for `bytes` bytes, uninitialised.
    fn allocate(&self, bytes: usize) -> Result<Buffer>;

    /// The pool that arrays come from unless another allocator is set.
    fn pool(&self) -> Arc<dyn MemoryPool>;

    /// A new pool; one that does not keep blocks gives them back at once.
    fn new_pool(&self, keeps: bool, source: MemorySource) -> Arc<dyn MemoryPool>;

    /// Runs a Program; `inputs` and `outputs` are its buffers, in its order.
    ///
    /// # Safety
    /// The Program is one that the graph has built: registers come before they are used, and have the dtypes that instructions
    /// take. Buffers are of this device and hold the elements of their layouts; an output overlaps an input in place only, with
    /// equal dtype and layout.
    unsafe fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()>;

    /// Runs a Program that may have run before with other scalars and buffers; `remembered` is what the device keeps of
    /// those runs.
    ///
    /// # Safety
    /// As for [`Device::run`]. What is remembered is of runs of this Program.
    unsafe fn run_again(
        &self,
        program: &Program,
        _remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.run(program, inputs, outputs) }
    }

    /// Runs several Programs as one piece of work, if the device can; `false`, with nothing done, otherwise. No Program
    /// reads what another one writes. `remembered` is what the device keeps of earlier runs of the same Programs together.
    ///
    /// # Safety
    /// As for [`Device::run_again`], for each of them; outputs of two Programs have no element in common.
    unsafe fn run_together(&self, _runs: &[ProgramRun<'_>], _remembered: &mut DeviceCache) -> Result<bool> {
        Ok(false)
    }

    /// Begins checks for `op` whose errors are raised at a later call, one that waits for the device; `None` where every
    /// error comes at the call.
    fn begin_check(&self, _op: &'static str) -> Result<Option<DeferredCheck>> {
        Ok(None)
    }

    /// The address of the record where Programs note a position that fails a check; `None` where they check none.
    fn fault_record(&self, _check: &DeferredCheck) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Notes the end of the calling thread's work so far in the device's own order; `None` where work has ended when its call
    /// returns.
    fn mark(&self) -> Option<Mark> {
        None
    }

    /// The nanoseconds between two marks of this device, after all work has ended.
    fn nanoseconds_between(&self, _first: &Mark, _second: &Mark) -> Option<u64> {
        None
    }

    /// Runs a library call.
    ///
    /// # Safety
    /// Shapes, dtypes and overlaps are as the call says. Slots are of this device and hold the elements of their layouts.
    unsafe fn call(&self, call: &Call<'_>) -> Result<()>;

    /// Copies bytes into a buffer; an error unless they fit one of this device.
    fn upload(&self, target: &Buffer, offset: usize, source: &[u8]) -> Result<()>;

    /// Copies bytes out of a buffer, after all work on it is done; an error unless they are in one of this device.
    fn download(&self, source: &Buffer, offset: usize, target: &mut [u8]) -> Result<()>;

    /// Copies bytes from a buffer of another device; an error unless both ranges are in buffers of their devices.
    fn receive(
        &self,
        target: &Buffer,
        offset: usize,
        bytes: usize,
        from: DeviceRef,
        source: &Buffer,
        start: usize,
    ) -> Result<()>;
}

/// Whether two devices are one.
#[inline]
pub fn same_device(a: DeviceRef, b: DeviceRef) -> bool {
    std::ptr::addr_eq(a, b)
}

/// The error of an op whose arrays are on two devices.
pub fn mixed_devices(op: &'static str, a: DeviceRef, b: DeviceRef) -> Error {
    let message =
        format!("arrays on {} and {}: move one of them with asarray(x, device=...)", a.name(), b.name());
    Error::value(op, message)
}
