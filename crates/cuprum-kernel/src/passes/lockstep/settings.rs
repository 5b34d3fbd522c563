//! What a launch brings to the question whether lanes meet.

/// The numbers of a launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchFacts<'a> {
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The parameters' bytes.
    pub params: &'a [u8],
    /// Whether scalars among the parameters are left open: what is found holds for all of them.
    pub any_scalars: bool,
    /// Whether some pointers of the launch lead into the same memory: their numbers are compared then.
    pub overlaps: bool,
}

impl LaunchFacts<'_> {
    /// Threads of a block.
    pub(super) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// `threadIdx` of a thread.
    pub(super) fn thread_index(&self, rank: u32) -> [u32; 3] {
        let [width, height, _] = self.block;
        [rank % width, rank / width % height, rank / width / height]
    }

    /// A parameter's bits.
    pub(super) fn parameter(&self, offset: u32, bytes: u32) -> Option<u64> {
        let at = offset as usize;
        let found = self.params.get(at..at + bytes as usize)?;
        Some(found.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }
}
