//! Names: scopes, lookup, and what a name means as a type or as a value.

pub(super) mod mentions;
pub(super) mod resolve;
pub(super) mod scope;
pub(super) mod values;
