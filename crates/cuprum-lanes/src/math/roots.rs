//! Cube root and hypotenuse.

use super::real::{Real, polynomial};
use super::{Cbrt, ElementaryFunction, ElementaryFunction2, Hypot, Modulus};

/// The cube root of an `a` within [`Real::CBRT_RANGE`].
#[inline(always)]
fn cbrt_within<T: Real>(a: T) -> T {
    // For y^3 = (1 - e) / a, the inverse square of the root is y^2 (1 - e)^(-2/3).
    let y = a.inverse_cbrt_estimate();
    let square = y * y;
    let e = (a * y).fma(-square, T::ONE);
    let third_of_inverse_square = square * polynomial(e, T::CBRT);
    let root = (a + a + a) * third_of_inverse_square;
    // One step of Newton's, with the residual in twice the precision.
    let root_square = root * root;
    let tail = root.fma(root, -root_square);
    let residual = tail.fma(root, root_square.fma(root, -a));
    residual.fma(-third_of_inverse_square, root)
}

impl<T: Real> ElementaryFunction<T> for Cbrt {
    #[inline(always)]
    fn fast(x: T) -> T {
        cbrt_within(x.abs()).copysign(x)
    }
    #[inline(always)]
    fn rare(x: T) -> bool {
        !x.abs().is_from_to(T::CBRT_RANGE.0, T::CBRT_RANGE.1)
    }
    #[inline(always)]
    fn slow(x: T) -> T {
        let a = x.abs();
        let (cube, root) = T::CBRT_LIFT;
        let (small, large) = (a < T::CBRT_RANGE.0, a >= T::CBRT_RANGE.1);
        let within = if small { a * cube } else { a };
        let within = if large { a * (T::ONE / cube) } else { within };
        let back = if small { root } else { T::ONE };
        let back = if large { T::ONE / root } else { back };
        let value = (cbrt_within(within) * back).copysign(x);
        if a > T::ZERO && a < T::INFINITY { value } else { x }
    }
}

impl ElementaryFunction2<f64> for Hypot {
    #[inline(always)]
    fn fast(x: f64, y: f64) -> f64 {
        let (x, y) = (x.abs(), y.abs());
        let longer = if x > y { x } else { y };
        let shorter = if x > y { y } else { x };
        let (power, inverse) = longer.leading_power();
        let (a, b) = (longer * inverse, shorter * inverse);
        let root = a.mul_add(a, b * b).sqrt();
        // One Newton step with the residual root^2 - a^2 - b^2 in twice the precision.
        let (root_square, a_square) = (root * root, a * a);
        let low = root.mul_add(root, -root_square) - a.mul_add(a, -a_square);
        let residual = (-b).mul_add(b, root_square - a_square) + low;
        // The smallest normal number guards the division of zero by zero and is lost in the sum elsewhere.
        let value = (root - residual / (root + root + f64::MIN_POSITIVE)) * power;
        if x == f64::INFINITY || y == f64::INFINITY { f64::INFINITY } else { value }
    }
}

impl ElementaryFunction2<f64> for Modulus {
    #[inline(always)]
    fn fast(x: f64, y: f64) -> f64 {
        let (x, y) = (x.abs(), y.abs());
        let longer = if x > y { x } else { y };
        let shorter = if x > y { y } else { x };
        let (power, inverse) = longer.leading_power();
        let (a, b) = (longer * inverse, shorter * inverse);
        let value = a.mul_add(a, b * b).sqrt() * power;
        if x == f64::INFINITY || y == f64::INFINITY { f64::INFINITY } else { value }
    }
}

impl ElementaryFunction2<f32> for Modulus {
    #[inline(always)]
    fn fast(x: f32, y: f32) -> f32 {
        Hypot::fast(x, y)
    }
}

impl ElementaryFunction2<f32> for Hypot {
    #[inline(always)]
    fn fast(x: f32, y: f32) -> f32 {
        // The squares are exact in f64 and cannot overflow there.
        let (a, b) = (x as f64, y as f64);
        let value = a.mul_add(a, b * b).sqrt() as f32;
        if x.abs() == f32::INFINITY || y.abs() == f32::INFINITY { f32::INFINITY } else { value }
    }
}
