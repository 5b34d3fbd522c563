//! What threads share the pool with: the standard library's, or loom's, which tries every order of their steps.

#[cfg(loom)]
pub use loom::{
    hint::spin_loop,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};
#[cfg(not(loom))]
pub use std::{
    hint::spin_loop,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How often an idle worker looks for new work before it goes to sleep, and a caller for its workers' end: some tens of
/// microseconds, about what falling asleep and being woken costs.
pub const MAX_SPINS: usize = if cfg!(any(loom, miri)) { 1 } else { 2000 };
