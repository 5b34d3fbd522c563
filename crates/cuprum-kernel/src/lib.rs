//! Kernels that users write: a front end for CUDA C and the kernel IR that it makes.
//!
//! The way of a kernel: text, preprocessed and parsed ([`cuda`]), checked and lowered to a [`ir::Module`], made smaller
//! and faster by [`passes`]. Running it is left to `cuprum-jit` on the CPU; a GPU takes the text itself.

#![deny(unsafe_code)]

pub mod ast;
pub mod builtins;
pub mod check;
pub mod cuda;
pub mod headers;
pub mod ir;
pub mod lex;
pub mod lower;
pub mod memory;
pub mod parse;
pub mod passes;
pub mod preprocess;
pub mod ptx;
mod source;

pub use source::{Diagnostic, FileId, Severity, Source, SourceMap, Span};
