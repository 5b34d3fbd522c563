//! What a device is to the graph: memory, Programs and library calls.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use cuprum_core::{DType, Error, Layout, Op, Reduction, Result};

use crate::{Call, DeferredCheck, MemoryPool, MemorySource, NodeKind, Operand, Program};

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

/// An op on dense operands, already in the loop's dtypes: the plainest of what is too small for a Program.
pub struct DenseStep {
    /// The op.
    pub op: Op,
    /// The loop's dtype.
    pub dtype: DType,
    /// The result's dtype.
    pub output: DType,
    /// How many elements.
    pub n: usize,
    /// Where the arguments are; `None` where a scalar stands.
    pub inputs: [Option<usize>; 3],
    /// The bytes of the scalars.
    pub scalars: [[u8; 16]; 3],
    /// Where the result goes: to an argument of its element's size, or apart from all of them.
    pub result: usize,
}

/// Rows that lie behind one another, and positions among them: what index arrays that are too small for a library call take.
pub struct DenseRows {
    /// Where the first row is.
    pub rows: usize,
    /// How many rows there are.
    pub count: usize,
    /// The bytes of a row.
    pub bytes: usize,
    /// Where the positions are: int64, not yet checked, negative ones counted from the back. Or where truth values are, one for
    /// each row.
    pub positions: usize,
    /// How many rows are chosen.
    pub n: usize,
}

/// Work of at least one element, and of no more than [`Device::eager_elements`] says, over operands that are there: what
/// runs without a Program.
pub struct SmallWork<'a> {
    /// What is computed.
    pub kind: &'a NodeKind,
    /// From what: of an elementwise op, arrays whose shapes broadcast to the layout's.
    pub operands: &'a [Operand<'a>],
    /// The layout of the result, its offset aside.
    pub layout: &'a Layout,
    /// The dtype of the result.
    pub dtype: DType,
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

    /// Results of at most this many elements are computed at once instead of being recorded.
    fn eager_elements(&self) -> usize;

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

    /// Runs one op on dense operands at once; only of as many elements as [`Device::eager_elements`] or
    /// [`Device::alone_elements`] says.
    fn run_dense(&self, step: &DenseStep) -> Result<()>;

    /// Computes small work into memory at `result`, laid out as the work says; `false` where the device has no short way for
    /// it. Where the result lies over an operand, elements of one dtype lie over themselves.
    fn run_small(&self, work: &SmallWork<'_>, result: usize) -> Result<bool>;

    /// Pending work of one node, of at most this many elements, runs by [`Device::run_alone`] where the device has a short way
    /// for it.
    fn alone_elements(&self) -> usize {
        0
    }

    /// As [`Device::run_small`], for more elements that lie dense: what one core has soon done in its caches, before a Program for
    /// it is found.
    fn run_alone(&self, _work: &SmallWork<'_>, _result: usize) -> Result<bool> {
        Ok(false)
    }

    /// Reduces `n` dense elements to one result; `false` where the device has no short way for this reduction.
    fn reduce_dense(
        &self,
        op: Reduction,
        dtype: DType,
        n: usize,
        input: usize,
        output: usize,
    ) -> Result<bool>;

    /// Copies the rows at the positions to `target`, one behind the other; `false` and nothing written where a position is out of
    /// range. Only of as many elements as [`Device::eager_elements`] says.
    fn take_rows(&self, _rows: &DenseRows, _target: usize) -> Result<bool> {
        Err(Error::device("take: rows are copied ahead of a call on the CPU only"))
    }

    /// How many of `n` truth values hold; only of as many as [`Device::eager_elements`] says.
    fn count_true(&self, _mask: usize, _n: usize) -> Result<usize> {
        Err(Error::device("nonzero: truth is counted ahead of a call on the CPU only"))
    }

    /// Copies `n` rows to `target`, those whose truth value holds, one at `positions` for each row; `false` where there are not as
    /// many.
    fn select_rows(&self, _rows: &DenseRows, _target: usize) -> Result<bool> {
        Err(Error::device("compress: rows are copied ahead of a call on the CPU only"))
    }

    /// The reverse of [`Device::take_rows`]: row after row from `source`, each `step` bytes behind the one before, goes to its
    /// position. Neither the positions nor the source overlap the rows.
    fn put_rows(&self, _rows: &DenseRows, _source: usize, _step: usize) -> Result<bool> {
        Err(Error::device("put: rows are copied ahead of a call on the CPU only"))
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
