//! CUDA C from text to result: what kernels do wrong is an error that names kernel, place, thread and block, and the
//! process goes on.

#![allow(clippy::result_large_err, reason = "tests may be slow")]

mod assembler;
mod checking;
mod far_out_of_bounds;
mod faults;
mod harness;
mod printing;
mod unwritten;
mod waits;
