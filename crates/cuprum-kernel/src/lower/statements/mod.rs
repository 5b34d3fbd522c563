//! Statements, function bodies and local variables.

pub(super) mod bindings;
pub(super) mod body;
pub(super) mod locals;
pub(super) mod loops;
pub(super) mod statement;
