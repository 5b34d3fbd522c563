//! Convolution and correlation of signals, in the arithmetic of their dtype, as NumPy and `scipy.signal` have them.

mod recursive;

use cuprum_core::{Error, Kind, Order, Result, Scalar, show_shape};
use cuprum_graph::{Boundary, Call, Extension, FilterCall};

use crate::Array;
use crate::call::run_call;
use crate::creation::result_array;
use crate::manipulation::flip;

pub use recursive::linear_filter;

/// Slides `weights` over `input`: element `i` of the result, of shape `shape`, is the sum of products with the
/// weights beginning at `starts + i`. `beyond` says what lies outside the input: a mode, and the value of the
/// constant mode. Without it products outside are left out, so that even infinite weights add nothing there.
///
/// Integers wrap around, and products of bools are summed by `or`, as in NumPy; floats are summed in float64 and
/// rounded once.
///
/// ```
/// use cuprum::ndimage::Extension;
/// use cuprum::prelude::*;
/// use cuprum::signal::sliding_products;
/// let (a, v) = (Array::from_slice(&[1, 2, 3]), Array::from_slice(&[1, 10]));
/// let full = sliding_products(&a, &v, &[-1], &[4], None).unwrap();
/// assert_eq!(full.to_vec::<i32>().unwrap(), vec![10, 21, 32, 3]);
/// let five = Scalar::new("", Number::Int(5), DType::I32).unwrap();
/// let full = sliding_products(&a, &v, &[-1], &[4], Some((Extension::Constant, five))).unwrap();
/// assert_eq!(full.to_vec::<i32>().unwrap(), vec![15, 21, 32, 53]);
/// ```
pub fn sliding_products(
    input: &Array,
    weights: &Array,
    starts: &[isize],
    shape: &[usize],
    beyond: Option<(Extension, Scalar)>,
) -> Result<Array> {
    const NAME: &str = "sliding_products";
    crate::device::check_devices(NAME, [input, weights])?;
    let dtype = input.dtype();
    let filled = beyond.map_or(dtype, |(_, fill)| fill.dtype());
    if weights.dtype() != dtype || filled != dtype || dtype.kind() == Kind::Complex {
        let message = format!("{dtype} with weights of {} and a fill of {filled}", weights.dtype());
        return Err(Error::type_error(NAME, message));
    }
    let axes = [weights.ndim(), starts.len(), shape.len()];
    if input.ndim() == 0 || axes.iter().any(|&n| n != input.ndim()) {
        let message = format!("shapes {} and {}", show_shape(input.shape()), show_shape(weights.shape()));
        return Err(Error::value(NAME, message));
    }
    if weights.size() == 0 || input.size() == 0 {
        return Err(Error::value(NAME, "neither the input nor the weights may be empty"));
    }
    let result = result_array(NAME, input, shape, dtype)?;
    if result.size() > 0 {
        let (source, factors, out) = (input.view().slot()?, weights.view().slot()?, result.view().slot()?);
        let boundary = beyond.map(|(extension, fill)| Boundary { extension, fill });
        let call = FilterCall::Products { input: &source, weights: &factors, out: &out, starts, boundary };
        run_call(input.device(), &Call::Filter(call))?;
    }
    Ok(result)
}

/// The correlation of two signals of one dimension: `c[k] = sum_n a[n + k] * v[n]` for every `k` at which they meet
/// (`full`), for the positions of the longer one (`same`) or where they overlap completely (`valid`).
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::signal::{Overlap, correlate};
/// let (a, v) = (Array::from_slice(&[1.0, 2.0, 3.0]), Array::from_slice(&[0.0, 1.0, 0.5]));
/// let c = correlate(&a, &v, Overlap::Valid).unwrap();
/// assert_eq!(c.to_vec::<f64>().unwrap(), vec![3.5]);
/// ```
pub fn correlate(a: &Array, v: &Array, overlap: Overlap) -> Result<Array> {
    if a.ndim() != 1 || v.ndim() != 1 {
        return Err(Error::value("correlate", "both signals must have one dimension"));
    }
    if a.size() == 0 || v.size() == 0 {
        return Err(Error::value("correlate", "a signal cannot be empty"));
    }
    // The shorter one is slid over the longer: the results of two signals exchanged are each other's mirror images.
    let exchanged = a.size() < v.size();
    let (longer, shorter) = if exchanged { (v, a) } else { (a, v) };
    let (n, m) = (longer.size(), shorter.size());
    let (before, count) = match overlap {
        Overlap::Full => (m - 1, n + m - 1),
        Overlap::Same => (m / 2, n),
        Overlap::Valid => (0, n - m + 1),
    };
    let result = sliding_products(longer, shorter, &[-(before as isize)], &[count], None)?;
    if exchanged { flip(&result, Some(&[0]))?.copy(Order::C) } else { Ok(result) }
}

/// Which part of the result is returned (`mode=`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// All positions at which the signals overlap.
    Full,
    /// As many positions as the longer signal has, centred.
    Same,
    /// The positions at which one signal lies wholly inside the other.
    Valid,
}
