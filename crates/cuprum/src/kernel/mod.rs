//! Kernels that users write in CUDA C, on both devices: compiled, checked against their own signature, launched.
//!
//! A GPU gets the text through NVRTC; on the CPU it goes through our own front end and back end, and every access of
//! memory is checked.

mod arguments;
mod cpu;
mod error;
mod front_end;
mod includes;
mod launch;
mod memory;
mod module;
mod number;
mod pack;

pub use arguments::Argument;
pub use cuprum_jit::{CheckMode, Fault, FaultKind, Site, heap};
pub use cuprum_kernel::headers;
pub use cuprum_kernel::ir::{Element as ParameterElement, Parameter, ParameterKind};
pub use error::{KernelError, KernelResult};
pub use launch::{Launch, RawKernel};
pub use memory::{ExposedMemory, expose, exposed_at};
pub use module::{ModuleSource, RawModule, ptx};
