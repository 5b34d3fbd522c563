//! Kernels built from IR by hand, run on the CPU and compared with Rust's own arithmetic.

#![allow(clippy::result_large_err, reason = "a fault is told whole, and seldom")]

mod barriers;
mod checking;
mod faults;
mod findings;
mod grids;
mod groups;
mod harness;
mod memory;
mod numbers;
mod oracle;
mod random;
#[path = "../../../cuprum-kernel/tests/random/mod.rs"]
mod random_numbers;
mod together;
mod warps;
