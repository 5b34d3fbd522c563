//! Overload resolution: candidates, conversions of arguments, and which candidate is best.

pub(super) mod builtins;
pub(super) mod candidates;
pub(super) mod conversion;
pub(super) mod ranking;
