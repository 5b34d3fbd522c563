//! Conversions between Python's values and the library's: dtypes, arrays, scalars and arguments.

pub mod arguments;
pub mod devices;
pub mod dtype;
pub mod from_python;
mod host_array;
pub mod host_memory;
pub mod positions;
mod sequences;
pub mod to_host;
pub mod to_python;
