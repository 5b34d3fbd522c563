//! Objects: how they are initialised, copied, assigned and destroyed.

pub(super) mod braced_lists;
pub(super) mod construct;
pub(super) mod copy_destroy;
pub(super) mod heap;
pub(super) mod virtuals;
