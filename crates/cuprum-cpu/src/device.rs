//! The CPU as a device.

use std::sync::Arc;

use cuprum_core::{Result, SimdLevel, memory::catch};
use cuprum_graph::{
    Buffer, Call, Device, DeviceCache, DeviceKind, DeviceRef, Joins, MemoryPool, MemorySource, Program,
    RowShape, ShortSum, Shortcuts, StartCost, count_to_host,
};

use crate::{block, calls, memory, reduce};

/// The CPU device.
pub struct Cpu {
    pub(crate) level: SimdLevel,
}

/// The CPU device of this process.
///
/// ```
/// assert_eq!(cuprum_cpu::device().name(), "cpu");
/// ```
pub fn device() -> DeviceRef {
    static CPU: std::sync::OnceLock<Cpu> = std::sync::OnceLock::new();
    CPU.get_or_init(|| {
        cuprum_threads::at_worker_start(touch_thread_locals);
        Cpu { level: SimdLevel::detect() }
    })
}

/// Touches the thread-local values that tasks of this device use and that have something to drop.
fn touch_thread_locals() {
    block::touch_scratch();
    calls::touch_scratch();
    memory::touch_small_blocks();
    cuprum_fft::touch_scratch();
    cuprum_gemm::touch_scratch();
    cuprum_graph::touch_thread_log();
}

// SAFETY: there is one CPU, and its pool gives blocks of at least the size that is asked for, each to one buffer.
unsafe impl Device for Cpu {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn start_cost(&self) -> StartCost {
        StartCost { bytes: 1 << 18, ops: 0, deep_nodes: Some(10) }
    }

    fn takes_rows(&self, rows: &RowShape) -> bool {
        reduce::rows::takes_rows(rows)
    }

    fn short_sum(&self, sum: &ShortSum<'_>) -> Option<Joins> {
        Some(reduce::short_sum(sum))
    }

    fn pinned_limit(&self) -> usize {
        self.memory_limit() / 10
    }

    fn memory_limit(&self) -> usize {
        memory::current_use().1
    }

    fn memory_used(&self) -> usize {
        memory::current_use().0
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer> {
        memory::allocate(bytes)
    }

    fn pool(&self) -> Arc<dyn MemoryPool> {
        Arc::new(memory::DefaultPool)
    }

    fn new_pool(&self, keeps: bool, source: MemorySource) -> Arc<dyn MemoryPool> {
        Arc::new(match source {
            // All memory of the CPU is the host's.
            MemorySource::Device | MemorySource::Managed => memory::Pool::new(keeps),
            MemorySource::Function(function) => memory::Pool::over(function, keeps),
        })
    }

    unsafe fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
        // SAFETY: the caller's promise; nothing is remembered.
        unsafe { self.run_again(program, &mut None, inputs, outputs) }
    }

    unsafe fn run_again(
        &self,
        program: &Program,
        remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        catch(|| match (&program.rows, &program.reduce) {
            (Some(rows), _) => reduce::rows::run_rows(program, rows, remembered, inputs, outputs, self.level),
            (None, Some(reduce)) => reduce::run_reduce(program, reduce, inputs, outputs, self.level),
            (None, None) => block::run_map(program, inputs, outputs, self.level),
        })
    }

    unsafe fn call(&self, call: &Call<'_>) -> Result<()> {
        catch(|| calls::run(call, self.level))
    }

    fn upload(&self, target: &Buffer, offset: usize, source: &[u8]) -> Result<()> {
        target.check_range(DeviceKind::Cpu, offset, source.len())?;
        // SAFETY: the range lies in the buffer. Arrays over the program's own memory may overlap the slice.
        unsafe { std::ptr::copy(source.as_ptr(), (target.address() + offset) as *mut u8, source.len()) };
        Ok(())
    }

    fn download(&self, source: &Buffer, offset: usize, target: &mut [u8]) -> Result<()> {
        source.check_range(DeviceKind::Cpu, offset, target.len())?;
        // SAFETY: the range lies in the buffer. Arrays over the program's own memory may overlap the slice.
        unsafe {
            std::ptr::copy((source.address() + offset) as *const u8, target.as_mut_ptr(), target.len())
        };
        Ok(())
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
        target.check_range(DeviceKind::Cpu, offset, bytes)?;
        source.check_range(from.kind(), start, bytes)?;
        count_to_host(bytes);
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the range lies in the buffer, whose memory is initialised by the copy alone: the other device
        // only writes what it is given.
        let host = unsafe { std::slice::from_raw_parts_mut((target.address() + offset) as *mut u8, bytes) };
        from.download(source, start, host)
    }
}
