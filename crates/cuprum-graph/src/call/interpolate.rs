//! Interpolation between points of one axis.

use super::Slot;

/// Straight lines between points, as `numpy.interp` draws them: with `j` the last point that is not beyond `x`, the value is
/// `f[j] + slope * (x - points[j])`, `slope = (f[j + 1] - f[j]) / (points[j + 1] - points[j])`, and `f[j]` itself where
/// `x` is the point. Where that is NaN, the line is drawn from point `j + 1`, and where the two values are equal it is that
/// value. Of complex values, the parts are lines of their own, their slopes by way of `1 / (points[j + 1] - points[j])`.
/// A NaN stays.
#[derive(Clone, Copy, Debug)]
pub struct InterpolateCall<'a> {
    /// Where, float64; any shape.
    pub x: &'a Slot,
    /// The points, float64, one axis, not empty; they increase, or the result is arbitrary.
    pub points: &'a Slot,
    /// The values at the points, float64 or complex128.
    pub values: &'a Slot,
    /// The values before the first point and after the last one: two elements of the dtype of `values`.
    pub beyond: &'a Slot,
    /// The result, of the shape of `x` and the dtype of `values`.
    pub out: &'a Slot,
}
