//! What stands between a front end's IR and the back end: [`prepare`] makes of a kernel one small function, [`analysis`]
//! says of it what the back end wants to know, and [`fold`] what ops do to numbers that are known.

pub mod analysis;
mod cfg;
pub mod fold;
mod inline;

pub use inline::Prepared;

use crate::Diagnostic;
use crate::ir::{FunctionId, Module};

/// A kernel with everything that it calls in it, simplified. Functions that call themselves stay calls, and come with it.
///
/// # Errors
/// The kernel grows too large, or a function that calls itself waits for other threads.
pub fn prepare(module: &Module, kernel: FunctionId) -> Result<Prepared, Diagnostic> {
    inline::inline(module, kernel)
}
