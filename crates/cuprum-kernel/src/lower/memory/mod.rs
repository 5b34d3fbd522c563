//! Values while they are lowered, the function that is being made, and the slots of variables.

pub(super) mod builder;
pub(super) mod demote;
pub(super) mod value;
