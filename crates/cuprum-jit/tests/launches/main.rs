//! Kernels built from IR by hand, run on the CPU and compared with Rust's own arithmetic.

mod barriers;
mod checking;
mod faults;
mod findings;
mod grids;
mod groups;
mod harness;
mod memory;
mod numbers;
mod random;
mod together;
mod warps;
