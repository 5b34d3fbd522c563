//! What threads share pools of memory with: the standard library's, or loom's, which tries every order of their steps
//! (`make test-loom`).

#[cfg(loom)]
pub use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

/// A constant function, as which loom's values cannot be made.
macro_rules! const_fn {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block) => {
        $(#[$meta])*
        #[cfg(not(loom))]
        $vis const fn $name($($argument: $type),*) -> $result $body
        $(#[$meta])*
        #[cfg(loom)]
        $vis fn $name($($argument: $type),*) -> $result $body
    };
}
pub(crate) use const_fn;
