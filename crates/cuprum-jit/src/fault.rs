//! What stopped a kernel, and where.

use cuprum_kernel::Span;

/// What a kernel did wrong, or why it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// Memory outside every array that the kernel was given.
    OutOfBounds,
    /// A Python array's index outside its axis.
    Index,
    /// An address that is not a multiple of the type's size.
    Misaligned,
    /// A write to constant memory or to an array that may not be written.
    ReadOnly,
    /// A read of memory that nobody has written (checking mode).
    Uninitialised,
    /// Two threads at one address without a barrier between, one of them writing (checking mode).
    Race,
    /// Threads of one block at different barriers (checking mode).
    DivergentBarrier,
    /// A collective with lanes that will never come, or that are not in their own mask.
    WarpMask,
    /// Threads that wait for one another for ever.
    Deadlock,
    /// `assert` or `__trap`.
    Assertion,
    /// Recursion too deep, or local memory too large.
    Stack,
    /// The time that the launch was given is over.
    Timeout,
    /// The user's Ctrl-C.
    Interrupted,
    /// A launch that cannot be: too many threads, too much shared memory.
    Launch,
}

/// One thread at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The place in the text.
    pub span: Span,
    /// `threadIdx`.
    pub thread: [u32; 3],
    /// `blockIdx`.
    pub block: [u32; 3],
}

/// Why a launch ended early. Its text names kernel, place, thread and block, and shows the source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// The kernel's name.
    pub kernel: String,
    /// What happened, with the numbers.
    pub message: String,
    /// Where; none for faults of the launch itself.
    pub site: Option<Site>,
    /// The other side of a race or a divergent barrier.
    pub other: Option<Site>,
}
