//! Expressions: operators, calls, casts, lambdas.

pub(super) mod assign;
pub(super) mod builtin_call;
pub(super) mod call;
pub(super) mod cast;
pub(super) mod conditional;
pub(super) mod dispatcher;
pub(super) mod function_pointers;
pub(super) mod lambda;
pub(super) mod launch;
pub(super) mod operators;
pub(super) mod pointer_operators;
pub(super) mod primary;
pub(super) mod traits;
pub(super) mod user_operators;
