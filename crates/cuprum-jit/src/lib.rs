//! Kernels that users write, on the CPU: kernel IR to machine code by Cranelift, run block by block on the worker threads.
//!
//! [`CompiledModule`] is a compiled module, [`Launch`] what one launch takes, [`Fault`] what stopped it. Every access of memory
//! is checked: a kernel that reads or writes out of bounds is an error with the kernel's line, never a crash.

#![allow(clippy::result_large_err, reason = "a launch has one fault at most: its size costs nothing")]

mod block;
mod children;
mod codegen;
mod collectives;
mod compiled_module;
mod context;
mod deadlock;
mod entry;
mod facts;
mod fault;
mod findings;
mod grid;
pub mod heap;
mod launch;
mod lockstep_variants;
mod regions;
mod report;
mod run;
pub mod runtime;
mod schedule;
mod stack;

pub use compiled_module::{CompiledModule, Kernel, KernelInfo};
pub use fault::{Fault, FaultKind, Site};
pub use launch::{CheckMode, Extent, Launch, Memory};
pub use run::prepare_workers;
