//! Kernels on the CPU: the text through our own front end and back end.

#![allow(unsafe_code, reason = "kernels of users are launched here")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, DeviceKind, mark_written};
use cuprum_jit::{CompiledModule, Kernel, KernelInfo, Launch as JitLaunch};
use cuprum_kernel::cuda::RefusedKernel;

use super::launch::Launch;
use super::memory::{LaunchMemory, expose};
use super::module::ModuleSource;
use super::pack::PackedArguments;
use super::{KernelError, KernelResult, front_end};

/// A compiled module on the CPU.
pub(super) struct CpuModule {
    /// Kept as long as the address of a variable is in use.
    program: Arc<CompiledModule>,
    log: String,
    /// For each name expression, the name of its kernel.
    names: Vec<(String, String)>,
    /// Kernels that cannot run on the CPU: they are refused when they are asked for.
    refused: Vec<RefusedKernel>,
}

impl CpuModule {
    /// Compiles a text.
    pub(super) fn compile(source: &ModuleSource) -> KernelResult<CpuModule> {
        let compiled = front_end::lower(source)?;
        let sources = compiled.module.sources.clone();
        let warnings: Vec<String> =
            compiled.warnings.iter().map(|warning| warning.render(&sources)).collect();
        let program = CompiledModule::new(compiled.module)
            .map_err(|diagnostic| KernelError::of_text(&[diagnostic], &sources))?;
        Ok(CpuModule {
            program: Arc::new(program),
            log: warnings.join("\n"),
            names: compiled.names,
            refused: compiled.refused,
        })
    }

    /// The name expressions that were asked for, with the names that they have in the code.
    pub(super) fn names(&self) -> &[(String, String)] {
        &self.names
    }

    /// What the compiler had to say.
    pub(super) fn log(&self) -> &str {
        &self.log
    }

    /// The kernel of a name or a name expression.
    pub(super) fn kernel(&self, name: &str) -> KernelResult<CpuKernel> {
        let asked = front_end::kernel_name(&self.names, name);
        let Some(kernel) = self.program.kernel(asked) else {
            if let Some(refused) = self.refused.iter().find(|kernel| kernel.name == asked) {
                return Err(KernelError::of_text(&refused.diagnostics, self.program.sources()));
            }
            let refused = self.refused.iter().map(|kernel| kernel.name.as_str());
            let mut known: Vec<&str> = self.program.kernels().chain(refused).collect();
            known.sort_unstable();
            let listed = if known.is_empty() {
                "the text has no __global__ function".to_string()
            } else {
                format!("there are {}", known.join(", "))
            };
            return Err(Error::value("get_function", format!("there is no kernel '{name}': {listed}")).into());
        };
        let info =
            kernel.info().map_err(|diagnostic| KernelError::of_text(&[diagnostic], kernel.sources()))?;
        Ok(CpuKernel {
            kernel,
            info,
            _program: self.program.clone(),
            settable: [AtomicI32::new(DEFAULT_DYNAMIC_SHARED), AtomicI32::new(-1)],
        })
    }

    /// Where a variable lies, and its bytes.
    pub(super) fn global(&self, name: &str) -> Result<(usize, usize)> {
        let Some((address, bytes)) = self.program.global(name) else {
            let message = format!("there is no __device__ or __constant__ variable '{name}'");
            return Err(Error::value("get_global", message));
        };
        // SAFETY: the program keeps its variables, which are the host's memory.
        let variable = unsafe { Buffer::new(DeviceKind::Cpu, address, bytes, self.program.clone()) };
        expose(&variable, true);
        Ok((address, bytes))
    }
}

/// What a launch may ask for without an attribute, as on a GPU.
const DEFAULT_DYNAMIC_SHARED: i32 = 48 << 10;
const SETTABLE: [&str; 2] = ["max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout"];

/// A kernel on the CPU.
pub(super) struct CpuKernel {
    kernel: Kernel,
    info: KernelInfo,
    _program: Arc<CompiledModule>,
    /// Attributes that can be set, and that only a GPU uses.
    settable: [AtomicI32; 2],
}

impl CpuKernel {
    /// What it takes and needs.
    pub(super) fn info(&self) -> &KernelInfo {
        &self.info
    }

    /// Makes the machine code, if that has not been done.
    pub(super) fn compile(&self) -> KernelResult<()> {
        self.kernel.compile().map_err(|diagnostic| KernelError::of_text(&[diagnostic], self.kernel.sources()))
    }

    /// The warning about a data race that a launch has found; given once.
    pub(super) fn take_warning(&self) -> Option<String> {
        self.kernel.take_warning()
    }

    /// An attribute by its name; those of machine code that only a GPU has are 0.
    pub(super) fn attribute(&self, name: &str) -> Option<i32> {
        if let Some(at) = SETTABLE.iter().position(|known| *known == name) {
            return Some(self.settable[at].load(Ordering::Relaxed));
        }
        Some(match name {
            "max_threads_per_block" => self.info.max_threads as i32,
            "shared_size_bytes" => self.info.shared_bytes as i32,
            "local_size_bytes" => self.info.local_bytes as i32,
            "const_size_bytes" | "num_regs" | "ptx_version" | "binary_version" | "cache_mode_ca" => 0,
            _ => return None,
        })
    }

    /// Sets an attribute by its name; `None` for names that cannot be set.
    pub(super) fn set_attribute(&self, name: &str, value: i32) -> Option<()> {
        let at = SETTABLE.iter().position(|known| *known == name)?;
        self.settable[at].store(value, Ordering::Relaxed);
        Some(())
    }

    /// Runs the kernel; returns when all threads have ended.
    pub(super) fn launch(
        &self,
        launch: &Launch,
        packed: &PackedArguments,
        print: &(dyn Fn(&str) + Sync),
    ) -> KernelResult<()> {
        let watched = launch.check.as_ref().is_some_and(|check| check.uninitialised);
        let found = if watched { LaunchMemory::watched() } else { LaunchMemory::default() };
        if !watched {
            for extent in packed.extents.iter().flatten().filter(|extent| extent.writable) {
                mark_written(extent.start, extent.bytes);
            }
        }
        let narrow = |sizes: [u64; 3]| sizes.map(|size| size as u32);
        let launch = JitLaunch {
            grid: narrow(launch.grid),
            block: narrow(launch.block),
            dynamic_shared: launch.shared,
            params: &packed.bytes,
            extents: &packed.extents,
            memory: &found,
            cooperative: launch.cooperative,
            deterministic: launch.deterministic,
            timeout: launch.timeout,
            check: launch.check.clone(),
            is_sole_writer: launch.is_sole_writer,
            print,
        };
        // SAFETY: extents are those of arrays that the arguments keep, or of memory that was exposed and is kept while it is used.
        unsafe { self.kernel.launch(&launch) }.map_err(|fault| {
            let text = fault.render(self.kernel.sources());
            KernelError::Fault(Box::new(fault), text)
        })
    }
}
