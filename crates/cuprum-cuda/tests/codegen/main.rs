//! Generated kernels, compiled for the CPU, against a plain interpreter of Programs; texts against golden ones.

mod elementwise;
mod harness;
mod memory;
mod programs;
mod reductions;
mod reference;
mod rows;
mod several;
mod texts;
