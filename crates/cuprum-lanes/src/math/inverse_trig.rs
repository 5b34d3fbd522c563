//! Inverse sine, cosine and tangent, and the angle of a point.

use super::coefficients::double;
use super::real::{Real, fast_two_sum, polynomial};
use super::{Arccos, Arcsin, Arctan, Arctan2, ElementaryFunction, ElementaryFunction2};

/// For `a = |x|`: whether `a > 1/2`, and `s`, `tail` with `asin(s) = s + tail`, where `s` is `a`, or, above one
/// half, `sqrt((1 - a) / 2)`, for which `asin(a) = pi/2 - 2 asin(s)`.
#[inline(always)]
fn arcsin_parts<T: Real>(a: T) -> (bool, T, T) {
    let large = a > T::HALF;
    let z = if large { T::HALF * (T::ONE - a) } else { a * a };
    let root = z.sqrt();
    // The smallest normal number guards the division at a = 1 and is lost in the sum elsewhere.
    let root_error = (-root).fma(root, z) * (T::HALF / (root + T::MIN_POSITIVE));
    let s = if large { root } else { a };
    let s_error = if large { root_error } else { T::ZERO };
    (large, s, (s * z).fma(polynomial(z, T::ASIN), s_error))
}

impl<T: Real> ElementaryFunction<T> for Arcsin {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (large, s, tail) = arcsin_parts(x.abs());
        let base = if large { T::FRAC_PI_2.0 } else { T::ZERO };
        let base_tail = if large { T::FRAC_PI_2.1 } else { T::ZERO };
        let factor = if large { -T::TWO } else { T::ONE };
        let (sum, error) = fast_two_sum(base, factor * s);
        (sum + (factor.fma(tail, base_tail) + error)).copysign(x)
    }
}

impl<T: Real> ElementaryFunction<T> for Arccos {
    #[inline(always)]
    fn fast(x: T) -> T {
        let (large, s, tail) = arcsin_parts(x.abs());
        let negative = x < T::ZERO;
        let large_base = if negative { T::PI.0 } else { T::ZERO };
        let large_tail = if negative { T::PI.1 } else { T::ZERO };
        let base = if large { large_base } else { T::FRAC_PI_2.0 };
        let base_tail = if large { large_tail } else { T::FRAC_PI_2.1 };
        let factor = if large { T::TWO } else { -T::ONE }.negate_by_sign(x);
        let (sum, error) = fast_two_sum(base, factor * s);
        sum + (factor.fma(tail, base_tail) + error)
    }
}

/// One of three values, by the distance of the angle from `pi/2` and `pi/4`.
#[inline(always)]
fn choose<T: Real>(steep: bool, middle: bool, [for_steep, for_middle, for_flat]: [T; 3]) -> T {
    let rest = if middle { for_middle } else { for_flat };
    if steep { for_steep } else { rest }
}

impl ElementaryFunction<f64> for Arctan {
    #[inline(always)]
    fn fast(x: f64) -> f64 {
        // From LARGE on the angle is pi/2 to working precision, and infinity would make a NaN below.
        let a = if x.abs() > f64::LARGE { f64::LARGE } else { x.abs() };
        let (steep, middle) = (a > double::TAN_3_PI_8, a > double::TAN_PI_8);
        // The angle's distance from pi/2, pi/4 or zero has the tangent -1/a, (a - 1)/(a + 1) or a.
        let difference = a - 1.0;
        let difference_error = a - (difference + 1.0);
        let (sum, sum_error) = fast_two_sum(1.0, a);
        let numerator = choose(steep, middle, [-1.0, difference, a]);
        let numerator_tail = choose(steep, middle, [0.0, difference_error, 0.0]);
        let denominator = choose(steep, middle, [a, sum, 1.0]);
        let denominator_tail = choose(steep, middle, [0.0, sum_error, 0.0]);
        let base = choose(steep, middle, [f64::FRAC_PI_2.0, f64::FRAC_PI_4.0, 0.0]);
        let base_tail = choose(steep, middle, [f64::FRAC_PI_2.1, f64::FRAC_PI_4.1, 0.0]);

        let inverse = 1.0 / denominator;
        let t = numerator * inverse;
        let remainder = (-t).mul_add(denominator, numerator) + (-t).mul_add(denominator_tail, numerator_tail);
        let z = t * t;
        let tail = (t * z).mul_add(polynomial(z, f64::ATAN), remainder.mul_add(inverse, base_tail));
        let (sum, error) = fast_two_sum(base, t);
        (sum + (error + tail)).copysign(x)
    }
}

