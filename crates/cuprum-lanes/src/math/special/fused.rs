//! The special functions for CPUs with fused multiply-adds.

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

/// A function with the instructions of AVX2.
macro_rules! compiled {
    ($function:item) => {
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        $function
    };
}

include!("families.rs");
