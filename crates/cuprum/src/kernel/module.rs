//! Modules: everything that one text, or one piece of machine code, defines.

use std::sync::Arc;

use cuprum_core::{Error, Result};
use cuprum_cuda::user::{self, BuildError, KernelText, UserModule, include_folders};
use cuprum_graph::{DeviceKind, DeviceRef, Event, EventKind, Span};

use super::cpu::CpuModule;
use super::front_end::Signatures;
use super::launch::RawKernel;
use super::pack::KernelSignature;
use super::{KernelError, KernelResult, includes};
use crate::default_device;

/// A text and how it is to be compiled.
///
/// ```
/// use cuprum::kernel::ModuleSource;
/// let source = ModuleSource { options: vec!["-DN=4".into()], ..ModuleSource::new("int a;") };
/// assert_eq!(source.file, "kernel.cu");
/// ```
#[derive(Clone)]
pub struct ModuleSource {
    /// The text, CUDA C.
    pub text: String,
    /// The name of the file in messages.
    pub file: String,
    /// The compiler's options, as NVRTC takes them.
    pub options: Vec<String>,
    /// Name expressions: kernels named by C++ expressions, such as `scale<float>`.
    pub expressions: Vec<String>,
    /// Headers beside the usual ones: the name to include them by, and their text.
    pub headers: Vec<(String, String)>,
    /// The device; the current one where it is not given.
    pub device: Option<DeviceRef>,
}

impl ModuleSource {
    /// A text, compiled without options for the current device.
    pub fn new(text: impl Into<String>) -> ModuleSource {
        ModuleSource {
            text: text.into(),
            file: "kernel.cu".into(),
            options: Vec::new(),
            expressions: Vec::new(),
            headers: Vec::new(),
            device: None,
        }
    }
}

/// The PTX of a text for GPUs of a compute capability, by NVRTC; no GPU is needed. The source's device is not asked.
///
/// # Errors
/// The text does not compile, or NVRTC is not there.
///
/// ```no_run
/// use cuprum::kernel::{ModuleSource, ptx};
/// let text = "extern \"C\" __global__ void f(int *x) { *x = 1; }";
/// assert!(ptx(&ModuleSource::new(text), (9, 0))?.contains(".visible .entry f"));
/// # Ok::<(), cuprum::kernel::KernelError>(())
/// ```
pub fn ptx(source: &ModuleSource, capability: (u32, u32)) -> KernelResult<String> {
    let text_of = |text: &str| {
        let headers = includes::needed(text, &source.headers, &include_folders());
        let text = KernelText {
            name: &source.file,
            text,
            options: &source.options,
            headers: &headers,
            expressions: &source.expressions,
        };
        user::ptx(&text, capability)
    };
    built_or_with_missing(source, text_of)
}

/// Builds a text with NVRTC. If it uses names that nvcc declares without an include, the headers that declare them
/// are added.
fn built_or_with_missing<T>(
    source: &ModuleSource,
    build: impl Fn(&str) -> std::result::Result<T, BuildError>,
) -> KernelResult<T> {
    let built = match build(&source.text) {
        Err(BuildError::Refused(log)) => match includes::with_missing(&source.text, &log) {
            Some(text) => build(&text),
            None => Err(BuildError::Refused(log)),
        },
        built => built,
    };
    built.map_err(|error| match error {
        BuildError::Refused(log) => KernelError::Compile(includes::explained(log)),
        BuildError::Failed(error) => KernelError::Other(error),
    })
}

/// Kernels and variables of one text, on one device.
#[derive(Clone)]
pub struct RawModule {
    device: DeviceRef,
    code: ModuleCode,
}

#[derive(Clone)]
enum ModuleCode {
    Cpu(Arc<CpuModule>),
    /// With what its text says of its kernels.
    Cuda(Arc<UserModule>, Option<Arc<Signatures>>),
}

