//! Kernels built from IR by hand, run on the CPU and compared with Rust's own arithmetic.

#![allow(clippy::result_large_err, reason = "tests may be slow")]

mod barriers;
mod checking;
mod faults;
mod findings;
mod grids;
mod harness;
mod memory;
mod numbers;
mod together;
mod warps;
