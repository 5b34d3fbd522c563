//! From the syntax tree to the kernel IR, checked on the way: one pass over each function that is used.

mod builder;

pub use builder::Builder;
