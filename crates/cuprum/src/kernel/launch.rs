//! Kernels and their launch.

#![allow(unsafe_code, reason = "kernels of users are launched here")]

use std::borrow::Cow;
use std::time::Duration;

use cuprum_core::{Error, Result};
use cuprum_cuda::user::{LaunchShape, UserFunction, function_attributes};
use cuprum_graph::{DeviceRef, Event, EventKind, Span};
use cuprum_jit::CheckMode;
use cuprum_kernel::ir::Parameter;

use super::cpu::CpuKernel;
use super::pack::{KernelSignature, PackedArguments, pack};
use super::{Argument, KernelResult};

/// The most blocks along each axis of a grid.
const MAX_GRID_DIM: [u64; 3] = [(1 << 31) - 1, 65_535, 65_535];
/// The most threads along each axis of a block, and in all.
const MAX_BLOCK_DIM: [u64; 3] = [1024, 1024, 64];
const MAX_THREADS_PER_BLOCK: u64 = 1024;
/// What a multiprocessor of a current GPU has room for.
const MULTIPROCESSOR_THREADS: u32 = 2048;
const MULTIPROCESSOR_BLOCKS: u32 = 32;

/// How a kernel is launched.
///
/// ```
/// use cuprum::kernel::Launch;
/// let launch = Launch::new([4, 1, 1], [256, 1, 1]);
/// assert_eq!(launch.shared, 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u64; 3],
    /// Threads of a block along x, y, z.
    pub block: [u64; 3],
    /// Bytes of dynamic shared memory.
    pub shared: usize,
    /// The stream on a GPU; the thread's own where it is not given.
    pub stream: Option<usize>,
    /// Whether the grid may synchronise: a cooperative launch.
    pub cooperative: bool,
    /// Whether arrays may have any strides: the kernel is told them by other arguments.
    pub strided: bool,
    /// On the CPU: whether blocks run in order (true), in any order (false), or in order where the result depends on it.
    pub deterministic: Option<bool>,
    /// On the CPU: how long it may take.
    pub timeout: Option<Duration>,
    /// What is checked besides bounds. On a GPU the call then waits for the kernel, so that faults are raised here.
    pub check: Option<CheckMode>,
    /// On the CPU: tells whether only the kernel can write its memory while it runs. If so, it is a deadlock when all
    /// threads wait for a write; else they go on waiting.
    pub is_sole_writer: Option<fn() -> bool>,
}

impl Launch {
    /// A plain launch.
    pub fn new(grid: [u64; 3], block: [u64; 3]) -> Launch {
        Launch { grid, block, ..Launch::default() }
    }

    fn shape(&self, kernel: &str) -> Result<LaunchShape> {
        let wrong = |message: String| Err(Error::Value { op: Cow::Owned(kernel.to_string()), message });
        for (what, given, most) in [("grid", self.grid, MAX_GRID_DIM), ("block", self.block, MAX_BLOCK_DIM)] {
            if let Some(axis) = (0..3).find(|&axis| given[axis] == 0 || given[axis] > most[axis]) {
                return wrong(format!(
                    "{what} {given:?} has {} along {}: 1 to {} are possible",
                    given[axis],
                    ["x", "y", "z"][axis],
                    most[axis]
                ));
            }
        }
        let threads: u64 = self.block.iter().product();
        if threads > MAX_THREADS_PER_BLOCK {
            return wrong(format!(
                "block {:?} has {threads} threads: at most {MAX_THREADS_PER_BLOCK} are possible",
                self.block
            ));
        }
        let Ok(shared) = u32::try_from(self.shared) else {
            return wrong(format!("{} bytes of shared memory are more than any device has", self.shared));
        };
        let narrow = |sizes: [u64; 3]| sizes.map(|size| size as u32);
        Ok(LaunchShape {
            grid: narrow(self.grid),
            block: narrow(self.block),
            shared,
            cooperative: self.cooperative,
        })
    }
}

/// A kernel on one device, ready to be launched.
pub struct RawKernel {
    device: DeviceRef,
    name: String,
    signature: KernelSignature,
    code: LaunchCode,
}

enum LaunchCode {
    Cpu(CpuKernel),
    Cuda(UserFunction),
}

impl RawKernel {
    pub(super) fn on_cpu(device: DeviceRef, name: &str, kernel: CpuKernel) -> RawKernel {
        let (params, bytes) = (kernel.info().params.clone(), kernel.info().param_bytes as usize);
        let signature = KernelSignature::Full { params, bytes };
        RawKernel { device, name: name.to_string(), signature, code: LaunchCode::Cpu(kernel) }
    }

