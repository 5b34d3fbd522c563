//! Statistics: counting by value and between edges, interpolation between points.

mod counting;
mod interpolation;

pub use counting::{bincount, histogram_counts};
pub use interpolation::interp;

use cuprum_core::{Error, Result, show_shape};

use crate::Array;

/// An error unless the array has one axis.
fn check_one_axis(op: &'static str, what: &str, a: &Array) -> Result<()> {
    if a.ndim() == 1 {
        return Ok(());
    }
    let message = format!("{what} must have one dimension, got shape {}", show_shape(a.shape()));
    Err(Error::value(op, message))
}
