//! A session: what one call needs of a GPU, that is its stream, scratch memory, kernels and copies.

use cuprum_core::{DType, Layout, Result};
use cuprum_graph::{Buffer, DeviceKind, Input, Instr, InstrKind, Output, Program, Slot};
use smallvec::SmallVec;

use crate::capture::{is_capturing, keep_bytes};
use crate::check::{check, cuda};
use crate::codegen::LaunchGeometry;
use crate::compile::Kernel;
use crate::context::{Gpu, current_stream};
use crate::device::Cuda;
use crate::launch::{LaunchArgs, launch};
use crate::memory::touch;
use crate::stream::Stream;

/// What one call needs of a GPU. While a session lives, the GPU's context is the thread's current one.
#[derive(Clone, Copy)]
pub struct Session {
    device: &'static Cuda,
    stream: usize,
}

impl Session {
    /// Enters the device's context; work goes into the thread's stream.
    #[inline]
    pub(crate) fn new(device: &'static Cuda) -> Result<Session> {
        device.gpu().enter()?;
        Ok(Session { device, stream: current_stream(device.gpu().ordinal) })
    }

    /// The GPU.
    #[inline]
    pub fn gpu(&self) -> &'static Gpu {
        self.device.gpu()
    }

    /// The device.
    #[inline]
    pub fn device(&self) -> &'static Cuda {
        self.device
    }

    /// The stream's handle.
    #[inline]
    pub fn stream(&self) -> usize {
        self.stream
    }

    /// Whether the stream records a graph.
    pub fn is_capturing(&self) -> bool {
        // SAFETY: the session's stream is alive.
        unsafe { is_capturing(self.stream) }
    }

    /// The same in another stream.
    ///
    /// # Safety
    /// The stream outlives the session.
    pub(crate) unsafe fn in_stream(&self, stream: &Stream) -> Session {
        Session { stream: stream.handle(), ..*self }
    }

    /// Makes the stream wait for the last use of a buffer in another stream. For slots of a call this has been done
    /// already.
    #[inline]
    pub fn touch(&self, buffer: &Buffer) -> Result<()> {
        // SAFETY: the thread's stream, which whoever set it vouches for.
        unsafe { touch(self.gpu(), buffer, self.stream) }
    }

    /// Uninitialised scratch memory. It may be dropped as soon as the work that uses it is launched.
    pub fn scratch(&self, bytes: usize) -> Result<Buffer> {
        self.device.scratch(bytes)
    }

    /// A slot of new, uninitialised memory in C order.
    pub fn new_slot(&self, shape: &[usize], dtype: DType) -> Result<Slot> {
        let layout = Layout::contiguous(shape, dtype.size());
        Ok(Slot { buffer: self.scratch(layout.size() * dtype.size())?, layout, dtype })
    }

    /// The address of [`SESSION_TICKETS`](crate::device::SESSION_TICKETS) counters (`u32`), by which a kernel's last
    /// block knows that it is the last. All are zero, and every kernel leaves them zero.
    pub fn tickets(&self) -> Result<usize> {
        self.device.tickets(self.stream)
    }

    /// A kernel, compiled when it is first asked for. `entry` is the function's name in the text, and with `variant` (dtypes,
    /// sizes: whatever the text depends on) names the text.
    #[inline]
    pub fn kernel(
        &self,
        entry: &'static str,
        variant: &[u32],
        source: impl FnOnce() -> String,
    ) -> Result<Kernel> {
        self.device.kernel(entry, variant, source)
    }

    /// Launches a kernel of one-dimensional blocks.
    ///
    /// # Safety
    /// As for [`launch`].
    #[inline]
    pub unsafe fn launch(&self, kernel: Kernel, grid: u32, block: u32, args: &LaunchArgs) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.launch_shaped(kernel, [grid, 1, 1], [block, 1, 1], 0, args) }
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// As for [`launch`].
    #[inline]
    pub unsafe fn launch_shaped(
        &self,
        kernel: Kernel,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        args: &LaunchArgs,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { launch(self, kernel, LaunchGeometry { grid, block, shared }, args) }
    }

    /// Allows launches of a kernel so much dynamic shared memory. Needed for more than 48 KB.
    pub fn allow_shared(&self, kernel: Kernel, bytes: u32) -> Result<()> {
        const MAX_DYNAMIC_SHARED: i32 = 8;
        // Launches that wait may ask for more than this one.
        // SAFETY: the kernel is loaded in this context.
        let code = unsafe { (cuda()?.cuFuncSetAttribute)(kernel.function, MAX_DYNAMIC_SHARED, bytes as i32) };
        check(code, "cuFuncSetAttribute")
    }

    /// The address of a range of a buffer; an error unless the whole range lies in it and on this GPU.
    pub(crate) fn range(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<usize> {
        buffer.check_range(DeviceKind::Cuda(self.gpu().ordinal), offset, bytes)?;
        Ok(buffer.address() + offset)
    }

    /// Sets bytes of a buffer, from an offset on, to one value.
    pub fn set_bytes(&self, target: &Buffer, offset: usize, value: u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let address = self.range(target, offset, bytes)?;
        // SAFETY: the range is a buffer's on this GPU; the driver runs this in the stream's order.
        check(unsafe { (cuda()?.cuMemsetD8Async)(address, value, bytes, self.stream) }, "cuMemsetD8Async")
    }

    /// Sets all elements of a dense slot to bytes of one value.
    pub fn set_slot(&self, slot: &Slot, value: u8) -> Result<()> {
        self.set_bytes(&slot.buffer, slot.layout.offset, value, slot.layout.size() * slot.dtype.size())
    }

    /// Copies bytes of one buffer to another on the GPU, each from its offset on; the ranges do not overlap.
    pub fn copy_bytes(&self, to: (&Buffer, usize), from: (&Buffer, usize), bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let (to, from) = (self.range(to.0, to.1, bytes)?, self.range(from.0, from.1, bytes)?);
        // SAFETY: both ranges are buffers' on this GPU; the driver runs this in the stream's order.
        check(unsafe { (cuda()?.cuMemcpyDtoDAsync_v2)(to, from, bytes, self.stream) }, "cuMemcpyDtoDAsync")
    }

    /// Copies a few bytes (tables, offsets: at most 64 KB) into a buffer, from an offset on; they may be changed once
    /// this returns.
    pub fn upload_small(&self, target: &Buffer, offset: usize, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let address = self.range(target, offset, bytes.len())?;
        // SAFETY: the session's stream is alive.
        let kept = unsafe { keep_bytes(self.gpu(), self.stream, bytes) }?;
        let source = kept.unwrap_or(bytes.as_ptr() as usize) as *const _;
        // SAFETY: the range is a buffer's on this GPU; the driver copies pageable memory of this size before it returns,
        // and a graph keeps what its launches read.
        let code = unsafe { (cuda()?.cuMemcpyHtoDAsync_v2)(address, source, bytes.len(), self.stream) };
        check(code, "cuMemcpyHtoDAsync")
    }

    /// Copies the first bytes of a buffer to the host, after all earlier work of the stream.
    pub fn download_small(&self, source: &Buffer, bytes: &mut [u8]) -> Result<()> {
        self.device.staging().download(self, source, 0, bytes)
    }

    /// Copies elements, converting them where the dtypes differ; the shapes are equal and the memory does not overlap.
    pub fn copy(&self, from: &Slot, to: &Slot) -> Result<()> {
        let code = if from.dtype == to.dtype {
            Vec::new()
        } else {
            let args = SmallVec::from_elem(0, 1);
            vec![Instr { kind: InstrKind::Cast, dtype: from.dtype, output: to.dtype, args }]
        };
        let program = Program {
            shape: from.layout.shape.clone(),
            inputs: vec![Input { dtype: from.dtype, layout: from.layout.clone() }],
            params: Vec::new(),
            outputs: vec![Output { reg: code.len() as u16, dtype: to.dtype, layout: to.layout.clone() }],
            code,
            reduce: None,
            rows: None,
        };
        self.device.run_program(
            &program,
            std::slice::from_ref(&from.buffer),
            std::slice::from_ref(&to.buffer),
        )
    }

    /// The slot itself if it is contiguous in C order and aligned, else a copy that is.
    pub fn dense(&self, slot: &Slot) -> Result<Slot> {
        let size = slot.dtype.size();
        if slot.layout.is_contiguous(size) && self.address(slot).is_multiple_of(size) {
            return Ok(slot.clone());
        }
        let copy = self.new_slot(&slot.layout.shape, slot.dtype)?;
        self.copy(slot, &copy)?;
        Ok(copy)
    }

    /// Runs `fill` on `out` if that is contiguous in C order, else on new memory that is copied into `out`
    /// afterwards.
    pub fn with_dense_out(&self, out: &Slot, fill: impl FnOnce(&Slot) -> Result<()>) -> Result<()> {
        let size = out.dtype.size();
        let suits = out.layout.is_contiguous(size) && self.address(out).is_multiple_of(size);
        let made = if suits { None } else { Some(self.new_slot(&out.layout.shape, out.dtype)?) };
        // Called in one place, so that there is one copy of it.
        fill(made.as_ref().unwrap_or(out))?;
        made.map_or(Ok(()), |made| self.copy(&made, out))
    }

    /// The address of a slot's first element.
    #[inline]
    pub fn address(&self, slot: &Slot) -> usize {
        slot.buffer.address() + slot.layout.offset
    }
}