    pub(super) fn on_gpu(
        device: DeviceRef,
        name: &str,
        signature: KernelSignature,
        function: UserFunction,
    ) -> RawKernel {
        RawKernel { device, name: name.to_string(), signature, code: LaunchCode::Cuda(function) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The device that it runs on.
    pub fn device(&self) -> DeviceRef {
        self.device
    }

    /// Its parameters, where its text says them.
    pub fn parameters(&self) -> Option<&[Parameter]> {
        match &self.signature {
            KernelSignature::Full { params, .. } => Some(params),
            _ => None,
        }
    }

    /// The driver's handle of the function; 0 on the CPU.
    pub fn handle(&self) -> usize {
        match &self.code {
            LaunchCode::Cpu(_) => 0,
            LaunchCode::Cuda(function) => function.handle(),
        }
    }

    /// The names of its attributes, and whether they can be set.
    pub fn attribute_names() -> impl Iterator<Item = (&'static str, bool)> {
        function_attributes()
    }

    /// An attribute, such as `max_threads_per_block`.
    pub fn attribute(&self, name: &str) -> Result<i32> {
        match &self.code {
            LaunchCode::Cpu(kernel) => kernel.attribute(name).ok_or_else(|| no_attribute(name)),
            LaunchCode::Cuda(function) => function.attribute(name).unwrap_or_else(|| Err(no_attribute(name))),
        }
    }

    /// Sets an attribute: `max_dynamic_shared_size_bytes` or `preferred_shared_memory_carveout`.
    pub fn set_attribute(&self, name: &str, value: i32) -> Result<()> {
        match &self.code {
            LaunchCode::Cpu(kernel) => kernel.set_attribute(name, value).ok_or_else(|| no_attribute(name)),
            LaunchCode::Cuda(function) => {
                function.set_attribute(name, value).unwrap_or_else(|| Err(no_attribute(name)))
            }
        }
    }

    /// How many blocks of so many threads run at a time: what a cooperative launch may ask for. The CPU takes turns, and
    /// answers as a GPU with a multiprocessor for each of its threads would.
    pub fn resident_blocks(&self, threads: u32, shared: u32) -> Result<u64> {
        match &self.code {
            LaunchCode::Cpu(_) => {
                let of_one = (MULTIPROCESSOR_THREADS / threads.max(1)).min(MULTIPROCESSOR_BLOCKS);
                Ok(u64::from(of_one) * cuprum_cpu::thread_count() as u64)
            }
            LaunchCode::Cuda(function) => function.resident_blocks(threads, shared),
        }
    }

    /// Makes the machine code ahead of the first launch.
    pub fn compile(&self) -> KernelResult<()> {
        match &self.code {
            LaunchCode::Cpu(kernel) => kernel.compile(),
            LaunchCode::Cuda(_) => Ok(()),
        }
    }

    /// The warning about a data race that a launch has found; given once for each kernel.
    pub fn take_warning(&self) -> Option<String> {
        match &self.code {
            LaunchCode::Cpu(kernel) => kernel.take_warning(),
            LaunchCode::Cuda(_) => None,
        }
    }

    /// Checks the arguments against the kernel's signature and launches it. On the CPU the kernel has ended when this
    /// returns.
    ///
    /// ```
    /// use cuprum::Array;
    /// use cuprum::kernel::{Launch, ModuleSource, RawModule};
    /// let text = r#"extern "C" __global__ void scale(float* x, float a) { x[threadIdx.x] *= a; }"#;
    /// let scale = RawModule::compile(&ModuleSource::new(text)).unwrap().kernel("scale").unwrap();
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    /// // SAFETY: three threads write three elements.
    /// unsafe { scale.launch(&Launch::new([1, 1, 1], [3, 1, 1]), &[(&x).into(), 2.0.into()]) }.unwrap();
    /// assert_eq!(x.to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0]);
    /// ```
    ///
    /// # Safety
    /// Arguments that name memory by its address and extent name memory that the kernel may use until it ends. On a GPU nothing
    /// checks what a kernel does: it accesses the memory of its arguments only. (On the CPU every access is checked.)
    pub unsafe fn launch(&self, launch: &Launch, arguments: &[Argument]) -> KernelResult<()> {
        // SAFETY: the caller's promise.
        unsafe { self.launch_printing(launch, arguments, &|text| print!("{text}")) }
    }

    /// As [`RawKernel::launch`]; what the kernel prints on the CPU goes to `print`.
    ///
    /// # Safety
    /// As for [`RawKernel::launch`].
    pub unsafe fn launch_printing(
        &self,
        launch: &Launch,
        arguments: &[Argument],
        print: &(dyn Fn(&str) + Sync),
    ) -> KernelResult<()> {
        let shape = launch.shape(&self.name)?;
        let span = Span::begin_on(self.device);
        let mut packed = PackedArguments::default();
        pack(&mut packed, &self.name, self.device, &self.signature, launch.strided, arguments)?;
        match &self.code {
            LaunchCode::Cpu(kernel) => kernel.launch(launch, &packed, print)?,
            LaunchCode::Cuda(function) => {
                self.check_resources(function, &shape)?;
                let (params, starts) = (&packed.bytes, &packed.starts);
                // SAFETY: the caller's promise; the parameters begin where they were packed.
                unsafe { function.launch(shape, launch.stream, params, starts, &packed.buffers) }?;
                if launch.check.is_some() {
                    function.module().gpu().synchronize()?;
                }
            }
        }
        span.end(|| {
            let threads = shape.grid.iter().chain(&shape.block).map(|&size| size as usize).product();
            Event { elements: threads, ..Event::labelled(EventKind::Kernel, &self.name).on(self.device) }
        });
        Ok(())
    }
}

impl RawKernel {
    /// An error unless a GPU has the shared memory that a launch asks for, and room for all blocks of a grid that
    /// synchronises.
    fn check_resources(&self, function: &UserFunction, shape: &LaunchShape) -> Result<()> {
        let wrong = |message: String| Err(Error::Value { op: Cow::Owned(self.name.clone()), message });
        let most = function.module().gpu().shared_memory;
        if shape.shared > most {
            return wrong(format!(
                "{} bytes of shared memory are more than the {most} that there are",
                shape.shared
            ));
        }
        if shape.cooperative {
            let blocks: u64 = shape.grid.iter().map(|&size| u64::from(size)).product();
            let threads = shape.block.iter().product();
            let room = function.resident_blocks(threads, shape.shared)?;
            if blocks > room {
                return wrong(format!(
                    "a grid that synchronises may have {room} blocks of {threads} threads, got {blocks}"
                ));
            }
        }
        Ok(())
    }
}

fn no_attribute(name: &str) -> Error {
    Error::value("attributes", format!("'{name}' is no attribute of a kernel, or none that can be set"))
}
