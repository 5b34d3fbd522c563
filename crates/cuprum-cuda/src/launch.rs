//! Launching kernels: their arguments and the call itself.

use std::ffi::c_void;

use cuprum_core::Result;
use smallvec::SmallVec;

use crate::check::{check, remember};
use crate::codegen::{ArgsPart, LaunchGeometry};
use crate::compile::Kernel;
use crate::queue;
use crate::session::Session;
use crate::sys::Driver;

/// The arguments of a launch, in the kernel's order, each as the bytes of its C type.
#[derive(Default)]
pub struct LaunchArgs {
    /// Words as wide as the widest alignment of an argument.
    words: SmallVec<[u128; 32]>,
    starts: SmallVec<[u32; 24]>,
}

impl LaunchArgs {
    /// An empty list of arguments.
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

/// One launch: a kernel and its arguments, each beginning at a word of its own.
pub(crate) struct Launch<'a> {
    pub(crate) kernel: Kernel,
    pub(crate) geometry: LaunchGeometry,
    pub(crate) words: &'a [u128],
    /// At which word each argument begins.
    pub(crate) starts: &'a [u32],
}

/// Launches a kernel of ours in a session's stream, at once or together with those that follow (`queue`). A grid without blocks
/// is no launch.
///
/// # Safety
/// The arguments are the kernel's, in its order and of its types. Each address among them is null where the kernel allows it,
/// or that of memory of this GPU that is as large as the kernel reaches with these arguments, and that the session's call has
/// touched where it is not the call's own.
#[inline]
pub(crate) unsafe fn launch(
    session: &Session,
    kernel: Kernel,
    geometry: LaunchGeometry,
    args: &LaunchArgs,
) -> Result<()> {
    let launch = Launch { kernel, geometry, words: &args.words, starts: &args.starts };
    // SAFETY: the caller's promise; the session's stream is alive, and its context the current one.
    unsafe { submit(session, &launch) }
}

/// Launches a kernel of one argument.
///
/// # Safety
/// As for [`launch`].
#[inline]
pub(crate) unsafe fn launch_with(
    session: &Session,
    kernel: Kernel,
    geometry: LaunchGeometry,
    argument: &[ArgsPart],
) -> Result<()> {
    // SAFETY: a part has the size and the alignment of a word, and any bytes are one.
    let words = unsafe { std::slice::from_raw_parts(argument.as_ptr().cast(), argument.len()) };
    let launch = Launch { kernel, geometry, words, starts: &[0] };
    // SAFETY: as for `launch`.
    unsafe { submit(session, &launch) }
}

/// # Safety
/// As for [`launch`].
unsafe fn submit(session: &Session, launch: &Launch<'_>) -> Result<()> {
    if launch.geometry.grid.contains(&0) {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { queue::submit(session.gpu(), session.stream(), launch) }
}

/// Launches a kernel now.
///
/// # Safety
/// As for [`launch`]; the stream is alive, and one of the current context.
pub(crate) unsafe fn launch_now(driver: &Driver, stream: usize, launch: &Launch<'_>) -> Result<()> {
    let at = |&start: &u32| (&raw const launch.words[start as usize]).cast_mut().cast();
    let mut arguments: SmallVec<[*mut c_void; 24]> = launch.starts.iter().map(at).collect();
    // SAFETY: each pointer is that of an argument's bytes, which outlive the call; the rest is the caller's promise.
    let code = unsafe { driver.launch(launch.kernel, launch.geometry, stream, &mut arguments) };
    check(code, launch.kernel.name)
}

impl Driver {
    /// Launches a kernel whose arguments are at these addresses; gives the driver's code.
    ///
    /// # Safety
    /// As for [`launch_now`]; each pointer is that of the bytes of one argument.
    pub(crate) unsafe fn launch(
        &self,
        kernel: Kernel,
        geometry: LaunchGeometry,
        stream: usize,
        arguments: &mut [*mut c_void],
    ) -> i32 {
        remember(kernel.name);
        let LaunchGeometry { grid: [gx, gy, gz], block: [bx, by, bz], shared } = geometry;
        let (arguments, none) = (arguments.as_mut_ptr(), std::ptr::null_mut());
        // SAFETY: the kernel is loaded; the driver copies the arguments' bytes before it returns. What the kernel does with the
        // addresses among them is the caller's promise.
        unsafe {
            (self.cuLaunchKernel)(kernel.function, gx, gy, gz, bx, by, bz, shared, stream, arguments, none)
        }
    }
}
