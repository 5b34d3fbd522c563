//! Sums of exponentials kept as logarithms: `logaddexp` and `logaddexp2`.

use super::exp::{exp_parts, exp2_parts};
use super::log::{add_log2_of_1p, log1p_or_log};
use super::real::Real;
use super::{ElementaryFunction2, Logaddexp, Logaddexp2};

/// The larger argument, how far the other is below it (not above zero), and the rounding error of that distance.
/// Wherever either is a NaN the distance is one.
#[inline(always)]
fn order<T: Real>(x: T, y: T) -> (T, T, T) {
    let larger = if x > y { x } else { y };
    let smaller = if x > y { y } else { x };
    let distance = smaller - larger;
    // Exact for either order of magnitude.
    let subtracted = smaller - distance;
    let error = (smaller - (distance + subtracted)) + (subtracted - larger);
    // Distances with larger errors are beyond counting, and infinite ones have none.
    let error = if error.abs() < T::ONE { error } else { T::ZERO };
    (larger, distance, error)
}

/// `log1p(ratio + tail)` for a ratio from zero to one; a NaN stays one.
#[inline(always)]
fn log1p_of<T: Real>((ratio, tail): (T, T)) -> T {
    let value = log1p_or_log(ratio, tail, ratio, T::ZERO);
    if ratio.abs() <= T::INFINITY { value } else { ratio }
}

impl<T: Real> ElementaryFunction2<T> for Logaddexp {
    const IS_LONG: bool = true;

    #[inline(always)]
    fn fast(x: T, y: T) -> T {
        let (larger, distance, error) = order(x, y);
        let value = larger + log1p_of(exp_parts(distance, error));
        // Equal arguments may be infinities, whose difference is no number.
        if x == y { x + T::LN_2_FULL.0 } else { value }
    }
}

impl<T: Real> ElementaryFunction2<T> for Logaddexp2 {
    const IS_LONG: bool = true;

    #[inline(always)]
    fn fast(x: T, y: T) -> T {
        let (larger, distance, error) = order(x, y);
        let (ratio, tail) = exp2_parts(distance, error);
        let value = add_log2_of_1p(larger, ratio, tail);
        if x == y { x + T::ONE } else { value }
    }
}
