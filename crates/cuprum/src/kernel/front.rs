//! Our own front end, as both devices use it: on the CPU for all of a text, on a GPU for the signatures of its kernels.

use std::sync::OnceLock;

use cuprum_kernel::ir::{Module, Parameter};

use super::headers::Library;
use super::module::ModuleSource;
use super::options::Macros;

/// A text as kernel IR, and the compiler's warnings; else its errors.
pub(super) fn lower(source: &ModuleSource) -> Result<(Module, String), String> {
    let macros = Macros::of(&source.options);
    let library = Library::of(source, &macros.folders);
    let _ = library;
    Err("front end".into())
}

/// What a text for a GPU says of its kernels. It is read when it is first asked for; where our front end does not
/// understand it, which NVRTC may well do, nothing is known.
pub(super) struct Signatures {
    source: ModuleSource,
    module: OnceLock<Option<Module>>,
}

impl Signatures {
    /// Those of a text.
    pub(super) fn of(source: &ModuleSource) -> Signatures {
        Signatures { source: source.clone(), module: OnceLock::new() }
    }

    /// A kernel's parameters, and their bytes in all.
    pub(super) fn get(&self, name: &str) -> Option<(Vec<Parameter>, usize)> {
        let module = self.module.get_or_init(|| lower(&self.source).ok().map(|(module, _)| module));
        let function = module.as_ref()?.functions.iter().find(|function| function.name == name)?;
        let kernel = function.kernel.as_ref()?;
        Some((kernel.params.clone(), kernel.param_bytes as usize))
    }
}
