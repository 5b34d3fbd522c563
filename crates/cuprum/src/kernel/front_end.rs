//! Our own front end, as both devices use it: on the CPU for all of a text, on a GPU for the signatures of its kernels.

use std::path::Path;
use std::sync::OnceLock;

use cuprum_kernel::cuda::{self, Compiled, Options};
use cuprum_kernel::ir::Parameter;

use super::module::ModuleSource;
use super::{KernelError, KernelResult};

fn options(source: &ModuleSource) -> Options {
    let flags: Vec<&str> = source.options.iter().map(String::as_str).collect();
    let mut options = Options::from_flags(&flags);
    options.name.clone_from(&source.file);
    options.name_expressions.clone_from(&source.expressions);
    options.headers.clone_from(&source.headers);
    // A text's own folder is searched first, as NVRTC does.
    let own = Path::new(&source.file).parent().unwrap_or(Path::new("")).to_path_buf();
    options.include_dirs.insert(0, own);
    options
}

/// A text as kernel IR; else the compiler's messages.
pub(super) fn lower(source: &ModuleSource) -> KernelResult<Compiled> {
    let of_text = |errors: cuda::Errors| KernelError::of_text(&errors.diagnostics, &errors.sources);
    cuda::compile(&source.text, &options(source)).map_err(of_text)
}

/// What a text for a GPU says of its kernels. It is read when it is first asked for; where our front end does not
/// understand it, which NVRTC may well do, nothing is known.
pub(super) struct Signatures {
    source: ModuleSource,
    found: OnceLock<Option<Compiled>>,
}

impl Signatures {
    /// Those of a text.
    pub(super) fn of(source: &ModuleSource) -> Signatures {
        Signatures { source: source.clone(), found: OnceLock::new() }
    }

    /// A kernel's parameters, and their bytes in all.
    pub(super) fn get(&self, name: &str) -> Option<(Vec<Parameter>, usize)> {
        let read = || cuda::signatures(&self.source.text, &options(&self.source)).ok();
        let found = self.found.get_or_init(read).as_ref()?;
        let name = kernel_name(&found.names, name);
        let function = found.module.functions.iter().find(|function| function.name == name)?;
        let kernel = function.kernel.as_ref()?;
        Some((kernel.params.clone(), kernel.param_bytes as usize))
    }
}

/// The name of a kernel that a name expression may stand for.
pub(super) fn kernel_name<'a>(names: &'a [(String, String)], asked: &'a str) -> &'a str {
    names.iter().find(|(expression, _)| expression == asked).map_or(asked, |(_, name)| name)
}
