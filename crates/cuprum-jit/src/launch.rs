//! What a launch takes.

use std::time::Duration;

/// A range of memory that a kernel may use.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Its first address.
    pub start: usize,
    /// Its size.
    pub bytes: usize,
    /// Whether kernels may write it.
    pub writable: bool,
}

/// Finds memory that a launch was not given: pointers that stand in arrays or structs.
pub trait Memory: Sync {
    /// The range that holds `address`.
    fn find(&self, address: usize) -> Option<Extent>;

    /// The first of some bytes that were not written since their memory was allocated. The checking mode asks before
    /// each read of global memory.
    fn unwritten(&self, _address: usize, _bytes: usize) -> Option<usize> {
        None
    }

    /// The kernel writes these bytes: the checking mode says so.
    fn written(&self, _address: usize, _bytes: usize) {}
}

/// No memory but what a launch was given.
struct NoMemory;

impl Memory for NoMemory {
    fn find(&self, _: usize) -> Option<Extent> {
        None
    }
}

/// What is checked besides bounds.
#[derive(Clone, Debug, Default)]
pub struct CheckMode {
    /// Races in shared and global memory.
    pub races: bool,
    /// Reads of uninitialised memory.
    pub uninitialised: bool,
    /// Threads of one block at different barriers.
    pub divergence: bool,
    /// The order that threads run in: ascending where `None`, else shuffled by this seed.
    pub order: Option<u64>,
}

/// One launch.
pub struct Launch<'a> {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: usize,
    /// The parameters' bytes, each at its offset.
    pub params: &'a [u8],
    /// For each parameter that is a pointer, the memory that it may reach; by the parameter's number.
    pub extents: &'a [Option<Extent>],
    /// Finds all other memory.
    pub memory: &'a dyn Memory,
    /// Whether the grid may synchronise.
    pub cooperative: bool,
    /// `Some(true)`: blocks in order, on one thread; `Some(false)`: blocks in any order on all threads. `None`: in order
    /// only where the result would depend on it (float atomics, used results of atomics).
    pub deterministic: Option<bool>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// What is watched; `None` for bounds alone.
    pub check: Option<CheckMode>,
    /// Whether nobody but the kernel can write its memory meanwhile: asked when all its threads wait for a change.
    /// `None` where somebody may.
    pub is_sole_writer: Option<fn() -> bool>,
    /// Takes what `printf` writes.
    pub print: &'a (dyn Fn(&str) + Sync),
}

impl<'a> Launch<'a> {
    /// A launch on the memory of its parameters alone, that prints nothing and is neither watched nor stopped.
    pub fn new(
        grid: [u32; 3],
        block: [u32; 3],
        params: &'a [u8],
        extents: &'a [Option<Extent>],
    ) -> Launch<'a> {
        Launch {
            grid,
            block,
            dynamic_shared: 0,
            params,
            extents,
            memory: &NoMemory,
            cooperative: false,
            deterministic: None,
            timeout: None,
            check: None,
            is_sole_writer: None,
            print: &|_| {},
        }
    }
}
