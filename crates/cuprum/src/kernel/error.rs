//! What can go wrong with a user's kernel.

use std::fmt;

use cuprum_core::Error;
use cuprum_jit::Fault;

/// The result of work with a user's kernel.
pub type KernelResult<T> = std::result::Result<T, KernelError>;

/// What can go wrong with a user's kernel: its text, its run, or anything else.
#[derive(Clone, Debug)]
pub enum KernelError {
    /// The text does not compile: the compiler's messages.
    Compile(String),
    /// The kernel did something wrong, or was stopped: what, and the text that says it.
    Fault(Box<Fault>, String),
    /// Arguments that do not fit, memory that could not be had, a fault of the device.
    Other(Error),
}

impl From<Error> for KernelError {
    fn from(error: Error) -> KernelError {
        KernelError::Other(error)
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KernelError::Compile(log) => f.write_str(log),
            KernelError::Fault(_, text) => f.write_str(text),
            KernelError::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KernelError {}