impl RawModule {
    /// Compiles a text.
    pub fn compile(source: &ModuleSource) -> KernelResult<RawModule> {
        let device = source.device.map_or_else(default_device, Ok)?;
        let span = Span::begin();
        let made = RawModule::compile_on(device, source);
        span.end(|| Event::labelled(EventKind::Compile, &source.file).on(device).bytes(source.text.len()));
        made
    }

    fn compile_on(device: DeviceRef, source: &ModuleSource) -> KernelResult<RawModule> {
        match device.kind() {
            DeviceKind::Cpu => {
                Ok(RawModule { device, code: ModuleCode::Cpu(Arc::new(CpuModule::compile(source)?)) })
            }
            DeviceKind::Cuda(ordinal) => {
                let gpu = cuprum_cuda::device(ordinal)?.gpu();
                let build = |text: &str| {
                    let headers = includes::needed(text, &source.headers, &include_folders());
                    let text = KernelText {
                        name: &source.file,
                        text,
                        options: &source.options,
                        headers: &headers,
                        expressions: &source.expressions,
                    };
                    user::build(gpu, &text)
                };
                let built = built_or_with_missing(source, build)?;
                let module = UserModule::load_built(gpu, built)?;
                Ok(RawModule {
                    device,
                    code: ModuleCode::Cuda(module, Some(Arc::new(Signatures::of(source)))),
                })
            }
        }
    }

    /// Loads machine code of a GPU: a cubin, a fatbin or PTX.
    pub fn load(code: &[u8], device: Option<DeviceRef>) -> KernelResult<RawModule> {
        let device = device.map_or_else(default_device, Ok)?;
        match device.kind() {
            DeviceKind::Cpu => {
                let message = "a cubin, a fatbin or PTX is a GPU's machine code: give the CUDA C text to run it on the CPU";
                Err(Error::value("RawModule", message).into())
            }
            DeviceKind::Cuda(ordinal) => {
                let gpu = cuprum_cuda::device(ordinal)?.gpu();
                Ok(RawModule { device, code: ModuleCode::Cuda(UserModule::load(gpu, code)?, None) })
            }
        }
    }

    /// The device that it is on.
    pub fn device(&self) -> DeviceRef {
        self.device
    }

    /// The compiler's log.
    pub fn log(&self) -> &str {
        match &self.code {
            ModuleCode::Cpu(module) => module.log(),
            ModuleCode::Cuda(module, _) => module.log(),
        }
    }

    /// The driver's handle of the module; 0 on the CPU.
    pub fn handle(&self) -> usize {
        match &self.code {
            ModuleCode::Cpu(_) => 0,
            ModuleCode::Cuda(module, _) => module.handle(),
        }
    }

    /// The name expressions that were asked for, with the names that they have in the code.
    pub fn names(&self) -> &[(String, String)] {
        match &self.code {
            ModuleCode::Cpu(module) => module.names(),
            ModuleCode::Cuda(module, _) => module.names(),
        }
    }

    /// The kernel of a name or a name expression.
    pub fn kernel(&self, name: &str) -> KernelResult<RawKernel> {
        match &self.code {
            ModuleCode::Cpu(module) => Ok(RawKernel::on_cpu(self.device, name, module.kernel(name)?)),
            ModuleCode::Cuda(module, signatures) => {
                let function = module.function(name)?;
                let read = signatures.as_ref().and_then(|signatures| signatures.get(name));
                let signature = KernelSignature::checked(read, function.parameter_sizes()?);
                Ok(RawKernel::on_gpu(self.device, name, signature, function))
            }
        }
    }

    /// The address of a `__device__` or `__constant__` variable, and its size in bytes.
    pub fn global(&self, name: &str) -> Result<(usize, usize)> {
        match &self.code {
            ModuleCode::Cpu(module) => module.global(name),
            ModuleCode::Cuda(module, _) => module.global(name),
        }
    }
}
