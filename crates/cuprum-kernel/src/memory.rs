//! Memory that a compilation will need, asked for before it begins.
//!
//! A compiler's many small allocations cannot fail softly: where there is none left the process ends. So the whole is asked
//! for first, at once and untouched, and given back.

use crate::{Diagnostic, Span};

/// An error where `bytes` bytes cannot be had for `what`.
///
/// ```
/// assert!(cuprum_kernel::memory::check("a kernel", 1 << 20).is_ok());
/// assert!(cuprum_kernel::memory::check("a kernel", usize::MAX >> 2).unwrap_err().is_out_of_memory());
/// ```
pub fn check(what: &str, bytes: usize) -> Result<(), Diagnostic> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| exhausted(what, bytes))
}

/// That `bytes` bytes could not be had for `what`.
///
/// ```
/// let error = cuprum_kernel::memory::exhausted("the variables of the module", 4096);
/// assert_eq!(error.message, "out of memory: the variables of the module need 4096 bytes");
/// ```
pub fn exhausted(what: &str, bytes: usize) -> Diagnostic {
    Diagnostic::error(Span::default(), format!("{OUT_OF_MEMORY}: {what} need {bytes} bytes"))
}

/// How messages of this kind begin.
pub(crate) const OUT_OF_MEMORY: &str = "out of memory";
