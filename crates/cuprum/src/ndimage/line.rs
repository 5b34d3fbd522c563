//! Filters along one axis.

use cuprum_core::{DType, Error, Result, normalize_axis};
use cuprum_graph::{Call, FilterCall, LineOp};

use super::{Border, check_real, comparable, truncated, window_start};
use crate::Array;
use crate::call::run_call;
use crate::creation::result_array;

/// The correlation with weights along an axis.
///
/// ```
/// use cuprum::ndimage::{Border, Extension, correlate1d};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 2.0, 4.0]);
/// let r = correlate1d(&a, &[-1.0, 0.0, 1.0], -1, DType::F64, Extension::Nearest.into(), 0).unwrap();
/// assert_eq!(r.to_vec::<f64>().unwrap(), vec![1.0, 3.0, 2.0]);
/// ```
pub fn correlate1d(
    input: &Array,
    weights: &[f64],
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    filter("correlate1d", LineOp::Correlate(weights), input, axis, dtype, border, origin)
}

/// Means of `size` neighbours along an axis.
///
/// ```
/// use cuprum::ndimage::{Border, uniform_filter1d};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[3.0, 0.0, 6.0]);
/// let r = uniform_filter1d(&a, 3, -1, DType::F64, Border::default(), 0).unwrap();
/// assert_eq!(r.to_vec::<f64>().unwrap(), vec![2.0, 3.0, 4.0]);
/// ```
pub fn uniform_filter1d(
    input: &Array,
    size: usize,
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    filter("uniform_filter1d", LineOp::Mean(size), input, axis, dtype, border, origin)
}

/// The smallest of `size` neighbours along an axis.
///
/// ```
/// use cuprum::ndimage::{Border, minimum_filter1d};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[5, 1, 7, 9]);
/// let r = minimum_filter1d(&a, 3, -1, DType::I32, Border::default(), 0).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![1, 1, 1, 7]);
/// ```
pub fn minimum_filter1d(
    input: &Array,
    size: usize,
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    extremum("minimum_filter1d", LineOp::Minimum(size), input, axis, dtype, border, origin)
}

/// The largest of `size` neighbours along an axis.
///
/// ```
/// use cuprum::ndimage::{Border, maximum_filter1d};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[5, 1, 7, 9]);
/// let r = maximum_filter1d(&a, 3, -1, DType::I32, Border::default(), 0).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![5, 7, 9, 9]);
/// ```
pub fn maximum_filter1d(
    input: &Array,
    size: usize,
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    extremum("maximum_filter1d", LineOp::Maximum(size), input, axis, dtype, border, origin)
}

/// The weights of a Gaussian of `2 * radius + 1` elements, or of one of its derivatives, to correlate with.
///
/// ```
/// let weights = cuprum::ndimage::gaussian_kernel1d(1.0, 0, 2);
/// assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
/// ```
pub fn gaussian_kernel1d(sigma: f64, order: usize, radius: usize) -> Vec<f64> {
    let places: Vec<f64> = (0..=2 * radius).map(|i| i as f64 - radius as f64).collect();
    let sigma2 = sigma * sigma;
    let bell: Vec<f64> = places.iter().map(|x| (-0.5 / sigma2 * (x * x)).exp()).collect();
    let sum: f64 = bell.iter().sum();
    // The derivative of `q(x) * bell(x)` is `(q'(x) - x / sigma2 * q(x)) * bell(x)`: coefficients of q, lowest first.
    let mut q = vec![0.0; order + 1];
    q[0] = 1.0;
    for _ in 0..order {
        let slope = |i: usize| if i < order { (i + 1) as f64 * q[i + 1] } else { 0.0 };
        let fall = |i: usize| if i > 0 { -q[i - 1] / sigma2 } else { 0.0 };
        q = (0..=order).map(|i| slope(i) + fall(i)).collect();
    }
    let value = |x: f64| q.iter().rev().fold(0.0, |sum, c| sum * x + c);
    places.iter().zip(&bell).rev().map(|(&x, bell)| value(x) * (bell / sum)).collect()
}

/// The array smoothed by a Gaussian along an axis, or by a derivative of the Gaussian; the window ends at four
/// sigmas.
///
/// ```
/// use cuprum::ndimage::{Border, gaussian_filter1d};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[0.0, 0.0, 1.0, 0.0, 0.0]);
/// let r = gaussian_filter1d(&a, 1.0, -1, 0, DType::F64, Border::default()).unwrap();
/// assert!((r.to_vec::<f64>().unwrap()[2] - 0.3989).abs() < 1e-3);
/// ```
pub fn gaussian_filter1d(
    input: &Array,
    sigma: f64,
    axis: i64,
    order: usize,
    dtype: DType,
    border: Border,
) -> Result<Array> {
    if !(sigma > 0.0 && sigma.is_finite()) {
        return Err(Error::value("gaussian_filter1d", format!("sigma must be positive, got {sigma}")));
    }
    let weights = gaussian_kernel1d(sigma, order, (4.0 * sigma + 0.5) as usize);
    filter("gaussian_filter1d", LineOp::Correlate(&weights), input, axis, dtype, border, 0)
}

fn filter(
    name: &'static str,
    op: LineOp<'_>,
    input: &Array,
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    check_real(name, input.dtype())?;
    check_real(name, dtype)?;
    let axis = normalize_axis(name, axis, input.ndim())?;
    let start = window_start(name, op.size(), origin)?;
    let in_floats = matches!(op, LineOp::Correlate(_) | LineOp::Mean(_));
    let boundary = border.boundary(if in_floats { DType::F64 } else { input.dtype() });
    let result = result_array(name, input, input.shape(), dtype)?;
    if result.size() > 0 {
        let (source, out) = (input.view().slot()?, result.view().slot()?);
        let call = FilterCall::Line { op, input: &source, out: &out, axis, start, boundary };
        run_call(input.device(), &Call::Filter(call))?;
    }
    Ok(result)
}

fn extremum(
    name: &'static str,
    op: LineOp<'_>,
    input: &Array,
    axis: i64,
    dtype: DType,
    border: Border,
    origin: i64,
) -> Result<Array> {
    check_real(name, input.dtype())?;
    check_real(name, dtype)?;
    let input = comparable(input, border)?;
    truncated(filter(name, op, &input, axis, input.dtype(), border, origin)?, dtype)
}
