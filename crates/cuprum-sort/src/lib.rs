//! Sorting on slices of host memory: sort, argsort, partition and binary search over every dtype.
//!
//! The order is NumPy's: NaN last, -0.0 and 0.0 equal, complex numbers by real and then imaginary part. Elements are
//! turned into signed integers of 32 or 64 bits that compare the same, so that one engine (`quick`) sorts them all;
//! arguments are sorted as integers that hold an element's rank above its position, which makes the result stable.
//! Large slices are first split into parts by samples (`samplesort`), and the parts sorted on several threads. A result is
//! the only one possible, or stable, and so depends on no number of threads.

mod counting;
mod element;
mod line;
mod quick;
mod samplesort;
mod search;

pub use element::{KeyedElement, Rank, SortBool, SortElement, Width, WorkMemory};
pub use line::{argpartition_line, argsort_line, partition_line, sort_line};
pub use samplesort::{argpartition, argsort, argsort_work, partition, sort, sort_work};
pub use search::{Side, search};
