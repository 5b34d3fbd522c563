//! Cube root and hypotenuse.

use super::real::{Real, polynomial};
use super::{Cbrt, ElementaryFunction, ElementaryFunction2, Hypot, Modulus};

impl<T: Real> ElementaryFunction<T> for Cbrt {
    #[inline(always)]
    fn fast(x: T) -> T {
        let a = x.abs();
        let (m, exponent) = a.split();
        // a = m * 2^(3q + remainder), remainder from -1 to 1.
        let (q, q_bits) = exponent.nearest(T::THIRD);
        let remainder = q.fma(-T::THREE, exponent);
        let low = remainder < T::ZERO;
        let high = remainder > T::ZERO;
        let adjust = |below: T, above: T| {
            let rest = if low { below } else { T::ONE };
            if high { above } else { rest }
        };
        let start = polynomial(m, T::INV_CBRT);
        let mut inverse = start * adjust(T::CBRT_2, T::INV_CBRT_2);
        let m = m * adjust(T::HALF, T::TWO);
        // Third-order steps towards m^(-1/3); the correction of the root below doubles the digits once more.
        for _ in 0..T::CBRT_STEPS {
            let e = (m * inverse).fma(-(inverse * inverse), T::ONE);
            inverse = (inverse * e).fma(e.fma(T::TWO * T::THIRD * T::THIRD, T::THIRD), inverse);
        }
        let squared_inverse = inverse * inverse;
        let root = m * squared_inverse;
        let square = root * root;
        let square_tail = root.fma(root, -square);
        let residual = square_tail.fma(root, square.fma(root, -m));
        let root = (residual * -T::THIRD).fma(squared_inverse, root);
        let value = (root * T::power_of_two(q_bits, 0)).copysign(x);
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
