//! What can go wrong with a user's kernel.

use std::fmt;

use cuprum_core::Error;
use cuprum_jit::Fault;
use cuprum_kernel::{Diagnostic, SourceMap};

/// The result of work with a user's kernel.
pub type KernelResult<T> = std::result::Result<T, KernelError>;

/// What can go wrong with a user's kernel: its text, its run, or anything else.
#[derive(Clone, Debug)]
pub enum KernelError {
    /// The text does not compile: the compiler's messages.
    Compile(String),
    /// There was no memory to compile it: the text that says how much.
    Memory(String),
    /// The kernel failed or was stopped: the fault, and its message.
    Fault(Box<Fault>, String),
    /// Arguments that do not fit, memory that could not be had, a fault of the device.
    Other(Error),
}

impl KernelError {
    /// What is wrong with a text, or that there was no memory to find out.
    pub(super) fn of_text(diagnostics: &[Diagnostic], sources: &SourceMap) -> KernelError {
        if let Some(exhausted) = diagnostics.iter().find(|diagnostic| diagnostic.is_out_of_memory()) {
            return KernelError::Memory(exhausted.message.clone());
        }
        let texts: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.render(sources)).collect();
        KernelError::Compile(texts.join("\n"))
    }
}

impl From<Error> for KernelError {
    fn from(error: Error) -> KernelError {
        KernelError::Other(error)
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KernelError::Compile(text) | KernelError::Memory(text) => f.write_str(text),
            KernelError::Fault(_, text) => f.write_str(text),
            KernelError::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KernelError {}
