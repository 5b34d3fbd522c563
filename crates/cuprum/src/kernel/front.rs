//! Our own front end, as both devices use it: on the CPU for all of a text, on a GPU for the signatures of its kernels.

use cuprum_kernel::ir::{Module, Parameter};

use super::module::ModuleSource;

/// A text as kernel IR, and the compiler's warnings; else its errors.
pub(super) fn lower(_source: &ModuleSource) -> Result<(Module, String), String> {
    Err("front end".into())
}

/// What a kernel takes: its parameters and their bytes in all. `None` where our front end does not understand the text,
/// which NVRTC may well do.
pub(super) fn signature(source: &ModuleSource, name: &str) -> Option<(Vec<Parameter>, usize)> {
    let (module, _) = lower(source).ok()?;
    let function = module.functions.into_iter().find(|function| function.name == name)?;
    let kernel = function.kernel?;
    Some((kernel.params, kernel.param_bytes as usize))
}
