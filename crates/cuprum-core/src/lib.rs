//! Cuprum's vocabulary: element types and promotion, layouts, scalars, errors and the table of ops.
//!
//! Nothing here computes on arrays or touches memory: graphs, devices and the user's interfaces share these words.

#![deny(unsafe_code)]

mod dtype;
mod error;
mod index;
mod layout;
mod linalg;
pub mod loss;
pub mod memory;
pub mod ops;
mod random;
mod scalar;
mod simd;

pub use dtype::{Casting, DType, Kind, Weak, result_type};
pub use error::{Error, Result};
pub use index::Index;
pub use layout::{
    Dims, Layout, MAX_DIMS, Order, Strides, broadcast_shapes, nesting_of, normalize_axes, normalize_axis,
    show_shape, size_in_range, size_of_shape,
};
pub use linalg::svd_starts_with_qr;
pub use ops::{Op, Reduction};
pub use random::{
    Bound, Cipher, DISTRIBUTIONS, Distribution, DistributionRow, MAX_POISSON_MEAN, Stream, Words,
};
pub use scalar::{Number, Scalar};
pub use simd::SimdLevel;
