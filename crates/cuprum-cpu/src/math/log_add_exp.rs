//! Sums of exponentials kept as logarithms: `logaddexp` and `logaddexp2`.

use super::real::Real;
use super::{Exp, Exp2, Function, Function2, Log1p, Logaddexp, Logaddexp2};

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
    (larger, distance, error)
}

/// `ratio + change`, unless the ratio has vanished or is a NaN: infinite distances have no rounding error.
#[inline(always)]
fn corrected<T: Real>(ratio: T, change: T) -> T {
    if ratio > T::ZERO { ratio + change } else { ratio }
}

impl<T: Real> Function2<T> for Logaddexp {
    #[inline(always)]
    fn fast(x: T, y: T) -> T {
        let (larger, distance, error) = order(x, y);
        let ratio = Exp::fast(distance);
        let value = larger + Log1p::fast(corrected(ratio, ratio * error));
        // Equal arguments may be infinities, whose difference is no number.
        if x == y { x + T::LN_2_FULL.0 } else { value }
    }
}

impl<T: Real> Function2<T> for Logaddexp2 {
    #[inline(always)]
    fn fast(x: T, y: T) -> T {
        let (larger, distance, error) = order(x, y);
        let ratio = Exp2::fast(distance);
        let ratio = corrected(ratio, ratio * error * T::LN_2_FULL.0);
        let value = Log1p::fast(ratio).fma(T::LOG2_E.0, larger);
        if x == y { x + T::ONE } else { value }
    }
}
