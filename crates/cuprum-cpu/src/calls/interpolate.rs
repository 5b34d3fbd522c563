//! Straight lines between points: `numpy.interp`, operation for operation.

use cuprum_core::memory::with_capacity;
use cuprum_core::{DType, Result};
use cuprum_graph::InterpolateCall;
use num_complex::Complex;

use super::locate::Locator;
use super::{PARALLEL_MIN, dense, elements, start, with_dense_out};
use cuprum_threads::{Shared, run_tasks};

/// Elements that a task handles.
const ELEMENTS_PER_TASK: usize = 1 << 14;
/// Cells of the locator for each point: points are seldom evenly spaced.
const CELLS_PER_POINT: usize = 2;

/// What the values at the points may be.
trait Interpolated: Copy + Send + Sync {
    /// The slope between two values over a distance.
    fn slope(from: Self, to: Self, distance: f64) -> Self;
    /// The line through `(at, from)` and `(next, to)`; from the other end where that gives no number.
    fn line(x: f64, slope: Self, at: f64, next: f64, from: Self, to: Self) -> Self;
    /// What a NaN becomes.
    fn nan(x: f64) -> Self;
}

impl Interpolated for f64 {
    #[inline(always)]
    fn slope(from: f64, to: f64, distance: f64) -> f64 {
        (to - from) / distance
    }

    #[inline(always)]
    fn line(x: f64, slope: f64, at: f64, next: f64, from: f64, to: f64) -> f64 {
        let value = slope * (x - at) + from;
        if value.is_nan() { from_the_other_end(x, slope, next, from, to) } else { value }
    }

    fn nan(x: f64) -> f64 {
        x
    }
}

#[cold]
fn from_the_other_end(x: f64, slope: f64, next: f64, from: f64, to: f64) -> f64 {
    let value = slope * (x - next) + to;
    if value.is_nan() && from == to { from } else { value }
}

impl Interpolated for Complex<f64> {
    #[inline(always)]
    fn slope(from: Complex<f64>, to: Complex<f64>, distance: f64) -> Complex<f64> {
        let inverse = 1.0 / distance;
        Complex::new((to.re - from.re) * inverse, (to.im - from.im) * inverse)
    }

    #[inline(always)]
    fn line(
        x: f64,
        slope: Complex<f64>,
        at: f64,
        next: f64,
        from: Complex<f64>,
        to: Complex<f64>,
    ) -> Complex<f64> {
        let re = f64::line(x, slope.re, at, next, from.re, to.re);
        Complex::new(re, f64::line(x, slope.im, at, next, from.im, to.im))
    }

    fn nan(x: f64) -> Complex<f64> {
        Complex::new(x, 0.0)
    }
}

pub(super) fn interpolate(call: &InterpolateCall<'_>) -> Result<()> {
    match call.values.dtype {
        DType::C128 => run::<Complex<f64>>(call),
        _ => run::<f64>(call),
    }
}

fn run<V: Interpolated>(call: &InterpolateCall<'_>) -> Result<()> {
    let (x, points, values) = (dense(call.x)?, dense(call.points)?, dense(call.values)?);
    let beyond = dense(call.beyond)?;
    let (x, points) = (elements::<f64>(&x), elements::<f64>(&points));
    let beyond: &[V] = elements(&beyond);
    let curve = Curve::new(points, elements::<V>(&values), [beyond[0], beyond[1]], x.len());
    with_dense_out(call.out, |out| {
        let target = Shared(start(out));
        run_tasks(x.len().div_ceil(ELEMENTS_PER_TASK), x.len() >= PARALLEL_MIN / 4, &|task| {
            let at = task * ELEMENTS_PER_TASK;
            let part = &x[at..x.len().min(at + ELEMENTS_PER_TASK)];
            // SAFETY: the result has an element for each `x`, and this task's are its own.
            let out = unsafe { std::slice::from_raw_parts_mut(target.get().cast::<V>().add(at), part.len()) };
            out.iter_mut().zip(part).for_each(|(out, x)| *out = curve.at(*x));
        })
    })
}

/// The points, the values at them, and the slopes between where they will be used often.
struct Curve<'a, V> {
    points: &'a [f64],
    values: &'a [V],
    slopes: Vec<V>,
    beyond: [V; 2],
    locator: Locator<'a, f64>,
}

impl<'a, V: Interpolated> Curve<'a, V> {
    fn new(points: &'a [f64], values: &'a [V], beyond: [V; 2], uses: usize) -> Curve<'a, V> {
        let mut slopes = Vec::new();
        if points.len() <= uses {
            let pairs = points.windows(2).zip(values.windows(2));
            slopes = with_capacity(pairs.len());
            slopes.extend(pairs.map(|(p, v)| V::slope(v[0], v[1], p[1] - p[0])));
        }
        Curve { points, values, slopes, beyond, locator: Locator::new(points, uses, CELLS_PER_POINT) }
    }

    #[inline(always)]
    fn at(&self, x: f64) -> V {
        let last = self.points.len() - 1;
        if x.is_nan() {
            return V::nan(x);
        }
        if x > self.points[last] {
            return self.beyond[1];
        }
        if x < self.points[0] {
            return self.beyond[0];
        }
        let j = self.locator.not_beyond(x).saturating_sub(1);
        if j >= last {
            return self.values[last];
        }
        let (at, next, from, to) = (self.points[j], self.points[j + 1], self.values[j], self.values[j + 1]);
        if at == x {
            return from;
        }
        let slope = match self.slopes.get(j) {
            Some(slope) => *slope,
            None => V::slope(from, to, next - at),
        };
        V::line(x, slope, at, next, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_number_is_drawn_from_the_other_end() {
        let (points, values) = ([0.0, 1.0, 2.0], [f64::NEG_INFINITY, 5.0, 5.0]);
        let curve = Curve::new(&points, &values, [-1.0, 9.0], 10);
        assert_eq!(curve.at(0.0), f64::NEG_INFINITY);
        assert_eq!(curve.at(0.5), f64::NEG_INFINITY);
        assert_eq!(curve.at(1.5), 5.0);
        assert_eq!(curve.at(2.0), 5.0);
        assert_eq!(curve.at(-0.1), -1.0);
        assert_eq!(curve.at(2.1), 9.0);
        assert!(curve.at(f64::NAN).is_nan());
    }
}
