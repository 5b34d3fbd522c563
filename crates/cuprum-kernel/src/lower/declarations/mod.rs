//! Declarations: what each name of a text stands for, functions, records and their members, kernels.

pub(super) mod functions;
pub(super) mod kernels;
pub(super) mod members;
pub(super) mod namespaces;
pub(super) mod records;
