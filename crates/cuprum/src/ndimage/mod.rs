//! Filters of n-dimensional images, as in `scipy.ndimage`: each result is computed from the elements around its
//! position.
//!
//! Sums are taken in float64 and rounded, or truncated, to the dtype of the result. Complex arrays are filtered by
//! their parts.

mod line;
mod window;

pub use cuprum_graph::Extension;
pub use line::{
    correlate1d, gaussian_filter1d, gaussian_kernel1d, maximum_filter1d, minimum_filter1d, uniform_filter1d,
};
pub use window::{correlate, maximum_filter, minimum_filter, rank_filter};

use cuprum_core::{DType, Error, Kind, Number, Result, Scalar};
use cuprum_graph::Boundary;

use crate::Array;

/// How an array is extended beyond its ends (`mode=`, `cval=`).
///
/// ```
/// use cuprum::ndimage::{Border, Extension};
/// assert_eq!(Border::default().extension, Extension::Reflect);
/// assert_eq!(Border::constant(1.0).fill, 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Border {
    /// The mode.
    pub extension: Extension,
    /// The value for [`Extension::Constant`].
    pub fill: f64,
}

impl Default for Border {
    fn default() -> Border {
        Border::from(Extension::Reflect)
    }
}

impl From<Extension> for Border {
    fn from(extension: Extension) -> Border {
        Border { extension, fill: 0.0 }
    }
}

impl Border {
    /// One value everywhere outside: mode `constant`.
    pub fn constant(fill: f64) -> Border {
        Border { extension: Extension::Constant, fill }
    }

    fn boundary(self, dtype: DType) -> Boundary {
        Boundary { extension: self.extension, fill: Scalar::wrapping(Number::Float(self.fill), dtype) }
    }
}

fn check_real(op: &'static str, dtype: DType) -> Result<()> {
    if dtype.kind() == Kind::Complex {
        return Err(Error::type_error(op, format!("{dtype} is not supported: filter the parts")));
    }
    Ok(())
}

/// Where a window of `size` begins, relative to the position it belongs to.
fn window_start(op: &'static str, size: usize, origin: i64) -> Result<isize> {
    let before = (size / 2) as i64 + origin;
    if size == 0 || before < 0 || before >= size as i64 {
        let message = format!("origin {origin} puts a window of {size} elements beside its element");
        return Err(Error::value(op, message));
    }
    Ok(-before as isize)
}

/// The array that extrema are taken in: its own dtype where the fill is one of its values, else float64.
fn comparable(input: &Array, border: Border) -> Result<Array> {
    let fill = Scalar::wrapping(Number::Float(border.fill), input.dtype());
    let exact = match fill.number() {
        Number::Bool(b) => f64::from(u8::from(b)) == border.fill,
        Number::Int(i) => i as f64 == border.fill,
        Number::Float(x) | Number::Huge(x) => x == border.fill || border.fill.is_nan(),
        Number::Complex(..) => false,
    };
    if border.extension != Extension::Constant || exact {
        Ok(input.clone())
    } else {
        input.astype(DType::F64)
    }
}

/// The result in another dtype; a truth value is what is left of a number once it is truncated.
fn truncated(result: Array, dtype: DType) -> Result<Array> {
    if result.dtype() == dtype {
        return Ok(result);
    }
    if dtype == DType::Bool && result.dtype().kind() == Kind::Float {
        return result.astype(DType::U8)?.astype(DType::Bool);
    }
    result.astype(dtype)
}
