//! The CPU device: runs Programs block by block through precompiled SIMD lanes, and the library calls.
//!
//! A Program's temporaries are blocks that stay in the first-level cache; inputs are read in place where they are
//! dense. Work is cut into tasks of a fixed size, so results do not depend on the number of threads.

mod access;
mod bandwidth;
mod block;
mod calls;
mod device;
mod memory;
mod reduce;
mod reducers;
mod shortcuts;
mod space;
mod streams;
mod sync;

pub use bandwidth::bandwidth;
pub use cuprum_threads::{interrupt, thread_count};
pub use device::{Cpu, device};
pub use memory::{Pool, total_memory};
