//! Templates: their arguments, deduced or given, and the functions that they make.

pub(super) mod arguments;
pub(super) mod deduce;
pub(super) mod instance;
pub(super) mod partial_ordering;
pub(super) mod redeclaration;
