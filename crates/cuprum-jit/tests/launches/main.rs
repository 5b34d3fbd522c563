//! Kernels built from IR by hand, run on the CPU and compared with Rust's own arithmetic.

mod barriers;
mod harness;
mod memory;
