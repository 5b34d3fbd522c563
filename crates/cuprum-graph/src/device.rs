//! What a device is to the graph: memory, Programs and library calls.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use cuprum_core::{Error, Result};

use crate::{Call, DeferredCheck, MemoryPool, MemorySource, Program, Shortcuts};

/// A device; devices live as long as the process.
pub type DeviceRef = &'static dyn Device;

/// A piece of a device's memory, given back when the last clone goes.
#[derive(Clone)]
pub struct Buffer {
    address: usize,
    bytes: usize,
    keeper: Arc<dyn Any + Send + Sync>,
}

impl Buffer {
    /// Memory at `address` that `keeper` keeps alive.
    pub fn new(address: usize, bytes: usize, keeper: Arc<dyn Any + Send + Sync>) -> Buffer {
        Buffer { address, bytes, keeper }
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

/// What a device keeps of the runs of one Program.
pub type Remembered = Option<Box<dyn Any + Send>>;

/// Runs Programs and library calls on memory of its own.
pub trait Device: Send + Sync {
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
    fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()>;

    /// Runs a Program that may have run before with other scalars and buffers; `remembered` is what the device keeps of
    /// those runs.
    fn run_again(
        &self,
        program: &Program,
        _remembered: &mut Remembered,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        self.run(program, inputs, outputs)
    }

    /// Begins checks for `op` whose errors are raised at a later call, one that waits for the device; `None` where every
    /// error comes at the call.
    fn begin_check(&self, _op: &'static str) -> Result<Option<DeferredCheck>> {
        Ok(None)
    }

    /// Runs a library call.
    fn call(&self, call: &Call<'_>) -> Result<()>;

    /// Copies bytes into a buffer.
    fn upload(&self, target: &Buffer, offset: usize, source: &[u8]) -> Result<()>;

    /// Copies bytes out of a buffer, after all work on it is done.
    fn download(&self, source: &Buffer, offset: usize, target: &mut [u8]) -> Result<()>;

    /// Copies bytes from a buffer of another device.
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
