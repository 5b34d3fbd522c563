//! What generated code and the scheduler call: library functions, conversions, atomics, warp collectives, `printf`,
//! the search for memory, and the checking mode.
//!
//! Nothing here knows how code is generated; every entry is an `extern "C"` function or works on plain values.

pub mod atomics;
pub mod check;
pub mod convert;
pub mod math;
pub mod print;
pub mod warp;
