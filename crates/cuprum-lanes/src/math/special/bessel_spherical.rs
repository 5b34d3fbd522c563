//! Spherical Bessel functions.

#[allow(unused_imports)]
use super::bessel_ik::*;
#[allow(unused_imports)]
use super::bessel_jy::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// The spherical Bessel function of the first kind.
    fn spherical_jn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_jn_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && !even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_jn_right(n: f64, x: f64) -> f64 {
        if x == 0.0 {
            return if n == 0.0 { 1.0 } else { 0.0 };
        }
        if x == INF {
            return 0.0;
        }
        if n == 0.0 {
            return sin(x) / x;
        }
        if n < x && n < 1e6 && floor(n) == n {
            // Upwards, where the recurrence is stable.
            let inverse = 1.0 / x;
            let mut before = sin(x) * inverse;
            let mut value = (before - cos(x)) * inverse;
            let mut k = 1.0;
            while k < n {
                let next = fma((2.0 * k + 1.0) * inverse, value, -before);
                before = value;
                value = next;
                k += 1.0;
            }
            return value;
        }
        return sqrt(1.5707963267948966 / x) * jv_positive(n + 0.5, x);
    }

    /// The spherical Bessel function of the second kind.
    fn spherical_yn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_yn_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_yn_right(n: f64, x: f64) -> f64 {
        if n > 1e6 {
            return NAN;
        }
        if x == 0.0 {
            return -INF;
        }
        if x == INF {
            return 0.0;
        }
        // Upwards, where the recurrence is stable.
        let mut before = -cos(x) / x;
        if n == 0.0 {
            return before;
        }
        let mut value = (before - sin(x)) / x;
        let mut k = 1.0;
        while k < n {
            let next = (2.0 * k + 1.0) / x * value - before;
            before = value;
            value = next;
            if abs(value) == INF {
                return value;
            }
            k += 1.0;
        }
        return value;
    }

    /// The modified spherical Bessel function of the first kind.
    fn spherical_in(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        let value = spherical_in_right(n, abs(x));
        let even = 2.0 * floor(0.5 * n) == n;
        return if x < 0.0 && !even { -value } else { value };
    }

    /// The same at x from zero on.
    fn spherical_in_right(n: f64, x: f64) -> f64 {
        if x == 0.0 {
            return if n == 0.0 { 1.0 } else { 0.0 };
        }
        if x == INF {
            return x;
        }
        if n == 0.0 {
            return sinh(x) / x;
        }
        return sqrt(1.5707963267948966 / x) * iv(n + 0.5, x);
    }

    /// The modified spherical Bessel function of the second kind.
    fn spherical_kn(n: f64, x: f64) -> f64 {
        if is_nan(x) || n < 0.0 {
            return NAN;
        }
        if x == 0.0 {
            return INF;
        }
        if x < 0.0 {
            // The part that grows with the order is small at first: taken by itself.
            let value = spherical_kn_right(n, -x);
            let even = 2.0 * floor(0.5 * n) == n;
            return (if even { -value } else { value }) - 3.141592653589793 * spherical_in_right(n, -x);
        }
        return spherical_kn_right(n, x);
    }

    /// The same at x above zero.
    fn spherical_kn_right(n: f64, x: f64) -> f64 {
        if x == INF {
            return 0.0;
        }
        if n > 1e6 {
            return NAN;
        }
        let mut before = 1.5707963267948966 * exp(-x) / x;
        if n == 0.0 {
            return before;
        }
        let mut value = before * (1.0 + 1.0 / x);
        let mut k = 1.0;
        while k < n {
            let next = (2.0 * k + 1.0) / x * value + before;
            before = value;
            value = next;
            if value == INF {
                return value;
            }
            k += 1.0;
        }
        return value;
    }
}

lanes! {
    spherical_jn(a, b);
    spherical_yn(a, b);
    spherical_in(a, b);
    spherical_kn(a, b);
}
