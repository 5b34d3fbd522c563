//! Kernels that users write, on a GPU: their texts go to NVRTC with the users' own options, their machine code is
//! loaded, launched and unloaded when it is no longer referenced.

mod build;
mod function;
mod includes;
mod link;
mod module;

pub(crate) use build::c_string;
pub use build::{BuildError, BuiltModule, KernelText, build, ptx};
pub use function::{LaunchShape, UserFunction, function_attributes};
pub use includes::include_folders;
pub use module::UserModule;
