//! Memory and pending work as a whole: pools with limits, allocators, transfers, and running all that is recorded.
//!
//! ```
//! use cuprum::memory;
//! use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! let a = Array::from_slice(&vec![1.0; 100_000]);
//! let b = &a + 1.0;
//! memory::run_pending()?;
//! let pool = memory::default_pool()?;
//! assert!(pool.used() >= 2 * 800_000);
//! pool.set_limit(Some(pool.used() + 1000));
//! assert!(a.copy(Order::C)?.force().is_err());
//! pool.set_limit(None);
//! assert_eq!(b.sum()?.item::<f64>()?, 200_000.0);
//! # Ok(())
//! # }
//! ```

use std::sync::Arc;

use cuprum_core::Result;

pub use cuprum_cpu::total_memory;
pub use cuprum_graph::{
    Allocator, MemoryPool, MemorySource, Moved, Transfers, count_to_device, count_to_host,
    replace_thread_allocator, run_pending, run_referenced, set_allocator, transfers,
};

/// The pool that the default device's arrays come from unless another allocator is set.
///
/// ```
/// let _ = cuprum::memory::default_pool().unwrap().used();
/// ```
pub fn default_pool() -> Result<Arc<dyn MemoryPool>> {
    Ok(crate::default_device()?.pool())
}
