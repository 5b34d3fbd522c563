//! Compile-time values: constant expressions, variables of namespaces, and the interpreter that runs them.

pub(super) mod interpret;
pub(super) mod variables;
