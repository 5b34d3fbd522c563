//! The locks and atomics of the registers of results: the standard library's, or loom's, which tries every order of the
//! threads' steps (`make test-loom`).

#[cfg(loom)]
pub use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Statics; under loom each is made anew for every order, since its values are not constant:
/// `shared! { static DUE: AtomicBool = AtomicBool::new(false); }` is that static, or a `lazy_static` of loom's.
macro_rules! shared {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $(
            #[cfg(not(loom))]
            $(#[$meta])*
            static $name: $type = $value;
            #[cfg(loom)]
            loom::lazy_static! {
                $(#[$meta])*
                static ref $name: $type = $value;
            }
        )*
    };
}
pub(crate) use shared;

/// A value of each thread: `thread_local! { static NOTES: Notes = const { ... } }`, or loom's, which knows no `const`.
macro_rules! per_thread {
    (static $name:ident: $type:ty = $value:block) => {
        #[cfg(not(loom))]
        thread_local! {
            static $name: $type = const $value;
        }
        #[cfg(loom)]
        loom::thread_local! {
            static $name: $type = $value;
        }
    };
}
pub(crate) use per_thread;
