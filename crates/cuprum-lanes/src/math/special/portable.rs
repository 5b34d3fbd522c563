//! The special functions for every CPU.

#![allow(
    clippy::needless_return,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::assign_op_pattern,
    clippy::too_many_arguments,
    clippy::approx_constant
)]
#![allow(
    clippy::manual_range_contains,
    clippy::collapsible_else_if,
    clippy::let_and_return,
    unused_imports,
    dead_code
)]
#![allow(unused_assignments, unused_macros)]

pub(crate) use super::coefficients;

/// A function as it stands.
macro_rules! compiled {
    ($function:item) => {
        $function
    };
}

include!("families.rs");
