//! Launching kernels: their arguments and the call itself.

use std::ffi::c_void;

use cuprum_core::Result;
use smallvec::SmallVec;

use crate::check::{check, cuda, remember};
use crate::compile::Kernel;

/// The arguments of a launch, in the kernel's order, each as the bytes of its C type.
#[derive(Default)]
pub struct LaunchArgs {
    /// Words as wide as the widest alignment of an argument.
    words: SmallVec<[u128; 32]>,
    starts: SmallVec<[u32; 24]>,
}

impl LaunchArgs {
    /// No arguments yet.
    pub fn new() -> LaunchArgs {
        LaunchArgs::default()
    }

    /// An argument of any type, by its bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut LaunchArgs {
        self.starts.push(self.words.len() as u32);
        for part in bytes.chunks(16) {
            let mut word = [0; 16];
            word[..part.len()].copy_from_slice(part);
            self.words.push(u128::from_ne_bytes(word));
        }
        self
    }

    /// A pointer.
    #[inline]
    pub fn pointer(&mut self, address: usize) -> &mut LaunchArgs {
        self.bytes(&address.to_ne_bytes())
    }

    /// A `u64`, or an `i64` by its bits.
    #[inline]
    pub fn u64(&mut self, value: u64) -> &mut LaunchArgs {
        self.bytes(&value.to_ne_bytes())
    }

    /// An `i64`.
    #[inline]
    pub fn i64(&mut self, value: i64) -> &mut LaunchArgs {
        self.bytes(&value.to_ne_bytes())
    }

    /// A `u32`.
    #[inline]
    pub fn u32(&mut self, value: u32) -> &mut LaunchArgs {
        self.bytes(&value.to_ne_bytes())
    }

    /// An `i32`.
    #[inline]
    pub fn i32(&mut self, value: i32) -> &mut LaunchArgs {
        self.bytes(&value.to_ne_bytes())
    }

    /// An `f64`.
    #[inline]
    pub fn f64(&mut self, value: f64) -> &mut LaunchArgs {
        self.bytes(&value.to_ne_bytes())
    }
}

/// Launches a kernel in a stream of the current context. A grid without blocks is no launch.
///
/// # Safety
/// The arguments are the kernel's, in its order and of its types. Each address among them is null where the kernel allows it,
/// or that of memory of this GPU that is as large as the kernel reaches with these arguments. The stream is alive.
#[inline]
pub(crate) unsafe fn launch(
    kernel: Kernel,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: usize,
    args: &LaunchArgs,
) -> Result<()> {
    if grid.contains(&0) {
        return Ok(());
    }
    let base = args.words.as_ptr();
    let mut pointers: SmallVec<[*mut c_void; 24]> = SmallVec::new();
    // SAFETY: every start lies in the words.
    pointers.extend(args.starts.iter().map(|&at| unsafe { base.add(at as usize) }.cast_mut().cast()));
    // SAFETY: each pointer is that of an argument's bytes, which outlive the call; the rest is the caller's promise.
    unsafe { launch_at(kernel, grid, block, shared, stream, &mut pointers) }
}

/// Launches a kernel whose arguments are at these addresses.
///
/// # Safety
/// As for [`launch`]; each pointer is that of the bytes of one argument.
#[inline]
pub(crate) unsafe fn launch_at(
    kernel: Kernel,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: usize,
    arguments: &mut [*mut c_void],
) -> Result<()> {
    remember(kernel.name);
    // SAFETY: the kernel is loaded; the driver copies the arguments' bytes before it returns. What the kernel does with the
    // addresses among them is the caller's promise.
    let code = unsafe {
        (cuda()?.cuLaunchKernel)(
            kernel.function,
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared,
            stream,
            arguments.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    };
    check(code, kernel.name)
}