impl ElementaryFunction<f32> for Arctan {
    #[inline(always)]
    fn fast(x: f32) -> f32 {
        // As in f64; the joints are where the difference of the middle case is exact.
        let a = if x.abs() > f32::LARGE { f32::LARGE } else { x.abs() };
        let (steep, middle) = (a > 2.0, a > 0.5);
        let sum = 1.0 + a;
        let numerator = choose(steep, middle, [-1.0, a - 1.0, a]);
        let denominator = choose(steep, middle, [a, sum, 1.0]);
        let denominator_tail = choose(steep, middle, [0.0, a - (sum - 1.0), 0.0]);
        let base = choose(steep, middle, [f32::FRAC_PI_2.0, f32::FRAC_PI_4.0, 0.0]);
        let base_tail = choose(steep, middle, [f32::FRAC_PI_2.1, f32::FRAC_PI_4.1, 0.0]);

        let inverse = 1.0 / denominator;
        let t = numerator * inverse;
        let remainder = (-t).mul_add(denominator_tail, (-t).mul_add(denominator, numerator));
        let z = t * t;
        let tail = (t * z).mul_add(polynomial(z, f32::ATAN), remainder.mul_add(inverse, base_tail));
        let (sum, error) = fast_two_sum(base, t);
        (sum + (error + tail)).copysign(x)
    }
}

/// The angle where neither coordinate is infinite and their ratio is far from the ends of the exponent range.
#[inline(always)]
fn arctan2<T: Real>(y: T, x: T) -> T {
    let (y_size, x_size) = (y.abs(), x.abs());
    let steep = y_size > x_size;
    // In the left half plane the angle is pi less the mirrored one, and past the diagonal pi/2 less the swapped one.
    let left = x.is_negative();
    let numerator = if steep { -x } else { y_size.negate_by_sign(x) };
    let denominator = if steep { y_size } else { x_size };
    // Zero over zero is the angle of zero over anything.
    let denominator = if denominator == T::ZERO { T::ONE } else { denominator };
    let flat_base = if left { T::PI.0 } else { T::ZERO };
    let flat_tail = if left { T::PI.1 } else { T::ZERO };
    let base = if steep { T::FRAC_PI_2.0 } else { flat_base };
    let base_tail = if steep { T::FRAC_PI_2.1 } else { flat_tail };

    let inverse = T::ONE / denominator;
    let t = numerator * inverse;
    let t_tail = (-t).fma(denominator, numerator).fma(inverse, base_tail);
    let z = t * t;
    let tail = (t * z).fma(polynomial(z, T::ATAN_WIDE), t_tail);
    let (sum, error) = fast_two_sum(base, t);
    (sum + (error + tail)).copysign(y)
}

#[inline(always)]
fn extreme<T: Real>(y: T, x: T) -> bool {
    let (y, x) = (y.abs(), x.abs());
    let (longer, shorter) = if y > x { (y, x) } else { (x, y) };
    let inverse = T::ONE / T::RATIO_LIMIT;
    (longer > T::RATIO_LIMIT)
        | ((shorter < longer * inverse) & (shorter > T::ZERO))
        | ((longer < inverse) & (longer > T::ZERO))
}

/// `arctan2!(f64)` expands to `impl ElementaryFunction2<f64> for Arctan2`; the slow path is `f64::atan2` for both types.
macro_rules! arctan2 {
    ($float:ident) => {
        impl ElementaryFunction2<$float> for Arctan2 {
            #[inline(always)]
            fn fast(y: $float, x: $float) -> $float {
                arctan2(y, x)
            }
            #[inline(always)]
            fn rare(y: $float, x: $float) -> bool {
                extreme(y, x)
            }
            #[inline(never)]
            fn slow(y: $float, x: $float) -> $float {
                if extreme(y, x) { f64::from(y).atan2(f64::from(x)) as $float } else { arctan2(y, x) }
            }
        }
    };
}

arctan2!(f32);
arctan2!(f64);
