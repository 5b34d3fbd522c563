//! NumPy's arrays for Rust: eager to the eye, deferred and fused inside, on the CPU and on NVIDIA GPUs.
//!
//! ```
//! use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! let a = Array::from_slice(&[3.0, 5.0]);
//! let b = Array::from_slice(&[4.0, 12.0]);
//! let c = (&a * &a + &b * &b).sqrt()?;
//! assert_eq!(c.to_vec::<f64>()?, vec![5.0, 13.0]);
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_code)]

mod array;
mod call;
pub mod creation;
mod device;
mod element;
pub mod elementwise;
#[doc(hidden)]
pub mod fast_path;
pub mod fft;
pub mod indexing;
pub mod kernel;
pub mod linalg;
pub mod manipulation;
pub mod memory;
mod methods;
pub mod ndimage;
pub mod products;
pub mod random;
pub mod reduction;
pub mod scan;
pub mod signal;
pub mod sorting;
pub mod sparse;
pub mod statistics;

pub use array::Array;
pub use cuprum_core::{Casting, DType, Error, Index, Kind, Number, Op, Order, Reduction, Result, Scalar};
pub use device::{cpu, cuda, default_device, device_by_name, process_device, set_current_device};
pub use element::Element;
pub use elementwise::{Arg, Options};

/// What most programs need: `use cuprum::prelude::*`.
pub mod prelude {
    pub use crate::{Arg, Array, Casting, DType, Element, Index, Number, Op, Order, Scalar};
}

/// The README's Rust example is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
