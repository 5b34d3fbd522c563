//! Voigt's profile, from the Faddeeva function.

#[allow(unused_imports)]
use super::complex_erf::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

functions! {
    /// The real part of the Faddeeva function, scaled to the convolution of a normal and a Cauchy distribution.
    fn voigt_profile(x: f64, sigma: f64, gamma_width: f64) -> f64 {
        if is_nan(x) || is_nan(sigma) || is_nan(gamma_width) {
            return NAN;
        }
        if sigma == 0.0 {
            if gamma_width == 0.0 {
                return if x == 0.0 { INF } else { 0.0 };
            }
            return gamma_width * 0.3183098861837907 / (x * x + gamma_width * gamma_width);
        }
        if gamma_width == 0.0 {
            let z = x / sigma;
            return 0.3989422804014327 / sigma * exp(-0.5 * z * z);
        }
        let scale = 0.7071067811865476 / sigma;
        let (wr, _wi) = complex_wofz(x * scale, gamma_width * scale);
        return wr * 0.3989422804014327 / sigma;
    }
}

lanes! {
    voigt_profile(a, b, c);
}
