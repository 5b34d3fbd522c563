//! What is true of a function, found without changing it.

mod alignment;
mod liveness;
mod provenance;
mod sets;
mod uniformity;

pub use alignment::{alignment, constants};
pub use liveness::{Liveness, liveness, uninitialised};
pub use provenance::{Origin, provenance};
pub use sets::BitSet;
pub use uniformity::{Scope, Uniformity, uniformity};

pub use super::control::program_order;
pub use super::unroll::short_loops;
